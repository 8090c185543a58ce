//! Resolution and quickening.
//!
//! Invariant: an instruction is quickened only to what every thread may execute from now on:
//! static accesses, calls and allocations only when the class is fully initialized. The thread
//! that initializes it does the instruction here, unquickened. A thread that loses a race stores
//! the same word again; one that finds the word already quickened runs it.
//!
//! Resolving may run Java code, and meanwhile the class may be redefined: the frame then executes a copy of the
//! old version, whose constants have other places. What was resolved is not used ([`is_replaced`]): the instruction
//! runs again.
use super::{Activation, Done, alloc, early};
use crate::counting;
use crate::ops::call::{CALL_HANDLE, CALL_ON_HANDLE};
use crate::raw::u16_at;
use crate::value::{Bool, Byte, Cell, Char, Double, Int, Long, Reference, Short, Value};
use concord_contract::BasicType;
use concord_contract::class::flags;
use concord_contract::entries::{self, Implicit, ResolvedConstant, ResolvedField};
use concord_contract::method::{CallKind, CallSite, CpEntry, Method, MethodRef};
use concord_contract::object::Obj;
use concord_memory_model::{emit, policy};
use std::sync::atomic::Ordering;

/// Whether the frame's method, which was `m`, is the copy of an old version now.
fn is_replaced(f: &Activation, m: MethodRef) -> bool {
    !std::ptr::eq(f.method(), m)
}

pub(super) fn resolve(f: &Activation) -> Done {
    let (op, cp) = f.instruction();
    let (th, m) = (f.0, f.method());
    match op {
        18 | 20 => constant(f, op, cp),
        178..=181 => field(f, op as u8, cp),
        182..=185 => call(f, op as u8, cp),
        186 => {
            let index = u16_at(m.bytecode, f.bci() as usize + 1);
            entries::resolve_indy(th, m, index, cp)?;
            if !is_replaced(f, m) {
                f.quicken(CALL_HANDLE as u16, cp);
            }
            Ok(None)
        }
        187 => {
            let class = entries::resolve_class(th, m, cp)?;
            if is_replaced(f, m) {
                return Ok(None);
            }
            if class.is_initialized() && !class.has_flag(flags::NO_FAST_NEW) {
                f.quicken(290, cp);
            } else {
                let o = entries::new_instance(th, class)?;
                f.push(o.addr() as u64, 1);
                f.advance(1);
            }
            Ok(None)
        }
        189 => {
            entries::resolve_array_of(th, m, cp)?;
            if !is_replaced(f, m) {
                f.quicken(291, cp);
            }
            Ok(None)
        }
        192 | 193 => {
            entries::resolve_class(th, m, cp)?;
            if !is_replaced(f, m) {
                f.quicken(op + 100, cp);
            }
            Ok(None)
        }
        197 => {
            let class = entries::resolve_class(th, m, cp)?;
            if is_replaced(f, m) {
                return Ok(None);
            }
            alloc::multi(f, class, f.word(1) as usize)?;
            Ok(None)
        }
        // Another thread was faster.
        _ => Ok(None),
    }
}

fn constant(f: &Activation, op: u16, cp: u16) -> Done {
    let m = f.method();
    let c = entries::resolve_constant(f.0, m, cp)?;
    if is_replaced(f, m) {
        return Ok(None);
    }
    match c {
        ResolvedConstant::Ref => f.quicken(207, cp),
        ResolvedConstant::Mirror => f.quicken(208, cp),
        ResolvedConstant::Prim(ty, bits) => {
            f.set_word(1, bits as u32);
            if op == 20 {
                f.set_word(2, (bits >> 32) as u32);
                f.quicken(if ty == BasicType::Double { 206 } else { 205 }, 0);
            } else {
                f.quicken(204, 0);
            }
        }
    }
    Ok(None)
}

