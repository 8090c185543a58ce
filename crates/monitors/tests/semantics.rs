//! What the operations promise, one by one (JLS 17.1, 17.2; JVMS 6.5 monitorenter/monitorexit).
#![cfg(not(any(loom, shuttle)))]

mod support;

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

/// The record where the exit looks first may be another thread's by now, which is trying it on the
/// same object: then the word says which record it is, and at which depth.
#[test]
fn a_record_that_another_thread_tries_is_not_the_objects() {
    both_kinds(|table| {
        let (me, waiter) = (Thread::new(&table, 1), Thread::new(&table, 2));
        let o = Object::default();
        enter(&me, &&Object::default());
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&waiter, &&o);
                wait(&waiter, &&o, Some(5_000_000_000)).expect("owner");
                waiter.exit(&o).expect("owner");
            });
            waiter.await_asleep();
            enter(&me, &&o);
            enter(&me, &&o);
            let field = |of: usize, at: usize| (of + at) as *mut u64;
            let state = std::ptr::from_ref(&me.monitors) as usize;
            // SAFETY: published offsets; the record is on nobody's list and its object is gone.
            unsafe {
                let base = field(state, thread_offset::BASE).read() as usize;
                let last = base + field(state, thread_offset::LAST).cast::<u32>().read() as usize;
                field(last, record_offset::OBJ).write(std::ptr::from_ref(&o) as u64);
                field(last, record_offset::OWNER).write(field(state, thread_offset::OWNER).read() + 4);
            }
            me.exit(&o).expect("owner");
            assert_eq!(me.monitors.depth(&o.word), 1);
            me.monitors.notify(&o.word).expect("owner");
            me.exit(&o).expect("owner");
        });
    });
}

#[test]
fn monitors_are_left_in_any_order_and_only_those() {
    both_kinds(|table| {
        let t = Thread::new(&table, 1);
        let (a, b, c) = (Object::default(), Object::default(), Object::default());
        for last_first in [true, false] {
            enter(&t, &&a);
            enter(&t, &&b);
            let (first, second) = if last_first { (&b, &a) } else { (&a, &b) };
            assert_eq!(t.exit(&c), Err(IllegalMonitorState));
            t.exit(first).expect("owner");
            assert_eq!(t.exit(first), Err(IllegalMonitorState));
            assert!(t.monitors.is_owner(&second.word) && !t.monitors.is_owner(&first.word));
            t.exit(second).expect("owner");
            assert_eq!(t.exit(second), Err(IllegalMonitorState));
        }
        assert!(!raw(&a).is_monitor() && !raw(&b).is_monitor());
        verify(&table, &[&t]);
    });
}

#[test]
fn lock_and_unlock_leave_a_hash_and_no_record() {
    both_kinds(|table| {
        let t = Thread::new(&table, 1);
        let o = &Object::default();
        enter(&t, &o);
        assert!(raw(o).is_monitor() && t.monitors.is_owner(&o.word));
        let hash = t.monitors.hash_code(&o.word).expect("a hash while locked");
        t.exit(o).expect("owner");
        assert!(!t.monitors.is_owner(&o.word));
        assert_eq!(raw(o), LockWord::hash(hash, false));
        assert_eq!(t.monitors.hash_code(&o.word), Some(hash));
        verify(&table, &[&t]);
    });
}

#[test]
fn a_hash_taken_before_is_the_hash_during_and_after() {
    both_kinds(|table| {
        let t = Thread::new(&table, 1);
        let o = &Object::default();
        let hash = t.monitors.hash_code(&o.word);
        assert!(hash.is_some_and(|h| h != 0));
        enter(&t, &o);
        assert_eq!(t.monitors.hash_code(&o.word), hash);
        t.exit(o).expect("owner");
        assert_eq!(t.monitors.hash_code(&o.word), hash);
    });
}

