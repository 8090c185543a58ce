//! Method entries: what `Method::entry` points to.
//!
//! Invariant: an entry is called like a handler, with the return address in `pc`, the caller's
//! registers, the arguments on top of the caller's operand stack in memory, and the method in
//! `tos`. It pushes the callee's frame over the arguments, or jumps to another entry, or throws
//! in the caller. While a callee has no frame yet (first call, poll), its arguments are protected
//! by a temporary entry frame, whose map is the method's descriptor.
//!
//! | entry | for |
//! |---|---|
//! | [`first_call`] | methods with code, not yet translated |
//! | [`normal`] | translated |
//! | [`synchronized`] | translated; locks before the first instruction |
//! | [`crate::accessors`] | translated, and so small that they need no frame |
//! | [`native`] | native, synchronized or not |
//! | [`unimplemented`] | abstract, default conflicts |
//! | [`crate::handles`] | method-handle intrinsics |
//! | [`crate::maths`] | elementary functions of `java.lang.Math` |
mod calls;
mod native;

use calls::with_arguments;
pub use calls::{NATIVE_RESERVE, call, call_native_with, call_with, nested, throw_stack_overflow};
pub use native::{native, run_synchronized_native};

use crate::code::{Code, cache_of};
use crate::dispatch::{Context, Handler, dispatch, invoke, resume};
use crate::slow::{self, set_anchors, thrown};
use crate::stack::{NONE, Stack};
use crate::unwind::unwind;
use crate::{OPTIONS, accessors, handles, heat, jump, locks, maths, profile, translate};
use concord_contract::Thread;
use concord_contract::entries::{self};
use concord_contract::frame;
use concord_contract::method::{Method, MethodRef, mflags};
use concord_contract::object::Obj;
use std::sync::atomic::Ordering;

/// The entry for a method that has not run.
pub fn initial(m: &Method) -> Handler {
    if let Some(h) = handles::entry_for(m.mh_intrinsic).or_else(|| maths::entry_for(m)) {
        return h;
    }
    if m.is_native() {
        native
    } else if m.is_abstract() || m.has(mflags::DEFAULT_CONFLICT) {
        unimplemented
    } else {
        first_call
    }
}

/// Pushes the callee's frame; the new (lp, fp).
///
/// # Safety
/// The stack has room for the frame; the arguments are below `sp`.
#[inline(always)]
unsafe fn push_frame(
    m: *const Method,
    bytes: usize,
    aux: u64,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
) -> (*mut u64, *mut u64) {
    // SAFETY: by the caller's word.
    unsafe {
        let nfp = (sp as *mut u8).add(bytes) as *mut u64;
        let nlp = (sp as *mut u8).sub((*m).nargs_bytes as usize) as *mut u64;
        *nfp.sub(frame::METHOD) = m as u64;
        *nfp.sub(frame::AUX) = aux;
        *nfp.sub(frame::RETURN_PC) = pc as u64;
        *nfp.sub(frame::CALLER_LP) = lp as u64;
        *nfp.sub(frame::CALLER_FP) = fp as u64;
        *nfp.sub(frame::CALLER_SP) = 0;
        (nlp, nfp)
    }
}

/// Whether a frame of `m` pushed at `sp` would end above the thread's limit.
#[inline(always)]
unsafe fn no_room(th: *const Thread, m: *const Method, sp: *mut u64) -> bool {
    // SAFETY: both live.
    unsafe {
        sp as usize + (*m).frame_bytes as usize + (*m).max_stack_bytes as usize > (*th).limit.load(Ordering::Relaxed)
    }
}

/// Enters a translated method.
///
/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
pub unsafe extern "sysv64" fn normal(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: `method` is a translated method; room is checked before the frame is written.
    unsafe {
        let m = method as *const Method;
        if no_room(th, m, sp) {
            return attention_entry(th, pc, sp, lp, fp, method, ftos);
        }
        let code: *const u32 = (*m).code.load(Ordering::Relaxed);
        let (nlp, nfp) = push_frame(m, (*m).frame_bytes as usize, cache_of(code), pc, sp, lp, fp);
        if heat::tick(th, heat::of_method(method)) {
            set_anchors(&*th, code, nfp, nlp, nfp);
            return heat_entry(th, pc, sp, nlp, nfp, method, ftos);
        }
        let c = Context { th, pc: code, lp: nlp, fp: nfp };
        dispatch(&c, c.pc, &Stack::new(NONE, nfp, 0, 0.0), method, ftos)
    }
}

/// A heat counter ran out at an entry; the frame is pushed and the anchors describe it.
#[cold]
#[inline(never)]
#[unsafe(link_section = "interp_cold")]
unsafe extern "sysv64" fn heat_entry(
    th: *const Thread,
    _pc: *const u32,
    _sp: *mut u64,
    _lp: *mut u64,
    _fp: *mut u64,
    method: u64,
    _ftos: f64,
) {
    // SAFETY: the anchors describe the callee at its first instruction.
    unsafe {
        hot(&*th, &*(method as *const Method));
        resume(th)
    }
}

