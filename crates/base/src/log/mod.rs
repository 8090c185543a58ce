//! Unified logging in HotSpot's syntax: `-Xlog:tag1+tag2*=level:output:decorators`.
//!
//! Invariant: a message costs one relaxed load when its tag set is off: its level is the highest
//! that any output takes. The list of tag sets is this one table, alphabetical; a room logs only
//! under a row of it.
mod outputs;
mod tags;
pub use outputs::local_moment;

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    Off = 0,
    Error = 1,
    Warning = 2,
    Info = 3,
    Debug = 4,
    Trace = 5,
}

impl Level {
    fn parse(s: &str) -> Option<Level> {
        Some(match s {
            "off" => Level::Off,
            "error" => Level::Error,
            "warning" => Level::Warning,
            "info" => Level::Info,
            "debug" => Level::Debug,
            "trace" => Level::Trace,
            _ => return None,
        })
    }
    fn name(self) -> &'static str {
        ["off", "error", "warning", "info", "debug", "trace"][self as usize]
    }
}

macro_rules! tag_sets {
    ($($name:ident = $tags:literal),* $(,)?) => {
        /// The tag sets under which rooms log.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Tag { $($name),* }
        const NAMES: &[&str] = &[$($tags),*];
    };
}

tag_sets! {
    ClassInit = "class+init",
    ClassLoad = "class+load",
    ClassUnload = "class+unload",
    Coverage = "coverage",
    Deopt = "deoptimization",
    Exceptions = "exceptions",
    Gc = "gc",
    GcCpu = "gc+cpu",
    GcErgo = "gc+ergo",
    GcHeap = "gc+heap",
    GcHeapExit = "gc+heap+exit",
    GcInit = "gc+init",
    GcRef = "gc+ref",
    GcStart = "gc+start",
    GcVerify = "gc+verify",
    GcZeal = "gc+zeal",
    Interpreter = "interpreter",
    Jit = "jit",
    JitAsm = "jit+asm",
    JitCompilation = "jit+compilation",
    JitExit = "jit+exit",
    Jni = "jni+resolve",
    Jvmti = "jvmti",
    Layout = "layout",
    Library = "library",
    MethodHandles = "methodhandles",
    ModuleLoad = "module+load",
    Monitor = "monitor",
    MonitorInflation = "monitorinflation",
    OsThread = "os+thread",
    Profile = "profile",
    Remix = "remix",
    Safepoint = "safepoint",
    Startup = "startuptime",
    Vbd = "vbd",
    Verification = "verification",
}

const N: usize = NAMES.len();
static LEVELS: [AtomicU8; N] = [const { AtomicU8::new(Level::Warning as u8) }; N];

static START: OnceLock<Instant> = OnceLock::new();

/// Starts the uptime clock; the first call counts.
pub fn start_clock() {
    START.get_or_init(Instant::now);
}
/// Time since the VM started.
pub fn uptime() -> std::time::Duration {
    START.get_or_init(Instant::now).elapsed()
}

/// Whether messages of this tag set and level are printed.
#[inline(always)]
pub fn enabled(tag: Tag, level: Level) -> bool {
    LEVELS[tag as usize].load(Ordering::Relaxed) >= level as u8
}

/// Prints one message to every output that takes it; use [`crate::vm_log!`].
#[cold]
pub fn print(tag: Tag, level: Level, message: std::fmt::Arguments<'_>) {
    outputs::locked().iter_mut().for_each(|o| o.log(tag, level, message));
}

/// Begins new files for all outputs that rotate.
pub fn rotate() {
    outputs::locked().iter_mut().for_each(outputs::Output::rotate);
}

/// Applies one `-Xlog` option; the text is what follows `-Xlog`, possibly empty.
///
/// # Errors
/// HotSpot's message for an invalid selection, level, output, decorator or output option.
pub fn configure(arg: &str) -> Result<(), String> {
    let arg = arg.strip_prefix(':').unwrap_or(arg);
    let mut outputs = outputs::locked();
    if arg == "async" {
        // Messages are written at once; the option only says that some may be lost.
        return Ok(());
    }
    if arg == "disable" {
        outputs.truncate(2);
        outputs.iter_mut().for_each(|o| o.levels.fill(Level::Off));
    } else {
        let (what, rest) = arg.split_once(':').unwrap_or((arg, ""));
        let selected = selections(if what.is_empty() { "all" } else { what })?;
        let output = outputs::named(&mut outputs, rest)?;
        for (n, level) in selected {
            output.levels[n] = level;
        }
    }
    for (n, l) in LEVELS.iter().enumerate() {
        let most = outputs.iter().map(|o| o.levels[n]).max().unwrap_or(Level::Off);
        l.store(most as u8, Ordering::Relaxed);
    }
    Ok(())
}

