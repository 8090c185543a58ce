//! Headers, arrays, classes and allocation, as handlers read them: no calls, no checks.
//!
//! Invariant: every function here inlines to a few loads. The contract's own accessors carry
//! debug assertions, which handlers cannot afford (a panic path is a call).
use crate::value::{Cell, Int};
use concord_contract::Thread;
use concord_contract::class::{Class, ClassKind, DISPLAY, itable_slot};
use concord_contract::layout;
use concord_contract::method::Method;
use concord_contract::object::{LAYOUT_OFFSET, LENGTH_OFFSET, LOCAL_BIT, LOCK_OFFSET, array_base};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Arrays up to this many bytes are allocated inline.
pub const MAX_INLINE_ARRAY: usize = 4096;

/// The layout id of a live object.
///
/// # Safety
/// `o` is a live object.
#[inline(always)]
pub unsafe fn layout_of(o: u64) -> u32 {
    // SAFETY: every object has a layout word; its flag byte is zero while mutators run.
    unsafe { AtomicU32::from_ptr((o + LAYOUT_OFFSET as u64) as *mut u32).load(Ordering::Relaxed) }
}

/// The class of objects with a layout.
///
/// # Safety
/// `id` is the layout of a live object.
#[inline(always)]
pub unsafe fn class_at(id: u32) -> *const Class {
    // SAFETY: the layout word of a live object names a complete row.
    unsafe { (*layout::class_table().add(id as usize)).load(Ordering::Relaxed) }
}

/// The class of a live object.
///
/// # Safety
/// `o` is a live object.
#[inline(always)]
pub unsafe fn class_of(o: u64) -> *const Class {
    // SAFETY: by the caller's word.
    unsafe { class_at(layout_of(o)) }
}

/// Whether no other thread can reach a live object: stores into it need no fence.
///
/// # Safety
/// `o` is a live object.
#[inline(always)]
pub unsafe fn is_local(o: u64) -> bool {
    // SAFETY: every object begins with its lock word.
    let word = unsafe { AtomicU32::from_ptr((o + LOCK_OFFSET as u64) as *mut u32) };
    word.load(Ordering::Relaxed) & LOCAL_BIT != 0
}

/// Whether storing `v` (or null) into `target` would show a LOCAL object to other threads.
///
/// # Safety
/// `target` is a live object, `v` one or 0.
#[inline(always)]
pub unsafe fn must_publish(target: u64, v: u64) -> bool {
    // SAFETY: by the caller's word.
    unsafe { v != 0 && !is_local(target) && is_local(v) }
}

/// # Safety
/// `a` is a live array.
#[inline(always)]
pub unsafe fn length(a: u64) -> u32 {
    // SAFETY: arrays have their length here.
    unsafe { Int::load(a + LENGTH_OFFSET as u64) as u32 }
}

/// Address of element `i` of an array of `C`; the index has been checked.
#[inline(always)]
pub fn element<C: Cell>(a: u64, i: i32) -> u64 {
    a + array_base(C::SHIFT) as u64 + ((i as u32 as u64) << C::SHIFT)
}

/// The method in slot `index` of the vtable.
///
/// # Safety
/// `index` is below the class's vtable length.
#[inline(always)]
pub unsafe fn vtable_method(class: *const Class, index: u32) -> *const Method {
    // SAFETY: the vtable follows the struct.
    unsafe {
        const VTABLE: usize = Class::vtable_offset();
        let v = (class as *const u8).add(VTABLE) as *const AtomicPtr<Method>;
        (*v.add(index as usize)).load(Ordering::Relaxed)
    }
}

