//! OutOfMemoryErrors: what is thrown when nothing can be allocated.
//!
//! Invariant: throwing one takes nothing from the heap. The first [`TRACED`] errors of a VM are
//! objects of their own with room for a stack trace; later ones are shared, one per message, and
//! have no trace. None is ever constructed, so that `cause` and `suppressedExceptions` are null:
//! nothing can be attached to an error that other threads throw, too.
use crate::events::{self, Event, Exhausted};
use crate::stackwalk;
use crate::{arrays, exceptions, init, known};
use concord_base::bug;
use concord_contract::class::Root;
use concord_contract::{BasicType, JResult, Obj, Thread};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Errors with a stack trace; as many as HotSpot shows (it makes four and takes two at a time).
const TRACED: usize = 2;
/// Frames for which such an error has room.
const FRAMES: usize = 32;

const HEAP_SPACE: &str = "Java heap space";
/// Compiled code is left, and objects that it did without cannot be made.
pub const VIRTUAL_OBJECTS: &str = "Java heap space: failed reallocation of scalar replaced objects";
static SHARED: [(Root, &str); 5] = [
    (Root::new(), HEAP_SPACE),
    (Root::new(), "Requested array size exceeds VM limit"),
    (Root::new(), "Metaspace"),
    (Root::new(), "GC overhead limit exceeded"),
    (Root::new(), VIRTUAL_OBJECTS),
];
static WITH_TRACE: [Root; TRACED] = [const { Root::new() }; TRACED];
static NEXT: AtomicUsize = AtomicUsize::new(0);
static REPORTED: AtomicBool = AtomicBool::new(false);

/// Makes the errors; at boot, when java.lang.Throwable can be initialized.
///
/// # Errors
/// What the initialization throws.
pub fn preallocate(th: &Thread) -> JResult<()> {
    let class = known::classes().out_of_memory_error;
    init::initialize(th, class)?;
    let o = known::offsets();
    for (root, message) in &SHARED {
        root.set(crate::object::new_object(th, class)?);
        let text = crate::strings::new_str(th, message)?;
        concord_heap::store_ref(root.get(), o.throwable_message, text);
    }
    for root in &WITH_TRACE {
        root.set(crate::object::new_object(th, class)?);
        let frames = arrays::new_prim_array(th, BasicType::Long, FRAMES)?;
        concord_heap::store_ref(root.get(), o.throwable_backtrace, frames);
        let unassigned = known::classes().throwable.statics.get().get_ref(o.throwable_unassigned_stack);
        concord_heap::store_ref(root.get(), o.throwable_stack_trace, unassigned);
    }
    Ok(())
}

/// Whether the errors are made.
pub fn is_ready() -> bool {
    WITH_TRACE.last().is_some_and(|r| !r.get().is_null()) || NEXT.load(Ordering::Relaxed) > 0
}

/// Roots of the errors that have not been thrown yet and of the shared ones.
pub fn roots(f: &mut dyn FnMut(*mut u64)) {
    for r in SHARED.iter().map(|(r, _)| r).chain(&WITH_TRACE) {
        if !r.get().is_null() {
            f(r.slot());
        }
    }
}

/// Tells agents of what there is no more of.
#[cold]
pub fn exhausted(th: &Thread, what: Exhausted, message: &str) {
    if let Some(l) = events::listener(Event::ResourceExhausted) {
        l.exhausted(th, what, message);
    }
}
/// Throws an OutOfMemoryError.
#[cold]
pub fn throw<T>(th: &Thread, message: &str) -> JResult<T> {
    report(th, message);
    let what = if message == HEAP_SPACE || message == VIRTUAL_OBJECTS { Exhausted::Heap } else { Exhausted::Other };
    exhausted(th, what, message);
    let Some((shared, _)) = SHARED.iter().find(|(_, m)| *m == message) else {
        // Something else than the heap is short.
        return exceptions::throw(th, "java/lang/OutOfMemoryError", message);
    };
    if shared.get().is_null() {
        bug!("out of memory before the class library is up: {message}");
    }
    th.throw(take(th, shared.get()).unwrap_or(shared.get()))
}

/// An error with a stack trace, while there are any.
fn take(th: &Thread, shared: Obj) -> Option<Obj> {
    let i = NEXT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < TRACED).then_some(n + 1)).ok()?;
    let e = WITH_TRACE[i].get();
    let message = known::offsets().throwable_message;
    concord_heap::store_ref(e, message, shared.get_ref(message));
    stackwalk::fill_preallocated(th, e);
    WITH_TRACE[i].set(Obj::NULL);
    Some(e)
}

/// What the options ask for when memory is short; set by the room that can dump the heap.
static REPORTER: OnceLock<fn(&Thread, &str)> = OnceLock::new();

/// Sets what is done at the first OutOfMemoryError; once, at boot.
pub fn set_reporter(f: fn(&Thread, &str)) {
    if REPORTER.set(f).is_err() {
        bug!("the reporter of OutOfMemoryErrors is set twice");
    }
}

/// Reports the first error of the VM.
fn report(th: &Thread, message: &str) {
    if !REPORTED.swap(true, Ordering::Relaxed)
        && let Some(f) = REPORTER.get()
    {
        f(th, message);
    }
}
