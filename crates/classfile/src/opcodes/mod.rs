//! Owns the table of bytecodes: for each its mnemonic, its operands and so its length, what it
//! takes from and leaves on the operand stack, and where control goes. Decoders, verifier,
//! reference maps and disassembler read this table and have no second one.

mod disassemble;
mod table;

pub(crate) use disassemble::describe;
pub use disassemble::{disassemble, disassemble_one};
pub use table::{OPCODES, op};

/// Operands behind the opcode byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    None,
    /// Signed byte constant.
    Byte,
    /// Signed two-byte constant.
    Short,
    /// One-byte constant pool index.
    Cp1,
    /// Two-byte constant pool index.
    Cp2,
    /// Local variable index, two bytes behind `wide`.
    Local,
    /// Local variable index and signed increment.
    Iinc,
    /// Signed two-byte branch offset.
    Branch2,
    /// Signed four-byte branch offset.
    Branch4,
    /// Index, count, zero.
    InvokeInterface,
    /// Index, two zeros.
    InvokeDynamic,
    /// Element type code.
    NewArray,
    /// Index, dimensions.
    MultiANewArray,
    TableSwitch,
    LookupSwitch,
    /// An instruction with wider operands follows.
    Wide,
}

impl Operands {
    /// Length of the whole instruction; 0 when only the code tells.
    pub const fn length(self) -> u8 {
        match self {
            Operands::None => 1,
            Operands::Byte | Operands::Cp1 | Operands::Local | Operands::NewArray => 2,
            Operands::Short | Operands::Cp2 | Operands::Iinc | Operands::Branch2 => 3,
            Operands::MultiANewArray => 4,
            Operands::Branch4 | Operands::InvokeInterface | Operands::InvokeDynamic => 5,
            Operands::TableSwitch | Operands::LookupSwitch | Operands::Wide => 0,
        }
    }
}

/// Where control goes after an instruction that completes normally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// There or to its target.
    Branch,
    /// To its target.
    Goto,
    /// To one of several targets.
    Switch,
    /// To a subroutine that may return behind it.
    Jsr,
    /// Back from a subroutine.
    Ret,
    /// Out of the method.
    End,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    pub name: &'static str,
    pub operands: Operands,
    /// Length with its operands; 0 when only the code tells.
    pub length: u8,
    /// Kinds taken from the stack, bottom to top: I J F D A; `*` when it depends.
    pub pops: &'static str,
    /// Kinds left on the stack.
    pub pushes: &'static str,
    pub flow: Flow,
    /// Slots of `pops`, long and double two each. 0 when it depends.
    pub pop_slots: u8,
    /// Slots of `pushes`.
    pub push_slots: u8,
    /// `pops` or `pushes` depend on the operands or on what is on the stack.
    pub varies: bool,
    /// The one value pushed is a reference.
    pub pushes_reference: bool,
}

const fn slots(kinds: &str) -> u8 {
    let bytes = kinds.as_bytes();
    let (mut i, mut n) = (0, 0);
    while i < bytes.len() {
        n += match bytes[i] {
            b'J' | b'D' => 2,
            b'I' | b'F' | b'A' => 1,
            b'*' => 0,
            _ => panic!("unknown kind in the table of bytecodes"),
        };
        i += 1;
    }
    n
}

const fn starts_with(kinds: &str, kind: u8) -> bool {
    !kinds.is_empty() && kinds.as_bytes()[0] == kind
}

impl OpInfo {
    const fn new(
        name: &'static str,
        operands: Operands,
        pops: &'static str,
        pushes: &'static str,
        flow: Flow,
    ) -> OpInfo {
        OpInfo {
            name,
            operands,
            length: operands.length(),
            pops,
            pushes,
            flow,
            pop_slots: slots(pops),
            push_slots: slots(pushes),
            varies: starts_with(pops, b'*') || starts_with(pushes, b'*'),
            pushes_reference: starts_with(pushes, b'A'),
        }
    }
}

/// The row of `opcode`; `None` for a number that is no bytecode.
#[inline]
pub fn info(opcode: u8) -> Option<&'static OpInfo> {
    OPCODES.get(usize::from(opcode))
}

/// One instruction of a method, decoded on access. Made only for instructions that lie wholly
/// within the code, so its accessors cannot run off the end.
#[derive(Clone, Copy)]
pub struct Instruction<'a> {
    code: &'a [u8],
    pub bci: usize,
    /// The opcode; behind `wide`, that of the widened instruction.
    pub opcode: u8,
    pub wide: bool,
    /// Bytes, `wide` included.
    pub length: usize,
}

/// Code that is no sequence of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadCode {
    pub bci: usize,
    pub why: &'static str,
}

impl std::fmt::Display for BadCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at bytecode index {}", self.why, self.bci)
    }
}

impl std::error::Error for BadCode {}

