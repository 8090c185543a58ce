//! The function table of environments, and what each function demands before it runs.
//!
//! Invariant: no function runs in a phase that the specification does not allow, for a disposed environment, on a thread that is not
//! attached (but while agents are loaded, and those of all phases), without its capability, or with null where something must be;
//! the first of these that is so is the answer, as in HotSpot.
use super::capabilities::can;
use super::environment::Env;
use super::events::in_collection;
use super::general::{life, phase_of};
use super::{
    breakpoints, capabilities, change, classes, compiled, environment, error, follow, force, general, heap, locals,
    members, modules, old_walks, raw_monitor, stack, threads, watches,
};
use crate::env::{FieldId, MethodId};
use concord_contract::Thread;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::atomic::Ordering;

/// Functions of the specification, reserved ones included.
const FUNCTIONS: usize = 156;
const LOAD: u8 = 1;
const START_OR_LIVE: u8 = 2 | 4;
const LIVE: u8 = 4;
const LOAD_OR_LIVE: u8 = 1 | 4;
const ANY: u8 = 1 | 2 | 4 | 8;
/// Beside phases: also in callbacks of collections, whose thread is none of Java's.
const IN_COLLECTIONS: u8 = 16;
const LOAD_OR_LIVE_OR_COLLECTION: u8 = LOAD_OR_LIVE | IN_COLLECTIONS;
const START_OR_LIVE_OR_COLLECTION: u8 = START_OR_LIVE | IN_COLLECTIONS;

/// The function table of an environment. Agents (async-profiler) write addresses of their own into it,
/// so it must be in memory that can be written.
#[repr(C)]
pub struct Table(UnsafeCell<[*const c_void; FUNCTIONS]>);
// SAFETY: addresses of functions; nothing of the VM writes or reads them.
unsafe impl Sync for Table {}

/// A function and what it demands: phases, capability, and a letter for each argument that must be something: a pointer (`p`), a
/// monitor (`m`), a class (`c`), a method (`M`), a field (`F`), or no negative number (`n`).
#[derive(Clone, Copy)]
struct Demand {
    function: *const c_void,
    phases: u8,
    capability: u64,
    arguments: &'static str,
}
struct Demands([Demand; FUNCTIONS]);
// SAFETY: addresses of functions, never written.
unsafe impl Sync for Demands {}

impl Demand {
    const NONE: Demand = Demand { function: std::ptr::null(), phases: 0, capability: 0, arguments: "" };

    /// What the environment is told instead of an answer.
    fn refuses(&self, e: &Env, arguments: [usize; 5]) -> Option<i32> {
        let phase = match phase_of(e) {
            life::ON_LOAD => LOAD,
            life::START => START_OR_LIVE & !LIVE,
            life::LIVE => LIVE,
            _ => ANY & !LOAD_OR_LIVE & !START_OR_LIVE,
        };
        if self.phases & phase == 0 {
            Some(error::WRONG_PHASE)
        } else if self.phases != ANY
            && phase != LOAD
            && Thread::current_opt().is_none()
            && !(self.phases & IN_COLLECTIONS != 0 && in_collection())
        {
            Some(error::UNATTACHED_THREAD)
        } else if e.disposed.load(Ordering::Acquire) {
            Some(error::INVALID_ENVIRONMENT)
        } else if !e.has(self.capability) {
            Some(error::MUST_POSSESS_CAPABILITY)
        } else {
            self.arguments.bytes().zip(arguments).find_map(|(letter, value)| missing(letter, value))
        }
    }
}

fn missing(letter: u8, value: usize) -> Option<i32> {
    let e = match letter {
        b'n' => return ((value as i32) < 0).then_some(error::ILLEGAL_ARGUMENT),
        b'p' => error::NULL_POINTER,
        b'm' => return (!raw_monitor::is_monitor(value)).then_some(error::INVALID_MONITOR),
        b'c' => error::INVALID_CLASS,
        b'M' => return (!MethodId::is_valid(value)).then_some(error::INVALID_METHOD),
        b'F' => return (!FieldId::is_valid(value)).then_some(error::INVALID_FIELD),
        _ => return None,
    };
    (value == 0).then_some(e)
}

