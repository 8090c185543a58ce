//! Queries of Class and Reflection that need no reflection objects.
//!
//! Invariant: the receiver's slot is a java.lang.Class, so its class is one load away.
use super::args::{Args, boolean, int, obj};
use super::{Row, rows};
use crate::reflection::queries;
use crate::{ClassExt, exceptions, loader, mirror, stackwalk, strings};
use concord_contract::{ClassRef, JResult, Obj, Thread};

pub static CLASS: &[Row] = rows! {
    "isInstance" "(Ljava/lang/Object;)Z" = is_instance;
    "isAssignableFrom" "(Ljava/lang/Class;)Z" = is_assignable_from;
    "isInterface" "()Z" = is_interface;
    "isArray" "()Z" = is_array;
    "isPrimitive" "()Z" = is_primitive;
    "isHidden" "()Z" = is_hidden;
    "getSuperclass" "()Ljava/lang/Class;" = get_superclass;
    "getModifiers" "()I" = get_modifiers;
    "initClassName" "()Ljava/lang/String;" = init_class_name;
    "desiredAssertionStatus0" "(Ljava/lang/Class;)Z" = desired_assertion_status;
    "getPrimitiveClass" "(Ljava/lang/String;)Ljava/lang/Class;" = get_primitive_class;
    "isRecord0" "()Z" = is_record;
};
pub static REFLECTION: &[Row] = rows! {
    "getCallerClass" "()Ljava/lang/Class;" = get_caller_class;
    "getClassAccessFlags" "(Ljava/lang/Class;)I" = get_class_access_flags;
    "areNestMates" "(Ljava/lang/Class;Ljava/lang/Class;)Z" = are_nest_mates;
};

#[inline(always)]
fn this(a: Args) -> ClassRef {
    mirror::class_of(a.obj(0))
}

fn is_instance(_: &Thread, a: Args) -> JResult<u64> {
    let o = a.obj(1);
    boolean(!o.is_null() && o.is_instance_of(this(a)))
}
fn is_assignable_from(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    boolean(mirror::class_of(a.obj(1)).is_subclass_of(this(a)))
}
fn is_interface(_: &Thread, a: Args) -> JResult<u64> {
    boolean(this(a).is_interface())
}
fn is_array(_: &Thread, a: Args) -> JResult<u64> {
    boolean(this(a).is_array())
}
fn is_primitive(_: &Thread, a: Args) -> JResult<u64> {
    boolean(this(a).is_primitive())
}
fn is_hidden(_: &Thread, a: Args) -> JResult<u64> {
    boolean(this(a).is_hidden())
}
fn is_record(_: &Thread, a: Args) -> JResult<u64> {
    boolean(queries::is_record(this(a)))
}
fn get_superclass(_: &Thread, a: Args) -> JResult<u64> {
    obj(queries::superclass(this(a)))
}
fn get_modifiers(_: &Thread, a: Args) -> JResult<u64> {
    int(queries::modifiers(this(a)))
}
fn init_class_name(th: &Thread, a: Args) -> JResult<u64> {
    obj(queries::init_class_name(th, a.obj(0))?)
}
fn desired_assertion_status(_: &Thread, a: Args) -> JResult<u64> {
    boolean(queries::desired_assertion_status(mirror::class_of(a.obj(0))))
}
fn get_primitive_class(th: &Thread, a: Args) -> JResult<u64> {
    obj(find_primitive(th, &strings::to_string(a.obj(0)))?)
}
/// The mirror of the primitive type of that name.
///
/// # Errors
/// ClassNotFoundException.
pub fn find_primitive(th: &Thread, name: &str) -> JResult<Obj> {
    use concord_contract::BasicType::*;
    let all = [Boolean, Char, Float, Double, Byte, Short, Int, Long, Void];
    match all.into_iter().find(|t| t.java_name() == name) {
        Some(t) => Ok(crate::arrays::primitive_class(t).mirror.get()),
        None => exceptions::throw(th, "java/lang/ClassNotFoundException", name),
    }
}

fn get_caller_class(th: &Thread, _: Args) -> JResult<u64> {
    obj(stackwalk::caller_class(th)?)
}
fn get_class_access_flags(_: &Thread, a: Args) -> JResult<u64> {
    int(queries::access_flags(mirror::class_of(a.obj(0))))
}
fn are_nest_mates(th: &Thread, a: Args) -> JResult<u64> {
    boolean(queries::are_nest_mates(th, mirror::class_of(a.obj(0)), mirror::class_of(a.obj(1)))?)
}

/// The class that Java code asks for by name: loads it through `loader`, and initializes it if
/// asked (`Class.forName`).
///
/// # Errors
/// ClassNotFoundException and what loading and initialization throw.
pub fn for_name(th: &Thread, name: &[u8], init: bool, loader: &'static loader::Loader) -> JResult<ClassRef> {
    if name.len() > u16::MAX as usize {
        return exceptions::throw(th, "java/lang/ClassNotFoundException", &concord_base::symbol::text(&name[..64]));
    }
    let c = loader::find_class(th, concord_base::Symbol::intern(name), loader)?;
    if init {
        crate::init::initialize(th, c)?;
    }
    Ok(c)
}
