//! The crossing from compiled code into the VM: one row per runtime call and stub.
//!
//! Invariant: compiled code names a row, never an address; whoever installs code resolves the name
//! by [`address`]. The table is filled once, before the first method is compiled.
//!
//! All rows use System V argument registers and never see the thread as an argument: r15 is the
//! thread block. Arguments are 64-bit unless the row says i32, f32 or f64.
//!
//! | convention | clobbers | result | may collect, throw, deoptimise |
//! |---|---|---|---|
//! | `Call` | caller-saved registers | rax | as flagged |
//! | `Preserve` | nothing (Cranelift's `PreserveAll`) | `Thread::result` | as flagged |
//! | `Leaf` | caller-saved registers | rax or xmm0 | never |
//!
//! A row that throws leaves the exception in the thread block and sets `Thread::watermark` to 0, so
//! the compare after the call finds it. After every row flagged GC the compare is needed, too: the
//! frame's own code may have been invalidated meanwhile.
use crate::class::flags;
use crate::method::Method;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    Call,
    Preserve,
    Leaf,
}

/// What a row takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    I32,
    I64,
    F32,
    F64,
    /// A reference as full address.
    Ref,
    /// An address of something that does not move.
    Ptr,
}

/// Flags of a row.
pub mod flag {
    pub const GC: u8 = 1;
    pub const THROWS: u8 = 2;
    pub const BLOCKS: u8 = 4;
}

/// Bits of what [`Row::ClassKind`] gives.
pub mod class_kind {
    pub const ARRAY: u32 = 0;
    pub const INTERFACE: u32 = 1;
    pub const PRIMITIVE: u32 = 2;
    pub const HIDDEN: u32 = 3;
}

/// The description of one row.
#[derive(Clone, Copy, Debug)]
pub struct RowInfo {
    pub name: &'static str,
    pub convention: Convention,
    pub args: &'static [Arg],
    pub ret: Option<Arg>,
    pub flags: u8,
}

