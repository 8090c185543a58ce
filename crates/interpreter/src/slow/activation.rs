//! The innermost frame, as slow paths see it.
//!
//! Invariant: all of it is read through the anchors of the thread block each time, so what is read
//! after a collection is what the collector wrote; nothing here keeps an address of the Java stack.
use crate::{code, counting, profile};
use concord_contract::class::{Class, ClassRef};
use concord_contract::entries::{self, Implicit};
use concord_contract::frame;
use concord_contract::method::{CpEntry, Method, MethodRef};
use concord_contract::object::Obj;
use concord_contract::{JResult, Thread};
use concord_memory_model::emit;
use std::sync::atomic::{AtomicU32, Ordering};

/// Makes registers the thread's anchors.
#[inline(always)]
pub fn set_anchors(th: &Thread, pc: *const u32, sp: *mut u64, lp: *mut u64, fp: *mut u64) {
    th.pc.set(pc);
    th.sp.set(sp);
    th.lp.set(lp);
    th.fp.set(fp);
}

/// A row that only throws must have thrown.
pub(crate) fn thrown<T>(r: JResult<()>) -> JResult<T> {
    r?;
    concord_base::bug!("the runtime was asked to throw and did not")
}

/// The innermost frame of a thread that is in the runtime.
pub(crate) struct Activation<'a>(pub &'a Thread);

impl Activation<'_> {
    pub fn method(&self) -> MethodRef {
        // SAFETY: an executing frame has a method in its header.
        unsafe { &*(*self.0.fp.get().sub(frame::METHOD) as *const Method) }
    }
    fn at(&self, n: usize) -> &AtomicU32 {
        // SAFETY: `pc` is in translated code, and the instruction has its operand words.
        unsafe { &*(self.0.pc.get().add(n) as *const AtomicU32) }
    }
    /// Opcode of the current instruction, tracing aside, and its operand.
    pub fn instruction(&self) -> (u16, u16) {
        let w = self.at(0).load(Ordering::Acquire);
        (w as u16 & (code::TRACED - 1), (w >> 16) as u16)
    }
    /// Operand word `n`.
    pub fn word(&self, n: usize) -> u32 {
        self.at(n).load(Ordering::Relaxed)
    }
    pub fn set_word(&self, n: usize, v: u32) {
        self.at(n).store(v, Ordering::Relaxed)
    }
    /// Replaces the instruction; one store publishes opcode and operand.
    pub fn quicken(&self, op: u16, operand: u16) {
        profile::publish(self.at(0), op, operand, || code::Code::of(self.method()).is_some_and(code::Code::is_warm));
    }
    /// Counts the object that the current instruction tests, if it is profiled.
    pub(super) fn count_object(&self, o: Obj) {
        if self.at(0).load(Ordering::Relaxed) as u16 & code::PROFILED != 0 {
            let id = if o.is_null() { 0 } else { o.layout_id() };
            // SAFETY: the running thread, at a word that only warm code has.
            unsafe { profile::object(self.0, self.0.pc.get(), id) }
        }
    }
    pub fn bci(&self) -> u16 {
        code::bci_at(self.method(), self.0.pc.get())
    }
    /// Slot `n` from the top, 1 being the top.
    pub fn peek(&self, n: usize) -> u64 {
        // SAFETY: verified code has the operands on its stack.
        unsafe { *self.0.sp.get().sub(n) }
    }
    pub fn peek_ref(&self, n: usize) -> Obj {
        // SAFETY: verified code has a reference there.
        unsafe { Obj::from_addr(self.peek(n) as usize) }
    }
    pub fn drop(&self, n: usize) {
        // SAFETY: as `peek`.
        unsafe { self.0.sp.set(self.0.sp.get().sub(n)) }
    }
    pub fn push(&self, v: u64, slots: usize) {
        // SAFETY: max_stack was checked at entry.
        unsafe {
            *self.0.sp.get() = v;
            self.0.sp.set(self.0.sp.get().add(slots));
        }
    }
    pub fn advance(&self, words: usize) {
        // SAFETY: the next instruction is in the same code.
        unsafe { self.0.pc.set(self.0.pc.get().add(words)) }
    }
    pub fn entry(&self, index: u16) -> &'static CpEntry {
        // SAFETY: the header holds the cache of the method's class; caches are never freed while
        // their code runs.
        unsafe { &*(*self.0.fp.get().sub(frame::AUX) as *const CpEntry).add(index as usize) }
    }
    /// The class in `a` (or `b`) of a resolved entry.
    pub fn class(&self, word: u64) -> ClassRef {
        // SAFETY: resolved class entries hold classes, which live for ever.
        unsafe { &*(word as *const Class) }
    }
    /// Whether the current instruction is a store of sequentially consistent code: its row says it. To be asked before a stop, in
    /// which the row may be taken back ([`crate::flush`]).
    pub fn is_strong_store(&self) -> bool {
        counting::is_strong(self.instruction().0)
    }
    /// The fence of a store into `target` that was made for the current instruction.
    pub fn after_store(&self, strong: bool, target: Obj) {
        match strong {
            true => emit::after_code_store_into::<true>(target.is_local()),
            false => emit::after_code_store_into::<false>(target.is_local()),
        }
    }
    pub fn throw<T>(&self, what: Implicit) -> JResult<T> {
        thrown(entries::throw_implicit(self.0, what))
    }
}
