//! Addresses of large objects: what the collector takes in pieces becomes one piece again.
//!
//! Invariant: every boundary between two growths of the large-object space, below the end of the last one,
//! can be joined over: neighbours that are free become one free range, whichever growth they came from.
//!
//! The collector grows that space by as many chunks of 4 MB as the object at hand needs, and keeps the ends
//! of each growth apart for ever. Where no growth is large enough for the next object it grows again, though all
//! may be free: arrays of ever other lengths use up the space's addresses, and the collector ends the process.
//! Its contiguous layouts need no such ends, as chunks never go back to another space. So their marks are taken
//! off. In the discontiguous layout, for heaps above 4 GiB, chunks do go back, and nothing is done here.
//!
//! The list lies at the start of the space: two words per page (a unit; unit `u` has words `2 (u + 1)` and the one
//! behind it, the list's head is unit -1). The first has bit 30 for a unit that is kept apart. The second has the
//! next free range in its low 30 bits, and bit 31 if the range is longer than a unit: then the second word of the
//! next unit has the length.
use crate::binding::heap;
use crate::conservative;
use concord_base::bug;
use concord_contract::layout::object_size;
use mmtk::util::heap::vm_layout::LOG_BYTES_IN_CHUNK;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

const CHUNK: usize = 1 << LOG_BYTES_IN_CHUNK;
const UNITS_IN_CHUNK: usize = CHUNK >> 12;
/// The collector's number of the large-object space in the contiguous layouts.
const SPACE: usize = 3;
/// Low bits of the second word: the next free range, or a length.
const NUMBER: u32 = (1 << 30) - 1;
/// The range is longer than a unit.
const LONG: u32 = 1 << 31;
/// The mark that keeps a unit apart from the free units in front of it.
const APART: u32 = 1 << 30;

/// The chunk of the first large object: unit 0.
static FIRST: AtomicUsize = AtomicUsize::new(usize::MAX);
/// The end of the last growth.
static END: AtomicUsize = AtomicUsize::new(0);
/// Boundaries below it are joined.
static JOINED: AtomicUsize = AtomicUsize::new(0);

/// Addresses of all large objects, and the sum of their bytes; some may be dead.
static ALL: Mutex<(Vec<usize>, usize)> = Mutex::new((Vec::new(), 0));

fn all() -> std::sync::MutexGuard<'static, (Vec<usize>, usize)> {
    match ALL.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it noted a large object"),
    }
}

/// Bytes of all large objects, those included that have died since the collector's last collection.
pub fn bytes() -> usize {
    all().1
}

/// Visits the large objects, those included that have died since then. The world is stopped.
pub fn for_each(f: impl FnMut(usize)) {
    all().0.iter().copied().for_each(f);
}

/// The collector has freed what is dead. The world is stopped.
pub fn freed() {
    let mut all = all();
    let (objects, bytes) = &mut *all;
    // An address may have been another one's before.
    objects.sort_unstable();
    objects.dedup();
    objects.retain(|at| conservative::is_large_object(*at));
    // SAFETY: objects.
    *bytes = objects.iter().map(|at| unsafe { object_size(*at) }).sum();
}

/// Notes that a large object of `size` bytes was made at `at`.
#[inline]
pub fn note(at: usize, size: usize) {
    let mut all = all();
    all.0.push(at);
    all.1 += size;
    drop(all);
    if END.load(Relaxed) < at + size {
        grown(at, size);
    }
}

/// An object behind all others is at the start of a growth of its own, which ends with its last chunk.
#[cold]
fn grown(at: usize, size: usize) {
    FIRST.fetch_min(at & !(CHUNK - 1), Relaxed);
    END.fetch_max((at & !(CHUNK - 1)) + (at % CHUNK + size).next_multiple_of(CHUNK), Relaxed);
}

/// Joins the growths since the last time. The world is stopped, and the collector frees nothing yet.
pub fn join() {
    let (first, end) = (FIRST.load(Relaxed), END.load(Relaxed));
    let Some(extent) = heap().contiguous_extent else { return };
    if JOINED.swap(end, Relaxed) == end {
        return;
    }
    // The end itself stays apart: there is nothing behind it.
    for boundary in (first + CHUNK..end).step_by(CHUNK) {
        let unit = (boundary - first) / CHUNK * UNITS_IN_CHUNK;
        // Its owner touches the list when it allocates and frees, which nobody does now.
        word(extent, 2 * (unit + 1)).fetch_and(!APART, Relaxed);
    }
}

/// A word of the list, of a unit below `END`.
fn word(extent: usize, index: usize) -> &'static AtomicU32 {
    // SAFETY: the list has two words for its head and for each page below `END`, which are mapped for ever.
    unsafe { AtomicU32::from_ptr(((SPACE << extent) as *mut u32).add(index)) }
}

/// Whether the space has addresses for an object of `size` bytes: behind its end, or in a free range. Another
/// thread may take the range first.
pub fn has_room(size: usize) -> bool {
    let (first, end) = (FIRST.load(Relaxed), END.load(Relaxed));
    let Some(extent) = heap().contiguous_extent else { return true };
    let chunks = size.next_multiple_of(CHUNK);
    // The list takes less than a 256th of the space, and one chunk is for what others allocate meanwhile.
    if end == 0 || end + chunks + CHUNK + ((1 << extent) >> 8) <= (SPACE + 1) << extent {
        return true;
    }
    let (pages, units) = (size.div_ceil(1 << 12), (end - first) >> 12);
    let mut unit = word(extent, 1).load(Relaxed) & NUMBER;
    // A list that changes meanwhile may lead in a circle.
    for _ in 0..units {
        let u = unit as usize;
        if u + 1 >= units {
            return false;
        }
        let second = word(extent, 2 * (u + 1) + 1).load(Relaxed);
        let length = if second & LONG == 0 { 1 } else { word(extent, 2 * (u + 2) + 1).load(Relaxed) & NUMBER };
        if length as usize >= pages {
            return true;
        }
        unit = second & NUMBER;
    }
    false
}
