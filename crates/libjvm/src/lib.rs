//! `libjvm.so`: what the launcher, the JDK's libraries and JNI programs call.
//!
//! Invariant: nothing here knows how the VM works; a function enters the VM state, resolves what it
//! was given, calls the runtime and returns handles. The names exported are those of OpenJDK 17's
//! own library, but for its debugger tables (`gHotSpotVM*`), which describe another VM's structures.
mod async_trace;
mod crash;
mod env;
mod exports;
mod home;
mod invocation;
mod jio;
mod jni;
mod jvm;
mod jvmti;

/// The system's, but for one table of the collector.
#[global_allocator]
static ALLOCATOR: concord_heap::space_table::Allocator = concord_heap::space_table::Allocator;
