//! Finding the function of a native method (facts: contract sheet 2, lookup order).
use super::{mangle, prefixes};
use crate::{ClassExt, call, exceptions, handles, known, names, strings};
use concord_base::{options, vm_log};
use concord_contract::{JResult, MethodRef, Thread};
use std::ffi::{CStr, CString, c_void};
use std::sync::{Mutex, OnceLock};

/// `libjava.so` of the JDK, loaded on first use.
///
/// # Errors
/// The dynamic linker's message.
pub fn libjava() -> Result<*mut c_void, &'static str> {
    static HANDLE: OnceLock<Result<usize, String>> = OnceLock::new();
    let made = HANDLE.get_or_init(|| {
        let path = format!("{}/lib/libjava.so", options::get().java_home);
        let c_path = CString::new(path.as_str()).map_err(|e| format!("{path}: {e}"))?;
        // SAFETY: a NUL-terminated path; the JDK's library has no unusual constructors.
        let handle = unsafe { libc::dlopen(c_path.as_ptr(), libc::RTLD_LAZY) };
        if !handle.is_null() {
            return Ok(handle as usize);
        }
        // SAFETY: dlerror returns null or a string that is valid until the next call.
        let message = unsafe { libc::dlerror() };
        if message.is_null() {
            return Err(format!("cannot load {path}"));
        }
        // SAFETY: as above.
        Err(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
    });
    made.as_ref().map(|h| *h as *mut c_void).map_err(|e| e.as_str())
}

/// The address of a function of libjava.
pub fn find_in_libjava(name: &str) -> Option<*mut ()> {
    let handle = libjava().ok()?;
    let name = CString::new(name).ok()?;
    find_in(handle, &name)
}

fn find_in(library: *mut c_void, name: &CStr) -> Option<*mut ()> {
    // SAFETY: a loaded library and a NUL-terminated name.
    let p = unsafe { libc::dlsym(library, name.as_ptr()) };
    (!p.is_null()).then_some(p.cast())
}

/// Libraries of agents, whose functions natives of any class may be.
static AGENTS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// From now on natives that no loader has a function for are looked for in this library, too, which stays loaded.
pub fn add_agent(library: *mut c_void) {
    AGENTS.lock().expect("libraries of agents").push(library as usize);
}

fn find_in_agents(name: &str) -> Option<*mut ()> {
    let name = CString::new(name).ok()?;
    let libraries = AGENTS.lock().expect("libraries of agents").clone();
    libraries.into_iter().find_map(|l| find_in(l as *mut c_void, &name))
}

fn look_up(th: &Thread, m: MethodRef, name: &str) -> JResult<Option<*mut ()>> {
    let loader = ClassExt::loader(m.class);
    if loader.is_boot()
        && let Some(p) = find_in_libjava(name)
    {
        return Ok(Some(p));
    }
    // Libraries that Java code loaded belong to loaders; Java keeps that book.
    let scope = handles::Scope::new(th);
    let text = scope.handle(strings::new_str(th, name)?);
    let args = [loader.java.get().addr() as u64, text.get().addr() as u64];
    let p = call::invoke(th, known::methods().loader_find_native, &args)?;
    Ok(if p != 0 { Some(p as *mut ()) } else { find_in_agents(name) })
}

/// Looks up and binds the function of `m`.
#[cold]
pub(super) fn link(th: &Thread, m: MethodRef) -> JResult<*mut ()> {
    let mut found = by_name(th, m, m)?;
    if found.is_none()
        && let Some(wrapper) = prefixes::wrapper(m)
    {
        found = by_name(th, m, wrapper)?;
    }
    if let Some(p) = found {
        vm_log!(Jni, Debug, "[Dynamic-linking native method {}.{} ... JNI]", m.class.external_name(), m.name);
        return Ok(super::bind(th, m, p));
    }
    exceptions::throw(th, "java/lang/UnsatisfiedLinkError", &format!("'{}'", names::method(m)))
}

/// The function for `m` that `named` names.
fn by_name(th: &Thread, m: MethodRef, named: MethodRef) -> JResult<Option<*mut ()>> {
    let Some(short) = mangle::short(named) else { return Ok(None) };
    let found = look_up(th, m, &short)?;
    match mangle::signature_suffix(named) {
        Some(suffix) if found.is_none() => look_up(th, m, &(short + &suffix)),
        _ => Ok(found),
    }
}
