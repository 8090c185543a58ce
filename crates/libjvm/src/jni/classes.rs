//! Classes: finding, defining, asking; methods' ids; registration of native methods.
use super::{JNI_ERR, JNI_OK};
use crate::env::{InVm, MethodId, Ref, Text, enter};
use concord_base::log::{Level, Tag, enabled};
use concord_base::{Symbol, vm_log};
use concord_contract::frame::java_frames;
use concord_contract::{ClassRef, JResult, MethodRef, Obj, Thread};
use concord_runtime::handles::Handle;
use concord_runtime::stackwalk::security_frames;
use concord_runtime::{ClassExt, boot, call, define, known, loader, modules, native};
use std::ffi::{c_char, c_void};

/// The loader that JNI's FindClass uses: the calling native method's, that of the class that loads
/// a library while its JNI_OnLoad runs, or the system loader when no Java code is below; as long as there is none the
/// VM's.
fn loader_of_caller(th: &Thread) -> JResult<&'static loader::Loader> {
    let Some((m, _)) = java_frames(th).next() else {
        if !boot::is_up() {
            return Ok(loader::boot());
        }
        let system =
            call::call_static(th, "java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;", &[])?;
        // SAFETY: the callee's descriptor promises a reference.
        return Ok(loader::of_object(unsafe { Obj::from_addr(system as usize) }));
    };
    if m.class == known::classes().native_libraries && m.name == "load" {
        let class =
            call::call_static(th, "jdk/internal/loader/NativeLibraries", "getFromClass", "()Ljava/lang/Class;", &[])?;
        // SAFETY: as above.
        let mirror = unsafe { Obj::from_addr(class as usize) };
        if !mirror.is_null() {
            return Ok(ClassExt::loader(concord_runtime::mirror::class_of(mirror)));
        }
    }
    Ok(ClassExt::loader(m.class))
}

fn find_class(vm: &InVm<'_>, name: &[u8]) -> JResult<Obj> {
    if name.len() > 0xffff || name.is_empty() || name.contains(&b'.') {
        return vm.throw("java/lang/NoClassDefFoundError", &concord_base::symbol::text(name));
    }
    // Field descriptors of classes are taken for their names, as HotSpot does.
    let name = name.strip_prefix(b"L").and_then(|n| n.strip_suffix(b";")).unwrap_or(name);
    let loader = loader_of_caller(vm.th)?;
    let name = Symbol::intern(name);
    let class = loader::find_referred(vm.th, name, loader, name)?;
    vm.initialize(class)?;
    Ok(class.mirror.get())
}

pub extern "C" fn FindClass(th: &Thread, name: Text) -> Handle {
    let vm = enter(th);
    let r = vm.aside(|| find_class(&vm, name.bytes().unwrap_or_default()));
    vm.local(r)
}

pub extern "C" fn DefineClass(th: &Thread, name: Text, class_loader: Ref, bytes: *const u8, len: i32) -> Handle {
    let vm = enter(th);
    if bytes.is_null() || len < 0 {
        return std::ptr::null_mut();
    }
    // SAFETY: JNI: `bytes` has `len` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len as usize) };
    let args = define::DefineArgs {
        name: name.bytes().map(Symbol::intern),
        loader: loader::of_object(class_loader.get()),
        bytes: define::Bytes::Borrowed(bytes),
        protection_domain: Obj::NULL,
        source: None,
        hidden: None,
    };
    let r = vm.aside(|| define::define_class(th, args).map(|c| c.mirror.get()));
    vm.local(r)
}

pub extern "C" fn GetSuperclass(th: &Thread, c: Ref) -> Handle {
    let vm = enter(th);
    let class = c.class();
    match class.super_class {
        Some(s) if !class.is_interface() => vm.local_obj(s.mirror.get()),
        _ => std::ptr::null_mut(),
    }
}
pub extern "C" fn IsAssignableFrom(th: &Thread, sub: Ref, sup: Ref) -> u8 {
    let _vm = enter(th);
    sub.class().is_subclass_of(sup.class()) as u8
}
pub extern "C" fn GetObjectClass(th: &Thread, o: Ref) -> Handle {
    let vm = enter(th);
    let r = vm.non_null(o.get()).map(|o| o.class().mirror.get());
    vm.local(r)
}
pub extern "C" fn IsInstanceOf(th: &Thread, o: Ref, c: Ref) -> u8 {
    let _vm = enter(th);
    let o = o.get();
    (o.is_null() || o.is_instance_of(c.class())) as u8
}
pub extern "C" fn GetModule(th: &Thread, c: Ref) -> Handle {
    let vm = enter(th);
    let r = vm.aside(|| {
        let mirror = vm.non_null(c.get())?;
        let m = call::call_virtual(th, mirror, "getModule", "()Ljava/lang/Module;", &[])?;
        // SAFETY: the callee's descriptor promises a reference.
        Ok(unsafe { Obj::from_addr(m as usize) })
    });
    vm.local(r)
}

