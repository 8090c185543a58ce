//! Enter and exit as compiled code does them inline where others are interested in the monitor,
//! through the published offsets, step for step (`jit::lower::cranelift::monitors`), with a delay
//! between any two steps. What the inline part does not finish goes to the room, as by the rows.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*, fence};

use concord_monitors::record::{UNOWNED, offset as record};
use concord_monitors::thread::{STALE, WAKE, offset as thread};
use concord_monitors::word::{RECORD_MASK, TAG_MASK, TAG_MONITOR};
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

/// Enter: by a record that nobody owns inline, else by the room.
pub fn enter_inline<P: Park>(park: &P, object: &Object, random: &mut u64) {
    let me = park.monitor_thread();
    let raw = object.word.load(Acquire);
    if raw & TAG_MASK == TAG_MONITOR {
        let rec = Fields::of_record(me, raw);
        delay(random);
        let mine = Fields::of_thread(me).u64(thread::OWNER).load(Relaxed);
        if rec.u64(record::OWNER).load(Relaxed) == UNOWNED
            && rec.u64(record::OWNER).compare_exchange(UNOWNED, mine, AcqRel, Relaxed).is_ok()
        {
            delay(random);
            if (object.word.load(Relaxed) ^ raw) & (RECORD_MASK | TAG_MASK) == 0 {
                rec.u32(record::NEST).store(1, Relaxed);
                return;
            }
            Fields::of_thread(me).u32(thread::MISSED).store(raw & RECORD_MASK | STALE, Relaxed);
        }
    }
    me.leave_missed();
    enter(park, &object);
}

/// Exit once: inline where others enter, wait, or did lately, else by the room.
pub fn exit_inline(me: &MonitorThread, object: &Object, quiet_exits: u8, random: &mut u64) {
    let raw = object.word.load(Relaxed);
    let rec = Fields::of_record(me, raw);
    let users = rec.u64(record::STATE).load(Acquire);
    if users != 0 && rec.u32(record::NEST).load(Relaxed) == 1 {
        let quiet = if users == record::STICKY { rec.u8(record::QUIET_EXITS).load(Relaxed) + 1 } else { 0 };
        if quiet < quiet_exits {
            rec.u8(record::QUIET_EXITS).store(quiet, Relaxed);
            delay(random);
            rec.u64(record::OWNER).store(UNOWNED, Release);
            delay(random);
            fence(SeqCst);
            if rec.u64(record::STATE).load(Acquire) & record::ENTERING_MASK == 0 {
                return;
            }
            delay(random);
            if rec.u8(record::SUCCESSOR).load(Relaxed) != 0 {
                return;
            }
            Fields::of_thread(me).u32(thread::MISSED).store(raw & RECORD_MASK | WAKE, Relaxed);
        }
    }
    me.exit(&object.word, (&object).address()).expect("owner");
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
