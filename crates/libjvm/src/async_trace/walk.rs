//! From one frame to the next, where a frame may turn out not to be one.
//!
//! Invariant: what is read lies on the thread's own two stacks, between the interrupted code's stack
//! pointer and their ends, or was found to be a method or piece of code. Outer frames lie at lower
//! addresses of the Java stack and at higher ones of the native stack, so every walk ends.
use super::known;
use concord_contract::code_table::{Installed, Place, find};
use concord_contract::compiled::CallKind;
use concord_contract::frame::{AUX, CALLER_FP, CALLER_SP, HEADER_BYTES, METHOD, RETURN_PC, saved};
use concord_contract::{Method, MethodRef, Thread};
use concord_interpreter::code::Code;
use std::ops::Range;

/// What was to be a frame is none.
#[derive(Debug)]
pub struct Broken;

/// The memory that may be read.
pub struct Stacks {
    java: Range<usize>,
    pub native: Range<usize>,
    /// The anchors were complete when the thread left the VM: the frames are what they say. Then the
    /// world may be stopped, and no method that is not of such a frame may be looked at.
    exact: bool,
}

impl Stacks {
    /// Of the running thread, whose interrupted code has `rsp`.
    pub fn of(th: &Thread, rsp: usize, exact: bool) -> Stacks {
        let (low, high) = (th.native_limit.get(), th.native_base.get());
        // Frames of the VM may reach below the limit, but not far; other stacks are not read.
        const BELOW: usize = 256 << 10;
        let rsp = match (low.saturating_sub(BELOW)..high).contains(&rsp) {
            true => rsp,
            false if exact => th.native_sp.get(),
            false => high,
        };
        let java = th.stack_base.get() as usize;
        Stacks { java: java..java + th.stack_bytes.get(), native: rsp..high, exact }
    }
    fn word(range: &Range<usize>, at: usize) -> Result<u64, Broken> {
        if at < range.start || at.checked_add(8).is_none_or(|end| end > range.end) || !at.is_multiple_of(8) {
            return Err(Broken);
        }
        // SAFETY: aligned, and on a stack of the running thread, which is mapped from here to its end.
        Ok(unsafe { (at as *const u64).read_volatile() })
    }
    pub fn native(&self, at: usize) -> Result<usize, Broken> {
        Self::word(&self.native, at).map(|w| w as usize)
    }
    /// The word `down` slots below the `fp` of a frame.
    pub fn header(&self, fp: usize, down: usize) -> Result<u64, Broken> {
        if fp < self.java.start + HEADER_BYTES || fp >= self.java.end {
            return Err(Broken);
        }
        Self::word(&self.java, fp - 8 * down)
    }
    /// The method of the Java frame at `fp`; None for an entry frame.
    pub fn method(&self, fp: usize) -> Result<Option<MethodRef>, Broken> {
        match self.header(fp, METHOD)? {
            0 => Ok(None),
            // SAFETY: the frame is one; headers hold null or a method.
            m if self.exact => Ok(Some(unsafe { &*(m as *const Method) })),
            m => known::method(m).map(Some).ok_or(Broken),
        }
    }
    fn checked(&self, m: MethodRef) -> Result<MethodRef, Broken> {
        if self.exact { Ok(m) } else { known::method(std::ptr::from_ref(m) as u64).ok_or(Broken) }
    }
}

