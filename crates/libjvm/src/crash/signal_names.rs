//! Names of fatal signals and of their causes.

pub fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        _ => "signal",
    }
}
/// What `si_code` says (sigaction(2)).
pub fn signal_code_name(signal: i32, code: i32) -> &'static str {
    match (signal, code) {
        (_, 0) => "SI_USER",
        (_, -6) => "SI_TKILL",
        (_, 0x80) => "SI_KERNEL",
        (libc::SIGSEGV, 1) => "SEGV_MAPERR",
        (libc::SIGSEGV, 2) => "SEGV_ACCERR",
        (libc::SIGBUS, 1) => "BUS_ADRALN",
        (libc::SIGBUS, 2) => "BUS_ADRERR",
        (libc::SIGBUS, 3) => "BUS_OBJERR",
        (libc::SIGFPE, 1) => "FPE_INTDIV",
        (libc::SIGFPE, 2) => "FPE_INTOVF",
        (libc::SIGFPE, 3) => "FPE_FLTDIV",
        (libc::SIGILL, 1) => "ILL_ILLOPC",
        (libc::SIGILL, 2) => "ILL_ILLOPN",
        _ => "unknown",
    }
}
