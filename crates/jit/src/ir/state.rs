//! Frame states: how the interpreter's frames look at a point of the code.
//!
//! Invariant: a state names, for every frame that is inlined at this point, method, bytecode index
//! and the values of all live locals, the operand stack and the monitors held; what is dead is
//! `None`. Long and double take two slots, of which the second is `None`. What no instruction defines is
//! a virtual object, which the innermost frame's state describes for all.
use super::Value;
use concord_contract::BasicType;
use concord_contract::class::ClassRef;
use concord_contract::method::MethodRef;

super::index_type!(/** A frame state. */ StateId "s");

/// How the innermost frame of a state is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// The instruction is executed (again); the stack is as before it.
    Reexecute,
    /// The instruction is complete; the stack is as behind it, result included.
    After,
    /// A frame that waits for the return of the frame inlined into it: the stack is that of the call
    /// without its arguments; the result will be pushed.
    Calling,
    /// The frame is being left (its monitor is given back before the return): nothing goes on here.
    Leaving,
}

/// Why code is left; for counting, and for the decision whether to compile again.
pub use concord_contract::compiled::DeoptReason as Reason;

/// An object that the code holds as the values of its fields; whoever leaves the code by the state makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Virtual {
    /// Stands for it in the state, and in the fields of others.
    pub name: Value,
    pub class: ClassRef,
    pub fields: Vec<VirtualField>,
}
/// A field that may not be zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VirtualField {
    pub offset: u32,
    pub ty: BasicType,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FrameState {
    pub method: MethodRef,
    pub bci: u16,
    pub resume: Resume,
    pub reason: Reason,
    /// By slot.
    pub locals: Vec<Option<Value>>,
    /// By slot, from the bottom.
    pub stack: Vec<Option<Value>>,
    /// Objects locked by this frame, outermost first.
    pub monitors: Vec<Value>,
    /// State of the frame that this one is inlined into.
    pub parent: Option<StateId>,
    /// Those that this frame or one outside of it names; none where the frame waits for another.
    pub objects: Vec<Virtual>,
}

impl FrameState {
    /// Values of the frame, and of the fields of its virtual objects.
    pub fn own_values(&self) -> impl Iterator<Item = Value> + '_ {
        let fields = self.objects.iter().flat_map(|o| &o.fields).map(|f| f.value);
        self.locals.iter().chain(&self.stack).flatten().copied().chain(self.monitors.iter().copied()).chain(fields)
    }
    pub fn for_each_value_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        self.locals.iter_mut().chain(&mut self.stack).flatten().for_each(&mut f);
        self.monitors.iter_mut().for_each(&mut f);
        self.objects.iter_mut().flat_map(|o| &mut o.fields).for_each(|x| f(&mut x.value));
    }
}
