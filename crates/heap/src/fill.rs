//! One value in all elements of a range.
//!
//! Invariant: elements are written in ascending order, each once and in one piece: alone, or with its
//! neighbours as one aligned piece of 8 bytes. Other threads therefore see a state that a loop over the
//! elements could have left.
use concord_contract::{Obj, Thread, owner};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Bytes that are written between two polls.
const PIECE: usize = 1 << 20;

/// Writes the lower bits of `bits` to `n` primitive elements of `1 << shift` bytes from byte offset `from`
/// of `dst` on. Polls after each 1 MB; the array stays where it is.
pub fn fill_payload(th: &Thread, dst: Obj, from: usize, n: usize, shift: u32, bits: u64) {
    if owner::on() {
        owner::check(th, dst);
    }
    let bits = match shift {
        0 => (bits & 0xff) * 0x0101_0101_0101_0101,
        1 => (bits & 0xffff) * 0x0001_0001_0001_0001,
        2 => (bits & 0xffff_ffff) * 0x0000_0001_0000_0001,
        _ => bits,
    };
    let (mut at, mut left) = (dst.addr() + from, n << shift);
    while left > PIECE {
        // SAFETY: the caller has checked the bounds, offsets of elements are aligned to their size.
        unsafe { fill(at, PIECE, shift, bits) };
        (at, left) = (at + PIECE, left - PIECE);
        concord_safepoint::poll(th);
    }
    // SAFETY: as above.
    unsafe { fill(at, left, shift, bits) };
    // It is named by this frame until here, which keeps and pins it.
    std::hint::black_box(dst);
}

/// # Safety
/// `bytes` bytes of elements of `1 << shift` bytes lie in a live object.
unsafe fn fill(mut at: usize, bytes: usize, shift: u32, bits: u64) {
    let end = at + bytes;
    // SAFETY: all pieces lie in the range and are aligned.
    unsafe {
        while at < end && !at.is_multiple_of(8) {
            element(at, shift, bits);
            at += 1 << shift;
        }
        while at + 8 <= end {
            AtomicU64::from_ptr(at as *mut u64).store(bits, Relaxed);
            at += 8;
        }
        while at < end {
            element(at, shift, bits);
            at += 1 << shift;
        }
    }
}

/// # Safety
/// An element of `1 << shift` bytes is there.
unsafe fn element(at: usize, shift: u32, bits: u64) {
    // SAFETY: by the caller's promise.
    unsafe {
        match shift {
            0 => AtomicU8::from_ptr(at as *mut u8).store(bits as u8, Relaxed),
            1 => AtomicU16::from_ptr(at as *mut u16).store(bits as u16, Relaxed),
            2 => AtomicU32::from_ptr(at as *mut u32).store(bits as u32, Relaxed),
            _ => AtomicU64::from_ptr(at as *mut u64).store(bits, Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_range_is_filled() {
        for shift in 0..4u32 {
            let size = 1usize << shift;
            for n in 0..40 {
                for first in 0..9 {
                    let mut words = [0x5555_5555_5555_5555u64; 64];
                    let base = words.as_mut_ptr() as usize;
                    // SAFETY: the range lies in the words.
                    unsafe { fill(base + first * size, n * size, shift, u64::from_ne_bytes([0xa1; 8])) };
                    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
                    let is_filled = |i: usize| (first * size..(first + n) * size).contains(&i);
                    for (i, b) in bytes.iter().enumerate() {
                        assert_eq!(
                            *b,
                            if is_filled(i) { 0xa1 } else { 0x55 },
                            "byte {i}, {n} from {first} of {size} bytes"
                        );
                    }
                }
            }
        }
    }
}
