//! Threads come and go for ever: what one leaves behind is multiplied by all.
mod harness;
use concord_heap::*;
use harness::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

struct Counting;

/// Bytes that are allocated and not freed.
static LIVE: AtomicIsize = AtomicIsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size() as isize, Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as isize, Relaxed);
        // SAFETY: as the caller says.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_thread_that_leaves_takes_everything_with_it() {
    in_child("a_thread_that_leaves_takes_everything_with_it", || {
        let (_, m) = start(small(32 * MB));
        let rounds = |n: usize| {
            for _ in 0..n {
                detach(m.th);
                attach(m.th);
            }
        };
        rounds(10);
        let before = LIVE.load(Relaxed);
        rounds(1000);
        let kept = LIVE.load(Relaxed) - before;
        assert!(kept < 1000, "1000 threads left {kept} bytes behind");
    });
}
