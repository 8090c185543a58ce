//! Removes checks of array bounds that tests before them have made.
//!
//! Invariant: a check goes only if on every way to it the index is known to be no less than 0 and less than the length.
//! What is known of a value follows from the tests whose outcome leads to the check, from how the value was made, and, of
//! what a loop carries around, from all that it is given:
//! ```text
//!  b1: ... if 0 < n b2(0) else b4            v1 is 0 or v2; before both jumps it was less than n, so it is less than n.
//!  b2(v1): a[v1]; v2 = v1 + 1                v2 is v1 + 1 of a v1 that was less than something, so it has not wrapped;
//!      if v2 < n b2(v2) else b4              by induction it is not negative.
//! ```
use super::loops;
use crate::ir::verify::Dominators;
use crate::ir::{BinOp, Block, Cond, Func, Op, Terminator, UnOp, Value};
use concord_contract::BasicType;
use std::cell::Cell;

/// Values that a conclusion goes through at most, one after the other, and questions that a check is worth.
const DEPTH: u32 = 6;
const QUESTIONS: u32 = 100;
/// Tests that are looked at on the way to a block.
const TESTS: usize = 24;

pub fn run(func: &mut Func) {
    let is_check = |i: &crate::ir::Inst| matches!(i.op, Op::BoundsCheck(..));
    if !func.blocks.iter().any(|b| b.insts.iter().any(is_check)) {
        return;
    }
    let order = func.order();
    let facts = Facts::of(func, &order);
    let mut gone: Vec<(Block, usize)> = Vec::new();
    for &b in &order {
        for (n, i) in func.block(b).insts.iter().enumerate() {
            facts.questions.set(QUESTIONS);
            if let Op::BoundsCheck(index, length, _) = i.op
                && facts.is_less(index, length, b, DEPTH)
                && facts.not_negative(index, b, &mut Vec::new(), DEPTH)
            {
                gone.push((b, n));
            }
        }
    }
    for (b, n) in gone.into_iter().rev() {
        func.blocks[b.index()].insts.remove(n);
    }
}

/// Where a value comes from.
#[derive(Clone, Copy)]
enum Made<'a> {
    By(&'a Op),
    /// The parameter of this block with this number.
    Param(Block, usize),
}

struct Facts<'a> {
    func: &'a Func,
    dominators: Dominators,
    preds: Vec<Vec<Block>>,
    made: Vec<Option<(Block, Made<'a>)>>,
    /// How many may be asked yet.
    questions: Cell<u32>,
}

