//! Options of the VM: one table, one parser, one result.
//!
//! Invariant: [`get`] returns what the command line, the environment and the option files asked
//! for, complete with ergonomic choices; it never changes after [`install`] but for manageable
//! flags, which the management room keeps. Spelling, precedence and error texts are HotSpot's.
//!
//! Order of sources, later ones win: the run-time image (`jlink --add-options`), JAVA_TOOL_OPTIONS,
//! the command line (with -XX:VMOptionsFile in its place), _JAVA_OPTIONS. -XX:Flags is read before
//! all of them.
mod ergonomics;
pub mod flags;
mod hotspot;
mod parse;
mod print;
mod properties;
mod ranges;

pub use ergonomics::physical_memory;
pub use flags::{Flags, Origin};
pub use hotspot::inert;
pub use parse::{parse, split};
pub use print::flags_text;
pub use properties::LauncherFacts;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, OnceLock};

/// Name of the VM as the property java.vm.name and warnings have it.
pub const VM_NAME: &str = "Concord 64-Bit Server VM";
/// Version of the VM as the property java.vm.version has it.
pub const VM_VERSION: &str = env!("CARGO_PKG_VERSION");
pub const VM_VENDOR: &str = "Concord";

/// -Xint and its like. Compiled modes are accepted; which engines exist is the VM's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    Interpreted,
    #[default]
    Mixed,
    Compiled,
}

/// -ea, -da, -esa, -dsa in the order given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assertions {
    /// Default for classes of all loaders but the boot loader.
    pub user: bool,
    /// Default for classes of the boot loader.
    pub system: bool,
    /// Classes (`a.b.C`), later ones win.
    pub classes: Vec<(String, bool)>,
    /// Packages with their subpackages (`a.b`, empty for the unnamed package), later ones win.
    pub packages: Vec<(String, bool)>,
}

impl Assertions {
    /// Whether assertions are enabled for the class with this external name.
    pub fn enabled(&self, class: &str, boot: bool) -> bool {
        if let Some(c) = self.classes.iter().rev().find(|c| c.0 == class) {
            return c.1;
        }
        let mut package = class.rsplit_once('.').map_or("", |p| p.0);
        loop {
            if let Some(p) = self.packages.iter().rev().find(|p| p.0 == package) {
                return p.1;
            }
            match package.rsplit_once('.') {
                Some((outer, _)) => package = outer,
                // The unnamed package has no subpackages: it was only asked for its own classes.
                None => break,
            }
        }
        if boot { self.system } else { self.user }
    }
}

/// Everything that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub flags: Flags,
    /// Where each flag's value comes from, by row of [`flags::TABLE`].
    pub origins: Vec<Origin>,
    /// Flags of HotSpot's that were accepted without an effect: values as given, and where from.
    pub inert: BTreeMap<String, (String, Origin)>,
    /// System properties in the order in which Java sees them; names are unique.
    pub properties: Vec<(String, String)>,
    pub assertions: Assertions,
    pub mode: Mode,
    /// -agentlib, -agentpath, -javaagent, in their order.
    pub agents: Vec<Agent>,
    /// -Xbootclasspath/a, separated by colons; empty if not given.
    pub boot_class_path_append: String,
    /// All options but those of -XX:Flags files, for RuntimeMXBean.getInputArguments.
    pub vm_arguments: Vec<String>,
    pub verbose_jni: bool,
    pub check_jni: bool,
    pub enable_preview: bool,
    /// -remix, -remix:detect, -remix:offline.
    pub remix: Option<Remix>,
    pub java_home: String,
    /// Lines to print on stderr once options are accepted, without the `... warning: ` prefix.
    pub warnings: Vec<String>,
    /// The embedding program's `exit`, `abort` and `vfprintf` hooks: function addresses or 0.
    pub hooks: Hooks,
}

/// What is done about cache contention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remix {
    /// It is looked for, and what is falsely shared is kept apart while the program runs.
    Online,
    /// It is looked for.
    Detect,
    /// What an earlier run found is kept apart.
    Offline,
}

