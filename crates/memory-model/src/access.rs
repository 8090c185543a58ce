//! Heap cells as native code accesses them for a Java program.
//!
//! Invariant: an access is one machine access of the cell's width, between the fences that the
//! tables name for its mode. Loads acquire and stores release whatever the mode: on x86-64 both are
//! plain moves, and the compiler keeps them in place.
use crate::{Access, Arch, Mode, emit, fences, policy, statistics};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// An atomic integer that can be a heap cell.
pub trait Cell {
    type V: Copy;
    fn read(&self, mode: Mode) -> Self::V;
    fn write(&self, v: Self::V, mode: Mode);
    /// Compares and swaps; the value that was found, as an error if it was not the expected one.
    ///
    /// # Errors
    /// The value found instead.
    fn cas(&self, expected: Self::V, new: Self::V, mode: Mode) -> Result<Self::V, Self::V>;
    /// Stores and returns the value before.
    fn swap_value(&self, new: Self::V, mode: Mode) -> Self::V;
}

/// The fences around a read-modify-write, and its count.
#[inline(always)]
fn atomic<T>(mode: Mode, f: impl FnOnce() -> T) -> T {
    let around = fences(Access::Cas, mode, Arch::HOST);
    emit::emit(around.before);
    let r = f();
    emit::emit(around.after);
    if policy::counting() {
        statistics::atomic_operation();
    }
    r
}

macro_rules! cells {
    ($($atomic:ty: $v:ty),*) => { $(
        impl Cell for $atomic {
            type V = $v;
            #[inline(always)]
            fn read(&self, mode: Mode) -> $v {
                let v = self.load(Ordering::Acquire);
                emit::after_load(mode);
                v
            }
            #[inline(always)]
            fn write(&self, v: $v, mode: Mode) {
                emit::before_store(mode);
                self.store(v, Ordering::Release);
                emit::after_store(mode);
            }
            #[inline(always)]
            fn cas(&self, expected: $v, new: $v, mode: Mode) -> Result<$v, $v> {
                atomic(mode, || self.compare_exchange(expected, new, Ordering::AcqRel, Ordering::Acquire))
            }
            #[inline(always)]
            fn swap_value(&self, new: $v, mode: Mode) -> $v {
                atomic(mode, || self.swap(new, Ordering::AcqRel))
            }
        }
    )* };
}
cells!(AtomicU8: u8, AtomicU16: u16, AtomicU32: u32, AtomicU64: u64);
