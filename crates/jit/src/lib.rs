//! The quick tier: Java bytecode to machine code.
//!
//! Invariant: code that this crate makes behaves like the interpreter, and where it cannot go on it
//! leaves to the interpreter with a frame state; it touches the VM only through the rows of
//! `contract::rows`, and knows of the program only what `contract::compile_env` answers.
//!
//! ```text
//! bytecode --frontend--> ir --passes--> ir --lower--> CLIF --Cranelift--> CompiledCode
//! ```
//!
//! | module | owns |
//! |---|---|
//! | [`ir`] | typed SSA at the level of Java semantics, frame states, printer, verifier |
//! | [`frontend`] | bytecode to `ir` |
//! | [`passes`] | one file per pass |
//! | [`lower`] | the back end: `ir` to machine code |
pub mod frontend;
pub mod ir;
pub mod lower;
pub mod passes;

use concord_contract::compile_env::CompilationEnv;
use concord_contract::compiled::{Bailout, CompileRequest, CompiledCode, Compiler, Timings};
use lower::Backend;
use std::time::Instant;

/// Whether every compilation is verified: in debug builds, and under `-XX:+VerifyCompiledCode`.
pub fn verifying() -> bool {
    cfg!(debug_assertions) || concord_base::options::get().flags.verify_compiled_code
}

/// The quick tier over a back end and the program's answers.
pub struct QuickTier {
    env: &'static (dyn CompilationEnv + Sync),
    backend: lower::cranelift::Cranelift,
}

/// The forms of one method on its way, for people.
#[derive(Debug, Default)]
pub struct Stages {
    /// After each pass: its name and the function.
    pub ir: Vec<(String, String)>,
    /// The back end's own form and the assembly.
    pub machine: String,
}

impl QuickTier {
    /// # Errors
    /// When the code generator does not know the processor.
    pub fn new(env: &'static (dyn CompilationEnv + Sync)) -> Result<QuickTier, String> {
        Ok(QuickTier { env, backend: lower::cranelift::Cranelift::new()? })
    }

    /// As `compile`, keeping what `stages` asks for.
    ///
    /// # Errors
    /// Why there is no code.
    pub fn translate(
        &self,
        request: &CompileRequest,
        mut stages: Option<&mut Stages>,
    ) -> Result<CompiledCode, Bailout> {
        let start = Instant::now();
        let mut built = frontend::build(self.env, request)?;
        let front = start.elapsed();
        if let Some(s) = &mut stages {
            s.ir.push(("frontend".into(), built.func.to_string()));
        }
        passes::run(&mut built.func, passes::QUICK, |name, f| {
            if let Some(s) = &mut stages {
                s.ir.push((name.into(), f.to_string()));
            }
        });
        let passed = start.elapsed();
        let text = stages.map(|s| &mut s.machine);
        let code = self.backend.emit(&built.func, &self.env.layout(), text)?;
        let timings = Timings {
            frontend: front.as_micros() as u32,
            passes: (passed - front).as_micros() as u32,
            backend: (start.elapsed() - passed).as_micros() as u32,
        };
        let frontend::Built { dependencies, classes, inlined_bytes, osr_monitors, .. } = built;
        let Timings { frontend, passes, backend } = timings;
        concord_base::vm_log!(
            Jit,
            Info,
            "{:?} {} bytes + {inlined_bytes} inlined: {frontend} + {passes} + {backend} us, {} bytes of code, {} states, {} calls, frame {}",
            request.method,
            request.method.bytecode.len(),
            code.bytes.len(),
            code.states.len(),
            code.calls.len(),
            code.frame_span
        );
        Ok(CompiledCode { dependencies, classes, inlined_bytes, osr_monitors, timings, ..code })
    }
}

impl Compiler for QuickTier {
    fn compile(&self, request: &CompileRequest) -> Result<CompiledCode, Bailout> {
        let show = concord_base::log::enabled(concord_base::log::Tag::Jit, concord_base::log::Level::Debug);
        if !show {
            return self.translate(request, None);
        }
        let mut stages = Stages::default();
        let code = self.translate(request, Some(&mut stages));
        for (pass, text) in &stages.ir {
            concord_base::vm_log!(Jit, Debug, "{pass}: {text}");
        }
        concord_base::vm_log!(Jit, Trace, "{}", stages.machine);
        code
    }
}
