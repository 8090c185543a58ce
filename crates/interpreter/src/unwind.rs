//! Exceptions: from the throwing instruction to the handler, or out of the interpreter.
//!
//! Invariant: on entry an exception is pending and the anchors describe the frame that threw, `pc`
//! at its instruction. On return the anchors describe a frame that runs on: one with a handler and
//! no exception pending, or the entry frame below with the exception still pending.
use crate::code::{Code, exit_pc};
use crate::slow::locks;
use concord_contract::class::Class;
use concord_contract::entries::{self, ExceptionEvent, Implicit};
use concord_contract::frame;
use concord_contract::method::{CpEntry, Method, MethodRef};
use concord_contract::object::Obj;
use concord_contract::{JResult, Thread};
use std::sync::atomic::Ordering;

/// Finds who handles the pending exception and makes that frame the innermost.
pub fn unwind(th: &Thread) {
    let told = frame::EVENTS.load(Ordering::Acquire);
    if told {
        with_exception_kept(th, |e| entries::exception_event(th, ExceptionEvent::Thrown, e));
    }
    loop {
        let fp = th.fp.get();
        // SAFETY: the anchors describe a frame; its header lies below `fp`.
        let m = unsafe { (*fp.sub(frame::METHOD) as *const Method).as_ref() };
        let Some(m) = m else {
            // The entry frame: the call from native code ends.
            th.pc.set(exit_pc());
            return;
        };
        if let Some(code) = Code::of(m)
            && let Some(handler) = find_handler(th, code)
        {
            // SAFETY: the handler is in the method's code.
            th.pc.set(unsafe { code.base().add(handler) });
            th.sp.set(fp);
            if told {
                with_exception_kept(th, |e| entries::exception_event(th, ExceptionEvent::Caught, e));
            }
            let e = th.take_exception();
            // SAFETY: the operand stack of a method with handlers has room for the exception; the
            // handler is in its code.
            unsafe {
                *fp = e.addr() as u64;
                th.sp.set(fp.add(1));
            }
            return;
        }
        if told {
            with_exception_kept(th, |e| entries::exception_event(th, ExceptionEvent::FrameLeft, e));
        }
        leave(th, m);
    }
}

/// Runs `f` with the pending exception, which is pending again afterwards.
fn with_exception_kept(th: &Thread, f: impl FnOnce(Obj)) {
    let e = th.exception.get();
    let kept = with_exception_saved(th, || {
        f(e);
        Ok(())
    });
    debug_assert!(kept.is_ok());
}

/// Gives back the frame's monitors and makes its caller the innermost frame.
fn leave(th: &Thread, m: MethodRef) {
    let (fp, lp) = (th.fp.get(), th.lp.get());
    give_back(th, m);
    // SAFETY: the header lies below `fp`. The word before a return address is the call.
    unsafe {
        th.pc.set((*fp.sub(frame::RETURN_PC) as *const u32).sub(1));
        th.lp.set(*fp.sub(frame::CALLER_LP) as *mut u64);
        th.fp.set(*fp.sub(frame::CALLER_FP) as *mut u64);
        th.sp.set(lp);
    }
}

/// Gives back the innermost frame's monitors while an exception is pending.
pub(crate) fn give_back(th: &Thread, m: MethodRef) {
    let fp = th.fp.get();
    if has_monitors(th, fp) || m.is_synchronized() {
        let balanced = with_exception_saved(th, || locks::leave_frame(th, m, fp));
        if balanced == Ok(false) {
            // JVMS 2.11.10: unbalanced monitors replace the exception.
            th.take_exception();
            let _thrown = entries::throw_implicit(th, Implicit::IllegalMonitorState);
        }
    }
}

fn has_monitors(th: &Thread, fp: *mut u64) -> bool {
    // SAFETY: the lock stack is the running thread's; the reference ends here.
    unsafe { &*th.lock_stack.get() }.last().is_some_and(|e| e.1 == fp)
}

/// Runs `f` without a pending exception; puts it back unless `f` throws, whose exception then
/// replaces it.
fn with_exception_saved<T>(th: &Thread, f: impl FnOnce() -> JResult<T>) -> JResult<T> {
    let saved = th.push_handles();
    let h = th.new_handle(th.take_exception());
    let r = f();
    if r.is_ok() {
        // SAFETY: the handle is a root slot of this thread, freed below.
        th.exception.set(unsafe { Obj::from_addr(*h as usize) });
    }
    th.pop_handles(saved);
    r
}

/// Word index of the handler for the pending exception at the frame's pc. Resolving runs Java code, and the frame may
/// come to execute a copy of its method, with the same code and the constants that belong to it.
fn find_handler(th: &Thread, code: &Code) -> Option<usize> {
    // SAFETY: the frame executes a method.
    let method = || unsafe { &*(*th.fp.get().sub(frame::METHOD) as *const Method) };
    let mut at = code.index_of(th.pc.get())? as u32;
    'again: loop {
        for row in &code.catches {
            if at < row.start || at >= row.end {
                continue;
            }
            if row.class == 0 {
                return Some(row.handler as usize);
            }
            let class = match resolved_class(method(), row.class) {
                Some(c) => c,
                None => {
                    // Resolving may run Java code and collect; the operand stack stays as the
                    // instruction's map has it.
                    match with_exception_saved(th, || entries::resolve_class(th, method(), row.class)) {
                        Ok(c) => c,
                        Err(_) => {
                            // What resolution threw is thrown at the handler instead.
                            at = row.handler;
                            // SAFETY: the handler is in the code.
                            th.pc.set(unsafe { code.base().add(at as usize) });
                            continue 'again;
                        }
                    }
                }
            };
            if th.exception.get().class().is_subclass_of(class) {
                return Some(row.handler as usize);
            }
        }
        return None;
    }
}

/// The class that constant `cp` of the method's class resolved to.
fn resolved_class(m: MethodRef, cp: u16) -> Option<&'static Class> {
    let cache: *const CpEntry = m.class.cp_cache.load(Ordering::Acquire);
    // SAFETY: a class whose code runs has its cache, with an entry per constant; a resolved class
    // entry holds a class.
    unsafe {
        let a = (*cache.add(cp as usize)).a.load(Ordering::Acquire) as *const Class;
        a.as_ref()
    }
}
