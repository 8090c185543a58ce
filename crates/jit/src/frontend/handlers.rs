//! Exceptions that a method of the graph catches.
//!
//! Invariant: behind an instruction at which an exception may be pending, and which a handler of the
//! graph protects, the frame's locals go to that handler as they were when the instruction threw.
//! Whatever is not decided here (a class that is not resolved, a handler that lies behind, invalid
//! code, somebody who watches exceptions) goes to the interpreter with the exception still pending.
//! ```text
//!  v = call ...                       interrupted? no -> on
//!                                       | yes
//!                                     e = pending; null -> leave
//!                                     e instance of the first row's class? -> catch -> handler(e)
//!                                     ... the caller's rows, if this scope is inlined
//!                                     leave (the exception goes to the caller)
//! ```
use super::frame::{Edge, Frame};
use super::{Builder, Scope};
use crate::ir::state::Reason;
use crate::ir::{Block, Cond, Op, StateId, Target, Terminator, Ty, Value};
use concord_contract::compiled::Bailout;

/// A block in which an exception may be pending, to be given its handlers.
pub(super) struct Raised {
    block: Block,
    state: StateId,
    /// Frame of the scope at hand at the instruction that threw.
    pub frame: Frame,
    /// The exception, and the block that leaves the code, where the search has begun.
    begun: Option<(Value, Block)>,
}

fn plain(block: Block) -> Target {
    Target { block, args: Vec::new() }
}

impl Builder<'_> {
    /// Whether a handler of the graph may catch what the instruction at hand throws.
    pub(super) fn is_caught(&self, scope: &Scope) -> bool {
        self.with_handlers && (self.rows(scope).next().is_some() || self.caller_catches(scope))
    }
    fn caller_catches(&self, scope: &Scope) -> bool {
        scope.catches && self.frame.monitors.is_empty()
    }
    /// The rows that protect the instruction at hand: constant of the class, or 0, and handler.
    fn rows<'s>(&self, scope: &'s Scope) -> impl Iterator<Item = (u16, u16)> + use<'s> {
        let bci = scope.bci;
        scope.method.exceptions.iter().filter(move |e| e.start <= bci && bci < e.end).map(|e| (e.catch_type, e.handler))
    }

    /// Behind a call that is caught: an exception goes to its handler.
    pub(super) fn split_if_interrupted(&mut self, state: StateId) {
        let hit = self.value(Op::Interrupted);
        let (on, raised) = (self.func.new_block(), self.func.new_block());
        self.func.blocks[raised.index()].cold = true;
        self.func.end(self.cur, Terminator::If(hit, plain(raised), plain(on)));
        self.raised.push(Raised { block: raised, state, frame: self.frame.clone(), begun: None });
        self.cur = on;
    }
    /// Throws by a row; ends the block at hand.
    pub(super) fn throw(&mut self, scope: &Scope, row: concord_contract::rows::Row, args: Vec<Value>) {
        let state = self.throwing(scope);
        if !self.is_caught(scope) {
            return self.func.end(self.cur, Terminator::Throw(row, args, state));
        }
        self.emit(Op::Raise(row, args, state));
        self.raised.push(Raised { block: self.cur, state, frame: self.frame.clone(), begun: None });
    }

    /// Gives everything that the last instruction may have raised its handlers. What this scope does
    /// not catch is left for its caller's.
    pub(super) fn dispatch(&mut self, scope: &mut Scope) -> Result<(), Bailout> {
        if self.raised.is_empty() {
            return Ok(());
        }
        let (cur, frame) = (self.cur, std::mem::take(&mut self.frame));
        for r in std::mem::take(&mut self.raised) {
            self.cur = r.block;
            self.frame = r.frame;
            let (e, leave) = match r.begun {
                Some(b) => b,
                None => self.pending(r.state),
            };
            self.find(scope, e, leave, r.state)?;
        }
        (self.cur, self.frame) = (cur, frame);
        Ok(())
    }
    /// What an inlined scope left, for this one's handlers: its frame is that of the call.
    pub(super) fn raised_in(&mut self, inner: Vec<Raised>) {
        let frame = &self.frame;
        self.raised.extend(inner.into_iter().map(|r| Raised { frame: frame.clone(), ..r }));
    }

    /// The pending exception, if there is one: else the code is invalid and is left.
    fn pending(&mut self, state: StateId) -> (Value, Block) {
        let (leave, on) = (self.cold(), self.cold());
        self.func.end(leave, Terminator::Deopt(state));
        let e = self.value(Op::PendingException);
        let null = self.value(Op::Null);
        let none = self.func.cmp(self.cur, Cond::Eq, e, null);
        self.func.end(self.cur, Terminator::If(none, plain(leave), plain(on)));
        self.cur = on;
        (e, leave)
    }
    fn cold(&mut self) -> Block {
        let b = self.func.new_block();
        self.func.blocks[b.index()].cold = true;
        b
    }

    /// Searches this scope's rows for the exception; ends the block at hand.
    fn find(&mut self, scope: &mut Scope, e: Value, leave: Block, state: StateId) -> Result<(), Bailout> {
        let rows: Vec<_> = self.rows(scope).collect();
        for (class, handler) in rows {
            let h = scope.blocks.at(handler as i64)?;
            // A handler that lies behind would be a loop without a poll.
            let ahead = scope.position[h] != u32::MAX && scope.position[h] > scope.position[scope.at];
            if !ahead || !scope.joins[h].fits(1, self.frame.monitors.len()) {
                self.func.jump(self.cur, leave, vec![]);
                return Ok(());
            }
            if class == 0 {
                return self.enter_handler(scope, h, e, leave);
            }
            let Some(class) = self.env.class(scope.method, class) else {
                let unresolved = crate::ir::FrameState { reason: Reason::Unresolved, ..self.func.state(state).clone() };
                let s = self.func.add_state(unresolved);
                self.func.end(self.cur, Terminator::Deopt(s));
                return Ok(());
            };
            self.class_used(class);
            let is = self.value(Op::InstanceOf(class, e));
            let (yes, no) = (self.cold(), self.cold());
            self.func.end(self.cur, Terminator::If(is, plain(yes), plain(no)));
            self.cur = yes;
            self.enter_handler(scope, h, e, leave)?;
            self.cur = no;
        }
        if self.caller_catches(scope) {
            let frame = Frame::default();
            scope.escaped.push(Raised { block: self.cur, state, frame, begun: Some((e, leave)) });
        } else {
            self.func.jump(self.cur, leave, vec![]);
        }
        Ok(())
    }
    /// Goes to the handler with the exception, which is pending no more.
    fn enter_handler(&mut self, scope: &mut Scope, h: usize, e: Value, leave: Block) -> Result<(), Bailout> {
        let caught = self.value(Op::Catch);
        let t = self.target(scope, h);
        self.func.blocks[t.block.index()].cold = true;
        let from = self.cur;
        self.func.end(from, Terminator::If(caught, t, plain(leave)));
        let mut frame = self.frame.clone();
        frame.stack.clear();
        frame.push(e, Ty::Ref);
        frame.learn_nonnull(e);
        scope.joins[h].add(&mut self.func, Edge { from, which: 0, frame })
    }
}
