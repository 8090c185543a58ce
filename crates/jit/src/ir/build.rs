//! Appending to a function under construction.
//!
//! Invariant: a value is made together with the one instruction or block parameter that defines it.
use super::{BinOp, FrameState, StateId};
use super::{Block, BlockData, Cond, FCond, Func, Inst, Mem, Op, Target, Terminator, Ty, UnOp, Value};

impl Func {
    pub fn new_block(&mut self) -> Block {
        self.blocks.push(BlockData::default());
        Block(self.blocks.len() as u32 - 1)
    }
    pub fn new_value(&mut self, ty: Ty) -> Value {
        self.types.push(ty);
        Value(self.types.len() as u32 - 1)
    }
    pub fn add_param(&mut self, b: Block, ty: Ty) -> Value {
        let v = self.new_value(ty);
        self.blocks[b.index()].params.push(v);
        v
    }
    pub fn add_state(&mut self, s: FrameState) -> StateId {
        self.states.push(s);
        StateId(self.states.len() as u32 - 1)
    }
    /// The type of the result of `op`; None if it has none.
    pub fn result_type(&self, op: &Op) -> Option<Ty> {
        match op {
            Op::Bin(_, a, _) => Some(self.ty(*a)),
            Op::Un(u, a) => Some(match u {
                UnOp::Neg | UnOp::Sqrt | UnOp::Abs | UnOp::Floor | UnOp::Ceil | UnOp::Rint | UnOp::ReverseBytes => {
                    self.ty(*a)
                }
                UnOp::I2L | UnOp::F2L | UnOp::D2L | UnOp::DoubleBits => Ty::Long,
                UnOp::I2F | UnOp::L2F | UnOp::D2F | UnOp::BitsFloat => Ty::Float,
                UnOp::I2D | UnOp::L2D | UnOp::F2D | UnOp::BitsDouble => Ty::Double,
                UnOp::L2I
                | UnOp::F2I
                | UnOp::D2I
                | UnOp::I2B
                | UnOp::I2C
                | UnOp::I2S
                | UnOp::I2Z
                | UnOp::FloatBits
                | UnOp::LeadingZeros
                | UnOp::TrailingZeros
                | UnOp::BitCount => Ty::Int,
            }),
            _ => op.fixed_type(),
        }
    }
    /// Appends an instruction whose result type follows from it.
    pub fn push(&mut self, b: Block, op: Op) -> Option<Value> {
        let ty = self.result_type(&op);
        let result = ty.map(|t| self.new_value(t));
        self.blocks[b.index()].insts.push(Inst { op, result, owes_fence: false });
        result
    }
    /// The same to a list that will be a block's.
    pub fn emit(&mut self, to: &mut Vec<Inst>, op: Op) -> Value {
        let ty = self.result_type(&op);
        let Some(ty) = ty else { concord_base::bug!("an instruction without a value is used as one") };
        let v = self.new_value(ty);
        to.push(Inst { op, result: Some(v), owes_fence: false });
        v
    }
    /// Appends an instruction that has a value.
    pub fn value(&mut self, b: Block, op: Op) -> Value {
        match self.push(b, op) {
            Some(v) => v,
            None => concord_base::bug!("an instruction without a value is used as one"),
        }
    }
    /// Appends a parameter, or a local of the interpreter's frame, which have no type of their own.
    pub fn typed(&mut self, b: Block, op: Op, ty: Ty) -> Value {
        let v = self.new_value(ty);
        self.blocks[b.index()].insts.push(Inst { op, result: Some(v), owes_fence: false });
        v
    }
    pub fn int(&mut self, b: Block, n: i32) -> Value {
        self.value(b, Op::Int(n))
    }
    pub fn bin(&mut self, b: Block, op: BinOp, x: Value, y: Value) -> Value {
        self.value(b, Op::Bin(op, x, y))
    }
    pub fn cmp(&mut self, b: Block, c: Cond, x: Value, y: Value) -> Value {
        self.value(b, Op::Cmp(c, x, y))
    }
    pub fn fcmp(&mut self, b: Block, c: FCond, x: Value, y: Value) -> Value {
        self.value(b, Op::FCmp(c, x, y))
    }
    pub fn load_field(&mut self, b: Block, o: Value, offset: u32, mem: Mem) -> Value {
        self.value(b, Op::LoadField(o, offset, mem))
    }
    pub fn end(&mut self, b: Block, t: Terminator) {
        self.blocks[b.index()].end = t;
    }
    pub fn jump(&mut self, b: Block, to: Block, args: Vec<Value>) {
        self.end(b, Terminator::Jump(Target { block: to, args }));
    }
}
