//! Class unloading (JLS 12.7): which classes and loaders nobody can reach, and giving them back.
//!
//! Invariant: a class that can be unloaded lives as long as its mirror is reachable, and a loader
//! as long as its ClassLoader object; `ClassRef`, `MethodRef` and `&Loader` are `'static` because
//! whoever holds one is seen by a collection of the full heap:
//!
//! | who names a class | how it is seen |
//! |---|---|
//! | an instance | its layout is marked; the first one met visits the class's mirror |
//! | a statics object | its layout is marked, and [`STATICS`] says whose it is |
//! | the mirror | visits statics, constants, appendices, supers, array class, loader |
//! | a ClassLoader object | visits the mirrors of the loader's classes, what they depend on, modules |
//! | a Java frame | visits the mirror of its method's class |
//! | a native frame of the VM | its words are compared with the addresses of all such classes |
//! | a Java object of the VM's (MemberName, backtrace) | holds the mirror in a field |
//! | a static of the VM's | is purged here: constraints, modules, kept failures, uses of statics |
//! | machine code, a compile queue | is told by [`on_unload`] |
//! | foreign code, by an id | the class's memory is kept ([`flags::IDS_OUT`]) |
//!
//! Classes of the boot, platform and application loader live for ever, hidden ones excepted. The
//! statics object of a class that can be unloaded is pinned in collections of the nursery only: it
//! may move in one of the full heap, and [`STATIC_USES`] says which cache entries are to follow it.
//! Unlinking happens when the closure is complete; memory is given back at the end of the pause.
use crate::compile_env::hierarchy;
use crate::info::{ClassExt, ClassInfo, MethodExt, MethodInfo};
use crate::loader::{self, Loader};
use crate::{constraints, failures, known, metaspace, methodhandles, modules, names, resolve};
use concord_base::event_log;
use concord_base::{Symbol, bug, vm_log};
use concord_contract::class::flags;
use concord_contract::entries::{engine, tiers};
use concord_contract::layout::{self, marks};
use concord_contract::{CallSite, Class, ClassRef, CpEntry, Method, MethodRef, Obj};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

static FULL: AtomicBool = AtomicBool::new(false);
/// Number of the collection of the full heap.
static EPOCH: AtomicU32 = AtomicU32::new(0);
static UNLOADED: AtomicU64 = AtomicU64::new(0);
static UNLOADED_BYTES: AtomicU64 = AtomicU64::new(0);
/// Unlinked, and to be given back at the end of the pause.
static GARBAGE: Mutex<Vec<ClassRef>> = Mutex::new(Vec::new());
/// Called with the classes that go.
type Listener = fn(&[ClassRef]);
static LISTENERS: Mutex<Vec<Listener>> = Mutex::new(Vec::new());

/// Memory of a class or loader and the word that keeps it.
struct Part {
    start: usize,
    end: usize,
    slot: usize,
}
/// By address; made at the beginning of a collection of the full heap.
static PARTS: RwLock<Vec<Part>> = RwLock::new(Vec::new());
static LOW: AtomicUsize = AtomicUsize::new(0);
static HIGH: AtomicUsize = AtomicUsize::new(0);

/// Whose statics the objects of a layout are, for classes that can be unloaded.
static STATICS: Mutex<BTreeMap<u32, ClassRef>> = Mutex::new(BTreeMap::new());

/// A constant-pool-cache entry that holds the address of a static field.
struct StaticUse {
    entry: usize,
    user: ClassRef,
    holder: ClassRef,
}
static STATIC_USES: Mutex<Vec<StaticUse>> = Mutex::new(Vec::new());

/// Classes unloaded so far, arrays left out.
pub fn unloaded_count() -> u64 {
    UNLOADED.load(Ordering::Relaxed)
}
/// Bytes of their class files.
pub fn unloaded_bytes() -> u64 {
    UNLOADED_BYTES.load(Ordering::Relaxed)
}
/// Has `f` called at every stop that unloads classes, before anything of them goes: it must make
/// sure that nothing it owns names them any more.
pub fn on_unload(f: Listener) {
    LISTENERS.lock().expect("listeners").push(f);
}
/// Whether the collection in progress is of the full heap and may unload classes.
pub fn in_full_collection() -> bool {
    FULL.load(Ordering::Relaxed)
}
/// `entry` of `user`'s cache is about to hold addresses in the statics of `holder`.
pub fn note_static_use(user: ClassRef, holder: ClassRef, entry: &'static CpEntry) {
    if holder.has_flag(flags::UNLOADABLE) {
        let entry = std::ptr::from_ref(entry) as usize;
        STATIC_USES.lock().expect("uses of statics").push(StaticUse { entry, user, holder });
    }
}

