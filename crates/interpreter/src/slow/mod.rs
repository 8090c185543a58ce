//! Everything a handler does not do itself.
//!
//! Invariant: on entry to [`stub`] the operand stack is in memory and the registers become the
//! anchors of the thread block, with `pc` at the instruction: that is the map for the collector,
//! the stack walker and exceptions. On the way back the anchors are the registers. The Rust code
//! here reads operands from the Java stack again after anything that may collect.
mod activation;
mod alloc;
pub mod early;
mod leave;
pub mod locks;
mod resolve;

use crate::dispatch::{Context, invoke, opcode, resume, run_untraced};
use crate::jump::jump;
use crate::stack::{NONE, Stack};
use crate::{code, counting, heat, profile, unwind};
use concord_contract::entries::{self, Implicit, OsrEntry, on_clean_stack};
use concord_contract::method::{Method, MethodRef};
use concord_contract::object::{Obj, array_base};
use concord_contract::{JResult, Thread, owner};
use concord_memory_model::policy;
use std::sync::atomic::Ordering;

pub use activation::set_anchors;
pub(crate) use activation::{Activation, thrown};
pub use alloc::primitive_array;
use leave::obey;
pub(crate) use leave::pop_frame;

/// Why a handler gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Kind {
    /// The instruction names a constant that is not resolved.
    Resolve,
    NullPointer,
    /// Null array or bad index.
    ArrayLoad,
    ArrayStore,
    DivByZero,
    /// A poll or a heat counter at a back edge; the instruction is the jump's target.
    Poll,
    Throw,
    MonitorEnter,
    MonitorExit,
    FRem,
    DRem,
    New,
    NewArray,
    ANewArray,
    CheckCast,
    InstanceOf,
    AAStore,
    PutField,
    PutStatic,
    ReturnLocked,
    ReturnInit,
    /// The receiver's class does not implement the interface.
    NotImplemented,
}

/// Enters the runtime for one instruction, then runs on.
///
/// # Safety
/// As every handler; `kind` is a [`Kind`], and the operand stack is in memory.
#[cold]
#[inline(never)]
#[unsafe(link_section = "interp_cold")]
pub unsafe extern "sysv64" fn stub(
    th: *const Thread,
    pc: *const u32,
    sp: *mut u64,
    lp: *mut u64,
    fp: *mut u64,
    kind: u64,
    _ftos: f64,
) {
    // SAFETY: the block is the running thread's; `kind` came from a `Kind`.
    unsafe {
        set_anchors(&*th, pc, sp, lp, fp);
        let then = run(&*th, std::mem::transmute::<u64, Kind>(kind));
        if then.code.is_null() {
            // Resolved, the instruction begins anew, and has reported itself already if it does so.
            let again = kind == Kind::Resolve as u64 && (*th).pc.get() == pc && (*th).fp.get() == fp;
            if again && opcode(pc) & code::TRACED as usize != 0 {
                let c = Context { th, pc, lp: (*th).lp.get(), fp };
                return run_untraced(&c, &Stack::new(NONE, (*th).sp.get(), 0, 0.0));
            }
            return resume(th);
        }
        let (pc, sp, lp, fp) = ((*th).pc.get(), (*th).sp.get(), (*th).lp.get(), (*th).fp.get());
        if then.stub.is_null() {
            invoke(th, pc.add(1), sp, lp, fp, then.code as *const Method, 0.0)
        } else {
            let stub: crate::dispatch::Handler = std::mem::transmute(then.stub);
            jump(stub, th, pc, sp, lp, fp, then.code as u64, 0.0)
        }
    }
}

/// What the instruction turned out to be: done, or a call of a method.
type Done = JResult<Option<MethodRef>>;

/// From the anchors.
const GO_ON: OsrEntry = OsrEntry { stub: std::ptr::null(), code: std::ptr::null() };

