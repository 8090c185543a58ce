//! Classes, objects and a heap without a collector, for the tests.
//!
//! Invariant: everything lives for ever, so raw references stay valid; all tests share one world.
use super::classes::{ClassFile, Member, signature};
use super::rows;
use crate::INTERPRETER;
use concord_base::Symbol;
use concord_contract::class::{Class, ClassInit, ClassKind, ClassRef, ClassState, ItableEntry, flags};
use concord_contract::entries::{self, Engine};
use concord_contract::layout::{self, Layout, LayoutKind, NO_CHAIN};
use concord_contract::method::{CpEntry, ExceptionRow, Method, MethodRef, MhIntrinsic, NO_INDEX, acc, mflags};
use concord_contract::object::{BasicType, Obj, array_base};
use concord_contract::{JResult, Thread, frame};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, RwLock};

#[derive(Clone, Debug)]
pub struct Field {
    pub class: ClassRef,
    pub name: String,
    pub flags: u16,
    pub ty: BasicType,
    pub offset: u32,
}

pub struct Info {
    pub file: ClassFile,
    pub fields: Vec<Field>,
    pub methods: Vec<MethodRef>,
}

static CLASSES: RwLock<Option<HashMap<String, ClassRef>>> = RwLock::new(None);
static LOADING: Mutex<()> = Mutex::new(());
static CURSOR: AtomicUsize = AtomicUsize::new(0);
static WORLD: OnceLock<PathBuf> = OnceLock::new();
const HEAP: usize = 0x4_0000_0000;
const HEAP_BYTES: usize = 2 << 30;

/// Starts the world; compiles the programs.
pub fn start() -> &'static PathBuf {
    WORLD.get_or_init(|| {
        // SAFETY: fresh address space, below the reach of 32-bit references.
        let p = unsafe {
            libc::mmap(
                HEAP as *mut _,
                HEAP_BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE,
                -1,
                0,
            )
        };
        assert_eq!(p as usize, HEAP);
        CURSOR.store(HEAP, Ordering::Relaxed);
        layout::init();
        entries::set_runtime(rows::rows());
        entries::set_engine(&INTERPRETER);
        // Methods become warm when a test says so.
        crate::profile::enable(u64::MAX).unwrap();
        *CLASSES.write().unwrap() = Some(HashMap::new());
        let out = std::env::temp_dir().join(format!("concord-interpreter-{}", std::process::id()));
        std::fs::create_dir_all(&out).unwrap();
        let src = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("java");
        let sources: Vec<_> = std::fs::read_dir(src).unwrap().map(|e| e.unwrap().path()).collect();
        let status = std::process::Command::new("javac")
            .args(["-nowarn", "-XDstringConcat=inline", "-d"])
            .arg(&out)
            .args(sources)
            .status()
            .unwrap();
        assert!(status.success(), "javac failed");
        out
    })
}

pub fn allocate(bytes: usize) -> usize {
    let p = CURSOR.fetch_add((bytes + 7) & !7, Ordering::Relaxed);
    assert!(p + bytes < HEAP + HEAP_BYTES, "test heap is full");
    p
}

/// An attached thread with its own stack.
pub fn thread(stack: usize) -> &'static Thread {
    start();
    let t: &'static Thread = Box::leak(Thread::new_boxed());
    let words = Box::leak(vec![0xdead_beef_dead_beefu64; stack / 8].into_boxed_slice());
    t.stack_base.set(words.as_mut_ptr());
    t.stack_bytes.set(stack);
    t.stack_limit.set(words.as_ptr() as usize + stack - 16384);
    t.sp.set(words.as_mut_ptr());
    t.handles.set(Box::leak(vec![0u64; 4096].into_boxed_slice()).as_mut_ptr());
    let chunk = allocate(1 << 20);
    t.bump.set(Box::leak(Box::new([chunk, chunk + (1 << 20)])));
    t.state.store(1, Ordering::Relaxed);
    static IDS: AtomicU64 = AtomicU64::new(1);
    t.id.set(IDS.fetch_add(1, Ordering::Relaxed));
    super::rows::attach(t);
    t.settle_entries();
    INTERPRETER.attach(t);
    t
}

