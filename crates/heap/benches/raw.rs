//! What the VM's own allocation path costs, the collections included: the program `raw` of `bench/java/Collector.java`
//! written against this crate, so that no engine is measured.
//!
//! `cargo bench -p concord-heap --bench raw -- SHORT LONG THREADS` allocates SHORT and then LONG million small objects in
//! each thread, in a heap of 512 MB, and prints the milliseconds of CPU time of the whole process per million: the slope
//! between the two.
#[path = "../tests/harness/mod.rs"]
mod harness;

use concord_heap::{HeapOptions, alloc_instance_local, store_ref};
use harness::*;
use std::hint::black_box;

fn process_cpu_ms() -> f64 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `ts` is valid; the clock exists on Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut ts) };
    ts.tv_sec as f64 * 1e3 + ts.tv_nsec as f64 / 1e6
}

/// A million objects of 24 bytes with a number and a reference, as bytecode asks for them.
fn unit(m: &Mutator, c: &Classes) {
    for i in 0..1_000_000u64 {
        let o = alloc_instance_local(m.th, c.node).expect("room");
        o.put_u64(VALUE, i);
        if i % 1024 != 0 {
            store_ref(o, LEFT, o);
        }
        black_box(o);
    }
}

fn run(c: &'static Classes, units: usize, threads: usize) -> f64 {
    let begin = process_cpu_ms();
    let all: Vec<_> = (0..threads)
        .map(|_| {
            std::thread::spawn(move || {
                let m = Mutator::attach();
                (0..units).for_each(|_| unit(&m, c));
                m.detach();
            })
        })
        .collect();
    concord_safepoint::blocked(|| all.into_iter().for_each(|t| t.join().expect("no panic")));
    process_cpu_ms() - begin
}

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let [short, long, threads] = numbers[..] else {
        eprintln!("usage: raw SHORT LONG THREADS");
        std::process::exit(2);
    };
    let (c, m) = start(HeapOptions { max: 512 * MB, min: 512 * MB, ..HeapOptions::default() });
    let a = run(c, short, threads);
    let b = run(c, long, threads);
    println!("{:.4}", (b - a) / ((long - short) * threads) as f64);
    m.detach();
}
