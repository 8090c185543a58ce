//! Memory pools by kind, and how much of each is in use: now, at most, before and after collections.
//!
//! Invariant: the pools of the heap sum to what is told of the heap, and those beside the heap to what is told of the
//! memory beside it. What is told of a collection was read at its begin and at its end.
//!
//! | pool | what it is |
//! |---|---|
//! | Concord Eden Space | the nursery: what threads have taken since the last collection; it changes its size, and has no maximum |
//! | Concord Old Gen | what the last collection left, and large objects; it may grow to all of the heap |
//! | Metaspace | memory of classes (`concord_runtime::metaspace`); there is no compressed class space beside it |
//! | CodeCache | machine code, unless the program is only interpreted |
//!
//! Tools know the first two by the ends of their names. Deliberately absent: survivors, who are old at once.
use concord_compiled::cache;
use concord_heap::Record;
use concord_heap::generations::{self, Part};
use concord_runtime::metaspace;
use std::sync::Mutex;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    Eden,
    Old,
    Metaspace,
    Code,
}
pub const COUNT: usize = 4;

/// The numbers of a java.lang.management.MemoryUsage; -1 is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    pub init: i64,
    pub used: i64,
    pub committed: i64,
    pub max: i64,
}

/// The pools that there are, in the order in which they are told.
pub fn all() -> impl Iterator<Item = Pool> {
    [Pool::Eden, Pool::Old, Pool::Metaspace, Pool::Code]
        .into_iter()
        .filter(|p| *p != Pool::Code || cache::usage().is_some())
}

impl Pool {
    pub fn name(self) -> &'static str {
        match self {
            Pool::Eden => "Concord Eden Space",
            Pool::Old => "Concord Old Gen",
            Pool::Metaspace => "Metaspace",
            Pool::Code => "CodeCache",
        }
    }
    pub fn is_heap(self) -> bool {
        matches!(self, Pool::Eden | Pool::Old)
    }
    /// Whether there may be a threshold of its usage: what is full at every collection warns of nothing.
    pub fn has_threshold(self) -> bool {
        self != Pool::Eden
    }
    /// Whether collections of a kind, full ones or young ones, look for garbage in it.
    pub fn is_collected(self, full: bool) -> bool {
        self == Pool::Eden || (full && self == Pool::Old)
    }

    pub fn now(self) -> Usage {
        match self {
            Pool::Eden | Pool::Old => self.of_part(generations::now()[self as usize]),
            Pool::Metaspace => of_classes(metaspace::usage().0),
            Pool::Code => of_code(cache::usage().map_or(0, |u| u.used)),
        }
    }
    pub fn peak(self) -> Usage {
        match self {
            Pool::Eden | Pool::Old => {
                let Part { committed, .. } = generations::now()[self as usize];
                let used = generations::peak(self as usize);
                self.of_part(Part { used, committed: committed.max(used) })
            }
            Pool::Metaspace => of_classes(metaspace::usage().2),
            Pool::Code => of_code(cache::usage().map_or(0, |u| u.peak)),
        }
    }
    /// The peak begins again at what is in use.
    pub fn reset_peak(self) {
        match self {
            Pool::Eden | Pool::Old => generations::reset_peak(self as usize),
            Pool::Metaspace => metaspace::reset_peak(),
            Pool::Code => cache::reset_peak(),
        }
    }
    /// After the last collection that looked for garbage in it; zeros before the first. None if none ever does.
    pub fn collected(self) -> Option<Usage> {
        if !self.is_heap() {
            return None;
        }
        let kinds = [false, true].into_iter().filter(|full| self.is_collected(*full));
        let last = kinds.filter_map(|full| concord_heap::totals(full).last).max_by_key(|r| r.number);
        Some(match last {
            Some(r) => self.of_part(after(&r)[self as usize]),
            None => self.of_part(Part { used: 0, committed: 0 }),
        })
    }
    fn of_part(self, p: Part) -> Usage {
        let max = concord_heap::max_memory();
        // At the start all that is committed and no nursery is for old ones.
        let initial = (concord_base::options::get().flags.initial_heap_size as usize).min(max);
        let nursery = concord_heap::nursery_size().min(initial);
        let (init, limit) = match self {
            Pool::Eden => (nursery, -1),
            _ => (initial - nursery, max as i64),
        };
        Usage { init: init as i64, used: p.used.min(max) as i64, committed: p.committed.min(max) as i64, max: limit }
    }
}
fn of_classes(used: usize) -> Usage {
    let (_, committed, _) = metaspace::usage();
    let committed = committed.max(used.next_multiple_of(4096)) as i64;
    // Classes may be linked when there is no more room.
    let max = metaspace::limit().map_or(-1, |n| (n as i64).max(committed));
    Usage { init: 0, used: used as i64, committed, max }
}
fn of_code(used: usize) -> Usage {
    let Some(u) = cache::usage() else { return Usage { init: 0, used: 0, committed: 0, max: 0 } };
    Usage { init: u.initial as i64, used: used as i64, committed: u.committed.max(used) as i64, max: u.size as i64 }
}

