//! Exceptions: throwing, looking at, clearing and describing the pending one.
use super::{JNI_ERR, JNI_OK};
use crate::env::{Ref, Text, enter};
use concord_contract::frame::java_frames;
use concord_contract::{JResult, Thread};
use concord_runtime::handles::Handle;
use concord_runtime::{ClassExt, MethodExt, call, exceptions, handles, object, strings};

pub extern "C" fn Throw(th: &Thread, e: Ref) -> i32 {
    let vm = enter(th);
    match vm.non_null(e.get()) {
        Ok(o) => {
            let _thrown: JResult<()> = th.throw(o);
            JNI_OK
        }
        Err(_thrown) => JNI_ERR,
    }
}
pub extern "C" fn ThrowNew(th: &Thread, class: Ref, message: Text) -> i32 {
    let vm = enter(th);
    // As HotSpot: what was pending is replaced, and the constructor must not see it.
    th.take_exception();
    let class = class.class();
    let made = match message.bytes() {
        None => object::new_with(th, class, "()V", &[]),
        Some(b) => strings::new_mutf8(th, b)
            .and_then(|s| object::new_with(th, class, "(Ljava/lang/String;)V", &[s.addr() as u64])),
    };
    match made.and_then(|e| vm.non_null(e)) {
        Ok(e) => {
            let _thrown: JResult<()> = th.throw(e);
            JNI_OK
        }
        Err(_thrown) => JNI_ERR,
    }
}
pub extern "C" fn ExceptionOccurred(th: &Thread) -> Handle {
    let vm = enter(th);
    vm.local_obj(th.exception.get())
}
pub extern "C" fn ExceptionCheck(th: &Thread) -> u8 {
    th.has_exception() as u8
}
pub extern "C" fn ExceptionClear(th: &Thread) {
    let _vm = enter(th);
    th.take_exception();
}
pub extern "C" fn ExceptionDescribe(th: &Thread) {
    let _vm = enter(th);
    if !th.has_exception() {
        return;
    }
    let scope = handles::Scope::new(th);
    let e = scope.handle(th.take_exception());
    let death = concord_runtime::known::classes().thread_death;
    if e.get().is_instance_of(death) {
        return;
    }
    concord_base::err!("Exception in thread \"{}\" ", exceptions::thread_name(th));
    if call::call_virtual(th, e.get(), "printStackTrace", "()V", &[]).is_err() {
        let second = th.take_exception();
        let how = exceptions::describe(second);
        concord_base::errln!("{}\n[{how} thrown while the stack trace was printed]", exceptions::describe(e.get()));
    }
}
pub extern "C" fn FatalError(th: &Thread, message: Text) -> ! {
    let _vm = enter(th);
    die(th, &message.lossy())
}

/// Ends the VM for a mistake of native code, as HotSpot words it.
pub fn die(th: &Thread, why: &str) -> ! {
    concord_base::outln!("FATAL ERROR in native method: {why}");
    print_stack(th);
    crate::crash::end()
}
/// The thread's Java frames, as lines of a stack trace on standard output.
pub fn print_stack(th: &Thread) {
    for (m, f) in java_frames(th) {
        let class = m.class.external_name();
        let line = if m.is_native() { -2 } else { m.line_at(concord_runtime::stackwalk::bci_of(m, &f)) };
        match (line, ClassExt::info(m.class).source_file()) {
            (-2, _) => concord_base::outln!("\tat {class}.{}(Native Method)", m.name),
            (-1, Some(file)) => concord_base::outln!("\tat {class}.{}({file})", m.name),
            (_, Some(file)) => concord_base::outln!("\tat {class}.{}({file}:{line})", m.name),
            (_, None) => concord_base::outln!("\tat {class}.{}(Unknown Source)", m.name),
        }
    }
}
