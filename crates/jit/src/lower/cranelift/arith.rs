//! Instructions on numbers, as the JVM specification defines them.
//!
//! Division of the smallest number by -1 wraps and does not trap; shifts take their count modulo the
//! width, as Cranelift's do; conversions to integers saturate and take NaN to 0.
use super::body::{Body, clif_type};
use crate::ir::{BinOp, Cond, FCond, Op, Ty, UnOp, Value as V};
use concord_contract::rows::Row;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, types};

fn int_cc(c: Cond) -> IntCC {
    match c {
        Cond::Eq => IntCC::Equal,
        Cond::Ne => IntCC::NotEqual,
        Cond::Lt => IntCC::SignedLessThan,
        Cond::Ge => IntCC::SignedGreaterThanOrEqual,
        Cond::Gt => IntCC::SignedGreaterThan,
        Cond::Le => IntCC::SignedLessThanOrEqual,
    }
}

fn float_cc(c: FCond) -> FloatCC {
    match (c.cond, c.unordered) {
        (Cond::Eq, false) => FloatCC::Equal,
        (Cond::Eq, true) => FloatCC::UnorderedOrEqual,
        (Cond::Ne, false) => FloatCC::OrderedNotEqual,
        (Cond::Ne, true) => FloatCC::NotEqual,
        (Cond::Lt, false) => FloatCC::LessThan,
        (Cond::Lt, true) => FloatCC::UnorderedOrLessThan,
        (Cond::Ge, false) => FloatCC::GreaterThanOrEqual,
        (Cond::Ge, true) => FloatCC::UnorderedOrGreaterThanOrEqual,
        (Cond::Gt, false) => FloatCC::GreaterThan,
        (Cond::Gt, true) => FloatCC::UnorderedOrGreaterThan,
        (Cond::Le, false) => FloatCC::LessThanOrEqual,
        (Cond::Le, true) => FloatCC::UnorderedOrLessThanOrEqual,
    }
}