/// How the interpreter goes on: [`GO_ON`]; without a stub, by calling the method that `code` is;
/// else compiled code takes the frame's place. It is a pair of registers: a result in memory would
/// make what follows a call that grows the stack.
#[inline(never)]
unsafe fn run(th: &Thread, kind: Kind) -> OsrEntry {
    // SAFETY: the anchors describe the innermost frame.
    let f = Activation(th);
    let done = if kind == Kind::Poll {
        match poll(&f) {
            Ok(None) => Ok(None),
            Ok(Some(osr)) => return osr,
            Err(e) => Err(e),
        }
    } else {
        match kind {
            // SAFETY: as above.
            Kind::New | Kind::NewArray | Kind::ANewArray => on_clean_stack(|| unsafe { perform(&f, kind) }),
            // SAFETY: as above.
            _ => unsafe { perform(&f, kind) },
        }
    };
    match done {
        Ok(None) => GO_ON,
        Ok(Some(m)) => OsrEntry { code: std::ptr::from_ref(m).cast(), ..GO_ON },
        Err(_) => {
            unwind::unwind(th);
            GO_ON
        }
    }
}

/// # Safety
/// The anchors describe the innermost frame, whose instruction gave up for `kind`.
#[inline(never)]
unsafe fn perform(f: &Activation, kind: Kind) -> Done {
    let th = f.0;
    match kind {
        Kind::Resolve => return resolve::resolve(f),
        Kind::NullPointer => return f.throw(Implicit::NullPointer),
        Kind::ArrayLoad => return array_fault(f, 0),
        Kind::ArrayStore => {
            let two = matches!(f.instruction().0, 80 | 82 | 271 | 272);
            return array_fault(f, if two { 2 } else { 1 });
        }
        Kind::DivByZero => return f.throw(Implicit::DivByZero),
        Kind::Poll => concord_base::bug!("a poll is no instruction"),
        Kind::Throw => {
            let e = f.peek_ref(1);
            if e.is_null() {
                return f.throw(Implicit::NullPointer);
            }
            return th.throw(e);
        }
        Kind::MonitorEnter => locks::monitor_enter(f)?,
        Kind::MonitorExit => locks::monitor_exit(f)?,
        Kind::FRem => {
            let (x, y) = (f32::from_bits(f.peek(2) as u32), f32::from_bits(f.peek(1) as u32));
            f.drop(2);
            f.push((x % y).to_bits() as u64, 1);
            f.advance(1);
        }
        Kind::DRem => {
            let (x, y) = (f64::from_bits(f.peek(4)), f64::from_bits(f.peek(2)));
            f.drop(4);
            f.push((x % y).to_bits(), 2);
            f.advance(1);
        }
        Kind::New => alloc::new(f)?,
        Kind::NewArray => alloc::new_array(f)?,
        Kind::ANewArray => alloc::anew_array(f)?,
        Kind::CheckCast => {
            let class = f.class(f.entry(f.instruction().1).a.load(Ordering::Relaxed));
            let o = f.peek_ref(1);
            f.count_object(o);
            if !o.class().is_subclass_of(class) {
                return thrown(entries::throw_class_cast(th, o, class));
            }
            f.advance(1);
        }
        Kind::InstanceOf => {
            let class = f.class(f.entry(f.instruction().1).a.load(Ordering::Relaxed));
            f.count_object(f.peek_ref(1));
            let yes = f.peek_ref(1).class().is_subclass_of(class);
            f.drop(1);
            f.push(yes as u64, 1);
            f.advance(1);
        }
        Kind::AAStore => aastore(f)?,
        Kind::PutField => {
            let (offset, strong) = (f.instruction().1 as usize, f.is_strong_store());
            entries::store_ref(th, f.peek_ref(2), offset, f.peek_ref(1));
            f.after_store(strong, f.peek_ref(2));
            f.drop(2);
            f.advance(1);
        }
        Kind::PutStatic => {
            let e = f.entry(f.instruction().1);
            // It is pinned: the address stays while the value is published.
            let statics = e.b.load(Ordering::Relaxed) as usize;
            let offset = e.a.load(Ordering::Relaxed) as usize - statics;
            // SAFETY: `b` is the statics object of a resolved static field.
            let statics = unsafe { Obj::from_addr(statics) };
            let strong = f.is_strong_store();
            entries::store_ref(th, statics, offset, f.peek_ref(1));
            f.after_store(strong, statics);
            f.drop(1);
            f.advance(1);
        }
        Kind::ReturnLocked => locks::return_locked(f)?,
        Kind::ReturnInit => {
            // SAFETY: local 0 of Object.<init> is the object.
            let o = unsafe { Obj::from_addr(*th.lp.get() as usize) };
            entries::register_finalizer(th, o)?;
            // SAFETY: the frame executes a void return.
            unsafe { pop_frame(th, 0, 0) };
        }
        Kind::NotImplemented => return resolve::not_implemented(f),
    }
    Ok(None)
}

