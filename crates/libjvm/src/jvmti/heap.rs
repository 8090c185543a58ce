//! Objects: tags, sizes, hashes, walks.
//!
//! Invariant: a tagged object is known by a weak reference; what is dead has no tag. A walk and its callbacks
//! happen at one stop.
use super::environment::Env;
use super::tagging::Tagging;
use super::values::{Values, bytes_of};
use super::{Answer, class_of, error, give, in_vm, values};
use crate::env::{InVm, Out, Ref};
use concord_contract::layout::object_size;
use concord_contract::{ClassRef, Obj};
use concord_runtime::handles::{self, Handle};
use concord_runtime::sync;
use std::collections::HashMap;
use std::ffi::c_void;

/// Tags by identity hash: weak reference and tag.
#[derive(Default)]
pub struct Tags(HashMap<u32, Vec<(usize, i64)>>);

impl Tags {
    fn get(&self, hash: u32, o: Obj) -> i64 {
        self.0.get(&hash).and_then(|row| row.iter().find(|(h, _)| is(*h, o))).map_or(0, |r| r.1)
    }
    /// The tags of the objects that live, by their present addresses; at a stop.
    pub fn by_address(&self) -> HashMap<usize, i64> {
        // SAFETY: as in `is`.
        let rows = self.0.values().flatten().map(|(h, t)| (unsafe { handles::resolve(*h as Handle) }.addr(), *t));
        rows.filter(|r| r.0 != 0).collect()
    }
    pub fn set(&mut self, hash: u32, o: Obj, tag: i64) {
        let row = self.0.entry(hash).or_default();
        row.retain(|(h, _)| {
            let keep = !is(*h, o) && !is(*h, Obj::NULL);
            if !keep {
                // SAFETY: a weak reference of this table, which forgets it now.
                unsafe { handles::delete_weak_global(*h as Handle) };
            }
            keep
        });
        if tag != 0 {
            row.push((handles::new_weak_global(o) as usize, tag));
        }
    }
}
/// Whether a weak reference names this object; null for one whose object is dead.
fn is(weak: usize, o: Obj) -> bool {
    // SAFETY: weak references of the table are deleted only with their row.
    unsafe { handles::resolve(weak as Handle) == o }
}

/// Takes the tags of objects that have died. The caller is in the VM, so that no collection comes between.
pub fn take_freed(e: &Env) -> Vec<i64> {
    let mut tags = e.tags.lock().expect("tags");
    let mut freed = Vec::new();
    tags.0.retain(|_, row| {
        row.retain(|(h, tag)| {
            let dead = is(*h, Obj::NULL);
            if dead {
                freed.push(*tag);
                // SAFETY: a weak reference of this table, which forgets it now.
                unsafe { handles::delete_weak_global(*h as Handle) };
            }
            !dead
        });
        !row.is_empty()
    });
    freed
}

fn object(r: Ref) -> Answer<Obj> {
    if r.get().is_null() { Err(error::INVALID_OBJECT) } else { Ok(r.get()) }
}
pub extern "C" fn hash(_e: &Env, o: Ref, out: Out<i32>) -> i32 {
    in_vm(|vm| {
        out.set(sync::identity_hash(vm.th, object(o)?) as i32);
        Ok(())
    })
}
/// Bytes of an object; of a class's mirror without its statics.
pub extern "C" fn size(_e: &Env, o: Ref, out: Out<i64>) -> i32 {
    in_vm(|_| {
        // SAFETY: a live object.
        out.set(unsafe { object_size(object(o)?.addr()) } as i64);
        Ok(())
    })
}
pub extern "C" fn get_tag(e: &Env, o: Ref, out: Out<i64>) -> i32 {
    in_vm(|vm| {
        let o = object(o)?;
        let h = sync::identity_hash(vm.th, o);
        out.set(e.tags.lock().expect("tags").get(h, o));
        Ok(())
    })
}
pub extern "C" fn set_tag(e: &Env, o: Ref, tag: i64) -> i32 {
    in_vm(|vm| {
        let o = object(o)?;
        let h = sync::identity_hash(vm.th, o);
        e.tags.lock().expect("tags").set(h, o, tag);
        Ok(())
    })
}
pub extern "C" fn set_sampling_interval(_e: &Env, bytes: i32) -> i32 {
    if bytes < 0 {
        return error::ILLEGAL_ARGUMENT;
    }
    concord_runtime::allocations::set_interval(bytes as u32);
    error::NONE
}
pub extern "C" fn collect(_e: &Env) -> i32 {
    in_vm(|vm| {
        concord_heap::system_gc(vm.th);
        Ok(())
    })
}
/// # Safety
/// `tags` has `n` elements.
pub unsafe extern "C" fn objects_with_tags(
    e: &Env,
    n: i32,
    tags: *const i64,
    count: Out<i32>,
    objects: Out<*mut Handle>,
    found: Out<*mut i64>,
) -> i32 {
    in_vm(|vm| {
        // SAFETY: by the caller's promise.
        let wanted = unsafe { std::slice::from_raw_parts(tags, n.max(0) as usize) };
        let all: Vec<(Handle, i64)> = {
            let table = e.tags.lock().expect("tags");
            let rows = table.0.values().flatten().filter(|(_, t)| wanted.contains(t));
            // SAFETY: as in `is`.
            rows.map(|(h, t)| (vm.local_obj(unsafe { handles::resolve(*h as Handle) }), *t))
                .filter(|(h, _)| !h.is_null())
                .collect()
        };
        let (hs, ts): (Vec<Handle>, Vec<i64>) = all.into_iter().unzip();
        super::give_array(found, &ts)?;
        give(count, objects, &hs)
    })
}