/// All pools of the heap, or beside it, together.
pub fn sum(heap: bool) -> Usage {
    if heap {
        let max = concord_heap::max_memory() as i64;
        let (used, committed) = generations::now().iter().fold((0, 0), |(u, c), p| (u + p.used, c + p.committed));
        let init = concord_base::options::get().flags.initial_heap_size as i64;
        return Usage { init, used: (used as i64).min(max), committed: (committed as i64).min(max), max };
    }
    let zero = Usage { init: 0, used: 0, committed: 0, max: 0 };
    all().filter(|p| !p.is_heap()).map(Pool::now).fold(zero, |a, b| Usage {
        init: a.init + b.init,
        used: a.used + b.used,
        committed: a.committed + b.committed,
        max: if a.max < 0 || b.max < 0 { -1 } else { a.max + b.max },
    })
}

/// Bytes in use beside the heap: of classes, of code.
#[derive(Clone, Copy, Debug)]
struct Beside(usize, usize);

/// By kind of collection, young and full: at the begin and at the end of the last one.
static BESIDE: Mutex<[[Option<Beside>; 2]; 2]> = Mutex::new([[None; 2]; 2]);

fn note(full: bool, which: usize) {
    let now = Beside(metaspace::usage().0, cache::usage().map_or(0, |u| u.used));
    // Whoever reads it holds the lock for the time of a copy.
    BESIDE.lock().expect("memory beside the heap")[usize::from(full)][which] = Some(now);
}
/// A collection begins; called at the stop.
pub fn collection_begins(full: bool) {
    note(full, 0);
}
/// A collection ends; called at the stop.
pub fn collection_ends(full: bool) {
    note(full, 1);
}

fn before(r: &Record) -> [Part; 2] {
    generations::parts(r.before, r.committed_before, r.old_before)
}
fn after(r: &Record) -> [Part; 2] {
    generations::parts(r.after, r.committed_after, r.after)
}
/// All pools before and after the last collection of a kind, `r`.
pub fn around(full: bool, r: &Record) -> [Vec<Usage>; 2] {
    let beside = BESIDE.lock().expect("memory beside the heap")[usize::from(full)];
    let usage = |p: Pool, parts: &[Part; 2], b: Option<Beside>| match (p, b) {
        (Pool::Eden | Pool::Old, _) => p.of_part(parts[p as usize]),
        (Pool::Metaspace, Some(b)) => of_classes(b.0),
        (Pool::Code, Some(b)) => of_code(b.1),
        // A collection before anybody asked.
        (_, None) => p.now(),
    };
    let of = |parts: [Part; 2], b: Option<Beside>| all().map(|p| usage(p, &parts, b)).collect();
    [of(before(r), beside[0]), of(after(r), beside[1])]
}
