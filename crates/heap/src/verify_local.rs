//! Verification of LOCAL: what [`crate::publish`] promises, looked at from outside.
//!
//! Invariant checked: no root of the VM and no SHARED object refers to a LOCAL object, and no LOCAL
//! object is reached from two threads. It is decided by reachability alone and shares nothing with
//! the walks but the reading of slots. Objects on the lists of walks under way are left out: their
//! slots are still to be looked at. So are the roots of monitors: a record names its object, but
//! gives nobody a reference.
use crate::publish;
use crate::roots::{provider, scan_thread_block};
use crate::scanning::slots_of;
use crate::slot::RefSlot;
use crate::walk::describe;
use concord_base::bug;
use concord_contract::{Obj, Thread, layout};
use concord_safepoint::Stopped;
use std::collections::{HashMap, HashSet};

const TAGS: u32 = 0b11;
const MONITOR: u32 = 0b10;

fn children(o: Obj, mut f: impl FnMut(RefSlot, Obj)) {
    // SAFETY: a live object; the world is stopped.
    unsafe {
        slots_of(o.addr(), layout::get(o.layout_id()), |slot| {
            if let Some(c) = slot.object() {
                f(slot, Obj::from_addr(c.to_raw_address().as_usize()));
            }
        });
    }
    let is_reference = layout::get(o.layout_id()).kind.is_reference();
    if let (true, Some(r)) = (is_reference, provider().reference_layout()) {
        for at in [r.referent, r.discovered] {
            let c = o.get_ref(at);
            if !c.is_null() {
                f(RefSlot::heap(o.addr() + at), c);
            }
        }
    }
}

/// The state of one verification.
pub struct Check {
    /// Objects whose slots walks have still to look at.
    unfinished: HashSet<usize>,
    pub local: usize,
}

impl Check {
    pub fn new(stopped: &Stopped) -> Check {
        let mut unfinished = HashSet::new();
        for th in stopped.threads() {
            publish::roots(th, &mut |s| {
                // SAFETY: an entry of a stopped thread's list.
                unfinished.insert(unsafe { *s } as usize);
            });
        }
        Check { unfinished, local: 0 }
    }
    /// A word of the VM's own that every thread can read, or a weak one.
    pub fn global(&self, o: Obj) {
        if o.is_local() && o.get_u32(0) & TAGS != MONITOR {
            bug!("heap verification: a root of the VM names a LOCAL object: {}", describe(o));
        }
    }
    /// An object that lives.
    pub fn object(&mut self, o: Obj) {
        if o.is_local() {
            self.local += 1;
            return;
        }
        if self.unfinished.contains(&o.addr()) {
            return;
        }
        children(o, |slot, child| {
            if child.is_local() {
                bug!(
                    "heap verification: a SHARED object names a LOCAL one at {slot:?}: {}\n{}",
                    describe(o),
                    describe(child)
                );
            }
        });
    }
    /// Follows LOCAL objects from the precise roots of each thread.
    pub fn owners(&self, stopped: &Stopped) {
        let mut owner: HashMap<usize, u64> = HashMap::new();
        for th in stopped.threads() {
            let mut todo: Vec<Obj> = Vec::new();
            roots_of(th, &mut |o| todo.push(o));
            while let Some(o) = todo.pop() {
                if !o.is_local() {
                    continue;
                }
                match owner.insert(o.addr(), th.id.get()) {
                    None => children(o, |_, c| todo.push(c)),
                    Some(id) if id == th.id.get() => {}
                    Some(id) => {
                        bug!(
                            "heap verification: threads {id} and {} reach a LOCAL object: {}",
                            th.id.get(),
                            describe(o)
                        )
                    }
                }
            }
        }
    }
}

fn roots_of(th: &Thread, f: &mut dyn FnMut(Obj)) {
    let mut word = |slot: *mut u64| {
        // SAFETY: a root word of a stopped thread.
        let w = unsafe { *slot } as usize;
        if w != 0 && w & 7 == 0 {
            // SAFETY: roots hold live objects.
            f(unsafe { Obj::from_addr(w) });
        }
    };
    scan_thread_block(th, &mut word);
    provider().scan_thread(th, &mut word, &mut |_| {});
}
