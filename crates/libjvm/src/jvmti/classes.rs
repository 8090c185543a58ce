//! Classes.
use super::environment::Env;
use super::{class_of, error, give, give_array, give_text, in_vm};
use crate::env::{FieldId, MethodId, Out, Ref};
use concord_contract::{BasicType, Class, ClassRef, ClassState};
use concord_runtime::handles::Handle;
use concord_runtime::info::{ClassExt, FIELD_INJECTED};
use concord_runtime::{arrays, loader, resolve};
use std::collections::HashSet;
use std::ffi::c_char;

/// `Ljava/lang/String;`, `[I`, `I`; of hidden classes with a dot before the suffix.
fn descriptor(c: ClassRef) -> Vec<u8> {
    if c.is_primitive() {
        return vec![c.basic.descriptor_char()];
    }
    let name = c.name.as_bytes();
    if c.is_array() {
        return name.to_vec();
    }
    let mut d = vec![b'L'];
    d.extend(name.iter().map(|b| if *b == b'+' && c.is_hidden() { b'.' } else { *b }));
    d.push(b';');
    d
}

pub extern "C" fn signature(_e: &Env, c: Ref, out: Out<*mut c_char>, generic: Out<*mut c_char>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        give_text(out, Some(&descriptor(c)))?;
        let g = if c.is_instance_class() { c.info().signature() } else { None };
        give_text(generic, g.map(|s| s.as_bytes()))
    })
}
pub extern "C" fn status(_e: &Env, c: Ref, out: Out<i32>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        const VERIFIED_PREPARED: i32 = 1 | 2;
        out.set(if c.is_array() {
            16
        } else if c.is_primitive() {
            32
        } else {
            match c.state() {
                ClassState::Loaded => 0,
                ClassState::Linked | ClassState::BeingInitialized => VERIFIED_PREPARED,
                ClassState::Initialized => VERIFIED_PREPARED | 4,
                ClassState::Erroneous => VERIFIED_PREPARED | 8,
            }
        });
        Ok(())
    })
}
pub extern "C" fn source_file(_e: &Env, c: Ref, out: Out<*mut c_char>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        let f = if c.is_instance_class() { c.info().source_file() } else { None };
        give_text(out, Some(f.ok_or(error::ABSENT_INFORMATION)?.as_bytes()))
    })
}
pub extern "C" fn debug_extension(_e: &Env, c: Ref, out: Out<*mut c_char>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        let x = if c.is_instance_class() { c.info().file.source_debug_extension } else { None };
        give_text(out, Some(x.ok_or(error::ABSENT_INFORMATION)?))
    })
}
pub extern "C" fn modifiers(_e: &Env, c: Ref, out: Out<i32>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        // ACC_SUPER is the class file's own; an inner class's entry has none.
        let own = if c.is_instance_class() { i32::from(c.access_flags) & 0x20 } else { 0 };
        out.set(concord_runtime::reflection::queries::modifiers(c) & 0x7fff | own);
        Ok(())
    })
}
pub extern "C" fn version_numbers(_e: &Env, c: Ref, minor: Out<i32>, major: Out<i32>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        if !c.is_instance_class() {
            return Err(error::ABSENT_INFORMATION);
        }
        minor.set(i32::from(c.info().file.minor));
        major.set(i32::from(c.info().file.major));
        Ok(())
    })
}
/// The constant pool as the class file has it: it begins behind magic, versions and count.
pub extern "C" fn constant_pool(_e: &Env, c: Ref, count: Out<i32>, size: Out<i32>, out: Out<*mut u8>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        if !c.is_instance_class() {
            return Err(error::ABSENT_INFORMATION);
        }
        let file = c.info().file;
        let bytes = pool_bytes(file.bytes).ok_or(error::INTERNAL)?;
        count.set(file.constants.len() as i32);
        size.set(bytes.len() as i32);
        give_array(out, bytes)
    })
}
fn pool_bytes(file: &[u8]) -> Option<&[u8]> {
    let u2 = |at: usize| Some(usize::from(u16::from_be_bytes([*file.get(at)?, *file.get(at + 1)?])));
    let (n, mut at, mut i) = (u2(8)?, 10, 1);
    while i < n {
        let tag = *file.get(at)?;
        at += match tag {
            1 => 3 + u2(at + 1)?,
            5 | 6 => 9,
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            _ => 5,
        };
        i += if matches!(tag, 5 | 6) { 2 } else { 1 };
    }
    file.get(10..at)
}

