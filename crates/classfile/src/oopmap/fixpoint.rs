//! Owns the fixpoint: the state before each block is the meet over all edges into it. A slot's
//! kind only ever descends (reference, dead, maybe), so the iteration ends; sweeps in code order
//! settle ordinary methods in two or three visits per block.

use super::blocks::Blocks;
use super::subroutines::Subroutines;
use super::transfer::{State, step};
use super::view::CodeView;
use super::{MAX_TABLE_WORDS, MethodMaps, UNREACHED};
use crate::descriptor::MethodDescriptor;
use crate::opcodes::{BadCode, Flow, Instruction};

/// How disagreement about a slot is resolved at an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merge {
    /// The slot is dead: no verified code reads it.
    Plain,
    /// The kind depends on the caller of a subroutine: the slot is `maybe`, since the caller may
    /// read it later. Edges whose depths differ are not real and are dropped.
    Subroutine,
}

/// A state of its own, used while one block is interpreted.
struct Scratch {
    refs: Vec<u64>,
    maybe: Vec<u64>,
}

struct Fixpoint<'v, 'a> {
    view: &'v CodeView<'a>,
    blocks: Blocks,
    subroutines: Option<Subroutines>,
    maps: MethodMaps,
    dirty: Vec<u64>,
    scratch: Scratch,
    handler: Scratch,
    /// Blocks of the handlers that cover the current block.
    handlers: Vec<usize>,
}

pub(super) fn compute(view: &CodeView<'_>) -> Result<MethodMaps, BadCode> {
    let blocks = Blocks::find(view)?;
    let subroutines = if blocks.has_jsr { Some(Subroutines::find(view, &blocks)?) } else { None };
    let count = blocks.starts.len();
    let slots = usize::from(view.max_locals) + usize::from(view.max_stack);
    let width = slots.div_ceil(64).max(1);
    let planes = 1 + usize::from(blocks.has_jsr);
    let coarse = count * width * planes > MAX_TABLE_WORDS;
    let table = if coarse { 0 } else { count * width };
    let maybe = if blocks.has_jsr { table } else { 0 };
    let scratch = || Scratch { refs: vec![0; width], maybe: vec![0; if maybe > 0 { width } else { 0 }] };
    let mut fixpoint = Fixpoint {
        view,
        subroutines,
        maps: MethodMaps {
            max_locals: view.max_locals,
            max_stack: view.max_stack,
            width: width as u16,
            starts: blocks.starts.clone(),
            depths: vec![UNREACHED; count].into(),
            refs: vec![0; table].into(),
            maybe: vec![0; maybe].into(),
            coarse,
        },
        dirty: vec![0; count.div_ceil(64)],
        scratch: scratch(),
        handler: scratch(),
        handlers: Vec::new(),
        blocks,
    };
    fixpoint.enter()?;
    fixpoint.run()?;
    Ok(fixpoint.maps)
}

