//! The basic blocks of a method's bytecode, and which locals are live where.
//!
//! Invariant: a local is live at a point if the interpreter could read it when it goes on there,
//! also by way of a handler of an exception; its type is that of the next read. What is not live
//! has no value in frame states, and no block parameter.
//!
//! Blocks end at branches, before branch targets, and where the set of handlers changes.
use crate::ir::Ty;
use concord_classfile::opcodes::{Flow, Instruction, op};
use concord_contract::compiled::Bailout;
use concord_contract::method::MethodRef;

/// Types in which a local may be read, as a set.
pub type Kinds = u8;

const fn kind(ty: Ty) -> Kinds {
    1 << ty as u8
}

/// The one type of a set; None for none and for conflicting ones.
pub fn only_type(k: Kinds) -> Option<Ty> {
    [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Ref].into_iter().find(|t| kind(*t) == k)
}

/// What an instruction does to a local.
#[derive(Default)]
struct LocalEffect {
    read: Option<(u16, Ty)>,
    /// The local and how many slots it takes.
    write: Option<(u16, usize)>,
}

fn local_effect(i: &Instruction) -> LocalEffect {
    const TYPES: [Ty; 5] = [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Ref];
    let Some(n) = i.local() else { return LocalEffect::default() };
    let c = i.opcode;
    let (load, store) = match c {
        op::ILOAD..=op::ALOAD => (Some(c - op::ILOAD), None),
        op::ILOAD_0..=op::ALOAD_3 => (Some((c - op::ILOAD_0) / 4), None),
        op::ISTORE..=op::ASTORE => (None, Some(c - op::ISTORE)),
        op::ISTORE_0..=op::ASTORE_3 => (None, Some((c - op::ISTORE_0) / 4)),
        op::IINC => (Some(0), Some(0)),
        _ => (None, None),
    };
    LocalEffect { read: load.map(|t| (n, TYPES[t as usize])), write: store.map(|t| (n, TYPES[t as usize].slots())) }
}

/// One basic block of bytecode.
#[derive(Debug)]
pub struct BasicBlock {
    pub start: u16,
    /// Bytecode index behind the last instruction.
    pub end: u32,
    /// In the order of the terminator's targets.
    pub successors: Vec<usize>,
    /// Handlers that protect the block.
    handlers: Vec<usize>,
    /// Locals written in the block.
    pub writes: Vec<u16>,
    /// Types in which locals are read behind the start, by local.
    pub live_in: Box<[Kinds]>,
}

/// A method's blocks, by ascending start.
#[derive(Debug)]
pub struct Blocks {
    pub blocks: Vec<BasicBlock>,
    pub code: &'static [u8],
    pub has_calls: bool,
}

impl Blocks {
    /// # Errors
    /// For subroutines, which are not compiled, and malformed code.
    pub fn of(m: MethodRef, osr: Option<u16>) -> Result<Blocks, Bailout> {
        let code = m.bytecode;
        let n = code.len();
        let mut leader = vec![false; n + 1];
        let mut has_calls = false;
        leader[0] = true;
        let mut mark = |at: i64| {
            if let Some(l) = usize::try_from(at).ok().and_then(|a| leader.get_mut(a)) {
                *l = true;
            }
        };
        if let Some(b) = osr {
            mark(b as i64);
        }
        for e in m.exceptions {
            [e.start, e.end, e.handler].iter().for_each(|b| mark(*b as i64));
        }
        for i in concord_classfile::opcodes::instructions(code) {
            let i = i.map_err(|e| Bailout::Unsupported(e.to_string()))?;
            match i.info().flow {
                Flow::Jsr | Flow::Ret => return Err(Bailout::Unsupported("subroutines (jsr, ret)".into())),
                Flow::Next => {
                    has_calls |= (op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC).contains(&i.opcode);
                    continue;
                }
                _ => {}
            }
            i.targets().for_each(&mut mark);
            mark(i.next() as i64);
        }
        let starts: Vec<u16> = (0..n).filter(|b| leader[*b]).map(|b| b as u16).collect();
        let mut this = Blocks { blocks: Vec::with_capacity(starts.len()), code, has_calls };
        for (k, &start) in starts.iter().enumerate() {
            let end = starts.get(k + 1).map_or(n as u32, |e| *e as u32);
            this.blocks.push(BasicBlock {
                start,
                end,
                successors: Vec::new(),
                handlers: Vec::new(),
                writes: Vec::new(),
                live_in: vec![0; m.max_locals as usize].into(),
            });
        }
        this.connect(m)?;
        this.liveness();
        Ok(this)
    }

