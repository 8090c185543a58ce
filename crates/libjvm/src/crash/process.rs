//! What a crash report says of the process: command line, time, heap, environment.
//!
//! Invariant: as of all sections, nothing here allocates or takes a lock.
use concord_base::options;
use std::ffi::CStr;
use std::fmt::{Result, Write};

pub(super) fn write_summary(out: &mut dyn Write) -> Result {
    write!(out, "Command Line:")?;
    options::get().vm_arguments.iter().try_for_each(|a| write!(out, " {a}"))?;
    if let Some(command) = options::get().property("sun.java.command") {
        write!(out, " {command}")?;
    }
    write!(out, "\n\nTime: ")?;
    write_time(out)?;
    let up = concord_base::log::uptime();
    let (s, days) = (up.as_secs(), up.as_secs() / 86400);
    writeln!(
        out,
        " elapsed time: {}.{:06} seconds ({days}d {}h {}m {}s)",
        s,
        up.subsec_micros(),
        s / 3600 % 24,
        s / 60 % 60,
        s % 60
    )
}

/// As `date` prints it, in UTC.
fn write_time(out: &mut dyn Write) -> Result {
    // SAFETY: the records are the functions' own kinds; the buffer's size is given.
    let text = unsafe {
        let now = libc::time(std::ptr::null_mut());
        let mut parts: libc::tm = std::mem::zeroed();
        libc::gmtime_r(&now, &mut parts);
        let mut text = [0u8; 64];
        libc::strftime(text.as_mut_ptr().cast(), text.len(), c"%a %b %e %H:%M:%S %Y UTC".as_ptr(), &parts);
        text
    };
    let end = text.iter().position(|b| *b == 0).unwrap_or(0);
    out.write_str(std::str::from_utf8(&text[..end]).unwrap_or("?"))
}

pub(super) fn write_heap(out: &mut dyn Write) -> Result {
    if !concord_heap::is_set_up() {
        return writeln!(out, "\nHeap:\n not set up");
    }
    writeln!(
        out,
        "\nHeap:\n concord heap        total {}K, used {}K, limit {}K\n  live after the last full collection {}K",
        concord_heap::total_memory() >> 10,
        concord_heap::used_memory() >> 10,
        concord_heap::max_memory() >> 10,
        concord_heap::live_after_full() >> 10
    )
}

/// The variables that change what the VM and its libraries do.
pub(super) fn write_environment(out: &mut dyn Write) -> Result {
    writeln!(out, "\nEnvironment Variables:")?;
    for name in [
        c"JAVA_HOME",
        c"JAVA_TOOL_OPTIONS",
        c"_JAVA_OPTIONS",
        c"JDK_JAVA_OPTIONS",
        c"CLASSPATH",
        c"PATH",
        c"LD_LIBRARY_PATH",
        c"LD_PRELOAD",
        c"SHELL",
        c"DISPLAY",
        c"LANG",
        c"LC_ALL",
        c"TZ",
    ] {
        // SAFETY: both are NUL-terminated; nobody changes the environment any more.
        let value = unsafe {
            let v = libc::getenv(name.as_ptr());
            if v.is_null() { None } else { CStr::from_ptr(v).to_str().ok() }
        };
        if let (Ok(name), Some(value)) = (name.to_str(), value) {
            writeln!(out, "{name}={value}")?;
        }
    }
    Ok(())
}
