//! Gathers the samples of all threads by line, and judges lines while their objects are where they were.
//!
//! Invariant: a line is known by its address, so it is judged and forgotten before what lies in it moves: what is young
//! before each collection, all else before one of the full heap. Objects get their names at the same stop.
//!
//! The detector's thread is none of Java's. It looks four times a second for threads that began or ended and takes what
//! was sampled; once a second it judges, and stops the world for it only if some line is contended.
use crate::findings::{Finding, Findings, Seen};
use crate::lines::{LINE, Line, Verdict};
use crate::repair::Repairs;
use crate::samples::{Sample, Slot};
use crate::timers::Timer;
use crate::{places, probe, repair, timers};
use concord_base::{bug, log, vm_log};
use concord_runtime::apart::Apart;
use concord_runtime::exceptions;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
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
    _timer: Timer,
}

/// What the handlers of a thread have said so far.
struct Heard {
    slot: &'static Slot,
    /// Its slot's interrupts at the last look, and those of the thread.
    slots: u64,
    interrupts: u64,
}

#[derive(Default)]
struct State {
    /// By the VM's number of the thread; of threads that have ended until the end of the window.
    threads: HashMap<u64, Heard>,
    ended: BTreeSet<u64>,
    /// By their first address.
    lines: BTreeMap<usize, Line>,
    /// As the system calls threads, until the world is stopped and they can be asked.
    names: HashMap<u64, String>,
    findings: Findings,
    /// What is falsely shared is repaired.
    repairs: bool,
    /// All interrupts, the nanoseconds of their handlers, and the samples that found no room.
    interrupts: u64,
    time: u64,
    lost: u64,
}

/// Held for some microseconds at a time, and for no system call: a collection may wait for it.
static STATE: Mutex<Option<State>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<State>> {
    match STATE.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it looked for contention"),
    }
}

/// Begins to sample all threads, `rate` times a second each, and if it `repairs` to keep apart what is falsely shared.
///
/// # Errors
/// The system gives no signal or no thread.
pub fn start(rate: u64, repairs: bool) -> Result<(), String> {
    timers::take_signal()?;
    let slow = probe::calibrate();
    vm_log!(Remix, Info, "{rate} samples a second of each thread's processor time; a read of {slow} ticks is slow");
    *lock() = Some(State { repairs, ..State::default() });
    let mut timers = Timers { period: 1_000_000_000 / rate, ..Timers::default() };
    let looking = std::thread::Builder::new().name("Contention".into()).spawn(move || {
        let mut repaired = Repairs::default();
        for looks in 1u32.. {
            std::thread::sleep(LOOK);
            let mut all = Vec::new();
            concord_safepoint::for_each_thread(|th| all.push((th.id.get(), th.os_tid.get())));
            timers.watch(&all);
            if !look(looks.is_multiple_of(WINDOW), &mut repaired) {
                return;
            }
        }
    });
    looking.map(|_| ()).map_err(|e| format!("cannot start a thread: {e}"))
}

/// Takes what was sampled, and judges at the end of a window; false once the search is over.
fn look(judges: bool, repairs: &mut Repairs) -> bool {
    let contended = {
        let mut state = lock();
        let Some(s) = state.as_mut() else { return false };
        s.gather();
        judges && s.lines.values().any(|l| l.judge() != Verdict::Quiet)
    };
    if !judges {
        return true;
    }
    if contended && !concord_safepoint::is_over() {
        concord_safepoint::stop_the_world("Contention", |_stopped| judge(|_| true, |_| false));
    }
    let mut state = lock();
    let Some(s) = state.as_mut() else { return false };
    s.gather();
    let quiet = s.quiet();
    s.lines.clear();
    for t in std::mem::take(&mut s.ended) {
        s.threads.remove(&t);
        s.names.remove(&t);
    }
    let worth = if s.repairs { s.findings.worth(s.interrupts) } else { Vec::new() };
    drop(state);
    for text in quiet {
        vm_log!(Remix, Debug, "{text}");
    }
    repairs.window(worth);
    true
}

