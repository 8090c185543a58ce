//! Monitors that agents make for themselves.
//!
//! Invariant: an owner enters as often as it exits; whoever sleeps here is in state `Native` and
//! counts as stopped.
use super::environment::Env;
use super::error;
use crate::env::{Out, Text};
use concord_contract::Thread;
use concord_contract::thread::poll;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

#[derive(Default)]
struct State {
    /// Kernel's number of the owner, 0 for none.
    owner: i64,
    depth: u32,
    /// Notifications: those who wait with a smaller number may go.
    waiting: u64,
    released: u64,
}
pub struct RawMonitor {
    name: String,
    state: Mutex<State>,
    freed: Condvar,
    notified: Condvar,
}

fn me() -> i64 {
    // SAFETY: a system call without arguments.
    i64::from(unsafe { libc::gettid() })
}

impl RawMonitor {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        match self.state.lock() {
            Ok(s) => s,
            Err(_) => concord_base::bug!("the agent's monitor {} was poisoned", self.name),
        }
    }
    /// Becomes the owner. A thread that was suspended meanwhile is suspended here, without the
    /// monitor: debuggers count on it.
    fn acquire<'m>(&'m self, mut s: std::sync::MutexGuard<'m, State>, depth: u32) {
        loop {
            while s.owner != 0 {
                s = self.freed.wait(s).unwrap_or_else(|e| e.into_inner());
            }
            let suspended = Thread::current_opt().filter(|t| t.poll.load(Ordering::Acquire) & poll::SUSPEND != 0);
            let Some(th) = suspended else { break };
            self.freed.notify_one();
            drop(s);
            concord_runtime::threads::suspend_self(th);
            s = self.lock();
        }
        s.owner = me();
        s.depth = depth;
    }
}

pub extern "C" fn create(_e: &Env, name: Text, out: Out<*const RawMonitor>) -> i32 {
    let m = RawMonitor { name: name.lossy(), state: Mutex::default(), freed: Condvar::new(), notified: Condvar::new() };
    out.set(Box::into_raw(Box::new(m)));
    error::NONE
}
/// # Safety
/// `m` came from `create` and is used by nobody any more.
pub unsafe extern "C" fn destroy(_e: &Env, m: *mut RawMonitor) -> i32 {
    // SAFETY: by the caller's promise.
    drop(unsafe { Box::from_raw(m) });
    error::NONE
}
pub extern "C" fn enter(_e: &Env, m: &RawMonitor) -> i32 {
    let mut s = m.lock();
    if s.owner == me() {
        s.depth += 1;
    } else {
        m.acquire(s, 1);
    }
    error::NONE
}
pub extern "C" fn exit(_e: &Env, m: &RawMonitor) -> i32 {
    let mut s = m.lock();
    if s.owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    s.depth -= 1;
    if s.depth == 0 {
        s.owner = 0;
        m.freed.notify_one();
    }
    error::NONE
}
pub extern "C" fn wait(_e: &Env, m: &RawMonitor, millis: i64) -> i32 {
    let mut s = m.lock();
    if s.owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    let depth = s.depth;
    s.waiting += 1;
    let ticket = s.waiting;
    (s.owner, s.depth) = (0, 0);
    m.freed.notify_one();
    let deadline = if millis > 0 { Instant::now().checked_add(Duration::from_millis(millis as u64)) } else { None };
    while s.released < ticket {
        s = match deadline {
            None => m.notified.wait(s).unwrap_or_else(|e| e.into_inner()),
            Some(d) => {
                let left = d.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break;
                }
                m.notified.wait_timeout(s, left).unwrap_or_else(|e| e.into_inner()).0
            }
        };
    }
    m.acquire(s, depth);
    error::NONE
}
pub extern "C" fn notify(_e: &Env, m: &RawMonitor) -> i32 {
    let mut s = m.lock();
    if s.owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    if s.released < s.waiting {
        s.released += 1;
    }
    m.notified.notify_all();
    error::NONE
}
pub extern "C" fn notify_all(_e: &Env, m: &RawMonitor) -> i32 {
    let mut s = m.lock();
    if s.owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    s.released = s.waiting;
    m.notified.notify_all();
    error::NONE
}
