//! What the user asks of the compiler for single methods: `-XX:CompileCommand=`,
//! `-XX:CompileCommandFile=`, `-XX:CompileOnly=`.
//!
//! Invariant: a line with an error commands nothing; it is told on standard output, as HotSpot does,
//! and the VM goes on. Of two commands for one method the later holds.
mod line;

use crate::options::{VM_NAME, flags::Flags};
use line::{Command, Line, OPTIONS, Value};
pub use line::{Effect, Pattern};
use std::fmt::Write;
use std::sync::OnceLock;

/// The commands of a run.
#[derive(Debug, Default)]
pub struct Commands {
    all: Vec<Command>,
    quiet: bool,
}

static COMMANDS: OnceLock<Commands> = OnceLock::new();

const USAGE: &str = "
Usage: '-XX:CompileCommand=<option>,<method pattern>' - to set boolean option to true
Usage: '-XX:CompileCommand=<option>,<method pattern>,<value>'
Use:   '-XX:CompileCommand=help' for more information and to list all option.
";

fn help() -> String {
    let mut text = "
-XX:CompileCommand=<option>,<method pattern>[,<value>] sets an option of the compiler for
the methods that match; without a value, a bool option is set to true.
-XX:CompileCommandFile=<file> reads such commands, one per line; # begins a comment.

    quiet    the commands are not shown
    help     this text

Options:
"
    .to_string();
    for o in OPTIONS {
        let none = if o.effect == Effect::Nothing { ", has no effect in this VM" } else { "" };
        writeln!(text, "    {} ({}){none}", o.name, o.kind.name()).expect("text");
    }
    text + "
Patterns: package/Class.method, package.Class::method, each with the beginning of a
descriptor behind it if need be: java/lang/String.indexOf(I)
A * may stand at either end of the name of a class or method.
"
}

impl Commands {
    /// Takes a line; what there is to say about it goes to `out`, and to `err`.
    fn line(&mut self, text: &str, flags: &Flags, out: &mut String, err: &mut String) {
        match line::parse(text) {
            Ok(Line::Quiet) => self.quiet = true,
            Ok(Line::Help) => out.push_str(&help()),
            Ok(Line::Commands(all)) => all.into_iter().for_each(|c| self.add(c, flags, out, err)),
            Err(e) => {
                writeln!(out, "CompileCommand: An error occurred during parsing\nError: {e}\nLine: '{text}'\n{USAGE}")
                    .expect("text");
            }
        }
    }
    fn add(&mut self, c: Command, flags: &Flags, out: &mut String, err: &mut String) {
        let name = c.opt.name;
        match c.opt.effect {
            Effect::Blackhole if !flags.unlock_experimental_vm_options => {
                let why = "is experimental and must be enabled via -XX:+UnlockExperimentalVMOptions";
                return writeln!(err, "{VM_NAME} warning: Blackhole compile option {why}").expect("text");
            }
            Effect::Nothing if !self.quiet => {
                writeln!(err, "{VM_NAME} warning: CompileCommand {name} has no effect in this VM").expect("text");
            }
            _ => {}
        }
        if !self.quiet {
            writeln!(out, "CompileCommand: {c}").expect("text");
        }
        self.all.push(c);
    }
    /// What is asked for a method.
    fn value(&self, effect: Effect, class: &str, method: &str, descriptor: &str) -> Option<bool> {
        let asked = |c: &&Command| c.opt.effect == effect && c.pattern.matches(class, method, descriptor);
        match self.all.iter().rev().find(asked)?.value {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }
    fn has(&self, effect: Effect) -> bool {
        self.all.iter().any(|c| c.opt.effect == effect)
    }
}

/// Reads the flags and shows the commands; once, before the first class is defined.
pub fn read(f: &Flags) {
    let (mut c, mut out, mut err) = (Commands::default(), String::new(), String::new());
    for text in f.compile_command.iter().flat_map(|t| t.lines()).filter(|t| !t.trim().is_empty()) {
        c.line(text, f, &mut out, &mut err);
    }
    match f.compile_command_file.as_ref().map(|name| (name, std::fs::read_to_string(name))) {
        None => {}
        Some((_, Ok(text))) => {
            let lines = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
            lines.for_each(|l| c.line(l, f, &mut out, &mut err));
        }
        Some((name, Err(e))) => writeln!(err, "{VM_NAME} warning: CompileCommandFile {name}: {e}").expect("text"),
    }
    for text in f.compile_only.iter().flat_map(|t| t.split([',', ' ', '\n'])).filter(|t| !t.is_empty()) {
        let only = OPTIONS.iter().find(|o| o.effect == Effect::CompileOnly).expect("compileonly");
        match Pattern::only(text) {
            Ok(pattern) => c.add(Command { opt: only, pattern, value: Value::Bool(true) }, f, &mut out, &mut err),
            Err(e) => writeln!(out, "CompileOnly: Error: {e}\nPattern: '{text}'").expect("text"),
        }
    }
    crate::out!("{out}");
    crate::err!("{err}");
    if COMMANDS.set(c).is_err() {
        crate::bug!("compile commands are read twice");
    }
}

/// What is asked for a method by its names: internal ones, and the descriptor.
pub fn asked(effect: Effect, class: &str, method: &str, descriptor: &str) -> Option<bool> {
    COMMANDS.get()?.value(effect, class, method, descriptor)
}

/// Whether the commands are not to be shown.
pub fn quiet() -> bool {
    COMMANDS.get().is_some_and(|c| c.quiet)
}

/// Whether any method is asked for.
pub fn any(effect: Effect) -> bool {
    COMMANDS.get().is_some_and(|c| c.has(effect))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> (Commands, String) {
        let (mut c, mut out, mut err) = (Commands::default(), String::new(), String::new());
        lines.iter().for_each(|l| c.line(l, &Flags::default(), &mut out, &mut err));
        (c, out + &err)
    }

    #[test]
    fn the_later_command_holds() {
        let (c, _) = told(&["exclude,A.*", "exclude A.f(I)V false", "dontinline,*b/C::*"]);
        assert_eq!(c.value(Effect::Exclude, "A", "f", "(I)V"), Some(false));
        assert_eq!(c.value(Effect::Exclude, "A", "f", "(J)V"), Some(true));
        assert_eq!(c.value(Effect::Exclude, "B", "f", "(I)V"), None);
        assert_eq!(c.value(Effect::DontInline, "a/b/C", "x", "()V"), Some(true));
        assert!(c.has(Effect::DontInline) && !c.has(Effect::Print));
    }
    #[test]
    fn names_match_at_their_ends() {
        let class =
            |pattern: &str, name: &str| Pattern::only(&format!("{pattern}.m")).unwrap().matches(name, "m", "()V");
        assert!(class("*", "x") && class("a*", "ab") && class("*b", "ab") && class("*a*", "bab") && !class("a", "ab"));
        assert!(class("java.lang.String", "java/lang/String"));
    }
    #[test]
    fn quiet_holds_from_where_it_stands() {
        assert!(told(&["exclude,A.f", "quiet", "exclude,B.f", "log,B.f"]).1.lines().count() == 1);
        assert!(told(&["quiet", "exclude,A"]).1.contains("Could not parse method pattern"));
    }
}
