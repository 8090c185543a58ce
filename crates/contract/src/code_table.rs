//! From an address in machine code to what stands there.
//!
//! Invariant: an [`Installed`] is complete before its addresses can be found, and lives as long as
//! a frame can return into it. Looking up takes no lock, so a walk may run at any time.
use crate::class::ClassRef;
use crate::compiled::{CallKind, CallRecord, FrameState, Value};
use crate::method::{Method, MethodRef};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The compiled code of a method, in the code area.
#[derive(Debug)]
pub struct Installed {
    pub method: MethodRef,
    pub osr_bci: Option<u16>,
    /// How many monitors the frame holds that the code takes over at `osr_bci`.
    pub osr_monitors: u16,
    /// Position in the sequence of compilations.
    pub id: u32,
    pub start: usize,
    pub end: usize,
    pub frame_span: u32,
    /// By ascending return offset.
    pub calls: Box<[CallRecord]>,
    /// As [`crate::compiled::CompiledCode::way_out`].
    way_out: u32,
    /// As [`crate::compiled::CompiledCode::places`].
    pub places: Box<[(u32, u32)]>,
    pub states: Box<[FrameState]>,
    /// Classes of the states' virtual objects: while a frame of the code is there, it may make some.
    pub virtual_classes: Box<[ClassRef]>,
    /// Other methods whose bodies stand in the code.
    pub inlined: Box<[MethodRef]>,
    invalid: AtomicBool,
    /// Dead frames that have yet to return through the code, unseen by walks.
    husks: AtomicU32,
}

