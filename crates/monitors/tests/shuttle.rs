//! Random and priority-based schedules of the whole room: more threads, objects and operations
//! than loom can exhaust, with collections that move objects and take records off. Run with
//! `RUSTFLAGS="--cfg shuttle" cargo test --release --test shuttle`; `SHUTTLE_ITERATIONS` says how
//! many schedules of each kind.
#![cfg(shuttle)]

use std::sync::Arc as StdArc;
use std::sync::atomic::{AtomicU64 as StdU64, Ordering::Relaxed};

use concord_monitors::{
    AtomicU32, Block, MonitorTable, MonitorThread, ObjectRef, Options, Park, Totals, Verdict, WaitOutcome, enter, wait,
};
use shuttle::rand::{Rng, thread_rng};
use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use shuttle::sync::{Arc, Condvar, Mutex};
use shuttle::thread;

const THREADS: usize = 4;
const OBJECTS: usize = 2;
const PLACES: usize = 64;

/// An object and the places that the collector may move it to.
struct Object {
    words: Vec<AtomicU32>,
    at: AtomicUsize,
    inside: AtomicUsize,
    value: StdU64,
    hash: StdU64,
}

impl Object {
    fn word(&self) -> &AtomicU32 {
        &self.words[self.at.load(SeqCst)]
    }
}

struct Ref<'a>(&'a Object);

// SAFETY: the place changes only while the thread is stopped.
unsafe impl ObjectRef for Ref<'_> {
    fn lock_word(&self) -> *const AtomicU32 {
        self.0.word()
    }
    fn address(&self) -> u64 {
        std::ptr::from_ref(self.0.word()) as u64
    }
}

/// Stops the world: a thread is running unless it sleeps in the room or waits at `poll`.
#[derive(Default)]
struct Safepoint {
    state: Mutex<(bool, usize)>,
    changed: Condvar,
}

impl Safepoint {
    fn begin_running(&self) {
        let mut s = self.state.lock().expect("no panic inside");
        while s.0 {
            s = self.changed.wait(s).expect("no panic inside");
        }
        s.1 += 1;
    }

    fn end_running(&self) {
        self.state.lock().expect("no panic inside").1 -= 1;
        self.changed.notify_all();
    }

    fn poll(&self) {
        self.end_running();
        self.begin_running();
    }

    fn stopped(&self, body: impl FnOnce()) {
        let mut s = self.state.lock().expect("no panic inside");
        s.0 = true;
        while s.1 > 0 {
            s = self.changed.wait(s).expect("no panic inside");
        }
        drop(s);
        body();
        self.state.lock().expect("no panic inside").0 = false;
        self.changed.notify_all();
    }
}

struct World {
    table: StdArc<MonitorTable>,
    safepoint: Safepoint,
    objects: Vec<Object>,
    threads: Vec<Thread>,
}

struct Thread {
    monitors: MonitorThread,
    interrupted: AtomicBool,
}

struct Running<'a>(&'a World, usize);

// SAFETY: `monitor_thread` answers the one value of the thread with this number.
unsafe impl Park for Running<'_> {
    fn monitor_thread(&self) -> &MonitorThread {
        &self.0.threads[self.1].monitors
    }
    fn before_block(&self, _why: Block) {
        self.0.safepoint.end_running();
    }
    fn after_block(&self) {
        self.0.safepoint.begin_running();
    }
    fn is_interrupted(&self) -> bool {
        self.0.threads[self.1].interrupted.load(SeqCst)
    }
    fn clear_interrupt(&self) {
        self.0.threads[self.1].interrupted.store(false, SeqCst);
    }
}

/// Leave as the VM's callers do: the fast part, then the room.
fn exit(me: &MonitorThread, o: &Object) {
    let address = Ref(o).address();
    if !me.try_exit_fast(o.word(), address) {
        me.exit(o.word(), address).expect("owner");
    }
}

impl World {
    fn new(options: Options) -> Arc<World> {
        let table = MonitorTable::reserve(options).expect("records");
        let object = || Object {
            words: (0..PLACES).map(|_| AtomicU32::new(0)).collect(),
            at: AtomicUsize::new(0),
            inside: AtomicUsize::new(0),
            value: StdU64::new(0),
            hash: StdU64::new(0),
        };
        // SAFETY: each value is handed to one thread, and there is one table.
        let thread = |i| Thread {
            monitors: unsafe { MonitorThread::new(&table, i as u64 + 1) },
            interrupted: AtomicBool::new(false),
        };
        Arc::new(World {
            safepoint: Safepoint::default(),
            objects: (0..OBJECTS).map(|_| object()).collect(),
            threads: (0..THREADS).map(thread).collect(),
            table,
        })
    }

    fn see_hash(&self, t: &Running<'_>, o: &Object) {
        let hash = u64::from(t.monitor_thread().hash_code(o.word()).expect("a hash"));
        let before = o.hash.swap(hash, Relaxed);
        assert!(before == 0 || before == hash, "the hash changed");
    }

