//! Folds constants, replaces block parameters that always get the same value, and removes what is not
//! used.
//!
//! Law for loads that are removed: an unused load orders nothing by itself; the order of the accesses
//! around it is kept by their own modes (vbd 3.1). Loads with acquire semantics are kept.
use crate::ir::{BinOp, Cond, FCond, Func, Inst, Op, Terminator, UnOp, Value};
use concord_contract::BasicType;

pub fn run(func: &mut Func) {
    let order = func.order();
    drop_unreachable(func, &order);
    trivial_params(func, &order);
    fold(func, &order);
    dead(func, &order);
}

pub(super) fn drop_unreachable(func: &mut Func, order: &[crate::ir::Block]) {
    let mut reached = vec![false; func.blocks.len()];
    order.iter().for_each(|b| reached[b.index()] = true);
    for (data, _) in func.blocks.iter_mut().zip(&reached).filter(|(_, r)| !**r) {
        *data = crate::ir::BlockData::default();
    }
}

/// Follows replacements to their end, shortening the way.
pub(super) fn resolve(map: &mut [Value], v: Value) -> Value {
    let mut root = v;
    while map[root.index()] != root {
        root = map[root.index()];
    }
    let mut at = v;
    while map[at.index()] != root {
        at = std::mem::replace(&mut map[at.index()], root);
    }
    root
}

fn trivial_params(func: &mut Func, order: &[crate::ir::Block]) {
    let mut map: Vec<Value> = (0..func.types.len() as u32).map(Value).collect();
    let mut changed = true;
    let mut any = false;
    while changed {
        changed = false;
        // The one argument of each parameter that is not the parameter itself; None for several.
        let mut only: Vec<Option<Option<Value>>> = vec![Some(None); func.types.len()];
        for b in order {
            for t in func.blocks[b.index()].end.targets() {
                for (p, a) in func.blocks[t.block.index()].params.iter().zip(&t.args) {
                    let (p, a) = (*p, resolve(&mut map, *a));
                    if a == p {
                        continue;
                    }
                    only[p.index()] = match only[p.index()] {
                        Some(None) => Some(Some(a)),
                        Some(Some(x)) if x == a => Some(Some(a)),
                        _ => None,
                    };
                }
            }
        }
        for b in order {
            let params = func.blocks[b.index()].params.clone();
            let mut gone = Vec::new();
            for (n, p) in params.iter().enumerate() {
                if let Some(Some(a)) = only[p.index()] {
                    let a = resolve(&mut map, a);
                    if a != *p {
                        map[p.index()] = a;
                        gone.push(n);
                    }
                }
            }
            if gone.is_empty() {
                continue;
            }
            (changed, any) = (true, true);
            let keep = |n: usize| !gone.contains(&n);
            func.blocks[b.index()].params =
                params.iter().enumerate().filter(|(n, _)| keep(*n)).map(|(_, p)| *p).collect();
            for x in order {
                func.blocks[x.index()].end.for_each_target_mut(|t| {
                    if t.block == *b {
                        let mut n = 0;
                        t.args.retain(|_| {
                            n += 1;
                            keep(n - 1)
                        });
                    }
                });
            }
        }
    }
    if any {
        replace(func, &mut map);
    }
}

pub(super) fn replace(func: &mut Func, map: &mut [Value]) {
    for data in &mut func.blocks {
        for i in &mut data.insts {
            i.op.for_each_use_mut(|v| *v = resolve(map, *v));
        }
        data.end.for_each_use_mut(|v| *v = resolve(map, *v));
    }
    for s in &mut func.states {
        s.for_each_value_mut(|v| *v = resolve(map, *v));
    }
}

