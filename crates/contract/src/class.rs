//! The VM's mirror of a Java class.
//!
//! Invariant: what stands before [`Class::info`] is complete before the class is published to any
//! engine, and only `state`, `init_thread`, the roots and the vtable's contents (by redefinition)
//! change afterwards. A `Class` never moves and is never freed while code can name it: `ClassRef` is
//! `'static` because the collector finds whoever holds one (`concord_runtime::unload` says how).
mod block;
mod itable;

pub use block::ClassInit;
pub use itable::{ItableEntry, itable_slot};

use crate::method::{CpEntry, Method, MethodRef};
use crate::object::{BasicType, LOCAL_BIT, Obj};
use crate::supers::Supers;
use crate::thread::Thread;
use concord_base::Symbol;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};

/// A class for as long as anybody can name it.
pub type ClassRef = &'static Class;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ClassKind {
    /// A class or interface made from a class file.
    Instance,
    /// An array of references.
    RefArray,
    /// An array of primitives.
    PrimArray,
    /// int.class and the other eight; never the class of an object.
    Primitive,
}

/// JVMS 5.3-5.5. Transitions go forward only; `BeingInitialized` ends in one of the last two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum ClassState {
    Loaded = 0,
    /// Verified, prepared, vtables and constant-pool cache in place.
    Linked = 1,
    /// `<clinit>` runs in [`Class::init_thread`].
    BeingInitialized = 2,
    Initialized = 3,
    /// Initialization failed; every use throws NoClassDefFoundError.
    Erroneous = 4,
}

/// A registered root: an off-heap word with the address of an object, updated by the collector.
#[repr(transparent)]
pub struct Root(pub AtomicU64);

impl Root {
    pub const fn new() -> Root {
        Root(AtomicU64::new(0))
    }
    #[inline(always)]
    pub fn get(&self) -> Obj {
        // SAFETY: only addresses of live objects are stored, and the collector updates them.
        unsafe { Obj::from_addr(self.0.load(Ordering::Acquire) as usize) }
    }
    #[inline(always)]
    pub fn set(&self, o: Obj) {
        self.0.store(o.addr() as u64, Ordering::Release)
    }
    /// Address of the word, for the collector.
    pub fn slot(&self) -> *mut u64 {
        self.0.as_ptr()
    }
}
impl Default for Root {
    fn default() -> Self {
        Self::new()
    }
}

/// Supers at depth below this are found in [`Class::display`] with one load.
pub const DISPLAY: usize = 8;

#[repr(C)]
pub struct Class {
    /// The lock word that `new` gives: `LOCAL_BIT`, or 0 if the class's objects are SHARED from
    /// birth. Together with `layout_id`, as one 64-bit word, the header: [`Class::new_header`].
    pub birth: AtomicU32,
    /// The id that new objects get.
    pub layout_id: AtomicU32,
    /// Bytes of an instance; 0 for arrays, interfaces and primitives.
    pub instance_size: AtomicU32,
    pub state: AtomicU8,
    pub kind: ClassKind,
    /// Element type of a primitive array, the type itself of a primitive class, else `Object`.
    pub basic: BasicType,
    /// log2 of the element size of arrays.
    pub elem_shift: u8,
    /// Depth in the superclass chain; 0 for Object, interfaces and primitives.
    pub depth: u32,
    /// JVMS access flags of the class file, ACC_SUPER included.
    pub access_flags: u16,
    /// [`flags`] of the VM's own.
    pub flags: AtomicU32,
    /// Superclasses by depth, itself included.
    pub display: [*const Class; DISPLAY],
    pub super_class: Option<ClassRef>,
    /// All superinterfaces, transitively; for arrays Cloneable and Serializable (and, for
    /// reference arrays, what array covariance adds is decided by `is_subclass_of`).
    pub interfaces_all: OnceLock<Box<[ClassRef]>>,
    /// What is neither in the display nor an array class, by place.
    pub supers: Supers,
    /// Place of this class in the tables of its subtypes.
    pub place: u8,
    /// The thread in whose `<clinit>` the class is, while `BeingInitialized`.
    pub init_thread: AtomicPtr<Thread>,
    /// The java.lang.Class object.
    pub mirror: Root,
    /// The ordinary heap object that holds the static fields (decision C13); pinned.
    pub statics: Root,
    /// Element class of an array, of one dimension less.
    pub component: Option<ClassRef>,
    /// The class of arrays of this class, once made.
    pub array_class: AtomicPtr<Class>,
    /// `length = cp count + extra` entries, in place when linked.
    pub cp_cache: AtomicPtr<CpEntry>,
    /// Made by [`ItableEntry::table`].
    pub itable: OnceLock<Box<[ItableEntry]>>,
    /// Binary name in internal form: `java/lang/String`, `[I`.
    pub name: Symbol,
    vtable_len: AtomicU32,
    /// Entries that fit behind the struct.
    vtable_room: u32,
    /// The runtime's own part (`concord_runtime::ClassInfo`).
    pub info: AtomicPtr<()>,
    /// Number of the last collection of the full heap that has seen an instance.
    pub seen: AtomicU32,
    /// `vtable_len` entries follow the struct.
    vtable: [AtomicPtr<Method>; 0],
}

