//! Compiled code at run time: where it lies, how it is entered and left, when it is made and when
//! it goes.
//!
//! Invariant: the interpreter can take over from compiled code at every call, guard and poll, and
//! compiled code from the interpreter at every call and loop header. What is known about a place in
//! machine code is in its record (`contract::compiled`), never in registers or in the code itself.
//!
//! Deliberately absent: how code is made (the trait `Compiler`), patching of code.
//!
//! ```text
//!  interpreter --i2c--> compiled code --rows--> VM
//!      ^  ^ \--osr-->     |      | |
//!      |  \-----c2i-------/      | \--deopt--> interpreter frames
//!      \--- slow (exception) ----/
//! ```
//! | module | owns |
//! |---|---|
//! | [`area`], [`table`] | memory of code; from an address to its record |
//! | [`asm`], [`i2c`], [`osr`], [`c2i`] | adapters between interpreter and compiled code |
//! | [`linkers`] | method-handle intrinsics |
//! | [`natives`] | native methods |
//! | `stubs`, [`rows`] | what compiled code calls; `alloc_stubs`, `publish_stubs`, [`store_stubs`]: the rows that are short; `near`: calls that reach them |
//! | [`bulk`], [`wide`] | routines over whole arrays |
//! | [`aes`], [`digests`], [`ghash`], [`montgomery`], `known_fields` | ciphers, digests, arithmetic of public keys |
//! | [`deopt`], [`slow`] | leaving compiled code other than by returning |
//! | [`install`], [`closing`], [`registry`] | publishing and invalidating |
//! | [`tiers`], [`commands`], [`print`] | what is compiled, and when |
//! | [`cache`], [`gdb`] | what is there: for people, for debuggers |
pub mod aes;
mod alloc_stubs;
pub mod area;
pub mod asm;
pub mod bulk;
pub mod c2i;
pub mod cache;
pub mod closing;
pub mod commands;
pub mod deopt;
pub mod digests;
pub mod gdb;
pub mod ghash;
pub mod i2c;
pub mod install;
mod known_fields;
pub mod linkers;
pub mod montgomery;
pub mod natives;
mod near;
pub mod osr;
pub mod print;
mod publish_stubs;
pub mod registry;
pub mod rows;
pub mod slow;
pub mod store_stubs;
mod stubs;
pub mod table;
pub mod tiers;
pub mod wide;
