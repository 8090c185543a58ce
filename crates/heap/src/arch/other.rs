//! Blocks of 8 bytes, where both addresses are aligned to them.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes per block.
pub const BLOCK: usize = 8;

/// Whether blocks may be copied between these addresses.
#[inline(always)]
pub fn can_copy_blocks(src: usize, dst: usize) -> bool {
    (src | dst) & (BLOCK - 1) == 0
}

/// Copies `n` blocks, from the lowest upwards or, `backward`, from the highest downwards.
///
/// # Safety
/// Both ranges lie in live objects and are aligned to 8 bytes.
#[inline]
pub unsafe fn copy_blocks(src: usize, dst: usize, n: usize, backward: bool) {
    let step = |i: usize| {
        // SAFETY: by the caller's promise.
        unsafe {
            let v = AtomicU64::from_ptr((src as *mut u64).add(i)).load(Relaxed);
            AtomicU64::from_ptr((dst as *mut u64).add(i)).store(v, Relaxed);
        }
    };
    if backward { (0..n).rev().for_each(step) } else { (0..n).for_each(step) }
}

/// Has the line of `address` on its way to the cache; no hint is known here.
#[inline(always)]
pub fn fetch(_address: usize) {}
