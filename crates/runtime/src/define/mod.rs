//! From class-file bytes to a class in a dictionary (JVMS 5.3.5).
//!
//! Invariant: a class is published only when its tables, layout and mirror are complete; until
//! then no other thread can name it. What fails before leaves nothing behind, but what was made of a class by then.
mod layouts;
mod methods;

pub use layouts::describe_layout;
use methods::method;
pub use methods::{MethodParts, conflict_method, make_method, parse_descriptor, throwing_method};
pub(crate) use methods::{indy_sites, inlining_by_command, method_flags};

use crate::events::{self, ClassFileLoad, Event};
use crate::info::{
    ClassExt, ClassInfo, FIELD_CONTENDED, FIELD_INJECTED, FIELD_RELAXED, FIELD_STABLE, FieldInfo, Owned,
};
use crate::loader::{self, Loader};
use crate::unused_file::Unused;
use crate::{
    call, exceptions, fields, handles, init, known, metaspace, mirror, names, relaxed, resolve, supers, threads, vtable,
};
use concord_base::Symbol;
use concord_classfile as cf;
use concord_classfile::VmAnnotations as Va;
use concord_contract::class::{ClassInit, flags};
use concord_contract::entries::engine;
use concord_contract::method::{MhIntrinsic, acc, mflags};
use concord_contract::object::HEADER_BYTES;
use concord_contract::{BasicType, Class, ClassKind, ClassRef, JResult, Method, MethodRef, Obj, Thread};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Where the bytes are.
pub enum Bytes<'a> {
    /// In a mapping that is never unmapped.
    Static(&'static [u8]),
    /// To be copied.
    Borrowed(&'a [u8]),
}

/// Lookup.defineHiddenClass and its relatives.
pub struct HiddenArgs<'a> {
    /// What its name begins with; none is the name in the class file.
    pub name: Option<&'a [u8]>,
    pub lookup: ClassRef,
    pub nestmate: bool,
    pub strong: bool,
    pub vm_annotations: bool,
    pub class_data: Obj,
}

pub struct DefineArgs<'a> {
    /// The name asked for, of a class that is not hidden; a class file with another name is refused.
    pub name: Option<Symbol>,
    pub loader: &'static Loader,
    pub bytes: Bytes<'a>,
    pub protection_domain: Obj,
    pub source: Option<String>,
    pub hidden: Option<HiddenArgs<'a>>,
}

static HIDDEN_COUNT: AtomicU64 = AtomicU64::new(0);

/// Defines a class.
///
/// # Errors
/// ClassFormatError and its kin, NoClassDefFoundError (wrong name), LinkageError (duplicate),
/// ClassCircularityError, IncompatibleClassChangeError, VerifyError (final overridden), and what
/// loading the supers throws.
pub fn define_class(th: &Thread, args: DefineArgs<'_>) -> JResult<ClassRef> {
    // Supertypes are loaded meanwhile: only the outermost definition counts.
    let depth = &threads::info(th).defining;
    let begun = (depth.fetch_add(1, Ordering::Relaxed) == 0).then(Instant::now);
    let result = define(th, args);
    depth.fetch_sub(1, Ordering::Relaxed);
    if let Some(begun) = begun {
        TIME.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }
    if let Ok(c) = &result {
        BYTES.fetch_add(c.info().file.bytes.len() as u64, Ordering::Relaxed);
    }
    result
}

/// Nanoseconds that definitions of classes took, those of their supertypes included.
static TIME: AtomicU64 = AtomicU64::new(0);
/// Bytes of the class files of defined classes.
static BYTES: AtomicU64 = AtomicU64::new(0);

/// Time that definitions took, and bytes of class files.
pub fn totals() -> (Duration, u64) {
    (Duration::from_nanos(TIME.load(Ordering::Relaxed)), BYTES.load(Ordering::Relaxed))
}

