//! The entry of native methods.
//!
//! Invariant: a synchronized native method holds its monitor from before the call until its result or exception stands.
use super::{attention_entry, lock_method, push_frame};
use crate::code::no_code;
use crate::dispatch::resume;
use crate::slow::{self, set_anchors, thrown};
use crate::unwind::unwind;
use concord_contract::entries::{self, Implicit};
use concord_contract::frame;
use concord_contract::method::{Method, MethodRef};
use concord_contract::object::Obj;
use concord_contract::{BasicType, JResult, Thread};
use std::sync::atomic::Ordering;

/// Calls a native method.
///
/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_cold")]
pub unsafe extern "sysv64" fn native(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: the header and the few slots above it are checked for before they are written.
    unsafe {
        let m = method as *const Method;
        if sp as usize + frame::HEADER_BYTES + 64 > (*th).limit.load(Ordering::Relaxed) {
            return attention_entry(th, pc, sp, lp, fp, method, ftos);
        }
        let (nlp, nfp) = push_frame(m, frame::HEADER_BYTES, (*th).handle_top.get() as u64, pc, sp, lp, fp);
        set_anchors(&*th, no_code(), nfp, nlp, nfp);
        run_native(&*th, &*m);
        resume(th)
    }
}

/// Runs the native method whose frame is the innermost, and leaves the frame.
#[inline(never)]
fn run_native(th: &Thread, m: MethodRef) {
    if m.is_synchronized() && !lock_method(th, m) {
        return;
    }
    let lp = th.lp.get();
    match entries::call_native(th, m, lp).and_then(|v| unlock_native(th, m, v)) {
        // SAFETY: the frame has no monitors left; the caller's stack has room for the result,
        // which replaces the arguments or follows them.
        Ok(v) => unsafe { crate::slow::pop_frame(th, v, m.ret.slots()) },
        Err(_) => unwind(th),
    }
}

/// Runs the synchronized native method whose frame is the innermost; its caller made the frame and takes it
/// away. The raw result; a reference is no root until the caller makes it one.
///
/// # Errors
/// What the method throws, and what taking and giving back its monitor does.
pub fn run_synchronized_native(th: &Thread, m: MethodRef) -> JResult<u64> {
    slow::locks::enter_method(th, m)?;
    match entries::call_native(th, m, th.lp.get()) {
        Ok(v) => unlock_native(th, m, v),
        Err(thrown) => {
            crate::unwind::give_back(th, m);
            Err(thrown)
        }
    }
}

/// Gives back the monitor of a synchronized native method; the result as its type has it.
fn unlock_native(th: &Thread, m: MethodRef, v: u64) -> JResult<u64> {
    if !m.is_synchronized() {
        return Ok(slow::locks::narrow(m.ret, v));
    }
    let saved = th.push_handles();
    // SAFETY: the result of a reference-typed method is a reference.
    let h = th.new_handle(if m.ret == BasicType::Object { unsafe { Obj::from_addr(v as usize) } } else { Obj::NULL });
    let balanced = slow::locks::leave_frame(th, m, th.fp.get());
    // SAFETY: the handle is this thread's root slot.
    let v = if h.is_null() { v } else { unsafe { *h } };
    th.pop_handles(saved);
    if !balanced? {
        return thrown(entries::throw_implicit(th, Implicit::IllegalMonitorState));
    }
    Ok(slow::locks::narrow(m.ret, v))
}
