//! Helpful messages of NullPointerException (JEP 358).
//!
//! Invariant: a message is made only from the bytecode of the frame that failed and tells nothing
//! that the bytecode does not say; what cannot be known for certain is left out.
//!
//! | module | what |
//! |---|---|
//! | `sources` | which instruction put a value on the stack |
//! | `text` | the sentence |
mod sources;
mod text;

use super::Site;
use concord_contract::Obj;

/// The message for a NullPointerException that the VM threw; None if there is none to make: the
/// exception was constructed by Java code, or its frame is native or hidden.
pub fn message(throwable: Obj) -> Option<String> {
    message_at(super::backtrace::top_of(throwable)?)
}

/// The message for the instruction at a site.
pub fn message_at(site: Site) -> Option<String> {
    let m = site.method;
    if m.is_native() || m.bytecode.is_empty() {
        return None;
    }
    let bci = usize::from(site.bci);
    text::Writer::new(m, bci)?.message(bci)
}
