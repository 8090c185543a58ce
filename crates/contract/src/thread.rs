//! The thread block: all that engines reach through the thread register.
//!
//! Invariant: a block is written only by its own thread, except `poll`, `limit_attention` and the
//! fields that say so; others read it only when the thread is stopped (in native, blocked, or at a
//! safepoint). Its first word is the JNI function table, so `JNIEnv*` is the block's address.
use crate::object::Obj;
use crate::{JResult, Thrown};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicI16, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Entries of the hashed heat table.
pub const HEAT: usize = 2048;
/// Start value of a heat counter, and so the amount that an underflow stands for. Set before the
/// first thread exists.
pub static HEAT_PERIOD: AtomicI16 = AtomicI16::new(0x7fff);
/// Bytes kept in the block for the collector's per-thread state (`mmtk::Mutator`).
pub const MUTATOR_BYTES: usize = 4096;
/// JNI local handles per thread: address space, touched as used.
pub const HANDLE_SLOTS: usize = 1 << 22;

/// Callee-saved registers of the larger of the two supported architectures.
pub const SAVED_REGISTERS: usize = 12;

/// What a thread is doing, as the safepoint protocol sees it. In `Native` and `Blocked` the thread
/// counts as stopped and must not touch the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ThreadState {
    /// Not yet attached, or already detached.
    New = 0,
    /// Runs bytecode or VM code: moves only at polls.
    InVm = 1,
    /// Runs foreign native code.
    Native = 2,
    /// Sleeps inside the VM (monitor, park, I/O of the VM).
    Blocked = 3,
}

/// Bits of [`Thread::poll`].
pub mod poll {
    /// Stop for a safepoint.
    pub const SAFEPOINT: u32 = 1;
    /// An asynchronous exception waits in `async_exception`.
    pub const ASYNC_EXCEPTION: u32 = 2;
    /// Thread.suspend.
    pub const SUSPEND: u32 = 4;
    /// A handshake operation waits.
    pub const HANDSHAKE: u32 = 8;
    /// A tool wants the innermost frame popped, or left early (row `forced`).
    pub const FORCED: u32 = 16;
}

/// Storage for state that a higher room keeps in the block; placed by that room.
#[repr(C, align(64))]
pub struct MutatorStorage(pub UnsafeCell<[u8; MUTATOR_BYTES]>);