fn define(th: &Thread, args: DefineArgs<'_>) -> JResult<ClassRef> {
    let scope = handles::Scope::new(th);
    let domain = scope.handle(args.protection_domain);
    let class_data = scope.handle(args.hidden.as_ref().map_or(Obj::NULL, |h| h.class_data));
    let loader = args.loader;
    let mut unused = Unused::default();
    let bytes: &'static [u8] = match args.bytes {
        Bytes::Static(b) => b,
        Bytes::Borrowed(b) => unused.bytes(b),
    };
    let mut original = None;
    let mut bytes = bytes;
    if args.hidden.is_none()
        && let Some(l) = events::listener(Event::ClassFileLoad)
    {
        let what = ClassFileLoad { class: None, loader, name: args.name, protection_domain: domain.get(), bytes };
        // Agents' versions are kept for retransformation.
        unused.keep();
        let t = l.class_file_load(th, what);
        th.check()?;
        original = t.before_retransformable;
        bytes = t.bytes.unwrap_or(bytes);
    }
    let opts = cf::ParseOptions {
        trusted: loader.is_boot() && args.hidden.is_none(),
        vm_annotations: loader.is_builtin() || args.hidden.as_ref().is_some_and(|h| h.vm_annotations),
        // A hidden class may have any name in its own file: what its definer says counts.
        name: args.name.map(|n| n.as_bytes()),
        enable_preview: concord_base::options::get().enable_preview,
        ..Default::default()
    };
    let mut begun = cf::begin(bytes, &opts).or_else(|e| supers::refused(th, &e))?;
    let own = args.hidden.is_none().then(|| Symbol::intern(begun.name()));
    // A loader whose search for a supertype comes back to this class finds a circularity.
    let _row = own.map(|n| loader.defining.begin(th, n)).transpose()?;
    let interfaces = supers::load_interfaces(th, &mut begun, loader, own)?;
    let mut file = begun.finish().or_else(|e| supers::refused(th, &e))?;
    let self_name = own.unwrap_or_else(|| Symbol::private(file.name()));
    let name = if let Some(h) = &args.hidden {
        let n = HIDDEN_COUNT.fetch_add(1, Ordering::Relaxed);
        // As HotSpot prints an address; unique for ever here.
        let mut full = h.name.unwrap_or(self_name.as_bytes()).to_vec();
        full.extend(format!("+0x{:016x}", 0x8_0000_0000u64 + n * 0x400).bytes());
        let name = Symbol::private(&full);
        if !file.rename(name.as_bytes()) {
            let text = format!("Constant pool of hidden class {} is full", external(self_name));
            return exceptions::throw(th, "java/lang/ClassFormatError", &text);
        }
        name
    } else {
        if let Some(c) = loader.find_loaded(self_name) {
            return loader::duplicate(th, loader, c);
        }
        self_name
    };
    let file: &'static cf::ClassFile<'static> = unused.file(file);
    let super_class = match file.super_class {
        0 => None,
        i => {
            let n = Symbol::intern(file.constants.class_name(i));
            if n.as_bytes() == name.as_bytes() {
                return exceptions::throw(th, "java/lang/ClassCircularityError", &self_name.as_str());
            }
            Some(resolve::load_super(th, n, loader)?)
        }
    };
    let is_interface = file.access_flags as u32 & acc::INTERFACE != 0;
    if let Some(s) = super_class {
        supers::check_super(th, self_name, name, s, is_interface)?;
    }
    let shown = names::with_suffix(external(name), args.hidden.is_some());
    supers::check_access(th, (name, &shown), loader, file, super_class, &interfaces)?;
    if args.hidden.is_none() {
        check_prohibited(th, self_name, loader)?;
    }
    if matches!(args.bytes, Bytes::Borrowed(_)) {
        metaspace::reserve(th, file)?;
    }
    unused.keep();
    let class = make(
        th,
        Parts { name, self_name, loader, file, super_class, interfaces, is_interface, original, args: &args },
    )?;
    if let Some(h) = &args.hidden {
        let info = class.info();
        if h.nestmate {
            let host = resolve::nest_host(th, h.lookup)?;
            if info.nest_host.set(host).is_err() {
                concord_base::bug!("a new class has a nest host already");
            }
        }
    }
    mirror::create(th, class, domain.get(), class_data.get())?;
    if args.hidden.is_some() {
        loader.adopt(class);
    } else if let Err(why) = loader.publish(name, class) {
        return why.throw(th, loader, class);
    }
    loader::log_load(class, args.source.as_deref().unwrap_or("__JVM_DefineClass__"));
    threads::info(th).defined_classes.fetch_add(1, Ordering::Relaxed);
    relaxed::log_class(class);
    if !loader.is_boot() && (args.hidden.is_none() || args.hidden.as_ref().is_some_and(|h| h.strong)) {
        let add = known::methods().loader_add_class;
        call::invoke(th, add, &[loader.java.get().addr() as u64, class.mirror.get().addr() as u64])?;
    }
    if let Some(l) = events::listener(Event::ClassLoad) {
        l.class_load(th, class);
    }
    Ok(class)
}

