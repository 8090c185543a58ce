//! New versions of loaded classes: method bodies and attributes, nothing else (JVMTI RedefineClasses).
//!
//! Invariant: a [`Method`] keeps its address for ever, so call sites, tables, handles and ids stay
//! valid; its body is replaced while the world is stopped. A frame that runs the old body goes on with it:
//! its header then names an *old method*, a copy made at the stop, whose class is an *old class*, a
//! copy with the old constant pool and cache. Both are never freed.
//!
//! ```text
//!   call site, vtable ... -> Method --class--> Class --info--> new file, new cache
//!   old frame ------------> copy ----class--> copy ---info--> old file, old cache, version_of = Class
//! ```
//!
//! [`check`] says what may change, [`replace`] does it, [`old`] has the versions that still run, [`same`] tells
//! whether such a version differs from the new one at all.
mod check;
mod old;
mod replace;
mod same;

pub use old::{current, equal_versions};

use crate::info::ClassExt;
use crate::stackwalk;
use concord_classfile as cf;
use concord_contract::entries::tiers;
use concord_contract::frame::{Frame, frames};
use concord_contract::thread::poll;
use concord_contract::{ClassRef, MethodRef, Thread};
use concord_safepoint::Stopped;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long a redefinition waits for threads that resolve constants of an old version: what they have looked up is
/// in their hands.
const PATIENCE: Duration = Duration::from_secs(3);

/// Why a redefinition is refused; the values are the tool interface's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Refusal {
    /// Its initialization has failed.
    InvalidClass = 21,
    InvalidClassFormat = 60,
    CircularClassDefinition = 61,
    FailsVerification = 62,
    MethodAdded = 63,
    SchemaChanged = 64,
    HierarchyChanged = 66,
    MethodDeleted = 67,
    UnsupportedVersion = 68,
    NamesDontMatch = 69,
    ClassModifiersChanged = 70,
    MethodModifiersChanged = 71,
    ClassAttributeChanged = 72,
    Unmodifiable = 79,
    OutOfMemory = 110,
    Internal = 113,
}

/// One class to change.
pub struct Change {
    pub class: ClassRef,
    pub bytes: &'static [u8],
    /// What agents that are asked again will start from, if it is not `bytes`.
    pub original: Option<&'static [u8]>,
}

/// Whether a class can be redefined at all.
pub fn is_modifiable(class: ClassRef) -> bool {
    class.is_instance_class() && !class.is_hidden()
}

/// One redefinition at a time.
static ONE: Mutex<()> = Mutex::new(());

type File = &'static cf::ClassFile<'static>;

/// Replaces the bodies of all classes at once, or of none; `at_stop` is told of each class while the world is stopped.
///
/// # Errors
/// The first refusal.
pub fn redefine(th: &Thread, changes: &[Change], at_stop: &dyn Fn(ClassRef)) -> Result<(), Refusal> {
    let mut ready = Vec::with_capacity(changes.len());
    for c in changes {
        if !is_modifiable(c.class) {
            return Err(Refusal::Unmodifiable);
        }
        ready.push((c, check::check(th, c)?));
    }
    let _one = crate::blocking(th, || ONE.lock().expect("redefinition"));
    // A thread in the middle of resolving a constant of an old version is given time to finish.
    let begun = std::time::Instant::now();
    while begun.elapsed() < PATIENCE {
        let classes: Vec<ClassRef> = changes.iter().map(|c| c.class).collect();
        let busy = concord_safepoint::stop_the_world("RedefineClasses", |stopped| {
            if is_resolving(stopped, th, &classes) {
                return true;
            }
            replace_all(stopped, &ready, at_stop);
            false
        });
        if !busy {
            return Ok(());
        }
        crate::blocking(th, || std::thread::sleep(Duration::from_millis(1)));
    }
    concord_safepoint::stop_the_world("RedefineClasses", |stopped| replace_all(stopped, &ready, at_stop));
    Ok(())
}

/// Whether another thread resolves a constant for an instruction of one of the classes, in the VM or by Java code.
fn is_resolving(stopped: &Stopped, me: &Thread, classes: &[ClassRef]) -> bool {
    stopped.threads().filter(|t| !std::ptr::eq(*t, me)).any(|t| {
        // A debugger stops threads before their instructions, and waits for us.
        let suspended = t.poll.load(Ordering::Acquire) & poll::SUSPEND != 0;
        let mut inner_is_entry = false;
        for (i, f) in frames(t).enumerate() {
            if let Some(m) = f.method()
                && !m.bytecode.is_empty()
                && classes.contains(&m.class)
                && (inner_is_entry || i == 0 && !suspended && may_resolve(m, &f))
            {
                return true;
            }
            inner_is_entry = f.is_entry();
        }
        false
    })
}

/// Whether the innermost frame is at an instruction that may be resolving its constant, in the VM.
fn may_resolve(m: MethodRef, f: &Frame) -> bool {
    let opcode = m.bytecode[stackwalk::bci_of(m, f) as usize];
    !f.is_compiled() && matches!(opcode, 18..=20 | 178..=187 | 189 | 192 | 193 | 197)
}

/// Replaces bodies; the world is stopped, and compilers, which are not, are shut out until all of it
/// is done.
fn replace_all(stopped: &Stopped, ready: &[(&Change, File)], at_stop: &dyn Fn(ClassRef)) {
    let mut all = || {
        let gone: Vec<MethodRef> = ready.iter().flat_map(|(c, file)| replace::replace(stopped, c, file)).collect();
        if !gone.is_empty() {
            replace::break_handles(stopped, &gone);
        }
        ready.iter().for_each(|(c, _)| at_stop(c.class));
    };
    match tiers() {
        Some(t) => t.while_none_compiles(&mut all),
        None => all(),
    }
}
