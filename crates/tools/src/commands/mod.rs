//! Diagnostic commands: names, help, arguments, and their execution.
//!
//! Invariant: a command is one row of [`TABLE`]; help texts, the bean's descriptions and the
//! parser all read that row. A body gets arguments that fit the row.
pub mod agents;
mod classes;
mod compiler;
pub mod flags;
pub mod heap;
mod help;
mod loaders;
mod metaspace;
pub mod parse;
pub mod properties;
mod scale;
mod table;
mod tables;
pub mod threads;
mod vm;

pub use parse::Arguments;
pub use table::TABLE;

use concord_contract::{JResult, Thread};
use concord_runtime::exceptions;

/// What a command prints.
pub type Reply = Result<Vec<u8>, Failure>;

/// Why it did not: a number for the attach protocol and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub code: i32,
    pub text: String,
}
impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure { code: -1, text }
    }
}
impl From<&str> for Failure {
    fn from(text: &str) -> Failure {
        text.to_string().into()
    }
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Attach,
    Bean,
}

/// How dear a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Int,
    String,
}
impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "BOOLEAN",
            Kind::Int => "INT",
            Kind::String => "STRING",
        }
    }
}

/// One option or argument.
pub struct Parameter {
    pub name: &'static str,
    pub help: &'static str,
    pub kind: Kind,
    /// Empty for none.
    pub default: &'static str,
    /// An option is given by name, an argument by its place.
    pub is_option: bool,
    pub mandatory: bool,
}

/// Class, name and action of a permission.
pub type Permission = (&'static str, &'static str, Option<&'static str>);

/// One command.
pub struct Command {
    pub name: &'static str,
    pub help: &'static str,
    pub impact: &'static str,
    /// What a security manager is asked for.
    pub permission: Option<Permission>,
    pub parameters: &'static [Parameter],
    pub body: fn(&Thread, &Arguments) -> Reply,
}

/// The command of that name.
pub fn find(name: &str) -> Option<&'static Command> {
    TABLE.iter().find(|c| c.name == name)
}

impl Command {
    /// Whether it is offered there: whoever reaches a bean from afar neither writes files here nor opens ports.
    pub fn is_for(&self, source: Source) -> bool {
        source == Source::Attach || self.name != "GC.heap_dump" && !self.name.starts_with("ManagementAgent.")
    }
}

/// Executes the lines of a request; a failure's text is what the asker prints.
///
/// # Errors
/// IllegalArgumentException's text for unknown commands and wrong arguments.
pub fn execute(th: &Thread, text: &str, source: Source) -> Reply {
    let mut out = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if line == "stop" {
            break;
        }
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let done = match find(name).filter(|c| c.is_for(source)) {
            None => Err("Unknown diagnostic command".into()),
            Some(c) => parse::parse(c, rest).map_err(Failure::from).and_then(|a| (c.body)(th, &a)),
        };
        match done {
            Ok(t) => out.extend(t),
            // The bean throws it; jcmd prints it behind what came before.
            Err(f) if source == Source::Bean => return Err(f),
            Err(f) => {
                let shown =
                    if f.code == -1 { format!("java.lang.IllegalArgumentException: {}\n", f.text) } else { f.text };
                out.extend(shown.into_bytes());
                let text = String::from_utf8_lossy(&out).into_owned();
                return Err(Failure { code: -1, text });
            }
        }
    }
    Ok(out)
}

/// The value of a Java call, or its exception as a failure: class and message.
pub(crate) fn checked<T>(th: &Thread, r: JResult<T>) -> Result<T, Failure> {
    r.map_err(|_| {
        let e = th.take_exception();
        let text = format!("{}\n", exceptions::describe(e));
        Failure { code: 1, text }
    })
}