/// At the stop of a relayout, before anything moves.
pub fn before_relayout() {
    judge(|_| true, |_| true);
}

/// Before a collection, at its stop: what is going to move is judged.
pub fn before_collection(full: bool) {
    judge(|line| full || concord_heap::is_young(line), |_| true);
}

/// What was found so far, as text, and what of it is to be kept apart; `ends` the search. None if it never began, or is over.
pub fn report(ends: bool) -> Option<(String, Apart)> {
    lock().as_ref()?;
    concord_safepoint::stop_the_world("Contention", |_stopped| judge(|_| true, |_| false));
    let mut state = lock();
    let s = state.as_mut()?;
    let (samples, time, lost) = (s.interrupts, s.time, std::mem::take(&mut s.lost));
    let mut told = (s.findings.text(), s.findings.apart(samples));
    if s.repairs {
        told.0 += &repair::text();
    }
    if ends {
        *state = None;
    }
    drop(state);
    let each = time as f64 / 1e3 / samples.max(1) as f64;
    vm_log!(Remix, Info, "{samples} samples, {each:.1} us each beside the system's own part");
    if lost != 0 {
        vm_log!(Remix, Warning, "{lost} samples found no room");
    }
    Some(told)
}

/// Judges the lines at these addresses, and forgets those that are contended, which are told, and those that `move`. The
/// world is stopped, and nothing has moved.
fn judge(which: impl Fn(usize) -> bool, moves: impl Fn(usize) -> bool) {
    let mut state = lock();
    let Some(s) = state.as_mut() else { return };
    s.gather();
    let chosen: Vec<usize> = s.lines.keys().copied().filter(|a| which(*a)).collect();
    let (mut asked, mut holders) = (false, places::Holders::new());
    for at in chosen {
        let Some(line) = s.lines.remove(&at) else { continue };
        let verdict = line.judge();
        if verdict == Verdict::Quiet {
            if !moves(at) {
                s.lines.insert(at, line);
            }
            continue;
        }
        if !std::mem::replace(&mut asked, true) {
            s.ask_names();
        }
        let seen = line.spots.iter().map(|x| Seen {
            place: places::at(at + usize::from(x.offset), &mut holders),
            thread: s.names.get(&x.thread).cloned().unwrap_or_else(|| format!("thread {}", x.thread)),
            source: places::source(x.pc, x.code),
            spot: x.clone(),
        });
        let interrupts = line.interrupts(|t| s.threads.get(&t).map_or(0, |h| h.interrupts));
        let finding = Finding { verdict, seen: seen.collect(), interrupts, samples: line.samples() };
        s.findings.add(finding);
    }
}

impl State {
    /// The names of all threads. The world is stopped.
    fn ask_names(&mut self) {
        concord_safepoint::for_each_thread(|th| {
            let (id, name) = (th.id.get(), exceptions::thread_name(th));
            if self.threads.contains_key(&id) && name != "?" {
                self.names.insert(id, name);
            }
        });
    }

    /// What is about to be forgotten, for the log: the lines with the most samples.
    fn quiet(&self) -> Vec<String> {
        const LOGGED: usize = 4;
        if !log::enabled(log::Tag::Remix, log::Level::Debug) {
            return Vec::new();
        }
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_by_key(|l| std::cmp::Reverse(l.1.samples()));
        let mut texts = vec![format!("{} lines, {} interrupts so far", lines.len(), self.interrupts)];
        texts.extend(lines.iter().take(LOGGED).map(|(at, l)| {
            let spots = l.spots.iter().map(|s| {
                let access = if s.writes != 0 { "writes" } else { "reads" };
                format!("thread {} {access} +{}, {} samples, {} slow reads", s.thread, s.offset, s.samples, s.slow)
            });
            format!("  quiet line {at:#x}: {}", spots.collect::<Vec<_>>().join("; "))
        }));
        texts
    }

