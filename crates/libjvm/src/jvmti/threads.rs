//! Threads, their groups, states, monitors, suspension.
//!
//! Invariant: a suspended thread runs no bytecode from the moment that SuspendThread returns; in
//! native code it goes on until it comes back.
use super::environment::Env;
use super::stack::at_stop;
use super::{Answer, error, give, in_vm, live_thread, new_text, thread_of};
use crate::env::{Out, Ref};
use concord_contract::frame::Frame;
use concord_contract::thread::{ThreadState, poll};
use concord_contract::{Obj, Thread};
use concord_runtime::handles::{Handle, Scope};
use concord_runtime::info::ClassExt;
use concord_runtime::threads::{self, observe};
use concord_runtime::{call, known, strings};
use std::ffi::{c_char, c_void};
use std::sync::atomic::Ordering;

pub extern "C" fn all(_e: &Env, count: Out<i32>, out: Out<*mut Handle>) -> i32 {
    in_vm(|vm| {
        threads::await_started();
        let mut list = Vec::new();
        threads::all_threads(|_, o| list.push(vm.local_obj(o)));
        give(count, out, &list)
    })
}
pub extern "C" fn current(_e: &Env, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        out.set(vm.local_obj(vm.th.java_thread.get()));
        Ok(())
    })
}

fn is_suspended(t: &Thread) -> bool {
    t.poll.load(Ordering::Acquire) & poll::SUSPEND != 0
}
fn suspend_one(th: &Thread, thread: Ref) -> Answer {
    let o = live_thread(th, thread)?;
    let Some(t) = threads::block_of(o) else { return Err(error::THREAD_NOT_ALIVE) };
    if is_suspended(t) {
        return Err(error::THREAD_SUSPENDED);
    }
    if threads::suspend(th, o) { Ok(()) } else { Err(error::THREAD_NOT_ALIVE) }
}
fn resume_one(th: &Thread, thread: Ref) -> Answer {
    let o = live_thread(th, thread)?;
    let Some(t) = threads::block_of(o) else { return Err(error::THREAD_NOT_ALIVE) };
    if !is_suspended(t) {
        return Err(error::THREAD_NOT_SUSPENDED);
    }
    threads::resume(o);
    Ok(())
}
pub extern "C" fn suspend(_e: &Env, thread: Ref) -> i32 {
    in_vm(|vm| suspend_one(vm.th, thread))
}
pub extern "C" fn resume(_e: &Env, thread: Ref) -> i32 {
    in_vm(|vm| resume_one(vm.th, thread))
}
fn list(count: i32, threads: *const Ref, results: *mut i32, mut f: impl FnMut(&Thread, Ref) -> Answer) -> i32 {
    in_vm(|vm| {
        if count < 0 || threads.is_null() || results.is_null() {
            return Err(error::ILLEGAL_ARGUMENT);
        }
        // The caller itself last: it stands still where it suspends itself.
        let me = vm.th.java_thread.get();
        for own in [false, true] {
            for i in 0..count as usize {
                // SAFETY: the specification: both have `count` elements.
                let thread = unsafe { *threads.add(i) };
                if (thread.get() == me) == own {
                    // SAFETY: as above.
                    unsafe { *results.add(i) = super::code(f(vm.th, thread)) };
                }
            }
        }
        Ok(())
    })
}
pub extern "C" fn suspend_list(_e: &Env, count: i32, threads: *const Ref, results: *mut i32) -> i32 {
    list(count, threads, results, suspend_one)
}
pub extern "C" fn resume_list(_e: &Env, count: i32, threads: *const Ref, results: *mut i32) -> i32 {
    list(count, threads, results, resume_one)
}
/// The live thread that a reference names; here null does not stand for the caller.
fn live_and_named(th: &Thread, thread: Ref) -> Answer<Obj> {
    if thread.is_null() { Err(error::INVALID_THREAD) } else { live_thread(th, thread) }
}
pub extern "C" fn stop(_e: &Env, thread: Ref, exception: Ref) -> i32 {
    in_vm(|vm| {
        let o = live_and_named(vm.th, thread)?;
        if exception.is_null() {
            return Err(error::NULL_POINTER);
        }
        if exception.get().is_null() {
            return Err(error::INVALID_OBJECT);
        }
        // For the caller itself the exception is pending from here on.
        let _pending = threads::stop(vm.th, o, exception.get());
        Ok(())
    })
}
pub extern "C" fn interrupt(_e: &Env, thread: Ref) -> i32 {
    in_vm(|vm| {
        let o = live_and_named(vm.th, thread)?;
        call::call_virtual(vm.th, o, "interrupt", "()V", &[]).map(|_| ()).map_err(|_| {
            vm.th.take_exception();
            error::INTERNAL
        })
    })
}

