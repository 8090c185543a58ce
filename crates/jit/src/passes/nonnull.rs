//! Removes checks for null of what a loop carries around and is never null.
//!
//! Invariant: a check goes only if its value is no null on any path: it was made by an allocation, or is a parameter
//! that gets, from everywhere, such values or values that were checked before the jump. Parameters are believed until an
//! argument says otherwise, so a loop that passes on what it was given keeps what is known of that (the front end, which
//! sees a loop's head before its end, knows nothing there).
//!
//! Code that enters a loop in the middle is given what it carries by the interpreter. If all turns check it, it is
//! checked once before the first one: with a null this turn is the last, and the interpreter does it.
use crate::ir::state::Reason;
use crate::ir::verify::Dominators;
use crate::ir::{Block, ENTRY, FrameState, Func, Inst, Op, Resume, StateId, Ty, Value};
use std::collections::HashMap;

pub fn run(func: &mut Func) {
    let order = func.order();
    let checks = Checks::of(func, &order);
    if !order.iter().flat_map(|b| &func.block(*b).params).any(|p| checks.of.contains_key(p)) {
        return;
    }
    let mut known = checks.known(func, &[]);
    let given = checks.worth_checking(func, &known);
    if !given.is_empty() {
        known = checks.known(func, &given);
    }
    for b in order {
        func.blocks[b.index()].insts.retain(|i| !matches!(i.op, Op::NullCheck(v, _) if known[v.index()]));
    }
    check_at_entry(func, &given);
}

/// Where values are checked.
struct Checks<'a> {
    order: &'a [Block],
    dominators: Dominators,
    of: HashMap<Value, Vec<Block>>,
}

impl Checks<'_> {
    fn of<'a>(func: &Func, order: &'a [Block]) -> Checks<'a> {
        let mut of: HashMap<Value, Vec<Block>> = HashMap::new();
        for &b in order {
            for i in &func.block(b).insts {
                if let Op::NullCheck(v, _) = i.op {
                    of.entry(v).or_default().push(b);
                }
            }
        }
        Checks { order, dominators: Dominators::of(func, order), of }
    }
    /// Whether the value is checked on every way to the block's end.
    fn before_end(&self, v: Value, b: Block) -> bool {
        self.of.get(&v).is_some_and(|all| all.iter().any(|d| *d == b || self.dominators.dominates(*d, b)))
    }
    /// The values that are no null, if those `given` are none.
    fn known(&self, func: &Func, given: &[Value]) -> Vec<bool> {
        let mut known = vec![false; func.types.len()];
        given.iter().for_each(|v| known[v.index()] = true);
        for b in self.order {
            let data = func.block(*b);
            data.params.iter().filter(|p| func.ty(**p) == Ty::Ref).for_each(|p| known[p.index()] = true);
            for i in &data.insts {
                if let (Some(v), Op::New(..) | Op::NewArray(..) | Op::MultiNewArray(..)) = (i.result, &i.op) {
                    known[v.index()] = true;
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &b in self.order {
                for t in func.block(b).end.targets() {
                    for (p, a) in func.block(t.block).params.iter().zip(&t.args) {
                        if known[p.index()] && !known[a.index()] && !self.before_end(*a, b) {
                            known[p.index()] = false;
                            changed = true;
                        }
                    }
                }
            }
        }
        known
    }
    /// Locals of the interpreter's frame that reach a loop which checks them in each turn, and need not any more if they
    /// are checked before.
    fn worth_checking(&self, func: &Func, known: &[bool]) -> Vec<Value> {
        let locals = func.block(ENTRY).insts.iter().filter(|i| matches!(i.op, Op::OsrLocal(_)));
        let locals: Vec<Value> = locals.filter_map(|i| i.result).filter(|v| func.ty(*v) == Ty::Ref).collect();
        let mut worth = Vec::new();
        if locals.is_empty() {
            return worth;
        }
        let with = self.known(func, &locals);
        let mut given: HashMap<Value, Vec<Value>> = HashMap::new();
        let mut latches: HashMap<Block, Vec<Block>> = HashMap::new();
        for &b in self.order {
            for t in func.block(b).end.targets() {
                for (p, a) in func.block(t.block).params.iter().zip(&t.args) {
                    given.entry(*p).or_default().push(*a);
                }
                // The interpreter comes by a jump back, which polls; an outer loop that comes again does not here.
                let polls = matches!(func.block(b).insts.last().map(|i| &i.op), Some(Op::Poll(_)));
                if polls && self.dominators.dominates(t.block, b) {
                    latches.entry(t.block).or_default().push(b);
                }
            }
        }
        for (head, latches) in &latches {
            let params = func.block(*head).params.iter().filter(|p| self.of.contains_key(p));
            let helped = params.filter(|p| with[p.index()] && !known[p.index()]);
            let mut work: Vec<Value> =
                helped.filter(|p| latches.iter().all(|b| self.before_end(**p, *b))).copied().collect();
            let mut seen = Vec::new();
            while let Some(v) = work.pop() {
                if !seen.contains(&v) && !known[v.index()] {
                    seen.push(v);
                    work.extend(given.get(&v).into_iter().flatten());
                }
            }
            worth.extend(seen.into_iter().filter(|v| locals.contains(v)));
        }
        worth.sort_unstable();
        worth.dedup();
        worth
    }
}

/// Leaves the code where it is entered if one of the values is null.
fn check_at_entry(func: &mut Func, given: &[Value]) {
    if given.is_empty() {
        return;
    }
    let state = entered(func);
    let insts = &mut func.blocks[ENTRY.index()].insts;
    let behind = insts.iter().rposition(|i| matches!(i.op, Op::OsrLocal(_) | Op::OsrMonitor(_))).map_or(0, |n| n + 1);
    let checks = given.iter().map(|v| Inst { op: Op::NullCheck(*v, state), result: None, owes_fence: false });
    insts.splice(behind..behind, checks);
}

/// The frame that the code takes over.
fn entered(func: &mut Func) -> StateId {
    let (mut locals, mut monitors) = (Vec::new(), Vec::new());
    for i in &func.block(ENTRY).insts {
        match i.op {
            Op::OsrLocal(n) => {
                let slots = n as usize + i.result.map_or(1, |v| func.ty(v).slots());
                locals.resize(slots.max(locals.len()), None);
                locals[n as usize] = i.result;
            }
            Op::OsrMonitor(_) => monitors.extend(i.result),
            _ => {}
        }
    }
    locals.resize(locals.len().max(func.method.max_locals as usize), None);
    func.add_state(FrameState {
        method: func.method,
        bci: func.osr.unwrap_or(0),
        resume: Resume::Reexecute,
        reason: Reason::NullCheck,
        locals,
        stack: Vec::new(),
        monitors,
        parent: None,
        objects: Vec::new(),
    })
}
