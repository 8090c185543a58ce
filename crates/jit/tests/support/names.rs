//! Classes and methods that exist by name alone, for functions made of text.
use concord_base::Symbol;
use concord_contract::BasicType;
use concord_contract::class::{Class, ClassInit, ClassKind, ClassRef};
use concord_contract::method::{Method, MethodRef, MhIntrinsic, NO_INDEX, acc};
use concord_contract::object::LOCAL_BIT;
use concord_jit::ir::parse::Names;
use std::collections::HashMap;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Every name means something. A method is static if its name begins with `static`.
#[derive(Default)]
pub struct Any {
    classes: HashMap<String, ClassRef>,
    methods: HashMap<String, MethodRef>,
}

impl Names for Any {
    fn class(&mut self, name: &str) -> Option<ClassRef> {
        let make = || {
            let class = Class::allocate(ClassInit {
                kind: ClassKind::Instance,
                basic: BasicType::Object,
                elem_shift: 0,
                access_flags: 1,
                flags: 0,
                super_class: None,
                component: None,
                name: Symbol::intern(name.as_bytes()),
                instance_size: 0,
                vtable: vec![],
            });
            class.birth.store(LOCAL_BIT, Ordering::Relaxed);
            class
        };
        Some(self.classes.entry(name.into()).or_insert_with(make))
    }
    fn method(&mut self, text: &str) -> Option<MethodRef> {
        if let Some(m) = self.methods.get(text) {
            return Some(m);
        }
        let (class, rest) = text.split_once('.')?;
        let (name, descriptor) = rest.split_at(rest.find('(')?);
        let ret = *descriptor.as_bytes().get(descriptor.find(')')? + 1)?;
        let m = Method {
            entry: AtomicPtr::default(),
            compiled: AtomicPtr::default(),
            code: AtomicPtr::default(),
            nargs_bytes: 0,
            frame_bytes: 0,
            max_stack_bytes: 0,
            flags: AtomicU32::new(if name.starts_with("static") { acc::STATIC } else { 0 }),
            class: self.class(class)?,
            native: AtomicPtr::default(),
            vm_native: AtomicPtr::default(),
            vtable_index: AtomicU32::new(NO_INDEX),
            itable_index: AtomicU32::new(NO_INDEX),
            ret: BasicType::from_descriptor_char(ret)?,
            mh_intrinsic: MhIntrinsic::None,
            max_locals: 0,
            max_stack: 0,
            index: 0,
            name: Symbol::intern(name.as_bytes()),
            descriptor: Symbol::intern(descriptor.as_bytes()),
            bytecode: &[],
            exceptions: &[],
            indy_sites: &[],
            heat: AtomicU64::new(0),
            engine: AtomicPtr::default(),
            info: AtomicPtr::default(),
        };
        let m: MethodRef = Box::leak(Box::new(m));
        self.methods.insert(text.into(), m);
        Some(m)
    }
}
