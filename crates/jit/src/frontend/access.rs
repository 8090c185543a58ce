//! Constants of the pool, fields, objects, type tests, monitors.
//!
//! Stores and loads carry the mode that the memory-model room gives to the access; which fences
//! follow from it is decided later (`passes::fences`).
use super::{Builder, Flow, Scope, Step, constants};
use crate::ir::op::{Access, Mem};
use crate::ir::state::Reason;
use crate::ir::{Cond, Op, Resume, StateId, Ty, UnOp, Value};
use concord_classfile::opcodes::{Instruction, op};
use concord_contract::BasicType;
use concord_contract::class::{ClassRef, flags};
use concord_contract::compile_env::ConstantAnswer;
use concord_contract::compiled::Bailout;
use concord_contract::entries::ResolvedField;
use concord_contract::rows::Row;
use concord_memory_model::{Mode, plain_mode, policy};

/// How accesses to a field are ordered.
fn field_memory(f: &ResolvedField) -> Mem {
    let mode = if f.is_volatile { Mode::Volatile } else { plain_mode(true, f.relaxed, f.is_final) };
    // System.in and its like, and the targets of call sites, are final by name only.
    let keeps = f.is_final && !f.is_target && !(f.is_static && f.class.name.as_bytes() == b"java/lang/System");
    let once = keeps && (f.ty == BasicType::Object || shows_complete_objects(f.class));
    Mem { ty: f.ty, access: Access::Shared(mode), once }
}

/// Whether the class's constructors let nobody see the object before its final fields are written.
fn shows_complete_objects(class: ClassRef) -> bool {
    let name = class.name.as_bytes().strip_prefix(b"java/lang/");
    class.has_flag(flags::BOOT)
        && matches!(
            name,
            Some(
                b"String"
                    | b"Integer"
                    | b"Long"
                    | b"Short"
                    | b"Byte"
                    | b"Character"
                    | b"Boolean"
                    | b"Float"
                    | b"Double"
            )
        )
}

