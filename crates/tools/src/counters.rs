//! Performance data: the counters that jps, jstat and `jcmd PerfCounter.print` know by name.
//!
//! Invariant: a counter stands here only if this VM measures what its name says; what HotSpot
//! divides into generations is shown as they exist here (`concord_heap::generations`): "eden" is the nursery, "old" the
//! rest. There are no survivor spaces. `metaspace` has the numbers of `concord_runtime::metaspace`.
use concord_base::{log, options};
use concord_runtime::perf::{self, Counter, Unit, Variability};
use concord_runtime::{define, loader, threads, unload};
use std::time::Duration;

/// How often changing counters are brought up to date.
const INTERVAL: Duration = Duration::from_millis(100);

struct Collector {
    invocations: Counter,
    time: Counter,
    entry: Counter,
    exit: Counter,
}
struct Changing {
    collectors: [Collector; 2],
    eden_capacity: Counter,
    eden_used: Counter,
    young_capacity: Counter,
    old_capacity: Counter,
    old_space_capacity: Counter,
    old_used: Counter,
    metaspace_capacity: Counter,
    metaspace_used: Counter,
    metaspace_most: Counter,
    loaded: Counter,
    live: Counter,
    peak: Counter,
    daemon: Counter,
    started: Counter,
    ticks: Counter,
    safepoints: Counter,
    stopped: Counter,
    sync: Counter,
    application: Counter,
    last_cause: perf::Bytes,
    classes: Classes,
    compilations: Compilations,
}
/// Classes' bytes are those of their class files.
struct Classes {
    loaded_bytes: Counter,
    unloaded: Counter,
    unloaded_bytes: Counter,
    time: Counter,
}
struct Compilations {
    done: Counter,
    standard: Counter,
    osr: Counter,
    failed: Counter,
    invalidated: Counter,
    time: Counter,
    code: Counter,
    /// The last one, and the last failed one.
    last: [(perf::Bytes, Counter); 2],
    last_size: Counter,
}

fn constant(name: &str, value: &str) {
    perf::text(name, Variability::Constant, value, 0);
}
fn number(name: &str, unit: Unit, value: i64) -> Counter {
    perf::long(name, unit, Variability::Variable, value)
}
fn count(name: &str, unit: Unit) -> Counter {
    perf::long(name, unit, Variability::Monotonic, 0)
}

/// Makes the memory, unless -XX:-UsePerfData; before the class library makes counters of its own.
pub fn reserve() {
    let f = &options::get().flags;
    if f.use_perf_data {
        perf::start(!f.perf_disable_shared_mem);
    }
}

/// Makes the counters and starts the sampler, if there is a memory.
pub fn start() {
    let o = options::get();
    if !perf::is_on() {
        return;
    }
    describe(o);
    let changing = changing();
    sample(&changing);
    perf::announce();
    let body = move || loop {
        std::thread::sleep(INTERVAL);
        sample(&changing);
    };
    if let Err(e) = std::thread::Builder::new().name("Perf Sampler".into()).stack_size(64 << 10).spawn(body) {
        concord_base::vm_log!(OsThread, Warning, "no thread keeps the performance data up to date: {e}");
    }
}

