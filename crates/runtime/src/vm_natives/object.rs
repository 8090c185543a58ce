//! Object, System, Runtime, String and Throwable.
//!
//! Invariant: a clone shares nothing with its original but the values of its fields: lock, hash
//! and LOCAL bit are its own.
use super::args::{Args, int, long, obj, void};
use super::{Row, copy, rows};
use crate::{ClassExt, exceptions, stackwalk, strings, sync};
use concord_contract::class::flags;
use concord_contract::{JResult, Obj, Thread, entries};
use std::time::{SystemTime, UNIX_EPOCH};

pub static OBJECT: &[Row] = rows! {
    "getClass" "()Ljava/lang/Class;" = get_class;
    "hashCode" "()I" = hash_code;
    "clone" "()Ljava/lang/Object;" = object_clone;
    "notify" "()V" = notify;
    "notifyAll" "()V" = notify_all;
    "wait" "(J)V" = wait;
};
pub static SYSTEM: &[Row] = rows! {
    "arraycopy" "(Ljava/lang/Object;ILjava/lang/Object;II)V" = arraycopy;
    "identityHashCode" "(Ljava/lang/Object;)I" = identity_hash;
    "nanoTime" "()J" = nano_time_native;
    "currentTimeMillis" "()J" = millis_native;
};
pub static RUNTIME: &[Row] = rows! {
    "gc" "()V" = gc_native;
    "totalMemory" "()J" = total_memory_native;
    "freeMemory" "()J" = free_memory_native;
    "maxMemory" "()J" = max_memory_native;
    "availableProcessors" "()I" = processors_native;
};
pub static STRING: &[Row] = rows! {
    "intern" "()Ljava/lang/String;" = intern;
};
pub static THROWABLE: &[Row] = rows! {
    "fillInStackTrace" "(I)Ljava/lang/Throwable;" = fill_in_stack_trace;
};

fn get_class(_: &Thread, a: Args) -> JResult<u64> {
    obj(a.obj(0).class().mirror.get())
}
fn hash_code(th: &Thread, a: Args) -> JResult<u64> {
    int(sync::identity_hash(th, a.obj(0)) as i32)
}
fn identity_hash(th: &Thread, a: Args) -> JResult<u64> {
    let o = a.obj(0);
    int(if o.is_null() { 0 } else { sync::identity_hash(th, o) as i32 })
}
fn object_clone(th: &Thread, a: Args) -> JResult<u64> {
    obj(crate::allocations::by_vm(th, || clone(th, a.obj(0)))?)
}
fn notify(th: &Thread, a: Args) -> JResult<u64> {
    sync::notify(th, a.obj(0))?;
    void()
}
fn notify_all(th: &Thread, a: Args) -> JResult<u64> {
    sync::notify_all(th, a.obj(0))?;
    void()
}
fn wait(th: &Thread, a: Args) -> JResult<u64> {
    sync::wait(th, a.obj(0), a.long(1))?;
    void()
}

/// `Object.clone`.
///
/// # Errors
/// CloneNotSupportedException, OutOfMemoryError.
pub fn clone(th: &Thread, o: Obj) -> JResult<Obj> {
    let class = o.class();
    // References are never cloneable: a copy would be in no list of the collector's.
    if !class.has_flag(flags::CLONEABLE) || class.has_flag(flags::REFERENCE) {
        return exceptions::throw(th, "java/lang/CloneNotSupportedException", &class.external_name());
    }
    let Ok(copy) = concord_heap::clone_object(th, o) else {
        return crate::oom::throw(th, "Java heap space");
    };
    if class.has_flag(flags::FINALIZER) {
        let scope = crate::handles::Scope::new(th);
        let copy = scope.handle(copy);
        entries::register_finalizer(th, copy.get())?;
        return Ok(copy.get());
    }
    Ok(copy)
}

fn arraycopy(th: &Thread, a: Args) -> JResult<u64> {
    copy::arraycopy(th, a.obj(0), a.int(1), a.obj(2), a.int(3), a.int(4))?;
    void()
}

/// `System.nanoTime`.
pub fn nano_time() -> i64 {
    // SAFETY: the kernel fills the structure; CLOCK_MONOTONIC always exists.
    let t = unsafe {
        let mut t: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut t);
        t
    };
    t.tv_sec * 1_000_000_000 + t.tv_nsec
}
fn since_epoch() -> std::time::Duration {
    // Before 1970 only on a machine whose clock was never set.
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
/// `System.currentTimeMillis`.
pub fn current_millis() -> i64 {
    since_epoch().as_millis() as i64
}
/// Nanoseconds since `offset_seconds`, or -1 if that is 2^32 seconds away or more (`VM.getNanoTimeAdjustment`).
pub fn nano_time_adjustment(offset_seconds: i64) -> i64 {
    let now = since_epoch();
    let diff = (now.as_secs() as i64).wrapping_sub(offset_seconds);
    if diff.unsigned_abs() >= 1 << 32 {
        return -1;
    }
    diff * 1_000_000_000 + i64::from(now.subsec_nanos())
}
fn nano_time_native(_: &Thread, _: Args) -> JResult<u64> {
    long(nano_time())
}
fn millis_native(_: &Thread, _: Args) -> JResult<u64> {
    long(current_millis())
}

/// `Runtime.availableProcessors`.
pub fn available_processors() -> i32 {
    concord_base::options::processors() as i32
}
/// `Runtime.gc`.
pub fn gc(th: &Thread) {
    if !concord_base::options::get().flags.disable_explicit_gc {
        entries::on_clean_stack(|| concord_heap::system_gc(th));
    }
}
fn gc_native(th: &Thread, _: Args) -> JResult<u64> {
    gc(th);
    void()
}
fn total_memory_native(_: &Thread, _: Args) -> JResult<u64> {
    long(concord_heap::total_memory() as i64)
}
fn free_memory_native(_: &Thread, _: Args) -> JResult<u64> {
    long(concord_heap::free_memory() as i64)
}
fn max_memory_native(_: &Thread, _: Args) -> JResult<u64> {
    long(concord_heap::max_memory() as i64)
}
fn processors_native(_: &Thread, _: Args) -> JResult<u64> {
    int(available_processors())
}

fn intern(th: &Thread, a: Args) -> JResult<u64> {
    obj(strings::intern(th, a.obj(0))?)
}
fn fill_in_stack_trace(th: &Thread, a: Args) -> JResult<u64> {
    stackwalk::fill_in_stack_trace(th, a.obj(0));
    obj(a.obj(0))
}
