//! Where messages go: standard output, standard error, files that rotate.
//!
//! Invariant: an output has levels and decorators of its own; what one `-Xlog` asks of it changes no
//! other. The first two are standard output, which takes warnings from the start, and standard error.
use super::{Level, N, NAMES, Tag, uptime};
use std::fmt::{Arguments, Write as _};
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Names and abbreviations of decorators, in the order in which they are printed.
pub(super) const DECORATORS: [(&str, &str); 12] = [
    ("time", "t"),
    ("utctime", "utc"),
    ("uptime", "u"),
    ("timemillis", "tm"),
    ("uptimemillis", "um"),
    ("timenanos", "tn"),
    ("uptimenanos", "un"),
    ("hostname", "hn"),
    ("pid", "p"),
    ("tid", "ti"),
    ("level", "l"),
    ("tags", "tg"),
];
/// uptime, level, tags.
const DEFAULT: [usize; 3] = [2, 10, 11];

/// A file that is put aside when it has reached a size.
struct Rotating {
    path: String,
    file: File,
    written: u64,
    /// Bytes per file, how many old ones are kept; 0 for no limit, and for none.
    size: u64,
    keep: u32,
    /// Which old one is replaced next: one that is not there, else the oldest.
    next: u32,
}

enum Sink {
    Stdout,
    Stderr,
    File(Rotating),
}

pub(super) struct Output {
    name: String,
    sink: Sink,
    pub levels: [Level; N],
    /// Indices into [`DECORATORS`], ascending.
    decorators: Vec<usize>,
    /// The longest text of each decorator so far; shorter ones are filled up.
    widths: [usize; DECORATORS.len()],
}

static OUTPUTS: Mutex<Vec<Output>> = Mutex::new(Vec::new());

/// All outputs. Nothing is half done where a panic could end a holder of the lock.
pub(super) fn locked() -> MutexGuard<'static, Vec<Output>> {
    let mut all = OUTPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    if all.is_empty() {
        all.push(Output::new("stdout", Sink::Stdout, Level::Warning));
        all.push(Output::new("stderr", Sink::Stderr, Level::Off));
    }
    all
}

/// The output that `text` (`[output][:[decorators][:options]]`) names, made if it is a new file, with
/// the decorators it asks for.
pub(super) fn named<'a>(all: &'a mut Vec<Output>, text: &str) -> Result<&'a mut Output, String> {
    let (name, rest) = split_name(text);
    let (decorators, options) = rest.split_once(':').map_or((rest, None), |(d, o)| (d, Some(o)));
    let decorators = match decorators {
        "" => None,
        "none" => Some(Vec::new()),
        list => Some(parse_decorators(list)?),
    };
    let name = match name {
        "" | "stdout" => "stdout".to_string(),
        "stderr" => "stderr".to_string(),
        file => {
            let file = file.strip_prefix("file=").unwrap_or(file).trim_matches('"');
            let stamp = calendar(SystemTime::now(), c"%Y-%m-%d_%H-%M-%S", false);
            file.replace("%p", &std::process::id().to_string()).replace("%t", &stamp)
        }
    };
    let at = match all.iter().position(|o| o.name == name) {
        Some(n) => n,
        None => {
            let file = Rotating::open(&name, options)?;
            all.push(Output::new(&name, Sink::File(file), Level::Off));
            all.len() - 1
        }
    };
    let output = &mut all[at];
    if let Some(d) = decorators {
        (output.decorators, output.widths) = (d, [0; DECORATORS.len()]);
    }
    Ok(output)
}

/// A file's name may hold colons if it is in quotes.
fn split_name(text: &str) -> (&str, &str) {
    let quoted = text.strip_prefix("file=").unwrap_or(text).starts_with('"');
    let end = match (quoted, text.rfind('"')) {
        (true, Some(close)) => text[close..].find(':').map(|n| close + n),
        _ => text.find(':'),
    };
    end.map_or((text, ""), |n| (&text[..n], &text[n + 1..]))
}

