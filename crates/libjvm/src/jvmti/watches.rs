//! Watched fields.
//!
//! Invariant: while some environment watches some field, every instruction that uses a field reports itself; what it
//! names is resolved then, as the instruction would. JNI functions ask at each use whether anybody wants to know. A field
//! is known by its class and place, which a redefinition keeps.
use super::environment::{Env, all};
use super::events::{FieldUse, field_used};
use super::{class_of, error, in_vm};
use crate::env::{FieldId, Ref};
use concord_base::Symbol;
use concord_contract::frame::java_frames;
use concord_contract::{ClassRef, MethodRef, Obj, Thread};
use concord_interpreter::debug;
use concord_runtime::events::{Event, wanted};
use concord_runtime::handles::Scope;
use concord_runtime::info::{ClassExt, FieldInfo};
use concord_runtime::{resolve, stackwalk};
use std::sync::Mutex;

/// A field whose accesses, or modifications, an environment watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    class: usize,
    place: u16,
    modification: bool,
    name: Symbol,
}

impl Watch {
    fn of(f: &FieldInfo, modification: bool) -> Watch {
        Watch { class: std::ptr::from_ref(f.class) as usize, place: f.index, modification, name: f.name }
    }
}

/// One change of the engine's marks at a time.
static CHANGE: Mutex<()> = Mutex::new(());

pub fn is_set(e: &Env, f: &FieldInfo, modification: bool) -> bool {
    e.watches.lock().expect("watched fields").contains(&Watch::of(f, modification))
}

fn change(e: &Env, class: Ref, field: FieldId, modification: bool, on: bool) -> i32 {
    in_vm(|vm| {
        let c: ClassRef = class_of(class)?;
        let f = field.get();
        if !c.is_subclass_of(f.class) {
            return Err(error::INVALID_FIELD);
        }
        let watch = Watch::of(f, modification);
        {
            let mut list = e.watches.lock().expect("watched fields");
            let at = list.iter().position(|w| *w == watch);
            match (on, at) {
                (true, Some(_)) => return Err(error::DUPLICATE),
                (true, None) => list.push(watch),
                (false, Some(i)) => drop(list.swap_remove(i)),
                (false, None) => return Err(error::NOT_FOUND),
            }
        }
        mark(vm.th);
        Ok(())
    })
}

/// Has the engine report uses of fields while some environment watches one.
fn mark(th: &Thread) {
    let _one = concord_runtime::blocking(th, || CHANGE.lock().expect("marks of field accesses"));
    let any = all().iter().any(|e| !e.watches.lock().expect("watched fields").is_empty());
    concord_safepoint::stop_the_world("WatchFields", |_| debug::watch_fields(any));
}

/// An environment is disposed of.
pub fn forget(th: &Thread, e: &Env) {
    let watched = !std::mem::take(&mut *e.watches.lock().expect("watched fields")).is_empty();
    if watched {
        mark(th);
    }
}

pub extern "C" fn set_access(e: &Env, class: Ref, field: FieldId) -> i32 {
    change(e, class, field, false, true)
}
pub extern "C" fn clear_access(e: &Env, class: Ref, field: FieldId) -> i32 {
    change(e, class, field, false, false)
}
pub extern "C" fn set_modification(e: &Env, class: Ref, field: FieldId) -> i32 {
    change(e, class, field, true, true)
}
pub extern "C" fn clear_modification(e: &Env, class: Ref, field: FieldId) -> i32 {
    change(e, class, field, true, false)
}

/// A jvalue's bits from a slot of the operand stack.
pub fn value_bits(ty: u8, slot: u64) -> u64 {
    match ty {
        b'Z' => slot & 1,
        b'B' => slot & 0xff,
        b'C' | b'S' => slot & 0xffff,
        b'I' | b'F' => slot & 0xffff_ffff,
        _ => slot,
    }
}

/// An instruction of the innermost frame is about to use a field.
pub fn field_instruction(th: &Thread, m: MethodRef, bci: u16, opcode: u8) {
    let modification = matches!(opcode, 179 | 181);
    if !wanted(if modification { Event::FieldModification } else { Event::FieldAccess }) {
        return;
    }
    let at = bci as usize;
    let cp = u16::from_be_bytes([m.bytecode[at + 1], m.bytecode[at + 2]]);
    let name = m.class.info().constants().ref_name_and_type(cp).name;
    let named = |w: &Watch| w.modification == modification && w.name.as_bytes() == name;
    if !all().iter().any(|e| e.watches.lock().expect("watched fields").iter().any(named)) {
        return;
    }
    let Ok((field, _)) = resolve::field_ref(th, m.class, cp) else {
        // The instruction finds the same, and throws it.
        th.take_exception();
        return;
    };
    let is_static = opcode <= 179;
    if field.is_static() != is_static {
        return;
    }
    let slots = if modification { field.ty.slots() } else { 0 };
    // SAFETY: the operand stack of a traced instruction is in memory; verified code has value and object on it.
    let slot = |n: usize| unsafe { *th.sp.get().sub(n) };
    // SAFETY: verified code has a reference there.
    let reference = |n: usize| unsafe { Obj::from_addr(slot(n) as usize) };
    let scope = Scope::new(th);
    let object = (!is_static).then(|| scope.handle(reference(slots + 1)));
    if object.is_some_and(|o| o.get().is_null()) {
        return;
    }
    let value = modification.then(|| match field.ty.is_ref() {
        true => (0, Some(scope.handle(reference(1)))),
        false => (value_bits(field.descriptor.as_bytes()[0], slot(slots)), None),
    });
    field_used(th, m, bci, &FieldUse { field, class: field.class, object, value });
}

/// A JNI function is about to use a field of `object`, which is null for a static field; `value` is its new value: bits
/// and an object, whichever it is. As in HotSpot the class is that of the object, the place is that of the innermost
/// frame, and nothing is told of a thread that has none.
#[cold]
pub fn used_by_jni(th: &Thread, field: &'static FieldInfo, object: Obj, value: Option<(u64, Obj)>) {
    if !all().iter().any(|e| is_set(e, field, value.is_some())) {
        return;
    }
    // Inside a critical region no foreign code may be called; JNI functions are misused there, and only they are.
    if th.no_safepoint.get() != 0 {
        return;
    }
    let Some((m, f)) = java_frames(th).next() else { return };
    let bci = if m.is_native() { 0 } else { stackwalk::bci_of(m, &f) };
    let scope = Scope::new(th);
    let class = if object.is_null() { field.class } else { object.class() };
    let object = (!object.is_null()).then(|| scope.handle(object));
    let value = value.map(|(bits, o)| (bits, field.ty.is_ref().then(|| scope.handle(o))));
    field_used(th, m, bci, &FieldUse { field, class, object, value });
}
