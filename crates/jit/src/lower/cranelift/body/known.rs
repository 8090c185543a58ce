//! What is known of values before the code that makes them is translated.
//!
//! Invariant: what is said of a value holds wherever it is defined; definitions come before uses in the order of the blocks, but
//! for parameters, of which nothing is said.
use super::Body;
use crate::ir::{self, BinOp, Func, Op, UnOp};
use concord_contract::class::ClassRef;
use concord_contract::compiled::Value as Constant;

/// Binary digits that an offset has at most which is asked for no more: bit 62 says that it is a static field's
/// ([`concord_contract::object::STATIC_OFFSET`]), and a negative one has the bit above it, too.
const MOST_DIGITS: u32 = 61;

/// How often each value is an operand, 2 and more as 2. States are not looked at: none names what a cast has given.
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
                    if let Some(n) = self.digits_made(&i.op) {
                        self.digits.insert(v, n);
                    }
                    continue;
                }
            };
            self.constants[v.index()] = Some(constant);
        }
    }
    /// Binary digits of the long's amount at most, if they are known to be few: of a sum of constants and ints, of which the
    /// latter may have moved up.
    fn digits(&self, v: ir::Value) -> Option<u32> {
        match self.constant(v) {
            Some(Constant::Long(n)) => Some(64 - n.unsigned_abs().leading_zeros()),
            _ => self.digits.get(&v).copied(),
        }
    }
    fn digits_made(&self, op: &Op) -> Option<u32> {
        let n = match op {
            Op::Un(UnOp::I2L, _) => 32,
            Op::Bin(BinOp::Shl, x, by) => match (self.digits(*x)?, self.constant(*by)) {
                (n, Some(Constant::Int(by))) => n.checked_add(u32::try_from(by).ok()?)?,
                _ => return None,
            },
            Op::Bin(BinOp::Add, x, y) => self.digits(*x)?.max(self.digits(*y)?) + 1,
            _ => return None,
        };
        (n <= MOST_DIGITS).then_some(n)
    }
    /// Whether the offset is none of a static field, by how the code makes it.
    pub fn is_offset_in_object(&self, at: ir::Value) -> bool {
        self.digits(at).is_some_and(|n| n <= MOST_DIGITS)
    }

    /// The cast whose outcome instruction `n`, a guard, asks for, if it stands before it and nothing else asks: class, object,
    /// and the state in which the guard leaves.
    pub(super) fn cast_asked_by(&self, insts: &[ir::Inst], n: usize) -> Option<(ClassRef, ir::Value, ir::StateId)> {
        let (cast, guard) = (insts.get(n.checked_sub(1)?)?, insts.get(n)?);
        match (&cast.op, &guard.op) {
            (Op::CanCast(class, o), Op::Guard(v, s)) if cast.result == Some(*v) && self.uses[v.index()] == 1 => {
                Some((*class, *o, *s))
            }
            _ => None,
        }
    }
}
