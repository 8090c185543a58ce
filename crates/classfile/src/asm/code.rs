//! Owns the writing of one Code attribute: instructions, labels, handlers, frames.

use super::{Counted, Pool};
use crate::opcodes::op;

/// A place in the code, to be bound once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// A verification type of a frame. `Obj` names a class or an array's descriptor.
#[derive(Clone, Copy, Debug)]
pub enum V<'s> {
    Top,
    Int,
    Float,
    Double,
    Long,
    Null,
    UninitThis,
    Obj(&'s str),
    /// Index of its `new`.
    Uninit(u16),
}

/// Code under construction.
pub struct Code<'p> {
    pub pool: &'p mut Pool,
    max_stack: u16,
    max_locals: u16,
    bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    /// Instruction, place of the offset in it, target, four bytes wide.
    fixups: Vec<(usize, usize, Label, bool)>,
    handlers: Vec<(Label, Label, Label, u16)>,
    frames: Counted,
    last_frame: Option<usize>,
}

impl<'p> Code<'p> {
    pub(super) fn new(pool: &'p mut Pool) -> Self {
        Code {
            pool,
            max_stack: 0,
            max_locals: 0,
            bytes: Vec::new(),
            labels: Vec::new(),
            fixups: Vec::new(),
            handlers: Vec::new(),
            frames: Counted::default(),
            last_frame: None,
        }
    }

    pub fn limits(&mut self, max_stack: u16, max_locals: u16) -> &mut Self {
        (self.max_stack, self.max_locals) = (max_stack, max_locals);
        self
    }
    /// Index of the next instruction.
    pub fn here(&self) -> u16 {
        u16::try_from(self.bytes.len()).expect("code is too long")
    }
    pub fn op(&mut self, opcode: u8) -> &mut Self {
        self.bytes.push(opcode);
        self
    }
    pub fn u1(&mut self, v: u8) -> &mut Self {
        self.bytes.push(v);
        self
    }
    pub fn u2(&mut self, v: u16) -> &mut Self {
        self.bytes.extend(v.to_be_bytes());
        self
    }
    pub fn u4(&mut self, v: i32) -> &mut Self {
        self.bytes.extend(v.to_be_bytes());
        self
    }
    /// An instruction on a local variable, widened if need be.
    pub fn local(&mut self, opcode: u8, index: u16) -> &mut Self {
        match u8::try_from(index) {
            Ok(index) => self.op(opcode).u1(index),
            Err(_) => self.op(op::WIDE).op(opcode).u2(index),
        }
    }
    /// An instruction with a pool index of two bytes.
    pub fn cp(&mut self, opcode: u8, index: u16) -> &mut Self {
        self.op(opcode).u2(index)
    }
    /// `new`, `anewarray`, `checkcast`, `instanceof`.
    pub fn class(&mut self, opcode: u8, name: &str) -> &mut Self {
        let index = self.pool.class(name);
        self.cp(opcode, index)
    }
    pub fn field(&mut self, opcode: u8, class: &str, name: &str, desc: &str) -> &mut Self {
        let index = self.pool.field(class, name, desc);
        self.cp(opcode, index)
    }
    /// A call; of `invokeinterface` the count is computed.
    pub fn method(&mut self, opcode: u8, class: &str, name: &str, desc: &str) -> &mut Self {
        if opcode != op::INVOKEINTERFACE {
            let index = self.pool.method(class, name, desc);
            return self.cp(opcode, index);
        }
        let index = self.pool.interface_method(class, name, desc);
        let slots = crate::descriptor::MethodDescriptor::new(desc.as_bytes()).map_or(0, |d| d.param_slots());
        self.cp(opcode, index).u1(slots as u8 + 1).u1(0)
    }
    pub fn ldc_string(&mut self, text: &str) -> &mut Self {
        let index = self.pool.string(text);
        self.cp(op::LDC_W, index)
    }
    pub fn ldc_int(&mut self, v: i32) -> &mut Self {
        let index = self.pool.int(v);
        self.cp(op::LDC_W, index)
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }
    /// Binds `label` to the next instruction.
    pub fn bind(&mut self, label: Label) -> &mut Self {
        assert!(self.labels[label.0].is_none(), "label is bound twice");
        self.labels[label.0] = Some(self.bytes.len());
        self
    }
    /// A label bound to the next instruction.
    pub fn bound(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }
    /// A branch.
    pub fn jump(&mut self, opcode: u8, target: Label) -> &mut Self {
        let at = self.bytes.len();
        let wide = matches!(opcode, op::GOTO_W | op::JSR_W);
        self.fixups.push((at, at + 1, target, wide));
        self.op(opcode);
        if wide { self.u4(0) } else { self.u2(0) }
    }
    fn switch_target(&mut self, at: usize, target: Label) {
        self.fixups.push((at, self.bytes.len(), target, true));
        self.u4(0);
    }
    fn switch_head(&mut self, opcode: u8, default: Label) -> usize {
        let at = self.bytes.len();
        self.op(opcode);
        while !self.bytes.len().is_multiple_of(4) {
            self.u1(0);
        }
        self.switch_target(at, default);
        at
    }
    pub fn tableswitch(&mut self, low: i32, targets: &[Label], default: Label) -> &mut Self {
        let at = self.switch_head(op::TABLESWITCH, default);
        self.u4(low).u4(low + targets.len() as i32 - 1);
        targets.iter().for_each(|&t| self.switch_target(at, t));
        self
    }
    pub fn lookupswitch(&mut self, rows: &[(i32, Label)], default: Label) -> &mut Self {
        let at = self.switch_head(op::LOOKUPSWITCH, default);
        self.u4(rows.len() as i32);
        for &(key, target) in rows {
            self.u4(key);
            self.switch_target(at, target);
        }
        self
    }

