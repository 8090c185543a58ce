//! Places the fences that the access modes ask for: as late as possible, one for several stores.
//!
//! Invariant: on every path from an access that needs a fence behind it to the next shared load, or
//! to anything that another thread or the rest of the program may observe (call, return, stop), there is a fence. Guards,
//! and what calls the VM in its cold case only, pay there; a publication's row does it itself.
//!
//! Law: between a store and the next load of shared memory nothing observes the order of the store
//! against later loads (`memory-model::must_order`); stores among themselves are kept in order by
//! the processor, and by this tier, which moves none. A store into an object that only this thread
//! can reach owes nothing (L1; [`super::fresh`] knows some of them): a fence names the objects that the stores before it went to, and asks
//! them when it is executed. An object that was SHARED at the store is so for ever; one that has
//! become SHARED since costs a fence that was not needed.
//!
//! A fence waits for the next block if it may meet another store there, and if it costs no other way to that block a fence
//! that it does not owe (`Plan`). Not at a switch: where jumps by a table go, the check of the machine code knows by blocks, of
//! which some are empty and begin where others do.
use super::loops;
use crate::ir::op::Access;
use crate::ir::op::Target;
use crate::ir::verify::Dominators;
use crate::ir::{Block, BlockData, ENTRY, Func, Inst, Op, Terminator, Value};
use concord_memory_model::{self as model, Arch, Fence};
use std::collections::HashMap;

/// What an instruction is to stores that are not fenced yet.
#[derive(Clone, Copy, PartialEq)]
enum Event {
    /// Another one, into this object if it may be LOCAL.
    Store(Option<Value>),
    /// A fence.
    Fences,
    /// Must not be before the fence.
    Observes,
    Nothing,
}

fn event(op: &Op) -> Event {
    match op {
        // A full fence, and a locked instruction is one.
        Op::CompareAndSet(..) | Op::CompareAndExchange(..) | Op::Update(..) => Event::Fences,
        Op::Fence(v) if v.is_empty() => Event::Fences,
        op if fence_behind(op) == Fence::Full => Event::Store(op.store_target()),
        op if observes(op) => Event::Observes,
        _ => Event::Nothing,
    }
}

/// What fence an access needs behind it; those before it exist on no processor that this back end
/// serves.
fn fence_behind(op: &Op) -> Fence {
    match op.memory() {
        Some((mem, kind)) => match mem.access {
            Access::Shared(mode) | Access::Raw(mode) => model::fences(kind, mode, Arch::X86_64).after,
            Access::Immutable | Access::Local(_) | Access::Young(_) => Fence::None,
        },
        None => Fence::None,
    }
}

/// Whether an owed fence must come before the instruction.
fn observes(op: &Op) -> bool {
    if let Some((mem, kind)) = op.memory() {
        return kind != model::Access::Store && matches!(mem.access, Access::Shared(_) | Access::Raw(_));
    }
    // These stop in their cold case only, and pay there. Everything else that calls observes.
    (op.safepoint().is_some() && !pays_when_cold(op)) || matches!(op, Op::Leaf(..))
}

fn pays_when_cold(op: &Op) -> bool {
    op.is_guard()
        || matches!(op, Op::Poll(_) | Op::Publish(_, _, Some(_)) | Op::PublishShared(_, Some(_)))
        || matches!(op, Op::New(..) | Op::NewArray(..))
}

/// Objects that are asked; with more of them the fence is cheaper.
const MOST: usize = 3;

/// Stores that are not fenced yet.
#[derive(Clone, Default, PartialEq)]
struct Owed {
    any: bool,
    /// The objects they went to.
    to: Vec<Value>,
    /// One of them is SHARED for certain.
    shared: bool,
}

impl Owed {
    fn store(&mut self, to: Option<Value>) {
        self.any = true;
        match to {
            Some(o) if self.to.contains(&o) => {}
            Some(o) if self.to.len() < MOST => self.to.push(o),
            _ => self.shared = true,
        }
    }
    /// What is owed where another way meets this one.
    fn meet(&mut self, other: &Owed) {
        other.to.iter().for_each(|o| self.store(Some(*o)));
        self.any |= other.any;
        self.shared |= other.shared;
    }
    fn pay(&mut self) -> Option<Inst> {
        let owed = std::mem::take(self);
        let asked = if owed.shared { Vec::new() } else { owed.to };
        owed.any.then_some(Inst { op: Op::Fence(asked), result: None, owes_fence: false })
    }
    /// What is owed behind an instruction, all being paid before it that has to be.
    fn step(&mut self, event: Event) {
        match event {
            Event::Store(to) => self.store(to),
            Event::Fences | Event::Observes => *self = Owed::default(),
            Event::Nothing => {}
        }
    }
}

