//! Where fields lie: instance layout, statics layout, reference maps.
//!
//! Invariant: fields are naturally aligned; a subclass's fields begin where its superclass's end;
//! the reference map has a bit exactly for each reference slot, inherited ones included, except
//! the `referent` of java.lang.ref.Reference, which the collector treats itself; a group of
//! `@Contended` fields, and the fields of a `@Contended` class, have `ContendedPaddingWidth` bytes
//! of nobody's on both sides.
use crate::info::{ClassExt, FIELD_CONTENDED, FieldInfo};
use concord_base::options;
use concord_contract::layout::{Layout, LayoutKind, NO_CHAIN};
use concord_contract::object::HEADER_BYTES;
use concord_contract::{BasicType, ClassRef};
use std::sync::atomic::Ordering;

/// Where fields are to lie.
pub struct Places {
    /// By the position among the class's fields; of those that are not placed None.
    pub offsets: Vec<Option<u32>>,
    /// Behind the last one and its padding, not rounded.
    pub end: u32,
}

impl Places {
    /// Gives the fields their offsets. Nobody reads them meanwhile: the class is being defined, or the world is stopped.
    pub fn give(&self, fields: &[FieldInfo]) {
        for (f, offset) in fields.iter().zip(&self.offsets) {
            if let Some(offset) = offset {
                f.offset.store(*offset, Ordering::Relaxed);
            }
        }
    }
}

/// Places the static fields in the statics object, in which `@Contended` means nothing. `apart` says which are contended.
pub fn of_statics(fields: &[FieldInfo], apart: impl Fn(&FieldInfo) -> bool) -> Places {
    let (alone, together): (Vec<usize>, Vec<usize>) =
        (0..fields.len()).filter(|i| fields[*i].is_static()).partition(|i| apart(&fields[*i]));
    let groups = alone.into_iter().map(|i| vec![i]).collect();
    in_groups(fields, together, groups, false, HEADER_BYTES as u32)
}

