//! A world without a VM: one class from a class file, arrays of primitives, a heap without a
//! collector, rows that do what the kernels need.
use concord_base::Symbol;
use concord_classfile::{ClassFile, Constant, ParseOptions, parse};
use concord_contract::class::{Class, ClassInit, ClassKind, ClassRef, ClassState};
use concord_contract::compile_env::{CallAnswer, CompilationEnv, ConstantAnswer, VmLayout};
use concord_contract::compiled::{CompiledCode, Dependency, RelocKind, RelocTarget};
use concord_contract::entries::ResolvedField;
use concord_contract::layout::{self, Layout, LayoutKind, NO_CHAIN};
use concord_contract::method::{Method, MethodRef, MhIntrinsic, NO_INDEX};
use concord_contract::object::array_base;
use concord_contract::rows::Row;
use concord_contract::{BasicType, CallKind, Thread};
use concord_monitors::{self as monitors, Block, MonitorTable, MonitorThread, ObjectRef, Park};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

pub struct World {
    pub class: ClassRef,
    pub methods: Vec<MethodRef>,
    file: &'static ClassFile<'static>,
    arrays: Vec<(BasicType, ClassRef)>,
}

fn class(name: &str, kind: ClassKind, basic: BasicType, component: Option<ClassRef>) -> ClassRef {
    let c = Class::allocate(ClassInit {
        kind,
        basic,
        elem_shift: if kind == ClassKind::PrimArray { basic.heap_shift() as u8 } else { 0 },
        access_flags: 1,
        flags: 0,
        super_class: None,
        component,
        name: Symbol::intern(name.as_bytes()),
        instance_size: 0,
        vtable: vec![],
    });
    c.state.store(ClassState::Initialized as u8, Ordering::Release);
    if kind == ClassKind::PrimArray {
        let (id, shift) = (layout::new_id(), basic.heap_shift());
        layout::set(
            id,
            Layout {
                map: 0,
                size: 0,
                elem_shift: shift as u8,
                base: array_base(shift) as u8,
                kind: LayoutKind::PrimArray,
                chain: NO_CHAIN,
            },
            c,
        );
        c.layout_id.store(id, Ordering::Release);
    }
    c
}

impl World {
    pub fn new(bytes: Vec<u8>) -> World {
        layout::init();
        let file: &'static ClassFile<'static> =
            Box::leak(Box::new(parse(bytes.leak(), &ParseOptions::default()).expect("class file")));
        let own = class("Kernels", ClassKind::Instance, BasicType::Object, None);
        let all = [
            BasicType::Boolean,
            BasicType::Byte,
            BasicType::Char,
            BasicType::Short,
            BasicType::Int,
            BasicType::Long,
            BasicType::Float,
            BasicType::Double,
        ];
        let arrays = all.iter().map(|t| {
            let component = class(t.java_name(), ClassKind::Primitive, *t, None);
            (*t, class(&format!("[{}", t.descriptor_char() as char), ClassKind::PrimArray, *t, Some(component)))
        });
        let arrays = arrays.collect();
        let methods = file.methods.iter().enumerate().filter_map(|(n, m)| {
            let code = m.code.as_ref()?;
            let desc = file.constants.utf8(m.desc);
            let method = Method {
                entry: AtomicPtr::default(),
                compiled: AtomicPtr::default(),
                code: AtomicPtr::default(),
                nargs_bytes: 0,
                frame_bytes: 0,
                max_stack_bytes: 0,
                flags: AtomicU32::new(m.access as u32),
                class: own,
                native: AtomicPtr::default(),
                vm_native: AtomicPtr::default(),
                vtable_index: AtomicU32::new(NO_INDEX),
                itable_index: AtomicU32::new(NO_INDEX),
                ret: BasicType::from_descriptor_char(desc[desc.iter().position(|c| *c == b')').unwrap() + 1]).unwrap(),
                mh_intrinsic: MhIntrinsic::None,
                max_locals: code.max_locals,
                max_stack: code.max_stack,
                index: n as u16,
                name: Symbol::intern(file.constants.utf8(m.name)),
                descriptor: Symbol::intern(desc),
                bytecode: code.code,
                exceptions: &[],
                indy_sites: &[],
                heat: AtomicU64::new(0),
                engine: AtomicPtr::default(),
                info: AtomicPtr::default(),
            };
            let mut method = method;
            let slots: usize =
                concord_jit::frontend::parameters(Box::leak(Box::new(clone(&method)))).iter().map(|t| t.slots()).sum();
            method.nargs_bytes = 8 * slots as u32;
            Some(&*Box::leak(Box::new(method)))
        });
        World { class: own, methods: methods.collect(), file, arrays }
    }
    pub fn method(&self, name: &str) -> MethodRef {
        self.methods.iter().find(|m| m.name.as_bytes() == name.as_bytes()).expect("method")
    }
}

