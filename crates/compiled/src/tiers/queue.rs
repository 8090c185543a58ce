//! What waits to be compiled, and what is known of loops.
//!
//! Invariant: a method is in the queue at most once; a loop header, too. Who is in it no more is seen by nobody who takes the
//! methods' memory back until its code is installed ([`COMPILING`]).
use super::{NEVER, QUEUED, excluded};
use crate::{closing, print};
use concord_contract::class::flags;
use concord_contract::compiled::DeoptReason;
use concord_contract::{ClassRef, Method, MethodRef, Thread};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, RwLock};

static NEXT_ID: AtomicU32 = AtomicU32::new(1);
/// Held for reading by a compilation, from before it is taken from the queue until its code is
/// installed. Locked before the queue.
static COMPILING: RwLock<()> = RwLock::new(());
/// How many wait for compilations to end, or keep them from beginning.
static AWAITED: AtomicU32 = AtomicU32::new(0);

/// A loop's compilation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LoopState {
    Queued,
    Done,
    Never,
}

#[derive(Clone, Copy)]
pub(super) struct Job {
    pub method: MethodRef,
    pub osr_bci: Option<u16>,
    /// Position in the sequence of requests.
    pub id: u32,
}

#[derive(Default)]
pub(super) struct State {
    queue: VecDeque<Job>,
    pub loops: HashMap<(usize, u16), LoopState>,
    /// Traps of a method: (bci, reason) -> count.
    pub traps: HashMap<usize, HashMap<(u16, DeoptReason), u32>>,
    /// How often a method's code was thrown away.
    pub recompiles: HashMap<usize, u32>,
    /// Jobs that are being compiled or wait.
    pending: usize,
}
static STATE: Mutex<Option<State>> = Mutex::new(None);
static WORK: Condvar = Condvar::new();
static DONE: Condvar = Condvar::new();

pub(super) fn with<R>(f: impl FnOnce(&mut State) -> R) -> R {
    f(STATE.lock().expect("compile queue").get_or_insert_default())
}

pub(super) fn key(m: &Method) -> usize {
    std::ptr::from_ref(m) as usize
}

/// Does `f` while nothing is being compiled.
pub(super) fn while_none_compiles(f: impl FnOnce()) {
    AWAITED.fetch_add(1, Ordering::AcqRel);
    let _none = COMPILING.write().expect("compilations");
    f();
    AWAITED.fetch_sub(1, Ordering::AcqRel);
}

/// Whether somebody waits, perhaps at a stop, for compilations to end.
pub(super) fn awaited() -> bool {
    AWAITED.load(Ordering::Acquire) > 0
}

/// Hands jobs over, one after the other, for ever.
pub(super) fn work(compile: impl Fn(Job)) -> ! {
    loop {
        {
            let mut g = STATE.lock().expect("compile queue");
            while g.get_or_insert_default().queue.is_empty() {
                g = WORK.wait(g).expect("compile queue");
            }
        }
        {
            let _classes_stay = COMPILING.read().expect("compilations");
            let Some(job) = with(|s| s.queue.pop_front()) else { continue };
            compile(job);
        }
        with(|s| s.pending -= 1);
        DONE.notify_all();
    }
}

/// Classes go, at a stop: what names them goes first. A compilation under way ends before that; it
/// runs on a thread of its own and waits for nobody who is stopped.
pub(super) fn unloaded(dead: &[ClassRef]) {
    while_none_compiles(|| {
        take_back(|j| j.method.class.has_flag(flags::UNLOADED));
        with(|s| {
            s.loops.retain(|k, _| !is_of(k.0, dead));
            s.traps.retain(|k, _| !is_of(*k, dead));
            s.recompiles.retain(|k, _| !is_of(*k, dead));
        });
        closing::unloaded(dead);
    });
}

/// Takes jobs out of the queue.
pub(super) fn take_back(which: impl Fn(&Job) -> bool) {
    with(|s| {
        let before = s.queue.len();
        s.queue.retain(|j| !which(j));
        s.pending -= before - s.queue.len();
    });
    DONE.notify_all();
}

/// Whether the address is that of a method of one of the classes.
fn is_of(m: usize, dead: &[ClassRef]) -> bool {
    // SAFETY: keys of the tables are methods; those of unloaded classes leave them here, before
    // their memory goes.
    let class = unsafe { (*(m as *const Method)).class };
    class.has_flag(flags::UNLOADED) && dead.contains(&class)
}

/// Queues a compilation, unless it is there already; waits for it if compilation is not to go on in
/// the background.
pub(super) fn request(th: &Thread, m: MethodRef, osr_bci: Option<u16>) {
    let by_user = !crate::commands::may_compile(m);
    if by_user || excluded(m) {
        if m.heat.fetch_or(NEVER, Ordering::Relaxed) & NEVER == 0 && by_user {
            print::excluded(m);
        }
        return;
    }
    let queued = with(|s| {
        match osr_bci {
            Some(bci) => {
                if s.loops.contains_key(&(key(m), bci)) {
                    return false;
                }
                s.loops.insert((key(m), bci), LoopState::Queued);
            }
            None => {
                if m.heat.fetch_or(QUEUED, Ordering::Relaxed) & QUEUED != 0 {
                    return false;
                }
            }
        }
        s.queue.push_back(Job { method: m, osr_bci, id: NEXT_ID.fetch_add(1, Ordering::Relaxed) });
        s.pending += 1;
        true
    });
    if !queued {
        return;
    }
    WORK.notify_one();
    if !crate::commands::in_background(m) {
        let _attached = th;
        concord_safepoint::blocked(|| {
            let mut g = STATE.lock().expect("compile queue");
            while g.as_ref().is_some_and(|s| s.pending > 0) {
                g = DONE.wait(g).expect("compile queue");
            }
        });
    }
}

/// What waits to be compiled: method, loop header, number.
pub fn waiting() -> Vec<(MethodRef, Option<u16>, u32)> {
    with(|s| s.queue.iter().map(|j| (j.method, j.osr_bci, j.id)).collect())
}
