//! Objects: an [`Obj`] is null or the address of a live, fully headered heap object.
//!
//! ```text
//!  +0  u32 lock word        (empty, hash or monitor record; bit 2 = LOCAL)
//!  +4  u24 layout id, u8 collector's forwarding bits (zero while mutators run)
//!  +8  fields of an instance | u32 length of an array
//!  +12 first element of an array with elements of up to 4 bytes | +16 of long[] and double[]
//! ```
//! A reference in the heap is 32 bits, the address shifted right by [`REF_SHIFT`]; everywhere else
//! (Java stack, handles, roots, registers) it is the full address.
//!
//! Raw addresses of objects are allowed in VM code that runs in the VM state: the collector scans
//! native frames conservatively and pins what they name, so an `Obj` in a local variable stays
//! valid across an allocation. Memory that the collector does not scan (a `Vec`, a static) must not
//! hold one: use a handle or a registered root.
//!
//! Reference *stores* go through the heap room's `store_ref`, which adds publication and barrier.
use crate::class::{Class, ClassRef};
use crate::layout;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// References in the heap are addresses shifted right by this.
pub const REF_SHIFT: u32 = 3;
/// Offset of the lock word.
pub const LOCK_OFFSET: usize = 0;
/// Offset of the 32-bit word that holds layout id (24 bits) and forwarding bits (8).
pub const LAYOUT_OFFSET: usize = 4;
/// Offset of an array's 32-bit length; also of the first field of an instance.
pub const LENGTH_OFFSET: usize = 8;
/// Size of an object without fields, in bytes.
pub const HEADER_BYTES: usize = 8;
/// Mask of the layout id in the word at [`LAYOUT_OFFSET`].
pub const LAYOUT_ID_MASK: u32 = 0x00ff_ffff;

/// In an offset of Unsafe's: the access names a static field by its java.lang.Class, as HotSpot's programs do, and the
/// rest is the offset in the object with the static fields. No object is that large, and no address outside of the heap.
pub const STATIC_OFFSET: i64 = 1 << 62;
/// Bit 2 of the lock word in every encoding: no other thread can reach the object.
pub const LOCAL_BIT: u32 = 4;

/// Offset of element 0 of an array whose elements have `1 << elem_shift` bytes. Bytes begin at a multiple of eight, too: the class
/// library looks at them as `long`s and asks for that (`VarHandle` views, heap buffers).
#[inline(always)]
pub const fn array_base(elem_shift: u32) -> usize {
    if matches!(elem_shift, 0 | 3) { 16 } else { 12 }
}

/// The type of a field, array element, argument or result, as the virtual machine sees it.
///
/// The numbers of the primitive types are those of `newarray` (JVMS table 6.5.newarray-A).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BasicType {
    Boolean = 4,
    Char = 5,
    Float = 6,
    Double = 7,
    Byte = 8,
    Short = 9,
    Int = 10,
    Long = 11,
    /// A reference to an instance or an array.
    Object = 12,
    Void = 14,
}

impl BasicType {
    /// All of them, in the order of their numbers.
    pub const ALL: [BasicType; 10] = [
        BasicType::Boolean,
        BasicType::Char,
        BasicType::Float,
        BasicType::Double,
        BasicType::Byte,
        BasicType::Short,
        BasicType::Int,
        BasicType::Long,
        BasicType::Object,
        BasicType::Void,
    ];
    /// The type that a descriptor beginning with `c` denotes; arrays are references.
    #[inline]
    pub const fn from_descriptor_char(c: u8) -> Option<BasicType> {
        Some(match c {
            b'Z' => BasicType::Boolean,
            b'C' => BasicType::Char,
            b'F' => BasicType::Float,
            b'D' => BasicType::Double,
            b'B' => BasicType::Byte,
            b'S' => BasicType::Short,
            b'I' => BasicType::Int,
            b'J' => BasicType::Long,
            b'L' | b'[' => BasicType::Object,
            b'V' => BasicType::Void,
            _ => return None,
        })
    }
    /// The `newarray` code's type.
    pub const fn from_newarray(code: u8) -> Option<BasicType> {
        Some(match code {
            4 => BasicType::Boolean,
            5 => BasicType::Char,
            6 => BasicType::Float,
            7 => BasicType::Double,
            8 => BasicType::Byte,
            9 => BasicType::Short,
            10 => BasicType::Int,
            11 => BasicType::Long,
            _ => return None,
        })
    }
    /// log2 of the size in the heap; references are 4 bytes.
    #[inline(always)]
    pub const fn heap_shift(self) -> u32 {
        match self {
            BasicType::Boolean | BasicType::Byte => 0,
            BasicType::Char | BasicType::Short => 1,
            BasicType::Int | BasicType::Float | BasicType::Object => 2,
            BasicType::Long | BasicType::Double => 3,
            BasicType::Void => 0,
        }
    }
    /// Slots on the Java stack: 2 for long and double, 0 for void.
    #[inline(always)]
    pub const fn slots(self) -> usize {
        match self {
            BasicType::Long | BasicType::Double => 2,
            BasicType::Void => 0,
            _ => 1,
        }
    }
    pub const fn is_ref(self) -> bool {
        matches!(self, BasicType::Object)
    }
    /// The character of a primitive type's descriptor; `L` for references.
    pub const fn descriptor_char(self) -> u8 {
        match self {
            BasicType::Boolean => b'Z',
            BasicType::Char => b'C',
            BasicType::Float => b'F',
            BasicType::Double => b'D',
            BasicType::Byte => b'B',
            BasicType::Short => b'S',
            BasicType::Int => b'I',
            BasicType::Long => b'J',
            BasicType::Object => b'L',
            BasicType::Void => b'V',
        }
    }
    /// The name in the Java language; `java.lang.Object` for references.
    pub const fn java_name(self) -> &'static str {
        match self {
            BasicType::Boolean => "boolean",
            BasicType::Char => "char",
            BasicType::Float => "float",
            BasicType::Double => "double",
            BasicType::Byte => "byte",
            BasicType::Short => "short",
            BasicType::Int => "int",
            BasicType::Long => "long",
            BasicType::Object => "java.lang.Object",
            BasicType::Void => "void",
        }
    }
}

