//! Behaviour of the interpreter over a small fake runtime.
//!
//! Programs are compiled by `javac`; HotSpot says what they should compute.
mod classes;
mod handles;
mod handmade;
#[cfg(not(feature = "trampoline"))]
mod lint;
pub(crate) mod rows;
pub(crate) mod world;

use crate::INTERPRETER;
use concord_contract::Thread;
use concord_contract::entries::Engine;
use std::sync::atomic::Ordering;
use world::{call, start, thread};

const STACK: usize = 256 << 10;

/// What HotSpot prints: program name and result.
fn expected() -> Vec<(String, i64)> {
    let out = std::process::Command::new("java")
        .args(["-Xint", "-Xss512k", "-cp"])
        .arg(start())
        .arg("Programs")
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines()
        .map(|l| {
            let (n, v) = l.split_once(' ').unwrap();
            (n.to_string(), v.parse().unwrap())
        })
        .collect()
}

fn check_balanced(th: &Thread) {
    // SAFETY: the thread is not running Java code.
    assert!(unsafe { &*th.lock_stack.get() }.is_empty());
    assert_eq!(rows::owned_by(th), 0);
    assert_eq!(th.sp.get(), th.stack_base.get());
    assert!(th.fp.get().is_null());
}

/// Programs whose result depends on what ran before in the same classes.
const STATEFUL: [&str; 4] = ["fields", "monitors", "duplicates", "initialization"];

#[test]
fn programs_compute_what_hotspot_computes() {
    let th = thread(STACK);
    let want = expected();
    assert!(want.len() > 15);
    for (name, v) in &want {
        // Twice: the second run is quickened from the start.
        let rounds = if STATEFUL.contains(&&**name) { 1 } else { 2 };
        for round in 0..rounds {
            match call(th, "Programs", name, &[]) {
                Ok(r) => assert_eq!(r as i64, *v, "{name}, round {round}"),
                Err(_) => panic!("{name} threw {:?}", th.take_exception().class()),
            }
            check_balanced(th);
        }
    }
    // Again with every method warm before its first instruction.
    let warm = world::reload("Programs");
    rows::initialize(th, warm).unwrap();
    for m in world::info(warm).methods.iter().filter(|m| !m.bytecode.is_empty()) {
        crate::profile::warm(m, crate::entry::ensure_translated(th, m));
    }
    for (name, v) in want.iter().filter(|w| !STATEFUL.contains(&&*w.0)) {
        let m = world::find_method(warm, name, None).unwrap();
        match INTERPRETER.invoke(th, m, &[]) {
            Ok(r) => assert_eq!(r as i64, *v, "{name}, warm"),
            Err(_) => panic!("{name}, warm, threw {:?}", th.take_exception().class()),
        }
        check_balanced(th);
    }
    // Again from words without superinstructions and with relaxed stores; what other classes the
    // programs use is shared with the runs above.
    let plain = world::reload("Programs");
    rows::initialize(th, plain).unwrap();
    for m in world::info(plain).methods.iter().filter(|m| !m.bytecode.is_empty()) {
        let style = crate::translate::Style { sc: false, vbd: false, traced: false, counted: false, supers: false };
        let constants = |cp| concord_contract::entries::numeric_constant(th, m, cp);
        crate::translate::translate_with(m, style, &constants).publish(m);
    }
    for (name, v) in want.iter().filter(|w| !STATEFUL.contains(&&*w.0)) {
        let m = world::find_method(plain, name, None).unwrap();
        match INTERPRETER.invoke(th, m, &[]) {
            Ok(r) => assert_eq!(r as i64, *v, "{name}, plain"),
            Err(_) => panic!("{name}, plain, threw {:?}", th.take_exception().class()),
        }
        check_balanced(th);
    }
}

#[test]
fn natives_are_normalised_and_call_back() {
    let th = thread(STACK);
    let int = |r: concord_contract::JResult<u64>| r.map(|v| v as u32 as i32);
    assert_eq!(int(call(th, "Natives", "results", &[])), Ok(1 - 1280 + 65535 - 32768));
    assert_eq!(call(th, "Natives", "arguments", &[3]), Ok(9 + 3 * (1 << 40)));
    assert_eq!(int(call(th, "Natives", "failing", &[])), Ok(2));
    assert_eq!(int(call(th, "Natives", "catching", &[])), Ok(3));
    assert_eq!(int(call(th, "Natives", "deep", &[40])), Ok(46));
    check_balanced(th);
}

