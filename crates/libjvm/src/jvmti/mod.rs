//! The tool interface (JVM TI 17): environments that agents get from `GetEnv`, their functions and
//! events.
//!
//! Invariant: an environment's function table has the 156 entries of the specification in their order. Functions are called in state
//! `Native` by attached threads, or before the VM runs by the thread that makes it; each enters the VM for as
//! long as it touches objects. Callbacks run in state `Native`, without locks.
//!
//! | module | functions about |
//! |---|---|
//! | `table` | what they demand before they run |
//! | `environment`, `capabilities` | environments, callbacks, which events are wanted; what an agent may do |
//! | `agents` | loading agents, at start and later |
//! | `events`, `compiled` | calling agents; about compiled code |
//! | `general` | memory, storage, properties, phase, timers |
//! | `classes`, `members` | classes, methods, fields |
//! | `change` | transformation, redefinition, search paths |
//! | `modules` | modules: which there are, what they read, export, use |
//! | `threads`, `stack`, `locals` | threads, frames, local variables |
//! | `raw_monitor` | monitors of agents |
//! | `breakpoints` | breakpoints and frame pops |
//! | `follow`, `stack_roots` | references between objects, and from frames |
//! | `force` | popped frames, early returns |
//! | `watches` | field accesses and modifications |
//! | `heap`, `values`, `old_walks` | tags, sizes, walks, primitive values |
pub mod agents;
mod breakpoints;
mod capabilities;
mod change;
mod classes;
mod compiled;
mod environment;
pub mod events;
mod follow;
mod force;
mod general;
mod heap;
mod locals;
mod members;
mod modules;
mod old_walks;
mod raw_monitor;
mod stack;
mod stack_roots;
mod table;
mod tagging;
mod threads;
mod values;
pub mod watches;

pub use environment::new_environment;

use crate::env::{InVm, Out, Ref, enter};
use concord_contract::{ClassRef, Obj, Thread};
use concord_runtime::known;
use std::ffi::{c_char, c_void};

/// Errors by the specification's numbers.
pub mod error {
    pub const NONE: i32 = 0;
    pub const INVALID_THREAD: i32 = 10;
    pub const INVALID_PRIORITY: i32 = 12;
    pub const INVALID_THREAD_GROUP: i32 = 11;
    pub const THREAD_NOT_SUSPENDED: i32 = 13;
    pub const THREAD_SUSPENDED: i32 = 14;
    pub const THREAD_NOT_ALIVE: i32 = 15;
    pub const INVALID_OBJECT: i32 = 20;
    pub const INVALID_CLASS: i32 = 21;
    pub const CLASS_NOT_PREPARED: i32 = 22;
    pub const INVALID_METHOD: i32 = 23;
    pub const INVALID_LOCATION: i32 = 24;
    pub const INVALID_FIELD: i32 = 25;
    pub const INVALID_MODULE: i32 = 26;
    pub const NO_MORE_FRAMES: i32 = 31;
    pub const OPAQUE_FRAME: i32 = 32;
    pub const TYPE_MISMATCH: i32 = 34;
    pub const INVALID_SLOT: i32 = 35;
    pub const DUPLICATE: i32 = 40;
    pub const NOT_FOUND: i32 = 41;
    pub const INVALID_MONITOR: i32 = 50;
    pub const NOT_MONITOR_OWNER: i32 = 51;
    pub const INTERRUPT: i32 = 52;
    pub const UNMODIFIABLE_CLASS: i32 = 79;
    pub const NOT_AVAILABLE: i32 = 98;
    pub const MUST_POSSESS_CAPABILITY: i32 = 99;
    pub const NULL_POINTER: i32 = 100;
    pub const ABSENT_INFORMATION: i32 = 101;
    pub const INVALID_EVENT_TYPE: i32 = 102;
    pub const ILLEGAL_ARGUMENT: i32 = 103;
    pub const NATIVE_METHOD: i32 = 104;
    pub const OUT_OF_MEMORY: i32 = 110;
    pub const WRONG_PHASE: i32 = 112;
    pub const INTERNAL: i32 = 113;
    pub const UNATTACHED_THREAD: i32 = 115;
    pub const INVALID_ENVIRONMENT: i32 = 116;
}
/// Err is the error's number.
pub type Answer<T = ()> = Result<T, i32>;

/// An answer as C sees it.
fn code(a: Answer) -> i32 {
    match a {
        Ok(()) => error::NONE,
        Err(e) => e,
    }
}

/// Runs `f` in the VM state of the calling thread. No local reference outlives the call but those
/// that are handed out.
fn in_vm(f: impl FnOnce(&InVm<'_>) -> Answer) -> i32 {
    match Thread::current_opt() {
        Some(th) => code(f(&enter(th))),
        // Whether it is too early is asked first.
        None if general::current_phase() == general::life::ON_LOAD => error::WRONG_PHASE,
        None => error::UNATTACHED_THREAD,
    }
}

/// Memory that the agent frees by Deallocate.
fn allocate(bytes: usize) -> Answer<*mut c_void> {
    if bytes == 0 {
        return Ok(std::ptr::null_mut());
    }
    // SAFETY: a size that is not 0.
    let p = unsafe { libc::malloc(bytes) };
    if p.is_null() { Err(error::OUT_OF_MEMORY) } else { Ok(p) }
}
/// Hands out an array.
fn give_array<T: Copy>(out: Out<*mut T>, values: &[T]) -> Answer {
    let p = allocate(size_of_val(values))?.cast::<T>();
    if !values.is_empty() {
        // SAFETY: fresh memory of that size.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), p, values.len()) };
    }
    out.set(p);
    Ok(())
}
/// Hands out an array and its length.
fn give<T: Copy>(count: Out<i32>, out: Out<*mut T>, values: &[T]) -> Answer {
    give_array(out, values)?;
    count.set(values.len() as i32);
    Ok(())
}
/// A NUL-terminated copy of a text.
fn new_text(text: &[u8]) -> Answer<*mut c_char> {
    let p = allocate(text.len() + 1)?.cast::<u8>();
    // SAFETY: fresh memory with room for the text and its end.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), p, text.len());
        p.add(text.len()).write(0);
    }
    Ok(p.cast())
}
/// Hands out a text; null for none.
fn give_text(out: Out<*mut c_char>, text: Option<&[u8]>) -> Answer {
    out.set(match text {
        Some(t) => new_text(t)?,
        None => std::ptr::null_mut(),
    });
    Ok(())
}

/// The class that a reference stands for.
fn class_of(r: Ref) -> Answer<ClassRef> {
    let o = r.get();
    if o.is_null() || o.class() != known::classes().class {
        return Err(error::INVALID_CLASS);
    }
    Ok(concord_runtime::mirror::class_of(o))
}
/// The java.lang.Thread that a reference stands for, null standing for the caller.
fn thread_of(th: &Thread, r: Ref) -> Answer<Obj> {
    let o = if r.is_null() { th.java_thread.get() } else { r.get() };
    if o.is_null() || !o.is_instance_of(known::classes().thread) {
        return Err(error::INVALID_THREAD);
    }
    Ok(o)
}
/// As [`thread_of`], for threads that are alive.
fn live_thread(th: &Thread, r: Ref) -> Answer<Obj> {
    let o = thread_of(th, r)?;
    if concord_runtime::threads::is_alive(o) { Ok(o) } else { Err(error::THREAD_NOT_ALIVE) }
}
