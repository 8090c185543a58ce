//! What the collector must know of the runtime: roots, weak tables, java.lang.ref.
//!
//! Invariant: everything off the heap that holds a reference is visited here or in the thread
//! block. Java frames are precise: the map of a frame comes from an abstract interpretation of its
//! bytecode (decision C14), not from the verifier.
use crate::events::{self, Event};
use crate::info::{ClassExt, MethodExt};
use crate::{handles, known, loader, monitor_roots, strings, unload};
use concord_base::bug;
use concord_classfile::oopmap::{CodeView, MethodMaps, OopMap};
use concord_contract::class::{Root, flags};
use concord_contract::entries::{engine, tiers};
use concord_contract::frame::{Frame, compiled_stretches, frames};
use concord_contract::method::{NULL_CONSTANT, mflags};
use concord_contract::{Class, ClassRef, MethodRef, Obj, Thread};
use concord_heap::{GcInfo, ReferenceKind, ReferenceLayout, RootProvider};
use concord_safepoint::Stopped;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, RwLock};

static ROOTS: Mutex<Vec<&'static Root>> = Mutex::new(Vec::new());
/// Addresses of constant-pool-cache words that hold references, of classes that stay.
static CONSTANTS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// Words of classes (mirror, constants, and roots of those that can be unloaded), set since the last collection or naming
/// what is still young: all others of them name old objects. A collection of the nursery visits these only.
static FRESH: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// Head of the pending list of java.lang.ref.
static PENDING: Root = Root::new();
static PENDING_LOCK: Mutex<()> = Mutex::new(());
static PENDING_CHANGED: Condvar = Condvar::new();
static PENDING_NEWS: AtomicBool = AtomicBool::new(false);

/// Makes `o` what the root holds. Every thread can read a root, so `o` is published.
pub fn keep(r: &Root, o: Obj) {
    share(o);
    r.set(o);
}
/// Publishes `o` before it goes where other threads find it: into a root, a handle that any thread
/// may use, another thread's block. Never polls.
pub fn share(o: Obj) {
    if !o.is_null() {
        concord_heap::publish_without_poll(o);
    }
}
/// A new root that lives for ever.
pub fn new_root() -> &'static Root {
    let r: &'static Root = Box::leak(Box::new(Root::new()));
    ROOTS.lock().expect("roots").push(r);
    r
}
/// Registers a root that lives for ever.
pub fn add_root(r: &'static Root) {
    ROOTS.lock().expect("roots").push(r);
}
/// A new root that lives as long as `owner` and holds `o`.
pub fn new_root_of(owner: ClassRef, o: Obj) -> &'static Root {
    if !owner.has_flag(flags::UNLOADABLE) {
        let r = new_root();
        keep(r, o);
        return r;
    }
    share(o);
    let root = Box::new(Root::new());
    root.set(o);
    let p: *const Root = &*root;
    FRESH.lock().expect("new roots").push(root.slot() as usize);
    owner.info().owned.roots.lock().expect("roots of a class").push(root);
    // SAFETY: the box does not move, and lives as long as the class that its user belongs to.
    unsafe { &*p }
}
/// The class has its mirror from now on.
pub fn note_mirror(class: ClassRef) {
    FRESH.lock().expect("new roots").push(class.mirror.slot() as usize);
}
/// The cache entry `i` of `class` holds a reference from now on.
pub fn note_constant(class: ClassRef, i: u16) {
    let word = crate::resolve::entry(class, i).a.as_ptr() as usize;
    FRESH.lock().expect("new roots").push(word);
    if class.has_flag(flags::UNLOADABLE) {
        class.info().owned.constants.lock().expect("constants of a class").push(word);
    } else {
        CONSTANTS.lock().expect("constants").push(word);
    }
}
/// What a class that can be unloaded keeps outside the heap.
pub fn owned_slots(class: &Class, slots: &mut dyn FnMut(*mut u64)) {
    let owned = &class.info_ref().owned;
    for r in owned.roots.lock().expect("roots of a class").iter() {
        slots(r.slot());
    }
    for w in owned.constants.lock().expect("constants of a class").iter() {
        constant_slot(*w, slots);
    }
}
fn constant_slot(word: usize, slots: &mut dyn FnMut(*mut u64)) {
    let p = word as *mut u64;
    // SAFETY: a word of a cache that lives. The null marker is no address.
    if unsafe { *p } != NULL_CONSTANT {
        slots(p);
    }
}

/// What is told of each collection at its begin, at the stop: whether it is full.
static BEFORE_COLLECTION: RwLock<Vec<fn(bool)>> = RwLock::new(Vec::new());
/// What is told of each collection at its end, at the stop: whether it was full.
static AFTER_COLLECTION: OnceLock<fn(bool)> = OnceLock::new();

