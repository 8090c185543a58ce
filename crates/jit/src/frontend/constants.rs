//! Objects that are constants of the code: what the constant pool and final static fields hold, and what the fields of such
//! objects refer to that are not written any more.
//!
//! Invariant: a value in [`Builder::paths`] is the object at the end of its path wherever the code uses it, and is never null.
//! Nothing is concluded from an object that could not be looked at.
//!
//! Chains of method handles end here: the form of a known handle is a known method, its arguments are known handles, and so on
//! (JVMS 5.4.3.5, `java.lang.invoke.LambdaForm`); what is left of a `VarHandle` that is a constant is the access.
use super::{Builder, Flow, Scope, parameters};
use crate::ir::op::Mem;
use crate::ir::{Op, Ty, Value};
use concord_contract::BasicType;
use concord_contract::class::ClassRef;
use concord_contract::compile_env::CallAnswer;
use concord_contract::compiled::{Bailout, Dependency};
use concord_contract::constant_objects::{KnownObject, ObjectPath};
use concord_contract::entries::ResolvedField;
use concord_contract::method::{CallKind, MethodRef, MhIntrinsic, NO_INDEX, acc};
use concord_contract::object::array_base;
use std::cell::OnceCell;

/// An object that the code knows.
#[derive(Debug)]
pub(super) struct Constant {
    path: ObjectPath,
    /// What is known of it, once it was asked for.
    object: OnceCell<Option<KnownObject>>,
}

