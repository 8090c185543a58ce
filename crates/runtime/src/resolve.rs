//! Resolution of symbolic references and access control (JVMS 5.4.3, 5.4.4).
//!
//! Invariant: what a constant-pool-cache entry says is a resolution that was checked for this
//! class; entries are filled by one release store of `a` and never change. Failures of classes, method types and
//! handles are kept (`failures`), those of invokedynamic and dynamic constants, too (`methodhandles`); fields and methods
//! are looked up again, in classes that do not change.
use crate::info::{ClassExt, FieldInfo};
use crate::loader::{self, Loader};
use crate::{constraints, exceptions, failures, init, methodhandles, modules, names, roots, threads, vtable};
use concord_base::Symbol;
use concord_classfile::Constant;
use concord_contract::class::{Root, flags as class_flags};
use concord_contract::entries::ResolvedField;
use concord_contract::method::{NO_INDEX, acc, mflags};
use concord_contract::{CallKind, CallSite, Class, ClassRef, CpEntry, JResult, MethodRef, Obj, Thread, Thrown};
use std::sync::atomic::Ordering;

/// Entry `i` of the constant-pool cache of a linked class.
pub fn entry(class: &Class, i: u16) -> &'static CpEntry {
    // SAFETY: a linked class has a cache with an entry per constant and site, which lives as long.
    unsafe { &*class.cp_cache.load(Ordering::Acquire).add(i as usize) }
}

/// Loads a superclass or superinterface for a class under definition.
pub fn load_super(th: &Thread, name: Symbol, loader: &'static Loader) -> JResult<ClassRef> {
    threads::room_to_recurse(th)?;
    if loader.defining.with(th, name) {
        return exceptions::throw(th, "java/lang/ClassCircularityError", &name.as_str());
    }
    loader::find_referred(th, name, loader, name)
}

/// Whether code of `from` may name `to` (JVMS 5.4.4).
pub fn class_accessible(from: &Class, to: &Class) -> bool {
    let mut t = to;
    while let Some(c) = t.component {
        t = c;
    }
    if t.is_primitive() || std::ptr::eq(from, t) || from.same_package(t) {
        return true;
    }
    if is_magic(from) {
        return true;
    }
    t.access_flags as u32 & acc::PUBLIC != 0 && modules::access(from, t) == modules::Access::Ok
}

/// Generated reflection accessors are exempt from access checks.
pub fn is_magic(c: &Class) -> bool {
    c.super_class.is_some_and(is_magic_or_root)
}
/// Whether subclasses are exempt.
pub fn is_magic_or_root(c: &Class) -> bool {
    c.name == "jdk/internal/reflect/MagicAccessorImpl" && c.info().loader.is_boot() || is_magic(c)
}

fn check_class_access(th: &Thread, from: ClassRef, to: ClassRef) -> JResult<()> {
    if class_accessible(from, to) {
        return Ok(());
    }
    let text = if to.access_flags as u32 & acc::PUBLIC == 0 || modules::access(from, to) == modules::Access::Ok {
        format!(
            "failed to access class {} from class {} ({})",
            names::external(to),
            names::external(from),
            names::locations(th, to, from)
        )
    } else {
        modules::why_not(from, to)
    };
    exceptions::throw(th, "java/lang/IllegalAccessError", &text)
}

/// The class at constant `i` of `from`'s pool (JVMS 5.4.3.1), without a cache.
pub fn class_at_uncached(th: &Thread, from: ClassRef, i: u16) -> JResult<ClassRef> {
    let info = from.info();
    let name = info.constants().class_name(i);
    // No loader knows a hidden class.
    if from.is_hidden() && name == current(from).name.as_bytes() {
        return Ok(from);
    }
    let name = Symbol::intern(name);
    let c = loader::find_referred(th, name, info.loader, name)?;
    check_class_access(th, from, c)?;
    Ok(c)
}

/// The class at constant `i`, cached.
pub fn class_at(th: &Thread, from: ClassRef, i: u16) -> JResult<ClassRef> {
    if from.cp_cache.load(Ordering::Acquire).is_null() {
        return class_at_uncached(th, from, i);
    }
    let e = entry(from, i);
    let a = e.a.load(Ordering::Acquire);
    if a != 0 {
        // SAFETY: class entries hold addresses of classes.
        return Ok(unsafe { &*(a as *const Class) });
    }
    let c = failures::once(th, from, i, || class_at_uncached(th, from, i))?;
    e.a.store(c as *const Class as u64, Ordering::Release);
    Ok(c)
}

