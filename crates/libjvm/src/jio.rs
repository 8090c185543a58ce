//! Formatted output that the JDK's libraries borrow from the VM, and what libnuma asks for.
//!
//! Invariant: the `jio_` functions return -1 when the text does not fit and always terminate it.
use crate::jni::args::VaList;
use libc::FILE;
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn vsnprintf(buf: *mut c_char, n: usize, format: *const c_char, args: *mut VaList) -> c_int;
    fn vfprintf(file: *mut FILE, format: *const c_char, args: *mut VaList) -> c_int;
    fn vprintf(format: *const c_char, args: *mut VaList) -> c_int;
}

/// # Safety
/// As C's vsnprintf.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jio_vsnprintf(buf: *mut c_char, n: usize, format: *const c_char, args: *mut VaList) -> c_int {
    if n == 0 || n > i32::MAX as usize {
        return -1;
    }
    // SAFETY: the caller's contract is vsnprintf's.
    let wanted = unsafe { vsnprintf(buf, n, format, args) };
    if wanted < 0 || wanted as usize >= n {
        // SAFETY: the buffer has `n` bytes.
        unsafe { *buf.add(n - 1) = 0 };
        return -1;
    }
    wanted
}
/// # Safety
/// As C's vfprintf.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jio_vfprintf(file: *mut FILE, format: *const c_char, args: *mut VaList) -> c_int {
    let hook = concord_base::options::get().hooks.vfprintf;
    // SAFETY: the caller's contract is vfprintf's; the hook was given as a function of its type.
    unsafe {
        if hook == 0 {
            return vfprintf(file, format, args);
        }
        type Hook = unsafe extern "C" fn(*mut FILE, *const c_char, *mut VaList) -> c_int;
        std::mem::transmute::<usize, Hook>(hook)(file, format, args)
    }
}
/// # Safety
/// As C's vprintf.
unsafe extern "C" fn jio_vprintf(format: *const c_char, args: *mut VaList) -> c_int {
    // SAFETY: the caller's contract is vprintf's.
    unsafe { vprintf(format, args) }
}

crate::variadic! {
    #[unsafe(no_mangle)] jio_snprintf -> jio_vsnprintf, 3, "rcx";
    #[unsafe(no_mangle)] jio_fprintf -> jio_vfprintf, 2, "rdx";
    #[unsafe(no_mangle)] jio_printf -> jio_vprintf, 1, "rsi";
}

/// libnuma calls these two to complain; its complaints are of no use to a VM that does not use it.
#[unsafe(no_mangle)]
pub extern "C" fn numa_warn(_number: c_int, _format: *const c_char) {}
#[unsafe(no_mangle)]
pub extern "C" fn numa_error(_text: *const c_char) {}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn truncation_is_reported_and_terminated() {
        type Snprintf = unsafe extern "C" fn(*mut c_char, usize, *const c_char, ...) -> c_int;
        // SAFETY: `jio_snprintf` has this signature.
        let f: Snprintf = unsafe { std::mem::transmute(jio_snprintf as *const ()) };
        let mut buf = [b'x' as c_char; 16];
        let text = |b: &[c_char]| b.iter().take_while(|c| **c != 0).map(|c| *c as u8 as char).collect::<String>();
        // SAFETY: formats and arguments agree; the buffer has 16 bytes.
        unsafe {
            assert_eq!(f(buf.as_mut_ptr(), 16, c"%d %s %.1f".as_ptr(), 42, c"ab".as_ptr(), 1.5f64), 9);
            assert_eq!(text(&buf), "42 ab 1.5");
            assert_eq!(f(buf.as_mut_ptr(), 4, c"%s".as_ptr(), c"abcdef".as_ptr()), -1);
            assert_eq!(text(&buf), "abc");
            assert_eq!(f(buf.as_mut_ptr(), 0, c"x".as_ptr()), -1);
        }
    }
}
