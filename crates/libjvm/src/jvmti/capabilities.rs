//! Capabilities: which there are, and who may have which when.
//!
//! Invariant: what an environment has was on offer when it asked. What code must be prepared for is on offer while
//! agents are loaded, and later only if somebody has asked for it then. Some belong to one environment at a time, until
//! it gives them back or is disposed.
use super::environment::{Env, all};
use super::general::{current_phase, life};
use super::{Answer, code, error};
use crate::env::Out;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Bits of capabilities, by the specification's order.
pub mod can {
    pub const TAG_OBJECTS: u64 = 1;
    pub const FIELD_MODIFICATION: u64 = 1 << 1;
    pub const FIELD_ACCESS: u64 = 1 << 2;
    pub const BYTECODES: u64 = 1 << 3;
    pub const SYNTHETIC: u64 = 1 << 4;
    pub const OWNED_MONITORS: u64 = 1 << 5;
    pub const CONTENDED_MONITOR: u64 = 1 << 6;
    pub const MONITOR_USAGE: u64 = 1 << 7;
    pub const POP_FRAME: u64 = 1 << 8;
    pub const REDEFINE: u64 = 1 << 9;
    pub const SIGNAL_THREAD: u64 = 1 << 10;
    pub const SOURCE_FILE: u64 = 1 << 11;
    pub const LINE_NUMBERS: u64 = 1 << 12;
    pub const SOURCE_DEBUG_EXTENSION: u64 = 1 << 13;
    pub const LOCALS: u64 = 1 << 14;
    pub const SINGLE_STEP: u64 = 1 << 16;
    pub const FRAME_POP: u64 = 1 << 18;
    pub const GENERATE_BREAKPOINTS: u64 = 1 << 19;
    pub const SUSPEND: u64 = 1 << 20;
    pub const OWN_CPU_TIME: u64 = 1 << 22;
    pub const CPU_TIME: u64 = 1 << 23;
    pub const METHOD_ENTRY: u64 = 1 << 24;
    pub const METHOD_EXIT: u64 = 1 << 25;
    pub const FORCE_EARLY_RETURN: u64 = 1 << 33;
    pub const OWNED_MONITOR_DEPTHS: u64 = 1 << 34;
    pub const CONSTANT_POOL: u64 = 1 << 35;
    pub const NATIVE_METHOD_PREFIX: u64 = 1 << 36;
    pub const RETRANSFORM: u64 = 1 << 37;
    pub const EARLY_VM_START: u64 = 1 << 41;
    pub const EARLY_CLASS_HOOK: u64 = 1 << 42;
    pub const SAMPLED_ALLOCATIONS: u64 = 1 << 43;
    /// What needs code that reports its instructions.
    pub const WATCHES: u64 = GENERATE_BREAKPOINTS
        | SINGLE_STEP
        | FRAME_POP
        | METHOD_ENTRY
        | METHOD_EXIT
        | FIELD_MODIFICATION
        | FIELD_ACCESS
        | POP_FRAME
        | FORCE_EARLY_RETURN;

    const fn bits(list: &[u32]) -> u64 {
        let (mut all, mut i) = (0u64, 0);
        while i < list.len() {
            all |= 1 << list[i];
            i += 1;
        }
        all
    }
    /// All that this VM offers, and there is.
    pub const ALL: u64 = (1 << 44) - 1;
    /// What is on offer while agents are loaded only, as in HotSpot.
    pub const ON_LOAD: u64 = bits(&[1, 2, 5, 6, 8, 13, 14, 15, 16, 17, 18, 19, 24, 25, 33, 34, 41, 42]);
    /// What one environment has at a time, as in HotSpot: watched fields, breakpoints, suspension, samples.
    pub const SOLO: u64 = bits(&[1, 2, 19, 20, 43]);

    /// What an environment must have before the event can be asked for; as in HotSpot nothing for what is exhausted.
    pub fn of_event(number: i32) -> u64 {
        match number {
            58 | 59 => 1 << 17,
            60 => SINGLE_STEP,
            61 => FRAME_POP,
            62 => GENERATE_BREAKPOINTS,
            63 => FIELD_ACCESS,
            64 => FIELD_MODIFICATION,
            65 => METHOD_ENTRY,
            66 => METHOD_EXIT,
            67 => 1 << 30,
            68 | 69 => 1 << 27,
            73..=76 => 1 << 28,
            81 | 82 => 1 << 31,
            83 => 1 << 32,
            84 => 1 << 29,
            86 => SAMPLED_ALLOCATIONS,
            _ => 0,
        }
    }
}

/// What somebody has had while agents were loaded. Its lock is that of all changes.
static EARLY: Mutex<u64> = Mutex::new(0);

/// jvmtiCapabilities: 128 bits, of which 44 are in use.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Capabilities([u64; 2]);

/// What `e` has or may have; `early` is behind the lock of changes.
fn potential(e: &Env, early: u64) -> u64 {
    let mut offered = can::ALL;
    if current_phase() != life::ON_LOAD {
        offered &= !can::ON_LOAD | early;
    }
    if !concord_interpreter::debug::is_possible() {
        // Code translated before an agent asked reports nothing, and has no other form to go back to.
        offered &= !can::WATCHES;
    }
    let others = all().into_iter().filter(|o| !std::ptr::eq(*o, e));
    let taken = others.fold(0, |a, o| a | o.capabilities.load(Ordering::Acquire)) & can::SOLO;
    e.capabilities.load(Ordering::Acquire) | offered & !taken
}

pub extern "C" fn potential_capabilities(e: &Env, out: Option<&mut Capabilities>) -> i32 {
    let Some(out) = out else { return error::NULL_POINTER };
    *out = Capabilities([potential(e, *EARLY.lock().expect("capabilities")), 0]);
    error::NONE
}
pub extern "C" fn capabilities(e: &Env, out: Out<Capabilities>) -> i32 {
    out.set(Capabilities([e.capabilities.load(Ordering::Acquire), 0]));
    error::NONE
}
pub extern "C" fn add(e: &Env, wanted: *const Capabilities) -> i32 {
    let add = || -> Answer {
        if wanted.is_null() {
            return Err(error::NULL_POINTER);
        }
        // SAFETY: the specification: a record of capabilities.
        let Capabilities([bits, more]) = unsafe { *wanted };
        let mut early = EARLY.lock().expect("capabilities");
        if bits & !potential(e, *early) != 0 || more != 0 {
            return Err(error::NOT_AVAILABLE);
        }
        e.capabilities.fetch_or(bits, Ordering::AcqRel);
        if current_phase() == life::ON_LOAD {
            *early |= bits;
        }
        if bits & can::WATCHES != 0 {
            concord_interpreter::debug::enable();
        }
        Ok(())
    };
    code(add())
}
pub extern "C" fn relinquish(e: &Env, unwanted: *const Capabilities) -> i32 {
    if unwanted.is_null() {
        return error::NULL_POINTER;
    }
    // SAFETY: the specification: a record of capabilities.
    give_back(e, unsafe { *unwanted }.0[0]);
    error::NONE
}
/// The environment has these no more.
pub fn give_back(e: &Env, bits: u64) {
    let _changes = EARLY.lock().expect("capabilities");
    e.capabilities.fetch_and(!bits, Ordering::AcqRel);
}
