//! Removes loads whose value is known, and checks for null of what such loads gave and is none.
//!
//! Invariant: a load goes only where, on all ways that lead to it, its value has been loaded or stored under one of the
//! laws; what a block's end knows is what all ways to it know.
//!
//! - *Adjacent.* Between the first access to the cell and the load this thread touches no shared memory: no load, no store,
//!   no call. Then there is an interleaving in which no other thread does anything between the two, and the load gives what
//!   the first one gave or stored. Arithmetic, checks, lengths, classes and accesses to objects that nobody else can reach
//!   touch none. A place to stop ends it, since others can see that the thread stands there; and so does what jumps back, so
//!   that who waits for a field looks again.
//! - *Written once.* A final field that refers to an object has had its only store (its constructor's: before it the field
//!   is null), so it goes on to do so; and a field of a string or a box is what it is, since their constructors show the
//!   object to nobody. Reflection, `Unsafe` and foreign code can change it: calls and accesses at any offset
//!   end it, and so does a store to a field at this offset.
//! - *Java memory model.* Relaxed accesses give what the last relaxed access to the cell gave or stored, until a call, a lock,
//!   a fence, a load that others are not moved before, or a store that may be to the same cell.
//!
//! The laws are L7 and L8 of `docs/papers/vbd.md`.
use super::clean::{replace, resolve};
use super::loops;
use crate::ir::op::{Access, Mem};
use crate::ir::{Block, Cond, Func, Inst, Op, Terminator, Value};
use concord_contract::BasicType;
use concord_memory_model::Mode;
use std::collections::HashSet;

/// What is remembered of each kind at most.
const MOST: usize = 24;

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    place: Place,
    ty: BasicType,
}
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Field(Value, u32),
    /// Address of the class, offset in the object of its statics.
    Static(usize, u32),
    Element(Value, Value),
}

impl Cell {
    fn of(op: &Op) -> Option<(Cell, Mem)> {
        let (place, mem) = match op {
            Op::LoadField(o, at, m) | Op::StoreField(o, at, _, m) => (Place::Field(*o, *at), m),
            Op::LoadStatic(c, at, m) | Op::StoreStatic(c, at, _, m) => {
                (Place::Static(std::ptr::from_ref(*c) as usize, *at), m)
            }
            Op::LoadElement(a, n, m) | Op::StoreElement(a, n, _, m) => (Place::Element(*a, *n), m),
            _ => return None,
        };
        Some((Cell { place, ty: mem.ty }, *mem))
    }
    /// Whether both may be the same.
    fn may_be(self, other: Cell) -> bool {
        match (self.place, other.place) {
            (Place::Field(_, a), Place::Field(_, b)) => a == b,
            (Place::Element(..), Place::Element(..)) => self.ty == other.ty,
            (a, b) => a == b,
        }
    }
    /// The same for all cells that may be one.
    fn kind(self) -> (u8, usize, u32) {
        match self.place {
            Place::Field(_, at) => (0, 0, at),
            Place::Static(class, at) => (1, class, at),
            Place::Element(..) => (2, 0, self.ty as u32),
        }
    }
}

/// Values in cells.
type Cells = Vec<(Cell, Value)>;

fn note(cells: &mut Cells, c: Cell, v: Value) {
    cells.retain(|k| k.0 != c);
    if cells.len() == MOST {
        cells.remove(0);
    }
    cells.push((c, v));
}
fn find(cells: &Cells, c: Cell) -> Option<Value> {
    cells.iter().find(|k| k.0 == c).map(|k| k.1)
}

/// What is known at a place of the code, by the law.
#[derive(Clone, Default)]
struct Known {
    adjacent: Cells,
    once: Cells,
    relaxed: Cells,
    /// Objects, not null.
    nonnull: Vec<Value>,
}

