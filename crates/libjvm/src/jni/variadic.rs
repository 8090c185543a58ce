//! The C-variadic forms of the call functions.
//!
//! Invariant: each one stores the argument registers of the System V ABI where a `va_list` expects
//! them, builds that `va_list` on the stack and calls the `V` form; nothing else happens here, so
//! one macro makes them all. Stable Rust cannot define variadic functions otherwise.
use super::calls::*;

/// Makes variadic functions with `$fixed` fixed arguments, all in integer registers; the address
/// of the `va_list` goes to register `$list`, the argument behind them.
#[macro_export]
macro_rules! variadic {
    ($($(#[$attr:meta])* $name:ident -> $v:ident, $fixed:literal, $list:literal;)*) => { $(
        $(#[$attr])*
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            ::std::arch::naked_asm!(
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "sub rsp, 208",
                "mov [rsp], rdi",
                "mov [rsp + 8], rsi",
                "mov [rsp + 16], rdx",
                "mov [rsp + 24], rcx",
                "mov [rsp + 32], r8",
                "mov [rsp + 40], r9",
                "test al, al",
                "je 2f",
                "movaps [rsp + 48], xmm0",
                "movaps [rsp + 64], xmm1",
                "movaps [rsp + 80], xmm2",
                "movaps [rsp + 96], xmm3",
                "movaps [rsp + 112], xmm4",
                "movaps [rsp + 128], xmm5",
                "movaps [rsp + 144], xmm6",
                "movaps [rsp + 160], xmm7",
                "2:",
                "mov dword ptr [rsp + 176], {gp}",
                "mov dword ptr [rsp + 180], 48",
                "lea rax, [rbp + 16]",
                "mov [rsp + 184], rax",
                "mov [rsp + 192], rsp",
                concat!("lea ", $list, ", [rsp + 176]"),
                "call {v}",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                gp = const 8 * $fixed,
                v = sym $v,
            )
        }
    )* };
}

macro_rules! call_families {
    ($($call:ident $call_v:ident $nonvirtual:ident $nonvirtual_v:ident $stat:ident $stat_v:ident;)*) => {
        variadic! { $(
            $call -> $call_v, 3, "rcx";
            $nonvirtual -> $nonvirtual_v, 4, "r8";
            $stat -> $stat_v, 3, "rcx";
        )* }
    };
}

call_families! {
    CallObjectMethod CallObjectMethodV CallNonvirtualObjectMethod CallNonvirtualObjectMethodV CallStaticObjectMethod CallStaticObjectMethodV;
    CallBooleanMethod CallBooleanMethodV CallNonvirtualBooleanMethod CallNonvirtualBooleanMethodV CallStaticBooleanMethod CallStaticBooleanMethodV;
    CallByteMethod CallByteMethodV CallNonvirtualByteMethod CallNonvirtualByteMethodV CallStaticByteMethod CallStaticByteMethodV;
    CallCharMethod CallCharMethodV CallNonvirtualCharMethod CallNonvirtualCharMethodV CallStaticCharMethod CallStaticCharMethodV;
    CallShortMethod CallShortMethodV CallNonvirtualShortMethod CallNonvirtualShortMethodV CallStaticShortMethod CallStaticShortMethodV;
    CallIntMethod CallIntMethodV CallNonvirtualIntMethod CallNonvirtualIntMethodV CallStaticIntMethod CallStaticIntMethodV;
    CallLongMethod CallLongMethodV CallNonvirtualLongMethod CallNonvirtualLongMethodV CallStaticLongMethod CallStaticLongMethodV;
    CallFloatMethod CallFloatMethodV CallNonvirtualFloatMethod CallNonvirtualFloatMethodV CallStaticFloatMethod CallStaticFloatMethodV;
    CallDoubleMethod CallDoubleMethodV CallNonvirtualDoubleMethod CallNonvirtualDoubleMethodV CallStaticDoubleMethod CallStaticDoubleMethodV;
    CallVoidMethod CallVoidMethodV CallNonvirtualVoidMethod CallNonvirtualVoidMethodV CallStaticVoidMethod CallStaticVoidMethodV;
}
variadic! { NewObject -> NewObjectV, 3, "rcx"; }
