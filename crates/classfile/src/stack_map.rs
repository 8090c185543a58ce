//! Owns the decoding of StackMapTable (JVMS 4.7.4): frames as they are written, each relative to
//! the one before. Whoever needs whole frames applies them in order.

use crate::be::u2_at;

/// Kind of one local or stack entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// Class index.
    Object(u16),
    /// Index of the `new` instruction.
    Uninitialized(u16),
}

impl VerificationType {
    /// long and double stand for two slots.
    pub fn slots(self) -> usize {
        if matches!(self, VerificationType::Long | VerificationType::Double) { 2 } else { 1 }
    }
    /// Reference, null or uninitialised object.
    pub fn is_reference(self) -> bool {
        use VerificationType::*;
        matches!(self, Null | UninitializedThis | Object(_) | Uninitialized(_))
    }
}

/// One frame as written.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// First byte: tells the form.
    pub tag: u8,
    /// Distance to the frame before, minus one (the first frame's own index).
    pub delta: u16,
    pub kind: FrameKind<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum FrameKind<'a> {
    /// Locals as before, stack empty.
    Same,
    /// Locals as before, one stack entry.
    OneStack(Types<'a>),
    /// The last locals are gone, stack empty.
    Chop(u8),
    /// Further locals, stack empty.
    Append(Types<'a>),
    Full {
        locals: Types<'a>,
        stack: Types<'a>,
    },
}

/// A run of verification types.
#[derive(Clone, Copy, Debug)]
pub struct Types<'a> {
    body: &'a [u8],
    count: u16,
}

impl<'a> Types<'a> {
    /// Number of types, long and double counted once.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    pub fn iter(&self) -> impl Iterator<Item = VerificationType> + use<'a> {
        let (mut body, mut left) = (self.body, self.count);
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let (t, rest) = split_type(body).ok()?;
            body = rest;
            Some(t)
        })
    }
}

/// What is wrong with a StackMapTable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadTable {
    /// It ends too early.
    Truncated,
    /// Unknown frame form.
    ReservedTag(u8),
    /// Unknown verification type.
    BadType(u8),
    /// Bytes behind the last frame.
    Excess,
}

fn split_type(body: &[u8]) -> Result<(VerificationType, &[u8]), BadTable> {
    use VerificationType::*;
    let (&tag, rest) = body.split_first().ok_or(BadTable::Truncated)?;
    Ok(match tag {
        0 => (Top, rest),
        1 => (Integer, rest),
        2 => (Float, rest),
        3 => (Double, rest),
        4 => (Long, rest),
        5 => (Null, rest),
        6 => (UninitializedThis, rest),
        7 | 8 => {
            if rest.len() < 2 {
                return Err(BadTable::Truncated);
            }
            let n = u2_at(rest, 0);
            (if tag == 7 { Object(n) } else { Uninitialized(n) }, &rest[2..])
        }
        _ => return Err(BadTable::BadType(tag)),
    })
}

/// Decoder of one table.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    body: &'a [u8],
    left: u16,
}

impl<'a> Frames<'a> {
    /// `body` is the attribute's body, its count included.
    pub fn new(body: &'a [u8]) -> Result<Frames<'a>, BadTable> {
        if body.len() < 2 {
            return Err(BadTable::Truncated);
        }
        Ok(Frames { body: &body[2..], left: u2_at(body, 0) })
    }

    /// Frames still to come.
    pub fn left(&self) -> usize {
        usize::from(self.left)
    }

    fn u2(&mut self) -> Result<u16, BadTable> {
        if self.body.len() < 2 {
            return Err(BadTable::Truncated);
        }
        let n = u2_at(self.body, 0);
        self.body = &self.body[2..];
        Ok(n)
    }

    fn types(&mut self, count: u16) -> Result<Types<'a>, BadTable> {
        let begin = self.body;
        for _ in 0..count {
            self.body = split_type(self.body)?.1;
        }
        Ok(Types { body: begin, count })
    }

    fn frame(&mut self) -> Result<Frame<'a>, BadTable> {
        let (&tag, rest) = self.body.split_first().ok_or(BadTable::Truncated)?;
        self.body = rest;
        let (delta, kind) = match tag {
            0..=63 => (u16::from(tag), FrameKind::Same),
            64..=127 => (u16::from(tag - 64), FrameKind::OneStack(self.types(1)?)),
            128..=246 => return Err(BadTable::ReservedTag(tag)),
            247 => {
                let delta = self.u2()?;
                (delta, FrameKind::OneStack(self.types(1)?))
            }
            248..=250 => (self.u2()?, FrameKind::Chop(251 - tag)),
            251 => (self.u2()?, FrameKind::Same),
            252..=254 => {
                let delta = self.u2()?;
                (delta, FrameKind::Append(self.types(u16::from(tag - 251))?))
            }
            255 => {
                let delta = self.u2()?;
                let count = self.u2()?;
                let locals = self.types(count)?;
                let count = self.u2()?;
                let stack = self.types(count)?;
                (delta, FrameKind::Full { locals, stack })
            }
        };
        Ok(Frame { tag, delta, kind })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, BadTable>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            let excess = !std::mem::take(&mut self.body).is_empty();
            return excess.then_some(Err(BadTable::Excess));
        }
        self.left -= 1;
        let frame = self.frame();
        if frame.is_err() {
            (self.left, self.body) = (0, &[]);
        }
        Some(frame)
    }
}
