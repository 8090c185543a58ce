//! Properties, memory, the end of the process, native libraries.
use super::jvm;
use crate::env::{Ref, enter};
use concord_base::options;
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::vm_natives::object;
use concord_runtime::{arrays, call, exceptions, handles, known, strings};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Condvar, Mutex};

fn text_array(th: &Thread, class: concord_contract::ClassRef, texts: &[&str]) -> JResult<Obj> {
    let scope = handles::Scope::new(th);
    let a = scope.handle(arrays::new_ref_array(th, class, texts.len())?);
    for (i, t) in texts.iter().enumerate() {
        let s = strings::new_str(th, t)?;
        arrays::set_ref(a.get(), i, s);
    }
    Ok(a.get())
}

jvm! {
    JVM_GetProperties(th) -> obj {
        let all: Vec<&str> = options::get().properties.iter().flat_map(|(k, v)| [k.as_str(), v.as_str()]).collect();
        text_array(th, known::classes().string, &all)
    }
    JVM_GetVmArguments(th) -> obj {
        let all: Vec<&str> = options::get().vm_arguments.iter().map(String::as_str).collect();
        text_array(th, known::classes().string, &all)
    }
    JVM_InitAgentProperties(th, properties: Ref) -> obj {
        let o = options::get();
        let args = o.vm_arguments.join(" ");
        let flags = o.vm_flags().join(" ");
        let command = o.property("sun.java.command").unwrap_or("");
        for (k, v) in [("sun.jvm.args", args.as_str()), ("sun.jvm.flags", flags.as_str()), ("sun.java.command", command)] {
            let scope = handles::Scope::new(th);
            let k = scope.handle(strings::new_str(th, k)?);
            let v = strings::new_str(th, v)?;
            let desc = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            call::call_virtual(th, properties.get(), "put", desc, &[k.get().addr() as u64, v.addr() as u64])?;
        }
        Ok(properties.get())
    }
    JVM_GetTemporaryDirectory(th) -> obj { strings::new_str(th, "/tmp") }
}

