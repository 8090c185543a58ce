//! Calling C functions: `ProgrammableInvoker`.
//!
//! Invariant: the C function runs in state `Native` with a frame of local references of its own, as a native method does,
//! and [`invoke_native`] is back in state `InVm` with that frame closed. All registers for arguments are loaded, used or
//! not; rax among them, so a variadic function finds in al what the class library has put there.
use super::abi::{self, Buffer};
use crate::exceptions;
use crate::native::check;
use crate::vm_natives::args::{Args, long, void};
use crate::vm_natives::{Row, rows};
use concord_contract::{JResult, Thread, Thrown};
use std::arch::naked_asm;
use std::mem::offset_of;

pub static PROGRAMMABLE_INVOKER: &[Row] = rows! {
    "registerNatives" "()V" = register_natives;
    "generateAdapter" "(Ljdk/internal/foreign/abi/ABIDescriptor;Ljdk/internal/foreign/abi/BufferLayout;)J" = generate_adapter;
    "invokeNative" "(JJ)V" = invoke_native;
};

/// Native stack that a C function finds below its arguments.
const RESERVE: usize = 64 << 10;

fn register_natives(_: &Thread, _: Args) -> JResult<u64> {
    void()
}

/// There is one adapter for all that [`abi::check`] accepts.
fn generate_adapter(th: &Thread, a: Args) -> JResult<u64> {
    abi::check(th, a.obj(0), Some(a.obj(1)))?;
    long(enter as *const () as i64)
}

/// The first argument is the adapter, which is [`enter`].
fn invoke_native(th: &Thread, a: Args) -> JResult<u64> {
    let buffer = a.long(2) as *mut Buffer;
    let here = &raw const buffer as usize;
    // SAFETY: the class library passes a buffer of a layout that `check` has seen.
    let stack = unsafe { (*buffer).stack_bytes } as usize;
    if here.saturating_sub(th.native_limit.get()) < stack.saturating_add(RESERVE) {
        return exceptions::throw_no_msg(th, "java/lang/StackOverflowError");
    }
    let saved = th.push_handles();
    let checked = check::Call::begin(th);
    concord_safepoint::to_native(th);
    // SAFETY: the buffer holds the arguments that the caller's FunctionDescriptor describes; that the function is of
    // this type is the program's word (`--enable-native-access`). There is room for the arguments on the stack.
    unsafe { enter(buffer) };
    concord_safepoint::to_vm(th);
    drop(checked);
    th.pop_handles(saved);
    if th.has_exception() { Err(Thrown) } else { void() }
}

/// Calls the function of a buffer with its registers and stack, and stores the registers of results.
///
/// # Safety
/// The function may be called with these arguments; the stack has room for those in memory.
#[unsafe(naked)]
unsafe extern "C" fn enter(buffer: *mut Buffer) {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        ".cfi_offset rbx, -24",
        "sub rsp, 8",
        "mov rbx, rdi",
        // The arguments in memory, at the lower end of an aligned piece.
        "mov rcx, [rbx + {stack_bytes}]",
        "mov rsi, [rbx + {stack}]",
        "lea rax, [rcx + 15]",
        "and rax, -16",
        "sub rsp, rax",
        "mov rdi, rsp",
        "shr rcx, 3",
        "rep movsq",
        "movups xmm0, [rbx + {vectors}]",
        "movups xmm1, [rbx + {vectors} + 16]",
        "movups xmm2, [rbx + {vectors} + 32]",
        "movups xmm3, [rbx + {vectors} + 48]",
        "movups xmm4, [rbx + {vectors} + 64]",
        "movups xmm5, [rbx + {vectors} + 80]",
        "movups xmm6, [rbx + {vectors} + 96]",
        "movups xmm7, [rbx + {vectors} + 112]",
        "mov rdi, [rbx + {integers}]",
        "mov rsi, [rbx + {integers} + 8]",
        "mov rdx, [rbx + {integers} + 16]",
        "mov rcx, [rbx + {integers} + 24]",
        "mov r8, [rbx + {integers} + 32]",
        "mov r9, [rbx + {integers} + 40]",
        "mov rax, [rbx + {integers} + 48]",
        "call qword ptr [rbx + {function}]",
        "mov [rbx + {integer_results}], rax",
        "mov [rbx + {integer_results} + 8], rdx",
        "movups [rbx + {vector_results}], xmm0",
        "movups [rbx + {vector_results} + 16], xmm1",
        "lea rsp, [rbp - 8]",
        "pop rbx",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        function = const offset_of!(Buffer, function),
        stack_bytes = const offset_of!(Buffer, stack_bytes),
        stack = const offset_of!(Buffer, stack),
        integers = const offset_of!(Buffer, integers),
        vectors = const offset_of!(Buffer, vectors),
        integer_results = const offset_of!(Buffer, integer_results),
        vector_results = const offset_of!(Buffer, vector_results),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weighs 6 integers and 8 doubles in registers and one integer, one float in memory.
    extern "C" fn weigh(
        a: i64,
        b: i64,
        c: i64,
        d: i64,
        e: i64,
        f: i64,
        g: f64,
        h: f64,
        i: f64,
        j: f64,
        k: f64,
        l: f64,
        m: f64,
        n: f64,
        o: i16,
        p: f32,
    ) -> f64 {
        let ints = [a, b, c, d, e, f, o as i64].map(|v| v as f64);
        let floats = [g, h, i, j, k, l, m, n, p as f64];
        ints.iter().chain(&floats).enumerate().map(|(at, v)| v * (at + 1) as f64).sum()
    }

    #[test]
    fn registers_and_memory_reach_the_function() {
        let stack = [-9i16 as u16 as u64, 0.5f32.to_bits() as u64, 0];
        for words in [2, 3] {
            let mut b = Buffer {
                function: weigh as *const () as u64,
                stack_bytes: 8 * words,
                stack: stack.as_ptr() as u64,
                integers: [1, 2, 3, 4, 5, -6i64 as u64, 8],
                vectors: std::array::from_fn(|i| [(i as f64 + 0.25).to_bits(), 0]),
                integer_results: [0; 2],
                vector_results: [[0; 2]; 2],
                x87_results: [[0; 2]; 2],
            };
            // SAFETY: the arguments are those of `weigh`.
            unsafe { enter(&mut b) };
            let want = weigh(1, 2, 3, 4, 5, -6, 0.25, 1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25, -9, 0.5);
            assert_eq!(f64::from_bits(b.vector_results[0][0]), want);
        }
    }

    #[repr(C)]
    struct Two(u64, u64);
    extern "C" fn two(a: u64) -> Two {
        Two(a + 1, a + 2)
    }

    #[test]
    fn both_integer_results_are_stored() {
        let mut b = Buffer {
            function: two as *const () as u64,
            stack_bytes: 0,
            stack: 0,
            integers: [40, 0, 0, 0, 0, 0, 0],
            vectors: [[0; 2]; 8],
            integer_results: [0; 2],
            vector_results: [[0; 2]; 2],
            x87_results: [[0; 2]; 2],
        };
        // SAFETY: `two` has one argument.
        unsafe { enter(&mut b) };
        assert_eq!(b.integer_results, [41, 42]);
    }
}
