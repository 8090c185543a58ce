//! The room while the world is stopped: what the collector and the observers (thread dump,
//! deadlock search, management) may do. Invariant owned here: nothing in this module runs beside a
//! thread inside the protocol. Threads that sleep in the room count as stopped; their records are
//! pinned by their counts.
//!
//! Transient states of the protocol (a stale owner, a record between two lists) are not visible
//! at a stop (G10), because the protocol never polls in between.

use crate::queue::wait_state;
use crate::record::{ABANDONED, FREE, Record, UNOWNED, owner_tid};
use crate::sync::{AtomicU32, Ordering};
use crate::table::MonitorTable;
use crate::thread::MonitorThread;
use crate::word::{LockWord, TAG_HASH};

/// The right to look at and change all monitors: the world is stopped as long as this lives.
pub struct AtStop<'a> {
    table: &'a MonitorTable,
}

/// What the collector is to do with an attached record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The object is alive, at this address now.
    Alive(u64),
    /// The object is dead. Only for records that are not [strong](Attached::is_strong).
    Dead,
}

/// A record with an object.
pub struct Attached<'a> {
    record: &'a Record,
    offset: u32,
}

/// What a sleeping thread sleeps for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockedOn {
    /// It wants to enter the monitor of the object at this address.
    Entering(u64),
    /// It waits to be notified on the object at this address.
    Waiting(u64),
}

impl MonitorTable {
    /// Look at all monitors while the world is stopped.
    ///
    /// # Safety
    /// As long as the result lives, no thread runs in this room, except for sleeping in it between
    /// `before_block` and `after_block`.
    pub unsafe fn at_stop(&self) -> AtStop<'_> {
        AtStop { table: self }
    }
}

impl<'a> AtStop<'a> {
    /// Every attached record.
    pub fn for_each_attached(&self, mut visit: impl FnMut(Attached<'_>)) {
        self.table.pool.for_each(|offset, record| {
            if record.is_attached() {
                visit(Attached { record, offset });
            }
        });
    }

    /// The record that a monitor word names.
    pub fn monitor_of(&self, word: LockWord) -> Option<Attached<'a>> {
        word.is_monitor().then(|| {
            let offset = word.record_offset();
            Attached { record: self.table.pool.record(offset), offset }
        })
    }

