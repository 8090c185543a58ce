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
    /// Its blocks, those of subroutines that it calls excluded.
    members: Vec<bool>,
    /// Locals that it or what it calls may write, as bits.
    pub written: Vec<u64>,
}

pub(super) struct Subroutines {
    pub list: Vec<Subroutine>,
}

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
        for (block, i) in last.iter().enumerate() {
            if i.info().flow != Flow::Jsr {
                continue;
            }
            let Some(entry) = usize::try_from(i.target()).ok().and_then(|t| blocks.at(t)) else {
                continue;
            };
            match list.iter_mut().find(|s| s.entry == entry) {
                Some(s) => s.callers.push(block),
                None => list.push(Subroutine {
                    entry,
                    callers: vec![block],
                    rets: vec![],
                    members: vec![],
                    written: vec![],
                }),
            }
        }
        if list.len().saturating_mul(count) > super::MAX_TABLE_WORDS * 8 {
            return Err(BadCode { bci: 0, why: "more subroutines than reference maps support" });
        }
        for s in &mut list {
            s.members = members(view, blocks, &last, s.entry);
            s.rets = (0..count).filter(|&b| s.members[b] && last[b].info().flow == Flow::Ret).collect();
            s.written = written(view, blocks, &s.members)?;
        }
        // What a called subroutine writes counts for the caller, to any depth.
        let entries: Vec<usize> = list.iter().map(|s| s.entry).collect();
        let calls = |s: &Subroutine| -> Vec<usize> {
            let targets = (0..count).filter(|&b| s.members[b] && last[b].info().flow == Flow::Jsr);
            let blocks = targets.filter_map(|b| usize::try_from(last[b].target()).ok().and_then(|t| blocks.at(t)));
            blocks.filter_map(|b| entries.iter().position(|&e| e == b)).collect()
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
                return Ok(Subroutines { list });
            }
        }
    }

    /// The subroutine whose first block is `entry`.
    pub fn at(&self, entry: usize) -> Option<&Subroutine> {
        self.list.iter().find(|s| s.entry == entry)
    }

    /// The subroutines that a `ret` in `block` may leave.
    pub fn of(&self, block: usize) -> impl Iterator<Item = &Subroutine> {
        self.list.iter().filter(move |s| s.members[block])
    }
}

fn members(view: &CodeView<'_>, blocks: &Blocks, last: &[Instruction<'_>], entry: usize) -> Vec<bool> {
    let mut members = vec![false; blocks.starts.len()];
    let mut work = vec![entry];
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut members[block], true) {
            continue;
        }
        let i = &last[block];
        let flow = i.info().flow;
        if matches!(flow, Flow::Next | Flow::Branch | Flow::Jsr) && block + 1 < members.len() {
            work.push(block + 1);
        }
        if flow != Flow::Jsr {
            work.extend(i.targets().filter_map(|t| usize::try_from(t).ok()).filter_map(|t| blocks.at(t)));
        }
        let start = blocks.starts[block];
        let covers = view.exception_table.iter().filter(|e| e.start <= start && start < e.end);
        work.extend(covers.filter_map(|e| blocks.at(usize::from(e.handler))));
    }
    members
}

fn written(view: &CodeView<'_>, blocks: &Blocks, members: &[bool]) -> Result<Vec<u64>, BadCode> {
    let mut bits = vec![0u64; usize::from(view.max_locals).div_ceil(64)];
    for block in (0..members.len()).filter(|&b| members[b]) {
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
