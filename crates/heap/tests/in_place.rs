//! Collections of the full heap that move nothing; each test has a process of its own.
//!
//! The heap is verified after each collection: every reference leads to an object that lives, dead large objects included.
mod harness;
use concord_contract::Obj;
use concord_heap::*;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;

/// Entries of a table whose nodes and arrays are replaced at random.
const ENTRIES: usize = 60_000;

/// A node with a value and an array of `bytes` bytes that tells it.
#[inline(never)]
fn entry(m: &Mutator, c: &Classes, value: u64, bytes: usize) -> Obj {
    let a = m.array(c.bytes, bytes);
    a.put_u8(16, value as u8);
    let a = m.push(a);
    let n = m.instance(c.node);
    n.put_u64(VALUE, value);
    store_ref(n, LEFT, m.get(a));
    m.pop_to(a);
    n
}

fn check(n: Obj, value: u64) {
    assert_eq!(n.get_u64(VALUE), value);
    assert_eq!(n.get_ref(LEFT).get_u8(16), value as u8);
}

/// A table with an entry in each slot.
#[inline(never)]
fn table(m: &Mutator, c: &Classes, bytes: usize) -> Local {
    let table = m.push(m.array(c.refs, ENTRIES));
    for i in 0..ENTRIES {
        store_ref(m.get(table), 12 + 4 * i, entry(m, c, i as u64, bytes));
    }
    table
}

/// Replaces entries at random, the first hundred excepted, until there have been `n` more full collections.
#[inline(never)]
fn replace(m: &Mutator, c: &Classes, table: Local, r: &mut Random, n: usize, bytes: impl Fn(&mut Random) -> usize) {
    let stop = WORLD.full.load(SeqCst) + n;
    for _ in 0..200 * ENTRIES {
        let i = 100 + r.next() as usize % (ENTRIES - 100);
        let e = entry(m, c, i as u64, bytes(r));
        store_ref(m.get(table), 12 + 4 * i, e);
        if WORLD.full.load(SeqCst) >= stop {
            return;
        }
    }
    panic!("no full collection");
}

fn check_all(m: &Mutator, table: Local) {
    (0..ENTRIES).for_each(|i| check(m.get(table).array_ref(i), i as u64));
}

#[inline(never)]
fn addresses(m: &Mutator, table: Local) -> Vec<usize> {
    (0..100).map(|i| !m.get(table).array_ref(i).addr()).collect()
}

#[test]
fn what_dies_at_random_makes_room_where_it_lay() {
    in_child("what_dies_at_random_makes_room_where_it_lay", || {
        let (c, m) = start(small(16 * MB));
        let mut r = Random(1);
        let t = table(&m, c, 64);
        replace(&m, c, t, &mut r, 1, |_| 64);
        // As the bits of what they are: no frame is to hold them.
        let before = addresses(&m, t);
        clear_stack();
        replace(&m, c, t, &mut r, 6, |_| 64);
        check_all(&m, t);
        assert_eq!(before, addresses(&m, t), "old objects have moved");
    });
}

#[test]
fn objects_of_all_sizes_share_gaps() {
    in_child("objects_of_all_sizes_share_gaps", || {
        let (c, m) = start(small(32 * MB));
        let mut r = Random(2);
        let t = table(&m, c, 100);
        for most in [30, 900, 200, 5000, 60] {
            replace(&m, c, t, &mut r, 2, |r| if r.next().is_multiple_of(8) { 1 + r.next() as usize % most } else { 8 });
            check_all(&m, t);
        }
    });
}

