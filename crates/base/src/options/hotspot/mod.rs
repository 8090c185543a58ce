//! What is known of HotSpot's flags, with or without an effect here.
//!
//! Invariant: one answer per name. A flag of HotSpot's that has no effect here still has its type,
//! its lock and its value, so that those who look cannot tell.
mod names;

use super::flags::{Kind, Origin, TABLE};
use super::{Options, parse_size};

/// Since when a flag is deprecated.
pub(super) fn deprecated(name: &str) -> Option<&'static str> {
    Some(match name {
        "MaxGCMinorPauseMillis" => "8.0",
        "InitialRAMFraction" | "MaxRAMFraction" | "MinRAMFraction" => "10.0",
        "TLABStats" => "12.0",
        "AllowRedefinitionToAddDeleteMethods" | "FlightRecorder" => "13.0",
        "CriticalJNINatives" => "16.0",
        "AlwaysLockClassLoader" => "17.0",
        "UseBiasedLocking"
        | "UseOptoBiasInlining"
        | "PrintBiasedLockingStatistics"
        | "PrintPreciseBiasedLockingStatistics" => "15.0",
        n if n.starts_with("BiasedLocking") => "15.0",
        _ => return None,
    })
}

/// Whether HotSpot has a flag of this name.
pub(super) fn exists(name: &str) -> bool {
    flag(name).is_some()
}

/// Whether a flag of HotSpot is boolean, and its kind.
pub(super) fn flag(name: &str) -> Option<(bool, Kind)> {
    find(name).map(|r| (r.ty == "bool", r.kind))
}

/// What is known of a flag of HotSpot's.
struct Row {
    ty: &'static str,
    kind: Kind,
    /// Without options.
    value: Option<&'static str>,
}

fn find(name: &str) -> Option<Row> {
    names::NAMES.split_ascii_whitespace().find_map(|row| {
        let (n, rest) = row.split_once(':')?;
        let (code, value) = rest.split_once('=').map_or((rest, None), |(c, v)| (c, Some(v)));
        (n == name).then(|| Row {
            ty: match code.as_bytes()[0] {
                b'b' => "bool",
                b'i' => "intx",
                b'u' => "uintx",
                b'f' => "double",
                _ => "ccstr",
            },
            kind: match code.as_bytes()[1] {
                b'd' => Kind::Diagnostic,
                b'x' => Kind::Experimental,
                _ => Kind::Product,
            },
            value,
        })
    })
}

/// Type, value and origin of a flag of HotSpot's that has no effect here, if it may be seen.
pub fn inert(o: &Options, name: &str) -> Option<(&'static str, String, Origin)> {
    let row = find(name)?;
    let seen = match row.kind {
        Kind::Diagnostic => o.flags.unlock_diagnostic_vm_options,
        Kind::Experimental => o.flags.unlock_experimental_vm_options,
        _ => true,
    };
    let (value, origin) = match o.inert.get(name) {
        Some((v, origin)) if matches!(row.ty, "intx" | "uintx") => {
            (parse_size(v).map_or_else(|| v.clone(), |n| n.to_string()), *origin)
        }
        Some((v, origin)) => (v.clone(), *origin),
        None => (row.value?.to_string(), Origin::Default),
    };
    seen.then_some((row.ty, value, origin))
}

/// The flag whose name shares most pairs of neighbouring letters with `name`, if these are seven
/// tenths of the letters of both; and whether it is boolean.
pub(super) fn nearest(name: &str) -> Option<(&'static str, bool)> {
    // The file of options is no flag in HotSpot.
    let own = TABLE.iter().filter(|r| r.name != "VMOptionsFile").map(|r| (r.name, r.ty == "bool"));
    let theirs = names::NAMES
        .split_ascii_whitespace()
        .filter_map(|row| row.split_once(':').map(|(n, code)| (n, code.starts_with('b'))));
    let score = |candidate: &str| {
        let (a, b) = (name.as_bytes(), candidate.as_bytes());
        let hits = a.windows(2).filter(|w| b.windows(2).any(|l| l == *w)).count();
        2.0 * hits as f64 / (a.len() + b.len()).max(1) as f64
    };
    own.chain(theirs)
        .map(|(n, b)| (score(n), n, b))
        .max_by(|x, y| x.0.total_cmp(&y.0))
        .filter(|best| best.0 >= 0.7)
        .map(|(_, n, b)| (n, b))
}