/// What the lock word of a new object says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Birth {
    /// No other thread can reach it: it has the LOCAL bit.
    Local,
    /// Some may, or soon will.
    Shared,
}

/// Bits of [`Class::flags`].
pub mod flags {
    /// Has a finalizer other than Object's: instances are registered at the end of Object.<init>.
    pub const FINALIZER: u32 = 1 << 0;
    /// Hidden class (JVMS 5.3's Lookup.defineHiddenClass).
    pub const HIDDEN: u32 = 1 << 1;
    /// java.lang.ref.Reference or a subclass.
    pub const REFERENCE: u32 = 1 << 2;
    /// Instances cannot be made by `new` fast paths (abstract, interface, Class, finalizable).
    pub const NO_FAST_NEW: u32 = 1 << 3;
    /// Implements java.lang.Cloneable.
    pub const CLONEABLE: u32 = 1 << 4;
    /// Loaded by the boot loader.
    pub const BOOT: u32 = 1 << 5;
    /// Has `@Relaxed`.
    pub const RELAXED: u32 = 1 << 6;
    /// An interface, or inherits one, that has non-abstract non-static methods.
    pub const HAS_DEFAULTS: u32 = 1 << 7;
    /// May be unloaded: its loader may, or it is a hidden class that its loader does not hold. Its
    /// statics object may move in a collection of the full heap, so code that outlives a safepoint
    /// must not keep addresses of its static fields, nor the class itself unless told of unloading.
    pub const UNLOADABLE: u32 = 1 << 8;
    /// Foreign code has ids of its methods or fields: their memory is never given back.
    pub const IDS_OUT: u32 = 1 << 9;
    /// Has been found unreachable; nothing but stale ids of foreign code names it any more.
    pub const UNLOADED: u32 = 1 << 10;
    /// Most of its objects are published: compiled code makes them SHARED from now on.
    pub const MOSTLY_PUBLISHED: u32 = 1 << 11;
    /// Somebody keeps offsets of its instance fields (`Unsafe.objectFieldOffset`, a resolved MemberName): they stay.
    pub const OFFSETS_OUT: u32 = 1 << 12;
    /// As well of its static fields, or keeps the object that holds them.
    pub const STATICS_OUT: u32 = 1 << 13;
    /// Objects of the JDK that the VM can correct keep offsets of its instance fields.
    pub const OFFSETS_HELD: u32 = 1 << 14;
    /// Its objects keep offsets of other classes' fields, which a relayout corrects: so they are objects, and no values of
    /// compiled code.
    pub const KEEPS_OFFSETS: u32 = 1 << 15;
}

// SAFETY: everything mutable in a class is atomic or set once.
unsafe impl Sync for Class {}
// SAFETY: as above.
unsafe impl Send for Class {}

impl PartialEq for Class {
    fn eq(&self, other: &Class) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for Class {}
impl std::hash::Hash for Class {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        std::ptr::hash(self, h)
    }
}
impl std::fmt::Debug for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Class({})", self.name)
    }
}

impl Class {
    /// The header of an object that its thread has to itself: what `new` stores.
    #[inline(always)]
    pub fn new_header(&self) -> u64 {
        const { assert!(std::mem::offset_of!(Class, layout_id) == std::mem::offset_of!(Class, birth) + 4) };
        // SAFETY: two adjacent words, 8-aligned as the struct is; both change by whole-word stores,
        // and only while no object of the class can be made (but for `birth`, where either value
        // is right at any time).
        unsafe { AtomicU64::from_ptr((&raw const self.birth).cast_mut().cast()) }.load(Ordering::Relaxed)
    }
    /// How compiled code makes objects of the class, from now on or until [`flags::MOSTLY_PUBLISHED`] is set.
    pub fn birth_in_code(&self) -> Birth {
        let local = self.birth.load(Ordering::Relaxed) & LOCAL_BIT != 0;
        if local && !self.has_flag(flags::MOSTLY_PUBLISHED) { Birth::Local } else { Birth::Shared }
    }
    /// The header of an object that other threads may know from the start.
    #[inline(always)]
    pub fn shared_header(&self) -> u64 {
        (self.layout_id.load(Ordering::Relaxed) as u64) << 32
    }
    /// Tells a class that is not published yet its superinterfaces; false if it knew them.
    pub fn set_interfaces(&'static self, all: Box<[ClassRef]>) -> bool {
        let chain = std::iter::successors(Some(self), |c| c.super_class);
        let deep = chain.take_while(|c| c.depth as usize >= DISPLAY);
        let supers: Vec<ClassRef> = all.iter().copied().chain(deep).collect();
        let fresh = self.interfaces_all.set(all).is_ok();
        if fresh {
            self.supers.set(&supers);
        }
        fresh
    }

