//! JNI function tables whose slots go through a stub of machine code.
//!
//! Invariant: a stub leaves all argument registers as they were (`rax` too: it holds the number of
//! vector arguments of a variadic call) and ends in a jump to the function that its slot in [`TABLE`] holds by then.
//! The memory is writable only until it is executable.
use super::table::{NAMES, SLOTS, TABLE};

/// Reserved slots before the first function.
pub const RESERVED: usize = SLOTS - NAMES.len();
/// Bytes of one stub at most.
const STUB: usize = 32;

/// A new table; `code` makes the stub of a slot, given its number and the address of its slot in the plain table.
///
/// # Errors
/// What the system says to a mapping for the code.
pub fn table(code: impl Fn(usize, u64) -> Vec<u8>) -> std::io::Result<*const ()> {
    let bytes = (SLOTS * STUB).next_multiple_of(4096);
    // SAFETY: a fresh private mapping; it is filled before it becomes executable and the table is
    // handed out, and never unmapped.
    unsafe {
        let at = libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        if at == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        let mut table = TABLE.functions().to_vec();
        for (i, function) in table.iter_mut().enumerate().skip(RESERVED) {
            let at = at.cast::<u8>().add(i * STUB);
            let code = code(i, TABLE.slot(i));
            assert!(code.len() <= STUB, "a stub of {} bytes", code.len());
            std::ptr::copy_nonoverlapping(code.as_ptr(), at, code.len());
            *function = at.cast();
        }
        if libc::mprotect(at, bytes, libc::PROT_READ | libc::PROT_EXEC) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok(Box::leak(table.into_boxed_slice()).as_ptr().cast())
    }
}
