//! Java threads that the VM itself starts.
//!
//! Invariant: they are daemons of the system group, made through Thread's constructor and added
//! to their group as Thread.start would do.
use super::{lifecycle, start};
use crate::native::signals;
use crate::{call, handles, init, known, object, strings};
use concord_contract::{JResult, Thread};

/// Starts the VM's Java threads: the Signal Dispatcher, unless -Xrs leaves signals alone.
///
/// # Errors
/// What the constructors throw; OutOfMemoryError.
pub fn start_vm_threads(th: &Thread) -> JResult<()> {
    if concord_base::options::get().flags.reduce_signal_usage {
        return Ok(());
    }
    signals::start();
    signals::install_quit_handler();
    start_daemon(th, "Signal Dispatcher", 9, signals::dispatch_loop)
}

/// Starts a daemon thread with a java.lang.Thread whose body is `body`.
fn start_daemon(th: &Thread, name: &str, priority: i32, body: fn(&'static Thread)) -> JResult<()> {
    let scope = handles::Scope::new(th);
    let class = known::classes().thread;
    init::initialize(th, class)?;
    let name = scope.handle(strings::new_str(th, name)?);
    let group = scope.handle(lifecycle::system_group());
    let thread = object::new_with(
        th,
        class,
        "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
        &[group.get().addr() as u64, name.get().addr() as u64],
    )?;
    let thread = scope.handle(thread);
    let o = known::offsets();
    thread.get().put_i32(o.thread_priority, priority);
    thread.get().put_u8(o.thread_daemon, 1);
    let add = known::methods().group_add;
    call::invoke(th, add, &[group.get().addr() as u64, thread.get().addr() as u64])?;
    start::start_with(th, thread.get(), body)
}
