//! The state of one Java thread. Invariant owned here: everything but the node and the blocked-on
//! word is touched by its own thread only (or while the world is stopped), so the fast paths need
//! no atomic instruction for it.

use std::sync::Arc;

use crate::check::invariant;
use crate::counters::Counters;
use crate::pool::PRIVATE_MAX;
#[cfg(any(loom, shuttle))]
use crate::pool::RECORD_BYTES;
use crate::queue::{Node, wait_state};
use crate::record::{Record, owner_word};
use crate::sync::{AtomicU32, Ordering, Own};
use crate::table::MonitorTable;
use crate::word::{HASH_BITS, LockWord};

/// The monitor state of one Java thread, to be embedded in the VM's thread block.
///
/// The first fields are what compiled code reads; see [`offset`].
#[repr(C)]
#[cfg_attr(not(any(loom, shuttle)), repr(align(64)))]
pub struct MonitorThread {
    /// Address of the record table.
    base: *const Record,
    /// What this thread writes into a record's owner word.
    owner: u64,
    /// Private free list: byte offset of its first record, 0 if empty.
    free: Own<u32>,
    /// Whether exits need a fence (the same for all threads, fixed at start).
    fenced: bool,
    /// Generator of identity hashes.
    random: Own<u64>,
    /// Offset of the record that a fast part could not finish with, until the row that it asks at
    /// once takes it up; 0 else.
    missed: Own<u32>,
    /// Offset of the record that this thread put into an object last: most exits' record, found
    /// without the object's word (D11). Nothing else is known of it.
    last: Own<u32>,
    /// How long this thread's waits have been lately, in nanoseconds.
    #[cfg(not(any(loom, shuttle)))]
    usual_wait: Own<u64>,
    pub(crate) counters: Counters,
    table: Arc<MonitorTable>,
    pub(crate) node: Node,
    /// Offset of the record that this thread sleeps for, or 0; written around each sleep.
    blocked_on: AtomicU32,
}

/// Where compiled code finds the fields of a [`MonitorThread`].
#[cfg(not(any(loom, shuttle)))]
pub mod offset {
    use super::MonitorThread;
    use std::mem::offset_of;
    /// Address of the record table, pointer.
    pub const BASE: usize = offset_of!(MonitorThread, base);
    /// This thread's owner word, u64.
    pub const OWNER: usize = offset_of!(MonitorThread, owner);
    /// Offset of the first record of the private free list, u32, 0 if empty.
    pub const FREE: usize = offset_of!(MonitorThread, free);
    /// Whether exits need a fence, u8; a constant of the process.
    pub const FENCED: usize = offset_of!(MonitorThread, fenced);
    /// State of the generator of identity hashes (xorshift64 by 13, 7, 17; the hash is its upper 29
    /// bits), u64.
    pub const RANDOM: usize = offset_of!(MonitorThread, random);
    /// What a fast exit leaves to the exit proper: the offset of a record whose reference word
    /// turned out not to be zero after the object's word had been written back, u32, 0 if none. With
    /// [`WAKE`](super::WAKE) or [`STALE`](super::STALE): what else there is to do for that record.
    pub const MISSED: usize = offset_of!(MonitorThread, missed);
    /// Offset of the record of this thread's last inflation, u32, 0 before the first. If that record
    /// names an object and has this thread's owner word, then the object's word names it, except
    /// while [`MISSED`] is set.
    pub const LAST: usize = offset_of!(MonitorThread, last);
}

/// Added to a record's offset in `missed`: the record is released, and one of those who queue on it
/// has to be woken.
pub const WAKE: u32 = 1;
/// Added to a record's offset in `missed`: this thread owns the record, which serves another object
/// than the one that it enters.
pub const STALE: u32 = 2;

// SAFETY: `base` points into memory that `table` keeps alive; the rest is Send by itself.
unsafe impl Send for MonitorThread {}
// SAFETY: other threads use only the node (through the protocol), the parker and the blocked-on
// word; the private fields are relaxed atomics.
unsafe impl Sync for MonitorThread {}

