//! Text form of a function: what `-Xlog:jit=debug` and filetests show.
//!
//! Invariant: the text names everything that the function holds, but for the identity of classes and
//! methods, which it names by their names; [`super::parse`] reads it back.
//!
//! ```text
//! function "p/C.m(I)I" osr 12            the method; the loop that is entered
//! b0():                                  a block, its parameters, `cold`
//!     v0: int = param 0                  a value, its type, the instruction
//!     guard v0 s1 !fence                 a store before it is not fenced where it leaves the code
//!     jump b1(v0)
//! s1 = "p/C.m(I)I" at 7 Bounds [v0 -] (v2) locks v3 in s0 virtual v0 "p/D" (Int 12 v4)
//!                                        method, resumption, index, reason, locals, operand stack, virtual objects
//! ```
use super::op::Access;
use super::{FrameState, Func, Inst, Mem, Op, Resume, StateId, Target, Terminator, Value, Virtual, VirtualField};
use concord_contract::class::Birth;
use concord_contract::method::{MethodRef, NO_INDEX};
use std::fmt::{self, Display, Formatter};

/// A method's name as text in quotes.
struct Quoted(MethodRef);
impl Display for Quoted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", format!("{:?}", self.0))
    }
}

struct List<'a>(&'a [Value]);
impl Display for List<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (n, v) in self.0.iter().enumerate() {
            write!(f, "{}{v}", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

struct Born(Birth);
impl Display for Born {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 == Birth::Shared { ".shared" } else { "" })
    }
}

impl Display for Mem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.ty)?;
        match self.access {
            Access::Shared(m) => write!(f, ".{m:?}"),
            Access::Raw(m) => write!(f, ".Raw{m:?}"),
            Access::Local(m) => write!(f, ".Local{m:?}"),
            Access::Young(m) => write!(f, ".Young{m:?}"),
            Access::Immutable => write!(f, ".Immutable"),
        }?;
        f.write_str(if self.once { ".Once" } else { "" })
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Op::Param(n) => write!(f, "param {n}"),
            Op::OsrLocal(n) => write!(f, "osr_local {n}"),
            Op::OsrMonitor(n) => write!(f, "osr_monitor {n}"),
            Op::Int(n) => write!(f, "int {n}"),
            Op::Long(n) => write!(f, "long {n}"),
            Op::Float(n) => write!(f, "float {n:#x}"),
            Op::Double(n) => write!(f, "double {n:#x}"),
            Op::Null => write!(f, "null"),
            Op::Root(at) => write!(f, "root {at:#x}"),
            Op::Bin(o, a, b) => write!(f, "{} {a}, {b}", format!("{o:?}").to_lowercase()),
            Op::Un(o, a) => write!(f, "{} {a}", format!("{o:?}").to_lowercase()),
            Op::Cmp(c, a, b) => write!(f, "cmp.{} {a}, {b}", format!("{c:?}").to_lowercase()),
            Op::FCmp(c, a, b) => {
                let u = if c.unordered { "u" } else { "" };
                write!(f, "fcmp.{}{u} {a}, {b}", format!("{:?}", c.cond).to_lowercase())
            }
            Op::Cmp3(a, b, nan) => write!(f, "cmp3 {a}, {b}, {nan}"),
            Op::NullCheck(a, s) => write!(f, "null_check {a} {s}"),
            Op::BoundsCheck(a, b, s) => write!(f, "bounds_check {a}, {b} {s}"),
            Op::Guard(a, s) => write!(f, "guard {a} {s}"),
            Op::ArrayLength(a) => write!(f, "array_length {a}"),
            Op::LoadField(o, at, m) => write!(f, "load {m} {o}+{at}"),
            Op::StoreField(o, at, v, m) => write!(f, "store {m} {o}+{at}, {v}"),
            Op::LoadElement(a, i, m) => write!(f, "load {m} {a}[{i}]"),
            Op::StoreElement(a, i, v, m) => write!(f, "store {m} {a}[{i}], {v}"),
            Op::LoadStatic(c, at, m) => write!(f, "load {m} {:?}+{at}", c.name),
            Op::StoreStatic(c, at, v, m) => write!(f, "store {m} {:?}+{at}, {v}", c.name),
            Op::LoadRaw(o, at, m) => write!(f, "load {m} {o}+{at}"),
            Op::StoreRaw(o, at, v, m) => write!(f, "store {m} {o}+{at}, {v}"),
            Op::CompareAndSet([o, at, e, v], m) => write!(f, "compare_and_set {m} {o}+{at}, {e}, {v}"),
            Op::CompareAndExchange([o, at, e, v], m) => write!(f, "compare_and_exchange {m} {o}+{at}, {e}, {v}"),
            Op::Update(u, [o, at, v], m) => write!(f, "update.{} {m} {o}+{at}, {v}", format!("{u:?}").to_lowercase()),
            Op::Publish(o, v, None) => write!(f, "publish {o}, {v}"),
            Op::Publish(o, v, Some(s)) => write!(f, "publish {o}, {v} {s}"),
            Op::PublishShared(v, None) => write!(f, "publish_shared {v}"),
            Op::PublishShared(v, Some(s)) => write!(f, "publish_shared {v} {s}"),
            Op::Fence(v) if v.is_empty() => write!(f, "fence"),
            Op::Fence(v) => write!(f, "fence {}", List(v)),
            Op::GetClass(o) => write!(f, "get_class {o}"),
            Op::CurrentThread => write!(f, "current_thread"),
            Op::LoadFence => write!(f, "load_fence"),
            Op::Leaf(r, v) => write!(f, "leaf {} ({})", r.info().name, List(v)),
            Op::New(c, birth, s) => write!(f, "new{} {:?} {s}", Born(*birth), c.name),
            Op::NewArray(c, birth, n, s) => write!(f, "new_array{} {:?} {n} {s}", Born(*birth), c.name),
            Op::MultiNewArray(c, n, s) => write!(f, "multi_new_array {:?} ({}) {s}", c.name, List(n)),
            Op::InstanceOf(c, v) => write!(f, "instance_of {:?} {v}", c.name),
            Op::CanCast(c, v) => write!(f, "can_cast {:?} {v}", c.name),
            Op::IsA(c, v) => write!(f, "is_a {:?} {v}", c.name),
            Op::IsExactly(c, v) => write!(f, "is_exactly {:?} {v}", c.name),
            Op::CanStore(a, v) => write!(f, "can_store {a}, {v}"),
            Op::SelectInterface(c, n, o, s) => write!(f, "select_interface {:?}#{n} {o} {s}", c.name),
            Op::Call(t, args, s) => {
                write!(f, "call.{}", format!("{:?}", t.kind).to_lowercase())?;
                if t.index != NO_INDEX {
                    write!(f, "#{}", t.index)?;
                }
                let caught = if t.caught { " caught" } else { "" };
                write!(f, " {} ({}) {s}{caught}", Quoted(t.method), List(args))
            }
            Op::Raise(r, v, s) => write!(f, "raise {} ({}) {s}", r.info().name, List(v)),
            Op::RowCall(r, v, s) => write!(f, "row {} ({}) {s}", r.info().name, List(v)),
            Op::Interrupted => write!(f, "interrupted"),
            Op::PendingException => write!(f, "pending_exception"),
            Op::Catch => write!(f, "catch"),
            Op::MonitorEnter(o, s) => write!(f, "monitor_enter {o} {s}"),
            Op::MonitorExit(o, s) => write!(f, "monitor_exit {o} {s}"),
            Op::RegisterFinalizer(o, s) => write!(f, "register_finalizer {o} {s}"),
            Op::Poll(s) => write!(f, "poll {s}"),
            Op::Count(at) => write!(f, "count {at}"),
            Op::CountClass(r, v) => write!(f, "count_class {}, {} {v}", r.own, r.more),
            Op::CountReceiver(r, v) => write!(f, "count_receiver {}, {} {v}", r.own, r.more),
        }
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.block, List(&self.args))
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Terminator::Unset => write!(f, "unset"),
            Terminator::Jump(t) => write!(f, "jump {t}"),
            Terminator::If(v, a, b) => write!(f, "if {v} {a} else {b}"),
            Terminator::Switch(v, cases, d) => {
                write!(f, "switch {v}")?;
                for (k, t) in cases {
                    write!(f, " {k} => {t}")?;
                }
                write!(f, " else {d}")
            }
            Terminator::Return(None) => write!(f, "return"),
            Terminator::Return(Some(v)) => write!(f, "return {v}"),
            Terminator::Deopt(s) => write!(f, "deopt {s}"),
            Terminator::Throw(r, v, s) => write!(f, "throw {} ({}) {s}", r.info().name, List(v)),
        }
    }
}

