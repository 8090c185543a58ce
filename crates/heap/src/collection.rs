//! Pauses: stopping and resuming the world, the collector's threads, System.gc().
//!
//! Invariant: between `stop_all_mutators` and `resume_mutators` this room holds the one proof
//! ([`Stopped`]) that the world stands still. The collector's own collections are all of the full heap, and begin with a
//! young one; young ones alone are the business of the thread that needs room (`young`).
use crate::binding::{Concord, collector, has_workers, heap, heap_thread, mutator_tls, thread_of};
use crate::roots::GcInfo;
use crate::{
    conservative, eden, evacuation, gc_log, huge_pages, in_place, live, nursery, references, remembered, roots,
    scavenge, uncommit, verify, worker,
};
use concord_contract::Thread;
use concord_safepoint::Stopped;
use mmtk::Mutator;
use mmtk::memory_manager;
use mmtk::util::alloc::AllocationError;
use mmtk::util::heap::GCTriggerPolicy;
use mmtk::util::opaque_pointer::*;
use mmtk::vm::{Collection, GCThreadContext};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

pub struct Pauses;

static STOPPED: Mutex<Option<Stopped>> = Mutex::new(None);
static FULL_COLLECTIONS: AtomicU64 = AtomicU64::new(0);
/// Collections of both kinds.
static ALL_COLLECTIONS: AtomicU64 = AtomicU64::new(0);
/// Pages in use at the end of the last one.
static LEFT: AtomicUsize = AtomicUsize::new(0);
static NEXT_CAUSE: AtomicU8 = AtomicU8::new(Cause::Allocation as u8);

/// Why a collection happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cause {
    Allocation = 0,
    SystemGc = 1,
    Zeal = 2,
    Compaction = 3,
    Metadata = 4,
    Threshold = 5,
    Relayout = 6,
}

impl Cause {
    pub(crate) fn take() -> Cause {
        match NEXT_CAUSE.swap(Cause::Allocation as u8, SeqCst) {
            1 => Cause::SystemGc,
            2 => Cause::Zeal,
            3 => Cause::Compaction,
            4 => Cause::Metadata,
            5 => Cause::Threshold,
            6 => Cause::Relayout,
            _ => Cause::Allocation,
        }
    }
    /// As HotSpot prints it, where it has such a cause.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Allocation => "Allocation Failure",
            Cause::SystemGc => "System.gc()",
            Cause::Zeal => "Zeal",
            Cause::Compaction => "Compaction",
            Cause::Metadata => "Metadata GC Clear Soft References",
            Cause::Threshold => "Metadata GC Threshold",
            Cause::Relayout => "Relayout",
        }
    }
}

/// What the next collection is to be called.
pub(crate) fn next_cause(cause: Cause) {
    NEXT_CAUSE.store(cause as u8, SeqCst);
}

/// Collections of both kinds so far.
pub(crate) fn collections() -> u64 {
    ALL_COLLECTIONS.load(SeqCst)
}

/// Collections of the full heap so far.
pub fn full_collections() -> u64 {
    FULL_COLLECTIONS.load(SeqCst)
}

fn stopped() -> std::sync::MutexGuard<'static, Option<Stopped>> {
    match STOPPED.lock() {
        Ok(g) => g,
        Err(_) => concord_base::bug!("a collector thread died during a pause"),
    }
}

impl Collection<Concord> for Pauses {
    fn stop_all_mutators<F>(_tls: VMWorkerThread, mut visitor: F)
    where
        F: FnMut(&'static mut Mutator<Concord>),
    {
        let cause = Cause::take();
        let reason = if cause == Cause::SystemGc { "GenCollectFull" } else { "GenCollectForAllocation" };
        let proof = concord_safepoint::begin_gc_stop(reason);
        roots::provider().at_full_collection(&proof, false);
        begin(true, cause);
        if eden::is_on() {
            scavenge::run(&proof, false);
        }
        worker::set_checking(false);
        worker::all().iter().for_each(worker::Worker::begin);
        crate::large::join();
        conservative::gather(&proof, true);
        references::prepare(true);
        remembered::forget();
        in_place::forget();
        evacuation::begin_full(gc_log::used_pages());
        for th in proof.threads() {
            // SAFETY: the thread is stopped and stays attached until the world is resumed.
            visitor(unsafe { &mut (*heap_thread(&*(th as *const Thread))).mutator });
        }
        *stopped() = Some(proof);
    }

    fn resume_mutators(_tls: VMWorkerThread) {
        let Some(proof) = stopped().take() else {
            concord_base::bug!("the collector resumes a world that it has not stopped");
        };
        conservative::forget();
        scavenge::remember_met();
        let clock = references::finish(&proof);
        FULL_COLLECTIONS.fetch_add(1, SeqCst);
        live::end_full();
        crate::large::freed();
        evacuation::end_full(gc_log::used_pages(), live::marked(), live::objects());
        huge_pages::make_up();
        let info = gc_log::end(true, clock);
        nursery::end_full();
        let pages = gc_log::used_pages();
        let asked = info.cause == Cause::SystemGc.name();
        if uncommit::is_worth_it(gc_log::most_since_uncommit(info.pages_before), pages, asked) {
            gc_log::uncommitted(pages);
            uncommit::uncommit();
        }
        end(&proof, &info);
        roots::provider().at_full_collection(&proof, true);
        concord_safepoint::end_gc_stop(proof);
    }

    fn post_forwarding(_tls: VMWorkerThread) {
        worker::set_checking(true);
    }

    fn create_gc_trigger() -> Box<dyn GCTriggerPolicy<Concord>> {
        Box::new(crate::trigger::Trigger)
    }

    fn block_for_gc(tls: VMMutatorThread) {
        // SAFETY: the collector names attached threads only.
        concord_safepoint::wait_for_gc(unsafe { thread_of(tls) });
    }

    fn spawn_gc_thread(_tls: VMThread, context: GCThreadContext<Concord>) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let GCThreadContext::Worker(worker) = context;
        let number = NUMBER.fetch_add(1, Relaxed);
        let name = format!("GC Thread#{number}");
        let spawned = std::thread::Builder::new().name(name).stack_size(512 << 10).spawn(move || {
            block_signals();
            memory_manager::start_worker(collector(), worker::name(number as usize), worker);
        });
        if let Err(e) = spawned {
            concord_base::bug!("cannot start a collector thread: {e}");
        }
    }

