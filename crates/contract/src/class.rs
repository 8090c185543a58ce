//! The VM's mirror of a Java class.
//!
//! Invariant: what stands before [`Class::info`] is complete before the class is published to any
//! engine, and only `state`, `init_thread`, the roots and the vtable's contents (by redefinition)
//! change afterwards. A `Class` never moves and is never freed while code can name it: `ClassRef` is
//! `'static` because the collector finds whoever holds one (`concord_runtime::unload` says how).
use crate::method::{CpEntry, Method, MethodRef};
use crate::object::{BasicType, Obj};
use crate::supers::{self, Supers};
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

/// One implemented interface's methods in the receiver class, indexed by [`Method::itable_index`].
#[repr(C)]
pub struct ItableEntry {
    /// None in free slots of the table.
    pub interface: Option<ClassRef>,
    pub methods: *const AtomicPtr<Method>,
    pub len: usize,
}

impl ItableEntry {
    /// The hash table of `entries`, whose size is a power of two. At most half of it is in use, so
    /// a search from [`itable_slot`] upwards (and round the end) meets the entry or a free slot.
    pub fn table(entries: Vec<ItableEntry>) -> Box<[ItableEntry]> {
        let size = (2 * entries.len()).next_power_of_two();
        let free = || ItableEntry { interface: None, methods: std::ptr::null(), len: 0 };
        let mut table: Vec<ItableEntry> = (0..size).map(|_| free()).collect();
        for e in entries {
            let Some(interface) = e.interface else { continue };
            let mut i = itable_slot(interface, size);
            while table[i].interface.is_some() {
                i = (i + 1) & (size - 1);
            }
            table[i] = e;
        }
        table.into_boxed_slice()
    }
}

