//! Finds accesses to objects that nobody else can reach yet.
//!
//! Invariant: an access becomes LOCAL only where, on the one way that leads to it from the object's
//! allocation, nothing has let the object out: no store of it anywhere, no call that takes it, no
//! publication, no lock, no merge that gives it another name. A stop on that way is none: who looks at
//! the heap then looks at a thread that stands still.
//!
//! Law L1 (`docs/papers/vbd.md`, "A fresh object that has not escaped the compilation"): no other
//! thread observes the object's memory before the store that lets it out, and the processor keeps
//! stores in order; so its accesses owe no fence, and pay none that is owed. Whether the object's
//! header has the LOCAL bit does not matter here: publication asks the bit all the same.
use crate::ir::op::Access;
use crate::ir::{Func, Op, Value};

pub fn run(func: &mut Func) {
    let allocates = |op: &Op| matches!(op, Op::New(..) | Op::NewArray(..));
    if !func.blocks.iter().flat_map(|b| &b.insts).any(|i| allocates(&i.op)) {
        return;
    }
    let order = func.order();
    // The only predecessor, where there is one.
    let mut before: Vec<Before> = vec![Before::None; func.blocks.len()];
    for b in &order {
        for to in func.block(*b).end.successors() {
            let p = &mut before[to.index()];
            *p = if matches!(p, Before::None) { Before::One(b.index()) } else { Before::Many };
        }
    }
    let mut at_end: Vec<Vec<Value>> = vec![Vec::new(); func.blocks.len()];
    for b in order.iter().map(|b| b.index()) {
        let mut fresh = match before[b] {
            Before::One(p) => at_end[p].clone(),
            _ => Vec::new(),
        };
        let block = &mut func.blocks[b];
        for i in &mut block.insts {
            step(&mut i.op, &mut fresh);
            if let (true, Some(v)) = (allocates(&i.op), i.result) {
                fresh.push(v);
            }
        }
        block.end.for_each_use(|v| fresh.retain(|f| *f != v));
        at_end[b] = fresh;
    }
}

/// What leads to a block.
#[derive(Clone, Copy)]
enum Before {
    None,
    One(usize),
    Many,
}

/// Marks the instruction's access if its object is fresh, and forgets what it lets out.
fn step(op: &mut Op, fresh: &mut Vec<Value>) {
    if fresh.is_empty() {
        return;
    }
    match op {
        Op::LoadField(o, _, m) | Op::LoadElement(o, _, m) => localize(&mut m.access, fresh.contains(o)),
        Op::StoreField(o, _, v, m) | Op::StoreElement(o, _, v, m) => {
            localize(&mut m.access, fresh.contains(o));
            let v = *v;
            fresh.retain(|f| *f != v);
        }
        Op::Publish(_, v, _) => {
            let v = *v;
            fresh.retain(|f| *f != v);
        }
        Op::NullCheck(..)
        | Op::BoundsCheck(..)
        | Op::ArrayLength(_)
        | Op::GetClass(_)
        | Op::InstanceOf(..)
        | Op::CanCast(..)
        | Op::CanStore(..)
        | Op::IsExactly(..)
        | Op::Cmp(..)
        | Op::CountClass(..)
        | Op::CountReceiver(..) => {}
        _ => op.for_each_use(|v| fresh.retain(|f| *f != v)),
    }
}

fn localize(access: &mut Access, is_fresh: bool) {
    if let (Access::Shared(mode), true) = (*access, is_fresh) {
        *access = Access::Local(mode);
    }
}
