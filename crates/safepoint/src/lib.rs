//! Who is a thread of the VM, and how they are all brought to a standstill.
//!
//! Invariant: while the world is stopped, no registered thread but the stopper touches the heap,
//! and the set of registered threads does not change. Deliberately absent: what a stop is for.
//!
//! | from | to | by | safepoint |
//! |---|---|---|---|
//! | New | InVm | [`register`] | waits for a stop to end |
//! | InVm | Native | [`to_native`] | stopped from here on |
//! | InVm | Blocked | [`blocked`], [`poll_slow`], [`wait_for_gc`] | stopped from here on |
//! | Native, Blocked | InVm | [`to_vm`] | waits for a stop to end |
//! | InVm | New | [`unregister`] | waits for a stop to end |
//!
//! A thread that leaves `InVm` records its stack pointer and callee-saved registers: with the
//! stack above, that is what a conservative scan reads of it.
mod arch;
mod arrival;
mod participant;
mod protocol;
mod report;
mod sync;
mod sys;

pub use arch::record_context;
pub use participant::{ThreadRef, clear_poll, set_poll};
pub use report::{Counters, counters};
pub use sys::native_stack;

use concord_contract::Thread;
use concord_contract::thread::ThreadState;
use participant::leave_as;
use protocol::Protocol;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

static OVER: AtomicBool = AtomicBool::new(false);
static WORLD: LazyLock<Protocol<ThreadRef>> = LazyLock::new(Protocol::default);

/// Adds the calling thread's block to the registry, in state `InVm`.
///
/// Fills in the bounds of the native stack if they are not known yet.
pub fn register(th: &Thread) {
    register_with(th, || {});
}

/// As [`register`]; `bind` runs while no stop can begin, so what it sets up and the registration
/// are one step for whoever stops the world.
pub fn register_with(th: &Thread, bind: impl FnOnce()) {
    if th.native_base.get() == 0 {
        let (low, high) = native_stack();
        th.native_limit.set(low);
        th.settle_entries();
        th.native_base.set(high);
    }
    WORLD.register(ThreadRef::new(th), bind);
}

/// Takes the calling thread's block out of the registry; waits for a stop to end.
pub fn unregister(th: &Thread) {
    unregister_with(th, || {});
}

/// As [`unregister`]; `unbind` runs while no stop can begin.
pub fn unregister_with(th: &Thread, unbind: impl FnOnce()) {
    record_context(th);
    WORLD.unregister(ThreadRef::new(th), unbind);
}

/// Visits all registered threads; none comes or goes meanwhile. `f` must neither block nor poll.
pub fn for_each_thread(mut f: impl FnMut(&Thread)) {
    // SAFETY: the registry is locked.
    WORLD.for_each(|t| f(unsafe { t.get() }));
}

/// The registered threads at this moment; dereference them only while they cannot leave.
pub fn threads() -> Vec<ThreadRef> {
    WORLD.participants()
}

/// Number of registered threads.
pub fn number() -> usize {
    WORLD.number()
}

/// Runs `f` while no stop can begin: a thread that is no mutator may read objects meanwhile, for they do not move. None, and
/// without having waited, if the world is stopped or stopping. `f` must be short, and neither block nor poll.
pub fn unless_stopped<R>(f: impl FnOnce() -> R) -> Option<R> {
    WORLD.unless_stopped(f)
}

/// Leaves the VM for native code: the thread counts as stopped and must not touch the heap.
#[inline(always)]
pub fn to_native(th: &Thread) {
    record_context(th);
    leave_as(th, ThreadState::Native);
}

/// Comes back from native code or from blocking; waits for a stop to end.
#[inline(always)]
pub fn to_vm(th: &Thread) {
    WORLD.come_back(ThreadRef::new(th));
}

/// Runs `f` in state `Native` if the thread is attached and in the VM.
#[inline]
pub fn in_native<R>(f: impl FnOnce() -> R) -> R {
    outside(ThreadState::Native, f)
}

/// Runs `f`, which sleeps inside the VM, in state `Blocked` if the thread is attached.
#[inline]
pub fn blocked<R>(f: impl FnOnce() -> R) -> R {
    outside(ThreadState::Blocked, f)
}

#[inline(always)]
fn outside<R>(state: ThreadState, f: impl FnOnce() -> R) -> R {
    match Thread::current_opt() {
        Some(th) if th.state() == ThreadState::InVm => {
            record_context(th);
            leave_as(th, state);
            let result = f();
            to_vm(th);
            result
        }
        // A thread that is no mutator, or that counts as stopped already.
        _ => f(),
    }
}

