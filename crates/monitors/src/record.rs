//! The monitor record: what an object's lock word names while the object is locked, waited on or
//! contended. Invariant owned here: a record is always a record (type-stable memory), so a stale
//! reader may look at any record at any time; and its owner word says *free to take* only while
//! the record is attached to an object.
//!
//! G1: the all-zero record, as the kernel hands out pages, has owner [`FREE`], which nobody can
//! take; [`UNOWNED`] is a value of its own and is stored only by the owner of an attached record.
//!
//! Ordering is in the accessors' names; raw `Ordering` appears nowhere else in the protocol.
//!
//! | record state | owner | obj | who changes it |
//! |---|---|---|---|
//! | never used, or in the pool | `FREE` | 0 | pool lock, or the world is stopped |
//! | on thread T's free list | T | 0 | T |
//! | attached, locked by T | T | object | T |
//! | attached, unlocked | `UNOWNED` | object | whoever wins the owner word |
//! | abandoned (detached, enterers still leaving) | `ABANDONED` | 1 | last leaver, by CAS |

use crate::check::invariant;
use crate::queue::Link;
use crate::sync::{AtomicU8, AtomicU32, AtomicU64, Guarded, Ordering, Own, QueueLock};
use crate::word::LockWord;

/// Owner word of a record that nobody may take: never used, or in the pool. Zero, so that a page
/// fresh from the kernel is full of such records (G1, and the trimming of idle pages).
pub const FREE: u64 = 0;
/// Owner word of an attached record whose object is unlocked.
pub const UNOWNED: u64 = 1;
/// Owner word of a record that lost its object while enterers still counted themselves on it.
pub const ABANDONED: u64 = 2;

/// Object field of an abandoned record: no object, but not on any list either.
pub(crate) const NO_OBJECT_BUT_IN_USE: u64 = 1;

/// The owner word of the thread `tid`.
#[inline(always)]
pub const fn owner_word(tid: u64) -> u64 {
    tid << 2 | 3
}

/// The thread that an owner word names.
#[inline(always)]
pub const fn owner_tid(owner: u64) -> Option<u64> {
    if owner & 3 == 3 { Some(owner >> 2) } else { None }
}

/// The reference word of a record: threads entering (E), threads waiting (W), sticky (S).
///
/// E counts threads that try to enter by way of the queue, W threads in the wait set. S says that
/// the word has been non-zero since before a completed heavy barrier: whoever sees it set need not
/// pay for another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State(pub(crate) u64);

impl State {
    pub(crate) const IDLE: State = State(0);
    const ENTERING_ONE: u64 = 1;
    const ENTERING_MASK: u64 = (1 << 31) - 1;
    const WAITING_SHIFT: u32 = 31;
    const WAITING_ONE: u64 = 1 << Self::WAITING_SHIFT;
    const WAITING_MASK: u64 = (1 << 31) - 1;
    const STICKY: u64 = 1 << 63;

    #[inline(always)]
    pub(crate) fn entering(self) -> u64 {
        self.0 & Self::ENTERING_MASK
    }

    #[inline(always)]
    pub(crate) fn waiting(self) -> u64 {
        self.0 >> Self::WAITING_SHIFT & Self::WAITING_MASK
    }

    #[inline(always)]
    pub(crate) fn sticky(self) -> bool {
        self.0 & Self::STICKY != 0
    }

    #[inline(always)]
    pub(crate) fn only_sticky(self) -> bool {
        self.0 == Self::STICKY
    }

    /// Waiters, nobody entering, and nobody recently did.
    #[inline(always)]
    pub(crate) fn only_waiting(self) -> bool {
        self.waiting() != 0 && self.entering() == 0 && !self.sticky()
    }

    /// Nobody entering and nobody waiting.
    #[inline(always)]
    pub(crate) fn unused(self) -> bool {
        self.0 & !Self::STICKY == 0
    }
}

/// One 64-byte monitor record.
#[repr(C)]
#[cfg_attr(not(any(loom, shuttle)), repr(align(64)))]
pub struct Record {
    state: AtomicU64,
    owner: AtomicU64,
    nest: Own<u32>,
    hash: AtomicU32,
    guard: AtomicU32,
    next_free: Own<u32>,
    obj: Own<u64>,
    /// Head of the circular entry queue; protected by `queue_lock`.
    pub(crate) queue: Guarded<Link>,
    /// Head of the circular wait set; protected by ownership.
    pub(crate) wait_set: Guarded<Link>,
    pub(crate) queue_lock: QueueLock,
    spin: Own<i16>,
    pub(crate) successor: AtomicU8,
    quiet_exits: Own<u8>,
}

