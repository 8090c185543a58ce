//! Methods of the class library that the compiler knows.
//!
//! Invariant: the result is that of the method's own body or native function, also in its corner
//! cases; what an intrinsic does not cover (null, odd arguments) goes to the method itself or to the
//! interpreter. Only methods of the boot loader's classes are known by name.
use super::{Builder, Flow, Scope, Step};
use crate::ir::op::{Access, Mem};
use crate::ir::state::Reason;
use crate::ir::{Op, Target, Terminator, Ty, UnOp, Value};
use concord_contract::BasicType;
use concord_contract::class::flags;
use concord_contract::compile_env::CallAnswer;
use concord_contract::method::MethodRef;
use concord_contract::rows::Row;
use concord_memory_model::{Mode, plain_mode, policy};

/// What a known method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Unary(UnOp),
    GetClass,
    CurrentThread,
    ArrayCopy,
    /// Fences: only the full one is an instruction here.
    FullFence,
    NoFence,
    Get(BasicType, Mode),
    Put(BasicType, Mode),
    CompareAndSet(BasicType),
    AllocateInstance,
    IsInstance,
}

fn known(m: MethodRef) -> Option<Known> {
    use Known::*;
    if !m.class.has_flag(flags::BOOT) {
        return None;
    }
    let name = m.name.as_bytes();
    Some(match m.class.name.as_bytes() {
        b"java/lang/Object" if name == b"getClass" => GetClass,
        b"java/lang/Class" if name == b"isInstance" => IsInstance,
        b"java/lang/Thread" if name == b"currentThread" => CurrentThread,
        b"java/lang/System" if name == b"arraycopy" => ArrayCopy,
        b"java/lang/Math" | b"java/lang/StrictMath" if name == b"sqrt" => Unary(UnOp::Sqrt),
        b"java/lang/Float" => match name {
            b"floatToRawIntBits" => Unary(UnOp::FloatBits),
            b"intBitsToFloat" => Unary(UnOp::BitsFloat),
            _ => return None,
        },
        b"java/lang/Double" => match name {
            b"doubleToRawLongBits" => Unary(UnOp::DoubleBits),
            b"longBitsToDouble" => Unary(UnOp::BitsDouble),
            _ => return None,
        },
        b"java/lang/Integer" | b"java/lang/Long" if m.is_static() => match name {
            b"numberOfLeadingZeros" => Unary(UnOp::LeadingZeros),
            b"numberOfTrailingZeros" => Unary(UnOp::TrailingZeros),
            b"bitCount" => Unary(UnOp::BitCount),
            _ => return None,
        },
        b"jdk/internal/misc/Unsafe" => {
            let plain = plain_mode(policy::vbd(), false, false);
            match name {
                b"fullFence" => FullFence,
                b"loadFence" | b"storeFence" => NoFence,
                b"getReference" if m.nargs() == 4 => Get(BasicType::Object, plain),
                b"getReferenceVolatile" => Get(BasicType::Object, Mode::Volatile),
                b"getIntVolatile" => Get(BasicType::Int, Mode::Volatile),
                b"getLongVolatile" => Get(BasicType::Long, Mode::Volatile),
                b"putReference" if m.nargs() == 5 => Put(BasicType::Object, plain),
                b"putReferenceVolatile" => Put(BasicType::Object, Mode::Volatile),
                b"putIntVolatile" => Put(BasicType::Int, Mode::Volatile),
                b"putLongVolatile" => Put(BasicType::Long, Mode::Volatile),
                b"allocateInstance" => AllocateInstance,
                b"compareAndSetInt" => CompareAndSet(BasicType::Int),
                b"compareAndSetLong" => CompareAndSet(BasicType::Long),
                b"compareAndSetReference" => CompareAndSet(BasicType::Object),
                _ => return None,
            }
        }
        _ => return None,
    })
}

impl Builder<'_> {
    /// Translates a call of a known method; None if it is none. The arguments are still on the stack.
    pub(super) fn intrinsic(
        &mut self,
        scope: &Scope,
        call: &CallAnswer,
    ) -> Result<Option<Flow>, concord_contract::compiled::Bailout> {
        let Some(k) = known(call.method) else { return Ok(None) };
        if matches!(k, Known::Get(..) | Known::Put(..) | Known::CompareAndSet(_)) {
            // Addresses outside of the heap are the native method's business.
            let slots = call.method.nargs();
            let object = self.frame.peek(slots - 1)?;
            if !self.is_nonnull(object) {
                let s = self.before(scope, Reason::ClassCheck);
                self.emit(Op::NullCheck(object, s));
                self.frame.learn_nonnull(object);
            }
        }
        if k == Known::AllocateInstance {
            let mirror = self.frame.peek(1)?;
            self.nonnull(scope, mirror);
        }
        match k {
            Known::Put(BasicType::Object, _) | Known::CompareAndSet(BasicType::Object) => {
                let (o, v) = (self.frame.peek(call.method.nargs() - 1)?, self.frame.peek(1)?);
                self.publish(scope, Some(o), v);
            }
            _ => {}
        }
        let args = self.arguments(call)?;
        let ty = Ty::of(call.method.ret);
        let mem = |ty, mode| Mem { ty, access: Access::Shared(mode) };
        let op = match k {
            Known::Unary(u) => Op::Un(u, args[0]),
            Known::GetClass => Op::GetClass(args[0]),
            Known::CurrentThread => Op::CurrentThread,
            Known::ArrayCopy => return self.array_copy(scope, call, args).map(Some),
            Known::FullFence => Op::Fence(Vec::new()),
            Known::NoFence => return Ok(Some(Flow::Next)),
            Known::Get(t, mode) => Op::LoadRaw(args[1], args[2], mem(t, mode)),
            Known::Put(t, mode) => Op::StoreRaw(args[1], args[2], args[3], mem(t, mode)),
            Known::IsInstance => Op::Leaf(Row::IsInstance, args),
            Known::AllocateInstance => {
                let v = self.value_after(scope, Ty::Ref, |s| Op::RowCall(Row::AllocateInstance, vec![args[1]], s));
                self.frame.learn_nonnull(v);
                return Ok(Some(Flow::Next));
            }
            Known::CompareAndSet(t) => Op::CompareAndSet([args[1], args[2], args[3], args[4]], mem(t, Mode::Volatile)),
        };
        match ty {
            Some(ty) => self.constant(op, ty),
            None => self.emit(op),
        }
        Ok(Some(Flow::Next))
    }

    /// The usual copies are made by a leaf routine; it says when the method itself is needed.
    fn array_copy(&mut self, scope: &Scope, call: &CallAnswer, args: Vec<Value>) -> Step {
        let done = self.value(Op::Leaf(Row::ArrayCopy, args.clone()));
        let (slow, on) = (self.func.new_block(), self.func.new_block());
        let to = |block| Target { block, args: Vec::new() };
        self.func.end(self.cur, Terminator::If(done, to(on), to(slow)));
        self.cur = slow;
        self.emit_call(scope, call, args);
        self.func.end(self.cur, Terminator::Jump(to(on)));
        self.cur = on;
        Ok(Flow::Next)
    }
}
