//! What `-XX:+PrintConcordStatistics` counts about memory.
//!
//! Invariant: nothing here runs while [`crate::policy::counting`] is off. A thread counts into a
//! table of its own; tables of ended threads are folded into one, so [`totals`] is the sum over
//! all threads that ever counted.
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An instruction that stores: the engine's own name of the method, and the bytecode index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub method: usize,
    pub bci: u16,
}

/// What became of the fence of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Executed,
    /// A fence comes later, perhaps for several stores; [`fence`] counts it.
    Owed,
    /// The target is LOCAL.
    Local,
    /// Code or field is `@Relaxed`, or named by a `VBDRelaxed*` flag.
    Relaxed,
    /// `-XX:-VBD`: the Java memory model asks for none.
    JavaModel,
}

/// Classes of walk lengths, by powers of two; the last one is open.
pub const LENGTHS: usize = 20;

/// Sums over threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Stores by bytecode.
    pub stores: u64,
    /// Fences, of which some follow several stores of compiled code.
    pub fenced: u64,
    /// Stores of compiled code whose fence is not their own alone, and the fences behind such.
    pub owed: u64,
    pub late: u64,
    pub local: u64,
    pub relaxed: u64,
    pub java_model: u64,
    /// Stores, or bulks of them, that natives made for the program.
    pub native_stores: u64,
    pub native_fenced: u64,
    /// Compare-and-swap and the like, which are locked instructions.
    pub atomics: u64,
    /// Walks that made objects SHARED, the objects, the longest walk.
    pub walks: u64,
    pub published: u64,
    pub longest_walk: u64,
    /// Walks by length: 1, 2-3, 4-7, ...
    pub walk_lengths: [u64; LENGTHS],
    /// Fences executed by site.
    pub sites: HashMap<Site, u64>,
}

impl Totals {
    fn add(&mut self, o: &Totals) {
        self.stores += o.stores;
        self.fenced += o.fenced;
        self.owed += o.owed;
        self.late += o.late;
        self.local += o.local;
        self.relaxed += o.relaxed;
        self.java_model += o.java_model;
        self.native_stores += o.native_stores;
        self.native_fenced += o.native_fenced;
        self.atomics += o.atomics;
        self.walks += o.walks;
        self.published += o.published;
        self.longest_walk = self.longest_walk.max(o.longest_walk);
        self.walk_lengths.iter_mut().zip(o.walk_lengths).for_each(|(a, b)| *a += b);
        o.sites.iter().for_each(|(s, n)| *self.sites.entry(*s).or_default() += n);
    }
    /// The sites that executed most fences, most first.
    pub fn hottest(&self, n: usize) -> Vec<(Site, u64)> {
        let mut v: Vec<_> = self.sites.iter().map(|(s, n)| (*s, *n)).collect();
        v.sort_by_key(|(s, n)| (std::cmp::Reverse(*n), *s));
        v.truncate(n);
        v
    }
}

type Table = Arc<Mutex<Totals>>;
/// Tables of running threads, and the sum of the ended ones'.
static ALL: Mutex<(Vec<Table>, Option<Totals>)> = Mutex::new((Vec::new(), None));

/// A thread that panicked while it counted leaves a table that is at most one count short.
fn locked<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Mine(Table);
impl Drop for Mine {
    fn drop(&mut self) {
        let mut all = locked(&ALL);
        all.0.retain(|t| !Arc::ptr_eq(t, &self.0));
        all.1.get_or_insert_default().add(&locked(&self.0));
    }
}
thread_local! {
    static MINE: OnceCell<Mine> = const { OnceCell::new() };
}

fn count(f: impl FnOnce(&mut Totals)) {
    // After the thread's table was folded (destructors of thread locals that still store), the
    // sum of ended threads is counted into.
    let mut f = Some(f);
    let counted = MINE.try_with(|m| {
        let mine = m.get_or_init(|| {
            let t = Table::default();
            locked(&ALL).0.push(t.clone());
            Mine(t)
        });
        if let Some(f) = f.take() {
            f(&mut locked(&mine.0));
        }
    });
    if counted.is_err()
        && let Some(f) = f.take()
    {
        f(locked(&ALL).1.get_or_insert_default());
    }
}

/// Counts a store by bytecode.
#[cold]
pub fn store(site: Site, fate: Fate) {
    count(|t| {
        t.stores += 1;
        match fate {
            Fate::Executed => {
                t.fenced += 1;
                *t.sites.entry(site).or_default() += 1;
            }
            Fate::Owed => t.owed += 1,
            Fate::Local => t.local += 1,
            Fate::Relaxed => t.relaxed += 1,
            Fate::JavaModel => t.java_model += 1,
        }
    });
}
/// Counts a fence behind stores that were counted as [`Fate::Owed`].
#[cold]
pub fn fence(site: Site) {
    count(|t| {
        t.fenced += 1;
        t.late += 1;
        *t.sites.entry(site).or_default() += 1;
    });
}
#[cold]
pub(crate) fn native_store(fenced: bool) {
    count(|t| {
        t.native_stores += 1;
        t.native_fenced += u64::from(fenced);
    });
}
#[cold]
pub(crate) fn atomic_operation() {
    count(|t| t.atomics += 1);
}

/// Counts a walk that made `objects` SHARED; none if all were already.
#[cold]
pub fn publication(objects: u64) {
    if objects == 0 {
        return;
    }
    count(|t| {
        t.walks += 1;
        t.published += objects;
        t.longest_walk = t.longest_walk.max(objects);
        t.walk_lengths[(objects.ilog2() as usize).min(LENGTHS - 1)] += 1;
    });
}

/// Sums up to now.
pub fn totals() -> Totals {
    let all = locked(&ALL);
    let mut sum = all.1.clone().unwrap_or_default();
    all.0.iter().for_each(|t| sum.add(&locked(t)));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn threads_fold_their_counts() {
        let site = Site { method: 7, bci: 3 };
        store(site, Fate::Executed);
        let before = totals();
        let workers: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(move || {
                    (0..100).for_each(|_| store(site, Fate::Executed));
                    store(site, Fate::Relaxed);
                    store(site, Fate::JavaModel);
                })
            })
            .collect();
        workers.into_iter().for_each(|w| w.join().expect("worker"));
        let after = totals();
        assert_eq!(after.stores - before.stores, 408);
        assert_eq!(after.fenced - before.fenced, 400);
        assert_eq!((after.relaxed, after.java_model), (before.relaxed + 4, before.java_model + 4));
        assert_eq!(after.sites[&site] - before.sites[&site], 400);
        assert_eq!(after.hottest(1)[0].0, site);
    }
}
