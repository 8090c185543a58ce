//! Thread blocks with their stacks and handle slots.
//!
//! Invariant: a block handed out by [`take`] has empty stacks, no handles and no pending
//! exception; a block that was given back keeps its `info`, because others may still read it.
use super::ThreadInfo;
use concord_base::bug;
use concord_contract::thread::HANDLE_SLOTS;
use concord_contract::{Obj, Thread};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

const PAGE: usize = 4096;
/// At the end of a Java stack: room in which a StackOverflowError is made and handled.
const RESERVE: usize = 64 << 10;
/// Mappings that wait for the next thread; more are returned to the system.
const KEEP: usize = 32;

static FREE: Mutex<Vec<&'static Thread>> = Mutex::new(Vec::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(1);
static STACK_SIZE: AtomicUsize = AtomicUsize::new(1 << 20);
static JNI_TABLE: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// `-Xss`: bytes of the Java stack of threads that do not say otherwise.
pub fn set_default_stack_size(bytes: usize) {
    STACK_SIZE.store(bytes, Ordering::Relaxed);
}
pub fn default_stack_size() -> usize {
    STACK_SIZE.load(Ordering::Relaxed)
}
/// The JNI function table that every thread block begins with; before the first thread.
pub fn set_jni_table(table: *const ()) {
    JNI_TABLE.store(table.cast_mut(), Ordering::Release);
}

fn map(bytes: usize) -> Option<*mut u8> {
    // SAFETY: a fresh private mapping at an address of the kernel's choice.
    let p = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    (p != libc::MAP_FAILED).then_some(p.cast())
}

/// Maps a Java stack of `bytes` with an inaccessible page behind it.
fn map_stack(bytes: usize) -> Option<*mut u64> {
    let p = map(bytes + PAGE)?;
    // SAFETY: the last page of the mapping just made.
    if unsafe { libc::mprotect(p.add(bytes).cast(), PAGE, libc::PROT_NONE) } != 0 {
        // SAFETY: the mapping just made; nobody has it.
        unsafe { libc::munmap(p.cast(), bytes + PAGE) };
        return None;
    }
    Some(p.cast())
}

/// A block for a thread with a Java stack of `stack` bytes (0 = default); None if the system has
/// no memory for it.
pub fn take(stack: usize) -> Option<&'static Thread> {
    let asked = if stack == 0 { default_stack_size() } else { stack };
    let bytes = (asked.max(4 * RESERVE) + PAGE - 1) & !(PAGE - 1);
    let recycled = FREE.lock().expect("free thread blocks").pop();
    let th: &'static Thread = match recycled {
        Some(t) => t,
        None => {
            let t: &'static Thread = Box::leak(Thread::new_boxed());
            let info = Box::leak(Box::new(ThreadInfo::default()));
            t.info.store(std::ptr::from_mut(info).cast(), Ordering::Release);
            t
        }
    };
    if th.stack_bytes.get() != bytes {
        unmap_stack(th);
        match map_stack(bytes) {
            Some(p) => {
                th.stack_base.set(p);
                th.stack_bytes.set(bytes);
            }
            None => {
                give_back(th);
                return None;
            }
        }
    }
    if th.handles.get().is_null() {
        match map(HANDLE_SLOTS * 8) {
            Some(p) => th.handles.set(p.cast()),
            None => {
                give_back(th);
                return None;
            }
        }
    }
    reset(th);
    Some(th)
}

fn reset(th: &Thread) {
    th.jni.set(JNI_TABLE.load(Ordering::Acquire));
    th.pc.set(std::ptr::null());
    th.sp.set(th.stack_base.get());
    th.lp.set(std::ptr::null_mut());
    th.fp.set(std::ptr::null_mut());
    th.anchor_sp.set(0);
    th.rebuilt.set(false);
    th.watermark.store(usize::MAX, Ordering::Relaxed);
    th.invalid_mark.store(usize::MAX, Ordering::Relaxed);
    th.poll.store(0, Ordering::Relaxed);
    let limit = th.stack_base.get() as usize + th.stack_bytes.get() - RESERVE;
    th.stack_limit.set(limit);
    th.limit.store(limit, Ordering::Relaxed);
    th.exception.set(Obj::NULL);
    th.java_thread.set(Obj::NULL);
    th.async_exception.store(0, Ordering::Relaxed);
    th.handle_top.set(0);
    th.handle_free.set(0);
    th.native_base.set(0);
    th.native_limit.set(0);
    th.native_guard.store(0, Ordering::Relaxed);
    th.native_sp.set(0);
    th.id.set(NEXT_ID.fetch_add(1, Ordering::Relaxed));
    th.os_tid.set(0);
    th.no_safepoint.set(0);
    // SAFETY: nobody runs on this block.
    let locks = unsafe { &mut *th.lock_stack.get() };
    if !locks.is_empty() {
        bug!("a recycled thread block holds {} locks", locks.len());
    }
    super::info(th).unsafe_fault.store(false, Ordering::Relaxed);
    super::info(th).parker.clear();
    super::info(th).sleeper.clear();
    super::info(th).resumer.clear();
    super::info(th).blocked_count.store(0, Ordering::Relaxed);
    super::info(th).defined_classes.store(0, Ordering::Relaxed);
    super::info(th).waited_count.store(0, Ordering::Relaxed);
    super::info(th).times.clear();
    super::info(th).allocations.clear();
}

fn unmap_stack(th: &Thread) {
    let bytes = th.stack_bytes.get();
    if bytes != 0 {
        // SAFETY: this block's own mapping; no thread runs on it.
        unsafe { libc::munmap(th.stack_base.get().cast(), bytes + PAGE) };
        th.stack_base.set(std::ptr::null_mut());
        th.stack_bytes.set(0);
    }
}

/// Takes a block back whose thread has ended or never began.
pub fn give_back(th: &'static Thread) {
    // SAFETY: the block's own mappings; nobody runs on it, and fresh pages read as zero.
    unsafe {
        if !th.handles.get().is_null() {
            libc::madvise(th.handles.get().cast(), HANDLE_SLOTS * 8, libc::MADV_DONTNEED);
        }
        if th.stack_bytes.get() != 0 {
            libc::madvise(th.stack_base.get().cast(), th.stack_bytes.get(), libc::MADV_DONTNEED);
        }
    }
    let mut free = FREE.lock().expect("free thread blocks");
    if free.len() >= KEEP {
        unmap_stack(th);
        // SAFETY: as above; the slots are mapped again on the next use.
        unsafe {
            if !th.handles.get().is_null() {
                libc::munmap(th.handles.get().cast(), HANDLE_SLOTS * 8);
            }
        }
        th.handles.set(std::ptr::null_mut());
    }
    free.push(th);
}
