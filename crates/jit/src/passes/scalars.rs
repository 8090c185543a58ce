//! Objects that never leave the code are kept as the values of their fields (scalar replacement).
//!
//! Invariant: an object is replaced only if nothing but accesses to its fields, checks of it, comparisons and frame states
//! use it: nobody else can ever reach it. It has one name at a time: a block's parameter may be any of several such objects
//! of one class, if none of them is used under its old name behind the jump. A frame state that names it says from then on
//! how to make it ([`Virtual`]), with what its fields hold there.
//!
//! Law L1 (`docs/papers/vbd.md`, "A fresh object that has not escaped the compilation"): no other thread observes its
//! memory, so its accesses order nothing, whatever their modes say. An object that the interpreter makes of it is this
//! thread's own, and what is stored into it then is published as by any store.
//!
//! Where ways meet, each field is a parameter of the block; [`clean`] takes those away that are not needed. What is stored
//! into one object may be replaced once that object is, so the pass goes round.
mod candidates;

use super::{clean, loops};
use crate::ir::{Block, Cond, FrameState, Func, Inst, Op, StateId, Terminator, Ty, UnOp, Value, Virtual, VirtualField};
use candidates::{Candidate, Candidates};
use concord_contract::BasicType;
use concord_contract::class::ClassRef;
use std::collections::HashMap;

/// Objects in objects that are replaced.
const ROUNDS: usize = 4;

pub fn run(func: &mut Func) {
    let mut any = false;
    for _ in 0..ROUNDS {
        if !func.blocks.iter().flat_map(|b| &b.insts).any(|i| matches!(i.op, Op::New(..))) {
            break;
        }
        let order = func.order();
        let mut found = candidates::find(func, &order);
        let preds = loops::predecessors(func, &order);
        let mut live = found.live(func, &order, &preds);
        while found.drop_twice_named(&live) {
            live = found.live(func, &order, &preds);
        }
        let all = found.all.len();
        found.drop_costly(&live, &preds);
        if found.all.is_empty() {
            break;
        }
        if found.all.len() != all {
            live = found.live(func, &order, &preds);
        }
        any = true;
        let at_end = vec![Holds::new(); func.blocks.len()];
        let Candidates { all: objects, of, .. } = found;
        Replacing { func, objects, of, live, preds, at_end, meets: Vec::new(), map: HashMap::new() }.run(&order);
        clean::run(func);
    }
    if any {
        super::shape::run(func);
    }
}

/// What the fields hold, by number of the object.
type Holds = HashMap<usize, Vec<Value>>;

struct Replacing<'a> {
    func: &'a mut Func,
    objects: Vec<Candidate>,
    of: HashMap<Value, usize>,
    /// For each object the blocks at whose beginning it is still used.
    live: Vec<Vec<bool>>,
    preds: Vec<Vec<Block>>,
    at_end: Vec<Holds>,
    /// Blocks that have got parameters for these fields of an object.
    meets: Vec<(Block, usize, Vec<usize>)>,
    /// Loads that are gone, and what they would give.
    map: HashMap<Value, Value>,
}