impl Known {
    /// What is known where another way meets this one.
    fn meet(mut self, other: &Known) -> Known {
        self.adjacent.retain(|k| other.adjacent.contains(k));
        self.once.retain(|k| other.once.contains(k));
        self.relaxed.retain(|k| other.relaxed.contains(k));
        self.nonnull.retain(|v| other.nonnull.contains(v));
        self
    }
    fn learn_nonnull(&mut self, v: Value) {
        if self.nonnull.contains(&v) {
            return;
        }
        if self.nonnull.len() == 2 * MOST {
            self.nonnull.remove(0);
        }
        self.nonnull.push(v);
    }
    fn order(&mut self) {
        self.adjacent.clear();
        self.relaxed.clear();
    }
    /// The value that the load gives, if it is known; else what it gives is known from here on.
    fn load(&mut self, c: Cell, mem: Mem, result: Value) -> Option<Value> {
        let once = find(&self.once, c).filter(|v| mem.ty != BasicType::Object || self.nonnull.contains(v));
        let Access::Shared(mode) = mem.access else {
            if once.is_none() {
                self.note_once(c, mem, result);
            }
            return once;
        };
        let by_mode = match mode {
            Mode::Sc => find(&self.adjacent, c),
            Mode::Relaxed | Mode::Final => find(&self.relaxed, c),
            Mode::Opaque | Mode::AcquireRelease | Mode::Volatile => {
                self.order();
                return None;
            }
        };
        if by_mode.or(once).is_some() {
            return by_mode.or(once);
        }
        match mode {
            Mode::Sc => {
                self.order();
                note(&mut self.adjacent, c, result);
            }
            _ => {
                self.adjacent.clear();
                note(&mut self.relaxed, c, result);
            }
        }
        self.note_once(c, mem, result);
        None
    }
    fn note_once(&mut self, c: Cell, mem: Mem, v: Value) {
        if mem.once {
            note(&mut self.once, c, v);
        }
    }
    fn store(&mut self, c: Cell, mem: Mem, v: Value) {
        for cells in [&mut self.adjacent, &mut self.once, &mut self.relaxed] {
            cells.retain(|k| !k.0.may_be(c));
        }
        // Narrower ones lose bits on their way.
        let whole = mem.ty.heap_shift() >= BasicType::Int.heap_shift();
        match mem.access {
            Access::Shared(Mode::Relaxed | Mode::Final) => {
                self.adjacent.clear();
                if whole {
                    note(&mut self.relaxed, c, v);
                }
            }
            Access::Shared(Mode::Sc) => {
                self.adjacent.clear();
                if whole {
                    note(&mut self.adjacent, c, v);
                }
            }
            Access::Shared(_) | Access::Raw(_) => self.adjacent.clear(),
            Access::Local(_) | Access::Young(_) | Access::Immutable => {}
        }
        if whole {
            self.note_once(c, mem, v);
        }
    }
}

/// What an instruction that is no access to a cell takes away.
#[derive(PartialEq)]
enum Ends {
    Nothing,
    /// Touches shared memory, or orders what does.
    Order,
    /// May store anywhere.
    All,
}

fn ends(op: &Op) -> Ends {
    match op {
        Op::Call(..)
        | Op::RowCall(..)
        | Op::Raise(..)
        | Op::MonitorEnter(..)
        | Op::MonitorExit(..)
        | Op::RegisterFinalizer(..)
        | Op::StoreRaw(..)
        | Op::CompareAndSet(..)
        | Op::CompareAndExchange(..)
        | Op::Update(..) => Ends::All,
        Op::Leaf(..) | Op::LoadRaw(..) | Op::Fence(_) | Op::LoadFence => Ends::Order,
        op if op.safepoint().is_some() => Ends::Order,
        _ => Ends::Nothing,
    }
}

pub fn run(func: &mut Func) {
    if !worth(func) {
        return;
    }
    let order = func.order();
    let mut at_begin: Vec<Option<Known>> = vec![None; func.blocks.len()];
    // How many ways to a block have not been seen: if there are some, it is a loop's head.
    let mut ways = vec![0usize; func.blocks.len()];
    for b in &order {
        func.block(*b).end.successors().iter().for_each(|to| ways[to.index()] += 1);
    }
    let mut seen = vec![false; func.blocks.len()];
    let mut preds = None;
    let mut map: Vec<Value> = (0..func.types.len() as u32).map(Value).collect();
    let mut null = vec![false; func.types.len()];
    let mut any = false;
    for &b in &order {
        let mut known = at_begin[b.index()].take().unwrap_or_default();
        if ways[b.index()] != 0 {
            let preds = preds.get_or_insert_with(|| loops::predecessors(func, &order));
            known = round(func, known, b, preds, &seen);
        }
        seen[b.index()] = true;
        func.blocks[b.index()].insts.retain_mut(|i| {
            i.op.for_each_use_mut(|v| *v = resolve(&mut map, *v));
            if let (Some(v), Op::Null) = (i.result, &i.op) {
                null[v.index()] = true;
            }
            match step(i, &mut known) {
                Step::Stays => true,
                Step::Goes => {
                    any = true;
                    false
                }
                Step::Is(v, known) => {
                    map[v.index()] = known;
                    any = true;
                    false
                }
            }
        });
        func.blocks[b.index()].end.for_each_use_mut(|v| *v = resolve(&mut map, *v));
        let tested = tested(func, b, &null);
        for (n, to) in func.block(b).end.targets().into_iter().enumerate() {
            let mut here = known.clone();
            if let Some((v, way)) = tested
                && n == way
            {
                here.learn_nonnull(v);
            }
            ways[to.block.index()] -= 1;
            let at = &mut at_begin[to.block.index()];
            *at = Some(match at.take() {
                None => here,
                Some(other) => here.meet(&other),
            });
        }
    }
    if any {
        replace(func, &mut map);
    }
}

