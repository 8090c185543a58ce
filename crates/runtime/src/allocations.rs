//! Objects that agents are told of: samples of all that a thread makes, and what the VM makes for native methods.
//!
//! Invariant: nothing is kept while no agent has asked (`events::wanted`); while one has, the heap room notes each
//! object here before its maker can stop, and the maker tells of it where Java code may run and the frame that asked
//! for the object is still the innermost: at the end of the row, the native method or the JNI function. Until then
//! the list is a root of its thread.
//!
//! A sample is taken when so many bytes have been allocated since the last one as an exponential distribution with the
//! asked mean says; with mean 0 every object is one. What a thread makes while it tells of a sample is counted, and told of
//! to nobody: a callback that makes objects would not end.
use crate::events::{self, Event};
use crate::handles::Scope;
use concord_contract::{BasicType, JResult, MethodRef, Obj, Thread};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Mean number of bytes between two samples.
static INTERVAL: AtomicU32 = AtomicU32::new(512 << 10);

/// Sets the mean number of bytes between two samples; threads go by it from their next sample on.
pub fn set_interval(bytes: u32) {
    INTERVAL.store(bytes, Ordering::Relaxed);
}

/// One thread's list.
#[derive(Default)]
pub struct Made(Mutex<Lists>);

#[derive(Default)]
struct Lists {
    samples: Vec<u64>,
    by_vm: Vec<u64>,
    /// How many native methods whose objects are told of are running.
    scopes: u32,
    untold: bool,
    /// An agent is being told of a sample.
    telling: bool,
    /// How often agents have been told.
    times: u64,
    /// Bytes until the next sample; None before the first object.
    left: Option<u64>,
    random: u64,
}

impl Made {
    pub(crate) fn clear(&self) {
        *self.lists() = Lists::default();
    }
    /// Forgets what was not told; where the next sample lies stays.
    fn forget(&self) {
        let mut lists = self.lists();
        let Lists { left, random, telling, times, .. } = *lists;
        *lists = Lists { left, random, telling, times, ..Lists::default() };
    }
    fn lists(&self) -> MutexGuard<'_, Lists> {
        self.0.lock().expect("objects to tell of")
    }
}

impl Lists {
    /// Counts `size` bytes; whether their object is a sample.
    fn sample(&mut self, id: u64, size: u64) -> bool {
        let interval = u64::from(INTERVAL.load(Ordering::Relaxed));
        let left = self.left.unwrap_or(interval);
        if size < left {
            self.left = Some(left - size);
            return false;
        }
        let next = self.next(id, interval);
        // What went beyond the mark belongs to the next stretch.
        let beyond = size - left;
        self.left = Some(if next > beyond { next - beyond } else { next });
        true
    }
    fn next(&mut self, id: u64, interval: u64) -> u64 {
        if interval == 0 {
            return 0;
        }
        if self.random == 0 {
            self.random = id.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        }
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let uniform = ((self.random >> 11) + 1) as f64 / (1u64 << 53) as f64;
        (-uniform.ln() * interval as f64) as u64 + 1
    }
}

fn made(th: &Thread) -> &Made {
    &crate::threads::info(th).allocations
}

/// The wanted events are these from now on.
pub fn settle(wanted: u64) {
    let of_allocations = events::bit(Event::VmObjectAlloc as u32) | events::bit(Event::SampledObjectAlloc as u32);
    let on = wanted & of_allocations != 0;
    concord_heap::watch_allocations(on);
    if !on {
        concord_safepoint::for_each_thread(|th| made(th).forget());
    }
}

pub(crate) fn note(th: &Thread, at: usize, size: usize) {
    let mut lists = made(th).lists();
    if lists.untold {
        return;
    }
    if events::wanted(Event::SampledObjectAlloc) && lists.sample(th.id.get(), size as u64) && !lists.telling {
        lists.samples.push(at as u64);
    }
    if lists.scopes > 0 && events::wanted(Event::VmObjectAlloc) {
        lists.by_vm.push(at as u64);
    }
}

