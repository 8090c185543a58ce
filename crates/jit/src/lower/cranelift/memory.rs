//! Headers, fields, elements, the collector's barrier.
//!
//! Invariant: every reference store into the heap is made by [`Body::store_ref`], all other stores of Java values by
//! [`Body::store`].
use super::body::{Body, flags};
use crate::ir::op::{Access, Mem, Update};
use crate::ir::{Op, Value as V};
use concord_contract::BasicType;
use concord_contract::class::{Class, ClassRef};
use concord_contract::compiled::offset;
use concord_contract::object::{LAYOUT_OFFSET, LENGTH_OFFSET, REF_SHIFT, STATIC_OFFSET, array_base};
use concord_contract::rows::Row;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AtomicRmwOp, BlockArg, InstBuilder, Value, types};
use std::mem::offset_of;

impl Body<'_> {
    /// A memory instruction; its value, if it has one.
    pub fn memory(&mut self, op: &Op) -> Option<Value> {
        match op {
            Op::ArrayLength(a) => {
                let a = self.get(*a);
                Some(self.b.ins().load(types::I32, flags(), a, LENGTH_OFFSET as i32))
            }
            Op::LoadField(o, at, m) => {
                let o = self.get(*o);
                Some(self.load(m.ty, o, *at as i32))
            }
            Op::LoadStatic(c, at, m) => {
                let o = self.statics(c);
                Some(self.load(m.ty, o, *at as i32))
            }
            Op::LoadElement(a, i, m) => {
                let (base, at) = self.element(*a, *i, m.ty);
                Some(self.load(m.ty, base, at))
            }
            Op::StoreField(o, at, v, m) => {
                let (o, x) = (self.get(*o), self.get(*v));
                self.store_value(*m, Row::StoreOldField, o, (o, *at as i32), *v, x);
                None
            }
            Op::StoreStatic(c, at, v, m) => {
                let x = self.get(*v);
                let o = self.statics(c);
                self.store_value(*m, Row::StoreOldField, o, (o, *at as i32), *v, x);
                None
            }
            Op::StoreElement(a, i, v, m) => {
                let (object, x) = (self.get(*a), self.get(*v));
                let (base, at) = self.element(*a, *i, m.ty);
                self.store_value(*m, Row::StoreOldElement, object, (base, at), *v, x);
                None
            }
            Op::LoadRaw(o, at, m) => {
                let (o, at) = self.place(*o, *at);
                let address = self.b.ins().iadd(o, at);
                Some(self.load(m.ty, address, 0))
            }
            Op::StoreRaw(o, at, v, m) => {
                let x = self.get(*v);
                let (object, at) = self.place(*o, *at);
                let address = self.b.ins().iadd(object, at);
                self.store_value(*m, Row::StoreRef, object, (address, 0), *v, x);
                None
            }
            Op::CompareAndSet([o, at, e, v], m) => {
                let p = self.place(*o, *at);
                Some(self.compare_and_set(p, *e, *v, m.ty))
            }
            Op::CompareAndExchange([o, at, e, v], m) => {
                let p = self.place(*o, *at);
                Some(self.compare_and_exchange(p, *e, *v, m.ty))
            }
            Op::Update(u, [o, at, v], m) => {
                let p = self.place(*o, *at);
                Some(self.update(*u, p, *v, m.ty))
            }
            Op::Fence(asked) => {
                self.fence_unless_local(asked);
                None
            }
            Op::GetClass(o) => {
                let o = self.get(*o);
                let k = self.class_of(o);
                Some(self.b.ins().load(types::I64, flags(), k, offset_of!(Class, mirror) as i32))
            }
            Op::CurrentThread => Some(self.load_thread(types::I64, offset::TH_JAVA_THREAD)),
            _ => concord_base::bug!("{op} is no memory instruction"),
        }
    }

    /// Object and offset of an access of Unsafe: static fields are asked for by their class.
    fn place(&mut self, o: V, at: V) -> (Value, Value) {
        let in_object = match self.constant(at) {
            Some(concord_contract::compiled::Value::Long(n)) => n & STATIC_OFFSET == 0,
            _ => self.is_offset_in_object(at),
        };
        let (o, at) = (self.get(o), self.get(at));
        if in_object {
            return (o, at);
        }
        let tag = self.shr(at, i64::from(STATIC_OFFSET.trailing_zeros()));
        let is_static = self.compare(IntCC::Equal, tag, 1);
        let join = self.b.create_block();
        let (object, offset) =
            (self.b.append_block_param(join, types::I64), self.b.append_block_param(join, types::I64));
        self.refs.insert(object);
        let cold = self.b.create_block();
        self.b.set_cold_block(cold);
        let given = [BlockArg::Value(o), BlockArg::Value(at)];
        self.b.ins().brif(is_static, cold, &[], join, &given);
        self.enter(cold);
        let statics = self.leaf(Row::StaticsOf, &[o]);
        self.refs.insert(statics);
        let rest = self.and(at, !STATIC_OFFSET);
        self.b.ins().jump(join, &[BlockArg::Value(statics), BlockArg::Value(rest)]);
        self.enter(join);
        (object, offset)
    }
    fn compare_and_set(&mut self, p: (Value, Value), expected: V, new: V, ty: BasicType) -> Value {
        let (old, e) = self.compare_and_swap(p, expected, new, ty);
        let swapped = self.b.ins().icmp(IntCC::Equal, old, e);
        let result = self.b.ins().uextend(types::I32, swapped);
        if ty == BasicType::Object {
            self.barrier_behind(p, new, Some(result));
        }
        result
    }
    fn compare_and_exchange(&mut self, p: (Value, Value), expected: V, new: V, ty: BasicType) -> Value {
        let (old, e) = self.compare_and_swap(p, expected, new, ty);
        if ty != BasicType::Object {
            return self.int_form(old, ty);
        }
        let swapped = self.b.ins().icmp(IntCC::Equal, old, e);
        let swapped = self.b.ins().uextend(types::I32, swapped);
        self.barrier_behind(p, new, Some(swapped));
        self.widen(old)
    }
    /// What was found, and the expected value in the form of the cell.
    fn compare_and_swap(&mut self, p: (Value, Value), expected: V, new: V, ty: BasicType) -> (Value, Value) {
        let (mut e, mut x) = (self.get(expected), self.get(new));
        let address = self.b.ins().iadd(p.0, p.1);
        if ty == BasicType::Object {
            (e, x) = (self.narrow(e), self.narrow(x));
        } else {
            (e, x) = (self.cell_form(e, ty), self.cell_form(x, ty));
        }
        (self.b.ins().atomic_cas(flags(), address, e, x), e)
    }
    fn update(&mut self, u: Update, p: (Value, Value), operand: V, ty: BasicType) -> Value {
        let mut x = self.get(operand);
        let address = self.b.ins().iadd(p.0, p.1);
        let (op, is_ref) = match u {
            Update::Add => (AtomicRmwOp::Add, false),
            Update::Set => (AtomicRmwOp::Xchg, ty == BasicType::Object),
        };
        x = if is_ref { self.narrow(x) } else { self.cell_form(x, ty) };
        let cell = self.b.func.dfg.value_type(x);
        let old = self.b.ins().atomic_rmw(cell, flags(), op, address, x);
        if !is_ref {
            return self.int_form(old, ty);
        }
        self.barrier_behind(p, operand, None);
        self.widen(old)
    }
    /// A number as it is in a cell of atomic operations, and back.
    fn cell_form(&mut self, x: Value, ty: BasicType) -> Value {
        match ty {
            BasicType::Byte => self.b.ins().ireduce(types::I8, x),
            BasicType::Short => self.b.ins().ireduce(types::I16, x),
            _ => x,
        }
    }
    fn int_form(&mut self, x: Value, ty: BasicType) -> Value {
        match ty {
            BasicType::Byte | BasicType::Short => self.b.ins().sextend(types::I32, x),
            _ => x,
        }
    }
    /// A reference as it is in the heap, and back.
    fn narrow(&mut self, x: Value) -> Value {
        let n = self.shr(x, REF_SHIFT as i64);
        self.b.ins().ireduce(types::I32, n)
    }
    fn widen(&mut self, n: Value) -> Value {
        let n = self.b.ins().uextend(types::I64, n);
        let x = self.shl(n, REF_SHIFT as i64);
        self.refs.insert(x);
        x
    }
    /// The collector's barrier behind an atomic store of `new`, if it happened.
    fn barrier_behind(&mut self, (object, offset): (Value, Value), new: V, happened: Option<Value>) {
        if self.vm.unlog_table == 0 || self.constant(new).is_some() {
            return;
        }
        let mut must = self.must_log(object);
        if let Some(h) = happened {
            let none = self.iconst(0);
            must = self.b.ins().select(h, must, none);
        }
        let ok = self.cold_if(must);
        self.leaf(Row::Barrier, &[object, offset]);
        self.b.ins().jump(ok, &[]);
        self.enter(ok);
    }

    /// Address and displacement of an element whose index has been checked.
    fn element(&mut self, a: V, i: V, ty: BasicType) -> (Value, i32) {
        let shift = ty.heap_shift();
        if let Some(concord_contract::compiled::Value::Int(n)) = self.constant(i)
            && let Ok(at) = i32::try_from((i64::from(n) << shift) + array_base(shift) as i64)
            && n >= 0
        {
            return (self.get(a), at);
        }
        let (a, i) = (self.get(a), self.get(i));
        let mut index = self.b.ins().uextend(types::I64, i);
        if shift > 0 {
            index = self.shl(index, shift as i64);
        }
        (self.b.ins().iadd(a, index), array_base(shift) as i32)
    }

    /// The statics object of a class. It stays where it is, unless the class can be unloaded: then
    /// it is read at each use.
    fn statics(&mut self, c: ClassRef) -> Value {
        if !c.has_flag(concord_contract::class::flags::UNLOADABLE) {
            return self.iconst(self.env.statics_address(c) as i64);
        }
        let k = self.class_constant(c);
        self.b.ins().load(types::I64, flags(), k, offset_of!(Class, statics) as i32)
    }
    fn load(&mut self, ty: BasicType, base: Value, at: i32) -> Value {
        let i = self.b.ins();
        match ty {
            BasicType::Boolean => i.uload8(types::I32, flags(), base, at),
            BasicType::Byte => i.sload8(types::I32, flags(), base, at),
            BasicType::Char => i.uload16(types::I32, flags(), base, at),
            BasicType::Short => i.sload16(types::I32, flags(), base, at),
            BasicType::Int => i.load(types::I32, flags(), base, at),
            BasicType::Long => i.load(types::I64, flags(), base, at),
            BasicType::Float => i.load(types::F32, flags(), base, at),
            BasicType::Double => i.load(types::F64, flags(), base, at),
            BasicType::Object | BasicType::Void => {
                let n = i.uload32(flags(), base, at);
                let o = self.shl(n, REF_SHIFT as i64);
                self.refs.insert(o);
                o
            }
        }
    }
    /// Stores to `base + at`, which lies in `object`. The row stores a reference into an object that must be remembered.
    fn store_value(&mut self, m: Mem, row: Row, object: Value, (base, at): (Value, i32), v: V, x: Value) {
        if m.ty == BasicType::Object {
            if self.constant(v).is_some() || matches!(m.access, Access::Young(_)) || self.vm.unlog_table == 0 {
                // A null owes no barrier, nor does a young object.
                self.store_narrow(base, at, x);
            } else {
                self.store_ref(row, object, base, at, x);
            }
        } else {
            self.within(Self::store_site, |b| b.store(m.ty, base, at, x));
        }
    }
    fn store(&mut self, ty: BasicType, base: Value, at: i32, x: Value) {
        let i = self.b.ins();
        match ty {
            BasicType::Boolean | BasicType::Byte => i.istore8(flags(), x, base, at),
            BasicType::Char | BasicType::Short => i.istore16(flags(), x, base, at),
            _ => i.store(flags(), x, base, at),
        };
    }
    /// The store and the collector's barrier; publication stands before it.
    fn store_ref(&mut self, row: Row, object: Value, base: Value, at: i32, x: Value) {
        let must = self.must_log(object);
        let join = self.b.create_block();
        let plain = self.cold_if(must);
        let offset = if base == object {
            self.iconst(at as i64)
        } else {
            let start = self.b.ins().isub(base, object);
            self.add(start, at as i64)
        };
        self.leaf(row, &[object, offset, x]);
        self.b.ins().jump(join, &[]);
        self.enter(plain);
        self.store_narrow(base, at, x);
        self.b.ins().jump(join, &[]);
        self.enter(join);
    }
    /// Not 0 if the collector must remember a store into the object: one bit per 8 bytes says it.
    fn must_log(&mut self, object: Value) -> Value {
        let table = self.wide(self.vm.unlog_table as i64);
        let word_at = self.shr(object, 9);
        let word_at = self.shl(word_at, 3);
        let word_at = self.b.ins().iadd(table, word_at);
        let word = self.b.ins().load(types::I64, flags(), word_at, 0);
        // Shifts take their count modulo 64: this is the processor's test of one bit.
        let bit = self.shr(object, 3);
        let one = self.iconst(1);
        let bit = self.b.ins().ishl(one, bit);
        self.b.ins().band(word, bit)
    }
    fn store_narrow(&mut self, base: Value, at: i32, x: Value) {
        let n = self.shr(x, REF_SHIFT as i64);
        self.within(Self::store_site, |b| b.b.ins().istore32(flags(), n, base, at));
    }

    /// The class of an object that is not null.
    pub fn class_of(&mut self, o: Value) -> Value {
        let id = self.b.ins().uload32(flags(), o, LAYOUT_OFFSET as i32);
        let at = self.shl(id, 3);
        let table = self.wide(self.vm.class_table as i64);
        let at = self.b.ins().iadd(table, at);
        self.b.ins().load(types::I64, flags(), at, 0)
    }
}
