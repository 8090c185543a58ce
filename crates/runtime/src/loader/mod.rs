//! Class loaders and their dictionaries (JVMS 5.3).
//!
//! Invariant: for a loader and a name, all threads get the same class: the first definition that
//! enters the dictionary wins. No lock of this module is held while Java code runs, memory is
//! allocated in the heap, or a thread waits.
//!
//! How a class gets there: [`find`].
mod find;

pub use find::{find_boot, find_class, find_referred, image, open_image};

use crate::busy::Busy;
use crate::constraints::{self, Refused};
use crate::info::ClassExt;
use crate::{exceptions, jimage::Image, known, metaspace, strings};
use concord_base::symbol::PtrMap;
use concord_base::{Symbol, event_log, vm_log};
use concord_contract::class::{Root, flags};
use concord_contract::{ClassRef, JResult, Obj, Thread};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// A class loader: the boot loader or one java.lang.ClassLoader object.
pub struct Loader {
    /// The ClassLoader object; null for the boot loader.
    pub java: Root,
    /// Initiating-loader dictionary.
    dictionary: Mutex<PtrMap<Symbol, ClassRef>>,
    /// Classes this loader defined, in order; the collector's roots.
    defined: Mutex<Vec<ClassRef>>,
    /// Classes that the boot loader loads.
    loading: Busy,
    /// Classes whose supers are being loaded.
    pub defining: Busy,
    /// Classes that `loadClass` of the Java object is asked for.
    asking: Busy,
    /// java.lang.Module of the loader's unnamed module, once asked for.
    pub unnamed_module: Root,
    /// Package (with slashes) to its java.lang.Module's root.
    pub packages: Mutex<PtrMap<Symbol, &'static Root>>,
    /// Small number for logs and keys; a new one with each Java object.
    id: AtomicU64,
    /// Whether the loader dies with its Java object: not the boot, platform and application loader.
    unloadable: AtomicBool,
    /// Loaders that this one's classes have got classes from: they live as long as this one.
    depends_on: Mutex<Vec<&'static Loader>>,
}

static BOOT: OnceLock<&'static Loader> = OnceLock::new();
static ALL: Mutex<Vec<&'static Loader>> = Mutex::new(Vec::new());
/// Loaders whose Java objects have died, for reuse: the memory of a loader always is a loader.
static FREE: Mutex<Vec<&'static Loader>> = Mutex::new(Vec::new());
static IMAGE: OnceLock<Image> = OnceLock::new();
static LOADERS: AtomicU64 = AtomicU64::new(0);
static CLASSES: AtomicU64 = AtomicU64::new(0);

