//! Memory, storage, properties, phase, timers, extensions, error names.
use super::capabilities::can;
use super::environment::Env;
use super::{allocate, code, error, give, give_text, in_vm, live_thread, new_text};
use crate::env::{Out, Ref, Text};
use crate::jni::table::{SLOTS, TABLE};
use concord_base::log;
use concord_base::options;
use concord_contract::Thread;
use concord_runtime::threads;
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// The life of the VM as agents see it.
pub mod life {
    pub const ON_LOAD: i32 = 1;
    /// Agents are loaded, the class library is not up.
    pub const PRIMORDIAL: i32 = 2;
    pub const START: i32 = 6;
    pub const LIVE: i32 = 4;
    pub const DEAD: i32 = 8;
}
static PHASE: AtomicI32 = AtomicI32::new(life::ON_LOAD);

pub fn set_phase(p: i32) {
    PHASE.store(p, Ordering::Release);
}
pub fn current_phase() -> i32 {
    PHASE.load(Ordering::Acquire)
}
/// JNI can be used, though the class library is not up.
static JNI_IS_UP: AtomicBool = AtomicBool::new(false);

/// From now on those that asked to start early are in the start phase.
pub fn jni_is_up() {
    JNI_IS_UP.store(true, Ordering::Release);
}
/// The phase as an environment sees it.
pub fn phase_of(e: &Env) -> i32 {
    match current_phase() {
        life::PRIMORDIAL if e.has(can::EARLY_VM_START) && JNI_IS_UP.load(Ordering::Acquire) => life::START,
        p => p,
    }
}

pub extern "C" fn phase(e: &Env, out: Out<i32>) -> i32 {
    out.set(phase_of(e));
    error::NONE
}
pub extern "C" fn version(_e: &Env, out: Out<i32>) -> i32 {
    out.set(0x3011_0000);
    error::NONE
}
pub extern "C" fn allocate_bytes(_e: &Env, size: i64, out: Out<*mut c_void>) -> i32 {
    if size < 0 {
        return error::ILLEGAL_ARGUMENT;
    }
    code(allocate(size as usize).map(|p| out.set(p)))
}
pub extern "C" fn deallocate(_e: &Env, p: *mut c_void) -> i32 {
    // SAFETY: the specification: null or memory of Allocate or of a function that says so.
    unsafe { libc::free(p) };
    error::NONE
}
pub extern "C" fn get_storage(e: &Env, out: Out<*mut ()>) -> i32 {
    out.set(e.storage.load(Ordering::Acquire));
    error::NONE
}
pub extern "C" fn set_storage(e: &Env, p: *mut ()) -> i32 {
    e.storage.store(p, Ordering::Release);
    error::NONE
}
/// Whose storage is meant: null is the calling thread, which has one before it has an object.
fn storage_owner(th: &Thread, thread: Ref) -> Result<u64, i32> {
    if thread.raw().is_null() {
        return Ok(th.id.get());
    }
    let o = live_thread(th, thread)?;
    Ok(threads::block_of(o).map_or(0, |t| t.id.get()))
}
pub extern "C" fn get_thread_storage(e: &Env, thread: Ref, out: Out<usize>) -> i32 {
    in_vm(|vm| {
        let id = storage_owner(vm.th, thread)?;
        out.set(e.thread_storage.lock().expect("thread storage").get(&id).copied().unwrap_or(0));
        Ok(())
    })
}
pub extern "C" fn set_thread_storage(e: &Env, thread: Ref, value: usize) -> i32 {
    in_vm(|vm| {
        let id = storage_owner(vm.th, thread)?;
        e.thread_storage.lock().expect("thread storage").insert(id, value);
        Ok(())
    })
}

