//! Allocation.
//!
//! Invariant: an object's header (and length) is stored before its thread can reach a safepoint;
//! its payload is zero. A failed allocation returns an error and never unwinds or aborts: who
//! called throws OutOfMemoryError.
//!
//! Fast path: bump the pointer pair at [`Thread::bump`], store the header. Engines may inline it
//! for objects of at most [`MAX_SMALL`] bytes; nothing else is to be done. The slow path mostly moves the limit a
//! piece further (`eden`). What does not fit into eden is born old.
//!
//! What bytecode asks for (`new`, arrays, clone, `Array.newInstance`) is born as its class says,
//! which is LOCAL under `+VBD` for nearly all classes: the functions `*_local`. What the VM makes
//! for itself or for others is born SHARED.
use crate::binding::{collector, has_workers, heap, heap_thread};
use crate::young::{self, Room};
use crate::{allocated, conservative, eden, watched};
use concord_contract::object::{LENGTH_OFFSET, array_base};
use concord_contract::thread::ThreadState;
use concord_contract::{Class, Obj, Thread, owner};
use mmtk::{AllocationSemantics, memory_manager};
use std::sync::atomic::Ordering::Relaxed;

/// Larger objects are not allocated by bumping a pointer.
pub const MAX_SMALL: usize = 16384;
/// Collections for one object, between which others may take the room, before it is born old.
const TRIALS: usize = 8;
/// The longest array, as in HotSpot.
pub const MAX_ARRAY_LENGTH: usize = 0x7fff_fffd;

/// Why an array could not be allocated: the two messages of OutOfMemoryError.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocError {
    /// "Java heap space"
    HeapSpace,
    /// "Requested array size exceeds VM limit"
    ArrayTooLarge,
}

impl AllocError {
    /// The message of the OutOfMemoryError.
    pub const fn message(self) -> &'static str {
        match self {
            AllocError::HeapSpace => "Java heap space",
            AllocError::ArrayTooLarge => "Requested array size exceeds VM limit",
        }
    }
}

/// A pair that every bump exceeds and nobody writes: every allocation comes here, to collect, to be stamped or told of.
/// Eden's own pair can be such a one, too.
static ALWAYS_FULL: [usize; 2] = [8, 0];

/// Whether every allocation is to come to [`alloc_slow`].
#[inline]
pub(crate) fn asks_everywhere() -> bool {
    heap().options.zeal.alloc.is_some() || owner::on() || watched::is_on()
}

/// The pair that fast paths use: [cursor, limit].
pub(crate) fn bump_pointer(th: &Thread) -> *mut [usize; 2] {
    if !eden::is_on() && asks_everywhere() { (&raw const ALWAYS_FULL).cast_mut() } else { real_bump_pointer(th) }
}

/// Where in every thread block that pair is; 0 if it is where [`Thread::bump`] says.
pub fn bump_in_thread() -> u32 {
    if eden::is_on() { eden::PAIR_IN_THREAD as u32 } else { 0 }
}

/// The thread's own pair, also when zeal hides it from fast paths.
pub(crate) fn real_bump_pointer(th: &Thread) -> *mut [usize; 2] {
    if eden::is_on() {
        return eden::pair(th);
    }
    // SAFETY: the offset lies within the mutator.
    unsafe { heap_thread(th).cast::<u8>().add(heap().bump_offset).cast() }
}

/// `size` zeroed bytes (a multiple of 8), or 0.
///
/// # Safety
/// `th` is the calling thread, attached; a header is stored at the result before a safepoint.
#[inline(always)]
unsafe fn raw(th: &Thread, size: usize) -> usize {
    // SAFETY: `bump` points to the thread's pair from attach to detach.
    unsafe {
        let bump = th.bump.get();
        let at = (*bump)[0];
        let end = at + size;
        if end <= (*bump)[1] && size <= MAX_SMALL {
            (*bump)[0] = end;
            at
        } else {
            alloc_slow(th, size)
        }
    }
}