#[test]
fn who_does_not_own_may_not_exit_wait_or_notify() {
    both_kinds(|table| {
        let (owner, other) = (Thread::new(&table, 1), Thread::new(&table, 2));
        let objects = [Object::new(0), Object::new(LockWord::hash(9, false).0), Object::default()];
        enter(&owner, &&objects[2]);
        for o in &objects {
            assert_eq!(other.exit(o), Err(IllegalMonitorState));
            assert_eq!(other.monitors.notify(&o.word), Err(IllegalMonitorState));
            assert_eq!(other.monitors.notify_all(&o.word), Err(IllegalMonitorState));
            // Not the owner comes before interrupted.
            other.interrupted.store(true, Ordering::SeqCst);
            assert_eq!(wait(&other, &o, Some(1)), Err(IllegalMonitorState));
            assert!(other.interrupted.load(Ordering::SeqCst));
            assert_eq!(other.monitors.depth(&o.word), 0);
        }
        owner.exit(&objects[2]).expect("owner");
        assert_eq!(owner.exit(&objects[2]), Err(IllegalMonitorState));
    });
}

#[test]
fn nesting_goes_beyond_sixteen_bits_and_survives_wait() {
    both_kinds(|table| {
        let t = Thread::new(&table, 1);
        let o = &Object::default();
        let depth = (1 << 16) + 5;
        for _ in 0..depth {
            enter(&t, &o);
        }
        assert_eq!(t.monitors.depth(&o.word), depth);
        assert_eq!(wait(&t, &o, Some(1_000_000)), Ok(WaitOutcome::TimedOut));
        assert_eq!(t.monitors.depth(&o.word), depth);
        for left in (0..depth).rev() {
            t.exit(o).expect("owner");
            assert_eq!(t.monitors.depth(&o.word), left);
        }
        quiet_down(&t, o);
    });
}

#[test]
fn a_second_thread_sleeps_until_the_exit() {
    both_kinds(|table| {
        let (a, b) = (Thread::new(&table, 1), Thread::new(&table, 2));
        let o = &Object::default();
        enter(&a, &o);
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&b, &o);
                assert!(b.monitors.is_owner(&o.word));
                b.exit(o).expect("owner");
            });
            b.await_asleep();
            assert_eq!(b.sleeping.load(Ordering::SeqCst), 1);
            // SAFETY: the only other thread sleeps.
            let stop = unsafe { table.at_stop() };
            let (what, monitor) = stop.blocked_on(&b.monitors).expect("b is blocked");
            let address = std::ptr::from_ref(o) as u64;
            assert_eq!(what, BlockedOn::Entering(address));
            assert_eq!((monitor.owner(), monitor.depth(), monitor.queued()), (Some(1), 1, vec![2]));
            assert!(monitor.is_strong());
            verify(&table, &[&a, &b]);
            a.exit(o).expect("owner");
        });
        assert_eq!(b.contended.get(), 1);
        verify(&table, &[&a, &b]);
    });
}

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

#[test]
fn a_local_object_keeps_its_bit_until_it_is_published() {
    both_kinds(|table| {
        let t = Thread::new(&table, 1);
        for start in [LOCAL, LockWord::hash(77, true).0] {
            let o = &Object::new(start);
            enter(&t, &o);
            assert!(raw(o).is_monitor() && raw(o).is_local());
            t.exit(o).expect("owner");
            assert!(!raw(o).is_monitor() && raw(o).is_local(), "{}", raw(o));
            // Published while locked: the exit must not bring the bit back.
            enter(&t, &o);
            table.publish(&o.word);
            assert!(raw(o).is_monitor() && !raw(o).is_local());
            verify(&table, &[&t]);
            t.exit(o).expect("owner");
            assert!(!raw(o).is_local(), "{}", raw(o));
            let o = &Object::new(start);
            table.publish(&o.word);
            assert_eq!(raw(o).0, start & !LOCAL);
        }
    });
}

