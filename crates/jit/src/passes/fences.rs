//! Places the fences that the access modes ask for: as late as possible, one for several stores.
//!
//! Invariant: on every path from an access that needs a fence behind it to the next shared load, or
//! to anything that another thread or the rest of the program may observe (call, return, stop, jump
//! to another block), there is a fence. Guards leave the code only in their cold case and pay there.
//!
//! Law: between a store and the next load of shared memory nothing observes the order of the store
//! against later loads (`memory-model::must_order`); stores among themselves are kept in order by
//! the processor, and by this tier, which moves none. A store into an object that only this thread
//! can reach owes nothing (L1; [`super::fresh`] knows some of them): a fence names the objects that the stores before it went to, and asks
//! them when it is executed. An object that was SHARED at the store is so for ever; one that has
//! become SHARED since costs a fence that was not needed.
use crate::ir::op::Access;
use crate::ir::{Func, Inst, Op, Terminator, Value};
use concord_memory_model::{self as model, Arch, Fence};

/// What fence an access needs behind it; those before it exist on no processor that this back end
/// serves.
fn fence_behind(op: &Op) -> Fence {
    match op.memory() {
        Some((mem, kind)) => match mem.access {
            Access::Shared(mode) | Access::Raw(mode) => model::fences(kind, mode, Arch::X86_64).after,
            Access::Immutable | Access::Local(_) | Access::Young(_) => Fence::None,
        },
        None => Fence::None,
    }
}

/// Whether an owed fence must come before the instruction.
fn observes(op: &Op) -> bool {
    if let Some((mem, kind)) = op.memory() {
        return kind != model::Access::Store && matches!(mem.access, Access::Shared(_) | Access::Raw(_));
    }
    // These stop in their cold case only, and pay there. Everything else that calls observes.
    (op.safepoint().is_some() && !pays_when_cold(op)) || matches!(op, Op::Leaf(..))
}

fn pays_when_cold(op: &Op) -> bool {
    op.is_guard() || matches!(op, Op::Poll(_) | Op::Publish(..) | Op::PublishShared(..))
}

/// Objects that are asked; with more of them the fence is cheaper.
const MOST: usize = 3;

/// Stores that are not fenced yet.
#[derive(Default)]
struct Owed {
    any: bool,
    /// The objects they went to.
    to: Vec<Value>,
    /// One of them is SHARED for certain.
    shared: bool,
}

impl Owed {
    fn store(&mut self, to: Option<Value>) {
        self.any = true;
        match to {
            Some(o) if self.to.contains(&o) => {}
            Some(o) if self.to.len() < MOST => self.to.push(o),
            _ => self.shared = true,
        }
    }
    fn pay(&mut self, out: &mut Vec<Inst>) {
        let owed = std::mem::take(self);
        if owed.any {
            let asked = if owed.shared { Vec::new() } else { owed.to };
            out.push(Inst { op: Op::Fence(asked), result: None, owes_fence: false });
        }
    }
}

pub fn run(func: &mut Func) {
    for block in &mut func.blocks {
        let mut owed = Owed::default();
        let mut out = Vec::with_capacity(block.insts.len() + 2);
        for mut i in std::mem::take(&mut block.insts) {
            match &i.op {
                // A full fence, and a locked instruction is one.
                Op::CompareAndSet(..) | Op::CompareAndExchange(..) | Op::Update(..) => owed = Owed::default(),
                Op::Fence(v) if v.is_empty() => owed = Owed::default(),
                op if observes(op) => owed.pay(&mut out),
                _ => {}
            }
            i.owes_fence = owed.any && pays_when_cold(&i.op);
            if fence_behind(&i.op) == Fence::Full {
                owed.store(i.op.store_target());
            }
            out.push(i);
        }
        match block.end {
            Terminator::Deopt(_) => block.end_owes_fence = owed.any,
            _ => owed.pay(&mut out),
        }
        block.insts = out;
    }
}
