//! The one place where the room meets threads: atomics, fences, the queue lock and the clock.
//! Invariant owned here: outside this module nothing names `std::sync::atomic`, so a model
//! checker replaces all of it.
//!
//! Three bodies of the same vocabulary: the product (std atomics, futex), `loom` (C11, exhaustive)
//! and `shuttle` (random schedules). Under the checkers there is no `membarrier`: both sides of
//! the asymmetric barrier are fences, which is the room's fenced mode.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::fence;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};
#[cfg(loom)]
pub(crate) use loom::sync::{Condvar, Mutex};

#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic::fence;
#[cfg(shuttle)]
pub use shuttle::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};
#[cfg(shuttle)]
pub(crate) use shuttle::sync::{Condvar, Mutex};

#[cfg(not(any(loom, shuttle)))]
pub(crate) use std::sync::Mutex;
#[cfg(not(any(loom, shuttle)))]
pub(crate) use std::sync::atomic::fence;
#[cfg(not(any(loom, shuttle)))]
pub use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

pub use std::sync::atomic::Ordering;

/// A full fence: what this thread wrote before is visible before it reads anything after.
#[inline(always)]
pub(crate) fn full_fence() {
    fence(Ordering::SeqCst);
}

/// Wait a moment inside a spin loop.
#[inline(always)]
pub(crate) fn spin_hint() {
    #[cfg(not(any(loom, shuttle)))]
    std::hint::spin_loop();
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(shuttle)]
    shuttle::thread::yield_now();
}

/// Nanoseconds of the monotonic clock. Under the checkers time has always run out: a deadline is
/// past whenever it is looked at, and the schedules decide what happened before.
pub(crate) fn now_ns() -> u64 {
    #[cfg(not(any(loom, shuttle)))]
    {
        let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `ts` is a valid timespec that the call fills in; CLOCK_MONOTONIC always exists.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut ts) };
        ts.tv_sec as u64 * 1_000_000_000 + ts.tv_nsec as u64
    }
    #[cfg(any(loom, shuttle))]
    u64::MAX
}

/// A value that a lock or a protocol protects, not its own type.
///
/// Under loom every access is checked against the happens-before relation, so a missing barrier
/// in the protector shows as a reported race.
pub(crate) struct Guarded<T>(#[cfg(loom)] loom::cell::UnsafeCell<T>, #[cfg(not(loom))] std::cell::UnsafeCell<T>);

// SAFETY: every access goes through the unsafe `get`/`set`, whose callers hold the protector, so
// accesses from several threads are ordered by it.
unsafe impl<T: Copy> Sync for Guarded<T> {}
// SAFETY: the cell owns a plain `Copy` value (or a pointer whose users hold the protector).
unsafe impl<T: Copy> Send for Guarded<T> {}

impl<T: Copy> Guarded<T> {
    pub(crate) fn new(value: T) -> Guarded<T> {
        #[cfg(loom)]
        return Guarded(loom::cell::UnsafeCell::new(value));
        #[cfg(not(loom))]
        Guarded(std::cell::UnsafeCell::new(value))
    }

    /// # Safety
    /// The caller holds what protects this value.
    #[inline(always)]
    pub(crate) unsafe fn get(&self) -> T {
        // SAFETY: by the caller's promise nobody writes at the same time.
        #[cfg(loom)]
        return self.0.with(|p| unsafe { *p });
        // SAFETY: by the caller's promise nobody writes at the same time.
        #[cfg(not(loom))]
        unsafe {
            *self.0.get()
        }
    }

    /// # Safety
    /// The caller holds what protects this value.
    #[inline(always)]
    pub(crate) unsafe fn set(&self, value: T) {
        // SAFETY: by the caller's promise nobody reads or writes at the same time.
        #[cfg(loom)]
        self.0.with_mut(|p| unsafe { *p = value });
        // SAFETY: by the caller's promise nobody reads or writes at the same time.
        #[cfg(not(loom))]
        unsafe {
            *self.0.get() = value
        }
    }
}

/// A field with one writer at a time (the owner of the record, the thread itself, or whoever has
/// stopped the world) whose value others may read as a hint. Relaxed, and no scheduling point for
/// the checkers: nothing in the protocol depends on when another thread sees it.
#[repr(transparent)]
pub(crate) struct Own<T: OwnValue>(T::Atomic);

pub(crate) trait OwnValue: Copy {
    type Atomic;
    fn wrap(self) -> Self::Atomic;
    fn load(from: &Self::Atomic) -> Self;
    fn store(self, to: &Self::Atomic);
}

macro_rules! own_values {
    ($($value:ty => $atomic:ty),*) => {$(
        impl OwnValue for $value {
            type Atomic = $atomic;
            #[inline(always)]
            fn wrap(self) -> $atomic {
                <$atomic>::new(self)
            }
            #[inline(always)]
            fn load(from: &$atomic) -> $value {
                from.load(Ordering::Relaxed)
            }
            #[inline(always)]
            fn store(self, to: &$atomic) {
                to.store(self, Ordering::Relaxed);
            }
        }
    )*};
}

own_values! {
    u8 => std::sync::atomic::AtomicU8,
    i16 => std::sync::atomic::AtomicI16,
    u32 => std::sync::atomic::AtomicU32,
    u64 => std::sync::atomic::AtomicU64
}

impl<T: OwnValue> Own<T> {
    pub(crate) fn new(value: T) -> Own<T> {
        Own(value.wrap())
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> T {
        T::load(&self.0)
    }

    #[inline(always)]
    pub(crate) fn set(&self, value: T) {
        value.store(&self.0);
    }
}

/// The lock of one record's entry queue: four bytes, all zero when free, held for a few
/// instructions, never across a park or a call out of the room (rank: leaf).
#[cfg(not(any(loom, shuttle)))]
pub(crate) struct QueueLock(AtomicU32);

#[cfg(not(any(loom, shuttle)))]
impl QueueLock {
    const FREE: u32 = 0;
    const HELD: u32 = 1;
    const AWAITED: u32 = 2;
    const SPINS: u32 = 60;

    /// Run `body` with the lock held.
    #[inline]
    pub(crate) fn with<R>(&self, body: impl FnOnce() -> R) -> R {
        if self.0.compare_exchange(Self::FREE, Self::HELD, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.lock_slow();
        }
        let result = body();
        if self.0.swap(Self::FREE, Ordering::Release) == Self::AWAITED {
            crate::park::futex_wake(&self.0, 1);
        }
        result
    }

    #[cold]
    fn lock_slow(&self) {
        for _ in 0..Self::SPINS {
            if self.0.load(Ordering::Relaxed) == Self::FREE
                && self.0.compare_exchange(Self::FREE, Self::HELD, Ordering::Acquire, Ordering::Relaxed).is_ok()
            {
                return;
            }
            std::hint::spin_loop();
        }
        // The holder was preempted: sleep, rather than burn its time slice.
        while self.0.swap(Self::AWAITED, Ordering::Acquire) != Self::FREE {
            crate::park::futex_wait(&self.0, Self::AWAITED, None);
        }
    }
}

#[cfg(any(loom, shuttle))]
pub(crate) struct QueueLock(Mutex<()>);

#[cfg(any(loom, shuttle))]
impl QueueLock {
    pub(crate) fn new() -> QueueLock {
        QueueLock(Mutex::new(()))
    }

    /// Run `body` with the lock held.
    pub(crate) fn with<R>(&self, body: impl FnOnce() -> R) -> R {
        let guard = self.0.lock().expect("nothing panics with the queue lock held");
        let result = body();
        drop(guard);
        result
    }
}
