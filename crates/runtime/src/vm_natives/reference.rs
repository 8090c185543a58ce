//! java.lang.ref.Reference. The list of pending references is [`crate::roots`]'s.
//!
//! Invariant: `referent` is read and cleared as one 32-bit word; clearing needs no barrier.
use super::args::{Args, boolean, obj, void};
use super::{Row, rows};
use crate::{known, roots};
use concord_contract::{JResult, Obj, Thread};

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

/// `Reference.refersTo`.
pub fn refers_to(reference: Obj, o: Obj) -> bool {
    reference.get_ref(known::offsets().ref_referent) == o
}
/// `Reference.clear`: storing null needs no barrier.
pub fn clear(reference: Obj) {
    reference.put_u32(known::offsets().ref_referent, 0);
}

fn get_and_clear(_: &Thread, _: Args) -> JResult<u64> {
    obj(roots::take_pending())
}
fn has(_: &Thread, _: Args) -> JResult<u64> {
    boolean(roots::has_pending())
}
fn wait(th: &Thread, _: Args) -> JResult<u64> {
    roots::wait_pending(th);
    void()
}
fn refers_to_native(_: &Thread, a: Args) -> JResult<u64> {
    boolean(refers_to(a.obj(0), a.obj(1)))
}
fn clear_native(_: &Thread, a: Args) -> JResult<u64> {
    clear(a.obj(0));
    void()
}