/// Adds what is told when a collection begins, unless it is there. It must not allocate in the heap, nor wait for what a
/// stopped thread may hold.
pub fn add_before_collection(f: fn(bool)) {
    let mut all = BEFORE_COLLECTION.write().expect("what is told of collections");
    if !all.iter().any(|g| std::ptr::fn_addr_eq(*g, f)) {
        all.push(f);
    }
}
/// Sets what is told of collections; the first one counts. It must neither allocate nor block.
pub fn set_after_collection(f: fn(bool)) {
    AFTER_COLLECTION.get_or_init(|| f);
}

/// What is told of each collection of the full heap, before it and behind it.
static AT_FULL_COLLECTION: OnceLock<fn(&Stopped, bool)> = OnceLock::new();

/// Sets what may walk the heap then; the first one counts. It must not allocate in the heap.
pub fn set_at_full_collection(f: fn(&Stopped, bool)) {
    AT_FULL_COLLECTION.get_or_init(|| f);
}

/// The runtime as the collector sees it.
pub struct Provider;

impl RootProvider for Provider {
    fn scan_thread(&self, th: &Thread, slots: &mut dyn FnMut(*mut u64), words: &mut dyn FnMut(usize)) {
        let mut map = OopMap::default();
        for f in frames(th) {
            // Running code keeps its class.
            if let Some(m) = f.method() {
                unload::class_root(m.class, slots);
            }
            scan_frame(&f, &mut map, slots, words);
        }
        crate::allocations::roots(th, slots);
    }
    fn allocated(&self, th: &Thread, at: usize, size: usize) {
        crate::allocations::note(th, at, size);
    }
    fn mostly_published(&self, classes: &[ClassRef]) {
        if let Some(tiers) = tiers() {
            tiers.mostly_published(classes);
        }
    }
    fn compiled_stretches(&self, th: &Thread, each: &mut dyn FnMut(usize, usize)) {
        compiled_stretches(th, each)
    }
    fn scan_globals(&self, whole_heap: bool, slots: &mut dyn FnMut(*mut u64)) {
        let full = whole_heap && unload::in_full_collection();
        // In a collection of the full heap, what can be unloaded is found by whoever uses it.
        for l in loader::all_loaders().into_iter().filter(|l| !full || !l.is_unloadable()) {
            slots(l.java.slot());
            slots(l.unnamed_module.slot());
            l.dependencies(slots);
        }
        let root = |r: &Root, slots: &mut dyn FnMut(*mut u64)| {
            if !r.get().is_null() {
                slots(r.slot());
            }
        };
        root(&PENDING, slots);
        for r in ROOTS.lock().expect("roots").iter() {
            root(r, slots);
        }
        if whole_heap {
            loader::all_classes(&mut |c| {
                if !full || !c.has_flag(flags::UNLOADABLE) {
                    root(&c.mirror, slots);
                }
                if !full && c.has_flag(flags::UNLOADABLE) && c.is_instance_class() {
                    owned_slots(c, slots);
                }
            });
            for a in CONSTANTS.lock().expect("constants").iter() {
                constant_slot(*a, slots);
            }
        } else {
            for w in FRESH.lock().expect("new roots").iter() {
                constant_slot(*w, slots);
            }
        }
        if !full {
            crate::modules::unloadable_roots(slots);
        }
        handles::global_slots(slots);
        crate::oom::roots(slots);
        monitor_roots::strong_slots(slots);
    }
    fn pinned(&self, whole_heap: bool, objects: &mut dyn FnMut(Obj)) {
        // The holders of statics are born old.
        if !whole_heap {
            return;
        }
        let full = unload::in_full_collection();
        loader::all_classes(&mut |c| {
            let s = c.statics.get();
            let may_move = full && c.has_flag(flags::UNLOADABLE);
            if !s.is_null() && !may_move {
                objects(s);
            }
        });
    }
    fn begin(&self, full: bool) {
        for f in BEFORE_COLLECTION.read().expect("what is told of collections").iter() {
            f(full);
        }
        unload::begin(full);
    }
    fn class_edges(&self, o: Obj, id: u32, slots: &mut dyn FnMut(*mut u64)) {
        unload::class_edges(o, id, slots);
    }
    fn native_bounds(&self) -> (usize, usize) {
        unload::native_bounds()
    }
    fn native_word(&self, word: usize, slots: &mut dyn FnMut(*mut u64)) {
        unload::native_word(word, slots);
    }
    fn unload(&self, visit: &mut dyn FnMut(*mut u64) -> bool) {
        unload::unload(visit);
    }
    fn weak_slots(&self, full: bool, visit: &mut dyn FnMut(*mut u64) -> bool) {
        // A word whose object is dead is 0 afterwards, which both tables know as free.
        let mut each = |p: *mut u64| {
            visit(p);
        };
        strings::intern_slots(full, &mut each);
        handles::weak_slots(&mut each);
        monitor_roots::weak_slots(visit);
    }
    fn reference_layout(&self) -> Option<ReferenceLayout> {
        known::ready().then(|| {
            let o = known::offsets();
            ReferenceLayout {
                referent: o.ref_referent,
                next: o.ref_next,
                discovered: o.ref_discovered,
                timestamp: o.soft_timestamp,
            }
        })
    }
    fn reference_kind(&self, class: &Class) -> ReferenceKind {
        let k = known::classes();
        if class.is_subclass_of(k.soft_reference) {
            ReferenceKind::Soft
        } else if class.is_subclass_of(k.weak_reference) {
            ReferenceKind::Weak
        } else if class.is_subclass_of(k.final_reference) {
            ReferenceKind::Final
        } else {
            ReferenceKind::Phantom
        }
    }
    fn enqueue_pending(&self, head: Obj, tail: Obj) {
        tail.put_u32(known::offsets().ref_discovered, PENDING.get().encode());
        PENDING.set(head);
        PENDING_NEWS.store(true, Ordering::Release);
    }
    fn publish_monitor(&self, lock_word: &AtomicU32) {
        crate::sync::table().publish(lock_word);
    }
    fn gc_started(&self) {
        if let Some(l) = events::listener(Event::GcStart) {
            l.collection(Event::GcStart);
        }
    }
    fn at_full_collection(&self, stopped: &Stopped, over: bool) {
        if let Some(f) = AT_FULL_COLLECTION.get().filter(|_| known::ready()) {
            f(stopped, over);
        }
    }
    fn gc_finished(&self, info: &GcInfo) {
        unload::finish();
        keep_fresh(info.full);
        if let Some(f) = AFTER_COLLECTION.get() {
            f(info.full);
        }
        if let Some(l) = events::listener(Event::GcFinish).or_else(|| events::listener(Event::ObjectFree)) {
            l.collection(Event::GcFinish);
        }
        if known::ready() {
            // SoftReference.clock is what get() copies into a reference's timestamp.
            let clock = known::classes().soft_reference.statics.get();
            if !clock.is_null() {
                clock.put_u64(known::offsets().soft_clock, concord_base::log::uptime().as_millis() as u64);
            }
        }
        if PENDING_NEWS.swap(false, Ordering::AcqRel) {
            let _g = PENDING_LOCK.lock().expect("pending list");
            PENDING_CHANGED.notify_all();
        }
    }
}

