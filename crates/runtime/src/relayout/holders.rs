//! Objects of the JDK that keep offsets of other classes' fields: handles, updaters, reflection's accessors.
//!
//! Invariant: whoever asks for an offset on behalf of one of these has its object corrected at a relayout
//! ([`FieldInfo::held_offset`]); everybody else pins the class ([`FieldInfo::pinned_offset`]). Between the asking and the keeping, and
//! between the reading and the access, an offset lies in frames of the JDK's methods that do this and nothing else; while a
//! thread is in one, nothing moves ([`in_flight`]). The holders are objects, and never values of compiled code
//! (`flags::KEEPS_OFFSETS`).
use crate::info::{ClassExt, FieldInfo};
use crate::methodhandles::member_name::IS_FIELD;
use crate::{known, loader, mirror};
use concord_base::Symbol;
use concord_contract::class::flags;
use concord_contract::frame::{frames, java_frames};
use concord_contract::method::acc;
use concord_contract::{Class, ClassRef, MethodRef, Obj, Thread};
use concord_safepoint::Stopped;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// Where the field of a relaid class is now, by the class whose objects it is in and its old offset.
pub(super) type Moved = HashMap<(*const Class, u32), u32>;

const MEMBER_NAME: &str = "java/lang/invoke/MemberName";
const ACCESSOR: &str = "java/lang/invoke/DirectMethodHandle$Accessor";
const REFLECTION: &str = "jdk/internal/reflect/UnsafeFieldAccessorImpl";
/// With `offset`, and the class in `tclass`.
const UPDATERS: [&str; 4] = [
    "java/util/concurrent/atomic/AtomicIntegerFieldUpdater$AtomicIntegerFieldUpdaterImpl",
    "java/util/concurrent/atomic/AtomicLongFieldUpdater$CASUpdater",
    "java/util/concurrent/atomic/AtomicLongFieldUpdater$LockedUpdater",
    "java/util/concurrent/atomic/AtomicReferenceFieldUpdater$AtomicReferenceFieldUpdaterImpl",
];
/// With `fieldOffset`, and the class in `receiverType`.
const VAR_HANDLES: [&str; 9] = [
    "java/lang/invoke/VarHandleBooleans$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleBytes$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleShorts$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleChars$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleInts$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleLongs$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleFloats$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleDoubles$FieldInstanceReadOnly",
    "java/lang/invoke/VarHandleReferences$FieldInstanceReadOnly",
];

/// Whether objects of the boot loader's class of this name keep offsets.
pub(crate) fn keep_offsets(name: &str) -> bool {
    name == MEMBER_NAME
        || name == ACCESSOR
        || name == REFLECTION
        || UPDATERS.contains(&name)
        || VAR_HANDLES.contains(&name)
}

/// How an object keeps an offset: an `int` or a `long`.
#[derive(Clone, Copy)]
enum Word {
    Int(usize),
    Long(usize),
}
/// From an object to the class whose objects the offset is for: through these fields to a java.lang.Class.
#[derive(Clone)]
struct Holder {
    class: ClassRef,
    offset: Word,
    path: Vec<usize>,
    /// The offset is one only if this says so: a MemberName may be of a method or of a static field.
    is_member: bool,
}

/// The kinds of holders whose classes are there.
fn kinds() -> Vec<Holder> {
    let o = known::offsets();
    let class = |name: &str| loader::find_loaded(Symbol::from(name), loader::boot());
    let field = |c: ClassRef, name: &str, descriptor: &str| {
        let f = c.find_field(Symbol::from(name), Symbol::from(descriptor));
        match f {
            Some(f) => f.offset() as usize,
            None => concord_base::bug!("{} has no field {name}", c.name),
        }
    };
    let mut all = Vec::new();
    let mut add = |class, offset, path, is_member| all.push(Holder { class, offset, path, is_member });
    if let Some(c) = class(MEMBER_NAME) {
        add(c, Word::Long(o.mn_vmindex), vec![o.mn_clazz], true);
    }
    if let Some(c) = class(ACCESSOR) {
        add(c, Word::Int(field(c, "fieldOffset", "I")), vec![o.dmh_member, o.mn_clazz], false);
    }
    if let Some(c) = class(REFLECTION) {
        let path = vec![field(c, "field", "Ljava/lang/reflect/Field;"), o.field_clazz];
        add(c, Word::Long(field(c, "fieldOffset", "J")), path, false);
    }
    for c in UPDATERS.into_iter().filter_map(class) {
        add(c, Word::Long(field(c, "offset", "J")), vec![field(c, "tclass", "Ljava/lang/Class;")], false);
    }
    for c in VAR_HANDLES.into_iter().filter_map(class) {
        add(c, Word::Long(field(c, "fieldOffset", "J")), vec![field(c, "receiverType", "Ljava/lang/Class;")], false);
    }
    all
}