struct Slots<'a>(&'a [Option<Value>]);
impl Display for Slots<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (n, v) in self.0.iter().enumerate() {
            let gap = if n == 0 { "" } else { " " };
            match v {
                Some(v) => write!(f, "{gap}{v}")?,
                None => write!(f, "{gap}-")?,
            }
        }
        Ok(())
    }
}

impl Display for FrameState {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let resume = match self.resume {
            Resume::Reexecute => "at",
            Resume::After => "after",
            Resume::Calling => "calling",
            Resume::Leaving => "leaving",
        };
        write!(
            f,
            "{} {resume} {} {:?} [{}] ({})",
            Quoted(self.method),
            self.bci,
            self.reason,
            Slots(&self.locals),
            Slots(&self.stack)
        )?;
        if !self.monitors.is_empty() {
            write!(f, " locks {}", List(&self.monitors))?;
        }
        if let Some(p) = self.parent {
            write!(f, " in {p}")?;
        }
        self.objects.iter().try_for_each(|o| write!(f, " {o}"))
    }
}

impl Display for Virtual {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "virtual {} {:?} (", self.name, self.class.name)?;
        for (n, VirtualField { offset, ty, value }) in self.fields.iter().enumerate() {
            write!(f, "{}{ty:?} {offset} {value}", if n == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// An instruction of a function.
pub struct Line<'a>(pub &'a Func, pub &'a Inst);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Line(func, i) = self;
        if let Some(v) = i.result {
            write!(f, "{v}: {} = ", func.ty(v).name())?;
        }
        write!(f, "{}{}", i.op, if i.owes_fence { " !fence" } else { "" })
    }
}

impl Display for Func {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "function {}", Quoted(self.method))?;
        if let Some(b) = self.osr {
            write!(f, " osr {b}")?;
        }
        writeln!(f)?;
        let mut states: Vec<StateId> = Vec::new();
        for b in self.order() {
            let data = self.block(b);
            write!(f, "{b}(")?;
            for (n, p) in data.params.iter().enumerate() {
                write!(f, "{}{p}: {}", if n == 0 { "" } else { ", " }, self.ty(*p).name())?;
            }
            writeln!(f, "):{}", if data.cold { " cold" } else { "" })?;
            for i in &data.insts {
                writeln!(f, "    {}", Line(self, i))?;
                states.extend(i.op.state());
            }
            writeln!(f, "    {}{}", data.end, if data.end_owes_fence { " !fence" } else { "" })?;
            states.extend(data.end.state());
        }
        let mut at = 0;
        while at < states.len() {
            states.extend(self.state(states[at]).parent);
            at += 1;
        }
        states.sort();
        states.dedup();
        for s in states {
            writeln!(f, "{s} = {}", self.state(s))?;
        }
        Ok(())
    }
}
