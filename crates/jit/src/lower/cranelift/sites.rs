//! What each piece of machine code does to Java's memory, noted for [`super::machine`].
//!
//! Invariant: under `-XX:+VerifyCompiledCode`, and for a listing, every instruction that `body` writes
//! carries the number of a site as its source location; otherwise nothing is noted. A site says what the
//! instruction of the intermediate representation means, by its access mode, not what the fence pass
//! made of it.
use super::body::Body;
use crate::ir::op::Access;
use crate::ir::{Op, Terminator, Value as V};
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
    pub list: Vec<Site>,
    /// For each, block and number of the instruction in translation.
    pub at: Vec<(crate::ir::Block, usize)>,
}

impl Sites {
    pub fn new(noted: bool) -> Sites {
        Sites { noted, list: Vec::new(), at: Vec::new() }
    }
}

impl Body<'_> {
    /// From here on instructions belong to the site.
    fn begin(&mut self, site: Site) {
        self.b.set_srcloc(SourceLoc::new(self.sites.list.len() as u32));
        self.sites.list.push(site);
        self.sites.at.push(self.at);
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
        let computes = matches!(row, Row::FRem | Row::DRem);
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
            Some(true) => shared = true,
            Some(false) => local = true,
            None => {}
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
                let length = matches!(op, Op::BoundsCheck(..));
                Site::Computes { shared, length: length.then_some(concord_contract::object::LENGTH_OFFSET as u32) }
            }
            _ => Site::Vm,
        }
    }
}
