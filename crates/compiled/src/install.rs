//! Installing compiled code, and taking it away.
//!
//! Invariant: code is published (by release stores of the method's entries) only while everything
//! it depends on holds, under one lock that whoever ends a dependency takes as well. Code that lost
//! a dependency is entered by nobody from then on, and left by those in it at the next call's
//! return; that is what the stop and the watermarks are for (C15, C36). That holds for code as well
//! that was closed before, in which frames may still go on.
use crate::{area, gdb, i2c, osr, table, tiers};
use concord_base::event_log;
use concord_base::{bug, vm_log};
use concord_contract::class::flags;
use concord_contract::code_table::{Adapter, Installed};
use concord_contract::compiled::{self, CompileRequest, CompiledCode, Dependency, RelocKind, RelocTarget};
use concord_contract::frame::{code_in_use, innermost_invalid};
use concord_contract::{Class, ClassRef, Method, MethodRef, Thread, rows};
use concord_runtime::events::{self, Event, Stub};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

#[derive(Default)]
struct Registry {
    /// Code with what it depends on, by the class whose loading may end it.
    by_class: HashMap<usize, Vec<(&'static Installed, Dependency)>>,
    /// All valid code of each method.
    by_method: HashMap<usize, Vec<&'static Installed>>,
    /// Code by the classes whose addresses stand in it.
    by_embedded: HashMap<usize, Vec<&'static Installed>>,
    /// Invalid code whose memory is not free yet.
    dying: Vec<&'static Installed>,
    /// Those of them in which frames go on: what they depend on matters as before.
    loose: Vec<&'static Installed>,
}
impl Registry {
    /// What the code depends on matters no more: no frame goes on in it.
    fn forget(&mut self, code: &[&'static Installed]) {
        let gone: HashSet<usize> = code.iter().map(|c| key(*c)).collect();
        self.by_class.values_mut().for_each(|v| v.retain(|(c, _)| !gone.contains(&key(*c))));
        self.by_embedded.values_mut().for_each(|v| v.retain(|c| !gone.contains(&key(*c))));
        self.loose.retain(|c| !gone.contains(&key(*c)));
    }
}
/// Pieces closed since the last sweep.
static DYING: AtomicUsize = AtomicUsize::new(0);

static REGISTRY: Mutex<Option<Registry>> = Mutex::new(None);

/// What happened, for statistics.
#[derive(Default)]
pub struct Counters {
    pub installed: AtomicU64,
    pub installed_osr: AtomicU64,
    pub bytes: AtomicU64,
    pub invalidated: AtomicU64,
    pub refused: AtomicU64,
    pub freed: AtomicU64,
}
pub static COUNTERS: Counters = Counters {
    installed: AtomicU64::new(0),
    installed_osr: AtomicU64::new(0),
    bytes: AtomicU64::new(0),
    invalidated: AtomicU64::new(0),
    refused: AtomicU64::new(0),
    freed: AtomicU64::new(0),
};

/// Why finished code is not used.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// A class was loaded meanwhile.
    Dependency,
    AreaFull,
}

/// Whether a dependency holds now; the runtime's hierarchy knows.
type Holds = fn(&Dependency) -> bool;
static HOLDS: std::sync::OnceLock<Holds> = std::sync::OnceLock::new();

pub fn set_holds(f: Holds) {
    if HOLDS.set(f).is_err() {
        bug!("the judge of dependencies is set twice");
    }
}
fn holds(d: &Dependency) -> bool {
    match HOLDS.get() {
        Some(f) => f(d),
        None => false,
    }
}

fn registry(g: &mut MutexGuard<'static, Option<Registry>>) -> &'static mut Registry {
    let r: *mut Registry = g.get_or_insert_default();
    // SAFETY: the registry is a static; the caller keeps the guard as long as the reference.
    unsafe { &mut *r }
}

fn key<T>(p: &T) -> usize {
    std::ptr::from_ref(p) as usize
}

fn class_of(d: &Dependency) -> ClassRef {
    match d {
        Dependency::NoSubclass(c) | Dependency::UniqueTarget(c, _) | Dependency::UniqueConcrete(c, _) => c,
    }
}

/// Writes the code to the area and publishes it.
///
/// # Errors
/// Why not.
pub fn install(request: &CompileRequest, mut code: CompiledCode) -> Result<(), Refused> {
    let m = request.method;
    let Some(area) = area::get() else { bug!("code is installed before the code area exists") };
    let Some(i2c) = i2c::entry(m) else { return Err(Refused::AreaFull) };
    let size = code.bytes.len();
    let Some(at) = area.take(size) else { return Err(Refused::AreaFull) };
    let start = area.address_of(at);
    relocate(&mut code, start, m);
    area.write(at, &code.bytes);
    let installed: &'static Installed = Box::leak(Box::new(Installed::new(
        m,
        (request.osr_bci, code.osr_monitors),
        request.id,
        start,
        start + size,
        code.frame_span,
        code.calls.into_boxed_slice(),
        code.places.into_boxed_slice(),
        code.states.into_boxed_slice(),
        code.inlined.into_boxed_slice(),
    )));
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    if !code.dependencies.iter().all(holds) {
        drop(guard);
        area.give_back(at, size);
        COUNTERS.refused.fetch_add(1, Ordering::Relaxed);
        return Err(Refused::Dependency);
    }
    table::add_method(installed, at);
    for d in &code.dependencies {
        r.by_class.entry(key(class_of(d))).or_default().push((installed, *d));
    }
    for c in &code.classes {
        r.by_embedded.entry(key(*c)).or_default().push(installed);
    }
    r.by_method.entry(key(m)).or_default().push(installed);
    match request.osr_bci {
        Some(bci) => {
            osr::publish(m, bci, installed);
            COUNTERS.installed_osr.fetch_add(1, Ordering::Relaxed);
        }
        None => {
            m.compiled.store(start as *mut (), Ordering::Release);
            concord_interpreter::entry::install_compiled(m, i2c);
        }
    }
    COUNTERS.installed.fetch_add(1, Ordering::Relaxed);
    COUNTERS.bytes.fetch_add(size as u64, Ordering::Relaxed);
    crate::print::perf_map(installed);
    if let Some(text) = code.listing {
        crate::print::listing(installed, &text);
    }
    gdb::register(|| crate::print::name(installed), start, size);
    let text = format!("nmethod {} 0x{start:016x} code [0x{start:016x}, 0x{:016x}]", request.id, start + size);
    event_log::note(event_log::Kind::Compilation, 0, text);
    if let Some(l) = events::listener(Event::CompiledMethodLoad) {
        l.code_came(installed);
    }
    Ok(())
}

