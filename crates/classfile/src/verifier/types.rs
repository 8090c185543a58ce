//! Owns verification types and the question whether one may stand where another is expected
//! (JVMS 4.10.1.2), interfaces being treated as `Object`.

use super::VerifierEnv;
use super::report::Checked;
use crate::descriptor::{BasicType, FieldType};
use std::fmt::{self, Write};

pub(super) const OBJECT: &[u8] = b"java/lang/Object";

/// A class or array. An array is its dimensions and its element, so that arrays of arrays need no
/// names of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefType<'a> {
    pub dims: u16,
    /// Letter of a primitive element, 0 for a class.
    pub prim: u8,
    /// Name of the class or of the element class.
    pub name: &'a [u8],
}

impl PartialEq for RefType<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.dims == other.dims
            && self.prim == other.prim
            && (std::ptr::eq(self.name, other.name) || self.name == other.name)
    }
}

impl<'a> RefType<'a> {
    pub const fn class(name: &'a [u8]) -> Self {
        RefType { dims: 0, prim: 0, name }
    }
    /// From the text of a Class constant: a name, or an array's descriptor.
    pub fn from_constant(text: &'a [u8]) -> Self {
        if text.first() == Some(&b'[') { Self::from_descriptor(text) } else { RefType::class(text) }
    }
    /// From a field descriptor that begins with `L` or `[`.
    pub fn from_descriptor(text: &'a [u8]) -> Self {
        let dims = text.iter().take_while(|&&b| b == b'[').count();
        match text.get(dims) {
            Some(b'L') => {
                RefType { dims: dims as u16, prim: 0, name: text.get(dims + 1..text.len() - 1).unwrap_or(&[]) }
            }
            Some(&prim) => RefType { dims: dims as u16, prim, name: &[] },
            None => RefType { dims: dims as u16, prim: 0, name: &[] },
        }
    }
    pub fn is_array(&self) -> bool {
        self.dims > 0
    }
    pub fn is_plain_object(&self) -> bool {
        self.dims == 0 && self.name == OBJECT
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum VType<'a> {
    Top,
    Integer,
    Float,
    Long,
    Long2,
    Double,
    Double2,
    Null,
    UninitThis,
    /// Index of its `new`.
    Uninit(u16),
    Ref(RefType<'a>),
    /// Kinds of results; `int` fits.
    Boolean,
    Byte,
    Char,
    Short,
    /// Queries: any reference, initialised or not; any value of one slot; the lower half
    /// of any value of two.
    AnyReference,
    AnyCategory1,
    AnyCategory2,
}

use VType::*;

impl<'a> VType<'a> {
    pub const fn class(name: &'a [u8]) -> Self {
        Ref(RefType::class(name))
    }
    pub const fn object() -> Self {
        VType::class(OBJECT)
    }
    pub const fn throwable() -> Self {
        VType::class(b"java/lang/Throwable")
    }
    /// What a value of that type is on the stack, and its second half.
    pub fn of(t: FieldType<'a>) -> (VType<'a>, Option<VType<'a>>) {
        match t.kind {
            BasicType::Long => (Long, Some(Long2)),
            BasicType::Double => (Double, Some(Double2)),
            BasicType::Float => (Float, None),
            BasicType::Object | BasicType::Array => (Ref(RefType::from_descriptor(t.text)), None),
            _ => (Integer, None),
        }
    }
    /// What a method of that result type must return; `Top` for void.
    pub fn of_result(t: Option<FieldType<'a>>) -> VType<'a> {
        match t.map(|t| (t.kind, t)) {
            None => Top,
            Some((BasicType::Boolean, _)) => Boolean,
            Some((BasicType::Byte, _)) => Byte,
            Some((BasicType::Char, _)) => Char,
            Some((BasicType::Short, _)) => Short,
            Some((_, t)) => VType::of(t).0,
        }
    }
    pub fn is_category2(self) -> bool {
        matches!(self, Long | Double)
    }
    pub fn is_category2_second(self) -> bool {
        matches!(self, Long2 | Double2)
    }
    pub fn is_category1(self) -> bool {
        !matches!(self, Top | Long | Long2 | Double | Double2)
    }
    pub fn second(self) -> Option<VType<'a>> {
        match self {
            Long => Some(Long2),
            Double => Some(Double2),
            _ => None,
        }
    }
    /// null, or an array whose elements are of that descriptor letter.
    pub fn is_array_of(self, letter: u8) -> bool {
        matches!(self, Null) || matches!(self, Ref(r) if r.dims == 1 && r.prim == letter)
    }
    /// null, or an array of references.
    pub fn is_reference_array(self) -> bool {
        matches!(self, Null) || matches!(self, Ref(r) if r.dims > 1 || r.dims == 1 && r.prim == 0)
    }
    pub fn is_array(self) -> bool {
        matches!(self, Ref(r) if r.is_array())
    }
    /// Element type of an array.
    pub fn component(self) -> Option<VType<'a>> {
        let Ref(r) = self else { return None };
        Some(match (r.dims, r.prim) {
            (0, _) => return None,
            (1, 0) => VType::class(r.name),
            (1, b'Z') => Boolean,
            (1, b'B') => Byte,
            (1, b'C') => Char,
            (1, b'S') => Short,
            (1, b'I') => Integer,
            (1, b'J') => Long,
            (1, b'F') => Float,
            (1, b'D') => Double,
            _ => Ref(RefType { dims: r.dims - 1, ..r }),
        })
    }

    /// Whether a value of type `from` may stand where `self` is expected. `protected` asks for
    /// the receiver of a protected member, where a class that is an interface is not `Object`.
    #[inline]
    pub fn accepts(self, from: VType<'a>, env: &mut dyn VerifierEnv, protected: bool) -> Checked<bool> {
        if self == from {
            return Ok(true);
        }
        match self {
            Top => Ok(true),
            AnyReference => Ok(matches!(from, Null | UninitThis | Uninit(_) | Ref(_))),
            AnyCategory1 => Ok(from.is_category1()),
            AnyCategory2 => Ok(from.is_category2()),
            Boolean | Byte | Char | Short => Ok(from == Integer),
            Ref(to) => to.accepts(from, env, protected),
            _ => Ok(false),
        }
    }
}

impl<'a> RefType<'a> {
    fn accepts(self, from: VType<'a>, env: &mut dyn VerifierEnv, protected: bool) -> Checked<bool> {
        let from = match from {
            Null => return Ok(true),
            Ref(from) => from,
            _ => return Ok(false),
        };
        if !self.is_array() {
            if self.is_plain_object() {
                return Ok(true);
            }
            if env.is_interface(self.name)? && (!protected || !from.is_plain_object()) {
                let of_arrays = matches!(self.name, b"java/lang/Cloneable" | b"java/io/Serializable");
                return Ok(!from.is_array() || of_arrays);
            }
            return Ok(!from.is_array() && env.is_subclass(from.name, self.name)?);
        }
        if !from.is_array() {
            return Ok(false);
        }
        match (Ref(self).component(), Ref(from).component()) {
            (Some(to), Some(from)) if to == from => Ok(true),
            // Arrays of small integers fit only themselves.
            (Some(Boolean | Byte | Char | Short), _) => Ok(false),
            (Some(to), Some(from)) => to.accepts(from, env, protected),
            _ => Ok(false),
        }
    }
}

impl fmt::Display for RefType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..self.dims {
            f.write_char('[')?;
        }
        let name = crate::mutf8::to_string(self.name);
        match (self.dims, self.prim) {
            (0, _) => f.write_str(&name),
            (_, 0) => write!(f, "L{name};"),
            (_, prim) => f.write_char(char::from(prim)),
        }
    }
}

impl fmt::Display for VType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Top => "top",
            Integer => "integer",
            Float => "float",
            Long => "long",
            Long2 => "long_2nd",
            Double => "double",
            Double2 => "double_2nd",
            Null => "null",
            UninitThis => "uninitializedThis",
            Uninit(bci) => return write!(f, "uninitialized {bci}"),
            Ref(r) => return write!(f, "'{r}'"),
            Boolean => "boolean",
            Byte => "byte",
            Char => "char",
            Short => "short",
            AnyReference => "reference type",
            AnyCategory1 => "category1 type",
            AnyCategory2 => "category2 type",
        })
    }
}
