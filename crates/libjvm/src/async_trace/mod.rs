//! `AsyncGetCallTrace`: the Java frames of a thread that a profiler's signal interrupted anywhere.
//!
//! Invariant: nothing here takes a lock, allocates, waits, or reads memory that may not be there
//! ([`known`], [`walk`]); what does not look like frames is answered by HotSpot's negative numbers.
//! So is a walk that breaks off, even if its inner frames were found.
//!
//! Where the innermost frame comes from:
//!
//! | the thread | frame |
//! |---|---|
//! | outside of the VM, or waiting in it | the anchors |
//! | in the interpreter's code | r8 (fp), and the register that points into the code of its method |
//! | in compiled code | rbp or rsp, by how much of the prologue or epilogue has run |
//! | in a routine of the VM that compiled code called without an anchor | the return address on the stack from which the code leads to the anchors |
//! | anywhere else in the VM | the anchors |
//!
//! The bytecode index is exact in the interpreter and at calls. Compiled code that is between two of
//! its calls has the place of [`Installed::frames_near`]. Thread states in which frames move (a
//! collection, a stop) need no care: a thread is not stopped before it is outside or waits, and then
//! its anchors are complete.
//!
//! Ids of methods are their addresses: giving one out keeps the memory of its class.
mod known;
mod walk;

use crate::env::MethodId;
use concord_contract::code_table::{Installed, Place, find};
use concord_contract::frame::{CALLER_FP, RETURN_PC, WITHOUT_STUB};
use concord_contract::thread::ThreadState;
use concord_contract::{MethodRef, Thread};
use concord_interpreter::text;
pub use known::init;
use libc::{
    REG_R8, REG_R9, REG_R10, REG_R11, REG_R14, REG_RAX, REG_RBP, REG_RCX, REG_RDI, REG_RDX, REG_RIP, REG_RSI, REG_RSP,
};
use std::ffi::{c_int, c_void};
use walk::{At, Broken, Stacks, is_return_address};

/// One frame of a trace: the bytecode index, -3 in native methods.
#[repr(C)]
pub struct CallFrame {
    bci: c_int,
    method: MethodId,
}
/// What profilers pass.
#[repr(C)]
pub struct CallTrace {
    env: *const Thread,
    frames: c_int,
    rows: *mut CallFrame,
}

/// HotSpot's numbers for traces that cannot be had.
mod no_trace {
    /// The thread runs nothing of Java.
    pub const NO_JAVA_FRAME: i32 = 0;
    /// It is outside of Java code, and its frames cannot be walked.
    pub const NOT_WALKABLE: i32 = -4;
    /// It runs Java code, in no frame that can be recognized.
    pub const UNKNOWN_JAVA: i32 = -5;
    /// As well, and its frames cannot be walked.
    pub const NOT_WALKABLE_JAVA: i32 = -6;
    /// The thread has no Java part (any more).
    pub const THREAD_EXIT: i32 = -8;
}
use no_trace::*;

/// The calling thread. Not inlined: the first look of a thread at its thread-local memory allocates
/// that memory, and the compiler is free to look before it asks whether to. In a handler that has
/// interrupted the allocator the thread would wait for itself.
#[inline(never)]
fn attached() -> Option<&'static Thread> {
    Thread::current_opt()
}

/// # Safety
/// `trace` is null or the interface's record, with room for `depth` frames; `context` is null or
/// what a signal handler got on this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AsyncGetCallTrace(trace: *mut CallTrace, depth: c_int, context: *mut c_void) {
    // SAFETY: the caller passes null or a valid record.
    let Some(trace) = (unsafe { trace.as_mut() }) else { return };
    // A thread without an environment may not have its thread-local memory yet: no look there.
    let th = if trace.env.is_null() { None } else { attached() };
    let Some(th) = th.filter(|th| std::ptr::eq(*th, trace.env)) else {
        trace.frames = THREAD_EXIT;
        return;
    };
    // SAFETY: the calling thread's own errno, which the interrupted code may be about to look at.
    let errno = unsafe { &mut *libc::__errno_location() };
    let before = *errno;
    // SAFETY: a handler's context holds the registers.
    let registers = unsafe { context.cast::<libc::ucontext_t>().as_ref() }.map(|c| &c.uc_mcontext.gregs);
    let (rows, room) = (trace.rows, depth.max(0));
    let mut n = 0;
    let result = frames(th, registers, &mut |m, bci| {
        if n < room {
            // SAFETY: the caller has room for `depth` frames.
            unsafe { rows.add(n as usize).write(CallFrame { bci, method: MethodId::of(m) }) };
            n += 1;
        }
        n < room
    });
    trace.frames = result.map_or_else(|code| code, |()| n);
    *errno = before;
}

