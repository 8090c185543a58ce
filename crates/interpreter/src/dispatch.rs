//! The calling convention of handlers, and the only place that knows how one reaches the next.
//!
//! Invariant: a handler ends in a sibling call through [`TABLE`]; it makes no other call, has no
//! stack frame and cannot panic. What cannot be done that way leaves through [`Next::Slow`], after
//! the state at entry has been restored and the operand stack is in memory.
//!
//! ```text
//!   register   rdi  rsi  rdx  rcx  r8  r9   xmm0
//!   argument   th   pc   sp   lp   fp  tos  ftos
//! ```
use crate::code::{OPCODES, PROFILED, TRACED};
use crate::jump::jump;
use crate::profile::{self, Profiled, Shape};
use crate::stack::{DOUBLE, NONE, STATES, Stack};
use crate::{heat, ops, slow};
use concord_contract::frame;
use concord_contract::method::{CpEntry, Method};
use concord_contract::thread::Thread;
use std::sync::atomic::{AtomicU32, Ordering};

/// A handler, or a method entry (then `tos` is the method and `pc` the return address).
pub type Handler = unsafe extern "sysv64" fn(*const Thread, *const u32, *mut u64, *mut u64, *mut u64, u64, f64);

/// What a handler knows besides the operand stack.
#[derive(Clone, Copy)]
pub struct Context {
    pub th: *const Thread,
    /// Word of the instruction.
    pub pc: *const u32,
    pub lp: *mut u64,
    pub fp: *mut u64,
}

/// How a handler ends.
pub enum Next {
    /// The next instruction in line.
    Fall,
    /// By the displacement of the word at this offset, if the condition holds.
    Branch(bool, usize),
    Goto(usize),
    /// To a computed address.
    Jump(*const u32),
    /// The cold path of this [`slow::Kind`] does the whole instruction.
    Slow(slow::Kind),
    /// Calls this method with its arguments on the stack.
    Invoke(*const Method),
    /// As well, selected by a receiver with this layout.
    InvokeOn(*const Method, u32),
    /// As `Fall`, after a type test of an object with this layout; 0 for null.
    Tested(u32),
    /// The handler of this opcode does the rest, with the same operands.
    As(usize),
    /// Leaves the frame; a result is the newest pending value.
    Return,
    /// Leaves the interpreter.
    Exit,
}

impl Next {
    /// Moves branch words of the last component of a superinstruction.
    #[inline(always)]
    pub fn rebase(self, words: usize) -> Next {
        match self {
            Next::Branch(c, o) => Next::Branch(c, o + words),
            Next::Goto(o) => Next::Goto(o + words),
            n => n,
        }
    }
}

/// One row of the bytecode table.
pub trait Op {
    const CODE: u16;
    /// Words of the instruction.
    const WORDS: usize;
    /// The kind that must be on top if anything is cached; `NONE` accepts every state.
    const TOP: u8;
    const NAME: &'static str;
    /// First component of a superinstruction: a slow case starts again there.
    const REPLAY: Option<u16> = None;
    /// Counts what it does; see [`crate::profile`].
    const PROFILE: bool = false;
    /// # Safety
    /// `c` and `k` describe a frame whose current instruction is this one, in verified code.
    unsafe fn run(k: &mut Stack, c: &Context) -> Next;
}

impl Context {
    #[inline(always)]
    pub fn at(&self, words: usize) -> Context {
        Context { pc: self.pc.wrapping_add(words), ..*self }
    }
    /// The 16-bit operand.
    #[inline(always)]
    pub fn operand(&self) -> usize {
        // SAFETY: the upper half of the instruction's word.
        unsafe { half((self.pc as *const u16).wrapping_add(1)) }
    }
    /// The 16-bit operand, sign-extended.
    #[inline(always)]
    pub fn signed(&self) -> i32 {
        self.operand() as u16 as i16 as i32
    }
    /// Word `n` of the instruction.
    #[inline(always)]
    pub fn word(&self, n: usize) -> u32 {
        // SAFETY: instructions with operand words are translated with them.
        unsafe { (*(self.pc.add(n) as *const AtomicU32)).load(Ordering::Relaxed) }
    }
    /// The constant-pool cache entry that the operand names.
    #[inline(always)]
    pub fn entry(&self) -> &CpEntry {
        // SAFETY: the frame header holds the cache of the method's class, which has an entry for
        // every operand.
        unsafe { &*(*self.fp.sub(frame::AUX) as *const CpEntry).add(self.operand()) }
    }
    #[inline(always)]
    pub fn local(&self, n: usize) -> *mut u64 {
        self.lp.wrapping_add(n)
    }
}

/// One row per cache state.
pub type Row = [Handler; OPCODES];
/// The dispatch table: cache state, opcode.
pub static TABLE: [Row; STATES] = [ops::row::<0>(), ops::row::<1>(), ops::row::<2>(), ops::row::<3>()];

