//! What the collector asks of the rooms above.
//!
//! Invariant: the provider is set once, before the collector's threads start; all of its functions
//! but `publish_monitor` are called while the world is stopped (`gc_finished` and
//! `enqueue_pending` included), on collector threads or by the thread that makes a young collection, so none of
//! them may allocate in the heap, block on a lock that a stopped thread, or that one, can hold, or poll.
use concord_contract::thread::HANDLE_SLOTS;
use concord_contract::{Class, Obj, Thread};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Offsets of the fields of java.lang.ref.Reference that the collector works on. `referent` and
/// `discovered` are in no reference map of a class with layout kind `Reference`; `next` and `queue`
/// are ordinary fields.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceLayout {
    pub referent: usize,
    pub next: usize,
    pub discovered: usize,
    /// SoftReference.timestamp, a long in milliseconds.
    pub timestamp: usize,
}

/// The strength of a class of references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceKind {
    Soft,
    Weak,
    Final,
    Phantom,
}

/// What one collection did.
#[derive(Clone, Copy, Debug)]
pub struct GcInfo {
    /// From 0.
    pub number: u64,
    pub full: bool,
    /// Bytes in use.
    pub before: usize,
    pub after: usize,
    /// Bytes of pages in use when it began.
    pub pages_before: usize,
    pub pause: Duration,
    pub cause: &'static str,
    /// What SoftReference.clock is to hold from now on.
    pub soft_clock: i64,
}

/// The VM's roots and weak tables.
pub trait RootProvider: Sync {
    /// The precise roots of one stopped thread: 64-bit words that hold null, an object's address
    /// or an odd number. The thread block's own (exception, java_thread, async_exception, handles,
    /// lock stack) are reported by the heap room; Java frames and the runtime's per-thread state
    /// are reported here. `words` gets what may be a reference or not: what it names stays where it is.
    fn scan_thread(&self, th: &Thread, slots: &mut dyn FnMut(*mut u64), words: &mut dyn FnMut(usize));
    /// While allocations are watched: `size` bytes at `at` will be an object before `th`, the caller, reaches a
    /// safepoint. Neither allocates nor stops.
    fn allocated(&self, _th: &Thread, _at: usize, _size: usize) {}
    /// The stretches [low, high) of a stopped thread's native stack that `scan_thread` knows
    /// precisely, innermost first: they are not scanned conservatively.
    fn compiled_stretches(&self, _th: &Thread, _each: &mut dyn FnMut(usize, usize)) {}
    /// All other strong roots. In a young collection (`full` false) words that have not changed
    /// since the last collection may be left out, unless they name something that is young still ([`crate::is_young`]).
    fn scan_globals(&self, full: bool, slots: &mut dyn FnMut(*mut u64));
    /// Objects that must neither die nor move in this collection: class statics. In a young collection those that were born
    /// old may be left out ([`crate::alloc_with_layout`]).
    fn pinned(&self, full: bool, objects: &mut dyn FnMut(Obj));
    /// Weak words: `visit` updates the word, or sets it to 0 and returns false if its object is
    /// dead. In a young collection words may be left out as in `scan_globals`.
    fn weak_slots(&self, full: bool, visit: &mut dyn FnMut(*mut u64) -> bool);
    /// A collection begins: `full` of the whole heap, in which classes may be found unreachable.
    fn begin(&self, _full: bool) {}
    /// In a collection of the full heap: off-heap words that an object with layout marks keeps
    /// alive, beside its own slots. The header of `o` has layout `id`.
    fn class_edges(&self, _o: Obj, _id: u32, _slots: &mut dyn FnMut(*mut u64)) {}
    /// Addresses between which [`RootProvider::native_word`] wants to be asked.
    fn native_bounds(&self) -> (usize, usize) {
        (0, 0)
    }
    /// Roots that a word of a native frame stands for, if it is the address of the VM's own data.
    fn native_word(&self, _word: usize, _slots: &mut dyn FnMut(*mut u64)) {}
    /// Everything that can be reached has been; `visit` is as in `weak_slots`. Classes may be
    /// unloaded now; called in collections of the full heap only.
    fn unload(&self, _visit: &mut dyn FnMut(*mut u64) -> bool) {}
    /// None until java.lang.ref.Reference is laid out.
    fn reference_layout(&self) -> Option<ReferenceLayout>;
    /// The strength of a class with layout kind `Reference`.
    fn reference_kind(&self, class: &Class) -> ReferenceKind;
    /// The references that this collection has cleared or found finalizable, linked through
    /// `discovered` from `head` to `tail`, whose `discovered` is null. The runtime appends its
    /// earlier pending list to `tail` (by a plain store, the world is stopped) and wakes the
    /// ReferenceHandler after the stop.
    fn enqueue_pending(&self, head: Obj, tail: Obj);
    /// Clears LOCAL in a lock word that names a monitor record, and in what the record keeps for
    /// it. Called by the thread that publishes the object, or at a stop; must not poll.
    fn publish_monitor(&self, lock_word: &AtomicU32);
    /// Of the objects of these classes nearly all are published. Before a young collection.
    fn mostly_published(&self, _classes: &[concord_contract::ClassRef]) {}
    /// The world stands still for a collection.
    fn gc_started(&self) {}
    /// A collection of the full heap has stopped the world and touched nothing yet, or is over: the heap can be walked.
    fn at_full_collection(&self, _stopped: &concord_safepoint::Stopped, _over: bool) {}
    /// The collection is over; the world is about to run.
    fn gc_finished(&self, info: &GcInfo);
}

static PROVIDER: OnceLock<&'static dyn RootProvider> = OnceLock::new();

/// Sets the provider; once, before [`crate::start_workers`].
pub fn set_root_provider(p: &'static dyn RootProvider) {
    if PROVIDER.set(p).is_err() {
        concord_base::bug!("the root provider is set twice");
    }
}

pub(crate) fn provider() -> &'static dyn RootProvider {
    match PROVIDER.get() {
        Some(p) => *p,
        None => concord_base::bug!("a collection began before the root provider was set"),
    }
}

/// Reports the roots that stand in the thread block itself.
pub(crate) fn scan_thread_block(th: &Thread, slots: &mut dyn FnMut(*mut u64)) {
    slots(th.exception.as_ptr().cast());
    slots(th.java_thread.as_ptr().cast());
    slots(th.async_exception.as_ptr());
    let handles = th.handles.get();
    if !handles.is_null() {
        for i in 0..th.handle_top.get().min(HANDLE_SLOTS) {
            // SAFETY: slots below the top have been written.
            slots(unsafe { handles.add(i) });
        }
    }
    // SAFETY: the thread is stopped, so nobody else uses its lock stack.
    for entry in unsafe { &mut *th.lock_stack.get() }.iter_mut() {
        slots((&raw mut entry.0).cast());
    }
}
