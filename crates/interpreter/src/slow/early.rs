//! Statics of a class whose initializer runs, for the thread that runs it: whole programs run there, and no instruction
//! that names the class can be quickened yet.
//!
//! Invariant: what is remembered is a resolution of the instruction at `pc`, made since code last changed ([`forget`]);
//! only the thread that initializes the field's class uses it, and that class cannot go meanwhile.
use super::Activation;
use concord_contract::Thread;
use concord_contract::class::Class;
use concord_contract::entries::ResolvedField;
use concord_contract::method::{CallKind, CallSite, MethodRef};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

const PLACES: usize = 64;

#[derive(Clone, Copy)]
struct Place {
    pc: usize,
    age: u64,
    field: Option<ResolvedField>,
}

thread_local! {
    /// By the instruction's address.
    static KNOWN: [Cell<Place>; PLACES] = const { [const { Cell::new(Place { pc: 0, age: 0, field: None }) }; PLACES] };
}

/// How often code has changed its meaning or its place.
static AGE: AtomicU64 = AtomicU64::new(0);

/// Methods are redefined or unloaded: called at a stop.
pub fn forget() {
    AGE.fetch_add(1, Ordering::Release);
}

/// Whether `th` runs the initializer of `class` now.
fn initializes(th: &Thread, class: &Class) -> bool {
    std::ptr::eq(class.init_thread.load(Ordering::Relaxed), th)
}

fn place(pc: usize) -> usize {
    pc / size_of::<u32>() % PLACES
}

/// The static field of the current instruction.
pub(super) fn field(f: &Activation) -> Option<ResolvedField> {
    let pc = f.0.pc.get() as usize;
    let p = KNOWN.with(|all| all[place(pc)].get());
    let same = p.pc == pc && p.age == AGE.load(Ordering::Acquire);
    p.field.filter(|r| same && initializes(f.0, r.class))
}

/// Remembers the static field of the current instruction.
pub(super) fn note(f: &Activation, r: &ResolvedField) {
    let pc = f.0.pc.get() as usize;
    KNOWN.with(|all| all[place(pc)].set(Place { pc, age: AGE.load(Ordering::Acquire), field: Some(*r) }));
}

/// The method that the invokestatic of constant `cp` calls.
pub(super) fn target(f: &Activation, cp: u16) -> Option<MethodRef> {
    // SAFETY: the entry of a method is 0 or holds a record, which lives as long as the entry.
    let site = unsafe { (f.entry(cp).a.load(Ordering::Acquire) as *const CallSite).as_ref() }?;
    (site.kind == CallKind::Static && initializes(f.0, site.method.class)).then_some(site.method)
}