#[repr(C)]
pub struct Thread {
    /// JNI function table.
    pub jni: Cell<*const ()>,
    /// Anchors of the innermost Java frame, valid whenever the thread is in the runtime.
    pub pc: Cell<*const u32>,
    pub sp: Cell<*mut u64>,
    pub lp: Cell<*mut u64>,
    pub fp: Cell<*mut u64>,
    /// Why the thread should enter the runtime at its next poll; written by anybody.
    pub poll: AtomicU32,
    pub state: AtomicU32,
    /// Frames end below this address of the Java stack. Lowered to 0 to make entries poll.
    pub limit: AtomicUsize,
    /// The real end, without attention.
    pub stack_limit: Cell<usize>,
    /// Raw result of the last call that left the interpreter, and of `Preserve` rows.
    pub result: Cell<u64>,
    /// Compiled code compares its rsp with this after calls: not below it means that an exception
    /// is pending (0), or that the frame's own code is invalid (the innermost such frame's rsp).
    /// `usize::MAX` otherwise. Written by others only while the thread is stopped.
    pub watermark: AtomicUsize,
    /// What `watermark` is while no exception is pending.
    pub invalid_mark: AtomicUsize,
    /// rsp at the call by which compiled code entered the VM, its return address below it; 0 if the
    /// innermost Java frame is on the Java stack.
    pub anchor_sp: Cell<usize>,
    /// Interpreter frames stand for compiled ones that are about to return to their adapter: the
    /// interpreter goes on from the anchors.
    pub rebuilt: Cell<bool>,
    /// The objects locked by the interpreter frame that compiled code is about to replace.
    pub osr_monitors: Cell<*const u64>,
    /// The pending exception, or null. A root.
    pub exception: Cell<Obj>,
    /// The java.lang.Thread object, or null before it is made. A root.
    pub java_thread: Cell<Obj>,
    /// An exception sent by Thread.stop. A root; written by others under the threads lock.
    pub async_exception: AtomicU64,
    pub heat: UnsafeCell<[i16; HEAT]>,
    /// Leads to the thread's stripe of profile counters: they are at this plus twice the address of
    /// an instruction's word. 0 if there are none.
    pub profile_bias: Cell<usize>,
    /// Where that stripe begins; compiled code knows the distances of its cells from there.
    pub stripe: Cell<usize>,
    /// Base of the Java stack's mapping and its size in bytes.
    pub stack_base: Cell<*mut u64>,
    pub stack_bytes: Cell<usize>,
    /// Native stack: highest address, lowest usable address.
    pub native_base: Cell<usize>,
    pub native_limit: Cell<usize>,
    /// What entries of compiled methods compare rsp with: `native_limit`, or the largest number while
    /// the poll word is set.
    pub native_guard: AtomicUsize,
    /// Stack pointer at the last transition out of `InVm`: the collector scans from here to base.
    pub native_sp: Cell<usize>,
    /// Callee-saved registers at that transition, scanned conservatively with the stack.
    pub saved_registers: UnsafeCell<[usize; SAVED_REGISTERS]>,
    /// JNI local handles: base of the reserved slots, first free slot, head of the free list of
    /// the innermost frame (index + 1, 0 = empty), number of local frames pushed.
    pub handles: Cell<*mut u64>,
    pub handle_top: Cell<usize>,
    pub handle_free: Cell<usize>,
    /// Objects locked by interpreter frames, with the frame's `fp`; innermost last (C19). Roots.
    pub lock_stack: UnsafeCell<Vec<(Obj, *mut u64)>>,
    /// Small unique number of the VM's own, never 0; owner of monitors.
    pub id: Cell<u64>,
    /// Kernel thread id.
    pub os_tid: Cell<u32>,
    /// Depth of `NoSafepoint` scopes; debug builds assert it is 0 where a thread may stop.
    pub no_safepoint: Cell<u32>,
    pub mutator: MutatorStorage,
    /// The collector's bump pointer inside `mutator`: [cursor, limit].
    pub bump: Cell<*mut [usize; 2]>,
    /// Where the heap room's barrier writes its next note, and where the room for notes ends; equal while there is
    /// none.
    pub notes: Cell<*mut u64>,
    pub notes_end: Cell<*mut u64>,
    /// The monitors room's per-thread state.
    pub monitor: AtomicPtr<()>,
    /// The runtime's per-thread state.
    pub info: AtomicPtr<()>,
}

// SAFETY: see the module's invariant: foreign reads happen only while the owner is stopped.
unsafe impl Sync for Thread {}
// SAFETY: as above.
unsafe impl Send for Thread {}

thread_local! {
    static CURRENT: Cell<*const Thread> = const { Cell::new(std::ptr::null()) };
}

impl Thread {
    /// Lets entries of methods poll while the poll word is set, and check for the ends of the stacks
    /// alone otherwise. Whoever changes the word or a limit calls it; of two who race the last sees
    /// what the other wrote.
    pub fn settle_entries(&self) {
        use Ordering::SeqCst;
        let poll = || {
            let asked = self.poll.load(SeqCst) != 0;
            if asked {
                self.limit.store(0, SeqCst);
                self.native_guard.store(usize::MAX, SeqCst);
            }
            asked
        };
        if !poll() {
            self.limit.store(self.stack_limit.get(), SeqCst);
            self.native_guard.store(self.native_limit.get(), SeqCst);
            poll();
        }
    }

