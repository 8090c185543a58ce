//! What the operations promise, one by one (JLS 17.1, 17.2; JVMS 6.5 monitorenter/monitorexit).
#![cfg(not(any(loom, shuttle)))]

mod ownership;
mod records;
#[path = "../support/mod.rs"]
mod support;
mod waiting;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use concord_monitors::record::offset as record_offset;
use concord_monitors::thread::offset as thread_offset;
use concord_monitors::word::LOCAL;
use concord_monitors::{
    BlockedOn, IllegalMonitorState, LockWord, MonitorTable, Options, Release, Verdict, WaitOutcome, enter, wait,
};
use support::{Handle, Object, Thread, word_of};

fn table_with(options: Options) -> Arc<MonitorTable> {
    MonitorTable::reserve(options).expect("address space for records")
}

/// Each test runs with the fence-free release and with the fenced one.
fn both_kinds(body: impl Fn(Arc<MonitorTable>)) {
    for release in [Release::Auto, Release::Fenced] {
        let table = table_with(Options { release, records: 1 << 18, ..Options::default() });
        assert!(release == Release::Auto || table.fenced());
        body(table);
    }
}

fn raw(object: &Object) -> LockWord {
    LockWord(object.word.load(Ordering::SeqCst))
}

/// After contention a record stays for a while (G12), and then goes.
fn quiet_down(t: &Thread, o: &Object) {
    for _ in 0..Options::default().sticky_exits {
        enter(t, &o);
        t.exit(o).expect("owner");
    }
    assert!(!raw(o).is_monitor(), "nobody is left, so an exit deflates: {}", raw(o));
}

fn verify(table: &MonitorTable, threads: &[&Thread]) {
    let monitors: Vec<_> = threads.iter().map(|t| &t.monitors).collect();
    // SAFETY: the test's other threads sleep or have ended; all objects are `Object`s.
    let broken = unsafe { table.at_stop().verify(&monitors, word_of) };
    assert!(broken.is_empty(), "{broken:#?}");
}
