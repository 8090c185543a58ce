//! The remembered set: old objects into which references were stored since the last collection.
//!
//! Invariant: an old object that may refer to a young one, and is no large array (`cards`), is in a buffer of this
//! module, and its unlog bit is clear, or it was born old since the last collection and is on that list; the unlog bits of
//! all other old objects are set. A young collection takes the remembered objects as roots and sets their bits again; a
//! full one, which begins with a young one, makes the bits anew.
//!
//! Nothing is locked: two threads that store into one object at once, or into two of those whose bits share a byte, may
//! both find a bit set, or set one again that is clear. The object is then remembered twice, which costs its second scan.
//! No store goes unnoticed, since a thread that finds the bit clear has it from one that remembers the object.
//!
//! What is born old has a clear bit like a young object: whoever makes it stores into it without a barrier.
//!
//! Why not the collector's own set: it scans one object after the other, and each of them, and each young
//! object behind it, is a miss of the cache that waits for the one before. `scavenge` has the misses overlap.
use crate::binding::heap_thread;
use crate::{cards, evacuation};
use concord_base::bug;
use concord_contract::barrier::{self, UNLOG_TABLE};
use concord_contract::{Obj, Thread};
use concord_safepoint::Stopped;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Objects that a thread remembers before it hands them over.
const BUFFER: usize = 4096;

/// Notes ([`barrier::note`]): the objects, and what was overwritten in them.
pub type Buffer = Vec<u64>;

/// Full buffers, and those of threads that have detached.
static FULL: Mutex<Vec<Buffer>> = Mutex::new(Vec::new());
/// Objects that were born old since the last collection.
static BORN_OLD: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    match m.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it handed over remembered objects"),
    }
}
fn full() -> std::sync::MutexGuard<'static, Vec<Buffer>> {
    lock(&FULL)
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

/// A young collection begins: takes what the stopped threads and others remember. What was overwritten is counted.
pub fn gather(stopped: &Stopped) -> Vec<Buffer> {
    let mut all = std::mem::take(&mut *full());
    all.extend(stopped.threads().map(take).filter(|b| !b.is_empty()));
    for note in all.iter().flatten() {
        evacuation::overwritten(Obj::decode((note >> 32) as u32).addr());
    }
    all
}

/// The tracing of the full heap begins, behind a young collection: what that has remembered is found again.
pub fn forget() {
    full().clear();
}

/// As [`forget`] for a collection in place, which does not make the bits anew: what has been remembered may be dead.
pub fn forget_in_place() {
    full().drain(..).flatten().for_each(|note| has_grown_old(noted(note)));
}

/// The address of the object that a note names.
#[inline(always)]
pub fn noted(note: u64) -> usize {
    Obj::decode(note as u32).addr()
}

/// Notes that an object was born old at `at`, and will have its header before a stop.
pub fn note_born_old(at: usize) {
    if UNLOG_TABLE.load(Relaxed) != 0 {
        lock(&BORN_OLD).push(at);
    }
}

/// The objects that were born old since the last collection.
pub fn take_born_old() -> Vec<usize> {
    std::mem::take(&mut *lock(&BORN_OLD))
}

/// From now on stores into the old object at `at` are remembered. The world is stopped.
#[inline(always)]
pub fn has_grown_old(at: usize) {
    // SAFETY: the collector maps the table for every address that can hold an object. All objects of a line are old, so
    // the byte may be written as a whole: it costs one that was born old and is still on the list nothing.
    unsafe { byte(UNLOG_TABLE.load(Relaxed), at) }.store(0xff, Relaxed);
}

/// Remembers an old object for the next collection, which names something that stays young in `slot`. The world is stopped.
pub fn keep(o: Obj, slot: usize) {
    if cards::has_cards(o) {
        return cards::mark(slot, slot + 4);
    }
    // SAFETY: as above.
    let byte = unsafe { byte(UNLOG_TABLE.load(Relaxed), o.addr()) };
    let bit = 1 << ((o.addr() >> 3) & 7);
    if byte.fetch_and(!bit, Relaxed) & bit == 0 {
        // For another slot.
        return;
    }
    let mut all = full();
    if all.last().is_none_or(|b| b.len() == b.capacity()) {
        all.push(Buffer::with_capacity(BUFFER));
    }
    if let Some(last) = all.last_mut() {
        last.push(barrier::note(o.addr() as u64, 0));
    }
}

/// Whether the old object is remembered, for `slot` at least.
pub fn is_remembered(o: Obj, slot: usize) -> bool {
    !barrier::must_log(o) || cards::has_cards(o) && cards::is_dirty(slot)
}
