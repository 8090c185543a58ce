//! Frame states.
use super::{Line, Parsed, by_name, ops};
use crate::ir::{FrameState, Resume, Value, Virtual, VirtualField};
use concord_contract::compiled::DeoptReason;

impl Line<'_, '_> {
    pub(super) fn frame_state(&mut self) -> Parsed<FrameState> {
        let method = self.method()?;
        let resume = match self.word()? {
            "at" => Resume::Reexecute,
            "after" => Resume::After,
            "calling" => Resume::Calling,
            "leaving" => Resume::Leaving,
            w => return Err(format!("{w} is no way to go on")),
        };
        let bci = self.number()?;
        let reason = self.word()?;
        let reason = by_name(&DeoptReason::ALL, reason).ok_or_else(|| format!("no reason {reason}"))?;
        let (locals, stack) = (self.slots('[', ']')?, self.slots('(', ')')?);
        let monitors = if self.has_word("locks") { self.values()? } else { vec![] };
        let parent = if self.has_word("in") { Some(self.state()?) } else { None };
        let mut objects = Vec::new();
        while self.has_word("virtual") {
            objects.push(self.virtual_object()?);
        }
        Ok(FrameState { method, bci, resume, reason, locals, stack, monitors, parent, objects })
    }
    /// `v7 "C" (Int 12 v3, Object 16 v4)`.
    fn virtual_object(&mut self) -> Parsed<Virtual> {
        let (name, class) = (self.value()?, self.class()?);
        let mut fields = Vec::new();
        self.mark('(')?;
        while !self.has_mark(')') {
            let ty = self.word()?;
            let ty = by_name(ops::CELLS, ty).ok_or_else(|| format!("no type {ty}"))?;
            fields.push(VirtualField { ty, offset: self.number()?, value: self.value()? });
            self.has_mark(',');
        }
        Ok(Virtual { name, class, fields })
    }
    /// `[v1 - v2]`.
    fn slots(&mut self, open: char, close: char) -> Parsed<Vec<Option<Value>>> {
        self.mark(open)?;
        let mut v = Vec::new();
        while !self.has_mark(close) {
            v.push(if self.has_mark('-') { None } else { Some(self.value()?) });
        }
        Ok(v)
    }
}
