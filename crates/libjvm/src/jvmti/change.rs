//! Changing classes: redefinition, retransformation, search paths.
use super::environment::Env;
use super::events::{Asked, ask};
use super::general::{current_phase, is_attached, life};
use super::{breakpoints, class_of, error, in_vm};
use crate::env::{InVm, Out, Ref, Text};
use concord_base::options;
use concord_contract::{ClassRef, JResult};
use concord_runtime::events::ClassFileLoad;
use concord_runtime::info::ClassExt;
use concord_runtime::redefine::{self, Change};
use concord_runtime::{boot_path, call, handles, loader, mirror, modules, native, strings};

pub extern "C" fn is_modifiable(_e: &Env, c: Ref, out: Out<u8>) -> i32 {
    in_vm(|_| {
        out.set(u8::from(redefine::is_modifiable(class_of(c)?)));
        Ok(())
    })
}

fn modifiable(c: Ref) -> Result<ClassRef, i32> {
    let c = class_of(c)?;
    if redefine::is_modifiable(c) { Ok(c) } else { Err(error::UNMODIFIABLE_CLASS) }
}

/// What agents make of new bytes for a class.
fn change(vm: &InVm<'_>, class: ClassRef, bytes: &'static [u8], asked: Asked) -> Change {
    let what = ClassFileLoad {
        class: Some(class),
        loader: class.info().loader,
        name: Some(class.name),
        protection_domain: mirror::protection_domain(class),
        bytes,
    };
    let t = ask(vm.th, what, asked);
    Change { class, bytes: t.bytes.unwrap_or(bytes), original: t.before_retransformable }
}

fn apply(vm: &InVm<'_>, changes: &[Change]) -> Result<(), i32> {
    redefine::redefine(vm.th, changes, &breakpoints::forget).map_err(|r| r as i32)
}

/// jvmtiClassDefinition.
#[repr(C)]
pub struct Definition {
    class: Ref,
    size: i32,
    bytes: *const u8,
}

/// # Safety
/// `list` has `count` definitions with their bytes.
pub unsafe extern "C" fn redefine(_e: &Env, count: i32, list: *const Definition) -> i32 {
    in_vm(|vm| {
        if count < 0 || list.is_null() {
            return Err(error::ILLEGAL_ARGUMENT);
        }
        let mut changes = Vec::new();
        for i in 0..count as usize {
            // SAFETY: by the caller's promise.
            let (class, bytes) = unsafe {
                let d = &*list.add(i);
                if d.bytes.is_null() {
                    return Err(error::NULL_POINTER);
                }
                (modifiable(d.class)?, std::slice::from_raw_parts(d.bytes, d.size.max(0) as usize).to_vec())
            };
            changes.push(change(vm, class, Box::leak(bytes.into_boxed_slice()), Asked::All));
        }
        apply(vm, &changes)
    })
}

/// # Safety
/// `list` has `count` classes.
pub unsafe extern "C" fn retransform(_e: &Env, count: i32, list: *const Ref) -> i32 {
    in_vm(|vm| {
        if count < 0 || list.is_null() {
            return Err(error::ILLEGAL_ARGUMENT);
        }
        // SAFETY: by the caller's promise.
        let classes: Result<Vec<ClassRef>, i32> =
            (0..count as usize).map(|i| modifiable(unsafe { *list.add(i) })).collect();
        let mut changes = Vec::new();
        for class in classes? {
            let info = class.info();
            modules::transformed_by_agent(vm.th, modules::of(class));
            changes.push(change(vm, class, info.original.unwrap_or(info.file.bytes), Asked::Retransformable));
        }
        apply(vm, &changes)
    })
}

/// # Safety
/// `list` has `count` texts.
pub unsafe extern "C" fn set_native_prefixes(e: &Env, count: i32, list: *const Text) -> i32 {
    if count < 0 {
        return error::ILLEGAL_ARGUMENT;
    }
    // SAFETY: by the caller's promise.
    let all = (0..count as usize).map(|i| unsafe { *list.add(i) }.bytes().map(<[u8]>::to_vec));
    let Some(all) = all.collect::<Option<Vec<_>>>() else { return error::NULL_POINTER };
    native::prefixes::set(std::ptr::from_ref(e) as usize, all);
    error::NONE
}
pub extern "C" fn set_native_prefix(e: &Env, prefix: Text) -> i32 {
    let count = i32::from(prefix.bytes().is_some_and(|p| !p.is_empty()));
    // SAFETY: one text, or none.
    unsafe { set_native_prefixes(e, count, &prefix) }
}

pub extern "C" fn append_boot(_e: &Env, path: Text) -> i32 {
    let Some(p) = path.bytes() else { return error::NULL_POINTER };
    let p = String::from_utf8_lossy(p).into_owned();
    if current_phase() == life::ON_LOAD {
        options::change(|o| o.append_boot_class_path(&p));
    } else {
        if !boot_path::is_jar(&p) {
            return error::ILLEGAL_ARGUMENT;
        }
        boot_path::append(&p);
    }
    error::NONE
}

pub extern "C" fn append_system(_e: &Env, path: Text) -> i32 {
    let Some(p) = path.bytes() else { return error::NULL_POINTER };
    let p = String::from_utf8_lossy(p).into_owned();
    if current_phase() == life::ON_LOAD || !is_attached() {
        options::change(|o| {
            let old = o.property("java.class.path").unwrap_or("").to_string();
            let new = if old.is_empty() { p.clone() } else { format!("{old}:{p}") };
            o.set_property("java.class.path", new);
        });
        return error::NONE;
    }
    if !boot_path::is_jar(&p) {
        return error::ILLEGAL_ARGUMENT;
    }
    in_vm(|vm| {
        let Some(system) = loader::SYSTEM.get() else { return Err(error::WRONG_PHASE) };
        // HotSpot's convention for class loaders that can be instrumented.
        let add = || -> JResult<()> {
            let scope = handles::Scope::new(vm.th);
            let java = scope.handle(system.java.get());
            let s = strings::new_str(vm.th, &p)?;
            let desc = "(Ljava/lang/String;)V";
            call::call_virtual(vm.th, java.get(), "appendToClassPathForInstrumentation", desc, &[s.addr() as u64])
                .map(|_| ())
        };
        add().map_err(|_| {
            vm.th.take_exception();
            error::INTERNAL
        })
    })
}