pub fn run(func: &mut Func) {
    if !func.blocks.iter().flat_map(|b| &b.insts).any(|i| matches!(event(&i.op), Event::Store(_))) {
        return;
    }
    let order = func.order();
    let Plan { begin, accepts, waits, .. } = Plan::of(func, &order);
    for b in order {
        let block = &mut func.blocks[b.index()];
        let mut owed = begin[b.index()].clone();
        let mut out = Vec::with_capacity(block.insts.len() + 2);
        for mut i in std::mem::take(&mut block.insts) {
            let event = event(&i.op);
            if event == Event::Observes {
                out.extend(owed.pay());
            }
            i.owes_fence = owed.any && pays_when_cold(&i.op);
            owed.step(event);
            out.push(i);
        }
        match block.end {
            Terminator::Deopt(_) => block.end_owes_fence = owed.any,
            _ if waits[b.index()] => {}
            _ => out.extend(owed.pay()),
        }
        block.insts = out;
        if owed.any {
            pay_on_the_way(func, b, &owed, &accepts);
        }
    }
}

/// Puts the fence that the end of `b` owes between it and those blocks behind it that do not take it over.
fn pay_on_the_way(func: &mut Func, b: Block, owed: &Owed, accepts: &[bool]) {
    let mut end = std::mem::replace(&mut func.blocks[b.index()].end, Terminator::Unset);
    end.for_each_target_mut(|t| {
        let behind = t.block;
        if !accepts[behind.index()] {
            let between = Block(func.blocks.len() as u32);
            let to = Target { block: between, args: Vec::new() };
            let end = Terminator::Jump(std::mem::replace(t, to));
            let insts = owed.clone().pay().into_iter().collect();
            let cold = func.block(behind).cold;
            func.blocks.push(BlockData { insts, end, cold, ..BlockData::default() });
        }
    });
    func.blocks[b.index()].end = end;
}

/// Rounds in which a plan has to be found.
const ROUNDS: usize = 12;

/// Where a fence waits for what comes behind a block.
///
/// Invariant: what a block owes at its begin is what all blocks before it owe at their ends, those that pay there nothing.
/// No way asks more objects for that than it would by itself (`is_fair`), unless the block is seldom reached. What does not
/// take over what is owed gets it paid on the way.
struct Plan<'a> {
    func: &'a Func,
    preds: Vec<Vec<Block>>,
    dominators: Dominators,
    /// Where values are objects.
    objects: HashMap<Value, Vec<Block>>,
    /// Blocks that may meet a store or a fence before anything observes.
    may: Vec<bool>,
    begin: Vec<Owed>,
    /// What blocks owe at their ends; None: not known yet.
    end: Vec<Option<Owed>>,
    /// Blocks that take over what is owed.
    accepts: Vec<bool>,
    /// Blocks that do not pay at their ends.
    waits: Vec<bool>,
}

