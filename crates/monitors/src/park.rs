//! Sleeping, and the two traits through which the VM is called back. Invariant owned here: a
//! permit is binary and may be stale, so whoever sleeps re-checks what it waits for.
//!
//! A [`Parker`] belongs to a thread, never to a record (closes G5: no semaphore whose permits
//! pile up in a recycled record). It is reference counted, so a waker that took it under the
//! queue lock may use it after the sleeper has gone.

use std::sync::Arc;

#[cfg(not(any(loom, shuttle)))]
use crate::sync::{AtomicU32, Ordering, now_ns};
#[cfg(any(loom, shuttle))]
use crate::sync::{Condvar, Mutex};
use crate::thread::MonitorThread;

/// Why a thread is about to sleep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// It wants to enter a monitor (Java thread state BLOCKED).
    Enter,
    /// It waits for a notification (Java thread state WAITING, or TIMED_WAITING if `timed`).
    Wait {
        /// Whether the wait has a deadline.
        timed: bool,
    },
}

/// What the room needs of the current thread.
///
/// Order of calls around a sleep: `before_block`, sleep, `after_block`. Between the two the thread
/// touches no object and counts as stopped; after `after_block` every object may have moved.
///
/// # Safety
/// `monitor_thread` returns the state of the thread that calls, and always the same one.
pub unsafe trait Park {
    /// The state of the calling thread.
    fn monitor_thread(&self) -> &MonitorThread;

    /// The thread is about to sleep: from here on it counts as stopped.
    fn before_block(&self, why: Block);

    /// The thread has woken up: returns only once it may touch the heap again.
    fn after_block(&self);

    /// Whether the thread's interrupt status is set (`Thread.interrupt` sets it, then calls
    /// [`MonitorThread::unpark`]).
    fn is_interrupted(&self) -> bool;

    /// Clear the interrupt status, because the room reports it as an outcome.
    fn clear_interrupt(&self);

    /// Whether the thread must suspend itself before it goes on (`Thread.suspend`, a debugger).
    fn suspend_pending(&self) -> bool {
        false
    }

    /// Sleep until resumed, counting as stopped; the thread wants to enter a monitor. Called only
    /// without any monitor won by the operation in progress and without being anybody's designated
    /// successor.
    fn suspend(&self) {}

    /// The thread found a monitor owned by another thread and is going to queue for it.
    fn contended_enter(&self) {}

    /// The thread owns the monitor that it queued for.
    fn contended_entered(&self) {}
}

/// A reference to an object that the collector may move whenever the thread sleeps.
///
/// # Safety
/// `lock_word` returns the address of the object's lock word *now*, valid until the thread's next
/// sleep in this room, and the object stays alive for as long as the value does.
pub unsafe trait ObjectRef {
    /// Where the object's lock word is now.
    fn lock_word(&self) -> *const crate::sync::AtomicU32;

    /// The object's address now, as the collector will want to see it in the record.
    fn address(&self) -> u64;
}

/// One binary permit and the place to sleep for it.
pub struct Parker {
    #[cfg(not(any(loom, shuttle)))]
    word: AtomicU32,
    #[cfg(any(loom, shuttle))]
    permit: Mutex<bool>,
    #[cfg(any(loom, shuttle))]
    changed: Condvar,
}

#[cfg(not(any(loom, shuttle)))]
const NO_PERMIT: u32 = 0;
#[cfg(not(any(loom, shuttle)))]
const PERMIT: u32 = 1;
#[cfg(not(any(loom, shuttle)))]
const ASLEEP: u32 = 2;

#[cfg(not(any(loom, shuttle)))]
impl Parker {
    pub(crate) fn new() -> Arc<Parker> {
        Arc::new(Parker { word: AtomicU32::new(NO_PERMIT) })
    }

