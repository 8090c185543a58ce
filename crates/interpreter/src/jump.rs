//! How one handler reaches the next: a sibling call, or, with the feature `trampoline`, a return to
//! a driver loop.
//!
//! Invariant: [`jump`] is the last thing that a handler or entry does, and [`drive`] returns when
//! the code that it entered leaves through `exit`. Sibling calls need an optimised build without
//! debug assertions; the trampoline works in every build, for sanitizers and debuggers, at a third
//! of the speed.
use crate::dispatch::Handler;
use concord_contract::Thread;

#[cfg(not(feature = "trampoline"))]
mod how {
    use super::*;
    /// Continues in `h`.
    ///
    /// # Safety
    /// The registers are what `h` asks for.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub unsafe fn jump(
        h: Handler,
        th: *const Thread,
        pc: *const u32,
        sp: *mut u64,
        lp: *mut u64,
        fp: *mut u64,
        tos: u64,
        ftos: f64,
    ) {
        // SAFETY: by the caller's word.
        unsafe { h(th, pc, sp, lp, fp, tos, ftos) }
    }
    /// Runs until the entered code exits.
    ///
    /// # Safety
    /// As `jump`.
    pub unsafe fn drive(h: Handler, th: *const Thread, pc: *const u32, sp: *mut u64, fp: *mut u64, tos: u64) {
        // SAFETY: by the caller's word.
        unsafe { h(th, pc, sp, fp, fp, tos, 0.0) }
    }
}

#[cfg(feature = "trampoline")]
mod how {
    use super::*;
    use std::cell::Cell;

    type State = (Handler, *const Thread, *const u32, *mut u64, *mut u64, *mut u64, u64, f64);
    thread_local! {
        /// What the innermost driver of this thread runs next.
        static NEXT: Cell<Option<State>> = const { Cell::new(None) };
    }
    /// Continues in `h`, once the caller has returned to the driver.
    ///
    /// # Safety
    /// The registers are what `h` asks for.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub unsafe fn jump(
        h: Handler,
        th: *const Thread,
        pc: *const u32,
        sp: *mut u64,
        lp: *mut u64,
        fp: *mut u64,
        tos: u64,
        ftos: f64,
    ) {
        NEXT.set(Some((h, th, pc, sp, lp, fp, tos, ftos)))
    }
    /// Runs until the entered code exits. Drivers nest: one takes its state before it runs it.
    ///
    /// # Safety
    /// As `jump`.
    pub unsafe fn drive(h: Handler, th: *const Thread, pc: *const u32, sp: *mut u64, fp: *mut u64, tos: u64) {
        let mut next = Some((h, th, pc, sp, fp, fp, tos, 0.0));
        while let Some((h, th, pc, sp, lp, fp, tos, ftos)) = next {
            // SAFETY: by the word of whoever called `jump`.
            unsafe { h(th, pc, sp, lp, fp, tos, ftos) }
            next = NEXT.take();
        }
    }
}

pub use how::{drive, jump};
