//! The answers to a compiler's questions ([`CompilationEnv`]).
//!
//! Invariant: nothing here loads, resolves, links, initializes or throws, and no heap object is
//! touched but statics objects that never move, and those that [`objects`] holds still: compiler threads ask while
//! collections run. An answer is what resolution would give, or `None`; resolutions that could fail or have effects are left to
//! the interpreter.
//!
//! | module | owns |
//! |---|---|
//! | this one | the constant pool |
//! | [`objects`] | what is known of objects that code names |
//! | [`hierarchy`] | which classes extend which; what calls can select; dependencies |
pub mod hierarchy;
mod objects;

use crate::define;
use crate::events::{self, Event};
use crate::info::{ClassExt, FieldInfo, MethodExt};
use crate::reflection::boxing::Value;
use crate::resolve;
use concord_base::{Symbol, directives, options};
use concord_classfile::Constant;
use concord_contract::class::flags;
use concord_contract::compile_env::{CallAnswer, CompilationEnv, ConstantAnswer, VmLayout};
use concord_contract::compiled::Dependency;
use concord_contract::constant_objects::{KnownObject, ObjectPath};
use concord_contract::entries::{self, ResolvedField};
use concord_contract::method::{INLINING, NO_INDEX, NULL_CONSTANT, acc, mflags};
use concord_contract::profile::{Counters, MethodProfile};
use concord_contract::{BasicType, CallKind, CallSite, Class, ClassRef, MethodRef};
use std::sync::atomic::Ordering;

/// The runtime's answers.
pub struct Env;

pub static ENV: Env = Env;

/// The class at a constant, if that is resolved.
fn class_at(from: ClassRef, cp: u16) -> Option<ClassRef> {
    let a = resolve::entry(from, cp).a.load(Ordering::Acquire);
    // SAFETY: resolved class entries hold classes.
    (a != 0).then(|| unsafe { &*(a as *const Class) })
}

/// Whether code of `m` may use statics of the class, and make instances, without asking: it is
/// initialized, or the thread that runs `m` is initializing it or waits no more for it.
fn ready(m: MethodRef, class: ClassRef) -> bool {
    class.is_initialized() || (m.is_static() && !class.is_interface() && m.class.is_subclass_of(class))
}

/// Access checks that need no loading; false also where they would.
fn accessible(from: ClassRef, holder: ClassRef, named: &Class, flags: u32) -> bool {
    if flags & acc::PUBLIC != 0 || from == holder || resolve::is_magic(from) {
        return true;
    }
    if flags & acc::PRIVATE != 0 {
        let host =
            |c: ClassRef| c.info().nest_host.get().copied().or_else(|| c.info().file.nest_host.is_none().then_some(c));
        return host(from).is_some() && host(from) == host(holder);
    }
    if from.same_package(holder) {
        return true;
    }
    flags & acc::PROTECTED != 0
        && ((from.is_subclass_of(holder)
            && (flags & acc::STATIC != 0 || named.is_subclass_of(from) || from.is_subclass_of(named)))
            || named.is_array())
}

impl Env {
    fn resolved_field(&self, m: MethodRef, cp: u16, opcode: u8) -> Option<(&'static FieldInfo, ClassRef)> {
        let from = m.class;
        let pool = from.info().constants();
        let named = class_at(from, pool.member_class(cp))?;
        let nat = pool.ref_name_and_type(cp);
        let f = named.find_field(Symbol::intern(nat.name), Symbol::intern(nat.desc))?;
        let is_put = opcode == 179 || opcode == 181;
        let put_ok = !is_put
            || !f.is_final()
            || (f.class == from && (from.info().file.major < 53 || m.is_init() || m.is_clinit()));
        (put_ok && f.is_static() == (opcode <= 179) && accessible(from, f.class, named, f.flags)).then_some((f, named))
    }

