//! Verification of the heap after a collection.
//!
//! Invariant: nothing is changed; the first error found prints the object and ends the VM.
use crate::binding::collector;
use crate::conservative::is_object;
use crate::roots::{provider, scan_thread_block};
use crate::scanning::slots_of;
use crate::slot::RefSlot;
use crate::verify_local;
use crate::walk::describe;
use crate::{eden, remembered};
use concord_base::{bug, vm_log};
use concord_contract::object::{LAYOUT_ID_MASK, LAYOUT_OFFSET};
use concord_contract::{Obj, layout};
use concord_safepoint::Stopped;
use std::sync::atomic::Ordering::Relaxed;

fn check_object(o: Obj, whence: &dyn Fn() -> String) {
    let word = o.get_u32(LAYOUT_OFFSET);
    // SAFETY: the table is reserved for every 24-bit id.
    let class = unsafe { (*layout::class_table().add((word & LAYOUT_ID_MASK) as usize)).load(Relaxed) };
    if word & !LAYOUT_ID_MASK != 0 || class.is_null() {
        bug!("heap verification: bad header: {} ({})", describe(o), whence());
    }
}

fn check_reference(o: Obj, whence: &dyn Fn() -> String) {
    if !is_object(o) {
        bug!("heap verification: {:#x} is no live object ({})", o.addr(), whence());
    }
    check_object(o, whence);
}

/// An old object that names a young one is remembered.
fn check_remembered(holder: Obj, slot: RefSlot, child: Obj) {
    if eden::contains(child.addr()) && !eden::contains(holder.addr()) {
        let at = slot.in_heap().unwrap_or(0);
        if !remembered::is_remembered(holder, at) {
            bug!("heap verification: {slot:?} of {} is not remembered: {}", describe(holder), describe(child));
        }
    }
}

/// Checks all roots, all objects and all references.
pub fn verify(stopped: &Stopped) {
    let mut roots = 0usize;
    let mut local = verify_local::Check::new(stopped);
    let mut root = |what: &'static str, slot: *mut u64| {
        // SAFETY: the provider's root words.
        let word = unsafe { *slot } as usize;
        if word != 0 && word & 7 == 0 {
            roots += 1;
            // SAFETY: checked right here before it is used as an object.
            check_reference(unsafe { Obj::from_addr(word) }, &|| format!("{what} root at {slot:?}"));
        }
    };
    for th in stopped.threads() {
        scan_thread_block(th, &mut |s| root("thread block", s));
        provider().scan_thread(th, &mut |s| root("thread", s), &mut |_| {});
    }
    let mut global = |what: &'static str, slot: *mut u64| {
        root(what, slot);
        // SAFETY: the provider's root words, checked right before.
        let word = unsafe { *slot } as usize;
        if word != 0 && word & 7 == 0 {
            // SAFETY: as above.
            local.global(unsafe { Obj::from_addr(word) });
        }
    };
    provider().scan_globals(true, &mut |s| global("global", s));
    provider().weak_slots(true, &mut |s| {
        global("weak", s);
        true
    });
    let mut objects = 0usize;
    let mut one = |object: Obj| {
        check_object(object, &|| "found by the heap walk".into());
        objects += 1;
        let address = object.addr();
        // SAFETY: the header has been checked; the world is stopped.
        unsafe {
            let l = layout::get(object.layout_id());
            let check = |slot: RefSlot| {
                if let Some(child) = slot.object() {
                    let child = Obj::from_addr(child.to_raw_address().as_usize());
                    check_reference(child, &|| format!("{slot:?} of {}", describe(object)));
                    check_remembered(object, slot, child);
                }
            };
            slots_of(address, l, check);
            if let (true, Some(r)) = (l.kind.is_reference(), provider().reference_layout()) {
                check(RefSlot::heap(address + r.referent));
                check(RefSlot::heap(address + r.discovered));
            }
        }
        local.object(object);
    };
    // SAFETY: a valid-object bit stands for an object.
    collector().enumerate_objects(|o| one(unsafe { Obj::from_addr(o.to_raw_address().as_usize()) }));
    // SAFETY: an object of eden.
    eden::objects::for_each(|at| one(unsafe { Obj::from_addr(at) }));
    local.owners(stopped);
    vm_log!(GcVerify, Debug, "Verified {objects} objects, {} of them LOCAL, and {roots} roots", local.local);
}
