//! Passes that Concord must not have: each takes one law of program order away from the actors of the
//! litmus tests. `mutants` puts this file beside the passes of the quick tier.
//!
//! Invariant: values are still defined before their uses, and locks, guards and calls keep their order;
//! only accesses to shared memory move, within their block. What moves is kept apart by a fence, so
//! that it stays moved for longer than a processor keeps a line of memory.
use crate::ir::{Access, BlockData, Func, Inst, Op, Terminator, Value};
use concord_memory_model as model;
use std::cell::Cell;

/// Runs `change` on the instructions of each block of an actor, and of the loops that run actors.
fn actors(func: &mut Func, change: impl Fn(usize, Vec<Inst>) -> Vec<Inst>) {
    let (class, name) = (func.method.class.name.as_str(), func.method.name.as_str());
    if class.starts_with("litmus/") && ["actor", "get", "jcstress_stride_actor"].iter().any(|n| name.starts_with(n)) {
        for (at, b) in func.blocks.iter_mut().enumerate() {
            // What needs nothing stands in no access's way.
            let (front, rest) = std::mem::take(&mut b.insts).into_iter().partition(|i| match i.op {
                Op::Param(_) | Op::Int(_) | Op::Long(_) | Op::Float(_) | Op::Double(_) | Op::Null | Op::Root(_) => true,
                _ => false,
            });
            let (mut all, rest): (Vec<Inst>, Vec<Inst>) = (front, change(at, rest));
            all.extend(rest);
            b.insts = all;
        }
    }
}

fn fence() -> Inst {
    Inst { op: Op::Fence(Vec::new()), result: None, owes_fence: false }
}
/// Accesses by a VarHandle and by reflection are calls.
fn by_call(op: &Op) -> bool {
    let Op::Call(t, ..) = op else { return false };
    t.method.name.as_str().starts_with("guard_")
        || ["litmus/F", "java/lang/reflect/Field"].contains(&&*t.method.class.name.as_str())
}
fn is(i: &Inst, kind: model::Access) -> bool {
    let is_load = kind == model::Access::Load;
    match i.op.memory() {
        Some((m, k)) => k == kind && m.access != Access::Immutable,
        None => by_call(&i.op) && i.result.is_some() == is_load,
    }
}
fn is_store(i: &Inst) -> bool {
    is(i, model::Access::Store)
}
fn is_load(i: &Inst) -> bool {
    is(i, model::Access::Load)
}
/// The place behind all that the instruction needs, and behind what `stays` says.
fn earliest(before: &[Inst], i: &Inst, stays: impl Fn(&Inst) -> bool) -> usize {
    let uses = i.op.uses();
    let needed = |e: &Inst| e.result.is_some_and(|v| uses.contains(&v)) || stays(e);
    before.iter().rposition(needed).map_or(0, |at| at + 1)
}
fn hoist(all: Vec<Inst>, moves: fn(&Inst) -> bool, stays: impl Fn(&Inst, &Inst) -> bool) -> Vec<Inst> {
    let mut out: Vec<Inst> = Vec::new();
    for i in all {
        let at = if moves(&i) { earliest(&out, &i, |e| stays(&i, e)) } else { out.len() };
        let behind = out[at..].iter().any(|e| is_load(e) || is_store(e) || by_call(&e.op));
        out.insert(at, i);
        if behind && moves(&out[at]) {
            out.insert(at + 1, fence());
        }
    }
    out
}

/// A store takes effect before later stores, before its monitor is released and its object is copied:
/// here the first store of a block comes behind all the rest, that of the first block at the end of the
/// method.
pub fn stores_late(func: &mut Func) {
    let returns = |b: &BlockData| matches!(b.end, Terminator::Return(_));
    let ends: Vec<usize> = (1..func.blocks.len()).filter(|b| returns(&func.blocks[*b])).collect();
    let away = Cell::new(None);
    actors(func, |at, mut all| {
        if let Some(first) = all.iter().position(is_store) {
            let late = all.remove(first);
            if at == 0 && !ends.is_empty() {
                away.set(Some(late));
            } else {
                all.extend([fence(), late]);
            }
        }
        all
    });
    if let Some(late) = away.take() {
        ends.iter().for_each(|b| func.blocks[*b].insts.extend([fence(), late.clone()]));
    }
}
/// A store takes effect behind earlier stores, loads and calls: here they come first.
pub fn stores_early(func: &mut Func) {
    actors(func, |_, all| hoist(all, |i| i.op.memory().is_some() && is_store(i), |_, _| false));
}
fn object(i: &Inst) -> Option<Value> {
    i.op.uses().first().copied()
}
/// A load takes effect before later loads: here the last one comes first, but behind stores to its object.
pub fn loads_early(func: &mut Func) {
    actors(func, |_, all| hoist(all, is_load, |load, e| is_store(e) && object(e) == object(load)));
}
/// A thread sees its own last store: here loads come before stores to their object.
pub fn own_stores_unseen(func: &mut Func) {
    actors(func, |_, all| hoist(all, is_load, |_, _| false));
}
