//! Between ids and java.lang.reflect objects.
use crate::env::{FieldId, InVm, MethodId, Ref, enter};
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::handles::Handle;
use concord_runtime::{ClassExt, call, known};

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
    class.declared_methods().get(slot).map_or(MethodId::NULL, |m| MethodId::of(m))
}
pub extern "C" fn FromReflectedField(th: &Thread, field: Ref) -> FieldId {
    let vm = enter(th);
    let Ok(o) = vm.non_null(field.get()) else { return FieldId::NULL };
    let k = known::offsets();
    let (class, slot) = slot_of(o, k.field_clazz, k.field_slot);
    class.declared_fields().iter().find(|f| f.index as usize == slot).map_or(FieldId::NULL, FieldId::of)
}

/// The reflection object among what `Class.getDeclared*0` gives whose slot is `slot`.
fn reflected(
    vm: &InVm<'_>,
    class: concord_contract::ClassRef,
    getter: &str,
    desc: &str,
    offset: usize,
    slot: usize,
) -> JResult<Obj> {
    let array = call::call_virtual(vm.th, class.mirror.get(), getter, desc, &[0])?;
    // SAFETY: the getter's descriptor promises an array.
    let array = unsafe { Obj::from_addr(array as usize) };
    let found = (0..array.array_len()).map(|i| array.array_ref(i)).find(|o| o.get_i32(offset) as usize == slot);
    match found {
        Some(o) => Ok(o),
        None => {
            vm.throw("java/lang/InternalError", &format!("no member with slot {slot} in {}", class.external_name()))
        }
    }
}

pub extern "C" fn ToReflectedMethod(th: &Thread, _c: Ref, m: MethodId, _is_static: u8) -> Handle {
    let vm = enter(th);
    let (m, k) = (m.get(), known::offsets());
    let (getter, desc, offset) = match m.is_init() {
        true => ("getDeclaredConstructors0", "(Z)[Ljava/lang/reflect/Constructor;", k.ctor_slot),
        false => ("getDeclaredMethods0", "(Z)[Ljava/lang/reflect/Method;", k.method_slot),
    };
    let r = vm.aside(|| reflected(&vm, m.class, getter, desc, offset, m.index as usize));
    vm.local(r)
}
pub extern "C" fn ToReflectedField(th: &Thread, _c: Ref, f: FieldId, _is_static: u8) -> Handle {
    let vm = enter(th);
    let f = f.get();
    let offset = known::offsets().field_slot;
    let r = vm.aside(|| {
        reflected(&vm, f.class, "getDeclaredFields0", "(Z)[Ljava/lang/reflect/Field;", offset, f.index as usize)
    });
    vm.local(r)
}
