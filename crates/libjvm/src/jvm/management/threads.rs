//! Thread information, deadlocks, processor time.
//!
//! Invariant: a thread is named by Thread.getId(), 0 being the caller where the interface says so.
use super::entry;
use crate::env::Ref;
use concord_contract::{BasicType, ClassRef, JResult, Obj, Thread};
use concord_runtime::handles::{Local, Scope};
use concord_runtime::threads::contention;
use concord_runtime::threads::observe::{self, Snapshot};
use concord_runtime::{arrays, exceptions, init, known, loader, object, stackwalk};
use std::time::Duration;

fn thread_info_class(th: &Thread) -> JResult<ClassRef> {
    let c = loader::find_class(th, "java/lang/management/ThreadInfo".into(), loader::boot())?;
    init::initialize(th, c)?;
    Ok(c)
}
fn long_at(a: Obj, i: usize) -> i64 {
    a.get_i64(Obj::elem_offset(i, 3))
}
fn id_of(thread: Obj) -> i64 {
    thread.get_i64(known::offsets().thread_tid)
}

/// What ThreadInfo says of a time: -1 while contention is not monitored.
fn millis(d: Duration) -> u64 {
    if contention::monitoring() { d.as_millis() as u64 } else { u64::MAX }
}

/// Which monitors a ThreadInfo with locks names.
#[derive(Clone, Copy)]
enum Monitors {
    None,
    Owned,
}

/// A ThreadInfo; with locks, also the monitors that the thread holds, if they were asked for.
fn new_info(th: &Thread, s: &Snapshot<'_>, locks: Option<Monitors>) -> JResult<Obj> {
    let class = thread_info_class(th)?;
    let scope = Scope::new(th);
    let stack = scope.handle(stackwalk::elements_of(th, &s.stack)?);
    // Arrays on the native stack, not vectors: what they name is pinned while the object is made.
    let common = || {
        [
            s.thread.get().addr() as u64,
            u64::from(s.status),
            s.lock.get().addr() as u64,
            s.owner.get().addr() as u64,
            s.blocked_count,
            0,
            millis(s.blocked_time),
            0,
            s.waited_count,
            0,
            millis(s.waited_time),
            0,
            stack.get().addr() as u64,
        ]
    };
    let Some(which) = locks else {
        let desc = "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;)V";
        return object::new_with(th, class, desc, &common());
    };
    let held: Vec<(Local<'_>, i32)> = match which {
        Monitors::Owned => s.owned_monitors().map(|(o, depth)| (scope.handle(o), depth)).collect(),
        Monitors::None => Vec::new(),
    };
    let monitors = scope.handle(arrays::new_ref_array(th, known::classes().object, held.len())?);
    let depths = scope.handle(arrays::new_prim_array(th, BasicType::Int, held.len())?);
    for (i, (o, depth)) in held.iter().enumerate() {
        arrays::set_ref(monitors.get(), i, o.get());
        depths.get().put_i32(Obj::elem_offset(i, 2), *depth);
    }
    let synchronizers = scope.handle(arrays::new_ref_array(th, known::classes().object, s.synchronizers.len())?);
    for (i, o) in s.synchronizers.iter().enumerate() {
        arrays::set_ref(synchronizers.get(), i, o.get());
    }
    let mut args = [0u64; 16];
    args[..13].copy_from_slice(&common());
    args[13..].copy_from_slice(&[monitors, depths, synchronizers].map(|h| h.get().addr() as u64));
    let desc = "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;[Ljava/lang/Object;[I[Ljava/lang/Object;)V";
    object::new_with(th, class, desc, &args)
}

fn depth_of(max: i32) -> usize {
    if max < 0 { usize::MAX } else { max as usize }
}

/// Infos of threads, and for each of the ids, in their order, which it is; None for threads that are not alive.
fn infos<'s>(scope: &'s Scope<'_>, ids: &[i64], depth: i32, locks: bool) -> (Vec<Snapshot<'s>>, Vec<Option<usize>>) {
    let all = observe::snapshots_with(scope, |t| ids.contains(&id_of(t)), depth_of(depth), locks);
    let which = ids.iter().map(|id| all.iter().position(|s| id_of(s.thread.get()) == *id)).collect();
    (all, which)
}
fn ids_of(a: Obj) -> Vec<i64> {
    (0..a.array_len()).map(|i| long_at(a, i)).collect()
}

