//! Environments: what an agent may do, what it wants to be told, where it wants to be called.
//!
//! Invariant: an environment is never freed; a disposed one gets no more calls. Which events are
//! wanted at all is the union over all environments and threads, kept in `runtime::events`.
use super::{Answer, TABLE, Table, code, error, in_vm, live_thread};
use crate::env::{Out, Ref};
use concord_contract::Thread;
use concord_runtime::events;
use concord_runtime::threads;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};

/// Bits of capabilities, by the specification's order.
pub mod can {
    pub const FIELD_MODIFICATION: u64 = 1 << 1;
    pub const FIELD_ACCESS: u64 = 1 << 2;
    pub const POP_FRAME: u64 = 1 << 8;
    pub const FORCE_EARLY_RETURN: u64 = 1 << 33;
    pub const GENERATE_BREAKPOINTS: u64 = 1 << 19;
    pub const SINGLE_STEP: u64 = 1 << 16;
    pub const FRAME_POP: u64 = 1 << 18;
    pub const METHOD_ENTRY: u64 = 1 << 24;
    pub const METHOD_EXIT: u64 = 1 << 25;
    pub const NATIVE_METHOD_PREFIX: u64 = 1 << 36;
    pub const RETRANSFORM: u64 = 1 << 37;
    pub const SAMPLED_ALLOCATIONS: u64 = 1 << 43;
    /// What an environment must have before the event can be asked for.
    pub fn of_event(number: i32) -> u64 {
        match number {
            58 | 59 => 1 << 17,
            60 => SINGLE_STEP,
            61 => FRAME_POP,
            62 => GENERATE_BREAKPOINTS,
            63 => FIELD_ACCESS,
            64 => FIELD_MODIFICATION,
            65 => METHOD_ENTRY,
            66 => METHOD_EXIT,
            67 => 1 << 30,
            68 | 69 => 1 << 27,
            73..=76 => 1 << 28,
            81 | 82 => 1 << 31,
            83 => 1 << 32,
            84 => 1 << 29,
            86 => SAMPLED_ALLOCATIONS,
            _ => 0,
        }
    }
    /// What needs code that reports its instructions.
    pub const WATCHES: u64 = GENERATE_BREAKPOINTS
        | SINGLE_STEP
        | FRAME_POP
        | METHOD_ENTRY
        | METHOD_EXIT
        | FIELD_MODIFICATION
        | FIELD_ACCESS
        | POP_FRAME
        | FORCE_EARLY_RETURN;
    /// All that this VM offers.
    pub const ALL: u64 = {
        let offered = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29,
            31, 32, 33, 34, 35, 36, 37, 38, 43,
        ];
        let (mut all, mut i) = (0u64, 0);
        while i < offered.len() {
            all |= 1 << offered[i];
            i += 1;
        }
        all
    };
}

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
    *e.callbacks.write().expect("callbacks") = mine;
    error::NONE
}

/// jvmtiCapabilities: 128 bits, of which 44 are in use.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Capabilities([u64; 2]);

fn potential() -> u64 {
    // Code translated before an agent asked reports nothing, and has no other form to go back to.
    if concord_interpreter::debug::is_possible() { can::ALL } else { can::ALL & !can::WATCHES }
}

pub extern "C" fn potential_capabilities(_e: &Env, out: Out<Capabilities>) -> i32 {
    out.set(Capabilities([potential(), 0]));
    error::NONE
}
pub extern "C" fn capabilities(e: &Env, out: Out<Capabilities>) -> i32 {
    out.set(Capabilities([e.capabilities.load(Ordering::Acquire), 0]));
    error::NONE
}
pub extern "C" fn add_capabilities(e: &Env, wanted: *const Capabilities) -> i32 {
    let add = || -> Answer {
        if wanted.is_null() {
            return Err(error::NULL_POINTER);
        }
        // SAFETY: the specification: a record of capabilities.
        let Capabilities([bits, more]) = unsafe { *wanted };
        if bits & !potential() != 0 || more != 0 {
            return Err(error::NOT_AVAILABLE);
        }
        e.capabilities.fetch_or(bits, Ordering::AcqRel);
        if bits & can::WATCHES != 0 {
            concord_interpreter::debug::enable();
        }
        Ok(())
    };
    code(add())
}
pub extern "C" fn relinquish(e: &Env, unwanted: *const Capabilities) -> i32 {
    if unwanted.is_null() {
        return error::NULL_POINTER;
    }
    // SAFETY: the specification: a record of capabilities.
    e.capabilities.fetch_and(!unsafe { *unwanted }.0[0], Ordering::AcqRel);
    error::NONE
}

pub extern "C" fn dispose(e: &Env) -> i32 {
    e.disposed.store(true, Ordering::Release);
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
