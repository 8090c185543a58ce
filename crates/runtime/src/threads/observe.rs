//! What other threads do: for ThreadMXBean, thread dumps and deadlock detection.
//!
//! Invariant: states are read while the world is stopped; what is kept afterwards are handles of
//! the asking thread, methods and numbers.
use super::{info, is_alive};
use crate::handles::{Local, Scope};
use crate::stackwalk::{self, Site};
use crate::{known, sync};
use concord_contract::frame::java_frames;
use concord_contract::{Obj, Thread};
use concord_monitors::{BlockedOn, LockWord};
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// One thread at one moment.
pub struct Snapshot<'s> {
    pub thread: Local<'s>,
    pub status: u32,
    /// What it waits for: a monitor's object, or the blocker of a park; null for nothing.
    pub lock: Local<'s>,
    /// The java.lang.Thread that owns `lock`, or null.
    pub owner: Local<'s>,
    /// The thread cannot go on before `owner` gives `lock` back; it may be notified, too, if it waits.
    pub needs_owner: bool,
    /// Mirror of the class whose initializer, run by another thread, it waits for, or null.
    pub initializes: Local<'s>,
    /// The kernel's id, the thread block's address and its Java stack pointer.
    pub os_tid: u32,
    pub block: usize,
    pub sp: usize,
    /// Uptime of the VM, in milliseconds, when the thread began.
    pub started: u64,
    /// Bytes that it has allocated, classes that it has defined.
    pub allocated: u64,
    pub defined_classes: u64,
    pub blocked_count: u64,
    pub waited_count: u64,
    pub blocked_time: Duration,
    pub waited_time: Duration,
    pub stack: Vec<Site>,
    /// Objects locked by frames, with the frame's depth from the top, and by native code, with -1.
    pub monitors: Vec<(Local<'s>, i32)>,
    /// Locks of java.util.concurrent that the thread owns, if they were asked for.
    pub synchronizers: Vec<Local<'s>>,
}

impl Snapshot<'_> {
    /// Monitors that the thread owns. While it waits for one, or to enter one, a frame that locked that one has
    /// it no longer, or not yet.
    pub fn owned_monitors(&self) -> impl Iterator<Item = (Obj, i32)> {
        let mut last = None;
        let mut others = false;
        self.monitors.iter().filter_map(move |(o, depth)| {
            if last.replace(*depth) != Some(*depth) {
                others = false;
            }
            others |= self.lock.get().is_null() || o.get() != self.lock.get();
            others.then_some((o.get(), *depth))
        })
    }
}

/// The monitors that threads own, with the numbers of the owners' blocks.
fn owners() -> Vec<(u64, Obj)> {
    let mut all = Vec::new();
    // SAFETY: the world is stopped; an attached record names a live object.
    unsafe {
        sync::table().at_stop().for_each_attached(|m| {
            all.extend(m.owner().map(|owner| (owner, Obj::from_addr(m.object() as usize))));
        });
    }
    all
}

/// What a thread waits for. If it is a monitor: the number of its owner's block, if it has one, and whether the
/// thread waits to enter.
fn waits_for(t: &Thread) -> (Obj, Option<(Option<u64>, bool)>) {
    if let Some(o) = info(t).contended.wanted() {
        let word = LockWord(o.lock_word().load(Ordering::Relaxed));
        // SAFETY: the world is stopped.
        let owner = unsafe { sync::table().at_stop() }.monitor_of(word).and_then(|m| m.owner());
        return (o, Some((owner, true)));
    }
    let state = t.monitor.load(Ordering::Acquire) as *const concord_monitors::MonitorThread;
    if !state.is_null() {
        // SAFETY: the world is stopped, so no thread runs in the monitors room or detaches.
        let (stop, state) = unsafe { (sync::table().at_stop(), &*state) };
        if let Some((what, record)) = stop.blocked_on(state) {
            let (addr, enters) = match what {
                BlockedOn::Entering(a) => (a, true),
                BlockedOn::Waiting(a) => (a, false),
            };
            // SAFETY: an attached record names a live object.
            return (unsafe { Obj::from_addr(addr as usize) }, Some((record.owner(), enters)));
        }
    }
    let java = t.java_thread.get();
    (java.get_ref(known::offsets().thread_park_blocker), None)
}

/// The owner of a lock from java.util.concurrent, or null.
fn synchronizer_owner(lock: Obj) -> Obj {
    let k = known::classes();
    if !lock.is_null() && lock.is_instance_of(k.ownable_synchronizer) {
        lock.get_ref(known::offsets().owner_thread)
    } else {
        Obj::NULL
    }
}

