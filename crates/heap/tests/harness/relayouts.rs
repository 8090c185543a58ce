//! What tests of relayouts share: other layouts for the classes of the harness, and a graph with references of all kinds.
use super::*;
use concord_contract::object::LOCAL_BIT;
use concord_heap::relayout::{self, Moves, Refusal};
use std::sync::atomic::Ordering::SeqCst;

/// Where fields are: of a node left, right and value; of anything else as far as there are so many.
pub type Places = [u32; 3];
pub const OLD: Places = [LEFT as u32, RIGHT as u32, VALUE as u32];
/// References change places, the value is far away from both.
pub const WIDE: (Places, u32) = ([140, 8, 264], 272);
/// More than 64 words, and longer than a line.
pub const LARGE: (Places, u32) = ([396, 8, 128], 408);

/// Another layout for a class.
pub fn new_layout(class: &'static Class, slots: &[u32], size: u32) -> u32 {
    let kind = layout::get(class.layout_id.load(SeqCst)).kind;
    let (is_reference, is_large) = (kind.is_reference(), size > 8 + 4 * 64);
    let mut words = vec![0u64; size.div_ceil(256) as usize];
    slots.iter().map(|at| (at - 8) / 4).for_each(|bit| words[bit as usize / 64] |= 1 << (bit % 64));
    let kind = match (is_reference, is_large) {
        (false, false) => LayoutKind::Instance,
        (false, true) => LayoutKind::LargeInstance,
        (true, false) => LayoutKind::Reference,
        (true, true) => LayoutKind::LargeReference,
    };
    let map = if is_large { words.leak().as_ptr() as u64 } else { words[0] };
    let id = layout::new_id();
    layout::set(id, Layout { map, size, elem_shift: 0, base: NO_CHAIN, kind, chain: NO_CHAIN }, class);
    id
}

/// What is to become of nodes.
pub fn node_moves(node: ClassRef, old: Places, (new, size): (Places, u32)) -> Moves {
    let fields = [4, 4, 8].iter().zip(old.iter().zip(&new)).map(|(n, (o, w))| (*o, *w, *n)).collect();
    Moves { from: node.layout_id.load(SeqCst), to: new_layout(node, &new[..2], size), fields }
}

/// The runtime's half: new objects have the new layout.
pub fn adopt(class: &Class, m: &Moves) {
    class.layout_id.store(m.to, SeqCst);
    class.instance_size.store(m.new_bytes() as u32, SeqCst);
}

/// Runs `f` at a stop that another thread makes; frames below the caller hold nothing that is over.
#[inline(always)]
pub fn elsewhere<R: Send>(f: impl FnOnce(&concord_safepoint::Stopped) -> R + Send) -> R {
    #[inline(never)]
    fn run<R: Send>(f: impl FnOnce(&concord_safepoint::Stopped) -> R + Send) -> R {
        let stop = || std::thread::scope(|s| s.spawn(|| relayout::at_stop(f)).join().expect("relayout"));
        concord_safepoint::blocked(stop).expect("a stop")
    }
    clear_stack();
    run(f)
}

/// Moves the instances of `class`, which has the new layout then.
#[inline(always)]
pub fn relayout(class: ClassRef, m: &Moves) -> Result<usize, Refusal> {
    elsewhere(|stopped| {
        let result = relayout::instances(stopped, std::slice::from_ref(m));
        if result.is_ok() {
            adopt(class, m);
        }
        result
    })
}

pub fn begin(options: HeapOptions) -> (&'static Classes, Mutator) {
    let (c, m) = start(options);
    relayout::set_filler(c.bytes);
    (c, m)
}

pub const N: usize = 500;

/// A graph with nodes at all ends of references.
pub struct Graph {
    /// Nodes in a ring by both references, named by an array.
    pub ring: Local,
    /// An array with cards, whose elements name nodes here and there.
    pub cards: Local,
    /// Weak and final references, whose referents are nodes; links to nodes; instances of more than 64 words.
    pub others: Local,
    pub local: Local,
}

