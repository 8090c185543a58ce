//! Eden: the range of addresses where objects are born, and how threads bump through it.
//!
//! Invariant: what lies between a thread's cursor and its limit is zero, and nobody's. An object is in eden if and only
//! if its address is in the range ([`contains`]); every object there is young, and no object elsewhere is. The bits by which
//! the barrier knows an old object read as 0 for all of eden, so that stores into young objects are not remembered.
//!
//! Eden is none of the collector's spaces: it knows nothing of the range. Threads take runs of chunks ([`runs`]) and
//! make them zero piece by piece, just ahead of the cursor, while the lines are on their way to the cache anyway:
//! ```text
//!  run: | obj | obj | obj | 0 0 0 0 | what the last objects left |
//!       start             cursor    limit                        end
//! ```
//! An object that does not fit into the piece extends it, so there is no gap in a run until its end. A collection
//! copies what lives (`scavenge`) and begins at the first run again; what it may not move stays, with its run.
//!
//! Deliberately absent: when to collect (`young`), and the plan without generations, which has no eden.
pub mod objects;
pub mod runs;

use crate::binding::{heap, heap_thread};
use crate::huge_pages::HugePages;
use crate::options::HeapOptions;
use crate::{live, nursery};
use concord_contract::Thread;
use concord_contract::barrier::UNLOG_TABLE;
use std::mem::offset_of;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Threads take so many bytes, or a multiple.
pub const CHUNK: usize = 32 << 10;
/// What is made zero at once.
const PIECE: usize = 2 << 10;
/// The limit is a multiple of this, or the run's end.
const ROUND: usize = 64;
/// A thread's runs become longer, each twice the one before, up to so many chunks: few hand-outs where few threads
/// allocate much, little that is left over where many do. With eight chunks no two of them have their entries on one line.
const LONGEST_RUN: usize = 8;
/// What is left of longer runs, which large objects have, is at most a chunk.
pub const LONGEST_BUFFER: usize = LONGEST_RUN * CHUNK;
/// Larger objects are born old where collections of the full heap are cheap.
const LARGE: usize = 1 << 20;
/// They are, as long as there are no more objects.
const FEW: usize = 100_000;
/// Addresses that share a page of a table with a bit for each 8 bytes.
const GRAIN: usize = 4096 << 6;

/// The range; of 0 bytes if the plan has no eden. Both are set once, before the first thread attaches.
static BASE: AtomicUsize = AtomicUsize::new(0);
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// One thread's place in eden. The pair comes first: fast paths have its address.
#[repr(C)]
pub struct Buffer {
    /// Cursor and limit. The limit is 0 while fast paths are not to find any room.
    pub pair: [usize; 2],
    /// The limit in any case.
    limit: usize,
    /// The end of the run.
    end: usize,
    /// Where the run's entry is that says how far it is filled; null without a run.
    filled: *const AtomicUsize,
    /// Chunks of the next run, if the objects are small.
    next_run: usize,
}

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer { pair: [0; 2], limit: 0, end: 0, filled: std::ptr::null(), next_run: 1 }
    }
}

impl Buffer {
    fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.pair[1] = if crate::alloc::asks_everywhere() { 0 } else { limit };
    }
}

/// Whether fast paths of the thread find room has changed; `th` is the caller, or stopped.
pub fn show_limit(th: &Thread) {
    // SAFETY: nobody else looks at the thread's state now.
    let b = unsafe { &mut *buffer(th) };
    b.set_limit(b.limit);
}

/// Where in the thread block the pair is.
pub const PAIR_IN_THREAD: usize = offset_of!(Thread, mutator) + offset_of!(crate::binding::HeapThread, eden);

/// What compiled code needs to extend a buffer by itself, as [`extend`] does: offsets in the thread block.
pub mod places {
    use super::{Buffer, PAIR_IN_THREAD};
    use std::mem::offset_of;

    pub const CURSOR: usize = PAIR_IN_THREAD + offset_of!(Buffer, pair);
    /// What fast paths take for the limit; 0 if they must not find any room.
    pub const SHOWN_LIMIT: usize = CURSOR + 8;
    pub const LIMIT: usize = PAIR_IN_THREAD + offset_of!(Buffer, limit);
    pub const END: usize = PAIR_IN_THREAD + offset_of!(Buffer, end);
    /// A pointer to the word that is to be the new limit, too.
    pub const FILLED: usize = PAIR_IN_THREAD + offset_of!(Buffer, filled);
    /// So much beyond what is asked for is made zero, down to a multiple of [`ROUND`].
    pub const PIECE: usize = super::PIECE;
    pub const ROUND: usize = super::ROUND;
}

/// Reserves the range and its tables. The heap is set up but for this.
pub fn init(options: &HeapOptions, vo_table: usize) -> Result<(), String> {
    let (start, most) = options.eden();
    // Runs that stay take no part of what may be handed out.
    let bytes = (2 * most).next_multiple_of(GRAIN).min(options.eden_room());
    map(start, bytes, libc::PROT_READ | libc::PROT_WRITE, libc::MAP_FIXED_NOREPLACE)?;
    if options.huge_pages == HugePages::All {
        // SAFETY: the mapping just made; the call is advice.
        unsafe { libc::madvise(start as *mut _, bytes, libc::MADV_HUGEPAGE) };
    }
    // The collector has reserved its tables for all addresses, and maps them where it has spaces.
    let tables = [(UNLOG_TABLE.load(Relaxed), libc::PROT_READ), (vo_table, libc::PROT_READ | libc::PROT_WRITE)];
    for (table, protection) in tables {
        map(table + (start >> 6), bytes >> 6, protection, libc::MAP_FIXED)?;
    }
    runs::init(bytes / CHUNK);
    BASE.store(start, Relaxed);
    LENGTH.store(bytes, Relaxed);
    Ok(())
}