impl Replacing<'_> {
    fn run(mut self, order: &[Block]) {
        for &b in order {
            self.block(b);
        }
        for (b, n, fields) in std::mem::take(&mut self.meets) {
            let Candidate { object, block, .. } = self.objects[n];
            let param = self.func.block(b).params.iter().position(|p| block == b && *p == object);
            for p in self.preds[b.index()].clone() {
                let holds = &self.at_end[p.index()];
                self.func.blocks[p.index()].end.for_each_target_mut(|t| {
                    if t.block == b {
                        let from = param.map_or(n, |param| self.of[&t.args[param]]);
                        t.args.extend(fields.iter().map(|f| holds[&from][*f]));
                    }
                });
            }
        }
        self.drop_params(order);
        let mut map: Vec<Value> = (0..self.func.types.len() as u32).map(Value).collect();
        self.map.iter().for_each(|(gone, is)| map[gone.index()] = *is);
        clean::replace(self.func, &mut map);
    }

    /// Parameters that are objects go, and what is given for them.
    fn drop_params(&mut self, order: &[Block]) {
        for &b in order {
            let end = &mut self.func.blocks[b.index()].end;
            end.for_each_target_mut(|t| t.args.retain(|v| !self.of.contains_key(v)));
            self.func.blocks[b.index()].params.retain(|p| !self.of.contains_key(p));
        }
    }

    fn at_begin(&mut self, b: Block) -> Holds {
        let mut holds = Holds::new();
        for n in 0..self.objects.len() {
            let Candidate { object, block, .. } = self.objects[n];
            let begins = block == b && self.func.block(b).params.contains(&object);
            if !begins && !self.live[n][b.index()] {
                continue;
            }
            let fields = match self.preds[b.index()][..] {
                [p] if !begins => self.at_end[p.index()][&n].clone(),
                _ => self.meet(n, b, begins),
            };
            holds.insert(n, fields);
        }
        holds
    }

    /// What the fields hold where ways meet, or where the object begins as a parameter.
    fn meet(&mut self, n: usize, b: Block, begins: bool) -> Vec<Value> {
        let c = &self.objects[n];
        let news: Vec<usize> = (0..c.fields.len()).filter(|f| begins || c.varies(*f)).collect();
        let mut fields = match begins {
            true => Vec::new(),
            false => self.at_end[c.block.index()][&n].clone(),
        };
        fields.resize(c.fields.len(), c.object);
        for f in &news {
            fields[*f] = self.func.add_param(b, of(self.objects[n].fields[*f].1));
        }
        self.meets.push((b, n, news));
        fields
    }

    fn block(&mut self, b: Block) {
        let mut holds = self.at_begin(b);
        let insts = std::mem::take(&mut self.func.blocks[b.index()].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut i in insts {
            if self.instruction(&mut i, &mut holds, &mut out) {
                if let Some(s) = i.op.state_mut() {
                    *s = self.state(*s, &holds);
                }
                out.push(i);
            }
        }
        let mut end = std::mem::replace(&mut self.func.blocks[b.index()].end, Terminator::Unset);
        if let Some(s) = end.state_mut() {
            *s = self.state(*s, &holds);
        }
        let data = &mut self.func.blocks[b.index()];
        (data.insts, data.end) = (out, end);
        self.at_end[b.index()] = holds;
    }

    fn class(&self, n: usize) -> ClassRef {
        let c = &self.objects[n];
        c.class.unwrap_or_else(|| concord_base::bug!("{} has no class", c.object))
    }
    fn field(&self, n: usize, at: u32) -> usize {
        let found = self.objects[n].fields.iter().position(|f| f.0 == at);
        found.unwrap_or_else(|| concord_base::bug!("field {at} of {} was not seen", self.objects[n].object))
    }

    /// Whether the instruction stays.
    fn instruction(&mut self, i: &mut Inst, holds: &mut Holds, out: &mut Vec<Inst>) -> bool {
        let of = |o: &Value| self.of.get(o).copied();
        match (&i.op, i.result) {
            (Op::New(..), Some(o)) => {
                let Some(n) = of(&o) else { return true };
                let types = self.objects[n].fields.iter().map(|f| f.1);
                let fields = types.map(|ty| self.func.emit(out, zero(ty))).collect();
                holds.insert(n, fields);
                false
            }
            (Op::LoadField(o, at, _), Some(v)) => {
                let Some(n) = of(o) else { return true };
                self.map.insert(v, holds[&n][self.field(n, *at)]);
                false
            }
            (Op::StoreField(o, at, v, m), _) => {
                let Some(n) = of(o) else { return true };
                let v = match narrowing(m.ty) {
                    Some(conversion) => self.func.emit(out, Op::Un(conversion, *v)),
                    None => *v,
                };
                let field = self.field(n, *at);
                holds.entry(n).and_modify(|fields| fields[field] = v);
                false
            }
            (Op::NullCheck(o, _) | Op::Publish(o, ..), _) => of(o).is_none(),
            (Op::IsExactly(k, o), _) => {
                if let Some(n) = of(o) {
                    i.op = Op::Int(std::ptr::eq(self.class(n), *k).into());
                }
                true
            }
            (Op::InstanceOf(k, o) | Op::CanCast(k, o), _) => {
                if let Some(n) = of(o) {
                    i.op = Op::Int(self.class(n).is_subclass_of(k).into());
                }
                true
            }
            (Op::Cmp(c, x, y), _) => {
                if of(x).or(of(y)).is_some() {
                    i.op = Op::Int(((x == y) == (*c == Cond::Eq)).into());
                }
                true
            }
            _ => true,
        }
    }

    /// The state, or one that says how to make the objects that it names.
    fn state(&mut self, s: StateId, holds: &Holds) -> StateId {
        let mut named: Vec<usize> =
            self.func.chain(s).flat_map(FrameState::own_values).filter_map(|v| self.of.get(&v).copied()).collect();
        if named.is_empty() {
            return s;
        }
        named.sort_unstable();
        named.dedup();
        let mut state = self.func.state(s).clone();
        for n in named {
            let Candidate { object, fields, .. } = &self.objects[n];
            let fields = fields.iter().zip(&holds[&n]);
            let fields = fields.map(|((offset, ty), value)| VirtualField { offset: *offset, ty: *ty, value: *value });
            state.objects.push(Virtual { name: *object, class: self.class(n), fields: fields.collect() });
        }
        self.func.add_state(state)
    }
}

/// The type of a field's value.
fn of(ty: BasicType) -> Ty {
    Ty::of(ty).unwrap_or_else(|| concord_base::bug!("a field without a type"))
}
fn zero(ty: BasicType) -> Op {
    match of(ty) {
        Ty::Int => Op::Int(0),
        Ty::Long => Op::Long(0),
        Ty::Float => Op::Float(0),
        Ty::Double => Op::Double(0),
        Ty::Ref => Op::Null,
    }
}
/// What a store into the field cuts off.
fn narrowing(ty: BasicType) -> Option<UnOp> {
    Some(match ty {
        BasicType::Boolean => UnOp::I2Z,
        BasicType::Byte => UnOp::I2B,
        BasicType::Char => UnOp::I2C,
        BasicType::Short => UnOp::I2S,
        _ => return None,
    })
}
