//! The contents of a dump: names, classes, stacks, roots, objects.
//!
//! Invariant: every identifier that stands in a record is 0 or that of a class or object with a
//! record of its own in the same file. The holder objects of static fields have none: what they
//! hold stands in the class's record.
use super::stream::Stream;
use crate::histogram::static_holders;
use concord_base::Symbol;
use concord_contract::object::array_base;
use concord_contract::{BasicType, ClassRef, Obj, Thread};
use concord_heap::RootProvider;
use concord_runtime::info::{ClassExt, FIELD_INJECTED, FieldInfo, MethodExt};
use concord_runtime::stackwalk::{self, Site};
use concord_runtime::{handles, known, loader, roots, threads};
use concord_safepoint::Stopped;
use std::collections::{HashMap, HashSet};
use std::io;

mod tag {
    pub const STRING: u8 = 0x01;
    pub const LOAD_CLASS: u8 = 0x02;
    pub const FRAME: u8 = 0x04;
    pub const TRACE: u8 = 0x05;
}
mod root {
    pub const JNI_GLOBAL: u8 = 0x01;
    pub const JNI_LOCAL: u8 = 0x02;
    pub const JAVA_FRAME: u8 = 0x03;
    pub const STICKY_CLASS: u8 = 0x05;
    pub const MONITOR_USED: u8 = 0x07;
    pub const THREAD: u8 = 0x08;
    pub const UNKNOWN: u8 = 0xff;
}
mod sub {
    pub const CLASS: u8 = 0x20;
    pub const INSTANCE: u8 = 0x21;
    pub const OBJECT_ARRAY: u8 = 0x22;
    pub const PRIMITIVE_ARRAY: u8 = 0x23;
}
/// Serial number of the trace without frames that objects name.
const NO_TRACE: u32 = 1;

/// HPROF's number of a type.
fn type_number(t: BasicType) -> u8 {
    match t {
        BasicType::Object | BasicType::Void => 2,
        BasicType::Boolean => 4,
        BasicType::Char => 5,
        BasicType::Float => 6,
        BasicType::Double => 7,
        BasicType::Byte => 8,
        BasicType::Short => 9,
        BasicType::Int => 10,
        BasicType::Long => 11,
    }
}
fn type_bytes(t: BasicType) -> usize {
    if t.is_ref() { 8 } else { 1 << t.heap_shift() }
}

/// One value of a field or element.
fn value(out: &mut Stream, o: Obj, at: usize, t: BasicType) {
    match t {
        BasicType::Object => out.id(o.get_ref(at).addr()),
        _ => match t.heap_shift() {
            0 => out.u1(o.get_u8(at)),
            1 => out.u2(o.get_u16(at)),
            2 => out.u4(o.get_u32(at)),
            _ => out.u8(o.get_u64(at)),
        },
    }
}

/// Writes the whole dump but its end.
pub fn write(out: &mut Stream, stopped: &Stopped) -> io::Result<()> {
    out.bytes(b"JAVA PROFILE 1.0.2\0");
    out.u4(8);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    out.u8(now.as_millis() as u64);

    let mut d = Dump { names: HashSet::new(), serials: HashMap::new(), shapes: HashMap::new() };
    let mut classes = Vec::new();
    loader::all_classes(&mut |c| {
        if !c.is_primitive() && !c.mirror.get().is_null() {
            classes.push(c);
        }
    });
    for c in &classes {
        d.load_class(out, c);
    }
    let traces = d.traces(out, stopped);
    out.begin_heap();
    for c in &classes {
        class_dump(out, c);
    }
    let holders = static_holders();
    let mirror_class = known::classes().class;
    concord_heap::for_each_object(stopped, |o| {
        if holders.contains(&o.addr()) {
            return;
        }
        let class = o.class();
        // A class's own record stands for its mirror; only those of primitive types have none.
        if class != mirror_class || concord_runtime::mirror::class_of(o).is_primitive() {
            d.object(out, o, class);
        }
    });
    all_roots(out, stopped, &classes, &traces);
    Ok(())
}

struct Dump {
    names: HashSet<usize>,
    /// Serial numbers of classes, by mirror.
    serials: HashMap<usize, u32>,
    /// Offsets and types of a class's instance fields, its own first, and their bytes in the dump.
    shapes: HashMap<usize, (Vec<(usize, BasicType)>, usize)>,
}

/// Instance fields that Java sees.
fn own_fields(c: ClassRef) -> impl Iterator<Item = &'static FieldInfo> {
    c.declared_fields().iter().filter(|f| !f.is_static() && f.flags & FIELD_INJECTED == 0)
}
fn static_fields(c: ClassRef) -> Vec<&'static FieldInfo> {
    if c.statics.get().is_null() {
        return Vec::new();
    }
    c.declared_fields().iter().filter(|f| f.is_static() && f.flags & FIELD_INJECTED == 0).collect()
}

