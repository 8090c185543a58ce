//! The invocation interface: making and ending the VM, attaching threads.
//!
//! Invariant: there is at most one VM in the life of a process. JNI_CreateJavaVM either returns an
//! error before anything was started, or ends the process, or returns a VM whose class library is
//! up. The thread blocks that these functions hand out are `JNIEnv`s in state `Native`.
mod attach;

use crate::env::Out;
use crate::jni::{self, JNI_EINVAL, JNI_ERR, JNI_EVERSION, JNI_OK};
use crate::jvmti;
use attach::{AttachRequest, attach, attach_daemon, detach, get_env};
use concord_base::options::{self, LauncherFacts, OptionError, Options};
use concord_base::{compile_commands, coverage, directives, vm_log};
use concord_compiled::{cache, registry, tiers};
use concord_contract::Thread;
use concord_runtime::threads::{self, AttachArgs};
use concord_runtime::{boot, compile_env, native};
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

const JNI_EEXIST: i32 = -5;

#[repr(C)]
struct InvokeTable {
    reserved: [*const (); 3],
    destroy: extern "C" fn(&JavaVm) -> i32,
    attach: extern "C" fn(&JavaVm, Out<*const Thread>, *const AttachRequest) -> i32,
    detach: extern "C" fn(&JavaVm) -> i32,
    get_env: extern "C" fn(&JavaVm, Out<*const Thread>, i32) -> i32,
    attach_daemon: extern "C" fn(&JavaVm, Out<*const Thread>, *const AttachRequest) -> i32,
}
/// JavaVM: a pointer to the invocation table.
#[repr(C)]
pub struct JavaVm {
    functions: &'static InvokeTable,
}
// SAFETY: immutable addresses of functions.
unsafe impl Sync for InvokeTable {}

static INVOKE: InvokeTable =
    InvokeTable { reserved: [std::ptr::null(); 3], destroy, attach, detach, get_env, attach_daemon };
static JAVA_VM: JavaVm = JavaVm { functions: &INVOKE };

/// The one JavaVM of this process.
pub fn java_vm() -> &'static JavaVm {
    &JAVA_VM
}

/// Life of the VM: forward only.
mod life {
    pub const NONE: u32 = 0;
    pub const STARTING: u32 = 1;
    pub const RUNNING: u32 = 2;
    /// C runs its handlers of the process's end; threads stay where they are.
    pub const EXITING: u32 = 3;
    pub const ENDED: u32 = 4;
}
static LIFE: AtomicU32 = AtomicU32::new(life::NONE);

/// JavaVMOption.
#[repr(C)]
struct OptionString {
    text: *const c_char,
    extra: *mut c_void,
}
/// JavaVMInitArgs.
#[repr(C)]
pub struct InitArgs {
    version: i32,
    n_options: i32,
    options: *const OptionString,
    ignore_unrecognized: u8,
}
/// # Safety
/// `args` is null or a JavaVMInitArgs, or a JDK1_1InitArgs if its version says so.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JNI_GetDefaultJavaVMInitArgs(args: *mut c_void) -> i32 {
    if args.is_null() {
        return JNI_EINVAL;
    }
    let version = args.cast::<i32>();
    // SAFETY: both structures begin with the version; the older one has the stack size at 24.
    unsafe {
        match version.read() {
            0x0001_0001 => {
                version.write(0x0001_0002);
                args.cast::<i32>().add(6).write(1 << 20);
                JNI_ERR
            }
            v if jni::version_exists(v) => JNI_OK,
            _ => JNI_ERR,
        }
    }
}

/// # Safety
/// `vms` has room for `capacity` entries, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JNI_GetCreatedJavaVMs(vms: *mut *const JavaVm, capacity: i32, count: Out<i32>) -> i32 {
    let running = matches!(LIFE.load(Ordering::Acquire), life::RUNNING | life::EXITING);
    if running && capacity > 0 && !vms.is_null() {
        // SAFETY: the caller says that there is room for one.
        unsafe { vms.write(java_vm()) };
    }
    count.set(running as i32);
    JNI_OK
}

