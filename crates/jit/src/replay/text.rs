//! Words of a recording: numbers, names, choices.
//!
//! Invariant: a word has no white space, and what [`Words`] reads is what the functions here wrote.
use concord_contract::constant_objects::{ObjectPath, Step};
use std::fmt::{Debug, Write};
use std::str::SplitAsciiWhitespace;

/// What stands for nothing.
pub const NONE: &str = "-";

/// A name of the class file as a word: everything but printable ASCII, and `%`, as `%` and two
/// hexadecimal digits.
pub fn name(bytes: &[u8]) -> String {
    let mut s = String::with_capacity(bytes.len());
    for b in bytes {
        match b {
            b'%' | 0..=0x20 | 0x7f.. => write!(s, "%{b:02x}").expect("text"),
            _ => s.push(*b as char),
        }
    }
    s
}
fn unescape(word: &str) -> Option<Vec<u8>> {
    let mut v = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((b, after)) = rest.split_first() {
        rest = after;
        if *b == b'%' {
            v.push(u8::from_str_radix(std::str::from_utf8(rest.get(..2)?).ok()?, 16).ok()?);
            rest = &rest[2..];
        } else {
            v.push(*b);
        }
    }
    Some(v)
}

/// Bytes as hexadecimal digits.
pub fn bytes(b: &[u8]) -> String {
    if b.is_empty() {
        return NONE.into();
    }
    let mut s = String::with_capacity(2 * b.len());
    b.iter().for_each(|b| write!(s, "{b:02x}").expect("text"));
    s
}

/// Items separated by commas.
pub fn list(items: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = items.collect();
    if all.is_empty() { NONE.into() } else { all.join(",") }
}

/// The way to an object as a word: `0x7f00:16:24`, with `!` behind it if the elements are stable.
pub fn path(p: &ObjectPath) -> String {
    let target = |s: &Step| if s.while_numbered == 0 { String::new() } else { format!("@{}", s.while_numbered) };
    let steps: String = p.steps.iter().map(|s| format!(":{}{}", s.offset, target(s))).collect();
    format!("{:#x}{steps}{}", p.root, if p.stable_elements { "!" } else { "" })
}

/// Something or [`NONE`].
pub fn maybe(x: Option<impl ToString>) -> String {
    x.map_or(NONE.into(), |x| x.to_string())
}

/// The words of a line, in order.
pub struct Words<'a> {
    line: &'a str,
    words: SplitAsciiWhitespace<'a>,
}

impl<'a> Words<'a> {
    pub fn of(line: &'a str) -> Words<'a> {
        Words { line, words: line.split_ascii_whitespace() }
    }
    pub fn wrong<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("{what} in the line: {}", self.line))
    }
    /// # Errors
    /// At the end of the line; so with all that follow.
    pub fn word(&mut self) -> Result<&'a str, String> {
        self.words.next().map_or_else(|| self.wrong("a word is missing"), Ok)
    }
    pub fn number<T: TryFrom<u64>>(&mut self) -> Result<T, String> {
        let w = self.word()?;
        self.number_in(w)
    }
    pub fn number_in<T: TryFrom<u64>>(&self, word: &str) -> Result<T, String> {
        let n = match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => word.parse(),
        };
        match n.ok().and_then(|n| T::try_from(n).ok()) {
            Some(n) => Ok(n),
            None => self.wrong(&format!("{word} is no such number")),
        }
    }
    pub fn flag(&mut self) -> Result<bool, String> {
        Ok(self.number::<u8>()? != 0)
    }
    pub fn name(&mut self) -> Result<Vec<u8>, String> {
        let w = self.word()?;
        unescape(w).map_or_else(|| self.wrong("a name is cut short"), Ok)
    }
    pub fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let w = self.word()?;
        if w == NONE {
            return Ok(Vec::new());
        }
        let digits = |i| u8::from_str_radix(w.get(i..i + 2)?, 16).ok();
        let all: Option<Vec<u8>> = (0..w.len()).step_by(2).map(digits).collect();
        all.map_or_else(|| self.wrong("no bytes"), Ok)
    }
    /// Items of a list.
    pub fn list(&mut self) -> Result<impl Iterator<Item = &'a str> + use<'a>, String> {
        let w = self.word()?;
        Ok(w.split(',').filter(|w| *w != NONE))
    }
    /// One of `all`, by its name.
    pub fn choice<T: Copy + Debug>(&mut self, all: &[T]) -> Result<T, String> {
        let w = self.word()?;
        self.choice_in(w, all)
    }
    pub fn choice_in<T: Copy + Debug>(&self, word: &str, all: &[T]) -> Result<T, String> {
        let found = all.iter().find(|t| format!("{t:?}") == word);
        found.map_or_else(|| self.wrong(&format!("{word} is unknown")), |t| Ok(*t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        let odd = b"a b%\n\xc0\x80/\xe2".as_slice();
        let line = format!("{} {} {} 0x1f 7 {NONE}", name(odd), bytes(odd), bytes(&[]));
        let mut w = Words::of(&line);
        assert_eq!(w.name().as_deref(), Ok(odd));
        assert_eq!(w.bytes().as_deref(), Ok(odd));
        assert_eq!(w.bytes().as_deref(), Ok(&[][..]));
        assert_eq!((w.number::<u32>(), w.number::<u8>()), (Ok(31), Ok(7)));
        assert_eq!(w.list().unwrap().count(), 0);
        assert!(w.word().is_err() && Words::of("300").number::<u8>().is_err() && Words::of("%4").name().is_err());
    }
}
