//! The objects of eden: which one is at or around an address, all of them, and those that stay.
//!
//! Invariant: while the world is stopped the objects of a run lie one behind the other, with zero words between some of
//! them, and every header is complete. A run's valid-object bits are all exact or all 0: they are set when the first
//! address in it is looked up, and go with the run. After a collection a run that was kept holds the objects that stayed
//! and zero words.
use super::{CHUNK, address_of, contains, is_on, range, runs};
use crate::binding::heap;
use concord_contract::layout::object_size;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What the last collection left in eden, by address.
static LEFT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// The byte with the valid-object bit of `address`, which is in eden.
fn byte(address: usize) -> &'static AtomicU8 {
    // SAFETY: the table is mapped for all of eden.
    unsafe { AtomicU8::from_ptr((heap().vo_table + (address >> 6)) as *mut u8) }
}
fn has_bit(address: usize) -> bool {
    byte(address).load(Relaxed) >> ((address >> 3) & 7) & 1 != 0
}

/// The object of eden at or around `address`, found by walking its run. The world is stopped. Sets no bits, so that threads
/// may go on to fill the run.
pub fn around_by_walk(address: usize) -> Option<usize> {
    if !contains(address) {
        return None;
    }
    let run = runs::of((address - range().0) / CHUNK)?;
    if address >= runs::filled(run) {
        return None;
    }
    let mut last = None;
    walk_to(runs::filled(run).min(address + 1), run, |at| last = Some(at));
    // SAFETY: an object with a complete header.
    last.filter(|at| address < at + unsafe { object_size(*at) })
}

/// Visits the objects of a run, upwards.
fn walk(run: usize, f: impl FnMut(usize)) {
    walk_to(runs::filled(run), run, f);
}
/// The same, up to one that begins at `end` or behind it.
fn walk_to(end: usize, run: usize, mut f: impl FnMut(usize)) {
    let mut at = address_of(run);
    while at < end {
        // SAFETY: up to where it is filled a run holds objects with complete headers and zero words.
        unsafe {
            if *(at as *const u64) == 0 {
                at += 8;
            } else {
                f(at);
                at += object_size(at);
            }
        }
    }
}

/// The run around `address`, its bits being set.
fn run_at(address: usize) -> Option<usize> {
    if !contains(address) {
        return None;
    }
    let run = runs::of((address - range().0) / CHUNK)?;
    if address >= runs::filled(run) {
        return None;
    }
    if !runs::has_bits(run) {
        walk(run, crate::conservative::set_vo);
        runs::set_has_bits(run);
    }
    Some(run)
}

/// Whether an object of eden starts at `address`. As [`around`].
pub fn is_object(address: usize) -> bool {
    address & 7 == 0 && run_at(address).is_some() && has_bit(address)
}

/// The object of eden at or around `address`. A collection has stopped the world: the bits that this sets hold to its end.
pub fn around(address: usize) -> Option<usize> {
    let start = address_of(run_at(address)?);
    let mut at = address & !7;
    while !has_bit(at) {
        // All of a byte's bits are looked at in one.
        at = if byte(at).load(Relaxed) == 0 { (at & !63).checked_sub(8)? } else { at - 8 };
        if at < start {
            return None;
        }
    }
    // SAFETY: a bit stands for an object with a complete header.
    (address < at + unsafe { object_size(at) }).then_some(at)
}

/// Visits all objects of eden, dead ones, too. The world is stopped, and no collection has begun to copy or it has ended.
pub fn for_each(mut f: impl FnMut(usize)) {
    if is_on() {
        runs::for_each(|run| walk(run, &mut f));
    }
}

/// Visits objects that were made since the last collection, dead ones, too: those that begin in the first `bytes` of each run.
/// When as [`for_each`].
pub fn for_each_at_starts(bytes: usize, mut f: impl FnMut(usize)) {
    runs::for_each(|run| {
        if !runs::is_kept(run) {
            walk_to(runs::filled(run).min(address_of(run) + bytes), run, &mut f);
        }
    });
}

/// Visits the objects that the last collection left.
pub fn for_each_left(f: impl FnMut(usize)) {
    left().iter().copied().for_each(f);
}

fn left() -> std::sync::MutexGuard<'static, Vec<usize>> {
    match LEFT.lock() {
        Ok(g) => g,
        Err(_) => concord_base::bug!("a thread died while it collected"),
    }
}

/// A collection ends: all but `stay` has been copied or is dead. The world is stopped, and no thread has a place in eden.
pub fn end_collection(mut stay: Vec<usize>) {
    stay.sort_unstable();
    let mut next = stay.iter().copied().peekable();
    runs::end_collection(|run| {
        let (start, end) = (address_of(run), runs::filled(run));
        if runs::has_bits(run) {
            (start >> 6..=(end - 1) >> 6).for_each(|line| byte(line << 6).store(0, Relaxed));
        }
        let mut gap = start;
        while let Some(at) = next.next_if(|at| *at < end) {
            super::clear(gap, at);
            crate::conservative::set_vo(at);
            // SAFETY: an object that stays has its header.
            gap = at + unsafe { object_size(at) };
        }
        runs::set_filled(run, gap);
        gap != start
    });
    *left() = stay;
}
