//! The tool interface (JVM TI 17): environments that agents get from `GetEnv`, their functions and
//! events.
//!
//! Invariant: an environment's function table has the 156 entries of the specification in their order; an
//! entry whose capability this VM does not offer says so (error 99). Functions are called in state
//! `Native` by attached threads, or before the VM runs by the thread that makes it; each enters the VM for as
//! long as it touches objects. Callbacks run in state `Native`, without locks.
//!
//! Not offered: JNI function interception, events of compiled methods, events before the class library is up.
//!
//! | module | functions about |
//! |---|---|
//! | `environment`, `capabilities` | environments, callbacks, which events are wanted; what an agent may do |
//! | `agents` | loading agents, at start and later |
//! | `events` | calling agents |
//! | `general` | memory, storage, properties, phase, timers |
//! | `classes`, `members` | classes, methods, fields |
//! | `change` | transformation, redefinition, search paths |
//! | `threads`, `stack`, `locals` | threads, frames, local variables |
//! | `raw_monitor` | monitors of agents |
//! | `breakpoints` | breakpoints and frame pops |
//! | `follow`, `stack_roots` | references between objects, and from frames |
//! | `force` | popped frames, early returns |
//! | `watches` | field accesses and modifications |
//! | `heap`, `values` | tags, sizes, walks, primitive values |
pub mod agents;
mod breakpoints;
mod capabilities;
mod change;
mod classes;
mod environment;
pub mod events;
mod follow;
mod force;
mod general;
mod heap;
mod locals;
mod members;
mod raw_monitor;
mod stack;
mod stack_roots;
mod threads;
mod values;
pub mod watches;

pub use environment::new_environment;

use crate::env::{InVm, Out, Ref, enter};
use concord_contract::{ClassRef, Obj, Thread};
use concord_runtime::known;
use environment::Env;
use std::cell::UnsafeCell;
use std::ffi::{c_char, c_void};

