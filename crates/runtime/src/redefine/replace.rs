//! The change itself, at a stop.
//!
//! Invariant: before a body is replaced every frame that runs it names a copy of it; after the stop
//! every constant is resolved anew, in the new pool.
use super::old::Olds;
use super::{Change, File};
use crate::info::{ClassExt, ClassInfo, FIELD_INJECTED, FieldInfo, MethodExt, MethodInfo};
use crate::native::prefixes;
use crate::{define, known, metaspace};
use concord_base::{Symbol, event_log, vm_log};
use concord_classfile as cf;
use concord_contract::class::flags;
use concord_contract::entries::{engine, tiers};
use concord_contract::frame::{self, frames};
use concord_contract::method::{CpEntry, DELETED, ExceptionRow, MhIntrinsic, acc, mflags};
use concord_contract::{ClassRef, MethodRef};
use concord_safepoint::Stopped;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Gives the class its new version; the methods that it has no longer.
pub(super) fn replace(stopped: &Stopped, change: &Change, file: File) -> Vec<MethodRef> {
    let class = change.class;
    let mut olds = Olds::new(class, file);
    for t in stopped.threads() {
        for f in frames(t) {
            if f.is_compiled() {
                continue;
            }
            if let Some(m) = f.method().filter(|m| m.class == class && !m.bytecode.is_empty()) {
                let old = olds.of(m);
                // SAFETY: the thread is stopped; a frame's header lies below its fp.
                unsafe { *f.fp.sub(frame::METHOD) = std::ptr::from_ref(old) as u64 };
            }
        }
    }
    if let Some(t) = tiers() {
        for m in class.declared_methods().iter().copied().filter(|m| !m.bytecode.is_empty()) {
            t.redefined(m, &mut || olds.of(m));
        }
    }
    let old_info = class.info();
    let (sites, cache_len) = define::indy_sites(file);
    let (mut methods, gone) = kept_and_gone(old_info, file);
    let mut deleted = old_info.deleted.to_vec();
    // Reflection's objects name a method by its index: none is given twice.
    let mut indices = old_info.methods.iter().chain(&deleted).map(|m| m.index).max().map_or(0, |last| last + 1)..;
    let mut index = move || indices.next().unwrap_or(u16::MAX);
    let mut bodies = Vec::new();
    for (parsed, sites) in file.methods.iter().zip(sites) {
        let parsed: &'static cf::MethodInfo<'static> = parsed;
        let sites: &'static [(u16, u16)] = Box::leak(sites.into_boxed_slice());
        let symbol = |i: u16| Symbol::intern(file.constants.utf8(i));
        let (name, descriptor) = (symbol(parsed.name), symbol(parsed.desc));
        if let Some(m) = class.declared_method(name, descriptor) {
            bodies.push((m, parsed, sites));
            continue;
        }
        let is_static = u32::from(parsed.access) & acc::STATIC != 0;
        let back = |m: &MethodRef| m.name == name && m.descriptor == descriptor && m.is_static() == is_static;
        let m = match deleted.iter().position(back) {
            Some(i) => come_back(deleted.remove(i), index(), parsed, sites),
            None => added(class, (name, descriptor), parsed, sites, index()),
        };
        methods.push(m);
    }
    gone.iter().for_each(|m| {
        olds.of(m);
    });
    class.declared_methods().iter().filter(|m| !m.bytecode.is_empty()).for_each(|m| olds.settle(m));
    for m in gone.iter().copied() {
        delete(m, olds.of(m));
        deleted.push(m);
    }
    for (m, parsed, sites) in bodies {
        new_body(m, parsed, sites);
    }
    let info = ClassInfo {
        loader: old_info.loader,
        file,
        fields: new_fields(class, file),
        methods: methods.into_boxed_slice(),
        deleted: deleted.into_boxed_slice(),
        interfaces: old_info.interfaces.clone(),
        package: old_info.package,
        nest_host: old_info.nest_host.get().map_or_else(OnceLock::new, |h| OnceLock::from(*h)),
        init: Arc::clone(&old_info.init),
        init_error: Mutex::new(*old_info.init_error.lock().expect("init error")),
        source: old_info.source.clone(),
        fields_end: AtomicU32::new(old_info.fields_end.load(Ordering::Relaxed)),
        padded: AtomicBool::new(old_info.padded.load(Ordering::Relaxed)),
        original: change.original,
        version_of: None,
        self_name: old_info.self_name,
        method_block: old_info.method_block,
        owns_bytes: false,
        owned: old_info.owned.take(),
        weak: old_info.weak,
        statics_layout: AtomicU32::new(old_info.statics_layout.load(Ordering::Relaxed)),
    };
    // What old versions and running frames share with the class is not told apart: an unload keeps
    // the memory.
    // And ids of fields go on to name those of the old version, which have their offsets by themselves.
    class.flags.fetch_or(flags::IDS_OUT | flags::OFFSETS_OUT | flags::STATICS_OUT, Ordering::Relaxed);
    // SAFETY: all-zero bytes are unresolved entries.
    let cache: Box<[CpEntry]> = unsafe { Box::<[CpEntry]>::new_zeroed_slice(cache_len).assume_init() };
    if !class.cp_cache.load(Ordering::Acquire).is_null() {
        class.cp_cache.store(Box::leak(cache).as_mut_ptr(), Ordering::Release);
    }
    class.info.store(Box::into_raw(Box::new(info)).cast(), Ordering::Release);
    metaspace::redefined(class, file, cache_len);
    for m in class.declared_methods().iter().chain(&class.info().deleted) {
        engine().replaced(m);
    }
    if let Some(f) = known::classes().class.declared_field("classRedefinedCount".into(), "I".into()) {
        let mirror = class.mirror.get();
        mirror.put_i32(f.offset() as usize, mirror.get_i32(f.offset() as usize).wrapping_add(1));
    }
    event_log::note(
        event_log::Kind::Redefined,
        0,
        format!("redefined class name={}, count={}", class.external_name(), olds.count()),
    );
    vm_log!(ClassLoad, Info, "redefined {}, count of old methods that run: {}", class.external_name(), olds.count());
    gone
}

