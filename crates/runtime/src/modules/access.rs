//! Who may use whose classes, and why not.
//!
//! Invariant: what is told as the reason is what was decided.
use super::{JAVA_BASE, Module, element, get, of};
use crate::info::ClassExt;
use concord_contract::{Class, Thread};
use std::sync::atomic::Ordering;

/// Why a class may not be used from another module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Ok,
    /// The other module is not read.
    NotReadable,
    /// The package is not exported.
    NotExported,
}

pub(super) fn is(a: &Module, b: &Module) -> bool {
    std::ptr::eq(a, b)
}
fn reads(from: &Module, to: &Module) -> bool {
    // An unnamed module reads all; all read java.base.
    from.name.is_none()
        || get(&JAVA_BASE).is_some_and(|b| is(b, to))
        || (to.name.is_none() && from.reads_all_unnamed.load(Ordering::Acquire))
        || from.reads.read().expect("reads").iter().any(|m| is(m, to))
}

/// Whether code of `from` may name the public class `to`, as far as modules are concerned.
pub fn access(from: &Class, to: &Class) -> Access {
    let (Some(mf), Some(mt)) = (of(from), of(to)) else { return Access::Ok };
    between(mf, mt, to)
}
pub(super) fn between(mf: &'static Module, mt: &'static Module, to: &Class) -> Access {
    if is(mf, mt) {
        return Access::Ok;
    }
    if !reads(mf, mt) {
        return Access::NotReadable;
    }
    if mt.open {
        return Access::Ok;
    }
    let exports = mt.exports.read().expect("exports");
    let to = element(to);
    let exported = to.is_primitive()
        || exports
            .get(&to.info().package)
            .is_some_and(|e| e.to_all || (e.to_unnamed && mf.name.is_none()) || e.to.iter().any(|m| is(m, mf)));
    if exported { Access::Ok } else { Access::NotExported }
}
pub fn can_read(from: &Class, to: &Class) -> bool {
    access(from, to) != Access::NotReadable
}
pub fn exports(to: &Class, from: &Class) -> bool {
    access(from, to) != Access::NotExported
}

/// Whether code of `from` may name the public class `to`.
pub fn accessible(from: &Class, to: &Class) -> bool {
    access(from, to) == Access::Ok
}
/// Whether two classes are in the same module.
pub fn same(a: &Class, b: &Class) -> bool {
    match (of(a), of(b)) {
        (Some(a), Some(b)) => is(a, b),
        _ => true,
    }
}
fn text(m: &Module) -> String {
    match m.name {
        Some(n) => format!("module {n}"),
        // As HotSpot names an unnamed module: by its hash.
        None => format!("unnamed module @{:#x}", crate::sync::identity_hash(Thread::current(), m.java.get())),
    }
}
/// `module java.base`, `unnamed module @0x1b2c3d`.
pub fn describe(c: &Class) -> String {
    of(c).map_or("module java.base".to_string(), text)
}
/// Why `to` is not accessible from `from`: `class C (in module b) cannot access class p.D (in module
/// a) because module a does not export p to module b`.
pub fn why_not(from: &Class, to: &Class) -> String {
    let (Some(mf), Some(mt)) = (of(from), of(to)) else { return String::new() };
    told(access(from, to), &from.external_name(), mf, mt, to)
}
pub(super) fn told(why: Access, name: &str, mf: &'static Module, mt: &'static Module, to: &Class) -> String {
    let (from, of) = (text(mf), text(mt));
    let because = if why == Access::NotReadable {
        format!("{from} does not read {of}")
    } else {
        let package = element(to).info().package.as_str().replace('/', ".");
        format!("{of} does not export {package} to {from}")
    };
    format!("class {name} (in {from}) cannot access class {} (in {of}) because {because}", to.external_name())
}