    /// Sleep until a permit arrives, `deadline` (of [`now_ns`]) passes, or for no reason at all.
    pub(crate) fn park(&self, deadline: Option<u64>) {
        if self.word.compare_exchange(NO_PERMIT, ASLEEP, Ordering::AcqRel, Ordering::Acquire).is_err() {
            self.word.swap(NO_PERMIT, Ordering::Acquire);
            return;
        }
        let mut more = true;
        while more && self.word.load(Ordering::Acquire) == ASLEEP {
            futex_wait(&self.word, ASLEEP, deadline);
            more = deadline.is_none_or(|d| now_ns() < d);
        }
        self.word.swap(NO_PERMIT, Ordering::Acquire);
    }

    /// Take the permit if there is one.
    pub(crate) fn try_take_permit(&self) -> bool {
        self.word.load(Ordering::Relaxed) == PERMIT && self.word.swap(NO_PERMIT, Ordering::Acquire) == PERMIT
    }

    /// Leave a permit and wake the sleeper.
    pub(crate) fn unpark(&self) {
        if self.word.swap(PERMIT, Ordering::AcqRel) == ASLEEP {
            futex_wake(&self.word, 1);
        }
    }
}

#[cfg(any(loom, shuttle))]
impl Parker {
    pub(crate) fn new() -> Arc<Parker> {
        Arc::new(Parker { permit: Mutex::new(false), changed: Condvar::new() })
    }

    /// A timed sleep returns at once: any amount of time may have passed.
    pub(crate) fn park(&self, deadline: Option<u64>) {
        let mut permit = self.permit.lock().expect("no panic inside");
        if deadline.is_none() {
            while !*permit {
                permit = self.changed.wait(permit).expect("no panic inside");
            }
        }
        *permit = false;
    }

    pub(crate) fn unpark(&self) {
        *self.permit.lock().expect("no panic inside") = true;
        self.changed.notify_one();
    }
}

/// Sleep while `word` holds `expected`, until woken, until `deadline`, or for no reason.
#[cfg(not(any(loom, shuttle)))]
pub(crate) fn futex_wait(word: &AtomicU32, expected: u32, deadline: Option<u64>) {
    let ts = deadline.map(|d| libc::timespec {
        tv_sec: i64::try_from(d / 1_000_000_000).unwrap_or(i64::MAX),
        tv_nsec: (d % 1_000_000_000) as i64,
    });
    let ts_ptr = ts.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: `word` is a live aligned u32 and `ts_ptr` null or a live timespec; WAIT_BITSET takes
    // an absolute time of CLOCK_MONOTONIC. EINTR, EAGAIN and ETIMEDOUT all mean: look again, which
    // every caller does.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word as *const AtomicU32,
            libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG,
            expected,
            ts_ptr,
            std::ptr::null::<u32>(),
            libc::FUTEX_BITSET_MATCH_ANY,
        );
    }
}

/// Wake `n` threads that sleep on `word`.
#[cfg(not(any(loom, shuttle)))]
pub(crate) fn futex_wake(word: &AtomicU32, n: i32) {
    // SAFETY: the kernel only uses the address as a key; a wake cannot fail in a way that matters.
    unsafe {
        libc::syscall(libc::SYS_futex, word as *const AtomicU32, libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, n);
    }
}

#[cfg(all(test, not(loom), not(shuttle)))]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn a_permit_left_before_is_taken_at_once() {
        let parker = Parker::new();
        parker.unpark();
        parker.unpark();
        let start = Instant::now();
        parker.park(None);
        assert!(start.elapsed() < Duration::from_secs(1));
        // The two unparks left one permit: the next sleep runs to its deadline.
        let start = Instant::now();
        parker.park(Some(now_ns() + 20_000_000));
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn a_sleeper_is_woken() {
        let parker = Parker::new();
        let other = parker.clone();
        let t = std::thread::spawn(move || other.park(None));
        std::thread::sleep(Duration::from_millis(10));
        parker.unpark();
        t.join().expect("the sleeper ends");
    }

    #[test]
    fn a_deadline_beyond_all_clocks_is_allowed() {
        let parker = Parker::new();
        parker.unpark();
        parker.park(Some(u64::MAX));
    }
}
