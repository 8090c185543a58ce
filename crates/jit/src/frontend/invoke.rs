//! Calls.
//!
//! A call that is not resolved leaves the code. The receiver is checked before the call, so that the
//! target is entered with an object. What a virtual or interface call selects is bound where it is
//! known (`targets`).
use super::blocks::Blocks;
use super::frame::Frame;
use super::{Builder, Flow, Scope, Step};
use crate::ir::op::CallTarget;
use crate::ir::state::Reason;
use crate::ir::{Block, Op, Resume, Ty, Value};
use concord_classfile::opcodes::{Instruction, op};
use concord_contract::class::ClassState;
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::Bailout;
use concord_contract::method::{CallKind, MethodRef, MhIntrinsic, acc, mflags};
use concord_contract::rows;
use std::rc::Rc;

/// Bytes of bytecode up to which a method is inlined; the same into a loop of the compiled method, and, if that has loops, of
/// an object that its code has made, which may then be none ([`crate::passes::scalars`]); depth, and sum of what is inlined
/// into one method.
const MAX_SIZE: usize = 35;
const LOOP_SIZE: usize = 80;
const OWN_SIZE: usize = 110;
const MAX_DEPTH: usize = 9;
const MAX_TOTAL: usize = 1000;
/// What each loop in a loop adds to that sum: what comes before it leaves it something.
const LOOP_TOTAL: usize = 400;
const MOST_LOOPS: usize = 2;
/// The same for `@ForceInline`: a chain of method handles is of such methods, and the form of a link has a call for each step.
/// They do not count for what others may add.
const FORCED_SIZE: usize = 400;
const FORCED_DEPTH: usize = 40;
const FORCED_TOTAL: usize = 12_000;
/// A body that is shorter than its call; counts as little.
const TINY: usize = 6;
/// Times that a method is inlined into itself, and its size: half of the calls are saved then.
const MAX_RECURSION: usize = 1;
const RECURSIVE_SIZE: usize = 60;

