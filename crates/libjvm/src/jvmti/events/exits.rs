//! The ends of frames.
//!
//! Invariant: each end is told once, while the frame is still there: MethodExit first, then FramePop to
//! those that asked for this frame, who have to ask anew.
use super::super::environment::{Env, all};
use super::{Jni, current, each, function, outside};
use crate::env::MethodId;
use concord_contract::{MethodRef, Obj, Thread};
use concord_runtime::events::Event;
use concord_runtime::handles::{Handle, Local, Scope};

type OfFrame = extern "C" fn(&Env, Jni, Handle, MethodId, u8);
type OfExit = extern "C" fn(&Env, Jni, Handle, MethodId, u8, u64);

/// What a return instruction is about to return: a jvalue's bits, or the object.
fn returned<'s>(th: &Thread, scope: &'s Scope<'_>, m: MethodRef, opcode: u8) -> (u64, Option<Local<'s>>) {
    let slots = if matches!(opcode, 173 | 175) { 2 } else { 1 };
    // SAFETY: the operand stack of a return instruction has its value on top, and is in memory while it is reported.
    let bits = unsafe { *th.sp.get().sub(slots) };
    match opcode {
        // SAFETY: areturn returns a reference.
        176 => (0, Some(scope.handle(unsafe { Obj::from_addr(bits as usize) }))),
        _ => (jvalue(m, bits), None),
    }
}

/// The bits of a jvalue for a result of `m` that is no object.
pub(super) fn jvalue(m: MethodRef, bits: u64) -> u64 {
    match m.descriptor.as_bytes().last() {
        Some(b'V') => 0,
        Some(b'Z') => bits & 1,
        Some(b'B') => bits & 0xff,
        Some(b'C' | b'S') => bits & 0xffff,
        Some(b'I' | b'F') => bits & 0xffff_ffff,
        _ => bits,
    }
}

/// The innermost frame is about to end because a tool wants so.
pub fn left_early(th: &Thread, m: MethodRef, bits: u64, object: Option<Handle>) {
    tell_left(th, m, 0, || match object {
        // SAFETY: a local handle of this thread.
        Some(h) => th.new_handle(unsafe { concord_runtime::handles::resolve(h) }) as u64,
        None => bits,
    });
}

/// The innermost frame is about to end: by that return instruction, or by an exception.
pub(super) fn left(th: &Thread, m: MethodRef, by_return: Option<u8>) {
    let scope = Scope::new(th);
    let exits = concord_runtime::events::wanted(Event::MethodExit);
    let (bits, object) = match by_return {
        Some(opcode) if exits => returned(th, &scope, m, opcode),
        _ => (0, None),
    };
    let by = u8::from(by_return.is_none());
    tell_left(th, m, by, || object.map_or(bits, |o| th.new_handle(o.get()) as u64));
}

/// Tells of the end of the innermost frame; `value` is what it returns, for each agent anew.
fn tell_left(th: &Thread, m: MethodRef, by: u8, value: impl Fn() -> u64) {
    let wanted = concord_runtime::events::wanted;
    if wanted(Event::MethodExit) {
        each(th, Event::MethodExit, |e, f| function!(OfExit, f)(e, th, current(th), MethodId::of(m), by, value()));
    }
    if wanted(Event::FramePop) {
        let key = (th.id.get(), th.fp.get() as usize);
        for e in all() {
            let asked = {
                let mut pops = e.frame_pops.lock().expect("frame pops");
                let n = pops.len();
                pops.retain(|p| *p != key);
                pops.len() < n
            };
            if asked && let Some(f) = e.callback(Event::FramePop as u32, Some(th)) {
                outside(th, || function!(OfFrame, f)(e, th, current(th), MethodId::of(m), by));
            }
        }
    }
}
