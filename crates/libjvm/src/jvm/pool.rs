//! jdk.internal.reflect.ConstantPool. The object argument of every function is the class whose
//! pool it is.
use super::jvm;
use crate::env::Ref;
use concord_runtime::reflection::pool;

jvm! {
    JVM_GetClassConstantPool(th, c: Ref) -> obj { pool::new(th, c.class()) }
    JVM_ConstantPoolGetSize(_th, _o: Ref, c: Ref) -> i { Ok(pool::size(c.class())) }
    JVM_ConstantPoolGetClassAt(th, _o: Ref, c: Ref, i: i32) -> obj { pool::class_at(th, c.class(), i, true) }
    JVM_ConstantPoolGetClassAtIfLoaded(th, _o: Ref, c: Ref, i: i32) -> obj { pool::class_at(th, c.class(), i, false) }
    JVM_ConstantPoolGetClassRefIndexAt(th, _o: Ref, c: Ref, i: i32) -> i { pool::class_ref_index_at(th, c.class(), i) }
    JVM_ConstantPoolGetMethodAt(th, _o: Ref, c: Ref, i: i32) -> obj { pool::method_at(th, c.class(), i, true) }
    JVM_ConstantPoolGetMethodAtIfLoaded(th, _o: Ref, c: Ref, i: i32) -> obj { pool::method_at(th, c.class(), i, false) }
    JVM_ConstantPoolGetFieldAt(th, _o: Ref, c: Ref, i: i32) -> obj { pool::field_at(th, c.class(), i, true) }
    JVM_ConstantPoolGetFieldAtIfLoaded(th, _o: Ref, c: Ref, i: i32) -> obj { pool::field_at(th, c.class(), i, false) }
    JVM_ConstantPoolGetMemberRefInfoAt(th, _o: Ref, c: Ref, i: i32) -> obj { pool::member_info_at(th, c.class(), i) }
    JVM_ConstantPoolGetNameAndTypeRefIndexAt(th, _o: Ref, c: Ref, i: i32) -> i {
        pool::name_and_type_index_at(th, c.class(), i)
    }
    JVM_ConstantPoolGetNameAndTypeRefInfoAt(th, _o: Ref, c: Ref, i: i32) -> obj {
        pool::name_and_type_info_at(th, c.class(), i)
    }
    JVM_ConstantPoolGetIntAt(th, _o: Ref, c: Ref, i: i32) -> i { pool::int_at(th, c.class(), i) }
    JVM_ConstantPoolGetLongAt(th, _o: Ref, c: Ref, i: i32) -> j { pool::long_at(th, c.class(), i) }
    JVM_ConstantPoolGetFloatAt(th, _o: Ref, c: Ref, i: i32) -> f { pool::float_at(th, c.class(), i) }
    JVM_ConstantPoolGetDoubleAt(th, _o: Ref, c: Ref, i: i32) -> d { pool::double_at(th, c.class(), i) }
    JVM_ConstantPoolGetStringAt(th, _o: Ref, c: Ref, i: i32) -> obj { pool::string_at(th, c.class(), i) }
    JVM_ConstantPoolGetUTF8At(th, _o: Ref, c: Ref, i: i32) -> obj { pool::utf8_at(th, c.class(), i) }
    JVM_ConstantPoolGetTagAt(th, _o: Ref, c: Ref, i: i32) -> b { pool::tag_at(th, c.class(), i) }
}