/// Constants through arithmetic and comparisons; branches on constants; comparison chains; remainders that
/// are only asked whether they are 0; conversions of what is that narrow already.
fn fold(func: &mut Func, order: &[crate::ir::Block]) {
    let mut known: Vec<Option<Op>> = vec![None; func.types.len()];
    let mut narrow: Vec<Option<(i32, i32)>> = vec![None; func.types.len()];
    let mut map: Vec<Value> = (0..func.types.len() as u32).map(Value).collect();
    let mut any = false;
    for b in order {
        let insts = std::mem::take(&mut func.blocks[b.index()].insts);
        let mut out = Vec::with_capacity(insts.len());
        for mut i in insts {
            i.op.for_each_use_mut(|v| *v = map.get(v.index()).copied().unwrap_or(*v));
            if let Some(op) = simplify(&i.op, &known) {
                i.op = op;
            }
            if let (Some(v), Op::Un(o, x)) = (i.result, &i.op)
                && let Some((low, high)) = width(*o)
                && range(&narrow, &known, *x).is_some_and(|(a, b)| low <= a && b <= high)
            {
                map[v.index()] = *x;
                any = true;
                continue;
            }
            if let Some(v) = i.result {
                narrow[v.index()] = result_range(&i.op, |v| range(&narrow, &known, v));
            }
            if let Op::Guard(v, _) = i.op
                && matches!(known[v.index()], Some(Op::Int(n)) if n != 0)
            {
                continue;
            }
            if let Some((cond, x, mask, zero)) = divides(&i.op, &known) {
                let mut make = |op: Op| {
                    let v = func.new_value(func.ty(x));
                    narrow.push(None);
                    map.push(v);
                    known.push(matches!(op, Op::Int(_) | Op::Long(_)).then(|| op.clone()));
                    out.push(Inst { op, result: Some(v), owes_fence: false });
                    v
                };
                let mask = make(mask);
                i.op = Op::Cmp(cond, make(Op::Bin(BinOp::And, x, mask)), zero);
            }
            if let Some(v) = i.result {
                let keep = matches!(
                    i.op,
                    Op::Int(_)
                        | Op::Long(_)
                        | Op::Float(_)
                        | Op::Double(_)
                        | Op::Null
                        | Op::Cmp3(..)
                        | Op::Bin(BinOp::Rem, ..)
                );
                known[v.index()] = keep.then(|| i.op.clone());
            }
            out.push(i);
        }
        let data = &mut func.blocks[b.index()];
        data.insts = out;
        if let Terminator::If(v, yes, no) = &data.end
            && let Some(Op::Int(n)) = known[v.index()]
        {
            data.end = Terminator::Jump(if n != 0 { yes.clone() } else { no.clone() });
        }
    }
    if any {
        replace(func, &mut map);
    }
}

/// The numbers that a narrowing conversion leaves as they are.
fn width(o: UnOp) -> Option<(i32, i32)> {
    Some(match o {
        UnOp::I2B => (i8::MIN.into(), i8::MAX.into()),
        UnOp::I2C => (0, u16::MAX.into()),
        UnOp::I2S => (i16::MIN.into(), i16::MAX.into()),
        UnOp::I2Z => (0, 1),
        _ => return None,
    })
}

/// The least and the greatest number that an int may be, if that is known.
fn range(narrow: &[Option<(i32, i32)>], known: &[Option<Op>], v: Value) -> Option<(i32, i32)> {
    match known[v.index()] {
        Some(Op::Int(n)) => Some((n, n)),
        _ => narrow[v.index()],
    }
}

/// The same for what an instruction gives.
fn result_range(op: &Op, of: impl Fn(Value) -> Option<(i32, i32)>) -> Option<(i32, i32)> {
    match op {
        Op::LoadField(_, _, m) | Op::LoadStatic(_, _, m) | Op::LoadElement(_, _, m) => match m.ty {
            BasicType::Byte => width(UnOp::I2B),
            BasicType::Char => width(UnOp::I2C),
            BasicType::Short => width(UnOp::I2S),
            _ => None,
        },
        Op::Un(o, _) => width(*o),
        Op::Bin(BinOp::And, a, b) => {
            let high = |v: &Value| of(*v).filter(|(low, _)| *low >= 0).map(|(_, high)| high);
            let least = high(a).into_iter().chain(high(b)).min()?;
            Some((0, least))
        }
        Op::Cmp(..)
        | Op::FCmp(..)
        | Op::InstanceOf(..)
        | Op::CanCast(..)
        | Op::CanStore(..)
        | Op::IsA(..)
        | Op::IsExactly(..) => Some((0, 1)),
        _ => None,
    }
}

