//! Monitors and identity hashes of objects: the runtime's side of the monitors room.
//!
//! Invariant: an operation that may sleep holds the object in a handle, because the collector may
//! move it meanwhile; the state of one thread in the monitors room lives from [`attach`] to
//! [`detach`] and is used by that thread alone.
use crate::events::{self, Event};
use crate::{exceptions, handles, threads};
use concord_base::{bug, options, vm_log};
use concord_contract::thread::poll;
use concord_contract::{JResult, Obj, Thread, owner};
use concord_monitors::{
    self as monitors, AtomicU32, Block, MonitorTable, MonitorThread, ObjectRef, Park, Release, WaitOutcome,
};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use threads::{contended, contention, status};

static TABLE: OnceLock<Arc<MonitorTable>> = OnceLock::new();

/// The one table of monitors, reserved at its first use as the flags `ConcordMonitor*` say.
pub fn table() -> &'static Arc<MonitorTable> {
    TABLE.get_or_init(|| {
        let flags = &options::get().flags;
        let how = monitors::Options {
            release: if flags.concord_monitor_fences { Release::Fenced } else { Release::Auto },
            sticky: flags.concord_monitor_hysteresis,
            throttle: flags.concord_monitor_throttle,
            ..monitors::Options::default()
        };
        match MonitorTable::reserve(how) {
            Ok(t) => t,
            Err(e) => bug!("no address space for monitors: {e}"),
        }
    })
}

/// Gives a new thread its state; `th.id` is set.
pub fn attach(th: &Thread) {
    // SAFETY: the state is reached through the thread's own block only; all lock words belong to
    // the one table.
    let state = unsafe { MonitorThread::new(table(), th.id.get()) }.hosted(std::ptr::from_ref(th) as usize);
    let old = th.monitor.swap(Box::into_raw(Box::new(state)).cast(), Ordering::AcqRel);
    debug_assert!(old.is_null(), "thread {} is attached to the monitors twice", th.id.get());
}

/// Leaves every monitor that the ending thread still owns and frees its state. Returns how many
/// monitors that were.
pub fn detach(th: &Thread) -> usize {
    // SAFETY: lock words of live, locked objects at their present addresses; no poll meanwhile.
    let left = unsafe { state(th).release_all(|addr| Obj::from_addr(addr as usize).lock_word()) };
    let p = th.monitor.swap(std::ptr::null_mut(), Ordering::AcqRel) as *mut MonitorThread;
    // SAFETY: made by `attach`, and nobody has it any more: foreign wake-ups go through the
    // thread list's lock, from which the thread was taken before.
    drop(unsafe { Box::from_raw(p) });
    left
}

/// The thread's state in the monitors room.
#[inline(always)]
pub fn state(th: &Thread) -> &MonitorThread {
    let p = th.monitor.load(Ordering::Relaxed) as *const MonitorThread;
    debug_assert!(!p.is_null(), "a thread without monitor state");
    // SAFETY: set by `attach`, valid until `detach`, both called by this thread.
    unsafe { &*p }
}

/// How the current thread sleeps in the monitors room.
struct Sleeper<'t> {
    th: &'t Thread,
    /// What the thread's status was before it showed that it waits. It shows that until it goes on with its
    /// program, also between two sleeps and while it is suspended.
    before: std::cell::Cell<Option<u32>>,
    wait: std::cell::Cell<Option<contention::Wait>>,
    /// Whether a wait to be notified, and one to enter, has been counted.
    counted: std::cell::Cell<[bool; 2]>,
}

impl Sleeper<'_> {
    fn show(&self, status: u32) {
        let old = threads::swap_status(self.th, status);
        self.before.set(self.before.get().or(Some(old)));
    }
}
impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        if let Some(status) = self.before.get() {
            threads::swap_status(self.th, status);
        }
    }
}

