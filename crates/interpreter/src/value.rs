//! Values as the operand stack, locals and heap cells hold them.
//!
//! Invariant: a slot always holds 8 defined bytes for one-slot values (ints and float bits
//! zero-extended, references as addresses); a long or double stands in the lower of its two slots.
//! Heap cells are read and written by single relaxed or acquiring atomics: never torn, and on
//! x86-64 plain moves.
use crate::stack::{DOUBLE, LONG, ONE};
use concord_contract::object::REF_SHIFT;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A reference on the Java stack: a full address, 0 for null.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ref(pub u64);

/// A computational type.
pub trait Value: Copy {
    /// Cache state of a handler that has one of these on top of the stack.
    const KIND: u8;
    fn bits(self) -> u64;
    fn from_bits(b: u64) -> Self;
    /// # Safety
    /// `p` is a slot that holds a value of this type.
    unsafe fn read(p: *const u64) -> Self;
}

macro_rules! values {
    ($($ty:ty, $kind:ident, $raw:ty, |$v:ident| $bits:expr, |$b:ident| $from:expr;)*) => { $(
        impl Value for $ty {
            const KIND: u8 = $kind;
            #[inline(always)]
            fn bits(self) -> u64 { let $v = self; $bits }
            #[inline(always)]
            fn from_bits(b: u64) -> Self { let $b = b as $raw; $from }
            #[inline(always)]
            unsafe fn read(p: *const u64) -> Self {
                // SAFETY: the caller names a slot; its low bytes hold the value.
                let $b = unsafe { *(p as *const $raw) };
                $from
            }
        }
    )* };
}
values! {
    i32, ONE, u32, |v| v as u32 as u64, |b| b as i32;
    f32, ONE, u32, |v| v.to_bits() as u64, |b| f32::from_bits(b);
    Ref, ONE, u64, |v| v.0, |b| Ref(b);
    i64, LONG, u64, |v| v as u64, |b| b as i64;
    f64, DOUBLE, u64, |v| v.to_bits(), |b| f64::from_bits(b);
}

/// A heap cell's type: how it is read, written and scaled in arrays.
pub trait Cell {
    type V: Value;
    /// log2 of the size.
    const SHIFT: u32;
    /// # Safety
    /// `addr` is the address of a live cell of this type.
    unsafe fn load(addr: u64) -> Self::V;
    /// # Safety
    /// As for `load`.
    unsafe fn store(addr: u64, v: Self::V);
}

macro_rules! cells {
    ($($name:ident, $v:ty, $shift:literal, $atomic:ty, |$raw:ident| $get:expr, |$val:ident| $put:expr;)*) => { $(
        pub struct $name;
        impl Cell for $name {
            type V = $v;
            const SHIFT: u32 = $shift;
            #[inline(always)]
            unsafe fn load(addr: u64) -> $v {
                // SAFETY: the caller vouches for the cell; all accesses to it are atomic.
                // Acquire keeps later accesses of the same handler behind it; a plain move on x86.
                let $raw = unsafe { <$atomic>::from_ptr(addr as *mut _) }.load(Ordering::Acquire);
                $get
            }
            #[inline(always)]
            unsafe fn store(addr: u64, v: $v) {
                let $val = v;
                // SAFETY: as for the load. Release keeps earlier accesses before it.
                unsafe { <$atomic>::from_ptr(addr as *mut _) }.store($put, Ordering::Release)
            }
        }
    )* };
}
cells! {
    Bool, i32, 0, AtomicU8, |r| r as i32, |v| (v & 1) as u8;
    Byte, i32, 0, AtomicU8, |r| r as i8 as i32, |v| v as u8;
    Char, i32, 1, AtomicU16, |r| r as i32, |v| v as u16;
    Short, i32, 1, AtomicU16, |r| r as i16 as i32, |v| v as u16;
    Int, i32, 2, AtomicU32, |r| r as i32, |v| v as u32;
    Long, i64, 3, AtomicU64, |r| r as i64, |v| v as u64;
    Double, f64, 3, AtomicU64, |r| f64::from_bits(r), |v| v.to_bits();
    Reference, Ref, 2, AtomicU32, |r| Ref((r as u64) << REF_SHIFT), |v| (v.0 >> REF_SHIFT) as u32;
}
