//! Where fields lie: instance layout, statics layout, reference maps.
//!
//! Invariant: fields are naturally aligned; a subclass's fields begin where its superclass's end;
//! the reference map has a bit exactly for each reference slot, inherited ones included, except
//! the `referent` of java.lang.ref.Reference, which the collector treats itself; a group of
//! `@Contended` fields, and the fields of a `@Contended` class, have `ContendedPaddingWidth` bytes
//! of nobody's on both sides.
use crate::info::{ClassExt, FIELD_APART, FIELD_CONTENDED, FieldInfo};
use concord_base::options;
use concord_contract::layout::{Layout, LayoutKind, NO_CHAIN};
use concord_contract::object::HEADER_BYTES;
use concord_contract::{BasicType, ClassRef};

/// Places the static fields in the statics object, in which `@Contended` means nothing.
pub fn assign_statics(fields: &mut [FieldInfo]) {
    let (apart, together): (Vec<usize>, Vec<usize>) =
        (0..fields.len()).filter(|i| fields[*i].is_static()).partition(|i| fields[*i].flags & FIELD_APART != 0);
    let groups = apart.into_iter().map(|i| vec![i]).collect();
    assign_groups(fields, together, groups, false, HEADER_BYTES as u32);
}
/// Where the statics object of a class with these fields ends (not rounded).
pub fn statics_end(fields: &[FieldInfo]) -> u32 {
    let statics = || fields.iter().filter(|f| f.is_static());
    let end = statics().map(|f| f.offset + (1 << f.ty.heap_shift())).fold(HEADER_BYTES as u32, u32::max);
    let padded = statics().any(|f| f.flags & FIELD_APART != 0);
    if padded { end + options::get().flags.contended_padding_width as u32 } else { end }
}

/// Places the instance fields from `start` on and gives the end (not rounded): those of nobody's
/// group first, then each group of `@Contended` ones, of which `parsed` has the names, and each field that was found to be
/// contended. `whole`: the object is kept apart, too.
pub fn assign_instance(
    fields: &mut [FieldInfo],
    parsed: &[concord_classfile::FieldInfo<'_>],
    whole: bool,
    start: u32,
) -> u32 {
    let contended = options::get().flags.enable_contended;
    let found = |f: &FieldInfo| f.flags & FIELD_APART != 0;
    let alone = |f: &FieldInfo| found(f) || contended && f.flags & FIELD_CONTENDED != 0;
    let (apart, together): (Vec<usize>, Vec<usize>) =
        (0..fields.len()).filter(|i| !fields[*i].is_static()).partition(|i| alone(&fields[*i]));
    // The anonymous group of a field is its own.
    let mut groups: Vec<(u16, Vec<usize>)> = Vec::new();
    for i in apart {
        let name = if found(&fields[i]) { 0 } else { parsed[usize::from(fields[i].index)].annotations.contended_group };
        match groups.iter_mut().find(|(n, _)| name != 0 && *n == name) {
            Some((_, members)) => members.push(i),
            None => groups.push((name, vec![i])),
        }
    }
    let groups = groups.into_iter().map(|(_, members)| members).collect();
    assign_groups(fields, together, groups, whole, start)
}

/// Places `together`, and behind it each group with padding on both sides.
fn assign_groups(
    fields: &mut [FieldInfo],
    together: Vec<usize>,
    groups: Vec<Vec<usize>>,
    whole: bool,
    start: u32,
) -> u32 {
    let padding = options::get().flags.contended_padding_width as u32;
    let padded = whole || !groups.is_empty();
    let mut end = assign(fields, together, if whole { start + padding } else { start });
    for members in groups {
        end = assign(fields, members, end + padding);
    }
    if padded { end + padding } else { end }
}

/// Assigns offsets from `start` on to the fields at `order` and gives the end (not rounded).
///
/// Wide fields first, so that only the gap before the first of them needs filling; 4-byte and
/// smaller fields go into that gap where they fit.
fn assign(fields: &mut [FieldInfo], mut order: Vec<usize>, start: u32) -> u32 {
    // References last among the 4-byte fields: scans touch them together.
    order.sort_by_key(|i| (std::cmp::Reverse(fields[*i].ty.heap_shift()), fields[*i].ty == BasicType::Object));
    let mut end = start;
    let has_wide = order.iter().any(|i| fields[*i].ty.heap_shift() == 3);
    let gap_end = if has_wide { (end + 7) & !7 } else { end };
    let mut rest = Vec::with_capacity(order.len());
    for i in order {
        let size = 1u32 << fields[i].ty.heap_shift();
        if size < 8 {
            let at = (end + size - 1) & !(size - 1);
            if at + size <= gap_end {
                fields[i].offset = at;
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
        fields[i].offset = end;
        end += size;
    }
    end
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
/// own, Object excepted.
pub fn links(class: ClassRef) -> (u8, u8) {
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
        *slot = ((f.offset as usize - HEADER_BYTES) / 4) as u8;
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
