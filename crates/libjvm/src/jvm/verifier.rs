//! What the JDK's libverify, the inference verifier for old class files, asks of a class.
//!
//! Invariant: answers come from the parsed class file, so methods, fields and constants have the
//! order of the file. Strings are copies that libverify gives back by `JVM_ReleaseUTF`. The
//! caller holds a reference to the class and passes indices that it counted itself or found in
//! bytecode whose operands it checked by `JVM_GetClassCPTypes`; an index that is neither is null.
use super::jvm;
use crate::env::{Ref, Text};
use concord_base::Symbol;
use concord_classfile::{ClassFile, ConstantPool};
use concord_classfile::{CodeInfo, MethodInfo};
use concord_contract::method::acc;
use concord_contract::{ClassRef, JResult, Thread};
use concord_runtime::{ClassExt, exceptions, loader};
use std::ffi::{CString, c_char};

/// `JVM_ExceptionTableEntryType`.
#[repr(C)]
pub struct ExceptionTableEntry {
    start: i32,
    end: i32,
    handler: i32,
    catch_type: i32,
}

fn file(c: Ref) -> &'static ClassFile<'static> {
    concord_runtime::old_verifier::file_of(c.class())
}
fn pool(c: Ref) -> &'static ConstantPool<'static> {
    &file(c).constants
}
fn method(c: Ref, i: i32) -> Option<&'static MethodInfo<'static>> {
    file(c).methods.get(usize::try_from(i).ok()?)
}
fn code(c: Ref, i: i32) -> Option<&'static CodeInfo<'static>> {
    method(c, i)?.code.as_ref()
}
fn count(n: Option<usize>) -> i32 {
    n.map_or(0, |n| n as i32)
}
/// A copy that `JVM_ReleaseUTF` frees; names in class files have no NUL bytes.
fn copy(text: Option<&[u8]>) -> *const c_char {
    text.and_then(|t| CString::new(t).ok()).map_or(std::ptr::null(), |t| t.into_raw().cast_const())
}
fn constant(i: i32) -> u16 {
    u16::try_from(i).unwrap_or(0)
}
/// The constant at `i` if it refers to a member.
fn member(c: Ref, i: i32) -> Option<(&'static [u8], &'static [u8], &'static [u8])> {
    use concord_classfile::Constant::{Field, InterfaceMethod, Method};
    let i = constant(i);
    match pool(c).get(i)? {
        Field { .. } | Method { .. } | InterfaceMethod { .. } => {
            let (class, nat) = pool(c).member(i);
            Some((class, nat.name, nat.desc))
        }
        _ => None,
    }
}
/// Access flags of the member that constant `i` of `c` names, if `called` itself declares it.
fn modifiers(c: Ref, i: i32, called: ClassRef, is_field: bool) -> i32 {
    let Some((_, name, desc)) = member(c, i) else { return -1 };
    let (name, desc) = (Symbol::intern(name), Symbol::intern(desc));
    let found = if is_field {
        called.declared_field(name, desc).map(|f| f.access())
    } else {
        called.declared_method(name, desc).map(|m| m.access())
    };
    found.map_or(-1, i32::from)
}

