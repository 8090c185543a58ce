//! The text of directives: JSON with comments, keys without quotes and commas too many, as HotSpot reads it.
//!
//! Invariant: whoever takes the values is told of each when it has been read, in the order of the text, and decides whether
//! reading goes on; what is said of an error names the line and byte where the value or key begins.
//!
//! ```text
//! text:   object | array                     one of them
//! object: { key : value , ... }              a comma may stand behind the last
//! key:    "any text" | letters, digits, _
//! value:  object | array | "text" | number | true | false | null
//! // to the end of the line                  /* to the end of the comment */
//! ```
//!
//! Deviation: escapes in strings are not known there either; a string ends at the next quotation mark. Behind a comment that ends
//! with its line HotSpot swallows a character, and so does this reader ([`Reader::token`]).
use std::fmt::Write as _;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Internal,
    Syntax,
    Key,
    Value,
}
impl Fault {
    fn name(self) -> &'static str {
        match self {
            Fault::Internal => "Internal error",
            Fault::Syntax => "Syntax error",
            Fault::Key => "Key error",
            Fault::Value => "Value error",
        }
    }
}

/// A value that is no object and no array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'a> {
    Bool(bool),
    Int(i32),
    Double(f64),
    Text(&'a str),
    Null,
}

/// What has been read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    Key(&'a str),
    Scalar(Scalar<'a>),
    ObjectBegin,
    ObjectEnd,
    ArrayBegin,
    ArrayEnd,
}

/// Told already; reading ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// A place in the text, and what has been said of it.
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Where what is read now began.
    mark: usize,
    pub out: String,
}

