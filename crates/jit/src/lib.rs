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
//! | [`replay`] | recorded compilations |
pub mod frontend;
pub mod ir;
pub mod lower;
pub mod passes;
pub mod replay;

use concord_base::log::{self, Level, Tag};
use concord_contract::class::Birth;
use concord_contract::compile_env::CompilationEnv;
use concord_contract::compiled::{Bailout, CompileRequest, CompiledCode, Compiler, Dependency, Record, Timings};
use concord_contract::compiling;
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
    pub machine: lower::Text,
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
    pub fn translate(&self, request: &CompileRequest, stages: Option<&mut Stages>) -> Result<CompiledCode, Bailout> {
        translate(&self.backend, self.env, request, stages)
    }

    /// As `translate`, with a recording of it. Whether a file of it can be written is no reason to fail.
    fn recorded(&self, request: &CompileRequest, stages: &mut Stages) -> Result<CompiledCode, Bailout> {
        let recorder = replay::Recorder::new(self.env, request, &self.backend.settings());
        let code = translate(&self.backend, &recorder, request, Some(stages));
        compiling::recorded(request.id, &[]);
        let name = format!("replay_pid{}_compid{}.log", std::process::id(), request.id);
        // The VM may end meanwhile: a file of this name is whole.
        let draft = format!("{name}.part");
        let text = recorder.finish(&replay::outcome(stages, &code));
        match std::fs::write(&draft, text).and_then(|()| std::fs::rename(&draft, &name)) {
            Ok(()) => concord_base::outln!("# Compiler replay data is saved as: {name}"),
            Err(e) => concord_base::errln!("{} warning: {name}: {e}", concord_base::options::VM_NAME),
        }
        code
    }
    /// As `translate`, with a recording in memory as long as it takes.
    fn remembered(&self, request: &CompileRequest, stages: Option<&mut Stages>) -> Result<CompiledCode, Bailout> {
        let recorder = replay::Recorder::new(self.env, request, &self.backend.settings());
        let code = translate(&self.backend, &recorder, request, stages);
        compiling::recorded(request.id, &[]);
        code
    }
}

impl Stages {
    /// Under `-Xlog:jit=debug` and `trace`, and `jit+asm`.
    pub fn log(&self, request: &CompileRequest) {
        for (pass, text) in &self.ir {
            concord_base::vm_log!(Jit, Debug, "{pass}: {text}");
        }
        concord_base::vm_log!(Jit, Trace, "{}", self.machine.form);
        let osr = request.osr_bci.map_or(String::new(), |bci| format!(" @ {bci}"));
        concord_base::vm_log!(JitAsm, Info, "{} {:?}{osr}\n{}", request.id, request.method, self.machine.listing);
    }
}

/// From bytecode to machine code, over a program's answers.
///
/// # Errors
/// Why there is no code.
fn translate(
    backend: &dyn Backend,
    env: &dyn CompilationEnv,
    request: &CompileRequest,
    mut stages: Option<&mut Stages>,
) -> Result<CompiledCode, Bailout> {
    let start = Instant::now();
    let mut built = frontend::build(env, request)?;
    let front = start.elapsed();
    if let Some(s) = &mut stages {
        s.ir.push(("frontend".into(), built.func.to_string()));
    }
    passes::run(&mut built.func, &passes::asked_for(), |name, f| {
        if let Some(s) = &mut stages {
            s.ir.push((name.into(), f.to_string()));
        }
    });
    let crash_at = concord_base::options::get().flags.ci_crash_at;
    if crash_at >= 0 && crash_at == i64::from(request.id) {
        concord_base::bug!("CICrashAt={crash_at}");
    }
    let passed = start.elapsed();
    let text = stages.map(|s| &mut s.machine);
    let code = backend.emit(&built.func, env, text)?;
    let timings = Timings {
        frontend: front.as_micros() as u32,
        passes: (passed - front).as_micros() as u32,
        backend: (start.elapsed() - passed).as_micros() as u32,
    };
    let frontend::Built { func, mut dependencies, classes, inlined_bytes, inlined, osr_monitors, .. } = built;
    dependencies.extend(born_local(&func));
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
    Ok(CompiledCode { dependencies, classes, inlined_bytes, inlined, osr_monitors, timings, ..code })
}

/// What the code relies on of the classes whose objects it makes LOCAL, each class once.
fn born_local(func: &ir::Func) -> Vec<Dependency> {
    let mut found = Vec::new();
    for i in func.blocks.iter().flat_map(|b| &b.insts) {
        if let ir::Op::New(class, Birth::Local, _) | ir::Op::NewArray(class, Birth::Local, ..) = i.op {
            let d = Dependency::BornLocal(class);
            if !found.contains(&d) {
                found.push(d);
            }
        }
    }
    found
}

impl Compiler for QuickTier {
    fn compile(&self, request: &CompileRequest) -> Result<CompiledCode, Bailout> {
        let show = log::enabled(Tag::Jit, Level::Debug) || log::enabled(Tag::JitAsm, Level::Info);
        let mut stages = (show || request.print || request.record == Record::File).then(Stages::default);
        let mut code = match (request.record, &mut stages) {
            (Record::File, Some(stages)) => self.recorded(request, stages),
            (Record::Memory, stages) => self.remembered(request, stages.as_mut()),
            (_, stages) => self.translate(request, stages.as_mut()),
        };
        if let Some(stages) = stages {
            stages.log(request);
            if let (Ok(code), true) = (&mut code, request.print) {
                code.listing = Some(stages.machine.listing);
            }
        }
        code
    }
}
