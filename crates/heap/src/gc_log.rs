//! `-Xlog:gc*` in HotSpot's form, and the figures of java.lang.Runtime.
//!
//! Invariant: `begin` and `end` come in this order, once per collection, with the world stopped.
use crate::binding::{collector, heap};
use crate::collection::Cause;
use crate::gc_detail::{self, CpuTime};
use crate::generations;
use crate::in_place::gaps;
use crate::live;
use crate::roots::GcInfo;
use concord_base::event_log;
use concord_base::vm_log;
use mmtk::memory_manager;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The most bytes in use since memory was last given back.
static COMMITTED: AtomicUsize = AtomicUsize::new(0);
/// Bytes of pages in use at the end of the last collection, gaps left out.
static LAST: AtomicUsize = AtomicUsize::new(0);
/// Bytes in use at the end of the last full collection.
static LIVE: AtomicUsize = AtomicUsize::new(0);

struct Pause {
    number: u64,
    begun: Option<Begun>,
    /// Of young and of full collections.
    totals: [Totals; 2],
}

/// What is known when a collection begins.
struct Begun {
    at: Instant,
    cpu: Option<CpuTime>,
    /// Bytes in use, and those of them that are not young.
    used: usize,
    old: usize,
    pages: usize,
    cause: Cause,
}

/// What the collections of one kind have done so far.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    pub count: u64,
    pub time: Duration,
    /// The last one; None before the first.
    pub last: Option<Record>,
}

/// One collection.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// From 0, counting all kinds.
    pub number: u64,
    /// Uptime of the VM at its begin and end.
    pub begun: Duration,
    pub ended: Duration,
    /// Bytes in use.
    pub before: usize,
    /// Those of them that are not young (`generations`).
    pub old_before: usize,
    pub after: usize,
    pub committed_before: usize,
    pub committed_after: usize,
    pub cause: &'static str,
}

const NOTHING: Totals = Totals { count: 0, time: Duration::ZERO, last: None };
static PAUSE: Mutex<Pause> = Mutex::new(Pause { number: 0, begun: None, totals: [NOTHING; 2] });
/// `total_memory` when the collection in progress began.
static COMMITTED_BEFORE: AtomicUsize = AtomicUsize::new(0);
/// The most pages that were in use since the last full collection.
static HIGH: AtomicUsize = AtomicUsize::new(0);

fn pause() -> std::sync::MutexGuard<'static, Pause> {
    match PAUSE.lock() {
        Ok(p) => p,
        Err(_) => concord_base::bug!("a collector thread died while it logged"),
    }
}

fn megabytes(bytes: usize) -> usize {
    bytes.div_ceil(1 << 20)
}

/// Says at start which collector is used.
pub fn announce() {
    let o = &heap().options;
    vm_log!(Gc, Info, "Using {:?}", o.plan);
    gc_detail::announce(o);
    if heap().contiguous_extent.is_none() {
        vm_log!(
            GcInit,
            Info,
            "Heaps above 4G use a sparse address layout: about 0.2 s and 560M of tables at start, no uncommit"
        );
    }
}

/// Notes what the heap holds before or after a collection.
fn event(when: &str, all: u64, full: u64, used: usize, total: usize) {
    let (total, used) = (total >> 10, used >> 10);
    let text = format!(
        "GC heap {when}\n{{Heap {when} GC invocations={all} (full {full}):\n concord heap        total {total}K, used {used}K\n}}"
    );
    event_log::note(event_log::Kind::Collection, 0, text);
}

pub fn begin(full: bool, cause: Cause) {
    let pages = used_pages();
    let used = used_memory();
    let old = generations::begin(used);
    HIGH.fetch_max(pages, Relaxed);
    COMMITTED.fetch_max(pages, Relaxed);
    COMMITTED_BEFORE.store(total_memory(), Relaxed);
    let mut p = pause();
    gc_detail::begin(p.number, full, cause);
    event("before", p.number, p.totals[1].count, used, total_memory());
    p.begun = Some(Begun { at: Instant::now(), cpu: CpuTime::now(), used, old, pages, cause });
}