    /// Fills the vtable of a class that is not published yet.
    pub fn fill_vtable(&self, methods: &[MethodRef]) {
        assert!(methods.len() <= self.vtable_room as usize, "vtable of {} outgrew its room", self.name);
        for (i, m) in methods.iter().enumerate() {
            // SAFETY: within the room reserved behind the struct; nobody else sees the class yet.
            unsafe {
                let v = self.vtable.as_ptr() as *mut AtomicPtr<Method>;
                v.add(i).write(AtomicPtr::new(*m as *const Method as *mut Method));
            }
        }
        self.vtable_len.store(methods.len() as u32, Ordering::Release);
    }
    #[inline(always)]
    pub fn vtable_len(&self) -> usize {
        self.vtable_len.load(Ordering::Relaxed) as usize
    }

    #[inline(always)]
    pub fn state(&self) -> ClassState {
        match self.state.load(Ordering::Acquire) {
            0 => ClassState::Loaded,
            1 => ClassState::Linked,
            2 => ClassState::BeingInitialized,
            3 => ClassState::Initialized,
            _ => ClassState::Erroneous,
        }
    }
    /// Fully initialized: engines may skip the initialization check for ever.
    #[inline(always)]
    pub fn is_initialized(&self) -> bool {
        self.state() == ClassState::Initialized
    }
    #[inline(always)]
    pub fn has_flag(&self, bit: u32) -> bool {
        self.flags.load(Ordering::Relaxed) & bit != 0
    }
    pub fn is_interface(&self) -> bool {
        self.access_flags & 0x0200 != 0
    }
    pub fn is_abstract(&self) -> bool {
        self.access_flags & 0x0400 != 0
    }
    pub fn is_array(&self) -> bool {
        matches!(self.kind, ClassKind::RefArray | ClassKind::PrimArray)
    }
    pub fn is_instance_class(&self) -> bool {
        self.kind == ClassKind::Instance
    }
    pub fn is_primitive(&self) -> bool {
        self.kind == ClassKind::Primitive
    }
    /// The vtable; entries are replaced only by redefinition.
    #[inline(always)]
    pub fn vtable(&self) -> &[AtomicPtr<Method>] {
        // SAFETY: `vtable_len` entries were written behind the struct by `allocate`.
        unsafe { std::slice::from_raw_parts(self.vtable.as_ptr(), self.vtable_len()) }
    }
    /// Byte offset of vtable entry 0, for engines that index by offset.
    pub const fn vtable_offset() -> usize {
        std::mem::offset_of!(Class, vtable)
    }
    #[inline(always)]
    pub fn vtable_method(&self, index: usize) -> MethodRef {
        // SAFETY: vtable entries are never null.
        unsafe { &*self.vtable()[index].load(Ordering::Relaxed) }
    }
    /// The method that implements entry `index` of `interface` in this class; None if the class
    /// does not implement the interface.
    pub fn itable_method(&self, interface: &Class, index: usize) -> Option<MethodRef> {
        let e = self.itable.get()?.iter().find(|e| e.interface.is_some_and(|i| std::ptr::eq(i, interface)))?;
        debug_assert!(index < e.len);
        // SAFETY: `methods` has `len` entries, never null.
        Some(unsafe { &*(*e.methods.add(index)).load(Ordering::Relaxed) })
    }
    /// JVMS 4.10.1.2's and instanceof's subtyping over loaded classes, arrays included.
    #[inline]
    pub fn is_subclass_of(&self, target: &Class) -> bool {
        if std::ptr::eq(self, target) {
            return true;
        }
        let d = target.depth as usize;
        if !target.is_interface() && target.kind == ClassKind::Instance {
            if d < DISPLAY {
                return std::ptr::eq(self.display[d], target);
            }
            return self.supers.find(target).is_some();
        }
        self.is_subclass_slow(target)
    }
    #[cold]
    #[inline(never)]
    fn is_subclass_slow(&self, target: &Class) -> bool {
        if target.is_interface() {
            return self.supers.find(target).is_some();
        }
        match (self.component, target.component) {
            (Some(a), Some(b)) if !a.is_primitive() && !b.is_primitive() => a.is_subclass_of(b),
            _ => false,
        }
    }
}
