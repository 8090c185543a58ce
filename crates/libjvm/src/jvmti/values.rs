//! Primitive values in objects, as walks of the heap tell them: fields, elements of arrays, text of strings.
//!
//! Invariant: a value is told once for its object and filter, in one piece; of a class's mirror the static fields of the
//! class are told, once it is linked, not the mirror's own.
use super::heap::Callbacks;
use concord_contract::class::ClassState;
use concord_contract::layout::object_size;
use concord_contract::object::array_base;
use concord_contract::{BasicType, ClassRef, Obj};
use concord_runtime::info::{ClassExt, FIELD_INJECTED, FieldInfo};
use concord_runtime::reflection::boxing::Value;
use concord_runtime::{known, mirror, strings};
use std::collections::HashMap;
use std::ffi::c_void;

type Info = [u64; 8];
pub type FieldCallback = extern "C" fn(i32, *const Info, i64, *mut i64, u64, i32, *mut c_void) -> i32;
pub type ArrayCallback = extern "C" fn(i64, i64, *mut i64, i32, i32, *const c_void, *mut c_void) -> i32;
pub type StringCallback = extern "C" fn(i64, i64, *mut i64, *const u16, i32, *mut c_void) -> i32;

const INSTANCE_FIELD: i32 = 2;
const STATIC_FIELD: i32 = 8;
const ABORT: i32 = 0x8000;

/// All fields of the class and its superclasses with the numbers that they have in it, which begin behind the fields of
/// all its interfaces, and the classes that declare them.
pub fn numbered(c: ClassRef) -> impl Iterator<Item = (i32, ClassRef, &'static FieldInfo)> {
    let fields_of = |c: ClassRef| c.declared_fields().iter().filter(|f| f.flags & FIELD_INJECTED == 0);
    let interfaces: usize = c.interfaces_all.get().map_or(0, |v| v.iter().map(|i| fields_of(i).count()).sum());
    let mut line: Vec<ClassRef> = std::iter::successors(Some(c), |k| k.super_class).collect();
    line.reverse();
    let all = line.into_iter().flat_map(move |k| fields_of(k).map(move |f| (k, f)));
    all.enumerate().map(move |(n, (k, f))| ((interfaces + n) as i32, k, f))
}

/// What is told of an object's values, and to whom.
pub struct Values {
    field: Option<FieldCallback>,
    array: Option<ArrayCallback>,
    string: Option<StringCallback>,
    data: *mut c_void,
    /// Number, offset and type of the primitive fields of a class's objects.
    fields: HashMap<usize, Vec<(i32, usize, BasicType)>>,
}

/// A value that is told: what the callback gets beside the tags.
pub enum Told {
    Field(i32, Info, Value),
    Array(BasicType, i32, Vec<u64>),
    String(Vec<u16>),
}

impl Values {
    pub fn new(c: &Callbacks, data: *mut c_void) -> Values {
        Values { field: c.field, array: c.array, string: c.string, data, fields: HashMap::new() }
    }
    pub fn is_wanted(&self) -> bool {
        self.field.is_some() || self.array.is_some() || self.string.is_some()
    }
    /// What is to be told of `o`. The values are copies: what the callbacks do cannot change them.
    pub fn of(&mut self, o: Obj) -> Vec<Told> {
        let class = o.class();
        if class.is_array() {
            let wanted = self.array.is_some() && class.basic != BasicType::Object;
            return if wanted { vec![elements(o)] } else { Vec::new() };
        }
        let mut told = Vec::new();
        if self.field.is_some() {
            if class == known::classes().class {
                static_fields(mirror::class_of(o), &mut told);
            } else {
                let key = std::ptr::from_ref(class) as usize;
                for (n, offset, ty) in self.fields.entry(key).or_insert_with(|| primitive_fields(class)) {
                    told.push(Told::Field(INSTANCE_FIELD, index(*n), Value::load(*ty, o, *offset)));
                }
            }
        }
        if self.string.is_some()
            && class == known::classes().string
            && !o.get_ref(known::offsets().string_value).is_null()
        {
            told.push(Told::String(strings::to_utf16(o)));
        }
        told
    }
    /// Calls the agent; whether the walk is to end. `bytes` is the size of the object.
    pub fn tell(&self, t: &Told, class_tag: i64, bytes: i64, tag: &mut i64) -> bool {
        let answer = match (t, self.field, self.array, self.string) {
            (Told::Field(kind, place, v), Some(f), ..) => {
                let ty = i32::from(v.ty.descriptor_char());
                f(*kind, place, class_tag, tag, v.slot(), ty, self.data)
            }
            (Told::Array(ty, n, elements), _, Some(f), _) => {
                let ty = i32::from(ty.descriptor_char());
                f(class_tag, bytes, tag, *n, ty, elements.as_ptr().cast(), self.data)
            }
            (Told::String(text), _, _, Some(f)) => {
                f(class_tag, bytes, tag, text.as_ptr(), text.len() as i32, self.data)
            }
            _ => 0,
        };
        answer & ABORT != 0
    }
}

/// Bytes of an object.
pub fn bytes_of(o: Obj) -> i64 {
    // SAFETY: callers have a live object.
    unsafe { object_size(o.addr()) as i64 }
}
pub fn index(i: i32) -> Info {
    let mut info = Info::default();
    info[0] = u64::from(i as u32);
    info
}
fn primitive_fields(c: ClassRef) -> Vec<(i32, usize, BasicType)> {
    let wanted = numbered(c).filter(|(_, _, f)| f.ty != BasicType::Object && !f.is_static());
    let mut all: Vec<_> = wanted.map(|(n, _, f)| (n, f.offset() as usize, f.ty)).collect();
    // As HotSpot tells them.
    all.reverse();
    all
}
fn static_fields(c: ClassRef, told: &mut Vec<Told>) {
    if !c.is_instance_class() || c.state() < ClassState::Linked {
        return;
    }
    let wanted = numbered(c).filter(|(_, k, f)| *k == c && f.is_static() && f.ty != BasicType::Object);
    let mut all: Vec<_> = wanted.collect();
    all.reverse();
    let statics = c.statics.get();
    told.extend(
        all.into_iter()
            .map(|(n, _, f)| Told::Field(STATIC_FIELD, index(n), Value::load(f.ty, statics, f.offset() as usize))),
    );
}
/// The elements, as C has them.
fn elements(o: Obj) -> Told {
    let (n, shift) = (o.array_len(), o.class().elem_shift as u32);
    let bytes = n << shift;
    let mut copy = vec![0u64; bytes.div_ceil(8)];
    // SAFETY: the payload of an array of primitives that this frame pins; the copy has room for it. A thread that
    // writes meanwhile changes single elements, which the agent may see before or after.
    unsafe {
        std::ptr::copy_nonoverlapping((o.addr() + array_base(shift)) as *const u8, copy.as_mut_ptr().cast(), bytes)
    };
    Told::Array(o.class().basic, n as i32, copy)
}