#[test]
fn a_token_word_has_no_hash_here() {
    let table = table_with(Options { records: 1 << 16, ..Options::default() });
    let t = Thread::new(&table, 1);
    assert_eq!(t.monitors.hash_code(&Object::new(3 << 3 | 3).word), None);
    assert_eq!(t.exit(&Object::new(3)), Err(IllegalMonitorState));
}

#[test]
fn a_thread_that_ends_leaves_what_it_holds() {
    both_kinds(|table| {
        let (t, next) = (Thread::new(&table, 1), Thread::new(&table, 2));
        let objects: Vec<_> = (0..20).map(|_| Object::default()).collect();
        for o in &objects {
            enter(&t, &o);
            enter(&t, &o);
        }
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&next, &&objects[7]);
                next.exit(&objects[7]).expect("owner");
            });
            next.await_asleep();
            // SAFETY: all objects are `Object`s.
            assert_eq!(unsafe { t.monitors.release_all(word_of) }, 20);
        });
        for o in &objects {
            assert!(!t.monitors.is_owner(&o.word));
            enter(&next, &o);
            next.exit(o).expect("owner");
        }
        // SAFETY: as above.
        assert_eq!(unsafe { t.monitors.release_all(word_of) }, 0);
    });
}

#[test]
fn an_object_may_move_while_threads_sleep_for_it() {
    both_kinds(|table| {
        let (main, enterer, waiter) = (Thread::new(&table, 1), Thread::new(&table, 2), Thread::new(&table, 3));
        let h = &Handle::new(4);
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&waiter, &h);
                assert_eq!(wait(&waiter, &h, None), Ok(WaitOutcome::Notified));
                waiter.exit(h.object()).expect("owner");
            });
            waiter.await_asleep();
            enter(&main, &h);
            s.spawn(|| {
                enter(&enterer, &h);
                enterer.monitors.notify(&h.object().word).expect("owner");
                enterer.exit(h.object()).expect("owner");
            });
            enterer.await_asleep();
            for _ in 0..3 {
                let to = h.relocate();
                let mut seen = 0;
                // SAFETY: the other threads sleep; the object has moved to `to`.
                unsafe {
                    table.at_stop().sweep(
                        |m| {
                            seen += 1;
                            assert!(m.is_strong() && m.waiting() == [3] && m.queued() == [2]);
                            Verdict::Alive(to)
                        },
                        word_of,
                    );
                }
                assert_eq!(seen, 1);
            }
            verify(&table, &[&main, &enterer, &waiter]);
            main.exit(h.object()).expect("owner");
        });
        assert_eq!(h.at.load(Ordering::SeqCst), 3);
    });
}

#[test]
fn a_collection_takes_idle_records_off_and_frees_those_of_the_dead() {
    let table = table_with(Options { records: 1 << 16, sticky: true, sticky_exits: 255, ..Options::default() });
    let (a, b) = (Thread::new(&table, 1), Thread::new(&table, 2));
    let (living, dying) = (&Object::default(), &Object::default());
    let mut hashes = Vec::new();
    for o in [living, dying] {
        enter(&a, &o);
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&b, &o);
                b.exit(o).expect("owner");
            });
            b.await_asleep();
            hashes.push(a.monitors.hash_code(&o.word));
            a.exit(o).expect("owner");
        });
        assert!(raw(o).is_monitor(), "sticky after contention");
    }
    let dead = std::ptr::from_ref(dying) as u64;
    // SAFETY: no thread runs in the room.
    unsafe {
        table.at_stop().sweep(
            |m| {
                assert!(!m.is_strong());
                if m.object() == dead { Verdict::Dead } else { Verdict::Alive(m.object()) }
            },
            word_of,
        );
    }
    assert_eq!(raw(living), LockWord::hash(hashes[0].expect("a hash"), false));
    assert_eq!(table.deflated_at_stops(), 1);
    // SAFETY: no thread runs in the room.
    unsafe { table.at_stop().for_each_attached(|m| panic!("{m} is still attached")) };
    verify(&table, &[&a, &b]);
}