/// # Safety
/// `args` is a JavaVMInitArgs; the other two are places for results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JNI_CreateJavaVM(
    vm: Out<*const JavaVm>,
    env: Out<*const Thread>,
    args: *const InitArgs,
) -> i32 {
    concord_base::log::start_clock();
    if args.is_null() {
        return JNI_EINVAL;
    }
    // SAFETY: the caller passes a JavaVMInitArgs.
    let args = unsafe { &*args };
    if !jni::version_exists(args.version) || args.version == 0x0001_0001 {
        return JNI_EVERSION;
    }
    match LIFE.compare_exchange(life::NONE, life::STARTING, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {}
        Err(life::ENDED) => return JNI_ERR,
        Err(_) => return JNI_EEXIST,
    }
    let options = match read_options(args) {
        Ok(o) => options::install(o),
        Err(OptionError::Init(message)) => fail(&message),
        Err(OptionError::Answered) => std::process::exit(0),
        Err(e) => {
            match e {
                OptionError::Unsupported(message) => concord_base::outln!("{message}"),
                OptionError::Usage(message) if message.ends_with(' ') => concord_base::err!("{message}"),
                OptionError::Usage(message) if !message.is_empty() => concord_base::errln!("{message}"),
                _ => {}
            }
            LIFE.store(life::NONE, Ordering::Release);
            return JNI_EINVAL;
        }
    };
    options.warnings.iter().for_each(|w| concord_base::errln!("{} warning: {w}", options::VM_NAME));
    if options.flags.print_flags_initial {
        concord_base::out!("{}", options::flags_text(&options::Options::default()));
        std::process::exit(0);
    }
    if options.flags.print_flags_final {
        concord_base::out!("{}", options::flags_text(options));
    }
    if options.flags.print_command_line_flags {
        let soft = options::flags::find("SoftMaxHeapSize").map(|i| options.origin(i));
        let mut shown = options.vm_flags();
        // HotSpot chooses that one later.
        shown.retain(|f| !f.starts_with("-XX:SoftMaxHeapSize=") || soft != Some(options::Origin::Ergonomic));
        concord_base::outln!("{} ", shown.join(" "));
    }
    compile_commands::read(&options.flags);
    if !directives::start(&options.flags) {
        LIFE.store(life::NONE, Ordering::Release);
        return JNI_ERR;
    }
    crate::crash::install();
    crate::async_trace::init();
    if options.flags.replay_compiles {
        replay_compilation(options.flags.replay_data_file.as_deref());
    }
    native::signals::start();
    let table = match (coverage::on(), options.check_jni) {
        (true, _) => jni::counted::address(),
        (_, true) => jni::checked::address(),
        _ => Ok(jni::table::TABLE.address()),
    };
    match table {
        Ok(t) => threads::set_jni_table(t),
        Err(e) => fail(&format!("no memory for a JNI table of stubs: {e}")),
    }
    concord_interpreter::OPTIONS.supers.store(options.flags.super_instructions, Ordering::Relaxed);
    concord_tools::counters::reserve();
    concord_tools::attach::remove_stale_socket();
    concord_runtime::oom::set_reporter(concord_tools::memory_error::report);
    concord_runtime::roots::set_at_full_collection(concord_tools::asked_dumps::at_full_collection);
    concord_tools::set_agents(concord_tools::Agents {
        load: jvmti::agents::attach,
        data_dump: jvmti::events::data_dump,
    });
    concord_tools::set_contention(concord_contention::report);
    concord_tools::set_compiler(concord_tools::Compiler {
        code_cache: cache::summary,
        code_list: cache::list,
        queue: cache::queue,
        figures: compilations,
        perf_map: concord_compiled::print::write_perf_map,
    });
    if let Err(message) = jvmti::agents::load_all() {
        fail(&message);
    }
    jvmti::events::vm_begins();
    // Agents may have added to the class paths.
    let options = options::get();
    if let Err(message) = start_compiler().and_then(|()| start_profiles(options)) {
        fail(&message);
    }
    let th = match boot::create_vm(options, &concord_interpreter::INTERPRETER) {
        Ok(th) => th,
        Err(message) => fail(&message),
    };
    if options.remix.is_some_and(options::Remix::looks) {
        concord_runtime::roots::add_before_collection(concord_contention::before_collection);
        if let Err(message) = concord_contention::start(options) {
            fail(&message);
        }
    }
    if options.flags.concord_zeal_relayout != 0
        && let Err(message) = concord_contention::zeal::start(options.flags.concord_zeal_relayout as u64)
    {
        fail(&message);
    }
    native::signals::set_on_quit(concord_tools::attach::on_quit);
    native::signals::install_quit_handler();
    LIFE.store(life::RUNNING, Ordering::Release);
    concord_tools::counters::start();
    // Without signals nobody could ask for it later.
    let early = options.flags.start_attach_listener || options.flags.reduce_signal_usage;
    if early && !options.flags.disable_attach_mechanism {
        concord_tools::attach::listen();
    }
    jvmti::events::vm_initialized(th);
    if options.flags.management_server && concord_tools::commands::agents::start_with_vm(th).is_err() {
        // As in HotSpot: the agent has told the user what it has to tell.
        std::process::exit(1);
    }
    vm.set(java_vm());
    env.set(th);
    concord_safepoint::to_native(th);
    JNI_OK
}

