//! Recorded compilations: every question that the compiler asked, with its answer, and the bytecode;
//! enough to compile the method again without the program and without a VM.
//!
//! Invariant: a compiler that does not change makes the same forms and the same machine code from a
//! recording, byte for byte. So nothing that reaches the code may come from elsewhere: addresses are
//! asked for (`CompilationEnv::class_address` and its like), and the settings of the code generator
//! are recorded, too.
//!
//! Deliberately absent: what the code generator and the passes decide, which a replay finds out.
//!
//! One line per fact, of words; `-` is nothing, names are escaped as `%20`. Classes and methods have
//! numbers. A replay finds an answer by the text of the question:
//! ```text
//! concord-replay 7
//! machine has_sse3 has_avx ...      settings of the code generator that are on
//! vbd 1
//! class c0 java/lang/Object Instance Object 0 0x21 0x20 0x8 0 0 3 0x4 0x1 - - 0x7f00 0x5080
//!        name kind type elem_shift access flags size depth place state birth layout super component
//!        address statics
//! method m0 c0 hashCode ()I 0x101 Int None 1 0 8 - - 0x7f80
//!        class name descriptor flags result intrinsic locals stack argument-bytes code
//!        start:end:handler:type,... address
//! compile m0 - 17 Plain 12:Bounds   method, loop header, number, level, traps that fired often
//! at m0 7 = c0                      a question of `CompilationEnv` and its answer
//! result code 3f0a... 77e1... 04bc... of 312 bytes
//! ```
//! The three numbers of the result are fingerprints: of the intermediate representation after each
//! pass; of CLIF and assembly; of the machine code with its relocations, records and frame states.
//! A recording that a crash has cut short has no result.
mod answers;
mod record;
mod text;
mod world;

pub use record::Recorder;
pub use world::World;

use crate::lower::cranelift::Cranelift;
use crate::{Stages, translate};
use concord_contract::compiled::{Bailout, CompileRequest, CompiledCode};

/// The first line of a recording.
const HEAD: &str = "concord-replay 7";

/// FNV-1a of 64 bits.
fn fingerprint<'a>(texts: impl Iterator<Item = &'a [u8]>) -> u64 {
    let step = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    texts.flatten().fold(0xcbf2_9ce4_8422_2325, step)
}

/// What came of a compilation, in one line.
pub fn outcome(stages: &Stages, code: &Result<CompiledCode, Bailout>) -> String {
    match code {
        Ok(c) => {
            let ir = fingerprint(stages.ir.iter().flat_map(|(pass, text)| [pass.as_bytes(), text.as_bytes()]));
            let machine = fingerprint([stages.machine.form.as_bytes()].into_iter());
            let records = format!("{:?} {} {:?} {:?} {:?}", c.relocs, c.frame_span, c.calls, c.states, c.dependencies);
            let all = fingerprint([&c.bytes[..], records.as_bytes()].into_iter());
            format!("code {ir:016x} {machine:016x} {all:016x} of {} bytes", c.bytes.len())
        }
        Err(Bailout::Unsupported(why)) => format!("unsupported {}", text::name(why.as_bytes())),
        Err(Bailout::Later(why)) => format!("later {}", text::name(why.as_bytes())),
    }
}

/// A compilation, repeated.
pub struct Replayed {
    pub request: CompileRequest,
    pub stages: Stages,
    pub code: Result<CompiledCode, Bailout>,
    /// What came of it, and what had come of the recorded one.
    pub outcome: String,
    pub recorded: Option<String>,
    /// Questions without an answer in the recording.
    pub unanswered: Vec<String>,
}

/// Compiles what the text records. Sets the memory model's policy: no VM may run in this process.
///
/// # Errors
/// What is wrong with the recording, or that this code generator does not know its processor.
pub fn run(text: &str) -> Result<Replayed, String> {
    // A crash cuts the text off anywhere.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let world = World::read(whole)?;
    let request = world.request()?;
    concord_memory_model::policy::install(world.vbd, false);
    let backend = Cranelift::with_settings(&world.machine)?;
    let mut stages = Stages::default();
    let code = translate(&backend, &world, &request, Some(&mut stages));
    Ok(Replayed {
        outcome: outcome(&stages, &code),
        recorded: world.result.clone(),
        unanswered: world.unanswered(),
        request,
        stages,
        code,
    })
}

impl Replayed {
    /// Whether the same came of it; true if it is not known what had come of it.
    pub fn same(&self) -> bool {
        self.unanswered.is_empty() && self.recorded.as_ref().is_none_or(|r| *r == self.outcome)
    }
    /// For people: the method, what came of it, and whether that is what it was.
    pub fn report(&self) -> String {
        let osr = self.request.osr_bci.map_or(String::new(), |b| format!(" @ {b}"));
        let mut s = format!("{:?}{osr}\n  replayed: {}\n", self.request.method, self.outcome);
        match &self.recorded {
            None => s.push_str("  recorded: the compilation did not end\n"),
            Some(r) if *r == self.outcome => s.push_str("  recorded: the same\n"),
            Some(r) => s.push_str(&format!("  recorded: {r}\n")),
        }
        for q in &self.unanswered {
            s.push_str(&format!("  not recorded: {q}\n"));
        }
        s
    }
}