fn thread_array(th: &Thread, list: &[Local<'_>]) -> JResult<Obj> {
    if list.is_empty() {
        return Ok(Obj::NULL);
    }
    let a = arrays::new_ref_array(th, known::classes().thread, list.len())?;
    for (i, t) in list.iter().enumerate() {
        arrays::set_ref(a, i, t.get());
    }
    Ok(a)
}

fn time(th: &Thread, id: i64, user_only: bool) -> i64 {
    observe::os_tid_of(th, id).and_then(|t| observe::cpu_time(t, user_only)).unwrap_or(-1)
}

/// -1 for a thread that is not alive.
fn allocated_by(th: &Thread, id: i64) -> i64 {
    observe::allocated_by(th, id).map_or(-1, |n| n as i64)
}

entry! {
    thread_info(th, ids: Ref, depth: i32, result: Ref) -> i {
        if ids.get().is_null() || result.get().is_null() {
            return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
        }
        if depth < -1 {
            return exceptions::throw(th, "java/lang/IllegalArgumentException", "Invalid maxDepth");
        }
        let scope = Scope::new(th);
        let (all, which) = infos(&scope, &ids_of(ids.get()), depth, false);
        for (i, s) in which.iter().enumerate() {
            let o = match s {
                Some(s) => new_info(th, &all[*s], None)?,
                None => Obj::NULL,
            };
            arrays::set_ref(result.get(), i, o);
        }
        Ok(0)
    }
    dump(th, ids: Ref, monitors: u8, synchronizers: u8, depth: i32) -> obj {
        let scope = Scope::new(th);
        let (all, list) = if ids.get().is_null() {
            let all = observe::snapshots_with(&scope, |_| true, depth_of(depth), synchronizers != 0);
            let list = (0..all.len()).map(Some).collect::<Vec<_>>();
            (all, list)
        } else {
            infos(&scope, &ids_of(ids.get()), depth, synchronizers != 0)
        };
        let locks = match (monitors, synchronizers) {
            (0, 0) => None,
            (0, _) => Some(Monitors::None),
            _ => Some(Monitors::Owned),
        };
        let class = thread_info_class(th)?;
        let out = scope.handle(arrays::new_ref_array(th, class, list.len())?);
        for (i, s) in list.iter().enumerate() {
            if let Some(s) = s {
                let o = new_info(th, &all[*s], locks)?;
                arrays::set_ref(out.get(), i, o);
            }
        }
        Ok(out.get())
    }
    monitor_deadlocks(th) -> obj {
        let scope = Scope::new(th);
        thread_array(th, &observe::deadlocked(&scope, false))
    }
    deadlocks(th, monitors_only: u8) -> obj {
        let scope = Scope::new(th);
        thread_array(th, &observe::deadlocked(&scope, monitors_only == 0))
    }
    cpu_time(th, id: i64) -> j { Ok(time(th, id, false)) }
    cpu_time_of_kind(th, id: i64, with_system: u8) -> j { Ok(time(th, id, with_system == 0)) }
    cpu_times_of_kind(th, ids: Ref, times: Ref, with_system: u8) -> void {
        let (a, out) = (ids.get(), times.get());
        if a.is_null() || out.is_null() {
            return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
        }
        if a.array_len() != out.array_len() {
            return exceptions::throw(th, "java/lang/IllegalArgumentException", "The length of the given long array does not match the length of the given array of thread IDs");
        }
        for i in 0..a.array_len() {
            out.put_i64(Obj::elem_offset(i, 3), time(th, long_at(a, i), with_system == 0));
        }
        Ok(())
    }
    internal_times(_th, _names: Ref, _times: Ref) -> i {
        // The collector's threads are not Java's to see.
        Ok(0)
    }
    allocated_by_one(th, id: i64) -> j { Ok(allocated_by(th, id)) }
    allocated_by_all(_th) -> j { Ok(concord_heap::allocated_by_all() as i64) }
    allocated(th, ids: Ref, sizes: Ref) -> void {
        let (a, out) = (ids.get(), sizes.get());
        if a.is_null() || out.is_null() {
            return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
        }
        if a.array_len() != out.array_len() {
            return exceptions::throw(th, "java/lang/IllegalArgumentException", "The length of the given long array does not match the length of the given array of thread IDs");
        }
        for i in 0..a.array_len() {
            out.put_i64(Obj::elem_offset(i, 3), allocated_by(th, long_at(a, i)));
        }
        Ok(())
    }
}