/// As the fast path of an allocation when the bump pointer has no room: `size` zeroed bytes (a
/// multiple of 8), or 0 when the heap is exhausted. May collect.
///
/// # Safety
/// `th` is the calling thread, attached and in the VM; a header (and length) is stored at the
/// result before the thread reaches a safepoint.
#[cold]
#[inline(never)]
pub unsafe fn alloc_slow(th: &Thread, size: usize) -> usize {
    debug_assert!(size & 7 == 0 && size >= 8);
    // SAFETY: by the caller's promise, here and below.
    unsafe {
        if eden::is_on() && !asks_everywhere() {
            let at = eden::extend(th, size);
            if at != 0 {
                return at;
            }
        }
        let at = take(th, size);
        watched::tell(th, at, size);
        at
    }
}

/// As [`alloc_slow`], for what is nobody's object.
///
/// # Safety
/// As there.
unsafe fn take(th: &Thread, size: usize) -> usize {
    debug_assert_eq!(th.state(), ThreadState::InVm, "allocation outside the VM");
    debug_assert_eq!(th.no_safepoint.get(), 0, "allocation inside a NoSafepoint scope");
    debug_assert!(size & 7 == 0 && size >= 8);
    // A collection scans the native stack from here: the collector's frames below name memory
    // that it is about to hand out.
    concord_safepoint::record_context(th);
    // SAFETY: the thread's own state.
    unsafe {
        allocated::settle(th);
        zeal(th);
        crate::evacuation::again(th);
        if eden::is_on() && size <= eden::largest() {
            for _ in 0..TRIALS {
                if let Some(at) = eden::alloc(th, size) {
                    allocated::add(th, size);
                    return at;
                }
                match young::make_room(th, size) {
                    Room::Perhaps => {}
                    Room::NoCollection => break,
                    Room::None => return 0,
                }
            }
        }
        old(th, size)
    }
}

/// As [`take`], for what is born old, or the plan without eden.
///
/// # Safety
/// As there; the context is recorded.
unsafe fn old(th: &Thread, size: usize) -> usize {
    // SAFETY: the thread's own state; `at` is fresh memory or null.
    unsafe {
        let mutator = &mut (*heap_thread(th)).mutator;
        if size > MAX_SMALL {
            if size > heap().options.max {
                crate::collection::before_out_of_memory(th);
                return 0;
            }
            if !crate::large::has_room(size) {
                crate::collection::before_out_of_memory(th);
                if !crate::large::has_room(size) {
                    return 0;
                }
            }
            let at = memory_manager::alloc(mutator, size, 8, 0, AllocationSemantics::Los);
            if !at.is_zero() {
                reachable_by_32_bits(at.as_usize(), size);
                crate::uncommit::note(at.as_usize());
                crate::large::note(at.as_usize(), size);
                crate::huge_pages::large(at.as_usize(), size);
                let object = crate::slot::reference(at.as_usize());
                memory_manager::post_alloc(mutator, object, size, AllocationSemantics::Los);
                crate::remembered::note_born_old(at.as_usize());
                allocated::add(th, size);
            }
            return at.as_usize();
        }
        let at = memory_manager::alloc(mutator, size, 8, 0, AllocationSemantics::Default).as_usize();
        if at != 0 {
            if eden::is_on() {
                conservative::set_vo(at);
                crate::uncommit::note(at);
                crate::remembered::note_born_old(at);
            } else {
                conservative::record(th, at, size);
            }
            allocated::add(th, size);
        }
        at
    }
}

/// The spaces are laid out so that this holds; were it not so, references would be cut off.
fn reachable_by_32_bits(at: usize, size: usize) {
    if at + size > 32 << 30 {
        concord_base::bug!("a large object at {at:#x} is out of reach of 32-bit references");
    }
}

fn zeal(th: &Thread) {
    let zeal = &heap().options.zeal;
    let Some(every) = zeal.alloc else { return };
    if !has_workers() {
        return;
    }
    // SAFETY: the thread's own state.
    let ht = unsafe { &mut *heap_thread(th) };
    if ht.zeal_countdown > 1 {
        ht.zeal_countdown -= 1;
        return;
    }
    ht.zeal_countdown = every.max(1);
    ht.zeal_collections = ht.zeal_collections.wrapping_add(1);
    if collector().is_collection_enabled() {
        crate::collection::zeal_gc(th, ht.zeal_collections);
    }
}

