//! Whose a LOCAL object is: for `-XX:+CheckLocalObjects`, off otherwise.
//!
//! Invariant: while this is on, every LOCAL object carries the number of the thread that allocated
//! it, wherever the collector moves it; and whoever looks into or stores into an object of the heap
//! for a Java program calls [`check`] before.
use crate::object::Obj;
use crate::thread::Thread;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering::Relaxed};

/// One number per 8 bytes of all that references reach; pages appear as they are used.
static STAMPS: AtomicPtr<AtomicU32> = AtomicPtr::new(std::ptr::null_mut());
const REACH: usize = 32 << 30;

/// Begins to stamp and check; before the first object is allocated.
pub fn switch_on() {
    STAMPS.store(crate::layout::reserve(REACH / 8 * 4).cast(), Relaxed);
}
#[inline(always)]
pub fn on() -> bool {
    !STAMPS.load(Relaxed).is_null()
}
fn cell(address: usize) -> &'static AtomicU32 {
    // SAFETY: the table is reserved for every address that a reference reaches.
    unsafe { &*STAMPS.load(Relaxed).add(address >> 3) }
}
/// Says that `th` has allocated `o`.
pub fn stamp(th: &Thread, o: Obj) {
    cell(o.addr()).store(th.id.get() as u32, Relaxed);
}
/// The collector copies the object.
pub fn moved(from: usize, to: usize) {
    cell(to).store(cell(from).load(Relaxed), Relaxed);
}
/// Ends the VM if `o` is another thread's LOCAL object.
#[inline]
pub fn check(th: &Thread, o: Obj) {
    if on() && !o.is_null() && o.is_local() {
        check_slow(th, o);
    }
}
#[cold]
fn check_slow(th: &Thread, o: Obj) {
    let owner = cell(o.addr()).load(Relaxed);
    if owner != th.id.get() as u32 {
        concord_base::bug!(
            "thread {} uses a LOCAL object of thread {owner}: {:#x}, a {}",
            th.id.get(),
            o.addr(),
            o.class().name
        );
    }
}
