//! Every interleaving (up to a bound of preemptions) of the real operations under the C11 memory
//! model. A data race on the protected value, a thread that is never woken and a broken assertion
//! all fail the test. Run with `RUSTFLAGS="--cfg loom" cargo test --release --test loom`.
#![cfg(loom)]

use std::sync::Arc as StdArc;
use std::sync::atomic::AtomicBool as StdBool;
use std::sync::atomic::Ordering::SeqCst;

use concord_monitors::{
    AtomicU32, Block, IllegalMonitorState, LockWord, MonitorTable, MonitorThread, ObjectRef, Options, Park,
    WaitOutcome, enter, wait,
};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;

/// An object with a value that its monitor protects, and the hash that somebody has seen.
struct Object {
    word: AtomicU32,
    value: UnsafeCell<u32>,
    flag: UnsafeCell<bool>,
    seen_hash: Mutex<Option<u32>>,
}

// SAFETY: the cells are touched only inside the monitor, which is what loom checks.
unsafe impl Sync for Object {}
// SAFETY: as above.
unsafe impl Send for Object {}

impl Object {
    fn new() -> Object {
        Object {
            word: AtomicU32::new(0),
            value: UnsafeCell::new(0),
            flag: UnsafeCell::new(false),
            seen_hash: Mutex::new(None),
        }
    }

    /// Note a hash; all notes must agree (I8).
    fn saw(&self, hash: u32) {
        let mut seen = self.seen_hash.lock().expect("no panic inside");
        assert_eq!(*seen.get_or_insert(hash), hash, "the hash changed");
    }
}

struct Ref<'a>(&'a Object);

// SAFETY: the object does not move while it is borrowed.
unsafe impl ObjectRef for Ref<'_> {
    fn lock_word(&self) -> *const AtomicU32 {
        &self.0.word
    }

    fn address(&self) -> u64 {
        std::ptr::from_ref(self.0) as u64
    }
}

/// One modelled thread.
struct Thread {
    monitors: MonitorThread,
    interrupted: AtomicBool,
}

impl Thread {
    fn new(table: &StdArc<MonitorTable>, tid: u64) -> Thread {
        // SAFETY: each model hands the value to one thread, and uses one table.
        Thread { monitors: unsafe { MonitorThread::new(table, tid) }, interrupted: AtomicBool::new(false) }
    }

    fn enter(&self, o: &Object) {
        enter(self, &Ref(o));
    }

    fn exit(&self, o: &Object) {
        // As the VM's callers do: the fast part, then the room.
        let address = Ref(o).address();
        if !self.monitors.try_exit_fast(&o.word, address) {
            self.monitors.exit(&o.word, address).expect("owner");
        }
    }

    fn wait(&self, o: &Object, timeout: Option<u64>) -> WaitOutcome {
        wait(self, &Ref(o), timeout).expect("owner")
    }

    fn notify(&self, o: &Object) {
        self.monitors.notify(&o.word).expect("owner");
    }

    fn hash(&self, o: &Object) {
        o.saw(self.monitors.hash_code(&o.word).expect("a hash"));
    }

    /// Enter, add one, leave.
    fn add(&self, o: &Object) {
        self.enter(o);
        o.value.with_mut(|p| unsafe { *p += 1 });
        self.exit(o);
    }
}

// SAFETY: `monitor_thread` answers the one value of the thread that owns `self`.
unsafe impl Park for Thread {
    fn monitor_thread(&self) -> &MonitorThread {
        &self.monitors
    }
    fn before_block(&self, _why: Block) {}
    fn after_block(&self) {}
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Acquire)
    }
    fn clear_interrupt(&self) {
        self.interrupted.store(false, Ordering::Release);
    }
}

struct World {
    table: StdArc<MonitorTable>,
    objects: Vec<Object>,
    threads: Vec<Thread>,
}

impl World {
    fn new(options: Options, objects: usize, threads: u64) -> Arc<World> {
        let table = MonitorTable::reserve(options).expect("records");
        Arc::new(World {
            objects: (0..objects).map(|_| Object::new()).collect(),
            threads: (1..=threads).map(|tid| Thread::new(&table, tid)).collect(),
            table,
        })
    }

    /// The end of a run: nobody inside, nothing lost.
    fn check(&self, values: &[u32]) {
        for (o, &expected) in self.objects.iter().zip(values) {
            assert_eq!(o.value.with(|p| unsafe { *p }), expected);
            self.threads[0].hash(o);
        }
        let threads: Vec<_> = self.threads.iter().map(|t| &t.monitors).collect();
        // SAFETY: the other threads have ended, and addresses are those of `Object`s.
        let broken =
            unsafe { self.table.at_stop().verify(&threads, |address| &raw const (*(address as *const Object)).word) };
        assert!(broken.is_empty(), "{broken:#?}");
    }
}

fn options() -> Options {
    Options { records: 8, spin: 0, ..Options::default() }
}

