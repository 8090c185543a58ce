//! Access control (JVMS 5.4.4).
//!
//! Invariant: a yes depends on nothing but the classes, their nests and their modules, so it may be
//! remembered with what it was asked for; a no is an IllegalAccessError in HotSpot's words.
use super::{current, nest};
use crate::info::ClassExt;
use crate::{exceptions, modules, names};
use concord_contract::method::acc;
use concord_contract::{Class, ClassRef, JResult, MethodRef, Thread};

/// Whether code of `from` may name `to` (JVMS 5.4.4).
pub(super) fn class_accessible(from: &Class, to: &Class) -> bool {
    let mut t = to;
    while let Some(c) = t.component {
        t = c;
    }
    if t.is_primitive() || std::ptr::eq(from, t) || from.same_package(t) {
        return true;
    }
    if is_magic(from) {
        return true;
    }
    t.access_flags as u32 & acc::PUBLIC != 0 && modules::access(from, t) == modules::Access::Ok
}

/// Generated reflection accessors are exempt from access checks.
pub fn is_magic(c: &Class) -> bool {
    c.super_class.is_some_and(is_magic_or_root)
}
/// Whether subclasses are exempt.
pub fn is_magic_or_root(c: &Class) -> bool {
    c.name == "jdk/internal/reflect/MagicAccessorImpl" && c.info().loader.is_boot() || is_magic(c)
}

pub(super) fn check_class_access(th: &Thread, from: ClassRef, to: ClassRef) -> JResult<()> {
    if class_accessible(from, to) {
        return Ok(());
    }
    let text = if to.access_flags as u32 & acc::PUBLIC == 0 || modules::access(from, to) == modules::Access::Ok {
        format!(
            "failed to access class {} from class {} ({})",
            names::external(to),
            names::external(from),
            names::locations(th, to, from)
        )
    } else {
        modules::why_not(from, to)
    };
    exceptions::throw(th, "java/lang/IllegalAccessError", &text)
}

/// Whether code of `from` may use a member of `holder` with access `flags`, named through `named`.
pub(super) fn member_accessible(
    th: &Thread,
    from: ClassRef,
    holder: ClassRef,
    named: &Class,
    flags: u32,
) -> JResult<bool> {
    let from = current(from);
    if flags & acc::PUBLIC != 0 || from == holder || is_magic(from) {
        return Ok(true);
    }
    if flags & acc::PRIVATE != 0 {
        return nest::nestmates(th, from, holder);
    }
    if from.same_package(holder) {
        return Ok(true);
    }
    // An interface is no subclass of Object here.
    let inherits = flags & acc::PROTECTED != 0 && !from.is_interface() && from.is_subclass_of(holder);
    Ok(inherits && (flags & acc::STATIC != 0 || named.is_subclass_of(from) || from.is_subclass_of(named)))
}

pub(super) fn access_word(flags: u32) -> &'static str {
    match flags & (acc::PUBLIC | acc::PRIVATE | acc::PROTECTED) {
        acc::PRIVATE => "private ",
        acc::PROTECTED => "protected ",
        acc::PUBLIC => "public ",
        _ => "",
    }
}

pub fn check_method_access(th: &Thread, from: ClassRef, m: MethodRef, named: ClassRef) -> JResult<()> {
    // Object.clone of arrays is public.
    let array_clone = named.is_array() && m.name == "clone";
    if array_clone || member_accessible(th, from, m.class, named, m.access() as u32)? {
        return Ok(());
    }
    let nests = if m.is_private() {
        // The lone-class shortcut may have skipped the validation whose failure is to be told.
        nest::nest_host(th, from)?;
        nest::nest_host(th, m.class)?;
        nest::errors(from, m.class)
    } else {
        String::new()
    };
    exceptions::throw(
        th,
        "java/lang/IllegalAccessError",
        &format!(
            "class {} tried to access {}method '{}' ({}){nests}",
            names::external(from),
            access_word(m.access() as u32),
            names::method(m),
            names::locations(th, from, m.class)
        ),
    )
}
