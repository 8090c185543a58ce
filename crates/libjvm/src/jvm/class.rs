//! Finding, defining and questioning classes.
//!
//! Invariant: names in arguments of type `Text` have slashes, names in Java strings have dots.
use super::jvm;
use crate::env::{Ref, Text};
use concord_base::Symbol;
use concord_contract::{JResult, Obj, Thread};
use concord_runtime::allocations::by_vm;
use concord_runtime::define::{Bytes, DefineArgs, HiddenArgs, define_class};
use concord_runtime::reflection::{attributes, queries};
use concord_runtime::vm_natives::{class as class_natives, misc};
use concord_runtime::{ClassExt, exceptions, init, known, loader, strings};

/// The bytes that foreign code passes as (address, length).
fn buffer<'a>(p: *const u8, len: i32) -> &'a [u8] {
    // SAFETY: callers in the JDK's libraries pass a buffer of that length that outlives the call.
    if p.is_null() || len <= 0 { &[] } else { unsafe { std::slice::from_raw_parts(p, len as usize) } }
}

fn name_of(text: Text) -> Option<Symbol> {
    text.bytes().map(Symbol::intern)
}
fn source_of(text: Text) -> Option<String> {
    text.bytes().map(|b| concord_base::symbol::text(b).into_owned())
}

fn define(th: &Thread, name: Text, loader: Ref, bytes: &[u8], domain: Ref, source: Option<String>) -> JResult<Obj> {
    let class = define_class(
        th,
        DefineArgs {
            name: name_of(name),
            loader: loader::of_object(loader.get()),
            bytes: Bytes::Borrowed(bytes),
            protection_domain: domain.get(),
            source,
            hidden: None,
        },
    )?;
    Ok(class.mirror.get())
}

/// Flags of Lookup.defineHiddenClass and ClassDefiner.
const NESTMATE: i32 = 1;
const HIDDEN: i32 = 2;
const STRONG: i32 = 4;
const VM_ANNOTATIONS: i32 = 8;

struct LookupDefine<'a> {
    lookup: Ref,
    name: Text,
    bytes: &'a [u8],
    domain: Ref,
    initialize: bool,
    flags: i32,
    data: Ref,
}

fn lookup_define(th: &Thread, a: LookupDefine<'_>) -> JResult<Obj> {
    let illegal = |msg: &str| exceptions::throw(th, "java/lang/IllegalArgumentException", msg);
    if a.lookup.is_null() {
        return illegal("Lookup class is null");
    }
    let lookup = a.lookup.class();
    let has = |f: i32| a.flags & f != 0;
    if !has(HIDDEN) && !a.data.get().is_null() {
        return illegal("classData is only applicable for hidden classes");
    }
    if !has(HIDDEN) && has(NESTMATE) {
        return illegal("dynamic nestmate is only applicable for hidden classes");
    }
    if !has(HIDDEN) && !has(STRONG) {
        return illegal("an ordinary class must be strongly referenced by its defining loader");
    }
    if !has(HIDDEN) && has(VM_ANNOTATIONS) {
        return illegal("vm annotations only allowed for hidden classes");
    }
    let class = define_class(
        th,
        DefineArgs {
            name: if has(HIDDEN) { None } else { name_of(a.name) },
            loader: lookup.loader(),
            bytes: Bytes::Borrowed(a.bytes),
            protection_domain: a.domain.get(),
            source: Some("__JVM_LookupDefineClass__".into()),
            hidden: has(HIDDEN).then(|| HiddenArgs {
                name: a.name.bytes(),
                lookup,
                nestmate: has(NESTMATE),
                strong: has(STRONG),
                vm_annotations: has(VM_ANNOTATIONS),
                class_data: a.data.get(),
            }),
        },
    )?;
    if !class.same_package(lookup) {
        return illegal("Lookup class and defined class are in different packages");
    }
    if a.initialize {
        init::initialize(th, class)?;
    } else {
        init::link(th, class)?;
    }
    Ok(class.mirror.get())
}

fn find(th: &Thread, name: Text, initialize: u8, loader: Obj) -> JResult<Obj> {
    let Some(name) = name.bytes() else {
        return exceptions::throw_no_msg(th, "java/lang/NoClassDefFoundError");
    };
    Ok(class_natives::for_name(th, name, initialize != 0, loader::of_object(loader))?.mirror.get())
}

