//! Translated code: its storage, its exception table, and the mapping to bytecode indices.
//!
//! Invariant: a `Code` is published once per method and lives as long as the method; its words
//! change only by single aligned 32-bit stores of an equivalent instruction. A word is
//! `opcode | operand << 16`. The address of the class's constant-pool cache stands in front of the
//! first word, in the same cache line: an entry reads both, and needs nothing of the class. Words
//! that may be profiled are in the area of `profile::area`, all others in memory of their own.
use crate::profile::area;
use crate::raw;
use concord_contract::method::{CpEntry, Method};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Set in the opcode of every word of a method translated while tracing is on, and of every store
/// while stores are counted.
pub const TRACED: u16 = 512;
/// Set in the opcode of words that count what they do; see [`crate::profile`]. Never with `TRACED`.
pub const PROFILED: u16 = 1024;
/// Size of a row of the dispatch table.
pub const OPCODES: usize = 2048;

/// The word of an opcode and its operand.
#[inline(always)]
pub const fn word(op: u16, operand: u16) -> u32 {
    op as u32 | (operand as u32) << 16
}

/// One row of the exception table, in word indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Catch {
    pub start: u32,
    pub end: u32,
    pub handler: u32,
    /// Constant-pool index of the caught class, 0 for all.
    pub class: u16,
}

/// Words in front of the first: the address of the constant-pool cache.
const PREFIX: usize = 2;

/// Aligned so that the prefix and the first words are in one cache line.
#[repr(C, align(16))]
#[derive(Debug)]
struct Line([AtomicU32; 4]);

/// Where prefix and words are, the last line filled up with zeros.
#[derive(Debug)]
enum Block {
    Own(Box<[Line]>),
    InArea(*mut Line, usize),
}

/// The rows of warm code: what `Area::take` gave, null if it needs none, and for how many bytes.
#[derive(Debug)]
struct Rows(*mut u8, usize);

#[derive(Debug)]
pub struct Code {
    block: Block,
    /// Words without the prefix.
    len: usize,
    pub catches: Box<[Catch]>,
    /// Set once the method is warm.
    rows: OnceLock<Rows>,
}

// SAFETY: the pointers are to memory that belongs to the code alone, and words are atomic.
unsafe impl Sync for Code {}
// SAFETY: as above.
unsafe impl Send for Code {}

/// The constant-pool cache of the class whose translated code starts at `base`.
///
/// # Safety
/// `base` is the first word of a published `Code`.
#[inline(always)]
pub unsafe fn cache_of(base: *const u32) -> u64 {
    // SAFETY: the prefix lies there, 8-aligned, and never changes.
    unsafe { *(base as *const u64).sub(1) }
}

