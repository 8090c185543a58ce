//! Critical natives (`-XX:+CriticalJNINatives`): a second function of a native method, which gets the
//! elements of arrays instead of references and neither environment nor class.
//!
//! Invariant: only compiled code calls them, and only while the method is bound to the JNI function
//! beside which the critical one was found.
use super::mangle;
use crate::{ClassExt, MethodExt};
use concord_base::{options, vm_log};
use concord_contract::Method;
use std::ffi::CString;
use std::sync::atomic::Ordering;

/// What a critical function is given, by the letters of descriptors; an array of primitives is the
/// digit of its elements' size in bytes as a power of two. None if the method cannot have one.
pub fn arguments(m: &Method) -> Option<Box<[u8]>> {
    if !m.is_static() || m.is_synchronized() || !m.is_native() {
        return None;
    }
    let mut letters = m.descriptor.as_bytes().iter().skip(1);
    let mut kinds = Vec::new();
    loop {
        kinds.push(match letters.next()? {
            b')' => break,
            b'L' => return None,
            b'[' => match letters.next()? {
                b'Z' | b'B' => b'0',
                b'C' | b'S' => b'1',
                b'I' | b'F' => b'2',
                b'J' | b'D' => b'3',
                _ => return None,
            },
            b'Z' | b'B' | b'C' | b'S' => b'I',
            k => *k,
        });
    }
    (!matches!(letters.next()?, b'L' | b'[')).then(|| kinds.into())
}

/// Looks for the critical function of a linked method in the library of its JNI function, and binds
/// it.
pub fn link(m: &Method) -> bool {
    let function = m.native.load(Ordering::Acquire);
    if !options::get().flags.critical_jni_natives || function.is_null() {
        return false;
    }
    let info = MethodExt::info(m);
    if !info.critical.load(Ordering::Acquire).is_null() {
        return true;
    }
    let Some(name) = mangle::short(m).map(|s| s.replacen("Java_", "JavaCritical_", 1)) else { return false };
    let long = mangle::signature_suffix(m).map(|s| format!("{name}{s}"));
    let found = [Some(name), long].into_iter().flatten().find_map(|n| beside(function, &n));
    let Some(critical) = found else { return false };
    vm_log!(Jni, Debug, "[Dynamic-linking native method {}.{} ... JNI critical]", m.class.external_name(), m.name);
    info.critical.store(critical, Ordering::Release);
    true
}

/// The function `name` of the library that `function` is in.
fn beside(function: *mut (), name: &str) -> Option<*mut ()> {
    let name = CString::new(name).ok()?;
    // SAFETY: dladdr only looks the address up; the name it gives is that of a loaded library, which
    // stays while a method is bound to its function.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(function.cast(), &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        let handle = libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if handle.is_null() {
            return None;
        }
        let p = libc::dlsym(handle, name.as_ptr());
        libc::dlclose(handle);
        (!p.is_null()).then_some(p.cast())
    }
}