impl MonitorThread {
    /// The state of the thread `tid` (any number below 2^62, unique among live threads).
    ///
    /// # Safety
    /// Only that thread passes the value to the operations of this room, and every lock word that
    /// it passes belongs to objects that are locked through `table` alone.
    pub unsafe fn new(table: &Arc<MonitorTable>, tid: u64) -> MonitorThread {
        assert!(tid < 1 << 62, "thread number {tid} does not fit an owner word");
        MonitorThread {
            base: table.pool.base(),
            owner: owner_word(tid),
            free: Own::new(0),
            fenced: table.barrier.fenced(),
            random: Own::new(table.hash_seed(tid)),
            missed: Own::new(0),
            last: Own::new(0),
            #[cfg(not(any(loom, shuttle)))]
            usual_wait: Own::new(crate::spin::SHORT_WAIT_NS),
            counters: Counters::default(),
            table: table.clone(),
            node: Node::new(tid),
            blocked_on: AtomicU32::new(0),
        }
    }

    /// The same with the VM's own name for the thread, which [`MonitorThread::notify_telling`] tells.
    pub fn hosted(mut self, host: usize) -> MonitorThread {
        self.node.host = host;
        self
    }

    /// Whether the thread is on its way back from a wait that a notification ended.
    pub fn is_notified(&self) -> bool {
        self.node.load_acquire_wait_state() == wait_state::NOTIFIED
    }

    /// The number given at creation.
    pub fn tid(&self) -> u64 {
        self.node.tid
    }

    /// The table that this thread's monitors live in.
    pub fn table(&self) -> &Arc<MonitorTable> {
        &self.table
    }

    /// Wake the thread if it sleeps in this room, so that it looks at its interrupt status and at
    /// a pending suspension. Any thread may call it while the VM keeps this value alive.
    pub fn unpark(&self) {
        self.node.parker.unpark();
    }

    #[inline(always)]
    pub(crate) fn owner(&self) -> u64 {
        self.owner
    }

    #[inline(always)]
    pub(crate) fn fenced(&self) -> bool {
        self.fenced
    }

    /// The record that a monitor word names.
    #[inline(always)]
    pub(crate) fn record(&self, word: LockWord) -> &Record {
        debug_assert!(word.is_monitor());
        self.record_at(word.record_offset())
    }

    #[inline(always)]
    pub(crate) fn record_at(&self, offset: u32) -> &Record {
        // SAFETY: `table` keeps the record memory mapped, and the offset comes from a lock word or
        // a list of this table.
        #[cfg(not(any(loom, shuttle)))]
        unsafe {
            // Bytes, not records: the offset is a multiple of the record's size, and this needs
            // no mask on the fast paths. By way of NonNull: a debug build tests the alignment of
            // a raw pointer that is dereferenced, and may panic, which no handler can hold.
            std::ptr::NonNull::new_unchecked(self.base.cast_mut().byte_add(offset as usize)).as_ref()
        }
        // SAFETY: as above; under the checkers a record has another size than its offset says.
        #[cfg(any(loom, shuttle))]
        unsafe {
            &*self.base.add((offset / RECORD_BYTES) as usize)
        }
    }

    #[inline(always)]
    pub(crate) fn offset_of(&self, record: &Record) -> u32 {
        // SAFETY: both point into the one record table.
        #[cfg(not(any(loom, shuttle)))]
        return unsafe { std::ptr::from_ref(record).byte_offset_from(self.base) as u32 };
        // SAFETY: as above.
        #[cfg(any(loom, shuttle))]
        unsafe {
            std::ptr::from_ref(record).offset_from(self.base) as u32 * RECORD_BYTES
        }
    }

    #[inline(always)]
    pub(crate) fn missed(&self) -> u32 {
        self.missed.get()
    }

    #[inline(always)]
    pub(crate) fn set_missed(&self, offset: u32) {
        self.missed.set(offset);
    }

    #[inline(always)]
    pub(crate) fn last(&self) -> u32 {
        self.last.get()
    }

    #[inline(always)]
    pub(crate) fn set_last(&self, offset: u32) {
        self.last.set(offset);
    }

    // --- the private free list ------------------------------------------------------------

    /// Offset of the first free record, 0 if there is none.
    #[inline(always)]
    pub(crate) fn free_head(&self) -> u32 {
        self.free.get()
    }

