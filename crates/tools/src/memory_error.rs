//! What the options ask for at the first OutOfMemoryError, in HotSpot's order: heap dump,
//! commands, crash, exit.
//!
//! Invariant: runs at most once in the life of the VM, on the thread that ran out of memory, before
//! the error is thrown; it takes nothing from the Java heap.
use concord_base::options;
use concord_contract::Thread;

/// Carries the options out.
pub fn report(th: &Thread, message: &str) {
    let f = &options::get().flags;
    let text = format!("java.lang.OutOfMemoryError: {message}");
    if f.heap_dump_on_out_of_memory_error {
        concord_base::outln!("{text}");
        crate::asked_dumps::dump(th);
    }
    if f.on_out_of_memory_error.iter().any(|c| !c.is_empty()) {
        concord_base::outln!("#\n# {text}");
        commands(th, &f.on_out_of_memory_error);
    }
    if f.crash_on_out_of_memory_error {
        concord_base::outln!("Aborting due to {text}");
        concord_base::bug!("OutOfMemory encountered: {message}");
    }
    if f.exit_on_out_of_memory_error {
        concord_base::outln!("Terminating due to {text}");
        concord_runtime::perf::end();
        crate::attach::end();
        // SAFETY: ends the process at once, as the option promises: no hooks, no destructors.
        unsafe { libc::_exit(3) };
    }
}

/// Runs the commands, separated by semicolons, one after the other.
fn commands(th: &Thread, list: &[String]) {
    let given: Vec<&str> = list.iter().map(String::as_str).filter(|c| !c.is_empty()).collect();
    let joined = given.join(";");
    concord_base::outln!("# -XX:OnOutOfMemoryError=\"{joined}\"");
    for c in joined.split(';').map(str::trim).filter(|c| !c.is_empty()) {
        let c = c.replace("%p", &std::process::id().to_string());
        concord_base::outln!("#   Executing /bin/sh -c \"{c}\"...");
        let run = || std::process::Command::new("/bin/sh").arg("-c").arg(&c).env_remove("LD_PRELOAD").status();
        if let Err(e) = concord_runtime::blocking(th, run) {
            concord_base::outln!("os::fork_and_exec failed: {e}");
        }
    }
}
