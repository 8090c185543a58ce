//! System V x86-64: rbx, rbp, r12-r15 survive calls.
use concord_contract::Thread;
use std::arch::asm;

#[inline(always)]
pub fn record_context(th: &Thread) {
    let sp: usize;
    // SAFETY: stores six words into an array of twelve that belongs to the calling thread.
    unsafe {
        asm!(
            "mov [{r}], rbx",
            "mov [{r} + 8], rbp",
            "mov [{r} + 16], r12",
            "mov [{r} + 24], r13",
            "mov [{r} + 32], r14",
            "mov [{r} + 40], r15",
            "mov {s}, rsp",
            r = in(reg) th.saved_registers.get(),
            s = out(reg) sp,
            options(nostack, preserves_flags),
        );
    }
    th.native_sp.set(sp);
}
