//! Fields of library classes that leaf routines read by name.
//!
//! Invariant: offsets are those of the boot loader's class of that name, which is never unloaded and whose fields no
//! redefinition changes; they are looked up at the first object that comes.
use concord_base::Symbol;
use concord_contract::class::flags;
use concord_contract::{ClassRef, Obj};
use concord_runtime::info::ClassExt;
use std::sync::OnceLock;

/// `N` instance fields of one class.
pub struct KnownFields<const N: usize> {
    class: &'static str,
    /// Name and descriptor of each.
    fields: [(&'static str, &'static str); N],
    found: OnceLock<Option<(ClassRef, [usize; N])>>,
}

impl<const N: usize> KnownFields<N> {
    pub const fn new(class: &'static str, fields: [(&'static str, &'static str); N]) -> KnownFields<N> {
        KnownFields { class, fields, found: OnceLock::new() }
    }

    /// Byte offsets in `o`, an instance of the class or of a subclass; None if the class has no such fields.
    pub fn of_instance(&self, o: Obj) -> Option<[usize; N]> {
        let found = self.found.get_or_init(|| self.find(o.class()));
        found.map(|(_, offsets)| offsets)
    }

    /// The same of an object that may be of any class: None if it is not of this one, or null.
    pub fn of_exactly(&self, o: Obj) -> Option<[usize; N]> {
        if o.is_null() || self.found.get().is_none() && o.class().name != self.class {
            return None;
        }
        let found = self.found.get_or_init(|| self.find(o.class()));
        found.filter(|(class, _)| *class == o.class()).map(|(_, offsets)| offsets)
    }

    fn find(&self, of: ClassRef) -> Option<(ClassRef, [usize; N])> {
        let class = std::iter::successors(Some(of), |c| c.super_class).find(|c| c.name == self.class)?;
        let mut offsets = [0; N];
        for (at, (name, descriptor)) in offsets.iter_mut().zip(self.fields) {
            *at = class.find_field(Symbol::from(name), Symbol::from(descriptor))?.offset() as usize;
        }
        class.has_flag(flags::BOOT).then_some((class, offsets))
    }
}