#[inline(never)]
pub fn build(m: &Mutator, c: &Classes) -> Graph {
    let ring = m.push(m.array(c.refs, N));
    for i in 0..N {
        let n = m.instance(c.node);
        n.put_u64(VALUE, i as u64);
        n.lock_word().store(0x00ab_0000 + 8 * i as u32, SeqCst);
        store_ref(m.get(ring), 12 + 4 * i, n);
    }
    let node = |i: usize| m.get(ring).array_ref(i % N);
    for i in 0..N {
        store_ref(node(i), LEFT, node(i + 1));
        store_ref(node(i), RIGHT, node(i + N - 1));
    }
    let cards = m.push(m.array(c.refs, 10_000));
    (0..10_000).step_by(7).for_each(|i| store_ref(m.get(cards), 12 + 4 * i, node(i)));
    let others = m.push(m.array(c.refs, 5));
    let classes = [(c.weak, REFERENCE.referent), (c.final_, REFERENCE.referent), (c.link, NEXT), (c.large, LARGE_REF)];
    for (i, (class, at)) in classes.into_iter().enumerate() {
        let o = m.instance(class);
        store_ref(o, at, node(i));
        store_ref(m.get(others), 12 + 4 * i, o);
    }
    // A reference that holds another one, and is held by it.
    let weak = m.get(others).array_ref(0);
    store_ref(weak, REFERENCE.next, weak);
    store_ref(m.get(others), 12 + 4 * 4, node(77));
    WORLD.globals.lock().unwrap().push((node(10).addr() as u64).into());
    WORLD.weak.lock().unwrap().push((node(11).addr() as u64).into());
    // A thread's own, in a root and a handle of its own.
    let own = m.instance(c.node);
    own.put_u64(VALUE, 999);
    own.lock_word().store(LOCAL_BIT | 0x00cd_0000, SeqCst);
    let local = m.push(own);
    // SAFETY: the handles of the harness.
    unsafe { *m.th.handles.get() = node(12).addr() as u64 };
    m.th.handle_top.set(1);
    Graph { ring, cards, others, local }
}

/// Whether the bytes that no field of a node has are zero.
pub fn gaps_are_zero(n: Obj, [left, right, value]: Places) -> bool {
    let size = layout::get(n.layout_id()).size;
    let in_field = |at: u32| {
        (left..left + 4).contains(&at) || (right..right + 4).contains(&at) || (value..value + 8).contains(&at)
    };
    (8..size).all(|at| in_field(at) || n.get_u8(at as usize) == 0)
}

#[inline(never)]
pub fn check(m: &Mutator, c: &Classes, g: &Graph, places: Places) {
    let [left, right, value] = places.map(|p| p as usize);
    let id = c.node.layout_id.load(SeqCst);
    let node = |i: usize| m.get(g.ring).array_ref(i % N);
    for i in 0..N {
        let n = node(i);
        assert_eq!((n.layout_id(), n.get_u64(value)), (id, i as u64));
        assert_eq!(n.lock_word().load(SeqCst), 0x00ab_0000 + 8 * i as u32);
        assert_eq!((n.get_ref(left), n.get_ref(right)), (node(i + 1), node(i + N - 1)));
        assert!(gaps_are_zero(n, places));
    }
    for i in 0..10_000 {
        let o = m.get(g.cards).array_ref(i);
        assert_eq!(o, if i % 7 == 0 { node(i) } else { Obj::NULL });
    }
    let other = |i: usize| m.get(g.others).array_ref(i);
    for (i, at) in [REFERENCE.referent, REFERENCE.referent, NEXT, LARGE_REF].into_iter().enumerate() {
        assert_eq!(other(i).get_ref(at), node(i), "{i}");
    }
    assert_eq!((other(0).get_ref(REFERENCE.next), other(4)), (other(0), node(77)));
    let word = |w: &AtomicU64| w.load(SeqCst) as usize;
    assert_eq!(word(&WORLD.globals.lock().unwrap()[0]), node(10).addr());
    assert_eq!(word(&WORLD.weak.lock().unwrap()[0]), node(11).addr());
    // SAFETY: the handles of the harness.
    assert_eq!(unsafe { *m.th.handles.get() } as usize, node(12).addr());
    let own = m.get(g.local);
    assert_eq!((own.layout_id(), own.get_u64(value)), (id, 999));
    assert_eq!(own.lock_word().load(SeqCst), LOCAL_BIT | 0x00cd_0000);
}

/// Young and full collections, with objects that grow old in between.
pub fn collect(m: &Mutator, c: &Classes) {
    for _ in 0..2 {
        let collections = WORLD.collections.load(SeqCst);
        while WORLD.collections.load(SeqCst) < collections + 2 {
            let kept = m.push(m.array(c.bytes, 300));
            m.array(c.bytes, 5000);
            m.pop_to(kept);
        }
        clear_stack();
        m.gc();
    }
}