/// Where compiled code finds the fields of a record.
#[cfg(not(any(loom, shuttle)))]
pub mod offset {
    use super::Record;
    use std::mem::offset_of;
    /// Reference word, u64; zero: nobody entering, nobody waiting, not sticky.
    pub const STATE: usize = offset_of!(Record, state);
    /// Owner word, u64.
    pub const OWNER: usize = offset_of!(Record, owner);
    /// Nesting depth, u32, 1 after the first enter.
    pub const NEST: usize = offset_of!(Record, nest);
    /// The displaced hash word, u32.
    pub const HASH: usize = offset_of!(Record, hash);
    /// Life counter for readers of the hash, u32.
    pub const GUARD: usize = offset_of!(Record, guard);
    /// Free list link, u32 offset of the next record, 0 at the end.
    pub const NEXT_FREE: usize = offset_of!(Record, next_free);
    /// The object's address, u64, 0 while not attached.
    pub const OBJ: usize = offset_of!(Record, obj);
    /// Whether a woken thread is on its way, u8.
    pub const SUCCESSOR: usize = offset_of!(Record, successor);
    /// Exits in a row that found nothing but S, u8.
    pub const QUIET_EXITS: usize = offset_of!(Record, quiet_exits);
    /// In the reference word: how many threads are entering.
    pub const ENTERING_MASK: u64 = super::State::ENTERING_MASK;
    /// The reference word with nothing but S in it.
    pub const STICKY: u64 = super::State::STICKY;
}

#[cfg(not(any(loom, shuttle)))]
const _: () = assert!(size_of::<Record>() == 64 && align_of::<Record>() == 64);

impl Record {
    /// A record as the kernel's zero page shows it.
    #[cfg(any(loom, shuttle))]
    pub(crate) fn new_zeroed() -> Record {
        Record {
            state: AtomicU64::new(0),
            owner: AtomicU64::new(FREE),
            nest: Own::new(0),
            hash: AtomicU32::new(0),
            guard: AtomicU32::new(0),
            next_free: Own::new(0),
            obj: Own::new(0),
            queue: Guarded::new(std::ptr::null()),
            wait_set: Guarded::new(std::ptr::null()),
            queue_lock: QueueLock::new(),
            spin: Own::new(0),
            successor: AtomicU8::new(0),
            quiet_exits: Own::new(0),
        }
    }

    // --- reference word -------------------------------------------------------------------

    #[inline(always)]
    pub(crate) fn load_acquire_state(&self) -> State {
        State(self.state.load(Ordering::Acquire))
    }

    /// A thread announces that it wants to enter; the heavy barrier must follow.
    #[inline(always)]
    pub(crate) fn add_entering(&self) -> State {
        State(self.state.fetch_add(State::ENTERING_ONE, Ordering::AcqRel))
    }

    #[inline(always)]
    pub(crate) fn sub_entering(&self) {
        let old = State(self.state.fetch_sub(State::ENTERING_ONE, Ordering::AcqRel));
        invariant!(I5, old.entering() != 0, "an enterer left that had not announced itself");
    }

    #[inline(always)]
    pub(crate) fn add_waiting(&self) {
        self.state.fetch_add(State::WAITING_ONE, Ordering::AcqRel);
    }

    /// A waiter becomes an enterer, in one step, so that the word never shows neither.
    #[inline(always)]
    pub(crate) fn waiting_to_entering(&self) -> State {
        let old = State(self.state.fetch_add(State::ENTERING_ONE.wrapping_sub(State::WAITING_ONE), Ordering::AcqRel));
        invariant!(I5, old.waiting() != 0, "a waiter left that was not counted");
        old
    }

    #[inline(always)]
    pub(crate) fn set_sticky(&self) {
        self.state.fetch_or(State::STICKY, Ordering::AcqRel);
    }

    #[inline(always)]
    pub(crate) fn clear_sticky(&self) {
        self.state.fetch_and(!State::STICKY, Ordering::AcqRel);
    }

