//! The barrier of reference stores into old objects, in a few instructions.
//!
//! Invariant: what is done here is what `concord_heap::store_ref` does without publication, for a target whose unlog
//! bit is set and that has no cards: the bit is cleared, a note of target and overwritten value is left behind
//! `Thread::notes`, the value is stored. Where there is no room for a note, or the target may have cards, the row
//! `StoreRef` does it. All registers come back; there is no frame for scanners, since nothing here stops.
//!
//! Why not in Rust: a store into an old object is rarely the second since the last collection in a program that
//! changes its data at random (`bench/run collector`, `map`), and a call that saves 28 registers around a
//! locked instruction has no room left for the misses of what comes next.
use crate::stubs::store_ref;
use concord_contract::Thread;
use concord_contract::barrier::UNLOG_TABLE;
use concord_contract::object::{LENGTH_OFFSET, REF_SHIFT, array_base};
use concord_heap::MAX_SMALL;
use std::arch::naked_asm;
use std::mem::offset_of;

/// The most elements of an array of references without cards.
const MOST_ELEMENTS: usize = (MAX_SMALL - array_base(2)) / 4;

/// Target in rdi, offset in rsi, value in rdx.
macro_rules! store_stub {
    ($name:ident, $($check:literal),*) => {
        #[unsafe(naked)]
        pub(crate) unsafe extern "sysv64" fn $name() {
            naked_asm!(
                ".cfi_startproc",
                "push rax",
                ".cfi_adjust_cfa_offset 8",
                "mov rax, rdx",
                "shr rax, {ref_shift}",
                "jz 3f",
                $($check,)*
                "push rcx",
                ".cfi_adjust_cfa_offset 8",
                "mov rcx, [r15 + {notes}]",
                "cmp rcx, [r15 + {notes_end}]",
                "je 2f",
                "push r8",
                ".cfi_adjust_cfa_offset 8",
                "push r9",
                ".cfi_adjust_cfa_offset 8",
                // The bit is cleared.
                "mov r8, rdi",
                "shr r8, 6",
                "add r8, [rip + {unlog}]",
                "mov r9d, edi",
                "shr r9d, 3",
                "and r9d, 7",
                "push r10",
                ".cfi_adjust_cfa_offset 8",
                "movzx r10d, byte ptr [r8]",
                "btr r10d, r9d",
                "mov [r8], r10b",
                "pop r10",
                ".cfi_adjust_cfa_offset -8",
                // The note.
                "mov r8d, [rdi + rsi]",
                "shl r8, 32",
                "mov r9, rdi",
                "shr r9, {ref_shift}",
                "or r8, r9",
                "mov [rcx], r8",
                "add rcx, 8",
                "mov [r15 + {notes}], rcx",
                "pop r9",
                ".cfi_adjust_cfa_offset -8",
                "pop r8",
                ".cfi_adjust_cfa_offset -8",
                "pop rcx",
                ".cfi_adjust_cfa_offset -8",
                // The store; a null is only stored.
                "3:",
                "mov [rdi + rsi], eax",
                "pop rax",
                ".cfi_adjust_cfa_offset -8",
                "ret",
                ".cfi_adjust_cfa_offset 16",
                "2:",
                "pop rcx",
                ".cfi_adjust_cfa_offset -8",
                "4:",
                "pop rax",
                ".cfi_adjust_cfa_offset -8",
                "jmp {slow}",
                ".cfi_endproc",
                notes = const offset_of!(Thread, notes),
                notes_end = const offset_of!(Thread, notes_end),
                unlog = sym UNLOG_TABLE,
                ref_shift = const REF_SHIFT,
                length = const LENGTH_OFFSET,
                most = const MOST_ELEMENTS,
                slow = sym store_ref,
            )
        }
    };
}

// The operands of the check are used, so that both forms take the same.
store_stub!(store_old_field, "/* {length} {most} */");
store_stub!(store_old_element, "cmp dword ptr [rdi + {length}], {most}", "ja 4f");
