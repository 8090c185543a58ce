//! Stack traces, callers, access control.
use super::jvm;
use crate::env::Ref;
use concord_contract::{Obj, Thread};
use concord_runtime::{known, stackwalk, threads};

jvm! {
    JVM_FillInStackTrace(th, e: Ref) -> void {
        stackwalk::fill_in_stack_trace(th, e.get());
        Ok(())
    }
    JVM_InitStackTraceElementArray(th, elements: Ref, throwable: Ref) -> void {
        stackwalk::fill_stack_trace_elements(th, elements.get(), throwable.get())
    }
    JVM_GetCallerClass(th) -> obj { stackwalk::caller_class(th) }
    JVM_GetClassContext(th) -> obj { stackwalk::class_context(th) }
    JVM_LatestUserDefinedLoader(th) -> obj { Ok(stackwalk::latest_user_loader(th)) }
    JVM_GetStackAccessControlContext(th, _c: Ref) -> obj { stackwalk::stack_access_context(th) }
    JVM_GetInheritedAccessControlContext(th, _c: Ref) -> obj { Ok(inherited(th)) }
}

fn inherited(th: &Thread) -> Obj {
    let t = threads::current(th);
    if t.is_null() { t } else { t.get_ref(known::offsets().thread_access_context) }
}
