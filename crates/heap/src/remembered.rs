//! The remembered set: old objects into which references were stored since the last collection.
//!
//! Invariant: an old object that may refer to a young one, and is no large array (`cards`), is in a buffer of this
//! module, and its unlog bit is clear; the unlog bits of all other old objects are set. A young collection
//! takes the remembered objects as roots and sets their bits again; a full one forgets them, since it visits all objects
//! and makes the bits anew.
//!
//! Nothing is locked: two threads that store into one object at once, or into two of those whose bits share a byte, may
//! both find a bit set, or set one again that is clear. The object is then remembered twice, which costs its second scan.
//! No store goes unnoticed, since a thread that finds the bit clear has it from one that remembers the object.
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
use crate::evacuation;
use crate::scanning;
use crate::worker::mark_table;
use concord_base::bug;
use concord_contract::barrier::{self, UNLOG_TABLE};
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

/// Notes ([`barrier::note`]): the objects, and what was overwritten in them.
pub type Buffer = Vec<u64>;

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

/// Remembers `target`, in which `overwritten` was overwritten (0 if that is not known); the calling thread is attached.
/// Compiled code has this once more, without the growth (`concord_compiled`, `store_stubs`).
pub fn remember(th: &Thread, target: Obj, overwritten: u32) {
    let table = UNLOG_TABLE.load(Relaxed);
    if table == 0 {
        return;
    }
    if th.notes.get() == th.notes_end.get() {
        grow(th);
    }
    let at = target.addr();
    // SAFETY: the collector maps the table for every address that can hold an object.
    let byte = unsafe { byte(table, at) };
    byte.store(byte.load(Relaxed) & !(1 << ((at >> 3) & 7)), Relaxed);
    // SAFETY: there is room for a note.
    unsafe {
        th.notes.get().write(barrier::note(at as u64, overwritten));
        th.notes.set(th.notes.get().add(1));
    }
}

/// Makes room for notes.
#[cold]
#[inline(never)]
fn grow(th: &Thread) {
    let filled = take(th);
    if !filled.is_empty() {
        full().push(filled);
    }
    let mut buffer = Buffer::with_capacity(BUFFER);
    let start = buffer.as_mut_ptr();
    th.notes.set(start);
    // SAFETY: one past the end.
    th.notes_end.set(unsafe { start.add(BUFFER) });
    // SAFETY: the calling thread's own state.
    unsafe { (*heap_thread(th)).remembered = buffer };
}

/// The notes of a thread that is the calling one, or stopped; it has room for none afterwards.
fn take(th: &Thread) -> Buffer {
    // SAFETY: nobody else looks at the thread's state now.
    let mut buffer = unsafe { std::mem::take(&mut (*heap_thread(th)).remembered) };
    let next = th.notes.replace(std::ptr::null_mut());
    th.notes_end.set(std::ptr::null_mut());
    if !next.is_null() {
        // SAFETY: `next` was within the buffer, and all before it has been written.
        unsafe { buffer.set_len(next.offset_from(buffer.as_ptr()) as usize) };
    }
    buffer
}

/// Keeps what a thread remembers that detaches, while no stop can begin: beside what others have left, for threads that live
/// for one note each would else leave a buffer each.
pub fn adopt(th: &Thread) {
    let buffer = take(th);
    if buffer.is_empty() {
        return;
    }
    let mut all = full();
    match all.last_mut() {
        Some(last) if last.capacity() - last.len() >= buffer.len() => last.extend(buffer),
        _ => all.push(buffer),
    }
}

/// A collection begins: takes what the stopped threads remember, for a young collection, or forgets everything. What
/// was overwritten is counted.
pub fn gather(stopped: &Stopped, full_heap: bool) {
    let mut all = full();
    all.extend(stopped.threads().map(take).filter(|b| !b.is_empty()));
    for note in all.iter().flatten() {
        evacuation::overwritten(Obj::decode((note >> 32) as u32).addr());
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
                batch.iter().take(AHEAD).for_each(|&note| fetch_object(noted(note)));
                for (i, &note) in batch.iter().enumerate() {
                    if let Some(&later) = batch.get(i + AHEAD) {
                        fetch_object(noted(later));
                    }
                    let at = noted(note);
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

/// The address of the object that a note names.
fn noted(note: u64) -> usize {
    Obj::decode(note as u32).addr()
}

/// Has an object on its way to the cache, the first 32 bytes at least.
#[inline(always)]
fn fetch_object(address: usize) {
    fetch(address);
    fetch(address + 31);
}
