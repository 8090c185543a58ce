//! The native stack of a thread: how much of it is left, and when it is gone.
//!
//! Invariant: code of the VM that calls itself as deep as a program's data say asks [`room_to_recurse`] at each level, so
//! it ends with a StackOverflowError; nobody looks for references on the stack of a native thread that has ended.
use crate::exceptions;
use concord_base::vm_log;
use concord_contract::{JResult, Thread};
use std::sync::OnceLock;

/// How far from its end a native stack counts as used up: room for signal-safe work and for what
/// the overflow handling itself calls.
const RESERVE: usize = 96 << 10;
/// What a level of a recursion finds free: it may end in Java code, which makes the error. Less on small stacks.
const LEVEL: usize = 64 << 10;

/// Tells the block of the calling thread where its stack is.
pub(super) fn measure(th: &Thread) {
    let (low, high) = concord_safepoint::native_stack();
    th.native_base.set(high);
    th.native_limit.set(low + RESERVE);
}

/// Whether a recursion of the VM may go one level deeper; `th` is the calling thread's block.
///
/// # Errors
/// StackOverflowError.
#[inline(never)]
pub fn room_to_recurse(th: &Thread) -> JResult<()> {
    let here = 0u8;
    let (limit, base) = (th.native_limit.get(), th.native_base.get());
    let left = (std::ptr::from_ref(&here) as usize).saturating_sub(limit);
    match left < LEVEL.min(base.saturating_sub(limit) / 4) {
        true => exceptions::throw_no_msg(th, "java/lang/StackOverflowError"),
        false => Ok(()),
    }
}

/// Rounds in which the C library calls destructors of thread-specific data (glibc's PTHREAD_DESTRUCTOR_ITERATIONS).
const ROUNDS: usize = 4;

/// The key whose destructor sees threads end.
fn key() -> Option<libc::pthread_key_t> {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: a place for the key, and a function for as long as the process lives.
        (unsafe { libc::pthread_key_create(&mut key, Some(ends)) } == 0).then_some(key)
    })
}

/// Sees to it that the end of the calling thread, which is attached, is noticed if it does not detach. As in HotSpot such
/// a thread stays in the list of threads for ever, but its stack is no memory any more.
pub(super) fn watch() {
    if key().is_none_or(|k| !count(k, 1)) {
        vm_log!(OsThread, Warning, "the end of an attached thread will not be noticed");
    }
}

/// Makes `round` the round at which the destructor is called next.
fn count(key: libc::pthread_key_t, round: usize) -> bool {
    // SAFETY: a number for a key that is never deleted.
    unsafe { libc::pthread_setspecific(key, round as *const libc::c_void) == 0 }
}

/// The destructor. Those of other libraries may still call Java, and detach: only the last round is the end.
unsafe extern "C" fn ends(round: *mut libc::c_void) {
    let Some(th) = Thread::current_opt().filter(|_| !concord_safepoint::is_over()) else { return };
    let round = round as usize;
    if round < ROUNDS && key().is_some_and(|k| count(k, round + 1)) {
        return;
    }
    concord_safepoint::to_vm(th);
    th.native_base.set(0);
    concord_safepoint::to_native(th);
}
