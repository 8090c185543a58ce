//! AAPCS64: x19-x28 survive calls; x29 and x30 are the frame record.
use concord_contract::Thread;
use std::arch::asm;

#[inline(always)]
pub fn record_context(th: &Thread) {
    let sp: usize;
    // SAFETY: stores twelve words into an array of twelve that belongs to the calling thread.
    unsafe {
        asm!(
            "stp x19, x20, [{r}]",
            "stp x21, x22, [{r}, #16]",
            "stp x23, x24, [{r}, #32]",
            "stp x25, x26, [{r}, #48]",
            "stp x27, x28, [{r}, #64]",
            "stp x29, x30, [{r}, #80]",
            "mov {s}, sp",
            r = in(reg) th.saved_registers.get(),
            s = out(reg) sp,
            options(nostack, preserves_flags),
        );
    }
    th.native_sp.set(sp);
}
