//! The closure of a collection in place: what can be reached is marked, nothing moves.
//!
//! Invariant: an object whose mark is set has been scanned or will be before [`Marker::run`] returns; each is scanned once.
//! Slots are read and never written, but for those of references that die.
//!
//! As in `scavenge::trace` an object is looked at some time after its address was found, when it has come to the cache. Its
//! mark comes on the same way.
use super::gaps::{LINE, note_long};
use super::marks::{Marks, marks};
use crate::alloc::MAX_SMALL;
use crate::arch::fetch;
use crate::slot::RefSlot;
use crate::{eden, evacuation, scanning, scavenge};
use concord_contract::Obj;
use concord_contract::layout::{self, LayoutKind, object_size};
use concord_contract::object::{LAYOUT_ID_MASK, LAYOUT_OFFSET, array_base};

/// Objects between the one that is fetched and the one that is scanned, a power of two.
const AHEAD: usize = 16;
/// Longer arrays of references are taken up in pieces of so many elements.
const PIECE: usize = 512;

/// One collection's closure.
pub struct Marker {
    marks: Marks,
    /// Objects that have been found, scaled; those of `ahead` in use begin at number `first`, modulo its length.
    todo: Vec<u32>,
    ahead: [usize; AHEAD],
    first: usize,
    count: usize,
    /// What is left of long arrays: the next slot, and the end.
    arrays: Vec<(usize, usize)>,
    /// Live bytes and objects.
    pub bytes: usize,
    pub objects: usize,
}

impl Marker {
    pub fn new() -> Marker {
        Marker {
            marks: marks(),
            todo: Vec::with_capacity(4096),
            ahead: [0; AHEAD],
            first: 0,
            count: 0,
            arrays: Vec::new(),
            bytes: 0,
            objects: 0,
        }
    }

    /// Where the object at `address` is, if it has been found: what the young collection has left in eden was found by that.
    #[inline(always)]
    pub fn now(&self, address: usize) -> Option<usize> {
        (eden::contains(address) || self.marks.has(address)).then_some(address)
    }

    /// A slot has been found.
    #[inline(always)]
    pub fn slot(&mut self, slot: RefSlot) {
        let target = slot.target();
        if eden::contains(target) {
            scavenge::met(slot);
        } else if target != 0 {
            self.object(target);
        }
    }

    /// An object that is not in eden has been found.
    #[inline(always)]
    pub fn object(&mut self, address: usize) {
        // SAFETY: only a number: what slots name is an object.
        self.todo.push(unsafe { Obj::from_addr(address) }.encode());
    }

    /// Marks and scans all that has been found, and what comes to light then.
    pub fn run(&mut self) {
        loop {
            while self.count < AHEAD
                && let Some(address) = self.next()
            {
                fetch(address);
                fetch(self.marks.place(address));
                self.ahead[(self.first + self.count) % AHEAD] = address;
                self.count += 1;
            }
            if self.count == 0 {
                return;
            }
            let address = self.ahead[self.first % AHEAD];
            self.first += 1;
            self.count -= 1;
            if !self.marks.has(address) {
                self.mark(address);
            }
        }
    }

    /// What has been found and was not taken up yet.
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        loop {
            if let Some(o) = self.todo.pop() {
                return Some(Obj::decode(o).addr());
            }
            let (at, end) = self.arrays.pop()?;
            let stop = end.min(at + 4 * PIECE);
            if stop < end {
                self.arrays.push((stop, end));
            }
            (at..stop).step_by(4).for_each(|slot| self.slot(RefSlot::heap(slot)));
        }
    }

    #[inline(always)]
    fn mark(&mut self, address: usize) {
        // SAFETY: what slots name is an object with a complete header; the world is stopped.
        let (bytes, l) = unsafe {
            let id = *((address + LAYOUT_OFFSET) as *const u32) & LAYOUT_ID_MASK;
            (object_size(address), layout::get(id))
        };
        self.marks.set(address, bytes);
        self.bytes += bytes;
        self.objects += 1;
        evacuation::count(address, bytes);
        if (LINE + 1..=MAX_SMALL).contains(&bytes) {
            note_long(address, bytes);
        }
        if l.kind == LayoutKind::RefArray && bytes > 4 * PIECE {
            // SAFETY: an array.
            let o = unsafe { Obj::from_addr(address) };
            let start = address + array_base(2);
            self.arrays.push((start, start + 4 * o.array_len()));
            // SAFETY: as above.
            unsafe { scanning::class_edges(address, |slot| self.slot(slot)) };
            return;
        }
        let marks = self.marks;
        // SAFETY: as above.
        unsafe {
            scanning::visit(address, |o| eden::contains(o) || marks.has(o), |slot| self.slot(slot));
        }
    }
}
