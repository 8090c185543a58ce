//! Accesses of `jdk.internal.misc.Unsafe`: every type, every mode.
//!
//! Invariant: an access has the order of the method's name, but is never weaker than a plain one of
//! this process (under `-XX:+VBD` all are sequentially consistent). The object of a primitive access
//! may be null: then the offset is an address outside of the heap. Such memory may belong to a file
//! that is shorter now; the poll behind the access throws what the fault left.
//!
//! Atomic operations of the types that are not here (boolean, char, float, double) have bodies that ask
//! for one of those that are.
use super::{Builder, Flow, Scope, Step};
use crate::ir::op::{Access, Mem, Update};
use crate::ir::state::Reason;
use crate::ir::{BinOp, Cond, Op, Ty, UnOp, Value};
use concord_contract::BasicType;
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::Bailout;
use concord_contract::method::MethodRef;
use concord_memory_model::{Mode, plain_mode, policy};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Get,
    Put,
    CompareAndSet,
    CompareAndExchange,
    Update(Update),
}

/// One access: what, of which type, in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    action: Action,
    ty: BasicType,
    mode: Mode,
}

/// The access that a method of Unsafe makes by its name; None for all others.
pub(super) fn known(m: MethodRef) -> Option<Memory> {
    use Action::*;
    let name = std::str::from_utf8(m.name.as_bytes()).ok()?;
    const ACTIONS: [(&str, Action); 6] = [
        ("compareAndSet", CompareAndSet),
        ("compareAndExchange", CompareAndExchange),
        ("getAndAdd", Update(self::Update::Add)),
        ("getAndSet", Update(self::Update::Set)),
        ("get", Get),
        ("put", Put),
    ];
    let (action, rest) = ACTIONS.iter().find_map(|(n, a)| Some((*a, name.strip_prefix(n)?)))?;
    let (ty, order) = basic_type(rest)?;
    let plain = plain_mode(policy::vbd(), false, false);
    let atomic = !matches!(action, Get | Put);
    let mode = match order {
        "" if atomic => Mode::Volatile,
        // Kinds of read-modify-write that are weaker are no cheaper.
        "Acquire" | "Release" if atomic => Mode::Volatile,
        "" => plain,
        "Volatile" => Mode::Volatile,
        "Acquire" | "Release" | "Opaque" if policy::vbd() => plain,
        "Acquire" | "Release" => Mode::AcquireRelease,
        "Opaque" => Mode::Opaque,
        _ => return None,
    };
    use BasicType as T;
    let sized = matches!(ty, T::Byte | T::Short | T::Int | T::Long | T::Object);
    if atomic && (!sized || (ty == BasicType::Object && action == Update(self::Update::Add))) {
        return None;
    }
    let slots = if ty == BasicType::Object { 1 } else { ty.slots() };
    let operands = match action {
        Get => 0,
        Put | Update(_) => 1,
        CompareAndSet | CompareAndExchange => 2,
    };
    // The instance, object, offset: not the forms that take an address alone.
    (m.nargs() == 4 + operands * slots && m.descriptor.as_bytes().starts_with(b"(Ljava/lang/Object;J"))
        .then_some(Memory { action, ty, mode })
}

fn basic_type(name: &str) -> Option<(BasicType, &str)> {
    const TYPES: [(&str, BasicType); 9] = [
        ("Reference", BasicType::Object),
        ("Boolean", BasicType::Boolean),
        ("Byte", BasicType::Byte),
        ("Short", BasicType::Short),
        ("Char", BasicType::Char),
        ("Int", BasicType::Int),
        ("Long", BasicType::Long),
        ("Float", BasicType::Float),
        ("Double", BasicType::Double),
    ];
    TYPES.iter().find_map(|(n, t)| Some((*t, name.strip_prefix(n)?)))
}

impl Builder<'_> {
    pub(super) fn memory_access(&mut self, scope: &Scope, call: &CallAnswer, k: Memory) -> Step {
        let slots = call.method.nargs();
        let object = self.frame.peek(slots - 1)?;
        let is_ref = k.ty == BasicType::Object;
        if is_ref {
            // There are no references outside of the heap: the native method throws.
            self.known_nonnull(scope, object);
        }
        if is_ref && k.action != Action::Get {
            let new = self.frame.peek(1)?;
            self.publish(scope, Some(object), new);
        }
        if k.ty == BasicType::Short && !matches!(k.action, Action::Get | Action::Put) {
            self.within_word(scope, slots)?;
        }
        let in_heap = self.is_nonnull(object);
        let args = self.arguments(scope, call)?;
        let access = if in_heap { Access::Shared(k.mode) } else { Access::Raw(k.mode) };
        self.emit_access(k.action, &args[1..], Mem { ty: k.ty, access, once: false })?;
        if !in_heap {
            let s = self.after(scope);
            self.emit(Op::Poll(s));
        }
        Ok(Flow::Next)
    }

    /// Leaves the code if an atomic operation on a short would span two words of 4 bytes; the method
    /// throws.
    fn within_word(&mut self, scope: &Scope, slots: usize) -> Result<(), Bailout> {
        let at = self.frame.peek(slots - 2)?;
        let three = self.value(Op::Long(3));
        let low = self.value(Op::Bin(BinOp::And, at, three));
        let ok = self.func.cmp(self.cur, Cond::Ne, low, three);
        let s = self.before(scope, Reason::ClassCheck);
        self.emit(Op::Guard(ok, s));
        Ok(())
    }

    fn emit_access(&mut self, action: Action, args: &[Value], mem: Mem) -> Result<(), Bailout> {
        let Some(ty) = Ty::of(mem.ty) else { return Err(Bailout::Unsupported("an access of type void".into())) };
        match (action, args) {
            (Action::Get, [o, at]) => {
                let mut v = self.value(Op::LoadRaw(*o, *at, mem));
                if mem.ty == BasicType::Boolean {
                    // Any byte may stand there; what is not 0 is true.
                    let zero = self.func.int(self.cur, 0);
                    v = self.func.cmp(self.cur, Cond::Ne, v, zero);
                }
                self.frame.push(v, ty);
            }
            (Action::Put, [o, at, v]) => {
                let v = if mem.ty == BasicType::Boolean { self.value(Op::Un(UnOp::I2Z, *v)) } else { *v };
                self.emit(Op::StoreRaw(*o, *at, v, mem));
            }
            (Action::CompareAndSet, [o, at, e, v]) => self.constant(Op::CompareAndSet([*o, *at, *e, *v], mem), Ty::Int),
            (Action::CompareAndExchange, [o, at, e, v]) => {
                self.constant(Op::CompareAndExchange([*o, *at, *e, *v], mem), ty)
            }
            (Action::Update(u), [o, at, v]) => self.constant(Op::Update(u, [*o, *at, *v], mem), ty),
            _ => return Err(Bailout::Unsupported("an access of Unsafe with other arguments".into())),
        }
        Ok(())
    }
}
