//! The rows that engines call, and what needs no room of its own.
use crate::events::{self, Event};
use crate::info::ClassExt;
use crate::{allocations, arrays, call, exceptions, init, known, methodhandles, names, object, resolve, sync, vtable};
use concord_base::Symbol;
use concord_classfile::Constant;
use concord_contract::entries::{ExceptionEvent, Forced, Implicit, RuntimeEntries, tiers};
use concord_contract::frame::Frame;
use concord_contract::method::{acc, mflags};
use concord_contract::thread::{HEAT_PERIOD, poll};
use concord_contract::{BasicType, CallSite, ClassRef, JResult, MethodRef, Obj, Thread};
use std::sync::atomic::Ordering;

/// The rows of this runtime.
pub fn table() -> RuntimeEntries {
    RuntimeEntries {
        resolve_field: resolve::field_at,
        fill_static: |_, m, i, f| resolve::fill_static(m, i, f),
        resolve_call: resolve::call_at,
        resolve_indy: |th, m, i, site| allocations::after(th, methodhandles::resolve_indy(th, m, i, site)),
        resolve_class: |th, m, i| resolve::class_at(th, m.class, i),
        resolve_array_of: |th, m, i| resolve::array_of(th, m.class, i),
        resolve_constant: |th, m, i| allocations::after(th, methodhandles::resolve_constant(th, m, i)),
        initialize: init::initialize,
        new_instance: |th, class| allocations::after_object(th, new_instance(th, class)),
        new_array: |th, class, len| allocations::after_object(th, arrays::new_local_array(th, class, len)),
        primitive_array_class: |_, t| arrays::primitive_array(t),
        multi_new_array: |th, class, dims| allocations::after_object(th, arrays::multi_new(th, class, dims)),
        throw_implicit: |th, what| allocations::after(th, throw_implicit(th, what)),
        throw_array_index: |th, index, len| {
            let text = format!("Index {index} out of bounds for length {len}");
            allocations::after(th, exceptions::throw(th, "java/lang/ArrayIndexOutOfBoundsException", &text))
        },
        throw_class_cast: |th, o, class| {
            let c = o.class();
            let text = format!(
                "class {} cannot be cast to class {} ({})",
                names::external(c),
                names::external(class),
                names::locations(th, c, class)
            );
            allocations::after(th, exceptions::throw(th, "java/lang/ClassCastException", &text))
        },
        throw_array_store: |th, _, value| {
            let text = names::external(value.class());
            allocations::after(th, exceptions::throw(th, "java/lang/ArrayStoreException", &text))
        },
        throw_abstract: |th, m, receiver| allocations::after(th, throw_abstract(th, m, receiver)),
        monitor_enter: sync::enter_row,
        monitor_exit: sync::exit,
        safepoint,
        safepoint_between,
        forced,
        call_native: crate::native::call_native,
        register_finalizer,
        heat_overflow: |th, m, bci| {
            m.heat.fetch_add(HEAT_PERIOD.load(Ordering::Relaxed) as u64, Ordering::Relaxed);
            tiers().and_then(|t| t.hot(th, m, bci))
        },
        prepare_code: |th, m| init::link(th, m.class),
        numeric_constant,
        store_ref: |th, target, offset, value| {
            concord_heap::publish_value(th, target, value);
            concord_heap::store_ref(target, offset, value)
        },
        exception_event,
        trace_bytecode,
    }
}

fn new_instance(th: &Thread, class: ClassRef) -> JResult<Obj> {
    if class.is_abstract() || class.is_interface() || class.is_array() {
        return exceptions::throw(th, "java/lang/InstantiationError", &names::external(class));
    }
    object::new_local(th, class)
}

fn throw_implicit(th: &Thread, what: Implicit) -> JResult<()> {
    match what {
        // The message is computed when somebody asks for it (JEP 358).
        Implicit::NullPointer => match executed_overpass(th) {
            None => exceptions::throw_no_msg(th, "java/lang/NullPointerException"),
            Some(m) if vtable::conflicts(m.class, m.name, m.descriptor) => throw_conflict(th, m.class, m),
            Some(m) => {
                let what = format!("Method {}.{}{} is abstract", m.class.name, m.name, m.descriptor);
                exceptions::throw(th, "java/lang/AbstractMethodError", &what)
            }
        },
        Implicit::DivByZero => exceptions::throw(th, "java/lang/ArithmeticException", "/ by zero"),
        Implicit::StackOverflow => exceptions::throw_no_msg(th, "java/lang/StackOverflowError"),
        Implicit::IllegalMonitorState => exceptions::throw_no_msg(th, "java/lang/IllegalMonitorStateException"),
        Implicit::AbstractMethod => exceptions::throw_no_msg(th, "java/lang/AbstractMethodError"),
        Implicit::IncompatibleClassChange => throw_not_implemented(th),
    }
}