/// Places the instance fields from `start` on: those of nobody's group first, then each group of `@Contended` ones, of which
/// `parsed` has the names, and each field that is contended by `apart`. `padded`: there is padding around all of them, too.
pub fn of_instances(
    fields: &[FieldInfo],
    parsed: &[concord_classfile::FieldInfo<'_>],
    apart: impl Fn(&FieldInfo) -> bool,
    padded: bool,
    start: u32,
) -> Places {
    let contended = options::get().flags.enable_contended;
    let alone = |f: &FieldInfo| apart(f) || contended && f.flags & FIELD_CONTENDED != 0;
    let (alone, together): (Vec<usize>, Vec<usize>) =
        (0..fields.len()).filter(|i| !fields[*i].is_static()).partition(|i| alone(&fields[*i]));
    // The anonymous group of a field is its own.
    let mut groups: Vec<(u16, Vec<usize>)> = Vec::new();
    for i in alone {
        let f = &fields[i];
        let name = if apart(f) { 0 } else { parsed[usize::from(f.index)].annotations.contended_group };
        match groups.iter_mut().find(|(n, _)| name != 0 && *n == name) {
            Some((_, members)) => members.push(i),
            None => groups.push((name, vec![i])),
        }
    }
    let groups = groups.into_iter().map(|(_, members)| members).collect();
    in_groups(fields, together, groups, padded, start)
}

/// Places `together`, and behind it each group with padding on both sides.
fn in_groups(fields: &[FieldInfo], together: Vec<usize>, groups: Vec<Vec<usize>>, padded: bool, start: u32) -> Places {
    let padding = options::get().flags.contended_padding_width as u32;
    let any = padded || !groups.is_empty();
    let mut places = Places { offsets: vec![None; fields.len()], end: if padded { start + padding } else { start } };
    places.put(fields, together);
    for members in groups {
        places.end += padding;
        places.put(fields, members);
    }
    if any {
        places.end += padding;
    }
    places
}

impl Places {
    /// Places the fields at `order` from the end on.
    ///
    /// Wide fields first, so that only the gap before the first of them needs filling; 4-byte and
    /// smaller fields go into that gap where they fit.
    fn put(&mut self, fields: &[FieldInfo], mut order: Vec<usize>) {
        // References last among the 4-byte fields: scans touch them together.
        order.sort_by_key(|i| (std::cmp::Reverse(fields[*i].ty.heap_shift()), fields[*i].ty == BasicType::Object));
        let mut end = self.end;
        let has_wide = order.iter().any(|i| fields[*i].ty.heap_shift() == 3);
        let gap_end = if has_wide { (end + 7) & !7 } else { end };
        let mut rest = Vec::with_capacity(order.len());
        for i in order {
            let size = 1u32 << fields[i].ty.heap_shift();
            if size < 8 {
                let at = (end + size - 1) & !(size - 1);
                if at + size <= gap_end {
                    self.offsets[i] = Some(at);
                    end = at + size;
                    continue;
                }
            }
            rest.push(i);
        }
        end = end.max(gap_end);
        for i in rest {
            let size = 1u32 << fields[i].ty.heap_shift();
            end = (end + size - 1) & !(size - 1);
            self.offsets[i] = Some(end);
            end += size;
        }
        self.end = end;
    }
}

/// A layout row for an object of `end` bytes with references at `refs`.
pub fn layout(end: u32, refs: &[u32], kind: LayoutKind) -> Layout {
    let size = (end + 7) & !7;
    let words = ((size as usize).saturating_sub(HEADER_BYTES) / 4).div_ceil(64).max(1);
    let mut map = vec![0u64; words];
    for r in refs {
        let bit = (*r as usize - HEADER_BYTES) / 4;
        map[bit / 64] |= 1 << (bit % 64);
    }
    if words == 1 {
        return Layout { map: map[0], size, elem_shift: 0, base: 0, kind, chain: NO_CHAIN };
    }
    // One word more than the size needs, so that readers may round up.
    map.push(0);
    let map = Box::leak(map.into_boxed_slice()).as_ptr() as u64;
    let kind = if kind.is_reference() { LayoutKind::LargeReference } else { LayoutKind::LargeInstance };
    Layout { map, size, elem_shift: 0, base: 0, kind, chain: NO_CHAIN }
}

/// Word indices of the first two fields that may link instances of the class to a list: their types are among its
/// own, Object excepted. `offset` says where a field lies.
pub fn links(class: ClassRef, offset: impl Fn(&FieldInfo) -> u32) -> (u8, u8) {
    let is_own = |name: &[u8]| {
        let supers = std::iter::successors(Some(class), |c| c.super_class).filter(|c| c.super_class.is_some());
        supers.into_iter().any(|c| c.name.as_bytes() == name)
            || class.interfaces_all.get().into_iter().flatten().any(|i| i.name.as_bytes() == name)
    };
    let mut found = [NO_CHAIN; 2];
    let fields = std::iter::successors(Some(class), |c| c.super_class).flat_map(|c| c.declared_fields());
    let links = fields.filter(|f| {
        let d = f.descriptor.as_bytes();
        !f.is_static() && d[0] == b'L' && is_own(&d[1..d.len() - 1])
    });
    for (slot, f) in found.iter_mut().zip(links) {
        *slot = ((offset(f) as usize - HEADER_BYTES) / 4) as u8;
    }
    (found[0], found[1])
}

/// The layout of arrays whose elements have `1 << shift` bytes.
pub fn array_layout(shift: u32, refs: bool) -> Layout {
    Layout {
        map: 0,
        size: 0,
        elem_shift: shift as u8,
        base: concord_contract::object::array_base(shift) as u8,
        kind: if refs { LayoutKind::RefArray } else { LayoutKind::PrimArray },
        chain: NO_CHAIN,
    }
}
