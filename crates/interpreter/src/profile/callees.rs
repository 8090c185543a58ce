//! What warm methods call.
//!
//! Invariant: a method that becomes warm by its own heat makes those warm that it calls, and what they call, as far as such
//! calls have been resolved and may be inlined. A loop makes its method hot in a few calls: what it calls once outside of
//! the loop has run as often, and would have nothing to show when the method is compiled.
use super::warm;
use crate::code::Code;
use crate::raw::instructions;
use concord_contract::CpEntry;
use concord_contract::method::{CallSite, MethodRef};
use std::sync::atomic::Ordering;

/// Calls of calls that are followed.
const DEPTH: u32 = 3;
/// Bytes of bytecode of what may be inlined (`OWN_SIZE` of the quick tier, which this room does not know).
const MOST: usize = 110;

/// Makes warm what `m` calls.
pub fn warm_all(m: MethodRef) {
    below(m, DEPTH);
}

fn below(m: MethodRef, depth: u32) {
    for callee in called(m) {
        if (1..=MOST).contains(&callee.bytecode.len())
            && let Some(code) = Code::of(callee)
            && warm(callee, code)
            && depth > 1
        {
            below(callee, depth - 1);
        }
    }
}

/// The methods that resolved calls of `m` name.
fn called(m: MethodRef) -> impl Iterator<Item = MethodRef> {
    let cache: *const CpEntry = m.class.cp_cache.load(Ordering::Acquire);
    instructions(m.bytecode).filter(|(b, _)| matches!(m.bytecode[*b], 182..=185)).filter_map(move |(b, _)| {
        let cp = u16::from_be_bytes([m.bytecode[b + 1], m.bytecode[b + 2]]);
        // SAFETY: a method with code has its class's cache, with an entry per constant; that of a call holds null or a record
        // that is never freed.
        unsafe { ((*cache.add(cp as usize)).a.load(Ordering::Acquire) as *const CallSite).as_ref() }.map(|s| s.method)
    })
}
