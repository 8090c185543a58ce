//! From a compiled frame to interpreter frames.
//!
//! Invariant: the frames that a frame state describes stand on the Java stack, complete, with their
//! monitors on the lock stack, before anything can collect; the compiled frame is dead from then
//! on and returns at once.
//!
//! | the compiled frame returns to | its Java frames | and go on |
//! |---|---|---|
//! | an adapter | over the arguments, as if they had been called | when the adapter is reached |
//! | an OSR adapter | the outermost is rewritten in place (C20) | likewise |
//! | compiled code | behind an entry frame | here, nested; the result is the compiled frame's |
mod virtuals;

use crate::slow::settle_watermark;
use crate::tiers;
use concord_base::bug;
use concord_contract::code_table::{Activation, Caller, HuskGuard};
use concord_contract::compiled::{
    DeoptReason, FrameDesc, FrameState, GUARDS_LEFT, Resume, Value, ValueType, VirtualObject,
};
use concord_contract::entries;
use concord_contract::frame::{self, WITHOUT_STUB, saved};
use concord_contract::{Class, CpEntry, JResult, MethodRef, Obj, Thread};
use concord_interpreter::code::{cache_of, exit_pc};
use concord_interpreter::entry::{self, drive_from_anchors, ensure_translated};
use concord_interpreter::raw;
use concord_interpreter::slow::set_anchors;
use concord_interpreter::unwind::unwind;
use concord_runtime::oom;
use std::sync::atomic::{AtomicU64, Ordering};

/// The values that the code left behind in its frame.
pub(crate) struct Values {
    /// rsp at the call of the stub.
    sp: usize,
    /// Addresses of the state's virtual objects, once they are made.
    pub(crate) objects: Vec<u64>,
}

impl Values {
    fn of(a: &Activation) -> Values {
        Values { sp: a.sp, objects: Vec::new() }
    }
    /// The slot at this offset.
    pub(crate) fn slot(&self, at: u32) -> *mut u64 {
        (self.sp + at as usize) as *mut u64
    }
    pub(crate) fn get(&self, v: Value) -> u64 {
        match v {
            Value::None | Value::Null => 0,
            Value::Int(i) => i as u32 as u64,
            Value::Float(b) => b as u64,
            Value::Long(l) => l as u64,
            Value::Double(b) => b,
            Value::Slot(at, ty) => {
                // SAFETY: a slot of the frame, which is still there.
                let raw = unsafe { *self.slot(at) };
                match ty {
                    ValueType::Int | ValueType::Float => raw & 0xffff_ffff,
                    _ => raw,
                }
            }
            Value::Virtual(n) => self.objects[n as usize],
        }
    }
}

impl Values {
    /// The frame is dead: what it left behind must keep no object alive when other native frames come to lie over it.
    fn clear(&self, s: &FrameState) {
        for v in s.values() {
            if let Value::Slot(at, ValueType::Ref) = v {
                // SAFETY: as above; nobody reads it any more.
                unsafe { *self.slot(*at) = 0 };
            }
        }
    }
}

/// A guard failed: the state's frames go on in the interpreter.
///
/// # Safety
/// Called by the stub.
pub unsafe extern "sysv64" fn guard_failed(th: &Thread) -> u64 {
    // SAFETY: the anchor is the call of the stub.
    let a = unsafe { Activation::at(th.anchor_sp.get()) };
    let _husk = HuskGuard::new(a.code);
    let s = a.state();
    if !was_its_turn() {
        tiers::trapped(a.code, s);
    }
    let r = rebuild(th, &a, s);
    // SAFETY: the stub returns with this function's result.
    unsafe { a.go_out() };
    r
}

/// Whether the guard failed because every Nth one does; the count begins anew.
fn was_its_turn() -> bool {
    let n = concord_base::options::get().flags.concord_zeal_guard;
    let turn = n != 0 && GUARDS_LEFT.load(Ordering::Relaxed) <= 0;
    if turn {
        GUARDS_LEFT.store(i64::try_from(n).unwrap_or(i64::MAX), Ordering::Relaxed);
        FORCED.fetch_add(1, Ordering::Relaxed);
    }
    turn
}
/// Guards that failed for no reason.
static FORCED: AtomicU64 = AtomicU64::new(0);

