//! Resolution of fields (JVMS 5.4.3.2) and of the instructions that use them.
//!
//! Invariant: an answer is of a field that the instruction may use: found, accessible, static or not
//! as the instruction wants it, not final to others, of one type to both loaders, its class initialized or linked.
use super::{access, class_at, current, entry};
use crate::info::{ClassExt, FieldInfo};
use crate::{constraints, exceptions, init, names};
use concord_base::Symbol;
use concord_contract::class::flags;
use concord_contract::entries::ResolvedField;
use concord_contract::method::mflags;
use concord_contract::{ClassRef, JResult, MethodRef, Thread};
use std::sync::atomic::Ordering;

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
    if !access::member_accessible(th, from, f.class, named, f.flags)? {
        return exceptions::throw(
            th,
            "java/lang/IllegalAccessError",
            &format!(
                "class {} tried to access {}field {}.{} ({})",
                names::external(from),
                access::access_word(f.flags),
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
        offset: f.offset(),
        ty: f.ty,
        is_bytes: f.descriptor.as_bytes() == b"[B",
        is_static: f.is_static(),
        is_volatile: f.is_volatile(),
        is_final: f.is_final(),
        is_constant: f.is_final() && !f.is_static() && has_lasting_finals(f.class) && !is_target(f),
        is_stable: f.flags & crate::info::FIELD_STABLE != 0 && !is_rewritten(f),
        is_target: is_target(f),
        relaxed: relaxed(m, f),
    }
}

/// Class file version from which a final field is written by initializers only (JVMS 6.5.putstatic, 6.5.putfield).
const FINALS_ARE_FINAL: u16 = 53;

/// Whether only initializers of the class write its final fields. In old class files any of its methods may; forms of method
/// handles are old, and have none that does.
pub fn keeps_finals(class: ClassRef) -> bool {
    class.info().file.major >= FINALS_ARE_FINAL || class.has_flag(flags::HIDDEN) && class.has_flag(flags::BOOT)
}

/// Whether nothing but constructors writes the final instance fields of the class: HotSpot trusts those of the same classes.
fn has_lasting_finals(class: ClassRef) -> bool {
    const PACKAGES: [&[u8]; 3] = [b"java/lang/invoke/", b"jdk/internal/foreign/", b"jdk/incubator/foreign/"];
    const UPDATERS: [&[u8]; 4] = [
        b"java/util/concurrent/atomic/AtomicIntegerFieldUpdater$AtomicIntegerFieldUpdaterImpl",
        b"java/util/concurrent/atomic/AtomicLongFieldUpdater$CASUpdater",
        b"java/util/concurrent/atomic/AtomicLongFieldUpdater$LockedUpdater",
        b"java/util/concurrent/atomic/AtomicReferenceFieldUpdater$AtomicReferenceFieldUpdaterImpl",
    ];
    let name = class.name.as_bytes();
    class.is_hidden() && keeps_finals(class)
        || class.info().file.record.is_some()
        || class.has_flag(flags::BOOT) && (PACKAGES.iter().any(|p| name.starts_with(p)) || UPDATERS.contains(&name))
}

/// Whether the field is `CallSite.target`, which natives write.
fn is_target(f: &FieldInfo) -> bool {
    f.class.name.as_bytes() == b"java/lang/invoke/CallSite" && f.name.as_bytes() == b"target"
}

/// Whether the field is said to be stable and is written again nevertheless: by a collector of another number of arguments.
fn is_rewritten(f: &FieldInfo) -> bool {
    f.name.as_bytes() == b"asCollectorCache"
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
