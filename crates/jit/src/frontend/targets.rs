//! What a virtual or interface call selects, as far as it is known here.
//!
//! Invariant: a call is bound to a method only where every receiver selects that method. Either the class hierarchy has only
//! one answer below the class that the call, or one through which its body was inlined, names, which is then a dependency of
//! the code; or the receiver was made here ([`Builder::exact`]); or the code has compared its class with the one that running code has shown (`profile`), and calls as before if it is another:
//! ```text
//!  receiver is exactly C? yes -> C's method, inlined ------> behind(result)
//!                         no  -> select, call -------------> behind(result)
//! ```
//! If no other has been seen at all, nothing joins the inlined code: another class leaves the code. All that follows then knows
//! what the method gave, an iterator perhaps, whose class is known and which nobody else reaches. Where that goes wrong often,
//! the code that is made next has the call again (`compiled::tiers::traps`).
//!
//! The comparison is made for methods that are inlined, since a call that is bound and made saves little.
use super::frame::Frame;
use super::{Builder, Flow, Scope, Step};
use crate::ir::state::Reason;
use crate::ir::{Op, Target, Terminator, Ty, Value};
use concord_contract::class::{Class, ClassRef, flags};
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::{Bailout, CompLevel};
use concord_contract::method::{CallKind, MethodRef};

/// Receivers, of a hundred, that must have been of one class (HotSpot's `TypeProfileMajorReceiverPercent`).
const MAJORITY: u64 = 90;