fn call(f: &Activation, op: u8, cp: u16) -> Done {
    let m = f.method();
    if op == 184
        && let Some(target) = early::target(f, cp)
    {
        return Ok(Some(target));
    }
    let (site, initialized) = entries::resolve_call(f.0, m, cp, op)?;
    if is_replaced(f, m) {
        return Ok(None);
    }
    if op == 184 && site.kind == CallKind::Static && !initialized {
        return Ok(Some(site.method));
    }
    let e = f.entry(cp);
    let word = site as *const CallSite as u64;
    if op == 183 {
        // The same constant may be called virtually elsewhere in the class: `a` is that record. An old version of an
        // interface is implemented by nobody: its code asks each time.
        let asks = !site.requested.is_null();
        if (!asks || std::ptr::eq(site.requested, m.class)) && claim_target(e, site.method) {
            f.quicken(if asks { 289 } else { 285 }, cp);
            return Ok(None);
        }
        let receiver = f.peek_ref(site.method.nargs());
        if receiver.is_null() {
            return f.throw(Implicit::NullPointer);
        }
        // SAFETY: records hold null or classes, which live as long as they do.
        if unsafe { site.requested.as_ref() }.is_some_and(|i| !receiver.class().is_subclass_of(i)) {
            return f.throw(Implicit::IncompatibleClassChange);
        }
        return Ok(Some(site.method));
    }
    e.a.store(word, Ordering::Release);
    if !site.requested.is_null() {
        f.quicken(if site.kind == CallKind::Special { 288 } else { 287 }, cp);
        return Ok(None);
    }
    if matches!(site.kind, CallKind::Static | CallKind::Special) && claim_target(e, site.method) {
        f.quicken(if site.kind == CallKind::Static { 280 } else { 285 }, cp);
        return Ok(None);
    }
    let (index, nargs) = (site.index, site.nargs_bytes / 8);
    if site.kind == CallKind::Virtual && index < 256 && nargs < 256 {
        f.quicken(286, (nargs | index << 8) as u16);
        return Ok(None);
    }
    f.quicken(
        match site.kind {
            CallKind::Static => return Ok(Some(site.method)),
            CallKind::Special => 281,
            CallKind::Virtual => 282,
            CallKind::Interface => 283,
            CallKind::Handle => CALL_ON_HANDLE as u16,
        },
        cp,
    );
    Ok(None)
}

/// The receiver's class does not implement the interface that the instruction wants. But code of an interface that was
/// redefined since goes on as that of an old version, which nobody implements: the class of today is asked for.
pub fn not_implemented(f: &Activation) -> Done {
    const SPECIAL_IN_INTERFACE: u16 = 289;
    let (op, cp) = f.instruction();
    if op == SPECIAL_IN_INTERFACE {
        let m = f.method();
        let (site, _) = entries::resolve_call(f.0, m, cp, 183)?;
        if is_replaced(f, m) {
            return Ok(None);
        }
        let receiver = f.peek_ref(site.method.nargs());
        // SAFETY: records hold null or classes, which live as long as they do.
        if unsafe { site.requested.as_ref() }.is_some_and(|i| receiver.class().is_subclass_of(i)) {
            return Ok(Some(site.method));
        }
    }
    f.throw(Implicit::IncompatibleClassChange)
}

/// Makes `m` the known target of direct calls through `e`; false if that is another method.
fn claim_target(e: &CpEntry, m: MethodRef) -> bool {
    let mine = m as *const Method as u64;
    match e.b.compare_exchange(0, mine, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => true,
        Err(other) => other == mine,
    }
}

/// Position of a type among the quickened loads (b c s i l d a) and stores (z b c i l d a).
fn load_index(ty: BasicType) -> u16 {
    match ty {
        BasicType::Boolean | BasicType::Byte => 0,
        BasicType::Char => 1,
        BasicType::Short => 2,
        BasicType::Int | BasicType::Float => 3,
        BasicType::Long => 4,
        BasicType::Double => 5,
        BasicType::Object => 6,
        BasicType::Void => concord_base::bug!("a field of type void"),
    }
}
fn store_index(ty: BasicType) -> u16 {
    match ty {
        BasicType::Boolean => 0,
        BasicType::Byte => 1,
        BasicType::Char | BasicType::Short => 2,
        _ => load_index(ty),
    }
}