/// The class at constant `i` if it is loaded already.
pub fn class_at_if_loaded(from: ClassRef, i: u16) -> Option<ClassRef> {
    let name = Symbol::intern(from.info().constants().class_name(i));
    from.info().loader.find_loaded(name)
}

/// The array class over the class at constant `i`; fills both words of the entry.
pub fn array_of(th: &Thread, from: ClassRef, i: u16) -> JResult<ClassRef> {
    // Of the version that asks: the class may be redefined meanwhile.
    let e = entry(from, i);
    let c = class_at(th, from, i)?;
    let a = crate::arrays::array_class(th, c)?;
    e.b.store(a as *const Class as u64, Ordering::Release);
    Ok(a)
}

/// The class itself, where `c` is an old version of one that still runs.
pub fn current(c: ClassRef) -> ClassRef {
    if c.is_instance_class() { c.info().version_of.unwrap_or(c) } else { c }
}

/// The nest host (JVMS 5.4.4), validated once; an invalid host makes a class its own.
pub fn nest_host(th: &Thread, class: ClassRef) -> JResult<ClassRef> {
    let class = current(class);
    let info = class.info();
    if let Some(h) = info.nest_host.get() {
        return Ok(h);
    }
    let host = match info.file.nest_host {
        None => class,
        Some(i) => match class_at_uncached(th, class, i) {
            Ok(h) => match not_a_member(class, h) {
                None => h,
                Some(why) => {
                    let text = format!(
                        "Type {} (loader: {}) is not a nest member of type {} (loader: {}): {why}",
                        names::external(class),
                        loader_word(th, class),
                        names::external(h),
                        loader_word(th, h)
                    );
                    note_nest_error(class, text);
                    class
                }
            },
            Err(Thrown) => {
                // JVMS: a host that cannot be resolved is an error only of the access check that
                // asked; errors of the VM itself are passed on.
                let e = th.take_exception();
                if e.is_instance_of(crate::known::classes().virtual_machine_error) {
                    return th.throw(e);
                }
                let host = concord_base::symbol::text(info.constants().class_name(i)).replace('/', ".");
                note_nest_error(
                    class,
                    format!(
                        "Nest host resolution of {} with host {host} failed: {}",
                        names::external(class),
                        exceptions::describe(e)
                    ),
                );
                class
            }
        },
    };
    Ok(info.nest_host.get_or_init(|| host))
}
/// Why `host` does not take `class` for a member of its nest.
fn not_a_member(class: ClassRef, host: ClassRef) -> Option<&'static str> {
    if !host.is_instance_class() || !host.same_package(class) {
        return Some("types are in different packages");
    }
    let h = host.info();
    let listed = h.file.nest_members.iter().any(|m| h.constants().class_name(m) == class.name.as_bytes());
    (!listed).then_some("current type is not listed as a nest member")
}
fn loader_word(th: &Thread, c: ClassRef) -> String {
    if c.loader().is_boot() { "'bootstrap'".into() } else { c.loader().describe(th) }
}
/// Texts of failed nest-host validations, by class.
static NEST_ERRORS: std::sync::Mutex<Vec<(ClassRef, String)>> = std::sync::Mutex::new(Vec::new());
fn note_nest_error(class: ClassRef, text: String) {
    concord_base::vm_log!(ClassLoad, Debug, "{text}");
    NEST_ERRORS.lock().expect("nest errors").push((class, text));
}
/// Forgets classes that were unloaded.
pub fn unload(is_dead: &dyn Fn(&Class) -> bool) {
    NEST_ERRORS.lock().expect("nest errors").retain(|e| !is_dead(e.0));
}
/// `, (text), (text)` for an access error between two classes.
fn nest_errors(a: ClassRef, b: ClassRef) -> String {
    let all = NEST_ERRORS.lock().expect("nest errors");
    all.iter().filter(|e| e.0 == a || e.0 == b).map(|e| format!(", ({})", e.1)).collect()
}

pub fn nestmates(th: &Thread, a: ClassRef, b: ClassRef) -> JResult<bool> {
    let (a, b) = (current(a), current(b));
    if a == b {
        return Ok(true);
    }
    if !a.is_instance_class() || !b.is_instance_class() {
        return Ok(false);
    }
    let (ia, ib) = (a.info(), b.info());
    let lone = |i: &crate::ClassInfo| {
        i.file.nest_host.is_none() && i.file.nest_members.is_empty() && i.nest_host.get().is_none()
    };
    if lone(ia) || lone(ib) {
        return Ok(false);
    }
    Ok(nest_host(th, a)? == nest_host(th, b)?)
}

