//! LOCAL objects become SHARED before another thread can reach them.
//!
//! Invariant: no word that another thread can read (a slot of a SHARED object, a root of the VM,
//! another thread's block) refers to a LOCAL object. Whoever is about to store a reference into
//! such a word calls this room before, and the store comes behind all that happened here.
//!
//! A walk makes an object SHARED when it finds it and keeps it in the thread's list until its slots
//! have been looked at; SHARED objects are not entered, for by the invariant they lead to nothing
//! LOCAL. Between finding and looking the invariant does not hold for what is on the list, which is
//! why the list belongs to the thread: nobody else can reach these objects before the walk is over,
//! but for one who looks at a stopped thread ([`publish_at_stop`]), who ends the walks of others
//! first.
//!
//! A walk of [`publish`] polls every [`STEPS`] steps: the list is a root, entries are objects and
//! not addresses in them, arrays are looked at in pieces.
//!
//! Deliberately absent: any way back. The collector keeps the bit when it moves an object.
use crate::binding::heap_thread;
use crate::roots::provider;
use crate::scanning::slots_of;
use crate::slot::RefSlot;
use concord_base::log::{self, Level, Tag};
use concord_base::vm_log;
use concord_contract::layout::{self, LayoutKind};
use concord_contract::object::{HEADER_BYTES, LOCAL_BIT, array_base};
use concord_contract::{Obj, Thread};
use concord_memory_model::{emit, policy, statistics};
use concord_safepoint::Stopped;
use std::sync::atomic::Ordering::Relaxed;

/// Objects, or elements of an array, between two polls.
const STEPS: usize = 1000;
/// Tag of the words of an inflated monitor; the encodings are the monitors room's.
pub mod tags {
    pub const TAGS: u32 = 0b11;
    pub const MONITOR: u32 = 0b10;
}
use tags::{MONITOR, TAGS};

/// An object that is SHARED already and whose slots from `next` on may refer to LOCAL ones.
struct Found {
    object: u64,
    next: usize,
}

#[inline(always)]
fn has_monitor(o: Obj) -> bool {
    o.lock_word().load(Relaxed) & TAGS == MONITOR
}
/// Takes the LOCAL bit from an object without an inflated monitor.
#[inline(always)]
fn unmark(o: Obj) {
    // Nobody else can write the word of an object that nobody else can reach.
    let word = o.lock_word();
    word.store(word.load(Relaxed) & !LOCAL_BIT, Relaxed);
}
/// Whether objects of this layout have no references.
#[inline(always)]
fn is_leaf(o: Obj) -> bool {
    let l = layout::get(o.layout_id());
    match l.kind {
        LayoutKind::PrimArray => true,
        LayoutKind::Instance => l.map == 0,
        LayoutKind::RefArray | LayoutKind::LargeInstance | LayoutKind::Reference | LayoutKind::LargeReference => false,
    }
}

/// Makes `o` SHARED if each reference in it is null, to a SHARED object or to a LOCAL one without references: most of what is
/// published is like that. False if there is something left to do; what is SHARED by then has only SHARED objects behind it.
/// For compiled code `compiled::publish_stubs` does the same.
#[inline]
fn publish_small(o: Obj) -> bool {
    let l = layout::get(o.layout_id());
    let small = !has_monitor(o) && matches!(l.kind, LayoutKind::Instance | LayoutKind::PrimArray);
    let mut done = small;
    if small && l.kind == LayoutKind::Instance {
        // SAFETY: a complete object; its slots are written by this thread alone.
        unsafe {
            slots_of(o.addr(), l, |slot| {
                let child = Obj::from_addr(slot.target());
                if !child.is_null() && child.is_local() {
                    if is_leaf(child) && !has_monitor(child) {
                        unmark(child);
                    } else {
                        done = false;
                    }
                }
            });
        }
    }
    if done {
        unmark(o);
        emit::before_publishing_store();
    }
    done
}

/// The walk of one thread; empty between walks.
#[derive(Default)]
pub struct Walk {
    found: Vec<Found>,
    /// Objects made SHARED by this walk.
    published: u64,
}

