//! The natives of java.lang.invoke.MethodHandleNatives.
use super::call_sites;
use super::member_name::{self, IS_FIELD};
use crate::info::ClassExt;
use crate::{arrays, exceptions, handles, known, mirror, strings};
use concord_base::Symbol;
use concord_contract::method::VmNative;
use concord_contract::{ClassRef, JResult, Obj, Thread};

/// The reference in argument slot `i`.
///
/// # Safety
/// Slot `i` of the call is a reference.
unsafe fn arg(args: *const u64, i: usize) -> Obj {
    // SAFETY: the caller vouches for the slot.
    unsafe { Obj::from_addr(*args.add(i) as usize) }
}
fn npe<T>(th: &Thread, what: &str) -> JResult<T> {
    exceptions::throw(th, "java/lang/InternalError", what)
}

unsafe fn init(th: &Thread, args: *const u64) -> JResult<u64> {
    // SAFETY: init(MemberName, Object).
    let (mn, target) = unsafe { (arg(args, 0), arg(args, 1)) };
    if mn.is_null() || target.is_null() {
        return npe(th, "mname not resolved");
    }
    let (k, o) = (known::classes(), known::offsets());
    let c = target.class();
    if c == k.field {
        let class = mirror::class_of(target.get_ref(o.field_clazz));
        let f = &class.declared_fields()[target.get_u32(o.field_slot) as usize];
        crate::init::link(th, class)?;
        let scope = handles::Scope::new(th);
        let mn = scope.handle(mn);
        member_name::set_field(mn.get(), f, false);
        set_name_and_type(th, mn.get(), f.name, Some((class, f.descriptor)))?;
    } else if c == k.method || c == k.constructor {
        let (clazz, slot) = if c == k.method { (o.method_clazz, o.method_slot) } else { (o.ctor_clazz, o.ctor_slot) };
        let class = mirror::class_of(target.get_ref(clazz));
        // Left unresolved, it is refused as HotSpot's is.
        let Some(m) = class.method_in_slot(target.get_i32(slot)) else { return Ok(0) };
        crate::init::link(th, class)?;
        member_name::init_method(th, mn, m)?;
    } else {
        return npe(th, "unrecognized type");
    }
    Ok(0)
}

/// Sets `name` and, for a field, `type`, where they are null.
fn set_name_and_type(th: &Thread, mn: Obj, name: Symbol, field: Option<(ClassRef, Symbol)>) -> JResult<()> {
    let o = known::offsets();
    let scope = handles::Scope::new(th);
    let mn = scope.handle(mn);
    if mn.get().get_ref(o.mn_name).is_null() {
        let s = strings::intern_mutf8(th, name.as_bytes())?;
        concord_heap::store_ref(mn.get(), o.mn_name, s);
    }
    if let Some((class, desc)) = field
        && mn.get().get_ref(o.mn_type).is_null()
    {
        let t = super::mirror_of_type(th, class, desc.as_bytes())?;
        concord_heap::store_ref(mn.get(), o.mn_type, t);
    }
    Ok(())
}

unsafe fn expand(th: &Thread, args: *const u64) -> JResult<u64> {
    // SAFETY: expand(MemberName).
    let mn = unsafe { arg(args, 0) };
    let o = known::offsets();
    if mn.is_null() {
        return npe(th, "mname not resolved");
    }
    let flags = mn.get_u32(o.mn_flags);
    let scope = handles::Scope::new(th);
    let mn = scope.handle(mn);
    if flags & IS_FIELD != 0 {
        let class = mirror::class_of(mn.get().get_ref(o.mn_clazz));
        let at = mn.get().get_i64(o.mn_vmindex) as u32;
        let is_static = flags & concord_contract::method::acc::STATIC != 0;
        let Some(f) = class.declared_fields().iter().find(|f| f.is_static() == is_static && f.offset() == at) else {
            return npe(th, "unrecognized field");
        };
        set_name_and_type(th, mn.get(), f.name, Some((class, f.descriptor)))?;
        return Ok(0);
    }
    let Some(m) = member_name::target(mn.get()) else { return npe(th, "nothing to expand") };
    set_name_and_type(th, mn.get(), m.name, None)?;
    if mn.get().get_ref(o.mn_type).is_null() {
        let s = strings::new_symbol(th, m.descriptor)?;
        concord_heap::store_ref(mn.get(), o.mn_type, s);
    }
    Ok(0)
}

