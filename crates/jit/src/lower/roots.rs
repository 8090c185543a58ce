//! Where references live while the code can be stopped.
//!
//! Invariant: at a safepoint every reference that is used behind it is in its slot. A reference that
//! is live across a safepoint at which the code always stops (a call) is stored once, at its
//! definition, and has its slot to itself as long as it lives; one that is live across cold
//! safepoints only (polls, slow allocations) is stored there. A cold safepoint that more than
//! [`CROWD`] references are live across counts as one at which the code always stops: storing and
//! loading all of them in each cold path would make code that grows with the square of the method.
//!
//! Behind a safepoint the register copy is stale. [`Roots::fresh_in`] says for each block which
//! references with a slot of their own are fresh in a register at its start on all paths; all others
//! are loaded at their next use.
use crate::ir::op::Safepoint;
use crate::ir::{Block, Func, Op, Terminator, Ty, Value};

/// References live across a cold safepoint from which on all of them stay in their slots.
const CROWD: usize = 32;

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Bits(Vec<u64>);

impl Bits {
    pub fn new(n: usize, full: bool) -> Bits {
        Bits(vec![if full { u64::MAX } else { 0 }; n.div_ceil(64)])
    }
    pub fn has(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 != 0)
    }
    pub fn add(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }
    pub fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
    pub fn unite(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    pub fn intersect(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(n, w)| {
            let mut rest = *w;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(n * 64 + bit)
            })
        })
    }
}

/// The plan for one function.
#[derive(Debug)]
pub struct Roots {
    /// References, by their number here.
    refs: Vec<Value>,
    /// Number of a value, `u32::MAX` for values of other types.
    number: Vec<u32>,
    /// Slot of each reference that is live across a safepoint.
    slot: Vec<Option<u32>>,
    /// Stored at the definition.
    homed: Bits,
    pub slots: u32,
    /// By block, the references live across each safepoint, the last one first; the terminator counts
    /// as the instruction behind the last.
    across: Vec<Vec<(usize, Vec<Value>)>>,
    fresh_in: Vec<Bits>,
}

impl Roots {
    pub fn of(func: &Func, order: &[Block]) -> Roots {
        let mut refs = Vec::new();
        let number = func.types.iter().enumerate().map(|(i, t)| {
            if *t == Ty::Ref {
                refs.push(Value(i as u32));
                refs.len() as u32 - 1
            } else {
                u32::MAX
            }
        });
        let number: Vec<u32> = number.collect();
        let n = refs.len();
        let mut this = Roots {
            refs,
            number,
            slot: vec![None; n],
            homed: Bits::new(n, false),
            slots: 0,
            across: Vec::new(),
            fresh_in: vec![Bits::new(n, true); func.blocks.len()],
        };
        let live_in = this.liveness(func, order);
        this.find_across(func, order, &live_in);
        this.assign_slots(func, order, &live_in);
        this.freshness(func, order);
        this
    }

    pub fn number(&self, v: Value) -> Option<usize> {
        self.number.get(v.index()).filter(|n| **n != u32::MAX).map(|n| *n as usize)
    }
    /// The slot of a reference that is live across some safepoint.
    pub fn slot(&self, v: Value) -> Option<u32> {
        self.number(v).and_then(|n| self.slot[n])
    }
    /// Whether the reference is in its slot from its definition on.
    pub fn is_homed(&self, v: Value) -> bool {
        self.number(v).is_some_and(|n| self.homed.has(n))
    }
    pub fn across(&self, b: Block, at: usize) -> &[Value] {
        let all = &self.across[b.index()];
        all.binary_search_by(|a| at.cmp(&a.0)).map_or(&[], |n| &all[n].1)
    }
    /// Whether behind the cold safepoint of this instruction everything is loaded again, as behind a call.
    pub fn is_crowded(&self, b: Block, at: usize) -> bool {
        self.across(b, at).len() > CROWD
    }
    /// How the instruction stops the code.
    fn stop(&self, b: Block, at: usize, op: &Op) -> Option<Safepoint> {
        match op.safepoint()? {
            Safepoint::Cold if self.is_crowded(b, at) => Some(Safepoint::Hot),
            s => Some(s),
        }
    }
    pub fn fresh_in(&self, b: Block) -> &Bits {
        &self.fresh_in[b.index()]
    }
    pub fn values(&self) -> usize {
        self.refs.len()
    }

    fn add(&self, set: &mut Bits, v: Value) {
        if let Some(n) = self.number(v) {
            set.add(n);
        }
    }

    /// Walks a block backwards from what is live behind it; `at` sees every instruction with what is
    /// live behind it (its own result not included).
    fn walk(&self, func: &Func, b: Block, live: &mut Bits, mut at: impl FnMut(usize, Option<Safepoint>, &Bits)) {
        let data = func.block(b);
        if let Some(s) = data.end.state() {
            func.state_values(s).for_each(|v| self.add(live, v));
        }
        if matches!(data.end, Terminator::Throw(..)) {
            at(data.insts.len(), Some(Safepoint::Hot), live);
        }
        data.end.for_each_use(|v| self.add(live, v));
        for (n, i) in data.insts.iter().enumerate().rev() {
            if let Some(s) = i.op.state() {
                func.state_values(s).for_each(|v| self.add(live, v));
            }
            if let Some(r) = i.result.and_then(|r| self.number(r)) {
                live.remove(r);
            }
            at(n, i.op.safepoint(), live);
            i.op.for_each_use(|v| self.add(live, v));
        }
        for p in &data.params {
            if let Some(n) = self.number(*p) {
                live.remove(n);
            }
        }
    }
    fn live_out(&self, func: &Func, b: Block, live_in: &[Bits]) -> Bits {
        let mut live = Bits::new(self.refs.len(), false);
        for s in func.block(b).end.successors() {
            live.unite(&live_in[s.index()]);
        }
        live
    }
    fn liveness(&self, func: &Func, order: &[Block]) -> Vec<Bits> {
        let mut live_in = vec![Bits::new(self.refs.len(), false); func.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for b in order.iter().rev() {
                let mut live = self.live_out(func, *b, &live_in);
                self.walk(func, *b, &mut live, |_, _, _| {});
                if live != live_in[b.index()] {
                    live_in[b.index()] = live;
                    changed = true;
                }
            }
        }
        live_in
    }

