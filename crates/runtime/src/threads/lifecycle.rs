//! Attaching, running and ending threads; which threads keep the VM alive.
//!
//! Invariant: the count of non-daemon threads goes up before a thread can run and down after its
//! last Java code; `wait_for_non_daemons` returns when only its caller is left.
use super::{block, info, list, native_stack, specific, status};
use crate::events::{self, Event};
use crate::handles::Handle;
use crate::native::signals::AlternateStack;
use crate::{call, exceptions, handles, known, names, object, strings, sync};
use concord_base::event_log;
use concord_base::{bug, vm_log};
use concord_contract::class::Root;
use concord_contract::entries;
use concord_contract::thread::poll;
use concord_contract::{JResult, MethodRef, Obj, Thread};
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, OnceLock};

static NON_DAEMONS: Mutex<usize> = Mutex::new(0);
static FEWER: Condvar = Condvar::new();

/// Counts a thread that is about to run.
pub(super) fn count_in(th: &Thread, daemon: bool) {
    super::counts::came(daemon);
    info(th).daemon.store(daemon, Ordering::Relaxed);
    info(th).non_daemon.store(!daemon, Ordering::Relaxed);
    if !daemon {
        *NON_DAEMONS.lock().expect("thread count") += 1;
    }
}
pub(super) fn count_out(th: &Thread) {
    super::counts::went(info(th).daemon.load(Ordering::Relaxed));
    if info(th).non_daemon.swap(false, Ordering::Relaxed) {
        *NON_DAEMONS.lock().expect("thread count") -= 1;
        FEWER.notify_all();
    }
}
/// Threads that keep the VM alive.
pub fn non_daemons() -> usize {
    *NON_DAEMONS.lock().expect("thread count")
}
/// Sleeps until no other non-daemon thread is alive.
pub fn wait_for_non_daemons(th: &Thread) {
    let own = usize::from(info(th).non_daemon.load(Ordering::Relaxed));
    concord_safepoint::blocked(|| {
        let mut n = NON_DAEMONS.lock().expect("thread count");
        while *n > own {
            n = FEWER.wait(n).expect("thread count");
        }
    });
}

/// Makes the calling native thread run on `th`: collector, safepoints, monitors.
pub(super) fn enter_vm(th: &'static Thread) {
    Thread::set_current(th);
    specific::set(th);
    let at = std::ptr::from_ref(th) as usize;
    event_log::note(event_log::Kind::Other, at, format!("Thread added: 0x{at:016x}"));
    // SAFETY: a system call without arguments.
    th.os_tid.set(unsafe { libc::gettid() } as u32);
    native_stack::measure(th);
    th.settle_entries();
    info(th).started.store(concord_base::log::uptime().as_millis() as u64, Ordering::Relaxed);
    match AlternateStack::install() {
        Ok(stack) => *info(th).signal_stack.lock().expect("signal stack") = stack,
        Err(e) => vm_log!(OsThread, Warning, "no alternate signal stack: {e}"),
    }
    sync::attach(th);
    concord_heap::attach(th);
    entries::engine().attach(th);
    vm_log!(OsThread, Info, "Thread is alive (tid: {}, id: {}).", th.os_tid.get(), th.id.get());
}

/// Takes the calling native thread out of the VM; its block goes back.
fn leave_vm(th: &'static Thread) {
    let at = std::ptr::from_ref(th) as usize;
    event_log::note(event_log::Kind::Other, at, format!("Thread exited: 0x{at:016x}"));
    let left = list::detach_monitor(th);
    if left != 0 {
        vm_log!(Monitor, Debug, "thread {} ended as owner of {left} monitors", th.id.get());
    }
    // SAFETY: only this thread uses its lock stack.
    unsafe { (*th.lock_stack.get()).clear() };
    vm_log!(OsThread, Info, "Thread finished (tid: {}).", th.os_tid.get());
    entries::engine().detach(th);
    concord_heap::detach(th);
    *info(th).signal_stack.lock().expect("signal stack") = None;
    specific::set(std::ptr::null());
    Thread::set_current(std::ptr::null());
    block::give_back(th);
}

/// Tells agents that a thread has started: one of Java, or one of the VM that tools see.
pub fn announce(th: &Thread) {
    if let Some(l) = events::listener(Event::ThreadStart) {
        l.thread_start(th);
    }
}

