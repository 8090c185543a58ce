//! Counters of levels 2 and 3.
//!
//! Invariant: only cells of the running thread's stripe are written, by plain loads and stores: threads
//! that share a stripe may lose each other's counts, as in the interpreter. A row's layout id and count
//! are stored together, so a count belongs to its id.
use super::body::{Body, flags};
use crate::ir::Value as V;
use concord_contract::compiled::offset;
use concord_contract::object::LAYOUT_OFFSET;
use concord_contract::profile::{Cell, Rows};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

/// One object more, in a row.
const ONE: i64 = 1 << 32;

impl Body<'_> {
    fn stripe(&mut self) -> Value {
        self.load_thread(types::I64, offset::TH_STRIPE)
    }
    pub fn count(&mut self, at: Cell) {
        let stripe = self.stripe();
        self.bump(stripe, at as i32);
    }
    fn bump(&mut self, stripe: Value, at: i32) {
        let n = self.b.ins().load(types::I32, flags(), stripe, at);
        let n = self.add(n, 1);
        self.b.ins().store(flags(), n, stripe, at);
    }
    /// Counts the class of the object, or null where it may be.
    pub fn count_class(&mut self, r: &Rows, o: V, nullable: bool) {
        let o = self.get(o);
        let (own, more) = (r.own as i32, r.more as i32);
        let stripe = self.stripe();
        let done = self.b.create_block();
        if nullable {
            let (null, on) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(o, on, &[], null, &[]);
            self.enter(null);
            self.bump(stripe, more + 12);
            self.b.ins().jump(done, &[]);
            self.enter(on);
        }
        let id = self.b.ins().uload32(flags(), o, LAYOUT_OFFSET as i32);
        self.count_row(stripe, own, id, done);
        self.count_row(stripe, more, id, done);
        self.bump(stripe, more + 8);
        self.b.ins().jump(done, &[]);
        self.enter(done);
    }
    /// Counts in this row if it is the class's or nobody's; else goes on.
    fn count_row(&mut self, stripe: Value, at: i32, id: Value, done: Block) {
        let [same, other, free, on] = std::array::from_fn(|_| self.b.create_block());
        [other, free, on].into_iter().for_each(|b| self.b.set_cold_block(b));
        let old = self.b.ins().load(types::I64, flags(), stripe, at);
        let (low, want) = (self.b.ins().ireduce(types::I32, old), self.b.ins().ireduce(types::I32, id));
        let is = self.b.ins().icmp(IntCC::Equal, low, want);
        self.b.ins().brif(is, same, &[], other, &[]);
        self.enter(same);
        let more = self.add(old, ONE);
        self.b.ins().store(flags(), more, stripe, at);
        self.b.ins().jump(done, &[]);
        self.enter(other);
        self.b.ins().brif(old, on, &[], free, &[]);
        self.enter(free);
        let first = self.or(id, ONE);
        self.b.ins().store(flags(), first, stripe, at);
        self.b.ins().jump(done, &[]);
        self.enter(on);
    }
}
