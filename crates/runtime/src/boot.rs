//! From nothing to a running class library (contract sheet 4), and the way down.
//!
//! Invariant: the order is HotSpot's, because the class library depends on it; each step that can
//! fail says which one it was. Nothing here runs twice.
//!
//! | step | needs |
//! |---|---|
//! | layout table, heap, main thread | options |
//! | primitive classes, known classes, mirrors | the run-time image |
//! | String, System, Class, Thread initialized; main Thread object | an engine |
//! | initPhase1: properties, streams | natives of libjava |
//! | VM threads, MethodHandle | |
//! | initPhase2: modules | |
//! | initPhase3: system class loader | |
use crate::events;
use crate::info::ClassExt;
use crate::{arrays, call, exceptions, handles, init, known, loader, mirror, object, roots, strings, threads};
use concord_base::options::Options;
use concord_base::{Symbol, vm_log};
use concord_contract::entries::{self, Engine};
use concord_contract::{ClassRef, JResult, Obj, Thread, layout};
use concord_heap::{HeapOptions, HugePages, Plan, Zeal};
use std::sync::atomic::{AtomicBool, Ordering};

static UP: AtomicBool = AtomicBool::new(false);

/// Whether the class library is up: Java code may run outside the boot sequence.
pub fn is_up() -> bool {
    UP.load(Ordering::Acquire)
}

fn heap_options(o: &Options) -> Result<HeapOptions, String> {
    let f = &o.flags;
    let mut h = HeapOptions::default();
    if f.max_heap_size != 0 {
        h.max = f.max_heap_size as usize;
    }
    h.min = if f.initial_heap_size != 0 { (f.initial_heap_size as usize).min(h.max) } else { h.max / 16 };
    if f.new_size != 0 {
        h.nursery = Some(f.new_size as usize);
    }
    h.plan = match f.concord_gc.as_deref() {
        None | Some("StickyImmix") => Plan::StickyImmix,
        Some("Immix") => Plan::Immix,
        Some(other) => return Err(format!("ConcordGC={other}: the plans are StickyImmix and Immix")),
    };
    if f.parallel_gc_threads != 0 {
        h.workers = Some(f.parallel_gc_threads as usize);
    }
    h.zeal = Zeal {
        alloc: (f.concord_zeal_alloc != 0).then_some(f.concord_zeal_alloc as u32),
        defrag: f.concord_zeal_move,
        verify: f.verify_after_gc,
        owners: f.check_local_objects,
    };
    h.min_is_asked = !o.is_default("InitialHeapSize");
    h.huge_pages = match (f.use_transparent_huge_pages, o.is_default("UseTransparentHugePages")) {
        (true, _) => HugePages::All,
        (false, true) => HugePages::Old,
        (false, false) => HugePages::Nobody,
    };
    h.soft_ref_ms_per_mb = f.soft_ref_lru_policy_ms_per_mb as u64;
    Ok(h)
}

/// Makes the VM: the calling thread becomes the main Java thread, in the VM state.
///
/// # Errors
/// A sentence for the user, empty if one was printed; the process cannot try again.
pub fn create_vm(options: &'static Options, engine: &'static dyn Engine) -> Result<&'static Thread, String> {
    concord_base::log::start_clock();
    concord_memory_model::policy::install(options.flags.vbd, options.flags.print_concord_statistics);
    crate::relaxed::install(&options.flags)?;
    crate::apart::install(options)?;
    layout::init();
    concord_heap::init(heap_options(options)?)?;
    concord_heap::set_root_provider(&roots::Provider);
    entries::set_runtime(crate::entries::table());
    entries::set_engine(engine);
    loader::open_image(&options.java_home)?;
    crate::boot_path::append(&options.boot_class_path_append);
    threads::set_default_stack_size(options.flags.thread_stack_size as usize * 1024);
    let th = threads::attach_main()?;
    concord_heap::start_workers();
    step(th, "genesis", genesis)?;
    if let Some(l) = events::any_listener() {
        l.jni_is_up(th);
    }
    step(th, "java.lang", init_lang)?;
    step(th, "System.initPhase1", |th| phase1(th, options))?;
    step(th, "method handles", init_handles)?;
    step(th, "System.initPhase2", phase2)?;
    if let Some(l) = events::any_listener() {
        l.library_is_up(th);
    }
    step(th, "System.initPhase3", phase3)?;
    UP.store(true, Ordering::Release);
    Ok(th)
}

