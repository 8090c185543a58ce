//! Leaving the innermost frame otherwise than by a handler.
//!
//! Invariant: when the frame goes its monitors have been given back, and the anchors are its caller's:
//! behind the call with the result in place, or at the call with its arguments.
use super::activation::{Activation, set_anchors};
use super::locks;
use crate::ops::call::{CALL_HANDLE, CALL_ON_HANDLE};
use concord_contract::entries::{self, Forced};
use concord_contract::frame;
use concord_contract::method::{CallSite, MethodRef};
use concord_contract::thread::poll;
use concord_contract::{JResult, Thread};
use std::sync::atomic::Ordering;

/// Leaves the innermost frame with a result of `slots` slots, as a return instruction does.
///
/// # Safety
/// The frame's monitors are given back.
pub(crate) unsafe fn pop_frame(th: &Thread, result: u64, slots: usize) {
    // SAFETY: the header lies below `fp`; locals are at least as large as the result because the
    // caller's operand stack has room for it.
    unsafe {
        let (fp, lp) = (th.fp.get(), th.lp.get());
        let (pc, clp, cfp) = (*fp.sub(frame::RETURN_PC), *fp.sub(frame::CALLER_LP), *fp.sub(frame::CALLER_FP));
        if slots > 0 {
            *lp = result;
        }
        set_anchors(th, pc as *const u32, lp.add(slots), clp as *mut u64, cfp as *mut u64);
    }
}

/// Does what a tool forces on the innermost frame, between two of its instructions; the anchors are another frame's then.
pub(super) fn obey(f: &Activation) -> JResult<bool> {
    let th = f.0;
    if th.poll.load(Ordering::Acquire) & poll::FORCED == 0 {
        return Ok(false);
    }
    let saved = th.push_handles();
    let done = force(f, entries::forced(th));
    th.pop_handles(saved);
    th.settle_entries();
    done
}

fn force(f: &Activation, what: Forced) -> JResult<bool> {
    let (th, m) = (f.0, f.method());
    if what == Forced::Nothing {
        return Ok(false);
    }
    // Its monitors go, balanced or not: no instruction of the frame runs any more.
    locks::leave_frame(th, m, th.fp.get())?;
    // SAFETY: the monitors are given back; who forced it looked that an interpreted caller is there to call again. A
    // reference stands in the handle that the row made, and nothing collects between here and the caller's stack.
    unsafe {
        match what {
            Forced::Return(v) if m.ret.is_ref() => pop_frame(th, (v as *const u64).as_ref().map_or(0, |o| *o), 1),
            Forced::Return(v) => pop_frame(th, v, m.ret.slots()),
            _ => pop_to_call(th, m),
        }
    }
    Ok(true)
}

/// Leaves the innermost frame for the call that made it, whose arguments are its first locals as they are now.
///
/// # Safety
/// The frame's monitors are given back, and its caller is an interpreter frame.
unsafe fn pop_to_call(th: &Thread, m: MethodRef) {
    // SAFETY: the header lies below `fp`; the word before a return address is the call.
    unsafe {
        let (fp, lp) = (th.fp.get(), th.lp.get());
        let pc = (*fp.sub(frame::RETURN_PC) as *const u32).sub(1);
        set_anchors(th, pc, lp, *fp.sub(frame::CALLER_LP) as *mut u64, *fp.sub(frame::CALLER_FP) as *mut u64);
        let f = Activation(th);
        let (op, operand) = f.instruction();
        // Such a call pushes the appendix itself; operands of others need not name an entry.
        let own = matches!(op as usize, CALL_HANDLE | CALL_ON_HANDLE) && {
            let site = f.entry(operand).a.load(Ordering::Acquire) as *const CallSite;
            !(*site).appendix.is_null()
        };
        th.sp.set(lp.add(m.nargs() - usize::from(own)));
    }
}