    /// A row of the exception table; an empty `class` catches everything.
    pub fn handler(&mut self, start: Label, end: Label, handler: Label, class: &str) -> &mut Self {
        let class = if class.is_empty() { 0 } else { self.pool.class(class) };
        self.handlers.push((start, end, handler, class));
        self
    }

    /// A full frame before the next instruction.
    pub fn frame(&mut self, locals: &[V<'_>], stack: &[V<'_>]) -> &mut Self {
        let here = self.bytes.len();
        let delta = self.last_frame.map_or(here, |last| here - last - 1);
        self.last_frame = Some(here);
        let mut body = vec![255];
        body.extend((delta as u16).to_be_bytes());
        for list in [locals, stack] {
            body.extend((list.len() as u16).to_be_bytes());
            for t in list {
                body.push(match t {
                    V::Top => 0,
                    V::Int => 1,
                    V::Float => 2,
                    V::Double => 3,
                    V::Long => 4,
                    V::Null => 5,
                    V::UninitThis => 6,
                    V::Obj(_) => 7,
                    V::Uninit(_) => 8,
                });
                match *t {
                    V::Obj(name) => body.extend(self.pool.class(name).to_be_bytes()),
                    V::Uninit(bci) => body.extend(bci.to_be_bytes()),
                    _ => {}
                }
            }
        }
        self.frames.push(&body);
        self
    }

    fn place(&self, label: Label) -> usize {
        self.labels[label.0].expect("label is bound")
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        for (at, place, target, wide) in std::mem::take(&mut self.fixups) {
            let offset = self.place(target) as i64 - at as i64;
            if wide {
                self.bytes[place..place + 4].copy_from_slice(&(offset as i32).to_be_bytes());
            } else {
                let offset = i16::try_from(offset).expect("branch is too far");
                self.bytes[place..place + 2].copy_from_slice(&offset.to_be_bytes());
            }
        }
        let mut out = [self.max_stack, self.max_locals].map(u16::to_be_bytes).concat();
        out.extend((self.bytes.len() as u32).to_be_bytes());
        out.extend(&self.bytes);
        out.extend((self.handlers.len() as u16).to_be_bytes());
        for &(start, end, handler, class) in &self.handlers {
            let [start, end, handler] = [start, end, handler].map(|l| self.place(l) as u16);
            out.extend([start, end, handler, class].map(u16::to_be_bytes).concat());
        }
        let mut attributes = Counted::default();
        if self.frames.count > 0 {
            let mut body = Vec::new();
            self.frames.write(&mut body);
            attributes.push(&super::attribute(self.pool, "StackMapTable", &body));
        }
        attributes.write(&mut out);
        out
    }
}
