//! Places fences in random functions, goes random ways through them, and looks whether each store into a SHARED object
//! is fenced before anything observes it (law: `jit::passes::fences`).
//!
//! `CONCORD_SEEDS=FROM..TO` for other functions than the usual ones.
#[path = "../support/names.rs"]
mod names;
mod ways;
mod write;

use concord_jit::ir::{parse, verify};
use concord_jit::passes::fences;

/// xorshift64*: the same functions every time.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        r.below(2);
        r
    }
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
    /// True so many times in a hundred.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }
    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Ways through each function.
const WAYS: u64 = 40;

#[test]
fn stores_are_fenced_on_every_way() {
    let seeds = std::env::var("CONCORD_SEEDS").unwrap_or("0..1500".into());
    let (from, to) = seeds.split_once("..").expect("CONCORD_SEEDS=FROM..TO");
    let number = |s: &str| s.parse::<u64>().expect("a number in CONCORD_SEEDS");
    let (mut placed, mut by_blocks, mut stores) = (0, 0, 0);
    for seed in number(from)..number(to) {
        let text = write::function(&mut Random::new(seed));
        let before = parse::function(&text, &mut names::Any::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        verify::verify(&before).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let mut after = before.clone();
        fences::run(&mut after);
        verify::verify(&after).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}\nbecame\n{after}"));
        for way in 0..WAYS {
            let mut random = Random::new(seed * WAYS + way);
            let shared = [10, 50, 90][way as usize % 3];
            let mut walk = ways::Walk::new(&after, before.blocks.len(), shared);
            walk.go(&mut random).unwrap_or_else(|e| panic!("seed {seed}, way {way}: {e}\n{text}\nbecame\n{after}"));
            placed += walk.locks;
            by_blocks += walk.locks_by_blocks;
            stores += walk.stores;
        }
    }
    println!("{placed} fences for {stores} stores; {by_blocks} if each block paid for itself");
    assert!(stores > 0 && placed > 0);
    assert!(placed < by_blocks, "fences that wait are more");
}