fn parse_decorators(list: &str) -> Result<Vec<usize>, String> {
    let find = |d: &str| DECORATORS.iter().position(|(name, short)| d == *name || d == *short);
    let mut all = Vec::new();
    for d in list.split(',') {
        all.push(find(d).ok_or_else(|| format!("Invalid decorator '{d}'."))?);
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

impl Rotating {
    fn open(path: &str, options: Option<&str>) -> Result<Rotating, String> {
        let failed = |why: String| {
            let options = options.unwrap_or("(null)");
            format!("{why}\nInitialization of output 'file={path}' using options '{options}' failed.")
        };
        let (mut keep, mut size) = (5, 20 << 20);
        for o in options.unwrap_or("").split(',').filter(|o| !o.is_empty()) {
            match o.split_once('=') {
                Some(("filecount", n)) => {
                    let n = n.parse().ok().filter(|n| *n <= 1000);
                    keep = n.ok_or_else(|| failed("Invalid option: filecount must be in range [0, 1000]".into()))?;
                }
                Some(("filesize", n)) => {
                    size = bytes(n).ok_or_else(|| {
                        failed("Invalid option: filesize must be in range [0, 18446744073709551615]".into())
                    })?;
                }
                Some((key, _)) => return Err(failed(format!("Invalid option '{key}' for log file output."))),
                None => return Err(failed(format!("Invalid option '{o}' for log file output."))),
            }
        }
        Rotating::begin(path, size, keep).map_err(|e| {
            let why = e.to_string();
            failed(format!("Error opening log file '{path}': {}", why.split(" (os error").next().unwrap_or_default()))
        })
    }
    /// What an earlier run left is kept like what this one puts aside.
    fn begin(path: &str, size: u64, keep: u32) -> std::io::Result<Rotating> {
        let file = Rotating::create(path)?;
        let there = file.metadata()?;
        let mut this = Rotating { path: path.into(), file, written: 0, size, keep, next: 0 };
        let age = |n: &u32| std::fs::metadata(this.aside(*n)).and_then(|m| m.modified()).unwrap_or(UNIX_EPOCH);
        this.next = (0..keep).min_by_key(age).unwrap_or(0);
        if there.is_file() && keep > 0 && there.len() > 0 {
            this.put_aside()?;
        } else if there.is_file() {
            this.file.set_len(0)?;
        }
        Ok(this)
    }
    /// Opens at the end, and makes the file if there is none.
    fn create(path: &str) -> std::io::Result<File> {
        File::options().create(true).append(true).open(path)
    }
    fn aside(&self, n: u32) -> String {
        let digits = (self.keep.max(1) - 1).to_string().len();
        format!("{}.{n:0digits$}", self.path)
    }
    /// Renames the file to the next `NAME.N` and begins a new one.
    fn put_aside(&mut self) -> std::io::Result<()> {
        std::fs::rename(&self.path, self.aside(self.next))?;
        self.next = (self.next + 1) % self.keep;
        (self.file, self.written) = (Rotating::create(&self.path)?, 0);
        Ok(())
    }
    fn rotate(&mut self) -> std::io::Result<()> {
        if self.keep > 0 && self.file.metadata()?.is_file() { self.put_aside() } else { Ok(()) }
    }
    fn write(&mut self, line: &[u8]) -> std::io::Result<()> {
        if self.keep > 0 && self.size > 0 && self.written >= self.size {
            self.put_aside()?;
        }
        self.written += line.len() as u64;
        self.file.write_all(line)
    }
}

/// A number with a unit of K, M or G.
fn bytes(text: &str) -> Option<u64> {
    let (digits, shift) = match text.char_indices().last()? {
        (n, 'k' | 'K') => (&text[..n], 10),
        (n, 'm' | 'M') => (&text[..n], 20),
        (n, 'g' | 'G') => (&text[..n], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

impl Output {
    fn new(name: &str, sink: Sink, level: Level) -> Output {
        Output {
            name: name.into(),
            sink,
            levels: [level; N],
            decorators: DEFAULT.into(),
            widths: [0; DECORATORS.len()],
        }
    }
    /// Puts the file aside and begins a new one, if old ones are kept.
    pub fn rotate(&mut self) {
        if let Sink::File(f) = &mut self.sink {
            // The old file is written on; nobody could be told.
            let _unreported = f.rotate();
        }
    }
    pub fn log(&mut self, tag: Tag, level: Level, message: Arguments<'_>) {
        if self.levels[tag as usize] < level {
            return;
        }
        let (mut line, now) = (String::new(), SystemTime::now());
        for d in &self.decorators {
            let (text, width) = (decoration(*d, tag, level, now), &mut self.widths[*d]);
            *width = text.len().max(*width);
            let _infallible = write!(line, "[{text:<0$}]", *width);
        }
        let space = if line.is_empty() { "" } else { " " };
        let _infallible = writeln!(line, "{space}{message}");
        // A log line that cannot be written has nowhere to be reported.
        let _unreported = match &mut self.sink {
            Sink::Stdout => std::io::stdout().write_all(line.as_bytes()),
            Sink::Stderr => std::io::stderr().write_all(line.as_bytes()),
            Sink::File(f) => f.write(line.as_bytes()),
        };
    }
}

fn decoration(d: usize, tag: Tag, level: Level, now: SystemTime) -> String {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    match DECORATORS[d].0 {
        "time" => moment(now, since, false),
        "utctime" => moment(now, since, true),
        "uptime" => format!("{:.3}s", uptime().as_secs_f64()),
        "timemillis" => format!("{}ms", since.as_millis()),
        "uptimemillis" => format!("{}ms", uptime().as_millis()),
        "timenanos" => format!("{}ns", since.as_nanos()),
        "uptimenanos" => format!("{}ns", uptime().as_nanos()),
        "hostname" => std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim_end().to_string(),
        "pid" => std::process::id().to_string(),
        // SAFETY: gettid has no preconditions.
        "tid" => unsafe { libc::syscall(libc::SYS_gettid) }.to_string(),
        "level" => level.name().to_string(),
        _ => NAMES[tag as usize].replace('+', ","),
    }
}

/// Date and time of day to the millisecond, with the time zone (ISO 8601).
pub fn local_moment() -> String {
    let now = SystemTime::now();
    moment(now, now.duration_since(UNIX_EPOCH).unwrap_or_default(), false)
}
fn moment(now: SystemTime, since: Duration, utc: bool) -> String {
    let zone = calendar(now, c"%z", utc);
    format!("{}.{:03}{zone}", calendar(now, c"%Y-%m-%dT%H:%M:%S", utc), since.subsec_millis())
}
/// As `strftime` writes it.
fn calendar(now: SystemTime, format: &std::ffi::CStr, utc: bool) -> String {
    let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()) as libc::time_t;
    let mut text = [0u8; 64];
    // SAFETY: all-zero bytes are a valid `tm`; both functions write it, and `strftime` at most as
    // many bytes as it is told.
    let n = unsafe {
        let mut parts: libc::tm = std::mem::zeroed();
        if utc {
            libc::gmtime_r(&raw const seconds, &raw mut parts);
        } else {
            libc::localtime_r(&raw const seconds, &raw mut parts);
        }
        libc::strftime(text.as_mut_ptr().cast(), text.len(), format.as_ptr(), &raw const parts)
    };
    String::from_utf8_lossy(&text[..n]).into_owned()
}
