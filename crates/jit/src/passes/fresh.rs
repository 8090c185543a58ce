//! Finds accesses to objects that nobody else can reach yet, loads of what is known to be in them, and stores that owe the
//! collector nothing.
//!
//! Invariant: an access becomes LOCAL only where, on all ways that lead to it from the object's
//! allocation, nothing has let the object out: no store of it anywhere but into itself, no call that takes it, no
//! publication, no lock. Where ways meet it may get another name: what is let out by that name is let out, accesses by it
//! stay as they are. A stop on that way is none: who looks at the heap then looks at a thread that stands still. In a loop
//! it stays so if the loop does nothing with it but to look at it and to store into it; what is in it then is not known where
//! the loop begins.
//!
//! Law L1 (`docs/papers/vbd.md`, "A fresh object that has not escaped the compilation"): no other
//! thread observes the object's memory before the store that lets it out, and the processor keeps
//! stores in order; so its accesses owe no fence, and pay none that is owed. Whether the object's
//! header has the LOCAL bit does not matter here.
//!
//! By the same law a field holds what this code stored or loaded last; a load of it is that value. Stores by another name
//! make its fields unknown, and so does a stop: a tool that looks at the frame may have changed them.
//!
//! An object is *young* as long as nothing behind its allocation may have stopped the thread. No collection has
//! made it old, so a reference stored into it need not be remembered; nobody who looked at the thread at a stop has made it
//! SHARED, so it is LOCAL if it is born so, and what is stored into it stays as it is: the publication
//! goes, and with it a place to stop.
use super::clean::{replace, resolve};
use super::loops;
use crate::ir::op::Access;
use crate::ir::{Func, Inst, Op, Value};
use concord_contract::BasicType;
use concord_contract::class::Birth;

/// A fresh object.
#[derive(Clone)]
struct Fresh {
    object: Value,
    /// Other values that may be the object, too.
    names: Vec<Value>,
    young: bool,
    /// Born LOCAL.
    local: bool,
    /// A field may hold the object itself.
    circular: bool,
    /// What is in fields of it, by offset.
    fields: Vec<(u32, Value)>,
}

