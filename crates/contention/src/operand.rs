//! Which memory an interrupted thread has just accessed.
//!
//! Invariant: nothing here allocates, waits or takes a lock, and nothing is read but code and
//! registers: it runs in a signal handler. What is not certain is not told: an address whose
//! registers may have changed since gives nothing.
//!
//! A timer's interrupt is taken when the instruction that holds up the processor is done, so it
//! finds the thread behind that instruction. Up to twelve instructions before it the nearest access
//! to memory that `wanted` knows is the one. Accesses to the stack are passed over, so that a fence
//! (a locked instruction on the stack) is charged to the store in front of it, and so is the question
//! between the two, whether the object is LOCAL, unless it is the very instruction that holds up. A fence stands by itself, behind the code, and
//! jumps back: from there the search goes on.
use concord_contract::object::LOCAL_BIT;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use libc::greg_t;

/// Instructions that are looked at.
const BACK: usize = 12;
/// Bytes of code in which an instruction must be known to begin.
const REACH: usize = 512;
/// Room for [`BACK`] instructions as they mostly are.
const LEAST: usize = 6 * BACK;

pub type Registers = [greg_t; 23];

/// An access of an instruction to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Where the instruction is.
    pub pc: usize,
    pub address: usize,
    /// In bytes.
    pub width: u8,
    pub writes: bool,
}

/// Makes the decoder's tables, which it makes at its first use: not in a handler.
pub fn prepare() {
    let mut i = Instruction::default();
    Decoder::new(64, &[0x90], DecoderOptions::NONE).decode_out(&mut i);
    debug_assert_eq!(i.mnemonic(), Mnemonic::Nop);
}

/// A piece of code at its address, and the beginnings of some of its instructions, ascending, as distances from its start.
pub struct Code<'a> {
    pub start: usize,
    pub bytes: &'a [u8],
    pub known: &'a dyn Fn(usize) -> Option<usize>,
}

/// Where to begin to decode in order to know the instructions in front of `offset`: the last of the `known` beginnings of
/// instructions (ascending, by `at`) that leaves room for some, or the code's own.
pub fn beginning<T>(known: &[T], at: impl Fn(&T) -> u32, offset: usize) -> Option<usize> {
    let n = known.partition_point(|k| at(k) as usize + LEAST <= offset);
    let from = n.checked_sub(1).map_or(0, |n| at(&known[n]) as usize);
    (offset - from <= REACH).then_some(from)
}

/// The access before `pc`.
pub fn before(code: &Code<'_>, pc: usize, registers: &Registers, wanted: impl Fn(usize) -> bool) -> Option<Access> {
    let mut search = Search {
        registers,
        changed: Changed { registers: [Register::None; 3 * BACK], n: 0 },
        asked: Register::None,
        fenced: false,
        left: BACK,
    };
    match search.back(code, pc, &wanted)? {
        Step::Found(a) => Some(a),
        Step::Begins if search.fenced => match search.back(code, code.jump_at(pc)?, &wanted)? {
            Step::Found(a) => Some(a),
            Step::Begins => None,
        },
        Step::Begins => None,
    }
}

/// How a walk back ends.
enum Step {
    Found(Access),
    /// Nothing falls through to where it came to.
    Begins,
}

struct Search<'a> {
    registers: &'a Registers,
    changed: Changed,
    /// The register that was asked for the bit of LOCAL.
    asked: Register,
    /// A fence was passed.
    fenced: bool,
    left: usize,
}

impl Search<'_> {
    fn back(&mut self, code: &Code<'_>, pc: usize, wanted: &impl Fn(usize) -> bool) -> Option<Step> {
        let mut last = [Instruction::default(); BACK];
        let n = code.decode(pc, &mut last)?;
        for i in (0..n).rev().take(BACK).map(|k| &last[k % BACK]) {
            if !falls_through(i) {
                return Some(Step::Begins);
            }
            self.left = self.left.checked_sub(1)?;
            if let Some(a) = self.access(i)?.filter(|a| wanted(a.address)) {
                return Some(Step::Found(a));
            }
        }
        Some(Step::Begins)
    }

    /// What the instruction accesses, if it is memory of the program; None if nobody can tell what it or those before it do.
    fn access(&mut self, i: &Instruction) -> Option<Option<Access>> {
        let answers = i.op0_kind() == OpKind::Register && i.op0_register().full_register() == self.asked;
        self.changed.note(i);
        if is_question(i) {
            self.asked = i.op0_register().full_register();
            return Some(None);
        }
        let Some(operand) = (0..i.op_count()).find(|k| i.op_kind(*k) == OpKind::Memory) else { return Some(None) };
        let named = [i.memory_base(), i.memory_index()];
        self.fenced |= i.has_lock_prefix() && named[0] == Register::RSP;
        let asks = answers && i.mnemonic() == Mnemonic::Mov && i.memory_displacement64() == 0;
        if asks || named.iter().any(|r| is_stack(*r)) || matches!(i.mnemonic(), Mnemonic::Lea | Mnemonic::Nop) {
            return Some(None);
        }
        if named.iter().any(|r| self.changed.has(*r)) {
            return None;
        }
        let value = |r: Register, _, _| match r {
            Register::DS | Register::ES | Register::SS | Register::CS => Some(0),
            _ => slot(r).map(|s| self.registers[s as usize] as u64),
        };
        let reads_only = matches!(i.mnemonic(), Mnemonic::Cmp | Mnemonic::Test);
        Some(Some(Access {
            pc: i.ip() as usize,
            address: i.virtual_address(operand, 0, value)? as usize,
            width: i.memory_size().size().min(64) as u8,
            writes: operand == 0 && !reads_only,
        }))
    }
}