pub fn info(c: &Class) -> &'static Info {
    // SAFETY: `define` stored it.
    unsafe { &*(c.info.load(Ordering::Acquire) as *const Info) }
}

pub fn class(name: &str) -> ClassRef {
    start();
    if let Some(c) = CLASSES.read().unwrap().as_ref().unwrap().get(name) {
        return c;
    }
    if let Some(component) = name.strip_prefix('[') {
        return array_of_descriptor(name, component);
    }
    if let Some(f) = builtin(name) {
        return define(f);
    }
    let path = start().join(format!("{name}.class"));
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    define(ClassFile::parse(&bytes))
}

fn publish(name: &str, make: impl FnOnce() -> ClassRef) -> ClassRef {
    let _one = LOADING.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(c) = CLASSES.read().unwrap().as_ref().unwrap().get(name) {
        return c;
    }
    let c = make();
    CLASSES.write().unwrap().as_mut().unwrap().insert(name.to_string(), c);
    c
}

/// Another class made from the same class file; names in its constants mean the first one's world.
pub fn reload(name: &str) -> ClassRef {
    let path = start().join(format!("{name}.class"));
    let file = ClassFile::parse(&std::fs::read(path).unwrap());
    link(file, Some(class("java/lang/Object")), vec![])
}

fn array_of_descriptor(name: &str, component: &str) -> ClassRef {
    let (basic, element) = match component.as_bytes()[0] {
        b'L' => (BasicType::Object, class(&component[1..component.len() - 1])),
        b'[' => (BasicType::Object, class(component)),
        c => {
            let ty = BasicType::from_descriptor_char(c).unwrap();
            (ty, primitive(ty))
        }
    };
    array(name, basic, element)
}

fn primitive(ty: BasicType) -> ClassRef {
    publish(ty.java_name(), || {
        Class::allocate(ClassInit {
            kind: ClassKind::Primitive,
            basic: ty,
            elem_shift: 0,
            access_flags: 0x411,
            flags: 0,
            super_class: None,
            component: None,
            name: Symbol::intern(ty.java_name().as_bytes()),
            instance_size: 0,
            vtable: vec![],
        })
    })
}

fn array(name: &str, basic: BasicType, component: ClassRef) -> ClassRef {
    let object = class("java/lang/Object");
    publish(name, || {
        let is_ref = basic == BasicType::Object;
        let c = Class::allocate(ClassInit {
            kind: if is_ref { ClassKind::RefArray } else { ClassKind::PrimArray },
            basic,
            elem_shift: basic.heap_shift() as u8,
            access_flags: 0x11,
            flags: 0,
            super_class: Some(object),
            component: Some(component),
            name: Symbol::intern(name.as_bytes()),
            instance_size: 0,
            vtable: object.vtable().iter().map(|m| unsafe_method(m)).collect(),
        });
        let _set = c.set_interfaces(Box::new([]));
        c.state.store(ClassState::Initialized as u8, Ordering::Release);
        let shift = basic.heap_shift();
        install_layout(c, 0, if is_ref { LayoutKind::RefArray } else { LayoutKind::PrimArray }, shift);
        c
    })
}

/// The array class over `c`.
pub fn array_class(c: ClassRef) -> ClassRef {
    let n = c.name.as_str();
    class(&if n.starts_with('[') { format!("[{n}") } else { format!("[L{n};") })
}

fn unsafe_method(m: &AtomicPtr<Method>) -> MethodRef {
    // SAFETY: vtables hold methods.
    unsafe { &*m.load(Ordering::Relaxed) }
}

fn install_layout(c: ClassRef, size: u32, kind: LayoutKind, shift: u32) {
    let id = layout::new_id();
    let base = array_base(shift) as u8;
    layout::set(id, Layout { map: 0, size, elem_shift: shift as u8, base, kind, chain: NO_CHAIN }, c);
    c.layout_id.store(id, Ordering::Release);
}

