//! Accesses to memory that a truncated file no longer backs: SIGBUS in the VM's own code, and in
//! compiled code.
//!
//! Invariant: only a fault of a Java thread in state `InVm` whose instruction lies in this library or
//! in compiled code and is understood here goes on, behind the instruction; the thread then throws
//! InternalError before it uses what it read, in compiled code by the poll behind the access.
//! Everything else is a crash.
use concord_contract::Thread;
use concord_contract::thread::ThreadState;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The code of this library.
static LOW: AtomicUsize = AtomicUsize::new(0);
static HIGH: AtomicUsize = AtomicUsize::new(0);

/// Finds out where this library's code is; before the first fault.
pub fn install() {
    extern "C" fn visit(info: *mut libc::dl_phdr_info, _size: usize, _data: *mut c_void) -> i32 {
        let own = install as *const () as usize;
        // SAFETY: the loader passes a valid record with `dlpi_phnum` headers.
        let (base, headers) = unsafe {
            let i = &*info;
            (i.dlpi_addr as usize, std::slice::from_raw_parts(i.dlpi_phdr, i.dlpi_phnum as usize))
        };
        for h in headers.iter().filter(|h| h.p_type == libc::PT_LOAD && h.p_flags & libc::PF_X != 0) {
            let (low, high) = (base + h.p_vaddr as usize, base + (h.p_vaddr + h.p_memsz) as usize);
            if (low..high).contains(&own) {
                LOW.store(low, Ordering::Release);
                HIGH.store(high, Ordering::Release);
                return 1;
            }
        }
        0
    }
    // SAFETY: the callback keeps to its arguments.
    unsafe { libc::dl_iterate_phdr(Some(visit), std::ptr::null_mut()) };
}

/// Whether the fault was an access that can be left out; then the context is behind it.
pub fn skip(context: *mut c_void) -> bool {
    let Some(th) = Thread::current_opt() else { return false };
    if th.state() != ThreadState::InVm {
        return false;
    }
    // SAFETY: the kernel passes a valid context to handlers.
    let pc = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs[libc::REG_RIP as usize] };
    let at = *pc as usize;
    let compiled = concord_compiled::area::get().is_some_and(|a| a.offset_of(at).is_some());
    if !compiled && !(LOW.load(Ordering::Acquire)..HIGH.load(Ordering::Acquire)).contains(&at) {
        return false;
    }
    // SAFETY: the processor has just read the instruction here; it has at most 15 bytes, and the
    // library does not end with it.
    let code = unsafe { std::slice::from_raw_parts(at as *const u8, 15) };
    let Some(n) = length(code) else { return false };
    concord_runtime::threads::note_unsafe_fault(th);
    *pc += n as i64;
    true
}

