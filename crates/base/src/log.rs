//! Unified logging in HotSpot's syntax: `-Xlog:tag1+tag2*=level:output:decorators`.
//!
//! Invariant: a message costs one relaxed load when its tag set is off. The list of tag sets is
//! this one table, alphabetical; a room logs only under a row of it.
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock};
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
    GcHeap = "gc+heap",
    GcHeapExit = "gc+heap+exit",
    GcInit = "gc+init",
    GcRef = "gc+ref",
    GcStart = "gc+start",
    GcVerify = "gc+verify",
    GcZeal = "gc+zeal",
    Interpreter = "interpreter",
    Jit = "jit",
    JitCompilation = "jit+compilation",
    JitExit = "jit+exit",
    Jni = "jni+resolve",
    Layout = "layout",
    Library = "library",
    MethodHandles = "methodhandles",
    ModuleLoad = "module+load",
    Monitor = "monitor",
    MonitorInflation = "monitorinflation",
    OsThread = "os+thread",
    Profile = "profile",
    Safepoint = "safepoint",
    Startup = "startuptime",
    Vbd = "vbd",
    Verification = "verification",
}

const N: usize = NAMES.len();
static LEVELS: [AtomicU8; N] = [const { AtomicU8::new(Level::Warning as u8) }; N];

enum Output {
    Stdout,
    Stderr,
    File(std::fs::File),
}
struct Config {
    output: Output,
    decorations: Vec<&'static str>,
}
static CONFIG: Mutex<Option<Config>> = Mutex::new(None);
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

/// Prints one message; use [`crate::vm_log!`].
#[cold]
pub fn print(tag: Tag, level: Level, message: std::fmt::Arguments<'_>) {
    let mut guard = CONFIG.lock().expect("log configuration poisoned");
    let config =
        guard.get_or_insert_with(|| Config { output: Output::Stdout, decorations: vec!["uptime", "level", "tags"] });
    let mut line = String::new();
    for d in &config.decorations {
        let text = match *d {
            "uptime" => format!("{:.3}s", uptime().as_secs_f64()),
            "uptimemillis" => format!("{}ms", uptime().as_millis()),
            "uptimenanos" => format!("{}ns", uptime().as_nanos()),
            "pid" => format!("{}", std::process::id()),
            // SAFETY: gettid has no preconditions.
            "tid" => format!("{}", unsafe { libc::syscall(libc::SYS_gettid) }),
            "level" => format!("{:<7}", level.name()),
            "tags" => format!("{:<18}", NAMES[tag as usize].replace('+', ",")),
            _ => continue,
        };
        let text = match *d {
            "level" => text.trim_end().to_string(),
            "tags" => text.trim_end().to_string(),
            _ => text,
        };
        write!(line, "[{text}]").expect("writing to a string");
    }
    if !line.is_empty() {
        line.push(' ');
    }
    writeln!(line, "{message}").expect("writing to a string");
    // A log line that cannot be written has nowhere to be reported.
    let _unreported = match &mut config.output {
        Output::Stdout => std::io::stdout().write_all(line.as_bytes()),
        Output::Stderr => std::io::stderr().write_all(line.as_bytes()),
        Output::File(f) => f.write_all(line.as_bytes()),
    };
}

