//! Checks the invariants of a function: run after every pass in debug builds and in filetests.
//!
//! Checked: every value has one definition, which dominates its uses; arguments of jumps match the
//! parameters of their targets in number and type, those of calls and rows what these take; operands
//! have the types that their instruction wants; states name values that are defined, give long and
//! double two slots, and stand in states of frames that wait for a call; fields of virtual objects have
//! their types.
use super::{Block, ENTRY, Func, Inst, Op, Resume, StateId, Terminator, Ty, UnOp, Value, VirtualField};
use concord_contract::method::CallKind;
use concord_contract::rows::{Arg, Row};

/// # Errors
/// The first violation, as text.
pub fn verify(func: &Func) -> Result<(), String> {
    let order = func.order();
    let doms = Dominators::of(func, &order);
    let mut defined: Vec<Option<(Block, usize)>> = vec![None; func.types.len()];
    for &b in &order {
        let data = func.block(b);
        for (n, v) in data
            .params
            .iter()
            .map(|v| (0, *v))
            .chain(data.insts.iter().enumerate().filter_map(|(n, i)| i.result.map(|v| (n + 1, v))))
        {
            if defined[v.index()].replace((b, n)).is_some() {
                return Err(format!("{v} is defined twice"));
            }
        }
    }
    let reaches = |v: Value, b: Block, at: usize| match defined[v.index()] {
        None => Err(format!("{v} is used in {b} and has no definition")),
        Some((d, n)) if (d == b && n <= at) || (d != b && doms.dominates(d, b)) => Ok(()),
        Some((d, _)) => Err(format!("{v}, defined in {d}, is used in {b}, which it does not dominate")),
    };
    if !func.block(ENTRY).params.is_empty() {
        return Err("the entry block has parameters".into());
    }
    for &b in &order {
        let data = func.block(b);
        for (n, i) in data.insts.iter().enumerate() {
            for v in i.op.uses() {
                reaches(v, b, n)?;
            }
            // The state of an instruction may name its own result.
            for v in i.op.state().into_iter().flat_map(|s| func.state_values(s)) {
                reaches(v, b, n + 1)?;
            }
            operands(func, &i.op).map_err(|e| format!("{e} in {b}: {}", i.op))?;
            if !result_fits(func, i) {
                return Err(format!("a result of another type in {b}: {}", i.op));
            }
            i.op.state().map_or(Ok(()), |s| state(func, s))?;
        }
        let end = data.insts.len();
        let mut bad = None;
        data.end.for_each_use(|v| {
            if let Err(e) = reaches(v, b, end) {
                bad = Some(e);
            }
        });
        if let Some(e) = bad {
            return Err(e);
        }
        for v in data.end.state().into_iter().flat_map(|s| func.state_values(s)) {
            reaches(v, b, end)?;
        }
        data.end.state().map_or(Ok(()), |s| state(func, s))?;
        if !end_fits(func, &data.end) {
            return Err(format!("operands of wrong types at the end of {b}: {}", data.end));
        }
        for t in data.end.targets() {
            if t.block == ENTRY {
                return Err(format!("{b} jumps to the entry"));
            }
            let params = &func.block(t.block).params;
            if params.len() != t.args.len() || params.iter().zip(&t.args).any(|(p, a)| func.ty(*p) != func.ty(*a)) {
                return Err(format!("{b} jumps to {} with wrong arguments", t.block));
            }
        }
        if data.end == Terminator::Unset {
            return Err(format!("{b} has no terminator"));
        }
    }
    Ok(())
}

