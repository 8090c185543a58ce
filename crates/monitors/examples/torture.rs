//! The long torture run. `--operations N` (default 10^7), `--threads N`, `--objects N`,
//! `--seconds N` (again with new seeds until the time is over), `--seed N`, `--fenced`, `--eager`
//! (no hysteresis at all), `--fault intrude|keep|rehash`. With `--features delay` the protocol's windows
//! are stretched at random. Ends with 0 if nothing was found and every recovery path was taken.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use concord_monitors::{Options, Release, Totals};
use support::torture::{Fault, Plan, buffer, run};

fn main() {
    let mut plan = Plan {
        threads: 16,
        objects: 4,
        operations: 10_000_000,
        seed: 1,
        patience: Duration::from_secs(30),
        fault: None,
    };
    let mut options = Options::default();
    let mut seconds = 0;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| usage(&format!("{arg} needs a value")));
        let number = |text: String| text.parse::<u64>().unwrap_or_else(|_| usage(&format!("{text} is no number")));
        match arg.as_str() {
            "--operations" => plan.operations = number(value()),
            "--threads" => plan.threads = number(value()).max(1) as usize,
            "--objects" => plan.objects = number(value()).max(1) as usize,
            "--seed" => plan.seed = number(value()),
            "--seconds" => seconds = number(value()),
            "--fenced" => options.release = Release::Fenced,
            "--eager" => options.sticky = false,
            "--fault" => {
                plan.patience = Duration::from_secs(2);
                plan.fault = Some(match value().as_str() {
                    "intrude" => Fault::Intrude,
                    "keep" => Fault::Keep,
                    "rehash" => Fault::Rehash,
                    other => usage(&format!("unknown fault {other}")),
                });
            }
            other => usage(&format!("unknown option {other}")),
        }
    }
    let start = Instant::now();
    let mut sum = Totals::default();
    let mut operations = 0;
    loop {
        // Half with hysteresis, half without: the latter is where records are abandoned.
        for sticky in [options.sticky, false] {
            let half = Plan { operations: plan.operations / 2, seed: plan.seed * 2 + u64::from(sticky), ..plan };
            if let Err(complaint) = run(half, Options { sticky, ..options }).map(|totals| sum = sum.plus(&totals)) {
                println!("FAILED after {operations} operations, seed {}: {complaint}", half.seed);
                std::process::exit(1);
            }
        }
        operations += plan.operations;
        sum = sum.plus(&buffer(4, 2000, 2, options));
        plan.seed += 1;
        if start.elapsed().as_secs() >= seconds {
            break;
        }
    }
    println!(
        "{operations} operations, {} threads, {} objects, {:.1} s",
        plan.threads,
        plan.objects,
        start.elapsed().as_secs_f64()
    );
    for (name, count) in sum.rows() {
        println!("{name:>18} {count}");
    }
    let never: Vec<_> = [
        ("misspeculations", sum.misspeculations),
        ("reinflations", sum.reinflations),
        ("abandoned", sum.abandoned),
        ("reclaimed", sum.reclaimed),
        ("stale", sum.stale),
        ("timed_out", sum.timed_out),
        ("interrupted", sum.interrupted),
        ("notified", sum.notified),
        ("wakeups", sum.wakeups),
    ]
    .into_iter()
    .filter(|&(_, n)| n == 0)
    .map(|(name, _)| name)
    .collect();
    if !never.is_empty() {
        println!("INCOMPLETE: never seen: {never:?} (more operations, or --features delay)");
        std::process::exit(2);
    }
    println!("ok");
}

fn usage(problem: &str) -> ! {
    eprintln!("torture: {problem}; see the head of examples/torture.rs");
    std::process::exit(64)
}
