//! Instances get another layout: at a stop all objects of some layouts are moved to copies whose fields lie elsewhere.
//!
//! Invariant: all objects of all the given layouts are moved, or none is. Afterwards every root word and every slot that named one
//! names its copy, and no object has one of the old layout ids: what was one is a dead `byte[]` of the same size, so that
//! the heap can be walked, and who has its address still (a note of the barrier's) finds an object without references.
//!
//! Deliberately absent: which layouts, and where fields go; code that knows offsets, and whoever remembers addresses of fields.
//! The runtime sees to these in the same stop.
//!
//! The steps, behind a young collection that leaves in eden what native frames name, and nothing else:
//!
//! 1. the census, which changes nothing: an object that a native frame names, or that is in eden, cannot be moved;
//! 2. room for all copies, from where the old grow (`promoter`);
//! 3. the copies, complete. The header of an old object is the address of its copy then, with a tag above it;
//! 4. all roots, and the slots of all objects, are updated;
//! 5. the old objects become dead arrays; copies that name what is in eden are remembered.
//! ```text
//!  old:   | lock word, id | a | b |    ->  | copy's address, tag | a | b |  ->  | 0, byte[] | length | b |
//!  copy:                                   | lock word, new id | a | 0 0 0 | b |
//! ```
//! Frames are scanned conservatively, half words too: with very many objects of a layout one of them is likely to be named by
//! chance, and all stay.
//!
//! A slot is looked up in a filter first ([`Moved`]): what it names is rarely in the cache, and few objects move.
use crate::alloc::MAX_SMALL;
use crate::binding::{collector, has_workers, heap};
use crate::collection::Cause;
use crate::in_place::gaps::BLOCK;
use crate::promoter::Promoter;
use crate::roots::{provider, scan_thread_block};
use crate::scanning::own_slots;
use crate::slot::RefSlot;
use crate::{conservative, eden, evacuation, live, remembered, verify, walk, watched, young};
use concord_base::{bug, vm_log};
use concord_contract::barrier::UNLOG_TABLE;
use concord_contract::object::{LENGTH_OFFSET, array_base};
use concord_contract::{Class, Obj};
use concord_safepoint::Stopped;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

mod moved;
mod moves;

use moved::Moved;
pub use moves::Moves;

/// Why nothing was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An object of this layout must stay: a native frame names it, it is young or pinned.
    Pinned(u32),
    /// Objects of this layout are too small to be left behind as arrays, or would become too large: so it will be.
    Unfit(u32),
    /// The heap has no room for the copies.
    NoMemory,
    /// There is no eden, it is not known yet what to leave behind ([`set_filler`]), or somebody hears of each allocation, of which
    /// some would be made twice.
    NotNow,
}

/// The smallest array.
const LEAST: usize = array_base(0);

/// Layout id of `byte[]`; 0 until it is known.
static FILLER: AtomicU32 = AtomicU32::new(0);

/// Says what `byte[]` is; before the first relayout.
pub fn set_filler(bytes: &Class) {
    FILLER.store(bytes.layout_id.load(Relaxed), Relaxed);
}

/// Makes `size` bytes at `at` a dead array; 16 at least, a multiple of 8.
///
/// # Safety
/// They are nobody's object any more, or not yet.
pub(crate) unsafe fn fill(at: usize, size: usize) {
    let id = FILLER.load(Relaxed);
    if id == 0 || size < LEAST {
        bug!("{size} bytes at {at:#x} cannot be made an array");
    }
    // SAFETY: by the caller's promise.
    unsafe {
        *(at as *mut u64) = u64::from(id) << 32;
        *((at + LENGTH_OFFSET) as *mut u32) = (size - LEAST) as u32;
    }
}

fn is_possible() -> bool {
    FILLER.load(Relaxed) != 0 && eden::is_on() && !watched::is_on()
}

