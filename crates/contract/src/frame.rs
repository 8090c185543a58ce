//! The Java stack: what a frame looks like and how to walk from one to its caller, through
//! interpreted and compiled code.
//!
//! The stack grows upwards in 8-byte slots. Long and double take two slots, value in the lower
//! one; ints are stored zero-extended to 8 bytes; references are full addresses.
//! ```text
//!  lp -> arguments (the top of the caller's operand stack) | other locals |
//!        -48 compiled caller | -40 caller fp | -32 caller lp | -24 return pc | -16 aux | -8 Method |
//!  fp -> operand stack ... <- sp
//! ```
//! The return pc points behind the call instruction; every call is one word, so `pc - 1` (a word)
//! names the call site. An *entry frame* (Method = null) stands where native code called into Java:
//! its caller fp/lp and return pc are the anchors at that time, `aux` is the Method to be called,
//! and its operand stack holds only that method's arguments. The chain ends at fp = null.
//!
//! Frames of compiled code are on the native stack. From the interpreter they are entered through
//! an adapter, which keeps the interpreter's registers; compiled code enters the interpreter, and
//! the VM below it, through an entry frame whose header has the `anchor_sp` of that moment. So the
//! two stacks are walked as one:
//! ```text
//!  Java stack     A -> B -> [adapter]        entry frame -> D -> E
//!                              |                 ^ anchor_sp
//!  native stack   ... adapter, C1 -> C2 -> (VM)  |  ...
//! ```
use crate::code_table::{Activation, Caller, Installed};
use crate::method::{Method, MethodRef};
use crate::thread::Thread;
use std::sync::atomic::AtomicBool;

/// Whether anybody wants to know of exceptions and of frames that they leave: engines tell the
/// runtime only then.
pub static EVENTS: AtomicBool = AtomicBool::new(false);

/// Slots of a frame header.
pub const HEADER_SLOTS: usize = 6;
/// Bytes of a frame header.
pub const HEADER_BYTES: usize = HEADER_SLOTS * 8;
/// Slot offsets, downwards from `fp`.
pub const METHOD: usize = 1;
/// Interpreted frame: constant-pool cache. Native method: `Thread::handle_top` when it was called. Entry frame: the
/// method being called.
pub const AUX: usize = 2;
pub const RETURN_PC: usize = 3;
pub const CALLER_LP: usize = 4;
pub const CALLER_FP: usize = 5;
/// Entry frame: `Thread::anchor_sp` of the compiled code that it was entered from, or 0.
pub const CALLER_SP: usize = 6;

/// Set in an `anchor_sp` below which there is no stub's frame, but that of compiled code whose
/// Java frames went to the interpreter.
pub const WITHOUT_STUB: usize = 1;

/// Words that an adapter saves, see [`crate::code_table::Adapter`].
pub mod saved {
    pub const METHOD: usize = 0;
    pub const FP: usize = 1;
    pub const LP: usize = 2;
    pub const SP: usize = 3;
    pub const PC: usize = 4;
}

/// One activation, seen from outside while its thread is stopped or by the thread itself in the
/// runtime.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Unique among the frames of the thread. Compiled code: no address of a Java frame.
    pub fp: *mut u64,
    /// Null in compiled code.
    pub lp: *mut u64,
    /// Next instruction for the innermost frame (the one being executed); for a caller the word
    /// behind its call.
    pub pc: *const u32,
    /// Innermost frame of its thread: `pc` names the instruction itself.
    pub innermost: bool,
    /// First slot above this frame's live operand stack: `sp` or the callee's `lp`.
    pub top: *mut u64,
    /// Compiled code: the physical frame, and which of its Java frames this is, innermost 0.
    compiled: Option<(Activation, usize)>,
}