/// Stops if the world is being stopped; called when `th.poll` has `SAFEPOINT`.
#[cold]
#[inline(never)]
pub fn poll_slow(th: &Thread) {
    debug_assert_eq!(th.no_safepoint.get(), 0, "polled inside a NoSafepoint scope");
    record_context(th);
    WORLD.wait_while_stopped(ThreadRef::new(th));
}

/// Polls: one load and test unless the world is being stopped.
#[inline(always)]
pub fn poll(th: &Thread) {
    if th.poll.load(Ordering::Relaxed) & concord_contract::thread::poll::SAFEPOINT != 0 {
        poll_slow(th);
    }
}

/// A scope in which the thread reaches no safepoint: raw addresses stay valid even in memory that
/// the collector does not scan. Debug builds check it where a thread may stop.
pub struct NoSafepoint<'a>(&'a Thread);

impl<'a> NoSafepoint<'a> {
    pub fn new(th: &'a Thread) -> Self {
        th.no_safepoint.set(th.no_safepoint.get() + 1);
        NoSafepoint(th)
    }
}

impl Drop for NoSafepoint<'_> {
    fn drop(&mut self) {
        self.0.no_safepoint.set(self.0.no_safepoint.get() - 1);
    }
}

/// Waits, stopped, until a collection that has been requested is over.
///
/// The caller has recorded the context: what the frames above name is scanned. The frames below
/// are the collector's own; they hold addresses of free and of recycled memory, which would keep
/// alive what lies there.
pub fn wait_for_gc(th: &Thread) {
    debug_assert_eq!(th.no_safepoint.get(), 0, "collection inside a NoSafepoint scope");
    debug_assert!(th.native_sp.get() > &raw const th as usize, "a collection without a recorded context");
    WORLD.wait_for_epoch(ThreadRef::new(th));
}

/// Proof that the world is stopped.
pub struct Stopped(());

impl Stopped {
    /// All registered threads, the stopper's own included.
    pub fn threads(&self) -> impl Iterator<Item = &Thread> {
        // SAFETY: nobody leaves the registry while the world is stopped.
        WORLD.participants().into_iter().map(|t| unsafe { t.get() })
    }
}

/// Runs `operation` while all other threads stand still, `reason` being its name in the log.
///
/// The operation must not allocate in the heap: a collection needs a stop of its own.
pub fn stop_the_world<R>(reason: &'static str, operation: impl FnOnce(&Stopped) -> R) -> R {
    let me = Thread::current_opt().filter(|th| th.state() == ThreadState::InVm);
    if let Some(th) = me {
        debug_assert_eq!(th.no_safepoint.get(), 0, "stop inside a NoSafepoint scope");
        record_context(th);
    }
    WORLD.stop(me.map(ThreadRef::new), || report::begin(reason));
    report::stopped();
    arrival::arrived(reason);
    let result = operation(&Stopped(()));
    report::end();
    WORLD.resume(false);
    result
}

/// Stops all other threads for the rest of the process, `th` being in the VM: nobody runs Java code beside what a process
/// does at its end.
pub fn stop_for_good(th: &Thread) {
    OVER.store(true, Ordering::Release);
    record_context(th);
    WORLD.stop(Some(ThreadRef::new(th)), || report::begin("Exit"));
    report::stopped();
    arrival::arrived("Exit");
}

/// Whether [`stop_for_good`] was called: who comes back to the VM never leaves it.
pub fn is_over() -> bool {
    OVER.load(Ordering::Acquire)
}

/// The collector's stop: begun by one worker, ended by [`end_gc_stop`], perhaps on another.
pub fn begin_gc_stop(reason: &'static str) -> Stopped {
    WORLD.stop(None, || report::begin(reason));
    report::stopped();
    arrival::arrived(reason);
    Stopped(())
}

/// Ends the collector's stop and lets go those who wait for a collection.
pub fn end_gc_stop(_stopped: Stopped) {
    report::end();
    WORLD.resume(true);
}

/// Collections' stops that have ended.
pub fn gc_stops() -> u64 {
    WORLD.epoch()
}

/// Whether the world is stopped now; for assertions.
pub fn is_stopped() -> bool {
    WORLD.is_stopped()
}
