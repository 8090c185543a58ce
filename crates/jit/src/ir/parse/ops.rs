//! Instructions.
use super::super::op::{Access, BinOp, CallTarget, Cond, FCond, Mem, Op, UnOp, Update};
use super::{Line, Parsed, Token, by_name};
use concord_contract::BasicType;
use concord_contract::class::Birth;
use concord_contract::method::{CallKind, NO_INDEX};
use concord_contract::profile::Rows;
use concord_memory_model::Mode;

const BINARY: &[BinOp] = {
    use BinOp::*;
    &[Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Ushr, Min, Max, MulHigh]
};
const UNARY: &[UnOp] = {
    use UnOp::*;
    &[
        Neg,
        I2L,
        I2F,
        I2D,
        L2I,
        L2F,
        L2D,
        F2I,
        F2L,
        F2D,
        D2I,
        D2L,
        D2F,
        I2B,
        I2C,
        I2S,
        I2Z,
        Sqrt,
        FloatBits,
        BitsFloat,
        DoubleBits,
        BitsDouble,
        LeadingZeros,
        TrailingZeros,
        BitCount,
        Abs,
        Floor,
        Ceil,
        Rint,
        ReverseBytes,
    ]
};
const CONDITIONS: &[Cond] = &[Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le];
const KINDS: &[CallKind] =
    &[CallKind::Static, CallKind::Special, CallKind::Virtual, CallKind::Interface, CallKind::Handle];
const MODES: &[Mode] = &[Mode::Relaxed, Mode::Final, Mode::Opaque, Mode::AcquireRelease, Mode::Volatile, Mode::Sc];
pub(super) const CELLS: &[BasicType] = {
    use BasicType::*;
    &[Boolean, Char, Float, Double, Byte, Short, Int, Long, Object]
};

/// Where a memory instruction goes.
enum Place {
    Field(super::Value, u32),
    Static(concord_contract::class::ClassRef, u32),
    Raw(super::Value, super::Value),
    Element(super::Value, super::Value),
}

impl Line<'_, '_> {
    fn mem(&mut self) -> Parsed<Mem> {
        let word = self.word()?;
        let parts = word.split_once('.').and_then(|(ty, access)| {
            let (access, once) = access.strip_suffix(".Once").map_or((access, false), |access| (access, true));
            let access = match access {
                "Immutable" => Access::Immutable,
                word => {
                    let of = |kind: &str| word.strip_prefix(kind).and_then(|mode| by_name(MODES, mode));
                    of("Raw")
                        .map(Access::Raw)
                        .or_else(|| of("Local").map(Access::Local))
                        .or_else(|| of("Young").map(Access::Young))
                        .or_else(|| of("").map(Access::Shared))?
                }
            };
            Some(Mem { ty: by_name(CELLS, ty)?, access, once })
        });
        parts.ok_or_else(|| format!("{word} is no kind of access"))
    }
    fn place(&mut self) -> Parsed<Place> {
        if matches!(self.tokens.front(), Some(Token::Text(_))) {
            let class = self.class()?;
            self.mark('+')?;
            return Ok(Place::Static(class, self.number()?));
        }
        let base = self.value()?;
        if self.has_mark('[') {
            let index = self.value()?;
            self.mark(']')?;
            return Ok(Place::Element(base, index));
        }
        self.mark('+')?;
        Ok(if self.is_index('v') { Place::Raw(base, self.value()?) } else { Place::Field(base, self.number()?) })
    }
    fn pair(&mut self) -> Parsed<(super::Value, super::Value)> {
        let a = self.value()?;
        self.mark(',')?;
        Ok((a, self.value()?))
    }
    fn rows(&mut self) -> Parsed<Rows> {
        let own = self.number()?;
        self.mark(',')?;
        Ok(Rows { own, more: self.number()? })
    }
    fn compare(&mut self, name: &str) -> Option<Parsed<Op>> {
        if let Some(c) = name.strip_prefix("cmp.").and_then(|c| by_name(CONDITIONS, c)) {
            return Some(self.pair().map(|(a, b)| Op::Cmp(c, a, b)));
        }
        let c = name.strip_prefix("fcmp.")?;
        let cond = by_name(CONDITIONS, c.strip_suffix('u').unwrap_or(c))?;
        Some(self.pair().map(|(a, b)| Op::FCmp(FCond { cond, unordered: c.ends_with('u') }, a, b)))
    }
    fn call(&mut self, kind: CallKind) -> Parsed<Op> {
        let index = if self.has_mark('#') { self.number()? } else { NO_INDEX };
        let (method, args, state) = (self.method()?, self.values_in('(', ')')?, self.state()?);
        let caught = self.has_word("caught");
        Ok(Op::Call(Box::new(CallTarget { method, kind, index, caught }), args, state))
    }