/// What a thread's status does not say: whether it is suspended, and interrupted.
fn more_state(t: &Thread, o: Obj) -> i32 {
    let suspended = if is_suspended(t) { 0x10_0000 } else { 0 };
    suspended | if o.get_u8(known::offsets().thread_interrupted) != 0 { 0x20_0000 } else { 0 }
}
/// Waiting on a monitor, or to enter one: wherever that is, to agents it is no native method.
const ON_MONITOR: i32 = 0x100 | 0x400;
/// And whether it is in a native method, while it stands still.
fn native_state(t: &Thread, status: i32) -> i32 {
    let native = || Frame::innermost(t).and_then(|f| f.method()).is_some_and(|m| m.is_native());
    if status & ON_MONITOR == 0 && t.state() == ThreadState::Native && native() { 0x40_0000 } else { 0 }
}
/// The whole state of a thread that stands still, or is the caller.
pub(super) fn state_at_stop(th: &Thread, t: &Thread, o: Obj) -> i32 {
    let status = o.get_i32(known::offsets().thread_status);
    status | more_state(t, o) | if std::ptr::eq(t, th) { 0 } else { native_state(t, status) }
}
pub extern "C" fn state(_e: &Env, thread: Ref, out: Out<i32>) -> i32 {
    in_vm(|vm| {
        let o = thread_of(vm.th, thread)?;
        let mut s = o.get_i32(known::offsets().thread_status);
        const ALIVE: i32 = 1;
        if let Some(t) = threads::block_of(o) {
            s |= ALIVE | more_state(t, o);
            if s & ON_MONITOR == 0 && !std::ptr::eq(t, vm.th) {
                // A thread that has ended meanwhile is in no native method.
                s |= at_stop(vm, thread, |t| Ok(native_state(t, s))).unwrap_or(0);
            }
        }
        out.set(s);
        Ok(())
    })
}

/// jvmtiThreadInfo.
#[repr(C)]
pub struct Info {
    name: *mut c_char,
    priority: i32,
    daemon: u8,
    group: Handle,
    loader: Handle,
}
fn object_field(o: Obj, name: &str, desc: &str) -> Obj {
    o.class().find_field(name.into(), desc.into()).map_or(Obj::NULL, |f| o.get_ref(f.offset() as usize))
}
fn int_field(o: Obj, name: &str) -> i32 {
    o.class().find_field(name.into(), "I".into()).map_or(0, |f| o.get_i32(f.offset() as usize))
}
pub extern "C" fn info(_e: &Env, thread: Ref, out: Out<Info>) -> i32 {
    in_vm(|vm| {
        let o = thread_of(vm.th, thread)?;
        let k = known::offsets();
        let name = o.get_ref(k.thread_name);
        let text = if name.is_null() { Vec::new() } else { strings::to_mutf8(name) };
        out.set(Info {
            name: new_text(&text)?,
            priority: o.get_i32(k.thread_priority),
            daemon: o.get_u8(k.thread_daemon),
            group: vm.local_obj(object_field(o, "group", "Ljava/lang/ThreadGroup;")),
            loader: vm.local_obj(object_field(o, "contextClassLoader", "Ljava/lang/ClassLoader;")),
        });
        Ok(())
    })
}

