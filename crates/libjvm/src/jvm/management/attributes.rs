//! Numbers, switches and flags.
//!
//! Invariant: numbers of attributes are those of the management interface; an unknown one is -1.
use super::{VERSION, entry};
use crate::env::{Out, Ref};
use concord_base::log::{self, Level, Tag};
use concord_base::options::{self, Origin};
use concord_contract::{JResult, Thread};
use concord_runtime::handles::{Handle, Scope};
use concord_runtime::{arrays, exceptions, known, loader, strings, threads};

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
}

pub extern "C" fn version(_th: &Thread) -> i32 {
    VERSION
}
/// Bits: current and other threads' CPU time, object monitors, synchronizers, remote commands.
pub extern "C" fn optional_support(_th: &Thread, out: Out<u32>) -> i32 {
    const CURRENT_CPU: u32 = 1 << 3;
    const OTHER_CPU: u32 = 1 << 4;
    const MONITORS: u32 = 1 << 5;
    const SYNCHRONIZERS: u32 = 1 << 6;
    out.set(CURRENT_CPU | OTHER_CPU | MONITORS | SYNCHRONIZERS);
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
        attribute::CLASSES_UNLOADED => 0,
        attribute::THREADS_TOTAL => counts.total as i64,
        attribute::THREADS_LIVE => counts.live as i64,
        attribute::THREADS_PEAK => counts.peak as i64,
        attribute::THREADS_DAEMON => counts.daemons as i64,
        attribute::INIT_DONE_TIME => start_millis(),
        // Nothing is compiled.
        attribute::COMPILE_TIME => 0,
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
pub extern "C" fn long(_th: &Thread, _o: Ref, what: i32) -> i64 {
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
        attribute::CPU_TIME => true,
        // Contention times and allocated bytes are not measured.
        _ => false,
    })
}
pub extern "C" fn set_boolean(th: &Thread, what: i32, on: u8) -> u8 {
    let before = boolean(th, what);
    let tag = match what {
        attribute::VERBOSE_GC => "gc",
        attribute::VERBOSE_CLASS => "class+load",
        attribute::CONTENTION | attribute::CPU_TIME | attribute::ALLOCATED => return before,
        _ => return 0,
    };
    let level = if on != 0 { "info" } else { "warning" };
    if let Err(e) = log::configure(&format!("{tag}={level}")) {
        concord_base::bug!("a log setting made here was refused: {e}");
    }
    before
}

/// Whether the statistic was reset.
pub extern "C" fn reset(_th: &Thread, _o: u64, what: i32) -> u8 {
    if what == attribute::PEAK_THREADS_STATISTIC {
        threads::reset_peak();
        return 1;
    }
    0
}

/// One flag as the interface describes it.
#[repr(C)]
pub struct FlagInfo {
    name: Handle,
    value: u64,
    kind: i32,
    origin: i32,
    /// Bit 0: writeable; bit 1: external.
    bits: u32,
    reserved: [usize; 2],
}

fn origin_number(o: Origin) -> i32 {
    match o {
        Origin::Default => 1,
        Origin::CommandLine => 2,
        Origin::Management => 3,
        Origin::Environment => 4,
        Origin::ConfigFile => 5,
        Origin::Ergonomic => 6,
    }
}

entry! {
    flag_names(th) -> obj {
        let scope = Scope::new(th);
        let rows = options::flags::TABLE;
        let a = scope.handle(arrays::new_ref_array(th, known::classes().string, rows.len())?);
        for (i, r) in rows.iter().enumerate() {
            let s = strings::new_str(th, r.name)?;
            arrays::set_ref(a.get(), i, s);
        }
        Ok(a.get())
    }
    commands(th) -> obj { arrays::new_ref_array(th, known::classes().string, 0) }
    execute(th, command: Ref) -> obj {
        let text = strings::to_string(command.get());
        exceptions::throw(th, "java/lang/IllegalArgumentException", &format!("Unknown diagnostic command: {text}"))
    }
    command_info(th, commands: Ref, _out: *mut u8) -> void {
        // There are no commands, so any name is unknown.
        if commands.get().is_null() || commands.get().array_len() == 0 {
            return Ok(());
        }
        exceptions::throw(th, "java/lang/IllegalArgumentException", "Diagnostic command not found")
    }
    command_arguments(th, _command: Ref, _out: *mut u8) -> void {
        exceptions::throw(th, "java/lang/IllegalArgumentException", "Diagnostic command not found")
    }
    set_flag(th, name: Ref, _value: u64) -> void {
        let text = strings::to_string(name.get());
        let msg = match options::flags::find(&text) {
            Some(_) => "This flag is not writeable.".to_string(),
            None => format!("Flag does not exist: {text}"),
        };
        exceptions::throw(th, "java/lang/IllegalArgumentException", &msg)
    }
}
/// Nothing to notify: the set of commands never changes.
pub extern "C" fn notify_commands(_th: &Thread, _on: u8) {}

/// # Safety
/// `out` has room for `count` flags.
pub unsafe extern "C" fn flags(th: &Thread, names: Ref, out: *mut FlagInfo, count: i32) -> i32 {
    let vm = crate::env::enter(th);
    let rows = options::flags::TABLE;
    let list: Vec<Option<usize>> = if names.get().is_null() {
        (0..rows.len()).map(Some).collect()
    } else {
        let a = names.get();
        (0..a.array_len()).map(|i| options::flags::find(&strings::to_string(a.array_ref(i)))).collect()
    };
    let mut n = 0;
    for (i, row) in list.into_iter().take(count.max(0) as usize).enumerate() {
        let filled: JResult<FlagInfo> = describe(vm.th, row);
        let Ok(info) = filled else { return 0 };
        n += i32::from(!info.name.is_null());
        // SAFETY: by the caller's promise.
        unsafe { out.add(i).write(info) };
    }
    n
}

fn describe(th: &Thread, row: Option<usize>) -> JResult<FlagInfo> {
    let mut f = FlagInfo { name: std::ptr::null_mut(), value: 0, kind: 0, origin: 1, bits: 0, reserved: [0; 2] };
    let Some(i) = row else { return Ok(f) };
    let (r, o) = (&options::flags::TABLE[i], options::get());
    let text = (r.show)(&o.flags);
    f.name = th.new_handle(strings::new_str(th, r.name)?);
    (f.kind, f.value) = match r.ty {
        "bool" => (1, u64::from(text == "true")),
        "double" => (4, text.parse::<f64>().unwrap_or(0.0).to_bits()),
        "ccstr" | "ccstrlist" => (2, th.new_handle(strings::new_str(th, &text)?) as u64),
        _ => (3, text.parse::<i64>().unwrap_or(0) as u64),
    };
    f.origin = origin_number(o.origin(i));
    Ok(f)
}