type Sink<'s, 'a> = &'s mut dyn FnMut(&mut Reader<'a>, Event<'a>) -> Result<(), Stop>;

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Reader<'a> {
        // A zero ends the text.
        let text = &text[..text.find('\0').unwrap_or(text.len())];
        Reader { text, at: 0, mark: 0, out: String::new() }
    }
    /// Tells of an error where what is read now began.
    pub fn tell(&mut self, fault: Fault, message: &str) {
        let (before, rest) = self.text.split_at(self.mark);
        let line = before.rfind('\n').map_or(0, |i| i + 1);
        let number = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let o = &mut self.out;
        writeln!(o, "{} on line {number} byte {}: {message}", fault.name(), self.mark - line + 1).expect("text");
        if self.at == self.text.len() {
            o.push_str("  Got EOS.\n");
        }
        let token = &rest[..rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len())];
        if !token.is_empty() {
            writeln!(o, "  At '{token}'.").expect("text");
        }
        writeln!(o, "{}", &self.text[line..]).expect("text");
    }
    /// The same, and reading ends.
    pub fn fail<T>(&mut self, fault: Fault, message: &str) -> Result<T, Stop> {
        self.tell(fault, message);
        Err(Stop)
    }
    fn syntax<T>(&mut self, message: &str) -> Result<T, Stop> {
        self.fail(Fault::Syntax, message)
    }
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
    fn swallow(&mut self) {
        self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
    }
    /// The first character of what comes next, blanks and comments skipped. It is not passed, but for the one behind a comment
    /// that ended with its line; of two, if the first is blank.
    fn token(&mut self) -> Result<Option<u8>, Stop> {
        loop {
            while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
                self.at += 1;
            }
            let rest = &self.text[self.at..];
            if let Some(body) = rest.strip_prefix("/*") {
                let Some(n) = body.find("*/") else {
                    self.mark = self.at;
                    return self.syntax("Block comment started here never ended. Expected \"*/\" before EOS.");
                };
                self.at += n + 4;
            } else if rest.starts_with("//") {
                let Some(n) = rest.find('\n') else {
                    self.at = self.text.len();
                    return Ok(None);
                };
                self.at += n + 1;
                let swallowed = self.peek();
                self.swallow();
                if swallowed.is_none_or(|c| !c.is_ascii_whitespace()) {
                    return Ok(swallowed);
                }
                self.swallow();
            } else {
                return Ok(self.peek());
            }
        }
    }
    /// One of two characters that may stand between values; whether it is the first, which another may follow.
    fn separator(&mut self, end: u8, what: &str) -> Result<bool, Stop> {
        let found = self.token()?;
        self.mark = self.at;
        match found {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(c) if c == end => {
                self.at += 1;
                Ok(false)
            }
            Some(_) => self.syntax(&format!("Expected {what} (one of ',{}').", end as char)),
            None => self.syntax(&format!("Got EOS when expecting {what} (one of ',{}').", end as char)),
        }
    }

    /// Reads everything.
    ///
    /// # Errors
    /// [`Stop`] if something is wrong, or `sink` wanted no more.
    pub fn read(&mut self, sink: Sink<'_, 'a>) -> Result<(), Stop> {
        match self.token()? {
            None => return self.syntax("EOS was encountered before any json declarations"),
            Some(b'{') => self.object(sink)?,
            Some(b'[') => self.array(sink)?,
            Some(_) => return self.syntax("Json must start with an object or an array."),
        }
        if self.token()?.is_some() {
            self.mark = self.at;
            return self.syntax("Only one top level object/array is allowed.");
        }
        Ok(())
    }
    /// The character that an object or array begins with.
    fn begin(&mut self, c: u8, what: &str) -> Result<(), Stop> {
        self.mark = self.at;
        let found = self.peek();
        if found == Some(c) {
            self.at += 1;
            return Ok(());
        }
        self.fail(Fault::Internal, &format!("Expected {what} start character ('{}').", c as char))
    }
    fn object(&mut self, sink: Sink<'_, 'a>) -> Result<(), Stop> {
        self.begin(b'{', "object")?;
        sink(self, Event::ObjectBegin)?;
        loop {
            self.mark = self.at;
            let found = self.token()?;
            self.mark = if found.is_some() { self.at } else { self.mark };
            if found == Some(b'}') {
                self.at += 1;
                break;
            }
            let key = self.key(found)?;
            sink(self, Event::Key(key))?;
            let found = self.token()?;
            self.mark = self.at;
            match found {
                Some(b':') => self.at += 1,
                Some(_) => return self.syntax("Expected object key-value separator (':')."),
                None => return self.syntax("Got EOS when expecting object key-value separator (':')."),
            }
            self.value(sink)?;
            if !self.separator(b'}', "value separator or object end")? {
                break;
            }
        }
        sink(self, Event::ObjectEnd)
    }
    fn key(&mut self, first: Option<u8>) -> Result<&'a str, Stop> {
        let is_plain = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
        match first {
            None => self.syntax("EOS when expecting an object key or object end"),
            Some(b'"') => self.text(),
            Some(c) if is_plain(c) => {
                let rest = &self.text[self.at..];
                let key = &rest[..rest.bytes().position(|c| !is_plain(c)).unwrap_or(rest.len())];
                if rest[key.len()..].bytes().next().is_some_and(|c| c != b':' && !c.is_ascii_whitespace()) {
                    return self.syntax(
                        "Object key need to be quoted, or consist entirely of alphanumeric characters and underscores.",
                    );
                }
                self.at += key.len();
                Ok(key)
            }
            Some(_) => self.syntax(
                "Expected an object key, which can be a double-quoted (\") string or a simple string (only alphanumeric \
                 characters and underscore, separated by whitespace) that doesn't need to be quoted.",
            ),
        }
    }
    fn array(&mut self, sink: Sink<'_, 'a>) -> Result<(), Stop> {
        self.begin(b'[', "array")?;
        sink(self, Event::ArrayBegin)?;
        loop {
            self.mark = self.at;
            let found = self.token()?;
            self.mark = if found.is_some() { self.at } else { self.mark };
            match found {
                None => return self.syntax("EOS when expecting a json value or array end"),
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(_) => self.value(sink)?,
            }
            if !self.separator(b']', "value separator or array end")? {
                break;
            }
        }
        sink(self, Event::ArrayEnd)
    }
    fn value(&mut self, sink: Sink<'_, 'a>) -> Result<(), Stop> {
        let found = self.token()?;
        self.mark = self.at;
        let scalar = match found {
            None => return self.syntax("EOS was encountered when expecting a json value."),
            Some(b'{') => return self.object(sink),
            Some(b'[') => return self.array(sink),
            Some(b'"') => Scalar::Text(self.text()?),
            Some(b'-' | b'0'..=b'9') => {
                // Told of while it is still ahead, so that nothing is said of the end of the text.
                let (n, number) = self.number()?;
                sink(self, Event::Scalar(number))?;
                self.at += n;
                return Ok(());
            }
            Some(b't') => self.word("true", Scalar::Bool(true))?,
            Some(b'f') => self.word("false", Scalar::Bool(false))?,
            Some(b'n') => self.word("null", Scalar::Null)?,
            Some(_) => return self.syntax("Could not parse as a json value (did you forget to quote your strings?)."),
        };
        sink(self, Event::Scalar(scalar))
    }
    fn text(&mut self) -> Result<&'a str, Stop> {
        let body = &self.text[self.at + 1..];
        match body.find('"') {
            Some(n) => {
                self.at += n + 2;
                Ok(&body[..n])
            }
            None => self.syntax("String started here never ended. Expected '\"' before EOS."),
        }
    }
    fn word(&mut self, word: &str, value: Scalar<'a>) -> Result<Scalar<'a>, Stop> {
        let rest = &self.text[self.at..];
        let hint = "maybe you forgot to quote your strings?";
        if rest.starts_with(word) {
            self.at += word.len();
            Ok(value)
        } else if word.starts_with(rest) {
            self.syntax(&format!("EOS encountered when expecting {hint} (\"{word}\")"))
        } else {
            self.syntax(&format!("Expected \"{word}\" ({hint})"))
        }
    }
    /// What C reads as a number, with a fraction or hexadecimal: whole numbers are of 32 bits, those that do not fit the least.
    fn number(&mut self) -> Result<(usize, Scalar<'a>), Stop> {
        let rest = &self.text[self.at..];
        let Some((n, value)) = longest_number(rest) else {
            return self.syntax("Couldn't parse json number (note that exponents are not supported).");
        };
        let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
        let number = match value {
            v if v.floor() != v => Scalar::Double(v),
            v => Scalar::Int(if fits { v as i32 } else { i32::MIN }),
        };
        Ok((n, number))
    }
}

