//! How many bytes each thread has allocated.
//!
//! Invariant: a thread's account says what it has allocated up to `counted`, a place in its open
//! buffer; what lies between there and the cursor comes on top. The account is brought up to the
//! cursor wherever the buffer may change: by the slow path of an allocation and at a stop. So the
//! fast path counts nothing.
use crate::alloc::real_bump_pointer;
use crate::binding::heap_thread;
use concord_contract::Thread;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// One thread's account; written by its thread, or at a stop.
#[derive(Default)]
pub struct Account {
    bytes: AtomicU64,
    counted: AtomicUsize,
}

/// What ended threads had allocated.
static ENDED: AtomicU64 = AtomicU64::new(0);

fn account(th: &Thread) -> &Account {
    // SAFETY: `th` is attached, which is what the callers ask for.
    unsafe { &(*heap_thread(th)).account }
}
/// The cursor as others may read it: the owner moves it with plain stores of a whole word.
fn cursor(th: &Thread) -> usize {
    // SAFETY: the pair lies in the thread's storage for as long as it is attached.
    unsafe { AtomicUsize::from_ptr(real_bump_pointer(th).cast()) }.load(Relaxed)
}

/// Brings the account up to the cursor. A cursor that went back belongs to a buffer that was
/// counted when it was taken away.
pub fn settle(th: &Thread) {
    let (a, now) = (account(th), cursor(th));
    let open = now.saturating_sub(a.counted.swap(now, Relaxed));
    a.bytes.fetch_add(open as u64, Relaxed);
}

/// Counts `size` bytes that the slow path gave out; the cursor may stand in another buffer now.
pub fn add(th: &Thread, size: usize) {
    let a = account(th);
    a.bytes.fetch_add(size as u64, Relaxed);
    a.counted.store(cursor(th), Relaxed);
}

/// Ends the account of a thread that detaches.
pub fn close(th: &Thread) {
    settle(th);
    ENDED.fetch_add(account(th).bytes.load(Relaxed), Relaxed);
}

/// Bytes that `th` has allocated so far: exact for the caller and for stopped threads; for a
/// running one as much as was allocated at some moment of the call, or a buffer (256 KB) less.
///
/// `th` is attached, and does not detach meanwhile.
pub fn allocated_by(th: &Thread) -> u64 {
    let a = account(th);
    let bytes = a.bytes.load(Relaxed);
    let open = cursor(th).wrapping_sub(a.counted.load(Relaxed));
    // A running thread may change its buffer between the two reads; no buffer is larger.
    bytes + if open <= crate::eden::LONGEST_BUFFER { open as u64 } else { 0 }
}

/// Bytes that all threads, ended ones included, have allocated so far.
pub fn allocated_by_all() -> u64 {
    let mut sum = 0;
    concord_safepoint::for_each_thread(|th| sum += allocated_by(th));
    sum + ENDED.load(Relaxed)
}
