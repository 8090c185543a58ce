//! Leaving a monitor. Invariant owned here: whoever announced himself before the exit's last look
//! at the reference word is either woken or finds the monitor free by himself; and a record leaves
//! its object only here (or while the world is stopped), by its owner.
//!
//! The usual exit is: store the hash word, look at the reference word, push the record. No atomic
//! instruction, no fence (D1): the threads that would be missed pay for a barrier instead.

use std::fmt;

use crate::barrier::light;
use crate::check::invariant;
use crate::delay;
use crate::record::{Record, State, UNOWNED};
use crate::sync::{AtomicU32, Ordering, full_fence};
use crate::thread::{MonitorThread, WAKE};
use crate::word::{LockWord, RECORD_MASK, TAG_HASH};

/// The thread does not own the monitor that it wanted to leave, wait on or notify:
/// `IllegalMonitorStateException`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMonitorState;

impl fmt::Display for IllegalMonitorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("current thread is not owner")
    }
}

impl std::error::Error for IllegalMonitorState {}

impl MonitorThread {
    /// The record through which this thread owns the object, if it does. Exact, without a
    /// safepoint: nobody but this thread writes its number into an owner word.
    #[inline(always)]
    pub(crate) fn owned_record(&self, word: &AtomicU32) -> Option<&Record> {
        let raw = LockWord(word.load(Ordering::Relaxed));
        if !raw.is_monitor() {
            return None;
        }
        let record = self.record(raw);
        (record.load_relaxed_owner() == self.owner()).then_some(record)
    }

    /// Whether this thread owns the object's monitor (`Thread.holdsLock`).
    #[inline]
    pub fn is_owner(&self, word: &AtomicU32) -> bool {
        self.owned_record(word).is_some()
    }

    /// Whether another thread owns the object's monitor. May be out of date at once: neither the owner nor the
    /// record, which may come to serve another object, waits for the answer.
    pub fn is_owned_by_another(&self, word: &AtomicU32) -> bool {
        let raw = LockWord(word.load(Ordering::Acquire));
        if !raw.is_monitor() {
            return false;
        }
        let owner = self.record(raw).load_relaxed_owner();
        let same = LockWord(word.load(Ordering::Acquire)).same_record(raw);
        same && owner != UNOWNED && owner != self.owner()
    }

    /// How many times this thread has entered the object's monitor without leaving it.
    pub fn depth(&self, word: &AtomicU32) -> u32 {
        self.owned_record(word).map_or(0, Record::nest)
    }

    /// Leave the monitor of the object at the address `object`: what `monitorexit` does. Never
    /// sleeps.
    #[inline(always)]
    pub fn exit(&self, word: &AtomicU32, object: u64) -> Result<(), IllegalMonitorState> {
        // What a fast part has begun must not be begun again: the record still looks as if its
        // object were locked, but the word is another's to write by now.
        if self.missed() == 0 {
            self.check_owned(word, object);
            if self.try_exit_fast(word, object) {
                return Ok(());
            }
        }
        self.exit_checked(word)
    }

    /// The laws of a record that is about to be left.
    #[inline(always)]
    fn check_owned(&self, word: &AtomicU32, object: u64) {
        if cfg!(debug_assertions)
            && let Some(record) = self.owned_record(word)
        {
            invariant!(I3, record.obj() == object, "an owned record names {:#x}, not {:#x}", record.obj(), object);
            invariant!(I11, record.nest() >= 1, "an owned record has depth 0");
            invariant!(I8, record.hash_word().tag() == TAG_HASH, "the displaced word is {}", record.hash_word());
        }
    }

    /// Leave a monitor entered again, or one that nobody else cares for: no call, no assertion and
    /// no panic, so that a handler of the interpreter can hold it.
    ///
    /// False if it is not like that; [`exit`](Self::exit) of the same object is then the next
    /// operation of this thread, with no stop of the world in between: it finishes what may have
    /// begun here ([`offset::MISSED`](crate::thread::offset::MISSED)).
    ///
    /// The record is looked for where the last enter took it, not in the word (D11): a load of the
    /// word would wait for the enter's CAS. What is found there is the object's record if it names
    /// the object and is ours: only the owner detaches a record from its object, and only a stop of
    /// the world changes the name.
    #[inline(always)]
    pub fn try_exit_fast(&self, word: &AtomicU32, object: u64) -> bool {
        let mut offset = self.last();
        let mut record = self.record_at(offset);
        // Both: another thread, whose record it is by now, may be about to try it on this object.
        if record.obj() != object || record.load_relaxed_owner() != self.owner() {
            let raw = LockWord(word.load(Ordering::Relaxed));
            if !raw.is_monitor() {
                return false;
            }
            offset = raw.record_offset();
            record = self.record_at(offset);
            if record.load_relaxed_owner() != self.owner() {
                return false;
            }
        }
        let depth = record.nest();
        if depth != 1 {
            // G7: nobody can observe a nested exit; no fence.
            record.set_nest(depth.wrapping_sub(1));
            return true;
        }
        if record.load_acquire_state() != State::IDLE {
            return false;
        }
        if !self.speculate(word, record, offset) {
            self.set_missed(offset);
            return false;
        }
        true
    }