impl Loader {
    fn make(unloadable: bool) -> &'static Loader {
        let l = FREE.lock().expect("free loaders").pop().unwrap_or_else(Loader::allocate);
        l.id.store(LOADERS.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        l.unloadable.store(unloadable, Ordering::Relaxed);
        ALL.lock().expect("loader list").push(l);
        metaspace::loader_made();
        l
    }
    fn allocate() -> &'static Loader {
        let l: &'static Loader = Box::leak(Box::new(Loader {
            java: Root::new(),
            dictionary: Mutex::default(),
            defined: Mutex::default(),
            loading: Busy::default(),
            defining: Busy::default(),
            asking: Busy::default(),
            unnamed_module: Root::new(),
            packages: Mutex::default(),
            id: AtomicU64::new(0),
            unloadable: AtomicBool::new(false),
            depends_on: Mutex::default(),
        }));
        l
    }
    pub fn id(&self) -> u64 {
        self.id.load(Ordering::Relaxed)
    }
    pub fn is_unloadable(&self) -> bool {
        self.unloadable.load(Ordering::Relaxed)
    }
    /// The off-heap words that keep alive what this loader's classes were linked with.
    pub fn dependencies(&self, slots: &mut dyn FnMut(*mut u64)) {
        for l in self.depends_on.lock().expect("dependencies").iter() {
            slots(l.java.slot());
        }
    }
    /// Takes the classes out that `dead` tells, at a stop.
    pub fn retain(&self, mut live: impl FnMut(ClassRef) -> bool) {
        self.defined.lock().expect("defined classes").retain(|c| live(c));
    }
    /// Forgets everything, at a stop: the Java object has died. The loader is reused.
    pub fn retire(&'static self) {
        self.java.set(Obj::NULL);
        self.unnamed_module.set(Obj::NULL);
        *self.dictionary.lock().expect("dictionary") = PtrMap::default();
        *self.defined.lock().expect("defined classes") = Vec::new();
        *self.depends_on.lock().expect("dependencies") = Vec::new();
        *self.packages.lock().expect("packages") = PtrMap::default();
        ALL.lock().expect("loader list").retain(|l| !std::ptr::eq(*l, self));
        FREE.lock().expect("free loaders").push(self);
        metaspace::loader_gone();
    }
    pub fn is_boot(&self) -> bool {
        std::ptr::eq(self, boot())
    }
    /// The loader of the JDK's own modules beside the boot loader's, from its first class on.
    pub fn is_platform(&self) -> bool {
        self.is_made_of("jdk/internal/loader/ClassLoaders$PlatformClassLoader")
    }
    /// A loader that the class library makes for accessors that it generates.
    pub fn is_delegating(&self) -> bool {
        self.is_made_of("jdk/internal/reflect/DelegatingClassLoader")
    }
    /// Whether it is an instance of that class of the boot loader's.
    fn is_made_of(&self, class: &str) -> bool {
        let java = self.java.get();
        !java.is_null() && java.class().name == class && java.class().info().loader.is_boot()
    }
    /// Boot or platform loader: annotations for the VM are honoured.
    pub fn is_builtin(&self) -> bool {
        self.is_boot() || self.is_platform()
    }
    pub fn find_loaded(&self, name: Symbol) -> Option<ClassRef> {
        self.dictionary.lock().expect("dictionary").get(&name).copied()
    }
    /// Enters `class`, which another loader may have defined, under `name`.
    ///
    /// # Errors
    /// This loader has another class of that name, or a loading constraint demands another.
    pub fn record(&self, name: Symbol, class: ClassRef) -> Result<(), Refused> {
        let mut constraints = constraints::lock();
        let mut d = self.dictionary.lock().expect("dictionary");
        match d.get(&name) {
            Some(&c) if c == class => return Ok(()),
            Some(&c) => return Err(Refused::Taken(c)),
            None => {}
        }
        constraints.admit(self, name, class).map_err(Refused::Constrained)?;
        d.insert(name, class);
        drop(d);
        drop(constraints);
        let other = ClassExt::loader(class);
        if other.is_unloadable() && !std::ptr::eq(other, self) {
            let mut known = self.depends_on.lock().expect("dependencies");
            if !known.iter().any(|l| std::ptr::eq(*l, other)) {
                known.push(other);
            }
        }
        Ok(())
    }
    /// Enters a class that this loader defines.
    ///
    /// # Errors
    /// The name is taken, or a loading constraint demands another class.
    pub fn publish(&self, name: Symbol, class: ClassRef) -> Result<(), Refused> {
        let mut constraints = constraints::lock();
        let mut d = self.dictionary.lock().expect("dictionary");
        if let Some(&c) = d.get(&name) {
            return Err(Refused::Taken(c));
        }
        constraints.admit(self, name, class).map_err(Refused::Constrained)?;
        d.insert(name, class);
        drop(d);
        drop(constraints);
        self.adopt(class);
        Ok(())
    }
    /// Adds a class to the defined ones without a name in the dictionary (hidden classes).
    pub fn adopt(&self, class: ClassRef) {
        self.defined.lock().expect("defined classes").push(class);
        if class.is_instance_class() {
            CLASSES.fetch_add(1, Ordering::Relaxed);
        }
    }
    /// All classes that this loader initiated, arrays left out.
    pub fn initiated(&self) -> Vec<ClassRef> {
        self.dictionary.lock().expect("dictionary").values().copied().collect()
    }
    /// Room of the dictionary, in classes.
    pub fn dictionary_capacity(&self) -> usize {
        self.dictionary.lock().expect("dictionary").capacity()
    }
    /// All classes that this loader defined, arrays included.
    pub fn for_each(&self, f: &mut dyn FnMut(ClassRef)) {
        let n = self.defined.lock().expect("defined classes").len();
        for i in 0..n {
            // Classes may go while `f` runs: those behind them are then skipped.
            let Some(c) = self.defined.lock().expect("defined classes").get(i).copied() else { break };
            f(c);
        }
    }
    /// As messages name a loader: `'app'`, `bootstrap`, `com.Foo @1b2c3d`.
    pub fn describe(&self, th: &Thread) -> String {
        let java = self.java.get();
        if java.is_null() {
            return "bootstrap".into();
        }
        let n = java.get_ref(known::offsets().loader_name_and_id);
        if n.is_null() {
            let hash = crate::sync::identity_hash(th, java);
            format!("{} @{hash:x}", crate::names::external(java.class()))
        } else {
            strings::to_string(n)
        }
    }
}