pub extern "C" fn top_groups(_e: &Env, count: Out<i32>, out: Out<*mut Handle>) -> i32 {
    in_vm(|vm| give(count, out, &[vm.local_obj(threads::system_group())]))
}
/// jvmtiThreadGroupInfo.
#[repr(C)]
pub struct GroupInfo {
    parent: Handle,
    name: *mut c_char,
    priority: i32,
    daemon: u8,
}
fn group_of(r: Ref) -> Answer<Obj> {
    let o = r.get();
    if o.is_null() || !o.is_instance_of(known::classes().thread_group) {
        Err(error::INVALID_THREAD_GROUP)
    } else {
        Ok(o)
    }
}
pub extern "C" fn group_info(_e: &Env, group: Ref, out: Out<GroupInfo>) -> i32 {
    in_vm(|vm| {
        let g = group_of(group)?;
        let name = object_field(g, "name", "Ljava/lang/String;");
        let daemon = g.class().find_field("daemon".into(), "Z".into()).map_or(0, |f| g.get_u8(f.offset() as usize));
        out.set(GroupInfo {
            parent: vm.local_obj(object_field(g, "parent", "Ljava/lang/ThreadGroup;")),
            name: new_text(&if name.is_null() { Vec::new() } else { strings::to_mutf8(name) })?,
            priority: int_field(g, "maxPriority"),
            daemon,
        });
        Ok(())
    })
}
pub extern "C" fn group_children(
    _e: &Env,
    group: Ref,
    nt: Out<i32>,
    ts: Out<*mut Handle>,
    ng: Out<i32>,
    gs: Out<*mut Handle>,
) -> i32 {
    in_vm(|vm| {
        let g = group_of(group)?;
        threads::await_started();
        let mut mine = Vec::new();
        threads::all_threads(|_, o| {
            if object_field(o, "group", "Ljava/lang/ThreadGroup;") == g {
                mine.push(vm.local_obj(o));
            }
        });
        give(nt, ts, &mine)?;
        let groups = object_field(g, "groups", "[Ljava/lang/ThreadGroup;");
        let n = int_field(g, "ngroups").max(0) as usize;
        let list: Vec<Handle> = if groups.is_null() {
            Vec::new()
        } else {
            (0..n.min(groups.array_len())).map(|i| vm.local_obj(groups.array_ref(i))).collect()
        };
        give(ng, gs, &list)
    })
}

type Proc = extern "C" fn(&Env, *const Thread, *mut c_void);
pub extern "C" fn run_agent(e: &'static Env, thread: Ref, f: Proc, argument: usize, priority: i32) -> i32 {
    in_vm(|vm| {
        if thread.is_null() {
            return Err(error::INVALID_THREAD);
        }
        let o = thread_of(vm.th, thread)?;
        if !(1..=10).contains(&priority) {
            return Err(error::INVALID_PRIORITY);
        }
        let k = known::offsets();
        o.put_u8(k.thread_daemon, 1);
        o.put_i32(k.thread_priority, priority);
        let body = move |th: &'static Thread| concord_safepoint::in_native(|| f(e, th, argument as *mut c_void));
        threads::start_with_closure(vm.th, o, Box::new(body)).map_err(|_| {
            vm.th.take_exception();
            error::INTERNAL
        })
    })
}

