//! Guards that failed: what is compiled otherwise for them.
use super::queue::{key, with};
use super::{cool, full_count};
use crate::{closing, deopt};
use concord_base::{bug, event_log, vm_log};
use concord_contract::Thread;
use concord_contract::code_table::{Installed, Place, find};
use concord_contract::compiled::{DeoptReason, FrameState};
use std::collections::HashMap;

/// Traps after which an instruction is compiled to throw by itself, or to call whatever its receiver is.
const HOT_TRAP: u32 = 20;
/// Times that code of a method is thrown away because a trap might go.
const RECOMPILES: u32 = 8;

/// Those for which the code that is made next has no guard.
pub(super) fn hot(traps: &HashMap<(u16, DeoptReason), u32>) -> Vec<(u16, DeoptReason)> {
    traps.iter().filter(|(k, n)| **n >= HOT_TRAP || deopt::recompile_helps(k.1)).map(|(k, _)| *k).collect()
}

/// A guard of `code` failed.
pub fn trapped(code: &'static Installed, s: &FrameState) {
    let m = code.method;
    let at = (s.frames.last().map_or(0, |f| f.bci), s.reason);
    let retire = with(|st| {
        let n = st.traps.entry(key(m)).or_default().entry(at).or_insert(0);
        *n += 1;
        // All code that relies on it goes, one piece after the other: what is made from now on does not.
        if s.reason == DeoptReason::Receiver {
            return (*n >= HOT_TRAP).then_some(1);
        }
        let retire = if deopt::recompile_helps(s.reason) { true } else { s.reason.is_exception() && *n == HOT_TRAP };
        let again = st.recompiles.entry(key(m)).or_insert(0);
        if retire && *again < RECOMPILES {
            *again += 1;
            Some(*again)
        } else {
            None
        }
    });
    vm_log!(Deopt, Debug, "{m:?} {} {:?} at {}", code.id, at.1, at.0);
    let action = if retire.is_some() { "reinterpret" } else { "none" };
    let name = format!("{}.{}{}", m.class.name.as_str().replace('/', "."), m.name, m.descriptor);
    let thread = Thread::current_opt().map_or(0, |th| std::ptr::from_ref(th) as usize);
    let text = format!(
        "Uncommon trap: reason={:?} action={action} pc=0x{:016x} method={name} @ {} c1",
        at.1, code.start, at.0
    );
    event_log::note(event_log::Kind::Deoptimization, thread, text);
    let Some(times) = retire else { return };
    if closing::retire(code) && code.osr_bci.is_none() {
        cool(m, u64::from(times));
    }
}

/// The thread's innermost code has published by a walk that took long, at which it could not stop: its method is made again with
/// publications that may, and this code is left. It is right, though: where there is no room for other code it stays.
pub fn published_far(th: &Thread) {
    let pc = th.anchor_sp.get() - size_of::<usize>();
    // SAFETY: the anchor is rsp at the call of the row, whose return address is below.
    let Some(Place::Method(code)) = find(unsafe { *(pc as *const usize) }) else {
        bug!("no compiled code at {pc:#x}, which has called a row")
    };
    let m = code.method;
    with(|st| st.traps.entry(key(m)).or_default().insert((0, DeoptReason::Publication), 1));
    vm_log!(Deopt, Debug, "{m:?} {} has published many objects at once", code.id);
    if full_count() == 0 {
        closing::leave(th, code);
    }
}

/// The code was closed: it may be made again.
pub fn closed(code: &Installed) {
    let m = code.method;
    match code.osr_bci {
        Some(bci) => {
            with(|s| s.loops.remove(&(key(m), bci)));
        }
        None => cool(m, 1),
    }
}