#[test]
fn uncaught_exceptions_leave_no_monitor_behind() {
    let th = thread(STACK);
    assert!(call(th, "Natives", "uncaught", &[5]).is_err());
    assert!(rows::caught(th, "ArithmeticException"));
    check_balanced(th);
}

#[test]
fn deep_java_recursion_uses_no_native_stack() {
    // Java frames for 64 MB of stack on a native stack of 256 KB.
    let t = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
        let th = thread(64 << 20);
        // The second time through quickened and fused code.
        call(th, "Natives", "dive", &[]).unwrap();
        call(th, "Natives", "dive", &[]).unwrap()
    });
    let depth = t.unwrap().join().unwrap();
    assert!(depth > 500_000, "{depth}");
}

#[test]
fn loops_and_entries_poll() {
    let th = thread(STACK);
    let before = rows::SAFEPOINTS.load(Ordering::Relaxed);
    call(th, "Natives", "spin", &[10]).unwrap();
    th.poll.store(1, Ordering::SeqCst);
    call(th, "Natives", "spin", &[10]).unwrap();
    th.poll.store(1, Ordering::SeqCst);
    th.settle_entries();
    assert_eq!(call(th, "Natives", "identity", &[0x4_0000_0000]), Ok(0x4_0000_0000));
    assert_eq!(th.poll.load(Ordering::SeqCst), 0);
    assert!(rows::SAFEPOINTS.load(Ordering::Relaxed) >= before + 2);
    let heat = rows::HEAT.load(Ordering::Relaxed);
    call(th, "Natives", "spin", &[200_000]).unwrap();
    assert!(rows::HEAT.load(Ordering::Relaxed) >= heat + 6);
}

#[test]
fn threads_race_through_unresolved_code() {
    start();
    let ts: Vec<_> = (0..8)
        .map(|_| {
            std::thread::spawn(|| {
                let th = thread(STACK);
                call(th, "Natives", "increment", &[500]).unwrap();
                call(th, "Programs", "arithmetic", &[]).unwrap()
            })
        })
        .collect();
    let mut results: Vec<u64> = ts.into_iter().map(|t| t.join().unwrap()).collect();
    results.dedup();
    assert_eq!(results.len(), 1);
    let th = thread(STACK);
    let f = world::find_field(world::class("Natives"), "shared").unwrap();
    assert_eq!(f.class.statics.get().get_i32(f.offset as usize), 8 * 500);
    check_balanced(th);
}

#[test]
fn flushed_code_resolves_again() {
    let th = thread(STACK);
    let before = call(th, "Programs", "calls", &[]).unwrap();
    INTERPRETER.relaid(&[]);
    assert_eq!(call(th, "Programs", "calls", &[]), Ok(before));
}

#[test]
fn getters_and_empty_methods_need_no_frame() {
    let th = thread(STACK);
    assert_eq!(call(th, "Natives", "getters", &[3]).map(|v| v as i64), Ok(3 * (7 + 1 + 40 - 5)));
    INTERPRETER.relaid(&[]);
    assert_eq!(call(th, "Natives", "getters", &[4]).map(|v| v as i64), Ok(4 * (7 + 1 + 40 - 5)));
    let m = world::find_method(world::class("Natives"), "getLong", None).unwrap();
    assert_ne!(m.entry.load(Ordering::Relaxed), crate::entry::normal as *mut ());
    assert!(call(th, "Natives", "nullGetter", &[]).is_err());
    assert!(rows::caught(th, "NullPointerException"));
    check_balanced(th);
}

#[test]
fn native_recursion_overflows_as_an_exception() {
    let t = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let th = thread(8 << 20);
        let here = &raw const th as usize;
        th.native_limit.set(here - (900 << 10));
        let r = call(th, "Natives", "deep", &[1 << 20]);
        assert!(r.is_err() && rows::caught(th, "StackOverflowError"));
        assert!(th.native_limit.get() != 0);
        check_balanced(th);
    });
    t.unwrap().join().unwrap();
}