impl Builder<'_> {
    /// Replaces dispatch by the one target that there is.
    pub(super) fn bind(&mut self, call: &mut CallAnswer) -> Result<(), Bailout> {
        if !is_dispatched(call) {
            return Ok(());
        }
        let receiver = self.frame.peek(call.method.nargs())?;
        if let Some(target) = self.exactly(receiver).and_then(|class| self.env.target_in(call, class)) {
            call.method = target;
            call.kind = CallKind::Special;
        } else if let Some((target, rests_on)) = self.env.unique_target(&self.narrowed(call, receiver)) {
            call.method = target;
            call.kind = CallKind::Special;
            self.dependencies.push(rests_on);
        }
        Ok(())
    }

    /// The same call by the narrowest class that the receiver is known to be of.
    fn narrowed(&self, call: &CallAnswer, receiver: Value) -> CallAnswer {
        let bound = self.bounds.get(&receiver).copied();
        let narrower =
            bound.filter(|b| call.kind == CallKind::Virtual && call.named.is_some_and(|c| b.is_subclass_of(c)));
        CallAnswer { named: narrower.or(call.named), ..*call }
    }
    /// While the body of a method is inlined, its receiver is of the class by which the call names it: the verifier has seen
    /// that. Returns what was known before, for [`Builder::forget_receiver`].
    pub(super) fn learn_receiver(&mut self, call: &CallAnswer, args: &[Value]) -> Option<(Value, Option<ClassRef>)> {
        let class = call.named.filter(|c| c.is_instance_class() && !c.is_interface() && !call.method.is_static())?;
        let receiver = *args.first()?;
        let before = self.bounds.get(&receiver).copied();
        if before.is_none_or(|b| class.is_subclass_of(b)) {
            self.bounds.insert(receiver, class);
        }
        Some((receiver, before))
    }
    pub(super) fn forget_receiver(&mut self, before: Option<(Value, Option<ClassRef>)>) {
        match before {
            Some((receiver, Some(class))) => drop(self.bounds.insert(receiver, class)),
            Some((receiver, None)) => drop(self.bounds.remove(&receiver)),
            None => {}
        }
    }

    /// The class of almost all receivers so far, and the method that it selects, if that is one to inline; and whether all
    /// receivers were of it.
    fn usual(&self, scope: &Scope, call: &CallAnswer) -> Option<(ClassRef, MethodRef, bool)> {
        if !self.may_inline || self.request.level != CompLevel::Plain || !is_dispatched(call) {
            return None;
        }
        let profile = scope.profile.get_or_init(|| self.env.profile(scope.method));
        let types = profile.as_ref()?.types(scope.bci)?;
        let (class, count) = *types.rows.first()?;
        let target = self.env.target_in(call, class).filter(|_| count * 100 >= types.total() * MAJORITY)?;
        // A trap is known by the innermost frame's instruction.
        let trapped = self.request.hot_traps.contains(&(scope.bci, Reason::Receiver));
        let sure = types.only().is_some() && !trapped;
        self.worth_inlining(scope, target, None).then_some((class, target, sure))
    }

    /// Inlines the method that the receiver usually selects, if it has a usual class; beside the call, if others were seen.
    pub(super) fn inline_usual(&mut self, scope: &mut Scope, call: &CallAnswer) -> Result<Option<Flow>, Bailout> {
        let Some((class, target, sure)) = self.usual(scope, call) else { return Ok(None) };
        let receiver = self.frame.peek(call.method.nargs())?;
        self.class_used(class);
        let is = self.value(Op::IsExactly(class, receiver));
        if sure {
            let s = self.before(scope, Reason::Receiver);
            self.emit(Op::Guard(is, s));
            return self.inline_exactly(scope, call, (receiver, class, target)).map(Some);
        }
        let (usual, other, behind) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        let edge = |block| Target { block, args: Vec::new() };
        self.func.end(self.cur, Terminator::If(is, edge(usual), edge(other)));
        self.func.blocks[other.index()].cold = true;
        let result = Ty::of(call.method.ret).map(|ty| (self.func.add_param(behind, ty), ty));
        let before = self.frame.clone();

        self.cur = other;
        let selected = self.select(scope, call)?;
        let mut args = self.arguments(scope, call)?;
        if let Some(m) = selected {
            args.insert(0, m);
        }
        self.emit_call(scope, call, args);
        self.dispatch(scope)?;
        let mut joined = self.leave_arm(result, behind)?;

        self.frame = before;
        self.cur = usual;
        let flow = self.inline_exactly(scope, call, (receiver, class, target))?;
        if flow == Flow::Next {
            let inlined = self.leave_arm(result, behind)?;
            joined.nonnull.retain(|v| inlined.nonnull.contains(v));
        }
        self.dispatch(scope)?;
        self.cur = behind;
        self.frame = joined;
        if let Some((v, ty)) = result {
            self.frame.push(v, ty);
            self.learn_result(call.method);
        }
        Ok(Some(Flow::Next))
    }

    /// Inlines what the receiver selects, which is known to be of the class.
    fn inline_exactly(
        &mut self,
        scope: &mut Scope,
        call: &CallAnswer,
        (receiver, class, target): (Value, ClassRef, MethodRef),
    ) -> Step {
        let bound = CallAnswer { method: target, kind: CallKind::Special, ..*call };
        let args = self.arguments(scope, &bound)?;
        // Its code is reached from here only.
        self.exact.insert(receiver, class);
        let flow = match self.inline(scope, &bound, &args)? {
            Some(flow) => flow,
            None => {
                self.emit_call(scope, &bound, args);
                Flow::Next
            }
        };
        self.exact.remove(&receiver);
        Ok(flow)
    }

    /// Goes on behind the call with its result, which the frame, the answer, has lost.
    fn leave_arm(&mut self, result: Option<(Value, Ty)>, behind: crate::ir::Block) -> Result<Frame, Bailout> {
        let mut frame = std::mem::take(&mut self.frame);
        let v = result.map(|(_, ty)| frame.pop(ty.slots())).transpose()?;
        self.func.jump(self.cur, behind, v.into_iter().collect());
        Ok(frame)
    }

    /// Remembers the class of an object that the code makes.
    pub(super) fn made(&mut self, v: Value, class: ClassRef) {
        self.exact.insert(v, class);
        self.frame.learn_nonnull(v);
    }
    /// Whether the object is known to have no finalizer.
    pub(super) fn is_unfinalizable(&self, v: Value) -> bool {
        self.exact.get(&v).is_some_and(|class| !class.has_flag(flags::FINALIZER))
    }
    /// The class that all these values have, if they are objects of one known class.
    pub(super) fn exact_class(&self, all: &[Value]) -> Option<ClassRef> {
        let class = *self.exact.get(all.first()?)?;
        let same = |v: &Value| self.exact.get(v).is_some_and(|c| std::ptr::eq::<Class>(*c, class));
        all.iter().all(same).then_some(class)
    }
}

fn is_dispatched(call: &CallAnswer) -> bool {
    matches!(call.kind, CallKind::Virtual | CallKind::Interface)
}