    /// Makes a block with all anchors null; the runtime fills in stacks, mutator and tables.
    pub fn new_boxed() -> Box<Thread> {
        // SAFETY: all-zero bytes are a valid Thread: null pointers, zero numbers, null objects;
        // the fields that are not (the vector, the table's fill, the watermarks) are written before use.
        unsafe {
            let mut t = Box::<Thread>::new_zeroed();
            let p = t.as_mut_ptr();
            (&raw mut (*p).lock_stack).write(UnsafeCell::new(Vec::new()));
            (&raw mut (*p).heat).write(UnsafeCell::new([HEAT_PERIOD.load(Ordering::Relaxed); HEAT]));
            (&raw mut (*p).watermark).write(AtomicUsize::new(usize::MAX));
            (&raw mut (*p).invalid_mark).write(AtomicUsize::new(usize::MAX));
            t.assume_init()
        }
    }
    /// The calling thread's block, if it is attached.
    #[inline(always)]
    pub fn current_opt() -> Option<&'static Thread> {
        let p = CURRENT.with(|c| c.get());
        // SAFETY: `set_current` was given a block that lives until the thread detaches.
        (!p.is_null()).then(|| unsafe { &*p })
    }
    /// The calling thread's block; it must be attached.
    #[inline(always)]
    pub fn current() -> &'static Thread {
        match Self::current_opt() {
            Some(t) => t,
            None => concord_base::bug!("the thread is not attached to the VM"),
        }
    }
    pub fn set_current(t: *const Thread) {
        CURRENT.with(|c| c.set(t))
    }
    #[inline(always)]
    pub fn has_exception(&self) -> bool {
        !self.exception.get().is_null()
    }
    /// Takes the pending exception.
    pub fn take_exception(&self) -> Obj {
        self.exception.replace(Obj::NULL)
    }
    /// Makes `e` the pending exception.
    pub fn throw<T>(&self, e: Obj) -> JResult<T> {
        debug_assert!(!e.is_null());
        self.exception.set(e);
        Err(Thrown)
    }
    /// Err if an exception is pending.
    #[inline(always)]
    pub fn check(&self) -> JResult<()> {
        if self.has_exception() { Err(Thrown) } else { Ok(()) }
    }
    pub fn state(&self) -> ThreadState {
        match self.state.load(Ordering::Acquire) {
            0 => ThreadState::New,
            1 => ThreadState::InVm,
            2 => ThreadState::Native,
            _ => ThreadState::Blocked,
        }
    }

    /// A new local handle for `o`: the address of a slot that is a root until its frame ends.
    pub fn new_handle(&self, o: Obj) -> *mut u64 {
        if o.is_null() {
            return std::ptr::null_mut();
        }
        let base = self.handles.get();
        let free = self.handle_free.get();
        let i = if free != 0 {
            // SAFETY: a free slot below top; it holds the next free index, tagged odd.
            self.handle_free.set(unsafe { *base.add(free - 1) } as usize >> 1);
            free - 1
        } else {
            let i = self.handle_top.get();
            if i >= HANDLE_SLOTS {
                concord_base::bug!("more than {HANDLE_SLOTS} JNI local references in one thread");
            }
            self.handle_top.set(i + 1);
            i
        };
        // SAFETY: `i` is within the thread's reserved handle slots.
        unsafe {
            let p = base.add(i);
            *p = o.addr() as u64;
            p
        }
    }
    /// Frees one local handle (DeleteLocalRef).
    ///
    /// # Safety
    /// `h` came from `new_handle` of this thread, in the innermost frame, and is not used again.
    pub unsafe fn free_handle(&self, h: *mut u64) {
        // SAFETY: both are in the reserved slots.
        unsafe {
            let i = h.offset_from(self.handles.get()) as usize;
            if i + 1 == self.handle_top.get() {
                self.handle_top.set(i);
            } else {
                *h = ((self.handle_free.get() as u64) << 1) | 1;
                self.handle_free.set(i + 1);
            }
        }
    }
    /// Opens a frame of local handles; the value goes to `pop_handles`.
    pub fn push_handles(&self) -> (usize, usize) {
        let saved = (self.handle_top.get(), self.handle_free.get());
        self.handle_free.set(0);
        saved
    }
    pub fn pop_handles(&self, saved: (usize, usize)) {
        self.handle_top.set(saved.0);
        self.handle_free.set(saved.1);
    }
}
