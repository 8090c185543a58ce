//! What agents can ask to be told of: the hooks from this room to the tool interface.
//!
//! Invariant: while no agent has asked for an event, its hook is one relaxed load. A listener is
//! called in state `InVm`, without locks, where a safepoint may be; what it is given as an `Obj`
//! it must put into a handle before it does anything else. What it is told of compiled code it is told
//! anywhere, by a compiler's thread or at a stop, under the locks of those who own the code: it takes notes.
use crate::handles::Handle;
use crate::loader::Loader;
use concord_base::{Symbol, bug};
use concord_contract::code_table::Installed;
use concord_contract::entries::Forced;
use concord_contract::{ClassRef, MethodRef, Obj, Thread};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Events by the tool interface's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Event {
    VmInit = 50,
    VmDeath = 51,
    ThreadStart = 52,
    ThreadEnd = 53,
    ClassFileLoad = 54,
    ClassLoad = 55,
    ClassPrepare = 56,
    VmStart = 57,
    Exception = 58,
    ExceptionCatch = 59,
    SingleStep = 60,
    FramePop = 61,
    Breakpoint = 62,
    FieldAccess = 63,
    FieldModification = 64,
    MethodEntry = 65,
    MethodExit = 66,
    NativeMethodBind = 67,
    CompiledMethodLoad = 68,
    CompiledMethodUnload = 69,
    DynamicCode = 70,
    DataDump = 71,
    MonitorWait = 73,
    MonitorWaited = 74,
    ContendedEnter = 75,
    ContendedEntered = 76,
    ResourceExhausted = 80,
    GcStart = 81,
    GcFinish = 82,
    ObjectFree = 83,
    VmObjectAlloc = 84,
    SampledObjectAlloc = 86,
}

/// One bit per event that somebody wants.
static WANTED: AtomicU64 = AtomicU64::new(0);

/// The bit of an event's number.
pub const fn bit(number: u32) -> u64 {
    1 << (number - 50)
}
/// Whether anybody wants this event.
#[inline(always)]
pub fn wanted(e: Event) -> bool {
    WANTED.load(Ordering::Relaxed) & bit(e as u32) != 0
}
/// Sets which events are wanted.
pub fn set_wanted(bits: u64) {
    WANTED.store(bits, Ordering::SeqCst);
}

/// A class file on its way to becoming a class, or a new version of one.
pub struct ClassFileLoad<'a> {
    pub class: Option<ClassRef>,
    pub loader: &'static Loader,
    pub name: Option<Symbol>,
    pub protection_domain: Obj,
    pub bytes: &'a [u8],
}

/// What agents made of a class file.
#[derive(Default)]
pub struct Transformed {
    /// None if nobody changed it.
    pub bytes: Option<&'static [u8]>,
    /// The bytes as they were before those agents saw them that can be asked again.
    pub before_retransformable: Option<&'static [u8]>,
}

/// What there is no more of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    Heap,
    Threads,
    /// Neither: an array was asked for that is longer than arrays can be.
    Other,
}

/// Code in the code area that is no method's.
#[derive(Clone, Debug)]
pub struct Stub {
    pub name: String,
    pub start: usize,
    pub bytes: usize,
}

/// The tool interface.
pub trait Listener: Sync {
    /// Functions of JNI can be called, though nothing of the class library is initialized.
    fn jni_is_up(&self, th: &Thread);
    /// The module system is there; the system class loader is not.
    fn library_is_up(&self, th: &Thread);
    fn class_file_load(&self, th: &Thread, what: ClassFileLoad<'_>) -> Transformed;
    fn class_load(&self, th: &Thread, class: ClassRef);
    fn class_prepare(&self, th: &Thread, class: ClassRef);
    fn thread_start(&self, th: &Thread);
    fn thread_end(&self, th: &Thread);
    /// An exception was thrown at `bci` of `m`; `catcher` handles it, if a Java frame will.
    fn exception(&self, th: &Thread, m: MethodRef, bci: u16, e: Obj, catcher: Option<(MethodRef, u16)>);
    fn exception_catch(&self, th: &Thread, m: MethodRef, bci: u16, e: Obj);
    /// Something happens at a monitor: `more` is the time to wait, or whether it ran out.
    fn monitor(&self, th: &Thread, what: Event, o: Obj, more: i64);
    /// A collection begins or has ended; on a collector's thread, at the stop.
    fn collection(&self, what: Event);
    /// An instruction that is watched is about to run.
    fn instruction(&self, th: &Thread, m: MethodRef, bci: u16, opcode: u8);
    /// The innermost frame, of a native method, has its monitor and is about to call the function.
    fn native_entered(&self, th: &Thread, m: MethodRef);
    /// Its function has returned a jvalue's bits, or an object.
    fn native_returned(&self, th: &Thread, m: MethodRef, bits: u64, object: Option<Handle>);
    /// What was forced on the innermost frame.
    fn forced(&self, th: &Thread) -> Forced;
    /// `jdk.internal.misc.Unsafe` registers its native methods: the innermost frame is of its own.
    fn unsafe_registers(&self, th: &Thread);
    /// A native method is about to be bound to this function; the one to bind it to.
    fn native_bound(&self, th: &Thread, m: MethodRef, function: *mut ()) -> *mut ();
    /// An OutOfMemoryError is about to be thrown.
    fn exhausted(&self, th: &Thread, what: Exhausted, message: &str);
    /// The thread has made this object: a sample, or one that the VM made on its own.
    fn allocated(&self, th: &Thread, what: Event, o: Obj);
    /// The innermost frame, of `m`, is left by an exception.
    fn frame_unwound(&self, th: &Thread, m: MethodRef);
    /// Code of a method can be run from now on.
    fn code_came(&self, code: &Installed);
    /// Its memory is about to be given back.
    fn code_goes(&self, code: &Installed);
    /// There is code now that is no method's.
    fn stub_came(&self, stub: &Stub);
}
static LISTENER: OnceLock<&'static dyn Listener> = OnceLock::new();

/// Sets the listener; the first one counts.
pub fn set_listener(l: &'static dyn Listener) {
    LISTENER.get_or_init(|| l);
}
/// The listener of an event that is wanted.
pub fn listener(e: Event) -> Option<&'static dyn Listener> {
    if !wanted(e) {
        return None;
    }
    match LISTENER.get() {
        Some(l) => Some(*l),
        None => bug!("an event is wanted without a listener"),
    }
}
/// The listener, if there is one.
pub fn any_listener() -> Option<&'static dyn Listener> {
    LISTENER.get().copied()
}
