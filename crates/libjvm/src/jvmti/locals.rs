//! Local variables of frames.
//!
//! Invariant: a slot is read or written as what the collector's map, and the method's table of variables if it has
//! one, say that it holds at the frame's instruction: a reference is never read as a number or the other way round,
//! and no variable gets an object that is none of its type.
use super::environment::Env;
use super::stack::{at_stop, frame_at, object_at_stop};
use super::{Answer, error, in_vm};
use crate::env::{InVm, Out, Ref};
use concord_classfile::oopmap::{MethodMaps, OopMap};
use concord_contract::frame::Frame;
use concord_contract::{BasicType, ClassRef, MethodRef, Obj};
use concord_runtime::handles::Handle;
use concord_runtime::info::{ClassExt, MethodExt};
use concord_runtime::{roots, stackwalk};

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Nothing,
    Reference,
    /// A number, a half of one, a return address, or one thing by one path and another by the next.
    Number,
}
fn held(m: MethodRef, bci: u16, n: i32) -> Held {
    let Some(view) = roots::view(m) else { return Held::Nothing };
    let maps = MethodExt::info(m).oop_maps.get_or_init(|| match MethodMaps::compute(&view) {
        Ok(maps) => Box::new(maps),
        Err(e) => concord_base::bug!("no reference maps for {m:?}: {e:?}"),
    });
    let (n, bci) = (n as usize, usize::from(bci));
    let mut map = OopMap::default();
    if maps.at_into(&view, bci, &mut map).is_ok() && map.is_local_ref(n) {
        return Held::Reference;
    }
    match MethodMaps::assigned(&view, bci) {
        Ok(all) if all.get(n / 64).is_some_and(|w| w >> (n % 64) & 1 != 0) => Held::Number,
        _ => Held::Nothing,
    }
}

/// The descriptor of the variable in slot `n` at `bci`; None if the method has no table of variables.
fn declared(m: MethodRef, bci: u16, n: i32) -> Answer<Option<&'static [u8]>> {
    let Some(code) = MethodExt::info(m).parsed.and_then(|p| p.code.as_ref()) else { return Ok(None) };
    if code.local_variables.is_empty() {
        return Ok(None);
    }
    // The end counts as covered: so says the first that wrote it down.
    let covers = |v: &concord_classfile::LocalVariable| {
        i32::from(v.slot) == n && bci >= v.start_pc && u32::from(bci) <= u32::from(v.start_pc) + u32::from(v.length)
    };
    // A variable begins behind the store that sets it: the table may not cover it yet.
    let v = code.local_variables.iter().find(|v| covers(v)).ok_or(error::INVALID_SLOT)?;
    Ok(Some(m.class.info().constants().utf8(v.desc)))
}
/// The kind of access that a variable of that type is for.
fn kind(desc: &[u8]) -> BasicType {
    match desc[0] {
        b'J' => BasicType::Long,
        b'F' => BasicType::Float,
        b'D' => BasicType::Double,
        b'L' | b'[' => BasicType::Object,
        _ => BasicType::Int,
    }
}
/// Whether the descriptor's type is a class's own or one of its supertypes', by their names alone: nothing is loaded.
fn named_so(k: ClassRef, desc: &[u8]) -> bool {
    let same = |k: ClassRef| k.name.as_bytes() == desc.strip_prefix(b"L").map_or(desc, |d| &d[..d.len() - 1]);
    let inherited = std::iter::successors(k.super_class, |k| k.super_class).any(same)
        || k.interfaces_all.get().is_some_and(|all| all.iter().any(|i| same(*i)));
    same(k) || inherited || desc[0] == b'[' && k.component.is_some_and(|c| named_so(c, &desc[1..]))
}

/// Address of a slot that may be used as `wanted`; to be set to `value`, if there is one.
fn slot(m: MethodRef, f: &Frame, n: i32, wanted: BasicType, value: Obj) -> Answer<*mut u64> {
    // The locals of compiled code have no place of their own.
    if m.is_native() || f.is_compiled() {
        return Err(error::OPAQUE_FRAME);
    }
    let wide = wanted.slots() == 2;
    if n < 0 || n.saturating_add(i32::from(wide)) >= i32::from(m.max_locals) {
        return Err(error::INVALID_SLOT);
    }
    let bci = stackwalk::bci_of(m, f);
    // What holds nothing counts as a number until all else is in order.
    let holds = held(m, bci, n);
    if wide && held(m, bci, n + 1) == Held::Reference {
        return Err(error::INVALID_SLOT);
    }
    if wanted.is_ref() != (holds == Held::Reference) {
        return Err(error::TYPE_MISMATCH);
    }
    if let Some(desc) = declared(m, bci, n)?
        && (kind(desc) != wanted || !value.is_null() && !named_so(value.class(), desc))
    {
        return Err(error::TYPE_MISMATCH);
    }
    if holds == Held::Nothing {
        return Err(error::INVALID_SLOT);
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
        Ok(f(slot(m, &frame, n, ty, Obj::NULL)?))
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
            let p = slot(m, &frame, n, BasicType::Object, Obj::NULL)?;
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
        at_stop(vm, thread, |t| {
            let (m, frame) = frame_at(t, depth)?;
            let p = slot(m, &frame, n, BasicType::Object, value.get())?;
            // SAFETY: the map says that the slot holds a reference; the handle is read at the stop.
            unsafe { *p = value.get().addr() as u64 };
            Ok(())
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
            if !m.is_native() && held(m, stackwalk::bci_of(m, &f), 0) != Held::Reference {
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
