//! What other processes and management beans ask of a running VM.
//!
//! Invariant: every answer is text made on the asking thread; what it says of the heap or of
//! threads was taken at one stop. Nothing here is needed for a program to run: without this room
//! the VM works and cannot be looked at.
//!
//! | module | what |
//! |---|---|
//! | [`attach`] | the socket that jcmd, jstack, jmap, jinfo speak to |
//! | [`commands`] | diagnostic commands, for jcmd and for the DiagnosticCommand bean |
//! | [`histogram`] | instances and bytes by class |
//! | [`hprof`] | heap dumps |
//! | [`counters`] | performance data for jps and jstat |
//! | [`asked_dumps`] | heap dumps that options ask for |
//! | [`memory_error`] | what the options ask for at the first OutOfMemoryError |
pub mod asked_dumps;
pub mod attach;
pub mod commands;
pub mod counters;
pub mod histogram;
pub mod hprof;
pub mod memory_error;

use concord_contract::Thread;
use std::sync::OnceLock;

/// What only the library with the tool interface can do.
#[derive(Clone, Copy)]
pub struct Agents {
    /// Loads an agent library into the running VM: name or path, whether it is a path, options.
    /// The result is what goes into the reply: Agent_OnAttach's number, or why there is none.
    pub load: fn(&Thread, &str, bool, &str) -> Result<i32, String>,
    /// Tells agents that data is asked for (JVMTI's DataDumpRequest).
    pub data_dump: fn(&Thread),
}
/// What answers questions about compiled code.
pub struct Compiler {
    /// `Compiler.codecache`, `Compiler.codelist`, `Compiler.queue`.
    pub code_cache: fn() -> String,
    pub code_list: fn() -> String,
    pub queue: fn() -> String,
    /// For the performance data.
    pub figures: fn() -> Compilations,
    /// Writes the file for Linux perf.
    pub perf_map: fn() -> Result<(), String>,
}
/// What was compiled so far.
#[derive(Clone, Debug, Default)]
pub struct Compilations {
    pub done: u64,
    /// Of them, those that loops were entered by.
    pub osr: u64,
    pub failed: u64,
    pub invalidated: u64,
    pub time: std::time::Duration,
    /// Bytes of machine code.
    pub code: u64,
    /// The last one, and the last failed one: class and method, bytes of bytecode, whether of a loop.
    pub last: [Option<(String, usize, bool)>; 2],
}
static COMPILER: OnceLock<Compiler> = OnceLock::new();

/// Sets what answers them; once, at boot.
pub fn set_compiler(c: Compiler) {
    if COMPILER.set(c).is_err() {
        concord_base::bug!("the compiler's answers are set twice");
    }
}
static CONTENTION: OnceLock<fn() -> Option<String>> = OnceLock::new();

/// Sets what tells of cache contention, nothing while nobody looks for it; once, at boot.
pub fn set_contention(report: fn() -> Option<String>) {
    if CONTENTION.set(report).is_err() {
        concord_base::bug!("the report of contention is set twice");
    }
}
pub(crate) fn contention() -> Option<String> {
    CONTENTION.get().and_then(|report| report())
}
pub(crate) fn compiler() -> Option<&'static Compiler> {
    COMPILER.get()
}

static AGENTS: OnceLock<Agents> = OnceLock::new();

/// Sets what loads agents; once, at boot.
pub fn set_agents(a: Agents) {
    if AGENTS.set(a).is_err() {
        concord_base::bug!("the agent loader is set twice");
    }
}
pub(crate) fn agents() -> Option<&'static Agents> {
    AGENTS.get()
}