fn describe(o: &options::Options) {
    let p = |name: &str| o.property(name).unwrap_or("").to_string();
    constant("sun.rt.javaCommand", &p("sun.java.command"));
    constant("java.rt.vmArgs", &o.vm_arguments.join(" "));
    constant("java.rt.vmFlags", "");
    let attachable = u8::from(!o.flags.disable_attach_mechanism);
    constant("sun.rt.jvmCapabilities", &format!("{attachable}{}", "0".repeat(63)));
    constant("sun.rt.internalVersion", &format!("{} ({})", options::VM_NAME, options::VM_VERSION));
    let jdk = threads::print::jdk_version();
    constant("java.property.java.version", &jdk);
    for name in [
        "vm.specification.version",
        "vm.specification.name",
        "vm.specification.vendor",
        "vm.version",
        "vm.name",
        "vm.vendor",
        "vm.info",
        "library.path",
        "class.path",
        "home",
    ] {
        constant(&format!("java.property.java.{name}"), &p(&format!("java.{name}")));
    }
    constant("java.property.jdk.debug", "release");
    constant("sun.property.sun.boot.library.path", &p("sun.boot.library.path"));
    constant("sun.gc.policy.name", "Concord");
    constant("sun.gc.cause", "No GC");
    constant("sun.gc.generation.0.name", "young");
    constant("sun.gc.generation.0.space.0.name", "eden");
    constant("sun.gc.generation.0.space.1.name", "s0");
    constant("sun.gc.generation.0.space.2.name", "s1");
    constant("sun.gc.generation.1.name", "old");
    constant("sun.gc.generation.1.space.0.name", "old");
    let fixed = |name: &str, v: i64| {
        perf::long(name, Unit::None, Variability::Constant, v);
    };
    fixed("sun.gc.policy.collectors", 2);
    fixed("sun.gc.policy.generations", 2);
    fixed("sun.gc.policy.tenuringThreshold", 1);
    fixed("sun.gc.policy.maxTenuringThreshold", 1);
    fixed("sun.gc.policy.desiredSurvivorSize", 0);
    fixed("sun.gc.generation.0.spaces", 3);
    fixed("sun.gc.generation.1.spaces", 1);
    fixed("sun.os.hrt.frequency", 1_000_000_000);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_millis() as i64;
    let begun = now - log::uptime().as_millis() as i64;
    fixed("sun.rt.createVmBeginTime", begun);
    fixed("sun.rt.createVmEndTime", now);
    fixed("sun.rt.vmInitDoneTime", now);
    // Not measured, but read by jstat: there is no archive of classes.
    for name in [
        "sun.cls.sharedLoadedBytes",
        "sun.cls.sharedUnloadedBytes",
        "java.cls.sharedLoadedClasses",
        "java.cls.sharedUnloadedClasses",
        "sun.gc.metaspace.minCapacity",
        "sun.gc.compressedclassspace.capacity",
        "sun.gc.compressedclassspace.used",
        "sun.gc.compressedclassspace.minCapacity",
        "sun.gc.compressedclassspace.maxCapacity",
        "sun.gc.generation.0.space.1.used",
        "sun.gc.generation.0.space.2.used",
        "sun.gc.generation.0.space.1.capacity",
        "sun.gc.generation.0.space.2.capacity",
        "sun.gc.generation.0.space.1.maxCapacity",
        "sun.gc.generation.0.space.2.maxCapacity",
        "sun.gc.generation.0.minCapacity",
        "sun.gc.generation.1.minCapacity",
    ] {
        fixed(name, 0);
    }
    let max = concord_heap::max_memory() as i64;
    for name in [
        "sun.gc.generation.0.maxCapacity",
        "sun.gc.generation.0.space.0.maxCapacity",
        "sun.gc.generation.1.maxCapacity",
        "sun.gc.generation.1.space.0.maxCapacity",
    ] {
        perf::long(name, Unit::Bytes, Variability::Constant, max);
    }
}

fn changing() -> Changing {
    let collector = |i: usize, name: &str| {
        let field = |f: &str| format!("sun.gc.collector.{i}.{f}");
        constant(&field("name"), name);
        Collector {
            invocations: count(&field("invocations"), Unit::Events),
            time: count(&field("time"), Unit::Ticks),
            entry: number(&field("lastEntryTime"), Unit::Ticks, 0),
            exit: number(&field("lastExitTime"), Unit::Ticks, 0),
        }
    };
    Changing {
        collectors: [collector(0, "Concord young collection pauses"), collector(1, "Concord full collection pauses")],
        eden_capacity: number("sun.gc.generation.0.space.0.capacity", Unit::Bytes, 0),
        eden_used: number("sun.gc.generation.0.space.0.used", Unit::Bytes, 0),
        young_capacity: number("sun.gc.generation.0.capacity", Unit::Bytes, 0),
        old_capacity: number("sun.gc.generation.1.capacity", Unit::Bytes, 0),
        old_space_capacity: number("sun.gc.generation.1.space.0.capacity", Unit::Bytes, 0),
        old_used: number("sun.gc.generation.1.space.0.used", Unit::Bytes, 0),
        metaspace_capacity: number("sun.gc.metaspace.capacity", Unit::Bytes, 0),
        metaspace_used: number("sun.gc.metaspace.used", Unit::Bytes, 0),
        metaspace_most: number("sun.gc.metaspace.maxCapacity", Unit::Bytes, 0),
        loaded: count("java.cls.loadedClasses", Unit::Events),
        live: number("java.threads.live", Unit::None, 0),
        peak: number("java.threads.livePeak", Unit::None, 0),
        daemon: number("java.threads.daemon", Unit::None, 0),
        started: count("java.threads.started", Unit::Events),
        ticks: count("sun.os.hrt.ticks", Unit::Ticks),
        safepoints: count("sun.rt.safepoints", Unit::Events),
        stopped: count("sun.rt.safepointTime", Unit::Ticks),
        sync: count("sun.rt.safepointSyncTime", Unit::Ticks),
        application: count("sun.rt.applicationTime", Unit::Ticks),
        last_cause: perf::text("sun.gc.lastCause", Variability::Variable, "No GC", 64),
        classes: Classes {
            loaded_bytes: count("sun.cls.loadedBytes", Unit::Bytes),
            unloaded: count("java.cls.unloadedClasses", Unit::Events),
            unloaded_bytes: count("sun.cls.unloadedBytes", Unit::Bytes),
            time: count("sun.cls.time", Unit::Ticks),
        },
        compilations: compilations(),
    }
}

