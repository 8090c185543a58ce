//! A small VM for the tests: threads with an interrupt status, objects that may move whenever a
//! thread sleeps.
#![allow(dead_code)]

pub mod inline;
pub mod torture;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use concord_monitors::{AtomicU32, Block, IllegalMonitorState, MonitorTable, MonitorThread, ObjectRef, Park};

/// A Java thread.
pub struct Thread {
    pub monitors: MonitorThread,
    pub interrupted: AtomicBool,
    pub suspend: AtomicBool,
    pub suspended: AtomicBool,
    /// 0 running, 1 blocked, 2 waiting, 3 timed waiting.
    pub sleeping: AtomicU64,
    pub contended: Cell<u64>,
}

// SAFETY: `contended` is touched by the thread itself and, after it has been joined, by the test.
unsafe impl Sync for Thread {}

/// Leave as the VM's callers do: the fast part, then the room.
pub fn exit(me: &MonitorThread, o: &Object) -> Result<(), IllegalMonitorState> {
    let address = (&o).address();
    if me.try_exit_fast(&o.word, address) { Ok(()) } else { me.exit(&o.word, address) }
}

impl Thread {
    pub fn new(table: &Arc<MonitorTable>, tid: u64) -> Thread {
        Thread {
            // SAFETY: each test hands the value to one thread, and uses one table.
            monitors: unsafe { MonitorThread::new(table, tid) },
            interrupted: AtomicBool::new(false),
            suspend: AtomicBool::new(false),
            suspended: AtomicBool::new(false),
            sleeping: AtomicU64::new(0),
            contended: Cell::new(0),
        }
    }

    /// Leave as the VM's callers do: the fast part, then the room.
    pub fn exit(&self, o: &Object) -> Result<(), IllegalMonitorState> {
        exit(&self.monitors, o)
    }

    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        self.monitors.unpark();
    }

    pub fn is_asleep(&self) -> bool {
        self.sleeping.load(Ordering::SeqCst) != 0
    }

    pub fn await_asleep(&self) {
        while !self.is_asleep() {
            std::thread::yield_now();
        }
        // The state is set a moment before the sleep.
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

// SAFETY: `monitor_thread` answers the one value of the thread that owns `self`.
unsafe impl Park for Thread {
    fn monitor_thread(&self) -> &MonitorThread {
        &self.monitors
    }

    fn before_block(&self, why: Block) {
        let state = match why {
            Block::Enter => 1,
            Block::Wait { timed: false } => 2,
            Block::Wait { timed: true } => 3,
        };
        self.sleeping.store(state, Ordering::SeqCst);
    }

    fn after_block(&self) {
        self.sleeping.store(0, Ordering::SeqCst);
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    fn clear_interrupt(&self) {
        self.interrupted.store(false, Ordering::SeqCst);
    }

    fn suspend_pending(&self) -> bool {
        self.suspend.load(Ordering::SeqCst)
    }

    fn suspend(&self) {
        self.suspended.store(true, Ordering::SeqCst);
        while self.suspend.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        self.suspended.store(false, Ordering::SeqCst);
    }

    fn contended_enter(&self) {
        self.contended.set(self.contended.get() + 1);
    }
}

/// An object that stays where it is.
#[derive(Default)]
pub struct Object {
    pub word: AtomicU32,
}

impl Object {
    pub fn new(raw: u32) -> Object {
        Object { word: AtomicU32::new(raw) }
    }
}

// SAFETY: the object does not move while it is borrowed.
unsafe impl ObjectRef for &Object {
    fn lock_word(&self) -> *const AtomicU32 {
        &self.word
    }

    fn address(&self) -> u64 {
        std::ptr::from_ref::<Object>(self) as u64
    }
}

/// The lock word of the [`Object`] at an address.
pub fn word_of(address: u64) -> *const AtomicU32 {
    address as *const AtomicU32
}

/// An object that a collector moves: a handle to its current place. Both places stay allocated,
/// so a stale access is wrong but not a crash.
pub struct Handle {
    pub places: Vec<Object>,
    pub at: AtomicUsize,
}

impl Handle {
    pub fn new(places: usize) -> Handle {
        Handle { places: (0..places).map(|_| Object::default()).collect(), at: AtomicUsize::new(0) }
    }

    pub fn object(&self) -> &Object {
        &self.places[self.at.load(Ordering::SeqCst)]
    }

    /// Move the object to its next place and poison the old one; the world is stopped.
    pub fn relocate(&self) -> u64 {
        let old = self.object();
        let next = self.at.load(Ordering::SeqCst) + 1;
        self.places[next].word.store(old.word.load(Ordering::SeqCst), Ordering::SeqCst);
        old.word.store(0xdead_0003, Ordering::SeqCst);
        self.at.store(next, Ordering::SeqCst);
        (&self.object()).address()
    }
}

// SAFETY: `lock_word` answers the current place, which changes only while the thread sleeps.
unsafe impl ObjectRef for &Handle {
    fn lock_word(&self) -> *const AtomicU32 {
        &self.object().word
    }

    fn address(&self) -> u64 {
        (&self.object()).address()
    }
}
