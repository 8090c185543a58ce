//! What is compiled, and when.
//!
//! Invariant: the state of a method's compilation is in the top bits of its heat, so the question
//! "is anything to be done" costs one load. A method is in the queue at most once; a loop header,
//! too.
use crate::{area, deopt, install, linkers, osr, print};
use concord_base::event_log;
use concord_base::log::{Level, Tag, enabled as enabled_log};
use concord_base::options::{self, Mode};
use concord_base::vm_log;
use concord_contract::class::flags;
use concord_contract::code_table::Installed;
use concord_contract::compiled::{Bailout, CompLevel, CompileRequest, Compiler, DeoptReason, FrameState};
use concord_contract::compiling;
use concord_contract::entries::{OsrEntry, Tiers};
use concord_contract::method::HEAT_COUNT;
use concord_contract::{ClassRef, Method, MethodRef, Thread};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, RwLock};
use std::time::Instant;

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
static NEXT_ID: AtomicU32 = AtomicU32::new(1);
/// Microseconds of compilation, bytes of bytecode compiled, bailouts.
static TIME: AtomicU64 = AtomicU64::new(0);
static BYTECODE: AtomicU64 = AtomicU64::new(0);
static BAILOUTS: AtomicU64 = AtomicU64::new(0);
/// What the last compilation was of, and the last one that failed.
static LAST: Mutex<[Option<Subject>; 2]> = Mutex::new([const { None }; 2]);
/// Compilations whose code found no room.
static FULL: AtomicU64 = AtomicU64::new(0);

/// Held for reading by a compilation, from before it is taken from the queue until its code is
/// installed. Locked before the queue.
static COMPILING: RwLock<()> = RwLock::new(());

/// What a compilation was of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// `java/lang/Object hashCode`.
    pub method: String,
    /// Bytes of bytecode.
    pub size: usize,
    pub osr: bool,
}

/// A loop's compilation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopState {
    Queued,
    Done,
    Never,
}

#[derive(Clone, Copy)]
struct Job {
    method: MethodRef,
    osr_bci: Option<u16>,
    /// Position in the sequence of requests.
    id: u32,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    loops: HashMap<(usize, u16), LoopState>,
    /// Traps of a method: (bci, reason) -> count.
    traps: HashMap<usize, HashMap<(u16, DeoptReason), u32>>,
    /// How often a method's code was thrown away.
    recompiles: HashMap<usize, u32>,
    /// Jobs that are being compiled or wait.
    pending: usize,
}
static STATE: Mutex<Option<State>> = Mutex::new(None);
static WORK: Condvar = Condvar::new();
static DONE: Condvar = Condvar::new();

fn with<R>(f: impl FnOnce(&mut State) -> R) -> R {
    f(STATE.lock().expect("compile queue").get_or_insert_default())
}

fn key(m: &Method) -> usize {
    std::ptr::from_ref(m) as usize
}

pub struct Quick;
pub static QUICK: Quick = Quick;

impl Tiers for Quick {
    fn hot(&self, th: &Thread, m: MethodRef, bci: Option<u16>) -> Option<OsrEntry> {
        let t = THRESHOLDS.get()?;
        if concord_interpreter::debug::is_enabled() {
            return None;
        }
        install::sweep_if_due();
        let heat = m.heat.load(Ordering::Relaxed);
        if heat & HEAT >= t.method && heat & (QUEUED | NEVER) == 0 && install_missing(m) {
            request(th, m, None);
        }
        let bci = bci?;
        if let Some(e) = osr::enter(th, m, bci) {
            return Some(e);
        }
        if heat & HEAT >= t.osr && heat & NEVER == 0 {
            request(th, m, Some(bci));
            return osr::enter(th, m, bci);
        }
        None
    }
    fn while_none_compiles(&self, f: &mut dyn FnMut()) {
        let _none = COMPILING.write().expect("compilations");
        f();
    }
    fn redefined(&self, m: MethodRef, old: &mut dyn FnMut() -> MethodRef) {
        // What waits is a loop of the old body.
        take_back(|j| j.osr_bci.is_some() && std::ptr::eq(j.method, m));
        with(|s| s.loops.retain(|k, _| k.0 != key(m)));
        install::redefined(m, old);
    }
    fn compiled_entry(&self, m: &Method) -> *mut () {
        linkers::entry(m)
    }
    fn class_published(&self, class: ClassRef) {
        install::class_published(class)
    }
}

