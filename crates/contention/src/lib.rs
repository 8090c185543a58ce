//! Cache contention, found while the program runs (REMIX, PLDI 2016; `docs/papers/remix.md`).
//!
//! Invariant: nothing changes what the program that is observed computes. It takes the time of the samples, stops once a second
//! while something is contended, and its native code may see system calls interrupted, as under any profiler.
//!
//! | step | module |
//! |---|---|
//! | threads are interrupted by timers on their processor time | [`timers`] |
//! | which memory was accessed just now | [`operand`] |
//! | whether another processor writes its line | [`probe`] |
//! | samples, thread by thread | [`samples`] |
//! | by line: falsely shared, truly shared or quiet | [`lines`] |
//! | the object, class and field there | [`places`] |
//! | the log, the report, the file for the next run | [`findings`] |
//! | what is worth it is kept apart at once | [`repair`] |
//!
//! What the file says is kept apart when classes are defined: `runtime::apart`, `runtime::fields`; at once by
//! `runtime::relayout` and `heap::relayout`.
mod detector;
mod findings;
mod lines;
mod operand;
mod places;
mod probe;
mod repair;
mod samples;
mod timers;
pub mod zeal;

use concord_base::options::{self, Options, Remix};
use concord_base::vm_log;
use concord_contract::Thread;
use concord_contract::thread::ThreadState;
pub use detector::before_collection;

/// Starts to look for contention (`-remix:detect`), and to repair it (`-remix:online`).
///
/// # Errors
/// Why it cannot be done, for the user.
pub fn start(o: &Options) -> Result<(), String> {
    if !concord_heap::has_eden() {
        return Err("-remix and -remix:detect work with -XX:ConcordGC=StickyImmix only".into());
    }
    detector::start(o.flags.remix_samples_per_second as u64, o.remix == Some(Remix::Online))
}

/// Tells what was found, once, and adds it to `REMIXFile`.
pub fn finish(o: &Options) {
    if let Some(text) = told(o, true) {
        concord_base::out!("{text}");
    }
}

/// What was found so far, while the search goes on (`jcmd PID Contention.report`); None if there is no search.
pub fn report() -> Option<String> {
    told(options::get(), false)
}

/// A file that cannot be written is a warning.
fn told(o: &Options, ends: bool) -> Option<String> {
    let (mut text, apart) = detector::report(ends)?;
    let Some(path) = o.flags.remix_file.as_deref().filter(|_| !apart.is_empty()) else { return Some(text) };
    let written = match Thread::current_opt().filter(|th| th.state() == ThreadState::InVm) {
        Some(th) => concord_runtime::blocking(th, || apart.add_to(path)),
        None => apart.add_to(path),
    };
    match written {
        Ok(()) => text += &format!("REMIX: {path} keeps {} classes' fields apart.\n", apart.classes()),
        Err(e) => vm_log!(Remix, Warning, "{e}"),
    }
    Some(text)
}