fn operands(func: &Func, op: &Op) -> Result<(), &'static str> {
    let is = |v: &Value, t: Ty| func.ty(*v) == t;
    let ok = match op {
        Op::Bin(o, a, b) => {
            use super::BinOp::*;
            match o {
                Shl | Shr | Ushr => (is(a, Ty::Int) || is(a, Ty::Long)) && is(b, Ty::Int),
                MulHigh => is(a, Ty::Long) && is(b, Ty::Long),
                And | Or | Xor => (is(a, Ty::Int) || is(a, Ty::Long)) && func.ty(*a) == func.ty(*b),
                _ => !is(a, Ty::Ref) && func.ty(*a) == func.ty(*b),
            }
        }
        Op::Un(u, a) => match u {
            UnOp::Neg | UnOp::Abs => !is(a, Ty::Ref),
            UnOp::Floor | UnOp::Ceil | UnOp::Rint => is(a, Ty::Double),
            UnOp::I2L | UnOp::I2F | UnOp::I2D | UnOp::I2B | UnOp::I2C | UnOp::I2S | UnOp::I2Z => is(a, Ty::Int),
            UnOp::L2I | UnOp::L2F | UnOp::L2D => is(a, Ty::Long),
            UnOp::F2I | UnOp::F2L | UnOp::F2D => is(a, Ty::Float),
            UnOp::D2I | UnOp::D2L | UnOp::D2F | UnOp::Sqrt | UnOp::DoubleBits => is(a, Ty::Double),
            UnOp::FloatBits => is(a, Ty::Float),
            UnOp::BitsFloat => is(a, Ty::Int),
            UnOp::BitsDouble => is(a, Ty::Long),
            UnOp::LeadingZeros | UnOp::TrailingZeros | UnOp::BitCount | UnOp::ReverseBytes => {
                is(a, Ty::Int) || is(a, Ty::Long)
            }
        },
        Op::Cmp(_, a, b) => func.ty(*a) == func.ty(*b) && !is(a, Ty::Float) && !is(a, Ty::Double),
        Op::FCmp(_, a, b) => func.ty(*a) == func.ty(*b) && (is(a, Ty::Float) || is(a, Ty::Double)),
        Op::Cmp3(a, b, _) => func.ty(*a) == func.ty(*b) && !is(a, Ty::Ref) && !is(a, Ty::Int),
        Op::NullCheck(a, _)
        | Op::ArrayLength(a)
        | Op::LoadField(a, ..)
        | Op::InstanceOf(_, a)
        | Op::CanCast(_, a)
        | Op::IsA(_, a)
        | Op::IsExactly(_, a)
        | Op::SelectInterface(_, _, a, _)
        | Op::MonitorEnter(a, _)
        | Op::MonitorExit(a, _)
        | Op::RegisterFinalizer(a, _)
        | Op::CountClass(_, a)
        | Op::CountReceiver(_, a) => is(a, Ty::Ref),
        Op::BoundsCheck(a, b, _) => is(a, Ty::Int) && is(b, Ty::Int),
        Op::Guard(a, _) | Op::NewArray(_, _, a, _) => is(a, Ty::Int),
        Op::StoreField(o, _, v, m) => is(o, Ty::Ref) && Ty::of(m.ty) == Some(func.ty(*v)),
        Op::StoreStatic(_, _, v, m) => Ty::of(m.ty) == Some(func.ty(*v)),
        Op::LoadElement(a, i, _) => is(a, Ty::Ref) && is(i, Ty::Int),
        Op::StoreElement(a, i, v, m) => is(a, Ty::Ref) && is(i, Ty::Int) && Ty::of(m.ty) == Some(func.ty(*v)),
        Op::GetClass(a) | Op::PublishShared(a, _) => is(a, Ty::Ref),
        Op::LoadRaw(o, at, _) => is(o, Ty::Ref) && is(at, Ty::Long),
        Op::StoreRaw(o, at, v, m) => is(o, Ty::Ref) && is(at, Ty::Long) && Ty::of(m.ty) == Some(func.ty(*v)),
        Op::Update(_, [o, at, v], m) => is(o, Ty::Ref) && is(at, Ty::Long) && Ty::of(m.ty) == Some(func.ty(*v)),
        Op::CompareAndSet([o, at, e, v], m) | Op::CompareAndExchange([o, at, e, v], m) => {
            is(o, Ty::Ref) && is(at, Ty::Long) && Ty::of(m.ty) == Some(func.ty(*v)) && func.ty(*e) == func.ty(*v)
        }
        Op::Fence(v) => v.iter().all(|v| is(v, Ty::Ref)),
        Op::Publish(a, v, _) | Op::CanStore(a, v) => is(a, Ty::Ref) && is(v, Ty::Ref),
        Op::MultiNewArray(_, d, _) => d.iter().all(|v| is(v, Ty::Int)),
        Op::Call(t, args, _) => {
            let own: Vec<Ty> = crate::frontend::declared(t.method).into_iter().filter_map(Ty::of).collect();
            let before: &[Ty] = match t.kind {
                CallKind::Static | CallKind::Handle if t.method.is_static() => &[],
                CallKind::Interface => &[Ty::Long, Ty::Ref],
                _ => &[Ty::Ref],
            };
            before.iter().chain(&own).copied().eq(args.iter().map(|v| func.ty(*v)))
        }
        Op::Leaf(row, args) | Op::RowCall(row, args, _) | Op::Raise(row, args, _) => takes(func, *row, args),
        Op::Param(_)
        | Op::OsrLocal(_)
        | Op::OsrMonitor(_)
        | Op::Int(_)
        | Op::Long(_)
        | Op::Float(_)
        | Op::Double(_)
        | Op::Null
        | Op::Root(_)
        | Op::LoadStatic(..)
        | Op::CurrentThread
        | Op::LoadFence
        | Op::New(..)
        | Op::Interrupted
        | Op::PendingException
        | Op::Catch
        | Op::Poll(_)
        | Op::Count(_) => true,
    };
    if ok { Ok(()) } else { Err("operands of wrong types") }
}

