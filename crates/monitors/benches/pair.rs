//! What a lock+unlock pair costs, in nanoseconds of thread CPU time: this room (fence-free and
//! fenced) against the paper's protocol in the same run. Samples are interleaved, the figure is
//! the median, the spread is (95th - 5th percentile) / median.
//!
//! `cargo bench -p concord-monitors --bench pair -- [--quick] [--mode rla|fenced|paper]`

mod paper;
#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::sync::Arc;

use concord_monitors::{LockWord, MonitorTable, Options, Release, enter, wait};
use paper::Paper;
use support::{Object, Thread};

const PAIRS: u64 = 200_000;

fn thread_cpu_ns() -> u64 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `ts` is valid; the clock exists on Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut ts) };
    ts.tv_sec as u64 * 1_000_000_000 + ts.tv_nsec as u64
}

/// One figure: a name and the body that does `PAIRS` operations.
struct Figure<'a> {
    name: &'static str,
    mode: &'static str,
    body: Box<dyn FnMut() + 'a>,
    samples: Vec<f64>,
}

fn figure<'a>(name: &'static str, mode: &'static str, body: impl FnMut() + 'a) -> Figure<'a> {
    Figure { name, mode, body: Box::new(body), samples: Vec::new() }
}

/// The pair as a call of its own, as compiled code calls it out of line.
#[inline(never)]
fn locked_call(t: &Thread, o: &Object) {
    if !t.monitors.try_enter_fast(&o.word, std::ptr::from_ref(o) as u64) {
        enter(t, &o);
    }
    black_box(&o.word);
    if !t.monitors.try_exit_fast(&o.word, std::ptr::from_ref(o) as u64) {
        t.exit(o).expect("owner");
    }
}

#[inline(never)]
fn locked_call_paper(p: &Paper, ee: &paper::ExecEnv, o: &Object) {
    p.enter(ee, &o.word);
    black_box(&o.word);
    p.exit(ee, &o.word);
}

#[inline(never)]
fn empty_call(o: &Object) {
    black_box(&o.word);
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let quick = args.iter().any(|a| a == "--quick");
    let only = args.iter().position(|a| a == "--mode").and_then(|i| args.get(i + 1)).cloned();
    let rounds = if quick { 5 } else { 61 };

    let rla = MonitorTable::reserve(Options::default()).expect("records");
    let fenced = MonitorTable::reserve(Options { release: Release::Fenced, ..Options::default() }).expect("records");
    if rla.fenced() {
        println!("note: no membarrier here, so `rla` is fenced as well");
    }
    let p = Paper::new(64);
    let ee = p.attach(1);
    let (t, tf) = (Thread::new(&rla, 1), Thread::new(&fenced, 1));
    let plain = Object::default();
    let object = || Object::new(LockWord::hash(0x1234, false).0);
    let (a, b, c) = (object(), object(), object());
    let (na, nb, nc) = (object(), object(), object());
    enter(&t, &&na);
    enter(&tf, &&nb);
    p.enter(&ee, &nc.word);

    // A thread that waits on the object keeps its record there: the waiters-only release.
    let with_waiter = |table: &Arc<MonitorTable>| {
        let (o, w): (&'static Object, &'static Thread) =
            (Box::leak(Box::default()), Box::leak(Box::new(Thread::new(table, 99))));
        std::thread::spawn(move || {
            enter(w, &o);
            wait(w, &o, None).expect("owner");
            w.exit(o).expect("owner");
        });
        w.await_asleep();
        o
    };
    let (wa, wb) = (with_waiter(&rla), with_waiter(&fenced));

    let locals: Vec<_> = (0..PAIRS as usize).map(|_| Object::new(0)).collect();
    let pairs = |body: &mut dyn FnMut()| {
        for _ in 0..PAIRS {
            body();
        }
    };
    let mut figures = vec![
        figure("empty-call", "base", || pairs(&mut || empty_call(&plain))),
        figure("pair", "rla", || {
            for _ in 0..PAIRS {
                locked_call(&t, &a);
            }
        }),
        figure("pair", "fenced", || {
            for _ in 0..PAIRS {
                locked_call(&tf, &b);
            }
        }),
        figure("pair", "paper", || {
            for _ in 0..PAIRS {
                locked_call_paper(&p, &ee, &c);
            }
        }),
        figure("nested", "rla", || {
            for _ in 0..PAIRS {
                locked_call(&t, &na);
            }
        }),
        figure("nested", "fenced", || {
            for _ in 0..PAIRS {
                locked_call(&tf, &nb);
            }
        }),
        figure("nested", "paper", || {
            for _ in 0..PAIRS {
                locked_call_paper(&p, &ee, &nc);
            }
        }),
        figure("one-waiter", "rla", || {
            for _ in 0..PAIRS {
                locked_call(&t, wa);
            }
        }),
        figure("one-waiter", "fenced", || {
            for _ in 0..PAIRS {
                locked_call(&tf, wb);
            }
        }),
        figure("new+hash+lock", "rla", || {
            for o in &locals {
                o.word.store(0, std::sync::atomic::Ordering::Relaxed);
                black_box(t.monitors.hash_code(&o.word));
                locked_call(&t, o);
            }
        }),
        figure("new+lock", "rla", || {
            for o in &locals {
                o.word.store(0, std::sync::atomic::Ordering::Relaxed);
                locked_call(&t, o);
            }
        }),
        figure("new+lock-local", "rla", || {
            for o in &locals {
                o.word.store(concord_monitors::word::LOCAL, std::sync::atomic::Ordering::Relaxed);
                locked_call(&t, o);
            }
        }),
    ];
    figures.retain(|f| only.as_deref().is_none_or(|m| f.mode == m || f.mode == "base"));

    for round in 0..rounds + 3 {
        for f in &mut figures {
            let start = thread_cpu_ns();
            (f.body)();
            // The first rounds warm caches and predictors.
            if round >= 3 {
                f.samples.push((thread_cpu_ns() - start) as f64 / PAIRS as f64);
            }
        }
    }

    let mut medians = Vec::new();
    println!("{:<16} {:<7} {:>8} {:>8}", "figure", "mode", "ns", "spread");
    for f in &mut figures {
        f.samples.sort_by(f64::total_cmp);
        let at = |q: f64| f.samples[((f.samples.len() - 1) as f64 * q) as usize];
        let median = at(0.5);
        println!("{:<16} {:<7} {:>8.2} {:>7.0}%", f.name, f.mode, median, (at(0.95) - at(0.05)) / median * 100.0);
        medians.push((f.name, f.mode, median));
    }
    let value = |name: &str, mode: &str| medians.iter().find(|m| (m.0, m.1) == (name, mode)).map(|m| m.2);
    for name in ["pair", "nested"] {
        if let (Some(ours), Some(theirs)) = (value(name, "rla"), value(name, "paper")) {
            println!("figure monitors-{name} {ours:.2} ns ref=paper {theirs:.2} ratio={:.2}", ours / theirs);
        }
    }
}
