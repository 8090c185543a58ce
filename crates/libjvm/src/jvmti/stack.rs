//! Frames of threads.
//!
//! Invariant: frames are counted from the innermost Java frame, 0, natives included; another
//! thread's frames are looked at while the world is stopped.
use super::environment::Env;
use super::threads::state_at_stop;
use super::{Answer, error, in_vm, live_thread};
use crate::env::{InVm, MethodId, Out, Ref};
use concord_contract::frame::{Frame, java_frames};
use concord_contract::{MethodRef, Obj, Thread};
use concord_runtime::handles::Handle;
use concord_runtime::{known, stackwalk, threads};
use concord_safepoint::Stopped;

/// Runs `f` on the thread's block while it stands still.
pub fn at_stop<R>(vm: &InVm<'_>, thread: Ref, f: impl FnOnce(&Thread) -> Answer<R>) -> Answer<R> {
    if live_thread(vm.th, thread)? == vm.th.java_thread.get() {
        return f(vm.th);
    }
    stopped(vm, thread, "GetStackTrace", |_, t| f(t))
}
/// As [`at_stop`] for an object that `f` finds in the thread: a reference to it. It may be that thread's
/// alone until now, so it is published before the thread runs on.
pub fn object_at_stop(vm: &InVm<'_>, thread: Ref, f: impl FnOnce(&Thread) -> Answer<Obj>) -> Answer<Handle> {
    if live_thread(vm.th, thread)? == vm.th.java_thread.get() {
        return f(vm.th).map(|found| vm.local_obj(found));
    }
    stopped(vm, thread, "GetLocalVariable", |stopped, t| {
        let found = f(t)?;
        concord_heap::publish_at_stop(stopped, found);
        Ok(vm.local_obj(found))
    })
}
/// Stops the world for another thread. One that was started, but has not come to the VM yet, is waited for.
fn stopped<R>(
    vm: &InVm<'_>,
    thread: Ref,
    reason: &'static str,
    f: impl FnOnce(&Stopped, &Thread) -> Answer<R>,
) -> Answer<R> {
    let mut f = Some(f);
    loop {
        let found = concord_safepoint::stop_the_world(reason, |stopped| {
            let t = stopped.threads().find(|t| t.java_thread.get() == thread.get())?;
            f.take().map(|f| f(stopped, t))
        });
        match found {
            Some(answer) => return answer,
            None => live_thread(vm.th, thread).map(|_| concord_safepoint::in_native(std::thread::yield_now))?,
        }
    }
}
/// The frame at that depth.
pub fn frame_at(t: &Thread, depth: i32) -> Answer<(MethodRef, Frame)> {
    if depth < 0 {
        return Err(error::ILLEGAL_ARGUMENT);
    }
    java_frames(t).nth(depth as usize).ok_or(error::NO_MORE_FRAMES)
}
/// Byte offset of a frame's instruction; -1 in native methods.
pub fn location(m: MethodRef, f: &Frame) -> i64 {
    if m.is_native() { -1 } else { i64::from(stackwalk::bci_of(m, f)) }
}

pub extern "C" fn frame_count(_e: &Env, thread: Ref, out: Out<i32>) -> i32 {
    in_vm(|vm| {
        out.set(at_stop(vm, thread, |t| Ok(java_frames(t).count() as i32))?);
        Ok(())
    })
}
pub extern "C" fn frame_location(_e: &Env, thread: Ref, depth: i32, method: Out<MethodId>, place: Out<i64>) -> i32 {
    in_vm(|vm| {
        let (m, at) = at_stop(vm, thread, |t| {
            let (m, f) = frame_at(t, depth)?;
            Ok((m, location(m, &f)))
        })?;
        method.set(MethodId::of(m));
        place.set(at);
        Ok(())
    })
}

