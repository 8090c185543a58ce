//! PopFrame and ForceEarlyReturn.
//!
//! Invariant: a request stands for one frame of one thread, which is between two instructions of the interpreter and may
//! not run: suspended, or the caller itself inside an event. The thread finds it by `poll::FORCED` before its next
//! instruction, and takes it if that frame is still the innermost.
use super::environment::{Env, all};
use super::stack::at_stop;
use super::{Answer, error, in_vm};
use crate::env::{InVm, Ref};
use concord_base::Symbol;
use concord_classfile::opcodes::op;
use concord_contract::entries::Forced;
use concord_contract::frame::Frame;
use concord_contract::thread::poll;
use concord_contract::{BasicType, ClassRef, MethodRef, Obj, Thread};
use concord_runtime::handles::{self, Handle};
use concord_runtime::info::ClassExt;
use concord_runtime::{stackwalk, threads};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Pop,
    /// Raw bits of a slot.
    Bits(u64),
    /// A global handle, 0 for null.
    Object(usize),
}

struct Request {
    thread: u64,
    fp: usize,
    what: What,
}
static REQUESTS: Mutex<Vec<Request>> = Mutex::new(Vec::new());

/// How long a thread that was suspended a moment ago is waited for: it may be on its way to where it stops.
const TRIES: u32 = 200;

/// Puts a request down for the innermost frame of a thread; `what` says what, if its method can take it.
fn request(vm: &InVm<'_>, thread: Ref, pops: bool, what: impl Fn(MethodRef) -> Answer<What>) -> Answer {
    for _ in 0..TRIES {
        let waits = at_stop(vm, thread, |t| put_down(vm.th, t, pops, &what))?;
        if !waits {
            return Ok(());
        }
        concord_runtime::blocking(vm.th, || std::thread::sleep(Duration::from_millis(1)));
    }
    Err(error::OPAQUE_FRAME)
}

/// Whether a frame has called by `MethodHandle.linkTo...`: the call's last argument, which says whom, is gone with it.
fn links(m: MethodRef, f: &Frame) -> bool {
    let bci = usize::from(stackwalk::bci_of(m, f));
    let [op::INVOKESTATIC, high, low, ..] = m.bytecode[bci..] else { return false };
    let (class, member) = m.class.info().constants().member(u16::from_be_bytes([high, low]));
    class == b"java/lang/invoke/MethodHandle" && member.name.starts_with(b"linkTo")
}

/// True if the thread is not yet where something can be forced on it. It stands still.
fn put_down(me: &Thread, t: &Thread, pops: bool, what: &dyn Fn(MethodRef) -> Answer<What>) -> Answer<bool> {
    let own = std::ptr::eq(me, t);
    let suspended = t.poll.load(Ordering::Acquire) & poll::SUSPEND != 0;
    if !suspended && !own {
        return Err(error::THREAD_NOT_SUSPENDED);
    }
    let id = t.id.get();
    let mut all = REQUESTS.lock().expect("forced frames");
    if all.iter().any(|r| r.thread == id) {
        // A second one before the thread has run.
        return Err(error::INTERNAL);
    }
    let frame = Frame::innermost(t).ok_or(error::NO_MORE_FRAMES)?;
    let caller = frame.caller();
    // A native method's frame is an entry frame's neighbour, or its own.
    let m = frame.method().filter(|m| !m.is_native() && !frame.is_compiled()).ok_or(error::OPAQUE_FRAME)?;
    if pops {
        let Some(caller) = caller else { return Err(error::NO_MORE_FRAMES) };
        let again = caller.method().filter(|c| !c.is_native() && !caller.is_compiled() && !links(c, &caller));
        if again.is_none() {
            return Err(error::OPAQUE_FRAME);
        }
    }
    let what = what(m)?;
    if !threads::info(t).forcible.load(Ordering::Acquire) {
        return Ok(true);
    }
    all.push(Request { thread: id, fp: frame.fp as usize, what });
    concord_safepoint::set_poll(t, poll::FORCED);
    Ok(false)
}

