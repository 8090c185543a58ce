//! java.lang.reflect objects for the members of a class.
//!
//! Invariant: a new object is held in a handle while its parts are made; all of its fields are
//! those of the class file at `slot`.
use crate::info::{ClassExt, FIELD_INJECTED, FieldInfo, MethodExt};
use crate::{arrays, exceptions, handles, init, known, methodhandles, mirror, object, strings};
use concord_base::Symbol;
use concord_contract::method::acc;
use concord_contract::{ClassRef, JResult, MethodRef, Obj, Thread};

fn put(h: handles::Local<'_>, at: usize, v: Obj) {
    concord_heap::store_ref(h.get(), at, v);
}
/// A byte[] with the attribute's body, or null.
///
/// # Errors
/// OutOfMemoryError.
pub fn bytes(th: &Thread, b: Option<&[u8]>) -> JResult<Obj> {
    b.map_or(Ok(Obj::NULL), |b| arrays::new_byte_array(th, b))
}
fn optional_text(th: &Thread, s: Option<Symbol>) -> JResult<Obj> {
    s.map_or(Ok(Obj::NULL), |s| strings::new_symbol(th, s))
}

/// The mirrors of a method descriptor's parameters and of its result.
fn types(th: &Thread, m: MethodRef) -> JResult<(Obj, Obj)> {
    let scope = handles::Scope::new(th);
    let Some(d) = concord_classfile::descriptor::MethodDescriptor::new(m.descriptor.as_bytes()) else {
        concord_base::bug!("{m:?} has a bad descriptor");
    };
    let list: Vec<&[u8]> = d.params().map(|p| p.text).collect();
    let array = scope.handle(arrays::new_ref_array(th, known::classes().class, list.len())?);
    for (i, text) in list.iter().enumerate() {
        let c = type_mirror(th, m.class, text)?;
        arrays::set_ref(array.get(), i, c);
    }
    let bytes = m.descriptor.as_bytes();
    let at = bytes.iter().position(|b| *b == b')').map_or(bytes.len(), |i| i + 1);
    let ret = type_mirror(th, m.class, &bytes[at..])?;
    Ok((array.get(), ret))
}
/// The mirror of one type of a descriptor in `class`.
///
/// # Errors
/// NoClassDefFoundError and what loading throws.
pub fn type_mirror(th: &Thread, class: ClassRef, text: &[u8]) -> JResult<Obj> {
    methodhandles::mirror_of_type(th, class, text)
}

fn exception_types(th: &Thread, m: MethodRef) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let parsed = MethodExt::info(m).parsed;
    let list: Vec<u16> = parsed.map_or(Vec::new(), |p| p.exceptions.iter().collect());
    let array = scope.handle(arrays::new_ref_array(th, known::classes().class, list.len())?);
    for (i, index) in list.iter().enumerate() {
        let c = crate::resolve::class_at(th, m.class, *index)?;
        arrays::set_ref(array.get(), i, c.mirror.get());
    }
    Ok(array.get())
}

/// A java.lang.reflect.Field.
///
/// # Errors
/// What loading the field's type throws; OutOfMemoryError.
pub fn field(th: &Thread, f: &'static FieldInfo) -> JResult<Obj> {
    let (k, o) = (known::classes(), known::offsets());
    let scope = handles::Scope::new(th);
    let r = scope.handle(object::new_object(th, k.field)?);
    put(r, o.field_clazz, f.class.mirror.get());
    put(r, o.field_name, strings::intern_mutf8(th, f.name.as_bytes())?);
    put(r, o.field_type, type_mirror(th, f.class, f.descriptor.as_bytes())?);
    put(r, o.field_signature, optional_text(th, f.signature)?);
    put(r, o.field_annotations, bytes(th, f.annotations)?);
    let trusted = f.is_final() && (f.is_static() || f.class.is_hidden() || super::queries::is_record(f.class));
    let r = r.get();
    r.put_i32(o.field_slot, i32::from(f.index));
    r.put_i32(o.field_modifiers, i32::from(f.access()));
    r.put_u8(o.field_trusted_final, u8::from(trusted));
    r.put_u8(o.accessible_override, 0);
    Ok(r)
}

/// The raw body of an attribute, if the method has it.
type Attribute = Option<&'static [u8]>;

fn annotation_bytes(m: MethodRef) -> (Attribute, Attribute, Attribute) {
    match MethodExt::info(m).parsed {
        Some(p) => (p.annotations.visible, p.parameter_annotations, p.annotation_default),
        None => (None, None, None),
    }
}
fn generic_signature(m: MethodRef) -> Option<Symbol> {
    let i = MethodExt::info(m).parsed?.signature?;
    Some(m.class.info().symbol(i))
}