fn i4_at(code: &[u8], at: usize) -> Option<i32> {
    code.get(at..)?.first_chunk::<4>().map(|b| i32::from_be_bytes(*b))
}

impl<'a> Instruction<'a> {
    /// Decodes the instruction at `bci`.
    #[inline]
    pub fn decode(code: &'a [u8], bci: usize) -> Result<Instruction<'a>, BadCode> {
        let bad = |why| Err(BadCode { bci, why });
        let Some(&opcode) = code.get(bci) else {
            return bad("control flows off the end of the code");
        };
        let Some(row) = info(opcode) else {
            return bad("unknown bytecode");
        };
        if row.length != 0 {
            let length = usize::from(row.length);
            if code.len() - bci < length {
                return bad("truncated instruction");
            }
            return Ok(Instruction { code, bci, opcode, wide: false, length });
        }
        Self::decode_slow(code, bci, opcode)
    }

    #[cold]
    fn decode_slow(code: &'a [u8], bci: usize, opcode: u8) -> Result<Instruction<'a>, BadCode> {
        let bad = |why| Err(BadCode { bci, why });
        let aligned = (bci + 4) & !3;
        let (opcode, wide, length) = match opcode {
            op::WIDE => {
                let Some(&widened) = code.get(bci + 1) else {
                    return bad("truncated instruction");
                };
                let length = match info(widened).map(|row| row.operands) {
                    Some(Operands::Local) => 4,
                    Some(Operands::Iinc) => 6,
                    _ => return bad("wide before an instruction that cannot be widened"),
                };
                (widened, true, length)
            }
            op::TABLESWITCH => {
                let (Some(low), Some(high)) = (i4_at(code, aligned + 4), i4_at(code, aligned + 8)) else {
                    return bad("truncated instruction");
                };
                if low > high {
                    return bad("low must be less than or equal to high in tableswitch");
                }
                let count = (i64::from(high) - i64::from(low) + 1) as usize;
                (opcode, false, aligned - bci + 12 + 4 * count)
            }
            _ => {
                let Some(pairs) = i4_at(code, aligned + 4) else {
                    return bad("truncated instruction");
                };
                if pairs < 0 {
                    return bad("number of keys in lookupswitch less than 0");
                }
                (opcode, false, aligned - bci + 8 + 8 * pairs as usize)
            }
        };
        if code.len() - bci < length {
            return bad("truncated instruction");
        }
        Ok(Instruction { code, bci, opcode, wide, length })
    }

    pub fn info(&self) -> &'static OpInfo {
        &OPCODES[usize::from(self.opcode)]
    }
    /// Index of the instruction behind this one.
    #[inline]
    pub fn next(&self) -> usize {
        self.bci + self.length
    }
    fn u1(&self, at: usize) -> u8 {
        self.code[self.bci + at]
    }
    fn u2(&self, at: usize) -> u16 {
        u16::from_be_bytes([self.u1(at), self.u1(at + 1)])
    }
    /// Constant pool index, of whatever width.
    #[inline]
    pub fn cp(&self) -> u16 {
        if self.opcode == op::LDC { u16::from(self.u1(1)) } else { self.u2(1) }
    }
    /// Local variable that the instruction names, also in its opcode (`aload_2`); `None` when it
    /// names none.
    #[inline]
    pub fn local(&self) -> Option<u16> {
        Some(match self.opcode {
            op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET | op::IINC => {
                if self.wide {
                    self.u2(2)
                } else {
                    u16::from(self.u1(1))
                }
            }
            op::ILOAD_0..=op::ALOAD_3 => u16::from((self.opcode - op::ILOAD_0) & 3),
            op::ISTORE_0..=op::ASTORE_3 => u16::from((self.opcode - op::ISTORE_0) & 3),
            _ => return None,
        })
    }
    /// The constant of bipush and sipush, the increment of iinc, 0 for others.
    pub fn immediate(&self) -> i32 {
        match (self.opcode, self.wide) {
            (op::BIPUSH, _) => i32::from(self.u1(1) as i8),
            (op::SIPUSH, _) => i32::from(self.u2(1) as i16),
            (op::IINC, false) => i32::from(self.u1(2) as i8),
            (op::IINC, true) => i32::from(self.u2(4) as i16),
            _ => 0,
        }
    }
    /// Element type code of newarray.
    pub fn array_type(&self) -> u8 {
        self.u1(1)
    }
    /// Dimensions of multianewarray, count of invokeinterface.
    pub fn count(&self) -> u8 {
        self.u1(3)
    }
    /// The byte that invokeinterface keeps zero, and the two of invokedynamic.
    pub fn reserved(&self) -> u16 {
        if self.opcode == op::INVOKEINTERFACE { u16::from(self.u1(4)) } else { self.u2(3) }
    }
    /// Target of a branch, as an index that may lie outside of the code.
    #[inline]
    pub fn target(&self) -> i64 {
        let offset = match self.info().operands {
            Operands::Branch4 => i64::from(i4_at(self.code, self.bci + 1).unwrap_or(0)),
            _ => i64::from(self.u2(1) as i16),
        };
        self.bci as i64 + offset
    }
    /// The parts of a switch.
    pub fn switch(&self) -> Option<Switch<'a>> {
        let aligned = (self.bci + 4) & !3;
        let head = match self.opcode {
            op::TABLESWITCH => 12,
            op::LOOKUPSWITCH => 8,
            _ => return None,
        };
        Some(Switch {
            bci: self.bci,
            padding: &self.code[self.bci + 1..aligned],
            default: self.bci as i64 + i64::from(i4_at(self.code, aligned)?),
            low: if head == 12 { i4_at(self.code, aligned + 4) } else { None },
            rows: &self.code[aligned + head..self.next()],
        })
    }
    /// Every target of a branch or switch, in the order of the code, default last.
    pub fn targets(&self) -> impl Iterator<Item = i64> + use<'a> {
        let single = match self.info().flow {
            Flow::Branch | Flow::Goto | Flow::Jsr => Some(self.target()),
            _ => None,
        };
        let switch = if self.info().flow == Flow::Switch { self.switch() } else { None };
        let default = switch.as_ref().map(|s| s.default);
        single.into_iter().chain(switch.into_iter().flat_map(|s| s.cases().map(|(_, t)| t))).chain(default)
    }
}