/// Makes the compiler and lets hot methods come to it, if flags allow.
fn start_compiler() -> Result<(), String> {
    if !tiers::enabled() {
        return Ok(());
    }
    registry::set_holds(compile_env::hierarchy::holds);
    let tier = concord_jit::QuickTier::new(&compile_env::ENV)?;
    tiers::start(Box::leak(Box::new(tier)))
}

/// `-XX:+ReplayCompiles`: repeats a recorded compilation, tells what came of it, and ends the process;
/// with code 1 if something else came of it than was recorded.
fn replay_compilation(file: Option<&str>) -> ! {
    let pid = std::process::id().to_string();
    let name = file.unwrap_or("replay_pid%p.log").replace("%p", &pid);
    let text = std::fs::read_to_string(&name).unwrap_or_else(|e| fail(&format!("{name}: {e}")));
    // As much stack as a compiler thread has.
    let work = std::thread::Builder::new().stack_size(tiers::COMPILER_STACK).spawn(move || {
        let done = concord_jit::replay::run(&text).unwrap_or_else(|e| fail(&format!("{name}: {e}")));
        done.stages.log(&done.request);
        concord_base::out!("{}", done.report());
        done.same()
    });
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(same)) => std::process::exit(i32::from(!same)),
        Ok(Err(_)) => fail("the compiler has failed"),
        Err(e) => fail(&format!("cannot start a compiler thread: {e}")),
    }
}

/// Lets methods be profiled on the way to being compiled; without a compiler, if somebody asks.
fn start_profiles(o: &options::Options) -> Result<(), String> {
    let f = &o.flags;
    let asked = f.print_method_data
        || options::flags::find("ProfileInterpreter").is_some_and(|i| o.origin(i) != options::Origin::Default);
    if !f.profile_interpreter || !(tiers::enabled() || asked) {
        return Ok(());
    }
    let compile = f.compile_threshold as f64 * f.compile_threshold_scaling.max(0.0);
    concord_interpreter::profile::enable((compile * f.interpreter_profile_percentage as f64 / 100.0) as u64)
}

/// What happens at every orderly end of the VM.
pub fn before_end(th: &Thread) {
    jvmti::events::vm_death(th);
    jvmti::agents::unload_all();
    concord_tools::attach::end();
    concord_runtime::perf::end();
    concord_runtime::sync::log_counters();
    concord_contention::finish(options::get());
    if options::get().flags.concord_zeal_relayout != 0 {
        concord_contention::zeal::tell();
    }
    report_coverage();
    if options::get().flags.print_code_cache {
        concord_base::out!("{}", cache::summary());
    }
    if options::get().flags.print_method_data {
        concord_base::out!("{}", concord_interpreter::profile::print());
    }
}

/// The calling thread is about to end the process, with the world stopped: to what C runs then it is a thread that is
/// not attached, of a VM that takes nobody in.
pub fn exiting() {
    LIFE.store(life::EXITING, Ordering::Release);
    Thread::set_current(std::ptr::null());
}

