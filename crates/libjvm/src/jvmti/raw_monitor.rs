//! Monitors that agents make for themselves.
//!
//! Invariant: an owner enters as often as it exits; whoever sleeps here is in state `Native` and
//! counts as stopped. Each notification goes to one who waits, the first, and to none who has given up.
use super::environment::Env;
use super::{error, in_vm};
use crate::env::{Out, Text};
use concord_contract::Thread;
use concord_contract::thread::poll;
use concord_runtime::threads;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

#[derive(Default)]
struct State {
    /// Kernel's number of the owner, 0 for none.
    owner: i64,
    depth: u32,
    /// Those who wait and are not notified, by kernel's number, the first in front.
    waiting: VecDeque<i64>,
    /// Those of them who are interrupted, and perhaps some who do not wait any more.
    interrupted: Vec<i64>,
}
#[repr(C)]
pub struct RawMonitor {
    /// [`MAGIC`] until it is destroyed. At the beginning: what is no monitor is found out by it.
    magic: AtomicU64,
    name: String,
    state: Mutex<State>,
    freed: Condvar,
    notified: Condvar,
}

const MAGIC: u64 = u64::from_le_bytes(*b"RAWMONIT");

/// Whether an agent's pointer is that of a monitor.
pub fn is_monitor(address: usize) -> bool {
    // SAFETY: the agent passes what it takes for a monitor, so there is memory for the first word of one.
    address != 0 && address & 7 == 0 && unsafe { &*(address as *const AtomicU64) }.load(Ordering::Acquire) == MAGIC
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
            threads::suspend_self(th);
            s = self.lock();
        }
        s.owner = me();
        s.depth = depth;
    }
}

pub extern "C" fn create(_e: &Env, name: Text, out: Out<*const RawMonitor>) -> i32 {
    let m = RawMonitor {
        magic: AtomicU64::new(MAGIC),
        name: name.lossy(),
        state: Mutex::default(),
        freed: Condvar::new(),
        notified: Condvar::new(),
    };
    out.set(Box::into_raw(Box::new(m)));
    error::NONE
}
/// The calling thread may own it, and gives it up.
///
/// # Safety
/// `m` came from `create` and is used by nobody any more, unless another thread owns it.
pub unsafe extern "C" fn destroy(_e: &Env, m: *mut RawMonitor) -> i32 {
    // SAFETY: by the caller's promise.
    let owner = unsafe { &*m }.lock().owner;
    if owner != 0 && owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    // SAFETY: as above.
    let m = unsafe { Box::from_raw(m) };
    m.magic.store(0, Ordering::Release);
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
pub extern "C" fn wait(_e: &Env, m: &'static RawMonitor, millis: i64) -> i32 {
    if m.lock().owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    let th = Thread::current_opt();
    if let Some(th) = th {
        let tid = me();
        threads::info(th).on_interrupt(Some(Box::new(move || {
            m.lock().interrupted.push(tid);
            m.notified.notify_all();
        })));
    }
    // Who is interrupted behind this finds the function.
    let mut answer = interrupted(th);
    if answer == error::NONE {
        sleep(m, millis);
    }
    if let Some(th) = th {
        threads::info(th).on_interrupt(None);
    }
    m.lock().interrupted.retain(|t| *t != me());
    if answer == error::NONE {
        answer = interrupted(th);
    }
    answer
}

/// Takes the thread's interrupt, if there is one.
fn interrupted(th: Option<&Thread>) -> i32 {
    if th.is_none() {
        return error::NONE;
    }
    in_vm(|vm| {
        if !threads::is_interrupted(vm.th) {
            return Ok(());
        }
        threads::clear_interrupted(vm.th);
        Err(error::INTERRUPT)
    })
}

/// Gives the monitor up until there is a notification or an interrupt for the calling thread or the time, if not 0, is over.
fn sleep(m: &RawMonitor, millis: i64) {
    let me = me();
    let mut s = m.lock();
    let depth = s.depth;
    s.waiting.push_back(me);
    (s.owner, s.depth) = (0, 0);
    m.freed.notify_one();
    let deadline = if millis > 0 { Instant::now().checked_add(Duration::from_millis(millis as u64)) } else { None };
    while s.waiting.contains(&me) && !s.interrupted.contains(&me) {
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
    s.waiting.retain(|t| *t != me);
    m.acquire(s, depth);
}
pub extern "C" fn notify(_e: &Env, m: &RawMonitor) -> i32 {
    let mut s = m.lock();
    if s.owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    s.waiting.pop_front();
    m.notified.notify_all();
    error::NONE
}
pub extern "C" fn notify_all(_e: &Env, m: &RawMonitor) -> i32 {
    let mut s = m.lock();
    if s.owner != me() {
        return error::NOT_MONITOR_OWNER;
    }
    s.waiting.clear();
    m.notified.notify_all();
    error::NONE
}
