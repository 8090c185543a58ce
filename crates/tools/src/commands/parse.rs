//! Arguments of diagnostic commands: `-name`, `-name=value`, `name=value`, values by place.
//!
//! Invariant: what [`parse`] returns has a value for every mandatory parameter and none that does
//! not fit its kind.
use super::{Command, Kind, Parameter};
use concord_base::options::split;

/// What was given, by parameter name.
#[derive(Debug, Default)]
pub struct Arguments {
    given: Vec<(&'static str, String)>,
    /// How many of them are no defaults: the first ones.
    asked: usize,
}
impl Arguments {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().rev().find(|g| g.0 == name).map(|g| g.1.as_str())
    }
    /// Names and values in the order in which they were given, without defaults.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given[..self.asked].iter().map(|(name, value)| (*name, value.as_str()))
    }
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == Some("true")
    }
    /// Whether it was given, and not a default.
    pub fn is_given(&self, name: &str) -> bool {
        self.all().any(|g| g.0 == name)
    }
    pub fn int(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }
}

fn words(text: &str) -> Result<Vec<String>, String> {
    split(text).ok_or_else(|| "Format error in diagnostic command arguments".into())
}

fn value(p: &Parameter, text: Option<&str>) -> Result<String, String> {
    match (p.kind, text) {
        (Kind::Boolean, None | Some("") | Some("true")) => Ok("true".into()),
        (Kind::Boolean, Some("false")) => Ok("false".into()),
        (Kind::Boolean, Some(t)) => {
            Err(format!("Boolean parsing error in command argument '{}'. Could not parse: {t}.", p.name))
        }
        (Kind::Int, Some(t)) if t.parse::<i64>().is_ok() => Ok(t.into()),
        (Kind::Int, t) => Err(format!(
            "Integer parsing error in command argument '{}'. Could not parse: {}.",
            p.name,
            t.unwrap_or("")
        )),
        (Kind::String, Some(t)) => Ok(t.into()),
        (Kind::String, None) => Ok(String::new()),
    }
}

/// Reads the text behind a command's name.
///
/// # Errors
/// HotSpot's text for a wrong argument.
pub fn parse(c: &'static Command, text: &str) -> Result<Arguments, String> {
    let mut a = Arguments::default();
    let mut places = c.parameters.iter().filter(|p| !p.is_option);
    for w in words(text)? {
        let (name, given) = match w.split_once('=') {
            Some((n, v)) => (n, Some(v)),
            None => (w.as_str(), None),
        };
        let option = c.parameters.iter().find(|p| p.is_option && p.name == name);
        if let Some(p) = option {
            a.given.push((p.name, value(p, given)?));
        } else if let Some(p) = places.next() {
            a.given.push((p.name, value(p, Some(&w))?));
        } else {
            return Err(format!("Unknown argument '{name}' in diagnostic command."));
        }
    }
    a.asked = a.given.len();
    for p in c.parameters {
        if a.text(p.name).is_none() {
            if p.mandatory && p.default.is_empty() {
                let what = if p.is_option { "option" } else { "argument" };
                return Err(format!("The {what} '{}' is mandatory.", p.name));
            }
            if !p.default.is_empty() {
                a.given.push((p.name, p.default.into()));
            }
        }
    }
    Ok(a)
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;
    #[test]
    fn arguments_fit_their_row_or_are_refused() {
        let dump = find("GC.heap_dump").expect("a command");
        let a = parse(dump, "-all \"/tmp/a b.hprof\" -gz=3").expect("good arguments");
        assert_eq!((a.text("filename"), a.flag("-all"), a.int("-gz")), (Some("/tmp/a b.hprof"), true, Some(3)));
        assert_eq!(parse(dump, "").unwrap_err(), "The argument 'filename' is mandatory.");
        let threads = find("Thread.print").expect("a command");
        assert_eq!(parse(threads, "-x").unwrap_err(), "Unknown argument '-x' in diagnostic command.");
        assert!(parse(dump, "\"open").is_err());
        assert!(!parse(threads, "").expect("none needed").flag("-l"));
    }
}
