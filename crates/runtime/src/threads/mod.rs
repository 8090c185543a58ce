//! Java threads: their life, sleeping, parking, interruption, and who is alive.
//!
//! Invariant: `Thread.eetop` of a java.lang.Thread is the address of its thread block from just
//! before the native thread starts until just before it ends, and 0 otherwise; blocks and their
//! parkers are recycled but never freed, so a stale `eetop` leads at worst to a spurious wake-up.
//!
//! | state | eetop | threadStatus | left by |
//! |---|---|---|---|
//! | new | 0 | NEW | `start::start` |
//! | alive | block | RUNNABLE, or what it waits for | `lifecycle::exit` |
//! | dead | 0 | TERMINATED | - |
//!
//! | module | what |
//! |---|---|
//! | `block` | thread blocks: stacks, handles, recycling |
//! | `start` | Thread.start |
//! | `lifecycle` | attaching, the end of a thread, waiting for non-daemons |
//! | `park` | park, sleep, interrupt, suspension |
//! | `contended` | the monitor of which a thread tells tools |
//! | `contention` | how long threads wait, and how often |
//! | `counts` | how many threads live, lived, and lived at once |
//! | `list` | who is alive; stop and priority of other threads |
//! | `native_stack` | how much of a native stack is left; threads that end without detaching |
//! | `observe` | what threads wait for; deadlocks; processor time |
//! | `print` | thread dumps as text |
//! | `signal` | the VM's own Java threads: Signal Dispatcher |
//! | `specific` | the block as the C library's thread-specific data, for profilers |
mod block;
pub(crate) mod contended;
pub mod contention;
mod counts;
mod lifecycle;
mod list;
mod native_stack;
pub mod observe;
mod park;
pub mod print;
mod signal;
mod specific;
mod start;

pub use block::{default_stack_size, set_default_stack_size, set_jni_table};
pub use counts::{Counts, counts, reset_peak};
pub use lifecycle::{
    AttachArgs, announce, attach_current, attach_hidden, attach_main, attach_system, bind_java_thread, detach_current,
    non_daemons, set_groups, system_group, wait_for_non_daemons,
};
pub use list::{all_thread_objects, all_threads, block_of, current, dump, set_native_name, set_priority, stop};
pub use native_stack::room_to_recurse;
pub use park::{
    async_pending, clear_interrupted, deliver_async, interrupt, is_interrupted, note_unsafe_fault, park, resume, sleep,
    suspend, suspend_self, unpark,
};
pub use signal::start_vm_threads;
pub use start::{await_started, start, start_with_closure};

use crate::known;
use concord_contract::{Class, Obj, Thread};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

/// Values of `Thread.threadStatus`: JVMTI's thread states, as `jdk.internal.misc.VM` reads them.
pub mod status {
    pub const NEW: u32 = 0;
    pub const RUNNABLE: u32 = 5;
    pub const SLEEPING: u32 = 225;
    pub const WAITING: u32 = 401;
    pub const TIMED_WAITING: u32 = 417;
    pub const PARKED: u32 = 657;
    pub const TIMED_PARKED: u32 = 673;
    pub const BLOCKED: u32 = 1025;
    pub const TERMINATED: u32 = 2;
}

/// What an interrupt does besides waking the thread where the runtime has it wait.
pub type OnInterrupt = Box<dyn Fn() + Send>;

impl ThreadInfo {
    /// Calls `f` at each interrupt of the thread, or no function any more; when this returns, none is running.
    pub fn on_interrupt(&self, f: Option<OnInterrupt>) {
        *self.on_interrupt.lock().expect("what an interrupt does") = f;
    }
    fn tell_interrupt(&self) {
        if let Some(f) = &*self.on_interrupt.lock().expect("what an interrupt does") {
            f();
        }
    }
}

/// The runtime's own part of a thread block; recycled with it.
#[derive(Default)]
pub struct ThreadInfo {
    pub(crate) parker: park::Parker,
    /// What Thread.sleep waits on.
    pub(crate) sleeper: park::Parker,
    /// What a suspended thread waits on.
    pub(crate) resumer: park::Parker,
    /// Wakes the thread where it waits for what the runtime does not know: an agent's monitor.
    on_interrupt: std::sync::Mutex<Option<OnInterrupt>>,
    /// How often the thread has waited to enter a monitor.
    pub(crate) blocked_count: AtomicU64,
    /// How often it has waited, slept or parked.
    pub(crate) waited_count: AtomicU64,
    pub(crate) times: contention::Times,
    pub(crate) contended: contended::Contended,
    /// Counted among the threads that keep the VM alive.
    pub(crate) non_daemon: AtomicBool,
    pub(crate) daemon: AtomicBool,
    /// Attached through JNI rather than started by Thread.start.
    pub(crate) attached: AtomicBool,
    /// One of the VM's own that programs and tools do not see.
    pub(crate) hidden: AtomicBool,
    /// When the thread entered the VM, in milliseconds of the VM's uptime.
    pub(crate) started: AtomicU64,
    /// Definitions of classes that it is in the middle of, one for another.
    pub(crate) defining: AtomicU64,
    /// Classes that it has defined.
    pub(crate) defined_classes: AtomicU64,
    /// An access to memory that is no longer there was left out: InternalError is due.
    pub(crate) unsafe_fault: AtomicBool,
    /// The class whose initializer, run by another thread, the thread waits for; its mirror lives as long.
    pub(crate) initializes: AtomicPtr<Class>,
    /// The thread is between two instructions of an interpreter frame, or tells of one that has not begun.
    pub forcible: AtomicBool,
    /// Objects that the thread has made and that agents are to be told of.
    pub(crate) allocations: crate::allocations::Made,
    /// Where signal handlers of the thread run.
    pub(crate) signal_stack: std::sync::Mutex<Option<crate::native::signals::AlternateStack>>,
}

/// The runtime's part of `th`.
#[inline]
pub fn info(th: &Thread) -> &ThreadInfo {
    let p = th.info.load(Ordering::Acquire) as *const ThreadInfo;
    debug_assert!(!p.is_null(), "a thread block without its runtime part");
    // SAFETY: set when the block is made, never freed.
    unsafe { &*p }
}

/// Sets `Thread.threadStatus` of the current thread, or of one that waits for it, and returns the old value; does nothing while
/// the thread has no java.lang.Thread.
pub fn swap_status(th: &Thread, new: u32) -> u32 {
    let t = th.java_thread.get();
    if t.is_null() {
        return status::RUNNABLE;
    }
    let at = known::offsets().thread_status;
    let old = t.get_u32(at);
    t.put_u32(at, new);
    old
}

/// Whether programs and tools are to see the thread.
pub fn is_visible(th: &Thread) -> bool {
    !info(th).hidden.load(Ordering::Relaxed)
}

/// `Thread.isAlive`: whether the object's thread has begun and not ended.
pub fn is_alive(thread: Obj) -> bool {
    thread.get_u64(known::offsets().thread_eetop) != 0
}