/// A tableswitch or lookupswitch.
#[derive(Clone, Copy)]
pub struct Switch<'a> {
    bci: usize,
    /// Bytes up to the alignment; zero in well-formed code.
    pub padding: &'a [u8],
    pub default: i64,
    /// Lowest key of a tableswitch.
    low: Option<i32>,
    rows: &'a [u8],
}

impl<'a> Switch<'a> {
    /// Keys with their targets.
    pub fn cases(&self) -> impl Iterator<Item = (i32, i64)> + use<'a> {
        let (rows, bci, low) = (self.rows, self.bci as i64, self.low);
        let width = if low.is_some() { 4 } else { 8 };
        rows.chunks_exact(width).enumerate().map(move |(n, row)| {
            let word = |at| i4_at(row, at).unwrap_or(0);
            match low {
                Some(low) => (low.wrapping_add(n as i32), bci + i64::from(word(0))),
                None => (word(0), bci + i64::from(word(4))),
            }
        })
    }
}

/// The instructions of `code` in order; ends behind the first that is malformed.
pub fn instructions(code: &[u8]) -> Instructions<'_> {
    Instructions { code, bci: 0 }
}

/// Iterator over instructions.
#[derive(Clone)]
pub struct Instructions<'a> {
    code: &'a [u8],
    bci: usize,
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>, BadCode>;
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.bci >= self.code.len() {
            return None;
        }
        let decoded = Instruction::decode(self.code, self.bci);
        self.bci = decoded.as_ref().map_or(self.code.len(), Instruction::next);
        Some(decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_and_wide() {
        let mut code = vec![op::NOP, op::TABLESWITCH, 0, 0];
        for w in [20, -1, 1, 30, 31, 32] {
            code.extend(i32::to_be_bytes(w));
        }
        code.extend([
            op::WIDE,
            op::IINC,
            1,
            0,
            0xff,
            0xfe,
            op::WIDE,
            op::ALOAD,
            0,
            9,
            op::ALOAD_2,
            op::GOTO,
            0xff,
            0xff,
        ]);
        let list: Vec<_> = instructions(&code).map(|i| i.unwrap()).collect();
        assert_eq!(list.iter().map(|i| i.bci).collect::<Vec<_>>(), [0, 1, 28, 34, 38, 39]);
        let switch = list[1].switch().unwrap();
        assert_eq!(switch.cases().collect::<Vec<_>>(), [(-1, 31), (0, 32), (1, 33)]);
        assert_eq!(list[1].targets().collect::<Vec<_>>(), [31, 32, 33, 21]);
        assert_eq!((list[2].local(), list[2].immediate()), (Some(256), -2));
        assert_eq!((list[3].local(), list[4].local()), (Some(9), Some(2)));
        assert_eq!(list[5].targets().collect::<Vec<_>>(), [38]);
    }

    #[test]
    fn malformed() {
        for bad in [&[op::GOTO, 0][..], &[203], &[op::WIDE, op::NOP], &[op::WIDE], &[op::LOOKUPSWITCH, 0, 0, 0]] {
            assert!(instructions(bad).any(|i| i.is_err()), "{bad:?}");
        }
        let mut huge = vec![op::LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 0];
        huge.extend(i32::MAX.to_be_bytes());
        assert!(Instruction::decode(&huge, 0).is_err());
    }
}
