//! Stack traces, callers, access control.
use super::jvm;
use crate::env::Ref;
use concord_contract::{Obj, Thread};
use concord_runtime::allocations::by_vm;
use concord_runtime::{known, stackwalk, strings, threads};

jvm! {
    JVM_FillInStackTrace(th, e: Ref) -> void {
        stackwalk::fill_in_stack_trace(th, e.get());
        Ok(())
    }
    JVM_InitStackTraceElementArray(th, elements: Ref, throwable: Ref) -> void {
        stackwalk::fill_stack_trace_elements(th, elements.get(), throwable.get())
    }
    JVM_InitStackTraceElement(th, element: Ref, info: Ref) -> void {
        stackwalk::element_of_info(th, element.get(), info.get())
    }
    JVM_GetExtendedNPEMessage(th, e: Ref) -> obj {
        if !concord_base::options::get().flags.show_code_details_in_exception_messages {
            return Ok(Obj::NULL);
        }
        match stackwalk::npe::message(e.get()) {
            Some(text) => strings::new_str(th, &text),
            None => Ok(Obj::NULL),
        }
    }
    JVM_CallStackWalk(th, stream: Ref, mode: i64, skip: i32, count: i32, start: i32, frames: Ref) -> obj {
        stackwalk::walk(th, stream.get(), mode, skip, count, start, frames.get())
    }
    JVM_MoreStackWalk(th, _stream: Ref, mode: i64, anchor: i64, count: i32, start: i32, frames: Ref) -> i {
        stackwalk::more_frames(th, mode, anchor, count, start, frames.get())
    }
    JVM_GetCallerClass(th) -> obj { stackwalk::caller_class(th) }
    JVM_GetClassContext(th) -> obj { stackwalk::class_context(th) }
    JVM_LatestUserDefinedLoader(th) -> obj { Ok(stackwalk::latest_user_loader(th)) }
    JVM_GetStackAccessControlContext(th, _c: Ref) -> obj { by_vm(th, || stackwalk::stack_access_context(th)) }
    JVM_GetInheritedAccessControlContext(th, _c: Ref) -> obj { Ok(inherited(th)) }
}

fn inherited(th: &Thread) -> Obj {
    let t = threads::current(th);
    if t.is_null() { t } else { t.get_ref(known::offsets().thread_access_context) }
}