/// `-XX:+ClassUnloading`; and machine code names classes: while it is made, nothing is unloaded
/// unless somebody listens.
fn may_unload() -> bool {
    let on = concord_base::options::get().flags.class_unloading;
    on && (tiers().is_none() || !LISTENERS.lock().expect("listeners").is_empty())
}
fn epoch() -> u32 {
    EPOCH.load(Ordering::Relaxed)
}
fn unloadable(c: &Class) -> bool {
    c.has_flag(flags::UNLOADABLE)
}
fn info_of(c: &Class) -> Option<&'static ClassInfo> {
    c.is_instance_class().then(|| ClassExt::info(c))
}

/// The names that go with the class: a hidden one's.
fn own_names(c: &Class) -> impl Iterator<Item = Symbol> {
    let hidden = info_of(c).filter(|_| c.is_hidden());
    hidden.into_iter().flat_map(|i| [c.name, i.self_name])
}

/// A collection begins.
pub fn begin(full: bool) {
    let full = full && may_unload();
    FULL.store(full, Ordering::Relaxed);
    if !full {
        HIGH.store(0, Ordering::Relaxed);
        return;
    }
    EPOCH.fetch_add(1, Ordering::Relaxed);
    let mut parts = PARTS.write().expect("parts");
    parts.clear();
    let mut part = |start: usize, bytes: usize, slot: *mut u64| {
        // The address of an empty slice is nobody's.
        if bytes > 0 {
            parts.push(Part { start, end: start + bytes, slot: slot as usize });
        }
    };
    for l in loader::all_loaders() {
        if l.is_unloadable() {
            part(std::ptr::from_ref(l) as usize, size_of::<Loader>(), l.java.slot());
        }
        l.for_each(&mut |c| {
            if !unloadable(c) {
                return;
            }
            let slot = c.mirror.slot();
            part(std::ptr::from_ref(c) as usize, c.block_bytes(), slot);
            if let Some(i) = info_of(c) {
                part(std::ptr::from_ref(i) as usize, size_of::<ClassInfo>(), slot);
                part(i.method_block.as_ptr() as usize, size_of_val(i.method_block), slot);
                part(i.fields.as_ptr() as usize, size_of_val(&*i.fields), slot);
                for name in own_names(c) {
                    part(name.as_bytes().as_ptr() as usize, name.as_bytes().len(), slot);
                }
            }
        });
    }
    parts.sort_unstable_by_key(|p| p.start);
    LOW.store(parts.first().map_or(0, |p| p.start), Ordering::Relaxed);
    HIGH.store(parts.last().map_or(0, |p| p.end), Ordering::Relaxed);
}

pub fn native_bounds() -> (usize, usize) {
    (LOW.load(Ordering::Relaxed), HIGH.load(Ordering::Relaxed))
}
/// Visits the word that keeps what `word` points at or into.
pub fn native_word(word: usize, slots: &mut dyn FnMut(*mut u64)) {
    let parts = PARTS.read().expect("parts");
    let i = parts.partition_point(|p| p.start <= word);
    if let Some(p) = i.checked_sub(1).map(|i| &parts[i])
        && word < p.end
    {
        slots(p.slot as *mut u64);
    }
}

/// Visits the word that keeps a class if it can be unloaded.
pub fn class_root(c: &Class, slots: &mut dyn FnMut(*mut u64)) {
    if unloadable(c) {
        slots(c.mirror.slot());
    }
}

/// The objects of layout `id` are the statics of `class`.
pub fn own_statics(class: ClassRef, id: u32) {
    if unloadable(class) {
        STATICS.lock().expect("statics").insert(id, class);
        layout::set_marks(id, marks::STATICS);
    }
}

/// Visits what the object `o`, whose header has layout `id`, keeps alive outside the heap.
pub fn class_edges(o: Obj, id: u32, slots: &mut dyn FnMut(*mut u64)) {
    let m = layout::marks_of(id);
    if m & marks::UNLOADABLE != 0 {
        let c = layout::class_of(id);
        if c.seen.swap(epoch(), Ordering::Relaxed) != epoch() {
            slots(c.mirror.slot());
        }
    }
    if m & marks::STATICS != 0 {
        let c = STATICS.lock().expect("statics").get(&id).copied();
        c.into_iter().for_each(|c| slots(c.mirror.slot()));
    }
    if m & marks::MIRROR != 0 {
        let c = o.get_u64(known::offsets().class_vm) as *const Class;
        // SAFETY: the field is null, until the mirror is complete, or names a class that lives
        // because its mirror does.
        if let Some(c) = unsafe { c.as_ref() }.filter(|c| unloadable(c)) {
            edges_of_class(c, slots);
        }
    }
    if m & marks::LOADER != 0 {
        let l = o.get_u64(known::offsets().loader_data) as *const Loader;
        // SAFETY: the field is null or names a loader; loaders are never freed.
        if let Some(l) = unsafe { l.as_ref() }.filter(|l| l.is_unloadable()) {
            edges_of_loader(l, slots);
        }
    }
}

