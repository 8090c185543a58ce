//! What is printed at the end: `-XX:+PrintConcordStatistics`, `-Xlog:gc+heap+exit`.
//!
//! Invariant: printed once, by whichever thread ends the VM, while no other thread must be waited
//! for; counts of threads that still run are those up to that moment.
use crate::info::MethodExt;
use concord_contract::method::Method;
use concord_memory_model::policy;
use concord_memory_model::statistics::{Site, Totals, totals};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows of the fence profile.
const SITES: usize = 25;

/// Prints what is asked for, the first time.
pub fn print() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.swap(true, Ordering::AcqRel) {
        return;
    }
    concord_heap::log_exit();
    if policy::counting() {
        concord_base::out!("{}", text(&totals(), policy::vbd()));
    }
}

/// `class.method(descriptor):line`.
fn place(s: Site) -> String {
    // SAFETY: the interpreter counts under the addresses of methods, which are never freed.
    let m: &'static Method = unsafe { &*(s.method as *const Method) };
    format!("{}.{}{} line {}", m.class.name.as_str().replace('/', "."), m.name, m.descriptor, m.line_at(s.bci))
}

fn text(t: &Totals, vbd: bool) -> String {
    let mut s = String::from("Concord statistics\n");
    let of = |n: u64, all: u64| if all == 0 { 0.0 } else { 100.0 * n as f64 / all as f64 };
    let mut row = |name: &str, n: u64, all: u64| {
        let _infallible = writeln!(s, "  {name:<44} {n:>14} {:>6.2} %", of(n, all));
    };
    row("heap stores by bytecode", t.stores, t.stores);
    row("  followed by a fence", t.fenced, t.stores);
    row("  fence shared with another store", t.owed.saturating_sub(t.late), t.stores);
    row("  fence elided: object is LOCAL", t.local, t.stores);
    row("  fence elided: relaxed code or field", t.relaxed, t.stores);
    row("  fence elided: Java memory model (-VBD)", t.java_model, t.stores);
    row("stores by natives for the program", t.native_stores, t.native_stores);
    row("  followed by a fence", t.native_fenced, t.native_stores);
    row("atomic operations", t.atomics, t.atomics);
    row("publications", t.walks, t.walks);
    row("  objects published", t.published, t.walks);
    row("  most by one publication", t.longest_walk, 0);
    for (i, n) in t.walk_lengths.iter().enumerate().filter(|(_, n)| **n != 0) {
        row(&format!("  of {} objects or more", 1u64 << i), *n, t.walks);
    }
    row("classes whose objects are born SHARED", concord_heap::births::mostly_published() as u64, 0);
    let title = if vbd { "Hottest fences" } else { "Hottest fences (volatile stores)" };
    let _infallible = writeln!(s, "{title}");
    for (site, n) in t.hottest(SITES) {
        let _infallible = writeln!(s, "  {n:>14} {:>6.2} %  {}", of(n, t.fenced), place(site));
    }
    s
}
