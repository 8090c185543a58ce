//! Damaged classes: parser and verifier must reject what HotSpot rejects, in its words, and
//! accept what it accepts. One HotSpot judges all of them.

use crate::oracle::{Oracle, compare, java_base};
use concord_classfile::{ClassFile, ParseOptions, parse};
use std::collections::HashMap;

/// xorshift64*: the same mutants every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
}

fn mutate(original: &[u8], body: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    match random.below(40) {
        0 => bytes.truncate(random.below(original.len())),
        1 => bytes.push(0),
        2 => bytes[7] = random.below(64) as u8,
        _ => {
            for _ in 0..1 + random.below(2) {
                // Three of four behind the constant pool, where most checks are.
                let at = if random.below(4) == 0 {
                    random.below(bytes.len())
                } else {
                    body + random.below(bytes.len() - body)
                };
                bytes[at] = match random.below(6) {
                    0 => random.next() as u8,
                    1 => bytes[at].wrapping_add(1),
                    2 => bytes[at].wrapping_sub(1),
                    3 => bytes[at] ^ 1 << random.below(8),
                    4 => random.below(24) as u8,
                    _ => 0,
                };
            }
        }
    }
    bytes
}

#[test]
fn random_mutants_are_judged_as_hotspot_does() {
    let oracle = Oracle::new("mutants");
    let fixture = oracle.fixture();
    let base = java_base();
    let own: Vec<ClassFile> = fixture.iter().map(|b| parse(b, &ParseOptions::default()).expect("parses")).collect();
    let known: HashMap<&[u8], &ClassFile> = base.iter().chain(&own).map(|c| (c.name(), c)).collect();

    let mut random = Random(0x1234_5678_9abc_def1);
    let mut mutants = fixture.clone();
    for _ in 0..12_000 {
        let which = random.below(fixture.len());
        let body = pool_end(&fixture[which]);
        mutants.push(mutate(&fixture[which], body, &mut random));
    }
    let rejected = compare(&oracle, &mutants, &known);
    assert!(rejected > 5_000, "only {rejected} mutants were rejected");
}

/// Offset behind the constant pool.
fn pool_end(bytes: &[u8]) -> usize {
    let class = parse(bytes, &ParseOptions::default()).expect("the fixture parses");
    let mut at = 10;
    for (_, c) in class.constants.iter() {
        at += match c.tag() {
            0 => 0,
            1 => 3 + usize::from(u16::from_be_bytes([bytes[at + 1], bytes[at + 2]])),
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => 9,
            _ => 5,
        };
    }
    at
}
