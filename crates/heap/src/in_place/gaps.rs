//! Gaps: memory of objects that a collection in place has found dead, and what grows old into it.
//!
//! Invariant: a gap holds no live object, lies in one of the collector's blocks, and the collector gives nothing of it to
//! anybody before its own next collection: a line counts if an object began in it when a collection in place came, since
//! the collector has handed such lines out, or keeps them for what lived in its own last one; and no allocator has a place in
//! it, as all of them lose theirs ([`sweep`]'s caller sees to that). A gap is handed out once.
//!
//! ```text
//!  line (256 bytes):   | obj | dead | obj | dead  dead |       | obj |
//!  valid objects:        1     1      1     1     1              1
//!  marks, all bytes:     111          111                        111
//!  gap:                      111111       11111111111111   (a line where nothing began is the collector's)
//! ```
use super::marks::{REACH, SPAN, marks};
use crate::binding::heap;
use concord_base::bug;
use mmtk::util::Address;
use mmtk::util::heap::vm_layout::LOG_BYTES_IN_CHUNK;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

const CHUNK: usize = 1 << LOG_BYTES_IN_CHUNK;
/// The collector's block: gaps are looked for in one after the other.
const BLOCK: usize = 32 << 10;
/// Blocks with less in gaps are left alone.
const LEAST: usize = BLOCK / 32;
/// Larger objects get whole lines of the collector's.
pub const LARGEST: usize = 512;
/// The collector's number of the space of its blocks, in the contiguous layouts.
const SPACE: usize = 1;

/// Two bits for each word of the marks: the lines in which an object began at a collection in place.
static BEGAN: [AtomicU8; REACH / SPAN / 4] = [const { AtomicU8::new(0) }; REACH / SPAN / 4];
/// Bytes of gaps that have not been looked at.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// Bytes of objects that have grown old into gaps since the last collection of the full heap.
static FILLED: AtomicUsize = AtomicUsize::new(0);

/// Bytes of all gaps that the last sweep found.
static FOUND: AtomicUsize = AtomicUsize::new(0);
/// Eighths of the gaps that were filled, of those that were looked at between the last two sweeps.
static EIGHTHS: AtomicUsize = AtomicUsize::new(4);

/// Blocks with gaps, the next one last: its address, and the bytes of its gaps.
static BLOCKS: Mutex<Vec<(usize, u32)>> = Mutex::new(Vec::new());

fn blocks() -> std::sync::MutexGuard<'static, Vec<(usize, u32)>> {
    match BLOCKS.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it collected"),
    }
}

/// Bytes of gaps that have not been looked at.
pub fn left() -> usize {
    LEFT.load(Relaxed)
}
/// Bytes of them that will probably be filled: objects do not fit exactly.
pub fn usable() -> usize {
    left() / 8 * EIGHTHS.load(Relaxed)
}
/// Bytes that have grown old into gaps since the last collection of the full heap.
pub fn filled() -> usize {
    FILLED.load(Relaxed)
}

/// The mapped chunks of the collector's blocks.
fn chunks() -> impl Iterator<Item = usize> {
    let space = heap().contiguous_extent.map_or(0..0, |e| SPACE << e..(SPACE + 1) << e);
    // SAFETY: only asks whether the chunk is mapped.
    space.step_by(CHUNK).filter(|c| unsafe { Address::from_usize(*c) }.is_mapped())
}

/// The lines of a word of 512 bytes in which an object began, by two bits.
fn began(address: usize) -> (&'static AtomicU8, u32) {
    let word = address / SPAN;
    (&BEGAN[word / 4], (word % 4) as u32 * 2)
}

/// The bits of a word's lines from two bits for them.
fn lines(two: u8) -> u64 {
    let half = |on: u8| if on != 0 { u64::from(u32::MAX) } else { 0 };
    half(two & 1) | half(two & 2) << 32
}

/// Forgets all gaps: the collector's own collection begins.
pub fn forget() {
    LEFT.store(0, Relaxed);
    FILLED.store(0, Relaxed);
    blocks().clear();
    for c in chunks() {
        BEGAN[c / SPAN / 4..(c + CHUNK) / SPAN / 4].iter().for_each(|b| b.store(0, Relaxed));
    }
}