/// What `parameters` reads of a method.
fn clone(m: &Method) -> Method {
    Method {
        entry: AtomicPtr::default(),
        compiled: AtomicPtr::default(),
        code: AtomicPtr::default(),
        flags: AtomicU32::new(m.flags.load(Ordering::Relaxed)),
        native: AtomicPtr::default(),
        vm_native: AtomicPtr::default(),
        vtable_index: AtomicU32::new(NO_INDEX),
        itable_index: AtomicU32::new(NO_INDEX),
        heat: AtomicU64::new(0),
        engine: AtomicPtr::default(),
        info: AtomicPtr::default(),
        ..*m
    }
}

impl CompilationEnv for World {
    fn field(&self, _: MethodRef, _: u16, _: u8) -> Option<ResolvedField> {
        None
    }
    fn call(&self, _: MethodRef, _: u16, cp: u16, _: u8) -> Option<CallAnswer> {
        let nat = self.file.constants.ref_name_and_type(cp);
        let method =
            self.methods.iter().find(|m| m.name.as_bytes() == nat.name && m.descriptor.as_bytes() == nat.desc)?;
        Some(CallAnswer {
            method,
            kind: CallKind::Static,
            index: NO_INDEX,
            interface: None,
            named: None,
            requested: None,
            appendix: None,
        })
    }
    fn class(&self, _: MethodRef, _: u16) -> Option<ClassRef> {
        None
    }
    fn array_of(&self, _: MethodRef, _: u16) -> Option<ClassRef> {
        None
    }
    fn primitive_array(&self, ty: BasicType) -> Option<ClassRef> {
        self.arrays.iter().find(|a| a.0 == ty).map(|a| a.1)
    }
    fn constant(&self, _: MethodRef, cp: u16) -> Option<ConstantAnswer> {
        Some(match self.file.constants.get(cp)? {
            Constant::Integer(v) => ConstantAnswer::Prim(BasicType::Int, *v as u32 as u64),
            Constant::Float(v) => ConstantAnswer::Prim(BasicType::Float, *v as u64),
            Constant::Long(v) => ConstantAnswer::Prim(BasicType::Long, *v as u64),
            Constant::Double(v) => ConstantAnswer::Prim(BasicType::Double, *v),
            _ => return None,
        })
    }
    fn can_instantiate(&self, _: MethodRef, _: ClassRef) -> bool {
        false
    }
    fn unique_target(&self, _: &CallAnswer) -> Option<(MethodRef, Dependency)> {
        None
    }
    fn target_in(&self, _: &CallAnswer, _: ClassRef) -> Option<MethodRef> {
        None
    }
    fn layout(&self) -> VmLayout {
        VmLayout {
            class_table: layout::class_table() as usize,
            unlog_table: 0,
            max_bump: 16384,
            bump_at: 0,
            fenced_monitors: false,
            quiet_exits: 64,
            guards_left: 0,
            counting: false,
            places: false,
        }
    }
}

extern "sysv64" fn frem(a: f32, b: f32) -> f32 {
    a % b
}
extern "sysv64" fn drem(a: f64, b: f64) -> f64 {
    a % b
}
extern "sysv64" fn unexpected(state: u64) {
    eprintln!("compiled code left by state {state}, or called a row that no kernel needs");
    std::process::abort();
}

fn map(at: usize, bytes: usize, prot: i32) -> usize {
    let fixed = if at == 0 { 0 } else { libc::MAP_FIXED_NOREPLACE };
    // SAFETY: fresh memory.
    let p = unsafe { libc::mmap(at as *mut _, bytes, prot, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | fixed, -1, 0) };
    assert_ne!(p, libc::MAP_FAILED);
    p as usize
}

