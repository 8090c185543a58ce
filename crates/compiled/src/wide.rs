//! Passes over raw bytes, 16 or 32 at a time.
//!
//! Invariant: every access is one instruction in assembler, so the compiler neither assumes that nobody
//! writes meanwhile nor divides, repeats or invents one. AVX2 is used where the processor has it.
use std::arch::asm;
use std::arch::x86_64::*;

/// Bytes up to which [`move_small`] moves.
pub const SMALL: usize = 64;

macro_rules! word {
    ($load:ident $store:ident $ty:ty, $class:ident, $mov_in:literal, $mov_out:literal) => {
        /// # Safety
        /// The address is that of readable memory.
        #[inline(always)]
        unsafe fn $load(at: usize) -> $ty {
            let v: $ty;
            // SAFETY: by the caller's promise.
            unsafe { asm!($mov_in, out($class) v, at = in(reg) at, options(nostack, preserves_flags, readonly)) };
            v
        }
        /// # Safety
        /// The address is that of writable memory.
        #[inline(always)]
        unsafe fn $store(at: usize, v: $ty) {
            // SAFETY: by the caller's promise.
            unsafe { asm!($mov_out, v = in($class) v, at = in(reg) at, options(nostack, preserves_flags)) };
        }
    };
}
word!(load2 store2 u16, reg, "movzx {0:e}, word ptr [{at}]", "mov word ptr [{at}], {v:x}");
word!(load4 store4 u32, reg, "mov {0:e}, dword ptr [{at}]", "mov dword ptr [{at}], {v:e}");
word!(load8 store8 u64, reg, "mov {0}, qword ptr [{at}]", "mov qword ptr [{at}], {v}");
word!(load16 store16 __m128i, xmm_reg, "movdqu {0}, xmmword ptr [{at}]", "movdqu xmmword ptr [{at}], {v}");

/// # Safety
/// The address is that of a readable byte.
#[inline(always)]
unsafe fn load1(at: usize) -> u8 {
    let v: u32;
    // SAFETY: by the caller's promise.
    unsafe { asm!("movzx {0:e}, byte ptr [{1}]", out(reg) v, in(reg) at, options(nostack, preserves_flags, readonly)) };
    v as u8
}
/// # Safety
/// The address is that of a writable byte.
#[inline(always)]
unsafe fn store1(at: usize, v: u8) {
    // SAFETY: by the caller's promise.
    unsafe { asm!("mov byte ptr [{1}], {0}", in(reg_byte) v, in(reg) at, options(nostack, preserves_flags)) };
}
/// # Safety
/// The processor has AVX2, the address is that of readable memory.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn load32(at: usize) -> __m256i {
    let v: __m256i;
    // SAFETY: by the caller's promise.
    unsafe {
        asm!("vmovdqu {0}, ymmword ptr [{1}]", out(ymm_reg) v, in(reg) at, options(nostack, preserves_flags, readonly))
    };
    v
}

/// Moves up to [`SMALL`] bytes; the ranges may overlap. A byte may be written twice, with one value.
///
/// # Safety
/// Both ranges are there.
#[inline]
pub unsafe fn move_small(from: usize, to: usize, n: usize) {
    // SAFETY: all pieces lie in the ranges; all are read before the first is written.
    unsafe {
        match n {
            0 => {}
            1 => store1(to, load1(from)),
            2..4 => {
                let (a, b) = (load2(from), load2(from + n - 2));
                store2(to, a);
                store2(to + n - 2, b);
            }
            4..8 => {
                let (a, b) = (load4(from), load4(from + n - 4));
                store4(to, a);
                store4(to + n - 4, b);
            }
            8..16 => {
                let (a, b) = (load8(from), load8(from + n - 8));
                store8(to, a);
                store8(to + n - 8, b);
            }
            16..=32 => {
                let (a, b) = (load16(from), load16(from + n - 16));
                store16(to, a);
                store16(to + n - 16, b);
            }
            _ => {
                let (a, b) = (load16(from), load16(from + 16));
                let (c, d) = (load16(from + n - 32), load16(from + n - 16));
                store16(to, a);
                store16(to + 16, b);
                store16(to + n - 32, c);
                store16(to + n - 16, d);
            }
        }
    }
}

