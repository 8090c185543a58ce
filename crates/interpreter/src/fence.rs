//! The one place where a handler emits a fence, as the memory-model room demands.
use concord_memory_model::{Access, Arch, Fence, Mode, fences};

/// A full fence for Java accesses.
#[inline(always)]
pub fn full() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a locked no-op on a word in the red zone: it changes nothing and orders everything;
    // a third of the time of `mfence`.
    unsafe {
        std::arch::asm!("lock or dword ptr [rsp - 64], 0", options(nostack));
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
}

/// What follows a plain store in sequentially consistent (`SC`) or relaxed code.
///
/// Cells are loaded with acquire and stored with release order, which covers every fence of the
/// tables except the one between a store and later loads.
#[inline(always)]
pub fn after_store<const SC: bool>() {
    const STRONG: Fence = fences(Access::Store, Mode::Sc, Arch::HOST).after;
    const WEAK: Fence = fences(Access::Store, Mode::Relaxed, Arch::HOST).after;
    if matches!(if SC { STRONG } else { WEAK }, Fence::Full) {
        full();
    }
}
