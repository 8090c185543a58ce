//! The assembly between compiled code and the VM: one trampoline per row, and the entry of the
//! interpreter.
//!
//! Invariant: a trampoline makes rsp at the call the thread's anchor, keeps and zeroes the
//! callee-saved registers (what compiled code left there is stale and must not pin objects), and
//! calls a Rust function with the thread as first argument. The third word below the anchor is the
//! number of bytes that the trampoline's frame takes there: scanners skip them. Unwinders outside of
//! the VM (debuggers, profilers) follow the notes at rbp.
//! ```text
//!  anchor -> ...
//!        -8  return address
//!       -16  rbp
//!       -24  size of all this
//!            saved registers
//! ```
use crate::rows as r;
use crate::{aes, alloc_stubs, bulk, c2i, deopt, digests, ghash, montgomery, publish_stubs, store_stubs};
use concord_base::math;
use concord_contract::Thread;
use concord_contract::rows::{self, Row};
use std::arch::naked_asm;
use std::mem::offset_of;

const ANCHOR: usize = offset_of!(Thread, anchor_sp);
const RESULT: usize = offset_of!(Thread, result);

/// A trampoline of convention `Call`: up to five arguments move up by one.
macro_rules! call_stub {
    ($name:ident, $target:path) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name() {
            naked_asm!(
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "push 64",
                "lea rax, [rbp + 16]",
                "mov [r15 + {anchor}], rax",
                "push rbx",
                "push r12",
                "push r13",
                "push r14",
                "sub rsp, 8",
                "xor ebx, ebx",
                "xor r12d, r12d",
                "xor r13d, r13d",
                "xor r14d, r14d",
                "mov r9, r8",
                "mov r8, rcx",
                "mov rcx, rdx",
                "mov rdx, rsi",
                "mov rsi, rdi",
                "mov rdi, r15",
                "call {target}",
                "mov qword ptr [r15 + {anchor}], 0",
                "mov rbx, [rbp - 16]",
                "mov r12, [rbp - 24]",
                "mov r13, [rbp - 32]",
                "mov r14, [rbp - 40]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                anchor = const ANCHOR,
                target = sym $target,
            )
        }
    };
}

/// A trampoline of convention `Preserve`: up to four arguments; all registers come back.
macro_rules! preserve_stub {
    ($vis:vis $name:ident, $target:path) => {
        #[unsafe(naked)]
        $vis unsafe extern "sysv64" fn $name() {
            naked_asm!(
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "push 384",
                "push rax",
                "push rcx",
                "push rdx",
                "push rsi",
                "push rdi",
                "push r8",
                "push r9",
                "push r10",
                "push r11",
                "push rbx",
                "push r12",
                "push r13",
                "push r14",
                "sub rsp, 256",
                "movups [rsp], xmm0",
                "movups [rsp + 16], xmm1",
                "movups [rsp + 32], xmm2",
                "movups [rsp + 48], xmm3",
                "movups [rsp + 64], xmm4",
                "movups [rsp + 80], xmm5",
                "movups [rsp + 96], xmm6",
                "movups [rsp + 112], xmm7",
                "movups [rsp + 128], xmm8",
                "movups [rsp + 144], xmm9",
                "movups [rsp + 160], xmm10",
                "movups [rsp + 176], xmm11",
                "movups [rsp + 192], xmm12",
                "movups [rsp + 208], xmm13",
                "movups [rsp + 224], xmm14",
                "movups [rsp + 240], xmm15",
                "lea rax, [rbp + 16]",
                "mov [r15 + {anchor}], rax",
                "xor ebx, ebx",
                "xor r12d, r12d",
                "xor r13d, r13d",
                "xor r14d, r14d",
                "mov r8, rcx",
                "mov rcx, rdx",
                "mov rdx, rsi",
                "mov rsi, rdi",
                "mov rdi, r15",
                "call {target}",
                "mov [r15 + {result}], rax",
                "mov qword ptr [r15 + {anchor}], 0",
                "movups xmm0, [rsp]",
                "movups xmm1, [rsp + 16]",
                "movups xmm2, [rsp + 32]",
                "movups xmm3, [rsp + 48]",
                "movups xmm4, [rsp + 64]",
                "movups xmm5, [rsp + 80]",
                "movups xmm6, [rsp + 96]",
                "movups xmm7, [rsp + 112]",
                "movups xmm8, [rsp + 128]",
                "movups xmm9, [rsp + 144]",
                "movups xmm10, [rsp + 160]",
                "movups xmm11, [rsp + 176]",
                "movups xmm12, [rsp + 192]",
                "movups xmm13, [rsp + 208]",
                "movups xmm14, [rsp + 224]",
                "movups xmm15, [rsp + 240]",
                "add rsp, 256",
                "pop r14",
                "pop r13",
                "pop r12",
                "pop rbx",
                "pop r11",
                "pop r10",
                "pop r9",
                "pop r8",
                "pop rdi",
                "pop rsi",
                "pop rdx",
                "pop rcx",
                "pop rax",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                anchor = const ANCHOR,
                result = const RESULT,
                target = sym $target,
            )
        }
    };
}

