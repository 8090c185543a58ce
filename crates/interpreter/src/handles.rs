//! Method-handle intrinsics: `invokeBasic` and the `linkTo*` methods.
//!
//! Invariant: no frame, no allocation, no call: an intrinsic finds the target method in the
//! handle's objects and jumps to its entry with the caller's registers. Offsets of the fields
//! come from [`OFFSETS`], which the runtime fills before the first method handle exists.
use crate::dispatch::{Handler, invoke, resume};
use crate::heap;
use crate::slow::{set_anchors, thrown};
use crate::unwind::unwind;
use crate::value::{Cell, Long, Reference};
use concord_contract::Thread;
use concord_contract::entries::{self, Implicit};
use concord_contract::method::{Method, MhIntrinsic, NO_INDEX};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where the fields are that lead from a method handle to a method.
pub struct Offsets {
    /// MethodHandle.form
    pub form: AtomicU32,
    /// LambdaForm.vmentry
    pub vmentry: AtomicU32,
    /// MemberName.method
    pub method: AtomicU32,
    /// ResolvedMethodName.vmtarget: `*const Method`, 8 bytes, made by the VM.
    pub vmtarget: AtomicU32,
    /// MemberName.vmindex: 8 bytes, made by the VM; negative when the target is called directly.
    pub vmindex: AtomicU32,
}

/// Set once, by the runtime, when the classes of java.lang.invoke are laid out.
pub static OFFSETS: Offsets = Offsets {
    form: AtomicU32::new(0),
    vmentry: AtomicU32::new(0),
    method: AtomicU32::new(0),
    vmtarget: AtomicU32::new(0),
    vmindex: AtomicU32::new(0),
};

/// The entry of an intrinsic.
pub fn entry_for(i: MhIntrinsic) -> Option<Handler> {
    Some(match i {
        MhIntrinsic::None => return None,
        MhIntrinsic::InvokeBasic => invoke_basic,
        MhIntrinsic::LinkToStatic => link_to::<STATIC>,
        MhIntrinsic::LinkToSpecial => link_to::<SPECIAL>,
        MhIntrinsic::LinkToVirtual => link_to::<VIRTUAL>,
        MhIntrinsic::LinkToInterface => link_to::<INTERFACE>,
        MhIntrinsic::LinkToNative => link_to_native,
    })
}

const STATIC: u8 = 0;
const SPECIAL: u8 = 1;
const VIRTUAL: u8 = 2;
const INTERFACE: u8 = 3;

/// # Safety
/// `o` is live and has a reference field there.
#[inline(always)]
unsafe fn field(o: u64, offset: &AtomicU32) -> u64 {
    // SAFETY: by the caller's word.
    unsafe { Reference::load(o + offset.load(Ordering::Relaxed) as u64).0 }
}

/// The method behind a MemberName.
///
/// # Safety
/// `member` is a resolved MemberName of a method.
#[inline(always)]
unsafe fn target(member: u64) -> *const Method {
    // SAFETY: by the caller's word; the VM wrote `vmtarget`.
    unsafe {
        let resolved = field(member, &OFFSETS.method);
        Long::load(resolved + OFFSETS.vmtarget.load(Ordering::Relaxed) as u64) as *const Method
    }
}

/// The first argument of a call of `method`.
///
/// # Safety
/// The arguments are below `sp`, and there is one.
#[inline(always)]
unsafe fn first_argument(method: u64, sp: *mut u64) -> u64 {
    // SAFETY: by the caller's word.
    unsafe { *((sp as *const u8).sub((*(method as *const Method)).nargs_bytes as usize) as *const u64) }
}

/// The method that runs the form of a method handle.
///
/// # Safety
/// `handle` is a live MethodHandle.
#[inline(always)]
unsafe fn entry_point(handle: u64) -> *const Method {
    // SAFETY: by the caller's word; a form that can be reached has its entry point.
    unsafe { target(field(field(handle, &OFFSETS.form), &OFFSETS.vmentry)) }
}

/// `MethodHandle.invokeBasic`: the handle is the first argument.
///
/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
unsafe extern "sysv64" fn invoke_basic(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: LambdaForms reach invokeBasic with a method handle; its form has an entry point.
    unsafe {
        let handle = first_argument(method, sp);
        if handle == 0 {
            return fail(th, pc, sp, lp, fp, Implicit::NullPointer as u64, ftos);
        }
        invoke(th, pc, sp, lp, fp, entry_point(handle), ftos)
    }
}

/// `MethodHandle.linkToNative`: the first argument is the handle that makes the native call, the last is
/// its NativeEntryPoint and is dropped.
///
/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
unsafe extern "sysv64" fn link_to_native(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    method: u64,
    ftos: f64,
) {
    // SAFETY: the form of a NativeMethodHandle passes its fallback first; its form has an entry point.
    unsafe {
        let handle = first_argument(method, sp);
        if handle == 0 {
            return fail(th, pc, sp, lp, fp, Implicit::NullPointer as u64, ftos);
        }
        invoke(th, pc, sp.sub(1), lp, fp, entry_point(handle), ftos)
    }
}

/// `MethodHandle.linkTo*`: the MemberName is the last argument and is dropped.
///
/// # Safety
/// As every entry.
#[unsafe(link_section = "interp_text")]
unsafe extern "sysv64" fn link_to<const HOW: u8>(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    _method: u64,
    ftos: f64,
) {
    // SAFETY: LambdaForms reach linkTo* with a resolved MemberName as last argument.
    unsafe {
        let member = *sp.sub(1);
        if member == 0 {
            return fail(th, pc, sp, lp, fp, Implicit::NullPointer as u64, ftos);
        }
        let sp = sp.sub(1);
        let mut m = target(member);
        if HOW != STATIC {
            let receiver = *((sp as *const u8).sub((*m).nargs_bytes as usize) as *const u64);
            if receiver == 0 {
                return fail(th, pc, sp, lp, fp, Implicit::NullPointer as u64, ftos);
            }
            if HOW == VIRTUAL {
                let index = Long::load(member + OFFSETS.vmindex.load(Ordering::Relaxed) as u64);
                if index >= 0 {
                    m = heap::vtable_method(heap::class_of(receiver), index as u32);
                }
            }
            if HOW == INTERFACE {
                let index = (*m).itable_index.load(Ordering::Relaxed);
                if index != NO_INDEX {
                    m = heap::itable_method(heap::class_of(receiver), (*m).class, index);
                    if m.is_null() {
                        let what = Implicit::IncompatibleClassChange as u64;
                        return fail(th, pc, sp, lp, fp, what, ftos);
                    }
                }
            }
        }
        invoke(th, pc, sp, lp, fp, m, ftos)
    }
}

/// Throws in the caller.
///
/// # Safety
/// As every entry; `what` is an [`Implicit`].
#[cold]
#[inline(never)]
#[unsafe(link_section = "interp_cold")]
unsafe extern "sysv64" fn fail(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    what: u64,
    _ftos: f64,
) {
    // SAFETY: the anchors become the caller's at its call.
    unsafe {
        set_anchors(&*th, pc.sub(1), sp, lp, fp);
        throw(&*th, what == Implicit::NullPointer as u64);
        resume(th)
    }
}

#[inline(never)]
fn throw(th: &Thread, null: bool) {
    let what = if null { Implicit::NullPointer } else { Implicit::IncompatibleClassChange };
    let _thrown = thrown::<()>(entries::throw_implicit(th, what));
    unwind(th);
}
