//! jdk.internal.reflect.ConstantPool. The first argument of every function is the pool's object; the
//! second is a field of it that the library passes along and a native caller may leave out.
use super::jvm;
use crate::env::Ref;
use concord_runtime::reflection::pool;

jvm! {
    JVM_GetClassConstantPool(th, c: Ref) -> obj { pool::new(th, c.class()) }
    JVM_ConstantPoolGetSize(_th, o: Ref, _oop: Ref) -> i { Ok(pool::size(pool::owner(o.get()))) }
    JVM_ConstantPoolGetClassAt(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::class_at(th, pool::owner(o.get()), i, true) }
    JVM_ConstantPoolGetClassAtIfLoaded(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::class_at(th, pool::owner(o.get()), i, false) }
    JVM_ConstantPoolGetClassRefIndexAt(th, o: Ref, _oop: Ref, i: i32) -> i { pool::class_ref_index_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetMethodAt(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::method_at(th, pool::owner(o.get()), i, true) }
    JVM_ConstantPoolGetMethodAtIfLoaded(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::method_at(th, pool::owner(o.get()), i, false) }
    JVM_ConstantPoolGetFieldAt(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::field_at(th, pool::owner(o.get()), i, true) }
    JVM_ConstantPoolGetFieldAtIfLoaded(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::field_at(th, pool::owner(o.get()), i, false) }
    JVM_ConstantPoolGetMemberRefInfoAt(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::member_info_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetNameAndTypeRefIndexAt(th, o: Ref, _oop: Ref, i: i32) -> i {
        pool::name_and_type_index_at(th, pool::owner(o.get()), i)
    }
    JVM_ConstantPoolGetNameAndTypeRefInfoAt(th, o: Ref, _oop: Ref, i: i32) -> obj {
        pool::name_and_type_info_at(th, pool::owner(o.get()), i)
    }
    JVM_ConstantPoolGetIntAt(th, o: Ref, _oop: Ref, i: i32) -> i { pool::int_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetLongAt(th, o: Ref, _oop: Ref, i: i32) -> j { pool::long_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetFloatAt(th, o: Ref, _oop: Ref, i: i32) -> f { pool::float_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetDoubleAt(th, o: Ref, _oop: Ref, i: i32) -> d { pool::double_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetStringAt(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::string_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetUTF8At(th, o: Ref, _oop: Ref, i: i32) -> obj { pool::utf8_at(th, pool::owner(o.get()), i) }
    JVM_ConstantPoolGetTagAt(th, o: Ref, _oop: Ref, i: i32) -> b { pool::tag_at(th, pool::owner(o.get()), i) }
}
