//! The fences that the tables name, as instructions.
//!
//! Invariant: every fence that stands for a Java access is executed by a function of this file, and
//! each of them asks [`crate::fences`]. Rust's own orderings give the rest: cells are loaded with
//! acquire and stored with release order ([`crate::access`]), which on every processor that we know
//! covers all rows of the tables but those with a full fence.
use crate::{Access, Arch, Fence, Fences, Mode, fences, policy, statistics};
use std::sync::atomic::{Ordering, fence};

/// Orders accesses for a signal handler of the same thread: the compiler's order only.
#[inline(always)]
pub fn same_thread() {
    std::sync::atomic::compiler_fence(Ordering::SeqCst);
}

/// Everything before, before everything after.
#[inline(always)]
pub fn full() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a locked no-op on a word in the red zone: it changes nothing and orders everything;
    // a quarter of the time of `mfence`.
    unsafe {
        std::arch::asm!("lock or dword ptr [rsp - 64], 0", options(nostack));
    }
    #[cfg(not(target_arch = "x86_64"))]
    fence(Ordering::SeqCst);
}

/// `Unsafe.loadFence`, `VarHandle.acquireFence`.
#[inline(always)]
pub fn acquire() {
    fence(Ordering::Acquire);
}
/// `Unsafe.storeFence`, `VarHandle.releaseFence`.
#[inline(always)]
pub fn release() {
    fence(Ordering::Release);
}

/// One cell of the tables.
#[inline(always)]
pub fn emit(f: Fence) {
    match f {
        Fence::None => {}
        Fence::LoadAny => acquire(),
        Fence::StoreStore | Fence::AnyStore => release(),
        Fence::Full => full(),
    }
}

#[inline(always)]
const fn host(access: Access, mode: Mode) -> Fences {
    fences(access, mode, Arch::HOST)
}

/// What follows a plain store of sequentially consistent (`SC`) or relaxed code; for engines that
/// have built the mode into the instruction.
#[inline(always)]
pub fn after_code_store<const SC: bool>() {
    const STRONG: Fence = host(Access::Store, Mode::Sc).after;
    const WEAK: Fence = host(Access::Store, Mode::Relaxed).after;
    emit(if SC { STRONG } else { WEAK });
}

/// The same for a store into an object that may be LOCAL.
#[inline(always)]
pub fn after_code_store_into<const SC: bool>(target_is_local: bool) {
    if !target_is_local {
        after_code_store::<SC>();
    }
}

/// Between making objects SHARED and the store that shows them to others.
#[inline(always)]
pub fn before_publishing_store() {
    const F: Fence = crate::publication_fence(Arch::HOST);
    emit(F);
}

/// What precedes a store of `mode`.
#[inline(always)]
pub fn before_store(mode: Mode) {
    emit(host(Access::Store, mode).before);
}
/// What follows a store of `mode` that native code made for a Java program.
#[inline(always)]
pub fn after_store(mode: Mode) {
    let f = host(Access::Store, mode).after;
    emit(f);
    if policy::counting() {
        statistics::native_store(f == Fence::Full);
    }
}
/// What follows a load of `mode`.
#[inline(always)]
pub fn after_load(mode: Mode) {
    emit(host(Access::Load, mode).after);
}

/// What follows a plain store, or a bulk of them, that native code made for a Java program: JNI,
/// reflection, `Unsafe.put*`, `System.arraycopy`. A bulk operation is ordered as a whole against
/// what stands before and after it; its elements are not ordered among themselves.
#[inline(always)]
pub fn after_plain_store() {
    after_store(policy::plain());
}
/// The same for a store into an object that may be LOCAL.
#[inline(always)]
pub fn after_plain_store_into(target_is_local: bool) {
    if !target_is_local {
        after_plain_store();
    } else if policy::counting() {
        statistics::native_store(false);
    }
}
/// The same for a field: volatile ones are strong under every policy.
#[inline(always)]
pub fn after_field_store(volatile: bool) {
    after_store(if volatile { Mode::Volatile } else { policy::plain() });
}