impl Frame {
    /// The innermost frame of a thread that is in the runtime; None if it has no Java frame.
    pub fn innermost(th: &Thread) -> Option<Frame> {
        let sp = th.anchor_sp.get() & !WITHOUT_STUB;
        if sp != 0 {
            // SAFETY: the anchor stands for a call of compiled code. An innermost husk's frames have yet to be made (the
            // anchor lies beyond it when they are), so they are still its own.
            let a = unsafe { Activation::innermost(sp) };
            return if a.has_record() { Some(Frame::virtual_frame(a, 0)) } else { Frame::of_compiled(a) };
        }
        let fp = th.fp.get();
        (!fp.is_null()).then(|| Frame {
            fp,
            lp: th.lp.get(),
            pc: th.pc.get(),
            innermost: true,
            top: th.sp.get(),
            compiled: None,
        })
    }
    /// The first frame at or behind a compiled activation that has called another frame.
    fn of_compiled(mut a: Activation) -> Option<Frame> {
        loop {
            if !a.is_husk() {
                return Some(Frame::virtual_frame(a, 0));
            }
            match a.caller() {
                Caller::Compiled(next) => a = next,
                Caller::Adapter(ad, words, _) => return Frame::behind(ad.replaces, words),
            }
        }
    }
    fn virtual_frame(a: Activation, index: usize) -> Frame {
        Frame {
            // Return addresses lie below: no Java frame is there, and inlined frames differ.
            fp: (a.sp - 8 + index) as *mut u64,
            lp: std::ptr::null_mut(),
            pc: std::ptr::null(),
            innermost: false,
            top: std::ptr::null_mut(),
            compiled: Some((a, index)),
        }
    }
    /// The interpreter's frame behind an adapter that keeps `words`.
    fn behind(replaces: bool, words: *const usize) -> Option<Frame> {
        // SAFETY: the adapter's five words.
        let (m, fp, lp, sp, pc) = unsafe {
            (
                *words.add(saved::METHOD) as *const Method,
                *words.add(saved::FP) as *mut u64,
                *words.add(saved::LP) as *mut u64,
                *words.add(saved::SP) as *mut u64,
                *words.add(saved::PC) as *const u32,
            )
        };
        let own = Frame { fp, lp, pc, innermost: false, top: sp, compiled: None };
        if replaces {
            return own.caller();
        }
        // SAFETY: the method called; its arguments are its own business.
        Some(Frame { top: unsafe { sp.sub((*m).nargs()) }, ..own })
    }
    #[inline]
    fn slot(&self, down: usize) -> u64 {
        // SAFETY: a frame's header lies directly below its fp.
        unsafe { *self.fp.sub(down) }
    }
    /// The method; None for an entry frame.
    pub fn method(&self) -> Option<MethodRef> {
        if let Some((a, i)) = &self.compiled {
            return Some(a.call.sites[*i].0);
        }
        let m = self.slot(METHOD) as *const Method;
        // SAFETY: headers hold null or a Method, which lives for ever.
        (!m.is_null()).then(|| unsafe { &*m })
    }
    pub fn is_entry(&self) -> bool {
        self.compiled.is_none() && self.slot(METHOD) == 0
    }
    pub fn is_compiled(&self) -> bool {
        self.compiled.is_some()
    }
    /// Compiled code: the bytecode index.
    pub fn compiled_bci(&self) -> Option<u16> {
        self.compiled.as_ref().map(|(a, i)| a.call.sites[*i].1)
    }
    /// Compiled code: the physical frame, and the number of this Java frame in it, innermost 0.
    pub fn activation(&self) -> Option<(&Activation, usize)> {
        self.compiled.as_ref().map(|(a, i)| (a, *i))
    }
    /// Compiled code: the objects that this Java frame has locked, outermost first.
    pub fn monitors(&self) -> impl Iterator<Item = *mut u64> {
        let of = self.compiled;
        of.into_iter().flat_map(|(a, i)| {
            a.call.monitors.iter().filter(move |m| m.0 as usize == i).map(move |m| (a.sp + m.1 as usize) as *mut u64)
        })
    }
    /// Entry frames: the method that native code called.
    pub fn entry_target(&self) -> Option<MethodRef> {
        let m = self.slot(AUX) as *const Method;
        // SAFETY: entry frames hold null or a Method in `aux`.
        (!m.is_null()).then(|| unsafe { &*m })
    }
    /// The caller; None at the bottom of the stack.
    pub fn caller(&self) -> Option<Frame> {
        if let Some((a, i)) = self.compiled {
            if i + 1 < a.call.sites.len() {
                return Some(Frame::virtual_frame(a, i + 1));
            }
            return match a.caller() {
                Caller::Compiled(next) => Frame::of_compiled(next),
                Caller::Adapter(ad, words, _) => Frame::behind(ad.replaces, words),
            };
        }
        if self.is_entry() && self.slot(CALLER_SP) != 0 {
            // SAFETY: the anchor of the compiled code that entered the VM.
            return Frame::of_compiled(unsafe { Activation::at(self.slot(CALLER_SP) as usize & !WITHOUT_STUB) });
        }
        let fp = self.slot(CALLER_FP) as *mut u64;
        if fp.is_null() {
            return None;
        }
        let top = if self.is_entry() {
            // SAFETY: the entry frame's header was pushed at the caller's stack top.
            unsafe { self.fp.sub(HEADER_SLOTS) }
        } else {
            self.lp
        };
        Some(Frame {
            fp,
            lp: self.slot(CALLER_LP) as *mut u64,
            pc: self.slot(RETURN_PC) as *const u32,
            // A frame that called the runtime (natives, slow paths) has its own instruction in pc.
            innermost: self.is_entry(),
            top,
            compiled: None,
        })
    }
    /// The word of the instruction that this frame executes; not for compiled code.
    pub fn instruction(&self) -> *const u32 {
        // SAFETY: a call is at least one word, so the word before a return pc is in the code.
        if self.innermost { self.pc } else { unsafe { self.pc.sub(1) } }
    }
}

