//! Machine code of Java methods: what the compiler gives and the code cache installs.
//!
//! Invariant: everything that happens at a call of compiled code is in the call's record: where the
//! live references are, which Java frames it stands for, and from which frame state the interpreter
//! could go on. Compiled code stores nothing of that itself.
//!
//! # Convention
//! System V with r15 = thread block. The first argument is the callee's `*const Method`, then the
//! Java arguments: boolean to int as i32, long i64, float f32, double f64, references as full
//! addresses. Result in rax or xmm0; results narrower than int are already narrowed. Callers go
//! through [`Method::compiled`](crate::Method), which is never null.
//!
//! A frame: `[rsp at a call .. rsp + span)` is the frame's own, at `rsp + span` is the return
//! address, and `rsp + span + 8` is the caller's rsp at its call. All live references are in their
//! slots at a call; after it they are read from there again.
//!
//! An OSR entry has the arguments `(method, locals: *const u64, monitors: *const u64)`: the locals
//! of the interpreter frame in its representation, and the objects it has locked, outermost first;
//! both are read before the first call. Result as above.
use crate::BasicType;
use crate::class::ClassRef;
use crate::method::{Method, MethodRef};
use crate::rows::Row;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};

/// What code counts while it runs, by HotSpot's number for such code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CompLevel {
    /// Nothing.
    #[default]
    Plain = 1,
    /// Entries and jumps back.
    Counting = 2,
    /// All that warm code of the interpreter counts, too.
    Profiling = 3,
}

/// What is to be compiled.
#[derive(Clone, Copy, Debug)]
pub struct CompileRequest {
    pub method: MethodRef,
    /// The bytecode index of a loop header to be entered from the interpreter.
    pub osr_bci: Option<u16>,
    /// Position in the sequence of compilations.
    pub id: u32,
    /// Traps of this method that fired so often that the instruction is to throw by itself, or to
    /// call, instead of leaving the code: (bci, reason).
    pub hot_traps: &'static [(u16, DeoptReason)],
    /// What the code is to count.
    pub level: CompLevel,
    pub record: Record,
    /// The code is shown on standard output (`-XX:CompileCommand=print`).
    pub print: bool,
}

impl CompileRequest {
    /// The whole method by code that counts nothing; nothing is kept or shown of it.
    pub const fn plain(method: MethodRef, id: u32) -> CompileRequest {
        CompileRequest {
            method,
            osr_bci: None,
            id,
            hot_traps: &[],
            level: CompLevel::Plain,
            record: Record::Nothing,
            print: false,
        }
    }
}

/// What is kept of a compilation, to repeat it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Record {
    #[default]
    Nothing,
    /// In memory, for the report if the compiler crashes.
    Memory,
    /// In a file.
    File,
}

/// Why a method was not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bailout {
    /// Never will be: the compiler lacks something, named here.
    Unsupported(String),
    /// May be later: something is not loaded or initialized yet.
    Later(String),
}

/// The compiler; set once, at boot.
pub trait Compiler: Sync {
    /// # Errors
    /// Why there is no code.
    fn compile(&self, request: &CompileRequest) -> Result<CompiledCode, Bailout>;
}

/// The finished translation of a method.
#[derive(Clone, Debug, Default)]
pub struct CompiledCode {
    pub bytes: Vec<u8>,
    /// A power of two.
    pub align: u32,
    pub relocs: Vec<Reloc>,
    /// Bytes from rsp at a call to the frame's return address.
    pub frame_span: u32,
    /// By ascending return offset.
    pub calls: Vec<CallRecord>,
    /// Where the stubs return that are called with kind [`CallKind::Husk`]: the return offset of one of these calls, 0 if there
    /// is none. What stands behind the others is never executed.
    pub way_out: u32,
    /// Ascending: from this offset on, code is on its way to what the call with this return offset is
    /// there for, whether or not it is made.
    pub places: Vec<(u32, u32)>,
    /// Named by their index.
    pub states: Vec<FrameState>,
    pub dependencies: Vec<Dependency>,
    /// Classes whose addresses stand in the code.
    pub classes: Vec<ClassRef>,
    pub inlined_bytes: u32,
    /// Methods whose bodies stand in the code; also those of which no frame can be seen in it.
    pub inlined: Vec<MethodRef>,
    /// The machine code for people, if the request asks for it.
    pub listing: Option<String>,
    /// How many monitors the interpreter frame holds that on-stack replacement code takes over.
    pub osr_monitors: u16,
    pub timings: Timings,
}

/// Microseconds of compilation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    pub frontend: u32,
    pub passes: u32,
    pub backend: u32,
}

