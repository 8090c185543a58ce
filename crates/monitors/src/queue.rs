//! Queues: the threads that want to enter, and those that wait. Invariant owned here: a node is
//! linked only while its thread is inside the room; the entry queue and the mark of the successor
//! change only under the record's queue lock, the wait set only by the record's owner.
//!
//! Both are circular doubly linked lists through the threads' own nodes: joining and leaving take
//! constant time, and a waiting thread needs no memory of the room's.

use std::sync::Arc;

use crate::park::Parker;
use crate::record::Record;
use crate::sync::{AtomicU32, Guarded, Ordering};

/// State of a node in a wait set; one CAS decides between notification, timeout and interrupt.
pub(crate) mod wait_state {
    /// Not in `wait`, or the outcome has been reported.
    pub(crate) const NONE: u32 = 0;
    /// In the wait set, nobody has chosen an outcome.
    pub(crate) const WAITING: u32 = 1;
    /// A notifier chose this node: it is on its way through the entry queue.
    pub(crate) const NOTIFIED: u32 = 2;
    /// The waiter's deadline passed first.
    pub(crate) const TIMED_OUT: u32 = 3;
    /// The waiter saw its interrupt status first.
    pub(crate) const INTERRUPTED: u32 = 4;
}

pub(crate) type Link = *const Node;

/// A thread's place in entry queues and wait sets. A thread blocks on one monitor at a time, so it
/// needs one node; every operation unlinks it before it returns.
pub(crate) struct Node {
    pub(crate) parker: Arc<Parker>,
    /// The outcome of `wait`, see [`wait_state`].
    wait_state: AtomicU32,
    /// The reference word's share of the owner; for observers of a stopped world.
    pub(crate) tid: u64,
    /// What the VM calls the thread; a notifier tells it.
    pub(crate) host: usize,
    /// Entry queue links and flags, protected by the record's queue lock.
    queue_next: Guarded<Link>,
    queue_prev: Guarded<Link>,
    queued: Guarded<bool>,
    /// This thread was taken out of the queue to be woken and has not yet said so (the successor
    /// of the record's throttle).
    successor: Guarded<bool>,
    /// Wait set links and flag, protected by ownership of the record.
    wait_next: Guarded<Link>,
    wait_prev: Guarded<Link>,
    in_wait_set: Guarded<bool>,
}

impl Node {
    pub(crate) fn new(tid: u64) -> Node {
        Node {
            host: 0,
            parker: Parker::new(),
            wait_state: AtomicU32::new(wait_state::NONE),
            tid,
            queue_next: Guarded::new(std::ptr::null()),
            queue_prev: Guarded::new(std::ptr::null()),
            queued: Guarded::new(false),
            successor: Guarded::new(false),
            wait_next: Guarded::new(std::ptr::null()),
            wait_prev: Guarded::new(std::ptr::null()),
            in_wait_set: Guarded::new(false),
        }
    }

    pub(crate) fn load_acquire_wait_state(&self) -> u32 {
        self.wait_state.load(Ordering::Acquire)
    }

    pub(crate) fn store_release_wait_state(&self, state: u32) {
        self.wait_state.store(state, Ordering::Release);
    }

