//! Between ids and java.lang.reflect objects.
use crate::env::{FieldId, MethodId, Ref, enter};
use concord_contract::{Obj, Thread};
use concord_runtime::handles::Handle;
use concord_runtime::reflection::members;
use concord_runtime::{ClassExt, known};

/// The class and slot that a reflection object names: (clazz, slot) at these offsets.
fn slot_of(o: Obj, clazz: usize, slot: usize) -> (concord_contract::ClassRef, usize) {
    (concord_runtime::mirror::class_of(o.get_ref(clazz)), o.get_i32(slot) as usize)
}

pub extern "C" fn FromReflectedMethod(th: &Thread, executable: Ref) -> MethodId {
    let vm = enter(th);
    let Ok(o) = vm.non_null(executable.get()) else { return MethodId::NULL };
    let k = known::offsets();
    let (class, slot) = match o.class() == known::classes().constructor {
        true => slot_of(o, k.ctor_clazz, k.ctor_slot),
        false => slot_of(o, k.method_clazz, k.method_slot),
    };
    let found = class.method_in_slot(slot as i32);
    match vm.aside(|| concord_runtime::init::initialize(th, class)) {
        Ok(()) => found.map_or(MethodId::NULL, MethodId::of),
        Err(_) => MethodId::NULL,
    }
}
pub extern "C" fn FromReflectedField(th: &Thread, field: Ref) -> FieldId {
    let vm = enter(th);
    let Ok(o) = vm.non_null(field.get()) else { return FieldId::NULL };
    let k = known::offsets();
    let (class, slot) = slot_of(o, k.field_clazz, k.field_slot);
    if vm.aside(|| concord_runtime::init::initialize(th, class)).is_err() {
        return FieldId::NULL;
    }
    class.declared_fields().iter().find(|f| f.index as usize == slot).map_or(FieldId::NULL, FieldId::of)
}

pub extern "C" fn ToReflectedMethod(th: &Thread, _c: Ref, m: MethodId, _is_static: u8) -> Handle {
    let vm = enter(th);
    let r = vm.aside(|| members::executable(th, m.get()));
    vm.local(r)
}
pub extern "C" fn ToReflectedField(th: &Thread, _c: Ref, f: FieldId, _is_static: u8) -> Handle {
    let vm = enter(th);
    let r = vm.aside(|| members::field(th, f.get()));
    vm.local(r)
}