/// The Java frames of the calling thread, which was interrupted with these registers, as far as they can be found; those
/// that its anchors name among them.
pub fn interrupted(th: &Thread, registers: &[libc::greg_t; 23], each: &mut dyn FnMut(MethodRef, i32) -> bool) {
    // What breaks off was given until there.
    let _result = frames(th, Some(registers), each);
}

type Registers = [libc::greg_t; 23];

/// What the registers and the thread say of the innermost frame.
struct Interrupted<'a> {
    th: &'a Thread,
    registers: &'a Registers,
    stacks: Stacks,
}

fn frames(th: &Thread, registers: Option<&Registers>, each: walk::Sink<'_>) -> Result<(), i32> {
    let rsp = registers.map_or(0, |r| r[REG_RSP as usize] as usize);
    match th.state() {
        ThreadState::New => Err(NO_JAVA_FRAME),
        ThreadState::Native | ThreadState::Blocked => {
            let at = anchors(th).ok_or(NO_JAVA_FRAME)?;
            walk::walk(&Stacks::of(th, rsp, true), at, each).map_err(|Broken| NOT_WALKABLE)
        }
        ThreadState::InVm => {
            let registers = registers.ok_or(UNKNOWN_JAVA)?;
            let i = Interrupted { th, registers, stacks: Stacks::of(th, rsp, false) };
            let (at, in_java) = i.innermost()?;
            let code = if in_java { NOT_WALKABLE_JAVA } else { NOT_WALKABLE };
            walk::walk(&i.stacks, at, each).map_err(|Broken| code)
        }
    }
}

/// The innermost frame of a thread in the runtime.
fn anchors(th: &Thread) -> Option<At> {
    let (sp, fp) = (th.anchor_sp.get(), th.fp.get());
    if sp != 0 {
        return Some(At::Call { sp: sp & !WITHOUT_STUB, innermost: sp & WITHOUT_STUB == 0 });
    }
    (!fp.is_null()).then(|| At::Java { fp: fp as usize, pc: th.pc.get() as usize, innermost: true })
}

