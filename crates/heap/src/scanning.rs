//! How references are found: in objects, in threads, in the VM.
//!
//! Invariant: every reference slot of every kind of layout is visited here and nowhere else.
use crate::arch::fetch;
use crate::binding::{Concord, thread_of};
use crate::conservative;
use crate::eden;
use crate::evacuation;
use crate::object_model::size;
use crate::references;
use crate::roots::{provider, scan_thread_block};
use crate::slot::{RefSlot, reference};
use crate::worker::{self, Worker};
use concord_contract::layout::{self, Layout, LayoutKind, NO_CHAIN};
use concord_contract::object::{HEADER_BYTES, LAYOUT_ID_MASK, LAYOUT_OFFSET, LENGTH_OFFSET};
use mmtk::scheduler::GCWorker;
use mmtk::util::ObjectReference;
use mmtk::util::opaque_pointer::VMWorkerThread;
use mmtk::vm::slot::Slot;
use mmtk::vm::{ObjectTracer, ObjectTracerContext, RootsWorkFactory, Scanning, SlotVisitor};
use mmtk::{Mutator, MutatorContext};

pub struct Scanner;

/// Slots per packet of root work: packets are dear, the collector reserves 32 KB for each.
const BATCH: usize = 4096;
/// Objects of a linked list that one step follows before it gives the rest to the queue.
const CHAIN_STEPS: usize = 1000;

/// Counts an object that is scanned.
#[inline(always)]
fn count(worker: &Worker, address: usize, bytes: usize) {
    worker.count(bytes);
    evacuation::count(address, bytes);
}

/// Whether the collector has reached the object at `address`.
fn is_reached(address: usize) -> bool {
    references::now(address).is_some()
}

/// Visits the slots of the object at `address` and what else it keeps alive, in a collection of the full heap, which has
/// reached what `is_reached` says.
///
/// # Safety
/// An object with a complete header is there, and nobody writes it.
#[inline(always)]
pub unsafe fn visit(address: usize, is_reached: impl Fn(usize) -> bool, mut visit: impl FnMut(RefSlot)) {
    // SAFETY: by the caller's promise.
    unsafe {
        let l = layout_at(address);
        slots_of(address, l, &mut visit);
        class_edges(address, &mut visit);
        if l.kind.is_reference() {
            references::discover(address, is_reached, &mut visit);
        }
    }
}

/// As [`visit`] for an object that is a root: a reference holds its referent.
///
/// # Safety
/// As there.
pub unsafe fn visit_all(address: usize, mut visit: impl FnMut(RefSlot)) {
    // SAFETY: by the caller's promise.
    unsafe {
        own_slots(address, &mut visit);
        class_edges(address, &mut visit);
    }
}

/// Visits all slots of the object at `address`, those of a reference included.
///
/// # Safety
/// An object with a complete header is there, and nobody writes it.
#[inline(always)]
pub unsafe fn own_slots(address: usize, mut visit: impl FnMut(RefSlot)) {
    // SAFETY: by the caller's promise.
    unsafe {
        let l = layout_at(address);
        slots_of(address, l, &mut visit);
        if let (true, Some(r)) = (l.kind.is_reference(), provider().reference_layout()) {
            [r.referent, r.discovered].into_iter().for_each(|at| visit(RefSlot::heap(address + at)));
        }
    }
}

/// Visits what the object at `address` keeps alive outside the heap.
///
/// # Safety
/// An object with a complete header is there, and nobody writes it.
#[inline(always)]
pub unsafe fn class_edges(address: usize, mut visit: impl FnMut(RefSlot)) {
    // SAFETY: by the caller's promise.
    let id = unsafe { *((address + LAYOUT_OFFSET) as *const u32) } & LAYOUT_ID_MASK;
    if layout::marks_of(id) != 0 {
        // SAFETY: as above.
        let o = unsafe { concord_contract::Obj::from_addr(address) };
        provider().class_edges(o, id, &mut |slot| {
            let slot = RefSlot::root(slot);
            if slot.load().is_some() {
                visit(slot);
            }
        });
    }
}

/// The layout of the object at `address`.
///
/// # Safety
/// An object with a complete header is there.
#[inline(always)]
pub unsafe fn layout_at(address: usize) -> &'static Layout {
    // SAFETY: by the caller's promise.
    layout::get(unsafe { *((address + LAYOUT_OFFSET) as *const u32) } & LAYOUT_ID_MASK)
}

