//! What a compiler asks about the program: the constant pool without resolving anything, class
//! hierarchy, profiles, and the fixed addresses of the VM.
//!
//! Invariant: no question has an effect that Java code could see: nothing is loaded, resolved,
//! linked or initialized. `None` means "not yet": the compiler leaves the code there and lets the
//! interpreter resolve. What may change later is a dependency of the code that the answer is built
//! into ([`Dependency`]).
use crate::class::{Birth, Class, ClassRef};
use crate::compiled::Dependency;
use crate::constant_objects::{KnownObject, ObjectPath};
use crate::entries::ResolvedField;
use crate::method::{CallKind, INLINING, MethodRef};
use crate::object::BasicType;
use crate::profile::{Counters, MethodProfile};
use std::mem::offset_of;
use std::sync::atomic::Ordering;

/// What a call instruction calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallAnswer {
    pub method: MethodRef,
    pub kind: CallKind,
    /// Index in vtable or itable, by kind.
    pub index: u32,
    /// The interface of an interface call.
    pub interface: Option<ClassRef>,
    /// Class by which the instruction names the method: receivers are of it.
    pub named: Option<ClassRef>,
    /// Interface that receivers must implement, where the selection does not show it.
    pub requested: Option<ClassRef>,
    /// `Handle`: address of the root word with the appendix, if the adapter takes one.
    pub appendix: Option<usize>,
}

/// A constant of `ldc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantAnswer {
    /// As bits of a slot.
    Prim(BasicType, u64),
    /// Address of the root word with the object.
    Root(usize),
    Null,
}

/// Addresses and offsets that do not change while the VM runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct VmLayout {
    /// Base of the table from layout id to class.
    pub class_table: usize,
    /// Address of the byte with the unlog bit of address 0; 0 without a barrier.
    pub unlog_table: usize,
    /// Objects up to this size are allocated by bumping the pointer.
    pub max_bump: usize,
    /// Where in the thread block the pair [cursor, limit] is; 0 if it is where `Thread::bump` says.
    pub bump_at: u32,
    /// Monitors are left with a fence: the kernel has no `membarrier`.
    pub fenced_monitors: bool,
    /// Exits in a row, with nobody else interested, after which a monitor's record is given up.
    pub quiet_exits: u8,
    /// Address of a 64-bit number that every guard counts down, and fails where it is not positive any
    /// more; 0 if guards fail by their condition alone.
    pub guards_left: usize,
    /// Stores and fences are counted (`-XX:+PrintConcordStatistics`).
    pub counting: bool,
    /// Code tells the place of every instruction, not of calls alone (`-XX:+DebugNonSafepoints`, or tools that are
    /// told of compiled methods).
    pub places: bool,
}

/// The questions.
pub trait CompilationEnv {
    /// The field that an access instruction (178..=181) names; of a static field's class only if
    /// accesses need no initialization check.
    fn field(&self, m: MethodRef, cp: u16, opcode: u8) -> Option<ResolvedField>;
    /// The target of a call instruction (182..=186) at `bci`; of a static method only if its class
    /// is initialized.
    fn call(&self, m: MethodRef, bci: u16, cp: u16, opcode: u8) -> Option<CallAnswer>;
    /// The class at a constant.
    fn class(&self, m: MethodRef, cp: u16) -> Option<ClassRef>;
    /// The class of arrays of the class at a constant.
    fn array_of(&self, m: MethodRef, cp: u16) -> Option<ClassRef>;
    /// The class of arrays of a primitive type.
    fn primitive_array(&self, ty: BasicType) -> Option<ClassRef>;
    /// The class of arrays of a class, if there is one yet.
    fn array_class(&self, _of: ClassRef) -> Option<ClassRef> {
        None
    }
    fn constant(&self, m: MethodRef, cp: u16) -> Option<ConstantAnswer>;
    /// The value of a static field, as bits of a slot, if no Java code changes it any more; of a
    /// reference only whether it is null (0) or not.
    fn static_value(&self, _f: &ResolvedField) -> Option<u64> {
        None
    }
    /// What is known of the object at the end of the path; None if it cannot be looked at now.
    fn object(&self, _at: &ObjectPath) -> Option<KnownObject> {
        None
    }
    /// What the object at the end of the path has at an offset, as bits of a slot; of a reference only whether it is null (0) or
    /// not. The caller knows that it stays.
    fn word(&self, _at: &ObjectPath, _offset: u32, _ty: BasicType) -> Option<u64> {
        None
    }
    /// Whether two paths lead to one object.
    fn same_object(&self, _a: &ObjectPath, _b: &ObjectPath) -> Option<bool> {
        None
    }
    /// Whether the object at the end of the path is an instance of the class.
    fn is_instance(&self, _at: &ObjectPath, _class: ClassRef) -> Option<bool> {
        None
    }
    /// The number by which code may depend on the target of the call site at the end of the path ([`Dependency::Target`]), which
    /// is not null; None if it changes too often.
    fn call_site(&self, _at: &ObjectPath) -> Option<u32> {
        None
    }
    /// Whether `new` of the class needs neither initialization nor a check, in code of `m`.
    fn can_instantiate(&self, m: MethodRef, class: ClassRef) -> bool;
    /// How the code is to make objects of the class: for the better ([`Dependency::BornLocal`]).
    fn birth(&self, class: ClassRef) -> Birth {
        class.birth_in_code()
    }
    /// The only method that a virtual or interface call can select now, and what that rests on.
    fn unique_target(&self, call: &CallAnswer) -> Option<(MethodRef, Dependency)>;
    /// The method that a virtual or interface call selects for an object of exactly this class; None if the call does not
    /// succeed there, or the class is none that the call can have.
    fn target_in(&self, call: &CallAnswer, class: ClassRef) -> Option<MethodRef>;
    /// Which bits of [`INLINING`] hold for `m` in code that is made for `root`: its own, unless the user asks otherwise for that
    /// code.
    fn inlining(&self, _root: MethodRef, m: MethodRef) -> u32 {
        m.flags.load(Ordering::Relaxed) & INLINING
    }
    fn layout(&self) -> VmLayout;
    /// What running code has shown of `m`; None if nothing yet.
    fn profile(&self, _m: MethodRef) -> Option<MethodProfile> {
        None
    }
    /// Where code of `m` is to count what it does; None if `m` never ran or nothing is profiled.
    fn counters(&self, _m: MethodRef) -> Option<Counters> {
        None
    }

    // What stands in code as a number. A compiler takes these from here and not from the references
    // themselves, so that a recorded compilation can be repeated where nothing lies at these places.

    /// The address of a class.
    fn class_address(&self, c: ClassRef) -> usize {
        std::ptr::from_ref(c) as usize
    }
    /// The address of a method.
    fn method_address(&self, m: MethodRef) -> usize {
        std::ptr::from_ref(m) as usize
    }
    /// The address of the object with a class's static fields; of use if it never moves.
    fn statics_address(&self, c: ClassRef) -> usize {
        c.statics.get().addr()
    }
    /// The address of the root word with the object with a class's static fields.
    fn statics_root(&self, c: ClassRef) -> usize {
        self.class_address(c) + offset_of!(Class, statics)
    }
    /// The address of the root word with the class's java.lang.Class object.
    fn mirror_root(&self, c: ClassRef) -> usize {
        self.class_address(c) + offset_of!(Class, mirror)
    }
}