impl Dump {
    /// The identifier of a name, whose text is written when it is first seen.
    fn name(&mut self, out: &mut Stream, s: Symbol) -> usize {
        let bytes = s.as_bytes();
        let id = bytes.as_ptr() as usize;
        if self.names.insert(id) {
            out.record(tag::STRING, 8 + bytes.len());
            out.id(id);
            out.bytes(bytes);
        }
        id
    }

    fn load_class(&mut self, out: &mut Stream, c: ClassRef) {
        let name = self.name(out, c.name);
        for f in c.declared_fields() {
            self.name(out, f.name);
        }
        let serial = self.serials.len() as u32 + 1;
        let mirror = c.mirror.get().addr();
        self.serials.insert(mirror, serial);
        out.record(tag::LOAD_CLASS, 4 + 8 + 4 + 8);
        out.u4(serial);
        out.id(mirror);
        out.u4(NO_TRACE);
        out.id(name);
    }

    /// Frames and traces of all threads; the threads' objects in the order of their traces.
    fn traces(&mut self, out: &mut Stream, stopped: &Stopped) -> Vec<usize> {
        out.record(tag::TRACE, 12);
        out.u4(NO_TRACE);
        out.u4(0);
        out.u4(0);
        let mut frame = 0usize;
        let mut threads = Vec::new();
        for t in stopped.threads() {
            let java = t.java_thread.get();
            if java.is_null() || !threads::is_alive(java) {
                continue;
            }
            let sites = stackwalk::sites(t).collect::<Vec<_>>();
            let first = frame;
            for s in &sites {
                frame += 1;
                self.frame(out, frame, *s);
            }
            threads.push(java.addr());
            let serial = threads.len() as u32;
            out.record(tag::TRACE, 12 + 8 * sites.len());
            out.u4(NO_TRACE + serial);
            out.u4(serial);
            out.u4(sites.len() as u32);
            (first + 1..=frame).for_each(|i| out.id(i));
        }
        threads
    }

    fn frame(&mut self, out: &mut Stream, id: usize, s: Site) {
        let class = s.method.class;
        let name = self.name(out, s.method.name);
        let descriptor = self.name(out, s.method.descriptor);
        let source = class.info().source_file().map_or(0, |f| self.name(out, f));
        let serial = self.serials.get(&class.mirror.get().addr()).copied().unwrap_or(0);
        // Lines: -1 unknown, -3 native.
        let line = if s.method.is_native() { -3 } else { s.method.line_at(s.bci) };
        out.record(tag::FRAME, 8 * 4 + 4 + 4);
        for i in [id, name, descriptor, source] {
            out.id(i);
        }
        out.u4(serial);
        out.u4(line as u32);
    }

    fn object(&mut self, out: &mut Stream, o: Obj, class: ClassRef) {
        if class.is_array() {
            return array(out, o, class);
        }
        let (fields, bytes) = self.shapes.entry(std::ptr::from_ref(class) as usize).or_insert_with(|| shape(class));
        out.sub(1 + 8 + 4 + 8 + 4 + *bytes);
        out.u1(sub::INSTANCE);
        out.id(o.addr());
        out.u4(NO_TRACE);
        out.id(class.mirror.get().addr());
        out.u4(*bytes as u32);
        for (at, t) in fields.iter() {
            value(out, o, *at, *t);
        }
    }
}

fn shape(class: ClassRef) -> (Vec<(usize, BasicType)>, usize) {
    let mut fields = Vec::new();
    let mut c = Some(class);
    while let Some(k) = c {
        fields.extend(own_fields(k).map(|f| (f.offset() as usize, f.ty)));
        c = k.super_class;
    }
    let bytes = fields.iter().map(|f| type_bytes(f.1)).sum();
    (fields, bytes)
}

fn array(out: &mut Stream, o: Obj, class: ClassRef) {
    let is_ref = class.component.is_some_and(|c| !c.is_primitive());
    let t = if is_ref { BasicType::Object } else { class.basic };
    let head = 1 + 8 + 4 + 4 + if is_ref { 8 } else { 1 };
    // A record's length has 32 bits.
    let n = o.array_len().min((u32::MAX as usize - head) / type_bytes(t));
    out.sub(head + n * type_bytes(t));
    out.u1(if is_ref { sub::OBJECT_ARRAY } else { sub::PRIMITIVE_ARRAY });
    out.id(o.addr());
    out.u4(NO_TRACE);
    out.u4(n as u32);
    if is_ref {
        out.id(class.mirror.get().addr());
    } else {
        out.u1(type_number(t));
    }
    if !is_ref && t.heap_shift() == 0 {
        // SAFETY: the world is stopped; `n` bytes at the array's base are its elements.
        out.bytes(unsafe { std::slice::from_raw_parts(o.at::<u8>(array_base(0)), n) });
        return;
    }
    let shift = t.heap_shift();
    for i in 0..n {
        value(out, o, Obj::elem_offset(i, shift), t);
    }
}

