//! Enter and exit as compiled code does them inline, through the published offsets, step for step
//! (`jit::lower::cranelift::monitors`), with a delay between any two steps. What the inline part does
//! not finish goes to the room, as by the rows.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*, fence};

use concord_monitors::record::{UNOWNED, offset as record};
use concord_monitors::thread::{STALE, WAKE, offset as thread};
use concord_monitors::word::{HASH_BITS, HASH_SHIFT, LOCAL, RECORD_MASK, TAG_HASH, TAG_MASK, TAG_MONITOR, TAG_TOKEN};
use concord_monitors::{MonitorThread, ObjectRef, Park, enter};

use super::Object;

/// The fields of a record, or of a thread's state.
struct Fields(usize);

impl Fields {
    fn of_thread(me: &MonitorThread) -> Fields {
        Fields(std::ptr::from_ref(me) as usize)
    }
    fn of_record(me: &MonitorThread, raw: u32) -> Fields {
        Fields(Fields::of_thread(me).u64(thread::BASE).load(Relaxed) as usize + (raw & RECORD_MASK) as usize)
    }
    fn u64(&self, at: usize) -> &AtomicU64 {
        // SAFETY: an offset of a field of this size, which is an atomic; it outlives the operation.
        unsafe { &*((self.0 + at) as *const AtomicU64) }
    }
    fn u32(&self, at: usize) -> &AtomicU32 {
        // SAFETY: an offset of a field of this size, which is an atomic; it outlives the operation.
        unsafe { &*((self.0 + at) as *const AtomicU32) }
    }
    fn u8(&self, at: usize) -> &AtomicU8 {
        // SAFETY: an offset of a field of this size, which is an atomic; it outlives the operation.
        unsafe { &*((self.0 + at) as *const AtomicU8) }
    }
}

fn delay(random: &mut u64) {
    let r = super::torture::xorshift(random);
    if r & 0x3f == 0 {
        for _ in 0..r >> 8 & 0x3ff {
            std::hint::spin_loop();
        }
    }
}

/// Enter: by a fresh record, again, or by a record that nobody owns; else by the room.
pub fn enter_inline<P: Park>(park: &P, object: &Object, random: &mut u64) {
    let me = park.monitor_thread();
    let raw = object.word.load(Acquire);
    let entered = match raw & TAG_MASK {
        TAG_MONITOR => enter_by_record(me, object, raw, random),
        TAG_TOKEN => false,
        _ => inflate(me, object, raw, random),
    };
    if !entered {
        me.leave_missed();
        enter(park, &object);
    }
}

/// Enter an object without a record: our first free one goes into its word.
fn inflate(me: &MonitorThread, object: &Object, raw: u32, random: &mut u64) -> bool {
    let state = Fields::of_thread(me);
    let first = state.u32(thread::FREE).load(Relaxed);
    if first == 0 {
        return false;
    }
    let rec = Fields::of_record(me, first);
    let Some(hash) = displaced(&state, raw) else { return false };
    rec.u32(record::HASH).store(hash, Relaxed);
    rec.u64(record::OBJ).store((&object).address(), Relaxed);
    let inflated = first | TAG_MONITOR | raw & LOCAL;
    delay(random);
    if object.word.compare_exchange(raw, inflated, AcqRel, Relaxed).is_err() {
        rec.u64(record::OBJ).store(0, Relaxed);
        return false;
    }
    delay(random);
    state.u32(thread::FREE).store(rec.u32(record::NEXT_FREE).load(Relaxed), Relaxed);
    state.u32(thread::LAST).store(first, Relaxed);
    true
}

/// The word that a record keeps for an object: its hash word, or a fresh one.
fn displaced(state: &Fields, raw: u32) -> Option<u32> {
    if raw & TAG_HASH != 0 {
        return Some(raw);
    }
    let mut x = state.u64(thread::RANDOM).load(Relaxed);
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    let hash = (x >> (64 - HASH_BITS)) as u32;
    (hash != 0).then(|| {
        state.u64(thread::RANDOM).store(x, Relaxed);
        hash << HASH_SHIFT | raw | TAG_HASH
    })
}