/// Method handles of deleted methods throw for good, also when the class has the methods again.
pub(super) fn break_handles(stopped: &Stopped, gone: &[MethodRef]) {
    let resolved = known::classes().resolved_method_name;
    let at = known::offsets().rmn_target;
    let throws = std::ptr::from_ref(known::methods().unsafe_throw_no_such_method) as u64;
    concord_heap::for_each_object(stopped, |o| {
        if o.class() == resolved && gone.iter().any(|m| std::ptr::from_ref(*m) as u64 == o.get_u64(at)) {
            o.put_u64(at, throws);
        }
    });
}

/// Fields of the new version: offsets of the old one, attributes of the new file.
fn new_fields(class: ClassRef, file: File) -> Box<[FieldInfo]> {
    let symbol = |i: u16| Symbol::intern(file.constants.utf8(i));
    let of = |f: &FieldInfo| file.fields.get(f.index as usize).filter(|_| f.flags & FIELD_INJECTED == 0);
    let all = class.declared_fields().iter().map(|f| {
        let new = of(f);
        FieldInfo {
            class,
            name: f.name,
            descriptor: f.descriptor,
            flags: f.flags,
            ty: f.ty,
            offset: AtomicU32::new(f.offset()),
            apart: AtomicBool::new(f.is_apart()),
            index: f.index,
            constant_value: new.and_then(|n| n.constant_value).unwrap_or(0),
            signature: new.and_then(|n| n.signature).map(symbol),
            annotations: new.and_then(|n| n.annotations.visible),
            type_annotations: new.and_then(|n| n.annotations.visible_types),
        }
    });
    all.collect()
}

/// A method that the old version does not have. If it is native, and by its prefix that of an old method that was native
/// until now, it gets the function of that.
fn added(
    class: ClassRef,
    (name, descriptor): (Symbol, Symbol),
    parsed: &'static cf::MethodInfo<'static>,
    indy_sites: &'static [(u16, u16)],
    index: u16,
) -> MethodRef {
    let commanded = define::inlining_by_command(class.name, name, descriptor);
    let m = define::make_method(define::MethodParts {
        class,
        name,
        descriptor,
        flags: define::method_flags(parsed) | commanded,
        index,
        intrinsic: MhIntrinsic::None,
        parsed: Some(parsed),
        indy_sites,
    });
    if m.is_native()
        && let Some(old) = prefixes::unprefixed(m).filter(|o| o.is_native())
    {
        m.native.store(old.native.load(Ordering::Acquire), Ordering::Release);
        m.vm_native.store(old.vm_native.load(Ordering::Acquire), Ordering::Release);
    }
    m
}

