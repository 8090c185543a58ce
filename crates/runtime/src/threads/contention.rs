//! How long threads wait for monitors, and in `wait`, `sleep` and `park`.
//!
//! Invariant: a thread adds to its own sums only, and only while contention monitoring is on
//! (ThreadMXBean.setThreadContentionMonitoringEnabled); waits that began while it was off count
//! for nothing.
use super::info;
use concord_contract::Thread;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

static ON: AtomicBool = AtomicBool::new(false);

pub fn monitoring() -> bool {
    ON.load(Relaxed)
}
/// Switches times on or off; returns what was.
pub fn set_monitoring(on: bool) -> bool {
    ON.swap(on, Relaxed)
}

/// Sums of one thread, in nanoseconds.
#[derive(Default)]
pub struct Times {
    blocked: AtomicU64,
    waited: AtomicU64,
}

impl Times {
    pub fn blocked(&self) -> Duration {
        Duration::from_nanos(self.blocked.load(Relaxed))
    }
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited.load(Relaxed))
    }
    pub(super) fn clear(&self) {
        self.blocked.store(0, Relaxed);
        self.waited.store(0, Relaxed);
    }
}

/// A waiting thread was notified, and waits to enter.
pub fn count_blocked(t: &Thread) {
    info(t).blocked_count.fetch_add(1, Relaxed);
}

/// The current thread's wait that is under way.
pub struct Wait {
    begun: Option<Instant>,
    entering: bool,
}

/// The current thread begins to wait: to enter a monitor, or for anything else. Counts it.
pub fn begin(th: &Thread, entering: bool) -> Wait {
    let i = info(th);
    let count = if entering { &i.blocked_count } else { &i.waited_count };
    count.fetch_add(1, Relaxed);
    go_on(entering)
}
/// It goes on to wait for the same after it woke up in vain.
pub fn go_on(entering: bool) -> Wait {
    Wait { begun: monitoring().then(Instant::now), entering }
}
/// It ends.
pub fn end(th: &Thread, w: &Wait) {
    if let Some(t) = w.begun {
        let times = &info(th).times;
        let sum = if w.entering { &times.blocked } else { &times.waited };
        sum.fetch_add(t.elapsed().as_nanos() as u64, Relaxed);
    }
}
