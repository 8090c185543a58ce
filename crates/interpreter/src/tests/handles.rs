//! Method-handle intrinsics and call sites with adapters.
use super::classes::{Body, Member};
use super::handmade::assemble;
use super::rows::{caught, instance};
use super::world::{allocate, class, find_method, info, method, thread};
use crate::{INTERPRETER, MH_OFFSETS};
use concord_contract::class::Root;
use concord_contract::entries::Engine;
use concord_contract::method::{CallKind, CallSite, MethodRef, MhIntrinsic};
use std::sync::atomic::Ordering;

/// An object of Object's class with room for fields.
fn object() -> u64 {
    let o = allocate(64);
    // SAFETY: fresh memory of the test heap.
    unsafe {
        *(o as *mut u64) = (class("java/lang/Object").layout_id.load(Ordering::Relaxed) as u64) << 32;
    }
    o as u64
}
fn set_ref(o: u64, offset: u64, v: u64) {
    // SAFETY: `object` left room.
    unsafe { *((o + offset) as *mut u32) = (v >> 3) as u32 }
}
fn set_word(o: u64, offset: u64, v: u64) {
    // SAFETY: `object` left room.
    unsafe { *((o + offset) as *mut u64) = v }
}
fn offsets() {
    for (f, v) in [
        (&MH_OFFSETS.form, 12),
        (&MH_OFFSETS.vmentry, 16),
        (&MH_OFFSETS.method, 20),
        (&MH_OFFSETS.vmtarget, 24),
        (&MH_OFFSETS.vmindex, 32),
    ] {
        f.store(v, Ordering::Relaxed);
    }
}
/// A MemberName for `m`.
fn member(m: MethodRef, index: i64) -> u64 {
    let (member, resolved) = (object(), object());
    set_ref(member, 20, resolved);
    set_word(resolved, 24, m as *const _ as u64);
    set_word(member, 32, index as u64);
    member
}
fn intrinsic(i: MhIntrinsic, descriptor: &str, flags: u16) -> MethodRef {
    let m = Member { flags: flags | 0x100, name: "linker".into(), descriptor: descriptor.into(), code: None };
    let m = method(&m, class("Natives"), 0);
    m.mh_intrinsic = i;
    INTERPRETER.install(m);
    m
}

#[test]
fn intrinsics_reach_their_targets() {
    offsets();
    let th = thread(1 << 16);
    let sub = assemble("(II)I", 2, 2, &[26, 27, 100, 172], &[]);
    let link = intrinsic(MhIntrinsic::LinkToStatic, "(IILjava/lang/Object;)I", 8);
    assert_eq!(INTERPRETER.invoke(th, link, &[9, 2, member(sub, -1)]), Ok(7));

    let square = instance(class("Programs$Square")).addr() as u64;
    let cube = instance(class("Programs$Cube")).addr() as u64;
    let kind = find_method(class("Programs$Base"), "kind", None).unwrap();
    let d = "(Ljava/lang/Object;Ljava/lang/Object;)I";
    let index = kind.vtable_index.load(Ordering::Relaxed) as i64;
    let link = intrinsic(MhIntrinsic::LinkToVirtual, d, 8);
    assert_eq!(INTERPRETER.invoke(th, link, &[square, member(kind, index)]), Ok(1));
    assert_eq!(INTERPRETER.invoke(th, link, &[cube, member(kind, index)]), Ok(2));
    assert!(INTERPRETER.invoke(th, link, &[0, member(kind, index)]).is_err());
    assert!(caught(th, "NullPointerException"));

    let exact = find_method(class("Programs$Square"), "kind", None).unwrap();
    let link = intrinsic(MhIntrinsic::LinkToSpecial, d, 8);
    assert_eq!(INTERPRETER.invoke(th, link, &[cube, member(exact, -1)]), Ok(1));

    let name = find_method(class("Programs$Named"), "name", None).unwrap();
    let link = intrinsic(MhIntrinsic::LinkToInterface, d, 8);
    assert_eq!(INTERPRETER.invoke(th, link, &[square, member(name, 0)]), Ok(1));
    assert_eq!(INTERPRETER.invoke(th, link, &[cube, member(name, 0)]), Ok(2));
    assert!(INTERPRETER.invoke(th, link, &[object(), member(name, 0)]).is_err());
    assert!(caught(th, "IncompatibleClassChangeError"));

    // invokeBasic: handle -> form -> entry point; the handle is an argument of the target.
    let (handle, form) = (object(), object());
    let target = assemble("(Ljava/lang/Object;I)I", 2, 2, &[27, 4, 96, 172], &[]);
    set_ref(handle, 12, form);
    set_ref(form, 16, member(target, -1));
    let basic = intrinsic(MhIntrinsic::InvokeBasic, "(I)I", 1);
    assert_eq!(INTERPRETER.invoke(th, basic, &[handle, 41]), Ok(42));
    assert!(INTERPRETER.invoke(th, basic, &[0, 41]).is_err());
    assert!(caught(th, "NullPointerException"));

    // linkToNative: the same, with an argument behind the others that the target does not get.
    let link = intrinsic(MhIntrinsic::LinkToNative, "(Ljava/lang/Object;ILjava/lang/Object;)I", 8);
    let entry_point = object();
    assert_eq!(INTERPRETER.invoke(th, link, &[handle, 41, entry_point]), Ok(42));
    assert!(INTERPRETER.invoke(th, link, &[0, 41, entry_point]).is_err());
    assert!(caught(th, "NullPointerException"));
    super::check_balanced(th);
}

#[test]
fn invokedynamic_passes_the_appendix() {
    let th = thread(1 << 16);
    // invokedynamic; areturn
    let code = Body { max_stack: 2, max_locals: 1, bytes: vec![42, 186, 0, 1, 0, 0, 176], exceptions: vec![] };
    let d = "(Ljava/lang/Object;)Ljava/lang/Object;";
    let m = Member { flags: 8, name: "dynamic".into(), descriptor: d.into(), code: Some(code) };
    let m = method(&m, class("Natives"), 0);
    let site = info(class("Natives")).file.constants.len() as u16 + 3;
    m.indy_sites = Box::leak(Box::new([(1, site)]));
    INTERPRETER.install(m);
    // The adapter returns its second argument, the appendix.
    let adapter = assemble("(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", 1, 2, &[43, 176], &[]);
    let root: &'static Root = Box::leak(Box::new(Root::new()));
    let appendix = instance(class("java/lang/Object"));
    root.set(appendix);
    let record: &'static CallSite = Box::leak(Box::new(CallSite {
        method: adapter,
        nargs_bytes: 8,
        index: 0,
        interface: std::ptr::null(),
        kind: CallKind::Handle,
        requested: std::ptr::null(),
        appendix: root,
    }));
    // SAFETY: the cache has entries behind the constants.
    let e = unsafe { &*m.class.cp_cache.load(Ordering::Acquire).add(site as usize) };
    e.a.store(record as *const _ as u64, Ordering::Release);
    for _ in 0..3 {
        assert_eq!(INTERPRETER.invoke(th, m, &[object()]), Ok(appendix.addr() as u64));
    }
}
