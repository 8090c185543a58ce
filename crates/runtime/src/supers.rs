//! Whom a new class may extend and implement (JVMS 5.3.5).
//!
//! Invariant: a class that is not the boot loader's extends no class of `jdk.internal.reflect`, whose subclasses are not
//! checked, unless the class library's own loader of generated accessors defines it.
use crate::info::ClassExt;
use crate::loader::Loader;
use crate::{define, exceptions, modules, names, resolve};
use concord_base::Symbol;
use concord_classfile as cf;
use concord_contract::method::acc;
use concord_contract::{ClassRef, JResult, Thread};

/// Accessors that the class library generates are not checked: only the loader that it makes for them may extend
/// classes of that package.
fn check_accessor(th: &Thread, name: &str, loader: &'static Loader, s: ClassRef) -> JResult<()> {
    if loader.is_boot() || s.info().package != "jdk/internal/reflect" || loader.is_delegating() {
        return Ok(());
    }
    let text = format!(
        "class {name} loaded by {} cannot access jdk/internal/reflect superclass {}",
        loader.describe(th),
        names::external(s)
    );
    exceptions::throw(th, "java/lang/IllegalAccessError", &text)
}

/// Throws what a fault of a class file stands for.
///
/// # Errors
/// Always.
pub fn refused<T>(th: &Thread, e: &cf::FormatError) -> JResult<T> {
    exceptions::throw(th, e.kind.class_name(), &e.message)
}

/// Loads the superinterfaces of a class file, each as soon as its name was read: before a fault of the rest of the file
/// is told, and before the superclass is loaded. `own` is the name of a class that is not hidden.
///
/// # Errors
/// ClassFormatError, ClassCircularityError, IncompatibleClassChangeError, and what loading throws.
pub fn load_interfaces(
    th: &Thread,
    file: &mut cf::Begun<'_, '_>,
    loader: &'static Loader,
    own: Option<Symbol>,
) -> JResult<Vec<ClassRef>> {
    let mut interfaces = Vec::new();
    loop {
        let n = match file.next_interface() {
            Ok(Some(n)) => Symbol::intern(n),
            Ok(None) => return Ok(interfaces),
            Err(e) => return refused(th, &e),
        };
        if own == Some(n) {
            return exceptions::throw(th, "java/lang/ClassCircularityError", &n.as_str());
        }
        let k = resolve::load_super(th, n, loader)?;
        if !k.is_interface() {
            let text = format!(
                "class {} can not implement {}, because it is not an interface ({})",
                define::external(Symbol::intern(file.name())),
                names::external(k),
                names::location(th, k)
            );
            return exceptions::throw(th, "java/lang/IncompatibleClassChangeError", &text);
        }
        interfaces.push(k);
    }
}

/// What a superclass must not be. `full` is the name with the suffix of a hidden class.
///
/// # Errors
/// IncompatibleClassChangeError, ClassFormatError.
pub fn check_super(th: &Thread, name: Symbol, full: Symbol, s: ClassRef, is_interface: bool) -> JResult<()> {
    let icce = "java/lang/IncompatibleClassChangeError";
    if s.is_interface() {
        return exceptions::throw(
            th,
            icce,
            &format!("class {} has interface {} as super class", define::external(name), names::external(s)),
        );
    }
    if s.access_flags as u32 & acc::FINAL != 0 {
        return exceptions::throw(
            th,
            icce,
            &format!("class {} cannot inherit from final class {}", define::external(full), names::external(s)),
        );
    }
    if is_interface && s.name != "java/lang/Object" {
        return exceptions::throw(
            th,
            "java/lang/ClassFormatError",
            &format!("Interfaces must have java.lang.Object as superclass in class file {name}"),
        );
    }
    Ok(())
}

/// Whether a sealed `s` permits a subclass `name` of `loader` in module `m` (JVMS 5.3.5).
fn permits(
    s: ClassRef,
    name: Symbol,
    public: bool,
    loader: &'static Loader,
    m: Option<&'static modules::Module>,
) -> bool {
    let Some(permitted) = &s.info().file.permitted_subclasses else { return true };
    modules::has(m, s)
        && (public || same_package(name, loader, s))
        && permitted.iter().any(|i| s.info().constants().class_name(i) == name.as_bytes())
}
fn same_package(name: Symbol, loader: &'static Loader, s: ClassRef) -> bool {
    cf::names::package_of(name.as_bytes()) == s.info().package.as_bytes() && std::ptr::eq(s.info().loader, loader)
}

/// What the superclass and the superinterfaces allow: being extended (sealed), being named at all. `shown` is the name
/// in messages.
///
/// # Errors
/// IncompatibleClassChangeError, IllegalAccessError.
pub fn check_access(
    th: &Thread,
    (name, shown): (Symbol, &str),
    loader: &'static Loader,
    file: &cf::ClassFile<'_>,
    super_class: Option<ClassRef>,
    interfaces: &[ClassRef],
) -> JResult<()> {
    let m = modules::of_new(loader, Symbol::intern(cf::names::package_of(name.as_bytes())));
    let public = file.access_flags as u32 & acc::PUBLIC != 0;
    let (icce, iae) = ("java/lang/IncompatibleClassChangeError", "java/lang/IllegalAccessError");
    for s in super_class.into_iter().chain(interfaces.iter().copied()) {
        if !permits(s, name, public, loader, m) {
            let what = match (s.is_interface(), file.is_interface()) {
                (false, _) => "inherit from sealed class",
                (true, true) => "extend sealed interface",
                (true, false) => "implement sealed interface",
            };
            return exceptions::throw(th, icce, &format!("class {shown} cannot {what} {}", names::external(s)));
        }
        check_accessor(th, shown, loader, s)?;
        if same_package(name, loader, s) || resolve::is_magic_or_root(s) {
            continue;
        }
        if s.access_flags as u32 & acc::PUBLIC != 0 {
            match modules::check_new(shown, m, s) {
                Ok(()) => continue,
                Err(why) if s.is_interface() => {
                    return exceptions::throw(th, iae, &format!("superinterface check failed: {why}"));
                }
                Err(why) => return exceptions::throw(th, iae, &format!("superclass access check failed: {why}")),
            }
        }
        let what = match (s.is_interface(), s.is_abstract()) {
            (true, _) => "superinterface",
            (false, true) => "abstract superclass",
            (false, false) => "superclass",
        };
        return exceptions::throw(
            th,
            iae,
            &format!(
                "class {shown} cannot access its {what} {} ({})",
                names::external(s),
                names::locations_named(th, shown, loader, s)
            ),
        );
    }
    Ok(())
}