/// Puts `O` in the row of state `S`: plain, traced, and profiled if it can be.
pub const fn install<O: Op, const S: u8>(row: &mut Row) {
    if O::TOP == NONE || S == NONE || S == O::TOP {
        row[O::CODE as usize] = handler::<O, S>;
        row[(O::CODE | TRACED) as usize] = ops::trace::<S>;
        if !matches!(profile::shape(O::CODE), Shape::Nothing) {
            row[(O::CODE | PROFILED) as usize] = handler::<Profiled<O>, S>;
        }
    }
}

/// The opcode of the word at `pc`.
///
/// # Safety
/// `pc` is in translated code.
#[inline(always)]
pub unsafe fn opcode(pc: *const u32) -> usize {
    // SAFETY: the lower half of a word of code.
    unsafe { half(pc as *const u16) }
}

/// Half a word of code, which another thread may be quickening.
///
/// # Safety
/// `p` is in translated code.
#[inline(always)]
unsafe fn half(p: *const u16) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        let v: usize;
        // One instruction, where a relaxed atomic load is extended by a second one: each handler
        // does this once or twice.
        // SAFETY: an aligned load of memory that lives as long as the process; the assembler is
        // opaque to the compiler, so a store by another thread is no race in its eyes.
        unsafe {
            std::arch::asm!(
                "movzx {v:e}, word ptr [{p}]",
                p = in(reg) p,
                v = lateout(reg) v,
                options(pure, readonly, nostack, preserves_flags)
            );
        }
        v
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: an aligned load of memory that lives as long as the process.
    unsafe {
        (*(p as *const std::sync::atomic::AtomicU16)).load(Ordering::Relaxed) as usize
    }
}

/// # Safety
/// Translated code only: opcodes index the table by construction.
#[inline(always)]
unsafe fn lookup(state: u8, op: usize) -> Handler {
    // SAFETY: `state` < 4 and the translator writes opcodes below `OPCODES` only.
    unsafe { *TABLE.get_unchecked(state as usize).get_unchecked(op) }
}

/// Runs the instruction at `pc` with the cache state of `k`; `k` has at most one pending value.
///
/// # Safety
/// The registers describe a frame that may execute `pc`.
#[inline(always)]
pub unsafe fn dispatch(c: &Context, pc: *const u32, k: &Stack, tos: u64, ftos: f64) {
    let (state, v) = k.top();
    // SAFETY: by the caller's word; the handler has the same contract.
    unsafe {
        let h = lookup(state, opcode(pc));
        match state {
            NONE => jump(h, c.th, pc, k.sp, c.lp, c.fp, tos, ftos),
            DOUBLE => jump(h, c.th, pc, k.sp, c.lp, c.fp, tos, f64::from_bits(v)),
            _ => jump(h, c.th, pc, k.sp, c.lp, c.fp, v, ftos),
        }
    }
}

/// Runs on from the anchors of the thread block, operand stack in memory.
///
/// # Safety
/// The anchors describe a frame that may execute `pc`.
#[inline(always)]
pub unsafe fn resume(th: *const Thread) {
    // SAFETY: by the caller's word.
    unsafe {
        let c = Context { th, pc: (*th).pc.get(), lp: (*th).lp.get(), fp: (*th).fp.get() };
        dispatch(&c, c.pc, &Stack::new(NONE, (*th).sp.get(), 0, 0.0), 0, 0.0)
    }
}

/// Jumps to a method's entry.
///
/// # Safety
/// The method's arguments are on top of the stack in memory; `pc` is the return address.
#[inline(always)]
pub unsafe fn invoke(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    m: *const Method,
    ftos: f64,
) {
    // SAFETY: entries are handlers by the invariant of `Method`.
    unsafe {
        let e: Handler = std::mem::transmute((*m).entry.load(Ordering::Acquire));
        jump(e, th, pc, sp, lp, fp, m as u64, ftos)
    }
}

/// Whether a jump from `from` to `to` is a back edge that has to enter the runtime.
#[inline(always)]
unsafe fn back_edge(c: &Context, from: *const u32, to: *const u32) -> bool {
    // SAFETY: the thread block lives as long as its thread runs.
    to <= from && unsafe { (*c.th).poll.load(Ordering::Relaxed) != 0 || heat::tick(c.th, heat::of_target(to)) }
}

