//! Profiles of warm methods: what handlers count, and when they begin.
//!
//! Invariant: cold code holds nothing of this. A method becomes warm when its heat reaches a part of
//! the compile threshold, or that of a method that calls it does ([`callees`]): each word that can be
//! profiled gets [`PROFILED`] in its opcode, whose handler does what the plain one does and counts. From then on the method stays warm; frames that
//! run it count from their next instruction. Counters are in [`area`], found by the word's address
//! and the thread's stripe; a thread writes its own stripe only.
//!
//! What a cell of 8 bytes holds, and which words have one that is used:
//!
//! | word | low half | high half |
//! |---|---|---|
//! | conditional branch | taken | not taken |
//! | call of one method | 0 | calls |
//! | call by receiver, type test, reference store | layout id | objects with that id |
//!
//! Words of the last kind have two more cells, their *rows*: those of two words set aside when the
//! method becomes warm. The word's side word says how many words away they are.
//!
//! | cell | low half | high half |
//! |---|---|---|
//! | first | another layout id | objects with that id |
//! | second | objects with other ids | null operands |
//!
//! Worked example, for `aload_1 invokevirtual hashCode` at words 4 and 5, rows at words 40 and 41,
//! after three Strings (id 9), an Integer (id 30), a Long: side word of 5 = 35; cell of 5 = {9, 3};
//! cell of 40 = {30, 1}; cell of 41 = {1, 0}.
//!
//! The two words in front of the first instruction have one cell that is used: entries of compiled
//! code in the low half, jumps back in it in the high half.
//!
//! Compiled code of level 3 counts in the same cells ([`counters`] says where), so a method's profile
//! does not tell who ran it. It counts an instruction once the interpreter will not execute it again:
//! after the last guard of it that may fail.
//!
//! A layout id may mean another class after a stop that retires it: that stop calls [`purge`].
//! A counter that passes 2^32 begins again at 0.
//!
//! Deviations from the design that this follows (profile blocks found by an id of the warm method):
//! - D1 Blocks are not allocated when a method becomes warm; address space is set aside for all code
//!   and its pages appear when counted in. There is no table from method to block, nothing in the
//!   frame, nothing at a method's entry; a method becomes warm under frames that run.
//! - D2 Heat is not folded into methods at stops: its slots are hashed. It survives its thread,
//!   because the next thread gets the block with the table.
//! - D3 Switches are not profiled.
pub mod area;
mod callees;
mod compiled;
mod read;
#[cfg(test)]
mod tests;

pub use compiled::counters;
pub use read::{print, purge, renumber, snapshot};

use crate::code::{Code, PROFILED, TRACED};
use crate::dispatch::{Context, Next, Op};
use crate::raw::instructions;
use crate::stack::Stack;
use crate::supers::SUPERS;
use area::{bump, cell, half, wide};
use concord_base::vm_log;
use concord_contract::Thread;
use concord_contract::method::{HEAT_COUNT, Method, MethodRef};
use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Nothing,
    Branch,
    Call,
    Types,
}

/// What the row `op`, plain or super, counts when profiled.
pub const fn shape(op: u16) -> Shape {
    match op {
        153..=166 | 198 | 199 => Shape::Branch,
        280 | 281 | 284 | 285 | 288 | 289 | 294 => Shape::Call,
        83 | 192 | 193 | 273 | 276 | 282 | 283 | 286 | 287 | 292 | 293 => Shape::Types,
        _ => {
            let mut i = 0;
            while i < SUPERS.len() {
                let (code, parts) = SUPERS[i];
                if code == op {
                    // Components but the last are no branches.
                    return match parts[parts.len() - 1] {
                        167 => Shape::Nothing,
                        last => shape(last),
                    };
                }
                i += 1;
            }
            Shape::Nothing
        }
    }
}

