//! The young collection: what lives in eden is copied to the collector's space, and eden begins anew.
//!
//! Invariant: afterwards eden holds only what could not move, that being what native frames name or the runtime has
//! pinned; every old object with a reference to such an object is remembered (`remembered`, or a dirty card); all other
//! references lead to old objects. The steps, with the world stopped, on one thread:
//!
//! 1. what native frames name is tagged: nothing may move before all of it is known;
//! 2. the roots: threads, globals, what is pinned and what it names;
//! 3. the remembered set: objects born old since the last collection, dirty cards, noted objects;
//! 4. the closure (`trace`), and the steps of java.lang.ref with a closure each (`references`);
//! 5. eden is made ready, and who still names something there is remembered.
//!
//! The collector of the old space takes no part but that it gives memory. Its collections of the full heap begin with
//! a young one, so that eden is next to empty; what is left there is a root for them, and who names it is noted while
//! they trace ([`met`]). In that one all references hold what they refer to: what becomes of it is decided once, behind.
//!
//! Why not the collector's own nursery (sticky mark bits): handing out its blocks and lines, zeroing them, sweeping them
//! and waking its threads was more than half the cost of a small object. Measured in `bench/run collector`.
mod trace;

use crate::arch::fetch;
use crate::roots::{provider, scan_thread_block};
use crate::slot::RefSlot;
use crate::{allocated, births, cards, conservative, eden, live, references, remembered};
use concord_base::bug;
use concord_contract::Obj;
use concord_safepoint::Stopped;
use std::sync::Mutex;
use trace::Closure;
pub(crate) use trace::TAG_SHIFT;

/// Noted objects of a batch: their slots fit into the first cache.
const BATCH: usize = 256;
/// How many noted objects ahead headers are fetched.
const AHEAD: usize = 16;

/// Slots in the heap that name something that stays in eden, met by the collection in progress.
static MET: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn lock_met() -> std::sync::MutexGuard<'static, Vec<usize>> {
    match MET.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it collected"),
    }
}

/// A collection has met a slot with a reference to an object of eden, which stays.
#[cold]
#[inline(never)]
pub fn met(slot: RefSlot) {
    if let Some(at) = slot.in_heap().filter(|at| !eden::contains(*at)) {
        lock_met().push(at);
    }
}

/// Has those remembered who were met. The world is stopped, and what lives in the old space has its bits.
pub fn remember_met() {
    for slot in std::mem::take(&mut *lock_met()) {
        let Some(holder) = conservative::old_object_around(slot) else {
            bug!("a reference at {slot:#x} in no object");
        };
        // SAFETY: the collector has found an object there.
        remembered::keep(unsafe { Obj::from_addr(holder) }, slot);
    }
}

/// Collects eden, alone or before the old space; the number of bytes that were copied.
pub fn run(stopped: &Stopped, alone: bool) -> usize {
    births::look(stopped);
    let mut c = Closure::new();
    if alone {
        references::prepare(false)
    } else {
        references::prepare_to_hold()
    }
    let roots = threads(stopped, &mut c);
    roots.into_iter().for_each(|slot| c.slot(slot));
    provider().pinned(false, &mut |o| c.stays(o.addr()));
    c.run();
    provider().scan_globals(false, &mut |word| c.slot(RefSlot::root(word)));
    c.run();
    for i in 0..c.stay.len() {
        // SAFETY: objects that live and stay.
        unsafe { c.object(c.stay[i]) };
    }
    c.run();
    remembered(stopped, &mut c);
    c.run();
    references(&mut c);
    let copied = c.copied;
    live::grown_old(c.objects);
    end(stopped, c);
    copied
}

/// Finds what may not move, and the slots of threads that name something of eden.
fn threads(stopped: &Stopped, c: &mut Closure) -> Vec<RefSlot> {
    let mut roots = Vec::new();
    let mut root = |word| {
        let slot = RefSlot::root(word);
        if eden::contains(slot.target()) {
            roots.push(slot);
        }
    };
    for th in stopped.threads() {
        let mut words = Vec::new();
        scan_thread_block(th, &mut root);
        crate::publish::roots(th, &mut root);
        provider().scan_thread(th, &mut root, &mut |w| words.push(w));
        conservative::scan_young(th, &words, &mut root, &mut |at| c.stays(at));
    }
    roots
}

/// Finds the slots of old objects that may name something of eden.
fn remembered(stopped: &Stopped, c: &mut Closure) {
    for at in remembered::take_born_old() {
        // SAFETY: an object that cannot have died, as only collections of the full heap free it.
        unsafe { c.object(at) };
        remembered::has_grown_old(at);
        c.run();
    }
    cards::clean(|start, end| (start..end).step_by(4).for_each(|at| c.slot(RefSlot::heap(at))));
    c.run();
    for buffer in remembered::gather(stopped) {
        for batch in buffer.chunks(BATCH) {
            batch.iter().take(AHEAD).for_each(|&note| fetch_object(remembered::noted(note)));
            for (i, &note) in batch.iter().enumerate() {
                if let Some(&later) = batch.get(i + AHEAD) {
                    fetch_object(remembered::noted(later));
                }
                let at = remembered::noted(note);
                // SAFETY: an old object, which lives and stays where it is.
                unsafe { c.object(at) };
                remembered::has_grown_old(at);
            }
            c.run();
        }
    }
}

/// Has an object on its way to the cache, the first 32 bytes at least.
#[inline(always)]
fn fetch_object(address: usize) {
    fetch(address);
    fetch(address + 31);
}

fn references(c: &mut Closure) {
    let finalizable = references::after_strong(|o| c.now(o));
    finalizable.into_iter().for_each(|slot| c.slot(slot));
    c.run();
    references::after_final(false, |o| c.now(o));
}

/// Makes eden ready.
fn end(stopped: &Stopped, c: Closure) {
    for th in stopped.threads() {
        allocated::settle(th);
        eden::forget(th);
    }
    eden::objects::end_collection(c.end());
    remember_met();
}
