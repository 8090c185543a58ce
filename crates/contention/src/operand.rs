//! Which memory an interrupted thread has just accessed.
//!
//! Invariant: nothing here allocates, waits or takes a lock, and nothing is read but code and
//! registers: it runs in a signal handler. An address whose registers may have changed since gives nothing.
//!
//! A timer's interrupt is taken when the instruction that holds up the processor is done, so it
//! finds the thread behind that instruction. Up to twelve instructions before it the nearest access
//! to memory that `wanted` knows is the one. Accesses to the stack are passed over, so that a fence
//! (a locked instruction on the stack) is charged to the store in front of it, and so is the question
//! between the two, whether the object is LOCAL, unless it is the very instruction that holds up. A fence stands by itself,
//! behind the code, and jumps back: from there the search goes on.
//!
//! That the code in front was run is not certain: a jump may have come in between. If a branch is found that leads
//! there, from a little in front or behind, as those of conditions and small loops do, the sample gives nothing. What is
//! left of such errors is seldom, and to be taken for contention it needs another thread that writes the wrong line.
use concord_contract::object::LOCAL_BIT;
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, InstructionInfoOptions, Mnemonic,
    OpAccess, OpKind, Register,
};
use libc::greg_t;

/// Instructions that are looked at.
const BACK: usize = 12;
/// Branches in front that are remembered, the last ones.
const BRANCHES: usize = 32;
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

/// Says what instructions do to registers and memory, and has room for what it says of any.
pub struct Judge(InstructionInfoFactory);

impl Default for Judge {
    /// Allocates, and so do the decoder's tables at their first use: not in a handler.
    fn default() -> Judge {
        let mut j = Judge(InstructionInfoFactory::new());
        // The instruction that changes the most registers.
        const ALL: &[u8] = &[0xc5, 0xfc, 0x77];
        let mut i = Instruction::default();
        Decoder::new(64, ALL, DecoderOptions::NONE).decode_out(&mut i);
        assert_eq!(i.mnemonic(), Mnemonic::Vzeroall);
        let known = j.0.info(&i).used_registers().len();
        debug_assert!(known >= 16, "vzeroall changes all vector registers");
        j
    }
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
pub fn before(
    code: &Code<'_>,
    pc: usize,
    registers: &Registers,
    judge: &mut Judge,
    wanted: impl Fn(usize) -> bool,
) -> Option<Access> {
    let mut search =
        Search { registers, judge, changed: Changed::default(), asked: Register::None, fenced: false, left: BACK };
    match search.back(code, pc, None, &wanted)? {
        Step::Found(a) => Some(a),
        Step::Begins(stub) if search.fenced => match search.back(code, code.jump_at(pc)?, Some(stub), &wanted)? {
            Step::Found(a) => Some(a),
            Step::Begins(_) => None,
        },
        Step::Begins(_) => None,
    }
}

/// How a walk back ends.
enum Step {
    Found(Access),
    /// Nothing falls through to this place.
    Begins(usize),
}

struct Search<'a> {
    registers: &'a Registers,
    judge: &'a mut Judge,
    changed: Changed,
    /// The register that was asked for the bit of LOCAL.
    asked: Register,
    /// A fence was passed.
    fenced: bool,
    left: usize,
}

