//! New objects.
//!
//! Invariant: every object is made by [`Body::allocate`] or by the row that it calls where the thread's memory does not do; what
//! the instruction says of the object's birth is what its header has.
use super::body::{Body, flags};
use crate::ir::{StateId, Value as V};
use concord_contract::class::{Birth, ClassRef, flags as class_flags};
use concord_contract::compiled::offset;
use concord_contract::object::{LENGTH_OFFSET, array_base};
use concord_contract::rows::Row;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use std::sync::atomic::Ordering;

/// Arrays up to this many bytes are allocated inline.
const MAX_INLINE_ARRAY: u32 = 4096;

impl Body<'_> {
    pub fn new_instance(&mut self, class: ClassRef, birth: Birth, s: StateId) -> Value {
        let size = class.instance_size.load(Ordering::Relaxed);
        if size == 0 || size as usize > self.vm.max_bump || class.has_flag(class_flags::NO_FAST_NEW) {
            return self.allocate_slow(class, None, s);
        }
        let size = self.iconst(size as i64);
        self.allocate((class, birth), size, None, s)
    }
    pub fn new_array(&mut self, class: ClassRef, birth: Birth, len: V, s: StateId) -> Value {
        let n = self.get(len);
        let shift = class.elem_shift as u32 & 3;
        let most = (MAX_INLINE_ARRAY - 16) >> shift;
        // The size of an array that is too long is not used.
        let wide = self.b.ins().uextend(types::I64, n);
        let bytes = self.shl(wide, shift as i64);
        let bytes = self.add(bytes, array_base(shift) as i64 + 7);
        let size = self.and(bytes, !7);
        let small = self.compare(IntCC::UnsignedLessThanOrEqual, n, most as i64);
        self.allocate((class, birth), size, Some((n, small)), s)
    }

    /// Takes `size` bytes from the thread's bump area and writes the header; or asks the row.
    fn allocate(
        &mut self,
        (class, birth): (ClassRef, Birth),
        size: Value,
        array: Option<(Value, Value)>,
        s: StateId,
    ) -> Value {
        let (pair, place) = match self.vm.bump_at {
            0 => (self.load_thread(types::I64, offset::TH_BUMP), 0),
            at => (self.thread(), at as i32),
        };
        let at = self.b.ins().load(types::I64, flags(), pair, place);
        let limit = self.b.ins().load(types::I64, flags(), pair, place + 8);
        let end = self.b.ins().iadd(at, size);
        let mut room = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, limit);
        if let Some((_, small)) = array {
            room = self.b.ins().band(room, small);
        }
        let (fast, slow, join) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        let result = self.b.append_block_param(join, types::I64);
        self.refs.insert(result);
        self.b.ins().brif(room, fast, &[], slow, &[]);
        self.enter(fast);
        self.b.ins().store(flags(), end, pair, place);
        // Lock word and layout id in one; `passes::fresh` counts on the former. What the row makes is LOCAL in any case, if the
        // class's objects are at all.
        let header = match birth {
            Birth::Local => class.new_header(),
            Birth::Shared => class.shared_header(),
        };
        let header = self.wide(header as i64);
        self.b.ins().store(flags(), header, at, 0);
        if let Some((n, _)) = array {
            self.b.ins().store(flags(), n, at, LENGTH_OFFSET as i32);
        }
        self.b.ins().jump(join, &[BlockArg::Value(at)]);
        self.enter(slow);
        let o = self.allocate_slow(class, array.map(|(n, _)| n), s);
        self.b.ins().jump(join, &[BlockArg::Value(o)]);
        self.enter(join);
        result
    }
    /// The row makes the object, or an array of this length.
    fn allocate_slow(&mut self, class: ClassRef, length: Option<Value>, s: StateId) -> Value {
        if self.owes_fence {
            self.fence();
        }
        let row = if length.is_some() { Row::NewArray } else { Row::NewInstance };
        let args: Vec<Value> = std::iter::once(self.class_constant(class)).chain(length).collect();
        self.stop_cold(row, &args, s);
        let o = self.load_thread(types::I64, offset::TH_RESULT);
        self.refs.insert(o);
        let result = self.result_of_instruction();
        self.go_on_cold(s, result.map(|v| (v, o)));
        o
    }
}
