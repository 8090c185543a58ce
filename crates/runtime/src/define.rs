//! From class-file bytes to a class in a dictionary (JVMS 5.3.5).
//!
//! Invariant: a class is published only when its tables, layout and mirror are complete; until
//! then no other thread can name it. What fails before leaves nothing behind, but what was made of a class by then.
use crate::events::{self, ClassFileLoad, Event};
use crate::info::{
    ClassExt, ClassInfo, FIELD_CONTENDED, FIELD_INJECTED, FIELD_RELAXED, FIELD_STABLE, FieldInfo, MethodInfo, Owned,
};
use crate::loader::{self, Loader};
use crate::unused_file::Unused;
use crate::{
    call, exceptions, fields, handles, init, known, metaspace, mirror, names, relaxed, resolve, supers, threads, vtable,
};
use concord_base::Symbol;
use concord_base::compile_commands::{self, Effect};
use concord_classfile as cf;
use concord_classfile::VmAnnotations as Va;
use concord_contract::class::{ClassInit, flags};
use concord_contract::entries::engine;
use concord_contract::layout::{self, LayoutKind};
use concord_contract::method::{ExceptionRow, MhIntrinsic, NO_INDEX, acc, mflags};
use concord_contract::object::{HEADER_BYTES, LOCAL_BIT};
use concord_contract::{BasicType, Class, ClassKind, ClassRef, JResult, Method, MethodRef, Obj, Thread};
use concord_memory_model::policy;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
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

pub(crate) fn method_flags(m: &cf::MethodInfo<'_>) -> u32 {
    let mut f = m.access as u32;
    for (a, b) in [
        (Va::FORCE_INLINE, mflags::FORCE_INLINE),
        (Va::DONT_INLINE, mflags::DONT_INLINE),
        (Va::HIDDEN, mflags::HIDDEN),
        (Va::INTRINSIC_CANDIDATE, mflags::INTRINSIC_CANDIDATE),
        (Va::LAMBDA_FORM_COMPILED, mflags::LAMBDA_FORM_COMPILED | mflags::HIDDEN),
        (Va::CALLER_SENSITIVE, mflags::CALLER_SENSITIVE),
        (Va::RESERVED_STACK_ACCESS, mflags::RESERVED_STACK),
        (Va::POLYMORPHIC_SIGNATURE, mflags::SIGNATURE_POLYMORPHIC),
        (Va::SCOPED, mflags::SCOPED),
        (Va::RELAXED, mflags::RELAXED),
    ] {
        if m.annotations.vm.contains(a) {
            f |= b;
        }
    }
    f
}

/// What `-XX:CompileCommand=inline`, `dontinline` and `blackhole` say of a method.
pub(crate) fn inlining_by_command(class: Symbol, name: Symbol, descriptor: Symbol) -> u32 {
    let rows = [
        (Effect::Inline, mflags::FORCE_INLINE),
        (Effect::DontInline, mflags::DONT_INLINE),
        (Effect::Blackhole, mflags::DONT_INLINE),
    ];
    let asked = |e: Effect| {
        compile_commands::any(e)
            && compile_commands::asked(e, &class.as_str(), &name.as_str(), &descriptor.as_str()) == Some(true)
    };
    rows.iter().filter(|r| asked(r.0)).fold(0, |f, r| f | r.1)
}

/// Descriptor's parameter and result types.
pub fn parse_descriptor(d: Symbol) -> (Box<[BasicType]>, BasicType) {
    let Some(md) = cf::descriptor::MethodDescriptor::new(d.as_bytes()) else {
        concord_base::bug!("{d} is no method descriptor");
    };
    let conv = |k: cf::descriptor::BasicType| {
        BasicType::from_descriptor_char(match k {
            cf::descriptor::BasicType::Array => b'L',
            k => k.letter(),
        })
        .unwrap_or(BasicType::Object)
    };
    (md.params().map(|p| conv(p.kind)).collect(), conv(md.ret()))
}

