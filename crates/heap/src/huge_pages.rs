//! Huge pages for what has come to stay.
//!
//! Invariant: each huge page of the heap is asked for once; and what the kernel has taken for huge pages beyond what
//! small ones usually take is less than [`PATIENCE`] and a [`PART`] of the time since the start, but for one call, unless the
//! user has asked for a heap of that size. Where memory is in pieces, or is a virtual machine's that its host has to find first,
//! a huge page may take 6 ms instead of 0.2.
//!
//! Objects that have grown old are met at random. In a heap of some hundred megabytes, half of the time goes into finding
//! out where their pages are (`bench/run collector`, `map`); and a huge page is made in the time of 70 small ones, of which it
//! saves 512. Eden is small, and gone through in order; a small heap would be larger for huge pages: both have none, unless
//! `-XX:+UseTransparentHugePages` asks for them everywhere.
//!
//! A chunk of the collector's (4 MB) is asked for when its first block has been handed out. The half where that lies has small pages, which the
//! kernel replaces; the other one has none yet. So a heap is larger by less than a chunk for it. Chunks for which there was
//! no patience then come later, some at the end of each collection.
use crate::binding::heap;
use crate::gc_log::used_pages;
use crate::in_place::gaps;
use crate::in_place::marks::marks;
use concord_base::vm_log;
use concord_contract::barrier::UNLOG_TABLE;
use mmtk::util::heap::vm_layout::LOG_BYTES_IN_CHUNK;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Who gets huge pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HugePages {
    Nobody,
    /// What has grown old, and large objects, in heaps that are not small.
    Old,
    /// All of the heap and its tables from the start on.
    All,
}

/// Heaps with fewer bytes in use have none.
const FROM: usize = 32 << 20;
const CHUNK: usize = 1 << LOG_BYTES_IN_CHUNK;
const HUGE: usize = 2 << 20;
/// Bytes of the heap for which a huge page of a table with a bit for each 8 bytes stands.
const GROUP: usize = HUGE << 6;
/// So long it takes to touch the small pages instead, or to copy them.
const USUAL: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_millis(10);
const PART: u32 = 128;
/// Chunks that are made up for at the end of a collection: 2 ms each if memory is at hand.
const MADE_UP_FOR: usize = 4;

/// What the kernel calls are since Linux 5.14 and 6.1; an older one says that they are invalid.
const MADV_POPULATE_WRITE: i32 = 23;
const MADV_COLLAPSE: i32 = 25;

/// A bit for each huge page that references reach.
static ASKED: [AtomicU64; (32 << 30) / HUGE / 64] = [const { AtomicU64::new(0) }; (32 << 30) / HUGE / 64];
/// Nanoseconds that the kernel took beyond what is usual.
static EXCESS: AtomicU64 = AtomicU64::new(0);

fn are_on() -> bool {
    heap().options.huge_pages == HugePages::Old && used_pages() >= FROM && is_patient()
}
/// Who asks for a heap of some size by `-Xms` is going to use it: up to there the kernel may take its time.
fn is_patient() -> bool {
    let options = &heap().options;
    options.min_is_asked && used_pages() <= options.min
        || Duration::from_nanos(EXCESS.load(Relaxed)) < PATIENCE + concord_base::log::uptime() / PART
}

/// The word and the bit of the page around `address`.
fn asked(address: usize) -> (&'static AtomicU64, u64) {
    (&ASKED[address / HUGE / 64], 1 << (address / HUGE % 64))
}
fn is_asked(address: usize) -> bool {
    let (word, bit) = asked(address);
    word.load(Relaxed) & bit != 0
}
/// Whether it was asked for before.
fn set_asked(address: usize) -> bool {
    let (word, bit) = asked(address);
    word.fetch_or(bit, Relaxed) & bit != 0
}

/// A block of the collector's has been handed out at `address`.
pub fn block(address: usize) {
    let chunk = address & !(CHUNK - 1);
    if !is_asked(chunk) && are_on() {
        ask(chunk, populate);
    }
}

/// A collection ends: some chunks are made up for.
pub fn make_up() {
    if are_on() {
        let late = gaps::chunks().filter(|c| !is_asked(*c)).take(MADE_UP_FOR);
        late.take_while(|_| is_patient()).for_each(|c| ask(c, |_| false));
    }
}

/// Asks for a chunk; `or` is for a half without pages.
fn ask(chunk: usize, or: fn(usize) -> bool) {
    for half in [chunk, chunk + HUGE] {
        if !set_asked(half) {
            advise(half, HUGE);
            timed(|| collapse(half) || or(half));
        }
    }
    if (chunk + CHUNK).is_multiple_of(GROUP) {
        tables(chunk + CHUNK - GROUP);
    }
}

/// A large object of `bytes` bytes has been made at `address`.
pub fn large(address: usize, bytes: usize) {
    let (start, end) = (address.next_multiple_of(HUGE), (address + bytes) & !(HUGE - 1));
    if start < end && are_on() {
        for at in (start..end).step_by(HUGE).take_while(|_| is_patient()).filter(|at| !set_asked(*at)) {
            advise(at, HUGE);
            timed(|| collapse(at));
        }
    }
}

/// All of a group is in use: so will be what the tables have for it.
fn tables(group: usize) {
    let marks = marks().place(group);
    // Collections in place give the pages of their marks back; they come again as huge ones.
    advise(marks, HUGE);
    for table in [UNLOG_TABLE.load(Relaxed), heap().vo_table] {
        let at = table + (group >> 6);
        advise(at, HUGE);
        timed(|| collapse(at));
    }
}

/// Calls the kernel, and notes what that takes. Whether it does what it is asked for matters to nobody.
fn timed(call: impl FnOnce() -> bool) {
    let begin = Instant::now();
    let done = call();
    let took = begin.elapsed();
    EXCESS.fetch_add(took.saturating_sub(USUAL).as_nanos() as u64, Relaxed);
    let what = if done { "Huge page" } else { "No huge page" };
    vm_log!(
        GcErgo,
        Trace,
        "{what} in {} us, {} ms longer than small ones so far",
        took.as_micros(),
        EXCESS.load(Relaxed) / 1_000_000
    );
}

fn advise(start: usize, bytes: usize) {
    call(start, bytes, libc::MADV_HUGEPAGE);
}
/// Makes a huge page of small ones; false if it has none.
fn collapse(at: usize) -> bool {
    call(at, HUGE, MADV_COLLAPSE)
}
fn populate(at: usize) -> bool {
    call(at, HUGE, MADV_POPULATE_WRITE)
}
fn call(start: usize, bytes: usize, advice: i32) -> bool {
    // SAFETY: memory of the heap or of its tables, whose contents none of these changes.
    unsafe { libc::madvise(start as *mut _, bytes, advice) == 0 }
}
