//! java.lang.ref.Reference, and the list of references that the collector found.
//!
//! Invariant: `PENDING` heads a chain through `discovered` of references that nobody has taken
//! yet; the collector appends at a stop, the Reference Handler thread takes the whole chain.
use super::args::{Args, boolean, obj, void};
use super::{Row, rows};
use crate::known;
use concord_contract::class::Root;
use concord_contract::{JResult, Obj, Thread};
use std::sync::{Condvar, Mutex};

pub static REFERENCE: &[Row] = rows! {
    "getAndClearReferencePendingList" "()Ljava/lang/ref/Reference;" = get_and_clear;
    "hasReferencePendingList" "()Z" = has;
    "waitForReferencePendingList" "()V" = wait;
    "refersTo0" "(Ljava/lang/Object;)Z" = refers_to_native;
    "clear0" "()V" = clear_native;
};
pub static PHANTOM: &[Row] = rows! {
    "refersTo0" "(Ljava/lang/Object;)Z" = refers_to_native;
};

static PENDING: Root = Root::new();
static LOCK: Mutex<()> = Mutex::new(());
static ARRIVED: Condvar = Condvar::new();

/// The collector hands over a chain whose last `discovered` is null; the world is stopped. `link`
/// stores a reference without a barrier, as the collector may at a stop.
pub fn enqueue_pending(head: Obj, tail: Obj, link: impl FnOnce(Obj, usize, Obj)) {
    if head.is_null() {
        return;
    }
    let _held = LOCK.lock().expect("pending references");
    let old = PENDING.get();
    if !old.is_null() {
        link(tail, known::offsets().ref_discovered, old);
    }
    PENDING.set(head);
    ARRIVED.notify_all();
}
/// The list's root; for the collector.
pub fn slots(f: &mut dyn FnMut(*mut u64)) {
    if !PENDING.get().is_null() {
        f(PENDING.slot());
    }
}

/// Takes the whole list.
pub fn take_pending() -> Obj {
    let _held = LOCK.lock().expect("pending references");
    let head = PENDING.get();
    PENDING.set(Obj::NULL);
    head
}
pub fn has_pending() -> bool {
    !PENDING.get().is_null()
}
/// Sleeps until the list is not empty.
pub fn wait_for_pending() {
    concord_safepoint::blocked(|| {
        let mut held = LOCK.lock().expect("pending references");
        // Only whether the word is null matters here, so reading it while stopped is sound.
        while PENDING.0.load(std::sync::atomic::Ordering::Acquire) == 0 {
            held = ARRIVED.wait(held).expect("pending references");
        }
    });
}

/// `Reference.refersTo`.
pub fn refers_to(reference: Obj, o: Obj) -> bool {
    reference.get_ref(known::offsets().ref_referent) == o
}
/// `Reference.clear`: storing null needs no barrier.
pub fn clear(reference: Obj) {
    reference.put_u32(known::offsets().ref_referent, 0);
}

fn get_and_clear(_: &Thread, _: Args) -> JResult<u64> {
    obj(take_pending())
}
fn has(_: &Thread, _: Args) -> JResult<u64> {
    boolean(has_pending())
}
fn wait(_: &Thread, _: Args) -> JResult<u64> {
    wait_for_pending();
    void()
}
fn refers_to_native(_: &Thread, a: Args) -> JResult<u64> {
    boolean(refers_to(a.obj(0), a.obj(1)))
}
fn clear_native(_: &Thread, a: Args) -> JResult<u64> {
    clear(a.obj(0));
    void()
}