impl Builder<'_> {
    fn learn_path(&mut self, v: Value, path: ObjectPath) {
        self.paths.insert(v, Constant { path, object: OnceCell::new() });
    }
    /// Remembers that the object is the one in a root word.
    pub(super) fn found_in(&mut self, v: Value, root: usize) {
        self.learn_path(v, ObjectPath::new(root));
    }
    /// Remembers that the object is the one in a static field.
    pub(super) fn found_in_static(&mut self, v: Value, f: &ResolvedField) {
        let statics = ObjectPath::new(self.env.statics_root(f.class));
        self.learn_path(v, statics.then(f.offset, f.is_stable));
    }
    pub(super) fn is_constant(&self, v: Value) -> bool {
        self.paths.contains_key(&v)
    }
    /// What is known of an object.
    pub(super) fn object(&self, v: Value) -> Option<KnownObject> {
        let c = self.paths.get(&v)?;
        *c.object.get_or_init(|| self.env.object(&c.path))
    }
    /// The very class of the object.
    pub(super) fn exactly(&self, v: Value) -> Option<ClassRef> {
        self.exact.get(&v).copied().or_else(|| self.object(v).map(|o| o.class))
    }
    /// The number that the value is.
    pub(super) fn number(&self, v: Value) -> Option<i32> {
        match self.made_here(v) {
            Some(Op::Int(n)) => Some(*n),
            _ => self.numbers.get(&v).copied(),
        }
    }
    /// Whether two references are one, if that is known.
    pub(super) fn same(&self, a: Value, b: Value) -> Option<bool> {
        let (a, b) = (self.paths.get(&a)?, self.paths.get(&b)?);
        self.env.same_object(&a.path, &b.path)
    }
    /// Whether the object is an instance of the class, if that is known.
    pub(super) fn is_instance(&self, v: Value, class: ClassRef) -> Option<bool> {
        match self.exact.get(&v) {
            Some(exact) if !innermost(class).is_interface() => Some(exact.is_subclass_of(class)),
            _ => self.env.is_instance(&self.paths.get(&v)?.path, class),
        }
    }

    /// Pushes what a field of the object has, if both stay as they are.
    pub(super) fn constant_field(&mut self, o: Value, f: &ResolvedField, mem: Mem) -> bool {
        if f.is_target {
            return self.constant_target(o, f.offset, mem);
        }
        if !f.is_constant && !f.is_stable {
            return false;
        }
        let word = (f.offset, f.is_stable, !f.is_constant);
        self.constant_word(o, Some(f.class), word, Op::LoadField(o, f.offset, mem), f.ty)
    }
    /// The same of the target of a call site: the code is left when the site gets another.
    fn constant_target(&mut self, site: Value, offset: u32, mem: Mem) -> bool {
        let Some(c) = self.paths.get(&site) else { return false };
        let Some(number) = self.env.call_site(&c.path) else { return false };
        let path = c.path.then_target(offset, number);
        let rests_on = Dependency::Target(number);
        if !self.dependencies.contains(&rests_on) {
            self.dependencies.push(rests_on);
        }
        let v = self.value(Op::LoadField(site, offset, mem));
        self.learn_path(v, path);
        self.frame.push(v, Ty::Ref);
        true
    }
    /// The same of an element, whose index the bounds have been checked for.
    pub(super) fn constant_element(&mut self, array: Value, index: Value, mem: Mem) -> bool {
        let stable = self.paths.get(&array).is_some_and(|c| c.path.stable_elements);
        let Some(n) = self.number(index).filter(|_| stable) else { return false };
        let fits = self.object(array).is_some_and(|o| u32::try_from(n).is_ok_and(|n| n < o.length));
        let shift = mem.ty.heap_shift();
        let offset = array_base(shift) as u32 + ((n as u32) << shift);
        fits && self.constant_word(array, None, (offset, false, true), Op::LoadElement(array, index, mem), mem.ty)
    }
    /// Pushes a word of a known object. `of`: the class that has it, if it is a field. `stable`: the elements of an array that
    /// it refers to stay as well. `may_come`: it is
    /// written once, and 0 until then. `load`: how code reads it.
    fn constant_word(
        &mut self,
        o: Value,
        of: Option<ClassRef>,
        (offset, stable, may_come): (u32, bool, bool),
        load: Op,
        ty: BasicType,
    ) -> bool {
        let Some(c) = self.paths.get(&o) else { return false };
        // What is never reached may take an object for one of another class.
        if !self.object(o).is_some_and(|known| of.is_none_or(|class| known.class.is_subclass_of(class))) {
            return false;
        }
        let Some(bits) = self.env.word(&c.path, offset, ty).filter(|bits| *bits != 0 || !may_come) else {
            return false;
        };
        let Some(ty) = Ty::of(ty) else { return false };
        let path = c.path.then(offset, stable);
        let op = match ty {
            Ty::Ref if bits != 0 => load,
            _ => constant(ty, bits),
        };
        let v = self.value(op);
        match ty {
            Ty::Ref if bits != 0 => self.learn_path(v, path),
            Ty::Int => {
                self.numbers.insert(v, bits as i32);
            }
            _ => {}
        }
        self.frame.push(v, ty);
        true
    }

    /// Translates a call of `invokeBasic` or of a `linkTo` method as one of the method that it comes to, if that is known.
    pub(super) fn call_through(&mut self, scope: &mut Scope, call: &CallAnswer) -> Result<Option<Flow>, Bailout> {
        let slots = call.method.nargs();
        let target = match call.method.mh_intrinsic {
            MhIntrinsic::None | MhIntrinsic::LinkToNative => return Ok(None),
            MhIntrinsic::InvokeBasic => {
                let handle = self.frame.peek(slots)?;
                let runs = self.object(handle).and_then(|o| o.runs);
                let Some(m) = runs.filter(|m| m.is_static() && stands_for(m, call.method, 0)) else { return Ok(None) };
                direct(m, CallKind::Static)
            }
            how => {
                let member = self.frame.peek(1)?;
                let Some(o) = self.object(member) else { return Ok(None) };
                let Some(m) = o.runs.filter(|m| stands_for(m, call.method, 1)) else { return Ok(None) };
                if m.is_static() != (how == MhIntrinsic::LinkToStatic) {
                    return Ok(None);
                }
                if !m.is_static() {
                    let receiver = self.frame.peek(slots)?;
                    self.nonnull(scope, receiver);
                }
                let mut target = match how {
                    MhIntrinsic::LinkToStatic => direct(m, CallKind::Static),
                    MhIntrinsic::LinkToVirtual if o.selected_by.is_some() => CallAnswer {
                        index: o.selected_by.unwrap_or(NO_INDEX),
                        named: Some(m.class),
                        ..direct(m, CallKind::Virtual)
                    },
                    MhIntrinsic::LinkToInterface if u32::from(m.access()) & acc::PRIVATE == 0 => {
                        let receiver = self.frame.peek(slots)?;
                        let call = CallAnswer { interface: Some(m.class), ..direct(m, CallKind::Interface) };
                        let selected = self.exactly(receiver).and_then(|class| self.env.target_in(&call, class));
                        let Some(selected) = selected.filter(|_| m.class.is_interface()) else { return Ok(None) };
                        direct(selected, CallKind::Special)
                    }
                    _ => direct(m, CallKind::Special),
                };
                // From here on nothing leaves the code before the call: the member is no argument of the target.
                self.frame.pop(1)?;
                self.bind(&mut target)?;
                target
            }
        };
        self.class_used(target.method.class);
        let args = self.arguments(scope, &target)?;
        self.call_or_inline(scope, &target, args).map(Some)
    }
}

fn direct(method: MethodRef, kind: CallKind) -> CallAnswer {
    CallAnswer { method, kind, index: NO_INDEX, interface: None, named: None, requested: None, appendix: None }
}

/// Whether the method takes what the intrinsic takes, without its last `dropped` arguments, and gives what it gives. A call that
/// has the wrong type is never reached, but may be translated.
fn stands_for(m: MethodRef, intrinsic: MethodRef, dropped: usize) -> bool {
    let types = |m| parameters(m).into_iter().map(Ty::of).collect::<Vec<_>>();
    let (takes, given) = (types(m), types(intrinsic));
    given.strip_suffix(&vec![Some(Ty::Ref); dropped][..]) == Some(&takes[..]) && Ty::of(m.ret) == Ty::of(intrinsic.ret)
}

/// The class of what is in arrays of arrays.
fn innermost(class: ClassRef) -> ClassRef {
    class.component.map_or(class, innermost)
}

/// A number as an instruction, from the bits of a slot; null for a reference.
pub(super) fn constant(ty: Ty, bits: u64) -> Op {
    match ty {
        Ty::Int => Op::Int(bits as i32),
        Ty::Long => Op::Long(bits as i64),
        Ty::Float => Op::Float(bits as u32),
        Ty::Double => Op::Double(bits),
        Ty::Ref => Op::Null,
    }
}
