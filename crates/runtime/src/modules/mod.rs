//! Modules: who is in which, who reads whom, what is exported to whom (JLS 7.7, JVMS 5.3.6).
//!
//! Invariant: before java.base is defined every class is taken to be in java.base; defining it
//! gives all mirrors made so far their Module. A package of a loader is in at most one module.
mod access;
mod define;

use crate::info::ClassExt;
use crate::loader::{self, Loader};
use crate::{call, known, roots, strings};
pub use access::{Access, access, accessible, can_read, describe, exports, same, why_not};
use access::{between, is, told};
use concord_base::symbol::PtrMap;
use concord_base::{Symbol, vm_log};
use concord_contract::class::Root;
use concord_contract::{Class, Obj, Thread};
pub use define::{To, add_exports, add_reads, define, set_boot_unnamed};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, RwLock};

/// To whom a package is exported.
#[derive(Default)]
struct Export {
    to_all: bool,
    to_unnamed: bool,
    to: Vec<&'static Module>,
}

/// A module as the VM knows it.
pub struct Module {
    /// None for the unnamed module of a loader.
    pub name: Option<Symbol>,
    pub version: Option<String>,
    pub location: Option<String>,
    pub loader: &'static Loader,
    pub open: bool,
    /// The java.lang.Module.
    pub java: &'static Root,
    reads: RwLock<Vec<&'static Module>>,
    /// Whether it reads the unnamed modules of all loaders, those of later ones included.
    reads_all_unnamed: AtomicBool,
    exports: RwLock<PtrMap<Symbol, Export>>,
    /// The class library has been told that an agent changes code of it.
    transformed: AtomicBool,
}

type Packages = HashMap<(u64, Symbol), &'static Module>;

static PACKAGES: RwLock<Option<Packages>> = RwLock::new(None);
/// Packages of which the boot loader found a class on its path, and at which entry first.
static FOUND_BY_BOOT: Mutex<Option<HashMap<Symbol, String>>> = Mutex::new(None);
/// All modules ever made, the unnamed ones included.
static ALL: Mutex<Vec<&'static Module>> = Mutex::new(Vec::new());
/// Of them, those of loaders that can be unloaded, by the loader's number: a full collection asks for each loader's.
static UNLOADABLE: Mutex<BTreeMap<u64, Vec<&'static Module>>> = Mutex::new(BTreeMap::new());
static JAVA_BASE: AtomicPtr<Module> = AtomicPtr::new(std::ptr::null_mut());
static BOOT_UNNAMED: AtomicPtr<Module> = AtomicPtr::new(std::ptr::null_mut());

fn get(p: &AtomicPtr<Module>) -> Option<&'static Module> {
    let p = p.load(Ordering::Acquire);
    // SAFETY: null or a module of the boot loader, which lives for ever.
    (!p.is_null()).then(|| unsafe { &*p })
}

/// Whether java.base is defined: from then on packages decide.
pub fn java_base_defined() -> bool {
    get(&JAVA_BASE).is_some()
}
/// Whether the boot loader finds classes of this module in the run-time image.
pub fn is_boot_module(name: &[u8]) -> bool {
    if !java_base_defined() {
        return true;
    }
    ALL.lock().expect("modules").iter().any(|m| m.loader.is_boot() && m.name.is_some_and(|n| n.as_bytes() == name))
}

fn make(
    name: Option<Symbol>,
    version: Obj,
    location: Obj,
    loader: &'static Loader,
    open: bool,
    java: Obj,
) -> &'static Module {
    let text = |o: Obj| (!o.is_null()).then(|| strings::to_string(o));
    let m: &'static Module = Box::leak(Box::new(Module {
        name,
        version: text(version),
        location: text(location),
        loader,
        open,
        java: if loader.is_unloadable() { Box::leak(Box::new(Root::new())) } else { roots::new_root() },
        reads: RwLock::default(),
        reads_all_unnamed: AtomicBool::new(false),
        exports: RwLock::default(),
        transformed: AtomicBool::new(false),
    }));
    roots::keep(m.java, java);
    java.put_u64(known::offsets().module_entry, std::ptr::from_ref(m) as u64);
    ALL.lock().expect("modules").push(m);
    if loader.is_unloadable() {
        UNLOADABLE.lock().expect("modules of loaders").entry(loader.id()).or_default().push(m);
    }
    m
}

