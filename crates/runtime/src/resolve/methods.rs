//! Resolution of methods (JVMS 5.4.3.3, 5.4.3.4) and selection for invokespecial.
//!
//! Invariant: lookup depends on the classes alone, neither on who asks nor on how the method is
//! called; what [`method_ref`] returns is accessible and of one type to both loaders.
use super::{access, class_at, current};
use crate::info::ClassExt;
use crate::{constraints, define, exceptions, names, vtable};
use concord_base::Symbol;
use concord_classfile::Constant;
use concord_contract::class::flags;
use concord_contract::{Class, ClassRef, JResult, MethodRef, Thread};

/// Method lookup in a class (5.4.3.3) or interface (5.4.3.4), without access checks.
pub fn lookup_method(class: &Class, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    let mut k: Option<&Class> = Some(class);
    while let Some(c) = k {
        if let Some(m) = c.declared_method(name, desc) {
            return Some(m);
        }
        k = c.super_class;
    }
    most_specific(class, name, desc)
}

/// The method that the interfaces of `class` have for it, a default before others (JVMS 5.4.3.3, step 3).
fn most_specific(class: &Class, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    let found = vtable::maximally_specific(class.interfaces_all.get()?, name, desc);
    let mut defaults = found.iter().filter(|m| !m.is_abstract());
    match (defaults.next(), defaults.next()) {
        (Some(one), None) => Some(one),
        _ => found.first().copied(),
    }
}

/// As `lookup_method`, for an interface (JVMS 5.4.3.4): its own, Object's public, superinterfaces'. Not Object's protected ones,
/// though the superclass of an interface is Object: `clone` of an interface is its superinterface's.
pub fn lookup_interface_method(class: &Class, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    if let Some(m) = class.declared_method(name, desc) {
        return Some(m);
    }
    let object = crate::known::classes().object;
    if let Some(m) = object.declared_method(name, desc)
        && m.is_public()
        && !m.is_static()
    {
        return Some(m);
    }
    most_specific(class, name, desc)
}

/// The class named by a method reference, and the method, access-checked, for invokevirtual (182)
/// to invokeinterface (185).
pub fn method_ref(th: &Thread, from: ClassRef, i: u16, opcode: u8) -> JResult<(MethodRef, ClassRef)> {
    let cp = from.info().constants();
    let named = class_at(th, from, cp.member_class(i))?;
    let nat = cp.ref_name_and_type(i);
    let (name, desc) = (Symbol::intern(nat.name), Symbol::intern(nat.desc));
    let wants_interface = matches!(cp.get(i), Some(Constant::InterfaceMethod { .. }));
    let icce = "java/lang/IncompatibleClassChangeError";
    if opcode == 185 && !named.is_interface() {
        return exceptions::throw(
            th,
            icce,
            &format!("Found class {}, but interface was expected", names::external(named)),
        );
    }
    if opcode == 182 && named.is_interface() {
        return exceptions::throw(
            th,
            icce,
            &format!("Found interface {}, but class was expected", names::external(named)),
        );
    }
    let m = if named.is_interface() {
        lookup_interface_method(named, name, desc)
    } else {
        lookup_method(named, name, desc)
    };
    let Some(m) = m else {
        return exceptions::throw(
            th,
            "java/lang/NoSuchMethodError",
            &format!("'{}'", names::method_ref(named, &name.as_str(), nat.desc)),
        );
    };
    if wants_interface != named.is_interface() {
        let kind = if named.is_interface() { "InterfaceMethodref" } else { "Methodref" };
        return exceptions::throw(th, icce, &format!("Method '{}' must be {kind} constant", names::method(m)));
    }
    access::check_method_access(th, from, m, named)?;
    constraints::check_method(th, from, named, m, named.is_interface())?;
    Ok((m, named))
}

/// The method that an instance of `c` has by that name; what subclasses have static hides nothing.
fn instance_method(c: ClassRef, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    let mut found = lookup_method(c, name, desc)?;
    while found.is_static() {
        found = lookup_method(found.class.super_class?, name, desc)?;
    }
    Some(found)
}

/// Whether `class` has a method of its own in place of the interface method `m`, which it inherits: of several defaults none is
/// chosen, and an abstract one is none if the class has bodies, its own or inherited ones.
fn has_overpass(class: ClassRef, m: MethodRef) -> bool {
    m.class.is_interface()
        && m.class != class
        && (m.is_abstract() && class.has_flag(flags::HAS_DEFAULTS) || vtable::conflicts(class, m.name, m.descriptor))
}

/// The superclass of the caller's class from which an invokespecial looks its method up again (JVMS 6.5), if it does.
fn special_start(from: ClassRef, named: ClassRef, m: MethodRef) -> Option<ClassRef> {
    let has_super = from.access_flags as u32 & 0x20 != 0 || from.info().file.major >= 52;
    let as_named = m.is_init()
        || m.is_private()
        || named.is_interface()
        || from == named
        || !has_super
        || !from.is_subclass_of(named);
    from.super_class.filter(|_| !as_named)
}

/// The body that an invokespecial in `from` calls, if it is one that a class file has.
pub fn special_body(from: ClassRef, named: ClassRef, m: MethodRef) -> Option<MethodRef> {
    let start = special_start(from, named, m);
    let target = start.map_or(Some(m), |s| instance_method(s, m.name, m.descriptor));
    target.filter(|t| !t.is_abstract() && !has_overpass(start.unwrap_or(named), t))
}

/// The method that an invokespecial in `from` calls.
pub fn special_target(th: &Thread, from: ClassRef, named: ClassRef, m: MethodRef) -> JResult<MethodRef> {
    let start = special_start(current(from), named, m);
    let holder = start.unwrap_or(named);
    match start.map_or(Some(m), |s| instance_method(s, m.name, m.descriptor)) {
        Some(t) if has_overpass(holder, t) => Ok(define::overpass(holder, t)),
        Some(t) if !t.is_abstract() => Ok(t),
        _ => {
            let named = if start.is_some() { m.class } else { named };
            let text = names::method_ref(named, &m.name.as_str(), m.descriptor.as_bytes());
            exceptions::throw(th, "java/lang/AbstractMethodError", &format!("'{text}'"))
        }
    }
}
