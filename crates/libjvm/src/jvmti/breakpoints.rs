//! Breakpoints, and the engine's part in steps, entries and frame pops.
//!
//! Invariant: an instruction with a breakpoint, and while steps, entries or exits are wanted every
//! instruction, reports itself before it runs; that is switched while the world is stopped. A breakpoint is one of
//! all versions of the method that run with the body that it has, and goes when its class is redefined.
use super::environment::Env;
use super::stack::{at_stop, frame_at};
use super::{error, in_vm};
use crate::env::{MethodId, Ref};
use concord_contract::{ClassRef, Method, MethodRef, Thread};
use concord_interpreter::debug;
use concord_runtime::events::{Event, bit};
use concord_runtime::handles::Scope;
use concord_runtime::info::ClassExt;
use concord_runtime::redefine;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where there are breakpoints: method and byte offset.
static SET: Mutex<Option<HashSet<(usize, u16)>>> = Mutex::new(None);
/// Whether every instruction reports itself.
static STEPPING: AtomicBool = AtomicBool::new(false);

fn key(m: &Method, bci: u16) -> (usize, u16) {
    (std::ptr::from_ref(m) as usize, bci)
}
pub fn is_set(m: MethodRef, bci: u16) -> bool {
    let version = m;
    let m = redefine::current(version);
    if !std::ptr::eq(m, version) && !redefine::equal_versions(m).iter().any(|v| std::ptr::eq(*v, version)) {
        return false;
    }
    SET.lock().expect("breakpoints").as_ref().is_some_and(|s| s.contains(&key(m, bci)))
}
/// Forgets the breakpoints of a class whose methods have been replaced, which the engine watches no more; at a stop.
pub fn forget(class: ClassRef) {
    if let Some(set) = SET.lock().expect("breakpoints").as_mut() {
        let methods: HashSet<usize> = class.declared_methods().iter().map(|m| key(m, 0).0).collect();
        set.retain(|(m, _)| !methods.contains(m));
    }
}

fn change(m: MethodId, location: i64, on: bool) -> i32 {
    in_vm(|_| {
        let m = m.get();
        if m.is_native() || m.bytecode.is_empty() || location < 0 || location as usize >= m.bytecode.len() {
            return Err(error::INVALID_LOCATION);
        }
        let bci = location as u16;
        let changed = {
            let mut guard = SET.lock().expect("breakpoints");
            let set = guard.get_or_insert_default();
            if on { set.insert(key(m, bci)) } else { set.remove(&key(m, bci)) }
        };
        if !changed {
            return Err(if on { error::DUPLICATE } else { error::NOT_FOUND });
        }
        concord_safepoint::stop_the_world("ChangeBreakpoints", |_| {
            debug::watch(m, bci, on);
            redefine::equal_versions(m).into_iter().for_each(|old| debug::watch(old, bci, on));
        });
        Ok(())
    })
}
pub extern "C" fn set(_e: &Env, m: MethodId, location: i64) -> i32 {
    change(m, location, true)
}
pub extern "C" fn clear(_e: &Env, m: MethodId, location: i64) -> i32 {
    change(m, location, false)
}

pub extern "C" fn notify_frame_pop(e: &Env, thread: Ref, depth: i32) -> i32 {
    in_vm(|vm| {
        let scope = Scope::new(vm.th);
        let (m, id, fp) = at_stop(vm, thread, |t| {
            let (m, f) = frame_at(t, depth)?;
            // The frame may return before the next stop.
            scope.handle(m.class.mirror.get());
            Ok((m, t.id.get(), f.fp as usize))
        })?;
        if m.is_native() {
            return Err(error::OPAQUE_FRAME);
        }
        {
            let mut pops = e.frame_pops.lock().expect("frame pops");
            if pops.contains(&(id, fp)) {
                return Err(error::DUPLICATE);
            }
            pops.push((id, fp));
        }
        concord_safepoint::stop_the_world("NotifyFramePop", |_| debug::watch_returns(m));
        Ok(())
    })
}

/// Brings the engine in line with the events that are wanted.
pub fn refresh(wanted: u64) {
    let all = bit(Event::SingleStep as u32) | bit(Event::MethodEntry as u32) | bit(Event::MethodExit as u32);
    let on = wanted & all != 0;
    let frames = bit(Event::FramePop as u32)
        | bit(Event::MethodExit as u32)
        | bit(Event::Exception as u32)
        | bit(Event::ExceptionCatch as u32);
    concord_contract::frame::EVENTS
        .store(wanted & frames != 0 || concord_runtime::exceptions::logged(), Ordering::Release);
    if STEPPING.swap(on, Ordering::AcqRel) != on {
        match Thread::current_opt() {
            Some(_) => concord_safepoint::stop_the_world("SingleStep", |_| debug::watch_all(on)),
            None => debug::watch_all(on),
        }
    }
}