/// Visits the slots of the object at `address`, the referent of a reference excepted.
///
/// # Safety
/// An object with a complete header is there, and nobody writes it.
#[inline(always)]
pub unsafe fn slots_of(address: usize, l: &Layout, mut visit: impl FnMut(RefSlot)) {
    let mut bits = |mut map: u64, base: usize| {
        while map != 0 {
            let i = map.trailing_zeros() as usize;
            map &= map - 1;
            visit(RefSlot::heap(base + 4 * i));
        }
    };
    match l.kind {
        LayoutKind::Instance | LayoutKind::Reference => bits(l.map, address + HEADER_BYTES),
        LayoutKind::PrimArray => {}
        LayoutKind::RefArray => {
            // SAFETY: arrays have a length.
            let n = unsafe { *((address + LENGTH_OFFSET) as *const u32) } as usize;
            let base = address + l.base as usize;
            for i in 0..n {
                visit(RefSlot::heap(base + 4 * i));
            }
        }
        LayoutKind::LargeInstance | LayoutKind::LargeReference => {
            let words = (l.size as usize).div_ceil(256);
            for i in 0..words {
                // SAFETY: the contract of this kind: `map` is the address of that many words.
                let map = unsafe { *(l.map as usize as *const u64).add(i) };
                bits(map, address + HEADER_BYTES + 256 * i);
            }
        }
    }
}

/// The slots of an object that may link it to a list; twice the same if there is one.
#[inline(always)]
fn links(address: usize, l: &Layout) -> [RefSlot; 2] {
    let slot = |n: u8| RefSlot::heap(address + HEADER_BYTES + 4 * n as usize);
    [slot(l.chain), slot(if l.base == NO_CHAIN { l.chain } else { l.base })]
}

/// Whether the object is a child of one of those scanned just before, which has the same layout. In a tree the next ones
/// to be scanned are siblings, unless few are in the queue; in a list it is the next node. An instance with links.
#[inline(always)]
fn continues_list(worker: &Worker, address: usize, l: &'static Layout) -> bool {
    worker.next_link(address).into_iter().any(|before| {
        // SAFETY: it was scanned in this collection, so it is an object that stays where it is.
        before != 0
            && std::ptr::eq(unsafe { layout_at(before) }, l)
            && links(before, l).iter().any(|s| s.load().is_some_and(|c| c.to_raw_address().as_usize() == address))
    })
}

/// Whether the collector scans only to check (feature `sanity`): after its work, in the name of one of its threads, or
/// in nobody's. What it then finds by slots is nothing to be traced.
#[inline(always)]
fn is_check(tls: VMWorkerThread) -> bool {
    tls.0.0.is_null() || cfg!(feature = "sanity") && worker::is_checking()
}

/// Has the collector mark or move what a slot names, and updates the slot.
#[inline(always)]
fn trace<T: ObjectTracer>(slot: RefSlot, tracer: &mut T) {
    if let Some(child) = slot.load() {
        let new = tracer.trace_object(child);
        if new != child {
            slot.store(new);
        }
    }
}

/// Follows a linked list in one step instead of one packet of work per node, which takes 150 ns: a link is
/// followed here as long as it leads to nodes not seen before. What is followed is queued by the collector, too,
/// and counted when its turn comes.
///
/// # Safety
/// An object with a complete header and with links is there, and nobody writes it.
unsafe fn follow_list<T: ObjectTracer>(mut address: usize, tracer: &mut T) {
    for _ in 0..CHAIN_STEPS {
        let mut next = None;
        // SAFETY: by the caller's promise; a traced child is an object, too, with the layout of the first.
        unsafe {
            class_edges(address, |slot| trace(slot, tracer));
            let l = layout_at(address);
            let links = links(address, l);
            slots_of(address, l, |slot| {
                if let Some(child) = slot.load() {
                    let fresh = links.contains(&slot) && !child.is_reachable();
                    let new = tracer.trace_object(child);
                    if new != child {
                        slot.store(new);
                    }
                    // The list may end in a node of another class.
                    if fresh && std::ptr::eq(layout_at(new.to_raw_address().as_usize()), l) {
                        next = Some(new.to_raw_address().as_usize());
                    }
                }
            });
        }
        match next {
            Some(n) => address = n,
            None => break,
        }
    }
}

