//! Numbers and switches.
//!
//! Invariant: numbers of attributes are those of the management interface; an unknown one is -1.
use super::VERSION;
use crate::env::{Out, Ref};
use concord_base::log::{self, Level, Tag};
use concord_base::options;
use concord_contract::Thread;
use concord_runtime::threads::contention;
use concord_runtime::{loader, threads};

/// The management interface's numbers of attributes.
mod attribute {
    pub const CLASSES_LOADED: i32 = 1;
    pub const CLASSES_UNLOADED: i32 = 2;
    pub const THREADS_TOTAL: i32 = 3;
    pub const THREADS_LIVE: i32 = 4;
    pub const THREADS_PEAK: i32 = 5;
    pub const THREADS_DAEMON: i32 = 6;
    pub const INIT_DONE_TIME: i32 = 7;
    pub const COMPILE_TIME: i32 = 8;
    pub const GC_TIME: i32 = 9;
    pub const GC_COUNT: i32 = 10;
    pub const UPTIME: i32 = 11;
    pub const VERBOSE_GC: i32 = 21;
    pub const VERBOSE_CLASS: i32 = 22;
    pub const CONTENTION: i32 = 23;
    pub const CPU_TIME: i32 = 24;
    pub const ALLOCATED: i32 = 25;
    pub const FLAGS: i32 = 104;
    pub const SAFEPOINTS: i32 = 105;
    pub const SAFEPOINT_SYNC_TIME: i32 = 106;
    pub const STOPPED_TIME: i32 = 107;
    pub const APPLICATION_TIME: i32 = 108;
    pub const VM_THREADS: i32 = 109;
    pub const PROCESS: i32 = 201;
    pub const PHYSICAL_MEMORY: i32 = 202;
    pub const GC_EXTENSIONS: i32 = 401;
    pub const PEAK_THREADS_STATISTIC: i32 = 801;
    pub const PEAK_POOL_STATISTIC: i32 = 805;
}

pub extern "C" fn version(_th: &Thread) -> i32 {
    VERSION
}
/// Bits: low memory, compilation time, contention, current and other threads' CPU time, object monitors, synchronizers, allocated
/// bytes.
pub extern "C" fn optional_support(_th: &Thread, out: Out<u32>) -> i32 {
    const LOW_MEMORY: u32 = 1;
    const COMPILATION: u32 = 1 << 1;
    const CONTENTION: u32 = 1 << 2;
    const CURRENT_CPU: u32 = 1 << 3;
    const OTHER_CPU: u32 = 1 << 4;
    const MONITORS: u32 = 1 << 5;
    const SYNCHRONIZERS: u32 = 1 << 6;
    const ALLOCATED: u32 = 1 << 7;
    const COMMANDS: u32 = 1 << 8;
    let times = LOW_MEMORY | COMPILATION;
    out.set(times | CONTENTION | CURRENT_CPU | OTHER_CPU | MONITORS | SYNCHRONIZERS | ALLOCATED | COMMANDS);
    0
}

/// Milliseconds since 1970 at which the VM started.
fn start_millis() -> i64 {
    concord_runtime::vm_natives::object::current_millis() - log::uptime().as_millis() as i64
}

fn value(what: i32) -> i64 {
    let counts = threads::counts();
    let stops = concord_safepoint::counters();
    let (collections, time) = concord_heap::collection_totals();
    match what {
        attribute::CLASSES_LOADED => loader::loaded_count() as i64,
        attribute::CLASSES_UNLOADED => concord_runtime::unload::unloaded_count() as i64,
        attribute::THREADS_TOTAL => counts.total as i64,
        attribute::THREADS_LIVE => counts.live as i64,
        attribute::THREADS_PEAK => counts.peak as i64,
        attribute::THREADS_DAEMON => counts.daemons as i64,
        attribute::INIT_DONE_TIME => start_millis(),
        attribute::COMPILE_TIME => concord_compiled::tiers::compile_time().as_millis() as i64,
        attribute::GC_TIME => time.as_millis() as i64,
        attribute::GC_COUNT => collections as i64,
        attribute::UPTIME => log::uptime().as_millis() as i64,
        attribute::FLAGS => options::flags::TABLE.len() as i64,
        attribute::SAFEPOINTS => stops.stops as i64,
        attribute::SAFEPOINT_SYNC_TIME => stops.to_stop.as_millis() as i64,
        attribute::STOPPED_TIME => stops.at_stop.as_millis() as i64,
        attribute::APPLICATION_TIME => log::uptime().saturating_sub(stops.at_stop).as_millis() as i64,
        attribute::VM_THREADS => concord_safepoint::number() as i64 - counts.live as i64,
        attribute::PROCESS => i64::from(std::process::id()),
        attribute::PHYSICAL_MEMORY => options::physical_memory(false) as i64,
        attribute::GC_EXTENSIONS => 1,
        _ => -1,
    }
}
pub extern "C" fn long(th: &Thread, o: Ref, what: i32) -> i64 {
    // Of one collector, if its bean is given.
    if matches!(what, attribute::GC_TIME | attribute::GC_COUNT) && !o.is_null() {
        let vm = crate::env::enter(th);
        if let Some(kind) = super::memory::kind_of(o.get()) {
            let t = concord_heap::totals(kind == 1);
            drop(vm);
            return if what == attribute::GC_TIME { t.time.as_millis() as i64 } else { t.count as i64 };
        }
    }
    value(what)
}
/// # Safety
/// `what` and `result` have `count` elements.
pub unsafe extern "C" fn longs(_th: &Thread, _o: Ref, what: *const i32, count: i32, result: *mut i64) -> i32 {
    let mut known = 0;
    for i in 0..count.max(0) as usize {
        // SAFETY: by the caller's promise.
        unsafe {
            let v = value(*what.add(i));
            *result.add(i) = v;
            known += i32::from(v != -1);
        }
    }
    known
}

pub extern "C" fn boolean(_th: &Thread, what: i32) -> u8 {
    u8::from(match what {
        attribute::VERBOSE_GC => log::enabled(Tag::Gc, Level::Info),
        attribute::VERBOSE_CLASS => log::enabled(Tag::ClassLoad, Level::Info),
        attribute::CPU_TIME | attribute::ALLOCATED => true,
        attribute::CONTENTION => contention::monitoring(),
        _ => false,
    })
}
pub extern "C" fn set_boolean(th: &Thread, what: i32, on: u8) -> u8 {
    let before = boolean(th, what);
    let tag = match what {
        attribute::VERBOSE_GC => "gc",
        attribute::VERBOSE_CLASS => "class+load",
        attribute::CONTENTION => return u8::from(contention::set_monitoring(on != 0)),
        // Java keeps these switches; both are always measured.
        attribute::CPU_TIME | attribute::ALLOCATED => return before,
        _ => return 0,
    };
    let level = if on != 0 { "info" } else { "warning" };
    if let Err(e) = log::configure(&format!("{tag}={level}")) {
        concord_base::bug!("a log setting made here was refused: {e}");
    }
    before
}

/// Whether the statistic was reset.
pub extern "C" fn reset(_th: &Thread, o: Ref, what: i32) -> u8 {
    match what {
        attribute::PEAK_THREADS_STATISTIC => threads::reset_peak(),
        attribute::PEAK_POOL_STATISTIC => {
            super::memory::pool_of(o.get()).into_iter().for_each(super::pools::Pool::reset_peak)
        }
        _ => return 0,
    }
    1
}
