//! Local variables of frames.
//!
//! Invariant: a slot is read or written as the kind that the method's tables of variables (or, without
//! them, the collector's map) give it at the frame's instruction: a reference is never read as a number or
//! the other way round.
use super::environment::Env;
use super::stack::{at_stop, frame_at, object_at_stop};
use super::{Answer, error, in_vm};
use crate::env::{InVm, Out, Ref};
use concord_classfile::oopmap::{MethodMaps, OopMap};
use concord_contract::frame::Frame;
use concord_contract::{BasicType, MethodRef, Obj};
use concord_runtime::handles::Handle;
use concord_runtime::info::{ClassExt, MethodExt};
use concord_runtime::{roots, stackwalk};

/// The kind of slot `n` at `bci` by the table of variables; None if the table does not say.
fn declared(m: MethodRef, bci: u16, n: i32) -> Option<BasicType> {
    let code = MethodExt::info(m).parsed?.code.as_ref()?;
    let covers = |v: &concord_classfile::LocalVariable| {
        i32::from(v.slot) == n && bci >= v.start_pc && u32::from(bci) < u32::from(v.start_pc) + u32::from(v.length)
    };
    // A variable begins behind the store that sets it: the table may not cover it yet.
    let v = code.local_variables.iter().find(|v| covers(v))?;
    match m.class.info().constants().utf8(v.desc)[0] {
        b'L' | b'[' => Some(BasicType::Object),
        c => BasicType::from_descriptor_char(c),
    }
}
fn holds_reference(m: MethodRef, bci: u16, n: i32) -> bool {
    let Some(view) = roots::view(m) else { return false };
    let maps = MethodExt::info(m).oop_maps.get_or_init(|| match MethodMaps::compute(&view) {
        Ok(maps) => Box::new(maps),
        Err(e) => concord_base::bug!("no reference maps for {m:?}: {e:?}"),
    });
    let mut map = OopMap::default();
    maps.at_into(&view, bci as usize, &mut map).is_ok() && map.local_refs().any(|r| r as i32 == n)
}

/// Address of a slot that may be used as `wanted`.
fn slot(m: MethodRef, f: &Frame, n: i32, wanted: BasicType) -> Answer<*mut u64> {
    // The locals of compiled code have no place of their own.
    if m.is_native() || f.is_compiled() {
        return Err(error::OPAQUE_FRAME);
    }
    let wide = i32::from(wanted.slots() == 2);
    if n < 0 || n + wide >= i32::from(m.max_locals) {
        return Err(error::INVALID_SLOT);
    }
    let bci = stackwalk::bci_of(m, f);
    let is_int = |t: BasicType| {
        matches!(t, BasicType::Boolean | BasicType::Byte | BasicType::Char | BasicType::Short | BasicType::Int)
    };
    let has_table = MethodExt::info(m)
        .parsed
        .and_then(|p| p.code.as_ref())
        .is_some_and(|c| c.local_variables.iter().next().is_some());
    match declared(m, bci, n) {
        Some(t) if t == wanted || (is_int(t) && wanted == BasicType::Int) => {}
        Some(_) => return Err(error::TYPE_MISMATCH),
        None if has_table => return Err(error::INVALID_SLOT),
        None => {}
    }
    if wanted.is_ref() != holds_reference(m, bci, n) {
        // A reference variable that is not live reads as null, and cannot be set.
        return Err(if wanted.is_ref() { error::INVALID_SLOT } else { error::TYPE_MISMATCH });
    }
    // SAFETY: a local of the frame; arguments and other locals lie without a gap.
    Ok(unsafe { f.lp.add(n as usize) })
}
fn access<R>(
    vm: &InVm<'_>,
    thread: Ref,
    depth: i32,
    n: i32,
    ty: BasicType,
    f: impl FnOnce(*mut u64) -> R,
) -> Answer<R> {
    at_stop(vm, thread, |t| {
        let (m, frame) = frame_at(t, depth)?;
        Ok(f(slot(m, &frame, n, ty)?))
    })
}
fn read(vm: &InVm<'_>, thread: Ref, depth: i32, n: i32, ty: BasicType) -> Answer<u64> {
    // SAFETY: a local of a thread that stands still.
    access(vm, thread, depth, n, ty, |p| unsafe { *p })
}
fn write(vm: &InVm<'_>, thread: Ref, depth: i32, n: i32, ty: BasicType, v: u64) -> Answer {
    // SAFETY: as for reading.
    access(vm, thread, depth, n, ty, |p| unsafe { *p = v })
}