fn send(factory: &mut impl RootsWorkFactory<RefSlot>, scan: impl FnOnce(&mut dyn FnMut(*mut u64))) {
    let mut batch = Vec::new();
    scan(&mut |slot| {
        let slot = RefSlot::root(slot);
        if slot.load().is_some() {
            batch.push(slot);
            if batch.len() == BATCH {
                factory.create_process_roots_work(std::mem::take(&mut batch));
            }
        }
    });
    if !batch.is_empty() {
        factory.create_process_roots_work(batch);
    }
}

impl Scanning<Concord> for Scanner {
    /// Nothing is enqueued by slots: `scan_object_and_trace_edges` has a queue of its own, from which slots come
    /// when what they name has come to the cache. The collector asks for all objects of a packet before it has the first
    /// one scanned: they were traced long ago, and are fetched again.
    #[inline(always)]
    fn support_slot_enqueuing(tls: VMWorkerThread, o: ObjectReference) -> bool {
        if is_check(tls) {
            return true;
        }
        fetch(o.to_raw_address().as_usize());
        worker::of(tls).expect();
        false
    }

    /// Not called, see `support_slot_enqueuing`, but by the collector's own checks.
    #[inline(always)]
    fn scan_object<V: SlotVisitor<RefSlot>>(_tls: VMWorkerThread, o: ObjectReference, visitor: &mut V) {
        // SAFETY: the collector passes objects with complete headers, the world is stopped.
        unsafe { visit(o.to_raw_address().as_usize(), is_reached, |slot| visitor.visit_slot(slot)) }
    }

    #[inline(always)]
    fn scan_object_and_trace_edges<T: ObjectTracer>(tls: VMWorkerThread, o: ObjectReference, tracer: &mut T) {
        let address = o.to_raw_address().as_usize();
        let worker = worker::of(tls);
        count(worker, address, size(o));
        // SAFETY: the collector passes objects with complete headers, the world is stopped.
        unsafe {
            let l = layout_at(address);
            if l.chain != NO_CHAIN && continues_list(worker, address, l) {
                follow_list(address, tracer);
            } else {
                visit(address, is_reached, |slot| {
                    if let Some(slot) = worker.queue(slot) {
                        trace(slot, tracer);
                    }
                });
            }
        }
        if worker.is_last() {
            while let Some(slot) = worker.take() {
                trace(slot, tracer);
            }
        }
    }

    fn notify_initial_thread_scan_complete(_partial_scan: bool, _tls: VMWorkerThread) {}

    fn scan_roots_in_mutator_thread(
        _tls: VMWorkerThread,
        mutator: &'static mut Mutator<Concord>,
        mut factory: impl RootsWorkFactory<RefSlot>,
    ) {
        // SAFETY: mutators of attached threads only, while the world is stopped.
        let th = unsafe { thread_of(mutator.get_tls()) };
        let mut words = Vec::new();
        send(&mut factory, |slots| {
            scan_thread_block(th, slots);
            crate::publish::roots(th, slots);
            provider().scan_thread(th, slots, &mut |w| words.push(w));
        });
        let mut pins = Vec::new();
        send(&mut factory, |slots| pins = conservative::scan(th, &words, slots));
        if !pins.is_empty() {
            factory.create_process_pinning_roots_work(pins);
        }
    }

    fn scan_vm_specific_roots(_tls: VMWorkerThread, mut factory: impl RootsWorkFactory<RefSlot>) {
        send(&mut factory, |slots| provider().scan_globals(true, slots));
        // They tell of references to young objects, and there is none any more but to what is visited here.
        crate::cards::clean(|_, _| {});
        let mut slots = Vec::new();
        eden::objects::for_each_left(|at| {
            // SAFETY: what the young collection before has left are objects that live.
            unsafe { visit_all(at, |slot| slots.extend(slot.load().map(|_| slot))) };
        });
        if !slots.is_empty() {
            factory.create_process_roots_work(slots);
        }
        let mut pins = Vec::new();
        provider().pinned(true, &mut |o| {
            if !o.is_null() && !eden::contains(o.addr()) {
                // SAFETY: the provider names live objects.
                pins.push(unsafe { reference(o.addr()) });
            }
        });
        if !pins.is_empty() {
            factory.create_process_pinning_roots_work(pins);
        }
    }

    fn supports_return_barrier() -> bool {
        false
    }
    fn prepare_for_roots_re_scanning() {}

    fn process_weak_refs(worker: &mut GCWorker<Concord>, context: impl ObjectTracerContext<Concord>) -> bool {
        references::process(worker, context)
    }
}
