//! The class itself, made of a parsed file and of supers that are loaded.
//!
//! Invariant: nobody but the thread that makes it can name the class; its methods name it, its vtable
//! names them, and both are complete when [`make`] returns. What Java code could see is not made here.
use super::methods::method;
use super::{Bytes, DefineArgs, MethodParts, external, indy_sites, inlining_by_command, layouts, method_flags};
use crate::info::{
    ClassExt, ClassInfo, FIELD_CONTENDED, FIELD_INJECTED, FIELD_RELAXED, FIELD_STABLE, FieldInfo, Owned,
};
use crate::loader::Loader;
use crate::relayout::holders;
use crate::{apart, exceptions, fields, init, known, metaspace, names, relaxed, vtable};
use concord_base::{Symbol, options};
use concord_classfile as cf;
use concord_classfile::VmAnnotations as Va;
use concord_contract::class::{ClassInit, flags};
use concord_contract::entries::engine;
use concord_contract::method::{MhIntrinsic, acc, mflags};
use concord_contract::object::HEADER_BYTES;
use concord_contract::{BasicType, Class, ClassKind, ClassRef, JResult, Method, MethodRef, Thread};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

pub(super) struct Parts<'a> {
    pub name: Symbol,
    pub self_name: Symbol,
    pub loader: &'static Loader,
    pub file: &'static cf::ClassFile<'static>,
    pub super_class: Option<ClassRef>,
    pub interfaces: Vec<ClassRef>,
    pub is_interface: bool,
    pub original: Option<&'static [u8]>,
    pub args: &'a DefineArgs<'a>,
}

/// All superinterfaces, transitively, without repetition; inherited ones first.
fn all_interfaces(super_class: Option<ClassRef>, direct: &[ClassRef]) -> Box<[ClassRef]> {
    let mut all: Vec<ClassRef> = Vec::new();
    let mut add = |k: ClassRef| {
        if !all.iter().any(|a| std::ptr::eq(*a, k)) {
            all.push(k);
        }
    };
    if let Some(v) = super_class.and_then(|s| s.interfaces_all.get()) {
        v.iter().for_each(|k| add(k));
    }
    for d in direct {
        if let Some(v) = d.interfaces_all.get() {
            v.iter().for_each(|k| add(k));
        }
        add(d);
    }
    all.into_boxed_slice()
}

fn injected(class: ClassRef, own: &mut Vec<FieldInfo>) {
    for (c, n, d) in known::INJECTED {
        if class.name == *c {
            own.push(FieldInfo {
                class,
                name: Symbol::from(*n),
                descriptor: Symbol::from(*d),
                flags: acc::PRIVATE | FIELD_INJECTED,
                ty: BasicType::from_descriptor_char(d.as_bytes()[0]).unwrap_or(BasicType::Object),
                offset: AtomicU32::new(0),
                apart: AtomicBool::new(false),
                index: u16::MAX,
                constant_value: 0,
                signature: None,
                annotations: None,
                type_annotations: None,
            });
        }
    }
}

/// Flags that a class has from the start.
fn flag_bits(p: &Parts<'_>) -> u32 {
    let mut bits = if p.loader.is_boot() { flags::BOOT } else { 0 };
    if let Some(h) = &p.args.hidden {
        bits |= flags::HIDDEN;
        if !h.strong {
            bits |= flags::UNLOADABLE;
        }
    }
    if p.loader.is_unloadable() {
        bits |= flags::UNLOADABLE;
    }
    if p.file.annotations.vm.contains(Va::RELAXED) || relaxed::class_by_flag(p.self_name) {
        bits |= flags::RELAXED;
    }
    let inherited = p.super_class.map_or(0, |s| s.flags.load(Ordering::Relaxed));
    bits |= inherited & (flags::REFERENCE | flags::FINALIZER | flags::KEEPS_OFFSETS);
    if p.self_name == "java/lang/ref/Reference" {
        bits |= flags::REFERENCE;
    }
    if bits & flags::BOOT != 0 && holders::keep_offsets(&p.self_name.as_str()) {
        bits |= flags::KEEPS_OFFSETS;
    }
    bits
}