/// A java.lang.reflect.Method.
///
/// # Errors
/// What loading the types throws; OutOfMemoryError.
pub fn method(th: &Thread, m: MethodRef) -> JResult<Obj> {
    let (k, o) = (known::classes(), known::offsets());
    let scope = handles::Scope::new(th);
    let (params, ret) = types(th, m)?;
    let (params, ret) = (scope.handle(params), scope.handle(ret));
    let exceptions = scope.handle(exception_types(th, m)?);
    let r = scope.handle(object::new_object(th, k.method)?);
    let (visible, parameter, default) = annotation_bytes(m);
    put(r, o.method_clazz, m.class.mirror.get());
    put(r, o.method_name, strings::intern_mutf8(th, m.name.as_bytes())?);
    put(r, o.method_params, params.get());
    put(r, o.method_return, ret.get());
    put(r, o.method_exceptions, exceptions.get());
    put(r, o.method_signature, optional_text(th, generic_signature(m))?);
    put(r, o.method_annotations, bytes(th, visible)?);
    put(r, o.method_param_annotations, bytes(th, parameter)?);
    put(r, o.method_annotation_default, bytes(th, default)?);
    let r = r.get();
    r.put_i32(o.method_slot, i32::from(m.index));
    r.put_i32(o.method_modifiers, i32::from(m.access()));
    r.put_u8(o.accessible_override, 0);
    Ok(r)
}

/// A java.lang.reflect.Constructor.
///
/// # Errors
/// As [`method`].
pub fn constructor(th: &Thread, m: MethodRef) -> JResult<Obj> {
    let (k, o) = (known::classes(), known::offsets());
    let scope = handles::Scope::new(th);
    let (params, _) = types(th, m)?;
    let params = scope.handle(params);
    let exceptions = scope.handle(exception_types(th, m)?);
    let r = scope.handle(object::new_object(th, k.constructor)?);
    let (visible, parameter, _) = annotation_bytes(m);
    put(r, o.ctor_clazz, m.class.mirror.get());
    put(r, o.ctor_params, params.get());
    put(r, o.ctor_exceptions, exceptions.get());
    put(r, o.ctor_signature, optional_text(th, generic_signature(m))?);
    put(r, o.ctor_annotations, bytes(th, visible)?);
    put(r, o.ctor_param_annotations, bytes(th, parameter)?);
    let r = r.get();
    r.put_i32(o.ctor_slot, i32::from(m.index));
    r.put_i32(o.ctor_modifiers, i32::from(m.access()));
    r.put_u8(o.accessible_override, 0);
    Ok(r)
}

/// A Method or Constructor object, as `m` is one or the other.
///
/// # Errors
/// As [`method`].
pub fn executable(th: &Thread, m: MethodRef) -> JResult<Obj> {
    if m.is_init() { constructor(th, m) } else { method(th, m) }
}

/// An array of `class` with what `make` gives for each row.
fn collect<T: Copy>(
    th: &Thread,
    class: ClassRef,
    rows: &[T],
    make: impl Fn(&Thread, T) -> JResult<Obj>,
) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let array = scope.handle(arrays::new_ref_array(th, class, rows.len())?);
    for (i, row) in rows.iter().enumerate() {
        let o = make(th, *row)?;
        arrays::set_ref(array.get(), i, o);
    }
    Ok(array.get())
}

/// `Class.getDeclaredFields0`.
///
/// # Errors
/// What linking and loading the types throws.
pub fn declared_fields(th: &Thread, c: ClassRef, public_only: bool) -> JResult<Obj> {
    init::link(th, c)?;
    let rows: Vec<&'static FieldInfo> = c
        .declared_fields()
        .iter()
        .filter(|f| f.flags & FIELD_INJECTED == 0 && (!public_only || f.flags & acc::PUBLIC != 0))
        .collect();
    collect(th, known::classes().field, &rows, field)
}
fn declared(th: &Thread, c: ClassRef, public_only: bool, inits: bool) -> JResult<Vec<MethodRef>> {
    init::link(th, c)?;
    let wanted = |m: &&MethodRef| m.is_init() == inits && !m.is_clinit() && (!public_only || m.is_public());
    Ok(c.declared_methods().iter().filter(wanted).copied().collect())
}
/// `Class.getDeclaredMethods0`.
///
/// # Errors
/// As [`declared_fields`].
pub fn declared_methods(th: &Thread, c: ClassRef, public_only: bool) -> JResult<Obj> {
    let rows = declared(th, c, public_only, false)?;
    collect(th, known::classes().method, &rows, method)
}
/// `Class.getDeclaredConstructors0`.
///
/// # Errors
/// As [`declared_fields`].
pub fn declared_constructors(th: &Thread, c: ClassRef, public_only: bool) -> JResult<Obj> {
    let rows = declared(th, c, public_only, true)?;
    collect(th, known::classes().constructor, &rows, constructor)
}

