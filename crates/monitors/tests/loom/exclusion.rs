//! One thread at a time inside, and the word in order behind it.
use super::*;

#[test]
fn two_threads_exclude_each_other() {
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(&w, vec![add_twice, add_once]);
        w.check(&[3]);
    });
}

#[test]
fn two_threads_exclude_each_other_sticky() {
    explore(3, || {
        let w = World::new(Options { sticky_exits: 1, ..options() }, 1, 2);
        race(&w, vec![add_twice, add_once]);
        w.check(&[3]);
    });
}

#[test]
fn two_threads_without_the_throttle() {
    explore(2, || {
        let w = World::new(Options { throttle: false, ..eager() }, 1, 2);
        race(&w, vec![add_twice, add_twice]);
        w.check(&[4]);
    });
}

/// The record of the last enter is not the one that the second exit is for (D11).
#[test]
fn two_monitors_are_left_in_any_order() {
    explore(2, || {
        let w = World::new(eager(), 2, 2);
        let nested = |w: &World, t: &Thread| {
            let (a, b) = (&w.objects[0], &w.objects[1]);
            t.enter(a);
            t.add(b);
            a.value.with_mut(|p| unsafe { *p += 1 });
            t.exit(a);
        };
        race(&w, vec![nested, |w, t| t.add(&w.objects[0])]);
        w.check(&[2, 1]);
    });
}

#[test]
fn three_threads_exclude_each_other() {
    explore(2, || {
        let w = World::new(eager(), 1, 3);
        race(&w, vec![add_once, add_once, add_slowly]);
        w.check(&[3]);
    });
}

/// Deeper than can be exhausted: as far as a minute leads (`MODEL_SECONDS`).
#[test]
fn three_threads_deeper() {
    let seconds = std::env::var("MODEL_SECONDS").map_or(60, |v| v.parse().expect("a number"));
    let mut builder = builder(3);
    builder.max_duration = Some(std::time::Duration::from_secs(seconds));
    run_counted(builder, || {
        let w = World::new(eager(), 1, 3);
        race(&w, vec![add_once, add_once, add_once]);
        w.check(&[3]);
    });
}

#[test]
fn a_record_changes_its_object_under_a_stale_reader() {
    explore(3, || {
        let w = World::new(eager(), 2, 2);
        race(
            &w,
            vec![
                |w, t| {
                    t.add(&w.objects[0]);
                    t.add(&w.objects[1]);
                    t.add(&w.objects[0]);
                },
                add_once,
            ],
        );
        w.check(&[3, 1]);
    });
}

#[test]
fn a_stale_owner_lets_go() {
    explore(2, || {
        let w = World::new(Options { sticky_exits: 1, ..options() }, 2, 3);
        race(
            &w,
            vec![
                |w, t| {
                    t.add(&w.objects[0]);
                    t.add(&w.objects[1]);
                },
                add_once,
                |w, t| t.add(&w.objects[1]),
            ],
        );
        w.check(&[2, 2]);
    });
}

#[test]
fn a_hash_is_stable_across_locking() {
    explore(3, || {
        let w = World::new(eager(), 2, 2);
        race(
            &w,
            vec![
                |w, t| {
                    t.add(&w.objects[0]);
                    t.add(&w.objects[1]);
                    t.add(&w.objects[0]);
                    t.hash(&w.objects[0]);
                },
                |w, t| {
                    t.hash(&w.objects[0]);
                    t.hash(&w.objects[0]);
                },
            ],
        );
        w.check(&[2, 1]);
    });
}

#[test]
fn somebody_else_is_not_the_owner() {
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![add_twice, |w, t| {
                let o = &w.objects[0];
                assert!(!t.monitors.is_owner(&o.word));
                assert_eq!(t.monitors.exit(&o.word, Ref(&o).address()), Err(IllegalMonitorState));
                t.hash(o);
            }],
        );
        w.check(&[2]);
        assert!(!LockWord(w.objects[0].word.load(Ordering::Relaxed)).is_monitor());
    });
}

/// The counters say that the interesting paths are among the explored ones.
#[test]
fn recovery_is_explored() {
    static REINFLATED: StdBool = StdBool::new(false);
    static ABANDONED: StdBool = StdBool::new(false);
    static RECLAIMED: StdBool = StdBool::new(false);
    static STALE: StdBool = StdBool::new(false);
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(&w, vec![add_twice, add_twice]);
        let totals = w.table.totals(w.threads.iter().map(|t| &t.monitors));
        REINFLATED.fetch_or(totals.reinflations > 0, SeqCst);
        ABANDONED.fetch_or(totals.abandoned > 0, SeqCst);
        RECLAIMED.fetch_or(totals.reclaimed > 0, SeqCst);
        STALE.fetch_or(totals.stale > 0, SeqCst);
        w.check(&[4]);
    });
    for (name, seen) in
        [("re-inflation", &REINFLATED), ("abandonment", &ABANDONED), ("reclaim", &RECLAIMED), ("stale record", &STALE)]
    {
        assert!(seen.load(SeqCst), "no explored execution has a {name}");
    }
}
