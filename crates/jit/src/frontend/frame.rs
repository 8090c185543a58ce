//! The abstract interpreter frame, and how frames meet at the start of a block.
//!
//! Invariant: a slot holds the value that the interpreter would have there; slots that are not live
//! hold none. Loop headers get parameters for what the loop may write; other joins only where the
//! incoming values differ.
use super::blocks::{Kinds, only_type};
use crate::ir::{Block, Func, Ty, Value};
use concord_contract::compiled::Bailout;

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub locals: Vec<Option<Value>>,
    /// Long and double take two slots, of which the upper one is `None`.
    pub stack: Vec<Option<Value>>,
    /// Objects locked here, outermost first.
    pub monitors: Vec<Value>,
    /// Values known not to be null, beyond those whose definition says so.
    pub nonnull: Vec<Value>,
}

/// How many facts about null are carried along.
const FACTS: usize = 48;

impl Frame {
    pub fn push(&mut self, v: Value, ty: Ty) {
        self.stack.push(Some(v));
        if ty.slots() == 2 {
            self.stack.push(None);
        }
    }
    pub fn pop(&mut self, slots: usize) -> Result<Value, Bailout> {
        if slots == 2 {
            self.stack.pop();
        }
        self.stack.pop().flatten().ok_or_else(|| Bailout::Unsupported("a value of conflicting types is used".into()))
    }
    /// The value whose upper (or only) slot is `n` slots below the top, `n` from 1.
    pub fn peek(&self, n: usize) -> Result<Value, Bailout> {
        let at = self.stack.len().checked_sub(n).and_then(|i| self.stack[i]);
        at.ok_or_else(|| Bailout::Unsupported("a value of conflicting types is used".into()))
    }
    pub fn set_local(&mut self, n: u16, v: Value, ty: Ty) {
        self.locals[n as usize] = Some(v);
        if ty.slots() == 2 {
            self.locals[n as usize + 1] = None;
        }
    }
    pub fn learn_nonnull(&mut self, v: Value) {
        if self.nonnull.len() == FACTS {
            self.nonnull.remove(0);
        }
        self.nonnull.push(v);
    }
}

/// Control flow into a block that is not translated yet.
#[derive(Debug)]
pub struct Edge {
    pub from: Block,
    /// Which target of the terminator.
    pub which: usize,
    pub frame: Frame,
}

#[derive(Clone, Copy, Debug)]
enum Slot {
    Local(usize),
    Stack(usize),
    Monitor(usize),
}

fn slot(f: &Frame, s: Slot) -> Option<Value> {
    match s {
        Slot::Local(n) => f.locals[n],
        Slot::Stack(n) => f.stack[n],
        Slot::Monitor(n) => Some(f.monitors[n]),
    }
}

/// What the start of a block looks like: which slots are parameters.
#[derive(Debug, Default)]
pub struct Join {
    pub block: Option<Block>,
    pub edges: Vec<Edge>,
    params: Vec<Slot>,
    /// The frame at the start, kept where edges may still come.
    entry: Option<Frame>,
}

fn set_args(func: &mut Func, from: Block, which: usize, args: Vec<Value>) {
    let mut n = 0;
    let mut args = Some(args);
    func.blocks[from.index()].end.for_each_target_mut(|t| {
        if n == which
            && let Some(a) = args.take()
        {
            t.args = a;
        }
        n += 1;
    });
}

