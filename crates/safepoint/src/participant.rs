//! The thread block as a participant of the stop protocol.
//!
//! Invariant: `limit` is 0 while any bit of `poll` is set, so that method entries see it too, and
//! `stack_limit` otherwise.
use crate::protocol::Participant;
use concord_contract::Thread;
use concord_contract::thread::{ThreadState, poll};
use std::sync::atomic::Ordering::{Acquire, Release, SeqCst};

/// A registered thread: valid until its owner unregisters it, hence during any stop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ThreadRef(*const Thread);

// SAFETY: a Thread may be shared; see the contract's thread module for who reads what when.
unsafe impl Send for ThreadRef {}
// SAFETY: as above.
unsafe impl Sync for ThreadRef {}

impl ThreadRef {
    pub fn new(th: &Thread) -> ThreadRef {
        ThreadRef(th)
    }
    /// The block.
    ///
    /// # Safety
    /// The thread cannot unregister while the reference lives: the world is stopped, the registry
    /// is locked (`for_each_thread`), or it is the caller's own.
    pub unsafe fn get<'a>(self) -> &'a Thread {
        // SAFETY: by the caller's promise.
        unsafe { &*self.0 }
    }
    fn th(&self) -> &Thread {
        // SAFETY: the protocol calls participants only while they are registered.
        unsafe { &*self.0 }
    }
}

/// Sets bits of a thread's poll word and makes its method entries poll.
pub fn set_poll(th: &Thread, bits: u32) {
    th.poll.fetch_or(bits, SeqCst);
    th.settle_entries();
}

/// Clears bits of a thread's poll word; the last one gives the stack limits back.
pub fn clear_poll(th: &Thread, bits: u32) {
    th.poll.fetch_and(!bits, SeqCst);
    th.settle_entries();
}

impl Participant for ThreadRef {
    fn is_running(self) -> bool {
        self.th().state.load(SeqCst) == ThreadState::InVm as u32
    }
    fn request(self) {
        if self.is_running() {
            crate::arrival::asked(self.th().os_tid.get());
        }
        set_poll(self.th(), poll::SAFEPOINT);
    }
    fn release(self) {
        clear_poll(self.th(), poll::SAFEPOINT);
    }
    fn leave(self) {
        self.th().state.store(ThreadState::Blocked as u32, Release);
    }
    fn comes_back_to_stop(self) -> bool {
        self.th().state.swap(ThreadState::InVm as u32, SeqCst);
        self.th().poll.load(SeqCst) & poll::SAFEPOINT != 0
    }
    fn retire(self) {
        self.th().state.store(ThreadState::New as u32, Release);
    }
}

/// Leaves the VM for `state` without an atomic instruction.
#[inline(always)]
pub fn leave_as(th: &Thread, state: ThreadState) {
    debug_assert_eq!(th.state.load(Acquire), ThreadState::InVm as u32, "left the VM twice");
    debug_assert_eq!(th.no_safepoint.get(), 0, "left the VM inside a NoSafepoint scope");
    th.state.store(state as u32, Release);
}