impl Code {
    pub fn new(cache: *const CpEntry, words: &[u32], catches: Box<[Catch]>) -> Code {
        let lines = (PREFIX + words.len()).div_ceil(4);
        let bits = cache as u64;
        let mut all = [bits as u32, (bits >> 32) as u32].into_iter().chain(words.iter().copied());
        let mut line = || Line(std::array::from_fn(|_| AtomicU32::new(all.next().unwrap_or(0))));
        let block = match area::get().and_then(|a| a.take(lines * size_of::<Line>())) {
            Some(p) => {
                let p = p as *mut Line;
                for i in 0..lines {
                    // SAFETY: the memory just taken, aligned to 16.
                    unsafe { p.add(i).write(line()) };
                }
                Block::InArea(p, lines)
            }
            None => Block::Own((0..lines).map(|_| line()).collect()),
        };
        Code { block, len: words.len(), catches, rows: OnceLock::new() }
    }
    /// Whether its method is warm.
    pub fn is_warm(&self) -> bool {
        self.rows.get().is_some()
    }
    /// Makes it warm, with these rows.
    pub(crate) fn set_warm(&self, rows: *mut u8, bytes: usize) {
        if self.rows.set(Rows(rows, bytes)).is_err() {
            concord_base::bug!("code becomes warm twice");
        }
    }
    pub fn words(&self) -> &[AtomicU32] {
        // SAFETY: the block holds `len` words behind the prefix.
        unsafe {
            let lines = match &self.block {
                Block::Own(lines) => lines.as_ptr(),
                Block::InArea(lines, _) => *lines as *const Line,
            };
            std::slice::from_raw_parts((lines as *const AtomicU32).add(PREFIX), self.len)
        }
    }
    /// The translated code of `m`, once there is some.
    pub fn of(m: &Method) -> Option<&'static Code> {
        let p = m.engine.load(Ordering::Acquire) as *const Code;
        // SAFETY: only `publish` stores there, and codes live as long as their methods.
        let code = unsafe { p.as_ref() }?;
        // The publisher may stand between its two stores: whoever sees the code may enter it.
        if m.code.load(Ordering::Relaxed).is_null() {
            m.code.store(code.base() as *mut u32, Ordering::Release);
        }
        Some(code)
    }
    /// Makes `self` the code of `m`, or returns the one that another thread was first with.
    pub fn publish(self, m: &Method) -> &'static Code {
        let mine = Box::into_raw(Box::new(self));
        let code =
            match m.engine.compare_exchange(std::ptr::null_mut(), mine.cast(), Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => mine as *const Code,
                Err(other) => {
                    // SAFETY: `mine` was never published.
                    drop(unsafe { Box::from_raw(mine) });
                    other as *const Code
                }
            };
        // SAFETY: published codes live as long as their methods.
        let code = unsafe { &*code };
        m.code.store(code.base() as *mut u32, Ordering::Release);
        code
    }
    /// Gives back the code of a method that nobody runs or will call.
    pub fn discard(m: &Method) {
        let p = m.engine.swap(std::ptr::null_mut(), Ordering::AcqRel) as *mut Code;
        m.code.store(std::ptr::null_mut(), Ordering::Relaxed);
        if !p.is_null() {
            // SAFETY: `publish` made the box; the method is unreachable, so is its code.
            drop(unsafe { Box::from_raw(p) });
        }
    }
    pub fn base(&self) -> *const u32 {
        self.words().as_ptr().cast()
    }
    /// Index of `pc`, if it is in this code.
    pub fn index_of(&self, pc: *const u32) -> Option<usize> {
        let i = (pc as usize).wrapping_sub(self.base() as usize) / 4;
        (pc as usize >= self.base() as usize && i < self.len).then_some(i)
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let Some(area) = area::get() else { return };
        if let Block::InArea(lines, n) = self.block {
            // SAFETY: nobody has a reference to the code, so nobody runs it.
            unsafe { area.give_back(lines.cast(), n * size_of::<Line>(), self.is_warm()) };
        }
        if let Some(Rows(p, bytes)) = self.rows.get().filter(|r| r.1 > 0) {
            // SAFETY: as above; `warm` took them for this code.
            unsafe { area.give_back(*p, *bytes, true) };
        }
    }
}

/// Byte offset of the instruction that contains `word`; 0 outside translated code (native
/// methods, methods not yet run).
pub fn bci_at(m: &Method, word: *const u32) -> u16 {
    let Some(i) = Code::of(m).and_then(|c| c.index_of(word)) else { return 0 };
    raw::instructions(m.bytecode).take_while(|(_, w)| *w <= i).last().map_or(0, |(b, _)| b as u16)
}

/// Address of the word of the instruction at `bci`; None before translation or between
/// instructions.
pub fn word_at(m: &Method, bci: u16) -> Option<*const u32> {
    let c = Code::of(m)?;
    let (_, w) = raw::instructions(m.bytecode).find(|(b, _)| *b == bci as usize)?;
    Some(c.words()[w].as_ptr())
}

/// Words outside any method: where a call from native code returns to.
static EXIT: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(310)];

/// Return address of entry frames. The word before it exists, so that it can be asked for the
/// instruction of the call.
pub fn exit_pc() -> *const u32 {
    EXIT[1].as_ptr()
}
/// What stands for the pc of a frame without code.
pub fn no_code() -> *const u32 {
    EXIT[0].as_ptr()
}
