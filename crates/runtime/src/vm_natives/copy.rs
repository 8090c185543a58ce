//! `System.arraycopy`.
//!
//! Invariant: everything is checked before the first element moves, except the type of single
//! references, which are checked in order; those before the offending one are copied (JLS).
//! Elements are never torn, and overlapping ranges behave as if copied through a temporary.
use crate::{ClassExt, exceptions};
use concord_contract::{Class, ClassKind, JResult, Obj, Thread};
use concord_memory_model::emit;

/// How messages call an array.
fn kind(c: &Class) -> String {
    match c.component {
        Some(e) if e.is_primitive() => e.basic.java_name().to_string(),
        _ => "object array".to_string(),
    }
}
/// `int[]`, `object array[]`.
fn array_text(c: &Class) -> String {
    kind(c) + "[]"
}

#[cold]
fn store_error(th: &Thread, msg: &str) -> JResult<()> {
    exceptions::throw(th, "java/lang/ArrayStoreException", msg)
}

#[cold]
fn bounds_error(th: &Thread, src: Obj, src_pos: i32, dst: Obj, dst_pos: i32, len: i32) -> JResult<()> {
    let (s, d) = (src.array_len(), dst.array_len());
    let text = |o: Obj| format!("{}[{}]", kind(o.class()), o.array_len());
    let end = |pos: i32| (pos as u32).wrapping_add(len as u32);
    let msg = if src_pos < 0 {
        format!("arraycopy: source index {src_pos} out of bounds for {}", text(src))
    } else if dst_pos < 0 {
        format!("arraycopy: destination index {dst_pos} out of bounds for {}", text(dst))
    } else if len < 0 {
        format!("arraycopy: length {len} is negative")
    } else if end(src_pos) as usize > s {
        format!("arraycopy: last source index {} out of bounds for {}", end(src_pos), text(src))
    } else {
        debug_assert!(end(dst_pos) as usize > d);
        format!("arraycopy: last destination index {} out of bounds for {}", end(dst_pos), text(dst))
    };
    exceptions::throw(th, "java/lang/ArrayIndexOutOfBoundsException", &msg)
}

/// Copies `len` elements of `src` from `src_pos` to `dst_pos` in `dst`.
///
/// # Errors
/// NullPointerException, ArrayStoreException, ArrayIndexOutOfBoundsException, with HotSpot's texts.
pub fn arraycopy(th: &Thread, src: Obj, src_pos: i32, dst: Obj, dst_pos: i32, len: i32) -> JResult<()> {
    let r = copy_elements(th, src, src_pos, dst, dst_pos, len);
    // One bulk store; also of the elements before one that did not fit.
    emit::after_plain_store_into(!dst.is_null() && dst.is_local());
    r
}

fn copy_elements(th: &Thread, src: Obj, src_pos: i32, dst: Obj, dst_pos: i32, len: i32) -> JResult<()> {
    if src.is_null() || dst.is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    let (sc, dc) = (src.class(), dst.class());
    if !std::ptr::eq(sc, dc) || !sc.is_array() {
        check_kinds(th, sc, dc)?;
    }
    let fits = |o: Obj, pos: i32| pos >= 0 && pos as usize + len as usize <= o.array_len();
    if len < 0 || !fits(src, src_pos) || !fits(dst, dst_pos) {
        return bounds_error(th, src, src_pos, dst, dst_pos, len);
    }
    let (from, to, n) = (src_pos as usize, dst_pos as usize, len as usize);
    if n == 0 {
        return Ok(());
    }
    if sc.kind == ClassKind::PrimArray {
        let shift = u32::from(sc.elem_shift);
        concord_heap::copy_payload(src, Obj::elem_offset(from, shift), dst, Obj::elem_offset(to, shift), n, shift);
        return Ok(());
    }
    let same_type = src == dst || std::ptr::eq(sc, dc);
    match (sc.component, dc.component) {
        (Some(s), Some(d)) if !same_type && !s.is_subclass_of(d) => copy_checked(th, src, from, dst, to, n, s, d),
        _ => {
            if src.is_local() && !dst.is_local() {
                concord_heap::publish_elements(th, src, from, n);
            }
            concord_heap::array_copy_refs(src, from, dst, to, n);
            Ok(())
        }
    }
}

#[cold]
fn check_kinds(th: &Thread, sc: &Class, dc: &Class) -> JResult<()> {
    if !sc.is_array() {
        return store_error(th, &format!("arraycopy: source type {} is not an array", sc.external_name()));
    }
    if !dc.is_array() {
        return store_error(th, &format!("arraycopy: destination type {} is not an array", dc.external_name()));
    }
    let mixed = sc.kind != dc.kind || (sc.kind == ClassKind::PrimArray && sc.basic != dc.basic);
    if mixed {
        let (s, d) = (array_text(sc), array_text(dc));
        return store_error(th, &format!("arraycopy: type mismatch: can not copy {s} into {d}"));
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "two ranges and two element types")]
#[cold]
fn copy_checked(
    th: &Thread,
    src: Obj,
    from: usize,
    dst: Obj,
    to: usize,
    n: usize,
    s: &Class,
    d: &Class,
) -> JResult<()> {
    // Different array classes, so the arrays are different objects and do not overlap.
    for i in 0..n {
        let e = src.array_ref(from + i);
        if e.is_null() || e.is_instance_of(d) {
            crate::arrays::set_ref(dst, to + i, e);
            continue;
        }
        let (s_name, d_name) = (s.external_name(), d.external_name());
        return store_error(
            th,
            &if d.is_subclass_of(s) {
                format!(
                    "arraycopy: element type mismatch: can not cast one of the elements of {s_name}[] \
                     to the type of the destination array, {d_name}"
                )
            } else {
                format!("arraycopy: type mismatch: can not copy {s_name}[] into {d_name}[]")
            },
        );
    }
    Ok(())
}
