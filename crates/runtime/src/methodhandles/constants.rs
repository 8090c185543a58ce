//! Loadable constants of reference type, and dynamic constants.
use super::{keep_failure, kept_failure, link_dynamic, link_handle_constant, method_type};
use crate::info::ClassExt;
use crate::{exceptions, failures, handles, known, object, resolve, strings, threads};
use concord_base::Symbol;
use concord_classfile::Constant;
use concord_contract::entries::ResolvedConstant;
use concord_contract::method::NULL_CONSTANT;
use concord_contract::{BasicType, ClassRef, CpEntry, JResult, MethodRef, Obj, Thread, Thrown};
use std::sync::atomic::Ordering;

/// Resolves constant `i` for `ldc`; references go into the cache entry.
pub fn resolve_constant(th: &Thread, m: MethodRef, i: u16) -> JResult<ResolvedConstant> {
    let from = m.class;
    let pool = from.info().constants();
    if let Some(Constant::Dynamic { nat, .. }) = pool.get(i) {
        let desc = pool.name_and_type(*nat).desc;
        if let Some(t) = BasicType::from_descriptor_char(desc[0])
            && !t.is_ref()
        {
            let boxed = dynamic(th, from, i)?;
            return Ok(ResolvedConstant::Prim(t, unbox(th, boxed, t)?));
        }
    }
    reference(th, from, i)?;
    Ok(if matches!(pool.get(i), Some(Constant::Class(_))) { ResolvedConstant::Mirror } else { ResolvedConstant::Ref })
}

/// Any loadable constant as an object (numbers boxed), as bootstrap arguments are.
pub fn constant_at(th: &Thread, from: ClassRef, i: u16) -> JResult<Obj> {
    let k = known::classes();
    match from.info().constants().get(i) {
        Some(Constant::Integer(v)) => boxed(th, k.box_int, "(I)Ljava/lang/Integer;", *v as u32 as u64),
        Some(Constant::Float(v)) => boxed(th, k.box_float, "(F)Ljava/lang/Float;", *v as u64),
        Some(Constant::Long(v)) => boxed(th, k.box_long, "(J)Ljava/lang/Long;", *v as u64),
        Some(Constant::Double(v)) => boxed(th, k.box_double, "(D)Ljava/lang/Double;", *v),
        Some(Constant::Dynamic { .. }) => dynamic(th, from, i),
        _ => reference(th, from, i),
    }
}

/// `Box.valueOf(bits)`; two slots for long and double.
fn boxed(th: &Thread, class: ClassRef, desc: &str, bits: u64) -> JResult<Obj> {
    crate::init::initialize(th, class)?;
    let Some(m) = class.declared_method(Symbol::from("valueOf"), Symbol::from(desc)) else {
        concord_base::bug!("{} has no valueOf{desc}", class.name);
    };
    let args = [bits, 0];
    crate::call::invoke_ref(th, m, &args[..m.nargs()])
}

fn stored(e: &CpEntry) -> Option<Obj> {
    match e.a.load(Ordering::Acquire) {
        0 => None,
        NULL_CONSTANT => Some(Obj::NULL),
        // SAFETY: reference entries hold addresses of live objects; the collector updates them.
        a => Some(unsafe { Obj::from_addr(a as usize) }),
    }
}

/// Stores `o` as the constant unless another thread was first; `b` marks the entry as a root.
fn store(from: ClassRef, i: u16, o: Obj) -> Obj {
    let e = resolve::entry(from, i);
    crate::roots::share(o);
    let word = if o.is_null() { NULL_CONSTANT } else { o.addr() as u64 };
    e.b.store(1, Ordering::Release);
    match e.a.compare_exchange(0, word, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            crate::roots::note_constant(from, i);
            o
        }
        Err(_) => stored(e).unwrap_or(Obj::NULL),
    }
}

fn reference(th: &Thread, from: ClassRef, i: u16) -> JResult<Obj> {
    let pool = from.info().constants();
    // Class entries hold the class; the object is its mirror.
    if let Some(Constant::Class(_)) = pool.get(i) {
        return Ok(resolve::class_at(th, from, i)?.mirror.get());
    }
    let e = resolve::entry(from, i);
    if let Some(o) = stored(e) {
        return Ok(o);
    }
    let o = match pool.get(i) {
        Some(Constant::String(u)) => strings::intern_mutf8(th, pool.utf8(*u))?,
        Some(Constant::MethodType(u)) => {
            failures::once(th, from, i, || method_type(th, from, Symbol::intern(pool.utf8(*u))))?
        }
        Some(Constant::MethodHandle { .. }) => failures::once(th, from, i, || link_handle_constant(th, from, i))?,
        Some(Constant::Dynamic { .. }) => return dynamic(th, from, i),
        other => concord_base::bug!("constant {i} of {} is not loadable: {other:?}", from.name),
    };
    Ok(store(from, i, o))
}

/// A dynamic constant's value, boxed if primitive; resolved once, failures kept.
fn dynamic(th: &Thread, from: ClassRef, i: u16) -> JResult<Obj> {
    let e = resolve::entry(from, i);
    if let Some(o) = stored(e) {
        return Ok(o);
    }
    // Its arguments are resolved on the same stack, before any Java frame notices that it ends.
    threads::room_to_recurse(th)?;
    let key = e as *const CpEntry as usize;
    kept_failure(th, key)?;
    match link_dynamic(th, from, i) {
        Ok(o) => Ok(store(from, i, o)),
        Err(Thrown) => keep_failure(th, from, key, true),
    }
}

fn unbox(th: &Thread, o: Obj, want: BasicType) -> JResult<u64> {
    match object_value(o) {
        Some((t, bits)) if t == want => Ok(bits),
        _ => {
            let scope = handles::Scope::new(th);
            let _o = scope.handle(o);
            exceptions::throw(
                th,
                "java/lang/ClassCastException",
                "a dynamic constant has another type than its descriptor says",
            )
        }
    }
}

/// Type and raw slot of a box object.
pub fn object_value(o: Obj) -> Option<(BasicType, u64)> {
    if o.is_null() {
        return None;
    }
    let (k, f) = (known::classes(), known::offsets());
    let c = o.class();
    debug_assert!(!object::is_finalizable(c));
    Some(if c == k.box_int {
        (BasicType::Int, o.get_u32(f.box_int_value) as u64)
    } else if c == k.box_long {
        (BasicType::Long, o.get_u64(f.box_long_value))
    } else if c == k.box_boolean {
        (BasicType::Boolean, o.get_u8(f.box_boolean_value) as u64)
    } else if c == k.box_char {
        (BasicType::Char, o.get_u16(f.box_char_value) as u64)
    } else if c == k.box_byte {
        (BasicType::Byte, o.get_i8(f.box_byte_value) as i32 as u32 as u64)
    } else if c == k.box_short {
        (BasicType::Short, o.get_i16(f.box_short_value) as i32 as u32 as u64)
    } else if c == k.box_float {
        (BasicType::Float, o.get_u32(f.box_float_value) as u64)
    } else if c == k.box_double {
        (BasicType::Double, o.get_u64(f.box_double_value))
    } else {
        return None;
    })
}
