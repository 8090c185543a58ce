//! Blocks, values, and references between register and slot.
//!
//! Invariant: after a safepoint, a reference that was live across it is used only by way of a new
//! load from its slot. Numbers are Cranelift values directly; references that live across a
//! safepoint are variables of the SSA builder, redefined by every reload.
mod blocks;
mod known;
mod values;

use super::hoist::Loops;
use super::sites::{self, Sites};
use super::states::Record;
use crate::ir::{self, ENTRY, Func, Ty};
use crate::lower::roots::{Bits, Roots};
use concord_contract::compile_env::{CompilationEnv, VmLayout};
use concord_contract::compiled::{Bailout, FrameState};
use concord_contract::method::MethodRef;
use concord_contract::rows::Row;
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlagsData, Signature, StackSlot, StackSlotData, StackSlotKind, Type,
    Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use std::collections::{HashMap, HashSet};

/// Accesses to memory that is there, as it is: no traps, no reordering promised away.
pub fn flags() -> MemFlagsData {
    MemFlagsData::trusted()
}

pub fn clif_type(t: Ty) -> Type {
    match t {
        Ty::Int => types::I32,
        Ty::Long | Ty::Ref => types::I64,
        Ty::Float => types::F32,
        Ty::Double => types::F64,
    }
}

/// How a value of the function is held.
#[derive(Clone, Copy)]
enum Held {
    Not,
    Value(Value),
    /// What a comparison gave, 8 bits wide: most comparisons are only branched on.
    Flag(Value),
    Variable(Variable),
}

/// What translation leaves beside the CLIF.
pub struct Done {
    /// The slot that holds all references, 8 bytes each.
    pub slot: Option<StackSlot>,
    /// The one with what is left behind for stubs; by number its slots come behind those.
    pub left: Option<(u32, StackSlot)>,
    /// Named by the debug tags of calls.
    pub records: Vec<Record>,
    /// Number of the record of the call behind which stubs return.
    pub returns_behind: Option<usize>,
    pub states: Vec<FrameState>,
    /// Values that are references by their making.
    pub refs: HashSet<Value>,
    /// What the instructions are there for, by their source locations.
    pub sites: Sites,
}

/// Where a value was loaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// Memory that others may see.
    Shared,
    Local,
    /// An array's length, which never changes.
    Length,
}

/// Values that are loaded.
fn loads(func: &Func) -> HashMap<ir::Value, Loaded> {
    use concord_memory_model::Access as A;
    let load = |i: &ir::Inst| match (&i.op, i.op.memory()) {
        (ir::Op::ArrayLength(_), _) => Some((i.result?, Loaded::Length)),
        (_, Some((m, A::Load))) => match m.access {
            ir::Access::Immutable => None,
            ir::Access::Local(_) | ir::Access::Young(_) => Some((i.result?, Loaded::Local)),
            _ => Some((i.result?, Loaded::Shared)),
        },
        _ => None,
    };
    func.blocks.iter().flat_map(|b| &b.insts).filter_map(load).collect()
}

pub struct Body<'a> {
    pub func: &'a Func,
    pub env: &'a dyn CompilationEnv,
    pub vm: VmLayout,
    pub b: FunctionBuilder<'a>,
    pub roots: Roots,
    pub loops: Loops,
    /// Block and instruction in translation.
    pub at: (ir::Block, usize),
    held: Vec<Held>,
    blocks: Vec<Option<Block>>,
    /// Edges into each block that are still to be made.
    pending: Vec<u32>,
    visited: Vec<bool>,
    fresh: Bits,
    /// In a cold path between a safepoint and what goes on behind it: what is in slots, too.
    spilled: Vec<ir::Value>,
    pub slot: Option<StackSlot>,
    fence_slot: Option<StackSlot>,
    /// Where the code leaves values for the stubs by which it is left, 8 bytes each.
    pub left_slot: Option<StackSlot>,
    pub records: Vec<Record>,
    pub states: Vec<FrameState>,
    constants: Vec<Option<concord_contract::compiled::Value>>,
    /// Longs whose amounts are known to have few digits.
    digits: HashMap<ir::Value, u32>,
    /// See [`known::uses`].
    uses: Vec<u8>,
    /// Constants that are operands only, by type and number.
    pub operands: Vec<(Type, i64, Value)>,
    pub signatures: HashMap<Signature, cranelift_codegen::ir::SigRef>,
    pub rows: HashMap<Row, cranelift_codegen::ir::FuncRef>,
    pub stubs: Vec<(Row, cranelift_codegen::ir::FuncRef)>,
    pub refs: HashSet<Value>,
    /// Where cold blocks leave the function.
    pub way_out: Option<Block>,
    /// Number of the record of the call of a stub behind which is the way there.
    pub returns_behind: Option<usize>,
    /// The last instruction with a frame state: what is counted is told as being there.
    pub told_as: (MethodRef, u16),
    /// The guard or terminator in translation leaves a store unfenced.
    pub owes_fence: bool,
    pub sites: Sites,
    /// By block, see [`sites::first_states`].
    first_states: Vec<Option<ir::StateId>>,
    /// Values that were loaded, see [`loads`]; empty if sites are not noted.
    pub loads: HashMap<ir::Value, Loaded>,
}

