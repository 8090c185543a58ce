//! What a crash report shows of memory and stacks.
//!
//! Invariant: nothing here allocates, and every word of foreign memory is read through the kernel.
use super::Registers;
use concord_contract::code_table::{self, Place};
use concord_contract::frame::{Frame, java_frames};
use concord_contract::{Method, Thread};
use std::ffi::{CStr, c_int, c_void};
use std::fmt::Write;

/// Reads memory that may not be there.
pub(super) fn peek(address: usize) -> Option<u64> {
    let mut word = 0u64;
    let here = libc::iovec { iov_base: (&raw mut word).cast(), iov_len: 8 };
    let there = libc::iovec { iov_base: address as *mut c_void, iov_len: 8 };
    // SAFETY: the kernel checks the remote range; the local one is the word.
    let n = unsafe { libc::process_vm_readv(libc::getpid(), &here, 1, &there, 1, 0) };
    (n == 8).then_some(word)
}

fn write_method(out: &mut dyn Write, m: &Method) -> std::fmt::Result {
    let text = |b: &'static [u8]| std::str::from_utf8(b).unwrap_or("?");
    write!(out, "{}.{}{}", text(m.class.name.as_bytes()), text(m.name.as_bytes()), text(m.descriptor.as_bytes()))
}

/// The frame of `pc` as reports print it: `C  [libc.so.6+0x1234]  name+0x10`, or the method whose machine code it is in.
pub(super) fn write_frame(out: &mut dyn Write, pc: usize) -> std::fmt::Result {
    match code_table::find(pc) {
        Some(Place::Method(code)) => {
            write!(out, "J  ")?;
            write_method(out, code.method)?;
            let (start, offset) = (code.start, pc - code.start);
            return write!(out, " @ 0x{pc:016x} [0x{start:016x}+0x{offset:x}]");
        }
        Some(Place::Adapter(_)) => return write!(out, "v  ~StubRoutines::adapter @ 0x{pc:016x}"),
        None => {}
    }
    // SAFETY: dladdr fills the record for any address; its strings live as long as the library.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(pc as *const c_void, &mut info) == 0 || info.dli_fname.is_null() {
            return write!(out, "C  0x{pc:016x}");
        }
        let path = CStr::from_ptr(info.dli_fname).to_bytes();
        let file = std::str::from_utf8(path.rsplit(|b| *b == b'/').next().unwrap_or(path)).unwrap_or("?");
        let kind = if file.starts_with("libjvm") { 'V' } else { 'C' };
        write!(out, "{kind}  [{file}+0x{:x}]", pc - info.dli_fbase as usize)?;
        if !info.dli_sname.is_null()
            && let Ok(name) = CStr::from_ptr(info.dli_sname).to_str()
        {
            write!(out, "  {name}+0x{:x}", pc - info.dli_saddr as usize)?;
        }
    }
    Ok(())
}

pub(super) fn write_java_frame(out: &mut dyn Write, f: &Frame) -> std::fmt::Result {
    match f.method() {
        Some(m) => {
            let bci = concord_runtime::stackwalk::bci_of(m, f);
            let kind = if f.is_compiled() { 'J' } else { 'j' };
            write!(out, "{kind}  ")?;
            write_method(out, m)?;
            write!(out, "+{bci}")
        }
        None => write!(out, "v  ~StubRoutines::call_stub"),
    }
}

/// The Java frames of the interrupted code that are not yet in the anchors: those of Java code itself.
pub(super) fn write_interrupted(out: &mut dyn Write, th: &Thread, r: &Registers) -> std::fmt::Result {
    let mut all = 0usize;
    crate::async_trace::interrupted(th, &r.all, &mut |_, _| {
        all += 1;
        true
    });
    let mut inner = all.saturating_sub(java_frames(th).count());
    let kind = if code_table::find(r.get("RIP") as usize).is_some() { 'J' } else { 'j' };
    let mut written = Ok(());
    crate::async_trace::interrupted(th, &r.all, &mut |m, bci| {
        if inner == 0 || written.is_err() {
            return false;
        }
        inner -= 1;
        written = write!(out, "{kind}  ").and_then(|()| write_method(out, m)).and_then(|()| writeln!(out, "+{bci}"));
        true
    });
    written
}

