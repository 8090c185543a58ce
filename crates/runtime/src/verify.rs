//! When and how a class is verified (JVMS 4.10): at linking, unless its loader is the boot loader.
//!
//! Class files of version 50 and later are type-checked by the class-file room. Older ones, and
//! version-50 files that fail there, are for `old_verifier`.
use crate::info::ClassExt;
use crate::{exceptions, loader, resolve};
use concord_base::{Symbol, options, vm_log};
use concord_classfile::verifier::{self, Unresolved, VerifierEnv, VerifyError};
use concord_contract::method::acc;
use concord_contract::{Class, ClassRef, JResult, Thread, Thrown};

struct Env<'t> {
    th: &'t Thread,
    class: ClassRef,
}

impl Env<'_> {
    /// Loads a class that verification names; Err with the exception pending.
    fn load(&self, name: &[u8]) -> Result<ClassRef, Unresolved> {
        let info = self.class.info();
        if name == self.class.name.as_bytes() {
            return Ok(self.class);
        }
        let name = Symbol::intern(name);
        loader::find_referred(self.th, name, info.loader, name).map_err(|Thrown| Unresolved)
    }
    fn own_chain(&self, name: &[u8]) -> Option<&Class> {
        if name == self.class.name.as_bytes() {
            return Some(self.class);
        }
        std::iter::successors(self.class.super_class, |c| c.super_class)
            .find(|c| c.name.as_bytes() == name)
            .map(|c| c as _)
    }
}

impl VerifierEnv for Env<'_> {
    fn is_interface(&mut self, name: &[u8]) -> Result<bool, Unresolved> {
        Ok(self.load(name)?.is_interface())
    }
    fn is_subclass(&mut self, sub: &[u8], sup: &[u8]) -> Result<bool, Unresolved> {
        let sup = self.load(sup)?;
        Ok(self.load(sub)?.is_subclass_of(sup))
    }
    fn is_current_or_super(&mut self, name: &[u8]) -> bool {
        self.own_chain(name).is_some()
    }
    fn is_protected_elsewhere(
        &mut self,
        class: &[u8],
        name: &[u8],
        desc: &[u8],
        is_method: bool,
    ) -> Result<bool, Unresolved> {
        let Some(holder) = self.own_chain(class) else { return Ok(false) };
        let (name, desc) = (Symbol::intern(name), Symbol::intern(desc));
        let found = if is_method {
            resolve::lookup_method(holder, name, desc).map(|m| (m.class, m.access() as u32))
        } else {
            holder.find_field(name, desc).map(|f| (f.class, f.flags))
        };
        Ok(found.is_some_and(|(c, flags)| flags & acc::PROTECTED != 0 && !c.same_package(self.class)))
    }
}

/// Verifies a class before its code can run.
///
/// # Errors
/// VerifyError, ClassFormatError, and what loading a class throws that verification needs.
pub fn verify(th: &Thread, class: ClassRef) -> JResult<()> {
    verify_file(th, class, class.info().file)
}

/// Verifies a class file as one of `class`: its own, or that of a new version.
///
/// # Errors
/// As [`verify`].
pub fn verify_file(th: &Thread, class: ClassRef, file: &'static concord_classfile::ClassFile<'static>) -> JResult<()> {
    let flags = &options::get().flags;
    let is_boot = class.info().loader.is_boot();
    let wanted = if is_boot { flags.bytecode_verification_local } else { flags.bytecode_verification_remote };
    if !wanted || resolve::is_magic(class) {
        return Ok(());
    }
    let r = verifier::verify(file, &mut Env { th, class });
    vm_log!(
        Verification,
        Info,
        "{} {}",
        crate::names::external(class),
        if r.is_ok() { "verified" } else { "not verified" }
    );
    match r {
        Ok(()) => Ok(()),
        Err(VerifyError::Verify(m)) => exceptions::throw(th, "java/lang/VerifyError", &m),
        Err(VerifyError::ClassFormat(m)) => exceptions::throw(th, "java/lang/ClassFormatError", &m),
        Err(VerifyError::Unresolved) => Err(Thrown),
        Err(VerifyError::NeedsOldVerifier) => crate::old_verifier::verify(th, class, file, None),
        Err(VerifyError::MayPassInference(m)) => crate::old_verifier::verify(th, class, file, Some(&m)),
    }
}
