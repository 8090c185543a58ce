//! The VM's mirror of a Java method, and what call sites resolve to.
//!
//! Invariant: a `Method` never moves; `entry` is always callable. The polymorphism of calls is in
//! `entry`: normal, first call (translates), synchronized, native, abstract, intrinsic, compiled.
use crate::JResult;
use crate::class::{Class, ClassRef};
use crate::object::BasicType;
use crate::thread::Thread;
use concord_base::Symbol;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

pub type MethodRef = &'static Method;

/// A native that the VM supplies itself. `args` are the Java stack slots of the call (receiver
/// first; long and double take two slots, value in the lower one; references are full addresses).
/// The result is the raw slot: int zero-extended, float as bits, double as bits, reference address.
/// Runs in the VM state with the callee's frame pushed; the slots stay roots until it returns, so
/// after anything that can collect, references must be read from `args` again or be in locals.
pub type VmNative = unsafe fn(&Thread, args: *const u64) -> JResult<u64>;

/// One row of a method's exception table, in byte offsets of the class file's code.
#[derive(Clone, Copy, Debug)]
pub struct ExceptionRow {
    pub start: u16,
    pub end: u16,
    pub handler: u16,
    /// Constant-pool index of the caught class, 0 for all.
    pub catch_type: u16,
}

/// JVMS access flags.
pub mod acc {
    pub const PUBLIC: u32 = 0x0001;
    pub const PRIVATE: u32 = 0x0002;
    pub const PROTECTED: u32 = 0x0004;
    pub const STATIC: u32 = 0x0008;
    pub const FINAL: u32 = 0x0010;
    pub const SYNCHRONIZED: u32 = 0x0020;
    pub const VOLATILE: u32 = 0x0040;
    pub const BRIDGE: u32 = 0x0040;
    pub const VARARGS: u32 = 0x0080;
    pub const TRANSIENT: u32 = 0x0080;
    pub const NATIVE: u32 = 0x0100;
    pub const INTERFACE: u32 = 0x0200;
    pub const ABSTRACT: u32 = 0x0400;
    pub const STRICT: u32 = 0x0800;
    pub const SYNTHETIC: u32 = 0x1000;
    pub const ANNOTATION: u32 = 0x2000;
    pub const ENUM: u32 = 0x4000;
}

/// Bits of [`Method::flags`] above the 16 access flags.
pub mod mflags {
    pub const CALLER_SENSITIVE: u32 = 1 << 16;
    pub const HIDDEN: u32 = 1 << 17;
    pub const FORCE_INLINE: u32 = 1 << 18;
    pub const DONT_INLINE: u32 = 1 << 19;
    pub const LAMBDA_FORM_COMPILED: u32 = 1 << 20;
    pub const SIGNATURE_POLYMORPHIC: u32 = 1 << 21;
    pub const RESERVED_STACK: u32 = 1 << 22;
    pub const INTRINSIC_CANDIDATE: u32 = 1 << 23;
    pub const SCOPED: u32 = 1 << 24;
    /// `<init>` of java.lang.Object: its return registers finalizable objects.
    pub const OBJECT_INIT: u32 = 1 << 25;
    /// Made by the VM for a method-handle intrinsic and a descriptor.
    pub const MH_INTRINSIC: u32 = 1 << 26;
    /// What super calls find in place of an abstract method that a class or interface with bodies inherits: it throws.
    pub const OVERPASS: u32 = 1 << 27;
    /// More than one default method is maximally specific: a call throws.
    pub const DEFAULT_CONFLICT: u32 = 1 << 28;
    pub const RELAXED: u32 = 1 << 29;
    /// Old version of a redefined method.
    pub const OBSOLETE: u32 = 1 << 30;
    /// Stands in an itable for a class method that is not public: a call throws.
    pub const NOT_PUBLIC: u32 = 1 << 31;
}
/// What is said of a method about its being compiled into its callers.
pub const INLINING: u32 = mflags::FORCE_INLINE | mflags::DONT_INLINE;
/// A method without a body that is old: one that a redefinition has deleted.
pub const DELETED: u32 = acc::ABSTRACT | mflags::OBSOLETE;

