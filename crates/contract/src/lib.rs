//! What two rooms must agree on, and nothing else.
//!
//! Invariant: every layout that the interpreter, compiled code or the collector reads by offset is
//! declared here, once, as a `#[repr(C)]` type; every call that crosses from an engine into the
//! runtime is a row of [`entries::RuntimeEntries`]. There is no logic here beyond accessors.
//!
//! | module | what is agreed |
//! |---|---|
//! | [`barrier`] | inline half of the write barrier |
//! | [`object`] | header, references, typed access to the payload |
//! | [`owner`] | whose a LOCAL object is, when that is checked |
//! | [`layout`] | the table from layout id to size and reference map |
//! | [`class`] | the VM's mirror of a Java class |
//! | [`supers`] | supertypes in constant time, interfaces with their methods |
//! | [`method`] | the VM's mirror of a Java method, call-site records, constant-pool cache |
//! | [`thread`] | the thread block |
//! | [`frame`] | the Java stack: frame header, walking |
//! | [`code_table`] | from an address in machine code to its record |
//! | [`compile_env`] | what a compiler asks about the program |
//! | [`compiled`] | machine code of methods: convention, records, frame states, trait `Compiler` |
//! | [`constant_objects`] | objects that a compiler may look into |
//! | [`compiling`] | what compiler threads are at, for crash reports |
//! | [`profile`] | what running code has shown about a method |
//! | [`rows`] | what compiled code calls in the VM |
//! | [`entries`] | rows that an engine calls in the runtime; the `Engine` trait the runtime calls |
pub mod barrier;
pub mod class;
pub mod code_table;
pub mod compile_env;
pub mod compiled;
pub mod compiling;
pub mod constant_objects;
pub mod entries;
pub mod frame;
pub mod layout;
pub mod method;
pub mod object;
pub mod owner;
pub mod profile;
pub mod rows;
pub mod supers;
pub mod thread;

pub use class::{Class, ClassKind, ClassRef, ClassState};
pub use method::{CallKind, CallSite, CpEntry, Method, MethodRef};
pub use object::{BasicType, Obj};
pub use thread::Thread;

/// An exception is pending in the thread block; the value itself carries nothing.
///
/// A function that returns `Err(Thrown)` has set [`Thread::exception`]; a caller either handles it
/// by [`Thread::take_exception`] or passes the error on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Thrown;

/// Result of everything that may throw a Java exception.
pub type JResult<T> = Result<T, Thrown>;
