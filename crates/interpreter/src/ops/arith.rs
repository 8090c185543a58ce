//! Arithmetic, logic, conversions and comparisons.
use crate::dispatch::{Next, Next::Fall, Next::Slow};
use crate::slow::Kind;
use crate::stack::Stack;
use crate::value::Value;

#[inline(always)]
unsafe fn binary<T: Value, R: Value>(k: &mut Stack, f: impl Fn(T, T) -> R) -> Next {
    // SAFETY: verified code: two Ts on top.
    unsafe {
        let y = k.pop::<T>();
        let x = k.pop::<T>();
        k.push(f(x, y));
    }
    Fall
}
#[inline(always)]
unsafe fn shift<R: Value>(k: &mut Stack, f: impl Fn(R, u32) -> R) -> Next {
    // SAFETY: verified code: an int on top of an R.
    unsafe {
        let n = k.pop::<i32>();
        let x = k.pop::<R>();
        k.push(f(x, n as u32));
    }
    Fall
}
#[inline(always)]
unsafe fn unary<T: Value, R: Value>(k: &mut Stack, f: impl Fn(T) -> R) -> Next {
    // SAFETY: verified code: a T on top.
    unsafe {
        let x = k.pop::<T>();
        k.push(f(x));
    }
    Fall
}
macro_rules! divide {
    ($k:ident, $ty:ty, $f:ident) => {{
        let y: $ty = $k.pop();
        let x: $ty = $k.pop();
        if y == 0 {
            return Slow(Kind::DivByZero);
        }
        $k.push(x.$f(y));
        Fall
    }};
}
/// -1, 0, 1; unordered operands give `nan`.
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "unordered operands must take the branch")]
#[inline(always)]
fn compare<T: PartialOrd>(x: T, y: T, nan: i32) -> i32 {
    if nan < 0 { (x > y) as i32 - !(x >= y) as i32 } else { !(x <= y) as i32 - (x < y) as i32 }
}

