//! java.lang.Class objects and the classes they stand for.
//!
//! Invariant: every class but those made before java.lang.Class was loaded has its mirror when it
//! is published; `fix_up` gives the early ones theirs. A mirror's injected `klass` field is the
//! class's address.
use crate::info::ClassExt;
use crate::{known, loader};
use concord_base::bug;
use concord_contract::class::Root;
use concord_contract::{BasicType, ClassRef, JResult, Obj, Thread};

/// The class that a java.lang.Class object stands for.
#[inline]
pub fn class_of(mirror: Obj) -> ClassRef {
    let p = mirror.get_u64(known::offsets().class_vm) as *const concord_contract::Class;
    if p.is_null() {
        bug!("a java.lang.Class object without a class");
    }
    // SAFETY: `create` stored the address of a class, which is never freed.
    unsafe { &*p }
}

/// The primitive type that a mirror stands for.
pub fn primitive_of(mirror: Obj) -> Option<BasicType> {
    let c = class_of(mirror);
    c.is_primitive().then_some(c.basic)
}

/// The protection domain of a class, or null.
pub fn protection_domain(class: ClassRef) -> Obj {
    class.mirror.get().get_ref(known::offsets().class_protection_domain)
}

/// Makes the mirror of a class; before java.lang.Class is known it is left to [`fix_up`].
pub fn create(th: &Thread, class: ClassRef, domain: Obj, class_data: Obj) -> JResult<()> {
    if !known::ready() {
        return Ok(());
    }
    let scope = crate::handles::Scope::new(th);
    let (domain, class_data) = (scope.handle(domain), scope.handle(class_data));
    let class_of_classes = known::classes().class;
    let made = match class.component {
        // As HotSpot: agents are not told of them.
        Some(_) => crate::allocations::untold(th, || concord_heap::alloc_instance(th, class_of_classes)),
        None => concord_heap::alloc_instance(th, class_of_classes),
    };
    let Some(m) = made else {
        return crate::oom::throw(th, "Java heap space");
    };
    let o = known::offsets();
    m.put_u64(o.class_vm, class as *const concord_contract::Class as u64);
    class.mirror.set(m);
    crate::roots::note_mirror(class);
    let put = |at: usize, v: Obj| {
        if !v.is_null() {
            concord_heap::store_ref(class.mirror.get(), at, v);
        }
    };
    put(o.class_protection_domain, domain.get());
    put(o.class_data, class_data.get());
    if !class.is_primitive() {
        put(o.class_loader, class.loader().java.get());
    }
    if let Some(c) = class.component {
        put(o.class_component, c.mirror.get());
    }
    let module: Option<&'static Root> = crate::modules::root_for(class);
    if let Some(r) = module {
        put(o.class_module, r.get());
    }
    Ok(())
}

/// Mirrors for the classes that were loaded before java.lang.Class.
pub fn fix_up(th: &Thread) -> JResult<()> {
    let mut early = Vec::new();
    loader::all_classes(&mut |c| {
        if c.mirror.get().is_null() {
            early.push(c);
        }
    });
    // Components before their arrays.
    early.sort_by_key(|c| c.is_array());
    for c in early {
        create(th, c, Obj::NULL, Obj::NULL)?;
    }
    Ok(())
}
