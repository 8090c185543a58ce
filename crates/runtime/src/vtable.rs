//! Method tables: which method a virtual or interface call selects (JVMS 5.4.5, 5.4.6).
//!
//! Invariant: a vtable extends its superclass's; an entry changes only to a method that overrides
//! the one before, or, for entries that came from interfaces (mirandas and defaults), to the
//! selection that this class's interfaces give. Default methods stand in vtables as themselves, so
//! `Method::vtable_index` means nothing for a method of an interface: the index is looked up in the
//! vtable of the class that a call names.
use crate::info::ClassExt;
use concord_base::Symbol;
use concord_base::symbol::PtrMap;
use concord_contract::class::ItableEntry;
use concord_contract::method::{NO_INDEX, acc, mflags};
use concord_contract::{Class, ClassRef, Method, MethodRef};
use std::sync::atomic::{AtomicPtr, Ordering};

/// What the vtable of a class under construction is made from.
pub struct Inputs<'a> {
    pub name: Symbol,
    pub package: Symbol,
    pub loader: &'static crate::loader::Loader,
    pub is_interface: bool,
    pub super_class: Option<ClassRef>,
    pub methods: &'a [MethodRef],
    /// All superinterfaces.
    pub interfaces: &'a [ClassRef],
}

/// Whether a method takes part in selection.
pub fn virtual_candidate(m: &Method) -> bool {
    !m.is_static() && !m.is_private() && !m.is_init() && !m.is_clinit()
}

/// Whether `m`, declared in the class under construction, overrides `old` (JVMS 5.4.5).
fn overrides(c: &Inputs<'_>, old: &Method) -> bool {
    if old.has(acc::PUBLIC | acc::PROTECTED) || old.class.is_interface() {
        return true;
    }
    if old.is_private() {
        return false;
    }
    let i = old.class.info();
    std::ptr::eq(i.loader, c.loader) && i.package == c.package
}

/// The vtable of a class; sets `vtable_index` of its own methods.
///
/// # Errors
/// A method that a final one forbids to override: (overridden, overriding).
pub fn build(c: &Inputs<'_>) -> Result<Vec<MethodRef>, (MethodRef, MethodRef)> {
    let mut table: Vec<MethodRef> = match c.super_class {
        Some(s) => s.vtable().iter().enumerate().map(|(i, _)| s.vtable_method(i)).collect(),
        None => Vec::new(),
    };
    if c.is_interface {
        // Calls through an interface to Object's methods go through the receiver's vtable.
        let last = |m: &MethodRef| {
            let same = |o: &&MethodRef| o.name == m.name && o.descriptor == m.descriptor && o.has(acc::FINAL);
            table.iter().find(same).map(|o| (*o, *m))
        };
        return match c.methods.iter().filter(|m| virtual_candidate(m)).find_map(last) {
            Some(forbidden) => Err(forbidden),
            None => Ok(table),
        };
    }
    let mut by_name: PtrMap<(Symbol, Symbol), Vec<usize>> = PtrMap::default();
    for (i, m) in table.iter().enumerate() {
        by_name.entry((m.name, m.descriptor)).or_default().push(i);
    }
    for m in c.methods.iter().filter(|m| virtual_candidate(m)) {
        let mut own = None;
        let slots = by_name.entry((m.name, m.descriptor)).or_default();
        for &i in slots.iter() {
            let old = table[i];
            if overrides(c, old) || transitively(c, m, old) {
                if old.has(acc::FINAL) && !old.class.is_interface() {
                    return Err((old, m));
                }
                table[i] = m;
                own.get_or_insert(i);
            }
        }
        let index = match own {
            // A package-private method that another package's method re-opens needs both entries.
            Some(i) => i,
            None => {
                slots.push(table.len());
                table.push(m);
                table.len() - 1
            }
        };
        m.vtable_index.store(index as u32, Ordering::Relaxed);
    }
    // All interfaces are asked at once for a name, whichever declares it first.
    let mut asked: PtrMap<(Symbol, Symbol), ()> = PtrMap::default();
    for i in c.interfaces {
        for m in i.declared_methods().iter().filter(|m| virtual_candidate(m)) {
            if asked.insert((m.name, m.descriptor), ()).is_some() {
                continue;
            }
            let slots = by_name.entry((m.name, m.descriptor)).or_default();
            let covered = slots.iter().any(|s| !table[*s].class.is_interface() && table[*s].is_public());
            if covered {
                continue;
            }
            // A class method that is not public still hides the interface's in the class chain.
            let hidden = slots.iter().any(|s| !table[*s].class.is_interface());
            let Some(chosen) = select_default(c.interfaces, m.name, m.descriptor, c.name) else { continue };
            match slots.iter().find(|s| table[**s].class.is_interface() || table[**s].has(mflags::DEFAULT_CONFLICT)) {
                Some(s) => table[*s] = chosen,
                None if hidden => {}
                None => {
                    slots.push(table.len());
                    table.push(chosen);
                }
            }
        }
    }
    Ok(table)
}

/// Transitive overriding: `m` overrides something between that overrides `old`.
fn transitively(c: &Inputs<'_>, m: &Method, old: &Method) -> bool {
    let mut k = c.super_class;
    while let Some(s) = k {
        if s == old.class {
            return false;
        }
        if let Some(mid) = s.declared_method(m.name, m.descriptor)
            && virtual_candidate(mid)
            && overrides(c, mid)
            && mid.vtable_index.load(Ordering::Relaxed) == old.vtable_index.load(Ordering::Relaxed)
        {
            return true;
        }
        k = s.super_class;
    }
    false
}

