//! All schedules of the stop protocol's own source file, on loom's primitives.
//!
//! The models are small: two or three threads, one or two stops. What they show is that no thread
//! is in the VM while the world is stopped, that everybody gets on, and that the epoch's second
//! look is needed: a twin of the wait without it must fail.
#[path = "../src/protocol.rs"]
mod protocol;

/// loom in the place of the crate's own `sync`.
mod sync {
    pub use loom::sync::{Condvar, Mutex, MutexGuard};

    pub fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
        m.lock().unwrap()
    }
    pub fn wait<'a, T>(c: &Condvar, g: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        c.wait(g).unwrap()
    }
    /// The model knows no time: the timed wait may end at any moment, which is a yield.
    pub fn pause<'a, T>(m: &'a Mutex<T>, _: &Condvar, g: MutexGuard<'a, T>, _: u32) -> MutexGuard<'a, T> {
        drop(g);
        loom::thread::yield_now();
        lock(m)
    }
}

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering, fence};
use loom::thread;
use protocol::{Participant, Protocol};

const NEW: u32 = 0;
const IN_VM: u32 = 1;
const OUTSIDE: u32 = 2;

struct Words {
    poll: AtomicU32,
    state: AtomicU32,
}

impl Words {
    fn make() -> &'static Words {
        Box::leak(Box::new(Words { poll: AtomicU32::new(0), state: AtomicU32::new(NEW) }))
    }
}

