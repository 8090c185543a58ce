//! Entering a monitor. Invariant owned here: a thread that returns from [`enter`] owns the record
//! that the object's lock word names, and a thread that sleeps has announced itself (E), has seen
//! the lock word still name the record *after* its heavy barrier, and stands in the queue.
//!
//! Why a stale record does no harm:
//! - *free to take* is said only by an attached record (G1), so a CAS of the owner word that
//!   succeeds wins the monitor of some object; the lock word read afterwards says of which one.
//!   Only the owner detaches a record, so that answer does not change while we own it.
//! - announce / deflate is a Dekker pair: we write E and read the lock word, the leaver writes the
//!   lock word and reads E. Our heavy barrier between our two makes one of us see the other.
//! - queue / release is another: we write the queue and read the owner, the leaver writes the
//!   owner and reads E and the queue, with a fence, since it saw E (or S) beforehand.

use crate::check::invariant;
use crate::delay;
use crate::park::{Block, ObjectRef, Park};
use crate::pool::fatal;
use crate::record::{ABANDONED, Record, State, UNOWNED};
use crate::sync::{AtomicU32, Ordering, full_fence, now_ns};
use crate::thread::{MonitorThread, STALE};
use crate::word::{LockWord, RECORD_MASK, TAG_EMPTY, TAG_TOKEN};

/// How long a thread sleeps at most if its heavy barrier failed (C30).
const UNCERTAIN_PARK_NS: u64 = 1_000_000;

impl MonitorThread {
    /// Enter without queueing, spinning or allocating: the part that is worth inlining. `object`
    /// is the object's address, kept for the collector. False if that did not work; nothing has
    /// changed then, and [`enter`] is the way.
    #[inline(always)]
    pub fn try_enter_fast(&self, word: &AtomicU32, object: u64) -> bool {
        self.check_next_free();
        if self.try_enter_leaf(word, object) {
            return true;
        }
        let raw = LockWord(word.load(Ordering::Acquire));
        raw.is_monitor() && matches!(self.enter_record(word, raw), EnterRecord::Entered)
    }

    /// Enter an unlocked object, or one that this thread owns: no call, no assertion and no panic,
    /// so that a handler of the interpreter can hold it. False as for
    /// [`try_enter_fast`](Self::try_enter_fast), of which this is the first half.
    #[inline(always)]
    pub fn try_enter_leaf(&self, word: &AtomicU32, object: u64) -> bool {
        // Acquire: pairs with the exit's release of this word (G6).
        let raw = LockWord(word.load(Ordering::Acquire));
        if raw.has_no_record() {
            let first = self.free_head();
            return first != 0 && self.inflate(word, raw, first, object);
        }
        raw.is_monitor() && self.enter_again(self.record_at(raw.record_offset()))
    }

    /// The laws of the record that the next inflation takes.
    #[inline(always)]
    fn check_next_free(&self) {
        if cfg!(debug_assertions) && self.free_head() != 0 {
            let record = self.record_at(self.free_head());
            invariant!(I3, record.load_relaxed_owner() == self.owner(), "a free record is not owned by its thread");
            invariant!(I4, record.nest() == 1, "a free record has depth {}", record.nest());
        }
    }

    /// Lock an unlocked object whose word names no record: put the first free record, at
    /// `offset`, into the word. One CAS confers ownership, from the empty word too (C6): the record brings a fresh
    /// hash along, which the exit leaves in the word. A LOCAL object needs no CAS at all.
    ///
    /// G8: from the CAS to the unlinking nothing can trap, poll or be interrupted by the VM.
    #[inline(always)]
    fn inflate(&self, word: &AtomicU32, raw: LockWord, offset: u32, object: u64) -> bool {
        let record = self.record_at(offset);
        let displaced = if raw.tag() == TAG_EMPTY { self.fresh_hash(raw.is_local()) } else { raw };
        record.store_release_hash_word(displaced);
        record.set_obj(object);
        let next = record.next_free();
        let inflated = LockWord::monitor(offset, raw.is_local());
        if raw.is_local() {
            word.store(inflated.0, Ordering::Release);
        } else if word.compare_exchange(raw.0, inflated.0, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            record.set_obj(0);
            return false;
        }
        self.set_free_head(next);
        self.set_last(offset);
        true
    }

    /// Enter through the record that the word names, if we own it or nobody does.
    #[inline(always)]
    fn enter_record(&self, word: &AtomicU32, raw: LockWord) -> EnterRecord {
        let record = self.record(raw);
        delay::point();
        if record.load_relaxed_owner() == self.owner() {
            invariant!(I11, record.nest() >= 1, "an owned record has depth 0");
            if !self.enter_again(record) {
                fatal("a monitor is entered 2^32 times by one thread");
            }
            return EnterRecord::Entered;
        }
        if !record.try_own(self.owner()) {
            return EnterRecord::Busy;
        }
        // We may own the record of another object by now: the paper's stale record.
        if LockWord(word.load(Ordering::Relaxed)).same_record(raw) {
            record.set_nest(1);
            return EnterRecord::Entered;
        }
        self.leave_stale_record(record);
        EnterRecord::Stale
    }