/// The tag sets that the selections name, each with its level; a later selection overrides.
fn selections(what: &str) -> Result<Vec<(usize, Level)>, String> {
    let mut all = Vec::new();
    for selection in what.split(',') {
        let (tags, level) = match selection.split_once('=') {
            Some((t, l)) => (t, Level::parse(l).ok_or_else(|| format!("Invalid level '{l}' in log selection."))?),
            None => (selection, Level::Info),
        };
        all.extend(select(tags)?.into_iter().map(|n| (n, level)));
    }
    Ok(all)
}

fn select(tags: &str) -> Result<Vec<usize>, String> {
    if tags == "all" || tags == "all*" {
        return Ok((0..N).collect());
    }
    let (want, open) = match tags.strip_suffix('*') {
        Some(t) => (t, true),
        None => (tags, false),
    };
    let want: Vec<&str> = want.split('+').collect();
    let matches = |name: &str| {
        let have: Vec<&str> = name.split('+').collect();
        want.iter().all(|w| have.contains(w)) && (open || have.len() == want.len())
    };
    let found: Vec<usize> = (0..N).filter(|n| matches(NAMES[*n])).collect();
    if found.is_empty() {
        // As HotSpot: an unknown tag is an error, a known one that matches no set a warning.
        let known = |w: &&str| tags::is_hotspots(w) || NAMES.iter().any(|n| n.split('+').any(|t| t == *w));
        if let Some(bad) = want.iter().find(|w| !known(w)) {
            return Err(format!("Invalid tag '{bad}' in log selection."));
        }
        crate::errln!("[warning][logging] No tag set matches selection: {tags}");
    }
    Ok(found)
}

/// All tag sets with their levels, for `-Xlog:help`.
pub fn describe() -> String {
    let decorators: Vec<String> = outputs::DECORATORS.iter().map(|(name, short)| format!("{name} ({short})")).collect();
    let mut s = format!(
        "-Xlog Usage: -Xlog[:[selections][:[output][:[decorators][:output-options]]]]\n\
         \t where 'selections' are tag1[+tag2...][*][=level][,...], 'output' is stdout, stderr or file=NAME,\n\
         \t 'output-options' of a file are filecount=N (5) and filesize=SIZE (20M)\n\n\
         Available log levels:\n off, trace, debug, info, warning, error\n\n\
         Available log decorators:\n {}, none\n\n\
         Available log tag sets, with their levels now:\n",
        decorators.join(", "),
    );
    for (i, n) in NAMES.iter().enumerate() {
        let l = LEVELS[i].load(Ordering::Relaxed);
        writeln!(s, " {n} ({})", ["off", "error", "warning", "info", "debug", "trace"][l as usize])
            .expect("writing to a string");
    }
    s
}

/// Logs under a tag set: `vm_log!(Gc, Info, "Pause Young ...")`.
#[macro_export]
macro_rules! vm_log {
    ($tag:ident, $level:ident, $($arg:tt)*) => {
        if $crate::log::enabled($crate::log::Tag::$tag, $crate::log::Level::$level) {
            $crate::log::print($crate::log::Tag::$tag, $crate::log::Level::$level, format_args!($($arg)*))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    /// One test: outputs are the process's.
    #[test]
    fn outputs_follow_hotspot() {
        assert!(configure(":nosuchtag").unwrap_err().contains("nosuchtag"));
        configure(":class+path,smr=debug").unwrap();
        configure(":async").unwrap();
        assert!(configure(":gc=loud").unwrap_err().contains("loud"));
        configure(":gc*=debug").unwrap();
        assert!(enabled(Tag::GcHeap, Level::Debug) && enabled(Tag::Gc, Level::Debug));
        assert!(!enabled(Tag::ClassLoad, Level::Info));
        configure(":class+load").unwrap();
        assert!(enabled(Tag::ClassLoad, Level::Info) && !enabled(Tag::ClassInit, Level::Info));

        let folder = std::env::temp_dir().join(format!("concord-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name).display().to_string();
        let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
        configure(&format!(":layout=debug:file={}:l,tg", path("layout"))).unwrap();
        configure(&format!(":vbd,monitorinflation:file={}:none:filecount=2,filesize=16", path("small"))).unwrap();
        let both = format!(":layout:file={}:u:filesize=many", path("bad"));
        assert!(configure(&both).unwrap_err().contains("filesize"));
        assert!(configure(":layout:stdout:hour").unwrap_err().contains("Invalid decorator 'hour'."));
        vm_log!(Layout, Debug, "one");
        vm_log!(Layout, Info, "two");
        vm_log!(Layout, Trace, "nobody takes it");
        for n in 0..5 {
            vm_log!(Vbd, Info, "{n} of some length");
        }
        assert_eq!(read("layout"), "[debug][layout] one\n[info ][layout] two\n");
        assert_eq!(read("small"), "4 of some length\n");
        let old = [read("small.0"), read("small.1")];
        assert!(old.contains(&"2 of some length\n".into()) && old.contains(&"3 of some length\n".into()), "{old:?}");
        configure(":disable").unwrap();
        assert!(!enabled(Tag::Layout, Level::Error) && !enabled(Tag::Gc, Level::Warning));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
