//! The JNI function table that counts, for `-Xlog:coverage`.
//!
//! Invariant: a slot of this table counts and goes on to the function of the same slot of the plain
//! table ([`stubs`]). It is made only for a run that counts; others use the plain table.
use super::stubs::{self, RESERVED};
use super::table::{NAMES, SLOTS};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];

/// Counts at `counter` and goes on at what `slot` holds.
fn stub(counter: u64, slot: u64) -> Vec<u8> {
    let push_rax_and_load: &[u8] = &[0x50, 0x48, 0xb8]; // push rax; mov rax, counter
    let count: &[u8] = &[0xf0, 0x48, 0xff, 0x00, 0x58, 0x49, 0xbb]; // lock inc qword [rax]; pop rax; mov r11, slot
    let jump: &[u8] = &[0x41, 0xff, 0x23]; // jmp [r11]
    [push_rax_and_load, &counter.to_le_bytes(), count, &slot.to_le_bytes(), jump].concat()
}

/// The counting table, made at the first call.
///
/// # Errors
/// What the system says to a mapping for its code.
pub fn address() -> std::io::Result<*const ()> {
    static MADE: OnceLock<usize> = OnceLock::new();
    if let Some(t) = MADE.get() {
        return Ok(*t as *const ());
    }
    let table = stubs::table(|i, slot| stub(COUNTS[i].as_ptr() as u64, slot))?;
    Ok(*MADE.get_or_init(|| table as usize) as *const ())
}

/// Prints the functions that were called.
pub fn report() {
    for (name, count) in NAMES.iter().zip(&COUNTS[RESERVED..]) {
        let n = count.load(Ordering::Relaxed);
        if n != 0 {
            concord_base::coverage::row("jni", name, n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern "C" fn sum(a: u64, b: u64) -> u64 {
        a * 1000 + b
    }
    #[test]
    fn a_stub_counts_and_goes_on() {
        let counter = AtomicU64::new(0);
        let slot = sum as *const ();
        let code = stub(counter.as_ptr() as u64, &raw const slot as u64);
        // SAFETY: the mapping holds one stub, which ends in a function of this type.
        let r = unsafe {
            let p = libc::mmap(
                std::ptr::null_mut(),
                4096,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            assert_ne!(p, libc::MAP_FAILED);
            std::ptr::copy_nonoverlapping(code.as_ptr(), p.cast(), code.len());
            assert_eq!(libc::mprotect(p, 4096, libc::PROT_READ | libc::PROT_EXEC), 0);
            let f = std::mem::transmute::<*mut libc::c_void, extern "C" fn(u64, u64) -> u64>(p);
            f(3, 4) + f(0, 1)
        };
        assert_eq!((r, counter.load(Ordering::Relaxed)), (3005, 2));
    }
    #[test]
    fn the_table_differs_in_every_function() {
        let t = address().expect("a mapping");
        // SAFETY: the table has that many slots.
        let t = unsafe { std::slice::from_raw_parts(t.cast::<*mut ()>(), SLOTS) };
        let plain = super::super::table::TABLE.functions();
        assert!(t[..RESERVED].iter().all(|p| p.is_null()));
        assert!(t.iter().zip(&plain).skip(RESERVED).all(|(a, b)| a != b && !a.is_null()));
    }
}
