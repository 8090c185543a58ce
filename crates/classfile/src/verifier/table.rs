//! Owns the frames that a StackMapTable declares, made absolute: each frame's locals and stack
//! are ranges of two arrays, shared with the frame before where nothing changed.

use super::frame::Frame;
use super::report::{Checked, fault, format_fault, map_fault};
use super::types::{RefType, VType};
use crate::model::{ClassFile, CodeInfo};
use crate::opcodes::op;
use crate::stack_map::{BadTable, FrameKind, Frames, Types, VerificationType};
use std::ops::Range;

/// Entries that one method's frames may take together; only a class made to exhaust memory
/// comes near it.
const MAX_ENTRIES: usize = 1 << 22;

#[derive(Clone)]
pub(super) struct Target {
    pub bci: usize,
    pub this_uninit: bool,
    locals: Range<usize>,
    stack: Range<usize>,
}

#[derive(Default)]
pub(super) struct Table<'a> {
    pub frames: Vec<Target>,
    locals: Vec<VType<'a>>,
    stack: Vec<VType<'a>>,
}

impl<'a> Table<'a> {
    pub fn locals(&self, t: &Target) -> &[VType<'a>] {
        &self.locals[t.locals.clone()]
    }
    pub fn stack(&self, t: &Target) -> &[VType<'a>] {
        &self.stack[t.stack.clone()]
    }
    pub fn at(&self, bci: usize) -> Option<&Target> {
        self.frames.binary_search_by_key(&bci, |t| t.bci).ok().map(|i| &self.frames[i])
    }
}

/// Reads the table of `code`. `starts` says where instructions begin.
pub(super) fn read<'a>(
    class: &ClassFile<'a>,
    code: &CodeInfo<'a>,
    initial: &Frame<'a>,
    is_start: &dyn Fn(usize) -> bool,
) -> Checked<Table<'a>> {
    let Some(body) = code.stack_map_table else {
        return Ok(Table::default());
    };
    let mut builder = Builder { class, code, is_start, table: Table::default() };
    builder.table.locals.extend(&initial.locals[..initial.locals_size]);
    let mut before = Target { bci: 0, this_uninit: initial.this_uninit, locals: 0..initial.locals_size, stack: 0..0 };
    let mut first = true;
    let frames = Frames::new(body).or_else(builder_fault)?;
    for frame in frames {
        let frame = frame.or_else(builder_fault)?;
        let delta = usize::from(frame.delta);
        let bci = if first { delta } else { before.bci + delta + 1 };
        first = false;
        before = builder.frame(bci, &before, &frame.kind)?;
        if !is_start(bci) {
            let text = builder.render(&before);
            let mut bad = fault(0, "StackMapTable error: bad offset", "Invalid stackmap specification.");
            bad.current = Some(text);
            return bad.fail();
        }
        builder.table.frames.push(before.clone());
    }
    Ok(builder.table)
}

fn builder_fault<T>(bad: BadTable) -> Checked<T> {
    map_fault(match bad {
        BadTable::Truncated => "StackMapTable format error: access beyond the end of attribute",
        BadTable::ReservedTag(_) => "StackMapTable format error: reserved frame type",
        BadTable::BadType(_) => "StackMapTable format error: bad verification type",
        BadTable::Excess => "StackMapTable format error: wrong attribute size",
    })
}

struct Builder<'b, 'a> {
    class: &'b ClassFile<'a>,
    code: &'b CodeInfo<'a>,
    is_start: &'b dyn Fn(usize) -> bool,
    table: Table<'a>,
}

impl<'a> Builder<'_, 'a> {
    fn render(&self, t: &Target) -> String {
        super::report::render_frame(t.bci, t.this_uninit, self.table.locals(t), self.table.stack(t))
    }

    fn bad_size<T>(&self) -> Checked<T> {
        format_fault("StackMapTable format error: bad type array size")
    }

    fn convert(&self, t: VerificationType) -> Checked<VType<'a>> {
        Ok(match t {
            VerificationType::Top => VType::Top,
            VerificationType::Integer => VType::Integer,
            VerificationType::Float => VType::Float,
            VerificationType::Double => VType::Double,
            VerificationType::Long => VType::Long,
            VerificationType::Null => VType::Null,
            VerificationType::UninitializedThis => VType::UninitThis,
            VerificationType::Object(i) => match self.class.constants.try_class_name(i) {
                Some(name) => VType::Ref(RefType::from_constant(name)),
                None => return map_fault("StackMapTable format error: bad class index"),
            },
            VerificationType::Uninitialized(bci) => {
                let at = usize::from(bci);
                if !(self.is_start)(at) || self.code.code[at] != op::NEW {
                    return format_fault("StackMapTable format error: bad offset for Uninitialized");
                }
                VType::Uninit(bci)
            }
        })
    }

    /// Appends `types` to the locals or the stack; tells whether `this` was among them.
    fn append(&mut self, types: &Types<'a>, to_stack: bool) -> Checked<bool> {
        let mut this_uninit = false;
        for t in types.iter() {
            let t = self.convert(t)?;
            this_uninit |= t == VType::UninitThis;
            let list = if to_stack { &mut self.table.stack } else { &mut self.table.locals };
            list.push(t);
            list.extend(t.second());
        }
        if self.table.locals.len() + self.table.stack.len() > MAX_ENTRIES {
            return map_fault("StackMapTable format error: frames take too much memory");
        }
        Ok(this_uninit)
    }

    fn frame(&mut self, bci: usize, before: &Target, kind: &FrameKind<'a>) -> Checked<Target> {
        let stack_begin = self.table.stack.len();
        let mut next = Target { bci, stack: stack_begin..stack_begin, ..before.clone() };
        match kind {
            FrameKind::Same => {}
            FrameKind::OneStack(types) => {
                self.append(types, true)?;
                next.stack.end = self.table.stack.len();
            }
            FrameKind::Chop(count) => {
                let mut left = next.locals.len();
                for _ in 0..*count {
                    let Some(mut cut) = left.checked_sub(1) else {
                        return self.bad_size();
                    };
                    if self.table.locals[next.locals.start + cut].is_category2_second() {
                        let Some(first) = cut.checked_sub(1) else {
                            return self.bad_size();
                        };
                        cut = first;
                    }
                    left = cut;
                }
                next.locals.end = next.locals.start + left;
                next.this_uninit = self.table.locals[next.locals.clone()].contains(&VType::UninitThis);
            }
            FrameKind::Append(types) => {
                if next.locals.end != self.table.locals.len() {
                    let begin = self.table.locals.len();
                    self.table.locals.extend_from_within(next.locals.clone());
                    next.locals = begin..self.table.locals.len();
                }
                next.this_uninit |= self.append(types, false)?;
                next.locals.end = self.table.locals.len();
            }
            FrameKind::Full { locals, stack } => {
                next.locals.start = self.table.locals.len();
                next.this_uninit = self.append(locals, false)?;
                next.locals.end = self.table.locals.len();
                self.append(stack, true)?;
                next.stack.end = self.table.stack.len();
            }
        }
        if next.locals.len() > usize::from(self.code.max_locals) || next.stack.len() > usize::from(self.code.max_stack)
        {
            return self.bad_size();
        }
        Ok(next)
    }
}
