//! Whether a word is the address of a method.
//!
//! Invariant: what is said to be a method is one whose class is loaded, and stays so until the calling
//! thread, which is in state `InVm`, lets the world be stopped. A word that is not is found out by
//! reads through the kernel; methods once found are remembered until classes are unloaded.
use concord_contract::class::flags;
use concord_contract::{Class, ClassRef, Method, MethodRef};
use concord_runtime::{ClassInfo, unload};
use std::ffi::c_void;
use std::mem::{MaybeUninit, offset_of};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Methods found, by a hash of their address.
static KNOWN: [AtomicPtr<Method>; 4096] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 4096];

/// Begins to listen for unloading; before the first class can be unloaded.
pub fn init() {
    unload::on_unload(forget);
}
fn forget(_dead: &[ClassRef]) {
    // The world is stopped: no thread in state `InVm` is about to enter what goes.
    KNOWN.iter().for_each(|k| k.store(std::ptr::null_mut(), Ordering::Relaxed));
}

/// Reads memory that may not be there.
fn peek<T: Copy>(at: usize) -> Option<T> {
    let mut value = MaybeUninit::<T>::uninit();
    let n = size_of::<T>();
    let here = libc::iovec { iov_base: value.as_mut_ptr().cast(), iov_len: n };
    let there = libc::iovec { iov_base: at as *mut c_void, iov_len: n };
    // SAFETY: the kernel checks the remote range; the local one is the value.
    let got = unsafe { libc::process_vm_readv(libc::getpid(), &here, 1, &there, 1, 0) };
    // SAFETY: all bytes were written; callers ask for types that any bytes are a value of.
    (got == n as isize).then(|| unsafe { value.assume_init() })
}

/// The method at `word`, if there is one.
pub fn method(word: u64) -> Option<MethodRef> {
    let at = word as usize;
    if at < 4096 || !at.is_multiple_of(align_of::<Method>()) {
        return None;
    }
    let slot = &KNOWN[at / 64 % KNOWN.len()];
    if slot.load(Ordering::Relaxed) as usize != at {
        if !is_method(at) {
            return None;
        }
        slot.store(at as *mut Method, Ordering::Relaxed);
    }
    // SAFETY: found to be a method by this very thread or another in state `InVm`, and no classes
    // were unloaded since.
    Some(unsafe { &*(at as *const Method) })
}

/// Whether the class that stands there has a method there.
fn is_method(at: usize) -> bool {
    let own = || {
        let class: usize = peek(at.checked_add(offset_of!(Method, class))?)?;
        let bits: u32 = peek(class.checked_add(offset_of!(Class, flags))?)?;
        let info: usize = peek(class.checked_add(offset_of!(Class, info))?)?;
        let block: *const [Method] = peek(info.checked_add(offset_of!(ClassInfo, method_block))?)?;
        let distance = at.checked_sub(block.cast::<Method>() as usize)?;
        let within = distance.is_multiple_of(size_of::<Method>()) && distance / size_of::<Method>() < block.len();
        Some(within && bits & flags::UNLOADED == 0)
    };
    own().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn words_that_are_no_methods() {
        let zeros = [0u64; 64];
        let own = zeros.as_ptr() as u64;
        for word in [0, 8, 1, u64::MAX, u64::MAX - 7, 0x1234_5678_9abc_def0, own, own + 1] {
            assert!(method(word).is_none(), "{word:#x}");
        }
    }
}
