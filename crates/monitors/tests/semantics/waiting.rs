//! Who waits, who is notified, and by what a wait ends.
use super::*;

#[test]
fn notify_wakes_the_longest_waiting_and_notify_all_everyone() {
    both_kinds(|table| {
        let main = Thread::new(&table, 1);
        let waiters: Vec<_> = (2..6).map(|i| Thread::new(&table, i)).collect();
        let o = &Object::default();
        let order = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|s| {
            for w in &waiters {
                s.spawn(|| {
                    enter(w, &o);
                    assert_eq!(wait(w, &o, None), Ok(WaitOutcome::Notified));
                    order.lock().expect("no panic").push(w.monitors.tid());
                    w.exit(o).expect("owner");
                });
                w.await_asleep();
                assert_eq!(w.sleeping.load(Ordering::SeqCst), 2);
            }
            enter(&main, &o);
            assert_eq!(main.monitors.waiters(&o.word), Ok(vec![2, 3, 4, 5]));
            main.monitors.notify(&o.word).expect("owner");
            assert_eq!(main.monitors.waiters(&o.word), Ok(vec![3, 4, 5]));
            main.exit(o).expect("owner");
            while order.lock().expect("no panic").is_empty() {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(5));
            assert_eq!(*order.lock().expect("no panic"), [2]);
            enter(&main, &o);
            main.monitors.notify_all(&o.word).expect("owner");
            assert_eq!(main.monitors.waiters(&o.word), Ok(vec![]));
            main.exit(o).expect("owner");
        });
        assert_eq!(order.lock().expect("no panic").len(), 4);
        let mut all = vec![&main];
        all.extend(&waiters);
        verify(&table, &all);
    });
}

#[test]
fn a_notification_nobody_waits_for_is_lost() {
    both_kinds(|table| {
        let t = Thread::new(&table, 1);
        let o = &Object::default();
        enter(&t, &o);
        t.monitors.notify_all(&o.word).expect("owner");
        assert_eq!(wait(&t, &o, Some(2_000_000)), Ok(WaitOutcome::TimedOut));
        t.exit(o).expect("owner");
    });
}

#[test]
fn a_timed_wait_takes_its_time() {
    both_kinds(|table| {
        let t = Thread::new(&table, 1);
        let o = &Object::default();
        enter(&t, &o);
        let start = Instant::now();
        assert_eq!(wait(&t, &o, Some(30_000_000)), Ok(WaitOutcome::TimedOut));
        assert!(start.elapsed() >= Duration::from_millis(30), "{:?}", start.elapsed());
        t.exit(o).expect("owner");
        quiet_down(&t, o);
        verify(&table, &[&t]);
    });
}

#[test]
fn an_interrupt_before_or_during_wait_is_reported_and_cleared() {
    both_kinds(|table| {
        let (t, main) = (Thread::new(&table, 1), Thread::new(&table, 2));
        let o = &Object::default();
        t.interrupted.store(true, Ordering::SeqCst);
        enter(&t, &o);
        assert_eq!(wait(&t, &o, None), Ok(WaitOutcome::Interrupted));
        assert!(!t.interrupted.load(Ordering::SeqCst) && t.monitors.is_owner(&o.word));
        t.exit(o).expect("owner");
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&t, &o);
                assert_eq!(wait(&t, &o, None), Ok(WaitOutcome::Interrupted));
                assert!(t.monitors.is_owner(&o.word));
                t.exit(o).expect("owner");
            });
            t.await_asleep();
            // While the monitor is taken the interrupted thread cannot come back.
            enter(&main, &o);
            t.interrupt();
            // It has decided once it sleeps to enter, no longer to be notified.
            while t.sleeping.load(Ordering::SeqCst) != 1 {
                std::thread::yield_now();
            }
            assert!(t.interrupted.load(Ordering::SeqCst));
            // A notification now is not consumed by it (JLS 17.2.4).
            main.monitors.notify(&o.word).expect("owner");
            main.exit(o).expect("owner");
        });
        assert!(!t.interrupted.load(Ordering::SeqCst));
        verify(&table, &[&t, &main]);
    });
}

#[test]
fn a_thread_notified_before_it_is_interrupted_keeps_its_status() {
    both_kinds(|table| {
        let (t, main) = (Thread::new(&table, 1), Thread::new(&table, 2));
        let o = &Object::default();
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&t, &o);
                assert_eq!(wait(&t, &o, None), Ok(WaitOutcome::Notified));
                assert!(t.interrupted.load(Ordering::SeqCst));
                t.exit(o).expect("owner");
            });
            t.await_asleep();
            enter(&main, &o);
            main.monitors.notify(&o.word).expect("owner");
            t.interrupt();
            main.exit(o).expect("owner");
        });
    });
}

#[test]
fn a_waiter_that_gave_up_does_not_swallow_the_notification() {
    // On a busy machine the quitter may be gone before the main thread has the monitor: it has more time then.
    let met = |millis: u64| {
        let all = Cell::new(true);
        both_kinds(|table| all.set(quits_at_the_head(&table, millis) && all.get()));
        all.get()
    };
    assert!(
        [40, 400, 4000, 40_000].into_iter().any(met),
        "the quitter was never asked for while it headed the wait set"
    );
}

/// A notification comes when the first waiter's time has run out and it still heads the wait set; false if it had left.
fn quits_at_the_head(table: &Arc<MonitorTable>, millis: u64) -> bool {
    let (quitter, waiter, main) = (Thread::new(table, 1), Thread::new(table, 2), Thread::new(table, 3));
    let o = &Object::default();
    let gone = AtomicBool::new(false);
    let is_asleep = || {
        while !quitter.is_asleep() && !gone.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
        !gone.load(Ordering::SeqCst)
    };
    let met = std::thread::scope(|s| {
        s.spawn(|| {
            enter(&quitter, &o);
            assert_eq!(wait(&quitter, &o, Some(millis * 1_000_000)), Ok(WaitOutcome::TimedOut));
            quitter.exit(o).expect("owner");
            gone.store(true, Ordering::SeqCst);
        });
        let mut met = is_asleep();
        s.spawn(|| {
            enter(&waiter, &o);
            assert_eq!(wait(&waiter, &o, None), Ok(WaitOutcome::Notified));
            waiter.exit(o).expect("owner");
        });
        waiter.await_asleep();
        enter(&main, &o);
        // The quitter's time runs out while it still heads the wait set.
        while quitter.sleeping.load(Ordering::SeqCst) == 3 {
            std::thread::yield_now();
        }
        met &= is_asleep();
        main.monitors.notify(&o.word).expect("owner");
        main.exit(o).expect("owner");
        met
    });
    verify(table, &[&quitter, &waiter, &main]);
    met
}