/// Not inlined: what it has on the native stack would make `resume` a call that grows the stack.
#[inline(never)]
fn hot(th: &Thread, m: MethodRef) {
    heat::refill(th, heat::of_method(m as *const Method as u64));
    profile::heated(m);
    entries::heat_overflow(th, m, None);
}

/// Enters a translated synchronized method.
///
/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
pub unsafe extern "sysv64" fn synchronized(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: as `normal`.
    unsafe {
        let m = method as *const Method;
        if no_room(th, m, sp) {
            return attention_entry(th, pc, sp, lp, fp, method, ftos);
        }
        let code: *const u32 = (*m).code.load(Ordering::Relaxed);
        let (nlp, nfp) = push_frame(m, (*m).frame_bytes as usize, cache_of(code), pc, sp, lp, fp);
        if !locks::enter(th, locks::of_method(m, nlp), nfp) {
            return lock_entry(th, code, sp, nlp, nfp, method, ftos);
        }
        if heat::tick(th, heat::of_method(method)) {
            set_anchors(&*th, code, nfp, nlp, nfp);
            return heat_entry(th, pc, sp, nlp, nfp, method, ftos);
        }
        let c = Context { th, pc: code, lp: nlp, fp: nfp };
        dispatch(&c, c.pc, &Stack::new(NONE, nfp, 0, 0.0), method, ftos)
    }
}

/// The monitor of a synchronized method, whose frame the registers describe, is not free.
///
/// # Safety
/// As every entry.
#[cold]
#[inline(never)]
#[unsafe(link_section = "interp_cold")]
unsafe extern "sysv64" fn lock_entry(
    th: *const Thread,
    code: *const u32,
    _sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    _ftos: f64,
) {
    // SAFETY: the frame was pushed by the entry.
    unsafe {
        set_anchors(&*th, code, fp, lp, fp);
        lock_method(&*th, &*(method as *const Method));
        resume(th)
    }
}

/// Locks the monitor of the frame just pushed, or unwinds from its caller.
#[inline(never)]
fn lock_method(th: &Thread, m: MethodRef) -> bool {
    if slow::locks::enter_method(th, m).is_ok() {
        return true;
    }
    // The frame owns nothing yet: it must not look like one that lost its monitor.
    // SAFETY: the frame was pushed by the entry; its arguments are still the caller's stack top.
    unsafe {
        let (lp, fp) = (th.lp.get(), th.fp.get());
        let pc = *fp.sub(frame::RETURN_PC) as *const u32;
        set_anchors(th, pc.sub(1), lp, *fp.sub(frame::CALLER_LP) as *mut u64, *fp.sub(frame::CALLER_FP) as *mut u64);
    }
    unwind(th);
    false
}

/// The first call of a method with code: links, translates, and enters it.
///
/// # Safety
/// As every entry.
#[cold]
#[unsafe(link_section = "interp_cold")]
pub unsafe extern "sysv64" fn first_call(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    _ftos: f64,
) {
    // SAFETY: the anchors become the caller's at its call.
    unsafe {
        set_anchors(&*th, pc.sub(1), sp, lp, fp);
        if prepare(&*th, &*(method as *const Method)) { again(th, method) } else { resume(th) }
    }
}

/// The limit was reached: a poll, or the end of the stack.
///
/// # Safety
/// As every entry.
#[cold]
#[inline(never)]
#[unsafe(link_section = "interp_cold")]
unsafe extern "sysv64" fn attention_entry(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    _ftos: f64,
) {
    // SAFETY: as `first_call`.
    unsafe {
        set_anchors(&*th, pc.sub(1), sp, lp, fp);
        let m = &*(method as *const Method);
        if stops_inside(&*th, m) {
            stop_inside(&*th, m);
            return resume(th);
        }
        if attend(&*th, m) { again(th, method) } else { resume(th) }
    }
}

/// Whether the thread waits in the frame of `m`, not before it: agents pop frames of suspended threads, or leave them
/// early, between two instructions of a frame. Whoever polls for another reason may be suspended there.
fn stops_inside(th: &Thread, m: MethodRef) -> bool {
    crate::debug::is_enabled()
        && th.poll.load(Ordering::Acquire) != 0
        && Code::of(m).is_some()
        && th.sp.get() as usize + room_of(m) <= th.stack_limit.get()
}

/// Pushes the frame of `m`, which the anchors call, and polls before its first instruction.
#[inline(never)]
fn stop_inside(th: &Thread, m: MethodRef) {
    let code: *const u32 = m.code.load(Ordering::Relaxed);
    // SAFETY: there is room; the arguments are the caller's stack top, as for any entry.
    unsafe {
        let (pc, sp, lp, fp) = (th.pc.get(), th.sp.get(), th.lp.get(), th.fp.get());
        let (nlp, nfp) = push_frame(m, m.frame_bytes as usize, cache_of(code), pc.add(1), sp, lp, fp);
        set_anchors(th, code, nfp, nlp, nfp);
    }
    if !m.is_synchronized() || lock_method(th, m) {
        slow::poll_between(th);
    }
}

