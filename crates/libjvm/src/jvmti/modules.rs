//! Modules: which there are, what they read, export, open, use and provide.
//!
//! Invariant: what is added is added by the class library's own `jdk.internal.module.Modules`; only references that are
//! modules and classes come so far.
use super::environment::Env;
use super::{Answer, class_of, error, give, in_vm};
use crate::env::{InVm, Out, Ref, Text};
use concord_base::Symbol;
use concord_contract::{JResult, Obj};
use concord_runtime::handles::{self, Handle};
use concord_runtime::{call, known, loader, modules, strings};

pub extern "C" fn all(_e: &Env, count: Out<i32>, out: Out<*mut Handle>) -> i32 {
    in_vm(|vm| {
        let all: Vec<Handle> = modules::all_objects().into_iter().map(|o: Obj| vm.local_obj(o)).collect();
        give(count, out, &all)
    })
}
pub extern "C" fn named(_e: &Env, l: Ref, package: Text, out: Out<Handle>) -> i32 {
    in_vm(|vm| {
        let l = match l.get() {
            o if o.is_null() => loader::boot(),
            o if o.is_instance_of(known::classes().class_loader) => loader::of_object(o),
            _ => return Err(error::ILLEGAL_ARGUMENT),
        };
        let Some(p) = package.bytes() else { return Err(error::NULL_POINTER) };
        let module = modules::of_package(l, Symbol::intern(p)).filter(|m| m.name.is_some());
        out.set(module.map_or(std::ptr::null_mut(), |m| vm.local_obj(m.java.get())));
        Ok(())
    })
}

fn is_module(r: Ref) -> Answer {
    if r.get().is_instance_of(known::classes().module) { Ok(()) } else { Err(error::INVALID_MODULE) }
}
/// A class that can be a service, or provide one.
fn is_class(r: Ref) -> Answer {
    if class_of(r)?.is_primitive() { Err(error::INVALID_CLASS) } else { Ok(()) }
}

/// Runs a static method of java.lang.Module's helper for the tool interface.
fn change(
    vm: &InVm<'_>,
    module: Ref,
    method: &str,
    desc: &str,
    arguments: impl FnOnce(&InVm<'_>) -> JResult<Vec<Obj>>,
) -> Answer {
    let run = || -> JResult<()> {
        let scope = handles::Scope::new(vm.th);
        let rest: Vec<handles::Local<'_>> = arguments(vm)?.into_iter().map(|o| scope.handle(o)).collect();
        // On the stack, where the collector finds them: the call may initialize the class first.
        let mut all = [module.get().addr() as u64; 3];
        all[1..].iter_mut().zip(&rest).for_each(|(a, o)| *a = o.get().addr() as u64);
        call::call_static(vm.th, "jdk/internal/module/Modules", method, desc, &all[..=rest.len()]).map(|_| ())
    };
    run().map_err(|_| match &*vm.th.take_exception().class().name.as_str() {
        "java/lang/IllegalArgumentException" => error::ILLEGAL_ARGUMENT,
        _ => error::INTERNAL,
    })
}
pub extern "C" fn add_reads(_e: &Env, module: Ref, to: Ref) -> i32 {
    in_vm(|vm| {
        is_module(module)?;
        is_module(to)?;
        change(vm, module, "addReads", "(Ljava/lang/Module;Ljava/lang/Module;)V", |_| Ok(vec![to.get()]))
    })
}
fn exports(module: Ref, package: Text, to: Ref, method: &str) -> i32 {
    in_vm(|vm| {
        is_module(module)?;
        is_module(to)?;
        let desc = "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V";
        // Dotted, unlike the name that `named` is asked for.
        change(vm, module, method, desc, |vm| Ok(vec![strings::new_str(vm.th, &package.lossy())?, to.get()]))
    })
}
pub extern "C" fn add_exports(_e: &Env, module: Ref, package: Text, to: Ref) -> i32 {
    exports(module, package, to, "addExports")
}
pub extern "C" fn add_opens(_e: &Env, module: Ref, package: Text, to: Ref) -> i32 {
    exports(module, package, to, "addOpens")
}
pub extern "C" fn add_uses(_e: &Env, module: Ref, service: Ref) -> i32 {
    in_vm(|vm| {
        is_module(module)?;
        is_class(service)?;
        change(vm, module, "addUses", "(Ljava/lang/Module;Ljava/lang/Class;)V", |_| Ok(vec![service.get()]))
    })
}
pub extern "C" fn add_provides(_e: &Env, module: Ref, service: Ref, implementation: Ref) -> i32 {
    in_vm(|vm| {
        is_module(module)?;
        is_class(service)?;
        is_class(implementation)?;
        let desc = "(Ljava/lang/Module;Ljava/lang/Class;Ljava/lang/Class;)V";
        change(vm, module, "addProvides", desc, |_| Ok(vec![service.get(), implementation.get()]))
    })
}
pub extern "C" fn is_modifiable(_e: &Env, module: Ref, out: Out<u8>) -> i32 {
    in_vm(|_| {
        is_module(module)?;
        out.set(1);
        Ok(())
    })
}
