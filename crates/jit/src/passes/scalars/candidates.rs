//! Which objects can be replaced by their fields.
//!
//! Invariant: what is found and not dropped for having two names is used by the instructions that the pass knows, and by
//! nothing else.
use crate::ir::{Block, Cond, Func, Inst, Op, Terminator, Ty, Value};
use concord_contract::BasicType;
use concord_contract::class::{ClassRef, flags};
use std::collections::HashMap;

/// An object of more fields that the code touches stays one.
const MOST_FIELDS: usize = 32;
/// Parameters of blocks for the fields of one object, and of all.
const MOST_PARAMS: usize = 200;
const MOST_TOGETHER: usize = 600;

/// Offset and type of fields that the code touches.
pub type Fields = Vec<(u32, BasicType)>;

/// An object that is replaced: one that is made, or a parameter that is one of these.
pub struct Candidate {
    pub object: Value,
    /// Of a parameter it is found last.
    pub class: Option<ClassRef>,
    pub block: Block,
    pub fields: Fields,
    /// Fields that are stored into elsewhere than in its block; all others keep what they hold at its end.
    varying: Vec<u32>,
    stays: bool,
}

/// By object.
#[derive(Default)]
pub struct Candidates {
    pub all: Vec<Candidate>,
    pub of: HashMap<Value, usize>,
    /// Arguments of jumps, which are references, the parameters that get them, and their blocks.
    flows: Vec<(Value, Value, Block)>,
}

/// Adds a field; false if it has another type elsewhere, or there are too many.
fn touch(fields: &mut Fields, at: u32, ty: BasicType) -> bool {
    match fields.iter().find(|f| f.0 == at) {
        Some(f) => f.1 == ty,
        None => {
            fields.push((at, ty));
            fields.len() <= MOST_FIELDS
        }
    }
}

impl Candidate {
    /// Whether a field (by its number) may hold something else where ways meet than at the end of the object's block.
    pub fn varies(&self, field: usize) -> bool {
        self.varying.contains(&self.fields[field].0)
    }
}

