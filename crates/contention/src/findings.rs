//! What was found: as it is found in the log, at the end as REMIX prints it, and as a file for the next run.
//!
//! Invariant: a place is listed if it is contended; it is to be kept apart if it shares a line falsely with a part of the
//! program's samples that is worth the memory, and not if it is truly shared alone.
use crate::lines::{Spot, Verdict};
use crate::places::{Named, Part};
use crate::probe::READS;
use concord_base::vm_log;
use concord_runtime::apart::{Apart, HEADER};
use std::collections::BTreeMap;

/// Places of a class that are listed, and that are remembered.
const LISTED: usize = 16;
const REMEMBERED: usize = 1024;
/// Of all samples of the program so many belong to a place at least that is to be kept apart: a hundredth.
const WORTH: u64 = 100;

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

#[derive(Debug, Default)]
pub struct Findings {
    /// By class, then by place.
    hits: BTreeMap<String, BTreeMap<(Part, String), Hits>>,
    /// Samples of what would have to go, by class and field.
    movable: BTreeMap<(String, String), u64>,
}

impl Findings {
    pub fn add(&mut self, f: Finding) {
        f.log();
        let is_false = matches!(f.verdict, Verdict::FalseSharing(_));
        for s in &f.seen {
            let Some(p) = &s.place else { continue };
            let class = self.hits.entry(p.class.clone()).or_default();
            if class.len() >= REMEMBERED {
                continue;
            }
            let hits = class.entry((p.part.clone(), p.text())).or_default();
            *if is_false { &mut hits.shared } else { &mut hits.single } += s.spot.samples;
        }
        let Verdict::FalseSharing(pairs) = &f.verdict else { return };
        let mut movable: BTreeMap<usize, &str> = BTreeMap::new();
        for (a, b) in pairs {
            for (this, other) in [(*a, *b), (*b, *a)] {
                let (Some(p), Some(other)) = (&f.seen[this].place, &f.seen[other].place) else { continue };
                match &p.part {
                    Part::Field(name, _) | Part::Static(name, _) => movable.insert(this, name),
                    // A field that goes away is enough for both; elements cannot.
                    Part::Header if !matches!(other.part, Part::Field(..) | Part::Static(..)) => {
                        movable.insert(this, HEADER)
                    }
                    _ => continue,
                };
            }
        }
        for (i, name) in movable {
            let Some(p) = &f.seen[i].place else { continue };
            *self.movable.entry((p.class.clone(), name.into())).or_default() += u64::from(f.seen[i].spot.samples);
        }
    }

    /// What is to be kept apart in a program of which there were so many samples.
    pub fn apart(&self, samples: u64) -> Apart {
        let mut apart = Apart::default();
        for ((class, field), n) in self.movable.iter().filter(|m| m.1 * WORTH >= samples) {
            vm_log!(Remix, Debug, "{class}::{field}: {n} of {samples} samples");
            apart.add(class, field);
        }
        apart
    }

    /// Lines for the end of the program.
    pub fn text(&self) -> String {
        let mut s = format!("REMIX: Processed {} classes:\n", self.hits.len());
        for (class, places) in &self.hits {
            s += &format!("REMIX: Hits for class '{class}':\n");
            for ((_, text), h) in places.iter().take(LISTED) {
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