/// The words that hold the java.lang.Modules of loaders that can be unloaded.
pub fn unloadable_roots(slots: &mut dyn FnMut(*mut u64)) {
    for m in ALL.lock().expect("modules").iter().filter(|m| m.loader.is_unloadable()) {
        slots(m.java.slot());
    }
}
/// The same of one loader.
pub fn roots_of(l: &Loader, slots: &mut dyn FnMut(*mut u64)) {
    let of = UNLOADABLE.lock().expect("modules of loaders");
    of.get(&l.id()).into_iter().flatten().for_each(|m| slots(m.java.slot()));
}

/// Forgets the modules of loaders that have died, at a stop; nobody can name them any more.
pub fn unload(is_dead: &dyn Fn(&Loader) -> bool) {
    let mut all = ALL.lock().expect("modules");
    if !all.iter().any(|m| is_dead(m.loader)) {
        return;
    }
    if let Some(packages) = PACKAGES.write().expect("packages").as_mut() {
        packages.retain(|_, m| !is_dead(m.loader));
    }
    for m in all.iter().filter(|m| !is_dead(m.loader)) {
        m.reads.write().expect("reads").retain(|r| !is_dead(r.loader));
        for e in m.exports.write().expect("exports").values_mut() {
            e.to.retain(|t| !is_dead(t.loader));
        }
    }
    let mut of = UNLOADABLE.lock().expect("modules of loaders");
    all.retain(|m| {
        if !is_dead(m.loader) {
            return true;
        }
        of.remove(&m.loader.id());
        // SAFETY: `make` boxed both; the loader was unreachable, so were the module's object and
        // whoever asked about it.
        unsafe {
            drop(Box::from_raw(std::ptr::from_ref(m.java).cast_mut()));
            drop(Box::from_raw(std::ptr::from_ref(*m).cast_mut()));
        }
        false
    });
}

/// The module behind a java.lang.Module; unnamed ones are made known on first sight.
fn of_object(java: Obj) -> Option<&'static Module> {
    let o = known::offsets();
    let p = java.get_u64(o.module_entry) as *const Module;
    if !p.is_null() {
        // SAFETY: `make` stored it; modules live as long as their objects.
        return Some(unsafe { &*p });
    }
    if !java.get_ref(o.module_name).is_null() {
        // A named module that nobody defined to the VM.
        return None;
    }
    let l = loader::of_object(java.get_ref(o.module_loader));
    Some(make(None, Obj::NULL, Obj::NULL, l, true, java))
}

