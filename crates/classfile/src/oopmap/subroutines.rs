//! Owns the call graph of `jsr` subroutines: which blocks a subroutine consists of, which locals
//! it may write, and where its `ret` goes. Membership follows the code's edges, not the values of
//! return addresses, so a `ret` that two subroutines share goes back to the callers of both;
//! [`super::fixpoint`] merges such edges so that this costs precision only.

use super::blocks::Blocks;
use super::view::CodeView;
use crate::opcodes::{BadCode, Flow, Instruction, op};

pub(super) struct Subroutine {
    /// Block of the first instruction.
    pub entry: usize,
    /// Blocks that end with a `jsr` to it.
    pub callers: Vec<usize>,
    /// Its blocks that end with `ret`.
    pub rets: Vec<usize>,
    /// Its blocks, those of subroutines that it calls excluded, ascending.
    members: Vec<u16>,
    /// Locals that it or what it calls may write, as bits.
    pub written: Vec<u64>,
}

pub(super) struct Subroutines {
    pub list: Vec<Subroutine>,
    /// Per block the number of the subroutine that it begins, or [`NONE`].
    begins: Vec<u16>,
}

const NONE: u16 = u16::MAX;

fn last_instruction<'a>(view: &CodeView<'a>, blocks: &Blocks, block: usize) -> Result<Instruction<'a>, BadCode> {
    let end = blocks.starts.get(block + 1).map_or(view.code.len(), |&s| usize::from(s));
    let mut at = usize::from(blocks.starts[block]);
    loop {
        let i = Instruction::decode(view.code, at)?;
        if i.next() >= end {
            return Ok(i);
        }
        at = i.next();
    }
}

impl Subroutines {
    pub fn find(view: &CodeView<'_>, blocks: &Blocks) -> Result<Subroutines, BadCode> {
        let count = blocks.starts.len();
        let last = (0..count).map(|b| last_instruction(view, blocks, b)).collect::<Result<Vec<_>, _>>()?;
        let mut list: Vec<Subroutine> = Vec::new();
        let mut begins = vec![NONE; count];
        for (block, i) in last.iter().enumerate() {
            let Some(entry) = called(blocks, i) else { continue };
            match begins[entry] {
                NONE => {
                    begins[entry] = list.len() as u16;
                    list.push(Subroutine {
                        entry,
                        callers: vec![block],
                        rets: vec![],
                        members: vec![],
                        written: vec![],
                    });
                }
                known => list[usize::from(known)].callers.push(block),
            }
        }
        let too_many = BadCode { bci: 0, why: "more subroutines than reference maps support" };
        let mut room = (super::MAX_TABLE_WORDS * 8)
            .checked_sub(list.len() * usize::from(view.max_locals).div_ceil(64))
            .ok_or(too_many)?;
        let mut visited = vec![NONE; count];
        for (n, s) in list.iter_mut().enumerate() {
            s.members = members(view, blocks, &last, s.entry, (&mut visited, n as u16));
            room = room.checked_sub(s.members.len()).ok_or(too_many)?;
            s.rets = s.blocks().filter(|&b| last[b].info().flow == Flow::Ret).collect();
            s.written = written(view, blocks, s)?;
        }
        // What a called subroutine writes counts for the caller, to any depth.
        let calls = |s: &Subroutine| -> Vec<usize> {
            s.blocks().filter_map(|b| called(blocks, &last[b])).map(|entry| usize::from(begins[entry])).collect()
        };
        let callees: Vec<Vec<usize>> = list.iter().map(calls).collect();
        loop {
            let mut changed = false;
            for caller in 0..list.len() {
                for &callee in &callees[caller] {
                    let inner = list[callee].written.clone();
                    for (mine, theirs) in list[caller].written.iter_mut().zip(inner) {
                        changed |= theirs & !*mine != 0;
                        *mine |= theirs;
                    }
                }
            }
            if !changed {
                return Ok(Subroutines { list, begins });
            }
        }
    }

    /// The subroutine whose first block is `entry`.
    pub fn at(&self, entry: usize) -> Option<&Subroutine> {
        self.list.get(usize::from(self.begins[entry]))
    }

    /// The subroutines that a `ret` in `block` may leave.
    pub fn of(&self, block: usize) -> impl Iterator<Item = &Subroutine> {
        self.list.iter().filter(move |s| s.members.binary_search(&(block as u16)).is_ok())
    }
}

impl Subroutine {
    fn blocks(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().map(|&b| usize::from(b))
    }
}

/// The first block of the subroutine that an instruction calls.
fn called(blocks: &Blocks, i: &Instruction<'_>) -> Option<usize> {
    let target = (i.info().flow == Flow::Jsr).then(|| usize::try_from(i.target()).ok())??;
    blocks.at(target)
}

/// The blocks of the subroutine that begins at `entry`; `visited` says per block which one came there last.
fn members(
    view: &CodeView<'_>,
    blocks: &Blocks,
    last: &[Instruction<'_>],
    entry: usize,
    (visited, own): (&mut [u16], u16),
) -> Vec<u16> {
    let mut members = Vec::new();
    let mut work = vec![entry];
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut visited[block], own) == own {
            continue;
        }
        members.push(block as u16);
        let i = &last[block];
        let flow = i.info().flow;
        if matches!(flow, Flow::Next | Flow::Branch | Flow::Jsr) && block + 1 < visited.len() {
            work.push(block + 1);
        }
        if flow != Flow::Jsr {
            work.extend(i.targets().filter_map(|t| usize::try_from(t).ok()).filter_map(|t| blocks.at(t)));
        }
        let start = blocks.starts[block];
        let covers = view.exception_table.iter().filter(|e| e.start <= start && start < e.end);
        work.extend(covers.filter_map(|e| blocks.at(usize::from(e.handler))));
    }
    members.sort_unstable();
    members
}

fn written(view: &CodeView<'_>, blocks: &Blocks, of: &Subroutine) -> Result<Vec<u64>, BadCode> {
    let mut bits = vec![0u64; usize::from(view.max_locals).div_ceil(64)];
    for block in of.blocks() {
        let end = blocks.starts.get(block + 1).map_or(view.code.len(), |&s| usize::from(s));
        let mut at = usize::from(blocks.starts[block]);
        while at < end {
            let i = Instruction::decode(view.code, at)?;
            at = i.next();
            if let op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3 = i.opcode {
                let local = usize::from(i.local().unwrap_or(0));
                for slot in local..local + usize::from(i.info().pop_slots) {
                    if let Some(word) = bits.get_mut(slot / 64) {
                        *word |= 1 << (slot % 64);
                    }
                }
            }
        }
    }
    Ok(bits)
}
