//! Owns the answer to "which locals may hold something before this instruction?": parameters, and
//! what a store on some path to the instruction has filled. Nothing empties a local, so the states
//! only grow. For tools; the collector does not ask.
//!
//! Deviations:
//! D1. A `ret` is taken to go behind every `jsr` of the method.

use super::blocks::Blocks;
use super::view::CodeView;
use crate::descriptor::MethodDescriptor;
use crate::opcodes::{BadCode, Flow, Instruction, op};

struct Assigned<'v, 'a> {
    view: &'v CodeView<'a>,
    blocks: Blocks,
    /// The state before each block, None if control has not come there yet.
    before: Vec<Option<Vec<u64>>>,
    /// Blocks behind a `jsr`.
    returns: Vec<usize>,
    dirty: Vec<usize>,
}

/// One bit per local, as it is before the instruction at `bci`; none where control never comes.
pub(super) fn compute(view: &CodeView<'_>, bci: usize) -> Result<Vec<u64>, BadCode> {
    let blocks = Blocks::find(view)?;
    let count = blocks.starts.len();
    let mut all = Assigned { view, before: vec![None; count], returns: Vec::new(), dirty: Vec::new(), blocks };
    all.merge(0, &all.parameters()?);
    while let Some(block) = all.dirty.pop() {
        all.block(block)?;
    }
    let block = all.blocks.starts.partition_point(|&s| usize::from(s) <= bci).wrapping_sub(1);
    let mut state = all.before.get(block).cloned().flatten().unwrap_or_else(|| all.none());
    let mut at = all.blocks.starts.get(block).map_or(bci, |&s| usize::from(s));
    while at < bci {
        let i = Instruction::decode(view.code, at)?;
        store(&i, &mut state);
        at = i.next();
    }
    Ok(state)
}

impl Assigned<'_, '_> {
    fn none(&self) -> Vec<u64> {
        vec![0; usize::from(self.view.max_locals).div_ceil(64)]
    }
    fn parameters(&self) -> Result<Vec<u64>, BadCode> {
        let Some(desc) = MethodDescriptor::new(self.view.descriptor) else {
            return Err(BadCode { bci: 0, why: "malformed descriptor" });
        };
        let mut state = self.none();
        set(&mut state, 0..desc.param_slots() + usize::from(!self.view.is_static));
        Ok(state)
    }

    fn merge(&mut self, target: usize, state: &[u64]) {
        let grown = match self.before.get_mut(target) {
            None => false,
            Some(before @ None) => {
                *before = Some(state.to_vec());
                true
            }
            Some(Some(before)) => before.iter_mut().zip(state).fold(false, |grown, (mine, theirs)| {
                let more = theirs & !*mine != 0;
                *mine |= theirs;
                grown | more
            }),
        };
        if grown {
            self.dirty.push(target);
        }
    }

    fn block(&mut self, block: usize) -> Result<(), BadCode> {
        let Some(mut state) = self.before[block].clone() else { return Ok(()) };
        let start = self.blocks.starts[block];
        let end = self.blocks.starts.get(block + 1).map_or(self.view.code.len(), |&s| usize::from(s));
        // The state before the last instruction that can throw has all that a handler can see.
        let mut thrown = None;
        let mut at = usize::from(start);
        let last = loop {
            let i = Instruction::decode(self.view.code, at)?;
            if can_throw(i.opcode) {
                thrown = Some(state.clone());
            }
            store(&i, &mut state);
            at = i.next();
            if at >= end {
                break i;
            }
        };
        if let Some(thrown) = thrown {
            for e in self.view.exception_table.iter().filter(|e| e.start <= start && start < e.end) {
                if let Some(handler) = self.blocks.at(usize::from(e.handler)) {
                    self.merge(handler, &thrown);
                }
            }
        }
        match last.info().flow {
            Flow::Ret => self.returns.clone().into_iter().for_each(|r| self.merge(r, &state)),
            flow => {
                if matches!(flow, Flow::Next | Flow::Branch) {
                    self.merge(block + 1, &state);
                } else if flow == Flow::Jsr && !self.returns.contains(&(block + 1)) {
                    self.returns.push(block + 1);
                    // The ways back that were looked at before this one was known.
                    self.dirty.extend((0..self.before.len()).filter(|&b| self.before[b].is_some()));
                }
                for target in last.targets() {
                    if let Some(target) = usize::try_from(target).ok().and_then(|t| self.blocks.at(t)) {
                        self.merge(target, &state);
                    }
                }
            }
        }
        Ok(())
    }
}

fn set(state: &mut [u64], slots: std::ops::Range<usize>) {
    for slot in slots {
        if let Some(word) = state.get_mut(slot / 64) {
            *word |= 1 << (slot % 64);
        }
    }
}
fn store(i: &Instruction<'_>, state: &mut [u64]) {
    if let op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3 = i.opcode {
        let local = usize::from(i.local().unwrap_or(0));
        set(state, local..local + usize::from(i.info().pop_slots));
    }
}
/// Returns throw, too, where a monitor is left locked: nobody is told of locals then.
fn can_throw(opcode: u8) -> bool {
    matches!(opcode,
        op::LDC..=op::LDC2_W | op::IALOAD..=op::SALOAD | op::IASTORE..=op::SASTORE
        | op::IDIV | op::LDIV | op::IREM | op::LREM
        | op::GETSTATIC..=op::MONITOREXIT | op::MULTIANEWARRAY)
}
