//! Fake classes, threads and roots for tests of the heap room alone.
//!
//! Each scenario needs a heap of its own, and a process has one: [`in_child`] runs it in a child
//! process, which is this test binary with one test selected.
#![allow(dead_code)]
pub mod relayouts;
pub mod trees;

use concord_base::Symbol;
use concord_contract::class::{ClassInit, ClassRef};
use concord_contract::layout::{self, Layout, LayoutKind, NO_CHAIN};
use concord_contract::thread::HANDLE_SLOTS;
use concord_contract::{BasicType, Class, ClassKind, Obj, Thread};
use concord_heap::*;
use std::cell::Cell;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

pub const MB: usize = 1 << 20;

/// Runs `scenario` in a child process and fails if it fails.
pub fn in_child(test: &str, scenario: impl FnOnce()) -> Option<String> {
    if std::env::var("CONCORD_SCENARIO").as_deref() == Ok(test) {
        scenario();
        return None;
    }
    let out = Command::new(std::env::current_exe().expect("own path"))
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env("CONCORD_SCENARIO", test)
        .output()
        .expect("child process");
    let text = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{test} failed in its child process: {}\n{text}", out.status);
    assert!(text.contains("1 passed"), "{test} did not run in its child process\n{text}");
    Some(text)
}

pub struct Classes {
    /// Two references and a long: 24 bytes.
    pub node: ClassRef,
    /// A reference to itself and an int; followed as a chain: 16 bytes.
    pub link: ClassRef,
    pub bytes: ClassRef,
    pub ints: ClassRef,
    pub longs: ClassRef,
    pub refs: ClassRef,
    /// More than 64 words, the last one a reference.
    pub large: ClassRef,
    /// Reference subclasses: referent 8, queue 12, next 16, discovered 20, timestamp 24: 32 bytes.
    pub soft: ClassRef,
    pub weak: ClassRef,
    pub final_: ClassRef,
    pub phantom: ClassRef,
}

pub const LEFT: usize = 8;
pub const RIGHT: usize = 12;
pub const VALUE: usize = 16;
pub const NEXT: usize = 8;
pub const NUMBER: usize = 12;
pub const LARGE_BYTES: u32 = 8 + 4 * 100;
pub const LARGE_REF: usize = 8 + 4 * 99;
pub const REFERENCE: ReferenceLayout = ReferenceLayout { referent: 8, next: 16, discovered: 20, timestamp: 24 };

fn class(name: &str, kind: ClassKind, basic: BasicType, size: u32, l: Layout) -> ClassRef {
    let c = Class::allocate(ClassInit {
        kind,
        basic,
        elem_shift: l.elem_shift,
        access_flags: 0,
        flags: 0,
        super_class: None,
        component: None,
        name: Symbol::intern(name.as_bytes()),
        instance_size: size,
        vtable: Vec::new(),
    });
    let id = layout::new_id();
    layout::set(id, l, c);
    c.layout_id.store(id, Ordering::Release);
    c
}

fn instance(name: &str, map: u64, size: u32, kind: LayoutKind, chain: u8) -> ClassRef {
    class(
        name,
        ClassKind::Instance,
        BasicType::Object,
        size,
        Layout { map, size, elem_shift: 0, base: NO_CHAIN, kind, chain },
    )
}

fn array(name: &str, basic: BasicType) -> ClassRef {
    let shift = basic.heap_shift();
    let base = concord_contract::object::array_base(shift) as u8;
    let (ck, lk) = if basic.is_ref() {
        (ClassKind::RefArray, LayoutKind::RefArray)
    } else {
        (ClassKind::PrimArray, LayoutKind::PrimArray)
    };
    class(name, ck, basic, 0, Layout { map: 0, size: 0, elem_shift: shift as u8, base, kind: lk, chain: NO_CHAIN })
}

