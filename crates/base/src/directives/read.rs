//! Directives out of what [`super::json`] reads.
//!
//! Invariant: a directive has a pattern; keys stand where they mean something. A pattern with an error is told and left out,
//! every other error ends the file.
use super::json::{Event, Fault, Reader, Scalar, Stop};
use super::keys::{self, Key, Kind, OPTIONS};
use super::{Directive, Set, Sign};
use crate::compile_commands::Pattern;

/// Where the next key or value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// The array around all directives.
    Outermost,
    Directive,
    /// The block of one compiler.
    Block(Key),
    /// Behind a key.
    Behind(Key),
    /// The array behind a key.
    Values(Key),
}

/// What has been read so far.
#[derive(Default)]
struct Builder {
    done: Vec<Directive>,
    levels: Vec<Level>,
}

const ONLY: &str =
    "DirectivesParser can only start with an array containing directive objects, or one single directive.";

/// What there is to say, and the directives, unless something is wrong.
pub fn read(text: &str) -> (String, Option<Vec<Directive>>) {
    let (mut r, mut b) = (Reader::new(text), Builder::default());
    match r.read(&mut |r, e| b.take(r, e)) {
        Ok(()) => (r.out, Some(b.done)),
        Err(Stop) => (r.out + "Parsing of compiler directives failed\n", None),
    }
}

impl Builder {
    fn take(&mut self, r: &mut Reader<'_>, e: Event<'_>) -> Result<(), Stop> {
        match e {
            Event::Key(name) => self.key(r, name),
            Event::ObjectBegin => self.object(r),
            Event::ArrayBegin => self.array(r),
            Event::Scalar(s) => self.scalar(r, s),
            Event::ArrayEnd => {
                self.levels.pop();
                self.behind();
                Ok(())
            }
            Event::ObjectEnd => {
                let ended = self.levels.pop();
                self.behind();
                if ended == Some(Level::Directive) { self.finish(r) } else { Ok(()) }
            }
        }
    }
    /// A value has ended: the key that it belongs to is done.
    fn behind(&mut self) {
        self.levels.pop_if(|l| matches!(l, Level::Behind(_)));
    }
    fn key(&mut self, r: &mut Reader<'_>, name: &str) -> Result<(), Stop> {
        let Some(key) = Key::find(name) else {
            return r.fail(Fault::Key, &format!("No such key: '{name}'."));
        };
        if let Some(Level::Block(block)) = self.levels.last()
            && !key.is_of_compiler()
        {
            let message = format!("Key '{}' not allowed after '{}' key.", key.name(), block.name());
            return r.fail(Fault::Key, &message);
        }
        self.levels.push(Level::Behind(key));
        Ok(())
    }
    fn object(&mut self, r: &mut Reader<'_>) -> Result<(), Stop> {
        let level = match self.levels.last() {
            None | Some(Level::Outermost) => {
                self.done.push(Directive::default());
                Level::Directive
            }
            Some(Level::Behind(key @ (Key::C1 | Key::C2))) => Level::Block(*key),
            Some(Level::Behind(key)) => {
                return r.fail(Fault::Syntax, &format!("The key '{}' does not allow an object to follow.", key.name()));
            }
            _ => return r.fail(Fault::Syntax, "The key 'value array' does not allow an object to follow."),
        };
        self.levels.push(level);
        Ok(())
    }
    fn array(&mut self, r: &mut Reader<'_>) -> Result<(), Stop> {
        let level = match self.levels.last() {
            None => Level::Outermost,
            Some(Level::Behind(key @ (Key::Match | Key::Inline))) => Level::Values(*key),
            Some(Level::Behind(key)) => {
                return r.fail(Fault::Value, &format!("The key '{}' does not allow an array of values.", key.name()));
            }
            Some(Level::Outermost) => return r.fail(Fault::Syntax, ONLY),
            _ => return r.fail(Fault::Value, "The key 'value array' does not allow an array of values."),
        };
        self.levels.push(level);
        Ok(())
    }
    /// The block that is open, or those of both compilers.
    fn sets(&mut self) -> impl Iterator<Item = &mut Set> {
        let block = self.levels.iter().find_map(|l| match l {
            Level::Block(key) => Some(*key),
            _ => None,
        });
        let d = self.done.last_mut().expect("keys stand in directives");
        [(Key::C1, &mut d.c1), (Key::C2, &mut d.c2)]
            .into_iter()
            .filter(move |s| block.is_none_or(|b| b == s.0))
            .map(|s| s.1)
    }
    fn scalar(&mut self, r: &mut Reader<'_>, value: Scalar<'_>) -> Result<(), Stop> {
        let (Some(Level::Behind(key)) | Some(Level::Values(key))) = self.levels.last().copied() else {
            return r.fail(Fault::Syntax, ONLY);
        };
        match (key, value) {
            (Key::C1 | Key::C2, Scalar::Bool(_)) => {}
            (Key::C1 | Key::C2, _) => {
                let message = format!("Key of type {} needs a true or false value", key.name());
                return r.fail(Fault::Value, &message);
            }
            (Key::Match | Key::Inline, Scalar::Text(text)) => self.pattern(r, key, text),
            (Key::Match | Key::Inline, _) => {
                let message = format!("Key of type {} needs a value of type string", key.name());
                return r.fail(Fault::Value, &message);
            }
            (Key::Option(_), Scalar::Null) => {}
            (Key::Option(i), _) => {
                let text = option(r, OPTIONS[i].kind, value)?;
                self.sets().for_each(|s| s.given[i] = Some(text.clone()));
            }
        }
        self.behind();
        Ok(())
    }
    fn pattern(&mut self, r: &mut Reader<'_>, key: Key, text: &str) {
        let signed = text.strip_prefix(['+', '-']);
        let parsed = match (key, signed) {
            (Key::Match, _) => Pattern::parse(text),
            (_, Some(pattern)) => Pattern::parse(pattern),
            _ => Err("Missing leading inline type (+/-)".into()),
        };
        match parsed {
            Err(e) => r.tell(Fault::Value, &format!("Method pattern error: {e}")),
            Ok(p) if key == Key::Match => self.done.last_mut().expect("a directive").patterns.push(p),
            Ok(p) => {
                let sign = if text.starts_with('+') { Sign::Plus } else { Sign::Minus };
                self.sets().for_each(|s| s.inline.push((sign, p.clone())));
            }
        }
    }
    fn finish(&mut self, r: &mut Reader<'_>) -> Result<(), Stop> {
        let d = self.done.last().expect("a directive");
        if d.patterns.is_empty() {
            return r.fail(Fault::Internal, "Directive missing required match.");
        }
        for _ in [&d.c1, &d.c2].into_iter().filter(|s| s.is_on(keys::LOG)) {
            r.out.push_str("Warning:  +LogCompilation must be set to enable compilation logging from directives\n");
        }
        Ok(())
    }
}

