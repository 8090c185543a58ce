//! The runs of chunks that threads take.
//!
//! Invariant: a chunk belongs to at most one run. Runs are handed out upwards from the first chunk, around those that the
//! last collection kept. From a run's start up to where it is filled lie objects and zero words; what lies behind is
//! nothing.
//!
//! A chunk's entry says what it is: 0 for one that nobody has, the run's length with marks for the first one of a run,
//! for the others how far they are behind it. While threads run each of them writes the entries of its own runs only;
//! who reads them does so at a stop.
use concord_base::bug;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// The chunk is the first one of a run.
const FIRST: u32 = 1 << 31;
/// The run holds objects that a collection could not move.
const KEPT: u32 = 1 << 30;
/// The run's objects have valid-object bits.
const BITS: u32 = 1 << 29;
const LENGTH: u32 = BITS - 1;

struct Table {
    entries: Vec<AtomicU32>,
    /// Of first chunks: the address up to which the run is filled.
    filled: Vec<AtomicUsize>,
    /// The chunk behind all that have been handed out in turn.
    next: AtomicUsize,
    /// The chunk behind the last run that was kept.
    kept_end: AtomicUsize,
    /// The chunk behind all that were ever handed out since memory was given back.
    touched: AtomicUsize,
    /// Bytes handed out since the last collection, and bytes of runs that it kept.
    handed: AtomicUsize,
    kept: AtomicUsize,
}

static TABLE: OnceLock<Table> = OnceLock::new();

fn table() -> &'static Table {
    match TABLE.get() {
        Some(t) => t,
        None => bug!("eden is used before it is set up"),
    }
}

/// Makes the table for so many chunks; once.
pub fn init(chunks: usize) {
    let zero = || AtomicUsize::new(0);
    TABLE.get_or_init(|| Table {
        entries: (0..chunks).map(|_| AtomicU32::new(0)).collect(),
        filled: (0..chunks).map(|_| zero()).collect(),
        next: zero(),
        kept_end: zero(),
        touched: zero(),
        handed: zero(),
        kept: zero(),
    });
}

/// Bytes handed out since the last collection.
pub fn handed() -> usize {
    table().handed.load(Relaxed)
}
/// Bytes of runs that the last collection kept.
pub fn kept() -> usize {
    table().kept.load(Relaxed)
}

/// The first of `n` chunks that follow each other, for the calling thread.
pub fn hand_out(n: usize) -> Option<usize> {
    let t = table();
    let mut next = t.next.load(Relaxed);
    let first = loop {
        let (mut first, mut chunk) = (next, next);
        while chunk < first + n {
            let entry = t.entries.get(chunk)?.load(Relaxed);
            if entry & KEPT != 0 {
                chunk += (entry & LENGTH) as usize;
                first = chunk;
            } else {
                chunk += 1;
            }
        }
        match t.next.compare_exchange_weak(next, chunk, Relaxed, Relaxed) {
            Ok(_) => break first,
            Err(now) => next = now,
        }
    };
    t.handed.fetch_add(n * super::CHUNK, Relaxed);
    t.filled[first].store(super::address_of(first), Relaxed);
    t.entries[first].store(FIRST | n as u32, Relaxed);
    for i in 1..n {
        t.entries[first + i].store(i as u32, Relaxed);
    }
    Some(first)
}

/// The run is filled up to `address` from now on.
#[inline]
pub fn set_filled(run: usize, address: usize) {
    table().filled[run].store(address, Relaxed);
}
/// Where that is kept.
pub fn filled_entry(run: usize) -> *const AtomicUsize {
    &raw const table().filled[run]
}
/// The address up to which the run is filled.
pub fn filled(run: usize) -> usize {
    table().filled[run].load(Relaxed)
}

/// The run of a chunk.
pub fn of(chunk: usize) -> Option<usize> {
    match table().entries[chunk].load(Relaxed) {
        0 => None,
        entry if entry & FIRST != 0 => Some(chunk),
        behind => Some(chunk - behind as usize),
    }
}

/// Visits the runs, upwards.
pub fn for_each(mut f: impl FnMut(usize)) {
    let t = table();
    let end = t.next.load(Relaxed).max(t.kept_end.load(Relaxed));
    let mut chunk = 0;
    while chunk < end {
        let entry = t.entries[chunk].load(Relaxed);
        chunk += if entry & FIRST != 0 {
            f(chunk);
            (entry & LENGTH) as usize
        } else {
            1
        };
    }
}

/// Whether the last collection kept the run.
pub fn is_kept(run: usize) -> bool {
    table().entries[run].load(Relaxed) & KEPT != 0
}
/// How many have been handed out since it.
pub fn count_new() -> usize {
    let mut n = 0;
    for_each(|run| n += usize::from(!is_kept(run)));
    n
}

/// Whether the run's objects have valid-object bits.
pub fn has_bits(run: usize) -> bool {
    table().entries[run].load(Relaxed) & BITS != 0
}
/// They have.
pub fn set_has_bits(run: usize) {
    table().entries[run].fetch_or(BITS, Relaxed);
}

/// A collection ends: keeps the runs for which `keep` says so, and takes all others back. The world is stopped.
pub fn end_collection(mut keep: impl FnMut(usize) -> bool) {
    let t = table();
    let (mut kept, mut kept_end) = (0, 0);
    for_each(|run| {
        let length = (t.entries[run].load(Relaxed) & LENGTH) as usize;
        if keep(run) {
            t.entries[run].store(FIRST | KEPT | BITS | length as u32, Relaxed);
            kept += length * super::CHUNK;
            kept_end = run + length;
        } else {
            t.entries[run..run + length].iter().for_each(|e| e.store(0, Relaxed));
        }
    });
    t.touched.fetch_max(t.next.swap(0, Relaxed), Relaxed);
    t.kept_end.store(kept_end, Relaxed);
    t.kept.store(kept, Relaxed);
    t.handed.store(0, Relaxed);
}

/// Gives the memory of all chunks back that no run has, right after a collection; the number of bytes.
pub fn uncommit() -> usize {
    let t = table();
    let end = t.touched.swap(t.kept_end.load(Relaxed), Relaxed);
    let mut freed = 0;
    let mut chunk = 0;
    while chunk < end {
        let first = chunk;
        while chunk < end && t.entries[chunk].load(Relaxed) == 0 {
            chunk += 1;
        }
        let bytes = (chunk - first) * super::CHUNK;
        // SAFETY: chunks of nobody, the world is stopped.
        if bytes > 0 && unsafe { libc::madvise(super::address_of(first) as *mut _, bytes, libc::MADV_DONTNEED) } == 0 {
            freed += bytes;
        }
        chunk += 1;
    }
    freed
}
