//! What the collector must know of the runtime: roots, weak tables, java.lang.ref.
//!
//! Invariant: everything off the heap that holds a reference is visited here or in the thread
//! block. Java frames are precise: the map of a frame comes from an abstract interpretation of its
//! bytecode (decision C14), not from the verifier.
use crate::info::MethodExt;
use crate::{handles, known, loader, monitor_roots, strings};
use concord_base::bug;
use concord_classfile::oopmap::{CodeView, MethodMaps, OopMap};
use concord_contract::class::Root;
use concord_contract::entries::engine;
use concord_contract::frame::{Frame, frames};
use concord_contract::method::NULL_CONSTANT;
use concord_contract::{Class, ClassRef, MethodRef, Obj, Thread};
use concord_heap::{GcInfo, ReferenceKind, ReferenceLayout, RootProvider};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

static ROOTS: Mutex<Vec<&'static Root>> = Mutex::new(Vec::new());
/// Addresses of constant-pool-cache words that hold references.
static CONSTANTS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// Head of the pending list of java.lang.ref.
static PENDING: Root = Root::new();
static PENDING_LOCK: Mutex<()> = Mutex::new(());
static PENDING_CHANGED: Condvar = Condvar::new();
static PENDING_NEWS: AtomicBool = AtomicBool::new(false);

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
/// The cache entry `i` of `class` holds a reference from now on.
pub fn note_constant(class: ClassRef, i: u16) {
    let e = crate::resolve::entry(class, i);
    CONSTANTS.lock().expect("constants").push(e.a.as_ptr() as usize);
}

/// The runtime as the collector sees it.
pub struct Provider;

impl RootProvider for Provider {
    fn scan_thread(&self, th: &Thread, slots: &mut dyn FnMut(*mut u64)) {
        let mut map = OopMap::default();
        for f in frames(th) {
            scan_frame(&f, &mut map, slots);
        }
    }
    fn scan_globals(&self, _full: bool, slots: &mut dyn FnMut(*mut u64)) {
        let mut root = |r: &Root| {
            if !r.get().is_null() {
                slots(r.slot());
            }
        };
        root(&PENDING);
        for l in loader::all_loaders() {
            root(&l.java);
            root(&l.unnamed_module);
        }
        for r in ROOTS.lock().expect("roots").iter() {
            root(r);
        }
        loader::all_classes(&mut |c| root(&c.mirror));
        handles::global_slots(slots);
        crate::oom::roots(slots);
        monitor_roots::strong_slots(slots);
        for a in CONSTANTS.lock().expect("constants").iter() {
            let p = *a as *mut u64;
            // SAFETY: words of caches, which are never freed. The null marker is no address.
            if unsafe { *p } != NULL_CONSTANT {
                slots(p);
            }
        }
    }
    fn pinned(&self, objects: &mut dyn FnMut(Obj)) {
        loader::all_classes(&mut |c| {
            let s = c.statics.get();
            if !s.is_null() {
                objects(s);
            }
        });
    }
    fn weak_slots(&self, _full: bool, visit: &mut dyn FnMut(*mut u64) -> bool) {
        // A word whose object is dead is 0 afterwards, which both tables know as free.
        let mut each = |p: *mut u64| {
            visit(p);
        };
        strings::intern_slots(&mut each);
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
    fn gc_finished(&self, _info: &GcInfo) {
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

fn scan_frame(f: &Frame, map: &mut OopMap, slots: &mut dyn FnMut(*mut u64)) {
    let Some(m) = f.method() else {
        // Arguments on their way to a callee whose frame does not stand yet.
        // SAFETY: top and fp are in the same stack.
        let count = unsafe { f.top.offset_from(f.fp) };
        if let (Some(t), 1..) = (f.entry_target(), count) {
            arguments(t, f.fp, count as usize, slots);
        }
        return;
    };
    if m.bytecode.is_empty() {
        arguments(m, f.lp, m.nargs(), slots);
        return;
    }
    let Some(view) = view(m) else { bug!("{m:?} has code but no class file") };
    let maps = MethodExt::info(m).oop_maps.get_or_init(|| match MethodMaps::compute(&view) {
        Ok(maps) => Box::new(maps),
        Err(e) => bug!("no reference maps for {m:?}: {e:?}"),
    });
    let bci = engine().bci_at(m, f.instruction());
    if let Err(e) = maps.at_into(&view, bci as usize, map) {
        bug!("no reference map for {m:?} at {bci}: {e:?}");
    }
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
