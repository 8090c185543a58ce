//! The remembered set: old objects into which references were stored since the last collection.
//!
//! Invariant: an old object that may refer to a young one, and is no large array (`cards`), is in a buffer of this
//! module exactly once, and its unlog bit is clear; the unlog bits of all other old objects are set. A young collection
//! takes the remembered objects as roots and sets their bits again; a full one forgets them, since it visits all objects
//! and makes the bits anew.
//!
//! Why not the collector's own set: it scans one object after the other, and each of them, and each young
//! object behind it, is a miss of the cache that waits for the one before. Here the misses overlap:
//!
//! ```text
//!  objects of a batch:    | scanned: their slots, and where | looked up: is what the    | traced: copied or
//!  headers fetched ahead  | the mark bit of each target is  | slot names young?         | marked by the collector
//!                         |   -> the mark bits are fetched  |   -> its header is fetched|
//! ```
//! Measured in `bench/run collector`, `map` and `list`.
use crate::arch::fetch;
use crate::binding::{Concord, heap, heap_thread};
use crate::scanning;
use crate::worker::mark_table;
use concord_base::bug;
use concord_contract::barrier::UNLOG_TABLE;
use concord_contract::{Obj, Thread};
use concord_safepoint::Stopped;
use mmtk::MMTK;
use mmtk::memory_manager;
use mmtk::scheduler::{GCWork, GCWorker, WorkBucketStage};
use mmtk::vm::slot::Slot;
use mmtk::vm::{ObjectTracer, ObjectTracerContext};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Objects that a thread remembers before it hands them over.
const BUFFER: usize = 4096;
/// Objects of a batch: the slots of a few hundred, and what they name, fit into the first cache.
const BATCH: usize = 256;
/// How many objects ahead headers are fetched.
const AHEAD: usize = 16;

/// Addresses of remembered objects.
pub type Buffer = Vec<usize>;

/// Full buffers, and those of threads that have detached.
static FULL: Mutex<Vec<Buffer>> = Mutex::new(Vec::new());

fn full() -> std::sync::MutexGuard<'static, Vec<Buffer>> {
    match FULL.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it handed over remembered objects"),
    }
}

/// The byte with the bit of `address` in a table of the collector's with a bit for each 8 bytes.
///
/// # Safety
/// The table is mapped for `address`.
unsafe fn byte<'a>(table: usize, address: usize) -> &'a AtomicU8 {
    // SAFETY: by the caller's promise.
    unsafe { AtomicU8::from_ptr((table + (address >> 6)) as *mut u8) }
}

/// Remembers `target`, unless another thread was faster; the calling thread is attached.
pub fn remember(th: &Thread, target: Obj) {
    let table = UNLOG_TABLE.load(Relaxed);
    if table == 0 {
        return;
    }
    let at = target.addr();
    let bit = 1 << ((at >> 3) & 7);
    // SAFETY: the collector maps the table for every address that can hold an object.
    if unsafe { byte(table, at) }.fetch_and(!bit, Relaxed) & bit == 0 {
        return;
    }
    // SAFETY: the calling thread's own state.
    let buffer = unsafe { &mut (*heap_thread(th)).remembered };
    if buffer.capacity() == 0 {
        buffer.reserve_exact(BUFFER);
    }
    buffer.push(at);
    if buffer.len() == BUFFER {
        full().push(std::mem::take(buffer));
    }
}

/// Keeps what a thread remembers that detaches.
pub fn adopt(th: &Thread) {
    // SAFETY: the calling thread is attached and detaches while no stop can begin.
    let buffer = unsafe { std::mem::take(&mut (*heap_thread(th)).remembered) };
    if !buffer.is_empty() {
        full().push(buffer);
    }
}

