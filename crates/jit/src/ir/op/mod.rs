//! Instructions and terminators.
//!
//! Invariant: what an instruction does follows from its `Op` alone.
mod operands;
mod properties;

pub use properties::Safepoint;

use super::{Block, StateId, Value};
use concord_contract::BasicType;
use concord_contract::class::{Birth, ClassRef};
use concord_contract::method::{CallKind, MethodRef};
use concord_contract::profile::{Cell, Rows};
use concord_contract::rows::Row;
use concord_memory_model::Mode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Integer division: the divisor is not zero.
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// Shifts: the right operand is an int, taken modulo the width.
    Shl,
    Shr,
    Ushr,
    /// The smaller or greater of two numbers: of signed integers, or as `Math.min` has it, where -0.0 is
    /// smaller than 0.0 and a NaN gives a NaN.
    Min,
    Max,
    /// The upper half of the product of two longs.
    MulHigh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    Neg,
    I2L,
    I2F,
    I2D,
    L2I,
    L2F,
    L2D,
    F2I,
    F2L,
    F2D,
    D2I,
    D2L,
    D2F,
    I2B,
    I2C,
    I2S,
    /// Keeps bit 0, as booleans are stored and returned.
    I2Z,
    Sqrt,
    /// Bits of a floating point number as a number, and back.
    FloatBits,
    BitsFloat,
    DoubleBits,
    BitsDouble,
    /// Of an int or long; the result is an int.
    LeadingZeros,
    TrailingZeros,
    BitCount,
    /// Without its sign; of an integer the smallest number stays.
    Abs,
    /// Of a double, to an integral double: towards minus and plus infinity, to the nearest (of two the
    /// even one).
    Floor,
    Ceil,
    Rint,
    /// Bytes of an int or long in the other order.
    ReverseBytes,
}

/// What an atomic operation makes of the old value and its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    Add,
    Set,
}

/// Conditions over ints, longs and (equality only) references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cond {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Cond {
    pub const fn negate(self) -> Cond {
        match self {
            Cond::Eq => Cond::Ne,
            Cond::Ne => Cond::Eq,
            Cond::Lt => Cond::Ge,
            Cond::Ge => Cond::Lt,
            Cond::Gt => Cond::Le,
            Cond::Le => Cond::Gt,
        }
    }
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Cond::Eq => a == b,
            Cond::Ne => a != b,
            Cond::Lt => a < b,
            Cond::Ge => a >= b,
            Cond::Gt => a > b,
            Cond::Le => a <= b,
        }
    }
}

/// A comparison of floating point numbers: the condition, and what it is when one is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FCond {
    pub cond: Cond,
    pub unordered: bool,
}

/// Type of a memory cell, and how its accesses are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mem {
    pub ty: BasicType,
    pub access: Access,
    /// Written once: it keeps what it has, be that a reference which is not null or a number. The second is said of fields
    /// only whose objects nobody sees before they are written.
    pub once: bool,
}

/// Class of memory that an access touches. The VM's own memory (headers, classes, the thread) has no
/// accesses here: what touches it is written by the back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Other threads may see it: ordered as the mode says.
    Shared(Mode),
    /// The same, where the object may be null: the offset is then an address outside the heap.
    Raw(Mode),
    /// Of an object that nobody else can reach yet: the mode asks for nothing.
    Local(Mode),
    /// The same, and no collection can have happened since the object was allocated: the store of a reference owes the
    /// collector nothing either.
    Young(Mode),
    /// Never changes after publication (array lengths, headers' layout ids).
    Immutable,
}

