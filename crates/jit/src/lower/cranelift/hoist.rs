//! What loops without calls hold in registers: the thread, and constants too wide for an operand.
//!
//! Invariant: such a value is computed once before the outermost loop around its use that makes no calls, at the end
//! of the block that dominates the loop's header immediately; it is no reference, so a stop in the loop leaves it valid.
//!
//! Why: the pinned register is copied at each use, and a constant is made again at each use; where a call clobbers the
//! registers anyway neither is worth one.
use super::body::Body;
use crate::ir::op::Safepoint;
use crate::ir::verify::Dominators;
use crate::ir::{Block, Func};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{self as clif, InstBuilder, Value, types};

/// Constants that a loop holds.
const MOST: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Thread,
    Constant(i64),
}

/// The loops of a function that make no calls.
pub struct Loops {
    /// By block, the header of the outermost one around it.
    around: Vec<Option<Block>>,
    /// By block, the one that dominates it immediately.
    above: Vec<Option<Block>>,
    /// By block, the block in CLIF that ends it.
    ends: Vec<Option<clif::Block>>,
    held: Vec<(Block, Key, Value)>,
}

impl Loops {
    pub fn of(func: &Func, order: &[Block]) -> Loops {
        let n = func.blocks.len();
        let mut this = Loops { around: vec![None; n], above: vec![None; n], ends: vec![None; n], held: Vec::new() };
        let mut position = vec![usize::MAX; n];
        let mut preds: Vec<Vec<Block>> = vec![Vec::new(); n];
        let mut back = false;
        for (at, b) in order.iter().enumerate() {
            position[b.index()] = at;
            for s in func.block(*b).end.successors() {
                preds[s.index()].push(*b);
                back |= position[s.index()] <= at;
            }
        }
        if !back {
            return this;
        }
        let dominators = Dominators::of(func, order);
        // Headers of outer loops come first.
        for header in order {
            if this.around[header.index()].is_some() {
                continue;
            }
            let latches = preds[header.index()].iter().filter(|p| dominators.dominates(*header, **p));
            let mut work: Vec<Block> = latches.copied().collect();
            if work.is_empty() {
                continue;
            }
            let mut seen = vec![false; n];
            seen[header.index()] = true;
            let mut inside = vec![*header];
            while let Some(b) = work.pop() {
                if !std::mem::replace(&mut seen[b.index()], true) {
                    inside.push(b);
                    work.extend(&preds[b.index()]);
                }
            }
            let calls = |b: &Block| func.block(*b).insts.iter().any(|i| i.op.safepoint() == Some(Safepoint::Hot));
            if !inside.iter().any(calls) {
                inside.iter().for_each(|b| this.around[b.index()] = Some(*header));
                this.above[header.index()] = dominators.above(*header);
            }
        }
        this
    }
}

impl Body<'_> {
    /// The block in translation ends here.
    pub fn note_end(&mut self) {
        self.loops.ends[self.at.0.index()] = self.b.current_block();
    }
    /// What `make` gives before the loop around the block in translation, if that is one without calls.
    fn held(&mut self, key: Key, make: impl FnOnce(&mut FuncCursor<'_>) -> Value) -> Option<Value> {
        let header = self.loops.around[self.at.0.index()]?;
        if let Some(known) = self.loops.held.iter().find(|h| h.0 == header && h.1 == key) {
            return Some(known.2);
        }
        let constants = self.loops.held.iter().filter(|h| h.0 == header && h.1 != Key::Thread).count();
        if key != Key::Thread && constants == MOST {
            return None;
        }
        let above = self.loops.above[header.index()].and_then(|b| self.loops.ends[b.index()])?;
        let end = self.b.func.layout.last_inst(above)?;
        let site = self.b.func.srcloc(end);
        let mut at = FuncCursor::new(self.b.func).at_inst(end).with_srcloc(site);
        let v = make(&mut at);
        self.loops.held.push((header, key, v));
        Some(v)
    }
    pub fn thread(&mut self) -> Value {
        let held = self.held(Key::Thread, |at| at.ins().get_pinned_reg(types::I64));
        held.unwrap_or_else(|| self.b.ins().get_pinned_reg(types::I64))
    }
    /// A constant that is no operand.
    pub fn wide(&mut self, n: i64) -> Value {
        if i32::try_from(n).is_ok() {
            // A displacement.
            return self.iconst(n);
        }
        let held = self.held(Key::Constant(n), |at| {
            // The code generator makes constants again wherever they are used, but not what is computed.
            let complement = at.ins().iconst(types::I64, !n);
            at.ins().bnot(complement)
        });
        held.unwrap_or_else(|| self.iconst(n))
    }
}