/// If the instruction asks whether a power of two divides a number, how: the condition, the number, the mask
/// of the bits that must be 0, and the zero. Whatever the signs, the remainder is 0 if and only if they are.
fn divides(op: &Op, known: &[Option<Op>]) -> Option<(Cond, Value, Op, Value)> {
    let Op::Cmp(c @ (Cond::Eq | Cond::Ne), a, zero) = op else { return None };
    let Some(Op::Bin(BinOp::Rem, x, d)) = &known[a.index()] else { return None };
    let mask = match (&known[d.index()], &known[zero.index()]) {
        (Some(Op::Int(d)), Some(Op::Int(0))) => {
            Op::Int(d.unsigned_abs().is_power_of_two().then(|| (d.unsigned_abs() - 1) as i32)?)
        }
        (Some(Op::Long(d)), Some(Op::Long(0))) => {
            Op::Long(d.unsigned_abs().is_power_of_two().then(|| (d.unsigned_abs() - 1) as i64)?)
        }
        _ => return None,
    };
    Some((*c, *x, mask, *zero))
}

pub(super) fn simplify(op: &Op, known: &[Option<Op>]) -> Option<Op> {
    let of = |v: &Value| known[v.index()].as_ref();
    let int = |v: &Value| match of(v) {
        Some(Op::Int(n)) => Some(*n),
        _ => None,
    };
    let long = |v: &Value| match of(v) {
        Some(Op::Long(n)) => Some(*n),
        _ => None,
    };
    Some(match op {
        Op::Bin(o, a, b) => {
            if let (Some(x), Some(y)) = (int(a), int(b)) {
                Op::Int(fold_int(*o, x, y)?)
            } else if let (Some(x), Some(y)) = (long(a), long(b)) {
                Op::Long(fold_long(*o, x, y)?)
            } else if let (Some(x), Some(n)) = (long(a), int(b)) {
                Op::Long(match o {
                    BinOp::Shl => x.wrapping_shl(n as u32),
                    BinOp::Shr => x.wrapping_shr(n as u32),
                    BinOp::Ushr => (x as u64).wrapping_shr(n as u32) as i64,
                    _ => return None,
                })
            } else {
                return None;
            }
        }
        Op::Un(UnOp::I2L, a) => Op::Long(int(a)? as i64),
        Op::Un(UnOp::I2B, a) => Op::Int(int(a)? as i8 as i32),
        Op::Un(UnOp::I2C, a) => Op::Int(int(a)? as u16 as i32),
        Op::Un(UnOp::I2S, a) => Op::Int(int(a)? as i16 as i32),
        Op::Un(UnOp::I2Z, a) => Op::Int(int(a)? & 1),
        Op::Un(UnOp::L2I, a) => Op::Int(long(a)? as i32),
        Op::Cmp(c, a, b) => match (of(a), of(b)) {
            (Some(Op::Int(x)), Some(Op::Int(y))) => Op::Int(c.holds(x, y) as i32),
            (Some(Op::Long(x)), Some(Op::Long(y))) => Op::Int(c.holds(x, y) as i32),
            (Some(Op::Null), Some(Op::Null)) => Op::Int(c.holds(0, 0) as i32),
            // lcmp, fcmpl and the like, followed by a comparison with 0.
            (Some(Op::Cmp3(x, y, nan)), Some(Op::Int(0))) => compare(*c, *x, *y, *nan),
            _ if a == b && matches!(c, Cond::Eq | Cond::Ge | Cond::Le) => Op::Int(1),
            _ if a == b => Op::Int(0),
            _ => return None,
        },
        Op::CanStore(_, v) if matches!(of(v), Some(Op::Null)) => Op::Int(1),
        _ => return None,
    })
}

