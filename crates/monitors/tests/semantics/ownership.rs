//! Who owns a monitor, how often, and what becomes of the word when nobody does.
use super::*;

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
