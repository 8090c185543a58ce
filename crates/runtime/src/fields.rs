//! Where fields lie: instance layout, statics layout, reference maps.
//!
//! Invariant: fields are naturally aligned; a subclass's fields begin where its superclass's end;
//! the reference map has a bit exactly for each reference slot, inherited ones included, except
//! the `referent` of java.lang.ref.Reference, which the collector treats itself.
use crate::info::{ClassExt, FieldInfo};
use concord_contract::layout::{Layout, LayoutKind, NO_CHAIN};
use concord_contract::object::HEADER_BYTES;
use concord_contract::{BasicType, ClassRef};

/// Assigns offsets from `start` on to the fields at `members` and gives the end (not rounded).
///
/// Wide fields first, so that only the gap before the first of them needs filling; 4-byte and
/// smaller fields go into that gap where they fit.
pub fn assign(fields: &mut [FieldInfo], is_static: bool, start: u32) -> u32 {
    let mut order: Vec<usize> = (0..fields.len()).filter(|i| fields[*i].is_static() == is_static).collect();
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
