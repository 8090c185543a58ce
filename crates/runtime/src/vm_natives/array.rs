//! java.lang.reflect.Array.
//!
//! Invariant: indices and element types are checked here, with HotSpot's exceptions; values widen
//! by the rules of JLS 5.1.2 and nothing else.
use super::args::{Args, int, obj, void};
use super::{Row, rows};
use crate::allocations::by_vm;
use crate::reflection::boxing::{self, Value};
use crate::{arrays, exceptions, mirror};
use concord_contract::{BasicType, ClassKind, JResult, Obj, Thread};
use concord_memory_model::emit;

pub static ARRAY: &[Row] = rows! {
    "getLength" "(Ljava/lang/Object;)I" = get_length;
    "get" "(Ljava/lang/Object;I)Ljava/lang/Object;" = get;
    "set" "(Ljava/lang/Object;ILjava/lang/Object;)V" = set;
    "getBoolean" "(Ljava/lang/Object;I)Z" = get_boolean;
    "getByte" "(Ljava/lang/Object;I)B" = get_byte;
    "getChar" "(Ljava/lang/Object;I)C" = get_char;
    "getShort" "(Ljava/lang/Object;I)S" = get_short;
    "getInt" "(Ljava/lang/Object;I)I" = get_int;
    "getLong" "(Ljava/lang/Object;I)J" = get_long;
    "getFloat" "(Ljava/lang/Object;I)F" = get_float;
    "getDouble" "(Ljava/lang/Object;I)D" = get_double;
    "setBoolean" "(Ljava/lang/Object;IZ)V" = set_boolean;
    "setByte" "(Ljava/lang/Object;IB)V" = set_byte;
    "setChar" "(Ljava/lang/Object;IC)V" = set_char;
    "setShort" "(Ljava/lang/Object;IS)V" = set_short;
    "setInt" "(Ljava/lang/Object;II)V" = set_int;
    "setLong" "(Ljava/lang/Object;IJ)V" = set_long;
    "setFloat" "(Ljava/lang/Object;IF)V" = set_float;
    "setDouble" "(Ljava/lang/Object;ID)V" = set_double;
    "newArray" "(Ljava/lang/Class;I)Ljava/lang/Object;" = new_array_native;
    "multiNewArray" "(Ljava/lang/Class;[I)Ljava/lang/Object;" = multi_new_array_native;
};

const ILLEGAL: &str = "java/lang/IllegalArgumentException";

fn array(th: &Thread, o: Obj, primitive: bool) -> JResult<Obj> {
    if o.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    match o.class().kind {
        ClassKind::PrimArray => Ok(o),
        ClassKind::RefArray if !primitive => Ok(o),
        ClassKind::RefArray => exceptions::throw(th, ILLEGAL, "Argument is not an array of primitive type"),
        _ => exceptions::throw(th, ILLEGAL, "Argument is not an array"),
    }
}
fn index(th: &Thread, a: Obj, i: i32) -> JResult<usize> {
    if i < 0 || i as usize >= a.array_len() {
        // As HotSpot: reflective access says nothing more.
        return exceptions::throw_no_msg(th, "java/lang/ArrayIndexOutOfBoundsException");
    }
    Ok(i as usize)
}

/// `Array.getLength`.
///
/// # Errors
/// NullPointerException, IllegalArgumentException.
pub fn length(th: &Thread, o: Obj) -> JResult<i32> {
    Ok(array(th, o, false)?.array_len() as i32)
}

/// Reads element `i` of a primitive array.
fn read(a: Obj, i: usize) -> Value {
    let t = a.class().basic;
    Value::load(t, a, Obj::elem_offset(i, t.heap_shift()))
}

/// `Array.get`: the element, boxed if primitive.
///
/// # Errors
/// NullPointerException, IllegalArgumentException, ArrayIndexOutOfBoundsException.
pub fn element(th: &Thread, o: Obj, i: i32) -> JResult<Obj> {
    let a = array(th, o, false)?;
    let i = index(th, a, i)?;
    if a.class().kind == ClassKind::RefArray { Ok(a.array_ref(i)) } else { boxing::box_value(th, read(a, i)) }
}

