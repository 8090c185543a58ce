//! Tests a loop's condition at its end: a turn of the loop then takes one jump, not two.
//!
//! Invariant: every path executes the same instructions in the same order. The block that begins a loop and decides
//! whether it goes on is copied; the original decides for those who enter the loop, the copy for those who jump back.
//! ```text
//!  b1: ... jump b2(x)                   b1: ... jump b2(x)
//!  b2(p): if p < n b3 else b4     =>    b2(p): if p < n b3(p) else b4(p)
//!  b3: y = p + 1; jump b2(y)            b3(q): y = q + 1; jump b5(y)
//!  b4: return p                         b4(r): return r
//!                                       b5(s): if s < n b3(s) else b4(s)
//! ```
//! What the block defined has two definitions then; where both arrive, behind it, a parameter says which (Braun et al.,
//! Simple and Efficient Construction of SSA Form). [`super::clean`] drops parameters that always get one value.
use super::loops::predecessors;
use super::shape;
use crate::ir::verify::Dominators;
use crate::ir::{Block, BlockData, ENTRY, FCond, FrameState, Func, Inst, Op, StateId, Target, Terminator, Ty, Value};
use std::collections::HashMap;

/// Instructions of a block that is copied.
const MOST: usize = 16;
/// Loops that are turned in one function, and blocks of a function that is worth the search.
const LOOPS: usize = 24;
const BLOCKS: usize = 1500;

pub fn run(func: &mut Func) {
    let mut turned = 0;
    while turned < LOOPS && func.blocks.len() <= BLOCKS {
        let order = func.order();
        let preds = predecessors(func, &order);
        let Some(found) = candidate(func, &order, &preds) else { break };
        turn(func, found);
        turned += 1;
    }
    if turned != 0 {
        let order = func.order();
        shape::merge(func, &order);
    }
}

/// A loop that begins with its condition.
struct Loop {
    head: Block,
    /// What jumps back.
    latch: Block,
    /// The first of the head's two ways is that into the loop.
    first: bool,
}

/// A loop to be turned. What jumps back polls: others jump on, from an outer loop into one that the code enters in the
/// middle. It comes by one of the head's two ways only, or there would be a loop with two entries.
fn candidate(func: &Func, order: &[Block], preds: &[Vec<Block>]) -> Option<Loop> {
    let mut dominators = None;
    order.iter().find_map(|&latch| {
        let data = func.block(latch);
        let (Terminator::Jump(to), Some(Op::Poll(_))) = (&data.end, data.insts.last().map(|i| &i.op)) else {
            return None;
        };
        let head = to.block;
        let dominators = dominators.get_or_insert_with(|| Dominators::of(func, order));
        if head == latch || !copied(func, head) || !dominators.dominates(head, latch) {
            return None;
        }
        let mut inside = vec![false; func.blocks.len()];
        inside[head.index()] = true;
        let mut work = vec![latch];
        while let Some(b) = work.pop() {
            if !std::mem::replace(&mut inside[b.index()], true) {
                work.extend(&preds[b.index()]);
            }
        }
        let [first, second] = func.block(head).end.successors()[..] else { return None };
        let first = inside[first.index()];
        let body: Vec<Block> = order.iter().copied().filter(|b| inside[b.index()] && *b != head).collect();
        let turned = first != inside[second.index()] && !moves(func, head, &to.args, &body);
        turned.then_some(Loop { head, latch, first })
    })
}

/// Whether what the head is given for the next turn stands beside what it was given for this one, so that it has to be
/// moved. A jump at the loop's end would need a second one behind the moves.
fn moves(func: &Func, head: Block, args: &[Value], body: &[Block]) -> bool {
    let params = &func.block(head).params;
    let beside = |p: Value, a: Value| {
        let mut made = false;
        body.iter().any(|b| {
            let data = func.block(*b);
            made |= data.params.contains(&a);
            let later = data.insts.iter().any(|i| {
                let states = i.op.state().into_iter().flat_map(|s| func.state_values(s));
                let read = made && (i.op.uses().contains(&p) || states.into_iter().any(|v| v == p));
                made |= i.result == Some(a);
                read
            });
            later || made && data.end.operand() == Some(p)
        })
    };
    params.iter().zip(args).any(|(p, a)| p != a && (params.contains(a) || beside(*p, *a)))
}

/// Whether the block is short, decides something and does nothing that would be worth more than a jump.
fn copied(func: &Func, b: Block) -> bool {
    let data = func.block(b);
    let light = |i: &Inst| i.op.is_pure() && i.op.state().is_none() || matches!(i.op, Op::NullCheck(..));
    b != ENTRY && matches!(data.end, Terminator::If(..)) && data.insts.len() <= MOST && data.insts.iter().all(light)
}

