//! Nests (JVMS 5.4.4): whose private members a class may use.
//!
//! Invariant: a class's nest host is decided once and for all; a host that cannot be resolved or does
//! not list the class makes it its own host, and the reason is kept for the access error that it leads to.
use super::{class_at_uncached, current};
use crate::info::ClassExt;
use crate::{exceptions, names};
use concord_contract::{Class, ClassRef, JResult, Thread, Thrown};

/// The nest host (JVMS 5.4.4), validated once; an invalid host makes a class its own.
pub fn nest_host(th: &Thread, class: ClassRef) -> JResult<ClassRef> {
    let class = current(class);
    let info = class.info();
    if let Some(h) = info.nest_host.get() {
        return Ok(h);
    }
    let host = match info.file.nest_host {
        None => class,
        Some(i) => match class_at_uncached(th, class, i) {
            Ok(h) => match not_a_member(class, h) {
                None => h,
                Some(why) => {
                    let text = format!(
                        "Type {} (loader: {}) is not a nest member of type {} (loader: {}): {why}",
                        names::external(class),
                        loader_word(th, class),
                        names::external(h),
                        loader_word(th, h)
                    );
                    note_error(class, text);
                    class
                }
            },
            Err(Thrown) => {
                // JVMS: a host that cannot be resolved is an error only of the access check that
                // asked; errors of the VM itself are passed on.
                let e = th.take_exception();
                if e.is_instance_of(crate::known::classes().virtual_machine_error) {
                    return th.throw(e);
                }
                let host = concord_base::symbol::text(info.constants().class_name(i)).replace('/', ".");
                note_error(
                    class,
                    format!(
                        "Nest host resolution of {} with host {host} failed: {}",
                        names::external(class),
                        exceptions::describe(e)
                    ),
                );
                class
            }
        },
    };
    Ok(info.nest_host.get_or_init(|| host))
}

/// Why `host` does not take `class` for a member of its nest.
fn not_a_member(class: ClassRef, host: ClassRef) -> Option<&'static str> {
    if !host.is_instance_class() || !host.same_package(class) {
        return Some("types are in different packages");
    }
    let h = host.info();
    let listed = h.file.nest_members.iter().any(|m| h.constants().class_name(m) == class.name.as_bytes());
    (!listed).then_some("current type is not listed as a nest member")
}

fn loader_word(th: &Thread, c: ClassRef) -> String {
    if c.loader().is_boot() { "'bootstrap'".into() } else { c.loader().describe(th) }
}

/// Texts of failed nest-host validations, by class.
static ERRORS: std::sync::Mutex<Vec<(ClassRef, String)>> = std::sync::Mutex::new(Vec::new());
fn note_error(class: ClassRef, text: String) {
    concord_base::vm_log!(ClassLoad, Debug, "{text}");
    ERRORS.lock().expect("nest errors").push((class, text));
}
/// Forgets classes that were unloaded.
pub fn unload(is_dead: &dyn Fn(&Class) -> bool) {
    ERRORS.lock().expect("nest errors").retain(|e| !is_dead(e.0));
}
/// `, (text), (text)` for an access error between two classes.
pub(super) fn errors(a: ClassRef, b: ClassRef) -> String {
    let all = ERRORS.lock().expect("nest errors");
    all.iter().filter(|e| e.0 == a || e.0 == b).map(|e| format!(", ({})", e.1)).collect()
}

pub fn nestmates(th: &Thread, a: ClassRef, b: ClassRef) -> JResult<bool> {
    let (a, b) = (current(a), current(b));
    if a == b {
        return Ok(true);
    }
    if !a.is_instance_class() || !b.is_instance_class() {
        return Ok(false);
    }
    let (ia, ib) = (a.info(), b.info());
    let lone = |i: &crate::ClassInfo| {
        i.file.nest_host.is_none() && i.file.nest_members.is_empty() && i.nest_host.get().is_none()
    };
    if lone(ia) || lone(ib) {
        return Ok(false);
    }
    Ok(nest_host(th, a)? == nest_host(th, b)?)
}
