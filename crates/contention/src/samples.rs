//! What the interrupts of a thread leave behind.
//!
//! Invariant: a ring has one writer, the handler on the thread that the slot is lent to, and one reader, who holds the
//! detector's lock. A slot is never freed, so that a late interrupt finds it; it is lent again some looks after its timer
//! is gone, when no handler is at work on it any more.
use crate::operand::Judge;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::*};

/// Samples that a slot has room for: those of a second at the highest rate.
const ROOM: usize = 1024;

/// An access that was interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Where the code accesses memory, and the number of the piece of code.
    pub pc: usize,
    pub code: u32,
    pub address: usize,
    pub width: u8,
    pub writes: bool,
    /// Of the probe's reads.
    pub slow: u8,
}

/// The ring of one thread.
pub struct Slot {
    ring: [UnsafeCell<Sample>; ROOM],
    written: AtomicUsize,
    read: AtomicUsize,
    /// The handler's own.
    judge: UnsafeCell<Judge>,
    /// All interrupts of the thread, and the samples that found no room.
    pub interrupts: AtomicU64,
    pub lost: AtomicU64,
    /// Nanoseconds that its handlers took.
    pub time: AtomicU64,
}

// SAFETY: the ring is written where the reader does not look, and the judge is the handler's, see the module's invariant.
unsafe impl Sync for Slot {}

impl Slot {
    /// One that lives for ever.
    pub fn leaked() -> &'static Slot {
        Box::leak(Box::new(Slot {
            ring: [const { UnsafeCell::new(Sample { pc: 0, code: 0, address: 0, width: 0, writes: false, slow: 0 }) };
                ROOM],
            written: AtomicUsize::new(0),
            read: AtomicUsize::new(0),
            judge: UnsafeCell::default(),
            interrupts: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            time: AtomicU64::new(0),
        }))
    }
    /// # Safety
    /// Called by the handler alone, which does not interrupt itself.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn judge(&self) -> &mut Judge {
        // SAFETY: by the caller's word nobody else has it.
        unsafe { &mut *self.judge.get() }
    }
    /// # Safety
    /// As [`Slot::judge`].
    pub unsafe fn put(&self, s: Sample) {
        let n = self.written.load(Relaxed);
        if n - self.read.load(Acquire) == ROOM {
            self.lost.fetch_add(1, Relaxed);
            return;
        }
        // SAFETY: by the caller's word nobody else writes; the reader stops at `written`, and this place was read.
        unsafe { *self.ring[n % ROOM].get() = s };
        self.written.store(n + 1, Release);
    }
    /// Takes what is there.
    ///
    /// # Safety
    /// The caller holds the detector's lock, or nobody else has the slot.
    pub unsafe fn drain(&self, mut each: impl FnMut(Sample)) {
        let (from, to) = (self.read.load(Relaxed), self.written.load(Acquire));
        for n in from..to {
            // SAFETY: written before `written` was, and not again before `read` is.
            each(unsafe { *self.ring[n % ROOM].get() });
        }
        self.read.store(to, Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_ring_loses_the_newest() {
        let s = Slot::leaked();
        // SAFETY: nobody else has the slot.
        let put = |n| unsafe { s.put(Sample { pc: n, ..Sample::default() }) };
        // SAFETY: as above.
        let drain = |seen: &mut Vec<usize>| unsafe { s.drain(|x| seen.push(x.pc)) };
        (0..ROOM + 3).for_each(put);
        let mut seen = Vec::new();
        drain(&mut seen);
        assert_eq!((seen.len(), seen[ROOM - 1], s.lost.load(Relaxed)), (ROOM, ROOM - 1, 3));
        put(7);
        seen.clear();
        drain(&mut seen);
        assert_eq!(seen, [7]);
    }
}
