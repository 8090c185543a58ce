//! Owns the walk over one method: instructions in order, one current frame, declared frames
//! where control meets. What is special about fields and calls is in `access.rs`, about branches
//! and handlers in `flow.rs`.

use super::VerifierEnv;
use super::frame::Frame;
use super::report::{Checked, Origin, bad_code, bad_index, bad_type, describe, format_fault};
use super::table::{self, Table};
use super::types::{RefType, VType};
use crate::descriptor::{MethodDescriptor, parse_field};
use crate::model::{ClassFile, CodeInfo, MethodInfo};
use crate::mutf8;
use crate::opcodes::{Flow, Instruction, instructions, op};
use crate::pool::Constant;

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

    /// Checks and applies one instruction. True if it called the constructor for `this`.
    fn instruction(&mut self, i: &Instruction<'a>) -> Checked<bool> {
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
            op::MULTIANEWARRAY => {
                let t = self.class_constant(bci, i.cp())?;
                if t.dims == 0 {
                    let message = "Illegal constant pool index in multianewarray instruction";
                    let found = describe(Ref(t), Origin::Pool(i.cp()));
                    return bad_type(bci, message, found, None).fail();
                }
                let dims = u16::from(i.count());
                if !t.is_array() {
                    let message = "Illegal constant pool index in multianewarray instruction";
                    let found = describe(Ref(t), Origin::Pool(i.cp()));
                    return bad_type(bci, message, found, None).fail();
                }
                if dims < 1 || t.dims < dims {
                    return bad_code(bci, format!("Illegal dimension in multianewarray instruction: {dims}"));
                }
                for _ in 0..dims {
                    self.frame.pop(Integer, self.env)?;
                }
                self.frame.push(Ref(t))?;
            }
            op::ARRAYLENGTH => {
                let t = self.frame.pop(AnyReference, self.env)?;
                if t != Null && !t.is_array() {
                    return self.frame.bad_top("Bad type on operand stack in arraylength", None);
                }
                self.frame.push(Integer)?;
            }
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

    fn load(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        let local = usize::from(i.local().unwrap_or(0));
        match i.info().pushes {
            "I" => self.load_one(local, Integer),
            "F" => self.load_one(local, Float),
            "A" => self.load_one(local, AnyReference),
            wide => {
                let (first, second) = if wide == "J" { (Long, Long2) } else { (Double, Double2) };
                self.frame.get_local_pair(local, first, second)?;
                self.frame.push_pair((first, Some(second)))
            }
        }
    }

    fn load_one(&mut self, local: usize, want: VType<'a>) -> Checked<()> {
        let t = self.frame.get_local(local, want, self.env)?;
        self.frame.push(t)
    }

    fn store(&mut self, i: &Instruction<'a>) -> Checked<()> {
        use VType::*;
        let local = usize::from(i.local().unwrap_or(0));
        let want = match i.info().pops {
            "I" => Integer,
            "F" => Float,
            "A" => AnyReference,
            wide => {
                let (first, second) = if wide == "J" { (Long, Long2) } else { (Double, Double2) };
                self.frame.pop_two(first, second, self.env)?;
                return self.frame.set_local_pair(local, first, second);
            }
        };
        let t = self.frame.pop(want, self.env)?;
        self.frame.set_local(local, t)
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

    fn array_load(&mut self, i: &Instruction<'a>) -> Checked<()> {
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

    fn array_store(&mut self, i: &Instruction<'a>) -> Checked<()> {
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

    /// Pops a value of one slot, or one of two as its two halves: the upper first.
    fn pop_one_or_two(&mut self, name: &str) -> Checked<(VType<'a>, VType<'a>)> {
        let top = self.frame.pop_any()?;
        if top.is_category1() {
            Ok((top, self.frame.pop(VType::AnyCategory1, self.env)?))
        } else if top.is_category2_second() {
            Ok((top, self.frame.pop(VType::AnyCategory2, self.env)?))
        } else {
            self.frame.bad_top(format!("Bad type on operand stack in {name}"), None)
        }
    }

    fn shuffle(&mut self, i: &Instruction<'a>) -> Checked<()> {
        let name = i.info().name;
        let one = VType::AnyCategory1;
        let mut under: [Option<VType<'a>>; 2] = [None; 2];
        // The moved values, top first, then those that they go under.
        let (top, second) = match i.opcode {
            op::POP => return self.frame.pop(one, self.env).map(drop),
            op::POP2 => return self.pop_one_or_two(name).map(drop),
            op::SWAP => {
                let top = self.frame.pop(one, self.env)?;
                let below = self.frame.pop(one, self.env)?;
                self.frame.push(top)?;
                return self.frame.push(below);
            }
            op::DUP | op::DUP_X1 | op::DUP_X2 => (self.frame.pop(one, self.env)?, None),
            _ => {
                let (top, second) = self.pop_one_or_two(name)?;
                (top, Some(second))
            }
        };
        match i.opcode {
            op::DUP_X1 | op::DUP2_X1 => under[0] = Some(self.frame.pop(one, self.env)?),
            op::DUP_X2 | op::DUP2_X2 => {
                let (a, b) = self.pop_one_or_two(name)?;
                under = [Some(a), Some(b)];
            }
            _ => {}
        }
        let moved = [second, Some(top)];
        let below = [under[1], under[0]];
        for t in moved.iter().chain(&below).chain(&moved).flatten() {
            self.frame.push(*t)?;
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

    // ---- constants ----

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

    fn load_constant(&mut self, i: &Instruction<'a>) -> Checked<()> {
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
