//! FollowReferences: who refers to whom, from the roots or from one object on.
//!
//! Invariant: the walk and its callbacks happen at one stop, so the picture is of one moment; callbacks may use what the
//! specification calls callback safe.
//!
//! Roots on stacks are `stack_roots`, primitive values are `values`.
use super::environment::Env;
use super::heap::{self, ABORT, CLASS_TAGGED, CLASS_UNTAGGED, Callbacks, TAGGED, UNTAGGED};
use super::stack_roots::{self, Found, named};
use super::tagging::Tagging;
use super::values::{Values, bytes_of, index, numbered};
use super::{class_of, error, in_vm};
use crate::env::{InVm, MethodId, Ref};
use concord_classfile::Constant;
use concord_contract::class::ClassState;
use concord_contract::method::NULL_CONSTANT;
use concord_contract::{BasicType, ClassRef, Obj, Thread};
use concord_heap::RootProvider;
use concord_runtime::handles;
use concord_runtime::info::ClassExt;
use concord_runtime::{known, loader, mirror, resolve, roots};
use concord_safepoint::Stopped;
use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::sync::atomic::Ordering;

/// Kinds of references by the specification's numbers.
pub mod kind {
    pub const CLASS: i32 = 1;
    pub const FIELD: i32 = 2;
    pub const ELEMENT: i32 = 3;
    pub const LOADER: i32 = 4;
    pub const DOMAIN: i32 = 6;
    pub const INTERFACE: i32 = 7;
    pub const STATIC: i32 = 8;
    pub const CONSTANT: i32 = 9;
    pub const SUPERCLASS: i32 = 10;
    pub const JNI_GLOBAL: i32 = 21;
    pub const SYSTEM_CLASS: i32 = 22;
    pub const MONITOR: i32 = 23;
    pub const STACK: i32 = 24;
    pub const JNI_LOCAL: i32 = 25;
    pub const THREAD: i32 = 26;
    pub const OTHER: i32 = 27;
}
/// What a callback answers to have an object followed.
pub const VISIT: i32 = 0x100;

/// jvmtiHeapReferenceInfo: an index, or what is known of a thread.
pub type Info = [u64; 8];
/// The reference callback's type.
pub type Callback = extern "C" fn(i32, *const Info, i64, i64, i64, *mut i64, *mut i64, i32, *mut c_void) -> i32;

struct Walk {
    callback: Option<Callback>,
    values: Values,
    filter: i32,
    class: Option<ClassRef>,
    data: *mut c_void,
    tags: Tagging,
    seen: HashSet<usize>,
    rest: Vec<usize>,
    /// Objects that hold the statics of classes, which are nobody's.
    holders: HashSet<usize>,
    fields: HashMap<usize, Vec<(i32, usize)>>,
    aborted: bool,
}

/// Number and offset of the reference fields of its objects.
fn reference_fields(c: ClassRef) -> Vec<(i32, usize)> {
    let wanted = numbered(c).filter(|(_, _, f)| f.ty == BasicType::Object && !f.is_static());
    wanted.map(|(n, _, f)| (n, f.offset() as usize)).collect()
}

