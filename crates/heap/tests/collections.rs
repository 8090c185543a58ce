//! Collections with several plans, threads and zeal; each test has a process of its own.
mod harness;
use concord_contract::Obj;
use concord_heap::*;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;

/// A binary tree of depth `d` whose nodes carry their depth; precise roots only.
fn tree(m: &Mutator, c: &Classes, d: u64) -> Obj {
    let n = m.instance(c.node);
    n.put_u64(VALUE, d);
    if d == 0 {
        return n;
    }
    let l = m.push(n);
    let left = tree(m, c, d - 1);
    store_ref(m.get(l), LEFT, left);
    let right = tree(m, c, d - 1);
    store_ref(m.get(l), RIGHT, right);
    let n = m.get(l);
    m.pop_to(l);
    n
}
fn check_tree(n: Obj, d: u64) -> usize {
    assert_eq!(n.get_u64(VALUE), d);
    if d == 0 {
        assert!(n.get_ref(LEFT).is_null() && n.get_ref(RIGHT).is_null());
        return 1;
    }
    1 + check_tree(n.get_ref(LEFT), d - 1) + check_tree(n.get_ref(RIGHT), d - 1)
}

/// Trees and arrays that live and die, old objects that are written.
fn churn(m: &Mutator, c: &Classes, rounds: usize, depth: u64, seed: u64) {
    let mut r = Random(seed);
    let keep = m.push(m.array(c.refs, 64));
    let table = m.push(m.array(c.refs, 5000));
    for _ in 0..rounds {
        let t = tree(m, c, depth);
        store_ref(m.get(keep), 12 + 4 * (r.next() as usize % 64), t);
        for _ in 0..200 {
            let n = (r.next() % 600) as usize;
            let a = match r.next() % 4 {
                0 => m.array(c.bytes, n),
                1 => m.array(c.ints, n),
                2 => m.array(c.longs, n),
                _ => m.array(c.refs, n),
            };
            assert_eq!(a.array_len(), n);
            let node = m.push(m.instance(c.node));
            m.get(node).put_u64(VALUE, 77);
            let i = r.next() as usize % 5000;
            store_ref(m.get(table), 12 + 4 * i, m.get(node));
            m.pop_to(node);
        }
        m.poll();
    }
    for i in 0..64 {
        let t = m.get(keep).array_ref(i);
        if !t.is_null() {
            assert_eq!(check_tree(t, depth), (2 << depth) - 1);
        }
    }
    for i in 0..5000 {
        let n = m.get(table).array_ref(i);
        assert!(n.is_null() || n.get_u64(VALUE) == 77);
    }
    m.pop_to(keep);
}

#[test]
fn sticky_immix_keeps_what_is_reachable() {
    in_child("sticky_immix_keeps_what_is_reachable", || {
        let (c, m) = start(small(64 * MB));
        churn(&m, c, 150, 10, 1);
        let n = WORLD.collections.load(SeqCst);
        assert!(n > 5, "{n} collections");
        m.gc();
        assert!(WORLD.full.load(SeqCst) >= 1);
        clear_stack();
        m.gc();
        assert!(used_memory() < 8 * MB, "{} bytes in use after everything died", used_memory());
    });
}

#[test]
fn immix_keeps_what_is_reachable() {
    in_child("immix_keeps_what_is_reachable", || {
        let (c, m) = start(HeapOptions { plan: Plan::Immix, ..small(24 * MB) });
        churn(&m, c, 400, 10, 2);
        assert!(WORLD.full.load(SeqCst) > 1);
    });
}

#[test]
fn four_threads_allocate_and_stop() {
    in_child("four_threads_allocate_and_stop", || {
        let (c, m) = start(HeapOptions { workers: Some(2), ..small(96 * MB) });
        let threads: Vec<_> = (0..4)
            .map(|i| {
                std::thread::spawn(move || {
                    for round in 0..3 {
                        let m = Mutator::attach();
                        churn(&m, c, 25, 9, 10 + 7 * i + round);
                        m.detach();
                    }
                })
            })
            .collect();
        // The main thread sleeps outside the VM meanwhile and must not hold up any stop.
        concord_safepoint::blocked(|| threads.into_iter().for_each(|t| t.join().unwrap()));
        assert_eq!(concord_safepoint::number(), 1);
        m.gc();
        assert!(WORLD.collections.load(SeqCst) > 5);
    });
}