/// The error of a call of `m`, which stands for several defaults of `class`.
fn throw_conflict(th: &Thread, class: ClassRef, m: MethodRef) -> JResult<()> {
    let all = vtable::interface_methods(class, m.name, m.descriptor);
    let names: Vec<String> = all.iter().map(|d| format!("{}.{}", d.class.name, d.name)).collect();
    let text = format!("Conflicting default methods: {}", names.join(" "));
    exceptions::throw(th, "java/lang/IncompatibleClassChangeError", &text)
}

/// The innermost frame's method if it stands for an abstract one (`define::overpass`).
fn executed_overpass(th: &Thread) -> Option<MethodRef> {
    Frame::innermost(th)?.method().filter(|m| m.has(mflags::OVERPASS))
}

/// A call in or of an interface whose receiver does not implement it.
fn throw_not_implemented(th: &Thread) -> JResult<()> {
    let icce = "java/lang/IncompatibleClassChangeError";
    let receiver = |slots: usize| {
        // SAFETY: the receiver lies below the other arguments at the stack top.
        names::external(unsafe { Obj::from_addr(*th.sp.get().sub(slots) as usize) }.class())
    };
    if let Some(site) = interface_call(th) {
        // SAFETY: records hold null or classes, which live as long as they do.
        let wanted = unsafe { site.requested.as_ref() }.unwrap_or(site.method.class);
        let class = receiver(site.nargs_bytes as usize / 8);
        let text = format!("Class {class} does not implement the requested interface {}", names::external(wanted));
        return exceptions::throw(th, icce, &text);
    }
    let Some((from, slots)) = special_call(th) else { return exceptions::throw_no_msg(th, icce) };
    let text = format!(
        "Receiver class {} must be the current class or a subtype of interface {}",
        receiver(slots),
        names::external(from)
    );
    exceptions::throw(th, "java/lang/IllegalAccessError", &text)
}

/// Opcode, method and constant of the call that the innermost frame executes.
fn executed_call(th: &Thread) -> Option<(u8, MethodRef, u16)> {
    let mut f = Frame::innermost(th)?;
    if f.is_entry() {
        // The caller may be compiled; the VM itself has no interface call in its last frame.
        f = f.caller().filter(|c| c.is_compiled())?;
    }
    let m = f.method()?;
    let bci = crate::stackwalk::bci_of(m, &f) as usize;
    let cp = u16::from_be_bytes([*m.bytecode.get(bci + 1)?, *m.bytecode.get(bci + 2)?]);
    Some((*m.bytecode.get(bci)?, m, cp))
}

/// The class whose code the innermost frame executes, at an invokespecial, and the slots of its arguments.
fn special_call(th: &Thread) -> Option<(ClassRef, usize)> {
    let (_, m, cp) = executed_call(th).filter(|c| c.0 == 183)?;
    let nat = m.class.info().constants().ref_name_and_type(cp);
    let (params, _) = crate::define::parse_descriptor(Symbol::intern(nat.desc));
    Some((resolve::current(m.class), 1 + params.iter().map(|t| t.slots()).sum::<usize>()))
}

/// The record of the invokeinterface that the innermost frame executes.
fn interface_call(th: &Thread) -> Option<&'static CallSite> {
    let (_, m, cp) = executed_call(th).filter(|c| c.0 == 185)?;
    let a = resolve::entry(m.class, cp).a.load(Ordering::Acquire) as *const CallSite;
    // SAFETY: the entry of a resolved call holds its record.
    unsafe { a.as_ref() }
}

/// A call of a method that a redefinition has deleted reads as one that was not resolved before.
fn throw_deleted(th: &Thread, m: MethodRef) -> JResult<()> {
    let named = executed_call(th).and_then(|(opcode, from, cp)| {
        let constants = from.class.info().constants();
        let is_it = matches!(opcode, 182..=185) && constants.ref_name_and_type(cp).name == m.name.as_bytes();
        is_it.then(|| resolve::class_at_if_loaded(from.class, constants.member_class(cp))).flatten()
    });
    let what = names::method_ref(named.unwrap_or(m.class), &m.name.as_str(), m.descriptor.as_bytes());
    exceptions::throw(th, "java/lang/NoSuchMethodError", &format!("'{what}'"))
}

