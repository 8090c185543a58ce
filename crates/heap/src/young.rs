//! When there is no room for a young object: which collection makes it.
//!
//! Invariant: one thread at a time decides and collects; who waits for it meanwhile counts as stopped, and tries again first.
//! `-Xmx` bounds the old space and what threads have taken of eden together; only survivors may pass it, and then a
//! collection of the full heap is next.
//!
//! A young collection is the stop of the thread that needs room, which copies what lives itself. One of the full
//! heap is the collector's, where the old space may have no room for what the young one copies.
use crate::binding::{collector, has_workers, heap};
use crate::collection::{self, Cause};
use crate::in_place::{self, gaps};
use crate::{eden, evacuation, gc_log, nursery, references};
use concord_base::bug;
use concord_contract::Thread;
use concord_safepoint::Stopped;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

/// Full collections that go on with what others began, before the heap counts as full.
const STEPS: usize = 24;

static COLLECTING: Mutex<()> = Mutex::new(());
/// Whether the heap was full at the last collection that was to make room.
static RESERVE_OPEN: AtomicBool = AtomicBool::new(false);

/// Waits for a collection that another thread is about to make. Everybody who waits counts as stopped, the one who has the
/// lock stops the world or waits for the collector, which does.
fn lock() -> MutexGuard<'static, ()> {
    match concord_safepoint::blocked(|| COLLECTING.lock()) {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it collected"),
    }
}

/// What became of the room for an object.
pub enum Room {
    /// There was a collection, by this thread or by another one.
    Perhaps,
    /// No collection can be now.
    NoCollection,
    /// The heap is full.
    None,
}

/// Makes room for `size` bytes in eden; `th` is the calling thread, its context is recorded.
#[cold]
#[inline(never)]
pub fn make_room(th: &Thread, size: usize) -> Room {
    if !has_workers() || !collector().is_collection_enabled() {
        return Room::NoCollection;
    }
    let seen = collection::collections();
    let _one = lock();
    if collection::collections() != seen {
        return Room::Perhaps;
    }
    // The one that was recorded while this thread waited names what it has left since.
    concord_safepoint::record_context(th);
    let needed = least() + size.next_multiple_of(eden::CHUNK);
    let stays = gc_log::old_pages() + eden::runs::kept();
    let grows = nursery::expected().saturating_sub(gaps::usable());
    let is_due = grows > 0 && in_place::is_due(stays + grows, grows, needed.max(nursery::size()));
    if !is_due && stays + grows + needed <= heap().options.max {
        stop(Cause::Allocation, seen, collection::young);
        return Room::Perhaps;
    }
    if is_due {
        stop(Cause::Allocation, seen, collection::in_place);
        if in_place::judge() && collection::left_room(needed) {
            RESERVE_OPEN.store(false, Relaxed);
            return Room::Perhaps;
        }
        // The stop has used up the one before.
        concord_safepoint::record_context(th);
    }
    collection::full(th, Cause::Allocation);
    if !collection::left_room(needed) {
        references::clear_soft();
        collection::full(th, Cause::Allocation);
    }
    // Each step moves what fits into what the one before has freed.
    for _ in 0..STEPS {
        if collection::left_room(needed) || !evacuation::goes_on() {
            break;
        }
        collection::full(th, Cause::Compaction);
    }
    let full = !collection::left_room(needed);
    RESERVE_OPEN.store(full, Relaxed);
    if full { Room::None } else { Room::Perhaps }
}

/// Bytes that are kept free for those who handle an OutOfMemoryError: only they get them, from the error on until a
/// collection has made room.
pub fn reserve() -> usize {
    if RESERVE_OPEN.load(Relaxed) { 0 } else { least() / 2 }
}

/// A collection on the thread that stops the world for it.
pub type How = fn(&Stopped, Cause);

/// Collects, unless another thread does.
pub fn collect(cause: Cause, how: How) {
    let seen = collection::collections();
    let _one = lock();
    stop(cause, seen, how);
}

/// Collects eden, and runs `then` in the same stop.
pub fn collect_then<R>(cause: Cause, then: impl FnOnce(&Stopped) -> R) -> R {
    let _one = lock();
    concord_safepoint::stop_the_world("Relayout", |stopped| {
        collection::young(stopped, cause);
        then(stopped)
    })
}

/// Stops the world and collects, unless there has been a collection since `seen`.
fn stop(cause: Cause, seen: u64, how: How) {
    concord_safepoint::stop_the_world("GenCollectForAllocation", |stopped| {
        if collection::collections() == seen {
            how(stopped, cause);
        }
    });
}

/// With less room than this a program does nothing but collect.
fn least() -> usize {
    let options = &heap().options;
    (options.max / 64).clamp(2 * eden::CHUNK, options.nursery_bytes().max(2 * eden::CHUNK))
}
