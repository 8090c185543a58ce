//! Publication of an object that leads to little, in a few instructions.
//!
//! Invariant: what is done here is what `concord_heap::publish` does for an object of which each reference is null or to a SHARED
//! object or to a LOCAL one without references, none of them with an inflated monitor: those and the object itself lose
//! the LOCAL bit, in that order. All else is left to the row, with all registers as they came; what has been published by then is
//! as it would be in the midst of the row's walk. There is no frame for scanners, since nothing here stops.
//!
//! Why not in Rust: a server publishes an object for every few that it makes, four of five of which lead to nothing LOCAL
//! (`-XX:+PrintConcordStatistics`), and what `stubs` saves and restores around a call into Rust takes longer than this.
//!
//! Deliberately absent: counting and `-Xlog:vbd=debug`; with either, and where calls of the VM leave compiled code by force, there is
//! the row alone.
use crate::stubs::{publish_far_object, publish_object};
use concord_base::log::{self, Level, Tag};
use concord_base::options;
use concord_contract::layout::{LAYOUTS, Layout, LayoutKind};
use concord_contract::object::{HEADER_BYTES, LAYOUT_ID_MASK, LAYOUT_OFFSET, LOCAL_BIT, LOCK_OFFSET, REF_SHIFT};
use concord_heap::publish::tags::{MONITOR, TAGS};
use std::arch::naked_asm;
use std::mem::offset_of;

/// What compiled code calls to publish an object, without and with stops.
pub(crate) fn chosen() -> [*const (); 2] {
    let flags = &options::get().flags;
    let watched = flags.print_concord_statistics || log::enabled(Tag::Vbd, Level::Debug);
    if watched || flags.concord_zeal_deopt != 0 {
        [publish_object as *const (), publish_far_object as *const ()]
    } else {
        [publish_small as *const (), publish_small_or_far as *const ()]
    }
}

// Kinds are compared with these two in mind.
const _: () = assert!(LayoutKind::Instance as u8 == 0 && LayoutKind::PrimArray as u8 == 1);
const _: () = assert!(size_of::<Layout>() == 16);

/// Object in rdi, which is LOCAL.
macro_rules! publish_stub {
    ($name:ident, $slow:path) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name() {
            naked_asm!(
                ".cfi_startproc",
                "push rax",
                ".cfi_adjust_cfa_offset 8",
                "push rcx",
                ".cfi_adjust_cfa_offset 8",
                "mov eax, [rdi + {lock}]",
                "and eax, {tags}",
                "cmp eax, {monitor}",
                "je 5f",
                "mov eax, [rdi + {layout}]",
                "and eax, {id_mask}",
                "shl rax, 4",
                "add rax, [rip + {layouts}]",
                "cmp byte ptr [rax + {kind}], {array}",
                "ja 5f",
                "je 3f",
                "mov rax, [rax + {map}]",
                "test rax, rax",
                "jz 3f",
                "push rdx",
                ".cfi_adjust_cfa_offset 8",
                // The next reference.
                "1:",
                "bsf rcx, rax",
                "lea rdx, [rax - 1]",
                "and rax, rdx",
                "mov ecx, [rdi + 4 * rcx + {fields}]",
                "shl rcx, {ref_shift}",
                "jz 2f",
                "mov edx, [rcx + {lock}]",
                "test edx, {local}",
                "jz 2f",
                // A LOCAL one.
                "and edx, {tags}",
                "cmp edx, {monitor}",
                "je 4f",
                "mov edx, [rcx + {layout}]",
                "and edx, {id_mask}",
                "shl rdx, 4",
                "add rdx, [rip + {layouts}]",
                "cmp byte ptr [rdx + {kind}], {array}",
                "ja 4f",
                "je 6f",
                "cmp qword ptr [rdx + {map}], 0",
                "jne 4f",
                "6:",
                "and dword ptr [rcx + {lock}], {not_local}",
                "2:",
                "test rax, rax",
                "jnz 1b",
                "pop rdx",
                ".cfi_adjust_cfa_offset -8",
                "3:",
                "and dword ptr [rdi + {lock}], {not_local}",
                "pop rcx",
                ".cfi_adjust_cfa_offset -8",
                "pop rax",
                ".cfi_adjust_cfa_offset -8",
                "ret",
                ".cfi_adjust_cfa_offset 24",
                "4:",
                "pop rdx",
                ".cfi_adjust_cfa_offset -8",
                "5:",
                "pop rcx",
                ".cfi_adjust_cfa_offset -8",
                "pop rax",
                ".cfi_adjust_cfa_offset -8",
                "jmp {slow}",
                ".cfi_endproc",
                lock = const LOCK_OFFSET,
                layout = const LAYOUT_OFFSET,
                id_mask = const LAYOUT_ID_MASK,
                layouts = sym LAYOUTS,
                kind = const offset_of!(Layout, kind),
                map = const offset_of!(Layout, map),
                array = const LayoutKind::PrimArray as u8,
                fields = const HEADER_BYTES,
                ref_shift = const REF_SHIFT,
                local = const LOCAL_BIT,
                not_local = const !LOCAL_BIT as i32,
                tags = const TAGS,
                monitor = const MONITOR,
                slow = sym $slow,
            )
        }
    };
}

publish_stub!(publish_small, publish_object);
publish_stub!(publish_small_or_far, publish_far_object);
