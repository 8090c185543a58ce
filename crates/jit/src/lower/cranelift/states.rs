//! Frame states and records of calls as compiled code gives them to the VM; leaving the code.
//!
//! A stub finds the values of a state in slots of the frame: the table says which slot is which local,
//! stack slot or monitor of which frame. Constants are in the table. The code puts what has no slot of
//! its own into one just before it leaves: arguments would tie values to registers that the code before
//! the cold call uses for others. The stubs return behind the first of their calls, wherever they were called
//! ([`CompiledCode::way_out`]): it alone is followed by a way to the epilogue.
use super::body::{Body, clif_type};
use crate::ir::{Resume as R, StateId, Ty, Value as V};
#[cfg(doc)]
use concord_contract::compiled::CompiledCode;
use concord_contract::compiled::{CallKind, FrameDesc, FrameState, Resume, Value as Out, ValueType, VirtualObject};
use concord_contract::method::MethodRef;
use concord_contract::rows::Row;
use cranelift_codegen::ir::{
    BlockArg, DebugTag, Inst, InstBuilder, StackSlotData, StackSlotKind, TrapCode, Value, types,
};

/// Stands where nobody comes.
const NOBODY: TrapCode = TrapCode::unwrap_user(1);

/// A call's record, with slots by number.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub refs: Vec<u32>,
    pub sites: Vec<(MethodRef, u16)>,
    pub monitors: Vec<(u16, u32)>,
    pub kind: CallKind,
    /// Where the frames are from.
    pub state: Option<StateId>,
}

