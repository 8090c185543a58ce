//! The supertypes of a class that its display does not hold: interfaces, and classes from depth
//! [`DISPLAY`](crate::class::DISPLAY) on.
//!
//! Invariant: the table is complete before the class has an instance. Bit `s` of `map` is set if
//! some entry has place `s`; entries stand by ascending place behind one that matches nothing, so
//! the entry for place `s` is the one whose index is the number of bits up to and including `s`,
//! whatever the map. Compiled code reads it in that way, without a loop and without a bounds check:
//! ```text
//!  entry = table[popcount(map << (63 - s))]     s = Class::place of the supertype
//!  found: entry.class == supertype              methods of the interface: entry.methods
//!  else   not a supertype, unless the bits s and s + 1 (mod 64) are both set: then it may have
//!         been pushed to a later place (`Supers::find` looks on)
//! ```
//! Places are numbers modulo 64 in the order of loading, so interfaces that belong together differ.
//! This is how later HotSpots find secondary supers (JDK-8180450), with the methods beside.
use crate::class::{Class, ClassRef};
use crate::method::Method;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};

/// One supertype.
#[repr(C)]
pub struct SuperEntry {
    /// Null in the entry in front.
    pub class: *const Class,
    /// An interface's methods in the receiver class by [`Method::itable_index`], once it is linked.
    pub methods: AtomicPtr<AtomicPtr<Method>>,
}

// SAFETY: the class is set once, before the table is published, and lives as long as the table.
unsafe impl Sync for SuperEntry {}

/// log2 of the size of an entry.
pub const ENTRY_SHIFT: u32 = 4;
const _: () = assert!(size_of::<SuperEntry>() == 1 << ENTRY_SHIFT);

const PLACES: usize = 64;
static NONE: SuperEntry = SuperEntry { class: std::ptr::null(), methods: AtomicPtr::new(std::ptr::null_mut()) };
static NEXT: AtomicU8 = AtomicU8::new(0);

/// The place of the next class, or 0 for one that is nobody's entry.
pub(crate) fn new_place(needed: bool) -> u8 {
    if needed { NEXT.fetch_add(1, Ordering::Relaxed) % PLACES as u8 } else { 0 }
}

/// A class's table.
#[repr(C)]
pub struct Supers {
    pub map: AtomicU64,
    pub table: AtomicPtr<SuperEntry>,
    /// Entries, the one in front not counted.
    len: AtomicU32,
}

impl Supers {
    pub(crate) fn empty() -> Supers {
        Supers { map: AtomicU64::new(0), table: AtomicPtr::new((&raw const NONE).cast_mut()), len: AtomicU32::new(0) }
    }

    /// Makes the table of `all`; once, before the class is published.
    pub(crate) fn set(&self, all: &[ClassRef]) {
        if all.is_empty() {
            return;
        }
        let mut places: Vec<Option<ClassRef>> = vec![None; PLACES];
        let mut rest: Vec<ClassRef> = Vec::new();
        for c in all {
            let at = c.place as usize;
            match (0..PLACES).map(|d| (at + d) % PLACES).find(|p| places[*p].is_none()) {
                Some(p) => places[p] = Some(c),
                // With all places taken, every search that does not end at once looks at all.
                None => rest.push(c),
            }
        }
        let map = places.iter().enumerate().fold(0, |m, (p, c)| m | (c.is_some() as u64) << p);
        let entry = |c: *const Class| SuperEntry { class: c, methods: AtomicPtr::new(std::ptr::null_mut()) };
        let classes = places.into_iter().flatten().chain(rest).map(std::ptr::from_ref);
        let table: Box<[SuperEntry]> = std::iter::once(std::ptr::null()).chain(classes).map(entry).collect();
        self.len.store(table.len() as u32 - 1, Ordering::Relaxed);
        self.table.store(Box::leak(table).as_mut_ptr(), Ordering::Release);
        self.map.store(map, Ordering::Release);
    }

    /// All entries.
    pub fn entries(&self) -> &[SuperEntry] {
        let n = self.len.load(Ordering::Relaxed) as usize;
        // SAFETY: `len` entries follow the one in front.
        unsafe { std::slice::from_raw_parts(self.table.load(Ordering::Acquire).add(1), n) }
    }
    /// The entry of `class`.
    pub fn find(&self, class: &Class) -> Option<&SuperEntry> {
        let (map, s) = (self.map.load(Ordering::Acquire), class.place as u32);
        let all = self.entries();
        let first = (map << (63 - s)).count_ones() as usize;
        let is = |e: &&SuperEntry| std::ptr::eq(e.class, class);
        let found = first.checked_sub(1).map(|i| &all[i]).filter(is);
        match found {
            None if map.rotate_right(s) & 3 == 3 => all.iter().find(is),
            found => found,
        }
    }

    /// Gives the table's memory back.
    ///
    /// # Safety
    /// Nobody reads it any more, and no other class shares it.
    pub(crate) unsafe fn free(&self) {
        let (n, table) = (self.len.load(Ordering::Relaxed) as usize, self.table.load(Ordering::Relaxed));
        if n > 0 {
            // SAFETY: made by `set` from a box of this length.
            drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(table, n + 1)) });
        }
    }
}