    /// The target of invokespecial, which has no record of its own.
    fn special(&self, m: MethodRef, cp: u16) -> Option<MethodRef> {
        let from = m.class;
        let pool = from.info().constants();
        let named = class_at(from, pool.member_class(cp))?;
        let nat = pool.ref_name_and_type(cp);
        let (name, desc) = (Symbol::intern(nat.name), Symbol::intern(nat.desc));
        if matches!(pool.get(cp), Some(Constant::InterfaceMethod { .. })) != named.is_interface() {
            return None;
        }
        let found = if named.is_interface() {
            resolve::lookup_interface_method(named, name, desc)?
        } else {
            resolve::lookup_method(named, name, desc)?
        };
        if !accessible(from, found.class, named, found.access() as u32) || found.is_static() {
            return None;
        }
        if found.is_init() {
            return (found.class == named).then_some(found);
        }
        resolve::special_body(from, named, found)
    }
}

fn answer(site: &CallSite, named: Option<ClassRef>) -> CallAnswer {
    // SAFETY: call-site records hold null or classes, which live as long as the site.
    let class = |c: *const Class| unsafe { c.as_ref() };
    CallAnswer {
        method: site.method,
        kind: site.kind,
        index: site.index,
        interface: class(site.interface),
        named,
        requested: class(site.requested),
        appendix: (!site.appendix.is_null()).then_some(site.appendix as usize),
    }
}

/// As in HotSpot tools that are told of compiled methods get the places, unless the user has said no.
fn places() -> bool {
    let o = options::get();
    let said = || options::flags::find("DebugNonSafepoints").is_some_and(|i| o.origin(i) != options::Origin::Default);
    let asked = o.flags.debug_non_safepoints || o.remix.is_some_and(options::Remix::looks);
    asked || events::wanted(Event::CompiledMethodLoad) && !said()
}

