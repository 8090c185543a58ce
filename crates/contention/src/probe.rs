//! Whether another processor is writing a cache line now, asked of the line itself.
//!
//! Invariant: a probe reads one byte and changes nothing; it takes about 2.5 microseconds, allocates nothing and
//! waits for nobody.
//!
//! A line that nobody else writes is in this processor's cache when it is read for the second time, and after a
//! pause still is. One that another processor has written in the pause must come from there, which takes twice as long
//! or more. So of [`READS`] timed reads with a pause before each the slow ones are counted: a rate of remote
//! writes, where the machine shows no hardware counter of them (`docs/papers/remix.md`, D1). How long a read takes that
//! the cache answers is measured on a line of the prober's own ([`calibrate`]).
use std::arch::x86_64::{__rdtscp, _mm_lfence, _mm_pause, _rdtsc};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Timed reads of a probe.
pub const READS: u8 = 8;
/// Ticks of the clock between two of them: 0.2 to 0.3 microseconds.
const PAUSE: u64 = 600;

/// Ticks from which on a read is slow.
static SLOW: AtomicU64 = AtomicU64::new(u64::MAX);

/// The ticks that reading the byte at `p` takes, the clock's own included.
///
/// # Safety
/// It can be read.
unsafe fn timed(p: *const u8) -> u64 {
    // SAFETY: by the caller's word; the fences and the clock touch no memory.
    unsafe {
        _mm_lfence();
        let from = _rdtsc();
        _mm_lfence();
        p.read_volatile();
        _mm_lfence();
        let mut processor = 0;
        __rdtscp(&raw mut processor).wrapping_sub(from)
    }
}

fn pause() {
    // SAFETY: the clock touches no memory.
    let end = unsafe { _rdtsc() } + PAUSE;
    // SAFETY: as above.
    while unsafe { _rdtsc() } < end {
        _mm_pause();
    }
}

/// Measures how long reads take that the cache answers, and gives the ticks from which on one is slow: one in a hundred of
/// those is as slow, but no more than twice what they mostly take. The clock may go in steps as long as a third of it.
pub fn calibrate() -> u64 {
    const ROUNDS: usize = 1001;
    let own = 0u8;
    // SAFETY: a local variable.
    let mut ticks: Vec<u64> = (0..ROUNDS).map(|_| unsafe { timed(&raw const own) }).collect();
    ticks.sort_unstable();
    let mostly = ticks[ROUNDS / 2];
    let slow = (ticks[ROUNDS * 99 / 100] + 1).clamp(mostly * 4 / 3, mostly * 2);
    SLOW.store(slow, Relaxed);
    slow
}

/// How many of [`READS`] reads were slow.
///
/// # Safety
/// The byte at `address` can be read.
pub unsafe fn slow_reads(address: usize) -> u8 {
    let (p, slow) = (address as *const u8, SLOW.load(Relaxed));
    // The first one only brings the line here.
    // SAFETY: by the caller's word.
    unsafe { timed(p) };
    let mut n = 0;
    for _ in 0..READS {
        pause();
        // SAFETY: as above.
        n += u8::from(unsafe { timed(p) } >= slow);
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_writes_a_line_of_ones_own() {
        let slow = calibrate();
        assert!((1..10_000).contains(&slow), "{slow} ticks");
        let own = [0u8; 128];
        // SAFETY: a local variable.
        let reads = || u32::from(unsafe { slow_reads(own.as_ptr() as usize + 64) });
        let all: u32 = (0..64).map(|_| reads()).sum();
        assert!(all < 64 * u32::from(READS) / 2, "{all} slow reads in 64 probes of a line of one's own");
        SLOW.store(0, Relaxed);
        assert_eq!(reads(), u32::from(READS), "every read is slow");
        calibrate();
    }
}