    /// Takes the samples out of the rings.
    fn gather(&mut self) {
        for (id, h) in &mut self.threads {
            let since = h.interrupts;
            let mut add = |x: Sample| self.lines.entry(x.address & !(LINE - 1)).or_default().add(&x, *id, since);
            // SAFETY: the state is under the lock.
            unsafe { h.slot.drain(&mut add) };
            let now = h.slot.interrupts.load(Relaxed);
            let new = now - std::mem::replace(&mut h.slots, now);
            h.interrupts += new;
            self.interrupts += new;
            self.time += h.slot.time.swap(0, Relaxed);
            self.lost += h.slot.lost.swap(0, Relaxed);
        }
    }
}

/// The detector's thread's own: who is interrupted.
#[derive(Default)]
struct Timers {
    /// Nanoseconds of a thread's processor time between two samples.
    period: u64,
    /// By the VM's number.
    threads: HashMap<u64, (Watched, &'static Slot)>,
    /// Slots without a timer, the newest last, and at which look that began.
    idle: VecDeque<(&'static Slot, u32)>,
    /// One that has never had a timer.
    fresh: Option<&'static Slot>,
    looks: u32,
    /// The system's refusal of timers was told.
    refused: bool,
}

impl Timers {
    /// Samples those threads, and no others.
    fn watch(&mut self, all: &[(u64, u32)]) {
        self.looks += 1;
        let there: BTreeSet<u64> = all.iter().map(|t| t.0).collect();
        let ended: Vec<u64> = self.threads.keys().copied().filter(|t| !there.contains(t)).collect();
        for t in &ended {
            // Its timer ends here; what it said is gathered until the end of the window.
            if let Some((_, slot)) = self.threads.remove(t) {
                self.idle.push_back((slot, self.looks));
            }
        }
        let mut begun = Vec::new();
        for (id, tid) in all.iter().filter(|t| t.1 != 0) {
            if self.threads.get(id).is_some_and(|w| w.0.tid == *tid) {
                continue;
            }
            let slot = self.slot();
            // Threads that began together must not be interrupted together: in their handlers they contend for nothing.
            let first = self.period * (1 + id % 7) / 8;
            match Timer::start(*tid, slot, first, self.period) {
                Ok(timer) => {
                    let one_of_before = self.threads.insert(*id, (Watched { tid: *tid, _timer: timer }, slot));
                    self.idle.extend(one_of_before.map(|(_, slot)| (slot, self.looks)));
                    let name = std::fs::read_to_string(format!("/proc/self/task/{tid}/comm"));
                    begun.push((*id, slot, name.map(|n| String::from(n.trim_end())).ok()));
                }
                Err(e) => {
                    self.fresh = Some(slot);
                    // A thread that has just ended has no clock.
                    if matches!(e.raw_os_error(), Some(libc::ESRCH | libc::EINVAL)) {
                        continue;
                    }
                    if !std::mem::replace(&mut self.refused, true) {
                        vm_log!(Remix, Warning, "no timer for thread {tid}, and others: {e}");
                    }
                    break;
                }
            }
        }
        let mut state = lock();
        let Some(s) = state.as_mut() else { return };
        s.gather();
        s.ended.extend(ended);
        for (id, slot, name) in begun {
            // SAFETY: the lock is held.
            unsafe { slot.drain(|_| ()) };
            s.ended.remove(&id);
            s.names.extend(name.map(|n| (id, n)));
            s.threads.insert(id, Heard { slot, slots: slot.interrupts.load(Relaxed), interrupts: 0 });
        }
    }

    /// One that no handler is at work on: two windows without a timer are longer than any handler takes.
    fn slot(&mut self) -> &'static Slot {
        if let Some(slot) = self.fresh.take() {
            return slot;
        }
        match self.idle.front() {
            Some((slot, since)) if self.looks - since > 2 * WINDOW => {
                let slot = *slot;
                self.idle.pop_front();
                slot
            }
            _ => Slot::leaked(),
        }
    }
}
