//! What becomes of records when threads end, objects move or die, and threads are suspended.
use super::*;

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
