//! Blocks, values, and references between register and slot.
//!
//! Invariant: after a safepoint, a reference that was live across it is used only by way of a new
//! load from its slot. Numbers are Cranelift values directly; references that live across a
//! safepoint are variables of the SSA builder, redefined by every reload.
use super::hoist::Loops;
use super::sites::{self, Sites};
use super::states::Record;
use crate::ir::op::Safepoint;
use crate::ir::state::Reason;
use crate::ir::{self, ENTRY, Func, Op, Target, Terminator, Ty};
use crate::lower::roots::{Bits, Roots};
use concord_contract::compile_env::{CompilationEnv, VmLayout};
use concord_contract::compiled::{Bailout, FrameState, offset};
use concord_contract::method::MethodRef;
use concord_contract::rows::Row;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function, InstBuilder, MemFlagsData, Signature, StackSlot, StackSlotData, StackSlotKind,
    Type, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Switch, Variable};
use std::collections::{HashMap, HashSet};

/// Cases up to which a switch is made of comparisons.
const COMPARED: usize = 8;

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
    pub slot: Option<StackSlot>,
    fence_slot: Option<StackSlot>,
    /// Where the code leaves values for the stubs by which it is left, 8 bytes each.
    pub left_slot: Option<StackSlot>,
    pub records: Vec<Record>,
    pub states: Vec<FrameState>,
    constants: Vec<Option<concord_contract::compiled::Value>>,
    /// Constants that are operands only, by type and number.
    pub operands: Vec<(Type, i64, Value)>,
    pub signatures: HashMap<Signature, cranelift_codegen::ir::SigRef>,
    pub rows: HashMap<Row, cranelift_codegen::ir::FuncRef>,
    pub stubs: Vec<(Row, cranelift_codegen::ir::FuncRef)>,
    pub refs: HashSet<Value>,
    /// Where cold blocks leave the function.
    pub way_out: Option<Block>,
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
            fresh: Bits::new(roots.values(), false),
            roots,
            loops: Loops::of(func, &order),
            slot,
            fence_slot: None,
            left_slot: None,
            records: Vec::new(),
            states: Vec::new(),
            constants: vec![None; func.types.len()],
            operands: Vec::new(),
            signatures: HashMap::new(),
            rows: HashMap::new(),
            stubs: Vec::new(),
            way_out: None,
            told_as: (func.method, func.osr.unwrap_or(0)),
            refs: HashSet::new(),
            owes_fence: false,
            first_states: if sites.placed { sites::first_states(func, &order) } else { vec![None; n] },
            sites,
            loads: if noted { loads(func) } else { HashMap::new() },
        };
        for x in &order {
            this.find_constants(*x);
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
        let Body { b, slot, left_slot, roots, records, states, refs, sites, .. } = this;
        b.finalize(config);
        Ok(Done { slot, left: left_slot.map(|s| (roots.slots, s)), records, states, refs, sites })
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

    fn find_constants(&mut self, b: ir::Block) {
        use concord_contract::compiled::Value as Out;
        for i in &self.func.block(b).insts {
            let c = match i.op {
                Op::Int(n) => Out::Int(n),
                Op::Long(n) => Out::Long(n),
                Op::Float(n) => Out::Float(n),
                Op::Double(n) => Out::Double(n),
                Op::Null => Out::Null,
                _ => continue,
            };
            if let Some(v) = i.result {
                self.constants[v.index()] = Some(c);
            }
        }
    }

    // Values.

    /// The constant that the value is.
    pub fn constant(&self, v: ir::Value) -> Option<concord_contract::compiled::Value> {
        self.constants[v.index()]
    }
    /// Makes the outcome of a comparison the value of `v`.
    pub fn define_flag(&mut self, v: ir::Value, x: Value) {
        self.held[v.index()] = Held::Flag(x);
    }
    /// A value to branch on, of any width.
    pub fn condition(&mut self, v: ir::Value) -> Value {
        match self.held[v.index()] {
            Held::Flag(x) => x,
            _ => self.get(v),
        }
    }
    /// Makes `x` the value of `v` from here on.
    pub fn define(&mut self, v: ir::Value, x: Value) {
        let is_ref = self.func.ty(v) == Ty::Ref;
        if is_ref {
            self.refs.insert(x);
        }
        let Some(slot) = self.roots.slot(v) else {
            self.held[v.index()] = Held::Value(x);
            return;
        };
        let var = self.b.declare_var(types::I64);
        self.b.def_var(var, x);
        self.held[v.index()] = Held::Variable(var);
        if self.roots.is_homed(v) {
            self.store_slot(slot, x);
        }
        if let Some(n) = self.roots.number(v) {
            self.fresh.add(n);
        }
    }
    fn variable(&self, v: ir::Value) -> Option<Variable> {
        match self.held[v.index()] {
            Held::Variable(x) => Some(x),
            _ => None,
        }
    }
    fn is_stale(&self, v: ir::Value) -> bool {
        self.roots.is_homed(v) && self.roots.number(v).is_some_and(|n| !self.fresh.has(n))
    }
    /// The value at this point; loads a stale reference into a register, where it stays fresh.
    pub fn get(&mut self, v: ir::Value) -> Value {
        match self.held[v.index()] {
            Held::Value(x) => x,
            Held::Flag(x) => self.b.ins().uextend(types::I32, x),
            Held::Variable(var) => {
                if let Some(slot) = self.roots.slot(v).filter(|_| self.is_stale(v)) {
                    let x = self.load_slot(slot);
                    self.b.def_var(var, x);
                    if let Some(n) = self.roots.number(v) {
                        self.fresh.add(n);
                    }
                    return x;
                }
                let x = self.b.use_var(var);
                self.refs.insert(x);
                x
            }
            Held::Not => concord_base::bug!("{v} of {:?} is used before its definition", self.func.method),
        }
    }
    /// The value in a cold block that does not come back.
    pub fn get_cold(&mut self, v: ir::Value) -> Value {
        match self.roots.slot(v) {
            Some(slot) if self.is_stale(v) => self.load_slot(slot),
            _ => self.get(v),
        }
    }
    /// The slot in which the value is at this point whether or not it is in a register.
    pub fn slot_holding(&self, v: ir::Value) -> Option<u32> {
        self.roots.slot(v).filter(|_| self.roots.is_homed(v) && matches!(self.held[v.index()], Held::Variable(_)))
    }
    fn store_slot(&mut self, n: u32, x: Value) {
        if let Some(slot) = self.slot {
            self.b.ins().stack_store(types::I64, x, slot, 8 * n as i32);
        }
    }
    fn load_slot(&mut self, n: u32) -> Value {
        let Some(slot) = self.slot else { concord_base::bug!("a reference has a slot in a frame without slots") };
        let x = self.b.ins().stack_load(types::I64, types::I64, slot, 8 * n as i32);
        self.refs.insert(x);
        x
    }
    /// In the cold path of a safepoint, before its call: stores what has no slot of its own.
    pub fn spill_cold(&mut self, live: &[ir::Value]) {
        for v in live {
            if let (false, Some(slot)) = (self.roots.is_homed(*v), self.roots.slot(*v)) {
                let x = self.get(*v);
                self.store_slot(slot, x);
            }
        }
    }
    /// Behind that call: fresh copies of all that were fresh.
    pub fn reload_cold(&mut self, live: &[ir::Value]) {
        for v in live {
            if let (false, Some(slot), Some(var)) = (self.is_stale(*v), self.roots.slot(*v), self.variable(*v)) {
                let x = self.load_slot(slot);
                self.b.def_var(var, x);
            }
        }
    }
    /// Behind a call at which the code always stops.
    pub fn all_stale(&mut self) {
        self.fresh.clear();
    }
    /// References live across the safepoint in translation.
    pub fn live_across(&self) -> Vec<ir::Value> {
        self.roots.across(self.at.0, self.at.1).to_vec()
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

    // Blocks.

    /// Splits here: goes to a new cold block if `cond`, else on in a new block. Leaves the builder in
    /// the cold one and returns the other.
    pub fn cold_if(&mut self, cond: Value) -> Block {
        let (cold, ok) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        self.b.ins().brif(cond, cold, &[], ok, &[]);
        self.enter(cold);
        ok
    }
    /// The same if not `cond`.
    pub fn cold_unless(&mut self, cond: Value) -> Block {
        let (cold, ok) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        self.b.ins().brif(cond, ok, &[], cold, &[]);
        self.enter(cold);
        ok
    }
    /// Continues in a block all of whose predecessors exist.
    pub fn enter(&mut self, b: Block) {
        self.b.seal_block(b);
        self.b.switch_to_block(b);
    }

    fn block(&mut self, x: ir::Block) -> Result<(), Bailout> {
        let func = self.func;
        let Some(clif) = self.blocks[x.index()] else { concord_base::bug!("{x} has no block in CLIF") };
        let data = func.block(x);
        self.b.switch_to_block(clif);
        self.visited[x.index()] = true;
        // A loop header is sealed by its last back edge.
        if self.pending[x.index()] == 0 {
            self.b.seal_block(clif);
        }
        // The entry comes first, whatever it does.
        if x != ENTRY && (data.cold || matches!(data.end, Terminator::Deopt(_))) {
            self.b.set_cold_block(clif);
        }
        self.fresh = self.roots.fresh_in(x).clone();
        self.at = (x, 0);
        self.heading_for(self.first_states[x.index()]);
        self.begin_vm();
        if x == ENTRY {
            self.check_stack();
        }
        let params: Vec<Value> = self.b.block_params(clif).to_vec();
        let own = params.len() - data.params.len();
        for (p, v) in data.params.iter().zip(&params[own..]) {
            self.define(*p, *v);
        }
        let (next, end) =
            if self.sites.placed { sites::next_states(self.func, x, &self.first_states) } else { (vec![], None) };
        for (n, i) in data.insts.iter().enumerate() {
            self.at = (x, n);
            self.heading_for(next.get(n).copied().flatten());
            self.owes_fence = i.owes_fence;
            self.begin_op(&i.op);
            self.count_store(&i.op);
            self.instruction(i)?;
            if i.op.safepoint() == Some(Safepoint::Hot) && i.result.is_none() {
                debug_assert!(self.fresh.iter().next().is_none(), "a stale reference counts as fresh");
            }
        }
        self.at = (x, data.insts.len());
        self.owes_fence = data.end_owes_fence;
        self.heading_for(end);
        self.begin_end(&data.end);
        self.note_end();
        self.terminator(&data.end);
        for s in data.end.successors() {
            self.pending[s.index()] -= 1;
            if self.pending[s.index()] == 0
                && let Some(c) = self.blocks[s.index()].filter(|_| self.visited[s.index()])
            {
                self.b.seal_block(c);
            }
        }
        Ok(())
    }

    /// The frame is there; its size is limited, so the reserve covers what it may touch. A poll that
    /// comes first makes this check, too.
    fn check_stack(&mut self) {
        let order = self.func.order();
        let calls =
            order.iter().any(|b| self.func.block(*b).insts.iter().any(|i| i.op.safepoint() == Some(Safepoint::Hot)));
        if !calls || self.entry_poll_at().is_some() {
            return;
        }
        let sp = self.b.ins().get_stack_pointer(types::I64);
        let limit = self.load_thread(types::I64, offset::TH_NATIVE_LIMIT);
        let low = self.b.ins().icmp(IntCC::UnsignedLessThan, sp, limit);
        let ok = self.cold_if(low);
        self.stack_overflow();
        self.enter(ok);
    }

    fn arg_list(&mut self, t: &Target) -> (Block, Vec<BlockArg>) {
        let args = t.args.iter().map(|v| BlockArg::Value(self.get(*v))).collect();
        let Some(b) = self.blocks[t.block.index()] else { concord_base::bug!("a jump to {} in no order", t.block) };
        (b, args)
    }

    fn terminator(&mut self, t: &Terminator) {
        match t {
            Terminator::Jump(t) => {
                let (b, args) = self.arg_list(t);
                self.b.ins().jump(b, &args);
            }
            Terminator::If(v, yes, no) => {
                let (y, n) = (self.arg_list(yes), self.arg_list(no));
                let c = self.condition(*v);
                self.b.ins().brif(c, y.0, &y.1, n.0, &n.1);
            }
            Terminator::Switch(v, cases, default) => {
                let x = self.get(*v);
                if cases.len() <= COMPARED {
                    return self.compare_cases(x, cases, default);
                }
                let mut s = Switch::new();
                let mut edges = Vec::new();
                for (key, t) in cases {
                    let (b, args) = self.arg_list(t);
                    s.set_entry(*key as u32 as u128, self.edge(b, args, &mut edges));
                }
                let (b, args) = self.arg_list(default);
                let d = self.edge(b, args, &mut edges);
                s.emit(&mut self.b, x, d);
                for (e, b, args) in edges {
                    self.enter(e);
                    self.b.ins().jump(b, &args);
                }
            }
            Terminator::Return(v) => {
                let x: Vec<Value> = v.iter().map(|v| self.get(*v)).collect();
                self.b.ins().return_(&x);
            }
            Terminator::Deopt(s) if self.func.state(*s).reason == Reason::AfterCall => self.leave(Row::AfterCall, *s),
            Terminator::Deopt(s) => self.leave(Row::Deopt, *s),
            Terminator::Throw(row, args, s) => self.throw(*row, args, *s),
            Terminator::Unset => concord_base::bug!("a block of {:?} has no end", self.func.method),
        }
    }
    /// Compares with one key after the other. Where most values are the default's, every comparison
    /// is predicted; halving the keys would make branches that are not.
    fn compare_cases(&mut self, x: Value, cases: &[(i32, Target)], default: &Target) {
        // All before the first branch: what one target is given is fresh in the others, too.
        let edges: Vec<_> = cases.iter().map(|(key, t)| (*key, self.arg_list(t))).collect();
        let last = self.arg_list(default);
        for (key, (b, args)) in edges {
            let is = self.compare(IntCC::Equal, x, key as i64);
            let on = self.b.create_block();
            self.b.ins().brif(is, b, &args, on, &[]);
            self.enter(on);
        }
        self.b.ins().jump(last.0, &last.1);
    }
    /// A switch takes targets without arguments: others get a block of their own.
    fn edge(&mut self, b: Block, args: Vec<BlockArg>, edges: &mut Vec<(Block, Block, Vec<BlockArg>)>) -> Block {
        if args.is_empty() {
            return b;
        }
        let e = self.b.create_block();
        edges.push((e, b, args));
        e
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
