//! The crash reporter: fatal signals and internal errors become `hs_err_pid<pid>.log`.
//!
//! Invariant: the reporter allocates nothing, takes no lock, reads foreign memory only through the
//! kernel (which answers with an error where a load would fault), and runs once: a fault while it
//! writes a section goes on with the next section. The file is in HotSpot's order of sections, so
//! that tools that read such files find what they know.
mod access;
mod panics;
mod process;
mod replay;
mod signal_names;
mod stack;

use signal_names::{signal_code_name, signal_name};
use stack::{unwind, write_file, write_frame, write_interrupted, write_java_frame, write_memory, write_native_stack};

use concord_base::options::{self, VM_NAME, VM_VERSION};
use concord_contract::Thread;
use concord_contract::frame::frames;
use concord_contract::thread::ThreadState;
use std::ffi::{c_int, c_void};
use std::fmt::Write;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering};

const FATAL: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];
/// Handlers that were there before ours, by position in [`FATAL`].
static PREVIOUS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
/// Thread id of the reporter, 0 before the first fault.
static REPORTING: AtomicU32 = AtomicU32::new(0);

/// Installs the handlers and the reporter of internal errors, panics among them.
pub fn install() {
    for (i, s) in FATAL.into_iter().enumerate() {
        if let Some(old) = concord_runtime::native::signals::install(s, handler as *const () as usize) {
            PREVIOUS[i].store(old, Ordering::Release);
        }
    }
    access::install();
    concord_base::bug::set_reporter(internal_error);
    panics::install();
    // The primordial thread; others get theirs when they are attached.
    match concord_runtime::native::signals::AlternateStack::install() {
        Ok(stack) => std::mem::forget(stack),
        Err(e) => concord_base::errln!("{VM_NAME} warning: no alternate signal stack: {e}"),
    }
}

/// The VM's own view of a fault: true if it was handled and the thread can go on.
///
/// # Safety
/// The arguments are those of a signal handler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_handle_linux_signal(
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
    abort: c_int,
) -> c_int {
    if abort != 0 {
        handler(signal, info, context);
    }
    0
}

extern "C" fn handler(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    if signal == libc::SIGBUS && access::skip(context) {
        return;
    }
    let at = FATAL.iter().position(|s| *s == signal).unwrap_or(0);
    let old = PREVIOUS[at].load(Ordering::Acquire);
    if old > libc::SIG_IGN && options::get().flags.use_signal_chaining {
        type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
        // SAFETY: the handler that the system gave us for this signal; those without SA_SIGINFO
        // ignore the two other arguments.
        let old = unsafe { std::mem::transmute::<usize, Handler>(old) };
        old(signal, info, context);
        return;
    }
    let registers = Registers::of(context);
    // SAFETY: the kernel passes a valid record.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    crash(&Problem::Signal { signal, code, address }, Some(&registers));
}

fn internal_error(message: &str, file: &str, line: u32) {
    crash(&Problem::Internal { message, file, line }, None);
}

enum Problem<'a> {
    Signal { signal: c_int, code: c_int, address: usize },
    Internal { message: &'a str, file: &'a str, line: u32 },
}

