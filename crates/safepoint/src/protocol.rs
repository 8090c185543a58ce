//! The stop protocol, apart from what a thread is.
//!
//! Invariant: between the return of [`Protocol::stop`] and [`Protocol::resume`] no participant but
//! the stopper runs VM code, none enters the registry and none leaves it.
//!
//! ```text
//!  participant                                stopper
//!  leave:  state = Native      (plain store)  poll[all] |= SAFEPOINT
//!  return: xchg state = InVm                  wait until no state is InVm
//!          poll set? -> wait while stopped
//! ```
//! The exchange and the setting of the bit are in one total order with the reads that follow them:
//! either the stopper reads InVm and waits, or the returning thread reads the bit and waits. The
//! leaving store needs no fence: a stopper that misses it looks again after a short time.
//!
//! A thread that asked for a collection waits for the collection's *epoch*, because the world has
//! not been told to stop yet when it begins to wait; having seen the new epoch it must still look
//! whether a next stop is already in force. Without the second look a slow waker runs inside the
//! next pause; `tests/model.rs` finds that schedule when the look is taken away.
use crate::sync::{Condvar, Mutex, lock, pause, wait};

/// A thread as the protocol sees it: two shared words.
pub trait Participant: Copy + PartialEq {
    /// Whether it may be touching the heap.
    fn is_running(self) -> bool;
    /// Asks it to stop at its next poll.
    fn request(self);
    /// Takes the request back.
    fn release(self);
    /// Declares it stopped, by a plain release store.
    fn leave(self);
    /// Declares it running, by an exchange, and then reads whether it must stop.
    fn comes_back_to_stop(self) -> bool;
    /// Marks the end of its registration.
    fn retire(self);
}

struct Inner<P> {
    participants: Vec<P>,
    stopped: bool,
    epoch: u64,
}

pub struct Protocol<P> {
    inner: Mutex<Inner<P>>,
    /// A participant left the VM, or came to wait.
    changed: Condvar,
    /// A stop ended.
    resumed: Condvar,
}

impl<P: Participant> Default for Protocol<P> {
    fn default() -> Self {
        Protocol {
            inner: Mutex::new(Inner { participants: Vec::new(), stopped: false, epoch: 0 }),
            changed: Condvar::new(),
            resumed: Condvar::new(),
        }
    }
}

impl<P: Participant> Protocol<P> {
    /// Enters the registry, running. `bind` runs while no stop can begin.
    pub fn register(&self, me: P, bind: impl FnOnce()) {
        let mut inner = lock(&self.inner);
        while inner.stopped {
            inner = wait(&self.resumed, inner);
        }
        bind();
        inner.participants.push(me);
        me.release();
        let late = me.comes_back_to_stop();
        debug_assert!(!late, "a stop began while the registry was locked");
    }

    /// Leaves the registry. `unbind` runs while no stop can begin.
    pub fn unregister(&self, me: P, unbind: impl FnOnce()) {
        let mut inner = lock(&self.inner);
        while inner.stopped {
            me.leave();
            self.changed.notify_all();
            inner = wait(&self.resumed, inner);
        }
        unbind();
        inner.participants.retain(|p| *p != me);
        me.retire();
    }

    /// Runs again as soon as no stop is in force.
    #[inline(always)]
    pub fn come_back(&self, me: P) {
        if me.comes_back_to_stop() {
            self.wait_while_stopped(me);
        }
    }

    /// What a running participant does that has seen the request.
    #[cold]
    #[inline(never)]
    pub fn wait_while_stopped(&self, me: P) {
        let mut inner = lock(&self.inner);
        while inner.stopped {
            me.leave();
            self.changed.notify_all();
            inner = wait(&self.resumed, inner);
        }
        // No stop can begin under the lock, so the answer carries nothing new.
        me.comes_back_to_stop();
    }

    /// Waits, stopped, until a stop has ended with [`Protocol::resume`]`(true)`.
    #[inline(never)]
    pub fn wait_for_epoch(&self, me: P) {
        let mut inner = lock(&self.inner);
        let epoch = inner.epoch;
        me.leave();
        self.changed.notify_all();
        while inner.epoch == epoch || inner.stopped {
            inner = wait(&self.resumed, inner);
        }
        me.comes_back_to_stop();
    }

    /// Stops all participants but `me`; waits for an earlier stop to end first. `requested` runs
    /// when this stop begins, before anybody is waited for.
    pub fn stop(&self, me: Option<P>, requested: impl FnOnce()) {
        let mut inner = lock(&self.inner);
        while inner.stopped {
            if let Some(me) = me {
                me.leave();
                self.changed.notify_all();
            }
            inner = wait(&self.resumed, inner);
        }
        if let Some(me) = me {
            me.comes_back_to_stop();
        }
        requested();
        inner.stopped = true;
        for p in inner.participants.iter().filter(|p| Some(**p) != me) {
            p.request();
        }
        let mut round = 0;
        while inner.participants.iter().any(|p| Some(*p) != me && p.is_running()) {
            inner = pause(&self.inner, &self.changed, inner, round);
            round += 1;
        }
    }

    /// Ends the stop; `epoch` says that those who wait for an epoch have got it.
    pub fn resume(&self, epoch: bool) {
        let mut inner = lock(&self.inner);
        debug_assert!(inner.stopped, "the world is not stopped");
        inner.stopped = false;
        inner.epoch += epoch as u64;
        for p in &inner.participants {
            p.release();
        }
        drop(inner);
        self.resumed.notify_all();
    }

    /// The participants at this moment.
    pub fn participants(&self) -> Vec<P> {
        lock(&self.inner).participants.clone()
    }
    /// Visits the participants; none comes or goes meanwhile. `f` must not block.
    pub fn for_each(&self, f: impl FnMut(P)) {
        lock(&self.inner).participants.iter().copied().for_each(f);
    }
    /// Runs `f` while no stop can begin; None, and without having waited, if one is in force. `f` must not block.
    pub fn unless_stopped<R>(&self, f: impl FnOnce() -> R) -> Option<R> {
        let inner = lock(&self.inner);
        (!inner.stopped).then(f)
    }
    pub fn number(&self) -> usize {
        lock(&self.inner).participants.len()
    }
    /// Number of epochs that have ended.
    pub fn epoch(&self) -> u64 {
        lock(&self.inner).epoch
    }
    pub fn is_stopped(&self) -> bool {
        lock(&self.inner).stopped
    }
}