/// A new SHARED instance of `class`, all fields zero; None when the heap is exhausted.
#[inline(always)]
pub fn alloc_instance(th: &Thread, class: &Class) -> Option<Obj> {
    instance(th, class, Class::shared_header)
}
/// A new instance for the calling thread's own bytecode.
#[inline(always)]
pub fn alloc_instance_local(th: &Thread, class: &Class) -> Option<Obj> {
    instance(th, class, Class::new_header)
}
#[inline(always)]
fn instance(th: &Thread, class: &Class, header: impl Fn(&Class) -> u64) -> Option<Obj> {
    loop {
        let size = class.instance_size.load(Relaxed) as usize;
        debug_assert!(size >= 8, "{class:?} has no instances");
        // SAFETY: the header is stored at once.
        unsafe {
            let at = raw(th, size);
            if at == 0 {
                return None;
            }
            if class.instance_size.load(Relaxed) as usize != size {
                // The thread has stopped, and the class has another layout now.
                crate::relayout::fill(at, size);
                continue;
            }
            // Read behind any stop, as the size.
            *(at as *mut u64) = header(class);
            return Some(own(th, Obj::from_addr(at)));
        }
    }
}

/// Notes whose a LOCAL object is, if that is checked.
#[inline(always)]
fn own(th: &Thread, o: Obj) -> Obj {
    if owner::on() && o.is_local() {
        owner::stamp(th, o);
    }
    o
}

/// A new zeroed object with a layout of its own: the holders of static fields, which are pinned and therefore born old. `size` is
/// what the layout table says of `layout_id`; None when the heap is exhausted.
pub fn alloc_with_layout(th: &Thread, layout_id: u32, size: usize) -> Option<Obj> {
    debug_assert_eq!(concord_contract::layout::get(layout_id).size as usize, size);
    // SAFETY: the header is stored at once.
    unsafe {
        let at = if eden::is_on() {
            concord_safepoint::record_context(th);
            allocated::settle(th);
            old(th, size)
        } else if watched::is_on() {
            take(th, size)
        } else {
            raw(th, size)
        };
        if at == 0 {
            return None;
        }
        *(at as *mut u64) = (layout_id as u64) << 32;
        Some(Obj::from_addr(at))
    }
}

/// Bytes of an array with `len` elements of `1 << shift` bytes.
#[inline(always)]
pub const fn array_bytes(len: usize, shift: u32) -> usize {
    (array_base(shift) + (len << shift) + 7) & !7
}

/// A new SHARED array of class `class` with `len` zero elements.
///
/// # Errors
/// What the OutOfMemoryError says.
#[inline]
pub fn alloc_array(th: &Thread, class: &Class, len: usize) -> Result<Obj, AllocError> {
    array(th, class, len, class.shared_header())
}
/// A new array for the calling thread's own bytecode.
///
/// # Errors
/// What the OutOfMemoryError says.
#[inline]
pub fn alloc_array_local(th: &Thread, class: &Class, len: usize) -> Result<Obj, AllocError> {
    array(th, class, len, class.new_header())
}
#[inline(always)]
fn array(th: &Thread, class: &Class, len: usize, header: u64) -> Result<Obj, AllocError> {
    debug_assert!(class.is_array(), "{class:?} is no array class");
    if len > MAX_ARRAY_LENGTH {
        return Err(AllocError::ArrayTooLarge);
    }
    // SAFETY: header and length are stored at once.
    unsafe {
        let at = raw(th, array_bytes(len, class.elem_shift as u32));
        if at == 0 {
            return Err(AllocError::HeapSpace);
        }
        *(at as *mut u64) = header;
        *((at + LENGTH_OFFSET) as *mut u32) = len as u32;
        Ok(own(th, Obj::from_addr(at)))
    }
}
