//! `Thread.start`: a native thread for a java.lang.Thread.
//!
//! Invariant: when `start` returns normally, `eetop` and `threadStatus` are set, and a non-daemon
//! thread is counted, whether or not the new thread has run yet. Those that have not are in a list, and whoever asks for
//! all threads waits for them ([`await_started`]).
use super::{block, info, lifecycle, status};
use crate::{exceptions, handles, known};
use concord_base::vm_log;
use concord_contract::{JResult, Obj, Thread};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Starts the thread of `thread` with a body of an agent's instead of `Thread.run`.
///
/// # Errors
/// As [`start`].
pub fn start_with_closure(th: &Thread, thread: Obj, body: Box<dyn FnOnce(&'static Thread) + Send>) -> JResult<()> {
    type Body = Box<dyn FnOnce(&'static Thread) + Send>;
    /// Bodies by the address of the thread's block, until it takes its own.
    static BODIES: Mutex<Vec<(usize, Body)>> = Mutex::new(Vec::new());
    fn run(th: &'static Thread) {
        let me = std::ptr::from_ref(th) as usize;
        let body = {
            let mut all = BODIES.lock().expect("agents' threads");
            all.iter().position(|b| b.0 == me).map(|i| all.swap_remove(i).1)
        };
        if let Some(f) = body {
            f(th);
        }
    }
    start_prepared(th, thread, run, |block| {
        BODIES.lock().expect("agents' threads").push((std::ptr::from_ref(block) as usize, body))
    })
}

/// Threads that were started and have not come to the VM yet, by the numbers of their starts.
struct Starts {
    begun: u64,
    pending: Vec<u64>,
}
static STARTS: Mutex<Starts> = Mutex::new(Starts { begun: 0, pending: Vec::new() });

impl Starts {
    fn begin() -> u64 {
        let mut s = STARTS.lock().expect("starts of threads");
        s.begun += 1;
        let number = s.begun;
        s.pending.push(number);
        number
    }
    fn end(number: u64) {
        STARTS.lock().expect("starts of threads").pending.retain(|n| *n != number);
    }
    fn pending_up_to(last: u64) -> bool {
        STARTS.lock().expect("starts of threads").pending.iter().any(|n| *n <= last)
    }
}

/// Waits until every thread that has been started so far can be found.
pub fn await_started() {
    let last = STARTS.lock().expect("starts of threads").begun;
    while Starts::pending_up_to(last) {
        concord_safepoint::in_native(std::thread::yield_now);
    }
}

/// What the new thread is given.
struct Begin {
    th: &'static Thread,
    number: u64,
    /// Global handle of the java.lang.Thread.
    thread: handles::Handle,
    /// What runs on it.
    body: fn(&'static Thread),
}

/// Native stack beside a Java stack of `java` bytes: VM code, JNI libraries and upcalls.
fn native_stack_size(java: usize) -> usize {
    (java + (256 << 10) + 4095) & !4095
}

/// Starts the thread of `thread`.
///
/// # Errors
/// IllegalThreadStateException if it was started before; OutOfMemoryError if the system refuses.
pub fn start(th: &Thread, thread: Obj) -> JResult<()> {
    start_with(th, thread, lifecycle::run_java)
}

/// As [`start`], with a body of the VM's instead of `Thread.run`.
///
/// # Errors
/// As [`start`].
pub(super) fn start_with(th: &Thread, thread: Obj, body: fn(&'static Thread)) -> JResult<()> {
    start_prepared(th, thread, body, |_| {})
}

/// As [`start_with`]; `prepare` gets the block before the thread runs.
fn start_prepared(
    th: &Thread,
    thread: Obj,
    body: fn(&'static Thread),
    prepare: impl FnOnce(&'static Thread),
) -> JResult<()> {
    let o = known::offsets();
    if super::is_alive(thread) || thread.get_u32(o.thread_status) == status::TERMINATED {
        return exceptions::throw_no_msg(th, "java/lang/IllegalThreadStateException");
    }
    let asked = thread.get_i64(o.thread_stack_size).clamp(0, 1 << 40) as usize;
    let Some(block) = block::take(asked) else {
        return no_thread(th);
    };
    let native = native_stack_size(block.stack_bytes.get());
    let daemon = thread.get_u8(o.thread_daemon) != 0;
    info(block).attached.store(false, Ordering::Relaxed);
    lifecycle::count_in(block, daemon);
    prepare(block);
    let begin = Box::into_raw(Box::new(Begin {
        th: block,
        number: Starts::begin(),
        thread: handles::new_global(thread),
        body,
    }));
    thread.put_u64(o.thread_eetop, std::ptr::from_ref(block) as u64);
    thread.put_u32(o.thread_status, status::RUNNABLE);
    if let Err(e) = spawn(native, begin) {
        // SAFETY: no thread was made, so the box is still ours, and so is the handle in it.
        unsafe {
            let b = Box::from_raw(begin);
            Starts::end(b.number);
            handles::resolve(b.thread).put_u64(o.thread_eetop, 0);
            handles::resolve(b.thread).put_u32(o.thread_status, status::NEW);
            handles::delete_global(b.thread);
        }
        lifecycle::count_out(block);
        block::give_back(block);
        vm_log!(OsThread, Warning, "Failed to start thread ({e}) for attributes: stacksize: {}k.", native >> 10);
        return no_thread(th);
    }
    Ok(())
}

fn no_thread(th: &Thread) -> JResult<()> {
    let text = "unable to create native thread: possibly out of memory or process/resource limits reached";
    crate::oom::exhausted(th, crate::events::Exhausted::Threads, text);
    exceptions::throw(th, "java/lang/OutOfMemoryError", text)
}

fn spawn(stack: usize, begin: *mut Begin) -> Result<(), std::io::Error> {
    let check = |e: i32| if e == 0 { Ok(()) } else { Err(std::io::Error::from_raw_os_error(e)) };
    // SAFETY: the attributes live through the call; `begin` is given to the new thread, or stays
    // with the caller if there is none.
    unsafe {
        let mut attr: libc::pthread_attr_t = std::mem::zeroed();
        check(libc::pthread_attr_init(&mut attr))?;
        check(libc::pthread_attr_setdetachstate(&mut attr, libc::PTHREAD_CREATE_DETACHED))?;
        let sized = check(libc::pthread_attr_setstacksize(&mut attr, stack));
        let mut id: libc::pthread_t = 0;
        let made = sized.and_then(|()| check(libc::pthread_create(&mut id, &attr, main, begin.cast())));
        libc::pthread_attr_destroy(&mut attr);
        made
    }
}

extern "C" fn main(begin: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: `spawn` passed a box of this type to this thread alone.
    let begin = unsafe { Box::from_raw(begin.cast::<Begin>()) };
    let th = begin.th;
    lifecycle::enter_vm(th);
    // SAFETY: a global handle made by `start` for this thread alone.
    unsafe {
        th.java_thread.set(handles::resolve(begin.thread));
        handles::delete_global(begin.thread);
    }
    Starts::end(begin.number);
    let body = begin.body;
    drop(begin);
    lifecycle::run(th, body);
    std::ptr::null_mut()
}
