//! How the VM calls Java: entry frames, and room for what lies above them.
//!
//! Invariant: an entry frame lies between what the anchors described and what runs above it, so that both are walked as one
//! stack; afterwards the anchors are what they were.
use super::push_frame;
use crate::code::{exit_pc, no_code};
use crate::dispatch::Handler;
use crate::jump;
use crate::slow::{self, set_anchors, thrown};
use concord_contract::entries::{self, Implicit};
use concord_contract::frame;
use concord_contract::method::{Method, MethodRef};
use concord_contract::{JResult, Thread};
use std::sync::atomic::Ordering;

/// Throws StackOverflowError; the ends of both stacks are open to the runtime meanwhile, so that it
/// can make the exception.
pub fn throw_stack_overflow(th: &Thread) -> JResult<()> {
    let (limit, native) = (th.stack_limit.get(), th.native_limit.get());
    let last = (th.stack_base.get() as usize + th.stack_bytes.get()).saturating_sub(4096);
    if limit >= last {
        concord_base::bug!("no stack is left to make a StackOverflowError");
    }
    th.stack_limit.set(last);
    th.native_limit.set(0);
    th.settle_entries();
    let r = entries::throw_implicit(th, Implicit::StackOverflow);
    th.stack_limit.set(limit);
    th.native_limit.set(native);
    th.settle_entries();
    thrown(r)
}

/// Runs `f` with the arguments of the call that the anchors describe protected by an entry frame.
/// The anchors are at the call again afterwards, with the arguments where they were.
pub(super) fn with_arguments(th: &Thread, m: MethodRef, f: impl FnOnce() -> JResult<()>) -> JResult<()> {
    let (pc, sp, lp, fp) = (th.pc.get(), th.sp.get(), th.lp.get(), th.fp.get());
    let n = m.nargs();
    let end = th.stack_base.get() as usize + th.stack_bytes.get();
    if sp as usize + frame::HEADER_BYTES + 8 * n + 64 > end {
        return throw_stack_overflow(th);
    }
    // SAFETY: the space above the stack top is free and was checked; the arguments are below it.
    unsafe {
        let base = push_entry_frame(th, m, pc, sp, lp, fp);
        std::ptr::copy_nonoverlapping(sp.sub(n), base, n);
        th.sp.set(base.add(n));
        let r = f();
        std::ptr::copy_nonoverlapping(base, sp.sub(n), n);
        set_anchors(th, pc, sp, lp, fp);
        r
    }
}

/// Pushes an entry frame for `m` at `sp`, above the frame that the other arguments describe, and
/// makes it the innermost; the start of its operand stack. Compiled code that called into the VM
/// is remembered in it.
///
/// # Safety
/// The Java stack has room for a header at `sp`.
pub unsafe fn push_entry_frame(
    th: &Thread,
    m: &Method,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
) -> *mut u64 {
    // SAFETY: room by the caller's word.
    unsafe {
        let base = sp.add(frame::HEADER_SLOTS);
        *base.sub(frame::METHOD) = 0;
        *base.sub(frame::AUX) = m as *const Method as u64;
        *base.sub(frame::RETURN_PC) = pc as u64;
        *base.sub(frame::CALLER_LP) = lp as u64;
        *base.sub(frame::CALLER_FP) = fp as u64;
        *base.sub(frame::CALLER_SP) = th.anchor_sp.replace(0) as u64;
        set_anchors(th, exit_pc(), base, base, base);
        base
    }
}

/// Calls `m` from native code; see `Engine::invoke`.
pub fn call(th: &Thread, m: &'static Method, args: &[u64]) -> JResult<u64> {
    // SAFETY: the method takes as many slots as it is given.
    call_with(th, m, args.len(), |base| unsafe { std::ptr::copy_nonoverlapping(args.as_ptr(), base, args.len()) })
}

/// Calls `m` with `slots` argument slots that `fill` writes.
pub fn call_with(th: &Thread, m: &'static Method, slots: usize, fill: impl FnOnce(*mut u64)) -> JResult<u64> {
    let need = 8 * slots;
    // SAFETY: room for the arguments is checked before they are written.
    unsafe {
        check_room(th, need)?;
        nested(th, m, |base| {
            fill(base);
            let entry: Handler = std::mem::transmute(m.entry.load(Ordering::Acquire));
            jump::drive(entry, th, exit_pc(), base.add(slots), base, m as *const Method as u64);
        })
    }
}

/// As [`call_with`] for a native method that is not synchronized: without the interpreter.
pub fn call_native_with(th: &Thread, m: &'static Method, fill: impl FnOnce(*mut u64)) -> JResult<u64> {
    check_room(th, m.nargs_bytes as usize + frame::HEADER_BYTES)?;
    let (pc, sp, lp, fp, anchor) = (th.pc.get(), th.sp.get(), th.lp.get(), th.fp.get(), th.anchor_sp.get());
    // SAFETY: room was checked; the frames are those that the interpreter's native entry makes.
    let r = unsafe {
        let base = push_entry_frame(th, m, pc, sp, lp, fp);
        fill(base);
        let top = base.add(m.nargs());
        let (nlp, nfp) = push_frame(m, frame::HEADER_BYTES, th.handle_top.get() as u64, exit_pc(), top, base, base);
        set_anchors(th, no_code(), nfp, nlp, nfp);
        entries::call_native(th, m, nlp)
    };
    set_anchors(th, pc, sp, lp, fp);
    th.anchor_sp.set(anchor);
    r.map(|v| slow::locks::narrow(m.ret, v))
}

/// Throws StackOverflowError unless both stacks have room for a call with `need` bytes of arguments.
fn check_room(th: &Thread, need: usize) -> JResult<()> {
    let here = &raw const need as usize;
    let native = th.native_limit.get();
    let sp = th.sp.get() as usize;
    if (native != 0 && here < native + NATIVE_RESERVE) || sp + frame::HEADER_BYTES + need + 64 > th.stack_limit.get() {
        return throw_stack_overflow(th);
    }
    Ok(())
}

/// Runs `f` with an entry frame for `m` as the innermost frame, and gives the result of the
/// interpreter that `f` drove until it left that frame.
///
/// # Safety
/// The Java stack has room for the entry frame and what `f` puts above it. `f` is given the start
/// of its operand stack and returns when the frame was left through its exit.
pub unsafe fn nested(th: &Thread, m: MethodRef, f: impl FnOnce(*mut u64)) -> JResult<u64> {
    let (pc, lp, fp, anchor) = (th.pc.get(), th.lp.get(), th.fp.get(), th.anchor_sp.get());
    let sp = if th.sp.get().is_null() { th.stack_base.get() } else { th.sp.get() };
    // SAFETY: room by the caller's word; the saved anchors are restored before returning.
    unsafe {
        let base = push_entry_frame(th, m, pc, sp, lp, fp);
        f(base);
        set_anchors(th, pc, sp, lp, fp);
    }
    th.anchor_sp.set(anchor);
    th.check()?;
    Ok(th.result.get())
}

/// Native stack that a call into Java must find: for the runtime's deepest path below it.
pub const NATIVE_RESERVE: usize = 64 << 10;