/// Bytes of the memory-accessing instruction that `code` begins with; None if it is not one that
/// compilers use for such accesses.
fn length(code: &[u8]) -> Option<usize> {
    let mut i = 0;
    let mut short = false;
    let mut wide = false;
    while matches!(code.get(i)?, 0x66 | 0xf0 | 0xf2 | 0xf3 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65) {
        short |= code[i] == 0x66;
        i += 1;
    }
    if (0x40..=0x4f).contains(code.get(i)?) {
        wide = code[i] & 8 != 0;
        i += 1;
    }
    // A 32-bit immediate has 16 bits under the operand-size prefix.
    let imm = if short && !wide { 2 } else { 4 };
    let op = *code.get(i)?;
    i += 1;
    let reg = |i: usize| Some(*code.get(i)? >> 3 & 7);
    let tail = match op {
        0x00..=0x3f if op & 7 < 4 => 0,
        0x63 | 0x84..=0x8b | 0xd0..=0xd3 | 0xfe | 0xff => 0,
        0x80 | 0x83 | 0xc0 | 0xc1 | 0xc6 | 0x6b => 1,
        0x81 | 0xc7 | 0x69 => imm,
        0xf6 => usize::from(reg(i)? < 2),
        0xf7 => {
            if reg(i)? < 2 {
                imm
            } else {
                0
            }
        }
        // String instructions have no operand bytes.
        0xa4..=0xa7 | 0xaa..=0xaf => return Some(i),
        0x0f => {
            let second = *code.get(i)?;
            i += 1;
            match second {
                0x38 => {
                    i += 1;
                    0
                }
                0x3a => {
                    i += 1;
                    1
                }
                0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => 1,
                0x10..=0x17
                | 0x28..=0x2f
                | 0x40..=0x6f
                | 0x74..=0x76
                | 0x7c..=0x7f
                | 0x90..=0x9f
                | 0xa3
                | 0xab
                | 0xae
                | 0xaf
                | 0xb0..=0xb9
                | 0xbb..=0xc1
                | 0xc3
                | 0xc7
                | 0xd0..=0xfe => 0,
                _ => return None,
            }
        }
        // VEX and EVEX: two, three or four bytes with the opcode map, then the opcode.
        0xc5 => {
            i += 2;
            usize::from(matches!(code.get(i - 1)?, 0x70..=0x73 | 0xc2 | 0xc4..=0xc6))
        }
        0xc4 | 0x62 => {
            let map = *code.get(i)? & 7;
            i += if op == 0xc4 { 3 } else { 4 };
            usize::from(map == 3 || map == 1 && matches!(code.get(i - 1)?, 0x70..=0x73 | 0xc2 | 0xc4..=0xc6))
        }
        _ => return None,
    };
    let m = *code.get(i)?;
    i += 1;
    let mode = m >> 6;
    if mode == 3 {
        return None;
    }
    let mut base = m & 7;
    if base == 4 {
        base = *code.get(i)? & 7;
        i += 1;
        if base == 5 && mode == 0 {
            return Some(i + 4 + tail);
        }
        base = 4;
    }
    let displacement = match mode {
        0 if base == 5 => 4,
        0 => 0,
        1 => 1,
        _ => 4,
    };
    Some(i + displacement + tail)
}

#[cfg(test)]
mod tests {
    use super::length;
    #[test]
    fn lengths_of_loads_and_stores() {
        let cases: &[(&[u8], Option<usize>)] = &[
            (&[0x8b, 0x07], Some(2)),                          // mov eax, [rdi]
            (&[0x48, 0x8b, 0x44, 0x37, 0x08], Some(5)),        // mov rax, [rdi+rsi+8]
            (&[0x0f, 0xb6, 0x04, 0x37], Some(4)),              // movzx eax, byte [rdi+rsi]
            (&[0x66, 0x89, 0x07], Some(3)),                    // mov [rdi], ax
            (&[0xc6, 0x07, 0x01], Some(3)),                    // mov byte [rdi], 1
            (&[0x66, 0xc7, 0x07, 1, 0], Some(5)),              // mov word [rdi], 1
            (&[0xc7, 0x87, 0, 1, 0, 0, 1, 0, 0, 0], Some(10)), // mov dword [rdi+256], 1
            (&[0xf0, 0x48, 0x0f, 0xb1, 0x17], Some(5)),        // lock cmpxchg [rdi], rdx
            (&[0x8b, 0x05, 0, 0, 0, 0], Some(6)),              // mov eax, [rip]
            (&[0x8b, 0x04, 0x25, 0, 0, 0, 0], Some(7)),        // mov eax, [abs]
            (&[0xf3, 0xa4], Some(2)),                          // rep movsb
            (&[0xc5, 0xfe, 0x6f, 0x07], Some(4)),              // vmovdqu ymm0, [rdi]
            (&[0x87, 0x07], Some(2)),                          // xchg [rdi], eax
            (&[0x89, 0xc8], None),                             // mov eax, ecx: no memory
            (&[0xcc], None),
        ];
        for (code, want) in cases {
            let mut padded = [0x90; 15];
            padded[..code.len()].copy_from_slice(code);
            assert_eq!(length(&padded), *want, "{code:x?}");
        }
    }
}
