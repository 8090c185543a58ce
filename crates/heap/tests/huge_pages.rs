//! Who gets huge pages, as the kernel counts them; each test has a process of its own.
mod harness;
use concord_heap::*;
use harness::*;

/// Bytes of the process in huge pages.
fn huge() -> usize {
    let all = std::fs::read_to_string("/proc/self/smaps_rollup").expect("smaps");
    let line = all.lines().find(|l| l.starts_with("AnonHugePages:")).expect("AnonHugePages");
    line.split_whitespace().nth(1).expect("a number").parse::<usize>().expect("a number") << 10
}

/// Whether the kernel makes huge pages where it is asked, and nowhere else.
fn makes_them() -> bool {
    std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").is_ok_and(|s| s.contains("[madvise]"))
}

/// Has `mb` megabytes grow old, and a large array of as many; how much is in huge pages then.
#[inline(never)]
fn after(mb: usize, huge_pages: HugePages) -> usize {
    let options = HeapOptions {
        max: 256 * MB,
        min: 256 * MB,
        min_is_asked: true,
        huge_pages,
        zeal: Zeal::default(),
        ..small(MB)
    };
    let (c, m) = start(options);
    let arrays = m.push(m.array(c.refs, mb * 64));
    for i in 0..mb * 64 {
        let a = m.array(c.bytes, 16_000);
        a.put_u8(16, i as u8);
        store_ref(m.get(arrays), 12 + 4 * i, a);
    }
    let large = m.push(m.array(c.bytes, mb * MB));
    (0..mb * MB).step_by(4096).for_each(|i| m.get(large).put_u8(16 + i, 1));
    system_gc(m.th);
    for i in 0..mb * 64 {
        assert_eq!(m.get(arrays).array_ref(i).get_u8(16), i as u8);
    }
    assert!((0..mb * MB).step_by(4096).all(|i| m.get(large).get_u8(16 + i) == 1));
    huge()
}

#[test]
fn what_grows_old_gets_them() {
    in_child("what_grows_old_gets_them", || {
        let bytes = after(80, HugePages::Old);
        assert!(!makes_them() || bytes > 100 * MB, "{} of 160 MB", bytes / MB);
    });
}

#[test]
fn a_small_heap_has_none() {
    in_child("a_small_heap_has_none", || {
        let bytes = after(8, HugePages::Old);
        assert!(!makes_them() || bytes == 0, "{} MB", bytes / MB);
    });
}

#[test]
fn nobody_has_them_if_they_are_off() {
    in_child("nobody_has_them_if_they_are_off", || {
        let bytes = after(80, HugePages::Nobody);
        assert!(!makes_them() || bytes == 0, "{} MB", bytes / MB);
    });
}

/// The chunks that were handed out while the heap was small: a third of this one.
#[test]
fn the_first_chunks_are_made_up_for() {
    in_child("the_first_chunks_are_made_up_for", || {
        let bytes = after(40, HugePages::Old);
        assert!(!makes_them() || bytes > 66 * MB, "{} of 80 MB", bytes / MB);
    });
}
