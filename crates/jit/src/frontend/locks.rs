//! How many monitors a frame holds where code enters it in the middle.
//!
//! Invariant: the answer is that of every path by normal control flow from the method's start, so it
//! is what an execution with nested locks has there. A place with two answers, or one that only
//! handlers of exceptions lead to, has none; a frame that holds another number does not enter the code
//! (`compiled::osr`).
use super::blocks::Blocks;
use concord_classfile::opcodes::op;
use concord_contract::compiled::Bailout;
use concord_contract::method::MethodRef;

/// Monitors held at the start of block `at`, the method's own included.
///
/// # Errors
/// Where there is no one answer.
pub fn held_at(m: MethodRef, blocks: &Blocks, at: usize) -> Result<usize, Bailout> {
    let refuse = |why: &str| Err(Bailout::Unsupported(format!("on-stack replacement {why}")));
    let mut held: Vec<Option<usize>> = vec![None; blocks.blocks.len()];
    let mut todo = vec![0];
    held[0] = Some(m.is_synchronized() as usize);
    while let Some(b) = todo.pop() {
        let Some(mut n) = held[b] else { continue };
        for i in blocks.instructions(b) {
            match (i.opcode, n) {
                (op::MONITORENTER, _) => n += 1,
                (op::MONITOREXIT, 0) => return refuse("with locks that are not nested"),
                (op::MONITOREXIT, _) => n -= 1,
                _ => {}
            }
        }
        for s in &blocks.blocks[b].successors {
            match held[*s] {
                None => {
                    held[*s] = Some(n);
                    todo.push(*s);
                }
                Some(k) if k != n => return refuse("where paths with different locks meet"),
                Some(_) => {}
            }
        }
    }
    match held[at] {
        Some(n) => Ok(n),
        None => refuse("in a handler of a method with locks"),
    }
}
