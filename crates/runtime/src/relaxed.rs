//! Code and fields that keep the Java memory model: `@Relaxed` and the `VBDRelaxed*` flags.
//!
//! Invariant: `mflags::RELAXED` of a method is complete before the method can be translated, and
//! `FIELD_RELAXED` of a field before the field can be resolved. Both speak of the code as written:
//! a relaxed method's callees, a relaxed class's nested classes and subclasses are not relaxed.
//!
//! | where the annotation stands | what is relaxed |
//! |---|---|
//! | method, constructor | stores by its own bytecode |
//! | class | stores by the bytecode of all its methods, bodies of its lambdas included |
//! | `package-info` | the same for all classes that the same loader defines in the package |
//! | field | stores to it by any bytecode |
//!
//! The annotations of a package are those of its `package-info` class, which the class library does
//! not load by itself: for classes of the system loader outside the JDK it is asked for when the
//! first class of the package is linked. Other loaders are not asked, since a program would see
//! that; there the class counts if it has been loaded before.
use crate::info::{ClassExt, FIELD_RELAXED, FieldInfo, MethodExt};
use crate::{call, loader, modules, strings};
use concord_base::options::Flags;
use concord_base::{Symbol, vm_log};
use concord_contract::class::flags;
use concord_contract::method::mflags;
use concord_contract::{Class, ClassRef, JResult, MethodRef, Thread};
use concord_memory_model::policy;
use concord_memory_model::relaxed::{FlagTexts, Rules};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock};

static RULES: OnceLock<Rules> = OnceLock::new();
/// Packages, by loader, whose `package-info` has been asked for.
static PACKAGES: Mutex<Option<HashMap<(u64, Symbol), bool>>> = Mutex::new(None);

/// Reads the flags.
///
/// # Errors
/// The flag and pattern that has no syntax.
pub fn install(f: &Flags) -> Result<(), String> {
    let rules = Rules::parse(FlagTexts {
        methods: &f.vbd_relaxed_method,
        classes: &f.vbd_relaxed_class,
        packages: &f.vbd_relaxed_package,
        fields: &f.vbd_relaxed_field,
        locs: &f.vbd_relaxed_loc,
    })?;
    if !rules.is_empty() && RULES.set(rules).is_err() {
        return Err("the VBDRelaxed flags were read twice".into());
    }
    Ok(())
}

/// Whether a flag relaxes all code of the class.
pub fn class_by_flag(name: Symbol) -> bool {
    RULES.get().is_some_and(|r| r.class(&name.as_str()))
}
/// Whether a flag relaxes the method.
pub fn method_by_flag(class: Symbol, name: Symbol, descriptor: Symbol) -> bool {
    RULES.get().is_some_and(|r| r.method(&class.as_str(), &name.as_str(), &descriptor.as_str()))
}
/// Whether a flag relaxes the field.
pub fn field_by_flag(class: Symbol, name: Symbol) -> bool {
    RULES.get().is_some_and(|r| r.field(&class.as_str(), &name.as_str()))
}
/// Whether `VBDRelaxedLoc` relaxes accesses of `f` from `m`.
pub fn loc(m: MethodRef, f: &FieldInfo) -> bool {
    RULES.get().is_some_and(|r| {
        let from = (&*m.class.name.as_str(), &*m.name.as_str(), &*m.descriptor.as_str());
        let yes = r.loc(from, (&f.class.name.as_str(), &f.name.as_str()));
        if yes {
            vm_log!(Vbd, Info, "relaxed place {} -> {}.{}", m.external(), f.class.external_name(), f.name);
        }
        yes
    })
}

/// Logs what of a new class is relaxed; without sequential consistency nothing is more relaxed
/// than the rest.
pub fn log_class(class: &Class) {
    if !policy::vbd() {
        return;
    }
    if class.has_flag(flags::RELAXED) {
        vm_log!(Vbd, Info, "relaxed class {}", class.external_name());
    } else {
        for m in class.declared_methods().iter().filter(|m| m.has(mflags::RELAXED)) {
            vm_log!(Vbd, Info, "relaxed method {}", m.external());
        }
    }
    for f in class.declared_fields().iter().filter(|f| f.flags & FIELD_RELAXED != 0) {
        vm_log!(Vbd, Info, "relaxed field {}.{}", class.external_name(), f.name);
    }
}

/// Before a class is linked: relaxes its code if its package is relaxed by annotation.
///
/// # Errors
/// What loading `package-info` threw, other than that there is none.
pub fn before_link(th: &Thread, class: ClassRef) -> JResult<()> {
    let l = class.loader();
    if l.is_builtin() || !policy::vbd() || class.has_flag(flags::RELAXED) {
        return Ok(());
    }
    let package = class.info().package;
    if package.as_bytes().is_empty()
        || class.name.as_bytes().ends_with(b"/package-info")
        || !is_relaxed(th, class, package)?
    {
        return Ok(());
    }
    class.flags.fetch_or(flags::RELAXED, Ordering::Relaxed);
    for m in class.declared_methods() {
        m.flags.fetch_or(mflags::RELAXED, Ordering::Relaxed);
    }
    log_class(class);
    Ok(())
}

fn is_relaxed(th: &Thread, class: ClassRef, package: Symbol) -> JResult<bool> {
    let l = class.loader();
    let name = Symbol::from(format!("{package}/package-info").as_str());
    if let Some(c) = l.find_loaded(name) {
        return Ok(c.has_flag(flags::RELAXED));
    }
    let of_jdk = modules::of(class).and_then(|m| m.location.as_ref()).is_some_and(|at| at.starts_with("jrt:/"));
    let is_system = loader::SYSTEM.get().is_some_and(|s| std::ptr::eq(*s, l));
    let builtin = l.java.get().class().name == "jdk/internal/loader/ClassLoaders$AppClassLoader";
    if of_jdk || !is_system || !builtin {
        return Ok(false);
    }
    let key = (l.id(), package);
    {
        let mut asked = PACKAGES.lock().expect("relaxed packages");
        let asked = asked.get_or_insert_default();
        if let Some(known) = asked.get(&key) {
            return Ok(*known);
        }
        // Classes that are linked on the way to the answer do not ask again.
        asked.insert(key, false);
    }
    let text = strings::new_str(th, &format!("{package}.package-info").replace('/', "."))?;
    let found = call::call_virtual(
        th,
        l.java.get(),
        "loadClassOrNull",
        "(Ljava/lang/String;)Ljava/lang/Class;",
        &[text.addr() as u64],
    )?;
    let relaxed = found != 0 && l.find_loaded(name).is_some_and(|c| c.has_flag(flags::RELAXED));
    PACKAGES.lock().expect("relaxed packages").get_or_insert_default().insert(key, relaxed);
    if relaxed {
        vm_log!(Vbd, Info, "relaxed package {}", package.as_str().replace('/', "."));
    }
    Ok(relaxed)
}
