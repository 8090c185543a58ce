//! Addresses that C code can call, each with a word of its own.
//!
//! Invariant: no page is writable and executable. Code of a chunk is written once, before it can run, and never again: all
//! thunks are the same instructions, and what a thunk stands for is in the word that lies one page behind it. Memory is never
//! given back; a freed thunk has a null word, and is used again after all that were freed before it.
//!
//! ```text
//! code page   thunk 0  thunk 1  ...         thunk i:  lea r10, [rip + PAGE - 7]    its word
//! data page   word 0   word 1   ... target            jmp [rip + ...]              the target
//! ```
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

const PAGE: usize = 4096;
/// Bytes of a thunk, and from one word to the next.
const STEP: usize = 16;
/// The last place of the data page has the target.
const THUNKS: usize = PAGE / STEP - 1;

/// Thunks that jump to one target, with the address of their word in r10.
pub struct Pool {
    target: unsafe extern "C" fn(),
    inner: Mutex<Inner>,
}
struct Inner {
    /// Addresses of code pages.
    chunks: Vec<usize>,
    free: VecDeque<usize>,
}

/// The word of a thunk.
fn word<'a>(thunk: usize) -> &'a AtomicPtr<()> {
    // SAFETY: a thunk of a chunk has its word one page behind it, which is never unmapped.
    unsafe { AtomicPtr::from_ptr((thunk + PAGE) as *mut *mut ()) }
}

impl Pool {
    pub const fn new(target: unsafe extern "C" fn()) -> Pool {
        Pool { target, inner: Mutex::new(Inner { chunks: Vec::new(), free: VecDeque::new() }) }
    }
    /// A thunk with `value` in its word; None without memory.
    pub fn take(&self, value: *mut ()) -> Option<usize> {
        let mut inner = self.inner.lock().expect("thunks");
        if inner.free.is_empty() {
            let code = self.map()?;
            inner.chunks.push(code);
            inner.free.extend((0..THUNKS).map(|i| code + STEP * i));
        }
        let thunk = inner.free.pop_front()?;
        word(thunk).store(value, Ordering::Release);
        Some(thunk)
    }
    /// Frees a thunk; its value, or None if there is no such thunk in use.
    pub fn free(&self, thunk: usize) -> Option<*mut ()> {
        let mut inner = self.inner.lock().expect("thunks");
        let is_in = |c: &usize| thunk.wrapping_sub(*c) < STEP * THUNKS && (thunk - c).is_multiple_of(STEP);
        if !inner.chunks.iter().any(is_in) {
            return None;
        }
        let value = word(thunk).swap(std::ptr::null_mut(), Ordering::AcqRel);
        if value.is_null() {
            return None;
        }
        inner.free.push_back(thunk);
        Some(value)
    }
    /// A code page with its data page behind it.
    fn map(&self) -> Option<usize> {
        let writable = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: new memory, written within its bounds before it is made executable.
        unsafe {
            let code = libc::mmap(std::ptr::null_mut(), 2 * PAGE, writable, flags, -1, 0);
            if code == libc::MAP_FAILED {
                return None;
            }
            let code = code as usize;
            for i in 0..THUNKS {
                let bytes = instructions(i);
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), (code + STEP * i) as *mut u8, bytes.len());
            }
            *((code + PAGE + STEP * THUNKS) as *mut usize) = self.target as *const () as usize;
            if libc::mprotect(code as *mut libc::c_void, PAGE, libc::PROT_READ | libc::PROT_EXEC) != 0 {
                libc::munmap(code as *mut libc::c_void, 2 * PAGE);
                return None;
            }
            Some(code)
        }
    }
}

/// The code of thunk `i`; displacements count from the end of their instruction.
fn instructions(i: usize) -> [u8; 13] {
    let mut code = [0x4c, 0x8d, 0x15, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0];
    let to_word = PAGE - 7;
    let to_target = PAGE + STEP * (THUNKS - i) - 13;
    code[3..7].copy_from_slice(&(to_word as u32).to_le_bytes());
    code[9..13].copy_from_slice(&(to_target as u32).to_le_bytes());
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value of the word.
    #[unsafe(naked)]
    unsafe extern "C" fn value_of() {
        std::arch::naked_asm!("mov rax, [r10]", "ret")
    }

    #[test]
    fn each_thunk_has_its_word_and_freed_ones_come_last() {
        let pool = Pool::new(value_of);
        let value = |i: usize| (1000 + i) as *mut ();
        let all: Vec<usize> = (0..2 * THUNKS).map(|i| pool.take(value(i)).unwrap()).collect();
        for (i, thunk) in all.iter().enumerate() {
            // SAFETY: a thunk that leads to `value_of`.
            let f: extern "C" fn() -> usize = unsafe { std::mem::transmute(*thunk) };
            assert_eq!(f(), value(i) as usize);
        }
        assert_eq!(pool.free(all[7]), Some(value(7)));
        assert_eq!(pool.free(all[7]), None);
        assert_eq!(pool.free(all[8] + 1), None);
        assert_eq!(pool.free(all[3]), Some(value(3)));
        assert_eq!(pool.free(12345), None);
        let again = [pool.take(value(0)).unwrap(), pool.take(value(1)).unwrap()];
        assert_eq!(again, [all[7], all[3]]);
    }
}