/// Whether code of `from` may use a member of `holder` with access `flags`, named through `named`.
pub fn member_accessible(th: &Thread, from: ClassRef, holder: ClassRef, named: &Class, flags: u32) -> JResult<bool> {
    let from = current(from);
    if flags & acc::PUBLIC != 0 || from == holder || is_magic(from) {
        return Ok(true);
    }
    if flags & acc::PRIVATE != 0 {
        return nestmates(th, from, holder);
    }
    if from.same_package(holder) {
        return Ok(true);
    }
    // An interface is no subclass of Object here.
    let inherits = flags & acc::PROTECTED != 0 && !from.is_interface() && from.is_subclass_of(holder);
    Ok(inherits && (flags & acc::STATIC != 0 || named.is_subclass_of(from) || from.is_subclass_of(named)))
}

fn access_word(flags: u32) -> &'static str {
    match flags & (acc::PUBLIC | acc::PRIVATE | acc::PROTECTED) {
        acc::PRIVATE => "private ",
        acc::PROTECTED => "protected ",
        acc::PUBLIC => "public ",
        _ => "",
    }
}

/// The field at constant `i` of `from`'s pool, and the class named there, without regard to access.
pub fn named_field(th: &Thread, from: ClassRef, i: u16) -> JResult<(&'static FieldInfo, ClassRef)> {
    let info = from.info();
    let cp = info.constants();
    let named = class_at(th, from, cp.member_class(i))?;
    let nat = cp.ref_name_and_type(i);
    let (name, desc) = (Symbol::intern(nat.name), Symbol::intern(nat.desc));
    match named.find_field(name, desc) {
        Some(f) => Ok((f, named)),
        None => exceptions::throw(th, "java/lang/NoSuchFieldError", &name.as_str()),
    }
}

/// The field at constant `i` of `from`'s pool (JVMS 5.4.3.2), without regard to its use.
pub fn field_ref(th: &Thread, from: ClassRef, i: u16) -> JResult<(&'static FieldInfo, ClassRef)> {
    let (f, named) = named_field(th, from, i)?;
    if !member_accessible(th, from, f.class, named, f.flags)? {
        return exceptions::throw(
            th,
            "java/lang/IllegalAccessError",
            &format!(
                "class {} tried to access {}field {}.{} ({})",
                names::external(from),
                access_word(f.flags),
                names::external(f.class),
                f.name,
                names::locations(th, from, f.class)
            ),
        );
    }
    Ok((f, named))
}

/// Resolves a field for getstatic (178), putstatic, getfield, putfield (181).
pub fn field_at(th: &Thread, m: MethodRef, i: u16, opcode: u8) -> JResult<ResolvedField> {
    let from = m.class;
    let (f, _) = field_ref(th, from, i)?;
    let want_static = opcode <= 179;
    if f.is_static() != want_static {
        let what = if want_static { "static" } else { "non-static" };
        return exceptions::throw(
            th,
            "java/lang/IncompatibleClassChangeError",
            &format!("Expected {what} field {}.{}", names::external(f.class), f.name),
        );
    }
    let is_put = opcode == 179 || opcode == 181;
    if is_put && f.is_final() {
        if f.class != current(from) {
            return exceptions::throw(
                th,
                "java/lang/IllegalAccessError",
                &format!(
                    "Update to {}final field {}.{} attempted from a different class ({}) than the field's declaring class",
                    if want_static { "static " } else { "non-static " },
                    names::external(f.class),
                    f.name,
                    names::external(from)
                ),
            );
        }
        // From version 53 on only the initializer itself may assign.
        let ok = from.info().file.major < 53 || if want_static { m.is_clinit() } else { m.is_init() };
        if !ok {
            return exceptions::throw(
                th,
                "java/lang/IllegalAccessError",
                &format!(
                    "Update to {}final field {}.{} attempted from a different method ({}) than the initializer method {} ",
                    if want_static { "static " } else { "non-static " },
                    names::external(f.class),
                    f.name,
                    m.name,
                    if want_static { "<clinit>" } else { "<init>" }
                ),
            );
        }
    }
    if want_static {
        init::initialize(th, f.class)?;
    } else {
        init::link(th, f.class)?;
    }
    if f.class != current(from) {
        constraints::check_field(th, from, f)?;
    }
    Ok(field_answer(m, f))
}

