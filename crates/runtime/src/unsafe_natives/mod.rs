//! jdk.internal.misc.Unsafe.
//!
//! Invariant: (object, offset) is what `objectFieldOffset` & co. gave out, or an array element; a
//! null object makes the offset an absolute address. The base of a static field is its java.lang.Class, as in HotSpot, for
//! whose users that is a habit; [`place`] finds the object with the static fields behind it, by a bit of the offset. Aligned accesses are never torn; reference
//! stores go through the heap room.
//!
//! | module | what |
//! |---|---|
//! | `access` | get and put of all types, plain and volatile |
//! | `cas` | compareAndSet, compareAndExchange, fences |
//! | `memory` | off-heap memory, copying, filling |
//! | `classes` | offsets, bases, defining, instantiating, parking, throwing |
mod access;
mod cas;
mod classes;
mod memory;

use crate::known;
use crate::vm_natives::{Row, rows};
use concord_contract::Obj;
use concord_contract::object::STATIC_OFFSET;

pub use classes::static_base;
pub use memory::write_line_back;

/// Where (object, offset) is.
#[inline(always)]
fn place(o: Obj, offset: i64) -> (Obj, usize) {
    if offset >> STATIC_OFFSET.trailing_zeros() == 1 && !o.is_null() {
        return (statics_behind(o), (offset & !STATIC_OFFSET) as usize);
    }
    (o, offset as usize)
}
/// The object with the static fields of a class, given its java.lang.Class; any other object is its own answer.
#[cold]
#[inline(never)]
pub fn statics_behind(o: Obj) -> Obj {
    if std::ptr::eq(o.class(), known::classes().class) { crate::mirror::class_of(o).statics.get() } else { o }
}
/// The address that (object, offset) names.
#[inline(always)]
fn address(o: Obj, offset: i64) -> usize {
    let (o, at) = place(o, offset);
    o.addr().wrapping_add(at)
}