/// Whether a bytecode of the class file may need rows.
fn needs_rows(bytecode: u8) -> bool {
    matches!(bytecode, 83 | 182 | 185 | 192 | 193)
}
/// Words set aside for each of them.
const ROWS: usize = 2;

/// The row of `O` that counts.
pub struct Profiled<O>(PhantomData<O>);

impl<O: Op> Op for Profiled<O> {
    const CODE: u16 = O::CODE | PROFILED;
    const WORDS: usize = O::WORDS;
    const TOP: u8 = O::TOP;
    const NAME: &'static str = O::NAME;
    const REPLAY: Option<u16> = O::REPLAY;
    const PROFILE: bool = true;
    #[inline(always)]
    unsafe fn run(k: &mut Stack, c: &Context) -> Next {
        // SAFETY: by the caller's word, which is the same for both rows.
        unsafe { O::run(k, c) }
    }
}

/// One object more of a layout id, in a cell.
const ONE: u64 = 1 << 32;

/// Counts a branch at `pc`.
///
/// # Safety
/// `th` is the running thread, `pc` a word of warm code.
#[inline(always)]
pub unsafe fn branch(th: *const Thread, pc: *const u32, taken: bool) {
    // SAFETY: warm code is in the area, so its words have cells in the thread's stripe.
    unsafe { bump(half(cell((*th).profile_bias.get(), pc) + if taken { 0 } else { 4 })) }
}

/// Counts a call at `pc`.
///
/// # Safety
/// As [`branch`].
#[inline(always)]
pub unsafe fn call(th: *const Thread, pc: *const u32) {
    // SAFETY: as `branch`.
    unsafe { bump(half(cell((*th).profile_bias.get(), pc) + 4)) }
}

/// Counts an object with layout `id` at `pc`; 0 is null.
///
/// # Safety
/// As [`branch`]; the word has rows.
#[inline(always)]
pub unsafe fn object(th: *const Thread, pc: *const u32, id: u32) {
    // SAFETY: as `branch`; the side word of a word with rows leads to them.
    unsafe {
        let own = cell((*th).profile_bias.get(), pc);
        let first = wide(own);
        let v = first.load(Ordering::Relaxed);
        if id != 0 && v as u32 == id {
            return first.store(v.wrapping_add(ONE), Ordering::Relaxed);
        }
        let rows = own.wrapping_add_signed(8 * side(pc).load(Ordering::Relaxed) as i32 as isize);
        if id == 0 {
            return bump(half(rows + 12));
        }
        if v == 0 {
            return first.store(ONE | id as u64, Ordering::Relaxed);
        }
        let second = wide(rows);
        let v = second.load(Ordering::Relaxed);
        if v as u32 == id {
            second.store(v.wrapping_add(ONE), Ordering::Relaxed)
        } else if v == 0 {
            second.store(ONE | id as u64, Ordering::Relaxed)
        } else {
            bump(half(rows + 8))
        }
    }
}

/// The side word of the word at `pc`.
///
/// # Safety
/// `pc` is a word in the area.
#[inline(always)]
unsafe fn side<'a>(pc: *const u32) -> &'a AtomicU32 {
    // SAFETY: by the caller's word: side words follow the code.
    unsafe { AtomicU32::from_ptr((pc as *mut u8).wrapping_add(area::SIDE).cast()) }
}

/// Heat at which a method becomes warm; `u64::MAX` if none does.
static WARM_HEAT: AtomicU64 = AtomicU64::new(u64::MAX);
/// Warm code, with its method. Held while profiles are read or purged: so the classes that a
/// snapshot names were not unloaded when it was made.
static WARM: Mutex<Vec<Warm>> = Mutex::new(Vec::new());

struct Warm {
    method: MethodRef,
    code: &'static Code,
    /// The words with rows: when the method is redefined, its bytecode is no longer that of the code, in
    /// which frames go on.
    with_rows: Box<[u32]>,
}

