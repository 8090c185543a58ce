//! Times and counts of stops, and `-Xlog:safepoint`.
//!
//! Invariant: [`begin`], [`stopped`] and [`end`] come in this order for one stop after the other,
//! as the protocol admits one stop at a time.
use concord_base::event_log;
use concord_base::vm_log;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Totals since the VM started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    pub stops: u64,
    /// Sum and maximum of the times from request to standstill.
    pub to_stop: Duration,
    pub max_to_stop: Duration,
    /// Sum of the times at standstill.
    pub at_stop: Duration,
}

struct Current {
    reason: &'static str,
    begun: Option<Instant>,
    stopped: Option<Instant>,
    last_end: Option<Instant>,
    totals: Counters,
}

static CURRENT: Mutex<Current> = Mutex::new(Current {
    reason: "",
    begun: None,
    stopped: None,
    last_end: None,
    totals: Counters { stops: 0, to_stop: Duration::ZERO, max_to_stop: Duration::ZERO, at_stop: Duration::ZERO },
});

fn current() -> std::sync::MutexGuard<'static, Current> {
    crate::sync::lock(&CURRENT)
}

pub fn begin(reason: &'static str) {
    event_log::note(event_log::Kind::Operation, 0, format!("Executing VM operation: {reason}"));
    let mut c = current();
    c.reason = reason;
    c.begun = Some(Instant::now());
}

pub fn stopped() {
    current().stopped = Some(Instant::now());
}

pub fn end() {
    let mut c = current();
    event_log::note(event_log::Kind::Operation, 0, format!("Executing VM operation: {} done", c.reason));
    let now = Instant::now();
    let (Some(begun), Some(stopped)) = (c.begun.take(), c.stopped.take()) else {
        concord_base::bug!("a stop ended that had not begun");
    };
    let reaching = stopped - begun;
    let at = now - stopped;
    // HotSpot counts from the end of the last safepoint, and from the start for the first.
    let since = c.last_end.map_or_else(concord_base::log::uptime, |e| begun - e);
    c.last_end = Some(now);
    c.totals.stops += 1;
    c.totals.to_stop += reaching;
    c.totals.max_to_stop = c.totals.max_to_stop.max(reaching);
    c.totals.at_stop += at;
    let reason = c.reason;
    drop(c);
    vm_log!(
        Safepoint,
        Info,
        "Safepoint \"{reason}\", Time since last: {} ns, Reaching safepoint: {} ns, At safepoint: {} ns, Total: {} ns",
        since.as_nanos(),
        reaching.as_nanos(),
        at.as_nanos(),
        (reaching + at).as_nanos()
    );
}

pub fn counters() -> Counters {
    current().totals
}
