//! The runtime's own part of classes, methods and fields.
//!
//! Invariant: a `ClassInfo` is complete (but for what its `OnceLock`s and locks hold) before its
//! class is published in a loader's dictionary; it lives as long as the class.
use crate::loader::Loader;
use concord_base::Symbol;
use concord_classfile::ClassFile;
use concord_contract::class::{Root, flags};
use concord_contract::method::{acc, mflags};
use concord_contract::{BasicType, Class, ClassRef, Method, MethodRef, Obj};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};

/// A declared field. `jfieldID` is its address.
pub struct FieldInfo {
    pub class: ClassRef,
    pub name: Symbol,
    pub descriptor: Symbol,
    /// Access flags (low 16 bits); [`FIELD_STABLE`] and the like above.
    pub flags: u32,
    pub ty: BasicType,
    /// See [`FieldInfo::offset`]; changes at stops only ([`crate::relayout`]).
    pub(crate) offset: AtomicU32,
    /// Was found to be contended, and is kept apart from all others.
    pub(crate) apart: AtomicBool,
    /// Position in the class file: reflection's "slot".
    pub index: u16,
    /// Constant-pool index of the ConstantValue attribute, or 0.
    pub constant_value: u16,
    pub signature: Option<Symbol>,
    pub annotations: Option<&'static [u8]>,
    pub type_annotations: Option<&'static [u8]>,
}

pub const FIELD_STABLE: u32 = 1 << 16;
pub const FIELD_CONTENDED: u32 = 1 << 17;
/// Not in the class file: added by the VM.
pub const FIELD_INJECTED: u32 = 1 << 18;
pub const FIELD_RELAXED: u32 = 1 << 19;

impl FieldInfo {
    pub fn is_static(&self) -> bool {
        self.flags & acc::STATIC != 0
    }
    pub fn is_final(&self) -> bool {
        self.flags & acc::FINAL != 0
    }
    pub fn is_volatile(&self) -> bool {
        self.flags & acc::VOLATILE != 0
    }
    pub fn access(&self) -> u16 {
        self.flags as u16
    }
    /// Byte offset in instances, or in the class's statics object. It holds until the next safepoint, and for ever once
    /// [`FieldInfo::pinned_offset`] has given it to somebody.
    #[inline]
    pub fn offset(&self) -> u32 {
        self.offset.load(Ordering::Relaxed)
    }
    /// The offset for someone who keeps it: the class stays as it is laid out from now on. Called where no stop can lie
    /// between this and the giving.
    pub fn pinned_offset(&self) -> u32 {
        self.offset_with(if self.is_static() { flags::STATICS_OUT } else { flags::OFFSETS_OUT })
    }
    /// The offset for an object that is corrected at a relayout ([`crate::relayout::holders`]); of a static field as
    /// [`FieldInfo::pinned_offset`].
    pub fn held_offset(&self) -> u32 {
        self.offset_with(if self.is_static() { flags::STATICS_OUT } else { flags::OFFSETS_HELD })
    }
    fn offset_with(&self, out: u32) -> u32 {
        if !self.class.has_flag(out) {
            self.class.flags.fetch_or(out, Ordering::Relaxed);
        }
        self.offset()
    }
    /// Whether the field is kept apart from all others because it was found to be contended ([`crate::apart`]).
    pub fn is_apart(&self) -> bool {
        self.apart.load(Ordering::Relaxed)
    }
    /// The object and offset at which a static field lives.
    pub fn static_cell(&self) -> (Obj, usize) {
        (self.class.statics.get(), self.offset() as usize)
    }
}

/// What the class file says of a method beyond what engines read.
pub struct MethodInfo {
    /// None for methods that the VM made.
    pub parsed: Option<&'static concord_classfile::MethodInfo<'static>>,
    /// The descriptor's parameter types.
    pub params: Box<[BasicType]>,
    /// The critical twin of the method's JNI function (`native::critical`), or null.
    pub critical: AtomicPtr<()>,
    /// Of a deleted method, what it was: an id that native code has still calls that.
    pub last: Option<MethodRef>,
    /// Maps for the collector, made on demand.
    pub oop_maps: OnceLock<Box<concord_classfile::oopmap::MethodMaps>>,
}

/// State that the initialization protocol (JVMS 5.5) waits on.
#[derive(Default)]
pub struct InitLock {
    pub lock: Mutex<()>,
    pub changed: Condvar,
}

/// What a class that can be unloaded keeps outside the heap; given back with it. Empty for others,
/// whose possessions live for ever.
#[derive(Default)]
pub struct Owned {
    /// Appendices of call sites, mirrors of their adapters' classes, causes of kept failures.
    pub roots: Mutex<Vec<Box<Root>>>,
    /// Addresses of the constant-pool-cache words that hold references.
    pub constants: Mutex<Vec<usize>>,
    /// Addresses of call sites, boxed.
    pub sites: Mutex<Vec<usize>>,
    /// Methods that only this class's tables name.
    pub methods: Mutex<Vec<MethodRef>>,
    /// Bytes of memory, as `metaspace` counts them; also of classes that live for ever.
    pub bytes: AtomicUsize,
}

