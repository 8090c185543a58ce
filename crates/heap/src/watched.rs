//! Allocations that somebody wants to be told of.
//!
//! Invariant: while they are watched every thread's pair is one that has never room, so that every allocation of an
//! object takes the slow path, which tells the runtime before the object has its header. While they are not, nothing is
//! asked anywhere: the pair is the thread's own.
use crate::alloc::bump_pointer;
use concord_contract::Thread;
use std::sync::atomic::{AtomicBool, Ordering};

static ON: AtomicBool = AtomicBool::new(false);

/// Whether every allocation takes the slow path for this reason.
#[inline(always)]
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Whether allocations are told of from now on. The caller is in the VM, or is the only thread.
pub fn watch_allocations(on: bool) {
    let attached = Thread::current_opt().is_some();
    if ON.load(Ordering::SeqCst) == on {
        return;
    }
    if !attached {
        // No thread has a pair yet.
        ON.store(on, Ordering::SeqCst);
        return;
    }
    concord_safepoint::stop_the_world("WatchAllocations", |stopped| {
        ON.store(on, Ordering::SeqCst);
        for th in stopped.threads() {
            th.bump.set(bump_pointer(th));
            crate::eden::show_limit(th);
        }
    });
}

/// Tells of `size` bytes at `at`, which will be an object before the thread reaches a safepoint.
pub(crate) fn tell(th: &Thread, at: usize, size: usize) {
    if is_on() && at != 0 {
        crate::roots::provider().allocated(th, at, size);
    }
}
