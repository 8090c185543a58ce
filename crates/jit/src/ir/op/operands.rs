//! What instructions and terminators refer to: operands, frame states, targets.
//!
//! Invariant: each is listed once, for those who look and for those who change it, so that both see the same in the same order.
use super::{Op, Target, Terminator};
use crate::ir::{Block, StateId, Value};

/// Calls `f` with a reference to each operand, shared or not as `iter` is; states are not among them.
macro_rules! operands {
    ($op:expr, $iter:ident, $f:expr) => {{
        let mut f = $f;
        match $op {
            Op::Param(_)
            | Op::OsrLocal(_)
            | Op::OsrMonitor(_)
            | Op::Int(_)
            | Op::Long(_)
            | Op::Float(_)
            | Op::Double(_)
            | Op::Null
            | Op::Root(_)
            | Op::LoadStatic(..)
            | Op::CurrentThread
            | Op::LoadFence
            | Op::Interrupted
            | Op::PendingException
            | Op::Catch
            | Op::New(..)
            | Op::Poll(_)
            | Op::Count(_) => {}
            Op::Un(_, a)
            | Op::GetClass(a)
            | Op::PublishShared(a, _)
            | Op::NullCheck(a, _)
            | Op::Guard(a, _)
            | Op::ArrayLength(a)
            | Op::LoadField(a, ..)
            | Op::StoreStatic(_, _, a, _)
            | Op::NewArray(_, _, a, _)
            | Op::InstanceOf(_, a)
            | Op::CanCast(_, a)
            | Op::IsA(_, a)
            | Op::IsExactly(_, a)
            | Op::SelectInterface(_, _, a, _)
            | Op::MonitorEnter(a, _)
            | Op::MonitorExit(a, _)
            | Op::RegisterFinalizer(a, _)
            | Op::CountClass(_, a)
            | Op::CountReceiver(_, a) => f(a),
            Op::Bin(_, a, b)
            | Op::Cmp(_, a, b)
            | Op::FCmp(_, a, b)
            | Op::Cmp3(a, b, _)
            | Op::BoundsCheck(a, b, _)
            | Op::StoreField(a, _, b, _)
            | Op::LoadElement(a, b, _)
            | Op::LoadRaw(a, b, _)
            | Op::Publish(a, b, _)
            | Op::CanStore(a, b) => {
                f(a);
                f(b)
            }
            Op::StoreElement(a, b, c, _) | Op::StoreRaw(a, b, c, _) => {
                f(a);
                f(b);
                f(c)
            }
            Op::MultiNewArray(_, v, _)
            | Op::Call(_, v, _)
            | Op::Raise(_, v, _)
            | Op::RowCall(_, v, _)
            | Op::Leaf(_, v)
            | Op::Fence(v) => v.$iter().for_each(f),
            Op::CompareAndSet(v, _) | Op::CompareAndExchange(v, _) => v.$iter().for_each(f),
            Op::Update(_, v, _) => v.$iter().for_each(f),
        }
    }};
}

/// A reference to the frame state, shared or not as the instruction is.
macro_rules! state {
    ($op:expr) => {
        match $op {
            Op::NullCheck(_, s)
            | Op::BoundsCheck(_, _, s)
            | Op::Guard(_, s)
            | Op::SelectInterface(_, _, _, s)
            | Op::New(_, _, s)
            | Op::NewArray(_, _, _, s)
            | Op::MultiNewArray(_, _, s)
            | Op::Call(_, _, s)
            | Op::Raise(_, _, s)
            | Op::RowCall(_, _, s)
            | Op::MonitorEnter(_, s)
            | Op::MonitorExit(_, s)
            | Op::RegisterFinalizer(_, s)
            | Op::Publish(_, _, Some(s))
            | Op::PublishShared(_, Some(s))
            | Op::Poll(s) => Some(s),
            _ => None,
        }
    };
}

impl Op {
    pub fn uses(&self) -> Vec<Value> {
        let mut v = Vec::new();
        self.for_each_use(|x| v.push(x));
        v
    }
    pub fn for_each_use(&self, mut g: impl FnMut(Value)) {
        operands!(self, iter, |v: &Value| g(*v));
    }
    pub fn for_each_use_mut(&mut self, g: impl FnMut(&mut Value)) {
        operands!(self, iter_mut, g);
    }
    /// The frame state with which the instruction may leave the code.
    pub fn state(&self) -> Option<StateId> {
        state!(self).copied()
    }
    pub fn state_mut(&mut self) -> Option<&mut StateId> {
        state!(self)
    }
}

impl Terminator {
    pub fn targets(&self) -> Vec<&Target> {
        match self {
            Terminator::Unset | Terminator::Return(_) | Terminator::Deopt(_) | Terminator::Throw(..) => vec![],
            Terminator::Jump(t) => vec![t],
            Terminator::If(_, a, b) => vec![a, b],
            Terminator::Switch(_, cases, d) => cases.iter().map(|c| &c.1).chain([d]).collect(),
        }
    }
    pub fn for_each_target_mut(&mut self, mut f: impl FnMut(&mut Target)) {
        match self {
            Terminator::Unset | Terminator::Return(_) | Terminator::Deopt(_) | Terminator::Throw(..) => {}
            Terminator::Jump(t) => f(t),
            Terminator::If(_, a, b) => {
                f(a);
                f(b)
            }
            Terminator::Switch(_, cases, d) => {
                cases.iter_mut().for_each(|c| f(&mut c.1));
                f(d)
            }
        }
    }
    pub fn successors(&self) -> Vec<Block> {
        self.targets().iter().map(|t| t.block).collect()
    }
    /// The operand, without arguments of targets.
    pub fn operand(&self) -> Option<Value> {
        match self {
            Terminator::If(v, ..) | Terminator::Switch(v, ..) => Some(*v),
            Terminator::Return(v) => *v,
            _ => None,
        }
    }
    pub fn for_each_use(&self, mut f: impl FnMut(Value)) {
        self.operand().into_iter().for_each(&mut f);
        if let Terminator::Throw(_, args, _) = self {
            args.iter().for_each(|v| f(*v));
        }
        self.targets().iter().flat_map(|t| t.args.iter()).for_each(|v| f(*v));
    }
    pub fn for_each_use_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Terminator::If(v, ..) | Terminator::Switch(v, ..) | Terminator::Return(Some(v)) => f(v),
            Terminator::Throw(_, args, _) => args.iter_mut().for_each(&mut f),
            _ => {}
        }
        self.for_each_target_mut(|t| t.args.iter_mut().for_each(&mut f));
    }
    pub fn state(&self) -> Option<StateId> {
        match self {
            Terminator::Deopt(s) | Terminator::Throw(_, _, s) => Some(*s),
            _ => None,
        }
    }
    pub fn state_mut(&mut self) -> Option<&mut StateId> {
        match self {
            Terminator::Deopt(s) | Terminator::Throw(_, _, s) => Some(s),
            _ => None,
        }
    }
}