/// After a call, rsp was not below the watermark.
///
/// # Safety
/// Called by the stub.
pub unsafe extern "sysv64" fn after_call(th: &Thread) -> u64 {
    // SAFETY: the anchor is the call of the stub.
    let a = unsafe { Activation::at(th.anchor_sp.get()) };
    let _husk = HuskGuard::new(a.code);
    let s = a.state();
    if th.has_exception() && !handles(th.exception.get().class(), s) {
        // The frame has nothing to do with it.
        let mark = th.invalid_mark.load(Ordering::Relaxed);
        if mark <= a.sp {
            let (anchor, fp) = beyond(&a);
            settle_watermark(th, a.sp, anchor, fp);
        }
        th.watermark.store(0, Ordering::Relaxed);
        Values::of(&a).clear(s);
        // SAFETY: the stub returns with this function's result.
        unsafe { a.go_out() };
        return 0;
    }
    let r = rebuild(th, &a, s);
    // SAFETY: likewise.
    unsafe { a.go_out() };
    r
}

/// Where the walk goes on behind an activation: an anchor, and the interpreter frame if that is 0.
fn beyond(a: &Activation) -> (usize, *mut u64) {
    match a.caller() {
        Caller::Compiled(c) => (c.sp | WITHOUT_STUB, std::ptr::null_mut()),
        // SAFETY: the adapter's words.
        Caller::Adapter(_, words, _) => (0, unsafe { *words.add(saved::FP) } as *mut u64),
    }
}

/// Whether an exception of `class` may have anything to do in the state's frames: a handler, or
/// monitors to give back.
fn handles(class: &Class, s: &FrameState) -> bool {
    s.frames.iter().any(|f| {
        !f.monitors.is_empty()
            || f.method.exceptions.iter().any(|e| {
                e.start <= f.bci && f.bci < e.end && (e.catch_type == 0 || may_catch(f.method, e.catch_type, class))
            })
    })
}

/// Whether the class constant `cp` is not resolved, or a superclass of `class`.
fn may_catch(m: MethodRef, cp: u16, class: &Class) -> bool {
    let cache: *const CpEntry = m.class.cp_cache.load(Ordering::Acquire);
    // SAFETY: a class whose code runs has its cache, with an entry per constant; a resolved class
    // entry holds a class.
    let caught = unsafe { ((*cache.add(cp as usize)).a.load(Ordering::Acquire) as *const Class).as_ref() };
    caught.is_none_or(|c| class.is_subclass_of(c))
}

/// Frames left, by reason.
static REBUILT: [AtomicU64; DeoptReason::ALL.len()] = [const { AtomicU64::new(0) }; DeoptReason::ALL.len()];

/// The figures as text.
pub fn counts() -> String {
    let of = |r: &DeoptReason| (REBUILT[*r as usize].load(Ordering::Relaxed), *r);
    let all: Vec<String> =
        DeoptReason::ALL.iter().map(of).filter(|c| c.0 > 0).map(|(n, r)| format!("{r:?} {n}")).collect();
    let forced = match FORCED.load(Ordering::Relaxed) {
        0 => String::new(),
        n => format!(", {n} of them by -XX:ConcordZealGuard"),
    };
    format!("deoptimized: {}{forced}", if all.is_empty() { "none".into() } else { all.join(", ") })
}

/// Where frames are put, and what the outermost returns to.
struct Place {
    lp: *mut u64,
    pc: *const u32,
    caller_lp: *mut u64,
    caller_fp: *mut u64,
    /// The outermost frame stands already.
    in_place: bool,
}