impl Body<'_> {
    /// The value of an instruction on numbers.
    pub fn arith(&mut self, op: &Op) -> Value {
        match op {
            Op::Bin(o, a, b) => self.bin(*o, *a, *b),
            Op::Un(u, a) => self.un(*u, *a),
            Op::Cmp3(a, b, nan) => self.cmp3(*a, *b, *nan),
            _ => concord_base::bug!("{op} is no instruction on numbers"),
        }
    }

    /// The outcome of a comparison, 8 bits wide.
    pub fn int_comparison(&mut self, c: Cond, a: V, b: V) -> Value {
        let (x, y) = (self.get(a), self.get(b));
        self.b.ins().icmp(int_cc(c), x, y)
    }
    pub fn float_comparison(&mut self, c: FCond, a: V, b: V) -> Value {
        let (x, y) = (self.get(a), self.get(b));
        self.b.ins().fcmp(float_cc(c), x, y)
    }

    fn bin(&mut self, o: BinOp, a: V, b: V) -> Value {
        let ty = self.func.ty(a);
        if matches!(ty, Ty::Int | Ty::Long) && matches!(o, BinOp::Div | BinOp::Rem) {
            return self.divide(o, a, b, ty);
        }
        let (x, y) = (self.get(a), self.get(b));
        if matches!(ty, Ty::Float | Ty::Double) {
            return match o {
                BinOp::Add => self.b.ins().fadd(x, y),
                BinOp::Sub => self.b.ins().fsub(x, y),
                BinOp::Mul => self.b.ins().fmul(x, y),
                BinOp::Div => self.b.ins().fdiv(x, y),
                BinOp::Min => self.b.ins().fmin(x, y),
                BinOp::Max => self.b.ins().fmax(x, y),
                _ => self.leaf(if ty == Ty::Float { Row::FRem } else { Row::DRem }, &[x, y]),
            };
        }
        match o {
            BinOp::Add => self.b.ins().iadd(x, y),
            BinOp::Sub => self.b.ins().isub(x, y),
            BinOp::Mul => self.b.ins().imul(x, y),
            BinOp::And => self.b.ins().band(x, y),
            BinOp::Or => self.b.ins().bor(x, y),
            BinOp::Xor => self.b.ins().bxor(x, y),
            BinOp::Shl => self.b.ins().ishl(x, y),
            BinOp::Min => self.b.ins().smin(x, y),
            BinOp::Max => self.b.ins().smax(x, y),
            BinOp::MulHigh => self.b.ins().smulhi(x, y),
            BinOp::Shr => self.b.ins().sshr(x, y),
            _ => self.b.ins().ushr(x, y),
        }
    }

    fn divide(&mut self, o: BinOp, a: V, b: V, ty: Ty) -> Value {
        use concord_contract::compiled::Value as C;
        let t = clif_type(ty);
        let (x, y) = (self.get(a), self.get(b));
        let known = match self.constant(b) {
            Some(C::Int(n)) => Some(n as i64),
            Some(C::Long(n)) => Some(n),
            _ => None,
        };
        if let Some(v) = known.and_then(|n| self.by_constant(o, x, n)) {
            return v;
        }
        let plain = |s: &mut Self| if o == BinOp::Div { s.b.ins().sdiv(x, y) } else { s.b.ins().srem(x, y) };
        if known.is_some_and(|n| n != -1 && n != 0) {
            return plain(self);
        }
        let minus = self.b.ins().iconst(t, if t == types::I32 { u32::MAX as i64 } else { -1 });
        let is_minus = self.b.ins().icmp(IntCC::Equal, y, minus);
        let (negate, divide, join) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(join, t);
        self.b.ins().brif(is_minus, negate, &[], divide, &[]);
        self.enter(negate);
        let n = if o == BinOp::Div { self.b.ins().ineg(x) } else { self.b.ins().iconst(t, 0) };
        self.b.ins().jump(join, &[BlockArg::Value(n)]);
        self.enter(divide);
        let q = plain(self);
        self.b.ins().jump(join, &[BlockArg::Value(q)]);
        self.enter(join);
        result
    }

    fn un(&mut self, u: UnOp, a: V) -> Value {
        let (ty, x) = (self.func.ty(a), self.get(a));
        let i = self.b.ins();
        match u {
            UnOp::Neg if matches!(ty, Ty::Float | Ty::Double) => i.fneg(x),
            UnOp::Neg => i.ineg(x),
            UnOp::I2L => i.sextend(types::I64, x),
            UnOp::L2I => i.ireduce(types::I32, x),
            UnOp::I2F | UnOp::L2F => i.fcvt_from_sint(types::F32, x),
            UnOp::I2D | UnOp::L2D => i.fcvt_from_sint(types::F64, x),
            UnOp::F2I | UnOp::D2I => i.fcvt_to_sint_sat(types::I32, x),
            UnOp::F2L | UnOp::D2L => i.fcvt_to_sint_sat(types::I64, x),
            UnOp::F2D => i.fpromote(types::F64, x),
            UnOp::D2F => i.fdemote(types::F32, x),
            UnOp::Sqrt => i.sqrt(x),
            UnOp::Abs if matches!(ty, Ty::Float | Ty::Double) => i.fabs(x),
            UnOp::Abs => i.iabs(x),
            UnOp::Floor => i.floor(x),
            UnOp::Ceil => i.ceil(x),
            UnOp::Rint => i.nearest(x),
            UnOp::ReverseBytes => i.bswap(x),
            UnOp::FloatBits => i.bitcast(types::I32, MemFlagsData::new(), x),
            UnOp::BitsFloat => i.bitcast(types::F32, MemFlagsData::new(), x),
            UnOp::DoubleBits => i.bitcast(types::I64, MemFlagsData::new(), x),
            UnOp::BitsDouble => i.bitcast(types::F64, MemFlagsData::new(), x),
            UnOp::LeadingZeros | UnOp::TrailingZeros | UnOp::BitCount => {
                let n = match u {
                    UnOp::LeadingZeros => i.clz(x),
                    UnOp::TrailingZeros => i.ctz(x),
                    _ => i.popcnt(x),
                };
                if ty == Ty::Long { self.b.ins().ireduce(types::I32, n) } else { n }
            }
            UnOp::I2B => {
                let n = i.ireduce(types::I8, x);
                self.b.ins().sextend(types::I32, n)
            }
            UnOp::I2S => {
                let n = i.ireduce(types::I16, x);
                self.b.ins().sextend(types::I32, n)
            }
            UnOp::I2C => {
                let n = i.ireduce(types::I16, x);
                self.b.ins().uextend(types::I32, n)
            }
            UnOp::I2Z => {
                let one = self.iconst32(1);
                self.b.ins().band(x, one)
            }
        }
    }

    fn cmp3(&mut self, a: V, b: V, nan: i32) -> Value {
        let (x, y) = (self.get(a), self.get(b));
        let (more, less) = if self.func.ty(a) == Ty::Long {
            (self.b.ins().icmp(IntCC::SignedGreaterThan, x, y), self.b.ins().icmp(IntCC::SignedLessThan, x, y))
        } else if nan > 0 {
            (self.b.ins().fcmp(FloatCC::UnorderedOrGreaterThan, x, y), self.b.ins().fcmp(FloatCC::LessThan, x, y))
        } else {
            (self.b.ins().fcmp(FloatCC::GreaterThan, x, y), self.b.ins().fcmp(FloatCC::UnorderedOrLessThan, x, y))
        };
        let (more, less) = (self.b.ins().uextend(types::I32, more), self.b.ins().uextend(types::I32, less));
        self.b.ins().isub(more, less)
    }
}
