//! The operand stack as one handler sees it: up to three values that are not in memory yet.
//!
//! Invariant: between handlers at most the top value is outside memory, in the `tos` or `ftos`
//! register, and which one is the dispatch table's first index. Inside a handler the kinds are
//! constants after inlining, so all bookkeeping here folds away.
use crate::value::Value;

/// Cache states: nothing; one slot (int, float bits, reference); long; double.
pub const NONE: u8 = 0;
pub const ONE: u8 = 1;
pub const LONG: u8 = 2;
pub const DOUBLE: u8 = 3;
pub const STATES: usize = 4;

#[derive(Clone, Copy)]
pub struct Stack {
    /// First free slot, pending values not counted.
    pub sp: *mut u64,
    k0: u8,
    k1: u8,
    k2: u8,
    c0: u64,
    c1: u64,
    c2: u64,
}

#[inline(always)]
const fn slots(kind: u8) -> usize {
    if kind >= LONG { 2 } else { 1 }
}

impl Stack {
    #[inline(always)]
    pub fn new(state: u8, sp: *mut u64, tos: u64, ftos: f64) -> Stack {
        let c0 = if state == DOUBLE { ftos.to_bits() } else { tos };
        Stack { sp, k0: state, k1: NONE, k2: NONE, c0, c1: 0, c2: 0 }
    }
    /// # Safety
    /// The verifier's view of the stack has a value of type `T` on top.
    #[inline(always)]
    pub unsafe fn pop<T: Value>(&mut self) -> T {
        if self.k0 != NONE {
            let v = self.c0;
            (self.k0, self.c0) = (self.k1, self.c1);
            (self.k1, self.c1) = (self.k2, self.c2);
            self.k2 = NONE;
            T::from_bits(v)
        } else {
            // SAFETY: the value is in memory below `sp`.
            unsafe {
                self.sp = self.sp.sub(slots(T::KIND));
                T::read(self.sp)
            }
        }
    }
    /// # Safety
    /// The frame's operand stack has room (max_stack was checked at entry).
    #[inline(always)]
    pub unsafe fn push<T: Value>(&mut self, v: T) {
        if self.k2 != NONE {
            // SAFETY: room as above.
            unsafe { self.spill(self.k2, self.c2) }
        }
        (self.k2, self.c2) = (self.k1, self.c1);
        (self.k1, self.c1) = (self.k0, self.c0);
        (self.k0, self.c0) = (T::KIND, v.bits());
    }
    /// # Safety
    /// The operand stack has room.
    #[inline(always)]
    unsafe fn spill(&mut self, kind: u8, v: u64) {
        // SAFETY: room vouched for by the caller.
        unsafe {
            *self.sp = v;
            self.sp = self.sp.add(slots(kind));
        }
    }
    /// Writes all pending values but the newest `keep` (0 or 1) to memory.
    ///
    /// # Safety
    /// The operand stack has room.
    #[inline(always)]
    pub unsafe fn flush(&mut self, keep: u8) {
        // SAFETY: room vouched for by the caller.
        unsafe {
            if self.k2 != NONE {
                self.spill(self.k2, self.c2);
                self.k2 = NONE;
            }
            if self.k1 != NONE {
                self.spill(self.k1, self.c1);
                self.k1 = NONE;
            }
            if keep == 0 && self.k0 != NONE {
                self.spill(self.k0, self.c0);
                self.k0 = NONE;
            }
        }
    }
    /// Kind and bits of the newest pending value.
    #[inline(always)]
    pub fn top(&self) -> (u8, u64) {
        (self.k0, self.c0)
    }
}