    /// Clear S if nobody enters or waits; an enterer who saw S makes this fail.
    #[inline(always)]
    pub(crate) fn cas_sticky_to_idle(&self) -> bool {
        self.state.compare_exchange(State::STICKY, State::IDLE.0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    // --- owner ----------------------------------------------------------------------------

    #[inline(always)]
    pub(crate) fn load_relaxed_owner(&self) -> u64 {
        self.owner.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(crate) fn store_release_owner(&self, owner: u64) {
        self.owner.store(owner, Ordering::Release);
    }

    /// Become the owner of an unlocked record.
    #[inline(always)]
    pub(crate) fn try_own(&self, me: u64) -> bool {
        self.owner.load(Ordering::Relaxed) == UNOWNED
            && self.owner.compare_exchange(UNOWNED, me, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Take an abandoned record; true for exactly one leaver.
    pub(crate) fn try_reclaim(&self, me: u64) -> bool {
        self.owner.compare_exchange(ABANDONED, me, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    // --- the owner's fields ---------------------------------------------------------------

    #[inline(always)]
    pub(crate) fn nest(&self) -> u32 {
        self.nest.get()
    }

    #[inline(always)]
    pub(crate) fn set_nest(&self, depth: u32) {
        self.nest.set(depth);
    }

    /// The displaced word, for the owner (anybody else goes through the guard, G2).
    #[inline(always)]
    pub(crate) fn hash_word(&self) -> LockWord {
        LockWord(self.hash.load(Ordering::Relaxed))
    }

    #[inline(always)]
    pub(crate) fn load_acquire_hash_word(&self) -> LockWord {
        LockWord(self.hash.load(Ordering::Acquire))
    }

    /// Release: a reader that sees this word also sees the guard that the previous life left (G6).
    #[inline(always)]
    pub(crate) fn store_release_hash_word(&self, word: LockWord) {
        self.hash.store(word.0, Ordering::Release);
    }

    #[inline(always)]
    pub(crate) fn load_acquire_guard(&self) -> u32 {
        self.guard.load(Ordering::Acquire)
    }

    /// One life of the record ends (G2): readers of its hash must not mix two lives.
    #[inline(always)]
    pub(crate) fn end_life(&self) {
        self.guard.store(self.guard.load(Ordering::Relaxed).wrapping_add(1), Ordering::Release);
        self.obj.set(0);
    }

    #[inline(always)]
    pub(crate) fn obj(&self) -> u64 {
        self.obj.get()
    }

    /// G4: the record names its object, so the collector needs no list of suspects.
    #[inline(always)]
    pub(crate) fn set_obj(&self, address: u64) {
        self.obj.set(address);
    }

    #[inline(always)]
    pub(crate) fn next_free(&self) -> u32 {
        self.next_free.get()
    }

    #[inline(always)]
    pub(crate) fn set_next_free(&self, offset: u32) {
        self.next_free.set(offset);
    }

    /// On a list, or never used.
    pub(crate) fn is_free(&self) -> bool {
        self.obj() == 0
    }

    /// Serving an object.
    pub(crate) fn is_attached(&self) -> bool {
        self.obj() > NO_OBJECT_BUT_IN_USE
    }

    /// The record has lost its object while threads are still leaving it.
    pub(crate) fn abandon(&self) {
        self.obj.set(NO_OBJECT_BUT_IN_USE);
        self.owner.store(ABANDONED, Ordering::Release);
    }

    /// Free, and nobody counts himself on it.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_free() && self.load_acquire_state() == State::IDLE
    }

    // --- hints ----------------------------------------------------------------------------

    /// How much longer (or shorter) than the default a thread should spin for this record.
    pub(crate) fn spin_bias(&self) -> i16 {
        self.spin.get()
    }

    pub(crate) fn set_spin_bias(&self, bias: i16) {
        self.spin.set(bias);
    }

    /// Exits in a row that found the record sticky and nobody else interested.
    pub(crate) fn quiet_exits(&self) -> u8 {
        self.quiet_exits.get()
    }

    pub(crate) fn set_quiet_exits(&self, n: u8) {
        self.quiet_exits.set(n);
    }

    /// Whether a woken thread is still on its way.
    pub(crate) fn load_relaxed_successor(&self) -> bool {
        self.successor.load(Ordering::Relaxed) != 0
    }
}
