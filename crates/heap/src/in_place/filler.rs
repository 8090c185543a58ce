//! Who grows old into which gap.
//!
//! Invariant: a gap, or what is left of one, is in one place only: in use, in a bin, or still to be found in the rest of the
//! block in use or in the blocks behind it. What is in none of them stays unused until the next collection in place.
//!
//! Objects are laid one behind the other into the gap in use. When one does not fit, what is left goes into the bin of its size;
//! then comes a gap from a bin in which all are large enough, or the next one of the block; those that are too small
//! on the way go into their bins.
use super::gaps::{self, BLOCK, of_word};
use super::marks::SPAN;
use concord_base::bug;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

/// Smaller gaps are not kept.
const LEAST: usize = 32;
/// Gaps that are too small for an object before it is given up: the collector has whole lines for it.
const PATIENCE: usize = 64;
/// Gaps in bins at most.
const MOST: usize = 1 << 16;
/// Bins of one size each, in steps of 8 bytes; larger ones have four to each power of two.
const EXACT: usize = 64;
const BINS: usize = EXACT + 4 * 7;

/// What the young collections between two sweeps have come to.
pub struct Filler {
    /// What is left of the gap in use.
    pub gap: [usize; 2],
    /// What is left of the block in use.
    rest: Range<usize>,
    /// Blocks with gaps, the next one last: the address, and the bytes of its gaps.
    blocks: Vec<(usize, usize)>,
    /// Gaps by size, and a bit for each bin that has one.
    bins: [Vec<Range<usize>>; BINS],
    filled_bins: u128,
    binned: usize,
    /// Bytes taken since the collection began.
    taken: usize,
}

static FILLER: Mutex<Option<Filler>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Filler>> {
    match FILLER.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it collected"),
    }
}

/// A collection of the full heap has found these blocks: all gaps before are forgotten.
pub fn renew(blocks: Vec<(usize, usize)>) {
    *lock() = Some(Filler { blocks, ..Filler::nothing() });
}

/// The filler for a young collection, which puts it back.
pub fn take() -> Filler {
    lock().take().unwrap_or_else(Filler::nothing)
}

/// The bin of gaps with `n` times 8 bytes.
fn bin_of(n: usize) -> usize {
    if n < EXACT {
        return n;
    }
    let log = n.ilog2() as usize;
    (EXACT + 4 * (log - 6) + (n >> (log - 2) & 3)).min(BINS - 1)
}

/// The first bin in which all gaps have `n` times 8 bytes.
fn bin_for(n: usize) -> usize {
    if n <= EXACT { n } else { bin_of(n - 1) + 1 }
}

impl Filler {
    fn nothing() -> Filler {
        Filler {
            gap: [0; 2],
            rest: 0..0,
            blocks: Vec::new(),
            bins: [const { Vec::new() }; BINS],
            filled_bins: 0,
            binned: 0,
            taken: 0,
        }
    }

    /// Whether there may be a gap beside the one in use.
    #[inline(always)]
    pub fn has_more(&self) -> bool {
        !self.blocks.is_empty() || self.filled_bins != 0 || !self.rest.is_empty()
    }

    /// Makes a gap with room for `bytes` bytes the one in use; false if none is found.
    #[inline(never)]
    pub fn advance(&mut self, bytes: usize) -> bool {
        let [start, end] = std::mem::take(&mut self.gap);
        self.keep(start..end);
        let found = self.in_bin(bytes).or_else(|| self.in_blocks(bytes));
        self.gap = found.map_or([0; 2], |gap| [gap.start, gap.end]);
        self.gap[1] != 0
    }

    fn in_bin(&mut self, bytes: usize) -> Option<Range<usize>> {
        let first = bin_for(bytes / 8);
        let bins = if first < BINS { self.filled_bins >> first << first } else { 0 };
        if bins == 0 {
            return None;
        }
        let bin = bins.trailing_zeros() as usize;
        let gap = self.bins[bin].pop();
        if self.bins[bin].is_empty() {
            self.filled_bins &= !(1 << bin);
        }
        self.binned -= 1;
        gap
    }

    fn keep(&mut self, gap: Range<usize>) {
        if gap.len() >= LEAST && self.binned < MOST {
            let bin = bin_of(gap.len() / 8);
            self.bins[bin].push(gap);
            self.filled_bins |= 1 << bin;
            self.binned += 1;
        }
    }

    fn in_blocks(&mut self, bytes: usize) -> Option<Range<usize>> {
        for _ in 0..PATIENCE {
            let gap = loop {
                if let Some(gap) = self.next_of_block() {
                    break gap;
                }
                let (block, in_gaps) = self.blocks.pop()?;
                gaps::looking_at(in_gaps);
                self.rest = block..block + BLOCK;
            };
            if gap.len() >= bytes {
                return Some(gap);
            }
            self.keep(gap);
        }
        None
    }

    fn next_of_block(&mut self) -> Option<Range<usize>> {
        let at = |address: usize| of_word(address) >> (address / 8 % 64);
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

    /// `bytes` bytes of the gap in use, or of the next one.
    #[inline(always)]
    pub fn alloc(&mut self, bytes: usize) -> Option<usize> {
        let [at, end] = self.gap;
        if at + bytes <= end || self.has_more() && self.advance(bytes) {
            let at = self.gap[0];
            self.gap[0] = at + bytes;
            self.taken += bytes;
            return Some(at);
        }
        None
    }

    /// The collection ends.
    pub fn put_back(mut self) {
        gaps::fill(std::mem::take(&mut self.taken));
        *lock() = Some(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_ordered_and_all_their_gaps_fit() {
        let mut last = 0;
        for n in 1..=BLOCK / 8 {
            let bin = bin_of(n);
            assert!(bin >= last && bin < BINS, "{n}");
            last = bin;
            // What is looked for is found in no bin with a smaller gap.
            assert!(bin_for(n) >= bin, "{n}");
            for smaller in (1..n).rev().take(1100) {
                assert!(bin_of(smaller) < bin_for(n), "{smaller} for {n}");
            }
        }
    }

    #[test]
    fn what_is_left_of_a_gap_is_used_by_smaller_objects() {
        let mut f = Filler::nothing();
        f.keep(4096..4096 + 104);
        f.keep(8192..8192 + 24);
        assert_eq!(f.alloc(80), Some(4096));
        assert_eq!(f.alloc(32), None, "24 bytes are left, and 24 were not kept");
        f.keep(12288..12288 + 512);
        assert_eq!(f.alloc(480), Some(12288));
        assert_eq!(f.alloc(600), None);
        assert_eq!(f.alloc(32), Some(12288 + 480), "from its bin");
        assert!(!f.has_more());
    }
}