/// Keeps code that a dead frame returns through.
pub struct HuskGuard(&'static Installed);

impl HuskGuard {
    pub fn new(code: &'static Installed) -> HuskGuard {
        code.husks.fetch_add(1, Ordering::AcqRel);
        HuskGuard(code)
    }
}
impl Drop for HuskGuard {
    fn drop(&mut self) {
        self.0.husks.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Installed {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        method: MethodRef,
        (osr_bci, osr_monitors): (Option<u16>, u16),
        id: u32,
        start: usize,
        end: usize,
        frame_span: u32,
        (calls, way_out): (Box<[CallRecord]>, u32),
        places: Box<[(u32, u32)]>,
        states: Box<[FrameState]>,
        inlined: Box<[MethodRef]>,
    ) -> Installed {
        let mut virtual_classes: Vec<ClassRef> = states.iter().flat_map(|s| &s.objects).map(|o| o.class).collect();
        virtual_classes.sort_unstable_by_key(|c| std::ptr::from_ref(*c));
        virtual_classes.dedup_by_key(|c| std::ptr::from_ref(*c));
        Installed {
            method,
            osr_bci,
            osr_monitors,
            id,
            start,
            end,
            frame_span,
            calls,
            way_out,
            places,
            states,
            virtual_classes: virtual_classes.into_boxed_slice(),
            inlined,
            invalid: AtomicBool::new(false),
            husks: AtomicU32::new(0),
        }
    }
    /// The record of the call that returns to `pc`.
    pub fn call_at(&self, pc: usize) -> Option<&CallRecord> {
        let offset = pc.wrapping_sub(self.start) as u32;
        let i = self.calls.binary_search_by_key(&offset, |c| c.return_offset).ok()?;
        Some(&self.calls[i])
    }
    /// The Java frames of code at `pc`, which need not be a call: those of the next instruction with a
    /// frame state (guards, polls and calls have one), or, without `-XX:+DebugNonSafepoints`, of the
    /// next call in the order of the code. None if it has no such instruction.
    pub fn frames_near(&self, pc: usize) -> Option<&[(MethodRef, u16)]> {
        let offset = pc.wrapping_sub(self.start) as u32;
        if self.places.is_empty() {
            let i = self.calls.partition_point(|c| c.return_offset <= offset);
            return self.calls.get(i).or(self.calls.last()).map(|c| &c.sites[..]);
        }
        let i = self.places.partition_point(|p| p.0 <= offset);
        let place = self.places.get(i.saturating_sub(1))?;
        self.call_at(self.start + place.1 as usize).map(|c| &c.sites[..])
    }
    pub fn is_valid(&self) -> bool {
        !self.invalid.load(Ordering::Acquire)
    }
    /// Whether frames of the code stand for `m`.
    pub fn mentions(&self, m: &Method) -> bool {
        let calls = self.calls.iter().flat_map(|c| &c.sites).map(|s| s.0);
        let states = self.states.iter().flat_map(|s| &s.frames).map(|f| f.method);
        calls.chain(states).any(|x| std::ptr::eq(x, m))
    }
    /// Whether the code does what the body of `m` says: also where no frame ever stands for it.
    pub fn contains(&self, m: &Method) -> bool {
        std::ptr::eq(self.method, m) || self.inlined.iter().any(|x| std::ptr::eq(*x, m)) || self.mentions(m)
    }
    /// Lets the frames that stand for `from` stand for `to`.
    ///
    /// # Safety
    /// All threads are stopped, and nobody walks a stack.
    pub unsafe fn rename(&self, from: &Method, to: MethodRef) {
        // SAFETY: by the caller's word nobody else reads the records; they are in heap memory of
        // this piece of code alone.
        let (calls, states) = unsafe {
            let calls = std::slice::from_raw_parts_mut(self.calls.as_ptr().cast_mut(), self.calls.len());
            let states = std::slice::from_raw_parts_mut(self.states.as_ptr().cast_mut(), self.states.len());
            (calls, states)
        };
        let sites = calls.iter_mut().flat_map(|c| &mut c.sites).map(|s| &mut s.0);
        let frames = states.iter_mut().flat_map(|s| &mut s.frames).map(|f| &mut f.method);
        for m in sites.chain(frames).filter(|m| std::ptr::eq(**m, from)) {
            *m = to;
        }
    }
    /// Fields of objects that frames hold as values have other places: `moved` gives the new offset of the one at an old offset
    /// in objects of a class.
    ///
    /// # Safety
    /// All threads are stopped, and nobody looks at a frame state.
    pub unsafe fn move_fields(&self, moved: &dyn Fn(ClassRef, u32) -> u32) {
        // SAFETY: as for `rename`.
        let states = unsafe { std::slice::from_raw_parts_mut(self.states.as_ptr().cast_mut(), self.states.len()) };
        for o in states.iter_mut().flat_map(|s| &mut s.objects) {
            for (offset, _, _) in &mut o.fields {
                *offset = moved(o.class, *offset);
            }
        }
    }
    /// Whether a dead frame still returns through the code.
    pub fn has_husks(&self) -> bool {
        self.husks.load(Ordering::Acquire) != 0
    }
    /// Marks the code: no frame may go on in it; false if it was marked before.
    pub fn invalidate(&self) -> bool {
        !self.invalid.swap(true, Ordering::AcqRel)
    }
}

/// A stub through which the interpreter entered compiled code. When compiled code returns to it,
/// rsp + `saved` is the address of five words: the method called, then fp, lp, sp and pc of the
/// interpreter.
#[derive(Clone, Copy, Debug)]
pub struct Adapter {
    pub saved: u32,
    /// The saved frame is that of the method itself, and the compiled frame stands in for it.
    pub replaces: bool,
}

/// What is at an address.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    Method(&'static Installed),
    Adapter(Adapter),
}

pub trait CodeTable: Sync {
    fn find(&self, pc: usize) -> Option<Place>;
}

static TABLE: OnceLock<&'static dyn CodeTable> = OnceLock::new();

/// Sets the table; once, before the first code is installed.
pub fn set_code_table(t: &'static dyn CodeTable) {
    if TABLE.set(t).is_err() {
        concord_base::bug!("code table set twice");
    }
}
/// What stands at `pc`; None outside of compiled code and its adapters.
pub fn find(pc: usize) -> Option<Place> {
    TABLE.get()?.find(pc)
}

/// Of calls without a record.
static UNRECORDED: CallRecord = CallRecord {
    return_offset: 0,
    refs: Vec::new(),
    sites: Vec::new(),
    monitors: Vec::new(),
    kind: CallKind::Husk(u32::MAX),
};

/// One activation of compiled code.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    pub code: &'static Installed,
    pub call: &'static CallRecord,
    /// rsp at the call at which the frame stands.
    pub sp: usize,
}