    /// The allocation returns nothing and its caller throws OutOfMemoryError.
    fn out_of_memory(_tls: VMThread, error: AllocationError) {
        if matches!(error, AllocationError::MmapOutOfMemory) {
            concord_base::bug!("the operating system gives no more memory to the heap");
        }
    }
}

/// A collection begins: what is told of it, and what it tells.
fn begin(full: bool, cause: Cause) {
    gc_log::begin(full, cause);
    roots::provider().gc_started();
    roots::provider().begin(full);
}

/// It is over.
fn end(stopped: &Stopped, info: &GcInfo) {
    ALL_COLLECTIONS.fetch_add(1, SeqCst);
    if heap().options.zeal.verify {
        verify::verify(stopped);
    }
    roots::provider().gc_finished(info);
    LEFT.store(gc_log::used_pages(), SeqCst);
}

/// Whether the last collection left room for `bytes`, whoever has taken it since.
pub(crate) fn left_room(bytes: usize) -> bool {
    LEFT.load(SeqCst) + bytes <= heap().options.max
}

/// Collects eden alone.
pub(crate) fn young(stopped: &Stopped, cause: Cause) {
    begin(false, cause);
    let copied = scavenge::run(stopped, true);
    let clock = references::finish(stopped);
    evacuation::end_young(gc_log::used_pages());
    huge_pages::make_up();
    let info = gc_log::end(false, clock);
    nursery::end_young(info.pause, copied);
    end(stopped, &info);
}

/// Collects the full heap without moving anything.
pub(crate) fn in_place(stopped: &Stopped, cause: Cause) {
    roots::provider().at_full_collection(stopped, false);
    begin(true, cause);
    scavenge::run(stopped, false);
    references::prepare(true);
    in_place::run(stopped);
    scavenge::remember_met();
    let clock = references::finish(stopped);
    FULL_COLLECTIONS.fetch_add(1, SeqCst);
    huge_pages::make_up();
    let info = gc_log::end(true, clock);
    nursery::end_full();
    end(stopped, &info);
    roots::provider().at_full_collection(stopped, true);
}

/// Signals are for the VM's own threads; only faults of this thread itself reach it.
fn block_signals() {
    // SAFETY: plain calls on a local set.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut set);
        for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP, libc::SIGABRT] {
            libc::sigdelset(&mut set, fault);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &set, std::ptr::null_mut());
    }
}

/// Collects the full heap before it returns; the context is recorded.
pub(crate) fn full(th: &Thread, cause: Cause) {
    let before = full_collections();
    // A collection that was on its way may have swallowed the request.
    for _ in 0..3 {
        next_cause(cause);
        collector().handle_user_collection_request(mutator_tls(th), true, true);
        if full_collections() != before {
            return;
        }
    }
}

/// Collects the whole heap before it returns (System.gc()).
#[inline(never)]
pub fn system_gc(th: &Thread) {
    if has_workers() {
        concord_safepoint::record_context(th);
        full(th, Cause::SystemGc);
    }
}

/// Collects the full heap, soft references included, because there is no room for a class: to unload others.
#[cold]
pub fn metadata_gc(th: &Thread) {
    if has_workers() && collector().is_collection_enabled() {
        concord_safepoint::record_context(th);
        references::clear_soft();
        full(th, Cause::Metadata);
    }
}

/// Collects the full heap because there are many classes, some of which may not be in use any more.
#[cold]
pub fn metadata_threshold_gc(th: &Thread) {
    if has_workers() && collector().is_collection_enabled() {
        concord_safepoint::record_context(th);
        full(th, Cause::Threshold);
    }
}

/// Collects before an allocation fails that no collection can help: SoftReference promises that soft
/// references are cleared before an OutOfMemoryError. The context is recorded.
#[cold]
pub(crate) fn before_out_of_memory(th: &Thread) {
    if has_workers() && collector().is_collection_enabled() {
        references::clear_soft();
        full(th, Cause::Allocation);
    }
}

/// The `number`th collection because of zeal; the context is recorded.
pub fn zeal_gc(th: &Thread, number: u32) {
    match number % 4 {
        _ if !eden::is_on() || heap().options.zeal.defrag => full(th, Cause::Zeal),
        0 => full(th, Cause::Zeal),
        2 if in_place::is_possible() => crate::young::collect(Cause::Zeal, in_place),
        _ => crate::young::collect(Cause::Zeal, young),
    }
}
