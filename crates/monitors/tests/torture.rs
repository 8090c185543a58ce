//! The short form of the torture run; `examples/torture.rs` has the long one.
#![cfg(not(any(loom, shuttle)))]

mod support;

use std::time::Duration;

use concord_monitors::{Options, Release};
use support::torture::{Fault, Plan, buffer, run};

const PLAN: Plan =
    Plan { threads: 6, objects: 3, operations: 120_000, seed: 42, patience: Duration::from_secs(20), fault: None };

fn options() -> Options {
    Options { records: 1 << 18, ..Options::default() }
}

#[test]
fn torture_in_every_mode() {
    for (name, options) in [
        ("default", options()),
        ("fenced", Options { release: Release::Fenced, ..options() }),
        ("eager", Options { sticky: false, spin: 0, ..options() }),
        ("unthrottled", Options { throttle: false, ..options() }),
    ] {
        let totals = run(PLAN, options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(totals.wakeups > 0 && totals.timed_out > 0 && totals.parks > 0, "{name}: {totals:?}");
    }
}

#[test]
fn many_threads_on_one_object() {
    let plan = Plan { threads: 64, objects: 1, operations: 64_000, ..PLAN };
    run(plan, options()).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn every_notification_arrives() {
    let totals = buffer(3, 2000, 2, options());
    assert!(totals.notified > 0);
}

#[test]
fn a_fault_is_found() {
    for (fault, says) in
        [(Fault::Intrude, "mutual exclusion"), (Fault::Keep, "stranded"), (Fault::Rehash, "hash stability")]
    {
        // Only who strands somebody is found by waiting.
        let patience = if fault == Fault::Keep { Duration::from_millis(500) } else { PLAN.patience };
        let plan = Plan { fault: Some(fault), patience, ..PLAN };
        let complaint = run(plan, options()).expect_err("the fault goes unnoticed");
        assert!(complaint.contains(says), "{fault:?}: {complaint}");
    }
}
