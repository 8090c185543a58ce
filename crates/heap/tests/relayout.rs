//! Instances and statics get another layout; each test has a process of its own.
//!
//! The heap is verified behind each relayout and each collection. A relayout is another thread's, as in the VM: native frames of
//! the test's own thread name what must not move.
mod harness;
use concord_contract::Obj;
use concord_contract::object::LENGTH_OFFSET;
use concord_heap::relayout::{self, Moves, Refusal};
use concord_heap::*;
use harness::relayouts::*;
use harness::trees::MASK;
use harness::*;
use std::sync::atomic::Ordering::SeqCst;

/// All that names nodes names their copies: twice, then in a heap that is collected, with new nodes beside the old.
fn all_references_are_updated(test: &str, options: impl FnOnce() -> HeapOptions) {
    in_child(test, || {
        let (c, m) = begin(options());
        let g = build(&m, c);
        let mut old = OLD;
        for new in [WIDE, LARGE, (OLD, 24), WIDE] {
            check(&m, c, &g, old);
            let moved = relayout(c.node, &node_moves(c.node, old, new));
            // Those that have died since the last collection of the full heap move, too.
            assert!(moved.expect("no node is named") > N, "{moved:?}");
            old = new.0;
            check(&m, c, &g, old);
            collect(&m, c);
        }
        check(&m, c, &g, old);
    });
}
#[test]
fn all_references_to_what_has_moved_are_updated() {
    all_references_are_updated("all_references_to_what_has_moved_are_updated", || small(64 * MB));
}
#[test]
fn all_references_are_updated_where_all_moves() {
    all_references_are_updated("all_references_are_updated_where_all_moves", || HeapOptions {
        zeal: Zeal { verify: true, defrag: true, owners: true, alloc: None },
        ..small(64 * MB)
    });
}
#[test]
fn all_references_are_updated_above_4g() {
    all_references_are_updated("all_references_are_updated_above_4g", || small(6000 * MB));
}

#[test]
fn several_layouts_move_at_once() {
    in_child("several_layouts_move_at_once", || {
        let (c, m) = begin(small(64 * MB));
        let g = build(&m, c);
        let nodes = node_moves(c.node, OLD, WIDE);
        // What the collector knows of references stays where it is.
        let weak = Moves {
            from: c.weak.layout_id.load(SeqCst),
            to: new_layout(c.weak, &[128, 16], 136),
            fields: vec![(8, 8, 4), (12, 128, 4), (16, 16, 16)],
        };
        let links = Moves {
            from: c.link.layout_id.load(SeqCst),
            to: new_layout(c.link, &[8], 32),
            fields: vec![(8, 8, 4), (12, 24, 4)],
        };
        let all = [nodes, weak, links];
        let moved = elsewhere(|stopped| {
            let moved = relayout::instances(stopped, &all);
            [c.node, c.weak, c.link].iter().zip(&all).for_each(|(class, m)| adopt(class, m));
            moved
        });
        assert_eq!(moved, Ok(N + 3));
        check(&m, c, &g, WIDE.0);
        collect(&m, c);
        check(&m, c, &g, WIDE.0);
    });
}

/// An old node names what a native frame keeps in eden, and is remembered by its copy.
#[test]
fn copies_that_name_what_is_young_are_remembered() {
    in_child("copies_that_name_what_is_young_are_remembered", || {
        let (c, m) = begin(small(64 * MB));
        let g = build(&m, c);
        clear_stack();
        m.gc();
        let held = std::hint::black_box(m.instance(c.link));
        held.put_u32(NUMBER, 5);
        #[inline(never)]
        fn name(m: &Mutator, c: &Classes, o: Obj) -> Local {
            let n = m.push(m.instance(c.node));
            store_ref(m.get(n), LEFT, o);
            n
        }
        let n = name(&m, c, held);
        assert!(relayout(c.node, &node_moves(c.node, OLD, WIDE)).is_ok());
        assert!(is_young(held.addr()));
        let left = WIDE.0[0] as usize;
        let is_named = |m: &Mutator| m.get(n).get_ref(left) == held;
        assert!(is_named(&m));
        // The young object moves away when nobody but the copy names it.
        assert_eq!(std::hint::black_box(held).get_u32(NUMBER), 5);
        let address = std::hint::black_box(held.addr() ^ MASK);
        let _ = held;
        collect(&m, c);
        let now = m.get(n).get_ref(left);
        assert_eq!((now.class(), now.get_u32(NUMBER)), (c.link, 5));
        assert_eq!(m.get(n).layout_id(), c.node.layout_id.load(SeqCst));
        std::hint::black_box(address);
        check(&m, c, &g, WIDE.0);
    });
}

