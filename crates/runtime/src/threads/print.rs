//! Thread dumps as text, in the format that tools read (SIGQUIT, JVM_DumpAllStacks).
//!
//! Invariant: what is printed is one moment: the stacks, locks and owners of all threads are taken
//! at one stop and put into words afterwards, while the threads run on.
use super::observe::{Snapshot, cpu_time, snapshots_with};
use super::status;
use crate::info::{ClassExt, MethodExt};
use crate::stackwalk::Site;
use crate::{handles, known, mirror, modules, names, strings};
use concord_base::{log, options};
use concord_contract::{Obj, Thread};
use std::fmt::Write as _;
use std::io::Write as _;

/// Appends formatted text; a String takes everything.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { write!($out, $($arg)*).expect("writing to a string") };
}

/// What a dump says beyond the stacks.
#[derive(Clone, Copy, Default)]
pub struct Extent {
    /// The locks of java.util.concurrent that each thread owns.
    pub locks: bool,
    /// What each thread has allocated and how many classes it has defined.
    pub figures: bool,
}

/// Writes a dump of all threads to standard output, and what the heap holds if `heap`.
pub fn dump_all(th: &Thread, heap: bool) {
    let locks = options::get().flags.print_concurrent_locks;
    let mut text = text(th, Extent { locks, figures: false });
    if heap {
        put!(text, "Heap\n{}\n", heap_text());
    }
    // A dump that cannot be written has nowhere to be reported.
    let _unreported = crate::blocking(th, || {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    });
}

/// Size and use of the heap.
pub fn heap_text() -> String {
    let (total, used, max) = (concord_heap::total_memory(), concord_heap::used_memory(), concord_heap::max_memory());
    format!(
        " concord heap        total {}K, used {}K, limit {}K\n  live after the last full collection {}K\n",
        total >> 10,
        used >> 10,
        max >> 10,
        concord_heap::live_after_full() >> 10
    )
}

/// The dump.
pub fn text(th: &Thread, extent: Extent) -> String {
    let scope = handles::Scope::new(th);
    let all = snapshots_with(&scope, |_| true, usize::MAX, extent.locks);
    let mut out = format!(
        "{}\nFull thread dump {} ({} {}):\n\n",
        local_time(),
        options::VM_NAME,
        options::VM_VERSION,
        options::get().property("java.vm.info").unwrap_or("")
    );
    blocks(&mut out, &all);
    for s in &all {
        thread(&mut out, s, extent.figures);
        stack(&mut out, s);
        out.push('\n');
        if extent.locks {
            synchronizers(&mut out, s);
        }
    }
    let (global, weak) = handles::global_counts();
    put!(out, "JNI global refs: {global}, weak refs: {weak}\n\n");
    deadlocks(&mut out, &all);
    out
}

