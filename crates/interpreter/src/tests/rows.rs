//! The runtime's rows over the test world.
use super::classes::Constant;
use super::world::{self, allocate, array_class, class, find_field, find_method, info};
use crate::INTERPRETER;
use concord_contract::class::{ClassKind, ClassRef, ClassState};
use concord_contract::entries::{Engine, Forced, Implicit, ResolvedConstant, ResolvedField, RuntimeEntries};
use concord_contract::frame::frames;
use concord_contract::method::{CallKind, CallSite, CpEntry, MethodRef};
use concord_contract::object::{BasicType, LENGTH_OFFSET, Obj, array_base};
use concord_contract::{JResult, Thread};
use concord_monitors::{Block, MonitorTable, MonitorThread, ObjectRef, Park};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};

pub static SAFEPOINTS: AtomicUsize = AtomicUsize::new(0);
pub static HEAT: AtomicUsize = AtomicUsize::new(0);
pub static STORES: AtomicUsize = AtomicUsize::new(0);
pub static TRACE: Mutex<Vec<(String, u16, u8)>> = Mutex::new(Vec::new());

/// Frames that the native `walk` saw: method (`-` for an entry frame) and opcode at its bci.
pub static WALK: Mutex<Vec<(String, u8)>> = Mutex::new(Vec::new());

fn safepoint(th: &Thread) -> JResult<()> {
    SAFEPOINTS.fetch_add(1, Ordering::Relaxed);
    th.poll.store(0, Ordering::SeqCst);
    Ok(())
}

pub fn rows() -> RuntimeEntries {
    RuntimeEntries {
        resolve_field,
        fill_static,
        resolve_call,
        resolve_indy: |_, m, _, site| {
            let a = entry(m, site).a.load(Ordering::Acquire);
            assert!(a != 0, "no call site prepared for {m:?}");
            // SAFETY: the test stored a call site.
            Ok(unsafe { &*(a as *const CallSite) })
        },
        resolve_class,
        resolve_array_of: |th, m, cp| {
            let c = resolve_class(th, m, cp)?;
            let a = array_class(c);
            entry(m, cp).b.store(a as *const _ as u64, Ordering::Release);
            Ok(a)
        },
        resolve_constant: |_, m, cp| {
            assert!(matches!(constant(m, cp), Constant::Text), "constant {cp}");
            let o = instance(class("java/lang/Object"));
            entry(m, cp).a.store(o.addr() as u64, Ordering::Release);
            Ok(ResolvedConstant::Ref)
        },
        initialize,
        new_instance: |th, c| {
            initialize(th, c)?;
            Ok(instance(c))
        },
        new_array: |th, c, n| {
            if n < 0 {
                return throw(th, "NegativeArraySizeException");
            }
            Ok(new_array(c, n as usize))
        },
        primitive_array_class: |_, ty| class(&format!("[{}", ty.descriptor_char() as char)),
        multi_new_array: |th, c, dims| {
            if dims.iter().any(|d| *d < 0) {
                return throw(th, "NegativeArraySizeException");
            }
            Ok(multi(c, dims))
        },
        throw_implicit: |th, what| {
            throw(
                th,
                match what {
                    Implicit::NullPointer => "NullPointerException",
                    Implicit::DivByZero => "ArithmeticException",
                    Implicit::StackOverflow => "StackOverflowError",
                    Implicit::IllegalMonitorState => "IllegalMonitorStateException",
                    Implicit::AbstractMethod => "AbstractMethodError",
                    Implicit::IncompatibleClassChange => "IncompatibleClassChangeError",
                },
            )
        },
        throw_array_index: |th, i, n| {
            assert!(i < 0 || i as u32 >= n);
            throw(th, "ArrayIndexOutOfBoundsException")
        },
        throw_class_cast: |th, _, _| throw(th, "ClassCastException"),
        throw_array_store: |th, _, _| throw(th, "ArrayStoreException"),
        throw_abstract: |th, _, _| throw(th, "AbstractMethodError"),
        monitor_enter,
        monitor_exit,
        safepoint,
        safepoint_between: safepoint,
        forced: |_| Forced::Nothing,
        call_native,
        register_finalizer: |_, _| Ok(()),
        heat_overflow: |_, _, _| {
            HEAT.fetch_add(1, Ordering::Relaxed);
            None
        },
        prepare_code: |_, _| Ok(()),
        numeric_constant: |_, m, cp| match constant(m, cp) {
            Constant::Int(i) => Some((BasicType::Int, *i as u32 as u64)),
            Constant::Float(b) => Some((BasicType::Float, *b as u64)),
            Constant::Long(l) => Some((BasicType::Long, *l as u64)),
            Constant::Double(b) => Some((BasicType::Double, *b)),
            _ => None,
        },
        store_ref: |_, o, offset, v| {
            STORES.fetch_add(1, Ordering::Relaxed);
            o.put_u32(offset, v.encode())
        },
        exception_event: |_, _, _| {},
        trace_bytecode: |_, m, bci, op| TRACE.lock().unwrap().push((m.name.to_string_lossy(), bci, op)),
    }
}

