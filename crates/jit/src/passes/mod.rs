//! Passes over the intermediate representation, one file each.
//!
//! Invariant: every pass leaves a function that `ir::verify` accepts; a pass that moves or removes a
//! memory operation names the law that allows it.
pub mod clean;
pub mod fences;
pub mod repeat;
pub mod shape;

use crate::ir::{Func, verify};
use concord_contract::compiled::Bailout;

type Pass = (&'static str, fn(&mut Func));

/// The passes of the quick tier, in order.
pub const QUICK: &[Pass] =
    &[("shape", shape::run), ("clean", clean::run), ("repeat", repeat::run), ("fences", fences::run)];

/// Runs the passes; in debug builds the function is verified before the first and after each.
///
/// # Errors
/// What the verifier found.
pub fn run(func: &mut Func, passes: &[Pass], mut show: impl FnMut(&str, &Func)) -> Result<(), Bailout> {
    check("frontend", func)?;
    for (name, pass) in passes {
        pass(func);
        check(name, func)?;
        show(name, func);
    }
    Ok(())
}

fn check(after: &str, func: &Func) -> Result<(), Bailout> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    verify::verify(func).map_err(|e| Bailout::Unsupported(format!("bad code after {after}: {e}\n{func}")))
}
