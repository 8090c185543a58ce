//! Which cache lines are contended, and whether for what lies in them or for where it lies.
//!
//! Invariant: a verdict depends on the samples alone, not on their order.
//!
//! A line is contended if two threads access it, one of them writes, and a probe of it has on average one slow read or
//! more ([`crate::probe`]): another processor writes it every 2.4 microseconds or more often. Who alone writes a line does not
//! have to wait for it, so two slow reads in the probes of one thread are enough, too. If two threads access bytes
//! apart, and one writes bytes that the other leaves alone, that is **false sharing** of these two places; a line that is
//! contended otherwise is **truly shared**. Both may hold of one line (PLDI 2016, section 4.2, where one byte stands for an
//! access).
use crate::samples::Sample;
use std::collections::HashMap;

/// Bytes of a cache line.
pub const LINE: usize = 64;
/// Samples without which nothing is said of a line, and of a thread that accesses it.
const ENOUGH: u32 = 8;
const ENOUGH_OF_A_THREAD: u32 = 2;
/// Bytes that threads access have this part of the line's samples at least, or they play no role.
const PART: u32 = 16;

/// The accesses of one thread to the same bytes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// In the line.
    pub offset: u8,
    pub width: u8,
    pub thread: u64,
    pub samples: u32,
    pub writes: u32,
    /// Slow reads of all probes.
    pub slow: u32,
    /// Interrupts of the thread before the first of these.
    pub since: u64,
    /// The last of the instructions, and its code's number.
    pub pc: usize,
    pub code: u32,
}

impl Spot {
    fn bytes(&self) -> u64 {
        (u64::MAX >> (LINE as u8 - self.width)) << self.offset
    }
    fn contends(&self, other: &Spot) -> bool {
        self.thread != other.thread && self.writes + other.writes != 0
    }
}

/// What was seen of a line.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub spots: Vec<Spot>,
}

/// What is to be said of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Quiet,
    TrueSharing,
    /// Of these pairs of spots.
    FalseSharing(Vec<(usize, usize)>),
}

impl Line {
    /// `since`: the thread's interrupts before those that the sample is one of.
    pub fn add(&mut self, s: &Sample, thread: u64, since: u64) {
        let offset = (s.address % LINE) as u8;
        // What reaches into the next line counts for this one.
        let width = s.width.clamp(1, LINE as u8 - offset);
        let same = |x: &&mut Spot| (x.offset, x.width, x.thread) == (offset, width, thread);
        if let Some(x) = self.spots.iter_mut().find(same) {
            x.samples += 1;
            x.writes += u32::from(s.writes);
            x.slow += u32::from(s.slow);
            (x.pc, x.code) = (s.pc, s.code);
        } else {
            let (writes, slow) = (u32::from(s.writes), u32::from(s.slow));
            self.spots.push(Spot { offset, width, thread, samples: 1, writes, slow, since, pc: s.pc, code: s.code });
        }
    }
    pub fn samples(&self) -> u32 {
        self.spots.iter().map(|s| s.samples).sum()
    }
    /// The interrupts of the threads that access the line since they did, by what they have had so far.
    pub fn interrupts(&self, now: impl Fn(u64) -> u64) -> u64 {
        let since = |t: &u64| self.spots.iter().filter(|s| s.thread == *t).map(|s| s.since).min();
        self.threads().iter().map(|t| now(*t).saturating_sub(since(t).unwrap_or(0))).sum()
    }
    /// The threads that access the line.
    pub fn threads(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.spots.iter().map(|s| s.thread).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    pub fn judge(&self) -> Verdict {
        let samples = self.samples();
        let of = |thread: &u64| self.spots.iter().filter(|s| s.thread == *thread).map(|s| s.samples).sum::<u32>();
        let threads = self.threads().iter().filter(|t| of(t) >= ENOUGH_OF_A_THREAD).count();
        let slow: u32 = self.spots.iter().map(|s| s.slow).sum();
        let slow_of = |thread: &u64| self.spots.iter().filter(|s| s.thread == *thread).map(|s| s.slow).sum::<u32>();
        let waits = self.threads().iter().any(|t| of(t) >= ENOUGH && slow_of(t) >= 2 * of(t));
        if samples < ENOUGH || threads < 2 || slow < samples && !waits {
            return Verdict::Quiet;
        }
        let mut of_bytes: HashMap<(u8, u8), u32> = HashMap::new();
        for s in &self.spots {
            *of_bytes.entry((s.offset, s.width)).or_default() += s.samples;
        }
        let plays = |s: &Spot| of_bytes[&(s.offset, s.width)] * PART >= samples;
        let counts: Vec<usize> = (0..self.spots.len()).filter(|i| plays(&self.spots[*i])).collect();
        let pairs = || counts.iter().flat_map(|i| counts.iter().filter(move |k| i < k).map(|k| (*i, *k)));
        let contending = || pairs().filter(|(i, k)| self.spots[*i].contends(&self.spots[*k]));
        // The bytes that each thread needs, a bit for each.
        let mut needs: HashMap<u64, u64> = HashMap::new();
        for i in &counts {
            *needs.entry(self.spots[*i].thread).or_default() |= self.spots[*i].bytes();
        }
        // Whether `a`'s thread is held up by `b`'s writes only because of where they are.
        let disturbs = |b: &Spot, a: &Spot| b.writes != 0 && needs[&a.thread] & b.bytes() == 0;
        let apart: Vec<_> = contending()
            .filter(|(i, k)| {
                let (a, b) = (&self.spots[*i], &self.spots[*k]);
                a.bytes() & b.bytes() == 0 && (disturbs(a, b) || disturbs(b, a))
            })
            .collect();
        if !apart.is_empty() {
            Verdict::FalseSharing(apart)
        } else if contending().next().is_some() {
            Verdict::TrueSharing
        } else {
            Verdict::Quiet
        }
    }
}

#[cfg(test)]
#[path = "tests/lines.rs"]
mod tests;
