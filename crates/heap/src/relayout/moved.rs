//! Which objects have moved, and where to.
//!
//! Invariant: the header of an object that has moved is the address of its copy with the tag [`MOVED`] above it, until all
//! slots have been updated; no other header has a tag. The filter has a bit for each such object, so that for nearly all
//! others the header need not be read.
use crate::scavenge::TAG_SHIFT;
use crate::slot::RefSlot;

const MOVED: u64 = 1;
/// Bits of the filter for each object.
const BITS: usize = 16;

pub struct Moved {
    low: usize,
    span: usize,
    filter: Vec<u64>,
    /// How far a product is shifted to get a bit's number.
    shift: u32,
}

impl Moved {
    /// For the objects at these addresses, of which none has moved yet.
    pub fn new(objects: impl Iterator<Item = usize> + Clone) -> Moved {
        let low = objects.clone().min().unwrap_or(0);
        let high = objects.clone().max().unwrap_or(0);
        let bits = (objects.count() * BITS).next_power_of_two().max(64);
        Moved { low, span: high - low, filter: vec![0; bits / 64], shift: 64 - bits.ilog2() }
    }

    /// The word of the filter for an address, and its bit.
    #[inline(always)]
    fn place(&self, address: usize) -> (usize, u64) {
        // Fibonacci hashing: the upper bits of the product are those that differ.
        let bit = ((address as u64 >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        (bit / 64, 1 << (bit % 64))
    }

    /// The object at `from`, which is one of those, is at `to` now.
    ///
    /// # Safety
    /// Its copy is complete, and the world is stopped.
    pub unsafe fn add(&mut self, from: usize, to: usize) {
        let (word, bit) = self.place(from);
        self.filter[word] |= bit;
        // SAFETY: what is left of an object, by the caller's promise.
        unsafe { *(from as *mut u64) = to as u64 | MOVED << TAG_SHIFT };
    }

    /// Whether an object has moved away from `address`.
    ///
    /// # Safety
    /// An object is or was there, and the world is stopped.
    #[inline(always)]
    pub unsafe fn is_tagged(address: usize) -> bool {
        // SAFETY: by the caller's promise a header is there.
        unsafe { *(address as *const u64) >> TAG_SHIFT == MOVED }
    }

    /// Has a slot name the copy of what it names, if that has moved.
    ///
    /// # Safety
    /// What the slot names is or was an object, or it names none; the world is stopped.
    #[inline(always)]
    pub unsafe fn update(&self, slot: RefSlot) {
        let target = slot.target();
        if target.wrapping_sub(self.low) > self.span {
            return;
        }
        let (word, bit) = self.place(target);
        // SAFETY: the target lies among the objects that have moved, so it is none of the null slots', and is or was an object.
        unsafe {
            if self.filter[word] & bit != 0 && Moved::is_tagged(target) {
                slot.set((*(target as *const u64) & ((1 << TAG_SHIFT) - 1)) as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_of_what_has_moved_are_updated_and_no_others() {
        for n in [1, 3, 100, 5000] {
            let mut heap = vec![0x0000_0012_0000_0004u64; 2 * n];
            let at = |heap: &[u64], i: usize| heap.as_ptr() as usize + 8 * i;
            let odd = (0..n).map(|i| at(&heap, 2 * i + 1));
            let mut moved = Moved::new(odd.clone());
            let before = moved.filter.len() * 64;
            assert!(before >= BITS * n && before <= (2 * BITS * n).max(64));
            for (i, from) in odd.enumerate() {
                // SAFETY: a word of the vector, which stands for a header.
                unsafe { moved.add(from, 0x1000 + 8 * i) };
            }
            for i in 0..2 * n {
                let here = at(&heap, i);
                let mut root = here as u64;
                // SAFETY: as above.
                unsafe { moved.update(RefSlot::root(&raw mut root)) };
                assert_eq!(root as usize, if i % 2 == 1 { 0x1000 + 8 * (i / 2) } else { here });
                // SAFETY: as above.
                assert_eq!(unsafe { Moved::is_tagged(here) }, i % 2 == 1);
            }
            heap.clear();
        }
    }
}