/// Which words of classes the next collection visits: those that name what this one could not make old. After one of the
/// full heap, which may have freed words, they are looked for in the classes that are left.
fn keep_fresh(full: bool) {
    // SAFETY: a word of a class that lives; the world is stopped.
    let is_young = |word: usize| concord_heap::is_young(unsafe { *(word as *const u64) } as usize);
    let mut fresh = FRESH.lock().expect("new roots");
    if !full {
        return fresh.retain(|word| is_young(*word));
    }
    fresh.clear();
    let mut keep = |word: usize| {
        if is_young(word) {
            fresh.push(word);
        }
    };
    loader::all_classes(&mut |c| {
        keep(c.mirror.slot() as usize);
        if c.has_flag(flags::UNLOADABLE) && c.is_instance_class() {
            owned_slots(c, &mut |slot| keep(slot as usize));
        }
    });
    CONSTANTS.lock().expect("constants").iter().for_each(|word| keep(*word));
}

/// Reference.getAndClearReferencePendingList. The collector changes the list at stops only, so
/// the read and the write are one step for it; only the ReferenceHandler calls this.
pub fn take_pending() -> Obj {
    let o = PENDING.get();
    PENDING.set(Obj::NULL);
    o
}
pub fn has_pending() -> bool {
    !PENDING.get().is_null()
}
/// Waits until the pending list is not empty.
pub fn wait_pending(th: &Thread) {
    while !has_pending() {
        crate::blocking(th, || {
            let g = PENDING_LOCK.lock().expect("pending list");
            // The list may have grown between the test and the lock; a bounded wait sees it.
            let r = PENDING_CHANGED.wait_timeout(g, std::time::Duration::from_millis(200));
            drop(r.expect("pending list"));
        });
    }
}

