//! java.lang.invoke.MemberName: resolution into methods and fields (contract sheet 5.2).
//!
//! flags = refKind << 24 | IS_METHOD, IS_CONSTRUCTOR or IS_FIELD | CALLER_SENSITIVE |
//! TRUSTED_FINAL | access flags. `method` is a ResolvedMethodName for methods only; `vmindex` is a
//! vtable or itable index, -2 for a direct call, or a field's offset.
use crate::info::{ClassExt, FieldInfo};
use crate::{exceptions, handles, known, mirror, names, resolve, strings, vtable};
use concord_base::Symbol;
use concord_contract::class::flags as cflags;
use concord_contract::method::{MhIntrinsic, acc, mflags};
use concord_contract::{ClassRef, JResult, Method, MethodRef, Obj, Thread, Thrown};
use std::sync::atomic::Ordering;

pub const IS_METHOD: u32 = 0x10000;
pub const IS_CONSTRUCTOR: u32 = 0x20000;
pub const IS_FIELD: u32 = 0x40000;
const CALLER_SENSITIVE: u32 = 0x100000;
const TRUSTED_FINAL: u32 = 0x200000;
const KIND_SHIFT: u32 = 24;
const DIRECT: i64 = -2;
/// Access of a method that [`inherits_as_own`]: public, a bridge, synthetic.
const OWN_ACCESS: u32 = 0x1041;

/// Reference kinds (JVMS table 5.4.3.5-A).
pub mod kind {
    pub const GET_FIELD: u32 = 1;
    pub const GET_STATIC: u32 = 2;
    pub const PUT_STATIC: u32 = 4;
    pub const INVOKE_VIRTUAL: u32 = 5;
    pub const INVOKE_STATIC: u32 = 6;
    pub const INVOKE_SPECIAL: u32 = 7;
    pub const NEW_INVOKE_SPECIAL: u32 = 8;
    pub const INVOKE_INTERFACE: u32 = 9;
}

/// The method that a resolved member name stands for.
pub fn target(mn: Obj) -> Option<MethodRef> {
    let o = known::offsets();
    let r = mn.get_ref(o.mn_method);
    if r.is_null() {
        return None;
    }
    let m = r.get_u64(o.rmn_target) as *const Method;
    // SAFETY: `set_method` stores the address of a method, which is never freed.
    (!m.is_null()).then(|| unsafe { &*m })
}

fn set_method(
    th: &Thread,
    mn: Obj,
    m: MethodRef,
    class: ClassRef,
    ref_kind: u32,
    what: u32,
    vmindex: i64,
) -> JResult<()> {
    let scope = handles::Scope::new(th);
    let mn = scope.handle(mn);
    let Some(r) = concord_heap::alloc_instance(th, known::classes().resolved_method_name) else {
        return crate::oom::throw(th, "Java heap space");
    };
    let o = known::offsets();
    r.put_u64(o.rmn_target, m as *const Method as u64);
    concord_heap::store_ref(r, o.rmn_holder, m.class.mirror.get());
    let access = if inherits_as_own(class, m) { OWN_ACCESS } else { m.access() as u32 };
    let mut f = access | what | ref_kind << KIND_SHIFT;
    if m.has(mflags::CALLER_SENSITIVE) {
        f |= CALLER_SENSITIVE;
    }
    let mn = mn.get();
    mn.put_u32(o.mn_flags, f);
    mn.put_i64(o.mn_vmindex, vmindex);
    concord_heap::store_ref(mn, o.mn_method, r);
    concord_heap::store_ref(mn, o.mn_clazz, class.mirror.get());
    Ok(())
}

pub fn set_field(mn: Obj, f: &FieldInfo, want_put: bool) {
    let o = known::offsets();
    let base = if f.is_static() { kind::GET_STATIC } else { kind::GET_FIELD };
    let k = if want_put { base + 2 } else { base };
    let mut bits = f.access() as u32 | IS_FIELD | k << KIND_SHIFT;
    let trusted = f.is_static() || f.class.has_flag(cflags::HIDDEN) || f.class.info().file.record.is_some();
    if f.is_final() && trusted {
        bits |= TRUSTED_FINAL;
    }
    mn.put_u32(o.mn_flags, bits);
    mn.put_i64(o.mn_vmindex, f.held_offset() as i64);
    concord_heap::store_ref(mn, o.mn_method, Obj::NULL);
    concord_heap::store_ref(mn, o.mn_clazz, f.class.mirror.get());
}