/// A method of `class` with everything but its entry and tables.
pub struct MethodParts {
    pub class: ClassRef,
    pub name: Symbol,
    pub descriptor: Symbol,
    pub flags: u32,
    pub index: u16,
    pub intrinsic: MhIntrinsic,
    pub parsed: Option<&'static cf::MethodInfo<'static>>,
    pub indy_sites: &'static [(u16, u16)],
}

pub fn make_method(p: MethodParts) -> MethodRef {
    let m = Box::leak(Box::new(method(p)));
    engine().install(m);
    m
}

/// The same, to be installed where it will stay.
fn method(p: MethodParts) -> Method {
    let (params, ret) = parse_descriptor(p.descriptor);
    let receiver = usize::from(p.flags & acc::STATIC == 0);
    let nargs = receiver + params.iter().map(|t| t.slots()).sum::<usize>();
    let code = p.parsed.and_then(|m| m.code.as_ref());
    // Native and abstract methods get a frame with their arguments as locals.
    let max_locals = code.map_or(nargs, |c| c.max_locals as usize).max(nargs);
    let max_stack = code.map_or(0, |c| c.max_stack as usize);
    let exceptions: Vec<ExceptionRow> = code.map_or(Vec::new(), |c| {
        c.exception_table
            .iter()
            .map(|e| ExceptionRow { start: e.start, end: e.end, handler: e.handler, catch_type: e.catch_type })
            .collect()
    });
    let info = Box::leak(Box::new(MethodInfo {
        parsed: p.parsed,
        params,
        critical: AtomicPtr::default(),
        oop_maps: OnceLock::new(),
    }));
    let mut flags = p.flags;
    if p.class.name == "java/lang/Object" && p.name == "<init>" {
        flags |= mflags::OBJECT_INIT;
    }
    Method {
        entry: AtomicPtr::default(),
        compiled: AtomicPtr::default(),
        code: AtomicPtr::default(),
        nargs_bytes: 8 * nargs as u32,
        frame_bytes: (8 * (max_locals - nargs) + concord_contract::frame::HEADER_BYTES) as u32,
        max_stack_bytes: 8 * max_stack as u32,
        flags: AtomicU32::new(flags),
        class: p.class,
        native: AtomicPtr::default(),
        vm_native: AtomicPtr::default(),
        vtable_index: AtomicU32::new(NO_INDEX),
        itable_index: AtomicU32::new(NO_INDEX),
        ret,
        mh_intrinsic: p.intrinsic,
        max_locals: max_locals as u16,
        max_stack: max_stack as u16,
        index: p.index,
        name: p.name,
        descriptor: p.descriptor,
        bytecode: code.map_or(&[], |c| c.code),
        exceptions: Box::leak(exceptions.into_boxed_slice()),
        indy_sites: p.indy_sites,
        heat: AtomicU64::new(0),
        engine: AtomicPtr::default(),
        info: AtomicPtr::new(info as *mut MethodInfo as *mut ()),
    }
}

/// The method that stands in a vtable where several defaults conflict; a call of it throws.
pub fn conflict_method(candidates: &[MethodRef], _holder: Symbol) -> MethodRef {
    throwing_method(candidates[0], mflags::DEFAULT_CONFLICT)
}

/// A method like `first` that throws what `flag` stands for.
pub fn throwing_method(first: MethodRef, flag: u32) -> MethodRef {
    make_method(MethodParts {
        class: first.class,
        name: first.name,
        descriptor: first.descriptor,
        flags: acc::PUBLIC | acc::ABSTRACT | flag,
        index: u16::MAX,
        intrinsic: MhIntrinsic::None,
        parsed: None,
        indy_sites: &[],
    })
}