impl Walk {
    fn excluded(&self, o: Obj, tag: i64, class_tag: i64) -> bool {
        let by = |on: i32, off: i32, tag: i64| self.filter & (if tag != 0 { on } else { off }) != 0;
        by(TAGGED, UNTAGGED, tag)
            || by(CLASS_TAGGED, CLASS_UNTAGGED, class_tag)
            || self.class.is_some_and(|c| o.class() != c)
    }
    /// Tells of one reference, and has its object followed if that is asked for.
    fn report(&mut self, kind: i32, info: Option<Info>, from: Option<Obj>, o: Obj) {
        if o.is_null() || self.aborted || self.holders.contains(&o.addr()) {
            return;
        }
        let (tag, class_tag) = (self.tags.of(o), self.tags.of(o.class().mirror.get()));
        let mut visit = true;
        if let Some(f) = self.callback.filter(|_| !self.excluded(o, tag, class_tag)) {
            let mut new = tag;
            let mut from_new = from.map_or(0, |r| self.tags.of(r));
            let from_class = from.map_or(0, |r| self.tags.of(r.class().mirror.get()));
            let own = &raw mut new;
            let other = match from {
                None => std::ptr::null_mut(),
                Some(r) if r == o => own,
                Some(_) => &raw mut from_new,
            };
            let bytes = bytes_of(o);
            let length = if o.class().is_array() { o.array_len() as i32 } else { -1 };
            let place = info.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
            let answer = f(kind, place, class_tag, from_class, bytes, own, other, length, self.data);
            self.tags.set(o, new);
            if let Some(r) = from.filter(|r| *r != o) {
                self.tags.set(r, from_new);
            }
            self.aborted |= answer & ABORT != 0;
            visit = answer & VISIT != 0;
        }
        if visit && self.seen.insert(o.addr()) {
            self.rest.push(o.addr());
        }
    }
    fn run(&mut self) {
        while let Some(a) = self.rest.pop() {
            if self.aborted {
                return;
            }
            // SAFETY: nothing moves at a stop.
            self.follow(unsafe { Obj::from_addr(a) });
        }
    }
    fn follow(&mut self, o: Obj) {
        let class = o.class();
        self.report(kind::CLASS, None, Some(o), class.mirror.get());
        if class == known::classes().class {
            let of = mirror::class_of(o);
            if !of.is_primitive() {
                self.follow_class(o, of);
                self.tell_values(o);
            }
            return;
        }
        if class.is_array() {
            if class.component.is_some_and(|c| !c.is_primitive()) {
                for i in 0..o.array_len() {
                    self.report(kind::ELEMENT, Some(index(i as i32)), Some(o), o.array_ref(i));
                }
            } else {
                self.tell_values(o);
            }
            return;
        }
        let key = std::ptr::from_ref(class) as usize;
        let fields = self.fields.entry(key).or_insert_with(|| reference_fields(class)).clone();
        for (n, offset) in fields {
            self.report(kind::FIELD, Some(index(n)), Some(o), o.get_ref(offset));
        }
        self.tell_values(o);
    }
    /// Tells of the primitive values in an object.
    fn tell_values(&mut self, o: Obj) {
        if !self.values.is_wanted() {
            return;
        }
        for told in self.values.of(o) {
            let (mut tag, class_tag) = (self.tags.of(o), self.tags.of(o.class().mirror.get()));
            if self.aborted || self.excluded(o, tag, class_tag) {
                return;
            }
            self.aborted = self.values.tell(&told, class_tag, bytes_of(o), &mut tag);
            self.tags.set(o, tag);
        }
    }
    /// What a class refers to; `o` is its mirror.
    fn follow_class(&mut self, o: Obj, c: ClassRef) {
        if let Some(s) = c.super_class {
            self.report(kind::SUPERCLASS, None, Some(o), s.mirror.get());
        }
        self.report(kind::LOADER, None, Some(o), c.loader().java.get());
        if !c.is_instance_class() {
            return;
        }
        self.report(kind::DOMAIN, None, Some(o), mirror::protection_domain(c));
        for i in c.info().interfaces.iter() {
            self.report(kind::INTERFACE, None, Some(o), i.mirror.get());
        }
        if c.state() < ClassState::Linked {
            return;
        }
        for (n, _, f) in numbered(c).filter(|(_, k, f)| *k == c && f.is_static() && f.ty == BasicType::Object) {
            self.report(kind::STATIC, Some(index(n)), Some(o), c.statics.get().get_ref(f.offset() as usize));
        }
        let pool = c.info().constants();
        for i in 1..pool.len() as u16 {
            let constant = match pool.get(i) {
                Some(Constant::String(_)) => match resolve::entry(c, i).a.load(Ordering::Acquire) {
                    0 | NULL_CONSTANT => continue,
                    // SAFETY: a resolved string's entry holds its address.
                    a => unsafe { Obj::from_addr(a as usize) },
                },
                Some(Constant::Class(_)) => match resolve::class_at_if_loaded(c, i) {
                    // Its own name is resolved from the beginning.
                    Some(k) if k == c || resolve::entry(c, i).a.load(Ordering::Acquire) != 0 => k.mirror.get(),
                    _ => continue,
                },
                _ => continue,
            };
            self.report(kind::CONSTANT, Some(index(i32::from(i))), Some(o), constant);
        }
    }
    fn roots(&mut self, stopped: &Stopped) {
        let mut mirrors = HashSet::new();
        let mut system = Vec::new();
        loader::all_classes(&mut |c| {
            mirrors.insert(c.mirror.get().addr());
            if c.loader().is_boot() {
                system.push(c.mirror.get());
            }
        });
        for m in system {
            self.report(kind::SYSTEM_CLASS, None, None, m);
        }
        let mut global = HashSet::new();
        handles::global_slots(&mut |slot| {
            global.insert(slot as usize);
            self.report(kind::JNI_GLOBAL, None, None, named(slot));
        });
        for t in stopped.threads() {
            self.thread_roots(t);
        }
        roots::Provider.scan_globals(true, &mut |slot| {
            let o = named(slot);
            if !global.contains(&(slot as usize)) && !mirrors.contains(&o.addr()) {
                self.report(kind::OTHER, None, None, o);
            }
        });
    }
    fn thread_roots(&mut self, t: &Thread) {
        let java = t.java_thread.get();
        self.report(kind::THREAD, None, None, java);
        let mut info = Info::default();
        if !java.is_null() {
            info[0] = self.tags.of(java) as u64;
            info[1] = java.get_i64(known::offsets().thread_tid) as u64;
        }
        stack_roots::visit(t, &mut |depth, m, found, o| {
            let mut info = info;
            info[2] = u64::from(depth as u32);
            // An agent that keeps the method's id may ask about it later.
            info[3] = m.map_or(0, |m| MethodId::of(m).address() as u64);
            match found {
                Found::Native => self.report(kind::JNI_LOCAL, Some(info), None, o),
                Found::Stack { location, slot } => {
                    info[4] = location as u64;
                    info[5] = u64::from(slot as u32);
                    self.report(kind::STACK, Some(info), None, o);
                }
            }
        });
        // SAFETY: the thread is stopped, or the caller itself.
        let locked: Vec<Obj> = unsafe { &*t.lock_stack.get() }.iter().map(|(o, _)| *o).collect();
        for o in locked {
            self.report(kind::MONITOR, None, None, o);
        }
    }
}

