//! Array classes and arrays, primitive classes.
//!
//! Invariant: there is one array class per component class, found through `Class::array_class`;
//! it belongs to the component's loader and shares its vtable with Object.
use crate::info::ClassExt;
use crate::{exceptions, fields, known, loader, mirror};
use concord_base::{Symbol, bug};
use concord_contract::class::{ClassInit, flags};
use concord_contract::method::acc;
use concord_contract::object::{LOCAL_BIT, array_base};
use concord_contract::{BasicType, Class, ClassKind, ClassRef, ClassState, JResult, Obj, Thread, layout};
use concord_memory_model::policy;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, OnceLock};

static PRIMITIVES: [OnceLock<ClassRef>; 15] = [const { OnceLock::new() }; 15];
static MAKE: Mutex<()> = Mutex::new(());

/// Makes the nine primitive classes; before any other class.
pub fn make_primitives() {
    for t in BasicType::ALL.into_iter().filter(|t| *t != BasicType::Object) {
        let c = Class::allocate(ClassInit {
            kind: ClassKind::Primitive,
            basic: t,
            elem_shift: t.heap_shift() as u8,
            access_flags: (acc::PUBLIC | acc::FINAL | acc::ABSTRACT) as u16,
            flags: flags::NO_FAST_NEW,
            super_class: None,
            component: None,
            name: Symbol::from(t.java_name()),
            instance_size: 0,
            vtable: Vec::new(),
        });
        c.state.store(ClassState::Initialized as u8, Ordering::Release);
        if PRIMITIVES[t as usize].set(c).is_err() {
            bug!("primitive classes made twice");
        }
        loader::adopt_boot(c);
    }
}

/// int.class and its like.
pub fn primitive_class(t: BasicType) -> ClassRef {
    match PRIMITIVES[t as usize].get() {
        Some(c) => c,
        None => bug!("no primitive class for {t:?}"),
    }
}

/// The class of arrays of a primitive type.
pub fn primitive_array(t: BasicType) -> ClassRef {
    match made_of(primitive_class(t)) {
        Some(a) => a,
        None => bug!("array class of {} is not made yet", t.java_name()),
    }
}
/// The class of arrays of that class, if it was made.
pub fn made_of(c: ClassRef) -> Option<ClassRef> {
    // SAFETY: an array class lives as long as the class of its components.
    unsafe { c.array_class.load(Ordering::Acquire).as_ref() }
}

/// The class of arrays of `component`, made on first use.
pub fn array_class(th: &Thread, component: ClassRef) -> JResult<ClassRef> {
    let a = component.array_class.load(Ordering::Acquire);
    if !a.is_null() {
        // SAFETY: array classes are never freed.
        return Ok(unsafe { &*a });
    }
    let name = match component.kind {
        ClassKind::Primitive => format!("[{}", component.basic.descriptor_char() as char),
        ClassKind::Instance => format!("[L{};", component.name),
        _ => format!("[{}", component.name),
    };
    if name.bytes().take_while(|b| *b == b'[').count() > 255 {
        return exceptions::throw_no_msg(th, "java/lang/IllegalArgumentException");
    }
    let object = match loader::boot().find_loaded(Symbol::from("java/lang/Object")) {
        Some(c) => c,
        None => bug!("an array class before java.lang.Object"),
    };
    let mut element = component;
    while let Some(k) = element.component {
        element = k;
    }
    let visibility = element.access_flags as u32 & acc::PUBLIC;
    let refs = component.kind != ClassKind::Primitive;
    let shift = if refs { 2 } else { component.basic.heap_shift() };
    let class = Class::allocate(ClassInit {
        kind: if refs { ClassKind::RefArray } else { ClassKind::PrimArray },
        basic: if refs { BasicType::Object } else { component.basic },
        elem_shift: shift as u8,
        access_flags: (visibility | acc::FINAL | acc::ABSTRACT) as u16,
        flags: flags::CLONEABLE | flags::NO_FAST_NEW | (element.flags.load(Ordering::Relaxed) & flags::UNLOADABLE),
        super_class: Some(object),
        component: Some(component),
        name: Symbol::from(name.as_str()),
        instance_size: 0,
        vtable: (0..object.vtable_len()).map(|i| object.vtable_method(i)).collect(),
    });
    if let (Some(c), Some(s)) = (
        loader::boot().find_loaded(Symbol::from("java/lang/Cloneable")),
        loader::boot().find_loaded(Symbol::from("java/io/Serializable")),
    ) {
        // A fresh class: nobody else sets it.
        let _fresh = class.set_interfaces(Box::new([c, s]));
        // Without methods, but calls of Object's methods may name them.
        crate::vtable::build_itable(class);
    }
    class.state.store(ClassState::Initialized as u8, Ordering::Release);
    let id = layout::new_id();
    layout::set(id, fields::array_layout(shift, refs), class);
    if class.has_flag(flags::UNLOADABLE) {
        layout::set_marks(id, layout::marks::UNLOADABLE);
    }
    class.birth.store(if policy::vbd() { LOCAL_BIT } else { 0 }, Ordering::Relaxed);
    class.layout_id.store(id, Ordering::Release);
    crate::metaspace::made_array(class);
    mirror::create(th, class, Obj::NULL, Obj::NULL)?;
    let first = {
        let _one = MAKE.lock().expect("array class creation");
        let a = component.array_class.load(Ordering::Acquire);
        if a.is_null() {
            component.array_class.store(class as *const Class as *mut Class, Ordering::Release);
            class
        } else {
            // SAFETY: array classes are never freed.
            unsafe { &*a }
        }
    };
    if std::ptr::eq(first, class) {
        let l = class.loader();
        if l.is_boot() {
            class.flags.fetch_or(flags::BOOT, Ordering::Relaxed);
        }
        // A hidden class, and so its arrays, cannot be found by name.
        if !element.has_flag(flags::HIDDEN) && l.record(class.name, class).is_err() {
            bug!("another class is called {}", class.name);
        }
        l.adopt(class);
    }
    Ok(first)
}

