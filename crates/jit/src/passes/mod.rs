//! Passes over the intermediate representation, one file each.
//!
//! Invariant: every pass leaves a function that `ir::verify` accepts; a pass that moves or removes a
//! memory operation names the law that allows it.
pub mod bounds;
pub mod casts;
pub mod clean;
pub mod fences;
pub mod fresh;
pub mod loads;
mod loops;
pub mod nonnull;
pub mod repeat;
pub mod rotate;
pub mod scalars;
pub mod shape;
pub mod types;

use crate::ir::{Func, parse, verify};

pub type Pass = (&'static str, fn(&mut Func));

/// The passes of the quick tier, in order.
pub const QUICK: &[Pass] = &[
    ("shape", shape::run),
    ("rotate", rotate::run),
    ("types", types::run),
    ("clean", clean::run),
    ("scalars", scalars::run),
    ("fresh", fresh::run),
    ("loads", loads::run),
    ("nonnull", nonnull::run),
    ("casts", casts::run),
    ("repeat", repeat::run),
    ("bounds", bounds::run),
    ("fences", fences::run),
];

/// Those of them that the options want.
pub fn asked_for() -> Vec<Pass> {
    let flags = &concord_base::options::get().flags;
    let scalars = flags.do_escape_analysis && flags.eliminate_allocations;
    QUICK.iter().copied().filter(|p| scalars || p.0 != "scalars").collect()
}

/// Runs the passes; in debug builds and under `-XX:+VerifyCompiledCode` the function is verified before
/// the first and after each, and at last read back from its text.
pub fn run(func: &mut Func, passes: &[Pass], mut show: impl FnMut(&str, &Func)) {
    check("frontend", func);
    for (name, pass) in passes {
        pass(func);
        check(name, func);
        show(name, func);
    }
    if crate::verifying()
        && let Err(e) = parse::comes_back(func)
    {
        concord_base::bug!("the text of a function is not the function: {e}\n{func}");
    }
}

fn check(after: &str, func: &Func) {
    if crate::verifying()
        && let Err(e) = verify::verify(func)
    {
        concord_base::bug!("bad code after {after}: {e}\n{func}");
    }
}
