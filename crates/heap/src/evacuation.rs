//! What a full collection moves: the objects of the sparsest blocks, as many as free memory has room for.
//!
//! Invariant: the live bytes of each of the collector's blocks are counted as their objects are scanned or copied, and
//! are an estimate: collector threads count without locks. Before a full collection all blocks with live bytes are pinned but the chosen
//! ones, so whatever makes the collector move objects, it moves those. Zeal that moves everything pins nothing.
//!
//! Why not the collector's own choice: it prefers blocks with many holes, and a hole is a line of 256 bytes
//! without a live object. Where small objects die at random each line keeps one or two, no block has a hole,
//! and a heap half full of live objects is a full heap (the map of `bench/java/Collector.java` with 512 MB).
//!
//! A collection moves what fits into free memory, which is little when the heap is full, but frees more than
//! it takes. So while blocks hold much more than is live, [`again`] collects again, each time with more room, and a heap
//! that needed this is collected as a whole earlier the next time ([`end_young`]), so that one collection moves enough;
//! so is one of which nothing is known yet, unless its first collection is to be in place (`in_place`).
//!
//! The counts are then those of the last full collection, what has survived since, and less for each reference to an
//! object of a block that the barrier saw overwritten ([`overwritten`]): it tells blocks apart, for old objects mostly die
//! that way. In some programs they do not: a sort moves references about among objects that all live on. What share of the
//! overwritings were deaths is what the last full collection found ([`DEATHS`]).
use crate::alloc::MAX_SMALL;
use crate::binding::{Concord, collector, heap, mutator_tls};
use crate::collection::Cause;
use crate::in_place;
use crate::object_model::Model;
use crate::options::HeapOptions;
use concord_base::vm_log;
use concord_contract::Thread;
use mmtk::util::Address;
use mmtk::vm::ObjectModel;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

/// log2 of the bytes of the collector's block.
const LOG_BLOCK: usize = 15;
const BLOCK: usize = 1 << LOG_BLOCK;
/// Blocks in the 32 GiB that references reach.
const BLOCKS: usize = 32 << 30 >> LOG_BLOCK;
/// Blocks with more live bytes are not worth moving.
const DENSE: usize = BLOCK / 8 * 7;
/// Blocks are told apart by their live bytes in steps of this.
const STEP: usize = BLOCK / 64;

static LIVE: [AtomicU32; BLOCKS] = [const { AtomicU32::new(0) }; BLOCKS];
/// Of each block's live bytes, those of objects to which references were overwritten since they were counted.
static OVERWRITTEN: [AtomicU32; BLOCKS] = [const { AtomicU32::new(0) }; BLOCKS];
/// The block after the last one with a count.
static END: AtomicUsize = AtomicUsize::new(0);
/// The first block with a count.
static FIRST: AtomicUsize = AtomicUsize::new(BLOCKS);
/// Whether the next allocation is to collect again.
static WANTED: AtomicBool = AtomicBool::new(false);
/// Whether the next full collection goes on with what the last one began.
static GOES_ON: AtomicBool = AtomicBool::new(false);
/// Bytes of pages in use before the collection in progress, if that goes on; else 0.
static BEFORE: AtomicUsize = AtomicUsize::new(0);

/// Bytes that are to be free when the next full collection begins.
static RESERVE: AtomicUsize = AtomicUsize::new(0);
/// The most that the reserve may be, so that there are young collections between two full ones.
static MOST_RESERVE: AtomicUsize = AtomicUsize::new(0);
/// Bytes of pages beyond what is live that no collection wins: mostly the ends of large objects.
static SLACK: AtomicUsize = AtomicUsize::new(0);
/// The sum of the counts before the collection in progress.
static COUNTED: AtomicUsize = AtomicUsize::new(0);
/// Of it, what the overwritings said was dead.
static DOUBTED: AtomicUsize = AtomicUsize::new(0);
/// Percent of the bytes to which references were overwritten that were dead when the last full collection came that did not go on.
static DEATHS: AtomicUsize = AtomicUsize::new(100);

/// Bytes of an object, on average, when they were counted.
static AVERAGE: AtomicUsize = AtomicUsize::new(48);

/// What to keep free in a heap of `max` bytes that turns out to have gaps.
fn reserve_of(max: usize) -> usize {
    max / 6
}

/// Before the first collection.
pub fn init(options: &HeapOptions) {
    // A first collection in place moves nothing.
    if !in_place::is_possible_with(options) {
        RESERVE.store(reserve_of(options.max), Relaxed);
    }
    MOST_RESERVE.store(options.max / 2, Relaxed);
}