/// The number that `text` begins with, and its length.
fn longest_number(text: &str) -> Option<(usize, f64)> {
    let (sign, body) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let skipped = text.len() - body.len();
    if let Some(hex) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        let n = hex.bytes().position(|c| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        if n > 0 {
            let value = hex[..n].chars().fold(0.0, |v, c| v * 16.0 + f64::from(c.to_digit(16).expect("a digit")));
            return Some((skipped + 2 + n, sign * value));
        }
    }
    let digits = |s: &str| s.bytes().position(|c| !c.is_ascii_digit()).unwrap_or(s.len());
    let whole = digits(body);
    let fraction = body[whole..].strip_prefix('.').map_or(0, |f| 1 + digits(f));
    let mut n = whole + fraction;
    if whole == 0 && fraction < 2 {
        return None;
    }
    if let Some(e) = body[n..].strip_prefix(['e', 'E']) {
        let signed = usize::from(e.starts_with(['+', '-']));
        let places = digits(&e[signed..]);
        n += if places > 0 { 1 + signed + places } else { 0 };
    }
    body[..n].parse::<f64>().ok().map(|v| (skipped + n, sign * v))
}

#[cfg(test)]
mod tests {
    use super::*;
    fn events(text: &str) -> (String, String) {
        let (mut r, mut seen) = (Reader::new(text), String::new());
        let done = r.read(&mut |_, e| {
            write!(seen, "{e:?} ").expect("text");
            Ok(())
        });
        (seen + if done.is_ok() { "done" } else { "" }, r.out)
    }
    #[test]
    fn values_come_in_order() {
        let (seen, said) = events("[{a : 1, \"b c\": [true, null,], }, /* x */ ]");
        assert_eq!(
            seen,
            "ArrayBegin ObjectBegin Key(\"a\") Scalar(Int(1)) Key(\"b c\") ArrayBegin Scalar(Bool(true)) Scalar(Null) ArrayEnd ObjectEnd ArrayEnd done"
        );
        assert_eq!(said, "");
    }
    #[test]
    fn numbers_are_those_of_c() {
        let all = ["1e3 ", "-5", "0x10}", "3x", "5.5", "99999999999", "1.", "-.5"].map(longest_number);
        let (n, v): (Vec<usize>, Vec<f64>) = all.into_iter().map(|o| o.expect("a number")).unzip();
        assert_eq!(n, [3, 2, 4, 1, 3, 11, 2, 3]);
        assert_eq!(v, [1000.0, -5.0, 16.0, 3.0, 5.5, 99_999_999_999.0, 1.0, -0.5]);
        assert_eq!(longest_number("-}"), None);
    }
    #[test]
    fn errors_name_their_place() {
        assert_eq!(
            events("[\n\t{a:1\n\tb").1,
            "Syntax error on line 3 byte 2: Expected value separator or object end (one of ',}').\n  At 'b'.\n\tb\n"
        );
        assert_eq!(
            events("{").1,
            "Syntax error on line 1 byte 2: EOS when expecting an object key or object end\n  Got EOS.\n{\n"
        );
        assert_eq!(
            events("[ // c\n{a:1}]").1.lines().next(),
            Some(
                "Syntax error on line 2 byte 2: Could not parse as a json value (did you forget to quote your strings?)."
            )
        );
    }
}
