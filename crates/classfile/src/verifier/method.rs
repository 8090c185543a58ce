//! Owns the walk over one method: instructions in order, one current frame, declared frames
//! where control meets. What an instruction demands and leaves is said in `instruction.rs`.

use super::VerifierEnv;
use super::frame::Frame;
use super::report::{Checked, bad_code, format_fault};
use super::table::{self, Table};
use super::types::{RefType, VType};
use crate::descriptor::MethodDescriptor;
use crate::model::{ClassFile, CodeInfo, MethodInfo};
use crate::opcodes::{Flow, Instruction, instructions, op};

pub(super) struct Verifier<'v, 'a> {
    pub class: &'v ClassFile<'a>,
    pub code: &'v CodeInfo<'a>,
    pub env: &'v mut dyn VerifierEnv,
    pub frame: Frame<'a>,
    pub table: Table<'a>,
    pub name: &'a [u8],
    pub current: RefType<'a>,
    /// What the method must return.
    pub result: VType<'a>,
    starts: Vec<u64>,
    /// Range in which some handler is active.
    pub covered: std::ops::Range<usize>,
}

/// Whether HotSpot uses the opcode, which class files must not have, inside itself: it is then told
/// as an instruction that is wrong here, others as none.
fn is_internal(opcode: u8) -> bool {
    matches!(opcode, 202..=227 | 230..=238)
}

pub(super) fn verify_method<'a>(
    class: &ClassFile<'a>,
    method: &MethodInfo<'a>,
    code: &CodeInfo<'a>,
    env: &mut dyn VerifierEnv,
) -> Checked<()> {
    let mut v = Verifier {
        class,
        code,
        env,
        frame: Frame::new(code.max_locals, code.max_stack),
        table: Table::default(),
        name: class.constants.utf8(method.name),
        current: RefType::class(class.name()),
        result: VType::Top,
        starts: vec![0; code.code.len() / 64 + 1],
        covered: 0..0,
    };
    v.arguments(method)?;
    v.find_starts()?;
    v.check_handler_table()?;
    v.check_variable_table()?;
    let starts = &v.starts;
    let is_start = |bci: usize| starts.get(bci / 64).is_some_and(|w| w >> (bci % 64) & 1 != 0);
    v.table = table::read(class, code, &v.frame, &is_start)?;
    v.run()
}

impl<'a> Verifier<'_, 'a> {
    pub fn is_start(&self, bci: usize) -> bool {
        self.starts.get(bci / 64).is_some_and(|w| w >> (bci % 64) & 1 != 0)
    }

    fn arguments(&mut self, method: &MethodInfo<'a>) -> Checked<()> {
        let desc = self.class.constants.utf8(method.desc);
        let parsed = MethodDescriptor::new(desc);
        let Some(desc) = parsed else {
            return bad_code(0, "Method descriptor is malformed");
        };
        let mut slot = 0;
        let mut put = |frame: &mut Frame<'a>, t: VType<'a>| match frame.locals.get_mut(slot) {
            Some(local) => {
                *local = t;
                slot += 1;
                frame.locals_size = slot;
                Ok(())
            }
            None => format_fault("Arguments can't fit into locals"),
        };
        if !method.is_static() {
            let uninit = self.name == b"<init>" && !self.current.is_plain_object();
            self.frame.this_uninit = uninit;
            put(&mut self.frame, if uninit { VType::UninitThis } else { VType::Ref(self.current) })?;
        }
        for p in desc.params() {
            let (first, second) = VType::of(p);
            put(&mut self.frame, first)?;
            if let Some(second) = second {
                put(&mut self.frame, second)?;
            }
        }
        self.result = VType::of_result(desc.ret_type());
        Ok(())
    }

    fn find_starts(&mut self) -> Checked<()> {
        let code = self.code.code;
        for i in instructions(code) {
            match i {
                // HotSpot looks for more behind the head of a switch, cases or not.
                Ok(i) if i.next() == code.len() && i.opcode == op::LOOKUPSWITCH && i.targets().count() == 1 => {
                    return bad_code(i.bci, "Bad instruction");
                }
                Ok(i) => self.starts[i.bci / 64] |= 1 << (i.bci % 64),
                // The fault is told where the walk gets there; how long the instruction is, is
                // nobody's business, so all behind it may begin one.
                Err(bad) if is_internal(code[bad.bci]) => {
                    (bad.bci..code.len()).for_each(|at| self.starts[at / 64] |= 1 << (at % 64));
                }
                Err(bad) => return bad_code(bad.bci, "Bad instruction"),
            }
        }
        Ok(())
    }

    fn check_variable_table(&self) -> Checked<()> {
        for row in self.code.local_variables.iter() {
            let (start, length) = (usize::from(row.start_pc), usize::from(row.length));
            if !self.is_start(start) {
                return format_fault(format!("Illegal local variable table start_pc {start}"));
            }
            let end = start + length;
            if end != self.code.code.len() && !self.is_start(end) {
                return format_fault(format!("Illegal local variable table length {length}"));
            }
        }
        Ok(())
    }

    fn run(&mut self) -> Checked<()> {
        let code = self.code.code;
        let (mut bci, mut next_frame, mut unreachable) = (0, 0, false);
        while bci < code.len() {
            self.frame.bci = bci;
            self.frame.mark = self.frame.height;
            self.meet_declared(&mut next_frame, bci, unreachable)?;
            let Ok(i) = Instruction::decode(code, bci) else {
                return bad_code(bci, format!("Bad instruction: {:02x}", code[bci]));
            };
            let covered = self.covered.contains(&bci);
            let stores = matches!(i.opcode, op::ISTORE..=op::ASTORE | op::ISTORE_0..=op::ASTORE_3);
            // A store is judged by the locals before it, everything else after its effect: a
            // constructor call may have initialised `this`.
            if covered && stores {
                self.check_handlers(bci, false)?;
            }
            let this_initialised = self.instruction(&i)?;
            if covered && !stores {
                self.check_handlers(bci, this_initialised)?;
            }
            unreachable = matches!(i.info().flow, Flow::Goto | Flow::Switch | Flow::End | Flow::Ret | Flow::Jsr);
            bci = i.next();
        }
        if !unreachable {
            return bad_code(code.len(), "Control flow falls through code end");
        }
        Ok(())
    }
}
