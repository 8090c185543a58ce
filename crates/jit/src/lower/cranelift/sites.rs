//! What each piece of machine code stands for: in the program, and, noted for [`super::machine`], what
//! it does to Java's memory.
//!
//! Invariant: every instruction that `body` writes carries as its source location the number of a site
//! under `-XX:+VerifyCompiledCode` and for a listing, under `-XX:+DebugNonSafepoints` alone that of the
//! frame state that the code comes to next, which a site names as well; otherwise nothing is noted. A
//! site says what the instruction of the intermediate representation means, by its access mode, not what
//! the fence pass made of it.
use super::body::{Body, Loaded};
use crate::ir::op::Access;
use crate::ir::{self, Func, Op, StateId, Terminator, Value as V};
use concord_contract::rows::{Convention, Row};
use concord_memory_model::{self as model, Arch, Fence};
use cranelift_codegen::ir::SourceLoc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// Reads and writes what is the VM's own: headers, classes, the thread, fresh memory.
    Vm,
    /// Computes. The code generator may have put an operand's load into it: one of shared memory if an
    /// operand is the value of such a load. `length`: at this displacement it is an array's length.
    Computes { shared: bool, length: Option<u32> },
    /// Loads from shared memory.
    Load,
    /// A store of Java's, and whether its mode wants a fence behind it; into which object, if it is
    /// not SHARED by what it is.
    Store { owes: bool, to: Option<V> },
    /// A branch on whether all of these objects are LOCAL.
    IfLocal(Vec<V>),
    /// Calls a row that sees the VM's own memory only.
    Inner(Row),
    /// Calls anything else: what was stored must be visible to all.
    Leaves(Row),
    /// Calls a method.
    Call,
}

/// The sites of a function, by their number.
pub struct Sites {
    pub noted: bool,
    /// The states are known (`VmLayout::places`).
    pub placed: bool,
    pub list: Vec<Site>,
    /// For each, block and number of the instruction in translation.
    pub at: Vec<(ir::Block, usize)>,
    /// The frame state of each site.
    states: Vec<Option<StateId>>,
    /// Of what is in translation.
    next: Option<StateId>,
}

impl Sites {
    pub fn new(noted: bool, placed: bool) -> Sites {
        Sites { noted, placed, list: Vec::new(), at: Vec::new(), states: Vec::new(), next: None }
    }
    /// The frame state, by number, of an instruction with this source location.
    pub fn state_at(&self, location: SourceLoc) -> Option<usize> {
        if !self.placed {
            return None;
        }
        let n = (!location.is_default()).then(|| location.bits() as usize)?;
        if self.noted { self.states.get(n).copied().flatten().map(|s| s.index()) } else { Some(n) }
    }
}

/// The state that each block comes to first.
pub fn first_states(func: &Func, order: &[ir::Block]) -> Vec<Option<StateId>> {
    let mut first: Vec<Option<StateId>> = vec![None; func.blocks.len()];
    // The second time sees what is behind jumps back.
    for b in order.iter().rev().chain(order.iter().rev()) {
        let data = func.block(*b);
        first[b.index()] = data.insts.iter().find_map(|i| i.op.state()).or_else(|| behind(func, *b, &first));
    }
    first
}
/// The state that a block comes to from its end, behind a branch the innermost one: code that decides
/// whether a loop of an inlined method goes on belongs to this method. Cold successors come last.
pub fn behind(func: &Func, b: ir::Block, first: &[Option<StateId>]) -> Option<StateId> {
    let end = &func.block(b).end;
    let depth = |s: &StateId| std::iter::successors(Some(*s), |s| func.state(*s).parent).count();
    let all = || end.successors().into_iter().filter_map(|b| first[b.index()].map(|s| (s, func.block(b).cold)));
    end.state().or_else(|| all().max_by_key(|(s, cold)| (!cold, depth(s))).map(|(s, _)| s))
}

/// The states that each instruction of a block and its end come to.
pub fn next_states(func: &Func, b: ir::Block, first: &[Option<StateId>]) -> (Vec<Option<StateId>>, Option<StateId>) {
    let (insts, end) = (&func.block(b).insts, behind(func, b, first));
    let mut next = vec![end; insts.len()];
    for n in (0..next.len()).rev() {
        next[n] = insts[n].op.state().or(next.get(n + 1).copied().unwrap_or(end));
    }
    (next, end)
}

