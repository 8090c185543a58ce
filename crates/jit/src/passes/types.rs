//! Answers type tests, and lengths of arrays, that the code itself has answered.
//!
//! Invariant: an answer holds on all ways to the test: the object was allocated here, so its class and length are known;
//! or a test of the same class and object that said yes dominates this one. Classes are compared as such, nothing is
//! concluded from their supertypes. Law: an object's class and an array's length never change (`Access::Immutable`).
use crate::ir::verify::Dominators;
use crate::ir::{Block, Cond, Func, Inst, Op, Terminator, Value};
use concord_contract::class::ClassRef;
use std::collections::HashMap;

pub fn run(func: &mut Func) {
    let order = func.order();
    let tests = |i: &Inst| matches!(i.op, Op::IsExactly(..) | Op::InstanceOf(..) | Op::CanCast(..) | Op::NewArray(..));
    if !order.iter().flat_map(|b| &func.block(*b).insts).any(tests) {
        return;
    }
    let facts = Facts::of(func, &order);
    let mut map: Vec<Value> = (0..func.types.len() as u32).map(Value).collect();
    for &b in &order {
        let mut insts = std::mem::take(&mut func.blocks[b.index()].insts);
        for (n, i) in insts.iter_mut().enumerate() {
            match &i.op {
                Op::ArrayLength(a) => {
                    if let (Some(v), Some((_, Some(length)))) = (i.result, facts.made.get(a)) {
                        map[v.index()] = *length;
                    }
                }
                Op::IsExactly(k, o) => {
                    if let Some((class, _)) = facts.made.get(o) {
                        i.op = Op::Int((address(class) == address(k)) as i32);
                    }
                }
                Op::InstanceOf(k, o) if facts.is(Test::Instance, k, *o, b, n) => i.op = Op::Int(1),
                Op::CanCast(k, o) if facts.can_be(k, *o, b, n) => i.op = Op::Int(1),
                _ => {}
            }
        }
        func.blocks[b.index()].insts = insts;
    }
    super::clean::replace(func, &mut map);
}

/// What was asked: null may be cast to every class and is an instance of none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Test {
    Instance,
    Cast,
}

type Asked = (Test, usize, Value);

/// What is known of objects.
struct Facts {
    /// Class of those allocated here, and length of arrays.
    made: HashMap<Value, (ClassRef, Option<Value>)>,
    /// Where a test has said yes: from this instruction of the block on.
    yes: HashMap<Asked, Vec<(Block, usize)>>,
    dominators: Dominators,
}

fn address(k: &ClassRef) -> usize {
    std::ptr::from_ref(*k) as usize
}

impl Facts {
    fn of(func: &Func, order: &[Block]) -> Facts {
        let (mut made, mut yes) = (HashMap::new(), HashMap::<_, Vec<_>>::new());
        let mut asked: HashMap<Value, Asked> = HashMap::new();
        let mut zeros: Vec<Value> = Vec::new();
        let mut compared: HashMap<Value, (Cond, Value)> = HashMap::new();
        let mut preds = vec![0u32; func.blocks.len()];
        order.iter().flat_map(|b| func.block(*b).end.successors()).for_each(|s| preds[s.index()] += 1);
        for &b in order {
            for (n, i) in func.block(b).insts.iter().enumerate() {
                match (&i.op, i.result) {
                    (Op::New(k, ..), Some(v)) => drop(made.insert(v, (*k, None))),
                    (Op::NewArray(k, _, length, _), Some(v)) => drop(made.insert(v, (*k, Some(*length)))),
                    (Op::InstanceOf(k, o), Some(v)) => drop(asked.insert(v, (Test::Instance, address(k), *o))),
                    (Op::CanCast(k, o), Some(v)) => drop(asked.insert(v, (Test::Cast, address(k), *o))),
                    (Op::Int(0), Some(v)) => zeros.push(v),
                    (Op::Cmp(c, x, zero), Some(v)) if zeros.contains(zero) => drop(compared.insert(v, (*c, *x))),
                    (Op::Guard(ok, _), _) => {
                        if let Some(fact) = asked.get(ok) {
                            yes.entry(*fact).or_default().push((b, n + 1));
                        }
                    }
                    _ => {}
                }
            }
            let Terminator::If(v, first, second) = &func.block(b).end else { continue };
            let (on, way) = match compared.get(v) {
                Some((Cond::Ne, x)) => (x, first),
                Some((Cond::Eq, x)) => (x, second),
                _ => (v, first),
            };
            if let (Some(fact), 1) = (asked.get(on), preds[way.block.index()]) {
                yes.entry(*fact).or_default().push((way.block, 0));
            }
        }
        Facts { made, yes, dominators: Dominators::of(func, order) }
    }
    /// Whether the test says yes where instruction `at` of the block is executed.
    fn is(&self, test: Test, k: &ClassRef, o: Value, b: Block, at: usize) -> bool {
        let same = |(class, _): &(ClassRef, Option<Value>)| address(class) == address(k);
        self.made.get(&o).is_some_and(same)
            || self
                .yes
                .get(&(test, address(k), o))
                .into_iter()
                .flatten()
                .any(|(d, from)| if *d == b { *from <= at } else { self.dominators.dominates(*d, b) })
    }
    fn can_be(&self, k: &ClassRef, o: Value, b: Block, at: usize) -> bool {
        self.is(Test::Cast, k, o, b, at) || self.is(Test::Instance, k, o, b, at)
    }
}
