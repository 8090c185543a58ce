//! The compilation in which a compiler thread crashed: its line in the report, and its recording.
//!
//! Invariant: as the reporter's (see the parent). The recording is where the crashed thread left it;
//! it is handed to the kernel as it lies there, which refuses what cannot be read.
use super::{Line, Sink, open_one_of};
use concord_base::options;
use concord_contract::compiling::{self, Compilation};
use concord_contract::method::acc;
use std::fmt::{Result, Write};

/// What the crashed thread compiles.
fn current() -> Option<Compilation> {
    // SAFETY: no preconditions.
    compiling::at(unsafe { libc::syscall(libc::SYS_gettid) } as u32)
}

/// In HotSpot's words; and how to get a recording, if there is none.
pub fn write_task(out: &mut dyn Write) -> Result {
    let Some(c) = current() else { return Ok(()) };
    let m = c.method;
    let mark = |yes: bool, mark: char| if yes { mark } else { ' ' };
    let (osr, sync) = (mark(c.osr_bci.is_some(), '%'), mark(m.has(acc::SYNCHRONIZED), 's'));
    let (catches, blocking) =
        (mark(!m.exceptions.is_empty(), '!'), mark(!options::get().flags.background_compilation, 'b'));
    let uptime = concord_base::log::uptime().as_millis();
    write!(
        out,
        "\nCurrent CompileTask:\nC1: {uptime:6} {:4} {osr}{sync}{catches}{blocking}  {}       ",
        c.id, c.level
    )?;
    write_bytes(out, m.class.name.as_bytes(), true)?;
    out.write_str("::")?;
    write_bytes(out, m.name.as_bytes(), false)?;
    write_bytes(out, m.descriptor.as_bytes(), false)?;
    if let Some(bci) = c.osr_bci {
        write!(out, " @ {bci}")?;
    }
    writeln!(out, " ({} bytes)", m.bytecode.len())?;
    if c.recording.1 == 0 {
        writeln!(out, "(no replay file: run with -XX:+DumpReplayDataOnError to get one)")?;
    }
    Ok(())
}
/// A name of the class file; without allocation, so its other encoding of a few characters stays.
fn write_bytes(out: &mut dyn Write, bytes: &[u8], dotted: bool) -> Result {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            out.write_char(if dotted && c == '/' { '.' } else { c })?;
        }
        if !chunk.invalid().is_empty() {
            out.write_char('?')?;
        }
    }
    Ok(())
}

/// Writes the recording to its file, and says so.
pub fn save(out: &mut dyn Write) -> Result {
    let Some((at, len)) = current().map(|c| c.recording).filter(|r| r.1 > 0) else { return Ok(()) };
    let mut name = Line { bytes: [0; 1024], len: 0 };
    let asked = options::get().flags.replay_data_file.as_deref();
    let Some(fd) = open_one_of(&mut name, asked, "replay_pid") else { return Ok(()) };
    let mut done = 0;
    while done < len {
        // SAFETY: the kernel reads the memory, and gives an error where it cannot.
        let n = unsafe { libc::write(fd, (at + done) as *const libc::c_void, len - done) };
        if n <= 0 {
            break;
        }
        done += n as usize;
    }
    let text = std::str::from_utf8(&name.bytes[..name.len]).unwrap_or("?");
    if done < len {
        writeln!(Sink(fd), "\n(cut off)")?;
    }
    write!(out, "# Compiler replay data is saved as:\n# {text}\n#\n")
}