/// Takes the valid-object bits of all that is not marked, and finds the gaps. The world is stopped, no allocator
/// has memory of the collector's, and marks are complete. The bytes of all gaps.
pub fn sweep() -> usize {
    learn();
    let mut found = Vec::new();
    let mut all = 0;
    for block in chunks().flat_map(|c| (c..c + CHUNK).step_by(BLOCK)) {
        let bits: u32 = (block..block + BLOCK).step_by(SPAN).map(|at| sweep_word(at).count_ones()).sum();
        let bytes = bits as usize * 8;
        if bytes >= LEAST {
            found.push((block, bytes as u32));
            all += bytes;
        }
    }
    found.reverse();
    *blocks() = found;
    LEFT.store(all, Relaxed);
    FOUND.store(all, Relaxed);
    FILLED.store(0, Relaxed);
    all
}

/// Learns from what has become of the gaps of the last sweep, if enough of them were looked at.
fn learn() {
    let looked_at = FOUND.swap(0, Relaxed).saturating_sub(left());
    if looked_at >= 8 * BLOCK {
        EIGHTHS.store((filled() / (looked_at / 8)).clamp(1, 8), Relaxed);
    }
}

/// The gaps of 512 bytes, by bits.
fn sweep_word(address: usize) -> u64 {
    let marked = marks().word(address);
    // SAFETY: the collector maps its tables for the chunks that it has mapped; the world is stopped.
    let valid = unsafe { &mut *((heap().vo_table + (address >> 6)) as *mut u64) };
    let (byte, shift) = began(address);
    let two = u8::from(*valid as u32 != 0) | u8::from(*valid >> 32 != 0) << 1;
    byte.fetch_or(two << shift, Relaxed);
    *valid &= marked;
    gaps_of(address, marked)
}

/// The gaps of 512 bytes of which the bits `marked` are alive.
fn gaps_of(address: usize, marked: u64) -> u64 {
    let (byte, shift) = began(address);
    lines(byte.load(Relaxed) >> shift & 3) & !marked
}

/// Where one young collection has come to in the gaps.
pub struct Filler {
    /// What is left of the gap in use.
    pub gap: [usize; 2],
    /// What is left of its block.
    rest: Range<usize>,
    bytes: usize,
    /// Whether there may be another gap.
    pub has_more: bool,
}

impl Filler {
    pub fn new() -> Filler {
        Filler { gap: [0; 2], rest: 0..0, bytes: 0, has_more: left() > 0 }
    }

    /// Makes the next gap with room for `bytes` bytes the one in use; false if there is none.
    #[inline(never)]
    pub fn advance(&mut self, bytes: usize) -> bool {
        loop {
            while let Some(gap) = self.next_of_block() {
                if gap.len() >= bytes {
                    self.gap = [gap.start, gap.end];
                    return true;
                }
            }
            let Some((block, gaps)) = blocks().pop() else {
                self.has_more = false;
                return false;
            };
            LEFT.fetch_sub(gaps as usize, Relaxed);
            self.rest = block..block + BLOCK;
        }
    }

    fn next_of_block(&mut self) -> Option<Range<usize>> {
        let at = |address: usize| gaps_of(address, marks().word(address)) >> (address / 8 % 64);
        let mut start = self.rest.start;
        // The next bit that is set.
        while start < self.rest.end {
            match at(start) {
                0 => start = (start | (SPAN - 1)) + 1,
                bits => {
                    start += bits.trailing_zeros() as usize * 8;
                    break;
                }
            }
        }
        if start >= self.rest.end {
            self.rest.start = self.rest.end;
            return None;
        }
        // The next one that is not.
        let mut end = start;
        loop {
            let ones = (!at(end)).trailing_zeros() as usize;
            let in_word = 64 - end / 8 % 64;
            end += ones.min(in_word) * 8;
            if ones < in_word || end >= self.rest.end {
                break;
            }
        }
        self.rest.start = end;
        Some(start..end)
    }

    /// `bytes` bytes have been taken of a gap.
    #[inline(always)]
    pub fn took(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// The collection ends. The rest of the block in use is not looked at again.
    pub fn end(&mut self) {
        FILLED.fetch_add(std::mem::take(&mut self.bytes), Relaxed);
    }
}