/// What stands in the table for function `N`.
extern "C" fn demanded<const N: usize>(e: &Env, a: usize, b: usize, c: usize, d: usize, f: usize, x: f64) -> i32 {
    let demand = &DEMANDS.0[N - 1];
    if let Some(refusal) = demand.refuses(e, [a, b, c, d, f]) {
        return refusal;
    }
    // SAFETY: a function of the table, none of which has more arguments behind the environment than five integers or pointers and
    // one floating-point number. By the platform's convention each is in the register that it has here, whatever the others
    // hold, so the function finds the agent's arguments.
    unsafe {
        let function: extern "C" fn(&Env, usize, usize, usize, usize, usize, f64) -> i32 =
            std::mem::transmute(demand.function);
        function(e, a, b, c, d, f, x)
    }
}

macro_rules! functions {
    ($($number:literal $m:ident :: $f:ident, $phases:ident, $capability:expr, $arguments:literal;)*) => {
        static DEMANDS: Demands = {
            let mut all = [Demand::NONE; FUNCTIONS];
            $(all[$number - 1] = Demand { function: $m::$f as *const c_void, phases: $phases, capability: $capability, arguments: $arguments };)*
            Demands(all)
        };
        /// The only instance, with null where the specification reserves a number.
        pub static TABLE: Table = {
            let mut all = [std::ptr::null(); FUNCTIONS];
            $(all[$number - 1] = demanded::<$number> as *const c_void;)*
            Table(UnsafeCell::new(all))
        };
    };
}

