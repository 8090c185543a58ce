//! New versions of loaded classes: method bodies and attributes, nothing else (JVMTI RedefineClasses).
//!
//! Invariant: a [`Method`] keeps its address for ever, so call sites, tables, handles and ids stay
//! valid; its body is replaced while the world is stopped. A frame that runs the old body goes on with it:
//! its header then names an *old method*, a copy made at the stop, whose class is an *old class*, a
//! copy with the old constant pool and cache. Both are never freed.
//!
//! ```text
//!   call site, vtable ... -> Method --class--> Class --info--> new file, new cache
//!   old frame ------------> copy ----class--> copy ---info--> old file, old cache, version_of = Class
//! ```
//!
//! What is refused is what HotSpot refuses: other methods, fields, supers, modifiers, nest, record
//! or permitted subclasses.
use crate::info::{ClassExt, ClassInfo, FIELD_INJECTED, FieldInfo, MethodExt, MethodInfo, Owned};
use crate::native::prefixes;
use crate::{define, exceptions, known, metaspace, roots, stackwalk, verify};
use concord_base::{Symbol, event_log, vm_log};
use concord_classfile as cf;
use concord_contract::class::{ClassState, flags};
use concord_contract::entries::{engine, tiers};
use concord_contract::frame::{self, Frame, frames};
use concord_contract::method::{CpEntry, ExceptionRow, MhIntrinsic, acc, mflags};
use concord_contract::thread::poll;
use concord_contract::{Class, ClassRef, Method, MethodRef, Thread};
use concord_safepoint::Stopped;
use std::collections::HashMap;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// How long a redefinition waits for threads that resolve constants of an old version: what they have looked up is
/// in their hands.
const PATIENCE: Duration = Duration::from_secs(3);

/// Why a redefinition is refused; the values are the tool interface's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Refusal {
    /// Its initialization has failed.
    InvalidClass = 21,
    InvalidClassFormat = 60,
    CircularClassDefinition = 61,
    FailsVerification = 62,
    MethodAdded = 63,
    SchemaChanged = 64,
    HierarchyChanged = 66,
    MethodDeleted = 67,
    UnsupportedVersion = 68,
    NamesDontMatch = 69,
    ClassModifiersChanged = 70,
    MethodModifiersChanged = 71,
    ClassAttributeChanged = 72,
    Unmodifiable = 79,
    OutOfMemory = 110,
    Internal = 113,
}

/// One class to change.
pub struct Change {
    pub class: ClassRef,
    pub bytes: &'static [u8],
    /// What agents that are asked again will start from, if it is not `bytes`.
    pub original: Option<&'static [u8]>,
}

/// Whether a class can be redefined at all.
pub fn is_modifiable(class: ClassRef) -> bool {
    class.is_instance_class() && !class.is_hidden()
}

/// One redefinition at a time.
static ONE: Mutex<()> = Mutex::new(());

type File = &'static cf::ClassFile<'static>;

/// Replaces the bodies of all classes at once, or of none.
///
/// # Errors
/// The first refusal.
pub fn redefine(th: &Thread, changes: &[Change]) -> Result<(), Refusal> {
    let mut ready = Vec::with_capacity(changes.len());
    for c in changes {
        if !is_modifiable(c.class) {
            return Err(Refusal::Unmodifiable);
        }
        ready.push((c, check(th, c)?));
    }
    let _one = crate::blocking(th, || ONE.lock().expect("redefinition"));
    // A thread in the middle of resolving a constant of an old version is given time to finish.
    let begun = std::time::Instant::now();
    while begun.elapsed() < PATIENCE {
        let classes: Vec<ClassRef> = changes.iter().map(|c| c.class).collect();
        let busy = concord_safepoint::stop_the_world("RedefineClasses", |stopped| {
            if is_resolving(stopped, th, &classes) {
                return true;
            }
            replace_all(stopped, &ready);
            false
        });
        if !busy {
            return Ok(());
        }
        crate::blocking(th, || std::thread::sleep(Duration::from_millis(1)));
    }
    concord_safepoint::stop_the_world("RedefineClasses", |stopped| replace_all(stopped, &ready));
    Ok(())
}

