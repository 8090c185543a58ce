//! Targets of call sites, as compiled code may know them.
//!
//! Invariant: a site's number stands for the site and its present target. Whoever changes the target of a site that has a number
//! takes the number away, at the stop at which code that depends on it is closed: who looks while no stop can begin and finds
//! the number finds the target that it stands for. A site without number has no such code, and none can come while its target
//! is stored, for a lock orders that with the giving of numbers. A clone of a site shares its number until one of them changes.
use crate::{handles, known};
use concord_base::vm_log;
use concord_contract::entries::tiers;
use concord_contract::{Obj, Thread};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};

/// Code does not depend on a target that has changed so often under code that did: each time costs a stop and a compilation.
const MOST_CHANGES: u32 = 32;

#[derive(Default)]
struct Numbers {
    last: u32,
    /// Numbers that stand for nothing any more: code that depends on them may be under way.
    ended: HashSet<u32>,
}
static NUMBERS: Mutex<Option<Numbers>> = Mutex::new(None);

/// Not held where a stop may begin: a compiler that waits for it keeps stops from beginning.
fn numbers() -> MutexGuard<'static, Option<Numbers>> {
    NUMBERS.lock().expect("numbers of call sites")
}

/// The number of a site, which gets one if it has none; None if its target changes too often, or is not there yet, or the
/// object is no site. For a compiler, while no stop can begin.
pub fn number(site: Obj) -> Option<u32> {
    let o = known::offsets();
    // Code that is never reached may take anything for a site.
    let is_site = site.is_instance_of(known::classes().call_site);
    if !is_site || site.get_ref(o.cs_target).is_null() || site.get_u32(o.cs_changes) >= MOST_CHANGES {
        return None;
    }
    let mut guard = numbers();
    let all = guard.get_or_insert_default();
    match site.get_u32(o.cs_number) {
        // A clone has the number of what it was made of; either may have lost it meanwhile.
        n if n == 0 || all.ended.contains(&n) => {
            all.last = all.last.checked_add(1)?;
            site.put_u32(o.cs_number, all.last);
            Some(all.last)
        }
        n => Some(n),
    }
}

/// Whether the object, which had a number once, has this one.
pub fn has_number(site: Obj, number: u32) -> bool {
    site.get_u32(known::offsets().cs_number) == number
}

/// Whether the number still stands for a site and its target.
pub fn stands(number: u32) -> bool {
    !numbers().as_ref().is_some_and(|all| all.ended.contains(&number))
}

/// Gives a site another target, with volatile semantics. Stops the world if compiled code may depend on the old one.
pub fn set_target(th: &Thread, site: Obj, target: Obj) {
    let scope = handles::Scope::new(th);
    let (site, target) = (scope.handle(site), scope.handle(target));
    // Now, for it may take a stop.
    concord_heap::publish::publish_value(th, site.get(), target.get());
    if !set_without_number(site.get(), target.get()) {
        concord_safepoint::stop_the_world("SetCallSiteTarget", |_| change(site.get(), target.get()));
    }
    concord_memory_model::emit::after_field_store(true);
}

fn set_without_number(site: Obj, target: Obj) -> bool {
    let o = known::offsets();
    let guard = numbers();
    let has_none = site.get_u32(o.cs_number) == 0;
    if has_none {
        concord_heap::store_ref(site, o.cs_target, target);
    }
    drop(guard);
    has_none
}

/// At a stop.
fn change(site: Obj, target: Obj) {
    let o = known::offsets();
    let number = site.get_u32(o.cs_number);
    concord_heap::store_ref(site, o.cs_target, target);
    // Another may have changed it since it was looked at.
    if number != 0 {
        site.put_u32(o.cs_number, 0);
        site.put_u32(o.cs_changes, site.get_u32(o.cs_changes) + 1);
        numbers().get_or_insert_default().ended.insert(number);
        vm_log!(Deopt, Debug, "call site {number} has another target");
        if let Some(t) = tiers() {
            t.target_changed(number);
        }
    }
}