impl Walk {
    /// Makes `o` SHARED if it is LOCAL, and keeps it if it may refer to others.
    #[inline(always)]
    fn shade(&mut self, o: Obj) {
        let word = o.lock_word();
        let value = word.load(Relaxed);
        if value & LOCAL_BIT == 0 {
            return;
        }
        if value & TAGS == MONITOR {
            provider().publish_monitor(word);
        } else {
            // As in `unmark`.
            word.store(value & !LOCAL_BIT, Relaxed);
        }
        self.published += 1;
        let l = layout::get(o.layout_id());
        let leads_on = match l.kind {
            LayoutKind::Instance => l.map != 0,
            LayoutKind::PrimArray => false,
            LayoutKind::RefArray => o.array_len() != 0,
            LayoutKind::LargeInstance | LayoutKind::Reference | LayoutKind::LargeReference => true,
        };
        if leads_on {
            self.found.push(Found { object: o.addr() as u64, next: 0 });
        }
    }
    #[inline(always)]
    fn look(&mut self, slot: RefSlot) {
        if let Some(child) = slot.object() {
            // SAFETY: a slot of a live object holds a live object.
            self.shade(unsafe { Obj::from_addr(child.to_raw_address().as_usize()) });
        }
    }
    fn elements(&mut self, array: Obj, from: usize, to: usize) {
        let base = array.addr() + array_base(2);
        (from..to).for_each(|i| self.look(RefSlot::heap(base + 4 * i)));
    }
    /// Goes on until the walk is over or has taken about so many steps; those taken.
    fn go(&mut self, most: usize) -> usize {
        let mut steps = 0;
        while steps < most
            && let Some(f) = self.found.pop()
        {
            steps += self.step(f);
        }
        steps
    }
    fn is_over(&self) -> bool {
        self.found.is_empty()
    }
    /// Looks at one object, or at one piece of an array; the steps taken.
    #[inline(always)]
    fn step(&mut self, f: Found) -> usize {
        // SAFETY: the list holds live objects.
        let o = unsafe { Obj::from_addr(f.object as usize) };
        let l = layout::get(o.layout_id());
        match l.kind {
            LayoutKind::RefArray => {
                let end = o.array_len().min(f.next + STEPS);
                if end < o.array_len() {
                    self.found.push(Found { object: f.object, next: end });
                }
                self.elements(o, f.next, end);
                end - f.next + 1
            }
            LayoutKind::Reference | LayoutKind::LargeReference => {
                // SAFETY: as below.
                unsafe { slots_of(o.addr(), l, |s| self.look(s)) };
                if let Some(r) = provider().reference_layout() {
                    // Edges as any other: whoever gets the reference gets the referent.
                    self.look(RefSlot::heap(o.addr() + r.referent));
                    self.look(RefSlot::heap(o.addr() + r.discovered));
                }
                1
            }
            LayoutKind::Instance => {
                // As `slots_of`, in line: most of what walks find is this.
                let mut map = l.map;
                while map != 0 {
                    self.look(RefSlot::heap(o.addr() + HEADER_BYTES + 4 * map.trailing_zeros() as usize));
                    map &= map - 1;
                }
                1
            }
            LayoutKind::PrimArray | LayoutKind::LargeInstance => {
                // SAFETY: a complete object; its slots are written by this thread alone.
                unsafe { slots_of(o.addr(), l, |s| self.look(s)) };
                1
            }
        }
    }
    fn finish(&mut self) -> u64 {
        if self.found.capacity() > 1 << 16 {
            self.found = Vec::new();
        }
        let n = std::mem::take(&mut self.published);
        if policy::counting() {
            statistics::publication(n);
        }
        emit::before_publishing_store();
        n
    }
}

/// # Safety
/// `th` is the calling thread, or the world is stopped; the reference is not kept across a poll.
#[expect(clippy::mut_from_ref, reason = "the list lies in the thread's storage, as its mutator")]
unsafe fn walk_of(th: &Thread) -> &mut Walk {
    // SAFETY: by the caller's promise.
    unsafe { &mut (*heap_thread(th)).walk }
}

/// The objects that the walk of a stopped thread has still to look at.
pub(crate) fn roots(th: &Thread, slots: &mut dyn FnMut(*mut u64)) {
    // SAFETY: the thread is stopped.
    unsafe { walk_of(th) }.found.iter_mut().for_each(|f| slots(&raw mut f.object));
}

