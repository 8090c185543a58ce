//! Argument slots and results of VM natives.
//!
//! Invariant: an `Args` points to the slots of a call in progress, whose frame is below the
//! native's, so the slots are roots and hold present addresses.
use concord_contract::{JResult, Obj};

/// The slots of one call: receiver first; long and double take two slots, value in the lower one.
#[derive(Clone, Copy)]
pub struct Args(*const u64);

impl Args {
    /// # Safety
    /// `slots` are the argument slots of a call in progress, and the getters are asked for what
    /// its descriptor promises.
    #[inline(always)]
    pub unsafe fn new(slots: *const u64) -> Args {
        Args(slots)
    }
    #[inline(always)]
    fn raw(self, i: usize) -> u64 {
        // SAFETY: `new`'s contract. Volatile: the collector rewrites slots behind our back.
        unsafe { self.0.add(i).read_volatile() }
    }
    #[inline(always)]
    pub fn obj(self, i: usize) -> Obj {
        // SAFETY: a reference slot holds null or a live object's address.
        unsafe { Obj::from_addr(self.raw(i) as usize) }
    }
    #[inline(always)]
    pub fn int(self, i: usize) -> i32 {
        self.raw(i) as i32
    }
    #[inline(always)]
    pub fn long(self, i: usize) -> i64 {
        self.raw(i) as i64
    }
    #[inline(always)]
    pub fn boolean(self, i: usize) -> bool {
        self.raw(i) & 1 != 0
    }
    #[inline(always)]
    pub fn bits(self, i: usize) -> u64 {
        self.raw(i)
    }
}

#[inline(always)]
pub fn void() -> JResult<u64> {
    Ok(0)
}
#[inline(always)]
pub fn int(v: i32) -> JResult<u64> {
    Ok(v as u32 as u64)
}
#[inline(always)]
pub fn long(v: i64) -> JResult<u64> {
    Ok(v as u64)
}
#[inline(always)]
pub fn boolean(v: bool) -> JResult<u64> {
    Ok(v as u64)
}
#[inline(always)]
pub fn obj(o: Obj) -> JResult<u64> {
    Ok(o.addr() as u64)
}
