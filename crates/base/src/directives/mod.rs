//! What the user asks of the compilers for methods that match, in files: `-XX:CompilerDirectivesFile=`, and at run time
//! `jcmd PID Compiler.directives_add`.
//!
//! Invariant: of a file with an error no directive is taken, nor of one that would make them too many. The first that matches a
//! method and is enabled speaks for it, alone: those of the file added last first, in a file the first; where it says nothing,
//! `-XX:CompileCommand` does, unless it shuts those out, and then the default directive, which all methods match.
//!
//! The block `c1` of a directive is that of the quick tier; its patterns behind `inline` speak of calls in code of the methods
//! that match, and shut out what commands say of inlining there; the block `c2` is kept and shown. What a directive may ask for and
//! this VM does: [`keys::OPTIONS`].
//!
//! Deviation: names of intrinsics are not checked, since they are those of another compiler.
mod json;
pub mod keys;
mod read;

use crate::compile_commands::{Effect, Pattern};
use crate::options::{self, flags::Flags};
use keys::OPTIONS;
use std::fmt::Write as _;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a pattern names methods to inline, or methods that are not to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

impl Sign {
    fn letter(self) -> char {
        match self {
            Sign::Plus => '+',
            Sign::Minus => '-',
        }
    }
}

/// A method by its internal names.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    pub class: &'a str,
    pub method: &'a str,
    pub descriptor: &'a str,
}

/// What one compiler is asked.
#[derive(Clone, Default)]
struct Set {
    /// By index in [`OPTIONS`], as it is printed.
    given: [Option<String>; OPTIONS.len()],
    /// Methods to inline into the matching one, or not.
    inline: Vec<(Sign, Pattern)>,
}

impl Set {
    fn is_on(&self, option: usize) -> bool {
        self.given[option].as_deref() == Some("true")
    }
    /// Whether it says anything: switched on by itself, or by what it says.
    fn is_enabled(&self) -> bool {
        match self.given[keys::ENABLE].as_deref() {
            Some(on) => on == "true",
            None => !self.inline.is_empty() || self.given.iter().any(Option::is_some),
        }
    }
    /// What it says of an option that has that effect.
    fn value(&self, effect: Effect) -> Option<bool> {
        let all = OPTIONS.iter().zip(&self.given).filter(|(o, _)| o.effect == effect);
        let said = |on: &str| all.clone().any(|(_, v)| v.as_deref() == Some(on));
        if said("true") { Some(true) } else { said("false").then_some(false) }
    }
    fn print(&self, title: &str, enabled: bool, flags: &Flags, out: &mut String) {
        let all: Vec<String> = self.inline.iter().map(|(sign, p)| format!("{}{p}", sign.letter())).collect();
        let inline = if all.is_empty() { "-".into() } else { all.join(", ") };
        write!(out, " {title} directives:\n  inline: {inline}\n  ").expect("text");
        for (i, (o, given)) in OPTIONS.iter().zip(&self.given).enumerate() {
            let value = match given {
                _ if i == keys::ENABLE => enabled.to_string(),
                Some(v) => v.clone(),
                None => o.default(flags),
            };
            write!(out, "{}:{value} ", o.name).expect("text");
        }
        out.push_str("\n\n");
    }
}

/// What the compilers are asked for some methods.
#[derive(Clone, Default)]
struct Directive {
    patterns: Vec<Pattern>,
    c1: Set,
    c2: Set,
}

impl Directive {
    fn matches(&self, m: Named<'_>) -> bool {
        self.patterns.iter().any(|p| p.matches(m.class, m.method, m.descriptor))
    }
    /// Whether it shuts out what `-XX:CompileCommand` says where it says nothing.
    fn ignores_commands(&self) -> bool {
        match self.c1.given[keys::IGNORE_COMMANDS] {
            Some(_) => self.c1.is_on(keys::IGNORE_COMMANDS),
            None => options::get().flags.compiler_directives_ignore_compile_commands,
        }
    }
    fn print(&self, flags: &Flags, out: &mut String) {
        let patterns: Vec<String> = self.patterns.iter().rev().map(ToString::to_string).collect();
        write!(out, "\nDirective:\n matching: {}\n", patterns.join(", ")).expect("text");
        self.c1.print("c1", self.c1.is_enabled(), flags, out);
        self.c2.print("c2", self.c2.is_enabled(), flags, out);
    }
}

/// The first speaks first; the default directive is not among them.
static ALL: RwLock<Vec<Directive>> = RwLock::new(Vec::new());
/// Whether there are some.
static ANY: AtomicBool = AtomicBool::new(false);

