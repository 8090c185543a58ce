//! The paper's protocol, as its Listing 1 has it: a fence on every release, and a release that
//! misspeculated flushes the sleepers and waits for their acknowledgements. The measuring baseline
//! of `pair`, not part of the product: it has the gaps G2-G5 that the room closes. G1 is respected
//! (a free record keeps its owner), else it would not even exclude.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*, fence};

const INFLATED: u32 = 2;

/// `monRec`.
#[repr(C, align(64))]
#[derive(Default)]
pub struct MonRec {
    owner: AtomicU64,
    candidate: AtomicU32,
    rc_this: AtomicU32,
    nest: AtomicU32,
    hash_code: AtomicU32,
    next: AtomicU32,
    /// `EntryQ`: a counting semaphore.
    entry_q: AtomicU32,
}

/// All records, and whether the release has its fence (without it the figure shows the fence's
/// price; the protocol is then unsound as soon as a second thread appears).
pub struct Paper {
    records: Vec<MonRec>,
    taken: AtomicU32,
}

/// `ExecEnv`.
pub struct ExecEnv {
    me: u64,
    mon_free: Cell<u32>,
}

impl Paper {
    pub fn new(records: usize) -> Paper {
        Paper { records: (0..records).map(|_| MonRec::default()).collect(), taken: AtomicU32::new(1) }
    }

    /// The environment of thread `tid`, with one free record.
    pub fn attach(&self, tid: u64) -> ExecEnv {
        let ee = ExecEnv { me: tid, mon_free: Cell::new(0) };
        self.extend_free_list(&ee);
        ee
    }

    #[inline(always)]
    fn record(&self, raw: u32) -> &MonRec {
        &self.records[(raw >> 6) as usize]
    }

    #[cold]
    fn extend_free_list(&self, ee: &ExecEnv) {
        let index = self.taken.fetch_add(1, Relaxed);
        let m = &self.records[index as usize];
        m.owner.store(ee.me, Relaxed);
        m.nest.store(1, Relaxed);
        m.next.store(ee.mon_free.get(), Relaxed);
        ee.mon_free.set(index << 6);
    }

    fn wakeup(m: &MonRec) {
        if m.candidate.load(Relaxed) == 1 && m.candidate.compare_exchange(1, 0, AcqRel, Relaxed).is_ok() {
            Self::post(m, 1);
        }
    }

    fn post(m: &MonRec, permits: u32) {
        m.entry_q.fetch_add(permits, AcqRel);
        // SAFETY: the kernel uses the address as a key only.
        unsafe {
            libc::syscall(libc::SYS_futex, &raw const m.entry_q, libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, permits)
        };
    }

    fn sleep(m: &MonRec) {
        loop {
            let permits = m.entry_q.load(Acquire);
            if permits > 0 {
                if m.entry_q.compare_exchange(permits, permits - 1, AcqRel, Relaxed).is_ok() {
                    return;
                }
                continue;
            }
            // SAFETY: the word is alive, the time-out null.
            unsafe {
                libc::syscall(
                    libc::SYS_futex,
                    &raw const m.entry_q,
                    libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
                    0,
                    std::ptr::null::<libc::timespec>(),
                )
            };
        }
    }

    /// `monEnter`.
    #[inline(always)]
    pub fn enter(&self, ee: &ExecEnv, word: &AtomicU32) {
        let raw = word.load(Acquire);
        if raw & INFLATED == 0 && ee.mon_free.get() != 0 && self.install(ee, word, raw) {
            return;
        }
        self.enter_slow(ee, word);
    }

    #[inline(always)]
    fn install(&self, ee: &ExecEnv, word: &AtomicU32, raw: u32) -> bool {
        let offset = ee.mon_free.get();
        let m = self.record(offset);
        m.hash_code.store(raw, Relaxed);
        let next = m.next.load(Relaxed);
        if word.compare_exchange(raw, offset | INFLATED, AcqRel, Relaxed).is_ok() {
            ee.mon_free.set(next);
            return true;
        }
        false
    }

    #[cold]
    fn enter_slow(&self, ee: &ExecEnv, word: &AtomicU32) {
        loop {
            let raw = word.load(Acquire);
            if raw & INFLATED == 0 {
                if ee.mon_free.get() == 0 {
                    self.extend_free_list(ee);
                }
                if self.install(ee, word, raw) {
                    return;
                }
                continue;
            }
            let m = self.record(raw);
            if m.owner.load(Relaxed) == ee.me {
                m.nest.store(m.nest.load(Relaxed) + 1, Relaxed);
                return;
            }
            if m.owner.load(Relaxed) == 0 && m.owner.compare_exchange(0, ee.me, AcqRel, Relaxed).is_ok() {
                if word.load(Relaxed) == raw {
                    m.nest.store(1, Relaxed);
                    return;
                }
                m.owner.store(0, Release);
                fence(SeqCst);
                Self::wakeup(m);
                continue;
            }
            m.rc_this.fetch_add(1, SeqCst);
            if word.load(Acquire) != raw {
                m.rc_this.fetch_sub(1, SeqCst);
                continue;
            }
            while word.load(Acquire) == raw {
                m.candidate.store(1, Relaxed);
                fence(SeqCst);
                if m.owner.load(Relaxed) == 0 && m.owner.compare_exchange(0, ee.me, AcqRel, Relaxed).is_ok() {
                    m.rc_this.fetch_sub(1, SeqCst);
                    m.nest.store(1, Relaxed);
                    return;
                }
                Self::sleep(m);
            }
            // `FlushAcknowledge`.
            m.rc_this.fetch_sub(1, SeqCst);
        }
    }

    /// `monExit`, for an owner.
    #[inline(always)]
    pub fn exit(&self, ee: &ExecEnv, word: &AtomicU32) {
        let raw = word.load(Relaxed);
        let m = self.record(raw);
        assert!(raw & INFLATED != 0 && m.owner.load(Relaxed) == ee.me, "illegal monitor state");
        let nest = m.nest.load(Relaxed) - 1;
        if nest != 0 {
            fence(SeqCst);
            m.nest.store(nest, Relaxed);
            return;
        }
        if m.rc_this.load(Relaxed) == 0 {
            word.store(m.hash_code.load(Relaxed), Release);
            fence(SeqCst);
            if m.rc_this.load(Relaxed) == 0 {
                m.next.store(ee.mon_free.get(), Relaxed);
                ee.mon_free.set(raw & !63);
            } else {
                self.flush_and_free(ee, m, raw);
            }
            return;
        }
        m.owner.store(0, Release);
        fence(SeqCst);
        Self::wakeup(m);
    }

    /// Expel the sleepers and wait until the last one has said that it is gone (G3).
    #[cold]
    fn flush_and_free(&self, ee: &ExecEnv, m: &MonRec, raw: u32) {
        while m.rc_this.load(Acquire) != 0 {
            Self::post(m, m.rc_this.load(Acquire));
            std::thread::yield_now();
        }
        m.entry_q.store(0, Relaxed);
        m.next.store(ee.mon_free.get(), Relaxed);
        ee.mon_free.set(raw & !63);
    }
}