/// Enter by the record that `raw` names.
fn enter_by_record(me: &MonitorThread, object: &Object, raw: u32, random: &mut u64) -> bool {
    let rec = Fields::of_record(me, raw);
    delay(random);
    let mine = Fields::of_thread(me).u64(thread::OWNER).load(Relaxed);
    let owner = rec.u64(record::OWNER).load(Relaxed);
    if owner == mine {
        let depth = rec.u32(record::NEST).load(Relaxed);
        rec.u32(record::NEST).store(depth + 1, Relaxed);
        return true;
    }
    if owner != UNOWNED || rec.u64(record::OWNER).compare_exchange(UNOWNED, mine, AcqRel, Relaxed).is_err() {
        return false;
    }
    delay(random);
    if (object.word.load(Relaxed) ^ raw) & (RECORD_MASK | TAG_MASK) != 0 {
        Fields::of_thread(me).u32(thread::MISSED).store(raw & RECORD_MASK | STALE, Relaxed);
        return false;
    }
    rec.u32(record::NEST).store(1, Relaxed);
    true
}

/// Exit once: by the record of the last inflation, else by the word's; else by the room.
pub fn exit_inline(me: &MonitorThread, object: &Object, quiet_exits: u8, random: &mut u64) {
    let address = (&object).address();
    let state = Fields::of_thread(me);
    let mut offset = state.u32(thread::LAST).load(Relaxed);
    if Fields::of_record(me, offset).u64(record::OBJ).load(Relaxed) != address {
        let raw = object.word.load(Relaxed);
        assert_eq!(raw & TAG_MASK, TAG_MONITOR, "an owned object without a record");
        offset = raw & RECORD_MASK;
    }
    let rec = Fields::of_record(me, offset);
    let owned = rec.u64(record::OWNER).load(Relaxed) == state.u64(thread::OWNER).load(Relaxed);
    if !owned || !leave(me, object, offset, quiet_exits, random) {
        me.exit(&object.word, address).expect("owner");
    }
}

/// Exit from the monitor of `object`, whose record at `offset` is ours.
fn leave(me: &MonitorThread, object: &Object, offset: u32, quiet_exits: u8, random: &mut u64) -> bool {
    let (state, rec) = (Fields::of_thread(me), Fields::of_record(me, offset));
    let depth = rec.u32(record::NEST).load(Relaxed);
    if depth != 1 {
        rec.u32(record::NEST).store(depth - 1, Relaxed);
        return true;
    }
    let users = rec.u64(record::STATE).load(Acquire);
    if users != 0 {
        return leave_to_others(&state, &rec, offset, users, quiet_exits, random);
    }
    let hash = rec.u32(record::HASH).load(Relaxed);
    delay(random);
    object.word.store(hash, Release);
    if state.u8(thread::FENCED).load(Relaxed) != 0 {
        fence(SeqCst);
    }
    delay(random);
    if rec.u64(record::STATE).load(Acquire) != 0 {
        state.u32(thread::MISSED).store(offset, Relaxed);
        return false;
    }
    let life = rec.u32(record::GUARD).load(Relaxed);
    rec.u32(record::GUARD).store(life.wrapping_add(1), Release);
    rec.u64(record::OBJ).store(0, Relaxed);
    rec.u32(record::NEXT_FREE).store(state.u32(thread::FREE).load(Relaxed), Relaxed);
    state.u32(thread::FREE).store(offset, Relaxed);
    true
}

/// Exit where others enter, wait, or did lately.
fn leave_to_others(state: &Fields, rec: &Fields, offset: u32, users: u64, quiet_exits: u8, random: &mut u64) -> bool {
    let quiet = if users == record::STICKY { rec.u8(record::QUIET_EXITS).load(Relaxed) + 1 } else { 0 };
    if quiet >= quiet_exits {
        return false;
    }
    rec.u8(record::QUIET_EXITS).store(quiet, Relaxed);
    delay(random);
    rec.u64(record::OWNER).store(UNOWNED, Release);
    delay(random);
    fence(SeqCst);
    if rec.u64(record::STATE).load(Acquire) & record::ENTERING_MASK == 0 {
        return true;
    }
    delay(random);
    if rec.u8(record::SUCCESSOR).load(Relaxed) != 0 {
        return true;
    }
    state.u32(thread::MISSED).store(offset | WAKE, Relaxed);
    false
}

/// What compiled code has done when it finds that the record which it took, here that of `object`,
/// is not the record of the object that it enters.
pub fn take_stale(me: &MonitorThread, object: &Object) {
    let raw = object.word.load(Acquire);
    let mine = Fields::of_thread(me).u64(thread::OWNER).load(Relaxed);
    let owner = Fields::of_record(me, raw).u64(record::OWNER).compare_exchange(UNOWNED, mine, AcqRel, Relaxed);
    assert_eq!(owner, Ok(UNOWNED));
    Fields::of_thread(me).u32(thread::MISSED).store(raw & RECORD_MASK | STALE, Relaxed);
}
