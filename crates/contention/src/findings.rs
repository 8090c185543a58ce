//! What was found: as it is found in the log, at the end as REMIX prints it, and as a file for the next run.
//!
//! Invariant: a place is listed if it is contended; it is to be kept apart if it shares a line falsely with a part of the
//! program's samples that is worth the memory, and not if it is truly shared alone.
use crate::lines::{Spot, Verdict};
use crate::places::{Named, Part};
use crate::probe::READS;
use concord_base::vm_log;
use concord_runtime::apart::{Apart, HEADER};
use std::collections::{BTreeMap, BTreeSet};

/// Places of a class that are listed, and that are remembered.
const LISTED: usize = 16;
const REMEMBERED: usize = 1024;
/// Of all samples of the program so many belong to the lines of a place at least that is to be kept apart: a hundredth.
const WORTH: u64 = 100;
/// And so many in any case.
const LEAST: u64 = 16;

/// A spot of a line with its names.
#[derive(Clone, Debug)]
pub struct Seen {
    pub spot: Spot,
    pub place: Option<Named>,
    pub thread: String,
    pub source: Option<String>,
}

/// A contended line.
#[derive(Clone, Debug)]
pub struct Finding {
    pub verdict: Verdict,
    pub seen: Vec<Seen>,
    /// Of the line, and the interrupts of its threads meanwhile.
    pub samples: u32,
    pub interrupts: u64,
}

/// Samples of a place in lines that are falsely shared, and in others that are contended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hits {
    shared: u32,
    single: u32,
}

impl Hits {
    fn all(&self) -> u32 {
        self.shared + self.single
    }
}

/// A class and a field of its own, or `apart::HEADER`.
pub type Place = (String, String);

#[derive(Debug, Default)]
pub struct Findings {
    /// By class, then by place.
    hits: BTreeMap<String, BTreeMap<(Part, String), Hits>>,
    /// Samples of the lines that would be rid of it, by class and field.
    movable: BTreeMap<Place, u64>,
}

impl Findings {
    pub fn add(&mut self, f: Finding) {
        f.log();
        let is_false = matches!(f.verdict, Verdict::FalseSharing(_));
        for s in &f.seen {
            let Some(p) = &s.place else { continue };
            let class = self.hits.entry(p.class.clone()).or_default();
            let key = (p.part.clone(), p.text());
            if class.len() >= REMEMBERED && !class.contains_key(&key) {
                continue;
            }
            let hits = class.entry(key).or_default();
            *if is_false { &mut hits.shared } else { &mut hits.single } += s.spot.samples;
        }
        let Verdict::FalseSharing(pairs) = &f.verdict else { return };
        let mut movable = BTreeSet::new();
        for (a, b) in pairs {
            let (Some(a), Some(b)) = (&f.seen[*a].place, &f.seen[*b].place) else { continue };
            let fields = [a, b].map(|p| match &p.part {
                Part::Field(name, _) | Part::Static(name, _) if Apart::takes(&p.class, name) => {
                    Some((&p.class, &name[..]))
                }
                _ => None,
            });
            // A field that goes away is enough for both; elements cannot.
            if fields.iter().all(Option::is_none) {
                let headers = [a, b].into_iter().filter(|p| p.part == Part::Header);
                movable.extend(headers.map(|p| (&p.class, HEADER)));
            }
            movable.extend(fields.into_iter().flatten());
        }
        for (class, field) in movable {
            *self.movable.entry((class.clone(), field.into())).or_default() += u64::from(f.samples);
        }
    }

    /// The places that are worth being moved in a program of which there were so many samples.
    pub fn worth(&self, samples: u64) -> Vec<Place> {
        self.movable.iter().filter(|m| *m.1 >= LEAST && m.1 * WORTH >= samples).map(|m| m.0.clone()).collect()
    }
    /// The same for the next run.
    pub fn apart(&self, samples: u64) -> Apart {
        let mut apart = Apart::default();
        self.worth(samples).iter().for_each(|(class, field)| apart.add(class, field));
        apart
    }

    /// Lines for the end of the program.
    pub fn text(&self) -> String {
        let mut s = format!("REMIX: Processed {} classes:\n", self.hits.len());
        for (class, places) in &self.hits {
            s += &format!("REMIX: Hits for class '{class}':\n");
            // Those with the most samples, in the order in which they lie.
            let mut listed: Vec<_> = places.iter().enumerate().collect();
            listed.sort_by_key(|(i, p)| (std::cmp::Reverse(p.1.all()), *i));
            listed.truncate(LISTED);
            listed.sort_by_key(|(i, _)| *i);
            for (_, ((_, text), h)) in listed {
                s += &format!("REMIX: - Hit {text}: {}:{}\n", h.shared, h.single);
            }
            if places.len() > LISTED {
                s += &format!("REMIX: - and {} other places\n", places.len() - LISTED);
            }
        }
        s
    }
}

impl Finding {
    fn log(&self) {
        let kind = match self.verdict {
            Verdict::FalseSharing(_) => "false",
            _ => "true",
        };
        let part = 100.0 * f64::from(self.samples) / (self.interrupts.max(u64::from(self.samples)) as f64);
        vm_log!(Remix, Info, "{kind} sharing of a line, {part:.0}% of its threads' time:");
        for s in &self.seen {
            let x = &s.spot;
            let slow = 100.0 * f64::from(x.slow) / f64::from(x.samples * u32::from(READS));
            let place = s.place.as_ref().map_or_else(|| "(no object)".into(), Named::text);
            let object = s.place.as_ref().map_or(0, |p| p.object);
            let does = match x.writes {
                0 => "reads",
                _ => "writes",
            };
            let source = s.source.as_deref().unwrap_or("code that is gone");
            vm_log!(
                Remix,
                Info,
                "  {place} of {object:#x}: \"{}\" {does} it in {source}, {} samples, {slow:.0}% slow",
                s.thread,
                x.samples
            );
        }
    }
}

#[cfg(test)]
#[path = "tests/findings.rs"]
mod tests;