/// The number of objects that the walk has made SHARED, and of its steps.
fn run(th: &Thread, begin: impl FnOnce(&mut Walk), may_poll: bool) -> (u64, usize) {
    debug_assert!(policy::vbd(), "a LOCAL object under -XX:-VBD");
    // SAFETY: the calling thread's own; not kept across the poll below.
    unsafe { begin(walk_of(th)) };
    let mut steps = 0;
    loop {
        // SAFETY: as above.
        let walk = unsafe { walk_of(th) };
        steps += walk.go(if may_poll { STEPS } else { usize::MAX });
        if walk.is_over() {
            return (walk.finish(), steps);
        }
        // Compiled code may owe a fence (`jit::passes::fences`).
        emit::full();
        concord_safepoint::poll(th);
    }
}

/// Makes the LOCAL object `o` and all that it reaches SHARED. Polls, hence may collect; `th` is the
/// calling thread, in the VM, and holds no lock that a stopped thread may want.
#[cold]
#[inline(never)]
pub fn publish(th: &Thread, o: Obj) {
    let watched = policy::counting() || log::enabled(Tag::Vbd, Level::Debug);
    if watched || !publish_small(o) {
        walk_from(th, o, true);
    }
}
/// The same, by a walk at once, for whoever has tried `publish_small`; and without polls, if it must be. The steps taken.
#[cold]
#[inline(never)]
pub fn walk_from(th: &Thread, o: Obj, may_poll: bool) -> usize {
    let before = log::enabled(Tag::Vbd, Level::Debug).then(|| o.class());
    let (n, steps) = run(th, |w| w.shade(o), may_poll);
    if let Some(class) = before {
        vm_log!(Vbd, Debug, "thread {} published {n} objects from a {}", th.id.get(), class.name);
    }
    // Named by this frame until here, which keeps and pins it.
    std::hint::black_box(o);
    steps
}
/// The same without a poll, for callers that could not bear one.
#[cold]
#[inline(never)]
pub fn publish_without_poll(o: Obj) {
    if o.is_local() && (policy::counting() || !publish_small(o)) {
        run(Thread::current(), |w| w.shade(o), false);
    }
}

/// Before `value` is stored into `target` (null: a root of the VM): publishes it if need be. Polls
/// as [`publish`] does.
#[inline(always)]
pub fn publish_value(th: &Thread, target: Obj, value: Obj) {
    if !value.is_null() && value.is_local() && (target.is_null() || !target.is_local()) {
        publish(th, value);
        std::hint::black_box(target);
    }
}

/// Before elements `from .. from + len` of the LOCAL `src` are copied into a SHARED array: makes
/// what they refer to SHARED. Polls.
#[cold]
#[inline(never)]
pub fn publish_elements(th: &Thread, src: Obj, from: usize, len: usize) {
    let mut at = from;
    while at < from + len {
        let end = (at + STEPS).min(from + len);
        run(th, |w| w.elements(src, at, end), true);
        at = end;
    }
    std::hint::black_box(src);
}
#[cold]
#[inline(never)]
pub(crate) fn publish_elements_without_poll(src: Obj, from: usize, len: usize) {
    run(Thread::current(), |w| w.elements(src, from, from + len), false);
}

/// As [`publish`] for an object of another thread, which is stopped: whoever looks at stopped
/// threads does this before he keeps what he has found.
pub fn publish_at_stop(stopped: &Stopped, o: Obj) {
    if !o.is_null() {
        end_walks(stopped);
        publish_after_walks(stopped, o);
    }
}

/// Brings the walks of stopped threads to their end. An object that is SHARED may be one that its
/// thread has not looked at yet.
pub(crate) fn end_walks(stopped: &Stopped) {
    let mut walk = Walk::default();
    for th in stopped.threads() {
        // SAFETY: the world is stopped. The owner goes on with an empty list.
        walk.found.append(unsafe { &mut walk_of(th).found });
    }
    if !walk.is_over() {
        walk.go(usize::MAX);
        walk.finish();
    }
}

/// As [`publish_at_stop`], behind [`end_walks`].
pub(crate) fn publish_after_walks(_stopped: &Stopped, o: Obj) {
    if !o.is_local() {
        return;
    }
    let mut walk = Walk::default();
    walk.shade(o);
    walk.go(usize::MAX);
    let n = walk.finish();
    vm_log!(Vbd, Debug, "{n} objects published at a stop, from a {}", o.class().name);
}
