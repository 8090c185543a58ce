//! Throwing Java exceptions from the VM.
//!
//! Invariant: every function named `throw*` returns `Err(Thrown)` with the thread's exception set,
//! whatever goes wrong while the exception is made: then what went wrong is thrown instead.
use crate::info::ClassExt;
use crate::{call, handles, init, known, loader, names, object, strings};
use concord_base::event_log;
use concord_base::{Symbol, bug, vm_log};
use concord_contract::frame;
use concord_contract::{ClassRef, JResult, MethodRef, Obj, Thread, Thrown};
use std::sync::atomic::{AtomicU64, Ordering};

/// A new exception of the boot class `class`, constructed with a message or nothing.
pub fn new(th: &Thread, class: &str, message: Option<&str>) -> JResult<Obj> {
    let c = loader::find_class(th, Symbol::from(class), loader::boot())?;
    new_of(th, c, message)
}
fn new_of(th: &Thread, c: ClassRef, message: Option<&str>) -> JResult<Obj> {
    init::initialize(th, c)?;
    let string_ctor = Symbol::from("(Ljava/lang/String;)V");
    match message {
        Some(m) if c.declared_method(Symbol::from("<init>"), string_ctor).is_some() => {
            let s = strings::new_str(th, m)?;
            object::new_with(th, c, "(Ljava/lang/String;)V", &[s.addr() as u64])
        }
        // AssertionError and a few others take an Object.
        Some(m) if c.declared_method(Symbol::from("<init>"), Symbol::from("(Ljava/lang/Object;)V")).is_some() => {
            let s = strings::new_str(th, m)?;
            object::new_with(th, c, "(Ljava/lang/Object;)V", &[s.addr() as u64])
        }
        // ExceptionInInitializerError and others: the message is set behind the constructor.
        Some(m) => {
            let e = object::new_with(th, c, "()V", &[])?;
            let scope = handles::Scope::new(th);
            let e = scope.handle(e);
            let s = strings::new_str(th, m)?;
            concord_heap::store_ref(e.get(), known::offsets().throwable_message, s);
            Ok(e.get())
        }
        None => object::new_with(th, c, "()V", &[]),
    }
}

/// Throws the boot class `class` (internal name) with `message`.
#[cold]
#[track_caller]
pub fn throw<T>(th: &Thread, class: &str, message: &str) -> JResult<T> {
    if !known::ready() {
        bug!("{class} before the class library is up: {message}");
    }
    let e = new(th, class, Some(message))?;
    log(th, e);
    th.throw(e)
}
/// Gives the pending exception a cause.
pub fn with_cause<T>(th: &Thread, cause: Obj) -> JResult<T> {
    let scope = handles::Scope::new(th);
    let (cause, e) = (scope.handle(cause), scope.handle(th.take_exception()));
    let args = [cause.get().addr() as u64];
    call::call_virtual(th, e.get(), "initCause", "(Ljava/lang/Throwable;)Ljava/lang/Throwable;", &args)?;
    th.throw(e.get())
}

/// Throws an exception of any class.
#[cold]
#[track_caller]
pub fn throw_class<T>(th: &Thread, class: ClassRef, message: Option<&str>) -> JResult<T> {
    let e = new_of(th, class, message)?;
    log(th, e);
    th.throw(e)
}
#[cold]
#[track_caller]
pub fn throw_no_msg<T>(th: &Thread, class: &str) -> JResult<T> {
    let e = new(th, class, None)?;
    log(th, e);
    th.throw(e)
}
/// Throws with a message and a cause.
#[cold]
#[track_caller]
pub fn throw_cause<T>(th: &Thread, class: &str, message: &str, cause: Obj) -> JResult<T> {
    let scope = handles::Scope::new(th);
    let cause = scope.handle(cause);
    let e = scope.handle(new(th, class, Some(message))?);
    if !cause.get().is_null() {
        call::call_virtual(
            th,
            e.get(),
            "initCause",
            "(Ljava/lang/Throwable;)Ljava/lang/Throwable;",
            &[cause.get().addr() as u64],
        )?;
    }
    log(th, e.get());
    th.throw(e.get())
}
/// Throws `class` constructed with (Throwable): ExceptionInInitializerError, InvocationTargetException.
#[cold]
pub fn throw_wrapped<T>(th: &Thread, class: &str, cause: Obj) -> JResult<T> {
    let scope = handles::Scope::new(th);
    let cause = scope.handle(cause);
    let c = loader::find_class(th, Symbol::from(class), loader::boot())?;
    init::initialize(th, c)?;
    let e = object::new_with(th, c, "(Ljava/lang/Throwable;)V", &[cause.get().addr() as u64])?;
    th.throw(e)
}
/// The pending exception is turned into a wrapper `class(cause)` unless it is an Error.
pub fn wrap_pending<T>(th: &Thread, class: &str) -> JResult<T> {
    let e = th.take_exception();
    if e.is_instance_of(known::classes().error) { th.throw(e) } else { throw_wrapped(th, class, e) }
}