jvm! {
    JVM_FindClassFromCaller(th, name: Text, initialize: u8, loader: Ref, _caller: Ref) -> obj {
        find(th, name, initialize, loader.get())
    }
    JVM_FindClassFromBootLoader(th, name: Text) -> obj {
        let Some(name) = name.bytes().filter(|n| n.len() <= u16::MAX as usize) else { return Ok(Obj::NULL) };
        Ok(loader::find_boot(th, Symbol::intern(name))?.map_or(Obj::NULL, |c| c.mirror.get()))
    }
    JVM_FindLoadedClass(_th, loader: Ref, name: Ref) -> obj {
        let Some(name) = misc::class_name(&strings::to_mutf8(name.get())) else { return Ok(Obj::NULL) };
        Ok(loader::of_object(loader.get()).find_loaded(name).map_or(Obj::NULL, |c| c.mirror.get()))
    }
    JVM_FindPrimitiveClass(th, name: Text) -> obj {
        class_natives::find_primitive(th, &name.lossy())
    }
    JVM_DefineClass(th, name: Text, loader: Ref, bytes: *const u8, len: i32, domain: Ref) -> obj {
        define(th, name, loader, buffer(bytes, len), domain, None)
    }
    JVM_DefineClassWithSource(th, name: Text, loader: Ref, bytes: *const u8, len: i32, domain: Ref, source: Text) -> obj {
        define(th, name, loader, buffer(bytes, len), domain, source_of(source))
    }
    JVM_LookupDefineClass(
        th, lookup: Ref, name: Text, bytes: *const u8, len: i32, domain: Ref, initialize: u8, flags: i32, data: Ref,
    ) -> obj {
        let bytes = buffer(bytes, len);
        lookup_define(th, LookupDefine { lookup, name, bytes, domain, initialize: initialize != 0, flags, data })
    }
    JVM_InitClassName(th, c: Ref) -> obj { queries::init_class_name(th, c.get()) }
    JVM_DesiredAssertionStatus(_th, _unused: Ref, c: Ref) -> z {
        let class = c.class();
        Ok(class.is_instance_class() && queries::desired_assertion_status(class))
    }
    JVM_AssertionStatusDirectives(th, _c: Ref) -> obj { assertion_directives(th) }
    JVM_IsPrimitiveClass(_th, c: Ref) -> z { Ok(c.class().is_primitive()) }
    JVM_IsArrayClass(_th, c: Ref) -> z { Ok(c.class().is_array()) }
    JVM_IsInterface(_th, c: Ref) -> z { Ok(c.class().is_interface()) }
    JVM_IsHiddenClass(_th, c: Ref) -> z { Ok(c.class().is_hidden()) }
    JVM_IsRecord(_th, c: Ref) -> z { Ok(queries::is_record(c.class())) }
    JVM_GetClassModifiers(_th, c: Ref) -> i { Ok(queries::modifiers(c.class())) }
    JVM_GetClassAccessFlags(_th, c: Ref) -> i { Ok(queries::access_flags(c.class())) }
    JVM_AreNestMates(th, a: Ref, b: Ref) -> z { queries::are_nest_mates(th, a.class(), b.class()) }
    JVM_GetNestHost(th, c: Ref) -> obj { attributes::nest_host(th, c.class()) }
    JVM_GetNestMembers(th, c: Ref) -> obj { by_vm(th, || attributes::nest_members(th, c.class())) }
    JVM_GetPermittedSubclasses(th, c: Ref) -> obj { by_vm(th, || attributes::permitted_subclasses(th, c.class())) }
    JVM_GetClassInterfaces(th, c: Ref) -> obj { by_vm(th, || attributes::interfaces(th, c.class())) }
    JVM_GetClassSignature(th, c: Ref) -> obj { attributes::signature(th, c.class()) }
    JVM_GetClassAnnotations(th, c: Ref) -> obj { attributes::annotations(th, c.class()) }
    JVM_GetClassTypeAnnotations(th, c: Ref) -> obj { attributes::type_annotations(th, c.class()) }
    JVM_GetDeclaringClass(th, c: Ref) -> obj { attributes::declaring_class(th, c.class()) }
    JVM_GetDeclaredClasses(th, c: Ref) -> obj { by_vm(th, || attributes::declared_classes(th, c.class())) }
    JVM_GetSimpleBinaryName(th, c: Ref) -> obj { attributes::simple_binary_name(th, c.class()) }
    JVM_GetEnclosingMethodInfo(th, c: Ref) -> obj { attributes::enclosing_method(th, c.class()) }
    JVM_GetProtectionDomain(_th, c: Ref) -> obj { Ok(attributes::protection_domain(c.class())) }
    JVM_GetClassSigners(th, c: Ref) -> obj { by_vm(th, || attributes::signers(th, c.class())) }
    JVM_SetClassSigners(_th, c: Ref, signers: Ref) -> void {
        attributes::set_signers(c.class(), signers.get());
        Ok(())
    }
}

/// An AssertionStatusDirectives with what -ea and its relatives say.
fn assertion_directives(th: &Thread) -> JResult<Obj> {
    use concord_contract::BasicType;
    use concord_runtime::{arrays, handles, object};
    let (k, o) = (known::classes(), known::offsets());
    let a = &concord_base::options::get().assertions;
    let scope = handles::Scope::new(th);
    let rows = |list: &[(String, bool)]| -> JResult<(Obj, Obj)> {
        let scope = handles::Scope::new(th);
        let names = scope.handle(arrays::new_ref_array(th, k.string, list.len())?);
        for (i, (n, _)) in list.iter().enumerate() {
            let s = strings::new_str(th, n)?;
            arrays::set_ref(names.get(), i, s);
        }
        let on = arrays::new_prim_array(th, BasicType::Boolean, list.len())?;
        for (i, (_, v)) in list.iter().enumerate() {
            on.put_u8(Obj::elem_offset(i, 0), u8::from(*v));
        }
        Ok((names.get(), on))
    };
    let d = scope.handle(object::new_object(th, k.assertion_directives)?);
    for (list, names_at, on_at) in [
        (&a.classes, o.directives_classes, o.directives_class_enabled),
        (&a.packages, o.directives_packages, o.directives_package_enabled),
    ] {
        let (names, on) = rows(list)?;
        concord_heap::store_ref(d.get(), names_at, names);
        concord_heap::store_ref(d.get(), on_at, on);
    }
    d.get().put_u8(o.directives_default, u8::from(a.user));
    Ok(d.get())
}
