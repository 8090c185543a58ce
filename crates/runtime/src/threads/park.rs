//! Parking, sleeping, interruption, suspension.
//!
//! Invariant: a permit is binary; whoever wakes up looks again at what it waits for; a thread that
//! sleeps here counts as stopped and holds no raw reference that it uses afterwards.
use super::{contention, info, status, swap_status};
use crate::{exceptions, known};
use concord_contract::thread::poll;
use concord_contract::{JResult, Obj, Thread};
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// One binary permit and the place to wait for it.
#[derive(Default)]
pub struct Parker {
    permit: Mutex<bool>,
    changed: Condvar,
}

impl Parker {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.permit.lock().expect("parker")
    }
    /// Takes the permit if there is one.
    pub fn try_take(&self) -> bool {
        std::mem::take(&mut *self.lock())
    }
    /// Leaves a permit and wakes the sleeper.
    pub fn give(&self) {
        *self.lock() = true;
        self.changed.notify_one();
    }
    pub fn clear(&self) {
        *self.lock() = false;
    }
    /// Waits for a permit, at most until `deadline`, and takes it. The caller counts as stopped.
    pub fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut permit = self.lock();
        while !*permit {
            permit = match deadline {
                None => self.changed.wait(permit).expect("parker"),
                Some(d) => {
                    let left = d.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    self.changed.wait_timeout(permit, left).expect("parker").0
                }
            };
        }
        std::mem::take(&mut *permit)
    }
}

/// A point that far from now; None if no clock reaches it.
fn after(d: Duration) -> Option<Instant> {
    Instant::now().checked_add(d)
}

/// `Unsafe.park`: returns for a permit, a time-out, an interrupt, or no reason.
pub fn park(th: &Thread, absolute: bool, time: i64) {
    let parker = &info(th).parker;
    if parker.try_take() || is_interrupted(th) || time < 0 || (absolute && time == 0) {
        return;
    }
    let deadline = if absolute {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let left = Duration::from_millis(time as u64).saturating_sub(now);
        if left.is_zero() {
            return;
        }
        after(left)
    } else if time > 0 {
        after(Duration::from_nanos(time as u64))
    } else {
        None
    };
    let timed = absolute || time > 0;
    let wait = contention::begin(th, false);
    let old = swap_status(th, if timed { status::TIMED_PARKED } else { status::PARKED });
    concord_safepoint::blocked(|| parker.wait(deadline));
    swap_status(th, old);
    contention::end(th, &wait);
}

/// `Unsafe.unpark` of a java.lang.Thread.
pub fn unpark(thread: Obj) {
    if let Some(th) = super::block_of(thread) {
        info(th).parker.give();
    }
}

/// `Thread.sleep`.
///
/// # Errors
/// InterruptedException, what Thread.stop sends.
pub fn sleep(th: &Thread, millis: i64) -> JResult<()> {
    if millis < 0 {
        return exceptions::throw(th, "java/lang/IllegalArgumentException", "timeout value is negative");
    }
    let interrupted = |th: &Thread| -> JResult<()> {
        clear_interrupted(th);
        // Thread.stop interrupts, too, and what it sends goes first.
        if async_pending(th) {
            deliver_async(th)?;
        }
        exceptions::throw(th, "java/lang/InterruptedException", "sleep interrupted")
    };
    if is_interrupted(th) {
        return interrupted(th);
    }
    if millis == 0 {
        concord_safepoint::blocked(std::thread::yield_now);
        return Ok(());
    }
    let deadline = after(Duration::from_millis(millis as u64));
    let sleeper = &info(th).sleeper;
    let wait = contention::begin(th, false);
    let old = swap_status(th, status::SLEEPING);
    let r = loop {
        let woken = concord_safepoint::blocked(|| sleeper.wait(deadline));
        if is_interrupted(th) {
            break interrupted(th);
        }
        if !woken {
            break Ok(());
        }
    };
    swap_status(th, old);
    contention::end(th, &wait);
    r
}