fn edges_of_class(c: &Class, slots: &mut dyn FnMut(*mut u64)) {
    slots(c.statics.slot());
    let array = c.array_class.load(Ordering::Acquire);
    // SAFETY: null or a class that lives as long as its component.
    if let Some(a) = unsafe { array.as_ref() } {
        slots(a.mirror.slot());
    }
    for k in c.super_class.into_iter().chain(c.component) {
        class_root(k, slots);
    }
    let l = ClassExt::loader(c);
    if l.is_unloadable() {
        slots(l.java.slot());
    }
    let Some(i) = info_of(c) else { return };
    for k in i.interfaces.iter().chain(i.nest_host.get()) {
        class_root(k, slots);
    }
    crate::roots::owned_slots(c, slots);
}

fn edges_of_loader(l: &Loader, slots: &mut dyn FnMut(*mut u64)) {
    slots(l.unnamed_module.slot());
    l.dependencies(slots);
    modules::roots_of(l, slots);
    l.for_each(&mut |c| {
        if !lives_by_itself(c) {
            slots(c.mirror.slot());
        }
    });
}

/// Whether a class may die before its loader: hidden classes without a strong link, and their
/// arrays. Such a class of a loader that lives for ever is the only kind that has the flag there.
pub fn lives_by_itself(c: &Class) -> bool {
    let mut e = c;
    while let Some(k) = e.component {
        e = k;
    }
    e.has_flag(flags::HIDDEN) && info_of(e).is_some_and(|i| i.weak)
}

/// Finds and unlinks what is dead; `visit` updates the word of what lives, false for what is dead.
pub fn unload(visit: &mut dyn FnMut(*mut u64) -> bool) {
    if !in_full_collection() || !known::ready() {
        return;
    }
    let mut dead_loaders: HashSet<usize> = HashSet::new();
    let mut dead: Vec<ClassRef> = Vec::new();
    let mut loaders = Vec::new();
    for l in loader::all_loaders() {
        let alive = !l.is_unloadable() || visit(l.java.slot());
        l.retain(|c| {
            if !unloadable(c) {
                return true;
            }
            let lives = visit(c.mirror.slot());
            if lives != alive && !(alive && lives_by_itself(c)) {
                bug!("class {} and its loader {} disagree on being reachable", c.name, l.id());
            }
            if !lives {
                dead.push(c);
            }
            lives
        });
        if !alive {
            dead_loaders.insert(std::ptr::from_ref(l) as usize);
            loaders.push(l);
        }
    }
    if !dead.is_empty() {
        unlink(&dead);
    }
    if !loaders.is_empty() {
        let is_dead = |l: &Loader| dead_loaders.contains(&(std::ptr::from_ref(l) as usize));
        constraints::unload(&is_dead);
        modules::unload(&is_dead);
        loaders.iter().for_each(|l| l.retire());
    }
    follow_statics();
    GARBAGE.lock().expect("garbage").append(&mut dead);
}

fn unlink(dead: &[ClassRef]) {
    for c in dead {
        c.flags.fetch_or(flags::UNLOADED, Ordering::Relaxed);
        if !c.is_instance_class() {
            continue;
        }
        UNLOADED.fetch_add(1, Ordering::Relaxed);
        let address = std::ptr::from_ref::<Class>(c) as usize;
        event_log::note(event_log::Kind::Unloaded, 0, format!("Unloading class 0x{address:016x} '{}'", c.name));
        let bytes = info_of(c).map_or(0, |i| i.file.bytes.len());
        UNLOADED_BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
        vm_log!(
            ClassUnload,
            Info,
            "unloading class {} {:#018x}",
            names::external(c),
            std::ptr::from_ref::<Class>(c) as usize
        );
    }
    // First, so that a compilation that begins when compilers are let go does not find them.
    hierarchy::forget(dead);
    for f in LISTENERS.lock().expect("listeners").iter() {
        f(dead);
    }
    if concord_base::options::get().flags.verify_after_gc {
        hierarchy::verify();
    }
    let methods: Vec<MethodRef> = dead.iter().filter_map(|c| info_of(c)).flat_map(own_methods).collect();
    engine().forget(&methods);
    STATIC_USES.lock().expect("uses of statics").retain(|u| !u.user.has_flag(flags::UNLOADED));
    resolve::unload(&|c| c.has_flag(flags::UNLOADED));
    let mut caches: Vec<(usize, usize)> =
        dead.iter().filter_map(|c| cache(c)).map(|c| (c.as_ptr() as usize, size_of_val(c))).collect();
    caches.sort_unstable();
    let goes = |key| {
        let i = caches.partition_point(|c| c.0 <= key);
        i > 0 && key < caches[i - 1].0 + caches[i - 1].1
    };
    methodhandles::unload(&goes);
    failures::unload(&goes);
}