// The specification's numbers, which count from 1.
functions! {
    2 environment::set_notification, LOAD_OR_LIVE, 0, "";
    3 modules::all, LIVE, 0, "pp";
    4 threads::all, LIVE, 0, "pp";
    5 threads::suspend, LIVE, can::SUSPEND, "";
    6 threads::resume, LIVE, can::SUSPEND, "";
    7 threads::stop, LIVE, can::SIGNAL_THREAD, "";
    8 threads::interrupt, LIVE, can::SIGNAL_THREAD, "";
    9 threads::info, LIVE, 0, ".p";
    10 threads::owned_monitors, LIVE, can::OWNED_MONITORS, ".pp";
    11 threads::contended_monitor, LIVE, can::CONTENDED_MONITOR, ".p";
    12 threads::run_agent, LIVE, 0, ".p";
    13 threads::top_groups, LIVE, 0, "pp";
    14 threads::group_info, LIVE, 0, ".p";
    15 threads::group_children, LIVE, 0, ".pppp";
    16 stack::frame_count, LIVE, 0, ".p";
    17 threads::state, LIVE, 0, ".p";
    18 threads::current, START_OR_LIVE, 0, "p";
    19 stack::frame_location, LIVE, 0, ".npp";
    20 breakpoints::notify_frame_pop, LIVE, can::FRAME_POP, ".n";
    21 locals::get_object, LIVE, can::LOCALS, ".n.p";
    22 locals::get_int, LIVE, can::LOCALS, ".n.p";
    23 locals::get_long, LIVE, can::LOCALS, ".n.p";
    24 locals::get_float, LIVE, can::LOCALS, ".n.p";
    25 locals::get_double, LIVE, can::LOCALS, ".n.p";
    26 locals::set_object, LIVE, can::LOCALS, ".n";
    27 locals::set_int, LIVE, can::LOCALS, ".n";
    28 locals::set_long, LIVE, can::LOCALS, ".n";
    29 locals::set_float, LIVE, can::LOCALS, ".n";
    30 locals::set_double, LIVE, can::LOCALS, ".n";
    31 raw_monitor::create, LOAD_OR_LIVE_OR_COLLECTION, 0, "pp";
    32 raw_monitor::destroy, LOAD_OR_LIVE_OR_COLLECTION, 0, "m";
    33 raw_monitor::enter, ANY, 0, "m";
    34 raw_monitor::exit, ANY, 0, "m";
    35 raw_monitor::wait, ANY, 0, "m";
    36 raw_monitor::notify, ANY, 0, "m";
    37 raw_monitor::notify_all, ANY, 0, "m";
    38 breakpoints::set, LIVE, can::GENERATE_BREAKPOINTS, "M";
    39 breakpoints::clear, LIVE, can::GENERATE_BREAKPOINTS, "M";
    40 modules::named, LIVE, 0, ".pp";
    41 watches::set_access, LIVE, can::FIELD_ACCESS, "cF";
    42 watches::clear_access, LIVE, can::FIELD_ACCESS, "cF";
    43 watches::set_modification, LIVE, can::FIELD_MODIFICATION, "cF";
    44 watches::clear_modification, LIVE, can::FIELD_MODIFICATION, "cF";
    45 change::is_modifiable, START_OR_LIVE, 0, "cp";
    46 general::allocate_bytes, ANY, 0, ".p";
    47 general::deallocate, ANY, 0, "";
    48 classes::signature, START_OR_LIVE, 0, "c";
    49 classes::status, START_OR_LIVE, 0, "cp";
    50 classes::source_file, START_OR_LIVE, can::SOURCE_FILE, "cp";
    51 classes::modifiers, START_OR_LIVE, 0, "cp";
    52 classes::methods, START_OR_LIVE, 0, "cpp";
    53 classes::fields, START_OR_LIVE, 0, "cpp";
    54 classes::interfaces, START_OR_LIVE, 0, "cpp";
    55 classes::is_interface, START_OR_LIVE, 0, "cp";
    56 classes::is_array, START_OR_LIVE, 0, "cp";
    57 classes::loader_of, START_OR_LIVE, 0, "cp";
    58 heap::hash, START_OR_LIVE, 0, ".p";
    59 threads::monitor_usage, LIVE, can::MONITOR_USAGE, ".p";
    60 members::field_name, START_OR_LIVE, 0, "cF";
    61 members::field_class, START_OR_LIVE, 0, "cFp";
    62 members::field_modifiers, START_OR_LIVE, 0, "cFp";
    63 members::is_field_synthetic, START_OR_LIVE, can::SYNTHETIC, "cFp";
    64 members::method_name, START_OR_LIVE, 0, "M";
    65 members::method_class, START_OR_LIVE, 0, "Mp";
    66 members::method_modifiers, START_OR_LIVE, 0, "Mp";
    68 members::max_locals, START_OR_LIVE, 0, "Mp";
    69 members::arguments_size, START_OR_LIVE, 0, "Mp";
    70 members::line_numbers, START_OR_LIVE, can::LINE_NUMBERS, "Mpp";
    71 members::location, START_OR_LIVE, 0, "Mpp";
    72 members::local_variables, LIVE, can::LOCALS, "Mpp";
    73 change::set_native_prefix, ANY, can::NATIVE_METHOD_PREFIX, "";
    74 change::set_native_prefixes, ANY, can::NATIVE_METHOD_PREFIX, "np";
    75 members::bytecodes, START_OR_LIVE, can::BYTECODES, "Mpp";
    76 members::is_native, START_OR_LIVE, 0, "Mp";
    77 members::is_method_synthetic, START_OR_LIVE, can::SYNTHETIC, "Mp";
    78 classes::loaded, LIVE, 0, "pp";
    79 classes::of_loader, LIVE, 0, ".pp";
    80 force::pop_frame, LIVE, can::POP_FRAME, "";
    81 force::return_object, LIVE, can::FORCE_EARLY_RETURN, "";
    82 force::return_int, LIVE, can::FORCE_EARLY_RETURN, "";
    83 force::return_long, LIVE, can::FORCE_EARLY_RETURN, "";
    84 force::return_float, LIVE, can::FORCE_EARLY_RETURN, "";
    85 force::return_double, LIVE, can::FORCE_EARLY_RETURN, "";
    86 force::return_void, LIVE, can::FORCE_EARLY_RETURN, "";
    87 change::redefine, LIVE, can::REDEFINE, "np";
    88 general::version, ANY, 0, "p";
    89 capabilities::capabilities, ANY, 0, "p";
    90 classes::debug_extension, START_OR_LIVE, can::SOURCE_DEBUG_EXTENSION, "cp";
    91 members::is_obsolete, START_OR_LIVE, 0, "Mp";
    92 threads::suspend_list, LIVE, can::SUSPEND, "npp";
    93 threads::resume_list, LIVE, can::SUSPEND, "npp";
    94 modules::add_reads, LIVE, 0, "pp";
    95 modules::add_exports, LIVE, 0, "ppp";
    96 modules::add_opens, LIVE, 0, "ppp";
    97 modules::add_uses, LIVE, 0, "pp";
    98 modules::add_provides, LIVE, 0, "ppp";
    99 modules::is_modifiable, LIVE, 0, "pp";
    100 stack::all_traces, LIVE, 0, "npp";
    101 stack::list_traces, LIVE, 0, "npnp";
    102 general::get_thread_storage, START_OR_LIVE, 0, ".p";
    103 general::set_thread_storage, START_OR_LIVE, 0, "";
    104 stack::trace, LIVE, 0, "..npp";
    106 heap::get_tag, START_OR_LIVE, can::TAG_OBJECTS, ".p";
    107 heap::set_tag, START_OR_LIVE, can::TAG_OBJECTS, "";
    108 heap::collect, LIVE, 0, "";
    109 old_walks::from_object, LIVE, can::TAG_OBJECTS, ".p";
    110 old_walks::reachable, LIVE, can::TAG_OBJECTS, "";
    111 old_walks::heap, LIVE, can::TAG_OBJECTS, ".p";
    112 old_walks::of_class, LIVE, can::TAG_OBJECTS, "c.p";
    114 heap::objects_with_tags, LIVE, can::TAG_OBJECTS, "npp";
    115 follow::follow, LIVE, can::TAG_OBJECTS, "...p";
    116 heap::iterate, LIVE, can::TAG_OBJECTS, "..p";
    120 general::set_jni_table, START_OR_LIVE, 0, "p";
    121 general::jni_table, START_OR_LIVE, 0, "p";
    122 environment::set_callbacks, LOAD_OR_LIVE, 0, ".n";
    123 compiled::generate_events, LIVE, 0, "";
    124 general::extension_functions, LOAD_OR_LIVE, 0, "pp";
    125 general::extension_events, LOAD_OR_LIVE, 0, "pp";
    126 general::set_extension_callback, LOAD_OR_LIVE, 0, "";
    127 environment::dispose, ANY, 0, "";
    128 general::error_name, ANY, 0, ".p";
    129 general::location_format, ANY, 0, "p";
    130 general::properties, LOAD_OR_LIVE, 0, "pp";
    131 general::property, LOAD_OR_LIVE, 0, "pp";
    132 general::set_property, LOAD, 0, "p";
    133 general::phase, ANY, 0, "p";
    134 general::cpu_timer_info, START_OR_LIVE_OR_COLLECTION, can::OWN_CPU_TIME, "p";
    135 general::current_cpu_time, START_OR_LIVE_OR_COLLECTION, can::OWN_CPU_TIME, "p";
    136 general::cpu_timer_info, LIVE, can::CPU_TIME, "p";
    137 general::cpu_time, LIVE, can::CPU_TIME, ".p";
    138 general::timer_info, ANY, 0, "p";
    139 general::time, ANY, 0, "p";
    140 capabilities::potential_capabilities, LOAD_OR_LIVE, 0, "p";
    142 capabilities::add, LOAD_OR_LIVE, 0, "p";
    143 capabilities::relinquish, LOAD_OR_LIVE, 0, "p";
    144 general::processors, ANY, 0, "p";
    145 classes::version_numbers, START_OR_LIVE, 0, "cpp";
    146 classes::constant_pool, START_OR_LIVE, can::CONSTANT_POOL, "cppp";
    147 general::get_storage, ANY, 0, "p";
    148 general::set_storage, ANY, 0, "";
    149 change::append_boot, LOAD_OR_LIVE, 0, "p";
    150 general::set_verbose, ANY, 0, "";
    151 change::append_system, LOAD_OR_LIVE, 0, "p";
    152 change::retransform, LIVE, can::RETRANSFORM, "np";
    153 threads::owned_monitors_with_depth, LIVE, can::OWNED_MONITOR_DEPTHS, ".pp";
    154 heap::size, START_OR_LIVE, 0, ".p";
    155 locals::get_receiver, LIVE, can::LOCALS, ".np";
    156 heap::set_sampling_interval, LOAD_OR_LIVE, can::SAMPLED_ALLOCATIONS, "n";
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn only_what_is_reserved_is_not_there() {
        let missing: Vec<usize> = (1..=FUNCTIONS).filter(|n| DEMANDS.0[n - 1].function.is_null()).collect();
        assert_eq!(missing, [1, 67, 105, 113, 117, 118, 119, 141]);
        // SAFETY: no agent is here to write it.
        let table = unsafe { &*TABLE.0.get() };
        assert!((1..=FUNCTIONS).all(|n| table[n - 1].is_null() == missing.contains(&n)));
    }
}
