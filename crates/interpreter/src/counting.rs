//! Stores and fences by bytecode, counted for `-XX:+PrintConcordStatistics`.
//!
//! Invariant: code that is translated while counting is off holds nothing of this. While it is on,
//! the words of stores go through the overlay of traced instructions, which counts and then runs
//! the plain row; superinstructions are off, so that no store hides in one. A store that throws
//! before it stores is counted as one.
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

/// Counts the store that row `row` is about to make; unresolved ones come again.
pub fn observe(m: &'static Method, bci: u16, row: u16) {
    if matches!(row, 79..=86 | 220..=226 | 250..=256) || is_strong(row) {
        count(m, bci, is_strong(row));
    }
}

/// Counts one store.
pub fn count(m: &'static Method, bci: u16, fenced: bool) {
    let fate = match (fenced, policy::vbd()) {
        (true, _) => Fate::Executed,
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
