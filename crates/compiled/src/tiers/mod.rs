//! What is compiled, and when.
//!
//! Invariant: the state of a method's compilation is in the top bits of its heat, so the question
//! "is anything to be done" costs one load.
//!
//! | module | room |
//! |---|---|
//! | `queue` | what waits, and what is known of loops |
//! | `traps` | guards that failed |
//! | `figures` | what it has taken and given |
mod figures;
mod queue;
mod traps;

pub use figures::{compile_time, failures, full_count, last, report};
pub use queue::waiting;
pub use traps::{closed, published_far, trapped};

use crate::{area, closing, install, linkers, osr, print};
use concord_base::log::{Level, Tag, enabled as enabled_log};
use concord_base::options::{self, Mode};
use concord_base::vm_log;
use concord_contract::compiled::{Bailout, CompLevel, CompileRequest, Compiler, DeoptReason};
use concord_contract::compiling;
use concord_contract::entries::{OsrEntry, Tiers};
use concord_contract::method::HEAT_COUNT;
use concord_contract::rows;
use concord_contract::{ClassRef, Method, MethodRef, Thread};
use figures::{BAILOUTS, BYTECODE, LAST, Subject, TIME, full};
use queue::{Job, LoopState, key, request, take_back, with};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::Instant;
use traps::hot;

/// Bits of [`Method::heat`].
const QUEUED: u64 = 1 << 63;
const NEVER: u64 = 1 << 62;
const HEAT: u64 = HEAT_COUNT;
const _: () = assert!(HEAT & (QUEUED | NEVER) == 0);

/// Heat at which a method, and a loop, is compiled.
pub struct Thresholds {
    pub method: u64,
    pub osr: u64,
}
static THRESHOLDS: OnceLock<Thresholds> = OnceLock::new();
static COMPILER: OnceLock<&'static dyn Compiler> = OnceLock::new();

pub struct Quick;
pub static QUICK: Quick = Quick;

impl Tiers for Quick {
    fn hot(&self, th: &Thread, m: MethodRef, bci: Option<u16>) -> Option<OsrEntry> {
        let t = THRESHOLDS.get()?;
        if concord_interpreter::debug::is_enabled() {
            return None;
        }
        closing::sweep_if_due();
        let heat = m.heat.load(Ordering::Relaxed);
        if heat & HEAT >= t.method && heat & (QUEUED | NEVER) == 0 && install_missing(m) {
            request(th, m, None);
        }
        let bci = bci?;
        if let Some(e) = enter_unless_stopped(th, m, bci) {
            return Some(e);
        }
        if heat & HEAT >= t.osr && heat & NEVER == 0 {
            request(th, m, Some(bci));
            return enter_unless_stopped(th, m, bci);
        }
        None
    }
    fn while_none_compiles(&self, f: &mut dyn FnMut()) {
        queue::while_none_compiles(f);
    }
    fn compilations_awaited(&self) -> bool {
        queue::awaited()
    }
    fn redefined(&self, m: MethodRef, old: &mut dyn FnMut() -> MethodRef) {
        // What waits is a loop of the old body.
        take_back(|j| j.osr_bci.is_some() && std::ptr::eq(j.method, m));
        with(|s| s.loops.retain(|k, _| k.0 != key(m)));
        // What the old body was not compiled for, its size for one, need not hold of the new one.
        m.heat.fetch_and(!NEVER, Ordering::Relaxed);
        closing::redefined(m, old);
    }
    fn compiled_entry(&self, m: &Method) -> *mut () {
        linkers::entry(m)
    }
    fn class_published(&self, class: ClassRef) {
        closing::class_published(class)
    }
    fn target_changed(&self, number: u32) {
        closing::target_changed(number)
    }
    fn mostly_published(&self, classes: &[ClassRef]) {
        // What there is is right, and once there was no room for more.
        if full_count() > 0 {
            return;
        }
        let hot = THRESHOLDS.get().map_or(0, |t| t.method.max(t.osr));
        // Each was called often enough: the next call, or turn of a loop, asks for its code.
        closing::mostly_published(classes).iter().for_each(|m| m.heat.store(hot, Ordering::Relaxed));
    }
    fn relaid(&self, classes: Option<&[ClassRef]>, moved: &dyn Fn(ClassRef, u32) -> u32) {
        let hot = THRESHOLDS.get().map_or(0, |t| t.method.max(t.osr));
        closing::relaid(classes, moved).iter().for_each(|m| m.heat.store(hot, Ordering::Relaxed));
    }
}