/// A reference to `old` (or null) was overwritten, perhaps the last one. The object itself is not looked at: it is not in the
/// cache. Null is in a block that is never counted.
#[inline]
pub fn overwritten(old: usize) {
    let n = &OVERWRITTEN[old >> LOG_BLOCK];
    n.store(n.load(Relaxed).saturating_add(AVERAGE.load(Relaxed) as u32), Relaxed);
}

/// Counts an object that is scanned; larger ones are not in blocks.
#[inline(always)]
pub fn count(address: usize, bytes: usize) {
    if bytes <= MAX_SMALL {
        let block = address >> LOG_BLOCK;
        let n = &LIVE[block];
        let old = n.load(Relaxed);
        n.store(old.saturating_add(bytes as u32), Relaxed);
        if old == 0 {
            first_of(block);
        }
    }
}
#[cold]
#[inline(never)]
fn first_of(block: usize) {
    OVERWRITTEN[block].store(0, Relaxed);
    FIRST.fetch_min(block, Relaxed);
    END.fetch_max(block + 1, Relaxed);
}

/// A full collection begins: chooses what it may move, and forgets the counts.
pub fn begin_full(used: usize) {
    WANTED.store(false, Relaxed);
    let goes_on = GOES_ON.swap(false, Relaxed);
    BEFORE.store(if goes_on { used } else { 0 }, Relaxed);
    DOUBTED.store(0, Relaxed);
    let blocks = FIRST.swap(BLOCKS, Relaxed)..END.swap(0, Relaxed);
    if blocks.is_empty() {
        return;
    }
    let doubted = blocks.clone().map(doubted).sum();
    if !heap().options.zeal.defrag {
        choose(blocks.clone(), room(used));
    }
    COUNTED.store(counted(blocks.clone()), Relaxed);
    DOUBTED.store(doubted, Relaxed);
    for counts in [&LIVE, &OVERWRITTEN] {
        counts[blocks.clone()].iter().for_each(|n| n.store(0, Relaxed));
    }
}

/// A collection in place begins: forgets the counts, as it counts anew.
pub fn begin_in_place() {
    let blocks = FIRST.swap(BLOCKS, Relaxed)..END.swap(0, Relaxed);
    if !blocks.is_empty() {
        for counts in [&LIVE, &OVERWRITTEN] {
            counts[blocks.clone()].iter().for_each(|n| n.store(0, Relaxed));
        }
    }
}

fn counted(blocks: std::ops::Range<usize>) -> usize {
    LIVE[blocks].iter().map(|n| n.load(Relaxed) as usize).sum()
}

/// Bytes of the block that the overwritings say are dead.
fn doubted(block: usize) -> usize {
    OVERWRITTEN[block].load(Relaxed).min(LIVE[block].load(Relaxed)) as usize
}

/// Bytes that the collector has for copies: what is free, and what it keeps back for them. An eighth is left
/// for the ends of blocks and for counts that are too low.
fn room(used: usize) -> usize {
    let kept_back = collector().get_plan().get_collection_reserved_pages() << 12;
    (heap().options.max.saturating_sub(used) + kept_back) / 8 * 7
}

/// Unpins the sparsest blocks, as long as their objects fit into `room`, and pins all others.
fn choose(blocks: std::ops::Range<usize>, room: usize) {
    let deaths = DEATHS.load(Relaxed);
    // Not 0 where something was counted: a block without a count is a young one, which is never pinned.
    let live = |b: usize| match LIVE[b].load(Relaxed) as usize {
        0 => 0,
        n => (n - doubted(b) * deaths / 100).max(1),
    };
    let mut by_density = [0; DENSE / STEP];
    for b in blocks.clone() {
        if let Some(bytes) = by_density.get_mut(live(b) / STEP) {
            *bytes += live(b);
        }
    }
    let mut moved = 0;
    let fits = by_density.iter().take_while(|&&bytes| {
        moved += bytes;
        moved <= room
    });
    let below = fits.count() * STEP;
    let sure = by_density[..below / STEP].iter().sum::<usize>();
    // Of the next denser ones as many as there is room for.
    let mut rest = room.saturating_sub(sure);
    let pins = <Model as ObjectModel<Concord>>::LOCAL_PINNING_BIT_SPEC.as_spec().extract_side_spec();
    vm_log!(
        GcErgo,
        Debug,
        "Moves blocks with less than {} of {} bytes: {}K of {}K counted, room for {}K",
        below,
        BLOCK,
        sure >> 10,
        by_density.iter().sum::<usize>() >> 10,
        room >> 10
    );
    for b in blocks.filter(|b| live(*b) > 0) {
        // SAFETY: only a number; an object is there or was, so the block has metadata.
        let start = unsafe { Address::from_usize(b << LOG_BLOCK) };
        let bytes = live(b);
        let fits = bytes >= below && bytes < (below + STEP).min(DENSE) && bytes <= rest;
        if fits {
            rest -= bytes;
        }
        if fits || bytes < below { pins.bzero_metadata(start, BLOCK) } else { pins.bset_metadata(start, BLOCK) }
    }
}