impl Join {
    /// Unites the frames of all edges so far. `written`: for a loop header, the locals that the loop
    /// may write.
    pub fn enter(&mut self, func: &mut Func, live: &[Kinds], written: Option<&[bool]>) -> Result<Frame, Bailout> {
        let Some(block) = self.block else { concord_base::bug!("a block without edges is entered") };
        let edges = std::mem::take(&mut self.edges);
        let first = &edges[0].frame;
        let (depth, locks) = (first.stack.len(), first.monitors.len());
        if edges.iter().any(|e| e.frame.stack.len() != depth || e.frame.monitors.len() != locks) {
            return Err(Bailout::Unsupported("paths with different stacks or locks meet".into()));
        }
        let mut f = Frame { nonnull: first.nonnull.clone(), ..Frame::default() };
        f.nonnull.retain(|v| edges[1..].iter().all(|e| e.frame.nonnull.contains(v)));
        let same = |s: Slot| {
            let v = slot(first, s);
            v.filter(|_| edges.iter().all(|e| slot(&e.frame, s) == v))
        };
        let mut param = |func: &mut Func, s: Slot, ty: Ty| {
            // A slot with no value, or one of another type, on some path is dead or conflicting.
            let whole = edges.iter().all(|e| slot(&e.frame, s).is_some_and(|v| func.ty(v) == ty));
            whole.then(|| {
                self.params.push(s);
                let p = func.add_param(block, ty);
                if written.is_none()
                    && edges.iter().all(|e| slot(&e.frame, s).is_some_and(|v| e.frame.nonnull.contains(&v)))
                {
                    f.nonnull.push(p);
                }
                p
            })
        };
        for n in 0..first.locals.len() {
            let v = only_type(live[n]).and_then(|ty| {
                let fixed = !written.is_some_and(|w| w[n]);
                match same(Slot::Local(n)).filter(|v| fixed && func.ty(*v) == ty) {
                    Some(v) => Some(v),
                    None => param(func, Slot::Local(n), ty),
                }
            });
            f.locals.push(v);
        }
        for n in 0..depth {
            let fixed = same(Slot::Stack(n)).filter(|_| written.is_none());
            let v = match (fixed, first.stack[n]) {
                (None, Some(v)) => {
                    let ty = func.ty(v);
                    param(func, Slot::Stack(n), ty)
                }
                (v, _) => v,
            };
            f.stack.push(v);
        }
        for n in 0..locks {
            let fixed = same(Slot::Monitor(n)).filter(|_| written.is_none());
            let Some(v) = fixed.or_else(|| param(func, Slot::Monitor(n), Ty::Ref)) else {
                return Err(Bailout::Unsupported("a lock has no object".into()));
            };
            f.monitors.push(v);
        }
        for e in &edges {
            let args = self.params.iter().filter_map(|s| slot(&e.frame, *s)).collect();
            set_args(func, e.from, e.which, args);
        }
        if written.is_some() {
            self.entry = Some(f.clone());
        }
        Ok(f)
    }

    /// Whether control flow with this depth of stack and number of locks may be added, the block not
    /// being translated yet.
    pub fn fits(&self, depth: usize, locks: usize) -> bool {
        self.entry.is_none()
            && self.edges.iter().all(|e| e.frame.stack.len() == depth && e.frame.monitors.len() == locks)
    }

    /// Adds control flow into the block, which may be a loop header that is translated already.
    pub fn add(&mut self, func: &mut Func, e: Edge) -> Result<(), Bailout> {
        let Some(entry) = &self.entry else {
            self.edges.push(e);
            return Ok(());
        };
        let irreducible =
            || Bailout::Unsupported("a loop that is entered in several places, or with different locks".into());
        if e.frame.stack.len() != entry.stack.len() || e.frame.monitors.len() != entry.monitors.len() {
            return Err(irreducible());
        }
        let is_param = |s: &Slot| {
            self.params.iter().any(|p| matches!((p, s), (Slot::Local(a), Slot::Local(b)) | (Slot::Stack(a), Slot::Stack(b)) | (Slot::Monitor(a), Slot::Monitor(b)) if a == b))
        };
        let all = (0..entry.locals.len())
            .map(Slot::Local)
            .chain((0..entry.stack.len()).map(Slot::Stack))
            .chain((0..entry.monitors.len()).map(Slot::Monitor));
        for s in all {
            let want = slot(entry, s);
            if want.is_some() && !is_param(&s) && slot(&e.frame, s) != want {
                return Err(irreducible());
            }
        }
        let args: Option<Vec<Value>> = self.params.iter().map(|s| slot(&e.frame, *s)).collect();
        let args = args.ok_or_else(irreducible)?;
        let types = self.block.into_iter().flat_map(|b| func.block(b).params.iter());
        if !types.zip(&args).all(|(p, a)| func.ty(*p) == func.ty(*a)) {
            return Err(Bailout::Unsupported("a value of conflicting types is used".into()));
        }
        set_args(func, e.from, e.which, args);
        Ok(())
    }
}