// SAFETY: `monitor_thread` is the state of the thread whose block this is: the caller's.
unsafe impl Park for Sleeper<'_> {
    fn monitor_thread(&self) -> &MonitorThread {
        state(self.th)
    }
    fn before_block(&self, why: Block) {
        let s = match why {
            Block::Enter => status::BLOCKED,
            Block::Wait { timed: false } => status::WAITING,
            Block::Wait { timed: true } => status::TIMED_WAITING,
        };
        let entering = why == Block::Enter;
        let mut counted = self.counted.get();
        let again = std::mem::replace(&mut counted[usize::from(entering)], true);
        self.counted.set(counted);
        // A notification was counted as the beginning of its wait to enter.
        let again = again || entering && state(self.th).is_notified();
        let wait = if again { contention::go_on(entering) } else { contention::begin(self.th, entering) };
        self.wait.set(Some(wait));
        self.show(s);
        concord_safepoint::to_native(self.th);
    }
    fn after_block(&self) {
        concord_safepoint::to_vm(self.th);
        if let Some(wait) = self.wait.take() {
            contention::end(self.th, &wait);
        }
    }
    /// What Thread.stop sends ends a wait, too.
    fn is_interrupted(&self) -> bool {
        threads::is_interrupted(self.th) || threads::async_pending(self.th)
    }
    fn clear_interrupt(&self) {
        threads::clear_interrupted(self.th);
    }
    fn suspend_pending(&self) -> bool {
        self.th.poll.load(Ordering::Relaxed) & poll::SUSPEND != 0
    }
    fn suspend(&self) {
        self.show(status::BLOCKED);
        threads::suspend_self(self.th);
    }
}

/// An object whose address is looked up again after every sleep.
struct Held<'s>(handles::Local<'s>);

// SAFETY: the handle is a root, so the object stays alive and the slot has its present address.
unsafe impl ObjectRef for Held<'_> {
    fn lock_word(&self) -> *const AtomicU32 {
        self.0.get().lock_word()
    }
    fn address(&self) -> u64 {
        self.0.get().addr() as u64
    }
}

fn sleeper(th: &Thread) -> Sleeper<'_> {
    Sleeper { th, before: std::cell::Cell::new(None), wait: std::cell::Cell::new(None), counted: Default::default() }
}

/// Acquires the object's monitor; may block.
#[inline]
pub fn enter(th: &Thread, o: Obj) -> JResult<()> {
    owner::check(th, o);
    if !state(th).try_enter_fast(o.lock_word(), o.addr() as u64) {
        enter_slow(th, o);
    }
    Ok(())
}
/// The row of [`enter`]: the inline part of compiled code may have left something to finish.
pub fn enter_row(th: &Thread, o: Obj) -> JResult<()> {
    state(th).leave_missed();
    enter(th, o)
}
#[cold]
#[inline(never)]
fn enter_slow(th: &Thread, o: Obj) {
    let scope = handles::Scope::new(th);
    let o = scope.handle(o);
    // The fast way fails for other reasons as well: a new thread has no records of its own.
    let told = (events::wanted(Event::ContendedEnter) || events::wanted(Event::ContendedEntered))
        && state(th).is_owned_by_another(o.get().lock_word());
    if told {
        contended::wanting(th, &o, || tell(th, Event::ContendedEnter, &o, 0));
    }
    monitors::enter(&sleeper(th), &Held(o));
    if told {
        contended::entered(th, &o, || tell(th, Event::ContendedEntered, &o, 0));
    }
}
fn tell(th: &Thread, what: Event, o: &handles::Local<'_>, more: i64) {
    if let Some(l) = events::listener(what) {
        l.monitor(th, what, o.get(), more);
    }
}

/// Releases the object's monitor once.
///
/// # Errors
/// IllegalMonitorStateException if the thread does not own it.
#[inline]
pub fn exit(th: &Thread, o: Obj) -> JResult<()> {
    owner::check(th, o);
    match state(th).exit(o.lock_word(), o.addr() as u64) {
        Ok(()) => Ok(()),
        Err(e) => illegal_state(th, e),
    }
}
#[cold]
fn illegal_state<T>(th: &Thread, e: monitors::IllegalMonitorState) -> JResult<T> {
    exceptions::throw(th, "java/lang/IllegalMonitorStateException", &e.to_string())
}