/// Bytes that the frame of `m` takes at most.
fn room_of(m: MethodRef) -> usize {
    m.frame_bytes as usize + m.max_stack_bytes as usize + frame::HEADER_BYTES + 64
}

/// Goes on in the interpreter from the anchors; the registers say nothing but the thread.
///
/// # Safety
/// The anchors describe a frame that may execute `pc`.
pub unsafe extern "sysv64" fn continue_at_anchors(
    th: *const Thread,
    _pc: *const u32,
    _sp: *mut u64,
    _lp: *mut u64,
    _fp: *mut u64,
    _tos: u64,
    _ftos: f64,
) {
    // SAFETY: by the caller's word.
    unsafe { resume(th) }
}

/// The entry of a method whose compiled code is taken away: what it would have without.
pub fn interpreted(m: &Method) -> Handler {
    if Code::of(m).is_none() { initial(m) } else { translated(m) }
}

/// The entry of a translated method.
fn translated(m: &Method) -> Handler {
    match accessors::empty_entry(m) {
        Some(e) if !crate::debug::is_enabled() => e,
        _ => framed(m),
    }
}

/// Makes `entry`, which goes to compiled code, the entry of `m`; methods that need no frame keep
/// theirs.
pub fn install_compiled(m: &Method, entry: *mut ()) {
    for old in [first_call as *mut (), normal as *mut (), synchronized as *mut ()] {
        if m.entry.compare_exchange(old, entry, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            return;
        }
    }
}

/// Translates `m`, whose class is linked, unless that was done before.
pub fn ensure_translated(th: &Thread, m: MethodRef) -> &'static Code {
    translate::translate(th, m, OPTIONS.supers.load(Ordering::Relaxed))
}

/// Drives the interpreter from the anchors until it leaves through the innermost entry frame.
///
/// # Safety
/// As `continue_at_anchors`.
pub unsafe fn drive_from_anchors(th: &Thread) {
    // SAFETY: by the caller's word.
    unsafe { jump::drive(continue_at_anchors, th, th.pc.get(), th.sp.get(), th.fp.get(), 0) }
}

/// Enters `method` again from the anchors, which are at the call.
///
/// # Safety
/// The arguments are on the stack.
#[inline(always)]
unsafe fn again(th: *const Thread, method: u64) {
    // SAFETY: by the caller's word.
    unsafe {
        let (pc, sp, lp, fp) = ((*th).pc.get(), (*th).sp.get(), (*th).lp.get(), (*th).fp.get());
        invoke(th, pc.add(1), sp, lp, fp, method as *const Method, 0.0)
    }
}

/// Calls of abstract methods.
///
/// # Safety
/// As every entry.
#[cold]
#[unsafe(link_section = "interp_cold")]
pub unsafe extern "sysv64" fn unimplemented(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    _ftos: f64,
) {
    // SAFETY: the anchors become the caller's at its call.
    unsafe {
        set_anchors(&*th, pc.sub(1), sp, lp, fp);
        throw_unimplemented(&*th, &*(method as *const Method));
        resume(th)
    }
}

#[inline(never)]
fn throw_unimplemented(th: &Thread, m: MethodRef) {
    let receiver = if m.is_static() {
        Obj::NULL
    } else {
        // SAFETY: the arguments of the call are on the stack, receiver first.
        unsafe { Obj::from_addr(*th.sp.get().sub(m.nargs()) as usize) }
    };
    let _thrown = thrown::<()>(entries::throw_abstract(th, m, receiver));
    unwind(th);
}

/// Translates `m`; false if that threw and the anchors are at a handler or the exit.
#[inline(never)]
fn prepare(th: &Thread, m: MethodRef) -> bool {
    if with_arguments(th, m, || entries::prepare_code(th, m)).is_err() {
        unwind(th);
        return false;
    }
    ensure_translated(th, m);
    let entry = translated(m);
    // Only the first-call entry is replaced: compiled code may have been installed meanwhile.
    let _lost = m.entry.compare_exchange(first_call as *mut (), entry as *mut (), Ordering::AcqRel, Ordering::Relaxed);
    true
}

/// The entry of a translated method that pushes a frame.
fn framed(m: &Method) -> Handler {
    if m.is_synchronized() { synchronized } else { normal }
}
/// Lets a translated method be entered with a frame; its instructions would not run otherwise.
pub fn with_frame(m: MethodRef) {
    if Code::of(m).is_some() {
        m.entry.store(framed(m) as *mut (), Ordering::Release);
    }
}

/// Does what a lowered limit asks for; false if an exception was thrown and unwound.
#[inline(never)]
fn attend(th: &Thread, m: MethodRef) -> bool {
    let r = if th.sp.get() as usize + room_of(m) > th.stack_limit.get() {
        throw_stack_overflow(th)
    } else {
        with_arguments(th, m, || {
            if th.poll.load(Ordering::Acquire) != 0 {
                entries::safepoint(th)?;
            }
            th.settle_entries();
            Ok(())
        })
    };
    if r.is_err() {
        unwind(th);
    }
    r.is_ok()
}
