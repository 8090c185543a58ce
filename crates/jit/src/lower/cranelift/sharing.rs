//! Fences, and objects that are about to be seen by others.
//!
//! Invariant: every locked instruction that orders stores before loads is made by [`Body::fence`], and what [`Op::Publish`] stands
//! for by [`Body::publish`]; both ask the LOCAL bit of headers by [`Body::local_bit`] (`docs/papers/vbd.md`, "The sequence that
//! compiled code uses").
use super::body::{Body, flags};
use super::sites::Site;
#[cfg(doc)]
use crate::ir::Op;
use crate::ir::{StateId, Value as V};
use concord_contract::object::{LOCAL_BIT, LOCK_OFFSET};
use concord_contract::rows::Row;
use cranelift_codegen::ir::{AtomicRmwOp, InstBuilder, Value, types};

impl Body<'_> {
    /// Everything before, before everything after: a locked no-op on the frame.
    pub fn fence(&mut self) {
        self.count_fenced();
        let at = self.fence_address();
        let zero = self.iconst32(0);
        self.b.ins().atomic_rmw(types::I32, flags(), AtomicRmwOp::Or, at, zero);
    }

    /// A fence, unless all of some objects are this thread's own.
    pub fn fence_unless_local(&mut self, asked: &[V]) {
        let mut all: Option<Value> = None;
        for o in asked {
            let o = self.get(*o);
            let word = self.lock_word(o);
            all = Some(all.map_or(word, |a| self.b.ins().band(a, word)));
        }
        let Some(words) = all else { return self.fence() };
        let local = self.local_bit(words);
        // Beside the fence the jumps there and back are nothing; beside the stores of a loop over LOCAL objects they are.
        let (shared, join) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(shared);
        let site = |_: &Self| Site::IfLocal(asked.to_vec());
        self.within(site, |b| b.b.ins().brif(local, join, &[], shared, &[]));
        self.enter(shared);
        self.fence();
        self.b.ins().jump(join, &[]);
        self.enter(join);
    }
    fn lock_word(&mut self, o: Value) -> Value {
        self.b.ins().load(types::I32, flags(), o, LOCK_OFFSET as i32)
    }
    /// Of a lock word; as a byte, which is shorter to test.
    fn local_bit(&mut self, word: Value) -> Value {
        const { assert!(LOCAL_BIT < 1 << 7) };
        let low = self.b.ins().ireduce(types::I8, word);
        self.and(low, LOCAL_BIT as i64)
    }
    /// Before `v` is stored into `target` (SHARED if there is none).
    pub fn publish(&mut self, target: Option<V>, v: V, s: Option<StateId>) {
        let x = self.get(v);
        let (cold, done) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        let must = match target {
            Some(t) => {
                // A branch for all three questions: null is as SHARED as the target.
                let t = self.get(t);
                let some = self.b.ins().select(x, x, t);
                let (value, target) = (self.lock_word(some), self.lock_word(t));
                let both = self.b.ins().band_not(value, target);
                self.local_bit(both)
            }
            None => {
                let some = self.b.create_block();
                self.b.ins().brif(x, some, &[], done, &[]);
                self.enter(some);
                let word = self.lock_word(x);
                self.local_bit(word)
            }
        };
        self.b.ins().brif(must, cold, &[], done, &[]);
        self.enter(cold);
        match s {
            Some(s) => {
                // The row pays what is owed where it stops.
                self.stop_cold(Row::PublishFar, &[x], s);
                self.go_on_cold(s, None);
            }
            None => {
                self.row_call(Row::Publish, &[x]);
            }
        }
        self.b.ins().jump(done, &[]);
        self.enter(done);
    }
}