/// Whether another thread resolves a constant for an instruction of one of the classes, in the VM or by Java code.
fn is_resolving(stopped: &Stopped, me: &Thread, classes: &[ClassRef]) -> bool {
    stopped.threads().filter(|t| !std::ptr::eq(*t, me)).any(|t| {
        // A debugger stops threads before their instructions, and waits for us.
        let suspended = t.poll.load(Ordering::Acquire) & poll::SUSPEND != 0;
        let mut inner_is_entry = false;
        for (i, f) in frames(t).enumerate() {
            if let Some(m) = f.method()
                && !m.bytecode.is_empty()
                && classes.contains(&m.class)
                && (inner_is_entry || i == 0 && !suspended && may_resolve(m, &f))
            {
                return true;
            }
            inner_is_entry = f.is_entry();
        }
        false
    })
}

/// Whether the innermost frame is at an instruction that may be resolving its constant, in the VM.
fn may_resolve(m: MethodRef, f: &Frame) -> bool {
    let opcode = m.bytecode[stackwalk::bci_of(m, f) as usize];
    !f.is_compiled() && matches!(opcode, 18..=20 | 178..=187 | 189 | 192 | 193 | 197)
}

/// The exception that parsing or verifying left, as a refusal.
fn refusal(th: &Thread) -> Refusal {
    let e = th.take_exception();
    let name = e.class().name.as_str();
    vm_log!(ClassLoad, Info, "redefinition refused: {}", exceptions::describe(e));
    match &*name {
        "java/lang/UnsupportedClassVersionError" => Refusal::UnsupportedVersion,
        "java/lang/ClassFormatError" => Refusal::InvalidClassFormat,
        "java/lang/ClassCircularityError" => Refusal::CircularClassDefinition,
        "java/lang/NoClassDefFoundError" => Refusal::NamesDontMatch,
        "java/lang/VerifyError" => Refusal::FailsVerification,
        "java/lang/OutOfMemoryError" => Refusal::OutOfMemory,
        _ => Refusal::Internal,
    }
}

/// Parses, compares and verifies a new version.
fn check(th: &Thread, c: &Change) -> Result<File, Refusal> {
    let (class, info) = (c.class, c.class.info());
    let opts = cf::ParseOptions {
        trusted: info.loader.is_boot(),
        vm_annotations: info.loader.is_builtin(),
        name: Some(info.self_name.as_bytes()),
        enable_preview: concord_base::options::get().enable_preview,
        ..Default::default()
    };
    let file: File = match cf::parse(c.bytes, &opts) {
        Ok(f) => Box::leak(Box::new(f)),
        Err(e) => {
            let _thrown: Result<(), _> = exceptions::throw(th, e.kind.class_name(), &e.message);
            return Err(refusal(th));
        }
    };
    if file.name() != info.self_name.as_bytes() {
        return Err(Refusal::NamesDontMatch);
    }
    compare(class, file)?;
    verify::verify_file(th, class, file).map_err(|_| refusal(th))?;
    Ok(file)
}