/// Object, and the throwables that instructions throw.
fn builtin(name: &str) -> Option<ClassFile> {
    let simple = name.strip_prefix("java/lang/")?;
    let super_name = match simple {
        "Object" => None,
        "Throwable" => Some("java/lang/Object"),
        "Exception" | "Error" => Some("java/lang/Throwable"),
        "StackOverflowError" | "IncompatibleClassChangeError" => Some("java/lang/Error"),
        "AbstractMethodError" => Some("java/lang/IncompatibleClassChangeError"),
        "RuntimeException" => Some("java/lang/Exception"),
        "ArrayIndexOutOfBoundsException"
        | "ArithmeticException"
        | "NullPointerException"
        | "ClassCastException"
        | "ArrayStoreException"
        | "NegativeArraySizeException"
        | "IllegalMonitorStateException"
        | "IllegalStateException" => Some("java/lang/RuntimeException"),
        _ => return None,
    };
    let init = Member {
        flags: 1,
        name: "<init>".into(),
        descriptor: "()V".into(),
        code: Some(super::classes::Body { max_stack: 0, max_locals: 1, bytes: vec![177], exceptions: vec![] }),
    };
    Some(ClassFile {
        flags: 0x21,
        name: name.into(),
        super_name: super_name.map(str::to_string),
        interfaces: vec![],
        fields: vec![],
        methods: vec![init],
        constants: vec![super::classes::Constant::None],
    })
}

fn define(file: ClassFile) -> ClassRef {
    let super_class = file.super_name.as_deref().map(class);
    let interfaces: Vec<ClassRef> = file.interfaces.iter().map(|i| class(i)).collect();
    publish(&file.name.clone(), || link(file, super_class, interfaces))
}

