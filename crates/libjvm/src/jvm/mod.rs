//! Bodies of the `JVM_*` functions that the JDK's native libraries call.
//!
//! Invariant: a function enters the VM state, resolves its handles, calls the runtime, and returns
//! a handle or a number; if an exception is pending the result is null or 0. What it does is in
//! the runtime; here are only signatures and conversions.
//!
//! | module | functions about |
//! |---|---|
//! | `class` | finding and defining classes, queries |
//! | `reflect` | members, invocation, arrays, attributes |
//! | `pool` | jdk.internal.reflect.ConstantPool |
//! | `threads` | Thread, monitors, java.lang.ref |
//! | `stack` | stack traces, callers, access control |
//! | `modules` | Module, system packages |
//! | `system` | properties, time, memory, halt, libraries |
//! | `cds` | class-data sharing, which there is not |
//! | `management` | the table behind java.management |
//! | `verifier` | what libverify asks of old class files |
//! | `signals` | jdk.internal.misc.Signal |
mod cds;
mod class;
mod management;
mod modules;
mod pool;
mod reflect;
pub(crate) mod signals;
mod stack;
mod system;
mod threads;
mod verifier;

/// Defines exported functions: `JVM_Name(th, arguments) -> kind { body }`, where the body gives a
/// `JResult` of what `kind` stands for: obj = a reference, z = jboolean, i = jint, j = jlong, f =
/// jfloat, d = jdouble, b = jbyte, void.
macro_rules! jvm {
    ($($name:ident($th:ident $(, $arg:ident: $ty:ty)* $(,)?) -> $ret:ident $body:block)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($th: &concord_contract::Thread $(, $arg: $ty)*) -> $crate::jvm::jvm!(@type $ret) {
            concord_base::count_symbol!(stringify!($name));
            let vm = $crate::env::enter($th);
            let $th = vm.th;
            let body = || -> concord_contract::JResult<$crate::jvm::jvm!(@value $ret)> { $body };
            let r = body();
            $crate::jvm::jvm!(@result $ret vm r)
        }
    )* };
    (@type obj) => { concord_runtime::handles::Handle };
    (@type z) => { u8 };
    (@type i) => { i32 };
    (@type j) => { i64 };
    (@type f) => { f32 };
    (@type d) => { f64 };
    (@type b) => { u8 };
    (@type bits) => { u64 };
    (@type void) => { () };
    (@value obj) => { concord_contract::Obj };
    (@value z) => { bool };
    (@value i) => { i32 };
    (@value j) => { i64 };
    (@value f) => { f32 };
    (@value d) => { f64 };
    (@value b) => { u8 };
    (@value bits) => { u64 };
    (@value void) => { () };
    (@result obj $vm:ident $r:ident) => { $vm.local($r) };
    (@result z $vm:ident $r:ident) => { u8::from($r.unwrap_or(false)) };
    (@result $ret:ident $vm:ident $r:ident) => { $r.unwrap_or_default() };
}
use jvm;
