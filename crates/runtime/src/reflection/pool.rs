//! jdk.internal.reflect.ConstantPool: a class's constants, for annotation parsing.
//!
//! Invariant: an index is checked for bounds and kind before it is used: Java passes what it found
//! in an attribute.
use crate::info::{ClassExt, FieldInfo};
use crate::reflection::members;
use crate::{arrays, exceptions, handles, known, methodhandles, mirror, object, resolve, strings};
use concord_classfile::{Constant, ConstantPool};
use concord_contract::{ClassRef, JResult, MethodRef, Obj, Thread};

/// `Class.getConstantPool`: null for arrays and primitives.
///
/// # Errors
/// OutOfMemoryError.
pub fn new(th: &Thread, c: ClassRef) -> JResult<Obj> {
    if !c.is_instance_class() {
        return Ok(Obj::NULL);
    }
    let o = object::new_object(th, known::classes().constant_pool)?;
    concord_heap::store_ref(o, known::offsets().cp_oop, c.mirror.get());
    Ok(o)
}

/// The class whose constants a jdk.internal.reflect.ConstantPool stands for.
pub fn owner(pool: Obj) -> ClassRef {
    mirror::class_of(pool.get_ref(known::offsets().cp_oop))
}

fn pool(c: ClassRef) -> &'static ConstantPool<'static> {
    c.info().constants()
}
pub fn size(c: ClassRef) -> i32 {
    pool(c).len() as i32
}
fn entry(th: &Thread, c: ClassRef, i: i32) -> JResult<&'static Constant<'static>> {
    match u16::try_from(i).ok().and_then(|i| pool(c).get(i)) {
        Some(e) => Ok(e),
        None => exceptions::throw(th, "java/lang/IllegalArgumentException", "Constant pool index out of bounds"),
    }
}
#[cold]
fn wrong<T>(th: &Thread) -> JResult<T> {
    exceptions::throw(th, "java/lang/IllegalArgumentException", "Wrong type at constant pool index")
}

/// # Errors
/// IllegalArgumentException, what resolution throws.
pub fn class_at(th: &Thread, c: ClassRef, i: i32, load: bool) -> JResult<Obj> {
    let Constant::Class(_) = entry(th, c, i)? else { return wrong(th) };
    if !load {
        return Ok(resolve::class_at_if_loaded(c, i as u16).map_or(Obj::NULL, |k| k.mirror.get()));
    }
    Ok(resolve::class_at(th, c, i as u16)?.mirror.get())
}
/// # Errors
/// IllegalArgumentException.
pub fn class_ref_index_at(th: &Thread, c: ClassRef, i: i32) -> JResult<i32> {
    match entry(th, c, i)? {
        Constant::Field { class, .. } | Constant::Method { class, .. } | Constant::InterfaceMethod { class, .. } => {
            Ok(i32::from(*class))
        }
        _ => wrong(th),
    }
}
/// # Errors
/// IllegalArgumentException.
pub fn name_and_type_index_at(th: &Thread, c: ClassRef, i: i32) -> JResult<i32> {
    match entry(th, c, i)? {
        Constant::Field { nat, .. }
        | Constant::Method { nat, .. }
        | Constant::InterfaceMethod { nat, .. }
        | Constant::Dynamic { nat, .. }
        | Constant::InvokeDynamic { nat, .. } => Ok(i32::from(*nat)),
        _ => wrong(th),
    }
}

