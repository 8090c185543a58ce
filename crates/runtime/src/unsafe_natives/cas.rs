//! Atomic read-modify-write, and the three fences.
//!
//! Invariant: every operation is sequentially consistent, failed ones too.
use super::{address, place};
use crate::exceptions;
use crate::vm_natives::args::{Args, boolean, int, long, obj, void};
use concord_contract::{JResult, Obj, Thread};
use concord_memory_model::access::Cell;
use concord_memory_model::{Mode, emit};
use std::sync::atomic::{AtomicU32, AtomicU64};

#[inline(always)]
fn cell4<'a>(a: Args) -> &'a AtomicU32 {
    // SAFETY: Unsafe's own contract: an aligned live int cell.
    unsafe { AtomicU32::from_ptr(address(a.obj(1), a.long(2)) as *mut u32) }
}
#[inline(always)]
fn cell8<'a>(a: Args) -> &'a AtomicU64 {
    // SAFETY: Unsafe's own contract: an aligned live long cell.
    unsafe { AtomicU64::from_ptr(address(a.obj(1), a.long(2)) as *mut u64) }
}

pub fn set_int(_: &Thread, a: Args) -> JResult<u64> {
    let (old, new) = (a.int(4) as u32, a.int(5) as u32);
    boolean(cell4(a).cas(old, new, Mode::Volatile).is_ok())
}
pub fn exchange_int(_: &Thread, a: Args) -> JResult<u64> {
    let (old, new) = (a.int(4) as u32, a.int(5) as u32);
    let found = match cell4(a).cas(old, new, Mode::Volatile) {
        Ok(v) | Err(v) => v,
    };
    int(found as i32)
}
pub fn set_long(_: &Thread, a: Args) -> JResult<u64> {
    let (old, new) = (a.long(4) as u64, a.long(6) as u64);
    boolean(cell8(a).cas(old, new, Mode::Volatile).is_ok())
}
pub fn exchange_long(_: &Thread, a: Args) -> JResult<u64> {
    let (old, new) = (a.long(4) as u64, a.long(6) as u64);
    let found = match cell8(a).cas(old, new, Mode::Volatile) {
        Ok(v) | Err(v) => v,
    };
    long(found as i64)
}

#[inline(always)]
fn cas_reference(th: &Thread, a: Args) -> JResult<Result<Obj, Obj>> {
    let o = a.obj(1);
    if o.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    let (o, at) = place(o, a.long(2));
    concord_heap::publish_value(th, o, a.obj(5));
    Ok(concord_heap::cas_ref(o, at, a.obj(4), a.obj(5)))
}
pub fn set_reference(th: &Thread, a: Args) -> JResult<u64> {
    boolean(cas_reference(th, a)?.is_ok())
}
pub fn exchange_reference(th: &Thread, a: Args) -> JResult<u64> {
    match cas_reference(th, a)? {
        Ok(found) | Err(found) => obj(found),
    }
}

pub fn load_fence(_: &Thread, _: Args) -> JResult<u64> {
    emit::acquire();
    void()
}
pub fn store_fence(_: &Thread, _: Args) -> JResult<u64> {
    emit::release();
    void()
}
pub fn full_fence(_: &Thread, _: Args) -> JResult<u64> {
    emit::full();
    void()
}