trait Lossy {
    fn to_string_lossy(&self) -> String;
}
impl Lossy for concord_base::Symbol {
    fn to_string_lossy(&self) -> String {
        self.as_str().into_owned()
    }
}

fn constant(m: MethodRef, cp: u16) -> &'static Constant {
    &info(m.class).file.constants[cp as usize]
}
fn entry(m: MethodRef, cp: u16) -> &'static CpEntry {
    // SAFETY: linked classes have their cache.
    unsafe { &*m.class.cp_cache.load(Ordering::Acquire).add(cp as usize) }
}

pub fn throw<T>(th: &Thread, simple: &str) -> JResult<T> {
    th.throw(instance(class(&format!("java/lang/{simple}"))))
}

pub fn instance(c: ClassRef) -> Obj {
    let o = allocate(c.instance_size.load(Ordering::Relaxed) as usize);
    header(o, c)
}
fn header(o: usize, c: ClassRef) -> Obj {
    // SAFETY: fresh memory of the heap.
    unsafe {
        *(o as *mut u64) = (c.layout_id.load(Ordering::Relaxed) as u64) << 32;
        Obj::from_addr(o)
    }
}
fn new_array(c: ClassRef, n: usize) -> Obj {
    let o = header(allocate(array_base(c.elem_shift as u32) + (n << c.elem_shift)), c);
    o.put_u32(LENGTH_OFFSET, n as u32);
    o
}
fn multi(c: ClassRef, dims: &[i32]) -> Obj {
    let a = new_array(c, dims[0] as usize);
    if dims.len() > 1 {
        for i in 0..dims[0] as usize {
            a.put_u32(array_base(2) + 4 * i, multi(c.component.unwrap(), &dims[1..]).encode());
        }
    }
    a
}

fn resolve_class(_: &Thread, m: MethodRef, cp: u16) -> JResult<ClassRef> {
    let c = class(info(m.class).file.class_name(cp));
    entry(m, cp).a.store(c as *const _ as u64, Ordering::Release);
    Ok(c)
}

fn resolve_field(th: &Thread, m: MethodRef, cp: u16, op: u8) -> JResult<ResolvedField> {
    let (c, name, _) = info(m.class).file.member(cp);
    let f = find_field(class(c), name).unwrap_or_else(|| panic!("no field {c}.{name}"));
    let is_static = op <= 179;
    assert_eq!(f.flags & 8 != 0, is_static);
    if is_static {
        initialize(th, f.class)?;
    }
    Ok(ResolvedField {
        class: f.class,
        offset: f.offset,
        ty: f.ty,
        is_bytes: false,
        is_static,
        is_volatile: f.flags & 0x40 != 0,
        is_final: f.flags & 0x10 != 0,
        is_constant: false,
        is_stable: false,
        is_target: false,
        relaxed: f.name.starts_with("relaxed"),
    })
}

fn fill_static(_: &Thread, m: MethodRef, cp: u16, f: ResolvedField) {
    let statics = f.class.statics.get().addr() as u64;
    entry(m, cp).b.store(statics, Ordering::Release);
    entry(m, cp).a.store(statics + f.offset as u64, Ordering::Release);
}

fn resolve_call(th: &Thread, m: MethodRef, cp: u16, op: u8) -> JResult<(&'static CallSite, bool)> {
    let (c, name, descriptor) = info(m.class).file.member(cp);
    let k = class(c);
    let t = find_method(k, name, Some(descriptor)).unwrap_or_else(|| panic!("no method {c}.{name}{descriptor}"));
    if op == 184 {
        initialize(th, t.class)?;
    }
    let (kind, index) = match op {
        184 => (CallKind::Static, 0),
        183 => (CallKind::Special, 0),
        _ if t.is_private() => (CallKind::Special, 0),
        185 if t.class.is_interface() => (CallKind::Interface, t.itable_index.load(Ordering::Relaxed)),
        _ => {
            let same = |v: &MethodRef| v.name.id() == t.name.id() && v.descriptor.id() == t.descriptor.id();
            let n = (0..k.vtable().len()).find(|i| same(&k.vtable_method(*i)));
            (CallKind::Virtual, n.expect("vtable index") as u32)
        }
    };
    let site: &'static CallSite = Box::leak(Box::new(CallSite {
        method: t,
        nargs_bytes: t.nargs_bytes,
        index,
        interface: t.class,
        kind,
        requested: std::ptr::null(),
        appendix: std::ptr::null(),
    }));
    Ok((site, t.class.is_initialized()))
}