macro_rules! rows {
    ($($(#[$doc:meta])* $id:ident $conv:ident $name:ident($($arg:ident),*) $(-> $ret:ident)? [$($f:ident)*];)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Row { $($(#[$doc])* $id,)* }
        /// All rows, in order.
        pub const ALL: &[Row] = &[$(Row::$id,)*];
        static INFO: &[RowInfo] = &[$(RowInfo {
            name: stringify!($name),
            convention: Convention::$conv,
            args: &[$(Arg::$arg),*],
            ret: rows!(@ret $($ret)?),
            flags: 0 $(| flag::$f)*,
        },)*];
    };
    (@ret) => { None };
    (@ret $r:ident) => { Some(Arg::$r) };
}

rows! {
    // Stubs. The frame state, whose index is in the call's record, says in which slots of the frame
    // its values are (of ints and floats the lower half counts, references are addresses). They
    // return the result of the method, in rax and, the same bits, in xmm0, to the way out of their caller
    // (`CompiledCode::way_out`), which returns at once with it. The frame below them is dead: its call record has kind `Husk`.
    /// A guard failed: the state's frames go on in the interpreter.
    Deopt Call deopt() -> I64 [GC THROWS BLOCKS];
    /// The compare with the watermark found an exception, or the code was invalidated.
    AfterCall Call after_call() -> I64 [GC THROWS BLOCKS];
    /// Throws StackOverflowError from a prologue; the caller then returns with any value.
    StackOverflow Call throw_stack_overflow() [GC THROWS];

    /// `Thread::poll` is not zero.
    Safepoint Preserve safepoint() [GC THROWS BLOCKS];
    /// (class) -> reference.
    NewInstance Preserve new_instance(Ptr) -> Ref [GC THROWS];
    /// (array class, length) -> reference.
    NewArray Preserve new_array(Ptr, I32) -> Ref [GC THROWS];
    /// (array class, address of i32 lengths outermost first, how many) -> reference.
    MultiNewArray Call multi_new_array(Ptr, Ptr, I32) -> Ref [GC THROWS];
    /// (java.lang.Class) -> reference: `Unsafe.allocateInstance`.
    AllocateInstance Call allocate_instance(Ref) -> Ref [GC THROWS];
    MonitorEnter Preserve monitor_enter(Ref) [GC THROWS BLOCKS];
    MonitorExit Preserve monitor_exit(Ref) [GC THROWS];
    RegisterFinalizer Call register_finalizer(Ref) [GC THROWS];
    /// The whole reference store (publication, store, fence, collector's barrier) of the value at
    /// an offset of the target.
    StoreRef Preserve store_ref(Ref, I64, Ref) [];
    /// The same of an object that is no array and that the collector must remember, without publication.
    StoreOldField Preserve store_old_field(Ref, I64, Ref) [];
    /// The same of an array of references.
    StoreOldElement Preserve store_old_element(Ref, I64, Ref) [];
    /// Makes what the object reaches SHARED, before it is stored where other threads can see it. Never stops: code for which this
    /// takes long is made again with the other row.
    Publish Preserve publish(Ref) [];
    /// The same, stopping now and then.
    PublishFar Preserve publish_far(Ref) [GC];
    /// A reference has been stored at an offset of an object that the collector must remember.
    Barrier Preserve barrier(Ref, I64) [];
    /// (method, bytecode index, whether its mode asks for a fence behind it, object or null): counts a
    /// store that the code is about to make.
    CountStore Preserve count_store(Ptr, I32, I32, Ref) [];
    /// (method, bytecode index): counts a fence behind stores.
    CountFenced Preserve count_fenced(Ptr, I32) [];
    /// Throws the exception object, NullPointerException for null.
    Throw Call throw_exception(Ref) [GC THROWS];
    ThrowNullPointer Call throw_null_pointer() [GC THROWS];
    ThrowDivByZero Call throw_div_by_zero() [GC THROWS];
    /// (index, length)
    ThrowArrayIndex Call throw_array_index(I32, I32) [GC THROWS];
    /// (object, class)
    ThrowClassCast Call throw_class_cast(Ref, Ptr) [GC THROWS];
    /// (array, value)
    ThrowArrayStore Call throw_array_store(Ref, Ref) [GC THROWS];

    /// A handler of the frame with this rsp catches the pending exception: 1 if it is pending no more,
    /// 0 if the interpreter must deliver it.
    Catch Preserve catch_exception(I64) -> I32 [];
    /// (class, class): whether the first is a subtype of the second. For what is not found inline.
    IsSubtype Preserve is_subtype(Ptr, Ptr) -> I32 [];
    /// (java.lang.Class) -> the object with the static fields of its class; any other object is its own answer. For an
    /// offset of Unsafe's with [`crate::object::STATIC_OFFSET`].
    StaticsOf Preserve statics_of(Ref) -> Ref [];
    /// (receiver's class, interface, index) -> method, or null. For what is not found inline.
    ItableMethod Preserve itable_method(Ptr, Ptr, I32) -> Ptr [];
    /// `System.arraycopy` where it is simple; 0 if the method itself is needed.
    ArrayCopy Leaf array_copy(Ref, I32, Ref, I32, I32) -> I32 [];
    // Bodies of the class library. Those that may refuse say so by `i32::MIN`: then the Java body
    // must run. Arrays are not null.
    /// Two arrays of bytes: 1 if they are equal.
    BytesEqual Leaf bytes_equal(Ref, Ref) -> I32 [];
    CompareLatin1 Leaf compare_latin1(Ref, Ref) -> I32 [];
    CompareUtf16 Leaf compare_utf16(Ref, Ref) -> I32 [];
    HashLatin1 Leaf hash_latin1(Ref) -> I32 [];
    /// (bytes, char, from) -> index or -1.
    IndexOfChar Leaf index_of_char(Ref, I32, I32) -> I32 [];
    /// (bytes, how many, text, its length, from) -> index or -1; may refuse.
    IndexOfLatin1 Leaf index_of_latin1(Ref, I32, Ref, I32, I32) -> I32 [];
    /// Chars in bytes: (bytes, char, from, end) -> index or -1; may refuse.
    IndexOfCharUtf16 Leaf index_of_char_utf16(Ref, I32, I32, I32) -> I32 [];
    /// Chars in bytes: (bytes, how many, text, its length, from) -> index or -1; may refuse. The text of the
    /// second has one byte per char.
    IndexOfUtf16 Leaf index_of_utf16(Ref, I32, Ref, I32, I32) -> I32 [];
    IndexOfLatin1InUtf16 Leaf index_of_latin1_in_utf16(Ref, I32, Ref, I32, I32) -> I32 [];
    /// (bytes, from, how many); may refuse.
    HasNegatives Leaf has_negatives(Ref, I32, I32) -> I32 [];
    /// (bytes, from, chars, to, how many); may refuse.
    InflateToBytes Leaf inflate_to_bytes(Ref, I32, Ref, I32, I32) -> I32 [];
    InflateToChars Leaf inflate_to_chars(Ref, I32, Ref, I32, I32) -> I32 [];
    /// (chars, from, bytes, to, how many) -> how many, or 0; may refuse.
    CompressBytes Leaf compress_bytes(Ref, I32, Ref, I32, I32) -> I32 [];
    CompressChars Leaf compress_chars(Ref, I32, Ref, I32, I32) -> I32 [];
    /// `ArraysSupport.vectorizedMismatch`; the arrays may be null.
    Mismatch Leaf vectorized_mismatch(Ref, I64, Ref, I64, I32, I32) -> I32 [];
    /// `Arrays.equals` of two arrays of one type of integers; null is an array like others.
    ArraysEqual Leaf arrays_equal(Ref, Ref) -> I32 [];
    /// (array of primitives, from, to, bits of the value): the range lies in the array.
    Fill Call fill_array(Ref, I32, I32, I64) [GC THROWS];
    /// `Object.clone`.
    Clone Call clone_object(Ref) -> Ref [GC THROWS];
    /// (java.lang.Class, length): `Array.newArray`.
    NewArrayOf Call new_array_of(Ref, I32) -> Ref [GC THROWS];
    /// `System.identityHashCode`.
    IdentityHash Preserve identity_hash(Ref) -> I32 [];
    NanoTime Leaf nano_time() -> I64 [];
    CurrentMillis Leaf current_millis() -> I64 [];
    /// (address): begins to write the line back to memory.
    Writeback Leaf writeback(I64) [];
    /// What was written back before is durable before what is stored after.
    WritebackSync Leaf writeback_sync() [];
    FmaFloat Leaf fma_float(F32, F32, F32) -> F32 [];
    FmaDouble Leaf fma_double(F64, F64, F64) -> F64 [];
    // [`concord_base::math`].
    Sin Leaf sin(F64) -> F64 [];
    Cos Leaf cos(F64) -> F64 [];
    Tan Leaf tan(F64) -> F64 [];
    Exp Leaf exp(F64) -> F64 [];
    Log Leaf log(F64) -> F64 [];
    Log10 Leaf log10(F64) -> F64 [];
    Pow Leaf pow(F64, F64) -> F64 [];
    // Ciphers and digests: as the method that they stand for, its object first; i32::MIN if they refuse.
    AesEncryptBlock Leaf aes_encrypt_block(Ref, Ref, I32, Ref, I32) -> I32 [];
    AesDecryptBlock Leaf aes_decrypt_block(Ref, Ref, I32, Ref, I32) -> I32 [];
    ChainEncrypt Leaf chain_encrypt(Ref, Ref, I32, I32, Ref, I32) -> I32 [];
    ChainDecrypt Leaf chain_decrypt(Ref, Ref, I32, I32, Ref, I32) -> I32 [];
    CounterCrypt Leaf counter_crypt(Ref, Ref, I32, I32, Ref, I32) -> I32 [];
    GhashBlocks Leaf ghash_blocks(Ref, I32, I32, Ref, Ref) -> I32 [];
    Md5Block Leaf md5_block(Ref, Ref, I32) -> I32 [];
    Sha1Block Leaf sha1_block(Ref, Ref, I32) -> I32 [];
    Sha256Block Leaf sha256_block(Ref, Ref, I32) -> I32 [];
    Sha512Block Leaf sha512_block(Ref, Ref, I32) -> I32 [];
    /// (checksum, array, from, bytes); never refuses.
    Crc32 Leaf crc32(I32, Ref, I32, I32) -> I32 [];
    /// (register, array, from, end); never refuses.
    Crc32c Leaf crc32c(I32, Ref, I32, I32) -> I32 [];
    /// (factor, factor, modulus, ints, -1/modulus, product).
    MontgomeryMultiply Leaf montgomery_multiply(Ref, Ref, Ref, I32, I64, Ref) -> I32 [];
    MontgomerySquare Leaf montgomery_square(Ref, Ref, I32, I64, Ref) -> I32 [];
    /// (java.lang.Class, object): `Class.isInstance`.
    IsInstance Leaf is_instance(Ref, Ref) -> I32 [];
    /// (java.lang.Class, java.lang.Class): `Class.isAssignableFrom`.
    IsAssignableFrom Leaf is_assignable_from(Ref, Ref) -> I32 [];
    /// (java.lang.Class) -> what it stands for: [`class_kind`].
    ClassKind Leaf class_kind(Ref) -> I32 [];
    /// (java.lang.Class): `Class.getModifiers`.
    Modifiers Leaf modifiers(Ref) -> I32 [];
    FRem Leaf frem(F32, F32) -> F32 [];
    DRem Leaf drem(F64, F64) -> F64 [];
}

/// The row that does what `m` does, if it is one of [`concord_base::math`]. `-XX:-UseLibmIntrinsic` leaves them to fdlibm.
pub fn math(m: &Method) -> Option<Row> {
    let is_math = m.class.name.as_bytes() == b"java/lang/Math" && m.class.has_flag(flags::BOOT);
    if !is_math || !concord_base::options::get().flags.use_libm_intrinsic {
        return None;
    }
    Some(match m.name.as_bytes() {
        b"sin" => Row::Sin,
        b"cos" => Row::Cos,
        b"tan" => Row::Tan,
        b"exp" => Row::Exp,
        b"log" => Row::Log,
        b"log10" => Row::Log10,
        b"pow" => Row::Pow,
        _ => return None,
    })
}

impl Row {
    pub fn info(self) -> &'static RowInfo {
        &INFO[self as usize]
    }
    pub fn by_name(name: &str) -> Option<Row> {
        ALL.iter().copied().find(|r| r.info().name == name)
    }
}

/// Rows that fit in the table.
const ROOM: usize = 128;
const _: () = assert!(ALL.len() <= ROOM);
static ADDRESSES: [AtomicUsize; ROOM] = [const { AtomicUsize::new(0) }; ROOM];

/// Tells where the row's trampoline, stub or function is; once per row.
pub fn set_address(row: Row, address: usize) {
    ADDRESSES[row as usize].store(address, Ordering::Release);
}
/// The code address of the row; None before there is one.
pub fn address(row: Row) -> Option<usize> {
    let a = ADDRESSES[row as usize].load(Ordering::Acquire);
    (a != 0).then_some(a)
}