fn eager() -> Options {
    Options { sticky: false, ..options() }
}

/// Explore all executions with up to `bound` preemptions, or fewer if `MODEL_PREEMPTIONS` says so.
fn explore(bound: usize, run: impl Fn() + Sync + Send + 'static) {
    run_counted(builder(bound), run);
}

fn builder(bound: usize) -> loom::model::Builder {
    let most = std::env::var("MODEL_PREEMPTIONS").map_or(bound, |v| v.parse().expect("a number"));
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound.min(most));
    builder.max_branches = 20_000;
    builder
}

fn run_counted(builder: loom::model::Builder, run: impl Fn() + Sync + Send + 'static) {
    let runs = StdArc::new(std::sync::atomic::AtomicU64::new(0));
    let counted = runs.clone();
    builder.check(move || {
        counted.fetch_add(1, SeqCst);
        run();
    });
    println!("executions: {}", runs.load(SeqCst));
}

/// Run `bodies[i]` as thread `i`; body 0 runs on the model's main thread.
fn race(world: &Arc<World>, bodies: Vec<fn(&World, &Thread)>) {
    let mut handles = Vec::new();
    for (i, body) in bodies.iter().copied().enumerate().skip(1) {
        let world = world.clone();
        handles.push(thread::spawn(move || body(&world, &world.threads[i])));
    }
    bodies[0](world, &world.threads[0]);
    for handle in handles {
        handle.join().expect("no panic inside");
    }
}

fn add_once(w: &World, t: &Thread) {
    t.add(&w.objects[0]);
}

/// Lets the others go on while it is inside, at no cost in preemptions: the shape in which an
/// exit finds that another thread has inflated the object meanwhile.
fn add_slowly(w: &World, t: &Thread) {
    let o = &w.objects[0];
    t.enter(o);
    o.value.with_mut(|p| unsafe { *p += 1 });
    thread::yield_now();
    t.exit(o);
}

fn add_twice(w: &World, t: &Thread) {
    t.add(&w.objects[0]);
    t.add(&w.objects[0]);
}

#[test]
fn two_threads_exclude_each_other() {
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(&w, vec![add_twice, add_once]);
        w.check(&[3]);
    });
}

#[test]
fn two_threads_exclude_each_other_sticky() {
    explore(3, || {
        let w = World::new(Options { sticky_exits: 1, ..options() }, 1, 2);
        race(&w, vec![add_twice, add_once]);
        w.check(&[3]);
    });
}

#[test]
fn two_threads_without_the_throttle() {
    explore(2, || {
        let w = World::new(Options { throttle: false, ..eager() }, 1, 2);
        race(&w, vec![add_twice, add_twice]);
        w.check(&[4]);
    });
}

/// The record of the last enter is not the one that the second exit is for (D11).
#[test]
fn two_monitors_are_left_in_any_order() {
    explore(2, || {
        let w = World::new(eager(), 2, 2);
        let nested = |w: &World, t: &Thread| {
            let (a, b) = (&w.objects[0], &w.objects[1]);
            t.enter(a);
            t.add(b);
            a.value.with_mut(|p| unsafe { *p += 1 });
            t.exit(a);
        };
        race(&w, vec![nested, |w, t| t.add(&w.objects[0])]);
        w.check(&[2, 1]);
    });
}

#[test]
fn three_threads_exclude_each_other() {
    explore(2, || {
        let w = World::new(eager(), 1, 3);
        race(&w, vec![add_once, add_once, add_slowly]);
        w.check(&[3]);
    });
}

/// Deeper than can be exhausted: as far as a minute leads (`MODEL_SECONDS`).
#[test]
fn three_threads_deeper() {
    let seconds = std::env::var("MODEL_SECONDS").map_or(60, |v| v.parse().expect("a number"));
    let mut builder = builder(3);
    builder.max_duration = Some(std::time::Duration::from_secs(seconds));
    run_counted(builder, || {
        let w = World::new(eager(), 1, 3);
        race(&w, vec![add_once, add_once, add_once]);
        w.check(&[3]);
    });
}

#[test]
fn a_record_changes_its_object_under_a_stale_reader() {
    explore(3, || {
        let w = World::new(eager(), 2, 2);
        race(
            &w,
            vec![
                |w, t| {
                    t.add(&w.objects[0]);
                    t.add(&w.objects[1]);
                    t.add(&w.objects[0]);
                },
                add_once,
            ],
        );
        w.check(&[3, 1]);
    });
}

#[test]
fn a_stale_owner_lets_go() {
    explore(2, || {
        let w = World::new(Options { sticky_exits: 1, ..options() }, 2, 3);
        race(
            &w,
            vec![
                |w, t| {
                    t.add(&w.objects[0]);
                    t.add(&w.objects[1]);
                },
                add_once,
                |w, t| t.add(&w.objects[1]),
            ],
        );
        w.check(&[2, 2]);
    });
}

