//! JVM_GetManagement: the table behind java.management's natives.
//!
//! Invariant: the table has the 40 entries of interface version 3 in their order; none is null but
//! the two reserved ones. What this VM cannot measure is reported as unsupported, not as zero.
//!
//! | module | entries |
//! |---|---|
//! | `attributes` | version, numbers, switches |
//! | `flags` | -XX flags |
//! | `commands` | diagnostic commands |
//! | `memory` | beans of pools and managers, usage |
//! | `pools` | the numbers of pools |
//! | `notifications` | what is told after collections, and of thresholds |
//! | `threads` | thread information, deadlocks, processor time |
mod attributes;
mod commands;
mod flags;
mod memory;
mod notifications;
mod pools;
mod threads;

use std::ffi::c_void;

/// Interface version 3.
const VERSION: i32 = 0x2003_0000;

#[repr(transparent)]
pub struct Table([*const c_void; 40]);
// SAFETY: addresses of functions, never written.
unsafe impl Sync for Table {}

static TABLE: Table = Table([
    std::ptr::null(),
    std::ptr::null(),
    attributes::version as *const c_void,
    attributes::optional_support as *const c_void,
    threads::thread_info as *const c_void,
    memory::pools as *const c_void,
    memory::managers as *const c_void,
    memory::pool_usage as *const c_void,
    memory::peak_usage as *const c_void,
    threads::allocated_by_one as *const c_void,
    threads::allocated as *const c_void,
    memory::usage as *const c_void,
    attributes::long as *const c_void,
    attributes::boolean as *const c_void,
    attributes::set_boolean as *const c_void,
    attributes::longs as *const c_void,
    threads::monitor_deadlocks as *const c_void,
    threads::cpu_time as *const c_void,
    flags::flag_names as *const c_void,
    flags::flags as *const c_void,
    threads::internal_times as *const c_void,
    attributes::reset as *const c_void,
    memory::set_sensor as *const c_void,
    memory::set_threshold as *const c_void,
    memory::collection_usage as *const c_void,
    memory::gc_attributes as *const c_void,
    memory::last_gc as *const c_void,
    threads::cpu_time_of_kind as *const c_void,
    threads::cpu_times_of_kind as *const c_void,
    memory::dump_heap as *const c_void,
    threads::deadlocks as *const c_void,
    flags::set_flag as *const c_void,
    threads::allocated_by_all as *const c_void,
    threads::dump as *const c_void,
    memory::notify as *const c_void,
    commands::commands as *const c_void,
    commands::command_info as *const c_void,
    commands::command_arguments as *const c_void,
    commands::execute as *const c_void,
    commands::notify_commands as *const c_void,
]);

/// The table of an interface version, or null for a version that is not known.
#[unsafe(no_mangle)]
pub extern "C" fn JVM_GetManagement(version: i32) -> *const c_void {
    concord_base::count_symbol!("JVM_GetManagement");
    // Versions 1.0 to 3.0 are prefixes of each other.
    if (0x2001_0000..=VERSION).contains(&version) { (&raw const TABLE).cast() } else { std::ptr::null() }
}

/// As `jvm!`, for functions that are reached through the table only.
macro_rules! entry {
    ($($name:ident($th:ident $(, $arg:ident: $ty:ty)* $(,)?) -> $ret:ident $body:block)*) => { $(
        pub extern "C" fn $name($th: &concord_contract::Thread $(, $arg: $ty)*) -> $crate::jvm::jvm!(@type $ret) {
            let vm = $crate::env::enter($th);
            let $th = vm.th;
            let body = || -> concord_contract::JResult<$crate::jvm::jvm!(@value $ret)> { $body };
            let r = body();
            $crate::jvm::jvm!(@result $ret vm r)
        }
    )* };
}
use entry;
