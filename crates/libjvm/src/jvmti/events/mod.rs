//! Calling agents.
//!
//! Invariant: a callback runs in state `Native` with local references of its own, without a
//! pending exception; one that was pending before is pending again afterwards.
mod class_files;
mod exits;

pub use class_files::{Asked, ask};
pub use exits::left_early;

use super::capabilities::can;
use super::compiled::{self, Load, Note};
use super::environment::{Env, all};
use super::general::{current_phase, life, phase_of};
use crate::env::{FieldId, MethodId};
use concord_base::vm_log;
use concord_contract::code_table::Installed;
use concord_contract::frame::java_frames;
use concord_contract::layout::object_size;
use concord_contract::thread::poll;
use concord_contract::{ClassRef, MethodRef, Obj, Thread};
use concord_runtime::events::{ClassFileLoad, Event, Exhausted, Listener, Stub, Transformed};
use concord_runtime::handles::{Handle, Local, Scope};
use concord_runtime::info::{ClassExt, FieldInfo};
use concord_runtime::{modules, resolve};
use exits::left;
use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::sync::atomic::Ordering;

/// The listener of all environments.
pub struct Agents;
pub static AGENTS: Agents = Agents;

/// Runs `f`, which calls an agent.
pub(super) fn outside<R>(th: &Thread, f: impl FnOnce() -> R) -> R {
    let scope = Scope::new(th);
    let pending = th.has_exception().then(|| scope.handle(th.take_exception()));
    let r = concord_safepoint::in_native(f);
    // An agent suspends the thread that called it more often than any other.
    concord_runtime::threads::suspend_self(th);
    // What an agent leaves pending has nobody to go to.
    th.take_exception();
    if let Some(e) = pending {
        th.exception.set(e.get());
    }
    r
}
fn current(th: &Thread) -> Handle {
    th.new_handle(th.java_thread.get())
}
/// A callback as a function of type `$f`.
macro_rules! function {
    ($f:ty, $address:expr) => {
        // SAFETY: the agent gave the address of a function of the specification's type.
        unsafe { std::mem::transmute::<usize, $f>($address) }
    };
}
use function;
/// Calls every environment that wants event `$n` on this thread: `$call` gets the environment and
/// the callback's address.
pub(super) fn each(th: &Thread, n: Event, mut call: impl FnMut(&'static Env, usize)) {
    each_in_vm(th, n, |e, f| outside(th, || call(e, f)));
}
/// As [`each`], for what has something to do in the VM before it calls the function.
pub(super) fn each_in_vm(th: &Thread, n: Event, mut call: impl FnMut(&'static Env, usize)) {
    for e in all() {
        if let Some(f) = callback_now(th, e, n) {
            call(e, f);
        }
    }
}
/// The function of an environment that is to be told of such an event now.
pub(super) fn callback_now(th: &Thread, e: &Env, n: Event) -> Option<usize> {
    if is_time(e, n) { e.callback(n as u32, Some(th)) } else { None }
}
/// Whether an environment may be told of such an event in the phase that it sees; as in HotSpot.
fn is_time(e: &Env, n: Event) -> bool {
    match phase_of(e) {
        life::LIVE => true,
        life::START => matches!(n as u32, 50..=57 | 65..=70),
        life::PRIMORDIAL => matches!(n, Event::NativeMethodBind),
        _ => false,
    }
}

type Jni = *const Thread;
type Plain = extern "C" fn(&Env, Jni);
type WithThread = extern "C" fn(&Env, Jni, Handle);
type WithClass = extern "C" fn(&Env, Jni, Handle, Handle);
type AtPlace = extern "C" fn(&Env, Jni, Handle, MethodId, i64);
type OfMethod = extern "C" fn(&Env, Jni, Handle, MethodId);
type Accessed = extern "C" fn(&Env, Jni, Handle, MethodId, i64, Handle, Handle, FieldId);
type Modified = extern "C" fn(&Env, Jni, Handle, MethodId, i64, Handle, Handle, FieldId, u8, u64);
type Bound = extern "C" fn(&Env, Jni, Handle, MethodId, *mut (), &mut *mut ());
type NoMore = extern "C" fn(&Env, Jni, i32, *const c_void, *const c_char);
type Allocated = extern "C" fn(&Env, Jni, Handle, Handle, Handle, i64);
type Thrown = extern "C" fn(&Env, Jni, Handle, MethodId, i64, Handle, MethodId, i64);
type Caught = extern "C" fn(&Env, Jni, Handle, MethodId, i64, Handle);

thread_local! {
    /// The frame whose branch was the last instruction of this thread that reported itself.
    static BRANCHED: Cell<usize> = const { Cell::new(0) };
    /// Whether this thread, a collector's, calls agents.
    static IN_COLLECTION: Cell<bool> = const { Cell::new(false) };
}
/// Whether the calling thread is a collector's, in an agent's callback.
pub(super) fn in_collection() -> bool {
    IN_COLLECTION.get()
}

fn with_thread(th: &Thread, n: Event) {
    each(th, n, |e, f| function!(WithThread, f)(e, th, current(th)));
}

/// Tells those that asked to start early, or the others.
fn started(th: &Thread, early: bool) {
    each(th, Event::VmStart, |e, f| {
        if e.has(can::EARLY_VM_START) == early {
            function!(Plain, f)(e, th);
        }
    });
}
/// Agents are loaded, and the VM begins to make itself.
pub fn vm_begins() {
    super::general::set_phase(life::PRIMORDIAL);
}
/// The VM runs.
pub fn vm_initialized(th: &Thread) {
    super::general::set_phase(life::LIVE);
    with_thread(th, Event::VmInit);
    with_thread(th, Event::ThreadStart);
    compiled::settle();
}
/// The VM ends, and with it the thread that ends it.
pub fn vm_death(th: &Thread) {
    if current_phase() == life::LIVE {
        with_thread(th, Event::ThreadEnd);
        compiled::tell_freed(th);
        each(th, Event::VmDeath, |e, f| function!(Plain, f)(e, th));
        super::general::set_phase(life::DEAD);
    }
}
/// Somebody asks for data (SIGQUIT, jcmd).
pub fn data_dump(th: &Thread) {
    each(th, Event::DataDump, |e, f| function!(extern "C" fn(&Env), f)(e));
}

/// The Java frame that will handle `e`, thrown in the innermost frame of `th`.
fn find_catcher(th: &Thread, e: Obj) -> Option<(MethodRef, u16)> {
    for (m, f) in java_frames(th) {
        if m.bytecode.is_empty() {
            continue;
        }
        let bci = concord_runtime::stackwalk::bci_of(m, &f);
        for row in m.exceptions.iter().filter(|r| bci >= r.start && bci < r.end) {
            let catches = row.catch_type == 0
                || resolve::class_at_if_loaded(m.class, row.catch_type).is_some_and(|c| e.class().is_subclass_of(c))
                || is_named(m.class, row.catch_type, e);
            if catches {
                return Some((m, row.handler));
            }
        }
    }
    None
}
/// Whether a superclass of `e`'s class has the name of a constant that is not resolved yet.
fn is_named(class: ClassRef, constant: u16, e: Obj) -> bool {
    let name = class.info().constants().class_name(constant);
    std::iter::successors(Some(e.class()), |c| c.super_class).any(|c| c.name.as_bytes() == name)
}

/// An access of a watched field, or a new value for it.
pub struct FieldUse<'s> {
    pub field: &'static FieldInfo,
    /// What is told as the field's class.
    pub class: ClassRef,
    /// None for a static field.
    pub object: Option<Local<'s>>,
    /// Bits of a new value, or the object.
    pub value: Option<(u64, Option<Local<'s>>)>,
}
/// Tells of the field that the instruction uses, or the native method that calls a JNI function.
pub fn field_used(th: &Thread, m: MethodRef, bci: u16, u: &FieldUse<'_>) {
    let class = || th.new_handle(u.class.mirror.get());
    let object = || u.object.map_or(std::ptr::null_mut(), |o| th.new_handle(o.get()));
    let (id, at, ty) = (FieldId::of(u.field), i64::from(bci), u.field.descriptor.as_bytes()[0]);
    match &u.value {
        None => each(th, Event::FieldAccess, |e, f| {
            if super::watches::is_set(e, u.field, false) {
                function!(Accessed, f)(e, th, current(th), MethodId::of(m), at, class(), object(), id)
            }
        }),
        Some((bits, value)) => each(th, Event::FieldModification, |e, f| {
            if super::watches::is_set(e, u.field, true) {
                let new = value.map_or(*bits, |o| th.new_handle(o.get()) as u64);
                let ty = if ty == b'[' { b'L' } else { ty };
                function!(Modified, f)(e, th, current(th), MethodId::of(m), at, class(), object(), id, ty, new)
            }
        }),
    }
}

/// Tells of an exception that was thrown in the innermost frame, unless it is the one told of last.
pub fn exception_raised(th: &Thread, m: MethodRef, bci: u16, e: Obj) {
    let scope = Scope::new(th);
    let e = scope.handle(e);
    let catcher = find_catcher(th, e.get());
    let (cm, cb) = catcher.map_or((MethodId::NULL, 0), |(m, b)| (MethodId::of(m), i64::from(b)));
    each(th, Event::Exception, |env, f| {
        let exception = th.new_handle(e.get());
        function!(Thrown, f)(env, th, current(th), MethodId::of(m), i64::from(bci), exception, cm, cb)
    });
}

impl Listener for Agents {
    fn jni_is_up(&self, th: &Thread) {
        super::general::jni_is_up();
        started(th, true);
    }
    fn library_is_up(&self, th: &Thread) {
        super::general::set_phase(life::START);
        started(th, false);
    }
    fn class_file_load(&self, th: &Thread, what: ClassFileLoad<'_>) -> Transformed {
        if current_phase() == life::ON_LOAD || current_phase() == life::DEAD {
            return Transformed::default();
        }
        let name = what.name;
        let loader = what.loader;
        let t = ask(th, what, Asked::All);
        if t.bytes.is_some() {
            modules::transformed_by_agent(th, name.and_then(|n| modules::of_name(loader, n)));
            vm_log!(
                ClassLoad,
                Debug,
                "an agent has changed {}",
                name.map_or(String::new(), |n| n.as_str().into_owned())
            );
        }
        t
    }
    fn class_load(&self, th: &Thread, class: ClassRef) {
        each(th, Event::ClassLoad, |e, f| {
            function!(WithClass, f)(e, th, current(th), th.new_handle(class.mirror.get()))
        });
    }
    fn class_prepare(&self, th: &Thread, class: ClassRef) {
        each(th, Event::ClassPrepare, |e, f| {
            function!(WithClass, f)(e, th, current(th), th.new_handle(class.mirror.get()))
        });
    }
    fn thread_start(&self, th: &Thread) {
        with_thread(th, Event::ThreadStart);
    }
    fn thread_end(&self, th: &Thread) {
        with_thread(th, Event::ThreadEnd);
        all().iter().for_each(|e| e.forget_thread(th.id.get()));
    }
    fn exception(&self, th: &Thread, m: MethodRef, bci: u16, e: Obj, _catcher: Option<(MethodRef, u16)>) {
        exception_raised(th, m, bci, e);
    }
    fn exception_catch(&self, th: &Thread, m: MethodRef, bci: u16, e: Obj) {
        let scope = Scope::new(th);
        let e = scope.handle(e);
        each(th, Event::ExceptionCatch, |env, f| {
            let exception = th.new_handle(e.get());
            function!(Caught, f)(env, th, current(th), MethodId::of(m), i64::from(bci), exception)
        });
    }
    fn monitor(&self, th: &Thread, what: Event, o: Obj, more: i64) {
        let scope = Scope::new(th);
        let o = scope.handle(o);
        each(th, what, |e, f| {
            let object = th.new_handle(o.get());
            match what {
                Event::MonitorWait => {
                    function!(extern "C" fn(&Env, Jni, Handle, Handle, i64), f)(e, th, current(th), object, more)
                }
                Event::MonitorWaited => {
                    function!(extern "C" fn(&Env, Jni, Handle, Handle, u8), f)(e, th, current(th), object, more as u8)
                }
                _ => function!(WithClass, f)(e, th, current(th), object),
            }
        });
    }
    fn collection(&self, what: Event) {
        if current_phase() != life::DEAD {
            IN_COLLECTION.set(true);
            for e in all() {
                if let Some(f) = e.callback(what as u32, None) {
                    function!(extern "C" fn(&Env), f)(e);
                }
            }
            IN_COLLECTION.set(false);
            if what == Event::GcFinish && concord_runtime::events::wanted(Event::ObjectFree) {
                compiled::note(Note::Collected);
            }
        }
    }
    fn instruction(&self, th: &Thread, m: MethodRef, bci: u16, opcode: u8) {
        let wanted = concord_runtime::events::wanted;
        let at = i64::from(bci);
        // The instruction does not run.
        let is_forced = || th.poll.load(Ordering::Acquire) & poll::FORCED != 0;
        let fp = th.fp.get() as usize;
        let branched = BRANCHED.replace(if matches!(opcode, 153..=171 | 198..=201) { fp } else { 0 });
        // Not at the end of a loop.
        if bci == 0 && branched != fp && wanted(Event::MethodEntry) {
            each(th, Event::MethodEntry, |e, f| function!(OfMethod, f)(e, th, current(th), MethodId::of(m)));
            if is_forced() {
                return;
            }
        }
        if wanted(Event::SingleStep) {
            each(th, Event::SingleStep, |e, f| function!(AtPlace, f)(e, th, current(th), MethodId::of(m), at));
        }
        if wanted(Event::Breakpoint) && super::breakpoints::is_set(m, bci) {
            each(th, Event::Breakpoint, |e, f| function!(AtPlace, f)(e, th, current(th), MethodId::of(m), at));
        }
        if is_forced() {
            return;
        }
        if matches!(opcode, 178..=181) {
            super::watches::field_instruction(th, m, bci, opcode);
        }
        if matches!(opcode, 172..=177) {
            left(th, m, Some(opcode));
        }
    }
    fn native_entered(&self, th: &Thread, m: MethodRef) {
        each(th, Event::MethodEntry, |e, f| function!(OfMethod, f)(e, th, current(th), MethodId::of(m)));
    }
    fn native_returned(&self, th: &Thread, m: MethodRef, bits: u64, object: Option<Handle>) {
        exits::left_early(th, m, exits::jvalue(m, bits), object);
    }
    fn forced(&self, th: &Thread) -> concord_contract::entries::Forced {
        BRANCHED.set(0);
        super::force::take(th)
    }
    fn unsafe_registers(&self, th: &Thread) {
        crate::jni::park::register(th);
    }
    fn native_bound(&self, th: &Thread, m: MethodRef, function: *mut ()) -> *mut () {
        let mut function = function;
        each(th, Event::NativeMethodBind, |e, f| {
            function!(Bound, f)(e, th, current(th), MethodId::of(m), function, &mut function)
        });
        function
    }
    fn exhausted(&self, th: &Thread, what: Exhausted, message: &str) {
        // OutOfMemoryError, and of what.
        let flags = match what {
            Exhausted::Heap => 1 | 2,
            Exhausted::Threads => 1 | 4,
            Exhausted::Other => 1,
        };
        vm_log!(Jvmti, Error, "Posting Resource Exhausted event: {message}");
        let Ok(text) = std::ffi::CString::new(message) else { return };
        each(th, Event::ResourceExhausted, |e, f| function!(NoMore, f)(e, th, flags, std::ptr::null(), text.as_ptr()));
    }
    fn allocated(&self, th: &Thread, what: Event, o: Obj) {
        if current_phase() != life::LIVE {
            return;
        }
        let scope = Scope::new(th);
        let o = scope.handle(o);
        // SAFETY: a live object.
        let bytes = unsafe { object_size(o.get().addr()) } as i64;
        each(th, what, |e, f| {
            let class = th.new_handle(o.get().class().mirror.get());
            function!(Allocated, f)(e, th, current(th), th.new_handle(o.get()), class, bytes)
        });
    }
    fn frame_unwound(&self, th: &Thread, m: MethodRef) {
        left(th, m, None);
    }
    fn code_came(&self, code: &Installed) {
        compiled::note(Note::Loaded(Load::of(code)));
    }
    fn code_goes(&self, code: &Installed) {
        compiled::note(Note::unloaded(code));
    }
    fn stub_came(&self, stub: &Stub) {
        compiled::note(Note::Generated(stub.clone()));
    }
}
