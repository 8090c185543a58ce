//! Where options come from, as lists of words.
//!
//! Invariant: a source's words stand in its order, those of an options file in the place of the
//! option that names it; a source names one such file at most, and that file none.
use super::super::OptionError;
use super::usage;

/// Splits at white space; single and double quotes keep it. None if a quote is not closed.
pub fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_ascii_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

pub(super) fn environment(name: &str, text: &str) -> Result<Vec<String>, OptionError> {
    crate::errln!("Picked up {name}: {text}");
    words(name, text)
}

pub(super) fn words(name: &str, text: &str) -> Result<Vec<String>, OptionError> {
    match split(text) {
        Some(words) => Ok(words),
        None => usage(format!("Unmatched quote in {name}")),
    }
}

/// The options of a source with those of the one file that it may name in that file's place.
pub(super) fn with_options_file(options: Vec<String>, container: &str) -> Result<Vec<String>, OptionError> {
    const OPTION: &str = "-XX:VMOptionsFile=";
    let mut all = Vec::with_capacity(options.len());
    let mut seen = false;
    for a in options {
        let Some(name) = a.strip_prefix(OPTION) else {
            all.push(a);
            continue;
        };
        if seen {
            return usage(format!(
                "The option '{a}' is already specified in the options container '{container}' so the specification of '{a}' in the same options container is an error."
            ));
        }
        seen = true;
        let file = options_file(name)?;
        if file.iter().any(|o| o.starts_with(OPTION)) {
            return usage(format!(
                "A VM options file may not refer to a VM options file. Specification of '{OPTION}<file-name>' in the options file '{a}' in options container '{container}' is an error."
            ));
        }
        all.extend(file);
    }
    Ok(all)
}

fn options_file(name: &str) -> Result<Vec<String>, OptionError> {
    let Ok(text) = std::fs::read_to_string(name) else {
        return usage(format!("Could not open options file '{name}'"));
    };
    words(name, &text)
}