/// What accesses of `f` from `m` need to know.
pub fn field_answer(m: MethodRef, f: &FieldInfo) -> ResolvedField {
    ResolvedField {
        class: f.class,
        offset: f.offset,
        ty: f.ty,
        is_static: f.is_static(),
        is_volatile: f.is_volatile(),
        is_final: f.is_final(),
        relaxed: relaxed(m, f),
    }
}

/// Whether accesses of `f` from `m` follow the Java memory model only.
fn relaxed(m: MethodRef, f: &FieldInfo) -> bool {
    !concord_memory_model::policy::vbd()
        || m.has(mflags::RELAXED)
        || f.flags & crate::info::FIELD_RELAXED != 0
        || crate::relaxed::loc(m, f)
}

pub fn fill_static(m: MethodRef, i: u16, f: ResolvedField) {
    let e = entry(m.class, i);
    let base = f.class.statics.get();
    crate::unload::note_static_use(m.class, f.class, e);
    e.b.store(base.addr() as u64, Ordering::Relaxed);
    e.a.store((base.addr() + f.offset as usize) as u64, Ordering::Release);
}

/// Method lookup in a class (5.4.3.3) or interface (5.4.3.4), without access checks.
pub fn lookup_method(class: &Class, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    let mut k: Option<&Class> = Some(class);
    while let Some(c) = k {
        if let Some(m) = c.declared_method(name, desc) {
            return Some(m);
        }
        k = c.super_class;
    }
    most_specific(class, name, desc)
}

/// The method that the interfaces of `class` have for it, a default before others (JVMS 5.4.3.3, step 3).
fn most_specific(class: &Class, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    let all = class.interfaces_all.get()?;
    let mut found: Vec<MethodRef> = all
        .iter()
        .filter_map(|i| i.declared_method(name, desc))
        .filter(|m| !m.is_private() && !m.is_static())
        .collect();
    if found.len() > 1 {
        let specific: Vec<MethodRef> = found
            .iter()
            .filter(|m| !found.iter().any(|o| o.class != m.class && o.class.is_subclass_of(m.class)))
            .copied()
            .collect();
        let defaults: Vec<MethodRef> = specific.iter().filter(|m| !m.is_abstract()).copied().collect();
        found = if defaults.len() == 1 { defaults } else { specific };
    }
    found.first().copied()
}

/// As `lookup_method`, for an interface (JVMS 5.4.3.4): its own, Object's public, superinterfaces'. Not Object's protected ones,
/// though the superclass of an interface is Object: `clone` of an interface is its superinterface's.
pub fn lookup_interface_method(class: &Class, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    if let Some(m) = class.declared_method(name, desc) {
        return Some(m);
    }
    let object = crate::known::classes().object;
    if let Some(m) = object.declared_method(name, desc)
        && m.is_public()
        && !m.is_static()
    {
        return Some(m);
    }
    most_specific(class, name, desc)
}

/// The class named by a method reference, and the method, access-checked, for invokevirtual (182)
/// to invokeinterface (185).
pub fn method_ref(th: &Thread, from: ClassRef, i: u16, opcode: u8) -> JResult<(MethodRef, ClassRef)> {
    let cp = from.info().constants();
    let named = class_at(th, from, cp.member_class(i))?;
    let nat = cp.ref_name_and_type(i);
    let (name, desc) = (Symbol::intern(nat.name), Symbol::intern(nat.desc));
    let wants_interface = matches!(cp.get(i), Some(Constant::InterfaceMethod { .. }));
    let icce = "java/lang/IncompatibleClassChangeError";
    if opcode == 185 && !named.is_interface() {
        return exceptions::throw(
            th,
            icce,
            &format!("Found class {}, but interface was expected", names::external(named)),
        );
    }
    if opcode == 182 && named.is_interface() {
        return exceptions::throw(
            th,
            icce,
            &format!("Found interface {}, but class was expected", names::external(named)),
        );
    }
    let m = if named.is_interface() {
        lookup_interface_method(named, name, desc)
    } else {
        lookup_method(named, name, desc)
    };
    let Some(m) = m else {
        return exceptions::throw(
            th,
            "java/lang/NoSuchMethodError",
            &format!("'{}'", names::method_ref(named, &name.as_str(), nat.desc)),
        );
    };
    if wants_interface != named.is_interface() {
        let kind = if named.is_interface() { "InterfaceMethodref" } else { "Methodref" };
        return exceptions::throw(th, icce, &format!("Method '{}' must be {kind} constant", names::method(m)));
    }
    check_method_access(th, from, m, named)?;
    constraints::check_method(th, from, named, m, named.is_interface())?;
    Ok((m, named))
}

