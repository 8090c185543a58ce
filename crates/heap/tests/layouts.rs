//! Address layouts, large objects, memory that goes back, long lists; each test has a process of its own.
mod harness;
use concord_contract::Obj;
use concord_heap::*;
use harness::trees::*;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;

#[test]
fn large_objects_and_large_instances_are_scanned() {
    in_child("large_objects_and_large_instances_are_scanned", || {
        let (c, m) = start(small(64 * MB));
        let a = m.push(m.array(c.refs, 100_000));
        for i in 0..100_000 {
            let l = m.instance(if i % 100 == 0 { c.large } else { c.node });
            store_ref(m.get(a), 12 + 4 * i, l);
            if i % 100 == 0 {
                let l = m.push(l);
                let n = m.instance(c.node);
                n.put_u64(VALUE, i as u64);
                store_ref(m.get(l), LARGE_REF, n);
                m.pop_to(l);
            }
        }
        m.gc();
        for i in (0..100_000).step_by(100) {
            assert_eq!(m.get(a).array_ref(i).get_ref(LARGE_REF).get_u64(VALUE), i as u64);
        }
        let ones = m.push(m.array(c.longs, 300_000));
        let payload = m.get(ones).at::<u64>(16) as usize;
        assert_eq!(payload % 8, 0);
        // SAFETY: the payload of the array above.
        assert!(unsafe { std::slice::from_raw_parts(payload as *const u64, 300_000) }.iter().all(|x| *x == 0));
    });
}

/// Every address layout: objects and large objects within reach, collected and intact.
fn layout_works(test: &str, max: usize) {
    in_child(test, || {
        let (c, m) = start(HeapOptions { nursery: None, ..small(max) });
        assert_eq!(max_memory(), max);
        let big = m.push(m.array(c.refs, 3 * MB));
        let t = tree(&m, c, 12);
        store_ref(m.get(big), 12 + 4 * 2_000_000, t);
        let longs = m.push(m.array(c.longs, 4 * MB));
        m.get(longs).put_u64(16 + 8 * (4 * MB - 1), 7);
        m.gc();
        assert_eq!(check_tree(m.get(big).array_ref(2_000_000), 12), (2 << 12) - 1);
        assert_eq!(m.get(longs).get_u64(16 + 8 * (4 * MB - 1)), 7);
        assert!(total_memory() <= max && free_memory() < total_memory());
        churn(&m, c, 10, 10, 4);
    });
}
#[test]
fn layout_up_to_1g() {
    layout_works("layout_up_to_1g", 1024 * MB);
}
#[test]
fn layout_up_to_2g() {
    layout_works("layout_up_to_2g", 2048 * MB);
}
#[test]
fn layout_up_to_4g() {
    layout_works("layout_up_to_4g", 4096 * MB);
}
#[test]
fn layout_above_4g() {
    layout_works("layout_above_4g", 6000 * MB);
}

#[test]
fn huge_copies_let_others_stop_the_world() {
    in_child("huge_copies_let_others_stop_the_world", || {
        let (c, m) = start(HeapOptions { nursery: None, ..small(256 * MB) });
        const N: usize = 4 * MB;
        let a = m.push(m.array(c.longs, N + 8));
        let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let other = {
            let done = done.clone();
            std::thread::spawn(move || {
                let m = Mutator::attach();
                while !done.load(SeqCst) {
                    m.gc();
                }
                m.detach();
            })
        };
        for i in 0..N + 8 {
            m.get(a).put_u64(16 + 8 * i, i as u64);
        }
        let before = WORLD.collections.load(SeqCst);
        for round in 0..1000 {
            if round >= 10 && WORLD.collections.load(SeqCst) > before {
                break;
            }
            // Up by one and down again: the one overlaps downwards, the other upwards.
            copy_payload(m.get(a), 16, m.get(a), 24, N, 3);
            let o = m.get(a);
            assert!((1..=N).step_by(1009).all(|i| o.get_u64(16 + 8 * i) == i as u64 - 1), "round {round}");
            copy_payload(m.get(a), 24, m.get(a), 16, N, 3);
            let o = m.get(a);
            assert!((0..N).step_by(1013).all(|i| o.get_u64(16 + 8 * i) == i as u64), "round {round}");
        }
        assert!(WORLD.collections.load(SeqCst) > before, "no collection during the copies");
        done.store(true, SeqCst);
        concord_safepoint::blocked(|| other.join().unwrap());
    });
}

fn resident_mb() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096 / MB
}

#[test]
fn free_memory_goes_back_and_comes_again() {
    in_child("free_memory_goes_back_and_comes_again", || {
        let (c, m) = start(HeapOptions { nursery: None, ..small(512 * MB) });
        let keep = m.push(tree(&m, c, 8));
        #[inline(never)]
        fn use_much(m: &Mutator, c: &Classes) {
            let t = m.push(tree(m, c, 20));
            let a = m.push(m.array(c.longs, 10 * MB));
            for i in 0..10 * MB {
                m.get(a).put_u64(16 + 8 * i, i as u64);
            }
            assert_eq!(m.get(t).get_u64(VALUE), 20);
            m.pop_to(t);
        }
        for _ in 0..3 {
            use_much(&m, c);
            let before = resident_mb();
            assert!(before > 120, "only {before} MB resident");
            clear_stack();
            m.gc();
            let after = resident_mb();
            assert!(after < 50, "{after} of {before} MB resident after everything died");
            assert_eq!(check_tree(m.get(keep), 8), 511);
            churn(&m, c, 10, 10, 4);
        }
    });
}

#[test]
fn long_lists_are_followed_in_one_step() {
    in_child("long_lists_are_followed_in_one_step", || {
        let (c, m) = start(small(64 * MB));
        let head = m.push(Obj::NULL);
        for i in 0..500_000 {
            let n = m.instance(c.link);
            n.put_u32(NUMBER, i);
            store_ref(n, NEXT, m.get(head));
            m.set(head, n);
        }
        m.gc();
        let (mut p, mut n) = (m.get(head), 500_000u32);
        while !p.is_null() {
            n -= 1;
            assert_eq!(p.get_u32(NUMBER), n);
            p = p.get_ref(NEXT);
        }
        assert_eq!(n, 0);
    });
}

/// Large objects whose pages are not full: nothing that a collection could mend, so none is repeated for it.
#[test]
fn the_ends_of_large_objects_are_no_gaps() {
    in_child("the_ends_of_large_objects_are_no_gaps", || {
        let (c, m) = start(HeapOptions { nursery: Some(8 * MB), zeal: Zeal::default(), ..small(128 * MB) });
        // Free is less than two nurseries, so that an early full collection would seem to be due all the time.
        const N: usize = 5640;
        let (lower, upper) = (m.push(m.array(c.refs, N / 2)), m.push(m.array(c.refs, N / 2)));
        for half in [lower, upper] {
            for i in 0..N / 2 {
                let large = m.array(c.bytes, 16384);
                store_ref(m.get(half), 12 + 4 * i, large);
            }
        }
        m.gc();
        let full = WORLD.full.load(SeqCst);
        let collections = WORLD.collections.load(SeqCst);
        for _ in 0..100_000 {
            m.array(c.bytes, 2000);
        }
        let young = WORLD.collections.load(SeqCst) - collections;
        assert!(
            young > 20 && WORLD.full.load(SeqCst) < full + 10,
            "{} of {young} were full",
            WORLD.full.load(SeqCst) - full
        );
    });
}