impl Remix {
    /// Whether contention is looked for.
    pub fn looks(self) -> bool {
        matches!(self, Remix::Online | Remix::Detect)
    }
}

/// A library to load before the VM starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    pub name: String,
    /// The name is a path.
    pub absolute: bool,
    /// What is behind the mark that ends the name, if there is one.
    pub options: Option<String>,
}

/// Function addresses given in JavaVMInitArgs, 0 when absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    pub exit: usize,
    pub abort: usize,
    pub vfprintf: usize,
}

/// Why the VM cannot start with these options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// Printed on stderr; JNI_CreateJavaVM returns an error. No line break follows a final space.
    Usage(String),
    /// The same on stdout, where HotSpot prints what is no longer supported.
    Unsupported(String),
    /// Printed on stdout behind `Error occurred during initialization of VM`; the process exits.
    Init(String),
    /// An option that asks for information was answered on stdout; the process exits with 0.
    Answered,
}

impl Options {
    /// The value of a system property as of start.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|p| p.0 == name).map(|p| p.1.as_str())
    }
    /// Modules and paths of `--patch-module`, in its order.
    pub fn patches(&self) -> impl Iterator<Item = (&str, &str)> {
        let values = self.properties.iter().filter(|p| p.0.starts_with("jdk.module.patch."));
        values.filter_map(|p| p.1.split_once('='))
    }
    /// Sets a system property, in place if it is there.
    pub fn set_property(&mut self, name: &str, value: impl Into<String>) {
        match self.properties.iter_mut().find(|p| p.0 == name) {
            Some(p) => p.1 = value.into(),
            None => self.properties.push((name.to_string(), value.into())),
        }
    }
    /// Appends to the boot class path, and says so in the property that the class library reads.
    pub fn append_boot_class_path(&mut self, path: &str) {
        let append = &mut self.boot_class_path_append;
        if !append.is_empty() {
            append.push(':');
        }
        append.push_str(path);
        let all = format!(":{append}");
        self.set_property("jdk.boot.class.path.append", all);
    }
    /// The -XX flags that are not at their default, as -XX:+PrintCommandLineFlags prints them.
    pub fn vm_flags(&self) -> Vec<String> {
        let rows = flags::TABLE.iter().zip(&self.origins);
        rows.filter(|(_, o)| **o != Origin::Default)
            .map(|(r, _)| match (r.show)(&self.flags).as_str() {
                "true" if r.ty == "bool" => format!("-XX:+{}", r.name),
                "false" if r.ty == "bool" => format!("-XX:-{}", r.name),
                v => format!("-XX:{}={v}", r.name),
            })
            .collect()
    }
    /// Where the value of the flag at `row` comes from.
    pub fn origin(&self, row: usize) -> Origin {
        self.origins.get(row).copied().unwrap_or_default()
    }
    /// Whether nobody has set the flag.
    pub fn is_default(&self, name: &str) -> bool {
        flags::find(name).is_some_and(|row| self.origin(row) == Origin::Default)
    }
}

/// A number with an optional suffix k, m, g or t (either case), decimal or 0x hexadecimal.
pub fn parse_size(text: &str) -> Option<u64> {
    let shift = match text.bytes().last()? {
        b'k' | b'K' => 10,
        b'm' | b'M' => 20,
        b'g' | b'G' => 30,
        b't' | b'T' => 40,
        _ => 0,
    };
    let digits = if shift == 0 { text } else { &text[..text.len() - 1] };
    let n = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(h) => u64::from_str_radix(h, 16).ok()?,
        // `parse` would take a sign.
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    n.checked_mul(1 << shift)
}

/// The options in force: null until a VM is created, replaced as a whole when a manageable flag
/// changes. Old ones stay: readers hold references to them for ever.
static OPTIONS: AtomicPtr<Options> = AtomicPtr::new(std::ptr::null_mut());
/// Writers, one after the other.
static CHANGE: Mutex<()> = Mutex::new(());