pub fn end(full: bool, soft_clock: i64) -> GcInfo {
    let after = used_memory();
    let mut p = pause();
    let Some(Begun { at, cpu, used: before, old, pages: pages_before, cause }) = p.begun.take() else {
        concord_base::bug!("a collection ended that had not begun");
    };
    let number = p.number;
    p.number += 1;
    let time = at.elapsed();
    LAST.store(used_pages().saturating_sub(gaps::left()), Relaxed);
    generations::end(after);
    if full {
        LIVE.store(after, Relaxed);
        HIGH.store(used_pages(), Relaxed);
    }
    let ended = concord_base::log::uptime();
    let t = &mut p.totals[usize::from(full)];
    t.count += 1;
    t.time += time;
    let committed = (COMMITTED_BEFORE.load(Relaxed), total_memory());
    t.last = Some(Record {
        number,
        begun: ended.saturating_sub(time),
        ended,
        before,
        old_before: old,
        after,
        committed_before: committed.0,
        committed_after: committed.1,
        cause: cause.name(),
    });
    event("after", p.number, p.totals[1].count, after, committed.1);
    drop(p);
    let cpu = cpu.and_then(CpuTime::since);
    gc_detail::heap_line(number, (before, committed.0), (after, committed.1));
    vm_log!(
        Gc,
        Info,
        "GC({number}) Pause {} ({}) {}M->{}M({}M) {:.3}ms",
        gc_detail::kind(full),
        cause.name(),
        megabytes(before),
        megabytes(after),
        megabytes(committed.1),
        time.as_secs_f64() * 1e3
    );
    gc_detail::cpu_line(number, cpu, time);
    GcInfo { number, full, before, after, pages_before, pause: time, cause: cause.name(), soft_clock }
}

/// Collections so far and the sum of their pauses, for the management beans.
pub fn collection_totals() -> (u64, Duration) {
    let p = pause();
    (p.number, p.totals[0].time + p.totals[1].time)
}
/// What young, or full, collections have done so far.
pub fn totals(full: bool) -> Totals {
    pause().totals[usize::from(full)]
}
/// Bytes in use at the end of the last full collection; 0 before the first.
pub fn live_after_full() -> usize {
    LIVE.load(Relaxed)
}

/// The most bytes in use since memory was last given back, `now` included.
pub fn most_since_uncommit(now: usize) -> usize {
    COMMITTED.load(Relaxed).max(now)
}
/// Notes that memory has been given back while `used` bytes were in use.
pub fn uncommitted(used: usize) {
    COMMITTED.store(used, Relaxed);
}

/// Bytes of pages in use at the end of the last collection, gaps left out.
pub fn used_after_last() -> usize {
    LAST.load(Relaxed)
}
/// Bytes of pages in use, and of eden what threads have taken.
pub fn used_pages() -> usize {
    old_pages() + crate::eden::in_use()
}
/// Bytes of pages in use for old objects.
pub fn old_pages() -> usize {
    memory_manager::used_bytes(collector())
}
/// Bytes in use, as the management beans tell them: what is free within pages is not counted.
pub fn used_memory() -> usize {
    live::used()
}
/// Threads of the collector.
pub fn worker_count() -> usize {
    heap().options.worker_count()
}
/// Bytes that are allocated between two young collections.
pub fn nursery_size() -> usize {
    crate::nursery::size()
}
/// Runtime.maxMemory().
pub fn max_memory() -> usize {
    heap().options.max
}
/// Runtime.totalMemory(): `-Xms`, or the most that was in use since the last full collection.
///
/// The heap does not grow in steps: the collector may use all of `-Xmx` at any time.
pub fn total_memory() -> usize {
    let o = &heap().options;
    let high = HIGH.fetch_max(used_pages(), Relaxed).max(used_pages());
    ((high + (1 << 20) - 1) & !((1 << 20) - 1)).clamp(o.min.min(o.max), o.max)
}
/// Runtime.freeMemory().
pub fn free_memory() -> usize {
    total_memory().saturating_sub(used_memory())
}
