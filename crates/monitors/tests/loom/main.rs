//! Every interleaving (up to a bound of preemptions) of the real operations under the C11 memory
//! model. A data race on the protected value, a thread that is never woken and a broken assertion
//! all fail the test. Run with `RUSTFLAGS="--cfg loom" cargo test --release --test loom`.
#![cfg(loom)]

mod exclusion;
mod waiting;

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