impl Builder<'_> {
    pub(super) fn invoke(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let Some(mut call) = self.env.call(scope.method, scope.bci, i.cp(), i.opcode) else {
            return self.trap(scope, Reason::Unresolved);
        };
        // The adapter of a handle is static and may take the appendix, which is not on the stack yet.
        let on_handle = call.kind == CallKind::Handle && i.opcode == op::INVOKEVIRTUAL;
        if on_handle || !call.method.is_static() && call.kind != CallKind::Handle {
            let receiver = self.frame.peek(call.method.nargs() - usize::from(call.appendix.is_some()))?;
            self.nonnull(scope, receiver);
            self.implements(scope, &call, receiver);
        }
        scope.call_counter = self.counter_of_call(scope, &call);
        if let Some(flow) = self.call_through(scope, &call)? {
            return Ok(flow);
        }
        self.bind(&mut call)?;
        self.class_used(call.method.class);
        if let Some(flow) = self.intrinsic(scope, &call)? {
            return Ok(flow);
        }
        if let Some(flow) = self.inline_usual(scope, &call)? {
            return Ok(flow);
        }
        let selected = self.select(scope, &call)?;
        let mut args = self.arguments(scope, &call)?;
        if let Some(root) = call.appendix {
            let appendix = self.value(Op::Root(root));
            self.found_in(appendix, root);
            args.push(appendix);
        }
        if let Some(m) = selected {
            args.insert(0, m);
            self.emit_call(scope, &call, args);
            return Ok(Flow::Next);
        }
        self.call_or_inline(scope, &call, args)
    }

    /// The call, its arguments being popped, of what needs no selection but by a vtable.
    pub(super) fn call_or_inline(&mut self, scope: &mut Scope, call: &CallAnswer, args: Vec<Value>) -> Step {
        if call.method.has(mflags::OBJECT_INIT) {
            if !self.is_unfinalizable(args[0]) {
                let s = self.after(scope);
                self.emit(Op::RegisterFinalizer(args[0], s));
            }
            return Ok(Flow::Next);
        }
        if let Some(flow) = self.inline(scope, call, &args)? {
            return Ok(flow);
        }
        self.emit_call(scope, call, args);
        Ok(Flow::Next)
    }

    /// Leaves the code for a receiver that does not implement what it must; the interpreter throws.
    fn implements(&mut self, scope: &Scope, call: &CallAnswer, receiver: Value) {
        let Some(interface) = call.requested else { return };
        self.class_used(interface);
        let ok = self.value(Op::InstanceOf(interface, receiver));
        let s = self.before(scope, Reason::ClassCheck);
        self.emit(Op::Guard(ok, s));
    }

    /// The method that an interface call selects; the interpreter throws if there is none.
    pub(super) fn select(&mut self, scope: &Scope, call: &CallAnswer) -> Result<Option<Value>, Bailout> {
        let (CallKind::Interface, Some(interface)) = (call.kind, call.interface) else { return Ok(None) };
        let receiver = self.frame.peek(call.method.nargs())?;
        let s = self.before(scope, Reason::ClassCheck);
        Ok(Some(self.value(Op::SelectInterface(interface, call.index, receiver, s))))
    }

    /// Translates the target in place of the call, if it is small and known.
    pub(super) fn inline(
        &mut self,
        scope: &mut Scope,
        call: &CallAnswer,
        args: &[Value],
    ) -> Result<Option<Flow>, Bailout> {
        let m = call.method;
        let direct = matches!(call.kind, CallKind::Static | CallKind::Special | CallKind::Handle);
        if !self.may_inline || !direct || !self.worth_inlining(scope, m, args.first()) || !self.counts_inlined(m) {
            return Ok(None);
        }
        let Ok(blocks) = Blocks::of(m, None) else { return Ok(None) };
        // What the call itself throws, its receiver being null, is for this scope's handlers, in its frame.
        self.dispatch(scope)?;
        let caller = self.state_at(scope, scope.instruction + 1, Resume::Calling, Reason::AfterCall);
        let behind = self.func.new_block();
        let result = Ty::of(m.ret).map(|ty| (self.func.add_param(behind, ty), ty));
        let mut inner = Frame {
            locals: vec![None; m.max_locals as usize],
            nonnull: self.frame.nonnull.clone(),
            ..Frame::default()
        };
        let mut slot = 0;
        for v in args {
            if let Some(Op::Int(n)) = self.made_here(*v) {
                self.numbers.insert(*v, *n);
            }
            let ty = self.func.ty(*v);
            inner.set_local(slot, *v, ty);
            slot += ty.slots() as u16;
        }
        let catches = self.is_caught(scope);
        let outer = std::mem::replace(&mut self.frame, inner);
        let bytes = self.learn_byte_parameters(m, args);
        self.active.push(m);
        let forced = self.is_forced(m);
        self.inlined_bytes += m.bytecode.len() as u32;
        self.chosen_bytes += if forced { 0 } else { m.bytecode.len() as u32 };
        if !self.inlined.contains(&m) {
            self.inlined.push(m);
        }
        let mut s = self.scope(m, Rc::new(blocks), Some((caller, behind)), scope.depth + 1);
        s.catches = catches;
        s.chosen = scope.chosen + u32::from(!forced);
        s.looped = forced && in_root_loop(scope);
        s.loops_outside = scope.loop_depth();
        self.count_entry(&s);
        debug_assert!(self.raised.is_empty(), "an exception of the caller would meet the callee's handlers");
        let before = self.learn_receiver(call, args);
        self.run(&mut s, 0)?;
        self.forget_receiver(before);
        self.forget_bytes(&bytes);
        self.active.pop();
        self.frame = outer;
        self.raised_in(std::mem::take(&mut s.escaped));
        self.cur = behind;
        if s.returns.is_empty() {
            return Ok(Some(Flow::End));
        }
        if let Some((v, ty)) = result {
            let only = self.only_result(&s, behind);
            self.frame.push(only.unwrap_or(v), ty);
            // What the caller had already may be something else on another way through it.
            if only.is_none() {
                if let Some(class) = self.exact_class(&s.results) {
                    self.made(v, class);
                }
                self.learn_result(m);
            }
        }
        Ok(Some(Flow::Next))
    }
    /// The value that the inlined code returns, if it returns in one place: then all that is known of it holds behind, too.
    fn only_result(&mut self, inlined: &Scope, behind: Block) -> Option<Value> {
        let ([from], [v]) = (&inlined.returns[..], &inlined.results[..]) else { return None };
        self.func.blocks[behind.index()].params.clear();
        self.func.blocks[from.index()].end.for_each_target_mut(|t| t.args.clear());
        Some(*v)
    }
    /// Whether the method is to be inlined whatever it has.
    fn is_forced(&self, m: MethodRef) -> bool {
        m.bytecode.len() <= TINY || self.env.inlining(self.active[0], m) & mflags::FORCE_INLINE != 0
    }
    pub(super) fn worth_inlining(&self, scope: &Scope, m: MethodRef, receiver: Option<&Value>) -> bool {
        let size = m.bytecode.len();
        let said = self.env.inlining(self.active[0], m);
        let forced = self.is_forced(m);
        let limit = match m {
            _ if forced => FORCED_SIZE,
            _ if scope.depth == 0 && std::ptr::eq(m, scope.method) => RECURSIVE_SIZE,
            _ if self.loops && receiver.is_some_and(|r| self.own.contains(r)) => OWN_SIZE,
            _ if in_root_loop(scope) => LOOP_SIZE,
            _ => MAX_SIZE,
        };
        let inner_loops = (scope.loop_depth() as usize).saturating_sub(1);
        let most = MAX_TOTAL + LOOP_TOTAL * inner_loops.min(MOST_LOOPS);
        let has_room = self.inlined_bytes as usize + size <= FORCED_TOTAL
            && (scope.depth as usize) < FORCED_DEPTH
            && (forced || self.chosen_bytes as usize + size <= most && (scope.chosen as usize) < MAX_DEPTH);
        let never = mflags::CALLER_SENSITIVE | mflags::OBJECT_INIT | acc::SYNCHRONIZED;
        size > 0
            && size <= limit
            && (m.exceptions.is_empty() || self.with_handlers && !m.bytecode.contains(&op::MONITORENTER))
            && said & mflags::DONT_INLINE == 0
            && !m.has(never)
            && !m.is_native()
            && !m.is_abstract()
            && m.mh_intrinsic == MhIntrinsic::None
            // Its body is not what the interpreter runs.
            && rows::math(m).is_none()
            && has_room
            && (said & mflags::FORCE_INLINE != 0 || self.active.iter().filter(|a| **a == m).count() <= MAX_RECURSION)
            && m.class.state() >= ClassState::Linked
            // Walkers read the locals of this method's frames.
            && m.name.as_bytes() != b"executePrivileged"
    }

    /// Pops the arguments that the instruction finds on the stack, and counts the call: from here on the
    /// code is not left to the interpreter for it to begin again.
    pub(super) fn arguments(&mut self, scope: &Scope, call: &CallAnswer) -> Result<Vec<Value>, Bailout> {
        let slots = call.method.nargs() - call.appendix.is_some() as usize;
        let from = self.frame.stack.len().checked_sub(slots);
        let Some(from) = from else { return Err(Bailout::Unsupported("a call with too few arguments".into())) };
        let args: Vec<Value> = self.frame.stack.split_off(from).into_iter().flatten().collect();
        self.count_call(scope, &args);
        Ok(args)
    }

    pub(super) fn emit_call(&mut self, scope: &Scope, call: &CallAnswer, args: Vec<Value>) {
        let caught = self.is_caught(scope);
        let target = Box::new(CallTarget { method: call.method, kind: call.kind, index: call.index, caught });
        match Ty::of(call.method.ret) {
            Some(ty) => {
                self.value_after(scope, ty, |s| Op::Call(target, args, s));
                self.learn_result(call.method);
            }
            None => {
                let s = self.after(scope);
                self.emit(Op::Call(target, args, s));
            }
        }
        let last = self.func.block(self.cur).insts.last().and_then(|i| i.op.state());
        if let Some(s) = last.filter(|_| caught) {
            self.split_if_interrupted(s);
        }
    }
}

/// Whether the call at hand is in a loop of the compiled method, through nothing but what is inlined in any case.
fn in_root_loop(scope: &Scope) -> bool {
    if scope.depth == 0 { scope.loops[scope.at] != 0 } else { scope.looped }
}
