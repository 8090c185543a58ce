//! Stores and fences by bytecode, counted for `-XX:+PrintConcordStatistics`.
//!
//! Invariant: code that is translated while counting is off holds nothing of this. While it is on,
//! the words of stores go through the overlay of traced instructions, which counts and then runs
//! the plain row; superinstructions are off, so that no store hides in one. A store that throws
//! before it stores is counted as one.
use crate::slow::Activation;
use concord_contract::Obj;
use concord_contract::method::Method;
use concord_memory_model::policy;
use concord_memory_model::statistics::{self, Fate, Site};

/// Whether a bytecode of the class file stores to the heap.
pub fn is_store(bytecode: u8) -> bool {
    matches!(bytecode, 79..=86 | 179 | 181)
}

/// Whether a store's row is followed by the fence of sequential consistency.
pub fn is_strong(row: u16) -> bool {
    matches!(row, 230..=236 | 260..=266 | 270..=275)
}

/// The object that the store of row `row` is about to write, its operands being on the stack; null
/// for statics and for what is not resolved.
pub(crate) fn target(f: &Activation, row: u16) -> Obj {
    match row {
        80 | 82 | 271 | 272 => f.peek_ref(4),
        79..=86 | 270..=276 => f.peek_ref(3),
        224 | 225 | 234 | 235 => f.peek_ref(3),
        220..=239 => f.peek_ref(2),
        _ => Obj::NULL,
    }
}

/// Counts the store that the current instruction is about to make; unresolved ones come again.
pub(crate) fn observe(f: &Activation, m: &'static Method, bci: u16) {
    let row = f.instruction().0;
    if matches!(row, 79..=86 | 220..=226 | 237 | 250..=256 | 267 | 276) || is_strong(row) {
        count(m, bci, is_strong(row), target(f, row));
    }
}

/// Counts one store into `target`, null for statics or if the store is about to throw.
pub fn count(m: &'static Method, bci: u16, strong: bool, target: Obj) {
    count_as(m, bci, strong, target, Fate::Executed);
}

/// The same of compiled code, which executes and counts fences on their own.
pub fn count_compiled(m: &'static Method, bci: u16, strong: bool, target: Obj) {
    count_as(m, bci, strong, target, Fate::Owed);
}

fn count_as(m: &'static Method, bci: u16, strong: bool, target: Obj, if_shared: Fate) {
    let local = !target.is_null() && target.is_local();
    let fate = match (strong, policy::vbd()) {
        (true, _) if local => Fate::Local,
        (true, _) => if_shared,
        (false, true) => Fate::Relaxed,
        (false, false) => Fate::JavaModel,
    };
    statistics::store(Site { method: std::ptr::from_ref(m) as usize, bci }, fate);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops;
    #[test]
    fn no_two_rows_have_one_code() {
        let all = || ops::names().map(|r| r.0).chain(crate::supers::SUPERS.iter().map(|s| s.0));
        let codes: std::collections::HashSet<_> = all().collect();
        assert_eq!(codes.len(), all().count());
    }
    #[test]
    fn strong_rows_are_those_named_sc() {
        for (code, name, _) in ops::names() {
            assert_eq!(is_strong(code), name.ends_with("_sc"), "{name}");
        }
    }
    #[test]
    fn stores_are_those_of_the_class_file() {
        for (code, name, _) in ops::names().filter(|r| r.0 < 202) {
            let stores = name.starts_with("put") || name.ends_with("astore") && name.len() == 7;
            assert_eq!(is_store(code as u8), stores, "{name}");
        }
    }
}
