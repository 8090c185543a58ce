//! Execution counts per thread.
//!
//! Invariant: only the owning thread touches its table, so counting costs no sharing. A counter
//! counts down; below zero it enters the runtime, which adds [`HEAT_PERIOD`] to the method, and is
//! refilled. Counters share slots by hash: a collision only makes one run out early.
use concord_contract::thread::{HEAT, HEAT_PERIOD, Thread};
use std::sync::atomic::Ordering;

/// Hash of a jump target.
#[inline(always)]
pub fn of_target(pc: *const u32) -> usize {
    pc as usize >> 2
}
/// Hash of a method.
#[inline(always)]
pub fn of_method(m: u64) -> usize {
    m as usize >> 6
}

/// Counts one event; true when the counter ran out.
///
/// # Safety
/// `th` is the running thread's block.
#[inline(always)]
pub unsafe fn tick(th: *const Thread, hash: usize) -> bool {
    // SAFETY: the table belongs to the running thread; the index is masked.
    unsafe {
        let p = ((*th).heat.get() as *mut i16).add(hash & (HEAT - 1));
        *p = (*p).wrapping_sub(1);
        *p < 0
    }
}

/// Refills a counter that ran out; false if it had not.
pub fn refill(th: &Thread, hash: usize) -> bool {
    // SAFETY: as for `tick`; the reference ends here.
    let c = unsafe { &mut (&mut *th.heat.get())[hash & (HEAT - 1)] };
    if *c >= 0 {
        return false;
    }
    *c = HEAT_PERIOD.load(Ordering::Relaxed);
    true
}