fn field(f: &Activation, op: u8, cp: u16) -> Done {
    let (th, m) = (f.0, f.method());
    if op <= 179
        && let Some(r) = early::field(f)
    {
        return direct(f, op, &r, r.class.statics.get(), r.is_volatile || !r.relaxed);
    }
    let r = entries::resolve_field(th, m, cp, op)?;
    if is_replaced(f, m) {
        return Ok(None);
    }
    let sc = r.is_volatile || !r.relaxed;
    if r.is_static {
        if !r.class.is_initialized() {
            early::note(f, &r);
            return direct(f, op, &r, r.class.statics.get(), sc);
        }
        entries::fill_static(th, m, cp, r);
    } else if r.offset > u16::MAX as u32 {
        // Too far for the operand: resolved at each execution.
        let o = f.peek_ref(if op == 181 { r.ty.slots() + 1 } else { 1 });
        if o.is_null() {
            return f.throw(Implicit::NullPointer);
        }
        return direct(f, op, &r, o, sc);
    }
    // Relaxed code publishes all the same.
    let publish = policy::vbd() && !sc && r.ty.is_ref();
    let quick = match op {
        178 => 240 + load_index(r.ty),
        179 if publish => 267,
        179 => (if sc { 260 } else { 250 }) + store_index(r.ty),
        180 => 210 + load_index(r.ty),
        _ if publish => 237,
        _ => (if sc { 230 } else { 220 }) + store_index(r.ty),
    };
    f.quicken(quick, if r.is_static { cp } else { r.offset as u16 });
    if op == 180 {
        crate::supers::fuse_field(m, th.pc.get());
        crate::accessors::install_getter(m, r.ty);
    }
    Ok(None)
}

/// Does the access without quickening it.
fn direct(f: &Activation, op: u8, r: &ResolvedField, o: Obj, sc: bool) -> Done {
    let at = (o.addr() + r.offset as usize) as u64;
    let slots = r.ty.slots();
    let load = matches!(op, 178 | 180);
    if load {
        // SAFETY: the field is resolved, and `o` is live: nothing collected since it was read.
        let v = unsafe {
            match r.ty {
                BasicType::Boolean | BasicType::Byte => Byte::load(at).bits(),
                BasicType::Char => Char::load(at).bits(),
                BasicType::Short => Short::load(at).bits(),
                BasicType::Int | BasicType::Float => Int::load(at).bits(),
                BasicType::Long => Long::load(at).bits(),
                BasicType::Double => Double::load(at).bits(),
                BasicType::Object => Reference::load(at).bits(),
                BasicType::Void => concord_base::bug!("a field of type void"),
            }
        };
        if !r.is_static {
            f.drop(1);
        }
        f.push(v, slots);
    } else {
        let v = f.peek(slots);
        // SAFETY: as for the load.
        unsafe {
            match r.ty {
                BasicType::Boolean => Bool::store(at, v as i32),
                BasicType::Byte => Byte::store(at, v as i32),
                BasicType::Char | BasicType::Short => Char::store(at, v as i32),
                BasicType::Int | BasicType::Float => Int::store(at, v as i32),
                BasicType::Long => Long::store(at, v as i64),
                BasicType::Double => Double::store(at, f64::from_bits(v)),
                BasicType::Object => entries::store_ref(f.0, o, r.offset as usize, f.peek_ref(1)),
                BasicType::Void => concord_base::bug!("a field of type void"),
            }
        }
        match sc {
            true => emit::after_code_store_into::<true>(o.is_local()),
            false => emit::after_code_store_into::<false>(o.is_local()),
        }
        if policy::counting() {
            counting::count(f.method(), f.bci(), sc, o);
        }
        f.drop(if r.is_static { slots } else { slots + 1 });
    }
    f.advance(1);
    Ok(None)
}
