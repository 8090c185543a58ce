//! Sine, cosine and tangent of large arguments, where the C library's lose up to all digits of a result that is nearly 0
//! (or, of a tangent, nearly infinite).
//!
//! Invariant: the argument is reduced with as many bits of 2/pi as it takes (Payne and Hanek, Radian Reduction for
//! Trigonometric Functions, 1983): a double comes no closer to a multiple of pi/2 than about 2^-61, and 170 bits behind the
//! point are right. Functions of the rest are the processor's own, whose results have 64 bits.

/// Arguments from here on are reduced here.
pub(super) const LARGE: f64 = (1u64 << 26) as f64;

/// The bits of 2/pi behind the point: as many as the largest double asks for.
const TWO_OVER_PI: [u64; 20] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];

/// 64 bits of 2/pi from bit `at` on; zeros from before the point.
fn two_over_pi(at: i32) -> u64 {
    let word = |n: i32| usize::try_from(n).ok().and_then(|n| TWO_OVER_PI.get(n)).map_or(0, |w| *w);
    let (n, shift) = (at.div_euclid(64), at.rem_euclid(64));
    match shift {
        0 => word(n),
        _ => word(n) << shift | word(n + 1) >> (64 - shift),
    }
}

/// The quarter of the circle, and the rest in units of pi/2 from -0.5 to 0.5 as the sum of two doubles.
fn reduce(x: f64) -> (u64, f64, f64) {
    let bits = x.to_bits();
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    // x is mantissa * 2^exponent; bits of 2/pi before `first` make multiples of four quarters.
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    let first = exponent - 2;
    // The product in units of 2^-254 quarters, without what goes round the circle; the lowest word first.
    let mut product = [0u64; 4];
    let mut carry = 0u128;
    for (n, word) in product.iter_mut().enumerate() {
        let sum = u128::from(mantissa) * u128::from(two_over_pi(first + 64 * (3 - n as i32))) + carry;
        (*word, carry) = (sum as u64, sum >> 64);
    }
    let (mut quarter, negative) = (product[3] >> 62, product[3] >> 61 & 1 != 0);
    product[3] &= (1 << 62) - 1;
    if negative {
        quarter += 1;
        // 1 minus the rest: a unit of the last place does not matter.
        product = product.map(|w| !w);
        product[3] &= (1 << 62) - 1;
    }
    let high = u128::from(product[3]) << 64 | u128::from(product[2]);
    let low = u128::from(product[1]) << 64 | u128::from(product[0]);
    let zeros = high.leading_zeros().min(127);
    let top = high << zeros | low.checked_shr(128 - zeros).unwrap_or(0);
    // top * 2^-(126 + zeros), which 106 bits say well enough.
    let scale = 2f64.powi(-63 - zeros as i32);
    let sign = if negative { -scale } else { scale };
    let (a, b) = ((top >> 75) as u64, (top >> 22 & ((1 << 53) - 1)) as u64);
    (quarter, a as f64 * sign * 2f64.powi(12), b as f64 * sign * 2f64.powi(-41))
}

#[derive(Clone, Copy)]
enum What {
    Sin,
    Cos,
    Tan,
    MinusCot,
}

/// A function of the sum of two numbers of quarters, from -0.5 to 0.5.
fn of_quarters(what: What, high: f64, low: f64) -> f64 {
    const HALF_PI: (f64, f64) = (std::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
    let mut r = [high, low, HALF_PI.0, HALF_PI.1];
    macro_rules! by {
        ($($instruction:literal)*) => {
            // SAFETY: loads and stores locals; the registers that it takes of the stack of the floating point unit, which is
            // empty between functions, are given back.
            unsafe {
                std::arch::asm!(
                    "fld qword ptr [{p} + 16]",
                    "fadd qword ptr [{p} + 24]",
                    "fld qword ptr [{p}]",
                    "fadd qword ptr [{p} + 8]",
                    "fmulp",
                    $($instruction,)*
                    "fstp qword ptr [{p}]",
                    p = in(reg) r.as_mut_ptr(),
                    out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                    out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                    options(nostack)
                )
            }
        };
    }
    match what {
        What::Sin => by!("fsin"),
        What::Cos => by!("fcos"),
        What::Tan => by!("fsincos" "fdivp st(1), st(0)"),
        What::MinusCot => by!("fsincos" "fdivrp st(1), st(0)" "fchs"),
    }
    r[0]
}

/// The sine of `x`, which is positive, plus `quarters`.
fn sine(x: f64, quarters: u64) -> f64 {
    let (quarter, high, low) = reduce(x);
    let what = if (quarter + quarters) & 1 == 0 { What::Sin } else { What::Cos };
    let value = of_quarters(what, high, low);
    if (quarter + quarters) & 2 == 0 { value } else { -value }
}

/// An odd function.
fn odd(x: f64, f: impl FnOnce(f64) -> f64) -> f64 {
    if x < 0.0 { -f(-x) } else { f(x) }
}

pub(super) fn sin(x: f64) -> f64 {
    odd(x, |x| sine(x, 0))
}

pub(super) fn cos(x: f64) -> f64 {
    sine(x.abs(), 1)
}

pub(super) fn tan(x: f64) -> f64 {
    odd(x, |x| {
        let (quarter, high, low) = reduce(x);
        of_quarters(if quarter & 1 == 0 { What::Tan } else { What::MinusCot }, high, low)
    })
}

#[cfg(test)]
mod tests {
    /// Arguments close to multiples of pi/2 and others, with values of 1200 bits rounded.
    const KNOWN: [(u64, u64, u64, u64); 8] = [
        (0x7be8_1ae0_dffa_3b33, 0xbcb2_4245_af4c_d995, 0xbff0_0000_0000_0000, 0x3cb2_4245_af4c_d995),
        (0x687c_b44e_86bc_192b, 0xbc9d_d38a_1f1d_289b, 0xbff0_0000_0000_0000, 0x3c9d_d38a_1f1d_289b),
        (0x4436_0475_9040_fb6f, 0x3ff0_0000_0000_0000, 0x3cc1_7332_34ac_3749, 0x431d_574b_c1f9_e902),
        (0x77d5_8588_f8cd_a276, 0xbff0_0000_0000_0000, 0xbc90_40ca_57e7_f341, 0x434f_806f_ddf0_dd06),
        (0x7506_ac5b_262c_a1ff, 0x3ff0_0000_0000_0000, 0xbc21_4ae7_2e6b_a22f, 0xc3bd_9ba9_a797_5636),
        (0x4190_0000_0200_0000, 0xbfb0_cfbe_00d6_ada7, 0xbfef_ee51_17e7_de7f, 0x3fb0_d90d_6660_430a),
        (0x430c_6bf5_2634_0000, 0x3feb_76f8_8136_ceba, 0xbfe0_6c15_4609_d33f, 0xbffa_c236_00a9_5be4),
        (0x7fef_ffff_ffff_ffff, 0x3f74_52fc_98b3_4e97, 0xbfef_ffe6_2ecf_ab75, 0xbf74_530c_fe72_9484),
    ];

    #[test]
    fn values_are_within_a_unit() {
        let near = |a: f64, b: u64| a.to_bits().abs_diff(b) <= 1;
        for (x, sin, cos, tan) in KNOWN {
            let x = f64::from_bits(x);
            assert!(near(super::sin(x), sin) && near(super::cos(x), cos) && near(super::tan(x), tan), "{x}");
            assert_eq!((super::sin(-x), super::tan(-x)), (-super::sin(x), -super::tan(x)));
            assert_eq!(super::cos(-x), super::cos(x));
        }
    }
}