    pub(super) fn op(&mut self) -> Parsed<Op> {
        let name = self.word()?;
        Ok(match name {
            "param" => Op::Param(self.number()?),
            "osr_local" => Op::OsrLocal(self.number()?),
            "osr_monitor" => Op::OsrMonitor(self.number()?),
            "int" => Op::Int(self.number()?),
            "long" => Op::Long(self.number()?),
            "float" => Op::Float(self.number()?),
            "double" => Op::Double(self.number()?),
            "null" => Op::Null,
            "root" => Op::Root(self.number()?),
            "cmp3" => {
                let (a, b) = self.pair()?;
                self.mark(',')?;
                Op::Cmp3(a, b, self.number()?)
            }
            "null_check" => Op::NullCheck(self.value()?, self.state()?),
            "bounds_check" => {
                let (a, b) = self.pair()?;
                Op::BoundsCheck(a, b, self.state()?)
            }
            "guard" => Op::Guard(self.value()?, self.state()?),
            "array_length" => Op::ArrayLength(self.value()?),
            "load" | "store" | "compare_and_set" | "compare_and_exchange" | "update.add" | "update.set" => {
                self.access(name)?
            }
            "publish" => {
                let (o, v) = self.pair()?;
                Op::Publish(o, v, self.maybe_state()?)
            }
            "publish_shared" => Op::PublishShared(self.value()?, self.maybe_state()?),
            "fence" => Op::Fence(self.values()?),
            "get_class" => Op::GetClass(self.value()?),
            "current_thread" => Op::CurrentThread,
            "load_fence" => Op::LoadFence,
            "leaf" => Op::Leaf(self.row()?, self.values_in('(', ')')?),
            "row" => Op::RowCall(self.row()?, self.values_in('(', ')')?, self.state()?),
            "raise" => Op::Raise(self.row()?, self.values_in('(', ')')?, self.state()?),
            "new" => Op::New(self.class()?, Birth::Local, self.state()?),
            "new.shared" => Op::New(self.class()?, Birth::Shared, self.state()?),
            "new_array" => Op::NewArray(self.class()?, Birth::Local, self.value()?, self.state()?),
            "new_array.shared" => Op::NewArray(self.class()?, Birth::Shared, self.value()?, self.state()?),
            "multi_new_array" => Op::MultiNewArray(self.class()?, self.values_in('(', ')')?, self.state()?),
            "instance_of" => Op::InstanceOf(self.class()?, self.value()?),
            "can_cast" => Op::CanCast(self.class()?, self.value()?),
            "is_a" => Op::IsA(self.class()?, self.value()?),
            "is_exactly" => Op::IsExactly(self.class()?, self.value()?),
            "can_store" => {
                let (a, v) = self.pair()?;
                Op::CanStore(a, v)
            }
            "select_interface" => {
                let class = self.class()?;
                self.mark('#')?;
                Op::SelectInterface(class, self.number()?, self.value()?, self.state()?)
            }
            "interrupted" => Op::Interrupted,
            "pending_exception" => Op::PendingException,
            "catch" => Op::Catch,
            "monitor_enter" => Op::MonitorEnter(self.value()?, self.state()?),
            "monitor_exit" => Op::MonitorExit(self.value()?, self.state()?),
            "register_finalizer" => Op::RegisterFinalizer(self.value()?, self.state()?),
            "poll" => Op::Poll(self.state()?),
            "count" => Op::Count(self.number()?),
            "count_class" => Op::CountClass(self.rows()?, self.value()?),
            "count_receiver" => Op::CountReceiver(self.rows()?, self.value()?),
            _ => return self.family(name),
        })
    }
    /// Instructions whose name tells an operation, a condition or a kind of call.
    fn family(&mut self, name: &str) -> Parsed<Op> {
        if let Some(o) = by_name(BINARY, name) {
            return self.pair().map(|(a, b)| Op::Bin(o, a, b));
        }
        if let Some(o) = by_name(UNARY, name) {
            return Ok(Op::Un(o, self.value()?));
        }
        if let Some(kind) = name.strip_prefix("call.").and_then(|k| by_name(KINDS, k)) {
            return self.call(kind);
        }
        self.compare(name).unwrap_or_else(|| Err(format!("no instruction {name}")))
    }
    fn access(&mut self, name: &str) -> Parsed<Op> {
        let (m, place) = (self.mem()?, self.place()?);
        if name == "load" {
            return Ok(match place {
                Place::Field(o, at) => Op::LoadField(o, at, m),
                Place::Static(c, at) => Op::LoadStatic(c, at, m),
                Place::Raw(o, at) => Op::LoadRaw(o, at, m),
                Place::Element(a, i) => Op::LoadElement(a, i, m),
            });
        }
        self.mark(',')?;
        let v = self.value()?;
        Ok(match (name, place) {
            ("store", Place::Field(o, at)) => Op::StoreField(o, at, v, m),
            ("store", Place::Static(c, at)) => Op::StoreStatic(c, at, v, m),
            ("store", Place::Raw(o, at)) => Op::StoreRaw(o, at, v, m),
            ("store", Place::Element(a, i)) => Op::StoreElement(a, i, v, m),
            ("update.add", Place::Raw(o, at)) => Op::Update(Update::Add, [o, at, v], m),
            ("update.set", Place::Raw(o, at)) => Op::Update(Update::Set, [o, at, v], m),
            (_, Place::Raw(o, at)) => {
                self.mark(',')?;
                let all = [o, at, v, self.value()?];
                if name == "compare_and_set" { Op::CompareAndSet(all, m) } else { Op::CompareAndExchange(all, m) }
            }
            _ => return Err(format!("{name} goes to no such place")),
        })
    }
}