/// Applies one `-Xlog` option; the text is what follows `-Xlog`, possibly empty.
///
/// # Errors
/// HotSpot's message for an invalid selection, level, output or decorator.
pub fn configure(arg: &str) -> Result<(), String> {
    let arg = arg.strip_prefix(':').unwrap_or(arg);
    if arg == "disable" {
        LEVELS.iter().for_each(|l| l.store(Level::Off as u8, Ordering::Relaxed));
        return Ok(());
    }
    let mut parts = arg.splitn(4, ':');
    let what = parts.next().unwrap_or("");
    let output = parts.next().unwrap_or("");
    let decorators = parts.next();
    let what = if what.is_empty() { "all" } else { what };
    for selection in what.split(',') {
        let (tags, level) = match selection.split_once('=') {
            Some((t, l)) => (t, Level::parse(l).ok_or_else(|| format!("Invalid level '{l}' in log selection."))?),
            None => (selection, Level::Info),
        };
        select(tags, level)?;
    }
    let mut guard = CONFIG.lock().expect("log configuration poisoned");
    let config =
        guard.get_or_insert_with(|| Config { output: Output::Stdout, decorations: vec!["uptime", "level", "tags"] });
    match output {
        "" | "stdout" => config.output = Output::Stdout,
        "stderr" => config.output = Output::Stderr,
        file => {
            let name = file.strip_prefix("file=").unwrap_or(file).replace("%p", &std::process::id().to_string());
            let f = std::fs::File::create(&name).map_err(|e| {
                let why = e.to_string();
                let why = why.split(" (os error").next().unwrap_or_default();
                format!(
                    "Error opening log file '{name}': {why}\nInitialization of output 'file={name}' using options '(null)' failed."
                )
            })?;
            config.output = Output::File(f);
        }
    }
    if let Some(d) = decorators {
        config.decorations.clear();
        for d in d.split(',').filter(|d| !d.is_empty() && *d != "none") {
            config.decorations.push(match d {
                "uptime" | "u" => "uptime",
                "uptimemillis" | "um" => "uptimemillis",
                "uptimenanos" | "un" => "uptimenanos",
                "pid" | "p" => "pid",
                "tid" | "ti" => "tid",
                "level" | "l" => "level",
                "tags" | "tg" => "tags",
                other => return Err(format!("Invalid decorator '{other}'.")),
            });
        }
    }
    Ok(())
}

fn select(tags: &str, level: Level) -> Result<(), String> {
    if tags == "all" || tags == "all*" {
        LEVELS.iter().for_each(|l| l.store(level as u8, Ordering::Relaxed));
        return Ok(());
    }
    let (want, open) = match tags.strip_suffix('*') {
        Some(t) => (t, true),
        None => (tags, false),
    };
    let want: Vec<&str> = want.split('+').collect();
    let mut any = false;
    for (i, name) in NAMES.iter().enumerate() {
        let have: Vec<&str> = name.split('+').collect();
        let all = want.iter().all(|w| have.contains(w));
        if all && (open || have.len() == want.len()) {
            LEVELS[i].store(level as u8, Ordering::Relaxed);
            any = true;
        }
    }
    if !any {
        // As HotSpot: an unknown tag is an error, a known one that matches no set a warning.
        let known = |w: &&str| NAMES.iter().any(|n| n.split('+').any(|t| t == *w));
        if let Some(bad) = want.iter().find(|w| !known(w)) {
            return Err(format!("Invalid tag '{bad}' in log selection."));
        }
        eprintln!("[warning][logging] No tag set matches selection: {tags}");
    }
    Ok(())
}

/// All tag sets with their levels, for `-Xlog:help`.
pub fn describe() -> String {
    let mut s = String::from(
        "-Xlog Usage: -Xlog[:[selections][:[output][:[decorators][:output-options]]]]\n\
         \t 'output-options' are accepted and have no effect\n\
         \t where 'selections' are tag1[+tag2...][*][=level][,...], 'output' is stdout, stderr or file=NAME\n\n\
         Available log levels:\n off, trace, debug, info, warning, error\n\n\
         Available log decorators:\n uptime (u), uptimemillis (um), uptimenanos (un), pid (p), tid (ti), level (l), tags (tg), none\n\n\
         Available log tag sets, with their levels now:\n",
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
    #[test]
    fn selections_follow_hotspot() {
        assert!(configure(":nosuchtag").unwrap_err().contains("nosuchtag"));
        assert!(configure(":gc=loud").unwrap_err().contains("loud"));
        configure(":gc*=debug").unwrap();
        assert!(enabled(Tag::GcHeap, Level::Debug) && enabled(Tag::Gc, Level::Debug));
        assert!(!enabled(Tag::ClassLoad, Level::Info));
        configure(":class+load").unwrap();
        assert!(enabled(Tag::ClassLoad, Level::Info) && !enabled(Tag::ClassInit, Level::Info));
    }
}