/// The boot loader.
pub fn boot() -> &'static Loader {
    BOOT.get_or_init(|| Loader::make(false))
}
/// The loader of a ClassLoader object; null is the boot loader.
pub fn of_object(java: Obj) -> &'static Loader {
    if java.is_null() {
        return boot();
    }
    let off = known::offsets().loader_data;
    let p = java.get_u64(off) as *const Loader;
    if !p.is_null() {
        // SAFETY: only this function stores the injected field; loaders are never freed.
        return unsafe { &*p };
    }
    // Two threads may race to be first; one list entry of the loser stays unused.
    static MAKE: Mutex<()> = Mutex::new(());
    let _one = MAKE.lock().expect("loader creation");
    let p = java.get_u64(off) as *const Loader;
    if !p.is_null() {
        // SAFETY: as above.
        return unsafe { &*p };
    }
    // The JDK's own loaders live as long as the VM.
    let l = Loader::make(!java.class().name.as_bytes().starts_with(b"jdk/internal/loader/ClassLoaders$"));
    crate::roots::keep(&l.java, java);
    java.put_u64(off, l as *const Loader as u64);
    l
}
/// The platform loader, once the class library has made it.
pub fn platform(_th: &Thread) -> Option<&'static Loader> {
    PLATFORM.get().copied()
}
pub static PLATFORM: OnceLock<&'static Loader> = OnceLock::new();
pub static SYSTEM: OnceLock<&'static Loader> = OnceLock::new();

pub fn all_loaders() -> Vec<&'static Loader> {
    ALL.lock().expect("loader list").clone()
}
pub fn all_classes(f: &mut dyn FnMut(ClassRef)) {
    for l in all_loaders() {
        l.for_each(f);
    }
}
/// Classes defined so far, arrays and primitives left out as HotSpot does.
pub fn loaded_count() -> u64 {
    CLASSES.load(Ordering::Relaxed)
}
pub fn find_loaded(name: Symbol, loader: &Loader) -> Option<ClassRef> {
    loader.find_loaded(name)
}

/// Throws what a second definition of a name gets.
///
/// # Errors
/// LinkageError.
pub fn duplicate<T>(th: &Thread, loader: &Loader, first: ClassRef) -> JResult<T> {
    let what = if first.is_interface() { "interface" } else { "class" };
    let of = if loader.is_boot() { "'bootstrap'".into() } else { loader.describe(th) };
    exceptions::throw(
        th,
        "java/lang/LinkageError",
        &format!(
            "loader {of} attempted duplicate {what} definition for {}. ({})",
            crate::names::external(first),
            crate::names::location_with_parent(th, first)
        ),
    )
}

/// Logs a finished load as HotSpot's `-Xlog:class+load` does.
pub fn log_load(class: ClassRef, source: &str) {
    vm_log!(ClassLoad, Info, "{} source: {source}", crate::names::external(class));
    event_log::note(event_log::Kind::Loaded, 0, format!("Loading class {} done", class.name));
}

/// Makes classes of this loader visible that the VM itself makes (arrays, primitives).
pub fn adopt_boot(class: ClassRef) {
    class.flags.fetch_or(flags::BOOT, Ordering::Relaxed);
    boot().adopt(class);
}
