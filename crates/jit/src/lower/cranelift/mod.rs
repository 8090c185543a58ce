//! Cranelift as back end.
//!
//! Invariant: the code generator is given nothing to optimise (`opt_level=none`): what it emits is
//! what `body` wrote, instruction by instruction, and references are spilled and reloaded by
//! ourselves, never by its stack-map declarations.
//!
//! | module | owns |
//! |---|---|
//! | `body` | control flow, values, references and their slots |
//! | `arith` | instructions on numbers |
//! | `memory` | headers, fields, elements, the collector's barrier |
//! | `allocation` | new objects |
//! | `sharing` | fences, publication |
//! | `monitors` | entering and leaving monitors |
//! | `types` | type tests |
//! | `calls` | calls, rows, what follows a call |
//! | `hoist` | values that loops hold in registers |
//! | `states` | frame states and stubs |
//! | `law` | check that no stale reference crosses a safepoint |
//! | `counters` | what code counts for profiles |
//! | `listing` | the machine code for people |
//! | `sites`, `machine` | what machine code does to memory; check of its fences |
mod allocation;
mod arith;
mod body;
mod calls;
mod counters;
mod counting;
mod divide;
mod hoist;
mod imm;
mod law;
mod listing;
mod machine;
mod memory;
mod monitors;
mod sharing;
mod sites;
mod states;
mod types;

use super::{Backend, Capabilities, Text};
use crate::ir::Func;
use concord_contract::compile_env::CompilationEnv;
use concord_contract::compiled::{
    Bailout, CallRecord, CompiledCode, Reloc as OutReloc, RelocKind, RelocTarget, Value as OutValue,
};
use concord_contract::rows;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{DebugTag, ExternalName};
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{Context, FinalizedRelocTarget, MachDebugTagPos};
use cranelift_frontend::FunctionBuilderContext;
use listing::Listed;
use sites::Sites;
use std::cell::RefCell;
use std::collections::HashMap;

/// Bytes. Larger frames are refused: the reserve below a thread's native limit covers one.
pub const MAX_FRAME: u32 = 32 << 10;
/// Alignment of code.
const ALIGN_LOG2: &str = "5";

pub struct Cranelift {
    isa: OwnedTargetIsa,
}

impl Cranelift {
    /// For this processor.
    ///
    /// # Errors
    /// When it is not one that the generator knows.
    pub fn new() -> Result<Cranelift, String> {
        Self::of(cranelift_native::builder()?)
    }
    /// For the processor that another generator's [`Cranelift::settings`] describe.
    ///
    /// # Errors
    /// When there is no such setting.
    pub fn with_settings(settings: &str) -> Result<Cranelift, String> {
        let mut isa = isa::lookup_by_name("x86_64").map_err(|e| e.to_string())?;
        for name in settings.split_ascii_whitespace() {
            isa.enable(name).map_err(|e| format!("{name}: {e}"))?;
        }
        Self::of(isa)
    }
    /// Abilities of the processor that the generator uses, by its names, separated by blanks.
    pub fn settings(&self) -> String {
        let on = self.isa.isa_flags().into_iter().filter(|f| f.as_bool() == Some(true));
        on.map(|f| f.name).collect::<Vec<_>>().join(" ")
    }
    fn of(isa: isa::Builder) -> Result<Cranelift, String> {
        let mut flags = settings::builder();
        let all = [
            ("opt_level", "none"),
            ("regalloc_algorithm", "backtracking"),
            ("enable_verifier", if crate::verifying() { "true" } else { "false" }),
            ("machine_code_cfg_info", if crate::verifying() { "true" } else { "false" }),
            ("enable_pinned_reg", "true"),
            ("enable_probestack", "false"),
            ("preserve_frame_pointers", "true"),
            ("unwind_info", "false"),
            ("is_pic", "false"),
            ("log2_min_function_alignment", ALIGN_LOG2),
        ];
        for (name, value) in all {
            flags.set(name, value).map_err(|e| format!("{name}={value}: {e}"))?;
        }
        let isa = isa.finish(settings::Flags::new(flags)).map_err(|e| e.to_string())?;
        Ok(Cranelift { isa })
    }
}

impl Backend for Cranelift {
    fn capabilities(&self) -> Capabilities {
        Capabilities { max_vector_bits: 128 }
    }

    fn emit(&self, func: &Func, env: &dyn CompilationEnv, text: Option<&mut Text>) -> Result<CompiledCode, Bailout> {
        // What a thread's last compilation allocated serves the next one.
        SCRATCH.with_borrow_mut(|s| self.emit_in(func, env, text, s))
    }
}

/// What one compilation after the other uses.
struct Scratch {
    ctx: Context,
    builder: FunctionBuilderContext,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch { ctx: Context::new(), builder: FunctionBuilderContext::new() });
}

