//! Internal errors: a broken invariant of the VM prints what it knows and aborts; it never becomes
//! a Java exception.
use std::sync::OnceLock;

/// Called with the message before the process aborts; the crash reporter registers itself.
pub type Reporter = fn(message: &str, file: &str, line: u32);
static REPORTER: OnceLock<Reporter> = OnceLock::new();

/// Registers the crash reporter; the first registration wins.
pub fn set_reporter(r: Reporter) {
    let _first = REPORTER.set(r);
}

/// Reports an internal error and aborts.
#[cold]
#[inline(never)]
pub fn die(message: std::fmt::Arguments<'_>, file: &str, line: u32) -> ! {
    let text = message.to_string();
    match REPORTER.get() {
        Some(r) => r(&text, file, line),
        None => crate::errln!("# Internal Error ({file}:{line}): {text}"),
    }
    std::process::abort()
}

/// Reports a broken invariant of the VM and aborts.
#[macro_export]
macro_rules! bug {
    ($($arg:tt)*) => { $crate::bug::die(format_args!($($arg)*), file!(), line!()) };
}