impl Body<'_> {
    /// The frames of a state, innermost first.
    fn chain(&self, s: StateId) -> impl Iterator<Item = StateId> + use<'_> {
        std::iter::successors(Some(s), |s| self.func.state(*s).parent)
    }

    /// Notes what lies where during a call of a frame that goes on behind it.
    pub fn record_live(&mut self, call: Inst, s: StateId, live: &[V]) {
        let refs = live.iter().filter_map(|v| self.roots.slot(*v)).collect();
        let sites: Vec<_> = self.chain(s).map(|s| (self.func.state(s).method, self.func.state(s).bci)).collect();
        let mut monitors = Vec::new();
        for (n, s) in self.chain(s).enumerate() {
            for m in self.func.state(s).monitors.iter().rev() {
                monitors.extend(self.roots.slot(*m).filter(|_| live.contains(m)).map(|slot| (n as u16, slot)));
            }
        }
        monitors.reverse();
        self.record(call, Record { refs, sites, monitors, kind: CallKind::Live, state: Some(s) });
    }
    fn record(&mut self, call: Inst, r: Record) {
        self.b.func.debug_tags.set(call, [DebugTag::User(self.records.len() as u32)]);
        self.records.push(r);
    }

    /// The result that the instruction in translation defines.
    pub fn result_of_instruction(&self) -> Option<V> {
        let (b, n) = self.at;
        self.func.block(b).insts.get(n).and_then(|i| i.result)
    }

    /// Leaves the code by a stub with the values of `s`; ends the block.
    pub fn leave(&mut self, row: Row, s: StateId) {
        self.leave_with(row, s, None);
    }
    /// The same where one value of the state is not defined yet.
    pub fn leave_with(&mut self, row: Row, s: StateId, result: Option<(V, Value)>) {
        if self.owes_fence {
            self.fence();
        }
        let (desc, named) = self.describe(s);
        let kind = CallKind::Husk(self.states.len() as u32);
        self.states.push(desc);
        for (n, v) in named.into_iter().enumerate() {
            let x = match result {
                Some((r, x)) if r == v => x,
                _ => self.get_cold(v),
            };
            self.leave_behind(n as u32, x);
        }
        let ret = Ty::of(self.func.method.ret).map(clif_type);
        let call = self.stub_call(row, ret);
        let sites = self.chain(s).map(|s| (self.func.state(s).method, self.func.state(s).bci)).collect();
        let n = self.records.len();
        self.record(call, Record { sites, kind, state: Some(s), ..Record::default() });
        if self.returns_behind.is_some() {
            self.b.ins().trap(NOBODY);
            return;
        }
        self.returns_behind = Some(n);
        let results: Vec<Value> = self.b.inst_results(call).to_vec();
        self.go_out(&results);
    }

    /// Returns from a cold block: all of them share one epilogue.
    fn go_out(&mut self, results: &[Value]) {
        let out = match self.way_out {
            Some(b) => b,
            None => {
                let b = self.b.create_block();
                self.b.set_cold_block(b);
                for r in results {
                    let ty = self.b.func.dfg.value_type(*r);
                    self.b.append_block_param(b, ty);
                }
                b
            }
        };
        self.way_out = Some(out);
        let args: Vec<BlockArg> = results.iter().map(|v| BlockArg::Value(*v)).collect();
        self.b.ins().jump(out, &args);
    }
    /// Writes the shared epilogue, behind all other blocks.
    pub fn finish_way_out(&mut self) {
        if let Some(b) = self.way_out {
            self.enter(b);
            let results = self.b.block_params(b).to_vec();
            self.b.ins().return_(&results);
        }
    }

    /// Puts a value into slot `n` of those that stubs look at.
    fn leave_behind(&mut self, n: u32, x: Value) {
        let slot = match self.left_slot {
            Some(s) => s,
            None => self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 0, 3)),
        };
        self.left_slot = Some(slot);
        let size = &mut self.b.func.sized_stack_slots[slot].size;
        *size = (*size).max(8 * (n + 1));
        self.b.ins().stack_store(types::I64, x, slot, 8 * n as i32);
    }

    /// The state's table, and the values that the code leaves behind for it. Slots are by number here,
    /// as the frame's layout is not known yet; those of references come first.
    fn describe(&self, s: StateId) -> (FrameState, Vec<V>) {
        let mut named: Vec<V> = Vec::new();
        let objects = &self.func.state(s).objects;
        let mut value = |v: V| {
            if let Some(n) = objects.iter().position(|o| o.name == v) {
                return Out::Virtual(n as u16);
            }
            if let Some(c) = self.constant(v) {
                return c;
            }
            if let Some(slot) = self.slot_holding(v) {
                return Out::Slot(slot, ValueType::Ref);
            }
            let n = named.iter().position(|x| *x == v).unwrap_or_else(|| {
                named.push(v);
                named.len() - 1
            });
            Out::Slot(
                self.roots.slots + n as u32,
                match self.func.ty(v) {
                    Ty::Int => ValueType::Int,
                    Ty::Long => ValueType::Long,
                    Ty::Float => ValueType::Float,
                    Ty::Double => ValueType::Double,
                    Ty::Ref => ValueType::Ref,
                },
            )
        };
        let objects = objects.iter().map(|o| {
            let fields = o.fields.iter().map(|f| (f.offset, f.ty, value(f.value)));
            VirtualObject { class: o.class, fields: fields.collect() }
        });
        let objects = objects.collect();
        let mut slots = |v: &[Option<V>]| v.iter().map(|v| v.map_or(Out::None, &mut value)).collect::<Vec<_>>();
        let mut frames: Vec<FrameDesc> = self
            .chain(s)
            .map(|s| {
                let f = self.func.state(s);
                let monitors: Vec<Option<V>> = f.monitors.iter().map(|m| Some(*m)).collect();
                FrameDesc {
                    method: f.method,
                    bci: f.bci,
                    locals: slots(&f.locals),
                    stack: slots(&f.stack),
                    monitors: slots(&monitors),
                }
            })
            .collect();
        frames.reverse();
        let f = self.func.state(s);
        let resume = if f.resume == R::Reexecute { Resume::Reexecute } else { Resume::After };
        (FrameState { frames, resume, reason: f.reason, objects }, named)
    }

    /// Throws by a row, then leaves the code.
    pub fn throw(&mut self, row: Row, args: &[V], s: StateId) {
        self.stopping_call(row, args, s);
        self.leave(Row::AfterCall, s);
    }
    /// Calls a row at which the thread stops.
    pub fn stopping_call(&mut self, row: Row, args: &[V], s: StateId) -> Inst {
        let values: Vec<Value> = args.iter().map(|v| self.get(*v)).collect();
        let live = self.live_across();
        let call = self.row_call(row, &values);
        self.record_live(call, s, &live);
        self.all_stale();
        call
    }

    /// The prologue's cold block: the exception is found by the caller.
    pub fn stack_overflow(&mut self) {
        let call = self.row_call(Row::StackOverflow, &[]);
        let sites = vec![(self.func.method, self.func.osr.unwrap_or(0))];
        self.record(call, Record { sites, ..Record::default() });
        let zero = match Ty::of(self.func.method.ret) {
            None => None,
            Some(Ty::Int) => Some(self.iconst32(0)),
            Some(Ty::Long | Ty::Ref) => Some(self.iconst(0)),
            Some(Ty::Float) => Some(self.b.ins().f32const(0.0)),
            Some(Ty::Double) => Some(self.b.ins().f64const(0.0)),
        };
        self.go_out(zero.as_slice());
    }
}
