//! Monitors as handlers enter and leave them: no calls, no checks.
//!
//! Invariant: a function here that returns true has changed the monitor and the thread's lock stack
//! together; one that returns false leaves the lock stack as it was, and the slow path
//! ([`crate::slow::locks`]) does the whole instruction next, with no poll in between. The lock word's
//! rules are the monitors room's; the lock stack is described in the slow path.
use concord_contract::method::{Method, acc};
use concord_contract::object::{LOCK_OFFSET, Obj};
use concord_contract::thread::Thread;
use concord_monitors::{AtomicU32, MonitorThread};
use std::sync::atomic::Ordering;

/// What a method's return has to give back, in the operand of its word: the plain opcode to go on
/// with, and this if the method is synchronized.
pub const SYNCHRONIZED: u16 = 1 << 15;

/// # Safety
/// `th` is the running thread, attached to the monitors room.
#[inline(always)]
unsafe fn state<'a>(th: *const Thread) -> &'a MonitorThread {
    // SAFETY: by the caller's word.
    unsafe { &*((*th).monitor.load(Ordering::Relaxed) as *const MonitorThread) }
}

/// # Safety
/// `o` is a live object.
#[inline(always)]
unsafe fn lock_word<'a>(o: u64) -> &'a AtomicU32 {
    // SAFETY: every object begins with its lock word, to which only atomic accesses are made.
    unsafe { AtomicU32::from_ptr((o + LOCK_OFFSET as u64) as *mut u32) }
}

/// Enters the monitor of `o` for the frame `fp`.
///
/// # Safety
/// `th` is the running thread, `o` a live object.
#[inline(always)]
pub unsafe fn enter(th: *const Thread, o: u64, fp: *mut u64) -> bool {
    // SAFETY: the lock stack is the running thread's, and the reference ends here; the entry
    // behind the last is within the capacity.
    unsafe {
        let stack = &mut *(*th).lock_stack.get();
        let n = stack.len();
        if n == stack.capacity() || !state(th).try_enter_leaf(lock_word(o), o) {
            return false;
        }
        stack.as_mut_ptr().add(n).write((Obj::from_addr(o as usize), fp));
        stack.set_len(n + 1);
        true
    }
}

/// Leaves the monitor of `o`, which the frame `fp` entered last.
///
/// # Safety
/// As [`enter`].
#[inline(always)]
pub unsafe fn exit(th: *const Thread, o: u64, fp: *mut u64) -> bool {
    // SAFETY: as `enter`; the last entry exists if the length is not 0.
    unsafe {
        let stack = &mut *(*th).lock_stack.get();
        let n = stack.len();
        if n == 0 {
            return false;
        }
        let last = *stack.as_ptr().add(n - 1);
        if last.1 != fp || last.0.addr() as u64 != o || !state(th).try_exit_fast(lock_word(o), o) {
            return false;
        }
        stack.set_len(n - 1);
        true
    }
}

/// Gives back what the frame `fp` owns at a return: the method's own monitor if it is synchronized.
/// False, too, if the frame owns anything else.
///
/// # Safety
/// As [`enter`]; `fp` is the innermost frame.
#[inline(always)]
pub unsafe fn leave(th: *const Thread, synchronized: bool, fp: *mut u64) -> bool {
    // SAFETY: as `exit`.
    unsafe {
        let stack = &mut *(*th).lock_stack.get();
        let n = stack.len();
        let entry = |i: usize| *stack.as_ptr().add(i);
        if !synchronized {
            return n == 0 || entry(n - 1).1 != fp;
        }
        if n == 0 || (n > 1 && entry(n - 2).1 == fp) {
            return false;
        }
        let own = entry(n - 1);
        let o = own.0.addr() as u64;
        if own.1 != fp || !state(th).try_exit_fast(lock_word(o), o) {
            return false;
        }
        stack.set_len(n - 1);
        true
    }
}

/// The object that a synchronized method locks; `lp` are its frame's locals, at entry.
///
/// # Safety
/// `m` is a method of an initialized class, with its arguments at `lp`.
#[inline(always)]
pub unsafe fn of_method(m: *const Method, lp: *const u64) -> u64 {
    // SAFETY: local 0 of an instance method's frame is the receiver.
    unsafe {
        let is_static = (*m).flags.load(Ordering::Relaxed) & acc::STATIC != 0;
        if is_static { (*m).class.mirror.0.load(Ordering::Relaxed) } else { *lp }
    }
}
