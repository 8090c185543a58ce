//! java.lang.ref in the order of JDK 17.
//!
//! Invariant: a referent is cleared only when its object is not reachable by stronger paths in this
//! collection; every reference that this collection cleared or found finalizable is on the pending
//! chain exactly once, and every other reference leaves the collection with `discovered` as before.
//!
//! | state of a reference | referent | next | discovered |
//! |---|---|---|---|
//! | active | object | null | null; itself while on the list below |
//! | pending, or finalizable | null, or object | null, or itself | next pending reference, or null |
//! | in a queue, or done | null | next in the queue, or itself | null |
//!
//! Steps: (discovery) an active reference whose referent is not reached yet goes on the list instead
//! of having its referent visited, unless it is soft and used lately; then, each after the closure
//! of the step before:
//! 1. soft and weak: dead referents are cleared, the references become pending;
//! 2. final: dead referents are kept, `next` becomes the reference itself, pending. From here on
//!    newly found references hold their referents strongly, as in HotSpot;
//! 3. phantom: dead referents are cleared, pending; then the VM's weak words.
//!
//! In a young collection only references that are scanned are treated. That is complete: an old
//! reference to a young object has been written since the last collection, hence is scanned. Both kinds of collections
//! come here, and say where an object is now, if they have reached it.
use crate::binding::{Concord, collector, heap};
use crate::eden;
use crate::object_model::Model;
use crate::roots::{ReferenceKind, ReferenceLayout, provider};
use crate::slot::{RefSlot, reference};
use concord_base::{bug, vm_log};
use concord_contract::Obj;
use concord_safepoint::Stopped;
use mmtk::scheduler::GCWorker;
use mmtk::util::ObjectReference;
use mmtk::util::opaque_pointer::VMWorkerThread;
use mmtk::vm::slot::Slot;
use mmtk::vm::{ObjectModel, ObjectTracer, ObjectTracerContext, ReferenceGlue};
use std::sync::Mutex;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicUsize};

/// MMTk's own reference processor is off.
pub struct NoBuiltInReferences;

fn unused() -> ! {
    bug!("the collector's own reference processor is switched off")
}

impl ReferenceGlue<Concord> for NoBuiltInReferences {
    type FinalizableType = ObjectReference;
    fn clear_referent(_: ObjectReference) {
        unused()
    }
    fn get_referent(_: ObjectReference) -> Option<ObjectReference> {
        unused()
    }
    fn set_referent(_: ObjectReference, _: ObjectReference) {
        unused()
    }
    fn enqueue_references(_: &[ObjectReference], _: VMWorkerThread) {
        unused()
    }
}

/// Offsets of referent, next, discovered, timestamp; 0 until they are known.
static OFFSETS: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];
/// Whether active references go on the list.
static DISCOVERING: AtomicBool = AtomicBool::new(false);
/// What SoftReference.clock holds: milliseconds at the end of the last collection.
static CLOCK: AtomicI64 = AtomicI64::new(0);
/// Soft references used less than so many milliseconds before `CLOCK` are strong; -1: none is.
static SOFT_LIFE: AtomicI64 = AtomicI64::new(-1);
/// Whether the collector's closure of what is strong has ended.
static STRONG_DONE: AtomicBool = AtomicBool::new(false);

/// Discovered references by worker, then by strength.
const SHARDS: usize = 8;
static DISCOVERED: [Mutex<Found>; SHARDS] = [const { Mutex::new(Found::new()) }; SHARDS];
/// References that will be pending.
static PENDING: Mutex<Vec<usize>> = Mutex::new(Vec::new());

#[derive(Default)]
struct Found {
    soft_weak: Vec<usize>,
    final_: Vec<usize>,
    phantom: Vec<usize>,
}

impl Found {
    const fn new() -> Found {
        Found { soft_weak: Vec::new(), final_: Vec::new(), phantom: Vec::new() }
    }
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    match m.lock() {
        Ok(g) => g,
        Err(_) => bug!("a collector thread died while it processed references"),
    }
}

fn shard() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static MINE: usize = NEXT.fetch_add(1, Relaxed) % SHARDS);
    MINE.with(|m| *m)
}

fn offsets() -> ReferenceLayout {
    let at = |i: usize| OFFSETS[i].load(Relaxed) as usize;
    ReferenceLayout { referent: at(0), next: at(1), discovered: at(2), timestamp: at(3) }
}

fn object(address: usize) -> Obj {
    // SAFETY: this module keeps addresses of live references only, in one collection.
    unsafe { Obj::from_addr(address) }
}

