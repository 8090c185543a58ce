//! Environments: what an agent wants to be told, and where it wants to be called.
//!
//! Invariant: an environment is never freed; a disposed one gets no more calls. Which events are
//! wanted at all is the union over all environments and threads, kept in `runtime::events`.
use super::capabilities::{can, give_back};
use super::table::{TABLE, Table};
use super::{error, in_vm, live_thread};
use crate::env::Ref;
use concord_contract::Thread;
use concord_runtime::events::{self, Event};
use concord_runtime::threads;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};

/// Number of callbacks in the specification's record.
pub const CALLBACKS: usize = 37;

/// An environment: `jvmtiEnv*` is its address.
#[repr(C)]
pub struct Env {
    functions: &'static Table,
    pub version: i32,
    pub disposed: AtomicBool,
    pub capabilities: AtomicU64,
    pub callbacks: RwLock<[usize; CALLBACKS]>,
    /// One bit per event, for all threads.
    global: AtomicU64,
    /// The same by the thread's number, for single threads.
    local: Mutex<HashMap<u64, u64>>,
    pub storage: AtomicPtr<()>,
    pub thread_storage: Mutex<HashMap<u64, usize>>,
    pub tags: Mutex<super::heap::Tags>,
    /// Frames whose end is to be told: number of the thread, fp.
    pub frame_pops: Mutex<Vec<(u64, usize)>>,
    pub watches: Mutex<Vec<super::watches::Watch>>,
}

static ALL: RwLock<Vec<&'static Env>> = RwLock::new(Vec::new());
/// Environments that there are.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A new environment of that interface version.
pub fn new_environment(version: i32) -> &'static Env {
    events::set_listener(&super::events::AGENTS);
    let e: &'static Env = Box::leak(Box::new(Env {
        functions: &TABLE,
        version,
        disposed: AtomicBool::new(false),
        capabilities: AtomicU64::new(0),
        callbacks: RwLock::new([0; CALLBACKS]),
        global: AtomicU64::new(0),
        local: Mutex::default(),
        storage: AtomicPtr::default(),
        thread_storage: Mutex::default(),
        tags: Mutex::default(),
        frame_pops: Mutex::default(),
        watches: Mutex::default(),
    }));
    ALL.write().expect("tool environments").push(e);
    COUNT.fetch_add(1, Ordering::Relaxed);
    e
}
/// All environments that are not disposed, oldest first.
pub fn all() -> Vec<&'static Env> {
    let all = ALL.read().expect("tool environments");
    all.iter().copied().filter(|e| !e.disposed.load(Ordering::Acquire)).collect()
}

impl Env {
    pub fn has(&self, capability: u64) -> bool {
        self.capabilities.load(Ordering::Acquire) & capability == capability
    }
    /// The callback of an event that is on for this thread.
    pub fn callback(&self, number: u32, th: Option<&Thread>) -> Option<usize> {
        let bit = events::bit(number);
        let mut on = self.global.load(Ordering::Acquire) & bit != 0;
        if !on && let Some(th) = th {
            on = self.local.lock().expect("events of threads").get(&th.id.get()).is_some_and(|b| b & bit != 0);
        }
        if !on {
            return None;
        }
        let f = self.callbacks.read().expect("callbacks")[(number - 50) as usize];
        (f != 0).then_some(f)
    }
    fn wanted(&self) -> u64 {
        let local = self.local.lock().expect("events of threads").values().fold(0, |a, b| a | b);
        self.global.load(Ordering::Acquire) | local
    }
    /// Forgets what was asked for a thread that has ended.
    pub fn forget_thread(&self, id: u64) {
        self.local.lock().expect("events of threads").remove(&id);
        self.thread_storage.lock().expect("thread storage").remove(&id);
        self.frame_pops.lock().expect("frame pops").retain(|f| f.0 != id);
    }
}

/// Brings the union up to date.
pub fn refresh() {
    let wanted = || all().iter().fold(0, |a, e| a | e.wanted());
    loop {
        let bits = wanted();
        events::set_wanted(bits);
        concord_runtime::allocations::settle(bits);
        super::breakpoints::refresh(bits);
        super::compiled::settle();
        // Another thread may have published more, and been overtaken.
        if wanted() == bits {
            return;
        }
    }
}

/// The event has a bit and a callback.
fn is_event(number: i32) -> bool {
    (50..50 + CALLBACKS as i32).contains(&number) && !matches!(number, 72 | 77..=79 | 85)
}

pub extern "C" fn set_notification(e: &Env, mode: i32, event: i32, thread: Ref) -> i32 {
    if !is_event(event) {
        return error::INVALID_EVENT_TYPE;
    }
    let on = match mode {
        0 => false,
        1 => true,
        _ => return error::ILLEGAL_ARGUMENT,
    };
    if on && !e.has(can::of_event(event)) {
        return error::MUST_POSSESS_CAPABILITY;
    }
    if event == Event::ObjectFree as i32 {
        flush_freed(e);
    }
    let bit = events::bit(event as u32);
    let change = |bits: &mut u64| if on { *bits |= bit } else { *bits &= !bit };
    if thread.is_null() {
        if on {
            e.global.fetch_or(bit, Ordering::SeqCst);
        } else {
            e.global.fetch_and(!bit, Ordering::SeqCst);
        }
        // Before the VM runs there is no thread to be in the VM of.
        match Thread::current_opt() {
            Some(_) => {
                return in_vm(|_| {
                    refresh();
                    Ok(())
                });
            }
            None => refresh(),
        }
        return error::NONE;
    }
    in_vm(|vm| {
        let o = live_thread(vm.th, thread)?;
        let Some(t) = threads::block_of(o) else { return Err(error::THREAD_NOT_ALIVE) };
        change(e.local.lock().expect("events of threads").entry(t.id.get()).or_default());
        refresh();
        Ok(())
    })
}

/// # Safety
/// `callbacks` is null or has `size` bytes.
pub unsafe extern "C" fn set_callbacks(e: &Env, callbacks: *const usize, size: i32) -> i32 {
    if size < 0 {
        return error::ILLEGAL_ARGUMENT;
    }
    let mut mine = [0usize; CALLBACKS];
    if !callbacks.is_null() {
        let n = (size as usize / size_of::<usize>()).min(CALLBACKS);
        // SAFETY: by the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(callbacks, mine.as_mut_ptr(), n) };
    }
    flush_freed(e);
    *e.callbacks.write().expect("callbacks") = mine;
    error::NONE
}
/// Of what has died so far the agent hears as it wanted to until now.
fn flush_freed(e: &Env) {
    if Thread::current_opt().is_some() {
        in_vm(|vm| {
            super::compiled::flush_freed(vm.th, e);
            Ok(())
        });
    }
}

pub extern "C" fn dispose(e: &Env) -> i32 {
    e.disposed.store(true, Ordering::Release);
    give_back(e, u64::MAX);
    match Thread::current_opt() {
        Some(_) => in_vm(|vm| {
            refresh();
            concord_runtime::native::prefixes::set(std::ptr::from_ref(e) as usize, Vec::new());
            super::watches::forget(vm.th, e);
            Ok(())
        }),
        None => {
            refresh();
            error::NONE
        }
    }
}