/// The class of a member reference: loaded, or None if it is not and must not be.
fn holder(th: &Thread, c: ClassRef, i: i32, load: bool) -> JResult<Option<ClassRef>> {
    let class = class_ref_index_at(th, c, i)? as u16;
    if load { resolve::class_at(th, c, class).map(Some) } else { Ok(resolve::class_at_if_loaded(c, class)) }
}
/// # Errors
/// IllegalArgumentException, RuntimeException if the class itself has no such method, what resolution throws.
pub fn method_at(th: &Thread, c: ClassRef, i: i32, load: bool) -> JResult<Obj> {
    let (Constant::Method { .. } | Constant::InterfaceMethod { .. }) = entry(th, c, i)? else { return wrong(th) };
    let Some(k) = holder(th, c, i, load)? else { return Ok(Obj::NULL) };
    let nt = pool(c).member(i as u16).1;
    let m: Option<MethodRef> =
        k.declared_method(concord_base::Symbol::intern(nt.name), concord_base::Symbol::intern(nt.desc));
    match m {
        Some(m) => members::executable(th, m),
        None => exceptions::throw(th, "java/lang/RuntimeException", "Unable to look up method in target class"),
    }
}
/// # Errors
/// IllegalArgumentException, RuntimeException if the class itself has no such field, what resolution throws.
pub fn field_at(th: &Thread, c: ClassRef, i: i32, load: bool) -> JResult<Obj> {
    let Constant::Field { .. } = entry(th, c, i)? else { return wrong(th) };
    let Some(k) = holder(th, c, i, load)? else { return Ok(Obj::NULL) };
    let nt = pool(c).member(i as u16).1;
    let f: Option<&'static FieldInfo> =
        k.declared_fields().iter().find(|f| f.name.as_bytes() == nt.name && f.descriptor.as_bytes() == nt.desc);
    match f {
        Some(f) => members::field(th, f),
        None => exceptions::throw(th, "java/lang/RuntimeException", "Unable to look up field in target class"),
    }
}

fn text_array(th: &Thread, texts: &[&[u8]]) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let a = scope.handle(arrays::new_ref_array(th, known::classes().string, texts.len())?);
    for (i, t) in texts.iter().enumerate() {
        let s = strings::new_mutf8(th, t)?;
        arrays::set_ref(a.get(), i, s);
    }
    Ok(a.get())
}
/// {class, name, descriptor} of a member reference.
///
/// # Errors
/// IllegalArgumentException.
pub fn member_info_at(th: &Thread, c: ClassRef, i: i32) -> JResult<Obj> {
    class_ref_index_at(th, c, i)?;
    let (class, nt) = pool(c).member(i as u16);
    text_array(th, &[class, nt.name, nt.desc])
}
/// {name, descriptor}.
///
/// # Errors
/// IllegalArgumentException.
pub fn name_and_type_info_at(th: &Thread, c: ClassRef, i: i32) -> JResult<Obj> {
    let Constant::NameAndType { .. } = entry(th, c, i)? else { return wrong(th) };
    let nt = pool(c).name_and_type(i as u16);
    text_array(th, &[nt.name, nt.desc])
}

/// # Errors
/// IllegalArgumentException.
pub fn int_at(th: &Thread, c: ClassRef, i: i32) -> JResult<i32> {
    match entry(th, c, i)? {
        Constant::Integer(v) => Ok(*v),
        _ => wrong(th),
    }
}
/// # Errors
/// IllegalArgumentException.
pub fn long_at(th: &Thread, c: ClassRef, i: i32) -> JResult<i64> {
    match entry(th, c, i)? {
        Constant::Long(v) => Ok(*v),
        _ => wrong(th),
    }
}
/// # Errors
/// IllegalArgumentException.
pub fn float_at(th: &Thread, c: ClassRef, i: i32) -> JResult<f32> {
    match entry(th, c, i)? {
        Constant::Float(v) => Ok(f32::from_bits(*v)),
        _ => wrong(th),
    }
}
/// # Errors
/// IllegalArgumentException.
pub fn double_at(th: &Thread, c: ClassRef, i: i32) -> JResult<f64> {
    match entry(th, c, i)? {
        Constant::Double(v) => Ok(f64::from_bits(*v)),
        _ => wrong(th),
    }
}
/// The interned string of a String constant.
///
/// # Errors
/// IllegalArgumentException, OutOfMemoryError.
pub fn string_at(th: &Thread, c: ClassRef, i: i32) -> JResult<Obj> {
    match entry(th, c, i)? {
        Constant::String(_) => methodhandles::constant_at(th, c, i as u16),
        _ => wrong(th),
    }
}
/// # Errors
/// IllegalArgumentException, OutOfMemoryError.
pub fn utf8_at(th: &Thread, c: ClassRef, i: i32) -> JResult<Obj> {
    match entry(th, c, i)? {
        Constant::Utf8(u) => strings::new_mutf8(th, u),
        _ => wrong(th),
    }
}
/// The tag of the class-file format.
///
/// # Errors
/// IllegalArgumentException.
pub fn tag_at(th: &Thread, c: ClassRef, i: i32) -> JResult<u8> {
    Ok(entry(th, c, i)?.tag())
}
