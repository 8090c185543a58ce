//! Bytes of live objects, summed while a full collection marks them.
//!
//! Invariant: an object is counted when the collector hands it out for scanning, which it does once per collection,
//! in the block of the thread that scans it (`worker`), or when it is marked in place. Between collections what is in use is the last sum plus the
//! pages taken since.
use crate::gc_log::used_pages;
use crate::in_place::gaps;
use crate::worker;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Live bytes at the end of the last full collection; 0 before the first.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Live objects at that time.
static OBJECTS: AtomicUsize = AtomicUsize::new(0);
/// Objects that have grown old since.
static GROWN_OLD: AtomicUsize = AtomicUsize::new(0);
/// Bytes of pages in use at that time.
static PAGES: AtomicUsize = AtomicUsize::new(0);

/// A full collection has ended.
pub fn end_full() {
    PAGES.store(used_pages(), Relaxed);
    LIVE.store(worker::all().iter().map(worker::Worker::bytes).sum(), Relaxed);
    GROWN_OLD.store(0, Relaxed);
    OBJECTS.store(worker::all().iter().map(worker::Worker::objects).sum(), Relaxed);
}

/// A collection in place has ended, which found `bytes` bytes of `objects` objects alive.
pub fn end_in_place(bytes: usize, objects: usize) {
    PAGES.store(used_pages(), Relaxed);
    LIVE.store(bytes, Relaxed);
    GROWN_OLD.store(0, Relaxed);
    OBJECTS.store(objects, Relaxed);
}

/// A young collection has made so many objects old.
pub fn grown_old(objects: usize) {
    GROWN_OLD.fetch_add(objects, Relaxed);
}

/// As many objects are old at most, but for those that were born old.
pub fn old_objects() -> usize {
    OBJECTS.load(Relaxed) + GROWN_OLD.load(Relaxed)
}

/// Objects that the last full collection found alive.
pub fn objects() -> usize {
    OBJECTS.load(Relaxed)
}

/// Bytes that the last full collection found alive.
pub fn marked() -> usize {
    LIVE.load(Relaxed)
}

/// Bytes that have come into use since the last full collection, of eden, too.
pub fn grown() -> usize {
    used() - marked().min(used())
}

/// Bytes in use: live at the last full collection, the pages taken since, and what has grown old into gaps.
pub fn used() -> usize {
    let pages = used_pages();
    match LIVE.load(Relaxed) {
        0 => pages,
        live => (live + pages.saturating_sub(PAGES.load(Relaxed)) + gaps::filled()).min(pages),
    }
}