pub(crate) fn roots(th: &Thread, slots: &mut dyn FnMut(*mut u64)) {
    let mut lists = made(th).lists();
    let Lists { samples, by_vm, .. } = &mut *lists;
    for word in samples.iter_mut().chain(by_vm) {
        slots(word);
    }
}

/// Runs `f`, a native method's part that makes objects on its own.
#[inline]
pub fn by_vm<R>(th: &Thread, f: impl FnOnce() -> R) -> R {
    if !events::wanted(Event::VmObjectAlloc) {
        return f();
    }
    made(th).lists().scopes += 1;
    let r = f();
    let mut lists = made(th).lists();
    lists.scopes = lists.scopes.saturating_sub(1);
    r
}
/// Runs `f`, whose objects agents hear nothing of.
#[inline]
pub fn untold<R>(th: &Thread, f: impl FnOnce() -> R) -> R {
    if !concord_heap::allocations_are_watched() {
        return f();
    }
    made(th).lists().untold = true;
    let r = f();
    made(th).lists().untold = false;
    r
}
/// The VM has made `o` for a native method that has run Java code, too.
pub fn made_by_vm(th: &Thread, o: Obj) {
    if events::wanted(Event::VmObjectAlloc) {
        made(th).lists().by_vm.push(o.addr() as u64);
    }
}

/// Tells of what the thread has made. Java code may run.
#[inline(always)]
pub fn tell(th: &Thread) {
    if concord_heap::allocations_are_watched() {
        tell_all(th);
    }
}
/// The same behind a row.
#[inline(always)]
pub fn after<T>(th: &Thread, r: JResult<T>) -> JResult<T> {
    tell(th);
    r
}
/// The same behind a row that gives an object.
#[inline(always)]
pub fn after_object(th: &Thread, r: JResult<Obj>) -> JResult<Obj> {
    if !concord_heap::allocations_are_watched() {
        return r;
    }
    let scope = Scope::new(th);
    let o = r.map(|o| scope.handle(o));
    tell_all(th);
    o.map(|o| o.get())
}
/// How often agents have been told of what the thread made, while somebody asks for that.
#[inline(always)]
pub fn times_told(th: &Thread) -> u64 {
    if concord_heap::allocations_are_watched() { made(th).lists().times } else { 0 }
}
/// The same behind a native method of the VM's, which gives a raw slot.
#[inline(always)]
pub fn after_native(th: &Thread, m: MethodRef, r: JResult<u64>) -> JResult<u64> {
    if !concord_heap::allocations_are_watched() {
        return r;
    }
    if m.ret != BasicType::Object {
        return after(th, r);
    }
    // SAFETY: the slot of a method that gives a reference holds an object's address or null.
    let o = r.map(|bits| unsafe { Obj::from_addr(bits as usize) });
    after_object(th, o).map(|o| o.addr() as u64)
}

#[cold]
#[inline(never)]
fn tell_all(th: &Thread) {
    let scope = Scope::new(th);
    let mut told = Vec::new();
    {
        let mut lists = made(th).lists();
        let idle = lists.scopes == 0;
        let mut take = |what: Event, list: &mut Vec<u64>| {
            for word in list.drain(..) {
                // SAFETY: the lists hold addresses of objects, kept up to date as roots.
                told.push((what, scope.handle(unsafe { Obj::from_addr(word as usize) })));
            }
        };
        take(Event::SampledObjectAlloc, &mut lists.samples);
        if idle {
            take(Event::VmObjectAlloc, &mut lists.by_vm);
        }
    }
    for (what, o) in told {
        if let Some(l) = events::listener(what) {
            let outer = made(th).lists().telling;
            let mut lists = made(th).lists();
            lists.telling = outer || what == Event::SampledObjectAlloc;
            lists.times += 1;
            drop(lists);
            l.allocated(th, what, o.get());
            made(th).lists().telling = outer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_as_far_apart_as_asked_on_average() {
        let mut l = Lists { left: Some(0), ..Lists::default() };
        let mut samples = 0u64;
        for _ in 0..1_000_000 {
            samples += u64::from(l.sample(7, 16));
        }
        let wanted = 16_000_000 / (512 << 10);
        assert!((wanted / 2..wanted * 2).contains(&samples), "{samples} samples, not about {wanted}");
    }
}
