//! `Unsafe.park` as a function of JNI, for tools that stand between it and Java.
//!
//! Invariant: a tool that has put a function of its own in the place of RegisterNatives sees it called when Unsafe
//! registers its native methods, with a function for `park` that does what the VM's own does. So profilers of locks
//! (async-profiler) find it; they register theirs then, which calls it. Nobody else is told: the VM's own is shorter.
use super::classes::{NativeMethod, RegisterNatives};
use super::table::{NAMES, SLOTS, TABLE};
use crate::env::{Ref, Text, enter};
use concord_contract::Thread;
use concord_contract::frame::java_frames;
use concord_runtime::threads;

/// The function that a tool gets to see.
extern "C" fn Unsafe_Park(th: &Thread, _unsafe: Ref, is_absolute: u8, time: i64) {
    let _vm = enter(th);
    threads::park(th, is_absolute != 0, time);
    if threads::async_pending(th) {
        // What is thrown is pending, which the caller finds.
        let _thrown = threads::deliver_async(th);
    }
}

type Register = extern "C" fn(&Thread, Ref, *const NativeMethod, i32) -> i32;

/// Calls the tool's RegisterNatives, if there is one.
pub fn register(th: &Thread) {
    let slot = NAMES.iter().position(|n| *n == "RegisterNatives").map(|n| n + SLOTS - NAMES.len());
    let Some(f) = slot.map(|n| TABLE.functions()[n]) else { return };
    if std::ptr::eq(f, RegisterNatives as *const ()) {
        return;
    }
    // SAFETY: tools put functions of the specification's types into the table.
    let f = unsafe { std::mem::transmute::<*mut (), Register>(f) };
    let row = NativeMethod {
        name: Text::of(c"park"),
        signature: Text::of(c"(ZJ)V"),
        function: Unsafe_Park as *const () as *mut std::ffi::c_void,
    };
    let Some((m, _)) = java_frames(th).next() else { return };
    let mirror = Ref::new(th.new_handle(m.class.mirror.get()));
    concord_safepoint::in_native(|| f(th, mirror, &raw const row, 1));
}
