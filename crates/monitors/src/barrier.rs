//! The asymmetric barrier between those who leave a monitor and those who are about to park.
//! Invariant owned here: after [`Barrier::heavy`] has returned true, every other thread has either
//! made its earlier stores visible to this one, or will see in its later loads what this one wrote
//! before the call.
//!
//! The leaving side ([`light`]) runs at every exit and is a compiler barrier; the entering side
//! pays with `membarrier`, once per episode of contention. Where the kernel has no `membarrier`
//! both sides are fences. The choice is made once, before the first thread: compiled code depends
//! on it (C30).

use crate::sync::full_fence;
#[cfg(not(any(loom, shuttle)))]
use std::sync::atomic::{AtomicBool, Ordering, compiler_fence};

/// How exits are made visible to a thread that is about to park.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Release {
    /// Without a fence if the kernel offers `membarrier`, else fenced.
    #[default]
    Auto,
    /// Always with a fence.
    Fenced,
}

pub(crate) struct Barrier {
    fenced: bool,
    #[cfg(not(any(loom, shuttle)))]
    warned: AtomicBool,
    #[cfg(not(any(loom, shuttle)))]
    warn: fn(&str),
}

/// The leaving side, between its store and its load.
#[inline(always)]
pub(crate) fn light(fenced: bool) {
    #[cfg(not(any(loom, shuttle)))]
    if !fenced {
        // Only the compiler must keep the order here: the processor's part is done by the
        // entering side's membarrier.
        compiler_fence(Ordering::SeqCst);
        return;
    }
    #[cfg(any(loom, shuttle))]
    debug_assert!(fenced, "the checkers have no membarrier");
    full_fence();
}

impl Barrier {
    #[cfg(not(any(loom, shuttle)))]
    pub(crate) fn choose(release: Release, warn: fn(&str)) -> Barrier {
        let fenced = match release {
            Release::Fenced => true,
            Release::Auto => match register_membarrier() {
                Ok(()) => false,
                Err(why) => {
                    warn(&format!("membarrier is not available ({why}): monitors are released with a fence"));
                    true
                }
            },
        };
        Barrier { fenced, warned: AtomicBool::new(false), warn }
    }

    #[cfg(any(loom, shuttle))]
    pub(crate) fn choose(_release: Release, _warn: fn(&str)) -> Barrier {
        Barrier { fenced: true }
    }

    pub(crate) fn fenced(&self) -> bool {
        self.fenced
    }

    /// The entering side, between its store and its load. False if the kernel refused: then the
    /// caller has no guarantee and must not sleep without a deadline (C30).
    #[must_use]
    pub(crate) fn heavy(&self) -> bool {
        full_fence();
        #[cfg(not(any(loom, shuttle)))]
        if !self.fenced
            && let Err(why) = membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED)
        {
            if !self.warned.swap(true, Ordering::Relaxed) {
                (self.warn)(&format!(
                    "membarrier failed after start-up ({why}): contended monitors are polled every millisecond by this thread"
                ));
            }
            return false;
        }
        true
    }
}

#[cfg(not(any(loom, shuttle)))]
fn membarrier(command: libc::c_int) -> std::io::Result<libc::c_long> {
    // SAFETY: the call takes no pointers.
    let answer = unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) };
    if answer < 0 { Err(std::io::Error::last_os_error()) } else { Ok(answer) }
}

#[cfg(not(any(loom, shuttle)))]
fn register_membarrier() -> std::io::Result<()> {
    let offered = membarrier(libc::MEMBARRIER_CMD_QUERY)?;
    if offered & libc::c_long::from(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0 {
        return Err(std::io::Error::from(std::io::ErrorKind::Unsupported));
    }
    membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)?;
    Ok(())
}
