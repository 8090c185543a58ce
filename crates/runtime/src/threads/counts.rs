//! How many Java threads there are and were, for management.
//!
//! Invariant: every thread is counted once in and once out.
use std::sync::Mutex;

/// Numbers of Java threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub live: u64,
    pub daemons: u64,
    /// Most that lived at once since the start or the last reset.
    pub peak: u64,
    /// All that ever started.
    pub total: u64,
}
static COUNTS: Mutex<Counts> = Mutex::new(Counts { live: 0, daemons: 0, peak: 0, total: 0 });

pub(super) fn came(daemon: bool) {
    let mut c = COUNTS.lock().expect("thread counts");
    c.live += 1;
    c.total += 1;
    c.daemons += u64::from(daemon);
    c.peak = c.peak.max(c.live);
}
pub(super) fn went(daemon: bool) {
    let mut c = COUNTS.lock().expect("thread counts");
    c.live -= 1;
    c.daemons -= u64::from(daemon);
}
pub fn counts() -> Counts {
    *COUNTS.lock().expect("thread counts")
}
/// The peak begins again at the number of live threads.
pub fn reset_peak() {
    let mut c = COUNTS.lock().expect("thread counts");
    c.peak = c.live;
}