/// If the pending exception is a ClassNotFoundException, a NoClassDefFoundError for `name` with it
/// as cause replaces it (JVMS 5.3).
pub fn not_found_to_no_def<T>(th: &Thread, name: Symbol) -> JResult<T> {
    let e = th.take_exception();
    if e.is_instance_of(known::classes().class_not_found_exception) {
        return throw_cause(th, "java/lang/NoClassDefFoundError", &name.as_str(), e);
    }
    th.throw(e)
}

#[track_caller]
fn log(th: &Thread, e: Obj) {
    if logged() {
        let (text, at) = (log_text(e), std::panic::Location::caller());
        let (file, line, addr, thread) = (at.file(), at.line(), e.addr(), std::ptr::from_ref(th) as usize);
        vm_log!(Exceptions, Info, "{text} (0x{addr:016x}) \nthrown [{file}, line {line}]\nfor thread 0x{thread:016x}");
    }
    if worth_noting() {
        note(th, e);
    }
}

/// Whether the log wants to know of exceptions.
pub fn logged() -> bool {
    concord_base::log::enabled(concord_base::log::Tag::Exceptions, concord_base::log::Level::Info)
}

/// From now on engines tell of the exceptions that Java code throws, if the log wants to know.
pub fn tell_log() {
    if logged() {
        frame::EVENTS.store(true, Ordering::Release);
    }
}

/// As HotSpot's log has it.
fn log_text(e: Obj) -> String {
    let m = e.get_ref(known::offsets().throwable_message);
    let message = if m.is_null() { String::new() } else { format!(": {}", strings::to_string(m)) };
    format!("Exception <a '{}'{{0x{:016x}}}{message}>", e.class().name, e.addr())
}

/// An exception that `m` throws, or gets from what it called.
pub fn log_thrown(th: &Thread, m: MethodRef, bci: u16, e: Obj) {
    let (text, thread, name) = (log_text(e), std::ptr::from_ref(th) as usize, thread_name(th));
    let at = std::ptr::from_ref(m) as usize;
    let method = format!("<{{method}} {{0x{at:016x}}} '{}' '{}' in '{}'>", m.name, m.descriptor, m.class.name);
    vm_log!(
        Exceptions,
        Info,
        "{text}\n thrown in interpreter method {method}\n at bci {bci} for thread 0x{thread:016x} ({name})"
    );
}

/// An exception that `m` handles at `bci`.
pub fn log_caught(m: MethodRef, bci: u16, e: Obj) {
    let (class, method) = (names::external(e.class()), &m.name);
    vm_log!(
        Exceptions,
        Info,
        "Found matching handler for exception of type \"{class}\" in method \"{method}\" at BCI: {bci}"
    );
}

/// Exceptions that are all noted among the recent events; of those behind them it is one per millisecond, as
/// a program may live by them.
const ALWAYS_NOTED: u64 = 1_000;

fn worth_noting() -> bool {
    static SEEN: AtomicU64 = AtomicU64::new(0);
    static LAST: AtomicU64 = AtomicU64::new(0);
    if SEEN.load(Ordering::Relaxed) < ALWAYS_NOTED {
        SEEN.fetch_add(1, Ordering::Relaxed);
        return true;
    }
    let now = concord_base::log::uptime().as_millis() as u64;
    now != LAST.load(Ordering::Relaxed) && LAST.swap(now, Ordering::Relaxed) != now
}

#[cold]
fn note(th: &Thread, e: Obj) {
    let (at, thread) = (e.addr(), std::ptr::from_ref(th) as usize);
    let text = format!("{} (0x{at:016x})", log_text(e));
    event_log::note(event_log::Kind::Exception, thread, text);
}

/// `java.lang.Error: message`, without running Java code.
pub fn describe(e: Obj) -> String {
    let name = names::external(e.class());
    let m = e.get_ref(known::offsets().throwable_message);
    if m.is_null() { name } else { format!("{name}: {}", strings::to_string(m)) }
}

/// The current thread's name, without running Java code.
pub fn thread_name(th: &Thread) -> String {
    let j = th.java_thread.get();
    if j.is_null() || !known::ready() {
        return String::from("?");
    }
    let n = j.get_ref(known::offsets().thread_name);
    if n.is_null() { String::from("?") } else { strings::to_string(n) }
}

/// Stops the boot with the pending exception's text: the class library is not up.
pub fn boot_failure(th: &Thread, what: &str) -> String {
    let e = th.take_exception();
    if e.is_null() {
        return what.to_string();
    }
    let mut text = format!("{what}: {}", if known::ready() { describe(e) } else { names::external(e.class()) });
    if known::ready() {
        let c = e.get_ref(known::offsets().throwable_cause);
        if !c.is_null() && c != e {
            text += &format!(" caused by {}", describe(c));
        }
    }
    text
}

/// For use with `?` in functions that give `Result<_, String>` during boot.
pub fn boot_check<T>(th: &Thread, r: JResult<T>, what: &str) -> Result<T, String> {
    r.map_err(|Thrown| boot_failure(th, what))
}