/// jvmtiFrameInfo.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrameInfo {
    method: MethodId,
    location: i64,
}
fn infos(t: &Thread) -> Vec<FrameInfo> {
    java_frames(t).map(|(m, f)| FrameInfo { method: MethodId::of(m), location: location(m, &f) }).collect()
}
/// # Safety
/// `buffer` has room for `max` frames.
pub unsafe extern "C" fn trace(
    _e: &Env,
    thread: Ref,
    start: i32,
    max: i32,
    buffer: *mut FrameInfo,
    count: Out<i32>,
) -> i32 {
    in_vm(|vm| {
        if max < 0 {
            return Err(error::ILLEGAL_ARGUMENT);
        }
        let all = at_stop(vm, thread, |t| Ok(infos(t)))?;
        let n = all.len() as i32;
        let from = if start < 0 { start + n } else { start };
        if from < 0 || from > n || (from == n && n > 0 && start > 0) {
            return Err(error::ILLEGAL_ARGUMENT);
        }
        let part = &all[from as usize..(from + max.min(n - from)) as usize];
        for (i, f) in part.iter().enumerate() {
            // SAFETY: by the caller's promise.
            unsafe { buffer.add(i).write(*f) };
        }
        count.set(part.len() as i32);
        Ok(())
    })
}

/// jvmtiStackInfo.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StackInfo {
    thread: Handle,
    state: i32,
    frames: *mut FrameInfo,
    count: i32,
}
/// Records and their frames in one piece of memory, as the specification wants it.
fn give_traces(vm: &InVm<'_>, all: &[(Obj, i32, Vec<FrameInfo>)], max: i32, out: Out<*mut StackInfo>) -> Answer {
    let max = max.max(0) as usize;
    let frames: usize = all.iter().map(|(_, _, f)| f.len().min(max)).sum();
    let head = size_of::<StackInfo>() * all.len();
    let p = super::allocate(head + size_of::<FrameInfo>() * frames)?.cast::<u8>();
    // SAFETY: room for the records and, behind them, for all frames.
    unsafe {
        let mut next = p.add(head).cast::<FrameInfo>();
        for (i, (thread, state, list)) in all.iter().enumerate() {
            let n = list.len().min(max);
            std::ptr::copy_nonoverlapping(list.as_ptr(), next, n);
            let info = StackInfo { thread: vm.local_obj(*thread), state: *state, frames: next, count: n as i32 };
            p.cast::<StackInfo>().add(i).write(info);
            next = next.add(n);
        }
    }
    out.set(p.cast());
    Ok(())
}
pub extern "C" fn all_traces(_e: &Env, max: i32, out: Out<*mut StackInfo>, count: Out<i32>) -> i32 {
    in_vm(|vm| {
        threads::await_started();
        let mut all = Vec::new();
        concord_safepoint::stop_the_world("GetAllStackTraces", |stopped| {
            for t in stopped.threads() {
                let o = t.java_thread.get();
                if !o.is_null() && threads::is_alive(o) && threads::is_visible(t) {
                    all.push((vm.local_obj(o), state_at_stop(vm.th, t, o), infos(t)));
                }
            }
        });
        count.set(all.len() as i32);
        let all: Vec<_> = all.into_iter().map(|(h, s, f)| (Ref::new(h).get(), s, f)).collect();
        give_traces(vm, &all, max, out)
    })
}
/// # Safety
/// `list` has `count` threads.
pub unsafe extern "C" fn list_traces(
    _e: &Env,
    count: i32,
    list: *const Ref,
    max: i32,
    out: Out<*mut StackInfo>,
) -> i32 {
    in_vm(|vm| {
        if count < 0 {
            return Err(error::ILLEGAL_ARGUMENT);
        }
        let mut all = Vec::new();
        for i in 0..count as usize {
            // SAFETY: by the caller's promise.
            let r = unsafe { *list.add(i) };
            if r.is_null() {
                return Err(error::INVALID_THREAD);
            }
            let found = at_stop(vm, r, |t| Ok((state_at_stop(vm.th, t, r.get()), infos(t))));
            let (state, frames) = match found {
                // One among several may have ended.
                Err(error::THREAD_NOT_ALIVE) if count > 1 => {
                    (r.get().get_i32(known::offsets().thread_status), Vec::new())
                }
                other => other?,
            };
            all.push((r, state, frames));
        }
        // Behind the last stop: addresses in a list are nobody's roots.
        let all: Vec<_> = all.into_iter().map(|(r, s, f)| (r.get(), s, f)).collect();
        give_traces(vm, &all, max, out)
    })
}