/// A collection begins: takes what the stopped threads remember, for a young collection, or forgets everything.
pub fn gather(stopped: &Stopped, full_heap: bool) {
    let mut all = full();
    for th in stopped.threads() {
        // SAFETY: the thread is stopped.
        let buffer = unsafe { &mut (*heap_thread(th)).remembered };
        if !buffer.is_empty() {
            all.push(std::mem::take(buffer));
        }
    }
    if full_heap {
        all.clear();
    }
}

/// Traces what the remembered objects refer to; whether there were any, so that a closure is to follow. In a young
/// collection, before anything is decided about references that are not strong.
pub fn process(worker: &mut GCWorker<Concord>, context: &impl ObjectTracerContext<Concord>) -> bool {
    let buffers = std::mem::take(&mut *full());
    if buffers.is_empty() {
        return false;
    }
    let alone = heap().options.worker_count() == 1;
    for buffer in buffers {
        let mut packet = TraceRemembered { buffer, context: context.clone() };
        if alone {
            packet.trace(worker);
        } else {
            memory_manager::add_work_packet(crate::binding::collector(), WorkBucketStage::VMRefClosure, packet);
        }
    }
    true
}

struct TraceRemembered<C> {
    buffer: Buffer,
    context: C,
}

impl<C: ObjectTracerContext<Concord>> GCWork<Concord> for TraceRemembered<C> {
    fn do_work(&mut self, worker: &mut GCWorker<Concord>, _: &'static MMTK<Concord>) {
        self.trace(worker);
    }
}

impl<C: ObjectTracerContext<Concord>> TraceRemembered<C> {
    fn trace(&mut self, worker: &mut GCWorker<Concord>) {
        let marks = Marks::new();
        let mut targets = Vec::with_capacity(4 * BATCH);
        self.context.with_tracer(worker, |tracer| {
            for batch in self.buffer.chunks(BATCH) {
                batch.iter().take(AHEAD).for_each(|&at| fetch_object(at));
                for (i, &at) in batch.iter().enumerate() {
                    if let Some(&later) = batch.get(i + AHEAD) {
                        fetch_object(later);
                    }
                    // SAFETY: a remembered object is old, so it lives and stays where it is; the world is stopped.
                    unsafe {
                        scanning::visit(at, |slot| {
                            if let Some(target) = slot.load() {
                                let target = target.to_raw_address().as_usize();
                                marks.fetch(target);
                                targets.push((slot, target));
                            }
                        });
                        // All objects of a line are old if one is, so the byte may be written as a whole.
                        byte(UNLOG_TABLE.load(Relaxed), at).store(0xff, Relaxed);
                    }
                }
                targets.retain(|&(_, target)| {
                    let young = !marks.says_old(target);
                    if young {
                        fetch_object(target);
                    }
                    young
                });
                for (slot, _) in targets.drain(..) {
                    if let Some(target) = slot.load() {
                        slot.store(tracer.trace_object(target));
                    }
                }
            }
        });
    }
}

/// The mark bits of objects that are not large, which say in a young collection which of them are old.
struct Marks {
    table: usize,
    /// Addresses shifted right by this are [`Marks::SPACE`] where such objects live; 64 where no number tells.
    extent: u32,
}

impl Marks {
    /// The first of the collector's spaces.
    const SPACE: usize = 1;

    fn new() -> Marks {
        Marks { table: mark_table(), extent: heap().contiguous_extent.map_or(64, |e| e as u32) }
    }

    #[inline(always)]
    fn fetch(&self, address: usize) {
        fetch(self.table + (address >> 6));
    }

    #[inline(always)]
    fn says_old(&self, address: usize) -> bool {
        address.checked_shr(self.extent) == Some(Self::SPACE)
            // SAFETY: the collector maps the table for every address of this space that holds an object.
            && unsafe { byte(self.table, address) }.load(Relaxed) >> ((address >> 3) & 7) & 1 != 0
    }
}

/// Has an object on its way to the cache, the first 32 bytes at least.
#[inline(always)]
fn fetch_object(address: usize) {
    fetch(address);
    fetch(address + 31);
}