/// The maximally-specific methods of the interfaces for a name, abstract ones, too (JVMS 5.4.3.3).
pub fn maximally_specific(interfaces: &[ClassRef], name: Symbol, desc: Symbol) -> Vec<MethodRef> {
    let candidates: Vec<MethodRef> =
        interfaces.iter().filter_map(|i| i.declared_method(name, desc)).filter(|m| virtual_candidate(m)).collect();
    let hidden = |m: MethodRef| candidates.iter().any(|o| o.class != m.class && o.class.is_subclass_of(m.class));
    candidates.iter().filter(|m| !hidden(m)).copied().collect()
}

/// Whether several of the maximally-specific methods for a name are defaults: a call throws.
pub fn conflicts(class: &Class, name: Symbol, desc: Symbol) -> bool {
    let Some(all) = class.interfaces_all.get() else { return false };
    maximally_specific(all, name, desc).iter().filter(|m| !m.is_abstract()).count() > 1
}

/// All methods of interfaces for a name, hidden ones, too, in the order in which HotSpot names those that conflict: superclasses'
/// before interfaces', each interface before its superinterfaces.
pub fn interface_methods(class: ClassRef, name: Symbol, desc: Symbol) -> Vec<MethodRef> {
    let (mut found, mut seen, mut todo) = (Vec::new(), Vec::new(), vec![class]);
    while let Some(c) = todo.pop() {
        if seen.contains(&c) {
            continue;
        }
        seen.push(c);
        found.extend(c.declared_method(name, desc).filter(|m| c.is_interface() && virtual_candidate(m)));
        todo.extend(c.info().interfaces.iter().rev());
        todo.extend(c.super_class);
    }
    found
}

/// What a class's table has for a name that only its interfaces declare: the only default, the conflict method if there are
/// several, else any abstract one.
fn select_default(interfaces: &[ClassRef], name: Symbol, desc: Symbol, holder: Symbol) -> Option<MethodRef> {
    let specific = maximally_specific(interfaces, name, desc);
    let defaults: Vec<MethodRef> = specific.iter().filter(|m| !m.is_abstract()).copied().collect();
    match defaults.as_slice() {
        [one] => Some(one),
        [] => specific.first().copied(),
        many => Some(crate::define::conflict_method(many, holder)),
    }
}

/// Gives the methods of an interface their itable indices.
pub fn number_interface(methods: &[MethodRef]) {
    for (n, m) in methods.iter().filter(|m| virtual_candidate(m)).enumerate() {
        m.itable_index.store(n as u32, Ordering::Relaxed);
    }
}

/// Index in the vtable of `class` of the method that a call of `m` through it selects.
pub fn index_in(class: &Class, m: &Method) -> Option<usize> {
    let i = m.vtable_index.load(Ordering::Relaxed);
    if i != NO_INDEX && !m.class.is_interface() {
        return Some(i as usize);
    }
    let same = |i: &usize| {
        let v = class.vtable_method(*i);
        v.name == m.name && v.descriptor == m.descriptor
    };
    let all = (0..class.vtable_len()).filter(same);
    all.reduce(|a, b| if hides(class.vtable_method(a), class.vtable_method(b)) { a } else { b })
}

/// Whether selection (JVMS 5.4.6) comes to `a` before it comes to `b`, which has the same name and descriptor and stands
/// behind it in a vtable: methods of classes before those of interfaces, of subclasses before those of superclasses. The
/// order in the table does not say so: a method of another package that was not overridden keeps its own place.
fn hides(a: MethodRef, b: MethodRef) -> bool {
    !a.class.is_interface() && (b.class.is_interface() || a.class.is_subclass_of(b.class))
}

/// Builds the itable of a class that can have instances.
pub fn build_itable(class: ClassRef) {
    let Some(all) = class.interfaces_all.get() else { return };
    let mut by_name: PtrMap<(Symbol, Symbol), MethodRef> = PtrMap::default();
    if all.iter().any(|i| i.declared_methods().iter().any(|m| virtual_candidate(m))) {
        for i in 0..class.vtable_len() {
            let m = class.vtable_method(i);
            by_name.entry((m.name, m.descriptor)).and_modify(|o| *o = if hides(o, m) { *o } else { m }).or_insert(m);
        }
    }
    let table: Vec<ItableEntry> = all
        .iter()
        .map(|i| {
            let methods: Vec<AtomicPtr<Method>> = i
                .declared_methods()
                .iter()
                .filter(|m| virtual_candidate(m))
                .map(|m| {
                    let target = match by_name.get(&(m.name, m.descriptor)).copied() {
                        // A class method that is not public hides the interface's: calls throw.
                        Some(t) if !t.is_public() => {
                            let m = crate::define::throwing_method(t, mflags::NOT_PUBLIC);
                            class.info().owned.methods.lock().expect("methods of tables").push(m);
                            m
                        }
                        Some(t) => t,
                        None => m,
                    };
                    AtomicPtr::new(target as *const Method as *mut Method)
                })
                .collect();
            let len = methods.len();
            ItableEntry { interface: Some(i), methods: Box::leak(methods.into_boxed_slice()).as_ptr(), len }
        })
        .collect();
    // A racing builder made the same table.
    let _same = class.itable.set(ItableEntry::table(table));
    for e in class.itable.get().into_iter().flat_map(|t| t.iter()) {
        if let Some(x) = e.interface.and_then(|i| class.supers.find(i)) {
            x.methods.store(e.methods.cast_mut(), Ordering::Release);
        }
    }
}