    /// One round of one thread: lock, do something random inside, unlock.
    fn round(&self, t: &Running<'_>, rounds: &StdU64) {
        let o = &self.objects[thread_rng().gen_range(0..OBJECTS)];
        let me = t.monitor_thread();
        if thread_rng().gen_range(0..4) == 0 {
            self.see_hash(t, o);
        }
        enter(t, &Ref(o));
        assert_eq!(o.inside.fetch_add(1, SeqCst), 0, "two threads inside");
        match thread_rng().gen_range(0..6) {
            0 => {
                enter(t, &Ref(o));
                assert_eq!(me.depth(o.word()), 2);
                exit(me, o);
            }
            1 => {
                o.inside.fetch_sub(1, SeqCst);
                // Under shuttle a timed wait may end at once; a notification may come first.
                let outcome = wait(t, &Ref(o), Some(1)).expect("owner");
                assert!(outcome == WaitOutcome::Notified || !me.waiters(o.word()).expect("owner").contains(&me.tid()));
                assert_eq!(o.inside.fetch_add(1, SeqCst), 0, "two threads inside");
            }
            2 => {
                let before = me.waiters(o.word()).expect("owner").len();
                me.notify(o.word()).expect("owner");
                let after = me.waiters(o.word()).expect("owner").len();
                assert!(after <= before, "a notification does not make waiters");
            }
            3 => {
                me.notify_all(o.word()).expect("owner");
                assert_eq!(me.waiters(o.word()), Ok(vec![]));
            }
            4 => {
                let other = &self.threads[thread_rng().gen_range(0..THREADS)];
                other.interrupted.store(true, SeqCst);
                other.monitors.unpark();
            }
            _ => self.see_hash(t, o),
        }
        assert_eq!(o.inside.fetch_sub(1, SeqCst), 1);
        o.value.store(o.value.load(Relaxed) + 1, Relaxed);
        exit(me, o);
        rounds.fetch_add(1, Relaxed);
    }

    /// Move every object, update and sweep the records, check the laws.
    fn collect(&self) {
        let mut moved = std::collections::HashMap::new();
        for o in &self.objects {
            let at = o.at.load(SeqCst);
            assert!(at + 1 < PLACES, "more collections than places");
            o.words[at + 1].store(o.words[at].load(SeqCst), SeqCst);
            moved.insert(std::ptr::from_ref(&o.words[at]) as u64, std::ptr::from_ref(&o.words[at + 1]) as u64);
            o.words[at].store(0xdead_0003, SeqCst);
            o.at.store(at + 1, SeqCst);
        }
        let threads: Vec<_> = self.threads.iter().map(|t| &t.monitors).collect();
        // SAFETY: the world is stopped; addresses are those of words.
        let broken = unsafe {
            let stop = self.table.at_stop();
            stop.sweep(|m| Verdict::Alive(moved[&m.object()]), |a| a as *const AtomicU32);
            stop.verify(&threads, |a| a as *const AtomicU32)
        };
        assert!(broken.is_empty(), "{broken:#?}");
    }
}

fn scenario(options: Options, totals: &std::sync::Mutex<Totals>) {
    let world = World::new(options);
    let rounds = Arc::new(StdU64::new(0));
    let handles: Vec<_> = (0..THREADS)
        .map(|i| {
            let (world, rounds) = (world.clone(), rounds.clone());
            thread::spawn(move || {
                world.safepoint.begin_running();
                for _ in 0..6 {
                    world.round(&Running(&world, i), &rounds);
                    world.safepoint.poll();
                }
                world.safepoint.end_running();
            })
        })
        .collect();
    for _ in 0..3 {
        world.safepoint.stopped(|| world.collect());
        thread::yield_now();
    }
    for handle in handles {
        handle.join().expect("no panic inside");
    }
    world.collect();
    let sum: u64 = world.objects.iter().map(|o| o.value.load(Relaxed)).sum();
    assert_eq!(sum, rounds.load(Relaxed), "an update was lost");
    // After a collection no record is attached to an unlocked object.
    // SAFETY: all threads have ended.
    unsafe { world.table.at_stop().for_each_attached(|m| panic!("left behind: {m}")) };
    let run = world.table.totals(world.threads.iter().map(|t| &t.monitors));
    let mut all = totals.lock().expect("no panic inside");
    all.misspeculations += run.misspeculations;
    all.stale += run.stale;
    all.notified += run.notified;
    all.timed_out += run.timed_out;
    all.interrupted += run.interrupted;
    all.wakeups += run.wakeups;
}

fn options() -> Options {
    Options { records: 64, spin: 3, sticky_exits: 2, ..Options::default() }
}

fn iterations() -> usize {
    std::env::var("SHUTTLE_ITERATIONS").map_or(1000, |v| v.parse().expect("a number"))
}

fn check(options: Options, name: &str) {
    let totals = StdArc::new(std::sync::Mutex::new(Totals::default()));
    let mut missing = vec![];
    // A wait that times out at once is rarely notified: what has not happened gets more schedules.
    for _ in 0..10 {
        let (random, pct) = (totals.clone(), totals.clone());
        shuttle::check_random(move || scenario(options, &random), iterations());
        shuttle::check_pct(move || scenario(options, &pct), iterations() / 4 + 1, 3);
        let totals = totals.lock().expect("no panic inside");
        println!("{name}: {totals:?}");
        missing = [
            ("misspeculations", totals.misspeculations),
            ("stale", totals.stale),
            ("notified", totals.notified),
            ("timed out", totals.timed_out),
            ("interrupted", totals.interrupted),
            ("wakeups", totals.wakeups),
        ]
        .into_iter()
        .filter(|(_, n)| *n == 0)
        .map(|(what, _)| what)
        .collect();
        if missing.is_empty() {
            return;
        }
    }
    panic!("{name}: no schedule had any {missing:?}");
}

#[test]
fn the_room_under_random_schedules() {
    check(options(), "sticky");
}

#[test]
fn the_room_without_hysteresis() {
    check(Options { sticky: false, ..options() }, "eager");
}

#[test]
fn the_room_without_the_throttle() {
    check(Options { throttle: false, ..options() }, "unthrottled");
}
