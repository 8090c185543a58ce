//! Owns control flow: where control arrives, the current frame must fit the declared one; an
//! exception may leave any covered instruction for its handlers.

use super::frame::Frame;
use super::method::Verifier;
use super::report::{Checked, Fault, Origin, bad_code, bad_type, describe, fault, format_fault, render_frame};
use super::table::Target;
use super::types::{RefType, VType};
use crate::opcodes::{Flow, Instruction, op};

const MISSING: &str = "Expected stackmap frame at this location.";

impl<'a> Verifier<'_, 'a> {
    /// At an instruction: the declared frame, if there is one here, must accept what flows in,
    /// and is the current frame from now on.
    pub fn meet_declared(&mut self, next: &mut usize, bci: usize, unreachable: bool) -> Checked<()> {
        let Some(target) = self.table.frames.get(*next) else {
            return if unreachable { bad_code(bci, "Expecting a stack map frame") } else { Ok(()) };
        };
        if unreachable && target.bci > bci {
            return fault(bci, "Expecting a stack map frame", MISSING).fail();
        }
        if target.bci > bci {
            return Ok(());
        }
        if target.bci < bci {
            return format_fault(format!("Bad stack map offset {}", target.bci));
        }
        let target = target.clone();
        if !unreachable && let Some(mismatch) = self.mismatch(&target, None)? {
            return Fault { message: "Instruction type does not match stack map".to_string(), ..mismatch }.fail();
        }
        let (locals, stack) = (self.table.locals(&target), self.table.stack(&target));
        let frame = &mut self.frame;
        if frame.locals_size > locals.len() {
            frame.locals[locals.len()..frame.locals_size].fill(VType::Top);
        }
        frame.locals[..locals.len()].copy_from_slice(locals);
        frame.locals_size = locals.len();
        frame.stack[..stack.len()].copy_from_slice(stack);
        frame.height = stack.len();
        frame.mark = stack.len();
        frame.this_uninit = target.this_uninit;
        *next += 1;
        Ok(())
    }

    /// What keeps the current frame from flowing to `target`. With `thrown`, the stack is that
    /// exception alone, and `this` counts as uninitialised if the flag says so.
    fn mismatch(&mut self, target: &Target, thrown: Option<(VType<'a>, bool)>) -> Checked<Option<Fault>> {
        let frame = &self.frame;
        let exception = thrown.map(|t| [t.0]);
        let stack: &[VType<'a>] = exception.as_ref().map_or(&frame.stack[..frame.height], |e| e);
        let this_uninit = thrown.map_or(frame.this_uninit, |t| t.1);
        let (to_locals, to_stack) = (self.table.locals(target), self.table.stack(target));
        let show = |mut fault: Fault| {
            let shown = if exception.is_some() { stack } else { &frame.stack[..frame.mark] };
            fault.current = Some(render_frame(frame.bci, this_uninit, &frame.locals[..frame.locals_size], shown));
            fault.stack_map = Some(render_frame(target.bci, target.this_uninit, to_locals, to_stack));
            Ok(Some(fault))
        };
        if stack.len() != to_stack.len() {
            return show(fault(frame.bci, "", "Current frame's stack size doesn't match stackmap."));
        }
        for (n, (&from, &to)) in frame.locals.iter().zip(to_locals).enumerate() {
            if from != to && !to.accepts(from, self.env, false)? {
                let found = describe(from, Origin::Local(n));
                return show(bad_type(target.bci, "", found, Some(describe(to, Origin::MapLocal(n)))));
            }
        }
        for (n, (&from, &to)) in stack.iter().zip(to_stack).enumerate() {
            if from != to && !to.accepts(from, self.env, false)? {
                let found = describe(from, Origin::Stack(n));
                return show(bad_type(target.bci, "", found, Some(describe(to, Origin::MapStack(n)))));
            }
        }
        if this_uninit && !target.this_uninit {
            let why = "Current frame's flags are not assignable to stack map frame's.";
            return show(fault(target.bci, "", why));
        }
        Ok(None)
    }

    /// The current frame flows to `bci`.
    fn flow_to(&mut self, bci: i64, thrown: Option<(VType<'a>, bool)>, message: &str) -> Checked<()> {
        let target = usize::try_from(bci).ok().and_then(|b| self.table.at(b)).cloned();
        let Some(target) = target else {
            let message = format!("Expecting a stackmap frame at branch target {bci}");
            return fault(self.frame.bci, message, MISSING).fail();
        };
        match self.mismatch(&target, thrown)? {
            None => Ok(()),
            Some(mismatch) => Fault { message: format!("{message} {bci}"), ..mismatch }.fail(),
        }
    }

    pub fn check_jump(&mut self, bci: i64) -> Checked<()> {
        self.flow_to(bci, None, "Inconsistent stackmap frames at branch target")
    }

    pub fn switch(&mut self, i: &Instruction<'a>) -> Checked<()> {
        let Some(switch) = i.switch() else {
            return bad_code(i.bci, "Bad instruction");
        };
        if self.class.major < 51 && switch.padding.iter().any(|&b| b != 0) {
            return bad_code(i.bci, "Nonzero padding byte in lookupswitch or tableswitch");
        }
        self.frame.pop(VType::Integer, self.env)?;
        if i.opcode == op::LOOKUPSWITCH {
            let (keys, later) = (switch.cases(), switch.cases().skip(1));
            if keys.zip(later).any(|(a, b)| a.0 >= b.0) {
                return bad_code(i.bci, "Bad lookupswitch instruction");
            }
        }
        self.check_jump(switch.default)?;
        switch.cases().try_for_each(|(_, target)| self.check_jump(target))
    }

    /// Rows of the exception table name instructions and catch throwables.
    pub fn check_handler_table(&mut self) -> Checked<()> {
        let length = self.code.code.len();
        let (mut min, mut max) = (length, 0);
        for row in &self.code.exception_table {
            let (start, end, handler) = (usize::from(row.start), usize::from(row.end), usize::from(row.handler));
            if !self.is_start(start) {
                return format_fault(format!("Illegal exception table start_pc {start}"));
            }
            if end != length && !self.is_start(end) {
                return format_fault(format!("Illegal exception table end_pc {end}"));
            }
            if !self.is_start(handler) {
                return format_fault(format!("Illegal exception table handler_pc {handler}"));
            }
            if row.catch_type != 0 {
                let caught = RefType::from_constant(self.class.constants.class_name(row.catch_type));
                let throwable = VType::throwable();
                if !throwable.accepts(VType::Ref(caught), self.env, false)? {
                    let found = describe(VType::Ref(caught), Origin::Pool(row.catch_type));
                    let message = format!("Catch type is not a subclass of Throwable in exception handler {handler}");
                    return bad_type(handler, message, found, Some(throwable.to_string())).fail();
                }
            }
            min = min.min(start);
            max = max.max(end);
        }
        self.covered = min..max;
        Ok(())
    }

    /// An exception at `bci` flows to every handler that covers it.
    pub fn check_handlers(&mut self, bci: usize, this_initialised: bool) -> Checked<()> {
        let code = self.code;
        let this_uninit = self.frame.this_uninit || this_initialised;
        for row in code.exception_table.iter().filter(|r| usize::from(r.start) <= bci && bci < usize::from(r.end)) {
            let caught = match row.catch_type {
                0 => VType::throwable(),
                c => VType::Ref(RefType::from_constant(self.class.constants.class_name(c))),
            };
            if code.max_stack == 0 {
                let shown = Frame { bci, ..Frame::new(0, 0) };
                return fault(bci, "Operand stack overflow", "Exceeded max stack size.").current(&shown).fail();
            }
            let message = "Stack map does not match the one at exception handler";
            self.flow_to(i64::from(row.handler), Some((caught, this_uninit)), message)?;
        }
        Ok(())
    }

    /// Whether every path from `start` ends with `athrow` or never ends. A constructor may call
    /// another one from inside of a try block only if no handler can return the broken object.
    pub fn ends_in_athrow(&self, start: usize) -> bool {
        let code = self.code.code;
        let mut visited = vec![0u64; code.len() / 64 + 1];
        let mut work = vec![start];
        while let Some(mut bci) = work.pop() {
            loop {
                let seen = visited.get(bci / 64).is_none_or(|w| w >> (bci % 64) & 1 != 0);
                if seen {
                    break;
                }
                visited[bci / 64] |= 1 << (bci % 64);
                let Ok(i) = Instruction::decode(code, bci) else {
                    return false;
                };
                work.extend(i.targets().filter_map(|t| usize::try_from(t).ok()));
                match i.info().flow {
                    Flow::Next | Flow::Branch => bci = i.next(),
                    Flow::Goto | Flow::Switch => break,
                    Flow::End if i.opcode == op::ATHROW => break,
                    Flow::End | Flow::Jsr | Flow::Ret => return false,
                }
            }
        }
        true
    }
}
