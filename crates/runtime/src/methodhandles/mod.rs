//! Method handles, invokedynamic and dynamic constants: what links a call site to an adapter.
//!
//! Invariant: the class library decides (MethodHandleNatives.link*); the VM gives it resolved
//! bootstrap methods, types and static arguments, and keeps what it answers: a `MemberName` whose
//! `method.vmtarget` is the adapter's `Method`, and an appendix object. A failure of an
//! invokedynamic site or dynamic constant is kept as well: the same error is thrown again.
pub mod call_sites;
mod constants;
pub(crate) mod member_name;
mod natives;

use crate::info::ClassExt;
use crate::{arrays, call, exceptions, handles, known, mirror, resolve, roots, strings};
use concord_base::Symbol;
use concord_classfile::Constant;
use concord_contract::class::Root;
use concord_contract::method::{MhIntrinsic, acc, mflags};
use concord_contract::{BasicType, CallKind, CallSite, ClassRef, JResult, MethodRef, Obj, Thread, Thrown};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

pub use constants::{constant_at, resolve_constant};
pub use member_name::{init_method, target};
pub use natives::vm_native;

static INTRINSICS: Mutex<Option<HashMap<(u8, Symbol), MethodRef>>> = Mutex::new(None);
/// Errors of failed invokedynamic sites and dynamic constants, by cache entry address.
static FAILURES: Mutex<Option<HashMap<usize, Failure>>> = Mutex::new(None);

/// A kept error: as HotSpot, its class and message, not its trace; its cause for dynamic constants.
#[derive(Clone)]
struct Failure {
    class: ClassRef,
    message: Option<String>,
    cause: Option<&'static Root>,
}

/// The signature-polymorphic method that an engine executes itself, by name.
pub fn intrinsic_kind(name: Symbol) -> MhIntrinsic {
    match name.as_bytes() {
        b"invokeBasic" => MhIntrinsic::InvokeBasic,
        b"linkToStatic" => MhIntrinsic::LinkToStatic,
        b"linkToSpecial" => MhIntrinsic::LinkToSpecial,
        b"linkToVirtual" => MhIntrinsic::LinkToVirtual,
        b"linkToInterface" => MhIntrinsic::LinkToInterface,
        b"linkToNative" => MhIntrinsic::LinkToNative,
        _ => MhIntrinsic::None,
    }
}

/// The method object for an intrinsic with a descriptor.
pub fn intrinsic_method(kind: MhIntrinsic, name: Symbol, desc: Symbol) -> MethodRef {
    let key = (kind as u8, desc);
    let mut t = INTRINSICS.lock().expect("intrinsic methods");
    t.get_or_insert_default().entry(key).or_insert_with(|| {
        let receiver = if kind == MhIntrinsic::InvokeBasic { 0 } else { acc::STATIC };
        crate::define::make_method(crate::define::MethodParts {
            class: known::classes().method_handle,
            name,
            descriptor: desc,
            flags: acc::FINAL | acc::NATIVE | acc::SYNTHETIC | receiver | mflags::MH_INTRINSIC | mflags::HIDDEN,
            index: u16::MAX,
            intrinsic: kind,
            parsed: None,
            indy_sites: &[],
        })
    })
}

/// A call of MethodHandle.invoke*, linkTo* or a VarHandle access method at constant `i`; None for
/// any other method, and where an instance method is called as a static one or the other way round.
pub fn polymorphic_site(th: &Thread, from: ClassRef, i: u16, statically: bool) -> JResult<Option<&'static CallSite>> {
    let cp = from.info().constants();
    if !matches!(cp.get(i), Some(Constant::Method { .. })) {
        return Ok(None);
    }
    let holder = cp.class_name(cp.member_class(i));
    if holder != b"java/lang/invoke/MethodHandle" && holder != b"java/lang/invoke/VarHandle" {
        return Ok(None);
    }
    let nat = cp.ref_name_and_type(i);
    let (name, desc) = (Symbol::intern(nat.name), Symbol::intern(nat.desc));
    let class = resolve::class_at(th, from, cp.member_class(i))?;
    let fits = |m: &&MethodRef| m.name == name && m.has(mflags::SIGNATURE_POLYMORPHIC) && m.is_static() == statically;
    let Some(m) = class.declared_methods().iter().find(fits) else {
        return Ok(None);
    };
    let kind = if holder == b"java/lang/invoke/MethodHandle" { intrinsic_kind(name) } else { MhIntrinsic::None };
    if kind != MhIntrinsic::None {
        // They trust their callers: the forms that the class library generates.
        if !from.same_package(m.class) {
            resolve::check_method_access(th, from, intrinsic_method(kind, name, erased(desc)), m.class)?;
        }
        return Ok(Some(resolve::direct(from, intrinsic_method(kind, name, desc))));
    }
    let (adapter, appendix) = link_method(th, from, m.class, name, desc)?;
    let (params, _) = crate::define::parse_descriptor(desc);
    let nargs = 1 + params.iter().map(|t| t.slots()).sum::<usize>();
    Ok(Some(resolve::through_adapter(from, adapter, 8 * nargs as u32, appendix)))
}