/// What a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTarget {
    pub method: MethodRef,
    pub kind: CallKind,
    /// Index in vtable or itable, by kind.
    pub index: u32,
    /// The block's end asks whether an exception is pending ([`Op::Interrupted`]); else the call does.
    pub caught: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Java argument `n` of the compiled method.
    Param(u32),
    /// Local `n` of the frame that on-stack replacement replaces.
    OsrLocal(u16),
    /// Object `n` (outermost first) locked by that frame.
    OsrMonitor(u16),
    Int(i32),
    Long(i64),
    /// Bits.
    Float(u32),
    /// Bits.
    Double(u64),
    Null,
    /// The object that a registered root word names.
    Root(usize),
    Bin(BinOp, Value, Value),
    Un(UnOp, Value),
    Cmp(Cond, Value, Value),
    FCmp(FCond, Value, Value),
    /// -1, 0 or 1: lcmp (with 0), and with the value for NaN fcmpl, fcmpg, dcmpl, dcmpg.
    Cmp3(Value, Value, i32),
    /// Leaves the code if the value is null.
    NullCheck(Value, StateId),
    /// Leaves the code unless 0 <= index < length.
    BoundsCheck(Value, Value, StateId),
    /// Leaves the code if the int is 0.
    Guard(Value, StateId),
    ArrayLength(Value),
    LoadField(Value, u32, Mem),
    StoreField(Value, u32, Value, Mem),
    LoadElement(Value, Value, Mem),
    StoreElement(Value, Value, Value, Mem),
    /// A field of the statics object of a class.
    LoadStatic(ClassRef, u32, Mem),
    StoreStatic(ClassRef, u32, Value, Mem),
    /// At any offset (a long) of an object.
    LoadRaw(Value, Value, Mem),
    StoreRaw(Value, Value, Value, Mem),
    /// Object, offset, expected and new value: 1 if the new value was stored.
    CompareAndSet([Value; 4], Mem),
    /// The same; the value that was found.
    CompareAndExchange([Value; 4], Mem),
    /// Object, offset and operand; the old value.
    Update(Update, [Value; 3], Mem),
    /// If the value (second) is a LOCAL object and the first is not, makes what it reaches SHARED:
    /// it is about to be stored into the first. With a state it stops where there is much to do, else it never stops.
    Publish(Value, Value, Option<StateId>),
    /// The same for a store into an object that is SHARED.
    PublishShared(Value, Option<StateId>),
    /// Everything before, before everything after; nothing if there are objects and all are LOCAL.
    Fence(Vec<Value>),
    /// Every load before, before every access after: the processor keeps that order, and passes do.
    LoadFence,
    /// The java.lang.Class of an object that is not null.
    GetClass(Value),
    /// The java.lang.Thread of the running thread.
    CurrentThread,
    /// A row that cannot stop the thread.
    Leaf(Row, Vec<Value>),
    New(ClassRef, Birth, StateId),
    NewArray(ClassRef, Birth, Value, StateId),
    MultiNewArray(ClassRef, Vec<Value>, StateId),
    /// 1 if the object is not null and of the class.
    InstanceOf(ClassRef, Value),
    /// 1 if the object may be cast to the class.
    CanCast(ClassRef, Value),
    /// 1 if the value may be stored into the reference array.
    CanStore(Value, Value),
    /// 1 if the object (not null) is of the class.
    IsA(ClassRef, Value),
    /// 1 if the object (not null) is of exactly this class.
    IsExactly(ClassRef, Value),
    /// Address of the method that implements entry `n` of the interface for the receiver; leaves the
    /// code if the receiver's class does not implement the interface.
    SelectInterface(ClassRef, u32, Value, StateId),
    /// An interface call's first argument is the selected method's address, then the receiver.
    Call(Box<CallTarget>, Vec<Value>, StateId),
    /// A row at which the thread may stop, with its value.
    RowCall(Row, Vec<Value>, StateId),
    /// Throws by a row: an exception is pending behind it.
    Raise(Row, Vec<Value>, StateId),
    /// 1 if an exception is pending behind a call, or the code is invalid.
    Interrupted,
    /// The pending exception, or null.
    PendingException,
    /// 1 if the pending exception is pending no more and the code goes on; 0 if it must be left.
    Catch,
    MonitorEnter(Value, StateId),
    MonitorExit(Value, StateId),
    RegisterFinalizer(Value, StateId),
    /// Stops here when somebody asks the thread to.
    Poll(StateId),
    /// Adds one to a counter of 4 bytes of the thread's stripe.
    Count(Cell),
    /// Counts the object's class, or null.
    CountClass(Rows, Value),
    /// The same; the object is not null.
    CountReceiver(Rows, Value),
}

/// A jump to a block with arguments for its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    pub block: Block,
    pub args: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// Under construction, or unreachable.
    Unset,
    Jump(Target),
    /// To the first target if the int is not 0.
    If(Value, Target, Target),
    /// Ascending keys; the last target is the default.
    Switch(Value, Vec<(i32, Target)>, Target),
    Return(Option<Value>),
    /// Leaves the code always.
    Deopt(StateId),
    /// Throws by a row of the runtime; the state is that of the throwing instruction.
    Throw(Row, Vec<Value>, StateId),
}