pub fn check_method_access(th: &Thread, from: ClassRef, m: MethodRef, named: ClassRef) -> JResult<()> {
    // Object.clone of arrays is public.
    let array_clone = named.is_array() && m.name == "clone";
    if array_clone || member_accessible(th, from, m.class, named, m.access() as u32)? {
        return Ok(());
    }
    let nests = if m.is_private() {
        // The lone-class shortcut may have skipped the validation whose failure is to be told.
        nest_host(th, from)?;
        nest_host(th, m.class)?;
        nest_errors(from, m.class)
    } else {
        String::new()
    };
    exceptions::throw(
        th,
        "java/lang/IllegalAccessError",
        &format!(
            "class {} tried to access {}method '{}' ({}){nests}",
            names::external(from),
            access_word(m.access() as u32),
            names::method(m),
            names::locations(th, from, m.class)
        ),
    )
}

/// Gives a call site the life of the class whose code has it.
fn keep(from: ClassRef, site: CallSite) -> &'static CallSite {
    let site = Box::leak(Box::new(site));
    if from.has_flag(class_flags::UNLOADABLE) {
        from.info().owned.sites.lock().expect("call sites").push(site as *mut CallSite as usize);
    }
    site
}

/// A record for a direct call.
pub fn direct(from: ClassRef, m: MethodRef) -> &'static CallSite {
    direct_on(from, m, std::ptr::null())
}
/// As well, of receivers that must implement `requested`.
fn direct_on(from: ClassRef, m: MethodRef, requested: *const Class) -> &'static CallSite {
    let kind = if m.is_static() { CallKind::Static } else { CallKind::Special };
    keep(
        from,
        CallSite {
            method: m,
            nargs_bytes: m.nargs_bytes,
            index: NO_INDEX,
            interface: std::ptr::null(),
            kind,
            requested,
            appendix: std::ptr::null(),
        },
    )
}

/// The record that an earlier resolution of an invokestatic made. The thread that initializes a class
/// resolves each call of its methods anew.
fn known_direct(e: &CpEntry, m: MethodRef) -> Option<&'static CallSite> {
    // SAFETY: the entry of a method that was called statically is 0 or holds a record, which lives as long as the entry.
    let site = unsafe { (e.a.load(Ordering::Acquire) as *const CallSite).as_ref() }?;
    (site.kind == CallKind::Static && std::ptr::eq(site.method, m)).then_some(site)
}

/// A record for a call through an adapter of method handles.
pub fn through_adapter(from: ClassRef, adapter: MethodRef, nargs_bytes: u32, appendix: Obj) -> &'static CallSite {
    let root: *const Root = if appendix.is_null() { std::ptr::null() } else { roots::new_root_of(from, appendix) };
    // The adapter often is a hidden class's: nothing else may hold it.
    if adapter.class.has_flag(class_flags::UNLOADABLE) {
        roots::new_root_of(from, adapter.class.mirror.get());
    }
    keep(
        from,
        CallSite {
            method: adapter,
            nargs_bytes,
            index: NO_INDEX,
            interface: std::ptr::null(),
            kind: CallKind::Handle,
            requested: std::ptr::null(),
            appendix: root,
        },
    )
}

/// A virtual call of `m` named through `named`, of receivers that must implement `requested`.
fn virtual_site(
    th: &Thread,
    from: ClassRef,
    m: MethodRef,
    named: ClassRef,
    requested: *const Class,
) -> JResult<&'static CallSite> {
    let final_target = m.is_private()
        || (m.has(acc::FINAL) && !m.class.is_interface())
        || (m.class.access_flags as u32 & acc::FINAL != 0 && !m.class.is_interface());
    if final_target {
        return Ok(direct_on(from, m, requested));
    }
    let table_of = if named.is_array() { crate::known::classes().object } else { named };
    match vtable::index_in(table_of, m) {
        Some(i) => Ok(keep(
            from,
            CallSite {
                method: m,
                nargs_bytes: m.nargs_bytes,
                index: i as u32,
                interface: std::ptr::null(),
                kind: CallKind::Virtual,
                requested,
                appendix: std::ptr::null(),
            },
        )),
        None => exceptions::throw(th, "java/lang/AbstractMethodError", &names::method(m)),
    }
}

