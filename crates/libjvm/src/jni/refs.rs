//! References: local frames, global and weak references.
//!
//! Invariant: frames opened by PushLocalFrame are closed in reverse order; those that a native
//! method leaves open end with the method, whose own frame lies below them.
use super::{JNI_ERR, JNI_OK};
use crate::env::{Ref, enter};
use concord_contract::Thread;
use concord_contract::thread::HANDLE_SLOTS;
use concord_runtime::handles::{self, Handle, HandleKind};
use std::cell::RefCell;

thread_local! {
    /// What `push_handles` returned for each open frame, outermost first.
    static FRAMES: RefCell<Vec<(usize, usize)>> = const { RefCell::new(Vec::new()) };
}

/// A word of a slot that holds no object.
const EMPTY: u64 = 1;

fn capacity(th: &Thread, wanted: i32) -> bool {
    wanted >= 0 && th.handle_top.get() + (wanted as usize) < HANDLE_SLOTS
}
/// Drops frames that ended with the native method that opened them.
fn forget_ended(th: &Thread, frames: &mut Vec<(usize, usize)>) {
    while frames.last().is_some_and(|f| f.0 > th.handle_top.get()) {
        frames.pop();
    }
}

pub extern "C" fn EnsureLocalCapacity(th: &Thread, n: i32) -> i32 {
    if capacity(th, n) {
        return JNI_OK;
    }
    let _vm = enter(th);
    if n >= 0 {
        let _thrown: concord_contract::JResult<()> = concord_runtime::oom::throw(th, "JNI local references");
    }
    JNI_ERR
}
pub extern "C" fn PushLocalFrame(th: &Thread, n: i32) -> i32 {
    if !capacity(th, n) {
        return EnsureLocalCapacity(th, n);
    }
    FRAMES.with_borrow_mut(|f| {
        forget_ended(th, f);
        f.push(th.push_handles());
    });
    JNI_OK
}
pub extern "C" fn PopLocalFrame(th: &Thread, result: Ref) -> Handle {
    let vm = enter(th);
    let o = result.get();
    let frame = FRAMES.with_borrow_mut(|f| {
        forget_ended(th, f);
        f.pop()
    });
    if let Some(saved) = frame {
        th.pop_handles(saved);
    }
    vm.local_obj(o)
}

pub extern "C" fn NewGlobalRef(th: &Thread, r: Ref) -> Handle {
    let _vm = enter(th);
    handles::new_global(r.get())
}
pub extern "C" fn DeleteGlobalRef(th: &Thread, r: Ref) {
    let _vm = enter(th);
    if handles::kind(th, r.raw()) == HandleKind::Global {
        // SAFETY: a live global reference, which JNI forbids to use from now on.
        unsafe { handles::delete_global(r.raw()) }
    }
}
pub extern "C" fn NewWeakGlobalRef(th: &Thread, r: Ref) -> Handle {
    let _vm = enter(th);
    handles::new_weak_global(r.get())
}
pub extern "C" fn DeleteWeakGlobalRef(th: &Thread, r: Ref) {
    let _vm = enter(th);
    if handles::kind(th, r.raw()) == HandleKind::Weak {
        // SAFETY: a live weak reference, which JNI forbids to use from now on.
        unsafe { handles::delete_weak_global(r.raw()) }
    }
}
pub extern "C" fn NewLocalRef(th: &Thread, r: Ref) -> Handle {
    let vm = enter(th);
    vm.local_obj(r.get())
}
pub extern "C" fn DeleteLocalRef(th: &Thread, r: Ref) {
    let base = th.handles.get();
    let end = base.wrapping_add(th.handle_top.get());
    if (base..end).contains(&r.raw()) {
        let _vm = enter(th);
        let begin = FRAMES.with_borrow_mut(|f| {
            forget_ended(th, f);
            f.last().map_or(base, |saved| base.wrapping_add(saved.0))
        });
        // SAFETY: a slot in use of this thread, which JNI forbids to use from now on. One of an outer frame
        // is left empty until that frame ends: the bounds of open frames stay.
        unsafe {
            match r.raw() < begin {
                true => *r.raw() = EMPTY,
                false => th.free_handle(r.raw()),
            }
        }
    }
}
pub extern "C" fn IsSameObject(th: &Thread, a: Ref, b: Ref) -> u8 {
    let _vm = enter(th);
    (a.get() == b.get()) as u8
}
pub extern "C" fn GetObjectRefType(th: &Thread, r: Ref) -> u32 {
    let _vm = enter(th);
    if r.is_null() {
        return HandleKind::Invalid as u32;
    }
    // Arguments of native methods are references to the slots of the Java stack.
    let (base, bytes) = (th.stack_base.get() as usize, th.stack_bytes.get());
    if (base..base + bytes).contains(&(r.raw() as usize)) {
        return HandleKind::Local as u32;
    }
    handles::kind(th, r.raw()) as u32
}