    /// Enter once more what this thread owns; false if it does not, or as often as can be counted.
    #[inline(always)]
    fn enter_again(&self, record: &Record) -> bool {
        let depth = record.nest();
        if record.load_relaxed_owner() != self.owner() || depth == u32::MAX {
            return false;
        }
        record.set_nest(depth.wrapping_add(1));
        true
    }

    /// We took a record that serves another object: let go, and wake whom we kept out.
    #[cold]
    fn leave_stale_record(&self, record: &Record) {
        self.counters.stale.bump();
        record.store_release_owner(UNOWNED);
        full_fence();
        if record.load_acquire_state().entering() != 0 {
            self.wake(record);
        }
    }

    /// Finishes what compiled code began: it took the record of another object ([`STALE`]). To be
    /// called by the row that it asks, before anything else.
    pub fn leave_missed(&self) {
        let missed = self.missed();
        if missed & STALE != 0 {
            self.set_missed(0);
            self.leave_stale_record(self.record_at(missed & RECORD_MASK));
        }
    }

    /// Announce this thread on the record, pay the heavy barrier if nobody has in this episode,
    /// and make sure that the record still serves our object.
    fn announce(&self, word: &AtomicU32, raw: LockWord, record: &Record) -> Announced {
        let certain = self.pay_barrier(record, record.add_entering());
        delay::point();
        // The re-check that makes announcing safe: from here on the record cannot leave the
        // object unnoticed.
        if !LockWord(word.load(Ordering::Acquire)).same_record(raw) {
            self.counters.stale.bump();
            self.leave_record(record);
            return Announced::Stale;
        }
        Announced::Here { certain }
    }

    /// The enterer's side of the asymmetric barrier, after its count went into `old`. False if the
    /// kernel refused, see [`crate::barrier::Barrier::heavy`].
    pub(crate) fn pay_barrier(&self, record: &Record, old: State) -> bool {
        if old.sticky() {
            // The word has been non-zero since before a completed barrier: no exit can have
            // missed it.
            full_fence();
            return true;
        }
        self.counters.heavy_barriers.bump();
        if !self.table().barrier.heavy() {
            return false;
        }
        if self.table().options.sticky {
            record.set_sticky();
        }
        true
    }

    /// Undo the announcement of a thread that is not queued; whoever is the last on an abandoned
    /// record takes it.
    fn leave_record(&self, record: &Record) {
        record.sub_entering();
        // Dekker with the abandoner, who stores the mark and then looks at E: the later of us two
        // takes the record. The read-modify-write above is a fence on x86, not everywhere (G6).
        full_fence();
        if record.load_relaxed_owner() == ABANDONED {
            self.reclaim(record);
        }
    }

    /// Take an abandoned record if nobody is on it any more.
    ///
    /// Between the look at the counts and the CAS another thread may have taken the record, used it
    /// and abandoned it again, with threads on it: the mark is the same. So the counts are looked at
    /// again by the new owner, who puts the mark back if he came too early, and then begins again:
    /// those who left meanwhile have not seen the mark.
    pub(crate) fn reclaim(&self, record: &Record) {
        while record.load_acquire_state().unused() && record.try_reclaim(self.owner()) {
            delay::point();
            if record.load_acquire_state().unused() {
                self.counters.reclaimed.bump();
                record.clear_sticky();
                record.set_quiet_exits(0);
                record.set_nest(1);
                self.recycle(record);
                return;
            }
            record.abandon();
            full_fence();
        }
    }
}

enum EnterRecord {
    Entered,
    Busy,
    Stale,
}

enum Announced {
    /// Counted on the record, which serves our object. Not `certain`: the barrier failed.
    Here { certain: bool },
    /// The record serves another object by now; the announcement is undone.
    Stale,
}

/// Enter the object's monitor: what `monitorenter` does. Returns owning it.
///
/// May sleep, so every object may have moved when it returns (the caller's handle included).
#[inline]
pub fn enter<P: Park, O: ObjectRef>(park: &P, object: &O) {
    let thread = park.monitor_thread();
    // SAFETY: `ObjectRef` promises a valid lock word until the next sleep.
    let word = unsafe { &*object.lock_word() };
    if !thread.try_enter_fast(word, object.address()) {
        enter_slow(park, object);
    }
}