    /// Unlink the first free record, whose successor is `next`.
    #[inline(always)]
    pub(crate) fn set_free_head(&self, next: u32) {
        self.free.set(next);
    }

    /// A record's life ends: it goes to the private list, still owned by this thread (so that
    /// nobody can take it, G1) and ready to be attached again.
    #[inline(always)]
    pub(crate) fn recycle(&self, record: &Record) {
        invariant!(I4, record.nest() == 1, "a record is freed at depth {}", record.nest());
        invariant!(I7, record.load_relaxed_owner() == self.owner, "a record is freed by another thread than its owner");
        self.recycle_at(self.offset_of(record), record);
    }

    /// [`recycle`](Self::recycle) where the record's offset is at hand and the laws were seen to.
    #[inline(always)]
    pub(crate) fn recycle_at(&self, offset: u32, record: &Record) {
        record.end_life();
        record.set_next_free(self.free.get());
        self.free.set(offset);
    }

    /// Fetch a batch of records from the pool.
    #[cold]
    pub(crate) fn refill(&self) {
        self.counters.refills.bump();
        self.table.pool.take_batch(|offset| {
            let record = self.record_at(offset);
            record.set_nest(1);
            record.store_release_owner(self.owner);
            record.set_next_free(self.free.get());
            self.free.set(offset);
        });
    }

    /// G11: records migrate to the threads that deflate. Give half back if there are too many.
    /// The walk is bounded, and callers are on a slow path.
    pub(crate) fn rebalance(&self) {
        let mut at = self.free.get();
        let mut half = 0;
        for n in 0..PRIVATE_MAX {
            if at == 0 {
                return;
            }
            if n == PRIVATE_MAX / 2 {
                half = at;
            }
            at = self.record_at(at).next_free();
        }
        let last_kept = self.record_at(half);
        let surplus = last_kept.next_free();
        last_kept.set_next_free(0);
        self.counters.returns.bump();
        self.table.pool.give_back(surplus);
    }

    /// Give all free records back: the thread ends, or the world is stopped and trims.
    pub(crate) fn give_all_back(&self) {
        let first = self.free.get();
        self.free.set(0);
        if first != 0 {
            self.table.pool.give_back(first);
        }
    }

    /// Offsets of the records on the private list; for checks while the world is stopped.
    pub(crate) fn listed(&self) -> Vec<u32> {
        let mut offsets = Vec::new();
        let mut at = self.free.get();
        while at != 0 {
            offsets.push(at);
            at = self.record_at(at).next_free();
        }
        offsets
    }

    // --- hashes ---------------------------------------------------------------------------

    /// A fresh hash word. Never 0 as a hash: some VM clients take 0 for "none".
    #[inline(always)]
    pub(crate) fn fresh_hash(&self, local: bool) -> LockWord {
        let mut x = self.random.get();
        loop {
            // xorshift64 (Marsaglia); the upper bits are the better ones.
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let hash = (x >> (64 - HASH_BITS)) as u32;
            if hash != 0 {
                self.random.set(x);
                return LockWord::hash(hash, local);
            }
        }
    }

    // --- sleeping -------------------------------------------------------------------------

    #[cfg(not(any(loom, shuttle)))]
    pub(crate) fn usual_wait(&self) -> u64 {
        self.usual_wait.get()
    }

    #[cfg(not(any(loom, shuttle)))]
    pub(crate) fn set_usual_wait(&self, ns: u64) {
        self.usual_wait.set(ns);
    }

    pub(crate) fn set_blocked_on(&self, record: Option<&Record>) {
        self.blocked_on.store(record.map_or(0, |r| self.offset_of(r)), Ordering::Release);
    }

    pub(crate) fn blocked_on_offset(&self) -> u32 {
        self.blocked_on.load(Ordering::Acquire)
    }
}

impl Drop for MonitorThread {
    /// The thread ends: its free records and its counters go back to the table. It must own no
    /// monitor any more, see [`MonitorThread::release_all`].
    fn drop(&mut self) {
        self.give_all_back();
        self.table.retire(&self.counters);
    }
}