/// A three-way comparison whose sign is compared with 0; `nan` is 0 for longs.
fn compare(c: Cond, x: Value, y: Value, nan: i32) -> Op {
    if nan == 0 {
        return Op::Cmp(c, x, y);
    }
    Op::FCmp(FCond { cond: c, unordered: c.holds(nan, 0) }, x, y)
}

fn fold_int(o: BinOp, x: i32, y: i32) -> Option<i32> {
    Some(match o {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x.wrapping_div((y != 0).then_some(y)?),
        BinOp::Rem => x.wrapping_rem((y != 0).then_some(y)?),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => x.wrapping_shl(y as u32),
        BinOp::Shr => x.wrapping_shr(y as u32),
        BinOp::Ushr => (x as u32).wrapping_shr(y as u32) as i32,
        BinOp::Min => x.min(y),
        BinOp::Max => x.max(y),
        BinOp::MulHigh => return None,
    })
}
fn fold_long(o: BinOp, x: i64, y: i64) -> Option<i64> {
    Some(match o {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div => x.wrapping_div((y != 0).then_some(y)?),
        BinOp::Rem => x.wrapping_rem((y != 0).then_some(y)?),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Min => x.min(y),
        BinOp::Max => x.max(y),
        _ => return None,
    })
}

/// Removes instructions without effect whose value nobody needs, and parameters that nobody reads.
fn dead(func: &mut Func, _old: &[crate::ir::Block]) {
    // Folded branches may have cut blocks off.
    let order = func.order();
    drop_unreachable(func, &order);
    let mut needed = vec![false; func.types.len()];
    let mut work: Vec<Value> = Vec::new();
    let mut def: Vec<Option<(usize, usize)>> = vec![None; func.types.len()];
    let mut param: Vec<Option<(usize, usize)>> = vec![None; func.types.len()];
    let mut into: Vec<Vec<(usize, usize)>> = vec![Vec::new(); func.blocks.len()];
    for b in &order {
        let data = func.block(*b);
        for (n, p) in data.params.iter().enumerate() {
            param[p.index()] = Some((b.index(), n));
        }
        for (n, i) in data.insts.iter().enumerate() {
            if let Some(v) = i.result {
                def[v.index()] = Some((b.index(), n));
            }
            if !i.op.is_pure() {
                work.extend(i.op.uses());
                work.extend(i.op.state().into_iter().flat_map(|s| func.state_values(s)));
            }
        }
        work.extend(data.end.operand());
        if let Terminator::Throw(_, args, _) = &data.end {
            work.extend(args);
        }
        work.extend(data.end.state().into_iter().flat_map(|s| func.state_values(s)));
        for (n, t) in data.end.targets().iter().enumerate() {
            into[t.block.index()].push((b.index(), n));
        }
    }
    while let Some(v) = work.pop() {
        if std::mem::replace(&mut needed[v.index()], true) {
            continue;
        }
        if let Some((b, n)) = def[v.index()] {
            let op = &func.blocks[b].insts[n].op;
            if op.is_pure() {
                work.extend(op.uses());
            }
        }
        if let Some((b, n)) = param[v.index()] {
            for (from, which) in &into[b] {
                work.push(func.blocks[*from].end.targets()[*which].args[n]);
            }
        }
    }
    for b in &order {
        let params = func.block(*b).params.clone();
        if params.iter().any(|p| !needed[p.index()]) {
            for (from, which) in &into[b.index()] {
                let mut at = 0;
                func.blocks[*from].end.for_each_target_mut(|t| {
                    if at == *which {
                        let mut n = 0;
                        t.args.retain(|_| {
                            n += 1;
                            needed[params[n - 1].index()]
                        });
                    }
                    at += 1;
                });
            }
            func.blocks[b.index()].params.retain(|p| needed[p.index()]);
        }
        func.blocks[b.index()].insts.retain(|i| !i.op.is_pure() || i.result.is_some_and(|v| needed[v.index()]));
    }
}