pub static ROWS: &[Row] = rows! {
    "registerNatives" "()V" = classes::register;
    "getInt" "(Ljava/lang/Object;J)I" = access::get_int;
    "putInt" "(Ljava/lang/Object;JI)V" = access::put_int;
    "getReference" "(Ljava/lang/Object;J)Ljava/lang/Object;" = access::get_reference;
    "putReference" "(Ljava/lang/Object;JLjava/lang/Object;)V" = access::put_reference;
    "getBoolean" "(Ljava/lang/Object;J)Z" = access::get_boolean;
    "putBoolean" "(Ljava/lang/Object;JZ)V" = access::put_boolean;
    "getByte" "(Ljava/lang/Object;J)B" = access::get_byte;
    "putByte" "(Ljava/lang/Object;JB)V" = access::put_byte;
    "getShort" "(Ljava/lang/Object;J)S" = access::get_short;
    "putShort" "(Ljava/lang/Object;JS)V" = access::put_short;
    "getChar" "(Ljava/lang/Object;J)C" = access::get_char;
    "putChar" "(Ljava/lang/Object;JC)V" = access::put_char;
    "getLong" "(Ljava/lang/Object;J)J" = access::get_long;
    "putLong" "(Ljava/lang/Object;JJ)V" = access::put_long;
    "getFloat" "(Ljava/lang/Object;J)F" = access::get_int;
    "putFloat" "(Ljava/lang/Object;JF)V" = access::put_int;
    "getDouble" "(Ljava/lang/Object;J)D" = access::get_long;
    "putDouble" "(Ljava/lang/Object;JD)V" = access::put_long;
    "getIntVolatile" "(Ljava/lang/Object;J)I" = access::get_int_volatile;
    "putIntVolatile" "(Ljava/lang/Object;JI)V" = access::put_int_volatile;
    "getReferenceVolatile" "(Ljava/lang/Object;J)Ljava/lang/Object;" = access::get_reference_volatile;
    "putReferenceVolatile" "(Ljava/lang/Object;JLjava/lang/Object;)V" = access::put_reference_volatile;
    "getBooleanVolatile" "(Ljava/lang/Object;J)Z" = access::get_boolean_volatile;
    "putBooleanVolatile" "(Ljava/lang/Object;JZ)V" = access::put_boolean_volatile;
    "getByteVolatile" "(Ljava/lang/Object;J)B" = access::get_byte_volatile;
    "putByteVolatile" "(Ljava/lang/Object;JB)V" = access::put_byte_volatile;
    "getShortVolatile" "(Ljava/lang/Object;J)S" = access::get_short_volatile;
    "putShortVolatile" "(Ljava/lang/Object;JS)V" = access::put_short_volatile;
    "getCharVolatile" "(Ljava/lang/Object;J)C" = access::get_char_volatile;
    "putCharVolatile" "(Ljava/lang/Object;JC)V" = access::put_char_volatile;
    "getLongVolatile" "(Ljava/lang/Object;J)J" = access::get_long_volatile;
    "putLongVolatile" "(Ljava/lang/Object;JJ)V" = access::put_long_volatile;
    "getFloatVolatile" "(Ljava/lang/Object;J)F" = access::get_int_volatile;
    "putFloatVolatile" "(Ljava/lang/Object;JF)V" = access::put_int_volatile;
    "getDoubleVolatile" "(Ljava/lang/Object;J)D" = access::get_long_volatile;
    "putDoubleVolatile" "(Ljava/lang/Object;JD)V" = access::put_long_volatile;
    "getUncompressedObject" "(J)Ljava/lang/Object;" = access::get_uncompressed;
    "compareAndSetReference" "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z" = cas::set_reference;
    "compareAndExchangeReference" "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;" = cas::exchange_reference;
    "compareAndSetInt" "(Ljava/lang/Object;JII)Z" = cas::set_int;
    "compareAndExchangeInt" "(Ljava/lang/Object;JII)I" = cas::exchange_int;
    "compareAndSetLong" "(Ljava/lang/Object;JJJ)Z" = cas::set_long;
    "compareAndExchangeLong" "(Ljava/lang/Object;JJJ)J" = cas::exchange_long;
    "loadFence" "()V" = cas::load_fence;
    "storeFence" "()V" = cas::store_fence;
    "fullFence" "()V" = cas::full_fence;
    "allocateMemory0" "(J)J" = memory::allocate;
    "reallocateMemory0" "(JJ)J" = memory::reallocate;
    "freeMemory0" "(J)V" = memory::free;
    "setMemory0" "(Ljava/lang/Object;JJB)V" = memory::set;
    "copyMemory0" "(Ljava/lang/Object;JLjava/lang/Object;JJ)V" = memory::copy;
    "copySwapMemory0" "(Ljava/lang/Object;JLjava/lang/Object;JJJ)V" = memory::copy_swap;
    "writeback0" "(J)V" = memory::writeback;
    "writebackPreSync0" "()V" = memory::writeback_pre_sync;
    "writebackPostSync0" "()V" = memory::writeback_post_sync;
    "objectFieldOffset0" "(Ljava/lang/reflect/Field;)J" = classes::object_field_offset;
    "objectFieldOffset1" "(Ljava/lang/Class;Ljava/lang/String;)J" = classes::object_field_offset_by_name;
    "staticFieldOffset0" "(Ljava/lang/reflect/Field;)J" = classes::static_field_offset;
    "staticFieldBase0" "(Ljava/lang/reflect/Field;)Ljava/lang/Object;" = classes::static_field_base;
    "shouldBeInitialized0" "(Ljava/lang/Class;)Z" = classes::should_be_initialized;
    "ensureClassInitialized0" "(Ljava/lang/Class;)V" = classes::ensure_initialized;
    "arrayBaseOffset0" "(Ljava/lang/Class;)I" = classes::array_base_offset;
    "arrayIndexScale0" "(Ljava/lang/Class;)I" = classes::array_index_scale;
    "defineClass0" "(Ljava/lang/String;[BIILjava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;" = classes::define_class;
    "allocateInstance" "(Ljava/lang/Class;)Ljava/lang/Object;" = classes::allocate_instance;
    "throwException" "(Ljava/lang/Throwable;)V" = classes::throw_exception;
    "park" "(ZJ)V" = classes::park;
    "unpark" "(Ljava/lang/Object;)V" = classes::unpark;
    "getLoadAverage0" "([DI)I" = classes::load_average;
};

#[cfg(test)]
mod tests {
    #[test]
    fn all_natives_of_jdk_17_are_there() {
        // 69 methods, and registerNatives.
        assert_eq!(super::ROWS.len(), 70);
    }
}
