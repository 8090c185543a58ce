//! Interface tables: a hash table by the interface's address.
//!
//! Invariant: at most half of a table is in use, so that a search ends; machine code searches it, too.
use super::{Class, ClassRef};
use crate::method::Method;
use std::sync::atomic::AtomicPtr;

/// One implemented interface's methods in the receiver class, indexed by [`Method::itable_index`].
#[repr(C)]
pub struct ItableEntry {
    /// None in free slots of the table.
    pub interface: Option<ClassRef>,
    pub methods: *const AtomicPtr<Method>,
    pub len: usize,
}

impl ItableEntry {
    /// The hash table of `entries`, whose size is a power of two. At most half of it is in use, so
    /// a search from [`itable_slot`] upwards (and round the end) meets the entry or a free slot.
    pub fn table(entries: Vec<ItableEntry>) -> Box<[ItableEntry]> {
        let size = (2 * entries.len()).next_power_of_two();
        let free = || ItableEntry { interface: None, methods: std::ptr::null(), len: 0 };
        let mut table: Vec<ItableEntry> = (0..size).map(|_| free()).collect();
        for e in entries {
            let Some(interface) = e.interface else { continue };
            let mut i = itable_slot(interface, size);
            while table[i].interface.is_some() {
                i = (i + 1) & (size - 1);
            }
            table[i] = e;
        }
        table.into_boxed_slice()
    }
}

/// Where the search for `interface` starts in an itable of `size` slots.
#[inline(always)]
pub fn itable_slot(interface: *const Class, size: usize) -> usize {
    // Multiplicative hashing of the address, which is a multiple of 16.
    ((interface as usize as u32 >> 4).wrapping_mul(0x9E37_79B1) >> 16) as usize & (size - 1)
}
