//! Type tests, and the methods of interfaces.
//!
//! Invariant: a test takes constant time. Whether an object is of exactly one class its header says by itself: all objects of a class
//! but Object have one layout id at a time, which no other class has while the class is there; code with an id names the class
//! among those whose addresses stand in it, so it goes when the class does or gets another layout. A class that is no
//! interface and not deep is found with one load at its depth in the display, all others in the table of `contract::supers`; an
//! array class by its component. A row is asked only where two supertypes want one place. A cast and the guard that alone
//! asks for its outcome are one: no value is made of it.
use super::body::{Body, flags};
use crate::ir::{Op, StateId, Value as V};
use concord_contract::class::{Class, ClassKind, ClassRef, DISPLAY};
use concord_contract::compiled::offset;
use concord_contract::object::LAYOUT_OFFSET;
use concord_contract::rows::Row;
use concord_contract::supers::ENTRY_SHIFT;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use std::sync::atomic::Ordering;

const FINAL: u16 = 0x10;

impl Body<'_> {
    /// 0 or 1 as an int.
    pub fn type_test(&mut self, op: &Op) -> Value {
        match op {
            Op::InstanceOf(c, o) => self.test(c, *o, 0),
            Op::CanCast(c, o) => self.test(c, *o, 1),
            Op::IsA(c, o) => {
                let o = self.get(*o);
                self.instance(o, c)
            }
            Op::IsExactly(c, o) => {
                let o = self.get(*o);
                self.exactly(o, c)
            }
            Op::CanStore(a, v) => self.can_store(*a, *v),
            _ => concord_base::bug!("{op} is no type test"),
        }
    }
    pub fn class_constant(&mut self, c: ClassRef) -> Value {
        self.iconst(self.env.class_address(c) as i64)
    }
    /// Whether the object is of this class and no other.
    fn exactly(&mut self, o: Value, c: ClassRef) -> Value {
        let id = c.layout_id.load(Ordering::Acquire);
        // Objects with static fields show as Objects, each with a layout of its own.
        if id == 0 || c.super_class.is_none() {
            let k = self.class_of(o);
            return self.same_class(k, c);
        }
        let word = self.b.ins().load(types::I32, flags(), o, LAYOUT_OFFSET as i32);
        let is = self.compare(IntCC::Equal, word, id as i64);
        self.b.ins().uextend(types::I32, is)
    }
    fn same_class(&mut self, k: Value, c: ClassRef) -> Value {
        let want = self.class_constant(c);
        self.same(k, want)
    }
    fn same(&mut self, a: Value, b: Value) -> Value {
        let is = self.b.ins().icmp(IntCC::Equal, a, b);
        self.b.ins().uextend(types::I32, is)
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
    /// Goes to the join with `x` if `cond` is not 0, else on.
    fn out_if(&mut self, cond: Value, join: Block, x: i32) {
        let (on, x) = (self.b.create_block(), self.iconst32(x));
        self.b.ins().brif(cond, join, &[BlockArg::Value(x)], on, &[]);
        self.enter(on);
    }
    /// Goes on if `cond` is not 0, else to the join with `x`.
    fn out_unless(&mut self, cond: Value, join: Block, x: i32) {
        let (on, x) = (self.b.create_block(), self.iconst32(x));
        self.b.ins().brif(cond, on, &[], join, &[BlockArg::Value(x)]);
        self.enter(on);
    }

    /// Leaves the code unless the object is null or an instance of the class.
    pub fn cast_or_leave(&mut self, c: ClassRef, o: V, s: StateId) {
        let o = self.get(o);
        let (on, cold, ok) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        self.b.ins().brif(o, on, &[], ok, &[]);
        self.enter(on);
        let is = self.instance(o, c);
        self.b.ins().brif(is, ok, &[], cold, &[]);
        let on = self.or_cold_when_it_is_time(ok, cold);
        self.enter(cold);
        self.leave(Row::Deopt, s);
        self.enter(on);
    }
    fn test(&mut self, c: ClassRef, o: V, if_null: i32) -> Value {
        let o = self.get(o);
        let (join, result) = self.join();
        self.out_unless(o, join, if_null);
        let is = self.instance(o, c);
        self.jump_with(join, is);
        self.enter(join);
        result
    }
    /// Whether the object, which is not null, is an instance of `c`.
    fn instance(&mut self, o: Value, c: ClassRef) -> Value {
        match c.kind {
            ClassKind::PrimArray => self.exactly(o, c),
            ClassKind::Instance if c.access_flags & FINAL != 0 && !c.is_interface() => self.exactly(o, c),
            ClassKind::RefArray => {
                let (join, result) = self.join();
                let same = self.exactly(o, c);
                self.out_if(same, join, 1);
                let k = self.class_of(o);
                let is = self.component_subtype(k, c);
                self.jump_with(join, is);
                self.enter(join);
                result
            }
            ClassKind::Instance | ClassKind::Primitive => {
                let k = self.class_of(o);
                self.subtype(k, c)
            }
        }
    }
    /// Whether `k`, the class of an object or of an array's components, is a subtype of `c`.
    fn subtype(&mut self, k: Value, c: ClassRef) -> Value {
        match c.kind {
            ClassKind::PrimArray | ClassKind::Primitive => self.same_class(k, c),
            ClassKind::RefArray => self.array_subtype(k, c),
            ClassKind::Instance if c.is_interface() || c.depth as usize >= DISPLAY => self.listed(k, c),
            ClassKind::Instance if c.access_flags & FINAL != 0 => self.same_class(k, c),
            ClassKind::Instance => {
                let at = offset::CLASS_DISPLAY + 8 * c.depth as i32;
                let x = self.b.ins().load(types::I64, flags(), k, at);
                self.same_class(x, c)
            }
        }
    }
    fn array_subtype(&mut self, k: Value, c: ClassRef) -> Value {
        let (join, result) = self.join();
        let same = self.same_class(k, c);
        self.out_if(same, join, 1);
        let is = self.component_subtype(k, c);
        self.jump_with(join, is);
        self.enter(join);
        result
    }
    /// Whether `k`, which is not the array class `c`, has components that are instances of the components' class of `c`.
    fn component_subtype(&mut self, k: Value, c: ClassRef) -> Value {
        let (join, result) = self.join();
        let component = self.b.ins().load(types::I64, flags(), k, offset::CLASS_COMPONENT);
        self.out_unless(component, join, 0);
        let is = match c.component {
            Some(want) => self.subtype(component, want),
            None => self.iconst32(0),
        };
        self.jump_with(join, is);
        self.enter(join);
        result
    }
    /// The entry of the table of `k` in which `c` stands, if it stands there and in its place; and
    /// the map.
    fn entry(&mut self, k: Value, c: &Class) -> (Value, Value) {
        let map = self.b.ins().load(types::I64, flags(), k, offset::CLASS_SUPER_MAP);
        let table = self.b.ins().load(types::I64, flags(), k, offset::CLASS_SUPER_TABLE);
        let up_to = self.shl(map, 63 - c.place as i64);
        let n = self.b.ins().popcnt(up_to);
        let at = self.shl(n, ENTRY_SHIFT as i64);
        (self.b.ins().iadd(table, at), map)
    }
    /// By the table.
    fn listed(&mut self, k: Value, c: ClassRef) -> Value {
        let (entry, map) = self.entry(k, c);
        let (join, result) = self.join();
        let there = self.b.ins().load(types::I64, flags(), entry, offset::SUPER_CLASS);
        let same = self.same_class(there, c);
        self.out_if(same, join, 1);
        // Both the place and the next one are taken: the supertype may have been pushed on.
        let both = self.b.ins().rotr_imm_u(map, c.place as i64);
        let both = self.b.ins().bnot(both);
        let free = self.and(both, 3);
        self.out_unless_cold(free, join);
        let want = self.class_constant(c);
        let x = self.leaf(Row::IsSubtype, &[k, want]);
        self.jump_with(join, x);
        self.enter(join);
        result
    }
    /// To the join with 0 if `cond` is not 0, else on, in a cold block.
    fn out_unless_cold(&mut self, cond: Value, join: Block) {
        let (cold, no) = (self.b.create_block(), self.iconst32(0));
        self.b.set_cold_block(cold);
        self.b.ins().brif(cond, join, &[BlockArg::Value(no)], cold, &[]);
        self.enter(cold);
    }

    /// The component's class is known only here: what it is itself, and what its display has at the
    /// component's depth, is found inline.
    fn can_store(&mut self, a: V, v: V) -> Value {
        let (a, x) = (self.get(a), self.get(v));
        let (join, result) = self.join();
        self.out_unless(x, join, 1);
        let (ak, xk) = (self.class_of(a), self.class_of(x));
        let component = self.b.ins().load(types::I64, flags(), ak, offset::CLASS_COMPONENT);
        let same = self.same(component, xk);
        self.out_if(same, join, 1);
        // Depth 8 and more, as interfaces and arrays, find something else there.
        let depth = self.b.ins().uload32(flags(), component, offset::CLASS_DEPTH);
        let depth = self.and(depth, DISPLAY as i64 - 1);
        let at = self.shl(depth, 3);
        let at = self.b.ins().iadd(xk, at);
        let there = self.b.ins().load(types::I64, flags(), at, offset::CLASS_DISPLAY);
        let same = self.same(component, there);
        let ask = self.b.create_block();
        self.b.set_cold_block(ask);
        let yes = self.iconst32(1);
        self.b.ins().brif(same, join, &[BlockArg::Value(yes)], ask, &[]);
        self.enter(ask);
        let is = self.leaf(Row::IsSubtype, &[xk, component]);
        self.jump_with(join, is);
        self.enter(join);
        result
    }

    /// The receiver's method for entry `n` of the interface.
    pub fn select_interface(&mut self, c: ClassRef, n: u32, o: V, s: StateId) -> Value {
        let o = self.get(o);
        let k = self.class_of(o);
        let (entry, _) = self.entry(k, c);
        let there = self.b.ins().load(types::I64, flags(), entry, offset::SUPER_CLASS);
        let want = self.class_constant(c);
        let same = self.b.ins().icmp(IntCC::Equal, there, want);
        let (fast, cold, join) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        let result = self.b.append_block_param(join, types::I64);
        self.b.ins().brif(same, fast, &[], cold, &[]);
        self.enter(cold);
        let (want, index) = (self.class_constant(c), self.iconst32(n as i32));
        let found = self.leaf(Row::ItableMethod, &[k, want, index]);
        let out = self.b.create_block();
        self.b.set_cold_block(out);
        self.b.ins().brif(found, join, &[BlockArg::Value(found)], out, &[]);
        self.enter(out);
        self.leave(Row::Deopt, s);
        self.enter(fast);
        let methods = self.b.ins().load(types::I64, flags(), entry, offset::SUPER_METHODS);
        let m = self.b.ins().load(types::I64, flags(), methods, 8 * n as i32);
        self.b.ins().jump(join, &[BlockArg::Value(m)]);
        self.enter(join);
        result
    }
}
