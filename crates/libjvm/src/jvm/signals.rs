//! JVM_FindSignal, JVM_RegisterSignal, JVM_RaiseSignal: jdk.internal.misc.Signal's natives.
use concord_base::options;
use concord_runtime::native::signals;
use std::ffi::{CStr, c_char, c_int};

/// What Java passes as a handler: default action, ignore, dispatch to Java.
const JAVA_HANDLER: usize = 2;
const FAILED: usize = usize::MAX;

const NAMES: &[(&str, c_int)] = &[
    ("ABRT", libc::SIGABRT),
    ("ALRM", libc::SIGALRM),
    ("BUS", libc::SIGBUS),
    ("CHLD", libc::SIGCHLD),
    ("CLD", libc::SIGCHLD),
    ("CONT", libc::SIGCONT),
    ("FPE", libc::SIGFPE),
    ("HUP", libc::SIGHUP),
    ("ILL", libc::SIGILL),
    ("INT", libc::SIGINT),
    ("IO", libc::SIGIO),
    ("IOT", libc::SIGIOT),
    ("KILL", libc::SIGKILL),
    ("PIPE", libc::SIGPIPE),
    ("POLL", libc::SIGPOLL),
    ("PROF", libc::SIGPROF),
    ("PWR", libc::SIGPWR),
    ("QUIT", libc::SIGQUIT),
    ("SEGV", libc::SIGSEGV),
    ("STKFLT", libc::SIGSTKFLT),
    ("STOP", libc::SIGSTOP),
    ("SYS", libc::SIGSYS),
    ("TERM", libc::SIGTERM),
    ("TRAP", libc::SIGTRAP),
    ("TSTP", libc::SIGTSTP),
    ("TTIN", libc::SIGTTIN),
    ("TTOU", libc::SIGTTOU),
    ("URG", libc::SIGURG),
    ("USR1", libc::SIGUSR1),
    ("USR2", libc::SIGUSR2),
    ("VTALRM", libc::SIGVTALRM),
    ("WINCH", libc::SIGWINCH),
    ("XCPU", libc::SIGXCPU),
    ("XFSZ", libc::SIGXFSZ),
];

/// Number of the signal with this name, without `SIG`; -1 if there is none.
///
/// # Safety
/// `name` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_FindSignal(name: *const c_char) -> c_int {
    concord_base::count_symbol!("JVM_FindSignal");
    // SAFETY: the caller passes a NUL-terminated string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    NAMES.iter().find(|n| n.0.as_bytes() == name).map_or(-1, |n| n.1)
}

fn is_shutdown(signal: c_int) -> bool {
    matches!(signal, libc::SIGHUP | libc::SIGINT | libc::SIGTERM)
}

/// Sets the handler of a signal and returns the one before; -1 (as an address) if the signal is
/// the VM's, cannot be handled, or is left alone by -Xrs.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_RegisterSignal(signal: c_int, handler: usize) -> usize {
    concord_base::count_symbol!("JVM_RegisterSignal");
    let java = signals::java_handler as *const () as usize;
    let seen = |h: usize| if h == java { JAVA_HANDLER } else { h };
    if matches!(signal, libc::SIGSEGV | libc::SIGFPE | libc::SIGILL | libc::SIGQUIT) {
        return FAILED;
    }
    if is_shutdown(signal) {
        if options::get().flags.reduce_signal_usage {
            return FAILED;
        }
        // A program started under nohup keeps ignoring.
        if signals::current(signal) == Some(libc::SIG_IGN) {
            return libc::SIG_IGN;
        }
    }
    let new = if handler == JAVA_HANDLER { java } else { handler };
    signals::install(signal, new).map_or(FAILED, seen)
}

/// Sends a signal to this process; false if -Xrs leaves shutdown signals alone.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_RaiseSignal(signal: c_int) -> u8 {
    concord_base::count_symbol!("JVM_RaiseSignal");
    if options::get().flags.reduce_signal_usage && (is_shutdown(signal) || signal == libc::SIGQUIT) {
        return 0;
    }
    // SAFETY: raise has no preconditions.
    unsafe { libc::raise(signal) };
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn signals_are_found_and_registered() {
        // SAFETY: NUL-terminated literals.
        let find = |n: &CStr| unsafe { JVM_FindSignal(n.as_ptr()) };
        assert_eq!((find(c"HUP"), find(c"TERM"), find(c"SIGHUP"), find(c"FOO")), (1, 15, -1, -1));
        assert_eq!(JVM_RegisterSignal(libc::SIGSEGV, JAVA_HANDLER), FAILED);
        assert_eq!(JVM_RegisterSignal(libc::SIGKILL, JAVA_HANDLER), FAILED);
        assert_eq!(JVM_RegisterSignal(libc::SIGWINCH, JAVA_HANDLER), libc::SIG_DFL);
        assert_eq!(JVM_RegisterSignal(libc::SIGWINCH, libc::SIG_IGN), JAVA_HANDLER);
        assert_eq!(JVM_RegisterSignal(libc::SIGWINCH, libc::SIG_DFL), libc::SIG_IGN);
    }
}