/// A new array of the array class `class`, zeroed.
///
/// # Errors
/// NegativeArraySizeException, OutOfMemoryError.
pub fn new_array(th: &Thread, class: ClassRef, len: i32) -> JResult<Obj> {
    if len < 0 {
        return negative(th, len);
    }
    made(th, concord_heap::alloc_array(th, class, len as usize))
}
/// The same for the calling thread's own bytecode: the array is LOCAL.
///
/// # Errors
/// As [`new_array`].
pub fn new_local_array(th: &Thread, class: ClassRef, len: i32) -> JResult<Obj> {
    if len < 0 {
        return negative(th, len);
    }
    made(th, concord_heap::alloc_array_local(th, class, len as usize))
}
#[cold]
fn negative(th: &Thread, len: i32) -> JResult<Obj> {
    exceptions::throw(th, "java/lang/NegativeArraySizeException", &len.to_string())
}
fn made(th: &Thread, array: Result<Obj, concord_heap::AllocError>) -> JResult<Obj> {
    match array {
        Ok(o) => Ok(o),
        Err(concord_heap::AllocError::ArrayTooLarge) => crate::oom::throw(th, "Requested array size exceeds VM limit"),
        Err(concord_heap::AllocError::HeapSpace) => crate::oom::throw(th, "Java heap space"),
    }
}
pub fn new_prim_array(th: &Thread, t: BasicType, len: usize) -> JResult<Obj> {
    new_array(th, primitive_array(t), len as i32)
}
pub fn new_ref_array(th: &Thread, element: ClassRef, len: usize) -> JResult<Obj> {
    new_array(th, array_class(th, element)?, len as i32)
}
pub fn new_byte_array(th: &Thread, bytes: &[u8]) -> JResult<Obj> {
    let a = new_prim_array(th, BasicType::Byte, bytes.len())?;
    // SAFETY: a fresh array of that length that no other thread knows.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), a.at(array_base(0)), bytes.len()) };
    Ok(a)
}
/// Stores into element `i`; the caller has checked bounds and type.
pub fn set_ref(array: Obj, i: usize, value: Obj) {
    debug_assert!(i < array.array_len());
    concord_heap::store_ref(array, array_base(2) + 4 * i, value);
}

/// `multianewarray`: `dims` outermost first; all are checked before anything is allocated. LOCAL.
pub fn multi_new(th: &Thread, class: ClassRef, dims: &[i32]) -> JResult<Obj> {
    if let Some(d) = dims.iter().find(|d| **d < 0) {
        return exceptions::throw(th, "java/lang/NegativeArraySizeException", &d.to_string());
    }
    multi(th, class, dims)
}
fn multi(th: &Thread, class: ClassRef, dims: &[i32]) -> JResult<Obj> {
    let a = new_local_array(th, class, dims[0])?;
    if dims.len() == 1 || dims[0] == 0 {
        return Ok(a);
    }
    let Some(component) = class.component else { bug!("multianewarray of {}", class.name) };
    let scope = crate::handles::Scope::new(th);
    let a = scope.handle(a);
    for i in 0..dims[0] as usize {
        let e = multi(th, component, &dims[1..])?;
        set_ref(a.get(), i, e);
    }
    Ok(a.get())
}

/// The classes of primitive arrays; once Object, Cloneable and Serializable are loaded.
pub fn make_primitive_arrays(th: &Thread) -> JResult<()> {
    for t in BasicType::ALL.into_iter().filter(|t| !matches!(t, BasicType::Object | BasicType::Void)) {
        array_class(th, primitive_class(t))?;
    }
    debug_assert!(known::ready() || primitive_array(BasicType::Int).mirror.get().is_null());
    Ok(())
}
