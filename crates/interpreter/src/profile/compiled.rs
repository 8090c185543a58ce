//! Where compiled code counts.
//!
//! Invariant: a cell that is given away here is that of the same instruction for the interpreter, and
//! stays one as long as the method has its words. Whoever asks makes the method warm: from then on
//! interpreter and compiled code count the same things.
use super::area::{self, Area};
use super::{Shape, needs_rows, shape, side, warm};
use crate::code::Code;
use crate::raw::instructions;
use concord_contract::method::MethodRef;
use concord_contract::profile::{Cell, Counter, Counters, Rows};
use std::sync::atomic::Ordering;

/// The word in front of code whose cell counts what compiled code does.
pub(super) fn prefix(base: *const u32) -> *const u32 {
    base.wrapping_sub(2)
}

/// See [`Engine::counters`](concord_contract::entries::Engine::counters).
pub fn counters(m: MethodRef) -> Option<Counters> {
    let (area, code) = (area::get()?, Code::of(m)?);
    warm(m, code);
    if !code.is_warm() {
        return None;
    }
    let own = |w: usize| area.distance(code.words()[w].as_ptr() as *const u32);
    let sites = instructions(m.bytecode).filter_map(|(bci, w)| {
        let op = m.bytecode[bci];
        let counter = match op {
            _ if shape(op as u16) == Shape::Branch => Counter::Branch { taken: own(w), not_taken: own(w) + 4 },
            _ if needs_rows(op) => Counter::Types(Rows { own: own(w), more: rows(area, code, w) }),
            182..=186 => Counter::Call(own(w) + 4),
            _ => return None,
        };
        Some((bci as u16, counter))
    });
    let entries = area.distance(prefix(code.base()));
    Some(Counters { entries, jumps_back: entries + 4, sites: sites.collect() })
}

/// The rows of the word at index `w` of warm code.
fn rows(area: &Area, code: &Code, w: usize) -> Cell {
    let pc = code.words()[w].as_ptr() as *const u32;
    // SAFETY: warm code is in the area.
    let words = unsafe { side(pc) }.load(Ordering::Relaxed) as i32;
    area.distance(pc.wrapping_offset(words as isize))
}
