//! The choices of this process: fixed before the first Java thread runs, read by every room.
//!
//! Invariant: after [`install`] the policy does not change, so an engine may build it into code.
use crate::{Mode, plain_mode};
use std::sync::atomic::{AtomicU8, Ordering};

const VBD: u8 = 1;
const COUNTING: u8 = 2;
static POLICY: AtomicU8 = AtomicU8::new(VBD);

/// Sets the policy: `-XX:±VBD`, and whether accesses are counted.
pub fn install(vbd: bool, counting: bool) {
    POLICY.store((u8::from(vbd) * VBD) | (u8::from(counting) * COUNTING), Ordering::Relaxed);
}
/// Whether plain accesses are sequentially consistent (`-XX:+VBD`, the default).
#[inline(always)]
pub fn vbd() -> bool {
    POLICY.load(Ordering::Relaxed) & VBD != 0
}
/// Whether accesses are counted (`-XX:+PrintConcordStatistics`).
#[inline(always)]
pub fn counting() -> bool {
    POLICY.load(Ordering::Relaxed) & COUNTING != 0
}
/// The mode of a plain access that native code makes for a Java program.
#[inline(always)]
pub fn plain() -> Mode {
    plain_mode(vbd(), false, false)
}
