//! Calls from the VM into Java.
//!
//! Arguments and results are raw slots: references as addresses, long and double in two slots with
//! the value in the lower one.
use crate::info::ClassExt;
use crate::{exceptions, loader, vtable};
use concord_base::Symbol;
use concord_contract::entries::engine;
use concord_contract::method::NO_INDEX;
use concord_contract::{Class, JResult, MethodRef, Obj, Thread};
use std::sync::atomic::Ordering;

/// Calls `m`; the class must be initialized or be initializing in this thread.
#[inline]
pub fn invoke(th: &Thread, m: MethodRef, args: &[u64]) -> JResult<u64> {
    // Of what was made before agents hear before; the arguments are on this stack, which pins them.
    crate::allocations::tell(th);
    engine().invoke(th, m, args)
}
/// Calls `m` of the thread's own java.lang.Thread, which is not pinned by that.
pub fn invoke_on_thread(th: &Thread, m: MethodRef) -> JResult<u64> {
    crate::allocations::tell(th);
    engine().invoke_on_thread(th, m)
}
/// Calls a method that returns a reference.
pub fn invoke_ref(th: &Thread, m: MethodRef, args: &[u64]) -> JResult<Obj> {
    let r = invoke(th, m, args)?;
    // SAFETY: the callee's descriptor promises a reference, and no safepoint lies between.
    Ok(unsafe { Obj::from_addr(r as usize) })
}

/// Calls a static method of a boot class by name; initializes the class.
pub fn call_static(th: &Thread, class: &str, name: &str, desc: &str, args: &[u64]) -> JResult<u64> {
    let c = loader::find_class(th, Symbol::from(class), loader::boot())?;
    crate::init::initialize(th, c)?;
    match c.declared_method(Symbol::from(name), Symbol::from(desc)) {
        Some(m) => invoke(th, m, args),
        None => exceptions::throw(th, "java/lang/NoSuchMethodError", &format!("{class}.{name}{desc}")),
    }
}
/// Calls a virtual method of `recv` by name; `args` begins behind the receiver.
pub fn call_virtual(th: &Thread, recv: Obj, name: &str, desc: &str, args: &[u64]) -> JResult<u64> {
    let Some(m) = recv.class().find_method(Symbol::from(name), Symbol::from(desc)) else {
        return exceptions::throw(th, "java/lang/NoSuchMethodError", &format!("{}.{name}{desc}", recv.class().name));
    };
    let m = select(recv.class(), m);
    let mut all = Vec::with_capacity(args.len() + 1);
    all.push(recv.addr() as u64);
    all.extend_from_slice(args);
    invoke(th, m, &all)
}

/// The method that a virtual or interface call of `m` selects for a receiver of `class`.
pub fn select(class: &Class, m: MethodRef) -> MethodRef {
    if m.is_static() || m.is_private() || m.is_init() {
        return m;
    }
    if m.class.is_interface() {
        let i = m.itable_index.load(Ordering::Relaxed);
        if i != NO_INDEX
            && let Some(t) = class.itable_method(m.class, i as usize)
        {
            return t;
        }
    }
    match vtable::index_in(class, m) {
        Some(i) => class.vtable_method(i),
        None => m,
    }
}