/// Writes an adapter to the area; its address, or None when the area is full.
pub fn install_adapter(name: String, adapter: Adapter, code: &[u8]) -> Option<usize> {
    let Some(area) = area::get() else { bug!("an adapter is made before the code area exists") };
    let at = area.take(code.len())?;
    area.write(at, code);
    let stub = Stub { name, start: area.address_of(at), bytes: code.len() };
    gdb::register(|| stub.name.clone(), stub.start, stub.bytes);
    crate::print::perf_map_entry(stub.start, stub.bytes, || stub.name.clone());
    if let Some(l) = events::listener(Event::DynamicCode) {
        l.stub_came(&stub);
    }
    let start = stub.start;
    table::add_adapter(adapter, stub, at);
    Some(start)
}

fn relocate(code: &mut CompiledCode, start: usize, m: MethodRef) {
    for r in &code.relocs {
        let target = match r.target {
            RelocTarget::Row(row) => match rows::address(row) {
                Some(a) => a,
                None => bug!("code of {m:?} names the row {} without address", row.info().name),
            },
            RelocTarget::Code(offset) => start + offset as usize,
        };
        let value = target as i64 + r.addend;
        let at = r.offset as usize;
        match r.kind {
            RelocKind::Abs8 => code.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes()),
            RelocKind::Rel4 => match i32::try_from(value - (start + at) as i64) {
                Ok(d) => code.bytes[at..at + 4].copy_from_slice(&d.to_le_bytes()),
                Err(_) => bug!("code of {m:?} reaches for {target:#x}, too far from {start:#x}"),
            },
        }
    }
}

