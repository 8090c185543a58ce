//! When the collector itself collects: the heap is full at `-Xmx`, what threads have taken of eden included, and something
//! is to be born old. When eden is full is decided in `young`.
//!
//! Invariant: the limit in force is `-Xmx`; what is reported as the *maximum* is larger where the
//! spaces have room. The collector sizes the address range of each space by that maximum, at twice
//! its value, and ends the process when a space's addresses run out: large objects a little above a
//! multiple of 4 MB take two chunks of 4 MB each, so twice the heap is too little for them.
use crate::binding::Concord;
use crate::eden;
use mmtk::Plan;
use mmtk::util::heap::{GCTriggerPolicy, SpaceStats};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const LOG_PAGE: usize = 12;
static LIMIT: AtomicUsize = AtomicUsize::new(0);
static REPORTED: AtomicUsize = AtomicUsize::new(0);

/// Sets the sizes in bytes; once, before the collector is made.
pub fn set_sizes(max: usize, extent: Option<usize>) {
    let pages = max >> LOG_PAGE;
    LIMIT.store(pages, Relaxed);
    let room = extent.map_or(pages, |e| 1 << (e - 1 - LOG_PAGE));
    REPORTED.store(pages.max(room), Relaxed);
}

pub struct Trigger;

impl GCTriggerPolicy<Concord> for Trigger {
    fn is_gc_required(
        &self,
        space_full: bool,
        space: Option<SpaceStats<Concord>>,
        plan: &dyn Plan<VM = Concord>,
    ) -> bool {
        plan.collection_required(space_full, space)
    }
    fn is_heap_full(&self, plan: &dyn Plan<VM = Concord>) -> bool {
        plan.get_reserved_pages() + (eden::in_use() >> LOG_PAGE) > LIMIT.load(Relaxed)
    }
    fn get_current_heap_size_in_pages(&self) -> usize {
        LIMIT.load(Relaxed)
    }
    fn get_max_heap_size_in_pages(&self) -> usize {
        REPORTED.load(Relaxed)
    }
    fn can_heap_size_grow(&self) -> bool {
        false
    }
}
