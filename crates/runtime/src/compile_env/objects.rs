//! What a compiler may know of objects ([`ObjectPath`]).
//!
//! Invariant: objects are read while no stop can begin, so none moves and none goes; nothing is written but numbers of call
//! sites. A path is followed anew for every question: the compiler holds no object.
use crate::methodhandles::{call_sites, member_name};
use crate::reflection::boxing::Value;
use crate::{known, mirror};
use concord_contract::class::Root;
use concord_contract::constant_objects::{KnownObject, ObjectPath, Step};
use concord_contract::entries::tiers;
use concord_contract::{BasicType, ClassRef, MethodRef, Obj};
use std::time::Duration;

/// How long a compiler sleeps while the world is stopped.
const PAUSE: Duration = Duration::from_micros(100);

/// Runs `f` while no stop can begin. Waits for the end of one that is in force, so that code does not depend on when it was made;
/// but not where the stop waits for compilers.
fn still<R>(f: impl Fn() -> Option<R>) -> Option<R> {
    loop {
        match concord_safepoint::unless_stopped(&f) {
            Some(answer) => return answer,
            None if concord_safepoint::is_over() || tiers().is_some_and(|t| t.compilations_awaited()) => return None,
            None => std::thread::sleep(PAUSE),
        }
    }
}
/// Runs `f` on the object at the end of the path.
fn at<R>(path: &ObjectPath, f: impl Fn(Obj) -> Option<R>) -> Option<R> {
    still(|| f(follow(path)?))
}

fn follow(path: &ObjectPath) -> Option<Obj> {
    // SAFETY: roots stay where they are while code is made that names them, and hold null or an object, which does not move now.
    let start = unsafe { (*(path.root as *const Root)).get() };
    let on = |o: Obj, step: &Step| {
        let stays = |o: &Obj| step.while_numbered == 0 || call_sites::has_number(*o, step.while_numbered);
        Some(o).filter(|o| !o.is_null()).filter(stays).map(|o| o.get_ref(step.offset as usize))
    };
    path.steps.iter().try_fold(start, on).filter(|o| !o.is_null())
}

pub fn object(path: &ObjectPath) -> Option<KnownObject> {
    at(path, |o| {
        let class = o.class();
        let k = known::classes();
        let is_member = std::ptr::eq(class, k.member_name);
        let runs = if is_member {
            member_name::target(o)
        } else if class.is_subclass_of(k.method_handle) {
            entry_point(o)
        } else {
            None
        };
        let index = is_member.then(|| o.get_i64(known::offsets().mn_vmindex));
        Some(KnownObject {
            class,
            length: if class.is_array() { o.array_len() as u32 } else { 0 },
            mirrors: std::ptr::eq(class, k.class).then(|| mirror::class_of(o)),
            runs,
            selected_by: index.and_then(|i| u32::try_from(i).ok()),
        })
    })
}

/// The method that runs the form of a method handle.
fn entry_point(handle: Obj) -> Option<MethodRef> {
    let o = known::offsets();
    let form = handle.get_ref(o.mh_form);
    let entry = (!form.is_null()).then(|| form.get_ref(o.form_vmentry))?;
    (!entry.is_null()).then(|| member_name::target(entry))?
}

pub fn word(path: &ObjectPath, offset: u32, ty: BasicType) -> Option<u64> {
    at(path, |o| Some(Value::load(ty, o, offset as usize).slot()))
}

pub fn same(a: &ObjectPath, b: &ObjectPath) -> Option<bool> {
    still(|| Some(follow(a)? == follow(b)?))
}

pub fn is_instance(path: &ObjectPath, class: ClassRef) -> Option<bool> {
    at(path, |o| Some(o.is_instance_of(class)))
}

pub fn call_site(path: &ObjectPath) -> Option<u32> {
    at(path, call_sites::number)
}
