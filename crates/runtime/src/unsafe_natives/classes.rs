//! What Unsafe does with classes, fields and threads.
//!
//! Invariant: an offset given out is the field's for ever: its class gets no other layout any more
//! ([`FieldInfo::pinned_offset`]). That of a static field has [`STATIC_OFFSET`] in it, and goes with its java.lang.Class.
use crate::events;
use crate::relayout::holders;
use crate::vm_natives::args::{Args, boolean, int, long, obj, void};
use crate::{ClassExt, FieldInfo, define, exceptions, init, known, loader, mirror, object, strings, threads};
use concord_contract::object::{STATIC_OFFSET, array_base};
use concord_contract::{ClassRef, JResult, Obj, Thread};

/// They are the VM's own; a tool may want to see it done.
pub fn register(th: &Thread, _: Args) -> JResult<u64> {
    if let Some(l) = events::any_listener() {
        l.unsafe_registers(th);
    }
    th.check()?;
    void()
}

/// The declared field that a java.lang.reflect.Field stands for.
fn field_of(field: Obj) -> &'static FieldInfo {
    let o = known::offsets();
    let class = mirror::class_of(field.get_ref(o.field_clazz));
    &class.declared_fields()[field.get_i32(o.field_slot) as usize]
}
/// Offset of a field, in instances or in the statics object, for the Java code that asks.
fn field_offset(th: &Thread, f: &FieldInfo) -> i64 {
    i64::from(holders::asked(th, f))
}
/// The object that holds the class's static fields; links the class.
///
/// # Errors
/// What linking throws.
pub fn static_base(th: &Thread, class: ClassRef) -> JResult<Obj> {
    init::link(th, class)?;
    Ok(class.statics.get())
}

fn null<T>(th: &Thread) -> JResult<T> {
    exceptions::throw_no_msg(th, "java/lang/NullPointerException")
}

pub fn object_field_offset(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return null(th);
    }
    long(field_offset(th, field_of(a.obj(1))))
}
pub fn static_field_offset(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return null(th);
    }
    let f = field_of(a.obj(1));
    long(field_offset(th, f) | if f.is_static() { STATIC_OFFSET } else { 0 })
}
pub fn static_field_base(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return null(th);
    }
    let f = field_of(a.obj(1));
    if !f.is_static() {
        return exceptions::throw_no_msg(th, "java/lang/IllegalArgumentException");
    }
    // The object with the static fields is there from now on.
    static_base(th, f.class)?;
    obj(f.class.mirror.get())
}
pub fn object_field_offset_by_name(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() || a.obj(2).is_null() {
        return null(th);
    }
    let class = mirror::class_of(a.obj(1));
    let name = strings::symbol_of(a.obj(2));
    match class.declared_fields().iter().find(|f| f.name == name) {
        Some(f) => long(field_offset(th, f)),
        None => exceptions::throw_no_msg(th, "java/lang/InternalError"),
    }
}

pub fn should_be_initialized(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return null(th);
    }
    let c = mirror::class_of(a.obj(1));
    boolean(c.is_instance_class() && !c.is_initialized())
}
pub fn ensure_initialized(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return null(th);
    }
    init::initialize(th, mirror::class_of(a.obj(1)))?;
    void()
}
fn array_class(th: &Thread, a: Args) -> JResult<ClassRef> {
    if a.obj(1).is_null() {
        return null(th);
    }
    let c = mirror::class_of(a.obj(1));
    if c.is_array() { Ok(c) } else { exceptions::throw(th, "java/lang/InvalidClassException", &c.external_name()) }
}
pub fn array_base_offset(th: &Thread, a: Args) -> JResult<u64> {
    int(array_base(u32::from(array_class(th, a)?.elem_shift)) as i32)
}
pub fn array_index_scale(th: &Thread, a: Args) -> JResult<u64> {
    int(1 << array_class(th, a)?.elem_shift)
}

pub fn define_class(th: &Thread, a: Args) -> JResult<u64> {
    let (bytes, from, len) = (a.obj(2), a.int(3), a.int(4));
    if bytes.is_null() {
        return null(th);
    }
    if len < 0 || from < 0 || from as usize + len as usize > bytes.array_len() {
        return exceptions::throw_no_msg(th, "java/lang/ArrayIndexOutOfBoundsException");
    }
    // SAFETY: copied at once; no safepoint is reached while the slice lives.
    let copy = unsafe { bytes.bytes() }[from as usize..(from + len) as usize].to_vec();
    let name = (!a.obj(1).is_null()).then(|| {
        let n: Vec<u8> = strings::to_mutf8(a.obj(1)).iter().map(|b| if *b == b'.' { b'/' } else { *b }).collect();
        concord_base::Symbol::intern(&n)
    });
    let class = define::define_class(
        th,
        define::DefineArgs {
            name,
            loader: loader::of_object(a.obj(5)),
            bytes: define::Bytes::Borrowed(&copy),
            protection_domain: a.obj(6),
            source: Some("__ClassLoader::Unsafe_DefineClass__".into()),
            hidden: None,
        },
    )?;
    obj(class.mirror.get())
}

pub fn allocate_instance(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return null(th);
    }
    obj(object::allocate_for_mirror(th, a.obj(1))?)
}
pub fn throw_exception(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(1).is_null() {
        return null(th);
    }
    th.throw(a.obj(1))
}

pub fn park(th: &Thread, a: Args) -> JResult<u64> {
    threads::park(th, a.boolean(1), a.long(2));
    // Before the caller looks at the interrupt status, which Thread.stop has set, and clears it.
    if threads::async_pending(th) {
        threads::deliver_async(th)?;
    }
    void()
}
pub fn unpark(_: &Thread, a: Args) -> JResult<u64> {
    threads::unpark(a.obj(1));
    void()
}
pub fn load_average(_: &Thread, a: Args) -> JResult<u64> {
    let (array, n) = (a.obj(1), a.int(2).clamp(0, 3));
    let mut loads = [0f64; 3];
    // SAFETY: room for three numbers.
    let got = unsafe { libc::getloadavg(loads.as_mut_ptr(), n) };
    for (i, v) in loads.iter().enumerate().take(got.max(0) as usize) {
        array.put_u64(Obj::elem_offset(i, 3), v.to_bits());
    }
    int(got)
}
