//! `Object.wait`, `notify` and `notifyAll` (JLS 17.2). Invariant owned here: a waiter's outcome is
//! decided by one CAS on its node, so a notification is consumed exactly by a thread that returns
//! because of it; and `wait` returns only as owner, at the depth it was called with.
//!
//! | node state | who leaves it | to |
//! |---|---|---|
//! | `WAITING` | a notifier, as owner of the record | `NOTIFIED`, and moves the node to the entry queue |
//! | `WAITING` | the waiter, whose deadline passed | `TIMED_OUT` |
//! | `WAITING` | the waiter, who saw its interrupt status | `INTERRUPTED` |
//! | any other | the waiter, once it owns the record | `NONE` |
//!
//! The waiter's count (W) keeps the record with the object, so it is the same before and after.
//! A notified thread is not woken by the notifier but by the exit, as any queued thread (wait
//! morphing).

use crate::check::invariant;
use crate::enter::enter_queued;
use crate::exit::IllegalMonitorState;
use crate::park::{Block, ObjectRef, Park};
use crate::queue::{Node, wait_state};
use crate::record::{Record, UNOWNED};
use crate::sync::{AtomicU32, Ordering, full_fence, now_ns};
use crate::thread::MonitorThread;
use crate::word::LockWord;

/// Why a wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitOutcome {
    /// A notification was consumed. An interrupt status that is set stays set.
    Notified,
    /// The deadline passed first.
    TimedOut,
    /// The interrupt status was set first; it has been cleared, and `InterruptedException` is due.
    Interrupted,
}

/// Wait for a notification on the object's monitor, which the thread owns. `timeout` in
/// nanoseconds; `None` waits for ever (Java's 0).
///
/// May sleep, so every object may have moved when it returns (the caller's handle included).
pub fn wait<P: Park, O: ObjectRef>(
    park: &P,
    object: &O,
    timeout: Option<u64>,
) -> Result<WaitOutcome, IllegalMonitorState> {
    let thread = park.monitor_thread();
    let node = &thread.node;
    // SAFETY: `ObjectRef` promises a valid lock word until the next sleep.
    let word = unsafe { &*object.lock_word() };
    let record = thread.owned_record(word).ok_or(IllegalMonitorState)?;
    let raw = LockWord(word.load(Ordering::Relaxed));
    if park.is_interrupted() {
        park.clear_interrupt();
        thread.counters.interrupted.bump();
        return Ok(WaitOutcome::Interrupted);
    }
    let deadline = timeout.map(|ns| now_ns().saturating_add(ns));
    let depth = record.nest();

    node.store_release_wait_state(wait_state::WAITING);
    // SAFETY: this thread owns the record.
    unsafe { record.wait_set_append(node) };
    // Counted before the release: this is what keeps the record with the object.
    record.add_waiting();
    record.set_nest(1);
    record.store_release_owner(UNOWNED);
    full_fence();
    if record.load_acquire_state().entering() != 0 {
        thread.wake(record);
    }

    let outcome = sleep_until_decided(park, record, deadline);
    // A thread that ends its wait by itself enters like any other, and pays like any other; a
    // notified one was counted by the owner, whose own exit cannot miss it.
    let certain = outcome == WaitOutcome::Notified || thread.pay_barrier(record, record.waiting_to_entering());
    let owned = enter_queued(park, object, record, raw, certain, outcome == WaitOutcome::Notified);
    if !owned {
        crate::pool::fatal("a record left its object while a thread waited on it");
    }
    // SAFETY: this thread owns the record again; a notifier may have unlinked the node already.
    unsafe { record.wait_set_remove(node) };
    node.store_release_wait_state(wait_state::NONE);
    record.set_nest(depth);
    invariant!(I10, record.load_relaxed_owner() == thread.owner(), "wait returns without the monitor");
    match outcome {
        WaitOutcome::Notified => thread.counters.notified.bump(),
        WaitOutcome::TimedOut => thread.counters.timed_out.bump(),
        WaitOutcome::Interrupted => {
            park.clear_interrupt();
            thread.counters.interrupted.bump();
        }
    }
    Ok(outcome)
}

/// Sleep until a notifier, the clock or an interrupt has decided the outcome. Permits may be
/// stale, so everything is looked at again after each sleep.
fn sleep_until_decided<P: Park>(park: &P, record: &Record, deadline: Option<u64>) -> WaitOutcome {
    let thread = park.monitor_thread();
    let node = &thread.node;
    loop {
        if node.load_acquire_wait_state() == wait_state::NOTIFIED {
            return WaitOutcome::Notified;
        }
        // The order decides only between two that have both happened; a notification that came
        // earlier wins in either CAS.
        let own = if park.is_interrupted() {
            Some((wait_state::INTERRUPTED, WaitOutcome::Interrupted))
        } else if deadline.is_some_and(|d| now_ns() >= d) {
            Some((wait_state::TIMED_OUT, WaitOutcome::TimedOut))
        } else {
            None
        };
        if let Some((state, outcome)) = own {
            return if node.cas_wait_state(state) { outcome } else { WaitOutcome::Notified };
        }
        thread.set_blocked_on(Some(record));
        park.before_block(Block::Wait { timed: deadline.is_some() });
        thread.sleep_in_wait(deadline);
        park.after_block();
        thread.set_blocked_on(None);
    }
}

impl MonitorThread {
    /// Let the longest waiting thread of the object's monitor go on, if there is one.
    pub fn notify(&self, word: &AtomicU32) -> Result<(), IllegalMonitorState> {
        self.notify_telling(word, 1, |_| {})
    }

    /// Let all threads that wait on the object's monitor go on.
    pub fn notify_all(&self, word: &AtomicU32) -> Result<(), IllegalMonitorState> {
        self.notify_telling(word, usize::MAX, |_| {})
    }

    /// Let at most that many go on. `told` hears the [host](MonitorThread::hosted) of each, which cannot return from its
    /// wait before this thread has left the monitor.
    pub fn notify_telling(
        &self,
        word: &AtomicU32,
        mut most: usize,
        mut told: impl FnMut(usize),
    ) -> Result<(), IllegalMonitorState> {
        let record = self.owned_record(word).ok_or(IllegalMonitorState)?;
        if record.load_acquire_state().waiting() == 0 {
            return Ok(());
        }
        while most > 0 {
            // SAFETY: this thread owns the record.
            let Some(node) = (unsafe { record.wait_set_pop() }) else {
                break;
            };
            if self.notify_node(record, node) {
                most -= 1;
                told(node.host);
            }
        }
        Ok(())
    }

    /// False if the waiter has decided otherwise: it is on its way by itself, and the
    /// notification is for the next one (JLS 17.2.4).
    fn notify_node(&self, record: &Record, node: &Node) -> bool {
        if !record.enqueue_notified(node) {
            return false;
        }
        record.waiting_to_entering();
        true
    }

    /// Threads that wait on the object's monitor, which this thread owns; longest first.
    pub fn waiters(&self, word: &AtomicU32) -> Result<Vec<u64>, IllegalMonitorState> {
        let record = self.owned_record(word).ok_or(IllegalMonitorState)?;
        // SAFETY: this thread owns the record.
        Ok(unsafe { record.waiting_tids() })
    }
}
