//! Instances and bytes by class: GC.class_histogram, `jmap -histo`.
//!
//! Invariant: the figures are of one stop; the object that holds a class's static fields counts as
//! bytes of that class's java.lang.Class, not as an instance of its own.
use concord_contract::layout::object_size;
use concord_contract::{Class, ClassRef, Thread};
use concord_runtime::{known, loader, modules, names};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// One class's share.
pub struct Row {
    pub class: ClassRef,
    pub instances: u64,
    pub bytes: u64,
}

/// Addresses of the objects that hold static fields; the world is stopped.
pub(crate) fn static_holders() -> HashSet<usize> {
    let mut set = HashSet::new();
    loader::all_classes(&mut |c| {
        let s = c.statics.get();
        if !s.is_null() {
            set.insert(s.addr());
        }
    });
    set
}

/// The rows, largest first; with `live`, of objects that survive a collection.
pub fn rows(th: &Thread, live: bool) -> Vec<Row> {
    if live {
        concord_heap::system_gc(th);
    }
    let mut by_class: HashMap<*const Class, Row> = HashMap::new();
    concord_safepoint::stop_the_world("GC_HeapInspection", |stopped| {
        let holders = static_holders();
        let mirror_class = known::classes().class;
        concord_heap::for_each_object(stopped, |o| {
            let is_holder = holders.contains(&o.addr());
            let class = if is_holder { mirror_class } else { o.class() };
            // SAFETY: the walk visits complete objects.
            let bytes = unsafe { object_size(o.addr()) } as u64;
            let row = by_class.entry(class).or_insert(Row { class, instances: 0, bytes: 0 });
            row.instances += u64::from(!is_holder);
            row.bytes += bytes;
        });
    });
    let mut rows: Vec<Row> = by_class.into_values().collect();
    rows.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.class.name.as_bytes().cmp(b.class.name.as_bytes())));
    rows
}

/// ` (java.base@17.0.15)`, empty for unnamed modules.
fn module(c: ClassRef) -> String {
    let mut element = c;
    while let Some(k) = element.component {
        element = k;
    }
    if element.is_primitive() {
        return module(known::classes().object);
    }
    let Some(m) = modules::of(element) else { return String::new() };
    let Some(name) = m.name else { return String::new() };
    match &m.version {
        Some(v) => format!(" ({name}@{v})"),
        None => format!(" ({name})"),
    }
}

/// The table.
pub fn text(th: &Thread, live: bool) -> String {
    let rows = rows(th, live);
    let mut out = String::from(" num     #instances         #bytes  class name (module)\n");
    out.push_str("-------------------------------------------------------\n");
    let (mut instances, mut bytes) = (0, 0);
    for (i, r) in rows.iter().enumerate() {
        instances += r.instances;
        bytes += r.bytes;
        let name = names::external(r.class);
        writeln!(out, "{:>4}: {:>13} {:>14}  {name}{}", i + 1, r.instances, r.bytes, module(r.class))
            .expect("writing to a string");
    }
    writeln!(out, "Total {instances:>13} {bytes:>14}").expect("writing to a string");
    out
}