/// Monitors that a thread owns, with the depth of the frame that locked each.
fn owned(th: &Thread, thread: Ref, f: impl FnOnce(&[(Obj, i32)]) -> Answer) -> Answer {
    let o = live_thread(th, thread)?;
    let scope = Scope::new(th);
    let all = observe::snapshots(&scope, |t| t == o, usize::MAX);
    let Some(s) = all.first() else { return Err(error::THREAD_NOT_ALIVE) };
    let mut list: Vec<(Obj, i32)> = Vec::new();
    for (o, depth) in s.owned_monitors() {
        // Each once, with the innermost frame that locked it.
        match list.iter_mut().find(|l| l.0 == o) {
            Some(known) => known.1 = known.1.min(depth),
            None => list.push((o, depth)),
        }
    }
    drop(all);
    drop(scope);
    f(&list)
}
pub extern "C" fn owned_monitors(_e: &Env, thread: Ref, count: Out<i32>, out: Out<*mut Handle>) -> i32 {
    in_vm(|vm| {
        owned(vm.th, thread, |list| {
            let all: Vec<Handle> = list.iter().map(|(o, _)| vm.local_obj(*o)).collect();
            give(count, out, &all)
        })
    })
}
/// jvmtiMonitorStackDepthInfo.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonitorDepth {
    monitor: Handle,
    depth: i32,
}
pub extern "C" fn owned_monitors_with_depth(
    _e: &Env,
    thread: Ref,
    count: Out<i32>,
    out: Out<*mut MonitorDepth>,
) -> i32 {
    in_vm(|vm| {
        owned(vm.th, thread, |list| {
            let all: Vec<MonitorDepth> =
                list.iter().map(|(o, d)| MonitorDepth { monitor: vm.local_obj(*o), depth: *d }).collect();
            give(count, out, &all)
        })
    })
}
pub extern "C" fn contended_monitor(_e: &Env, thread: Ref, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        let o = live_thread(vm.th, thread)?;
        let lock = {
            let scope = Scope::new(vm.th);
            let all = observe::snapshots(&scope, |t| t == o, 0);
            let on_monitor = |s: u32| {
                matches!(s, threads::status::BLOCKED | threads::status::WAITING | threads::status::TIMED_WAITING)
            };
            all.first().filter(|s| on_monitor(s.status)).map_or(Obj::NULL, |s| s.lock.get())
        };
        out.set(vm.local_obj(lock));
        Ok(())
    })
}
/// jvmtiMonitorUsage.
#[repr(C)]
pub struct Usage {
    owner: Handle,
    entries: i32,
    waiters: i32,
    waiting: *mut Handle,
    notify_waiters: i32,
    notify_waiting: *mut Handle,
}
pub extern "C" fn monitor_usage(_e: &Env, object: Ref, out: Out<Usage>) -> i32 {
    in_vm(|vm| {
        let o = object.get();
        if o.is_null() {
            return Err(error::INVALID_OBJECT);
        }
        let (mut owner, mut entries) = (Obj::NULL, 0);
        let (mut entering, mut waiting) = (Vec::new(), Vec::new());
        {
            let scope = Scope::new(vm.th);
            for s in observe::snapshots(&scope, |_| true, usize::MAX) {
                let held: Vec<i32> = s.owned_monitors().filter(|(m, _)| *m == o).map(|(_, depth)| depth).collect();
                if !held.is_empty() {
                    // Only frames count.
                    (owner, entries) = (s.thread.get(), held.iter().filter(|depth| **depth >= 0).count() as i32);
                }
                if s.lock.get() == o {
                    match s.status {
                        threads::status::BLOCKED => entering.push(s.thread.get()),
                        threads::status::WAITING | threads::status::TIMED_WAITING => waiting.push(s.thread.get()),
                        _ => {}
                    }
                }
            }
        }
        let refs = |v: &[Obj]| -> Answer<*mut Handle> {
            let p = super::allocate(size_of_val(v))?.cast::<Handle>();
            for (i, o) in v.iter().enumerate() {
                // SAFETY: room for all of them.
                unsafe { p.add(i).write(vm.local_obj(*o)) };
            }
            Ok(p)
        };
        // Those who wait are among the waiters, too, behind those who want to enter.
        entering.extend_from_slice(&waiting);
        out.set(Usage {
            owner: vm.local_obj(owner),
            entries,
            waiters: entering.len() as i32,
            waiting: refs(&entering)?,
            notify_waiters: waiting.len() as i32,
            notify_waiting: refs(&waiting)?,
        });
        Ok(())
    })
}