#[test]
fn a_hash_is_stable_across_locking() {
    explore(3, || {
        let w = World::new(eager(), 2, 2);
        race(
            &w,
            vec![
                |w, t| {
                    t.add(&w.objects[0]);
                    t.add(&w.objects[1]);
                    t.add(&w.objects[0]);
                    t.hash(&w.objects[0]);
                },
                |w, t| {
                    t.hash(&w.objects[0]);
                    t.hash(&w.objects[0]);
                },
            ],
        );
        w.check(&[2, 1]);
    });
}

#[test]
fn a_notified_thread_comes_back() {
    explore(2, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    while !o.flag.with(|p| unsafe { *p }) {
                        assert_eq!(t.wait(o, None), WaitOutcome::Notified);
                    }
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.notify(o);
                    t.exit(o);
                    t.add(o);
                },
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn two_waiters_are_both_notified() {
    explore(1, || {
        let w = World::new(eager(), 1, 3);
        let waiter: fn(&World, &Thread) = |w, t| {
            let o = &w.objects[0];
            t.enter(o);
            while !o.flag.with(|p| unsafe { *p }) {
                t.wait(o, None);
            }
            o.value.with_mut(|p| unsafe { *p += 1 });
            t.exit(o);
        };
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.monitors.notify_all(&o.word).expect("owner");
                    t.exit(o);
                },
                waiter,
                waiter,
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn a_timeout_races_with_an_owner_that_leaves() {
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    assert_eq!(t.wait(o, Some(1)), WaitOutcome::TimedOut);
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                add_once,
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn a_timeout_and_a_notification_have_one_outcome() {
    explore(2, || {
        let w = World::new(eager(), 1, 3);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.notify(o);
                    t.exit(o);
                },
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    t.wait(o, Some(1));
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                |w, t| {
                    // Waits for ever unless the notification reaches it when the other timed out: so
                    // it hands on what it may have received too early.
                    let o = &w.objects[0];
                    t.enter(o);
                    if !o.flag.with(|p| unsafe { *p }) {
                        t.wait(o, Some(1));
                    }
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
            ],
        );
        w.check(&[2]);
    });
}

#[test]
fn an_interrupt_and_a_notification_have_one_outcome() {
    explore(2, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![
                |w, t| {
                    let o = &w.objects[0];
                    t.enter(o);
                    if !o.flag.with(|p| unsafe { *p }) {
                        match t.wait(o, None) {
                            // The status is left alone by a notification, cleared by the other.
                            WaitOutcome::Notified => assert!(o.flag.with(|p| unsafe { *p })),
                            WaitOutcome::Interrupted => {
                                assert!(!t.interrupted.load(Ordering::Acquire))
                            }
                            WaitOutcome::TimedOut => panic!("no deadline was given"),
                        }
                    }
                    o.value.with_mut(|p| unsafe { *p += 1 });
                    t.exit(o);
                },
                |w, t| {
                    let o = &w.objects[0];
                    w.threads[0].interrupted.store(true, Ordering::Release);
                    w.threads[0].monitors.unpark();
                    t.enter(o);
                    o.flag.with_mut(|p| unsafe { *p = true });
                    t.notify(o);
                    t.exit(o);
                },
            ],
        );
        w.check(&[1]);
    });
}

#[test]
fn somebody_else_is_not_the_owner() {
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(
            &w,
            vec![add_twice, |w, t| {
                let o = &w.objects[0];
                assert!(!t.monitors.is_owner(&o.word));
                assert_eq!(t.monitors.exit(&o.word, Ref(&o).address()), Err(IllegalMonitorState));
                t.hash(o);
            }],
        );
        w.check(&[2]);
        assert!(!LockWord(w.objects[0].word.load(Ordering::Relaxed)).is_monitor());
    });
}

/// The counters say that the interesting paths are among the explored ones.
#[test]
fn recovery_is_explored() {
    static REINFLATED: StdBool = StdBool::new(false);
    static ABANDONED: StdBool = StdBool::new(false);
    static RECLAIMED: StdBool = StdBool::new(false);
    static STALE: StdBool = StdBool::new(false);
    explore(3, || {
        let w = World::new(eager(), 1, 2);
        race(&w, vec![add_twice, add_twice]);
        let totals = w.table.totals(w.threads.iter().map(|t| &t.monitors));
        REINFLATED.fetch_or(totals.reinflations > 0, SeqCst);
        ABANDONED.fetch_or(totals.abandoned > 0, SeqCst);
        RECLAIMED.fetch_or(totals.reclaimed > 0, SeqCst);
        STALE.fetch_or(totals.stale > 0, SeqCst);
        w.check(&[4]);
    });
    for (name, seen) in
        [("re-inflation", &REINFLATED), ("abandonment", &ABANDONED), ("reclaim", &RECLAIMED), ("stale record", &STALE)]
    {
        assert!(seen.load(SeqCst), "no explored execution has a {name}");
    }
}
