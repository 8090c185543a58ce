//! The walks of the first version of the interface, which agents may still ask for.
//!
//! Invariant: each is a walk of [`follow`](super::follow) or [`heap`](super::heap) whose callback calls the agent's with the
//! older arguments and translates the answer.
use super::environment::Env;
use super::follow::{self, Info, VISIT, kind};
use super::heap::{self, ABORT, Callbacks, TAGGED, UNTAGGED};
use super::{Answer, class_of, error, in_vm};
use crate::env::Ref;
use std::ffi::c_void;

type Root = extern "C" fn(i32, i64, i64, *mut i64, *mut c_void) -> i32;
type Stack = extern "C" fn(i32, i64, i64, *mut i64, i64, i32, u64, i32, *mut c_void) -> i32;
type Reference = extern "C" fn(i32, i64, i64, *mut i64, i64, i32, *mut c_void) -> i32;
type Object = extern "C" fn(i64, i64, *mut i64, *mut c_void) -> i32;

/// Kinds of roots had numbers of their own, in the same order.
const FIRST_ROOT: i32 = kind::JNI_GLOBAL - 1;

/// What the agent wants to be called.
struct Old {
    root: Option<Root>,
    stack: Option<Stack>,
    reference: Option<Reference>,
    data: *mut c_void,
}

extern "C" fn tell(
    kind: i32,
    info: *const Info,
    class_tag: i64,
    _from_class: i64,
    bytes: i64,
    tag: *mut i64,
    from: *mut i64,
    _length: i32,
    old: *mut c_void,
) -> i32 {
    // SAFETY: `walk` passes it; the information is null or that of the kind, the tags are the walk's.
    let (old, info, from) = unsafe { (&*old.cast::<Old>(), info.as_ref(), from.as_ref().copied().unwrap_or(0)) };
    let word = |i: usize| info.map_or(0, |w| w[i]);
    let answer = match kind {
        kind::STACK | kind::JNI_LOCAL => old.stack.map(|f| {
            let slot = if kind == kind::STACK { word(5) as i32 } else { -1 };
            f(kind - FIRST_ROOT, class_tag, bytes, tag, word(0) as i64, word(2) as i32, word(3), slot, old.data)
        }),
        FIRST_ROOT.. => old.root.map(|f| f(kind - FIRST_ROOT, class_tag, bytes, tag, old.data)),
        _ => old.reference.map(|f| {
            let index = info.map_or(-1, |w| w[0] as i32);
            let kind = if kind == kind::SUPERCLASS { kind::CLASS } else { kind };
            f(kind, class_tag, bytes, tag, from, index, old.data)
        }),
    };
    match answer {
        None | Some(1) => VISIT,
        Some(0) => ABORT,
        Some(_) => 0,
    }
}

fn walk(e: &Env, initial: Ref, old: &Old) -> i32 {
    in_vm(|vm| {
        let callbacks = Callbacks { reference: Some(tell), ..Callbacks::default() };
        follow::walk(vm, e, 0, None, initial, &callbacks, std::ptr::from_ref(old).cast_mut().cast());
        Ok(())
    })
}

pub extern "C" fn from_object(e: &Env, o: Ref, reference: Option<Reference>, data: *mut c_void) -> i32 {
    if reference.is_none() {
        return error::NULL_POINTER;
    }
    if o.is_null() {
        return error::INVALID_OBJECT;
    }
    walk(e, o, &Old { root: None, stack: None, reference, data })
}

pub extern "C" fn reachable(
    e: &Env,
    root: Option<Root>,
    stack: Option<Stack>,
    reference: Option<Reference>,
    data: *mut c_void,
) -> i32 {
    if root.is_none() && stack.is_none() && reference.is_none() {
        return error::NONE;
    }
    walk(e, Ref::NULL, &Old { root, stack, reference, data })
}

struct OldIteration(Object, *mut c_void);

extern "C" fn tell_object(class_tag: i64, bytes: i64, tag: *mut i64, _length: i32, old: *mut c_void) -> i32 {
    // SAFETY: `iterate` passes it.
    let OldIteration(f, data) = unsafe { &*old.cast::<OldIteration>() };
    if f(class_tag, bytes, tag, *data) == 0 { ABORT } else { 0 }
}

fn iterate(e: &Env, class: Option<Ref>, filter: i32, f: Option<Object>, data: *mut c_void) -> i32 {
    in_vm(|vm| -> Answer {
        let class = class.map(class_of).transpose()?;
        let Some(f) = f else { return Err(error::NULL_POINTER) };
        let filter = match filter {
            1 => UNTAGGED,
            2 => TAGGED,
            _ => 0,
        };
        let callbacks = Callbacks { iteration: Some(tell_object), ..Callbacks::default() };
        let old = OldIteration(f, data);
        // Subclasses' objects, too, in contrast to what came later.
        let is_wanted = |c: concord_contract::ClassRef| class.is_none_or(|k| c.is_subclass_of(k));
        heap::walk(vm, e, filter, is_wanted, &callbacks, std::ptr::from_ref(&old).cast_mut().cast());
        Ok(())
    })
}

pub extern "C" fn heap(e: &Env, filter: i32, f: Option<Object>, data: *mut c_void) -> i32 {
    iterate(e, None, filter, f, data)
}
pub extern "C" fn of_class(e: &Env, class: Ref, filter: i32, f: Option<Object>, data: *mut c_void) -> i32 {
    iterate(e, Some(class), filter, f, data)
}
