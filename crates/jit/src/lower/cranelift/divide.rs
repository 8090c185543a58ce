//! Division by constants without dividing.
//!
//! A power of two is a shift of the dividend, to which 2^k - 1 is added first if it is negative: Java
//! rounds towards zero, a shift towards minus infinity. Any other divisor `d` is a multiplication by
//! its scaled inverse (Granlund and Montgomery, "Division by invariant integers using multiplication",
//! PLDI 1994, figure 5.2): with `2^(l-1) < d <= 2^l` and `m = floor(2^(N+l-1) / d) + 1`, the quotient of
//! an N-bit `x` is `floor(x * m / 2^(N+l-1))`, and one more if `x` is negative.
use super::body::Body;
use crate::ir::BinOp;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// The inverse of `d`, at least 2, for dividends of `bits` bits: `m` and `l`.
fn inverse(d: u64, bits: u32) -> (u128, u32) {
    let l = u64::BITS - (d - 1).leading_zeros();
    ((1u128 << (bits + l - 1)) / u128::from(d) + 1, l)
}

impl Body<'_> {
    /// Quotient or remainder of `x` by the constant `d`; none where only a division will do.
    pub fn by_constant(&mut self, o: BinOp, x: Value, d: i64) -> Option<Value> {
        let ty = self.b.func.dfg.value_type(x);
        let size = d.unsigned_abs();
        if size < 2 || size > i64::MAX as u64 || (ty == types::I32 && size > i32::MAX as u64) {
            return None;
        }
        let q = match (size.is_power_of_two(), ty) {
            (true, _) => self.by_shift(x, size.trailing_zeros()),
            (false, types::I32) => self.by_inverse_32(x, size),
            _ => self.by_inverse_64(x, size),
        };
        if o == BinOp::Rem {
            let whole = if size.is_power_of_two() {
                self.shl(q, i64::from(size.trailing_zeros()))
            } else {
                self.times(q, size)
            };
            return Some(self.b.ins().isub(x, whole));
        }
        Some(if d < 0 { self.b.ins().ineg(q) } else { q })
    }
    fn times(&mut self, x: Value, n: u64) -> Value {
        let ty = self.b.func.dfg.value_type(x);
        let n = self.b.ins().iconst(ty, n as i64);
        self.b.ins().imul(x, n)
    }
    fn by_shift(&mut self, x: Value, k: u32) -> Value {
        let bits = i64::from(self.b.func.dfg.value_type(x).bits());
        let sign = if k == 1 { x } else { self.sar(x, bits - 1) };
        let up = self.shr(sign, bits - i64::from(k));
        let x = self.b.ins().iadd(x, up);
        self.sar(x, i64::from(k))
    }
    /// `x * m` has 64 bits.
    fn by_inverse_32(&mut self, x: Value, d: u64) -> Value {
        let (m, l) = inverse(d, 32);
        let wide = self.b.ins().sextend(types::I64, x);
        let product = self.times(wide, m as u64);
        let q = self.sar(product, i64::from(31 + l));
        let q = self.b.ins().ireduce(types::I32, q);
        let negative = self.sar(x, 31);
        self.b.ins().isub(q, negative)
    }
    /// The inverse has 65 bits; the topmost is `x` itself, added to the upper half of the product.
    fn by_inverse_64(&mut self, x: Value, d: u64) -> Value {
        let (m, l) = inverse(d, 64);
        let m = self.b.ins().iconst(types::I64, m as u64 as i64);
        let high = self.b.ins().smulhi(x, m);
        let high = self.b.ins().iadd(high, x);
        let q = self.sar(high, i64::from(l - 1));
        let negative = self.sar(x, 63);
        self.b.ins().isub(q, negative)
    }
}

#[cfg(test)]
mod tests {
    use super::inverse;

    // What the instructions compute.
    fn narrow(x: i32, d: u64) -> i32 {
        let (m, l) = inverse(d, 32);
        (i64::from(x).wrapping_mul(m as u64 as i64) >> (31 + l)) as i32 - (x >> 31)
    }
    fn wide(x: i64, d: u64) -> i64 {
        let (m, l) = inverse(d, 64);
        let high = ((i128::from(x) * i128::from(m as u64 as i64)) >> 64) as i64;
        (high.wrapping_add(x) >> (l - 1)) - (x >> 63)
    }

    #[test]
    fn inverses_divide() {
        let near = |n: i64| (-3..=3).map(move |k| n.wrapping_add(k));
        let powers = (0..64).flat_map(|k| near(1 << k).chain(near(-(1i64 << (k % 63)))));
        let dividends: Vec<i64> =
            powers.chain((1..2000).map(|k: i64| k.wrapping_mul(0x0123_4567_89ab_cdef))).chain(-2000..2000).collect();
        let divisors = (3..1100).chain((2..62).flat_map(|k| near(1 << k))).filter(|d| *d > 2 && d.count_ones() > 1);
        for d in divisors {
            for x in dividends.iter().flat_map(|x| [*x, x.wrapping_mul(d)]) {
                assert_eq!(wide(x, d as u64), x / d, "{x} / {d}");
                if let Ok(n) = i32::try_from(d) {
                    assert_eq!(narrow(x as i32, d as u64), x as i32 / n, "{} / {d}", x as i32);
                }
            }
        }
    }
}
