//! The monitor of which a thread tells tools: that it waits to enter it, or that it has entered it.
//!
//! Invariant: while it tells the one, the thread counts as blocked and wants the monitor, though it does not sleep
//! yet; while it tells the other, the monitor belongs to the innermost frame, which does not say so before the
//! instruction is done. The record is written by its own thread and read at stops.
use super::{info, status, swap_status};
use crate::handles::{self, Local};
use concord_contract::frame::java_frames;
use concord_contract::{Obj, Thread};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

#[derive(Default)]
pub(crate) struct Contended {
    /// A handle of the monitor's object, or null.
    object: AtomicPtr<u64>,
    entered: AtomicBool,
    /// How many Java frames the thread had; 0 if native code enters, for no frame of Java's.
    frames: AtomicUsize,
}

/// Runs `tell` while the thread `th`, the current one, shows that it waits to enter the monitor of `o`.
pub(crate) fn wanting(th: &Thread, o: &Local<'_>, tell: impl FnOnce()) {
    let before = swap_status(th, status::BLOCKED);
    telling(th, o, 0, false, tell);
    swap_status(th, before);
}
/// The same while it shows that its innermost frame owns the monitor.
pub(crate) fn entered(th: &Thread, o: &Local<'_>, tell: impl FnOnce()) {
    let by_native = java_frames(th).next().is_none_or(|(m, _)| m.is_native() && !m.is_synchronized());
    let frames = if by_native { 0 } else { java_frames(th).count() };
    telling(th, o, frames, true, tell);
}
fn telling(th: &Thread, o: &Local<'_>, frames: usize, entered: bool, tell: impl FnOnce()) {
    let c = &info(th).contended;
    // An agent's function may itself come to a monitor that others own.
    let outer = (
        c.frames.swap(frames, Ordering::Relaxed),
        c.entered.swap(entered, Ordering::Relaxed),
        c.object.swap(o.raw(), Ordering::Release),
    );
    tell();
    c.frames.store(outer.0, Ordering::Relaxed);
    c.entered.store(outer.1, Ordering::Relaxed);
    c.object.store(outer.2, Ordering::Release);
}

impl Contended {
    /// The object of which the thread tells, if that it has entered is what it tells, or not.
    fn object(&self, entered: bool) -> Option<Obj> {
        let handle = self.object.load(Ordering::Acquire);
        if handle.is_null() || self.entered.load(Ordering::Relaxed) != entered {
            return None;
        }
        // SAFETY: the handle's scope is open until `telling` has taken it back, and the thread stands still.
        Some(unsafe { handles::resolve(handle) })
    }
    /// The monitor that the thread, which stands still, tells tools it wants.
    pub(super) fn wanted(&self) -> Option<Obj> {
        self.object(false)
    }
    /// The one that it tells them it has entered, and which of its `frames` Java frames it is for.
    pub(super) fn owned(&self, frames: usize) -> Option<(Obj, i32)> {
        let then = self.frames.load(Ordering::Relaxed);
        self.object(true).filter(|_| then != 0).map(|o| (o, frames.saturating_sub(then) as i32))
    }
}
