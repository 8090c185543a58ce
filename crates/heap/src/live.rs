//! Bytes of live objects, summed while a full collection marks them.
//!
//! Invariant: each collector thread counts in a block of its own, whose address is the thread's
//! name towards the collector; an object is counted when the collector hands it out for scanning,
//! which it does once per collection. Between collections what is in use is the last sum plus the
//! pages taken since.
use crate::gc_log::used_pages;
use mmtk::util::Address;
use mmtk::util::opaque_pointer::{OpaquePointer, VMThread, VMWorkerThread};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// As many collector threads as there can be.
pub const MAX_WORKERS: usize = 256;

/// One thread's sum, in a cache line of its own.
#[repr(align(64))]
struct Count {
    bytes: AtomicUsize,
    /// The objects that may be links of lists and were scanned last, the newest first; 0 for none.
    links: [AtomicUsize; LINKS],
}
/// Lists that a collector thread can tell apart while it scans their nodes in turns.
pub const LINKS: usize = 4;

static COUNTS: [Count; MAX_WORKERS] =
    [const { Count { bytes: AtomicUsize::new(0), links: [const { AtomicUsize::new(0) }; LINKS] } }; MAX_WORKERS];
/// Live bytes at the end of the last full collection; 0 before the first.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Bytes of pages in use at that time.
static PAGES: AtomicUsize = AtomicUsize::new(0);

/// The name of collector thread `number`.
pub fn worker(number: usize) -> VMWorkerThread {
    match COUNTS.get(number) {
        Some(c) => VMWorkerThread(VMThread(OpaquePointer::from_address(Address::from_ref(c)))),
        None => concord_base::bug!("more than {MAX_WORKERS} collector threads"),
    }
}

/// Whether `address` names a collector thread.
pub fn is_worker(address: usize) -> bool {
    let first = COUNTS.as_ptr() as usize;
    (first..first + size_of_val(&COUNTS)).contains(&address)
}

/// Counts an object of `bytes` that the collector thread `tls` scans.
#[inline(always)]
pub fn add(tls: VMWorkerThread, bytes: usize) {
    // SAFETY: collector threads are named by `worker` only.
    let count = unsafe { &(*tls.0.0.to_address().to_ptr::<Count>()).bytes };
    // One writer: no read-modify-write is needed.
    count.store(count.load(Relaxed) + bytes, Relaxed);
}

/// Notes that the collector thread `tls` scans `object`, a link of a list perhaps; those before it.
#[inline(always)]
pub fn next_link(tls: VMWorkerThread, object: usize) -> [usize; LINKS] {
    // SAFETY: collector threads are named by `worker` only.
    let links = unsafe { &(*tls.0.0.to_address().to_ptr::<Count>()).links };
    let before = [0, 1, 2, 3].map(|i: usize| links[i].load(Relaxed));
    links[0].store(object, Relaxed);
    (1..LINKS).for_each(|i| links[i].store(before[i - 1], Relaxed));
    before
}

/// A collection begins: forgets the sums.
pub fn begin() {
    for c in &COUNTS {
        c.bytes.store(0, Relaxed);
        c.links.iter().for_each(|l| l.store(0, Relaxed));
    }
}

/// A full collection has ended.
pub fn end_full() {
    PAGES.store(used_pages(), Relaxed);
    LIVE.store(COUNTS.iter().map(|c| c.bytes.load(Relaxed)).sum(), Relaxed);
}

/// Bytes that the last full collection found alive.
pub fn marked() -> usize {
    LIVE.load(Relaxed)
}

/// Bytes in use: live at the last full collection, and the pages taken since.
pub fn used() -> usize {
    let pages = used_pages();
    match LIVE.load(Relaxed) {
        0 => pages,
        live => (live + pages.saturating_sub(PAGES.load(Relaxed))).min(pages),
    }
}
