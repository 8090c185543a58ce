//! The kernel may begin to refuse `membarrier` in the middle of a run, by a filter that a thread
//! sets on itself (C30). Entering must go on, by polling, and say so once. A process of its own,
//! since the filter cannot be taken off.
#![cfg(not(any(loom, shuttle)))]

mod support;

use std::sync::atomic::{AtomicU64, Ordering};

use concord_monitors::{MonitorTable, Options, enter, wait};
use support::{Object, Thread};

static WARNINGS: AtomicU64 = AtomicU64::new(0);

/// From now on `membarrier` fails with EPERM in this thread.
fn refuse_membarrier() {
    let op = |code: u32, jt: u8, jf: u8, k: u32| libc::sock_filter { code: code as u16, jt, jf, k };
    let mut program = [
        // Load the system call's number; EPERM for membarrier, allow all else.
        op(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        op(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, libc::SYS_membarrier as u32),
        op(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        op(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the program is well formed and outlives the call, which copies it.
    unsafe {
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        assert_eq!(libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter), 0);
    }
}

#[test]
fn a_barrier_refused_later_costs_time_but_strands_nobody() {
    let table = MonitorTable::reserve(Options {
        records: 1 << 16,
        sticky: false,
        spin: 0,
        warn: |text| {
            assert!(text.contains("polled"), "{text}");
            WARNINGS.fetch_add(1, Ordering::SeqCst);
        },
        ..Options::default()
    })
    .expect("records");
    if table.fenced() {
        println!("this kernel has no membarrier: nothing to refuse");
        return;
    }
    let objects = &[Object::default(), Object::default()];
    let inside = &[AtomicU64::new(0), AtomicU64::new(0)];
    let threads: Vec<_> = (1..=4).map(|tid| Thread::new(&table, tid)).collect();
    std::thread::scope(|s| {
        for t in &threads {
            s.spawn(move || {
                refuse_membarrier();
                for i in 0..3000u64 {
                    let which = (i / 7 % 2) as usize;
                    let o = &&objects[which];
                    enter(t, o);
                    assert_eq!(inside[which].fetch_add(1, Ordering::SeqCst), 0, "two threads inside");
                    if i % 7 == 0 {
                        std::thread::yield_now();
                    }
                    inside[which].fetch_sub(1, Ordering::SeqCst);
                    if i % 500 == 1 {
                        wait(t, o, Some(100_000)).expect("owner");
                    }
                    t.monitors.notify_all(&o.word).expect("owner");
                    t.exit(o).expect("owner");
                }
            });
        }
    });
    assert_eq!(WARNINGS.load(Ordering::SeqCst), 1, "one warning, not one per failure");
    let totals = table.totals(threads.iter().map(|t| &t.monitors));
    assert!(totals.heavy_barriers > 0 && totals.parks > 0, "no contention: {totals:?}");
}