fn throw_abstract(th: &Thread, m: MethodRef, receiver: Obj) -> JResult<()> {
    if m.is_deleted() {
        return throw_deleted(th, m);
    }
    let class = if receiver.is_null() { m.class } else { receiver.class() };
    if m.has(mflags::NOT_PUBLIC) {
        return exceptions::throw_no_msg(th, "java/lang/IllegalAccessError");
    }
    // An interface call is told by the method that it resolved to.
    let site = interface_call(th);
    let m = site.map_or(m, |s| s.method);
    if site.is_none() && m.has(mflags::DEFAULT_CONFLICT) {
        return throw_conflict(th, class, m);
    }
    let (ret, params) = names::signature(m.descriptor.as_bytes());
    let mods = if m.has(acc::ABSTRACT) { "abstract " } else { "" };
    let kind = if m.class.is_interface() {
        "interface"
    } else if m.class.is_abstract() {
        "abstract class"
    } else {
        "class"
    };
    exceptions::throw(
        th,
        "java/lang/AbstractMethodError",
        &format!(
            "Receiver class {} does not define or inherit an implementation of the resolved method '{mods}{ret} {}({params})' of {kind} {}.",
            names::external(class),
            m.name,
            names::external(m.class)
        ),
    )
}

/// Whatever waits for the thread at its next poll.
pub fn safepoint(th: &Thread) -> JResult<()> {
    concord_safepoint::poll(th);
    let bits = th.poll.load(Ordering::Acquire);
    if bits & poll::SUSPEND != 0 {
        crate::threads::suspend_self(th);
    }
    if bits & poll::ASYNC_EXCEPTION != 0 {
        return crate::threads::deliver_async(th);
    }
    Ok(())
}

/// The thread is where a tool can force something on its innermost frame.
fn forcible<T>(th: &Thread, f: impl FnOnce() -> T) -> T {
    let flag = &crate::threads::info(th).forcible;
    let before = flag.swap(true, Ordering::AcqRel);
    let r = f();
    flag.store(before, Ordering::Release);
    r
}
fn safepoint_between(th: &Thread) -> JResult<()> {
    forcible(th, || safepoint(th))
}
fn forced(th: &Thread) -> Forced {
    concord_safepoint::clear_poll(th, poll::FORCED);
    events::any_listener().map_or(Forced::Nothing, |l| l.forced(th))
}

fn register_finalizer(th: &Thread, o: Obj) -> JResult<()> {
    if !object::is_finalizable(o.class()) {
        return Ok(());
    }
    init::initialize(th, known::classes().finalizer)?;
    call::invoke(th, known::methods().finalizer_register, &[o.addr() as u64]).map(|_| ())
}

fn numeric_constant(_th: &Thread, m: MethodRef, cp: u16) -> Option<(BasicType, u64)> {
    Some(match m.class.info().constants().get(cp)? {
        Constant::Integer(v) => (BasicType::Int, *v as u32 as u64),
        Constant::Float(v) => (BasicType::Float, *v as u64),
        Constant::Long(v) => (BasicType::Long, *v as u64),
        Constant::Double(v) => (BasicType::Double, *v),
        _ => return None,
    })
}

fn exception_event(th: &Thread, what: ExceptionEvent, e: Obj) {
    let Some(f) = Frame::innermost(th) else { return };
    let Some(m) = f.method() else { return };
    let bci = crate::stackwalk::bci_of(m, &f);
    if exceptions::logged() {
        match what {
            ExceptionEvent::Thrown => exceptions::log_thrown(th, m, bci, e),
            ExceptionEvent::Caught => exceptions::log_caught(m, bci, e),
            ExceptionEvent::FrameLeft => {}
        }
    }
    let Some(l) = events::any_listener() else { return };
    match what {
        ExceptionEvent::Thrown if events::wanted(Event::Exception) => l.exception(th, m, bci, e, None),
        ExceptionEvent::Caught if events::wanted(Event::ExceptionCatch) => l.exception_catch(th, m, bci, e),
        ExceptionEvent::FrameLeft => l.frame_unwound(th, m),
        _ => {}
    }
}

/// An instruction that reports itself.
fn trace_bytecode(th: &Thread, m: MethodRef, bci: u16, opcode: u8) {
    if let Some(l) = events::any_listener() {
        forcible(th, || l.instruction(th, m, bci, opcode));
    }
    let name = concord_classfile::opcodes::info(opcode).map_or("?", |i| i.name);
    concord_base::vm_log!(Interpreter, Trace, "[{}] {} {bci} {name}", th.id.get(), names::method(m));
}