/// Whether the row takes these; classes and other things that do not move are longs here.
fn takes(func: &Func, row: Row, args: &[Value]) -> bool {
    let wanted = row.info().args.iter().map(|a| match a {
        Arg::I32 => Ty::Int,
        Arg::I64 | Arg::Ptr => Ty::Long,
        Arg::F32 => Ty::Float,
        Arg::F64 => Ty::Double,
        Arg::Ref => Ty::Ref,
    });
    wanted.eq(args.iter().map(|v| func.ty(*v)))
}

/// Parameters and what on-stack replacement hands over have the type that they are given; all other
/// instructions have a result or none, by what they are.
fn result_fits(func: &Func, i: &Inst) -> bool {
    match (&i.op, i.result) {
        (Op::Param(_) | Op::OsrLocal(_), result) => result.is_some(),
        // What a call gives need not be wanted.
        (Op::Call(..) | Op::RowCall(..), None) => true,
        (op, result) => result.map(|v| func.ty(v)) == func.result_type(op),
    }
}

fn end_fits(func: &Func, t: &Terminator) -> bool {
    match t {
        Terminator::If(v, ..) | Terminator::Switch(v, ..) => func.ty(*v) == Ty::Int,
        Terminator::Return(v) => v.map(|v| func.ty(v)) == Ty::of(func.method.ret),
        Terminator::Throw(row, args, _) => takes(func, *row, args),
        Terminator::Unset | Terminator::Jump(_) | Terminator::Deopt(_) => true,
    }
}

/// The form of a state and of those that it stands in.
fn state(func: &Func, s: StateId) -> Result<(), String> {
    let mut at = Some(s);
    while let Some(s) = at {
        let f = func.state(s);
        for slots in [&f.locals, &f.stack] {
            let two = |v: &Option<Value>| v.is_some_and(|v| func.ty(v).slots() == 2);
            let whole = slots.iter().enumerate().all(|(n, v)| !two(v) || slots.get(n + 1) == Some(&None));
            if !whole {
                return Err(format!("{s} gives a long or double one slot"));
            }
        }
        if f.monitors.iter().any(|m| func.ty(*m) != Ty::Ref) {
            return Err(format!("{s} holds the lock of a number"));
        }
        let fits = |f: &VirtualField| Ty::of(f.ty) == Some(func.ty(f.value));
        if f.objects.iter().any(|o| func.ty(o.name) != Ty::Ref || !o.fields.iter().all(fits)) {
            return Err(format!("{s} has a virtual object of wrong types"));
        }
        if f.resume == Resume::Calling && !f.objects.is_empty() {
            return Err(format!("{s} waits for a call and has virtual objects of its own"));
        }
        if f.parent.is_some_and(|p| func.state(p).resume != Resume::Calling) {
            return Err(format!("{s} stands in a frame that calls nobody"));
        }
        at = f.parent;
    }
    Ok(())
}

/// Immediate dominators (Cooper, Harvey, Kennedy).
pub struct Dominators {
    order: Vec<Block>,
    position: Vec<u32>,
    idom: Vec<u32>,
}

impl Dominators {
    pub fn of(func: &Func, order: &[Block]) -> Dominators {
        let mut position = vec![u32::MAX; func.blocks.len()];
        for (n, b) in order.iter().enumerate() {
            position[b.index()] = n as u32;
        }
        let mut preds = vec![Vec::new(); order.len()];
        for b in order {
            for s in func.block(*b).end.successors() {
                preds[position[s.index()] as usize].push(position[b.index()]);
            }
        }
        let mut idom = vec![u32::MAX; order.len()];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for n in 1..order.len() {
                let mut new = u32::MAX;
                for &p in preds[n].iter().filter(|p| idom[**p as usize] != u32::MAX) {
                    new = if new == u32::MAX { p } else { meet(&idom, p, new) };
                }
                if idom[n] != new {
                    idom[n] = new;
                    changed = true;
                }
            }
        }
        Dominators { order: order.to_vec(), position, idom }
    }
    /// The block that dominates `b` immediately.
    pub fn above(&self, b: Block) -> Option<Block> {
        let n = self.position[b.index()];
        (n != 0).then(|| self.order[self.idom[n as usize] as usize])
    }
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (a, mut b) = (self.position[a.index()], self.position[b.index()]);
        while b > a {
            b = self.idom[b as usize];
        }
        a == b
    }
}

fn meet(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}
