//! Thread dumps.
use super::{Arguments, Reply};
use concord_contract::Thread;
use concord_runtime::threads::print::{self as printer, Extent};

pub fn print(th: &Thread, a: &Arguments) -> Reply {
    dump(th, Extent { locks: a.flag("-l"), figures: a.flag("-e") })
}
pub fn dump(th: &Thread, extent: Extent) -> Reply {
    Ok(printer::text(th, extent).into_bytes())
}