#[inline(never)]
fn addresses(m: &Mutator, g: &Graph) -> Vec<usize> {
    (0..N).map(|i| m.get(g.ring).array_ref(i).addr() ^ MASK).collect()
}

/// One of many nodes cannot move: none does.
#[test]
fn nothing_moves_if_one_is_pinned() {
    in_child("nothing_moves_if_one_is_pinned", || {
        let (c, m) = begin(small(64 * MB));
        let g = build(&m, c);
        clear_stack();
        m.gc();
        let before = addresses(&m, &g);
        let moves = node_moves(c.node, OLD, WIDE);
        let refused = Err(Refusal::Pinned(moves.from));
        let same = |what: &str| {
            assert_eq!(addresses(&m, &g), before, "{what}");
            check(&m, c, &g, OLD);
        };
        /// Has a frame hold what `hold` says while a relayout is tried.
        #[inline(never)]
        fn try_with(c: &Classes, moves: &Moves, hold: impl FnOnce() -> usize) -> Result<usize, Refusal> {
            let held = std::hint::black_box(hold());
            let result = relayout(c.node, moves);
            std::hint::black_box(held);
            result
        }
        let node = |i: usize| m.get(g.ring).array_ref(i);
        assert_eq!(try_with(c, &moves, || node(40).addr()), refused);
        same("by its address");
        assert_eq!(try_with(c, &moves, || node(41).addr() + VALUE), refused);
        same("by an address in it");
        assert_eq!(try_with(c, &moves, || (node(42).encode() as usize) << 32 | 7), refused);
        same("by half a word");
        assert_eq!(try_with(c, &moves, || m.instance(c.node).addr()), refused);
        same("a young one");
        #[inline(never)]
        fn pin(m: &Mutator, g: &Graph) {
            WORLD.pinned.lock().unwrap().push(m.get(g.ring).array_ref(43).addr() as u64);
        }
        pin(&m, &g);
        clear_stack();
        assert_eq!(relayout(c.node, &moves), refused);
        WORLD.pinned.lock().unwrap().clear();
        same("by the runtime");
        let too_large = node_moves(c.node, OLD, (OLD, MAX_SMALL as u32 + 8));
        assert_eq!(relayout(c.node, &too_large), Err(Refusal::Unfit(moves.from)));
        same("too large");
        collect(&m, c);
        check(&m, c, &g, OLD);
        assert!(relayout(c.node, &moves).is_ok(), "nothing is held any more");
        check(&m, c, &g, WIDE.0);
    });
}

#[test]
fn nothing_moves_without_room() {
    in_child("nothing_moves_without_room", || {
        let (c, m) = begin(small(8 * MB));
        let g = build(&m, c);
        clear_stack();
        m.gc();
        let before = addresses(&m, &g);
        let moves = node_moves(c.node, OLD, (OLD, MAX_SMALL as u32));
        assert_eq!(relayout(c.node, &moves), Err(Refusal::NoMemory));
        assert_eq!(addresses(&m, &g), before);
        check(&m, c, &g, OLD);
    });
}

#[test]
fn no_relayout_without_eden_or_arrays_to_leave_behind() {
    in_child("no_relayout_without_eden_or_arrays_to_leave_behind", || {
        let (c, m) = begin(HeapOptions { plan: Plan::Immix, ..small(64 * MB) });
        let g = build(&m, c);
        assert!(relayout::at_stop(|_| ()).is_none());
        let moves = node_moves(c.node, OLD, WIDE);
        let result = concord_safepoint::stop_the_world("Test", |stopped| relayout::instances(stopped, &[moves]));
        assert_eq!(result, Err(Refusal::NotNow));
        check(&m, c, &g, OLD);
    });
}