/// Prints what `-Xlog:coverage` counted, and what was compiled; at the end of the VM.
fn report_coverage() {
    if tiers::enabled() {
        vm_log!(JitExit, Info, "{}", tiers::report());
    }
    if coverage::on() {
        coverage::report(|op| concord_classfile::opcodes::info(op).map(|i| i.name));
        jni::counted::report();
    }
}

fn fail(message: &str) -> ! {
    if !message.is_empty() {
        concord_base::outln!("Error occurred during initialization of VM\n{message}");
    }
    std::process::exit(1)
}

fn read_options(args: &InitArgs) -> Result<Options, OptionError> {
    let mut texts = Vec::new();
    let mut hooks = options::Hooks::default();
    for i in 0..args.n_options.max(0) as usize {
        // SAFETY: the caller passes `n_options` rows.
        let row = unsafe { &*args.options.add(i) };
        if row.text.is_null() {
            continue;
        }
        // SAFETY: option strings are NUL-terminated.
        let text = unsafe { CStr::from_ptr(row.text) }.to_string_lossy().into_owned();
        match text.as_str() {
            "exit" => hooks.exit = row.extra as usize,
            "abort" => hooks.abort = row.extra as usize,
            "vfprintf" => hooks.vfprintf = row.extra as usize,
            _ => texts.push(text),
        }
    }
    let Some(java_home) = crate::home::find() else {
        return Err(OptionError::Init("Could not find the JDK: set JAVA_HOME".into()));
    };
    let image_options = image_options(&java_home).map_err(OptionError::Init)?;
    let facts = LauncherFacts { java_home, library_path: std::env::var("LD_LIBRARY_PATH").ok(), image_options };
    let env = |name: &str| std::env::var(name).ok();
    let mut o = options::parse(&texts, args.ignore_unrecognized != 0, &env, &facts)?;
    o.hooks = hooks;
    Ok(o)
}

/// The options that `jlink --add-options` has put into the run-time image under `java_home`.
fn image_options(java_home: &str) -> Result<Option<String>, String> {
    concord_runtime::loader::open_image(java_home)?;
    let found = concord_runtime::loader::image().find(&[b"/java.base/jdk/internal/vm/options"])?;
    Ok(found.map(|text| String::from_utf8_lossy(text).into_owned()))
}

extern "C" fn destroy(_vm: &JavaVm) -> i32 {
    if LIFE.load(Ordering::Acquire) != life::RUNNING {
        return JNI_ERR;
    }
    let th = match Thread::current_opt() {
        Some(th) => {
            concord_safepoint::to_vm(th);
            th
        }
        None => {
            let args = AttachArgs { name: Some("DestroyJavaVM".into()), group: std::ptr::null_mut(), daemon: false };
            match threads::attach_current(args) {
                Ok(th) => th,
                Err(message) => {
                    vm_log!(OsThread, Warning, "Attaching the thread that ends the VM failed: {message}");
                    return JNI_ERR;
                }
            }
        }
    };
    // Nobody gets to see what the caller has left pending; hooks run all the same.
    th.take_exception();
    boot::destroy_vm(th);
    before_end(th);
    LIFE.store(life::ENDED, Ordering::Release);
    concord_safepoint::stop_for_good(th);
    concord_safepoint::to_native(th);
    // The thread is detached: what it does at its end finds no VM to wait for.
    Thread::set_current(std::ptr::null());
    JNI_OK
}

/// What the compiler counts, for tools.
fn compilations() -> concord_tools::Compilations {
    use concord_compiled::{install, tiers};
    let c = &install::COUNTERS;
    let load = |a: &std::sync::atomic::AtomicU64| a.load(Ordering::Relaxed);
    concord_tools::Compilations {
        done: load(&c.installed),
        osr: load(&c.installed_osr),
        failed: tiers::failures(),
        invalidated: load(&c.invalidated),
        time: tiers::compile_time(),
        code: load(&c.bytes),
        last: tiers::last().map(|s| s.map(|s| (s.method, s.size, s.osr))),
    }
}
