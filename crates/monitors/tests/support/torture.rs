//! The torture run: threads that lock, nest, wait, notify, interrupt and hash a few objects at
//! random while a collector stops the world, takes idle records off and checks the laws. Half of
//! the entries and exits are those of compiled code ([`super::inline`]).
//!
//! Looked for: two threads inside, a lost update, a thread that is never woken (the watchdog), a
//! hash that changes, a broken law at a stop, a record that is lost.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::*};
use std::sync::{Arc, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use concord_monitors::{Block, MonitorTable, MonitorThread, Options, Park, Totals, Verdict, WaitOutcome, enter, wait};

use super::inline::{enter_inline, exit_inline};
use super::{Object, exit, word_of};

/// What to run.
#[derive(Clone, Copy)]
pub struct Plan {
    pub threads: usize,
    pub objects: usize,
    /// Operations of all threads together.
    pub operations: u64,
    pub seed: u64,
    /// Stop if nothing happens for so long.
    pub patience: Duration,
    pub fault: Option<Fault>,
}

/// A mistake made on purpose: the run must end with a complaint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A thread goes inside without entering.
    Intrude,
    /// A thread keeps a monitor for ever.
    Keep,
    /// A hash word is overwritten.
    Rehash,
}

struct Target {
    object: Object,
    inside: AtomicU32,
    value: AtomicU64,
    hash: AtomicU32,
}

struct World {
    table: Arc<MonitorTable>,
    targets: Vec<Target>,
    threads: Vec<Worker>,
    /// Held for reading by a running thread, for writing by who stops the world.
    running: RwLock<()>,
    done: AtomicU64,
    failed: AtomicBool,
    complaint: std::sync::Mutex<Option<String>>,
}

struct Worker {
    monitors: MonitorThread,
    interrupted: AtomicBool,
}

/// A worker on its thread.
struct Running<'a> {
    world: &'a World,
    me: &'a Worker,
    guard: RefCell<Option<RwLockReadGuard<'a, ()>>>,
}

impl Running<'_> {
    fn begin(&self) {
        *self.guard.borrow_mut() = Some(self.world.running.read().expect("no panic inside"));
    }

    fn end(&self) {
        self.guard.borrow_mut().take();
    }
}

// SAFETY: `monitor_thread` answers the one value of the worker's thread.
unsafe impl Park for Running<'_> {
    fn monitor_thread(&self) -> &MonitorThread {
        &self.me.monitors
    }
    fn before_block(&self, _why: Block) {
        self.end();
    }
    fn after_block(&self) {
        self.begin();
    }
    fn is_interrupted(&self) -> bool {
        self.me.interrupted.load(SeqCst)
    }
    fn clear_interrupt(&self) {
        self.me.interrupted.store(false, SeqCst);
    }
}

pub fn xorshift(x: &mut u64) -> u64 {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    *x
}

impl World {
    fn complain(&self, text: String) {
        self.complaint.lock().expect("no panic inside").get_or_insert(text);
        self.failed.store(true, SeqCst);
    }

    fn see_hash(&self, me: &MonitorThread, target: &Target) {
        let hash = me.hash_code(&target.object.word).expect("a hash");
        if let Err(before) = target.hash.compare_exchange(0, hash, SeqCst, SeqCst)
            && before != hash
        {
            self.complain(format!("hash stability: {before:#x} became {hash:#x}"));
        }
    }

    fn come_in(&self, target: &Target) {
        if target.inside.fetch_add(1, AcqRel) != 0 {
            self.complain("mutual exclusion: two threads inside".into());
        }
    }

    fn go_out(&self, target: &Target) {
        // Plain read and write: an intruder's update gets lost.
        target.value.store(target.value.load(Relaxed) + 1, Relaxed);
        target.inside.fetch_sub(1, AcqRel);
    }

    /// Enters, by what compiled code does if `inline`.
    fn lock(&self, t: &Running<'_>, target: &Target, inline: bool, random: &mut u64) {
        if inline { enter_inline(t, &target.object, random) } else { enter(t, &&target.object) }
    }

    fn unlock(&self, t: &Running<'_>, target: &Target, inline: bool, random: &mut u64) {
        if inline {
            exit_inline(t.monitor_thread(), &target.object, self.table.quiet_exits(), random);
        } else {
            exit(t.monitor_thread(), &target.object).expect("owner");
        }
    }

