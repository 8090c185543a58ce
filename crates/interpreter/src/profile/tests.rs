//! Exact counts of known programs, over the fake runtime of the interpreter's tests.
use super::*;
use crate::INTERPRETER;
use crate::entry::ensure_translated;
use crate::tests::rows;
use crate::tests::world::{call, class, find_method, info, reload, thread};
use concord_contract::ClassRef;
use concord_contract::entries::Engine;
use concord_contract::profile::{Cell as CounterCell, Counter, MethodProfile, Site, Types};
use std::sync::MutexGuard;

/// Purges see all warm methods: one test at a time.
static ONE: Mutex<()> = Mutex::new(());
fn alone() -> MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(|e| e.into_inner())
}

/// A copy of the class whose methods are warm before they run.
fn warm_profiles(th: &Thread) -> ClassRef {
    for c in ["Profiles", "Profiles$Triangle", "Profiles$Square", "Profiles$Pentagon"] {
        rows::initialize(th, class(c)).unwrap();
    }
    let c = reload("Profiles");
    rows::initialize(th, c).unwrap();
    // Calls go to the first copy of the class.
    for m in info(c).methods.iter().chain(&info(class("Profiles")).methods) {
        warm(m, ensure_translated(th, m));
    }
    c
}
fn method(name: &str) -> MethodRef {
    find_method(class("Profiles"), name, None).unwrap()
}
fn profile(name: &str) -> MethodProfile {
    INTERPRETER.profile(method(name)).unwrap()
}
fn kind(name: &str) -> ClassRef {
    class(&format!("Profiles${name}"))
}
fn id_of(name: &str) -> u64 {
    kind(name).layout_id.load(Ordering::Relaxed) as u64
}
/// Takes all counts back.
fn reset() {
    let area = area::get().unwrap();
    for m in &info(class("Profiles")).methods {
        let code = Code::of(m).unwrap();
        for w in code.words() {
            for b in area.used() {
                // SAFETY: a word of warm code.
                unsafe { wide(cell(b, w.as_ptr())) }.store(0, Ordering::Relaxed);
            }
        }
        for (_, w) in instructions(m.bytecode).filter(|(b, _)| needs_rows(m.bytecode[*b])) {
            for b in area.used() {
                // SAFETY: a word of warm code with rows.
                unsafe {
                    let pc = code.words()[w].as_ptr();
                    let rows = cell(b, pc).wrapping_add_signed(8 * side(pc).load(Ordering::Relaxed) as i32 as isize);
                    wide(rows).store(0, Ordering::Relaxed);
                    wide(rows + 8).store(0, Ordering::Relaxed);
                }
            }
        }
    }
}

#[test]
fn one_thread_counts_exactly() {
    let _alone = alone();
    let th = thread(1 << 16);
    warm_profiles(th);
    reset();
    assert_eq!(call(th, "Profiles", "mixed", &[8]), Ok(3 * 6));
    let p = profile("tests");
    let four = Types { rows: vec![(kind("Triangle"), 2), (kind("Square"), 2)], rest: 2, nulls: 2 };
    for bci in [1, 14, 21] {
        assert_eq!(p.types(bci), Some(&four), "at {bci}");
    }
    assert_eq!((p.branch(4), p.branch(24)), (Some((2, 6)), Some((6, 2))));
    assert_eq!(p.sites().count(), 5);
    let p = profile("mixed");
    assert_eq!((p.at(18), p.at(22)), (Some(&Site::Call(8)), Some(&Site::Call(8))));
    // The last component of a superinstruction.
    assert_eq!(p.branch(11), Some((1, 8)));
    assert_eq!(profile("make").branch(16), Some((4, 2)));

    assert_eq!(call(th, "Profiles", "calling", &[5, 1]), Ok(5 * 13));
    assert_eq!(call(th, "Profiles", "calling", &[3, 0]), Ok(3 * 11));
    let p = profile("calls");
    let two = Types { rows: vec![(kind("Square"), 5), (kind("Triangle"), 3)], rest: 0, nulls: 0 };
    assert_eq!((p.types(1), p.types(5), p.at(11)), (Some(&two), Some(&two), Some(&Site::Call(8))));
    assert_eq!((two.only(), two.total()), (None, 8));
    assert_eq!(profile("calling").types(18).map(Types::total), Some(8));

    // A call on null is not counted: nothing was called.
    assert!(call(th, "Profiles", "calling", &[1, 3]).is_err());
    assert!(rows::caught(th, "NullPointerException"));
    assert_eq!(profile("calls").types(1), Some(&two));
    assert_eq!(profile("calling").types(18).map(|t| t.nulls), Some(1));

    // A class cast that fails.
    assert!(INTERPRETER.invoke(th, method("tests"), &[no_kind(), 0]).is_err());
    assert!(rows::caught(th, "ClassCastException"));
    assert_eq!(profile("tests").types(14).map(|t| t.rest), Some(3));
}

