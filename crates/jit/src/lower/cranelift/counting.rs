//! Calls that count stores and fences for `-XX:+PrintConcordStatistics`.
//!
//! Invariant: nothing is emitted while counting is off. A store and the fence that follows it are
//! counted apart, since one fence may follow several stores. Neither has a bytecode index of its own
//! here: both are told as being at the last instruction before them that has a frame state.
use super::body::Body;
use crate::ir::Op;
use crate::ir::op::Access;
use concord_contract::rows::Row;
use concord_memory_model::{self as model, Arch, Fence};

impl Body<'_> {
    /// Counts what `op` is about to store, as the interpreter counts bytecodes that store.
    pub fn count_store(&mut self, op: &Op) {
        if !self.vm.counting {
            return;
        }
        if let Some(s) = op.state() {
            let s = self.func.state(s);
            self.told_as = (s.method, s.bci);
        }
        let target = match op {
            Op::StoreField(o, ..) | Op::StoreElement(o, ..) => Some(*o),
            Op::StoreStatic(..) => None,
            _ => return,
        };
        let strong = op.memory().is_some_and(|(m, kind)| match m.access {
            Access::Shared(mode) | Access::Raw(mode) | Access::Local(mode) | Access::Young(mode) => {
                model::fences(kind, mode, Arch::X86_64).after == Fence::Full
            }
            Access::Immutable => false,
        });
        let (m, bci) = self.told_as;
        let target = match target {
            Some(o) => self.get(o),
            None => self.iconst(0),
        };
        let m = self.iconst(self.env.method_address(m) as i64);
        let (bci, strong) = (self.iconst32(bci.into()), self.iconst32(strong.into()));
        self.row_call(Row::CountStore, &[m, bci, strong, target]);
    }
    /// Counts the fence that comes next.
    pub fn count_fenced(&mut self) {
        if !self.vm.counting {
            return;
        }
        let (m, bci) = self.told_as;
        let m = self.iconst(self.env.method_address(m) as i64);
        let bci = self.iconst32(bci.into());
        self.row_call(Row::CountFenced, &[m, bci]);
    }
}