    fn find_across(&mut self, func: &Func, order: &[Block], live_in: &[Bits]) {
        let mut all = vec![Vec::new(); func.blocks.len()];
        let mut homed = Bits::new(self.refs.len(), false);
        for b in order {
            let mut live = self.live_out(func, *b, live_in);
            self.walk(func, *b, &mut live, |n, safepoint, live| {
                let Some(s) = safepoint else { return };
                let across: Vec<Value> = live.iter().map(|i| self.refs[i]).collect();
                if s == Safepoint::Hot || across.len() > CROWD {
                    homed.unite(live);
                }
                all[b.index()].push((n, across));
            });
        }
        (self.across, self.homed) = (all, homed);
    }

    /// Slots by linear scan over the blocks' order: a reference keeps its slot from its definition
    /// to the last block in which it is live.
    fn assign_slots(&mut self, func: &Func, order: &[Block], live_in: &[Bits]) {
        let n = self.refs.len();
        let mut needs = Bits::new(n, false);
        for a in self.across.iter().flatten() {
            a.1.iter().filter_map(|v| self.number(*v)).for_each(|i| needs.add(i));
        }
        const NONE: (u32, u32) = (u32::MAX, 0);
        let mut range = vec![NONE; n];
        let mut at = 0;
        let touch = |r: &mut (u32, u32), at: u32| *r = (r.0.min(at), r.1.max(at));
        for b in order {
            let data = func.block(*b);
            live_in[b.index()].iter().for_each(|i| touch(&mut range[i], at));
            data.params.iter().filter_map(|p| self.number(*p)).for_each(|i| touch(&mut range[i], at));
            for i in &data.insts {
                at += 1;
                let states = i.op.state().into_iter().flat_map(|s| func.state_values(s));
                let all = i.op.uses().into_iter().chain(states).chain(i.result);
                all.filter_map(|v| self.number(v)).for_each(|x| touch(&mut range[x], at));
            }
            at += 1;
            data.end.for_each_use(|v| {
                if let Some(i) = self.number(v) {
                    touch(&mut range[i], at);
                }
            });
            let states = data.end.state().into_iter().flat_map(|s| func.state_values(s));
            states.filter_map(|v| self.number(v)).for_each(|i| touch(&mut range[i], at));
            self.live_out(func, *b, live_in).iter().for_each(|i| touch(&mut range[i], at));
            at += 1;
        }
        let mut by_start: Vec<usize> = needs.iter().filter(|i| range[*i] != NONE).collect();
        by_start.sort_by_key(|i| range[*i].0);
        let mut active: Vec<(u32, u32)> = Vec::new();
        let mut free: Vec<u32> = Vec::new();
        for i in by_start {
            let (start, end) = range[i];
            active.retain(|(e, s)| {
                let ended = *e < start;
                if ended {
                    free.push(*s);
                }
                !ended
            });
            let s = free.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots - 1
            });
            self.slot[i] = Some(s);
            active.push((end, s));
        }
    }

    /// What a block does to the set of fresh references.
    pub fn step_fresh(
        &self,
        fresh: &mut Bits,
        uses: impl Iterator<Item = Value>,
        safepoint: Option<Safepoint>,
        result: Option<Value>,
    ) {
        uses.for_each(|v| self.add(fresh, v));
        if safepoint == Some(Safepoint::Hot) {
            fresh.clear();
        }
        if let Some(r) = result {
            self.add(fresh, r);
        }
    }
    fn freshness(&mut self, func: &Func, order: &[Block]) {
        let mut incoming: Vec<Option<Bits>> = vec![None; func.blocks.len()];
        incoming[0] = Some(Bits::new(self.refs.len(), false));
        let mut changed = true;
        while changed {
            changed = false;
            for b in order {
                let Some(start) = incoming[b.index()].clone() else { continue };
                let mut fresh = start;
                let data = func.block(*b);
                data.params.iter().for_each(|p| self.add(&mut fresh, *p));
                for (n, i) in data.insts.iter().enumerate() {
                    self.step_fresh(&mut fresh, i.op.uses().into_iter(), self.stop(*b, n, &i.op), i.result);
                }
                let mut uses = Vec::new();
                data.end.for_each_use(|v| uses.push(v));
                self.step_fresh(&mut fresh, uses.into_iter(), None, None);
                for s in data.end.successors() {
                    let known = &mut incoming[s.index()];
                    let mut new = known.clone().unwrap_or_else(|| Bits::new(self.refs.len(), true));
                    new.intersect(&fresh);
                    if known.as_ref() != Some(&new) {
                        *known = Some(new);
                        changed = true;
                    }
                }
            }
        }
        for (to, from) in self.fresh_in.iter_mut().zip(incoming) {
            if let Some(f) = from {
                *to = f;
            }
        }
    }
}
