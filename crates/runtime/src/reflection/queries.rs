//! Queries of a class that make at most a string.
//!
//! Invariant: answers are those of the class file; a hidden class's own entries go by the name in
//! its constant pool.
use crate::info::ClassExt;
use crate::{known, mirror, resolve, strings};
use concord_contract::method::acc;
use concord_contract::{Class, ClassRef, JResult, Obj, Thread};

/// `Class.getSuperclass`: null for interfaces, primitives and Object.
pub fn superclass(c: &Class) -> Obj {
    if c.is_interface() || c.is_primitive() {
        return Obj::NULL;
    }
    c.super_class.map_or(Obj::NULL, |s| s.mirror.get())
}

/// The flags of the InnerClasses row about the class itself, if it has one.
fn inner_flags(c: &Class) -> Option<u16> {
    let info = c.info();
    let file = info.file;
    file.inner_classes.iter().find(|r| file.constants.class_name(r.inner) == c.name.as_bytes()).map(|r| r.access)
}

const VISIBILITY: u32 = acc::PUBLIC | acc::PRIVATE | acc::PROTECTED;
/// ACC_SUPER stands where methods have ACC_SYNCHRONIZED.
const SUPER: u32 = acc::SYNCHRONIZED;

/// `Class.getModifiers`.
pub fn modifiers(c: &Class) -> i32 {
    let flags = match c.component {
        Some(mut e) => {
            while let Some(k) = e.component {
                e = k;
            }
            (modifiers(e) as u32 & VISIBILITY) | acc::FINAL | acc::ABSTRACT
        }
        None if c.is_primitive() => acc::PUBLIC | acc::FINAL | acc::ABSTRACT,
        None => u32::from(inner_flags(c).unwrap_or(c.access_flags)),
    };
    (flags & !SUPER) as i32
}
/// `Reflection.getClassAccessFlags`: the class file's own flags.
pub fn access_flags(c: &Class) -> i32 {
    if c.is_primitive() {
        return (acc::PUBLIC | acc::FINAL | acc::ABSTRACT) as i32;
    }
    if c.component.is_some() {
        // Arrays have no class file that could have flags.
        return 0;
    }
    i32::from(c.access_flags)
}

/// `Class.getName`, interned, kept in the mirror.
///
/// # Errors
/// OutOfMemoryError.
pub fn init_class_name(th: &Thread, mirror: Obj) -> JResult<Obj> {
    let at = known::offsets().class_name;
    let known_name = mirror.get_ref(at);
    if !known_name.is_null() {
        return Ok(known_name);
    }
    let scope = crate::handles::Scope::new(th);
    let m = scope.handle(mirror);
    let name = strings::intern_mutf8(th, &external_name(mirror::class_of(mirror)))?;
    concord_heap::store_ref(m.get(), at, name);
    Ok(name)
}
/// As [`ClassExt::external_name`], without leaving modified UTF-8.
fn external_name(c: &Class) -> Vec<u8> {
    let mut name: Vec<u8> = c.name.as_bytes().iter().map(|b| if *b == b'/' { b'.' } else { *b }).collect();
    let plus = name.iter().rposition(|b| *b == b'+').filter(|_| crate::names::is_hidden(c));
    if let Some(plus) = plus {
        name[plus] = b'/';
    }
    name
}

/// A record: final, a direct subclass of java.lang.Record, with a Record attribute.
pub fn is_record(c: &Class) -> bool {
    c.is_instance_class()
        && u32::from(c.access_flags) & acc::FINAL != 0
        && c.super_class.is_some_and(|s| s.name == "java/lang/Record")
        && c.info().file.record.is_some()
}

/// `Reflection.areNestMates`.
///
/// # Errors
/// What resolving a nest host throws.
pub fn are_nest_mates(th: &Thread, a: ClassRef, b: ClassRef) -> JResult<bool> {
    resolve::nestmates(th, a, b)
}

/// `Class.desiredAssertionStatus0`: what -ea and its relatives say.
pub fn desired_assertion_status(c: &Class) -> bool {
    concord_base::options::get().assertions.enabled(&c.external_name(), ClassExt::loader(c).is_boot())
}