/// A field of the code that gets an address when the code is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reloc {
    pub offset: u32,
    pub kind: RelocKind,
    pub target: RelocTarget,
    pub addend: i64,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelocKind {
    /// 8 bytes, absolute.
    Abs8,
    /// 4 bytes, relative to the field's own address; the target is in the code area.
    Rel4,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelocTarget {
    Row(Row),
    /// This offset of the code itself.
    Code(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CallKind {
    /// The frame goes on when the call returns.
    #[default]
    Live,
    /// A call of a stub that takes the frame's values away: the frame is no Java frame any more and
    /// holds no live reference. The number is that of its state in [`CompiledCode::states`].
    Husk(u32),
}

/// One call instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallRecord {
    /// Offset of the instruction behind the call.
    pub return_offset: u32,
    /// Offsets from rsp at the call of the slots (8 bytes) that hold live references or null.
    pub refs: Vec<u32>,
    /// The Java frames, innermost first, with the bytecode index of the instruction.
    pub sites: Vec<(MethodRef, u16)>,
    /// For each monitor that the Java frames hold, outermost frame and monitor first: the index in
    /// `sites` and the slot of the object. Thread dumps read it.
    pub monitors: Vec<(u16, u32)>,
    pub kind: CallKind,
}

/// What a value of a frame state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Dead or undefined, or the second slot of a long or double.
    None,
    /// In the frame's slot at this offset from rsp at the stub call; narrow ones in its lower half.
    Slot(u32, ValueType),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
    Null,
    /// The virtual object of the state with this number.
    Virtual(u16),
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    Int,
    Long,
    Float,
    Double,
    Ref,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Resume {
    /// The instruction at `bci` is executed again.
    #[default]
    Reexecute,
    /// The instruction at `bci` has been executed, its result is on the operand stack. Handlers
    /// are searched, and traces made, for `bci`.
    After,
}

/// One Java frame of a frame state. Locals and operand stack are in slots; a long or double is in
/// the lower of its two. In a caller, `bci` is its call instruction, whose arguments are not on the
/// operand stack any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameDesc {
    pub method: MethodRef,
    pub bci: u16,
    pub locals: Vec<Value>,
    pub stack: Vec<Value>,
    /// Locked objects, outermost first, a synchronized method's own at the front.
    pub monitors: Vec<Value>,
}

/// An object that the code holds as the values of its fields: it is made when the code is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualObject {
    pub class: ClassRef,
    /// Offset, type and value of those that may not be zero.
    pub fields: Vec<(u32, BasicType, Value)>,
}

/// From where the interpreter can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameState {
    /// Outermost first.
    pub frames: Vec<FrameDesc>,
    /// Of the innermost frame; callers are always `After` without a result.
    pub resume: Resume,
    pub reason: DeoptReason,
    /// Those that the frames' values and the fields of others name.
    pub objects: Vec<VirtualObject>,
}

impl FrameState {
    /// All values of the frames, and of the fields of virtual objects.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        let frames = self.frames.iter().flat_map(|f| f.locals.iter().chain(&f.stack).chain(&f.monitors));
        frames.chain(self.objects.iter().flat_map(|o| &o.fields).map(|f| &f.2))
    }
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        let frames =
            self.frames.iter_mut().flat_map(|f| f.locals.iter_mut().chain(&mut f.stack).chain(&mut f.monitors));
        frames.chain(self.objects.iter_mut().flat_map(|o| &mut o.fields).map(|f| &mut f.2))
    }
}

/// Why compiled code gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum DeoptReason {
    /// Exception, or invalidated code, after a call.
    AfterCall,
    NullCheck,
    Bounds,
    DivByZero,
    NegativeSize,
    ClassCast,
    ArrayStore,
    /// An explicit throw.
    Throw,
    /// A constant-pool entry was not resolved when the code was made.
    Unresolved,
    /// A class was not initialized when the code was made.
    Uninitialized,
    /// A class or type assumption.
    ClassCheck,
    /// A receiver of another class than all before.
    Receiver,
    /// A branch that had never been taken.
    Untaken,
    /// What the compiler does not do.
    Unsupported,
    /// None by which code is left: a publication took long, so that others may have waited for a stop.
    Publication,
}
impl DeoptReason {
    pub const ALL: [DeoptReason; 15] = [
        DeoptReason::AfterCall,
        DeoptReason::NullCheck,
        DeoptReason::Bounds,
        DeoptReason::DivByZero,
        DeoptReason::NegativeSize,
        DeoptReason::ClassCast,
        DeoptReason::ArrayStore,
        DeoptReason::Throw,
        DeoptReason::Unresolved,
        DeoptReason::Uninitialized,
        DeoptReason::ClassCheck,
        DeoptReason::Receiver,
        DeoptReason::Untaken,
        DeoptReason::Unsupported,
        DeoptReason::Publication,
    ];
    /// Whether the trap stands for an exception that the program may throw again and again.
    pub fn is_exception(self) -> bool {
        use DeoptReason::*;
        matches!(self, NullCheck | Bounds | DivByZero | NegativeSize | ClassCast | ArrayStore | Throw)
    }
}