/// Makes interpreter frames of the state and lets them go on; what the compiled frame returns.
fn rebuild(th: &Thread, a: &Activation, s: &FrameState) -> u64 {
    REBUILT[s.reason as usize].fetch_add(1, Ordering::Relaxed);
    let mut values = Values::of(a);
    if !s.objects.is_empty() && virtuals::make(th, s, &mut values).is_err() {
        return give_up(th, a, s, &values, |th| oom::throw(th, oom::VIRTUAL_OBJECTS));
    }
    let values = &values;
    let need = s.frames.iter().map(|f| slots_of(f.method)).sum::<usize>() + frame::HEADER_SLOTS;
    let (anchor, fp) = beyond(a);
    match a.caller() {
        Caller::Compiled(_) => {
            if !has_room(th, th.sp.get(), need) {
                return give_up(th, a, s, values, entry::throw_stack_overflow);
            }
            th.anchor_sp.set(anchor);
            settle_watermark(th, a.sp, anchor, fp);
            // SAFETY: room was checked; the interpreter runs until it leaves the entry frame.
            let r = unsafe {
                entry::nested(th, s.frames[0].method, |base| {
                    let place = Place { lp: base, pc: exit_pc(), caller_lp: base, caller_fp: base, in_place: false };
                    go_on(th, s, values, place);
                    drive_from_anchors(th);
                })
            };
            r.unwrap_or_else(|_| {
                th.watermark.store(0, Ordering::Relaxed);
                0
            })
        }
        Caller::Adapter(ad, words, _) => {
            // SAFETY: the adapter's words describe the interpreter's frame.
            let place = unsafe {
                let word = |i: usize| *words.add(i);
                let (fp, lp) = (word(saved::FP) as *mut u64, word(saved::LP) as *mut u64);
                let sp = word(saved::SP) as *mut u64;
                let pc = word(saved::PC) as *const u32;
                if ad.replaces {
                    Place { lp, pc, caller_lp: lp, caller_fp: fp, in_place: true }
                } else {
                    let lp0 = sp.sub(s.frames[0].method.nargs());
                    Place { lp: lp0, pc, caller_lp: lp, caller_fp: fp, in_place: false }
                }
            };
            if !has_room(th, place.lp, need) {
                return give_up(th, a, s, values, entry::throw_stack_overflow);
            }
            th.anchor_sp.set(0);
            settle_watermark(th, a.sp, 0, fp);
            // SAFETY: room was checked.
            unsafe { go_on(th, s, values, place) };
            th.rebuilt.set(true);
            th.watermark.store(0, Ordering::Relaxed);
            0
        }
    }
}

fn slots_of(m: MethodRef) -> usize {
    (m.nargs_bytes + m.frame_bytes + m.max_stack_bytes) as usize / 8 + 1
}

/// Bytes that making a StackOverflowError takes at most.
const MAKING: usize = 16 << 10;

/// Whether `need` slots fit at `sp`. Rebuilding may use what is kept behind the limit, but for what the
/// StackOverflowError takes that the next call throws.
fn has_room(th: &Thread, sp: *mut u64, need: usize) -> bool {
    sp as usize + 8 * need + 4096 + MAKING < th.stack_base.get() as usize + th.stack_bytes.get()
}

/// There is no room for the frames, or for the objects in them: the method ends with an error.
#[cold]
fn give_up(
    th: &Thread,
    a: &Activation,
    s: &FrameState,
    values: &Values,
    throw: impl FnOnce(&Thread) -> JResult<()>,
) -> u64 {
    let saved = th.push_handles();
    // The frames are about to be gone, but their code still returns.
    th.new_handle(a.code.method.class.mirror.get());
    let monitors: Vec<*mut u64> = s
        .frames
        .iter()
        .flat_map(|f| &f.monitors)
        // SAFETY: monitors are live objects.
        .map(|m| th.new_handle(unsafe { Obj::from_addr(values.get(*m) as usize) }))
        .collect();
    let (anchor, fp) = beyond(a);
    th.anchor_sp.set(anchor);
    settle_watermark(th, a.sp, anchor, fp);
    th.take_exception();
    for h in monitors.into_iter().rev() {
        // SAFETY: a handle of this thread.
        let o = unsafe { Obj::from_addr(*h as usize) };
        if entries::monitor_exit(th, o).is_err() {
            bug!("compiled code lost a monitor");
        }
    }
    let r = throw(th);
    debug_assert!(r.is_err());
    th.pop_handles(saved);
    th.watermark.store(0, Ordering::Relaxed);
    0
}

