//! Owns the use of the constant pool: an index names an entry of a kind that the instruction takes,
//! or the fault says which it named.

use super::method::Verifier;
use super::report::{Checked, bad_index};
use super::types::{RefType, VType};
use crate::descriptor::parse_field;
use crate::mutf8;
use crate::opcodes::{Instruction, op};
use crate::pool::Constant;

impl<'a> Verifier<'_, 'a> {
    pub fn external_name(&self) -> String {
        mutf8::to_string(self.class.name()).replace('/', ".")
    }

    /// The entry at `index`, which must exist and satisfy `ok`.
    pub fn constant(&self, bci: usize, index: u16, ok: impl Fn(&Constant<'a>) -> bool) -> Checked<Constant<'a>> {
        match self.class.constants.get(index) {
            Some(entry) if index != 0 && ok(entry) => Ok(*entry),
            Some(_) if index != 0 => {
                let message = format!("Illegal type at constant pool entry {index} in class {}", self.external_name());
                bad_index(bci, message, index)
            }
            _ => {
                let message = format!("Illegal constant pool index {index} in class {}", self.external_name());
                bad_index(bci, message, index)
            }
        }
    }

    pub fn class_constant(&self, bci: usize, index: u16) -> Checked<RefType<'a>> {
        self.constant(bci, index, |c| matches!(c, Constant::Class(_)))?;
        Ok(RefType::from_constant(self.class.constants.class_name(index)))
    }

    pub fn load_constant(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        let wide = i.opcode == op::LDC2_W;
        let allowed = |c: &Constant<'a>| match c {
            Constant::Long(_) | Constant::Double(_) => wide,
            Constant::Dynamic { .. } => true,
            Constant::Integer(_)
            | Constant::Float(_)
            | Constant::String(_)
            | Constant::Class(_)
            | Constant::MethodHandle { .. }
            | Constant::MethodType(_) => !wide,
            _ => false,
        };
        let entry = self.constant(i.bci, i.cp(), allowed)?;
        let pair = match entry {
            Constant::Integer(_) => (Integer, None),
            Constant::Float(_) => (Float, None),
            Constant::Long(_) => (Long, Some(Long2)),
            Constant::Double(_) => (Double, Some(Double2)),
            Constant::String(_) => (VType::class(b"java/lang/String"), None),
            Constant::Class(_) => (VType::class(b"java/lang/Class"), None),
            Constant::MethodHandle { .. } => (VType::class(b"java/lang/invoke/MethodHandle"), None),
            Constant::MethodType(_) => (VType::class(b"java/lang/invoke/MethodType"), None),
            _ => {
                let desc = self.class.constants.ref_name_and_type(i.cp()).desc;
                let pair = parse_field(desc).map(VType::of);
                match pair.filter(|p| p.1.is_some() == wide) {
                    Some(pair) => pair,
                    // The right kind of constant for the other kind of ldc.
                    None => self.constant(i.bci, i.cp(), |_| false).map(|_| (Top, None))?,
                }
            }
        };
        self.frame.push_pair(pair)
    }
}