fn slot(address: usize, offset: usize) -> &'static AtomicU32 {
    // SAFETY: a reference field of a live reference; the world is stopped.
    unsafe { AtomicU32::from_ptr(object(address).at(offset)) }
}

/// The next full collection clears all soft references.
static CLEAR_SOFT: AtomicBool = AtomicBool::new(false);

/// Asks the next full collection to clear all soft references.
pub fn clear_soft() {
    CLEAR_SOFT.store(true, Relaxed);
}

/// Begins the young collection with which one of the full heap begins: all references hold what they refer to, and the
/// collector decides about them later, in one go.
pub fn prepare_to_hold() {
    learn_offsets();
    DISCOVERING.store(false, Release);
}

fn learn_offsets() {
    if let Some(l) = provider().reference_layout() {
        for (o, v) in OFFSETS.iter().zip([l.referent, l.next, l.discovered, l.timestamp]) {
            o.store(v as u32, Relaxed);
        }
    }
}

/// Begins a collection; called with the world stopped, before anything is scanned.
pub fn prepare(full: bool) {
    learn_offsets();
    let options = &heap().options;
    let asked = full && CLEAR_SOFT.swap(false, Relaxed);
    let life = if asked || full && collector().is_emergency_collection() {
        -1
    } else {
        let free = options.max.saturating_sub(crate::gc_log::used_after_last()) >> 20;
        (free as i64).saturating_mul(options.soft_ref_ms_per_mb as i64)
    };
    SOFT_LIFE.store(life, Relaxed);
    STRONG_DONE.store(false, Relaxed);
    DISCOVERING.store(true, Release);
}

/// What a scan of the reference at `address` does beside its ordinary fields.
#[inline(never)]
pub fn discover(address: usize, is_reached: impl Fn(usize) -> bool, mut visit: impl FnMut(RefSlot)) {
    let l = offsets();
    if l.referent == 0 {
        bug!("a reference was allocated before java.lang.ref.Reference was laid out");
    }
    let mut strong = |offset| visit(RefSlot::heap(address + offset));
    let referent = slot(address, l.referent).load(Relaxed);
    if referent == 0 || !DISCOVERING.load(Acquire) {
        strong(l.referent);
        strong(l.discovered);
        return;
    }
    let kind = provider().reference_kind(object(address).class());
    let inactive = kind == ReferenceKind::Final && slot(address, l.next).load(Relaxed) != 0;
    let young = kind == ReferenceKind::Soft
        && CLOCK.load(Relaxed) - object(address).get_i64(l.timestamp) <= SOFT_LIFE.load(Relaxed);
    if inactive || young {
        strong(l.referent);
        strong(l.discovered);
        return;
    }
    if is_reached(Obj::decode(referent).addr()) {
        strong(l.referent);
        return;
    }
    let me = object(address).encode();
    // An object may be scanned twice; the exchange puts it on the list once.
    if slot(address, l.discovered).compare_exchange(0, me, Relaxed, Relaxed).is_ok() {
        let mut found = lock(&DISCOVERED[shard()]);
        match kind {
            ReferenceKind::Soft | ReferenceKind::Weak => found.soft_weak.push(address),
            ReferenceKind::Final => found.final_.push(address),
            ReferenceKind::Phantom => found.phantom.push(address),
        }
    }
}

fn take(of: impl Fn(&mut Found) -> &mut Vec<usize>) -> Vec<usize> {
    let mut all = Vec::new();
    for shard in &DISCOVERED {
        all.append(of(&mut lock(shard)));
    }
    all
}

/// Splits off the references whose referents are dead; the others get their referents' new
/// addresses and leave the list.
fn dead_of(list: Vec<usize>, now: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    let l = offsets();
    list.into_iter()
        .filter(|at| {
            let referent = RefSlot::heap(at + l.referent);
            if referent.target() == 0 {
                // Cleared while it was on the list: impossible with the world stopped.
                bug!("the referent of {} vanished during a collection", crate::walk::describe(object(*at)));
            };
            if let Some(address) = now(referent.target()) {
                update(referent, address);
                slot(*at, l.discovered).store(0, Relaxed);
                return false;
            }
            true
        })
        .collect()
}

/// Has a slot name where its object is now.
fn update(slot: RefSlot, address: usize) {
    slot.set(address);
    if eden::contains(address) {
        crate::scavenge::met(slot);
    }
}

