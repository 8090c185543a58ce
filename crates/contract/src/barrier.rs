//! The inline halves of what a reference store owes: publication and the collector's barrier.
//!
//! Invariant of publication: no SHARED object refers to a LOCAL one. So a store for which
//! [`must_publish`] holds goes through the heap room, which makes all that `value` reaches SHARED
//! before it stores.
//!
//! Invariant of the collector's barrier: a reference store into an object whose unlog bit is set goes through the heap room's
//! `store_ref`, which clears the bit and remembers the object; into any other object the store
//! alone is enough for the collector. The bit table is MMTk's side metadata: one bit per 8 bytes.
//!
//! Such a store leaves a note ([`note`]) behind [`crate::Thread::notes`], for which the bit is not set and cleared in
//! one step: two threads that store at once may both leave one.
use crate::object::{Obj, REF_SHIFT};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// Address of the byte that holds the unlog bit of address 0; 0 while the plan has no barrier.
pub static UNLOG_TABLE: AtomicUsize = AtomicUsize::new(0);

/// Whether a reference store into `target` must be remembered (facts: 8 instructions when inlined).
#[inline(always)]
pub fn must_log(target: Obj) -> bool {
    let table = UNLOG_TABLE.load(Ordering::Relaxed);
    if table == 0 {
        return false;
    }
    let a = target.addr();
    // SAFETY: the collector maps the table for every address that can hold an object.
    let byte = unsafe { AtomicU8::from_ptr((table + (a >> 6)) as *mut u8) }.load(Ordering::Relaxed);
    (byte >> ((a >> 3) & 7)) & 1 != 0
}

/// Whether storing `value` into `target` would show a LOCAL object to other threads. The two words
/// may be read in either order: only the calling thread changes them between two safepoints.
#[inline(always)]
pub fn must_publish(target: Obj, value: Obj) -> bool {
    !value.is_null() && !target.is_local() && value.is_local()
}

/// What the barrier notes: the object, and in the upper half what the reference stored into it has overwritten (null if
/// that is not known). Both as references are in the heap.
#[inline(always)]
pub const fn note(target: u64, overwritten: u32) -> u64 {
    (overwritten as u64) << 32 | target >> REF_SHIFT
}
