//! Tags while a walk of the heap lasts.
//!
//! Invariant: a walk and its callbacks happen at one stop, where objects are known by their addresses; tags that
//! callbacks change are those of the walk, and of the environment when the world goes on.
use super::environment::Env;
use crate::env::InVm;
use concord_contract::Obj;
use concord_runtime::handles::{self, Handle};
use concord_runtime::sync;
use concord_safepoint::Stopped;
use std::collections::{HashMap, HashSet};

/// The tags of an environment at a stop.
pub struct Tagging {
    tags: HashMap<usize, i64>,
    changed: HashSet<usize>,
}

/// What callbacks have changed.
pub struct Changed(Vec<(Handle, i64)>);

impl Tagging {
    pub fn new(e: &Env, _stopped: &Stopped) -> Self {
        Tagging { tags: e.tags.lock().expect("tags").by_address(), changed: HashSet::new() }
    }
    /// 0 for an object without a tag.
    pub fn of(&self, o: Obj) -> i64 {
        self.tags.get(&o.addr()).copied().unwrap_or(0)
    }
    pub fn set(&mut self, o: Obj, tag: i64) {
        if self.of(o) != tag {
            self.tags.insert(o.addr(), tag);
            self.changed.insert(o.addr());
        }
    }
    /// What is to be set when the world goes on.
    pub fn end(self, stopped: &Stopped) -> Changed {
        let kept = self.changed.iter().map(|a| {
            // SAFETY: nothing has moved since the callback.
            let o = unsafe { Obj::from_addr(*a) };
            // It may be another thread's alone.
            concord_heap::publish_at_stop(stopped, o);
            (handles::new_global(o), self.tags.get(a).copied().unwrap_or(0))
        });
        Changed(kept.collect())
    }
}

impl Changed {
    /// Sets the tags.
    pub fn set(self, vm: &InVm<'_>, e: &Env) {
        for (h, tag) in self.0 {
            // SAFETY: a reference of this list, which ends here.
            unsafe {
                // Hashing may stop, and whoever begins a walk at a stop takes the table.
                let hash = sync::identity_hash(vm.th, handles::resolve(h));
                e.tags.lock().expect("tags").set(hash, handles::resolve(h), tag);
                handles::delete_global(h);
            }
        }
    }
}
