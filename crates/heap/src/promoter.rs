//! Room for what grows old at a stop, and what is noted of each object that moves there.
//!
//! Invariant: there is one [`Promoter`] at a time, between [`Promoter::new`] and [`Promoter::end`], at one stop. Room that it hands
//! out is nobody's object until [`Promoter::has_moved`] is told of it; its bytes may be anything.
//!
//! Room comes from gaps (`in_place::filler`), then from the collector's blocks, and for what is large from its space for
//! that. The collector takes no part but that it gives memory: it gives it in any case, and no collection begins.
use crate::alloc::MAX_SMALL;
use crate::binding::{Concord, heap, promoter};
use crate::in_place::filler::{self, Filler};
use crate::in_place::gaps::{self, LINE};
use crate::{conservative, evacuation, huge_pages, large, uncommit};
use concord_contract::owner;
use mmtk::util::Address;
use mmtk::{AllocationSemantics, Mutator, memory_manager};

pub struct Promoter {
    vo: usize,
    /// The collector's allocator for what grows old, and its bump pointer.
    mutator: &'static mut Mutator<Concord>,
    bump: *mut [usize; 2],
    filler: Filler,
    /// What is longer than a line of the collector's and lies outside gaps.
    long: Vec<(usize, usize)>,
}

impl Promoter {
    pub fn new() -> Promoter {
        let mutator = promoter();
        // SAFETY: the offset lies within the mutator.
        let bump = unsafe { std::ptr::from_mut(mutator).cast::<u8>().add(heap().bump_offset).cast() };
        Promoter { vo: heap().vo_table, mutator, bump, filler: filler::take(), long: Vec::new() }
    }

    /// Nothing more grows old now.
    pub fn end(self) {
        self.filler.put_back();
        gaps::have_grown_old(&self.long);
    }

    /// Room for an object of `bytes` bytes.
    #[inline(always)]
    pub fn room(&mut self, bytes: usize) -> usize {
        if bytes <= MAX_SMALL
            && let Some(at) = self.filler.alloc(bytes)
        {
            return at;
        }
        // SAFETY: the promoter's own pair; nobody else uses it at this stop.
        let [cursor, limit] = unsafe { &mut *self.bump };
        let at = *cursor;
        if at + bytes <= *limit && bytes <= MAX_SMALL {
            *cursor += bytes;
            if bytes > LINE {
                self.long.push((at, bytes));
            }
            return at;
        }
        self.room_slow(bytes)
    }

    #[cold]
    #[inline(never)]
    fn room_slow(&mut self, bytes: usize) -> usize {
        let large = bytes > MAX_SMALL;
        let semantics = if large { AllocationSemantics::Los } else { AllocationSemantics::Default };
        // The promoter is no mutator to the collector: it gets memory in any case, and no collection begins.
        let at: Address = memory_manager::alloc(self.mutator, bytes, 8, 0, semantics);
        let at = at.as_usize();
        if at == 0 {
            concord_base::bug!("no memory for {bytes} bytes that survive");
        }
        uncommit::note(at);
        if !large {
            huge_pages::block(at);
        }
        if !large && bytes > LINE {
            self.long.push((at, bytes));
        }
        if large {
            large::note(at, bytes);
            huge_pages::large(at, bytes);
            // SAFETY: an object is about to be copied there.
            let object = unsafe { crate::slot::reference(at) };
            memory_manager::post_alloc(self.mutator, object, bytes, semantics);
            conservative::set_vo(at);
        }
        at
    }

    /// The object that was at `from` is complete at `to`, in room for its `bytes` bytes. Its unlog bit is the caller's business.
    #[inline(always)]
    pub fn has_moved(&self, from: usize, to: usize, bytes: usize) {
        // SAFETY: the table is mapped for all room; nobody else writes it at a stop.
        unsafe { *((self.vo + (to >> 6)) as *mut u8) |= 1 << ((to >> 3) & 7) };
        if owner::on() {
            owner::moved(from, to);
        }
        evacuation::count(to, bytes);
    }
}
