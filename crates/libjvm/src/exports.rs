//! Exported names whose bodies are not written: each throws an UnsatisfiedLinkError that names it.
//!
//! Invariant: a name stands either here or in `src/jvm/`; the linker refuses both. The JDK's
//! libraries bind every name when they are loaded, so none may be absent.
use crate::env::enter;
use concord_contract::{JResult, Thread};
use concord_runtime::exceptions;

/// Throws if the caller is a Java thread, prints otherwise; the result is 0 in every return type.
#[cold]
fn absent(name: &str, why: &str) -> usize {
    let message = format!("{name}: {why}");
    match Thread::current_opt() {
        Some(th) => {
            let vm = enter(th);
            let _thrown: JResult<()> = exceptions::throw(vm.th, "java/lang/UnsatisfiedLinkError", &message);
        }
        None => concord_base::errln!("{} warning: {message}", concord_base::options::VM_NAME),
    }
    0
}

macro_rules! missing {
    ($why:literal: $($name:ident)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> usize {
            absent(stringify!($name), $why)
        }
    )* };
}

missing! { "this VM has no class data sharing":
    JVM_DumpClassListToFile
    JVM_DumpDynamicArchive
    JVM_LogLambdaFormInvoker
    JVM_LookupLambdaProxyClassFromArchive
    JVM_RegisterLambdaProxyClassForArchiving
    JVM_DefineArchivedModules
}
