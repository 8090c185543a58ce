//! The JNI function table, one file per topic of the specification.
//!
//! Invariant: every function enters the VM state first and leaves it last, returns local
//! references in the caller's frame, and returns 0 when it throws. JNI forbids most calls while an
//! exception is pending, but programs make them: as in HotSpot, the exception stays pending unless
//! the function itself, or the Java code that it calls, throws another one.
#![expect(non_snake_case, reason = "names of functions are the specification's")]
pub mod args;
pub mod arrays;
pub mod calls;
pub mod checked;
pub mod checked_rules;
pub mod classes;
pub mod counted;
pub mod exceptions;
pub mod fields;
pub mod misc;
pub mod park;
pub mod reflection;
pub mod refs;
pub mod strings;
pub mod stubs;
pub mod table;
pub mod variadic;

/// The version that GetVersion and GetEnv know.
pub const JNI_VERSION: i32 = 0x000a_0000;
pub const JNI_OK: i32 = 0;
pub const JNI_ERR: i32 = -1;
pub const JNI_EDETACHED: i32 = -2;
pub const JNI_EVERSION: i32 = -3;
pub const JNI_EINVAL: i32 = -6;

/// Whether a JNI version exists.
pub fn version_exists(v: i32) -> bool {
    matches!(v, 0x0001_0001 | 0x0001_0002 | 0x0001_0004 | 0x0001_0006 | 0x0001_0008 | 0x0009_0000 | 0x000a_0000)
}
