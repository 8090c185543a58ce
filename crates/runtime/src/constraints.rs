//! Loading constraints (JVMS 5.3.4): what several loaders must agree on.
//!
//! Invariant: for each name, the loaders of one row have, of the classes that they are initiating
//! loaders of under that name, at most one, and the row knows it; a loader is in at most one row
//! of a name. The table's lock is taken before a dictionary's, and no class enters a dictionary
//! but under it, so a constraint and a load that contradict each other cannot both succeed.
use crate::info::ClassExt;
use crate::loader::{self, Loader};
use crate::{exceptions, names};
use concord_base::Symbol;
use concord_base::symbol::PtrMap;
use concord_contract::{Class, ClassRef, JResult, MethodRef, Thread};
use std::sync::{Mutex, MutexGuard};

struct Row {
    loaders: Vec<&'static Loader>,
    /// The class that all of them mean, once one of them has loaded it.
    class: Option<ClassRef>,
}

impl Row {
    fn has(&self, l: &Loader) -> bool {
        self.loaders.iter().any(|k| std::ptr::eq(*k, l))
    }
}

#[derive(Default)]
pub struct Table {
    rows: PtrMap<Symbol, Vec<Row>>,
}

static TABLE: Mutex<Option<Table>> = Mutex::new(None);

/// The table, locked: see the invariant.
pub struct Locked(MutexGuard<'static, Option<Table>>);

/// Room of the table, names in it, bytes of a slot.
pub fn figures() -> (usize, usize, usize) {
    let t = TABLE.lock().expect("loading constraints");
    let (room, names) = t.as_ref().map_or((0, 0), |t| (t.rows.capacity(), t.rows.len()));
    (room, names, size_of::<(Symbol, Vec<Row>)>() + 1)
}

pub fn lock() -> Locked {
    Locked(TABLE.lock().expect("loading constraints"))
}

impl Locked {
    /// Whether `loader` may have `class` under `name`; if so, the constraint knows the class.
    ///
    /// # Errors
    /// The class that the constraint demands.
    pub fn admit(&mut self, loader: &Loader, name: Symbol, class: ClassRef) -> Result<(), ClassRef> {
        let row =
            self.0.as_mut().and_then(|t| t.rows.get_mut(&name)).and_then(|r| r.iter_mut().find(|r| r.has(loader)));
        match row {
            Some(Row { class: Some(c), .. }) if *c != class => Err(c),
            Some(r) => {
                r.class = Some(class);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Demands that `a` and `b` mean the same class by `name`.
    fn demand(&mut self, name: Symbol, a: &'static Loader, b: &'static Loader) -> bool {
        let rows = self.0.get_or_insert_default().rows.entry(name).or_default();
        let ia = rows.iter().position(|r| r.has(a));
        let ib = rows.iter().position(|r| r.has(b));
        if let (Some(i), Some(j)) = (ia, ib)
            && i == j
        {
            return true;
        }
        let known =
            [a.find_loaded(name), b.find_loaded(name), ia.and_then(|i| rows[i].class), ib.and_then(|i| rows[i].class)];
        let mut class = None;
        for k in known.into_iter().flatten() {
            match class {
                Some(c) if c != k => return false,
                _ => class = Some(k),
            }
        }
        match (ia, ib) {
            (Some(i), Some(j)) => {
                let gone = rows.swap_remove(i.max(j));
                let kept = &mut rows[i.min(j)];
                kept.loaders.extend(gone.loaders);
                kept.class = class;
            }
            (Some(i), None) => {
                rows[i].loaders.push(b);
                rows[i].class = class;
            }
            (None, Some(j)) => {
                rows[j].loaders.push(a);
                rows[j].class = class;
            }
            (None, None) => rows.push(Row { loaders: vec![a, b], class }),
        }
        true
    }
}

/// Names of the classes in a field or method descriptor: element classes, with the type as it
/// stands there.
fn classes_of(descriptor: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = descriptor;
    std::iter::from_fn(move || {
        loop {
            let dims = rest.iter().take_while(|b| **b == b'[').count();
            match rest.get(dims)? {
                b'L' => {
                    let end = rest.iter().position(|b| *b == b';')?;
                    let found = (&rest[dims + 1..end], if dims == 0 { &rest[1..end] } else { &rest[..=end] });
                    rest = &rest[end + 1..];
                    return Some(found);
                }
                _ => rest = &rest[dims + 1..],
            }
        }
    })
}

/// Demands that both loaders mean the same classes by the names in `descriptor`.
///
/// # Errors
/// The first type on which they differ, as messages print it.
fn agree(descriptor: Symbol, a: &'static Loader, b: &'static Loader) -> Result<(), Symbol> {
    if std::ptr::eq(a, b) {
        return Ok(());
    }
    let mut table = lock();
    for (class, shown) in classes_of(descriptor.as_bytes()) {
        if !table.demand(Symbol::intern(class), a, b) {
            return Err(Symbol::intern(shown));
        }
    }
    Ok(())
}

/// `'app'`, `'bootstrap'`, `X @1b2c3d`.
fn loader_text(th: &Thread, l: &Loader) -> String {
    if l.is_boot() { "'bootstrap'".into() } else { l.describe(th) }
}
fn kind(c: &Class) -> &'static str {
    if c.is_interface() { "interface" } else { "class" }
}
fn places(th: &Thread, a: &Class, b: &Class) -> String {
    format!("({}; {})", names::location_with_parent(th, a), names::location_with_parent(th, b))
}

/// JVMS 5.4.3.3: the class that refers to `m` as a member of `named` and the class that declares
/// it agree on the descriptor.
///
/// # Errors
/// LinkageError.
pub fn check_method(th: &Thread, from: ClassRef, named: ClassRef, m: MethodRef, interface: bool) -> JResult<()> {
    let (a, b) = (from.loader(), m.class.loader());
    let Err(ty) = agree(m.descriptor, a, b) else { return Ok(()) };
    let what = if interface { "interface method" } else { "method" };
    exceptions::throw(
        th,
        "java/lang/LinkageError",
        &format!(
            "loader constraint violation: when resolving {what} '{}' the class loader {} of the current class, {}, and the class \
         loader {} for the method's defining class, {}, have different Class objects for the type {ty} used in the signature {}",
            names::method_ref(named, &m.name.as_str(), m.descriptor.as_bytes()),
            loader_text(th, a),
            from.name,
            loader_text(th, b),
            m.class.name,
            places(th, from, m.class)
        ),
    )
}

/// JVMS 5.4.3.2: the class that refers to a field and the class that declares it agree on its type.
///
/// # Errors
/// LinkageError.
pub fn check_field(th: &Thread, from: ClassRef, f: &crate::FieldInfo) -> JResult<()> {
    let (a, b) = (from.loader(), f.class.loader());
    let Err(ty) = agree(f.descriptor, a, b) else { return Ok(()) };
    exceptions::throw(
        th,
        "java/lang/LinkageError",
        &format!(
            "loader constraint violation: when resolving field \"{}\" of type {ty}, the class loader {} of the current class, {}, and \
         the class loader {} for the field's defining {}, {}, have different Class objects for type {ty} {}",
            f.name,
            loader_text(th, a),
            names::external(from),
            loader_text(th, b),
            kind(f.class),
            names::external(f.class),
            places(th, from, f.class)
        ),
    )
}

/// JVMS 5.4.2: methods of a class under linking that override or implement others agree with them
/// on their descriptors.
///
/// # Errors
/// LinkageError.
pub fn check_tables(th: &Thread, class: ClassRef) -> JResult<()> {
    if class.is_interface() {
        return Ok(());
    }
    for i in 0..class.super_class.map_or(0, |s| s.vtable_len()) {
        let Some(s) = class.super_class else { break };
        let (old, new) = (s.vtable_method(i), class.vtable_method(i));
        if old == new {
            continue;
        }
        if let Err(ty) = agree(new.descriptor, new.class.loader(), old.class.loader()) {
            return exceptions::throw(
                th,
                "java/lang/LinkageError",
                &format!(
                    "loader constraint violation for class {}: when selecting overriding method '{}' the class loader {} of the \
                 selected method's type {}, and the class loader {} for its super type {} have different Class objects for the \
                 type {} used in the signature {}",
                    names::external(class),
                    names::method(new),
                    loader_text(th, new.class.loader()),
                    names::external(new.class),
                    loader_text(th, old.class.loader()),
                    names::external(old.class),
                    ty.as_str().replace('/', "."),
                    places(th, new.class, old.class)
                ),
            );
        }
    }
    for i in class.interfaces_all.get().map_or(&[][..], |v| v) {
        check_itable(th, class, i)?;
    }
    Ok(())
}

fn check_itable(th: &Thread, class: ClassRef, interface: ClassRef) -> JResult<()> {
    for (n, m) in interface.declared_methods().iter().filter(|m| crate::vtable::virtual_candidate(m)).enumerate() {
        let Some(target) = class.itable_method(interface, n) else { continue };
        if !target.is_public() || target.is_abstract() {
            continue;
        }
        let (a, b) = (target.class.loader(), interface.loader());
        if let Err(ty) = agree(m.descriptor, a, b) {
            return exceptions::throw(
                th,
                "java/lang/LinkageError",
                &format!(
                    "loader constraint violation in interface itable initialization for class {}: when selecting method '{}' the class \
                 loader {} for super interface {}, and the class loader {} of the selected method's {}, {} have different Class \
                 objects for the type {} used in the signature {}",
                    names::external(class),
                    names::method(m),
                    loader_text(th, b),
                    names::external(interface),
                    loader_text(th, a),
                    kind(target.class),
                    names::external(target.class),
                    ty.as_str().replace('/', "."),
                    places(th, interface, target.class)
                ),
            );
        }
    }
    Ok(())
}

/// Throws what a loader gets that would have `class` where a constraint demands `other`.
///
/// # Errors
/// LinkageError.
pub fn violated<T>(th: &Thread, loader: &Loader, class: ClassRef, other: ClassRef) -> JResult<T> {
    let mut text = format!(
        "loader constraint violation: loader {} wants to load {} {}.",
        loader_text(th, loader),
        kind(class),
        names::external(class)
    );
    if !std::ptr::eq(other.loader(), loader) {
        text += &format!(
            " A different {} with the same name was previously loaded by {}. ({})",
            kind(other),
            loader_text(th, other.loader()),
            names::location_with_parent(th, other)
        );
    }
    exceptions::throw(th, "java/lang/LinkageError", &text)
}

/// Forgets loaders that have died, at a stop. Their classes are in no other loader's row: a loader
/// whose dictionary has a class lives as long as the class's.
pub fn unload(is_dead: &dyn Fn(&Loader) -> bool) {
    let mut table = lock();
    let Some(t) = table.0.as_mut() else { return };
    t.rows.retain(|_, rows| {
        rows.retain_mut(|r| {
            r.loaders.retain(|l| !is_dead(l));
            if r.class.is_some_and(|c| is_dead(c.loader())) {
                r.class = None;
            }
            r.loaders.len() > 1
        });
        !rows.is_empty()
    });
}

/// Rows of the table, for statistics.
pub fn count() -> usize {
    TABLE.lock().expect("loading constraints").as_ref().map_or(0, |t| t.rows.values().map(Vec::len).sum())
}

/// Entering `class` in the dictionary of `loader` under `name`: what may be said against it.
pub enum Refused {
    /// The dictionary has a class of that name.
    Taken(ClassRef),
    /// A constraint demands another class.
    Constrained(ClassRef),
}

impl Refused {
    /// # Errors
    /// LinkageError.
    pub fn throw<T>(self, th: &Thread, loader: &Loader, class: ClassRef) -> JResult<T> {
        match self {
            Refused::Taken(first) => loader::duplicate(th, loader, first),
            Refused::Constrained(other) => violated(th, loader, class, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::classes_of;

    fn all(d: &str) -> Vec<(String, String)> {
        let text = |b: &[u8]| concord_base::symbol::text(b).into_owned();
        classes_of(d.as_bytes()).map(|(c, s)| (text(c), text(s))).collect()
    }

    #[test]
    fn descriptors_name_their_classes() {
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(all("(ILa/B;[[J[La/C;)La/D;"), [pair("a/B", "a/B"), pair("a/C", "[La/C;"), pair("a/D", "a/D")]);
        assert_eq!(all("([I)V"), []);
        assert_eq!(all("[[La/B;"), [pair("a/B", "[[La/B;")]);
    }
}