/// The general registers at the fault, in the order in which reports print them.
struct Registers {
    named: [(&'static str, u64); 18],
    /// As the kernel numbers them.
    all: [libc::greg_t; 23],
}

impl Registers {
    fn of(context: *mut c_void) -> Registers {
        use libc::*;
        let names = [
            ("RAX", REG_RAX),
            ("RBX", REG_RBX),
            ("RCX", REG_RCX),
            ("RDX", REG_RDX),
            ("RSP", REG_RSP),
            ("RBP", REG_RBP),
            ("RSI", REG_RSI),
            ("RDI", REG_RDI),
            ("R8 ", REG_R8),
            ("R9 ", REG_R9),
            ("R10", REG_R10),
            ("R11", REG_R11),
            ("R12", REG_R12),
            ("R13", REG_R13),
            ("R14", REG_R14),
            ("R15", REG_R15),
            ("RIP", REG_RIP),
            ("EFLAGS", REG_EFL),
        ];
        // SAFETY: the kernel passes a valid context to handlers.
        let g = unsafe { &(*context.cast::<ucontext_t>()).uc_mcontext.gregs };
        Registers { named: names.map(|(n, i)| (n, g[i as usize] as u64)), all: *g }
    }
    fn get(&self, name: &str) -> u64 {
        self.named.iter().find(|r| r.0 == name).map_or(0, |r| r.1)
    }
}

/// A file descriptor as a text sink without buffers.
struct Sink(c_int);
impl Write for Sink {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        let mut b = s.as_bytes();
        while !b.is_empty() {
            // SAFETY: a valid slice; write is async-signal-safe.
            let n = unsafe { libc::write(self.0, b.as_ptr().cast(), b.len()) };
            if n <= 0 {
                return Err(std::fmt::Error);
            }
            b = &b[n as usize..];
        }
        Ok(())
    }
}

fn problem_line(out: &mut dyn Write, p: &Problem<'_>, pc: usize) -> std::fmt::Result {
    // SAFETY: no preconditions.
    let (pid, tid) = unsafe { (libc::getpid(), libc::syscall(libc::SYS_gettid)) };
    match p {
        Problem::Signal { signal, .. } => {
            writeln!(out, "#  {} (0x{signal:x}) at pc=0x{pc:016x}, pid={pid}, tid={tid}", signal_name(*signal))
        }
        Problem::Internal { message, file, line } => {
            let file = file.rsplit('/').next().unwrap_or(file);
            writeln!(out, "#  Internal Error ({file}:{line}), pid={pid}, tid={tid}\n#  Error: {message}")
        }
    }
}

fn header(out: &mut dyn Write, p: &Problem<'_>, pc: usize) -> std::fmt::Result {
    writeln!(out, "#\n# A fatal error has been detected by the Java Runtime Environment:\n#")?;
    problem_line(out, p, pc)?;
    writeln!(out, "#\n# JRE version: OpenJDK Runtime Environment 17")?;
    let info = options::get().property("java.vm.info").unwrap_or("");
    writeln!(out, "# Java VM: {VM_NAME} ({VM_VERSION}, {info}, linux-amd64)")?;
    if pc != 0 {
        write!(out, "# Problematic frame:\n# ")?;
        write_frame(out, pc)?;
        writeln!(out)?;
    }
    writeln!(out, "#")
}

/// What a section of the report sees.
struct Facts<'a> {
    problem: &'a Problem<'a>,
    registers: Option<&'a Registers>,
}
type Section = fn(&mut dyn Write, &Facts<'_>) -> std::fmt::Result;

/// The sections, in the order of the file.
const SECTIONS: [Section; 14] = [
    |out, f| header(out, f.problem, f.pc()),
    |out, _| {
        writeln!(out, "\n---------------  S U M M A R Y ------------\n")?;
        process::write_summary(out)?;
        writeln!(out, "\n---------------  T H R E A D  ---------------\n")
    },
    thread_section,
    |out, _| replay::write_task(out),
    |out, f| f.registers.map_or(Ok(()), |r| write_native_stack(out, r)),
    |out, f| {
        let Some(th) = Thread::current_opt() else { return Ok(()) };
        writeln!(out, "\nJava frames: (J=compiled Java code, j=interpreted, Vv=VM code)")?;
        if let Some(r) = f.registers {
            write_interrupted(out, th, r)?;
        }
        for f in frames(th).take(200) {
            write_java_frame(out, &f)?;
            writeln!(out)?;
        }
        Ok(())
    },
    |out, f| {
        let Problem::Signal { signal, code, address } = f.problem else { return Ok(()) };
        let (name, code_name) = (signal_name(*signal), signal_code_name(*signal, *code));
        writeln!(
            out,
            "\nsiginfo: si_signo: {signal} ({name}), si_code: {code} ({code_name}), si_addr: 0x{address:016x}"
        )
    },
    |out, f| {
        let Some(r) = f.registers else { return Ok(()) };
        writeln!(out, "\nRegisters:")?;
        for (i, (name, v)) in r.named.iter().enumerate() {
            write!(out, "{name}=0x{v:016x}{}", if i % 4 == 3 { "\n" } else { ", " })?;
        }
        write_memory(out, "\n\nTop of Stack: (sp=", r.get("RSP") as usize, 16)?;
        write_memory(out, "\nInstructions: (pc=", (r.get("RIP") as usize).wrapping_sub(32), 8)
    },
    |out, _| {
        writeln!(out, "\nNative frames by unwinding, from the reporter outwards:")?;
        unwind(out)
    },
    |out, _| {
        writeln!(out, "\n---------------  P R O C E S S  ---------------")?;
        process::write_heap(out)
    },
    |out, _| {
        writeln!(out)?;
        concord_base::event_log::print(out, None, usize::MAX)
    },
    |out, _| {
        writeln!(out, "\nDynamic libraries:")?;
        write_file(out, "/proc/self/maps")?;
        writeln!(out, "\nVM Arguments:")?;
        let named =
            options::get().properties.iter().filter(|p| p.0.starts_with("java.") || p.0.starts_with("sun.java"));
        named.into_iter().try_for_each(|(k, v)| writeln!(out, "{k}: {v}"))
    },
    |out, _| process::write_environment(out),
    |out, _| {
        writeln!(out, "\n---------------  S Y S T E M  ---------------\n")?;
        write_file(out, "/proc/version")?;
        write_file(out, "/proc/meminfo")?;
        writeln!(out, "\nEND.")
    },
];

impl Facts<'_> {
    fn pc(&self) -> usize {
        self.registers.map_or(0, |r| r.get("RIP") as usize)
    }
}

