//! How the heap is set up, and its translation into the collector's own options.
//!
//! Invariant: everything that depends on `-Xmx` alone (address layout, nursery, workers) is decided
//! here, once, before the collector exists.
use crate::huge_pages::HugePages;
use mmtk::MMTKBuilder;
use mmtk::util::Address;
use mmtk::util::heap::vm_layout::VMLayout;

const MB: usize = 1 << 20;
const GB: usize = 1 << 30;
/// Addresses of eden in the discontiguous layout, below those of the collector.
const SPARSE_EDEN: usize = GB;

/// The collector's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Objects are born in eden and grow old in Immix, whose old objects the barrier knows by bits; the default.
    StickyImmix,
    /// Immix alone, without generations: the oracle in tests.
    Immix,
}

/// Aids for finding errors; all off by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zeal {
    /// Collect at every Nth allocation; every allocation takes the slow path.
    pub alloc: Option<u32>,
    /// Move every object that can move in each full collection, and make zeal collections full.
    pub defrag: bool,
    /// Verify the heap after every collection.
    pub verify: bool,
    /// Check at every access that a LOCAL object is the accessing thread's own.
    pub owners: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct HeapOptions {
    /// `-Xmx` in bytes.
    pub max: usize,
    /// `-Xms` in bytes: the least that `total_memory` reports.
    pub min: usize,
    /// The user has asked for so much, so that it will be used.
    pub min_is_asked: bool,
    /// Nursery in bytes; None begins with 27 MB, or a sixth of a small heap, and adapts it (`nursery`).
    pub nursery: Option<usize>,
    pub plan: Plan,
    /// Collector threads; None chooses.
    pub workers: Option<usize>,
    pub zeal: Zeal,
    /// Milliseconds that a soft reference lives per free megabyte (`-XX:SoftRefLRUPolicyMSPerMB`).
    pub soft_ref_ms_per_mb: u64,
    /// Who gets huge pages (`-XX:±UseTransparentHugePages`).
    pub huge_pages: HugePages,
}

impl Default for HeapOptions {
    fn default() -> Self {
        let max = default_max();
        HeapOptions {
            max,
            min: max / 16,
            min_is_asked: false,
            nursery: None,
            plan: Plan::StickyImmix,
            workers: None,
            zeal: Zeal::default(),
            soft_ref_ms_per_mb: 1000,
            huge_pages: HugePages::Old,
        }
    }
}

/// The heap's limit without `-Xmx`: a quarter of the memory, at most 4 GiB; above that
/// the collector needs an address layout that costs 30 MB and 80 ms of CPU at start (`space_table`).
pub fn default_max() -> usize {
    // SAFETY: sysconf has no preconditions.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let ram = if pages > 0 && size > 0 { pages as usize * size as usize } else { GB };
    (ram / 4).clamp(64 * MB, 4 * GB) & !(MB - 1)
}

impl HeapOptions {
    /// Bytes of the nursery, the least where it adapts.
    pub(crate) fn nursery_bytes(&self) -> usize {
        let fits = (self.max / 6).max(256 << 10);
        // The collector starts full collections when less than the nursery is free.
        self.nursery.unwrap_or(27 * MB).min(fits) & !4095
    }

    pub(crate) fn worker_count(&self) -> usize {
        // They serve collections of the full heap alone; young ones are made by the thread that needs room.
        let chosen = self.workers.unwrap_or_else(|| concord_base::options::processors().min(4));
        chosen.min(crate::worker::MAX_WORKERS - 1)
    }

    /// log2 of the size of a space, where spaces are contiguous. No space lies below 4 GiB, where a number in the upper half
    /// of a word that held a reference makes a reference of it: native frames have such words, and with small objects from
    /// 2 GiB and large ones from 6 GiB on, any reference with a 1 above it named a large object, which then stayed
    /// (`90-gc/G07MemoryErrors`).
    pub(crate) fn contiguous_extent(&self) -> Option<usize> {
        match self.max {
            m if m <= GB => Some(32),
            m if m <= 4 * GB => Some(33),
            _ => None,
        }
    }

    /// Where eden begins, and the most bytes that are handed out there between two collections.
    pub(crate) fn eden(&self) -> (usize, usize) {
        let start = match self.contiguous_extent() {
            // A space that the collector does not have.
            Some(32) => 24 * GB,
            _ => 4 * GB,
        };
        (start, crate::nursery::most(self.max, self.nursery, self.nursery_bytes()))
    }

    /// Bytes of address space from there on that are nobody else's.
    pub(crate) fn eden_room(&self) -> usize {
        match self.contiguous_extent() {
            Some(_) => 4 * GB,
            None => SPARSE_EDEN,
        }
    }

    /// The squeezed contiguous layout up to 4 GiB, the discontiguous one above.
    ///
    /// Contiguous: space k starts at `k << extent`, and a space needs room for twice the heap; large
    /// objects, whose chunks are of 4 MB, want more (see `trigger`).
    /// Immix is space 1 and large objects space 3, which must end below 32 GiB for the shift.
    fn layout(&self) -> VMLayout {
        match self.contiguous_extent() {
            Some(extent) => VMLayout {
                log_address_space: extent + 4,
                // SAFETY: only a number; nothing is there yet.
                heap_start: unsafe { Address::from_usize(1 << extent) },
                // SAFETY: as above.
                heap_end: unsafe { Address::from_usize(64 * GB) },
                log_space_extent: extent,
                force_use_contiguous_spaces: true,
            },
            None => VMLayout {
                log_address_space: 35,
                // SAFETY: only a number; nothing is there yet.
                heap_start: unsafe { Address::from_usize(4 * GB + SPARSE_EDEN) },
                // SAFETY: as above.
                heap_end: unsafe { Address::from_usize(32 * GB) },
                log_space_extent: 31,
                force_use_contiguous_spaces: false,
            },
        }
    }

    pub(crate) fn builder(&self) -> Result<MMTKBuilder, String> {
        if self.max < 2 * MB {
            return Err("Too small maximum heap".into());
        }
        if self.max > 24 * GB {
            return Err(format!(
                "Invalid maximum heap size: {} MB; references of 32 bits reach 24 GB at most",
                self.max / MB
            ));
        }
        let mut b = MMTKBuilder::new_no_env_vars();
        let mut set = |name: &str, value: String| {
            if b.set_option(name, &value) { Ok(()) } else { Err(format!("the collector rejects {name}={value}")) }
        };
        set("plan", format!("{:?}", self.plan))?;
        set("threads", self.worker_count().to_string())?;
        set("gc_trigger", "Delegated".into())?;
        crate::trigger::set_sizes(self.max, self.contiguous_extent());
        // The collector has no nursery: less than this is always free, so that all of its collections are full.
        set("nursery", format!("Fixed:{}", 64 * GB))?;
        set("transparent_hugepages", (self.huge_pages == HugePages::All).to_string())?;
        set("no_reference_types", "true".into())?;
        set("no_finalizer", "true".into())?;
        set("full_heap_system_gc", "true".into())?;
        // What may move is chosen in `evacuation`.
        set("immix_defrag_every_block", "true".into())?;
        if self.zeal.defrag {
            set("immix_always_defrag", "true".into())?;
            set("immix_defrag_headroom_percent", "50".into())?;
        }
        b.set_vm_layout(self.layout());
        Ok(b)
    }
}
