//! Linking and initialization (JVMS 5.4, 5.5).
//!
//! Invariant: `<clinit>` of a class runs at most once, in one thread, after its superclass's; any
//! other thread that needs the class waits; the class is `Initialized` only after it returned.
//!
//! | state | who may change it |
//! |---|---|
//! | Loaded -> Linked | any thread, under the class's init lock row in `linking` |
//! | Linked -> BeingInitialized | the first thread that initializes |
//! | BeingInitialized -> Initialized, Erroneous | that thread |
use crate::events::{self, Event};
use crate::fields::Places;
use crate::info::{ClassExt, FIELD_INJECTED, FieldInfo};
use crate::{
    blocking, call, constraints, exceptions, fields, handles, known, names, relaxed, roots, strings, threads, verify,
    vtable,
};
use concord_base::{bug, vm_log};
use concord_classfile::Constant;
use concord_contract::class::{Root, flags};
use concord_contract::layout::{self, LayoutKind};
use concord_contract::method::{CpEntry, acc};
use concord_contract::object::HEADER_BYTES;
use concord_contract::{BasicType, Class, ClassRef, ClassState, JResult, Obj, Thread, Thrown};
use std::sync::atomic::Ordering;

/// Links a class: its supers first, then verification, preparation, method tables.
///
/// # Errors
/// VerifyError, NoClassDefFoundError of a class that verification needs, OutOfMemoryError.
pub fn link(th: &Thread, class: ClassRef) -> JResult<()> {
    if class.state() >= ClassState::Linked {
        return Ok(());
    }
    if !class.is_instance_class() {
        class.state.store(ClassState::Linked as u8, Ordering::Release);
        return Ok(());
    }
    threads::room_to_recurse(th)?;
    if let Some(s) = class.super_class {
        link(th, s)?;
    }
    for i in class.info().interfaces.iter() {
        link(th, i)?;
    }
    // Verification may load classes (Java code runs), so no lock is held: two threads may verify
    // the same class, one prepares it.
    verify::verify(th, class)?;
    relaxed::before_link(th, class)?;
    crate::compile_env::hierarchy::enter(class);
    prepare(th, class)
}

fn prepare(th: &Thread, class: ClassRef) -> JResult<()> {
    if !class.is_interface() {
        vtable::build_itable(class);
    }
    constraints::check_tables(th, class)?;
    // No instance exists and no method has run: the last moment to take back what relied on that.
    if let Some(t) = concord_contract::entries::tiers() {
        t.class_published(class);
    }
    let statics = new_statics(th, class)?;
    let info = class.info();
    let one = info.init.lock.lock().expect("init lock");
    if class.state() >= ClassState::Linked {
        return Ok(());
    }
    let n = info.cache_len();
    // SAFETY: all-zero bytes are unresolved entries.
    let cache: Box<[CpEntry]> = unsafe { Box::<[CpEntry]>::new_zeroed_slice(n).assume_init() };
    class.cp_cache.store(Box::leak(cache).as_mut_ptr(), Ordering::Release);
    crate::metaspace::linked(class, n);
    if let Some(s) = statics {
        class.statics.set(s);
        info.statics_layout.store(s.layout_id(), Ordering::Relaxed);
        crate::unload::own_statics(class, s.layout_id());
    }
    class.state.store(ClassState::Linked as u8, Ordering::Release);
    drop(one);
    if let Some(l) = events::listener(Event::ClassPrepare) {
        l.class_prepare(th, class);
    }
    Ok(())
}

/// The object that holds the static fields (C13), with constant values of primitive type in place.
fn new_statics(th: &Thread, class: ClassRef) -> JResult<Option<Obj>> {
    let all = class.declared_fields();
    let places = fields::of_statics(all, FieldInfo::is_apart);
    if places.end as usize == HEADER_BYTES {
        return Ok(None);
    }
    let id = statics_id(class, &places);
    let Some(o) = concord_heap::alloc_with_layout(th, id, layout::get(id).size as usize) else {
        return crate::oom::throw(th, "Java heap space");
    };
    for f in all.iter().filter(|f| f.is_static() && f.constant_value != 0) {
        let at = f.offset() as usize;
        match class.info().constants().get(f.constant_value) {
            Some(Constant::Integer(v)) => match f.ty {
                BasicType::Boolean => o.put_i8(at, (*v & 1) as i8),
                BasicType::Byte => o.put_i8(at, *v as i8),
                BasicType::Char | BasicType::Short => o.put_i16(at, *v as i16),
                _ => o.put_i32(at, *v),
            },
            Some(Constant::Float(v)) => o.put_u32(at, *v),
            Some(Constant::Long(v)) => o.put_i64(at, *v),
            Some(Constant::Double(v)) => o.put_u64(at, *v),
            _ => {}
        }
    }
    Ok(Some(o))
}

