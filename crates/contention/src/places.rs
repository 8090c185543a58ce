//! From an address to the object, class and field there, and from code to its source.
//!
//! Invariant: all of it happens while the world is stopped and nothing has moved since the addresses were seen; what is
//! given away are texts.
use concord_contract::code_table::{Place, find};
use concord_contract::layout::LayoutKind;
use concord_contract::object::HEADER_BYTES;
use concord_contract::{ClassRef, Obj, layout};
use concord_runtime::info::{ClassExt, FieldInfo, MethodExt};
use concord_runtime::{known, loader, names};
use std::collections::HashMap;

/// What part of an object lies at an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Lock word and class.
    Header,
    /// By its name and the bytes in front of it.
    Field(String, usize),
    Static(String, usize),
    /// By its index.
    Element(usize),
    /// An array's length.
    Length,
    /// Nothing of the program's.
    Gap,
}

/// A place in the heap. For a field `class` is the one that declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub object: usize,
    pub class: String,
    pub part: Part,
}

impl Named {
    /// As REMIX prints places: `Class::field[offset]`.
    pub fn text(&self) -> String {
        let c = &self.class;
        match &self.part {
            Part::Header => format!("{c}::header"),
            Part::Field(f, offset) => format!("{c}::{f}[{offset}]"),
            Part::Static(f, _) => format!("{c}::{f}[static]"),
            Part::Element(i) => format!("{c}::[{i}]"),
            Part::Length => format!("{c}::length"),
            Part::Gap => format!("{c}::(gap)"),
        }
    }
}

/// Holders of static fields that were met at this stop, and whose they are.
pub type Holders = HashMap<usize, Option<ClassRef>>;

/// What lies at `address`; None if it is no object's.
pub fn at(address: usize, holders: &mut Holders) -> Option<Named> {
    let o = concord_heap::walk::object_around(address)?;
    let offset = address - o.addr();
    let class = o.class();
    let l = layout::get(o.layout_id());
    let named = |class: ClassRef, part| Some(Named { object: o.addr(), class: names::readable(class), part });
    if offset < HEADER_BYTES {
        return named(class, Part::Header);
    }
    if matches!(l.kind, LayoutKind::PrimArray | LayoutKind::RefArray) {
        let element = offset.checked_sub(usize::from(l.base)).map(|n| n >> l.elem_shift);
        return named(class, element.map_or(Part::Length, Part::Element));
    }
    if std::ptr::eq(class, known::classes().object) {
        // An Object has no fields, but by what it shows the holder of a class's static fields is one, too.
        return holders.entry(o.addr()).or_insert_with(|| statics(o)).and_then(|c| {
            let f = field_at(c, offset, true);
            named(c, f.map_or(Part::Gap, |f| Part::Static(f.name.to_string(), f.offset() as usize)))
        });
    }
    let supers = std::iter::successors(Some(class), |c| c.super_class);
    let found = supers.into_iter().find_map(|c| field_at(c, offset, false));
    match found {
        Some(f) => named(f.class, Part::Field(f.name.to_string(), f.offset() as usize)),
        None => named(class, Part::Gap),
    }
}

fn field_at(c: ClassRef, offset: usize, of_class: bool) -> Option<&'static FieldInfo> {
    let fields = c.declared_fields().iter().filter(|f| f.is_static() == of_class);
    fields.into_iter().find(|f| (f.offset() as usize..f.offset() as usize + (1 << f.ty.heap_shift())).contains(&offset))
}

/// The class whose static fields `o` holds.
fn statics(o: Obj) -> Option<ClassRef> {
    let mut found = None;
    loader::all_classes(&mut |c| {
        if c.statics.get() == o {
            found = Some(c);
        }
    });
    found
}

/// `method(File.java:line)` of an instruction of compiled code, behind it those that it is inlined into, if the piece of
/// code with this number is still there.
pub fn source(pc: usize, code: u32) -> Option<String> {
    /// Methods that are told.
    const DEPTH: usize = 4;
    let Some(Place::Method(c)) = find(pc) else { return None };
    let frames = c.frames_near(pc).filter(|_| c.id == code)?;
    let texts = frames.iter().take(DEPTH).map(|(m, bci)| {
        let method = format!("{}.{}", names::external(m.class), m.name);
        let line = m.line_at(*bci);
        match m.class.info().source_file() {
            Some(f) if line >= 0 => format!("{method}({f}:{line})"),
            _ => method,
        }
    });
    Some(texts.collect::<Vec<_>>().join(" < "))
}