/// The signature-polymorphic methods that the engines execute themselves (contract sheet 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum MhIntrinsic {
    None,
    InvokeBasic,
    LinkToStatic,
    LinkToSpecial,
    LinkToVirtual,
    LinkToInterface,
    /// jdk.incubator.foreign only: calls the handle that is its first argument.
    LinkToNative,
}

#[repr(C)]
pub struct Method {
    /// Interpreter entry: a handler with the interpreter's calling convention.
    pub entry: AtomicPtr<()>,
    /// Entry with the convention of compiled code (see `compiled`): compiled code, or the adapter to
    /// the interpreter.
    pub compiled: AtomicPtr<()>,
    /// Translated words; null until the first call.
    pub code: AtomicPtr<u32>,
    /// Bytes of arguments on the Java stack, receiver included.
    pub nargs_bytes: u32,
    /// From the caller's stack top to the callee's stack base: other locals and frame header.
    pub frame_bytes: u32,
    pub max_stack_bytes: u32,
    /// Access flags (low 16 bits) and [`mflags`].
    pub flags: AtomicU32,
    pub class: ClassRef,
    /// JNI function (native methods), null until linked.
    pub native: AtomicPtr<()>,
    /// `VmNative` as an address, or null: takes precedence over `native`.
    pub vm_native: AtomicPtr<()>,
    /// Index into the vtable, or -1: not dispatched virtually (static, private, <init>, final
    /// methods that override nothing may still have one).
    pub vtable_index: AtomicU32,
    /// Index into the itable of the declaring interface, or `u32::MAX`.
    pub itable_index: AtomicU32,
    pub ret: BasicType,
    pub mh_intrinsic: MhIntrinsic,
    pub max_locals: u16,
    pub max_stack: u16,
    /// Position in the class's method table; JNI and reflection name methods by it ("slot").
    pub index: u16,
    pub name: Symbol,
    pub descriptor: Symbol,
    /// Class-file bytecode, pristine.
    pub bytecode: &'static [u8],
    pub exceptions: &'static [ExceptionRow],
    /// For methods that contain invokedynamic: (bci, constant-pool-cache index of the site),
    /// ascending by bci.
    pub indy_sites: &'static [(u16, u16)],
    /// Heat folded in from threads: the bits of [`HEAT_COUNT`]; the others belong to `entries::Tiers`.
    pub heat: AtomicU64,
    /// Interpreter's own per-method data (profile id, exception table in words, ...).
    pub engine: AtomicPtr<()>,
    /// The runtime's own part (`concord_runtime::MethodInfo`).
    pub info: AtomicPtr<()>,
}

/// The bits of [`Method::heat`] that count.
pub const HEAT_COUNT: u64 = (1 << 62) - 1;
/// No index in a vtable or itable.
pub const NO_INDEX: u32 = u32::MAX;

// SAFETY: everything mutable in a method is atomic.
unsafe impl Sync for Method {}
// SAFETY: as above.
unsafe impl Send for Method {}
impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for Method {}
impl std::hash::Hash for Method {
    fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
        std::ptr::hash(self, h)
    }
}
impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}{}", self.class.name, self.name, self.descriptor)
    }
}