/// Whether something is loaded that may have been loaded or stored before.
fn worth(func: &Func) -> bool {
    let mut seen = HashSet::new();
    let mut loads = Vec::new();
    for i in func.blocks.iter().flat_map(|b| &b.insts) {
        if let Some((c, _)) = Cell::of(&i.op)
            && !seen.insert(c.kind())
        {
            loads.push(c.kind());
        }
    }
    let is_load = |i: &Inst| i.result.is_some() && Cell::of(&i.op).is_some_and(|(c, _)| loads.contains(&c.kind()));
    !loads.is_empty() && func.blocks.iter().flat_map(|b| &b.insts).any(is_load)
}

enum Step {
    Stays,
    Goes,
    /// The first value is the second.
    Is(Value, Value),
}

fn step(i: &Inst, known: &mut Known) -> Step {
    if let Op::NullCheck(v, _) = i.op {
        if known.nonnull.contains(&v) {
            return Step::Goes;
        }
        known.learn_nonnull(v);
        return Step::Stays;
    }
    let Some((c, mem)) = Cell::of(&i.op) else {
        if let (Some(v), Op::New(..) | Op::NewArray(..) | Op::MultiNewArray(..)) = (i.result, &i.op) {
            known.learn_nonnull(v);
        }
        match ends(&i.op) {
            Ends::Nothing => {}
            Ends::Order => known.order(),
            Ends::All => {
                known.order();
                known.once.clear();
            }
        }
        return Step::Stays;
    };
    match (i.result, &i.op) {
        (Some(result), _) => known.load(c, mem, result).map_or(Step::Stays, |v| Step::Is(result, v)),
        (None, Op::StoreField(.., v, _) | Op::StoreStatic(.., v, _) | Op::StoreElement(.., v, _)) => {
            known.store(c, mem, *v);
            Step::Stays
        }
        _ => Step::Stays,
    }
}

/// The value that the block's end compares with null, and the way on which it is none.
fn tested(func: &Func, b: Block, null: &[bool]) -> Option<(Value, usize)> {
    let data = func.block(b);
    let Terminator::If(cond, ..) = data.end else { return None };
    let (eq, x, y) = data.insts.iter().rev().find(|i| i.result == Some(cond)).and_then(|i| match i.op {
        Op::Cmp(Cond::Eq, x, y) => Some((true, x, y)),
        Op::Cmp(Cond::Ne, x, y) => Some((false, x, y)),
        _ => None,
    })?;
    match (null[x.index()], null[y.index()]) {
        (false, true) => Some((x, eq as usize)),
        (true, false) => Some((y, eq as usize)),
        _ => None,
    }
}

/// What of that which is known before a loop holds in each of its turns: what no instruction of the loop takes away.
/// Nothing if it can be entered elsewhere, too. `seen` are the blocks that come before the head.
fn round(func: &Func, mut known: Known, head: Block, preds: &[Vec<Block>], seen: &[bool]) -> Known {
    known.order();
    if known.once.is_empty() && known.nonnull.is_empty() {
        return known;
    }
    let Some(inside) = loops::inside(func, head, preds, seen) else { return Known::default() };
    for i in loops::insts(func, &inside) {
        if known.once.is_empty() {
            break;
        }
        match Cell::of(&i.op) {
            Some((c, _)) if i.result.is_none() => known.once.retain(|k| !k.0.may_be(c)),
            None if ends(&i.op) == Ends::All => known.once.clear(),
            _ => {}
        }
    }
    known
}