fn prepared(c: ClassRef) -> Result<(), i32> {
    if c.is_instance_class() && c.state() < ClassState::Linked { Err(error::CLASS_NOT_PREPARED) } else { Ok(()) }
}
pub extern "C" fn methods(_e: &Env, c: Ref, count: Out<i32>, out: Out<*mut MethodId>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        prepared(c)?;
        let all: Vec<MethodId> = c.declared_methods().iter().map(|m| MethodId::of(m)).collect();
        give(count, out, &all)
    })
}
pub extern "C" fn fields(_e: &Env, c: Ref, count: Out<i32>, out: Out<*mut FieldId>) -> i32 {
    in_vm(|_| {
        let c = class_of(c)?;
        prepared(c)?;
        let own = c.declared_fields().iter().filter(|f| f.flags & FIELD_INJECTED == 0);
        give(count, out, &own.map(FieldId::of).collect::<Vec<_>>())
    })
}
pub extern "C" fn interfaces(_e: &Env, c: Ref, count: Out<i32>, out: Out<*mut Handle>) -> i32 {
    in_vm(|vm| {
        let c = class_of(c)?;
        prepared(c)?;
        let own: &[ClassRef] = if c.is_instance_class() { &c.info().interfaces } else { &[] };
        let all: Vec<Handle> = own.iter().map(|i| vm.local_obj(i.mirror.get())).collect();
        give(count, out, &all)
    })
}
pub extern "C" fn is_interface(_e: &Env, c: Ref, out: Out<u8>) -> i32 {
    in_vm(|_| {
        out.set(u8::from(class_of(c)?.is_interface()));
        Ok(())
    })
}
pub extern "C" fn is_array(_e: &Env, c: Ref, out: Out<u8>) -> i32 {
    in_vm(|_| {
        out.set(u8::from(class_of(c)?.is_array()));
        Ok(())
    })
}
pub extern "C" fn loader_of(_e: &Env, c: Ref, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        let l = class_of(c)?.loader();
        out.set(vm.local_obj(l.java.get()));
        Ok(())
    })
}
fn give_classes(
    vm: &crate::env::InVm<'_>,
    list: Vec<ClassRef>,
    count: Out<i32>,
    out: Out<*mut Handle>,
) -> Result<(), i32> {
    let shown = list
        .into_iter()
        .filter(|c| !c.is_primitive() && !c.mirror.get().is_null() && std::ptr::eq(resolve::current(c), *c));
    let all: Vec<Handle> = shown.map(|c| vm.local_obj(c.mirror.get())).collect();
    give(count, out, &all)
}
pub extern "C" fn loaded(_e: &Env, count: Out<i32>, out: Out<*mut Handle>) -> i32 {
    in_vm(|vm| {
        let mut all = Vec::new();
        loader::all_classes(&mut |c| all.push(c));
        give_classes(vm, all, count, out)
    })
}
pub extern "C" fn of_loader(_e: &Env, l: Ref, count: Out<i32>, out: Out<*mut Handle>) -> i32 {
    in_vm(|vm| {
        let l = if l.get().is_null() { loader::boot() } else { loader::of_object(l.get()) };
        give_classes(vm, with_arrays(l.initiated()), count, out)
    })
}
/// With the classes of arrays of these, and of primitives, of whatever dimension, each once: a loader's dictionary has only
/// those that were asked for by name.
fn with_arrays(classes: Vec<ClassRef>) -> Vec<ClassRef> {
    let primitives = BasicType::ALL.into_iter().filter(|t| !matches!(t, BasicType::Object | BasicType::Void));
    let mut seen: HashSet<*const Class> = classes.iter().map(|c| std::ptr::from_ref(*c)).collect();
    let mut all = classes.clone();
    for of in primitives.map(arrays::primitive_class).chain(classes) {
        let arrays = std::iter::successors(arrays::made_of(of), |a| arrays::made_of(a));
        all.extend(arrays.filter(|a| seen.insert(std::ptr::from_ref(*a))));
    }
    all
}
