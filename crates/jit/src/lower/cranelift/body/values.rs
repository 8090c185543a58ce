//! Values of the function, and references between register and slot.
//!
//! Invariant: that of [`super`]: what is not fresh is loaded from its slot before it is used.
use super::{Body, Held};
use crate::ir::{self, Ty};
use concord_contract::rows::Row;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

impl Body<'_> {
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
        self.roots.slot(v).filter(|_| match self.roots.is_homed(v) {
            true => matches!(self.held[v.index()], Held::Variable(_)),
            false => self.spilled.contains(&v),
        })
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
    fn spill_cold(&mut self, live: &[ir::Value]) {
        for v in live {
            if let (false, Some(slot)) = (self.roots.is_homed(*v), self.roots.slot(*v)) {
                let x = self.get(*v);
                self.store_slot(slot, x);
            }
        }
    }
    /// Behind that call: fresh copies of all that were fresh.
    fn reload_cold(&mut self, live: &[ir::Value]) {
        for v in live {
            if let (false, Some(slot), Some(var)) = (self.is_stale(*v), self.roots.slot(*v), self.variable(*v)) {
                let x = self.load_slot(slot);
                self.b.def_var(var, x);
            }
        }
    }
    /// Calls a row at which the thread may stop, in a cold path: what lives across it is in slots afterwards.
    pub fn stop_cold(&mut self, row: Row, args: &[Value], s: ir::StateId) {
        let live = self.live_across();
        self.spill_cold(&live);
        let call = self.row_call(row, args);
        self.record_live(call, s, &live);
        self.spilled = live;
    }
    /// Goes on behind it, or leaves the code if it is to be left, which is not asked where the method ends in any case; `result`
    /// is the value that the instruction in translation is about to define. What follows is cold, too, so that no piece of it
    /// stands between hot ones.
    pub fn go_on_cold(&mut self, s: ir::StateId, result: Option<(ir::Value, Value)>) {
        if self.func.state(s).resume != ir::Resume::Leaving {
            // The slots still hold what a way out wants.
            self.compare_watermark(s, result);
            if let Some(b) = self.b.current_block() {
                self.b.set_cold_block(b);
            }
        }
        let live = std::mem::take(&mut self.spilled);
        match self.is_crowded() {
            true => self.all_stale(),
            false => self.reload_cold(&live),
        }
    }
    /// Whether what lives across the cold safepoint in translation stays in slots.
    pub fn is_crowded(&self) -> bool {
        self.roots.is_crowded(self.at.0, self.at.1)
    }
    /// Behind a call at which the code always stops.
    pub fn all_stale(&mut self) {
        self.fresh.clear();
    }
    /// References live across the safepoint in translation.
    pub fn live_across(&self) -> Vec<ir::Value> {
        self.roots.across(self.at.0, self.at.1).to_vec()
    }
}
