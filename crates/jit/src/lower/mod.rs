//! The back end: from the intermediate representation to machine code.
//!
//! Invariant: nothing of the code generator's own vocabulary stands above this module; another one
//! would implement [`Backend`] beside Cranelift.
pub mod cranelift;
pub mod roots;

use crate::ir::Func;
use concord_contract::compile_env::CompilationEnv;
use concord_contract::compiled::{Bailout, CompiledCode};

/// What the optimiser may ask of a code generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Widest vectors that it emits.
    pub max_vector_bits: u32,
}

/// A function's last forms, for people.
#[derive(Debug, Default)]
pub struct Text {
    /// The generator's own form.
    pub form: String,
    /// The machine code, each stretch under the instruction that it is there for.
    pub listing: String,
}

/// A code generator.
pub trait Backend {
    fn capabilities(&self) -> Capabilities;
    /// Machine code for a verified function, with its records and frame states. `text`, if given,
    /// receives its last forms.
    ///
    /// # Errors
    /// For what the generator cannot do.
    fn emit(&self, func: &Func, env: &dyn CompilationEnv, text: Option<&mut Text>) -> Result<CompiledCode, Bailout>;
}