/// Copies the head for one who jumps back.
fn turn(func: &mut Func, Loop { head, latch, first }: Loop) {
    let copy = func.new_block();
    let BlockData { params, mut insts, mut end, cold, .. } = func.block(head).clone();
    let mut second: HashMap<Value, Value> = HashMap::new();
    for v in params.iter().copied().chain(insts.iter().filter_map(|i| i.result)) {
        let ty = func.ty(v);
        second.insert(v, func.new_value(ty));
    }
    let renamed = |v: &mut Value| *v = second.get(v).copied().unwrap_or(*v);
    for i in &mut insts {
        i.op.for_each_use_mut(renamed);
        i.result.iter_mut().for_each(renamed);
        if let Some(s) = i.op.state_mut() {
            *s = with_values(func, *s, |v| second.get(&v).copied().unwrap_or(v));
        }
    }
    end.for_each_use_mut(renamed);
    if !first && let Some(other) = negated(func, &mut insts, &end) {
        end = other;
    }
    let params = params.iter().map(|p| second[p]).collect();
    func.blocks[copy.index()] = BlockData { params, insts, end, cold, ..BlockData::default() };
    func.blocks[latch.index()].end.for_each_target_mut(|t| t.block = copy);
    Repair::of(func, head, copy, second).run();
}

/// The same end with the ways exchanged: what the code generator puts next is the jump back then, which has values to
/// move more often than the way out.
fn negated(func: &mut Func, insts: &mut Vec<Inst>, end: &Terminator) -> Option<Terminator> {
    let Terminator::If(v, yes, no) = end else { return None };
    let op = match insts.iter().find(|i| i.result == Some(*v))?.op {
        Op::Cmp(c, a, b) => Op::Cmp(c.negate(), a, b),
        Op::FCmp(c, a, b) => Op::FCmp(FCond { cond: c.cond.negate(), unordered: !c.unordered }, a, b),
        _ => return None,
    };
    let not = func.new_value(Ty::Int);
    insts.push(Inst { op, result: Some(not), owes_fence: false });
    Some(Terminator::If(not, no.clone(), yes.clone()))
}

/// The state, or a new one that names other values.
fn with_values(func: &mut Func, s: StateId, mut other: impl FnMut(Value) -> Value) -> StateId {
    let chain: Vec<StateId> = std::iter::successors(Some(s), |s| func.state(*s).parent).collect();
    let mut parent: Option<StateId> = None;
    for s in chain.into_iter().rev() {
        let mut state: FrameState = func.state(s).clone();
        state.for_each_value_mut(|v| *v = other(*v));
        state.parent = parent;
        parent = Some(if *func.state(s) == state { s } else { func.add_state(state) });
    }
    parent.unwrap_or(s)
}

/// Finds out which of two definitions is meant.
struct Repair<'a> {
    func: &'a mut Func,
    head: Block,
    copy: Block,
    /// The definition in the copy of each in the head.
    second: HashMap<Value, Value>,
    order: Vec<Block>,
    preds: Vec<Vec<Block>>,
    /// What arrives at the beginning of a block.
    arrives: HashMap<(Value, Block), Value>,
}

impl<'a> Repair<'a> {
    fn of(func: &'a mut Func, head: Block, copy: Block, second: HashMap<Value, Value>) -> Repair<'a> {
        let order = func.order();
        let preds = predecessors(func, &order);
        Repair { func, head, copy, second, order, preds, arrives: HashMap::new() }
    }
    fn run(mut self) {
        for b in self.order.clone() {
            if b == self.head || b == self.copy {
                continue;
            }
            let mut wanted = Vec::new();
            let data = self.func.block(b);
            for i in &data.insts {
                i.op.for_each_use(|v| wanted.push(v));
                wanted.extend(i.op.state().into_iter().flat_map(|s| self.func.state_values(s)));
            }
            data.end.for_each_use(|v| wanted.push(v));
            wanted.extend(data.end.state().into_iter().flat_map(|s| self.func.state_values(s)));
            wanted.retain(|v| self.second.contains_key(v));
            let found: HashMap<Value, Value> = wanted.into_iter().map(|v| (v, self.at_begin(v, b))).collect();
            if !found.is_empty() {
                self.rename(b, &found);
            }
        }
    }
    fn rename(&mut self, b: Block, found: &HashMap<Value, Value>) {
        let other = |v: Value| found.get(&v).copied().unwrap_or(v);
        let mut data = std::mem::take(&mut self.func.blocks[b.index()]);
        for i in &mut data.insts {
            i.op.for_each_use_mut(|v| *v = other(*v));
            if let Some(s) = i.op.state_mut() {
                *s = with_values(self.func, *s, other);
            }
        }
        data.end.for_each_use_mut(|v| *v = other(*v));
        if let Some(s) = data.end.state_mut() {
            *s = with_values(self.func, *s, other);
        }
        self.func.blocks[b.index()] = data;
    }
    fn at_end(&mut self, v: Value, b: Block) -> Value {
        match b {
            b if b == self.head => v,
            b if b == self.copy => self.second[&v],
            b => self.at_begin(v, b),
        }
    }
    fn at_begin(&mut self, v: Value, b: Block) -> Value {
        if let Some(known) = self.arrives.get(&(v, b)) {
            return *known;
        }
        let preds = self.preds[b.index()].clone();
        if let [only] = preds[..] {
            let x = self.at_end(v, only);
            self.arrives.insert((v, b), x);
            return x;
        }
        let ty = self.func.ty(v);
        let p = self.func.add_param(b, ty);
        self.arrives.insert((v, b), p);
        for from in preds {
            let x = self.at_end(v, from);
            self.func.blocks[from.index()].end.for_each_target_mut(|t: &mut Target| {
                if t.block == b {
                    t.args.push(x);
                }
            });
        }
        p
    }
}