impl Activation {
    /// The frame that stands at a call with `sp`, its return address below.
    ///
    /// # Safety
    /// `sp` is rsp at a call of compiled code, which has not returned.
    pub unsafe fn at(sp: usize) -> Activation {
        // SAFETY: by the caller's word.
        let a = unsafe { Activation::innermost(sp) };
        if !a.has_record() {
            concord_base::bug!("no record of the call of a frame at {sp:#x} in the code of {:?}", a.code.method)
        }
        a
    }
    /// The same of a thread's innermost frame, whose call has no record if it is that of a row that never stops: it is as a
    /// husk then. Only who looks at a running thread, or at one that crashed, finds it there.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn innermost(sp: usize) -> Activation {
        // SAFETY: by the caller's word.
        let pc = unsafe { *(sp as *const usize).sub(1) };
        let Some(Place::Method(code)) = find(pc) else {
            concord_base::bug!("no compiled code at {pc:#x}, to which a frame at {sp:#x} returns")
        };
        Activation { code, call: code.call_at(pc).unwrap_or(&UNRECORDED), sp }
    }
    pub fn has_record(&self) -> bool {
        !std::ptr::eq(self.call, &UNRECORDED)
    }
    pub fn is_husk(&self) -> bool {
        matches!(self.call.kind, CallKind::Husk(_))
    }
    /// The state with which a husk left its code.
    pub fn state(&self) -> &'static FrameState {
        let CallKind::Husk(n) = self.call.kind else {
            concord_base::bug!("a frame of {:?} is left without a state", self.code.method)
        };
        &self.code.states[n as usize]
    }
    /// Lets the stub that the frame has called return to the way out of the code.
    ///
    /// # Safety
    /// The frame is a husk; the stub is about to return to it, and nobody walks the stack before.
    pub unsafe fn go_out(&self) {
        // SAFETY: the word is the return address of the call at which the frame stands.
        unsafe { *(self.sp as *mut usize).sub(1) = self.code.start + self.code.way_out as usize }
    }
    /// The return address of the frame, and rsp of its caller at the call.
    pub fn return_to(&self) -> (usize, usize) {
        let slot = self.sp + self.code.frame_span as usize;
        // SAFETY: the span is that of the code's frames.
        (unsafe { *(slot as *const usize) }, slot + 8)
    }
    /// What the frame returns to.
    pub fn caller(&self) -> Caller {
        let (pc, sp) = self.return_to();
        match find(pc) {
            // SAFETY: the caller stands at its call.
            Some(Place::Method(_)) => Caller::Compiled(unsafe { Activation::at(sp) }),
            Some(Place::Adapter(a)) => Caller::Adapter(a, (sp + a.saved as usize) as *const usize, sp),
            None => concord_base::bug!("compiled code of {:?} returns to {pc:#x}", self.code.method),
        }
    }
    /// The live reference slots with the variables that they stand for: which Java frame (innermost 0), which slot, the
    /// operand stack behind the locals. A reference that no variable holds is in slot -1 of the innermost frame.
    pub fn named_refs(&self) -> Vec<(usize, i32, *mut u64)> {
        let at_this_call = |s: &&FrameState| {
            let frames = s.frames.iter().rev().map(|f| (f.method, f.bci));
            s.frames.len() == self.call.sites.len() && frames.zip(&self.call.sites).all(|(f, c)| f == *c)
        };
        // Other states of the same instruction may lack what is live behind the call.
        let best = self.code.states.iter().filter(at_this_call).map(|s| self.variables(s)).max_by_key(Vec::len);
        let mut named = best.unwrap_or_default();
        for p in self.refs() {
            if !named.iter().any(|n| n.2 == p) {
                named.push((0, -1, p));
            }
        }
        named
    }
    /// The variables of a state that are in live reference slots.
    fn variables(&self, s: &FrameState) -> Vec<(usize, i32, *mut u64)> {
        let mut found = Vec::new();
        for (i, f) in s.frames.iter().rev().enumerate() {
            for (slot, v) in f.locals.iter().chain(&f.stack).enumerate() {
                if let Value::Slot(at, _) = v
                    && self.call.refs.contains(at)
                {
                    found.push((i, slot as i32, (self.sp + *at as usize) as *mut u64));
                }
            }
        }
        found
    }
    /// The live reference slots.
    pub fn refs(&self) -> impl Iterator<Item = *mut u64> {
        let sp = self.sp;
        self.call.refs.iter().map(move |o| (sp + *o as usize) as *mut u64)
    }
}

/// What an activation returns to.
pub enum Caller {
    Compiled(Activation),
    /// An adapter, its saved words, and rsp at its call.
    Adapter(Adapter, *const usize, usize),
}
