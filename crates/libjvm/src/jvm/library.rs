//! Native libraries and raw monitors: what libjava and libzip ask of the system through the VM.
//!
//! Invariant: a library is opened in state `Native`, since its initializers may call anything.
use crate::jni::version_exists;
use concord_contract::{JResult, Thread};
use concord_runtime::exceptions;
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_int, c_void};

fn dl_error() -> String {
    // SAFETY: dlerror returns null or a string that is valid until the next call in this thread.
    unsafe {
        let e = libc::dlerror();
        if e.is_null() { "unknown error".into() } else { CStr::from_ptr(e).to_string_lossy().into_owned() }
    }
}

/// Opens a library; null and an UnsatisfiedLinkError with the dynamic linker's message if that
/// fails and `throw_on_failure` is set.
///
/// # Safety
/// `name` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_LoadLibrary(name: *const c_char, throw_on_failure: u8) -> *mut c_void {
    // SAFETY: the caller passes a NUL-terminated string.
    let handle = unsafe { libc::dlopen(name, libc::RTLD_LAZY) };
    if handle.is_null() {
        let why = dl_error();
        // SAFETY: as above.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        concord_base::vm_log!(Library, Info, "Failed to find library {name}: {why}");
        if throw_on_failure != 0
            && let Some(th) = Thread::current_opt()
        {
            let vm = crate::env::enter(th);
            // The dynamic linker begins its message with the name for most failures only.
            let message = if why.starts_with(&*name) { why } else { format!("{name}: {why}") };
            let _thrown: JResult<()> = exceptions::throw(vm.th, "java/lang/UnsatisfiedLinkError", &message);
        }
    }
    handle
}

/// # Safety
/// `handle` came from [`JVM_LoadLibrary`] and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_UnloadLibrary(handle: *mut c_void) {
    // SAFETY: the caller's contract.
    if unsafe { libc::dlclose(handle) } != 0 {
        concord_base::vm_log!(Library, Warning, "Closing a library failed: {}", dl_error());
    }
}

/// # Safety
/// `handle` is an open library or one of dlsym's special handles; `name` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_FindLibraryEntry(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    // SAFETY: the caller's contract.
    unsafe { libc::dlsym(handle, name) }
}

#[unsafe(no_mangle)]
pub extern "C" fn JVM_IsSupportedJNIVersion(version: c_int) -> u8 {
    version_exists(version) as u8
}

/// A path in the system's own form: on Unix it is that already.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_NativePath(path: *mut c_char) -> *mut c_char {
    path
}

/// A lock for native libraries: not reentrant, no safepoint protocol (the callers are in native).
struct RawMonitor(UnsafeCell<libc::pthread_mutex_t>);

#[unsafe(no_mangle)]
pub extern "C" fn JVM_RawMonitorCreate() -> *mut c_void {
    Box::into_raw(Box::new(RawMonitor(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER)))).cast()
}
/// # Safety
/// `m` came from [`JVM_RawMonitorCreate`], is not held and not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_RawMonitorDestroy(m: *mut c_void) {
    // SAFETY: the caller's contract.
    drop(unsafe { Box::from_raw(m.cast::<RawMonitor>()) });
}
/// # Safety
/// `m` came from [`JVM_RawMonitorCreate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_RawMonitorEnter(m: *mut c_void) -> c_int {
    // SAFETY: the caller's contract; the mutex does not move.
    unsafe { libc::pthread_mutex_lock((*m.cast::<RawMonitor>()).0.get()) }
}
/// # Safety
/// `m` came from [`JVM_RawMonitorCreate`] and is held by the caller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_RawMonitorExit(m: *mut c_void) {
    // SAFETY: the caller's contract.
    unsafe { libc::pthread_mutex_unlock((*m.cast::<RawMonitor>()).0.get()) };
}
