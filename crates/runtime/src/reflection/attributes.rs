//! Attributes of a class that name other classes, and raw annotations.
//!
//! Invariant: what an attribute claims is checked against the other class where JVMS or HotSpot
//! does so; nothing is cached here.
use crate::info::{ClassExt, MethodExt};
use crate::{arrays, exceptions, handles, known, resolve, strings};
use concord_classfile::InnerClass;
use concord_contract::{ClassRef, JResult, MethodRef, Obj, Thread, Thrown};

/// A Class[] of mirrors.
fn class_array(th: &Thread, list: &[ClassRef]) -> JResult<Obj> {
    let array = arrays::new_ref_array(th, known::classes().class, list.len())?;
    for (i, c) in list.iter().enumerate() {
        arrays::set_ref(array, i, c.mirror.get());
    }
    Ok(array)
}

/// `Class.getInterfaces0`.
///
/// # Errors
/// OutOfMemoryError.
pub fn interfaces(th: &Thread, c: ClassRef) -> JResult<Obj> {
    let k = known::classes();
    if c.is_array() {
        return class_array(th, &[k.cloneable, k.serializable]);
    }
    if !c.is_instance_class() {
        return class_array(th, &[]);
    }
    class_array(th, &c.info().interfaces)
}

fn inner_name(c: ClassRef, row: &InnerClass) -> &'static [u8] {
    c.info().constants().class_name(row.inner)
}
/// The row about the class itself.
fn own_row(c: ClassRef) -> Option<&'static InnerClass> {
    if !c.is_instance_class() {
        return None;
    }
    let info = c.info();
    info.file.inner_classes.iter().find(|r| inner_name(c, r) == c.name.as_bytes())
}

/// Checks that `outer` and `inner` agree that one declares the other.
fn check_inner(th: &Thread, outer: ClassRef, inner: ClassRef) -> JResult<()> {
    let name = inner.info().self_name;
    for r in &outer.info().file.inner_classes {
        let outer_named =
            r.outer == 0 || outer.info().constants().class_name(r.outer) == outer.info().self_name.as_bytes();
        if inner_name(outer, r) != name.as_bytes() || !outer_named {
            continue;
        }
        // By name is not enough: the loaders may differ on it.
        if inner.is_hidden() || resolve::class_at(th, outer, r.inner)? == inner {
            return Ok(());
        }
    }
    let msg = format!("{} and {} disagree on InnerClasses attribute", outer.external_name(), inner.external_name());
    exceptions::throw(th, "java/lang/IncompatibleClassChangeError", &msg)
}

/// `Class.getDeclaringClass0`: null for top-level, local and anonymous classes.
///
/// # Errors
/// IncompatibleClassChangeError and what loading throws.
pub fn declaring_class(th: &Thread, c: ClassRef) -> JResult<Obj> {
    let Some(row) = own_row(c).filter(|r| r.outer != 0) else { return Ok(Obj::NULL) };
    let outer = resolve::class_at(th, c, row.outer)?;
    if outer.is_instance_class() {
        check_inner(th, outer, c)?;
        return Ok(outer.mirror.get());
    }
    Ok(Obj::NULL)
}

/// `Class.getDeclaredClasses0`.
///
/// # Errors
/// IncompatibleClassChangeError and what loading throws.
pub fn declared_classes(th: &Thread, c: ClassRef) -> JResult<Obj> {
    if !c.is_instance_class() {
        return class_array(th, &[]);
    }
    let info = c.info();
    let mut list = Vec::new();
    for row in &info.file.inner_classes {
        let member = row.outer != 0 && info.constants().class_name(row.outer) == c.name.as_bytes();
        if member && inner_name(c, row) != c.name.as_bytes() {
            let inner = resolve::class_at(th, c, row.inner)?;
            if inner.is_instance_class() {
                check_inner(th, c, inner)?;
                list.push(inner);
            }
        }
    }
    class_array(th, &list)
}

/// `Class.getSimpleBinaryName0`: the name in the own InnerClasses row, null if there is none.
///
/// # Errors
/// OutOfMemoryError.
pub fn simple_binary_name(th: &Thread, c: ClassRef) -> JResult<Obj> {
    match own_row(c).filter(|r| r.name != 0) {
        Some(r) => strings::new_mutf8(th, c.info().constants().utf8(r.name)),
        None => Ok(Obj::NULL),
    }
}

