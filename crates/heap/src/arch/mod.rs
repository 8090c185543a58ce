//! Block copies and hints to the cache, by architecture.
//!
//! Invariant: `copy_blocks` reads and writes every byte once, and never splits a naturally aligned
//! element of up to 8 bytes.
#[cfg(not(target_arch = "x86_64"))]
mod other;
#[cfg(not(target_arch = "x86_64"))]
pub use other::{BLOCK, can_copy_blocks, copy_blocks, fetch};
#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::{BLOCK, can_copy_blocks, copy_blocks, fetch};