/// Classes go, at a stop: what names them goes first. A compilation under way ends before that; it
/// runs on a thread of its own and waits for nobody who is stopped.
fn unloaded(dead: &[ClassRef]) {
    let _none = COMPILING.write().expect("compilations");
    let gone = |m: &Method| m.class.has_flag(flags::UNLOADED);
    take_back(|j| gone(j.method));
    with(|s| {
        s.loops.retain(|k, _| !is_of(k.0, dead));
        s.traps.retain(|k, _| !is_of(*k, dead));
        s.recompiles.retain(|k, _| !is_of(*k, dead));
    });
    install::unloaded(dead);
}

/// Takes jobs out of the queue.
fn take_back(which: impl Fn(&Job) -> bool) {
    with(|s| {
        let before = s.queue.len();
        s.queue.retain(|j| !which(j));
        s.pending -= before - s.queue.len();
    });
    DONE.notify_all();
}

/// Whether the address is that of a method of one of the classes.
fn is_of(m: usize, dead: &[ClassRef]) -> bool {
    // SAFETY: keys of the tables are methods; those of unloaded classes leave them here, before
    // their memory goes.
    let class = unsafe { (*(m as *const Method)).class };
    class.has_flag(flags::UNLOADED) && dead.contains(&class)
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

/// Methods that stay in the interpreter: their locals are read by stack walks.
fn excluded(m: &Method) -> bool {
    (m.name == "executePrivileged" && m.class.name == "java/security/AccessController") || m.bytecode.is_empty()
}

/// Queues a compilation, unless it is there already; waits for it if compilation is not to go on in
/// the background.
fn request(th: &Thread, m: MethodRef, osr_bci: Option<u16>) {
    let by_user = !crate::commands::may_compile(m);
    if by_user || excluded(m) {
        if m.heat.fetch_or(NEVER, Ordering::Relaxed) & NEVER == 0 && by_user {
            print::excluded(m);
        }
        return;
    }
    let queued = with(|s| {
        match osr_bci {
            Some(bci) => {
                if s.loops.contains_key(&(key(m), bci)) {
                    return false;
                }
                s.loops.insert((key(m), bci), LoopState::Queued);
            }
            None => {
                if m.heat.fetch_or(QUEUED, Ordering::Relaxed) & QUEUED != 0 {
                    return false;
                }
            }
        }
        s.queue.push_back(Job { method: m, osr_bci, id: NEXT_ID.fetch_add(1, Ordering::Relaxed) });
        s.pending += 1;
        true
    });
    if !queued {
        return;
    }
    WORK.notify_one();
    if !crate::commands::in_background(m) {
        let _attached = th;
        concord_safepoint::blocked(|| {
            let mut g = STATE.lock().expect("compile queue");
            while g.as_ref().is_some_and(|s| s.pending > 0) {
                g = DONE.wait(g).expect("compile queue");
            }
        });
    }
}

fn compiler_thread() {
    loop {
        {
            let mut g = STATE.lock().expect("compile queue");
            while g.get_or_insert_default().queue.is_empty() {
                g = WORK.wait(g).expect("compile queue");
            }
        }
        {
            // A job that is in the queue no more is seen by nobody who takes the methods' memory back.
            let _classes_stay = COMPILING.read().expect("compilations");
            let Some(job) = with(|s| s.queue.pop_front()) else { continue };
            compile(job);
        }
        with(|s| s.pending -= 1);
        DONE.notify_all();
    }
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

/// `COMPILING` is held for reading.
fn compile(job: Job) {
    let Some(compiler) = COMPILER.get() else { return };
    let m = job.method;
    if let (Some(bci), true) = (job.osr_bci, m.heat.load(Ordering::Relaxed) & NEVER != 0) {
        with(|s| s.loops.insert((key(m), bci), LoopState::Never));
        return;
    }
    let hot_traps = with(|s| s.traps.get(&key(m)).map(hot)).unwrap_or_default();
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
                Err(install::Refused::Dependency) => Err((true, "a class was loaded meanwhile".to_string())),
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
        with(|s| s.loops.insert((key(m), bci), LoopState::Done));
    }
}

/// Lets a method's heat grow from the start again; it waits `times` as long.
fn cool(m: &Method, times: u64) {
    let t = THRESHOLDS.get().map_or(0, |t| t.method);
    let heat = t.saturating_sub(t.saturating_mul(times));
    m.heat.store(heat, Ordering::Relaxed);
}

fn full() {
    FULL.fetch_add(1, Ordering::Relaxed);
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let size = area::get().map_or(0, |a| a.size()) >> 10;
        concord_base::errln!("{} warning: CodeCache is full. Compiler has been disabled.", options::VM_NAME);
        concord_base::errln!(
            "{} warning: Try increasing the code cache size using -XX:ReservedCodeCacheSize= ({size}k)",
            options::VM_NAME
        );
    });
}

