//! What `-Xlog:gc*` tells beside the one line of a pause: its start, heap, CPU time; the heap at exit.
//!
//! Invariant: nothing here is measured unless its tag set is on.
use crate::binding::heap;
use crate::collection::Cause;
use crate::gc_log::{used_memory, used_pages};
use crate::options::HeapOptions;
use concord_base::log::{Level, Tag, enabled};
use concord_base::vm_log;
use std::time::Duration;

/// CPU time of the whole process, in user and in system mode.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime {
    user: Duration,
    system: Duration,
}

impl CpuTime {
    /// Now, if `gc+cpu` is on.
    pub fn now() -> Option<CpuTime> {
        if !enabled(Tag::GcCpu, Level::Info) {
            return None;
        }
        // SAFETY: rusage is plain numbers, for which zero is a value; getrusage writes it whole.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            if libc::getrusage(libc::RUSAGE_SELF, &mut usage) != 0 {
                return None;
            }
            usage
        };
        let time = |t: libc::timeval| Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64);
        Some(CpuTime { user: time(usage.ru_utime), system: time(usage.ru_stime) })
    }
    /// What has been used since then.
    pub fn since(self) -> Option<CpuTime> {
        let now = CpuTime::now()?;
        Some(CpuTime { user: now.user.saturating_sub(self.user), system: now.system.saturating_sub(self.system) })
    }
}

/// Says at start what machine and heap the collector has.
pub fn announce(o: &HeapOptions) {
    if !enabled(Tag::GcInit, Level::Info) {
        return;
    }
    let cpus = concord_base::options::processors();
    // SAFETY: sysconf has no preconditions.
    let (all, pages, page) = unsafe {
        (
            libc::sysconf(libc::_SC_NPROCESSORS_CONF),
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    vm_log!(GcInit, Info, "CPUs: {all} total, {cpus} available");
    vm_log!(GcInit, Info, "Memory: {}M", (pages as u64 * page as u64) >> 20);
    vm_log!(GcInit, Info, "Compressed Oops: Enabled (32-bit)");
    vm_log!(GcInit, Info, "Heap Initial Capacity: {}M", o.min >> 20);
    vm_log!(GcInit, Info, "Heap Max Capacity: {}M", o.max >> 20);
    vm_log!(GcInit, Info, "Nursery: {}K", o.nursery_bytes() >> 10);
    vm_log!(GcInit, Info, "Parallel Workers: {}", o.worker_count());
}

/// A collection begins.
pub fn begin(number: u64, full: bool, cause: Cause) {
    vm_log!(GcStart, Info, "GC({number}) Pause {} ({})", kind(full), cause.name());
}

/// A collection has ended: bytes in use and bytes committed, before and after.
pub fn heap_line(number: u64, before: (usize, usize), after: (usize, usize)) {
    let k = |bytes: usize| bytes >> 10;
    vm_log!(GcHeap, Info, "GC({number}) Heap: {}K({}K)->{}K({}K)", k(before.0), k(before.1), k(after.0), k(after.1));
}

/// CPU time of the process during a pause of `real`.
pub fn cpu_line(number: u64, cpu: Option<CpuTime>, real: Duration) {
    if let Some(cpu) = cpu {
        vm_log!(
            GcCpu,
            Info,
            "GC({number}) User={:.2}s Sys={:.2}s Real={:.2}s",
            cpu.user.as_secs_f64(),
            cpu.system.as_secs_f64(),
            real.as_secs_f64()
        );
    }
}

/// The word of HotSpot's messages for the kind of a collection.
pub fn kind(full: bool) -> &'static str {
    if full { "Full" } else { "Young" }
}

/// The VM exits: how the heap is left.
pub fn exit() {
    if !enabled(Tag::GcHeapExit, Level::Info) {
        return;
    }
    let o = &heap().options;
    vm_log!(GcHeapExit, Info, "Heap");
    vm_log!(
        GcHeapExit,
        Info,
        " {:?}  total {}K, used {}K, in pages {}K, max {}K",
        o.plan,
        crate::gc_log::total_memory() >> 10,
        used_memory() >> 10,
        used_pages() >> 10,
        o.max >> 10
    );
}
