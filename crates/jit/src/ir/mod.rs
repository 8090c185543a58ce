//! The intermediate representation: one method (and what is inlined into it) as typed SSA at the
//! level of Java semantics.
//!
//! Invariant: every value has exactly one definition, which dominates its uses; every instruction
//! that can leave the code (guard, call, allocation, poll) names the frame state with which the
//! interpreter goes on; memory operations carry their access mode, and instructions of a block are
//! executed in order (no pass of this tier reorders memory operations).
//!
//! Blocks have parameters instead of phis. An exception goes to its handler by ordinary branches
//! behind the instruction that threw; guards throw in the interpreter.
pub mod build;
pub mod op;
pub mod parse;
pub mod print;
pub mod state;
pub mod verify;

pub use op::{Access, BinOp, CallTarget, Cond, FCond, Mem, Op, Target, Terminator, UnOp};
pub use state::{FrameState, Resume, StateId, Virtual, VirtualField};

use concord_contract::method::MethodRef;

/// Types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Int,
    Long,
    Float,
    Double,
    /// A reference: null or the full address of an object.
    Ref,
}

impl Ty {
    pub const fn name(self) -> &'static str {
        match self {
            Ty::Int => "int",
            Ty::Long => "long",
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Ref => "ref",
        }
    }
    /// Slots that a value takes among locals and on the operand stack.
    pub const fn slots(self) -> usize {
        matches!(self, Ty::Long | Ty::Double) as usize + 1
    }
    pub fn of(b: concord_contract::BasicType) -> Option<Ty> {
        use concord_contract::BasicType as B;
        Some(match b {
            B::Boolean | B::Byte | B::Char | B::Short | B::Int => Ty::Int,
            B::Long => Ty::Long,
            B::Float => Ty::Float,
            B::Double => Ty::Double,
            B::Object => Ty::Ref,
            B::Void => return None,
        })
    }
}

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            #[inline]
            pub fn index(self) -> usize { self.0 as usize }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }
    };
}
pub(crate) use index_type;
index_type!(/** A value. */ Value "v");
index_type!(/** A basic block. */ Block "b");

/// One instruction; `result` is its value, if it has one.
#[derive(Clone, Debug)]
pub struct Inst {
    pub op: Op,
    pub result: Option<Value>,
    /// A fence is owed on the way out of the code here: a store before it has not been fenced yet
    /// (set by the fence pass on guards, which leave only in the cold case).
    pub owes_fence: bool,
}

#[derive(Clone, Debug)]
pub struct BlockData {
    pub params: Vec<Value>,
    pub insts: Vec<Inst>,
    pub end: Terminator,
    /// A store at the end of the block is not fenced yet when its terminator leaves the code.
    pub end_owes_fence: bool,
    /// Seldom reached.
    pub cold: bool,
}

impl Default for BlockData {
    fn default() -> Self {
        BlockData { params: Vec::new(), insts: Vec::new(), end: Terminator::Unset, end_owes_fence: false, cold: false }
    }
}

/// The function under compilation.
#[derive(Clone, Debug)]
pub struct Func {
    pub method: MethodRef,
    /// Bytecode index of the loop that the code enters in the middle, for on-stack replacement.
    pub osr: Option<u16>,
    /// Block 0 is the entry; it has no parameters and no predecessors.
    pub blocks: Vec<BlockData>,
    pub types: Vec<Ty>,
    pub states: Vec<FrameState>,
}

pub const ENTRY: Block = Block(0);

impl Func {
    pub fn new(method: MethodRef, osr: Option<u16>) -> Func {
        Func { method, osr, blocks: vec![BlockData::default()], types: Vec::new(), states: Vec::new() }
    }
    pub fn ty(&self, v: Value) -> Ty {
        self.types[v.index()]
    }
    pub fn block(&self, b: Block) -> &BlockData {
        &self.blocks[b.index()]
    }
    pub fn state(&self, s: StateId) -> &FrameState {
        &self.states[s.index()]
    }
    /// A state, and those of its callers.
    pub fn chain(&self, s: StateId) -> impl Iterator<Item = &FrameState> + '_ {
        std::iter::successors(Some(self.state(s)), |s| s.parent.map(|p| self.state(p)))
    }
    /// All values that a state and the states of its callers want, not the names of virtual objects.
    pub fn state_values(&self, s: StateId) -> impl Iterator<Item = Value> + '_ {
        let objects = &self.state(s).objects;
        let made = move |v: &Value| objects.iter().all(|o| o.name != *v);
        self.chain(s).flat_map(FrameState::own_values).filter(made)
    }
    /// Blocks reachable from the entry, in reverse postorder.
    pub fn order(&self) -> Vec<Block> {
        let mut seen = vec![false; self.blocks.len()];
        let mut post = Vec::with_capacity(self.blocks.len());
        let mut stack = vec![(ENTRY, self.block(ENTRY).end.successors())];
        seen[0] = true;
        while let Some((b, succ)) = stack.last_mut() {
            // Successors are taken from the end, so that the first one follows in the order.
            match succ.pop() {
                Some(s) if !seen[s.index()] => {
                    seen[s.index()] = true;
                    stack.push((s, self.block(s).end.successors()));
                }
                Some(_) => {}
                None => {
                    post.push(*b);
                    stack.pop();
                }
            }
        }
        post.reverse();
        post
    }
}