fn array_fault(f: &Activation, value_slots: usize) -> Done {
    let (a, i) = (f.peek_ref(value_slots + 2), f.peek(value_slots + 1) as u32 as i32);
    if a.is_null() {
        return f.throw(Implicit::NullPointer);
    }
    thrown(entries::throw_array_index(f.0, i, a.array_len() as u32))
}

/// A safepoint or other request at a back edge, or a heat counter that ran out.
fn poll(f: &Activation) -> JResult<Option<OsrEntry>> {
    let th = f.0;
    if th.poll.load(Ordering::Acquire) != 0 {
        entries::safepoint_between(th)?;
        th.settle_entries();
        if obey(f)? {
            return Ok(None);
        }
    }
    if heat::refill(th, heat::of_target(th.pc.get())) {
        profile::heated(f.method());
        let osr = entries::heat_overflow(th, f.method(), Some(f.bci()));
        // It may have been suspended while it waited for the compilation.
        return if osr.is_none() && th.poll.load(Ordering::Acquire) != 0 { poll(f) } else { Ok(osr) };
    }
    Ok(None)
}

/// Does what the poll word asks for before the instruction at the anchors.
pub(crate) fn poll_between(th: &Thread) {
    let polled = entries::safepoint_between(th);
    th.settle_entries();
    if polled.and_then(|()| obey(&Activation(th))).is_err() {
        unwind::unwind(th);
    }
}

fn aastore(f: &Activation) -> JResult<()> {
    let (a, i, v) = (f.peek_ref(3), f.peek(2) as u32 as usize, f.peek_ref(1));
    f.count_object(v);
    if !v.is_null() {
        let Some(component) = a.class().component else { concord_base::bug!("aastore into a {:?}", a.class()) };
        if !v.class().is_subclass_of(component) {
            return thrown(entries::throw_array_store(f.0, a, v));
        }
    }
    let strong = f.is_strong_store();
    entries::store_ref(f.0, a, array_base(2) + 4 * i, v);
    f.after_store(strong, f.peek_ref(3));
    f.drop(3);
    f.advance(1);
    Ok(())
}

/// Checks that LOCAL objects among the operands of the current instruction are the thread's own.
fn check_operands(f: &Activation) {
    let row = f.instruction().0;
    let check = |n: usize| owner::check(f.0, f.peek_ref(n));
    match row {
        // Array loads.
        46..=53 => check(2),
        // areturn, getfield, arraylength, athrow, checkcast, instanceof, monitors.
        176 | 180 | 190..=195 | 210..=216 | 292 | 293 => check(1),
        79..=86 | 220..=239 | 250..=276 => {
            if matches!(row, 83 | 226 | 236 | 237 | 256 | 266 | 267 | 273 | 276) {
                check(1);
            }
            owner::check(f.0, counting::target(f, row));
        }
        _ => {}
    }
}

/// Reports the instruction at `pc` to whoever observes: the counters, the trace. True if it is not to run: the anchors say
/// where the thread goes on.
///
/// # Safety
/// As every handler; the operand stack is in memory.
pub(crate) unsafe fn trace(th: &Thread, pc: *const u32, sp: *mut u64, lp: *mut u64, fp: *mut u64) -> bool {
    set_anchors(th, pc, sp, lp, fp);
    let f = Activation(th);
    let (counting, tracing) = (policy::counting(), crate::tracing());
    if owner::on() {
        check_operands(&f);
        if !counting && !tracing && !crate::debug::is_enabled() {
            return false;
        }
    }
    let (m, bci) = (f.method(), f.bci());
    if counting {
        counting::observe(&f, m, bci);
    }
    // Without counting the overlay is there for tracing only.
    if tracing || !counting || crate::debug::is_enabled() {
        entries::trace_bytecode(th, m, bci, m.bytecode[bci as usize]);
    }
    match obey(&f) {
        Ok(elsewhere) => elsewhere,
        Err(_) => {
            unwind::unwind(th);
            true
        }
    }
}