/// Stops the world, collects eden, and runs `f` in the same stop; None if no collection can be. The caller is not one of
/// Java's threads and holds no lock that one of them, or a collection, may want. What `f` has in its own frames keeps no object.
pub fn at_stop<R>(f: impl FnOnce(&Stopped) -> R) -> Option<R> {
    if !is_possible() || !has_workers() || !collector().is_collection_enabled() {
        return None;
    }
    Some(young::collect_then(Cause::Relayout, |stopped| {
        let result = f(stopped);
        verify_if_asked(stopped);
        result
    }))
}

fn verify_if_asked(stopped: &Stopped) {
    if heap().options.zeal.verify {
        verify::verify(stopped);
    }
}

/// Moves all instances of all the given layouts, or none: how many. Within [`at_stop`].
///
/// # Errors
/// Why none was moved; then nothing has changed.
pub fn instances(stopped: &Stopped, all: &[Moves]) -> Result<usize, Refusal> {
    if !is_possible() {
        return Err(Refusal::NotNow);
    }
    for m in all {
        m.check();
        if m.new_bytes() > MAX_SMALL || m.old_bytes() < LEAST {
            return Err(Refusal::Unfit(m.from));
        }
    }
    let mut named = named(stopped);
    provider().pinned(true, &mut |o| named.objects.push(o.addr()));
    named.objects.sort_unstable();
    let found = census(stopped, all, &named)?;
    move_all(stopped, &named, &found, true)?;
    verify_if_asked(stopped);
    vm_log!(GcErgo, Debug, "Relayout: {} objects of {} layouts have moved", found.len(), all.len());
    Ok(found.len())
}

/// Moves an object with static fields, which no slot of the heap names: the copy. The caller has its root name that, and
/// forgets addresses of its fields. Within [`at_stop`].
///
/// # Errors
/// Why it was not moved; then nothing has changed.
pub fn statics(stopped: &Stopped, old: Obj, m: &Moves) -> Result<Obj, Refusal> {
    if !is_possible() {
        return Err(Refusal::NotNow);
    }
    m.check();
    if old.layout_id() != m.from {
        bug!("relayout: statics with another layout than {}: {}", m.from, walk::describe(old));
    }
    let named = named(stopped);
    if m.old_bytes() < LEAST {
        return Err(Refusal::Unfit(m.from));
    }
    if eden::contains(old.addr()) || named.has(old.addr()) {
        return Err(Refusal::Pinned(m.from));
    }
    if heap().options.zeal.verify {
        check_no_slot_names(stopped, old);
    }
    let copies = move_all(stopped, &named, &[(old.addr(), m)], false)?;
    // SAFETY: the copy just made.
    Ok(unsafe { Obj::from_addr(copies[0]) })
}

/// What must stay for the sake of native frames, or of the runtime; eden apart.
struct Named {
    /// Addresses of objects, in order.
    objects: Vec<usize>,
    /// Words that frames stand for ([`crate::RootProvider::native_word`]).
    slots: Vec<*mut u64>,
}

impl Named {
    fn has(&self, at: usize) -> bool {
        self.objects.binary_search(&at).is_ok()
    }
}

fn named(stopped: &Stopped) -> Named {
    let mut named = Named { objects: Vec::new(), slots: Vec::new() };
    for th in stopped.threads() {
        let mut words = Vec::new();
        provider().scan_thread(th, &mut |_| {}, &mut |w| words.push(w));
        let found = conservative::scan(th, &words, &mut |slot| named.slots.push(slot));
        named.objects.extend(found.into_iter().map(|o| o.to_raw_address().as_usize()));
    }
    named.objects.sort_unstable();
    named
}

/// The objects that are to be moved, each with its moves.
fn census<'a>(stopped: &Stopped, all: &'a [Moves], named: &Named) -> Result<Vec<(usize, &'a Moves)>, Refusal> {
    let ids = all.iter().map(|m| m.from as usize + 1).max().unwrap_or(0);
    let mut by_id: Vec<Option<&Moves>> = vec![None; ids];
    all.iter().for_each(|m| by_id[m.from as usize] = Some(m));
    let mut found = Vec::new();
    let mut refused = None;
    walk::for_each_object(stopped, |o| {
        if let Some(Some(m)) = by_id.get(o.layout_id() as usize) {
            if eden::contains(o.addr()) || named.has(o.addr()) {
                refused = Some(m.from);
            }
            found.push((o.addr(), *m));
        }
    });
    match refused {
        Some(id) => Err(Refusal::Pinned(id)),
        None => Ok(found),
    }
}