/// Index of the first byte in which two ranges differ; `n` if there is none.
///
/// # Safety
/// Both ranges of `n` bytes are there.
pub unsafe fn mismatch(a: usize, b: usize, n: usize) -> usize {
    let mut i = 0;
    // SAFETY: all pieces lie in the ranges; AVX2 was asked for.
    unsafe {
        if n >= 64 && is_x86_feature_detected!("avx2") {
            i = mismatch32(a, b, n);
        }
        while i + 8 <= n {
            let x = load8(a + i) ^ load8(b + i);
            if x != 0 {
                return i + x.trailing_zeros() as usize / 8;
            }
            i += 8;
        }
        while i < n {
            if load1(a + i) != load1(b + i) {
                return i;
            }
            i += 1;
        }
    }
    n
}
/// Bytes from the start in which there is no difference, a multiple of 32.
///
/// # Safety
/// As for `mismatch`; the processor has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn mismatch32(a: usize, b: usize, n: usize) -> usize {
    let mut i = 0;
    while i + 32 <= n {
        // SAFETY: both pieces lie in the ranges.
        let (x, y) = unsafe { (load32(a + i), load32(b + i)) };
        if _mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y)) != -1 {
            break;
        }
        i += 32;
    }
    i
}

/// Index of the first byte `c`; `n` if there is none.
///
/// # Safety
/// The range of `n` bytes is there.
pub unsafe fn find(a: usize, n: usize, c: u8) -> usize {
    let mut i = 0;
    // SAFETY: all pieces lie in the range; every x86-64 processor has SSE2.
    unsafe {
        let pattern = _mm_set1_epi8(c as i8);
        while i + 16 <= n {
            let hits = _mm_movemask_epi8(_mm_cmpeq_epi8(load16(a + i), pattern));
            if hits != 0 {
                return i + hits.trailing_zeros() as usize;
            }
            i += 16;
        }
        while i < n && load1(a + i) != c {
            i += 1;
        }
    }
    i
}

/// Index of the first char `c` of `n`; `n` if there is none.
///
/// # Safety
/// The range of `n` chars is there.
pub unsafe fn find_char(a: usize, n: usize, c: u16) -> usize {
    let mut i = 0;
    // SAFETY: all pieces lie in the range; every x86-64 processor has SSE2.
    unsafe {
        let pattern = _mm_set1_epi16(c as i16);
        while i + 8 <= n {
            let hits = _mm_movemask_epi8(_mm_cmpeq_epi16(load16(a + 2 * i), pattern));
            if hits != 0 {
                return i + hits.trailing_zeros() as usize / 2;
            }
            i += 8;
        }
        while i < n && load2(a + 2 * i) != c {
            i += 1;
        }
    }
    i
}

/// Whether one of the bytes has its upper bit set.
///
/// # Safety
/// The range of `n` bytes is there.
pub unsafe fn has_negatives(a: usize, n: usize) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut i = 0;
    // SAFETY: all pieces lie in the range; every x86-64 processor has SSE2.
    unsafe {
        while i + 16 <= n {
            if _mm_movemask_epi8(load16(a + i)) != 0 {
                return true;
            }
            i += 16;
        }
        if i + 8 <= n {
            if load8(a + i) & HIGH != 0 {
                return true;
            }
            i += 8;
        }
        (i..n).any(|i| load1(a + i) & 0x80 != 0)
    }
}

/// Makes chars of bytes.
///
/// # Safety
/// `n` bytes at `from` and `n` chars at `to` are there; they do not overlap.
pub unsafe fn inflate(from: usize, to: usize, n: usize) {
    let mut i = 0;
    // SAFETY: all pieces lie in the ranges; every x86-64 processor has SSE2.
    unsafe {
        let zero = _mm_setzero_si128();
        while i + 16 <= n {
            let x = load16(from + i);
            store16(to + 2 * i, _mm_unpacklo_epi8(x, zero));
            store16(to + 2 * i + 16, _mm_unpackhi_epi8(x, zero));
            i += 16;
        }
        while i < n {
            store2(to + 2 * i, u16::from(load1(from + i)));
            i += 1;
        }
    }
}

