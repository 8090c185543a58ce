//! `-XX:+GdbJit`: a debugger sees compiled methods and adapters by name and walks through their
//! frames.
//!
//! Invariant: the list behind [`__jit_debug_descriptor`] names exactly the code that is installed,
//! and changes only under one lock; an entry and its file in memory live until the debugger has been
//! told that they go. This is GDB's "JIT compilation interface" (its manual, chapter 30): a debugger
//! has a breakpoint in [`__jit_debug_register_code`] and reads the descriptor when it is hit.
mod elf;

use concord_base::options;
use std::ptr::null_mut;
use std::sync::Mutex;

#[repr(C)]
struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    file: *const u8,
    bytes: u64,
}

#[repr(C)]
pub struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}
// SAFETY: changed under the lock of `ENTRIES` alone; the debugger reads it while the process is stopped.
unsafe impl Sync for Descriptor {}

const REGISTER: u32 = 1;
const UNREGISTER: u32 = 2;

/// What the debugger reads.
#[unsafe(no_mangle)]
pub static mut __jit_debug_descriptor: Descriptor =
    Descriptor { version: 1, action: 0, relevant: null_mut(), first: null_mut() };

/// Where the debugger has its breakpoint.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __jit_debug_register_code() {
    // As far as the optimiser knows this reads all memory: stores before the call stay before it.
    // SAFETY: no instruction at all.
    unsafe { std::arch::asm!("", options(nostack)) };
}

/// An entry by the address of its code; owned here.
struct Known {
    start: usize,
    entry: *mut Entry,
    _file: Box<[u8]>,
}
// SAFETY: entries are touched under the lock alone.
unsafe impl Send for Known {}

static ENTRIES: Mutex<Vec<Known>> = Mutex::new(Vec::new());

fn on() -> bool {
    options::get().flags.gdb_jit
}

/// Tells the debugger of code that is entered by `push rbp; mov rbp, rsp`.
pub fn register(name: impl FnOnce() -> String, start: usize, bytes: usize) {
    if on() {
        add(&name(), start, bytes);
    }
}

/// The code at this address goes.
pub fn unregister(start: usize) {
    if on() {
        remove(start);
    }
}

fn add(name: &str, start: usize, bytes: usize) {
    let file = elf::file(name, start, bytes).into_boxed_slice();
    let mut all = ENTRIES.lock().expect("entries of the debugger");
    let entry =
        Box::new(Entry { next: null_mut(), previous: null_mut(), file: file.as_ptr(), bytes: file.len() as u64 });
    let entry = Box::into_raw(entry);
    // SAFETY: under the lock; the first entry, if any, is alive.
    unsafe {
        let d = &raw mut __jit_debug_descriptor;
        (*entry).next = (*d).first;
        if let Some(first) = (*d).first.as_mut() {
            first.previous = entry;
        }
        (*d).first = entry;
        tell(REGISTER, entry);
    }
    all.push(Known { start, entry, _file: file });
}

fn remove(start: usize) {
    let mut all = ENTRIES.lock().expect("entries of the debugger");
    let Some(i) = all.iter().position(|k| k.start == start) else { return };
    let known = all.swap_remove(i);
    // SAFETY: under the lock; neighbours in the list are alive. The entry is freed when the debugger
    // has read that it goes.
    unsafe {
        let e = known.entry;
        match (*e).previous.as_mut() {
            Some(p) => p.next = (*e).next,
            None => __jit_debug_descriptor.first = (*e).next,
        }
        if let Some(n) = (*e).next.as_mut() {
            n.previous = (*e).previous;
        }
        tell(UNREGISTER, e);
        drop(Box::from_raw(e));
    }
}

/// # Safety
/// Under the lock; the entry is alive.
unsafe fn tell(action: u32, entry: *mut Entry) {
    // SAFETY: by the caller's promise.
    unsafe {
        let d = &raw mut __jit_debug_descriptor;
        (*d).action = action;
        (*d).relevant = entry;
    }
    __jit_debug_register_code();
    // SAFETY: as above.
    unsafe { __jit_debug_descriptor.relevant = null_mut() };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses of the code in the list, as a debugger that attaches reads them; the list is walked
    /// both ways.
    fn listed() -> Vec<u64> {
        let _stays = ENTRIES.lock().unwrap();
        let mut all = Vec::new();
        // SAFETY: under the lock; entries and files in the list are alive.
        unsafe {
            let mut e = __jit_debug_descriptor.first;
            let mut previous = null_mut();
            while !e.is_null() {
                assert_eq!((*e).previous, previous);
                let file = std::slice::from_raw_parts((*e).file, (*e).bytes as usize);
                let sections = u64::from_le_bytes(file[40..48].try_into().unwrap()) as usize;
                all.push(u64::from_le_bytes(file[sections + 64 + 16..][..8].try_into().unwrap()));
                (previous, e) = (e, (*e).next);
            }
        }
        all
    }

    #[test]
    fn the_list_is_what_is_installed() {
        (1..=4).for_each(|n| add("a.B::c", n << 12, 100));
        assert_eq!(listed(), [0x4000, 0x3000, 0x2000, 0x1000]);
        remove(0x3000);
        remove(0x5000);
        assert_eq!(listed(), [0x4000, 0x2000, 0x1000]);
        remove(0x4000);
        remove(0x1000);
        assert_eq!(listed(), [0x2000]);
        remove(0x2000);
        assert!(listed().is_empty() && ENTRIES.lock().unwrap().is_empty());
    }
}