pub extern "C" fn properties(_e: &Env, count: Out<i32>, out: Out<*mut *mut c_char>) -> i32 {
    let all = || {
        let names: Result<Vec<*mut c_char>, i32> =
            options::get().properties.iter().map(|p| new_text(p.0.as_bytes())).collect();
        give(count, out, &names?)
    };
    code(all())
}
pub extern "C" fn property(_e: &Env, name: Text, out: Out<*mut c_char>) -> i32 {
    match options::get().property(&name.lossy()) {
        Some(v) => code(give_text(out, Some(v.as_bytes()))),
        None => error::NOT_AVAILABLE,
    }
}
pub extern "C" fn set_property(_e: &Env, name: Text, value: Text) -> i32 {
    let (name, value) = (name.lossy(), value.lossy());
    options::change(|o| o.set_property(&name, value.clone()));
    error::NONE
}

/// jvmtiTimerInfo.
#[repr(C)]
pub struct TimerInfo {
    max: i64,
    forward: u8,
    backward: u8,
    kind: i32,
    reserved: [i64; 2],
}
pub extern "C" fn cpu_timer_info(_e: &Env, out: Out<TimerInfo>) -> i32 {
    // User and system time together.
    out.set(TimerInfo { max: i64::MAX, forward: 0, backward: 0, kind: 32, reserved: [0; 2] });
    error::NONE
}
pub extern "C" fn timer_info(_e: &Env, out: Out<TimerInfo>) -> i32 {
    // Elapsed time.
    out.set(TimerInfo { max: i64::MAX, forward: 0, backward: 0, kind: 30, reserved: [0; 2] });
    error::NONE
}
pub extern "C" fn time(_e: &Env, out: Out<i64>) -> i32 {
    out.set(concord_runtime::vm_natives::object::nano_time());
    error::NONE
}
pub extern "C" fn current_cpu_time(e: &Env, out: Out<i64>) -> i32 {
    if Thread::current_opt().is_some() {
        return cpu_time(e, Ref::NULL, out);
    }
    // A collector's thread.
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place for the answer.
    if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut t) } != 0 {
        return error::INTERNAL;
    }
    out.set(t.tv_sec * 1_000_000_000 + t.tv_nsec);
    error::NONE
}
pub extern "C" fn cpu_time(_e: &Env, thread: Ref, out: Out<i64>) -> i32 {
    in_vm(|vm| {
        let o = live_thread(vm.th, thread)?;
        let Some(t) = threads::block_of(o) else { return Err(error::THREAD_NOT_ALIVE) };
        out.set(threads::observe::cpu_time(t.os_tid.get(), false).ok_or(error::INTERNAL)?);
        Ok(())
    })
}
pub extern "C" fn processors(_e: &Env, out: Out<i32>) -> i32 {
    out.set(concord_runtime::vm_natives::object::available_processors());
    error::NONE
}
pub extern "C" fn location_format(_e: &Env, out: Out<i32>) -> i32 {
    // Byte offsets.
    out.set(1);
    error::NONE
}
pub extern "C" fn extension_functions(_e: &Env, count: Out<i32>, out: Out<*mut c_void>) -> i32 {
    count.set(0);
    out.set(std::ptr::null_mut());
    error::NONE
}
pub extern "C" fn extension_events(_e: &Env, count: Out<i32>, out: Out<*mut c_void>) -> i32 {
    count.set(0);
    out.set(std::ptr::null_mut());
    error::NONE
}
pub extern "C" fn set_extension_callback(_e: &Env, _event: i32, _f: usize) -> i32 {
    error::ILLEGAL_ARGUMENT
}
/// There is nothing to generate: no code is compiled that an agent could have missed.
/// Nothing is generated: the events of compiled methods need a capability that is not offered, and none are sent of other code.
pub extern "C" fn jni_table(_e: &Env, out: Out<*const ()>) -> i32 {
    let copy = || {
        let functions = TABLE.functions();
        let p = allocate(size_of_val(&functions))?;
        // SAFETY: fresh memory of that size.
        unsafe { p.cast::<[*mut (); SLOTS]>().write(functions) };
        out.set(p.cast_const().cast());
        Ok(())
    };
    code(copy())
}
/// # Safety
/// `functions` is null or a table of JNI functions.
pub unsafe extern "C" fn set_jni_table(_e: &Env, functions: *const [*mut (); SLOTS]) -> i32 {
    if functions.is_null() {
        return error::NULL_POINTER;
    }
    // SAFETY: by the caller's promise.
    TABLE.replace(unsafe { &*functions });
    error::NONE
}
pub extern "C" fn set_verbose(_e: &Env, flag: i32, on: u8) -> i32 {
    let tag = match flag {
        1 => "gc",
        2 => "class+load",
        4 => "jni+resolve",
        0 => return error::NONE,
        _ => return error::ILLEGAL_ARGUMENT,
    };
    let level = if on != 0 { "info" } else { "warning" };
    match log::configure(&format!("{tag}={level}")) {
        Ok(()) => error::NONE,
        Err(_) => error::INTERNAL,
    }
}

