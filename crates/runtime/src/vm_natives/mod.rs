//! Native methods that the VM supplies itself, called without a JNI transition.
//!
//! Invariant: a row's function reads exactly the argument slots that its descriptor promises, and
//! after anything that can run Java code or block reads references again from the slots, which
//! are roots. The table wins over what a JNI library registers for the same method.
//!
//! | module | classes |
//! |---|---|
//! | `args` | reading slots, making results |
//! | `object` | Object, System's and Runtime's memory-free parts, clone |
//! | `copy` | System.arraycopy |
//! | `class` | Class, Reflection |
//! | `thread` | Thread |
//! | `array` | java.lang.reflect.Array |
//! | `reference` | java.lang.ref; the list of pending references |
//! | `misc` | CDS, Perf, VM, raw bits, small ones |
//! | `crate::unsafe_natives` | jdk.internal.misc.Unsafe |
//! | `crate::foreign` | jdk.internal.foreign.abi: ProgrammableInvoker, ProgrammableUpcallHandler, UpcallStubs |
pub mod args;
pub mod array;
pub mod class;
pub mod copy;
pub mod misc;
pub mod object;
pub mod reference;
pub mod thread;

use concord_base::Symbol;
use concord_contract::method::VmNative;

/// One native method.
pub struct Row {
    pub name: &'static str,
    pub descriptor: &'static str,
    pub function: VmNative,
}

/// Builds rows from `"name" "descriptor" = function`; the functions are safe and take
/// `(&Thread, Args)`.
macro_rules! rows {
    ($($name:literal $desc:literal = $f:path;)*) => { &[$({
        /// # Safety
        /// `args` are the slots of a call with the row's descriptor.
        unsafe fn call(th: &concord_contract::Thread, args: *const u64) -> concord_contract::JResult<u64> {
            // SAFETY: the caller's promise is the one that `Args` asks for.
            $f(th, unsafe { $crate::vm_natives::args::Args::new(args) })
        }
        $crate::vm_natives::Row { name: $name, descriptor: $desc, function: call }
    }),*] };
}
pub(crate) use rows;

static TABLE: &[(&str, &[Row])] = &[
    ("java/lang/Object", object::OBJECT),
    ("java/lang/System", object::SYSTEM),
    ("java/lang/Runtime", object::RUNTIME),
    ("java/lang/String", object::STRING),
    ("java/lang/Throwable", object::THROWABLE),
    ("java/lang/Class", class::CLASS),
    ("jdk/internal/reflect/Reflection", class::REFLECTION),
    ("java/lang/Thread", thread::THREAD),
    ("java/lang/reflect/Array", array::ARRAY),
    ("java/lang/ref/Reference", reference::REFERENCE),
    ("java/lang/ref/PhantomReference", reference::PHANTOM),
    ("java/lang/invoke/MethodHandle", misc::METHOD_HANDLE),
    ("java/lang/Float", misc::FLOAT),
    ("java/lang/Double", misc::DOUBLE),
    ("java/lang/StringUTF16", misc::STRING_UTF16),
    ("java/util/concurrent/atomic/AtomicLong", misc::ATOMIC_LONG),
    ("jdk/internal/misc/CDS", misc::CDS),
    ("jdk/internal/misc/VM", misc::VM),
    ("jdk/internal/perf/Perf", misc::PERF),
    ("jdk/internal/jimage/NativeImageBuffer", misc::IMAGE_BUFFER),
    ("jdk/internal/misc/ScopedMemoryAccess", misc::SCOPED_MEMORY),
    ("jdk/internal/vm/vector/VectorSupport", misc::VECTOR_SUPPORT),
    ("jdk/internal/invoke/NativeEntryPoint", misc::NATIVE_ENTRY_POINT),
    ("java/security/AccessController", misc::ACCESS_CONTROLLER),
    ("java/lang/ClassLoader", misc::CLASS_LOADER),
    ("jdk/internal/misc/Unsafe", crate::unsafe_natives::ROWS),
    ("jdk/internal/foreign/abi/ProgrammableInvoker", crate::foreign::PROGRAMMABLE_INVOKER),
    ("jdk/internal/foreign/abi/ProgrammableUpcallHandler", crate::foreign::PROGRAMMABLE_UPCALL_HANDLER),
    ("jdk/internal/foreign/abi/UpcallStubs", crate::foreign::UPCALL_STUBS),
];

/// The VM's own body of a native method of a boot class, if it has one.
pub fn lookup(class: Symbol, name: Symbol, descriptor: Symbol) -> Option<VmNative> {
    let (_, rows) = TABLE.iter().find(|(c, _)| class == *c)?;
    rows.iter().find(|r| name == r.name && descriptor == r.descriptor).map(|r| r.function)
}

/// Bytes that one cache-line write-back covers (`UnsafeConstants.DATA_CACHE_LINE_FLUSH_SIZE`).
pub fn cache_line_flush_size() -> i32 {
    64
}

/// Every class that has rows, with its rows.
pub fn table() -> &'static [(&'static str, &'static [Row])] {
    TABLE
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_are_unique_and_well_formed() {
        let mut seen = std::collections::HashSet::new();
        for (class, rows) in super::table() {
            assert!(!rows.is_empty(), "{class} has no rows");
            for r in rows.iter() {
                assert!(seen.insert((class, r.name, r.descriptor)), "{class}.{}{} twice", r.name, r.descriptor);
                let d = concord_classfile::descriptor::MethodDescriptor::new(r.descriptor.as_bytes());
                assert!(d.is_some(), "{class}.{}{}", r.name, r.descriptor);
            }
        }
    }
    #[test]
    fn lookup_finds_by_class_name_and_descriptor() {
        let f = |d: &str| super::lookup("java/lang/Object".into(), "wait".into(), d.into());
        assert!(f("(J)V").is_some());
        assert!(f("()V").is_none());
    }
}