/// Makes the options of this process known; the first call counts, as there is one VM per process.
pub fn install(o: Options) -> &'static Options {
    let _one = CHANGE.lock().expect("options");
    if OPTIONS.load(Ordering::Acquire).is_null() {
        OPTIONS.store(Box::leak(Box::new(o)), Ordering::Release);
    }
    get()
}
/// The options of this process: the defaults until a VM is created.
pub fn get() -> &'static Options {
    static DEFAULTS: OnceLock<Options> = OnceLock::new();
    let p = OPTIONS.load(Ordering::Acquire);
    // SAFETY: null or a leaked box.
    if p.is_null() { DEFAULTS.get_or_init(Options::default) } else { unsafe { &*p } }
}

/// Processors that this process may use: as many as it is told to, or the system lets it.
pub fn processors() -> usize {
    match usize::try_from(get().flags.active_processor_count) {
        Ok(n) if n > 0 => n,
        _ => std::thread::available_parallelism().map_or(1, |n| n.get()),
    }
}

/// Changes the options in force: for agents, while the VM starts.
pub fn change(f: impl FnOnce(&mut Options)) {
    let _one = CHANGE.lock().expect("options");
    let mut new = get().clone();
    f(&mut new);
    OPTIONS.store(Box::leak(Box::new(new)), Ordering::Release);
}

/// Why a flag cannot be set while the VM runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManageError {
    Unknown,
    NotWriteable,
    /// Not of the flag's type; the text says what would be.
    BadValue(&'static str),
    OutOfRange(i64, i64),
    /// It does not go together with the value of another flag.
    Constraint,
}

impl ManageError {
    /// HotSpot's line for it.
    pub fn text(self, name: &str) -> String {
        match self {
            ManageError::Unknown => format!("flag {name} does not exist"),
            ManageError::NotWriteable => "only 'writeable' flags can be set".into(),
            ManageError::BadValue(what) => format!("flag value must be {what}"),
            ManageError::OutOfRange(lo, hi) => format!("{name} error: must have value in range [{lo}...{hi}]"),
            ManageError::Constraint => format!("{name} error: value violates its flag's constraint."),
        }
    }
}

fn type_in_words(ty: &str) -> &'static str {
    match ty {
        "bool" => "a boolean (1/0 or true/false)",
        "intx" => "an integer",
        "double" => "a double",
        "uintx" | "size_t" => "an unsigned integer",
        _ => "a string",
    }
}

/// Sets a manageable flag while the VM runs; `origin` is who asks.
///
/// # Errors
/// Why not.
pub fn manage(name: &str, value: &str, origin: Origin) -> Result<(), ManageError> {
    let Some(i) = flags::find(name) else {
        return Err(if hotspot::exists(name) { ManageError::NotWriteable } else { ManageError::Unknown });
    };
    let row = &flags::TABLE[i];
    if row.kind != flags::Kind::Manageable {
        return Err(ManageError::NotWriteable);
    }
    let value = match (row.ty, value) {
        ("bool", "1") => "true",
        ("bool", "0") => "false",
        _ => value,
    };
    let _one = CHANGE.lock().expect("options");
    let mut new = get().clone();
    if let (Some((lo, hi)), Some(v)) = (row.range, <i64 as flags::FlagValue>::parse(value))
        && !(lo..=hi).contains(&v)
    {
        return Err(ManageError::OutOfRange(lo, hi));
    }
    if !(row.set)(&mut new.flags, value) {
        return Err(ManageError::BadValue(type_in_words(row.ty)));
    }
    let is_ratio = matches!(name, "MinHeapFreeRatio" | "MaxHeapFreeRatio");
    let is_soft = name == "SoftMaxHeapSize";
    if is_ratio && new.flags.min_heap_free_ratio > new.flags.max_heap_free_ratio
        || is_soft && new.flags.soft_max_heap_size > new.flags.max_heap_size
    {
        return Err(ManageError::Constraint);
    }
    if let Some(o) = new.origins.get_mut(i) {
        *o = origin;
    }
    OPTIONS.store(Box::leak(Box::new(new)), Ordering::Release);
    Ok(())
}

#[cfg(test)]
mod tests;