/// A row of the layout table for the object that holds the static fields of the class at these places.
pub(crate) fn statics_id(class: ClassRef, places: &Places) -> u32 {
    let fields = class.declared_fields().iter().zip(&places.offsets);
    let refs: Vec<u32> = fields.filter(|(f, _)| f.is_static() && f.ty.is_ref()).filter_map(|(_, at)| *at).collect();
    let id = layout::new_id();
    // To whom it shows (staticFieldBase), it is an Object.
    layout::set(id, fields::layout(places.end, &refs, LayoutKind::Instance), known_object(class));
    id
}

fn known_object(class: ClassRef) -> ClassRef {
    let mut c = class;
    while let Some(s) = c.super_class {
        c = s;
    }
    c
}

/// Strings of ConstantValue attributes; after linking, before `<clinit>`.
fn string_constants(th: &Thread, class: ClassRef) -> JResult<()> {
    for f in class.declared_fields().iter().filter(|f| f.is_static() && f.constant_value != 0) {
        if let Some(Constant::String(u)) = class.info().constants().get(f.constant_value) {
            let s = strings::intern_mutf8(th, class.info().constants().utf8(*u))?;
            concord_heap::store_ref(class.statics.get(), f.offset() as usize, s);
        }
    }
    Ok(())
}

/// Initializes a class (JVMS 5.5, the twelve steps).
///
/// # Errors
/// ExceptionInInitializerError, NoClassDefFoundError for an erroneous class, what linking throws.
pub fn initialize(th: &Thread, class: ClassRef) -> JResult<()> {
    let me = th as *const Thread as *mut Thread;
    // Nobody else makes this thread the one that initializes the class, or changes that.
    if class.is_initialized() || class.init_thread.load(Ordering::Relaxed) == me {
        return Ok(());
    }
    threads::room_to_recurse(th)?;
    link(th, class)?;
    if !class.is_instance_class() {
        class.state.store(ClassState::Initialized as u8, Ordering::Release);
        return Ok(());
    }
    let info = class.info();
    loop {
        let guard = info.init.lock.lock().expect("init lock");
        match class.state() {
            ClassState::Initialized => return Ok(()),
            ClassState::BeingInitialized if class.init_thread.load(Ordering::Acquire) == me => return Ok(()),
            ClassState::BeingInitialized => {
                drop(guard);
                let told = &threads::info(th).initializes;
                told.store(std::ptr::from_ref(class).cast_mut(), Ordering::Release);
                blocking(th, || {
                    let mut g = info.init.lock.lock().expect("init lock");
                    while class.state() == ClassState::BeingInitialized {
                        g = info.init.changed.wait(g).expect("init lock");
                    }
                });
                told.store(std::ptr::null_mut(), Ordering::Release);
            }
            ClassState::Erroneous => {
                drop(guard);
                return throw_erroneous(th, class);
            }
            ClassState::Loaded | ClassState::Linked => {
                class.init_thread.store(me, Ordering::Release);
                class.state.store(ClassState::BeingInitialized as u8, Ordering::Release);
                break;
            }
        }
    }
    let r = run(th, class);
    match r {
        Ok(()) => {
            finish(class, ClassState::Initialized);
            Ok(())
        }
        Err(Thrown) => {
            let scope = handles::Scope::new(th);
            let e = scope.handle(th.take_exception());
            let is_error = e.get().is_instance_of(known::classes().error);
            let cause = later_cause(th, class, e.get());
            *info.init_error.lock().expect("init error") = cause;
            let thrown = if is_error {
                th.throw::<()>(e.get())
            } else {
                exceptions::throw_wrapped(th, "java/lang/ExceptionInInitializerError", e.get())
            };
            finish(class, ClassState::Erroneous);
            thrown
        }
    }
}