/// Looks at those live threads that `wanted` picks, with stacks of up to `depth` frames.
pub fn snapshots<'s>(scope: &'s Scope<'_>, wanted: impl Fn(Obj) -> bool, depth: usize) -> Vec<Snapshot<'s>> {
    snapshots_with(scope, wanted, depth, false)
}

/// The owned locks of java.util.concurrent, with their owners.
fn owned_synchronizers(stopped: &concord_safepoint::Stopped) -> Vec<(Obj, Obj)> {
    let mut found = Vec::new();
    concord_heap::for_each_object(stopped, |o| {
        let owner = synchronizer_owner(o);
        if !owner.is_null() {
            found.push((owner, o));
        }
    });
    found
}

/// As [`snapshots`]; with `synchronizers`, the whole heap is searched for owned locks.
pub fn snapshots_with<'s>(
    scope: &'s Scope<'_>,
    wanted: impl Fn(Obj) -> bool,
    depth: usize,
    synchronizers: bool,
) -> Vec<Snapshot<'s>> {
    let (mut out, mut kept) = (Vec::new(), HashSet::new());
    super::await_started();
    concord_safepoint::stop_the_world("ThreadDump", |stopped| {
        let all: Vec<&Thread> = stopped.threads().collect();
        let owned = if synchronizers { owned_synchronizers(stopped) } else { Vec::new() };
        let locked = if depth > 0 { owners() } else { Vec::new() };
        for t in &all {
            let java = t.java_thread.get();
            if java.is_null() || !is_alive(java) || !wanted(java) {
                continue;
            }
            let (lock, monitor) = waits_for(t);
            // SAFETY: null, or a class that an initializer on some stack keeps; the world is stopped.
            let class = unsafe { info(t).initializes.load(Ordering::Acquire).as_ref() };
            let initializes = class.map_or(Obj::NULL, |c| c.mirror.get());
            let block = |id: u64| all.iter().find(|o| o.id.get() == id).map_or(Obj::NULL, |o| o.java_thread.get());
            let (owner, needs_owner) = match monitor {
                // A monitor may be handed over to a thread that still sleeps.
                Some((id, enters)) => (id.map_or(Obj::NULL, block), enters && id != Some(t.id.get())),
                None => (synchronizer_owner(lock), true),
            };
            // SAFETY: the thread is stopped, or the caller itself.
            let locks = unsafe { &*t.lock_stack.get() };
            let frames: Vec<*mut u64> = java_frames(t).map(|(_, f)| f.fp).collect();
            // What this thread gets to know of another one's objects is not that one's alone.
            concord_heap::publish_at_stop(stopped, lock);
            locks.iter().for_each(|(o, _)| concord_heap::publish_at_stop(stopped, *o));
            let interpreted = locks
                .iter()
                .rev()
                .map(|(o, fp)| (scope.handle(*o), frames.iter().position(|f| f == fp).map_or(-1, |i| i as i32)));
            let mut monitors: Vec<_> = interpreted.collect();
            monitors.extend(info(t).contended.owned(frames.len()).map(|(o, depth)| (scope.handle(o), depth)));
            for (depth, (_, f)) in java_frames(t).enumerate().filter(|(_, (_, f))| f.is_compiled()) {
                let slots: Vec<*mut u64> = f.monitors().collect();
                for p in slots.into_iter().rev() {
                    // SAFETY: the slot holds the locked object; the thread is stopped.
                    let o = unsafe { Obj::from_addr(*p as usize) };
                    concord_heap::publish_at_stop(stopped, o);
                    monitors.push((scope.handle(o), depth as i32));
                }
            }
            for (_, o) in locked.iter().filter(|(owner, _)| *owner == t.id.get()) {
                // A lock that no frame names is native code's.
                if monitors.iter().all(|(known, _)| known.get() != *o) {
                    concord_heap::publish_at_stop(stopped, *o);
                    monitors.push((scope.handle(*o), -1));
                }
            }
            monitors.sort_by_key(|(_, depth)| if *depth < 0 { i32::MAX } else { *depth });
            // Hidden frames as well: depths of monitors count them.
            let stack: Vec<Site> = stackwalk::sites(t).take(depth).collect();
            monitors.retain(|(_, at)| *at < 0 || (*at as usize) < depth);
            stackwalk::keep_classes(scope, &mut kept, &stack);
            out.push(Snapshot {
                thread: scope.handle(java),
                status: java.get_u32(known::offsets().thread_status),
                lock: scope.handle(lock),
                owner: scope.handle(owner),
                needs_owner,
                initializes: scope.handle(initializes),
                os_tid: t.os_tid.get(),
                block: std::ptr::from_ref::<Thread>(t) as usize,
                sp: t.sp.get() as usize,
                started: info(t).started.load(Ordering::Relaxed),
                allocated: concord_heap::allocated_by(t),
                defined_classes: info(t).defined_classes.load(Ordering::Relaxed),
                blocked_count: info(t).blocked_count.load(Ordering::Relaxed),
                waited_count: info(t).waited_count.load(Ordering::Relaxed),
                blocked_time: info(t).times.blocked(),
                waited_time: info(t).times.waited(),
                stack,
                monitors,
                synchronizers: owned
                    .iter()
                    .filter(|(owner, _)| *owner == java)
                    .map(|(_, o)| {
                        concord_heap::publish_at_stop(stopped, *o);
                        scope.handle(*o)
                    })
                    .collect(),
            });
        }
    });
    out
}