/// Lets methods become warm when their heat reaches `heat`. Set before the first method is translated:
/// only code in the area can be profiled.
///
/// # Errors
/// A sentence if the system has no address space.
pub fn enable(heat: u64) -> Result<(), String> {
    let processors = concord_base::options::processors();
    area::init(2 * processors).map_err(|e| format!("cannot reserve the memory of profiles: {e}"))?;
    WARM_HEAT.store(heat, Ordering::Release);
    Ok(())
}

/// A heat counter of `m` ran out.
pub fn heated(m: MethodRef) {
    if m.heat.load(Ordering::Relaxed) & HEAT_COUNT >= WARM_HEAT.load(Ordering::Relaxed)
        && let Some(code) = Code::of(m)
        && warm(m, code)
    {
        callees::warm_all(m);
    }
}
/// `m` got its code.
pub fn translated(m: MethodRef, code: &'static Code) {
    if WARM_HEAT.load(Ordering::Relaxed) == 0 {
        warm(m, code);
    }
}

/// Makes a method warm, unless it is, or its code is not in the area; whether it has become so.
pub fn warm(m: MethodRef, code: &'static Code) -> bool {
    let Some(area) = area::get().filter(|a| !code.is_warm() && a.contains(code.base())) else { return false };
    {
        let mut all = WARM.lock().expect("warm methods");
        if code.is_warm() {
            return false;
        }
        let sites = instructions(m.bytecode).filter(|(b, _)| needs_rows(m.bytecode[*b]));
        let with_rows: Box<[u32]> = sites.map(|(_, w)| w as u32).collect();
        let bytes = 4 * ROWS * with_rows.len();
        let rows = match bytes {
            0 => std::ptr::null_mut(),
            _ => match area.take(bytes) {
                Some(p) => p as *mut u32,
                None => return false,
            },
        };
        for (i, w) in with_rows.iter().enumerate() {
            let pc = code.words()[*w as usize].as_ptr() as *const u32;
            let distance = (rows as isize + (4 * ROWS * i) as isize - pc as isize) / 4;
            // SAFETY: a word of code in the area.
            unsafe { side(pc) }.store(distance as i32 as u32, Ordering::Relaxed);
        }
        code.set_warm(rows.cast(), bytes);
        all.push(Warm { method: m, code, with_rows });
    }
    for (_, w) in instructions(m.bytecode) {
        count_word(&code.words()[w]);
    }
    vm_log!(Profile, Debug, "{m:?} is warm at {}", m.heat.load(Ordering::Relaxed) & HEAT_COUNT);
    true
}

/// Replaces an instruction by what it is quickened to. Whoever executes it once its code is warm
/// counts it: two threads may quicken a word, and what the second writes counts like the first's.
pub fn publish(word: &AtomicU32, op: u16, operand: u16, warm: impl Fn() -> bool) {
    let traced = word.load(Ordering::Relaxed) as u16 & TRACED;
    let counts = if traced == 0 && warm() && shape(op) != Shape::Nothing { PROFILED } else { 0 };
    // Who makes the method warm does that first and reads the word in an RMW: of the two RMWs the later sees
    // what came before the earlier.
    word.swap(crate::code::word(op | traced | counts, operand), Ordering::AcqRel);
    if warm() {
        count_word(word);
    }
}

/// Makes a word of warm code count, if it can and is not watched. Another thread may quicken it
/// meanwhile, and then does this itself.
pub fn count_word(word: &AtomicU32) {
    let mut old = word.fetch_or(0, Ordering::AcqRel);
    while old as u16 & (TRACED | PROFILED) == 0 && shape(old as u16) != Shape::Nothing {
        match word.compare_exchange(old, old | PROFILED as u32, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => old = now,
        }
    }
}

/// Forgets the code of methods that are unloaded; it is about to go.
pub fn forget(gone: impl Fn(&Method) -> bool) {
    WARM.lock().expect("warm methods").retain(|w| !gone(w.method));
}
