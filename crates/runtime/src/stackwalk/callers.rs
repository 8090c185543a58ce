//! Who called: caller-sensitive methods, class contexts, access control.
//!
//! Invariant: reflection's own frames (Method.invoke, generated accessors, method-handle
//! adapters) are nobody's caller.
use super::sites;
use crate::info::ClassExt;
use crate::{arrays, exceptions, handles, known, loader, object};
use concord_contract::frame::java_frames;
use concord_contract::method::mflags;
use concord_contract::{JResult, Method, MethodRef, Obj, Thread};

/// Frames that walks for security do not see.
fn ignored(m: &Method) -> bool {
    if m.name == "invoke" && std::ptr::eq(m.class, known::classes().method) {
        return true;
    }
    if m.has(mflags::LAMBDA_FORM_COMPILED | mflags::MH_INTRINSIC) {
        return true;
    }
    is_method_accessor(m)
}
/// A method of a subclass of jdk.internal.reflect.MethodAccessorImpl.
fn is_method_accessor(m: &Method) -> bool {
    m.class.is_subclass_of(known::classes().magic_accessor) && {
        let mut c = Some(m.class);
        std::iter::from_fn(|| {
            let k = c?;
            c = k.super_class;
            Some(k)
        })
        .any(|k| k.name == "jdk/internal/reflect/MethodAccessorImpl")
    }
}

/// The frames that security walks see, innermost first.
pub fn security_frames(th: &Thread) -> impl Iterator<Item = MethodRef> {
    java_frames(th).map(|(m, _)| m).filter(|m| !ignored(m))
}

/// `Reflection.getCallerClass`: the mirror of the caller of the caller-sensitive method that asks,
/// or null.
///
/// # Errors
/// InternalError if the asking method is not caller-sensitive.
pub fn caller_class(th: &Thread) -> JResult<Obj> {
    for (depth, (m, _)) in java_frames(th).enumerate() {
        match depth {
            0 if m.name == "getCallerClass" => {}
            0 => {
                return exceptions::throw(
                    th,
                    "java/lang/InternalError",
                    "JVM_GetCallerClass must only be called from Reflection.getCallerClass",
                );
            }
            1 if m.has(mflags::CALLER_SENSITIVE) => {}
            1 => {
                let msg = format!("CallerSensitive annotation expected at frame {depth}");
                return exceptions::throw(th, "java/lang/InternalError", &msg);
            }
            _ if ignored(m) => {}
            _ => return Ok(m.class.mirror.get()),
        }
    }
    Ok(Obj::NULL)
}

/// `SecurityManager.getClassContext`: classes of all frames but the caller's own.
///
/// # Errors
/// OutOfMemoryError.
pub fn class_context(th: &Thread) -> JResult<Obj> {
    let all: Vec<MethodRef> =
        java_frames(th).skip(1).map(|(m, _)| m).filter(|m| !ignored(m) && !m.is_native()).collect();
    let array = arrays::new_ref_array(th, known::classes().class, all.len())?;
    for (i, m) in all.iter().enumerate() {
        arrays::set_ref(array, i, m.class.mirror.get());
    }
    Ok(array)
}

/// The first loader on the stack that is neither the boot nor the platform loader, or null
/// (ObjectInputStream).
pub fn latest_user_loader(th: &Thread) -> Obj {
    let platform = loader::platform(th);
    for s in sites(th) {
        if s.method.class.is_subclass_of(known::classes().magic_accessor) {
            continue;
        }
        let l = s.method.class.loader();
        if !l.is_boot() && !platform.is_some_and(|p| std::ptr::eq(p, l)) {
            return l.java.get();
        }
    }
    Obj::NULL
}

/// `AccessController.getStackAccessControlContext`: the protection domains on the stack, up to the
/// nearest doPrivileged; null if all is trusted.
///
/// # Errors
/// OutOfMemoryError.
pub fn stack_access_context(th: &Thread) -> JResult<Obj> {
    let o = known::offsets();
    let scope = handles::Scope::new(th);
    let mut domains: Vec<handles::Local<'_>> = Vec::new();
    let mut privileged = false;
    let mut context = Obj::NULL;
    let mut last = Obj::NULL;
    for (m, f) in java_frames(th) {
        let mut class = m.class;
        if m.name == "executePrivileged" && m.class.name == "java/security/AccessController" {
            privileged = true;
            // (action, context, caller) are its first three locals. It is never compiled.
            // SAFETY: arguments of a frame on this thread's stack; both are references.
            let (c, caller) = unsafe { (Obj::from_addr(*f.lp.add(1) as usize), Obj::from_addr(*f.lp.add(2) as usize)) };
            context = c;
            if !caller.is_null() {
                class = crate::mirror::class_of(caller);
            }
        }
        let mirror = class.mirror.get();
        let domain = if mirror.is_null() { mirror } else { mirror.get_ref(o.class_protection_domain) };
        if !domain.is_null() && domain != last {
            last = domain;
            domains.push(scope.handle(domain));
        }
        if privileged {
            break;
        }
    }
    if domains.is_empty() && context.is_null() {
        return Ok(Obj::NULL);
    }
    let context = scope.handle(context);
    let array = if domains.is_empty() {
        Obj::NULL
    } else {
        let a = arrays::new_ref_array(th, known::classes().protection_domain, domains.len())?;
        for (i, d) in domains.iter().enumerate() {
            arrays::set_ref(a, i, d.get());
        }
        a
    };
    new_context(th, array, privileged, context.get())
}

fn new_context(th: &Thread, domains: Obj, privileged: bool, context: Obj) -> JResult<Obj> {
    let o = known::offsets();
    let scope = handles::Scope::new(th);
    let (domains, context) = (scope.handle(domains), scope.handle(context));
    let acc = object::new_object(th, known::classes().access_control_context)?;
    concord_heap::store_ref(acc, o.acc_context, domains.get());
    concord_heap::store_ref(acc, o.acc_privileged_context, context.get());
    acc.put_u8(o.acc_is_privileged, u8::from(privileged));
    acc.put_u8(o.acc_is_authorized, 1);
    Ok(acc)
}

/// `ScopedMemoryAccess.closeScope0`: true if no other thread is inside an access to memory of
/// `scope`.
pub fn close_scope(th: &Thread, scope: Obj) -> bool {
    /// Accesses are leaf methods close to the top of the stack.
    const DEPTH: usize = 10;
    let handles = handles::Scope::new(th);
    let scope = handles.handle(scope);
    concord_safepoint::stop_the_world("CloseScopedMemory", |stopped| {
        let wanted = scope.get().addr() as u64;
        !stopped.threads().filter(|t| !std::ptr::eq(*t, th)).any(|t| {
            java_frames(t).take(DEPTH).any(|(m, f)| {
                // SAFETY: a slot of a frame whose thread is stopped.
                let is_wanted = |p: *mut u64| unsafe { *p } == wanted;
                m.has(mflags::SCOPED)
                    && match f.activation() {
                        Some((a, _)) => a.refs().any(is_wanted),
                        None => (0..m.max_locals as usize).any(|i| is_wanted(f.lp.wrapping_add(i))),
                    }
            })
        })
    })
}