/// The references among the first `count` argument slots of `m` at `base`.
fn arguments(m: MethodRef, base: *mut u64, count: usize, slots: &mut dyn FnMut(*mut u64)) {
    let mut i = 0;
    if !m.is_static() {
        if count > 0 {
            slots(base);
        }
        i = 1;
    }
    for t in MethodExt::info(m).params.iter() {
        if i >= count {
            return;
        }
        if t.is_ref() {
            // SAFETY: within the arguments of the frame.
            slots(unsafe { base.add(i) });
        }
        i += t.slots();
    }
}

fn scan_frame(f: &Frame, map: &mut OopMap, slots: &mut dyn FnMut(*mut u64), words: &mut dyn FnMut(usize)) {
    if let Some((a, i)) = f.activation() {
        // The slots of inlined frames are the physical frame's.
        if i == 0 {
            a.refs().for_each(&mut *slots);
            a.code.virtual_classes.iter().for_each(|c| unload::class_root(c, slots));
        }
        unload::class_root(a.call.sites[i].0.class, slots);
        return;
    }
    let Some(m) = f.method() else {
        if let Some(t) = f.entry_target() {
            unload::class_root(t.class, slots);
        }
        arguments_under_way(f, slots);
        return;
    };
    // What stands for an abstract method throws while its arguments are all that its frame holds.
    if m.bytecode.is_empty() || m.has(mflags::OVERPASS) {
        native_arguments(m, f, slots);
        return;
    }
    map_of(m, f, map);
    // Locals lie in two pieces: arguments at `lp`, the others above them, both without a gap.
    for i in map.local_refs() {
        // SAFETY: a local of the frame.
        slots(unsafe { f.lp.add(i) });
    }
    // SAFETY: top and fp are in the same stack.
    let depth = unsafe { f.top.offset_from(f.fp) };
    for i in map.stack_refs().take_while(|i| (*i as isize) < depth) {
        // SAFETY: an operand of the frame.
        slots(unsafe { f.fp.add(i) });
    }
    let locals = m.max_locals as usize;
    for i in map.maybe().take_while(|i| *i < locals + depth.max(0) as usize) {
        // SAFETY: as above; the word is only looked at.
        words(unsafe { *if i < locals { f.lp.add(i) } else { f.fp.add(i - locals) } } as usize);
    }
}

/// References of an entry frame: arguments on their way to a callee whose frame does not stand yet.
pub fn arguments_under_way(f: &Frame, slots: &mut dyn FnMut(*mut u64)) {
    // SAFETY: top and fp are in the same stack.
    let count = unsafe { f.top.offset_from(f.fp) };
    if let Some(t) = f.entry_target().filter(|_| count > 0) {
        arguments(t, f.fp, count as usize, slots);
    }
}
/// References among the arguments of a native method.
pub fn native_arguments(m: MethodRef, f: &Frame, slots: &mut dyn FnMut(*mut u64)) {
    arguments(m, f.lp, m.nargs(), slots);
}
/// References of an interpreter's frame, with their slots: locals, and the operand stack behind them.
pub fn variables(f: &Frame, each: &mut dyn FnMut(i32, *mut u64)) {
    let Some(m) = f.method() else { return };
    let operands = f.fp as usize;
    scan_frame(
        f,
        &mut OopMap::default(),
        &mut |p| {
            let (base, from) = if (p as usize) < operands { (f.lp, 0) } else { (f.fp, i32::from(m.max_locals)) };
            // SAFETY: both are in the frame.
            each(from + unsafe { p.offset_from(base) } as i32, p)
        },
        &mut |_| {},
    );
}

/// Makes `map` that of the frame's instruction.
fn map_of(m: MethodRef, f: &Frame, map: &mut OopMap) {
    let Some(view) = view(m) else { bug!("{m:?} has code but no class file") };
    let maps = MethodExt::info(m).oop_maps.get_or_init(|| match MethodMaps::compute(&view) {
        Ok(maps) => Box::new(maps),
        Err(e) => bug!("no reference maps for {m:?}: {e:?}"),
    });
    let bci = engine().bci_at(m, f.instruction());
    if let Err(e) = maps.at_into(&view, bci as usize, map) {
        bug!("no reference map for {m:?} at {bci}: {e:?}");
    }
}

/// The method's code as the abstract interpreter reads it.
pub fn view(m: MethodRef) -> Option<CodeView<'static>> {
    let parsed = MethodExt::info(m).parsed?;
    CodeView::of(m.class.info_ref().file, parsed)
}

/// Short cut to the class's runtime part.
trait InfoRef {
    fn info_ref(&self) -> &'static crate::ClassInfo;
}
impl InfoRef for Class {
    fn info_ref(&self) -> &'static crate::ClassInfo {
        crate::info::ClassExt::info(self)
    }
}
