//! Old versions of classes and methods.
//!
//! Invariant: an old method names an old class, and that the pool and the cache its bytecode was made
//! for; both stay as they are, and are never freed. Nothing but frames and what they make names them.
use crate::info::{ClassExt, ClassInfo, Owned};
use crate::roots;
use concord_contract::method::mflags;
use concord_contract::{Class, ClassRef, Method, MethodRef};
use std::collections::HashMap;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The old versions that frames still run, made as they are found.
pub(super) struct Olds {
    class: ClassRef,
    copy: Option<ClassRef>,
    methods: HashMap<usize, MethodRef>,
}

impl Olds {
    pub(super) fn new(class: ClassRef) -> Self {
        Olds { class, copy: None, methods: HashMap::new() }
    }
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.methods.len()
    }
    /// That of `m`, whose class is the one that changes.
    pub(super) fn of(&mut self, m: MethodRef) -> MethodRef {
        let class = *self.copy.get_or_insert_with(|| old_class(self.class));
        self.methods.entry(std::ptr::from_ref(m) as usize).or_insert_with(|| old_method(m, class))
    }
}

fn old_class(class: ClassRef) -> ClassRef {
    let old = class.old_version();
    let info = class.info();
    let copy = ClassInfo {
        loader: info.loader,
        file: info.file,
        fields: Box::default(),
        methods: info.methods.clone(),
        deleted: Box::default(),
        interfaces: info.interfaces.clone(),
        package: info.package,
        nest_host: info.nest_host.get().map_or_else(OnceLock::new, |h| OnceLock::from(*h)),
        init: Arc::clone(&info.init),
        init_error: Mutex::default(),
        source: info.source.clone(),
        fields_end: info.fields_end,
        original: None,
        version_of: Some(class),
        self_name: info.self_name,
        method_block: info.method_block,
        owns_bytes: false,
        owned: Owned::default(),
        weak: info.weak,
        statics_layout: AtomicU32::new(info.statics_layout.load(Ordering::Relaxed)),
    };
    old.info.store(Box::into_raw(Box::new(copy)).cast(), Ordering::Release);
    roots::add_root(&old.mirror);
    old
}

fn old_method(m: MethodRef, class: &'static Class) -> MethodRef {
    Box::leak(Box::new(Method {
        compiled: AtomicPtr::new(concord_contract::compiled::to_interpreter()),
        entry: AtomicPtr::new(m.entry.load(Ordering::Relaxed)),
        code: AtomicPtr::new(m.code.load(Ordering::Relaxed)),
        nargs_bytes: m.nargs_bytes,
        frame_bytes: m.frame_bytes,
        max_stack_bytes: m.max_stack_bytes,
        flags: AtomicU32::new(m.flags.load(Ordering::Relaxed) | mflags::OBSOLETE),
        class,
        native: AtomicPtr::default(),
        vm_native: AtomicPtr::default(),
        vtable_index: AtomicU32::new(m.vtable_index.load(Ordering::Relaxed)),
        itable_index: AtomicU32::new(m.itable_index.load(Ordering::Relaxed)),
        ret: m.ret,
        mh_intrinsic: m.mh_intrinsic,
        max_locals: m.max_locals,
        max_stack: m.max_stack,
        index: m.index,
        name: m.name,
        descriptor: m.descriptor,
        bytecode: m.bytecode,
        exceptions: m.exceptions,
        indy_sites: m.indy_sites,
        heat: AtomicU64::new(0),
        engine: AtomicPtr::new(m.engine.load(Ordering::Acquire)),
        info: AtomicPtr::new(m.info.load(Ordering::Acquire)),
    }))
}
