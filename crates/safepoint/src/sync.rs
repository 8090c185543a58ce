//! The primitives under the stop protocol.
//!
//! Invariant: [`crate::protocol`] names no other lock or condition, so that its model test can put
//! loom's in their place.
pub use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Waits for `changed` to be notified or for a short time; `round` counts the waits of one stop.
///
/// The time limit is part of the protocol: a thread leaves the VM by a plain store and need not see
/// that somebody waits for it. The first rounds only yield, as most threads are near a poll.
pub fn pause<'a, T>(mutex: &'a Mutex<T>, changed: &Condvar, guard: MutexGuard<'a, T>, round: u32) -> MutexGuard<'a, T> {
    if round < 16 {
        drop(guard);
        std::thread::yield_now();
        return lock(mutex);
    }
    let limit = Duration::from_micros(if round < 64 { 50 } else { 500 });
    match changed.wait_timeout(guard, limit) {
        Ok((guard, _)) => guard,
        Err(_) => concord_base::bug!("a thread died while it held the safepoint lock"),
    }
}

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    match mutex.lock() {
        Ok(guard) => guard,
        Err(_) => concord_base::bug!("a thread died while it held the safepoint lock"),
    }
}

pub fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    match condition.wait(guard) {
        Ok(guard) => guard,
        Err(_) => concord_base::bug!("a thread died while it held the safepoint lock"),
    }
}