#[test]
fn references_are_cleared_and_their_referents_kept() {
    in_child("references_are_cleared_and_their_referents_kept", || {
        let (c, m) = start(small(16 * MB));
        let mut r = Random(3);
        let t = table(&m, c, 64);
        #[inline(never)]
        fn reference(m: &Mutator, class: concord_contract::class::ClassRef, referent: Local) -> Local {
            let r = m.instance(class);
            store_ref(r, REFERENCE.referent, m.get(referent));
            m.push(r)
        }
        let kept = m.push(m.instance(c.node));
        let held = reference(&m, c.weak, kept);
        let dead = m.push(entry(&m, c, 7, 100));
        let all: Vec<_> = [c.weak, c.phantom, c.final_].into_iter().map(|class| reference(&m, class, dead)).collect();
        // They are old, and their referents, too, before the last strong one goes.
        m.gc();
        m.set(dead, Obj::NULL);
        clear_stack();
        replace(&m, c, t, &mut r, 1, |_| 64);
        let referent = |l: Local| m.get(l).get_ref(REFERENCE.referent);
        assert_eq!(referent(held), m.get(kept));
        assert!(referent(all[0]).is_null(), "weak");
        assert_eq!(referent(all[2]).get_u64(VALUE), 7, "final, kept for its finalizer");
        // A phantom reference waits until finalizers have run.
        assert_eq!(referent(all[1]), referent(all[2]));
        check(referent(all[2]), 7);
        check_all(&m, t);
    });
}

#[test]
fn dead_large_arrays_name_nothing() {
    in_child("dead_large_arrays_name_nothing", || {
        let (c, m) = start(small(32 * MB));
        let mut r = Random(4);
        let t = table(&m, c, 64);
        for _ in 0..4 {
            #[inline(never)]
            fn dies(m: &Mutator, c: &Classes) {
                // So large that it is born old.
                let large = m.push(m.array(c.refs, 300_000));
                for i in 0..30_000 {
                    store_ref(m.get(large), 12 + 40 * i, entry(m, c, i as u64, 40));
                }
                m.pop_to(large);
            }
            dies(&m, c);
            clear_stack();
            replace(&m, c, t, &mut r, 1, |_| 64);
        }
        check_all(&m, t);
    });
}

#[test]
fn what_native_frames_name_lives_and_what_stays_in_eden_is_remembered() {
    in_child("what_native_frames_name_lives_and_what_stays_in_eden_is_remembered", || {
        let (c, m) = start(small(16 * MB));
        let mut r = Random(5);
        let t = table(&m, c, 64);
        // Named by this frame alone, and by an old object.
        let n = std::hint::black_box(entry(&m, c, 9, 50));
        store_ref(m.get(t), 12, n);
        let inner = std::hint::black_box(n.get_ref(LEFT).addr() + 20);
        let young = std::hint::black_box(entry(&m, c, 8, 50));
        let grown_old = m.push(entry(&m, c, 6, 50));
        replace(&m, c, t, &mut r, 1, |_| 64);
        // From here on this frame alone names it.
        let old = std::hint::black_box(m.get(grown_old));
        m.set(grown_old, Obj::NULL);
        replace(&m, c, t, &mut r, 3, |_| 64);
        check(std::hint::black_box(old), 6);
        check(young, 8);
        check(m.get(t).array_ref(0), 9);
        assert_eq!(n, m.get(t).array_ref(0));
        assert_eq!(std::hint::black_box(inner), n.get_ref(LEFT).addr() + 20);
        store_ref(m.get(t), 12, entry(&m, c, 0, 64));
        check_all(&m, t);
    });
}

/// What grew old last dies, so the line in which the collector would go on is half a gap.
#[test]
fn no_allocator_goes_on_in_a_gap() {
    in_child("no_allocator_goes_on_in_a_gap", || {
        let (c, m) = start(small(16 * MB));
        let mut r = Random(6);
        let t = table(&m, c, 64);
        for _ in 0..5 {
            m.gc();
            #[inline(never)]
            fn grows_old(m: &Mutator, c: &Classes) {
                let held = m.push(m.array(c.refs, 36_000));
                for i in 0..36_000 {
                    store_ref(m.get(held), 12 + 4 * i, entry(m, c, i as u64, 64));
                }
                m.pop_to(held);
            }
            grows_old(&m, c);
            clear_stack();
            let full = WORLD.full.load(SeqCst);
            while WORLD.full.load(SeqCst) == full {
                m.array(c.bytes, 100);
            }
            // Small ones fill the gaps to the last, those of more than 512 bytes go where the collector goes on.
            for _ in 0..2 * ENTRIES {
                let i = 100 + r.next() as usize % (ENTRIES - 100);
                let e = entry(&m, c, i as u64, if r.next().is_multiple_of(64) { 700 } else { 64 });
                store_ref(m.get(t), 12 + 4 * i, e);
            }
            check_all(&m, t);
        }
    });
}
