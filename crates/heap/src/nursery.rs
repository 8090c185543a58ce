//! How much is allocated in eden between two young collections.
//!
//! Invariant: the nursery is never smaller than what `-Xmx` alone makes it (`HeapOptions::nursery_bytes`), nor larger
//! than a third of the heap and half of what is free; with `-Xmn` it is what the user asks for.
//!
//! A small nursery stays in the cache. But what is alive when it is full is copied, however soon it dies: where a program
//! works on some megabytes at a time, as a compiler does on a class or a server on its requests, each collection copies them,
//! and half as many collections copy half as much. So the nursery doubles as long as a good part of it survives,
//! and stays doubled if that makes the part smaller. If it does not, as where all that is made is kept, it goes
//! back and does not try again for a while, each time for twice as long. It halves when next to nothing survives.
//!
//! Pauses grow with what survives: one that is long already is not risked to become twice as long.
use crate::binding::heap;
use crate::gc_log::used_pages;
use concord_base::{bug, vm_log};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Survivors in thousandths of the nursery: it shrinks with few of them, and grows with many, unless they are so many that they
/// have come to stay.
const FEW: usize = 5;
const MANY: std::ops::Range<usize> = 50..600;
/// As many are enough to double it once: to copy an object costs what it costs to make twenty. Not more than once, for it is
/// memory that most programs would have without need.
const ENOUGH_FOR_ONCE: usize = 10;
/// A larger nursery pays if survivors fall below so many percent of their part before.
const PAYS: usize = 75;
/// Longer pauses are not made longer on trial.
const LONG: Duration = Duration::from_millis(100);
/// Young collections from whose mean the decisions are made: what survives one depends on the moment.
const SAMPLE: usize = 4;
/// Young collections until the next trial, after the first one in vain, and at most.
const FIRST_WAIT: u32 = 16;
const LONGEST_WAIT: u32 = 1024;

/// The most that a nursery grows to: what half of the sparse address layout's eden has room for.
const MOST: usize = 512 << 20;

/// Bytes of the nursery; 0 until the heap is set up.
static SIZE: AtomicUsize = AtomicUsize::new(0);
/// Bytes that the last young collection copied.
static COPIED: AtomicUsize = AtomicUsize::new(0);
static TRIAL: Mutex<Trial> =
    Mutex::new(Trial { parts: [0; SAMPLE], seen: 0, mean_before: None, wait: 0, next_wait: FIRST_WAIT });

/// What is known of the present size, and what became of growing.
struct Trial {
    /// Survivors of the last collections with this size, in thousandths of it.
    parts: [usize; SAMPLE],
    /// How many collections there were with this size.
    seen: usize,
    /// The mean of them before the nursery was doubled, until it is known whether that pays.
    mean_before: Option<usize>,
    /// Young collections until the nursery may be doubled again.
    wait: u32,
    next_wait: u32,
}

/// The most that the nursery may be.
pub fn most(max: usize, asked: Option<usize>, least: usize) -> usize {
    if asked.is_some() { least } else { ((max / 3) & !4095).clamp(least, MOST) }
}

/// Bytes that are allocated between two young collections.
pub fn size() -> usize {
    match SIZE.load(Relaxed) {
        0 => heap().options.nursery_bytes(),
        n => n,
    }
}

/// What threads have taken of it.
pub fn in_use() -> usize {
    crate::eden::in_use()
}

/// Bytes that the next young collection may be expected to copy: half as much again as the last one, of as much.
pub fn expected() -> usize {
    let part = COPIED.load(Relaxed).saturating_mul(3) / 2;
    part.max(size() / 16).min(in_use())
}

/// A collection of the full heap has ended; the world is stopped.
pub fn end_full() {
    resize(|_, now, _, _| now);
}

/// A young collection has ended that took `pause` and copied `survived` bytes; the world is stopped.
pub fn end_young(pause: Duration, survived: usize) {
    COPIED.store(survived, Relaxed);
    resize(|trial, now, least, most| trial.next(now, least, most, survived.saturating_mul(1000) / now, pause));
}