/// Puts code where it can run, and makes it what the method's callers call.
pub fn install(m: MethodRef, code: &CompiledCode) {
    static AREA: OnceLock<(usize, AtomicU64)> = OnceLock::new();
    let (base, used) = AREA.get_or_init(|| {
        // In reach of this program's functions.
        let near = (unexpected as *const () as usize - (1 << 30)) & !0xfff;
        (map(near, 1 << 20, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC), AtomicU64::new(0))
    });
    let at = base + used.fetch_add((code.bytes.len() as u64 + 63) & !63, Ordering::Relaxed) as usize;
    // SAFETY: the area is ours and writable.
    unsafe {
        std::ptr::copy_nonoverlapping(code.bytes.as_ptr(), at as *mut u8, code.bytes.len());
        for r in &code.relocs {
            let target = match r.target {
                RelocTarget::Row(Row::FRem) => frem as *const () as usize,
                RelocTarget::Row(Row::DRem) => drem as *const () as usize,
                RelocTarget::Row(_) => unexpected as *const () as usize,
                RelocTarget::Code(o) => at + o as usize,
            };
            let (field, value) = (at + r.offset as usize, target as i64 + r.addend);
            match r.kind {
                RelocKind::Abs8 => (field as *mut i64).write_unaligned(value),
                RelocKind::Rel4 => {
                    (field as *mut i32).write_unaligned(i32::try_from(value - field as i64).expect("in reach"));
                }
            }
        }
    }
    m.compiled.store(at as *mut (), Ordering::Release);
}

/// A thread that never meets another one.
struct Alone(MonitorThread);
// SAFETY: the one state of the one thread.
unsafe impl Park for &Alone {
    fn monitor_thread(&self) -> &MonitorThread {
        &self.0
    }
    fn before_block(&self, _: Block) {}
    fn after_block(&self) {}
    fn is_interrupted(&self) -> bool {
        false
    }
    fn clear_interrupt(&self) {}
}
struct Word(monitors::AtomicU32);
// SAFETY: the word stays where it is.
unsafe impl ObjectRef for &Word {
    fn lock_word(&self) -> *const monitors::AtomicU32 {
        &self.0
    }
    fn address(&self) -> u64 {
        std::ptr::from_ref(*self) as u64
    }
}
/// A thread's state in the monitors room, with free records at hand: the row is never needed.
fn monitor_state() -> &'static MonitorThread {
    let table = MonitorTable::reserve(monitors::Options::default()).expect("records");
    // SAFETY: used by this thread alone, with objects of this table alone.
    let alone: &'static Alone = Box::leak(Box::new(Alone(unsafe { MonitorThread::new(&table, 1) })));
    let word = Word(monitors::AtomicU32::new(0));
    monitors::enter(&alone, &&word);
    alone.0.exit(&word.0, (&word).address()).expect("the owner");
    &alone.0
}

/// A thread block with room to allocate.
pub fn thread() -> &'static Thread {
    let t: &'static Thread = Box::leak(Thread::new_boxed());
    let heap = map(0x4_0000_0000, 64 << 20, libc::PROT_READ | libc::PROT_WRITE);
    t.bump.set(Box::leak(Box::new([heap, heap + (64 << 20)])));
    t.monitor.store(std::ptr::from_ref(monitor_state()).cast_mut().cast(), Ordering::Release);
    t
}

/// Calls a method without arguments that gives a long.
pub fn call(th: &Thread, m: MethodRef) -> i64 {
    let (entry, out): (_, i64) = (m.compiled.load(Ordering::Acquire), 0);
    let mut result = out;
    // SAFETY: the code keeps callee-saved registers; r15 is the thread block.
    unsafe {
        std::arch::asm!(
            "push r15", "push rbp", "mov rbp, rsp", "and rsp, -16", "mov r15, {th}", "call {f}", "mov rsp, rbp", "pop rbp", "pop r15",
            th = in(reg) th as *const Thread, f = in(reg) entry, in("rdi") m as *const Method, lateout("rax") result,
            clobber_abi("sysv64"));
    }
    result += 0;
    result
}
