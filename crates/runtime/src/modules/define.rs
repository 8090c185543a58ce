//! What java.lang.Module tells the VM: new modules, who reads and who exports.
//!
//! Invariant: a module is registered as a whole or not at all, and what is refused is refused in the words of HotSpot.
use super::{ALL, BOOT_UNNAMED, JAVA_BASE, Module, PACKAGES, is, make, of_object, of_package};
use crate::info::ClassExt;
use crate::loader::{self, Loader};
use crate::{exceptions, known, strings};
use concord_base::{Symbol, vm_log};
use concord_contract::{JResult, Obj, Thread};
use std::sync::atomic::Ordering;

fn illegal<T>(th: &Thread, msg: &str) -> JResult<T> {
    exceptions::throw(th, "java/lang/IllegalArgumentException", msg)
}

/// `Module.defineModule0`: `packages` is an array of names with dots or slashes.
///
/// # Errors
/// NullPointerException, IllegalArgumentException, IllegalStateException.
pub fn define(th: &Thread, java: Obj, open: bool, version: Obj, location: Obj, packages: Obj) -> JResult<()> {
    if java.is_null() {
        return exceptions::throw(th, "java/lang/NullPointerException", "Null module object");
    }
    let o = known::offsets();
    if !java.is_instance_of(known::classes().module) {
        return illegal(th, "module is not an instance of type java.lang.Module");
    }
    let name = java.get_ref(o.module_name);
    if name.is_null() {
        return illegal(th, "Module name cannot be null");
    }
    let name = strings::symbol_of(name);
    let l = loader::of_object(java.get_ref(o.module_loader));
    let n = if packages.is_null() { 0 } else { packages.array_len() };
    let mut list = Vec::with_capacity(n);
    for i in 0..n {
        let p = packages.array_ref(i);
        if p.is_null() || !p.is_instance_of(known::classes().string) {
            return illegal(th, "Bad package name object");
        }
        let text = strings::to_mutf8(p);
        let text: Vec<u8> = text.iter().map(|b| if *b == b'.' { b'/' } else { *b }).collect();
        list.push(Symbol::intern(&text));
    }
    let base = name == "java.base";
    if base && !l.is_boot() {
        return illegal(th, "Class loader must be the boot class loader");
    }
    if !l.is_boot()
        && !l.is_platform()
        && let Some(p) = list.iter().find(|p| p.as_bytes() == b"java" || p.as_bytes().starts_with(b"java/"))
    {
        let p = p.as_str().replace('/', ".");
        return illegal(
            th,
            &format!("Class loader (instance of): {} tried to define prohibited package name: {p}", l.describe(th)),
        );
    }
    register(th, name, l, &list)?;
    let m = make(Some(name), version, location, l, open, java);
    let mut packages = PACKAGES.write().expect("packages");
    let table = packages.get_or_insert_default();
    for p in &list {
        table.insert((l.id(), *p), m);
    }
    drop(packages);
    vm_log!(ModuleLoad, Info, "{name} location: {}", m.location.as_deref().unwrap_or("<none>"));
    if base {
        JAVA_BASE.store(std::ptr::from_ref(m).cast_mut(), Ordering::Release);
        fix_up_mirrors(java);
    }
    Ok(())
}

/// Checks that neither the module nor one of its packages is taken.
fn register(th: &Thread, name: Symbol, l: &'static Loader, list: &[Symbol]) -> JResult<()> {
    let state = "java/lang/IllegalStateException";
    let taken = ALL.lock().expect("modules").iter().any(|m| m.name == Some(name) && std::ptr::eq(m.loader, l));
    if taken {
        return exceptions::throw(th, state, &format!("Module {name} is already defined"));
    }
    let mut found = None;
    for p in list {
        if let Some(m) = of_package(l, *p) {
            found = Some((*p, m));
            break;
        }
    }
    if let Some((p, m)) = found {
        let other = m.name.map_or(String::new(), |n| n.to_string());
        return exceptions::throw(
            th,
            state,
            &format!(
                "Package {p} for module {name} is already in another module, {other}, defined to the class loader"
            ),
        );
    }
    if let Some(p) = in_unnamed(l, list) {
        let text =
            format!("Package {p} for module {name} is already in the unnamed module defined to the class loader");
        return exceptions::throw(th, state, &text);
    }
    Ok(())
}

