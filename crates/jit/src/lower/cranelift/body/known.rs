//! What is known of values before the code that makes them is translated.
//!
//! Invariant: what is said of a value holds wherever it is defined; definitions come before uses in the order of the blocks, but
//! for parameters, of which nothing is said.
use super::Body;
use crate::ir::{self, BinOp, Func, Op, UnOp};
use concord_contract::class::ClassRef;
use concord_contract::compiled::Value as Constant;

/// Places that the index of an element moves up by at most, and the size of a constant that is added to it.
const MOST_SHIFT: i32 = 8;
const MOST_ADDED: u64 = 1 << 32;

/// How often each value is an operand, 2 and more as 2; states are not asked.
pub fn uses(func: &Func, order: &[ir::Block]) -> Vec<u8> {
    let mut all = vec![0u8; func.types.len()];
    for b in order {
        let data = func.block(*b);
        let mut count = |v: ir::Value| all[v.index()] = (all[v.index()] + 1).min(2);
        data.insts.iter().for_each(|i| i.op.for_each_use(&mut count));
        data.end.for_each_use(&mut count);
    }
    all
}

impl Body<'_> {
    /// Looks through a block for constants, and for sums of scaled ints and constants.
    pub(super) fn look_through(&mut self, b: ir::Block) {
        for i in &self.func.block(b).insts {
            let Some(v) = i.result else { continue };
            let constant = match i.op {
                Op::Int(n) => Constant::Int(n),
                Op::Long(n) => Constant::Long(n),
                Op::Float(n) => Constant::Float(n),
                Op::Double(n) => Constant::Double(n),
                Op::Null => Constant::Null,
                _ => {
                    if self.makes_near(&i.op) {
                        self.near.insert(v);
                    }
                    continue;
                }
            };
            self.constants[v.index()] = Some(constant);
        }
    }
    fn makes_near(&self, op: &Op) -> bool {
        match op {
            Op::Un(UnOp::I2L, _) => true,
            Op::Bin(BinOp::Shl, x, n) => {
                let by = |c| matches!(c, Some(Constant::Int(n)) if (0..=MOST_SHIFT).contains(&n));
                self.near.contains(x) && by(self.constant(*n))
            }
            Op::Bin(BinOp::Add, x, y) => self.is_near(*x) && self.is_near(*y),
            _ => false,
        }
    }
    /// Whether the long is no more than some sums of 2^40, upwards or downwards: the offset of an element that the code has
    /// computed, and none of a static field ([`concord_contract::object::STATIC_OFFSET`]).
    pub fn is_near(&self, v: ir::Value) -> bool {
        match self.constant(v) {
            Some(Constant::Long(n)) => n.unsigned_abs() <= MOST_ADDED,
            _ => self.near.contains(&v),
        }
    }

    /// The cast whose outcome instruction `n`, a guard, asks for, if it stands before it and nothing else asks: class, object, and the state
    /// in which the guard leaves.
    pub(super) fn cast_asked_by(&self, insts: &[ir::Inst], n: usize) -> Option<(ClassRef, ir::Value, ir::StateId)> {
        let (cast, guard) = (insts.get(n.checked_sub(1)?)?, insts.get(n)?);
        match (&cast.op, &guard.op) {
            (Op::CanCast(class, o), Op::Guard(v, s)) if cast.result == Some(*v) && self.uses[v.index()] == 1 => {
                // A guard that is counted must be one for itself.
                (self.vm.guards_left == 0).then_some((*class, *o, *s))
            }
            _ => None,
        }
    }
}
