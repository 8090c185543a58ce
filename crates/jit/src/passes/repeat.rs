//! Removes checks, lengths of arrays and comparisons of classes that are there already.
//!
//! Invariant: what is removed has an equal that dominates it. Law: lengths and classes never change and are no
//! shared memory (`Access::Immutable`), references in registers do not either; so the second check
//! passes where the first one did. No load of a field or element is touched.
use crate::ir::verify::Dominators;
use crate::ir::{Block, Func, Inst, Op, Value};
use std::collections::HashMap;

/// What has equals.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Length(Value),
    NotNull(Value),
    InBounds(Value, Value),
    Holds(Value),
    IsA(usize, Value),
    Exactly(usize, Value),
}

pub fn run(func: &mut Func) {
    let order = func.order();
    let candidates = |i: &&Inst| matches!(i.op, Op::ArrayLength(_) | Op::IsA(..) | Op::IsExactly(..));
    if order.iter().flat_map(|b| &func.block(*b).insts).filter(candidates).count() < 2 {
        return;
    }
    let dominators = Dominators::of(func, &order);
    let mut seen: HashMap<Key, Vec<(Block, Option<Value>)>> = HashMap::new();
    let mut map: Vec<Value> = (0..func.types.len() as u32).map(Value).collect();
    let mut any = false;
    for &b in &order {
        let mut insts = std::mem::take(&mut func.blocks[b.index()].insts);
        insts.retain(|i| {
            let key = match i.op {
                Op::ArrayLength(a) => Key::Length(a),
                Op::NullCheck(v, _) => Key::NotNull(v),
                Op::BoundsCheck(n, len, _) => Key::InBounds(n, map[len.index()]),
                Op::Guard(v, _) => Key::Holds(map[v.index()]),
                Op::IsA(k, v) => Key::IsA(std::ptr::from_ref(k) as usize, v),
                Op::IsExactly(k, v) => Key::Exactly(std::ptr::from_ref(k) as usize, v),
                _ => return true,
            };
            let known = seen.entry(key).or_default();
            let Some((_, first)) = known.iter().find(|(d, _)| *d == b || dominators.dominates(*d, b)) else {
                known.push((b, i.result));
                return true;
            };
            if let (Some(v), Some(first)) = (i.result, first) {
                map[v.index()] = *first;
            }
            any = true;
            false
        });
        func.blocks[b.index()].insts = insts;
    }
    if any {
        super::clean::replace(func, &mut map);
    }
}