macro_rules! strings {
    ($($name:ident($c:ident, $i:ident) $body:expr;)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(th: &Thread, $c: Ref, $i: i32) -> *const c_char {
            concord_base::count_symbol!(stringify!($name));
            let _vm = crate::env::enter(th);
            copy($body)
        }
    )* };
}
strings! {
    JVM_GetMethodIxNameUTF(c, i) method(c, i).map(|m| pool(c).utf8(m.name));
    JVM_GetMethodIxSignatureUTF(c, i) method(c, i).map(|m| pool(c).utf8(m.desc));
    JVM_GetCPClassNameUTF(c, i) pool(c).try_class_name(constant(i));
    JVM_GetCPFieldNameUTF(c, i) member(c, i).map(|m| m.1);
    JVM_GetCPFieldSignatureUTF(c, i) member(c, i).map(|m| m.2);
    JVM_GetCPFieldClassNameUTF(c, i) member(c, i).map(|m| m.0);
    JVM_GetCPMethodNameUTF(c, i) member(c, i).map(|m| m.1);
    JVM_GetCPMethodSignatureUTF(c, i) member(c, i).map(|m| m.2);
    JVM_GetCPMethodClassNameUTF(c, i) member(c, i).map(|m| m.0);
}
#[unsafe(no_mangle)]
pub extern "C" fn JVM_GetClassNameUTF(th: &Thread, c: Ref) -> *const c_char {
    concord_base::count_symbol!("JVM_GetClassNameUTF");
    let _vm = crate::env::enter(th);
    copy(Some(c.class().name.as_bytes()))
}
/// # Safety
/// `text` is null or came from one of the functions here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn JVM_ReleaseUTF(text: *mut c_char) {
    concord_base::count_symbol!("JVM_ReleaseUTF");
    if !text.is_null() {
        // SAFETY: by the caller's promise `copy` made it.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// Copies to a buffer that the caller has made large enough by asking for the length before.
///
/// # Safety
/// `to` has room for `from`.
unsafe fn fill<T: Copy>(to: *mut T, from: &[T]) {
    // SAFETY: by the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) }
}

jvm! {
    JVM_FindClassFromClass(th, name: Text, initialize: u8, from: Ref) -> obj {
        find_from(th, name, initialize != 0, from.class())
    }
    JVM_GetClassCPEntriesCount(_th, c: Ref) -> i { Ok(pool(c).len() as i32) }
    JVM_GetClassFieldsCount(_th, c: Ref) -> i { Ok(file(c).fields.len() as i32) }
    JVM_GetClassMethodsCount(_th, c: Ref) -> i { Ok(file(c).methods.len() as i32) }
    JVM_GetClassCPTypes(_th, c: Ref, types: *mut u8) -> void {
        let tags: Vec<u8> = pool(c).iter().map(|(_, e)| e.tag()).collect();
        // SAFETY: libverify passes a byte per entry of JVM_GetClassCPEntriesCount.
        unsafe { fill(types, &tags) };
        Ok(())
    }
    JVM_GetFieldIxModifiers(_th, c: Ref, i: i32) -> i {
        Ok(usize::try_from(i).ok().and_then(|i| file(c).fields.get(i)).map_or(0, |f| i32::from(f.access)))
    }
    JVM_GetMethodIxModifiers(_th, c: Ref, i: i32) -> i { Ok(method(c, i).map_or(0, |m| i32::from(m.access))) }
    JVM_GetMethodIxExceptionsCount(_th, c: Ref, i: i32) -> i { Ok(count(method(c, i).map(|m| m.exceptions.iter().count()))) }
    JVM_GetMethodIxExceptionIndexes(_th, c: Ref, i: i32, indices: *mut u16) -> void {
        let all: Vec<u16> = method(c, i).map_or(Vec::new(), |m| m.exceptions.iter().collect());
        // SAFETY: libverify passes room for JVM_GetMethodIxExceptionsCount indices.
        unsafe { fill(indices, &all) };
        Ok(())
    }
    JVM_GetMethodIxByteCodeLength(_th, c: Ref, i: i32) -> i { Ok(count(code(c, i).map(|k| k.code.len()))) }
    JVM_GetMethodIxByteCode(_th, c: Ref, i: i32, bytes: *mut u8) -> void {
        // SAFETY: libverify passes room for JVM_GetMethodIxByteCodeLength bytes.
        unsafe { fill(bytes, code(c, i).map_or(&[], |k| k.code)) };
        Ok(())
    }
    JVM_GetMethodIxExceptionTableLength(_th, c: Ref, i: i32) -> i { Ok(count(code(c, i).map(|k| k.exception_table.len()))) }
    JVM_GetMethodIxExceptionTableEntry(_th, c: Ref, i: i32, row: i32, out: *mut ExceptionTableEntry) -> void {
        let found = code(c, i).and_then(|k| k.exception_table.get(usize::try_from(row).ok()?));
        if let Some(e) = found {
            // SAFETY: libverify passes a place for one entry.
            unsafe {
                out.write(ExceptionTableEntry {
                    start: e.start.into(), end: e.end.into(), handler: e.handler.into(), catch_type: e.catch_type.into(),
                });
            }
        }
        Ok(())
    }
    JVM_GetMethodIxLocalsCount(_th, c: Ref, i: i32) -> i { Ok(code(c, i).map_or(0, |k| i32::from(k.max_locals))) }
    JVM_GetMethodIxMaxStack(_th, c: Ref, i: i32) -> i { Ok(code(c, i).map_or(0, |k| i32::from(k.max_stack))) }
    JVM_GetMethodIxArgsSize(_th, c: Ref, i: i32) -> i {
        Ok(method(c, i).map_or(0, |m| {
            let (params, _) = concord_runtime::define::parse_descriptor(Symbol::intern(pool(c).utf8(m.desc)));
            let receiver = usize::from(u32::from(m.access) & acc::STATIC == 0);
            (receiver + params.iter().map(|t| t.slots()).sum::<usize>()) as i32
        }))
    }
    JVM_IsConstructorIx(_th, c: Ref, i: i32) -> z { Ok(method(c, i).is_some_and(|m| pool(c).utf8(m.name) == b"<init>")) }
    // Methods that the VM makes stand in no class's method table.
    JVM_IsVMGeneratedMethodIx(_th, _c: Ref, _i: i32) -> z { Ok(false) }
    JVM_GetCPFieldModifiers(_th, c: Ref, i: i32, called: Ref) -> i { Ok(modifiers(c, i, called.class(), true)) }
    JVM_GetCPMethodModifiers(_th, c: Ref, i: i32, called: Ref) -> i { Ok(modifiers(c, i, called.class(), false)) }
    JVM_IsSameClassPackage(_th, a: Ref, b: Ref) -> z { Ok(a.class().same_package(b.class())) }
}

/// The class `name` as `from` sees it; what is not found is an error of `from`.
fn find_from(th: &Thread, name: Text, initialize: bool, from: ClassRef) -> JResult<concord_contract::Obj> {
    let Some(name) = name.bytes().filter(|n| n.len() <= u16::MAX as usize) else {
        return exceptions::throw_no_msg(th, "java/lang/NoClassDefFoundError");
    };
    if name == from.name.as_bytes() {
        return Ok(from.mirror.get());
    }
    let name = Symbol::intern(name);
    let class = loader::find_referred(th, name, from.loader(), name)?;
    if initialize {
        concord_runtime::init::initialize(th, class)?;
    }
    Ok(class.mirror.get())
}