/// Invokedynamic instructions of the class file get constant-pool-cache indices of their own,
/// behind the constant pool's; per method (bci, index).
pub(crate) fn indy_sites(file: &'static cf::ClassFile<'static>) -> (Vec<Vec<(u16, u16)>>, usize) {
    let mut next = file.constants.len();
    let mut all = vec![Vec::new(); file.methods.len()];
    if !file.constants.iter().any(|(_, c)| matches!(c, cf::Constant::InvokeDynamic { .. })) {
        return (all, next);
    }
    for (m, sites) in file.methods.iter().zip(&mut all) {
        let Some(code) = &m.code else { continue };
        // Code that is no sequence of instructions is refused when the class is verified.
        for i in cf::opcodes::instructions(code.code).map_while(Result::ok) {
            if i.opcode == 186 {
                sites.push((i.bci as u16, next as u16));
                next += 1;
            }
        }
    }
    (all, next)
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
    instance_layout(class, fields_end);
    init::bind_vm_natives(class);
    metaspace::made(class);
    Ok(class)
}

fn instance_layout(class: ClassRef, end: u32) {
    let mut refs = Vec::new();
    let mut k = Some(class);
    while let Some(c) = k {
        for f in c.declared_fields().iter().filter(|f| !f.is_static() && f.ty.is_ref()) {
            let referent = c.name == "java/lang/ref/Reference" && f.name == "referent";
            if !referent {
                refs.push(f.offset);
            }
        }
        k = c.super_class;
    }
    let kind = if class.has_flag(flags::REFERENCE) { LayoutKind::Reference } else { LayoutKind::Instance };
    let mut l = fields::layout(end, &refs, kind);
    if l.kind == LayoutKind::Instance {
        (l.chain, l.base) = fields::links(class);
    }
    class.instance_size.store(l.size, Ordering::Relaxed);
    let id = layout::new_id();
    layout::set(id, l, class);
    layout::set_marks(id, marks(class));
    class.birth.store(birth(class), Ordering::Relaxed);
    class.layout_id.store(id, Ordering::Release);
    concord_base::vm_log!(Layout, Info, "{}", describe_layout(class));
}

/// What collections of the full heap do at instances beside visiting their fields.
fn marks(class: ClassRef) -> u8 {
    use layout::marks::{LOADER, MIRROR, UNLOADABLE};
    let own = if class.name == "java/lang/ClassLoader" {
        LOADER
    } else if class.name == "java/lang/Class" {
        MIRROR
    } else {
        class.super_class.map_or(0, |s| layout::marks_of(s.layout_id.load(Ordering::Relaxed)) & LOADER)
    };
    if class.has_flag(flags::UNLOADABLE) { own | UNLOADABLE } else { own }
}

/// The lock word of new instances. Objects that the VM hands to other threads by itself are SHARED
/// from birth: threads and class loaders.
fn birth(class: ClassRef) -> u32 {
    let known_to_all = class.name == "java/lang/Thread" || class.name == "java/lang/ClassLoader";
    match class.super_class {
        _ if !policy::vbd() || known_to_all => 0,
        Some(s) => s.birth.load(Ordering::Relaxed),
        None => LOCAL_BIT,
    }
}

/// The instance layout as text: size, then a line per field by offset.
pub fn describe_layout(class: ClassRef) -> String {
    use std::fmt::Write;
    let mut rows: Vec<(u32, String)> = Vec::new();
    let mut k = Some(class);
    while let Some(c) = k {
        for f in c.declared_fields().iter().filter(|f| !f.is_static()) {
            rows.push((
                f.offset,
                format!("{} {}.{}", names::field_type(f.descriptor.as_bytes()), names::external(c), f.name),
            ));
        }
        k = c.super_class;
    }
    rows.sort();
    let mut s = format!(
        "{} instance size {} bytes, header 8",
        names::external(class),
        class.instance_size.load(Ordering::Relaxed)
    );
    for (o, t) in rows {
        write!(s, "\n  +{o:<3} {t}").expect("writing to a string");
    }
    s
}
