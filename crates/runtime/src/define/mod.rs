//! From class-file bytes to a class in a dictionary (JVMS 5.3.5).
//!
//! Invariant: a class is published only when its tables, layout and mirror are complete; until
//! then no other thread can name it. What fails before leaves nothing behind, but what was made of a class by then.
mod class;
pub(crate) mod layouts;
mod methods;

use class::Parts;
pub use layouts::describe_layout;
pub use methods::{MethodParts, conflict_method, make_method, overpass, parse_descriptor, throwing_method};
pub(crate) use methods::{indy_sites, inlining_by_command, method_flags};

use crate::events::{self, ClassFileLoad, Event};
use crate::info::ClassExt;
use crate::loader::{self, Loader};
use crate::unused_file::Unused;
use crate::{call, exceptions, handles, known, metaspace, mirror, names, relaxed, resolve, supers, threads};
use concord_base::Symbol;
use concord_classfile as cf;
use concord_contract::method::acc;
use concord_contract::{ClassRef, JResult, Obj, Thread};
use std::sync::atomic::{AtomicU64, Ordering};
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
    let options = concord_base::options::get();
    let opts = cf::ParseOptions {
        trusted: loader.is_boot() && args.hidden.is_none(),
        vm_annotations: loader.is_builtin() || args.hidden.as_ref().is_some_and(|h| h.vm_annotations),
        // A hidden class may have any name in its own file: what its definer says counts.
        name: args.name.map(|n| n.as_bytes()),
        enable_preview: options.enable_preview,
        contended: !options.flags.restrict_contended,
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
    let class = class::make(
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
