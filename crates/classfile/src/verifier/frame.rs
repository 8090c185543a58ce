//! Owns the current frame: what the locals and the operand stack hold before the next
//! instruction. Entries above the stack's height keep their last value, since a message shows
//! the stack as it was before the instruction.

use super::VerifierEnv;
use super::report::{Checked, Origin, bad_type, describe, fault, render_frame};
use super::types::VType;

pub(super) struct Frame<'a> {
    pub bci: usize,
    pub this_uninit: bool,
    pub locals: Box<[VType<'a>]>,
    /// Locals that have been named so far; those behind are `Top`.
    pub locals_size: usize,
    pub stack: Box<[VType<'a>]>,
    pub height: usize,
    /// Height before the instruction.
    pub mark: usize,
}

const BAD_LOCAL: &str = "Bad local variable type";

impl<'a> Frame<'a> {
    pub fn new(max_locals: u16, max_stack: u16) -> Self {
        Frame {
            bci: 0,
            this_uninit: false,
            locals: vec![VType::Top; usize::from(max_locals)].into(),
            locals_size: 0,
            stack: vec![VType::Top; usize::from(max_stack)].into(),
            height: 0,
            mark: 0,
        }
    }

    pub fn render(&self) -> String {
        render_frame(self.bci, self.this_uninit, &self.locals[..self.locals_size], &self.stack[..self.mark])
    }

    /// The value last popped, as a message names it.
    pub fn top_text(&self) -> String {
        describe(self.stack[self.height], Origin::Stack(self.height))
    }

    #[inline]
    pub fn push(&mut self, t: VType<'a>) -> Checked<()> {
        match self.stack.get_mut(self.height) {
            Some(slot) => {
                *slot = t;
                self.height += 1;
                Ok(())
            }
            None => self.overflow(),
        }
    }

    pub fn push_pair(&mut self, (first, second): (VType<'a>, Option<VType<'a>>)) -> Checked<()> {
        if let Some(second) = second {
            if self.height + 2 > self.stack.len() {
                return self.overflow();
            }
            self.push(first)?;
            return self.push(second);
        }
        self.push(first)
    }

    /// The same for what a field or method gives, whose halves are pushed one after the other.
    pub fn push_halves(&mut self, (first, second): (VType<'a>, Option<VType<'a>>)) -> Checked<()> {
        self.push(first)?;
        second.map_or(Ok(()), |second| self.push(second))
    }

    #[cold]
    fn overflow<T>(&self) -> Checked<T> {
        fault(self.bci, "Operand stack overflow", "Exceeded max stack size.").current(self).fail()
    }

    /// Pops whatever is on top.
    #[inline]
    pub fn pop_any(&mut self) -> Checked<VType<'a>> {
        if self.height == 0 {
            return fault(self.bci, "Operand stack underflow", "Attempt to pop empty stack.").current(self).fail();
        }
        self.height -= 1;
        Ok(self.stack[self.height])
    }

    /// Pops a value that fits `want`.
    #[inline]
    pub fn pop(&mut self, want: VType<'a>, env: &mut dyn VerifierEnv) -> Checked<VType<'a>> {
        let top = self.pop_any()?;
        if want == top || want.accepts(top, env, false)? {
            return Ok(top);
        }
        self.bad_top("Bad type on operand stack", Some(want))
    }

    /// Pops the two halves of a value. If both are wrong, the lower one is reported.
    pub fn pop_two(&mut self, first: VType<'a>, second: VType<'a>, env: &mut dyn VerifierEnv) -> Checked<()> {
        let upper = self.pop(second, env);
        let lower = self.pop(first, env);
        lower?;
        upper.map(drop)
    }

    pub fn pop_pair(
        &mut self,
        (first, second): (VType<'a>, Option<VType<'a>>),
        env: &mut dyn VerifierEnv,
    ) -> Checked<()> {
        if let Some(second) = second {
            self.pop(second, env)?;
        }
        self.pop(first, env).map(drop)
    }

    /// The value last popped is wrong.
    #[cold]
    pub fn bad_top<T>(&self, message: impl Into<String>, want: Option<VType<'a>>) -> Checked<T> {
        bad_type(self.bci, message, self.top_text(), want.map(|w| w.to_string())).current(self).fail()
    }

    #[cold]
    fn bad_local_index<T>(&self, index: usize, message: &str) -> Checked<T> {
        fault(self.bci, message, format!("Local index {index} is invalid")).fail()
    }

    #[cold]
    fn bad_local<T>(&self, index: usize, want: VType<'a>) -> Checked<T> {
        let found = describe(self.locals[index], Origin::Local(index));
        bad_type(self.bci, BAD_LOCAL, found, Some(want.to_string())).current(self).fail()
    }

    pub fn get_local(&mut self, index: usize, want: VType<'a>, env: &mut dyn VerifierEnv) -> Checked<VType<'a>> {
        let Some(&found) = self.locals.get(index) else {
            return self.bad_local_index(index, "Local variable table overflow");
        };
        if found != want && !want.accepts(found, env, false)? {
            return self.bad_local(index, want);
        }
        self.locals_size = self.locals_size.max(index + 1);
        Ok(found)
    }

    pub fn get_local_pair(&self, index: usize, first: VType<'a>, second: VType<'a>) -> Checked<()> {
        if index + 1 >= self.locals_size {
            return self.bad_local_index(index, "get long/double overflows locals");
        }
        if self.locals[index] != first {
            return self.bad_local(index, first);
        }
        if self.locals[index + 1] != second {
            return self.bad_local(index + 1, second);
        }
        Ok(())
    }

    pub fn set_local(&mut self, index: usize, t: VType<'a>) -> Checked<()> {
        if index >= self.locals.len() {
            return self.bad_local_index(index, "Local variable table overflow");
        }
        self.split(index);
        self.locals[index] = t;
        self.locals_size = self.locals_size.max(index + 1);
        Ok(())
    }

    pub fn set_local_pair(&mut self, index: usize, first: VType<'a>, second: VType<'a>) -> Checked<()> {
        if index + 1 >= self.locals.len() {
            return self.bad_local_index(index, "Local variable table overflow");
        }
        self.split(index);
        self.split(index + 1);
        self.locals[index] = first;
        self.locals[index + 1] = second;
        self.locals_size = self.locals_size.max(index + 2);
        Ok(())
    }

    /// Before `index` is overwritten: the other half of a value of two slots becomes unusable.
    fn split(&mut self, index: usize) {
        if self.locals[index].is_category2() && index + 1 < self.locals.len() {
            self.locals[index + 1] = VType::Top;
        } else if self.locals[index].is_category2_second() && index > 0 {
            self.locals[index - 1] = VType::Top;
        }
    }

    /// After its constructor, an object is itself wherever it was.
    pub fn initialize(&mut self, old: VType<'a>, new: VType<'a>) {
        for t in self.locals[..self.locals_size].iter_mut().chain(&mut self.stack[..self.height]) {
            if *t == old {
                *t = new;
            }
        }
        if old == VType::UninitThis {
            self.this_uninit = false;
        }
    }
}