/// `Class.getEnclosingMethod0`: {class, name, descriptor}, the last two null outside a method.
///
/// # Errors
/// What loading the class throws.
pub fn enclosing_method(th: &Thread, c: ClassRef) -> JResult<Obj> {
    let Some((class, nat)) = c.is_instance_class().then(|| c.info().file.enclosing_method).flatten() else {
        return Ok(Obj::NULL);
    };
    let scope = handles::Scope::new(th);
    let array = scope.handle(arrays::new_ref_array(th, known::classes().object, 3)?);
    let outer = resolve::class_at(th, c, class)?;
    arrays::set_ref(array.get(), 0, outer.mirror.get());
    if nat != 0 {
        let nt = c.info().constants().name_and_type(nat);
        let name = strings::new_mutf8(th, nt.name)?;
        arrays::set_ref(array.get(), 1, name);
        let desc = strings::new_mutf8(th, nt.desc)?;
        arrays::set_ref(array.get(), 2, desc);
    }
    Ok(array.get())
}

/// `Class.getGenericSignature0`.
///
/// # Errors
/// OutOfMemoryError.
pub fn signature(th: &Thread, c: ClassRef) -> JResult<Obj> {
    match c.is_instance_class().then(|| c.info().signature()).flatten() {
        Some(s) => strings::new_symbol(th, s),
        None => Ok(Obj::NULL),
    }
}

/// `Class.getRawAnnotations`.
///
/// # Errors
/// OutOfMemoryError.
pub fn annotations(th: &Thread, c: ClassRef) -> JResult<Obj> {
    super::members::bytes(th, c.is_instance_class().then(|| c.info().file.annotations.visible).flatten())
}
/// `Class.getRawTypeAnnotations`.
///
/// # Errors
/// OutOfMemoryError.
pub fn type_annotations(th: &Thread, c: ClassRef) -> JResult<Obj> {
    super::members::bytes(th, c.is_instance_class().then(|| c.info().file.annotations.visible_types).flatten())
}
/// `Executable.getTypeAnnotationBytes0`.
///
/// # Errors
/// OutOfMemoryError.
pub fn method_type_annotations(th: &Thread, m: MethodRef) -> JResult<Obj> {
    super::members::bytes(th, MethodExt::info(m).parsed.and_then(|p| p.annotations.visible_types))
}

/// `Class.getNestHost0`: errors of the host mean that a class is its own host.
///
/// # Errors
/// Errors of the VM itself.
pub fn nest_host(th: &Thread, c: ClassRef) -> JResult<Obj> {
    if !c.is_instance_class() {
        return Ok(c.mirror.get());
    }
    Ok(resolve::nest_host(th, c)?.mirror.get())
}

/// `Class.getNestMembers0`: the host first; members that cannot be loaded or do not agree are left
/// out.
///
/// # Errors
/// Errors of the VM itself.
pub fn nest_members(th: &Thread, c: ClassRef) -> JResult<Obj> {
    if !c.is_instance_class() {
        return class_array(th, &[c]);
    }
    let host = resolve::nest_host(th, c)?;
    let mut list = vec![host];
    for i in host.info().file.nest_members.iter() {
        match resolve::class_at(th, host, i) {
            Ok(m) => {
                if m.is_instance_class() && std::ptr::eq(resolve::nest_host(th, m)?, host) && !list.contains(&m) {
                    list.push(m);
                }
            }
            Err(Thrown) => skip_failure(th)?,
        }
    }
    class_array(th, &list)
}
/// Drops the pending exception unless it is a VirtualMachineError: a class that cannot be loaded is no member.
fn skip_failure(th: &Thread) -> JResult<()> {
    let e = th.take_exception();
    if e.is_instance_of(known::classes().virtual_machine_error) { th.throw(e) } else { Ok(()) }
}

/// `Class.getPermittedSubclasses0`: null if the class is not sealed.
///
/// # Errors
/// Errors of the VM itself.
pub fn permitted_subclasses(th: &Thread, c: ClassRef) -> JResult<Obj> {
    let Some(rows) = c.is_instance_class().then(|| c.info().file.permitted_subclasses.as_ref()).flatten() else {
        return Ok(Obj::NULL);
    };
    let mut list = Vec::new();
    for i in rows.iter() {
        match resolve::class_at(th, c, i) {
            Ok(k) if k.is_instance_class() => list.push(k),
            Ok(_) => {}
            Err(Thrown) => skip_failure(th)?,
        }
    }
    class_array(th, &list)
}

/// `Class.getProtectionDomain0`.
pub fn protection_domain(c: ClassRef) -> Obj {
    if c.is_primitive() {
        return Obj::NULL;
    }
    c.mirror.get().get_ref(known::offsets().class_protection_domain)
}
/// `Class.getSigners`: a copy, so that callers cannot change the class's own.
///
/// # Errors
/// OutOfMemoryError.
pub fn signers(th: &Thread, c: ClassRef) -> JResult<Obj> {
    let own = c.mirror.get().get_ref(known::offsets().class_signers);
    if own.is_null() { Ok(own) } else { crate::vm_natives::object::clone(th, own) }
}
/// `Class.setSigners`.
pub fn set_signers(c: ClassRef, signers: Obj) {
    if c.is_instance_class() {
        concord_heap::store_ref(c.mirror.get(), known::offsets().class_signers, signers);
    }
}