pub fn initialize(th: &Thread, c: ClassRef) -> JResult<()> {
    static LOCK: Mutex<()> = Mutex::new(());
    static DONE: Condvar = Condvar::new();
    if c.is_initialized() || c.kind != ClassKind::Instance {
        return Ok(());
    }
    let me = th as *const Thread as *mut Thread;
    let mut g = LOCK.lock().unwrap();
    loop {
        match c.state() {
            ClassState::Initialized => return Ok(()),
            ClassState::BeingInitialized if c.init_thread.load(Ordering::Relaxed) == me => return Ok(()),
            ClassState::BeingInitialized => g = DONE.wait(g).unwrap(),
            _ => break,
        }
    }
    c.init_thread.store(me, Ordering::Relaxed);
    c.state.store(ClassState::BeingInitialized as u8, Ordering::Release);
    drop(g);
    if let Some(s) = c.super_class {
        initialize(th, s)?;
    }
    let clinit = info(c).methods.iter().find(|m| m.is_clinit());
    let r = clinit.map_or(Ok(0), |m| INTERPRETER.invoke(th, m, &[]));
    let _g = LOCK.lock().unwrap();
    c.init_thread.store(std::ptr::null_mut(), Ordering::Relaxed);
    c.state.store(ClassState::Initialized as u8, Ordering::Release);
    DONE.notify_all();
    r.map(drop)
}

/// The one table of monitors.
fn monitors() -> &'static Arc<MonitorTable> {
    static TABLE: OnceLock<Arc<MonitorTable>> = OnceLock::new();
    TABLE.get_or_init(|| MonitorTable::reserve(concord_monitors::Options::default()).expect("records"))
}
/// Gives a thread its state in the monitors room.
pub fn attach(th: &Thread) {
    // SAFETY: reached through the thread's block alone; there is one table.
    let state = unsafe { MonitorThread::new(monitors(), th.id.get()) };
    th.monitor.store(Box::into_raw(Box::new(state)).cast(), Ordering::Release);
}
fn state(th: &Thread) -> &MonitorThread {
    // SAFETY: set by `attach`, never freed.
    unsafe { &*(th.monitor.load(Ordering::Acquire) as *const MonitorThread) }
}

struct Sleeper<'a>(&'a Thread);
// SAFETY: the state of the thread whose block this is.
unsafe impl Park for Sleeper<'_> {
    fn monitor_thread(&self) -> &MonitorThread {
        state(self.0)
    }
    fn before_block(&self, _: Block) {}
    fn after_block(&self) {}
    fn is_interrupted(&self) -> bool {
        false
    }
    fn clear_interrupt(&self) {}
}
struct Locked(Obj);
// SAFETY: objects of this world do not move or die.
unsafe impl ObjectRef for Locked {
    fn lock_word(&self) -> *const concord_monitors::AtomicU32 {
        self.0.lock_word()
    }
    fn address(&self) -> u64 {
        self.0.addr() as u64
    }
}

fn monitor_enter(th: &Thread, o: Obj) -> JResult<()> {
    concord_monitors::enter(&Sleeper(th), &Locked(o));
    Ok(())
}
fn monitor_exit(th: &Thread, o: Obj) -> JResult<()> {
    state(th).exit(o.lock_word(), o.addr() as u64).expect("exit by a thread that does not own the monitor");
    Ok(())
}
/// Monitors that the thread owns; none afterwards.
pub fn owned_by(th: &Thread) -> usize {
    // SAFETY: objects that were locked are where they were.
    unsafe { state(th).release_all(|o| Obj::from_addr(o as usize).lock_word()) }
}

static NATIVE_CALLS: AtomicU64 = AtomicU64::new(0);

fn call_native(th: &Thread, m: MethodRef, args: *const u64) -> JResult<u64> {
    NATIVE_CALLS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the arguments of the call.
    let arg = |i: usize| unsafe { *args.add(i) };
    match &*m.name.as_str() {
        "dirtyBoolean" => Ok(0xffff_fff3),
        "dirtyByte" => Ok(0x1234_5680),
        "dirtyChar" => Ok(0xffff_ffff),
        "dirtyShort" => Ok(0x0001_8000),
        "mix" => Ok((arg(0) as u32 as u64).wrapping_add(arg(1)).wrapping_add(arg(3) as u32 as u64)),
        "fails" => throw(th, "IllegalStateException"),
        "nothing" => Ok(0),
        "walk" => {
            *WALK.lock().unwrap() = frames(th)
                .map(|f| match f.method() {
                    None => ("-".to_string(), 0),
                    Some(m) => {
                        let bci = INTERPRETER.bci_at(m, f.instruction()) as usize;
                        (m.name.as_str().into_owned(), m.bytecode.get(bci).copied().unwrap_or(0))
                    }
                })
                .collect();
            Ok(0)
        }
        "callback" => {
            let target = find_method(m.class, "called", None).unwrap();
            INTERPRETER.invoke(th, target, &[arg(0)])
        }
        n => panic!("no native method {n}"),
    }
}

/// Whether the pending exception is of this class; takes it.
pub fn caught(th: &Thread, simple: &str) -> bool {
    th.take_exception().class() == world::class(&format!("java/lang/{simple}"))
}
