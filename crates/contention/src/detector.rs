//! Gathers the samples of all threads by line, and judges lines while their objects are where they were.
//!
//! Invariant: a line is known by its address, so it is judged and forgotten before what lies in it moves: what is young
//! before each collection, all else before one of the full heap. Objects get their names at the same stop.
//!
//! The detector's thread is none of Java's. It looks four times a second for threads that began or ended and takes what
//! was sampled; once a second it judges, and stops the world for it only if some line is contended.
use crate::findings::{Finding, Findings, Seen};
use crate::lines::{LINE, Line, Verdict};
use crate::samples::Slot;
use crate::timers::Timer;
use crate::{places, probe, timers};
use concord_base::{bug, vm_log};
use concord_runtime::exceptions;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// Between two looks at the threads.
const LOOK: Duration = Duration::from_millis(250);
/// Looks between two judgements.
const WINDOW: u32 = 4;

/// A thread that is sampled.
struct Watched {
    tid: u32,
    slot: &'static Slot,
    _timer: Timer,
    /// Its interrupts at the last judgement.
    before: u64,
}

#[derive(Default)]
struct State {
    /// Nanoseconds of a thread's processor time between two samples.
    period: u64,
    /// By the VM's number.
    threads: HashMap<u64, Watched>,
    idle: Vec<&'static Slot>,
    /// By their first address.
    lines: BTreeMap<usize, Line>,
    /// As the system calls threads, until the world is stopped and they can be asked.
    names: HashMap<u64, String>,
    /// Interrupts in this window, by thread; those of threads that have ended, too.
    interrupts: HashMap<u64, u64>,
    findings: Findings,
    /// The system's refusal of timers was told.
    refused: bool,
    lost: u64,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<State>> {
    match STATE.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it looked for contention"),
    }
}

/// Begins to sample all threads, `rate` times a second each.
///
/// # Errors
/// The system gives no signal or no thread.
pub fn start(rate: u64) -> Result<(), String> {
    crate::operand::prepare();
    timers::take_signal()?;
    let slow = probe::calibrate();
    vm_log!(Remix, Info, "{rate} samples a second of each thread's processor time; a read of {slow} ticks is slow");
    *lock() = Some(State { period: 1_000_000_000 / rate, ..State::default() });
    let looking = std::thread::Builder::new().name("Contention".into()).spawn(|| {
        let mut looks = 0;
        loop {
            std::thread::sleep(LOOK);
            looks += 1;
            look(looks % WINDOW == 0);
        }
    });
    looking.map(|_| ()).map_err(|e| format!("cannot start a thread: {e}"))
}

/// Takes what was sampled, and judges at the end of a window.
fn look(judges: bool) {
    let mut all = Vec::new();
    concord_safepoint::for_each_thread(|th| all.push((th.id.get(), th.os_tid.get())));
    let contended = {
        let mut state = lock();
        let Some(s) = state.as_mut() else { return };
        s.gather();
        s.watch(&all);
        s.lines.values().any(|l| l.judge() != Verdict::Quiet)
    };
    if !judges {
        return;
    }
    if contended {
        concord_safepoint::stop_the_world("Contention", |_stopped| judge(|_| true));
    }
    let mut state = lock();
    if let Some(s) = state.as_mut() {
        s.gather();
        s.lines.clear();
        s.interrupts.clear();
    }
}

/// Before a collection, at its stop: what is going to move is judged.
pub fn before_collection(full: bool) {
    judge(|line| full || concord_heap::is_young(line));
}

/// Ends it: the last judgement, and all findings. None if it never began.
pub fn finish() -> Option<Findings> {
    concord_safepoint::stop_the_world("Contention", |_stopped| judge(|_| true));
    lock().take().map(|s| s.findings)
}

/// Judges the lines at these addresses and forgets them. The world is stopped, and nothing has moved.
fn judge(which: impl Fn(usize) -> bool) {
    let mut state = lock();
    let Some(s) = state.as_mut() else { return };
    s.gather();
    let chosen: Vec<usize> = s.lines.keys().copied().filter(|a| which(*a)).collect();
    let mut asked = false;
    for at in chosen {
        let Some(line) = s.lines.remove(&at) else { continue };
        let verdict = line.judge();
        if verdict == Verdict::Quiet {
            continue;
        }
        if !std::mem::replace(&mut asked, true) {
            s.ask_names();
        }
        let seen = line.spots.iter().map(|x| Seen {
            place: places::at(at + usize::from(x.offset)),
            thread: s.names.get(&x.thread).cloned().unwrap_or_else(|| format!("thread {}", x.thread)),
            source: places::source(x.pc, x.code),
            spot: x.clone(),
        });
        let interrupts: u64 = line.threads().iter().filter_map(|t| s.interrupts.get(t)).sum();
        let finding = Finding { verdict, seen: seen.collect(), interrupts, samples: line.samples() };
        s.findings.add(finding);
    }
}

impl State {
    /// The names of all threads. The world is stopped.
    fn ask_names(&mut self) {
        concord_safepoint::for_each_thread(|th| {
            self.names.insert(th.id.get(), exceptions::thread_name(th));
        });
    }
    /// Takes the samples out of the rings.
    fn gather(&mut self) {
        for (id, w) in &mut self.threads {
            w.slot.drain(|x| self.lines.entry(x.address & !(LINE - 1)).or_default().add(&x, *id));
            let now = w.slot.interrupts.load(Relaxed);
            *self.interrupts.entry(*id).or_default() += now - std::mem::replace(&mut w.before, now);
            self.lost += w.slot.lost.swap(0, Relaxed);
        }
    }

    /// Samples those threads, and no others.
    fn watch(&mut self, all: &[(u64, u32)]) {
        let there: BTreeSet<u64> = all.iter().map(|t| t.0).collect();
        let ended: Vec<u64> = self.threads.keys().copied().filter(|t| !there.contains(t)).collect();
        for w in ended.iter().filter_map(|t| self.threads.remove(t)) {
            self.idle.push(w.slot);
        }
        for (id, tid) in all.iter().filter(|t| t.1 != 0) {
            if self.threads.get(id).is_some_and(|w| w.tid == *tid) {
                continue;
            }
            let slot = self.idle.pop().unwrap_or_else(Slot::leaked);
            // Threads that began together must not be interrupted together: in their handlers they contend for nothing.
            let first = self.period * (1 + id % 7) / 8;
            match Timer::start(*tid, slot, first, self.period) {
                Ok(timer) => {
                    let before = slot.interrupts.load(Relaxed);
                    if let Ok(name) = std::fs::read_to_string(format!("/proc/self/task/{tid}/comm")) {
                        self.names.insert(*id, name.trim_end().into());
                    }
                    self.threads.insert(*id, Watched { tid: *tid, slot, _timer: timer, before });
                }
                Err(e) => {
                    self.idle.push(slot);
                    // A thread that has just ended has no clock.
                    let over = matches!(e.raw_os_error(), Some(libc::ESRCH | libc::EINVAL));
                    if !over && !std::mem::replace(&mut self.refused, true) {
                        vm_log!(Remix, Warning, "no timer for thread {tid}: {e}");
                    }
                }
            }
        }
    }
}