fn step(th: &Thread, name: &str, f: impl FnOnce(&Thread) -> Result<(), String>) -> Result<(), String> {
    let t = std::time::Instant::now();
    let r = f(th);
    vm_log!(Startup, Info, "{name}, {:.7} secs", t.elapsed().as_secs_f64());
    r.map_err(|e| if e.is_empty() { e } else { format!("{name}: {e}") })
}

fn check<T>(th: &Thread, r: JResult<T>, what: &str) -> Result<T, String> {
    exceptions::boot_check(th, r, what)
}

/// Classes, mirrors, offsets.
fn genesis(th: &Thread) -> Result<(), String> {
    arrays::make_primitives();
    known::load_classes(th).map_err(|c| format!("cannot load {c}: {}", exceptions::boot_failure(th, "not found")))?;
    check(th, arrays::make_primitive_arrays(th), "primitive arrays")?;
    known::find_fields().map_err(|f| format!("the class library has no field {f}"))?;
    known::find_methods().map_err(|m| format!("the class library has no method {m}"))?;
    check(th, mirror::fix_up(th), "class mirrors")?;
    link_method_handle_offsets();
    // String constants of the classes linked before java.lang.String are set at initialization.
    Ok(())
}

fn link_method_handle_offsets() {
    let o = known::offsets();
    entries::engine().set_method_handle_offsets(concord_contract::method::MhOffsets {
        form: o.mh_form as u32,
        vmentry: o.form_vmentry as u32,
        method: o.mn_method as u32,
        vmtarget: o.rmn_target as u32,
        vmindex: o.mn_vmindex as u32,
    });
}

fn initialize(th: &Thread, c: ClassRef) -> Result<(), String> {
    check(th, init::initialize(th, c), &format!("initializing {}", c.name))
}

/// String, System, Class, Thread; the main thread's object and groups.
fn init_lang(th: &Thread) -> Result<(), String> {
    let k = known::classes();
    // String.COMPACT_STRINGS is what the VM says; its initializer sets true.
    for c in [k.object, k.string, k.system, k.class] {
        initialize(th, c)?;
    }
    initialize(th, k.thread_group)?;
    let scope = handles::Scope::new(th);
    let system = scope.handle(check(th, object::new_with(th, k.thread_group, "()V", &[]), "system thread group")?);
    let name = check(th, strings::new_str(th, "main"), "main thread group")?;
    let main = check(
        th,
        object::new_with(
            th,
            k.thread_group,
            "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            &[system.get().addr() as u64, name.addr() as u64],
        ),
        "main thread group",
    )?;
    let main = scope.handle(main);
    threads::set_groups(system.get(), main.get());
    initialize(th, k.thread)?;
    let t = scope.handle(check(th, object::new_object(th, k.thread), "main thread")?);
    threads::bind_java_thread(th, t.get());
    let Some(ctor) =
        k.thread.declared_method(Symbol::from("<init>"), Symbol::from("(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"))
    else {
        return Err("java.lang.Thread has no constructor (ThreadGroup, String)".into());
    };
    let name = check(th, strings::new_str(th, "main"), "main thread")?;
    check(
        th,
        call::invoke(th, ctor, &[t.get().addr() as u64, main.get().addr() as u64, name.addr() as u64]),
        "main thread",
    )?;
    initialize(th, k.module)?;
    initialize(th, k.unsafe_constants)?;
    set_unsafe_constants(k.unsafe_constants);
    initialize(th, k.method)?;
    initialize(th, k.finalizer)?;
    // The first is made where no stack is left to initialize anything; debuggers look for the others, as on HotSpot,
    // before any is thrown, and see only what is linked.
    for c in [
        k.stack_overflow_error,
        k.null_pointer_exception,
        k.class_cast_exception,
        k.array_store_exception,
        k.arithmetic_exception,
        k.illegal_monitor_state,
        k.illegal_argument,
    ] {
        initialize(th, c)?;
    }
    check(th, crate::oom::preallocate(th), "preallocated errors")
}

