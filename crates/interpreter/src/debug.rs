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
/// Watched instructions by method; methods that have no code yet among them.
static WATCHED: Mutex<Option<HashMap<usize, HashSet<u16>>>> = Mutex::new(None);

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
    guard.as_ref().and_then(|w| w.get(&(std::ptr::from_ref(m) as usize))).is_some_and(|s| s.contains(&bci))
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
        let set = guard.get_or_insert_default().entry(std::ptr::from_ref(m) as usize).or_default();
        if on {
            set.insert(bci);
        } else {
            set.remove(&bci);
        }
    }
    if let Some(code) = Code::of(m) {
        mark(m, code, &|b| b == bci, on || is_watching_all() || is_watched(m, bci));
    }
    entry::with_frame(m);
}

/// Begins watching the returns of a method, for good; at a stop.
pub fn watch_returns(m: MethodRef) {
    for (bci, _) in instructions(m.bytecode).filter(|(b, _)| is_return(m.bytecode[*b])) {
        watch(m, bci as u16, true);
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
    let any = WATCHED
        .lock()
        .expect("watched instructions")
        .as_ref()
        .is_some_and(|w| w.contains_key(&(std::ptr::from_ref(m) as usize)));
    if any || FIELDS.load(Ordering::Acquire) {
        mark(m, code, &|b| is_watched(m, b), true);
    }
}