/// Whether the heap has room for copies of so many bytes. Blocks and lines do not fill to the last byte.
fn has_room(bytes: usize) -> bool {
    eden::has_room(bytes + bytes / 8 + 2 * BLOCK + young::reserve())
}

/// Moves the objects: where they are now. Slots of the heap are updated if `in_heap`.
fn move_all(stopped: &Stopped, named: &Named, found: &[(usize, &Moves)], in_heap: bool) -> Result<Vec<usize>, Refusal> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    if !has_room(found.iter().map(|(_, m)| m.new_bytes()).sum()) {
        return Err(Refusal::NoMemory);
    }
    let mut promoter = Promoter::new();
    let copies: Vec<usize> = found.iter().map(|(_, m)| promoter.room(m.new_bytes())).collect();
    let mut moved = Moved::new(found.iter().map(|(from, _)| *from));
    for (&(from, m), &to) in found.iter().zip(&copies) {
        // SAFETY: an object of the layout, as the census has seen or the caller says, and room for one of the other layout, which
        // has been checked to hold all that is copied there.
        unsafe {
            m.copy(from, to);
            moved.add(from, to);
        }
        promoter.has_moved(from, to, m.new_bytes());
        stores_are_remembered(to);
        evacuation::overwritten(from);
    }
    promoter.end();
    live::grown_old(copies.len());
    // SAFETY: root words name objects; the world is stopped.
    named.slots.iter().for_each(|word| unsafe { moved.update(RefSlot::root(*word)) });
    roots(stopped, &moved);
    if in_heap {
        walk::for_each_object(stopped, |o| {
            // SAFETY: an object or what is left of one, and then a complete one; the world is stopped.
            unsafe {
                if !Moved::is_tagged(o.addr()) {
                    own_slots(o.addr(), |slot| moved.update(slot));
                }
            }
        });
    }
    for (&(from, m), &to) in found.iter().zip(&copies) {
        // SAFETY: nobody names what was there any more; the copy is complete.
        unsafe {
            fill(from, m.old_bytes());
            own_slots(to, |slot| {
                if let Some(at) = slot.in_heap().filter(|_| eden::contains(slot.target())) {
                    remembered::keep(Obj::from_addr(to), at);
                }
            });
        }
    }
    Ok(copies)
}

/// From now on stores into the object at `at` are remembered. Others in its line may be remembered already: their bits stay.
fn stores_are_remembered(at: usize) {
    // SAFETY: the collector maps the table for every address that can hold an object.
    let byte = unsafe { AtomicU8::from_ptr((UNLOG_TABLE.load(Relaxed) + (at >> 6)) as *mut u8) };
    byte.fetch_or(1 << ((at >> 3) & 7), Relaxed);
}

/// Updates all words outside the heap, strong and weak.
fn roots(stopped: &Stopped, moved: &Moved) {
    // SAFETY: root words name objects; the world is stopped.
    let mut root = |word| unsafe { moved.update(RefSlot::root(word)) };
    for th in stopped.threads() {
        scan_thread_block(th, &mut root);
        crate::publish::roots(th, &mut root);
        provider().scan_thread(th, &mut root, &mut |_| {});
    }
    provider().scan_globals(true, &mut root);
    provider().weak_slots(true, &mut |word| {
        root(word);
        true
    });
}

fn check_no_slot_names(stopped: &Stopped, o: Obj) {
    walk::for_each_object(stopped, |holder| {
        // SAFETY: a complete object; the world is stopped.
        unsafe {
            own_slots(holder.addr(), |slot| {
                if slot.target() == o.addr() {
                    bug!("relayout: {slot:?} of {} names statics: {}", walk::describe(holder), walk::describe(o));
                }
            });
        }
    });
}