impl Interrupted<'_> {
    fn get(&self, register: c_int) -> usize {
        self.registers[register as usize] as usize
    }
    /// The innermost frame, and whether it runs Java code.
    fn innermost(&self) -> Result<(At, bool), i32> {
        let pc = self.get(REG_RIP);
        if text::hot().contains(&pc) {
            return self.interpreted().map(|at| (at, true)).ok_or(UNKNOWN_JAVA);
        }
        if text::cold().contains(&pc) {
            return self.interpreted().or_else(|| anchors(self.th)).map(|at| (at, true)).ok_or(UNKNOWN_JAVA);
        }
        match find(pc) {
            Some(Place::Method(code)) if !self.th.rebuilt.get() => {
                self.compiled(code, pc).map(|at| (at, true)).ok_or(UNKNOWN_JAVA)
            }
            // Rebuilt frames are the anchors, and those of compiled code return to the adapter.
            Some(Place::Method(_)) => anchors(self.th).map(|at| (at, true)).ok_or(UNKNOWN_JAVA),
            Some(Place::Adapter(_)) => {
                self.interpreted().or_else(|| anchors(self.th)).map(|at| (at, true)).ok_or(UNKNOWN_JAVA)
            }
            None => self.leaf()?.or_else(|| anchors(self.th)).map(|at| (at, false)).ok_or(NO_JAVA_FRAME),
        }
    }

    /// The interpreter's frame. Handlers keep pc in rsi and fp in r8 but for their last few
    /// instructions: entries move pc, and returns have the caller's fp elsewhere for a while.
    fn interpreted(&self) -> Option<At> {
        const PC: [c_int; 9] = [REG_RSI, REG_R11, REG_RAX, REG_R10, REG_R9, REG_RDX, REG_RCX, REG_R14, REG_RDI];
        const FP: [c_int; 5] = [REG_R8, REG_RAX, REG_R11, REG_R10, REG_R9];
        let s = &self.stacks;
        for fp in FP.map(|r| self.get(r)) {
            let Ok(Some(m)) = s.method(fp) else { continue };
            if let Some(pc) = PC.into_iter().map(|r| self.get(r)).find(|pc| walk::is_in_code(m, *pc)) {
                return Some(At::Java { fp, pc, innermost: true });
            }
        }
        let (fp, next) = (self.get(REG_R8), self.get(REG_RSI));
        if s.method(fp).ok()?.is_none() {
            return walk::is_entry(s, fp).then_some(At::Java { fp, pc: next, innermost: true });
        }
        if s.header(fp, RETURN_PC).ok()? as usize == next {
            // A return that has its target and not yet its frame.
            return Some(At::Java { fp: s.header(fp, CALLER_FP).ok()? as usize, pc: next, innermost: false });
        }
        Some(At::Java { fp, pc: 0, innermost: true })
    }

    /// Compiled code at `pc`. Its frame is `push rbp; mov rbp, rsp; sub rsp, n`, and is left by
    /// `pop rbp; ret`.
    fn compiled(&self, code: &'static Installed, pc: usize) -> Option<At> {
        const PUSH: usize = 1;
        const MOVE: usize = 4;
        const RET: u8 = 0xc3;
        let (rsp, rbp) = (self.get(REG_RSP), self.get(REG_RBP));
        // SAFETY: the processor was about to run this byte of code, which nobody frees before the
        // thread is stopped.
        let ret = unsafe { *(pc as *const u8) } == RET;
        let slot = match pc - code.start {
            0 => rsp,
            _ if ret => rsp,
            offset if offset < PUSH + MOVE => rsp.wrapping_add(8),
            _ => rbp
                .checked_add(8)
                .filter(|slot| (rsp..=rsp.saturating_add(code.frame_span as usize)).contains(&(slot - 8)))?,
        };
        is_return_address(self.stacks.native(slot).ok()?).then_some(At::Running { code, pc, slot })
    }

    /// The compiled code that called what runs now, if there is no anchor for it. Calls of routines that cannot stop have
    /// no record; others have one, and an anchor after a few instructions of their stub, so they are looked for last: a
    /// routine's frame may have words in it that its predecessors left. First comes the call whose frame is the one that
    /// rbp still names: few routines use that register for anything else.
    fn leaf(&self) -> Result<Option<At>, i32> {
        /// Bytes of stack that such routines have at most.
        const REACH: usize = 4096;
        // Frames that are looked at: others than those of a leaf may be many, and be met often.
        let mut budget = 2_000;
        if self.th.anchor_sp.get() != 0 || self.th.rebuilt.get() {
            return Ok(None);
        }
        let s = &self.stacks;
        let end = s.native.end.min(s.native.start + REACH);
        let below = self.get(REG_RBP).clamp(s.native.start, end);
        let rbp_names = |at: usize, code: &Installed| at + code.frame_span as usize == self.get(REG_RBP);
        let mut is_entered =
            |sp: usize| matches!(walk::entered_from(s, sp, &mut budget), Ok(fp) if fp == self.th.fp.get() as usize);
        let call = |at: usize| {
            let pc = s.native(at).ok()?;
            match find(pc) {
                Some(Place::Method(code)) => Some((code, pc)),
                _ => None,
            }
        };
        let mut unrecorded = |at: usize, named: bool| {
            let (code, pc) = call(at)?;
            let slot = at + 8 + code.frame_span as usize;
            let is_one =
                (!named || rbp_names(at, code)) && code.call_at(pc).is_none() && walk::is_behind_call(code, pc);
            (is_one && is_entered(at + 8)).then_some(At::Running { code, pc: pc - 1, slot })
        };
        let named = (s.native.start..below).step_by(8).rev().find_map(|at| unrecorded(at, true));
        let any = named.or_else(|| (s.native.start..end).step_by(8).find_map(|at| unrecorded(at, false)));
        let found = any.or_else(|| {
            let mut all = (s.native.start..end).step_by(8);
            let recorded = |at: &usize| call(*at).is_some_and(|(code, pc)| code.call_at(pc).is_some());
            all.find(|at| recorded(at) && is_entered(at + 8)).map(|at| At::Call { sp: at + 8, innermost: true })
        });
        if found.is_none() && budget == 0 { Err(NOT_WALKABLE_JAVA) } else { Ok(found) }
    }
}
