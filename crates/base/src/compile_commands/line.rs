//! One line: an option, a method pattern, perhaps a value.
//!
//! ```text
//! option pattern [value]                      words are separated by blanks or commas
//! option option pattern ([type] name [value])*    HotSpot's older form
//! pattern: package/Class.method[descriptor], package.Class::method, `*` at either end of a name
//! ```
use std::fmt::{self, Display, Formatter};

/// What an option's values look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Int,
    Uint,
    Double,
    List,
}

impl Kind {
    /// As the option's type is written on a line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Int => "intx",
            Kind::Uint => "uintx",
            Kind::Double => "double",
            Kind::List => "ccstrlist",
        }
    }
}

/// What this VM does with an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Exclude,
    CompileOnly,
    Inline,
    DontInline,
    /// As `DontInline`: what is passed to a call that is made has been computed.
    Blackhole,
    Print,
    DumpReplay,
    BackgroundCompilation,
    /// HotSpot knows the option, this VM has nothing to do for it.
    Nothing,
}

/// An option by its name, without regard to case.
#[derive(Debug)]
pub struct Opt {
    pub name: &'static str,
    pub kind: Kind,
    pub effect: Effect,
}

const fn opt(name: &'static str, kind: Kind, effect: Effect) -> Opt {
    Opt { name, kind, effect }
}

/// All that HotSpot 17 knows, in its order.
pub static OPTIONS: &[Opt] = &[
    opt("log", Kind::Bool, Effect::Nothing),
    opt("print", Kind::Bool, Effect::Print),
    opt("inline", Kind::Bool, Effect::Inline),
    opt("dontinline", Kind::Bool, Effect::DontInline),
    opt("blackhole", Kind::Bool, Effect::Blackhole),
    opt("compileonly", Kind::Bool, Effect::CompileOnly),
    opt("exclude", Kind::Bool, Effect::Exclude),
    opt("break", Kind::Bool, Effect::Nothing),
    opt("BreakAtExecute", Kind::Bool, Effect::Nothing),
    opt("BreakAtCompile", Kind::Bool, Effect::Nothing),
    opt("PrintAssembly", Kind::Bool, Effect::Print),
    opt("PrintInlining", Kind::Bool, Effect::Nothing),
    opt("PrintIntrinsics", Kind::Bool, Effect::Nothing),
    opt("PrintNMethods", Kind::Bool, Effect::Print),
    opt("PrintOptoAssembly", Kind::Bool, Effect::Nothing),
    opt("PrintDebugInfo", Kind::Bool, Effect::Nothing),
    opt("PrintRelocations", Kind::Bool, Effect::Nothing),
    opt("PrintDependencies", Kind::Bool, Effect::Nothing),
    opt("BackgroundCompilation", Kind::Bool, Effect::BackgroundCompilation),
    opt("RepeatCompilation", Kind::Int, Effect::Nothing),
    opt("ReplayInline", Kind::Bool, Effect::Nothing),
    opt("DumpReplay", Kind::Bool, Effect::DumpReplay),
    opt("DumpInline", Kind::Bool, Effect::Nothing),
    opt("CompileThresholdScaling", Kind::Double, Effect::Nothing),
    opt("ControlIntrinsic", Kind::List, Effect::Nothing),
    opt("DisableIntrinsic", Kind::List, Effect::Nothing),
    opt("NoRTMLockEliding", Kind::Bool, Effect::Nothing),
    opt("UseRTMLockEliding", Kind::Bool, Effect::Nothing),
    opt("BlockLayoutByFrequency", Kind::Bool, Effect::Nothing),
    opt("TraceOptoPipelining", Kind::Bool, Effect::Nothing),
    opt("TraceOptoOutput", Kind::Bool, Effect::Nothing),
    opt("TraceSpilling", Kind::Bool, Effect::Nothing),
    opt("PrintIdeal", Kind::Bool, Effect::Nothing),
    opt("IGVPrintLevel", Kind::Int, Effect::Nothing),
    opt("Vectorize", Kind::Bool, Effect::Nothing),
    opt("VectorizeDebug", Kind::Uint, Effect::Nothing),
    opt("CloneMapDebug", Kind::Bool, Effect::Nothing),
    opt("IncrementalInlineForceCleanup", Kind::Bool, Effect::Nothing),
    opt("MaxNodeLimit", Kind::Int, Effect::Nothing),
];