fn set_unsafe_constants(c: ClassRef) {
    let s = c.statics.get();
    for f in c.declared_fields().iter().filter(|f| f.is_static()) {
        let at = f.offset() as usize;
        match f.name.as_bytes() {
            b"ADDRESS_SIZE0" => s.put_i32(at, 8),
            b"PAGE_SIZE" => s.put_i32(at, 4096),
            b"BIG_ENDIAN" => s.put_u8(at, 0),
            b"UNALIGNED_ACCESS" => s.put_u8(at, 1),
            b"DATA_CACHE_LINE_FLUSH_SIZE" => s.put_i32(at, cache_line_flush_size()),
            _ => {}
        }
    }
}

/// Bytes that one cache-line write-back covers, from CPUID leaf 1.
fn cache_line_flush_size() -> i32 {
    let leaf = std::arch::x86_64::__cpuid(1);
    (((leaf.ebx >> 8) & 0xff) * 8) as i32
}

fn phase1(th: &Thread, _o: &Options) -> Result<(), String> {
    check(th, call::call_static(th, "java/lang/System", "initPhase1", "()V", &[]), "initPhase1").map(|_| ())
}

fn init_handles(th: &Thread) -> Result<(), String> {
    check(th, threads::start_vm_threads(th), "VM threads")?;
    let k = known::classes();
    initialize(th, k.method_handle)?;
    initialize(th, k.resolved_method_name)?;
    initialize(th, k.mh_natives)
}

fn phase2(th: &Thread) -> Result<(), String> {
    exceptions::tell_log();
    let r = check(th, call::call_static(th, "java/lang/System", "initPhase2", "(ZZ)I", &[0, 0]), "initPhase2")?;
    if r as i32 != 0 {
        // The class library has said what is wrong.
        return Err(String::new());
    }
    Ok(())
}

fn phase3(th: &Thread) -> Result<(), String> {
    check(th, call::call_static(th, "java/lang/System", "initPhase3", "()V", &[]), "initPhase3")?;
    let ask = |name: &str| -> Result<Obj, String> {
        let r = call::call_static(th, "java/lang/ClassLoader", name, "()Ljava/lang/ClassLoader;", &[]);
        let a = check(th, r, name)?;
        // SAFETY: the descriptor promises a reference, and no safepoint lies between.
        Ok(unsafe { Obj::from_addr(a as usize) })
    };
    let system = ask("getSystemClassLoader")?;
    let first = loader::SYSTEM.set(loader::of_object(system)).is_ok();
    let platform = ask("getPlatformClassLoader")?;
    if !first || loader::PLATFORM.set(loader::of_object(platform)).is_err() {
        return Err("the class loaders were asked for twice".into());
    }
    Ok(())
}

/// Waits for the other non-daemon threads and runs the shutdown hooks (JNI DestroyJavaVM).
pub fn destroy_vm(th: &Thread) {
    threads::wait_for_non_daemons(th);
    if call::call_static(th, "java/lang/Shutdown", "shutdown", "()V", &[]).is_err() {
        let e = th.take_exception();
        concord_base::errln!("Exception in shutdown hooks: {}", exceptions::describe(e));
    }
    crate::statistics::print();
}