    fn operation(&self, t: &Running<'_>, random: &mut u64, own: u64) {
        let r = xorshift(random);
        let bit = |n: u32| r >> n & 1 != 0;
        let index = (r >> 8) as usize % self.targets.len();
        let target = &self.targets[index];
        let object = &&target.object;
        let me = t.monitor_thread();
        let mut second = None;
        if r & 0xf == 0 {
            self.see_hash(me, target);
        }
        // Half of the entries and of the exits, not of the pairs, are those of compiled code.
        self.lock(t, target, bit(4), random);
        self.come_in(target);
        match r >> 40 & 0x3ff {
            0..40 => {
                self.lock(t, target, bit(6), random);
                if me.depth(&object.word) != 2 {
                    self.complain("re-entry: wrong depth".into());
                }
                self.unlock(t, target, bit(7), random);
            }
            40..60 => {
                target.inside.fetch_sub(1, AcqRel);
                let outcome = wait(t, object, Some(1000 + (r >> 50) % 100_000)).expect("owner");
                self.come_in(target);
                if outcome == WaitOutcome::Interrupted && me.depth(&object.word) != 1 {
                    self.complain("wait: wrong depth".into());
                }
            }
            60..110 => me.notify(&object.word).expect("owner"),
            110..120 => me.notify_all(&object.word).expect("owner"),
            120..125 => {
                let other = &self.threads[(r >> 20) as usize % self.threads.len()];
                other.interrupted.store(true, SeqCst);
                other.monitors.unpark();
            }
            125..200 => self.see_hash(me, target),
            200..203 => std::thread::yield_now(),
            203..240 => {
                for _ in 0..(r >> 50) & 0x1ff {
                    std::hint::spin_loop();
                }
            }
            // Two at once, in the order of the objects; left in either order.
            240..300 => {
                second = self.targets.get(index + 1);
                if let Some(other) = second {
                    self.lock(t, other, bit(50), random);
                    self.come_in(other);
                }
            }
            _ => {}
        }
        let leave_second = |random: &mut u64| {
            if let Some(other) = second {
                other.inside.fetch_sub(1, AcqRel);
                self.unlock(t, other, bit(51), random);
            }
        };
        if bit(52) {
            leave_second(random);
        }
        self.go_out(target);
        self.unlock(t, target, bit(5), random);
        if !bit(52) {
            leave_second(random);
        }
        if own.is_multiple_of(64) {
            self.done.fetch_add(64, Relaxed);
            t.end();
            t.begin();
        }
    }

    fn commit(&self, fault: Fault, t: &Running<'_>) {
        let target = &self.targets[0];
        match fault {
            Fault::Intrude => loop {
                t.end();
                t.begin();
                self.come_in(target);
                std::thread::yield_now();
                target.inside.fetch_sub(1, AcqRel);
                if self.failed.load(SeqCst) {
                    return;
                }
            },
            Fault::Keep => {
                enter(t, &&target.object);
                t.end();
                while !self.failed.load(SeqCst) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                t.begin();
                exit(t.monitor_thread(), &target.object).expect("owner");
            }
            Fault::Rehash => {
                while !self.failed.load(SeqCst) {
                    t.end();
                    t.begin();
                    enter(t, &&target.object);
                    self.see_hash(t.monitor_thread(), target);
                    exit(t.monitor_thread(), &target.object).expect("owner");
                    let raw = target.object.word.load(SeqCst);
                    if raw & 3 == 1 {
                        let _lost = target.object.word.compare_exchange(raw, raw ^ 0x5550_0000, SeqCst, SeqCst);
                    }
                }
            }
        }
    }

    /// Stop the world and collect: no object dies, every idle record goes.
    fn collect(&self) {
        let _stopped = self.running.write().expect("no panic inside");
        let threads: Vec<_> = self.threads.iter().map(|t| &t.monitors).collect();
        // SAFETY: the world is stopped, and addresses are those of `Object`s.
        unsafe {
            let stop = self.table.at_stop();
            let broken = stop.verify(&threads, word_of);
            if let Some(first) = broken.first() {
                self.complain(format!("law {first}"));
                return;
            }
            stop.sweep(|m| Verdict::Alive(m.object()), word_of);
            stop.trim(|| threads.iter().copied());
        }
    }

    /// Who sleeps for what, for the complaint about a stranded thread.
    fn describe(&self) -> String {
        let _stopped = self.running.write().expect("no panic inside");
        // SAFETY: the world is stopped.
        let stop = unsafe { self.table.at_stop() };
        let mut text = String::new();
        for t in &self.threads {
            if let Some((what, monitor)) = stop.blocked_on(&t.monitors) {
                text += &format!("\n  thread {}: {what:?}; {monitor}; queued {:?}", t.monitors.tid(), monitor.queued());
            }
        }
        text
    }
}