fn classes() -> Classes {
    let map: &'static [u64] = Box::leak(Box::new([1u64, 1 << 35]));
    Classes {
        node: instance("Node", 0b11, 24, LayoutKind::Instance, NO_CHAIN),
        link: instance("Link", 0b1, 16, LayoutKind::Instance, 0),
        bytes: array("[B", BasicType::Byte),
        ints: array("[I", BasicType::Int),
        longs: array("[J", BasicType::Long),
        refs: array("[LNode;", BasicType::Object),
        large: instance("Large", map.as_ptr() as u64, LARGE_BYTES, LayoutKind::LargeInstance, NO_CHAIN),
        // Words 1 and 2 (queue, next) are ordinary fields; referent and discovered are in no map.
        soft: instance("Soft", 0b0110, 32, LayoutKind::Reference, NO_CHAIN),
        weak: instance("Weak", 0b0110, 32, LayoutKind::Reference, NO_CHAIN),
        final_: instance("Final", 0b0110, 32, LayoutKind::Reference, NO_CHAIN),
        phantom: instance("Phantom", 0b0110, 32, LayoutKind::Reference, NO_CHAIN),
    }
}

/// The fake runtime.
pub struct World {
    pub globals: Mutex<Vec<AtomicU64>>,
    pub weak: Mutex<Vec<AtomicU64>>,
    pub pinned: Mutex<Vec<u64>>,
    /// Head of the pending list: a root.
    pub pending: AtomicU64,
    pub collections: AtomicUsize,
    pub full: AtomicUsize,
    pub kinds: Mutex<Vec<(usize, ReferenceKind)>>,
    /// What is done once, at the end of a full collection that a thread of the test makes itself, in place.
    pub over: Mutex<Option<AtStop>>,
}
pub type AtStop = Box<dyn FnOnce(&concord_safepoint::Stopped) + Send>;

pub static WORLD: World = World {
    globals: Mutex::new(Vec::new()),
    weak: Mutex::new(Vec::new()),
    pinned: Mutex::new(Vec::new()),
    pending: AtomicU64::new(0),
    collections: AtomicUsize::new(0),
    full: AtomicUsize::new(0),
    kinds: Mutex::new(Vec::new()),
    over: Mutex::new(None),
};

impl RootProvider for World {
    fn scan_thread(&self, th: &Thread, slots: &mut dyn FnMut(*mut u64), _words: &mut dyn FnMut(usize)) {
        // The harness keeps its precise roots at the bottom of the Java stack, up to `sp`.
        let (mut p, end) = (th.stack_base.get(), th.sp.get());
        while p < end {
            slots(p);
            // SAFETY: between base and sp.
            p = unsafe { p.add(1) };
        }
    }
    fn scan_globals(&self, _full: bool, slots: &mut dyn FnMut(*mut u64)) {
        self.globals.lock().unwrap().iter().for_each(|g| slots(g.as_ptr()));
        slots(self.pending.as_ptr());
    }
    fn pinned(&self, _full: bool, objects: &mut dyn FnMut(Obj)) {
        // SAFETY: tests put addresses of objects there.
        self.pinned.lock().unwrap().iter().for_each(|a| objects(unsafe { Obj::from_addr(*a as usize) }));
    }
    fn weak_slots(&self, _full: bool, visit: &mut dyn FnMut(*mut u64) -> bool) {
        self.weak.lock().unwrap().iter().for_each(|w| {
            visit(w.as_ptr());
        });
    }
    fn reference_layout(&self) -> Option<ReferenceLayout> {
        Some(REFERENCE)
    }
    fn reference_kind(&self, class: &Class) -> ReferenceKind {
        let at = class as *const Class as usize;
        let kinds = self.kinds.lock().unwrap();
        kinds.iter().find(|k| k.0 == at).expect("a class of references").1
    }
    fn enqueue_pending(&self, head: Obj, tail: Obj) {
        let old = self.pending.swap(head.addr() as u64, Ordering::SeqCst);
        tail.put_u32(REFERENCE.discovered, (old >> 3) as u32);
    }
    fn publish_monitor(&self, _lock_word: &std::sync::atomic::AtomicU32) {
        unreachable!("no monitors in these tests");
    }
    fn at_full_collection(&self, stopped: &concord_safepoint::Stopped, over: bool) {
        if over
            && Thread::current_opt().is_some()
            && let Some(f) = self.over.lock().unwrap().take()
        {
            f(stopped);
        }
    }
    fn gc_finished(&self, info: &GcInfo) {
        self.collections.fetch_add(1, Ordering::SeqCst);
        self.full.fetch_add(info.full as usize, Ordering::SeqCst);
    }
}

