//! What running code has shown about a method, as a compiler reads it: how often branches were
//! taken, which classes receivers and tested objects had, how often calls were made; and where
//! compiled code goes on counting it.
//!
//! Invariant: a snapshot is the sum of counts that go on growing; it proves nothing, and code that
//! relies on it checks. Counts are of the time since the method became warm. The classes named were
//! alive when the snapshot was taken; a compiler's stay alive because nothing is unloaded while it
//! compiles.
use crate::class::ClassRef;
use std::fmt;

/// Classes that a site tells apart (HotSpot's `TypeProfileWidth`).
pub const WIDTH: usize = 2;

/// Objects seen at one instruction, by class: receivers of a call, operands of a type test, elements
/// stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// Classes and counts, most frequent first. At most [`WIDTH`] per stripe: more of them here mean
    /// that threads saw different ones.
    pub rows: Vec<(ClassRef, u64)>,
    /// Objects of other classes, and of classes that were unloaded.
    pub rest: u64,
    /// Null operands of a type test or store; calls on null throw and are not counted.
    pub nulls: u64,
}

impl Types {
    /// Objects and nulls.
    pub fn total(&self) -> u64 {
        self.rows.iter().map(|r| r.1).sum::<u64>() + self.rest + self.nulls
    }
    pub fn add(&mut self, class: ClassRef, count: u64) {
        match self.rows.iter_mut().find(|r| r.0 == class) {
            Some(r) => r.1 += count,
            None => self.rows.push((class, count)),
        }
        self.rows.sort_by_key(|r| std::cmp::Reverse(r.1));
    }
    /// The class of all objects seen, if it was one.
    pub fn only(&self) -> Option<ClassRef> {
        match (&self.rows[..], self.rest) {
            ([(class, _)], 0) => Some(class),
            _ => None,
        }
    }
}

/// What is known of one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// A conditional branch.
    Branch { taken: u64, not_taken: u64 },
    /// A call whose target does not depend on an object.
    Call(u64),
    /// A call that selects by its receiver, a type test, a store into an array of references.
    Types(Types),
}

impl Site {
    /// Executions.
    pub fn total(&self) -> u64 {
        match self {
            Site::Branch { taken, not_taken } => taken + not_taken,
            Site::Call(n) => *n,
            Site::Types(t) => t.total(),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Site::Branch { taken, not_taken } => write!(f, "branch taken {taken} not-taken {not_taken}"),
            Site::Call(n) => write!(f, "call {n}"),
            Site::Types(t) => {
                f.write_str("types")?;
                for (class, n) in &t.rows {
                    write!(f, " {} {n}", class.name.as_str().replace('/', "."))?;
                }
                write!(f, " others {} nulls {}", t.rest, t.nulls)
            }
        }
    }
}

/// A counter cell, in bytes from where the thread's stripe of counters begins
/// ([`Thread::stripe`](crate::Thread)).
pub type Cell = u32;

/// The cells of an instruction that counts objects by class. What they hold is told in the
/// interpreter's `profile`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Its own cell, of 8 bytes: the first row.
    pub own: Cell,
    /// 16 bytes: the second row, then other objects and nulls.
    pub more: Cell,
}

/// Where compiled code counts an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// 4 bytes each.
    Branch { taken: Cell, not_taken: Cell },
    /// 4 bytes.
    Call(Cell),
    /// If the instruction turns out to be a call that needs no receiver to know its target, it counts as
    /// a [`Counter::Call`] in the upper half of its own cell.
    Types(Rows),
}

/// Where compiled code counts what a method does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// 4 bytes: entries of the method's compiled code.
    pub entries: Cell,
    /// 4 bytes: jumps back in it.
    pub jumps_back: Cell,
    /// Ascending by bytecode index.
    pub sites: Vec<(u16, Counter)>,
}

impl Counters {
    pub fn at(&self, bci: u16) -> Option<Counter> {
        let i = self.sites.binary_search_by_key(&bci, |s| s.0).ok()?;
        Some(self.sites[i].1)
    }
}

/// The profile of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodProfile {
    /// Instructions that can be profiled, ascending by bytecode index.
    sites: Vec<(u16, Site)>,
    /// Entries of compiled code that counts them, and jumps back in it.
    pub entries: u64,
    pub jumps_back: u64,
}

impl MethodProfile {
    /// # Panics
    /// If the sites are not in ascending order.
    pub fn new(sites: Vec<(u16, Site)>) -> MethodProfile {
        assert!(sites.is_sorted_by(|a, b| a.0 < b.0), "sites in disorder");
        MethodProfile { sites, entries: 0, jumps_back: 0 }
    }
    /// What is known of the instruction at `bci`: None if it cannot be profiled.
    pub fn at(&self, bci: u16) -> Option<&Site> {
        let i = self.sites.binary_search_by_key(&bci, |s| s.0).ok()?;
        Some(&self.sites[i].1)
    }
    /// How often the branch at `bci` was and was not taken.
    pub fn branch(&self, bci: u16) -> Option<(u64, u64)> {
        match self.at(bci)? {
            Site::Branch { taken, not_taken } => Some((*taken, *not_taken)),
            _ => None,
        }
    }
    /// The objects seen at `bci`.
    pub fn types(&self, bci: u16) -> Option<&Types> {
        match self.at(bci)? {
            Site::Types(t) => Some(t),
            _ => None,
        }
    }
    pub fn sites(&self) -> impl Iterator<Item = (u16, &Site)> {
        self.sites.iter().map(|(bci, s)| (*bci, s))
    }
}

/// One line per instruction that was executed, and one for compiled code that counts.
impl fmt::Display for MethodProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (bci, s) in self.sites().filter(|s| s.1.total() > 0) {
            writeln!(f, "  {bci}: {s}")?;
        }
        if self.entries + self.jumps_back > 0 {
            writeln!(f, "  compiled: entered {} jumped back {}", self.entries, self.jumps_back)?;
        }
        Ok(())
    }
}
