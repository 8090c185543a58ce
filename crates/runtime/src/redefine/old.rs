//! Old versions of classes and methods.
//!
//! Invariant: an old method names an old class, and that the pool and the cache its bytecode was made
//! for; both stay as they are, and are never freed. Nothing but frames and what they make names them. One whose
//! body was still that of the method when it became old stands for the method, for tools, from then on ([`current`]),
//! and has its breakpoints until another body comes ([`equal_versions`]); the others are obsolete.
use super::File;
use super::same::Versions;
use crate::info::{ClassExt, ClassInfo, MethodExt, Owned};
use crate::roots;
use concord_contract::entries::engine;
use concord_contract::method::mflags;
use concord_contract::{Class, ClassRef, Method, MethodRef};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The old versions that frames still run, made as they are found.
pub(super) struct Olds {
    class: ClassRef,
    copy: Option<ClassRef>,
    methods: HashMap<usize, MethodRef>,
    versions: Versions,
}

/// Old methods by the method that still has their body.
static EQUAL: Mutex<Option<HashMap<usize, Vec<MethodRef>>>> = Mutex::new(None);

/// The old versions of a method that run with the body that it has.
pub fn equal_versions(m: MethodRef) -> Vec<MethodRef> {
    let guard = EQUAL.lock().expect("old methods");
    guard.as_ref().and_then(|e| e.get(&key(m))).cloned().unwrap_or_default()
}

/// The method that `m` stands for: `m`, if it is not an old version, or obsolete.
pub fn current(m: MethodRef) -> MethodRef {
    match m.class.info().version_of {
        Some(class) if !m.has(mflags::OBSOLETE) => class.declared_method(m.name, m.descriptor).unwrap_or(m),
        _ => m,
    }
}

fn key(m: MethodRef) -> usize {
    std::ptr::from_ref(m) as usize
}

impl Olds {
    pub(super) fn new(class: ClassRef, file: File) -> Self {
        let versions = Versions { old: class.info().file, new: file };
        Olds { class, copy: None, methods: HashMap::new(), versions }
    }
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.methods.len()
    }
    /// That of `m`, whose class is the one that changes.
    pub(super) fn of(&mut self, m: MethodRef) -> MethodRef {
        let class = *self.copy.get_or_insert_with(|| old_class(self.class));
        let stays = self.stays(m);
        self.methods.entry(key(m)).or_insert_with(|| {
            let old = old_method(m, class, if stays { 0 } else { mflags::OBSOLETE });
            engine().aged(m, old);
            old
        })
    }
    /// Whether `m` keeps its body.
    fn stays(&self, m: MethodRef) -> bool {
        MethodExt::info(m).parsed.is_some_and(|parsed| self.versions.have(parsed))
    }
    /// All old versions of `m` are made: none has a breakpoint, and those that its new body leaves behind get none.
    pub(super) fn settle(&self, m: MethodRef) {
        let mut guard = EQUAL.lock().expect("old methods");
        let equal = guard.get_or_insert_default().entry(key(m)).or_default();
        equal.iter().for_each(|old| engine().aged(m, old));
        if !self.stays(m) {
            equal.clear();
        }
        equal.extend(self.methods.get(&key(m)).filter(|old| !old.has(mflags::OBSOLETE)));
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
        fields_end: AtomicU32::new(info.fields_end.load(Ordering::Relaxed)),
        padded: AtomicBool::new(info.padded.load(Ordering::Relaxed)),
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

fn old_method(m: MethodRef, class: &'static Class, flags: u32) -> MethodRef {
    Box::leak(Box::new(Method {
        compiled: AtomicPtr::new(concord_contract::compiled::to_interpreter()),
        entry: AtomicPtr::new(m.entry.load(Ordering::Relaxed)),
        code: AtomicPtr::new(m.code.load(Ordering::Relaxed)),
        nargs_bytes: m.nargs_bytes,
        frame_bytes: m.frame_bytes,
        max_stack_bytes: m.max_stack_bytes,
        flags: AtomicU32::new(m.flags.load(Ordering::Relaxed) | flags),
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
