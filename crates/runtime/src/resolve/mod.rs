//! Resolution of symbolic references (JVMS 5.4.3): classes here, [`fields`], [`methods`], [`calls`],
//! and who may name what, [`access`] (5.4.4).
//!
//! Invariant: what a constant-pool-cache entry says is a resolution that was checked for this
//! class; entries are filled by one release store of `a` and never change. Failures of classes,
//! method types and handles are kept (`failures`), those of invokedynamic and dynamic constants, too
//! (`methodhandles`); fields and methods are looked up again, in classes that do not change.
mod access;
mod calls;
mod fields;
mod methods;
mod nest;

pub use access::{check_method_access, is_magic, is_magic_or_root};
pub use calls::{call_at, direct, through_adapter};
pub use fields::{field_answer, field_at, field_ref, fill_static, keeps_finals, named_field};
pub use methods::{lookup_interface_method, lookup_method, method_ref, special_body, special_target};
pub use nest::{nest_host, nestmates, unload};

use crate::info::ClassExt;
use crate::loader::{self, Loader};
use crate::{exceptions, failures, threads};
use concord_base::Symbol;
use concord_contract::{Class, ClassRef, CpEntry, JResult, Thread};
use std::sync::atomic::Ordering;

/// Entry `i` of the constant-pool cache of a linked class.
pub fn entry(class: &Class, i: u16) -> &'static CpEntry {
    // SAFETY: a linked class has a cache with an entry per constant and site, which lives as long.
    unsafe { &*class.cp_cache.load(Ordering::Acquire).add(i as usize) }
}

/// Loads a superclass or superinterface for a class under definition.
pub fn load_super(th: &Thread, name: Symbol, loader: &'static Loader) -> JResult<ClassRef> {
    threads::room_to_recurse(th)?;
    if loader.defining.with(th, name) {
        return exceptions::throw(th, "java/lang/ClassCircularityError", &name.as_str());
    }
    loader::find_referred(th, name, loader, name)
}

/// The class at constant `i` of `from`'s pool (JVMS 5.4.3.1), without a cache.
pub fn class_at_uncached(th: &Thread, from: ClassRef, i: u16) -> JResult<ClassRef> {
    let info = from.info();
    let name = info.constants().class_name(i);
    // No loader knows a hidden class.
    if from.is_hidden() && name == current(from).name.as_bytes() {
        return Ok(from);
    }
    let name = Symbol::intern(name);
    let c = loader::find_referred(th, name, info.loader, name)?;
    access::check_class_access(th, from, c)?;
    Ok(c)
}

/// The class at constant `i`, cached.
pub fn class_at(th: &Thread, from: ClassRef, i: u16) -> JResult<ClassRef> {
    if from.cp_cache.load(Ordering::Acquire).is_null() {
        return class_at_uncached(th, from, i);
    }
    let e = entry(from, i);
    let a = e.a.load(Ordering::Acquire);
    if a != 0 {
        // SAFETY: class entries hold addresses of classes.
        return Ok(unsafe { &*(a as *const Class) });
    }
    let c = failures::once(th, from, i, || class_at_uncached(th, from, i))?;
    e.a.store(c as *const Class as u64, Ordering::Release);
    Ok(c)
}

/// The class at constant `i` if it is loaded already.
pub fn class_at_if_loaded(from: ClassRef, i: u16) -> Option<ClassRef> {
    let name = Symbol::intern(from.info().constants().class_name(i));
    from.info().loader.find_loaded(name)
}

/// The array class over the class at constant `i`; fills both words of the entry.
pub fn array_of(th: &Thread, from: ClassRef, i: u16) -> JResult<ClassRef> {
    // Of the version that asks: the class may be redefined meanwhile.
    let e = entry(from, i);
    let c = class_at(th, from, i)?;
    let a = crate::arrays::array_class(th, c)?;
    e.b.store(a as *const Class as u64, Ordering::Release);
    Ok(a)
}

/// The class itself, where `c` is an old version of one that still runs.
pub fn current(c: ClassRef) -> ClassRef {
    if c.is_instance_class() { c.info().version_of.unwrap_or(c) } else { c }
}