/// The fields of the class file and those that the VM adds; none has its place yet.
fn own_fields(class: ClassRef, p: &Parts<'_>) -> Vec<FieldInfo> {
    let sym = |i: u16| Symbol::intern(p.file.constants.utf8(i));
    let apart = apart::of(p.self_name);
    let mut own: Vec<FieldInfo> = p
        .file
        .fields
        .iter()
        .enumerate()
        .map(|(i, f)| {
            let mut flags = f.access as u32;
            if f.annotations.vm.contains(Va::STABLE) {
                flags |= FIELD_STABLE
            }
            if f.annotations.vm.contains(Va::CONTENDED) {
                flags |= FIELD_CONTENDED
            }
            if f.annotations.vm.contains(Va::RELAXED) || relaxed::field_by_flag(p.self_name, sym(f.name)) {
                flags |= FIELD_RELAXED
            }
            let descriptor = sym(f.desc);
            FieldInfo {
                class,
                name: sym(f.name),
                ty: BasicType::from_descriptor_char(descriptor.as_bytes()[0]).unwrap_or(BasicType::Object),
                descriptor,
                flags,
                offset: AtomicU32::new(0),
                apart: AtomicBool::new(apart.has(sym(f.name))),
                index: i as u16,
                constant_value: f.constant_value.unwrap_or(0),
                signature: f.signature.map(sym),
                annotations: f.annotations.visible,
                type_annotations: f.annotations.visible_types,
            }
        })
        .collect();
    apart.log(p.self_name, own.iter().map(|f| f.name));
    injected(class, &mut own);
    own
}