/// Run the plan; the counters, or what went wrong.
pub fn run(plan: Plan, options: Options) -> Result<Totals, String> {
    let table = MonitorTable::reserve(options)?;
    let world = World {
        targets: (0..plan.objects)
            .map(|_| Target {
                object: Object::default(),
                inside: AtomicU32::new(0),
                value: AtomicU64::new(0),
                hash: AtomicU32::new(0),
            })
            .collect(),
        threads: (1..=plan.threads as u64)
            .map(|tid| Worker {
                // SAFETY: each worker runs on one thread, and there is one table.
                monitors: unsafe { MonitorThread::new(&table, tid) },
                interrupted: AtomicBool::new(false),
            })
            .collect(),
        running: RwLock::new(()),
        done: AtomicU64::new(0),
        failed: AtomicBool::new(false),
        complaint: std::sync::Mutex::new(None),
        table,
    };
    let share = plan.operations / plan.threads as u64;
    let alive = AtomicU64::new(plan.threads as u64);
    std::thread::scope(|s| {
        for (i, me) in world.threads.iter().enumerate() {
            let (world, alive) = (&world, &alive);
            s.spawn(move || {
                let t = Running { world, me, guard: RefCell::new(None) };
                let mut random = (plan.seed ^ (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
                t.begin();
                for own in 1..=share {
                    if world.failed.load(Relaxed) {
                        break;
                    }
                    if let Some(fault) = plan.fault
                        && i == 0
                        && own == share / 2
                    {
                        world.commit(fault, &t);
                    }
                    world.operation(&t, &mut random, own);
                }
                t.end();
                alive.fetch_sub(1, SeqCst);
            });
        }
        let (mut seen, mut since) = (0, Instant::now());
        while alive.load(SeqCst) > 0 {
            std::thread::sleep(Duration::from_millis(1));
            world.collect();
            let done = world.done.load(Relaxed);
            if done != seen {
                (seen, since) = (done, Instant::now());
            } else if since.elapsed() > plan.patience && !world.failed.load(SeqCst) {
                let text = format!("stranded: nothing has happened for {:?}{}", plan.patience, world.describe());
                if plan.fault.is_none() {
                    // The threads cannot be ended: this is the end of the run.
                    eprintln!("{text}");
                    std::process::exit(3);
                }
                world.complain(text);
            }
        }
    });
    world.collect();
    if let Some(text) = world.complaint.lock().expect("no panic inside").take() {
        return Err(text);
    }
    let sum: u64 = world.targets.iter().map(|t| t.value.load(Relaxed)).sum();
    if sum != share * plan.threads as u64 {
        return Err(format!("lost updates: {sum} of {}", share * plan.threads as u64));
    }
    // SAFETY: all threads have ended.
    unsafe {
        let stop = world.table.at_stop();
        let mut left = Vec::new();
        stop.for_each_attached(|m| left.push(m.to_string()));
        if !left.is_empty() {
            return Err(format!("census: records left behind: {left:?}"));
        }
    }
    Ok(world.table.totals(world.threads.iter().map(|t| &t.monitors)))
}

/// Producers and consumers that wait without a deadline: every notification counts.
pub fn buffer(pairs: usize, items: u64, capacity: u64, options: Options) -> Totals {
    let table = MonitorTable::reserve(options).expect("records");
    let object = &Object::default();
    let filled = &AtomicU64::new(0);
    let threads: Vec<_> = (1..=2 * pairs as u64).map(|tid| super::Thread::new(&table, tid)).collect();
    std::thread::scope(|s| {
        for (i, t) in threads.iter().enumerate() {
            s.spawn(move || {
                for _ in 0..items {
                    enter(t, &object);
                    let blocked = if i % 2 == 0 { capacity } else { 0 };
                    while filled.load(Relaxed) == blocked {
                        wait(t, &object, None).expect("owner");
                    }
                    let now = filled.load(Relaxed);
                    filled.store(if i % 2 == 0 { now + 1 } else { now - 1 }, Relaxed);
                    t.monitors.notify_all(&object.word).expect("owner");
                    t.exit(object).expect("owner");
                }
            });
        }
    });
    assert_eq!(filled.load(Relaxed), 0);
    table.totals(threads.iter().map(|t| &t.monitors))
}
