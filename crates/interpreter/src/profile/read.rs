//! Reading profiles, and taking retired layout ids out of them.
//!
//! Invariant: what is read is the sum over all stripes. A row whose class is being unloaded is
//! never shown; after [`purge`] no row holds its id.
use super::area::{self, cell, wide};
use super::{ROWS, Shape, WARM, Warm, needs_rows, shape, side};
use crate::code::{Code, TRACED};
use crate::raw::instructions;
use concord_base::vm_log;
use concord_contract::class::flags;
use concord_contract::layout;
use concord_contract::method::Method;
use concord_contract::profile::{MethodProfile, Site, Types};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// The cells of a word with rows: its own, and the two of its rows.
///
/// # Safety
/// `pc` is such a word of warm code, and `bias` a stripe's.
unsafe fn cells<'a>(bias: usize, pc: *const u32) -> [&'a AtomicU64; 1 + ROWS] {
    // SAFETY: as in `super::object`.
    unsafe {
        let own = cell(bias, pc);
        let rows = own.wrapping_add_signed(8 * side(pc).load(Ordering::Relaxed) as i32 as isize);
        [wide(own), wide(rows), wide(rows + 8)]
    }
}

fn low(v: u64) -> u64 {
    v & 0xffff_ffff
}

/// The profile of a warm method.
pub fn snapshot(m: &Method) -> Option<MethodProfile> {
    let _no_purge = WARM.lock().expect("warm methods");
    let code = Code::of(m).filter(|c| c.is_warm())?;
    Some(read(m, code, &area::get()?.used()))
}

fn read(m: &Method, code: &Code, stripes: &[usize]) -> MethodProfile {
    let mut sites = Vec::new();
    for (bci, w) in instructions(m.bytecode) {
        let word = &code.words()[w];
        let pc = word.as_ptr() as *const u32;
        // SAFETY: warm code is in the area.
        let own = || stripes.iter().map(|b| unsafe { wide(cell(*b, pc)) }.load(Ordering::Relaxed));
        let op = m.bytecode[bci];
        // Selected by the receiver according to the class file, and then found to have one target: the
        // word says so, or compiled code did, where the word was never executed: objects have ids.
        let direct = || {
            shape(word.load(Ordering::Relaxed) as u16 & (TRACED - 1)) == Shape::Call
                || own().any(|v| v >> 32 != 0 && low(v) == 0)
        };
        let site = match op {
            _ if shape(op as u16) == Shape::Branch => {
                Site::Branch { taken: own().map(low).sum(), not_taken: own().map(|v| v >> 32).sum() }
            }
            _ if needs_rows(op) && !direct() => Site::Types(types(pc, stripes)),
            182..=186 => Site::Call(own().map(|v| v >> 32).sum()),
            _ => continue,
        };
        sites.push((bci as u16, site));
    }
    let base = code.base();
    // SAFETY: as above; the words of the prefix are in the area, too.
    let total =
        || stripes.iter().map(|b| unsafe { wide(cell(*b, super::compiled::prefix(base))) }.load(Ordering::Relaxed));
    let mut profile = MethodProfile::new(sites);
    profile.entries = total().map(low).sum();
    profile.jumps_back = total().map(|v| v >> 32).sum();
    profile
}

fn types(pc: *const u32, stripes: &[usize]) -> Types {
    let mut t = Types::default();
    for bias in stripes {
        // SAFETY: the word of a bytecode that needs rows, in warm code.
        let [own, row, counts] = unsafe { cells(*bias, pc) }.map(|c| c.load(Ordering::Relaxed));
        for v in [own, row].into_iter().filter(|v| *v != 0) {
            let class = layout::class_of(v as u32);
            match class.has_flag(flags::UNLOADED) {
                true => t.rest += v >> 32,
                false => t.add(class, v >> 32),
            }
        }
        t.rest += low(counts);
        t.nulls += counts >> 32;
    }
    t
}

/// Visits all words that count objects of a layout, with the word that counts the others of the same instruction; the number
/// of warm methods. At a stop.
fn for_each_row(area: &area::Area, mut f: impl FnMut(&AtomicU64, &AtomicU64)) -> usize {
    let (all, stripes) = (WARM.lock().expect("warm methods"), area.used());
    for Warm { code, with_rows, .. } in all.iter() {
        for w in with_rows {
            let pc = code.words()[*w as usize].as_ptr() as *const u32;
            for bias in &stripes {
                // SAFETY: as for reading.
                let [own, row, counts] = unsafe { cells(*bias, pc) };
                f(own, counts);
                f(row, counts);
            }
        }
    }
    all.len()
}

/// Takes layout ids out of all profiles; what they counted becomes objects of other classes. At a
/// stop that retires the ids.
pub fn purge(retired: impl Fn(u32) -> bool) {
    let Some(area) = area::get() else { return };
    let mut purged = 0;
    let methods = for_each_row(area, |c, counts| {
        let v = c.load(Ordering::Relaxed);
        // A call whose target was known at once has counts without an id.
        if v as u32 != 0 && retired(v as u32) {
            c.store(0, Ordering::Relaxed);
            let sum = counts.load(Ordering::Relaxed);
            let rest = low(low(sum) + (v >> 32));
            counts.store(sum & !0xffff_ffff | rest, Ordering::Relaxed);
            purged += 1;
        }
    });
    if purged > 0 {
        vm_log!(Profile, Info, "{purged} rows of {methods} warm methods purged");
    }
}

/// Objects of some layouts (old id, new id) have the new ones from now on. At a stop.
pub fn renumber(ids: &[(u32, u32)]) {
    let Some(area) = area::get().filter(|_| !ids.is_empty()) else { return };
    for_each_row(area, |c, _| {
        let v = c.load(Ordering::Relaxed);
        if let Some((_, new)) = ids.iter().find(|(old, _)| v as u32 == *old) {
            c.store(v & !0xffff_ffff | u64::from(*new), Ordering::Relaxed);
        }
    });
}

/// The profiles of all warm methods as text.
pub fn print() -> String {
    let Some(area) = area::get() else { return String::new() };
    let (all, stripes) = (WARM.lock().expect("warm methods"), area.used());
    let mut s = String::new();
    for Warm { method, code, .. } in all.iter() {
        // Redefined methods have other code by now.
        if Code::of(method).is_some_and(|c| std::ptr::eq(c, *code)) {
            let _infallible = write!(s, "{method:?}\n{}", read(method, code, &stripes));
        }
    }
    s
}