/// # Safety
/// `callbacks` is a record of callbacks.
pub unsafe extern "C" fn follow(
    e: &Env,
    filter: i32,
    class: Ref,
    initial: Ref,
    callbacks: *const Callbacks,
    data: *mut c_void,
) -> i32 {
    in_vm(|vm| {
        if callbacks.is_null() {
            return Err(error::NULL_POINTER);
        }
        let class = if class.is_null() { None } else { Some(class_of(class)?) };
        if !initial.is_null() && initial.get().is_null() {
            return Err(error::INVALID_OBJECT);
        }
        // SAFETY: by the caller's promise.
        walk(vm, e, filter, class, initial, unsafe { &*callbacks }, data);
        Ok(())
    })
}

/// Tells of the references from an object on, or from the roots.
pub fn walk(
    vm: &InVm<'_>,
    e: &Env,
    filter: i32,
    class: Option<ClassRef>,
    initial: Ref,
    callbacks: &Callbacks,
    data: *mut c_void,
) {
    let changed = concord_safepoint::stop_the_world("FollowReferences", |stopped| {
        let mut w = Walk {
            callback: callbacks.reference,
            values: Values::new(callbacks, data),
            filter,
            class,
            data,
            tags: Tagging::new(e, stopped),
            seen: HashSet::new(),
            rest: Vec::new(),
            holders: heap::statics(),
            fields: HashMap::new(),
            aborted: false,
        };
        if initial.get().is_null() {
            w.roots(stopped);
        } else {
            w.seen.insert(initial.get().addr());
            w.rest.push(initial.get().addr());
        }
        w.run();
        w.tags.end(stopped)
    });
    changed.set(vm, e);
}
