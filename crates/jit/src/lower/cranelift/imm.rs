//! Constants that end as operands of other instructions.
//!
//! Invariant: a constant made here is used only where the code generator takes it into the
//! instruction, so it never holds a register; each is made once, in the entry block.
use super::body::Body;
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

impl Body<'_> {
    fn operand(&mut self, x: Value, n: i64) -> Value {
        let ty = self.b.func.dfg.value_type(x);
        if i32::try_from(n).is_err() {
            return self.b.ins().iconst(ty, n);
        }
        let n = match ty {
            types::I8 => n as u8 as i64,
            types::I32 => n as u32 as i64,
            _ => n,
        };
        if let Some((_, _, v)) = self.operands.iter().find(|o| (o.0, o.1) == (ty, n)) {
            return *v;
        }
        let v = self.at_entry(ty, n);
        self.operands.push((ty, n, v));
        v
    }
    fn at_entry(&mut self, ty: Type, n: i64) -> Value {
        let entry = self.b.func.layout.entry_block();
        let here = self.b.current_block();
        match entry.and_then(|e| self.b.func.layout.first_inst(e)) {
            Some(first) if entry != here => FuncCursor::new(self.b.func).at_inst(first).ins().iconst(ty, n),
            _ => self.b.ins().iconst(ty, n),
        }
    }
    pub fn shl(&mut self, x: Value, n: i64) -> Value {
        let n = self.operand(x, n);
        self.b.ins().ishl(x, n)
    }
    /// Without sign.
    pub fn shr(&mut self, x: Value, n: i64) -> Value {
        let n = self.operand(x, n);
        self.b.ins().ushr(x, n)
    }
    /// With sign.
    pub fn sar(&mut self, x: Value, n: i64) -> Value {
        let n = self.operand(x, n);
        self.b.ins().sshr(x, n)
    }
    pub fn and(&mut self, x: Value, n: i64) -> Value {
        let n = self.operand(x, n);
        self.b.ins().band(x, n)
    }
    pub fn or(&mut self, x: Value, n: i64) -> Value {
        let n = self.operand(x, n);
        self.b.ins().bor(x, n)
    }
    pub fn add(&mut self, x: Value, n: i64) -> Value {
        let n = self.operand(x, n);
        self.b.ins().iadd(x, n)
    }
    pub fn compare(&mut self, cond: IntCC, x: Value, n: i64) -> Value {
        let n = self.operand(x, n);
        self.b.ins().icmp(cond, x, n)
    }
}
