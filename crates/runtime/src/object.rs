//! Allocation of instances from VM code.
use crate::info::ClassExt;
use crate::{call, exceptions, handles, init};
use concord_base::Symbol;
use concord_contract::class::flags;
use concord_contract::{ClassRef, JResult, Obj, Thread};

/// Allocates an instance without running a constructor; initializes the class.
///
/// # Errors
/// InstantiationError, what initialization throws, OutOfMemoryError.
pub fn new_object(th: &Thread, class: ClassRef) -> JResult<Obj> {
    ready(th, class)?;
    match concord_heap::alloc_instance(th, class) {
        Some(o) => Ok(o),
        None => crate::oom::throw(th, "Java heap space"),
    }
}
/// The same for the calling thread's own bytecode: the object is LOCAL, unless its class's objects
/// are not.
///
/// # Errors
/// As [`new_object`].
pub fn new_local(th: &Thread, class: ClassRef) -> JResult<Obj> {
    ready(th, class)?;
    match concord_heap::alloc_instance_local(th, class) {
        Some(o) => Ok(o),
        None => crate::oom::throw(th, "Java heap space"),
    }
}
/// `Unsafe.allocateInstance` of a mirror that is not null.
pub fn allocate_for_mirror(th: &Thread, mirror: Obj) -> JResult<Obj> {
    let class = crate::mirror::class_of(mirror);
    if class.is_primitive() {
        return exceptions::throw_no_msg(th, "java/lang/InstantiationException");
    }
    if !class.is_instance_class() || class.is_abstract() || class.is_interface() {
        return exceptions::throw(th, "java/lang/InstantiationException", &class.external_name());
    }
    // Only the VM makes mirrors.
    if std::ptr::eq(class, crate::known::classes().class) {
        return exceptions::throw(th, "java/lang/IllegalAccessException", &class.external_name());
    }
    new_local(th, class)
}
fn ready(th: &Thread, class: ClassRef) -> JResult<()> {
    if !class.is_instance_class() || class.is_abstract() || class.is_interface() || class.name == "java/lang/Class" {
        return exceptions::throw(th, "java/lang/InstantiationError", &crate::names::external(class));
    }
    if !class.is_initialized() {
        init::initialize(th, class)?;
    }
    Ok(())
}

/// Allocates and constructs; `args` are the raw slots behind the receiver.
pub fn new_with(th: &Thread, class: ClassRef, ctor: &str, args: &[u64]) -> JResult<Obj> {
    let Some(m) = class.declared_method(Symbol::from("<init>"), Symbol::from(ctor)) else {
        return exceptions::throw(th, "java/lang/NoSuchMethodError", &format!("{}.<init>{ctor}", class.name));
    };
    // Reference arguments are raw addresses on this native stack, hence pinned.
    let o = new_object(th, class)?;
    let scope = handles::Scope::new(th);
    let h = scope.handle(o);
    let mut all = Vec::with_capacity(args.len() + 1);
    all.push(o.addr() as u64);
    all.extend_from_slice(args);
    call::invoke(th, m, &all)?;
    Ok(h.get())
}

/// Whether instances must be registered for finalization.
pub fn is_finalizable(class: ClassRef) -> bool {
    class.has_flag(flags::FINALIZER)
}
