//! A new object where compiled code finds no room before the limit, in a few instructions.
//!
//! Invariant: what is done here is what `concord_heap::alloc_slow` does first, for a thread whose run in eden has room
//! behind the limit and whose limit is not hidden: the next piece is made zero, the limit moves, the object is the first
//! one there. All else is left to the row, with all registers as they came. There is no frame for scanners, since nothing
//! here stops.
//!
//! Why not in Rust: the limit moves once in 2 KB, that is every 85 objects of 24 bytes, and what `stubs` saves and restores
//! around a call into Rust, vector registers among them, was a twentieth of the time in which those are made.
use crate::stubs::{new_array_slow, new_instance_slow};
use concord_contract::object::{LENGTH_OFFSET, array_base};
use concord_contract::{Class, Thread};
use concord_heap::{MAX_SMALL, eden_places as places};
use std::arch::naked_asm;
use std::mem::offset_of;

/// Longer arrays, and what would be a negative length, go to the row.
const MOST_ELEMENTS: usize = 4096;
const NO_FAST_NEW: u32 = concord_contract::class::flags::NO_FAST_NEW;

/// Class in rdi, length in rsi. `$size` leaves the object's bytes in rax, or jumps to 2, and may use rcx and r8;
/// `$length` stores what comes behind the header of the object at r8.
macro_rules! alloc_stub {
    ($name:ident, $slow:ident, [$($size:literal),*], [$($length:literal),*], $($operand:tt)*) => {
        #[unsafe(naked)]
        pub(crate) unsafe extern "sysv64" fn $name() {
            naked_asm!(
                ".cfi_startproc",
                "push rax",
                ".cfi_adjust_cfa_offset 8",
                "push rcx",
                ".cfi_adjust_cfa_offset 8",
                "push r8",
                ".cfi_adjust_cfa_offset 8",
                $($size,)*
                "mov r8, [r15 + {cursor}]",
                "add rax, r8",
                "cmp rax, [r15 + {end}]",
                "ja 2f",
                "cmp qword ptr [r15 + {shown}], 0",
                "je 2f",
                "cmp rax, [r15 + {limit}]",
                "jbe 2f",
                // The new limit.
                "lea rcx, [rax + {piece}]",
                "and rcx, -{round}",
                "cmp rcx, [r15 + {end}]",
                "cmova rcx, [r15 + {end}]",
                "mov [r15 + {cursor}], rax",
                "mov rax, [r15 + {filled}]",
                "mov [rax], rcx",
                "mov rax, [r15 + {limit}]",
                "mov [r15 + {limit}], rcx",
                "mov [r15 + {shown}], rcx",
                // Zero from the old one on.
                "push rdi",
                ".cfi_adjust_cfa_offset 8",
                "mov rdi, rax",
                "sub rcx, rax",
                "shr rcx, 3",
                "xor eax, eax",
                "rep stosq",
                "pop rdi",
                ".cfi_adjust_cfa_offset -8",
                "mov rax, [rdi + {birth}]",
                "mov [r8], rax",
                $($length,)*
                "mov [r15 + {result}], r8",
                "pop r8",
                ".cfi_adjust_cfa_offset -8",
                "pop rcx",
                ".cfi_adjust_cfa_offset -8",
                "pop rax",
                ".cfi_adjust_cfa_offset -8",
                "ret",
                ".cfi_adjust_cfa_offset 24",
                "2:",
                "pop r8",
                ".cfi_adjust_cfa_offset -8",
                "pop rcx",
                ".cfi_adjust_cfa_offset -8",
                "pop rax",
                ".cfi_adjust_cfa_offset -8",
                "jmp {slow}",
                ".cfi_endproc",
                cursor = const places::CURSOR,
                shown = const places::SHOWN_LIMIT,
                limit = const places::LIMIT,
                end = const places::END,
                filled = const places::FILLED,
                piece = const places::PIECE,
                round = const places::ROUND,
                birth = const offset_of!(Class, birth),
                result = const offset_of!(Thread, result),
                slow = sym $slow,
                $($operand)*
            )
        }
    };
}

alloc_stub!(
    new_instance,
    new_instance_slow,
    [
        "test dword ptr [rdi + {flags}], {no_fast_new}",
        "jnz 2f",
        "mov eax, [rdi + {size}]",
        "test eax, eax",
        "jz 2f",
        "cmp eax, {max_small}",
        "ja 2f"
    ],
    [],
    flags = const offset_of!(Class, flags),
    no_fast_new = const NO_FAST_NEW,
    size = const offset_of!(Class, instance_size),
    max_small = const MAX_SMALL,
);

// The base is 16 for elements of 1 and 8 bytes, and 12 for those of 2 and 4.
const _: () = assert!(array_base(0) == 16 && array_base(1) == 12 && array_base(2) == 12 && array_base(3) == 16);

alloc_stub!(
    new_array,
    new_array_slow,
    [
        "cmp esi, {most}",
        "ja 2f",
        "movzx ecx, byte ptr [rdi + {shift}]",
        "mov eax, esi",
        "shl eax, cl",
        "mov r8d, ecx",
        "shr r8d, 1",
        "xor r8d, ecx",
        "and r8d, 1",
        "shl r8d, 2",
        "sub eax, r8d",
        "add eax, 23",
        "and eax, -8"
    ],
    ["mov [r8 + {length}], esi"],
    most = const MOST_ELEMENTS,
    shift = const offset_of!(Class, elem_shift),
    length = const LENGTH_OFFSET,
);
