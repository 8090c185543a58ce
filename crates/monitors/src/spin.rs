//! Spinning: before a thread queues, after it was woken, and in a wait that is going to be short.
//! Invariant owned here: a spin is bounded, changes nothing of the protocol, and happens only while
//! another processor may run whom it waits for.

use crate::record::{ABANDONED, Record, UNOWNED};
use crate::sync::{AtomicU32, Ordering, spin_hint};
use crate::table::MonitorTable;
use crate::thread::MonitorThread;
use crate::word::LockWord;

/// A wait that usually ends sooner is spent spinning: about what it costs two threads to put
/// themselves to sleep and wake each other across processors, in nanoseconds.
#[cfg(not(any(loom, shuttle)))]
pub(crate) const SHORT_WAIT_NS: u64 = 100_000;
/// A longer wait counts as this one, so that some short ones outweigh it.
#[cfg(not(any(loom, shuttle)))]
const LONG_WAIT_NS: u64 = 8 * SHORT_WAIT_NS;

/// How long a thread that has just woken a spinner waits for its place.
#[cfg(not(any(loom, shuttle)))]
const HANDOVER_NS: u64 = 5_000;

/// One of the places for spinning threads: one less than there are processors.
struct Place<'a> {
    table: &'a MonitorTable,
    /// More spinners than the other processors can serve are wasted work.
    is_free: bool,
}

impl Place<'_> {
    fn take(table: &MonitorTable) -> Place<'_> {
        let before = table.spinners.fetch_add(1, Ordering::Relaxed);
        Place { table, is_free: before < table.most_spinners }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.table.spinners.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The pauses between two looks at a record: each look takes its cache line from the owner, who
/// wants it for every enter and exit, so that two threads that look all the time halve each
/// other's speed. The owner has the line for tens of pairs meanwhile, and more after the first look.
struct Backoff {
    pauses: i32,
}

impl Backoff {
    /// Before the first look after the one that failed, in pauses of the processor (40 to 140 cycles each).
    const FIRST: i32 = 32;
    /// The longest time between two looks.
    const MOST: i32 = 64;

    fn new() -> Backoff {
        Backoff { pauses: Backoff::FIRST }
    }

    /// Waits; returns how many pauses that were.
    fn wait(&mut self) -> i32 {
        let now = self.pauses;
        for _ in 0..now {
            spin_hint();
        }
        self.pauses = (2 * now).min(Backoff::MOST);
        now
    }
}

/// How long the waits of one thread have been: a moving average, in nanoseconds.
#[cfg(not(any(loom, shuttle)))]
fn average(before: u64, last: u64) -> u64 {
    before - before / 4 + last.min(LONG_WAIT_NS) / 4
}

impl MonitorThread {
    /// Watch the record, not the object's cache line, until it is free or its life ends. True if
    /// it is worth looking at the lock word again.
    pub(crate) fn spin(&self, word: &AtomicU32, raw: LockWord, record: &Record) -> bool {
        let table = self.table();
        let default = i32::from(table.options.spin);
        if default == 0 || table.most_spinners == 0 {
            return false;
        }
        let place = Place::take(table);
        let bias = record.spin_bias();
        let mut left = if place.is_free { (default + i32::from(bias)).max(8) } else { 0 };
        let life = record.load_acquire_guard();
        let mut won = LockWord(word.load(Ordering::Acquire)) != raw;
        let mut pause = Backoff::new();
        while !won && left > 0 {
            left -= pause.wait();
            won = record.load_relaxed_owner() == UNOWNED || record.load_acquire_guard() != life;
        }
        if place.is_free {
            // Spin longer where it pays, hardly where it does not (the owner is preempted).
            let most = 4 * default;
            let next = if won {
                (i32::from(bias) + default / 8).min(most)
            } else {
                (i32::from(bias) - default / 4).max(-default)
            };
            record.set_spin_bias(next as i16);
        }
        if won {
            self.counters.spins_won.bump()
        } else {
            self.counters.spins_lost.bump()
        }
        won
    }

    /// A woken thread gives the current owner a moment before it queues again: as long as it is
    /// the successor nobody else is woken. True if it owns the record now; the record serves the
    /// object that it was counted for, if that was `certain`.
    pub(crate) fn spin_as_successor(&self, record: &Record) -> bool {
        let table = self.table();
        if table.most_spinners == 0 || !record.load_relaxed_successor() {
            return false;
        }
        let mut left = i32::from(table.options.spin);
        let mut pause = Backoff::new();
        while left > 0 && record.load_relaxed_owner() != ABANDONED {
            if record.try_own(self.owner()) {
                return true;
            }
            left -= pause.wait();
        }
        false
    }

    /// Sleep in a wait until there is a permit or the deadline has passed; spin first if this
    /// thread's waits have been short, as those of two threads that take turns are. A permit is
    /// taken as by [`Parker::park`](crate::park::Parker::park), and like there it may be stale.
    #[cfg(not(any(loom, shuttle)))]
    pub(crate) fn sleep_in_wait(&self, deadline: Option<u64>) {
        let begun = crate::sync::now_ns();
        let usual = self.usual_wait();
        if usual >= SHORT_WAIT_NS || !self.spin_for_permit(begun, deadline) {
            self.counters.parks.bump();
            self.node.parker.park(deadline);
        }
        self.set_usual_wait(average(usual, crate::sync::now_ns() - begun));
    }

    /// The checkers' clock has always run out.
    #[cfg(any(loom, shuttle))]
    pub(crate) fn sleep_in_wait(&self, deadline: Option<u64>) {
        self.counters.parks.bump();
        self.node.parker.park(deadline);
    }

    /// True if there was a permit, or the deadline passed, before a short wait's time was over.
    #[cfg(not(any(loom, shuttle)))]
    fn spin_for_permit(&self, begun: u64, deadline: Option<u64>) -> bool {
        let table = self.table();
        if table.options.spin == 0 || table.most_spinners == 0 {
            return false;
        }
        let mut place = Place::take(table);
        loop {
            if self.node.parker.try_take_permit() {
                self.counters.spins_won.bump();
                return true;
            }
            // Nobody but the one who wakes us wants this cache line: no back-off.
            spin_hint();
            let now = crate::sync::now_ns();
            if deadline.is_some_and(|d| now >= d) {
                return true;
            }
            if now >= begun + SHORT_WAIT_NS || !place.is_free && now >= begun + HANDOVER_NS {
                break;
            }
            if !place.is_free {
                drop(place);
                place = Place::take(table);
            }
        }
        self.counters.spins_lost.bump();
        false
    }
}

#[cfg(all(test, not(loom), not(shuttle)))]
mod tests {
    use super::*;

    #[test]
    fn some_short_waits_outweigh_a_long_one() {
        let mut usual = average(0, u64::MAX);
        assert!(usual >= SHORT_WAIT_NS, "{usual}");
        for _ in 0..4 {
            usual = average(usual, 1_000);
        }
        assert!(usual < SHORT_WAIT_NS, "{usual}");
    }

    #[test]
    fn long_waits_are_not_spun_for() {
        let mut usual = 0;
        for _ in 0..4 {
            usual = average(usual, 2 * SHORT_WAIT_NS);
        }
        assert!(usual >= SHORT_WAIT_NS, "{usual}");
    }
}