#[test]
fn zeal_collects_at_every_allocation() {
    in_child("zeal_collects_at_every_allocation", || {
        let mut o = small(32 * MB);
        o.zeal.alloc = Some(1);
        let (c, m) = start(o);
        let root = m.push(tree(&m, c, 6));
        assert_eq!(check_tree(m.get(root), 6), 127);
        let n = WORLD.collections.load(SeqCst);
        assert!(n >= 127, "{n} collections");
        let full = WORLD.full.load(SeqCst);
        assert!(full > 0 && full < n, "{full} full of {n}");
    });
}

#[test]
fn zeal_defrag_moves_everything_but_pinned_objects() {
    in_child("zeal_defrag_moves_everything_but_pinned_objects", || {
        let mut o = small(64 * MB);
        o.zeal.defrag = true;
        let (c, m) = start(o);
        let (all, seen) = fill(&m, c);
        let held = std::hint::black_box(m.get(all).array_ref(500));
        let pinned = m.get(all).array_ref(700);
        WORLD.pinned.lock().unwrap().push(pinned.addr() as u64);
        m.gc();
        let mut moved = 0;
        for (i, before) in seen.iter().enumerate() {
            let o = m.get(all).array_ref(i);
            assert_eq!(o.get_u64(VALUE), i as u64);
            moved += (o.addr() != before ^ MASK) as usize;
        }
        assert!(moved > 900, "{moved} of 1000 moved");
        assert_eq!(held, m.get(all).array_ref(500), "an object that a native frame names moved");
        assert_eq!(m.get(all).array_ref(700).addr() ^ MASK, seen[700], "a pinned object moved");
        // The caller's variable must live across the collection for the test to mean anything.
        std::hint::black_box(held);
    });
}

/// Hides addresses from the conservative scan.
const MASK: usize = 0xffff_0000_0000_0000;

#[inline(never)]
fn fill(m: &Mutator, c: &Classes) -> (Local, Vec<usize>) {
    let all = m.push(m.array(c.refs, 1000));
    let mut seen = Vec::new();
    for i in 0..1000 {
        let n = m.instance(c.node);
        n.put_u64(VALUE, i as u64);
        store_ref(m.get(all), 12 + 4 * i, n);
        seen.push(n.addr() ^ MASK);
    }
    (all, seen)
}

#[test]
fn native_frames_keep_young_objects_of_any_thread() {
    in_child("native_frames_keep_young_objects_of_any_thread", || {
        let (c, m) = start(small(32 * MB));
        // Objects that only this native frame names, reached through another thread's run.
        let (send, receive) = std::sync::mpsc::channel::<usize>();
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || {
            let m = Mutator::attach();
            for i in 0..100 {
                m.instance(c.node);
                let n = m.instance(c.node);
                n.put_u64(VALUE, i);
                send.send(n.addr()).unwrap();
                concord_safepoint::blocked(|| wait.recv().unwrap());
            }
            m.detach();
        });
        for i in 0..100 {
            // The sender's frame still names the object, and no collection runs before ours.
            let word = receive.recv().unwrap();
            // SAFETY: as said.
            let held = std::hint::black_box(unsafe { Obj::from_addr(word) });
            m.gc();
            // Were it dead, others would lie there now.
            let collections = WORLD.collections.load(SeqCst);
            while WORLD.collections.load(SeqCst) == collections {
                m.instance(c.node).put_u64(VALUE, u64::MAX);
            }
            assert_eq!(held.class(), c.node);
            assert_eq!(held.get_u64(VALUE), i);
            std::hint::black_box(held);
            go.send(()).unwrap();
        }
        concord_safepoint::blocked(|| other.join().unwrap());
    });
}

#[test]
fn exhaustion_is_an_error_and_not_the_end() {
    in_child("exhaustion_is_an_error_and_not_the_end", || {
        let (c, m) = start(HeapOptions { zeal: Zeal::default(), ..small(32 * MB) });
        // Frames of their own, so that no dead word of this one keeps anything.
        #[inline(never)]
        fn exhaust(m: &Mutator, c: &Classes) {
            let list = m.push(Obj::NULL);
            let mut n = 0;
            while let Some(o) = alloc_instance(m.th, c.node) {
                store_ref(o, LEFT, m.get(list));
                m.set(list, o);
                n += 1;
            }
            assert!(n * 24 > 26 * MB, "only {n} nodes of 24 bytes in 32 MB");
            m.pop_to(list);
        }
        #[inline(never)]
        fn large(m: &Mutator, c: &Classes) {
            assert_eq!(alloc_array(m.th, c.longs, 8 * MB), Err(AllocError::HeapSpace));
            assert_eq!(alloc_array(m.th, c.bytes, 0x7fff_fffe), Err(AllocError::ArrayTooLarge));
            assert_eq!(alloc_array(m.th, c.longs, 0x7fff_fffd), Err(AllocError::HeapSpace));
            let big = m.array(c.bytes, 12 * MB);
            assert_eq!(big.array_len(), 12 * MB);
        }
        for _ in 0..3 {
            exhaust(&m, c);
            clear_stack();
            large(&m, c);
            clear_stack();
        }
    });
}

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

