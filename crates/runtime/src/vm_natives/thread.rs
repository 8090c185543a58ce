//! java.lang.Thread.
//!
//! Invariant: bodies are in [`crate::threads`]; here are only slots and results.
use super::args::{Args, boolean, obj, void};
use super::{Row, rows};
use crate::{exceptions, sync, threads};
use concord_contract::{JResult, Thread};

pub static THREAD: &[Row] = rows! {
    "currentThread" "()Ljava/lang/Thread;" = current_thread;
    "yield" "()V" = yield_now;
    "sleep" "(J)V" = sleep;
    "start0" "()V" = start;
    "holdsLock" "(Ljava/lang/Object;)Z" = holds_lock;
    "interrupt0" "()V" = interrupt;
    "clearInterruptEvent" "()V" = nothing;
    "setPriority0" "(I)V" = set_priority;
    "setNativeName" "(Ljava/lang/String;)V" = set_native_name;
};

fn nothing(_: &Thread, _: Args) -> JResult<u64> {
    void()
}
fn current_thread(th: &Thread, _: Args) -> JResult<u64> {
    obj(threads::current(th))
}
fn yield_now(_: &Thread, _: Args) -> JResult<u64> {
    concord_safepoint::blocked(std::thread::yield_now);
    void()
}
fn sleep(th: &Thread, a: Args) -> JResult<u64> {
    threads::sleep(th, a.long(0))?;
    void()
}
fn start(th: &Thread, a: Args) -> JResult<u64> {
    threads::start(th, a.obj(0))?;
    void()
}
fn holds_lock(th: &Thread, a: Args) -> JResult<u64> {
    if a.obj(0).is_null() {
        return exceptions::throw_no_msg(th, "java/lang/NullPointerException");
    }
    boolean(sync::holds_lock(th, a.obj(0)))
}
fn interrupt(_: &Thread, a: Args) -> JResult<u64> {
    threads::interrupt(a.obj(0));
    void()
}
fn set_priority(_: &Thread, a: Args) -> JResult<u64> {
    threads::set_priority(a.obj(0), a.int(1));
    void()
}
fn set_native_name(th: &Thread, a: Args) -> JResult<u64> {
    threads::set_native_name(th, a.obj(0), a.obj(1));
    void()
}
