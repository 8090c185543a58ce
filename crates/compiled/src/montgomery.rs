//! Leaf routines of compiled code for `java.math.BigInteger`: products modulo an odd number in Montgomery's form.
//!
//! Invariant: the upper half of the product array is what the Java body leaves there, the number below the modulus, and the
//! lower half zeros; for what does not fit the body runs ([`BODY`]).
//!
//! Numbers are big-endian arrays of ints in Java, little-endian arrays of 64-bit limbs here. The method is finely integrated
//! operand scanning (Koç, Acar, Kaliski: Analyzing and comparing Montgomery multiplication algorithms, 1996).
use crate::bulk::{BODY, obj};
use concord_contract::Obj;
use concord_memory_model::emit;
use std::cmp::Ordering;

/// Ints up to which `BigInteger` asks.
const MOST_INTS: usize = 512;

/// `BigInteger.implMontgomeryMultiply`: factors, modulus, ints of each, -1/modulus modulo 2^64, product.
pub extern "sysv64" fn multiply(a: u64, b: u64, n: u64, len: i32, inverse: u64, product: u64) -> i32 {
    let (a, b, n, product) = (obj(a), obj(b), obj(n), obj(product));
    let Ok(ints) = usize::try_from(len) else { return BODY };
    let has = |o: Obj| !o.is_null() && o.array_len() >= ints;
    let fits = has(a) && has(b) && has(n) && !product.is_null() && product.array_len() == 2 * ints;
    if !fits || ints == 0 || ints % 2 != 0 || ints > MOST_INTS {
        return BODY;
    }
    // Clearing what the largest numbers need takes as long as multiplying small ones.
    match ints {
        ..=64 => multiply_in::<32>(a, b, n, ints / 2, inverse, product),
        _ => multiply_in::<{ MOST_INTS / 2 }>(a, b, n, ints / 2, inverse, product),
    }
    emit::after_plain_store_into(product.is_local());
    0
}

fn multiply_in<const MOST: usize>(a: Obj, b: Obj, n: Obj, limbs: usize, inverse: u64, product: Obj) {
    let [mut x, mut y, mut m, mut t] = [[0; MOST]; 4];
    for (o, to) in [(a, &mut x), (b, &mut y), (n, &mut m)] {
        load(o, &mut to[..limbs]);
    }
    montgomery(&x[..limbs], &y[..limbs], &m[..limbs], inverse, &mut t[..limbs]);
    let int = |i: usize| Obj::elem_offset(i, 2);
    for (i, l) in t[..limbs].iter().rev().enumerate() {
        product.put_i32(int(2 * i), (*l >> 32) as i32);
        product.put_i32(int(2 * i + 1), *l as i32);
    }
    (2 * limbs..4 * limbs).for_each(|i| product.put_i32(int(i), 0));
}

/// `BigInteger.implMontgomerySquare`.
pub extern "sysv64" fn square(a: u64, n: u64, len: i32, inverse: u64, product: u64) -> i32 {
    multiply(a, a, n, len, inverse, product)
}

/// The number in the first ints of an array.
fn load(o: Obj, to: &mut [u64]) {
    let int = |i: usize| u64::from(o.get_i32(Obj::elem_offset(i, 2)) as u32);
    for (i, limb) in to.iter_mut().rev().enumerate() {
        *limb = int(2 * i) << 32 | int(2 * i + 1);
    }
}

/// `t` = `x` * `y` / 2^(64 * limbs) modulo `m`; all have as many limbs, `t` is zero.
fn montgomery(x: &[u64], y: &[u64], m: &[u64], inverse: u64, t: &mut [u64]) {
    let limbs = m.len();
    let (x, y, t) = (&x[..limbs], &y[..limbs], &mut t[..limbs]);
    // What is above the limbs of `t`: 0 or 1.
    let mut top = 0;
    for &b in y {
        let (first, mut c) = multiply_add(x[0], b, t[0], 0);
        let k = first.wrapping_mul(inverse);
        // The lowest limb becomes zero and goes.
        let (_, mut d) = multiply_add(m[0], k, first, 0);
        for j in 1..limbs {
            let sum;
            (sum, c) = multiply_add(x[j], b, t[j], c);
            (t[j - 1], d) = multiply_add(m[j], k, sum, d);
        }
        let sum = u128::from(c) + u128::from(d) + u128::from(top);
        (t[limbs - 1], top) = (sum as u64, (sum >> 64) as u64);
    }
    while top != 0 || compare(t, m) != Ordering::Less {
        let mut borrow = false;
        for (d, s) in t.iter_mut().zip(m) {
            let (r, b1) = d.overflowing_sub(*s);
            let (r, b2) = r.overflowing_sub(u64::from(borrow));
            (*d, borrow) = (r, b1 | b2);
        }
        top -= u64::from(borrow);
    }
}

/// `x` * `k` + `a` + `b`: lower and upper limb.
fn multiply_add(x: u64, k: u64, a: u64, b: u64) -> (u64, u64) {
    let v = u128::from(x) * u128::from(k) + u128::from(a) + u128::from(b);
    (v as u64, (v >> 64) as u64)
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}