/// Ends a handler. `sp`, `tos` and `ftos` are the registers at its entry.
///
/// # Safety
/// `k` and `c` come from the handler of `O` in state `S`.
#[inline(always)]
unsafe fn finish<O: Op, const S: u8>(n: Next, k: &mut Stack, c: &Context, sp: *mut u64, tos: u64, ftos: f64) {
    // SAFETY: the handler left `k` and `c` describing the frame; targets are in the same code.
    unsafe {
        match n {
            Next::Fall => {
                k.flush(1);
                dispatch(c, c.pc.add(O::WORDS), k, tos, ftos)
            }
            Next::Tested(id) => {
                k.flush(1);
                if O::PROFILE {
                    profile::object(c.th, c.pc, id);
                }
                dispatch(c, c.pc.add(O::WORDS), k, tos, ftos)
            }
            Next::Branch(taken, at) => {
                k.flush(0);
                let b = c.at(at);
                if O::PROFILE {
                    profile::branch(c.th, b.pc, taken);
                }
                if taken {
                    let to = b.pc.offset(b.signed() as isize);
                    if back_edge(c, b.pc, to) {
                        return slow::stub(c.th, to, k.sp, c.lp, c.fp, slow::Kind::Poll as u64, ftos);
                    }
                    dispatch(c, to, k, tos, ftos)
                } else {
                    dispatch(c, c.pc.add(O::WORDS), k, tos, ftos)
                }
            }
            Next::Goto(at) => {
                k.flush(0);
                let b = c.at(at);
                let to = b.pc.offset(b.signed() as isize);
                if back_edge(c, b.pc, to) {
                    return slow::stub(c.th, to, k.sp, c.lp, c.fp, slow::Kind::Poll as u64, ftos);
                }
                dispatch(c, to, k, tos, ftos)
            }
            Next::Jump(to) => {
                k.flush(0);
                if back_edge(c, c.pc, to) {
                    return slow::stub(c.th, to, k.sp, c.lp, c.fp, slow::Kind::Poll as u64, ftos);
                }
                dispatch(c, to, k, tos, ftos)
            }
            Next::Invoke(m) => {
                k.flush(0);
                if O::PROFILE {
                    profile::call(c.th, c.pc);
                }
                invoke(c.th, c.pc.add(O::WORDS), k.sp, c.lp, c.fp, m, ftos)
            }
            Next::InvokeOn(m, id) => {
                k.flush(0);
                if O::PROFILE {
                    profile::object(c.th, c.pc, id);
                }
                invoke(c.th, c.pc.add(O::WORDS), k.sp, c.lp, c.fp, m, ftos)
            }
            Next::Return => {
                let fp = c.fp;
                let to = *fp.sub(frame::RETURN_PC) as *const u32;
                let caller = Context {
                    lp: *fp.sub(frame::CALLER_LP) as *mut u64,
                    fp: *fp.sub(frame::CALLER_FP) as *mut u64,
                    ..*c
                };
                k.flush(1);
                dispatch(&caller, to, k, tos, ftos)
            }
            Next::Slow(kind) => match O::REPLAY {
                Some(first) => lookup(S, first as usize)(c.th, c.pc, sp, c.lp, c.fp, tos, ftos),
                None => {
                    let mut entry = Stack::new(S, sp, tos, ftos);
                    entry.flush(0);
                    slow::stub(c.th, c.pc, entry.sp, c.lp, c.fp, kind as u64, ftos)
                }
            },
            Next::As(op) => lookup(S, op)(c.th, c.pc, sp, c.lp, c.fp, tos, ftos),
            Next::Exit => {
                let (state, v) = k.top();
                // Whoever was entered for may be asked for its frames before it has its anchors back.
                (*c.th).pc.set(c.pc);
                (*c.th).fp.set(c.fp);
                (*c.th).result.set(if state == NONE { *c.fp } else { v });
            }
        }
    }
}

/// The handler of `O` when `S` is cached.
///
/// # Safety
/// Reached only by dispatch from code of the interpreter.
#[unsafe(link_section = "interp_text")]
pub unsafe extern "sysv64" fn handler<O: Op, const S: u8>(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    tos: u64,
    ftos: f64,
) {
    let mut k = Stack::new(S, sp, tos, ftos);
    let c = Context { th, pc, lp, fp };
    // SAFETY: dispatch established what `run` and `finish` ask for.
    unsafe {
        let n = O::run(&mut k, &c);
        finish::<O, S>(n, &mut k, &c, sp, tos, ftos)
    }
}

/// Stands where verified code never leads: an opcode without a row, or a cache state that the
/// opcode cannot meet.
///
/// # Safety
/// As every handler.
#[cold]
pub unsafe extern "sysv64" fn bad(
    _: *const Thread,
    pc: *const u32,
    _: *mut u64,
    _: *mut u64,
    fp: *mut u64,
    _: u64,
    _: f64,
) {
    // SAFETY: a frame is executing, so its header and code are readable.
    let (m, op) = unsafe { (*fp.sub(frame::METHOD) as *const Method, opcode(pc)) };
    // SAFETY: headers hold null or a method.
    let m = unsafe { m.as_ref() };
    concord_base::bug!("opcode {op} cannot run in the cache state in which {m:?} reached it")
}

/// Runs the plain opcode under the traced one at `c.pc`, operand stack in memory.
///
/// # Safety
/// As [`dispatch`]; `k` has nothing pending.
#[inline(always)]
pub unsafe fn run_untraced(c: &Context, k: &Stack) {
    // SAFETY: by the caller's word.
    unsafe {
        let op = opcode(c.pc) & (TRACED as usize - 1);
        lookup(NONE, op)(c.th, c.pc, k.sp, c.lp, c.fp, 0, 0.0)
    }
}