/// Where the search for `interface` starts in an itable of `size` slots.
#[inline(always)]
pub fn itable_slot(interface: *const Class, size: usize) -> usize {
    // Multiplicative hashing of the address, which is a multiple of 16.
    ((interface as usize as u32 >> 4).wrapping_mul(0x9E37_79B1) >> 16) as usize & (size - 1)
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

/// What [`Class::allocate`] needs to know before the class exists.
pub struct ClassInit {
    pub kind: ClassKind,
    pub basic: BasicType,
    pub elem_shift: u8,
    pub access_flags: u16,
    pub flags: u32,
    pub super_class: Option<ClassRef>,
    pub component: Option<ClassRef>,
    pub name: Symbol,
    pub instance_size: u32,
    pub vtable: Vec<MethodRef>,
}

impl Class {
    /// Makes a class in memory that is never freed; its layout id is still 0.
    pub fn allocate(init: ClassInit) -> ClassRef {
        let room = init.vtable.len();
        Class::allocate_with_room(init, room)
    }
    /// The same with room for a vtable of up to `room` entries, filled by [`Class::fill_vtable`]:
    /// a class's methods name it before its vtable is known.
    pub fn allocate_with_room(init: ClassInit, room: usize) -> ClassRef {
        Class::allocate_at_place(init, room, None)
    }
    /// A class that stands for one of another process, with that one's place.
    pub fn replica(init: ClassInit, place: u8) -> ClassRef {
        Class::allocate_at_place(init, 0, Some(place))
    }
    fn allocate_at_place(init: ClassInit, room: usize, place: Option<u8>) -> ClassRef {
        let n = init.vtable.len();
        let layout = Class::block(room.max(n));
        // Interfaces and arrays count as direct subclasses of Object for casts to classes.
        let depth = init.super_class.map_or(0, |s| s.depth + 1);
        let new_place = || supers::new_place(init.access_flags & 0x0200 != 0 || depth as usize >= DISPLAY);
        // SAFETY: the memory is fresh and of the size of the struct and its vtable; every field is
        // written before a reference is made.
        unsafe {
            let p = std::alloc::alloc_zeroed(layout) as *mut Class;
            assert!(!p.is_null(), "out of native memory for class {}", init.name);
            let mut display = init.super_class.map_or([std::ptr::null(); DISPLAY], |s| s.display);
            if (depth as usize) < DISPLAY {
                display[depth as usize] = p;
            }
            p.write(Class {
                birth: AtomicU32::new(0),
                layout_id: AtomicU32::new(0),
                instance_size: AtomicU32::new(init.instance_size),
                state: AtomicU8::new(ClassState::Loaded as u8),
                kind: init.kind,
                basic: init.basic,
                elem_shift: init.elem_shift,
                depth,
                access_flags: init.access_flags,
                flags: AtomicU32::new(init.flags),
                display,
                super_class: init.super_class,
                interfaces_all: OnceLock::new(),
                supers: Supers::empty(),
                place: place.unwrap_or_else(new_place),
                init_thread: AtomicPtr::new(std::ptr::null_mut()),
                mirror: Root::new(),
                statics: Root::new(),
                component: init.component,
                array_class: AtomicPtr::new(std::ptr::null_mut()),
                cp_cache: AtomicPtr::new(std::ptr::null_mut()),
                itable: OnceLock::new(),
                name: init.name,
                vtable_len: AtomicU32::new(n as u32),
                vtable_room: room.max(n) as u32,
                info: AtomicPtr::new(std::ptr::null_mut()),
                seen: AtomicU32::new(0),
                vtable: [],
            });
            let v = (*p).vtable.as_ptr() as *mut AtomicPtr<Method>;
            for (i, m) in init.vtable.iter().enumerate() {
                v.add(i).write(AtomicPtr::new(*m as *const Method as *mut Method));
            }
            &*p
        }
    }

    /// The header of an object that its thread has to itself: what `new` stores.
    #[inline(always)]
    pub fn new_header(&self) -> u64 {
        const { assert!(std::mem::offset_of!(Class, layout_id) == std::mem::offset_of!(Class, birth) + 4) };
        // SAFETY: two adjacent words, 8-aligned as the struct is; both change by whole-word stores,
        // and only while no object of the class can be made (but for `birth`, where either value
        // is right at any time).
        unsafe { AtomicU64::from_ptr((&raw const self.birth).cast_mut().cast()) }.load(Ordering::Relaxed)
    }
    /// The header of an object that other threads may know from the start.
    #[inline(always)]
    pub fn shared_header(&self) -> u64 {
        (self.layout_id.load(Ordering::Relaxed) as u64) << 32
    }
    /// A copy that stands for the class as it is now, for frames that go on running what a
    /// redefinition replaces: same supers, mirror and statics, no method tables. Whoever makes it
    /// gives it its `info` and registers its mirror as a root.
    pub fn old_version(&self) -> ClassRef {
        let memory = Box::<Class>::new_uninit();
        // SAFETY: a byte copy into fresh memory that is never freed, so that what both own is freed
        // by none; the copy has no vtable behind it, and says so.
        unsafe {
            let p = Box::into_raw(memory).cast::<Class>();
            std::ptr::copy_nonoverlapping(self, p, 1);
            (*p).vtable_len = AtomicU32::new(0);
            (*p).vtable_room = 0;
            &*p
        }
    }

    fn block(room: usize) -> std::alloc::Layout {
        std::alloc::Layout::new::<Class>()
            .extend(std::alloc::Layout::array::<AtomicPtr<Method>>(room).expect("vtable size"))
            .expect("class size")
            .0
            .pad_to_align()
    }
    /// Bytes of the class and its vtable.
    pub fn block_bytes(&self) -> usize {
        Class::block(self.vtable_room as usize).size()
    }
    /// Gives the memory of a class back, with what it owns directly.
    ///
    /// # Safety
    /// [`Class::allocate`] made `class`, and nobody will name it again.
    pub unsafe fn free(class: *mut Class) {
        // SAFETY: by the caller's promise; the layout is the one that the block was made with.
        unsafe {
            let layout = Class::block((*class).vtable_room as usize);
            (*class).supers.free();
            std::ptr::drop_in_place(class);
            std::alloc::dealloc(class.cast(), layout);
        }
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
