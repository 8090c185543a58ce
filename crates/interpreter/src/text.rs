//! Where the interpreter's machine code is.
//!
//! Invariant: all handlers and entries stand in the sections `interp_text` and `interp_cold`. While an
//! instruction of theirs runs, thread, pc, sp, lp and fp are in registers (see [`crate::dispatch`]),
//! in the cold section perhaps in the thread's anchors instead.
use std::ops::Range;

unsafe extern "C" {
    // The linker's names for the bounds of sections.
    static __start_interp_text: u8;
    static __stop_interp_text: u8;
    static __start_interp_cold: u8;
    static __stop_interp_cold: u8;
}

/// Handlers, and entries of methods.
pub fn hot() -> Range<usize> {
    (&raw const __start_interp_text) as usize..(&raw const __stop_interp_text) as usize
}
/// Their slow ends.
pub fn cold() -> Range<usize> {
    (&raw const __start_interp_cold) as usize..(&raw const __stop_interp_cold) as usize
}
