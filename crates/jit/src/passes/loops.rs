//! Which blocks a loop has.
//!
//! Invariant: of a head that passes meet in reverse postorder, a loop is all from which its jumps back come without
//! passing the head; it can be entered at the head only, or it is none.
use crate::ir::{Block, ENTRY, Func, Inst};

/// The blocks that jump to each, once each.
pub fn predecessors(func: &Func, order: &[Block]) -> Vec<Vec<Block>> {
    let mut preds = vec![Vec::new(); func.blocks.len()];
    for b in order {
        for s in func.block(*b).end.successors() {
            if !preds[s.index()].contains(b) {
                preds[s.index()].push(*b);
            }
        }
    }
    preds
}

/// The loop that `head` begins, by block; None if it has other entries. `seen` are the blocks that come before the head
/// in reverse postorder: what jumps to it from elsewhere jumps back.
pub fn inside(func: &Func, head: Block, preds: &[Vec<Block>], seen: &[bool]) -> Option<Vec<bool>> {
    let mut inside = vec![false; func.blocks.len()];
    inside[head.index()] = true;
    let mut work: Vec<Block> = preds[head.index()].iter().copied().filter(|p| !seen[p.index()]).collect();
    while let Some(b) = work.pop() {
        if b == ENTRY {
            return None;
        }
        if !std::mem::replace(&mut inside[b.index()], true) {
            work.extend(&preds[b.index()]);
        }
    }
    Some(inside)
}

/// The instructions of those blocks.
pub fn insts<'a>(func: &'a Func, inside: &'a [bool]) -> impl Iterator<Item = &'a Inst> {
    func.blocks.iter().zip(inside).filter(|(_, inside)| **inside).flat_map(|(b, _)| &b.insts)
}
