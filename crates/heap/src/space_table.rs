//! The collector's table of spaces, made small for heaps above 4 GB.
//!
//! Invariant: every entry reads as what MMTk has written there, before and after [`finish`].
//!
//! For heaps above 4 GB MMTk has an entry of 16 bytes for each piece of 4 MB of 2^47 bytes, 512 MB in all, and writes them all when
//! it is set up: each says that no space is there. The heap ends at 32 GB, so that all but the first 8,192 go on saying so.
//!
//! ```text
//! entries of    0..32 GB        32 GB .. 2^47
//! memory        its own         one block of 2 MB, mapped over and over
//! while made                    shared: what is written into one is written into all, and is the same
//! finished                      private: a write would change that entry alone; nothing is resident
//! ```
//!
//! The table cannot be told from other memory but by who asks for it: one request of its size in the time between [`begin`] and
//! [`finish`] gets such memory from [`Allocator`], which a program that wants this makes its global allocator. Where the memory
//! cannot be had, or the table has another size, MMTk gets what it would get otherwise. The table is never given back: MMTk
//! lives as long as the process.
//!
//! Deliberately absent: the peak, which counts each page of the table as long as it is written.
use std::alloc::{GlobalAlloc, Layout, System};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// An entry: two words that point to a space.
const ENTRY: usize = 16;
/// Bytes of the table.
const SIZE: usize = (1 << (47 - LOG_CHUNK)) * ENTRY;
const LOG_CHUNK: usize = 22;
/// Where the entries of what the heap cannot reach begin.
const REACHED: usize = ((32 << 30) >> LOG_CHUNK) * ENTRY;
/// Bytes that are mapped over and over.
const BLOCK: usize = 2 << 20;

/// Whether the table is about to be asked for.
static STATE: AtomicU8 = AtomicU8::new(IDLE);
const IDLE: u8 = 0;
const WANTED: u8 = 1;
const GIVEN: u8 = 2;
/// Address of the table, and the file that the block is.
static TABLE: AtomicUsize = AtomicUsize::new(0);
static FILE: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, but for one request.
pub struct Allocator;

// SAFETY: everything is the system's allocator's, but for the memory of `table`, which is as large as was asked for, aligned to pages,
// named by no other allocation, and never asked to be freed or made larger: MMTk keeps its table for ever.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() == SIZE
            && let Some(table) = table()
        {
            return table;
        }
        // SAFETY: by the caller's promise.
        unsafe { System.alloc(layout) }
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }
    #[inline]
    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: by the caller's promise.
        unsafe { System.realloc(p, layout, size) }
    }
    #[inline]
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        // SAFETY: by the caller's promise.
        unsafe { System.dealloc(p, layout) }
    }
}

/// The next request of the table's size is the table's.
pub fn begin() {
    STATE.store(WANTED, Ordering::Release);
}

#[cold]
fn table() -> Option<*mut u8> {
    STATE.compare_exchange(WANTED, GIVEN, Ordering::AcqRel, Ordering::Relaxed).ok()?;
    let made = make();
    STATE.store(if made.is_some() { GIVEN } else { IDLE }, Ordering::Release);
    made
}

/// Offsets and lengths of the pieces that are the block.
fn pieces() -> impl Iterator<Item = (usize, usize)> {
    (REACHED..SIZE).step_by(BLOCK).map(|at| (at, BLOCK.min(SIZE - at)))
}

fn make() -> Option<*mut u8> {
    // SAFETY: the name is a C string.
    let fd = unsafe { libc::memfd_create(c"concord-spaces".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return None;
    }
    // SAFETY: it was opened above.
    let file = unsafe { OwnedFd::from_raw_fd(fd) };
    // SAFETY: of that file.
    if unsafe { libc::ftruncate(fd, BLOCK as libc::off_t) } != 0 {
        return None;
    }
    let own = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: fresh memory wherever the kernel wants it.
    let start = unsafe { libc::mmap(ptr::null_mut(), SIZE, libc::PROT_READ | libc::PROT_WRITE, own, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    // All of it is written at once: so the kernel maps it at once.
    if !pieces().all(|(at, len)| map(start as usize + at, len, fd, libc::MAP_SHARED | libc::MAP_POPULATE)) {
        // SAFETY: mapped above, and nobody has it yet.
        unsafe { libc::munmap(start, SIZE) };
        return None;
    }
    TABLE.store(start as usize, Ordering::Release);
    FILE.store(file.as_raw_fd() as usize, Ordering::Release);
    std::mem::forget(file);
    Some(start.cast())
}

fn map(at: usize, len: usize, fd: i32, flags: i32) -> bool {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: inside the table, which nobody but MMTk uses; what is mapped there is the block before and after.
    let p = unsafe { libc::mmap(at as *mut libc::c_void, len, access, flags | libc::MAP_FIXED, fd, 0) };
    p as usize == at
}

/// The collector is set up: what it has written is the same everywhere, and from now on no page of it is resident.
pub fn finish() {
    if STATE.swap(IDLE, Ordering::AcqRel) != GIVEN {
        return;
    }
    let (table, fd) = (TABLE.load(Ordering::Acquire), FILE.load(Ordering::Acquire) as i32);
    // SAFETY: the file of `make`, which nobody else closes.
    let _file = unsafe { OwnedFd::from_raw_fd(fd) };
    // SAFETY: the table is as long, and written by now; nobody writes it while the heap is set up.
    let entries = unsafe { std::slice::from_raw_parts(table as *const u128, SIZE / ENTRY) };
    // The entry of address 0 says that no space is there.
    let reached = REACHED / ENTRY;
    let block = &entries[reached..reached + BLOCK / ENTRY];
    if entries[0] == 0 || block.iter().any(|e| *e != entries[0]) {
        concord_base::bug!("the collector's table of spaces does not say the same of all that the heap cannot reach");
    }
    if !pieces().all(|(at, len)| map(table + at, len, fd, libc::MAP_PRIVATE)) {
        concord_base::bug!("the collector's table of spaces cannot be mapped again");
    }
}

/// Address and size of the table, once MMTk has one that is made like this: for tests.
pub fn place() -> Option<(usize, usize)> {
    Some(TABLE.load(Ordering::Acquire)).filter(|t| *t != 0).map(|t| (t, SIZE))
}
