//! Which classes' objects are nearly all published.
//!
//! Invariant: a class that is [`flags::MOSTLY_PUBLISHED`] stays so, and becomes so at a stop. The mark says what is cheaper,
//! never what is right: an object is LOCAL or SHARED by its own header.
//!
//! What is published sooner or later had better be SHARED from birth where that costs no fences: in compiled code, which knows
//! for how long nobody else has seen a new object, and in copies. Publication by itself is some 30 ns with what it leads to, and
//! most of a server's objects of one class share one fate (of H2's classes three of four lie below 3 or above 97 per cent).
//!
//! Eden tells: before a young collection what was made since the last one lies there, dead or alive, each object with what
//! became of it in its header. Some of them are looked at before a collection whose number is a power of two, from the
//! fourth on, and before the seven in front of it: methods that make such objects are compiled again, and that shall be seldom.
//! Not before the first: what a program makes while it starts is not what it makes later. A look takes about half a
//! millisecond of the pause (6,500 objects of H2).
//!
//! Deliberately absent: a way back. An object that was born SHARED does not tell whether it would have been published.
use crate::eden;
use crate::roots::provider;
use concord_base::{bug, vm_log};
use concord_contract::class::flags;
use concord_contract::{ClassRef, Obj, entries, layout};
use concord_memory_model::policy;
use concord_safepoint::Stopped;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

/// Collections before which eden is looked at, for each decision.
const LOOKS: u32 = 8;
/// Decisions are no further apart, in collections.
const RAREST: u32 = 1024;
/// Bytes of eden that are looked at before one collection, from the starts of all runs.
const LOOKED_AT: usize = 128 << 10;
const LEAST_OF_A_RUN: usize = 256;
/// Collections of a smaller eden are not counted.
const LEAST: usize = 512 << 10;
/// Objects of a class that tell enough.
const ENOUGH: u32 = 32;

/// What was seen of a class's objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    made: u32,
    published: u32,
}

impl Seen {
    /// Whether seven of eight or more have been published.
    fn is_mostly_published(self) -> bool {
        self.made >= ENOUGH && u64::from(self.published) * 8 >= u64::from(self.made) * 7
    }
    fn half(self) -> Seen {
        Seen { made: self.made / 2, published: self.published / 2 }
    }
}

#[derive(Debug)]
struct Births {
    /// By layout id, of classes that are not unloaded.
    seen: Vec<Seen>,
    /// Young collections so far, and the one at which is decided next.
    collections: u32,
    decision: u32,
}

static BIRTHS: Mutex<Births> = Mutex::new(Births { seen: Vec::new(), collections: 0, decision: 4 });
static MARKED: AtomicUsize = AtomicUsize::new(0);

/// Classes that are mostly published.
pub fn mostly_published() -> usize {
    MARKED.load(Relaxed)
}

impl Births {
    /// Another collection: whether eden is to be looked at, and whether it is to be decided.
    fn begin(&mut self) -> (bool, bool) {
        self.collections = self.collections.saturating_add(1);
        let looks = self.collections > 1 && self.decision - self.collections < LOOKS;
        let decides = self.decision == self.collections;
        if decides {
            self.decision = self.collections.saturating_add(self.collections.min(RAREST));
        }
        (looks, decides)
    }
    fn note(&mut self, id: u32, published: bool) {
        let i = id as usize;
        if i >= self.seen.len() {
            self.seen.resize((i + 1).next_power_of_two(), Seen::default());
        }
        self.seen[i].made += 1;
        self.seen[i].published += u32::from(published);
    }
    /// What is mostly published, by layout id; what was seen counts half from now on.
    fn decide(&mut self) -> Vec<(u32, Seen)> {
        let found = (0..).zip(self.seen.iter().copied()).filter(|(_, s)| s.is_mostly_published()).collect();
        self.seen.iter_mut().for_each(|s| *s = s.half());
        found
    }
}

fn births() -> MutexGuard<'static, Births> {
    match BIRTHS.lock() {
        Ok(b) => b,
        Err(_) => bug!("a thread died while it collected"),
    }
}

/// Classes with these layout ids are unloaded: nothing is known of them any more, nor of who has the ids next. At a stop.
pub fn forget(ids: &[u32]) {
    let mut births = births();
    for &id in ids {
        if let Some(s) = births.seen.get_mut(id as usize) {
            *s = Seen::default();
        }
    }
}

/// Before a young collection: what lies in eden is whole, and nothing has been copied.
pub fn look(_stopped: &Stopped) {
    if !policy::vbd() || entries::tiers().is_none() {
        return;
    }
    // Not one of those that the program asks for over and over.
    if eden::runs::handed() < LEAST {
        return;
    }
    let mut births = births();
    let (looks, decides) = births.begin();
    if looks {
        let runs = eden::runs::count_new().max(1);
        eden::objects::for_each_at_starts((LOOKED_AT / runs).max(LEAST_OF_A_RUN), |at| {
            // SAFETY: an object of eden.
            let o = unsafe { Obj::from_addr(at) };
            births.note(o.layout_id(), !o.is_local());
        });
    }
    if decides {
        mark(births.decide());
    }
}

fn mark(found: Vec<(u32, Seen)>) {
    // Whose objects are SHARED from birth in any case is asked for by its class, and is nobody's news.
    let is_new = |c: &ClassRef| c.new_header() != c.shared_header() && !c.has_flag(flags::MOSTLY_PUBLISHED);
    let mut new = Vec::new();
    for (id, s) in found {
        let class = layout::class_of(id);
        if is_new(&class) {
            vm_log!(
                Vbd,
                Info,
                "compiled code makes objects of {} SHARED: {} of {} were published",
                class.name,
                s.published,
                s.made
            );
            class.flags.fetch_or(flags::MOSTLY_PUBLISHED, Relaxed);
            new.push(class);
        }
    }
    if !new.is_empty() {
        MARKED.fetch_add(new.len(), Relaxed);
        provider().mostly_published(&new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Births {
        Births { seen: Vec::new(), collections: 0, decision: 4 }
    }

    #[test]
    fn decisions_come_at_powers_of_two_and_then_at_equal_distances() {
        let mut b = none();
        let mut decided = Vec::new();
        let mut looked = 0;
        for n in 1..=5000 {
            let (looks, decides) = b.begin();
            assert!(looks || !decides, "a decision without a look, at {n}");
            looked += u32::from(looks);
            if decides {
                decided.push(n);
            }
        }
        assert_eq!(decided, [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096]);
        // All of the first sixteen but one, then eight for each.
        assert_eq!(looked, 15 + 9 * LOOKS);
    }

    #[test]
    fn what_is_unloaded_is_forgotten() {
        {
            let mut b = super::births();
            (0..2 * ENOUGH).for_each(|_| b.note(3, true));
        }
        forget(&[3, 70_000]);
        assert!(super::births().decide().is_empty());
    }

    #[test]
    fn what_is_published_seven_times_of_eight_is_mostly_published() {
        let mut b = none();
        for i in 0..ENOUGH {
            b.note(5, i % 8 != 0);
            b.note(7, i % 7 != 0);
            b.note(9, true);
        }
        b.note(11, true);
        assert_eq!(b.decide(), [(5, Seen { made: 32, published: 28 }), (9, Seen { made: 32, published: 32 })]);
        // Half of it is left, too little for another decision.
        assert!(b.decide().is_empty());
        assert_eq!(b.seen[9], Seen { made: 8, published: 8 });
    }
}