pub extern "C" fn get_object(_e: &Env, thread: Ref, depth: i32, n: i32, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        let h = object_at_stop(vm, thread, |t| {
            let (m, frame) = frame_at(t, depth)?;
            let p = slot(m, &frame, n, BasicType::Object)?;
            // SAFETY: the map says that the slot holds a reference.
            Ok(unsafe { Obj::from_addr(*p as usize) })
        })?;
        out.set(h);
        Ok(())
    })
}
pub extern "C" fn get_int(_e: &Env, thread: Ref, depth: i32, n: i32, out: Out<i32>) -> i32 {
    in_vm(|vm| {
        out.set(read(vm, thread, depth, n, BasicType::Int)? as i32);
        Ok(())
    })
}
pub extern "C" fn get_long(_e: &Env, thread: Ref, depth: i32, n: i32, out: Out<i64>) -> i32 {
    in_vm(|vm| {
        out.set(read(vm, thread, depth, n, BasicType::Long)? as i64);
        Ok(())
    })
}
pub extern "C" fn get_float(_e: &Env, thread: Ref, depth: i32, n: i32, out: Out<f32>) -> i32 {
    in_vm(|vm| {
        out.set(f32::from_bits(read(vm, thread, depth, n, BasicType::Float)? as u32));
        Ok(())
    })
}
pub extern "C" fn get_double(_e: &Env, thread: Ref, depth: i32, n: i32, out: Out<f64>) -> i32 {
    in_vm(|vm| {
        out.set(f64::from_bits(read(vm, thread, depth, n, BasicType::Double)?));
        Ok(())
    })
}
pub extern "C" fn set_object(_e: &Env, thread: Ref, depth: i32, n: i32, value: Ref) -> i32 {
    in_vm(|vm| {
        // Another thread may get it.
        roots::share(value.get());
        access(vm, thread, depth, n, BasicType::Object, |p| {
            // SAFETY: the map says that the slot holds a reference; the handle is read at the stop.
            unsafe { *p = value.get().addr() as u64 }
        })
    })
}
pub extern "C" fn set_int(_e: &Env, thread: Ref, depth: i32, n: i32, value: i32) -> i32 {
    in_vm(|vm| write(vm, thread, depth, n, BasicType::Int, u64::from(value as u32)))
}
pub extern "C" fn set_long(_e: &Env, thread: Ref, depth: i32, n: i32, value: i64) -> i32 {
    in_vm(|vm| write(vm, thread, depth, n, BasicType::Long, value as u64))
}
pub extern "C" fn set_float(_e: &Env, thread: Ref, depth: i32, n: i32, value: f32) -> i32 {
    in_vm(|vm| write(vm, thread, depth, n, BasicType::Float, u64::from(value.to_bits())))
}
pub extern "C" fn set_double(_e: &Env, thread: Ref, depth: i32, n: i32, value: f64) -> i32 {
    in_vm(|vm| write(vm, thread, depth, n, BasicType::Double, value.to_bits()))
}
/// `this` of a frame, of a native method as well.
pub extern "C" fn get_receiver(_e: &Env, thread: Ref, depth: i32, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        let h = object_at_stop(vm, thread, |t| {
            let (m, f) = frame_at(t, depth)?;
            if m.is_static() {
                return Err(error::INVALID_SLOT);
            }
            // Code that overwrites or no longer needs slot 0 leaves something else there.
            if !m.is_native() && !holds_reference(m, stackwalk::bci_of(m, &f), 0) {
                return Err(error::INVALID_SLOT);
            }
            if f.is_compiled() {
                return Err(error::OPAQUE_FRAME);
            }
            // SAFETY: slot 0 of an instance method, which the map (or the frame of a native) has as a reference.
            Ok(unsafe { Obj::from_addr(*f.lp as usize) })
        })?;
        out.set(h);
        Ok(())
    })
}