unsafe fn resolve(th: &Thread, args: *const u64) -> JResult<u64> {
    // SAFETY: resolve(MemberName, Class, int, boolean).
    let (mn, caller, mode, speculative) =
        unsafe { (arg(args, 0), arg(args, 1), *args.add(2) as i32, *args.add(3) & 1 != 0) };
    if mn.is_null() {
        return npe(th, "no member name to resolve");
    }
    let caller = (!caller.is_null()).then(|| mirror::class_of(caller));
    Ok(member_name::resolve(th, mn, caller, mode, speculative)?.addr() as u64)
}

unsafe fn field_offset(th: &Thread, args: *const u64) -> JResult<u64> {
    // SAFETY: objectFieldOffset(MemberName), staticFieldOffset(MemberName).
    let mn = unsafe { arg(args, 0) };
    if mn.is_null() || mn.get_u32(known::offsets().mn_flags) & IS_FIELD == 0 {
        return npe(th, "non-field member name");
    }
    Ok(mn.get_u64(known::offsets().mn_vmindex))
}
unsafe fn static_base(th: &Thread, args: *const u64) -> JResult<u64> {
    // SAFETY: staticFieldBase(MemberName).
    let mn = unsafe { arg(args, 0) };
    if mn.is_null() || mn.get_u32(known::offsets().mn_flags) & IS_FIELD == 0 {
        return npe(th, "static field required");
    }
    let class = mirror::class_of(mn.get_ref(known::offsets().mn_clazz));
    Ok(class.statics.get().addr() as u64)
}
unsafe fn vm_info(th: &Thread, args: *const u64) -> JResult<u64> {
    // SAFETY: getMemberVMInfo(MemberName).
    let mn = unsafe { arg(args, 0) };
    if mn.is_null() {
        return Ok(0);
    }
    let o = known::offsets();
    let s = handles::Scope::new(th);
    let mn = s.handle(mn);
    let index = mn.get().get_u64(o.mn_vmindex);
    let k = known::classes();
    crate::init::initialize(th, k.box_long)?;
    let long = s.handle(crate::object::new_with(th, k.box_long, "(J)V", &[index, 0])?);
    let a = s.handle(arrays::new_ref_array(th, k.object, 2)?);
    arrays::set_ref(a.get(), 0, long.get());
    let is_field = mn.get().get_u32(o.mn_flags) & IS_FIELD != 0;
    let second = if is_field { mn.get().get_ref(o.mn_clazz) } else { mn.get() };
    arrays::set_ref(a.get(), 1, second);
    Ok(a.get().addr() as u64)
}
unsafe fn set_target(th: &Thread, args: *const u64) -> JResult<u64> {
    // SAFETY: setCallSiteTarget*(CallSite, MethodHandle).
    let (site, target) = unsafe { (arg(args, 0), arg(args, 1)) };
    call_sites::set_target(th, site, target);
    Ok(0)
}
/// Ends the class library's comparison of its constants with the VM's, as product builds do.
unsafe fn named_con(_th: &Thread, _args: *const u64) -> JResult<u64> {
    Ok(0)
}
/// What depends on a call site is known by its number, not by its context.
unsafe fn nothing(_th: &Thread, _args: *const u64) -> JResult<u64> {
    Ok(0)
}
unsafe fn obsolete(th: &Thread, _args: *const u64) -> JResult<u64> {
    exceptions::throw(
        th,
        "java/lang/UnsupportedOperationException",
        "MethodHandleNatives pull mode and getMembers are not used by JDK 17",
    )
}

/// The native of that name, if this file has it.
pub fn vm_native(class: Symbol, name: Symbol) -> Option<VmNative> {
    if class != "java/lang/invoke/MethodHandleNatives" {
        return None;
    }
    Some(match name.as_bytes() {
        b"init" => init,
        b"expand" => expand,
        b"resolve" => resolve,
        b"objectFieldOffset" | b"staticFieldOffset" => field_offset,
        b"staticFieldBase" => static_base,
        b"getMemberVMInfo" => vm_info,
        b"setCallSiteTargetNormal" | b"setCallSiteTargetVolatile" => set_target,
        b"getNamedCon" => named_con,
        b"clearCallSiteContext" | b"registerNatives" => nothing,
        b"getMembers" | b"copyOutBootstrapArguments" => obsolete,
        _ => return None,
    })
}
