//! Objects that code knows while it is made: where they are found, and what a compiler may read of them.
//!
//! Invariant: a path leads to the same object, or an equivalent one, for as long as the code that was made with it lives. It begins
//! at a root that is written once, and goes on through fields and elements that are not written any more
//! ([`ResolvedField::is_constant`](crate::entries::ResolvedField), `@Stable`), and through targets of call sites, on which the code
//! then depends ([`Dependency::Target`](crate::compiled::Dependency)). Objects move, so code that needs one loads it along
//! its path; what has been read of it on the way (its class, a number in it, the method that it runs) is built in.
//!
//! Equivalent: a method handle's form may be replaced by one that does the same faster.
use crate::class::ClassRef;
use crate::method::MethodRef;

/// A reference on the way to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it is in its object, in bytes.
    pub offset: u32,
    /// It is the target of a call site, and stays while the site has this number; 0 if it stays for good.
    pub while_numbered: u32,
}

/// The way to an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectPath {
    /// The address of a root word.
    pub root: usize,
    /// A reference in each object on the way.
    pub steps: Vec<Step>,
    /// The object is an array whose elements are not written again once they are not null.
    pub stable_elements: bool,
}

impl ObjectPath {
    pub fn new(root: usize) -> ObjectPath {
        ObjectPath { root, steps: Vec::new(), stable_elements: false }
    }
    /// The way on through a reference in the object.
    pub fn then(&self, offset: u32, stable_elements: bool) -> ObjectPath {
        self.through(Step { offset, while_numbered: 0 }, stable_elements)
    }
    /// The way on from a call site to its target.
    pub fn then_target(&self, offset: u32, number: u32) -> ObjectPath {
        self.through(Step { offset, while_numbered: number }, false)
    }
    fn through(&self, step: Step, stable_elements: bool) -> ObjectPath {
        let steps = self.steps.iter().copied().chain([step]).collect();
        ObjectPath { root: self.root, steps, stable_elements }
    }
}

/// What is known of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownObject {
    pub class: ClassRef,
    /// Elements, of an array.
    pub length: u32,
    /// Of a `java.lang.Class`: the class that it stands for.
    pub mirrors: Option<ClassRef>,
    /// Of a `MethodHandle`: the method that `invokeBasic` runs. Of a `MemberName`: the method that it names.
    pub runs: Option<MethodRef>,
    /// Of a `MemberName`: the index in the vtable by which the method is selected, if it is.
    pub selected_by: Option<u32>,
}
