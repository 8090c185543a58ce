//! java.lang.ref: what is cleared, kept and enqueued, in which order.
mod harness;
use concord_contract::Obj;
use concord_contract::class::ClassRef;
use concord_heap::*;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;

#[inline(never)]
fn reference(m: &Mutator, class: ClassRef, referent: Obj) -> Obj {
    let held = m.push(referent);
    let r = m.instance(class);
    store_ref(r, REFERENCE.referent, m.get(held));
    m.pop_to(held);
    r
}

#[inline(never)]
fn node(m: &Mutator, c: &Classes, value: u64) -> Obj {
    let n = m.instance(c.node);
    n.put_u64(VALUE, value);
    n
}

/// The pending chain, which is taken.
fn take_pending() -> Vec<Obj> {
    // SAFETY: the head is a root.
    let mut p = unsafe { Obj::from_addr(WORLD.pending.swap(0, SeqCst) as usize) };
    let mut all = Vec::new();
    while !p.is_null() {
        all.push(p);
        let next = p.get_ref(REFERENCE.discovered);
        p.put_u32(REFERENCE.discovered, 0);
        p = next;
    }
    all
}

/// Makes `n` references of a class in an array; the odd ones' referents are kept in another.
#[inline(never)]
fn pairs(m: &Mutator, c: &Classes, class: ClassRef, n: usize) -> (Local, Local) {
    let refs = m.push(m.array(c.refs, n));
    let kept = m.push(m.array(c.refs, n));
    for i in 0..n {
        let referent = m.push(node(m, c, i as u64));
        let r = reference(m, class, m.get(referent));
        store_ref(m.get(refs), 12 + 4 * i, r);
        if i % 2 == 1 {
            store_ref(m.get(kept), 12 + 4 * i, m.get(referent));
        }
        m.pop_to(referent);
    }
    (refs, kept)
}

/// Half the referents die: their references are cleared (unless final) and pending.
fn half_dies(test: &str, class: impl Fn(&Classes) -> ClassRef, cleared: bool) {
    in_child(test, || {
        let mut o = small(32 * MB);
        o.zeal.defrag = true;
        o.soft_ref_ms_per_mb = 0;
        let (c, m) = start(o);
        let (refs, kept) = pairs(&m, c, class(c), 1000);
        std::thread::sleep(std::time::Duration::from_millis(3));
        clear_stack();
        m.gc();
        // The clock of soft references has advanced past their time stamps at the first collection.
        clear_stack();
        m.gc();
        let pending = take_pending();
        assert!((495..=500).contains(&pending.len()), "{} pending", pending.len());
        for i in 0..1000 {
            let r = m.get(refs).array_ref(i);
            let referent = r.get_ref(REFERENCE.referent);
            if i % 2 == 1 {
                assert_eq!(referent, m.get(kept).array_ref(i));
                assert_eq!(referent.get_u64(VALUE), i as u64);
                assert!(!pending.contains(&r));
            } else if pending.contains(&r) {
                assert_eq!(referent.is_null(), cleared);
                if !cleared {
                    assert_eq!(referent.get_u64(VALUE), i as u64);
                    assert_eq!(r.get_ref(REFERENCE.next), r);
                }
            }
        }
        clear_stack();
        m.gc();
        assert!(take_pending().len() <= 5, "a reference became pending twice");
    });
}

#[test]
fn weak_references() {
    half_dies("weak_references", |c| c.weak, true);
}
#[test]
fn phantom_references() {
    half_dies("phantom_references", |c| c.phantom, true);
}
#[test]
fn final_references() {
    half_dies("final_references", |c| c.final_, false);
}
#[test]
fn soft_references_past_their_time() {
    half_dies("soft_references_past_their_time", |c| c.soft, true);
}

