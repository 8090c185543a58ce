//! Owns what an instruction demands of the current frame and what it leaves there: by its row in the
//! table of opcodes, or by the module that has its family (`moves.rs`, `arrays.rs`, `constants.rs`,
//! `access.rs`, `flow.rs`).

use super::method::Verifier;
use super::report::{Checked, Origin, bad_code, bad_type, describe};
use super::types::VType;
use crate::opcodes::{Instruction, op};

impl<'a> Verifier<'_, 'a> {
    /// Checks and applies one instruction. True if it called the constructor for `this`.
    pub fn instruction(&mut self, i: &Instruction<'a>) -> Checked<bool> {
        use VType::*;
        let bci = i.bci;
        let row = i.info();
        match i.opcode {
            op::ACONST_NULL => self.frame.push(Null)?,
            op::LDC | op::LDC_W | op::LDC2_W => self.load_constant(i)?,
            op::ILOAD..=op::ALOAD | op::ILOAD_0..=op::ALOAD_3 => self.load(i)?,
            op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3 => self.store(i)?,
            op::IALOAD..=op::SALOAD => self.array_load(i)?,
            op::IASTORE..=op::SASTORE => self.array_store(i)?,
            op::POP..=op::SWAP => self.shuffle(i)?,
            op::IINC => {
                let local = usize::from(i.local().unwrap_or(0));
                self.frame.get_local(local, Integer, self.env)?;
                self.frame.set_local(local, Integer)?;
            }
            op::IFEQ..=op::GOTO | op::IFNULL..=op::GOTO_W => {
                self.pop_row(row.pops)?;
                self.check_jump(i.target())?;
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => self.switch(i)?,
            op::IRETURN..=op::RETURN => self.return_value(i)?,
            op::GETSTATIC..=op::PUTFIELD => self.field(i)?,
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => return self.call(i),
            op::NEW => {
                let t = self.class_constant(bci, i.cp())?;
                if t.is_array() {
                    let found = describe(Ref(t), Origin::Pool(i.cp()));
                    return bad_type(bci, "Illegal new instruction", found, None).fail();
                }
                self.frame.push(Uninit(bci as u16))?;
            }
            op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => self.new_array(i)?,
            op::ARRAYLENGTH => self.array_length()?,
            op::CHECKCAST | op::INSTANCEOF => {
                let t = self.class_constant(bci, i.cp())?;
                self.frame.pop(VType::object(), self.env)?;
                self.frame.push(if i.opcode == op::CHECKCAST { Ref(t) } else { Integer })?;
            }
            op::ATHROW => {
                self.frame.pop(VType::throwable(), self.env)?;
            }
            op::JSR | op::JSR_W | op::RET => {
                return bad_code(bci, format!("Bad instruction: {:02x}", i.opcode));
            }
            // Constants, arithmetic, conversions, comparisons, monitors: the table says it all.
            _ => {
                self.pop_row(row.pops)?;
                match row.pushes {
                    "I" => self.frame.push(Integer)?,
                    "F" => self.frame.push(Float)?,
                    "J" => self.frame.push_pair((Long, Some(Long2)))?,
                    "D" => self.frame.push_pair((Double, Some(Double2)))?,
                    _ => {}
                }
            }
        }
        Ok(false)
    }

    fn pop_row(&mut self, pops: &str) -> Checked<()> {
        for kind in pops.bytes().rev() {
            match kind {
                b'I' => self.frame.pop(VType::Integer, self.env).map(drop)?,
                b'F' => self.frame.pop(VType::Float, self.env).map(drop)?,
                b'J' => self.frame.pop_two(VType::Long, VType::Long2, self.env)?,
                b'D' => self.frame.pop_two(VType::Double, VType::Double2, self.env)?,
                _ => self.frame.pop(VType::AnyReference, self.env).map(drop)?,
            }
        }
        Ok(())
    }

    fn return_value(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        let bci = i.bci;
        if i.opcode == op::RETURN {
            if self.result != Top {
                return bad_code(bci, "Method expects a return value");
            }
            if self.name == b"<init>" && self.frame.this_uninit {
                return bad_code(bci, "Constructor must call super() or this() before return");
            }
            return Ok(());
        }
        let t = match i.opcode {
            op::IRETURN => self.frame.pop(Integer, self.env)?,
            op::FRETURN => self.frame.pop(Float, self.env)?,
            op::ARETURN => self.frame.pop(AnyReference, self.env)?,
            op::LRETURN => {
                self.frame.pop_pair((Long, Some(Long2)), self.env)?;
                Long
            }
            _ => {
                self.frame.pop_pair((Double, Some(Double2)), self.env)?;
                Double
            }
        };
        let mismatch = |message: &str| {
            let expected = describe(self.result, Origin::Signature);
            bad_type(bci, message, self.frame.top_text(), Some(expected)).current(&self.frame).fail()
        };
        if self.result == Top {
            return mismatch("Method does not expect a return value");
        }
        if !self.result.accepts(t, self.env, false)? {
            return mismatch("Bad return type");
        }
        Ok(())
    }
}