impl Builder<'_> {
    pub(super) fn access(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        match i.opcode {
            op::LDC..=op::LDC2_W => self.ldc(scope, i),
            op::IALOAD..=op::SALOAD => self.array_load(scope, i.opcode),
            op::IASTORE..=op::SASTORE => self.array_store(scope, i.opcode),
            op::GETSTATIC..=op::PUTFIELD => self.field(scope, i),
            op::NEW => self.new_instance(scope, i),
            op::NEWARRAY | op::ANEWARRAY => self.new_array(scope, i),
            op::MULTIANEWARRAY => self.multi_new_array(scope, i),
            op::ARRAYLENGTH => {
                let a = self.frame.peek(1)?;
                self.nonnull(scope, a);
                self.frame.pop(1)?;
                self.constant(Op::ArrayLength(a), Ty::Int);
                Ok(Flow::Next)
            }
            op::ATHROW => {
                let e = self.frame.pop(1)?;
                self.throw(scope, Row::Throw, vec![e]);
                Ok(Flow::End)
            }
            op::CHECKCAST | op::INSTANCEOF => self.type_test(scope, i),
            op::MONITORENTER => self.monitor_enter(scope),
            _ => self.monitor_exit(scope),
        }
    }

    /// The state of an instruction that throws by a row: handlers are searched for it.
    pub(super) fn throwing(&mut self, scope: &Scope) -> StateId {
        let stack = std::mem::take(&mut self.frame.stack);
        let s = self.state_at(scope, scope.instruction, Resume::After, Reason::AfterCall);
        self.frame.stack = stack;
        s
    }

    /// From here on `v` is not null: the code is left, or throws, if it is.
    pub(super) fn nonnull(&mut self, scope: &Scope, v: Value) {
        if self.is_nonnull(v) {
            return;
        }
        if self.hot_trap(scope, Reason::NullCheck) {
            let null = self.value(Op::Null);
            let ok = self.func.cmp(self.cur, Cond::Ne, v, null);
            self.or_throw(scope, ok, Row::ThrowNullPointer, vec![]);
        } else {
            let s = self.before(scope, Reason::NullCheck);
            self.emit(Op::NullCheck(v, s));
        }
        self.frame.learn_nonnull(v);
    }

    fn ldc(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let (op, ty) = match self.env.constant(scope.method, i.cp()) {
            None => return self.trap(scope, Reason::Unresolved),
            Some(ConstantAnswer::Null) => (Op::Null, Ty::Ref),
            Some(ConstantAnswer::Root(at)) => (Op::Root(at), Ty::Ref),
            Some(ConstantAnswer::Prim(t, bits)) => match Ty::of(t) {
                Some(ty) if ty != Ty::Ref => (constants::constant(ty, bits), ty),
                _ => return Err(Bailout::Unsupported("a constant of an unknown type".into())),
            },
        };
        let root = if let Op::Root(at) = op { Some(at) } else { None };
        let v = self.value(op);
        if let Some(at) = root {
            self.found_in(v, at);
        }
        self.frame.push(v, ty);
        Ok(Flow::Next)
    }

    fn field(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let Some(f) = self.env.field(scope.method, i.cp(), i.opcode) else {
            return self.trap(scope, Reason::Unresolved);
        };
        let Some(ty) = Ty::of(f.ty) else { return Err(Bailout::Unsupported("a field of type void".into())) };
        let mem = field_memory(&f);
        match i.opcode {
            op::GETSTATIC => {
                self.class_used(f.class);
                self.load_static(&f, mem, ty);
                self.learn_bytes(f.is_bytes);
            }
            op::PUTSTATIC => {
                self.class_used(f.class);
                if ty == Ty::Ref {
                    let v = self.frame.peek(1)?;
                    self.publish(scope, None, v);
                }
                let v = self.frame.pop(ty.slots())?;
                let v = self.narrow(f.ty, v);
                self.emit(Op::StoreStatic(f.class, f.offset, v, mem));
            }
            op::GETFIELD => {
                self.class_used(f.class);
                let o = self.frame.peek(1)?;
                self.nonnull(scope, o);
                self.frame.pop(1)?;
                if !self.constant_field(o, &f, mem) {
                    self.constant(Op::LoadField(o, f.offset, mem), ty);
                }
                self.learn_bytes(f.is_bytes);
            }
            _ => {
                self.class_used(f.class);
                let o = self.frame.peek(1 + ty.slots())?;
                self.nonnull(scope, o);
                if ty == Ty::Ref {
                    let v = self.frame.peek(1)?;
                    self.publish(scope, Some(o), v);
                }
                let v = self.frame.pop(ty.slots())?;
                self.frame.pop(1)?;
                let v = self.narrow(f.ty, v);
                self.emit(Op::StoreField(o, f.offset, v, mem));
            }
        }
        Ok(Flow::Next)
    }
    /// A final field of an initialized class is its value; the object that a reference refers to may move, so it is loaded.
    fn load_static(&mut self, f: &ResolvedField, mem: Mem, ty: Ty) {
        let known = self.env.static_value(f);
        let op = match known {
            Some(bits) if bits == 0 || ty != Ty::Ref => constants::constant(ty, bits),
            _ => Op::LoadStatic(f.class, f.offset, mem),
        };
        let v = self.value(op);
        if known.is_some_and(|bits| bits != 0) && ty == Ty::Ref {
            self.found_in_static(v, f);
        }
        self.frame.push(v, ty);
    }
    /// Before a reference store: what others are about to see is SHARED. Nothing is popped yet: if the
    /// code is left here, the interpreter stores.
    pub(super) fn publish(&mut self, scope: &Scope, target: Option<Value>, v: Value) {
        // Objects in roots of the VM are SHARED, and so is what a SHARED object refers to (Invariant I
        // of docs/papers/vbd.md), as the statics of a class are.
        if !policy::vbd() || matches!(self.made_here(v), Some(Op::Null | Op::Root(_) | Op::LoadStatic(..))) {
            return;
        }
        let far = self.request.hot_traps.iter().any(|t| t.1 == Reason::Publication);
        let s = far.then(|| self.before(scope, Reason::AfterCall));
        self.emit(match target {
            Some(o) => Op::Publish(o, v, s),
            None => Op::PublishShared(v, s),
        });
    }
    /// Booleans are stored as one bit; other narrow types are cut by the store itself.
    fn narrow(&mut self, ty: BasicType, v: Value) -> Value {
        match ty {
            BasicType::Boolean => self.value(Op::Un(UnOp::I2Z, v)),
            _ => v,
        }
    }

    fn new_instance(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let Some(class) = self.env.class(scope.method, i.cp()) else {
            return self.trap(scope, Reason::Unresolved);
        };
        if class.is_abstract() || class.is_interface() || class.is_array() {
            return self.trap(scope, Reason::Unsupported);
        }
        if !self.env.can_instantiate(scope.method, class) {
            return self.trap(scope, Reason::Uninitialized);
        }
        self.class_used(class);
        let birth = self.env.birth(class);
        let v = self.value_after(scope, Ty::Ref, |s| Op::New(class, birth, s));
        self.made(v, class);
        self.own.insert(v);
        Ok(Flow::Next)
    }
    fn type_test(&mut self, scope: &mut Scope, i: &Instruction) -> Step {
        let o = self.frame.peek(1)?;
        let Some(class) = self.env.class(scope.method, i.cp()) else {
            // A null passes without resolution, however often.
            let s = self.before(scope, Reason::Unresolved);
            let null = self.value(Op::Null);
            let is_null = self.func.cmp(self.cur, Cond::Eq, o, null);
            self.emit(Op::Guard(is_null, s));
            self.frame.pop(1)?;
            self.count_object(scope, o);
            self.constant(
                if i.opcode == op::INSTANCEOF { Op::Int(0) } else { Op::Null },
                if i.opcode == op::INSTANCEOF { Ty::Int } else { Ty::Ref },
            );
            return Ok(Flow::Next);
        };
        self.class_used(class);
        let known = self.is_instance(o, class);
        if i.opcode == op::INSTANCEOF {
            self.frame.pop(1)?;
            self.count_object(scope, o);
            self.constant(known.map_or(Op::InstanceOf(class, o), |is| Op::Int(is.into())), Ty::Int);
            return Ok(Flow::Next);
        }
        if known == Some(false) {
            // No object of a known class is null: what follows is not reached.
            if !self.hot_trap(scope, Reason::ClassCast) {
                return self.trap(scope, Reason::ClassCast);
            }
            self.count_object(scope, o);
            let named = self.value(Op::Long(self.env.class_address(class) as i64));
            self.throw(scope, Row::ThrowClassCast, vec![o, named]);
            return Ok(Flow::End);
        }
        if !always_instance(class) && known != Some(true) {
            let s = self.before(scope, Reason::ClassCast);
            let ok = self.value(Op::CanCast(class, o));
            if self.hot_trap(scope, Reason::ClassCast) {
                let named = self.value(Op::Long(self.env.class_address(class) as i64));
                self.or_throw_counted(scope, ok, Row::ThrowClassCast, vec![o, named], Some(o));
            } else {
                self.emit(Op::Guard(ok, s));
            }
        }
        self.count_object(scope, o);
        Ok(Flow::Next)
    }

    fn monitor_enter(&mut self, scope: &mut Scope) -> Step {
        let o = self.frame.peek(1)?;
        self.nonnull(scope, o);
        self.frame.pop(1)?;
        self.frame.monitors.push(o);
        let s = self.after(scope);
        self.emit(Op::MonitorEnter(o, s));
        Ok(Flow::Next)
    }
    fn monitor_exit(&mut self, scope: &mut Scope) -> Step {
        let o = self.frame.peek(1)?;
        let own = scope.method.is_synchronized() as usize;
        let Some(lock) = self.frame.monitors.get(own..).and_then(|m| m.last().copied()) else {
            return self.trap(scope, Reason::Unsupported);
        };
        if lock != o {
            // Locks are nested in all code that a compiler made; anything else is the interpreter's.
            let s = self.before(scope, Reason::Unsupported);
            let same = self.func.cmp(self.cur, Cond::Eq, o, lock);
            self.emit(Op::Guard(same, s));
        }
        self.frame.pop(1)?;
        self.frame.monitors.pop();
        let s = self.after(scope);
        self.emit(Op::MonitorExit(lock, s));
        Ok(Flow::Next)
    }
}

/// Whether every object is an instance of the class.
pub(super) fn always_instance(class: ClassRef) -> bool {
    class.super_class.is_none() && class.is_instance_class() && !class.is_interface() && !class.has_flag(flags::HIDDEN)
}
