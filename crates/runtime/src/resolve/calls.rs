//! Call sites: what an invoke instruction calls, as a record that the engines read.
//!
//! Invariant: a record never changes and lives as long as the class whose code has it; it is made
//! after every check of the call that does not depend on the receiver.
use super::methods::{method_ref, special_target};
use super::{current, entry};
use crate::info::ClassExt;
use crate::{exceptions, init, methodhandles, names, roots, vtable};
use concord_contract::class::{Root, flags as class_flags};
use concord_contract::method::{NO_INDEX, acc};
use concord_contract::{CallKind, CallSite, Class, ClassRef, CpEntry, JResult, MethodRef, Obj, Thread};
use std::sync::atomic::Ordering;

/// Gives a call site the life of the class whose code has it.
fn keep(from: ClassRef, site: CallSite) -> &'static CallSite {
    let site = Box::leak(Box::new(site));
    if from.has_flag(class_flags::UNLOADABLE) {
        from.info().owned.sites.lock().expect("call sites").push(site as *mut CallSite as usize);
    }
    site
}

/// A record for a direct call.
pub fn direct(from: ClassRef, m: MethodRef) -> &'static CallSite {
    direct_on(from, m, std::ptr::null())
}
/// As well, of receivers that must implement `requested`.
fn direct_on(from: ClassRef, m: MethodRef, requested: *const Class) -> &'static CallSite {
    let kind = if m.is_static() { CallKind::Static } else { CallKind::Special };
    keep(
        from,
        CallSite {
            method: m,
            nargs_bytes: m.nargs_bytes,
            index: NO_INDEX,
            interface: std::ptr::null(),
            kind,
            requested,
            appendix: std::ptr::null(),
        },
    )
}

/// The record that an earlier resolution of an invokestatic made. The thread that initializes a class
/// resolves each call of its methods anew.
fn known_direct(e: &CpEntry, m: MethodRef) -> Option<&'static CallSite> {
    // SAFETY: the entry of a method that was called statically is 0 or holds a record, which lives as long as the entry.
    let site = unsafe { (e.a.load(Ordering::Acquire) as *const CallSite).as_ref() }?;
    (site.kind == CallKind::Static && std::ptr::eq(site.method, m)).then_some(site)
}

/// A record for a call through an adapter of method handles.
pub fn through_adapter(from: ClassRef, adapter: MethodRef, nargs_bytes: u32, appendix: Obj) -> &'static CallSite {
    let root: *const Root = if appendix.is_null() { std::ptr::null() } else { roots::new_root_of(from, appendix) };
    // The adapter often is a hidden class's: nothing else may hold it.
    if adapter.class.has_flag(class_flags::UNLOADABLE) {
        roots::new_root_of(from, adapter.class.mirror.get());
    }
    keep(
        from,
        CallSite {
            method: adapter,
            nargs_bytes,
            index: NO_INDEX,
            interface: std::ptr::null(),
            kind: CallKind::Handle,
            requested: std::ptr::null(),
            appendix: root,
        },
    )
}

/// A virtual call of `m` named through `named`, of receivers that must implement `requested`.
fn virtual_site(
    th: &Thread,
    from: ClassRef,
    m: MethodRef,
    named: ClassRef,
    requested: *const Class,
) -> JResult<&'static CallSite> {
    let final_target = m.is_private()
        || (m.has(acc::FINAL) && !m.class.is_interface())
        || (m.class.access_flags as u32 & acc::FINAL != 0 && !m.class.is_interface());
    if final_target {
        return Ok(direct_on(from, m, requested));
    }
    let table_of = if named.is_array() { crate::known::classes().object } else { named };
    match vtable::index_in(table_of, m) {
        Some(i) => Ok(keep(
            from,
            CallSite {
                method: m,
                nargs_bytes: m.nargs_bytes,
                index: i as u32,
                interface: std::ptr::null(),
                kind: CallKind::Virtual,
                requested,
                appendix: std::ptr::null(),
            },
        )),
        None => exceptions::throw(th, "java/lang/AbstractMethodError", &names::method(m)),
    }
}

/// Resolves invokevirtual (182), invokespecial, invokestatic, invokeinterface (185).
pub fn call_at(th: &Thread, caller: MethodRef, i: u16, opcode: u8) -> JResult<(&'static CallSite, bool)> {
    let from = caller.class;
    let e = entry(from, i);
    if (opcode == 182 || opcode == 184)
        && let Some(site) = methodhandles::polymorphic_site(th, from, i, opcode == 184)?
    {
        e.a.store(site as *const CallSite as u64, Ordering::Release);
        return Ok((site, true));
    }
    let (m, named) = method_ref(th, from, i, opcode)?;
    let icce = "java/lang/IncompatibleClassChangeError";
    let mut quick = true;
    let site = match opcode {
        184 => {
            if !m.is_static() {
                return exceptions::throw(th, icce, &format!("Expected static method '{}'", names::method(m)));
            }
            init::initialize(th, m.class)?;
            quick = m.class.is_initialized();
            known_direct(e, m).unwrap_or_else(|| direct(from, m))
        }
        _ if m.is_static() => {
            let of_interface = opcode == 185 || named.is_interface();
            let what = if of_interface { "Expected instance not static method" } else { "Expecting non-static method" };
            return exceptions::throw(th, icce, &format!("{what} '{}'", names::method(m)));
        }
        183 => {
            let m = special_target(th, from, named, m)?;
            if m.is_init() && m.class != named {
                return exceptions::throw(
                    th,
                    "java/lang/NoSuchMethodError",
                    &format!("{}: method '{}' not found", names::external(named), names::method(m)),
                );
            }
            let own = from.is_interface() && !m.is_init();
            direct_on(from, m, if own { current(from) } else { std::ptr::null() })
        }
        182 => virtual_site(th, from, m, named, std::ptr::null())?,
        _ => {
            if m.is_private() {
                direct_on(from, m, named)
            } else if !m.class.is_interface() {
                virtual_site(th, from, m, crate::known::classes().object, named)?
            } else {
                let index = m.itable_index.load(Ordering::Relaxed);
                keep(
                    from,
                    CallSite {
                        method: m,
                        nargs_bytes: m.nargs_bytes,
                        index,
                        interface: m.class,
                        kind: CallKind::Interface,
                        requested: if m.class == named { std::ptr::null() } else { named },
                        appendix: std::ptr::null(),
                    },
                )
            }
        }
    };
    // invokespecial's record is the instruction's own: the same constant may be called virtually.
    if opcode != 183 {
        e.a.store(site as *const CallSite as u64, Ordering::Release);
    }
    Ok((site, quick))
}