/// The threads that wait for each other in a circle, or that wait for such; with `synchronizers`,
/// locks of java.util.concurrent count as well.
pub fn deadlocked<'s>(scope: &'s Scope<'_>, synchronizers: bool) -> Vec<Local<'s>> {
    let all = snapshots(scope, |_| true, 0);
    let waits = |s: &Snapshot<'_>| {
        let on_monitor = s.status == super::status::BLOCKED;
        s.needs_owner && (on_monitor || synchronizers) && !s.owner.get().is_null()
    };
    let next = |i: usize| -> Option<usize> {
        let s = &all[i];
        if !waits(s) {
            return None;
        }
        all.iter().position(|o| o.thread.get() == s.owner.get())
    };
    let in_cycle = |start: usize| {
        let mut at = start;
        for _ in 0..all.len() {
            match next(at) {
                Some(n) if n == start => return true,
                Some(n) => at = n,
                None => return false,
            }
        }
        false
    };
    (0..all.len()).filter(|i| in_cycle(*i)).map(|i| all[i].thread).collect()
}

/// Processor time of a thread in nanoseconds: all of it, or what it spent in user mode.
pub fn cpu_time(os_tid: u32, user_only: bool) -> Option<i64> {
    if !user_only {
        // The kernel's own encoding of a thread's clock: inverted id, thread flag, scheduler clock.
        let clock = (!(os_tid as i32) << 3) | 6;
        // SAFETY: the kernel fills the structure or says no.
        let t = unsafe {
            let mut t: libc::timespec = std::mem::zeroed();
            (libc::clock_gettime(clock, &mut t) == 0).then_some(t)
        }?;
        return Some(t.tv_sec * 1_000_000_000 + t.tv_nsec);
    }
    let text = std::fs::read_to_string(format!("/proc/self/task/{os_tid}/stat")).ok()?;
    // Behind the name in parentheses: state is field 3, user time in ticks is field 14.
    let ticks: i64 = text.rsplit_once(") ")?.1.split(' ').nth(11)?.parse().ok()?;
    // SAFETY: a query without arguments in memory.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    Some(ticks * (1_000_000_000 / per_second.max(1)))
}

/// The kernel's id of the live thread with a Thread.getId(); 0 means the caller.
pub fn os_tid_of(th: &Thread, id: i64) -> Option<u32> {
    if id == 0 {
        return Some(th.os_tid.get());
    }
    let mut found = None;
    super::all_threads(|t, java| {
        if java.get_i64(known::offsets().thread_tid) == id {
            found = Some(t.os_tid.get());
        }
    });
    found
}

/// Bytes allocated by the live thread with a Thread.getId(); 0 means the caller.
pub fn allocated_by(th: &Thread, id: i64) -> Option<u64> {
    if id == 0 {
        return Some(concord_heap::allocated_by(th));
    }
    let mut found = None;
    super::all_threads(|t, java| {
        if java.get_i64(known::offsets().thread_tid) == id {
            found = Some(concord_heap::allocated_by(t));
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::cpu_time;
    #[test]
    fn a_busy_thread_uses_processor_time() {
        // SAFETY: a system call without arguments.
        let tid = unsafe { libc::gettid() } as u32;
        let before = cpu_time(tid, false).expect("own clock");
        let mut x = 1u64;
        for i in 0..2_000_000u64 {
            x = std::hint::black_box(x.wrapping_mul(i | 1));
        }
        let after = cpu_time(tid, false).expect("own clock");
        assert!(after > before, "{x}");
        assert!(cpu_time(tid, true).expect("own stat") >= 0);
    }
}