/// Traps after which an instruction is compiled to throw by itself.
const HOT_TRAP: u32 = 20;
/// Times that code of a method is thrown away because a trap might go.
const RECOMPILES: u32 = 8;

fn hot(traps: &HashMap<(u16, DeoptReason), u32>) -> Vec<(u16, DeoptReason)> {
    traps.iter().filter(|(k, n)| **n >= HOT_TRAP || deopt::recompile_helps(k.1)).map(|(k, _)| *k).collect()
}

/// A guard of `code` failed.
pub fn trapped(code: &'static Installed, s: &FrameState) {
    let m = code.method;
    let at = (s.frames.last().map_or(0, |f| f.bci), s.reason);
    let retire = with(|st| {
        let n = st.traps.entry(key(m)).or_default().entry(at).or_insert(0);
        *n += 1;
        let retire = if deopt::recompile_helps(s.reason) { true } else { s.reason.is_exception() && *n == HOT_TRAP };
        let again = st.recompiles.entry(key(m)).or_insert(0);
        if retire && *again < RECOMPILES {
            *again += 1;
            Some(*again)
        } else {
            None
        }
    });
    vm_log!(Deopt, Debug, "{m:?} {} {:?} at {}", code.id, at.1, at.0);
    let action = if retire.is_some() { "reinterpret" } else { "none" };
    let name = format!("{}.{}{}", m.class.name.as_str().replace('/', "."), m.name, m.descriptor);
    let thread = Thread::current_opt().map_or(0, |th| std::ptr::from_ref(th) as usize);
    let text = format!(
        "Uncommon trap: reason={:?} action={action} pc=0x{:016x} method={name} @ {} c1",
        at.1, code.start, at.0
    );
    event_log::note(event_log::Kind::Deoptimization, thread, text);
    let Some(times) = retire else { return };
    if install::retire(code) && code.osr_bci.is_none() {
        cool(m, u64::from(times));
    }
}

/// The code was closed: it may be made again.
pub fn closed(code: &Installed) {
    let m = code.method;
    match code.osr_bci {
        Some(bci) => {
            with(|s| s.loops.remove(&(key(m), bci)));
        }
        None => cool(m, 1),
    }
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
        if let Err(e) = b.spawn(compiler_thread) {
            return Err(format!("cannot start a compiler thread: {e}"));
        }
    }
    concord_runtime::unload::on_unload(unloaded);
    concord_contract::entries::set_tiers(&QUICK);
    Ok(())
}

/// How often the code area had no room.
pub fn full_count() -> u64 {
    FULL.load(Ordering::Relaxed)
}

/// What waits to be compiled: method, loop header, number.
pub fn waiting() -> Vec<(MethodRef, Option<u16>, u32)> {
    with(|s| s.queue.iter().map(|j| (j.method, j.osr_bci, j.id)).collect())
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

/// Time that compilations have taken so far.
pub fn compile_time() -> std::time::Duration {
    std::time::Duration::from_micros(TIME.load(Ordering::Relaxed))
}

/// What was compiled last, and the last of which the compilation failed.
pub fn last() -> [Option<Subject>; 2] {
    LAST.lock().expect("last compilations").clone()
}
/// Compilations that ended without code.
pub fn failures() -> u64 {
    BAILOUTS.load(Ordering::Relaxed)
}

/// One line per figure, for statistics at exit.
pub fn report() -> String {
    let us = TIME.load(Ordering::Relaxed);
    let bytes = BYTECODE.load(Ordering::Relaxed);
    let c = &install::COUNTERS;
    let load = |a: &AtomicU64| a.load(Ordering::Relaxed);
    format!(
        "compiled {} ({} OSR), {} bytes of bytecode in {:.1} ms, {} bytes of code, of which {} in use and {} at most, {} bailouts, {} refused, {} invalidated, {} freed, {} exceptions caught; {}",
        load(&c.installed),
        load(&c.installed_osr),
        bytes,
        us as f64 / 1000.0,
        load(&c.bytes),
        crate::area::get().map_or(0, crate::area::Area::used),
        crate::area::get().map_or(0, crate::area::Area::most_used),
        BAILOUTS.load(Ordering::Relaxed),
        load(&c.refused),
        load(&c.invalidated),
        load(&c.freed),
        load(&crate::rows::CAUGHT),
        deopt::counts(),
    )
}
