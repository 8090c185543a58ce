//! Objects named by native frames: found, kept and pinned for one collection.
//!
//! Invariant: when a word of a stopped thread's native stack is looked up, the valid-object (VO)
//! bits of the memory that it points into are exact.
//!
//! Allocation does not set VO bits. Eden has its own way to find objects (`eden::objects`), and what grows old or is
//! born old gets its bit at once. Without eden every *run* (a stretch of memory within which a thread
//! bumps its pointer) is remembered by the slow path; the objects of a run get their bits only when
//! a word points into it. After a collection the collector itself has set the bits of survivors.
//! ```text
//!  run: | obj | obj | 0 (gap) | obj | obj | 0 0 0 ...      zero words are skipped
//!       start                             cursor     limit
//! ```
//! A word counts if it points at or into an object, or if either of its halves is the scaled form
//! of an object's address: the compiler may keep a loaded reference undecoded across a call.
use crate::binding::{heap, heap_thread};
use crate::eden;
use crate::roots::provider;
use concord_base::bug;
use concord_contract::layout::object_size;
use concord_contract::object::REF_SHIFT;
use concord_contract::{Obj, Thread};
use concord_safepoint::Stopped;
use mmtk::memory_manager;
use mmtk::util::{Address, ObjectReference};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};

/// Memory in which one thread bumped its pointer: objects from `start`, zero words at the end.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub start: usize,
    pub end: usize,
}

struct Gathered {
    run: Run,
    has_bits: AtomicBool,
}

/// All runs since the last collection, by address; filled at a stop.
static RUNS: RwLock<Vec<Gathered>> = RwLock::new(Vec::new());
/// Runs of threads that have detached since the last collection.
static ORPHANS: Mutex<Vec<Run>> = Mutex::new(Vec::new());

/// Sets the VO bit of the object at `address`.
pub fn set_vo(address: usize) {
    // SAFETY: the collector maps its side metadata for every address that can hold an object.
    let byte = unsafe { AtomicU8::from_ptr((heap().vo_table + (address >> 6)) as *mut u8) };
    byte.fetch_or(1 << ((address >> 3) & 7), Relaxed);
}

/// Remembers that `th` got `size` bytes at `address` from the slow path.
///
/// # Safety
/// `th` is the calling thread, attached.
pub unsafe fn record(th: &Thread, address: usize, size: usize) {
    // SAFETY: the thread's own state.
    unsafe {
        let ht = &mut *heap_thread(th);
        if let Some(last) = ht.runs.last()
            && last.start <= address
            && address < last.end
        {
            return;
        }
        let [cursor, limit] = *crate::alloc::real_bump_pointer(th);
        if cursor == address + size {
            ht.runs.push(Run { start: address, end: limit });
            crate::uncommit::note(address);
        } else {
            // Served from another buffer of the allocator.
            set_vo(address);
        }
    }
}

/// Keeps the runs of a thread that detaches.
pub fn adopt_runs(th: &Thread) {
    let mut orphans = lock(&ORPHANS);
    // SAFETY: the calling thread is attached and detaches while no stop can begin.
    unsafe { orphans.append(&mut (*heap_thread(th)).runs) };
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    match m.lock() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it held the list of allocation runs"),
    }
}

fn runs() -> std::sync::RwLockReadGuard<'static, Vec<Gathered>> {
    match RUNS.read() {
        Ok(g) => g,
        Err(_) => bug!("a thread died while it held the list of allocation runs"),
    }
}

/// Gathers the runs of all threads; `take` when a collection is about to end them.
pub fn gather(stopped: &Stopped, take: bool) {
    let mut all = Vec::new();
    for th in stopped.threads() {
        // SAFETY: the thread is stopped.
        unsafe {
            let ht = &mut *heap_thread(th);
            let [cursor, limit] = *crate::alloc::real_bump_pointer(th);
            // The collection takes the buffer away.
            crate::allocated::settle(th);
            for r in &ht.runs {
                all.push(Run { start: r.start, end: if r.end == limit { cursor } else { r.end } });
            }
            if take {
                ht.runs.clear();
            }
        }
    }
    let mut orphans = lock(&ORPHANS);
    all.extend_from_slice(&orphans);
    if take {
        orphans.clear();
    }
    drop(orphans);
    all.sort_by_key(|r| r.start);
    let Ok(mut runs) = RUNS.write() else { bug!("a thread died while it held the list of allocation runs") };
    runs.clear();
    runs.extend(all.into_iter().map(|run| Gathered { run, has_bits: AtomicBool::new(false) }));
}

/// Forgets the gathered runs once a collection has set the bits of all survivors.
pub fn forget() {
    let Ok(mut runs) = RUNS.write() else { bug!("a thread died while it held the list of allocation runs") };
    runs.clear();
}

fn set_bits(g: &Gathered) {
    if g.has_bits.load(Relaxed) {
        return;
    }
    let mut p = g.run.start;
    while p < g.run.end {
        // SAFETY: a run is mapped memory; it holds objects with complete headers and zero words.
        unsafe {
            if *(p as *const u64) == 0 {
                p += 8;
            } else {
                set_vo(p);
                p += object_size(p);
            }
        }
    }
    // Two workers may do the same run at once: the bits are set by atomic or, twice is once.
    g.has_bits.store(true, Relaxed);
}