impl Body<'_> {
    /// From here on instructions belong to the site.
    fn begin(&mut self, site: Site) {
        self.b.set_srcloc(SourceLoc::new(self.sites.list.len() as u32));
        self.sites.list.push(site);
        self.sites.at.push(self.at);
        self.sites.states.push(self.sites.next);
    }
    /// From here on the code is on its way to this state.
    pub fn heading_for(&mut self, s: Option<StateId>) {
        self.sites.next = s;
        if self.sites.placed && !self.sites.noted {
            self.b.set_srcloc(s.map_or_else(SourceLoc::default, |s| SourceLoc::new(s.index() as u32)));
        }
    }
    pub fn begin_op(&mut self, op: &Op) {
        if self.sites.noted {
            let site = self.site_of(op);
            self.begin(site);
        }
    }
    pub fn begin_end(&mut self, t: &Terminator) {
        if self.sites.noted {
            let shared = self.shared_operand(|f| t.for_each_use(f));
            self.begin(Site::Computes { shared, length: None });
        }
    }
    pub fn begin_vm(&mut self) {
        if self.sites.noted {
            self.begin(Site::Vm);
        }
    }
    /// What `f` writes belongs to the site, what follows to the one before.
    pub fn within<R>(&mut self, site: impl FnOnce(&Self) -> Site, f: impl FnOnce(&mut Self) -> R) -> R {
        if !self.sites.noted {
            return f(self);
        }
        let (outer, site) = (self.b.srcloc(), site(self));
        self.begin(site);
        let result = f(self);
        self.b.set_srcloc(outer);
        result
    }
    pub fn row_site(row: Row) -> Site {
        let info = row.info();
        // Publication looks at objects that are this thread's own, and is a fence where it may stop.
        let computes = matches!(row, Row::FRem | Row::DRem | Row::PublishFar);
        if computes || (info.flags == 0 && info.convention == Convention::Preserve) {
            Site::Inner(row)
        } else {
            Site::Leaves(row)
        }
    }
    /// The store in translation.
    pub fn store_site(&self) -> Site {
        let (b, n) = self.at;
        let Some(i) = self.func.block(b).insts.get(n) else { return Site::Vm };
        match i.op.memory() {
            Some((mem, kind @ model::Access::Store)) => {
                let owes = matches!(mem.access, Access::Shared(mode) | Access::Raw(mode) if model::fences(kind, mode, Arch::X86_64).after == Fence::Full);
                Site::Store { owes, to: i.op.store_target() }
            }
            _ => Site::Vm,
        }
    }
    /// Whether an operand's load that became part of the instruction may be one of shared memory. Where
    /// one operand is of LOCAL memory and another is not, it is not known which; the other's load has
    /// been judged by itself if it is not part.
    fn shared_operand(&self, uses: impl FnOnce(&mut dyn FnMut(V))) -> bool {
        let (mut shared, mut local) = (false, false);
        uses(&mut |v| match self.loads.get(&v) {
            Some(Loaded::Shared) => shared = true,
            Some(Loaded::Local) => local = true,
            // Told from a load of shared memory by its displacement.
            Some(Loaded::Length) | None => {}
        });
        shared && !local
    }
    fn site_of(&self, op: &Op) -> Site {
        match op {
            Op::LoadField(_, _, m) | Op::LoadElement(_, _, m) | Op::LoadRaw(_, _, m) | Op::LoadStatic(_, _, m)
                if matches!(m.access, Access::Shared(_) | Access::Raw(_)) =>
            {
                Site::Load
            }
            Op::Bin(..)
            | Op::Un(..)
            | Op::Cmp(..)
            | Op::FCmp(..)
            | Op::Cmp3(..)
            | Op::NullCheck(..)
            | Op::BoundsCheck(..)
            | Op::Guard(..) => {
                let shared = self.shared_operand(|f| op.for_each_use(f));
                let mut length = matches!(op, Op::BoundsCheck(..));
                op.for_each_use(|v| length |= self.loads.get(&v) == Some(&Loaded::Length));
                Site::Computes { shared, length: length.then_some(concord_contract::object::LENGTH_OFFSET as u32) }
            }
            _ => Site::Vm,
        }
    }
}
