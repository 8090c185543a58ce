//! What the code counts while it runs (levels 2 and 3).
//!
//! Invariant: an instruction is counted once, by the interpreter or here. It is counted here behind the
//! last point from which the interpreter might execute it again: when its operands are popped, behind
//! its guards. So what leaves the code to the interpreter loses no count and adds none: an instruction
//! with a failed guard is counted there, one that is complete or called was counted here.
//!
//! An inlined method counts as if it were called. One that never ran has no counters yet; it is called
//! until it has.
//!
//! Entries and jumps back are counted here alone: the interpreter's heat is another measure of them.
use super::{Builder, Scope};
use crate::ir::{Block, Func, Op, Target, Terminator, Value};
use concord_classfile::opcodes::Instruction;
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::{Bailout, CompLevel};
use concord_contract::method::{CallKind, MethodRef};
use concord_contract::profile::{Cell, Counter, Counters, Rows};

impl Builder<'_> {
    /// Where code of `m` counts, at the request's level.
    pub(super) fn counters(&self, m: MethodRef) -> Option<Counters> {
        if self.request.level == CompLevel::Plain || m.is_trivial() {
            return None;
        }
        let mut c = self.env.counters(m)?;
        if self.request.level == CompLevel::Counting {
            c.sites.clear();
        }
        Some(c)
    }
    /// Whether inlined code of `m` counts all that it should.
    pub(super) fn counts_inlined(&self, m: MethodRef) -> bool {
        self.request.level == CompLevel::Plain || m.is_trivial() || self.env.counters(m).is_some()
    }
    fn count(&mut self, at: Cell) {
        self.emit(Op::Count(at));
    }
    pub(super) fn count_entry(&mut self, scope: &Scope) {
        if let Some(c) = &scope.counters {
            self.count(c.entries);
        }
    }

    /// What the call counts when its arguments are popped. A call that selects by its receiver counts
    /// the receiver's class, also where the hierarchy has only one answer.
    pub(super) fn counter_of_call(&self, scope: &Scope, call: &CallAnswer) -> Option<Counter> {
        match scope.counters.as_ref()?.at(scope.bci)? {
            Counter::Types(r) if !matches!(call.kind, CallKind::Virtual | CallKind::Interface) => {
                Some(Counter::Call(r.own + 4))
            }
            c => Some(c),
        }
    }
    /// The call's arguments were popped.
    pub(super) fn count_call(&mut self, scope: &Scope, args: &[Value]) {
        match scope.call_counter {
            Some(Counter::Call(at)) => self.count(at),
            Some(Counter::Types(r)) => self.emit(Op::CountReceiver(r, args[0])),
            _ => {}
        }
    }

    fn rows_of_objects(&self, scope: &Scope) -> Option<Rows> {
        match scope.counters.as_ref()?.at(scope.bci)? {
            Counter::Types(r) => Some(r),
            _ => None,
        }
    }
    /// A type test or a store of a reference into an array is made with this object. The interpreter
    /// counts those that fail, too.
    pub(super) fn count_object(&mut self, scope: &Scope, o: Value) {
        if let Some(r) = self.rows_of_objects(scope) {
            self.emit(if self.is_nonnull(o) { Op::CountReceiver(r, o) } else { Op::CountClass(r, o) });
        }
    }

    /// Jumps to the bytecode block `to`, counting it if the target lies behind.
    pub(super) fn jump_counted(&mut self, scope: &mut Scope, i: &Instruction, to: usize) -> Result<(), Bailout> {
        if let Some(c) = scope.counters.as_ref().filter(|_| is_back(scope, i, to)) {
            self.count(c.jumps_back);
        }
        let t = self.target(scope, to);
        self.end_with(scope, Terminator::Jump(t), &[to])
    }
    /// One way of a branch.
    pub(super) fn arm_counted(
        &mut self,
        scope: &mut Scope,
        i: &Instruction,
        to: usize,
        taken: bool,
    ) -> Result<(), Bailout> {
        if let Some(Counter::Branch { taken: yes, not_taken: no }) =
            scope.counters.as_ref().and_then(|c| c.at(scope.bci))
        {
            self.count(if taken { yes } else { no });
        }
        self.jump_counted(scope, i, to)
    }
    /// Whether the branch to `to` counts anything.
    pub(super) fn counts_branch(&self, scope: &Scope, i: &Instruction, to: usize) -> bool {
        scope.counters.as_ref().is_some_and(|c| c.at(scope.bci).is_some() || is_back(scope, i, to))
    }
    /// A branch that counts: each way has a block of its own.
    pub(super) fn branch_counted(
        &mut self,
        scope: &mut Scope,
        i: &Instruction,
        cond: Value,
        ways: [usize; 2],
        not_null: Option<(bool, Value)>,
    ) -> Result<(), Bailout> {
        let arms = [true, false].map(|taken| self.frame_of_arm(taken, not_null));
        let blocks = ways.map(|_| self.func.new_block());
        let [yes, no] = blocks.map(|block| Target { block, args: Vec::new() });
        self.func.end(self.cur, Terminator::If(cond, yes, no));
        for ((block, to), (taken, frame)) in blocks.into_iter().zip(ways).zip([true, false].into_iter().zip(arms)) {
            (self.cur, self.frame) = (block, frame);
            self.arm_counted(scope, i, to, taken)?;
        }
        Ok(())
    }
    /// A switch with ways back, which count: each way has a block of its own.
    pub(super) fn switch_counted(
        &mut self,
        scope: &mut Scope,
        i: &Instruction,
        on: Value,
        cases: &[(i32, usize)],
        default: usize,
    ) -> Result<(), Bailout> {
        let mut ways: Vec<(usize, Block)> = Vec::new();
        let mut way = |func: &mut Func, to: usize| {
            let known = ways.iter().find(|w| w.0 == to).map(|w| w.1);
            let block = known.unwrap_or_else(|| func.new_block());
            if known.is_none() {
                ways.push((to, block));
            }
            Target { block, args: Vec::new() }
        };
        let targets = cases.iter().map(|(key, to)| (*key, way(&mut self.func, *to))).collect();
        let last = way(&mut self.func, default);
        self.func.end(self.cur, Terminator::Switch(on, targets, last));
        for (to, block) in ways {
            self.cur = block;
            self.jump_counted(scope, i, to)?;
        }
        Ok(())
    }
}

/// Whether the jump is one that the interpreter takes for a loop's.
pub(super) fn is_back(scope: &Scope, i: &Instruction, to: usize) -> bool {
    usize::from(scope.blocks.blocks[to].start) <= i.bci
}
