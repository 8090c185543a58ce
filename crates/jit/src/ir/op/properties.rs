//! What passes and back ends ask of an instruction.
use super::{Access, Mem, Op};
use crate::ir::{Ty, Value};
use concord_contract::rows::Arg;
use concord_memory_model::Mode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safepoint {
    /// At every execution.
    Hot,
    /// In the cold path only.
    Cold,
}

impl Op {
    /// Leaves the code in the cold case, with the state before it; a fence that is owed is paid there.
    pub fn is_guard(&self) -> bool {
        matches!(self, Op::NullCheck(..) | Op::BoundsCheck(..) | Op::Guard(..) | Op::SelectInterface(..))
    }
    /// A collection may happen in it, always or only in its cold path.
    pub fn safepoint(&self) -> Option<Safepoint> {
        match self {
            Op::Call(..) | Op::Raise(..) | Op::RowCall(..) | Op::MultiNewArray(..) => Some(Safepoint::Hot),
            Op::MonitorEnter(..)
            | Op::MonitorExit(..)
            | Op::New(..)
            | Op::NewArray(..)
            | Op::RegisterFinalizer(..)
            | Op::Publish(_, _, Some(_))
            | Op::PublishShared(_, Some(_))
            | Op::Poll(_) => Some(Safepoint::Cold),
            _ => None,
        }
    }
    /// Without effect but its value: may be removed when that is unused.
    pub fn is_pure(&self) -> bool {
        match self {
            Op::Param(_)
            | Op::OsrLocal(_)
            | Op::OsrMonitor(_)
            | Op::Int(_)
            | Op::Long(_)
            | Op::Float(_)
            | Op::Double(_)
            | Op::Null
            | Op::Root(_)
            | Op::Bin(..)
            | Op::Un(..)
            | Op::Cmp(..)
            | Op::FCmp(..)
            | Op::Cmp3(..)
            | Op::GetClass(_)
            | Op::CurrentThread
            | Op::ArrayLength(_)
            | Op::InstanceOf(..)
            | Op::CanCast(..)
            | Op::CanStore(..)
            | Op::IsA(..)
            | Op::IsExactly(..) => true,
            // A load whose value is dead orders nothing by itself (vbd 3.1).
            Op::LoadField(_, _, m) | Op::LoadElement(_, _, m) | Op::LoadRaw(_, _, m) | Op::LoadStatic(_, _, m) => {
                !matches!(m.access, Access::Shared(Mode::Volatile | Mode::AcquireRelease) | Access::Raw(_))
            }
            _ => false,
        }
    }
    pub fn memory(&self) -> Option<(Mem, concord_memory_model::Access)> {
        use concord_memory_model::Access as A;
        match self {
            Op::LoadField(_, _, m) | Op::LoadElement(_, _, m) | Op::LoadRaw(_, _, m) | Op::LoadStatic(_, _, m) => {
                Some((*m, A::Load))
            }
            Op::StoreField(_, _, _, m)
            | Op::StoreElement(_, _, _, m)
            | Op::StoreRaw(_, _, _, m)
            | Op::StoreStatic(_, _, _, m) => Some((*m, A::Store)),
            Op::CompareAndSet(_, m) | Op::CompareAndExchange(_, m) | Op::Update(_, _, m) => Some((*m, A::Cas)),
            _ => None,
        }
    }
    /// The object that a store goes to; None for statics, whose object is SHARED, and where there may be
    /// none.
    pub fn store_target(&self) -> Option<Value> {
        match self {
            Op::StoreRaw(.., m) if matches!(m.access, Access::Raw(_)) => None,
            Op::StoreField(o, ..) | Op::StoreElement(o, ..) | Op::StoreRaw(o, ..) => Some(*o),
            _ => None,
        }
    }
    /// The object that the instruction looks at or stores into, if it does nothing else with it; what it stores is another
    /// operand, which may be the object, too.
    pub fn only_accesses(&self) -> Option<Value> {
        match self {
            Op::LoadField(o, ..)
            | Op::LoadElement(o, ..)
            | Op::StoreField(o, ..)
            | Op::StoreElement(o, ..)
            | Op::NullCheck(o, _)
            | Op::ArrayLength(o)
            | Op::GetClass(o)
            | Op::InstanceOf(_, o)
            | Op::CanCast(_, o)
            | Op::IsA(_, o)
            | Op::IsExactly(_, o)
            | Op::CountClass(_, o)
            | Op::CountReceiver(_, o)
            | Op::Publish(o, ..) => Some(*o),
            _ => None,
        }
    }
    /// Type of the result, where the operands do not decide it.
    pub fn fixed_type(&self) -> Option<Ty> {
        Some(match self {
            Op::Int(_)
            | Op::Cmp(..)
            | Op::FCmp(..)
            | Op::Cmp3(..)
            | Op::ArrayLength(_)
            | Op::InstanceOf(..)
            | Op::CanCast(..)
            | Op::CanStore(..)
            | Op::IsA(..)
            | Op::IsExactly(..)
            | Op::CompareAndSet(..)
            | Op::Interrupted
            | Op::Catch => Ty::Int,
            Op::Long(_) | Op::SelectInterface(..) => Ty::Long,
            Op::Float(_) => Ty::Float,
            Op::Double(_) => Ty::Double,
            Op::Leaf(row, _) | Op::RowCall(row, ..) => match row.info().ret? {
                Arg::I32 => Ty::Int,
                Arg::I64 | Arg::Ptr => Ty::Long,
                Arg::F32 => Ty::Float,
                Arg::F64 => Ty::Double,
                Arg::Ref => Ty::Ref,
            },
            Op::GetClass(_)
            | Op::CurrentThread
            | Op::PendingException
            | Op::Null
            | Op::Root(_)
            | Op::OsrMonitor(_)
            | Op::New(..)
            | Op::NewArray(..)
            | Op::MultiNewArray(..) => Ty::Ref,
            Op::LoadField(_, _, m)
            | Op::LoadElement(_, _, m)
            | Op::LoadRaw(_, _, m)
            | Op::LoadStatic(_, _, m)
            | Op::CompareAndExchange(_, m)
            | Op::Update(_, _, m) => return Ty::of(m.ty),
            Op::Call(t, ..) => return Ty::of(t.method.ret),
            _ => return None,
        })
    }
}