/// Sets up a heap, attaches the calling thread and starts the collector.
pub fn start(options: HeapOptions) -> (&'static Classes, Mutator) {
    layout::init();
    let c: &'static Classes = Box::leak(Box::new(classes()));
    init(options).expect("heap");
    *WORLD.kinds.lock().unwrap() = vec![
        (c.soft as *const Class as usize, ReferenceKind::Soft),
        (c.weak as *const Class as usize, ReferenceKind::Weak),
        (c.final_ as *const Class as usize, ReferenceKind::Final),
        (c.phantom as *const Class as usize, ReferenceKind::Phantom),
    ];
    set_root_provider(&WORLD);
    let m = Mutator::attach();
    start_workers();
    (c, m)
}

pub fn small(max: usize) -> HeapOptions {
    HeapOptions {
        max,
        min: max,
        nursery: Some(2 * MB),
        workers: Some(1),
        zeal: Zeal { verify: true, ..Zeal::default() },
        ..HeapOptions::default()
    }
}

/// A thread with a stack of precise roots.
pub struct Mutator {
    pub th: &'static Thread,
}

/// A precise root: index in the thread's stack.
#[derive(Clone, Copy)]
pub struct Local(pub usize);

impl Mutator {
    pub fn attach() -> Mutator {
        let th: &'static Thread = Box::leak(Thread::new_boxed());
        let stack: &'static mut [u64] = Box::leak(vec![0; 1 << 16].into_boxed_slice());
        th.stack_base.set(stack.as_mut_ptr());
        th.sp.set(stack.as_mut_ptr());
        let handles: &'static mut [u64] = Box::leak(vec![0; 4096].into_boxed_slice());
        assert!(handles.len() <= HANDLE_SLOTS);
        th.handles.set(handles.as_mut_ptr());
        th.stack_limit.set(1);
        Thread::set_current(th);
        attach(th);
        Mutator { th }
    }
    pub fn detach(self) {
        detach(self.th);
        Thread::set_current(std::ptr::null());
    }
    pub fn push(&self, o: Obj) -> Local {
        let sp = self.th.sp.get();
        // SAFETY: tests stay far below the 65,536 slots, which the index checks.
        unsafe {
            let i = sp.offset_from(self.th.stack_base.get()) as usize;
            assert!(i < 1 << 16);
            *sp = o.addr() as u64;
            self.th.sp.set(sp.add(1));
            Local(i)
        }
    }
    pub fn pop_to(&self, l: Local) {
        // SAFETY: the index is below sp.
        self.th.sp.set(unsafe { self.th.stack_base.get().add(l.0) });
    }
    pub fn get(&self, l: Local) -> Obj {
        // SAFETY: the index is below sp; the word is a root.
        unsafe { Obj::from_addr(*self.th.stack_base.get().add(l.0) as usize) }
    }
    pub fn set(&self, l: Local, o: Obj) {
        // SAFETY: as above.
        unsafe { *self.th.stack_base.get().add(l.0) = o.addr() as u64 };
    }
    pub fn instance(&self, class: &Class) -> Obj {
        alloc_instance(self.th, class).expect("heap space")
    }
    pub fn array(&self, class: &Class, n: usize) -> Obj {
        alloc_array(self.th, class, n).expect("heap space")
    }
    pub fn poll(&self) {
        concord_safepoint::poll(self.th);
    }
    pub fn gc(&self) {
        system_gc(self.th);
    }
}

/// Overwrites dead words of the native stack below the caller, so that the conservative scan does
/// not find what a test has dropped.
#[inline(never)]
pub fn clear_stack() {
    let words = [const { Cell::new(0usize) }; 4096];
    words.iter().for_each(|w| w.set(0));
    std::hint::black_box(&words);
}

/// Numbers that look random.
pub struct Random(pub u64);
impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
