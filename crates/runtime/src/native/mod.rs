//! Native methods: linking, calling, and what foreign code needs around them.
//!
//! Invariant: [`call_native`] runs the foreign function in state `Native` with a frame of local
//! references of its own, and returns in state `InVm` with that frame closed. A method's `native`
//! word is null until it is linked or registered; the VM's own function, if there is one, wins until somebody registers
//! one that is not the VM's.
pub mod check;
pub mod critical;
mod link;
mod mangle;
pub mod prefixes;
pub mod signals;
mod trampoline;

pub use link::{add_agent, find_in_libjava, libjava};
pub(crate) use trampoline::normalise;

use crate::events::{self, Event};
use crate::handles;
use concord_contract::compiled::to_interpreter;
use concord_contract::thread::poll;
use concord_contract::{JResult, Method, MethodRef, Obj, Thread};
use std::sync::atomic::Ordering;

/// Binds a native method to a function (JNI RegisterNatives); null unbinds it.
pub fn register(m: &Method, function: *mut ()) {
    crate::MethodExt::info(m).critical.store(std::ptr::null_mut(), Ordering::Release);
    m.native.store(function, Ordering::Release);
    if m.vm_native().is_some() && is_foreign(function) {
        m.vm_native.store(std::ptr::null_mut(), Ordering::Release);
        // Not the wrapper that calls the VM's.
        m.compiled.store(to_interpreter(), Ordering::Release);
    }
}
/// Whether a function belongs to another library: the class library registers the VM's own for some methods, which has
/// shorter ways to them.
fn is_foreign(function: *mut ()) -> bool {
    let library = |f: *mut ()| {
        let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
        // SAFETY: any address, and a place for the answer, of which zero bytes are a valid one.
        unsafe { (libc::dladdr(f.cast(), info.as_mut_ptr()) != 0).then(|| info.assume_init().dli_fbase) }
    };
    !function.is_null() && library(function) != library(is_foreign as fn(*mut ()) -> bool as *mut ())
}
/// Binds a native method as [`register`] does, after agents were asked; the function that it is bound to.
pub fn bind(th: &Thread, m: MethodRef, function: *mut ()) -> *mut () {
    if m.native.load(Ordering::Acquire) == function {
        return function;
    }
    let function = match events::listener(Event::NativeMethodBind) {
        Some(l) => l.native_bound(th, m, function),
        None => function,
    };
    register(m, function);
    function
}
/// Forgets the function, so that the next call looks it up again.
pub fn unregister(m: &Method) {
    register(m, std::ptr::null_mut());
}

/// Calls a native method whose frame is pushed. `args` are its slots on the Java stack; the result
/// is the raw slot.
///
/// # Errors
/// UnsatisfiedLinkError, or what the method throws.
pub fn call_native(th: &Thread, m: MethodRef, args: *const u64) -> JResult<u64> {
    if let Some(l) = events::listener(Event::MethodEntry) {
        l.native_entered(th, m);
    }
    let r = call_function(th, m, args);
    let r = match events::listener(Event::MethodExit) {
        Some(l) => r.map(|v| tell_result(l, th, m, v)),
        None => r,
    };
    if th.poll.load(Ordering::Acquire) & poll::SUSPEND != 0 {
        // A thread suspended while it was in native code runs no bytecode when it comes back. The
        // result is in a local of this frame meanwhile, which pins an object that it names.
        crate::threads::suspend_self(th);
    }
    r
}

/// Tells a listener of what a native method returns; that, wherever an object is by then.
fn tell_result(l: &dyn events::Listener, th: &Thread, m: MethodRef, v: u64) -> u64 {
    if !m.ret.is_ref() {
        l.native_returned(th, m, v, None);
        return v;
    }
    let scope = handles::Scope::new(th);
    // SAFETY: the result of a reference-typed method is a reference.
    let object = scope.handle(unsafe { Obj::from_addr(v as usize) });
    l.native_returned(th, m, 0, Some(th.new_handle(object.get())));
    object.get().addr() as u64
}

fn call_function(th: &Thread, m: MethodRef, args: *const u64) -> JResult<u64> {
    if let Some(f) = m.vm_native() {
        // SAFETY: `args` are the slots of this call, as the row's type asks.
        return crate::allocations::after_native(th, m, unsafe { f(th, args) });
    }
    let mut function = m.native.load(Ordering::Acquire);
    if function.is_null() {
        function = link::link(th, m)?;
    }
    // SAFETY: the function was linked or registered for this method; the slots are its arguments.
    unsafe { trampoline::call(th, m, function, args) }
}

/// Loads libjava, whose functions most natives of the class library are; at boot.
///
/// # Errors
/// UnsatisfiedLinkError with the dynamic linker's message.
pub fn load_java_library(th: &Thread) -> JResult<()> {
    match libjava() {
        Ok(_handle) => Ok(()),
        Err(message) => crate::exceptions::throw(th, "java/lang/UnsatisfiedLinkError", message),
    }
}
