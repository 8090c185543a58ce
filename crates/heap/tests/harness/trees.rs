//! What the tests build: trees, and records of where objects were.
use super::*;

/// A binary tree of depth `d` whose nodes carry their depth; precise roots only.
pub fn tree(m: &Mutator, c: &Classes, d: u64) -> Obj {
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
pub fn check_tree(n: Obj, d: u64) -> usize {
    assert_eq!(n.get_u64(VALUE), d);
    if d == 0 {
        assert!(n.get_ref(LEFT).is_null() && n.get_ref(RIGHT).is_null());
        return 1;
    }
    1 + check_tree(n.get_ref(LEFT), d - 1) + check_tree(n.get_ref(RIGHT), d - 1)
}

/// Trees and arrays that live and die, old objects that are written.
pub fn churn(m: &Mutator, c: &Classes, rounds: usize, depth: u64, seed: u64) {
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

/// Hides addresses from the conservative scan.
pub const MASK: usize = 0xffff_0000_0000_0000;

#[inline(never)]
pub fn fill(m: &Mutator, c: &Classes) -> (Local, Vec<usize>) {
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