/// The methods of the old version that the new one has, in their order, and those that it has not.
fn kept_and_gone(old: &ClassInfo, file: File) -> (Vec<MethodRef>, Vec<MethodRef>) {
    let utf8 = |i: u16| file.constants.utf8(i);
    let has = |m: &MethodRef| {
        let fits =
            |p: &cf::MethodInfo<'_>| utf8(p.name) == m.name.as_bytes() && utf8(p.desc) == m.descriptor.as_bytes();
        file.methods.iter().any(fits)
    };
    old.methods.iter().copied().partition(has)
}

/// Lets calls of `m` throw; `last` is a copy of what it was.
fn delete(m: MethodRef, last: MethodRef) {
    last.native.store(m.native.load(Ordering::Acquire), Ordering::Release);
    last.vm_native.store(m.vm_native.load(Ordering::Acquire), Ordering::Release);
    let kept = m.flags.load(Ordering::Relaxed) & (acc::PRIVATE | acc::STATIC | mflags::RELAXED);
    write_body(m, Body { flags: kept | DELETED, parsed: None, code: None, sites: &[], last: Some(last) });
}

/// A deleted method that the class has again, for those that know it; for reflection it is another.
fn come_back(
    m: MethodRef,
    index: u16,
    parsed: &'static cf::MethodInfo<'static>,
    sites: &'static [(u16, u16)],
) -> MethodRef {
    new_body(m, parsed, sites);
    // SAFETY: the world is stopped and nobody reads the field.
    unsafe { (&raw mut (*std::ptr::from_ref(m).cast_mut()).index).write(index) };
    m
}

/// Gives `m` the body that `parsed` has.
fn new_body(m: MethodRef, parsed: &'static cf::MethodInfo<'static>, sites: &'static [(u16, u16)]) {
    let kept =
        m.flags.load(Ordering::Relaxed) & (mflags::SIGNATURE_POLYMORPHIC | mflags::OBJECT_INIT | mflags::RELAXED);
    let commanded = define::inlining_by_command(m.class.name, m.name, m.descriptor);
    let flags = define::method_flags(parsed) | commanded | kept;
    write_body(m, Body { flags, parsed: Some(parsed), code: parsed.code.as_ref(), sites, last: None });
}

/// What becomes of a method.
struct Body {
    flags: u32,
    parsed: Option<&'static cf::MethodInfo<'static>>,
    code: Option<&'static cf::CodeInfo<'static>>,
    sites: &'static [(u16, u16)],
    last: Option<MethodRef>,
}

fn write_body(m: MethodRef, new: Body) {
    let code = new.code;
    let nargs = m.nargs();
    let max_locals = code.map_or(nargs, |c| c.max_locals as usize).max(nargs);
    let max_stack = code.map_or(0, |c| c.max_stack as usize);
    let rows: Vec<ExceptionRow> = code.map_or(Vec::new(), |c| {
        let row = |e: &cf::ExceptionEntry| ExceptionRow {
            start: e.start,
            end: e.end,
            handler: e.handler,
            catch_type: e.catch_type,
        };
        c.exception_table.iter().map(row).collect()
    });
    let info = MethodInfo {
        parsed: new.parsed,
        params: MethodExt::info(m).params.clone(),
        critical: AtomicPtr::default(),
        last: new.last,
        oop_maps: OnceLock::new(),
    };
    m.flags.store(new.flags, Ordering::Relaxed);
    m.info.store(Box::into_raw(Box::new(info)).cast(), Ordering::Release);
    if !m.is_native() {
        // What a native method was bound to, and how compiled code called it.
        m.native.store(std::ptr::null_mut(), Ordering::Release);
        m.vm_native.store(std::ptr::null_mut(), Ordering::Release);
    }
    if m.bytecode.is_empty() || m.is_native() {
        m.compiled.store(concord_contract::compiled::to_interpreter(), Ordering::Release);
    }
    let p = std::ptr::from_ref(m).cast_mut();
    // SAFETY: the world is stopped and nobody reads these fields; whoever runs on reads them again,
    // because a stop is a call that the compiler cannot see through. Methods are never moved.
    unsafe {
        (&raw mut (*p).bytecode).write(code.map_or(&[], |c| c.code));
        (&raw mut (*p).exceptions).write(Box::leak(rows.into_boxed_slice()));
        (&raw mut (*p).indy_sites).write(new.sites);
        (&raw mut (*p).max_locals).write(max_locals as u16);
        (&raw mut (*p).max_stack).write(max_stack as u16);
        (&raw mut (*p).frame_bytes).write((8 * (max_locals - nargs) + frame::HEADER_BYTES) as u32);
        (&raw mut (*p).max_stack_bytes).write(8 * max_stack as u32);
    }
}