pub type IterationCallback = extern "C" fn(i64, i64, *mut i64, i32, *mut c_void) -> i32;
/// jvmtiHeapCallbacks without what is reserved.
#[repr(C)]
#[derive(Default)]
pub struct Callbacks {
    pub iteration: Option<IterationCallback>,
    pub reference: Option<super::follow::Callback>,
    pub field: Option<values::FieldCallback>,
    pub array: Option<values::ArrayCallback>,
    pub string: Option<values::StringCallback>,
}
pub const TAGGED: i32 = 4;
pub const UNTAGGED: i32 = 8;
pub const CLASS_TAGGED: i32 = 16;
pub const CLASS_UNTAGGED: i32 = 32;
/// What a callback answers to end a walk.
pub const ABORT: i32 = 0x8000;

/// The objects that hold the static fields of classes.
pub fn statics() -> std::collections::HashSet<usize> {
    let mut set = std::collections::HashSet::new();
    concord_runtime::loader::all_classes(&mut |c| {
        set.insert(c.statics.get().addr());
    });
    set
}
/// # Safety
/// `callbacks` is a record of callbacks.
pub unsafe extern "C" fn iterate(
    e: &Env,
    filter: i32,
    class: Ref,
    callbacks: *const Callbacks,
    data: *mut c_void,
) -> i32 {
    in_vm(|vm| {
        if callbacks.is_null() {
            return Err(error::NULL_POINTER);
        }
        // SAFETY: by the caller's promise.
        let callbacks = unsafe { &*callbacks };
        let class = if class.is_null() { None } else { Some(class_of(class)?) };
        walk(vm, e, filter, |c| class.is_none_or(|k| k == c), callbacks, data);
        Ok(())
    })
}

/// Tells of the objects of these classes that the filter does not leave out.
pub fn walk(
    vm: &InVm<'_>,
    e: &Env,
    filter: i32,
    is_wanted: impl Fn(ClassRef) -> bool,
    callbacks: &Callbacks,
    data: *mut c_void,
) {
    let changed = concord_safepoint::stop_the_world("IterateThroughHeap", |stopped| {
        let values = Values::new(callbacks, data);
        let aborted = callbacks.iteration.is_none() && !values.is_wanted();
        let mut walk =
            Iteration { f: callbacks.iteration, values, filter, data, tags: Tagging::new(e, stopped), aborted };
        let holders = statics();
        concord_heap::for_each_object(stopped, |o| {
            if !walk.aborted && is_wanted(o.class()) && !holders.contains(&o.addr()) {
                walk.tell(o);
            }
        });
        walk.tags.end(stopped)
    });
    changed.set(vm, e);
}

struct Iteration {
    f: Option<IterationCallback>,
    values: Values,
    filter: i32,
    data: *mut c_void,
    tags: Tagging,
    aborted: bool,
}

impl Iteration {
    fn tell(&mut self, o: Obj) {
        let (before, class_tag) = (self.tags.of(o), self.tags.of(o.class().mirror.get()));
        let excludes = |on: i32, off: i32, tag: i64| self.filter & (if tag != 0 { on } else { off }) != 0;
        if excludes(TAGGED, UNTAGGED, before) || excludes(CLASS_TAGGED, CLASS_UNTAGGED, class_tag) {
            return;
        }
        let mut tag = before;
        let length = if o.class().is_array() { o.array_len() as i32 } else { -1 };
        let bytes = bytes_of(o);
        let answer = self.f.map_or(0, |f| f(class_tag, bytes, &mut tag, length, self.data));
        self.aborted = answer & ABORT != 0
            || self.values.of(o).iter().any(|told| self.values.tell(told, class_tag, bytes, &mut tag));
        self.tags.set(o, tag);
    }
}
