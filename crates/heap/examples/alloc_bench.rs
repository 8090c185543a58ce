//! Raw allocation, trees and lists: CPU time, pauses and memory.
//!
//! `cargo run --profile fast -p concord-heap --example alloc_bench -- [alloc|trees|list|fill] [MB] [n]`
#[path = "../tests/harness/mod.rs"]
mod harness;
use concord_contract::Obj;
use concord_heap::*;
use harness::*;
use std::time::Instant;

fn cpu_ms() -> f64 {
    // SAFETY: fills a local structure.
    let t = unsafe {
        let mut t: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t);
        t
    };
    t.tv_sec as f64 * 1e3 + t.tv_nsec as f64 / 1e6
}

fn tree(m: &Mutator, c: &Classes, d: usize) -> Obj {
    if d == 0 {
        return m.instance(c.node);
    }
    let l = m.push(tree(m, c, d - 1));
    let r = m.push(tree(m, c, d - 1));
    let n = m.instance(c.node);
    store_ref(n, LEFT, m.get(l));
    store_ref(n, RIGHT, m.get(r));
    m.pop_to(l);
    let _popped = r;
    n
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let what = args.get(1).map_or("alloc", |s| s.as_str());
    let number = |i: usize, default: usize| args.get(i).map_or(default, |s| s.parse().expect("a number"));
    let max = number(2, 512) * MB;
    concord_base::log::start_clock();
    if let Ok(x) = std::env::var("XLOG") {
        concord_base::log::configure(&x).expect("log option");
    }
    let mut o = HeapOptions { max, ..HeapOptions::default() };
    if let Ok(n) = std::env::var("NURSERY") {
        o.nursery = Some(n.parse::<usize>().expect("a number") * MB);
    }
    if std::env::var("PLAN").as_deref() == Ok("Immix") {
        o.plan = Plan::Immix;
    }
    let (c, m) = start(o);
    let (begun, cpu) = (Instant::now(), cpu_ms());
    match what {
        "alloc" => {
            for _ in 0..number(3, 100_000_000) {
                std::hint::black_box(m.instance(c.node));
            }
        }
        "trees" => {
            let long = m.push(tree(&m, c, 18));
            for _ in 0..number(3, 20) {
                std::hint::black_box(tree(&m, c, 18));
                for _ in 0..64 {
                    std::hint::black_box(tree(&m, c, 12));
                }
            }
            std::hint::black_box(m.get(long));
        }
        "list" => {
            let head = m.push(Obj::NULL);
            for _ in 0..number(3, 1_000_000) {
                let n = m.instance(c.link);
                store_ref(n, NEXT, m.get(head));
                m.set(head, n);
            }
            m.gc();
        }
        "fill" => {
            let head = m.push(Obj::NULL);
            let mut n = 0usize;
            while let Some(o) = alloc_instance(m.th, c.node) {
                store_ref(o, LEFT, m.get(head));
                m.set(head, o);
                n += 1;
            }
            println!("{} KB of nodes in {} KB", (n * 24) >> 10, max >> 10);
        }
        other => panic!("no bench {other}"),
    }
    let (collections, pauses) = collection_totals();
    println!(
        "{what}: {:.0} ms CPU, {:.0} ms wall, {collections} collections ({} full), {:.2} ms mean pause, {} MB in use",
        cpu_ms() - cpu,
        begun.elapsed().as_secs_f64() * 1e3,
        full_collections(),
        pauses.as_secs_f64() * 1e3 / collections.max(1) as f64,
        used_memory() >> 20
    );
}
