//! What the collector's conservative scan needs from the processor.
//!
//! Invariant: after [`record_context`] every word that the caller's frame and those above it will
//! read again lies in `[native_sp, native_base)` or in `saved_registers`.
#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "aarch64")]
pub use aarch64::record_context;
#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::record_context;