impl<'a> Fixpoint<'_, 'a> {
    /// The state at method entry: receiver and parameters.
    fn enter(&mut self) -> Result<(), BadCode> {
        let bad = |why| Err(BadCode { bci: 0, why });
        let Some(desc) = MethodDescriptor::new(self.view.descriptor) else {
            return bad("malformed descriptor");
        };
        let receiver = usize::from(!self.view.is_static);
        if desc.param_slots() + receiver > usize::from(self.view.max_locals) {
            return bad("arguments can't fit into locals");
        }
        if receiver == 1 {
            self.scratch.refs[0] |= 1;
        }
        let mut slot = receiver;
        for p in desc.params() {
            if p.kind.is_reference() {
                self.scratch.refs[slot / 64] |= 1 << (slot % 64);
            }
            slot += p.slots();
        }
        self.merge(0, 0, 0, Merge::Plain, false)
    }

    fn run(&mut self) -> Result<(), BadCode> {
        loop {
            let mut clean = true;
            for word in 0..self.dirty.len() {
                // A block may dirty a later one of the same word: look again each time.
                let mut above = u64::MAX;
                while self.dirty[word] & above != 0 {
                    let bit = (self.dirty[word] & above).trailing_zeros();
                    self.dirty[word] &= !(1 << bit);
                    above = if bit == 63 { 0 } else { u64::MAX << (bit + 1) };
                    clean = false;
                    self.block(word * 64 + bit as usize)?;
                }
            }
            if clean {
                return Ok(());
            }
        }
    }

    fn load(&mut self, block: usize) -> usize {
        let width = usize::from(self.maps.width);
        if self.maps.coarse {
            self.scratch.refs.fill(0);
        } else {
            self.scratch.refs.copy_from_slice(&self.maps.refs[block * width..][..width]);
            if !self.scratch.maybe.is_empty() {
                self.scratch.maybe.copy_from_slice(&self.maps.maybe[block * width..][..width]);
            }
        }
        usize::from(self.maps.depths[block])
    }

    fn step(&mut self, at: usize, depth: &mut usize) -> Result<(Instruction<'a>, bool), BadCode> {
        let mut state = State {
            refs: &mut self.scratch.refs,
            maybe: &mut self.scratch.maybe,
            depth: *depth,
            max_locals: usize::from(self.view.max_locals),
            max_stack: usize::from(self.view.max_stack),
        };
        let done = step(self.view, at, &mut state)?;
        *depth = state.depth;
        Ok((done.instruction, done.written.is_some()))
    }

    fn block(&mut self, block: usize) -> Result<(), BadCode> {
        let start = self.blocks.starts[block];
        let end = self.blocks.starts.get(block + 1).map_or(self.view.code.len(), |&s| usize::from(s));
        let mut depth = self.load(block);
        self.handlers.clear();
        for e in self.view.exception_table.iter().filter(|e| e.start <= start && start < e.end) {
            if let Some(handler) = self.blocks.at(usize::from(e.handler))
                && !self.handlers.contains(&handler)
            {
                self.handlers.push(handler);
            }
        }
        self.merge_handlers(usize::from(start))?;
        let mut at = usize::from(start);
        let last = loop {
            let (i, wrote_local) = self.step(at, &mut depth)?;
            at = i.next();
            if at >= end {
                break i;
            }
            if wrote_local {
                self.merge_handlers(at)?;
            }
        };
        let flow = last.info().flow;
        if matches!(flow, Flow::Next | Flow::Branch) {
            if block + 1 >= self.blocks.starts.len() {
                return Err(BadCode { bci: last.bci, why: "control flows off the end of the code" });
            }
            self.merge(block + 1, depth, last.bci, Merge::Plain, false)?;
        }
        match flow {
            Flow::Next | Flow::End => Ok(()),
            Flow::Jsr => self.call_subroutine(&last, depth),
            Flow::Ret => self.leave_subroutine(block, depth),
            _ => last.targets().try_for_each(|t| match usize::try_from(t).ok().and_then(|t| self.blocks.at(t)) {
                Some(target) => self.merge(target, depth, last.bci, Merge::Plain, false),
                None => Err(BadCode { bci: last.bci, why: "branch out of the code" }),
            }),
        }
    }

    fn merge_handlers(&mut self, at: usize) -> Result<(), BadCode> {
        if self.handlers.is_empty() {
            return Ok(());
        }
        if self.view.max_stack == 0 {
            return Err(BadCode { bci: at, why: "handler in a method without an operand stack" });
        }
        // The handler sees the locals and, alone on its stack, the exception.
        let locals = usize::from(self.view.max_locals);
        let keep = |words: &[u64], out: &mut [u64]| {
            for (n, (o, w)) in out.iter_mut().zip(words).enumerate() {
                let below = locals.saturating_sub(n * 64);
                *o = if below >= 64 { *w } else { w & ((1 << below) - 1) };
            }
        };
        keep(&self.scratch.refs, &mut self.handler.refs);
        keep(&self.scratch.maybe, &mut self.handler.maybe);
        self.handler.refs[locals / 64] |= 1 << (locals % 64);
        (0..self.handlers.len()).try_for_each(|n| self.merge(self.handlers[n], 1, at, Merge::Plain, true))
    }

    fn call_subroutine(&mut self, jsr: &Instruction<'_>, depth: usize) -> Result<(), BadCode> {
        let entry = usize::try_from(jsr.target()).ok().and_then(|t| self.blocks.at(t));
        let Some(entry) = entry else {
            return Err(BadCode { bci: jsr.bci, why: "branch out of the code" });
        };
        self.merge(entry, depth, jsr.bci, Merge::Subroutine, false)?;
        // What this caller gets back depends on its own state too: visit the way back again.
        let rets = self.subroutines.as_ref().and_then(|s| s.at(entry)).map(|s| s.rets.clone());
        for ret in rets.into_iter().flatten().filter(|&r| self.maps.depths[r] != UNREACHED) {
            self.dirty[ret / 64] |= 1 << (ret % 64);
        }
        Ok(())
    }

    /// Control goes behind each `jsr` that may have led here: with the subroutine's state for the
    /// locals that it may write, with the caller's own for the others.
    fn leave_subroutine(&mut self, block: usize, depth: usize) -> Result<(), BadCode> {
        let edges: Vec<(usize, Vec<u64>)> = self
            .subroutines
            .iter()
            .flat_map(|s| s.of(block))
            .flat_map(|s| s.callers.iter().map(|&c| (c, s.written.clone())))
            .filter(|&(caller, _)| self.maps.depths[caller] != UNREACHED)
            .collect();
        let refs = self.scratch.refs.clone();
        let maybe = self.scratch.maybe.clone();
        let locals = usize::from(self.view.max_locals);
        for (caller, written) in edges {
            let end = self.blocks.starts.get(caller + 1).map_or(self.view.code.len(), |&s| usize::from(s));
            let mut caller_depth = self.load(caller);
            let mut at = usize::from(self.blocks.starts[caller]);
            while at < end {
                at = self.step(at, &mut caller_depth)?.0.next();
            }
            for n in 0..refs.len() {
                let below = locals.saturating_sub(n * 64);
                let locals_here = if below >= 64 { u64::MAX } else { (1 << below) - 1 };
                let callers_own = locals_here & !written.get(n).copied().unwrap_or(0);
                let blend = |mine: u64, theirs: u64| mine & callers_own | theirs & !callers_own;
                self.scratch.refs[n] = blend(self.scratch.refs[n], refs[n]);
                if let Some(m) = self.scratch.maybe.get_mut(n) {
                    *m = blend(*m, maybe[n]);
                }
            }
            if caller + 1 >= self.blocks.starts.len() {
                return Err(BadCode { bci: at, why: "return from a subroutine to behind the code" });
            }
            self.merge(caller + 1, depth, at, Merge::Subroutine, false)?;
        }
        Ok(())
    }

    /// Meets the current state (or that of a handler) into `target`'s.
    fn merge(&mut self, target: usize, depth: usize, bci: usize, how: Merge, handler: bool) -> Result<(), BadCode> {
        let known = self.maps.depths[target];
        let Some(depth) = u16::try_from(depth).ok().filter(|&d| d != UNREACHED) else {
            return Err(BadCode { bci, why: "operand stack deeper than reference maps support" });
        };
        let from = if handler { &self.handler } else { &self.scratch };
        let width = usize::from(self.maps.width);
        let mut changed = known == UNREACHED;
        if changed {
            self.maps.depths[target] = depth;
        } else if known != depth {
            return match how {
                Merge::Subroutine => Ok(()),
                Merge::Plain => Err(BadCode { bci, why: "operand stack depths differ where control meets" }),
            };
        }
        if !self.maps.coarse {
            let first = changed;
            let refs = &mut self.maps.refs[target * width..][..width];
            if self.maps.maybe.is_empty() {
                for (to, &from) in refs.iter_mut().zip(&from.refs) {
                    let new = if first { from } else { *to & from };
                    changed |= new != *to;
                    *to = new;
                }
            } else {
                let maybe = &mut self.maps.maybe[target * width..][..width];
                for n in 0..width {
                    let (old, new) = ((refs[n], maybe[n]), (from.refs[n], from.maybe[n]));
                    let met = if first {
                        new
                    } else {
                        let split = if how == Merge::Subroutine { old.0 ^ new.0 } else { 0 };
                        let m = old.1 | new.1 | split;
                        (old.0 & new.0 & !m, m)
                    };
                    changed |= met != old;
                    (refs[n], maybe[n]) = met;
                }
            }
        }
        if changed {
            self.dirty[target / 64] |= 1 << (target % 64);
        }
        Ok(())
    }
}
