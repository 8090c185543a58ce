//! What the frames of a thread name, and in which frame, as FollowReferences tells it.
//!
//! Invariant: each reference in a frame is told once for each variable that holds it, with the frame's depth, method,
//! instruction and slot: locals first, then the operand stack behind them. A local reference of native code belongs to
//! the native method that was running when it was made; those below all native methods have no method. The arguments of
//! native methods are such references, too (HotSpot does not tell them).
use super::stack::location;
use concord_contract::frame::{AUX, Frame, frames};
use concord_contract::{MethodRef, Obj, Thread};
use concord_runtime::roots;

/// Where a reference was found.
#[derive(Clone, Copy)]
pub enum Found {
    Stack { location: i64, slot: i32 },
    Native,
}

/// The object behind a root's word; null for marks.
pub fn named(slot: *mut u64) -> Obj {
    // SAFETY: a root's word, read while the world is stopped; it holds an object's address, null or a mark.
    unsafe {
        let word = *slot as usize;
        Obj::from_addr(if word & 7 == 0 { word } else { 0 })
    }
}

/// Visits what the frames of a stopped thread name: depth, method, where, the object.
pub fn visit(t: &Thread, each: &mut dyn FnMut(i32, Option<MethodRef>, Found, Obj)) {
    let mut depth = 0;
    // Local references above this are told.
    let mut above = t.handle_top.get();
    for f in frames(t) {
        let Some(m) = f.method() else {
            roots::arguments_under_way(&f, &mut |p| {
                each(depth, None, Found::Stack { location: -1, slot: -1 }, named(p))
            });
            continue;
        };
        if m.is_native() {
            let mut arguments = Vec::new();
            roots::native_arguments(m, &f, &mut |p| arguments.push(named(p)));
            // SAFETY: the header of a native method's frame.
            let base = (unsafe { *f.fp.sub(AUX) } as usize).min(above);
            let own = references(t, base..above);
            // Arguments are local references, but for the VM's own methods.
            let more = arguments.iter().filter(|o| !own.contains(o));
            more.chain(&own).for_each(|o| each(depth, Some(m), Found::Native, *o));
            above = base;
        } else {
            let location = location(m, &f);
            variables(&f, &mut |slot, p| each(depth, Some(m), Found::Stack { location, slot }, named(p)));
        }
        depth += 1;
    }
    references(t, 0..above).into_iter().for_each(|o| each(depth, None, Found::Native, o));
}

/// The objects behind a stretch of the thread's local references.
fn references(t: &Thread, which: std::ops::Range<usize>) -> Vec<Obj> {
    let base = t.handles.get();
    // SAFETY: slots below the top have been written.
    let all = which.filter(|_| !base.is_null()).map(|i| named(unsafe { base.add(i) }));
    all.filter(|o| !o.is_null()).collect()
}

/// The references in a frame of bytecode, with their slots.
fn variables(f: &Frame, each: &mut dyn FnMut(i32, *mut u64)) {
    if let Some((a, i)) = f.activation() {
        a.named_refs().into_iter().filter(|r| r.0 == i).for_each(|(_, slot, p)| each(slot, p));
    } else {
        roots::variables(f, each);
    }
}
