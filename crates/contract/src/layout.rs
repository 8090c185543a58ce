//! The layout table: 16 bytes per layout id, plus the class that each id names.
//!
//! Invariant: an entry is complete before its id can stand in any header, and never changes while
//! an object has that id. A class may have several ids in the course of its life (one per version
//! of its field layout); the type is the class, never the id.
use crate::class::{Class, ClassRef};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, Ordering};

/// How the collector walks an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum LayoutKind {
    /// Reference slots are the set bits of `map`: bit i is the slot at 8 + 4 i.
    Instance = 0,
    /// An array without references.
    PrimArray = 1,
    /// An array of references.
    RefArray = 2,
    /// An instance with more than 64 words: `map` is the address of `ceil(size / 256)` map words.
    LargeInstance = 3,
    /// As `Instance`, and one of java.lang.ref.Reference's subclasses: `referent` is in no map.
    Reference = 4,
    /// As `LargeInstance`, and a reference as well.
    LargeReference = 5,
}

impl LayoutKind {
    /// Whether the object is a java.lang.ref.Reference, whose referent the collector treats.
    #[inline(always)]
    pub fn is_reference(self) -> bool {
        matches!(self, LayoutKind::Reference | LayoutKind::LargeReference)
    }
}

/// One row of the layout table.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Layout {
    pub map: u64,
    /// Bytes of an instance, a multiple of 8; 0 for arrays.
    pub size: u32,
    /// log2 of the element size of arrays.
    pub elem_shift: u8,
    /// Offset of an array's first element; of an instance a second slot as `chain`, or `NO_CHAIN`.
    pub base: u8,
    pub kind: LayoutKind,
    /// A field that may link objects of this layout to a list (LinkedList$Node.next): word index of that slot
    /// (offset = 8 + 4 * chain), or `NO_CHAIN`.
    pub chain: u8,
}

/// No such field.
pub const NO_CHAIN: u8 = 0xff;
/// Layout ids have 24 bits.
pub const MAX_LAYOUTS: usize = 1 << 24;

/// Base of the layout table, for assembly; others ask [`table`].
pub static LAYOUTS: AtomicPtr<Layout> = AtomicPtr::new(std::ptr::null_mut());
static CLASSES: AtomicPtr<AtomicPtr<Class>> = AtomicPtr::new(std::ptr::null_mut());
static MARKS: AtomicPtr<AtomicU8> = AtomicPtr::new(std::ptr::null_mut());
static NEXT: AtomicU32 = AtomicU32::new(1);
/// Ids whose classes were unloaded.
static FREE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// What a collection of the full heap must do at objects of a layout, beside visiting their slots.
pub mod marks {
    /// The class can be unloaded: its instances keep it.
    pub const UNLOADABLE: u8 = 1;
    /// java.lang.Class: the object keeps what belongs to the class that it stands for.
    pub const MIRROR: u8 = 2;
    /// java.lang.ClassLoader or a subclass: the object keeps the loader's classes.
    pub const LOADER: u8 = 4;
    /// The statics of a class that can be unloaded: whoever holds them (`Unsafe.staticFieldBase`, a
    /// native frame) keeps the class.
    pub const STATICS: u8 = 8;
}

/// Address space whose pages read as zero and appear when touched.
pub(crate) fn reserve(bytes: usize) -> *mut u8 {
    let p = map(bytes, 0);
    assert!(p != libc::MAP_FAILED, "cannot reserve {bytes} bytes of address space");
    p.cast()
}
/// The same below 2 GB if there is room: its address is short in machine code.
fn reserve_low(bytes: usize) -> *mut u8 {
    match map(bytes, libc::MAP_32BIT) {
        libc::MAP_FAILED => reserve(bytes),
        p => p.cast(),
    }
}
fn map(bytes: usize, flags: i32) -> *mut libc::c_void {
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: an anonymous private mapping at an address of the kernel's choice.
    unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) }
}

/// Reserves the tables; called once, before the first class exists.
pub fn init() {
    LAYOUTS.store(reserve(MAX_LAYOUTS * size_of::<Layout>()).cast(), Ordering::Release);
    CLASSES.store(reserve_low(MAX_LAYOUTS * 8).cast(), Ordering::Release);
    MARKS.store(reserve(MAX_LAYOUTS).cast(), Ordering::Release);
}

/// Base of the layout table, for code that embeds it.
#[inline(always)]
pub fn table() -> *const Layout {
    LAYOUTS.load(Ordering::Relaxed)
}
/// Base of the table from layout id to class.
#[inline(always)]
pub fn class_table() -> *const AtomicPtr<Class> {
    CLASSES.load(Ordering::Relaxed)
}

/// Hands out a new layout id; the entry is filled by [`set`] before the id is used.
pub fn new_id() -> u32 {
    if let Some(id) = FREE.lock().expect("free layout ids").pop() {
        return id;
    }
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    assert!((id as usize) < MAX_LAYOUTS, "more than 2^24 object layouts");
    id
}

/// Fills entry `id`.
pub fn set(id: u32, layout: Layout, class: &'static Class) {
    // SAFETY: `id` came from `new_id`, the tables are reserved, and nobody reads the entry yet.
    unsafe {
        (table() as *mut Layout).add(id as usize).write(layout);
        (*class_table().add(id as usize)).store(class as *const Class as *mut Class, Ordering::Release);
    }
}

/// Takes ids back whose classes are unloaded; their next holders may be anything.
///
/// # Safety
/// No object with such an id can be reached, and nobody remembers the ids.
pub unsafe fn release_ids(ids: &[u32]) {
    for id in ids {
        // SAFETY: the tables are reserved for every id; by the caller's promise nobody reads it.
        unsafe { (*MARKS.load(Ordering::Relaxed).add(*id as usize)).store(0, Ordering::Relaxed) };
    }
    FREE.lock().expect("free layout ids").extend_from_slice(ids);
}

/// Sets [`marks`] of `id`.
pub fn set_marks(id: u32, bits: u8) {
    // SAFETY: the table is reserved for every id.
    unsafe { (*MARKS.load(Ordering::Relaxed).add(id as usize)).store(bits, Ordering::Release) };
}
/// The [`marks`] of an id found in a header.
#[inline(always)]
pub fn marks_of(id: u32) -> u8 {
    // SAFETY: the table is reserved for every 24-bit id.
    unsafe { (*MARKS.load(Ordering::Relaxed).add(id as usize)).load(Ordering::Relaxed) }
}

/// The layout of an id found in a header.
#[inline(always)]
pub fn get(id: u32) -> &'static Layout {
    // SAFETY: ids in headers have complete entries.
    unsafe { &*table().add(id as usize) }
}

/// The class of an id found in a header.
#[inline(always)]
pub fn class_of(id: u32) -> ClassRef {
    // SAFETY: ids in headers have complete entries.
    unsafe { &*(*class_table().add(id as usize)).load(Ordering::Relaxed) }
}

/// Size in bytes of the object at `addr`, a multiple of 8.
///
/// # Safety
/// `addr` is an object with a complete header (and length, for arrays).
#[inline(always)]
pub unsafe fn object_size(addr: usize) -> usize {
    // SAFETY: the caller vouches for header and length.
    unsafe {
        let id = *((addr + crate::object::LAYOUT_OFFSET) as *const u32) & crate::object::LAYOUT_ID_MASK;
        let l = get(id);
        if l.size != 0 {
            l.size as usize
        } else {
            let n = *((addr + crate::object::LENGTH_OFFSET) as *const u32) as usize;
            (l.base as usize + (n << l.elem_shift) + 7) & !7
        }
    }
}