/// A reference: null, or the address of a live object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Obj(usize);

impl std::fmt::Debug for Obj {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Obj({:#x})", self.0)
    }
}

macro_rules! scalar_access {
    ($($get:ident $put:ident $ty:ty, $atomic:ty;)*) => { $(
        /// Relaxed, untorn read at `offset`.
        #[inline(always)]
        pub fn $get(self, offset: usize) -> $ty {
            // SAFETY: the object is live and `offset` is that of a field or element of this width.
            unsafe { <$atomic>::from_ptr(self.at(offset)) }.load(Relaxed) as $ty
        }
        /// Relaxed, untorn write at `offset`. Fences are the memory-model room's business.
        #[inline(always)]
        pub fn $put(self, offset: usize, value: $ty) {
            // SAFETY: as for the read.
            unsafe { <$atomic>::from_ptr(self.at(offset)) }.store(value as _, Relaxed)
        }
    )* };
}

impl Obj {
    pub const NULL: Obj = Obj(0);

    /// # Safety
    /// `addr` is 0 or the address of a live object.
    #[inline(always)]
    pub const unsafe fn from_addr(addr: usize) -> Obj {
        Obj(addr)
    }
    #[inline(always)]
    pub const fn addr(self) -> usize {
        self.0
    }
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
    /// Decodes a 32-bit heap reference.
    #[inline(always)]
    pub const fn decode(narrow: u32) -> Obj {
        Obj((narrow as usize) << REF_SHIFT)
    }
    /// Encodes as a 32-bit heap reference.
    #[inline(always)]
    pub const fn encode(self) -> u32 {
        (self.0 >> REF_SHIFT) as u32
    }
    /// Address of the byte at `offset`; the object must not be null.
    #[inline(always)]
    pub fn at<T>(self, offset: usize) -> *mut T {
        debug_assert!(self.0 != 0, "access through null");
        (self.0 + offset) as *mut T
    }

    scalar_access! {
        get_u8 put_u8 u8, AtomicU8;
        get_i8 put_i8 i8, AtomicU8;
        get_u16 put_u16 u16, AtomicU16;
        get_i16 put_i16 i16, AtomicU16;
        get_u32 put_u32 u32, AtomicU32;
        get_i32 put_i32 i32, AtomicU32;
        get_u64 put_u64 u64, AtomicU64;
        get_i64 put_i64 i64, AtomicU64;
    }

    /// Reads the reference at `offset`.
    #[inline(always)]
    pub fn get_ref(self, offset: usize) -> Obj {
        Obj::decode(self.get_u32(offset))
    }
    /// The lock word.
    #[inline(always)]
    pub fn lock_word<'a>(self) -> &'a AtomicU32 {
        // SAFETY: every object begins with its lock word; only atomic accesses are made to it.
        unsafe { AtomicU32::from_ptr(self.at(LOCK_OFFSET)) }
    }
    /// Whether no thread but the calling one can reach the object.
    #[inline(always)]
    pub fn is_local(self) -> bool {
        self.lock_word().load(Relaxed) & LOCAL_BIT != 0
    }
    #[inline(always)]
    pub fn layout_id(self) -> u32 {
        self.get_u32(LAYOUT_OFFSET) & LAYOUT_ID_MASK
    }
    /// The object's class.
    #[inline(always)]
    pub fn class(self) -> ClassRef {
        layout::class_of(self.layout_id())
    }
    #[inline(always)]
    pub fn is_instance_of(self, class: &Class) -> bool {
        self.class().is_subclass_of(class)
    }

    /// Length of an array.
    #[inline(always)]
    pub fn array_len(self) -> usize {
        self.get_u32(LENGTH_OFFSET) as usize
    }
    /// Element `i` of a reference array; the caller has checked the bounds.
    #[inline(always)]
    pub fn array_ref(self, i: usize) -> Obj {
        debug_assert!(i < self.array_len());
        self.get_ref(array_base(2) + 4 * i)
    }
    /// Offset of element `i` in an array whose elements have `1 << shift` bytes.
    #[inline(always)]
    pub const fn elem_offset(i: usize, shift: u32) -> usize {
        array_base(shift) + (i << shift)
    }
    /// The bytes of a `byte[]` or `boolean[]`.
    ///
    /// # Safety
    /// No Java thread writes the array and no collection moves it while the slice lives: the
    /// object is named by a native frame (hence pinned) or no safepoint is reached.
    #[inline]
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        // SAFETY: a byte array's payload has `array_len` bytes at base 12.
        unsafe { std::slice::from_raw_parts(self.at(array_base(0)), self.array_len()) }
    }
}
