//! Blocks of 16 bytes by unaligned vector moves.
//!
//! A move that the processor splits is split at a multiple of 8 bytes, so an aligned element stays
//! whole. The moves are assembler because other threads may write the source meanwhile.
use std::arch::asm;
use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// Bytes per block.
pub const BLOCK: usize = 16;

/// Whether blocks may be copied between these addresses; always.
#[inline(always)]
pub fn can_copy_blocks(_src: usize, _dst: usize) -> bool {
    true
}

/// Copies `n` blocks, from the lowest upwards or, `backward`, from the highest downwards.
///
/// # Safety
/// Both ranges lie in live objects; `n` is not 0.
#[inline]
pub unsafe fn copy_blocks(src: usize, dst: usize, n: usize, backward: bool) {
    let last = (n - 1) * BLOCK;
    let (s, d, step) = if backward { (src + last, dst + last, -16isize) } else { (src, dst, 16) };
    // SAFETY: the loop moves `n` blocks inside the ranges that the caller vouches for.
    unsafe {
        asm!(
            "2:",
            "movdqu {x}, [{s}]",
            "movdqu [{d}], {x}",
            "add {s}, {step}",
            "add {d}, {step}",
            "dec {n}",
            "jnz 2b",
            s = inout(reg) s => _,
            d = inout(reg) d => _,
            n = inout(reg) n => _,
            step = in(reg) step,
            x = out(xmm_reg) _,
            options(nostack),
        );
    }
}

/// Has the line of `address` on its way to the cache.
#[inline(always)]
pub fn fetch(address: usize) {
    // SAFETY: a hint; it does not fault.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address as *const i8) };
}