fn thread_section(out: &mut dyn Write, _f: &Facts<'_>) -> std::fmt::Result {
    let Some(th) = Thread::current_opt() else { return writeln!(out, "Current thread is native thread") };
    let state = match th.state() {
        ThreadState::New => "_thread_new",
        ThreadState::InVm => "_thread_in_vm",
        ThreadState::Native => "_thread_in_native",
        ThreadState::Blocked => "_thread_blocked",
    };
    let (address, low, high) = (std::ptr::from_ref(th) as usize, th.native_limit.get(), th.native_base.get());
    writeln!(
        out,
        "Current thread (0x{address:016x}):  JavaThread [{state}, id={}, stack(0x{low:016x},0x{high:016x})]",
        th.os_tid.get()
    )
}

/// The sections from `step` on; `step` is advanced before each, so that a fault in one does not
/// keep the next from being written.
fn report(out: &mut dyn Write, f: &Facts<'_>, step: &AtomicUsize) -> std::fmt::Result {
    loop {
        let i = step.fetch_add(1, Ordering::SeqCst);
        match SECTIONS.get(i) {
            Some(section) => section(out, f)?,
            None => return Ok(()),
        }
    }
}

/// Text in a fixed buffer; what does not fit is dropped.
struct Line {
    bytes: [u8; 1024],
    len: usize,
}
impl Write for Line {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        let room = self.bytes.len() - 1 - self.len;
        let n = s.len().min(room);
        self.bytes[self.len..self.len + n].copy_from_slice(&s.as_bytes()[..n]);
        self.len += n;
        Ok(())
    }
}

/// Opens the report's file: -XX:ErrorFile, the working folder, or /tmp.
fn open(name: &mut Line) -> Option<c_int> {
    open_one_of(name, options::get().flags.error_file.as_deref(), "hs_err_pid")
}

/// Opens the file that is `asked` for, with the process id for `%p`; or one whose name begins with
/// `stem`, in the working folder or in /tmp.
fn open_one_of(name: &mut Line, asked: Option<&str>, stem: &str) -> Option<c_int> {
    // SAFETY: no preconditions.
    let pid = unsafe { libc::getpid() };
    for candidate in 0..3 {
        name.bytes = [0; 1024];
        name.len = 0;
        let written = match (candidate, asked) {
            (0, Some(pattern)) => pattern.split("%p").enumerate().try_for_each(|(i, part)| {
                if i > 0 {
                    write!(name, "{pid}")?;
                }
                name.write_str(part)
            }),
            (0, None) => continue,
            (1, _) => {
                // SAFETY: the buffer has room for the path; it stays NUL-terminated.
                let cwd = unsafe { libc::getcwd(name.bytes.as_mut_ptr().cast(), 900) };
                if cwd.is_null() {
                    continue;
                }
                name.len = name.bytes.iter().position(|b| *b == 0).unwrap_or(0);
                write!(name, "/{stem}{pid}.log")
            }
            _ => write!(name, "/tmp/{stem}{pid}.log"),
        };
        if written.is_err() {
            continue;
        }
        // SAFETY: NUL-terminated, as the buffer is longer than what is written to it.
        let fd =
            unsafe { libc::open(name.bytes.as_ptr().cast(), libc::O_CREAT | libc::O_TRUNC | libc::O_WRONLY, 0o644) };
        if fd >= 0 {
            return Some(fd);
        }
    }
    None
}