/// Puts the frames in their place, makes the innermost one the anchors, and delivers the pending
/// exception, if there is one.
///
/// # Safety
/// There is room.
unsafe fn go_on(th: &Thread, s: &FrameState, values: &Values, place: Place) {
    // SAFETY: by the caller's word.
    unsafe { write_frames(th, s, values, place, th.has_exception()) };
    if th.has_exception() {
        unwind(th);
    }
}

/// # Safety
/// There is room for the frames.
unsafe fn write_frames(th: &Thread, s: &FrameState, values: &Values, place: Place, at_call: bool) {
    let Place { mut lp, mut pc, mut caller_lp, mut caller_fp, mut in_place } = place;
    let last = s.frames.len() - 1;
    for (i, f) in s.frames.iter().enumerate() {
        // SAFETY: room by the caller's word; the header is below fp.
        unsafe {
            let m = f.method;
            let code = ensure_translated(th, m);
            let fp = if in_place { caller_fp } else { lp.byte_add((m.nargs_bytes + m.frame_bytes) as usize) };
            write_slots(lp, &f.locals, values, m.max_locals as usize, m);
            // Also in place: the method may have been redefined while its old body ran as compiled code.
            *fp.sub(frame::METHOD) = std::ptr::from_ref(m) as u64;
            if !in_place {
                *fp.sub(frame::AUX) = cache_of(code.base());
                *fp.sub(frame::RETURN_PC) = pc as u64;
                *fp.sub(frame::CALLER_LP) = caller_lp as u64;
                *fp.sub(frame::CALLER_FP) = caller_fp as u64;
                *fp.sub(frame::CALLER_SP) = 0;
            }
            in_place = false;
            write_slots(fp, &f.stack, values, m.max_stack as usize, m);
            for v in &f.monitors {
                let o = Obj::from_addr(values.get(*v) as usize);
                (*th.lock_stack.get()).push((o, fp));
            }
            let Some((_, word)) = raw::instructions(m.bytecode).find(|(b, _)| *b == f.bci as usize) else {
                bug!("{m:?} has no instruction at {}", f.bci)
            };
            let here = code.base().add(word);
            let behind = here.add(raw::size(m.bytecode, f.bci as usize).1);
            let sp = fp.add(f.stack.len());
            if i == last {
                let resume = if at_call || s.resume == Resume::Reexecute { here } else { behind };
                set_anchors(th, resume, sp, lp, fp);
            }
            (pc, caller_lp, caller_fp, lp) = (behind, lp, fp, sp);
        }
    }
    values.clear(s);
}

/// # Safety
/// `at` has room for `room` slots.
unsafe fn write_slots(at: *mut u64, from: &[Value], values: &Values, room: usize, m: MethodRef) {
    if from.len() > room {
        bug!("a frame state of {m:?} has {} values for {room} slots", from.len());
    }
    for (i, v) in from.iter().enumerate() {
        // SAFETY: within the room.
        unsafe { *at.add(i) = values.get(*v) };
    }
}

/// A frame state as text: frames outermost first.
pub fn show(s: &FrameState) -> String {
    use std::fmt::Write;
    let mut out = format!("{:?} {:?}", s.reason, s.resume);
    for (n, VirtualObject { class, fields }) in s.objects.iter().enumerate() {
        // As below.
        let _ok = write!(out, "\n  virtual {n} {class:?} {fields:?}");
    }
    for FrameDesc { method, bci, locals, stack, monitors } in &s.frames {
        // Writing to a String cannot fail.
        let _ok = write!(out, "\n  {method:?} @{bci} locals {locals:?} stack {stack:?} monitors {monitors:?}");
    }
    out
}

/// Whether the reason is that the code did not know what it knows now.
pub fn recompile_helps(r: DeoptReason) -> bool {
    use DeoptReason::{AfterCall, Receiver, Unsupported};
    !r.is_exception() && !matches!(r, AfterCall | Receiver | Unsupported)
}
