//! New places for the fields of a class while the program runs (REMIX, PLDI 2016, sections 3.4 and 3.5).
//!
//! Invariant: at every moment in which Java code can run, a class and its subclasses have one layout, which all their objects
//! have; words of translated code, compiled code and the tables here give the offsets of that one. So everything happens in
//! one stop, and is refused as a whole before anything has changed.
//!
//! What is refused, for good: classes of the boot loader, of which the VM itself knows fields; classes that can be unloaded;
//! classes of which the program keeps offsets ([`FieldInfo::pinned_offset`]), or that were redefined. For now: classes that a
//! native frame of some thread has an object of, those with an offset in a frame of a handle's or updater's code, and any,
//! while a class is being defined.
//!
//! What knows where fields are, and what becomes of it:
//! | | |
//! |---|---|
//! | `FieldInfo`, `ClassInfo::fields_end`, layout ids, the statics object | changed here |
//! | objects, references to them | `heap::relayout` |
//! | quickened words, profiles | `Engine::relaid` |
//! | compiled code, what it keeps of virtual objects | `Tiers::relaid` |
//! | ids of fields (JNI), tools that look at stops | ask the `FieldInfo` each time |
//! | `VarHandle`s, method handles, field updaters, reflection | corrected ([`holders`]); all compiled code goes then |
//! | a slow path in Rust that has read an offset | has the object in its frame, too, if it may stop: refused |
pub mod holders;

use crate::arrays::primitive_array;
use crate::define::layouts;
use crate::fields::{self, Places};
use crate::info::{ClassExt, FieldInfo};
use crate::{init, loader, names, threads};
use concord_contract::class::flags;
use concord_contract::entries::{engine, tiers};
use concord_contract::{BasicType, Class, ClassRef, layout};
use concord_heap::relayout::{self as heap, Moves, Refusal};
use concord_safepoint::Stopped;
use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Classes that have another layout now.
    pub classes: usize,
    /// Objects that were moved.
    pub objects: usize,
}

/// Why nothing was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It may be possible another time.
    Now(String),
    Always(String),
}

type Answer = Result<Done, Refused>;