impl Owned {
    /// Moves all of it to another owner.
    pub fn take(&self) -> Owned {
        fn all<T: Default>(m: &Mutex<T>) -> Mutex<T> {
            Mutex::new(std::mem::take(&mut *m.lock().expect("what a class owns")))
        }
        Owned {
            roots: all(&self.roots),
            constants: all(&self.constants),
            sites: all(&self.sites),
            methods: all(&self.methods),
            bytes: AtomicUsize::new(self.bytes.swap(0, Ordering::Relaxed)),
        }
    }
}

pub struct ClassInfo {
    pub loader: &'static Loader,
    /// The parsed class file: constants, attributes, bytecodes are slices of its bytes.
    pub file: &'static ClassFile<'static>,
    pub fields: Box<[FieldInfo]>,
    pub methods: Box<[MethodRef]>,
    /// Methods that redefinitions have deleted: those who know one throw, until the class has it again.
    pub deleted: Box<[MethodRef]>,
    /// Direct superinterfaces in class-file order.
    pub interfaces: Box<[ClassRef]>,
    /// `java/lang`, empty for the unnamed package.
    pub package: Symbol,
    /// Nest host, once validated; hidden nestmates get theirs at definition.
    pub nest_host: OnceLock<ClassRef>,
    /// Shared by all versions of the class.
    pub init: Arc<InitLock>,
    /// What tells of a failed initialization: the cause of later NoClassDefFoundErrors.
    pub init_error: Mutex<Option<&'static Root>>,
    /// Where the class came from, for `-Xlog:class+load`.
    pub source: Option<String>,
    /// Bytes used by the instance fields up to here: where subclasses go on.
    pub fields_end: AtomicU32,
    /// Padding in front of and behind the class's own fields: `@Contended`, or its objects' headers were found to be contended.
    pub padded: AtomicBool,
    /// The bytes from which agents that can be asked again started, if they changed them.
    pub original: Option<&'static [u8]>,
    /// The class of which this is an old version, kept for the frames that still run it.
    pub version_of: Option<ClassRef>,
    /// Name that a hidden class had in its class file (no suffix); else the class's name.
    pub self_name: Symbol,
    /// The declared methods' memory: one block.
    pub method_block: &'static [Method],
    /// The class file's bytes are a box of this class's own.
    pub owns_bytes: bool,
    pub owned: Owned,
    /// A hidden class that its loader does not keep.
    pub weak: bool,
    /// Layout of the statics object, once there is one.
    pub statics_layout: AtomicU32,
}

impl ClassInfo {
    /// Entries of the constant-pool cache: constants, then invokedynamic sites.
    pub fn cache_len(&self) -> usize {
        self.constants().len() + self.methods.iter().map(|m| m.indy_sites.len()).sum::<usize>()
    }
    pub fn constants(&self) -> &'static concord_classfile::ConstantPool<'static> {
        &self.file.constants
    }
    /// The Utf8 at `i` as a symbol.
    pub fn symbol(&self, i: u16) -> Symbol {
        Symbol::intern(self.file.constants.utf8(i))
    }
    pub fn source_file(&self) -> Option<Symbol> {
        self.file.source_file.map(|i| self.symbol(i))
    }
    pub fn signature(&self) -> Option<Symbol> {
        self.file.signature.map(|i| self.symbol(i))
    }
}

/// What the runtime and the natives ask of a class.
pub trait ClassExt {
    fn info(&self) -> &'static ClassInfo;
    fn loader(&self) -> &'static Loader;
    fn declared_fields(&self) -> &'static [FieldInfo];
    fn declared_methods(&self) -> &'static [MethodRef];
    /// The declared method with that index, which reflection calls its slot; none if it was deleted.
    fn method_in_slot(&self, slot: i32) -> Option<MethodRef>;
    /// Declared method by name and descriptor.
    fn declared_method(&self, name: Symbol, descriptor: Symbol) -> Option<MethodRef>;
    fn declared_field(&self, name: Symbol, descriptor: Symbol) -> Option<&'static FieldInfo>;
    /// Field by JVMS 5.4.3.2: this class, superinterfaces, superclass.
    fn find_field(&self, name: Symbol, descriptor: Symbol) -> Option<&'static FieldInfo>;
    /// Method in the class chain, then in superinterfaces (JVMS 5.4.3.3, without access checks).
    fn find_method(&self, name: Symbol, descriptor: Symbol) -> Option<MethodRef>;
    fn is_hidden(&self) -> bool;
    /// `java.lang.String`, `[I`, `X$$Lambda$1/0x...`.
    fn external_name(&self) -> String;
    fn same_package(&self, other: &Class) -> bool;
}

