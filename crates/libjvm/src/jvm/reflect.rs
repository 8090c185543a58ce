//! Members of classes, their invocation, and arrays.
//!
//! Invariant: access checks are Java's; these functions only do what they are asked.
use super::jvm;
use crate::env::Ref;
use concord_contract::BasicType;
use concord_runtime::allocations::by_vm;
use concord_runtime::exceptions;
use concord_runtime::reflection::boxing::Value;
use concord_runtime::reflection::{attributes, invoke, members};
use concord_runtime::vm_natives::{array, copy, object};

/// The type with that number of the class-file format.
fn basic(code: i32) -> Option<BasicType> {
    use BasicType::*;
    [Boolean, Char, Float, Double, Byte, Short, Int, Long].into_iter().find(|t| *t as i32 == code)
}

jvm! {
    JVM_GetClassDeclaredFields(th, c: Ref, public_only: u8) -> obj {
        by_vm(th, || members::declared_fields(th, c.class(), public_only != 0))
    }
    JVM_GetClassDeclaredMethods(th, c: Ref, public_only: u8) -> obj {
        by_vm(th, || members::declared_methods(th, c.class(), public_only != 0))
    }
    JVM_GetClassDeclaredConstructors(th, c: Ref, public_only: u8) -> obj {
        by_vm(th, || members::declared_constructors(th, c.class(), public_only != 0))
    }
    JVM_GetRecordComponents(th, c: Ref) -> obj { by_vm(th, || members::record_components(th, c.class())) }
    JVM_GetMethodParameters(th, m: Ref) -> obj { members::parameters(th, m.get()) }
    JVM_GetMethodTypeAnnotations(th, m: Ref) -> obj {
        members::method_of(m.get()).map_or(Ok(concord_contract::Obj::NULL), |m| attributes::method_type_annotations(th, m))
    }
    JVM_GetFieldTypeAnnotations(th, f: Ref) -> obj {
        members::bytes(th, members::field_of(f.get()).type_annotations)
    }
    JVM_InvokeMethod(th, m: Ref, receiver: Ref, args: Ref) -> obj {
        invoke::invoke(th, m.get(), receiver.get(), args.get())
    }
    JVM_NewInstanceFromConstructor(th, c: Ref, args: Ref) -> obj { invoke::new_instance(th, c.get(), args.get()) }
    JVM_NewArray(th, element: Ref, len: i32) -> obj { by_vm(th, || array::new_array(th, element.get(), len)) }
    JVM_NewMultiArray(th, element: Ref, dims: Ref) -> obj { by_vm(th, || array::new_multi_array(th, element.get(), dims.get())) }
    JVM_GetArrayLength(th, a: Ref) -> i { array::length(th, a.get()) }
    JVM_GetArrayElement(th, a: Ref, i: i32) -> obj { by_vm(th, || array::element(th, a.get(), i)) }
    JVM_SetArrayElement(th, a: Ref, i: i32, v: Ref) -> void { array::set_element(th, a.get(), i, v.get()) }
    JVM_GetPrimitiveArrayElement(th, a: Ref, i: i32, code: i32) -> bits {
        match basic(code) {
            Some(t) => Ok(array::primitive(th, a.get(), i, t)?.slot()),
            None => exceptions::throw(th, "java/lang/IllegalArgumentException", "argument type mismatch"),
        }
    }
    JVM_SetPrimitiveArrayElement(th, a: Ref, i: i32, v: u64, code: u8) -> void {
        match basic(i32::from(code)) {
            Some(t) => array::set_primitive(th, a.get(), i, Value::of_slot(t, v)),
            None => exceptions::throw(th, "java/lang/IllegalArgumentException", "argument type mismatch"),
        }
    }
    JVM_ArrayCopy(th, _c: Ref, src: Ref, src_pos: i32, dst: Ref, dst_pos: i32, len: i32) -> void {
        copy::arraycopy(th, src.get(), src_pos, dst.get(), dst_pos, len)
    }
    JVM_Clone(th, o: Ref) -> obj { by_vm(th, || object::clone(th, o.get())) }
}