fn names(f: &cf::ClassFile<'static>, list: impl Iterator<Item = u16>) -> Vec<&'static [u8]> {
    let mut v: Vec<_> = list.map(|i| f.constants.class_name(i)).collect();
    v.sort_unstable();
    v
}

/// Refuses what cannot change.
fn compare(class: ClassRef, new: File) -> Result<(), Refusal> {
    if class.state() == ClassState::Erroneous {
        return Err(Refusal::InvalidClass);
    }
    let old = class.info().file;
    let super_name = |f: File| (f.super_class != 0).then(|| f.constants.class_name(f.super_class));
    let interfaces = |f: File| f.interfaces.iter().map(|i| f.constants.class_name(*i)).collect::<Vec<_>>();
    if super_name(old) != super_name(new) || interfaces(old) != interfaces(new) {
        return Err(Refusal::HierarchyChanged);
    }
    let host = |f: File| f.nest_host.map(|i| f.constants.class_name(i));
    let members = |f: File| names(f, f.nest_members.iter());
    let permitted = |f: File| f.permitted_subclasses.as_ref().map(|p| names(f, p.iter()));
    let utf8 = |f: File, i: u16| f.constants.utf8(i);
    let record = |f: File| {
        let all = f.record.as_ref()?;
        let signature = |i: Option<u16>| i.map(|i| utf8(f, i));
        Some(all.iter().map(|r| (utf8(f, r.name), utf8(f, r.desc), signature(r.signature))).collect::<Vec<_>>())
    };
    if host(old) != host(new)
        || members(old) != members(new)
        || permitted(old) != permitted(new)
        || record(old) != record(new)
    {
        return Err(Refusal::ClassAttributeChanged);
    }
    if old.access_flags != new.access_flags {
        return Err(Refusal::ClassModifiersChanged);
    }
    let fields = |f: File| f.fields.iter().map(|d| (utf8(f, d.name), utf8(f, d.desc), d.access)).collect::<Vec<_>>();
    if fields(old) != fields(new) {
        return Err(Refusal::SchemaChanged);
    }
    let key = |f: File, m: &cf::MethodInfo<'static>| (utf8(f, m.name), utf8(f, m.desc));
    for m in &new.methods {
        match old.methods.iter().find(|o| key(old, o) == key(new, m)) {
            None if may_be_added(m) => {}
            None => return Err(Refusal::MethodAdded),
            // A native method may get a body, and the other way round.
            Some(o) if u32::from(o.access ^ m.access) & !acc::NATIVE != 0 => {
                return Err(Refusal::MethodModifiersChanged);
            }
            Some(_) => {}
        }
    }
    if old.methods.iter().any(|o| !new.methods.iter().any(|m| key(old, o) == key(new, m))) {
        return Err(Refusal::MethodDeleted);
    }
    Ok(())
}

/// Whether `-XX:+AllowRedefinitionToAddDeleteMethods` lets a new version have a method that the old one has not. Unlike
/// HotSpot's it lets none be deleted.
fn may_be_added(m: &cf::MethodInfo<'static>) -> bool {
    let access = u32::from(m.access);
    concord_base::options::get().flags.allow_redefinition_to_add_delete_methods
        && access & acc::PRIVATE != 0
        && access & (acc::STATIC | acc::FINAL) != 0
}

/// Replaces bodies; the world is stopped, and compilers, which are not, are shut out until all of it
/// is done.
fn replace_all(stopped: &Stopped, ready: &[(&Change, File)]) {
    let mut all = || ready.iter().for_each(|(c, file)| replace(stopped, c, file));
    match tiers() {
        Some(t) => t.while_none_compiles(&mut all),
        None => all(),
    }
}

fn replace(stopped: &Stopped, change: &Change, file: File) {
    let class = change.class;
    let mut olds = Olds { class, copy: None, methods: HashMap::new() };
    for t in stopped.threads() {
        for f in frames(t) {
            if f.is_compiled() {
                continue;
            }
            if let Some(m) = f.method().filter(|m| m.class == class && !m.bytecode.is_empty()) {
                let old = olds.of(m);
                // SAFETY: the thread is stopped; a frame's header lies below its fp.
                unsafe { *f.fp.sub(frame::METHOD) = std::ptr::from_ref(old) as u64 };
            }
        }
    }
    if let Some(t) = tiers() {
        for m in class.declared_methods().iter().copied().filter(|m| !m.bytecode.is_empty()) {
            t.redefined(m, &mut || olds.of(m));
        }
    }
    let old_info = class.info();
    let (sites, cache_len) = define::indy_sites(file);
    // In the old order, new ones behind: reflection's objects name a method by its place.
    let mut methods = old_info.methods.to_vec();
    let mut bodies = Vec::new();
    for (parsed, sites) in file.methods.iter().zip(sites) {
        let parsed: &'static cf::MethodInfo<'static> = parsed;
        let sites: &'static [(u16, u16)] = Box::leak(sites.into_boxed_slice());
        let symbol = |i: u16| Symbol::intern(file.constants.utf8(i));
        let (name, descriptor) = (symbol(parsed.name), symbol(parsed.desc));
        match class.declared_method(name, descriptor) {
            Some(m) => bodies.push((m, parsed, sites)),
            None => methods.push(added(class, (name, descriptor), parsed, sites, methods.len())),
        }
    }
    for (m, parsed, sites) in bodies {
        new_body(m, parsed, sites);
    }
    let info = ClassInfo {
        loader: old_info.loader,
        file,
        fields: new_fields(class, file),
        methods: methods.into_boxed_slice(),
        interfaces: old_info.interfaces.clone(),
        package: old_info.package,
        nest_host: old_info.nest_host.get().map_or_else(OnceLock::new, |h| OnceLock::from(*h)),
        init: Arc::clone(&old_info.init),
        init_error: Mutex::new(*old_info.init_error.lock().expect("init error")),
        source: old_info.source.clone(),
        fields_end: old_info.fields_end,
        original: change.original,
        version_of: None,
        self_name: old_info.self_name,
        method_block: old_info.method_block,
        owns_bytes: false,
        owned: old_info.owned.take(),
        weak: old_info.weak,
        statics_layout: AtomicU32::new(old_info.statics_layout.load(Ordering::Relaxed)),
    };
    // What old versions and running frames share with the class is not told apart: an unload keeps
    // the memory.
    class.flags.fetch_or(flags::IDS_OUT, Ordering::Relaxed);
    // SAFETY: all-zero bytes are unresolved entries.
    let cache: Box<[CpEntry]> = unsafe { Box::<[CpEntry]>::new_zeroed_slice(cache_len).assume_init() };
    if !class.cp_cache.load(Ordering::Acquire).is_null() {
        class.cp_cache.store(Box::leak(cache).as_mut_ptr(), Ordering::Release);
    }
    class.info.store(Box::into_raw(Box::new(info)).cast(), Ordering::Release);
    metaspace::redefined(class, file, cache_len);
    for m in class.declared_methods() {
        engine().replaced(m);
    }
    if let Some(f) = known::classes().class.declared_field("classRedefinedCount".into(), "I".into()) {
        let mirror = class.mirror.get();
        mirror.put_i32(f.offset as usize, mirror.get_i32(f.offset as usize).wrapping_add(1));
    }
    event_log::note(
        event_log::Kind::Redefined,
        0,
        format!("redefined class name={}, count={}", class.external_name(), olds.methods.len()),
    );
    vm_log!(
        ClassLoad,
        Info,
        "redefined {}, count of old methods that run: {}",
        class.external_name(),
        olds.methods.len()
    );
}

/// Fields of the new version: offsets of the old one, attributes of the new file.
fn new_fields(class: ClassRef, file: File) -> Box<[FieldInfo]> {
    let symbol = |i: u16| Symbol::intern(file.constants.utf8(i));
    let of = |f: &FieldInfo| file.fields.get(f.index as usize).filter(|_| f.flags & FIELD_INJECTED == 0);
    let all = class.declared_fields().iter().map(|f| {
        let new = of(f);
        FieldInfo {
            class,
            name: f.name,
            descriptor: f.descriptor,
            flags: f.flags,
            ty: f.ty,
            offset: f.offset,
            index: f.index,
            constant_value: new.and_then(|n| n.constant_value).unwrap_or(0),
            signature: new.and_then(|n| n.signature).map(symbol),
            annotations: new.and_then(|n| n.annotations.visible),
            type_annotations: new.and_then(|n| n.annotations.visible_types),
        }
    });
    all.collect()
}

/// A method that the old version does not have. If it is native, and by its prefix that of an old method that was native
/// until now, it gets the function of that.
fn added(
    class: ClassRef,
    (name, descriptor): (Symbol, Symbol),
    parsed: &'static cf::MethodInfo<'static>,
    indy_sites: &'static [(u16, u16)],
    index: usize,
) -> MethodRef {
    let commanded = define::inlining_by_command(class.name, name, descriptor);
    let m = define::make_method(define::MethodParts {
        class,
        name,
        descriptor,
        flags: define::method_flags(parsed) | commanded,
        index: index as u16,
        intrinsic: MhIntrinsic::None,
        parsed: Some(parsed),
        indy_sites,
    });
    if m.is_native()
        && let Some(old) = prefixes::unprefixed(m).filter(|o| o.is_native())
    {
        m.native.store(old.native.load(Ordering::Acquire), Ordering::Release);
        m.vm_native.store(old.vm_native.load(Ordering::Acquire), Ordering::Release);
    }
    m
}

/// Gives `m` the body that `parsed` has.
fn new_body(m: MethodRef, parsed: &'static cf::MethodInfo<'static>, sites: &'static [(u16, u16)]) {
    let code = parsed.code.as_ref();
    let nargs = m.nargs();
    let max_locals = code.map_or(nargs, |c| c.max_locals as usize).max(nargs);
    let max_stack = code.map_or(0, |c| c.max_stack as usize);
    let rows: Vec<ExceptionRow> = code.map_or(Vec::new(), |c| {
        let row = |e: &cf::ExceptionEntry| ExceptionRow {
            start: e.start,
            end: e.end,
            handler: e.handler,
            catch_type: e.catch_type,
        };
        c.exception_table.iter().map(row).collect()
    });
    let info = MethodInfo {
        parsed: Some(parsed),
        params: MethodExt::info(m).params.clone(),
        critical: AtomicPtr::default(),
        oop_maps: OnceLock::new(),
    };
    let kept =
        m.flags.load(Ordering::Relaxed) & (mflags::SIGNATURE_POLYMORPHIC | mflags::OBJECT_INIT | mflags::RELAXED);
    let commanded = define::inlining_by_command(m.class.name, m.name, m.descriptor);
    m.flags.store(define::method_flags(parsed) | commanded | kept, Ordering::Relaxed);
    m.info.store(Box::into_raw(Box::new(info)).cast(), Ordering::Release);
    if !m.is_native() {
        // What a native method was bound to, and how compiled code called it.
        m.native.store(std::ptr::null_mut(), Ordering::Release);
        m.vm_native.store(std::ptr::null_mut(), Ordering::Release);
    }
    if m.bytecode.is_empty() || m.is_native() {
        m.compiled.store(concord_contract::compiled::to_interpreter(), Ordering::Release);
    }
    let p = std::ptr::from_ref(m).cast_mut();
    // SAFETY: the world is stopped and nobody reads these fields; whoever runs on reads them again,
    // because a stop is a call that the compiler cannot see through. Methods are never moved.
    unsafe {
        (&raw mut (*p).bytecode).write(code.map_or(&[], |c| c.code));
        (&raw mut (*p).exceptions).write(Box::leak(rows.into_boxed_slice()));
        (&raw mut (*p).indy_sites).write(sites);
        (&raw mut (*p).max_locals).write(max_locals as u16);
        (&raw mut (*p).max_stack).write(max_stack as u16);
        (&raw mut (*p).frame_bytes).write((8 * (max_locals - nargs) + frame::HEADER_BYTES) as u32);
        (&raw mut (*p).max_stack_bytes).write(8 * max_stack as u32);
    }
}

/// The old versions that frames still run, made as they are found.
struct Olds {
    class: ClassRef,
    copy: Option<ClassRef>,
    methods: HashMap<usize, MethodRef>,
}

impl Olds {
    fn of(&mut self, m: MethodRef) -> MethodRef {
        let class = *self.copy.get_or_insert_with(|| old_class(self.class));
        self.methods.entry(std::ptr::from_ref(m) as usize).or_insert_with(|| old_method(m, class))
    }
}

fn old_class(class: ClassRef) -> ClassRef {
    let old = class.old_version();
    let info = class.info();
    let copy = ClassInfo {
        loader: info.loader,
        file: info.file,
        fields: Box::default(),
        methods: info.methods.clone(),
        interfaces: info.interfaces.clone(),
        package: info.package,
        nest_host: info.nest_host.get().map_or_else(OnceLock::new, |h| OnceLock::from(*h)),
        init: Arc::clone(&info.init),
        init_error: Mutex::default(),
        source: info.source.clone(),
        fields_end: info.fields_end,
        original: None,
        version_of: Some(class),
        self_name: info.self_name,
        method_block: info.method_block,
        owns_bytes: false,
        owned: Owned::default(),
        weak: info.weak,
        statics_layout: AtomicU32::new(info.statics_layout.load(Ordering::Relaxed)),
    };
    old.info.store(Box::into_raw(Box::new(copy)).cast(), Ordering::Release);
    roots::add_root(&old.mirror);
    old
}

fn old_method(m: MethodRef, class: &'static Class) -> MethodRef {
    Box::leak(Box::new(Method {
        compiled: AtomicPtr::new(concord_contract::compiled::to_interpreter()),
        entry: AtomicPtr::new(m.entry.load(Ordering::Relaxed)),
        code: AtomicPtr::new(m.code.load(Ordering::Relaxed)),
        nargs_bytes: m.nargs_bytes,
        frame_bytes: m.frame_bytes,
        max_stack_bytes: m.max_stack_bytes,
        flags: AtomicU32::new(m.flags.load(Ordering::Relaxed) | mflags::OBSOLETE),
        class,
        native: AtomicPtr::default(),
        vm_native: AtomicPtr::default(),
        vtable_index: AtomicU32::new(m.vtable_index.load(Ordering::Relaxed)),
        itable_index: AtomicU32::new(m.itable_index.load(Ordering::Relaxed)),
        ret: m.ret,
        mh_intrinsic: m.mh_intrinsic,
        max_locals: m.max_locals,
        max_stack: m.max_stack,
        index: m.index,
        name: m.name,
        descriptor: m.descriptor,
        bytecode: m.bytecode,
        exceptions: m.exceptions,
        indy_sites: m.indy_sites,
        heat: AtomicU64::new(0),
        engine: AtomicPtr::new(m.engine.load(Ordering::Acquire)),
        info: AtomicPtr::new(m.info.load(Ordering::Acquire)),
    }))
}