/// An object that is none of the kinds.
fn no_kind() -> u64 {
    rows::instance(class("Profiles")).addr() as u64
}

#[test]
fn compiled_code_is_told_the_cells_of_the_interpreter() {
    let _alone = alone();
    let th = thread(1 << 16);
    warm_profiles(th);
    reset();
    let (area, own) = (area::get().unwrap(), Thread::new_boxed());
    area.attach(&own);
    let at = |c: CounterCell| own.stripe.get() + c as usize;
    // SAFETY: cells of this test's methods.
    let add = |c: CounterCell, n: u32| unsafe { half(at(c)) }.fetch_add(n, Ordering::Relaxed);
    call(th, "Profiles", "mixed", &[8]).unwrap();
    let c = INTERPRETER.counters(method("tests")).unwrap();
    let (Some(Counter::Branch { taken, not_taken }), Some(Counter::Types(rows))) = (c.at(4), c.at(1)) else {
        panic!("other counters: {c:?}")
    };
    add(taken, 10);
    add(not_taken, 20);
    add(rows.more + 8, 30);
    add(rows.more + 12, 40);
    for (cell, kind, n) in [(rows.own, "Triangle", 100), (rows.more, "Pentagon", 50)] {
        let id = id_of(kind);
        // SAFETY: as above; this thread block has no other stripe.
        let row = unsafe { wide(at(cell)) };
        let before = row.load(Ordering::Relaxed);
        row.store(if before == 0 { n << 32 | id } else { before + (n << 32) }, Ordering::Relaxed);
    }
    add(c.entries, 3);
    add(c.jumps_back, 4);
    let p = profile("tests");
    assert_eq!(p.branch(4), Some((12, 26)));
    let t = p.types(1).unwrap();
    assert_eq!((t.total(), t.rest, t.nulls), (8 + 220, 32, 42));
    assert_eq!((p.entries, p.jumps_back), (3, 4));
    // A call by receiver in the class file, whose word nobody has executed: it had one target.
    reset();
    let Some(Counter::Types(rows)) = INTERPRETER.counters(method("calls")).unwrap().at(1) else { panic!("no rows") };
    add(rows.own + 4, 5);
    assert_eq!(profile("calls").at(1), Some(&Site::Call(5)));
    reset();
    add(c.entries, 3u32.wrapping_neg());
    add(c.jumps_back, 4u32.wrapping_neg());
    area.detach(&own);
}

#[test]
fn threads_with_stripes_of_their_own_lose_nothing() {
    let _alone = alone();
    let th = thread(1 << 16);
    warm_profiles(th);
    reset();
    let area = area::get().unwrap();
    let stripes = area.used().len().max(2);
    let before = profile("branches");
    assert_eq!(before.branch(12), Some((0, 0)));
    let ts: Vec<_> = (0..stripes)
        .map(|i| {
            std::thread::spawn(move || {
                let th = thread(1 << 16);
                th.profile_bias.set(area::get().unwrap().bias(i));
                call(th, "Profiles", "branches", &[40_000]).unwrap();
                call(th, "Profiles", "calling", &[10_000, (i % 2) as u64]).unwrap();
            })
        })
        .collect();
    ts.into_iter().for_each(|t| t.join().unwrap());
    let n = stripes as u64;
    let p = profile("branches");
    assert_eq!(p.branch(12), Some((n * 30_000, n * 10_000)));
    assert_eq!(p.branch(6), Some((n, n * 40_000)));
    let mut want = Types::default();
    want.add(kind("Triangle"), n.div_ceil(2) * 10_000);
    want.add(kind("Square"), n / 2 * 10_000);
    let got = profile("calls").types(1).unwrap().clone();
    assert_eq!((got.total(), got.rest), (want.total(), 0));
    for (c, count) in want.rows {
        assert!(got.rows.contains(&(c, count)), "{got:?}");
    }
}