impl ClassExt for Class {
    fn info(&self) -> &'static ClassInfo {
        let p = RawInfo::info(self);
        debug_assert!(!p.is_null(), "{} has no runtime part", self.name);
        // SAFETY: `define` stores a leaked ClassInfo before it publishes the class.
        unsafe { &*p }
    }
    fn loader(&self) -> &'static Loader {
        match self.component {
            Some(c) => {
                let mut e = c;
                while let Some(k) = e.component {
                    e = k;
                }
                if e.is_primitive() { crate::loader::boot() } else { ClassExt::loader(e) }
            }
            None if self.is_primitive() => crate::loader::boot(),
            None => ClassExt::info(self).loader,
        }
    }
    fn declared_fields(&self) -> &'static [FieldInfo] {
        if self.is_instance_class() { &ClassExt::info(self).fields } else { &[] }
    }
    fn declared_methods(&self) -> &'static [MethodRef] {
        if self.is_instance_class() { &ClassExt::info(self).methods } else { &[] }
    }
    fn method_in_slot(&self, slot: i32) -> Option<MethodRef> {
        let all = self.declared_methods();
        let fits = |m: &&MethodRef| i32::from(m.index) == slot;
        // Unless methods were deleted, place and index are the same.
        all.get(slot as usize).filter(fits).or_else(|| all.iter().find(fits)).copied()
    }
    fn declared_method(&self, name: Symbol, descriptor: Symbol) -> Option<MethodRef> {
        self.declared_methods().iter().find(|m| m.name == name && m.descriptor == descriptor).copied()
    }
    fn declared_field(&self, name: Symbol, descriptor: Symbol) -> Option<&'static FieldInfo> {
        self.declared_fields()
            .iter()
            .find(|f| f.name == name && f.descriptor == descriptor && f.flags & FIELD_INJECTED == 0)
    }
    fn find_field(&self, name: Symbol, descriptor: Symbol) -> Option<&'static FieldInfo> {
        if let Some(f) = self.declared_field(name, descriptor) {
            return Some(f);
        }
        if self.is_instance_class() {
            for i in ClassExt::info(self).interfaces.iter() {
                if let Some(f) = i.find_field(name, descriptor) {
                    return Some(f);
                }
            }
        }
        self.super_class.and_then(|s| s.find_field(name, descriptor))
    }
    fn find_method(&self, name: Symbol, descriptor: Symbol) -> Option<MethodRef> {
        crate::resolve::lookup_method(self, name, descriptor)
    }
    fn is_hidden(&self) -> bool {
        self.has_flag(flags::HIDDEN)
    }
    fn external_name(&self) -> String {
        crate::names::external(self)
    }
    fn same_package(&self, other: &Class) -> bool {
        fn of(c: &Class) -> &Class {
            let mut c = c;
            while let Some(k) = c.component {
                c = k;
            }
            c
        }
        let (a, b) = (of(self), of(other));
        if !a.is_instance_class() || !b.is_instance_class() {
            return true;
        }
        let (a, b) = (ClassExt::info(a), ClassExt::info(b));
        std::ptr::eq(a.loader, b.loader) && a.package == b.package
    }
}

/// The raw pointer behind [`ClassExt::info`].
trait RawInfo {
    fn info(&self) -> *const ClassInfo;
}
impl RawInfo for Class {
    fn info(&self) -> *const ClassInfo {
        self.info.load(Ordering::Acquire) as *const ClassInfo
    }
}

pub trait MethodExt {
    fn info(&self) -> &'static MethodInfo;
    /// Line of the instruction at `bci`, or -1.
    fn line_at(&self, bci: u16) -> i32;
    /// `java.lang.String.length()` with external parameter types, as stack traces' error texts
    /// print methods: `int java.lang.String.length()`.
    fn external(&self) -> String;
    fn is_hidden_frame(&self) -> bool;
}

impl MethodExt for Method {
    fn info(&self) -> &'static MethodInfo {
        // SAFETY: `define` stores a leaked MethodInfo before it publishes the method.
        unsafe { &*(self.info.load(Ordering::Acquire) as *const MethodInfo) }
    }
    fn line_at(&self, bci: u16) -> i32 {
        let Some(code) = MethodExt::info(self).parsed.and_then(|p| p.code.as_ref()) else {
            return -1;
        };
        // Rows need not be sorted: the first row for bci itself decides, else the last of those with
        // the greatest start before it, as HotSpot reads the table.
        let mut best: Option<(u16, u16)> = None;
        for l in code.line_numbers.iter().filter(|l| l.start_pc <= bci) {
            if l.start_pc == bci {
                return l.line as i32;
            }
            if best.is_none_or(|b| l.start_pc >= b.0) {
                best = Some((l.start_pc, l.line));
            }
        }
        best.map_or(-1, |b| b.1 as i32)
    }
    fn external(&self) -> String {
        crate::names::method(self)
    }
    fn is_hidden_frame(&self) -> bool {
        self.has(mflags::HIDDEN) || self.class.has_flag(flags::HIDDEN)
    }
}
