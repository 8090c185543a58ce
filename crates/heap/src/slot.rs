//! Slots: where the collector finds and updates references.
//!
//! Invariant: a slot is a 32-bit heap word (a scaled reference) or, with the top bit of its
//! address set, a 64-bit word outside the heap (a full address). Roots that hold null or a tagged
//! (odd) word are no references. To MMTk an object of eden is no object: it sees such a slot as empty, and the slot is
//! noted (`scavenge::met`), since who has it may have to be remembered.
use crate::eden;
use concord_contract::object::REF_SHIFT;
use mmtk::util::{Address, ObjectReference};
use mmtk::vm::slot::{MemorySlice, Slot};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

const ROOT: usize = 1 << 63;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct RefSlot(usize);

impl RefSlot {
    /// The 32-bit reference in the heap at `address`.
    #[inline(always)]
    pub fn heap(address: usize) -> RefSlot {
        RefSlot(address)
    }
    /// The 64-bit word at `address`.
    #[inline(always)]
    pub fn root(address: *mut u64) -> RefSlot {
        RefSlot(address as usize | ROOT)
    }
    /// The slot as one word, for [`RefSlot::from_word`].
    #[inline(always)]
    pub fn to_word(self) -> usize {
        self.0
    }
    #[inline(always)]
    pub fn from_word(word: usize) -> RefSlot {
        RefSlot(word)
    }
    /// The address of the slot, if it is in the heap.
    #[inline(always)]
    pub fn in_heap(self) -> Option<usize> {
        (self.0 & ROOT == 0).then_some(self.0)
    }
    /// The address of the object that the slot names, wherever that is, or 0.
    #[inline(always)]
    pub fn target(self) -> usize {
        // SAFETY: slots are made from words of live objects and registered roots only.
        unsafe {
            if self.0 & ROOT == 0 {
                (AtomicU32::from_ptr(self.0 as *mut u32).load(Relaxed) as usize) << REF_SHIFT
            } else {
                let word = AtomicU64::from_ptr((self.0 & !ROOT) as *mut u64).load(Relaxed) as usize;
                if word & 7 != 0 { 0 } else { word }
            }
        }
    }
    /// The object that the slot names, wherever that is.
    #[inline(always)]
    pub fn object(self) -> Option<ObjectReference> {
        // SAFETY: what a slot names is an object, or null.
        unsafe { ObjectReference::from_raw_address(Address::from_usize(self.target())) }
    }
    /// Has the slot name the object at `address`.
    #[inline(always)]
    pub fn set(self, address: usize) {
        // SAFETY: as for `target`, and the world is stopped.
        unsafe {
            if self.0 & ROOT == 0 {
                AtomicU32::from_ptr(self.0 as *mut u32).store((address >> REF_SHIFT) as u32, Relaxed)
            } else {
                AtomicU64::from_ptr((self.0 & !ROOT) as *mut u64).store(address as u64, Relaxed)
            }
        }
    }
}

/// The object reference for an address that is one.
///
/// # Safety
/// `address` is the address of an object.
#[inline(always)]
pub unsafe fn reference(address: usize) -> ObjectReference {
    // SAFETY: by the caller's promise; objects are 8-byte aligned and not at 0.
    unsafe { ObjectReference::from_raw_address_unchecked(Address::from_usize(address)) }
}

impl Slot for RefSlot {
    #[inline(always)]
    fn load(&self) -> Option<ObjectReference> {
        let target = self.target();
        if eden::contains(target) {
            crate::scavenge::met(*self);
            return None;
        }
        // SAFETY: what a slot names is an object, or null.
        unsafe { ObjectReference::from_raw_address(Address::from_usize(target)) }
    }
    #[inline(always)]
    fn store(&self, object: ObjectReference) {
        self.set(object.to_raw_address().as_usize());
    }
}

/// Consecutive heap slots.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RefRange {
    pub start: usize,
    pub end: usize,
}

pub struct RefRangeIter(RefRange);

impl Iterator for RefRangeIter {
    type Item = RefSlot;
    fn next(&mut self) -> Option<RefSlot> {
        if self.0.start >= self.0.end {
            return None;
        }
        let slot = RefSlot::heap(self.0.start);
        self.0.start += 4;
        Some(slot)
    }
}

impl MemorySlice for RefRange {
    type SlotType = RefSlot;
    type SlotIterator = RefRangeIter;
    fn iter_slots(&self) -> RefRangeIter {
        RefRangeIter(self.clone())
    }
    fn object(&self) -> Option<ObjectReference> {
        None
    }
    fn start(&self) -> Address {
        // SAFETY: an address inside the heap.
        unsafe { Address::from_usize(self.start) }
    }
    fn bytes(&self) -> usize {
        self.end - self.start
    }
    fn copy(src: &Self, tgt: &Self) {
        // SAFETY: both ranges lie in live objects; reference arrays are copied with the world
        // running only by `store::array_copy_refs`, which does not come here.
        unsafe { std::ptr::copy(src.start as *const u8, tgt.start as *mut u8, src.end - src.start) }
    }
}
