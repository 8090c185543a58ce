//! Leaf routine of compiled code for GHASH, the authentication of AES-GCM: what `com.sun.crypto.provider.GHASH.processBlocks` does.
//!
//! Invariant: the state is afterwards what the Java body leaves; for what does not fit, and on a processor without carry-less
//! multiplication, the body runs ([`BODY`]).
//!
//! Elements of GF(2^128) are 128-bit numbers whose most significant bit is GHASH's first, which makes them POLYVAL's
//! (RFC 8452, appendix A): GHASH by H is POLYVAL by x * H. A product is reduced as Montgomery's, by two multiplications with the
//! upper half of the polynomial. Sums of products are reduced once.
use crate::bulk::{BODY, element, fits, obj};
use concord_contract::Obj;
use concord_memory_model::emit;
use std::arch::x86_64::*;

const BLOCK: usize = 16;
/// Products that are summed before they are reduced. With fewer blocks than twice this the powers of the key do not pay.
const AT_ONCE: usize = 8;
/// x^128 + x^127 + x^126 + x^121 + 1 without its first term.
const POLYNOMIAL: u128 = 0xc200_0000_0000_0000_0000_0000_0000_0001;

/// Data, first byte, blocks, state, subkey (the first two longs of its array).
pub extern "sysv64" fn process_blocks(data: u64, at: i32, blocks: i32, state: u64, subkey: u64) -> i32 {
    let (data, state, subkey) = (obj(data), obj(state), obj(subkey));
    let able = is_x86_feature_detected!("pclmulqdq") && is_x86_feature_detected!("ssse3");
    let fit = blocks.checked_mul(BLOCK as i32).is_some_and(|n| fits(data.array_len(), at, n));
    if !able || !fit || state.array_len() != 2 || subkey.array_len() < 2 {
        return BODY;
    }
    let long = |o: Obj, i: usize| u128::from(o.get_u64(Obj::elem_offset(i, 3)));
    let h = long(subkey, 0) << 64 | long(subkey, 1);
    let y = long(state, 0) << 64 | long(state, 1);
    // SAFETY: the blocks lie in the array; the processor has the instructions.
    let y = unsafe { hash(times_x(h), y, element(data, at as usize, 0), blocks as usize) };
    state.put_u64(Obj::elem_offset(0, 3), (y >> 64) as u64);
    state.put_u64(Obj::elem_offset(1, 3), y as u64);
    emit::after_plain_store_into(state.is_local());
    0
}

fn times_x(h: u128) -> u128 {
    h << 1 ^ if h >> 127 != 0 { POLYNOMIAL } else { 0 }
}

#[inline]
pub(crate) fn vector(x: u128) -> __m128i {
    // SAFETY: both are 16 bytes of which every value is one.
    unsafe { std::mem::transmute(x) }
}

/// # Safety
/// There are that many blocks at `at`; the processor has the instructions.
#[target_feature(enable = "pclmulqdq,ssse3")]
unsafe fn hash(h: u128, y: u128, mut at: usize, mut blocks: usize) -> u128 {
    let h = vector(h);
    let mut y = vector(y);
    if blocks >= 2 * AT_ONCE {
        // The highest power first: it multiplies the oldest block.
        let mut powers = [h; AT_ONCE];
        for i in (0..AT_ONCE - 1).rev() {
            powers[i] = Sum::of(powers[i + 1], h).reduced();
        }
        while blocks >= AT_ONCE {
            // SAFETY: so many blocks are left.
            let mut sum = Sum::of(_mm_xor_si128(y, unsafe { load(at) }), powers[0]);
            for (n, power) in powers.iter().enumerate().skip(1) {
                // SAFETY: as above.
                sum.add(Sum::of(unsafe { load(at + n * BLOCK) }, *power));
            }
            y = sum.reduced();
            (at, blocks) = (at + AT_ONCE * BLOCK, blocks - AT_ONCE);
        }
    }
    for n in 0..blocks {
        // SAFETY: as above.
        y = Sum::of(_mm_xor_si128(y, unsafe { load(at + n * BLOCK) }), h).reduced();
    }
    // SAFETY: as in `vector`.
    unsafe { std::mem::transmute(y) }
}

/// A block: its first byte is the most significant.
///
/// # Safety
/// There are 16 bytes at `at`.
#[inline]
#[target_feature(enable = "ssse3")]
unsafe fn load(at: usize) -> __m128i {
    let backwards = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    // SAFETY: by the caller's word. Another thread may write there: then it is a block of before and after, as in Java.
    _mm_shuffle_epi8(unsafe { _mm_loadu_si128(at as *const __m128i) }, backwards)
}

/// Products that are not reduced: the lower, the middle and the upper 128 bits, which overlap by half.
#[derive(Clone, Copy)]
struct Sum {
    low: __m128i,
    middle: __m128i,
    high: __m128i,
}

impl Sum {
    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    fn of(a: __m128i, b: __m128i) -> Sum {
        Sum {
            low: _mm_clmulepi64_si128::<0x00>(a, b),
            middle: _mm_xor_si128(_mm_clmulepi64_si128::<0x01>(a, b), _mm_clmulepi64_si128::<0x10>(a, b)),
            high: _mm_clmulepi64_si128::<0x11>(a, b),
        }
    }

    #[inline]
    fn add(&mut self, o: Sum) {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            self.low = _mm_xor_si128(self.low, o.low);
            self.middle = _mm_xor_si128(self.middle, o.middle);
            self.high = _mm_xor_si128(self.high, o.high);
        }
    }

    /// The product divided by x^128, modulo the polynomial.
    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    fn reduced(self) -> __m128i {
        let polynomial = vector(POLYNOMIAL);
        let mut low = _mm_xor_si128(self.low, _mm_slli_si128::<8>(self.middle));
        let high = _mm_xor_si128(self.high, _mm_srli_si128::<8>(self.middle));
        for _ in 0..2 {
            // The lower half becomes zero and goes: the halves change places.
            let k = _mm_clmulepi64_si128::<0x10>(low, polynomial);
            low = _mm_xor_si128(_mm_shuffle_epi32::<0x4e>(low), k);
        }
        _mm_xor_si128(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product as NIST SP 800-38D, 6.3 defines it, bit by bit.
    fn product(x: u128, y: u128) -> u128 {
        let (mut z, mut v) = (0, y);
        for i in (0..128).rev() {
            z ^= if x >> i & 1 != 0 { v } else { 0 };
            v = v >> 1 ^ if v & 1 != 0 { 0xe1 << 120 } else { 0 };
        }
        z
    }

    #[test]
    fn hashes_are_those_of_the_definition() {
        if !is_x86_feature_detected!("pclmulqdq") || !is_x86_feature_detected!("ssse3") {
            return;
        }
        let mut seed = 1u128;
        let mut next = || {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
            seed ^ seed >> 64
        };
        for blocks in 0..40 {
            let (h, start) = (next(), next());
            let data: Vec<u128> = (0..blocks).map(|_| next()).collect();
            let bytes: Vec<u8> = data.iter().flat_map(|b| b.to_be_bytes()).collect();
            let expected = data.iter().fold(start, |y, b| product(y ^ b, h));
            // SAFETY: the blocks are there, and the instructions.
            let hashed = unsafe { hash(times_x(h), start, bytes.as_ptr() as usize, blocks) };
            assert_eq!(hashed, expected, "{blocks} blocks");
        }
    }
}
