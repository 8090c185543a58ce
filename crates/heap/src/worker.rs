//! What a collector thread keeps for itself between two calls of the collector.
//!
//! Invariant: each collector thread has a block of its own, whose address is the thread's name towards the collector;
//! only that thread touches it during a collection. The queue of slots is empty whenever no packet of objects is
//! being scanned, since the last object of each packet empties it.
//!
//! The queue: a slot that a scan finds is not traced at once, for what it names is rarely in the cache. The object
//! and its mark bit are fetched, and the slot is traced when [`AHEAD`] more have been found, or at the end of the
//! packet. A packet's end is known because the collector asks for all objects of a packet how they are to be scanned
//! ([`Worker::expect`]) before it has the first one scanned ([`Worker::is_last`]).
use crate::arch::fetch;
use crate::object_model::Model;
use crate::slot::RefSlot;
use concord_contract::barrier::UNLOG_TABLE;
use mmtk::util::Address;
use mmtk::util::opaque_pointer::{OpaquePointer, VMThread, VMWorkerThread};
use mmtk::vm::ObjectModel;
use mmtk::vm::slot::Slot;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

/// As many collector threads as there can be.
pub const MAX_WORKERS: usize = 256;
/// Lists that a collector thread can tell apart while it scans their nodes in turns.
pub const LINKS: usize = 4;
/// Slots between the one whose target is fetched and the one that is traced, a power of two.
const AHEAD: usize = 32;

/// One thread's block, in cache lines of its own. One writer: no read-modify-write is needed.
#[repr(align(64))]
pub struct Worker {
    /// Live bytes that the thread has scanned in this collection.
    bytes: AtomicUsize,
    /// Objects that these bytes are of.
    objects: AtomicUsize,
    /// The objects that may be links of lists and were scanned last, the newest first; 0 for none.
    links: [AtomicUsize; LINKS],
    /// Objects of the packet that are still to be scanned.
    expected: AtomicUsize,
    /// Slots queued and traced so far; the slots between, each at its number modulo `AHEAD`.
    queued: AtomicUsize,
    traced: AtomicUsize,
    slots: [AtomicUsize; AHEAD],
}

static WORKERS: [Worker; MAX_WORKERS] = [const { Worker::new() }; MAX_WORKERS];

/// The name of collector thread `number`.
pub fn name(number: usize) -> VMWorkerThread {
    match WORKERS.get(number) {
        Some(w) => VMWorkerThread(VMThread(OpaquePointer::from_address(Address::from_ref(w)))),
        None => concord_base::bug!("more than {MAX_WORKERS} collector threads"),
    }
}

/// Whether `address` names a collector thread.
pub fn is_worker(address: usize) -> bool {
    let first = WORKERS.as_ptr() as usize;
    (first..first + size_of_val(&WORKERS)).contains(&address)
}

/// The block of a collector thread.
#[inline(always)]
pub fn of(tls: VMWorkerThread) -> &'static Worker {
    // SAFETY: collector threads are named by `name` only.
    unsafe { &*tls.0.0.to_address().to_ptr::<Worker>() }
}

/// Whether the collector's work is done and what it scans now are its checks of it.
static CHECKING: AtomicBool = AtomicBool::new(false);

/// Says whether checks begin, or are over.
pub fn set_checking(on: bool) {
    CHECKING.store(on, Release);
}
pub fn is_checking() -> bool {
    CHECKING.load(Acquire)
}

/// All blocks.
pub fn all() -> &'static [Worker] {
    &WORKERS
}

impl Worker {
    const fn new() -> Worker {
        Worker {
            bytes: AtomicUsize::new(0),
            objects: AtomicUsize::new(0),
            links: [const { AtomicUsize::new(0) }; LINKS],
            expected: AtomicUsize::new(0),
            queued: AtomicUsize::new(0),
            traced: AtomicUsize::new(0),
            slots: [const { AtomicUsize::new(0) }; AHEAD],
        }
    }

    /// A collection begins: forgets what was counted in the one before.
    pub fn begin(&self) {
        debug_assert!(self.expected.load(Relaxed) == 0 && self.queued.load(Relaxed) == self.traced.load(Relaxed));
        self.bytes.store(0, Relaxed);
        self.objects.store(0, Relaxed);
        self.links.iter().for_each(|l| l.store(0, Relaxed));
    }

    /// Counts an object of `bytes` that is scanned.
    #[inline(always)]
    pub fn count(&self, bytes: usize) {
        self.bytes.store(self.bytes.load(Relaxed) + bytes, Relaxed);
        self.objects.store(self.objects.load(Relaxed) + 1, Relaxed);
    }

    /// Live bytes counted in this collection.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Objects counted in this collection.
    pub fn objects(&self) -> usize {
        self.objects.load(Relaxed)
    }

    /// Notes that `object` is scanned, a link of a list perhaps; those before it.
    #[inline(always)]
    pub fn next_link(&self, object: usize) -> [usize; LINKS] {
        let before = [0, 1, 2, 3].map(|i: usize| self.links[i].load(Relaxed));
        self.links[0].store(object, Relaxed);
        (1..LINKS).for_each(|i| self.links[i].store(before[i - 1], Relaxed));
        before
    }

    /// An object is going to be scanned in the packet that begins.
    #[inline(always)]
    pub fn expect(&self) {
        self.expected.store(self.expected.load(Relaxed) + 1, Relaxed);
    }

    /// Whether the object that is being scanned is the last of its packet.
    #[inline(always)]
    pub fn is_last(&self) -> bool {
        let left = self.expected.load(Relaxed) - 1;
        self.expected.store(left, Relaxed);
        left == 0
    }

    /// Queues a slot, and returns the one that is to be traced for it, if the queue was full.
    #[inline(always)]
    pub fn queue(&self, slot: RefSlot) -> Option<RefSlot> {
        let target = slot.load()?.to_raw_address().as_usize();
        fetch(target);
        fetch(mark_table() + (target >> 6));
        fetch(pin_table() + (target >> 6));
        fetch(UNLOG_TABLE.load(Relaxed) + (target >> 6));
        let full = if self.queued.load(Relaxed) - self.traced.load(Relaxed) == AHEAD { self.take() } else { None };
        let n = self.queued.load(Relaxed);
        self.slots[n % AHEAD].store(slot.to_word(), Relaxed);
        self.queued.store(n + 1, Relaxed);
        full
    }

    /// The slot that has been queued for longest.
    #[inline(always)]
    pub fn take(&self) -> Option<RefSlot> {
        let n = self.traced.load(Relaxed);
        if n == self.queued.load(Relaxed) {
            return None;
        }
        self.traced.store(n + 1, Relaxed);
        Some(RefSlot::from_word(self.slots[n % AHEAD].load(Relaxed)))
    }
}

/// Address of the byte with the mark bit of address 0.
#[inline(always)]
fn mark_table() -> usize {
    Model::LOCAL_MARK_BIT_SPEC.as_spec().extract_side_spec().get_starting_address().as_usize()
}

/// Address of the byte with the pin of address 0.
#[inline(always)]
fn pin_table() -> usize {
    Model::LOCAL_PINNING_BIT_SPEC.as_spec().extract_side_spec().get_starting_address().as_usize()
}
