//! What is falsely shared is kept apart while the program runs (`-remix:online`; REMIX, section 3.5).
//!
//! Invariant: a place is moved once at most. What cannot be moved now is tried again later, each time after twice as many
//! windows, and is given up in the end; nothing here changes what the program computes.
use crate::detector;
use crate::findings::Place;
use concord_base::vm_log;
use concord_contract::ClassRef;
use concord_contract::class::flags;
use concord_runtime::apart::HEADER;
use concord_runtime::info::{ClassExt, FieldInfo};
use concord_runtime::relayout::{self, Done, Refused};
use concord_runtime::{loader, names};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Times that a class is tried.
const TRIES: u32 = 6;

/// How a place stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// To be tried at this window; so often it was refused.
    Due(u64, u32),
    /// It was moved, or never will be.
    Over,
}

/// Classes that have had another layout, and objects that were moved.
static CLASSES: AtomicUsize = AtomicUsize::new(0);
static OBJECTS: AtomicUsize = AtomicUsize::new(0);

/// As REMIX ends.
pub fn text() -> String {
    format!("REMIX: Transformed {} klasses, moved {} instances.\n", CLASSES.load(Relaxed), OBJECTS.load(Relaxed))
}

/// What was repaired so far; the detector's thread has it.
#[derive(Debug, Default)]
pub struct Repairs {
    places: BTreeMap<Place, Standing>,
    window: u64,
}

impl Repairs {
    /// Another window is over, and these places are worth a repair.
    pub fn window(&mut self, worth: Vec<Place>) {
        self.window += 1;
        let due: Vec<Place> = worth.into_iter().filter(|p| self.is_due(p)).collect();
        let classes: BTreeSet<&String> = due.iter().map(|p| &p.0).collect();
        for name in classes {
            let fields: Vec<&str> = due.iter().filter(|p| p.0 == *name).map(|p| &p.1[..]).collect();
            for class in named(name) {
                self.class(class, &fields);
            }
        }
        for p in due {
            self.places.entry(p).or_insert(Standing::Over);
        }
    }
    fn is_due(&self, place: &Place) -> bool {
        match self.places.get(place) {
            None => true,
            Some(Standing::Due(window, _)) => *window <= self.window,
            Some(Standing::Over) => false,
        }
    }
    /// Repairs what of a class is named: its instances, its static fields.
    fn class(&mut self, class: ClassRef, fields: &[&str]) {
        let (name, all) = (names::readable(class), class.declared_fields());
        let found = |f: &FieldInfo| !f.is_apart() && fields.contains(&&*f.name.as_str());
        // Those that are found, and with those that are apart already.
        let of = |statics: bool| {
            let own: Vec<&'static FieldInfo> = all.iter().filter(|f| f.is_static() == statics).collect();
            let new: Vec<String> = own.iter().filter(|f| found(f)).map(|f| f.name.to_string()).collect();
            (new, own.into_iter().filter(|f| f.is_apart() || found(f)).collect::<Vec<_>>())
        };
        let (mut new, apart) = of(false);
        let was_padded = class.info().padded.load(Relaxed);
        let padded = was_padded || fields.contains(&HEADER);
        if padded != was_padded {
            new.push(HEADER.into());
        }
        if !new.is_empty() {
            self.told(&name, new, || relayout::instances(class, &apart, padded, &detector::before_relayout));
        }
        let (new, apart) = of(true);
        if !new.is_empty() {
            self.told(&name, new, || relayout::statics(class, &apart, &detector::before_relayout));
        }
    }
    /// Tries it and tells what became of it.
    fn told(&mut self, name: &str, fields: Vec<String>, attempt: impl FnOnce() -> Result<Done, Refused>) {
        let begun = Instant::now();
        let answer = attempt();
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        let list = fields.join(", ");
        let mut again = None;
        match answer {
            Ok(d) => {
                let (classes, objects) = (d.classes, d.objects);
                CLASSES.fetch_add(classes, Relaxed);
                OBJECTS.fetch_add(objects, Relaxed);
                vm_log!(
                    Remix,
                    Info,
                    "{name}: {list} apart from now on: {classes} classes, {objects} objects moved, {ms:.1}ms"
                );
            }
            Err(Refused::Always(why)) => vm_log!(Remix, Info, "{name}: {list} where it was: {why}"),
            Err(Refused::Now(why)) => {
                let place = (name.to_string(), fields[0].clone());
                let tried = match self.places.get(&place) {
                    Some(Standing::Due(_, tried)) => *tried + 1,
                    _ => 1,
                };
                if tried < TRIES {
                    again = Some(Standing::Due(self.window + (1 << (tried - 1)), tried));
                    vm_log!(Remix, Info, "{name}: {list} where it was as yet: {why}");
                } else {
                    vm_log!(Remix, Info, "{name}: {list} where it was after {TRIES} tries: {why}");
                }
            }
        }
        for f in fields {
            self.places.insert((name.to_string(), f), again.unwrap_or(Standing::Over));
        }
    }
}

/// The classes of this name that live for ever: others are not moved.
fn named(name: &str) -> Vec<ClassRef> {
    let mut all = Vec::new();
    if !concord_safepoint::is_over() {
        concord_safepoint::stop_the_world("Contention", |_stopped| {
            loader::all_classes(&mut |c| {
                if c.is_instance_class() && !c.has_flag(flags::UNLOADABLE) && names::readable(c) == name {
                    all.push(c);
                }
            });
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(field: &str) -> Place {
        ("A".into(), field.into())
    }
    fn tried(r: &mut Repairs, answer: Result<Done, Refused>) {
        r.told("A", vec!["x".into(), "y".into()], || answer);
    }

    #[test]
    fn what_is_moved_is_not_tried_again() {
        let before = (CLASSES.load(Relaxed), OBJECTS.load(Relaxed));
        let mut r = Repairs::default();
        assert!(r.is_due(&place("x")));
        tried(&mut r, Ok(Done { classes: 2, objects: 7 }));
        assert!(!r.is_due(&place("x")) && !r.is_due(&place("y")) && r.is_due(&place("z")));
        assert_eq!((CLASSES.load(Relaxed), OBJECTS.load(Relaxed)), (before.0 + 2, before.1 + 7));
        assert!(text().starts_with("REMIX: Transformed ") && text().ends_with(" instances.\n"), "{}", text());
    }
    #[test]
    fn what_never_can_be_moved_is_not_tried_again() {
        let mut r = Repairs::default();
        tried(&mut r, Err(Refused::Always("it is so".into())));
        assert!(!r.is_due(&place("x")) && !r.is_due(&place("y")));
    }
    #[test]
    fn what_cannot_be_moved_now_is_tried_ever_later_and_given_up() {
        let mut r = Repairs::default();
        let mut tries = Vec::new();
        for _ in 0..100 {
            r.window += 1;
            if r.is_due(&place("x")) {
                tries.push(r.window);
                tried(&mut r, Err(Refused::Now("it is busy".into())));
            }
        }
        assert_eq!(tries, [1, 2, 4, 8, 16, 32]);
        assert!(!r.is_due(&place("y")));
    }
    #[test]
    fn a_place_waits_for_its_window() {
        let mut r = Repairs::default();
        r.places.insert(place("x"), Standing::Due(3, 1));
        r.window = 1;
        assert!(!r.is_due(&place("x")));
        r.window = 3;
        assert!(r.is_due(&place("x")));
    }
}