/// How a call of `m` through `named` dispatches: reference kind, method, class, index.
fn dispatch(m: MethodRef, named: ClassRef, asked: u32) -> (u32, MethodRef, ClassRef, i64) {
    let object = known::classes().object;
    let redeclared = asked == kind::INVOKE_INTERFACE && m.class.is_interface() && !m.is_private() && !m.is_static();
    if redeclared && let Some(o) = object.declared_method(m.name, m.descriptor).filter(|o| o.is_public()) {
        return dispatch(o, object, kind::INVOKE_VIRTUAL);
    }
    let (kind, class, index) = place(m, named, asked);
    (kind, m, class, index)
}

fn place(m: MethodRef, named: ClassRef, asked: u32) -> (u32, ClassRef, i64) {
    if m.is_static() {
        return (kind::INVOKE_STATIC, m.class, DIRECT);
    }
    let final_target = m.is_private()
        || (!m.class.is_interface() && (m.has(acc::FINAL) || m.class.access_flags as u32 & acc::FINAL != 0));
    if asked == kind::INVOKE_SPECIAL || asked == kind::NEW_INVOKE_SPECIAL || final_target {
        return (kind::INVOKE_SPECIAL, m.class, DIRECT);
    }
    if asked == kind::INVOKE_INTERFACE && m.class.is_interface() {
        let class = if inherits_as_own(named, m) { named } else { m.class };
        return (kind::INVOKE_INTERFACE, class, m.itable_index.load(Ordering::Relaxed) as i64);
    }
    let object = known::classes().object;
    let via = if named.is_array() || named.is_interface() { object } else { named };
    match vtable::index_in(via, m) {
        Some(i) => {
            let class = if m.class.is_interface() { via } else { m.class };
            (kind::INVOKE_VIRTUAL, class, i as i64)
        }
        None => (kind::INVOKE_SPECIAL, m.class, DIRECT),
    }
}

/// MemberName from java.lang.reflect.{Method, Constructor}: an ordinary virtual or direct call.
pub fn init_method(th: &Thread, mn: Obj, m: MethodRef) -> JResult<()> {
    if m.is_init() {
        return set_method(th, mn, m, m.class, kind::NEW_INVOKE_SPECIAL, IS_CONSTRUCTOR, DIRECT);
    }
    let asked = if m.class.is_interface() { kind::INVOKE_INTERFACE } else { kind::INVOKE_VIRTUAL };
    let (k, m, class, index) = dispatch(m, m.class, asked);
    set_method(th, mn, m, class, k, IS_METHOD, index)
}

/// Whether `m` shows as a method that the interface `named` has itself: so does an abstract one that an interface with bodies,
/// its own or inherited ones, has from another.
fn inherits_as_own(named: ClassRef, m: MethodRef) -> bool {
    named.is_interface() && named.has_flag(cflags::HAS_DEFAULTS) && m.is_abstract() && !std::ptr::eq(named, m.class)
}

/// The descriptor that a MemberName's `type` (MethodType, Class or String) stands for.
fn descriptor(ty: Obj) -> Symbol {
    let (k, o) = (known::classes(), known::offsets());
    if ty.class() == k.string {
        return strings::symbol_of(ty);
    }
    let mut d = Vec::new();
    if ty.class() == k.method_type {
        d.push(b'(');
        let p = ty.get_ref(o.mt_ptypes);
        for i in 0..p.array_len() {
            push_descriptor(&mut d, mirror::class_of(p.array_ref(i)));
        }
        d.push(b')');
        push_descriptor(&mut d, mirror::class_of(ty.get_ref(o.mt_rtype)));
    } else {
        push_descriptor(&mut d, mirror::class_of(ty));
    }
    Symbol::intern(&d)
}
pub fn push_descriptor(d: &mut Vec<u8>, c: ClassRef) {
    if c.is_primitive() {
        d.push(c.basic.descriptor_char());
    } else if c.is_array() {
        d.extend_from_slice(c.name.as_bytes());
    } else {
        d.push(b'L');
        d.extend_from_slice(c.name.as_bytes());
        d.push(b';');
    }
}

