//! Who is alive, and what one thread may do to another.
//!
//! Invariant: a block found through [`block_of`] may belong to a thread that has just ended or
//! even to a new one; so foreign operations are limited to wake-ups and poll bits, except under
//! the safepoint room's registry lock ([`concord_safepoint::for_each_thread`]).
use super::info;
use crate::stackwalk::{self, Site};
use crate::{arrays, exceptions, handles, known, strings};
use concord_contract::thread::poll;
use concord_contract::{JResult, Obj, Thread};
use concord_monitors::MonitorThread;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// `Thread.currentThread`.
#[inline]
pub fn current(th: &Thread) -> Obj {
    th.java_thread.get()
}

/// The block of a live java.lang.Thread.
pub fn block_of(thread: Obj) -> Option<&'static Thread> {
    if thread.is_null() {
        return None;
    }
    let p = thread.get_u64(known::offsets().thread_eetop) as *const Thread;
    // SAFETY: eetop is 0 or the address of a block, and blocks are never freed.
    (!p.is_null()).then(|| unsafe { &*p })
}

/// Lock under which a thread's monitor state is woken by others and taken away at its end.
static WAKE: Mutex<()> = Mutex::new(());

/// Wakes `th` if it sleeps in the monitors room.
pub(super) fn wake_monitor(th: &Thread) {
    let _held = WAKE.lock().expect("wake lock");
    let p = th.monitor.load(Ordering::Acquire) as *const MonitorThread;
    if !p.is_null() {
        // SAFETY: the state is freed only under this lock, after the pointer was cleared.
        unsafe { (*p).unpark() };
    }
}
/// Ends the thread's part in the monitors room.
pub(super) fn detach_monitor(th: &Thread) -> usize {
    let _held = WAKE.lock().expect("wake lock");
    crate::sync::detach(th)
}

/// Calls `f` with the java.lang.Thread of every live thread that programs see. `f` must neither allocate nor block.
pub fn all_threads(mut f: impl FnMut(&Thread, Obj)) {
    concord_safepoint::for_each_thread(|t| {
        let o = t.java_thread.get();
        if !o.is_null() && super::is_alive(o) && super::is_visible(t) {
            f(t, o);
        }
    });
}

/// `Thread.getThreads`: a Thread[] of all live threads.
///
/// # Errors
/// OutOfMemoryError.
pub fn all_thread_objects(th: &Thread) -> JResult<Obj> {
    super::await_started();
    let scope = handles::Scope::new(th);
    // No safepoint lies between finding a thread and making its handle.
    let mut list = Vec::new();
    all_threads(|_, o| list.push(scope.handle(o)));
    let a = arrays::new_ref_array(th, known::classes().thread, list.len())?;
    for (i, t) in list.iter().enumerate() {
        arrays::set_ref(a, i, t.get());
    }
    Ok(a)
}

/// `Thread.dumpThreads`: a StackTraceElement[][], null for threads that are not alive.
///
/// # Errors
/// NullPointerException, IllegalArgumentException for an empty list, OutOfMemoryError.
pub fn dump(th: &Thread, list: Obj) -> JResult<Obj> {
    if list.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    let n = list.array_len();
    if n == 0 {
        return exceptions::throw_no_msg(th, "java/lang/IllegalArgumentException");
    }
    let scope = handles::Scope::new(th);
    let list = scope.handle(list);
    let mut stacks: Vec<Option<Vec<Site>>> = Vec::with_capacity(n);
    let mut kept = HashSet::new();
    concord_safepoint::stop_the_world("ThreadDump", |stopped| {
        for i in 0..n {
            let wanted = list.get().array_ref(i);
            let target = stopped.threads().find(|t| !wanted.is_null() && t.java_thread.get() == wanted);
            // Hidden frames as well, and all of them: MaxJavaStackTraceDepth is for exceptions.
            let stack: Option<Vec<Site>> =
                target.filter(|_| super::is_alive(wanted)).map(|t| stackwalk::sites(t).collect());
            stackwalk::keep_classes(&scope, &mut kept, stack.as_deref().unwrap_or_default());
            stacks.push(stack);
        }
    });
    let element = arrays::array_class(th, known::classes().stack_trace_element)?;
    let out = scope.handle(arrays::new_ref_array(th, element, n)?);
    for (i, s) in stacks.iter().enumerate() {
        if let Some(s) = s {
            let a = stackwalk::elements_of(th, s)?;
            arrays::set_ref(out.get(), i, a);
        }
    }
    Ok(out.get())
}

