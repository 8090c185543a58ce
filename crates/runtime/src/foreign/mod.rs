//! The VM's half of the foreign linker of JDK 17 (`jdk.incubator.foreign.CLinker`), for the C ABI of Linux on x86-64.
//!
//! Invariant: what the class library says of registers is checked against [`abi`] before code depends on it; an ABI that
//! is not that one is refused. C code runs in state `Native`, between [`downcall`] and its return; Java code that C code
//! calls runs in state `InVm`, between [`upcall`] and its return.
//!
//! Deliberately absent: code that is made for a signature. One piece of assembly loads all registers of a call from a
//! buffer, another stores them; only the thunks, whose addresses are the C functions, are made at run time.
//!
//! ```text
//! downcall   invokeExact -> linkToNative -> its fallback: ProgrammableInvoker.invokeMoves fills a buffer
//!              -> invokeNative(adapter, buffer) -> downcall::enter -> C
//! upcall     C -> thunk -> upcall::enter stores the registers in a buffer -> upcall::run
//!              -> the handle with arguments from registers, or ProgrammableUpcallHandler.invoke(handle, buffer)
//! ```
//!
//! | module | owns |
//! |---|---|
//! | `abi` | the buffer and the registers that it stands for |
//! | `downcall` | ProgrammableInvoker |
//! | `thunks` | executable memory of upcalls |
//! | `stubs` | ProgrammableUpcallHandler, UpcallStubs: what a thunk calls |
//! | `upcall` | the way from C code into Java and back |
mod abi;
mod downcall;
mod stubs;
mod thunks;
mod upcall;

pub use downcall::PROGRAMMABLE_INVOKER;
pub use stubs::{PROGRAMMABLE_UPCALL_HANDLER, UPCALL_STUBS};
