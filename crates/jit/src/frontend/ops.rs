//! Instructions on values, locals and the operand stack; branches, switches and returns.
use super::counting::is_back;
use super::frame::{Edge, Frame};
use super::{Builder, Flow, Scope, Step};
use crate::ir::state::Reason;
use crate::ir::{BinOp, Cond, Op, Resume, Terminator, Ty, UnOp, Value};
use concord_classfile::opcodes::{self, Instruction, op};
use concord_contract::BasicType;
use concord_contract::compiled::Bailout;
use concord_contract::method::mflags;
use concord_contract::rows::Row;

const TYPES: [Ty; 5] = [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Ref];

impl Builder<'_> {
    pub(super) fn simple(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let c = i.opcode;
        match c {
            op::NOP => {}
            op::ACONST_NULL => self.constant(Op::Null, Ty::Ref),
            op::ICONST_M1..=op::ICONST_5 => self.constant(Op::Int(c as i32 - op::ICONST_0 as i32), Ty::Int),
            op::LCONST_0 | op::LCONST_1 => self.constant(Op::Long((c - op::LCONST_0) as i64), Ty::Long),
            op::FCONST_0..=op::FCONST_2 => self.constant(Op::Float(((c - op::FCONST_0) as f32).to_bits()), Ty::Float),
            op::DCONST_0 | op::DCONST_1 => self.constant(Op::Double(((c - op::DCONST_0) as f64).to_bits()), Ty::Double),
            op::BIPUSH | op::SIPUSH => self.constant(Op::Int(i.immediate()), Ty::Int),
            op::ILOAD..=op::ALOAD_3 => {
                let t = if c <= op::ALOAD { c - op::ILOAD } else { (c - op::ILOAD_0) / 4 };
                self.load_local(i, TYPES[t as usize])?;
            }
            op::ISTORE..=op::ASTORE_3 => {
                let t = if c <= op::ASTORE { c - op::ISTORE } else { (c - op::ISTORE_0) / 4 };
                let ty = TYPES[t as usize];
                let v = self.frame.pop(ty.slots())?;
                self.frame.set_local(local(i)?, v, ty);
            }
            op::POP..=op::SWAP => self.shuffle(c),
            op::IADD..=op::LXOR => return self.arithmetic(scope, c),
            op::IINC => {
                let n = local(i)?;
                let v = self.local_value(n)?;
                let by = self.func.int(self.cur, i.immediate());
                let v = self.func.bin(self.cur, BinOp::Add, v, by);
                self.frame.set_local(n, v, Ty::Int);
            }
            op::I2L..=op::I2S => self.convert(c)?,
            op::LCMP..=op::DCMPG => {
                let slots = if matches!(c, op::FCMPL | op::FCMPG) { 1 } else { 2 };
                let (b, a) = (self.frame.pop(slots)?, self.frame.pop(slots)?);
                let nan = match c {
                    op::LCMP => 0,
                    op::FCMPL | op::DCMPL => -1,
                    _ => 1,
                };
                self.constant(Op::Cmp3(a, b, nan), Ty::Int);
            }
            op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => return self.branch(scope, i),
            op::GOTO | op::GOTO_W => {
                let to = scope.blocks.at(i.target())?;
                self.poll_back(scope, &[to]);
                self.jump_counted(scope, i, to)?;
                return Ok(Flow::End);
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => return self.switch(scope, i),
            op::IRETURN..=op::RETURN => return self.ret(scope, c),
            _ => {
                let name = opcodes::info(c).map_or("an unknown bytecode", |r| r.name);
                return Err(Bailout::Unsupported(name.into()));
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn constant(&mut self, op: Op, ty: Ty) {
        let v = self.value(op);
        self.frame.push(v, ty);
    }
    pub(super) fn local_value(&self, n: u16) -> Result<Value, Bailout> {
        let v = self.frame.locals.get(n as usize).copied().flatten();
        v.ok_or_else(|| Bailout::Unsupported(format!("local {n} is read and holds conflicting types")))
    }
    fn load_local(&mut self, i: &Instruction, ty: Ty) -> Result<(), Bailout> {
        let v = self.local_value(local(i)?)?;
        if self.func.ty(v) != ty {
            return Err(Bailout::Unsupported("a local is read as another type".into()));
        }
        self.frame.push(v, ty);
        Ok(())
    }

    /// pop to swap, on slots.
    fn shuffle(&mut self, c: u8) {
        let s = &mut self.frame.stack;
        let n = s.len();
        match c {
            op::POP => s.truncate(n - 1),
            op::POP2 => s.truncate(n - 2),
            op::DUP => s.extend_from_within(n - 1..),
            op::DUP2 => s.extend_from_within(n - 2..),
            op::SWAP => s.swap(n - 1, n - 2),
            // The top slots go below what is under them as well.
            _ => {
                let (top, under) = match c {
                    op::DUP_X1 => (1, 1),
                    op::DUP_X2 => (1, 2),
                    op::DUP2_X1 => (2, 1),
                    _ => (2, 2),
                };
                let copy: Vec<_> = s[n - top..].to_vec();
                s.splice(n - top - under..n - top - under, copy);
            }
        }
    }

    fn arithmetic(&mut self, scope: &Scope, c: u8) -> Step {
        use BinOp::*;
        // Rows of four types up to ineg, of two from ishl on.
        let (bin, ty) = match c {
            op::IADD..=op::DNEG => {
                let row = [Some(Add), Some(Sub), Some(Mul), Some(Div), Some(Rem), None][((c - op::IADD) / 4) as usize];
                (row, TYPES[((c - op::IADD) % 4) as usize])
            }
            _ => {
                let row = [Shl, Shr, Ushr, And, Or, Xor][((c - op::ISHL) / 2) as usize];
                (Some(row), TYPES[((c - op::ISHL) % 2) as usize])
            }
        };
        let Some(bin) = bin else {
            let a = self.frame.pop(ty.slots())?;
            self.constant(Op::Un(UnOp::Neg, a), ty);
            return Ok(Flow::Next);
        };
        if matches!(bin, Div | Rem) && matches!(ty, Ty::Int | Ty::Long) {
            self.check_divisor(scope, ty)?;
        }
        let shift = matches!(bin, Shl | Shr | Ushr);
        let b = self.frame.pop(if shift { 1 } else { ty.slots() })?;
        let a = self.frame.pop(ty.slots())?;
        self.constant(Op::Bin(bin, a, b), ty);
        Ok(Flow::Next)
    }
    fn check_divisor(&mut self, scope: &Scope, ty: Ty) -> Result<(), Bailout> {
        let d = self.frame.peek(ty.slots())?;
        if self.known_nonzero(d) {
            return Ok(());
        }
        let zero = self.value(if ty == Ty::Int { Op::Int(0) } else { Op::Long(0) });
        let ok = self.func.cmp(self.cur, Cond::Ne, d, zero);
        if self.hot_trap(scope, Reason::DivByZero) {
            self.or_throw(scope, ok, Row::ThrowDivByZero, vec![]);
        } else {
            let s = self.before(scope, Reason::DivByZero);
            self.emit(Op::Guard(ok, s));
        }
        Ok(())
    }
    /// Whether the value is a constant of this block other than 0.
    fn known_nonzero(&self, v: Value) -> bool {
        matches!(self.made_here(v), Some(Op::Int(n)) if *n != 0)
            || matches!(self.made_here(v), Some(Op::Long(n)) if *n != 0)
    }
    /// The instruction of the block at hand that makes the value.
    pub(super) fn made_here(&self, v: Value) -> Option<&Op> {
        let insts = &self.func.block(self.cur).insts;
        insts.iter().rev().find(|i| i.result == Some(v)).map(|i| &i.op)
    }
    /// What a comparison of constants gives, and of null with what is not null: what is not reached
    /// needs no translation.
    fn known_outcome(&self, cond: Cond, a: Value, b: Value) -> Option<bool> {
        if let (Some(x), Some(y)) = (self.number(a), self.number(b)) {
            return Some(cond.holds(&x, &y));
        }
        match (self.made_here(a), self.made_here(b)) {
            (Some(Op::Null), Some(Op::Null)) => Some(cond == Cond::Eq),
            (_, Some(Op::Null)) if self.is_nonnull(a) => Some(cond == Cond::Ne),
            _ => self.same(a, b).map(|same| same == (cond == Cond::Eq)),
        }
    }

    /// Whether the value is 0 or 1.
    fn is_bit(&self, v: Value) -> bool {
        self.number(v).is_some_and(|n| n == 0 || n == 1)
    }

    fn convert(&mut self, c: u8) -> Result<(), Bailout> {
        use UnOp::*;
        let (u, from, to) = match c {
            op::I2L => (I2L, Ty::Int, Ty::Long),
            op::I2F => (I2F, Ty::Int, Ty::Float),
            op::I2D => (I2D, Ty::Int, Ty::Double),
            op::L2I => (L2I, Ty::Long, Ty::Int),
            op::L2F => (L2F, Ty::Long, Ty::Float),
            op::L2D => (L2D, Ty::Long, Ty::Double),
            op::F2I => (F2I, Ty::Float, Ty::Int),
            op::F2L => (F2L, Ty::Float, Ty::Long),
            op::F2D => (F2D, Ty::Float, Ty::Double),
            op::D2I => (D2I, Ty::Double, Ty::Int),
            op::D2L => (D2L, Ty::Double, Ty::Long),
            op::D2F => (D2F, Ty::Double, Ty::Float),
            op::I2B => (I2B, Ty::Int, Ty::Int),
            op::I2C => (I2C, Ty::Int, Ty::Int),
            _ => (I2S, Ty::Int, Ty::Int),
        };
        let v = self.frame.pop(from.slots())?;
        self.constant(Op::Un(u, v), to);
        Ok(())
    }

    /// Polls if one of the blocks is behind: the interpreter goes on at the jump itself.
    fn poll_back(&mut self, scope: &Scope, to: &[usize]) {
        if to.iter().any(|b| self.is_back(scope, *b)) {
            let s = self.before(scope, Reason::AfterCall);
            self.emit(Op::Poll(s));
        }
    }

    fn branch(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        const CONDS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le];
        let (yes, no) = (scope.blocks.at(i.target())?, scope.blocks.at(i.next() as i64)?);
        self.poll_back(scope, &[yes, no]);
        let (cond, a, b) = match i.opcode {
            op::IFEQ..=op::IFLE => {
                let a = self.frame.pop(1)?;
                (CONDS[(i.opcode - op::IFEQ) as usize], a, self.func.int(self.cur, 0))
            }
            op::IF_ICMPEQ..=op::IF_ACMPNE => {
                let (b, a) = (self.frame.pop(1)?, self.frame.pop(1)?);
                (CONDS[((i.opcode - op::IF_ICMPEQ) % 6) as usize], a, b)
            }
            _ => {
                let a = self.frame.pop(1)?;
                let null = self.value(Op::Null);
                (if i.opcode == op::IFNULL { Cond::Eq } else { Cond::Ne }, a, null)
            }
        };
        if let Some(holds) = self.known_outcome(cond, a, b) {
            self.arm_counted(scope, i, if holds { yes } else { no }, holds)?;
            return Ok(Flow::End);
        }
        let c = self.func.cmp(self.cur, cond, a, b);
        // Not equal to null, or not: the side on which the reference is not null.
        let not_null = matches!(self.made_here(b), Some(Op::Null)).then_some((cond == Cond::Ne, a));
        if self.counts_branch(scope, i, yes) {
            self.branch_counted(scope, i, c, [yes, no], not_null)?;
            return Ok(Flow::End);
        }
        let t = (self.target(scope, yes), self.target(scope, no));
        self.func.end(self.cur, Terminator::If(c, t.0, t.1));
        for (which, to) in [yes, no].into_iter().enumerate() {
            let frame = self.frame_of_arm(which == 0, not_null);
            scope.joins[to].add(&mut self.func, Edge { from: self.cur, which, frame })?;
        }
        Ok(Flow::End)
    }

    /// The frame on one side of a branch, knowing on which side a reference is not null.
    pub(super) fn frame_of_arm(&self, taken: bool, not_null: Option<(bool, Value)>) -> Frame {
        let mut frame = self.frame.clone();
        if let Some((_, v)) = not_null.filter(|(side, v)| *side == taken && !frame.nonnull.contains(v)) {
            frame.learn_nonnull(v);
        }
        frame
    }

    fn switch(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let Some(s) = i.switch() else { return Err(Bailout::Unsupported("a malformed switch".into())) };
        let default = scope.blocks.at(s.default)?;
        let mut cases = Vec::new();
        for (key, at) in s.cases() {
            let b = scope.blocks.at(at)?;
            if b != default {
                cases.push((key, b));
            }
        }
        cases.sort_by_key(|c| c.0);
        let blocks: Vec<usize> = cases.iter().map(|c| c.1).chain([default]).collect();
        self.poll_back(scope, &blocks);
        let v = self.frame.pop(1)?;
        if scope.counters.is_some() && blocks.iter().any(|b| is_back(scope, i, *b)) {
            self.switch_counted(scope, i, v, &cases, default)?;
            return Ok(Flow::End);
        }
        let targets = cases.iter().map(|(k, b)| (*k, self.target(scope, *b))).collect();
        let d = self.target(scope, default);
        self.end_with(scope, Terminator::Switch(v, targets, d), &blocks)?;
        Ok(Flow::End)
    }

    fn ret(&mut self, scope: &mut Scope, c: u8) -> Step {
        let m = scope.method;
        if self.frame.monitors.len() != m.is_synchronized() as usize {
            // Locks that the method leaves held: the interpreter throws.
            return self.trap(scope, Reason::Unsupported);
        }
        let mut v = match c {
            op::RETURN => None,
            op::LRETURN | op::DRETURN => Some(self.frame.peek(2)?),
            _ => Some(self.frame.peek(1)?),
        };
        if m.has(mflags::OBJECT_INIT)
            && let Some(this) = scope.receiver.filter(|v| !self.is_unfinalizable(*v))
        {
            let s = self.state_at(scope, scope.instruction, Resume::Leaving, Reason::AfterCall);
            self.emit(Op::RegisterFinalizer(this, s));
        }
        let narrow = match m.ret {
            BasicType::Boolean => Some(UnOp::I2Z),
            BasicType::Byte => Some(UnOp::I2B),
            BasicType::Char => Some(UnOp::I2C),
            BasicType::Short => Some(UnOp::I2S),
            _ => None,
        };
        if let (Some(x), Some(u)) = (v, narrow.filter(|_| !v.is_some_and(|x| self.is_bit(x)))) {
            v = Some(self.value(Op::Un(u, x)));
        }
        if let Some(lock) = self.frame.monitors.pop() {
            let s = self.state_at(scope, scope.instruction, Resume::Leaving, Reason::AfterCall);
            self.emit(Op::MonitorExit(lock, s));
        }
        match scope.caller {
            None => self.func.end(self.cur, Terminator::Return(v)),
            Some((_, behind)) => {
                scope.returns.push(self.cur);
                scope.results.extend(v);
                self.func.jump(self.cur, behind, v.into_iter().collect())
            }
        }
        Ok(Flow::End)
    }
}

pub(super) fn local(i: &Instruction) -> Result<u16, Bailout> {
    i.local().ok_or_else(|| Bailout::Unsupported("a malformed local variable instruction".into()))
}
