//! Monitors of interpreter frames.
//!
//! Invariant: `Thread::lock_stack` holds exactly the monitors that interpreter frames of the
//! thread own, each with its frame's `fp`, innermost frame last; the first entry of a
//! synchronized method's frame is the method's own. A frame never leaves with entries: returns
//! and unwinding give them back, and report unbalanced use as JVMS 2.11.10 demands.
use super::{Activation, pop_frame};
use crate::locks;
use concord_contract::entries::{self, Implicit};
use concord_contract::method::{Method, MethodRef};
use concord_contract::object::Obj;
use concord_contract::{BasicType, JResult, Thread};

type Stack = Vec<(Obj, *mut u64)>;

/// # Safety
/// No other reference to the lock stack is alive, and none is kept across a runtime call.
#[allow(clippy::mut_from_ref)]
unsafe fn stack(th: &Thread) -> &mut Stack {
    // SAFETY: the stack is written by its own thread only; the caller keeps the reference short.
    unsafe { &mut *th.lock_stack.get() }
}

/// Records a monitor that the frame `fp` now owns.
fn record(th: &Thread, o: Obj, fp: *mut u64) {
    // SAFETY: the reference ends with this statement.
    unsafe { stack(th) }.push((o, fp))
}

pub(super) fn monitor_enter(f: &Activation) -> JResult<()> {
    let o = f.peek_ref(1);
    if o.is_null() {
        return f.throw(Implicit::NullPointer);
    }
    entries::monitor_enter(f.0, o)?;
    // Entering may have blocked through a collection: the operand is the current address.
    record(f.0, f.peek_ref(1), f.0.fp.get());
    f.drop(1);
    f.advance(1);
    Ok(())
}

pub(super) fn monitor_exit(f: &Activation) -> JResult<()> {
    let (o, fp) = (f.peek_ref(1), f.0.fp.get());
    if o.is_null() {
        return f.throw(Implicit::NullPointer);
    }
    // SAFETY: the reference ends before the runtime is called.
    let found = unsafe {
        let s = stack(f.0);
        // Monitors are given back in reverse order, nearly always.
        s.pop_if(|e| e.1 == fp && e.0 == o).is_some()
            || s.iter().rposition(|e| e.1 == fp && e.0 == o).map(|i| s.remove(i)).is_some()
    };
    if !found {
        return f.throw(Implicit::IllegalMonitorState);
    }
    f.drop(1);
    f.advance(1);
    entries::monitor_exit(f.0, o)
}

/// The object that a synchronized method locks.
fn method_monitor(m: MethodRef, lp: *const u64) -> Obj {
    // SAFETY: the method's frame has been pushed over its arguments.
    unsafe { Obj::from_addr(locks::of_method(m, lp) as usize) }
}

/// Locks a synchronized method's monitor; its frame is pushed and is the innermost.
pub fn enter_method(th: &Thread, m: &'static Method) -> JResult<()> {
    entries::monitor_enter(th, method_monitor(m, th.lp.get()))?;
    record(th, method_monitor(m, th.lp.get()), th.fp.get());
    Ok(())
}

/// Gives back the monitors of the frame `fp`. True if they were those that a balanced execution of
/// `m` has at its end.
pub fn leave_frame(th: &Thread, m: &Method, fp: *mut u64) -> JResult<bool> {
    let mut n = 0;
    loop {
        // SAFETY: the reference ends before the runtime is called.
        let top = unsafe { stack(th) }.pop_if(|e| e.1 == fp);
        let Some((o, _)) = top else { break };
        n += 1;
        entries::monitor_exit(th, o)?;
    }
    Ok(n == m.is_synchronized() as usize)
}

/// A return of a method that is synchronized or has monitor instructions.
pub(super) fn return_locked(f: &Activation) -> JResult<()> {
    let (th, m) = (f.0, f.method());
    let slots = m.ret.slots();
    // A reference result stays on the operand stack, a root, while monitors are given back.
    if !leave_frame(th, m, th.fp.get())? {
        return f.throw(Implicit::IllegalMonitorState);
    }
    let v = if slots == 0 { 0 } else { narrow(m.ret, f.peek(slots)) };
    // SAFETY: the frame has no monitors left.
    unsafe { pop_frame(th, v, slots) };
    Ok(())
}

/// An int result as the method's return type has it.
pub fn narrow(ty: BasicType, v: u64) -> u64 {
    let i = v as u32 as i32;
    match ty {
        BasicType::Boolean => v & 1,
        BasicType::Byte => i as i8 as i32 as u32 as u64,
        BasicType::Char => v & 0xffff,
        BasicType::Short => i as i16 as i32 as u32 as u64,
        BasicType::Int | BasicType::Float => v & 0xffff_ffff,
        _ => v,
    }
}