/// The interrupt status is a Java field.
pub fn is_interrupted(th: &Thread) -> bool {
    let t = th.java_thread.get();
    !t.is_null() && t.get_u8(known::offsets().thread_interrupted) != 0
}
pub fn clear_interrupted(th: &Thread) {
    let t = th.java_thread.get();
    if !t.is_null() {
        t.put_u8(known::offsets().thread_interrupted, 0);
    }
}

/// Wakes a thread wherever it sleeps; Java has set its interrupt status.
pub fn interrupt(thread: Obj) {
    let Some(th) = super::block_of(thread) else { return };
    info(th).sleeper.give();
    info(th).parker.give();
    super::list::wake_monitor(th);
    info(th).tell_interrupt();
}

/// `Thread.suspend`: when this returns, another thread runs no bytecode until it is resumed; for the calling thread it
/// returns then. False if the thread is not alive.
pub fn suspend(th: &Thread, thread: Obj) -> bool {
    let Some(target) = super::block_of(thread) else { return false };
    if std::ptr::eq(target, th) {
        concord_safepoint::set_poll(target, poll::SUSPEND);
        suspend_self(th);
        return true;
    }
    // The bit is set while the thread stands still, so it finds it before it runs on.
    concord_safepoint::stop_the_world("SuspendThread", |_stopped| {
        // Asked again: it may have ended, and its block may be another thread's. One that is starting has
        // its block before it is registered.
        let target = super::block_of(thread);
        target.inspect(|t| concord_safepoint::set_poll(t, poll::SUSPEND)).is_some()
    })
}
/// `Thread.resume`.
pub fn resume(thread: Obj) {
    let Some(target) = super::block_of(thread) else { return };
    concord_safepoint::clear_poll(target, poll::SUSPEND);
    info(target).resumer.give();
    super::list::wake_monitor(target);
}
/// Sleeps until resumed; called by a thread that finds the poll bit `SUSPEND` set.
pub fn suspend_self(th: &Thread) {
    while th.poll.load(Ordering::Acquire) & poll::SUSPEND != 0 {
        concord_safepoint::blocked(|| info(th).resumer.wait(None));
    }
}

/// Notes that an access of the current thread was left out because its memory is gone; the thread
/// throws InternalError at its next look. For signal handlers.
pub fn note_unsafe_fault(th: &Thread) {
    info(th).unsafe_fault.store(true, Ordering::Release);
    concord_safepoint::set_poll(th, poll::ASYNC_EXCEPTION);
}

/// Whether [`deliver_async`] may have something to throw.
pub fn async_pending(th: &Thread) -> bool {
    th.poll.load(Ordering::Relaxed) & poll::ASYNC_EXCEPTION != 0
}

/// Throws the exception that Thread.stop sent to this thread, if there is one; called where the
/// poll bit `ASYNC_EXCEPTION` is seen.
///
/// # Errors
/// That exception.
pub fn deliver_async(th: &Thread) -> JResult<()> {
    if info(th).unsafe_fault.swap(false, Ordering::AcqRel) {
        if th.async_exception.load(Ordering::Acquire) == 0 {
            concord_safepoint::clear_poll(th, poll::ASYNC_EXCEPTION);
        }
        let text = "a fault occurred in an unsafe memory access operation";
        return crate::exceptions::throw(th, "java/lang/InternalError", text);
    }
    concord_safepoint::clear_poll(th, poll::ASYNC_EXCEPTION);
    let e = th.async_exception.swap(0, Ordering::AcqRel);
    if e == 0 {
        return Ok(());
    }
    // SAFETY: the word is a root of its thread, so it holds the object's present address.
    th.throw(unsafe { Obj::from_addr(e as usize) })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_permit_is_binary() {
        let p = Parker::default();
        p.give();
        p.give();
        assert!(p.wait(None));
        assert!(!p.try_take());
        assert!(!p.wait(after(Duration::from_millis(5))));
    }
}