/// MethodHandleNatives.resolve: fills `mn` in; null if speculative and absent.
///
/// # Errors
/// NoSuchMethodError, NoSuchFieldError, IncompatibleClassChangeError, IllegalAccessError.
pub fn resolve(th: &Thread, mn: Obj, caller: Option<ClassRef>, mode: i32, speculative: bool) -> JResult<Obj> {
    let o = known::offsets();
    let scope = handles::Scope::new(th);
    let h = scope.handle(mn);
    if !mn.get_ref(o.mn_method).is_null() {
        return Ok(mn);
    }
    let (clazz, name, ty) = (mn.get_ref(o.mn_clazz), mn.get_ref(o.mn_name), mn.get_ref(o.mn_type));
    if clazz.is_null() || name.is_null() || ty.is_null() {
        return exceptions::throw(th, "java/lang/IllegalArgumentException", "nothing to resolve");
    }
    let flags = mn.get_u32(o.mn_flags);
    let asked = (flags >> KIND_SHIFT) & 15;
    let named = mirror::class_of(clazz);
    let Some(name) = Symbol::lookup(&strings::to_mutf8(name)).or_else(|| Some(strings::symbol_of(name))) else {
        return Ok(Obj::NULL);
    };
    let desc = descriptor(ty);
    let caller = caller.filter(|_| mode != -1);
    if named.is_primitive() {
        return match (speculative, flags & IS_FIELD != 0) {
            (true, _) => Ok(Obj::NULL),
            (false, true) => exceptions::throw(th, "java/lang/NoSuchFieldError", "field resolution failed"),
            (false, false) => exceptions::throw(th, "java/lang/NoSuchMethodError", "method resolution failed"),
        };
    }
    let lookup = if named.is_array() { known::classes().object } else { named };
    // What is wrong with the class is told even to those who only try.
    crate::init::link(th, lookup)?;
    let r = if flags & IS_FIELD != 0 {
        field(th, h.get(), lookup, name, desc, asked, caller, speculative)
    } else {
        method(th, h.get(), lookup, named, name, desc, flags, asked, caller, speculative)
    };
    match r {
        Ok(true) => Ok(h.get()),
        Ok(false) => Ok(Obj::NULL),
        Err(Thrown) if speculative => {
            th.take_exception();
            Ok(Obj::NULL)
        }
        Err(Thrown) => Err(Thrown),
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of one request, named")]
fn field(
    th: &Thread,
    mn: Obj,
    class: ClassRef,
    name: Symbol,
    desc: Symbol,
    asked: u32,
    caller: Option<ClassRef>,
    speculative: bool,
) -> JResult<bool> {
    let scope = handles::Scope::new(th);
    let h = scope.handle(mn);
    let Some(f) = class.find_field(name, desc) else {
        return if speculative {
            Ok(false)
        } else {
            exceptions::throw(th, "java/lang/NoSuchFieldError", &name.as_str())
        };
    };
    // Whether the caller may is for `Lookup` to say.
    crate::init::link(th, f.class)?;
    if let Some(c) = caller.filter(|c| *c != f.class) {
        crate::constraints::check_field(th, c, f)?;
    }
    set_field(h.get(), f, asked == 3 || asked == kind::PUT_STATIC);
    Ok(true)
}

#[expect(clippy::too_many_arguments, reason = "the parts of one request, named")]
fn method(
    th: &Thread,
    mn: Obj,
    lookup: ClassRef,
    named: ClassRef,
    name: Symbol,
    desc: Symbol,
    flags: u32,
    asked: u32,
    caller: Option<ClassRef>,
    speculative: bool,
) -> JResult<bool> {
    let scope = handles::Scope::new(th);
    let h = scope.handle(mn);
    let k = known::classes();
    if lookup == k.method_handle {
        let i = super::intrinsic_kind(name);
        if i != MhIntrinsic::None {
            let m = super::intrinsic_method(i, name, desc);
            let kind = if i == MhIntrinsic::InvokeBasic { kind::INVOKE_SPECIAL } else { kind::INVOKE_STATIC };
            set_method(th, h.get(), m, m.class, kind, IS_METHOD, DIRECT)?;
            return Ok(true);
        }
    }
    if (lookup == k.method_handle || lookup == k.var_handle)
        && lookup.declared_methods().iter().any(|m| m.name == name && m.has(mflags::SIGNATURE_POLYMORPHIC))
    {
        if speculative {
            return Ok(false);
        }
        return exceptions::throw(th, "java/lang/InternalError", "bad invokehandle");
    }
    let icce = "java/lang/IncompatibleClassChangeError";
    let interface_call = asked == kind::INVOKE_INTERFACE;
    if interface_call && !lookup.is_interface() {
        return exceptions::throw(
            th,
            icce,
            &format!("Found class {}, but interface was expected", names::external(lookup)),
        );
    }
    if asked == kind::INVOKE_VIRTUAL && lookup.is_interface() {
        return exceptions::throw(
            th,
            icce,
            &format!("Found interface {}, but class was expected", names::external(lookup)),
        );
    }
    let found = if flags & IS_CONSTRUCTOR != 0 && !lookup.is_interface() {
        lookup.declared_method(name, desc)
    } else if lookup.is_interface() {
        resolve::lookup_interface_method(lookup, name, desc)
    } else {
        resolve::lookup_method(lookup, name, desc)
    };
    let Some(m) = found else {
        if speculative {
            return Ok(false);
        }
        return exceptions::throw(
            th,
            "java/lang/NoSuchMethodError",
            &format!("'{}'", names::method_ref(lookup, &name.as_str(), desc.as_bytes())),
        );
    };
    if flags & IS_CONSTRUCTOR != 0 && !std::ptr::eq(m.class, lookup) {
        // That of Object, by way of an interface.
        let (ret, params) = names::signature(desc.as_bytes());
        let message = format!("{}: method '{ret} {name}({params})' not found", names::external(lookup));
        return exceptions::throw(th, "java/lang/NoSuchMethodError", &message);
    }
    let shown = || {
        let class = if inherits_as_own(lookup, m) { lookup } else { m.class };
        names::method_ref(class, &name.as_str(), desc.as_bytes())
    };
    if let Some(c) = caller {
        resolve::check_method_access(th, c, m, lookup)?;
        crate::constraints::check_method(th, c, lookup, m, lookup.is_interface())?;
    }
    if let Some(c) = caller.filter(|_| asked == kind::INVOKE_SPECIAL && lookup.is_interface())
        && !std::ptr::eq(c, lookup)
        && !c.info().interfaces.iter().any(|i| std::ptr::eq(*i, lookup))
    {
        let (what, whose) = (shown(), names::external(c));
        let message = format!("Interface method reference: '{what}', is in an indirect superinterface of {whose}");
        return exceptions::throw(th, icce, &message);
    }
    if asked == kind::INVOKE_STATIC && !m.is_static() {
        return exceptions::throw(th, icce, &format!("Expected static method '{}'", shown()));
    }
    if asked != kind::INVOKE_STATIC && m.is_static() {
        return exceptions::throw(th, icce, &format!("Expecting non-static method '{}'", shown()));
    }
    crate::init::link(th, m.class)?;
    crate::init::link(th, lookup)?;
    let what = if m.is_init() { IS_CONSTRUCTOR } else { IS_METHOD };
    let m = match (asked, caller) {
        (kind::INVOKE_SPECIAL, Some(c)) if !m.is_init() => resolve::special_target(th, c, named, m)?,
        _ => m,
    };
    if interface_call && hidden_by_object(lookup, m) {
        let message = format!("'{}'", names::method_ref(lookup, &name.as_str(), desc.as_bytes()));
        return exceptions::throw(th, "java/lang/IllegalAccessError", &message);
    }
    let (kind, m, class, index) = dispatch(m, lookup, asked);
    set_method(th, h.get(), m, class, kind, what, index)?;
    Ok(true)
}

/// Whether selection by the interface `named` finds a method of Object that is not public instead of the inherited `m`: `clone`
/// and `finalize` of an interface that inherits them, and not as its own.
fn hidden_by_object(named: ClassRef, m: MethodRef) -> bool {
    let hides = |o: MethodRef| !o.is_public() && !o.is_private() && !o.is_static();
    m.class.is_interface()
        && !std::ptr::eq(m.class, named)
        && !inherits_as_own(named, m)
        && known::classes().object.declared_method(m.name, m.descriptor).is_some_and(hides)
}
