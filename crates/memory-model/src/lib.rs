//! Access mode x operation x architecture -> fences.
//!
//! Invariant: for every pair of accesses that a mode keeps in program order, the architecture, the
//! first access's `after` and the second's `before` together forbid the reordering. Nobody else
//! decides about fences for Java accesses, and only [`emit`] executes them.
//!
//! | module | owns |
//! |---|---|
//! | this one | the tables |
//! | [`emit`], [`access`] | the instructions; heap cells as natives access them |
//! | [`policy`] | the choices of this process |
//! | [`relaxed`] | the flags that name relaxed code |
//! | [`statistics`] | counts of stores and fences |
//!
//! Deliberately absent: fence *placement*. The tables give the convention "clean after every
//! access": the access itself pays, so any two accesses may be adjacent. A compiler that moves or
//! merges fences proves coverage against [`must_order`].
//!
//! The modes, from weak to strong: `Relaxed` is the Java memory model's plain access; `Final` a
//! plain access to a final field in relaxed code, whose freeze at the end of the constructor is a
//! store-store order; `Opaque`, `AcquireRelease` and `Volatile` are those of VarHandles; `Sc` is
//! Concord's default for every plain access. Under `Sc` a final field is *not* weaker: an object
//! whose constructor leaks `this` shows the field before and after, so `Final` is used only where
//! the code asked for the Java memory model.

pub mod access;
pub mod emit;
pub mod policy;
pub mod relaxed;
pub mod statistics;

/// What an access does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Load,
    Store,
    /// Atomic read-modify-write.
    Cas,
}

/// Which orders an access keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Relaxed,
    Final,
    Opaque,
    AcquireRelease,
    Volatile,
    /// Sequentially consistent with all other accesses of its kind: volatile-by-default.
    Sc,
}

/// Target processor families that Concord generates code for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    X86_64,
    Aarch64,
}

impl Arch {
    /// The processor that this build runs on.
    pub const HOST: Arch = if cfg!(target_arch = "aarch64") { Arch::Aarch64 } else { Arch::X86_64 };
}

/// Orders that a fence enforces between earlier and later accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    None,
    /// Earlier loads before later loads and stores (aarch64 `dmb ishld`).
    LoadAny,
    /// Earlier stores before later stores (aarch64 `dmb ishst`).
    StoreStore,
    /// Earlier loads and stores before later stores (a release; aarch64 `dmb ish`).
    AnyStore,
    /// Everything before everything (x86 a locked instruction, aarch64 `dmb ish`).
    Full,
}

impl Fence {
    /// Whether the fence keeps an earlier `a` before a later `b`.
    pub const fn orders(self, a: Access, b: Access) -> bool {
        match self {
            Fence::None => false,
            Fence::LoadAny => matches!(a, Access::Load | Access::Cas),
            // An atomic read-modify-write is a load and a store; its store half is ordered here.
            Fence::StoreStore => !matches!(a, Access::Load) && !matches!(b, Access::Load),
            Fence::AnyStore => !matches!(b, Access::Load),
            Fence::Full => true,
        }
    }
}

/// The fences around one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fences {
    pub before: Fence,
    pub after: Fence,
}

impl Fences {
    pub const NONE: Fences = Fences { before: Fence::None, after: Fence::None };
}

/// Whether the processor alone may let `b`, later in program order, take effect before `a`.
pub const fn may_reorder(arch: Arch, a: Access, b: Access) -> bool {
    match arch {
        // Total store order: only a load may pass an earlier store; locked operations order all.
        Arch::X86_64 => matches!(a, Access::Store) && matches!(b, Access::Load),
        Arch::Aarch64 => true,
    }
}

/// Whether the modes keep `a` before `b` in program order (different locations).
pub const fn must_order(a: Access, am: Mode, b: Access, bm: Mode) -> bool {
    if is_strong(am) && is_strong(bm) {
        return true;
    }
    let acquire = acquires(am) && !matches!(a, Access::Store);
    let release = acquires(bm) && !matches!(b, Access::Load);
    let freeze = matches!(am, Mode::Final) && matches!(a, Access::Store) && matches!(b, Access::Store);
    acquire || release || freeze
}

const fn is_strong(m: Mode) -> bool {
    matches!(m, Mode::Volatile | Mode::Sc)
}
const fn acquires(m: Mode) -> bool {
    matches!(m, Mode::AcquireRelease | Mode::Volatile | Mode::Sc)
}

/// The fences that one access needs, given that every access of the program gets its own.
pub const fn fences(access: Access, mode: Mode, arch: Arch) -> Fences {
    match arch {
        Arch::X86_64 => match (access, mode) {
            // The one order that the processor does not keep; CAS is a locked instruction.
            (Access::Store, Mode::Volatile | Mode::Sc) => Fences { before: Fence::None, after: Fence::Full },
            _ => Fences::NONE,
        },
        Arch::Aarch64 => match (access, mode) {
            (_, Mode::Relaxed | Mode::Opaque) | (Access::Load | Access::Cas, Mode::Final) => Fences::NONE,
            (Access::Load, _) => Fences { before: Fence::None, after: Fence::LoadAny },
            (Access::Store, Mode::Final) => Fences { before: Fence::None, after: Fence::StoreStore },
            (Access::Store, Mode::AcquireRelease) => Fences { before: Fence::AnyStore, after: Fence::None },
            (Access::Store, _) => Fences { before: Fence::AnyStore, after: Fence::Full },
            (Access::Cas, Mode::AcquireRelease) => Fences { before: Fence::AnyStore, after: Fence::LoadAny },
            (Access::Cas, _) => Fences { before: Fence::Full, after: Fence::Full },
        },
    }
}

/// What follows a store of `mode` into an object: nothing if the calling thread alone can reach it
/// (law L1 of `docs/papers/vbd.md`), whatever the mode.
pub const fn fence_after_store(mode: Mode, target_is_local: bool, arch: Arch) -> Fence {
    if target_is_local { Fence::None } else { fences(Access::Store, mode, arch).after }
}

/// What stands between making a LOCAL object SHARED (its header, and all that it reaches) and the
/// store that shows it to others, in every mode: who finds the object finds it SHARED and complete.
pub const fn publication_fence(arch: Arch) -> Fence {
    match arch {
        // Stores leave the buffer in order.
        Arch::X86_64 => Fence::None,
        Arch::Aarch64 => Fence::AnyStore,
    }
}

/// The mode of a plain (not volatile) access to a field, static or array element.
///
/// `vbd` is `-XX:+VBD`, the default; `relaxed` says that the code or the field is `@Relaxed`.
pub const fn plain_mode(vbd: bool, relaxed: bool, is_final: bool) -> Mode {
    match (vbd && !relaxed, is_final) {
        (true, _) => Mode::Sc,
        (false, true) => Mode::Final,
        (false, false) => Mode::Relaxed,
    }
}

#[cfg(test)]
mod tests;