fn compilations() -> Compilations {
    let last = |name: &str| {
        let method = perf::text(&format!("sun.ci.{name}Method"), Variability::Variable, "", 128);
        (method, number(&format!("sun.ci.{name}Type"), Unit::None, 0))
    };
    Compilations {
        done: count("sun.ci.totalCompiles", Unit::Events),
        standard: count("sun.ci.standardCompiles", Unit::Events),
        osr: count("sun.ci.osrCompiles", Unit::Events),
        failed: count("sun.ci.totalBailouts", Unit::Events),
        invalidated: count("sun.ci.totalInvalidates", Unit::Events),
        time: count("java.ci.totalTime", Unit::Ticks),
        code: count("sun.ci.nmethodCodeSize", Unit::Bytes),
        last: [last("last"), last("lastFailed")],
        last_size: number("sun.ci.lastSize", Unit::Bytes, 0),
    }
}

fn sample_compilations(c: &Compilations) {
    let Some(compiler) = crate::compiler() else { return };
    let now = (compiler.figures)();
    c.done.set(now.done as i64);
    c.standard.set(now.done.saturating_sub(now.osr) as i64);
    c.osr.set(now.osr as i64);
    c.failed.set(now.failed as i64);
    c.invalidated.set(now.invalidated as i64);
    c.time.set(now.time.as_nanos() as i64);
    c.code.set(now.code as i64);
    for ((name, kind), subject) in c.last.iter().zip(&now.last) {
        if let Some((method, _, osr)) = subject {
            name.set(method.as_bytes());
            // 1 is a whole method, 2 a loop.
            kind.set(1 + i64::from(*osr));
        }
    }
    if let Some((_, size, _)) = &now.last[0] {
        c.last_size.set(*size as i64);
    }
}

fn sample_classes(c: &Classes) {
    let (time, bytes) = define::totals();
    c.loaded_bytes.set(bytes as i64);
    c.time.set(time.as_nanos() as i64);
    c.unloaded.set(unload::unloaded_count() as i64);
    c.unloaded_bytes.set(unload::unloaded_bytes() as i64);
}

fn sample(c: &Changing) {
    let ns = |d: Duration| d.as_nanos() as i64;
    let mut last: Option<concord_heap::Record> = None;
    for (full, row) in c.collectors.iter().enumerate() {
        let t = concord_heap::totals(full != 0);
        row.invocations.set(t.count as i64);
        row.time.set(ns(t.time));
        if let Some(r) = t.last {
            row.entry.set(ns(r.begun));
            row.exit.set(ns(r.ended));
            if last.is_none_or(|l| l.number < r.number) {
                last = Some(r);
            }
        }
    }
    if let Some(r) = last {
        c.last_cause.set(r.cause.as_bytes());
    }
    let [young, old] = concord_heap::generations::now();
    c.eden_used.set(young.used as i64);
    c.eden_capacity.set(young.committed as i64);
    c.young_capacity.set(young.committed as i64);
    c.old_used.set(old.used as i64);
    c.old_capacity.set(old.committed as i64);
    c.old_space_capacity.set(old.committed as i64);
    let (classes, committed, _) = concord_runtime::metaspace::usage();
    c.metaspace_used.set(classes as i64);
    c.metaspace_capacity.set(committed as i64);
    c.metaspace_most.set(concord_runtime::metaspace::limit().unwrap_or(0).max(committed) as i64);
    c.loaded.set(loader::loaded_count() as i64);
    let n = threads::counts();
    c.live.set(n.live as i64);
    c.peak.set(n.peak as i64);
    c.daemon.set(n.daemons as i64);
    c.started.set(n.total as i64);
    c.ticks.set(ns(log::uptime()));
    let s = concord_safepoint::counters();
    c.safepoints.set(s.stops as i64);
    c.stopped.set(ns(s.at_stop));
    c.sync.set(ns(s.to_stop));
    c.application.set(ns(log::uptime().saturating_sub(s.at_stop)));
    sample_classes(&c.classes);
    sample_compilations(&c.compilations);
    perf::stamp();
}
