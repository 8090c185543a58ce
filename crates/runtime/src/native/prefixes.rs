//! Prefixes by which agents rename native methods to wrap them (JVM TI SetNativeMethodPrefix).
//!
//! Invariant: they change which function a native method is linked to, no name: a method that has prefixes before the name
//! of a method that is not native, of the same class and type, is linked as that one would be.
use crate::info::ClassExt;
use concord_base::Symbol;
use concord_contract::{ClassRef, MethodRef};
use std::sync::Mutex;

/// By owner; the one who came last has put the outermost prefix.
static PREFIXES: Mutex<Vec<(usize, Vec<Vec<u8>>)>> = Mutex::new(Vec::new());

/// Replaces the prefixes of one owner.
pub fn set(owner: usize, prefixes: Vec<Vec<u8>>) {
    let mut all = PREFIXES.lock().expect("native method prefixes");
    match all.iter_mut().find(|p| p.0 == owner) {
        Some(p) => p.1 = prefixes,
        None => all.push((owner, prefixes)),
    }
}
fn all() -> Vec<Vec<u8>> {
    PREFIXES.lock().expect("native method prefixes").iter().flat_map(|p| p.1.iter().cloned()).collect()
}

/// The method around the native `m`, under whose name its function is to be found.
pub fn wrapper(m: MethodRef) -> Option<MethodRef> {
    unprefixed(m).filter(|w| !w.is_native())
}
/// The method whose name that of `m` is with prefixes before it.
pub fn unprefixed(m: MethodRef) -> Option<MethodRef> {
    let mut name = m.name.as_bytes();
    for p in all().iter().rev() {
        name = name.strip_prefix(p.as_slice()).unwrap_or(name);
    }
    if name.len() == m.name.as_bytes().len() {
        return None;
    }
    m.class.declared_method(Symbol::lookup(name)?, m.descriptor)
}

/// The native method for which a function is registered by the name of its wrapper.
pub fn wrapped(class: ClassRef, name: &[u8], descriptor: Symbol) -> Option<MethodRef> {
    let mut name = name.to_vec();
    for mut trial in all() {
        trial.extend(&name);
        let Some(m) = Symbol::lookup(&trial).and_then(|s| class.declared_method(s, descriptor)) else { continue };
        if m.is_native() {
            return Some(m);
        }
        // It wraps, too: there are more.
        name = trial;
    }
    None
}