/// A method as directives name it.
fn with_names<R>(m: MethodRef, f: impl FnOnce(directives::Named<'_>) -> R) -> R {
    f(directives::Named { class: &m.class.name.as_str(), method: &m.name.as_str(), descriptor: &m.descriptor.as_str() })
}

impl CompilationEnv for Env {
    fn inlining(&self, root: MethodRef, m: MethodRef) -> u32 {
        let own = m.flags.load(Ordering::Relaxed) & INLINING;
        if !directives::any() {
            return own;
        }
        with_names(root, |root| with_names(m, |m| directives::inlining(root, m))).map_or(own, |said| {
            let annotated = MethodExt::info(m).parsed.map_or(0, |p| define::method_flags(p) & INLINING);
            let always = if said.always { mflags::FORCE_INLINE } else { 0 };
            annotated | always | if said.never { mflags::DONT_INLINE } else { 0 }
        })
    }
    fn field(&self, m: MethodRef, cp: u16, opcode: u8) -> Option<ResolvedField> {
        let (f, _) = self.resolved_field(m, cp, opcode)?;
        if f.is_static() && !ready(m, f.class) {
            return None;
        }
        Some(resolve::field_answer(m, f))
    }

    fn call(&self, m: MethodRef, bci: u16, cp: u16, opcode: u8) -> Option<CallAnswer> {
        let from = m.class;
        if opcode == 183 {
            let method = self.special(m, cp)?;
            return Some(CallAnswer {
                method,
                kind: CallKind::Special,
                index: NO_INDEX,
                interface: None,
                named: None,
                requested: (from.is_interface() && !method.is_init()).then_some(from),
                appendix: None,
            });
        }
        let at = if opcode == 186 { m.indy_site(bci)? } else { cp };
        let a = resolve::entry(from, at).a.load(Ordering::Acquire) as *const CallSite;
        // SAFETY: entries of calls hold null or a record that is never freed.
        let site = unsafe { a.as_ref() }?;
        if opcode == 184 && site.kind == CallKind::Static && !ready(m, site.method.class) {
            return None;
        }
        let named = if opcode == 186 { None } else { class_at(from, from.info().constants().member_class(cp)) };
        Some(answer(site, named))
    }

    fn class(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        class_at(m.class, cp)
    }

    fn profile(&self, m: MethodRef) -> Option<MethodProfile> {
        entries::engine().profile(m)
    }

    fn counters(&self, m: MethodRef) -> Option<Counters> {
        entries::engine().counters(m)
    }

    fn array_of(&self, m: MethodRef, cp: u16) -> Option<ClassRef> {
        let a = class_at(m.class, cp)?.array_class.load(Ordering::Acquire);
        // SAFETY: null or a class.
        unsafe { a.as_ref() }
    }

    fn primitive_array(&self, ty: BasicType) -> Option<ClassRef> {
        Some(crate::arrays::primitive_array(ty))
    }

    fn array_class(&self, of: ClassRef) -> Option<ClassRef> {
        // SAFETY: null, or a class that lives as long as that of its elements.
        unsafe { of.array_class.load(Ordering::Acquire).as_ref() }
    }

    fn constant(&self, m: MethodRef, cp: u16) -> Option<ConstantAnswer> {
        let pool = m.class.info().constants();
        Some(match pool.get(cp)? {
            Constant::Integer(v) => ConstantAnswer::Prim(BasicType::Int, *v as u32 as u64),
            Constant::Float(v) => ConstantAnswer::Prim(BasicType::Float, *v as u64),
            Constant::Long(v) => ConstantAnswer::Prim(BasicType::Long, *v as u64),
            Constant::Double(v) => ConstantAnswer::Prim(BasicType::Double, *v),
            Constant::Class(_) => ConstantAnswer::Root(class_at(m.class, cp)?.mirror.slot() as usize),
            Constant::Dynamic { nat, .. } if !matches!(pool.name_and_type(*nat).desc.first(), Some(b'L' | b'[')) => {
                return None;
            }
            _ => {
                let e = resolve::entry(m.class, cp);
                match e.a.load(Ordering::Acquire) {
                    0 => return None,
                    NULL_CONSTANT => ConstantAnswer::Null,
                    _ => ConstantAnswer::Root(e.a.as_ptr() as usize),
                }
            }
        })
    }

    fn static_value(&self, f: &ResolvedField) -> Option<u64> {
        let class = f.class;
        // `System`'s streams are set by natives.
        let settled = f.is_static
            && f.is_final
            && class.is_initialized()
            && resolve::keeps_finals(class)
            && class.name.as_bytes() != b"java/lang/System";
        if settled && class.has_flag(flags::UNLOADABLE) {
            // These statics may move.
            return objects::word(&ObjectPath::new(self.statics_root(class)), f.offset, f.ty);
        }
        settled.then(|| Value::load(f.ty, class.statics.get(), f.offset as usize).slot())
    }

    fn object(&self, at: &ObjectPath) -> Option<KnownObject> {
        objects::object(at)
    }
    fn word(&self, at: &ObjectPath, offset: u32, ty: BasicType) -> Option<u64> {
        objects::word(at, offset, ty)
    }
    fn same_object(&self, a: &ObjectPath, b: &ObjectPath) -> Option<bool> {
        objects::same(a, b)
    }
    fn is_instance(&self, at: &ObjectPath, class: ClassRef) -> Option<bool> {
        objects::is_instance(at, class)
    }
    fn call_site(&self, at: &ObjectPath) -> Option<u32> {
        objects::call_site(at)
    }

    fn can_instantiate(&self, m: MethodRef, class: ClassRef) -> bool {
        class.is_instance_class() && !class.is_abstract() && !class.is_interface() && ready(m, class)
    }

    fn unique_target(&self, call: &CallAnswer) -> Option<(MethodRef, Dependency)> {
        hierarchy::unique_target(call)
    }

    fn target_in(&self, call: &CallAnswer, class: ClassRef) -> Option<MethodRef> {
        hierarchy::target_in(call.method, class)
    }

    fn layout(&self) -> VmLayout {
        VmLayout {
            class_table: concord_contract::layout::class_table() as usize,
            unlog_table: concord_contract::barrier::UNLOG_TABLE.load(Ordering::Relaxed),
            max_bump: concord_heap::alloc::MAX_SMALL,
            bump_at: concord_heap::alloc::bump_in_thread(),
            fenced_monitors: crate::sync::table().fenced(),
            quiet_exits: crate::sync::table().quiet_exits(),
            counting: concord_memory_model::policy::counting(),
            places: places(),
            guards_left: match options::get().flags.concord_zeal_guard {
                0 => 0,
                _ => std::ptr::from_ref(&concord_contract::compiled::GUARDS_LEFT) as usize,
            },
        }
    }
}
