//! Collections with several plans, threads and zeal; each test has a process of its own.
mod harness;
use concord_contract::Obj;
use concord_heap::*;
use harness::trees::*;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;

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
            // A word of the stack that names a node by chance keeps no more than that node.
            while m.get(list) != Obj::NULL {
                let next = m.get(list).get_ref(LEFT);
                store_ref(m.get(list), LEFT, Obj::NULL);
                m.set(list, next);
            }
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

#[test]
fn looking_an_object_up_changes_nothing() {
    in_child("looking_an_object_up_changes_nothing", || {
        let (c, m) = start(small(32 * MB));
        let around = |at: usize| {
            let look = |_: &_| concord_heap::walk::object_around(at).map(Obj::addr);
            concord_safepoint::stop_the_world("Look", look)
        };
        for old in [false, true] {
            let first = m.push(m.instance(c.node));
            if old {
                m.gc();
            }
            let at = m.get(first).addr();
            assert_eq!((around(at), around(at + 23), around(at + 8)), (Some(at), Some(at), Some(at)));
            // The thread goes on behind what was looked up; a collection must find what only this frame names.
            let held = std::hint::black_box(m.instance(c.node));
            held.put_u64(VALUE, 7);
            let next = held.addr() + 24;
            assert!(around(next).is_none_or(|o| o >= next), "an object in memory that has none");
            m.gc();
            for _ in 0..2 {
                let collections = WORLD.collections.load(SeqCst);
                while WORLD.collections.load(SeqCst) == collections {
                    m.instance(c.node).put_u64(VALUE, u64::MAX);
                }
            }
            assert_eq!(around(held.addr()), Some(held.addr()), "collected, though this frame names it");
            assert_eq!((held.class().name, held.get_u64(VALUE)), (c.node.name, 7));
            std::hint::black_box(held);
        }
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