/// Sets the bits of all objects in the gathered runs.
pub fn set_all_bits() {
    runs().iter().for_each(set_bits);
}

/// Bounds outside which no object lies.
fn bounds() -> (usize, usize) {
    (memory_manager::starting_heap_address().as_usize(), memory_manager::last_heap_address().as_usize().min(8 << 32))
}

fn prepare(runs: &[Gathered], address: usize) {
    let i = runs.partition_point(|g| g.run.start <= address);
    if i > 0 && address < runs[i - 1].run.end {
        set_bits(&runs[i - 1]);
    }
}

/// The object at or around `address`.
fn object_around(runs: &[Gathered], address: usize) -> Option<ObjectReference> {
    // SAFETY: only a number until the collector has found an object there.
    let a = unsafe { Address::from_usize(address) };
    if !a.is_mapped() {
        return None;
    }
    prepare(runs, address);
    memory_manager::find_object_from_internal_pointer(a, heap().options.max)
}

/// The object exactly at `address`.
fn object_at(runs: &[Gathered], address: usize) -> Option<ObjectReference> {
    // SAFETY: as above.
    let a = unsafe { Address::from_usize(address) };
    if !a.is_mapped() {
        return None;
    }
    prepare(runs, address);
    memory_manager::is_mmtk_object(a)
}

/// The old objects that the native frames and registers of a stopped thread name, and `words`; what they
/// name of the VM's own data is visited as roots.
pub fn scan(th: &Thread, words: &[usize], slots: &mut dyn FnMut(*mut u64)) -> Vec<ObjectReference> {
    let (low, high) = bounds();
    let runs = runs();
    let mut found = Vec::new();
    for_each_word(th, words, slots, &mut |word| {
        if low <= word && word < high {
            found.extend(object_around(&runs, word));
        }
        for address in halves(word) {
            if low <= address && address < high {
                found.extend(object_at(&runs, address));
            }
        }
    });
    found.sort_unstable_by_key(|o| o.to_raw_address());
    found.dedup();
    found
}

/// As [`scan`] for the objects of eden, each as often as it is named.
pub fn scan_young(th: &Thread, words: &[usize], slots: &mut dyn FnMut(*mut u64), found: &mut dyn FnMut(usize)) {
    for_each_word(th, words, slots, &mut |word| {
        if eden::contains(word)
            && let Some(at) = eden::objects::around(word)
        {
            found(at);
        }
        halves(word).into_iter().filter(|a| eden::contains(*a) && eden::objects::is_object(*a)).for_each(&mut *found);
    });
}

/// The addresses that the halves of a word may be the scaled form of.
fn halves(word: usize) -> [usize; 2] {
    [word as u32, (word >> 32) as u32].map(|half| (half as usize) << REF_SHIFT)
}

/// Looks at the words of a stopped thread's native frames and registers, and at `words`.
fn for_each_word(th: &Thread, words: &[usize], slots: &mut dyn FnMut(*mut u64), f: &mut dyn FnMut(usize)) {
    let (own_low, own_high) = provider().native_bounds();
    let mut look = |word: usize| {
        if own_low <= word && word < own_high {
            provider().native_word(word, slots);
        }
        f(word);
    };
    words.iter().for_each(|w| look(*w));
    // SAFETY: the thread is stopped and recorded its registers and stack pointer when it stopped;
    // the stack from there to its base is mapped. Words may be anything, they are only compared.
    unsafe {
        (*th.saved_registers.get()).iter().for_each(|w| look(*w));
        let mut p = th.native_sp.get() & !7;
        if p == 0 {
            p = th.native_base.get();
        }
        let mut words = |p: &mut usize, end: usize| {
            while *p + 8 <= end {
                look(std::ptr::read_volatile(*p as *const usize));
                *p += 8;
            }
        };
        provider().compiled_stretches(th, &mut |low, high| {
            words(&mut p, low);
            p = p.max(high);
        });
        words(&mut p, th.native_base.get());
    }
}

/// The object that is not in eden at or around `address`, where all such objects have their bits.
pub fn old_object_around(address: usize) -> Option<usize> {
    object_around(&[], address).map(|o| o.to_raw_address().as_usize())
}

/// Whether the collector's spaces have memory at `address`.
pub fn is_backed(address: usize) -> bool {
    let (low, high) = bounds();
    // SAFETY: only a number.
    low <= address && address < high && unsafe { Address::from_usize(address) }.is_mapped()
}

/// Whether a large object starts at `address`, which belongs to one.
pub fn is_large_object(address: usize) -> bool {
    // The bits of large objects are always exact.
    object_at(&[], address).is_some()
}

/// Whether an object starts at `o`; exact only after a collection or after [`set_all_bits`].
pub fn is_object(o: Obj) -> bool {
    let (low, high) = bounds();
    if eden::contains(o.addr()) {
        return eden::objects::is_object(o.addr());
    }
    o.addr() & 7 == 0 && low <= o.addr() && o.addr() < high && object_at(&runs(), o.addr()).is_some()
}
