//! Fields: ids, and typed access to instance and static fields.
//!
//! Invariant: an access is as strong as the memory model of the program asks: the store is followed
//! by the fence that a volatile or sequentially consistent field needs; references go through the
//! heap room's one store function. Agents that watch fields are told before the access.
use crate::env::{FieldId, InVm, Ref, Text, enter};
use crate::jvmti::watches;
use concord_base::Symbol;
use concord_contract::{JResult, Obj, Thread};
use concord_memory_model::emit;
use concord_runtime::events::{Event, wanted};
use concord_runtime::handles::Handle;
use concord_runtime::{ClassExt, FieldInfo, init};

fn find(vm: &InVm<'_>, c: Ref, name: Text, sig: Text, is_static: bool) -> JResult<&'static FieldInfo> {
    let class = c.class();
    vm.aside(|| vm.initialize(class))?;
    let (n, s) = (name.bytes().unwrap_or_default(), sig.bytes().unwrap_or_default());
    if let (Some(n), Some(s)) = (Symbol::lookup(n), Symbol::lookup(s))
        && let Some(f) = class.find_field(n, s)
        && f.is_static() == is_static
    {
        // As in HotSpot, an interface that declares the field is not initialized, but it must have
        // a place for its fields.
        vm.aside(|| init::link(vm.th, f.class))?;
        return Ok(f);
    }
    let message = match is_static {
        true => name.lossy(),
        false => format!("{}.{} {}", class.external_name(), name.lossy(), sig.lossy()),
    };
    vm.throw("java/lang/NoSuchFieldError", &message)
}

pub extern "C" fn GetFieldID(th: &Thread, c: Ref, name: Text, sig: Text) -> FieldId {
    find(&enter(th), c, name, sig, false).map_or(FieldId::NULL, FieldId::of)
}
pub extern "C" fn GetStaticFieldID(th: &Thread, c: Ref, name: Text, sig: Text) -> FieldId {
    find(&enter(th), c, name, sig, true).map_or(FieldId::NULL, FieldId::of)
}

/// The object and offset that a field id names; throws if there is no object.
fn instance(vm: &InVm<'_>, o: Ref, f: FieldId) -> JResult<(Obj, usize)> {
    Ok((vm.non_null(o.get())?, f.get().offset() as usize))
}
/// Tells agents that the field is about to be read; the object is null for a static field.
#[inline]
fn reads(th: &Thread, o: Obj, f: FieldId) {
    if wanted(Event::FieldAccess) {
        watches::used_by_jni(th, f.get(), o, None);
    }
}
/// Tells agents of the new value.
#[inline]
fn writes(th: &Thread, o: Obj, f: FieldId, value: impl Value) {
    if wanted(Event::FieldModification) {
        watches::used_by_jni(th, f.get(), o, Some(value.told()));
    }
}

/// What a field can be set to.
trait Value {
    /// The bits of a jvalue, or the object.
    fn told(self) -> (u64, Obj);
}
macro_rules! values {
    ($($t:ty: $v:ident, $bits:expr;)*) => { $(
        impl Value for $t {
            fn told(self) -> (u64, Obj) {
                let $v = self;
                ($bits, Obj::NULL)
            }
        }
    )* };
}
values! {
    u8: v, u64::from(v);
    i8: v, u64::from(v as u8);
    u16: v, u64::from(v);
    i16: v, u64::from(v as u16);
    i32: v, u64::from(v as u32);
    i64: v, v as u64;
    f32: v, u64::from(v.to_bits());
    f64: v, v.to_bits();
}
impl Value for Obj {
    fn told(self) -> (u64, Obj) {
        (0, self)
    }
}

/// After a store: the field may be volatile, and by default every field is as good as volatile.
fn after_store(f: &FieldInfo) {
    emit::after_field_store(f.is_volatile());
}

macro_rules! accessors {
    ($($t:ty: $get:ident $set:ident $get_static:ident $set_static:ident, $o:ident, $off:ident, $v:ident, $read:expr, $write:expr;)*) => { $(
        pub extern "C" fn $get(th: &Thread, o: Ref, f: FieldId) -> $t {
            let vm = enter(th);
            match instance(&vm, o, f) {
                Ok(($o, $off)) => {
                    reads(th, $o, f);
                    $read
                }
                Err(_thrown) => Default::default(),
            }
        }
        pub extern "C" fn $set(th: &Thread, o: Ref, f: FieldId, $v: $t) {
            let vm = enter(th);
            if let Ok(($o, $off)) = instance(&vm, o, f) {
                writes(th, $o, f, $v);
                $write;
                after_store(f.get());
            }
        }
        pub extern "C" fn $get_static(th: &Thread, _c: Ref, f: FieldId) -> $t {
            let _vm = enter(th);
            reads(th, Obj::NULL, f);
            let ($o, $off) = f.get().static_cell();
            $read
        }
        pub extern "C" fn $set_static(th: &Thread, _c: Ref, f: FieldId, $v: $t) {
            let _vm = enter(th);
            writes(th, Obj::NULL, f, $v);
            let ($o, $off) = f.get().static_cell();
            $write;
            after_store(f.get());
        }
    )* };
}

accessors! {
    u8: GetBooleanField SetBooleanField GetStaticBooleanField SetStaticBooleanField, o, off, v, o.get_u8(off), o.put_u8(off, v & 1);
    i8: GetByteField SetByteField GetStaticByteField SetStaticByteField, o, off, v, o.get_i8(off), o.put_i8(off, v);
    u16: GetCharField SetCharField GetStaticCharField SetStaticCharField, o, off, v, o.get_u16(off), o.put_u16(off, v);
    i16: GetShortField SetShortField GetStaticShortField SetStaticShortField, o, off, v, o.get_i16(off), o.put_i16(off, v);
    i32: GetIntField SetIntField GetStaticIntField SetStaticIntField, o, off, v, o.get_i32(off), o.put_i32(off, v);
    i64: GetLongField SetLongField GetStaticLongField SetStaticLongField, o, off, v, o.get_i64(off), o.put_i64(off, v);
    f32: GetFloatField SetFloatField GetStaticFloatField SetStaticFloatField, o, off, v, f32::from_bits(o.get_u32(off)), o.put_u32(off, v.to_bits());
    f64: GetDoubleField SetDoubleField GetStaticDoubleField SetStaticDoubleField, o, off, v, f64::from_bits(o.get_u64(off)), o.put_u64(off, v.to_bits());
}

pub extern "C" fn GetObjectField(th: &Thread, o: Ref, f: FieldId) -> Handle {
    let vm = enter(th);
    let r = instance(&vm, o, f).map(|(o, off)| {
        reads(th, o, f);
        o.get_ref(off)
    });
    vm.local(r)
}
pub extern "C" fn SetObjectField(th: &Thread, o: Ref, f: FieldId, v: Ref) {
    let vm = enter(th);
    if let Ok((o, off)) = instance(&vm, o, f) {
        writes(th, o, f, v.get());
        concord_heap::publish_value(th, o, v.get());
        concord_heap::store_ref(o, off, v.get());
        after_store(f.get());
    }
}
pub extern "C" fn GetStaticObjectField(th: &Thread, _c: Ref, f: FieldId) -> Handle {
    let vm = enter(th);
    reads(th, Obj::NULL, f);
    let (o, off) = f.get().static_cell();
    vm.local_obj(o.get_ref(off))
}
pub extern "C" fn SetStaticObjectField(th: &Thread, _c: Ref, f: FieldId, v: Ref) {
    let _vm = enter(th);
    writes(th, Obj::NULL, f, v.get());
    let (o, off) = f.get().static_cell();
    concord_heap::publish_value(th, o, v.get());
    concord_heap::store_ref(o, off, v.get());
    after_store(f.get());
}