impl Cranelift {
    fn emit_in(
        &self,
        func: &Func,
        env: &dyn CompilationEnv,
        text: Option<&mut Text>,
        scratch: &mut Scratch,
    ) -> Result<CompiledCode, Bailout> {
        let Scratch { ctx, builder } = scratch;
        ctx.clear();
        let noted = crate::verifying() || text.is_some();
        let done = body::Body::translate(func, env, &mut ctx.func, builder, self.isa.frontend_config(), noted);
        let done = done.inspect_err(|_| {
            // It was left in the middle of a function.
            *builder = FunctionBuilderContext::new();
        })?;
        if crate::verifying()
            && let Err(e) = law::check(&ctx.func, &done.refs)
        {
            concord_base::bug!("law of the collector, {:?}: {e}\n{}", func.method, ctx.func);
        }
        ctx.set_disasm(text.is_some());
        ctx.compile(&*self.isa, &mut ControlPlane::default())
            .map_err(|e| Bailout::Unsupported(format!("Cranelift: {}", e.inner)))?;
        let Some(compiled) = ctx.compiled_code() else {
            return Err(Bailout::Unsupported("Cranelift gave no code".into()));
        };
        let buffer = &compiled.buffer;
        let pieces: Vec<_> = match noted {
            true => buffer.get_srclocs_sorted().iter().map(|p| (p.start, p.end, p.loc.bits())).collect(),
            false => Vec::new(),
        };
        if crate::verifying() {
            let code = machine::Code {
                bytes: buffer.data(),
                sites: &done.sites.list,
                pieces: &pieces,
                blocks: &compiled.bb_starts,
                edges: &compiled.bb_edges,
            };
            if let Err(e) = machine::check(&code) {
                concord_base::bug!("law of fences, {:?}: {e}\n{func}\n{}", func.method, ctx.func);
            }
        }
        let Some(layout) = buffer.frame_layout() else {
            return Err(Bailout::Unsupported("Cranelift gave no frame layout".into()));
        };
        let frame_span = layout.frame_to_fp_offset + 8;
        if frame_span > MAX_FRAME {
            return Err(Bailout::Unsupported(format!("a frame of {frame_span} bytes")));
        }
        let base = done.slot.map_or(0, |s| layout.stackslots[s].offset);
        let place = |n: u32| match done.left {
            Some((first, s)) if n >= first => layout.stackslots[s].offset + 8 * (n - first),
            _ => base + 8 * n,
        };
        let mut states = done.states;
        for v in states.iter_mut().flat_map(|s| s.values_mut()) {
            if let OutValue::Slot(at, _) = v {
                *at = place(*at);
            }
        }
        let mut calls = Vec::with_capacity(done.records.len());
        let mut by_state: HashMap<usize, u32> = HashMap::new();
        let mut way_out = 0;
        for tag in buffer.debug_tags().filter(|t| t.pos == MachDebugTagPos::Post) {
            let [DebugTag::User(n)] = tag.tags else { continue };
            let r = &done.records[*n as usize];
            if done.returns_behind == Some(*n as usize) {
                way_out = tag.offset;
            }
            by_state.extend(r.state.filter(|_| done.sites.placed).map(|s| (s.index(), tag.offset)));
            calls.push(CallRecord {
                return_offset: tag.offset,
                refs: r.refs.iter().map(|s| base + 8 * s).collect(),
                sites: r.sites.clone(),
                monitors: r.monitors.iter().map(|(f, s)| (*f, base + 8 * s)).collect(),
                kind: r.kind,
            });
        }
        calls.sort_by_key(|c| c.return_offset);
        if done.returns_behind.is_some() && way_out == 0 {
            return Err(Bailout::Unsupported("the way out is gone".into()));
        }
        // What stands for each stretch of code: the record of the call at its state.
        let mut places: Vec<(u32, u32)> = Vec::new();
        for piece in buffer.get_srclocs_sorted() {
            let call = done.sites.state_at(piece.loc).and_then(|s| by_state.get(&s));
            if let Some(call) = call
                && places.last().is_none_or(|p| p.1 != *call)
            {
                places.push((piece.start, *call));
            }
        }
        let relocs: Result<Vec<_>, Bailout> = buffer.relocs().iter().map(|r| self.reloc(&ctx.func, r)).collect();
        let relocs = relocs?;
        if let Some(t) = text {
            t.form = format!("{}\n{}", ctx.func, compiled.vcode.as_deref().unwrap_or_default());
            let Sites { list: sites, at, .. } = &done.sites;
            let (bytes, calls, pieces, relocs) = (buffer.data(), &calls, &pieces, &relocs);
            t.listing = Listed { func, bytes, pieces, sites, at, relocs, calls }.text();
        }
        Ok(CompiledCode {
            bytes: buffer.data().to_vec(),
            align: buffer.alignment.max(1 << 5),
            relocs,
            frame_span,
            calls,
            way_out,
            places,
            states,
            ..CompiledCode::default()
        })
    }
    fn reloc(
        &self,
        func: &cranelift_codegen::ir::Function,
        r: &cranelift_codegen::FinalizedMachReloc,
    ) -> Result<OutReloc, Bailout> {
        let unknown = || Bailout::Unsupported(format!("a relocation {:?}", r.kind));
        let kind = match r.kind {
            Reloc::Abs8 => RelocKind::Abs8,
            Reloc::X86PCRel4 | Reloc::X86CallPCRel4 => RelocKind::Rel4,
            _ => return Err(unknown()),
        };
        let target = match &r.target {
            FinalizedRelocTarget::Func(at) => RelocTarget::Code(*at),
            FinalizedRelocTarget::ExternalName(ExternalName::User(n)) => {
                let name = &func.params.user_named_funcs()[*n];
                RelocTarget::Row(*rows::ALL.get(name.index as usize).ok_or_else(unknown)?)
            }
            FinalizedRelocTarget::ExternalName(_) => return Err(unknown()),
        };
        Ok(OutReloc { offset: r.offset, kind, target, addend: r.addend })
    }
}
