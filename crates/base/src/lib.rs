//! Vocabulary below every room: symbols, logging, options, elementary functions, the bug macro.
//!
//! Invariant: nothing here knows what a Java class is; every other crate may depend on this one.
pub mod bug;
pub mod compile_commands;
pub mod coverage;
pub mod directives;
pub mod event_log;
pub mod log;
pub mod math;
pub mod options;
pub mod print;
pub mod symbol;

pub use symbol::Symbol;
