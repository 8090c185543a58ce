//! Entering and leaving monitors inline.
//!
//! Invariant: what is written here is the monitors room's enter and exit, step for step
//! (`MonitorThread::try_enter_fast`, `try_exit_fast`, `exit_contended`; `docs/papers/monitors.md`),
//! between two polls; whatever it is not the way for asks the rows, which begin anew, or go on from
//! what [`thread::MISSED`] says.
//!
//! ```text
//!   enter   word without record: hash and object into the first free record, CAS it into the word
//!           (a store if the object is LOCAL), unlink it
//!           word with a record of ours: depth + 1
//!           word with a record of nobody: CAS our number into it; does the word still name it?
//!   exit    the record of the thread's last inflation if it names the object, else the word's
//!           depth > 1: depth - 1
//!           reference word 0: store the hash back, look again, push the record
//!           others interested: owner = none, fence; somebody entering and nobody on the way: the row
//! ```
//! The exit from an object that nobody else is interested in has no locked instruction, and no fence
//! but in the mode without `membarrier`.
use super::body::{Body, flags};
use crate::ir::{StateId, Value as V};
use concord_contract::compiled::offset;
use concord_contract::object::LOCK_OFFSET;
use concord_contract::rows::Row;
use concord_monitors::record::{UNOWNED, offset as record};
use concord_monitors::thread::{STALE, WAKE, offset as thread};
use concord_monitors::word::{HASH_BITS, HASH_SHIFT, LOCAL, RECORD_MASK, TAG_HASH, TAG_MASK, TAG_MONITOR};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Type, Value, types};

const LOCK: i32 = LOCK_OFFSET as i32;