/// Walks the Java frames of a thread from the innermost outwards, entry frames included.
pub fn frames(th: &Thread) -> impl Iterator<Item = Frame> {
    std::iter::successors(Frame::innermost(th), |f| f.caller())
}

/// Walks the Java methods of a thread from the innermost outwards.
pub fn java_frames(th: &Thread) -> impl Iterator<Item = (MethodRef, Frame)> {
    frames(th).filter_map(|f| f.method().map(|m| (m, f)))
}

/// The stretches of compiled frames on a thread's native stack, innermost first, as [low, high).
/// What lies outside of them, VM and foreign frames, says nothing about references.
pub fn compiled_stretches(th: &Thread, each: &mut dyn FnMut(usize, usize)) {
    walk_native(th.anchor_sp.get(), th.fp.get(), &mut |piece| {
        if let Piece::Stretch(low, high) = piece {
            each(low, high);
        }
        true
    });
}

/// rsp of the innermost frame of invalid code at or beyond an anchor and the interpreter frame
/// behind it; `usize::MAX` if there is none.
pub fn innermost_invalid(anchor: usize, fp: *mut u64) -> usize {
    let mut found = usize::MAX;
    walk_native(anchor, fp, &mut |piece| match piece {
        Piece::Activation(a) if !a.is_husk() && !a.code.is_valid() => {
            found = a.sp;
            false
        }
        _ => true,
    });
    found
}

/// The code that the thread's compiled frames, the innermost's callees apart, return through.
pub fn code_in_use(th: &Thread, each: &mut dyn FnMut(&'static Installed)) {
    walk_native(th.anchor_sp.get(), th.fp.get(), &mut |piece| {
        if let Piece::Activation(a) = piece {
            each(a.code);
        }
        true
    });
}

enum Piece {
    Activation(Activation),
    /// Compiled frames between VM frames, as [low, high).
    Stretch(usize, usize),
}

/// Visits what compiled code has on the native stack, from an anchor (0 if the innermost frame is
/// the interpreter's `fp`) outwards, until `each` says false.
fn walk_native(mut anchor: usize, mut fp: *mut u64, each: &mut dyn FnMut(Piece) -> bool) {
    loop {
        if anchor != 0 {
            let low = anchor & !WITHOUT_STUB;
            // SAFETY: anchors stand for calls of compiled code.
            let mut a = unsafe { Activation::at(low) };
            let end = loop {
                if !each(Piece::Activation(a)) {
                    return;
                }
                match a.caller() {
                    Caller::Compiled(next) => a = next,
                    Caller::Adapter(_, words, sp) => {
                        // SAFETY: the adapter's words.
                        fp = unsafe { *words.add(saved::FP) } as *mut u64;
                        break sp;
                    }
                }
            };
            let stub = match anchor & WITHOUT_STUB {
                // SAFETY: the stub that compiled code called tells the size of its frame there.
                0 => unsafe { *(low as *const usize).sub(3) },
                _ => 0,
            };
            if !each(Piece::Stretch(low - stub, end)) {
                return;
            }
        }
        // The next entry frame.
        loop {
            if fp.is_null() {
                return;
            }
            // SAFETY: headers lie below fp.
            let (method, caller, sp) =
                unsafe { (*fp.sub(METHOD), *fp.sub(CALLER_FP) as *mut u64, *fp.sub(CALLER_SP) as usize) };
            fp = caller;
            if method == 0 && sp != 0 {
                anchor = sp;
                break;
            }
        }
    }
}