/// `Object.wait(millis)`; 0 waits for ever.
///
/// # Errors
/// IllegalArgumentException, IllegalMonitorStateException, InterruptedException.
pub fn wait(th: &Thread, o: Obj, millis: i64) -> JResult<()> {
    if millis < 0 {
        return exceptions::throw(th, "java/lang/IllegalArgumentException", "timeout value is negative");
    }
    let nanos = (millis != 0).then(|| (millis as u64).saturating_mul(1_000_000));
    let outcome = {
        let scope = handles::Scope::new(th);
        let o = scope.handle(o);
        let owns = holds_lock(th, o.get());
        if owns && events::wanted(Event::MonitorWait) {
            // It counts as waiting already.
            let before = threads::swap_status(th, if millis == 0 { status::WAITING } else { status::TIMED_WAITING });
            tell(th, Event::MonitorWait, &o, millis);
            threads::swap_status(th, before);
        }
        let outcome = monitors::wait(&sleeper(th), &Held(o), nanos);
        if matches!(outcome, Ok(WaitOutcome::Notified)) {
            // The notifier has called the thread blocked, perhaps between two of its own changes.
            threads::swap_status(th, status::RUNNABLE);
        }
        if owns {
            tell(th, Event::MonitorWaited, &o, i64::from(matches!(outcome, Ok(WaitOutcome::TimedOut))));
        }
        outcome
    };
    match outcome {
        Ok(WaitOutcome::Notified | WaitOutcome::TimedOut) => Ok(()),
        Ok(WaitOutcome::Interrupted) if threads::async_pending(th) => threads::deliver_async(th),
        Ok(WaitOutcome::Interrupted) => exceptions::throw_no_msg(th, "java/lang/InterruptedException"),
        Err(e) => illegal_state(th, e),
    }
}

/// `Object.notify`.
///
/// # Errors
/// IllegalMonitorStateException.
pub fn notify(th: &Thread, o: Obj) -> JResult<()> {
    notify_some(th, o, 1)
}
fn notify_some(th: &Thread, o: Obj, most: usize) -> JResult<()> {
    match state(th).notify_telling(o.lock_word(), most, wants_to_enter) {
        Ok(()) => Ok(()),
        Err(e) => illegal_state(th, e),
    }
}
/// A thread was notified: from now on it waits to enter the monitor, wherever it sleeps.
fn wants_to_enter(host: usize) {
    // SAFETY: the block that `attach` named; its thread cannot leave `wait` before the monitor is left.
    let t = unsafe { &*(host as *const Thread) };
    threads::swap_status(t, status::BLOCKED);
    contention::count_blocked(t);
}

/// `Object.notifyAll`.
///
/// # Errors
/// IllegalMonitorStateException.
pub fn notify_all(th: &Thread, o: Obj) -> JResult<()> {
    notify_some(th, o, usize::MAX)
}

/// `Thread.holdsLock` for the current thread.
pub fn holds_lock(th: &Thread, o: Obj) -> bool {
    state(th).is_owner(o.lock_word())
}

/// `System.identityHashCode`: 29 bits, never 0, the same for the object's whole life.
#[inline]
pub fn identity_hash(th: &Thread, o: Obj) -> u32 {
    owner::check(th, o);
    match state(th).hash_code(o.lock_word()) {
        Some(h) => h,
        None => bug!("the object at {o:?} has a token in its lock word, and no room keeps tokens"),
    }
}

/// Prints the monitors room's counters under `-Xlog:monitorinflation=debug`.
pub fn log_counters() {
    if !concord_base::log::enabled(concord_base::log::Tag::MonitorInflation, concord_base::log::Level::Debug) {
        return;
    }
    let Some(table) = TABLE.get() else { return };
    let mut totals = table.totals([]);
    concord_safepoint::for_each_thread(|t| {
        if !t.monitor.load(Ordering::Acquire).is_null() {
            totals = totals.plus(&table.totals_of(state(t)));
        }
    });
    for (name, n) in totals.rows() {
        vm_log!(MonitorInflation, Debug, "{name} {n}");
    }
}