/// A frame.
#[derive(Clone, Copy)]
pub enum At {
    /// On the Java stack; `pc` is the word behind its call, or the current one if it is innermost.
    Java { fp: usize, pc: usize, innermost: bool },
    /// Compiled code at a call, with rsp there.
    Call { sp: usize, innermost: bool },
    /// Compiled code that is running: it is at `pc`, and its return address is at `slot`.
    Running { code: &'static Installed, pc: usize, slot: usize },
}

/// Takes a frame's method and bytecode index; false if there is no room for more.
pub type Sink<'a> = &'a mut dyn FnMut(MethodRef, i32) -> bool;

/// Bytecode index in traces of native methods.
const NATIVE: i32 = -3;

/// Visits the Java frames from `at` outwards.
pub fn walk(s: &Stacks, mut at: At, each: Sink<'_>) -> Result<(), Broken> {
    let (mut last_fp, mut last_sp) = (usize::MAX, 0);
    loop {
        match at {
            At::Java { fp, pc, innermost } => {
                if fp >= last_fp {
                    return Err(Broken);
                }
                last_fp = fp;
                let m = s.method(fp)?;
                if let Some(m) = m
                    && !each(m, bci_of(m, pc, innermost))
                {
                    return Ok(());
                }
                let sp = if m.is_none() { s.header(fp, CALLER_SP)? as usize } else { 0 };
                at = if sp != 0 {
                    At::Call { sp: sp & !concord_contract::frame::WITHOUT_STUB, innermost: false }
                } else {
                    match s.header(fp, CALLER_FP)? as usize {
                        // Only an entry frame has nothing behind it.
                        0 => return if m.is_none() { Ok(()) } else { Err(Broken) },
                        caller => {
                            At::Java { fp: caller, pc: s.header(fp, RETURN_PC)? as usize, innermost: m.is_none() }
                        }
                    }
                };
            }
            At::Call { sp, innermost } => {
                if sp <= last_sp {
                    return Err(Broken);
                }
                last_sp = sp;
                let pc = s.native(sp - 8)?;
                let Some(Place::Method(code)) = find(pc) else { return Err(Broken) };
                let slot = sp + code.frame_span as usize;
                let call = match code.call_at(pc) {
                    Some(call) => call,
                    // A row that never stops: what the code is about is told as of code that is running.
                    None if innermost => {
                        at = At::Running { code, pc: pc - 1, slot };
                        continue;
                    }
                    None => return Err(Broken),
                };
                // A husk's Java frames went to the interpreter, unless its stub has yet to do that.
                if innermost || call.kind == CallKind::Live {
                    for (m, bci) in &call.sites {
                        if !each(s.checked(m)?, i32::from(*bci)) {
                            return Ok(());
                        }
                    }
                }
                at = behind(s, slot)?;
            }
            At::Running { code, pc, slot } => {
                last_sp = slot;
                let whole = [(code.method, code.osr_bci.unwrap_or(0))];
                for (m, bci) in code.frames_near(pc).unwrap_or(&whole) {
                    if !each(s.checked(m)?, i32::from(*bci)) {
                        return Ok(());
                    }
                }
                at = behind(s, slot)?;
            }
        }
    }
}

/// The frame to which compiled code returns, whose return address is at `slot`.
fn behind(s: &Stacks, slot: usize) -> Result<At, Broken> {
    let (pc, sp) = (s.native(slot)?, slot + 8);
    match find(pc) {
        Some(Place::Method(_)) => Ok(At::Call { sp, innermost: false }),
        Some(Place::Adapter(a)) => {
            let word = |n: usize| s.native(sp + a.saved as usize + 8 * n);
            let fp = word(saved::FP)?;
            Ok(if a.replaces {
                At::Java {
                    fp: s.header(fp, CALLER_FP)? as usize,
                    pc: s.header(fp, RETURN_PC)? as usize,
                    innermost: false,
                }
            } else {
                At::Java { fp, pc: word(saved::PC)?, innermost: false }
            })
        }
        None => Err(Broken),
    }
}

/// The interpreter's frame from which the compiled code was entered that stands at a call at `sp`; the innermost call
/// need not have a record. Each frame on the way takes one from `budget`; without any left nothing is found.
pub fn entered_from(s: &Stacks, mut sp: usize, budget: &mut usize) -> Result<usize, Broken> {
    let innermost = sp;
    loop {
        *budget = budget.checked_sub(1).ok_or(Broken)?;
        let pc = s.native(sp - 8)?;
        let Some(Place::Method(code)) = find(pc) else { return Err(Broken) };
        if sp != innermost {
            code.call_at(pc).ok_or(Broken)?;
        }
        let slot = sp + code.frame_span as usize;
        sp = slot + 8;
        if let Some(Place::Adapter(a)) = find(s.native(slot)?) {
            return s.native(sp + a.saved as usize + 8 * saved::FP);
        }
    }
}

/// Whether `pc` is where a call of compiled code, or an adapter's, returns to.
pub fn is_return_address(pc: usize) -> bool {
    match find(pc) {
        Some(Place::Method(code)) => code.call_at(pc).is_some(),
        Some(Place::Adapter(_)) => true,
        None => false,
    }
}

/// Whether a call stands in the code before `pc`: by a register, or by a distance.
pub fn is_behind_call(code: &Installed, pc: usize) -> bool {
    const LONGEST: usize = 5;
    if pc < code.start + LONGEST || pc > code.end {
        return false;
    }
    // SAFETY: code that a stack names, which nobody frees before the thread is stopped.
    let byte = |back: usize| unsafe { *((pc - back) as *const u8) };
    byte(2) == 0xff && byte(1) & 0xf8 == 0xd0 || byte(LONGEST) == 0xe8
}

/// Whether `pc` is in the translated code of `m`.
pub fn is_in_code(m: MethodRef, pc: usize) -> bool {
    Code::of(m).is_some_and(|c| c.index_of(pc as *const u32).is_some())
}

/// Whether an entry frame is at `fp`, by what it says of the method that is called.
pub fn is_entry(s: &Stacks, fp: usize) -> bool {
    matches!(s.header(fp, AUX), Ok(m) if known::method(m).is_some())
}

fn bci_of(m: MethodRef, pc: usize, innermost: bool) -> i32 {
    if m.is_native() {
        return NATIVE;
    }
    let word = if innermost { pc } else { pc.wrapping_sub(4) };
    i32::from(concord_interpreter::code::bci_at(m, word as *const u32))
}