/// `Array.set`: unboxes and widens for primitive arrays.
///
/// # Errors
/// As [`element`], and `argument type mismatch`.
pub fn set_element(th: &Thread, o: Obj, i: i32, value: Obj) -> JResult<()> {
    let a = array(th, o, false)?;
    if a.class().kind == ClassKind::RefArray {
        let i = index(th, a, i)?;
        let fits = value.is_null() || a.class().component.is_some_and(|c| value.is_instance_of(c));
        if !fits {
            return exceptions::throw(th, ILLEGAL, "array element type mismatch");
        }
        arrays::set_ref(a, i, value);
        emit::after_plain_store();
        return Ok(());
    }
    if value.is_null() {
        return exceptions::throw_no_msg(th, ILLEGAL);
    }
    match boxing::unbox(value) {
        Some(v) => set_primitive(th, a, i, v),
        None => exceptions::throw(th, ILLEGAL, "argument type mismatch"),
    }
}

/// Reads a primitive element, widened to `wanted`.
///
/// # Errors
/// As [`element`], and `argument type mismatch`.
pub fn primitive(th: &Thread, o: Obj, i: i32, wanted: BasicType) -> JResult<Value> {
    let a = array(th, o, true)?;
    let i = index(th, a, i)?;
    match read(a, i).widen(wanted) {
        Some(v) => Ok(v),
        None => exceptions::throw(th, ILLEGAL, "argument type mismatch"),
    }
}
/// Stores a primitive, widened to the array's type.
///
/// # Errors
/// As [`primitive`].
pub fn set_primitive(th: &Thread, o: Obj, i: i32, value: Value) -> JResult<()> {
    let a = array(th, o, true)?;
    let t = a.class().basic;
    let i = index(th, a, i)?;
    let Some(v) = value.widen(t) else {
        return exceptions::throw(th, ILLEGAL, "argument type mismatch");
    };
    v.store(a, Obj::elem_offset(i, t.heap_shift()));
    emit::after_plain_store();
    Ok(())
}

/// `Array.newInstance(Class, int)`.
///
/// # Errors
/// NullPointerException, IllegalArgumentException for void, NegativeArraySizeException,
/// OutOfMemoryError.
pub fn new_array(th: &Thread, element: Obj, len: i32) -> JResult<Obj> {
    if element.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    let c = mirror::class_of(element);
    if c.is_primitive() && c.basic == BasicType::Void {
        return exceptions::throw_no_msg(th, ILLEGAL);
    }
    let class = arrays::array_class(th, c)?;
    arrays::new_local_array(th, class, len)
}
/// `Array.newInstance(Class, int...)`.
///
/// # Errors
/// As [`new_array`], and for no or too many dimensions.
pub fn new_multi_array(th: &Thread, element: Obj, dims: Obj) -> JResult<Obj> {
    if element.is_null() || dims.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    let mut class = mirror::class_of(element);
    let n = dims.array_len();
    if n == 0 {
        return exceptions::throw_no_msg(th, ILLEGAL);
    }
    let has = class.name.as_bytes().iter().take_while(|b| **b == b'[').count();
    if class.is_primitive() && class.basic == BasicType::Void || has + n > 255 {
        return exceptions::throw_no_msg(th, ILLEGAL);
    }
    let dims: Vec<i32> = (0..n).map(|i| dims.get_i32(Obj::elem_offset(i, 2))).collect();
    for _ in 0..n {
        class = arrays::array_class(th, class)?;
    }
    arrays::multi_new(th, class, &dims)
}

fn get_length(th: &Thread, a: Args) -> JResult<u64> {
    int(length(th, a.obj(0))?)
}
fn get(th: &Thread, a: Args) -> JResult<u64> {
    obj(by_vm(th, || element(th, a.obj(0), a.int(1)))?)
}
fn set(th: &Thread, a: Args) -> JResult<u64> {
    set_element(th, a.obj(0), a.int(1), a.obj(2))?;
    void()
}
fn new_array_native(th: &Thread, a: Args) -> JResult<u64> {
    obj(by_vm(th, || new_array(th, a.obj(0), a.int(1)))?)
}
fn multi_new_array_native(th: &Thread, a: Args) -> JResult<u64> {
    obj(by_vm(th, || new_multi_array(th, a.obj(0), a.obj(1)))?)
}
macro_rules! typed {
    ($($get:ident $set:ident $ty:ident;)*) => { $(
        fn $get(th: &Thread, a: Args) -> JResult<u64> {
            Ok(primitive(th, a.obj(0), a.int(1), BasicType::$ty)?.slot())
        }
        fn $set(th: &Thread, a: Args) -> JResult<u64> {
            set_primitive(th, a.obj(0), a.int(1), Value::of_slot(BasicType::$ty, a.bits(2)))?;
            void()
        }
    )* };
}
typed! {
    get_boolean set_boolean Boolean;
    get_byte set_byte Byte;
    get_char set_char Char;
    get_short set_short Short;
    get_int set_int Int;
    get_long set_long Long;
    get_float set_float Float;
    get_double set_double Double;
}
