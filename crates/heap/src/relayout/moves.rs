//! Where the words of an object go in its new layout.
//!
//! Invariant: moves that have been checked lose no reference and make none: every slot of the old layout goes to a slot of the
//! new one, and every slot of that has come from one; no field goes over another or over the end; both layouts are of one class.
use crate::roots::provider;
use crate::scanning::slots_of;
use concord_base::bug;
use concord_contract::layout::{self, Layout, LayoutKind};
use concord_contract::object::{HEADER_BYTES, LOCK_OFFSET};
use std::ops::Range;

/// What becomes of the objects of one layout.
#[derive(Clone, Debug)]
pub struct Moves {
    pub from: u32,
    /// Its row in the table is complete.
    pub to: u32,
    /// Old offset, new offset, bytes. What no move leads to is zero.
    pub fields: Vec<(u32, u32, u32)>,
}

impl Moves {
    pub fn old_bytes(&self) -> usize {
        layout::get(self.from).size as usize
    }
    pub fn new_bytes(&self) -> usize {
        layout::get(self.to).size as usize
    }

    /// Ends the VM if the invariant does not hold.
    pub(super) fn check(&self) {
        if let Err(what) = self.mistake() {
            bug!("relayout of {} from {} to {}: {what}", layout::class_of(self.from).name, self.from, self.to);
        }
    }

    fn mistake(&self) -> Result<(), &'static str> {
        let (old, new) = (layout::get(self.from), layout::get(self.to));
        let is_instance = |l: &Layout| l.size != 0 && !matches!(l.kind, LayoutKind::PrimArray | LayoutKind::RefArray);
        let no = |wrong: bool, what: &'static str| if wrong { Err(what) } else { Ok(()) };
        no(!is_instance(old) || !is_instance(new), "no instances")?;
        no(old.kind.is_reference() != new.kind.is_reference(), "one is a reference, the other is not")?;
        no(layout::class_of(self.from) != layout::class_of(self.to), "two classes")?;
        no(layout::marks_of(self.from) != layout::marks_of(self.to), "other marks")?;
        disjoint(self.fields.iter().map(|&(from, _, n)| from..from + n), old.size)?;
        disjoint(self.fields.iter().map(|&(_, to, n)| to..to + n), new.size)?;
        let come: Option<Vec<u32>> = slots(old).into_iter().map(|at| self.place_of(at)).collect();
        let mut come = come.ok_or("a reference is lost")?;
        come.sort_unstable();
        no(come != slots(new), "references do not come to where the new layout has them")
    }

    /// Where the slot at an offset goes.
    fn place_of(&self, slot: u32) -> Option<u32> {
        let holds = |&&(from, _, n): &&(u32, u32, u32)| from <= slot && slot + 4 <= from + n;
        self.fields.iter().find(holds).map(|(from, to, _)| slot - from + to)
    }

    /// Makes a copy at `to` of the object at `from`.
    ///
    /// # Safety
    /// The moves have been checked; an object of the old layout is at `from`, nobody's memory for one of the new layout at `to`,
    /// and the world is stopped.
    pub(super) unsafe fn copy(&self, from: usize, to: usize) {
        // SAFETY: by the caller's promise all fields lie in the old object, and in the memory.
        unsafe {
            std::ptr::write_bytes(to as *mut u8, 0, self.new_bytes());
            for &(old, new, n) in &self.fields {
                let (s, d) = ((from + old as usize) as *const u8, (to + new as usize) as *mut u8);
                std::ptr::copy_nonoverlapping(s, d, n as usize);
            }
            let lock_word = *((from + LOCK_OFFSET) as *const u32);
            *(to as *mut u64) = u64::from(lock_word) | u64::from(self.to) << 32;
        }
    }
}

/// Whether no two of the ranges have a byte in common, and all lie behind the header of an object of `size` bytes.
fn disjoint(ranges: impl Iterator<Item = Range<u32>>, size: u32) -> Result<(), &'static str> {
    let mut all: Vec<_> = ranges.filter(|r| !r.is_empty()).collect();
    all.sort_unstable_by_key(|r| r.start);
    let starts = all.iter().map(|r| r.start).skip(1).chain([size]);
    if all.first().is_some_and(|r| (r.start as usize) < HEADER_BYTES) {
        return Err("a field in the header");
    }
    if all.iter().zip(starts).any(|(r, next)| r.end > next) {
        return Err("a field over another or over the end");
    }
    Ok(())
}

/// Offsets of the slots of a layout of instances, in order.
fn slots(l: &Layout) -> Vec<u32> {
    let mut all = Vec::new();
    // SAFETY: of instances the layout alone is looked at.
    unsafe { slots_of(0, l, |slot| all.extend(slot.in_heap().map(|at| at as u32))) };
    if let (true, Some(r)) = (l.kind.is_reference(), provider().reference_layout()) {
        all.extend([r.referent as u32, r.discovered as u32]);
    }
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_overlap_or_leave_the_object_are_found() {
        let ok = |ranges: &[(u32, u32)]| disjoint(ranges.iter().map(|&(a, b)| a..b), 32).is_ok();
        assert!(ok(&[]) && ok(&[(8, 32)]) && ok(&[(16, 20), (8, 16), (20, 32)]));
        assert!(!ok(&[(4, 12)]) && !ok(&[(8, 33)]) && !ok(&[(32, 36)]));
        assert!(!ok(&[(8, 16), (12, 20)]) && !ok(&[(20, 24), (8, 24)]));
    }

    #[test]
    fn a_slot_goes_with_the_field_around_it() {
        let m = Moves { from: 0, to: 0, fields: vec![(8, 136, 8), (16, 8, 4)] };
        assert_eq!([8, 12, 16, 20, 14].map(|at| m.place_of(at)), [Some(136), Some(140), Some(8), None, None]);
    }
}
