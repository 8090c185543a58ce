//! Owns the views over big-endian tables inside a class file: a view keeps the bytes borrowed
//! and decodes on access, so tables that are rarely read cost nothing at parse time. A view is
//! built only over a slice whose length is a multiple of its row, hence access cannot fail.

use crate::error::{ErrorKind, Fail, FormatError, Res};

#[inline(always)]
pub(crate) fn u2_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

/// A cursor that turns every overrun into HotSpot's "Truncated class file".
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    pos: usize,
}

#[cold]
fn truncated() -> Fail {
    Box::new(FormatError { kind: ErrorKind::ClassFormat, message: "Truncated class file".to_string() })
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, pos: 0 }
    }
    #[inline(always)]
    pub fn take(&mut self, n: usize) -> Res<&'a [u8]> {
        match self.bytes.get(self.pos..).and_then(|rest| rest.get(..n)) {
            Some(s) => {
                self.pos += n;
                Ok(s)
            }
            None => Err(truncated()),
        }
    }
    #[inline(always)]
    pub fn u1(&mut self) -> Res<u8> {
        Ok(self.take(1)?[0])
    }
    #[inline(always)]
    pub fn u2(&mut self) -> Res<u16> {
        let s = self.take(2)?;
        Ok(u16::from_be_bytes([s[0], s[1]]))
    }
    #[inline(always)]
    pub fn u4(&mut self) -> Res<u32> {
        let s = self.take(4)?;
        Ok(u32::from_be_bytes([s[0], s[1], s[2], s[3]]))
    }
    /// `count` rows of two bytes each.
    #[inline]
    pub fn u2s(&mut self, count: usize) -> Res<BeU16s<'a>> {
        Ok(BeU16s(self.take(count * 2)?))
    }
    pub fn pos(&self) -> usize {
        self.pos
    }
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.pos
    }
    /// Fails unless `n` more bytes are there. HotSpot looks ahead in groups of fields, and which
    /// of two faults of one file is reported depends on it.
    #[inline(always)]
    pub fn need(&self, n: usize) -> Res<()> {
        if self.remaining() >= n { Ok(()) } else { Err(truncated()) }
    }
}

/// A borrowed slice of big-endian `u16`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct BeU16s<'a>(&'a [u8]);

impl<'a> BeU16s<'a> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len() / 2
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The element at `i`; panics beyond the end, as slice indexing does.
    pub fn at(&self, i: usize) -> u16 {
        u2_at(self.0, i * 2)
    }
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u16> + ExactSizeIterator + use<'a> {
        self.0.chunks_exact(2).map(|c| u16::from_be_bytes([c[0], c[1]]))
    }
}

impl std::fmt::Debug for BeU16s<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// One row of a LineNumberTable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumber {
    pub start_pc: u16,
    pub line: u16,
}

/// All LineNumberTable attributes of one method; javac writes one, the format allows several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineNumbers<'a> {
    pub(crate) first: &'a [u8],
    pub(crate) rest: Vec<&'a [u8]>,
}

impl<'a> LineNumbers<'a> {
    pub(crate) fn push(&mut self, table: &'a [u8]) {
        if self.first.is_empty() {
            self.first = table;
        } else if !table.is_empty() {
            self.rest.push(table);
        }
    }
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
    /// Number of rows.
    pub fn len(&self) -> usize {
        (self.first.len() + self.rest.iter().map(|s| s.len()).sum::<usize>()) / 4
    }
    /// Rows in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = LineNumber> + '_ {
        std::iter::once(&self.first)
            .chain(&self.rest)
            .flat_map(|s| s.chunks_exact(4))
            .map(|r| LineNumber { start_pc: u2_at(r, 0), line: u2_at(r, 2) })
    }
    /// The raw tables (rows of start_pc, line), to be copied by a runtime.
    pub fn tables(&self) -> impl Iterator<Item = &'a [u8]> + '_ {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }
    /// Line of `bci`: the row with the greatest start not beyond it.
    pub fn line_of(&self, bci: u16) -> Option<u16> {
        let mut best: Option<LineNumber> = None;
        for row in self.iter() {
            if row.start_pc == bci {
                return Some(row.line);
            }
            if row.start_pc < bci && best.is_none_or(|b| row.start_pc >= b.start_pc) {
                best = Some(row);
            }
        }
        best.map(|b| b.line)
    }
}

/// One row of a LocalVariableTable or LocalVariableTypeTable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    pub start_pc: u16,
    pub length: u16,
    pub name: u16,
    /// Descriptor, or signature in a LocalVariableTypeTable.
    pub desc: u16,
    pub slot: u16,
}

/// The LocalVariableTable attributes of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalVariables<'a> {
    pub(crate) first: &'a [u8],
    pub(crate) rest: Vec<&'a [u8]>,
}

impl<'a> LocalVariables<'a> {
    pub(crate) fn push(&mut self, table: &'a [u8]) {
        if self.first.is_empty() {
            self.first = table;
        } else if !table.is_empty() {
            self.rest.push(table);
        }
    }
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
    /// Rows in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = LocalVariable> + '_ {
        std::iter::once(&self.first).chain(&self.rest).flat_map(|s| s.chunks_exact(10)).map(|r| LocalVariable {
            start_pc: u2_at(r, 0),
            length: u2_at(r, 2),
            name: u2_at(r, 4),
            desc: u2_at(r, 6),
            slot: u2_at(r, 8),
        })
    }
}
