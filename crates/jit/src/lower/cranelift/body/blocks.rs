//! Blocks and their ends.
//!
//! Invariant: a block is sealed when its last edge has been made: a loop header by its last back edge, any other before it is
//! translated.
use super::Body;
use crate::ir::op::Safepoint;
use crate::ir::state::Reason;
use crate::ir::{self, ENTRY, Target, Terminator};
use crate::lower::cranelift::sites;
use concord_contract::compiled::{Bailout, offset};
use concord_contract::rows::Row;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::Switch;

/// Cases up to which a switch is made of comparisons.
const COMPARED: usize = 8;

impl Body<'_> {
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

    pub(super) fn block(&mut self, x: ir::Block) -> Result<(), Bailout> {
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
            if self.cast_asked_by(&data.insts, n + 1).is_some() {
                // It comes with its guard.
                continue;
            }
            if let Some((class, o, s)) = self.cast_asked_by(&data.insts, n) {
                self.begin_op(&data.insts[n - 1].op);
                self.count_store(&i.op);
                self.cast_or_leave(class, o, s);
                continue;
            }
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
}