/// Takes the code's entries back: nobody enters it any more. Frames in it go on unless the caller
/// stops them. False if that was done before.
fn close(r: &mut Registry, code: &'static Installed) -> bool {
    if !code.invalidate() {
        return false;
    }
    let m = code.method;
    match code.osr_bci {
        Some(bci) => osr::withdraw(m, bci, code),
        None => {
            if m.compiled.load(Ordering::Acquire) as usize == code.start {
                // In this order: an adapter that finds no code any more goes to the entry.
                m.entry.store(concord_interpreter::entry::interpreted(m) as *mut (), Ordering::Release);
                m.compiled.store(compiled::to_interpreter(), Ordering::Release);
            }
        }
    }
    if let Some(v) = r.by_method.get_mut(&key(m)) {
        v.retain(|c| !std::ptr::eq(*c, code));
    }
    r.dying.push(code);
    DYING.fetch_add(1, Ordering::Relaxed);
    COUNTERS.invalidated.fetch_add(1, Ordering::Relaxed);
    vm_log!(Deopt, Debug, "{:?} {} made not entrant", m, code.id);
    crate::print::not_entrant(code);
    tiers::closed(code);
    true
}

/// Nobody enters the code any more; frames in it go on.
pub fn retire(code: &'static Installed) -> bool {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let closed = close(r, code);
    if closed {
        r.loose.push(code);
    }
    closed
}

/// Calls of [`invalidate`] that have closed code and not yet made its frames leave. Changed under the
/// registry's lock, and at stops.
static UNMARKED: AtomicUsize = AtomicUsize::new(0);

/// Closes all code that `which` names, if it is not closed yet, and makes the frames in it leave. Stops
/// the world if there is such code, closed here or by somebody whose stop is still to come: what relies
/// on their having left goes on behind this call.
fn invalidate(which: impl FnOnce(&mut Registry) -> Vec<&'static Installed>) -> usize {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let broken = which(r);
    for c in &broken {
        close(r, c);
    }
    r.forget(&broken);
    let n = broken.len();
    let mine = usize::from(n > 0);
    let unmarked = UNMARKED.fetch_add(mine, Ordering::Relaxed) + mine;
    drop(guard);
    if unmarked > 0 {
        concord_safepoint::stop_the_world("Deoptimize", |stopped| {
            stopped.threads().for_each(mark_frames);
            UNMARKED.fetch_sub(mine, Ordering::Relaxed);
        });
    }
    n
}

/// Sets a stopped thread's watermark to its innermost frame of invalid code.
fn mark_frames(th: &Thread) {
    let mark = innermost_invalid(th.anchor_sp.get(), th.fp.get());
    th.invalid_mark.store(mark, Ordering::Relaxed);
    if th.watermark.load(Ordering::Relaxed) != 0 {
        th.watermark.store(mark, Ordering::Relaxed);
    }
}

/// Closed pieces of code that are kept before it is worth a stop to free them.
const KEEP: usize = 64;

/// Frees code that nothing can return into, if there may be enough of it. Stops the world; called
/// where a thread may be stopped.
pub fn sweep_if_due() {
    if DYING.load(Ordering::Relaxed) < KEEP {
        return;
    }
    DYING.store(0, Ordering::Relaxed);
    concord_safepoint::stop_the_world("SweepCode", |stopped| {
        let mut used: Vec<usize> = Vec::new();
        for th in stopped.threads() {
            code_in_use(th, &mut |c| used.push(key(c)));
        }
        let mut guard = REGISTRY.lock().expect("code registry");
        let r = registry(&mut guard);
        let Some(area) = area::get() else { return };
        let stays = |code: &&'static Installed| code.has_husks() || used.contains(&key(*code));
        let (kept, free): (Vec<_>, Vec<_>) = std::mem::take(&mut r.dying).into_iter().partition(stays);
        r.dying = kept;
        r.forget(&free);
        // SAFETY: closed, out of all lists, and no frame of a stopped thread is in it.
        free.into_iter().for_each(|code| unsafe { give_back(area, code) });
    });
}

/// Frees a piece of code.
///
/// # Safety
/// Made by [`install`]; the world is stopped, and no frame, no entry and no list names it any more.
unsafe fn give_back(area: &area::Area, code: &'static Installed) {
    let Some(offset) = area.offset_of(code.start) else { bug!("{:#x} is not in the code area", code.start) };
    let bytes = code.end - code.start;
    vm_log!(Deopt, Debug, "{} freed, {:#x} to {:#x}", code.id, code.start, code.end);
    gdb::unregister(code.start);
    if let Some(l) = events::listener(Event::CompiledMethodUnload) {
        l.code_goes(code);
    }
    table::remove(offset, bytes);
    area.give_back(offset, bytes);
    COUNTERS.freed.fetch_add(1, Ordering::Relaxed);
    // SAFETY: by the caller's word.
    drop(unsafe { Box::from_raw(std::ptr::from_ref::<Installed>(code).cast_mut()) });
}

