//! Owns the rules of fields and calls: kinds of constants, receivers, constructors, and members
//! that are protected (JVMS 4.10.1.8).

use super::method::Verifier;
use super::report::{Checked, Origin, bad_code, bad_type, describe};
use super::types::{RefType, VType};
use crate::descriptor::{MethodDescriptor, parse_field};
use crate::opcodes::{Instruction, op};
use crate::pool::{Constant, NameAndType};

impl<'a> Verifier<'_, 'a> {
    /// The class that a member reference names.
    fn reference_class(&self, index: u16) -> RefType<'a> {
        RefType::from_constant(self.class.constants.class_name(self.class.constants.member_class(index)))
    }

    pub fn field(&mut self, i: &Instruction<'a>) -> Checked<()> {
        let (bci, index) = (i.bci, i.cp());
        self.constant(bci, index, |c| matches!(c, Constant::Field { .. }))?;
        let nat = self.class.constants.ref_name_and_type(index);
        let holder = self.reference_class(index);
        let is_static = matches!(i.opcode, op::GETSTATIC | op::PUTSTATIC);
        if holder.is_array() && !is_static {
            let message = format!(
                "Expecting reference to class in class {} at constant pool index {index}",
                self.external_name()
            );
            return bad_type(bci, message, describe(VType::Ref(holder), Origin::Pool(index)), None).fail();
        }
        let Some(pair) = parse_field(nat.desc).map(VType::of) else {
            return bad_code(bci, "Field descriptor is malformed");
        };
        match i.opcode {
            op::GETSTATIC => self.frame.push_halves(pair),
            op::PUTSTATIC => self.frame.pop_pair(pair, self.env),
            op::GETFIELD => {
                let receiver = self.frame.pop(VType::Ref(holder), self.env)?;
                self.check_protected_field(holder, receiver, nat, "getfield")?;
                self.frame.push_halves(pair)
            }
            _ => {
                self.frame.pop_pair(pair, self.env)?;
                let mut receiver = self.frame.pop_any()?;
                // A constructor may set its own fields before it calls another one.
                if receiver == VType::UninitThis
                    && holder == self.current
                    && self.class.field(nat.name, nat.desc).is_some()
                {
                    receiver = VType::Ref(self.current);
                }
                if !VType::Ref(holder).accepts(receiver, self.env, false)? {
                    let expected = describe(VType::Ref(holder), Origin::Pool(index));
                    let message = "Bad type on operand stack in putfield";
                    return bad_type(bci, message, self.frame.top_text(), Some(expected)).current(&self.frame).fail();
                }
                self.check_protected_field(holder, receiver, nat, "putfield")
            }
        }
    }

    fn check_protected_field(
        &mut self,
        holder: RefType<'a>,
        receiver: VType<'a>,
        nat: NameAndType<'a>,
        instruction: &str,
    ) -> Checked<()> {
        let current = VType::Ref(self.current);
        if receiver == current || !self.env.is_current_or_super(holder.name) {
            return Ok(());
        }
        if self.env.is_protected_elsewhere(holder.name, nat.name, nat.desc, false)?
            && !current.accepts(receiver, self.env, true)?
        {
            let message = format!("Bad access to protected data in {instruction}");
            return self.frame.bad_top(message, Some(current));
        }
        Ok(())
    }

    /// True if the call was the constructor for `this`.
    pub fn call(&mut self, i: &Instruction<'a>) -> Checked<bool> {
        let (bci, index) = (i.bci, i.cp());
        let either = self.class.major >= 52 && matches!(i.opcode, op::INVOKESPECIAL | op::INVOKESTATIC);
        let entry = self.constant(bci, index, |c| match c {
            Constant::InvokeDynamic { .. } => i.opcode == op::INVOKEDYNAMIC,
            Constant::InterfaceMethod { .. } => i.opcode == op::INVOKEINTERFACE || either,
            Constant::Method { .. } => !matches!(i.opcode, op::INVOKEINTERFACE | op::INVOKEDYNAMIC),
            _ => false,
        })?;
        let nat = self.class.constants.ref_name_and_type(index);
        let Some(desc) = MethodDescriptor::new(nat.desc) else {
            return bad_code(bci, "Method descriptor is malformed");
        };
        let dynamic = i.opcode == op::INVOKEDYNAMIC;
        let holder = if dynamic { RefType::class(&[]) } else { self.reference_class(index) };
        if i.opcode == op::INVOKEINTERFACE {
            if usize::from(i.count()) != desc.param_slots() + 1 {
                return bad_code(bci, "Inconsistent args count operand in invokeinterface");
            }
            if i.reserved() != 0 {
                return bad_code(bci, "Fourth operand byte of invokeinterface must be zero");
            }
        }
        if dynamic && i.reserved() != 0 {
            return bad_code(bci, "Third and fourth operand bytes of invokedynamic must be zero");
        }
        if nat.name.first() == Some(&b'<') {
            if i.opcode != op::INVOKESPECIAL || nat.name != b"<init>" {
                return bad_code(bci, "Illegal call to internal method");
            }
        } else if i.opcode == op::INVOKESPECIAL {
            self.check_special(bci, holder, matches!(entry, Constant::InterfaceMethod { .. }))?;
        }
        self.pop_arguments(desc)?;
        let mut initialised = false;
        match i.opcode {
            op::INVOKESTATIC | op::INVOKEDYNAMIC => {}
            op::INVOKESPECIAL if nat.name == b"<init>" => initialised = self.construct(index, holder, nat)?,
            op::INVOKESPECIAL => {
                self.frame.pop(VType::Ref(self.current), self.env)?;
            }
            op::INVOKEVIRTUAL => {
                let receiver = self.frame.pop(VType::Ref(holder), self.env)?;
                self.check_protected_call(holder, receiver, nat)?;
            }
            _ => {
                self.frame.pop(VType::Ref(holder), self.env)?;
            }
        }
        if let Some(t) = desc.ret_type() {
            self.frame.push_halves(VType::of(t))?;
        }
        Ok(initialised)
    }

    /// Pops the arguments, the last first.
    fn pop_arguments(&mut self, desc: MethodDescriptor<'a>) -> Checked<()> {
        // Nearly every call has few parameters: no allocation for those.
        let mut few = [None; 8];
        let count = desc.param_count();
        if count <= few.len() {
            for (slot, p) in few.iter_mut().zip(desc.params()) {
                *slot = Some(VType::of(p));
            }
            return few[..count].iter().rev().flatten().try_for_each(|&pair| self.frame.pop_pair(pair, self.env));
        }
        let all: Vec<_> = desc.params().map(VType::of).collect();
        all.into_iter().rev().try_for_each(|pair| self.frame.pop_pair(pair, self.env))
    }

    /// invokespecial of an ordinary method: of this class, a superclass or a direct
    /// superinterface.
    fn check_special(&mut self, bci: usize, holder: RefType<'a>, of_interface: bool) -> Checked<()> {
        let pool = &self.class.constants;
        let direct = holder == self.current
            || self.class.interfaces.iter().any(|&n| RefType::from_constant(pool.class_name(n)) == holder)
            || self.class.super_name().map(RefType::from_constant) == Some(holder);
        if direct {
            return Ok(());
        }
        if !VType::Ref(holder).accepts(VType::Ref(self.current), self.env, false)? {
            return bad_code(bci, "Bad invokespecial instruction: current class isn't assignable to reference class.");
        }
        if of_interface {
            return bad_code(
                bci,
                "Bad invokespecial instruction: interface method reference is in an indirect superinterface.",
            );
        }
        Ok(())
    }

    fn check_protected_call(&mut self, holder: RefType<'a>, receiver: VType<'a>, nat: NameAndType<'a>) -> Checked<()> {
        let current = VType::Ref(self.current);
        if receiver == current || holder.is_array() || !self.env.is_current_or_super(holder.name) {
            return Ok(());
        }
        // Arrays have a public clone().
        if holder.is_plain_object() && receiver.is_array() && nat.name == b"clone" {
            return Ok(());
        }
        if self.env.is_protected_elsewhere(holder.name, nat.name, nat.desc, true)?
            && !current.accepts(receiver, self.env, true)?
        {
            return self.frame.bad_top("Bad access to protected data in invokevirtual", Some(current));
        }
        Ok(())
    }

    /// A call of `<init>`; the arguments are popped already. True if it was for `this`.
    fn construct(&mut self, index: u16, holder: RefType<'a>, nat: NameAndType<'a>) -> Checked<bool> {
        let bci = self.frame.bci;
        let current = VType::Ref(self.current);
        let covered = self.covered.contains(&bci);
        match self.frame.pop(VType::AnyReference, self.env)? {
            VType::UninitThis => {
                let of_super = self.class.super_name().map(RefType::class) == Some(holder);
                if holder != self.current && !of_super {
                    let found = VType::Ref(holder).to_string();
                    return bad_type(bci, "Bad <init> method call", found, Some(current.to_string())).fail();
                }
                if covered {
                    let handlers = self.code.exception_table.iter();
                    let here = handlers.filter(|r| usize::from(r.start) <= bci && bci < usize::from(r.end));
                    for row in here {
                        if !self.ends_in_athrow(usize::from(row.handler)) {
                            return bad_code(bci, "Bad <init> method call from after the start of a try block");
                        }
                    }
                    self.check_handlers(bci, true)?;
                }
                self.frame.initialize(VType::UninitThis, current);
                Ok(true)
            }
            VType::Uninit(new_bci) => {
                let code = self.code.code;
                let Ok(new) = Instruction::decode(code, usize::from(new_bci)) else {
                    return bad_code(usize::from(new_bci), "Expecting new instruction");
                };
                let created = self.class_constant(usize::from(new_bci), new.cp())?;
                if created != holder {
                    let found = describe(VType::Ref(created), Origin::Pool(new.cp()));
                    let expected = describe(VType::Ref(holder), Origin::Pool(index));
                    return bad_type(bci, "Call to wrong <init> method", found, Some(expected)).fail();
                }
                if self.env.is_current_or_super(holder.name)
                    && self.env.is_protected_elsewhere(holder.name, nat.name, nat.desc, true)?
                    && !current.accepts(VType::Ref(created), self.env, true)?
                {
                    let found = describe(VType::Ref(created), Origin::Pool(new.cp()));
                    let message = "Bad access to protected <init> method";
                    return bad_type(bci, message, found, Some(current.to_string())).fail();
                }
                // The handlers see the object as it was before the call.
                if covered {
                    self.check_handlers(bci, false)?;
                }
                self.frame.initialize(VType::Uninit(new_bci), VType::Ref(created));
                Ok(false)
            }
            _ => self.frame.bad_top("Bad operand type when invoking <init>", None),
        }
    }
}