/// A package of the list of which the loader has a class, in its unnamed module then. The boot loader's modules are
/// defined before it finds a class of any other.
fn in_unnamed(l: &'static Loader, list: &[Symbol]) -> Option<Symbol> {
    if l.is_boot() {
        return None;
    }
    let mut found = None;
    l.for_each(&mut |c| {
        if c.is_instance_class() && list.contains(&c.info().package) {
            found = Some(c.info().package);
        }
    });
    found
}

/// Gives every mirror that has no module yet java.base.
fn fix_up_mirrors(java_base: Obj) {
    let at = known::offsets().class_module;
    loader::all_classes(&mut |c| {
        let mirror = c.mirror.get();
        if !mirror.is_null() && mirror.get_ref(at).is_null() {
            concord_heap::store_ref(mirror, at, java_base);
        }
    });
}

/// `BootLoader.setBootLoaderUnnamedModule0`.
///
/// # Errors
/// NullPointerException, IllegalArgumentException.
pub fn set_boot_unnamed(th: &Thread, java: Obj) -> JResult<()> {
    if java.is_null() {
        return exceptions::throw(th, "java/lang/NullPointerException", "Null module object");
    }
    let o = known::offsets();
    if !java.get_ref(o.module_name).is_null() {
        return illegal(th, "boot loader's unnamed module's java.lang.Module has a name");
    }
    if !java.get_ref(o.module_loader).is_null() {
        return illegal(th, "Class loader must be the boot class loader");
    }
    let m = make(None, Obj::NULL, Obj::NULL, loader::boot(), true, java);
    BOOT_UNNAMED.store(std::ptr::from_ref(m).cast_mut(), Ordering::Release);
    Ok(())
}

fn known_module(th: &Thread, java: Obj, null: &str, invalid: &str) -> JResult<&'static Module> {
    if java.is_null() {
        return exceptions::throw(th, "java/lang/NullPointerException", null);
    }
    match of_object(java) {
        Some(m) => Ok(m),
        None => illegal(th, invalid),
    }
}

/// `Module.addReads0`; a null `to` means all unnamed modules.
///
/// # Errors
/// NullPointerException, IllegalArgumentException.
pub fn add_reads(th: &Thread, from: Obj, to: Obj) -> JResult<()> {
    let from = known_module(th, from, "from_module is null", "from_module is not valid")?;
    if to.is_null() {
        from.reads_all_unnamed.store(true, Ordering::Release);
        return Ok(());
    }
    let to = known_module(th, to, "to_module is null", "to_module is not valid")?;
    let mut reads = from.reads.write().expect("reads");
    if !is(from, to) && !reads.iter().any(|m| is(m, to)) {
        reads.push(to);
    }
    Ok(())
}

/// Whom [`add_exports`] exports to.
#[derive(Clone, Copy)]
pub enum To {
    Module(Obj),
    All,
    AllUnnamed,
}

/// `Module.addExports0` and its two relatives.
///
/// # Errors
/// NullPointerException, IllegalArgumentException.
pub fn add_exports(th: &Thread, from: Obj, package: Obj, to: To) -> JResult<()> {
    if package.is_null() {
        return exceptions::throw(th, "java/lang/NullPointerException", "package is null");
    }
    let from = known_module(th, from, "from_module is null", "from_module cannot be found")?;
    let text: Vec<u8> = strings::to_mutf8(package).iter().map(|b| if *b == b'.' { b'/' } else { *b }).collect();
    let package = Symbol::intern(&text);
    let target = match to {
        To::Module(j) => Some(known_module(th, j, "to_module is null", "to_module is invalid")?),
        _ => None,
    };
    let Some(name) = from.name else { return Ok(()) };
    if !of_package(from.loader, package).is_some_and(|m| is(m, from)) {
        let p = package.as_str().replace('/', ".");
        return illegal(th, &format!("Package {p} not found in from_module {name}"));
    }
    let mut exports = from.exports.write().expect("exports");
    let e = exports.entry(package).or_default();
    match (to, target) {
        (To::All, _) => e.to_all = true,
        (To::AllUnnamed, _) => e.to_unnamed = true,
        (To::Module(_), Some(m)) if !e.to.iter().any(|x| is(x, m)) => e.to.push(m),
        _ => {}
    }
    Ok(())
}