bytecodes! {
    96 iadd IAdd 1 ONE |k, c| { binary(k, i32::wrapping_add) }
    97 ladd LAdd 1 LONG |k, c| { binary(k, i64::wrapping_add) }
    98 fadd FAdd 1 ONE |k, c| { binary(k, |x: f32, y| x + y) }
    99 dadd DAdd 1 DOUBLE |k, c| { binary(k, |x: f64, y| x + y) }
    100 isub ISub 1 ONE |k, c| { binary(k, i32::wrapping_sub) }
    101 lsub LSub 1 LONG |k, c| { binary(k, i64::wrapping_sub) }
    102 fsub FSub 1 ONE |k, c| { binary(k, |x: f32, y| x - y) }
    103 dsub DSub 1 DOUBLE |k, c| { binary(k, |x: f64, y| x - y) }
    104 imul IMul 1 ONE |k, c| { binary(k, i32::wrapping_mul) }
    105 lmul LMul 1 LONG |k, c| { binary(k, i64::wrapping_mul) }
    106 fmul FMul 1 ONE |k, c| { binary(k, |x: f32, y| x * y) }
    107 dmul DMul 1 DOUBLE |k, c| { binary(k, |x: f64, y| x * y) }
    108 idiv IDiv 1 ONE |k, c| { divide!(k, i32, wrapping_div) }
    109 ldiv LDiv 1 LONG |k, c| { divide!(k, i64, wrapping_div) }
    110 fdiv FDiv 1 ONE |k, c| { binary(k, |x: f32, y| x / y) }
    111 ddiv DDiv 1 DOUBLE |k, c| { binary(k, |x: f64, y| x / y) }
    112 irem IRem 1 ONE |k, c| { divide!(k, i32, wrapping_rem) }
    113 lrem LRem 1 LONG |k, c| { divide!(k, i64, wrapping_rem) }
    114 frem FRem 1 ONE |k, c| { Slow(Kind::FRem) }
    115 drem DRem 1 DOUBLE |k, c| { Slow(Kind::DRem) }
    116 ineg INeg 1 ONE |k, c| { unary(k, i32::wrapping_neg) }
    117 lneg LNeg 1 LONG |k, c| { unary(k, i64::wrapping_neg) }
    118 fneg FNeg 1 ONE |k, c| { unary(k, |x: f32| -x) }
    119 dneg DNeg 1 DOUBLE |k, c| { unary(k, |x: f64| -x) }
    120 ishl IShl 1 ONE |k, c| { shift(k, i32::wrapping_shl) }
    121 lshl LShl 1 ONE |k, c| { shift(k, i64::wrapping_shl) }
    122 ishr IShr 1 ONE |k, c| { shift(k, i32::wrapping_shr) }
    123 lshr LShr 1 ONE |k, c| { shift(k, i64::wrapping_shr) }
    124 iushr IUShr 1 ONE |k, c| { shift(k, |x: i32, n| (x as u32).wrapping_shr(n) as i32) }
    125 lushr LUShr 1 ONE |k, c| { shift(k, |x: i64, n| (x as u64).wrapping_shr(n) as i64) }
    126 iand IAnd 1 ONE |k, c| { binary(k, |x: i32, y| x & y) }
    127 land LAnd 1 LONG |k, c| { binary(k, |x: i64, y| x & y) }
    128 ior IOr 1 ONE |k, c| { binary(k, |x: i32, y| x | y) }
    129 lor LOr 1 LONG |k, c| { binary(k, |x: i64, y| x | y) }
    130 ixor IXor 1 ONE |k, c| { binary(k, |x: i32, y| x ^ y) }
    131 lxor LXor 1 LONG |k, c| { binary(k, |x: i64, y| x ^ y) }
    133 i2l I2L 1 ONE |k, c| { unary(k, |x: i32| x as i64) }
    134 i2f I2F 1 ONE |k, c| { unary(k, |x: i32| x as f32) }
    135 i2d I2D 1 ONE |k, c| { unary(k, |x: i32| x as f64) }
    136 l2i L2I 1 LONG |k, c| { unary(k, |x: i64| x as i32) }
    137 l2f L2F 1 LONG |k, c| { unary(k, |x: i64| x as f32) }
    138 l2d L2D 1 LONG |k, c| { unary(k, |x: i64| x as f64) }
    139 f2i F2I 1 ONE |k, c| { unary(k, |x: f32| x as i32) }
    140 f2l F2L 1 ONE |k, c| { unary(k, |x: f32| x as i64) }
    141 f2d F2D 1 ONE |k, c| { unary(k, |x: f32| x as f64) }
    142 d2i D2I 1 DOUBLE |k, c| { unary(k, |x: f64| x as i32) }
    143 d2l D2L 1 DOUBLE |k, c| { unary(k, |x: f64| x as i64) }
    144 d2f D2F 1 DOUBLE |k, c| { unary(k, |x: f64| x as f32) }
    145 i2b I2B 1 ONE |k, c| { unary(k, |x: i32| x as i8 as i32) }
    146 i2c I2C 1 ONE |k, c| { unary(k, |x: i32| x as u16 as i32) }
    147 i2s I2S 1 ONE |k, c| { unary(k, |x: i32| x as i16 as i32) }
    148 lcmp LCmp 1 LONG |k, c| { binary(k, |x: i64, y| (x > y) as i32 - (x < y) as i32) }
    149 fcmpl FCmpL 1 ONE |k, c| { binary(k, |x: f32, y| compare(x, y, -1)) }
    150 fcmpg FCmpG 1 ONE |k, c| { binary(k, |x: f32, y| compare(x, y, 1)) }
    151 dcmpl DCmpL 1 DOUBLE |k, c| { binary(k, |x: f64, y| compare(x, y, -1)) }
    152 dcmpg DCmpG 1 DOUBLE |k, c| { binary(k, |x: f64, y| compare(x, y, 1)) }
}
