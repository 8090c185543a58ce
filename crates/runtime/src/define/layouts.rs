//! What instances of a class look like: to the collector, to allocation, to a reader.
//!
//! Invariant: a layout id is given to a class only when its row in the layout table is complete.
use crate::info::{ClassExt, FieldInfo};
use crate::{fields, names};
use concord_contract::ClassRef;
use concord_contract::class::flags;
use concord_contract::layout::{self, LayoutKind};
use concord_contract::object::LOCAL_BIT;
use concord_memory_model::policy;
use std::sync::atomic::Ordering;

/// Gives a new class the layout of its instances, whose fields end at `end`.
pub(super) fn of_instances(class: ClassRef, end: u32) {
    let id = new_id(class, end, FieldInfo::offset);
    class.birth.store(birth(class), Ordering::Relaxed);
    give(class, id);
    concord_base::vm_log!(Layout, Info, "{}", describe_layout(class));
}

/// Lets `new` make objects with the layout `id` of the class.
pub(crate) fn give(class: ClassRef, id: u32) {
    class.instance_size.store(layout::get(id).size, Ordering::Relaxed);
    class.layout_id.store(id, Ordering::Release);
}

/// A row of the layout table for instances of the class whose fields lie at `offset` and end at `end`.
pub(crate) fn new_id(class: ClassRef, end: u32, offset: impl Fn(&FieldInfo) -> u32) -> u32 {
    let mut refs = Vec::new();
    let mut k = Some(class);
    while let Some(c) = k {
        for f in c.declared_fields().iter().filter(|f| !f.is_static() && f.ty.is_ref()) {
            let referent = c.name == "java/lang/ref/Reference" && f.name == "referent";
            if !referent {
                refs.push(offset(f));
            }
        }
        k = c.super_class;
    }
    let kind = if class.has_flag(flags::REFERENCE) { LayoutKind::Reference } else { LayoutKind::Instance };
    let mut l = fields::layout(end, &refs, kind);
    if l.kind == LayoutKind::Instance {
        (l.chain, l.base) = fields::links(class, offset);
    }
    let id = layout::new_id();
    layout::set(id, l, class);
    layout::set_marks(id, marks(class));
    id
}

/// What collections of the full heap do at instances beside visiting their fields.
fn marks(class: ClassRef) -> u8 {
    use layout::marks::{LOADER, MIRROR, UNLOADABLE};
    let own = if class.name == "java/lang/ClassLoader" {
        LOADER
    } else if class.name == "java/lang/Class" {
        MIRROR
    } else {
        class.super_class.map_or(0, |s| layout::marks_of(s.layout_id.load(Ordering::Relaxed)) & LOADER)
    };
    if class.has_flag(flags::UNLOADABLE) { own | UNLOADABLE } else { own }
}

/// The lock word of new instances. Objects that the VM hands to other threads by itself are SHARED
/// from birth: threads and class loaders.
fn birth(class: ClassRef) -> u32 {
    let known_to_all = class.name == "java/lang/Thread" || class.name == "java/lang/ClassLoader";
    match class.super_class {
        _ if !policy::vbd() || known_to_all => 0,
        Some(s) => s.birth.load(Ordering::Relaxed),
        None => LOCAL_BIT,
    }
}

/// The instance layout as text: size, then a line per field by offset.
pub fn describe_layout(class: ClassRef) -> String {
    use std::fmt::Write;
    let mut rows: Vec<(u32, String)> = Vec::new();
    let mut k = Some(class);
    while let Some(c) = k {
        for f in c.declared_fields().iter().filter(|f| !f.is_static()) {
            rows.push((
                f.offset(),
                format!("{} {}.{}", names::field_type(f.descriptor.as_bytes()), names::external(c), f.name),
            ));
        }
        k = c.super_class;
    }
    rows.sort();
    let mut s = format!(
        "{} instance size {} bytes, header 8",
        names::external(class),
        class.instance_size.load(Ordering::Relaxed)
    );
    for (o, t) in rows {
        write!(s, "\n  +{o:<3} {t}").expect("writing to a string");
    }
    s
}