/// Maps pages that read as zero and appear when they are written.
fn map(start: usize, bytes: usize, protection: i32, how: i32) -> Result<(), String> {
    // SAFETY: the range is nobody's: the kernel refuses one that is, and the tables are the collector's for addresses
    // that it has no space for.
    let p = unsafe {
        libc::mmap(
            start as *mut _,
            bytes,
            protection,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | how,
            -1,
            0,
        )
    };
    if p as usize == start { Ok(()) } else { Err(format!("cannot reserve {bytes} bytes at {start:#x} for eden")) }
}

/// Whether objects are born here.
#[inline(always)]
pub fn is_on() -> bool {
    LENGTH.load(Relaxed) != 0
}

/// The range, as first address and number of bytes.
#[inline(always)]
pub fn range() -> (usize, usize) {
    (BASE.load(Relaxed), LENGTH.load(Relaxed))
}

/// Whether `address` is in eden.
#[inline(always)]
pub fn contains(address: usize) -> bool {
    let (base, length) = range();
    address.wrapping_sub(base) < length
}

/// Larger objects are born old. A young collection copies those that live, which costs more than to make them; what is
/// born old and dies soon is freed by the next collection of the full heap, which is dear if there are many objects.
pub fn largest() -> usize {
    let most = nursery::size() / 2;
    let most = if live::old_objects() < FEW { most.min(LARGE) } else { most };
    most.max(crate::alloc::MAX_SMALL)
}

/// Bytes of the runs that threads have taken, and of those that stayed.
pub fn in_use() -> usize {
    if is_on() { runs::handed() + runs::kept() } else { 0 }
}

/// The buffer of a thread; `th` is the caller, or stopped.
fn buffer(th: &Thread) -> *mut Buffer {
    // SAFETY: the field lies in the thread's storage while it is attached.
    unsafe { &raw mut (*heap_thread(th)).eden }
}

/// The pair of a thread's buffer.
pub fn pair(th: &Thread) -> *mut [usize; 2] {
    buffer(th).cast()
}

/// `size` zeroed bytes at the cursor of the thread's run, or 0 if it has no room: what most slow paths need.
///
/// # Safety
/// `th` is the calling thread, attached.
#[inline]
pub unsafe fn extend(th: &Thread, size: usize) -> usize {
    // SAFETY: the thread's own state.
    let b = unsafe { &mut *buffer(th) };
    let (cursor, limit) = (b.pair[0], b.limit);
    let stop = cursor + size;
    if stop > b.end {
        return 0;
    }
    if stop > limit {
        let next = ((stop + PIECE) & !(ROUND - 1)).min(b.end);
        clear(limit, next);
        // SAFETY: there is a run, for its end is not 0.
        unsafe { (*b.filled).store(next, Relaxed) };
        b.set_limit(next);
    }
    b.pair[0] = stop;
    cursor
}

/// As [`extend`], from a new run if need be; None when the nursery, or the heap, is full.
///
/// # Safety
/// As there.
pub unsafe fn alloc(th: &Thread, size: usize) -> Option<usize> {
    // SAFETY: by the caller's promise, here and below.
    let at = unsafe { extend(th, size) };
    if at != 0 {
        return Some(at);
    }
    // SAFETY: as above.
    let b = unsafe { &mut *buffer(th) };
    let least = size.div_ceil(CHUNK);
    let chunks = [least.max(b.next_run), least].into_iter().find(|n| may_hand_out(n * CHUNK))?;
    let run = runs::hand_out(chunks)?;
    let (start, end) = (address_of(run), address_of(run + chunks));
    if b.end - b.pair[0] < end - start - size {
        let next_run = (2 * b.next_run).min(LONGEST_RUN);
        *b = Buffer { pair: [start, 0], limit: 0, end, filled: runs::filled_entry(run), next_run };
        b.set_limit(start);
        // SAFETY: as above.
        return Some(unsafe { extend(th, size) });
    }
    clear(start, start + size);
    runs::set_filled(run, start + size);
    Some(start)
}

/// Makes the bytes zero.
fn clear(from: usize, to: usize) {
    // SAFETY: a piece of a run that the calling thread has taken, in which no object is.
    unsafe { std::ptr::write_bytes(from as *mut u8, 0, to - from) };
}

fn may_hand_out(bytes: usize) -> bool {
    runs::handed() + bytes <= nursery::size() && has_room(bytes + crate::young::reserve())
}

/// Whether the heap has room for so many bytes more.
pub fn has_room(bytes: usize) -> bool {
    crate::gc_log::used_pages() + bytes <= heap().options.max
}

/// A collection has copied what moves: the thread has no place in eden. It is the caller, or stopped, and its account has
/// been settled.
pub fn forget(th: &Thread) {
    // SAFETY: nobody else looks at the thread's state now.
    unsafe { *buffer(th) = Buffer::default() };
}

fn address_of(chunk: usize) -> usize {
    BASE.load(Relaxed) + chunk * CHUNK
}
