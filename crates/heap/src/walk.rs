//! Walks over the heap, and objects as text.
//!
//! Invariant: a walk happens with the world stopped and with exact valid-object bits. It shows
//! objects that are dead but not collected yet: collect first where that matters.
use crate::binding::collector;
use crate::conservative;
use crate::eden;
use concord_contract::layout::{self, LayoutKind, object_size};
use concord_contract::object::{HEADER_BYTES, LAYOUT_OFFSET};
use concord_contract::{BasicType, Obj};
use concord_safepoint::Stopped;
use std::fmt::Write as _;

/// Visits every object; `stopped` is the proof of a stop. Within a collection's own stop the walk
/// may stand before anything is traced or after the collection has ended, never between.
pub fn for_each_object(stopped: &Stopped, mut f: impl FnMut(Obj)) {
    conservative::gather(stopped, false);
    conservative::set_all_bits();
    // SAFETY: a valid-object bit stands for an object.
    collector().enumerate_objects(|o| f(unsafe { Obj::from_addr(o.to_raw_address().as_usize()) }));
    conservative::forget();
    // SAFETY: an object of eden.
    eden::objects::for_each(|at| f(unsafe { Obj::from_addr(at) }));
}

/// An object's header, class and words, for logs and crash reports.
pub fn describe(o: Obj) -> String {
    if o.is_null() {
        return "null".into();
    }
    let id = o.layout_id();
    let word = o.get_u32(LAYOUT_OFFSET);
    let mut s = format!("{:#x}: lock word {:#010x}, layout {id}, flags {:#04x}", o.addr(), o.get_u32(0), word >> 24);
    // An id that was never handed out has an empty row.
    // SAFETY: the table is reserved for every 24-bit id.
    let class = unsafe { (*layout::class_table().add(id as usize)).load(std::sync::atomic::Ordering::Relaxed) };
    if class.is_null() {
        s.push_str(", no such layout");
        return s;
    }
    let (class, l) = (o.class(), layout::get(id));
    // SAFETY: the header names a layout, so the object is complete.
    let size = unsafe { object_size(o.addr()) };
    let result: std::fmt::Result = (|| {
        write!(s, ", class {}, {size} bytes", class.name)?;
        match l.kind {
            LayoutKind::PrimArray | LayoutKind::RefArray => {
                write!(s, ", length {}", o.array_len())?;
                let basic = if l.kind == LayoutKind::RefArray { BasicType::Object } else { class.basic };
                for i in 0..o.array_len().min(8) {
                    let at = l.base as usize + (i << l.elem_shift);
                    match basic.heap_shift() {
                        0 => write!(s, "\n  [{i}] {:#04x}", o.get_u8(at))?,
                        1 => write!(s, "\n  [{i}] {:#06x}", o.get_u16(at))?,
                        2 if basic.is_ref() => write!(s, "\n  [{i}] -> {:#x}", o.get_ref(at).addr())?,
                        2 => write!(s, "\n  [{i}] {:#010x}", o.get_u32(at))?,
                        _ => write!(s, "\n  [{i}] {:#018x}", o.get_u64(at))?,
                    }
                }
            }
            LayoutKind::Instance | LayoutKind::Reference | LayoutKind::LargeInstance | LayoutKind::LargeReference => {
                for at in (HEADER_BYTES..size.min(HEADER_BYTES + 64 * 4)).step_by(4) {
                    let bit = (at - HEADER_BYTES) / 4;
                    if matches!(l.kind, LayoutKind::Instance | LayoutKind::Reference) && l.map >> bit & 1 != 0 {
                        write!(s, "\n  +{at} -> {:#x}", o.get_ref(at).addr())?;
                    } else {
                        write!(s, "\n  +{at} {:#010x}", o.get_u32(at))?;
                    }
                }
            }
        }
        Ok(())
    })();
    result.expect("writing to a string");
    s
}

/// Whether `address` is in memory that objects may lie in, and reading it finds memory. Takes no lock.
pub fn is_backed(address: usize) -> bool {
    eden::contains(address) || conservative::is_backed(address)
}

/// The object at or around `address`. The world is stopped, no collection has begun to trace, and eden is on: without it, not all
/// objects have their bits. Changes nothing.
pub fn object_around(address: usize) -> Option<Obj> {
    let at = match eden::contains(address) {
        true => eden::objects::around_by_walk(address),
        false => conservative::old_object_around(address),
    };
    // SAFETY: the collector has found an object there.
    at.map(|at| unsafe { Obj::from_addr(at) })
}
