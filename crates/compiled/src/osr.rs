//! On-stack replacement: from a loop in the interpreter to compiled code.
//!
//! Invariant: compiled code that stands in for an interpreter frame owns the frame's monitors: they
//! are off the lock stack while it runs. The frame itself stays, unseen, until the code returns or
//! goes back to the interpreter in it.
use crate::i2c;
use concord_contract::code_table::Installed;
use concord_contract::entries::OsrEntry;
use concord_contract::frame::METHOD;
use concord_contract::{Method, MethodRef, Thread};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::RwLock;

type Key = (usize, u16);
static CODE: RwLock<Option<HashMap<Key, &'static Installed>>> = RwLock::new(None);

thread_local! {
    /// What [`enter`] hands to the adapter; read before the thread can enter another loop.
    static MONITORS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

fn key(m: &Method, bci: u16) -> Key {
    (std::ptr::from_ref(m) as usize, bci)
}

pub fn publish(m: &Method, bci: u16, code: &'static Installed) {
    CODE.write().expect("OSR code").get_or_insert_default().insert(key(m, bci), code);
}
pub fn withdraw(m: &Method, bci: u16, code: &'static Installed) {
    if let Some(all) = CODE.write().expect("OSR code").as_mut()
        && all.get(&key(m, bci)).is_some_and(|c| std::ptr::eq(*c, code))
    {
        all.remove(&key(m, bci));
    }
}
pub fn find(m: &Method, bci: u16) -> Option<&'static Installed> {
    CODE.read().expect("OSR code").as_ref()?.get(&key(m, bci)).copied()
}

/// Native stack between [`enter`] and the frame of the code that is entered.
const ENTRY_ROOM: usize = 16 << 10;

/// Prepares the innermost frame, of `m` at the loop header `bci` with an empty operand stack, to be
/// replaced by compiled code, if there is some.
pub fn enter(th: &Thread, m: MethodRef, bci: u16) -> Option<OsrEntry> {
    let code = find(m, bci)?;
    // SAFETY: the anchors are those of a frame, whose header has its method.
    let of_frame = unsafe { *th.fp.get().sub(METHOD) } as *const Method;
    if th.sp.get() != th.fp.get() || !std::ptr::eq(of_frame, m) {
        // The method was redefined while its compilation was waited for; the frame has the old body.
        return None;
    }
    let here = 0u8;
    if (std::ptr::from_ref(&here) as usize) < th.native_limit.get() + code.frame_span as usize + ENTRY_ROOM {
        // The code would throw StackOverflowError before it has a frame, and this one's locks and handlers would be lost.
        return None;
    }
    let entry = i2c::osr_entry(m, code.start as *const ())?;
    // SAFETY: the lock stack is this thread's; the reference ends here.
    let locks = unsafe { &mut *th.lock_stack.get() };
    let first = locks.iter().rposition(|e| e.1 != th.fp.get()).map_or(0, |i| i + 1);
    if locks.len() - first != code.osr_monitors as usize {
        // Locks that are not nested: the frame stays in the interpreter.
        return None;
    }
    MONITORS.with_borrow_mut(|m| {
        m.clear();
        m.extend(locks.drain(first..).map(|e| e.0.addr() as u64));
        th.osr_monitors.set(m.as_ptr());
    });
    Some(entry)
}