/// What later NoClassDefFoundErrors of the class name as their cause: it tells of `e`, with its frames, and of the thread.
/// None if there is no memory for it.
fn later_cause(th: &Thread, class: ClassRef, e: Obj) -> Option<&'static Root> {
    let scope = handles::Scope::new(th);
    let e = scope.handle(e);
    let text = format!("Exception {} [in thread \"{}\"]", exceptions::describe(e.get()), exceptions::thread_name(th));
    let make = || -> JResult<&'static Root> {
        let cause = scope.handle(exceptions::new(th, "java/lang/ExceptionInInitializerError", Some(&text))?);
        let o = known::offsets();
        let desc = "(Ljava/lang/Throwable;I)[Ljava/lang/StackTraceElement;";
        let args = [e.get().addr() as u64, e.get().get_i32(o.throwable_depth) as u32 as u64];
        let frames = call::call_static(th, "java/lang/StackTraceElement", "of", desc, &args)?;
        // SAFETY: the descriptor promises an array.
        let frames = unsafe { Obj::from_addr(frames as usize) };
        concord_heap::store_ref(cause.get(), o.throwable_stack_trace, frames);
        concord_heap::store_ref(cause.get(), o.throwable_backtrace, Obj::NULL);
        Ok(roots::new_root_of(class, cause.get()))
    };
    match make() {
        Ok(root) => Some(root),
        Err(Thrown) => {
            let no_memory = th.take_exception();
            vm_log!(ClassInit, Info, "no cause is kept: {}", exceptions::describe(no_memory));
            None
        }
    }
}

fn run(th: &Thread, class: ClassRef) -> JResult<()> {
    vm_log!(ClassInit, Info, "Initializing {} by thread {}", names::external(class), th.id.get());
    string_constants(th, class)?;
    if !class.is_interface() {
        if let Some(s) = class.super_class {
            initialize(th, s)?;
        }
        if class.has_flag(flags::HAS_DEFAULTS) {
            init_default_interfaces(th, class)?;
        }
    }
    // Before version 51 other methods may have that name, and the initializer need not be static.
    let old = class.info().file.major < 51;
    let mut methods = class.declared_methods().iter();
    let clinit = methods.find(|m| m.is_clinit() && m.descriptor == "()V" && (m.is_static() || old));
    if let Some(m) = clinit {
        call::invoke(th, m, &[])?;
    }
    Ok(())
}

/// Superinterfaces that declare a non-abstract, non-static method are initialized, in the
/// recursive order of JVMS 5.5 step 7.
fn init_default_interfaces(th: &Thread, class: ClassRef) -> JResult<()> {
    for i in class.info().interfaces.iter() {
        init_default_interfaces(th, i)?;
        if i.declared_methods().iter().any(|m| !m.is_abstract() && !m.is_static()) {
            initialize(th, i)?;
        }
    }
    Ok(())
}

fn finish(class: &Class, state: ClassState) {
    let info = class.info();
    let _guard = info.init.lock.lock().expect("init lock");
    class.init_thread.store(std::ptr::null_mut(), Ordering::Release);
    class.state.store(state as u8, Ordering::Release);
    info.init.changed.notify_all();
}

fn throw_erroneous(th: &Thread, class: ClassRef) -> JResult<()> {
    let cause = *class.info().init_error.lock().expect("init error");
    let message = format!("Could not initialize class {}", names::external(class));
    match cause {
        Some(root) => exceptions::throw_cause(th, "java/lang/NoClassDefFoundError", &message, root.get()),
        None => exceptions::throw(th, "java/lang/NoClassDefFoundError", &message),
    }
}

/// Gives the natives that the VM supplies to a boot class under construction.
pub fn bind_vm_natives(class: ClassRef) {
    if !class.has_flag(flags::BOOT) {
        return;
    }
    for m in class.declared_methods().iter().filter(|m| m.has(acc::NATIVE)) {
        let f = crate::methodhandles::vm_native(class.name, m.name)
            .or_else(|| crate::vm_natives::lookup(class.name, m.name, m.descriptor));
        if let Some(f) = f {
            m.set_vm_native(f);
        }
    }
    debug_assert!(class.declared_fields().iter().all(|f| f.flags & FIELD_INJECTED == 0 || !f.is_static()));
    if class.vtable_len() > u16::MAX as usize * 4 {
        bug!("vtable of {} has {} entries", class.name, class.vtable_len());
    }
}
