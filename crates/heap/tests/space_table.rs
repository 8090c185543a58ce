//! The collector's table of spaces for heaps above 4 GB: nothing of it stays resident, and it says what it said.
mod harness;
use concord_heap::*;
use harness::*;

#[global_allocator]
static ALLOCATOR: space_table::Allocator = space_table::Allocator;

/// Kilobytes of the process that are resident.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/status").expect("own status");
    let line = text.lines().find(|l| l.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number")
}

#[test]
fn a_large_heap_has_a_small_table() {
    in_child("a_large_heap_has_a_small_table", || {
        let (c, m) = start(small(6 << 30));
        let rss = resident();
        assert!(rss < 100 << 10, "{rss} KB are resident");
        let (at, size) = space_table::place().expect("the table was asked for");
        // SAFETY: the table, which the collector has written and nobody changes but where the heap grows.
        let entry = |i: usize| unsafe { (at as *const u128).add(i).read_volatile() };
        // Those of 0 to 32 GB are the heap's; of the others some in each page, and all of some pages.
        let (first, end, none) = (8192, size / 16, entry(0));
        let all = (first..first + (1 << 18)).chain((first..end).step_by(255)).chain(end - (1 << 18)..end);
        assert!(none != 0 && all.clone().all(|i| entry(i) == none));
        // SAFETY: an entry that the collector never looks at.
        unsafe { (at as *mut u128).add(1 << 18).write_volatile(1) };
        let changed: Vec<usize> = (first..1 << 22).filter(|i| entry(*i) != none).collect();
        assert_eq!(changed, [1 << 18], "a write changes one entry");
        // The heap is one.
        for _ in 0..100_000 {
            assert!(alloc_instance(m.th, c.node).is_some());
        }
        system_gc(m.th);
    });
}

#[test]
fn a_small_heap_asks_for_none() {
    in_child("a_small_heap_asks_for_none", || {
        let (_, _) = start(small(64 * MB));
        assert!(space_table::place().is_none());
    });
}
