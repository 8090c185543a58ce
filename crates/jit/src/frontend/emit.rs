//! What the translation of every instruction uses: appending to the block at hand, frame states, edges to other blocks, facts.
//!
//! Invariant: a frame state holds of the locals those that are live at its point, and of the stack what the interpreter has
//! there: all operands before an instruction is executed ([`Resume::Reexecute`]), the result behind it.
use super::blocks::only_type;
use super::frame::Edge;
use super::{Builder, Flow, Scope, Step};
use crate::ir::state::Reason;
use crate::ir::{FrameState, Inst, Op, Resume, StateId, Target, Terminator, Ty, Value};
use concord_contract::class::ClassRef;
use concord_contract::compiled::Bailout;
use concord_contract::method::mflags;
use concord_contract::rows::Row;
use concord_memory_model::{Mode, plain_mode, policy};

impl Builder<'_> {
    pub(super) fn emit(&mut self, op: Op) {
        self.func.push(self.cur, op);
    }
    pub(super) fn value(&mut self, op: Op) -> Value {
        self.func.value(self.cur, op)
    }
    /// Emits an instruction with a result whose state holds that result on the stack.
    pub(super) fn value_after(&mut self, scope: &Scope, ty: Ty, op: impl FnOnce(StateId) -> Op) -> Value {
        let v = self.func.new_value(ty);
        self.frame.push(v, ty);
        let s = self.after(scope);
        self.func.blocks[self.cur.index()].insts.push(Inst { op: op(s), result: Some(v), owes_fence: false });
        v
    }

    // Frame states.

    pub(super) fn state_at(&mut self, scope: &Scope, point: usize, resume: Resume, reason: Reason) -> StateId {
        let live = &scope.live[point];
        let locals = self.frame.locals.iter().zip(live.iter());
        let s = FrameState {
            method: scope.method,
            bci: scope.bci,
            resume,
            reason,
            locals: locals.map(|(v, k)| v.filter(|v| *k != 0 && only_type(*k) == Some(self.func.ty(*v)))).collect(),
            stack: self.frame.stack.clone(),
            monitors: self.frame.monitors.clone(),
            parent: scope.caller.map(|c| c.0),
            objects: Vec::new(),
        };
        self.func.add_state(s)
    }
    /// The interpreter executes the current instruction; nothing may have been popped yet.
    pub(super) fn before(&mut self, scope: &Scope, reason: Reason) -> StateId {
        self.state_at(scope, scope.instruction, Resume::Reexecute, reason)
    }
    /// The current instruction is complete, its result pushed.
    pub(super) fn after(&mut self, scope: &Scope) -> StateId {
        self.state_at(scope, scope.instruction + 1, Resume::After, Reason::AfterCall)
    }
    /// Leaves the code here for good.
    pub(super) fn trap(&mut self, scope: &Scope, reason: Reason) -> Step {
        let s = self.before(scope, reason);
        self.func.end(self.cur, Terminator::Deopt(s));
        Ok(Flow::End)
    }

    // Control flow.

    pub(super) fn target(&mut self, scope: &mut Scope, b: usize) -> Target {
        let block = *scope.joins[b].block.get_or_insert_with(|| self.func.new_block());
        Target { block, args: Vec::new() }
    }
    /// Ends the block at hand; `to` are the bytecode blocks of the terminator's targets.
    pub(super) fn end_with(&mut self, scope: &mut Scope, t: Terminator, to: &[usize]) -> Result<(), Bailout> {
        self.func.end(self.cur, t);
        for (which, b) in to.iter().enumerate() {
            let e = Edge { from: self.cur, which, frame: self.frame.clone() };
            scope.joins[*b].add(&mut self.func, e)?;
        }
        Ok(())
    }
    pub(super) fn is_back(&self, scope: &Scope, b: usize) -> bool {
        scope.position[b] <= scope.position[scope.at]
    }

    // Facts.

    pub(super) fn is_nonnull(&self, v: Value) -> bool {
        self.frame.nonnull.contains(&v) || self.paths.contains_key(&v)
    }
    /// Whether an exception of this kind is frequent here, so that the code throws it by itself.
    pub(super) fn hot_trap(&self, scope: &Scope, reason: Reason) -> bool {
        scope.depth == 0 && self.request.hot_traps.contains(&(scope.bci, reason))
    }
    /// Goes on if the int is not 0; else throws by the row.
    pub(super) fn or_throw(&mut self, scope: &Scope, ok: Value, row: Row, args: Vec<Value>) {
        self.or_throw_counted(scope, ok, row, args, None);
    }
    /// The same, where the object is counted whether or not the test succeeds.
    pub(super) fn or_throw_counted(
        &mut self,
        scope: &Scope,
        ok: Value,
        row: Row,
        args: Vec<Value>,
        counted: Option<Value>,
    ) {
        let (on, throw) = (self.func.new_block(), self.func.new_block());
        let edge = |block| Target { block, args: Vec::new() };
        self.func.end(self.cur, Terminator::If(ok, edge(on), edge(throw)));
        self.func.blocks[throw.index()].cold = true;
        self.cur = throw;
        if let Some(o) = counted {
            self.count_object(scope, o);
        }
        self.throw(scope, row, args);
        self.cur = on;
    }
    pub(super) fn class_used(&mut self, c: ClassRef) {
        if !self.classes.contains(&c) {
            self.classes.push(c);
        }
    }
    /// The mode of plain accesses to array elements in the scope's code.
    pub(super) fn element_mode(&self, scope: &Scope) -> Mode {
        plain_mode(policy::vbd(), scope.method.has(mflags::RELAXED), false)
    }
}