/// Keeps these instance fields of `class`, which declares them, and no others of its own, apart in all its objects, those of
/// subclasses too; `padded`: all its fields from what lies around them. `begins` is told in the stop, before anything moves.
/// Called by a thread that is none of Java's.
///
/// # Errors
/// Nothing has changed.
pub fn instances(class: ClassRef, apart: &[&'static FieldInfo], padded: bool, begins: &dyn Fn()) -> Answer {
    refuse_for_good(class, flags::OFFSETS_OUT)?;
    at_stop(|stopped| {
        let tree = subtree(class);
        tree.iter().try_for_each(|c| refuse_for_good(c, flags::OFFSETS_OUT))?;
        let held = tree.iter().any(|c| holders::are_of(c));
        if held && holders::in_flight(stopped) {
            return Err(Refused::Now("some thread is in the code of a handle or an updater of fields".into()));
        }
        begins();
        let mut plan = Plan::default();
        for c in tree.iter().copied() {
            match c == class {
                true => plan.add(c, |f| has(apart, f), padded),
                false => plan.add(c, FieldInfo::is_apart, c.info().padded.load(Relaxed)),
            }
        }
        let objects = heap::instances(stopped, &plan.moves).map_err(|r| {
            let ids: Vec<u32> = plan.moves.iter().map(|m| m.to).collect();
            // SAFETY: ids made above, which nobody else has seen.
            unsafe { layout::release_ids(&ids) };
            refused(r)
        })?;
        plan.settle(stopped, held);
        keep_apart(class, apart, false);
        class.info().padded.store(padded, Relaxed);
        Ok(Done { classes: tree.len(), objects })
    })
}

/// Keeps these static fields of `class`, and no others, apart. As [`instances`].
///
/// # Errors
/// Nothing has changed.
pub fn statics(class: ClassRef, apart: &[&'static FieldInfo], begins: &dyn Fn()) -> Answer {
    refuse_for_good(class, flags::STATICS_OUT)?;
    at_stop(|stopped| {
        refuse_for_good(class, flags::STATICS_OUT)?;
        let old = class.statics.get();
        if !class.is_initialized() || old.is_null() {
            return Err(Refused::Now("it is being initialized".into()));
        }
        begins();
        let all = class.declared_fields();
        let places = fields::of_statics(all, |f| has(apart, f));
        let placed = all.iter().zip(&places.offsets);
        let moves = Moves {
            from: old.layout_id(),
            to: init::statics_id(class, &places),
            fields: placed.filter_map(|(f, at)| at.map(|at| (f.offset(), at, size(f)))).collect(),
        };
        let new = heap::statics(stopped, old, &moves).map_err(|r| {
            // SAFETY: made above, and nobody else has seen it.
            unsafe { layout::release_ids(&[moves.to]) };
            refused(r)
        })?;
        class.statics.set(new);
        class.info().statics_layout.store(moves.to, Relaxed);
        places.give(all);
        keep_apart(class, apart, true);
        engine().relaid(&[]);
        if let Some(t) = tiers() {
            t.relaid(Some(&[class]), &|_, offset| offset);
        }
        Ok(Done { classes: 1, objects: 1 })
    })
}

fn has(some: &[&'static FieldInfo], f: &FieldInfo) -> bool {
    some.iter().any(|s| std::ptr::eq(*s, f))
}

/// Says of the instance fields of the class, or of the static ones, which are apart.
fn keep_apart(class: ClassRef, apart: &[&'static FieldInfo], statics: bool) {
    for f in class.declared_fields().iter().filter(|f| f.is_static() == statics) {
        f.apart.store(has(apart, f), Relaxed);
    }
}

fn size(f: &FieldInfo) -> u32 {
    1 << f.ty.heap_shift()
}

fn refused(r: Refusal) -> Refused {
    match r {
        Refusal::Pinned(id) => {
            let class = names::external(layout::class_of(id));
            Refused::Now(format!("native code of some thread has an object of {class}"))
        }
        Refusal::Unfit(id) => {
            let class = names::external(layout::class_of(id));
            Refused::Always(format!("objects of {class} are too small to be left behind, or would become too large"))
        }
        Refusal::NoMemory => Refused::Now("there is too little memory".into()),
        Refusal::NotNow => Refused::Now("the heap cannot be collected".into()),
    }
}

/// Runs `f` in a stop in which nobody compiles and no class is being defined.
fn at_stop(f: impl FnOnce(&Stopped) -> Answer) -> Answer {
    heap::set_filler(primitive_array(BasicType::Byte));
    let done = heap::at_stop(|stopped| {
        if stopped.threads().any(|t| threads::info(t).defining.load(Relaxed) != 0) {
            return Err(Refused::Now("a class is being defined".into()));
        }
        let mut f = Some(f);
        let mut answer = None;
        let mut once = || answer = f.take().map(|f| f(stopped));
        match tiers() {
            Some(t) => t.while_none_compiles(&mut once),
            None => once(),
        }
        match answer {
            Some(a) => a,
            None => concord_base::bug!("a stop without what it was for"),
        }
    });
    done.unwrap_or_else(|| Err(refused(Refusal::NotNow)))
}

/// Whether the class's fields stay where they are; `out` is the flag of those who keep offsets of them.
fn refuse_for_good(class: ClassRef, out: u32) -> Result<(), Refused> {
    let why = [
        (flags::BOOT, "is one of the JDK's own"),
        (flags::UNLOADABLE | flags::HIDDEN, "can be unloaded"),
        (out, "has fields whose offsets the program keeps, or was redefined"),
    ];
    match why.iter().find(|(bits, _)| class.flags.load(Relaxed) & bits != 0) {
        Some((_, why)) => Err(Refused::Always(format!("{} {why}", names::external(class)))),
        None => Ok(()),
    }
}

/// The class and all below it, supers first.
fn subtree(class: ClassRef) -> Vec<ClassRef> {
    let mut all = Vec::new();
    loader::all_classes(&mut |c| {
        if c.is_instance_class() && c.is_subclass_of(class) {
            all.push(c);
        }
    });
    all.sort_by_key(|c| c.depth);
    all
}

/// New layouts of some classes.
#[derive(Default)]
struct Plan {
    /// By the address of the field.
    offsets: HashMap<*const FieldInfo, u32>,
    classes: Vec<(ClassRef, Places)>,
    moves: Vec<Moves>,
}

impl Plan {
    /// Where a field will be.
    fn offset(&self, f: &FieldInfo) -> u32 {
        self.offsets.get(&std::ptr::from_ref(f)).copied().unwrap_or_else(|| f.offset())
    }
    /// Plans the next class, all of whose supers have been planned that will be.
    fn add(&mut self, class: ClassRef, apart: impl Fn(&FieldInfo) -> bool, padded: bool) {
        let (all, info) = (class.declared_fields(), class.info());
        let Some(above) = class.super_class else { concord_base::bug!("a new layout of Object") };
        let planned = self.classes.iter().find(|(c, _)| *c == above).map(|(_, p)| p.end);
        let start = planned.unwrap_or_else(|| above.info().fields_end.load(Relaxed));
        let places = fields::of_instances(all, &info.file.fields, apart, padded, start);
        for (f, at) in all.iter().zip(&places.offsets) {
            self.offsets.extend(at.map(|at| (std::ptr::from_ref(f), at)));
        }
        let to = layouts::new_id(class, places.end, |f| self.offset(f));
        let chain = std::iter::successors(Some(class), |c| c.super_class).flat_map(|c| c.declared_fields());
        let fields = chain.filter(|f| !f.is_static()).map(|f| (f.offset(), self.offset(f), size(f)));
        self.moves.push(Moves { from: class.layout_id.load(Relaxed), to, fields: fields.collect() });
        self.classes.push((class, places));
    }
    /// The objects have been moved: so it is from now on. Offsets of these classes may be `held`.
    fn settle(&self, stopped: &Stopped, held: bool) {
        let mut moved = holders::Moved::new();
        for ((class, _), m) in self.classes.iter().zip(&self.moves) {
            moved.extend(m.fields.iter().map(|(from, to, _)| ((std::ptr::from_ref::<Class>(class), *from), *to)));
        }
        for ((class, places), m) in self.classes.iter().zip(&self.moves) {
            places.give(class.declared_fields());
            class.info().fields_end.store(places.end, Relaxed);
            layouts::give(class, m.to);
            concord_base::vm_log!(Layout, Info, "{}", layouts::describe_layout(class));
        }
        let ids: Vec<(u32, u32)> = self.moves.iter().map(|m| (m.from, m.to)).collect();
        let old: Vec<u32> = self.moves.iter().map(|m| m.from).collect();
        concord_heap::births::forget(&old);
        engine().relaid(&ids);
        let corrected = held && holders::correct(stopped, &moved) > 0;
        if let Some(t) = tiers() {
            let classes: Vec<ClassRef> = self.classes.iter().map(|c| c.0).collect();
            // What compiled code knows of a final field of a handle it knows for good: all of it goes then.
            t.relaid((!corrected).then_some(&classes[..]), &|class, offset| {
                moved.get(&(std::ptr::from_ref(class), offset)).copied().unwrap_or(offset)
            });
        }
    }
}