/// A name with `*` at either end, or whole.
fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        _ if pattern == "*" => true,
        (Some(end), Some(_)) => name.contains(&end[..end.len() - 1]),
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => pattern == name,
    }
}

/// Which methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    class: String,
    method: String,
    /// What the descriptor begins with.
    descriptor: String,
}

impl Pattern {
    pub fn matches(&self, class: &str, method: &str, descriptor: &str) -> bool {
        matches(&self.class, class) && matches(&self.method, method) && descriptor.starts_with(&self.descriptor)
    }
    fn of(class: &str, method: &str, descriptor: &str) -> Result<Pattern, String> {
        if class.is_empty() || method.is_empty() {
            return Err("Could not parse method pattern".into());
        }
        let angled = |name: &str| name.contains(['<', '>']);
        if angled(class) {
            return Err("Chars '<' and '>' not allowed in class name".into());
        }
        if angled(method) && !["<init>", "<clinit>"].contains(&method.trim_matches('*')) {
            return Err("Chars '<' and '>' only allowed in <init> and <clinit>".into());
        }
        let embedded = |name: &str| name.trim_matches('*').contains('*');
        if embedded(class) || embedded(method) {
            return Err(" Embedded * not allowed".into());
        }
        Ok(Pattern { class: class.into(), method: method.into(), descriptor: descriptor.into() })
    }
    /// A pattern alone, as directives have it.
    ///
    /// # Errors
    /// What is wrong, in HotSpot's words.
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let mut w = Words(text);
        let pattern = w.pattern()?;
        if w.is_empty() { Ok(pattern) } else { Err("Unrecognized trailing text after method pattern".into()) }
    }
    /// A pattern of `-XX:CompileOnly`: a class alone means all of its methods, a method alone that of
    /// all classes.
    pub fn only(text: &str) -> Result<Pattern, String> {
        let (names, descriptor) = text.split_at(text.find('(').unwrap_or(text.len()));
        let (class, method) = names.split_once("::").or_else(|| names.rsplit_once('.')).unwrap_or((names, "*"));
        let star = |name: &str| if name.is_empty() { "*".to_string() } else { name.replace('.', "/") };
        Pattern::of(&star(class), &star(method), descriptor)
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}{}", self.class, self.method, self.descriptor)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    List(String),
}

/// An option's value for some methods.
#[derive(Clone, Debug)]
pub struct Command {
    pub opt: &'static Opt,
    pub pattern: Pattern,
    pub value: Value,
}

impl Display for Command {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = self.opt.name;
        write!(f, "{name} {} ", self.pattern)?;
        match &self.value {
            Value::Bool(b) => write!(f, "bool {name} = {b}"),
            Value::Int(n) => write!(f, "intx {name} = {n}"),
            Value::Uint(n) => write!(f, "uintx {name} = {n}"),
            Value::Double(d) => write!(f, "double {name} = {d:.6}"),
            Value::List(s) => write!(f, "const char* {name} = '{s}'"),
        }
    }
}

/// What a line asks for.
#[derive(Debug)]
pub enum Line {
    Quiet,
    Help,
    Commands(Vec<Command>),
}

/// The rest of a line, word by word.
struct Words<'a>(&'a str);

const BLANKS: [char; 5] = [' ', ',', '\t', '\n', '\r'];

