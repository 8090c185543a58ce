//! Which classes extend or implement which, as far as they are linked, and what compiled code may
//! conclude from it.
//!
//! Invariant: a class is entered before it is linked, so before it has an instance: what the lists
//! do not show no object can be. Whoever concludes something from them has a dependency that
//! [`holds`] can check again, under the lock under which code is installed.
use crate::info::ClassExt;
use crate::methodhandles::call_sites;
use crate::vtable;
use concord_base::bug;
use concord_base::symbol::PtrMap;
use concord_contract::class::{Birth, flags};
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::Dependency;
use concord_contract::method::{NO_INDEX, mflags};
use concord_contract::{CallKind, Class, ClassRef, MethodRef};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Classes looked at for one conclusion; a call with more possible receivers is left virtual.
const LIMIT: usize = 48;

/// Direct subclasses and direct implementors, by class address.
static BELOW: Mutex<Option<PtrMap<usize, Vec<ClassRef>>>> = Mutex::new(None);

/// Enters a class that is about to be linked. Entering twice does no harm.
pub fn enter(class: ClassRef) {
    let mut below = BELOW.lock().expect("class hierarchy");
    let map = below.get_or_insert_with(PtrMap::default);
    // Interfaces count as subclasses of their superinterfaces only.
    let parent = class.super_class.filter(|_| !class.is_interface());
    for c in parent.into_iter().chain(class.info().interfaces.iter().copied()) {
        let list = map.entry(std::ptr::from_ref(c) as usize).or_default();
        if !list.contains(&class) {
            list.push(class);
        }
    }
}

/// Forgets classes that are unloaded.
pub fn forget(dead: &[ClassRef]) {
    let mut below = BELOW.lock().expect("class hierarchy");
    let Some(map) = below.as_mut() else { return };
    for c in dead {
        map.remove(&(std::ptr::from_ref::<Class>(c) as usize));
    }
    for list in map.values_mut() {
        list.retain(|c| !c.has_flag(flags::UNLOADED));
    }
}

/// Checks that no list has a class that is unloaded; part of `-XX:+VerifyAfterGC`.
pub fn verify() {
    let below = BELOW.lock().expect("class hierarchy");
    for c in below.iter().flat_map(|map| map.values()).flatten() {
        if c.has_flag(flags::UNLOADED) {
            bug!("the class hierarchy names {}, which is unloaded", c.name);
        }
    }
}

/// The class and all below it; None if there are too many.
fn all_below(class: ClassRef) -> Option<Vec<ClassRef>> {
    let below = BELOW.lock().expect("class hierarchy");
    let mut all = vec![class];
    let mut at = 0;
    while at < all.len() {
        let key = std::ptr::from_ref(all[at]) as usize;
        for c in below.as_ref().and_then(|m| m.get(&key)).into_iter().flatten() {
            if !all.contains(c) {
                all.push(c);
            }
        }
        if all.len() > LIMIT {
            return None;
        }
        at += 1;
    }
    Some(all)
}

/// The method that an object of exactly this class gets for a call of `m`.
fn selected(class: ClassRef, m: MethodRef) -> Option<MethodRef> {
    if m.class.is_interface() {
        let index = m.itable_index.load(Ordering::Relaxed);
        return if index == NO_INDEX { None } else { class.itable_method(m.class, index as usize) };
    }
    let index = vtable::index_in(class, m)?;
    (index < class.vtable_len()).then(|| class.vtable_method(index))
}

/// What calls of `m` on objects of `class` and its subclasses select, if that is one method.
fn unique(class: ClassRef, m: MethodRef) -> Option<MethodRef> {
    let mut found: Option<MethodRef> = None;
    for c in all_below(class)? {
        if c.is_interface() || c.is_abstract() {
            continue;
        }
        let t = selected(c, m).filter(|t| succeeds(t))?;
        if found.is_some_and(|f| f != t) {
            return None;
        }
        found = Some(t);
    }
    found
}

/// Whether a call that selects the method enters it, instead of throwing.
fn succeeds(t: MethodRef) -> bool {
    !t.is_abstract() && !t.has(mflags::NOT_PUBLIC | mflags::DEFAULT_CONFLICT)
}

/// What calls of `m` on objects of exactly `class` select.
pub fn target_in(m: MethodRef, class: ClassRef) -> Option<MethodRef> {
    // Code that is never reached may call what the class does not have.
    let has =
        class.is_instance_class() && !class.is_abstract() && (m.class.is_interface() || class.is_subclass_of(m.class));
    has.then(|| selected(class, m))?.filter(|t| succeeds(t))
}

pub fn unique_target(call: &CallAnswer) -> Option<(MethodRef, Dependency)> {
    let class = match call.kind {
        CallKind::Virtual => call.named.filter(|c| c.is_instance_class() && !c.is_interface())?,
        // What the verifier does not check about interfaces a type guard would have to.
        _ => return None,
    };
    let target = unique(class, call.method)?;
    // The dependency names the target, which must be what it selects itself.
    (unique(class, target) == Some(target)).then_some((target, Dependency::UniqueTarget(class, target)))
}

/// Whether what a dependency says is still so.
pub fn holds(d: &Dependency) -> bool {
    match d {
        Dependency::NoSubclass(c) => all_below(c).is_some_and(|v| v.len() == 1),
        Dependency::UniqueTarget(c, m) => unique(c, m) == Some(m),
        Dependency::UniqueConcrete(c, only) => all_below(c).is_some_and(|v| {
            v.iter().all(|x: &ClassRef| x.is_interface() || x.is_abstract() || std::ptr::eq::<Class>(*x, *only))
        }),
        Dependency::Target(number) => call_sites::stands(*number),
        Dependency::BornLocal(c) => c.birth_in_code() == Birth::Local,
    }
}