/// The method that a Method or Constructor object stands for, unless a redefinition has deleted it.
pub fn method_of(executable: Obj) -> Option<MethodRef> {
    let (k, o) = (known::classes(), known::offsets());
    let (clazz, slot) = if std::ptr::eq(executable.class(), k.constructor) {
        (o.ctor_clazz, o.ctor_slot)
    } else {
        (o.method_clazz, o.method_slot)
    };
    let class = mirror::class_of(executable.get_ref(clazz));
    class.method_in_slot(executable.get_i32(slot))
}
/// The field that a Field object stands for.
pub fn field_of(f: Obj) -> &'static FieldInfo {
    let o = known::offsets();
    &mirror::class_of(f.get_ref(o.field_clazz)).declared_fields()[f.get_i32(o.field_slot) as usize]
}

/// `Executable.getParameters0`: null without a MethodParameters attribute.
///
/// # Errors
/// MalformedParametersException, OutOfMemoryError.
pub fn parameters(th: &Thread, executable: Obj) -> JResult<Obj> {
    let Some(m) = method_of(executable) else { return Ok(Obj::NULL) };
    let Some(rows) = MethodExt::info(m).parsed.and_then(|p| p.method_parameters.as_ref()) else {
        return Ok(Obj::NULL);
    };
    let (k, o) = (known::classes(), known::offsets());
    let scope = handles::Scope::new(th);
    let executable = scope.handle(executable);
    let pool = m.class.info().constants();
    let array = scope.handle(arrays::new_ref_array(th, k.parameter, rows.len())?);
    for (i, row) in rows.iter().enumerate() {
        if row.name as usize >= pool.len() {
            return exceptions::throw(
                th,
                "java/lang/reflect/MalformedParametersException",
                "Wrong number of parameters in MethodParameters attribute",
            );
        }
        let p = scope.handle(object::new_object(th, k.parameter)?);
        if row.name != 0 {
            put(p, o.param_name, strings::intern_mutf8(th, pool.utf8(row.name))?);
        }
        put(p, o.param_executable, executable.get());
        let p = p.get();
        p.put_i32(o.param_modifiers, i32::from(row.flags));
        p.put_i32(o.param_index, i as i32);
        arrays::set_ref(array.get(), i, p);
    }
    Ok(array.get())
}

/// `Class.getRecordComponents0`.
///
/// # Errors
/// What loading the types throws; OutOfMemoryError.
pub fn record_components(th: &Thread, c: ClassRef) -> JResult<Obj> {
    init::link(th, c)?;
    let Some(rows) = c.is_instance_class().then(|| c.info().file.record.as_ref()).flatten() else {
        return Ok(Obj::NULL);
    };
    let (k, o) = (known::classes(), known::offsets());
    let info = c.info();
    let scope = handles::Scope::new(th);
    let array = scope.handle(arrays::new_ref_array(th, k.record_component, rows.len())?);
    for (i, row) in rows.iter().enumerate() {
        let r = scope.handle(object::new_object(th, k.record_component)?);
        let (name, desc) = (info.symbol(row.name), info.symbol(row.desc));
        put(r, o.rc_clazz, c.mirror.get());
        put(r, o.rc_name, strings::intern_mutf8(th, name.as_bytes())?);
        put(r, o.rc_type, type_mirror(th, c, desc.as_bytes())?);
        put(r, o.rc_signature, optional_text(th, row.signature.map(|s| info.symbol(s)))?);
        put(r, o.rc_annotations, bytes(th, row.annotations.visible)?);
        put(r, o.rc_type_annotations, bytes(th, row.annotations.visible_types)?);
        let accessor = Symbol::from(format!("(){desc}").as_str());
        if let Some(m) = c.declared_method(name, accessor).filter(|m| !m.is_static()) {
            put(r, o.rc_accessor, method(th, m)?);
        }
        arrays::set_ref(array.get(), i, r.get());
    }
    Ok(array.get())
}
