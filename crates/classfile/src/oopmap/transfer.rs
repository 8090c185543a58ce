//! Owns the effect of one instruction on a state. All stack motion goes through `pop`/`push`,
//! which check the limits, so no code however bad reaches outside of the state's words.

use super::view::CodeView;
use crate::descriptor::{BasicType, MethodDescriptor, field_kind};
use crate::opcodes::{BadCode, Instruction, op};

/// What is known before an instruction.
pub(super) struct State<'s> {
    pub refs: &'s mut [u64],
    /// Empty for methods without subroutines.
    pub maybe: &'s mut [u64],
    pub depth: usize,
    pub max_locals: usize,
    pub max_stack: usize,
}

/// What one step did.
pub(super) struct Step<'a> {
    pub instruction: Instruction<'a>,
    pub next: usize,
    /// First local and number of locals written.
    pub written: Option<(usize, usize)>,
}

type Fault = &'static str;

impl State<'_> {
    #[inline]
    fn get(&self, slot: usize) -> bool {
        self.refs[slot / 64] >> (slot % 64) & 1 != 0
    }
    #[inline]
    fn set(&mut self, slot: usize, is_ref: bool) {
        let (word, bit) = (slot / 64, 1u64 << (slot % 64));
        if is_ref {
            self.refs[word] |= bit;
        } else {
            self.refs[word] &= !bit;
        }
        if !self.maybe.is_empty() {
            self.maybe[word] &= !bit;
        }
    }
    #[inline]
    fn pop(&mut self, slots: usize) -> Result<(), Fault> {
        if self.depth < slots {
            return Err("operand stack underflow");
        }
        for _ in 0..slots {
            self.depth -= 1;
            // Slots above the depth stay clear, so that states compare word by word.
            self.set(self.max_locals + self.depth, false);
        }
        Ok(())
    }
    #[inline]
    fn push(&mut self, slots: usize, is_ref: bool) -> Result<(), Fault> {
        if self.depth + slots > self.max_stack {
            return Err("operand stack overflow");
        }
        if is_ref {
            self.set(self.max_locals + self.depth, true);
        }
        self.depth += slots;
        Ok(())
    }
    fn push_kind(&mut self, kind: BasicType) -> Result<(), Fault> {
        self.push(kind.slots(), kind.is_reference())
    }
    /// Pops one slot and tells whether it was a reference.
    #[inline]
    fn take(&mut self) -> Result<bool, Fault> {
        let is_ref = self.depth > 0 && self.get(self.max_locals + self.depth - 1);
        self.pop(1)?;
        Ok(is_ref)
    }
    fn store(&mut self, local: usize, slots: usize, is_ref: bool) -> Result<(), Fault> {
        if local + slots > self.max_locals {
            return Err("local variable index beyond max_locals");
        }
        for slot in local..local + slots {
            self.set(slot, is_ref);
        }
        Ok(())
    }
    /// Repeats the top `count` slots below the `skip` slots under them.
    fn duplicate(&mut self, count: usize, skip: usize) -> Result<(), Fault> {
        let mut moved = [false; 4];
        let total = count + skip;
        for kind in moved[..total].iter_mut().rev() {
            *kind = self.take()?;
        }
        let (below, top) = moved[..total].split_at(skip);
        for &kind in top.iter().chain(below).chain(top) {
            self.push(1, kind)?;
        }
        Ok(())
    }
    fn invoke(&mut self, desc: Option<&[u8]>, has_receiver: bool) -> Result<(), Fault> {
        let Some(desc) = desc.and_then(MethodDescriptor::new) else {
            return Err("call of a constant that is no method");
        };
        self.pop(desc.param_slots() + usize::from(has_receiver))?;
        self.push_kind(desc.ret())
    }
}

/// Executes the instruction at `bci`. A return address pushed by `jsr` is no reference.
#[inline]
pub(super) fn step<'a>(view: &CodeView<'a>, bci: usize, state: &mut State<'_>) -> Result<Step<'a>, BadCode> {
    let instruction = Instruction::decode(view.code, bci)?;
    match effect(view, &instruction, state) {
        Ok(written) => Ok(Step { next: instruction.next(), instruction, written }),
        Err(why) => Err(BadCode { bci, why }),
    }
}

#[inline]
fn effect(view: &CodeView<'_>, i: &Instruction<'_>, state: &mut State<'_>) -> Result<Option<(usize, usize)>, Fault> {
    let row = i.info();
    let opcode = i.opcode;
    if let op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3 = opcode {
        let local = usize::from(i.local().unwrap_or(0));
        let slots = usize::from(row.pop_slots);
        // astore also stores return addresses: the kind is that of the value.
        let is_ref = state.take()?;
        state.pop(slots - 1)?;
        state.store(local, slots, is_ref)?;
        return Ok(Some((local, slots)));
    }
    if !row.varies {
        state.pop(usize::from(row.pop_slots))?;
        state.push(usize::from(row.push_slots), row.pushes_reference)?;
        return Ok(None);
    }
    match opcode {
        op::LDC | op::LDC_W | op::LDC2_W => {
            let kind = view.pool.constant_kind(i.cp()).ok_or("load of a constant that cannot be loaded")?;
            state.push_kind(kind)?;
        }
        op::POP => state.pop(1)?,
        op::POP2 => state.pop(2)?,
        op::DUP => state.duplicate(1, 0)?,
        op::DUP_X1 => state.duplicate(1, 1)?,
        op::DUP_X2 => state.duplicate(1, 2)?,
        op::DUP2 => state.duplicate(2, 0)?,
        op::DUP2_X1 => state.duplicate(2, 1)?,
        op::DUP2_X2 => state.duplicate(2, 2)?,
        op::SWAP => {
            let (top, below) = (state.take()?, state.take()?);
            state.push(1, top)?;
            state.push(1, below)?;
        }
        op::JSR | op::JSR_W => state.push(1, false)?,
        op::GETSTATIC | op::GETFIELD | op::PUTSTATIC | op::PUTFIELD => {
            let desc = view.pool.field_descriptor(i.cp()).ok_or("access to a constant that is no field")?;
            let kind = field_kind(desc);
            match opcode {
                op::GETSTATIC => state.push_kind(kind)?,
                op::GETFIELD => {
                    state.pop(1)?;
                    state.push_kind(kind)?;
                }
                op::PUTSTATIC => state.pop(kind.slots())?,
                _ => state.pop(kind.slots() + 1)?,
            }
        }
        op::INVOKESTATIC | op::INVOKEDYNAMIC => state.invoke(view.pool.method_descriptor(i.cp()), false)?,
        op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKEINTERFACE => {
            state.invoke(view.pool.method_descriptor(i.cp()), true)?;
        }
        op::MULTIANEWARRAY => {
            state.pop(usize::from(i.count()))?;
            state.push(1, true)?;
        }
        _ => return Err("bytecode without a rule for reference maps"),
    }
    Ok(None)
}