/// A stub by which a frame is left; the record of the call says where its values are. The target gets the thread.
macro_rules! leaving_stub {
    ($name:ident, $target:path) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name() {
            naked_asm!(
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "push 64",
                "lea rax, [rbp + 16]",
                "mov [r15 + {anchor}], rax",
                "push rbx",
                "push r12",
                "push r13",
                "push r14",
                "sub rsp, 8",
                "xor ebx, ebx",
                "xor r12d, r12d",
                "xor r13d, r13d",
                "xor r14d, r14d",
                "mov rdi, r15",
                "call {target}",
                "movq xmm0, rax",
                "mov qword ptr [r15 + {anchor}], 0",
                "mov rbx, [rbp - 16]",
                "mov r12, [rbp - 24]",
                "mov r13, [rbp - 32]",
                "mov r14, [rbp - 40]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                anchor = const ANCHOR,
                target = sym $target,
            )
        }
    };
}

/// The compiled entry of methods without compiled code. Rust gets the thread, the method, the
/// arguments that came in registers (five words, eight vector registers) and those on the stack.
///
/// # Safety
/// Called by compiled code with its convention.
#[unsafe(naked)]
pub unsafe extern "sysv64" fn to_interpreter() {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push 176",
        "lea rax, [rbp + 16]",
        "mov [r15 + {anchor}], rax",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "sub rsp, 80",
        "movsd [rsp], xmm0",
        "movsd [rsp + 8], xmm1",
        "movsd [rsp + 16], xmm2",
        "movsd [rsp + 24], xmm3",
        "movsd [rsp + 32], xmm4",
        "movsd [rsp + 40], xmm5",
        "movsd [rsp + 48], xmm6",
        "movsd [rsp + 56], xmm7",
        "push r9",
        "push r8",
        "push rcx",
        "push rdx",
        "push rsi",
        "xor ebx, ebx",
        "xor r12d, r12d",
        "xor r13d, r13d",
        "xor r14d, r14d",
        "mov rsi, rdi",
        "mov rdi, r15",
        "mov rdx, rsp",
        "lea rcx, [rbp + 16]",
        "call {target}",
        "movq xmm0, rax",
        "mov qword ptr [r15 + {anchor}], 0",
        "mov rbx, [rbp - 16]",
        "mov r12, [rbp - 24]",
        "mov r13, [rbp - 32]",
        "mov r14, [rbp - 40]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        anchor = const ANCHOR,
        target = sym c2i::enter,
    )
}

leaving_stub!(deopt_stub, deopt::guard_failed);
leaving_stub!(after_call_stub, deopt::after_call);
call_stub!(stack_overflow, r::stack_overflow);
call_stub!(multi_new_array, r::multi_new_array);
call_stub!(allocate_instance, r::allocate_instance);
preserve_stub!(monitor_enter, r::monitor_enter);
preserve_stub!(monitor_exit, r::monitor_exit);
call_stub!(clone_object, r::clone_object);
call_stub!(new_array_of, r::new_array_of);
call_stub!(fill_array, bulk::fill_array);
preserve_stub!(identity_hash, r::identity_hash);
call_stub!(register_finalizer, r::register_finalizer);
call_stub!(throw, r::throw);
call_stub!(throw_null_pointer, r::throw_null_pointer);
call_stub!(throw_div_by_zero, r::throw_div_by_zero);
call_stub!(throw_array_index, r::throw_array_index);
call_stub!(throw_class_cast, r::throw_class_cast);
call_stub!(throw_array_store, r::throw_array_store);
preserve_stub!(safepoint, r::safepoint);
preserve_stub!(pub(crate) new_instance_slow, r::new_instance);
preserve_stub!(pub(crate) new_array_slow, r::new_array);
preserve_stub!(pub(crate) store_ref, r::store_ref);
preserve_stub!(pub(crate) publish_object, r::publish);
preserve_stub!(pub(crate) publish_far_object, r::publish_far);
preserve_stub!(barrier, r::barrier);
preserve_stub!(count_store, r::count_store);
preserve_stub!(count_fenced, r::count_fenced);
preserve_stub!(catch_exception, r::catch_exception);
preserve_stub!(is_subtype, r::is_subtype);
preserve_stub!(itable_method, r::itable_method);
preserve_stub!(statics_of, r::statics_of);

