//! Events about code: compiled methods that come and go, and what else comes into the code area; and about tagged objects
//! that have died.
//!
//! Invariant: agents are told by one thread, the Service Thread, in the order in which things happened, from notes that
//! were taken when they did: the code may be gone when they learn of it. The classes of all methods that a compiled
//! method is made of stay loaded while agents are told of it.
//!
//! A note divides code into stretches. One begins where the one before ends, and ends behind a call, or, where code
//! knows the places of all its instructions, where those of another place begin. As in HotSpot the map tells of the
//! method itself alone, the record of inlined methods of all frames.
use super::capabilities::can;
use super::environment::Env;
use super::events::{callback_now, each_in_vm, outside};
use super::general::{current_phase, life};
use super::{error, in_vm};
use crate::env::MethodId;
use concord_base::vm_log;
use concord_compiled::table;
use concord_contract::class::flags;
use concord_contract::code_table::Installed;
use concord_contract::{MethodRef, Thread};
use concord_runtime::events::{self, Event, Stub};
use concord_runtime::handles::Scope;
use concord_runtime::threads::{self, AttachArgs};
use std::collections::VecDeque;
use std::ffi::{CString, c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

/// What an agent is to be told.
pub enum Note {
    Loaded(Load),
    /// A method, and where its code began.
    Unloaded(MethodRef, usize),
    Generated(Stub),
    /// A collection has ended.
    Collected,
}

impl Note {
    pub fn unloaded(code: &Installed) -> Note {
        remember(code.method);
        Note::Unloaded(code.method, code.start)
    }
}

/// The memory of a method outlasts notes that name it.
fn remember(m: MethodRef) {
    MethodId::of(m);
}

/// A compiled method.
pub struct Load {
    method: MethodRef,
    start: usize,
    bytes: usize,
    stretches: Vec<Stretch>,
}
struct Stretch {
    start: usize,
    end: usize,
    /// Innermost first.
    frames: Vec<(MethodRef, i32)>,
}

impl Load {
    pub fn of(code: &Installed) -> Load {
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut add = |start: u32, end: u32, sites: &[(MethodRef, u16)]| {
            if start < end && !sites.is_empty() {
                let frames = sites.iter().map(|(m, bci)| (*m, i32::from(*bci))).collect();
                stretches.push(Stretch { start: code.start + start as usize, end: code.start + end as usize, frames });
            }
        };
        let end = (code.end - code.start) as u32;
        for (n, (start, call)) in code.places.iter().enumerate() {
            let next = code.places.get(n + 1).map_or(end, |p| p.0);
            add(*start, next, code.call_at(code.start + *call as usize).map_or(&[], |c| &c.sites));
        }
        let mut start = 0;
        for c in code.calls.iter().filter(|_| code.places.is_empty()) {
            add(start, c.return_offset, &c.sites);
            start = c.return_offset;
        }
        let load = Load { method: code.method, start: code.start, bytes: code.end - code.start, stretches };
        load.methods().for_each(remember);
        load
    }
    fn methods(&self) -> impl Iterator<Item = MethodRef> {
        std::iter::once(self.method).chain(self.stretches.iter().flat_map(|s| &s.frames).map(|f| f.0))
    }

    /// Calls the agent's function at `f`.
    fn tell(&self, th: &Thread, e: &'static Env, f: usize) {
        let scope = Scope::new(th);
        // Between this look and the references that keep the classes nothing is unloaded: there is no stop.
        if self.methods().any(|m| m.class.has_flag(flags::UNLOADED)) {
            return;
        }
        let mut classes: Vec<_> = self.methods().map(|m| m.class).collect();
        classes.sort_unstable_by_key(|c| std::ptr::from_ref(*c) as usize);
        classes.dedup_by(|a, b| std::ptr::eq(*a, *b));
        let _kept: Vec<_> = classes.iter().map(|c| scope.handle(c.mirror.get())).collect();
        let map: Vec<Location> = self.stretches.iter().filter_map(Location::of).collect();
        let frames: Vec<(Vec<MethodId>, Vec<i32>)> =
            self.stretches.iter().map(|s| s.frames.iter().map(|f| (MethodId::of(f.0), f.1)).unzip()).collect();
        let places: Vec<PcStack> = (self.stretches.iter().zip(&frames))
            .map(|(s, (methods, bcis))| PcStack {
                pc: s.end as *const c_void,
                frames: methods.len() as i32,
                methods: methods.as_ptr(),
                bcis: bcis.as_ptr(),
            })
            .collect();
        let inlined = Inlined {
            kind: 2,
            major: 1,
            minor: 0,
            next: std::ptr::null(),
            pcs: places.len() as i32,
            places: places.as_ptr(),
        };
        let (id, bytes) = (MethodId::of(self.method), self.bytes as i32);
        let (start, info) = (self.start as *const c_void, (&raw const inlined).cast::<c_void>());
        // SAFETY: the agent gave the address of a function of the specification's type.
        let f = unsafe { std::mem::transmute::<usize, Loaded>(f) };
        outside(th, || f(e, id, bytes, start, map.len() as i32, map.as_ptr(), info));
    }
}

/// jvmtiAddrLocationMap.
#[repr(C)]
struct Location {
    start: *const c_void,
    location: i64,
}
impl Location {
    /// Where the outermost frame is, that of the method itself.
    fn of(s: &Stretch) -> Option<Location> {
        let outermost = s.frames.last()?;
        Some(Location { start: s.start as *const c_void, location: i64::from(outermost.1) })
    }
}
/// PCStackInfo of jvmticmlr.h.
#[repr(C)]
struct PcStack {
    pc: *const c_void,
    frames: i32,
    methods: *const MethodId,
    bcis: *const i32,
}
/// jvmtiCompiledMethodLoadInlineRecord: its header is of kind 2, version 1.0.
#[repr(C)]
struct Inlined {
    kind: i32,
    major: i32,
    minor: i32,
    next: *const c_void,
    pcs: i32,
    places: *const PcStack,
}
type Loaded = extern "C" fn(&Env, MethodId, i32, *const c_void, i32, *const Location, *const c_void);
type Unloaded = extern "C" fn(&Env, MethodId, *const c_void);
type Generated = extern "C" fn(&Env, *const c_char, *const c_void, i32);

fn tell_stub(th: &Thread, e: &'static Env, f: usize, s: &Stub) {
    let Ok(name) = CString::new(s.name.as_str()) else { return };
    // SAFETY: the agent gave the address of a function of the specification's type.
    let f = unsafe { std::mem::transmute::<usize, Generated>(f) };
    outside(th, || f(e, name.as_ptr(), s.start as *const c_void, s.bytes as i32));
}

static NOTES: Mutex<VecDeque<Note>> = Mutex::new(VecDeque::new());
static ARRIVED: Condvar = Condvar::new();
static STARTED: AtomicBool = AtomicBool::new(false);

/// Keeps a note for the Service Thread. Called anywhere, at a stop as well.
pub fn note(n: Note) {
    if current_phase() != life::DEAD {
        NOTES.lock().expect("notes of code").push_back(n);
        ARRIVED.notify_one();
    }
}

/// Starts the Service Thread once the VM lives and somebody wants to hear of code or dead objects.
pub fn settle() {
    let wanted = [Event::CompiledMethodLoad, Event::CompiledMethodUnload, Event::DynamicCode, Event::ObjectFree];
    if current_phase() != life::LIVE || !wanted.into_iter().any(events::wanted) || STARTED.swap(true, Ordering::AcqRel)
    {
        return;
    }
    let body = || {
        let args = AttachArgs { name: Some("Service Thread".into()), group: std::ptr::null_mut(), daemon: true };
        match threads::attach_hidden(args) {
            Ok(th) => serve(th),
            Err(e) => vm_log!(OsThread, Warning, "no service thread: {e}"),
        }
    };
    if let Err(e) = std::thread::Builder::new().name("Service Thread".into()).stack_size(1 << 20).spawn(body) {
        vm_log!(OsThread, Warning, "no service thread, agents are told of no code: {e}");
    }
}

fn serve(th: &Thread) {
    loop {
        let n = concord_runtime::blocking(th, || {
            let mut notes = NOTES.lock().expect("notes of code");
            loop {
                match notes.pop_front() {
                    Some(n) => return n,
                    None => notes = ARRIVED.wait(notes).expect("notes of code"),
                }
            }
        });
        match n {
            Note::Loaded(load) => each_in_vm(th, Event::CompiledMethodLoad, |e, f| load.tell(th, e, f)),
            Note::Unloaded(method, start) => each_in_vm(th, Event::CompiledMethodUnload, |e, f| {
                // SAFETY: the agent gave the address of a function of the specification's type.
                let f = unsafe { std::mem::transmute::<usize, Unloaded>(f) };
                outside(th, || f(e, MethodId::of(method), start as *const c_void));
            }),
            Note::Generated(s) => each_in_vm(th, Event::DynamicCode, |e, f| tell_stub(th, e, f, &s)),
            Note::Collected => tell_freed(th),
        }
    }
}
/// Tells agents of tagged objects that have died since they were told last. In doing so they call what only an attached
/// thread may.
pub fn tell_freed(th: &Thread) {
    each_in_vm(th, Event::ObjectFree, |e, f| tell_freed_to(th, e, f));
}
/// The same of one of them, before it wants something else from now on.
pub fn flush_freed(th: &Thread, e: &Env) {
    if let Some(f) = callback_now(th, e, Event::ObjectFree) {
        tell_freed_to(th, e, f);
    }
}
fn tell_freed_to(th: &Thread, e: &Env, f: usize) {
    let tags = super::heap::take_freed(e);
    // SAFETY: the agent gave the address of a function of the specification's type.
    let f = unsafe { std::mem::transmute::<usize, extern "C" fn(&Env, i64)>(f) };
    outside(th, || tags.iter().for_each(|tag| f(e, *tag)));
}

/// Tells an agent of all code that there is, on the calling thread, if it wants the event.
pub extern "C" fn generate_events(e: &'static Env, event: i32) -> i32 {
    match event {
        68 if !e.has(can::of_event(event)) => error::MUST_POSSESS_CAPABILITY,
        68 => in_vm(|vm| {
            let mut loads = Vec::new();
            table::methods(|c| {
                if c.is_valid() {
                    loads.push(Load::of(c));
                }
            });
            if let Some(f) = e.callback(event as u32, Some(vm.th)) {
                loads.iter().for_each(|l| l.tell(vm.th, e, f));
            }
            Ok(())
        }),
        70 => in_vm(|vm| {
            let mut stubs = Vec::new();
            table::stubs(|s| stubs.push(s.clone()));
            if let Some(f) = e.callback(event as u32, Some(vm.th)) {
                stubs.iter().for_each(|s| tell_stub(vm.th, e, f, s));
            }
            Ok(())
        }),
        _ => error::ILLEGAL_ARGUMENT,
    }
}