#[test]
fn weak_words_are_cleared_or_updated() {
    in_child("weak_words_are_cleared_or_updated", || {
        let mut o = small(32 * MB);
        o.zeal.defrag = true;
        let (c, m) = start(o);
        let (all, _) = fill(&m, c);
        for i in 0..1000 {
            WORLD.weak.lock().unwrap().push((m.get(all).array_ref(i).addr() as u64).into());
        }
        for i in (0..1000).step_by(2) {
            store_ref(m.get(all), 12 + 4 * i, Obj::NULL);
        }
        clear_stack();
        m.gc();
        let weak = WORLD.weak.lock().unwrap();
        let mut cleared = 0;
        for i in 0..1000 {
            let w = weak[i].load(SeqCst);
            if i % 2 == 1 {
                assert_eq!(w, m.get(all).array_ref(i).addr() as u64);
            } else {
                cleared += (w == 0) as usize;
            }
        }
        assert!(cleared >= 495, "{cleared} of 500 dead words cleared");
    });
}

#[test]
fn the_walk_sees_every_object() {
    in_child("the_walk_sees_every_object", || {
        let (c, m) = start(small(32 * MB));
        let (all, _) = fill(&m, c);
        let count = || {
            let mut n = 0;
            concord_safepoint::stop_the_world("HeapWalkOperation", |s| {
                for_each_object(s, |o| n += (o.class() == c.node) as usize)
            });
            n
        };
        assert_eq!(count(), 1000);
        m.gc();
        assert_eq!(count(), 1000);
        let text = describe(m.get(all).array_ref(3));
        assert!(text.contains("class Node, 24 bytes") && text.contains("+16 0x00000003"), "{text}");
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

#[test]
fn clone_and_array_copies() {
    in_child("clone_and_array_copies", || {
        let (c, m) = start(small(32 * MB));
        let a = m.push(m.array(c.refs, 100));
        for i in 0..100 {
            let n = m.instance(c.node);
            n.put_u64(VALUE, i as u64);
            store_ref(m.get(a), 12 + 4 * i, n);
        }
        m.get(a).lock_word().store(0xabcd, SeqCst);
        let b = m.push(clone_object(m.th, m.get(a)).unwrap());
        assert_eq!(m.get(b).lock_word().load(SeqCst), 0, "the lock word was cloned");
        assert!((0..100).all(|i| m.get(b).array_ref(i) == m.get(a).array_ref(i)));
        array_copy_refs(m.get(a), 0, m.get(a), 10, 90);
        array_copy_refs(m.get(b), 10, m.get(b), 0, 90);
        for i in 0..90 {
            assert_eq!(m.get(a).array_ref(i + 10).get_u64(VALUE), i as u64);
            assert_eq!(m.get(b).array_ref(i).get_u64(VALUE), i as u64 + 10);
        }
        // Every shift, alignment and overlap, against a model.
        let x = m.push(m.array(c.bytes, 400));
        let mut r = Random(5);
        for _ in 0..2000 {
            let shift = (r.next() % 4) as usize;
            let base = 16;
            let unit = 1 << shift;
            let n = r.next() as usize % (120 / unit);
            let from = base + unit * (r.next() as usize % (200 / unit));
            let to = base + unit * (r.next() as usize % (200 / unit));
            let o = m.get(x);
            for i in 0..388 {
                o.put_u8(16 + i, r.next() as u8);
            }
            // SAFETY: no other thread, no collection.
            let mut model = unsafe { o.bytes() }.to_vec();
            model.copy_within(from - 16..from - 16 + n * unit, to - 16);
            copy_payload(o, from, o, to, n, shift as u32);
            // SAFETY: as above.
            assert_eq!(unsafe { o.bytes() }, model, "{n} elements of {unit} from {from} to {to}");
        }
        let n = m.push(m.get(a).array_ref(5));
        assert_eq!(cas_ref(m.get(n), LEFT, m.get(a), Obj::NULL), Err(Obj::NULL));
        assert_eq!(cas_ref(m.get(n), LEFT, Obj::NULL, m.get(b)), Ok(Obj::NULL));
        assert_eq!(swap_ref(m.get(n), LEFT, m.get(a)), m.get(b));
        assert_eq!(m.get(n).get_ref(LEFT), m.get(a));
    });
}
