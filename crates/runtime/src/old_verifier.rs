//! Verification by inference (JVMS 4.10.2) for class files that have no stack maps: the JDK's
//! libverify does it, through its C ABI.
//!
//! Invariant: libverify runs in state `Native` and asks about the class through `JVM_*` functions;
//! it sees a class whose supers are linked. What it accepts is then run through the abstract
//! interpretation that the collector relies on, so that code with `jsr` never surprises a pause.
use crate::{exceptions, handles};
use concord_base::{Symbol, options, vm_log};
use concord_classfile::ClassFile;
use concord_classfile::oopmap::CodeView;
use concord_contract::{ClassRef, JResult, Thread, Thrown};
use std::cell::Cell;
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

/// `jboolean VerifyClassForMajorVersion(JNIEnv *, jclass, char *, jint, jint)`.
type Verify = unsafe extern "C" fn(*const Thread, handles::Handle, *mut c_char, i32, i32) -> u8;

fn function() -> Result<Verify, &'static str> {
    static FUNCTION: OnceLock<Result<Verify, String>> = OnceLock::new();
    let made = FUNCTION.get_or_init(|| {
        let path = format!("{}/lib/libverify.so", options::get().java_home);
        let c_path = CString::new(path.as_str()).map_err(|e| format!("{path}: {e}"))?;
        // SAFETY: a NUL-terminated path; the JDK's library has no unusual constructors.
        let handle = unsafe { libc::dlopen(c_path.as_ptr(), libc::RTLD_LAZY) };
        if handle.is_null() {
            return Err(format!("cannot load {path}"));
        }
        // SAFETY: a loaded library and a NUL-terminated name.
        let p = unsafe { libc::dlsym(handle, c"VerifyClassForMajorVersion".as_ptr()) };
        if p.is_null() {
            return Err(format!("{path} has no VerifyClassForMajorVersion"));
        }
        // SAFETY: the function has this type in every JDK 17.
        Ok(unsafe { std::mem::transmute::<*mut libc::c_void, Verify>(p) })
    });
    made.as_ref().copied().map_err(|e| e.as_str())
}

type File = &'static ClassFile<'static>;
thread_local! {
    /// The class that this thread verifies, and the file that it is verified by: its own or a new version's.
    static UNDER_WAY: Cell<Option<(ClassRef, File)>> = const { Cell::new(None) };
}

/// The file that libverify is told of when it asks about `class`.
pub fn file_of(class: ClassRef) -> File {
    match UNDER_WAY.get() {
        Some((c, file)) if c == class => file,
        _ => crate::ClassExt::info(class).file,
    }
}

/// Verifies a class of any version by inference, as `file` has it. A failure is told as `told`, if given: as
/// verification by stack maps told it before.
///
/// # Errors
/// VerifyError, ClassFormatError, OutOfMemoryError, what loading a class throws.
pub fn verify(th: &Thread, class: ClassRef, file: File, told: Option<&str>) -> JResult<()> {
    let f = match function() {
        Ok(f) => f,
        Err(why) => return exceptions::throw(th, "java/lang/InternalError", why),
    };
    let mut message = [0u8; 1024];
    let scope = handles::Scope::new(th);
    let mirror = scope.handle(class.mirror.get());
    let major = i32::from(file.major);
    // What it loads may be verified meanwhile.
    let outer = UNDER_WAY.replace(Some((class, file)));
    let verdict = concord_safepoint::in_native(|| {
        // SAFETY: an attached thread's JNI environment in native state, a reference to the class,
        // and a buffer of that length.
        unsafe { f(th, mirror.raw(), message.as_mut_ptr().cast(), message.len() as i32, major) }
    });
    UNDER_WAY.set(outer);
    drop(scope);
    if th.has_exception() {
        return Err(Thrown);
    }
    let end = message.iter().position(|b| *b == 0).unwrap_or(message.len());
    let text = concord_base::symbol::text(&message[..end]);
    vm_log!(Verification, Info, "{} by inference: {verdict} {text}", crate::names::external(class));
    match verdict {
        1 => interpretable(th, class, file),
        2 => exceptions::throw(th, "java/lang/OutOfMemoryError", &text),
        3 => exceptions::throw(th, "java/lang/ClassFormatError", told.unwrap_or(&text)),
        _ => exceptions::throw(th, "java/lang/VerifyError", told.unwrap_or(&text)),
    }
}

/// The least that code must be for the collector to find its references.
///
/// # Errors
/// VerifyError.
fn interpretable(th: &Thread, class: ClassRef, file: File) -> JResult<()> {
    for m in &file.methods {
        let Some(view) = CodeView::of(file, m) else { continue };
        if let Err(e) = concord_classfile::oopmap::MethodMaps::compute(&view) {
            return exceptions::throw(
                th,
                "java/lang/VerifyError",
                &format!(
                    "(class: {}, method: {} signature: {}) {} at instruction {}",
                    class.name,
                    Symbol::intern(file.constants.utf8(m.name)),
                    Symbol::intern(file.constants.utf8(m.desc)),
                    e.why,
                    e.bci
                ),
            );
        }
    }
    Ok(())
}
