//! The Java stack: what a frame looks like and how to walk from one to its caller.
//!
//! The stack grows upwards in 8-byte slots. Long and double take two slots, value in the lower
//! one; ints are stored zero-extended to 8 bytes; references are full addresses.
//! ```text
//!  lp -> arguments (the top of the caller's operand stack) | other locals |
//!        -48 profile bias | -40 caller fp | -32 caller lp | -24 return pc | -16 aux | -8 Method |
//!  fp -> operand stack ... <- sp
//! ```
//! The return pc points behind the call instruction; every call is one word, so `pc - 1` (a word)
//! names the call site. An *entry frame* (Method = null) stands where native code called into Java:
//! its caller fp/lp and return pc are the anchors at that time, `aux` is the Method to be called,
//! and its operand stack holds only that method's arguments. The chain ends at fp = null.
use crate::method::{Method, MethodRef};
use crate::thread::Thread;

/// Slots of a frame header.
pub const HEADER_SLOTS: usize = 6;
/// Bytes of a frame header.
pub const HEADER_BYTES: usize = HEADER_SLOTS * 8;
/// Slot offsets, downwards from `fp`.
pub const METHOD: usize = 1;
/// Interpreted frame: constant-pool cache. Entry frame: the method being called.
pub const AUX: usize = 2;
pub const RETURN_PC: usize = 3;
pub const CALLER_LP: usize = 4;
pub const CALLER_FP: usize = 5;
pub const PROFILE: usize = 6;

/// One activation, seen from outside while its thread is stopped or by the thread itself in the
/// runtime.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub fp: *mut u64,
    pub lp: *mut u64,
    /// Next instruction for the innermost frame (the one being executed); for a caller the word
    /// behind its call.
    pub pc: *const u32,
    /// Innermost frame of its thread: `pc` names the instruction itself.
    pub innermost: bool,
    /// First slot above this frame's live operand stack: `sp` or the callee's `lp`.
    pub top: *mut u64,
}

impl Frame {
    /// The innermost frame of a thread that is in the runtime; None if it has no Java frame.
    pub fn innermost(th: &Thread) -> Option<Frame> {
        let fp = th.fp.get();
        (!fp.is_null()).then(|| Frame { fp, lp: th.lp.get(), pc: th.pc.get(), innermost: true, top: th.sp.get() })
    }
    #[inline]
    fn slot(&self, down: usize) -> u64 {
        // SAFETY: a frame's header lies directly below its fp.
        unsafe { *self.fp.sub(down) }
    }
    /// The method; None for an entry frame.
    pub fn method(&self) -> Option<MethodRef> {
        let m = self.slot(METHOD) as *const Method;
        // SAFETY: headers hold null or a Method, which lives for ever.
        (!m.is_null()).then(|| unsafe { &*m })
    }
    pub fn is_entry(&self) -> bool {
        self.slot(METHOD) == 0
    }
    /// Entry frames: the method that native code called.
    pub fn entry_target(&self) -> Option<MethodRef> {
        let m = self.slot(AUX) as *const Method;
        // SAFETY: entry frames hold null or a Method in `aux`.
        (!m.is_null()).then(|| unsafe { &*m })
    }
    /// The caller; None at the bottom of the stack.
    pub fn caller(&self) -> Option<Frame> {
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
        })
    }
    /// The word of the instruction that this frame executes.
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