/// Enters the code of a loop, unless the thread is to do something else first: it may have waited for the compilation, and been
/// suspended meanwhile by somebody who takes it for standing still. The interpreter asks once more then.
fn enter_unless_stopped(th: &Thread, m: MethodRef, bci: u16) -> Option<OsrEntry> {
    if th.poll.load(Ordering::Acquire) != 0 {
        return None;
    }
    osr::enter(th, m, bci)
}

/// Compiled code has called `m` in the interpreter, which costs more than most bodies: every such
/// call counts, also of methods whose entries do not count (getters, synchronized methods).
/// Called where a thread may be stopped.
pub fn called_from_compiled(th: &Thread, m: MethodRef) {
    let heat = m.heat.load(Ordering::Relaxed);
    if heat & (QUEUED | NEVER) != 0 || m.is_native() || m.is_abstract() {
        return;
    }
    let heat = m.heat.fetch_add(1, Ordering::Relaxed);
    if THRESHOLDS.get().is_some_and(|t| heat & HEAT >= t.method) {
        // On-stack replacement is for loops.
        let _no_loop = QUICK.hot(th, m, None);
    }
}

fn install_missing(m: &Method) -> bool {
    m.compiled.load(Ordering::Relaxed) == concord_contract::compiled::to_interpreter()
}

/// Bytes of bytecode of the longest method that is compiled without `-XX:-DontCompileHugeMethods`, as on HotSpot.
const HUGE: usize = 8000;

/// Methods that stay in the interpreter: their locals are read by stack walks, a function of the VM's runs there in place of
/// their bytecode, or they are huge.
fn excluded(m: &Method) -> bool {
    (m.name == "executePrivileged" && m.class.name == "java/security/AccessController")
        || m.bytecode.is_empty()
        || m.bytecode.len() > HUGE && options::get().flags.dont_compile_huge_methods
        || rows::math(m).is_some()
}

/// What code of `m` counts: what `-XX:TieredStopAtLevel` says, if it names a level that counts and there
/// are counters. No tier stands on the counts yet, so that is not the default; as in HotSpot, accessors
/// and the like are not worth it.
pub fn level(m: &Method) -> CompLevel {
    if m.is_trivial() || concord_interpreter::profile::area::get().is_none() {
        return CompLevel::Plain;
    }
    match options::get().flags.tiered_stop_at_level {
        2 => CompLevel::Counting,
        3 => CompLevel::Profiling,
        _ => CompLevel::Plain,
    }
}

/// No class is unloaded meanwhile.
fn compile(job: Job) {
    let Some(compiler) = COMPILER.get() else { return };
    let m = job.method;
    if excluded(m) {
        // Its body has been replaced since it was asked for.
        m.heat.fetch_or(NEVER, Ordering::Relaxed);
    }
    if m.heat.load(Ordering::Relaxed) & NEVER != 0 {
        match job.osr_bci {
            Some(bci) => drop(with(|s| s.loops.insert((key(m), bci), LoopState::Never))),
            None => drop(m.heat.fetch_and(!QUEUED, Ordering::Relaxed)),
        }
        return;
    }
    let mut hot_traps = with(|s| s.traps.get(&key(m)).map(hot)).unwrap_or_default();
    if crate::rows::is_zealous() {
        // Where code is left by force, at publications, too.
        hot_traps.push((0, DeoptReason::Publication));
    }
    let request = CompileRequest {
        method: m,
        osr_bci: job.osr_bci,
        id: job.id,
        hot_traps: Box::leak(hot_traps.into_boxed_slice()),
        level: level(m),
        record: crate::commands::record(m),
        print: crate::commands::print(m),
    };
    print::begin(m, job.osr_bci, request.id);
    // SAFETY: no preconditions.
    let _crashes_name_it = compiling::begin(unsafe { libc::syscall(libc::SYS_gettid) } as u32, &request);
    let start = Instant::now();
    let result = compiler.compile(&request);
    TIME.fetch_add(start.elapsed().as_micros() as u64, Ordering::Relaxed);
    let outcome = match result {
        Ok(code) => {
            BYTECODE.fetch_add(m.bytecode.len() as u64 + code.inlined_bytes as u64, Ordering::Relaxed);
            let (size, t, inlined) = (code.bytes.len(), code.timings, code.inlined_bytes);
            match install::install(&request, code) {
                Ok(()) => {
                    vm_log!(
                        JitCompilation,
                        Info,
                        "{} {m:?} {:?}: {} bytes and {inlined} inlined, {size} bytes of code, {}+{}+{} us",
                        request.id,
                        job.osr_bci,
                        m.bytecode.len(),
                        t.frontend,
                        t.passes,
                        t.backend,
                    );
                    Ok(())
                }
                Err(install::Refused::Dependency) => Err((true, "what it relies on has changed meanwhile".to_string())),
                Err(install::Refused::AreaFull) => {
                    full();
                    Err((false, "the code area is full".to_string()))
                }
            }
        }
        Err(Bailout::Later(why)) => Err((true, why)),
        Err(Bailout::Unsupported(why)) => Err((false, why)),
    };
    let done = outcome.is_ok();
    let subject =
        Subject { method: format!("{} {}", m.class.name, m.name), size: m.bytecode.len(), osr: job.osr_bci.is_some() };
    LAST.lock().expect("last compilations")[usize::from(!done)] = Some(subject);
    if let Err((again, why)) = outcome {
        BAILOUTS.fetch_add(1, Ordering::Relaxed);
        vm_log!(JitCompilation, Debug, "{m:?} {:?}: {why}", job.osr_bci);
        print::failed(m, job.osr_bci, request.id, &why);
        match (job.osr_bci, again) {
            (Some(bci), true) => {
                with(|s| s.loops.remove(&(key(m), bci)));
            }
            (Some(bci), false) => {
                with(|s| s.loops.insert((key(m), bci), LoopState::Never));
            }
            (None, true) => cool(m, 1),
            (None, false) => {
                m.heat.fetch_or(NEVER, Ordering::Relaxed);
            }
        }
        return;
    }
    if let (Some(bci), true) = (job.osr_bci, done) {
        // It may have been entered and closed already; then it may be asked for again.
        with(|s| {
            if let Some(state) = s.loops.get_mut(&(key(m), bci)) {
                *state = LoopState::Done;
            }
        });
    }
}