const MILLION_RECORDS: u32 = 1 << 21;

#[test]
fn a_million_monitors_leave_little_memory_behind() {
    let table = table_with(Options { records: MILLION_RECORDS, ..Options::default() });
    let t = Thread::new(&table, 1);
    let objects: Vec<_> = (0..1_000_000).map(|_| Object::default()).collect();
    for o in &objects {
        enter(&t, &o);
    }
    assert!(table.bytes_in_use() >= 64_000_000);
    for o in &objects {
        t.exit(o).expect("owner");
    }
    assert!(resident_kib(&table) >= 60_000);
    // SAFETY: no other thread.
    let given_back = unsafe { table.at_stop().trim(|| [&t.monitors]) };
    assert!(given_back >= 60_000_000, "{given_back} bytes");
    assert!(resident_kib(&table) <= 64, "{} KiB are resident", resident_kib(&table));
    assert!(table.bytes_in_use() <= 64 << 10, "{} bytes", table.bytes_in_use());
    // And the table still works.
    let again = &objects[123];
    enter(&t, &again);
    t.exit(again).expect("owner");
    verify(&table, &[&t]);
}

/// Resident record memory, by the kernel's own account of the pages.
fn resident_kib(table: &MonitorTable) -> usize {
    let bytes = MILLION_RECORDS as usize * 64;
    let mut pages = vec![0u8; bytes / 4096];
    // SAFETY: the range is the table's mapping, and `pages` has a byte for each of its pages.
    let failed = unsafe { libc::mincore(table.base_address() as *mut _, bytes, pages.as_mut_ptr()) };
    assert_eq!(failed, 0);
    pages.iter().filter(|&&p| p & 1 != 0).count() * 4
}

#[test]
fn a_suspended_thread_neither_keeps_the_monitor_nor_the_baton() {
    both_kinds(|table| {
        let (main, slow, quick) = (Thread::new(&table, 1), Thread::new(&table, 2), Thread::new(&table, 3));
        let o = &Object::default();
        enter(&main, &o);
        std::thread::scope(|s| {
            for t in [&slow, &quick] {
                s.spawn(|| {
                    enter(t, &o);
                    t.exit(o).expect("owner");
                });
                t.await_asleep();
            }
            // The first in the queue is suspended: the exit wakes it, and it must pass that on.
            slow.suspend.store(true, Ordering::SeqCst);
            main.exit(o).expect("owner");
            while !slow.suspended.load(Ordering::SeqCst) || quick.is_asleep() {
                std::thread::yield_now();
            }
            enter(&main, &o);
            main.exit(o).expect("owner");
            slow.suspend.store(false, Ordering::SeqCst);
        });
        verify(&table, &[&main, &slow, &quick]);
    });
}

#[test]
fn a_record_of_another_object_that_compiled_code_took_is_given_back_and_who_queues_is_woken() {
    both_kinds(|table| {
        let (me, waiter, enterer) = (Thread::new(&table, 1), Thread::new(&table, 2), Thread::new(&table, 3));
        let (o, mine) = (&Object::default(), &Object::default());
        std::thread::scope(|s| {
            s.spawn(|| {
                enter(&waiter, &o);
                assert_eq!(wait(&waiter, &o, None), Ok(WaitOutcome::Notified));
                waiter.exit(o).expect("owner");
            });
            waiter.await_asleep();
            support::inline::take_stale(&me.monitors, o);
            s.spawn(|| {
                enter(&enterer, &o);
                enterer.monitors.notify(&o.word).expect("owner");
                enterer.exit(o).expect("owner");
            });
            enterer.await_asleep();
            me.monitors.leave_missed();
            enter(&me, &mine);
            me.exit(mine).expect("owner");
        });
        verify(&table, &[&me, &waiter, &enterer]);
    });
}