/// Errors by the specification's numbers.
pub mod error {
    pub const NONE: i32 = 0;
    pub const INVALID_THREAD: i32 = 10;
    pub const INVALID_THREAD_GROUP: i32 = 11;
    pub const THREAD_NOT_SUSPENDED: i32 = 13;
    pub const THREAD_SUSPENDED: i32 = 14;
    pub const THREAD_NOT_ALIVE: i32 = 15;
    pub const INVALID_OBJECT: i32 = 20;
    pub const INVALID_CLASS: i32 = 21;
    pub const CLASS_NOT_PREPARED: i32 = 22;
    pub const INVALID_LOCATION: i32 = 24;
    pub const INVALID_FIELD: i32 = 25;
    pub const NO_MORE_FRAMES: i32 = 31;
    pub const OPAQUE_FRAME: i32 = 32;
    pub const TYPE_MISMATCH: i32 = 34;
    pub const INVALID_SLOT: i32 = 35;
    pub const DUPLICATE: i32 = 40;
    pub const NOT_FOUND: i32 = 41;
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

/// What stands in the table where this VM offers nothing.
pub extern "C" fn refused(_e: &Env) -> i32 {
    error::MUST_POSSESS_CAPABILITY
}

/// The function table of an environment. Agents (async-profiler) write addresses of their own into it,
/// so it must be in memory that can be written.
#[repr(C)]
pub struct Table(UnsafeCell<[*const c_void; 156]>);
// SAFETY: addresses of functions; nothing of the VM writes or reads them.
unsafe impl Sync for Table {}

macro_rules! functions {
    (@one _) => { std::ptr::null() };
    (@one no) => { refused as *const c_void };
    (@one $m:ident :: $f:ident) => { $m::$f as *const c_void };
    ($($($part:tt)::+,)*) => {
        static TABLE: Table = Table(UnsafeCell::new([$(functions!(@one $($part)::+)),*]));
    };
}

// Ten to a row; `_` is reserved, `no` is not offered.
functions! {
    _, environment::set_notification, classes::all_modules, threads::all, threads::suspend, threads::resume, threads::stop,
    threads::interrupt, threads::info, threads::owned_monitors,
    threads::contended_monitor, threads::run_agent, threads::top_groups, threads::group_info, threads::group_children,
    stack::frame_count, threads::state, threads::current, stack::frame_location, breakpoints::notify_frame_pop,
    locals::get_object, locals::get_int, locals::get_long, locals::get_float, locals::get_double,
    locals::set_object, locals::set_int, locals::set_long, locals::set_float, locals::set_double,
    raw_monitor::create, raw_monitor::destroy, raw_monitor::enter, raw_monitor::exit, raw_monitor::wait,
    raw_monitor::notify, raw_monitor::notify_all, breakpoints::set, breakpoints::clear, classes::named_module,
    watches::set_access, watches::clear_access, watches::set_modification, watches::clear_modification,
    change::is_modifiable,
    general::allocate_bytes, general::deallocate, classes::signature, classes::status, classes::source_file,
    classes::modifiers, classes::methods, classes::fields, classes::interfaces, classes::is_interface,
    classes::is_array, classes::loader_of, heap::hash, threads::monitor_usage, members::field_name,
    members::field_class, members::field_modifiers, members::is_field_synthetic, members::method_name, members::method_class,
    members::method_modifiers, _, members::max_locals, members::arguments_size, members::line_numbers,
    members::location, members::local_variables, change::set_native_prefix, change::set_native_prefixes, members::bytecodes,
    members::is_native, members::is_method_synthetic, classes::loaded, classes::of_loader, force::pop_frame,
    force::return_object, force::return_int, force::return_long, force::return_float, force::return_double,
    force::return_void, change::redefine, general::version, capabilities::capabilities, classes::debug_extension,
    members::is_obsolete, threads::suspend_list, threads::resume_list, change::add_reads, change::add_exports,
    change::add_opens, change::add_uses, change::add_provides, change::is_modifiable_module, stack::all_traces,
    stack::list_traces, general::get_thread_storage, general::set_thread_storage, stack::trace, _,
    heap::get_tag, heap::set_tag, heap::collect, no, no,
    no, no, _, heap::objects_with_tags, follow::follow,
    heap::iterate, _, _, _, no,
    general::jni_table, environment::set_callbacks, general::generate_events, general::extension_functions, general::extension_events,
    general::set_extension_callback, environment::dispose, general::error_name, general::location_format, general::properties,
    general::property, general::set_property, general::phase, general::cpu_timer_info, general::current_cpu_time,
    general::cpu_timer_info, general::cpu_time, general::timer_info, general::time, capabilities::potential_capabilities,
    _, capabilities::add, capabilities::relinquish, general::processors, classes::version_numbers,
    classes::constant_pool, general::get_storage, general::set_storage, change::append_boot, general::set_verbose,
    change::append_system, change::retransform, threads::owned_monitors_with_depth, heap::size, locals::get_receiver,
    heap::set_sampling_interval,
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn entries_are_where_the_specification_has_them() {
        // SAFETY: no agent is here to write it.
        let table = unsafe { &*TABLE.0.get() };
        // Numbers are the specification's, which count from 1.
        for (number, f) in [
            (41, watches::set_access as *const c_void),
            (73, change::set_native_prefix as *const c_void),
            (80, force::pop_frame as *const c_void),
            (86, force::return_void as *const c_void),
            (46, general::allocate_bytes as *const c_void),
            (87, change::redefine as *const c_void),
            (104, stack::trace as *const c_void),
            (115, follow::follow as *const c_void),
            (116, heap::iterate as *const c_void),
            (133, general::phase as *const c_void),
            (152, change::retransform as *const c_void),
            (155, locals::get_receiver as *const c_void),
            (156, heap::set_sampling_interval as *const c_void),
        ] {
            assert_eq!(table[number - 1], f, "{number}");
        }
        for reserved in [1, 67, 105, 113, 117, 118, 119, 141] {
            assert!(table[reserved - 1].is_null(), "{reserved}");
        }
    }
}
