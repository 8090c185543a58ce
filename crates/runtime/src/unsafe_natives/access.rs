//! get and put.
//!
//! Invariant: an aligned access is one machine access; a misaligned one (off-heap memory, byte
//! arrays seen as longs) is as the machine does it, without a promise.
use super::{address, place};
use crate::vm_natives::args::{Args, obj, void};
use crate::{exceptions, threads};
use concord_contract::thread::poll;
use concord_contract::{JResult, Obj, Thread};
use concord_memory_model::access::Cell;
use concord_memory_model::{Mode, emit, policy};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// After an access outside the heap: the error of a mapping whose file was truncated.
#[inline(always)]
fn after_access(th: &Thread, a: Args) -> JResult<()> {
    if a.obj(1).is_null() { check_fault(th) } else { Ok(()) }
}
/// Throws InternalError if an access of this thread was left out.
///
/// # Errors
/// That InternalError, or an exception of Thread.stop that came meanwhile.
#[inline(always)]
pub fn check_fault(th: &Thread) -> JResult<()> {
    // The handler runs on this thread: only the compiler must keep the order.
    emit::same_thread();
    if th.poll.load(Ordering::Relaxed) & poll::ASYNC_EXCEPTION != 0 { threads::deliver_async(th) } else { Ok(()) }
}

// One module per width keeps `load` and `store` apart.
macro_rules! width {
    ($m:ident, $ty:ty, $atomic:ty) => {
        mod $m {
            use super::*;
            #[inline(always)]
            pub fn load(a: Args, mode: Mode) -> $ty {
                let at = address(a.obj(1), a.long(2));
                // SAFETY: Unsafe's own contract: the address is a live cell of this width.
                unsafe {
                    if at.is_multiple_of(align_of::<$atomic>()) {
                        (*(at as *const $atomic)).read(mode)
                    } else {
                        let v = (at as *const $ty).read_unaligned();
                        emit::after_load(mode);
                        v
                    }
                }
            }
            #[inline(always)]
            pub fn store(a: Args, v: $ty, mode: Mode) {
                let at = address(a.obj(1), a.long(2));
                // SAFETY: Unsafe's own contract: the address is a live cell of this width.
                unsafe {
                    if at.is_multiple_of(align_of::<$atomic>()) {
                        (*(at as *const $atomic)).write(v, mode)
                    } else {
                        emit::before_store(mode);
                        (at as *mut $ty).write_unaligned(v);
                        emit::after_store(mode);
                    }
                }
            }
        }
    };
}
width!(w1, u8, AtomicU8);
width!(w2, u16, AtomicU16);
width!(w4, u32, AtomicU32);
width!(w8, u64, AtomicU64);

macro_rules! rows_of_type {
    ($($m:ident $raw:ty, $java:ty: $get:ident $put:ident $get_v:ident $put_v:ident;)*) => { $(
        pub fn $get(th: &Thread, a: Args) -> JResult<u64> {
            let v = $m::load(a, policy::plain());
            after_access(th, a)?;
            Ok(w_result((v as $java) as i64, size_of::<$raw>()))
        }
        pub fn $put(th: &Thread, a: Args) -> JResult<u64> {
            $m::store(a, a.bits(4) as $raw, policy::plain());
            after_access(th, a)?;
            void()
        }
        pub fn $get_v(th: &Thread, a: Args) -> JResult<u64> {
            let v = $m::load(a, Mode::Volatile);
            after_access(th, a)?;
            Ok(w_result((v as $java) as i64, size_of::<$raw>()))
        }
        pub fn $put_v(th: &Thread, a: Args) -> JResult<u64> {
            $m::store(a, a.bits(4) as $raw, Mode::Volatile);
            after_access(th, a)?;
            void()
        }
    )* };
}
/// A value as a raw slot: up to 32 bits as an int, zero-extended.
#[inline(always)]
fn w_result(v: i64, size: usize) -> u64 {
    if size == 8 { v as u64 } else { v as i32 as u32 as u64 }
}
rows_of_type! {
    w1 u8, i8: get_byte put_byte get_byte_volatile put_byte_volatile;
    w2 u16, i16: get_short put_short get_short_volatile put_short_volatile;
    w2 u16, u16: get_char put_char get_char_volatile put_char_volatile;
    w4 u32, i32: get_int put_int get_int_volatile put_int_volatile;
    w8 u64, i64: get_long put_long get_long_volatile put_long_volatile;
}

pub fn get_boolean(_: &Thread, a: Args) -> JResult<u64> {
    Ok(u64::from(w1::load(a, policy::plain()) != 0))
}
pub fn get_boolean_volatile(_: &Thread, a: Args) -> JResult<u64> {
    Ok(u64::from(w1::load(a, Mode::Volatile) != 0))
}
pub fn put_boolean(_: &Thread, a: Args) -> JResult<u64> {
    w1::store(a, a.bits(4) as u8 & 1, policy::plain());
    void()
}
pub fn put_boolean_volatile(_: &Thread, a: Args) -> JResult<u64> {
    w1::store(a, a.bits(4) as u8 & 1, Mode::Volatile);
    void()
}

/// The object of a reference access; off-heap memory cannot hold references.
#[inline(always)]
fn holder(th: &Thread, a: Args) -> JResult<(Obj, usize)> {
    let o = a.obj(1);
    if o.is_null() {
        return exceptions::throw(
            th,
            "java/lang/NullPointerException",
            "Unsafe access of a reference outside the heap",
        );
    }
    Ok(place(o, a.long(2)))
}
pub fn get_reference(th: &Thread, a: Args) -> JResult<u64> {
    let (o, at) = holder(th, a)?;
    obj(o.get_ref(at))
}
pub fn get_reference_volatile(th: &Thread, a: Args) -> JResult<u64> {
    let (o, at) = holder(th, a)?;
    // SAFETY: a reference field's or element's cell.
    obj(Obj::decode(unsafe { AtomicU32::from_ptr(o.at(at)) }.read(Mode::Volatile)))
}
pub fn put_reference(th: &Thread, a: Args) -> JResult<u64> {
    let (o, at) = holder(th, a)?;
    concord_heap::publish_value(th, o, a.obj(4));
    concord_heap::store_ref(o, at, a.obj(4));
    emit::after_plain_store_into(o.is_local());
    void()
}
pub fn put_reference_volatile(th: &Thread, a: Args) -> JResult<u64> {
    let (o, at) = holder(th, a)?;
    concord_heap::publish_value(th, o, a.obj(4));
    emit::before_store(Mode::Volatile);
    concord_heap::store_ref(o, at, a.obj(4));
    emit::after_store(Mode::Volatile);
    void()
}
/// The object whose full address stands at an absolute address.
pub fn get_uncompressed(_: &Thread, a: Args) -> JResult<u64> {
    // SAFETY: Unsafe's own contract.
    Ok(unsafe { (a.long(1) as usize as *const u64).read_volatile() })
}