fn link(file: ClassFile, super_class: Option<ClassRef>, interfaces: Vec<ClassRef>) -> ClassRef {
    let interface = file.flags & 0x200 != 0;
    // Fields, largest first.
    let mut size = super_class.map_or(8, |s| s.instance_size.load(Ordering::Relaxed).max(8));
    let mut statics = 8u32;
    let mut order: Vec<&Member> = file.fields.iter().collect();
    let ty = |f: &Member| BasicType::from_descriptor_char(f.descriptor.as_bytes()[0]).unwrap();
    order.sort_by_key(|f| std::cmp::Reverse(ty(f).heap_shift()));
    let mut places = vec![];
    for f in order {
        let s = 1u32 << ty(f).heap_shift();
        let at = if f.flags & 8 != 0 { &mut statics } else { &mut size };
        *at = at.next_multiple_of(s);
        places.push((f.clone(), *at));
        *at += s;
    }
    // Methods exist before the class does: their class is patched below.
    let placeholder: ClassRef = super_class.unwrap_or_else(|| primitive_placeholder());
    let methods: Vec<&'static mut Method> =
        file.methods.iter().enumerate().map(|(i, m)| method(m, placeholder, i as u16)).collect();
    let raw: Vec<*mut Method> = methods.into_iter().map(|m| m as *mut Method).collect();
    // SAFETY: leaked boxes.
    let refs: Vec<MethodRef> = raw.iter().map(|m| unsafe { &**m }).collect();
    let mut all: Vec<ClassRef> = super_class.and_then(|s| s.interfaces_all.get()).map_or(vec![], |v| v.to_vec());
    for i in &interfaces {
        for k in i.interfaces_all.get().unwrap().iter().chain([i]) {
            if !all.contains(k) {
                all.push(k);
            }
        }
    }
    let virtual_ = |m: MethodRef| !m.is_static() && !m.is_init() && !m.is_private();
    let same = |a: MethodRef, b: MethodRef| a.name.id() == b.name.id() && a.descriptor.id() == b.descriptor.id();
    let mut vtable: Vec<MethodRef> = super_class.map_or(vec![], |s| s.vtable().iter().map(unsafe_method).collect());
    if !interface {
        for m in refs.iter().filter(|m| virtual_(m)) {
            match vtable.iter().position(|v| same(v, m)) {
                Some(i) => vtable[i] = m,
                None => vtable.push(m),
            }
        }
        // Mirandas and defaults.
        for i in &all {
            for m in info(i).methods.iter().filter(|m| virtual_(m)) {
                let pos = vtable.iter().position(|v| same(v, m));
                match pos {
                    None => vtable.push(m),
                    Some(p)
                        if vtable[p].class.is_interface()
                            && !m.is_abstract()
                            && m.class.interfaces_all.get().unwrap().contains(&vtable[p].class) =>
                    {
                        vtable[p] = m
                    }
                    Some(p) if vtable[p].is_abstract() && vtable[p].class.is_interface() && !m.is_abstract() => {
                        vtable[p] = m
                    }
                    Some(_) => {}
                }
            }
        }
        for (i, m) in vtable.iter().enumerate() {
            if m.vtable_index.load(Ordering::Relaxed) == NO_INDEX {
                m.vtable_index.store(i as u32, Ordering::Relaxed);
            }
        }
    } else {
        for (i, m) in refs.iter().filter(|m| virtual_(m)).enumerate() {
            m.itable_index.store(i as u32, Ordering::Relaxed);
        }
        vtable.clear();
    }
    let abstract_ = file.flags & 0x400 != 0;
    let c = Class::allocate(ClassInit {
        kind: ClassKind::Instance,
        basic: BasicType::Object,
        elem_shift: 0,
        access_flags: file.flags,
        flags: if abstract_ || interface { flags::NO_FAST_NEW } else { 0 },
        super_class: if interface { None } else { super_class },
        component: None,
        name: Symbol::intern(file.name.as_bytes()),
        instance_size: if interface { 0 } else { size.next_multiple_of(8) },
        vtable: vtable.clone(),
    });
    let itable: Vec<ItableEntry> = if interface {
        vec![]
    } else {
        all.iter()
            .map(|i| {
                let ms: Vec<AtomicPtr<Method>> = info(i)
                    .methods
                    .iter()
                    .filter(|m| virtual_(m))
                    .map(|m| {
                        let found = vtable.iter().find(|v| same(v, m)).expect("miranda");
                        AtomicPtr::new(*found as *const Method as *mut Method)
                    })
                    .collect();
                let ms = Box::leak(ms.into_boxed_slice());
                ItableEntry { interface: Some(i), methods: ms.as_ptr(), len: ms.len() }
            })
            .collect()
    };
    let _set = c.itable.set(ItableEntry::table(itable));
    let _set = c.set_interfaces(all.into_boxed_slice());
    let cache: Vec<CpEntry> =
        (0..file.constants.len() + 16).map(|_| CpEntry { a: AtomicU64::new(0), b: AtomicU64::new(0) }).collect();
    c.cp_cache.store(Box::leak(cache.into_boxed_slice()).as_mut_ptr(), Ordering::Release);
    install_layout(c, size.next_multiple_of(8), LayoutKind::Instance, 0);
    for m in &raw {
        // SAFETY: nobody else sees the methods yet.
        unsafe { (**m).class = c };
        // SAFETY: leaked boxes.
        INTERPRETER.install(unsafe { &**m });
    }
    let fields = places
        .into_iter()
        .map(|(f, offset)| Field { class: c, ty: ty(&f), name: f.name, flags: f.flags, offset })
        .collect();
    let object = allocate(statics as usize);
    // SAFETY: fresh memory.
    c.statics.set(unsafe { Obj::from_addr(object) });
    // A mirror to lock: any object will do.
    let mirror = allocate(8);
    // SAFETY: fresh memory.
    unsafe {
        *(mirror as *mut u64) = (c.layout_id.load(Ordering::Relaxed) as u64) << 32;
        c.mirror.set(Obj::from_addr(mirror));
    }
    let name = file.name.clone();
    c.info.store(Box::leak(Box::new(Info { file, fields, methods: refs })) as *mut Info as *mut (), Ordering::Release);
    let state = if name.starts_with("java/") { ClassState::Initialized } else { ClassState::Linked };
    c.state.store(state as u8, Ordering::Release);
    c
}

fn primitive_placeholder() -> ClassRef {
    static P: OnceLock<ClassRef> = OnceLock::new();
    P.get_or_init(|| {
        Class::allocate(ClassInit {
            kind: ClassKind::Primitive,
            basic: BasicType::Void,
            elem_shift: 0,
            access_flags: 0,
            flags: 0,
            super_class: None,
            component: None,
            name: Symbol::intern(b"void"),
            instance_size: 0,
            vtable: vec![],
        })
    })
}

