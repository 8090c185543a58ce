//! Method.invoke and Constructor.newInstance.
//!
//! Invariant: access was checked in Java; here the number and types of the arguments are, and what
//! the callee throws arrives wrapped in an InvocationTargetException.
use super::boxing::{self, Value};
use super::members::{method_of, type_mirror};
use crate::info::ClassExt;
use crate::{allocations, call, exceptions, handles, init, mirror, object};
use concord_contract::{BasicType, JResult, MethodRef, Obj, Thread, Thrown};

const ILLEGAL: &str = "java/lang/IllegalArgumentException";

/// The raw slots of a call: `receiver` (unless null) and the elements of `args` as the descriptor
/// wants them.
fn slots(th: &Thread, m: MethodRef, receiver: Obj, args: Obj) -> JResult<Vec<u64>> {
    let Some(d) = concord_classfile::descriptor::MethodDescriptor::new(m.descriptor.as_bytes()) else {
        concord_base::bug!("{m:?} has a bad descriptor");
    };
    let given = if args.is_null() { 0 } else { args.array_len() };
    let params: Vec<_> = d.params().collect();
    if given != params.len() {
        return exceptions::throw(th, ILLEGAL, "wrong number of arguments");
    }
    // Types may have to be loaded, so all is checked before a raw address is put into the vector.
    let scope = handles::Scope::new(th);
    let args = scope.handle(args);
    let receiver = scope.handle(receiver);
    for (i, p) in params.iter().enumerate() {
        if !p.kind.is_reference() {
            continue;
        }
        let a = args.get().array_ref(i);
        if a.is_null() || p.text == b"Ljava/lang/Object;" {
            continue;
        }
        let wanted = mirror::class_of(type_mirror(th, m.class, p.text)?);
        if !args.get().array_ref(i).is_instance_of(wanted) {
            return exceptions::throw(th, ILLEGAL, "argument type mismatch");
        }
    }
    let mut out = Vec::with_capacity(m.nargs());
    if !receiver.raw().is_null() {
        out.push(receiver.get().addr() as u64);
    }
    for (i, p) in params.iter().enumerate() {
        let a = args.get().array_ref(i);
        if p.kind.is_reference() {
            out.push(a.addr() as u64);
            continue;
        }
        let Some(ty) = BasicType::from_descriptor_char(p.kind.letter()) else {
            concord_base::bug!("{m:?} has a bad descriptor");
        };
        if a.is_null() {
            return exceptions::throw_no_msg(th, ILLEGAL);
        }
        let Some(v) = boxing::unbox(a).and_then(|v| v.widen(ty)) else {
            return exceptions::throw(th, ILLEGAL, "argument type mismatch");
        };
        out.push(v.slot());
        if ty.slots() == 2 {
            out.push(0);
        }
    }
    Ok(out)
}

/// Calls with the pending exception, if any, wrapped.
fn call_wrapped(th: &Thread, m: MethodRef, args: &[u64]) -> JResult<u64> {
    match call::invoke(th, m, args) {
        Ok(v) => Ok(v),
        Err(Thrown) => {
            let e = th.take_exception();
            exceptions::throw_wrapped(th, "java/lang/reflect/InvocationTargetException", e)
        }
    }
}

/// What an object that stands for a deleted method is good for.
fn deleted(th: &Thread) -> JResult<Obj> {
    exceptions::throw(th, "java/lang/InternalError", "invoke")
}

/// `Method.invoke` behind its access check.
///
/// # Errors
/// NullPointerException, IllegalArgumentException, InvocationTargetException, what initialization
/// throws.
pub fn invoke(th: &Thread, method: Obj, receiver: Obj, args: Obj) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let Some(m) = method_of(method) else { return deleted(th) };
    let (receiver, args) = (scope.handle(receiver), scope.handle(args));
    let target = if m.is_static() {
        if !m.class.is_initialized() {
            init::initialize(th, m.class)?;
        }
        m
    } else {
        let r = receiver.get();
        if r.is_null() {
            return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
        }
        if !r.is_instance_of(m.class) {
            return exceptions::throw(th, ILLEGAL, "object is not an instance of declaring class");
        }
        call::select(r.class(), m)
    };
    let this = if m.is_static() { Obj::NULL } else { receiver.get() };
    let raw = slots(th, m, this, args.get())?;
    let r = call_wrapped(th, target, &raw)?;
    match m.ret {
        BasicType::Void => Ok(Obj::NULL),
        // SAFETY: the descriptor promises a reference, and no safepoint lies between.
        BasicType::Object => Ok(unsafe { Obj::from_addr(r as usize) }),
        t => {
            let o = boxing::box_value(th, Value::of_slot(t, r))?;
            allocations::made_by_vm(th, o);
            Ok(o)
        }
    }
}

/// `Constructor.newInstance` behind its checks.
///
/// # Errors
/// InstantiationException, IllegalArgumentException, InvocationTargetException, what
/// initialization throws.
pub fn new_instance(th: &Thread, constructor: Obj, args: Obj) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let Some(m) = method_of(constructor) else { return deleted(th) };
    let args = scope.handle(args);
    if m.class.is_abstract() || m.class.is_interface() {
        return exceptions::throw(th, "java/lang/InstantiationException", &m.class.external_name());
    }
    let o = scope.handle(object::new_local(th, m.class)?);
    let raw = slots(th, m, o.get(), args.get())?;
    call_wrapped(th, m, &raw)?;
    allocations::made_by_vm(th, o.get());
    Ok(o.get())
}