impl Search<'_> {
    /// `stub`: the thread has come from there, where a fence stands by itself, and there by a branch behind the access.
    fn back(
        &mut self,
        code: &Code<'_>,
        pc: usize,
        stub: Option<usize>,
        wanted: &impl Fn(usize) -> bool,
    ) -> Option<Step> {
        let mut last = Window::default();
        code.decode(pc, &mut last)?;
        let mut begin = pc;
        for i in last.backwards() {
            if !falls_through(i) {
                return Some(Step::Begins(begin));
            }
            begin = i.ip() as usize;
            self.left = self.left.checked_sub(1)?;
            if let Some(a) = self.access(i)?.filter(|a| wanted(a.address)) {
                let between = |to: usize| a.pc < to && to <= pc;
                // Who came by a branch behind the access has been there.
                let jumped = last.branches().any(|(from, to)| from < a.pc && between(to));
                let to_stub = |stub| last.branches().any(|(from, to)| from > a.pc && to == stub);
                let came_so = !jumped && stub.is_none_or(to_stub) && !code.branches_back(pc, between);
                return came_so.then_some(Step::Found(a));
            }
        }
        None
    }

    /// What the instruction accesses, if it is memory of the program; None if nobody can tell what it or those before it do.
    fn access(&mut self, i: &Instruction) -> Option<Option<Access>> {
        let info = self.judge.0.info_options(i, InstructionInfoOptions::NO_MEMORY_USAGE);
        let answers = i.op0_kind() == OpKind::Register && i.op0_register().full_register() == self.asked;
        for r in info.used_registers().iter().filter(|r| writes(r.access())) {
            self.changed.add(r.register().full_register())?;
        }
        if is_question(i) {
            self.asked = i.op0_register().full_register();
            return Some(None);
        }
        let Some(operand) = (0..i.op_count()).find(|k| i.op_kind(*k) == OpKind::Memory) else {
            // String instructions have memory that is no such operand.
            return (0..i.op_count()).all(|k| !is_of_string(i.op_kind(k))).then_some(None);
        };
        let named = [i.memory_base(), i.memory_index()];
        self.fenced |= is_fence(i);
        let asks = answers && i.mnemonic() == Mnemonic::Mov && i.memory_displacement64() == 0;
        let access = info.op_access(operand);
        let none = matches!(access, OpAccess::None | OpAccess::NoMemAccess);
        if asks || none || named.iter().any(|r| is_stack(*r)) {
            return Some(None);
        }
        if named.iter().any(|r| self.changed.has(*r)) {
            return None;
        }
        let value = |r: Register, _, _| match r {
            Register::DS | Register::ES | Register::SS | Register::CS => Some(0),
            _ => slot(r).map(|s| self.registers[s as usize] as u64),
        };
        Some(Some(Access {
            pc: i.ip() as usize,
            address: i.virtual_address(operand, 0, value)? as usize,
            width: i.memory_size().size().min(64) as u8,
            writes: writes(access),
        }))
    }
}

