//! What of the heap is taken: a bit for each 8 bytes of what the collection in place has found alive.
//!
//! Invariant: from the end of a collection in place to the next one of the full heap a bit is set if and only if its 8 bytes
//! belonged to an object of the collector's blocks that was alive then; of large objects the first bit alone counts.
//! Objects do not overlap, so the first bit of an object says whether it has been found.
//!
//! All bits of an object are set, not one, so that the sweep need not know where objects end: it never looks at one.
use crate::alloc::MAX_SMALL;
use concord_base::bug;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// References of 32 bits reach so far.
pub const REACH: usize = 32 << 30;
/// Bytes that a word of the table stands for.
pub const SPAN: usize = 64 * 8;

/// Address of the word of address 0.
static TABLE: AtomicUsize = AtomicUsize::new(0);

/// Reserves the table; its pages appear as bits are set.
pub fn init() -> Result<(), String> {
    // SAFETY: an anonymous private mapping at an address of the kernel's choice.
    let p = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            REACH >> 6,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if p == libc::MAP_FAILED {
        return Err("cannot reserve address space for the collector's marks".into());
    }
    TABLE.store(p as usize, Relaxed);
    Ok(())
}

/// The table as one collection uses it, on one thread, the world being stopped.
#[derive(Clone, Copy)]
pub struct Marks {
    table: usize,
}

/// The table; nobody else changes it while the world is stopped.
pub fn marks() -> Marks {
    Marks { table: TABLE.load(Relaxed) }
}

impl Marks {
    /// Clears all bits, and gives their pages back.
    pub fn clear(self) {
        // SAFETY: the mapping of `init`, which reads as zero afterwards.
        if unsafe { libc::madvise(self.table as *mut _, REACH >> 6, libc::MADV_DONTNEED) } != 0 {
            bug!("the kernel does not take the collector's marks back");
        }
    }

    /// Address of the word with the bit of `address`.
    #[inline(always)]
    pub fn place(self, address: usize) -> usize {
        self.table + address / SPAN * 8
    }

    /// The word with the bits of the 512 bytes around `address`.
    #[inline(always)]
    pub fn word(self, address: usize) -> u64 {
        // SAFETY: addresses of objects and of the collector's blocks are below the reach of references.
        unsafe { *(self.place(address) as *const u64) }
    }

    /// Whether the object at `address` has been found.
    #[inline(always)]
    pub fn has(self, address: usize) -> bool {
        self.word(address) >> (address / 8 % 64) & 1 != 0
    }

    /// The object of `bytes` bytes at `address` has been found.
    #[inline(always)]
    pub fn set(self, address: usize, bytes: usize) {
        let mut at = self.place(address) as *mut u64;
        let first = address / 8 % 64;
        let count = if bytes > MAX_SMALL { 1 } else { bytes / 8 };
        // SAFETY: the bits of an object lie in the table.
        unsafe {
            if first + count <= 64 {
                *at |= (u64::MAX >> (64 - count)) << first;
                return;
            }
            *at |= u64::MAX << first;
            let mut left = count - (64 - first);
            while left > 0 {
                at = at.add(1);
                let n = left.min(64);
                *at |= u64::MAX >> (64 - n);
                left -= n;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bits_of_an_object_and_no_others_are_set() {
        let mut words = [0u64; 40];
        // The words stand for the addresses from 0 on.
        let m = Marks { table: words.as_mut_ptr() as usize };
        for bytes in [8, 16, 24, 80, 504, 512, 520, 4096, 9000] {
            for first in [0, 8, 56, 504, 512, 1000] {
                words.fill(0);
                assert!(!m.has(first));
                m.set(first, bytes);
                for at in (0..words.len() * SPAN).step_by(8) {
                    assert_eq!(m.has(at), (first..first + bytes).contains(&at), "{at} of {bytes} bytes at {first}");
                }
            }
        }
        words.fill(0);
        m.set(4096, MAX_SMALL + 8);
        assert_eq!(words.iter().map(|w| w.count_ones()).sum::<u32>(), 1, "a large object has one");
    }
}
