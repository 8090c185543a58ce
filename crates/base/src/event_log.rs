//! The last events of each kind, for `jcmd VM.events` and crash reports.
//!
//! Invariant: noting an event neither allocates in the Java heap nor waits for a stop; each kind keeps
//! its last [`ROOM`] events and forgets older ones.
use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// Events of one kind that are kept.
pub const ROOM: usize = 20;

/// Kinds of events, in the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Kind {
    Compilation,
    Collection,
    Deoptimization,
    Loaded,
    Unloaded,
    Redefined,
    Exception,
    Operation,
    Other,
}

/// Short names and titles, by kind.
const NAMES: [(&str, &str); 9] = [
    ("jit", "Compilation events"),
    ("gc", "GC Heap History"),
    ("deopt", "Deoptimization events"),
    ("load", "Classes loaded"),
    ("unload", "Classes unloaded"),
    ("redef", "Classes redefined"),
    ("exc", "Internal exceptions"),
    ("vmops", "VM Operations"),
    ("events", "Events"),
];

struct Event {
    at: Duration,
    /// Address of the thread's block; 0 if nobody's.
    thread: usize,
    text: String,
}

static RINGS: [Mutex<VecDeque<Event>>; NAMES.len()] = [const { Mutex::new(VecDeque::new()) }; NAMES.len()];

/// Notes an event of a thread, whose block is at that address; 0 for nobody's.
pub fn note(kind: Kind, thread: usize, text: String) {
    let event = Event { at: crate::log::uptime(), thread, text };
    let mut ring = RINGS[kind as usize].lock().expect("events");
    if ring.len() == ROOM {
        ring.pop_front();
    }
    ring.push_back(event);
}

/// Prints the kinds that `name` picks, all without it, at most `most` events of each.
///
/// # Errors
/// The sink's.
pub fn print(out: &mut dyn Write, name: Option<&str>, most: usize) -> fmt::Result {
    for ((short, title), ring) in NAMES.iter().zip(&RINGS) {
        if name.is_some_and(|n| n != *short) {
            continue;
        }
        let ring: MutexGuard<'_, _> = match ring.try_lock() {
            Ok(g) => g,
            Err(TryLockError::Poisoned(g)) => g.into_inner(),
            // A report of a crash waits for nobody.
            Err(TryLockError::WouldBlock) => continue,
        };
        writeln!(out, "{title} ({} events):", ring.len())?;
        if ring.is_empty() {
            writeln!(out, "No events")?;
        }
        for e in ring.iter().take(most) {
            write!(out, "Event: {:.3} ", e.at.as_secs_f64())?;
            if e.thread != 0 {
                write!(out, "Thread 0x{:016x} ", e.thread)?;
            }
            writeln!(out, "{}", e.text)?;
        }
        if ring.len() > most {
            writeln!(out, "...(skipped)")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Whether there is a kind of that short name.
pub fn is_known(name: &str) -> bool {
    NAMES.iter().any(|n| n.0 == name)
}
/// Short names and titles, a line each.
pub fn names() -> String {
    NAMES.iter().map(|(short, title)| format!("\"{short}\" : {title}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_last_events_are_kept() {
        for n in 0..ROOM + 3 {
            note(Kind::Redefined, 16 * (n % 2), format!("event {n}"));
        }
        let mut s = String::new();
        print(&mut s, Some("redef"), 2).expect("writing to a string");
        let lines: Vec<&str> = s.lines().collect();
        assert_eq!(lines[0], "Classes redefined (20 events):");
        assert!(lines[1].starts_with("Event: ") && lines[1].ends_with("Thread 0x0000000000000010 event 3"), "{s}");
        assert!(lines[2].ends_with(" event 4") && !lines[2].contains("Thread"), "{s}");
        assert_eq!(lines[3..], ["...(skipped)", ""]);
        assert!(is_known("gc") && !is_known("x"));
    }
}