/// The descriptor with Object for each reference type.
fn erased(desc: Symbol) -> Symbol {
    let (params, ret) = crate::define::parse_descriptor(desc);
    let mut d = vec![b'('];
    let push = |d: &mut Vec<u8>, t: BasicType| match t {
        BasicType::Object => d.extend_from_slice(b"Ljava/lang/Object;"),
        t => d.push(t.descriptor_char()),
    };
    params.iter().for_each(|t| push(&mut d, *t));
    d.push(b')');
    push(&mut d, ret);
    Symbol::intern(&d)
}

/// The adapter and appendix that a link upcall returned.
fn adapter_of(th: &Thread, mn: Obj, appendix_box: Obj) -> JResult<(MethodRef, Obj)> {
    if mn.is_null() {
        return exceptions::throw(th, "java/lang/LinkageError", "bad method handle linkage: no member name");
    }
    match member_name::target(mn) {
        Some(m) => Ok((m, appendix_box.array_ref(0))),
        None => exceptions::throw(th, "java/lang/LinkageError", "bad method handle linkage: unresolved member name"),
    }
}

fn link_method(th: &Thread, from: ClassRef, class: ClassRef, name: Symbol, desc: Symbol) -> JResult<(MethodRef, Obj)> {
    let s = handles::Scope::new(th);
    let mt = s.handle(method_type(th, from, desc)?);
    let name = s.handle(strings::intern_mutf8(th, name.as_bytes())?);
    let boxed = s.handle(arrays::new_ref_array(th, known::classes().object, 1)?);
    crate::init::initialize(th, known::classes().mh_natives)?;
    let mn = call::invoke_ref(
        th,
        known::methods().link_method,
        &[
            from.mirror.get().addr() as u64,
            5,
            class.mirror.get().addr() as u64,
            name.get().addr() as u64,
            mt.get().addr() as u64,
            boxed.get().addr() as u64,
        ],
    )?;
    adapter_of(th, mn, boxed.get())
}

/// The mirror of the class that one type of a descriptor names, as `from`'s loader sees it.
pub fn mirror_of_type(th: &Thread, from: ClassRef, desc: &[u8]) -> JResult<Obj> {
    let class = match desc {
        [b'L', name @ .., b';'] => {
            crate::loader::find_referred(th, own_name(from, name), from.info().loader, Symbol::intern(name))?
        }
        [b'[', ..] => crate::loader::find_referred(th, Symbol::intern(desc), from.info().loader, Symbol::intern(desc))?,
        [c] => match concord_contract::BasicType::from_descriptor_char(*c) {
            Some(t) if !t.is_ref() => arrays::primitive_class(t),
            _ => concord_base::bug!("bad descriptor character {c}"),
        },
        _ => concord_base::bug!("bad descriptor {}", String::from_utf8_lossy(desc)),
    };
    Ok(class.mirror.get())
}
/// A hidden class names itself by its plain name; no loader knows that name.
fn own_name(_from: ClassRef, name: &[u8]) -> Symbol {
    Symbol::intern(name)
}
fn type_mirror(th: &Thread, from: ClassRef, desc: &[u8]) -> JResult<Obj> {
    if let [b'L', name @ .., b';'] = desc
        && from.is_hidden()
        && from.name.as_bytes() == name
    {
        return Ok(from.mirror.get());
    }
    mirror_of_type(th, from, desc)
}

