//! The memory of a class: one block, the struct and behind it the vtable.
//!
//! Invariant: a block is written in full before a reference to it is made, and has the size that
//! `vtable_room` says for as long as it lives.
use super::{Class, ClassKind, ClassRef, ClassState, DISPLAY, Root};
use crate::method::{Method, MethodRef};
use crate::object::BasicType;
use crate::supers::{self, Supers};
use concord_base::Symbol;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32};

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
}
