//! What young collections know of stores into old objects; each test has a process of its own.
mod harness;
use concord_contract::Obj;
use concord_heap::*;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;

#[test]
fn stores_into_large_old_arrays_are_remembered() {
    in_child("stores_into_large_old_arrays_are_remembered", || {
        let (c, m) = start(small(64 * MB));
        const N: usize = 500_000;
        let a = m.push(m.array(c.refs, N));
        let b = m.push(m.array(c.refs, N));
        let mut model = vec![0u64; N];
        m.gc();
        let mut r = Random(3);
        let mut next = 1;
        for round in 0..30 {
            for _ in 0..50 {
                // The edges are where a card holds a header, or ends with the array.
                let i = match r.next() % 10 {
                    0 => 0,
                    1 => N - 1,
                    _ => r.next() as usize % N,
                };
                let n = m.instance(c.node);
                n.put_u64(VALUE, next);
                let at = 12 + 4 * i;
                match r.next() % 3 {
                    0 => store_ref(m.get(a), at, n),
                    1 => assert_eq!(swap_ref(m.get(a), at, n).is_null(), model[i] == 0),
                    _ => {
                        let old = m.get(a).array_ref(i);
                        assert_eq!(cas_ref(m.get(a), at, old, n), Ok(old));
                    }
                }
                model[i] = next;
                next += 1;
            }
            m.get(a).lock_word().store(0x1234_5670 + round, SeqCst);
            let (from, n) = (r.next() as usize % (N / 2), r.next() as usize % (N / 2));
            array_copy_refs(m.get(a), from, m.get(b), from, n);
            let collections = WORLD.collections.load(SeqCst);
            while WORLD.collections.load(SeqCst) == collections {
                m.array(c.bytes, 2000);
            }
            for i in 0..n {
                assert_eq!(m.get(b).array_ref(from + i), m.get(a).array_ref(from + i));
            }
            for (i, value) in model.iter().enumerate() {
                let o = m.get(a).array_ref(i);
                assert_eq!(if o.is_null() { 0 } else { o.get_u64(VALUE) }, *value, "element {i}");
            }
            assert_eq!(m.get(a).lock_word().load(SeqCst), 0x1234_5670 + round);
        }
        assert!(WORLD.collections.load(SeqCst) > WORLD.full.load(SeqCst) + 20);
    });
}

/// Old nodes whose only references to young ones were stored by two threads, one of which has ended; more than one buffer of
/// each. The second round finds the nodes unlogged again.
fn old_nodes_keep_young_ones(test: &str, workers: usize) {
    const ARRAYS: usize = 4;
    const N: usize = 4000;
    in_child(test, || {
        let (c, m) = start(HeapOptions { workers: Some(workers), ..small(64 * MB) });
        let arrays = m.push(m.array(c.refs, ARRAYS));
        for a in 0..ARRAYS {
            let array = m.push(m.array(c.refs, N));
            store_ref(m.get(arrays), 12 + 4 * a, m.get(array));
            for i in 0..N {
                let n = m.instance(c.node);
                store_ref(m.get(array), 12 + 4 * i, n);
            }
            m.pop_to(array);
        }
        m.gc();
        for round in 0..3u64 {
            // Of each two neighbours in a line one is written by this thread, one by the other.
            let write = move |m: &Mutator, arrays: Local, parity: usize| {
                for a in 0..ARRAYS {
                    for i in (parity..N).step_by(2) {
                        let young = m.instance(c.node);
                        young.put_u64(VALUE, round << 32 | (a * N + i) as u64);
                        store_ref(m.get(arrays).array_ref(a).array_ref(i), RIGHT, young);
                    }
                }
            };
            WORLD.globals.lock().unwrap().push((m.get(arrays).addr() as u64).into());
            let other = std::thread::spawn(move || {
                let m = Mutator::attach();
                let root = WORLD.globals.lock().unwrap()[0].load(SeqCst);
                // SAFETY: a root of the world's, updated by the collector.
                let arrays = m.push(unsafe { Obj::from_addr(root as usize) });
                write(&m, arrays, 1);
                m.detach();
            });
            concord_safepoint::blocked(|| other.join().unwrap());
            WORLD.globals.lock().unwrap().clear();
            write(&m, arrays, 0);
            let (collections, full) = (WORLD.collections.load(SeqCst), WORLD.full.load(SeqCst));
            while WORLD.collections.load(SeqCst) == collections {
                m.array(c.bytes, 2000);
            }
            assert_eq!(WORLD.full.load(SeqCst), full, "a young collection was meant");
            for a in 0..ARRAYS {
                for i in 0..N {
                    let young = m.get(arrays).array_ref(a).array_ref(i).get_ref(RIGHT);
                    assert_eq!(young.get_u64(VALUE), round << 32 | (a * N + i) as u64);
                }
            }
        }
    });
}
#[test]
fn old_nodes_keep_young_ones_with_one_worker() {
    old_nodes_keep_young_ones("old_nodes_keep_young_ones_with_one_worker", 1);
}
#[test]
fn old_nodes_keep_young_ones_with_two_workers() {
    old_nodes_keep_young_ones("old_nodes_keep_young_ones_with_two_workers", 2);
}

/// An object that a native frame names stays young for many collections, and old ones with many references to it are remembered
/// for each: once, not once more for each reference, and each collection.
#[test]
fn old_objects_name_what_stays_young() {
    in_child("old_objects_name_what_stays_young", || {
        let (c, m) = start(small(64 * MB));
        let holders = [20, 100_000].map(|n| {
            let a = m.push(m.array(c.refs, n));
            let b = m.push(m.instance(c.node));
            (a, b, n)
        });
        m.gc();
        let held = std::hint::black_box(m.instance(c.node));
        held.put_u64(VALUE, 77);
        for (a, b, n) in holders {
            (0..n).for_each(|i| store_ref(m.get(a), 12 + 4 * i, held));
            store_ref(m.get(b), LEFT, held);
            store_ref(m.get(b), RIGHT, held);
        }
        for round in 0..40 {
            let collections = WORLD.collections.load(SeqCst);
            if round % 10 == 9 {
                m.gc();
            }
            while WORLD.collections.load(SeqCst) == collections {
                // Arrays that fill several chunks of eden, one of them, and less.
                m.array(c.bytes, 100_000);
                m.array(c.bytes, 30_000);
                m.array(c.bytes, 2000);
            }
            for (a, b, n) in holders {
                assert!((0..n).all(|i| m.get(a).array_ref(i) == held));
                assert_eq!((m.get(b).get_ref(LEFT), m.get(b).get_ref(RIGHT)), (held, held));
            }
            assert_eq!((held.class(), held.get_u64(VALUE)), (c.node, 77));
        }
        assert!(is_young(held.addr()));
        std::hint::black_box(held);
    });
}