fn clear_dead(list: Vec<usize>, now: impl Fn(usize) -> Option<usize>) -> usize {
    let l = offsets();
    let mut dead = dead_of(list, now);
    dead.iter().for_each(|at| slot(*at, l.referent).store(0, Relaxed));
    let n = dead.len();
    lock(&PENDING).append(&mut dead);
    n
}

/// Steps 1 and 2, after the closure of what is strong: the slots of finalizable referents, which are to be traced.
pub fn after_strong(now: impl Fn(usize) -> Option<usize>) -> Vec<RefSlot> {
    let n = clear_dead(take(|f| &mut f.soft_weak), &now);
    vm_log!(GcRef, Debug, "Soft and weak references cleared: {n}");
    DISCOVERING.store(false, Release);
    let mut finalizable = dead_of(take(|f| &mut f.final_), &now);
    vm_log!(GcRef, Debug, "Final references found: {}", finalizable.len());
    let l = offsets();
    let referents = finalizable
        .iter()
        .map(|at| {
            slot(*at, l.next).store(object(*at).encode(), Relaxed);
            RefSlot::heap(at + l.referent)
        })
        .collect();
    lock(&PENDING).append(&mut finalizable);
    referents
}

/// Step 3, after the closure of what is finalizable.
pub fn after_final(full: bool, now: impl Fn(usize) -> Option<usize>) {
    let n = clear_dead(take(|f| &mut f.phantom), &now);
    vm_log!(GcRef, Debug, "Phantom references cleared: {n}");
    let mut update_weak = |word: *mut u64| update_weak(word, &now);
    provider().weak_slots(full, &mut update_weak);
    if full {
        provider().unload(&mut update_weak);
    }
}

/// Runs after each closure of the collector's; true asks for another one.
pub fn process(worker: &mut GCWorker<Concord>, context: impl ObjectTracerContext<Concord>) -> bool {
    if !STRONG_DONE.swap(true, Relaxed) {
        let referents = after_strong(now);
        if !referents.is_empty() {
            context.with_tracer(worker, |tracer| {
                for referent in referents {
                    if let Some(o) = referent.load() {
                        referent.store(tracer.trace_object(o));
                    }
                }
            });
            return true;
        }
    }
    after_final(true, now);
    false
}

/// Hands the pending references to the runtime, at the end of a collection; returns what
/// SoftReference.clock becomes. The reference handler gets to know them, so they are published.
pub fn finish(stopped: &Stopped) -> i64 {
    let pending = std::mem::take(&mut *lock(&PENDING));
    crate::publish::end_walks(stopped);
    pending.iter().for_each(|at| crate::publish::publish_after_walks(stopped, object(*at)));
    if let (Some(head), Some(tail)) = (pending.first(), pending.last()) {
        let l = offsets();
        for pair in pending.windows(2) {
            slot(pair[0], l.discovered).store(object(pair[1]).encode(), Relaxed);
        }
        slot(*tail, l.discovered).store(0, Relaxed);
        provider().enqueue_pending(object(*head), object(*tail));
        // The chain was made without a barrier, and may lead from old references to some that stay young.
        for discovered in pending.iter().map(|at| at + l.discovered) {
            if eden::contains(RefSlot::heap(discovered).target()) {
                crate::scavenge::met(RefSlot::heap(discovered));
            }
        }
        crate::scavenge::remember_met();
    }
    let now = concord_base::log::uptime().as_millis() as i64;
    CLOCK.store(now, Relaxed);
    now
}

/// Where the object at `address` is now; None if the collector has not reached it. What is in eden has been reached by the
/// young collection before. A large object that is new counts as live for MMTk from its birth; what says that the collection
/// has met it is that its nursery bit is gone.
pub fn now(address: usize) -> Option<usize> {
    const NURSERY: u8 = 2;
    if eden::contains(address) {
        return Some(address);
    }
    // SAFETY: what a reference or a weak word names is an object.
    let o = unsafe { reference(address) };
    let new = || Model::LOCAL_LOS_MARK_NURSERY_SPEC.load_atomic::<Concord, u8>(o, None, Relaxed) & NURSERY;
    let reached = o.is_reachable() && (o.is_movable() || new() == 0);
    reached.then(|| o.get_forwarded_object().unwrap_or(o).to_raw_address().as_usize())
}

/// Updates a weak word, or clears it when its object is dead.
fn update_weak(word: *mut u64, now: impl Fn(usize) -> Option<usize>) -> bool {
    let slot = RefSlot::root(word);
    if slot.target() == 0 {
        return true;
    }
    let address = now(slot.target());
    slot.set(address.unwrap_or(0));
    address.is_some()
}
