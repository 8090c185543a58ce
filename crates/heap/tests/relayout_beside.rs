//! Relayouts beside collections in place, threads that make objects, and walks of publication; each test has a process of its own.
mod harness;
use concord_contract::object::LOCAL_BIT;
use concord_contract::{Obj, layout};
use concord_heap::relayout::{self, Refusal};
use concord_heap::*;
use harness::relayouts::*;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Relayouts among collections in place: copies in gaps and longer than lines, dead arrays that become gaps.
#[test]
fn collections_in_place_find_a_sound_heap() {
    in_child("collections_in_place_find_a_sound_heap", || {
        let (c, m) = begin(small(32 * MB));
        const ENTRIES: usize = 20_000;
        #[inline(never)]
        fn entry(m: &Mutator, c: &Classes, young: Local, [left, right, value]: Places, i: usize) -> Obj {
            let a = m.push(m.array(c.bytes, 100));
            let link = m.push(m.instance(c.link));
            store_ref(m.get(link), NEXT, m.get(young));
            let n = m.instance(c.node);
            n.put_u64(value as usize, i as u64);
            store_ref(n, left as usize, m.get(a));
            store_ref(n, right as usize, m.get(link));
            m.pop_to(a);
            n
        }
        #[inline(never)]
        fn replace(m: &Mutator, c: &Classes, (t, young): (Local, Local), places: Places, r: &mut Random, full: usize) {
            let stop = WORLD.full.load(SeqCst) + full;
            while WORLD.full.load(SeqCst) < stop {
                let i = r.next() as usize % ENTRIES;
                let e = entry(m, c, young, places, i);
                store_ref(m.get(t), 12 + 4 * i, e);
            }
        }
        #[inline(never)]
        fn check(m: &Mutator, (t, young): (Local, Local), places: Places) {
            for i in 0..ENTRIES {
                let n = m.get(t).array_ref(i);
                assert_eq!(n.get_ref(places[1] as usize).get_ref(NEXT), m.get(young));
                assert_eq!(n.get_u64(places[2] as usize), i as u64);
                assert_eq!(n.get_ref(places[0] as usize).array_len(), 100);
                assert!(gaps_are_zero(n, places));
            }
        }
        let mut r = Random(1);
        let t = m.push(m.array(c.refs, ENTRIES));
        // Stays in eden, so that all links are remembered, some of them in lines with copies.
        let held = std::hint::black_box(m.instance(c.link));
        let young = m.push(held);
        let mut places = OLD;
        (0..ENTRIES).for_each(|i| store_ref(m.get(t), 12 + 4 * i, entry(&m, c, young, places, i)));
        let t = (t, young);
        let mut done = 0;
        for new in [(OLD, 40), WIDE, ([12, 8, 64], 72), LARGE, (OLD, 24), WIDE] {
            replace(&m, c, t, places, &mut r, 2);
            check(&m, t, places);
            match relayout(c.node, &node_moves(c.node, places, new)) {
                Ok(_) => (places, done) = (new.0, done + 1),
                // Of so many nodes half of some word may name one by chance.
                Err(e) => assert!(matches!(e, Refusal::NoMemory | Refusal::Pinned(_))),
            }
            check(&m, t, places);
        }
        replace(&m, c, t, places, &mut r, 3);
        check(&m, t, places);
        assert!(done >= 3, "only {done} relayouts");
        assert!(is_young(std::hint::black_box(held).addr()));
    });
}