#[derive(Clone, Copy)]
struct Model(&'static Words);

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

// loom treats SeqCst accesses as acquire and release, but knows SeqCst fences: each sequentially
// consistent access of the product is an access and a fence here.
impl Participant for Model {
    fn is_running(self) -> bool {
        fence(Ordering::SeqCst);
        self.0.state.load(Ordering::Acquire) == IN_VM
    }
    fn request(self) {
        self.0.poll.fetch_or(1, Ordering::AcqRel);
        fence(Ordering::SeqCst);
    }
    fn release(self) {
        self.0.poll.fetch_and(!1, Ordering::AcqRel);
    }
    fn leave(self) {
        self.0.state.store(OUTSIDE, Ordering::Release);
    }
    fn comes_back_to_stop(self) -> bool {
        self.0.state.swap(IN_VM, Ordering::AcqRel);
        fence(Ordering::SeqCst);
        self.0.poll.load(Ordering::Acquire) & 1 != 0
    }
    fn retire(self) {
        self.0.state.store(NEW, Ordering::Release);
    }
}

struct World {
    protocol: Protocol<Model>,
    /// Stands for the heap: loom fails when two threads are at it at once.
    heap: UnsafeCell<u32>,
}

// SAFETY: access to the cell is what the models check.
unsafe impl Sync for World {}
// SAFETY: as above.
unsafe impl Send for World {}

impl World {
    fn new() -> Arc<World> {
        Arc::new(World { protocol: Protocol::default(), heap: UnsafeCell::new(0) })
    }
    fn touch(&self) {
        // SAFETY: loom reports any access that is not ordered against another thread's.
        self.heap.with_mut(|p| unsafe { *p += 1 });
    }
    fn poll(&self, me: Model) {
        if me.0.poll.load(Ordering::Relaxed) & 1 != 0 {
            self.protocol.wait_while_stopped(me);
        }
    }
}

fn check(f: impl Fn() + Sync + Send + 'static) {
    let mut b = loom::model::Builder::new();
    b.preemption_bound = Some(3);
    b.check(f);
}

#[test]
fn nobody_is_in_the_vm_while_the_world_is_stopped() {
    check(|| {
        let w = World::new();
        let me = Model(Words::make());
        w.protocol.register(me, || {});
        let mutator = {
            let w = w.clone();
            thread::spawn(move || {
                w.touch();
                w.poll(me);
                w.touch();
                me.leave();
                w.protocol.come_back(me);
                w.touch();
                w.protocol.unregister(me, || w.touch());
            })
        };
        // Two stops: a slow waker of the first must see the second.
        for _ in 0..2 {
            w.protocol.stop(None, || {});
            w.touch();
            w.protocol.resume(false);
        }
        mutator.join().unwrap();
        assert_eq!(w.protocol.number(), 0);
    });
}

#[test]
fn registration_waits_for_the_stop_to_end() {
    check(|| {
        let w = World::new();
        let newcomer = {
            let w = w.clone();
            thread::spawn(move || {
                let me = Model(Words::make());
                w.protocol.register(me, || w.touch());
                w.touch();
                w.protocol.unregister(me, || {});
            })
        };
        w.protocol.stop(None, || {});
        w.touch();
        assert!(w.protocol.is_stopped());
        let all = w.protocol.participants().len();
        let mut seen = 0;
        w.protocol.for_each(|_| seen += 1);
        assert_eq!(all, seen, "the registry changed during a stop");
        w.protocol.resume(false);
        newcomer.join().unwrap();
    });
}

#[test]
fn two_mutators_stop_each_other_in_turn() {
    check(|| {
        let w = World::new();
        let (a, b) = (Model(Words::make()), Model(Words::make()));
        w.protocol.register(a, || {});
        w.protocol.register(b, || {});
        let other = {
            let w = w.clone();
            thread::spawn(move || {
                w.protocol.stop(Some(b), || {});
                w.touch();
                w.protocol.resume(false);
                w.protocol.unregister(b, || {});
            })
        };
        w.protocol.stop(Some(a), || {});
        w.touch();
        w.protocol.resume(false);
        w.protocol.unregister(a, || {});
        other.join().unwrap();
    });
}

/// One thread asks for a collection and waits for it; the collector's stop is followed by a second
/// one, which a slow waker must not run into.
fn two_collections(wait: impl Fn(&Protocol<Model>, Model) + Copy + Send + Sync + 'static) {
    check(move || {
        let w = World::new();
        let me = Model(Words::make());
        w.protocol.register(me, || {});
        let mutator = {
            let w = w.clone();
            thread::spawn(move || {
                wait(&w.protocol, me);
                w.touch();
                w.protocol.unregister(me, || {});
            })
        };
        for _ in 0..2 {
            w.protocol.stop(None, || {});
            w.touch();
            w.protocol.resume(true);
        }
        // The waiter may have come after both.
        while w.protocol.number() != 0 {
            w.protocol.stop(None, || {});
            w.protocol.resume(true);
            thread::yield_now();
        }
        mutator.join().unwrap();
    });
}

#[test]
fn a_slow_waker_does_not_run_inside_the_next_pause() {
    two_collections(|p, me| p.wait_for_epoch(me));
}

#[test]
#[should_panic(expected = "Causality violation")]
fn without_the_second_look_it_does() {
    two_collections(|p, me| {
        let epoch = p.epoch();
        me.leave();
        while p.epoch() == epoch {
            thread::yield_now();
        }
        me.0.state.swap(IN_VM, Ordering::AcqRel);
    });
}

/// A thread that is no participant reads the heap by `look`, while two stops come and go.
fn an_outsider_looks(look: impl Fn(&World) + Send + Sync + Copy + 'static) {
    check(move || {
        let w = World::new();
        let outsider = {
            let w = w.clone();
            thread::spawn(move || look(&w))
        };
        for _ in 0..2 {
            w.protocol.stop(None, || {});
            w.touch();
            w.protocol.resume(false);
        }
        outsider.join().unwrap();
    });
}

#[test]
fn an_outsider_reads_only_while_no_stop_is_in_force() {
    an_outsider_looks(|w| {
        w.protocol.unless_stopped(|| w.touch());
    });
}

#[test]
#[should_panic(expected = "Causality violation")]
fn without_asking_it_reads_what_is_being_moved() {
    an_outsider_looks(World::touch);
}
