//! Arrays and their elements.
//!
//! Invariant: a value in [`Builder::bytes`] is null or a `byte[]` wherever the code in translation uses it. The verifier has seen to it where a field, a parameter or
//! a result is declared as one; so a store into it need not ask whether it is a `boolean[]`.
use super::access::always_instance;
use super::{Builder, Flow, Scope, Step};
use crate::ir::op::{Access, Mem};
use crate::ir::state::Reason;
use crate::ir::{BinOp, Cond, Op, Ty, UnOp, Value};
use concord_classfile::opcodes::{Instruction, op};
use concord_contract::BasicType;
use concord_contract::class::ClassRef;
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::Bailout;
use concord_contract::method::{MethodRef, mflags};
use concord_contract::object::array_base;
use concord_contract::rows::Row;
use concord_memory_model::{plain_mode, policy};

/// Types of elements in the order of the instructions that load and store them.
const ELEMENTS: [BasicType; 8] = [
    BasicType::Int,
    BasicType::Long,
    BasicType::Float,
    BasicType::Double,
    BasicType::Object,
    BasicType::Byte,
    BasicType::Char,
    BasicType::Short,
];

impl Builder<'_> {
    /// Remembers that the value on top of the stack is declared as `byte[]`, if it is.
    pub(super) fn learn_bytes(&mut self, is: bool) {
        if let (true, Ok(v)) = (is, self.frame.peek(1)) {
            self.bytes.insert(v);
        }
    }
    /// The same of the arguments of a method. The answer, those of which it was not known, holds in the method's code only: what
    /// passes for a `byte[]` there may be another array on another way through its caller.
    pub(super) fn learn_byte_parameters(&mut self, m: MethodRef, args: &[Value]) -> Vec<Value> {
        let declared = super::descriptors(m).map(|d| d == b"[B");
        let first = usize::from(!m.is_static());
        let bytes = args[first..].iter().zip(declared).filter(|(_, is)| *is).map(|(v, _)| *v);
        bytes.filter(|v| self.bytes.insert(*v)).collect()
    }
    pub(super) fn forget_bytes(&mut self, learnt: &[Value]) {
        self.bytes.retain(|v| !learnt.contains(v));
    }
    /// The same of a method's result, which is on top of the stack.
    pub(super) fn learn_result(&mut self, m: MethodRef) {
        self.learn_bytes(m.descriptor.as_bytes().ends_with(b")[B"));
    }

    /// Checks array and index that lie on the stack, the array's upper slot being `n` from the top.
    fn check_element(&mut self, scope: &Scope, n: usize) -> Result<(Value, Value), Bailout> {
        let (a, index) = (self.frame.peek(n)?, self.frame.peek(n - 1)?);
        self.nonnull(scope, a);
        if let (Some(n), Some(length)) = (self.number(index), self.known_length(a))
            && u32::try_from(n).is_ok_and(|n| n < length)
        {
            return Ok((a, index));
        }
        let len = self.value(Op::ArrayLength(a));
        if self.hot_trap(scope, Reason::Bounds) {
            let zero = self.func.int(self.cur, 0);
            let low = self.func.cmp(self.cur, Cond::Ge, index, zero);
            let high = self.func.cmp(self.cur, Cond::Lt, index, len);
            let ok = self.func.bin(self.cur, BinOp::And, low, high);
            self.or_throw(scope, ok, Row::ThrowArrayIndex, vec![index, len]);
        } else {
            let s = self.before(scope, Reason::Bounds);
            self.emit(Op::BoundsCheck(index, len, s));
        }
        Ok((a, index))
    }
    /// The length of an array that is a constant, or made here.
    fn known_length(&self, a: Value) -> Option<u32> {
        self.lengths.get(&a).copied().or_else(|| self.object(a).map(|o| o.length))
    }
    /// Whether an array that is made here takes the object, without a question at run time.
    fn takes(&self, a: Value, v: Value) -> bool {
        let component = self.exact.get(&a).and_then(|c| c.component);
        component.is_some_and(|class| always_instance(class) || self.is_instance(v, class) == Some(true))
    }
    /// Leaves the code if the character does not lie in the array of bytes that is the upper of `n` slots; the method throws.
    pub(super) fn char_fits(&mut self, scope: &Scope, n: usize) -> Result<(), Bailout> {
        let (a, index) = (self.frame.peek(n)?, self.frame.peek(n - 1)?);
        let bytes = self.value(Op::ArrayLength(a));
        let one = self.func.int(self.cur, 1);
        let len = self.func.bin(self.cur, BinOp::Ushr, bytes, one);
        let s = self.before(scope, Reason::ClassCheck);
        self.emit(Op::BoundsCheck(index, len, s));
        Ok(())
    }
    pub(super) fn array_load(&mut self, scope: &mut Scope, c: u8) -> Step {
        let ty = ELEMENTS[(c - op::IALOAD) as usize];
        let (a, index) = self.check_element(scope, 2)?;
        self.frame.stack.truncate(self.frame.stack.len() - 2);
        let mem = Mem { ty, access: Access::Shared(self.element_mode(scope)), once: false };
        let Some(t) = Ty::of(ty) else { return Err(Bailout::Unsupported("an element of type void".into())) };
        if !self.constant_element(a, index, mem) {
            self.constant(Op::LoadElement(a, index, mem), t);
        }
        Ok(Flow::Next)
    }
    pub(super) fn array_store(&mut self, scope: &mut Scope, c: u8) -> Step {
        let ty = ELEMENTS[(c - op::IASTORE) as usize];
        let slots = ty.slots();
        let mut v = self.frame.peek(slots)?;
        let (a, index) = self.check_element(scope, slots + 2)?;
        match ty {
            BasicType::Object => {
                let takes_it = self.takes(a, v);
                let ok = self.value(if takes_it { Op::Int(1) } else { Op::CanStore(a, v) });
                if takes_it {
                    // It is not refused.
                } else if self.hot_trap(scope, Reason::ArrayStore) {
                    self.or_throw_counted(scope, ok, Row::ThrowArrayStore, vec![a, v], Some(v));
                } else {
                    let s = self.before(scope, Reason::ArrayStore);
                    self.emit(Op::Guard(ok, s));
                }
                self.publish(scope, Some(a), v);
                self.count_object(scope, v);
            }
            // The same instruction serves boolean[], whose elements keep one bit.
            BasicType::Byte if !self.bytes.contains(&a) => {
                let Some(boolean) = self.env.primitive_array(BasicType::Boolean) else {
                    return self.trap(scope, Reason::Unresolved);
                };
                let is = self.value(Op::IsExactly(boolean, a));
                let (one, minus) = (self.func.int(self.cur, 1), self.func.int(self.cur, -1));
                let twice = self.func.bin(self.cur, BinOp::Shl, is, one);
                let mask = self.func.bin(self.cur, BinOp::Add, twice, minus);
                v = self.func.bin(self.cur, BinOp::And, v, mask);
            }
            _ => {}
        }
        self.frame.stack.truncate(self.frame.stack.len() - 2 - slots);
        let mem = Mem { ty, access: Access::Shared(self.element_mode(scope)), once: false };
        self.emit(Op::StoreElement(a, index, v, mem));
        Ok(Flow::Next)
    }

    pub(super) fn new_array(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let class = match i.opcode {
            op::NEWARRAY => BasicType::from_newarray(i.array_type()).and_then(|t| self.env.primitive_array(t)),
            _ => self.env.array_of(scope.method, i.cp()),
        };
        let Some(class) = class else { return self.trap(scope, Reason::Unresolved) };
        self.class_used(class);
        let len = self.frame.pop(1)?;
        let birth = self.env.birth(class);
        let v = self.value_after(scope, Ty::Ref, |s| Op::NewArray(class, birth, len, s));
        self.made(v, class);
        if let Some(n) = self.number(len).and_then(|n| u32::try_from(n).ok()) {
            self.lengths.insert(v, n);
        }
        self.learn_bytes(i.opcode == op::NEWARRAY && BasicType::from_newarray(i.array_type()) == Some(BasicType::Byte));
        Ok(Flow::Next)
    }
    /// Makes an array of bytes, with zeros in it as in any other, for a method of Unsafe with class and length as arguments.
    /// None if the class is not known to be that of bytes.
    pub(super) fn new_bytes(&mut self, scope: &Scope, call: &CallAnswer) -> Result<Option<Flow>, Bailout> {
        let (class, len) = (self.frame.peek(2)?, self.frame.peek(1)?);
        // `TYPE` is the only static field of Byte that is a reference.
        let of_bytes = match self.made_here(class) {
            Some(Op::LoadStatic(k, _, mem)) => mem.ty == BasicType::Object && k.name.as_bytes() == b"java/lang/Byte",
            _ => false,
        };
        let Some(bytes) = self.env.primitive_array(BasicType::Byte).filter(|_| of_bytes) else { return Ok(None) };
        self.array_for_call(scope, call, bytes, len).map(Some)
    }
    /// Makes an array of the class that a mirror stands for, for a method with mirror and length as arguments; None if it is not
    /// known.
    pub(super) fn new_array_of_known(&mut self, scope: &Scope, call: &CallAnswer) -> Result<Option<Flow>, Bailout> {
        let (mirror, len) = (self.frame.peek(2)?, self.frame.peek(1)?);
        let element = self.object(mirror).and_then(|o| o.mirrors);
        let Some(class) = element.and_then(|c| self.env.array_class(c)) else { return Ok(None) };
        self.array_for_call(scope, call, class, len).map(Some)
    }
    /// Makes the array that a method is called for; the method itself throws if the length is negative.
    fn array_for_call(&mut self, scope: &Scope, call: &CallAnswer, class: ClassRef, len: Value) -> Step {
        let zero = self.func.int(self.cur, 0);
        let ok = self.func.cmp(self.cur, Cond::Ge, len, zero);
        let s = self.before(scope, Reason::ClassCheck);
        self.emit(Op::Guard(ok, s));
        self.arguments(scope, call)?;
        self.class_used(class);
        let birth = self.env.birth(class);
        let v = self.value_after(scope, Ty::Ref, |s| Op::NewArray(class, birth, len, s));
        self.made(v, class);
        self.learn_bytes(class.basic == BasicType::Byte);
        Ok(Flow::Next)
    }
    pub(super) fn multi_new_array(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let Some(class) = self.env.class(scope.method, i.cp()) else {
            return self.trap(scope, Reason::Unresolved);
        };
        self.class_used(class);
        let mut dims = Vec::new();
        for _ in 0..i.count() {
            dims.push(self.frame.pop(1)?);
        }
        dims.reverse();
        let v = self.value_after(scope, Ty::Ref, |s| Op::MultiNewArray(class, dims, s));
        self.frame.learn_nonnull(v);
        Ok(Flow::Next)
    }

    /// Array of bytes and index of a character in it, as `m` accesses it: a char[] begins elsewhere than a byte[].
    fn char_at(&mut self, m: MethodRef, args: &[Value]) -> (Value, Value, Mem) {
        let index = self.value(Op::Un(UnOp::I2L, args[1]));
        let (one, base) = (self.func.int(self.cur, 1), self.value(Op::Long(array_base(0) as i64)));
        let bytes = self.value(Op::Bin(BinOp::Shl, index, one));
        let at = self.value(Op::Bin(BinOp::Add, base, bytes));
        let mode = plain_mode(policy::vbd(), m.has(mflags::RELAXED), false);
        (args[0], at, Mem { ty: BasicType::Char, access: Access::Shared(mode), once: false })
    }
    pub(super) fn get_char(&mut self, m: MethodRef, args: &[Value]) -> Op {
        let (a, at, mem) = self.char_at(m, args);
        Op::LoadRaw(a, at, mem)
    }
    pub(super) fn put_char(&mut self, m: MethodRef, args: &[Value]) -> Op {
        let (a, at, mem) = self.char_at(m, args);
        Op::StoreRaw(a, at, args[2], mem)
    }
}