/// Guards until the next one that fails for no reason (`-XX:ConcordZealGuard`).
pub static GUARDS_LEFT: AtomicI64 = AtomicI64::new(0);

/// A fact that the code relies on and that loading a class, a new target of a call site or what becomes of objects may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dependency {
    /// The class has no subclass; for an interface: no implementor.
    NoSubclass(ClassRef),
    /// In the class and all its subclasses, this method is what a virtual call of it selects.
    UniqueTarget(ClassRef, MethodRef),
    /// The abstract class or interface has this one concrete subclass.
    UniqueConcrete(ClassRef, ClassRef),
    /// The call site that has this number keeps its target.
    Target(u32),
    /// It is worth while that the class's objects are LOCAL: the code makes some. Right it is in any case.
    BornLocal(ClassRef),
}

/// The compiled entry of methods that have no compiled code: goes to the interpreter.
static TO_INTERPRETER: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Sets the entry of methods without compiled code; once, before the first method exists.
pub fn set_to_interpreter(entry: *mut ()) {
    TO_INTERPRETER.store(entry, Ordering::Release)
}
/// The entry of methods without compiled code; null if nothing is ever compiled.
pub fn to_interpreter() -> *mut () {
    TO_INTERPRETER.load(Ordering::Acquire)
}

/// Byte offsets that compiled code and stubs use.
pub mod offset {
    use super::Method;
    use crate::class::Class;
    use crate::thread::Thread;
    use std::mem::offset_of;

    pub const METHOD_COMPILED: i32 = offset_of!(Method, compiled) as i32;
    pub const METHOD_CLASS: i32 = offset_of!(Method, class) as i32;
    pub const METHOD_ITABLE_INDEX: i32 = offset_of!(Method, itable_index) as i32;
    pub const METHOD_ENTRY: i32 = offset_of!(Method, entry) as i32;
    pub const TH_POLL: i32 = offset_of!(Thread, poll) as i32;
    pub const TH_WATERMARK: i32 = offset_of!(Thread, watermark) as i32;
    pub const TH_NATIVE_LIMIT: i32 = offset_of!(Thread, native_limit) as i32;
    pub const TH_NATIVE_GUARD: i32 = offset_of!(Thread, native_guard) as i32;
    pub const TH_RESULT: i32 = offset_of!(Thread, result) as i32;
    pub const TH_EXCEPTION: i32 = offset_of!(Thread, exception) as i32;
    pub const TH_JAVA_THREAD: i32 = offset_of!(Thread, java_thread) as i32;
    pub const TH_STRIPE: i32 = offset_of!(Thread, stripe) as i32;
    /// Address of the pair [cursor, limit] of the bump allocator.
    pub const TH_BUMP: i32 = offset_of!(Thread, bump) as i32;
    /// Address of the thread's state in the monitors room.
    pub const TH_MONITOR: i32 = offset_of!(Thread, monitor) as i32;
    pub const TH_ANCHOR_SP: i32 = offset_of!(Thread, anchor_sp) as i32;
    pub const CLASS_LAYOUT_ID: i32 = offset_of!(Class, layout_id) as i32;
    pub const CLASS_STATE: i32 = offset_of!(Class, state) as i32;
    pub const CLASS_DISPLAY: i32 = offset_of!(Class, display) as i32;
    pub const CLASS_FLAGS: i32 = offset_of!(Class, flags) as i32;
    /// Map and table of [`crate::supers`].
    pub const CLASS_SUPER_MAP: i32 = (offset_of!(Class, supers) + offset_of!(crate::supers::Supers, map)) as i32;
    pub const CLASS_SUPER_TABLE: i32 = (offset_of!(Class, supers) + offset_of!(crate::supers::Supers, table)) as i32;
    pub const SUPER_CLASS: i32 = offset_of!(crate::supers::SuperEntry, class) as i32;
    pub const SUPER_METHODS: i32 = offset_of!(crate::supers::SuperEntry, methods) as i32;
    pub const CLASS_PLACE: i32 = offset_of!(Class, place) as i32;
    pub const CLASS_COMPONENT: i32 = offset_of!(Class, component) as i32;
    pub const CLASS_DEPTH: i32 = offset_of!(Class, depth) as i32;
    pub const CLASS_VTABLE: i32 = Class::vtable_offset() as i32;
}
