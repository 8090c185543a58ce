//! Copies of payload.
//!
//! Invariant: an element is read once and written once, in one piece of its own size or in a wider
//! aligned piece, so that another thread never sees half of it (decision O3); the lock word, the
//! layout id and the forwarding bits are never copied.
use crate::alloc::{AllocError, alloc_array, alloc_instance};
use crate::store::store_ref_array_range;
use concord_contract::barrier::must_log;
use concord_contract::layout::{LayoutKind, object_size};
use concord_contract::object::{HEADER_BYTES, array_base};
use concord_contract::{Obj, Thread, layout};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

macro_rules! copier {
    ($name:ident, $atomic:ty, $int:ty) => {
        /// # Safety
        /// Both ranges of `n` elements are aligned and lie in live objects.
        unsafe fn $name(src: usize, dst: usize, n: usize) {
            let step = |i: usize| {
                // SAFETY: by the caller's promise.
                unsafe {
                    let v = <$atomic>::from_ptr((src as *mut $int).add(i)).load(Relaxed);
                    <$atomic>::from_ptr((dst as *mut $int).add(i)).store(v, Relaxed);
                }
            };
            if dst <= src || dst >= src + n * size_of::<$int>() {
                (0..n).for_each(step);
            } else {
                (0..n).rev().for_each(step);
            }
        }
    };
}
copier!(copy8, AtomicU8, u8);
copier!(copy16, AtomicU16, u16);
copier!(copy32, AtomicU32, u32);
copier!(copy64, AtomicU64, u64);

/// Copies `n` elements of `1 << shift` bytes from byte offset `from` of `src` to byte offset `to`
/// of `dst`; the ranges may overlap. References need the barrier as well: see
/// [`crate::array_copy_refs`].
pub fn copy_payload(src: Obj, from: usize, dst: Obj, to: usize, n: usize, shift: u32) {
    let (s, d) = (src.addr() + from, dst.addr() + to);
    debug_assert!(from >= HEADER_BYTES && to >= HEADER_BYTES);
    debug_assert!((s | d) & ((1 << shift) - 1) == 0);
    // SAFETY: the caller has checked the bounds, offsets of elements are aligned to their size.
    unsafe {
        match shift {
            0 => by_words(s, d, n, |s, d, bytes| copy8(s, d, bytes)),
            1 => by_words(s, d, n * 2, |s, d, bytes| copy16(s, d, bytes / 2)),
            2 => by_words(s, d, n * 4, |s, d, bytes| copy32(s, d, bytes / 4)),
            3 => copy64(s, d, n),
            _ => concord_base::bug!("elements of {} bytes", 1u64 << shift),
        }
    }
}

/// Copies by 8-byte words in the middle when source and destination are aligned alike, by elements
/// (`rest`, in bytes) at both ends and otherwise.
///
/// # Safety
/// As for the copiers, for `bytes` bytes.
#[inline]
unsafe fn by_words(s: usize, d: usize, bytes: usize, rest: impl Fn(usize, usize, usize)) {
    if (s ^ d) & 7 != 0 || bytes < 16 {
        return rest(s, d, bytes);
    }
    let head = s.wrapping_neg() & 7;
    let words = (bytes - head) / 8;
    let tail = head + words * 8;
    // SAFETY: the three pieces make up the range.
    let middle = || unsafe { copy64(s + head, d + head, words) };
    // Overlapping upwards: the upper piece first, before the lower one overwrites its source.
    if d <= s || d >= s + bytes {
        rest(s, d, head);
        middle();
        rest(s + tail, d + tail, bytes - tail);
    } else {
        rest(s + tail, d + tail, bytes - tail);
        middle();
        rest(s, d, head);
    }
}

/// A copy of an instance or array, with a fresh header (Object.clone).
///
/// # Errors
/// What the OutOfMemoryError says.
pub fn clone_object(th: &Thread, o: Obj) -> Result<Obj, AllocError> {
    let class = o.class();
    let l = layout::get(o.layout_id());
    let copy = if class.is_array() {
        alloc_array(th, class, o.array_len())?
    } else {
        alloc_instance(th, class).ok_or(AllocError::HeapSpace)?
    };
    // Kept in memory, hence seen by the conservative scan, across the allocation above.
    let o = std::hint::black_box(o);
    match l.kind {
        LayoutKind::PrimArray | LayoutKind::RefArray => {
            let base = array_base(class.elem_shift as u32);
            copy_payload(o, base, copy, base, o.array_len(), class.elem_shift as u32);
            if l.kind == LayoutKind::RefArray {
                store_ref_array_range(copy, 0, copy.array_len());
            }
        }
        LayoutKind::Instance | LayoutKind::LargeInstance | LayoutKind::Reference => {
            // SAFETY: both have the class's size, and fields begin behind the header.
            unsafe {
                let words = (object_size(o.addr()) - HEADER_BYTES) / 8;
                copy64(o.addr() + HEADER_BYTES, copy.addr() + HEADER_BYTES, words);
            }
            if must_log(copy) {
                crate::store::barrier_slow(copy);
            }
        }
    }
    Ok(copy)
}
