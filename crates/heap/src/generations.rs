//! The heap as monitoring tools see it: young is the nursery, what threads have taken since the last collection; old is
//! the rest, which that one left, and large objects.
//!
//! Invariant: the bytes in use of both sum to those of the heap, the committed bytes, too, unless threads allocate while
//! they are read, and neither uses more than it has. What a collection has left in eden counts as old. Large objects are old at
//! once, as they fill no nursery and may be more than fits into one.
use crate::nursery;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes in use at the end of the last collection; 0 before the first.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// The most that the young and the old ones used, as far as collections saw, since the last reset.
static PEAKS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// Bytes of the young or of the old objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub used: usize,
    pub committed: usize,
}

/// Young and old, where `used` bytes of `committed` are in use and `old` of them are not young.
pub fn parts(used: usize, committed: usize, old: usize) -> [Part; 2] {
    split(used, committed, old, nursery::size())
}
/// Young and old now.
pub fn now() -> [Part; 2] {
    let used = crate::gc_log::used_memory();
    parts(used, crate::gc_log::total_memory(), old_of(used))
}
/// The most that young (0) or old (1) objects used since the last reset.
pub fn peak(which: usize) -> usize {
    PEAKS[which].load(Relaxed).max(now()[which].used)
}
/// The peak begins again at what is in use.
pub fn reset_peak(which: usize) {
    PEAKS[which].store(now()[which].used, Relaxed);
}

/// How many of `used` bytes are old now: what was left stays at least.
fn old_of(used: usize) -> usize {
    used.saturating_sub(nursery::in_use()).max(LEFT.load(Relaxed).min(used))
}
/// A collection begins with `used` bytes in use; how many of them are old.
pub(crate) fn begin(used: usize) -> usize {
    let old = old_of(used);
    // When most is in use.
    PEAKS[0].fetch_max(used - old, Relaxed);
    PEAKS[1].fetch_max(old, Relaxed);
    old
}
/// It ends with `used` bytes in use.
pub(crate) fn end(used: usize) {
    LEFT.store(used, Relaxed);
    PEAKS[1].fetch_max(used, Relaxed);
}

/// The nursery is the young ones', as far as the old ones leave room, and what they have taken beyond it.
fn split(used: usize, committed: usize, old: usize, nursery: usize) -> [Part; 2] {
    let old = old.min(used);
    let young = used - old;
    let committed = committed.max(used);
    let room = nursery.clamp(young, (committed - old).max(young));
    [Part { used: young, committed: room }, Part { used: old, committed: committed - room }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_sum_to_the_whole_and_fit() {
        for used in [0, 1, 10, 100] {
            for committed in [0, 10, 64, 100, 200] {
                for old in [0, 5, 10, 100, 300] {
                    let [y, o] = split(used, committed, old, 16);
                    assert_eq!(y.used + o.used, used);
                    assert_eq!(y.committed + o.committed, committed.max(used));
                    assert!(y.used <= y.committed && o.used <= o.committed, "{y:?} {o:?}");
                }
            }
        }
    }

    #[test]
    fn the_nursery_is_the_young_ones() {
        let p = |used, committed| Part { used, committed };
        assert_eq!(split(30, 100, 20, 16), [p(10, 16), p(20, 84)]);
        assert_eq!(split(95, 100, 90, 16), [p(5, 10), p(90, 90)]);
        assert_eq!(split(80, 100, 20, 16), [p(60, 60), p(20, 40)], "more than the nursery");
    }
}
