//! Execution counts per thread.
//!
//! Invariant: only the owning thread touches its table, so counting costs no sharing. A counter
//! counts down; an underflow enters the runtime, which adds the amount to the method.
use concord_contract::thread::{HEAT, Thread};

/// Start value of a counter, and so the amount that an underflow stands for.
pub const PERIOD: i16 = 0x7fff;

/// Counts one event at the hash `h`; true when the counter ran out (it is refilled).
///
/// # Safety
/// `th` is the running thread's block.
#[inline(always)]
pub unsafe fn tick(th: *const Thread, h: usize) -> bool {
    // SAFETY: the table belongs to the running thread; the index is masked.
    unsafe {
        let p = ((*th).heat.get() as *mut i16).add(h & (HEAT - 1));
        let v = (*p).wrapping_sub(1);
        *p = v;
        if v < 0 {
            *p = PERIOD;
            return true;
        }
        false
    }
}
