//! The thread block as the C library's thread-specific data.
//!
//! Invariant: as long as a thread is attached, `pthread_getspecific` of one key gives the address of its block, which is
//! what `Thread.eetop` says. As in HotSpot: in a signal handler profilers know a thread of the VM by that, and they
//! learn of new ones by having `pthread_setspecific` call them (async-profiler does both).
use concord_base::vm_log;
use concord_contract::Thread;
use std::sync::OnceLock;

fn key() -> Option<libc::pthread_key_t> {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: a place for the key; it has no destructor.
        (unsafe { libc::pthread_key_create(&mut key, None) } == 0).then_some(key)
    })
}

/// The block of the calling thread, or null when it has none any more.
pub(super) fn set(block: *const Thread) {
    // SAFETY: a key that is never deleted.
    if key().is_none_or(|k| unsafe { libc::pthread_setspecific(k, block.cast()) } != 0) {
        vm_log!(OsThread, Warning, "profilers will not know this thread: the system has no thread-specific data left");
    }
}
