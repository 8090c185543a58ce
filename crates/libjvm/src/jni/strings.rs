//! Strings. All functions that give characters give copies, which the caller releases.
use super::arrays::{buffer_of, free_buffer};
use crate::env::{InVm, Out, Ref, Text, enter};
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::handles::Handle;
use concord_runtime::{exceptions, strings};

pub extern "C" fn NewString(th: &Thread, units: *const u16, len: i32) -> Handle {
    let vm = enter(th);
    if units.is_null() && len != 0 {
        return std::ptr::null_mut();
    }
    let len = len.max(0) as usize;
    // SAFETY: JNI: `units` has `len` elements.
    let units = if len == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(units, len) } };
    let r = vm.aside(|| strings::new_utf16(th, units));
    vm.local(r)
}
pub extern "C" fn NewStringUTF(th: &Thread, text: Text) -> Handle {
    let vm = enter(th);
    let Some(bytes) = text.bytes() else { return std::ptr::null_mut() };
    let r = vm.aside(|| strings::new_mutf8(th, bytes));
    vm.local(r)
}

fn length(vm: &InVm<'_>, s: Ref) -> i32 {
    vm.non_null(s.get()).map_or(0, |s| strings::length(s) as i32)
}
pub extern "C" fn GetStringLength(th: &Thread, s: Ref) -> i32 {
    length(&enter(th), s)
}
pub extern "C" fn GetStringUTFLength(th: &Thread, s: Ref) -> i32 {
    let vm = enter(th);
    vm.non_null(s.get()).map_or(0, |s| strings::to_mutf8(s).len() as i32)
}

fn chars(vm: &InVm<'_>, s: Ref, is_copy: Out<u8>) -> *const u16 {
    let Ok(s) = vm.non_null(s.get()) else { return std::ptr::null() };
    let mut units = strings::to_utf16(s);
    // HotSpot's copies are terminated as well, and programs rely on it.
    units.push(0);
    is_copy.set(1);
    let p = buffer_of(2 * units.len()).cast::<u16>();
    // SAFETY: the buffer was made for these units.
    unsafe { p.copy_from_nonoverlapping(units.as_ptr(), units.len()) };
    p
}
/// Null, as on HotSpot, for a string without text; so is what [`GetStringUTFChars`] gives.
pub extern "C" fn GetStringChars(th: &Thread, s: Ref, is_copy: Out<u8>) -> *const u16 {
    let vm = enter(th);
    let without_text = !s.get().is_null() && !strings::has_text(s.get());
    if without_text { std::ptr::null() } else { chars(&vm, s, is_copy) }
}
pub extern "C" fn ReleaseStringChars(_th: &Thread, _s: Ref, p: *mut u8) {
    free_buffer(p)
}
pub extern "C" fn GetStringCritical(th: &Thread, s: Ref, is_copy: Out<u8>) -> *const u16 {
    chars(&enter(th), s, is_copy)
}
pub extern "C" fn ReleaseStringCritical(_th: &Thread, _s: Ref, p: *mut u8) {
    free_buffer(p)
}
pub extern "C" fn GetStringUTFChars(th: &Thread, s: Ref, is_copy: Out<u8>) -> *const u8 {
    let vm = enter(th);
    let Ok(s) = vm.non_null(s.get()) else { return std::ptr::null() };
    if !strings::has_text(s) {
        return std::ptr::null();
    }
    let mut bytes = strings::to_mutf8(s);
    bytes.push(0);
    is_copy.set(1);
    let p = buffer_of(bytes.len());
    // SAFETY: the buffer was made for these bytes.
    unsafe { p.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    p
}
pub extern "C" fn ReleaseStringUTFChars(_th: &Thread, _s: Ref, p: *mut u8) {
    free_buffer(p)
}

fn region(vm: &InVm<'_>, s: Ref, start: i32, len: i32) -> JResult<Vec<u16>> {
    let s: Obj = vm.non_null(s.get())?;
    let n = strings::length(s) as i64;
    if start < 0 || len < 0 || start as i64 + len as i64 > n {
        vm.th.take_exception();
        return exceptions::throw_no_msg(vm.th, "java/lang/StringIndexOutOfBoundsException");
    }
    Ok((start as usize..(start + len) as usize).map(|i| strings::unit(s, i)).collect())
}
pub extern "C" fn GetStringRegion(th: &Thread, s: Ref, start: i32, len: i32, to: *mut u16) {
    let vm = enter(th);
    if let Ok(units) = region(&vm, s, start, len)
        && !units.is_empty()
    {
        // SAFETY: JNI: the caller's buffer has room for `len` units.
        unsafe { to.copy_from_nonoverlapping(units.as_ptr(), units.len()) }
    }
}
pub extern "C" fn GetStringUTFRegion(th: &Thread, s: Ref, start: i32, len: i32, to: *mut u8) {
    let vm = enter(th);
    if let Ok(units) = region(&vm, s, start, len)
        && !to.is_null()
    {
        let mut bytes = modified_utf8(&units);
        bytes.push(0);
        // SAFETY: JNI: the caller's buffer has room for the encoded region and a terminator.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) }
    }
}

/// Modified UTF-8: NUL in two bytes, each surrogate by itself in three.
pub fn modified_utf8(units: &[u16]) -> Vec<u8> {
    let mut out = Vec::with_capacity(units.len());
    for &u in units {
        match u {
            1..=0x7f => out.push(u as u8),
            0 | 0x80..=0x7ff => out.extend([0xc0 | (u >> 6) as u8, 0x80 | (u & 0x3f) as u8]),
            _ => out.extend([0xe0 | (u >> 12) as u8, 0x80 | (u >> 6 & 0x3f) as u8, 0x80 | (u & 0x3f) as u8]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn modified_utf8_differs_from_utf8_where_it_must() {
        assert_eq!(
            super::modified_utf8(&[0, b'a' as u16, 0xe9, 0x20ac]),
            [0xc0, 0x80, b'a', 0xc3, 0xa9, 0xe2, 0x82, 0xac]
        );
        assert_eq!(super::modified_utf8(&[0xd83d, 0xde00]), [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
    }
}