impl Holder {
    /// The class of the offset in `o`; None while `o` is being made, and if it keeps none.
    fn class_of(&self, o: Obj) -> Option<ClassRef> {
        if self.is_member {
            let bits = o.get_u32(known::offsets().mn_flags);
            if bits & IS_FIELD == 0 || bits & acc::STATIC != 0 {
                return None;
            }
        }
        let mut at = o;
        for step in &self.path {
            at = at.get_ref(*step);
            if at.is_null() {
                return None;
            }
        }
        Some(mirror::class_of(at))
    }
    fn correct(&self, o: Obj, moved: &Moved) -> bool {
        let Some(class) = self.class_of(o) else { return false };
        let old = match self.offset {
            Word::Int(at) => o.get_u32(at),
            // Reflection's accessors of static fields have the mark of those, which is none of 32 bits, and stay.
            Word::Long(at) => match u32::try_from(o.get_u64(at)) {
                Ok(offset) => offset,
                Err(_) => return false,
            },
        };
        let Some(new) = moved.get(&(std::ptr::from_ref(class), old)) else { return false };
        match self.offset {
            Word::Int(at) => o.put_u32(at, *new),
            Word::Long(at) => o.put_u64(at, u64::from(*new)),
        }
        true
    }
}

/// Corrects all objects that keep an offset of a field that has moved; how many.
pub(super) fn correct(stopped: &Stopped, moved: &Moved) -> usize {
    let kinds = kinds();
    // By layout id: whether it was looked up, and what came of it.
    let mut known: Vec<Option<Option<usize>>> = Vec::new();
    let mut corrected = 0;
    concord_heap::walk::for_each_object(stopped, |o| {
        let id = o.layout_id() as usize;
        if id >= known.len() {
            known.resize((id + 1).next_power_of_two(), None);
        }
        let look_up = || kinds.iter().position(|k| o.class().is_subclass_of(k.class));
        if let Some(k) = *known[id].get_or_insert_with(look_up) {
            corrected += usize::from(kinds[k].correct(o, moved));
        }
    });
    corrected
}

/// Whether some thread may have an offset in a frame.
pub(super) fn in_flight(stopped: &Stopped) -> bool {
    stopped.threads().any(|th| {
        let mut called = Called::Nobody;
        frames(th).any(|f| {
            let Some(m) = f.method() else {
                // Whoever runs Java code on top of these frames, a debugger for one, has stopped them anywhere.
                called = Called::Nobody;
                return false;
            };
            let has = match dealing(m) {
                Dealing::Never => false,
                Dealing::Always => true,
                Dealing::UnlessItCalls => called != Called::Program,
            };
            called = if m.class.has_flag(flags::BOOT) || m.class.is_hidden() { Called::Jdk } else { Called::Program };
            has
        })
    })
}

/// What a frame is calling.
#[derive(PartialEq)]
enum Called {
    Nobody,
    Jdk,
    Program,
}

/// When a frame of a method may have an offset.
enum Dealing {
    Never,
    Always,
    /// The forms of method handles: those of fields call no code of the program, and all others may be there for long.
    UnlessItCalls,
}

fn dealing(m: MethodRef) -> Dealing {
    let name = m.class.name.as_str();
    if let Some(unsafe_method) =
        matches!(&*name, "jdk/internal/misc/Unsafe" | "sun/misc/Unsafe").then(|| m.name.as_str())
    {
        // Threads that wait are there for long.
        return if matches!(&*unsafe_method, "park" | "unpark") { Dealing::Never } else { Dealing::Always };
    }
    if let Some(c) = name.strip_prefix("java/lang/invoke/") {
        let deals = ["VarHandle", "DirectMethodHandle", "MemberName", "MethodHandleNatives", "MethodHandles$Lookup"];
        return match deals.iter().any(|d| c.starts_with(d)) {
            true => Dealing::Always,
            false => Dealing::UnlessItCalls,
        };
    }
    let reflects = name.starts_with("jdk/internal/reflect/") && name.contains("FieldAccessor");
    if reflects || UPDATERS.contains(&&*name) { Dealing::Always } else { Dealing::Never }
}

/// The offset that Java code asks for: held if the code is that of a holder that keeps it, else pinned.
pub fn asked(th: &Thread, f: &FieldInfo) -> u32 {
    let mut callers = java_frames(th).map(|x| x.0.class).filter(|c| c.name.as_bytes() != b"jdk/internal/misc/Unsafe");
    let holds =
        |c: ClassRef| c.has_flag(flags::BOOT) && (UPDATERS.iter().any(|u| c.name == *u) || c.name == REFLECTION);
    match callers.next() {
        Some(c) if !f.is_static() && holds(c) => f.held_offset(),
        _ => f.pinned_offset(),
    }
}

/// Whether a holder may keep offsets of the class's fields.
pub(super) fn are_of(class: ClassRef) -> bool {
    class.flags.load(Relaxed) & flags::OFFSETS_HELD != 0
}
