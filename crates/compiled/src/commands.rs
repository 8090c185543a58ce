//! Which methods may be compiled: `-XX:CompileCommand=`, `-XX:CompileCommandFile=`,
//! `-XX:CompileOnly=`.
//!
//! A directive is `name,pattern[,...]`; a pattern is `class.method[descriptor]` with `*` at either
//! end of class and method, class parts separated by `/` or `.`, class and method by `.`, `::` or
//! `,`.
use concord_base::options::{self, flags::Flags};
use concord_contract::Method;
use concord_contract::compiled::Record;
use std::sync::OnceLock;

#[derive(Debug, PartialEq, Eq)]
struct Pattern {
    class: String,
    method: String,
    descriptor: String,
}

#[derive(Debug, Default)]
struct Commands {
    exclude: Vec<Pattern>,
    only: Vec<Pattern>,
    dump: Vec<Pattern>,
}

static COMMANDS: OnceLock<Commands> = OnceLock::new();

fn glob(pattern: &str, text: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        _ if pattern == "*" || pattern.is_empty() => true,
        (Some(p), Some(_)) => text.contains(&p[..p.len() - 1]),
        (Some(p), None) => text.ends_with(p),
        (None, Some(p)) => text.starts_with(p),
        (None, None) => pattern == text,
    }
}

impl Pattern {
    fn parse(text: &str) -> Pattern {
        let (name, descriptor) = match text.find('(') {
            Some(i) => (&text[..i], text[i..].to_string()),
            None => (text, String::new()),
        };
        let (class, method) = if let Some((c, m)) = name.split_once("::") {
            (c, m)
        } else if let Some((c, m)) = name.split_once(',') {
            (c, m)
        } else if let Some(i) = name.rfind('.') {
            (&name[..i], &name[i + 1..])
        } else {
            (name, "*")
        };
        Pattern { class: class.replace('.', "/"), method: method.to_string(), descriptor }
    }
    fn matches(&self, m: &Method) -> bool {
        glob(&self.class, &m.class.name.as_str())
            && glob(&self.method, &m.name.as_str())
            && (self.descriptor.is_empty() || *self.descriptor == *m.descriptor.as_str())
    }
}

/// Reads the flags; once.
///
/// # Errors
/// A sentence for the user.
pub fn read(f: &Flags) -> Result<(), String> {
    let mut c = Commands::default();
    let mut lines: Vec<String> = f.compile_command.clone();
    if let Some(name) = &f.compile_command_file {
        let text = std::fs::read_to_string(name).map_err(|e| format!("CompileCommandFile={name}: {e}"))?;
        lines.extend(text.lines().map(|l| l.trim().to_string()).filter(|l| !l.is_empty() && !l.starts_with('#')));
    }
    for line in &lines {
        let (word, rest) = line.split_once([',', ' ']).unwrap_or((line, ""));
        match word.to_ascii_lowercase().as_str() {
            "exclude" => c.exclude.push(Pattern::parse(rest)),
            "compileonly" => c.only.push(Pattern::parse(rest)),
            "dumpreplay" => c.dump.push(Pattern::parse(rest)),
            // Nothing is echoed in the first place.
            "quiet" => {}
            "print" | "option" | "log" | "inline" | "dontinline" | "break" | "help" => {
                eprintln!("{} warning: CompileCommand {word} has no effect in this VM", options::VM_NAME);
            }
            other => {
                return Err(format!(
                    "CompileCommand: An error occurred during parsing\nError: Unrecognized option '{other}'\nLine: '{line}'"
                ));
            }
        }
    }
    for list in &f.compile_only {
        c.only.extend(list.split(',').map(Pattern::parse));
    }
    if COMMANDS.set(c).is_err() {
        concord_base::bug!("compile commands are read twice");
    }
    Ok(())
}

pub fn may_compile(m: &Method) -> bool {
    let Some(c) = COMMANDS.get() else { return true };
    !c.exclude.iter().any(|p| p.matches(m)) && (c.only.is_empty() || c.only.iter().any(|p| p.matches(m)))
}

/// What is kept of a compilation of `m`.
pub fn record(m: &Method) -> Record {
    if COMMANDS.get().is_some_and(|c| c.dump.iter().any(|p| p.matches(m))) {
        Record::File
    } else if options::get().flags.dump_replay_data_on_error {
        Record::Memory
    } else {
        Record::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let p = Pattern::parse("java.lang.String::indexOf(I)I");
        assert_eq!(
            (p.class.as_str(), p.method.as_str(), p.descriptor.as_str()),
            ("java/lang/String", "indexOf", "(I)I")
        );
        assert_eq!(Pattern::parse("java/lang/String.length"), Pattern::parse("java.lang.String,length"));
        assert!(glob("*", "x") && glob("a*", "ab") && glob("*b", "ab") && glob("*a*", "bab") && !glob("a", "ab"));
    }
}
