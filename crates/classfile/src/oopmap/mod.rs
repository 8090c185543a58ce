//! Owns the answer to "which slots of this frame hold references?" for any method, verified or
//! not, with or without a StackMapTable, subroutines included (JVMS 4.10.2.5). A slot is a
//! reference slot if it holds a reference or null on *all* paths to the instruction; a slot with
//! conflicting kinds is dead. Liveness is deliberately not computed: a reference that is never
//! used again is still reported. Which locals hold anything at all is `assigned.rs`'s.
//!
//! ```text
//! compute:  code -> blocks (blocks.rs) -> state before each block, by fixpoint (fixpoint.rs)
//! at(bci):  state before its block -> replay (transfer.rs) -> map before the instruction
//! ```
//!
//! One bit per slot is enough, because the effect of every instruction on the stack's height is
//! known from the code and the constant pool alone. Slots 0..max_locals are the locals, then
//! follow the operand stack's; long and double take two, neither is a reference. A value that is
//! still uninitialised (`new` before `<init>`) is a reference.
//!
//! Worked example, `static int f(Object o) { return o == null ? 0 : o.hashCode(); }`:
//!
//! ```text
//! max_locals 1, max_stack 1     bit 0 = local 0, bit 1 = stack 0
//!  0: aload_0          block 0: depth 0, refs 0b01
//!  1: ifnonnull 8                at(1): depth 1, refs 0b11
//!  4: iconst_0         block 1: depth 0, refs 0b01
//!  5: goto 12                    at(5): depth 1, refs 0b01
//!  8: aload_0          block 2: depth 0, refs 0b01
//!  9: invokevirtual
//! 12: ireturn          block 3: depth 1, refs 0b01
//! ```
//!
//! Subroutines: where callers disagree about a local that the subroutine does not touch, its kind
//! inside of the subroutine depends on the caller. Such a slot is in [`OopMap::maybe`]: whoever
//! scans the frame treats its word as a reference if and only if it looks like one, and does not
//! move what it names. Behind the `jsr` the caller's own knowledge holds again. Only methods
//! with `jsr` have such slots, and methods whose tables would exceed [`MAX_TABLE_WORDS`].
//!
//! During a pause: no locks, no I/O; `compute` allocates a few vectors bounded by
//! [`MAX_TABLE_WORDS`], [`MethodMaps::at_into`] allocates nothing once the map has grown.

mod assigned;
mod blocks;
mod fixpoint;
mod subroutines;
mod transfer;
mod view;

pub use crate::opcodes::BadCode;
pub use view::{CodePool, CodeView};

use transfer::State;

/// Limit on the words of one method's tables. No real method comes near it; a class made for the
/// purpose would otherwise take hundreds of megabytes. Beyond it every slot is `maybe`.
pub const MAX_TABLE_WORDS: usize = 1 << 20;

/// References of one frame before one instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OopMap {
    refs: Vec<u64>,
    maybe: Vec<u64>,
    max_locals: usize,
    stack_depth: usize,
    reachable: bool,
}

impl OopMap {
    /// Slots on the operand stack, long and double two each.
    pub fn stack_depth(&self) -> usize {
        self.stack_depth
    }
    /// Whether control can reach the instruction. If not, the map is empty.
    pub fn reachable(&self) -> bool {
        self.reachable
    }
    #[inline]
    fn bit(words: &[u64], slot: usize) -> bool {
        words.get(slot / 64).is_some_and(|w| w >> (slot % 64) & 1 != 0)
    }
    #[inline]
    pub fn is_local_ref(&self, local: usize) -> bool {
        local < self.max_locals && Self::bit(&self.refs, local)
    }
    /// `slot` counts from the bottom of the operand stack.
    #[inline]
    pub fn is_stack_ref(&self, slot: usize) -> bool {
        slot < self.stack_depth && Self::bit(&self.refs, self.max_locals + slot)
    }
    /// Locals that hold references.
    pub fn local_refs(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.refs).take_while(|&s| s < self.max_locals)
    }
    /// Stack slots that hold references, counted from the bottom.
    pub fn stack_refs(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.refs).filter(|&s| s >= self.max_locals).map(|s| s - self.max_locals)
    }
    /// Reference slots of locals and stack as words of bits: locals first, then the stack.
    pub fn words(&self) -> &[u64] {
        &self.refs
    }
    /// Slots whose kind depends on the caller of a subroutine: locals first, then the stack.
    /// Scan them conservatively. Empty for methods without subroutines.
    pub fn maybe(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.maybe).take_while(|&s| s < self.max_locals + self.stack_depth)
    }
}

fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(n, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(n * 64 + bit)
        })
    })
}

/// The states before every block of one method, from which [`MethodMaps::at`] answers for any
/// instruction. Keep one per method; it is small.
#[derive(Clone, Debug)]
pub struct MethodMaps {
    max_locals: u16,
    max_stack: u16,
    /// Words per state.
    width: u16,
    /// First instruction of each block, ascending.
    starts: Box<[u16]>,
    /// Stack depth before each block, [`UNREACHED`] if control never gets there.
    depths: Box<[u16]>,
    /// `width` words per block; twice as many blocks if there are `maybe` slots.
    refs: Box<[u64]>,
    maybe: Box<[u64]>,
    /// The tables would be too large: nothing is known but the depths.
    coarse: bool,
}

const UNREACHED: u16 = u16::MAX;

impl MethodMaps {
    /// Interprets the whole method. Fails only for code that no verifier accepts.
    pub fn compute(view: &CodeView<'_>) -> Result<MethodMaps, BadCode> {
        fixpoint::compute(view)
    }

    /// The map before the instruction at `bci`. `view` must be the one the maps were computed
    /// from. Fails only if `bci` is not the index of an instruction.
    pub fn at(&self, view: &CodeView<'_>, bci: usize) -> Result<OopMap, BadCode> {
        let mut map = OopMap::default();
        self.at_into(view, bci, &mut map)?;
        Ok(map)
    }

    /// As [`MethodMaps::at`], into a map that is used again and again.
    pub fn at_into(&self, view: &CodeView<'_>, bci: usize, map: &mut OopMap) -> Result<(), BadCode> {
        let block = self.starts.partition_point(|&s| usize::from(s) <= bci).wrapping_sub(1);
        let Some(&start) = self.starts.get(block) else {
            return Err(BadCode { bci, why: "no block of the method holds this index" });
        };
        let width = usize::from(self.width);
        map.max_locals = usize::from(self.max_locals);
        map.refs.clear();
        map.maybe.clear();
        map.reachable = self.depths[block] != UNREACHED;
        map.stack_depth = 0;
        map.refs.resize(width, 0);
        if !map.reachable {
            return Ok(());
        }
        if !self.coarse {
            map.refs.copy_from_slice(&self.refs[block * width..][..width]);
        }
        if !self.maybe.is_empty() {
            map.maybe.extend_from_slice(&self.maybe[block * width..][..width]);
        }
        let mut state = State {
            refs: &mut map.refs,
            maybe: &mut map.maybe,
            depth: usize::from(self.depths[block]),
            max_locals: usize::from(self.max_locals),
            max_stack: usize::from(self.max_stack),
        };
        let mut at = usize::from(start);
        while at < bci {
            at = transfer::step(view, at, &mut state)?.next;
        }
        if at != bci {
            return Err(BadCode { bci, why: "no instruction begins at this index" });
        }
        map.stack_depth = state.depth;
        if self.coarse {
            let slots = map.max_locals + map.stack_depth;
            map.refs.fill(0);
            map.maybe.clear();
            map.maybe.resize(width, u64::MAX);
            if !slots.is_multiple_of(64) {
                map.maybe.truncate(slots / 64 + 1);
                if let Some(last) = map.maybe.get_mut(slots / 64) {
                    *last = (1 << (slots % 64)) - 1;
                }
            }
        }
        Ok(())
    }

    /// Locals that may hold something before the instruction at `bci`, one bit each, whatever it is: parameters, and
    /// what some path to it has stored. Not kept, but computed anew. Fails as [`MethodMaps::compute`] does.
    pub fn assigned(view: &CodeView<'_>, bci: usize) -> Result<Vec<u64>, BadCode> {
        assigned::compute(view, bci)
    }

    /// Bytes that the maps occupy, for accounting.
    pub fn heap_size(&self) -> usize {
        (self.starts.len() + self.depths.len()) * 2 + (self.refs.len() + self.maybe.len()) * 8
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.starts.len()
    }
}