/// The java.lang.invoke.MethodType of a descriptor, its classes resolved for `from`.
pub fn method_type(th: &Thread, from: ClassRef, desc: Symbol) -> JResult<Obj> {
    let Some(md) = concord_classfile::descriptor::MethodDescriptor::new(desc.as_bytes()) else {
        concord_base::bug!("{desc} is no method descriptor");
    };
    let s = handles::Scope::new(th);
    let params: Vec<&[u8]> = md.params().map(|p| p.text).collect();
    let ptypes = s.handle(arrays::new_ref_array(th, known::classes().class, params.len())?);
    for (i, p) in params.iter().enumerate() {
        let m = type_mirror(th, from, p)?;
        arrays::set_ref(ptypes.get(), i, m);
    }
    let ret: &[u8] = match md.ret_type() {
        Some(t) => t.text,
        None => b"V",
    };
    let rtype = type_mirror(th, from, ret)?;
    crate::init::initialize(th, known::classes().mh_natives)?;
    call::invoke_ref(th, known::methods().find_method_handle_type, &[rtype.addr() as u64, ptypes.get().addr() as u64])
}

/// The failure kept for a cache entry is thrown again.
fn kept_failure(th: &Thread, key: usize) -> JResult<()> {
    let kept = FAILURES.lock().expect("failures").as_ref().and_then(|f| f.get(&key).cloned());
    match kept {
        Some(f) => {
            let r = exceptions::throw_class(th, f.class, f.message.as_deref());
            match f.cause {
                Some(c) if r.is_err() => exceptions::with_cause(th, c.get()),
                _ => r,
            }
        }
        None => Ok(()),
    }
}
/// Keeps the pending exception as the failure of an entry if it is an Error, as JVMS 5.4.3 asks.
fn keep_failure<T>(th: &Thread, from: ClassRef, key: usize, with_cause: bool) -> JResult<T> {
    let e = th.take_exception();
    if e.is_instance_of(known::classes().linkage_error) {
        let message = e.get_ref(known::offsets().throwable_message);
        let message = (!message.is_null()).then(|| strings::to_string(message));
        let cause = e.get_ref(known::offsets().throwable_cause);
        let cause = (with_cause && !cause.is_null() && cause != e).then(|| roots::new_root_of(from, cause));
        if e.class().has_flag(concord_contract::class::flags::UNLOADABLE) {
            roots::new_root_of(from, e.class().mirror.get());
        }
        let f = Failure { class: e.class(), message, cause };
        FAILURES.lock().expect("failures").get_or_insert_default().entry(key).or_insert(f);
    }
    th.throw(e)
}

/// Forgets the failures of constant-pool caches that go.
pub fn unload(is_dead: &dyn Fn(usize) -> bool) {
    if let Some(f) = FAILURES.lock().expect("failures").as_mut() {
        f.retain(|key, _| !is_dead(*key));
    }
}

/// Resolves the invokedynamic constant `cp` for the site with cache index `site`.
pub fn resolve_indy(th: &Thread, m: MethodRef, cp: u16, site: u16) -> JResult<&'static CallSite> {
    let from = m.class;
    let e = resolve::entry(from, site);
    let key = e as *const _ as usize;
    let a = e.a.load(Ordering::Acquire);
    if a != 0 {
        // SAFETY: site entries hold addresses of call sites.
        return Ok(unsafe { &*(a as *const CallSite) });
    }
    kept_failure(th, key)?;
    let linked = match link_call_site(th, from, cp) {
        Ok(l) => l,
        Err(Thrown) => return keep_failure(th, from, key, false),
    };
    let (adapter, appendix, nargs) = linked;
    let s = resolve::through_adapter(from, adapter, nargs, appendix);
    debug_assert_eq!(s.kind, CallKind::Handle);
    // One winner; losers use its result (decision O14).
    match e.a.compare_exchange(0, s as *const CallSite as u64, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Ok(s),
        // SAFETY: as above.
        Err(first) => Ok(unsafe { &*(first as *const CallSite) }),
    }
}

fn link_call_site(th: &Thread, from: ClassRef, cp: u16) -> JResult<(MethodRef, Obj, u32)> {
    let pool = from.info().constants();
    let nat = pool.ref_name_and_type(cp);
    let desc = Symbol::intern(nat.desc);
    let s = handles::Scope::new(th);
    let (bsm, args) = bootstrap(th, &s, from, pool.bootstrap_index(cp))?;
    let mt = s.handle(method_type(th, from, desc)?);
    let name = s.handle(strings::intern_mutf8(th, nat.name)?);
    let boxed = s.handle(arrays::new_ref_array(th, known::classes().object, 1)?);
    let mn = call::invoke_ref(
        th,
        known::methods().link_call_site,
        &[
            from.mirror.get().addr() as u64,
            cp as u64,
            bsm.get().addr() as u64,
            name.get().addr() as u64,
            mt.get().addr() as u64,
            args.get().addr() as u64,
            boxed.get().addr() as u64,
        ],
    )?;
    let (adapter, appendix) = adapter_of(th, mn, boxed.get())?;
    let (params, _) = crate::define::parse_descriptor(desc);
    let nargs = params.iter().map(|t| t.slots()).sum::<usize>();
    Ok((adapter, appendix, 8 * nargs as u32))
}

