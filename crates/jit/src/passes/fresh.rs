//! Finds accesses to objects that nobody else can reach yet, and stores that owe the collector nothing.
//!
//! Invariant: an access becomes LOCAL only where, on all ways that lead to it from the object's
//! allocation, nothing has let the object out: no store of it anywhere, no call that takes it, no
//! publication, no lock. Where ways meet it may get another name: what is let out by that name is let out, accesses by it
//! stay as they are. A stop on that way is none: who looks at the heap then looks at a thread that stands still. A loop's
//! head knows nothing.
//!
//! Law L1 (`docs/papers/vbd.md`, "A fresh object that has not escaped the compilation"): no other
//! thread observes the object's memory before the store that lets it out, and the processor keeps
//! stores in order; so its accesses owe no fence, and pay none that is owed. Whether the object's
//! header has the LOCAL bit does not matter here.
//!
//! An object is *young* as long as nothing behind its allocation may have stopped the thread. No collection has
//! made it old, so a reference stored into it need not be remembered; nobody who looked at the thread at a stop has made it
//! SHARED, so it is LOCAL if its class's objects are born so, and what is stored into it stays as it is: the publication
//! goes, and with it a place to stop.
use crate::ir::op::Access;
use crate::ir::{Func, Op, Value};
use concord_contract::BasicType;
use concord_contract::object::LOCAL_BIT;
use std::sync::atomic::Ordering;

/// A fresh object.
#[derive(Clone)]
struct Fresh {
    object: Value,
    /// Parameters of blocks that may be the object, too.
    names: Vec<Value>,
    young: bool,
    /// Born LOCAL.
    local: bool,
}

pub fn run(func: &mut Func) {
    if !func.blocks.iter().flat_map(|b| &b.insts).any(|i| matches!(i.op, Op::New(..) | Op::NewArray(..))) {
        return;
    }
    let order = func.order();
    // What is known on all the ways to a block that have been seen, and how many have not: a loop's head learns nothing.
    let mut at_begin: Vec<Option<Vec<Fresh>>> = vec![None; func.blocks.len()];
    let mut ways = vec![0usize; func.blocks.len()];
    for b in &order {
        for to in func.block(*b).end.successors() {
            ways[to.index()] += 1;
        }
    }
    for b in order.iter().map(|b| b.index()) {
        let mut fresh = at_begin[b].take().filter(|_| ways[b] == 0).unwrap_or_default();
        let block = &mut func.blocks[b];
        block.insts.retain_mut(|i| {
            if !step(&mut i.op, &mut fresh) {
                return false;
            }
            let (Op::New(class, _) | Op::NewArray(class, ..), Some(object)) = (&i.op, i.result) else { return true };
            let local = class.birth.load(Ordering::Relaxed) & LOCAL_BIT != 0;
            fresh.push(Fresh { object, names: Vec::new(), young: true, local });
            true
        });
        for to in func.blocks[b].end.targets() {
            let params = &func.block(to.block).params;
            ways[to.block.index()] -= 1;
            let here = fresh.iter().map(|f| f.named(to.args.iter().zip(params)));
            let known = &mut at_begin[to.block.index()];
            *known = Some(match known.take() {
                None => here.collect(),
                Some(other) => here.filter_map(|f| f.meet(&other)).collect(),
            });
        }
    }
}

impl Fresh {
    fn may_be(&self, v: Value) -> bool {
        self.object == v || self.names.contains(&v)
    }
    /// As it is known in a block that is given such arguments for its parameters.
    fn named<'a>(&self, given: impl Iterator<Item = (&'a Value, &'a Value)>) -> Fresh {
        let mut f = self.clone();
        f.names.extend(given.filter(|(arg, _)| self.may_be(**arg)).map(|(_, param)| *param));
        f
    }
    /// What is known where another way meets this one.
    fn meet(mut self, others: &[Fresh]) -> Option<Fresh> {
        let other = others.iter().find(|f| f.object == self.object)?;
        self.young &= other.young;
        self.names.extend(&other.names);
        self.names.sort_unstable();
        self.names.dedup();
        Some(self)
    }
}

fn forget(fresh: &mut Vec<Fresh>, v: Value) {
    fresh.retain(|f| !f.may_be(v));
}

/// Marks the instruction's access if its object is fresh, and forgets what it lets out; whether the instruction stays.
fn step(op: &mut Op, fresh: &mut Vec<Fresh>) -> bool {
    if fresh.is_empty() {
        return true;
    }
    let of = |fresh: &[Fresh], o: &Value| fresh.iter().find(|f| f.object == *o).map(|f| (f.young, f.local));
    match op {
        Op::LoadField(o, _, m) | Op::LoadElement(o, _, m) => localize(&mut m.access, of(fresh, o), false),
        Op::StoreField(o, _, v, m) | Op::StoreElement(o, _, v, m) => {
            localize(&mut m.access, of(fresh, o), m.ty == BasicType::Object);
            forget(fresh, *v);
        }
        Op::Publish(o, v, _) => {
            if of(fresh, o) == Some((true, true)) {
                return false;
            }
            forget(fresh, *v);
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
        _ => op.for_each_use(|v| forget(fresh, v)),
    }
    if op.safepoint().is_some() {
        fresh.iter_mut().for_each(|f| f.young = false);
    }
    true
}

/// `of` says whether the object is young, if it is fresh.
fn localize(access: &mut Access, of: Option<(bool, bool)>, stores_reference: bool) {
    if let (Access::Shared(mode), Some((young, _))) = (*access, of) {
        *access = if stores_reference && young { Access::Young(mode) } else { Access::Local(mode) };
    }
}