/// Percent of the `doubted` bytes that have died, if of those counted so many are left; None where few were doubted, which tells
/// nothing.
fn deaths(counted: usize, left: usize, doubted: usize) -> Option<usize> {
    (doubted > counted / 16).then(|| (counted.saturating_sub(left) * 100 / doubted).min(100))
}

/// A full collection has ended, with so many bytes of pages in use, and of live objects, and so many of these: decides whether to go
/// on. It pays as long as less than a quarter of the heap is free, or room for two nurseries if there are collections in place, an
/// eighth would be if no block had gaps, and the last step gained something.
pub fn end_full(used: usize, live: usize, objects: usize) {
    let max = heap().options.max;
    let before = BEFORE.swap(0, Relaxed);
    let gained = before == 0 || before.saturating_sub(used) > max / 256;
    if before == 0 {
        let left = counted(FIRST.load(Relaxed).min(END.load(Relaxed))..END.load(Relaxed));
        if let Some(percent) = deaths(COUNTED.load(Relaxed), left, DOUBTED.load(Relaxed)) {
            DEATHS.store(percent, Relaxed);
        }
    }
    let beyond = used.saturating_sub(live);
    let slack = if gained { SLACK.load(Relaxed).min(beyond) } else { beyond };
    SLACK.store(slack, Relaxed);
    // Gaps are for later collections in place, which want room for eden alone.
    let in_place = in_place::is_possible();
    let enough = if in_place { 2 * heap().options.nursery_bytes() } else { max / 4 };
    let wanted = gained && max.saturating_sub(used) < enough && beyond - slack > max / 8;
    if wanted {
        vm_log!(GcErgo, Debug, "Compacting: {}M live in {}M", live >> 20, used >> 20);
    }
    RESERVE.store(
        if !gained || in_place {
            0
        } else if wanted {
            reserve_of(max)
        } else {
            RESERVE.load(Relaxed) / 8 * 7
        },
        Relaxed,
    );
    MOST_RESERVE.store(max.saturating_sub(used + 3 * heap().options.nursery_bytes()), Relaxed);
    AVERAGE.store(live / objects.max(1), Relaxed);
    GOES_ON.store(wanted, Relaxed);
    WANTED.store(wanted, Relaxed);
}

/// A young collection has ended with so many bytes of pages in use: asks for a full one, if after the next there would be
/// too little room for what it is to move. One that the collector begins itself would not move anything.
pub fn end_young(used: usize) {
    let options = &heap().options;
    let reserve = RESERVE.load(Relaxed).min(MOST_RESERVE.load(Relaxed));
    if reserve > 0 && used + crate::nursery::size() + reserve > options.max {
        WANTED.store(true, Relaxed);
    }
}

/// Whether the last full collection asks for another one, which moves more.
pub fn goes_on() -> bool {
    GOES_ON.load(Relaxed)
}

/// Collects if a full collection has left a heap with too many gaps; before an allocation, the context being
/// recorded.
#[inline(always)]
pub fn again(th: &Thread) {
    if WANTED.load(Relaxed) {
        collect(th);
    }
}
#[cold]
#[inline(never)]
fn collect(th: &Thread) {
    // Zeal may make a young collection of it, which is enough.
    if WANTED.swap(false, Relaxed) && collector().is_collection_enabled() {
        crate::collection::next_cause(Cause::Compaction);
        collector().handle_user_collection_request(mutator_tls(th), true, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_deaths_of_many_few_and_next_to_no_bytes() {
        assert_eq!(deaths(1000, 600, 500), Some(80));
        assert_eq!(deaths(1000, 1000, 500), Some(0));
        assert_eq!(deaths(1000, 100, 500), Some(100), "what nobody overwrote has died, too");
        assert_eq!(deaths(1000, 1200, 500), Some(0), "more than was counted");
        assert_eq!(deaths(1600, 100, 100), None);
        assert_eq!(deaths(40, 0, 40), Some(100), "less than a hundred bytes");
        assert_eq!(deaths(0, 0, 0), None);
    }
}
