//! One way through a function: which objects its values are, which of them are SHARED, and which stores into those wait for a
//! fence.
use super::Random;
use concord_jit::ir::op::Access;
use concord_jit::ir::{Block, Func, Inst, Op, Terminator, Value};

/// An object, by number, or null.
type Ref = Option<usize>;

pub struct Walk<'a> {
    func: &'a Func,
    /// Blocks that the function had before its fences.
    blocks: usize,
    /// Objects that come from elsewhere and are SHARED, in a hundred.
    often_shared: usize,
    /// For each object, whether others can reach it.
    shared: Vec<bool>,
    values: Vec<Option<Ref>>,
    /// Objects that were stored into since the last fence.
    pending: Vec<usize>,
    by_blocks: ByBlocks,
    pub stores: usize,
    /// Fences executed.
    pub locks: usize,
    /// Fences that would have been executed if every block paid at its end.
    pub locks_by_blocks: usize,
}

/// What is owed if every block pays at its end, and an allocation is paid for before.
#[derive(Default)]
struct ByBlocks {
    any: bool,
    to: Vec<(Value, usize)>,
    many: bool,
}

/// Why a way ends.
enum Stop {
    Left,
    Broken(String),
}
type Step<T = ()> = Result<T, Stop>;

fn broken<T>(why: String) -> Step<T> {
    Err(Stop::Broken(why))
}

/// Blocks that a way goes through at most.
const MOST: usize = 150;

impl<'a> Walk<'a> {
    pub fn new(func: &'a Func, blocks: usize, often_shared: usize) -> Walk<'a> {
        Walk {
            func,
            blocks,
            often_shared,
            shared: Vec::new(),
            values: vec![None; func.types.len()],
            pending: Vec::new(),
            by_blocks: ByBlocks::default(),
            stores: 0,
            locks: 0,
            locks_by_blocks: 0,
        }
    }
    /// # Errors
    /// What observes a store that is not fenced, or a value that is not there.
    pub fn go(&mut self, r: &mut Random) -> Result<(), String> {
        let mut b = Block(0);
        for _ in 0..MOST {
            match self.block(b, r) {
                Ok(next) => b = next,
                Err(Stop::Left) => break,
                Err(Stop::Broken(why)) => return Err(format!("{b}: {why}")),
            }
        }
        Ok(())
    }
    fn block(&mut self, b: Block, r: &mut Random) -> Step<Block> {
        let func = self.func;
        let data = func.block(b);
        for i in &data.insts {
            self.instruction(i, r)?;
        }
        match &data.end {
            Terminator::Deopt(_) => return self.leaves(data.end_owes_fence, "the end leaves"),
            _ if b.index() < self.blocks => self.pay_by_blocks(),
            _ => {}
        }
        let targets = data.end.targets();
        if targets.is_empty() {
            self.observed("the return")?;
            return Err(Stop::Left);
        }
        let to = *r.of(&targets);
        let args: Vec<Ref> = to.args.iter().map(|a| self.get(*a)).collect::<Step<_>>()?;
        for (p, a) in func.block(to.block).params.iter().zip(args) {
            self.values[p.index()] = Some(a);
        }
        Ok(to.block)
    }
    fn instruction(&mut self, i: &Inst, r: &mut Random) -> Step {
        let name = || i.op.to_string();
        match &i.op {
            Op::Param(2) => {}
            Op::Param(_) => self.define(i, |w| w.elsewhere(r)),
            Op::LoadField(o, _, m) if m.access == Access::Immutable => {
                self.object(*o)?;
                self.define(i, |w| w.elsewhere(r));
            }
            Op::LoadField(o, ..) => {
                self.object(*o)?;
                self.observed(&name())?;
                self.pay_by_blocks();
            }
            Op::StoreField(o, ..) => {
                let object = self.object(*o)?;
                self.stores += 1;
                self.pending.push(object);
                self.by_blocks.store(*o, object);
            }
            Op::New(..) => {
                self.pay_by_blocks();
                if r.percent(5) {
                    self.pays(i.owes_fence, &name())?;
                }
                self.shared.push(false);
                let object = Some(self.shared.len() - 1);
                self.define(i, |_| object);
            }
            Op::Poll(_) => {
                if r.percent(3) {
                    self.pays(i.owes_fence, &name())?;
                }
            }
            // Its row pays where it stops.
            Op::Publish(target, v, _) => {
                if self.shared[self.object(*target)?]
                    && let Some(v) = self.get(*v)?
                {
                    self.shared[v] = true;
                }
            }
            Op::Guard(..) => {
                if r.percent(2) {
                    self.leaves(i.owes_fence, &name())?;
                }
            }
            Op::NullCheck(v, _) => {
                if self.get(*v)?.is_none() {
                    self.leaves(i.owes_fence, &name())?;
                }
            }
            Op::Call(..) => {
                self.observed(&name())?;
                self.pay_by_blocks();
            }
            Op::Fence(asked) => {
                let mut local = !asked.is_empty();
                for v in asked {
                    local &= !self.shared[self.object(*v)?];
                }
                if local {
                    self.observed(&name())?;
                } else {
                    self.locks += 1;
                    self.pending.clear();
                }
            }
            op => return broken(format!("{op} is not among what is written")),
        }
        Ok(())
    }
    fn define(&mut self, i: &Inst, value: impl FnOnce(&mut Self) -> Ref) {
        let v = value(self);
        if let Some(result) = i.result {
            self.values[result.index()] = Some(v);
        }
    }
    /// An object that is known already, another one, or null.
    fn elsewhere(&mut self, r: &mut Random) -> Ref {
        if r.percent(15) {
            return None;
        }
        if self.shared.is_empty() || r.percent(50) {
            self.shared.push(r.percent(self.often_shared));
            return Some(self.shared.len() - 1);
        }
        Some(r.below(self.shared.len()))
    }
    fn get(&self, v: Value) -> Step<Ref> {
        self.values[v.index()].map_or_else(|| broken(format!("{v} is not defined")), Ok)
    }
    fn object(&self, v: Value) -> Step<usize> {
        self.get(v)?.map_or_else(|| broken(format!("{v} is null")), Ok)
    }
    /// Nothing may be pending; nothing is behind it.
    fn observed(&mut self, by: &str) -> Step {
        match self.pending.iter().find(|o| self.shared[**o]) {
            Some(o) => broken(format!("a store into object {o} is not fenced before {by}")),
            None => {
                self.pending.clear();
                Ok(())
            }
        }
    }
    /// The code stops here and goes on.
    fn pays(&mut self, owes: bool, by: &str) -> Step {
        if owes {
            self.locks += 1;
            self.locks_by_blocks += usize::from(self.by_blocks.any);
            self.pending.clear();
        }
        self.observed(by)
    }
    fn leaves<T>(&mut self, owes: bool, by: &str) -> Step<T> {
        self.pays(owes, by)?;
        Err(Stop::Left)
    }
    fn pay_by_blocks(&mut self) {
        let owed = std::mem::take(&mut self.by_blocks);
        let pays = owed.many || owed.to.iter().any(|(_, o)| self.shared[*o]);
        self.locks_by_blocks += usize::from(owed.any && pays);
    }
}

impl ByBlocks {
    fn store(&mut self, v: Value, object: usize) {
        self.any = true;
        if self.to.iter().all(|(known, _)| *known != v) {
            self.to.push((v, object));
        }
        self.many |= self.to.len() > 3;
    }
}
