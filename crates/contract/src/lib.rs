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
//! | [`layout`] | the table from layout id to size and reference map |
//! | [`class`] | the VM's mirror of a Java class |
//! | [`method`] | the VM's mirror of a Java method, call-site records, constant-pool cache |
//! | [`thread`] | the thread block |
//! | [`frame`] | the Java stack: frame header, walking |
//! | [`entries`] | rows that an engine calls in the runtime; the `Engine` trait the runtime calls |
pub mod barrier;
pub mod class;
pub mod entries;
pub mod frame;
pub mod layout;
pub mod method;
pub mod object;
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