/// `Thread.setPriority0`: kept in the Java field; the system's scheduler is not told, as HotSpot
/// does not without -XX:ThreadPriorityPolicy.
pub fn set_priority(thread: Obj, priority: i32) {
    thread.put_i32(known::offsets().thread_priority, priority);
}

/// `Thread.setNativeName`: the name that `ps -L` and debuggers show; for the current thread only.
pub fn set_native_name(th: &Thread, thread: Obj, name: Obj) {
    if thread != th.java_thread.get() || name.is_null() {
        return;
    }
    name_native_thread(&strings::to_string(name));
}
pub(super) fn name_native_thread(name: &str) {
    // Linux keeps 15 bytes.
    let mut buf = [0u8; 16];
    let mut n = name.len().min(15);
    while !name.is_char_boundary(n) {
        n -= 1;
    }
    buf[..n].copy_from_slice(&name.as_bytes()[..n]);
    // SAFETY: a NUL-terminated name of at most 16 bytes. A failure leaves the old name, which is
    // only for human eyes.
    unsafe { libc::pthread_setname_np(libc::pthread_self(), buf.as_ptr().cast()) };
}

/// `Thread.stop0`: sends `exception` to a thread; it is thrown at its next poll, at once if the
/// thread is the caller. What the thread waits for ends as by an interrupt. A thread that was not started will end without
/// running.
///
/// # Errors
/// The exception, for the current thread.
pub fn stop(th: &Thread, thread: Obj, exception: Obj) -> JResult<()> {
    if thread == th.java_thread.get() {
        return th.throw(exception);
    }
    let scope = handles::Scope::new(th);
    let (thread, exception) = (scope.handle(thread), scope.handle(exception));
    crate::roots::share(exception.get());
    loop {
        if block_of(thread.get()).is_none() {
            if thread.get().get_u32(known::offsets().thread_status) == super::status::NEW {
                thread.get().put_u8(known::offsets().thread_stillborn, 1);
            }
            return Ok(());
        }
        // At a stop, since its block may be another thread's at any other time; and only to a registered
        // thread, whose words are roots.
        let sent = concord_safepoint::stop_the_world("StopThread", |stopped| {
            let target = block_of(thread.get()).filter(|b| stopped.threads().any(|t| std::ptr::eq(t, *b)))?;
            let waiting = target.async_exception.load(Ordering::Acquire) as usize;
            // SAFETY: null or, as a root of its thread, an object's present address.
            let waiting = unsafe { Obj::from_addr(waiting) };
            // Nothing takes the place of a ThreadDeath.
            if waiting.is_null() || !waiting.is_instance_of(known::classes().thread_death) {
                target.async_exception.store(exception.get().addr() as u64, Ordering::Release);
                concord_safepoint::set_poll(target, poll::ASYNC_EXCEPTION);
            }
            // As by an interrupt: what it waits for ends, and what it waits for afterwards does not begin.
            thread.get().put_u8(known::offsets().thread_interrupted, 1);
            Some(target)
        });
        if let Some(target) = sent {
            info(target).sleeper.give();
            info(target).parker.give();
            wake_monitor(target);
            info(target).tell_interrupt();
            return Ok(());
        }
        // It is about to start, or has just ended.
        concord_safepoint::blocked(std::thread::yield_now);
    }
}
