//! How much each thread still runs between the request to stop and its stop (`-Xlog:safepoint=debug`).
//!
//! Invariant: [`asked`] is called while the protocol's lock is held, [`arrived`] by the stopper once
//! the world stands still; one stop comes after the other. CPU time is asked of the system's clock
//! of each thread, so that what other threads and processes took of the processor is left out; what
//! a thread spends on going to sleep counts.
use crate::sync::{Mutex, lock};
use concord_base::log::{Level, Tag, enabled};
use concord_base::vm_log;

/// Running threads that were asked to stop, by the system's number, and their CPU time then, in ns.
static ASKED: Mutex<Vec<(u32, u64)>> = Mutex::new(Vec::new());

/// CPU time of a thread of this process in nanoseconds; None if it has ended.
fn cpu_time(tid: u32) -> Option<u64> {
    // The kernel's name for the CPU clock of one thread (linux/posix-timers.h).
    let clock = (!(tid as libc::clockid_t) << 3) | 6;
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes one timespec.
    let failed = unsafe { libc::clock_gettime(clock, &mut t) };
    (failed == 0).then(|| t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64)
}

/// The running thread `tid` is about to be asked to stop.
pub fn asked(tid: u32) {
    if enabled(Tag::Safepoint, Level::Debug)
        && let Some(then) = cpu_time(tid)
    {
        lock(&ASKED).push((tid, then));
    }
}

/// The world stands still.
pub fn arrived(reason: &str) {
    if !enabled(Tag::Safepoint, Level::Debug) {
        return;
    }
    let asked = std::mem::take(&mut *lock(&ASKED));
    let took = asked.iter().filter_map(|(tid, then)| Some((cpu_time(*tid)?.saturating_sub(*then), tid)));
    if let Some((most, tid)) = took.max() {
        let n = asked.len();
        vm_log!(
            Safepoint,
            Debug,
            "Safepoint \"{reason}\": {n} threads ran; most CPU time until the stop: {most} ns, thread {tid}"
        );
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_clock_of_a_thread_runs_with_it() {
        // SAFETY: gettid has no preconditions.
        let me = unsafe { libc::syscall(libc::SYS_gettid) } as u32;
        let before = super::cpu_time(me).expect("a clock");
        let mut x = 1u64;
        while super::cpu_time(me).expect("a clock") < before + 2_000_000 {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
        assert!(super::cpu_time(u32::MAX >> 4).is_none());
    }
}