    /// The collector's visit after marking. `judge` is asked about every attached record: where is
    /// its object, and is it alive? Records of dead objects are freed; records that nobody uses
    /// are taken off their (moved) objects, whose words are found by `word_of`.
    ///
    /// # Safety
    /// `word_of` returns the lock word of the object at a (new) address that `judge` has given.
    pub unsafe fn sweep(
        &self,
        mut judge: impl FnMut(&Attached<'_>) -> Verdict,
        mut word_of: impl FnMut(u64) -> *const AtomicU32,
    ) {
        let mut freed = 0;
        let mut deflated = 0;
        self.table.pool.for_each(|offset, record| {
            if !record.is_attached() {
                return;
            }
            let attached = Attached { record, offset };
            match judge(&attached) {
                Verdict::Alive(address) => {
                    record.set_obj(address);
                    if attached.is_strong() {
                        return;
                    }
                    // SAFETY: by the caller's promise.
                    let word = unsafe { &*word_of(address) };
                    debug_assert!(LockWord(word.load(Ordering::Relaxed)).same_record(LockWord::monitor(offset, false)));
                    word.store(record.load_acquire_hash_word().0, Ordering::Relaxed);
                    deflated += 1;
                }
                Verdict::Dead => {
                    assert!(!attached.is_strong(), "the object of a monitor in use was not kept alive: {attached}");
                }
            }
            record.end_life();
            record.clear_sticky();
            record.set_quiet_exits(0);
            record.set_nest(1);
            record.store_release_owner(FREE);
            record.set_next_free(freed);
            freed = offset;
        });
        self.table.count_deflated(deflated);
        if freed != 0 {
            self.table.pool.give_back(freed);
        }
    }

    /// Give idle record memory back to the kernel, private lists included (C31, G11). `threads` are
    /// asked for only if there is more than a little of it. Returns how many bytes were given back.
    ///
    /// # Safety
    /// `threads` returns all threads of the table that ever fetched records and have not ended: the
    /// records of one that is missing would be on its list and on the pool's.
    pub unsafe fn trim<'t, T: IntoIterator<Item = &'t MonitorThread>>(&self, threads: impl FnOnce() -> T) -> u64 {
        if !self.table.pool.worth_trimming() {
            return 0;
        }
        for thread in threads() {
            thread.give_all_back();
        }
        let before = self.table.bytes_in_use();
        // SAFETY: the world is stopped, and the private lists are empty now.
        unsafe { self.table.pool.trim() };
        before - self.table.bytes_in_use()
    }

    /// What the thread sleeps for in this room, if it does.
    pub fn blocked_on(&self, thread: &MonitorThread) -> Option<(BlockedOn, Attached<'a>)> {
        let offset = thread.blocked_on_offset();
        if offset == 0 {
            return None;
        }
        let record = self.table.pool.record(offset);
        let address = record.obj();
        let what = if thread.node.load_acquire_wait_state() == wait_state::WAITING {
            BlockedOn::Waiting(address)
        } else {
            BlockedOn::Entering(address)
        };
        Some((what, Attached { record, offset }))
    }

    /// Check the laws that hold at a stop (see `check`). `word_of` finds the lock word of the
    /// object at an address. Returns the broken ones, each with its name.
    ///
    /// # Safety
    /// `word_of` returns the lock word of the object at the address that it is given, and
    /// `threads` are all threads of the table.
    pub unsafe fn verify(
        &self,
        threads: &[&MonitorThread],
        mut word_of: impl FnMut(u64) -> *const AtomicU32,
    ) -> Vec<String> {
        let mut broken = Vec::new();
        let mut seen = std::collections::HashMap::new();
        self.table.pool.for_each(|offset, record| {
            // SAFETY: the world is stopped.
            let (queued, waiting) = unsafe { (record.queued_tids(), record.waiting_tids()) };
            let state = record.load_acquire_state();
            let owner = record.load_relaxed_owner();
            let mut law = |name: &str, holds: bool, says: &str| {
                if !holds {
                    broken.push(format!(
                        "{name}: {says}: record {offset:#x} owner {owner:#x} obj {:#x} {state:?}",
                        record.obj()
                    ));
                }
            };
            if !record.is_attached() {
                law("I3", owner != UNOWNED, "a detached record is free to take");
                law("I9", record.is_free() == (owner != ABANDONED), "abandoned in one field only");
                law("I9", record.is_free() || state.entering() > 0, "an abandoned record with nobody leaving it");
                if record.is_free() {
                    law("I7", queued.is_empty() && waiting.is_empty(), "a free record with queued threads");
                    law("I4", record.nest() == 1 || owner == FREE, "a free record at another depth than 1");
                }
                return;
            }
            // SAFETY: by the caller's promise.
            let word = LockWord(unsafe { &*word_of(record.obj()) }.load(Ordering::Relaxed));
            law("I2", word.same_record(LockWord::monitor(offset, false)), "the object's word names another record");
            law("I2", seen.insert(record.obj(), offset).is_none(), "two records name one object");
            law("I8", record.hash_word().tag() == TAG_HASH, "an attached record without a hash");
            law("I8", record.hash_word().is_local() == word.is_local(), "LOCAL differs between word and record");
            law("I4", record.nest() >= 1, "depth 0");
            law("I5", queued.len() as u64 <= state.entering(), "more queued threads than announced ones");
            law("I9", owner == UNOWNED || owner_tid(owner).is_some(), "an attached record with a strange owner");
            law("I5", waiting.len() as u64 == state.waiting(), "the wait set and its count differ");
        });
        // I9: a record is on one list at most.
        let mut listed = std::collections::HashSet::new();
        for offset in self.table.pool.listed().into_iter().chain(threads.iter().flat_map(|t| t.listed())) {
            if !listed.insert(offset) {
                broken.push(format!("I9: record {offset:#x} is on two lists"));
            }
            let record = self.table.pool.record(offset);
            if record.obj() != 0 {
                broken.push(format!("I9: record {offset:#x} is on a list and attached to {:#x}", record.obj()));
            }
        }
        broken
    }
}

impl Attached<'_> {
    /// The object's address.
    pub fn object(&self) -> u64 {
        self.record.obj()
    }

    /// Whether somebody owns, enters or waits: then the record keeps its object alive.
    pub fn is_strong(&self) -> bool {
        self.record.load_relaxed_owner() != UNOWNED || !self.record.load_acquire_state().unused()
    }

    /// The thread that owns the monitor.
    pub fn owner(&self) -> Option<u64> {
        owner_tid(self.record.load_relaxed_owner())
    }

    /// How many times the owner has entered.
    pub fn depth(&self) -> u32 {
        if self.owner().is_some() { self.record.nest() } else { 0 }
    }

    /// Threads in the entry queue, next one first. A thread that was just woken is not in it: ask
    /// the threads what they are [blocked on](AtStop::blocked_on) for a complete picture.
    pub fn queued(&self) -> Vec<u64> {
        // SAFETY: the world is stopped as long as this value can live.
        unsafe { self.record.queued_tids() }
    }

    /// Threads that wait to be notified, longest waiting first.
    pub fn waiting(&self) -> Vec<u64> {
        // SAFETY: as in `queued`.
        unsafe { self.record.waiting_tids() }
    }

    /// The word that the object would have if it were unlocked: what a heap dump or an image
    /// writes instead of the record.
    pub fn displaced_word(&self) -> LockWord {
        self.record.load_acquire_hash_word()
    }
}

impl std::fmt::Display for Attached<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.record.load_acquire_state();
        write!(f, "monitor {:#x} of object {:#x}: ", self.offset, self.object())?;
        match self.owner() {
            Some(tid) => write!(f, "owner {tid} depth {}", self.depth())?,
            None => write!(f, "unlocked")?,
        }
        write!(f, ", {} entering, {} waiting", state.entering(), state.waiting())?;
        if state.sticky() { write!(f, ", sticky") } else { Ok(()) }
    }
}