fn change(f: impl FnOnce(&mut Vec<Directive>)) {
    let mut all = ALL.write().expect("directives");
    f(&mut all);
    ANY.store(!all.is_empty(), Ordering::Release);
}

/// All directives, the default one last, as text.
pub fn print(flags: &Flags) -> String {
    let mut out = String::new();
    ALL.read().expect("directives").iter().for_each(|d| d.print(flags, &mut out));
    out.push_str("\nDirective: (default)\n matching: *.*\n");
    Set::default().print("c1", true, flags, &mut out);
    Set::default().print("c2", flags.use_quick_tier && flags.tiered_stop_at_level > 3, flags, &mut out);
    out
}

/// Adds the directives of a file in front of all others. What there is to say, and whether they were added.
pub fn add_file(name: &str, flags: &Flags) -> (String, bool) {
    let (mut out, read) = match std::fs::read(name) {
        Ok(bytes) => read::read(&String::from_utf8_lossy(&bytes)),
        Err(_) => (String::new(), None),
    };
    let added = read.is_some_and(|new| add(new, flags, &mut out));
    if !added {
        writeln!(out, "Could not load file: {name}").expect("text");
    }
    (out, added)
}

fn add(mut new: Vec<Directive>, flags: &Flags, out: &mut String) -> bool {
    let (n, limit) = (new.len(), flags.compiler_directives_limit);
    // The default one counts.
    let now = ALL.read().expect("directives").len() + 1;
    if n == 0 {
        out.push_str("No directives in file\n");
        return false;
    }
    if (now + n) as i64 > limit {
        writeln!(out, "Could not add {n} more directives. Currently {now}/{limit} directives.").expect("text");
        return false;
    }
    change(|all| {
        new.append(all);
        *all = new;
    });
    writeln!(out, "{n} compiler directives added").expect("text");
    if flags.compiler_directives_print {
        out.push_str(&print(flags));
    }
    true
}

/// Takes away the one that speaks first.
pub fn remove() {
    change(|all| {
        if !all.is_empty() {
            all.remove(0);
        }
    });
}

pub fn clear() {
    change(Vec::clear);
}

/// Reads what the flags name and shows what they want shown, once, at the start. Whether the VM may start: if not, that has been
/// told.
pub fn start(flags: &Flags) -> bool {
    let (out, good) = match &flags.compiler_directives_file {
        Some(name) => add_file(name, flags),
        None if flags.compiler_directives_print => (print(flags), true),
        None => return true,
    };
    crate::out!("{out}");
    good
}

/// Lets `f` look at the directive that speaks for a method, if there is one.
fn spoken_for<R>(m: Named<'_>, f: impl FnOnce(&Directive) -> R) -> Option<R> {
    if !ANY.load(Ordering::Acquire) {
        return None;
    }
    let all = ALL.read().expect("directives");
    all.iter().find(|d| d.c1.is_enabled() && d.matches(m)).map(f)
}

/// What the directive that speaks for a method says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing; `-XX:CompileCommand` is asked.
    Nothing,
    /// Nothing, and the commands are shut out.
    Default,
    Value(bool),
}

pub fn asked(effect: Effect, m: Named<'_>) -> Said {
    let said = spoken_for(m, |d| match d.c1.value(effect) {
        Some(v) => Said::Value(v),
        None if d.ignores_commands() => Said::Default,
        None => Said::Nothing,
    });
    said.unwrap_or(Said::Nothing)
}

/// What is asked about inlining in code of one method; then no command is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inlining {
    pub always: bool,
    pub never: bool,
}

/// What the directive that speaks for `root` says of calls of `m` in its code.
pub fn inlining(root: Named<'_>, m: Named<'_>) -> Option<Inlining> {
    spoken_for(root, |d| {
        let any =
            |s: Sign| d.c1.inline.iter().any(|(sign, p)| *sign == s && p.matches(m.class, m.method, m.descriptor));
        let says = !d.c1.inline.is_empty() || d.ignores_commands();
        says.then(|| Inlining { always: any(Sign::Plus), never: any(Sign::Minus) })
    })?
}

/// What the default directive says, for all methods: what the flags of the same names do.
pub fn default(effect: Effect) -> bool {
    let flags = &options::get().flags;
    OPTIONS.iter().any(|o| o.effect == effect && o.default(flags) == "true")
}

/// Whether anybody is asked anything.
pub fn any() -> bool {
    ANY.load(Ordering::Acquire)
}
