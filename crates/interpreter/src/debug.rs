//! Instructions that report themselves: what breakpoints, steps and frame pops need.
//!
//! Invariant: a watched instruction's word has `TRACED` in its opcode and is in no superinstruction,
//! so it runs alone and the runtime is told first. Words are changed while the world is stopped. Once
//! debugging is possible, no superinstruction is laid and no method is entered without a frame.
//!
//! Watching single instructions works in every VM; that *all* code can be watched must be asked for
//! before the first method is translated, because methods entered without a frame have no instructions
//! that run.
use crate::code::{Code, TRACED};
use crate::raw::instructions;
use crate::{OPTIONS, entry, flush, supers};
use concord_contract::method::{Method, MethodRef};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

static ENABLED: AtomicBool = AtomicBool::new(false);
static ALL: AtomicBool = AtomicBool::new(false);
static FIELDS: AtomicBool = AtomicBool::new(false);
/// What is watched in a method; methods that have no code yet among them.
#[derive(Clone, Default)]
struct Watched {
    /// Instructions.
    at: HashSet<u16>,
    /// All of its returns, for good.
    returns: bool,
}
/// By method.
static WATCHED: Mutex<Option<HashMap<usize, Watched>>> = Mutex::new(None);

fn key(m: &Method) -> usize {
    std::ptr::from_ref(m) as usize
}

/// Whether code can still be made to report every instruction.
pub fn is_possible() -> bool {
    is_enabled() || flush::is_empty()
}
/// From now on code is translated so that it can be watched.
pub fn enable() {
    ENABLED.store(true, Ordering::Release);
    OPTIONS.supers.store(false, Ordering::Release);
}
/// Whether methods must be entered with frames.
pub fn is_enabled() -> bool {
    ENABLED.load(Ordering::Acquire)
}
/// Whether all instructions are watched.
pub fn is_watching_all() -> bool {
    ALL.load(Ordering::Acquire)
}

fn is_return(opcode: u8) -> bool {
    matches!(opcode, 172..=177)
}

fn is_field_access(opcode: u8) -> bool {
    matches!(opcode, 178..=181)
}

fn is_watched(m: &Method, bci: u16) -> bool {
    if FIELDS.load(Ordering::Acquire) && is_field_access(m.bytecode[bci as usize]) {
        return true;
    }
    let guard = WATCHED.lock().expect("watched instructions");
    let watched = guard.as_ref().and_then(|w| w.get(&key(m)));
    watched.is_some_and(|w| w.at.contains(&bci) || w.returns && is_return(m.bytecode[bci as usize]))
}

/// Sets or clears the mark of the words of `m` that `which` picks.
fn mark(m: &Method, code: &Code, which: &dyn Fn(u16) -> bool, on: bool) {
    for (bci, w) in instructions(m.bytecode) {
        let word = &code.words()[w];
        let old = word.load(Ordering::Relaxed);
        // A superinstruction in front would step over the marked word.
        let plain = old & 0xffff_0000 | u32::from(supers::head(old as u16 & (TRACED - 1)) | (old as u16 & TRACED));
        let new = match (which(bci as u16), on) {
            (false, _) => plain,
            (true, true) => plain | u32::from(TRACED),
            (true, false) => plain & !u32::from(TRACED),
        };
        if new != old {
            word.store(new, Ordering::Release);
        }
    }
}

/// Begins or ends watching one instruction; at a stop.
pub fn watch(m: MethodRef, bci: u16, on: bool) {
    {
        let mut guard = WATCHED.lock().expect("watched instructions");
        let watched = guard.get_or_insert_default().entry(key(m)).or_default();
        if on {
            watched.at.insert(bci);
        } else {
            watched.at.remove(&bci);
        }
    }
    if let Some(code) = Code::of(m) {
        mark(m, code, &|b| b == bci, on || is_watching_all() || is_watched(m, bci));
    }
    entry::with_frame(m);
}

/// Begins watching the returns of a method, for good; at a stop.
pub fn watch_returns(m: MethodRef) {
    WATCHED.lock().expect("watched instructions").get_or_insert_default().entry(key(m)).or_default().returns = true;
    if let Some(code) = Code::of(m) {
        mark(m, code, &|b| is_return(m.bytecode[b as usize]), true);
    }
    entry::with_frame(m);
}

/// Ends watching single instructions of `m` and of `old`, a version of it, whose returns are watched if those
/// of `m` are; at a stop. Whether `old` has become old just now.
pub fn aged(m: MethodRef, old: MethodRef) -> bool {
    let new = {
        let mut guard = WATCHED.lock().expect("watched instructions");
        let all = guard.get_or_insert_default();
        let returns = [m, old].iter().any(|m| all.get(&key(m)).is_some_and(|w| w.returns));
        all.insert(key(old), Watched { at: HashSet::new(), returns }).is_none()
    };
    if let Some(code) = Code::of(old)
        && !is_watching_all()
    {
        mark(old, code, &|b| !is_watched(old, b), false);
    }
    new
}

/// Ends watching single instructions of a method that has another body; its old code is not used for it any more.
pub fn replaced(m: MethodRef) {
    if let Some(w) = WATCHED.lock().expect("watched instructions").as_mut().and_then(|w| w.get_mut(&key(m))) {
        w.at.clear();
    }
}

/// Begins or ends watching every instruction; at a stop.
pub fn watch_all(on: bool) {
    ALL.store(on, Ordering::Release);
    flush::for_each(|m, code| {
        if on {
            mark(m, code, &|_| true, true);
        } else {
            mark(m, code, &|b| !is_watched(m, b), false);
        }
    });
}

/// Begins or ends watching every access of a field; at a stop.
pub fn watch_fields(on: bool) {
    FIELDS.store(on, Ordering::Release);
    if !is_watching_all() {
        let field = |m: &Method, b: u16| is_field_access(m.bytecode[b as usize]);
        flush::for_each(|m, code| mark(m, code, &|b| field(m, b) && (on || !is_watched(m, b)), on));
    }
}

/// Marks new words as what is watched of their method asks for.
pub fn apply(m: MethodRef, code: &Code) {
    if is_watching_all() {
        mark(m, code, &|_| true, true);
        return;
    }
    let any = WATCHED.lock().expect("watched instructions").as_ref().is_some_and(|w| w.contains_key(&key(m)));
    if any || FIELDS.load(Ordering::Acquire) {
        mark(m, code, &|b| is_watched(m, b), true);
    }
}