/// A started thread, from its first to its last moment in the VM.
pub(super) fn run(th: &'static Thread, body: fn(&'static Thread)) {
    let name = th.java_thread.get().get_ref(known::offsets().thread_name);
    if !name.is_null() {
        list::name_native_thread(&strings::to_string(name));
    }
    announce(th);
    body(th);
    exit(th);
    leave_vm(th);
}

/// The body of a thread started by Thread.start: `run()`.
pub(super) fn run_java(th: &'static Thread) {
    // Thread.stop may have come before Thread.start.
    if let Some(m) = body_of(th)
        && call::invoke_on_thread(th, m).is_err()
    {
        uncaught(th);
    }
}

/// The `run` of the thread. Not inlined: the caller's frame would name the object for as long as the thread lives.
#[inline(never)]
fn body_of(th: &Thread) -> Option<MethodRef> {
    let thread = th.java_thread.get();
    let starts = thread.get_u8(known::offsets().thread_stillborn) == 0;
    starts.then(|| call::select(thread.class(), known::methods().thread_run))
}

/// Hands the pending exception to the thread's handler.
fn uncaught(th: &Thread) {
    let scope = handles::Scope::new(th);
    let e = scope.handle(th.take_exception());
    let args = [th.java_thread.get().addr() as u64, e.get().addr() as u64];
    if call::invoke(th, known::methods().thread_dispatch_uncaught, &args).is_err() {
        let e = th.take_exception();
        let text = names::external(e.class());
        let name = exceptions::thread_name(th);
        // The handler itself failed: only the console is left.
        concord_base::errln!("\nException: {text} thrown from the UncaughtExceptionHandler in thread \"{name}\"");
    }
}

/// The end of a Java thread: handlers, `Thread.exit`, status, those who join.
fn exit(th: &Thread) {
    if th.has_exception() {
        uncaught(th);
    }
    if let Some(l) = events::listener(Event::ThreadEnd) {
        l.thread_end(th);
    }
    let scope = handles::Scope::new(th);
    let thread = scope.handle(th.java_thread.get());
    if thread.get().is_null() {
        count_out(th);
        return;
    }
    if call::invoke(th, known::methods().thread_exit, &[thread.get().addr() as u64]).is_err() {
        // As in HotSpot, what Thread.exit throws has no one to go to.
        let e = th.take_exception();
        vm_log!(Exceptions, Info, "Thread.exit failed: {}", exceptions::describe(e));
    }
    announce_end(th, thread.get());
    count_out(th);
}

/// Marks the thread dead and wakes those who wait on its object (Thread.join).
fn announce_end(th: &Thread, thread: Obj) {
    let scope = handles::Scope::new(th);
    let thread = scope.handle(thread);
    let o = known::offsets();
    // Without the lock a joining thread could test `isAlive` before and wait after. Who was told that this thread
    // is suspended finds it alive: from the look at the poll word on there is no stop before it is dead.
    let mut locked = sync::enter(th, thread.get()).is_ok();
    while locked && th.poll.load(Ordering::Acquire) & poll::SUSPEND != 0 {
        if sync::exit(th, thread.get()).is_err() {
            bug!("the monitor of an ending thread cannot be used");
        }
        super::suspend_self(th);
        locked = sync::enter(th, thread.get()).is_ok();
    }
    thread.get().put_u32(o.thread_status, status::TERMINATED);
    thread.get().put_u64(o.thread_eetop, 0);
    if !locked || sync::notify_all(th, thread.get()).is_err() || sync::exit(th, thread.get()).is_err() {
        bug!("the monitor of an ending thread cannot be used");
    }
}

/// Ties the current thread and its java.lang.Thread together, before its constructor runs.
pub fn bind_java_thread(th: &Thread, thread: Obj) {
    th.java_thread.set(thread);
    let o = known::offsets();
    thread.put_u64(o.thread_eetop, std::ptr::from_ref(th) as u64);
    thread.put_i32(o.thread_priority, 5);
    thread.put_u32(o.thread_status, status::RUNNABLE);
}

/// Attaches the primordial thread, which has no java.lang.Thread until boot makes one; it keeps
/// the VM alive.
///
/// # Errors
/// A message if the system has no memory.
pub fn attach_main() -> Result<&'static Thread, String> {
    let Some(th) = block::take(0) else {
        return Err("not enough memory for the main thread's stack".into());
    };
    info(th).attached.store(true, Ordering::Relaxed);
    enter_vm(th);
    count_in(th, false);
    Ok(th)
}

