//! Owns the rules of arrays: how many dimensions may be made, and that an element is read and
//! written as what the array holds. Whether a reference fits its array is the store's own question.

use super::method::Verifier;
use super::report::{Checked, Origin, bad_code, bad_type, describe};
use super::types::{RefType, VType};
use crate::opcodes::{Instruction, op};

impl<'a> Verifier<'_, 'a> {
    /// newarray, anewarray, multianewarray.
    pub fn new_array(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        let bci = i.bci;
        match i.opcode {
            op::NEWARRAY => {
                let prim = match i.array_type() {
                    4 => b'Z',
                    5 => b'C',
                    6 => b'F',
                    7 => b'D',
                    8 => b'B',
                    9 => b'S',
                    10 => b'I',
                    11 => b'J',
                    _ => return bad_code(bci, "Illegal newarray instruction"),
                };
                self.frame.pop(Integer, self.env)?;
                self.frame.push(Ref(RefType { dims: 1, prim, name: &[] }))?;
            }
            op::ANEWARRAY => {
                let t = self.class_constant(bci, i.cp())?;
                self.frame.pop(Integer, self.env)?;
                if t.dims >= 255 {
                    return bad_code(bci, "Illegal anewarray instruction, array has more than 255 dimensions");
                }
                self.frame.push(Ref(RefType { dims: t.dims + 1, ..t }))?;
            }
            _ => {
                let t = self.class_constant(bci, i.cp())?;
                if !t.is_array() {
                    let message = "Illegal constant pool index in multianewarray instruction";
                    let found = describe(Ref(t), Origin::Pool(i.cp()));
                    return bad_type(bci, message, found, None).fail();
                }
                let dims = u16::from(i.count());
                if dims < 1 || t.dims < dims {
                    return bad_code(bci, format!("Illegal dimension in multianewarray instruction: {dims}"));
                }
                for _ in 0..dims {
                    self.frame.pop(Integer, self.env)?;
                }
                self.frame.push(Ref(t))?;
            }
        }
        Ok(())
    }

    pub fn array_length(&mut self) -> Checked<()> {
        use VType::*;
        let t = self.frame.pop(AnyReference, self.env)?;
        if t != Null && !t.is_array() {
            return self.frame.bad_top("Bad type on operand stack in arraylength", None);
        }
        self.frame.push(Integer)?;
        Ok(())
    }

    /// Checks the array that an array instruction took from the stack.
    fn check_array(&self, array: VType<'a>, opcode: u8, name: &str) -> Checked<()> {
        let kind = if opcode >= op::IASTORE { opcode - op::IASTORE } else { opcode - op::IALOAD };
        let (ok, expected) = match kind {
            0..=3 => {
                let letter = b"IJFD"[usize::from(kind)];
                (array.is_array_of(letter), Some(letter))
            }
            4 => (array.is_reference_array(), None),
            5 => (array.is_array_of(b'B') || array.is_array_of(b'Z'), None),
            6 => (array.is_array_of(b'C'), Some(b'C')),
            _ => (array.is_array_of(b'S'), Some(b'S')),
        };
        if ok {
            return Ok(());
        }
        let want = match (kind, expected) {
            (4, _) => Some(VType::AnyReference),
            (_, Some(prim)) => Some(VType::Ref(RefType { dims: 1, prim, name: &[] })),
            _ => None,
        };
        self.frame.bad_top(format!("Bad type on operand stack in {name}"), want)
    }

    pub fn array_load(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        self.frame.pop(Integer, self.env)?;
        let array = self.frame.pop(AnyReference, self.env)?;
        self.check_array(array, i.opcode, i.info().name)?;
        match i.opcode {
            op::LALOAD => self.frame.push_pair((Long, Some(Long2))),
            op::DALOAD => self.frame.push_pair((Double, Some(Double2))),
            op::FALOAD => self.frame.push(Float),
            op::AALOAD => self.frame.push(array.component().unwrap_or(Null)),
            _ => self.frame.push(Integer),
        }
    }

    pub fn array_store(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        match i.opcode {
            op::LASTORE => self.frame.pop_two(Long, Long2, self.env)?,
            op::DASTORE => self.frame.pop_two(Double, Double2, self.env)?,
            op::FASTORE => self.frame.pop(Float, self.env).map(drop)?,
            // Whether the element fits is checked when the store executes.
            op::AASTORE => self.frame.pop(VType::object(), self.env).map(drop)?,
            _ => self.frame.pop(Integer, self.env).map(drop)?,
        }
        self.frame.pop(Integer, self.env)?;
        let array = self.frame.pop(AnyReference, self.env)?;
        self.check_array(array, i.opcode, i.info().name)
    }
}