/// What the thread, which is about to run, has to do. Frames that are popped tell nobody.
pub fn take(th: &Thread) -> Forced {
    let (id, fp) = (th.id.get(), th.fp.get() as usize);
    let found = {
        let mut all = REQUESTS.lock().expect("forced frames");
        all.iter().position(|r| r.thread == id).map(|i| all.swap_remove(i))
    };
    let Some(r) = found else { return Forced::Nothing };
    let object = match r.what {
        What::Object(h) => {
            let global = h as Handle;
            // SAFETY: a global handle of this room, or null.
            let o = if global.is_null() { Obj::NULL } else { unsafe { handles::resolve(global) } };
            // SAFETY: made for this request alone, which is over.
            unsafe { handles::delete_global(global) };
            Some(th.new_handle(o))
        }
        _ => None,
    };
    let method = Frame::innermost(th).and_then(|f| f.method());
    let (true, Some(m)) = (r.fp == fp, method) else { return Forced::Nothing };
    match r.what {
        What::Pop => {
            all().iter().for_each(|e| e.frame_pops.lock().expect("frame pops").retain(|p| *p != (id, fp)));
            Forced::Pop
        }
        What::Bits(bits) => {
            super::events::left_early(th, m, bits, None);
            Forced::Return(bits)
        }
        What::Object(_) => {
            let slot = object.unwrap_or(std::ptr::null_mut());
            super::events::left_early(th, m, 0, object);
            Forced::Return(slot as u64)
        }
    }
}

pub extern "C" fn pop_frame(_e: &Env, thread: Ref) -> i32 {
    in_vm(|vm| {
        if thread.is_null() {
            return Err(error::INVALID_THREAD);
        }
        request(vm, thread, true, |_| Ok(What::Pop))
    })
}

/// An early return of a value of one of these types.
fn early(thread: Ref, types: &[BasicType], bits: impl Fn(BasicType) -> u64) -> i32 {
    in_vm(|vm| {
        // What the frame returns decides how many bits count.
        request(vm, thread, false, |m| {
            if types.contains(&m.ret) { Ok(What::Bits(bits(m.ret))) } else { Err(error::TYPE_MISMATCH) }
        })
    })
}

pub extern "C" fn return_int(_e: &Env, thread: Ref, v: i32) -> i32 {
    use BasicType::{Boolean, Byte, Char, Int, Short};
    early(thread, &[Boolean, Byte, Char, Short, Int], |ty| {
        let v = match ty {
            Boolean => v & 1,
            Byte => i32::from(v as i8),
            Char => i32::from(v as u16),
            Short => i32::from(v as i16),
            _ => v,
        };
        u64::from(v as u32)
    })
}
pub extern "C" fn return_long(_e: &Env, thread: Ref, v: i64) -> i32 {
    early(thread, &[BasicType::Long], |_| v as u64)
}
pub extern "C" fn return_float(_e: &Env, thread: Ref, v: f32) -> i32 {
    early(thread, &[BasicType::Float], |_| u64::from(v.to_bits()))
}
pub extern "C" fn return_double(_e: &Env, thread: Ref, v: f64) -> i32 {
    early(thread, &[BasicType::Double], |_| v.to_bits())
}
pub extern "C" fn return_void(_e: &Env, thread: Ref) -> i32 {
    early(thread, &[BasicType::Void], |_| 0)
}
/// Whether `class` has a type of that name, as far as names tell: the method's loader need not have seen it.
fn is_assignable(class: ClassRef, name: Symbol) -> bool {
    let named = |c: &ClassRef| c.name == name;
    let interfaces = class.interfaces_all.get().into_iter().flatten();
    let element =
        |c: ClassRef| c.name.as_bytes().strip_prefix(b"[").zip(name.as_bytes().strip_prefix(b"[")).zip(c.component);
    std::iter::successors(Some(class), |c| c.super_class).any(|c| named(&c))
        || interfaces.copied().any(|i| named(&i))
        || element(class).is_some_and(|((_, wanted), component)| is_assignable(component, element_name(wanted)))
}

/// The name of the class that an array's element is of by the rest of the array's name: `La;` is `a`.
fn element_name(rest: &[u8]) -> Symbol {
    Symbol::intern(rest.strip_prefix(b"L").and_then(|t| t.strip_suffix(b";")).unwrap_or(rest))
}
pub extern "C" fn return_object(_e: &Env, thread: Ref, v: Ref) -> i32 {
    in_vm(|vm| {
        let global = handles::new_global(v.get());
        let what = |m: MethodRef| {
            if m.ret != BasicType::Object {
                return Err(error::TYPE_MISMATCH);
            }
            let text = m.descriptor.as_bytes();
            let ty = text.iter().position(|b| *b == b')').map_or(text, |i| &text[i + 1..]);
            let name = ty.strip_prefix(b"L").and_then(|t| t.strip_suffix(b";")).unwrap_or(ty);
            let value = v.get();
            let is = value.is_null() || is_assignable(value.class(), Symbol::intern(name));
            if is { Ok(What::Object(global as usize)) } else { Err(error::TYPE_MISMATCH) }
        };
        let done = request(vm, thread, false, what);
        if done.is_err() {
            // SAFETY: made above; no request has it.
            unsafe { handles::delete_global(global) };
        }
        done
    })
}
