//! Classes, linking, initialization, exceptions, calls into Java: what the engines and the natives
//! stand on.
//!
//! Invariant: an engine is reached only through `concord_contract::entries::Engine`, and every
//! entry of the runtime either returns normally or has set the thread's pending exception.
pub mod allocations;
pub mod apart;
pub mod arrays;
pub mod boot;
pub mod boot_path;
pub mod busy;
pub mod call;
pub mod compile_env;
pub mod constraints;
pub mod define;
pub mod entries;
pub mod events;
pub mod exceptions;
mod failures;
pub mod fields;
pub mod foreign;
pub mod handles;
pub mod info;
pub mod init;
pub mod jimage;
pub mod known;
pub mod loader;
pub mod metaspace;
pub mod methodhandles;
pub mod mirror;
pub mod modules;
pub mod monitor_roots;
pub mod names;
pub mod native;
pub mod object;
pub mod old_verifier;
pub mod oom;
pub mod perf;
pub mod redefine;
pub mod reflection;
pub mod relaxed;
pub mod relayout;
pub mod resolve;
pub mod roots;
pub mod stackwalk;
pub mod statistics;
pub mod strings;
mod supers;
pub mod sync;
pub mod threads;
pub mod unload;
pub mod unsafe_natives;
mod unused_file;
pub mod verify;
pub mod vm_natives;
pub mod vtable;

pub use info::{ClassExt, ClassInfo, FieldInfo, MethodExt, MethodInfo};

/// Runs `f`, which may sleep, with the thread counted as stopped. `f` must not touch the heap.
pub fn blocking<T>(th: &concord_contract::Thread, f: impl FnOnce() -> T) -> T {
    let _attached = th;
    concord_safepoint::blocked(f)
}