fn class_dump(out: &mut Stream, c: ClassRef) {
    let statics = static_fields(c);
    let own: Vec<&FieldInfo> = own_fields(c).collect();
    let static_bytes: usize = statics.iter().map(|f| 8 + 1 + type_bytes(f.ty)).sum();
    out.sub(1 + 8 + 4 + 6 * 8 + 4 + 2 + 2 + static_bytes + 2 + 9 * own.len());
    out.u1(sub::CLASS);
    out.id(c.mirror.get().addr());
    out.u4(NO_TRACE);
    out.id(c.super_class.map_or(0, |s| s.mirror.get().addr()));
    out.id(c.loader().java.get().addr());
    // Signers, protection domain, two reserved.
    (0..4).for_each(|_| out.id(0));
    let size = if c.is_instance_class() { shape(c).1 } else { 0 };
    out.u4(size as u32);
    // The constant pool is left out, as HotSpot does.
    out.u2(0);
    out.u2(statics.len() as u16);
    for f in statics {
        out.id(f.name.as_bytes().as_ptr() as usize);
        out.u1(type_number(f.ty));
        value(out, c.statics.get(), f.offset() as usize, f.ty);
    }
    out.u2(own.len() as u16);
    for f in own {
        out.id(f.name.as_bytes().as_ptr() as usize);
        out.u1(type_number(f.ty));
    }
}

fn simple_root(out: &mut Stream, kind: u8, o: usize) {
    out.sub(9);
    out.u1(kind);
    out.id(o);
}
fn thread_root(out: &mut Stream, kind: u8, o: usize, thread: u32, other: u32) {
    out.sub(17);
    out.u1(kind);
    out.id(o);
    out.u4(thread);
    out.u4(other);
}
/// The object behind a root's word; 0 for null and marks.
fn named(slot: *mut u64) -> usize {
    // SAFETY: a root's word, read while the world is stopped.
    let word = unsafe { *slot } as usize;
    if word & 7 == 0 { word } else { 0 }
}

fn all_roots(out: &mut Stream, stopped: &Stopped, classes: &[ClassRef], threads: &[usize]) {
    for (i, t) in threads.iter().enumerate() {
        let serial = i as u32 + 1;
        thread_root(out, root::THREAD, *t, serial, NO_TRACE + serial);
    }
    for t in stopped.threads() {
        let serial = threads.iter().position(|o| *o == t.java_thread.get().addr()).map_or(0, |i| i as u32 + 1);
        of_thread(out, t, serial);
    }
    let mut mirrors = HashSet::new();
    for c in classes {
        mirrors.insert(c.mirror.get().addr());
        if c.loader().is_boot() {
            simple_root(out, root::STICKY_CLASS, c.mirror.get().addr());
        }
    }
    let mut global = HashSet::new();
    handles::global_slots(&mut |slot| {
        let o = named(slot);
        if o != 0 {
            global.insert(slot as usize);
            out.sub(17);
            out.u1(root::JNI_GLOBAL);
            out.id(o);
            out.id(slot as usize);
        }
    });
    roots::Provider.scan_globals(true, &mut |slot| {
        let o = named(slot);
        if o != 0 && !global.contains(&(slot as usize)) && !mirrors.contains(&o) {
            simple_root(out, root::UNKNOWN, o);
        }
    });
}

fn of_thread(out: &mut Stream, t: &Thread, serial: u32) {
    let handles = t.handles.get();
    for i in 0..if handles.is_null() { 0 } else { t.handle_top.get() } {
        // SAFETY: slots below the top have been written.
        let o = named(unsafe { handles.add(i) });
        if o != 0 {
            thread_root(out, root::JNI_LOCAL, o, serial, u32::MAX);
        }
    }
    let mut frame = |slot| {
        let o = named(slot);
        if o != 0 {
            thread_root(out, root::JAVA_FRAME, o, serial, u32::MAX);
        }
    };
    roots::Provider.scan_thread(t, &mut frame, &mut |_| {});
    // SAFETY: the thread is stopped, or the caller itself.
    for (o, _) in unsafe { &*t.lock_stack.get() } {
        simple_root(out, root::MONITOR_USED, o.addr());
    }
}