/// What AttachCurrentThread says of the thread.
pub struct AttachArgs {
    pub name: Option<String>,
    /// A reference to a ThreadGroup that holds from when the thread is not attached yet on; null for the
    /// main group.
    pub group: Handle,
    pub daemon: bool,
}

/// Attaches the calling native thread and makes its java.lang.Thread (JNI AttachCurrentThread).
///
/// # Errors
/// A message if there is no memory or a constructor throws.
pub fn attach_current(args: AttachArgs) -> Result<&'static Thread, String> {
    attach_to(args, Whose::Program)
}
/// As [`attach_current`], into the system group, and without a word to agents: for threads of the VM itself.
///
/// # Errors
/// As [`attach_current`].
pub fn attach_system(args: AttachArgs) -> Result<&'static Thread, String> {
    attach_to(args, Whose::System)
}
/// As [`attach_system`], a thread that programs and tools do not see and that never ends: in no group, no list and no count.
///
/// # Errors
/// As [`attach_current`].
pub fn attach_hidden(args: AttachArgs) -> Result<&'static Thread, String> {
    attach_to(args, Whose::Hidden)
}
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Program,
    System,
    Hidden,
}
fn attach_to(args: AttachArgs, whose: Whose) -> Result<&'static Thread, String> {
    if let Some(th) = Thread::current_opt() {
        return Ok(th);
    }
    let Some(th) = block::take(0) else {
        return Err("not enough memory for a thread's stack".into());
    };
    info(th).attached.store(true, Ordering::Relaxed);
    enter_vm(th);
    let hidden = whose == Whose::Hidden;
    info(th).hidden.store(hidden, Ordering::Relaxed);
    if !hidden {
        count_in(th, args.daemon);
    }
    match make_java_thread(th, &args, whose) {
        Ok(()) => {
            native_stack::watch();
            if whose == Whose::Program {
                announce(th);
            }
            Ok(th)
        }
        Err(_) => {
            let e = th.take_exception();
            let text = exceptions::describe(e);
            if !info(th).hidden.swap(false, Ordering::Relaxed) {
                count_out(th);
            }
            leave_vm(th);
            Err(text)
        }
    }
}

fn make_java_thread(th: &Thread, args: &AttachArgs, whose: Whose) -> JResult<()> {
    let scope = handles::Scope::new(th);
    let group = scope.handle(match args.group.is_null() {
        true if whose == Whose::Program => main_group(),
        true => system_group(),
        // SAFETY: the caller's word; the thread is in the VM now, so what it names stays.
        false => unsafe { handles::resolve(args.group) },
    });
    let thread = scope.handle(object::new_object(th, known::classes().thread)?);
    bind_java_thread(th, thread.get());
    let (desc, second) = match &args.name {
        Some(n) => ("(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", strings::new_str(th, n)?),
        None => ("(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V", Obj::NULL),
    };
    let class = known::classes().thread;
    let Some(ctor) = crate::ClassExt::declared_method(class, "<init>".into(), desc.into()) else {
        bug!("java.lang.Thread has no constructor {desc}");
    };
    call::invoke(th, ctor, &[thread.get().addr() as u64, group.get().addr() as u64, second.addr() as u64])?;
    if args.daemon {
        thread.get().put_u8(known::offsets().thread_daemon, 1);
    }
    if whose != Whose::Hidden {
        let add = known::methods().group_add;
        call::invoke(th, add, &[group.get().addr() as u64, thread.get().addr() as u64])?;
    }
    Ok(())
}

/// The "system" and "main" groups, once boot made them.
static GROUPS: OnceLock<(&'static Root, &'static Root)> = OnceLock::new();

/// Remembers the two groups: for the VM's threads, and for attached threads that name none.
pub fn set_groups(system: Obj, main: Obj) {
    let root = |o: Obj| {
        let r = crate::roots::new_root();
        crate::roots::keep(r, o);
        r
    };
    if GROUPS.set((root(system), root(main))).is_err() {
        bug!("the thread groups are made twice");
    }
}
fn groups() -> (Obj, Obj) {
    match GROUPS.get() {
        Some((s, m)) => (s.get(), m.get()),
        None => bug!("a thread needs a group before boot has made one"),
    }
}
fn main_group() -> Obj {
    groups().1
}
/// The group of the VM's own threads.
pub fn system_group() -> Obj {
    groups().0
}

/// Ends the calling thread's membership (JNI DetachCurrentThread): uncaught exceptions, the Java
/// part of the end, then the block.
pub fn detach_current(th: &'static Thread) {
    exit(th);
    leave_vm(th);
}