impl<'a> Words<'a> {
    fn skip(&mut self) {
        self.0 = self.0.trim_start_matches(BLANKS);
    }
    fn is_empty(&mut self) -> bool {
        self.skip();
        self.0.is_empty()
    }
    fn until(&mut self, ends: impl FnMut(char) -> bool) -> &'a str {
        let (word, rest) = self.0.split_at(self.0.find(ends).unwrap_or(self.0.len()));
        self.0 = rest;
        word
    }
    fn word(&mut self) -> &'a str {
        self.skip();
        self.until(|c| BLANKS.contains(&c))
    }
    fn name(&mut self) -> &'a str {
        self.skip();
        self.until(|c| BLANKS.contains(&c) || c == '(')
    }
    fn pattern(&mut self) -> Result<Pattern, String> {
        if self.is_empty() {
            return Err("Method pattern missing from command".into());
        }
        let first = self.name();
        let (class, method) = if let Some((class, method)) = first.split_once("::") {
            if method.contains("::") {
                return Err("Method pattern only allows one '::' allowed".into());
            }
            (class.replace('.', "/"), method)
        } else if let Some((class, method)) = first.split_once('.') {
            if method.contains('.') {
                return Err("Method pattern uses multiple '.' in pattern".into());
            }
            (class.to_string(), method)
        } else {
            (first.to_string(), self.name())
        };
        self.skip();
        let descriptor = if self.0.starts_with('(') { self.word() } else { "" };
        Pattern::of(&class, method, descriptor)
    }
    fn value(&mut self, opt: &Opt) -> Result<Value, String> {
        if self.is_empty() {
            return match opt.kind {
                Kind::Bool => Ok(Value::Bool(true)),
                _ => Err(format!("  Option '{}' is not followed by a value", opt.name)),
            };
        }
        let word = self.word();
        let value = match opt.kind {
            Kind::Bool => word.parse().map(Value::Bool).ok(),
            Kind::Int => word.parse().map(Value::Int).ok(),
            Kind::Uint => word.parse().map(Value::Uint).ok(),
            Kind::Double => word.parse().map(Value::Double).ok(),
            Kind::List => Some(Value::List(word.into())),
        };
        value.ok_or_else(|| format!("Value cannot be read for option '{}' of type '{}'", opt.name, opt.kind.name()))
    }
}

fn find(name: &str) -> Result<&'static Opt, String> {
    let found = OPTIONS.iter().find(|o| o.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| format!("Unrecognized option '{name}'"))
}

/// # Errors
/// What is wrong, in HotSpot's words.
pub fn parse(line: &str) -> Result<Line, String> {
    let mut w = Words(line);
    let word = w.until(|c| BLANKS.contains(&c));
    if word.eq_ignore_ascii_case("quiet") {
        return Ok(Line::Quiet);
    }
    if word.eq_ignore_ascii_case("help") {
        return Ok(Line::Help);
    }
    if word.eq_ignore_ascii_case("option") {
        return older(w).map(Line::Commands);
    }
    let opt = find(word)?;
    let pattern = w.pattern()?;
    let value = w.value(opt)?;
    Ok(Line::Commands(vec![Command { opt, pattern, value }]))
}

/// After the word `option`: a pattern, then options by their names alone, which are switched on, or by
/// type, name and value.
fn older(mut w: Words<'_>) -> Result<Vec<Command>, String> {
    let pattern = w.pattern()?;
    let mut all = Vec::new();
    while !w.is_empty() {
        let word = w.word();
        let typed =
            [Kind::Bool, Kind::Int, Kind::Uint, Kind::Double, Kind::List].into_iter().find(|k| k.name() == word);
        let opt = match typed {
            None => find(word)?,
            Some(kind) => {
                let opt = find(w.word())?;
                if opt.kind != kind {
                    let (name, is) = (opt.name, opt.kind.name());
                    return Err(format!(
                        "Option '{name}' with type '{is}' doesn't match supplied type '{}'",
                        kind.name()
                    ));
                }
                opt
            }
        };
        let value = match (typed, opt.kind) {
            (None, Kind::Bool) => Value::Bool(true),
            _ => w.value(opt)?,
        };
        all.push(Command { opt, pattern: pattern.clone(), value });
    }
    Ok(all)
}