fn own_methods(i: &ClassInfo) -> Vec<MethodRef> {
    let mut all = i.methods.to_vec();
    all.extend(i.owned.methods.lock().expect("methods of tables").iter());
    all
}
fn cache(c: &Class) -> Option<&'static [CpEntry]> {
    let p = c.cp_cache.load(Ordering::Acquire);
    let n = info_of(c)?.cache_len();
    // SAFETY: `init` made a cache of that length when it linked the class.
    (!p.is_null()).then(|| unsafe { std::slice::from_raw_parts(p, n) })
}

/// Cache entries follow statics objects that have moved.
fn follow_statics() {
    for u in STATIC_USES.lock().expect("uses of statics").iter() {
        // SAFETY: an entry of a class that lives.
        let e = unsafe { &*(u.entry as *const CpEntry) };
        let (now, then) = (u.holder.statics.get().addr() as u64, e.b.load(Ordering::Relaxed));
        if e.a.load(Ordering::Relaxed) != 0 && now != then {
            e.a.store(e.a.load(Ordering::Relaxed).wrapping_sub(then).wrapping_add(now), Ordering::Relaxed);
            e.b.store(now, Ordering::Relaxed);
        }
    }
}

/// The pause ends: gives the memory of unlinked classes back.
pub fn finish() {
    let dead = std::mem::take(&mut *GARBAGE.lock().expect("garbage"));
    let mut ids = Vec::new();
    for c in dead {
        ids.push(c.layout_id.load(Ordering::Relaxed));
        let statics = info_of(c).map_or(0, |i| i.statics_layout.load(Ordering::Relaxed));
        if statics != 0 {
            STATICS.lock().expect("statics").remove(&statics);
            ids.push(statics);
        }
        if !c.has_flag(flags::IDS_OUT) {
            metaspace::freed(c);
            // SAFETY: found unreachable, unlinked, and the world still stands.
            unsafe { free(c) };
        }
    }
    concord_heap::births::forget(&ids);
    // SAFETY: no instance is reachable, and whoever remembered an id was told.
    unsafe { layout::release_ids(&ids) };
    PARTS.write().expect("parts").clear();
    HIGH.store(0, Ordering::Relaxed);
}

/// # Safety
/// `p` was leaked from a boxed slice.
unsafe fn free_slice<T>(p: &'static [T]) {
    // Empty slices may never have been boxed, and own nothing.
    if !p.is_empty() {
        // SAFETY: by the caller's promise.
        unsafe { drop(Box::from_raw(p as *const [T] as *mut [T])) }
    }
}

/// # Safety
/// Nobody names the method.
unsafe fn free_parts_of(m: &Method) {
    // SAFETY: `define::method` leaked these for this method alone.
    unsafe {
        free_slice(m.exceptions);
        free_slice(m.indy_sites);
        drop(Box::from_raw(MethodExt::info(m) as *const MethodInfo as *mut MethodInfo));
    }
}

/// # Safety
/// Nobody names the class or what belongs to it.
unsafe fn free(c: ClassRef) {
    // SAFETY: all of it was leaked for this class alone, by `define`, `init`, `vtable` and `resolve`;
    // names of hidden classes are private, and their copies were seen as the class itself is.
    unsafe {
        own_names(c).for_each(|name| name.free_private());
        if let Some(table) = c.itable.get() {
            for e in table.iter().filter(|e| e.len > 0) {
                free_slice(std::slice::from_raw_parts(e.methods, e.len));
            }
        }
        if let Some(entries) = cache(c) {
            free_slice(entries);
        }
        if let Some(i) = info_of(c) {
            for site in i.owned.sites.lock().expect("call sites").drain(..) {
                drop(Box::from_raw(site as *mut CallSite));
            }
            for m in i.owned.methods.lock().expect("methods of tables").drain(..) {
                free_parts_of(m);
                drop(Box::from_raw(m as *const Method as *mut Method));
            }
            i.method_block.iter().for_each(|m| free_parts_of(m));
            free_slice(i.method_block);
            let bytes = i.owns_bytes.then_some(i.file.bytes);
            drop(Box::from_raw(std::ptr::from_ref(i.file).cast_mut()));
            drop(Box::from_raw(std::ptr::from_ref(i).cast_mut()));
            if let Some(b) = bytes {
                free_slice(b);
            }
        }
        Class::free(std::ptr::from_ref(c).cast_mut());
    }
}