/// Makes bytes of chars up to the first that is no byte; whether all were.
///
/// # Safety
/// `n` chars at `from` and `n` bytes at `to` are there; they do not overlap.
pub unsafe fn compress(from: usize, to: usize, n: usize) -> bool {
    let mut i = 0;
    // SAFETY: all pieces lie in the ranges; every x86-64 processor has SSE2.
    unsafe {
        let high = _mm_set1_epi16(0xff00u16 as i16);
        while i + 16 <= n {
            let (x, y) = (load16(from + 2 * i), load16(from + 2 * i + 16));
            let above = _mm_and_si128(_mm_or_si128(x, y), high);
            if _mm_movemask_epi8(_mm_cmpeq_epi8(above, _mm_setzero_si128())) != 0xffff {
                break;
            }
            store16(to + i, _mm_packus_epi16(x, y));
            i += 16;
        }
        while i < n {
            let c = load2(from + 2 * i);
            if c > 0xff {
                return false;
            }
            store1(to + i, c as u8);
            i += 1;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths around every width, at every offset of a line's first bytes.
    fn shapes() -> impl Iterator<Item = (usize, usize)> {
        (0..140).flat_map(|n| (0..9).map(move |at| (at, n)))
    }
    fn pattern(n: usize) -> Vec<u8> {
        (0..n).map(|i| (i * 37 % 127) as u8).collect()
    }

    #[test]
    fn small_moves_are_memmoves() {
        for (at, n) in shapes().filter(|s| s.1 <= SMALL) {
            for to in [0, 1, 5, 80] {
                let mut bytes = pattern(200);
                let mut wanted = bytes.clone();
                wanted.copy_within(at..at + n, to);
                let base = bytes.as_mut_ptr() as usize;
                // SAFETY: both ranges lie in the vector.
                unsafe { move_small(base + at, base + to, n) };
                assert_eq!(bytes, wanted, "{n} bytes from {at} to {to}");
            }
        }
    }
    #[test]
    fn the_first_difference_is_found() {
        for (at, n) in shapes() {
            let (a, mut b) = (pattern(160), pattern(160));
            let (p, q) = (a.as_ptr() as usize + at, b.as_mut_ptr() as usize + at);
            // SAFETY: the ranges lie in the vectors.
            unsafe { assert_eq!(mismatch(p, q, n), n) };
            for place in 0..n {
                b[at + place] ^= 1;
                // SAFETY: as above.
                unsafe { assert_eq!(mismatch(p, q, n), place, "{n} bytes at {at}") };
                b[at + place] ^= 1;
            }
        }
    }
    #[test]
    fn bytes_are_found_where_they_are() {
        for (at, n) in shapes() {
            let mut a = pattern(160);
            let p = a.as_mut_ptr() as usize + at;
            // SAFETY: the ranges lie in the vector.
            unsafe {
                assert_eq!(find(p, n, 200), n);
                assert!(!has_negatives(p, n));
            }
            for place in 0..n {
                let old = std::mem::replace(&mut a[at + place], 200);
                // SAFETY: as above.
                unsafe {
                    assert_eq!(find(p, n, 200), place);
                    assert!(has_negatives(p, n));
                }
                a[at + place] = old;
            }
        }
    }
    #[test]
    fn chars_are_found_where_they_are() {
        for (at, n) in shapes() {
            // Halves of the char stand everywhere, also across two others.
            let mut a = vec![0x0303u16; 160];
            let p = a.as_mut_ptr() as usize + 2 * at;
            // SAFETY: the ranges lie in the vector.
            unsafe { assert_eq!(find_char(p, n, 0x0304), n) };
            for place in 0..n {
                a[at + place] = 0x0304;
                // SAFETY: as above.
                unsafe { assert_eq!(find_char(p, n, 0x0304), place) };
                a[at + place] = 0x0403;
            }
        }
    }
    #[test]
    fn chars_become_bytes_and_bytes_chars() {
        for (at, n) in shapes() {
            let bytes: Vec<u8> = (0..160).map(|i| (i * 91 % 256) as u8).collect();
            let mut chars = vec![0u16; 160];
            let mut back = vec![7u8; 160];
            let (from, to) = (bytes.as_ptr() as usize + at, chars.as_mut_ptr() as usize + 2 * at);
            // SAFETY: the ranges lie in the vectors.
            unsafe {
                inflate(from, to, n);
                assert!(compress(to, back.as_mut_ptr() as usize + at, n));
            }
            assert!((0..n).all(|i| chars[at + i] == u16::from(bytes[at + i])));
            assert_eq!(back[at..at + n], bytes[at..at + n]);
            assert!(back[..at].iter().chain(&back[at + n..]).all(|b| *b == 7));
            for place in 0..n {
                let old = std::mem::replace(&mut chars[at + place], 256);
                // SAFETY: as above.
                assert!(!unsafe { compress(to, back.as_mut_ptr() as usize + at, n) });
                chars[at + place] = old;
            }
        }
    }
}
