//! Thread dumps.
use super::{Arguments, Reply};
use concord_contract::Thread;
use concord_runtime::threads::print as printer;

pub fn print(th: &Thread, a: &Arguments) -> Reply {
    dump(th, a.flag("-l"))
}
/// A dump; with the locks of java.util.concurrent if `locks`.
pub fn dump(th: &Thread, locks: bool) -> Reply {
    Ok(printer::text(th, locks).into_bytes())
}
