//! Identity hashes. Invariant owned here: an object's hash never changes once anybody has seen it
//! (I8), whether it is read before, during or after locking.
//!
//! A hash is assigned at the first question *or at the first inflation*: an attached record always
//! keeps a hash word, so nobody ever has to add one to a record that its owner may be detaching.

use crate::sync::{AtomicU32, Ordering};
use crate::thread::MonitorThread;
use crate::word::{LockWord, TAG_EMPTY, TAG_HASH, TAG_MONITOR};

impl MonitorThread {
    /// The object's identity hash, 29 bits and not 0. Never sleeps. `None` for a token word, whose
    /// hash is kept by whoever wrote the token.
    #[inline]
    pub fn hash_code(&self, word: &AtomicU32) -> Option<u32> {
        let raw = LockWord(word.load(Ordering::Acquire));
        if raw.tag() == TAG_HASH { Some(raw.hash_bits()) } else { self.hash_code_slow(word) }
    }

    #[cold]
    fn hash_code_slow(&self, word: &AtomicU32) -> Option<u32> {
        loop {
            let raw = LockWord(word.load(Ordering::Acquire));
            match raw.tag() {
                TAG_HASH => return Some(raw.hash_bits()),
                TAG_EMPTY => {
                    let fresh = self.fresh_hash(raw.is_local());
                    if word.compare_exchange(raw.0, fresh.0, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                        return Some(fresh.hash_bits());
                    }
                }
                TAG_MONITOR => {
                    if let Some(hash) = self.displaced_hash(word, raw) {
                        return Some(hash);
                    }
                }
                _ => return None,
            }
        }
    }

    /// G2: the record's hash, if the record served this object throughout. The guard says so: it
    /// changes at the end of each life, and the record was the object's after we had read it.
    fn displaced_hash(&self, word: &AtomicU32, raw: LockWord) -> Option<u32> {
        let record = self.record(raw);
        let guard = record.load_acquire_guard();
        if !LockWord(word.load(Ordering::Acquire)).same_record(raw) {
            return None;
        }
        let hash = record.load_acquire_hash_word();
        (record.load_acquire_guard() == guard).then_some(hash.hash_bits())
    }
}