/// The layout changes at a stop within an allocation: what is allocated has the size of the layout that it names.
#[test]
fn a_layout_changes_within_an_allocation() {
    in_child("a_layout_changes_within_an_allocation", || {
        let mut options = small(64 * MB);
        options.zeal.alloc = Some(1);
        let (c, m) = begin(options);
        let keep = m.push(m.array(c.refs, 100));
        #[inline(never)]
        fn make(m: &Mutator, c: &Classes, keep: Local, i: usize) {
            let (before, allocated) = (c.node.layout_id.load(SeqCst), allocated_by(m.th));
            let n = if i.is_multiple_of(2) { m.instance(c.node) } else { local(m, c) };
            let l = layout::get(n.layout_id());
            assert_eq!((n.layout_id(), l.size), (c.node.layout_id.load(SeqCst), c.node.instance_size.load(SeqCst)));
            assert!(allocated_by(m.th) - allocated >= u64::from(l.size), "it is larger than its room");
            assert!((8..l.size as usize).step_by(8).all(|at| n.get_u64(at) == 0));
            store_ref(m.get(keep), 12 + 4 * (i % 100), n);
            if n.layout_id() != before {
                CHANGED.fetch_add(1, SeqCst);
            }
        }
        #[inline(never)]
        fn local(m: &Mutator, c: &Classes) -> Obj {
            alloc_instance_local(m.th, c.node).expect("heap space")
        }
        static CHANGED: AtomicUsize = AtomicUsize::new(0);
        static REFUSED: AtomicUsize = AtomicUsize::new(0);
        /// The third one has the size of the second.
        const FORMS: [(Places, u32); 3] = [(OLD, 24), WIDE, ([8, 140, 16], 272)];
        static NOW: AtomicUsize = AtomicUsize::new(0);
        for i in 0..400 {
            if WORLD.over.lock().unwrap().is_none() {
                // The relayout before has happened, or was refused.
                let now = NOW.load(SeqCst);
                let (old, new) = (FORMS[now], FORMS[(now + 1) % FORMS.len()]);
                let moves = node_moves(c.node, old.0, new);
                let change = move |stopped: &concord_safepoint::Stopped| match relayout::instances(
                    stopped,
                    std::slice::from_ref(&moves),
                ) {
                    Ok(_) => {
                        adopt(c.node, &moves);
                        NOW.store((now + 1) % FORMS.len(), SeqCst);
                    }
                    Err(_) => drop(REFUSED.fetch_add(1, SeqCst)),
                };
                *WORLD.over.lock().unwrap() = Some(Box::new(change));
            }
            clear_stack();
            make(&m, c, keep, i);
        }
        let (changed, refused) = (CHANGED.load(SeqCst), REFUSED.load(SeqCst));
        assert!(changed >= 20, "{changed} changes within an allocation, {refused} refused");
        for i in 0..100 {
            assert_eq!(m.get(keep).array_ref(i).layout_id(), c.node.layout_id.load(SeqCst));
        }
    });
}

/// A thread makes nodes and links while another one changes their layouts.
#[test]
fn relayouts_beside_a_running_thread() {
    in_child("relayouts_beside_a_running_thread", || {
        let (c, m) = begin(small(64 * MB));
        static DONE: AtomicBool = AtomicBool::new(false);
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let other = std::thread::spawn(move || {
            let m = Mutator::attach();
            let keep = m.push(m.array(c.refs, 100));
            #[inline(never)]
            fn make(m: &Mutator, c: &Classes, keep: Local, i: usize) {
                let n = m.instance(c.node);
                let l = layout::get(n.layout_id());
                assert_eq!(l.size, c.node.instance_size.load(SeqCst));
                assert!((8..l.size as usize).step_by(8).all(|at| n.get_u64(at) == 0));
                store_ref(m.get(keep), 12 + 4 * (i % 100), n);
            }
            let mut i = 0;
            while !DONE.load(SeqCst) {
                make(&m, c, keep, i);
                i += 1;
                MADE.store(i, SeqCst);
                clear_stack();
                m.poll();
            }
            m.detach();
        });
        // Not two halves of a word: (0, 6) would be the address where eden begins.
        let (mut places, mut done, mut refused) = (OLD, 0usize, Vec::new());
        while done < 60 && refused.len() < 500 {
            let new = if places == OLD { WIDE } else { (OLD, 24) };
            match relayout(c.node, &node_moves(c.node, places, new)) {
                Ok(_) => (places, done) = (new.0, done + 1),
                Err(e) => refused.push(e),
            }
            // Until the other thread has made some more.
            let made = MADE.load(SeqCst);
            while MADE.load(SeqCst) < made + 10 {
                m.poll();
                std::thread::yield_now();
            }
        }
        DONE.store(true, SeqCst);
        concord_safepoint::blocked(|| other.join().unwrap());
        // A word on a stack that is left over may hold a node for ever, by chance the one with which eden begins.
        assert!(done >= 1, "{done} relayouts, {} refused, the last one: {:?}", refused.len(), refused.last());
        clear_stack();
        m.gc();
    });
}

