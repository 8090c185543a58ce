//! The crossing between engines and runtime: one row per call.
//!
//! Every row is called with the thread's anchors stored (operand stack in memory, `pc` at the
//! instruction being executed), in the `InVm` state. All rows may collect; those that return
//! `JResult` may throw. `Engine` is the other direction. Both are set once, at boot.
use crate::JResult;
use crate::class::ClassRef;
use crate::method::{CallSite, Method, MethodRef};
use crate::object::{BasicType, Obj};
use crate::profile::{Counters, MethodProfile};
use crate::thread::Thread;
use std::sync::OnceLock;

/// A field reference, resolved.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedField {
    pub class: ClassRef,
    /// Byte offset in the instance, or in the statics object.
    pub offset: u32,
    pub ty: BasicType,
    /// It is declared as `byte[]`.
    pub is_bytes: bool,
    pub is_static: bool,
    pub is_volatile: bool,
    pub is_final: bool,
    /// An instance field that nobody writes once its object can be seen by others: final, in a class whose finals cannot be set
    /// otherwise.
    pub is_constant: bool,
    /// It is not written any more once it is not 0 or null, nor are the elements of an array that it refers to (`@Stable`).
    pub is_stable: bool,
    /// It is the target of call sites, which [`CompilationEnv::call_site`](crate::compile_env::CompilationEnv) tells about.
    pub is_target: bool,
    /// Its accesses from this method are relaxed (`@Relaxed`, flags, or `-XX:-VBD`).
    pub relaxed: bool,
}

/// A constant of `ldc`, resolved. References are in the cache entry, too.
#[derive(Clone, Copy, Debug)]
pub enum ResolvedConstant {
    Ref,
    /// A class constant: the entry holds the class, the value is its mirror.
    Mirror,
    /// From a dynamic constant: `bits` is the raw slot.
    Prim(BasicType, u64),
}

/// Exceptions that instructions throw by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Implicit {
    /// With the helpful message of the instruction at `pc`.
    NullPointer,
    /// `/ by zero`.
    DivByZero,
    StackOverflow,
    IllegalMonitorState,
    AbstractMethod,
    /// Called with the receiver on top of the arguments: the class does not implement it.
    IncompatibleClassChange,
}

/// How compiled code takes the place of an interpreter frame.
#[derive(Clone, Copy, Debug)]
pub struct OsrEntry {
    /// A handler of the interpreter's convention that is given `code` as top of stack.
    pub stub: *const (),
    pub code: *const (),
}

/// Words that [`on_clean_stack`] makes zero: the frames from an engine to where a thread stops.
const SCRUBBED: usize = 128;

/// Calls `f`, which may stop the thread, in frames that have nothing of earlier calls. A word that such a frame does not use would
/// name, and keep, an object that died long ago: as long as allocations come the same way, or at each
/// System.gc() of a loop that waits for the object's end.
#[inline(never)]
pub fn on_clean_stack<R>(f: impl FnOnce() -> R) -> R {
    scrub();
    in_own_frame(f)
}
#[inline(never)]
fn in_own_frame<R>(f: impl FnOnce() -> R) -> R {
    f()
}
#[inline(never)]
fn scrub() {
    let mut words = [0u64; SCRUBBED];
    // SAFETY: the array's own elements; written this way they are not left out as dead.
    words.iter_mut().for_each(|w| unsafe { std::ptr::write_volatile(w, 0) });
}

/// What an engine tells of a pending exception while `frame::EVENTS` is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceptionEvent {
    /// It was thrown, or came back from native code, in the innermost frame.
    Thrown,
    /// The innermost frame handles it; `pc` is at the handler.
    Caught,
    /// The innermost frame is about to be left by it.
    FrameLeft,
}

/// What a tool wants of the innermost frame, whose instruction has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced {
    Nothing,
    /// Its caller makes the call once more.
    Pop,
    /// It returns this slot; for a reference it is the address of a handle of the thread's newest frame of handles.
    Return(u64),
}

macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?;)*) => {
        /// The rows, as function pointers.
        pub struct RuntimeEntries { $($(#[$doc])* pub $name: fn(&Thread $(, $ty)*) $(-> $ret)?,)* }
        $($(#[$doc])*
        #[inline]
        pub fn $name(th: &Thread $(, $arg: $ty)*) $(-> $ret)? { (runtime().$name)(th $(, $arg)*) })*
    };
}

entries! {
    /// Resolves a field reference for the access that `opcode` (178..=181) makes; checks access,
    /// static-ness and finality; for static accesses initializes the class.
    resolve_field(m: MethodRef, cp: u16, opcode: u8) -> JResult<ResolvedField>;
    /// Fills the cache entry of a static field whose class is initialized (see `CpEntry`).
    fill_static(m: MethodRef, cp: u16, f: ResolvedField);
    /// Resolves a call by `opcode` (182..=185) and fills the cache entry; for invokestatic
    /// initializes the class. The flag says that the class is fully initialized, so the
    /// instruction may be quickened.
    resolve_call(m: MethodRef, cp: u16, opcode: u8) -> JResult<(&'static CallSite, bool)>;
    /// Resolves the invokedynamic site with cache index `site`, whose constant is `cp`.
    resolve_indy(m: MethodRef, cp: u16, site: u16) -> JResult<&'static CallSite>;
    /// Resolves a class constant and fills the cache entry (a; b by `resolve_array_of`).
    resolve_class(m: MethodRef, cp: u16) -> JResult<ClassRef>;
    /// Resolves a class constant and the array class over it; fills a and b.
    resolve_array_of(m: MethodRef, cp: u16) -> JResult<ClassRef>;
    /// Resolves a loadable constant other than int, float, long, double; fills the entry.
    resolve_constant(m: MethodRef, cp: u16) -> JResult<ResolvedConstant>;
    /// Initializes a class (JVMS 5.5), linking it first.
    initialize(class: ClassRef) -> JResult<()>;
    /// `new`: checks that the class can be instantiated, initializes it, allocates.
    new_instance(class: ClassRef) -> JResult<Obj>;
    /// An array of `class` (an array class) with `len` elements; negative lengths throw.
    new_array(class: ClassRef, len: i32) -> JResult<Obj>;
    /// The array class of a primitive type.
    primitive_array_class(ty: BasicType) -> ClassRef;
    /// `multianewarray`: `dims` outermost first.
    multi_new_array(class: ClassRef, dims: &[i32]) -> JResult<Obj>;
    throw_implicit(what: Implicit) -> JResult<()>;
    throw_array_index(index: i32, len: u32) -> JResult<()>;
    /// A failed checkcast of `o` to `class`.
    throw_class_cast(o: Obj, class: ClassRef) -> JResult<()>;
    /// Storing `value` into `array` failed its type check.
    throw_array_store(array: Obj, value: Obj) -> JResult<()>;
    /// Throws what a call of the abstract or conflicting `m` throws.
    throw_abstract(m: MethodRef, receiver: Obj) -> JResult<()>;
    /// Acquires the monitor; may block.
    monitor_enter(o: Obj) -> JResult<()>;
    monitor_exit(o: Obj) -> JResult<()>;
    /// Called when `poll` is not zero: safepoints, asynchronous exceptions, suspension.
    safepoint() -> JResult<()>;
    /// The same between two instructions of the interpreter, which asks `forced` afterwards.
    safepoint_between() -> JResult<()>;
    /// What `poll::FORCED` stands for; takes the bit away.
    forced() -> Forced;
    /// Calls a native method whose frame is pushed; the raw result. Links it on the first call.
    call_native(m: MethodRef, args: *const u64) -> JResult<u64>;
    /// Registers `o` for finalization (return from Object.<init>).
    register_finalizer(o: Obj) -> JResult<()>;
    /// A heat counter ran out: at the entry of `m`, or at a back edge to `bci`. For a back edge,
    /// compiled code that may take the innermost frame's place; its monitors are taken off the lock
    /// stack then.
    heat_overflow(m: MethodRef, bci: Option<u16>) -> Option<OsrEntry>;
    /// Verifies and links the class of `m`, at the latest possible moment before its code runs.
    prepare_code(m: MethodRef) -> JResult<()>;
    /// A 4- or 8-byte constant of `ldc`/`ldc2_w`: None if it must be resolved.
    numeric_constant(m: MethodRef, cp: u16) -> Option<(BasicType, u64)>;
    /// The reference store of the heap room: publication, store, fence, collector's barrier.
    store_ref(target: Obj, offset: usize, value: Obj);
    /// Tells of an exception, which is not pending meanwhile.
    exception_event(what: ExceptionEvent, e: Obj);
    /// Tells of a watched instruction about to run, or prints a line for it
    /// (`-Xlog:interpreter=trace`).
    trace_bytecode(m: MethodRef, bci: u16, opcode: u8);
}

/// What the runtime tells the room that compiles.
pub trait Tiers: Sync {
    /// A heat counter of `m` ran out; as the row `heat_overflow`. The anchors are stored.
    fn hot(&self, th: &Thread, m: MethodRef, bci: Option<u16>) -> Option<OsrEntry>;
    /// Runs `f` while nothing is being compiled; at a stop.
    fn while_none_compiles(&self, f: &mut dyn FnMut());
    /// Whether somebody waits for that now, perhaps at a stop: compilations must wait for nothing.
    fn compilations_awaited(&self) -> bool;
    /// `m` is about to get another body, at a stop and while nothing is compiled: compiled code that has
    /// the old one is left, and its frames stand for the method that `old` gives.
    fn redefined(&self, m: MethodRef, old: &mut dyn FnMut() -> MethodRef);
    /// The compiled entry of a method without compiled code.
    fn compiled_entry(&self, m: &Method) -> *mut ();
    /// `class` is in the hierarchy, and none of its methods has run: code that relied on there
    /// being no such class must go. May stop the world.
    fn class_published(&self, class: ClassRef);
    /// The call site of this number has another target now: compiled code that relied on the old one is left. At a stop.
    fn target_changed(&self, number: u32);
    /// These classes have become [`crate::class::flags::MOSTLY_PUBLISHED`]: methods whose code makes their objects LOCAL
    /// are compiled again. At a stop.
    fn mostly_published(&self, classes: &[ClassRef]);
    /// The fields of these classes, all subclasses among them, have other places, for which `moved` gives the new offset of the
    /// one at an old offset in objects of a class; or the static fields have. Compiled code that names the classes is left; all of
    /// it, if they are None. At a stop, and while nothing is compiled.
    fn relaid(&self, classes: Option<&[ClassRef]>, moved: &dyn Fn(ClassRef, u32) -> u32);
}
static TIERS: OnceLock<&'static dyn Tiers> = OnceLock::new();

pub fn set_tiers(t: &'static dyn Tiers) {
    if TIERS.set(t).is_err() {
        concord_base::bug!("tiers installed twice");
    }
}
/// None if nothing is ever compiled.
#[inline]
pub fn tiers() -> Option<&'static dyn Tiers> {
    TIERS.get().copied()
}

static RUNTIME: OnceLock<RuntimeEntries> = OnceLock::new();
static ENGINE: OnceLock<&'static dyn Engine> = OnceLock::new();

/// Installs the runtime's rows; once, at boot.
pub fn set_runtime(e: RuntimeEntries) {
    if RUNTIME.set(e).is_err() {
        concord_base::bug!("runtime entries installed twice");
    }
}
#[inline]
fn runtime() -> &'static RuntimeEntries {
    match RUNTIME.get() {
        Some(r) => r,
        None => concord_base::bug!("an engine ran before the runtime was installed"),
    }
}

/// What the runtime asks of the engine that executes bytecode.
pub trait Engine: Sync {
    /// Calls `m` with raw argument slots (receiver first, long and double in two slots). The
    /// result is the raw slot; Err if an exception is pending.
    fn invoke(&self, th: &Thread, m: &'static Method, args: &[u64]) -> JResult<u64>;
    /// Calls `m` of the thread's own java.lang.Thread. Unlike [`Engine::invoke`]'s arguments, no native frame names the object
    /// meanwhile, so it may be moved.
    fn invoke_on_thread(&self, th: &Thread, m: &'static Method) -> JResult<u64>;
    /// Gives a new method its entries: first call, native, abstract or method-handle intrinsic.
    fn install(&self, m: &'static Method);
    /// Byte offset in the class file's code of the instruction at `word`.
    fn bci_at(&self, m: &'static Method, word: *const u32) -> u16;
    /// Fields have other places, and objects with some layout ids (old, new) other ids: forgets all quickened operands that
    /// say where fields are, and lets profiles name the new ids. Called at a stop.
    fn relaid(&self, ids: &[(u32, u32)]);
    /// `m` has another body from now on: forgets what was made of the old one, in `m` and wherever
    /// it was inlined; frames that run the old body name a copy of `m` by now. Called at a stop.
    fn replaced(&self, m: &'static Method);
    /// `old` was or becomes a version of `m` for the frames that still run it; breakpoints of `m` are gone.
    /// Called at a stop, before [`Engine::replaced`].
    fn aged(&self, m: &'static Method, old: &'static Method);
    /// Tells where the fields are that lead from a method handle to its method; once, at boot,
    /// before the first method handle exists.
    fn set_method_handle_offsets(&self, offsets: crate::method::MhOffsets);
    /// Forgets methods that will not be called again, and gives back what belongs to them. Called at
    /// a stop, with the methods of unloaded classes.
    fn forget(&self, methods: &[&'static Method]);
    /// `th` is about to run on the calling native thread: gives it its place among the counters.
    fn attach(&self, th: &Thread);
    /// `th` runs no code any more.
    fn detach(&self, th: &Thread);
    /// What is known of the instructions of `m`; None before it is warm.
    fn profile(&self, m: &Method) -> Option<MethodProfile>;
    /// Where compiled code of `m` is to count; makes `m` warm. None before `m` was translated, and if
    /// nothing is profiled.
    fn counters(&self, m: MethodRef) -> Option<Counters>;
}

pub fn set_engine(e: &'static dyn Engine) {
    if ENGINE.set(e).is_err() {
        concord_base::bug!("engine installed twice");
    }
}
#[inline]
pub fn engine() -> &'static dyn Engine {
    match ENGINE.get() {
        Some(e) => *e,
        None => concord_base::bug!("the runtime ran before an engine was installed"),
    }
}
