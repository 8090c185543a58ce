//! Collections of the full heap in which nothing moves: what is dead becomes gaps, into which objects grow old.
//!
//! Invariant: afterwards every object that a slot names is alive and has its valid-object bit, no other object of the
//! collector's blocks has one, and whatever the collector has handed out it still believes in use. The steps, with the world
//! stopped, behind a young collection, on the thread that needs room:
//!
//! 1. all allocators give their places up, so that nobody bumps through memory that is about to be a gap;
//! 2. roots, the closure (`trace`), and the steps of java.lang.ref with a closure each (`references`);
//! 3. the sweep (`gaps`), which takes the valid-object bits of the dead; `filler` has young collections fill what it finds.
//!
//! The collector takes no part: to it a block stays as full as it was. Its own collections find what it holds then, free
//! lines and blocks, and move objects together; they are left for where gaps do not help ([`is_due`]): too few, too small,
//! or large objects, which are freed only there. A dead large object stays a complete object until then: its slots
//! are made null, since what they name may become a gap, and it keeps its class.
//!
//! Why: to mark an object here costs a third of what it costs the collector, whose threads mark by atomic instructions
//! and share packets of work, and nothing need be copied for objects that die at random among others. Measured in `bench/run
//! collector` (`map`).
//!
//! Deliberately absent: heaps above 4 GiB, where blocks and large objects lie among each other, and more than one thread.
pub mod filler;
pub mod gaps;
pub mod marks;
mod trace;

use crate::binding::{heap, heap_thread, mutator_tls, promoter};
use crate::options::{HeapOptions, Plan};
use crate::roots::{provider, scan_thread_block};
use crate::slot::RefSlot;
use crate::{cards, conservative, eden, evacuation, large, live, references, remembered, scanning, worker};
use concord_base::vm_log;
use concord_contract::Thread;
use concord_safepoint::Stopped;
use mmtk::MutatorContext;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use trace::Marker;

/// Whether the last collection in place was in vain, and none of the collector's has been since.
static IN_VAIN: AtomicBool = AtomicBool::new(false);

/// Whether it can be done in such a heap: with eden, where spaces are contiguous, and unless everything is to move.
pub fn is_possible_with(options: &HeapOptions) -> bool {
    options.plan == Plan::StickyImmix && options.contiguous_extent().is_some() && !options.zeal.defrag
}
/// Whether it can be done here.
pub fn is_possible() -> bool {
    is_possible_with(&heap().options)
}

/// Whether a collection is due, as the next one would leave so many bytes of `pages`, of which the one after it adds
/// `grows`: those two halfway to it are two sevenths more than was alive last, and half of the heap at least; or there would
/// not be `eden` behind it, for none makes room there.
///
/// Not if the last one was in vain, nor if little has grown old since, nor where large objects are much of the heap.
pub fn is_due(pages: usize, grows: usize, eden: usize) -> bool {
    let options = &heap().options;
    let much = (live::marked() / 25 * 32).max(options.max / 2);
    (pages + grows / 2 > much || pages + grows + eden > options.max)
        && is_possible()
        && !IN_VAIN.load(Relaxed)
        && live::grown() > options.nursery_bytes() / 2
        && large::bytes() < options.max / 4
}

/// A collection in place has ended that was to make room: whether it has.
pub fn judge() -> bool {
    let max = heap().options.max;
    let free = max.saturating_sub(crate::gc_log::used_pages());
    let enough = free >= crate::nursery::size() / 2 && free + gaps::left() > max / 8;
    IN_VAIN.store(!enough, Relaxed);
    enough
}

/// The collector's own collection begins.
pub fn forget() {
    if is_possible() {
        gaps::forget();
        IN_VAIN.store(false, Relaxed);
    }
}

/// Collects all but eden, which has been.
pub fn run(stopped: &Stopped) {
    for th in stopped.threads() {
        // SAFETY: the thread is stopped and attached.
        let mutator = unsafe { &mut (*heap_thread(&*(th as *const Thread))).mutator };
        debug_assert_eq!(mutator.get_tls(), mutator_tls(th));
        mutator.release(worker::name(0));
    }
    promoter().release(worker::name(0));
    remembered::forget_in_place();
    evacuation::begin_in_place();
    marks::marks().clear();
    let mut m = Marker::new();
    roots(stopped, &mut m);
    m.run();
    // What is dead or not: classes that it may need until the collector frees it.
    large::for_each(|at| {
        // SAFETY: an object, which the collector has not freed.
        unsafe { scanning::class_edges(at, |slot| m.slot(slot)) };
    });
    m.run();
    let finalizable = references::after_strong(|o| m.now(o));
    finalizable.into_iter().for_each(|slot| m.slot(slot));
    m.run();
    references::after_final(true, |o| m.now(o));
    large::for_each(|at| {
        if m.now(at).is_none() {
            hollow(at);
        }
    });
    let gaps = gaps::sweep();
    live::end_in_place(m.bytes, m.objects);
    vm_log!(GcErgo, Debug, "In place: {}K live, {}K in gaps", m.bytes >> 10, gaps >> 10);
}

fn roots(stopped: &Stopped, m: &mut Marker) {
    let mut found = Vec::new();
    for th in stopped.threads() {
        let mut words = Vec::new();
        let mut root = |word| m.slot(RefSlot::root(word));
        scan_thread_block(th, &mut root);
        crate::publish::roots(th, &mut root);
        provider().scan_thread(th, &mut root, &mut |w| words.push(w));
        found.extend(conservative::scan(th, &words, &mut root));
    }
    found.into_iter().for_each(|o| m.object(o.to_raw_address().as_usize()));
    provider().scan_globals(true, &mut |word| m.slot(RefSlot::root(word)));
    // They tell of references to young objects, of which there are none any more but those that are met again.
    cards::clean(|_, _| {});
    eden::objects::for_each_left(|at| {
        // SAFETY: what the young collection before has left are objects that live.
        unsafe { scanning::visit_all(at, |slot| m.slot(slot)) };
    });
    provider().pinned(true, &mut |o| {
        if !o.is_null() && !eden::contains(o.addr()) {
            m.object(o.addr());
        }
    });
}

/// Makes the slots of a dead object null.
#[cold]
fn hollow(at: usize) {
    // SAFETY: an object with a complete header; the world is stopped.
    unsafe {
        let l = scanning::layout_at(at);
        scanning::slots_of(at, l, |slot| slot.set(0));
        if let (true, Some(r)) = (l.kind.is_reference(), provider().reference_layout()) {
            [r.referent, r.discovered].into_iter().for_each(|f| RefSlot::heap(at + f).set(0));
        }
    }
}