impl<'a> Facts<'a> {
    fn of(func: &'a Func, order: &[Block]) -> Facts<'a> {
        let mut made = vec![None; func.types.len()];
        for &b in order {
            let data = func.block(b);
            for (n, p) in data.params.iter().enumerate() {
                made[p.index()] = Some((b, Made::Param(b, n)));
            }
            for i in &data.insts {
                if let Some(v) = i.result {
                    made[v.index()] = Some((b, Made::By(&i.op)));
                }
            }
        }
        Facts {
            func,
            dominators: Dominators::of(func, order),
            preds: loops::predecessors(func, order),
            made,
            questions: Cell::new(0),
        }
    }
    fn may_ask(&self) -> bool {
        let left = self.questions.get();
        self.questions.set(left.saturating_sub(1));
        left != 0
    }
    fn op(&self, v: Value) -> Option<&'a Op> {
        match self.made[v.index()] {
            Some((_, Made::By(op))) => Some(op),
            _ => None,
        }
    }
    /// The tests that hold in a block, the nearest first: conditions of the ends of blocks from which it is reached by one of
    /// two ways only.
    fn tests(&self, b: Block) -> impl Iterator<Item = (Cond, Value, Value)> + '_ {
        let mut at = Some(b);
        std::iter::from_fn(move || {
            let b = at?;
            at = self.dominators.above(b);
            Some(b)
        })
        .take(TESTS)
        .filter_map(|b| match self.preds[b.index()][..] {
            [from] => self.test_of(from, b),
            _ => None,
        })
    }
    /// What the end of one block says if it goes to the other.
    fn test_of(&self, from: Block, to: Block) -> Option<(Cond, Value, Value)> {
        let Terminator::If(v, yes, no) = &self.func.block(from).end else { return None };
        if yes.block == no.block {
            return None;
        }
        match self.op(*v)? {
            Op::Cmp(c, x, y) => Some((if yes.block == to { *c } else { c.negate() }, *x, *y)),
            _ => None,
        }
    }
    /// Whether `x < y` wherever `b` is executed.
    fn is_less(&self, x: Value, y: Value, b: Block, depth: u32) -> bool {
        if !self.may_ask() {
            return false;
        }
        let says = |(c, p, q): (Cond, Value, Value)| match c {
            Cond::Lt => p == x && q == y,
            Cond::Gt => p == y && q == x,
            _ => false,
        };
        if let (Some(Op::Int(x)), Some(Op::Int(y))) = (self.op(x), self.op(y)) {
            return x < y;
        }
        if self.tests(b).any(says) {
            return true;
        }
        // Where the value is a parameter: before each jump that gives it.
        let Some((at, Made::Param(_, n))) = self.made[x.index()] else { return false };
        depth > 0
            && self.made[y.index()].is_some_and(|(d, _)| d != at && self.dominators.dominates(d, at))
            && self.given(at, n).all(|(from, a)| {
                let says = |(c, p, q)| c == Cond::Lt && p == a && q == y || c == Cond::Gt && p == y && q == a;
                self.test_of(from, at).is_some_and(says)
                    || a != x && self.is_less(a, y, from, depth - 1)
                    || self.is_less_constant(a, y, from, at)
            })
    }
    /// The same of a constant, of which the test has another name.
    fn is_less_constant(&self, a: Value, y: Value, from: Block, to: Block) -> bool {
        let Some(Op::Int(n)) = self.op(a) else { return false };
        let says = |(c, p, q): (Cond, Value, Value)| match c {
            Cond::Lt => q == y && matches!(self.op(p), Some(Op::Int(m)) if m >= n),
            Cond::Gt => p == y && matches!(self.op(q), Some(Op::Int(m)) if m >= n),
            Cond::Ge => p == y && matches!(self.op(q), Some(Op::Int(m)) if m > n),
            Cond::Le => q == y && matches!(self.op(p), Some(Op::Int(m)) if m > n),
            _ => false,
        };
        self.test_of(from, to).is_some_and(says) || self.tests(from).any(says)
    }
    /// The values that a parameter is given, and by whom.
    fn given(&self, to: Block, n: usize) -> impl Iterator<Item = (Block, Value)> + '_ {
        self.preds[to.index()].iter().flat_map(move |from| {
            let targets = self.func.block(*from).end.targets();
            targets.into_iter().filter(move |t| t.block == to).map(move |t| (*from, t.args[n]))
        })
    }
    /// Whether `x >= 0` wherever `b` is executed, if that is so of those `assumed`.
    fn not_negative(&self, x: Value, b: Block, assumed: &mut Vec<Value>, depth: u32) -> bool {
        if assumed.contains(&x) {
            return true;
        }
        if !self.may_ask() {
            return false;
        }
        let Some((at, made)) = self.made[x.index()] else { return false };
        let by_itself = match made {
            Made::By(Op::Int(n)) => *n >= 0,
            Made::By(
                Op::ArrayLength(_) | Op::Cmp(..) | Op::FCmp(..) | Op::Un(UnOp::I2C | UnOp::I2Z | UnOp::BitCount, _),
            ) => true,
            Made::By(Op::Un(UnOp::LeadingZeros | UnOp::TrailingZeros, _)) => true,
            Made::By(Op::LoadField(_, _, m) | Op::LoadElement(_, _, m) | Op::LoadStatic(_, _, m)) => {
                m.ty == BasicType::Char
            }
            Made::By(Op::Bin(BinOp::And, p, q)) => {
                [p, q].into_iter().any(|v| matches!(self.op(*v), Some(Op::Int(n)) if *n >= 0))
            }
            Made::By(Op::Bin(BinOp::Ushr, _, n)) => matches!(self.op(*n), Some(Op::Int(n)) if n & 31 != 0),
            _ => false,
        };
        if by_itself || self.tests(b).any(|t| self.says_not_negative(t, x)) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        match made {
            // It has not wrapped, since there was a greater number than the one that was added to.
            Made::By(Op::Bin(BinOp::Add, p, q)) => {
                let one = |v: Value| matches!(self.op(v), Some(Op::Int(1)));
                let from = if one(*q) {
                    *p
                } else if one(*p) {
                    *q
                } else {
                    return false;
                };
                self.is_less_than_any(from, at) && self.not_negative(from, at, assumed, depth - 1)
            }
            Made::Param(block, n) => {
                assumed.push(x);
                let all = self.given(block, n).all(|(from, a)| {
                    self.test_of(from, block).is_some_and(|t| self.says_not_negative(t, a))
                        || self.not_negative(a, from, assumed, depth - 1)
                });
                assumed.pop();
                all
            }
            _ => false,
        }
    }
    fn says_not_negative(&self, (c, p, q): (Cond, Value, Value), x: Value) -> bool {
        match (c, self.op(q), self.op(p)) {
            (Cond::Ge, Some(Op::Int(n)), _) => p == x && *n >= 0,
            (Cond::Gt, Some(Op::Int(n)), _) => p == x && *n >= -1,
            (Cond::Le, _, Some(Op::Int(n))) => q == x && *n >= 0,
            (Cond::Lt, _, Some(Op::Int(n))) => q == x && *n >= -1,
            _ => false,
        }
    }
    /// Whether there is a number greater than `x` wherever `b` is executed.
    fn is_less_than_any(&self, x: Value, b: Block) -> bool {
        let says = |(c, p, q): (Cond, Value, Value)| c == Cond::Lt && p == x || c == Cond::Gt && q == x;
        if self.tests(b).any(says) {
            return true;
        }
        let Some((at, Made::Param(_, n))) = self.made[x.index()] else { return false };
        self.given(at, n).all(|(from, a)| {
            self.test_of(from, at).is_some_and(|(c, p, q)| c == Cond::Lt && p == a || c == Cond::Gt && q == a)
                || matches!(self.op(a), Some(Op::Int(n)) if *n < i32::MAX)
        })
    }
}