/// Resolves invokevirtual (182), invokespecial, invokestatic, invokeinterface (185).
pub fn call_at(th: &Thread, caller: MethodRef, i: u16, opcode: u8) -> JResult<(&'static CallSite, bool)> {
    let from = caller.class;
    let e = entry(from, i);
    let cp = from.info().constants();
    if (opcode == 182 || opcode == 184)
        && let Some(site) = methodhandles::polymorphic_site(th, from, i, opcode == 184)?
    {
        e.a.store(site as *const CallSite as u64, Ordering::Release);
        return Ok((site, true));
    }
    let (m, named) = method_ref(th, from, i, opcode)?;
    let icce = "java/lang/IncompatibleClassChangeError";
    let mut quick = true;
    let site = match opcode {
        184 => {
            if !m.is_static() {
                return exceptions::throw(th, icce, &format!("Expected static method '{}'", names::method(m)));
            }
            init::initialize(th, m.class)?;
            quick = m.class.is_initialized();
            known_direct(e, m).unwrap_or_else(|| direct(from, m))
        }
        _ if m.is_static() => {
            let what =
                if opcode == 185 { "Expected instance not static method" } else { "Expecting non-static method" };
            return exceptions::throw(th, icce, &format!("{what} '{}'", names::method(m)));
        }
        183 => {
            let m = special_target(th, from, named, m, matches!(cp.get(i), Some(Constant::InterfaceMethod { .. })))?;
            if m.is_init() && m.class != named {
                return exceptions::throw(
                    th,
                    "java/lang/NoSuchMethodError",
                    &format!("{}: method '{}' not found", names::external(named), names::method(m)),
                );
            }
            let own = from.is_interface() && !m.is_init();
            direct_on(from, m, if own { current(from) } else { std::ptr::null() })
        }
        182 => virtual_site(th, from, m, named, std::ptr::null())?,
        _ => {
            if m.is_private() {
                direct_on(from, m, named)
            } else if !m.class.is_interface() {
                virtual_site(th, from, m, crate::known::classes().object, named)?
            } else {
                let index = m.itable_index.load(Ordering::Relaxed);
                keep(
                    from,
                    CallSite {
                        method: m,
                        nargs_bytes: m.nargs_bytes,
                        index,
                        interface: m.class,
                        kind: CallKind::Interface,
                        requested: if m.class == named { std::ptr::null() } else { named },
                        appendix: std::ptr::null(),
                    },
                )
            }
        }
    };
    // invokespecial's record is the instruction's own: the same constant may be called virtually.
    if opcode != 183 {
        e.a.store(site as *const CallSite as u64, Ordering::Release);
    }
    Ok((site, quick))
}

/// The method that an instance of `c` has by that name; what subclasses have static hides nothing.
fn instance_method(c: ClassRef, name: Symbol, desc: Symbol) -> Option<MethodRef> {
    let mut found = lookup_method(c, name, desc)?;
    while found.is_static() {
        found = lookup_method(found.class.super_class?, name, desc)?;
    }
    Some(found)
}

/// invokespecial's selection (JVMS 6.5): a superclass method is looked up from the direct
/// superclass of the caller's class.
pub fn special_target(
    th: &Thread,
    from: ClassRef,
    named: ClassRef,
    m: MethodRef,
    _interface: bool,
) -> JResult<MethodRef> {
    let from = current(from);
    let has_super = from.access_flags as u32 & 0x20 != 0 || from.info().file.major >= 52;
    if m.is_init()
        || m.is_private()
        || named.is_interface()
        || from == named
        || !has_super
        || !from.is_subclass_of(named)
    {
        if m.is_abstract() && !m.is_init() {
            let text = names::method_ref(named, &m.name.as_str(), m.descriptor.as_bytes());
            return exceptions::throw(th, "java/lang/AbstractMethodError", &format!("'{text}'"));
        }
        return Ok(m);
    }
    let start = match from.super_class {
        Some(s) => s,
        None => return Ok(m),
    };
    match instance_method(start, m.name, m.descriptor) {
        // Of several defaults none is chosen: the superclass's table has what tells so.
        Some(t) if t.class.is_interface() && !t.is_abstract() => {
            let i = vtable::index_in(start, t).filter(|i| *i < start.vtable_len());
            Ok(i.map_or(t, |i| start.vtable_method(i)))
        }
        Some(t) if !t.is_abstract() => Ok(t),
        _ => exceptions::throw(th, "java/lang/AbstractMethodError", &format!("'{}'", names::method(m))),
    }
}