/// The value of an option as it is printed.
fn option(r: &mut Reader<'_>, kind: Kind, value: Scalar<'_>) -> Result<String, Stop> {
    let (is, wanted) = match (kind, value) {
        (Kind::Bool, Scalar::Bool(b)) => return Ok(b.to_string()),
        (Kind::Int, Scalar::Int(n)) => return Ok(n.to_string()),
        (Kind::Uint, Scalar::Int(n)) => return Ok((i64::from(n) as u64).to_string()),
        (Kind::Names, Scalar::Text(t)) => return Ok(t.into()),
        (_, Scalar::Bool(_)) => ("bool", kind),
        (_, Scalar::Int(_)) => ("int", kind),
        (_, Scalar::Double(_)) => ("double", kind),
        (_, Scalar::Text(_) | Scalar::Null) => ("string", kind),
    };
    let article = if is == "string" { "a" } else { "an" };
    let wanted = match wanted {
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Uint => "uint",
        Kind::Names => "string list",
    };
    r.fail(Fault::Value, &format!("Cannot use {is} value for {article} {wanted} flag"))
}

#[cfg(test)]
mod tests {
    use super::super::Named;
    use super::*;
    #[test]
    fn blocks_and_both() {
        let (said, all) = read("[{match: ['x'], }]".replace('\'', "\"").as_str());
        assert!(all.is_none() && said.contains("Method pattern error: Could not parse method pattern"));
        let (said, all) =
            read("{match: \"a.b\", exclude: true, c2: {Exclude: false, inline: \"-c.d\"}, VectorizeDebug: -1}");
        let all = all.expect(&said);
        assert_eq!((all[0].c1.given[1].as_deref(), all[0].c2.given[1].as_deref()), (Some("true"), Some("false")));
        assert_eq!(all[0].c1.given[22].as_deref(), Some("18446744073709551615"));
        let pattern = Pattern::parse("c.d").expect("a pattern");
        assert_eq!((all[0].c1.inline.len(), all[0].c2.inline.as_slice()), (0, [(Sign::Minus, pattern)].as_slice()));
        let m = Named { class: "a", method: "b", descriptor: "()V" };
        assert!(all[0].c1.is_enabled() && all[0].matches(m));
    }
}