#[cold]
fn enter_slow<P: Park, O: ObjectRef>(park: &P, object: &O) {
    let thread = park.monitor_thread();
    thread.counters.slow_enters.bump();
    let mut spins = 3;
    let mut contended = false;
    loop {
        // SAFETY: `ObjectRef` promises a valid lock word until the next sleep.
        let word = unsafe { &*object.lock_word() };
        let raw = LockWord(word.load(Ordering::Acquire));
        if raw.tag() == TAG_TOKEN {
            fatal(&format!("monitor enter on a word that this room does not interpret: {raw}"));
        }
        if !raw.is_monitor() {
            if thread.free_head() == 0 {
                thread.refill();
            }
            thread.check_next_free();
            if thread.inflate(word, raw, thread.free_head(), object.address()) {
                break;
            }
            continue;
        }
        match thread.enter_record(word, raw) {
            EnterRecord::Entered => break,
            EnterRecord::Stale => continue,
            EnterRecord::Busy => {}
        }
        let record = thread.record(raw);
        if spins > 0 {
            spins -= 1;
            if thread.spin(word, raw, record) {
                continue;
            }
        }
        if let Announced::Here { certain } = thread.announce(word, raw, record) {
            if !contended {
                contended = true;
                park.contended_enter();
            }
            if enter_queued(park, object, record, raw, certain, false) {
                break;
            }
        }
    }
    if contended {
        thread.rebalance();
        park.contended_entered();
    }
}

/// Queue, sleep, try, until the record is ours. The thread has announced itself on it, and may have
/// been `woken` for it already. False if the record lost our object: the announcement is undone then.
pub(crate) fn enter_queued<P: Park, O: ObjectRef>(
    park: &P,
    object: &O,
    record: &Record,
    raw: LockWord,
    certain: bool,
    mut woken: bool,
) -> bool {
    let thread = park.monitor_thread();
    let me = thread.owner();
    loop {
        let suspend;
        // Counted with certainty, so the record is our object's for as long as it can be taken.
        let taken = woken && certain && thread.spin_as_successor(record);
        if !taken {
            // In the queue first, then look: whoever releases after our look finds us there.
            invariant!(I7, !certain || !record.is_free(), "a thread queues on a free record");
            record.enqueue(&thread.node, woken);
            full_fence();
        }
        // The re-check that lets us sleep: the record may have been abandoned meanwhile, and then
        // all those in the queue are woken once to see it.
        if !taken && !serves(object, raw) {
            record.dequeue(&thread.node);
            if !certain {
                // Without the barrier's guarantee (C30) this may be the queue of another object by
                // now: a wakeup that we took, before this turn or in it, was for somebody else.
                full_fence();
                thread.wake(record);
            }
            thread.leave_record(record);
            return false;
        }
        if taken || record.try_own(me) {
            // Without the barrier's guarantee (C30) the record may have gone to another object
            // between the look and the CAS.
            if !certain && !serves(object, raw) {
                record.dequeue(&thread.node);
                record.store_release_owner(UNOWNED);
                full_fence();
                thread.wake(record);
                thread.leave_record(record);
                return false;
            }
            suspend = park.suspend_pending();
            if !suspend {
                break;
            }
            // G3: a thread that must not run must not keep the monitor either.
            thread.counters.given_back.bump();
            record.store_release_owner(UNOWNED);
        } else {
            suspend = park.suspend_pending();
        }
        if suspend {
            // G3: nor may it hold the baton of the throttle. Still counted (E), so the record
            // stays with the object meanwhile.
            record.dequeue(&thread.node);
            full_fence();
            thread.wake(record);
            thread.set_blocked_on(Some(record));
            park.suspend();
            thread.set_blocked_on(None);
            woken = true;
            continue;
        }
        thread.counters.parks.bump();
        thread.set_blocked_on(Some(record));
        park.before_block(Block::Enter);
        thread.node.parker.park(if certain { None } else { Some(now_ns().saturating_add(UNCERTAIN_PARK_NS)) });
        park.after_block();
        thread.set_blocked_on(None);
        woken = true;
    }
    // Ours. The count goes first: the monitor is locked now, so nobody looks at E before our exit.
    record.sub_entering();
    record.dequeue(&thread.node);
    record.set_nest(1);
    invariant!(I1, record.load_relaxed_owner() == me, "entered, but {} is the owner", record.load_relaxed_owner());
    true
}

/// Whether the object's word still names the record.
fn serves<O: ObjectRef>(object: &O, raw: LockWord) -> bool {
    // SAFETY: `ObjectRef` promises a valid lock word until the next sleep; after a sleep it is
    // read anew here, since the object may have moved.
    let word = unsafe { &*object.lock_word() };
    LockWord(word.load(Ordering::Acquire)).same_record(raw)
}
