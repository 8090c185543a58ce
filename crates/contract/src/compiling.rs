//! What each compiler thread is at, for the report if it crashes there.
//!
//! Invariant: [`at`] takes no lock and allocates nothing, so a signal handler may call it, also on
//! the thread that compiles. A slot is written by its own thread alone; what it names outlives the
//! compilation, but for the recording, which may move when it grows: whoever reads it lets the
//! kernel copy it, which refuses where a load would fault.
use crate::compiled::{CompLevel, CompileRequest};
use crate::method::{Method, MethodRef};
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering};

/// Most compiler threads that there can be.
const SLOTS: usize = 64;
const NO_BCI: u32 = u32::MAX;

struct Slot {
    /// The kernel's id of the thread, 0 if the slot is free.
    thread: AtomicU32,
    method: AtomicPtr<Method>,
    osr_bci: AtomicU32,
    id: AtomicU32,
    level: AtomicU8,
    text: AtomicPtr<u8>,
    len: AtomicUsize,
}

static ALL: [Slot; SLOTS] = [const {
    Slot {
        thread: AtomicU32::new(0),
        method: AtomicPtr::new(std::ptr::null_mut()),
        osr_bci: AtomicU32::new(NO_BCI),
        id: AtomicU32::new(0),
        level: AtomicU8::new(CompLevel::Plain as u8),
        text: AtomicPtr::new(std::ptr::null_mut()),
        len: AtomicUsize::new(0),
    }
}; SLOTS];

/// A compilation under way.
#[derive(Clone, Copy, Debug)]
pub struct Compilation {
    pub method: MethodRef,
    pub osr_bci: Option<u16>,
    pub id: u32,
    /// HotSpot's number of [`CompLevel`].
    pub level: u8,
    /// Address and length of the recording so far; length 0 if there is none.
    pub recording: (usize, usize),
}

/// As long as it lives, this thread compiles.
#[derive(Debug)]
pub struct Under {
    slot: usize,
}

/// The calling thread, whose kernel id is `thread`, compiles what the request says until the result
/// is dropped. None if more threads compile than there can be: then nobody will know of it.
pub fn begin(thread: u32, request: &CompileRequest) -> Option<Under> {
    let take = |s: &Slot| s.thread.compare_exchange(0, thread, Ordering::AcqRel, Ordering::Relaxed).is_ok();
    let slot = ALL.iter().position(take)?;
    let s = &ALL[slot];
    s.len.store(0, Ordering::Relaxed);
    s.osr_bci.store(request.osr_bci.map_or(NO_BCI, u32::from), Ordering::Relaxed);
    s.id.store(request.id, Ordering::Relaxed);
    s.level.store(request.level as u8, Ordering::Relaxed);
    s.method.store(std::ptr::from_ref(request.method).cast_mut(), Ordering::Release);
    Some(Under { slot })
}

/// What is recorded so far of the compilation with this number.
pub fn recorded(id: u32, text: &[u8]) {
    let is = |s: &&Slot| s.thread.load(Ordering::Relaxed) != 0 && s.id.load(Ordering::Relaxed) == id;
    let Some(s) = ALL.iter().find(is) else { return };
    s.len.store(0, Ordering::Release);
    s.text.store(text.as_ptr().cast_mut(), Ordering::Release);
    s.len.store(text.len(), Ordering::Release);
}

impl Drop for Under {
    fn drop(&mut self) {
        let s = &ALL[self.slot];
        s.method.store(std::ptr::null_mut(), Ordering::Release);
        s.thread.store(0, Ordering::Release);
    }
}

/// What the thread with this kernel id compiles.
pub fn at(thread: u32) -> Option<Compilation> {
    read(ALL.iter().find(|s| s.thread.load(Ordering::Acquire) == thread)?)
}

/// All compilations under way, for a thread that no stop waits for: the methods stay as long as it
/// is in the VM.
pub fn all() -> impl Iterator<Item = Compilation> {
    ALL.iter().filter(|s| s.thread.load(Ordering::Acquire) != 0).filter_map(read)
}

fn read(s: &Slot) -> Option<Compilation> {
    let method = s.method.load(Ordering::Acquire);
    // SAFETY: null, or the method of a request; classes stay while they are compiled.
    let method = unsafe { method.as_ref() }?;
    let bci = s.osr_bci.load(Ordering::Relaxed);
    let len = s.len.load(Ordering::Acquire);
    Some(Compilation {
        method,
        osr_bci: u16::try_from(bci).ok(),
        id: s.id.load(Ordering::Relaxed),
        level: s.level.load(Ordering::Relaxed),
        recording: (s.text.load(Ordering::Acquire) as usize, len),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_taken_and_given_back() {
        let take = |s: &Slot| s.thread.compare_exchange(0, 7, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        assert!(at(7).is_none());
        assert!(ALL.iter().all(take));
        // Taken, and no method yet.
        assert!(at(7).is_none() && !ALL.iter().any(take));
        (0..SLOTS).for_each(|slot| drop(Under { slot }));
        assert!(ALL.iter().all(|s| s.thread.load(Ordering::Acquire) == 0));
    }
}
