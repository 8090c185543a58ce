//! The keys of directives: what each takes, and where it may stand.
use crate::compile_commands::Effect;
use crate::options::{self, flags::Flags};

/// What an option's values look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Int,
    Uint,
    /// A list of intrinsics.
    Names,
}

/// An option of a compiler: its value where nobody says anything, and what this VM does with it.
pub struct Opt {
    pub name: &'static str,
    pub kind: Kind,
    /// As it is printed.
    default: &'static str,
    pub effect: Effect,
}

const fn bool(name: &'static str, effect: Effect) -> Opt {
    Opt { name, kind: Kind::Bool, default: "false", effect }
}
const fn other(name: &'static str, kind: Kind, default: &'static str) -> Opt {
    Opt { name, kind, default, effect: Effect::Nothing }
}

/// Index of the option that switches a directive on.
pub const ENABLE: usize = 0;
/// Of the one that asks for a log.
pub const LOG: usize = 4;
/// Of the one that shuts out what `-XX:CompileCommand` says.
pub const IGNORE_COMMANDS: usize = 12;

/// All that HotSpot 17 knows, in its order.
pub static OPTIONS: [Opt; 25] = [
    bool("Enable", Effect::Nothing),
    bool("Exclude", Effect::Exclude),
    bool("BreakAtExecute", Effect::Nothing),
    bool("BreakAtCompile", Effect::Nothing),
    bool("Log", Effect::Nothing),
    bool("PrintAssembly", Effect::Print),
    bool("PrintInlining", Effect::Nothing),
    bool("PrintNMethods", Effect::Print),
    other("BackgroundCompilation", Kind::Bool, "true").with(Effect::BackgroundCompilation),
    bool("ReplayInline", Effect::Nothing),
    bool("DumpReplay", Effect::DumpReplay),
    bool("DumpInline", Effect::Nothing),
    bool("CompilerDirectivesIgnoreCompileCommands", Effect::Nothing),
    other("DisableIntrinsic", Kind::Names, ""),
    other("ControlIntrinsic", Kind::Names, ""),
    other("RepeatCompilation", Kind::Int, "0"),
    other("BlockLayoutByFrequency", Kind::Bool, "true"),
    bool("PrintOptoAssembly", Effect::Nothing),
    bool("PrintIntrinsics", Effect::Nothing),
    bool("TraceSpilling", Effect::Nothing),
    bool("Vectorize", Effect::Nothing),
    bool("CloneMapDebug", Effect::Nothing),
    other("VectorizeDebug", Kind::Uint, "0"),
    bool("IncrementalInlineForceCleanup", Effect::Nothing),
    other("MaxNodeLimit", Kind::Int, "80000"),
];

impl Opt {
    const fn with(self, effect: Effect) -> Opt {
        Opt { effect, ..self }
    }
    /// The value where nobody says anything: that of the flag of its name, if there is one.
    pub fn default(&self, flags: &Flags) -> String {
        let accepted = |name| options::inert(options::get(), name).map(|(_, value, _)| value);
        match self.name {
            "PrintAssembly" => flags.print_assembly.to_string(),
            "PrintNMethods" => flags.print_nmethods.to_string(),
            "Log" => accepted("LogCompilation").unwrap_or_else(|| self.default.into()),
            "PrintInlining"
            | "DisableIntrinsic"
            | "ControlIntrinsic"
            | "RepeatCompilation"
            | "BlockLayoutByFrequency"
            | "PrintOptoAssembly"
            | "PrintIntrinsics"
            | "TraceSpilling"
            | "MaxNodeLimit" => accepted(self.name).unwrap_or_else(|| self.default.into()),
            "BackgroundCompilation" => flags.background_compilation.to_string(),
            "CompilerDirectivesIgnoreCompileCommands" => flags.compiler_directives_ignore_compile_commands.to_string(),
            _ => self.default.into(),
        }
    }
}

/// What a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    C1,
    C2,
    Match,
    Inline,
    Option(usize),
}

impl Key {
    /// The first whose name begins like that, without regard to case.
    pub fn find(name: &str) -> Option<Key> {
        let begins = |key: &Key| key.name().get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let plain = [Key::C1, Key::C2, Key::Match, Key::Inline];
        plain.into_iter().chain((0..OPTIONS.len()).map(Key::Option)).find(begins)
    }
    pub fn name(self) -> &'static str {
        match self {
            Key::C1 => "c1",
            Key::C2 => "c2",
            Key::Match => "match",
            Key::Inline => "inline",
            Key::Option(i) => OPTIONS[i].name,
        }
    }
    /// Whether it is one of a compiler's own block.
    pub fn is_of_compiler(self) -> bool {
        matches!(self, Key::Inline | Key::Option(_))
    }
}
