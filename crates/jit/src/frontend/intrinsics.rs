//! Methods of the class library that the compiler knows.
//!
//! Invariant: the result is that of the method's own body or native function, also in its corner
//! cases; what an intrinsic does not cover (null, odd arguments) goes to the method itself or to the
//! interpreter. Only methods of the boot loader's classes are known by name.
//!
//! Deliberately absent: `Math.*Exact`, `Integer.rotateLeft`, `Objects.checkIndex`, `Reference.get`,
//! `Class.cast` and their like, whose bodies are inlined and become the same instructions;
//! `Arrays.copyOf`, whose body allocates inline, which no row does. Each is
//! tested against the body or native that it stands for, which `-XX:-ConcordIntrinsics` compiles
//! (`tests/aids`). Unsafe's accesses are in [`super::unsafe_access`].
use super::known::{Known, known};
use super::{Builder, Flow, Scope, Step};
use crate::ir::state::Reason;
use crate::ir::{BinOp, Cond, Op, Target, Terminator, Ty, UnOp, Value};
use concord_contract::class::ClassRef;
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::Bailout;
use concord_contract::method::{CallKind, acc};
use concord_contract::rows::Row;

impl Builder<'_> {
    /// Translates a call of a known method; None if it is none. The arguments are still on the stack.
    pub(super) fn intrinsic(&mut self, scope: &Scope, call: &CallAnswer) -> Result<Option<Flow>, Bailout> {
        let Some(k) = known(call.method).filter(|_| selects_named(call)) else { return Ok(None) };
        let row = match k {
            Known::Memory(m) => return self.memory_access(scope, call, m).map(Some),
            Known::NewBytes => return self.new_bytes(scope, call),
            Known::NewArray => match self.new_array_of_known(scope, call)? {
                None => Some(Row::NewArrayOf),
                made => return Ok(made),
            },
            // Counts that the code does not know are not of the call at hand.
            Known::Profile if !self.is_constant(self.frame.peek(1)?) => return Ok(None),
            Known::Routine(row) | Known::MayRefuse(row) | Known::TakesNull(row) | Known::Stops(row) => Some(row),
            _ => None,
        };
        if k == Known::AllocateInstance {
            let mirror = self.frame.peek(1)?;
            self.nonnull(scope, mirror);
        }
        if matches!(k, Known::Routine(_) | Known::MayRefuse(_) | Known::Fill | Known::GetChar | Known::PutChar) {
            self.references_nonnull(scope, call)?;
        }
        if k == Known::Fill {
            self.range_fits(scope, call)?;
        }
        if matches!(k, Known::GetChar | Known::PutChar) {
            self.char_fits(scope, call.method.nargs())?;
        }
        let mut args = self.arguments(scope, call)?;
        if let Some(row) = row {
            // Unsafe's own instance is no argument.
            args.drain(..args.len() - row.info().args.len());
        }
        let op = match k {
            Known::Unary(u) => Op::Un(u, args[0]),
            Known::Binary(o) => Op::Bin(o, args[0], args[1]),
            Known::GetClass => Op::GetClass(args[0]),
            Known::ClassKind(bit) => self.class_kind(args[0], bit),
            Known::CurrentThread => Op::CurrentThread,
            Known::IsConstant => Op::Int(self.is_constant(args[0]).into()),
            Known::ArrayCopy => return self.array_copy(scope, call, args).map(Some),
            Known::Fill => return Ok(Some(self.fill(scope, &args))),
            Known::GetChar => self.get_char(call.method, &args),
            Known::PutChar => self.put_char(call.method, &args),
            Known::Profile => {
                self.frame.push(args[0], Ty::Int);
                return Ok(Some(Flow::Next));
            }
            Known::NewArray => return Ok(Some(self.stopping_row(scope, Row::NewArrayOf, args))),
            Known::FullFence => Op::Fence(Vec::new()),
            Known::LoadFence => Op::LoadFence,
            Known::NoFence => return Ok(Some(Flow::Next)),
            Known::TakesNull(Row::IsInstance) => self.instance_of_known(args),
            Known::Routine(row) | Known::TakesNull(row) => Op::Leaf(row, args),
            Known::MayRefuse(row) => return self.may_refuse(scope, call, row, args).map(Some),
            Known::Stops(row) => return Ok(Some(self.stopping_row(scope, row, args))),
            Known::AllocateInstance => return Ok(Some(self.allocate_instance(scope, args[1]))),
            Known::Memory(_) | Known::NewBytes => concord_base::bug!("a method of Unsafe is translated twice"),
        };
        match Ty::of(call.method.ret) {
            Some(ty) => self.constant(op, ty),
            None => self.emit(op),
        }
        Ok(Some(Flow::Next))
    }

    /// Leaves the code if a reference argument is null: what happens then is the method's business.
    fn references_nonnull(&mut self, scope: &Scope, call: &CallAnswer) -> Result<(), Bailout> {
        let mut above = call.method.nargs();
        for t in super::parameters(call.method) {
            let Some(ty) = Ty::of(t) else { continue };
            if ty == Ty::Ref {
                let v = self.frame.peek(above)?;
                self.known_nonnull(scope, v);
            }
            above -= ty.slots();
        }
        Ok(())
    }

    pub(super) fn known_nonnull(&mut self, scope: &Scope, v: Value) {
        if !self.is_nonnull(v) {
            let s = self.before(scope, Reason::ClassCheck);
            self.emit(Op::NullCheck(v, s));
            self.frame.learn_nonnull(v);
        }
    }

    /// A row that gives an object, at which the thread may stop.
    fn stopping_row(&mut self, scope: &Scope, row: Row, args: Vec<Value>) -> Flow {
        let v = self.value_after(scope, Ty::Ref, |s| Op::RowCall(row, args, s));
        self.frame.learn_nonnull(v);
        Flow::Next
    }

    /// An instance of the class that the mirror stands for.
    fn allocate_instance(&mut self, scope: &Scope, mirror: Value) -> Flow {
        let class = self.object(mirror).and_then(|o| o.mirrors);
        // Nobody may make one of these, by whatever way.
        let is_class = |c: ClassRef| c.name.as_bytes() == b"java/lang/Class";
        match class.filter(|c| !is_class(c) && self.env.can_instantiate(scope.method, c)) {
            Some(class) => {
                self.class_used(class);
                let birth = self.env.birth(class);
                let v = self.value_after(scope, Ty::Ref, |s| Op::New(class, birth, s));
                self.made(v, class);
                Flow::Next
            }
            None => self.stopping_row(scope, Row::AllocateInstance, vec![mirror]),
        }
    }
    /// Whether an object is an instance of the class that a mirror stands for.
    fn instance_of_known(&mut self, args: Vec<Value>) -> Op {
        match self.object(args[0]).and_then(|o| o.mirrors) {
            Some(class) if class.is_primitive() => Op::Int(0),
            Some(class) => {
                self.class_used(class);
                Op::InstanceOf(class, args[1])
            }
            None => Op::Leaf(Row::IsInstance, args),
        }
    }

    /// Bit `n` of what a class is.
    fn class_kind(&mut self, mirror: Value, n: u32) -> Op {
        let mut kind = self.value(Op::Leaf(Row::ClassKind, vec![mirror]));
        if n > 0 {
            let n = self.func.int(self.cur, n as i32);
            kind = self.value(Op::Bin(BinOp::Ushr, kind, n));
        }
        let one = self.func.int(self.cur, 1);
        Op::Bin(BinOp::And, kind, one)
    }

    /// Leaves the code if a range that is to be filled does not lie in the array; the method throws.
    fn range_fits(&mut self, scope: &Scope, call: &CallAnswer) -> Result<(), Bailout> {
        let types: Vec<Ty> = super::parameters(call.method).into_iter().filter_map(Ty::of).collect();
        let [_, _, _, value] = types[..] else { return Ok(()) };
        let slots = value.slots();
        let (array, from, to) = (self.frame.peek(slots + 3)?, self.frame.peek(slots + 2)?, self.frame.peek(slots + 1)?);
        let length = self.value(Op::ArrayLength(array));
        let zero = self.func.int(self.cur, 0);
        for (cond, a, b) in [(Cond::Ge, from, zero), (Cond::Le, from, to), (Cond::Le, to, length)] {
            let ok = self.func.cmp(self.cur, cond, a, b);
            let s = self.before(scope, Reason::ClassCheck);
            self.emit(Op::Guard(ok, s));
        }
        Ok(())
    }

    /// Array and value, with a range between them that lies in the array or without.
    fn fill(&mut self, scope: &Scope, args: &[Value]) -> Flow {
        let (array, value) = (args[0], args[args.len() - 1]);
        let (from, to) = match args {
            [_, from, to, _] => (*from, *to),
            _ => (self.func.int(self.cur, 0), self.value(Op::ArrayLength(array))),
        };
        let bits = match self.func.ty(value) {
            Ty::Float => self.value(Op::Un(UnOp::FloatBits, value)),
            Ty::Double => self.value(Op::Un(UnOp::DoubleBits, value)),
            _ => value,
        };
        let wide = if self.func.ty(bits) == Ty::Int { self.value(Op::Un(UnOp::I2L, bits)) } else { bits };
        let s = self.after(scope);
        self.emit(Op::RowCall(Row::Fill, vec![array, from, to, wide], s));
        Flow::Next
    }

    /// The usual copies are made by a leaf routine; it says when the method itself is needed.
    fn array_copy(&mut self, scope: &Scope, call: &CallAnswer, args: Vec<Value>) -> Step {
        let done = self.value(Op::Leaf(Row::ArrayCopy, args.clone()));
        let (slow, on) = (self.func.new_block(), self.func.new_block());
        let to = |block| Target { block, args: Vec::new() };
        self.func.end(self.cur, Terminator::If(done, to(on), to(slow)));
        self.func.blocks[slow.index()].cold = true;
        self.cur = slow;
        self.emit_call(scope, call, args);
        self.func.end(self.cur, Terminator::Jump(to(on)));
        self.cur = on;
        Ok(Flow::Next)
    }

    /// Asks the routine, and calls the method if that refuses.
    fn may_refuse(&mut self, scope: &Scope, call: &CallAnswer, row: Row, args: Vec<Value>) -> Step {
        let v = self.value(Op::Leaf(row, args.clone()));
        let refused = self.func.int(self.cur, i32::MIN);
        let is = self.func.cmp(self.cur, Cond::Eq, v, refused);
        let (slow, on) = (self.func.new_block(), self.func.new_block());
        let result = Ty::of(call.method.ret).map(|ty| self.func.add_param(on, ty));
        let ty = Ty::of(call.method.ret);
        let given = if ty == Some(Ty::Ref) { args[args.len() - 1] } else { v };
        let fast = Target { block: on, args: result.iter().map(|_| given).collect() };
        self.func.end(self.cur, Terminator::If(is, Target { block: slow, args: Vec::new() }, fast));
        self.func.blocks[slow.index()].cold = true;
        self.cur = slow;
        self.emit_call(scope, call, args);
        let from_body = result.map(|_| self.frame.pop(1)).transpose()?;
        self.func.jump(self.cur, on, from_body.into_iter().collect());
        self.cur = on;
        if let (Some(v), Some(ty)) = (result, ty) {
            self.frame.push(v, ty);
        }
        Ok(Flow::Next)
    }
}

/// Whether the call runs the method that it names, and no method that overrides it.
fn selects_named(call: &CallAnswer) -> bool {
    let final_or_direct = !matches!(call.kind, CallKind::Virtual | CallKind::Interface)
        || u32::from(call.method.access()) & acc::FINAL != 0;
    // Arrays override nothing.
    final_or_direct || call.named.is_some_and(|c| c.is_array())
}