    /// Speculative deflation: true if it worked. The window between the first store and the last
    /// load holds no poll, trap or call (G8).
    #[inline(always)]
    fn speculate(&self, word: &AtomicU32, record: &Record, offset: u32) -> bool {
        let displaced = record.hash_word();
        delay::point();
        // Release: the next owner sees what we did inside (G6).
        word.store(displaced.0, Ordering::Release);
        delay::point();
        light(self.fenced());
        // The re-check that makes the speculation sound.
        let right = record.load_acquire_state() == State::IDLE;
        if right {
            self.recycle_at(offset, record);
        }
        right
    }

    /// Somebody announced himself between our two looks. Nobody waits for anybody here (G3): the
    /// record goes back to the object, as if we had never let go; or, if the object has another
    /// one by now (false), is left behind to the last of those who are leaving it.
    fn reattach(&self, word: &AtomicU32, record: &Record) -> bool {
        self.counters.misspeculations.bump();
        delay::rare_point();
        let displaced = record.hash_word();
        let inflated = LockWord::monitor(self.offset_of(record), displaced.is_local());
        if word.compare_exchange(displaced.0, inflated.0, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            self.counters.reinflations.bump();
            return true;
        }
        self.counters.abandoned.bump();
        record.abandon();
        full_fence();
        // Those who queue from now on see that the word has changed and leave by themselves.
        while let Some(parker) = record.pop_for_wakeup(false) {
            self.counters.wakeups.bump();
            parker.unpark();
        }
        self.reclaim(record);
        false
    }

    #[cold]
    fn exit_checked(&self, word: &AtomicU32) -> Result<(), IllegalMonitorState> {
        let missed = self.missed();
        if missed != 0 {
            self.set_missed(0);
            if missed & WAKE != 0 {
                // Compiled code has released the record as `exit_contended` does, up to the wakeup.
                self.wake(self.record_at(missed & RECORD_MASK));
                return Ok(());
            }
            // The fast part has let go of the word, and somebody came in between.
            let record = self.record_at(missed);
            if self.reattach(word, record) {
                self.exit_contended(word, record);
            }
            return Ok(());
        }
        let record = self.owned_record(word).ok_or(IllegalMonitorState)?;
        self.exit_contended(word, record);
        Ok(())
    }

    /// Give the monitor up although somebody may be interested in it.
    fn exit_contended(&self, word: &AtomicU32, record: &Record) {
        let table = self.table();
        loop {
            let state = record.load_acquire_state();
            if state == State::IDLE {
                let offset = self.offset_of(record);
                if self.speculate(word, record, offset) || !self.reattach(word, record) {
                    return;
                }
                continue;
            }
            if state.only_waiting() {
                // An enterer's barrier covers this release as it covers a deflation: no fence.
                record.store_release_owner(UNOWNED);
                light(self.fenced());
                if record.load_acquire_state().entering() != 0 {
                    full_fence();
                    self.wake(record);
                }
                return;
            }
            if state.only_sticky() {
                // G12: hysteresis, or moderate contention inflates and deflates all the time.
                let quiet = record.quiet_exits().saturating_add(1);
                if quiet >= table.options.sticky_exits {
                    record.set_quiet_exits(0);
                    if record.cas_sticky_to_idle() {
                        self.counters.unstuck.bump();
                    }
                    continue;
                }
                record.set_quiet_exits(quiet);
            } else {
                record.set_quiet_exits(0);
            }
            record.store_release_owner(UNOWNED);
            full_fence();
            if record.load_acquire_state().entering() != 0 {
                self.wake(record);
            }
            return;
        }
    }

    /// Wake one of those who queue, unless one is on its way already. The record may have begun
    /// another life by now: then this is a spurious wakeup, which every sleeper allows for.
    pub(crate) fn wake(&self, record: &Record) {
        let throttle = self.table().options.throttle;
        if throttle && record.load_relaxed_successor() {
            return;
        }
        if let Some(parker) = record.pop_for_wakeup(throttle) {
            self.counters.wakeups.bump();
            parker.unpark();
        }
    }

    /// The thread ends: leave every monitor that it still owns. `word_of` finds the lock word of
    /// the object at an address. Returns how many objects that were.
    ///
    /// # Safety
    /// `word_of` returns the lock word of the object at the address that it is given; the thread
    /// does not let the collector run meanwhile.
    pub unsafe fn release_all(&self, mut word_of: impl FnMut(u64) -> *const AtomicU32) -> usize {
        let mut owned = Vec::new();
        // Reading records that are not ours is racy and harmless: our number in an owner word
        // together with an object is written by ourselves alone.
        self.table().pool.for_each(|_, record| {
            if record.load_relaxed_owner() == self.owner() && record.is_attached() {
                owned.push(record.obj());
            }
        });
        for &object in &owned {
            // SAFETY: by the caller's promise; the object is alive, since it is locked.
            let word = unsafe { &*word_of(object) };
            if let Some(record) = self.owned_record(word) {
                record.set_nest(1);
                self.exit_contended(word, record);
            }
        }
        owned.len()
    }
}
