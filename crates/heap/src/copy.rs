//! Copies of payload.
//!
//! Invariant: an element is read once and written once, in one piece of its own size or in a wider
//! aligned piece, so that another thread never sees half of it (decision O3); the lock word, the
//! layout id and the forwarding bits are never copied.
use crate::alloc::{AllocError, alloc_array, alloc_array_local, alloc_instance, alloc_instance_local};
use crate::arch::{BLOCK, can_copy_blocks, copy_blocks};
use concord_contract::barrier::{must_log, must_publish};
use concord_contract::class::flags;
use concord_contract::layout::{LayoutKind, object_size};
use concord_contract::object::{HEADER_BYTES, array_base};
use concord_contract::thread::ThreadState;
use concord_contract::{Obj, Thread, layout, owner};
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

/// Elements are copied in pieces of so many bytes, with a poll between them (decision O20).
const PIECE: usize = 1 << 20;

/// Copies `n` primitive elements of `1 << shift` bytes from byte offset `from` of `src` to byte
/// offset `to` of `dst`; the ranges may overlap. References need the barrier as well: see
/// [`crate::array_copy_refs`].
///
/// Copies above 1 MB poll, hence may collect; the arrays stay where they are.
pub fn copy_payload(src: Obj, from: usize, dst: Obj, to: usize, n: usize, shift: u32) {
    if owner::on()
        && let Some(th) = Thread::current_opt()
    {
        owner::check(th, src);
        owner::check(th, dst);
    }
    let piece = PIECE >> shift;
    if n <= piece {
        return copy_without_poll(src, from, dst, to, n, shift);
    }
    let th = Thread::current_opt().filter(|th| th.state() == ThreadState::InVm && th.no_safepoint.get() == 0);
    let upwards = src.addr() + from >= dst.addr() + to || src != dst;
    let pieces = n.div_ceil(piece);
    for k in 0..pieces {
        let first = piece * if upwards { k } else { pieces - 1 - k };
        let offset = first << shift;
        copy_without_poll(src, from + offset, dst, to + offset, piece.min(n - first), shift);
        if let Some(th) = th {
            concord_safepoint::poll(th);
        }
    }
    // Both are named by this frame until here, which keeps and pins them.
    std::hint::black_box((src, dst));
}

/// As [`copy_payload`], without a safepoint: for references, which need their barrier before one.
pub(crate) fn copy_without_poll(src: Obj, from: usize, dst: Obj, to: usize, n: usize, shift: u32) {
    let (s, d) = (src.addr() + from, dst.addr() + to);
    debug_assert!(from >= HEADER_BYTES && to >= HEADER_BYTES);
    debug_assert!((s | d) & ((1 << shift) - 1) == 0);
    // SAFETY: the caller has checked the bounds, offsets of elements are aligned to their size.
    unsafe {
        match shift {
            0 => by_blocks(s, d, n, |s, d, bytes| copy8(s, d, bytes)),
            1 => by_blocks(s, d, n * 2, |s, d, bytes| copy16(s, d, bytes / 2)),
            2 => by_blocks(s, d, n * 4, |s, d, bytes| copy32(s, d, bytes / 4)),
            3 => by_blocks(s, d, n * 8, |s, d, bytes| copy64(s, d, bytes / 8)),
            _ => concord_base::bug!("elements of {} bytes", 1u64 << shift),
        }
    }
}

/// Copies by blocks as far as they reach, by elements (`rest`, in bytes) what is left.
///
/// # Safety
/// As for the copiers, for `bytes` bytes.
#[inline]
unsafe fn by_blocks(s: usize, d: usize, bytes: usize, rest: impl Fn(usize, usize, usize)) {
    if bytes < 2 * BLOCK || !can_copy_blocks(s, d) {
        return rest(s, d, bytes);
    }
    let blocks = bytes / BLOCK;
    let done = blocks * BLOCK;
    // SAFETY: both pieces lie in the ranges. Where they overlap upwards, the upper piece comes
    // first, before the lower one overwrites its source.
    unsafe {
        if d <= s || d >= s + bytes {
            copy_blocks(s, d, blocks, false);
            rest(s + done, d + done, bytes - done);
        } else {
            rest(s + done, d + done, bytes - done);
            copy_blocks(s, d, blocks, true);
        }
    }
}

/// A copy of an instance or array for the calling thread, with a fresh header (Object.clone).
///
/// # Errors
/// What the OutOfMemoryError says.
pub fn clone_object(th: &Thread, o: Obj) -> Result<Obj, AllocError> {
    let class = o.class();
    let l = layout::get(o.layout_id());
    // A copy of an object that others can reach will be published as nearly all of its class are; one of a LOCAL object would
    // publish what that refers to.
    let shared = class.has_flag(flags::MOSTLY_PUBLISHED) && !o.is_local();
    let copy = match (class.is_array(), shared) {
        (true, true) => alloc_array(th, class, o.array_len())?,
        (true, false) => alloc_array_local(th, class, o.array_len())?,
        (false, true) => alloc_instance(th, class).ok_or(AllocError::HeapSpace)?,
        (false, false) => alloc_instance_local(th, class).ok_or(AllocError::HeapSpace)?,
    };
    // Kept in memory, hence seen by the conservative scan, across the allocation above.
    let o = std::hint::black_box(o);
    if must_publish(copy, o) {
        // The copy is SHARED from birth and takes over references of a LOCAL object.
        crate::publish::publish(th, o);
    }
    match l.kind {
        LayoutKind::PrimArray => {
            let base = array_base(class.elem_shift as u32);
            copy_payload(o, base, copy, base, o.array_len(), class.elem_shift as u32);
        }
        LayoutKind::RefArray => crate::store::array_copy_refs(o, 0, copy, 0, o.array_len()),
        LayoutKind::Instance | LayoutKind::LargeInstance | LayoutKind::Reference | LayoutKind::LargeReference => {
            // SAFETY: the object is live.
            let bytes = unsafe { object_size(o.addr()) };
            copy_payload(o, HEADER_BYTES, copy, HEADER_BYTES, (bytes - HEADER_BYTES) / 8, 3);
            if must_log(copy) {
                crate::store::barrier_slow(copy);
            }
        }
    }
    Ok(copy)
}