    /// Decide the outcome of a wait; true for the one who decides.
    pub(crate) fn cas_wait_state(&self, outcome: u32) -> bool {
        self.wait_state.compare_exchange(wait_state::WAITING, outcome, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

impl Record {
    // --- entry queue ----------------------------------------------------------------------

    /// Put `node` into the queue unless it is there; whoever queues is nobody's successor any
    /// more. A thread that lost its turn goes back to the front, so that it keeps its seniority.
    pub(crate) fn enqueue(&self, node: &Node, front: bool) {
        self.queue_lock.with(|| {
            // SAFETY: the queue lock is held.
            unsafe {
                let lost_its_turn = self.drop_succession(node);
                if node.queued.get() {
                    return;
                }
                node.queued.set(true);
                ring_insert::<QueueLinks>(&self.queue, node);
                if front || lost_its_turn {
                    self.queue.set(node);
                }
            }
        });
    }

    /// Notify `node`'s thread, and put it into the queue, in one step: it may be awake and see the
    /// notification at once, and if it leaves the queue again to suspend itself that must be final
    /// (G3). False if the waiter has decided otherwise.
    pub(crate) fn enqueue_notified(&self, node: &Node) -> bool {
        self.queue_lock.with(|| {
            if !node.cas_wait_state(wait_state::NOTIFIED) {
                return false;
            }
            // SAFETY: the queue lock is held.
            unsafe {
                node.queued.set(true);
                ring_insert::<QueueLinks>(&self.queue, node);
            }
            true
        })
    }

    /// Take `node` out of the queue; false if somebody has taken it out to wake it.
    pub(crate) fn dequeue(&self, node: &Node) -> bool {
        self.queue_lock.with(|| {
            // SAFETY: the queue lock is held.
            unsafe {
                let queued = node.queued.get();
                if queued {
                    node.queued.set(false);
                    ring_remove::<QueueLinks>(&self.queue, node);
                }
                self.drop_succession(node);
                queued
            }
        })
    }

    /// Take the first thread out of the queue, to be woken by the caller after the lock is gone.
    /// With `throttle` nobody is taken while an earlier one is still on its way.
    pub(crate) fn pop_for_wakeup(&self, throttle: bool) -> Option<Arc<Parker>> {
        self.queue_lock.with(|| {
            // SAFETY: the queue lock is held; a queued node's thread is inside the room, and
            // leaves only after it has taken this lock to unlink itself, so the node is alive.
            unsafe {
                if throttle && self.successor.load(Ordering::Relaxed) != 0 {
                    return None;
                }
                let head = self.queue.get().as_ref()?;
                head.queued.set(false);
                ring_remove::<QueueLinks>(&self.queue, head);
                if throttle {
                    head.successor.set(true);
                    self.successor.store(1, Ordering::Relaxed);
                }
                Some(head.parker.clone())
            }
        })
    }

    /// # Safety
    /// The queue lock is held.
    unsafe fn drop_succession(&self, node: &Node) -> bool {
        // SAFETY: by the caller's promise.
        unsafe {
            let was = node.successor.get();
            if was {
                node.successor.set(false);
                self.successor.store(0, Ordering::Relaxed);
            }
            was
        }
    }

    /// Threads in the entry queue, first first.
    ///
    /// # Safety
    /// The world is stopped: nobody changes the queue.
    pub(crate) unsafe fn queued_tids(&self) -> Vec<u64> {
        // SAFETY: nobody changes the ring, and queued nodes are alive.
        unsafe { ring_tids::<QueueLinks>(&self.queue, |_| true) }
    }

    // --- wait set -------------------------------------------------------------------------

    /// # Safety
    /// The caller owns this record.
    pub(crate) unsafe fn wait_set_append(&self, node: &Node) {
        // SAFETY: ownership protects the wait set.
        unsafe {
            node.in_wait_set.set(true);
            ring_insert::<WaitLinks>(&self.wait_set, node);
        }
    }

    /// # Safety
    /// The caller owns this record.
    pub(crate) unsafe fn wait_set_pop(&self) -> Option<&Node> {
        // SAFETY: ownership protects the wait set, and a node in it belongs to a thread that
        // returns from `wait` only as owner, after it has unlinked itself: the node is alive.
        unsafe {
            let head = self.wait_set.get().as_ref()?;
            head.in_wait_set.set(false);
            ring_remove::<WaitLinks>(&self.wait_set, head);
            Some(head)
        }
    }

    /// # Safety
    /// The caller owns this record, and the node is its own.
    pub(crate) unsafe fn wait_set_remove(&self, node: &Node) {
        // SAFETY: ownership protects the wait set.
        unsafe {
            if node.in_wait_set.get() {
                node.in_wait_set.set(false);
                ring_remove::<WaitLinks>(&self.wait_set, node);
            }
        }
    }

    /// Threads in the wait set that still wait, first first.
    ///
    /// # Safety
    /// The world is stopped, or the caller owns the record.
    pub(crate) unsafe fn waiting_tids(&self) -> Vec<u64> {
        // SAFETY: nobody changes the ring, and its nodes are alive.
        unsafe { ring_tids::<WaitLinks>(&self.wait_set, |node| node.load_acquire_wait_state() == wait_state::WAITING) }
    }
}

/// Which pair of links a ring uses.
trait Links {
    fn next(node: &Node) -> &Guarded<Link>;
    fn prev(node: &Node) -> &Guarded<Link>;
}

struct QueueLinks;
struct WaitLinks;

impl Links for QueueLinks {
    fn next(node: &Node) -> &Guarded<Link> {
        &node.queue_next
    }
    fn prev(node: &Node) -> &Guarded<Link> {
        &node.queue_prev
    }
}

impl Links for WaitLinks {
    fn next(node: &Node) -> &Guarded<Link> {
        &node.wait_next
    }
    fn prev(node: &Node) -> &Guarded<Link> {
        &node.wait_prev
    }
}

/// Insert at the tail, that is before the head.
///
/// # Safety
/// The caller holds the ring's protector; all nodes of the ring are alive; `node` is not in it.
unsafe fn ring_insert<L: Links>(head: &Guarded<Link>, node: &Node) {
    // SAFETY: by the caller's promise.
    unsafe {
        match head.get().as_ref() {
            None => {
                L::next(node).set(node);
                L::prev(node).set(node);
                head.set(node);
            }
            Some(first) => {
                let last = L::prev(first).get();
                L::next(node).set(first);
                L::prev(node).set(last);
                L::next(&*last).set(node);
                L::prev(first).set(node);
            }
        }
    }
}

/// # Safety
/// The caller holds the ring's protector; all nodes of the ring are alive; `node` is in it.
unsafe fn ring_remove<L: Links>(head: &Guarded<Link>, node: &Node) {
    // SAFETY: by the caller's promise.
    unsafe {
        let (next, prev) = (L::next(node).get(), L::prev(node).get());
        if std::ptr::eq(next, node) {
            head.set(std::ptr::null());
        } else {
            L::prev(&*next).set(prev);
            L::next(&*prev).set(next);
            if std::ptr::eq(head.get(), node) {
                head.set(next);
            }
        }
        L::next(node).set(std::ptr::null());
        L::prev(node).set(std::ptr::null());
    }
}

/// # Safety
/// The caller holds the ring's protector; all nodes of the ring are alive.
unsafe fn ring_tids<L: Links>(head: &Guarded<Link>, counts: impl Fn(&Node) -> bool) -> Vec<u64> {
    let mut tids = Vec::new();
    // SAFETY: by the caller's promise.
    unsafe {
        let first = head.get();
        let mut at = first;
        while let Some(node) = at.as_ref() {
            if counts(node) {
                tids.push(node.tid);
            }
            at = L::next(node).get();
            if std::ptr::eq(at, first) {
                break;
            }
        }
    }
    tids
}