/// Lets a method's heat grow from the start again; it waits `times` as long.
fn cool(m: &Method, times: u64) {
    let t = THRESHOLDS.get().map_or(0, |t| t.method);
    let heat = t.saturating_sub(t.saturating_mul(times));
    m.heat.store(heat, Ordering::Relaxed);
}

/// Bytes of a compiler thread's stack.
pub const COMPILER_STACK: usize = 16 << 20;

/// Starts compiling: flags decide whether and how.
///
/// # Errors
/// A sentence if the system has no memory for code.
pub fn start(compiler: &'static dyn Compiler) -> Result<(), String> {
    let o = options::get();
    let f = &o.flags;
    if !enabled() {
        return Ok(());
    }
    let size = f.reserved_code_cache_size as usize;
    area::init(size).map_err(|e| format!("Could not reserve enough space for code cache: {e}"))?;
    crate::table::init(size);
    crate::stubs::publish();
    if let Some(area) = area::get() {
        crate::near::make(area);
    }
    crate::rows::set_zeal(f.concord_zeal_deopt);
    concord_contract::compiled::set_to_interpreter(crate::stubs::to_interpreter as *mut ());
    let scale = if o.mode == Mode::Compiled { 0.0 } else { f.compile_threshold_scaling };
    let scaled = |n: f64| (n * scale) as u64;
    let method = scaled(f.compile_threshold as f64);
    let osr = scaled(f.compile_threshold as f64 * 8.0);
    let period = (method / 4).clamp(1, 128) as i16;
    concord_contract::thread::HEAT_PERIOD.store(period, Ordering::Relaxed);
    if THRESHOLDS.set(Thresholds { method, osr }).is_err() || COMPILER.set(compiler).is_err() {
        concord_base::bug!("the compiler is started twice");
    }
    let processors = concord_base::options::processors();
    let threads = if f.ci_compiler_count > 0 { f.ci_compiler_count as usize } else { (processors / 3).max(1) };
    for i in 0..threads {
        let b = std::thread::Builder::new().name(format!("C1 CompilerThre{i}")).stack_size(COMPILER_STACK);
        if let Err(e) = b.spawn(|| queue::work(compile)) {
            return Err(format!("cannot start a compiler thread: {e}"));
        }
    }
    concord_runtime::unload::on_unload(queue::unloaded);
    concord_contract::entries::set_tiers(&QUICK);
    Ok(())
}

/// Whether anything is ever compiled.
pub fn enabled() -> bool {
    let o = options::get();
    o.flags.use_quick_tier
        && o.mode != Mode::Interpreted
        && o.flags.tiered_stop_at_level > 0
        // As in HotSpot: nothing ever gets hot.
        && o.flags.compile_threshold_scaling > 0.0
        // What traces instructions is in the interpreter.
        && !enabled_log(Tag::Interpreter, Level::Trace)
}
