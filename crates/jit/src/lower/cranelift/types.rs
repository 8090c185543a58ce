//! Type tests.
//!
//! Classes are compared, never layout ids: a class may have several layouts in the course of its life.
//! A class that is no interface is found with one load at its depth in the display; the rest asks a
//! leaf row.
use super::body::{Body, flags};
use crate::ir::{Op, Value as V};
use concord_contract::class::{Class, ClassKind, ClassRef, DISPLAY};
use concord_contract::compiled::offset;
use concord_contract::rows::Row;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use std::mem::offset_of;

const FINAL: u16 = 0x10;

impl Body<'_> {
    /// 0 or 1 as an int.
    pub fn type_test(&mut self, op: &Op) -> Value {
        match op {
            Op::InstanceOf(c, o) => self.test(c, *o, 0),
            Op::CanCast(c, o) => self.test(c, *o, 1),
            Op::IsExactly(c, o) => {
                let o = self.get(*o);
                let k = self.class_of(o);
                let is = self.same_class(k, c);
                self.b.ins().uextend(types::I32, is)
            }
            Op::CanStore(a, v) => self.can_store(*a, *v),
            _ => concord_base::bug!("{op} is no type test"),
        }
    }
    fn same_class(&mut self, k: Value, c: ClassRef) -> Value {
        let want = self.iconst(std::ptr::from_ref(c) as i64);
        self.b.ins().icmp(IntCC::Equal, k, want)
    }
    /// A join with an int parameter.
    fn join(&mut self) -> (Block, Value) {
        let b = self.b.create_block();
        let v = self.b.append_block_param(b, types::I32);
        (b, v)
    }
    fn jump_with(&mut self, b: Block, x: Value) {
        self.b.ins().jump(b, &[BlockArg::Value(x)]);
    }

    fn test(&mut self, c: ClassRef, o: V, if_null: i32) -> Value {
        let o = self.get(o);
        let (join, result) = self.join();
        let some = self.b.create_block();
        let null = self.iconst32(if_null);
        self.b.ins().brif(o, some, &[], join, &[BlockArg::Value(null)]);
        self.enter(some);
        let k = self.class_of(o);
        let is = if c.kind == ClassKind::Instance && !c.is_interface() && (c.depth as usize) < DISPLAY {
            if c.access_flags & FINAL != 0 {
                let x = self.same_class(k, c);
                self.b.ins().uextend(types::I32, x)
            } else {
                let at = offset::CLASS_DISPLAY + 8 * c.depth as i32;
                let x = self.b.ins().load(types::I64, flags(), k, at);
                let x = self.same_class(x, c);
                self.b.ins().uextend(types::I32, x)
            }
        } else {
            self.subtype(k, c)
        };
        self.jump_with(join, is);
        self.enter(join);
        result
    }
    /// By identity, then by the row.
    fn subtype(&mut self, k: Value, c: ClassRef) -> Value {
        let same = self.same_class(k, c);
        let want = self.iconst(std::ptr::from_ref(c) as i64);
        self.subtype_unless(same, k, want)
    }
    fn subtype_unless(&mut self, same: Value, k: Value, want: Value) -> Value {
        let (join, result) = self.join();
        let ask = self.b.create_block();
        let yes = self.iconst32(1);
        self.b.ins().brif(same, join, &[BlockArg::Value(yes)], ask, &[]);
        self.enter(ask);
        let x = self.leaf(Row::IsSubtype, &[k, want]);
        self.jump_with(join, x);
        self.enter(join);
        result
    }
    fn can_store(&mut self, a: V, v: V) -> Value {
        let (a, x) = (self.get(a), self.get(v));
        let (join, result) = self.join();
        let some = self.b.create_block();
        let yes = self.iconst32(1);
        self.b.ins().brif(x, some, &[], join, &[BlockArg::Value(yes)]);
        self.enter(some);
        let (ak, xk) = (self.class_of(a), self.class_of(x));
        let component = self.b.ins().load(types::I64, flags(), ak, offset_of!(Class, component) as i32);
        let same = self.b.ins().icmp(IntCC::Equal, component, xk);
        let is = self.subtype_unless(same, xk, component);
        self.jump_with(join, is);
        self.enter(join);
        result
    }
}