impl Code<'_> {
    /// The last instructions before `pc`, the one with number n at n modulo their room, and how many were decoded.
    fn decode(&self, pc: usize, last: &mut [Instruction; BACK]) -> Option<usize> {
        let to = pc.checked_sub(self.start)?;
        let from = (self.known)(to)?;
        let bytes = self.bytes.get(from..to)?;
        let mut decoder = Decoder::with_ip(64, bytes, (self.start + from) as u64, DecoderOptions::NONE);
        let mut n = 0;
        while decoder.can_decode() {
            decoder.decode_out(&mut last[n % BACK]);
            if last[n % BACK].is_invalid() {
                return None;
            }
            n += 1;
        }
        Some(n)
    }
    /// Where the code at `pc` jumps to at once.
    fn jump_at(&self, pc: usize) -> Option<usize> {
        let bytes = self.bytes.get(pc.checked_sub(self.start)?..)?;
        let mut i = Instruction::default();
        Decoder::with_ip(64, bytes, pc as u64, DecoderOptions::NONE).decode_out(&mut i);
        i.is_jmp_short_or_near().then(|| i.near_branch_target() as usize)
    }
}

/// Whether the instruction asks for the bit of LOCAL.
fn is_question(i: &Instruction) -> bool {
    i.mnemonic() == Mnemonic::Test && i.op1_kind() != OpKind::Register && i.immediate(1) == u64::from(LOCAL_BIT)
}

/// Whether the instruction behind runs next, with nothing in between.
fn falls_through(i: &Instruction) -> bool {
    use iced_x86::FlowControl::{ConditionalBranch, Next};
    matches!(i.flow_control(), Next | ConditionalBranch)
}
fn is_stack(r: Register) -> bool {
    matches!(r, Register::RSP | Register::RBP | Register::RIP)
}

/// Registers that may have another value now than the instructions looked at had.
struct Changed {
    registers: [Register; 3 * BACK],
    n: usize,
}

impl Changed {
    fn note(&mut self, i: &Instruction) {
        match i.mnemonic() {
            Mnemonic::Cmp | Mnemonic::Test => return,
            Mnemonic::Cmpxchg | Mnemonic::Mul | Mnemonic::Imul | Mnemonic::Div | Mnemonic::Idiv => {
                self.add(Register::RAX);
                self.add(Register::RDX);
            }
            Mnemonic::Xchg | Mnemonic::Xadd => self.add(i.op1_register().full_register()),
            Mnemonic::Cdq | Mnemonic::Cqo => self.add(Register::RDX),
            _ => {}
        }
        if i.op0_kind() == OpKind::Register {
            self.add(i.op0_register().full_register());
        }
    }
    fn add(&mut self, r: Register) {
        if self.n < self.registers.len() {
            self.registers[self.n] = r;
            self.n += 1;
        }
    }
    fn has(&self, r: Register) -> bool {
        r != Register::None && self.registers[..self.n].contains(&r.full_register())
    }
}

/// Where a handler's context has the register.
fn slot(r: Register) -> Option<i32> {
    Some(match r {
        Register::RAX => libc::REG_RAX,
        Register::RBX => libc::REG_RBX,
        Register::RCX => libc::REG_RCX,
        Register::RDX => libc::REG_RDX,
        Register::RSI => libc::REG_RSI,
        Register::RDI => libc::REG_RDI,
        Register::R8 => libc::REG_R8,
        Register::R9 => libc::REG_R9,
        Register::R10 => libc::REG_R10,
        Register::R11 => libc::REG_R11,
        Register::R12 => libc::REG_R12,
        Register::R13 => libc::REG_R13,
        Register::R14 => libc::REG_R14,
        Register::R15 => libc::REG_R15,
        // fs and gs: Java's memory is not reached by them.
        _ => return None,
    })
}

#[cfg(test)]
#[path = "tests/operand.rs"]
mod tests;
