//! Taking compiled code away.
//!
//! Invariant: code that lost a dependency is entered by nobody from then on, and left by those in it at the next call's
//! return; that is what the stop and the watermarks are for (C15, C36). That holds for code as well
//! that was closed before, in which frames may still go on.
use crate::install::COUNTERS;
use crate::registry::{REGISTRY, Registry, holds, key, registry};
use crate::{area, gdb, osr, table, tiers};
use concord_base::{bug, vm_log};
use concord_contract::class::flags;
use concord_contract::code_table::Installed;
use concord_contract::compiled;
use concord_contract::frame::{code_in_use, innermost_invalid};
use concord_contract::{ClassRef, MethodRef, Thread};
use concord_runtime::events::{self, Event};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces closed since the last sweep.
static DYING: AtomicUsize = AtomicUsize::new(0);

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
    r.loose.push(code);
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
    close(registry(&mut guard), code)
}

/// The same, but the thread's innermost frame, which is one of the code, leaves it at the next call's return or poll that is
/// attended to. The thread calls this itself, with rsp of the frame as its anchor.
pub fn leave(th: &Thread, code: &'static Installed) {
    retire(code);
    mark_from(th, th.anchor_sp.get());
}

/// Closes all code that `which` names, if it is not closed yet, and makes the frames in it leave. Stops
/// the world if there is such code, closed here or by somebody whose stop is still to come: what relies
/// on their having left goes on behind this call. Until the stop the code is in the lists of what it depends on, for whoever
/// else ends that.
fn invalidate(which: impl FnOnce(&mut Registry) -> Vec<&'static Installed>) {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let broken = which(r);
    for c in &broken {
        close(r, c);
    }
    // By number: another's stop may free them.
    let ids: Vec<u32> = broken.iter().map(|c| c.id).collect();
    drop(guard);
    if !ids.is_empty() {
        concord_safepoint::stop_the_world("Deoptimize", |stopped| {
            stopped.threads().for_each(mark_frames);
            let mut guard = REGISTRY.lock().expect("code registry");
            let r = registry(&mut guard);
            let left: Vec<_> = r.loose.iter().copied().filter(|c| ids.contains(&c.id)).collect();
            r.forget(&left);
        });
    }
}

/// Sets a stopped thread's watermark to its innermost frame of invalid code.
fn mark_frames(th: &Thread) {
    mark_from(th, innermost_invalid(th.anchor_sp.get(), th.fp.get()));
}
fn mark_from(th: &Thread, mark: usize) {
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
/// Made by [`install`](crate::install::install); the world is stopped, and no frame, no entry and no list names it any more.
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

/// The call site of this number has another target, at a stop.
pub fn target_changed(number: u32) {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let Some(with) = r.by_target.remove(&number) else { return };
    for c in &with {
        close(r, c);
    }
    r.forget(&with);
    drop(guard);
    concord_safepoint::for_each_thread(mark_frames);
}

/// Compiled code is to make objects of these classes SHARED, at a stop: code that makes them LOCAL is left and made again,
/// though what it makes is right. The methods whose code went.
pub fn mostly_published(classes: &[ClassRef]) -> Vec<MethodRef> {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let making: Vec<_> = classes.iter().flat_map(|c| r.making.remove(&key(*c))).flatten().collect();
    let closed: Vec<_> = making.iter().copied().filter(|c| close(r, c)).collect();
    r.forget(&making);
    drop(guard);
    if !making.is_empty() {
        // What is made next may want the memory.
        DYING.fetch_max(KEEP, Ordering::Relaxed);
        concord_safepoint::for_each_thread(mark_frames);
    }
    closed.into_iter().filter(|c| c.osr_bci.is_none()).map(|c| c.method).collect()
}

/// The fields of these classes have other places, at a stop and while nothing is compiled: code that names the classes is left,
/// for it has offsets, sizes or layout ids in it, or all code, if they are None; what any code says of objects that it holds as
/// values is corrected. The methods whose code went.
pub fn relaid(classes: Option<&[ClassRef]>, moved: &dyn Fn(ClassRef, u32) -> u32) -> Vec<MethodRef> {
    let mut guard = REGISTRY.lock().expect("code registry");
    let r = registry(&mut guard);
    let naming: Vec<_> = match classes {
        Some(all) => all.iter().flat_map(|c| r.by_embedded.get(&key(*c)).into_iter().flatten()).copied().collect(),
        None => r.by_method.values().flatten().chain(&r.loose).copied().collect(),
    };
    let closed: Vec<_> = naming.iter().copied().filter(|c| close(r, c)).collect();
    r.forget(&naming);
    let mut all: Vec<&'static Installed> =
        r.by_method.values().flatten().chain(&r.loose).chain(&r.dying).copied().collect();
    all.sort_unstable_by_key(|c| key(*c));
    all.dedup_by_key(|c| key(*c));
    // SAFETY: a stop; nobody walks a stack.
    all.into_iter().for_each(|c| unsafe { c.move_fields(moved) });
    drop(guard);
    if !naming.is_empty() {
        concord_safepoint::for_each_thread(mark_frames);
    }
    closed.into_iter().filter(|c| c.osr_bci.is_none()).map(|c| c.method).collect()
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
        r.making.remove(&key(*c));
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
