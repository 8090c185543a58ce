//! From compiled code into the interpreter.
//!
//! Invariant: the arguments are on the Java stack behind an entry frame before anything can
//! collect; the entry frame names the compiled caller, and the caller's anchors are back when the
//! call ends.
use concord_contract::method::MhIntrinsic;
use concord_contract::{BasicType, Method, Thread};
use concord_interpreter::entry;
use concord_runtime::MethodExt;
use std::sync::atomic::Ordering;

/// Where the arguments of a compiled call are.
struct Arguments {
    /// Five words, then eight vector registers.
    registers: *const u64,
    stack: *const u64,
    ints: usize,
    floats: usize,
    memory: usize,
}

impl Arguments {
    /// # Safety
    /// The call has such an argument.
    unsafe fn next(&mut self, t: BasicType) -> u64 {
        // SAFETY: by the caller's word.
        unsafe {
            let v = match t {
                BasicType::Float | BasicType::Double if self.floats < 8 => {
                    self.floats += 1;
                    *self.registers.add(4 + self.floats)
                }
                BasicType::Float | BasicType::Double => self.next_in_memory(),
                _ if self.ints < 5 => {
                    self.ints += 1;
                    *self.registers.add(self.ints - 1)
                }
                _ => self.next_in_memory(),
            };
            match t {
                BasicType::Long | BasicType::Double | BasicType::Object => v,
                // The upper half of a narrow argument is undefined.
                _ => v & 0xffff_ffff,
            }
        }
    }
    /// # Safety
    /// As `next`.
    unsafe fn next_in_memory(&mut self) -> u64 {
        self.memory += 1;
        // SAFETY: by the caller's word.
        unsafe { *self.stack.add(self.memory - 1) }
    }
}

/// Runs `m` in the interpreter.
///
/// # Safety
/// Called by the stub with its saved registers and the address of the memory arguments.
pub unsafe extern "sysv64" fn enter(th: &Thread, m: &'static Method, registers: *const u64, stack: *const u64) -> u64 {
    let mut a = Arguments { registers, stack, ints: 0, floats: 0, memory: 0 };
    let fill = |base: *mut u64| {
        let receiver = (!m.is_static()).then_some(BasicType::Object);
        let mut at = base;
        for t in receiver.into_iter().chain(MethodExt::info(m).params.iter().copied()) {
            // SAFETY: the caller passed what the descriptor says; there is room for `nargs` slots.
            unsafe {
                *at = a.next(t);
                at = at.add(t.slots());
            }
        }
    };
    let is_native = m.is_native() && m.mh_intrinsic == MhIntrinsic::None;
    let r = if is_native && !m.is_synchronized() {
        entry::call_native_with(th, m, fill)
    } else {
        entry::call_with(th, m, m.nargs(), fill)
    };
    if is_native {
        crate::natives::called(m);
    }
    match r {
        Ok(v) => {
            // A reference in `v` stays where it is: this frame names it.
            crate::tiers::called_from_compiled(th, m);
            crate::rows::zeal(th);
            v
        }
        Err(_) => {
            th.watermark.store(0, Ordering::Relaxed);
            0
        }
    }
}