/// The bootstrap method handle and its static arguments: null for none, the object for one, an
/// Object[] for more.
fn bootstrap<'s>(
    th: &Thread,
    s: &'s handles::Scope<'_>,
    from: ClassRef,
    index: u16,
) -> JResult<(handles::Local<'s>, handles::Local<'s>)> {
    crate::init::initialize(th, known::classes().mh_natives)?;
    let b = from.info().file.bootstrap_methods[index as usize];
    let bsm = s.handle(constant_at(th, from, b.method_ref)?);
    let n = b.args.len();
    let args = match n {
        0 => s.handle(Obj::NULL),
        1 => s.handle(constant_at(th, from, b.args.at(0))?),
        _ => {
            let a = s.handle(arrays::new_ref_array(th, known::classes().object, n)?);
            for (i, c) in b.args.iter().enumerate() {
                let o = constant_at(th, from, c)?;
                arrays::set_ref(a.get(), i, o);
            }
            a
        }
    };
    Ok((bsm, args))
}

/// Calls linkDynamicConstant for the Dynamic constant `cp`; the boxed value.
fn link_dynamic(th: &Thread, from: ClassRef, cp: u16) -> JResult<Obj> {
    let pool = from.info().constants();
    let nat = pool.ref_name_and_type(cp);
    let s = handles::Scope::new(th);
    let (bsm, args) = bootstrap(th, &s, from, pool.bootstrap_index(cp))?;
    let ty = s.handle(type_mirror(th, from, nat.desc)?);
    let name = s.handle(strings::intern_mutf8(th, nat.name)?);
    call::invoke_ref(
        th,
        known::methods().link_dynamic_constant,
        &[
            from.mirror.get().addr() as u64,
            cp as u64,
            bsm.get().addr() as u64,
            name.get().addr() as u64,
            ty.get().addr() as u64,
            args.get().addr() as u64,
        ],
    )
}

/// Links a MethodHandle constant.
fn link_handle_constant(th: &Thread, from: ClassRef, cp: u16) -> JResult<Obj> {
    let pool = from.info().constants();
    let (kind, reference) = pool.method_handle(cp);
    let class = resolve::class_at(th, from, pool.member_class(reference))?;
    let polymorphic = kind > 4 && (class == known::classes().method_handle || class == known::classes().var_handle);
    if !polymorphic && class.is_instance_class() {
        crate::init::link(th, class)?;
    }
    let nat = pool.ref_name_and_type(reference);
    let s = handles::Scope::new(th);
    let name = s.handle(strings::intern_mutf8(th, nat.name)?);
    let ty = if kind <= 4 {
        // That it exists is told before its type is looked at; whether `from` may use it, by `Lookup`.
        resolve::named_field(th, from, reference)?;
        s.handle(type_mirror(th, from, nat.desc)?)
    } else {
        if !polymorphic {
            let opcode = match kind {
                5 => 182,
                6 => 184,
                9 => 185,
                _ => 183,
            };
            let (m, _) = resolve::method_ref(th, from, reference, opcode)?;
            let icce = "java/lang/IncompatibleClassChangeError";
            if kind == 6 && !m.is_static() {
                return exceptions::throw(th, icce, &format!("Expected static method '{}'", crate::names::method(m)));
            }
            if kind != 6 && m.is_static() {
                return exceptions::throw(
                    th,
                    icce,
                    &format!("Expecting non-static method '{}'", crate::names::method(m)),
                );
            }
        }
        s.handle(method_type(th, from, Symbol::intern(nat.desc))?)
    };
    crate::init::initialize(th, known::classes().mh_natives)?;
    let r = call::invoke_ref(
        th,
        known::methods().link_method_handle_constant,
        &[
            from.mirror.get().addr() as u64,
            kind as u64,
            class.mirror.get().addr() as u64,
            name.get().addr() as u64,
            ty.get().addr() as u64,
        ],
    )?;
    debug_assert!(mirror::class_of(class.mirror.get()) == class);
    Ok(r)
}
