//! What wrappers of native methods call.
//!
//! Invariant: the native method's frame is the innermost, by the anchors; the thread is in the VM
//! when a shim returns.
use concord_contract::thread::poll;
use concord_contract::{Method, Thread};
use concord_memory_model::emit;
use concord_runtime::{handles, threads};
use std::sync::atomic::Ordering;

/// Runs the VM's own function of `m`, or what was registered in its place; the raw result. The watermark tells of an
/// exception.
///
/// # Safety
/// `args` are the slots of a call of `m`, which had such a function.
pub unsafe extern "sysv64" fn run_vm_native(th: &Thread, args: *const u64, m: &'static Method) -> u64 {
    let r = match m.vm_native() {
        // SAFETY: by the caller's word.
        Some(f) => concord_runtime::allocations::after_native(th, m, unsafe { f(th, args) }),
        None => concord_runtime::native::call_native(th, m, args),
    };
    if th.poll.load(Ordering::Acquire) & poll::SUSPEND != 0 {
        // A reference in `r` is pinned by this frame.
        threads::suspend_self(th);
    }
    match r {
        Ok(v) => v,
        Err(_) => {
            th.watermark.store(0, Ordering::Relaxed);
            0
        }
    }
}

/// Runs `m`, which is synchronized, under its monitor; the raw result. The watermark tells of an exception.
pub extern "sysv64" fn run_synchronized(th: &Thread, _args: *const u64, m: &'static Method) -> u64 {
    match concord_interpreter::entry::run_synchronized_native(th, m) {
        // A reference in `v` stays where it is: the caller stops nowhere before it has it.
        Ok(v) => v,
        Err(_) => {
            th.watermark.store(0, Ordering::Relaxed);
            0
        }
    }
}

/// Comes back from a JNI function when more is to be done than to say so; the result.
pub extern "sysv64" fn come_back(th: &Thread, v: u64) -> u64 {
    concord_safepoint::poll(th);
    suspend(th);
    v
}

/// As [`come_back`] for a function that gave a reference; the object's address.
///
/// # Safety
/// `h` is null or a reference that is valid in the native method's frame.
pub unsafe extern "sysv64" fn come_back_with_reference(th: &Thread, h: *mut u64) -> u64 {
    concord_safepoint::poll(th);
    // SAFETY: by the caller's word.
    let o = unsafe { handles::resolve(h) };
    suspend(th);
    // While it slept the object was pinned by this frame.
    o.addr() as u64
}

/// Lets other threads see the array at `address`: a critical function may give them its elements.
///
/// # Safety
/// `address` is null or that of an object.
pub unsafe extern "sysv64" fn share(address: usize) {
    // SAFETY: by the caller's word.
    concord_runtime::roots::share(unsafe { concord_contract::Obj::from_addr(address) });
}

/// What a critical function stored in arrays counts as one bulk store.
pub extern "sysv64" fn after_critical() {
    emit::after_plain_store();
}

/// Sleeps if the thread was suspended while it was in native code.
fn suspend(th: &Thread) {
    if th.poll.load(Ordering::Acquire) & poll::SUSPEND != 0 {
        threads::suspend_self(th);
    }
}