pub fn run(func: &mut Func) {
    if !func.blocks.iter().flat_map(|b| &b.insts).any(|i| matches!(i.op, Op::New(..) | Op::NewArray(..))) {
        return;
    }
    let order = func.order();
    // What is known on all the ways to a block that have been seen, and how many have not: if there are some, the block is
    // a loop's head.
    let mut at_begin: Vec<Option<Vec<Fresh>>> = vec![None; func.blocks.len()];
    let mut ways = vec![0usize; func.blocks.len()];
    for b in &order {
        for to in func.block(*b).end.successors() {
            ways[to.index()] += 1;
        }
    }
    // Loads that are gone, and what they would give.
    let mut map: Vec<Value> = (0..func.types.len() as u32).map(Value).collect();
    let mut any = false;
    let mut seen = vec![false; func.blocks.len()];
    let mut preds = None;
    for &head in &order {
        let b = head.index();
        let mut fresh = at_begin[b].take().unwrap_or_default();
        if ways[b] != 0 && !fresh.is_empty() {
            let preds = preds.get_or_insert_with(|| loops::predecessors(func, &order));
            round(func, &mut fresh, loops::inside(func, head, preds, &seen));
        }
        seen[b] = true;
        let block = &mut func.blocks[b];
        block.insts.retain_mut(|i| {
            i.op.for_each_use_mut(|v| *v = resolve(&mut map, *v));
            if let Some((gone, is)) = forwarded(i, &fresh) {
                map[gone.index()] = is;
                any = true;
                return false;
            }
            if !step(i, &mut fresh) {
                return false;
            }
            let (Op::New(_, birth, _) | Op::NewArray(_, birth, ..), Some(object)) = (&i.op, i.result) else {
                return true;
            };
            let local = *birth == Birth::Local;
            fresh.push(Fresh { object, names: Vec::new(), young: true, local, circular: false, fields: Vec::new() });
            true
        });
        block.end.for_each_use_mut(|v| *v = resolve(&mut map, *v));
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
    if any {
        replace(func, &mut map);
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
        self.circular |= other.circular;
        self.fields.retain(|f| other.fields.contains(f));
        self.names.extend(&other.names);
        self.names.sort_unstable();
        self.names.dedup();
        Some(self)
    }
    /// A field is stored into what may be the object, or is it for certain.
    fn note_store(&mut self, o: Value, at: u32, v: Value, ty: BasicType) {
        if self.object != o {
            return self.fields.clear();
        }
        self.fields.retain(|f| f.0 != at);
        // Narrower ones lose bits on their way.
        if ty.heap_shift() >= BasicType::Int.heap_shift() {
            self.fields.push((at, v));
        }
    }
}

/// Leaves of what is known before a loop what holds in each of its turns. A loop with several entries has no blocks here.
fn round(func: &Func, fresh: &mut Vec<Fresh>, inside: Option<Vec<bool>>) {
    let Some(inside) = inside else { return fresh.clear() };
    // What it holds itself may get a name that is not known yet.
    fresh.retain(|f| !f.circular);
    for i in loops::insts(func, &inside) {
        let object = i.op.only_accesses();
        i.op.for_each_use(|v| fresh.retain(|f| !f.may_be(v) || object == Some(v)));
        if let Op::StoreField(_, _, v, _) | Op::StoreElement(_, _, v, _) = i.op {
            forget(fresh, v);
        }
    }
    for b in func.blocks.iter().zip(&inside).filter(|(_, inside)| **inside).map(|(b, _)| b) {
        b.end.for_each_use(|v| forget(fresh, v));
    }
    for f in fresh {
        f.young = false;
        f.fields.clear();
    }
}

fn forget(fresh: &mut Vec<Fresh>, v: Value) {
    fresh.retain(|f| !f.may_be(v));
}
/// The same where `v` is put into a field of `o`: its own field lets no object out.
fn forget_but(fresh: &mut Vec<Fresh>, v: Value, o: Value) {
    fresh.retain(|f| !f.may_be(v) || f.object == o);
}

/// The result of a load, if what it loads is known.
fn forwarded(i: &Inst, fresh: &[Fresh]) -> Option<(Value, Value)> {
    let Op::LoadField(o, at, _) = &i.op else { return None };
    let fields = &fresh.iter().find(|f| f.object == *o)?.fields;
    Some((i.result?, fields.iter().find(|f| f.0 == *at)?.1))
}

/// Marks the instruction's access if its object is fresh, and forgets what it lets out; whether the instruction stays.
fn step(i: &mut Inst, fresh: &mut Vec<Fresh>) -> bool {
    if fresh.is_empty() {
        return true;
    }
    let of = |fresh: &[Fresh], o: &Value| fresh.iter().find(|f| f.object == *o).map(|f| (f.young, f.local));
    match &mut i.op {
        Op::LoadField(o, at, m) => {
            localize(&mut m.access, of(fresh, o), false);
            let may_be_itself = fresh.iter_mut().filter(|f| f.circular && f.may_be(*o));
            may_be_itself.for_each(|f| f.names.extend(i.result));
            if let (Some(v), Some(f)) = (i.result, fresh.iter_mut().find(|f| f.object == *o)) {
                f.fields.push((*at, v));
            }
        }
        Op::LoadElement(o, _, m) => localize(&mut m.access, of(fresh, o), false),
        Op::StoreField(o, at, v, m) => {
            localize(&mut m.access, of(fresh, o), m.ty == BasicType::Object);
            forget_but(fresh, *v, *o);
            for f in fresh.iter_mut().filter(|f| f.may_be(*o)) {
                f.circular |= f.may_be(*v);
                f.note_store(*o, *at, *v, m.ty);
            }
        }
        Op::StoreElement(o, _, v, m) => {
            localize(&mut m.access, of(fresh, o), m.ty == BasicType::Object);
            forget(fresh, *v);
        }
        Op::Publish(o, v, _) => {
            if of(fresh, o) == Some((true, true)) {
                return false;
            }
            forget_but(fresh, *v, *o);
        }
        Op::NullCheck(..)
        | Op::BoundsCheck(..)
        | Op::ArrayLength(_)
        | Op::GetClass(_)
        | Op::InstanceOf(..)
        | Op::CanCast(..)
        | Op::CanStore(..)
        | Op::IsA(..)
        | Op::IsExactly(..)
        | Op::Cmp(..)
        | Op::CountClass(..)
        | Op::CountReceiver(..) => {}
        op => op.for_each_use(|v| forget(fresh, v)),
    }
    if i.op.safepoint().is_some() {
        for f in fresh {
            f.young = false;
            f.fields.clear();
        }
    }
    true
}

/// `of` says whether the object is young, if it is fresh.
fn localize(access: &mut Access, of: Option<(bool, bool)>, stores_reference: bool) {
    if let (Access::Shared(mode), Some((young, _))) = (*access, of) {
        *access = if stores_reference && young { Access::Young(mode) } else { Access::Local(mode) };
    }
}