/// The methods, each with the constant-pool-cache entries of its invokedynamic instructions.
fn own_methods(class: ClassRef, p: &Parts<'_>, sites: Vec<Vec<(u16, u16)>>) -> &'static [Method] {
    let sym = |i: u16| Symbol::intern(p.file.constants.utf8(i));
    let code_relaxed = class.has_flag(flags::RELAXED);
    let block: Vec<Method> = p
        .file
        .methods
        .iter()
        .zip(sites)
        .enumerate()
        .map(|(i, (m, s))| {
            let m: &'static cf::MethodInfo<'static> = m;
            let name = sym(m.name);
            let mut flags = method_flags(m);
            flags |= inlining_by_command(p.self_name, name, sym(m.desc));
            if code_relaxed || relaxed::method_by_flag(p.self_name, name, sym(m.desc)) {
                flags |= mflags::RELAXED;
            }
            if name == "finalize"
                && sym(m.desc) == "()V"
                && flags & acc::STATIC == 0
                && p.super_class.is_some()
                && m.code.as_ref().is_some_and(|c| c.code.len() > 1)
            {
                class.flags.fetch_or(flags::FINALIZER, Ordering::Relaxed);
            }
            if name == "finalize" && p.self_name == "java/lang/Enum" {
                class.flags.fetch_and(!flags::FINALIZER, Ordering::Relaxed);
            }
            if (p.self_name == "java/lang/invoke/MethodHandle" || p.self_name == "java/lang/invoke/VarHandle")
                && flags & acc::NATIVE != 0
                && flags & acc::VARARGS != 0
            {
                flags |= mflags::SIGNATURE_POLYMORPHIC;
            }
            method(MethodParts {
                class,
                name,
                descriptor: sym(m.desc),
                flags,
                index: i as u16,
                intrinsic: MhIntrinsic::None,
                parsed: Some(m),
                indy_sites: Box::leak(s.into_boxed_slice()),
            })
        })
        .collect();
    Box::leak(block.into_boxed_slice())
}

/// Not inlined: the definitions of a deep hierarchy lie upon each other on the native stack.
#[inline(never)]
pub(super) fn make(th: &Thread, p: Parts<'_>) -> JResult<ClassRef> {
    let file = p.file;
    let package = Symbol::intern(cf::names::package_of(p.name.as_bytes()));
    let interfaces_all = all_interfaces(p.super_class, &p.interfaces);
    let bits = flag_bits(&p);
    // A class in two steps: its methods name it, its vtable names them. The vtable's length is
    // known only from the methods, so they are made for a placeholder of the right address: the
    // class is allocated with room for the largest vtable it can have.
    let virtuals = file.methods.len() + interfaces_all.iter().map(|i| i.declared_methods().len()).sum::<usize>();
    let room = p.super_class.map_or(0, |s| s.vtable_len()) + virtuals;
    let class = Class::allocate_with_room(
        ClassInit {
            kind: ClassKind::Instance,
            basic: BasicType::Object,
            elem_shift: 0,
            access_flags: file.access_flags,
            flags: bits,
            super_class: p.super_class,
            component: None,
            name: p.name,
            instance_size: 0,
            vtable: Vec::new(),
        },
        room,
    );

    let own = own_fields(class, &p);
    let start = p.super_class.map_or(HEADER_BYTES as u32, |s| s.info().fields_end.load(Ordering::Relaxed));
    let padded = file.annotations.vm.contains(Va::CONTENDED) && options::get().flags.enable_contended
        || apart::of(p.self_name).whole();
    let places = fields::of_instances(&own, &file.fields, FieldInfo::is_apart, padded, start);
    places.give(&own);
    fields::of_statics(&own, FieldInfo::is_apart).give(&own);

    let (sites, cache_len) = indy_sites(file);
    if cache_len > u16::MAX as usize {
        return exceptions::throw(
            th,
            "java/lang/InternalError",
            &format!(
                "class {} has too many constants and invokedynamic instructions together ({cache_len})",
                external(p.name)
            ),
        );
    }
    let block = own_methods(class, &p, sites);
    let methods: Vec<MethodRef> = block.iter().collect();
    methods.iter().for_each(|m| engine().install(m));
    if p.is_interface {
        vtable::number_interface(&methods);
    }
    let info = ClassInfo {
        loader: p.loader,
        file,
        fields: own.into_boxed_slice(),
        methods: methods.clone().into_boxed_slice(),
        deleted: Box::default(),
        interfaces: p.interfaces.into_boxed_slice(),
        package,
        nest_host: OnceLock::new(),
        init: Arc::default(),
        init_error: Mutex::new(None),
        source: p.args.source.clone(),
        fields_end: AtomicU32::new(places.end),
        padded: AtomicBool::new(padded),
        original: p.original,
        version_of: None,
        self_name: p.self_name,
        method_block: block,
        owns_bytes: matches!(p.args.bytes, Bytes::Borrowed(_)),
        owned: Owned::default(),
        weak: p.args.hidden.as_ref().is_some_and(|h| !h.strong),
        statics_layout: AtomicU32::new(0),
    };
    class.info.store(Box::leak(Box::new(info)) as *mut ClassInfo as *mut (), Ordering::Release);
    let inputs = vtable::Inputs {
        name: p.name,
        package,
        loader: p.loader,
        is_interface: p.is_interface,
        super_class: p.super_class,
        methods: &methods,
        interfaces: &interfaces_all,
    };
    match vtable::build(&inputs) {
        Ok(table) => class.fill_vtable(&table),
        Err((old, new)) => {
            return exceptions::throw(
                th,
                "java/lang/IncompatibleClassChangeError",
                &format!(
                    "class {} overrides final method {}.{}{}",
                    external(p.name),
                    names::external(old.class),
                    new.name,
                    new.descriptor
                ),
            );
        }
    }
    let defaults = p.is_interface && methods.iter().any(|m| !m.is_abstract() && !m.is_static());
    if defaults || interfaces_all.iter().any(|i| i.has_flag(flags::HAS_DEFAULTS)) {
        class.flags.fetch_or(flags::HAS_DEFAULTS, Ordering::Relaxed);
    }
    let cloneable = p.name == "java/lang/Cloneable" || interfaces_all.iter().any(|i| i.name == "java/lang/Cloneable");
    if cloneable {
        class.flags.fetch_or(flags::CLONEABLE, Ordering::Relaxed);
    }
    if !class.set_interfaces(interfaces_all) {
        concord_base::bug!("a new class has interfaces already");
    }
    if p.is_interface || class.is_abstract() || p.name == "java/lang/Class" || class.has_flag(flags::FINALIZER) {
        class.flags.fetch_or(flags::NO_FAST_NEW, Ordering::Relaxed);
    }
    layouts::of_instances(class, places.end);
    init::bind_vm_natives(class);
    metaspace::made(class);
    Ok(class)
}