    /// The block that starts at `bci`.
    pub fn at(&self, bci: i64) -> Result<usize, Bailout> {
        let found = u16::try_from(bci).ok().and_then(|b| self.blocks.binary_search_by_key(&b, |x| x.start).ok());
        found.ok_or_else(|| Bailout::Unsupported(format!("no block starts at bytecode index {bci}")))
    }
    pub fn instructions(&self, block: usize) -> impl Iterator<Item = Instruction<'static>> + use<> {
        let (code, end) = (self.code, self.blocks[block].end as usize);
        let mut bci = self.blocks[block].start as usize;
        std::iter::from_fn(move || {
            if bci >= end {
                return None;
            }
            // All instructions were decoded when the blocks were found.
            let i = Instruction::decode(code, bci).ok()?;
            bci = i.next();
            Some(i)
        })
    }

    fn connect(&mut self, m: MethodRef) -> Result<(), Bailout> {
        for b in 0..self.blocks.len() {
            let mut successors = Vec::new();
            let mut writes = Vec::new();
            let mut flow = Flow::Next;
            for i in self.instructions(b) {
                if let Some((n, _)) = local_effect(&i).write {
                    writes.push(n);
                }
                flow = i.info().flow;
                for t in i.targets() {
                    successors.push(self.at(t)?);
                }
            }
            let end = self.blocks[b].end;
            if matches!(flow, Flow::Next | Flow::Branch) {
                successors.push(self.at(end as i64)?);
            }
            let start = self.blocks[b].start;
            let mut handlers = Vec::new();
            for e in m.exceptions.iter().filter(|e| e.start <= start && start < e.end) {
                let h = self.at(e.handler as i64)?;
                if !handlers.contains(&h) {
                    handlers.push(h);
                }
            }
            writes.sort_unstable();
            writes.dedup();
            let block = &mut self.blocks[b];
            (block.successors, block.handlers, block.writes) = (successors, handlers, writes);
        }
        Ok(())
    }

    /// Types live behind the block by its normal successors; and by its handlers, at every point.
    fn live_out(&self, b: usize) -> (Vec<Kinds>, Vec<Kinds>) {
        let block = &self.blocks[b];
        let n = block.live_in.len();
        let union = |set: &[usize]| {
            let mut v = vec![0; n];
            for s in set {
                v.iter_mut().zip(self.blocks[*s].live_in.iter()).for_each(|(a, b)| *a |= b);
            }
            v
        };
        (union(&block.successors), union(&block.handlers))
    }

    fn liveness(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for b in (0..self.blocks.len()).rev() {
                let (mut live, always) = self.live_out(b);
                let all: Vec<_> = self.instructions(b).collect();
                merge(&mut live, &always);
                for i in all.iter().rev() {
                    step(&mut live, i);
                    merge(&mut live, &always);
                }
                if *live != *self.blocks[b].live_in {
                    self.blocks[b].live_in = live.into();
                    changed = true;
                }
            }
        }
    }

    /// For every instruction of the block and its end, the locals live before it.
    pub fn live_points(&self, b: usize) -> Vec<Box<[Kinds]>> {
        let (mut live, always) = self.live_out(b);
        merge(&mut live, &always);
        let all: Vec<_> = self.instructions(b).collect();
        let mut points = vec![live.clone().into_boxed_slice()];
        for i in all.iter().rev() {
            step(&mut live, i);
            merge(&mut live, &always);
            points.push(live.clone().into());
        }
        points.reverse();
        points
    }

    /// Blocks reachable from `entry` by normal control flow, and by exceptions if their handlers
    /// are to be translated, in reverse postorder.
    pub fn order(&self, entry: usize, with_handlers: bool) -> Vec<usize> {
        let mut seen = vec![false; self.blocks.len()];
        let mut post = Vec::new();
        let mut stack = vec![(entry, 0)];
        seen[entry] = true;
        while let Some((b, next)) = stack.last_mut() {
            // The fall-through comes last in `successors`, and first in the order.
            let block = &self.blocks[*b];
            let handlers = if with_handlers { &block.handlers[..] } else { &[] };
            if let Some(&s) = handlers.iter().chain(&block.successors).nth(*next) {
                *next += 1;
                if !seen[s] {
                    seen[s] = true;
                    stack.push((s, 0));
                }
            } else {
                post.push(*b);
                stack.pop();
            }
        }
        post.reverse();
        post
    }
}

fn merge(live: &mut [Kinds], always: &[Kinds]) {
    live.iter_mut().zip(always).for_each(|(a, b)| *a |= b);
}

fn step(live: &mut [Kinds], i: &Instruction) {
    let LocalEffect { read, write } = local_effect(i);
    if let Some((n, slots)) = write {
        live[n as usize..n as usize + slots].fill(0);
    }
    if let Some((n, ty)) = read {
        live[n as usize] |= kind(ty);
    }
}
