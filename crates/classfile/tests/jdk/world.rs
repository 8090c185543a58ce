//! Owns the answers about other classes that the verifier asks for, from class files alone.

use concord_classfile::verifier::{Unresolved, VerifierEnv};
use concord_classfile::{ClassFile, access, names};
use std::collections::HashMap;

/// Known classes and the one that is being verified.
pub struct World<'a> {
    pub classes: HashMap<&'a [u8], &'a ClassFile<'a>>,
    pub current: &'a ClassFile<'a>,
    /// The current class is alone in its run-time package.
    pub isolated: bool,
    pub questions: usize,
}

impl<'a> World<'a> {
    fn get(&self, name: &[u8]) -> Result<&'a ClassFile<'a>, Unresolved> {
        if name == self.current.name() {
            return Ok(self.current);
        }
        self.classes.get(name).copied().ok_or(Unresolved)
    }
    /// `from` and its superclasses. Those are known by their own loader, which has never seen an
    /// isolated current class.
    fn chain(&self, from: &'a ClassFile<'a>) -> impl Iterator<Item = &'a ClassFile<'a>> + '_ {
        std::iter::successors(Some(from), |c| c.super_name().and_then(|s| self.classes.get(s).copied()))
    }
}

impl VerifierEnv for World<'_> {
    fn is_interface(&mut self, name: &[u8]) -> Result<bool, Unresolved> {
        self.questions += 1;
        Ok(self.get(name)?.is_interface())
    }
    fn is_subclass(&mut self, sub: &[u8], sup: &[u8]) -> Result<bool, Unresolved> {
        self.questions += 1;
        let (sub, sup) = (self.get(sub)?, self.get(sup)?);
        Ok(self.chain(sub).any(|c| std::ptr::eq(c, sup)))
    }
    fn is_current_or_super(&mut self, name: &[u8]) -> bool {
        self.chain(self.current).any(|c| c.name() == name)
    }
    fn is_protected_elsewhere(&mut self, class: &[u8], name: &[u8], desc: &[u8], m: bool) -> Result<bool, Unresolved> {
        for c in self.chain(self.get(class)?) {
            let found = if m { c.method(name, desc).map(|m| m.access) } else { c.field(name, desc).map(|f| f.access) };
            if let Some(flags) = found {
                let same_package = names::package_of(c.name()) == names::package_of(self.current.name());
                let elsewhere = c.name() != self.current.name() && (self.isolated || !same_package);
                return Ok(flags & access::PROTECTED != 0 && elsewhere);
            }
        }
        Ok(false)
    }
}