const NAMES: &[(i32, &str)] = &[
    (0, "NONE"),
    (10, "INVALID_THREAD"),
    (11, "INVALID_THREAD_GROUP"),
    (12, "INVALID_PRIORITY"),
    (13, "THREAD_NOT_SUSPENDED"),
    (14, "THREAD_SUSPENDED"),
    (15, "THREAD_NOT_ALIVE"),
    (20, "INVALID_OBJECT"),
    (21, "INVALID_CLASS"),
    (22, "CLASS_NOT_PREPARED"),
    (23, "INVALID_METHODID"),
    (24, "INVALID_LOCATION"),
    (25, "INVALID_FIELDID"),
    (26, "INVALID_MODULE"),
    (31, "NO_MORE_FRAMES"),
    (32, "OPAQUE_FRAME"),
    (34, "TYPE_MISMATCH"),
    (35, "INVALID_SLOT"),
    (40, "DUPLICATE"),
    (41, "NOT_FOUND"),
    (50, "INVALID_MONITOR"),
    (51, "NOT_MONITOR_OWNER"),
    (52, "INTERRUPT"),
    (60, "INVALID_CLASS_FORMAT"),
    (61, "CIRCULAR_CLASS_DEFINITION"),
    (62, "FAILS_VERIFICATION"),
    (63, "UNSUPPORTED_REDEFINITION_METHOD_ADDED"),
    (64, "UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED"),
    (65, "INVALID_TYPESTATE"),
    (66, "UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED"),
    (67, "UNSUPPORTED_REDEFINITION_METHOD_DELETED"),
    (68, "UNSUPPORTED_VERSION"),
    (69, "NAMES_DONT_MATCH"),
    (70, "UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED"),
    (71, "UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED"),
    (72, "UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED"),
    (79, "UNMODIFIABLE_CLASS"),
    (80, "UNMODIFIABLE_MODULE"),
    (98, "NOT_AVAILABLE"),
    (99, "MUST_POSSESS_CAPABILITY"),
    (100, "NULL_POINTER"),
    (101, "ABSENT_INFORMATION"),
    (102, "INVALID_EVENT_TYPE"),
    (103, "ILLEGAL_ARGUMENT"),
    (104, "NATIVE_METHOD"),
    (106, "CLASS_LOADER_UNSUPPORTED"),
    (110, "OUT_OF_MEMORY"),
    (111, "ACCESS_DENIED"),
    (112, "WRONG_PHASE"),
    (113, "INTERNAL"),
    (115, "UNATTACHED_THREAD"),
    (116, "INVALID_ENVIRONMENT"),
];
pub extern "C" fn error_name(_e: &Env, number: i32, out: Out<*mut c_char>) -> i32 {
    match NAMES.iter().find(|n| n.0 == number) {
        Some((_, n)) => code(give_text(out, Some(format!("JVMTI_ERROR_{n}").as_bytes()))),
        None => error::ILLEGAL_ARGUMENT,
    }
}

/// Before the VM runs, functions may be called by a thread that is not attached.
pub fn is_attached() -> bool {
    Thread::current_opt().is_some()
}
