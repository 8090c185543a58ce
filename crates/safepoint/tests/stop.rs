//! Real threads: stops, transitions, poll bits, and the log.
use concord_contract::Thread;
use concord_contract::thread::{ThreadState, poll as bits};
use concord_safepoint::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// The registry is one per process.
static ALONE: Mutex<()> = Mutex::new(());

fn attach() -> &'static Thread {
    let th: &'static Thread = Box::leak(Thread::new_boxed());
    th.stack_limit.set(0x1000);
    Thread::set_current(th);
    register(th);
    th
}

fn detach(th: &Thread) {
    unregister(th);
    Thread::set_current(std::ptr::null());
}

#[test]
fn nobody_runs_during_a_stop() {
    let _alone = ALONE.lock().unwrap();
    let th = attach();
    let work = Arc::new(AtomicU64::new(0));
    let done = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..3)
        .map(|i| {
            let (work, done) = (work.clone(), done.clone());
            std::thread::spawn(move || {
                let th = attach();
                while !done.load(SeqCst) {
                    work.fetch_add(1, SeqCst);
                    match i {
                        0 => poll(th),
                        1 => {
                            to_native(th);
                            to_vm(th);
                        }
                        _ => in_native(std::thread::yield_now),
                    }
                }
                detach(th);
            })
        })
        .collect();
    in_native(|| {
        while number() < 4 {
            std::thread::yield_now();
        }
    });
    for _ in 0..200 {
        let before = counters().stops;
        stop_the_world("Test", |stopped| {
            assert!(is_stopped());
            assert_eq!(stopped.threads().count(), 4);
            let at = work.load(SeqCst);
            std::thread::sleep(std::time::Duration::from_micros(50));
            assert_eq!(work.load(SeqCst), at, "a thread ran while the world was stopped");
        });
        assert_eq!(counters().stops, before + 1);
        poll(th);
    }
    done.store(true, SeqCst);
    blocked(|| threads.into_iter().for_each(|t| t.join().unwrap()));
    assert_eq!(number(), 1);
    detach(th);
    assert_eq!(th.state(), ThreadState::New);
    assert_eq!(number(), 0);
}

#[test]
fn a_sleeping_thread_holds_up_no_stop() {
    let _alone = ALONE.lock().unwrap();
    let (send, wait) = std::sync::mpsc::channel::<()>();
    let sleeper = std::thread::spawn(move || {
        let th = attach();
        blocked(|| wait.recv().unwrap());
        assert_eq!(th.state(), ThreadState::InVm);
        detach(th);
    });
    while number() != 1 {
        std::thread::yield_now();
    }
    // From a thread that is no mutator, as a signal or management thread would be.
    stop_the_world("Test", |s| {
        let th = s.threads().next().unwrap();
        assert_eq!(th.poll.load(SeqCst) & bits::SAFEPOINT, bits::SAFEPOINT);
        assert_eq!(th.limit.load(SeqCst), 0);
        assert!(th.native_limit.get() < th.native_sp.get() && th.native_sp.get() < th.native_base.get());
    });
    let mut seen = (1, 1);
    for_each_thread(|th| seen = (th.poll.load(SeqCst), th.limit.load(SeqCst)));
    assert_eq!(seen, (0, 0x1000));
    send.send(()).unwrap();
    sleeper.join().unwrap();
}

#[test]
fn the_stack_limit_comes_back_with_the_last_bit() {
    let _alone = ALONE.lock().unwrap();
    let th = attach();
    assert_eq!(th.limit.load(SeqCst), 0x1000);
    set_poll(th, bits::SUSPEND | bits::HANDSHAKE);
    assert_eq!(th.limit.load(SeqCst), 0);
    clear_poll(th, bits::SUSPEND);
    assert_eq!((th.limit.load(SeqCst), th.poll.load(SeqCst)), (0, bits::HANDSHAKE));
    poll_slow(th);
    assert_eq!(th.limit.load(SeqCst), 0, "a poll without a stop touched other bits");
    clear_poll(th, bits::HANDSHAKE);
    assert_eq!((th.limit.load(SeqCst), th.poll.load(SeqCst)), (0x1000, 0));
    detach(th);
}

#[test]
fn the_log_has_hotspots_form() {
    let _alone = ALONE.lock().unwrap();
    let file = std::env::temp_dir().join(format!("safepoint-{}.log", std::process::id()));
    concord_base::log::configure(&format!(":safepoint:file={}", file.display())).unwrap();
    stop_the_world("PrintThreads", |_| {});
    concord_base::log::configure(":safepoint=off").unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let (_, line) = text.lines().next().unwrap().split_once("] Safepoint ").unwrap();
    let words: Vec<&str> = line.split(|c: char| c.is_ascii_digit()).filter(|w| !w.is_empty()).collect();
    assert_eq!(
        words,
        [
            "\"PrintThreads\", Time since last: ",
            " ns, Reaching safepoint: ",
            " ns, At safepoint: ",
            " ns, Total: ",
            " ns"
        ]
    );
}