#[test]
fn soft_references_live_while_memory_is_free_and_die_before_exhaustion() {
    in_child("soft_references_live_while_memory_is_free_and_die_before_exhaustion", || {
        let (c, m) = start(small(32 * MB));
        let refs = m.push(m.array(c.refs, 40));
        for i in 0..40 {
            let big = m.push(m.array(c.bytes, MB / 2));
            let r = reference(&m, c.soft, m.get(big));
            m.pop_to(big);
            store_ref(m.get(refs), 12 + 4 * i, r);
        }
        clear_stack();
        m.gc();
        let alive =
            |m: &Mutator| (0..40).filter(|i| !m.get(refs).array_ref(*i).get_ref(REFERENCE.referent).is_null()).count();
        assert_eq!(alive(&m), 40);
        // 20 MB are softly held; 24 MB are there only without them.
        let big = m.array(c.bytes, 24 * MB);
        assert_eq!(big.array_len(), 24 * MB);
        assert!(alive(&m) < 10, "{} soft references survived an emergency", alive(&m));
    });
}

#[test]
fn weak_goes_before_final_and_phantom_after() {
    in_child("weak_goes_before_final_and_phantom_after", || {
        let (c, m) = start(small(32 * MB));
        #[inline(never)]
        fn make(m: &Mutator, c: &Classes) -> [Local; 4] {
            // outer -> inner; a final reference to outer, weak and phantom ones to inner.
            let inner = m.push(node(m, c, 2));
            let outer = m.push(node(m, c, 1));
            store_ref(m.get(outer), LEFT, m.get(inner));
            let fin = m.push(reference(m, c.final_, m.get(outer)));
            let weak = m.push(reference(m, c.weak, m.get(inner)));
            let phantom = m.push(reference(m, c.phantom, m.get(inner)));
            m.set(inner, Obj::NULL);
            m.set(outer, Obj::NULL);
            // A weak reference that only the finalizable object holds keeps its referent.
            let late = m.push(node(m, c, 3));
            let hidden = reference(m, c.weak, m.get(late));
            m.set(late, Obj::NULL);
            store_ref(m.get(fin).get_ref(REFERENCE.referent), RIGHT, hidden);
            [fin, weak, phantom, late]
        }
        // The finalizer has run: looks once more at what the final reference holds, and clears it.
        #[inline(never)]
        fn finalize(m: &Mutator, fin: Local) {
            let outer = m.get(fin).get_ref(REFERENCE.referent);
            assert_eq!(outer.get_ref(LEFT).get_u64(VALUE), 2);
            assert_eq!(outer.get_ref(RIGHT).get_ref(REFERENCE.referent).get_u64(VALUE), 3);
            m.get(fin).put_u32(REFERENCE.referent, 0);
        }
        let [fin, weak, phantom, _] = make(&m, c);
        clear_stack();
        m.gc();
        let pending = take_pending();
        assert!(pending.contains(&m.get(fin)) && pending.contains(&m.get(weak)));
        assert!(!pending.contains(&m.get(phantom)), "phantom reference enqueued before finalization");
        assert!(m.get(weak).get_ref(REFERENCE.referent).is_null());
        finalize(&m, fin);
        clear_stack();
        m.gc();
        let pending = take_pending();
        assert!(pending.contains(&m.get(phantom)), "phantom reference not enqueued after finalization");
    });
}

#[test]
fn nursery_collections_treat_young_and_old_references() {
    in_child("nursery_collections_treat_young_and_old_references", || {
        let (c, m) = start(small(64 * MB));
        #[inline(never)]
        fn make(m: &Mutator, c: &Classes) -> Local {
            m.push(reference(m, c.weak, Obj::NULL))
        }
        let old = make(&m, c);
        clear_stack();
        m.gc();
        // An old reference gets a young referent that dies.
        #[inline(never)]
        fn young(m: &Mutator, c: &Classes, old: Local) -> Local {
            let n = node(m, c, 5);
            store_ref(m.get(old), REFERENCE.referent, n);
            m.push(reference(m, c.weak, n))
        }
        let fresh = young(&m, c, old);
        let full = WORLD.full.load(SeqCst);
        let collections = WORLD.collections.load(SeqCst);
        clear_stack();
        while WORLD.collections.load(SeqCst) == collections {
            m.array(c.bytes, 1000);
        }
        assert_eq!(WORLD.full.load(SeqCst), full, "no nursery collection");
        assert!(m.get(old).get_ref(REFERENCE.referent).is_null());
        assert!(m.get(fresh).get_ref(REFERENCE.referent).is_null());
        assert_eq!(take_pending().len(), 2);
    });
}