impl<'a> Body<'a> {
    pub fn translate(
        func: &'a Func,
        env: &'a dyn CompilationEnv,
        out: &'a mut Function,
        ctx: &'a mut FunctionBuilderContext,
        config: TargetFrontendConfig,
        noted: bool,
    ) -> Result<Done, Bailout> {
        let order = func.order();
        let roots = Roots::of(func, &order);
        out.signature = Self::signature(func);
        let mut b = FunctionBuilder::new(out, ctx);
        let slot = (roots.slots > 0)
            .then(|| b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, roots.slots * 8, 3)));
        let n = func.blocks.len();
        let vm = env.layout();
        let sites = Sites::new(noted, vm.places);
        let mut this = Body {
            func,
            env,
            vm,
            b,
            at: (ENTRY, 0),
            held: vec![Held::Not; func.types.len()],
            blocks: vec![None; n],
            pending: vec![0; n],
            visited: vec![false; n],
            spilled: Vec::new(),
            fresh: Bits::new(roots.values(), false),
            roots,
            loops: Loops::of(func, &order),
            slot,
            fence_slot: None,
            left_slot: None,
            records: Vec::new(),
            states: Vec::new(),
            constants: vec![None; func.types.len()],
            digits: HashMap::new(),
            uses: known::uses(func, &order),
            operands: Vec::new(),
            signatures: HashMap::new(),
            rows: HashMap::new(),
            stubs: Vec::new(),
            way_out: None,
            returns_behind: None,
            told_as: (func.method, func.osr.unwrap_or(0)),
            refs: HashSet::new(),
            owes_fence: false,
            first_states: if sites.placed { sites::first_states(func, &order) } else { vec![None; n] },
            sites,
            loads: if noted { loads(func) } else { HashMap::new() },
        };
        for x in &order {
            this.look_through(*x);
            for s in func.block(*x).end.successors() {
                this.pending[s.index()] += 1;
            }
            let clif = this.b.create_block();
            this.blocks[x.index()] = Some(clif);
            if *x == ENTRY {
                this.b.append_block_params_for_function_params(clif);
            }
            for p in &func.block(*x).params {
                this.b.append_block_param(clif, clif_type(func.ty(*p)));
            }
        }
        for x in &order {
            this.block(*x)?;
        }
        this.finish_way_out();
        let Body { b, slot, left_slot, roots, records, returns_behind, states, refs, sites, .. } = this;
        b.finalize(config);
        Ok(Done { slot, left: left_slot.map(|s| (roots.slots, s)), records, returns_behind, states, refs, sites })
    }

    fn signature(func: &Func) -> Signature {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.push(AbiParam::new(types::I64));
        if func.osr.is_some() {
            sig.params.extend([AbiParam::new(types::I64), AbiParam::new(types::I64)]);
        } else {
            let all = crate::frontend::parameters(func.method).into_iter().filter_map(Ty::of);
            sig.params.extend(all.map(|t| AbiParam::new(clif_type(t))));
        }
        sig.returns.extend(Ty::of(func.method.ret).map(|t| AbiParam::new(clif_type(t))));
        sig
    }

    pub fn iconst(&mut self, n: i64) -> Value {
        self.b.ins().iconst(types::I64, n)
    }
    pub fn iconst32(&mut self, n: i32) -> Value {
        self.b.ins().iconst(types::I32, n as u32 as i64)
    }
    pub fn load_thread(&mut self, t: Type, at: i32) -> Value {
        let th = self.thread();
        self.b.ins().load(t, flags(), th, at)
    }

    pub fn fence_address(&mut self) -> Value {
        let slot = match self.fence_slot {
            Some(s) => s,
            None => self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 64, 3)),
        };
        self.fence_slot = Some(slot);
        self.b.ins().stack_addr(types::I64, slot, 32)
    }

    /// Argument `n` of the machine code.
    pub fn argument(&mut self, n: usize) -> Value {
        let entry = self.blocks[0].unwrap_or(Block::from_u32(0));
        self.b.block_params(entry)[n]
    }
}