fn resize(next: impl FnOnce(&mut Trial, usize, usize, usize) -> usize) {
    let options = &heap().options;
    let least = options.nursery_bytes();
    let room = options.max.saturating_sub(used_pages()) / 2;
    let most = most(options.max, options.nursery, least).min(room).max(least);
    let now = size();
    let mut trial = match TRIAL.lock() {
        Ok(t) => t,
        Err(_) => bug!("a thread died while it sized the nursery"),
    };
    let next = next(&mut trial, now, least, most).clamp(least, most);
    if next != now {
        trial.seen = 0;
        vm_log!(GcErgo, Debug, "Nursery: {}K, {}K survived of {}K", next >> 10, COPIED.load(Relaxed) >> 10, now >> 10);
    }
    SIZE.store(next, Relaxed);
}

impl Trial {
    /// The size after a young collection that a part of the nursery, in thousandths, has survived.
    fn next(&mut self, now: usize, least: usize, most: usize, part: usize, pause: Duration) -> usize {
        self.wait = self.wait.saturating_sub(1);
        self.parts[self.seen % SAMPLE] = part;
        self.seen += 1;
        if self.seen < SAMPLE {
            return now;
        }
        let mean = self.parts.iter().sum::<usize>() / SAMPLE;
        if let Some(before) = self.mean_before.take() {
            if mean * 100 > before * PAYS {
                self.wait = self.next_wait;
                self.next_wait = (2 * self.next_wait).min(LONGEST_WAIT);
                return now / 2;
            }
            self.next_wait = FIRST_WAIT;
        }
        if mean < FEW {
            return now / 2;
        }
        let many = if now == least { ENOUGH_FOR_ONCE..MANY.end } else { MANY };
        if many.contains(&mean) && self.wait == 0 && pause < LONG && 2 * now <= most {
            self.mean_before = Some(mean);
            return 2 * now;
        }
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: usize = 1 << 20;

    /// The sizes after each of `n` collections, what survives being given by the size in megabytes, in thousandths of it.
    fn sizes(n: usize, mut now: usize, survives: impl Fn(usize) -> usize, pause: u64) -> Vec<usize> {
        let mut t = Trial { parts: [0; SAMPLE], seen: 0, mean_before: None, wait: 0, next_wait: FIRST_WAIT };
        let step = |_| {
            let next =
                t.next(now * MB, 16 * MB, 256 * MB, survives(now), Duration::from_millis(pause)).max(16 * MB) / MB;
            if next != now {
                t.seen = 0;
            }
            now = next;
            now
        };
        (0..n).map(step).collect()
    }

    #[test]
    fn grows_as_long_as_fewer_survive() {
        let s = sizes(40, 16, |mb| 8000 / mb, 5);
        assert_eq!(s[..13], [16, 16, 16, 32, 32, 32, 32, 64, 64, 64, 64, 128, 128]);
        assert_eq!(s[39], 256, "not above what there is room for, nor back: {s:?}");
    }

    #[test]
    fn goes_back_where_the_same_part_survives_and_tries_more_and_more_rarely() {
        let s = sizes(400, 16, |_| 300, 5);
        let trials = s.windows(2).filter(|w| w[0] < w[1]).count();
        assert!((4..=6).contains(&trials), "{trials} trials");
        assert!(s.iter().all(|mb| [16, 32].contains(mb)));
        assert!(s.iter().filter(|mb| **mb == 32).count() == 4 * trials, "{s:?}");
    }

    #[test]
    fn stays_where_all_survives_where_nothing_does_and_where_pauses_are_long() {
        assert!(sizes(100, 16, |_| 900, 5).iter().all(|mb| *mb == 16));
        assert!(sizes(100, 16, |_| 5, 5).iter().all(|mb| *mb == 16));
        assert!(sizes(100, 16, |mb| 4000 / mb, 200).iter().all(|mb| *mb == 16));
    }

    #[test]
    fn grows_once_where_one_in_a_hundred_survives() {
        assert_eq!(sizes(40, 16, |mb| 240 / mb, 5).last(), Some(&32));
    }

    #[test]
    fn shrinks_when_next_to_nothing_survives() {
        assert_eq!(sizes(20, 128, |_| 1, 1).last(), Some(&16));
    }
}
