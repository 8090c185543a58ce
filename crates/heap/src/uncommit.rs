//! Memory that goes back to the operating system.
//!
//! Invariant: only pages without a live object are given back, at the end of a full collection,
//! when no allocator holds memory; whoever gets such a page again finds it zero, which is what the
//! collector makes of it anyway.
//!
//! Pages below the lowest address ever handed out in a space are left alone: the collector keeps its own
//! lists there. The discontiguous layout (heaps above 4 GiB) keeps them anywhere, hence gives
//! nothing back.
use crate::binding::{collector, heap};
use crate::eden;
use crate::object_model::size;
use concord_base::vm_log;
use mmtk::util::Address;
use mmtk::util::heap::vm_layout::LOG_BYTES_IN_CHUNK;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

const LOG_PAGE: usize = 12;
/// Shorter runs are not worth a system call.
const MIN_PAGES: usize = 16;
const PAGES_IN_CHUNK: usize = 1 << (LOG_BYTES_IN_CHUNK - LOG_PAGE);

/// Full collections that are further apart than this many milliseconds find memory that is not in demand.
const QUIET_MS: u64 = 5000;

/// Lowest address ever handed out in each of the collector's 16 spaces.
static LOWEST: [AtomicUsize; 16] = [const { AtomicUsize::new(usize::MAX) }; 16];

/// Notes that the allocator handed out memory at `address`.
pub fn note(address: usize) {
    if let Some(extent) = heap().contiguous_extent {
        let lowest = &LOWEST[address >> extent & 15];
        if address < lowest.load(Relaxed) {
            lowest.fetch_min(address, Relaxed);
        }
    }
}

/// Whether so much has become free that it should go back: more than 70 %, as HotSpot's
/// MaxHeapFreeRatio, and more than the next collections will touch at once.
///
/// Where an allocation has asked for the collection (`asked` is false), only what is above `-Xms`, and not while
/// such collections follow each other: the program is about to use the memory again.
pub fn is_worth_it(before: usize, after: usize, asked: bool) -> bool {
    static LAST_FULL: AtomicU64 = AtomicU64::new(0);
    let now = concord_base::log::uptime().as_millis() as u64;
    let quiet = now - LAST_FULL.swap(now, Relaxed).min(now) > QUIET_MS;
    let free = before.saturating_sub(after);
    heap().contiguous_extent.is_some()
        && free > 2 * heap().options.nursery_bytes()
        && free / 7 > before / 10
        && (asked || quiet && before > heap().options.min)
}

/// Gives free pages back; returns their number of bytes.
pub fn uncommit() -> usize {
    let Some(extent) = heap().contiguous_extent else { return 0 };
    // One bit per page of the 32 GiB that references reach, in pages that appear as they are set.
    let mut occupied = vec![0u64; (32usize << 30 >> LOG_PAGE) / 64];
    collector().enumerate_objects(|o| {
        let start = o.to_raw_address().as_usize();
        let last = start + size(o) - 1;
        for page in start >> LOG_PAGE..=last >> LOG_PAGE {
            occupied[page >> 6] |= 1 << (page & 63);
        }
    });
    let is_occupied = |page: usize| occupied[page >> 6] >> (page & 63) & 1 != 0;
    let mut freed = if eden::is_on() { eden::runs::uncommit() } else { 0 };
    for (space, lowest) in LOWEST.iter().enumerate() {
        let lowest = lowest.load(Relaxed);
        if lowest == usize::MAX {
            continue;
        }
        let end = ((space + 1) << (extent - LOG_PAGE)).min(occupied.len() * 64);
        let mut page = lowest >> LOG_PAGE;
        while page < end {
            // SAFETY: only asks whether the chunk is mapped.
            let mapped = |page: usize| unsafe { Address::from_usize(page << LOG_PAGE) }.is_mapped();
            if !mapped(page) {
                page = (page | (PAGES_IN_CHUNK - 1)) + 1;
                continue;
            }
            if is_occupied(page) {
                page += 1;
                continue;
            }
            // A run ends with its chunk, so that the whole of it is mapped.
            let chunk_end = ((page | (PAGES_IN_CHUNK - 1)) + 1).min(end);
            let first = page;
            while page < chunk_end && !is_occupied(page) {
                page += 1;
            }
            if page - first >= MIN_PAGES {
                // SAFETY: heap pages in which no object lives and no allocator works.
                let failed = unsafe {
                    libc::madvise((first << LOG_PAGE) as *mut _, (page - first) << LOG_PAGE, libc::MADV_DONTNEED)
                };
                if failed == 0 {
                    freed += (page - first) << LOG_PAGE;
                }
            }
        }
    }
    vm_log!(GcHeap, Debug, "Uncommitted: {}K", freed >> 10);
    freed
}
