//! The table of all monitors of one VM: options, record pool, barrier. Invariant owned here: what
//! every thread's protocol depends on (the kind of release above all) is fixed before the first
//! thread exists.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::barrier::{Barrier, Release};
use crate::counters::{Counters, Totals};
use crate::pool::Pool;
use crate::sync::AtomicU32;
use crate::thread::MonitorThread;
use crate::word::{LOCAL, LockWord};

/// How a table behaves.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How exits are made visible to threads that are about to sleep.
    pub release: Release,
    /// Keep a record attached for a while after contention, instead of deflating at the first
    /// quiet moment (G12).
    pub sticky: bool,
    /// Quiet exits after which a sticky record may be deflated again.
    pub sticky_exits: u8,
    /// Wake at most one thread at a time (the paper's futile wakeup throttle).
    pub throttle: bool,
    /// Turns of the spin loop before a thread queues, adapted per record around this; 0 switches
    /// spinning off. It is off on a machine with one processor in any case.
    pub spin: u16,
    /// Records to reserve address space for.
    pub records: u32,
    /// Where a degraded mode of operation is reported.
    pub warn: fn(&str),
}

impl Default for Options {
    fn default() -> Options {
        Options {
            release: Release::Auto,
            sticky: true,
            sticky_exits: 250,
            throttle: true,
            spin: 200,
            records: 1 << 26,
            warn: |text| eprintln!("[warning][monitors] {text}"),
        }
    }
}

/// All monitors of one VM.
pub struct MonitorTable {
    pub(crate) pool: Pool,
    pub(crate) barrier: Barrier,
    pub(crate) options: Options,
    /// Threads spinning now; more than the other processors can run is wasted work.
    pub(crate) spinners: std::sync::atomic::AtomicU32,
    pub(crate) most_spinners: u32,
    seed: u64,
    retired: std::sync::Mutex<Totals>,
    deflated_at_stops: AtomicU64,
}

impl MonitorTable {
    /// Reserve record memory and choose the kind of release. To be called once, before the first
    /// Java thread, since `membarrier` is registered here and compiled code depends on the choice.
    pub fn reserve(options: Options) -> Result<Arc<MonitorTable>, String> {
        let processors = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        Ok(Arc::new(MonitorTable {
            pool: Pool::reserve(options.records)?,
            barrier: Barrier::choose(options.release, options.warn),
            options,
            spinners: std::sync::atomic::AtomicU32::new(0),
            most_spinners: processors - 1,
            seed: random_seed(),
            retired: std::sync::Mutex::default(),
            deflated_at_stops: AtomicU64::new(0),
        }))
    }

    /// Whether exits need a fence: compiled code emits one, too, if so.
    pub fn fenced(&self) -> bool {
        self.barrier.fenced()
    }

    /// Exits in a row that found nobody else interested, after which S is taken off: compiled code
    /// counts them, too.
    pub fn quiet_exits(&self) -> u8 {
        self.options.sticky_exits
    }

    /// Address that record offsets count from.
    pub fn base_address(&self) -> u64 {
        self.pool.base() as u64
    }

    /// The object becomes reachable for other threads: clear LOCAL in the word and in the word
    /// that a record keeps for it, else the next exit would bring the bit back (C5).
    ///
    /// The caller is the only thread that can reach the object, and publishes it afterwards with a
    /// release store; so nobody else reads or writes either word now, even if a record is attached.
    pub fn publish(&self, word: &AtomicU32) {
        use crate::sync::Ordering::{Relaxed, Release};
        let raw = LockWord(word.load(Relaxed));
        if raw.is_monitor() {
            let record = self.pool.record(raw.record_offset());
            record.store_release_hash_word(LockWord(record.hash_word().0 & !LOCAL));
        }
        word.store(raw.0 & !LOCAL, Release);
    }

    /// Bytes of record memory in use.
    pub fn bytes_in_use(&self) -> u64 {
        self.pool.bytes_in_use()
    }

    /// Sums over the threads that have ended and those given.
    pub fn totals<'a>(&self, alive: impl IntoIterator<Item = &'a MonitorThread>) -> Totals {
        let mut sum = *self.retired.lock().unwrap_or_else(|e| e.into_inner());
        for thread in alive {
            sum.add(&thread.counters);
        }
        sum
    }

    /// What `thread` alone has counted, the threads that have gone left out.
    pub fn totals_of(&self, thread: &MonitorThread) -> Totals {
        let mut own = Totals::default();
        own.add(&thread.counters);
        own
    }

    /// Idle records that collections have taken off their objects.
    pub fn deflated_at_stops(&self) -> u64 {
        self.deflated_at_stops.load(Ordering::Relaxed)
    }

    pub(crate) fn count_deflated(&self, n: u64) {
        self.deflated_at_stops.fetch_add(n, Ordering::Relaxed);
    }

    pub(crate) fn retire(&self, counters: &Counters) {
        self.retired.lock().unwrap_or_else(|e| e.into_inner()).add(counters);
    }

    /// A non-zero start value for a thread's hash generator.
    pub(crate) fn hash_seed(&self, tid: u64) -> u64 {
        // Fibonacci hashing spreads neighbouring thread numbers over the whole word.
        (self.seed ^ tid.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
    }
}

/// Hashes must differ from run to run, or programs come to depend on them.
fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
