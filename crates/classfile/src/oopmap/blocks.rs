//! Owns the division of code into blocks. Within a block control runs from its first to its last
//! instruction, and every row of the exception table covers all of the block or none of it, so
//! that a handler's state depends on whole blocks.

use super::view::CodeView;
use crate::opcodes::{BadCode, Flow, Instruction, instructions};

pub(super) struct Blocks {
    /// First instruction of each block, ascending.
    pub starts: Box<[u16]>,
    pub has_jsr: bool,
}

struct Bitmap(Vec<u64>);

impl Bitmap {
    fn new(bits: usize) -> Self {
        Bitmap(vec![0; bits.div_ceil(64)])
    }
    fn set(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }
}

impl Blocks {
    /// Finds the blocks and checks that every branch and every row of the exception table names
    /// an instruction of the method.
    pub fn find(view: &CodeView<'_>) -> Result<Blocks, BadCode> {
        let len = view.code.len();
        if len == 0 || len > usize::from(u16::MAX) {
            return Err(BadCode { bci: 0, why: "code has no legal length" });
        }
        let mut instruction_starts = Bitmap::new(len + 1);
        let mut leaders = Bitmap::new(len + 1);
        let mut has_jsr = false;
        leaders.set(0);
        for i in instructions(view.code) {
            let i = i?;
            instruction_starts.set(i.bci);
            let flow = i.info().flow;
            if flow == Flow::Next {
                continue;
            }
            has_jsr |= flow == Flow::Jsr;
            leaders.set(i.next());
            mark_targets(&i, len, &mut leaders)?;
        }
        for e in view.exception_table {
            for at in [e.start, e.end, e.handler] {
                if usize::from(at) > len {
                    return Err(BadCode { bci: usize::from(at), why: "exception table names no instruction" });
                }
                leaders.set(usize::from(at));
            }
        }
        // The end of the code may be a leader (behind the last return), but starts no block.
        leaders.0[len / 64] &= !(1 << (len % 64));
        let mut starts = Vec::new();
        for (n, (&leader, &start)) in leaders.0.iter().zip(&instruction_starts.0).enumerate() {
            if leader & !start != 0 {
                let bci = n * 64 + (leader & !start).trailing_zeros() as usize;
                return Err(BadCode { bci, why: "jump into the middle of an instruction" });
            }
            let mut rest = leader;
            while rest != 0 {
                starts.push((n * 64 + rest.trailing_zeros() as usize) as u16);
                rest &= rest - 1;
            }
        }
        Ok(Blocks { starts: starts.into(), has_jsr })
    }

    /// The block that begins at `bci`.
    pub fn at(&self, bci: usize) -> Option<usize> {
        u16::try_from(bci).ok().and_then(|bci| self.starts.binary_search(&bci).ok())
    }
}

fn mark_targets(i: &Instruction<'_>, len: usize, leaders: &mut Bitmap) -> Result<(), BadCode> {
    for target in i.targets() {
        match usize::try_from(target) {
            Ok(target) if target < len => leaders.set(target),
            _ => {
                return Err(BadCode { bci: i.bci, why: "branch out of the code" });
            }
        }
    }
    Ok(())
}
