//! Looking at the Java stack: traces of exceptions, callers, access-control contexts, other
//! threads, StackWalker.
//!
//! Invariant: a walk sees the frames of its own thread, or of threads at a stop, from the
//! innermost outwards; what it keeps of them are methods and bytecode indices, which never move.
//!
//! | module | what |
//! |---|---|
//! | `backtrace` | Throwable.fillInStackTrace and StackTraceElement |
//! | `callers` | getCallerClass, class contexts, access control, scoped memory |
//! | `npe` | helpful messages of NullPointerException |
//! | `walker` | java.lang.StackWalker |
mod backtrace;
mod callers;
pub mod npe;
mod walker;

pub use backtrace::{
    element_of, elements_of, fill_in_stack_trace, fill_preallocated, fill_stack_trace_elements, show_hidden_frames,
    stack_of, stack_trace_text,
};
pub use callers::{
    caller_class, class_context, close_scope, latest_user_loader, security_frames, stack_access_context,
};

pub use walker::{element_of_info, more as more_frames, walk};

use crate::handles::Scope;
use concord_contract::class::flags;
use concord_contract::entries::engine;
use concord_contract::frame::{Frame, java_frames};
use concord_contract::{MethodRef, Thread};
use std::collections::HashSet;

/// One frame, as it is kept: no longer than the frame stands, or its class is kept alive otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub method: MethodRef,
    /// Byte offset of the instruction; 0 for natives.
    pub bci: u16,
}

/// Keeps the classes of another thread's frames for as long as `scope` stands: a collection does not see
/// who is in a list. `kept` has those that need no other handle. At the stop that found the frames.
pub fn keep_classes(scope: &Scope<'_>, kept: &mut HashSet<usize>, sites: &[Site]) {
    for class in sites.iter().map(|s| s.method.class).filter(|c| c.has_flag(flags::UNLOADABLE)) {
        if kept.insert(std::ptr::from_ref(class) as usize) {
            scope.handle(class.mirror.get());
        }
    }
}

/// The bytecode index at which `f` stands.
pub fn bci_of(m: MethodRef, f: &Frame) -> u16 {
    match f.compiled_bci() {
        Some(bci) => bci,
        None if m.bytecode.is_empty() => 0,
        None => engine().bci_at(m, f.instruction()),
    }
}

/// The Java frames of `th`, innermost first; `th` is the caller or stopped.
pub fn sites(th: &Thread) -> impl Iterator<Item = Site> {
    java_frames(th).map(|(method, f)| Site { method, bci: bci_of(method, &f) })
}