#[test]
fn what_threads_quicken_at_once_counts_from_the_first_instruction() {
    use std::sync::atomic::AtomicBool;
    const CALL: u16 = 280;
    let (word, done) = (AtomicU32::new(crate::code::word(CALL | PROFILED, 1)), AtomicBool::new(false));
    std::thread::scope(|s| {
        for operand in 2..4 {
            let (word, done) = (&word, &done);
            s.spawn(move || {
                for _ in 0..200_000 {
                    publish(word, CALL, operand, || true);
                }
                done.store(true, Ordering::Release);
            });
        }
        while !done.load(Ordering::Acquire) {
            assert_ne!(word.load(Ordering::Relaxed) as u16 & PROFILED, 0);
        }
    });
    // A method that becomes warm meanwhile counts in the end.
    for _ in 0..2000 {
        let (word, warm) = (AtomicU32::new(crate::code::word(184, 1)), AtomicBool::new(false));
        std::thread::scope(|s| {
            s.spawn(|| publish(&word, CALL, 2, || warm.load(Ordering::Acquire)));
            warm.store(true, Ordering::Release);
            count_word(&word);
        });
        assert_eq!(word.into_inner() as u16, CALL | PROFILED);
    }
}

#[test]
fn retired_layouts_leave_no_row_behind() {
    let _alone = alone();
    let th = thread(1 << 16);
    warm_profiles(th);
    reset();
    call(th, "Profiles", "calling", &[5, 1]).unwrap();
    call(th, "Profiles", "calling", &[3, 0]).unwrap();
    let id = kind("Square").layout_id.load(Ordering::Relaxed);
    purge(|i| i == id);
    let left = Types { rows: vec![(kind("Triangle"), 3)], rest: 5, nulls: 0 };
    assert_eq!(profile("calls").types(1), Some(&left));
    // Both places of a class that comes again count for it.
    call(th, "Profiles", "calling", &[4, 0]).unwrap();
    call(th, "Profiles", "calling", &[2, 2]).unwrap();
    let now = profile("calls").types(1).unwrap().clone();
    assert_eq!(now.total(), 14);
    assert_eq!(now.rows[0], (kind("Triangle"), 7));
}

#[test]
fn a_method_becomes_warm_under_its_frame() {
    let _alone = alone();
    let th = thread(1 << 16);
    rows::initialize(th, class("Natives")).unwrap();
    let c = reload("Natives");
    rows::initialize(th, c).unwrap();
    let m = find_method(c, "spin", None).unwrap();
    assert!(INTERPRETER.profile(m).is_none());
    let runner = std::thread::spawn(move || INTERPRETER.invoke(thread(1 << 16), m, &[50_000_000]));
    let code = loop {
        if let Some(c) = Code::of(m) {
            break c;
        }
        std::thread::yield_now();
    };
    warm(m, code);
    runner.join().unwrap().unwrap();
    let p = INTERPRETER.profile(m).unwrap();
    let total = p.sites().map(|s| s.1.total()).sum::<u64>();
    assert!((1..=50_000_001).contains(&total), "{total}");
}

#[test]
fn flushed_calls_keep_their_counts() {
    let _alone = alone();
    let th = thread(1 << 16);
    warm_profiles(th);
    reset();
    call(th, "Profiles", "mixed", &[8]).unwrap();
    INTERPRETER.relaid(&[]);
    assert_eq!(profile("mixed").at(18), Some(&Site::Call(8)));
    call(th, "Profiles", "mixed", &[4]).unwrap();
    assert_eq!(profile("mixed").at(18), Some(&Site::Call(12)));
}

#[test]
fn every_row_that_counts_has_a_counting_handler() {
    use crate::dispatch::{TABLE, bad};
    for op in 0..512u16 {
        for state in &TABLE {
            let (plain, counting) = (state[op as usize] as usize, state[(op | PROFILED) as usize] as usize);
            let bad = bad as *const () as usize;
            let counts = shape(op) != Shape::Nothing && plain != bad;
            assert_eq!(counting != bad, counts, "row {op}");
            assert!(counting == bad || counting != plain, "row {op}");
        }
    }
    for (code, parts) in SUPERS {
        assert_eq!(shape(*code), parts.last().map_or(Shape::Nothing, |p| shape(*p)), "superinstruction {code}");
    }
}