impl Candidates {
    fn add(&mut self, object: Value, class: Option<ClassRef>, block: Block) {
        self.of.insert(object, self.all.len());
        self.all.push(Candidate { object, class, block, fields: Vec::new(), varying: Vec::new(), stays: false });
    }
    fn touch(&mut self, o: Value, at: u32, ty: BasicType) {
        if let Some(n) = self.of.get(&o) {
            let c = &mut self.all[*n];
            c.stays |= !touch(&mut c.fields, at, ty);
        }
    }
    fn note_store(&mut self, o: Value, at: u32, b: Block) {
        if let Some(n) = self.of.get(&o) {
            let c = &mut self.all[*n];
            if c.block != b && !c.varying.contains(&at) {
                c.varying.push(at);
            }
        }
    }
    fn lets_out(&mut self, v: Value) {
        if let Some(n) = self.of.get(&v) {
            self.all[*n].stays = true;
        }
    }
    fn stays(&self, v: Value) -> bool {
        self.of.get(&v).is_none_or(|n| self.all[*n].stays)
    }
    fn look(&mut self, i: &Inst, b: Block) {
        match &i.op {
            Op::LoadField(o, at, m) => self.touch(*o, *at, m.ty),
            Op::StoreField(o, at, v, m) => {
                self.touch(*o, *at, m.ty);
                self.note_store(*o, *at, b);
                self.lets_out(*v);
            }
            Op::Publish(_, v, _) => self.lets_out(*v),
            Op::NullCheck(..)
            | Op::IsExactly(..)
            | Op::InstanceOf(..)
            | Op::CanCast(..)
            | Op::Cmp(Cond::Eq | Cond::Ne, ..) => {}
            op => op.for_each_use(|v| self.lets_out(v)),
        }
    }
    fn look_at_end(&mut self, func: &Func, end: &Terminator) {
        end.operand().into_iter().for_each(|v| self.lets_out(v));
        if let Terminator::Throw(_, args, _) = end {
            args.iter().for_each(|v| self.lets_out(*v));
        }
        for t in end.targets() {
            for (n, (arg, param)) in t.args.iter().zip(&func.block(t.block).params).enumerate() {
                if func.ty(*arg) == Ty::Ref {
                    self.flows.push((*arg, *param, t.block));
                }
                // Two names at a time.
                if t.args[..n].contains(arg) {
                    self.lets_out(*arg);
                }
            }
        }
    }
    /// A parameter is an object that stays if one that it may be is; and so are all of them then, and those of which
    /// it cannot be said of which class it is.
    fn settle(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (arg, param, _) in &self.flows {
                let class = self.of.get(arg).and_then(|n| self.all[*n].class);
                let stays = self.stays(*arg) || self.stays(*param);
                for v in [arg, param] {
                    let Some(n) = self.of.get(v) else { continue };
                    let c = &mut self.all[*n];
                    let other = matches!((c.class, class), (Some(a), Some(b)) if !std::ptr::eq(a, b));
                    let finds = c.class.is_none() && class.is_some();
                    if finds {
                        c.class = class;
                    }
                    if finds || (stays || other) && !std::mem::replace(&mut c.stays, true) {
                        changed = true;
                    }
                }
            }
        }
        self.all.iter_mut().filter(|c| c.class.is_none()).for_each(|c| c.stays = true);
    }
    /// All of one class have all fields, since one may become the other; those stay that have one of two types.
    fn share_fields(&mut self) {
        let mut of_class: HashMap<usize, (Fields, bool)> = HashMap::new();
        let key = |c: &Candidate| c.class.map_or(0, |k| std::ptr::from_ref(k) as usize);
        for c in self.all.iter().filter(|c| !c.stays) {
            let (fields, fits) = of_class.entry(key(c)).or_insert_with(|| (Vec::new(), true));
            *fits &= c.fields.iter().all(|f| touch(fields, f.0, f.1));
        }
        for c in self.all.iter_mut().filter(|c| !c.stays) {
            let (fields, fits) = &of_class[&key(c)];
            (c.fields, c.stays) = (fields.clone(), !fits);
        }
    }
    /// For each the blocks at whose beginning it is still used by this name: goes back from its uses to its definition.
    pub fn live(&self, func: &Func, order: &[Block], preds: &[Vec<Block>]) -> Vec<Vec<bool>> {
        let mut live = vec![vec![false; func.blocks.len()]; self.all.len()];
        let mut work: Vec<(usize, Block)> = Vec::new();
        for &b in order {
            let mut used = |v: Value| work.extend(self.of.get(&v).map(|n| (*n, b)));
            let data = func.block(b);
            for i in &data.insts {
                i.op.for_each_use(&mut used);
                i.op.state().into_iter().flat_map(|s| func.state_values(s)).for_each(&mut used);
            }
            data.end.for_each_use(&mut used);
            data.end.state().into_iter().flat_map(|s| func.state_values(s)).for_each(&mut used);
        }
        while let Some((n, b)) = work.pop() {
            if b != self.all[n].block && !std::mem::replace(&mut live[n][b.index()], true) {
                work.extend(preds[b.index()].iter().map(|p| (n, *p)));
            }
        }
        live
    }
    /// Drops objects that would need too many parameters of blocks; all, if they are too many together.
    pub fn drop_costly(&mut self, live: &[Vec<bool>], preds: &[Vec<Block>]) {
        let cost = |(c, live): (&Candidate, &Vec<bool>)| {
            let met = live.iter().zip(preds).filter(|(live, preds)| **live && preds.len() > 1).count();
            met * (0..c.fields.len()).filter(|f| c.varies(*f)).count()
        };
        let costs: Vec<usize> = self.all.iter().zip(live).map(cost).collect();
        let none = costs.iter().sum::<usize>() > MOST_TOGETHER;
        let mut any = false;
        for (c, cost) in self.all.iter_mut().zip(costs) {
            c.stays = none || cost > MOST_PARAMS;
            any |= c.stays;
        }
        if any {
            self.settle();
            self.only_replaced();
        }
    }
    /// Whether there was an object with two names at a time; it stays, and what it may become.
    pub fn drop_twice_named(&mut self, live: &[Vec<bool>]) -> bool {
        let twice = |(arg, param, b): &&(Value, Value, Block)| {
            self.of.contains_key(param) && self.of.get(arg).is_some_and(|n| live[*n][b.index()])
        };
        let twice: Vec<Value> = self.flows.iter().filter(twice).map(|f| f.0).collect();
        twice.iter().for_each(|v| self.lets_out(*v));
        if !twice.is_empty() {
            self.settle();
            self.only_replaced();
        }
        !twice.is_empty()
    }
    fn only_replaced(&mut self) {
        self.all.retain(|c| !c.stays);
        self.of = self.all.iter().enumerate().map(|(n, c)| (c.object, n)).collect();
    }
}

/// The objects that can be replaced, but for those with two names.
pub fn find(func: &Func, order: &[Block]) -> Candidates {
    let mut found = Candidates::default();
    for &block in order {
        let data = func.block(block);
        for p in data.params.iter().filter(|p| func.ty(**p) == Ty::Ref) {
            found.add(*p, None, block);
        }
        for i in &data.insts {
            // The collector has a hand in references, a relayout in what keeps offsets.
            if let (Op::New(class, ..), Some(object)) = (&i.op, i.result)
                && !class.has_flag(flags::REFERENCE)
                && !class.has_flag(flags::KEEPS_OFFSETS)
            {
                found.add(object, Some(class), block);
            }
        }
    }
    for &block in order {
        let data = func.block(block);
        data.insts.iter().for_each(|i| found.look(i, block));
        found.look_at_end(func, &data.end);
    }
    for m in func.states.iter().flat_map(|s| &s.monitors) {
        found.lets_out(*m);
    }
    found.settle();
    found.share_fields();
    found.settle();
    found.only_replaced();
    found
}