/// The method that implements entry `index` of `interface`, or null.
///
/// # Safety
/// `class` is linked.
#[inline(always)]
pub unsafe fn itable_method(class: *const Class, interface: *const Class, index: u32) -> *const Method {
    // SAFETY: itables are complete before instances exist; entries are never null.
    unsafe {
        if let Some(t) = (*class).itable.get() {
            let size = t.len();
            let mut i = itable_slot(interface, size);
            loop {
                let e = t.as_ptr().add(i);
                match (*e).interface {
                    Some(x) if std::ptr::eq(x, interface) => {
                        return (*(*e).methods.add(index as usize)).load(Ordering::Relaxed);
                    }
                    None => break,
                    _ => i = (i + 1) & (size - 1),
                }
            }
        }
        std::ptr::null()
    }
}

/// Whether objects of `class` implement `interface`.
///
/// # Safety
/// As [`itable_method`].
#[inline(always)]
pub unsafe fn implements(class: *const Class, interface: *const Class) -> bool {
    // SAFETY: itables are complete before instances exist, and have a row for each interface.
    unsafe {
        if let Some(t) = (*class).itable.get() {
            let mut i = itable_slot(interface, t.len());
            loop {
                match (*t.as_ptr().add(i)).interface {
                    Some(x) if std::ptr::eq(x, interface) => return true,
                    None => break,
                    _ => i = (i + 1) & (t.len() - 1),
                }
            }
        }
        false
    }
}

/// Whether `s` is a subtype of `t`; None if that takes more than the display.
///
/// # Safety
/// Both are classes.
#[inline(always)]
pub unsafe fn subtype(s: *const Class, t: *const Class) -> Option<bool> {
    // SAFETY: classes live for ever.
    unsafe {
        if s == t {
            return Some(true);
        }
        let d = (*t).depth as usize;
        if (*t).kind as u8 == ClassKind::Instance as u8 && (*t).access_flags & 0x200 == 0 && d < DISPLAY {
            return Some(*(&raw const (*s).display as *const *const Class).add(d) == t);
        }
        None
    }
}

/// Takes zeroed memory from the thread's bump area; 0 if it is full.
///
/// # Safety
/// `th` is the running thread; `size` is a multiple of 8.
#[inline(always)]
unsafe fn bump(th: *const Thread, size: usize) -> u64 {
    // SAFETY: the area belongs to the running thread.
    unsafe {
        let b = (*th).bump.get() as *mut usize;
        let p = *b;
        let end = p.wrapping_add(size);
        if end > *b.add(1) || end < p {
            return 0;
        }
        *b = end;
        p as u64
    }
}

/// Writes the header of a new object.
///
/// # Safety
/// `o` is fresh memory.
#[inline(always)]
unsafe fn header(o: u64, class: *const Class) {
    // SAFETY: fresh memory, 8-aligned. The word is one store, so nobody sees half a header.
    unsafe { AtomicU64::from_ptr(o as *mut u64).store((*class).new_header(), Ordering::Relaxed) }
}

/// An instance of `class`, or 0.
///
/// # Safety
/// `class` is initialized and may be instantiated by bump allocation.
#[inline(always)]
pub unsafe fn new_instance(th: *const Thread, class: *const Class) -> u64 {
    // SAFETY: by the caller's word.
    unsafe {
        let o = bump(th, (*class).instance_size.load(Ordering::Relaxed) as usize);
        if o != 0 {
            header(o, class);
        }
        o
    }
}

/// An array of `class` with `len` elements, or 0 if it is large, negative, or there is no room.
///
/// # Safety
/// `class` is an array class.
#[inline(always)]
pub unsafe fn new_array(th: *const Thread, class: *const Class, len: i32) -> u64 {
    // SAFETY: by the caller's word.
    unsafe {
        let shift = (*class).elem_shift as u32 & 3;
        if len as u32 > (MAX_INLINE_ARRAY as u32 - 16) >> shift {
            return 0;
        }
        let size = (array_base(shift) + ((len as usize) << shift) + 7) & !7;
        let o = bump(th, size);
        if o != 0 {
            header(o, class);
            Int::store(o + LENGTH_OFFSET as u64, len);
        }
        o
    }
}
