//! Elementary functions of `java.lang.Math`.
//!
//! Invariant: every tier computes one of these by the function here, so a value does not depend on who runs the code, and
//! the special cases of `java.lang.Math` hold. Results are within one unit in the last place; `java.lang.StrictMath` is
//! exact to its own definition (fdlibm) and not here.
//!
//! They are the C library's, which rounds nearly always as HotSpot's intrinsics do: of a million arguments 0.02 to 0.4 % of
//! the results differ in the last bit, of fdlibm's 3 to 8 %, which also takes two to ten times as long. The C library's
//! `log10` differs as often as fdlibm's, the processor's own in 0.02 %. Its `sin`, `cos` and `tan` of large arguments are up to
//! thousands of units wrong where they come close to 0: those are [`large`]'s.

mod large;

macro_rules! unary {
    ($($name:ident)*) => {
        mod c {
            unsafe extern "C" {
                $(pub safe fn $name(x: f64) -> f64;)*
                pub safe fn pow(x: f64, y: f64) -> f64;
            }
        }
        $(
            /// As `java.lang.Math` says.
            pub extern "sysv64" fn $name(x: f64) -> f64 {
                unary!(@large $name x);
                c::$name(x)
            }
        )*
    };
    (@large exp $x:ident) => {};
    (@large log $x:ident) => {};
    (@large $name:ident $x:ident) => {
        if $x.abs() >= large::LARGE && $x.is_finite() {
            return large::$name($x);
        }
    };
}
unary! { sin cos tan exp log }

/// As `java.lang.Math` says; of a power of ten exactly its exponent.
pub extern "sysv64" fn log10(x: f64) -> f64 {
    let mut r = x;
    // SAFETY: loads and stores one local; the two registers that it takes of the stack of the floating point unit, which is
    // empty between functions, are given back.
    unsafe {
        std::arch::asm!(
            "fldlg2",
            "fld qword ptr [{p}]",
            "fyl2x",
            "fstp qword ptr [{p}]",
            p = in(reg) &raw mut r,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack)
        );
    }
    r
}

/// As `java.lang.Math` says. C has 1 for powers of 1 and for infinite ones of -1, where Java has NaN, and may change a NaN.
pub extern "sysv64" fn pow(x: f64, y: f64) -> f64 {
    match y {
        _ if y == 0.0 => 1.0,
        _ if x == 1.0 && !y.is_finite() || x == -1.0 && y.is_infinite() => f64::NAN,
        _ if x.is_nan() || y.is_nan() => x + y,
        _ => c::pow(x, y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cases_are_javas() {
        let inf = f64::INFINITY;
        for f in [sin, cos, tan] {
            assert!(f(inf).is_nan() && f(-inf).is_nan() && f(f64::NAN).is_nan());
        }
        for f in [sin, tan] {
            assert_eq!(f(-0.0).to_bits(), (-0.0f64).to_bits());
        }
        assert_eq!((exp(-inf), exp(inf), exp(0.0)), (0.0, inf, 1.0));
        for f in [log, log10] {
            assert!(f(-1.0).is_nan() && f(f64::NAN).is_nan());
            assert_eq!((f(0.0), f(-0.0), f(inf), f(1.0).to_bits()), (-inf, -inf, inf, 0));
        }
        for (x, y) in [(1.0, f64::NAN), (1.0, inf), (-1.0, inf), (-1.0, -inf), (2.0, f64::NAN), (f64::NAN, 1.0)] {
            assert!(pow(x, y).is_nan(), "{x} to the power of {y}");
        }
        assert_eq!(pow(f64::from_bits(0x7ff0_0000_0000_0001), 0.0), 1.0);
        assert_eq!(pow(2.0, f64::from_bits(0xfff8_0000_0000_0123)).to_bits(), 0xfff8_0000_0000_0123);
        assert_eq!((pow(f64::NAN, 0.0), pow(0.0, -1.0), pow(-0.0, -3.0), pow(-8.0, 3.0)), (1.0, inf, -inf, -512.0));
    }

    #[test]
    fn powers_of_ten_have_whole_logarithms() {
        for n in 0..=22 {
            assert_eq!(log10(10f64.powi(n)), f64::from(n));
        }
    }
}
