//! Straightens control flow: jumps over tests whose outcome is known on the way, and makes one block
//! of two that always follow each other.
//!
//! Invariant: the instructions with effects that a path executes, and their order, stay the same; only
//! tests and constants on the way go.
//!
//! A block of pure instructions that ends in a test, and whose values nobody else reads, is passed by
//! whoever jumps to it with arguments that decide the test: this is what inlined predicates leave.
//! ```text
//!  b1: x = 0; jump b3(x)          b1: jump b5
//!  b2: y = 1; jump b3(y)     =>   b2: jump b4
//!  b3(p): if p b4 else b5
//! ```
use super::clean::{drop_unreachable, replace, resolve, simplify};
use crate::ir::{Block, ENTRY, Func, Inst, Op, Target, Terminator, Value};

/// Instructions of a block that is worth passing.
const MOST: usize = 6;
/// Tests that are passed one after the other.
const ROUNDS: usize = 3;

pub fn run(func: &mut Func) {
    let mut order = func.order();
    drop_unreachable(func, &order);
    let mut known = constants(func, &order);
    merge(func, &order);
    for _ in 0..ROUNDS {
        order = func.order();
        if !thread(func, &order, &mut known) {
            break;
        }
        order = func.order();
        drop_unreachable(func, &order);
        merge(func, &order);
    }
}

/// What is known of each value: its instruction, if that is a constant.
fn constants(func: &Func, order: &[Block]) -> Vec<Option<Op>> {
    let mut known: Vec<Option<Op>> = vec![None; func.types.len()];
    for i in order.iter().flat_map(|b| &func.block(*b).insts) {
        if let (Some(v), Op::Int(_) | Op::Long(_) | Op::Null) = (i.result, &i.op) {
            known[v.index()] = Some(i.op.clone());
        }
    }
    known
}

/// Appends to each block the one that always and only follows it.
pub(super) fn merge(func: &mut Func, order: &[Block]) {
    let mut preds = vec![0u32; func.blocks.len()];
    for s in order.iter().flat_map(|b| func.block(*b).end.successors()) {
        preds[s.index()] += 1;
    }
    let mut map: Vec<Value> = (0..func.types.len() as u32).map(Value).collect();
    let mut gone = vec![false; func.blocks.len()];
    let mut any = false;
    for &b in order {
        if gone[b.index()] {
            continue;
        }
        while let Terminator::Jump(t) = &func.block(b).end
            && t.block != b
            && t.block != ENTRY
            && preds[t.block.index()] == 1
        {
            let Target { block, args } = t.clone();
            let next = std::mem::take(&mut func.blocks[block.index()]);
            for (p, a) in next.params.iter().zip(&args) {
                map[p.index()] = resolve(&mut map, *a);
            }
            let data = &mut func.blocks[b.index()];
            data.insts.extend(next.insts);
            data.end = next.end;
            (gone[block.index()], any) = (true, true);
        }
    }
    if any {
        replace(func, &mut map);
    }
}

/// Values that are read outside of the block that defines them.
fn shared(func: &Func, order: &[Block]) -> Vec<bool> {
    let mut home = vec![ENTRY; func.types.len()];
    for &b in order {
        let data = func.block(b);
        let results = data.insts.iter().filter_map(|i| i.result);
        data.params.iter().copied().chain(results).for_each(|v| home[v.index()] = b);
    }
    let mut shared = vec![false; func.types.len()];
    for &b in order {
        let data = func.block(b);
        let mut read = |v: Value| shared[v.index()] |= home[v.index()] != b;
        for i in &data.insts {
            i.op.for_each_use(&mut read);
            i.op.state().into_iter().flat_map(|s| func.state_values(s)).for_each(&mut read);
        }
        data.end.for_each_use(&mut read);
        data.end.state().into_iter().flat_map(|s| func.state_values(s)).for_each(&mut read);
    }
    shared
}

/// A block that can be passed.
struct Test {
    params: Vec<Value>,
    insts: Vec<Inst>,
    outcome: Value,
    yes: Target,
    no: Target,
}

fn test(func: &Func, b: Block, shared: &[bool]) -> Option<Test> {
    let data = func.block(b);
    let Terminator::If(outcome, yes, no) = &data.end else { return None };
    let local = |v: Value| !shared[v.index()];
    let light = |i: &Inst| {
        matches!(i.op, Op::Int(_) | Op::Long(_) | Op::Null | Op::Bin(..) | Op::Un(..) | Op::Cmp(..) | Op::Cmp3(..))
    };
    let fits = b != ENTRY
        && !data.params.is_empty()
        && data.insts.len() <= MOST
        && data.params.iter().all(|p| local(*p))
        && data.insts.iter().all(|i| light(i) && i.result.is_none_or(local));
    fits.then(|| Test {
        params: data.params.clone(),
        insts: data.insts.clone(),
        outcome: *outcome,
        yes: yes.clone(),
        no: no.clone(),
    })
}

/// Where a jump to the test with these arguments goes; constants of the test that its target gets are
/// left in `made`.
fn decide(t: &Test, args: &[Value], known: &mut [Option<Op>], made: &mut Vec<(Value, Op)>) -> Option<Target> {
    for (p, a) in t.params.iter().zip(args) {
        known[p.index()] = known[a.index()].clone();
    }
    for i in &t.insts {
        let Some(v) = i.result else { continue };
        let folded = simplify(&i.op, known);
        known[v.index()] = match folded {
            Some(op @ (Op::Int(_) | Op::Long(_) | Op::Null)) => Some(op),
            _ if matches!(i.op, Op::Int(_) | Op::Long(_) | Op::Null) => Some(i.op.clone()),
            _ => None,
        };
    }
    let Some(Op::Int(n)) = known[t.outcome.index()] else { return None };
    let mut to = if n != 0 { t.yes.clone() } else { t.no.clone() };
    for a in &mut to.args {
        if let Some(n) = t.params.iter().position(|p| p == a) {
            *a = args[n];
        } else if t.insts.iter().any(|i| i.result == Some(*a)) {
            made.push((*a, known[a.index()].clone()?));
        }
    }
    Some(to)
}

/// Sends jumps past tests that their arguments decide.
fn thread(func: &mut Func, order: &[Block], known: &mut Vec<Option<Op>>) -> bool {
    let shared = shared(func, order);
    let mut preds: Vec<Vec<Block>> = vec![Vec::new(); func.blocks.len()];
    for b in order {
        func.block(*b).end.successors().iter().for_each(|s| preds[s.index()].push(*b));
    }
    let mut any = false;
    for &b in order {
        let Some(t) = test(func, b, &shared) else { continue };
        for &from in &preds[b.index()] {
            let edges = func.block(from).end.targets().len();
            for n in 0..edges {
                let Some(edge) = func.block(from).end.targets().get(n).map(|t| (*t).clone()) else { continue };
                if from == b || edge.block != b {
                    continue;
                }
                let mut made = Vec::new();
                let to = decide(&t, &edge.args, known, &mut made);
                // What was found out holds for this edge only.
                let own = t.insts.iter().filter_map(|i| i.result).chain(t.params.iter().copied());
                own.for_each(|v| known[v.index()] = None);
                let Some(mut to) = to else { continue };
                for (old, op) in made {
                    let v = func.value(from, op.clone());
                    known.push(Some(op));
                    to.args.iter_mut().filter(|a| **a == old).for_each(|a| *a = v);
                }
                let mut at = 0;
                func.blocks[from.index()].end.for_each_target_mut(|x| {
                    if at == n {
                        *x = to.clone();
                    }
                    at += 1;
                });
                any = true;
            }
        }
    }
    any
}