/// The blocks of all threads, four to a line, as tools that look for them expect.
fn blocks(out: &mut String, all: &[Snapshot<'_>]) {
    put!(out, "Threads class SMR info:\n_java_thread_list=0x{:016x}, length={}, elements={{\n", 0, all.len());
    for (i, s) in all.iter().enumerate() {
        let last = i + 1 == all.len();
        put!(
            out,
            "0x{:016x}{}",
            s.block,
            if last {
                "\n"
            } else if i % 4 == 3 {
                ",\n"
            } else {
                ", "
            }
        );
    }
    out.push_str("}\n\n");
}

fn synchronizers(out: &mut String, s: &Snapshot<'_>) {
    out.push_str("   Locked ownable synchronizers:\n");
    if s.synchronizers.is_empty() {
        out.push_str("\t- None\n");
    }
    for o in &s.synchronizers {
        put!(out, "\t- <0x{:016x}> (a {})\n", o.get().addr(), names::external(o.get().class()));
    }
    out.push('\n');
}

/// Version of the class library, as `java -version` has it.
pub fn jdk_version() -> String {
    std::fs::read_to_string(format!("{}/release", options::get().java_home))
        .ok()
        .and_then(|t| {
            let line = t.lines().find_map(|l| l.strip_prefix("JAVA_VERSION="))?;
            Some(line.trim_matches('"').to_string())
        })
        .unwrap_or_else(|| "17".into())
}

/// The time of day as dumps print it.
pub fn local_time() -> String {
    let mut buf = [0u8; 32];
    // SAFETY: valid places; the format is NUL-terminated and its result fits.
    let n = unsafe {
        let now = libc::time(std::ptr::null_mut());
        let mut parts: libc::tm = std::mem::zeroed();
        libc::localtime_r(&now, &mut parts);
        libc::strftime(buf.as_mut_ptr().cast(), buf.len(), c"%Y-%m-%d %H:%M:%S".as_ptr(), &parts)
    };
    String::from_utf8_lossy(&buf[..n]).into_owned()
}

fn thread_name(s: &Snapshot<'_>) -> String {
    let name = s.thread.get().get_ref(known::offsets().thread_name);
    if name.is_null() { String::new() } else { strings::to_string(name) }
}

/// What the kernel would call the state, and `Thread.State`.
fn state(status: u32) -> (&'static str, &'static str) {
    match status {
        status::SLEEPING => ("waiting on condition", "TIMED_WAITING (sleeping)"),
        status::WAITING => ("in Object.wait()", "WAITING (on object monitor)"),
        status::TIMED_WAITING => ("in Object.wait()", "TIMED_WAITING (on object monitor)"),
        status::PARKED => ("waiting on condition", "WAITING (parking)"),
        status::TIMED_PARKED => ("waiting on condition", "TIMED_WAITING (parking)"),
        status::BLOCKED => ("waiting for monitor entry", "BLOCKED (on object monitor)"),
        status::TERMINATED => ("runnable", "TERMINATED"),
        status::NEW => ("runnable", "NEW"),
        _ => ("runnable", "RUNNABLE"),
    }
}

/// Bytes in the unit in which they are three digits at least.
fn size(bytes: u64) -> String {
    match bytes {
        n if n >= 100 << 30 => format!("{}G", n >> 30),
        n if n >= 100 << 20 => format!("{}M", n >> 20),
        n if n >= 100 << 10 => format!("{}K", n >> 10),
        n => format!("{n}B"),
    }
}

fn thread(out: &mut String, s: &Snapshot<'_>, figures: bool) {
    let o = known::offsets();
    let t = s.thread.get();
    put!(out, "\"{}\" #{} ", thread_name(s), t.get_i64(o.thread_tid));
    if t.get_u8(o.thread_daemon) != 0 {
        out.push_str("daemon ");
    }
    put!(out, "prio={} os_prio=0 ", t.get_i32(o.thread_priority));
    if let Some(ns) = cpu_time(s.os_tid, false) {
        put!(out, "cpu={:.2}ms ", ns as f64 / 1e6);
    }
    let elapsed = (log::uptime().as_millis() as u64).saturating_sub(s.started);
    let (word, java) = state(s.status);
    // The kernel knows it by where it began to wait.
    let notified = s.status == status::BLOCKED && s.stack.first().is_some_and(waits);
    let word = if notified || !s.initializes.get().is_null() { "in Object.wait()" } else { word };
    put!(out, "elapsed={:.2}s ", elapsed as f64 / 1e3);
    if figures {
        put!(out, "allocated={} defined_classes={} ", size(s.allocated), s.defined_classes);
    }
    put!(
        out,
        "tid=0x{:016x} nid=0x{:x} {word}  [0x{:016x}]\n   java.lang.Thread.State: {java}\n",
        s.block,
        s.os_tid,
        s.sp & !0xfff
    );
}

fn place(s: Site) -> String {
    let class = s.method.class;
    let module = modules::of(class).and_then(|m| {
        let name = m.name?;
        Some(match &m.version {
            Some(v) => format!("{name}@{v}/"),
            None => format!("{name}/"),
        })
    });
    let line = if s.method.is_native() { -2 } else { s.method.line_at(s.bci) };
    let file = match (line, class.info().source_file()) {
        (-2, _) => "Native Method".to_string(),
        (n, Some(f)) if n >= 0 => format!("{f}:{n}"),
        (_, Some(f)) => f.to_string(),
        (_, None) => "Unknown Source".to_string(),
    };
    format!("{}{file}", module.unwrap_or_default())
}

fn object(out: &mut String, what: &str, o: Obj) {
    put!(out, "\t- {what} <0x{:016x}> (a {})\n", o.addr(), described(o));
}
/// The class of a locked object, and the class that it stands for.
fn described(o: Obj) -> String {
    let class = names::external(o.class());
    if o.class() == known::classes().class {
        return format!("{class} for {}", names::external(mirror::class_of(o)));
    }
    class
}

fn stack(out: &mut String, s: &Snapshot<'_>) {
    let most = options::get().flags.max_java_stack_trace_depth as usize;
    let most = if most == 0 { usize::MAX } else { most };
    for (depth, site) in s.stack.iter().enumerate().take(most) {
        put!(out, "\tat {}.{}({})\n", names::external(site.method.class), site.method.name, place(*site));
        let lock = s.lock.get();
        if depth == 0 && !lock.is_null() {
            match s.status {
                status::BLOCKED if waits(site) => object(out, "waiting to re-lock in wait()", lock),
                status::BLOCKED => object(out, "waiting to lock", lock),
                status::WAITING | status::TIMED_WAITING => object(out, "waiting on", lock),
                status::PARKED | status::TIMED_PARKED => object(out, "parking to wait for ", lock),
                _ => {}
            }
        }
        let class = s.initializes.get();
        if depth == 0 && !class.is_null() {
            let name = names::external(mirror::class_of(class));
            put!(out, "\t- waiting on the Class initialization monitor for {name}\n");
        }
        for (locked, at) in &s.monitors {
            if *at == depth as i32 {
                object(out, "locked", locked.get());
            }
        }
    }
}

/// Whether the frame is of `Object.wait`.
fn waits(site: &Site) -> bool {
    site.method.name == "wait" && site.method.class == known::classes().object
}

/// Index of the thread for which `all[i]` waits.
fn next(all: &[Snapshot<'_>], i: usize) -> Option<usize> {
    let owner = all[i].owner.get();
    if owner.is_null() || !all[i].needs_owner {
        return None;
    }
    all.iter().position(|o| o.thread.get() == owner)
}

/// The circles of threads that wait for each other, each once.
fn cycles(all: &[Snapshot<'_>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; all.len()];
    let mut found = Vec::new();
    for start in 0..all.len() {
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(i) = at.filter(|i| !seen[*i]) {
            seen[i] = true;
            path.push(i);
            at = next(all, i);
        }
        if let Some(from) = at.and_then(|i| path.iter().position(|p| *p == i)) {
            found.push(path.split_off(from));
        }
    }
    found
}

fn deadlocks(out: &mut String, all: &[Snapshot<'_>]) {
    let found = cycles(all);
    for cycle in &found {
        out.push_str("\nFound one Java-level deadlock:\n=============================\n");
        for i in cycle {
            let s = &all[*i];
            let lock = s.lock.get();
            let class = names::external(lock.class());
            put!(out, "\"{}\":\n", thread_name(s));
            if s.status == status::BLOCKED {
                put!(out, "  waiting to lock monitor 0x{0:016x} (object 0x{0:016x}, a {class}),\n", lock.addr());
            } else {
                put!(out, "  waiting for ownable synchronizer 0x{:016x}, (a {class}),\n", lock.addr());
            }
            if let Some(owner) = next(all, *i) {
                put!(out, "  which is held by \"{}\"\n\n", thread_name(&all[owner]));
            }
        }
        out.push_str("Java stack information for the threads listed above:\n");
        out.push_str("===================================================\n");
        for i in cycle {
            put!(out, "\"{}\":\n", thread_name(&all[*i]));
            stack(out, &all[*i]);
        }
        out.push('\n');
    }
    match found.len() {
        0 => {}
        1 => out.push_str("Found 1 deadlock.\n\n"),
        n => put!(out, "Found {n} deadlocks.\n\n"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_date_has_the_usual_shape() {
        let t = super::local_time();
        assert_eq!(t.len(), 19, "{t}");
        assert_eq!((&t[4..5], &t[10..11], &t[13..14]), ("-", " ", ":"));
    }
}
