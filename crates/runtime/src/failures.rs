//! References that failed to resolve fail again with the same error (JVMS 5.4.3).
//!
//! Invariant: a failure is kept from the first LinkageError of a constant on, whatever its loader would say later; other
//! throwables do not count. As on HotSpot the error is kept by names and texts, its own and its cause's: each further
//! attempt throws a new one, whose classes the boot loader finds or which is a NoClassDefFoundError for the name.
use crate::info::ClassExt;
use crate::{exceptions, handles, known, resolve, strings};
use concord_base::Symbol;
use concord_classfile::Constant;
use concord_contract::{ClassRef, JResult, Obj, Thread, Thrown};
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Clone)]
struct Throwable {
    class: String,
    message: Option<String>,
}

#[derive(Clone)]
struct Failure {
    error: Throwable,
    cause: Option<Throwable>,
}

/// By the address of the constant's cache entry.
static FAILURES: Mutex<Option<HashMap<usize, Failure>>> = Mutex::new(None);

/// The result of `resolve`, or the failure that constant `i` of `from`, which is linked, had before.
///
/// # Errors
/// What `resolve` throws, and what it threw before.
pub fn once<T>(th: &Thread, from: ClassRef, i: u16, resolve: impl FnOnce() -> JResult<T>) -> JResult<T> {
    let key = resolve::entry(from, i) as *const _ as usize;
    let kept = FAILURES.lock().expect("failed references").as_ref().and_then(|f| f.get(&key).cloned());
    if let Some(f) = kept {
        return again(th, &f);
    }
    match resolve() {
        Err(Thrown) => {
            keep(th, from, i, key);
            Err(Thrown)
        }
        r => r,
    }
}

fn described(e: Obj) -> Throwable {
    let message = e.get_ref(known::offsets().throwable_message);
    Throwable {
        class: e.class().name.as_str().into_owned(),
        message: (!message.is_null()).then(|| strings::to_string(message)),
    }
}

/// Keeps the pending exception, which stays pending.
fn keep(th: &Thread, from: ClassRef, i: u16, key: usize) {
    let e = th.exception.get();
    if !e.is_instance_of(known::classes().linkage_error) {
        return;
    }
    let mut error = described(e);
    // Without a message of its own the error names the constant from now on.
    error.message.get_or_insert_with(|| named(from, i));
    let cause = e.get_ref(known::offsets().throwable_cause);
    let cause = (!cause.is_null() && cause != e).then(|| described(cause));
    FAILURES.lock().expect("failed references").get_or_insert_default().entry(key).or_insert(Failure { error, cause });
}

fn named(from: ClassRef, i: u16) -> String {
    let pool = from.info().constants();
    let text = match pool.get(i) {
        Some(Constant::MethodType(u)) => pool.utf8(*u),
        Some(Constant::MethodHandle { reference, .. }) => pool.ref_name_and_type(*reference).name,
        _ => pool.class_name(i),
    };
    Symbol::intern(text).as_str().into_owned()
}

fn again<T>(th: &Thread, f: &Failure) -> JResult<T> {
    let scope = handles::Scope::new(th);
    let cause = match &f.cause {
        Some(c) => scope.handle(made(th, c)?),
        None => scope.handle(Obj::NULL),
    };
    let e = made(th, &f.error)?;
    let r = th.throw(e);
    if cause.get().is_null() { r } else { exceptions::with_cause(th, cause.get()) }
}

fn made(th: &Thread, t: &Throwable) -> JResult<Obj> {
    match exceptions::new(th, &t.class, t.message.as_deref()) {
        Err(Thrown) if th.exception.get().is_instance_of(known::classes().class_not_found_exception) => {
            th.take_exception();
            exceptions::new(th, "java/lang/NoClassDefFoundError", Some(&t.class))
        }
        r => r,
    }
}

/// Forgets the failures of constant-pool caches that go.
pub fn unload(is_dead: &dyn Fn(usize) -> bool) {
    if let Some(f) = FAILURES.lock().expect("failed references").as_mut() {
        f.retain(|key, _| !is_dead(*key));
    }
}