/// What was a node is an array of its size, which the walk finds until the next collection of the full heap.
#[test]
fn the_old_objects_are_dead_arrays() {
    in_child("the_old_objects_are_dead_arrays", || {
        let (c, m) = begin(small(64 * MB));
        let g = build(&m, c);
        clear_stack();
        m.gc();
        let before = addresses(&m, &g);
        let count = |id: u32| {
            let mut n = 0;
            concord_safepoint::stop_the_world("Test", |s| {
                for_each_object(s, |o| n += usize::from(o.layout_id() == id))
            });
            n
        };
        let old_id = c.node.layout_id.load(SeqCst);
        let nodes = count(old_id);
        assert_eq!(relayout(c.node, &node_moves(c.node, OLD, WIDE)), Ok(nodes));
        assert_eq!((count(old_id), count(c.node.layout_id.load(SeqCst))), (0, nodes));
        for at in &before {
            // SAFETY: an object is there until it is collected.
            let o = unsafe { Obj::from_addr(at ^ MASK) };
            assert_eq!((o.class(), o.lock_word().load(SeqCst), o.get_u32(LENGTH_OFFSET)), (c.bytes, 0, 24 - 16));
        }
        clear_stack();
        m.gc();
        let bytes = count(c.bytes.layout_id.load(SeqCst));
        assert!(bytes < 20, "{bytes} arrays are left");
        check(&m, c, &g, WIDE.0);
    });
}

/// An object with static fields is named by a root of the runtime's alone; also one that is a large object before or after.
#[test]
fn statics_move_unless_a_frame_names_them() {
    in_child("statics_move_unless_a_frame_names_them", || {
        let (c, m) = begin(small(64 * MB));
        let g = build(&m, c);
        let first = new_layout(c.node, &[8], 32);
        #[inline(never)]
        fn make(m: &Mutator, g: &Graph, id: u32) {
            let o = alloc_with_layout(m.th, id, 32).expect("heap space");
            store_ref(o, 8, m.get(g.ring).array_ref(3));
            o.put_u32(12, 7);
            o.put_u64(24, 8);
            o.lock_word().store(0x00ee_0000, SeqCst);
            WORLD.pinned.lock().unwrap().push(o.addr() as u64);
        }
        make(&m, &g, first);
        clear_stack();
        let mut at = [8u32, 12, 24];
        for (new, size) in [([8, 136, 264], 392), ([30_000, 8, 12_000], 32_768), ([12, 8, 16], 24)] {
            let from = if at[0] == 8 && at[1] == 12 { first } else { current(&m) };
            let fields = vec![(at[0], new[0], 4), (at[1], new[1], 4), (at[2], new[2], 8)];
            let moves = Moves { from, to: new_layout(c.node, &[new[0]], size), fields };
            assert!(is_refused(&moves), "an address in it");
            assert_eq!(move_statics(&moves), Ok(()));
            look(&m, &g, new, moves.to);
            collect(&m, c);
            at = new;
            look(&m, &g, at, moves.to);
        }
        check(&m, c, &g, OLD);

        #[inline(never)]
        fn is_refused(moves: &Moves) -> bool {
            let inner = std::hint::black_box(WORLD.pinned.lock().unwrap()[0] as usize + 12);
            let result = move_statics(moves);
            assert_eq!(std::hint::black_box(inner), WORLD.pinned.lock().unwrap()[0] as usize + 12, "it has moved");
            result == Err(Refusal::Pinned(moves.from))
        }
        #[inline(never)]
        fn current(_: &Mutator) -> u32 {
            // SAFETY: the object with statics.
            unsafe { Obj::from_addr(WORLD.pinned.lock().unwrap()[0] as usize) }.layout_id()
        }
        #[inline(never)]
        fn move_statics(moves: &Moves) -> Result<(), Refusal> {
            elsewhere(|stopped| {
                let mut holder = WORLD.pinned.lock().unwrap();
                // SAFETY: as above.
                let old = unsafe { Obj::from_addr(holder[0] as usize) };
                let new = relayout::statics(stopped, old, moves)?;
                holder[0] = new.addr() as u64;
                Ok(())
            })
        }
        #[inline(never)]
        fn look(m: &Mutator, g: &Graph, at: Places, id: u32) {
            // SAFETY: as above.
            let o = unsafe { Obj::from_addr(WORLD.pinned.lock().unwrap()[0] as usize) };
            let at = at.map(|a| a as usize);
            assert_eq!((o.layout_id(), o.lock_word().load(SeqCst)), (id, 0x00ee_0000));
            assert_eq!(o.get_ref(at[0]), m.get(g.ring).array_ref(3));
            assert_eq!((o.get_u32(at[1]), o.get_u64(at[2])), (7, 8));
        }
    });
}