impl Method {
    #[inline(always)]
    pub fn has(&self, bit: u32) -> bool {
        self.flags.load(Ordering::Relaxed) & bit != 0
    }
    pub fn access(&self) -> u16 {
        self.flags.load(Ordering::Relaxed) as u16
    }
    pub fn is_static(&self) -> bool {
        self.has(acc::STATIC)
    }
    pub fn is_native(&self) -> bool {
        self.has(acc::NATIVE)
    }
    pub fn is_abstract(&self) -> bool {
        self.has(acc::ABSTRACT)
    }
    /// Deleted by a redefinition: a call throws. What stood there still runs as an old version.
    pub fn is_deleted(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & DELETED == DELETED
    }
    pub fn is_synchronized(&self) -> bool {
        self.has(acc::SYNCHRONIZED)
    }
    /// Gets or sets one field or gives a constant, and does nothing else (HotSpot compiles such methods
    /// without counters).
    pub fn is_trivial(&self) -> bool {
        matches!(
            self.bytecode,
            // aload_0 getfield xreturn; aload_0 xload_1 putfield return
            [42, 180, _, _, 172..=176]
                | [42, 27 | 31 | 35 | 39 | 43, 181, _, _, 177]
                // xconst, bipush, sipush, ldc, ldc_w, ldc2_w and xreturn
                | [1..=15, 172..=176]
                | [16 | 18, _, 172..=176]
                | [17 | 19 | 20, _, _, 172..=176]
        )
    }
    pub fn is_private(&self) -> bool {
        self.has(acc::PRIVATE)
    }
    pub fn is_public(&self) -> bool {
        self.has(acc::PUBLIC)
    }
    pub fn is_init(&self) -> bool {
        self.name.as_bytes() == b"<init>"
    }
    pub fn is_clinit(&self) -> bool {
        self.name.as_bytes() == b"<clinit>"
    }
    pub fn nargs(&self) -> usize {
        self.nargs_bytes as usize / 8
    }
    pub fn vm_native(&self) -> Option<VmNative> {
        let p = self.vm_native.load(Ordering::Acquire);
        // SAFETY: only `set_vm_native` stores here.
        (!p.is_null()).then(|| unsafe { std::mem::transmute::<*mut (), VmNative>(p) })
    }
    pub fn set_vm_native(&self, f: VmNative) {
        self.vm_native.store(f as *mut (), Ordering::Release)
    }
    /// The invokedynamic site at `bci`, as a constant-pool-cache index.
    pub fn indy_site(&self, bci: u16) -> Option<u16> {
        let i = self.indy_sites.binary_search_by_key(&bci, |s| s.0).ok()?;
        Some(self.indy_sites[i].1)
    }
}

/// One entry of a class's constant-pool cache, indexed by constant-pool index (invokedynamic sites
/// have indices of their own behind). `a == 0` means unresolved; `b` is written before `a`.
///
/// | what the index names | a | b |
/// |---|---|---|
/// | static field | address of the cell | address of the statics object |
/// | method, invokedynamic site | `*const CallSite` | - |
/// | method, called without selection by the receiver | unchanged | `*const Method`, stored by the engine |
/// | String, MethodHandle, MethodType, Dynamic of reference type | address of the object, `1` for null | root: the collector updates `a` |
/// | class | `*const Class` | `*const Class` of its array class, or 0 |
#[repr(C)]
pub struct CpEntry {
    pub a: AtomicU64,
    pub b: AtomicU64,
}

/// What `a` holds for a dynamic constant that resolved to null.
pub const NULL_CONSTANT: u64 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum CallKind {
    /// Target known, no receiver.
    Static,
    /// Target known, receiver checked for null (invokespecial, final and private methods).
    Special,
    /// Target from the receiver's vtable at `index`.
    Virtual,
    /// Target from the receiver's itable of `interface` at `index`.
    Interface,
    /// invokedynamic, MethodHandle.invoke/invokeExact, VarHandle access: push the appendix, if
    /// any, then call the static adapter `method`.
    Handle,
}

/// An immutable record behind a resolved call instruction; never freed while code can name it.
#[repr(C)]
pub struct CallSite {
    pub method: MethodRef,
    /// Bytes of arguments that the instruction finds on the stack, receiver included, appendix not.
    pub nargs_bytes: u32,
    /// Index in vtable or itable, by kind.
    pub index: u32,
    pub interface: *const Class,
    pub kind: CallKind,
    /// What receivers must implement, where the selection does not show it: the interface that the instruction names, or
    /// the one whose code calls by invokespecial. Null for nothing.
    pub requested: *const Class,
    /// `Handle`: a root with the appendix object, or null when the adapter takes none.
    pub appendix: *const crate::class::Root,
}
// SAFETY: immutable; the appendix root is atomic.
unsafe impl Sync for CallSite {}
// SAFETY: as above.
unsafe impl Send for CallSite {}

/// Offsets of the fields through which `invokeBasic` and `linkTo*` find their target.
#[derive(Clone, Copy, Debug)]
pub struct MhOffsets {
    /// MethodHandle.form
    pub form: u32,
    /// LambdaForm.vmentry
    pub vmentry: u32,
    /// MemberName.method
    pub method: u32,
    /// ResolvedMethodName.vmtarget: the address of a [`Method`].
    pub vmtarget: u32,
    /// MemberName.vmindex
    pub vmindex: u32,
}