impl Body<'_> {
    fn field(&mut self, ty: Type, base: Value, at: usize) -> Value {
        self.b.ins().load(ty, flags(), base, at as i32)
    }
    fn set_field(&mut self, v: Value, base: Value, at: usize) {
        self.b.ins().store(flags(), v, base, at as i32);
    }
    fn cold_block(&mut self) -> Block {
        let b = self.b.create_block();
        self.b.set_cold_block(b);
        b
    }
    fn bits(&mut self, v: Value, mask: u32) -> Value {
        self.and(v, i64::from(mask))
    }
    /// A block that is as cold as the one that is being written.
    fn block_like_this(&mut self) -> Block {
        let cold = self.b.current_block().is_some_and(|b| self.b.func.layout.is_cold(b));
        if cold { self.cold_block() } else { self.b.create_block() }
    }
    /// To `to` if the comparison of `v` with `n` holds, else on in a new block.
    fn leave_if(&mut self, cond: IntCC, v: Value, n: u64, to: Block) {
        let on = self.block_like_this();
        let c = self.compare(cond, v, n as i64);
        self.b.ins().brif(c, to, &[], on, &[]);
        self.enter(on);
    }
    /// The record at an offset of the thread's table.
    fn record_at(&mut self, state: Value, at: Value) -> Value {
        let base = self.field(types::I64, state, thread::BASE);
        let at = self.b.ins().uextend(types::I64, at);
        self.b.ins().iadd(base, at)
    }

    /// A row for one object at which the thread may stop, in a block of its own.
    fn ask_row(&mut self, row: Row, x: Value, s: StateId, slow: Block, done: Block) {
        self.enter(slow);
        self.stop_cold(row, &[x], s);
        self.go_on_cold(s, None);
        self.b.ins().jump(done, &[]);
        self.enter(done);
    }

    pub fn monitor_enter(&mut self, o: V, s: StateId) {
        let x = self.get(o);
        let (slow, done) = (self.cold_block(), self.b.create_block());
        let state = self.load_thread(types::I64, offset::TH_MONITOR);
        let raw = self.b.ins().load(types::I32, flags(), x, LOCK);
        let has_record = self.bits(raw, TAG_MONITOR);
        let (again, free) = (self.cold_block(), self.b.create_block());
        self.b.ins().brif(has_record, again, &[], free, &[]);

        self.enter(free);
        let first = self.field(types::I32, state, thread::FREE);
        self.leave_if(IntCC::Equal, first, 0, slow);
        let rec = self.record_at(state, first);
        let hash = self.displaced(state, raw, slow);
        self.set_field(hash, rec, record::HASH);
        self.set_field(x, rec, record::OBJ);
        let local = self.bits(raw, LOCAL);
        let tagged = self.or(first, i64::from(TAG_MONITOR));
        let inflated = self.b.ins().bor(tagged, local);
        let (mine, shared, lost, locked) =
            (self.b.create_block(), self.b.create_block(), self.cold_block(), self.b.create_block());
        self.b.ins().brif(local, mine, &[], shared, &[]);
        self.enter(shared);
        let found = self.b.ins().atomic_cas(flags(), x, raw, inflated);
        let won = self.b.ins().icmp(IntCC::Equal, found, raw);
        self.b.ins().brif(won, locked, &[], lost, &[]);
        self.enter(lost);
        let none = self.iconst(0);
        self.set_field(none, rec, record::OBJ);
        self.b.ins().jump(slow, &[]);
        self.enter(mine);
        // Nobody else can reach the object.
        self.b.ins().store(flags(), inflated, x, LOCK);
        self.b.ins().jump(locked, &[]);
        self.enter(locked);
        let next = self.field(types::I32, rec, record::NEXT_FREE);
        self.set_field(next, state, thread::FREE);
        self.set_field(first, state, thread::LAST);
        self.b.ins().jump(done, &[]);

        self.enter(again);
        let at = self.named_by(raw, slow);
        let rec = self.record_at(state, at);
        let (mine, other) = (self.cold_block(), self.cold_block());
        let owned = self.owned(state, rec);
        self.b.ins().brif(owned, mine, &[], other, &[]);
        self.enter(mine);
        let depth = self.field(types::I32, rec, record::NEST);
        self.leave_if(IntCC::Equal, depth, u64::from(u32::MAX), slow);
        let deeper = self.add(depth, 1);
        self.set_field(deeper, rec, record::NEST);
        self.b.ins().jump(done, &[]);

        self.enter(other);
        self.take_from_nobody(state, x, raw, rec, slow, done);

        self.ask_row(Row::MonitorEnter, x, s, slow, done);
    }

    /// Enter by the record that `raw` names and another owns or nobody.
    fn take_from_nobody(&mut self, state: Value, x: Value, raw: Value, rec: Value, slow: Block, done: Block) {
        let owner = self.field(types::I64, rec, record::OWNER);
        self.leave_if(IntCC::NotEqual, owner, UNOWNED, slow);
        let at = self.add(rec, record::OWNER as i64);
        let me = self.field(types::I64, state, thread::OWNER);
        let found = self.b.ins().atomic_cas(flags(), at, owner, me);
        self.leave_if(IntCC::NotEqual, found, UNOWNED, slow);
        // It may be the record of another object by now.
        let at = self.add(x, i64::from(LOCK));
        let now = self.b.ins().atomic_load(types::I32, flags(), at);
        let changed = self.b.ins().bxor(now, raw);
        let changed = self.bits(changed, RECORD_MASK | TAG_MASK);
        let stale = self.cold_block();
        self.leave_if(IntCC::NotEqual, changed, 0, stale);
        let one = self.b.ins().iconst(types::I32, 1);
        self.set_field(one, rec, record::NEST);
        self.b.ins().jump(done, &[]);

        self.enter(stale);
        let offset = self.bits(raw, RECORD_MASK);
        self.leave_to_row(state, offset, STALE);
        self.b.ins().jump(slow, &[]);
    }

    /// Tells the row what there is to do for the record at `offset`.
    fn leave_to_row(&mut self, state: Value, offset: Value, what: u32) {
        let told = if what == 0 { offset } else { self.or(offset, i64::from(what)) };
        self.set_field(told, state, thread::MISSED);
    }

    /// The word that a record keeps for an object: its hash word, or a fresh one.
    fn displaced(&mut self, state: Value, raw: Value, slow: Block) -> Value {
        let (empty, join) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(join, types::I32);
        let hashed = self.bits(raw, TAG_HASH);
        self.b.ins().brif(hashed, join, &[BlockArg::Value(raw)], empty, &[]);
        self.enter(empty);
        let mut x = self.field(types::I64, state, thread::RANDOM);
        for (left, by) in [(true, 13), (false, 7), (true, 17)] {
            let shifted = if left { self.shl(x, by) } else { self.shr(x, by) };
            x = self.b.ins().bxor(x, shifted);
        }
        let hash = self.shr(x, 64 - i64::from(HASH_BITS));
        // Once in 2^29 times; the row draws again.
        self.leave_if(IntCC::Equal, hash, 0, slow);
        self.set_field(x, state, thread::RANDOM);
        let hash = self.b.ins().ireduce(types::I32, hash);
        let hash = self.shl(hash, i64::from(HASH_SHIFT));
        // An empty word is nothing but its LOCAL bit.
        let hash = self.b.ins().bor(hash, raw);
        let hash = self.or(hash, i64::from(TAG_HASH));
        self.b.ins().jump(join, &[BlockArg::Value(hash)]);
        self.enter(join);
        result
    }

    /// Offset of the record that a word names; to `slow` if it names none.
    fn named_by(&mut self, raw: Value, slow: Block) -> Value {
        let tag = self.bits(raw, TAG_MASK);
        self.leave_if(IntCC::NotEqual, tag, u64::from(TAG_MONITOR), slow);
        self.bits(raw, RECORD_MASK)
    }

    /// Whether a record is this thread's.
    fn owned(&mut self, state: Value, rec: Value) -> Value {
        let owner = self.field(types::I64, rec, record::OWNER);
        let me = self.field(types::I64, state, thread::OWNER);
        self.b.ins().icmp(IntCC::Equal, owner, me)
    }

    /// Offset and address of the record of a monitor that is left, this thread's: where the last enter
    /// took it, for a load of the word would wait for the enter's CAS, else by the word.
    fn record_of(&mut self, state: Value, x: Value, slow: Block) -> (Value, Value) {
        let (by_word, found) = (self.cold_block(), self.block_like_this());
        let offset = self.b.append_block_param(found, types::I32);
        let rec = self.b.append_block_param(found, types::I64);
        let last = self.field(types::I32, state, thread::LAST);
        let last_rec = self.record_at(state, last);
        let object = self.field(types::I64, last_rec, record::OBJ);
        let same = self.b.ins().icmp(IntCC::Equal, object, x);
        self.b.ins().brif(same, found, &[BlockArg::Value(last), BlockArg::Value(last_rec)], by_word, &[]);
        self.enter(by_word);
        let raw = self.b.ins().load(types::I32, flags(), x, LOCK);
        let named = self.named_by(raw, slow);
        let named_rec = self.record_at(state, named);
        self.b.ins().jump(found, &[BlockArg::Value(named), BlockArg::Value(named_rec)]);
        self.enter(found);
        let on = self.block_like_this();
        let owned = self.owned(state, rec);
        self.b.ins().brif(owned, on, &[], slow, &[]);
        self.enter(on);
        (offset, rec)
    }

    pub fn monitor_exit(&mut self, o: V, s: StateId) {
        let x = self.get(o);
        let (slow, done) = (self.cold_block(), self.b.create_block());
        let state = self.load_thread(types::I64, offset::TH_MONITOR);
        let (offset, rec) = self.record_of(state, x, slow);
        let depth = self.field(types::I32, rec, record::NEST);
        let (nested, shared) = (self.cold_block(), self.cold_block());
        self.leave_if(IntCC::NotEqual, depth, 1, nested);
        let users = self.field(types::I64, rec, record::STATE);
        self.leave_if(IntCC::NotEqual, users, 0, shared);
        // The window: no poll, trap or call up to the second look.
        let hash = self.field(types::I32, rec, record::HASH);
        self.b.ins().store(flags(), hash, x, LOCK);
        if self.vm.fenced_monitors {
            self.fence();
        }
        // The code generator must neither merge the two looks nor move the second one up.
        let at = self.add(rec, record::STATE as i64);
        let now = self.b.ins().atomic_load(types::I64, flags(), at);
        let missed = self.cold_block();
        self.leave_if(IntCC::NotEqual, now, 0, missed);
        let life = self.field(types::I32, rec, record::GUARD);
        let life = self.add(life, 1);
        self.set_field(life, rec, record::GUARD);
        let none = self.iconst(0);
        self.set_field(none, rec, record::OBJ);
        let first = self.field(types::I32, state, thread::FREE);
        self.set_field(first, rec, record::NEXT_FREE);
        self.set_field(offset, state, thread::FREE);
        self.b.ins().jump(done, &[]);

        self.enter(nested);
        let less = self.add(depth, -1);
        self.set_field(less, rec, record::NEST);
        self.b.ins().jump(done, &[]);

        self.enter(missed);
        self.leave_to_row(state, offset, 0);
        self.b.ins().jump(slow, &[]);

        self.enter(shared);
        self.leave_to_others(state, offset, rec, users, slow, done);

        self.ask_row(Row::MonitorExit, x, s, slow, done);
    }

    /// Exit from a monitor that others enter or wait for, or did lately: `users` is not zero.
    fn leave_to_others(&mut self, state: Value, offset: Value, rec: Value, users: Value, slow: Block, done: Block) {
        let release = self.cold_block();
        let quiet = self.b.append_block_param(release, types::I8);
        let lately = self.cold_block();
        let sticky = self.compare(IntCC::Equal, users, record::STICKY as i64);
        let zero = self.b.ins().iconst(types::I8, 0);
        self.b.ins().brif(sticky, lately, &[], release, &[BlockArg::Value(zero)]);
        self.enter(lately);
        let before = self.field(types::I8, rec, record::QUIET_EXITS);
        // The last one gives the record up: the row's.
        let most = u64::from(self.vm.quiet_exits.saturating_sub(1));
        self.leave_if(IntCC::UnsignedGreaterThanOrEqual, before, most, slow);
        let more = self.add(before, 1);
        self.b.ins().jump(release, &[BlockArg::Value(more)]);

        self.enter(release);
        self.set_field(quiet, rec, record::QUIET_EXITS);
        let none = self.iconst(UNOWNED as i64);
        self.set_field(none, rec, record::OWNER);
        self.fence();
        let at = self.add(rec, record::STATE as i64);
        let users = self.b.ins().atomic_load(types::I64, flags(), at);
        let entering = self.and(users, record::ENTERING_MASK as i64);
        let waited_for = self.cold_block();
        self.leave_if(IntCC::NotEqual, entering, 0, waited_for);
        self.b.ins().jump(done, &[]);
        self.enter(waited_for);
        let successor = self.field(types::I8, rec, record::SUCCESSOR);
        self.leave_if(IntCC::NotEqual, successor, 0, done);
        self.leave_to_row(state, offset, WAKE);
        self.b.ins().jump(slow, &[]);
    }
}