/// A method of its own, with the class to be filled in.
pub fn method(m: &Member, class: ClassRef, index: u16) -> &'static mut Method {
    let (args, ret) = signature(&m.descriptor);
    let is_static = m.flags as u32 & acc::STATIC != 0;
    let nargs = args.iter().map(|a| a.slots()).sum::<usize>() + !is_static as usize;
    let body = m.code.clone();
    let (max_locals, max_stack) = body.as_ref().map_or((nargs as u16, 0), |b| (b.max_locals, b.max_stack));
    let body: Option<&'static super::classes::Body> = body.map(|b| &*Box::leak(Box::new(b)));
    let object_init = class.name.as_bytes() == b"void" && m.name == "<init>";
    Box::leak(Box::new(Method {
        entry: AtomicPtr::new(std::ptr::null_mut()),
        compiled: AtomicPtr::new(std::ptr::null_mut()),
        code: AtomicPtr::new(std::ptr::null_mut()),
        nargs_bytes: nargs as u32 * 8,
        frame_bytes: ((max_locals as usize - nargs) * 8 + frame::HEADER_BYTES) as u32,
        max_stack_bytes: max_stack as u32 * 8,
        flags: AtomicU32::new(m.flags as u32 | if object_init { mflags::OBJECT_INIT } else { 0 }),
        class,
        native: AtomicPtr::new(std::ptr::null_mut()),
        vm_native: AtomicPtr::new(std::ptr::null_mut()),
        vtable_index: AtomicU32::new(NO_INDEX),
        itable_index: AtomicU32::new(NO_INDEX),
        ret,
        mh_intrinsic: MhIntrinsic::None,
        max_locals,
        max_stack,
        index,
        name: Symbol::intern(m.name.as_bytes()),
        descriptor: Symbol::intern(m.descriptor.as_bytes()),
        bytecode: body.map_or(&[], |b| &b.bytes),
        exceptions: body.map_or(&[], |b| {
            Box::leak(
                b.exceptions
                    .iter()
                    .map(|e| ExceptionRow { start: e[0], end: e[1], handler: e[2], catch_type: e[3] })
                    .collect(),
            )
        }),
        indy_sites: &[],
        heat: AtomicU64::new(0),
        engine: AtomicPtr::new(std::ptr::null_mut()),
        info: AtomicPtr::new(std::ptr::null_mut()),
    }))
}

pub fn find_method(c: ClassRef, name: &str, descriptor: Option<&str>) -> Option<MethodRef> {
    let mut k = Some(c);
    let hit = |m: &MethodRef| {
        m.name.as_bytes() == name.as_bytes() && descriptor.is_none_or(|d| m.descriptor.as_bytes() == d.as_bytes())
    };
    while let Some(c) = k {
        if !c.is_array()
            && let Some(m) = info(c).methods.iter().find(|m| hit(m))
        {
            return Some(m);
        }
        k = c.super_class;
    }
    let all = c.interfaces_all.get()?;
    let found = all.iter().flat_map(|i| info(i).methods.iter()).find(|m| hit(m)).copied();
    found.or_else(|| (c.is_interface()).then(|| find_method(class("java/lang/Object"), name, descriptor)).flatten())
}

pub fn find_field(c: ClassRef, name: &str) -> Option<Field> {
    let hit = |c: ClassRef| info(c).fields.iter().find(|f| f.name == name).cloned();
    let mut k = Some(c);
    while let Some(c) = k {
        if let Some(f) = hit(c) {
            return Some(f);
        }
        k = c.super_class;
    }
    c.interfaces_all.get()?.iter().find_map(|i| hit(i))
}

/// Calls a static method of a class, initializing it first.
pub fn call(th: &Thread, class_name: &str, name: &str, args: &[u64]) -> JResult<u64> {
    let c = class(class_name);
    rows::initialize(th, c)?;
    let m = find_method(c, name, None).unwrap_or_else(|| panic!("{class_name}.{name}"));
    INTERPRETER.invoke(th, m, args)
}
