//! Module and the packages of the boot loader.
use super::jvm;
use crate::env::Ref;
use concord_contract::Obj;
use concord_runtime::modules::{self, To};
use concord_runtime::{arrays, handles, known, strings};

jvm! {
    JVM_DefineModule(th, module: Ref, open: u8, version: Ref, location: Ref, packages: Ref) -> void {
        modules::define(th, module.get(), open != 0, version.get(), location.get(), packages.get())
    }
    JVM_SetBootLoaderUnnamedModule(th, module: Ref) -> void { modules::set_boot_unnamed(th, module.get()) }
    JVM_AddReadsModule(th, from: Ref, to: Ref) -> void { modules::add_reads(th, from.get(), to.get()) }
    JVM_AddModuleExports(th, from: Ref, package: Ref, to: Ref) -> void {
        modules::add_exports(th, from.get(), package.get(), To::Module(to.get()))
    }
    JVM_AddModuleExportsToAll(th, from: Ref, package: Ref) -> void {
        modules::add_exports(th, from.get(), package.get(), To::All)
    }
    JVM_AddModuleExportsToAllUnnamed(th, from: Ref, package: Ref) -> void {
        modules::add_exports(th, from.get(), package.get(), To::AllUnnamed)
    }
    JVM_GetSystemPackage(th, name: Ref) -> obj {
        let text = strings::to_string(name.get());
        match modules::boot_package_location(text.as_str().into()) {
            Some(l) => strings::new_str(th, &l),
            None => Ok(Obj::NULL),
        }
    }
    JVM_GetSystemPackages(th) -> obj {
        let names = modules::boot_packages_with_classes();
        let scope = handles::Scope::new(th);
        let a = scope.handle(arrays::new_ref_array(th, known::classes().string, names.len())?);
        for (i, n) in names.iter().enumerate() {
            let s = strings::new_str(th, &n.as_str())?;
            arrays::set_ref(a.get(), i, s);
        }
        Ok(a.get())
    }
}
