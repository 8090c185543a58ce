//! Every store of a reference into the heap.
//!
//! Invariant (decision C26): a store is publication of the value, the store itself, the fence, the
//! collector's barrier, in this order. No other code stores references into objects.
//!
//! Publication (`publish`) makes the value and all that it reaches SHARED, unless the target is
//! LOCAL. The functions here do it without a poll, so that callers may hold what a poll would
//! invalidate; callers that can afford one publish before ([`crate::publish_value`]). The fence is
//! the caller's: the memory-model room says which accesses need one, and the barrier after it
//! commutes with it, since the barrier touches only the collector's own tables.
//!
//! The barrier remembers objects, not slots: an old object gets on the list of objects to be
//! scanned again when the first reference is stored into it after a collection; large arrays have
//! cards instead (`cards`). A null needs none.
use crate::cards;
use crate::evacuation;
use crate::publish;
use crate::remembered;
use concord_contract::barrier::{must_log, must_publish};
use concord_contract::object::array_base;
use concord_contract::{Obj, Thread, owner};
use concord_memory_model::Mode;
use concord_memory_model::access::Cell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed, Ordering::Release};

#[inline(always)]
fn slot<'a>(target: Obj, offset: usize) -> &'a AtomicU32 {
    // SAFETY: the caller names a reference field or element of a live object.
    unsafe { AtomicU32::from_ptr(target.at(offset)) }
}

#[inline(always)]
fn barrier(target: Obj, offset: usize) {
    if must_log(target) {
        barrier_slow_at(target, offset, 0);
    }
}

/// Remembers that a reference has been stored at `offset` of an old object: what engines call that
/// inline `must_log`, when it says so. `overwritten` is what was there before, as it is in the heap, or 0.
#[cold]
#[inline(never)]
pub fn barrier_slow_at(target: Obj, offset: usize, overwritten: u32) {
    if cards::has_cards(target) {
        cards::mark(target.addr() + offset, target.addr() + offset + 4);
        evacuation::overwritten(Obj::decode(overwritten).addr());
    } else {
        remembered::remember(Thread::current(), target, overwritten);
    }
}

/// As [`barrier_slow_at`] for callers that do not know the offset: the whole object is scanned
/// again, which is dear for large arrays.
#[cold]
#[inline(never)]
pub fn barrier_slow(target: Obj) {
    remembered::remember(Thread::current(), target, 0);
}

/// Makes `value` SHARED if `target` is.
#[inline(always)]
fn publish_into(target: Obj, value: Obj) {
    if owner::on() {
        owner::check(Thread::current(), target);
        owner::check(Thread::current(), value);
    }
    if must_publish(target, value) {
        publish::publish_without_poll(value);
    }
}

/// Stores a reference into the field or element at `offset`.
#[inline(always)]
pub fn store_ref(target: Obj, offset: usize, value: Obj) {
    publish_into(target, value);
    if value.is_null() || !must_log(target) {
        slot(target, offset).store(value.encode(), Release);
        return;
    }
    let old = slot(target, offset).load(Relaxed);
    slot(target, offset).store(value.encode(), Release);
    barrier_slow_at(target, offset, old);
}

/// Compares and swaps the reference at `offset`, with volatile semantics; the error is the value
/// that was found. `new` is published even if it is not stored.
#[inline]
pub fn cas_ref(target: Obj, offset: usize, expected: Obj, new: Obj) -> Result<Obj, Obj> {
    publish_into(target, new);
    match slot(target, offset).cas(expected.encode(), new.encode(), Mode::Volatile) {
        Ok(old) => {
            if !new.is_null() {
                barrier(target, offset);
            }
            Ok(Obj::decode(old))
        }
        Err(found) => Err(Obj::decode(found)),
    }
}

/// Swaps the reference at `offset`, with volatile semantics; returns the old one.
#[inline]
pub fn swap_ref(target: Obj, offset: usize, new: Obj) -> Obj {
    publish_into(target, new);
    let old = slot(target, offset).swap_value(new.encode(), Mode::Volatile);
    if !new.is_null() {
        barrier(target, offset);
    }
    Obj::decode(old)
}

/// The collector's barrier for references that stand already in elements `from .. from + len` of
/// `dst`; they were published before they were stored.
#[inline]
pub fn store_ref_array_range(dst: Obj, from: usize, len: usize) {
    debug_assert!(from + len <= dst.array_len());
    if len != 0 && must_log(dst) {
        if cards::has_cards(dst) {
            cards::mark_elements(dst, from, len);
        } else {
            barrier_slow(dst);
        }
    }
}

/// Copies `len` references between arrays whose bounds and types the caller has checked; the
/// ranges may overlap in one array, and no element is torn.
pub fn array_copy_refs(src: Obj, src_index: usize, dst: Obj, dst_index: usize, len: usize) {
    debug_assert!(src_index + len <= src.array_len() && dst_index + len <= dst.array_len());
    if !dst.is_local() && src.is_local() {
        publish::publish_elements_without_poll(src, src_index, len);
    }
    let from = array_base(2) + 4 * src_index;
    let to = array_base(2) + 4 * dst_index;
    crate::copy::copy_without_poll(src, from, dst, to, len, 2);
    store_ref_array_range(dst, dst_index, len);
}
