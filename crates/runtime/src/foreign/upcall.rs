//! From C code into Java and back.
//!
//! Invariant: [`run`] begins and ends in the state in which the C code ran, with no local reference and no pending exception
//! of the upcall's left. A thread that the VM does not know is attached for this one upcall and detached at its end, as in
//! HotSpot; it keeps the VM alive meanwhile.
//!
//! There is nobody to throw to. An exception that a handle lets out whose arguments are in registers ends the process; one
//! that comes by way of a buffer is dropped, and C code gets a result of zeros. So does HotSpot, but for the zeros. Both are
//! for what the class library lets through: of an upcall without a result it prints the exception itself, and exits.
use super::abi::Buffer;
use super::stubs::{Stub, Way};
use crate::handles::{self, Scope};
use crate::threads::{self, AttachArgs};
use crate::{allocations, call, exceptions, known, methodhandles, native, stackwalk};
use concord_base::{bug, vm_log};
use concord_contract::thread::ThreadState;
use concord_contract::{BasicType, JResult, Obj, Thread};
use std::arch::naked_asm;
use std::mem::{offset_of, size_of};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Slots of a handle and an argument of two slots in each of 7 and 8 registers.
const SLOTS: usize = 1 + 2 * (7 + 8);

/// Where all thunks lead: called by C code like the function that it believes to call, r10 with the address of the
/// thunk's word.
///
/// # Safety
/// By a thunk only.
#[unsafe(naked)]
pub unsafe extern "C" fn enter() {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "sub rsp, {size}",
        "mov [rsp + {integers}], rdi",
        "mov [rsp + {integers} + 8], rsi",
        "mov [rsp + {integers} + 16], rdx",
        "mov [rsp + {integers} + 24], rcx",
        "mov [rsp + {integers} + 32], r8",
        "mov [rsp + {integers} + 40], r9",
        "mov [rsp + {integers} + 48], rax",
        "movaps [rsp + {vectors}], xmm0",
        "movaps [rsp + {vectors} + 16], xmm1",
        "movaps [rsp + {vectors} + 32], xmm2",
        "movaps [rsp + {vectors} + 48], xmm3",
        "movaps [rsp + {vectors} + 64], xmm4",
        "movaps [rsp + {vectors} + 80], xmm5",
        "movaps [rsp + {vectors} + 96], xmm6",
        "movaps [rsp + {vectors} + 112], xmm7",
        "xorps xmm0, xmm0",
        "movaps [rsp + {integer_results}], xmm0",
        "movaps [rsp + {vector_results}], xmm0",
        "movaps [rsp + {vector_results} + 16], xmm0",
        "movaps [rsp + {x87_results}], xmm0",
        "movaps [rsp + {x87_results} + 16], xmm0",
        "mov qword ptr [rsp + {function}], 0",
        "mov qword ptr [rsp + {stack_bytes}], 0",
        "lea rax, [rbp + 16]",
        "mov [rsp + {stack}], rax",
        "mov rdi, r10",
        "mov rsi, rsp",
        "call {run}",
        "mov rax, [rsp + {integer_results}]",
        "mov rdx, [rsp + {integer_results} + 8]",
        "movaps xmm0, [rsp + {vector_results}]",
        "movaps xmm1, [rsp + {vector_results} + 16]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        size = const size_of::<Buffer>(),
        function = const offset_of!(Buffer, function),
        stack_bytes = const offset_of!(Buffer, stack_bytes),
        stack = const offset_of!(Buffer, stack),
        integers = const offset_of!(Buffer, integers),
        vectors = const offset_of!(Buffer, vectors),
        integer_results = const offset_of!(Buffer, integer_results),
        vector_results = const offset_of!(Buffer, vector_results),
        x87_results = const offset_of!(Buffer, x87_results),
        run = sym run,
    )
}

/// One upcall.
extern "C" fn run(word: &AtomicPtr<Stub>, buffer: &mut Buffer) {
    if let Some(th) = Thread::current_opt() {
        // Inside a critical region the thread is in the VM already.
        let was_native = th.state() == ThreadState::Native;
        if was_native {
            concord_safepoint::to_vm(th);
        }
        call_java(th, word, buffer);
        allocations::tell(th);
        if was_native {
            concord_safepoint::to_native(th);
        }
        return;
    }
    let args = AttachArgs { name: None, group: std::ptr::null_mut(), daemon: false };
    match threads::attach_current(args) {
        Ok(th) => {
            call_java(th, word, buffer);
            threads::detach_current(th);
        }
        Err(message) => bug!("the thread of an upcall cannot be attached: {message}"),
    }
}

/// Calls what the word stands for, with a pending exception put aside, and stores the result.
fn call_java(th: &Thread, word: &AtomicPtr<Stub>, buffer: &mut Buffer) {
    // SAFETY: a stub that is in use is not freed before its thunk. It may be during the call, so nothing of it is used
    // after the call.
    let Some(stub) = (unsafe { word.load(Ordering::Acquire).as_ref() }) else {
        bug!("an upcall stub is called that was freed");
    };
    let scope = Scope::new(th);
    let aside = th.has_exception().then(|| scope.handle(th.take_exception()));
    // SAFETY: the global reference of a stub that is in use.
    let handle = unsafe { handles::resolve(stub.handle) };
    match &stub.way {
        Way::Buffer(invoke) => {
            let args = [handle.addr() as u64, buffer as *mut Buffer as u64, 0];
            if call::invoke(th, invoke, &args).is_err() {
                let e = th.take_exception();
                vm_log!(Exceptions, Info, "An upcall has dropped {}", exceptions::describe(e));
            }
        }
        Way::Registers(arguments, result) => {
            let result = *result;
            let mut slots = [0; SLOTS];
            slots[0] = handle.addr() as u64;
            let mut n = 1;
            for (register, ty) in arguments {
                slots[n] = native::normalise(*ty, [buffer.argument(*register); 2]);
                n += ty.slots();
            }
            match invoke_handle(th, handle, &slots[..n]) {
                Ok(v) if matches!(result, BasicType::Float | BasicType::Double) => buffer.vector_results[0][0] = v,
                Ok(v) => buffer.integer_results[0] = v,
                Err(_) => uncaught(th),
            }
        }
    }
    if let Some(e) = aside {
        th.exception.set(e.get());
    }
}

/// Calls the form of a method handle, which is the first argument.
fn invoke_handle(th: &Thread, handle: Obj, slots: &[u64]) -> JResult<u64> {
    let o = known::offsets();
    match methodhandles::target(handle.get_ref(o.mh_form).get_ref(o.form_vmentry)) {
        Some(m) => call::invoke(th, m, slots),
        None => bug!("the method handle of an upcall has no entry point"),
    }
}

/// Ends the process for an exception that C code cannot get.
#[cold]
fn uncaught(th: &Thread) -> ! {
    let e = th.take_exception();
    concord_base::out!("Uncaught exception:\n{}\n{}", exceptions::describe(e), stackwalk::stack_trace_text(e));
    bug!("an exception in an upcall was not caught: {}", exceptions::describe(e))
}
