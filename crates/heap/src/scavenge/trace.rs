//! Copying out of eden: the closure of a young collection.
//!
//! Invariant: an object of eden is copied once, when the first slot that names it is taken up. From then on its header is
//! the address of the copy with the tag [`COPIED`] above it. An object that has to stay has the tag [`STAYS`] in its header,
//! which is otherwise as it was, from before the first copy until the end. A slot that has been taken up names no object
//! that is copied.
//!
//! A slot is not taken up when it is found, for what it names is rarely in the cache: the object is fetched, and
//! [`AHEAD`] other slots come first. Slots that have not been fetched yet are on a stack, so an object's copy is next to
//! those of what it names.
//! ```text
//!  copy an object -> its slots --> | stack | --fetch--> | ahead, a queue | --> take up: copy or update
//! ```
use crate::arch::fetch;
use crate::promoter::Promoter;
use crate::scanning::slots_of;
use crate::slot::RefSlot;
use crate::{eden, references};
use concord_contract::barrier::UNLOG_TABLE;
use concord_contract::layout::{self, Layout};
use concord_contract::object::{LAYOUT_ID_MASK, LENGTH_OFFSET};
use std::sync::atomic::Ordering::Relaxed;

/// Slots between the one whose object is fetched and the one that is taken up, a power of two.
const AHEAD: usize = 16;
/// Tags are in the uppermost byte of a header, which is 0 between collections.
pub const TAG_SHIFT: u32 = 56;
const STAYS: u64 = 1;
const COPIED: u64 = 3;

/// One young collection's closure.
pub struct Closure {
    base: usize,
    length: usize,
    unlog: usize,
    /// Slots and what they name; those of `ahead` that are in use begin at number `first`, modulo its length.
    todo: Vec<(RefSlot, usize)>,
    ahead: [(RefSlot, usize); AHEAD],
    first: usize,
    count: usize,
    promoter: Promoter,
    /// Objects that have to stay.
    pub stay: Vec<usize>,
    /// Bytes that were copied, and objects.
    pub copied: usize,
    pub objects: usize,
}

impl Closure {
    pub fn new() -> Closure {
        let (base, length) = eden::range();
        Closure {
            base,
            length,
            unlog: UNLOG_TABLE.load(Relaxed),
            todo: Vec::with_capacity(1024),
            ahead: [(RefSlot::from_word(0), 0); AHEAD],
            first: 0,
            count: 0,
            promoter: Promoter::new(),
            stay: Vec::new(),
            copied: 0,
            objects: 0,
        }
    }

    /// The object at `address`, in eden or not, must not move; before anything is copied.
    pub fn stays(&mut self, address: usize) {
        if !self.in_eden(address) {
            return;
        }
        // SAFETY: an object is there; the world is stopped.
        let header = unsafe { &mut *(address as *mut u64) };
        if *header >> TAG_SHIFT == 0 {
            *header |= STAYS << TAG_SHIFT;
            self.stay.push(address);
        }
    }

    /// Takes the tags off what has stayed, and hands it over.
    pub fn end(self) -> Vec<usize> {
        debug_assert!(self.todo.is_empty() && self.count == 0);
        for at in &self.stay {
            // SAFETY: as above.
            unsafe { *(*at as *mut u64) &= (1 << TAG_SHIFT) - 1 };
        }
        self.promoter.end();
        self.stay
    }

    #[inline(always)]
    fn in_eden(&self, address: usize) -> bool {
        address.wrapping_sub(self.base) < self.length
    }

    /// Where the object at `address` is now; None if it has not been reached.
    #[inline(always)]
    pub fn now(&self, address: usize) -> Option<usize> {
        if !self.in_eden(address) {
            return Some(address);
        }
        // SAFETY: an object or what is left of one is there.
        let header = unsafe { *(address as *const u64) };
        match header >> TAG_SHIFT {
            COPIED => Some((header & ((1 << TAG_SHIFT) - 1)) as usize),
            STAYS => Some(address),
            _ => None,
        }
    }

    /// A slot has been found.
    #[inline(always)]
    pub fn slot(&mut self, slot: RefSlot) {
        let target = slot.target();
        if self.in_eden(target) {
            self.todo.push((slot, target));
        }
    }

    /// The slots of an object that does not move any more have been found.
    ///
    /// # Safety
    /// An object with a complete header is at `at`; the world is stopped.
    pub unsafe fn object(&mut self, at: usize) {
        // SAFETY: by the caller's promise.
        unsafe { self.scan(at, layout_of(*(at as *const u64))) }
    }

    /// # Safety
    /// As for [`Closure::object`], and `l` is its layout.
    #[inline(always)]
    unsafe fn scan(&mut self, at: usize, l: &Layout) {
        // SAFETY: by the caller's promise.
        unsafe { slots_of(at, l, |slot| self.slot(slot)) };
        if l.kind.is_reference() {
            let mut strong = [RefSlot::from_word(0); 2];
            let mut n = 0;
            references::discover(
                at,
                |o| self.now(o).is_some(),
                |slot| {
                    strong[n] = slot;
                    n += 1;
                },
            );
            strong[..n].iter().for_each(|s| self.slot(*s));
        }
    }

    /// Takes up all slots, and those that come to light then.
    pub fn run(&mut self) {
        loop {
            while self.count < AHEAD
                && let Some((slot, target)) = self.todo.pop()
            {
                fetch(target);
                self.ahead[(self.first + self.count) % AHEAD] = (slot, target);
                self.count += 1;
            }
            if self.count == 0 {
                return;
            }
            let (slot, target) = self.ahead[self.first % AHEAD];
            self.first += 1;
            self.count -= 1;
            self.take_up(slot, target);
        }
    }

    #[inline(always)]
    fn take_up(&mut self, slot: RefSlot, target: usize) {
        // SAFETY: an object of eden, or what is left of one.
        let header = unsafe { *(target as *const u64) };
        match header >> TAG_SHIFT {
            0 => {
                let to = self.copy(target, header);
                slot.set(to);
            }
            COPIED => slot.set((header & ((1 << TAG_SHIFT) - 1)) as usize),
            _ => super::met(slot),
        }
    }

    /// Copies an object, finds its slots, and returns where it is.
    #[inline(always)]
    fn copy(&mut self, from: usize, header: u64) -> usize {
        let l = layout_of(header);
        let bytes = if l.size != 0 {
            l.size as usize
        } else {
            // SAFETY: an array has a length.
            let n = unsafe { *((from + LENGTH_OFFSET) as *const u32) } as usize;
            (l.base as usize + (n << l.elem_shift) + 7) & !7
        };
        let to = self.promoter.room(bytes);
        // SAFETY: `to` has `bytes` fresh bytes; the tables are mapped for it. Every object of a line of the collector's is
        // old, so the byte with the unlog bit may be written as a whole.
        unsafe {
            let (s, d) = (from as *const u64, to as *mut u64);
            if bytes <= 64 {
                for i in 0..bytes / 8 {
                    *d.add(i) = *s.add(i);
                }
            } else {
                std::ptr::copy_nonoverlapping(s, d, bytes / 8);
            }
            *(from as *mut u64) = to as u64 | COPIED << TAG_SHIFT;
            *((self.unlog + (to >> 6)) as *mut u8) = 0xff;
        }
        self.promoter.has_moved(from, to, bytes);
        self.copied += bytes;
        self.objects += 1;
        // SAFETY: the copy is complete.
        unsafe { self.scan(to, l) };
        to
    }
}

#[inline(always)]
fn layout_of(header: u64) -> &'static Layout {
    layout::get((header >> 32) as u32 & LAYOUT_ID_MASK)
}