/// Progress of the one report, for a fault in one of its sections.
static STEP: AtomicUsize = AtomicUsize::new(0);
static REPORT_FILE: AtomicI32 = AtomicI32::new(-1);
/// Faults in the report itself; when there are too many the process just ends.
static FAULTS: AtomicU32 = AtomicU32::new(0);

/// Lets faults in the reporter reach the handler again: the system would kill the process.
fn unblock_faults() {
    // SAFETY: masks are valid; async-signal-safe.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        FATAL.iter().for_each(|s| {
            libc::sigaddset(&mut set, *s);
        });
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, std::ptr::null_mut());
    }
}

fn crash(p: &Problem<'_>, registers: Option<&Registers>) -> ! {
    // SAFETY: no preconditions.
    let me = unsafe { libc::syscall(libc::SYS_gettid) } as u32;
    unblock_faults();
    let facts = Facts { problem: p, registers };
    match REPORTING.compare_exchange(0, me, Ordering::SeqCst, Ordering::SeqCst) {
        Err(other) if other != me => loop {
            // Another thread reports; the process ends when it is done.
            // SAFETY: no preconditions.
            unsafe { libc::pause() };
        },
        Err(_me) => {
            // A fault in a section: say so and go on behind it.
            let fd = REPORT_FILE.load(Ordering::SeqCst);
            if fd >= 0 && FAULTS.fetch_add(1, Ordering::SeqCst) < SECTIONS.len() as u32 {
                let _unreported = writeln!(
                    Sink(fd),
                    "\n[error occurred during error reporting (section {}), pc=0x{:x}]",
                    STEP.load(Ordering::SeqCst),
                    facts.pc()
                );
                let _unreported = report(&mut Sink(fd), &facts, &STEP);
            }
        }
        Ok(_none) => {
            // A report that cannot be written has nowhere to be reported.
            let _unreported = header(&mut Sink(1), p, facts.pc());
            let mut name = Line { bytes: [0; 1024], len: 0 };
            if let Some(fd) = open(&mut name) {
                REPORT_FILE.store(fd, Ordering::SeqCst);
                let text = std::str::from_utf8(&name.bytes[..name.len]).unwrap_or("?");
                let _unreported =
                    write!(Sink(1), "# An error report file with more information is saved as:\n# {text}\n#\n");
                let _unreported = report(&mut Sink(fd), &facts, &STEP);
            }
            let _unreported = replay::save(&mut Sink(1));
        }
    }
    on_error();
    end()
}

/// Ends the process after a fatal error: with a core if that is wanted, else with exit code 1.
pub fn end() -> ! {
    if options::get().flags.create_coredump_on_crash {
        std::process::abort();
    }
    // SAFETY: no preconditions; no destructor may run now.
    unsafe { libc::_exit(1) }
}

/// Runs the commands of -XX:OnError.
fn on_error() {
    for command in &options::get().flags.on_error {
        let command = command.replace("%p", &std::process::id().to_string());
        for c in command.split(';').map(str::trim).filter(|c| !c.is_empty()) {
            if let Err(e) = std::process::Command::new("sh").args(["-c", c]).status() {
                let _unreported = writeln!(Sink(2), "# OnError command {c}: {e}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn reports_name_the_problem_and_the_frame() {
        let mut s = String::new();
        let mut r = Registers { named: [("R", 0); 18], all: [0; 23] };
        r.named[0] = ("RIP", crash as *const () as u64);
        let problem = Problem::Signal { signal: libc::SIGSEGV, code: 1, address: 8 };
        report(&mut s, &Facts { problem: &problem, registers: Some(&r) }, &AtomicUsize::new(0)).unwrap();
        assert!(
            s.contains("#  SIGSEGV (0xb) at pc=0x")
                && s.contains("si_code: 1 (SEGV_MAPERR), si_addr: 0x0000000000000008")
        );
        assert!(s.contains("# Problematic frame:\n# C  [") && s.ends_with("\nEND.\n"));
        let mut s = String::new();
        let problem = Problem::Internal { message: "no luck", file: "a/b.rs", line: 7 };
        report(&mut s, &Facts { problem: &problem, registers: None }, &AtomicUsize::new(0)).unwrap();
        assert!(s.contains("#  Internal Error (b.rs:7), pid=") && s.contains("#  Error: no luck"));
    }
}