/// Packages below `java` belong to the boot and the platform loader, whatever name was asked for.
fn check_prohibited(th: &Thread, name: Symbol, loader: &'static Loader) -> JResult<()> {
    if loader.is_boot() || loader.is_platform() || !name.as_bytes().starts_with(b"java/") {
        return Ok(());
    }
    let package = concord_base::symbol::text(cf::names::package_of(name.as_bytes())).replace('/', ".");
    let message =
        format!("Class loader (instance of): {} tried to load prohibited package name: {package}", loader.describe(th));
    exceptions::throw(th, "java/lang/SecurityException", &message)
}

/// A name of a class file as messages print it.
pub fn external(name: Symbol) -> String {
    name.as_str().replace('/', ".")
}

struct Parts<'a> {
    name: Symbol,
    self_name: Symbol,
    loader: &'static Loader,
    file: &'static cf::ClassFile<'static>,
    super_class: Option<ClassRef>,
    interfaces: Vec<ClassRef>,
    is_interface: bool,
    original: Option<&'static [u8]>,
    args: &'a DefineArgs<'a>,
}

/// All superinterfaces, transitively, without repetition; inherited ones first.
fn all_interfaces(super_class: Option<ClassRef>, direct: &[ClassRef]) -> Box<[ClassRef]> {
    let mut all: Vec<ClassRef> = Vec::new();
    let mut add = |k: ClassRef| {
        if !all.iter().any(|a| std::ptr::eq(*a, k)) {
            all.push(k);
        }
    };
    if let Some(v) = super_class.and_then(|s| s.interfaces_all.get()) {
        v.iter().for_each(|k| add(k));
    }
    for d in direct {
        if let Some(v) = d.interfaces_all.get() {
            v.iter().for_each(|k| add(k));
        }
        add(d);
    }
    all.into_boxed_slice()
}

fn injected(class: ClassRef, own: &mut Vec<FieldInfo>) {
    for (c, n, d) in known::INJECTED {
        if class.name == *c {
            own.push(FieldInfo {
                class,
                name: Symbol::from(*n),
                descriptor: Symbol::from(*d),
                flags: acc::PRIVATE | FIELD_INJECTED,
                ty: BasicType::from_descriptor_char(d.as_bytes()[0]).unwrap_or(BasicType::Object),
                offset: 0,
                index: u16::MAX,
                constant_value: 0,
                signature: None,
                annotations: None,
                type_annotations: None,
            });
        }
    }
}