fn unnamed_of(l: &'static Loader) -> Option<&'static Module> {
    if l.is_boot() {
        return get(&BOOT_UNNAMED);
    }
    let java = l.java.get().get_ref(known::offsets().loader_unnamed_module);
    if java.is_null() { None } else { of_object(java) }
}

/// The class whose package decides: an array's element class.
fn element(c: &Class) -> &Class {
    let mut c = c;
    while let Some(e) = c.component {
        c = e;
    }
    c
}

/// The module of a class; None before java.base is defined.
pub fn of(c: &Class) -> Option<&'static Module> {
    let base = get(&JAVA_BASE)?;
    let c = element(c);
    if c.is_primitive() {
        return Some(base);
    }
    let l = c.loader();
    of_package(l, c.info().package).or_else(|| unnamed_of(l))
}
/// The named module that a loader's package is in.
pub fn of_package(l: &Loader, package: Symbol) -> Option<&'static Module> {
    PACKAGES.read().expect("packages").as_ref()?.get(&(l.id(), package)).copied()
}
/// The module that a class of `package` under definition by `l` will be in; None before java.base
/// is defined.
pub fn of_new(l: &'static Loader, package: Symbol) -> Option<&'static Module> {
    get(&JAVA_BASE)?;
    of_package(l, package).or_else(|| unnamed_of(l))
}
/// The module of a class of that name that the loader has, or will have.
pub fn of_name(l: &'static Loader, name: Symbol) -> Option<&'static Module> {
    of_new(l, Symbol::lookup(concord_classfile::names::package_of(name.as_bytes()))?)
}
/// An agent has changed, or may have, code of a module: it may call what the agent has put on the class paths. As in
/// HotSpot the class library lets named modules read the unnamed ones of the boot and the system loader then, once.
pub fn transformed_by_agent(th: &Thread, m: Option<&'static Module>) {
    let Some(m) = m.filter(|m| m.name.is_some() && crate::boot::is_up()) else { return };
    if m.transformed.swap(true, Ordering::AcqRel) {
        return;
    }
    let java = m.java.get().addr() as u64;
    let told =
        call::call_static(th, "jdk/internal/module/Modules", "transformedByAgent", "(Ljava/lang/Module;)V", &[java]);
    if told.is_err() {
        // As in HotSpot: who defines or changes the class is not hindered.
        th.take_exception();
    }
}

/// Whether a class `name` (with dots) of module `from` may name the public class `to`; `Err` says why not, as in
/// [`why_not`].
///
/// # Errors
/// The sentence for the message.
pub fn check_new(name: &str, from: Option<&'static Module>, to: &Class) -> Result<(), String> {
    let (Some(mf), Some(mt)) = (from, of(to)) else { return Ok(()) };
    match between(mf, mt, to) {
        Access::Ok => Ok(()),
        why => Err(told(why, name, mf, mt, to)),
    }
}
/// Whether `to` is in the module.
pub fn has(m: Option<&'static Module>, to: &Class) -> bool {
    match (m, of(to)) {
        (Some(a), Some(b)) => is(a, b),
        _ => true,
    }
}
/// Where the java.lang.Module of a new class is; None before java.base is defined.
pub fn root_for(c: &Class) -> Option<&'static Root> {
    of(c).map(|m| m.java)
}
/// Name of the module of a class; None in an unnamed one.
pub fn name_of(c: &Class) -> Option<Symbol> {
    match get(&JAVA_BASE) {
        Some(_) => of(c)?.name,
        None => Some(Symbol::from("java.base")),
    }
}
/// Version that messages show: not of modules that came with this JDK.
pub fn version_of(c: &Class) -> Option<String> {
    let m = of(c)?;
    let version = m.version.clone()?;
    let jdk = m.location.as_ref().is_some_and(|l| l.starts_with("jrt:/java.") || l.starts_with("jrt:/jdk."));
    (!jdk).then_some(version)
}

/// The java.lang.Module objects of all modules.
pub fn all_objects() -> Vec<Obj> {
    ALL.lock().expect("modules").iter().map(|m| m.java.get()).filter(|o| !o.is_null()).collect()
}
/// The module graph of the boot layer is complete (System.initPhase2 has returned).
pub fn boot_layer_ready() {
    let n = ALL.lock().expect("modules").iter().filter(|m| m.name.is_some()).count();
    vm_log!(ModuleLoad, Debug, "{n} modules in the boot layer");
}

/// Packages of the boot loader with the module they are in.
pub fn boot_packages() -> Vec<(Symbol, &'static Module)> {
    let id = loader::boot().id();
    let t = PACKAGES.read().expect("packages");
    t.iter().flatten().filter(|((l, _), _)| *l == id).map(|((_, p), m)| (*p, *m)).collect()
}

/// Notes that the boot loader found a class of `package` at `source`, an entry of its own path. Classes
/// handed to it (proxies, `Unsafe.defineClass`) make no package of the system.
pub fn note_boot_package(package: Symbol, source: &str) {
    let mut t = FOUND_BY_BOOT.lock().expect("boot packages");
    t.get_or_insert_default().entry(package).or_insert_with(|| source.into());
}

/// Where the boot loader's package `name` (with slashes) comes from: `jrt:/java.base`, or the
/// entry of the boot class path; None if it found no class of it.
pub fn boot_package_location(name: Symbol) -> Option<String> {
    // The unnamed package has no location.
    if name.as_bytes().is_empty() {
        return None;
    }
    let found = FOUND_BY_BOOT.lock().expect("boot packages").as_ref()?.get(&name)?.clone();
    Some(of_package(loader::boot(), name).and_then(|m| m.location.clone()).unwrap_or(found))
}

/// Packages (with slashes) of which the boot loader found a class; not the unnamed one.
pub fn boot_packages_with_classes() -> Vec<Symbol> {
    let t = FOUND_BY_BOOT.lock().expect("boot packages");
    t.iter().flatten().map(|(p, _)| *p).filter(|p| !p.as_bytes().is_empty()).collect()
}