fn current() -> &'static Thread {
    match Thread::current_opt() {
        Some(th) => th,
        None => crate::env::fatal_misuse("a function for Java threads was called by another thread"),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn JVM_ActiveProcessorCount() -> i32 {
    concord_base::count_symbol!("JVM_ActiveProcessorCount");
    object::available_processors()
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_GC() {
    concord_base::count_symbol!("JVM_GC");
    let vm = enter(current());
    object::gc(vm.th);
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_TotalMemory() -> i64 {
    concord_base::count_symbol!("JVM_TotalMemory");
    concord_heap::total_memory() as i64
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_FreeMemory() -> i64 {
    concord_base::count_symbol!("JVM_FreeMemory");
    concord_heap::free_memory() as i64
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_MaxMemory() -> i64 {
    concord_base::count_symbol!("JVM_MaxMemory");
    concord_heap::max_memory() as i64
}
/// Milliseconds since the last full collection: since there is no periodic one, since the start.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_MaxObjectInspectionAge() -> i64 {
    concord_base::count_symbol!("JVM_MaxObjectInspectionAge");
    concord_base::log::uptime().as_millis() as i64
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_SupportsCX8() -> u8 {
    concord_base::count_symbol!("JVM_SupportsCX8");
    1
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_IsUseContainerSupport() -> u8 {
    concord_base::count_symbol!("JVM_IsUseContainerSupport");
    1
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_IsSupportedJNIVersion(version: i32) -> u8 {
    concord_base::count_symbol!("JVM_IsSupportedJNIVersion");
    u8::from(matches!(version, 0x10001 | 0x10002 | 0x10004 | 0x10006 | 0x10008 | 0x90000 | 0xa0000))
}

/// Shutdown.beforeHalt: what must be on record before the process may end.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_BeforeHalt() {
    let vm = enter(current());
    concord_base::count_symbol!("JVM_Halt");
    crate::invocation::before_end(vm.th);
}
/// Ends the process. The world stops first: destructors of libraries must not run beside Java.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_Halt(code: c_int) -> ! {
    let _vm = enter(current());
    concord_runtime::statistics::print();
    concord_safepoint::stop_the_world("Halt", |_stopped| {
        crate::invocation::exiting();
        let hook = options::get().hooks.exit;
        if hook != 0 {
            // SAFETY: the embedding program gave the address of a function of this type.
            let f = unsafe { std::mem::transmute::<usize, extern "C" fn(c_int)>(hook) };
            f(code);
        }
        // SAFETY: ends the process; other threads are stopped.
        unsafe { libc::exit(code) }
    })
}

/// Loads a library; the caller is in native state and stays there, since initializers may take
/// long and call back.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_LoadLibrary(name: *const c_char, throw: u8) -> *mut c_void {
    concord_base::count_symbol!("JVM_LoadLibrary");
    // SAFETY: a NUL-terminated path; its initializers are the library's business.
    let handle = unsafe { libc::dlopen(name, libc::RTLD_LAZY) };
    if handle.is_null() && throw != 0 {
        // SAFETY: dlerror gives null or a NUL-terminated string of this thread's last failure.
        let why = unsafe {
            let e = libc::dlerror();
            if e.is_null() { String::from("unknown reason") } else { CStr::from_ptr(e).to_string_lossy().into_owned() }
        };
        // SAFETY: as above.
        let path = unsafe { CStr::from_ptr(name) }.to_string_lossy();
        let vm = enter(current());
        let _thrown: JResult<()> =
            exceptions::throw(vm.th, "java/lang/UnsatisfiedLinkError", &format!("{path}: {why}"));
    }
    handle
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_UnloadLibrary(handle: *mut c_void) {
    concord_base::count_symbol!("JVM_UnloadLibrary");
    // SAFETY: a handle of JVM_LoadLibrary. A failure leaves the library loaded.
    unsafe { libc::dlclose(handle) };
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_FindLibraryEntry(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    concord_base::count_symbol!("JVM_FindLibraryEntry");
    // SAFETY: a handle of JVM_LoadLibrary or RTLD_DEFAULT, and a NUL-terminated name.
    unsafe { libc::dlsym(handle, name) }
}
/// Paths need no conversion on Linux.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_NativePath(path: *mut c_char) -> *mut c_char {
    concord_base::count_symbol!("JVM_NativePath");
    path
}

/// A lock of libzip's: recursive locking is not asked for.
#[derive(Default)]
pub struct RawMonitor {
    held: Mutex<bool>,
    freed: Condvar,
}
impl RawMonitor {
    fn enter(&self) {
        let mut held = self.held.lock().expect("raw monitor");
        while *held {
            held = self.freed.wait(held).expect("raw monitor");
        }
        *held = true;
    }
    fn exit(&self) {
        *self.held.lock().expect("raw monitor") = false;
        self.freed.notify_one();
    }
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_RawMonitorCreate() -> *mut RawMonitor {
    concord_base::count_symbol!("JVM_RawMonitorCreate");
    Box::into_raw(Box::default())
}
/// # Safety
/// `m` came from `JVM_RawMonitorCreate` and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_RawMonitorDestroy(m: *mut RawMonitor) {
    concord_base::count_symbol!("JVM_RawMonitorDestroy");
    // SAFETY: by the caller's promise.
    drop(unsafe { Box::from_raw(m) });
}
/// # Safety
/// `m` came from `JVM_RawMonitorCreate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_RawMonitorEnter(m: *mut RawMonitor) -> i32 {
    concord_base::count_symbol!("JVM_RawMonitorEnter");
    // SAFETY: by the caller's promise.
    unsafe { (*m).enter() };
    0
}
/// # Safety
/// `m` came from `JVM_RawMonitorCreate`, and the caller entered it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_RawMonitorExit(m: *mut RawMonitor) {
    concord_base::count_symbol!("JVM_RawMonitorExit");
    // SAFETY: by the caller's promise.
    unsafe { (*m).exit() };
}