/// Not inlined: the definitions of a deep hierarchy lie upon each other on the native stack.
#[inline(never)]
fn make(th: &Thread, p: Parts<'_>) -> JResult<ClassRef> {
    let file = p.file;
    let sym = |i: u16| Symbol::intern(file.constants.utf8(i));
    let package = Symbol::intern(cf::names::package_of(p.name.as_bytes()));
    let interfaces_all = all_interfaces(p.super_class, &p.interfaces);
    let mut bits = if p.loader.is_boot() { flags::BOOT } else { 0 };
    if let Some(h) = &p.args.hidden {
        bits |= flags::HIDDEN;
        if !h.strong {
            bits |= flags::UNLOADABLE;
        }
    }
    if p.loader.is_unloadable() {
        bits |= flags::UNLOADABLE;
    }
    if file.annotations.vm.contains(Va::RELAXED) || relaxed::class_by_flag(p.self_name) {
        bits |= flags::RELAXED;
    }
    let inherited = p.super_class.map_or(0, |s| s.flags.load(Ordering::Relaxed));
    bits |= inherited & (flags::REFERENCE | flags::FINALIZER);
    if p.self_name == "java/lang/ref/Reference" {
        bits |= flags::REFERENCE;
    }
    let code_relaxed = bits & flags::RELAXED != 0;
    // A class in two steps: its methods name it, its vtable names them. The vtable's length is
    // known only from the methods, so they are made for a placeholder of the right address: the
    // class is allocated with room for the largest vtable it can have.
    let virtuals = file.methods.len() + interfaces_all.iter().map(|i| i.declared_methods().len()).sum::<usize>();
    let room = p.super_class.map_or(0, |s| s.vtable_len()) + virtuals;
    let class = Class::allocate_with_room(
        ClassInit {
            kind: ClassKind::Instance,
            basic: BasicType::Object,
            elem_shift: 0,
            access_flags: file.access_flags,
            flags: bits,
            super_class: p.super_class,
            component: None,
            name: p.name,
            instance_size: 0,
            vtable: Vec::new(),
        },
        room,
    );

    let mut own: Vec<FieldInfo> = file
        .fields
        .iter()
        .enumerate()
        .map(|(i, f)| {
            let mut flags = f.access as u32;
            if f.annotations.vm.contains(Va::STABLE) {
                flags |= FIELD_STABLE
            }
            if f.annotations.vm.contains(Va::CONTENDED) {
                flags |= FIELD_CONTENDED
            }
            if f.annotations.vm.contains(Va::RELAXED) || relaxed::field_by_flag(p.self_name, sym(f.name)) {
                flags |= FIELD_RELAXED
            }
            let descriptor = sym(f.desc);
            FieldInfo {
                class,
                name: sym(f.name),
                ty: BasicType::from_descriptor_char(descriptor.as_bytes()[0]).unwrap_or(BasicType::Object),
                descriptor,
                flags,
                offset: 0,
                index: i as u16,
                constant_value: f.constant_value.unwrap_or(0),
                signature: f.signature.map(sym),
                annotations: f.annotations.visible,
                type_annotations: f.annotations.visible_types,
            }
        })
        .collect();
    injected(class, &mut own);
    let start = p.super_class.map_or(HEADER_BYTES as u32, |s| s.info().fields_end);
    let fields_end = fields::assign(&mut own, false, start);
    fields::assign(&mut own, true, HEADER_BYTES as u32);

    let (sites, cache_len) = indy_sites(file);
    if cache_len > u16::MAX as usize {
        return exceptions::throw(
            th,
            "java/lang/InternalError",
            &format!(
                "class {} has too many constants and invokedynamic instructions together ({cache_len})",
                external(p.name)
            ),
        );
    }
    let block: Vec<Method> = file
        .methods
        .iter()
        .zip(sites)
        .enumerate()
        .map(|(i, (m, s))| {
            let m: &'static cf::MethodInfo<'static> = m;
            let name = sym(m.name);
            let mut flags = method_flags(m);
            flags |= inlining_by_command(p.self_name, name, sym(m.desc));
            if code_relaxed || relaxed::method_by_flag(p.self_name, name, sym(m.desc)) {
                flags |= mflags::RELAXED;
            }
            if name == "finalize"
                && sym(m.desc) == "()V"
                && flags & acc::STATIC == 0
                && p.super_class.is_some()
                && m.code.as_ref().is_some_and(|c| c.code.len() > 1)
            {
                class.flags.fetch_or(flags::FINALIZER, Ordering::Relaxed);
            }
            if name == "finalize" && p.self_name == "java/lang/Enum" {
                class.flags.fetch_and(!flags::FINALIZER, Ordering::Relaxed);
            }
            if (p.self_name == "java/lang/invoke/MethodHandle" || p.self_name == "java/lang/invoke/VarHandle")
                && flags & acc::NATIVE != 0
                && flags & acc::VARARGS != 0
            {
                flags |= mflags::SIGNATURE_POLYMORPHIC;
            }
            method(MethodParts {
                class,
                name,
                descriptor: sym(m.desc),
                flags,
                index: i as u16,
                intrinsic: MhIntrinsic::None,
                parsed: Some(m),
                indy_sites: Box::leak(s.into_boxed_slice()),
            })
        })
        .collect();
    let block: &'static [Method] = Box::leak(block.into_boxed_slice());
    let methods: Vec<MethodRef> = block.iter().collect();
    methods.iter().for_each(|m| engine().install(m));
    if p.is_interface {
        vtable::number_interface(&methods);
    }
    let info = ClassInfo {
        loader: p.loader,
        file,
        fields: own.into_boxed_slice(),
        methods: methods.clone().into_boxed_slice(),
        interfaces: p.interfaces.into_boxed_slice(),
        package,
        nest_host: OnceLock::new(),
        init: Arc::default(),
        init_error: Mutex::new(None),
        source: p.args.source.clone(),
        fields_end,
        original: p.original,
        version_of: None,
        self_name: p.self_name,
        method_block: block,
        owns_bytes: matches!(p.args.bytes, Bytes::Borrowed(_)),
        owned: Owned::default(),
        weak: p.args.hidden.as_ref().is_some_and(|h| !h.strong),
        statics_layout: AtomicU32::new(0),
    };
    class.info.store(Box::leak(Box::new(info)) as *mut ClassInfo as *mut (), Ordering::Release);
    let inputs = vtable::Inputs {
        name: p.name,
        package,
        loader: p.loader,
        is_interface: p.is_interface,
        super_class: p.super_class,
        methods: &methods,
        interfaces: &interfaces_all,
    };
    match vtable::build(&inputs) {
        Ok(table) => class.fill_vtable(&table),
        Err((old, new)) => {
            return exceptions::throw(
                th,
                "java/lang/IncompatibleClassChangeError",
                &format!(
                    "class {} overrides final method {}.{}{}",
                    external(p.name),
                    names::external(old.class),
                    new.name,
                    new.descriptor
                ),
            );
        }
    }
    let defaults = p.is_interface && methods.iter().any(|m| !m.is_abstract() && !m.is_static());
    if defaults || interfaces_all.iter().any(|i| i.has_flag(flags::HAS_DEFAULTS)) {
        class.flags.fetch_or(flags::HAS_DEFAULTS, Ordering::Relaxed);
    }
    let cloneable = p.name == "java/lang/Cloneable" || interfaces_all.iter().any(|i| i.name == "java/lang/Cloneable");
    if cloneable {
        class.flags.fetch_or(flags::CLONEABLE, Ordering::Relaxed);
    }
    if !class.set_interfaces(interfaces_all) {
        concord_base::bug!("a new class has interfaces already");
    }
    if p.is_interface || class.is_abstract() || p.name == "java/lang/Class" || class.has_flag(flags::FINALIZER) {
        class.flags.fetch_or(flags::NO_FAST_NEW, Ordering::Relaxed);
    }
    layouts::of_instances(class, fields_end);
    init::bind_vm_natives(class);
    metaspace::made(class);
    Ok(class)
}
