//! Text for the user, on standard output and standard error.
//!
//! Invariant: nothing here ends the VM. Whoever reads may be gone (`java ... | head -1`) or the disk may be
//! full; the standard library's `println!` panics then, and a panic is an abort. As in HotSpot the
//! text is lost and the program goes on.
use std::fmt::Arguments;
use std::io::Write;

/// Writes to standard output what can be written.
pub fn out(text: Arguments<'_>) {
    let _nobody_reads = std::io::stdout().write_fmt(text);
}

/// Writes to standard error what can be written.
pub fn err(text: Arguments<'_>) {
    let _nobody_reads = std::io::stderr().write_fmt(text);
}

/// As `print!`.
#[macro_export]
macro_rules! out {
    ($($arg:tt)*) => { $crate::print::out(format_args!($($arg)*)) };
}
/// As `println!`.
#[macro_export]
macro_rules! outln {
    ($($arg:tt)*) => { $crate::print::out(format_args!("{}\n", format_args!($($arg)*))) };
}
/// As `eprint!`.
#[macro_export]
macro_rules! err {
    ($($arg:tt)*) => { $crate::print::err(format_args!($($arg)*)) };
}
/// As `eprintln!`.
#[macro_export]
macro_rules! errln {
    ($($arg:tt)*) => { $crate::print::err(format_args!("{}\n", format_args!($($arg)*))) };
}