impl Plan<'_> {
    fn of<'a>(func: &'a Func, order: &[Block]) -> Plan<'a> {
        let n = func.blocks.len();
        let mut plan = Plan {
            func,
            preds: loops::predecessors(func, order),
            dominators: Dominators::of(func, order),
            objects: accesses(func, order),
            may: may_meet(func, order),
            begin: vec![Owed::default(); n],
            end: vec![None; n],
            accepts: vec![true; n],
            waits: vec![true; n],
        };
        if !(0..ROUNDS).any(|_| !plan.round(order)) {
            plan.begin.fill(Owed::default());
            plan.waits.fill(false);
        }
        plan
    }
    /// Whether anything has changed.
    fn round(&mut self, order: &[Block]) -> bool {
        let mut changed = false;
        for &b in order {
            let data = self.func.block(b);
            let begin = self.met(b);
            let refuses = self.accepts[b.index()] && begin.is_none();
            self.accepts[b.index()] &= !refuses;
            let begin = begin.unwrap_or_default();
            let mut owed = begin.clone();
            data.insts.iter().for_each(|i| owed.step(event(&i.op)));
            let next = data.end.successors();
            // A loop has no block more in each turn for what is saved behind it.
            let again = |s: &Block| !self.accepts[s.index()] && self.dominators.dominates(*s, b);
            let gains = next.iter().any(|s| self.accepts[s.index()] && self.may[s.index()]);
            let waits = gains && !next.iter().any(again) && !matches!(data.end, Terminator::Switch(..));
            if !waits {
                owed = Owed::default();
            }
            let other = begin != self.begin[b.index()] || Some(&owed) != self.end[b.index()].as_ref();
            changed |= refuses || other || waits != self.waits[b.index()];
            self.begin[b.index()] = begin;
            self.end[b.index()] = Some(owed);
            self.waits[b.index()] = waits;
        }
        changed
    }
    /// What a block owes at its begin; None: whoever comes here has to pay before.
    fn met(&self, b: Block) -> Option<Owed> {
        let mut owed = Owed::default();
        if b == ENTRY {
            return Some(owed);
        }
        if !self.accepts[b.index()] {
            return None;
        }
        let data = self.func.block(b);
        let cold = data.cold || matches!(data.end, Terminator::Deopt(_));
        let ends = || self.preds[b.index()].iter().filter_map(|p| self.end[p.index()].as_ref());
        ends().for_each(|end| owed.meet(end));
        // Who has not stored into it may have no such object, or a null.
        let stored = first_event(data).and_then(|e| if let Event::Store(to) = e { to } else { None });
        // An object that the block makes is another one for each turn.
        let stored = stored.filter(|v| !data.params.contains(v) && data.insts.iter().all(|i| i.result != Some(*v)));
        let may_be_asked =
            |v: &Value| ends().all(|end| end.to.contains(v)) || stored == Some(*v) || self.is_object(*v, b);
        if !owed.shared && !owed.to.iter().all(may_be_asked) {
            if !cold {
                return None;
            }
            owed.shared = true;
        }
        if owed.shared {
            owed.to.clear();
        }
        (!owed.any || cold || self.is_fair(b, &owed)).then_some(owed)
    }
    /// Whether what all ways to a block owe together is what each of them would pay for: those that come from outside of a
    /// loop owe the same; what jumps back has still that, and more; who owes nothing meets a store that pays at least as much.
    fn is_fair(&self, b: Block, owed: &Owed) -> bool {
        let known = |p: &Block| self.end[p.index()].as_ref().map(|end| (self.dominators.dominates(b, *p), end));
        let mut ends: Vec<(bool, &Owed)> = self.preds[b.index()].iter().filter_map(known).collect();
        let all = ends.len();
        ends.retain(|(_, end)| end.any);
        ends.sort_by_key(|(back, _)| *back);
        let (first_back, first) = ends[0];
        let includes =
            |big: &Owed, small: &Owed| big.shared >= small.shared && small.to.iter().all(|o| big.to.contains(o));
        let equal = |end: &Owed| includes(end, first) && includes(first, end);
        let same = ends.iter().all(|(back, end)| if *back && !first_back { includes(end, first) } else { equal(end) });
        let pays_as_much = match first_event(self.func.block(b)) {
            Some(Event::Fences | Event::Store(None)) => true,
            Some(Event::Store(Some(o))) => !owed.shared && owed.to == [o],
            _ => false,
        };
        same && (ends.len() == all || pays_as_much)
    }
    /// Whether a value is there at the begin of `b`, and no null, since every way to it accesses it.
    fn is_object(&self, v: Value, b: Block) -> bool {
        let above = |d: &Block| *d != b && self.dominators.dominates(*d, b);
        self.objects.get(&v).is_some_and(|all| all.iter().any(above))
    }
}

fn first_event(data: &BlockData) -> Option<Event> {
    data.insts.iter().map(|i| event(&i.op)).find(|e| *e != Event::Nothing)
}

/// The blocks that access a value, or make an object of it.
fn accesses(func: &Func, order: &[Block]) -> HashMap<Value, Vec<Block>> {
    let mut objects: HashMap<Value, Vec<Block>> = HashMap::new();
    for &b in order {
        for i in &func.block(b).insts {
            let object = match (&i.op, i.result) {
                (Op::New(..) | Op::NewArray(..) | Op::Root(_), Some(v)) => v,
                (Op::Param(0), Some(v)) if !func.method.is_static() => v,
                (Op::NullCheck(v, _) | Op::ArrayLength(v) | Op::GetClass(v), _) => *v,
                (Op::LoadField(v, ..) | Op::LoadElement(v, ..), _) => *v,
                (Op::StoreField(v, ..) | Op::StoreElement(v, ..), _) => *v,
                _ => continue,
            };
            let places = objects.entry(object).or_default();
            if places.last() != Some(&b) {
                places.push(b);
            }
        }
    }
    objects
}

/// Which blocks may meet a store that needs a fence, or a fence, before anything observes. What leaves the code pays in the
/// cold and has no say.
fn may_meet(func: &Func, order: &[Block]) -> Vec<bool> {
    let mut meets = vec![false; func.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &b in order.iter().rev() {
            let data = func.block(b);
            let is = match first_event(data) {
                Some(e) => e != Event::Observes,
                None => data.end.successors().iter().any(|s| meets[s.index()]),
            };
            changed |= std::mem::replace(&mut meets[b.index()], is) != is;
        }
    }
    meets
}
