//! Threads that come to the VM and leave it.
//!
//! Invariant: a thread has one block from its attachment to its detachment; none comes before the VM
//! runs or after its end, and none leaves under its own Java frames.
use super::{JavaVm, LIFE, life};
use crate::env::{Out, Ref};
use crate::jni::{self, JNI_EDETACHED, JNI_ERR, JNI_EVERSION, JNI_OK};
use crate::jvmti;
use concord_base::vm_log;
use concord_contract::Thread;
use concord_runtime::threads::{self, AttachArgs};
use std::ffi::{CStr, c_char};
use std::sync::atomic::Ordering;

/// JavaVMAttachArgs.
#[repr(C)]
pub(super) struct AttachRequest {
    version: i32,
    name: *const c_char,
    group: Ref,
}

fn attach_as(daemon: bool, env: Out<*const Thread>, request: *const AttachRequest) -> i32 {
    let attached = Thread::current_opt();
    match LIFE.load(Ordering::Acquire) {
        life::STARTING | life::RUNNING | life::EXITING if let Some(th) = attached => {
            env.set(th);
            return JNI_OK;
        }
        life::RUNNING => {}
        _ => return JNI_ERR,
    }
    let mut args = AttachArgs { name: None, group: std::ptr::null_mut(), daemon };
    if !request.is_null() {
        // SAFETY: JNI: null or a JavaVMAttachArgs.
        let request = unsafe { &*request };
        if !jni::version_exists(request.version) || request.version == 0x0001_0001 {
            return JNI_EVERSION;
        }
        if !request.name.is_null() {
            // SAFETY: JNI: null or a NUL-terminated string.
            args.name = Some(unsafe { CStr::from_ptr(request.name) }.to_string_lossy().into_owned());
        }
        args.group = request.group.raw();
    }
    match threads::attach_current(args) {
        Ok(th) => {
            env.set(th);
            concord_safepoint::to_native(th);
            JNI_OK
        }
        Err(message) => {
            vm_log!(OsThread, Warning, "Attaching a thread failed: {message}");
            JNI_ERR
        }
    }
}
pub(super) extern "C" fn attach(_vm: &JavaVm, env: Out<*const Thread>, request: *const AttachRequest) -> i32 {
    attach_as(false, env, request)
}
pub(super) extern "C" fn attach_daemon(_vm: &JavaVm, env: Out<*const Thread>, request: *const AttachRequest) -> i32 {
    attach_as(true, env, request)
}

pub(super) extern "C" fn detach(_vm: &JavaVm) -> i32 {
    if concord_safepoint::is_over() {
        return JNI_ERR;
    }
    let Some(th) = Thread::current_opt() else {
        return if LIFE.load(Ordering::Acquire) == life::EXITING { JNI_ERR } else { JNI_OK };
    };
    if !th.fp.get().is_null() {
        // Java frames are on the stack: the caller is inside a native method.
        return JNI_ERR;
    }
    concord_safepoint::to_vm(th);
    threads::detach_current(th);
    JNI_OK
}

/// The interface version of a request for a tool environment.
fn tool_version(version: i32) -> Option<i32> {
    let known = |v: i32| matches!(v, 0x3001_0000 | 0x3001_0100 | 0x3001_0200 | 0x3009_0000 | 0x300b_0000 | 0x3011_0000);
    (version & 0x7000_0000 == 0x3000_0000 && known(version & !0xff)).then_some(version)
}

pub(super) extern "C" fn get_env(_vm: &JavaVm, env: Out<*const Thread>, version: i32) -> i32 {
    if matches!(LIFE.load(Ordering::Acquire), life::NONE | life::ENDED) {
        env.set(std::ptr::null());
        return JNI_EDETACHED;
    }
    if let Some(v) = tool_version(version) {
        let e: *const _ = jvmti::new_environment(v);
        env.set(e.cast());
        return JNI_OK;
    }
    let Some(th) = Thread::current_opt() else {
        env.set(std::ptr::null());
        return JNI_EDETACHED;
    };
    if jni::version_exists(version) {
        env.set(th);
        return JNI_OK;
    }
    env.set(std::ptr::null());
    JNI_EVERSION
}
