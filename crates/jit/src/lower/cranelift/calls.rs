//! Calls of methods and rows, and what stands behind a call.
//!
//! Invariant: every call at which the thread can stop has a record with the slots of all references
//! that are live across it; behind it rsp is compared with the thread's watermark, unless the frame
//! is being left anyway.
use super::body::{Body, clif_type, flags};
use super::sites::Site;
use crate::ir::op::{CallTarget, Safepoint};
use crate::ir::{ENTRY, Inst, Op, StateId, Ty, Value as V};
use concord_contract::class::{Class, flags as class_flags};
use concord_contract::compiled::{Bailout, offset};
use concord_contract::method::CallKind;
use concord_contract::rows::{Arg, Convention, Row};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, ExtFuncData, ExternalName, FuncRef, Inst as ClifInst, InstBuilder, SigRef, Signature,
    StackSlotData, StackSlotKind, Type, UserExternalName, Value, types,
};
use cranelift_codegen::isa::CallConv;
use std::mem::offset_of;

fn row_type(a: Arg) -> Type {
    match a {
        Arg::I32 => types::I32,
        Arg::F32 => types::F32,
        Arg::F64 => types::F64,
        Arg::I64 | Arg::Ref | Arg::Ptr => types::I64,
    }
}

impl Body<'_> {
    pub fn instruction(&mut self, i: &Inst) -> Result<(), Bailout> {
        let value = match &i.op {
            // The method's address comes first.
            Op::Param(n) => Some(self.argument(*n as usize + 1)),
            Op::OsrLocal(n) => {
                let base = self.argument(1);
                let ty = i.result.map_or(Ty::Int, |v| self.func.ty(v));
                Some(self.b.ins().load(clif_type(ty), flags(), base, 8 * *n as i32))
            }
            Op::OsrMonitor(n) => {
                let base = self.argument(2);
                Some(self.b.ins().load(types::I64, flags(), base, 8 * *n as i32))
            }
            Op::Int(n) => Some(self.iconst32(*n)),
            Op::Long(n) => Some(self.iconst(*n)),
            Op::Float(n) => Some(self.b.ins().f32const(f32::from_bits(*n))),
            Op::Double(n) => Some(self.b.ins().f64const(f64::from_bits(*n))),
            Op::Null => Some(self.iconst(0)),
            Op::Root(at) => {
                let at = self.iconst(*at as i64);
                Some(self.b.ins().load(types::I64, flags(), at, 0))
            }
            Op::Bin(..) | Op::Un(..) | Op::Cmp3(..) => Some(self.arith(&i.op)),
            Op::Cmp(c, a, b) => {
                let flag = self.int_comparison(*c, *a, *b);
                if let Some(v) = i.result {
                    self.define_flag(v, flag);
                }
                return Ok(());
            }
            Op::FCmp(c, a, b) => {
                let flag = self.float_comparison(*c, *a, *b);
                if let Some(v) = i.result {
                    self.define_flag(v, flag);
                }
                return Ok(());
            }
            Op::NullCheck(v, s) | Op::Guard(v, s) => {
                let ok = self.condition(*v);
                self.guard_holds(ok, *s);
                None
            }
            Op::BoundsCheck(index, len, s) => {
                let (x, n) = (self.get(*index), self.get(*len));
                let bad = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, x, n);
                self.guard(bad, *s);
                None
            }
            Op::ArrayLength(_)
            | Op::LoadField(..)
            | Op::StoreField(..)
            | Op::LoadElement(..)
            | Op::StoreElement(..)
            | Op::LoadStatic(..)
            | Op::StoreStatic(..)
            | Op::LoadRaw(..)
            | Op::StoreRaw(..)
            | Op::CompareAndSet(..)
            | Op::CompareAndExchange(..)
            | Op::Update(..)
            | Op::Fence(_)
            | Op::GetClass(_)
            | Op::CurrentThread => self.memory(&i.op),
            Op::LoadFence => None,
            Op::Publish(o, v, s) => {
                self.publish(Some(*o), *v, *s);
                None
            }
            Op::PublishShared(v, s) => {
                self.publish(None, *v, *s);
                None
            }
            Op::Leaf(row, args) => {
                let args: Vec<Value> = args.iter().map(|v| self.get(*v)).collect();
                match row.info().ret {
                    Some(_) => Some(self.leaf(*row, &args)),
                    None => {
                        self.row_call(*row, &args);
                        None
                    }
                }
            }
            Op::New(c, birth, s) => Some(self.new_instance(c, *birth, *s)),
            Op::NewArray(c, birth, n, s) => Some(self.new_array(c, *birth, *n, *s)),
            Op::MultiNewArray(c, dims, s) => return self.multi_new_array(c, dims, *s, i.result),
            Op::InstanceOf(..) | Op::CanCast(..) | Op::IsA(..) | Op::IsExactly(..) | Op::CanStore(..) => {
                Some(self.type_test(&i.op))
            }
            Op::SelectInterface(c, n, o, s) => Some(self.select_interface(c, *n, *o, *s)),
            Op::Call(t, args, s) => {
                self.java_call(t, args, *s, i.result);
                return Ok(());
            }
            Op::RowCall(row, args, s) => {
                let call = self.stopping_call(*row, args, *s);
                let out = self.b.inst_results(call).first().copied();
                if let (Some(v), Some(x)) = (i.result, out) {
                    self.define(v, x);
                }
                self.compare_watermark(*s, None);
                return Ok(());
            }
            Op::Raise(row, args, s) => {
                self.stopping_call(*row, args, *s);
                None
            }
            Op::Interrupted => {
                let hit = self.interrupted();
                Some(self.b.ins().uextend(types::I32, hit))
            }
            Op::PendingException => Some(self.load_thread(types::I64, offset::TH_EXCEPTION)),
            Op::Catch => {
                let sp = self.b.ins().get_stack_pointer(types::I64);
                Some(self.leaf(Row::Catch, &[sp]))
            }
            Op::MonitorEnter(o, s) => {
                self.monitor_enter(*o, *s);
                None
            }
            Op::MonitorExit(o, s) => {
                self.monitor_exit(*o, *s);
                None
            }
            Op::RegisterFinalizer(o, s) => {
                self.register_finalizer(*o, *s);
                None
            }
            Op::Poll(s) => {
                self.poll(*s);
                None
            }
            Op::Count(at) => {
                self.count(*at);
                None
            }
            Op::CountClass(r, o) => {
                self.count_class(r, *o, true);
                None
            }
            Op::CountReceiver(r, o) => {
                self.count_class(r, *o, false);
                None
            }
        };
        if i.op.safepoint() == Some(Safepoint::Cold) && self.is_crowded() {
            self.all_stale();
        }
        if let (Some(v), Some(x)) = (i.result, value) {
            self.define(v, x);
        }
        Ok(())
    }

    // Rows.

    fn import_signature(&mut self, sig: Signature) -> SigRef {
        if let Some(s) = self.signatures.get(&sig) {
            return *s;
        }
        let s = self.b.import_signature(sig.clone());
        self.signatures.insert(sig, s);
        s
    }
    fn row(&mut self, row: Row) -> FuncRef {
        if let Some(f) = self.rows.get(&row) {
            return *f;
        }
        let info = row.info();
        let conv = if info.convention == Convention::Preserve { CallConv::PreserveAll } else { CallConv::SystemV };
        let mut sig = Signature::new(conv);
        sig.params.extend(info.args.iter().map(|a| AbiParam::new(row_type(*a))));
        if info.convention != Convention::Preserve {
            sig.returns.extend(info.ret.map(|a| AbiParam::new(row_type(a))));
        }
        let f = self.import_row(row, sig);
        self.rows.insert(row, f);
        f
    }
    fn import_row(&mut self, row: Row, sig: Signature) -> FuncRef {
        let signature = self.import_signature(sig);
        let name = self.b.func.declare_imported_user_function(UserExternalName { namespace: 0, index: row as u32 });
        self.b.import_function(ExtFuncData {
            name: ExternalName::user(name),
            signature,
            // Within reach of a short call (`compiled::near`).
            colocated: true,
            patchable: false,
        })
    }
    pub fn row_call(&mut self, row: Row, args: &[Value]) -> ClifInst {
        let f = self.row(row);
        self.within(|_| Self::row_site(row), |b| b.b.ins().call(f, args))
    }
    /// A row that cannot stop the thread; its value, if it gives one in a register.
    pub fn leaf(&mut self, row: Row, args: &[Value]) -> Value {
        let call = self.row_call(row, args);
        match self.b.inst_results(call) {
            [v] => *v,
            _ => match row.info().ret {
                Some(ret) => self.load_thread(row_type(ret), offset::TH_RESULT),
                None => args[0],
            },
        }
    }
    /// A stub that looks at a frame state's values, giving the method's result.
    pub fn stub_call(&mut self, row: Row, ret: Option<Type>) -> ClifInst {
        let known = self.stubs.iter().find(|(r, _)| *r == row).map(|(_, f)| *f);
        let f = known.unwrap_or_else(|| {
            let mut sig = Signature::new(CallConv::SystemV);
            sig.returns.extend(ret.map(AbiParam::new));
            let f = self.import_row(row, sig);
            self.stubs.push((row, f));
            f
        });
        self.within(|_| Site::Leaves(row), |b| b.b.ins().call(f, &[]))
    }

    // What stands behind a call.

    /// Whether an exception is pending, or this code is invalid. `result` is the value that the
    /// instruction in translation is about to define.
    pub fn compare_watermark(&mut self, s: StateId, result: Option<(V, Value)>) {
        let hit = self.interrupted();
        let ok = self.cold_if(hit);
        self.leave_with(Row::AfterCall, s, result);
        self.enter(ok);
    }
    fn interrupted(&mut self) -> Value {
        let sp = self.b.ins().get_stack_pointer(types::I64);
        let mark = self.load_thread(types::I64, offset::TH_WATERMARK);
        self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, sp, mark)
    }
    /// Leaves the code unless `ok`.
    fn guard_holds(&mut self, ok: Value, s: StateId) {
        if self.vm.guards_left != 0 {
            let bad = self.compare(IntCC::Equal, ok, 0);
            return self.guard(bad, s);
        }
        let on = self.cold_unless(ok);
        self.leave(Row::Deopt, s);
        self.enter(on);
    }
    /// Leaves the code if `bad`.
    fn guard(&mut self, bad: Value, s: StateId) {
        let bad = if self.vm.guards_left == 0 { bad } else { self.or_it_is_time(bad) };
        let ok = self.cold_if(bad);
        self.leave(Row::Deopt, s);
        self.enter(ok);
    }
    /// Where a guard that held goes on from `ok`: to `cold` if those that would have held are to leave, and it is its turn.
    pub fn or_cold_when_it_is_time(&mut self, ok: Block, cold: Block) -> Block {
        if self.vm.guards_left == 0 {
            return ok;
        }
        self.enter(ok);
        let no = self.b.ins().iconst(types::I8, 0);
        let out = self.or_it_is_time(no);
        let on = self.b.create_block();
        self.b.ins().brif(out, cold, &[], on, &[]);
        on
    }
    /// Counts the guard; those that would have held leave, too, when it is their turn. Their state is
    /// that before the instruction, which the interpreter then executes as if nothing had been.
    fn or_it_is_time(&mut self, bad: Value) -> Value {
        self.within(
            |_| Site::Vm,
            |b| {
                let at = b.iconst(b.vm.guards_left as i64);
                let left = b.b.ins().load(types::I64, flags(), at, 0);
                let left = b.add(left, -1);
                b.b.ins().store(flags(), left, at, 0);
                let out = b.compare(IntCC::SignedLessThanOrEqual, left, 0);
                b.b.ins().bor(bad, out)
            },
        )
    }

    /// Where the poll is with which the function begins, if it does.
    pub fn entry_poll_at(&self) -> Option<usize> {
        let insts = &self.func.block(ENTRY).insts;
        let first = insts.iter().position(|i| !matches!(i.op, Op::Param(_)))?;
        (matches!(insts[first].op, Op::Poll(_)) && self.func.osr.is_none()).then_some(first)
    }
    /// Continues in the returned block if there is nothing to attend to; in a cold block otherwise.
    fn entry_poll(&mut self) -> Block {
        let sp = self.b.ins().get_stack_pointer(types::I64);
        let guard = self.load_thread(types::I64, offset::TH_NATIVE_GUARD);
        let low = self.b.ins().icmp(IntCC::UnsignedLessThan, sp, guard);
        let ok = self.cold_if(low);
        let limit = self.load_thread(types::I64, offset::TH_NATIVE_LIMIT);
        let over = self.b.ins().icmp(IntCC::UnsignedLessThan, sp, limit);
        let poll = self.cold_if(over);
        self.stack_overflow();
        self.b.set_cold_block(poll);
        self.enter(poll);
        ok
    }
    fn poll(&mut self, s: StateId) {
        let ok = if self.at.0 == ENTRY && self.entry_poll_at() == Some(self.at.1) {
            self.entry_poll()
        } else {
            let word = self.load_thread(types::I32, offset::TH_POLL);
            self.cold_if(word)
        };
        if self.owes_fence {
            self.fence();
        }
        self.stop_cold(Row::Safepoint, &[], s);
        self.go_on_cold(s, None);
        self.b.ins().jump(ok, &[]);
        self.enter(ok);
    }

    // Calls of methods.

    fn java_call(&mut self, t: &CallTarget, args: &[V], s: StateId, result: Option<V>) {
        let mut values: Vec<Value> = args.iter().map(|v| self.get(*v)).collect();
        let method = match t.kind {
            CallKind::Interface => values.remove(0),
            CallKind::Virtual => {
                let k = self.class_of(values[0]);
                let at = offset::CLASS_VTABLE + 8 * t.index as i32;
                self.b.ins().load(types::I64, flags(), k, at)
            }
            CallKind::Static | CallKind::Special | CallKind::Handle => {
                self.iconst(self.env.method_address(t.method) as i64)
            }
        };
        values.insert(0, method);
        let mut sig = Signature::new(CallConv::SystemV);
        for v in &values {
            sig.params.push(AbiParam::new(self.b.func.dfg.value_type(*v)));
        }
        sig.returns.extend(Ty::of(t.method.ret).map(|t| AbiParam::new(clif_type(t))));
        let sig = self.import_signature(sig);
        let live = self.live_across();
        let entry = self.b.ins().load(types::I64, flags(), method, offset::METHOD_COMPILED);
        let call = self.within(|_| Site::Call, |b| b.b.ins().call_indirect(sig, entry, &values));
        self.record_live(call, s, &live);
        self.all_stale();
        let out = self.b.inst_results(call).first().copied();
        if let (Some(v), Some(x)) = (result, out) {
            self.define(v, x);
        }
        if !t.caught {
            self.compare_watermark(s, None);
        }
    }

    fn multi_new_array(
        &mut self,
        c: concord_contract::ClassRef,
        dims: &[V],
        s: StateId,
        result: Option<V>,
    ) -> Result<(), Bailout> {
        let bytes = 4 * dims.len() as u32;
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 2));
        for (n, d) in dims.iter().enumerate() {
            let x = self.get(*d);
            self.b.ins().stack_store(types::I64, x, slot, 4 * n as i32);
        }
        let live = self.live_across();
        let at = self.b.ins().stack_addr(types::I64, slot, 0);
        let (c, n) = (self.class_constant(c), self.iconst32(dims.len() as i32));
        let call = self.row_call(Row::MultiNewArray, &[c, at, n]);
        self.record_live(call, s, &live);
        self.all_stale();
        let x = self.b.inst_results(call)[0];
        if let Some(v) = result {
            self.define(v, x);
        }
        self.compare_watermark(s, None);
        Ok(())
    }

    /// Objects whose class has a finalizer are registered when Object's constructor is done.
    fn register_finalizer(&mut self, o: V, s: StateId) {
        let x = self.get(o);
        let k = self.class_of(x);
        let f = self.b.ins().load(types::I32, flags(), k, offset_of!(Class, flags) as i32);
        let f = self.and(f, class_flags::FINALIZER as i64);
        let ok = self.cold_if(f);
        self.stop_cold(Row::RegisterFinalizer, &[x], s);
        self.go_on_cold(s, None);
        self.b.ins().jump(ok, &[]);
        self.enter(ok);
    }
}