/// Tells the compiler's users where everything is; once.
pub fn publish() {
    for row in rows::ALL {
        let f = match row {
            Row::Deopt => deopt_stub as *const (),
            Row::AfterCall => after_call_stub as *const (),
            Row::StackOverflow => stack_overflow as *const (),
            Row::Safepoint => safepoint as *const (),
            Row::NewInstance => alloc_stubs::new_instance as *const (),
            Row::NewArray => alloc_stubs::new_array as *const (),
            Row::MultiNewArray => multi_new_array as *const (),
            Row::AllocateInstance => allocate_instance as *const (),
            Row::MonitorEnter => monitor_enter as *const (),
            Row::MonitorExit => monitor_exit as *const (),
            Row::RegisterFinalizer => register_finalizer as *const (),
            Row::StoreRef => store_ref as *const (),
            Row::StoreOldField => store_stubs::store_old_field as *const (),
            Row::StoreOldElement => store_stubs::store_old_element as *const (),
            Row::Publish => publish_stubs::chosen()[0],
            Row::PublishFar => publish_stubs::chosen()[1],
            Row::Barrier => barrier as *const (),
            Row::CountStore => count_store as *const (),
            Row::CountFenced => count_fenced as *const (),
            Row::ArrayCopy => bulk::array_copy as *const (),
            Row::BytesEqual => bulk::bytes_equal as *const (),
            Row::CompareLatin1 => bulk::compare_latin1 as *const (),
            Row::CompareUtf16 => bulk::compare_utf16 as *const (),
            Row::HashLatin1 => bulk::hash_latin1 as *const (),
            Row::IndexOfChar => bulk::index_of_char as *const (),
            Row::IndexOfLatin1 => bulk::index_of_latin1 as *const (),
            Row::IndexOfCharUtf16 => bulk::index_of_char_utf16 as *const (),
            Row::IndexOfUtf16 => bulk::index_of_utf16 as *const (),
            Row::IndexOfLatin1InUtf16 => bulk::index_of_latin1_in_utf16 as *const (),
            Row::HasNegatives => bulk::has_negatives as *const (),
            Row::InflateToBytes => bulk::inflate_to_bytes as *const (),
            Row::InflateToChars => bulk::inflate_to_chars as *const (),
            Row::CompressBytes => bulk::compress_bytes as *const (),
            Row::CompressChars => bulk::compress_chars as *const (),
            Row::Mismatch => bulk::vectorized_mismatch as *const (),
            Row::ArraysEqual => bulk::arrays_equal as *const (),
            Row::Fill => fill_array as *const (),
            Row::Clone => clone_object as *const (),
            Row::NewArrayOf => new_array_of as *const (),
            Row::IdentityHash => identity_hash as *const (),
            Row::NanoTime => r::nano_time as *const (),
            Row::CurrentMillis => r::current_millis as *const (),
            Row::Writeback => r::writeback as *const (),
            Row::WritebackSync => r::writeback_sync as *const (),
            Row::FmaFloat => r::fma_float as *const (),
            Row::FmaDouble => r::fma_double as *const (),
            Row::Sin => math::sin as *const (),
            Row::Cos => math::cos as *const (),
            Row::Tan => math::tan as *const (),
            Row::Exp => math::exp as *const (),
            Row::Log => math::log as *const (),
            Row::Log10 => math::log10 as *const (),
            Row::Pow => math::pow as *const (),
            Row::AesEncryptBlock => aes::encrypt_block as *const (),
            Row::AesDecryptBlock => aes::decrypt_block as *const (),
            Row::ChainEncrypt => aes::chain_encrypt as *const (),
            Row::ChainDecrypt => aes::chain_decrypt as *const (),
            Row::CounterCrypt => aes::counter_crypt as *const (),
            Row::GhashBlocks => ghash::process_blocks as *const (),
            Row::Md5Block => digests::md5_block as *const (),
            Row::Sha1Block => digests::sha1_block as *const (),
            Row::Sha256Block => digests::sha256_block as *const (),
            Row::Sha512Block => digests::sha512_block as *const (),
            Row::Crc32 => digests::crc32 as *const (),
            Row::Crc32c => digests::crc32c as *const (),
            Row::MontgomeryMultiply => montgomery::multiply as *const (),
            Row::MontgomerySquare => montgomery::square as *const (),
            Row::Throw => throw as *const (),
            Row::ThrowNullPointer => throw_null_pointer as *const (),
            Row::ThrowDivByZero => throw_div_by_zero as *const (),
            Row::ThrowArrayIndex => throw_array_index as *const (),
            Row::ThrowClassCast => throw_class_cast as *const (),
            Row::ThrowArrayStore => throw_array_store as *const (),
            Row::Catch => catch_exception as *const (),
            Row::IsSubtype => is_subtype as *const (),
            Row::ItableMethod => itable_method as *const (),
            Row::StaticsOf => statics_of as *const (),
            Row::IsInstance => r::is_instance as *const (),
            Row::IsAssignableFrom => r::is_assignable_from as *const (),
            Row::ClassKind => r::class_kind as *const (),
            Row::Modifiers => r::modifiers as *const (),
            Row::FRem => r::frem as *const (),
            Row::DRem => r::drem as *const (),
        };
        rows::set_address(*row, f as usize);
    }
}