fn find_method(vm: &InVm<'_>, c: Ref, name: Text, sig: Text, is_static: bool) -> JResult<MethodRef> {
    let class: ClassRef = c.class();
    vm.aside(|| vm.initialize(class))?;
    let (n, s) = (name.bytes().unwrap_or_default(), sig.bytes().unwrap_or_default());
    let found = match (Symbol::lookup(n), Symbol::lookup(s)) {
        (Some(n), Some(s)) if n == "<init>" || n == "<clinit>" => class.declared_method(n, s),
        (Some(n), Some(s)) if !class.is_primitive() => class.find_method(n, s),
        _ => None,
    };
    if let Some(m) = found
        && m.is_static() == is_static
    {
        return Ok(m);
    }
    if Symbol::lookup(n).is_none() || Symbol::lookup(s).is_none() {
        // HotSpot's shorter text for names that no class has.
        return vm.throw("java/lang/NoSuchMethodError", &name.lossy());
    }
    let class_name = match class.is_instance_class() {
        true => format!("L{};", class.name),
        false => class.name.to_string(),
    };
    let prefix = if is_static { "static " } else { "" };
    let message = format!("{prefix}{class_name}.{}{}", name.lossy(), sig.lossy());
    vm.throw("java/lang/NoSuchMethodError", &message)
}
pub extern "C" fn GetMethodID(th: &Thread, c: Ref, name: Text, sig: Text) -> MethodId {
    find_method(&enter(th), c, name, sig, false).map_or(MethodId::NULL, MethodId::of)
}
pub extern "C" fn GetStaticMethodID(th: &Thread, c: Ref, name: Text, sig: Text) -> MethodId {
    find_method(&enter(th), c, name, sig, true).map_or(MethodId::NULL, MethodId::of)
}

/// JNINativeMethod.
#[repr(C)]
pub struct NativeMethod {
    pub name: Text,
    pub signature: Text,
    pub function: *mut c_void,
}

/// Whether the user is told that a native method of the class library gets another function: from code of another loader
/// than its class's, the platform's or the VM's.
fn is_strange(th: &Thread, class: ClassRef) -> bool {
    let loader = ClassExt::loader(class);
    let caller = || security_frames(th).nth(1).map(|m| ClassExt::loader(m.class));
    enabled(Tag::Jni, Level::Warning)
        && loader.is_builtin()
        && modules::name_of(class).is_some()
        && !caller().is_some_and(|l| std::ptr::eq(l, loader))
}

pub extern "C" fn RegisterNatives(th: &Thread, c: Ref, methods: *const NativeMethod, n: i32) -> i32 {
    let vm = enter(th);
    let class = c.class();
    let strange = is_strange(th, class);
    for i in 0..n.max(0) as usize {
        // SAFETY: JNI: the array has `n` rows.
        let row = unsafe { &*methods.add(i) };
        let (name, sig) = (row.name.bytes().unwrap_or_default(), row.signature.bytes().unwrap_or_default());
        let found = match (Symbol::lookup(name), Symbol::lookup(sig)) {
            (Some(n), Some(s)) => {
                std::iter::successors(Some(class), |c| c.super_class).find_map(|c| c.declared_method(n, s))
            }
            _ => None,
        };
        let found = match found {
            // A method around the one that is meant.
            Some(m) if !m.is_native() => native::prefixes::wrapped(class, name, m.descriptor).or(found),
            _ => found,
        };
        let problem = match found {
            Some(m) if m.is_native() => {
                if strange {
                    vm_log!(
                        Jni,
                        Warning,
                        "Re-registering of platform native method: {}.{}{} from code in a different classloader",
                        class.external_name(),
                        row.name.lossy(),
                        row.signature.lossy()
                    );
                }
                if row.function.is_null() {
                    native::unregister(m);
                } else {
                    native::bind(vm.th, m, row.function as *mut ());
                }
                continue;
            }
            Some(_) => "is not declared as native",
            None => "name or signature does not match",
        };
        let (ret, params) = concord_runtime::names::signature(sig);
        let message = format!("Method '{ret} {}.{}({params})' {problem}", class.external_name(), row.name.lossy());
        let _thrown: JResult<()> = vm.throw("java/lang/NoSuchMethodError", &message);
        return JNI_ERR;
    }
    JNI_OK
}
pub extern "C" fn UnregisterNatives(th: &Thread, c: Ref) -> i32 {
    let _vm = enter(th);
    for m in c.class().declared_methods() {
        if m.is_native() {
            native::unregister(m);
        }
    }
    JNI_OK
}

const _: () = assert!(size_of::<NativeMethod>() == 3 * size_of::<*const c_char>());