fn writes(a: OpAccess) -> bool {
    matches!(a, OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}
fn is_of_string(k: OpKind) -> bool {
    use OpKind::{
        MemoryESDI, MemoryESEDI, MemoryESRDI, MemorySegDI, MemorySegEDI, MemorySegESI, MemorySegRDI, MemorySegRSI,
        MemorySegSI,
    };
    matches!(
        k,
        MemoryESDI
            | MemoryESEDI
            | MemoryESRDI
            | MemorySegDI
            | MemorySegEDI
            | MemorySegESI
            | MemorySegRDI
            | MemorySegRSI
            | MemorySegSI
    )
}

/// The last instructions in front of a place, and where branches in front of it lead.
struct Window {
    last: [Instruction; BACK],
    n: usize,
    /// From where to where.
    branches: [(usize, usize); BRANCHES],
    m: usize,
}

impl Default for Window {
    fn default() -> Window {
        Window { last: [Instruction::default(); BACK], n: 0, branches: [(0, 0); BRANCHES], m: 0 }
    }
}

impl Window {
    fn backwards(&self) -> impl Iterator<Item = &Instruction> {
        (0..self.n).rev().take(BACK).map(|k| &self.last[k % BACK])
    }
    fn branches(&self) -> impl Iterator<Item = (usize, usize)> {
        self.branches[..self.m.min(BRANCHES)].iter().copied()
    }
}

impl Code<'_> {
    /// The instructions in front of `pc`; None if they cannot be told apart for certain.
    fn decode(&self, pc: usize, w: &mut Window) -> Option<()> {
        let to = pc.checked_sub(self.start)?;
        let from = (self.known)(to)?;
        let bytes = self.bytes.get(from..to)?;
        let mut decoder = Decoder::with_ip(64, bytes, (self.start + from) as u64, DecoderOptions::NONE);
        while decoder.can_decode() {
            let i = &mut w.last[w.n % BACK];
            decoder.decode_out(i);
            // A table of its targets may stand behind an indirect jump.
            if i.is_invalid() || i.flow_control() == FlowControl::IndirectBranch {
                return None;
            }
            w.n += 1;
            if let Some(to) = target(i) {
                w.branches[w.m % BRANCHES] = (i.ip() as usize, to);
                w.m += 1;
            }
        }
        Some(())
    }
    /// Whether a branch behind `pc`, in the same stretch of code, leads to one of these places.
    fn branches_back(&self, pc: usize, to: impl Fn(usize) -> bool) -> bool {
        let Some(bytes) = self.bytes.get(pc - self.start..) else { return false };
        let bytes = &bytes[..bytes.len().min(REACH)];
        let mut decoder = Decoder::with_ip(64, bytes, pc as u64, DecoderOptions::NONE);
        let mut i = Instruction::default();
        let mut is_behind_fence = false;
        while decoder.can_decode() {
            decoder.decode_out(&mut i);
            // Behind a return stands what is seldom run.
            if i.is_invalid() || matches!(i.flow_control(), FlowControl::Return | FlowControl::IndirectBranch) {
                return false;
            }
            // A fence that stands by itself comes back to where it was asked for.
            if !is_behind_fence && target(&i).is_some_and(&to) {
                return true;
            }
            is_behind_fence = is_fence(&i);
        }
        false
    }
    /// Where the code at `pc` jumps to at once.
    fn jump_at(&self, pc: usize) -> Option<usize> {
        let bytes = self.bytes.get(pc.checked_sub(self.start)?..)?;
        let mut i = Instruction::default();
        Decoder::with_ip(64, bytes, pc as u64, DecoderOptions::NONE).decode_out(&mut i);
        i.is_jmp_short_or_near().then(|| i.near_branch_target() as usize)
    }
}

/// Whether the instruction asks for the bit of LOCAL, of a lock word or of what was read of it.
fn is_question(i: &Instruction) -> bool {
    let of_header = match i.op0_kind() {
        OpKind::Memory => i.memory_displacement64() == 0 && i.memory_index() == Register::None,
        kind => kind == OpKind::Register,
    };
    i.mnemonic() == Mnemonic::Test
        && of_header
        && i.op1_kind() != OpKind::Register
        && i.immediate(1) == u64::from(LOCAL_BIT)
}
/// A locked instruction on the stack.
fn is_fence(i: &Instruction) -> bool {
    i.has_lock_prefix() && i.memory_base() == Register::RSP
}

/// Whether the instruction behind runs next, with nothing in between.
fn falls_through(i: &Instruction) -> bool {
    matches!(i.flow_control(), FlowControl::Next | FlowControl::ConditionalBranch)
}
fn is_stack(r: Register) -> bool {
    matches!(r, Register::RSP | Register::RBP | Register::RIP)
}

/// Where a branch or jump leads.
fn target(i: &Instruction) -> Option<usize> {
    let is_one = matches!(i.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch);
    is_one.then(|| i.near_branch_target() as usize)
}

/// Registers that may have another value now than the instructions looked at had.
struct Changed {
    registers: [Register; 4 * BACK],
    n: usize,
}

impl Default for Changed {
    fn default() -> Changed {
        Changed { registers: [Register::None; 4 * BACK], n: 0 }
    }
}

impl Changed {
    /// None if there is no room.
    fn add(&mut self, r: Register) -> Option<()> {
        *self.registers.get_mut(self.n)? = r;
        self.n += 1;
        Some(())
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
