//! Type tests of what is no null do not ask for it.
//!
//! Invariant: a test loses its question only where a check for null dominates it. A check for null that follows a cast comes
//! before it, and leaves the code before the cast, as the cast's own guard does: the interpreter goes on there with whatever
//! there is, so that each of the two may fail for no reason.
use crate::ir::verify::Dominators;
use crate::ir::{Block, Func, Inst, Op, Value};
use std::collections::HashMap;

/// Instructions from a cast to a check that comes before it.
const MOST: usize = 12;

pub fn run(func: &mut Func) {
    let order = func.order();
    let tests = |i: &Inst| matches!(i.op, Op::CanCast(..) | Op::InstanceOf(..));
    if !order.iter().flat_map(|b| &func.block(*b).insts).any(tests) {
        return;
    }
    for &b in &order {
        check_first(func, b);
    }
    let dominators = Dominators::of(func, &order);
    // Where a value is known to be no null from there on.
    let mut known: HashMap<Value, Vec<Block>> = HashMap::new();
    for &b in &order {
        let mut insts = std::mem::take(&mut func.blocks[b.index()].insts);
        for i in &mut insts {
            match (&i.op, i.result) {
                (Op::NullCheck(v, _), _) => known.entry(*v).or_default().push(b),
                (Op::New(..) | Op::NewArray(..) | Op::MultiNewArray(..), Some(v)) => {
                    known.entry(v).or_default().push(b);
                }
                (Op::CanCast(class, v) | Op::InstanceOf(class, v), _)
                    if known.get(v).is_some_and(|all| all.iter().any(|d| *d == b || dominators.dominates(*d, b))) =>
                {
                    i.op = Op::IsA(class, *v);
                }
                _ => {}
            }
        }
        func.blocks[b.index()].insts = insts;
    }
}

/// Puts checks for null before the casts that they follow.
fn check_first(func: &mut Func, b: Block) {
    let insts = &mut func.blocks[b.index()].insts;
    let mut at = 0;
    while let [cast, guard, behind @ ..] = &insts[at..] {
        if let (Op::CanCast(_, object), Some(passed), Op::Guard(v, before)) = (&cast.op, cast.result, &guard.op)
            && *v == passed
            && let (object, before) = (*object, *before)
            && let Some(n) = behind.iter().take(MOST).position(|i| matches!(i.op, Op::NullCheck(v, _) if v == object))
        {
            let mut check = insts.remove(at + 2 + n);
            check.op = Op::NullCheck(object, before);
            insts.insert(at, check);
            at += 1;
        }
        at += 1;
    }
}