/// A class has joined the hierarchy: code that relied on its absence goes.
pub fn class_published(class: ClassRef) {
    let mut supers: Vec<usize> = Vec::new();
    let mut c = Some(class);
    while let Some(k) = c {
        supers.push(key(k));
        c = k.super_class;
    }
    supers.extend(class.interfaces_all.get().into_iter().flat_map(|v| v.iter()).map(|i| key(*i)));
    invalidate(|r| {
        let mut broken: Vec<&'static Installed> = Vec::new();
        for s in &supers {
            for (code, d) in r.by_class.get(s).into_iter().flatten() {
                if !holds(d) && !broken.iter().any(|c| std::ptr::eq(*c, *code)) {
                    broken.push(*code);
                }
            }
        }
        broken
    });
}

/// `m` gets another body, at a stop.
pub fn redefined(m: MethodRef, old: &mut dyn FnMut() -> MethodRef) {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let all = r.by_method.values().flatten().chain(&r.loose).copied();
    let mut with: Vec<&'static Installed> = all.filter(|c| c.contains(m)).collect();
    // A call may have been found through a method handle, and handles of deleted methods throw for good.
    let naming = r.by_embedded.get(&key(m.class)).into_iter().flatten();
    let naming: Vec<_> = naming.copied().filter(|c| !c.contains(m)).collect();
    for c in with.iter().chain(&naming) {
        close(r, c);
    }
    r.forget(&with);
    r.forget(&naming);
    with.extend(r.dying.iter().copied().filter(|c| c.mentions(m)));
    if with.is_empty() && naming.is_empty() {
        return;
    }
    if !with.is_empty() {
        let old = old();
        for c in with {
            // SAFETY: a stop; the walks of this thread are over.
            unsafe { c.rename(m, old) };
        }
    }
    drop(guard);
    concord_safepoint::for_each_thread(mark_frames);
}

/// Classes go, at a stop: with them all code that names them.
pub fn unloaded(dead: &[ClassRef]) {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let mut gone: Vec<&'static Installed> = Vec::new();
    for c in dead {
        gone.extend(r.by_embedded.get(&key(*c)).into_iter().flatten().copied());
        gone.extend(r.by_class.get(&key(*c)).into_iter().flatten().map(|(code, _)| *code));
    }
    gone.extend(r.by_method.values().flatten().chain(&r.loose).copied().filter(|c| {
        let calls = c.calls.iter().flat_map(|k| &k.sites).map(|s| s.0);
        std::iter::once(c.method).chain(calls).any(|m| m.class.has_flag(flags::UNLOADED))
    }));
    for c in &gone {
        close(r, c);
    }
    r.forget(&gone);
    for c in dead {
        r.by_embedded.remove(&key(*c));
        r.by_class.remove(&key(*c));
    }
    // Code of methods that go goes with them: frames keep the class of their method, so there are none.
    let of_dead = |c: &&'static Installed| c.method.class.has_flag(flags::UNLOADED) && !c.has_husks();
    let (free, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut r.dying).into_iter().partition(of_dead);
    r.dying = kept;
    gone.retain(|c| !free.iter().any(|f| std::ptr::eq(*f, *c)));
    if let Some(area) = area::get() {
        // SAFETY: closed now or earlier, and forgotten; the world is stopped.
        free.into_iter().for_each(|code| unsafe { give_back(area, code) });
    }
    drop(guard);
    if !gone.is_empty() {
        concord_safepoint::for_each_thread(mark_frames);
    }
}

/// Everything compiled from `m`, inlined copies not included, is left; for tools and tests.
pub fn deoptimize_method(m: &Method) -> usize {
    invalidate(|r| r.by_method.get(&key(m)).cloned().unwrap_or_default())
}

/// All code is left.
pub fn deoptimize_all() -> usize {
    invalidate(|r| r.by_method.values().flatten().copied().collect())
}

/// Code that names `class` is left: it is about to be unloaded.
pub fn invalidate_code_of(class: &Class) -> usize {
    invalidate(|r| r.by_embedded.get(&key(class)).cloned().unwrap_or_default())
}

/// The valid code of `m`, OSR versions included.
pub fn code_of(m: &Method) -> Vec<&'static Installed> {
    let mut guard = REGISTRY.lock().expect("code registry");
    registry(&mut guard).by_method.get(&key(m)).cloned().unwrap_or_default()
}