/// Frames as the unwinder of the C++ ABI finds them.
pub(super) fn unwind(out: &mut dyn Write) -> std::fmt::Result {
    #[repr(C)]
    struct Context {
        _opaque: [u8; 0],
    }
    unsafe extern "C" {
        fn _Unwind_Backtrace(f: extern "C" fn(*mut Context, *mut c_void) -> c_int, data: *mut c_void) -> c_int;
        fn _Unwind_GetIP(c: *mut Context) -> usize;
    }
    extern "C" fn visit(c: *mut Context, data: *mut c_void) -> c_int {
        const GO_ON: c_int = 0;
        const END_OF_STACK: c_int = 5;
        // SAFETY: the unwinder passes its context and our pointer.
        let (pc, out) = unsafe { (_Unwind_GetIP(c), &mut *data.cast::<&mut dyn Write>()) };
        if write_frame(*out, pc).and_then(|()| out.write_char('\n')).is_ok() { GO_ON } else { END_OF_STACK }
    }
    let mut out = out;
    // SAFETY: the callback gets the address of `out`, which outlives the call.
    unsafe { _Unwind_Backtrace(visit, (&raw mut out).cast()) };
    Ok(())
}

pub(super) fn write_native_stack(out: &mut dyn Write, r: &Registers) -> std::fmt::Result {
    writeln!(out, "\nNative frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)")?;
    let (mut pc, mut fp) = (r.get("RIP") as usize, r.get("RBP") as usize);
    for _ in 0..100 {
        write_frame(out, pc)?;
        writeln!(out)?;
        let (Some(next_fp), Some(next_pc)) = (peek(fp), peek(fp.wrapping_add(8))) else { break };
        // Frames lie upwards; anything else is not a chain of frame pointers.
        if next_pc == 0 || next_fp as usize <= fp {
            break;
        }
        (pc, fp) = (next_pc as usize, next_fp as usize);
    }
    Ok(())
}

pub(super) fn write_memory(out: &mut dyn Write, title: &str, from: usize, words: usize) -> std::fmt::Result {
    writeln!(out, "{title}0x{from:016x})")?;
    for i in 0..words {
        let at = from.wrapping_add(8 * i);
        let end = if i % 2 == 1 { "\n" } else { "" };
        if i % 2 == 0 {
            write!(out, "0x{at:016x}:")?;
        }
        match peek(at) {
            Some(w) => write!(out, "  {w:016x}{end}")?,
            None => write!(out, "  ????????????????{end}")?,
        }
    }
    Ok(())
}

pub(super) fn write_file(out: &mut dyn Write, path: &str) -> std::fmt::Result {
    let mut name = [0u8; 64];
    name[..path.len()].copy_from_slice(path.as_bytes());
    // SAFETY: a NUL-terminated path; descriptor and buffer are valid.
    unsafe {
        let fd = libc::open(name.as_ptr().cast(), libc::O_RDONLY);
        if fd < 0 {
            return writeln!(out, "{path}: not readable");
        }
        let mut buf = [0u8; 4096];
        loop {
            let n = libc::read(fd, buf.as_mut_ptr().cast(), buf.len());
            if n <= 0 {
                break;
            }
            for piece in buf[..n as usize].utf8_chunks() {
                out.write_str(piece.valid())?;
            }
        }
        libc::close(fd);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn peek_survives_bad_addresses() {
        let word = 0x1234_5678_9abc_def0u64;
        assert_eq!(peek(&raw const word as usize), Some(word));
        assert_eq!((peek(0), peek(8)), (None, None));
    }
}
