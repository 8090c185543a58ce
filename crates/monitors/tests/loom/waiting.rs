//! Waiting has one outcome: notified, interrupted or timed out, and nobody sleeps for ever.
use super::*;

#[test]
fn a_notified_thread_comes_back() {
    explore(2, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    while !o.flag.with(|p| unsafe { *p }) {
                        assert_eq!(t.wait(o, None), WaitOutcome::Notified);
                    }
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.notify(o);
                    t.exit(o);
                    t.add(o);
                },
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn two_waiters_are_both_notified() {
    explore(1, || {
        let w = World::new(eager(), 1, 3);
        let waiter: fn(&World, &Thread) = |w, t| {
            let o = &w.objects[0];
            t.enter(o);
            while !o.flag.with(|p| unsafe { *p }) {
                t.wait(o, None);
            }
            o.value.with_mut(|p| unsafe { *p += 1 });
            t.exit(o);
        };
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.monitors.notify_all(&o.word).expect("owner");
                    t.exit(o);
                },
                waiter,
                waiter,
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn a_timeout_races_with_an_owner_that_leaves() {
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    assert_eq!(t.wait(o, Some(1)), WaitOutcome::TimedOut);
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                add_once,
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn a_timeout_and_a_notification_have_one_outcome() {
    explore(2, || {
        let w = World::new(eager(), 1, 3);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.notify(o);
                    t.exit(o);
                },
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    t.wait(o, Some(1));
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                |w, t| {
                    // Waits for ever unless the notification reaches it when the other timed out: so
                    // it hands on what it may have received too early.
                    let o = &w.objects[0];
                    t.enter(o);
                    if !o.flag.with(|p| unsafe { *p }) {
                        t.wait(o, Some(1));
                    }
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn an_interrupt_and_a_notification_have_one_outcome() {
    explore(2, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    if !o.flag.with(|p| unsafe { *p }) {
                        match t.wait(o, None) {
                            // The status is left alone by a notification, cleared by the other.
                            WaitOutcome::Notified => assert!(o.flag.with(|p| unsafe { *p })),
                            WaitOutcome::Interrupted => {
                                assert!(!t.interrupted.load(Ordering::Acquire))
                            }
                            WaitOutcome::TimedOut => panic!("no deadline was given"),
                        }
                    }
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                |w, t| {
                    let o = &w.objects[0];
                    w.threads[0].interrupted.store(true, Ordering::Release);
                    w.threads[0].monitors.unpark();
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.notify(o);
                    t.exit(o);
                },
            ],
        );
        w.check(&[1]);
    });
}