/// A walk that makes a graph SHARED polls; nodes move meanwhile. The collection in front has brought the walk to its end.
#[test]
fn walks_of_publication_go_on_with_copies() {
    in_child("walks_of_publication_go_on_with_copies", || {
        let (c, m) = begin(small(64 * MB));
        const NODES: usize = 3000;
        /// Lists of nodes, all of them LOCAL: so long that a walk polls within each.
        #[inline(never)]
        fn lists(m: &Mutator, c: &Classes, places: Places) -> Local {
            let all = m.push(m.array(c.refs, 4));
            m.get(all).lock_word().store(LOCAL_BIT, SeqCst);
            for i in 0..4 * NODES {
                let n = m.instance(c.node);
                n.lock_word().store(LOCAL_BIT, SeqCst);
                n.put_u64(places[2] as usize, i as u64);
                store_ref(n, places[0] as usize, m.get(all).array_ref(i % 4));
                store_ref(m.get(all), 12 + 4 * (i % 4), n);
            }
            all
        }
        #[inline(never)]
        fn check(m: &Mutator, all: Local, places: Places) {
            assert!(!m.get(all).is_local());
            for k in 0..4 {
                let (mut n, mut i) = (m.get(all).array_ref(k), 4 * NODES + k);
                while !n.is_null() {
                    i -= 4;
                    assert!(!n.is_local());
                    assert_eq!(n.get_u64(places[2] as usize), i as u64);
                    n = n.get_ref(places[0] as usize);
                }
                assert_eq!(i, k);
            }
        }
        let (mut places, mut within, mut done) = (OLD, 0, 0);
        for round in 0..40 {
            clear_stack();
            let all = lists(&m, c, places);
            let new = if round % 2 == 0 { (WIDE.0, WIDE.1) } else { (OLD, 24) };
            let moves = node_moves(c.node, places, new);
            static BEGINS: AtomicBool = AtomicBool::new(false);
            BEGINS.store(false, SeqCst);
            let other = std::thread::spawn(move || {
                while !BEGINS.load(SeqCst) {
                    std::hint::spin_loop();
                }
                // The frames of a walk may name what it has found: then behind it.
                (0..30).any(|_| {
                    let done = relayout::at_stop(|stopped| {
                        let done = relayout::instances(stopped, std::slice::from_ref(&moves)).is_ok();
                        if done {
                            adopt(c.node, &moves);
                        }
                        done
                    });
                    std::thread::sleep(std::time::Duration::from_millis(u64::from(done == Some(false))));
                    done.expect("a stop")
                })
            });
            clear_stack();
            BEGINS.store(true, SeqCst);
            publish(m.th, m.get(all));
            let id = m.get(all).array_ref(0).layout_id();
            clear_stack();
            if concord_safepoint::blocked(|| other.join().unwrap()) {
                (places, done) = (new.0, done + 1);
                within += usize::from(id == c.node.layout_id.load(SeqCst));
            }
            check(&m, all, places);
            m.pop_to(all);
            if within == 3 || done == 12 {
                break;
            }
        }
        assert!(done > 0, "no relayout, within a walk or behind it");
    });
}
