//! The slow way back from compiled code to the interpreter, and the watermark.
//!
//! Invariant: `invalid_mark` is rsp of the thread's innermost frame of invalid code, or the largest
//! number; `watermark` equals it unless an exception is pending in compiled code or rebuilt frames
//! are about to be entered, when it is 0. Frames of the VM always see it equal.
use concord_contract::frame::{self, innermost_invalid, saved};
use concord_contract::{Method, Thread};
use concord_interpreter::slow::set_anchors;
use concord_interpreter::unwind::unwind;
use std::sync::atomic::Ordering;

/// Gives the watermark its resting value, now that all frames below `sp` are gone; `anchor` and
/// `fp` are from where the thread's remaining frames are walked.
pub fn settle_watermark(th: &Thread, sp: usize, anchor: usize, fp: *mut u64) {
    let mut mark = th.invalid_mark.load(Ordering::Relaxed);
    if mark <= sp {
        mark = innermost_invalid(anchor, fp);
        th.invalid_mark.store(mark, Ordering::Relaxed);
    }
    th.watermark.store(mark, Ordering::Relaxed);
}

/// Compiled code returned to its adapter below the watermark: leaves the anchors where the
/// interpreter goes on. `words` are what the adapter saved, the rest is the result.
///
/// # Safety
/// Called by adapters only.
pub unsafe extern "sysv64" fn after_compiled(th: &Thread, words: *const usize, int: u64, float: u64, replaced: bool) {
    // SAFETY: an adapter's words describe the interpreter's frame at its call.
    unsafe {
        let m = &*(*words.add(saved::METHOD) as *const Method);
        let (fp, lp) = (*words.add(saved::FP) as *mut u64, *words.add(saved::LP) as *mut u64);
        let (sp, pc) = (*words.add(saved::SP) as *mut u64, *words.add(saved::PC) as *const u32);
        th.anchor_sp.set(0);
        settle_watermark(th, words as usize, 0, fp);
        if th.rebuilt.replace(false) {
            return;
        }
        // Where the caller's call was, and what it had on its stack.
        let (pc, sp, lp, fp) = if replaced {
            (
                *fp.sub(frame::RETURN_PC) as *const u32,
                lp,
                *fp.sub(frame::CALLER_LP) as *mut u64,
                *fp.sub(frame::CALLER_FP) as *mut u64,
            )
        } else {
            (pc, sp.sub(m.nargs()), lp, fp)
        };
        if th.has_exception() {
            set_anchors(th, pc.sub(1), sp, lp, fp);
            unwind(th);
            return;
        }
        // The mark was that of a frame that had returned by itself.
        use concord_contract::BasicType::*;
        let result = match m.ret {
            Float => float & 0xffff_ffff,
            Double => float,
            Long | Object | Void => int,
            _ => int & 0xffff_ffff,
        };
        let slots = m.ret.slots();
        if slots > 0 {
            *sp = result;
        }
        set_anchors(th, pc, sp.add(slots), lp, fp);
    }
}
