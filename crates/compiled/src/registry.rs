//! Which code there is, and what it depends on.
//!
//! Invariant: code is in the lists of what it depends on until no frame goes on in it, closed or not.
use concord_base::bug;
use concord_contract::ClassRef;
use concord_contract::code_table::Installed;
use concord_contract::compiled::Dependency;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

/// Code by what may end it.
#[derive(Default)]
pub struct Registry {
    /// Code with what it depends on, by the class whose loading may end it.
    pub by_class: HashMap<usize, Vec<(&'static Installed, Dependency)>>,
    /// Code by the numbers of the call sites on whose targets it depends.
    pub by_target: HashMap<u32, Vec<&'static Installed>>,
    /// Code by the classes whose objects it makes LOCAL, and these classes by the code: nearly all code is here.
    pub making: HashMap<usize, Vec<&'static Installed>>,
    made: HashMap<usize, Vec<usize>>,
    /// All valid code of each method.
    pub by_method: HashMap<usize, Vec<&'static Installed>>,
    /// Code by the classes whose addresses stand in it.
    pub by_embedded: HashMap<usize, Vec<&'static Installed>>,
    /// Invalid code whose memory is not free yet.
    pub dying: Vec<&'static Installed>,
    /// Those of them in which frames go on, or will until a stop that is still to come: what they depend on matters as before.
    pub loose: Vec<&'static Installed>,
}
impl Registry {
    /// What the code depends on matters from now on.
    pub fn enter(&mut self, code: &'static Installed, dependencies: &[Dependency], classes: &[ClassRef]) {
        for d in dependencies {
            match d {
                Dependency::NoSubclass(c) | Dependency::UniqueTarget(c, _) | Dependency::UniqueConcrete(c, _) => {
                    self.by_class.entry(key(*c)).or_default().push((code, *d));
                }
                Dependency::Target(number) => self.by_target.entry(*number).or_default().push(code),
                Dependency::BornLocal(c) => {
                    self.making.entry(key(*c)).or_default().push(code);
                    self.made.entry(key(code)).or_default().push(key(*c));
                }
            }
        }
        for c in classes {
            self.by_embedded.entry(key(*c)).or_default().push(code);
        }
        self.by_method.entry(key(code.method)).or_default().push(code);
    }
    /// What the code depends on matters no more: no frame goes on in it.
    pub fn forget(&mut self, code: &[&'static Installed]) {
        let gone: HashSet<usize> = code.iter().map(|c| key(*c)).collect();
        self.by_class.values_mut().for_each(|v| v.retain(|(c, _)| !gone.contains(&key(*c))));
        self.by_embedded.values_mut().for_each(|v| v.retain(|c| !gone.contains(&key(*c))));
        self.by_target.retain(|_, v| {
            v.retain(|c| !gone.contains(&key(*c)));
            !v.is_empty()
        });
        for c in code {
            for class in self.made.remove(&key(*c)).into_iter().flatten() {
                if let Some(v) = self.making.get_mut(&class) {
                    v.retain(|m| !std::ptr::eq(*m, *c));
                }
            }
        }
        self.loose.retain(|c| !gone.contains(&key(*c)));
    }
}

/// Taken by whoever publishes code and by whoever ends what code depends on.
pub static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);

/// The registry under its lock.
pub fn registry(g: &mut MutexGuard<'static, Option<Registry>>) -> &'static mut Registry {
    let r: *mut Registry = g.get_or_insert_default();
    // SAFETY: the registry is a static; the caller keeps the guard as long as the reference.
    unsafe { &mut *r }
}

/// What code, methods and classes are found by: where they are.
pub fn key<T>(p: &T) -> usize {
    std::ptr::from_ref(p) as usize
}

/// Whether a dependency holds now; the runtime's hierarchy knows.
type Holds = fn(&Dependency) -> bool;
static HOLDS: std::sync::OnceLock<Holds> = std::sync::OnceLock::new();

/// Installs the judge; once, at boot.
pub fn set_holds(f: Holds) {
    if HOLDS.set(f).is_err() {
        bug!("the judge of dependencies is set twice");
    }
}
/// Asks it; without one nothing holds.
pub fn holds(d: &Dependency) -> bool {
    match HOLDS.get() {
        Some(f) => f(d),
        None => false,
    }
}
